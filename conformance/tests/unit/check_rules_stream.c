/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules on real octets: encoders, then the observer, then the rules, however the
 * octets are cut. */
#include "check_run.h"
#include "prng.h"

#include <iwarp/rules.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#define SIDE_CAP 60000u
#define START_0 4294967200u /* wraps 32 bits soon */
#define START_1 7001u

/* A conversation: octets of both sides, and after how many of the peer's each part was sent. */
struct part {
  unsigned side;
  size_t from;
  size_t len;
  uint64_t received;
};

struct talk {
  uint8_t octets[2][SIDE_CAP];
  size_t len[2];
  size_t full[2]; /* where Full Operation begins */
  bool markers[2];
  struct part parts[400];
  size_t num_parts;
};

static uint64_t talk_start(unsigned side) {
  return side == 0 ? START_0 : START_1;
}

static void talk_add(struct talk *t, unsigned side, size_t len) {
  struct part *p = &t->parts[t->num_parts++];
  *p = (struct part){.side = side, .from = t->len[side], .len = len};
  p->received = talk_start(1 - side) + t->len[1 - side];
  t->len[side] += len;
}

static void talk_startup(struct talk *t, unsigned side, uint8_t flags, uint8_t rev) {
  uint8_t enhanced[4];
  size_t len = 0;
  const iwarp_mpa_enhanced e = {.ird = 4, .ord = 4};
  iwarp_mpa_startup f = {.flags = flags, .rev = rev, .pd_length = 4};
  iwarp_mpa_enhanced_encode(enhanced, sizeof(enhanced), &len, &e);
  f.private_data = (iwarp_span){enhanced, len};
  memcpy(f.key, iwarp_mpa_key_octets(side == 0 ? IWARP_MPA_KEY_REQUEST : IWARP_MPA_KEY_REPLY),
         IWARP_MPA_KEY_LEN);
  ck_assert_int_eq(
      iwarp_mpa_startup_encode(&t->octets[side][t->len[side]], SIDE_CAP - t->len[side], &len, &f),
      IWARP_OK);
  talk_add(t, side, len);
  t->full[side] = t->len[side];
  t->markers[1 - side] = (flags & IWARP_MPA_FLAG_M) != 0;
}

static void talk_fpdu(struct talk *t, unsigned side, const iwarp_ddp_hdr *hdr, const uint8_t *data,
                      size_t data_len) {
  uint8_t ulpdu[4000];
  size_t len = 0;
  iwarp_ddp_hdr_encode(ulpdu, sizeof(ulpdu), &len, hdr);
  memcpy(&ulpdu[len], data, data_len);
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, len + data_len},
                                 .off = t->len[side] - t->full[side],
                                 .markers = t->markers[side]};
  ck_assert_int_eq(
      iwarp_mpa_fpdu_encode(&t->octets[side][t->len[side]], SIDE_CAP - t->len[side], &len, &d),
      IWARP_OK);
  talk_add(t, side, len);
}

static iwarp_ddp_hdr talk_untagged(uint8_t opcode, uint32_t msn, uint32_t mo, bool last) {
  const iwarp_rdmap_ctrl ctrl = {.rv = 1, .opcode = opcode};
  return (iwarp_ddp_hdr){.last = last,
                         .dv = 1,
                         .rsvdulp = iwarp_rdmap_ctrl_encode(ctrl),
                         .qn = iwarp_rdmap_op_get(opcode)->qn,
                         .msn = msn,
                         .mo = mo};
}

static iwarp_ddp_hdr talk_tagged(uint8_t opcode, uint32_t stag, uint64_t to, bool last) {
  iwarp_ddp_hdr h = talk_untagged(opcode, 0, 0, last);
  h.tagged = true;
  h.qn = 0;
  h.stag = stag;
  h.to = to;
  return h;
}

static void talk_read(struct talk *t, unsigned side, uint32_t msn, uint32_t size) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  size_t len = 0;
  const iwarp_rdmap_read_req req = {.sink_stag = 7, .sink_to = 1000, .size = size};
  const iwarp_ddp_hdr h = talk_untagged(IWARP_RDMAP_OP_READ_REQ, msn, 0, true);
  iwarp_rdmap_read_req_encode(octets, sizeof(octets), &len, &req);
  talk_fpdu(t, side, &h, octets, len);
}

/* Sends, Writes and Reads both ways, in several segments. `msn` is the MSN of one of the Sends; 3
 * is expected. */
static void talk_make(struct talk *t, uint8_t flags, uint8_t rev, uint32_t msn) {
  static const uint8_t data[2000] = {1, 2, 3};
  memset(t, 0, sizeof(*t));
  talk_startup(t, 0, flags, rev);
  talk_startup(t, 1, flags, rev);
  for (uint32_t i = 1; i <= 6; i++) {
    const iwarp_ddp_hdr send = talk_untagged(IWARP_RDMAP_OP_SEND, i == 3 ? msn : i, 0, true);
    const iwarp_ddp_hdr write = talk_tagged(IWARP_RDMAP_OP_WRITE, 9, 5000, false);
    const iwarp_ddp_hdr rest = talk_tagged(IWARP_RDMAP_OP_WRITE, 9, 6001, true);
    const iwarp_ddp_hdr answer = talk_tagged(IWARP_RDMAP_OP_READ_RESP, 7, 1000, false);
    const iwarp_ddp_hdr end = talk_tagged(IWARP_RDMAP_OP_READ_RESP, 7, 2500, true);
    talk_fpdu(t, 0, &send, data, 13 * i);
    talk_fpdu(t, 0, &write, data, 1001);
    talk_fpdu(t, 0, &rest, data, 7 * i);
    talk_read(t, 0, i, 1500 + i);
    talk_fpdu(t, 1, &answer, data, 1500);
    talk_fpdu(t, 1, &end, data, i);
  }
}

/* What the rules said. */
struct said {
  unsigned num;
  iwarp_finding findings[16];
  unsigned passed;
};

struct engines {
  iwarp_observer *conn;
  iwarp_rules *rules;
  void *mem[2];
};

static void engines_make(struct engines *e) {
  const iwarp_observer_cfg cfg = {.size = sizeof(cfg), .max_ulpdu = UINT16_MAX};
  e->mem[0] = aligned_alloc(alignof(max_align_t), IWARP_OBSERVER_SIZE);
  e->mem[1] = aligned_alloc(alignof(max_align_t), IWARP_RULES_SIZE);
  ck_assert_int_eq(iwarp_observer_init(&e->conn, e->mem[0], IWARP_OBSERVER_SIZE, &cfg), IWARP_OK);
  ck_assert_int_eq(iwarp_rules_init(&e->rules, e->mem[1], IWARP_RULES_SIZE, NULL), IWARP_OK);
  for (uint8_t side = 0; side < 2; side++) {
    const uint64_t start = talk_start(side);
    ck_assert_int_eq(iwarp_observer_start(e->conn, side, start, true, start), IWARP_OK);
  }
}

static void engines_free(struct engines *e) {
  free(e->mem[0]);
  free(e->mem[1]);
}

static void engines_drain(struct engines *e, struct said *s) {
  iwarp_event ev;
  while (iwarp_observer_next_event(e->conn, &ev) == IWARP_OK) {
    iwarp_rules_event(e->rules, iwarp_observer_info_get(e->conn), &ev);
    while (s->num < 16 && iwarp_rules_next(e->rules, &s->findings[s->num]) == IWARP_OK) {
      s->num++;
    }
  }
}

static void engines_part(struct engines *e, struct said *s, const struct talk *t,
                         const struct part *p, size_t piece) {
  iwarp_meta meta = {.packet = 1 + (uint64_t)(p - t->parts), .peer_pos = p->received};
  for (size_t at = 0; at < p->len; at += piece) {
    const size_t n = p->len - at < piece ? p->len - at : piece;
    const iwarp_span in = {&t->octets[p->side][p->from + at], n};
    meta.segment_start = true;
    ck_assert_int_eq(iwarp_observer_push(e->conn, (uint8_t)p->side, in, &meta), IWARP_OK);
    engines_drain(e, s);
  }
}

/* Feeds all parts but number `skip`, in pieces of up to `piece` octets. */
static void talk_check(const struct talk *t, size_t piece, size_t skip, struct said *s) {
  struct engines e;
  const iwarp_meta end = {.packet = 999, .peer_pos = IWARP_POS_UNKNOWN};
  memset(s, 0, sizeof(*s));
  engines_make(&e);
  for (size_t i = 0; i < t->num_parts; i++) {
    const struct part *p = &t->parts[i];
    if (i == skip) {
      ck_assert_int_eq(iwarp_observer_gap(e.conn, (uint8_t)p->side, p->len, IWARP_GAP_LOST, &end),
                       IWARP_OK);
      engines_drain(&e, s);
    } else {
      engines_part(&e, s, t, p, piece);
    }
  }
  for (uint8_t side = 0; side < 2; side++) {
    ck_assert_int_eq(iwarp_observer_eof(e.conn, side, IWARP_END_FIN, &end), IWARP_OK);
    engines_drain(&e, s);
  }
  iwarp_rules_finish(e.rules, iwarp_observer_info_get(e.conn));
  ck_assert_int_eq(iwarp_rules_next(e.rules, &s->findings[15]), IWARP_ERR_END);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    s->passed += iwarp_rules_result(e.rules, id).verdict == IWARP_VERDICT_PASS ? 1u : 0u;
  }
  engines_free(&e);
}

static const uint8_t kinds[] = {IWARP_MPA_FLAG_S, IWARP_MPA_FLAG_S | IWARP_MPA_FLAG_C,
                                IWARP_MPA_FLAG_S | IWARP_MPA_FLAG_M,
                                IWARP_MPA_FLAG_S | IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C};

static struct talk talk;

START_TEST(a_conformant_stream_passes)
{
  struct said s;
  talk_make(&talk, kinds[_i], 2, 3);
  talk_check(&talk, SIDE_CAP, SIZE_MAX, &s);
  expect(s.num == 0, "found %s", iwarp_rule_get(s.findings[0].rule)->slug);
  ck_assert_uint_ge(s.passed, 35);
}
END_TEST

START_TEST(one_fault_is_one_finding)
{
  struct said s;
  talk_make(&talk, kinds[_i], 2, 4);
  talk_check(&talk, SIDE_CAP, SIZE_MAX, &s);
  ck_assert_uint_eq(s.num, 2); /* 4 in place of 3, then 4 again */
  ck_assert_str_eq(iwarp_rule_get(s.findings[0].rule)->slug, "ddp.msn-sequence");
  ck_assert_str_eq(iwarp_rule_get(s.findings[1].rule)->slug, "ddp.msn-sequence");
  ck_assert_uint_eq(s.findings[0].observed.u, 4);
  ck_assert_uint_eq(s.findings[1].expected.u, 5);
}
END_TEST

/* Findings do not depend on how the octets are cut. */
START_TEST(pieces_change_nothing)
{
  struct said whole;
  struct said s;
  prng rng = {.state = 20 + (uint64_t)_i};
  talk_make(&talk, kinds[_i], 2, 40);
  talk_check(&talk, SIDE_CAP, SIZE_MAX, &whole);
  for (int round = 0; round < 12; round++) {
    talk_check(&talk, round == 0 ? 1 : 1 + prng_below(&rng, 700), SIZE_MAX, &s);
    ck_assert_uint_eq(s.num, whole.num);
    for (unsigned i = 0; i < s.num; i++) {
      ck_assert_uint_eq(s.findings[i].rule, whole.findings[i].rule);
      ck_assert_uint_eq(s.findings[i].pos, whole.findings[i].pos);
      ck_assert_uint_eq(s.findings[i].octet_pos, whole.findings[i].octet_pos);
    }
  }
}
END_TEST

static bool had(const struct said *whole, const iwarp_finding *f) {
  for (unsigned i = 0; i < whole->num; i++) {
    if (whole->findings[i].rule == f->rule && whole->findings[i].pos == f->pos) {
      return true;
    }
  }
  return false;
}

/* Neither do lost octets make a finding. */
START_TEST(a_part_less_finds_no_more)
{
  struct said whole;
  struct said s;
  talk_make(&talk, kinds[_i], 2, 40);
  talk_check(&talk, SIDE_CAP, SIZE_MAX, &whole);
  for (size_t skip = 0; skip < talk.num_parts; skip++) {
    talk_check(&talk, 300, skip, &s);
    for (unsigned i = 0; i < s.num; i++) {
      expect(had(&whole, &s.findings[i]), "without part %u found %s", (unsigned)skip,
             iwarp_rule_get(s.findings[i].rule)->slug);
    }
  }
}
END_TEST

int main(void) {
  const int num = (int)sizeof(kinds);
  Suite *suite = suite_create("rules_stream");
  TCase *tcase = tcase_create("stream");
  tcase_add_loop_test(tcase, a_conformant_stream_passes, 0, num);
  tcase_add_loop_test(tcase, one_fault_is_one_finding, 0, num);
  tcase_add_loop_test(tcase, pieces_change_nothing, 0, num);
  tcase_add_loop_test(tcase, a_part_less_finds_no_more, 0, num);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
