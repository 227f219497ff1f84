/* SPDX-License-Identifier: BSD-2-Clause */
/* Which segments are ordinary, and of which kind: of those the rules are not asked again. */
#include "check_run.h"
#include "rules/classify.h"
#include "rules/enter.h"
#include "rules/leave.h"
#include "rules/ordinary.h"
#include "rules/settle.h"
#include "rules/state.h"
#include "rules_fixture.h"

/* A fixture, and a tracker that sees its events as the rules' tracker does. */
static struct {
  struct rules_fixture l;
  struct rules_tracker track;
  struct rules_request queue[2][RULES_ALONE_READS];
  struct rules_header headers[2][RULES_ALONE_HEADERS];
  unsigned kind; /* of the last event */
} seen;

static void watch(const struct rules_fixture *l, const iwarp_event *ev) {
  struct rules_findings none = {0};
  struct rules_event event = {
      .ctx = {.findings = &none, .track = &seen.track, .info = &l->info, .ev = ev},
      .state = &seen.track};
  struct rules_ctx *ctx = &event.ctx;
  seen.kind = rulesi_ordinary(ctx);
  iwarp_observer_fpdu shown;
  if (fixture_shown(l, ev, &shown)) { /* without its event it is of the same kind */
    ck_assert_uint_eq(rulesi_ordinary_fpdu(ctx->track, ctx->info, &shown), seen.kind);
  }
  rulesi_docket_match(ctx);
  rulesi_enter(ctx);
  rulesi_classify(ctx);
  rulesi_settle(ctx);
  rulesi_docket_close(ctx);
  rulesi_leave(ctx);
}

static void begin(uint8_t flags) {
  memset(&seen, 0, sizeof(seen));
  fixture_init(&seen.l);
  seen.l.watch = watch;
  rulesi_state_init(&seen.track);
  for (unsigned i = 0; i < 2; i++) {
    struct rules_side *side = &seen.track.side[i];
    side->requests.queue = seen.queue[i];
    side->requests.cap = RULES_ALONE_READS;
    side->headers.entry = seen.headers[i];
    side->headers.max = side->headers.cap = RULES_ALONE_HEADERS;
  }
  fixture_begin_with(&seen.l, flags);
}

static void setup(void) {
  begin(IWARP_MPA_FLAG_C);
}

static void teardown(void) {
  fixture_free(&seen.l);
}

static void again(void) {
  teardown();
  setup();
}

/* ---- segments ---- */

#define STAG 7u
#define PADDED 1u
#define LAST 2u
#define INSIDE 4u

static unsigned of(enum rules_ordinary message, unsigned how) {
  return message * 8u + how;
}

/* Without PAD where `len` is a multiple of 4. */
static struct fixture_seg write_at(uint64_t to, size_t len) {
  return fixture_tagged(IWARP_RDMAP_OP_WRITE, STAG, to, len);
}

static struct fixture_seg send_at(uint32_t msn, uint32_t mo, size_t len) {
  return fixture_untagged(IWARP_RDMAP_OP_SEND, msn, mo, len);
}

static struct fixture_seg response_at(uint32_t at, size_t len) {
  struct fixture_seg s = fixture_read_response(len);
  s.ddp.to += at;
  return s;
}

static void is(unsigned side, struct fixture_seg s, unsigned kind) {
  fixture_fpdu(&seen.l, side, s);
  ck_assert_uint_eq(seen.kind, kind);
}

static void sends(struct fixture_seg s, unsigned kind) {
  is(FIXTURE_INITIATOR, s, kind);
}

START_TEST(a_write_is_ordinary)
{
  sends(write_at(0, 8), of(ORDINARY_WRITE, LAST));
  sends(write_at(64, 7), of(ORDINARY_WRITE, LAST | PADDED));
  sends(fixture_more(write_at(0, 8)), of(ORDINARY_WRITE, 0));
  sends(fixture_more(write_at(8, 8)), of(ORDINARY_WRITE, INSIDE));
  sends(write_at(16, 5), of(ORDINARY_WRITE, INSIDE | LAST | PADDED));
}
END_TEST

START_TEST(a_write_without_payload_is_a_kind_of_its_own)
{
  sends(write_at(0, 0), of(ORDINARY_EMPTY, LAST));
  sends(fixture_more(write_at(0, 0)), RULES_ORDINARY_NONE);
}
END_TEST

START_TEST(a_write_ends_below_the_end_of_offsets)
{
  sends(write_at(UINT64_MAX - 8, 8), of(ORDINARY_WRITE, LAST));
  sends(write_at(UINT64_MAX - 7, 8), RULES_ORDINARY_NONE);
}
END_TEST

START_TEST(a_send_is_ordinary)
{
  sends(send_at(2, 0, 8), of(ORDINARY_SEND, LAST));
  sends(fixture_untagged(IWARP_RDMAP_OP_SEND_SE, 3, 0, 7), of(ORDINARY_SEND, LAST | PADDED));
  sends(fixture_more(send_at(4, 0, 8)), of(ORDINARY_SEND, 0));
  sends(fixture_more(send_at(4, 8, 8)), of(ORDINARY_SEND, INSIDE));
  sends(send_at(4, 16, 5), of(ORDINARY_SEND, INSIDE | LAST | PADDED));
}
END_TEST

START_TEST(a_send_has_room_for_four_gigabytes)
{
  struct fixture_seg most = fixture_more(send_at(2, 0, 8));
  most.claim = UINT32_MAX - 8;
  sends(most, of(ORDINARY_SEND, 0));
  sends(send_at(2, UINT32_MAX - 8, 8), of(ORDINARY_SEND, INSIDE | LAST));
  most.ddp.msn = 3;
  sends(most, of(ORDINARY_SEND, 0));
  sends(send_at(3, UINT32_MAX - 8, 12), RULES_ORDINARY_NONE);
}
END_TEST

/* Its first segment is compared with the Request, its last one with the length that was asked. */
START_TEST(a_read_response_is_ordinary_inside)
{
  fixture_read(&seen.l, FIXTURE_INITIATOR, 1, 28);
  is(FIXTURE_RESPONDER, fixture_more(response_at(0, 8)), RULES_ORDINARY_NONE);
  is(FIXTURE_RESPONDER, fixture_more(response_at(8, 8)), of(ORDINARY_READ_RESP, INSIDE));
  is(FIXTURE_RESPONDER, fixture_more(response_at(16, 12)), of(ORDINARY_READ_RESP, INSIDE));
  is(FIXTURE_RESPONDER, fixture_more(response_at(28, 8)), RULES_ORDINARY_NONE);
}
END_TEST

START_TEST(a_read_response_ends_with_a_question)
{
  fixture_read(&seen.l, FIXTURE_INITIATOR, 1, 16);
  is(FIXTURE_RESPONDER, fixture_more(response_at(0, 8)), RULES_ORDINARY_NONE);
  is(FIXTURE_RESPONDER, response_at(8, 8), RULES_ORDINARY_NONE);
}
END_TEST

/* ---- one thing that is not ordinary ---- */

START_TEST(nothing_wrong_with_a_header_is_ordinary)
{
  struct fixture_seg s[8];
  for (unsigned i = 0; i < 8; i++) {
    s[i] = i < 6 ? write_at(0, 7) : send_at(2, 0, 8);
  }
  s[0].ddp.rsvd = 1;
  s[1].ddp.rsvdulp ^= 0x40; /* RV */
  s[2].ddp.rsvdulp ^= 0x10; /* RSV */
  s[3].pad[0] = 1;
  s[4].crc_flip = 1;
  s[5].sync = IWARP_SYNC_CRC;
  s[6].ddp.rsvdulp_word = 1;
  s[7].ddp.qn = 1;
  for (unsigned i = 0; i < 8; i++) {
    again();
    sends(s[i], RULES_ORDINARY_NONE);
  }
}
END_TEST

START_TEST(another_place_is_not_ordinary)
{
  const struct fixture_seg s[] = {
      send_at(3, 0, 8), /* MSN 2 is expected */
      send_at(2, 1, 8), /* its beginning is missing */
      send_at(1, 0, 8), /* again */
      send_at(2, 0, 0), /* judged with the empty messages */
      fixture_tagged(IWARP_RDMAP_OP_READ_RESP, STAG, 0, 8),
  };
  for (unsigned i = 0; i < sizeof(s) / sizeof(s[0]); i++) {
    again();
    sends(s[i], RULES_ORDINARY_NONE);
  }
}
END_TEST

START_TEST(another_place_inside_a_message_is_not_ordinary)
{
  struct fixture_seg s[] = {write_at(9, 8), write_at(8, 8), send_at(2, 9, 8), send_at(3, 8, 8),
                            fixture_untagged(IWARP_RDMAP_OP_SEND_SE, 2, 8, 8)};
  s[1].ddp.stag++;
  for (unsigned i = 0; i < sizeof(s) / sizeof(s[0]); i++) {
    again();
    sends(fixture_more(i < 2 ? write_at(0, 8) : send_at(2, 0, 8)),
          of(i < 2 ? ORDINARY_WRITE : ORDINARY_SEND, 0));
    sends(s[i], RULES_ORDINARY_NONE);
  }
}
END_TEST

/* A message of another queue has not ended. */
START_TEST(a_message_inside_another_is_not_ordinary)
{
  sends(fixture_more(send_at(2, 0, 8)), of(ORDINARY_SEND, 0));
  sends(write_at(0, 8), RULES_ORDINARY_NONE);
}
END_TEST

START_TEST(what_was_not_captured_whole_is_not_ordinary)
{
  struct fixture_seg cut = write_at(0, 8);
  cut.cut = 20;
  seen.l.damaged = true;
  sends(write_at(0, 8), RULES_ORDINARY_NONE);
  seen.l.damaged = false;
  sends(write_at(0, 8), of(ORDINARY_WRITE, LAST));
  sends(cut, RULES_ORDINARY_NONE);
}
END_TEST

START_TEST(octets_that_no_event_reports_end_what_is_ordinary)
{
  seen.l.next[FIXTURE_INITIATOR] += 4;
  sends(write_at(0, 8), RULES_ORDINARY_NONE);
}
END_TEST

START_TEST(with_markers_nothing_is_ordinary)
{
  static const uint8_t flags[] = {IWARP_MPA_FLAG_M, IWARP_MPA_FLAG_C | IWARP_MPA_FLAG_M};
  for (unsigned i = 0; i < sizeof(flags); i++) {
    teardown();
    begin(flags[i]);
    sends(write_at(0, 8), RULES_ORDINARY_NONE);
  }
}
END_TEST

/* Begins again without CRCs, and sends a first Write. */
static void without_crcs(void) {
  teardown();
  begin(0);
  sends(write_at(0, 8), of(ORDINARY_WRITE, LAST));
}

static struct fixture_seg write_of(const uint8_t *payload, size_t len) {
  struct fixture_seg s = write_at(0, len);
  s.payload = payload;
  return s;
}

START_TEST(without_crcs_segments_are_ordinary)
{
  without_crcs();
  sends(fixture_more(send_at(2, 0, 8)), of(ORDINARY_SEND, 0));
  sends(send_at(2, 8, 7), of(ORDINARY_SEND, INSIDE | LAST | PADDED));
  sends(write_at(0, 0), of(ORDINARY_EMPTY, LAST));
}
END_TEST

/* The octets before the CRC field may be the first ones of the next FPDU. */
START_TEST(without_crcs_an_fpdu_that_ends_like_the_next_one_is_not_ordinary)
{
  static const uint8_t next[] = {0, 0, 0, 0, 0, 14, 0xC1, 0x40};
  without_crcs();
  sends(write_of(next, sizeof(next)), RULES_ORDINARY_NONE);
  sends(write_of(next, sizeof(next) - 4), of(ORDINARY_WRITE, LAST));
  struct fixture_seg crc = write_at(0, 8); /* its CRC field reads so */
  seen.l.crc_is = true;
  crc.crc_flip = 0x40C10E00; /* the first octet on the wire is the lowest one */
  sends(crc, RULES_ORDINARY_NONE);
  seen.l.crc_is = false;
  again();
  sends(write_of(next, sizeof(next)), of(ORDINARY_WRITE, LAST));
}
END_TEST

/* Where none are in use. */
START_TEST(without_crcs_an_fpdu_with_markers_is_not_ordinary)
{
  uint8_t payload[1024] = {0};
  without_crcs();
  const uint64_t offset = seen.l.next[FIXTURE_INITIATOR] - seen.l.info.side[0].full_pos;
  const size_t marker = (size_t)(IWARP_MPA_MARKER_PERIOD - offset % IWARP_MPA_MARKER_PERIOD);
  const size_t at = marker - IWARP_MPA_LENGTH_LEN - IWARP_DDP_TAGGED_LEN;
  for (size_t k = at; k < sizeof(payload) - 3; k += IWARP_MPA_MARKER_PERIOD) {
    const size_t pointer = k + IWARP_MPA_LENGTH_LEN + IWARP_DDP_TAGGED_LEN;
    payload[k + 2] = (uint8_t)(pointer >> 8);
    payload[k + 3] = (uint8_t)pointer;
  }
  sends(write_of(payload, sizeof(payload)), RULES_ORDINARY_NONE);
  without_crcs();
  payload[at + 3] ^= 4;
  sends(write_of(payload, sizeof(payload)), of(ORDINARY_WRITE, LAST));
}
END_TEST

/* L of Immediate Data is judged at once, L of a Send by the message after it. */
START_TEST(a_send_after_immediate_data_is_not_ordinary)
{
  sends(fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, IWARP_RDMAP_IMMEDIATE_LEN),
        RULES_ORDINARY_NONE);
  sends(send_at(3, 0, 8), RULES_ORDINARY_NONE);
  sends(send_at(4, 0, 8), of(ORDINARY_SEND, LAST));
}
END_TEST

START_TEST(an_fpdu_of_the_largest_size_is_ordinary)
{
  const size_t most = IWARP_MPA_ULPDU_MAX - IWARP_DDP_TAGGED_LEN;
  sends(write_at(0, most), of(ORDINARY_WRITE, LAST | ((most & 3) != 0 ? PADDED : 0)));
  sends(write_at(0, most + 1), RULES_ORDINARY_NONE);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_write_is_ordinary,
                                a_write_without_payload_is_a_kind_of_its_own,
                                a_write_ends_below_the_end_of_offsets,
                                a_send_is_ordinary,
                                a_send_has_room_for_four_gigabytes,
                                a_read_response_is_ordinary_inside,
                                a_read_response_ends_with_a_question,
                                nothing_wrong_with_a_header_is_ordinary,
                                another_place_is_not_ordinary,
                                another_place_inside_a_message_is_not_ordinary,
                                a_message_inside_another_is_not_ordinary,
                                what_was_not_captured_whole_is_not_ordinary,
                                octets_that_no_event_reports_end_what_is_ordinary,
                                with_markers_nothing_is_ordinary,
                                without_crcs_segments_are_ordinary,
                                without_crcs_an_fpdu_that_ends_like_the_next_one_is_not_ordinary,
                                without_crcs_an_fpdu_with_markers_is_not_ordinary,
                                a_send_after_immediate_data_is_not_ordinary,
                                an_fpdu_of_the_largest_size_is_ordinary,
                                NULL};
  Suite *suite = suite_create("rules_kinds");
  TCase *tcase = tcase_create("kinds");
  tcase_add_checked_fixture(tcase, setup, teardown);
  for (size_t i = 0; tests[i] != NULL; i++) {
    tcase_add_test(tcase, tests[i]);
  }
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
