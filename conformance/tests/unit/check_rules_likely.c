/* SPDX-License-Identifier: BSD-2-Clause */
/* What the most likely reading of a capture without the startup lets rules suspect. */
#include "check_run.h"
#include "rules_fixture.h"

#define LIKELY_LEN 12u
#define LIKELY_RUN 6u   /* answers in a row that show which requests wait */
#define LIKELY_WAIT 16u /* Reads that wait at a time */
#define LIKELY_POWERS 6
#define LIKELY_QUIET 64u /* messages without an answer that show that none waits */
#define LIKELY_GOOD 16u  /* right CRCs in a row, after which a wrong one is a fault */
#define LIKELY_SENDS 40u /* FPDUs after which a Terminate returns the header of a later one */

static struct rules_fixture fixture;
static uint32_t asked; /* MSN of the last Read Request */
static uint32_t sent;  /* MSN of the last Send of the Responder */

static void teardown(void) {
  fixture_free(&fixture);
}

/* A search found the first FPDU of each side by its CRC. */
static void put(unsigned side, struct fixture_seg s) {
  s.sync = IWARP_SYNC_CRC;
  s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  fixture_fpdu(&fixture, side, s);
}

static void put_send(void) {
  put(FIXTURE_RESPONDER, fixture_send(++sent));
}

static void put_sends(uint32_t num) {
  for (uint32_t i = 0; i < num; i++) {
    put_send();
  }
}

static void put_request(uint64_t sink, uint32_t size) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const iwarp_rdmap_read_req req = {
      .sink_stag = FIXTURE_SINK, .sink_to = sink, .size = size, .source_stag = 7};
  put(FIXTURE_INITIATOR, fixture_read_of(octets, ++asked, req));
}

static void put_answer(uint32_t stag, uint64_t sink, uint32_t size) {
  put(FIXTURE_RESPONDER, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, stag, sink, size));
}

static uint64_t sink_of(uint32_t number) {
  return 0x1000u * (number + 1u);
}

/* Reads whose sinks come again after `period` of them. */
static void put_reads(uint32_t num, uint32_t period) {
  for (uint32_t i = 0; i < num; i++) {
    put_request(sink_of(i % period), LIKELY_LEN);
    put_answer(FIXTURE_SINK, sink_of(i % period), LIKELY_LEN);
  }
}

#define LIKELY_WARM 16u /* FPDUs longer than Private Data, in which the first ones may lie */

/* The capture begins some time after the startup. A Read of no octets tells nothing. */
static void setup(void) {
  fixture_init(&fixture);
  for (unsigned i = 0; i < 2; i++) {
    iwarp_observer_side *s = &fixture.info.side[i];
    s->role = IWARP_ROLE_UNKNOWN;
    s->start_known = false;
    s->seen = true;
    s->markers_by = IWARP_KNOWN_BY_DATA;
  }
  fixture.info.crc = IWARP_TRISTATE_ON;
  fixture.info.crc_by = IWARP_KNOWN_BY_DATA;
  fixture.no_start = true;
  asked = 100;
  sent = 200;
  put_sends(LIKELY_WARM);
  for (uint32_t i = 0; i < LIKELY_WARM; i++) {
    put(FIXTURE_INITIATOR, fixture_send(i));
  }
  put_request(0, 0);
  put_answer(3, 0, 0);
}

/* A Read whose answer has another STag. */
static void put_unfit(void) {
  put_request(sink_of(500), LIKELY_LEN);
  put_answer(3, sink_of(500), LIKELY_LEN);
}

/* The same, and a Read with a right answer after it, which shows that the wrong one is a fault. */
static void put_wrong(void) {
  put_unfit();
  put_reads(1, 1);
  put_sends(4);
}

static void suspected(const char *slug) {
  if (slug == NULL) {
    ck_assert_uint_eq(fixture.suspected, 0);
  } else {
    ck_assert_uint_eq(fixture.suspected, 1);
    ck_assert_str_eq(iwarp_rule_get(fixture.suspicion.rule)->slug, slug);
  }
  ck_assert_uint_eq(fixture.num, 0);
}

START_TEST(a_run_of_answers_shows_which_reads_wait)
{
  put_reads(LIKELY_RUN, LIKELY_RUN);
  put_wrong();
  suspected("rdmap.read-response-stag");
}
END_TEST

START_TEST(a_shorter_run_does_not)
{
  put_reads(LIKELY_RUN - 1u, LIKELY_RUN);
  put_wrong();
  suspected(NULL);
}
END_TEST

/* Without a right answer after it, or with another wrong one, it shows nothing. */
START_TEST(an_answer_that_does_not_fit_waits_for_one_that_does)
{
  put_reads(LIKELY_RUN, LIKELY_RUN);
  put_unfit();
  if (_i != 0) {
    put_unfit();
    put_reads(1, 1);
  }
  put_sends(4);
  fixture_finish(&fixture);
  suspected(NULL);
}
END_TEST

/* The requester has LIKELY_WAIT Reads on the way, and fewer buffers than that. */
START_TEST(reads_into_a_ring_show_nothing_at_its_end)
{
  const uint32_t buffers = (uint32_t)_i;
  for (uint32_t i = 0; i < 3u * LIKELY_WAIT; i++) {
    put_answer(FIXTURE_SINK, sink_of(i % buffers), LIKELY_LEN);
    put_request(sink_of((i + LIKELY_WAIT) % buffers), LIKELY_LEN);
  }
  for (uint32_t i = 3u * LIKELY_WAIT; i < 4u * LIKELY_WAIT; i++) {
    put_answer(FIXTURE_SINK, sink_of(i % buffers), LIKELY_LEN);
  }
  put_sends(4);
  put_reads(LIKELY_RUN, LIKELY_RUN);
  put_sends(4);
  fixture_finish(&fixture);
  suspected(NULL);
}
END_TEST

/* Two Reads wait of which the capture shows nothing. */
START_TEST(answers_to_older_reads_fit_at_a_distance)
{
  fixture_gap(&fixture, FIXTURE_INITIATOR, 104, IWARP_GAP_LOST);
  put(FIXTURE_INITIATOR, fixture_send(LIKELY_WARM));
  asked += 2;
  put_request(sink_of(0), LIKELY_LEN);
  put_answer(FIXTURE_SINK, sink_of(98), LIKELY_LEN);
  put_request(sink_of(1), LIKELY_LEN);
  put_answer(FIXTURE_SINK, sink_of(99), LIKELY_LEN);
  for (uint32_t i = 2; i < LIKELY_RUN + 2u; i++) {
    put_request(sink_of(i), LIKELY_LEN);
    put_answer(FIXTURE_SINK, sink_of(i - 2u), LIKELY_LEN);
  }
  put_answer(FIXTURE_SINK, sink_of(LIKELY_RUN), LIKELY_LEN);
  put_answer(FIXTURE_SINK, sink_of(LIKELY_RUN + 1u), LIKELY_LEN);
  suspected(NULL);
  put_wrong();
  suspected("rdmap.read-response-stag");
}
END_TEST

/* Reads with one sink, or few, tell nothing: as many may wait from before the capture. */
START_TEST(reads_alike_show_nothing)
{
  put_reads(200, (uint32_t)_i);
  put_answer(FIXTURE_SINK, sink_of(200u % (uint32_t)_i), LIKELY_LEN);
  put_sends(4);
  suspected(NULL);
}
END_TEST

/* Reads wait from before the capture, and as many at any time. Their sinks come again: after a
 * power of 2, so that the answers fit later Reads too, or after more Reads than wait. */
START_TEST(reads_that_come_again_show_nothing)
{
  const uint32_t period =
      _i < LIKELY_POWERS ? 1u << _i : LIKELY_WAIT + (uint32_t)(_i - LIKELY_POWERS);
  uint32_t answers = 0;
  for (uint32_t i = 0; i < 100; i++) {
    put_answer(FIXTURE_SINK, sink_of(answers++ % period), LIKELY_LEN);
    put_request(sink_of((i + LIKELY_WAIT) % period), LIKELY_LEN);
  }
  for (uint32_t i = 0; i < LIKELY_WAIT; i++) {
    put_answer(FIXTURE_SINK, sink_of(answers++ % period), LIKELY_LEN);
  }
  put_sends(4);
  suspected(NULL);
}
END_TEST

START_TEST(many_messages_without_an_answer_show_that_no_read_waits)
{
  put_sends(LIKELY_QUIET);
  put_wrong();
  suspected("rdmap.read-response-stag");
}
END_TEST

START_TEST(fewer_messages_do_not)
{
  put_sends(LIKELY_QUIET - 1u);
  put_request(sink_of(500), LIKELY_LEN);
  put_answer(3, sink_of(500), LIKELY_LEN);
  put_sends(4);
  suspected(NULL);
}
END_TEST

/* A Read Request that was seen has no answer yet. */
START_TEST(nor_do_messages_while_a_read_waits)
{
  put_request(sink_of(0), LIKELY_LEN);
  put_request(sink_of(1), LIKELY_LEN);
  put_answer(FIXTURE_SINK, sink_of(0), LIKELY_LEN);
  put_sends(2 * LIKELY_QUIET);
  put_answer(FIXTURE_SINK, sink_of(1), LIKELY_LEN);
  put_sends(4);
  suspected(NULL);
}
END_TEST

START_TEST(lost_octets_begin_that_again)
{
  put_reads(LIKELY_RUN - 1u, LIKELY_RUN);
  fixture_gap(&fixture, (unsigned)_i, 52, IWARP_GAP_LOST);
  put_sends(1);
  put_request(sink_of(LIKELY_RUN), LIKELY_LEN);
  put_answer(FIXTURE_SINK, sink_of(LIKELY_RUN), LIKELY_LEN);
  put_wrong();
  suspected(NULL);
}
END_TEST

START_TEST(a_request_that_is_missing_does_too)
{
  put_reads(LIKELY_RUN - 1u, LIKELY_RUN);
  asked++;
  put_request(sink_of(LIKELY_RUN), LIKELY_LEN);
  put_answer(FIXTURE_SINK, sink_of(LIKELY_RUN), LIKELY_LEN);
  put_wrong();
  ck_assert_uint_eq(fixture.suspected, 0);
  ck_assert_uint_eq(fixture.num, 1); /* ddp.msn-sequence */
}
END_TEST

/* More Read Requests than are compared. */
START_TEST(old_reads_are_forgotten)
{
  for (uint32_t i = 0; i < 200; i++) {
    put_request(sink_of(i), LIKELY_LEN);
  }
  put_answer(FIXTURE_SINK, sink_of(0), LIKELY_LEN);
  put_sends(4);
  suspected(NULL);
}
END_TEST

START_TEST(atomic_operations_differ_by_their_identifiers)
{
  put_reads(1, 1);
  for (uint32_t i = 1; i <= LIKELY_RUN; i++) {
    const iwarp_rdmap_atomic_req a = fixture_fetch_add((uint32_t)_i != 0 ? i : 7);
    fixture_atomic(&fixture, FIXTURE_INITIATOR, ++asked, &a);
    fixture_atomic_response(&fixture, FIXTURE_RESPONDER, i, a.request_id);
  }
  put_wrong();
  suspected(_i != 0 ? "rdmap.read-response-stag" : NULL);
}
END_TEST

START_TEST(a_version_is_not_that_of_the_segments_before)
{
  struct fixture_seg s = fixture_send(sent + 5u);
  s.ddp.dv = 0;
  put_sends(4);
  put(FIXTURE_RESPONDER, s);
  suspected("ddp.version");
}
END_TEST

static void put_terminate(uint32_t msn, uint32_t returned) {
  const struct fixture_seg s = fixture_send(returned);
  iwarp_rdmap_term t = {.layer = 1, .etype = 2, .code = 2, .m = true, .d = true};
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
  uint8_t octets[64];
  size_t len = 0;
  iwarp_ddp_hdr_encode(header, sizeof(header), &len, &s.ddp);
  t.ddp_header = (iwarp_span){header, len};
  t.ddp_segment_length = (uint16_t)(len + s.len);
  t.has_ddp_segment_length = true;
  iwarp_rdmap_term_encode(octets, sizeof(octets), &len, &t);
  put(FIXTURE_INITIATOR,
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, msn, 0, 0), octets, len));
}

START_TEST(the_first_terminate_has_msn_1)
{
  put_reads(1, 1);
  put_sends(LIKELY_SENDS);
  put_reads(1, 1);
  put_terminate((uint32_t)_i, sent);
  suspected(_i == 1 ? NULL : "rdmap.terminate-msn");
}
END_TEST

START_TEST(a_terminate_returns_no_header_from_before_the_capture)
{
  put_reads(1, 1);
  put_sends((uint32_t)_i);
  put_reads(1, 1);
  put_terminate(1, sent + 7u);
  suspected((uint32_t)_i == LIKELY_SENDS ? "rdmap.terminate-ddp-header" : NULL);
}
END_TEST

/* Both sides send so many FPDUs, a packet each, after the loss of a packet of the Responder. */
static void put_chain(uint32_t num) {
  fixture_gap(&fixture, FIXTURE_RESPONDER, 104, IWARP_GAP_LOST);
  for (uint32_t i = 0; i < num; i++) {
    put_send();
  }
  for (uint32_t i = 0; i < LIKELY_SENDS; i++) {
    put(FIXTURE_INITIATOR, fixture_send(LIKELY_WARM + i));
  }
}

#define LIKELY_FIRM 9u /* FPDUs of which each but the last ends with its packet */

/* Octets that belong to no FPDU, after which the chain goes on, or not. */
START_TEST(octets_between_fpdus_of_a_long_chain)
{
  static const uint8_t stray[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  put_chain(_i != 0 ? LIKELY_FIRM : LIKELY_FIRM - 1u);
  fixture_run(&fixture, FIXTURE_RESPONDER, (iwarp_span){stray, sizeof(stray)}, sizeof(stray),
              IWARP_UNDEC_NO_BOUNDARY);
  put_sends(4);
  suspected(_i != 0 ? "mpa.framing" : NULL);
}
END_TEST

/* An FPDU of which the stream has not all octets before its FIN. */
START_TEST(a_long_chain_ends_inside_an_fpdu)
{
  static const uint8_t begun[20] = {0, 50, 0x41, 0x43};
  const uint32_t num = _i != 0 ? LIKELY_FIRM : LIKELY_FIRM - 1u;
  put_chain(num);
  fixture_run(&fixture, FIXTURE_RESPONDER, (iwarp_span){begun, sizeof(begun)}, sizeof(begun),
              IWARP_UNDEC_UNFINISHED);
  fixture_end(&fixture, FIXTURE_RESPONDER, IWARP_END_FIN);
  suspected(_i != 0 ? "mpa.stream-end" : NULL);
}
END_TEST

/* Of octets after other ones that are missing nothing is known. */
START_TEST(octets_after_a_gap_are_none_between_fpdus)
{
  static const uint8_t stray[8] = {0xFF};
  put_chain(LIKELY_FIRM);
  fixture_gap(&fixture, FIXTURE_RESPONDER, 104, IWARP_GAP_LOST);
  fixture_run(&fixture, FIXTURE_RESPONDER, (iwarp_span){stray, sizeof(stray)}, sizeof(stray),
              IWARP_UNDEC_NO_BOUNDARY);
  put_sends(4);
  suspected(NULL);
}
END_TEST

/* FPDUs with right CRCs after a gap: so many of them show that they are no payload, and that a
 * wrong CRC after them is a fault. */
START_TEST(a_wrong_crc_after_many_right_ones)
{
  fixture_gap(&fixture, FIXTURE_RESPONDER, 64, IWARP_GAP_LOST);
  put_sends((uint32_t)_i);
  struct fixture_seg wrong = fixture_send(++sent);
  wrong.crc_flip = 1;
  wrong.sync = IWARP_SYNC_CRC;
  fixture_fpdu(&fixture, FIXTURE_RESPONDER, wrong);
  put_sends(4);
  suspected(_i < (int)LIKELY_GOOD ? NULL : "mpa.crc");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("rules-likely");
  TCase *tcase = tcase_create("likely");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, a_run_of_answers_shows_which_reads_wait);
  tcase_add_test(tcase, a_shorter_run_does_not);
  tcase_add_loop_test(tcase, an_answer_that_does_not_fit_waits_for_one_that_does, 0, 2);
  tcase_add_loop_test(tcase, reads_into_a_ring_show_nothing_at_its_end, 1, 40);
  tcase_add_test(tcase, answers_to_older_reads_fit_at_a_distance);
  tcase_add_loop_test(tcase, reads_alike_show_nothing, 1, (int)LIKELY_RUN);
  tcase_add_loop_test(tcase, reads_that_come_again_show_nothing, 0, 20);
  tcase_add_test(tcase, many_messages_without_an_answer_show_that_no_read_waits);
  tcase_add_test(tcase, fewer_messages_do_not);
  tcase_add_test(tcase, nor_do_messages_while_a_read_waits);
  tcase_add_loop_test(tcase, lost_octets_begin_that_again, 0, 2);
  tcase_add_test(tcase, a_request_that_is_missing_does_too);
  tcase_add_test(tcase, old_reads_are_forgotten);
  tcase_add_loop_test(tcase, atomic_operations_differ_by_their_identifiers, 0, 2);
  tcase_add_test(tcase, a_version_is_not_that_of_the_segments_before);
  tcase_add_loop_test(tcase, the_first_terminate_has_msn_1, 1, 3);
  tcase_add_loop_test(tcase, a_terminate_returns_no_header_from_before_the_capture, 4, 5);
  tcase_add_loop_test(tcase, a_terminate_returns_no_header_from_before_the_capture,
                      (int)LIKELY_SENDS, (int)LIKELY_SENDS + 1);
  tcase_add_loop_test(tcase, octets_between_fpdus_of_a_long_chain, 0, 2);
  tcase_add_loop_test(tcase, a_long_chain_ends_inside_an_fpdu, 0, 2);
  tcase_add_test(tcase, octets_after_a_gap_are_none_between_fpdus);
  tcase_add_loop_test(tcase, a_wrong_crc_after_many_right_ones, 1, (int)LIKELY_GOOD + 2);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
