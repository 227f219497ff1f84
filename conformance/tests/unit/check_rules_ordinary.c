/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary segments: a rule that was not asked about one says what it would have said. */
#include "check_run.h"
#include "prng.h"
#include "rules/engine.h"
#include "rules_text.h"

#define WALKS 300u
#define STEPS 40u
#define UNASKED 0u /* a rule on startup frames, which two of the engines do without */

/* A connection, reported to three engines. One learns what is ordinary. One gets no events of FPDUs
 * that it expects. One never learns, since it forgets before each event. */
struct pair {
  struct rules_fixture learns;
  struct rules_fixture bare;
  struct rules_fixture asks;
  prng random;
  uint32_t msn[2]; /* of the next Send */
  uint32_t reads[2];
  uint64_t to[2];
  uint32_t stag[2];
};

static struct pair pair;

static void pair_setup(void) {
  memset(&pair, 0, sizeof(pair));
  fixture_init(&pair.learns);
  fixture_init(&pair.bare);
  fixture_init(&pair.asks);
  pair.bare.bare = true;
  pair.learns.in_one = pair.bare.in_one = pair.asks.in_one = true; /* as where none has an event */
  iwarp_rules_disable(pair.learns.rules, UNASKED);
  iwarp_rules_disable(pair.bare.rules, UNASKED);
  for (unsigned side = 0; side < 2; side++) {
    pair.msn[side] = 2; /* fixture_begin sends the first */
    pair.reads[side] = 1;
  }
}

static void pair_teardown(void) {
  fixture_free(&pair.learns);
  fixture_free(&pair.bare);
  fixture_free(&pair.asks);
}

static void forget(void) {
  rulesi_forget_kinds(pair.asks.rules);
}

static void begin(uint8_t flags) {
  fixture_begin_with(&pair.learns, flags);
  fixture_begin_with(&pair.bare, flags);
  forget();
  fixture_begin_with(&pair.asks, flags);
}

static void fpdu(unsigned side, struct fixture_seg s) {
  fixture_fpdu(&pair.learns, side, s);
  fixture_fpdu(&pair.bare, side, s);
  forget();
  fixture_fpdu(&pair.asks, side, s);
}

static void read_request(unsigned side, uint32_t size) {
  fixture_read(&pair.learns, side, pair.reads[side], size);
  fixture_read(&pair.bare, side, pair.reads[side], size);
  forget();
  fixture_read(&pair.asks, side, pair.reads[side], size);
  pair.reads[side]++;
}

static void terminate(unsigned side) {
  fixture_terminate_mpa(&pair.learns, side, 1);
  fixture_terminate_mpa(&pair.bare, side, 1);
  forget();
  fixture_terminate_mpa(&pair.asks, side, 1);
}

/* Octets that no event reports. */
static void skip(unsigned side) {
  pair.learns.next[side] += 4;
  pair.bare.next[side] += 4;
  pair.asks.next[side] += 4;
}

static void gap(unsigned side) {
  fixture_gap(&pair.learns, side, 40, IWARP_GAP_LOST);
  fixture_gap(&pair.bare, side, 40, IWARP_GAP_LOST);
  forget();
  fixture_gap(&pair.asks, side, 40, IWARP_GAP_LOST);
}

/* Octets that form no FPDU. */
static void noise(unsigned side) {
  static const uint8_t octets[IWARP_RUN_HEAD_LEN] = {0, 1, 0xEE};
  const iwarp_span run = {octets, sizeof(octets)};
  fixture_run(&pair.learns, side, run, run.len, IWARP_UNDEC_NO_BOUNDARY);
  fixture_run(&pair.bare, side, run, run.len, IWARP_UNDEC_NO_BOUNDARY);
  forget();
  fixture_run(&pair.asks, side, run, run.len, IWARP_UNDEC_NO_BOUNDARY);
}

static void fin(unsigned side) {
  fixture_end(&pair.learns, side, IWARP_END_FIN);
  fixture_end(&pair.bare, side, IWARP_END_FIN);
  forget();
  fixture_end(&pair.asks, side, IWARP_END_FIN);
}

static void same_findings(const struct rules_fixture *a, const struct rules_fixture *b) {
  static struct text is;
  static struct text due;
  ck_assert_uint_eq(a->num, b->num);
  for (unsigned i = 0; i < a->num && i < FIXTURE_FINDINGS; i++) {
    is.len = due.len = 0;
    text_finding(&is, &a->findings[i]);
    text_finding(&due, &b->findings[i]);
    ck_assert_str_eq(is.chars, due.chars);
  }
}

static void agrees(struct rules_fixture *with) {
  same_findings(with, &pair.asks);
  for (uint16_t id = UNASKED + 1; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result a = iwarp_rules_result(with->rules, id);
    const iwarp_rule_result b = iwarp_rules_result(pair.asks.rules, id);
    ck_assert_msg(a.num_pass == b.num_pass && a.num_fail == b.num_fail &&
                      a.num_inconclusive == b.num_inconclusive && a.reason == b.reason,
                  "%s: %d passes, or %d", iwarp_rule_get(id)->slug, (int)a.num_pass,
                  (int)b.num_pass);
  }
}

static void agree(void) {
  agrees(&pair.learns);
  agrees(&pair.bare);
}

/* ---- what is sent ---- */

static size_t some_octets(void) {
  return 1 + prng_size(&pair.random, 60);
}

/* One thing wrong with the segment, or unusual. */
static void spoil(struct fixture_seg *s) {
  switch (prng_below(&pair.random, 18)) {
  case 0: s->ddp.rsvd = 1; break;
  case 1: s->ddp.dv = (uint8_t)prng_below(&pair.random, 4); break;
  case 2: s->ddp.rsvdulp ^= 0x40; break;                                        /* RV */
  case 3: s->ddp.rsvdulp ^= 0x10; break;                                        /* reserved */
  case 4: s->ddp.rsvdulp ^= (uint8_t)(1 + prng_below(&pair.random, 15)); break; /* opcode */
  case 5: s->ddp.to++; break;
  case 6: s->ddp.stag++; break;
  case 7: s->ddp.msn++; break;
  case 8: s->ddp.mo++; break;
  case 9: s->ddp.qn++; break;
  case 10: s->ddp.rsvdulp_word = 1; break;
  case 11: s->ddp.last = !s->ddp.last; break;
  case 12: s->ddp.tagged = !s->ddp.tagged; break;
  case 13: memset(s->pad, 1, sizeof(s->pad)); break;
  case 14: s->crc_flip = 1; break;
  case 15: s->len = 0; break;
  case 16: s->claim = UINT32_MAX; break;
  default: s->ddp.to = UINT64_MAX - 5; break;
  }
}

/* A segment, one of many spoilt, or one whose start was found, or of a packet that was damaged. */
static void segment(unsigned side, struct fixture_seg s) {
  const uint64_t chance = prng_below(&pair.random, 60);
  if (chance < 2) {
    spoil(&s);
  } else if (chance == 2) {
    s.sync = IWARP_SYNC_CRC;
  } else if (chance == 4) {
    s.cut = 20;
  }
  pair.learns.damaged = pair.bare.damaged = pair.asks.damaged = chance == 3;
  fpdu(side, s);
  pair.learns.damaged = pair.bare.damaged = pair.asks.damaged = false;
}

/* A message of some segments, each `s` but for its place. */
static void message(unsigned side, struct fixture_seg s, size_t len) {
  while (len > 0) {
    s.len = some_octets();
    s.len = s.len < len ? s.len : len;
    len -= s.len;
    s.ddp.last = len == 0;
    segment(side, s);
    s.ddp.to += s.len;
    s.ddp.mo += (uint32_t)s.len;
  }
}

static void some_write(unsigned side) {
  const uint32_t stag = pair.stag[side] + (uint32_t)prng_below(&pair.random, 2);
  message(side, fixture_tagged(IWARP_RDMAP_OP_WRITE, stag, pair.to[side], 0),
          prng_size(&pair.random, 200));
  pair.to[side] += prng_below(&pair.random, 300);
}

static void some_send(unsigned side) {
  const bool solicited = prng_below(&pair.random, 2) == 0;
  const uint8_t opcode = solicited ? IWARP_RDMAP_OP_SEND_SE : IWARP_RDMAP_OP_SEND;
  message(side, fixture_untagged(opcode, pair.msn[side], 0, 0), 1 + some_octets() * 3);
  pair.msn[side]++;
}

static void some_read(unsigned side) {
  const uint32_t size = (uint32_t)prng_below(&pair.random, 200);
  read_request(side, size);
  const size_t wrong =
      prng_below(&pair.random, 10) == 0 ? prng_size(&pair.random, 2 * size + 1) : size;
  message(1 - side, fixture_read_response(0), wrong);
}

static void some_empty(unsigned side) {
  if (prng_below(&pair.random, 2) == 0) {
    segment(side, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0));
  } else {
    segment(side, fixture_untagged(IWARP_RDMAP_OP_SEND, pair.msn[side], 0, 0));
    pair.msn[side]++;
  }
}

static void seldom(unsigned side) {
  switch (prng_below(&pair.random, 100)) {
  case 0:
  case 1: gap(side); break;
  case 2: terminate(side); break;
  case 3: skip(side); break;
  default: break;
  }
}

static void step(void) {
  const unsigned side = (unsigned)prng_below(&pair.random, 2);
  switch (prng_below(&pair.random, 9)) {
  case 0:
  case 1:
  case 2: some_write(side); break;
  case 3:
  case 4: some_send(side); break;
  case 5:
  case 6: some_read(side); break;
  case 7: some_empty(side); break;
  default: seldom(side); break;
  }
}

START_TEST(a_walk_ends_with_the_same_results)
{
  static const uint8_t flags[] = {IWARP_MPA_FLAG_C, IWARP_MPA_FLAG_C, IWARP_MPA_FLAG_C, 0,
                                  IWARP_MPA_FLAG_C | IWARP_MPA_FLAG_M};
  uint64_t bare = 0;
  for (uint64_t walk = 0; walk < WALKS; walk++) {
    pair_teardown();
    pair_setup();
    pair.random.state = walk;
    pair.learns.drop = pair.bare.drop = pair.asks.drop =
        walk % 7 < 2 ? walk % 7 : FIXTURE_KEEP; /* a startup frame */
    begin(flags[walk % sizeof(flags)]);
    for (unsigned i = 0; i < STEPS; i++) {
      step();
    }
    fin(FIXTURE_RESPONDER);
    fin(FIXTURE_INITIATOR);
    agree();
    bare += pair.bare.num_bare;
  }
  ck_assert_uint_gt(bare, WALKS * 10);
}
END_TEST

/* ---- one thing after ordinary segments ---- */

static void ordinary(unsigned num) {
  for (unsigned i = 0; i < num; i++) {
    fpdu(FIXTURE_INITIATOR, fixture_write());
  }
}

START_TEST(ordinary_segments_count_as_passes)
{
  begin(IWARP_MPA_FLAG_C);
  ordinary(10);
  agree();
  const iwarp_rule *crc = iwarp_rule_find("mpa.crc");
  ck_assert_uint_eq(iwarp_rules_result(pair.learns.rules, crc->id).num_pass, 12);
  ck_assert_uint_eq(pair.bare.num_bare, 9); /* all but the first of their kind */
}
END_TEST

START_TEST(one_octet_goes_on_as_an_ordinary_segment)
{
  begin(IWARP_MPA_FLAG_C);
  for (unsigned i = 0; i < 3; i++) {
    fpdu(FIXTURE_INITIATOR, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000, 40)));
    fpdu(FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000 + 40, 1));
  }
  agree();
  ck_assert_uint_eq(pair.bare.num_bare, 4); /* all but the first message */
}
END_TEST

/* The first of each kind is asked about, however many octets it has. */
START_TEST(one_octet_is_of_the_kind_of_many)
{
  static const size_t lengths[] = {5, 1};
  begin(IWARP_MPA_FLAG_C);
  for (unsigned i = 0; i < 2; i++) {
    const size_t len = lengths[i];
    fpdu(FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000, len));
    fpdu(FIXTURE_INITIATOR, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000, len)));
    fpdu(FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000 + len, len));
    fpdu(FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, pair.msn[0]++, 0, len));
    fpdu(FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000, 0));
  }
  agree();
  ck_assert_uint_eq(pair.bare.num_bare, 5);
}
END_TEST

/* A message of one queue begins where one of another has not ended, after many that had. */
START_TEST(a_message_inside_another_is_not_ordinary)
{
  begin(IWARP_MPA_FLAG_C);
  for (uint32_t i = 0; i < 3; i++) {
    fpdu(FIXTURE_INITIATOR, fixture_more(fixture_write()));
    if (i == 2) {
      fpdu(FIXTURE_INITIATOR, fixture_send(pair.msn[0]++));
    }
    fpdu(FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 0x1000, 0x2000 + 100, 100));
    fpdu(FIXTURE_INITIATOR, fixture_send(pair.msn[0]++));
  }
  agree();
  ck_assert_uint_eq(pair.asks.num, 1);
}
END_TEST

START_TEST(a_message_that_gets_too_long_is_not_ordinary)
{
  struct fixture_seg s = fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 40));
  begin(IWARP_MPA_FLAG_C);
  for (size_t i = 0; i < 3; i++) {
    s.claim = i < 2 ? 40 : 0x80000000u;
    s.ddp.to = 0;
    s.ddp.last = false;
    fpdu(FIXTURE_INITIATOR, s);
    s.ddp.to = s.claim;
    s.ddp.last = true;
    fpdu(FIXTURE_INITIATOR, s);
  }
  agree();
  ck_assert_uint_eq(pair.asks.num, 1);
}
END_TEST

/* PAD of one to three octets: zeros, then zeros but for one of them. */
START_TEST(a_pad_with_one_octet_is_not_ordinary)
{
  begin(IWARP_MPA_FLAG_C);
  for (unsigned pad = 1; pad <= 3; pad++) {
    struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000, 4 - pad);
    fpdu(FIXTURE_INITIATOR, s);
    for (unsigned i = 0; i < pad; i++) {
      s.pad[i] = 1;
      fpdu(FIXTURE_INITIATOR, s);
      s.pad[i] = 0;
    }
  }
  agree();
  ck_assert_uint_eq(pair.asks.num, 6);
}
END_TEST

/* Only an event reports that a limit cost events. */
START_TEST(nothing_is_expected_past_a_limit)
{
  begin(IWARP_MPA_FLAG_C);
  ordinary(3);
  pair.bare.info.limits = IWARP_LIMIT_SEARCH;
  ordinary(1);
  agree();
  ck_assert_uint_eq(pair.bare.num_bare, 2);
}
END_TEST

START_TEST(what_was_counted_stays_when_a_rule_is_switched_off)
{
  begin(IWARP_MPA_FLAG_C);
  ordinary(10);
  iwarp_rules_disable(pair.learns.rules, UNASKED);
  iwarp_rules_disable(pair.bare.rules, UNASKED);
  agree();
  ordinary(10);
  agree();
}
END_TEST

/* What may be wrong with the FPDU before octets is looked for in the last of its own. */
START_TEST(octets_after_ordinary_segments_are_read_the_same)
{
  static const uint8_t payload[40] = {[28] = 0, 22, 0x41, 0x43}; /* the header of a Send */
  struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0x1000, sizeof(payload));
  s.payload = payload;
  begin(IWARP_MPA_FLAG_C);
  for (unsigned i = 0; i < 3; i++) {
    fpdu(FIXTURE_INITIATOR, s);
  }
  noise(FIXTURE_INITIATOR);
  agree();
  ck_assert_uint_eq(pair.bare.num_bare, 2);
  ck_assert_uint_eq(pair.asks.num, 1);
}
END_TEST

static void respond(unsigned side, unsigned num, uint64_t at) {
  for (unsigned i = 0; i < num; i++) {
    struct fixture_seg s = fixture_read_response(40);
    s.ddp.to += at + 40u * i;
    fpdu(side, fixture_more(s));
  }
}

/* Inside a Read Response its Request is known, until one that is half is sent. */
START_TEST(a_response_whose_request_is_lost_is_not_ordinary)
{
  const unsigned asks = (unsigned)_i;
  begin(IWARP_MPA_FLAG_C);
  read_request(asks, 400);
  respond(1 - asks, 5, 0);
  agree();
  ck_assert_uint_eq(pair.bare.num_bare, 3);
  fpdu(asks, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 2, 0, 14));
  respond(1 - asks, 3, 200);
  agree();
  ck_assert_uint_eq(pair.bare.num_bare, 3);
}
END_TEST

static void send_part(uint32_t msn, uint32_t mo, bool last) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, msn, mo, 40);
  s.ddp.last = last;
  fpdu(FIXTURE_INITIATOR, s);
}

/* A Send goes on after another one has ended inside of it: the next follows the other one. */
START_TEST(mixed_messages_are_followed_to_their_end)
{
  begin(IWARP_MPA_FLAG_C);
  for (uint32_t msn = 2; msn < 4; msn++) {
    send_part(msn, 0, false);
    send_part(msn, 40, false);
    send_part(msn, 80, true);
  }
  send_part(4, 0, false);
  send_part(5, 0, true);
  send_part(4, 40, false);
  send_part(4, 80, true);
  send_part(6, 0, true);
  agree();
  ck_assert_uint_eq(pair.asks.num, 1); /* ddp.message-order */
}
END_TEST

/* A Terminate that returns the header of a Send with this MSN, of 40 octets. */
static void terminate_for(struct rules_fixture *l, uint32_t msn) {
  const struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, msn, 0, 40);
  const iwarp_rdmap_term t = {.layer = 1, .etype = 2, .code = 5, .m = true};
  fixture_terminate_returning(l, FIXTURE_INITIATOR, t, &s);
}

/* A Terminate about an ordinary segment whose last `less` octets had not come as it was sent. */
static void terminate_ordinary(uint64_t less, unsigned due) {
  begin(IWARP_MPA_FLAG_C);
  for (uint32_t msn = 2; msn < 8; msn++) {
    fpdu(FIXTURE_RESPONDER, fixture_untagged(IWARP_RDMAP_OP_SEND, msn, 0, 40));
  }
  ck_assert_uint_ge(pair.bare.num_bare, 3);
  pair.learns.received = pair.bare.received = pair.asks.received =
      pair.asks.next[FIXTURE_RESPONDER] - less;
  terminate_for(&pair.learns, 7);
  terminate_for(&pair.bare, 7);
  forget();
  terminate_for(&pair.asks, 7);
  agree();
  ck_assert_uint_eq(pair.asks.num, due);
}

/* What a Terminate may return is kept of an ordinary segment, too. */
START_TEST(the_header_of_an_ordinary_segment_is_kept)
{ terminate_ordinary(0, 0); }
END_TEST

START_TEST(where_an_ordinary_segment_ends_is_kept)
{ terminate_ordinary(1, 1); }
END_TEST

static void writes(unsigned side, unsigned num) {
  for (unsigned i = 0; i < num; i++) {
    pair.to[side] += 40;
    fpdu(side, fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 5, pair.to[side], 40)));
  }
}

/* Each side asks before the other has sent its FIN, and goes on with ordinary segments. */
START_TEST(ordinary_segments_pass_requests_by)
{
  begin(IWARP_MPA_FLAG_C);
  read_request(FIXTURE_INITIATOR, 9);
  read_request(FIXTURE_RESPONDER, 9);
  writes(FIXTURE_INITIATOR, 3);
  writes(FIXTURE_RESPONDER, 3);
  writes(FIXTURE_INITIATOR, 3);
  ck_assert_uint_ge(pair.bare.num_bare, 4);
  fixture_end(&pair.learns, FIXTURE_RESPONDER, IWARP_END_FIN);
  fixture_end(&pair.bare, FIXTURE_RESPONDER, IWARP_END_FIN);
  forget();
  fixture_end(&pair.asks, FIXTURE_RESPONDER, IWARP_END_FIN);
  agree();
}
END_TEST

/* Segments that are ordinary already are all that shows that a request is not answered: the other
 * side had `less` octets less than the one that was sent after it. */
static void passed_by_ordinary(bool both, uint64_t less, unsigned due) {
  const struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_WRITE, 5, 0, 40);
  begin(IWARP_MPA_FLAG_C);
  fpdu(FIXTURE_INITIATOR, s);
  fpdu(FIXTURE_RESPONDER, s);
  read_request(FIXTURE_INITIATOR, 9);
  if (both) {
    read_request(FIXTURE_RESPONDER, 9);
  }
  const uint64_t bare = pair.bare.num_bare;
  fpdu(FIXTURE_INITIATOR, s);
  pair.learns.received = pair.bare.received = pair.asks.received =
      pair.asks.next[FIXTURE_INITIATOR] - less;
  fpdu(FIXTURE_RESPONDER, s);
  ck_assert_uint_eq(pair.bare.num_bare, bare + 2);
  fin(FIXTURE_RESPONDER);
  agree();
  ck_assert_uint_eq(pair.asks.num, due);
}

START_TEST(a_request_passed_by_ordinary_segments_is_found)
{ passed_by_ordinary(false, 0, 1); }
END_TEST

START_TEST(requests_of_both_passed_by_ordinary_segments_are_found)
{ passed_by_ordinary(true, 0, 1); }
END_TEST

/* A segment that has to be refused is sent while octets of the other side are under way; that these
 * have arrived is shown by an ordinary segment alone. So the FIN of the other side waited for
 * nothing. */
START_TEST(an_ordinary_segment_shows_what_had_arrived_before_a_fin)
{
  const struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_WRITE, 5, 0, 40);
  begin(IWARP_MPA_FLAG_C);
  fpdu(FIXTURE_INITIATOR, s);
  pair.learns.received = pair.bare.received = pair.asks.received =
      pair.asks.next[FIXTURE_RESPONDER] - 1;
  fpdu(FIXTURE_INITIATOR,
       fixture_untagged(IWARP_RDMAP_OP_RESERVED_13, pair.msn[FIXTURE_INITIATOR], 0, 4));
  const uint64_t bare = pair.bare.num_bare;
  fpdu(FIXTURE_INITIATOR, s);
  ck_assert_uint_eq(pair.bare.num_bare, bare + 1);
  fin(FIXTURE_RESPONDER);
  agree();
  ck_assert_uint_eq(pair.asks.num, 2); /* rdmap.opcode, rdmap.error-answered */
}
END_TEST

/* An unsolicited answer is reported after the FPDU of the other side under way, which is like the
 * FPDUs before it. */
START_TEST(a_finding_that_waits_for_an_ordinary_segment_is_reported)
{
  const struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_WRITE, 5, 0, 40);
  begin(IWARP_MPA_FLAG_C);
  fpdu(FIXTURE_INITIATOR, s);
  fpdu(FIXTURE_INITIATOR, s);
  pair.learns.received = pair.bare.received = pair.asks.received =
      pair.learns.info.side[FIXTURE_INITIATOR].partial_end =
          pair.bare.info.side[FIXTURE_INITIATOR].partial_end =
              pair.asks.info.side[FIXTURE_INITIATOR].partial_end =
                  pair.asks.next[FIXTURE_INITIATOR] + 8;
  fpdu(FIXTURE_RESPONDER, fixture_read_response(8));
  fpdu(FIXTURE_INITIATOR, s);
  ck_assert_uint_eq(pair.asks.num, 1); /* rdmap.read-response-unasked */
  agree();
}
END_TEST

START_TEST(an_ordinary_segment_not_received_passes_none_by)
{ passed_by_ordinary(false, 1, 0); }
END_TEST

int main(void) {
  Suite *suite = suite_create("rules_ordinary");
  TCase *tcase = tcase_create("ordinary");
  tcase_add_checked_fixture(tcase, pair_setup, pair_teardown);
  tcase_add_test(tcase, a_walk_ends_with_the_same_results);
  tcase_add_test(tcase, ordinary_segments_count_as_passes);
  tcase_add_test(tcase, one_octet_goes_on_as_an_ordinary_segment);
  tcase_add_test(tcase, one_octet_is_of_the_kind_of_many);
  tcase_add_test(tcase, a_message_inside_another_is_not_ordinary);
  tcase_add_test(tcase, a_message_that_gets_too_long_is_not_ordinary);
  tcase_add_test(tcase, a_pad_with_one_octet_is_not_ordinary);
  tcase_add_test(tcase, nothing_is_expected_past_a_limit);
  tcase_add_test(tcase, what_was_counted_stays_when_a_rule_is_switched_off);
  tcase_add_test(tcase, octets_after_ordinary_segments_are_read_the_same);
  tcase_add_loop_test(tcase, a_response_whose_request_is_lost_is_not_ordinary, 0, 2);
  tcase_add_test(tcase, mixed_messages_are_followed_to_their_end);
  tcase_add_test(tcase, the_header_of_an_ordinary_segment_is_kept);
  tcase_add_test(tcase, where_an_ordinary_segment_ends_is_kept);
  tcase_add_test(tcase, ordinary_segments_pass_requests_by);
  tcase_add_test(tcase, a_request_passed_by_ordinary_segments_is_found);
  tcase_add_test(tcase, requests_of_both_passed_by_ordinary_segments_are_found);
  tcase_add_test(tcase, an_ordinary_segment_not_received_passes_none_by);
  tcase_add_test(tcase, a_finding_that_waits_for_an_ordinary_segment_is_reported);
  tcase_add_test(tcase, an_ordinary_segment_shows_what_had_arrived_before_a_fin);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
