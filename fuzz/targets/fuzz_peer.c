/* SPDX-License-Identifier: BSD-2-Clause */
/* The player of `iwarp peer` against arbitrary octets: each case ends in time, with a verdict that
 * something seen supports. */
#include <string.h>

#include <peer/player.h>

#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define PEER_STEPS_MAX 200000u
#define PEER_STEP_NS 5000000u

/* A play, and the octets of its target: records of a kind, and for octets a length. */
typedef struct play {
  peer_player *player;
  iwarp_span tape;
  uint64_t now;
  size_t sent;
  bool seen; /* something of the target */
} play;

typedef enum play_kind {
  PLAY_OCTETS = 0, /* the next octet says how many octets come */
  PLAY_TIME,       /* silence until the deadline */
  PLAY_SOON,       /* silence for a while */
  PLAY_FIN,
  PLAY_RST,
  PLAY_SEND_FAILED,
  PLAY_NOT_OPENED,
  PLAY_ACKED
} play_kind;

static void play_octets(play *p) {
  const size_t want = (size_t)fuzz_take(&p->tape) + 1;
  const size_t len = want < p->tape.len ? want : p->tape.len;
  p->seen = p->seen || len > 0;
  peer_player_received(p->player, (iwarp_span){p->tape.ptr, len}, p->now);
  p->tape.ptr += len;
  p->tape.len -= len;
}

/* Plays the next entry of the tape while the player waits. */
static void play_wait(play *p, uint64_t deadline) {
  const play_kind kind = p->tape.len > 0 ? (play_kind)(fuzz_take(&p->tape) % 8u) : PLAY_TIME;
  p->now += kind == PLAY_SOON ? PEER_STEP_NS : 0;
  p->now = kind == PLAY_TIME && deadline > p->now ? deadline : p->now;
  switch (kind) {
  case PLAY_OCTETS: play_octets(p); break;
  case PLAY_FIN:
    p->seen = true;
    peer_player_fin(p->player, p->now);
    break;
  case PLAY_RST:
    p->seen = true;
    peer_player_rst(p->player, p->now);
    break;
  case PLAY_SEND_FAILED: peer_player_send_failed(p->player, p->now); break;
  case PLAY_NOT_OPENED: peer_player_not_opened(p->player, "refused", p->now); break;
  case PLAY_ACKED: peer_player_acked(p->player, p->sent, p->now); break;
  case PLAY_TIME:
  case PLAY_SOON: peer_player_time(p->player, p->now); break;
  }
}

/* Does what the player wants; false: it is done. */
static bool play_act(play *p) {
  peer_action a;
  peer_player_next(p->player, &a);
  switch (a.kind) {
  case PEER_ACTION_OPEN:
    p->sent = 0;
    if (p->tape.len == 0 || p->tape.ptr[0] % 16u != 15u) {
      peer_player_opened(p->player, p->now);
    }
    break;
  case PEER_ACTION_SEND:
    fuzz_expect(a.octets.len > 0, "a SEND of nothing");
    p->sent += a.octets.len;
    peer_player_sent(p->player, a.octets.len, p->now);
    break;
  case PEER_ACTION_WAIT: play_wait(p, a.deadline_ns); break;
  case PEER_ACTION_SHUTDOWN:
  case PEER_ACTION_RESET:
  case PEER_ACTION_READING:
  case PEER_ACTION_CLOSE:
  case PEER_ACTION_DONE: break;
  }
  return a.kind != PEER_ACTION_DONE;
}

static void play_case(const peer_page *page, const peer_how *how, iwarp_span tape) {
  play p = {.tape = tape, .player = peer_player_new(page, how)};
  size_t steps = 0;
  fuzz_expect(p.player != NULL, "no memory");
  while (play_act(&p)) {
    fuzz_expect(steps++ < PEER_STEPS_MAX, "the play has no end");
  }
  const peer_result *r = peer_player_result(p.player);
  fuzz_expect(p.now <= how->timeout_ns + how->wait_ns, "the play takes too long");
  fuzz_expect(r->verdict != PEER_FAIL || p.seen, "a failure, and nothing was seen");
  fuzz_expect(r->verdict != PEER_PASS || p.sent == 0 || p.seen || r->line == 0 ||
                  strcmp(r->seen, "nothing") == 0,
              "a pass, and nothing was seen");
  peer_player_free(p.player);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  scenario_error error;
  size_t num = 0;
  while (peer_cases[num].name != NULL) {
    num++;
  }
  const peer_case *c = &peer_cases[fuzz_u8(&f) % num];
  const uint8_t bits = fuzz_u8(&f);
  peer_page *page = peer_page_read(c->name, c->text, strlen(c->text), &error);
  fuzz_expect(page != NULL, "%s: %s", c->name, error.message);
  const peer_page_info *info = peer_page_info_get(page);
  const bool responder = info->plays == PEER_PLAYS_RESPONDER ||
                         (info->plays != PEER_PLAYS_INITIATOR && (bits & 1u) != 0);
  peer_how how = {.role = responder ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR,
                  .instance = fuzz_u8(&f) % info->num_instances,
                  .rev = (bits & 2u) != 0 ? 1 : 2,
                  .markers = (bits & 4u) != 0,
                  .crc = (bits & 8u) != 0,
                  .no_acks = (bits & 16u) != 0,
                  .scripted = (bits & 32u) != 0,
                  .wait_ns = 100000000,
                  .timeout_ns = 60000000000};
  const char *bad = NULL;
  size_t bad_len = 0;
  fuzz_expect(
      peer_offer_read(&how.offer, "echo,buffers=8x256,reads,writes", !responder, &bad, &bad_len),
      "no offer");
  play_case(page, &how, (iwarp_span){f.body, f.len});
  peer_page_free(page);
  return 0;
}
