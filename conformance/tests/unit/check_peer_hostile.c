/* SPDX-License-Identifier: BSD-2-Clause */
/* Targets that do nothing that any page names: each case ends in time, and with a verdict. */
#include <string.h>

#include <peer/player.h>

#include "check_run.h"
#include "peer_room.h"

typedef enum hostile_kind {
  HOSTILE_SILENT = 0, /* never sends an octet */
  HOSTILE_CLOSES,     /* a FIN at once */
  HOSTILE_RESETS,     /* an RST at once */
  HOSTILE_GARBAGE,    /* octets of another protocol, then silence */
  HOSTILE_FLOODS,     /* octets without end */
  HOSTILE_DRIPS,      /* a startup frame, an octet each second */
  HOSTILE_DIES,       /* a startup frame, then an RST */
  HOSTILE_ABSENT,     /* takes no connection */
  HOSTILE_REFUSES     /* a startup frame of Rev 1; a Read ends the connection */
} hostile_kind;

#define HOSTILE_KINDS 8 /* those before HOSTILE_REFUSES */
/* A Request, an RDMA Write of length 0, and more than the Length of a Read Request. */
#define HOSTILE_READ_CAME (IWARP_MPA_STARTUP_LEN + 20u + 40u)
#define HOSTILE_SECOND 1000000000u

typedef struct hostile {
  hostile_kind kind;
  iwarp_role role;
  bool wants; /* a connection */
  bool open;
  bool ended;
  size_t sent;
  size_t received;
  uint64_t now;
  uint64_t next;
  uint8_t octets[64];
} hostile;

/* The startup frame of a side. */
static size_t hostile_frame(const hostile *h, uint8_t *out) {
  size_t len = 0;
  iwarp_mpa_startup frame = {.rev = 1};
  const iwarp_mpa_key key =
      h->role == IWARP_ROLE_INITIATOR ? IWARP_MPA_KEY_REQUEST : IWARP_MPA_KEY_REPLY;
  memcpy(frame.key, iwarp_mpa_key_octets(key), sizeof frame.key);
  ck_assert_int_eq(iwarp_mpa_startup_encode(out, 64, &len, &frame), IWARP_OK);
  return len;
}

static void hostile_send(hostile *h, peer_action *out, size_t len, uint64_t again) {
  out->kind = PEER_ACTION_SEND;
  out->octets = (iwarp_span){h->octets, len};
  h->sent += len;
  h->next = h->now + again;
}

static void hostile_end(hostile *h, peer_action *out, peer_action_kind kind) {
  h->ended = true;
  out->kind = kind;
}

/* What an end does that has a connection, and whose time has come. */
static void hostile_act(hostile *h, peer_action *out) {
  const size_t frame = hostile_frame(h, h->octets);
  switch (h->kind) {
  case HOSTILE_CLOSES: hostile_end(h, out, PEER_ACTION_SHUTDOWN); break;
  case HOSTILE_RESETS: hostile_end(h, out, PEER_ACTION_RESET); break;
  case HOSTILE_GARBAGE:
    memset(h->octets, 'x', sizeof h->octets);
    hostile_send(h, out, h->sent == 0 ? sizeof h->octets : 1, 3600u * (uint64_t)HOSTILE_SECOND);
    break;
  case HOSTILE_FLOODS:
    memset(h->octets, 0x41, sizeof h->octets);
    hostile_send(h, out, sizeof h->octets, HOSTILE_SECOND / 500);
    break;
  case HOSTILE_DRIPS:
    h->octets[0] = h->octets[h->sent % frame];
    hostile_send(h, out, 1, HOSTILE_SECOND);
    break;
  case HOSTILE_DIES:
  case HOSTILE_REFUSES:
    if (h->sent > 0) {
      hostile_end(h, out, PEER_ACTION_RESET);
    } else {
      hostile_send(h, out, frame, 0);
    }
    break;
  case HOSTILE_SILENT:
  case HOSTILE_ABSENT: break;
  }
}

static void hostile_next(void *self, peer_action *out) {
  hostile *h = self;
  const bool waits = h->kind == HOSTILE_REFUSES &&
                     h->received < (h->sent == 0 ? IWARP_MPA_STARTUP_LEN : HOSTILE_READ_CAME);
  const bool acts = h->open && !h->ended && h->kind != HOSTILE_SILENT && !waits;
  *out = (peer_action){.kind = PEER_ACTION_WAIT, .deadline_ns = acts ? h->next : UINT64_MAX};
  if (h->wants && h->kind != HOSTILE_ABSENT) {
    h->wants = false;
    out->kind = PEER_ACTION_OPEN;
  } else if (acts && h->now >= h->next) {
    hostile_act(h, out);
  }
}

static void hostile_opened(void *self, uint64_t now) {
  hostile *h = self;
  h->open = true;
  h->ended = false;
  h->sent = h->received = 0;
  h->now = h->next = now;
}

static void hostile_received(void *self, iwarp_span in, uint64_t now) {
  hostile *h = self;
  h->received += in.len;
  h->now = now;
}

static void hostile_over(void *self, uint64_t now) {
  hostile *h = self;
  h->now = now;
  h->open = false;
  h->wants = true;
}

static void hostile_sent(void *self, size_t len, size_t total, uint64_t now) {
  (void)self;
  (void)len;
  (void)total;
  (void)now;
}

static void hostile_time(void *self, uint64_t now) {
  ((hostile *)self)->now = now;
}

static peer_result hostile_play(const peer_page *page, iwarp_role role, size_t instance,
                                hostile_kind kind, const char *ulp) {
  hostile h = {.kind = kind,
               .role = role == IWARP_ROLE_INITIATOR ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR,
               .wants = true};
  const peer_end end = {.self = &h,
                        .next = hostile_next,
                        .opened = hostile_opened,
                        .received = hostile_received,
                        .fin = hostile_over,
                        .rst = hostile_over,
                        .sent = hostile_sent,
                        .time = hostile_time};
  peer_how how = {.role = role, .instance = instance, .wait_ns = 100000000};
  const char *bad = NULL;
  size_t bad_len = 0;
  how.rev = kind == HOSTILE_REFUSES ? 1 : 0;
  ck_assert(peer_offer_read(&how.offer, ulp, role == IWARP_ROLE_INITIATOR, &bad, &bad_len));
  peer_player *tester = peer_player_new(page, &how);
  (void)peer_room_play(tester, &end, (peer_room_split){0});
  const peer_result result = *peer_player_result(tester);
  peer_player_free(tester);
  return result;
}

static void hostile_role(const char *name, const peer_page *page, iwarp_role role) {
  for (size_t i = 0; i < peer_page_info_get(page)->num_instances; i++) {
    for (int kind = 0; kind < HOSTILE_KINDS; kind++) {
      const peer_result r =
          hostile_play(page, role, i, (hostile_kind)kind, "echo,buffers=4x64,reads");
      const bool silent = kind == HOSTILE_SILENT || kind == HOSTILE_ABSENT;
      ck_assert_msg(r.verdict != PEER_ERROR && (!silent || r.verdict != PEER_FAIL),
                    "%s, target %d: %s; seen: %s; %s", name, kind, peer_verdict_name(r.verdict),
                    r.seen, r.why);
      ck_assert_msg(r.verdict != PEER_FAIL || r.seen[0] != '\0', "%s, target %d: nothing seen",
                    name, kind);
    }
  }
}

START_TEST(a_case_ends_whatever_its_target_does)
{
  const peer_case *c = &peer_cases[_i];
  scenario_error error;
  peer_page *page = peer_page_read(c->name, c->text, strlen(c->text), &error);
  ck_assert_ptr_nonnull(page);
  const uint32_t plays = peer_page_info_get(page)->plays;
  if ((plays & PEER_PLAYS_INITIATOR) != 0) {
    hostile_role(c->name, page, IWARP_ROLE_INITIATOR);
  }
  if ((plays & PEER_PLAYS_RESPONDER) != 0) {
    hostile_role(c->name, page, IWARP_ROLE_RESPONDER);
  }
  peer_page_free(page);
}
END_TEST

START_TEST(a_read_that_nothing_is_agreed_on_fails_no_case)
{
  for (const peer_case *c = peer_cases; c->name != NULL; c++) {
    if (strcmp(c->name, "startup.crc") == 0) {
      scenario_error error;
      peer_page *page = peer_page_read(c->name, c->text, strlen(c->text), &error);
      ck_assert_ptr_nonnull(page);
      const peer_result r = hostile_play(page, IWARP_ROLE_INITIATOR, 0, HOSTILE_REFUSES, "none");
      ck_assert_msg(r.verdict == PEER_UNDECIDED && strstr(r.why, "agreed on Reads") != NULL,
                    "%s; seen: %s; %s", peer_verdict_name(r.verdict), r.seen, r.why);
      peer_page_free(page);
      return;
    }
  }
  ck_abort_msg("no case startup.crc");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("peer-hostile");
  TCase *tcase = tcase_create("cases");
  int num = 0;
  while (peer_cases[num].name != NULL) {
    num++;
  }
  tcase_add_loop_test(tcase, a_case_ends_whatever_its_target_does, 0, num);
  tcase_add_test(tcase, a_read_that_nothing_is_agreed_on_fails_no_case);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
