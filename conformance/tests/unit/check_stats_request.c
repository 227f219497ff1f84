/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests, the Responses that answer them, and Requests outstanding. The figures are worked out by
 * hand from docs/stats.md, sections 3.5 and 3.6. Times are in milliseconds. */
#include <string.h>

#include <stats/stats.h>

#include "check_run.h"
#include "stats_fixture.h"

enum { STEPS = 16, FLAG_ACK = 16 };

/* What is known of the Requests of one kind. */
typedef struct request_figures {
  uint64_t requests;
  uint64_t answered;
  uint64_t unanswered;
  uint64_t left_out;
  uint64_t after_hole;
  uint64_t response; /* sum of response_time */
  uint64_t first;    /* sum of first_octet_time */
} request_figures;

typedef struct request_case {
  const char *name;
  stats_step steps[STEPS];
  request_figures reads; /* of side 0, all of them */
  request_figures atomics;
  bool known; /* outstanding */
  uint64_t max;
  uint64_t busy;
  uint64_t mean; /* in millionths */
} request_case;

static const request_case cases[] = {
    {.name = "a Response of two FPDUs",
     .steps = {READ(0, 10, 1, 0xa, 0), RESPONSE(1, 14, 0xa, 0, false, 100),
               RESPONSE(1, 17, 0xa, 100, true, 50)},
     .reads = {1, 1, 0, 0, 0, 7, 4},
     .known = true,
     .max = 1,
     .busy = 7,
     .mean = 1000000},
    {.name = "of two Reads with one sink the oldest is answered first", /* 10 to 15, 12 to 19 */
     .steps = {READ(0, 10, 1, 0xa, 0), READ(0, 12, 2, 0xa, 0), RESPONSE(1, 15, 0xa, 0, true, 1),
               RESPONSE(1, 19, 0xa, 0, true, 1)},
     .reads = {2, 2, 0, 0, 0, 12, 12},
     .known = true,
     .max = 2,
     .busy = 9,
     .mean = 1333333}, /* (2 * 1 + 3 * 2 + 4 * 1) / 9 */
    {.name = "one Response of two Reads with one sink answers the older one",
     .steps = {READ(0, 10, 1, 0xa, 0), READ(0, 12, 2, 0xa, 0), RESPONSE(1, 15, 0xa, 0, true, 1)},
     .reads = {2, 1, 1, 0, 0, 5, 5},
     .known = true,
     .max = 2,
     .busy = 5,
     .mean = 1600000},                                      /* (2 * 1 + 3 * 2) / 5 */
    {.name = "Responses in another order find their Reads", /* 12 to 15, 10 to 20 */
     .steps = {READ(0, 10, 1, 0xa, 0), READ(0, 12, 2, 0xb, 0), RESPONSE(1, 15, 0xb, 0, true, 1),
               RESPONSE(1, 20, 0xa, 0, true, 1)},
     .reads = {2, 2, 0, 0, 0, 13, 13},
     .known = true,
     .max = 2,
     .busy = 10,
     .mean = 1300000}, /* (2 * 1 + 3 * 2 + 5 * 1) / 10 */
    {.name = "a Read that nothing answers is outstanding up to the last packet",
     .steps = {READ(0, 10, 1, 0xa, 0), SEND(1, 30, 1, 0, true, 1)},
     .reads = {1, 0, 1, 0, 0, 0, 0},
     .known = true,
     .max = 1,
     .busy = 20,
     .mean = 1000000},
    {.name = "a Response of another STag answers nothing",
     .steps = {READ(0, 10, 1, 0xa, 0), RESPONSE(1, 12, 0xb, 0, true, 1)},
     .reads = {1, 0, 1, 0, 0, 0, 0}},
    {.name = "a Response of another TO answers nothing",
     .steps = {READ(0, 10, 1, 0xa, 0), RESPONSE(1, 12, 0xa, 8, true, 1)},
     .reads = {1, 0, 1, 0, 0, 0, 0}},
    {.name = "a Response that does not end answers nothing",
     .steps = {READ(0, 10, 1, 0xa, 0), RESPONSE(1, 12, 0xa, 0, false, 1)},
     .reads = {1, 0, 1, 0, 0, 0, 0},
     .known = true,
     .max = 1,
     .busy = 2,
     .mean = 1000000},
    {.name = "Requests that are short, of two FPDUs, or begun unseen take no part",
     .steps = {READ_OF(0, 10, 1, 0xa, 0, 27, 0),
               {.kind = STEP_FPDU,
                .opcode = IWARP_RDMAP_OP_READ_REQ,
                .ms = 11,
                .stag = 2,
                .len = 28,
                .head_stag = 0xa},
               {.kind = STEP_FPDU,
                .opcode = IWARP_RDMAP_OP_READ_REQ,
                .ms = 12,
                .stag = 2,
                .to = 28,
                .last = true,
                .len = 28,
                .head_stag = 0xa},
               {.kind = STEP_FPDU,
                .opcode = IWARP_RDMAP_OP_READ_REQ,
                .ms = 13,
                .stag = 3,
                .to = 4,
                .last = true,
                .len = 28,
                .head_stag = 0xa},
               ATOMIC_OF(0, 14, 4, 7, 51),
               RESPONSE(1, 15, 0xa, 0, true, 1),
               ATOMIC_RESPONSE(1, 16, 1, 7)},
     .reads = {3, 0, 0, 3, 0, 0, 0},
     .atomics = {1, 0, 0, 1, 0, 0, 0}},
    {.name = "Reads and Atomics share what is outstanding", /* 10 to 16, 12 to 14 */
     .steps = {READ(0, 10, 1, 0xa, 0), ATOMIC(0, 12, 2, 7), ATOMIC_RESPONSE(1, 14, 1, 7),
               RESPONSE(1, 16, 0xa, 0, true, 1)},
     .reads = {1, 1, 0, 0, 0, 6, 6},
     .atomics = {1, 1, 0, 0, 0, 2, 0},
     .known = true,
     .max = 2,
     .busy = 6,
     .mean = 1333333},                                          /* (4 * 1 + 2 * 2) / 6 */
    {.name = "Atomics are distinguished by Request Identifier", /* 11 to 13, 10 to 15 */
     .steps = {ATOMIC(0, 10, 1, 7), ATOMIC(0, 11, 2, 9), ATOMIC_RESPONSE(1, 13, 1, 9),
               ATOMIC_RESPONSE(1, 15, 2, 7)},
     .atomics = {2, 2, 0, 0, 0, 7, 0},
     .known = true,
     .max = 2,
     .busy = 5,
     .mean = 1400000}, /* (1 * 1 + 2 * 2 + 2 * 1) / 5 */
    {.name = "an Atomic Response of another identifier answers nothing",
     .steps = {ATOMIC(0, 10, 1, 7), ATOMIC_RESPONSE(1, 13, 1, 8)},
     .atomics = {1, 0, 1, 0, 0, 0, 0}},
    {.name = "an Atomic Response of two FPDUs answers nothing",
     .steps = {ATOMIC(0, 10, 1, 7),
               {.kind = STEP_FPDU,
                .side = 1,
                .opcode = IWARP_RDMAP_OP_ATOMIC_RESP,
                .ms = 12,
                .stag = 1,
                .len = 12,
                .head_stag = 7},
               {.kind = STEP_FPDU,
                .side = 1,
                .opcode = IWARP_RDMAP_OP_ATOMIC_RESP,
                .ms = 13,
                .stag = 1,
                .to = 12,
                .last = true,
                .len = 12,
                .head_stag = 7}},
     .atomics = {1, 0, 1, 0, 0, 0, 0},
     .known = true,
     .max = 1,
     .busy = 3,
     .mean = 1000000},
    {.name = "fields that are cut off fit anything", /* in their order: 10 to 13, 11 to 14 */
     .steps = {READ_OF(0, 10, 1, 0xa, 5, 28, 28), READ_OF(0, 11, 2, 0xb, 5, 28, 24),
               RESPONSE(1, 13, 0xb, 9, true, 1), RESPONSE(1, 14, 0xb, 9, true, 1)},
     .reads = {2, 2, 0, 0, 0, 6, 6},
     .known = true,
     .max = 2,
     .busy = 4,
     .mean = 1500000}, /* (1 * 1 + 2 * 2 + 1 * 1) / 4 */
    {.name = "an STag that was captured has to fit though the TO is cut off",
     .steps = {READ_OF(0, 11, 1, 0xb, 5, 28, 24), RESPONSE(1, 13, 0xa, 5, true, 1)},
     .reads = {1, 0, 1, 0, 0, 0, 0}},
    {.name = "a cut Request of another length is left out",
     .steps = {READ_OF(0, 10, 1, 0xa, 5, 29, 29), RESPONSE(1, 13, 0xa, 5, true, 1)},
     .reads = {1, 0, 0, 1, 0, 0, 0}},
    {.name = "a Request whose cut octets pair nothing is as good as a whole one",
     .steps = {READ_OF(0, 10, 1, 0xa, 5, 29, 17), RESPONSE(1, 13, 0xa, 5, true, 1)},
     .reads = {1, 1, 0, 0, 0, 3, 3},
     .known = true,
     .max = 1,
     .busy = 3,
     .mean = 1000000},
    {.name = "a cut Atomic Response of 12 octets fits, one of 13 does not",
     .steps = {ATOMIC(0, 10, 1, 7), ATOMIC_RESPONSE_OF(1, 12, 1, 3, 13, 13),
               ATOMIC_RESPONSE_OF(1, 14, 2, 3, 12, 12)},
     .atomics = {1, 1, 0, 0, 0, 4, 0}},
    {.name = "a hole drops what its side should answer",
     .steps = {READ(0, 10, 1, 0xa, 0), ATOMIC(0, 11, 2, 7), LOST(1), SEND(1, 12, 1, 0, true, 1),
               RESPONSE(1, 14, 0xa, 0, true, 1), ATOMIC_RESPONSE(1, 15, 1, 7)},
     .reads = {1, 0, 0, 1, 0, 0, 0},
     .atomics = {1, 0, 0, 1, 0, 0, 0}},
    {.name = "a Response after a hole was begun unseen and takes nothing",
     .steps = {LOST(1), SEND(1, 5, 1, 0, true, 1), READ(0, 10, 1, 0xa, 0), LOST(1),
               RESPONSE(1, 14, 0xa, 0, false, 1), RESPONSE(1, 15, 0xa, 1, true, 1),
               READ(0, 16, 2, 0xa, 0), RESPONSE(1, 18, 0xa, 0, true, 1)},
     .reads = {2, 1, 0, 1, 1, 2, 2}},
    {.name = "a hole between the FPDUs of a Response drops its Read",
     .steps = {READ(0, 10, 1, 0xa, 0), RESPONSE(1, 14, 0xa, 0, false, 1), LOST(1),
               RESPONSE(1, 15, 0xa, 9, true, 1)},
     .reads = {1, 0, 0, 1, 0, 0, 0}},
    {.name = "a hole at the end drops what its side should answer",
     .steps = {READ(0, 10, 1, 0xa, 0),
               {.kind = STEP_BAD_CRC, .side = 1, .ms = 12, .stag = 1, .last = true, .len = 1}},
     .reads = {1, 0, 0, 1, 0, 0, 0}},
    {.name = "a hole of the side that asks drops nothing",
     .steps = {READ(0, 10, 1, 0xa, 0), LOST(0), SEND(0, 11, 1, 0, true, 1),
               RESPONSE(1, 14, 0xa, 0, true, 1)},
     .reads = {1, 1, 0, 0, 1, 4, 4}},
    {.name = "after a hole a Response that fits two Reads drops both",
     .steps = {LOST(0), READ(0, 10, 1, 0xa, 0), READ(0, 11, 2, 0xa, 0), READ(0, 12, 3, 0xb, 0),
               RESPONSE(1, 14, 0xa, 0, true, 1), RESPONSE(1, 16, 0xb, 0, true, 1)},
     .reads = {3, 1, 0, 2, 1, 4, 4}},
    {.name = "after a hole an Atomic Response that fits two drops both",
     .steps = {LOST(0), ATOMIC(0, 10, 1, 7), ATOMIC(0, 11, 2, 7), ATOMIC_RESPONSE(1, 14, 1, 7)},
     .atomics = {2, 0, 0, 2, 0, 0, 0}},
    {.name = "an unseen Request makes a Response ambiguous", /* MSN 2 was not seen */
     .steps = {READ(0, 10, 1, 0xa, 0), RESPONSE(1, 11, 0xa, 0, true, 1), LOST(0),
               READ(0, 20, 3, 0xb, 0), RESPONSE(1, 25, 0xb, 0, true, 1)},
     .reads = {2, 1, 0, 1, 0, 1, 1}},
    {.name = "an unseen Request takes the Response that fits no other",
     .steps = {READ(0, 10, 1, 0xa, 0), RESPONSE(1, 11, 0xa, 0, true, 1), LOST(0),
               READ(0, 20, 3, 0xb, 0), RESPONSE(1, 25, 0xc, 0, true, 1),
               RESPONSE(1, 27, 0xb, 0, true, 1)},
     .reads = {2, 2, 0, 0, 1, 8, 8}},
    {.name = "an unseen Request that nothing answers enters no figure",
     .steps = {LOST(0), ATOMIC(0, 20, 2, 7), SEND(1, 21, 1, 0, true, 1)},
     .atomics = {1, 0, 1, 0, 0, 0, 0}},
    {.name = "a hole of the other side drops an unseen Request silently",
     .steps = {LOST(0), ATOMIC(0, 20, 2, 7), LOST(1), SEND(1, 21, 1, 0, true, 1),
               ATOMIC(0, 22, 3, 7), ATOMIC_RESPONSE(1, 24, 1, 7)},
     .atomics = {2, 1, 0, 1, 1, 2, 0}},
    {.name = "the first Request of a side after a hole has MSN 1: nothing is unseen",
     .steps = {LOST(0), READ(0, 20, 1, 0xb, 0), RESPONSE(1, 25, 0xb, 0, true, 1)},
     .reads = {1, 1, 0, 0, 1, 5, 5}},
    {.name = "MSNs that jump without a hole hide nothing",
     .steps = {READ(0, 10, 1, 0xa, 0), READ(0, 20, 7, 0xb, 0), RESPONSE(1, 25, 0xb, 0, true, 1),
               RESPONSE(1, 26, 0xa, 0, true, 1)},
     .reads = {2, 2, 0, 0, 0, 21, 21},
     .known = true,
     .max = 2,
     .busy = 16,
     .mean = 1312500}, /* (10 * 1 + 5 * 2 + 1 * 1) / 16 */
    {.name = "after an overlap a hole ends the pairing of Reads, and of no Atomics",
     .steps = {READ(0, 10, 1, 0xa, 0), READ(0, 11, 2, 0xa, 0), ATOMIC(0, 11, 3, 5),
               RESPONSE(1, 12, 0xa, 0, true, 1), LOST(0), SEND(0, 13, 1, 0, true, 1),
               READ(0, 14, 4, 0xc, 0), RESPONSE(1, 15, 0xc, 0, true, 1),
               ATOMIC_RESPONSE(1, 16, 1, 5)},
     .reads = {3, 1, 0, 2, 0, 2, 2},
     .atomics = {1, 1, 0, 0, 1, 5, 0}},
    {.name = "an overlap that comes after the first FPDU of the Response is one",
     .steps = {READ(0, 10, 1, 0xa, 0), RESPONSE(1, 11, 0xa, 0, false, 1), READ(0, 12, 2, 0xa, 0),
               RESPONSE(1, 13, 0xa, 1, true, 1), LOST(0), SEND(0, 14, 1, 0, true, 1)},
     .reads = {2, 1, 0, 1, 0, 3, 1}},
    {.name = "Reads with one sink that follow one another do not overlap",
     .steps = {READ(0, 10, 1, 0xa, 0), RESPONSE(1, 11, 0xa, 0, true, 1), READ(0, 12, 2, 0xa, 0),
               RESPONSE(1, 13, 0xa, 0, true, 1), LOST(0), READ(0, 14, 3, 0xa, 0),
               RESPONSE(1, 17, 0xa, 0, true, 1)},
     .reads = {3, 3, 0, 0, 1, 5, 5}},
    {.name = "a Terminate ends what is outstanding, and no pairing",
     .steps = {READ(0, 10, 1, 0xa, 0), TERMINATE(1, 15), RESPONSE(1, 20, 0xa, 0, true, 1),
               TERMINATE(0, 30)},
     .reads = {1, 1, 0, 0, 0, 10, 10},
     .known = true,
     .max = 1,
     .busy = 5,
     .mean = 1000000},
    {.name = "Requests of the other side are not of this one",
     .steps = {READ(1, 10, 1, 0xa, 0), RESPONSE(0, 12, 0xa, 0, true, 1)}},
};

static void compare_number(const request_case *c, const char *what, uint64_t got, uint64_t want) {
  ck_assert_msg(got == want, "%s: %s is %llu, not %llu", c->name, what, (unsigned long long)got,
                (unsigned long long)want);
}

static void compare(const request_case *c, const stats_requests *got, const request_figures *want) {
  compare_number(c, "requests", got->requests, want->requests);
  compare_number(c, "answered", got->answered, want->answered);
  compare_number(c, "unanswered", got->unanswered, want->unanswered);
  compare_number(c, "left_out", got->left_out, want->left_out);
  compare_number(c, "after_hole", got->after_hole, want->after_hole);
  compare_number(c, "response times", got->response_time.count, want->answered);
  compare_number(c, "response_time", got->response_time.sum, want->response * STATS_FIXTURE_MS);
  compare_number(c, "first_octet_time", got->first_octet_time.sum, want->first * STATS_FIXTURE_MS);
}

START_TEST(requests_are_paired_as_the_page_says)
{
  for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
    const request_case *c = &cases[i / 2];
    const stats_side *side = &stats_fixture_run(c->steps, i % 2 != 0)->side[0];
    compare(c, &side->reads, &c->reads);
    compare(c, &side->atomics, &c->atomics);
    ck_assert_msg(side->outstanding.known == c->known, "%s: outstanding", c->name);
    if (c->known) {
      compare_number(c, "max", side->outstanding.max, c->max);
      compare_number(c, "busy", side->outstanding.busy_ns, c->busy * STATS_FIXTURE_MS);
      compare_number(c, "mean", side->outstanding.mean_micro, c->mean);
    }
    stats_fixture_free();
  }
}
END_TEST

/* ---- limits of the negotiation ---- */

static const stats_step two_reads[] = {/* one is outstanding for 4 ms, two for 3 ms */
                                       READ(0, 10, 1, 0xa, 0),
                                       READ(0, 12, 2, 0xa, 0),
                                       RESPONSE(1, 15, 0xa, 0, true, 1),
                                       RESPONSE(1, 17, 0xa, 0, true, 1),
                                       {.kind = STEPS_END}};

static const struct {
  bool enhanced[2];
  uint16_t ord;
  uint16_t ird;
  bool has;
  uint64_t limit;
  uint64_t at_limit;
} limits[] = {
    {{true, true}, 2, 4, true, 2, 3},      {{true, true}, 8, 1, true, 1, 7},
    {{true, true}, 0x3fff, 2, true, 2, 3}, {{true, true}, 3, 0x3fff, true, 3, 0},
    {{true, true}, 0, 4, true, 0, 7},      {{true, true}, 0x3fff, 0x3fff, false, 0, 0},
    {{true, false}, 2, 4, false, 0, 0},    {{false, true}, 2, 4, false, 0, 0},
};

START_TEST(the_limit_is_the_smaller_of_ord_and_ird)
{
  static const stats_cfg plain;
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    stats_fixture_begin(&plain);
    for (unsigned side = 0; side < 2; side++) {
      made.info.side[side].has_startup = true;
      made.info.side[side].enhanced = limits[i].enhanced[side];
    }
    made.info.side[0].enh.ord = limits[i].ord;
    made.info.side[1].enh.ird = limits[i].ird;
    stats_fixture_start();
    for (const stats_step *step = two_reads; step->kind != STEPS_END; step++) {
      stats_fixture_step(step);
    }
    const stats_outstanding *o = &stats_fixture_end()->side[0].outstanding;
    ck_assert(o->known);
    ck_assert_msg(o->has_limit == limits[i].has, "row %zu", i);
    if (o->has_limit) {
      ck_assert_uint_eq(o->limit, limits[i].limit);
      ck_assert_uint_eq(o->at_limit_ns, limits[i].at_limit * STATS_FIXTURE_MS);
    }
    stats_fixture_free();
  }
}
END_TEST

/* ---- order ---- */

START_TEST(a_late_segment_delays_the_request_after_it)
{
  static const stats_cfg plain;
  static const stats_step sent = SEND(0, 0, 1, 0, true, 10); /* 2 + 18 + 10 + 2 + 4 octets */
  static const stats_step read = READ(0, 0, 1, 0xa, 0);
  static const stats_step response = RESPONSE(1, 20, 0xa, 0, true, 1);
  stats_fixture_begin(&plain);
  stats_fixture_start();
  stats_fixture_packet(0, FLAG_ACK, made.next[0] + 36, 52, 10);
  stats_fixture_packet(0, FLAG_ACK, made.next[0], 36, 14);
  stats_fixture_event(&sent);
  stats_fixture_event(&read);
  stats_fixture_step(&response);
  const stats_figures *f = stats_fixture_end();
  ck_assert_uint_eq(f->side[0].reads.answered, 1);
  ck_assert_uint_eq(f->side[0].reads.response_time.sum, 6 * STATS_FIXTURE_MS);
  stats_fixture_free();
}
END_TEST

START_TEST(a_response_waits_for_the_request_that_was_captured_before_it)
{
  static const stats_cfg plain;
  static const stats_step read = READ(0, 0, 1, 0xa, 0);
  static const stats_step response = RESPONSE(1, 20, 0xa, 0, true, 1);
  stats_fixture_begin(&plain);
  stats_fixture_start();
  stats_fixture_packet(0, FLAG_ACK, made.next[0], 52, 10); /* its event comes late */
  stats_fixture_step(&response);
  ck_assert_uint_eq(stats_now(made.s)->side[0].reads.requests, 0);
  stats_fixture_event(&read);
  const stats_figures *f = stats_fixture_end();
  ck_assert_uint_eq(f->side[0].reads.answered, 1);
  ck_assert_uint_eq(f->side[0].reads.response_time.sum, 10 * STATS_FIXTURE_MS);
  ck_assert_uint_eq(f->limits, 0);
  stats_fixture_free();
}
END_TEST

START_TEST(events_that_wait_keep_their_order_when_others_were_taken)
{
  static const stats_cfg plain;
  static const stats_step response = ATOMIC_RESPONSE(1, 0, 1, 99); /* 18 + 12 + 2 + 4 octets */
  static const stats_step answer = ATOMIC_RESPONSE(1, 50, 3, 20);
  stats_fixture_begin(&plain);
  stats_fixture_start();
  stats_fixture_packet(1, FLAG_ACK, made.next[1], 36, 0); /* the events of both come later */
  for (uint32_t i = 1; i <= 20; i++) {
    const stats_step atomic = ATOMIC(0, i, i, i);
    if (i == 13) {
      stats_fixture_packet(1, FLAG_ACK, made.next[1] + 36, 36, i);
    }
    if (i == 17) {
      stats_fixture_event(&response); /* it was captured before all Requests */
      ck_assert_uint_eq(stats_now(made.s)->side[0].atomics.requests, 12);
    }
    stats_fixture_step(&atomic);
  }
  ck_assert_uint_eq(stats_now(made.s)->side[0].atomics.requests, 12);
  stats_fixture_event(&response);
  stats_fixture_step(&answer);
  const stats_figures *f = stats_fixture_end();
  ck_assert_uint_eq(f->side[0].atomics.requests, 20);
  ck_assert_uint_eq(f->side[0].atomics.answered, 1);
  ck_assert_uint_eq(f->side[0].atomics.response_time.sum, 30 * STATS_FIXTURE_MS);
  ck_assert_uint_eq(f->limits, 0);
  stats_fixture_free();
}
END_TEST

/* ---- bounds ---- */

START_TEST(more_waiting_events_than_the_bound_are_named)
{
  static const stats_cfg plain;
  static const stats_step atomic = ATOMIC(0, 1, 1, 7);
  static const stats_step response = ATOMIC_RESPONSE(1, 0, 1, 7);
  stats_fixture_begin(&plain);
  stats_fixture_start();
  stats_fixture_packet(1, FLAG_ACK, made.next[1], 36, 0); /* its event comes last */
  for (uint32_t i = 0; i <= 16384; i++) {
    stats_fixture_step(&atomic);
  }
  ck_assert_uint_eq(stats_now(made.s)->limits, 0);
  ck_assert_uint_gt(stats_memory(made.s), 16384 * sizeof(uint64_t));
  stats_fixture_event(&response);
  const stats_figures *f = stats_fixture_end();
  ck_assert_uint_eq(f->limits, STATS_LIMIT_ORDER);
  ck_assert_str_eq(stats_limit_name(f->limits), "order");
  ck_assert_uint_eq(f->side[0].atomics.requests, 16385);
  ck_assert_uint_eq(f->side[0].atomics.answered, 1); /* the Response is older than the Request */
  ck_assert_uint_eq(f->side[0].atomics.response_time.sum, 0);
  stats_fixture_free();
}
END_TEST

START_TEST(more_open_requests_than_the_bound_are_left_out_and_named)
{
  static const stats_cfg plain;
  stats_fixture_begin(&plain);
  stats_fixture_start();
  for (uint32_t i = 0; i <= 32768; i++) {
    const stats_step read = READ(0, 1, i + 1, i, 0);
    stats_fixture_step(&read);
  }
  const stats_figures *f = stats_fixture_end();
  ck_assert_uint_eq(f->limits, STATS_LIMIT_REQUESTS);
  ck_assert_str_eq(stats_limit_name(f->limits), "requests");
  ck_assert_uint_eq(f->side[0].reads.requests, 32769);
  ck_assert_uint_eq(f->side[0].reads.unanswered, 32768);
  ck_assert_uint_eq(f->side[0].reads.left_out, 1);
  stats_fixture_free();
}
END_TEST

START_TEST(octets_that_come_after_what_follows_them_are_named)
{
  static const stats_cfg plain;
  static const stats_step lost = LOST(0);
  static const stats_step sent = SEND(0, 1, 1, 0, true, 10);
  stats_fixture_begin(&plain);
  stats_fixture_start();
  const uint32_t seq = made.next[0];
  stats_fixture_step(&lost);
  stats_fixture_step(&sent);
  ck_assert_uint_eq(stats_now(made.s)->limits, 0);
  stats_fixture_packet(0, FLAG_ACK, seq, 20, 2);
  stats_fixture_step(&sent);
  const stats_figures *f = stats_fixture_end();
  ck_assert_uint_eq(f->limits, STATS_LIMIT_LATE);
  ck_assert_str_eq(stats_limit_name(f->limits), "late");
  ck_assert_uint_eq(f->side[0].tcp.out_of_order_packets, 1);
  stats_fixture_free();
}
END_TEST

START_TEST(more_packets_without_events_than_the_bound_are_named)
{
  static const stats_cfg plain;
  static const stats_step sent = SEND(0, 0, 1, 0, true, 10); /* 36 octets */
  stats_fixture_begin(&plain);
  stats_fixture_start();
  for (uint32_t i = 0; i <= 16384; i++) {
    stats_fixture_packet(0, FLAG_ACK, made.next[0] + i, 1, i);
  }
  stats_fixture_event(&sent);
  const stats_figures *f = stats_fixture_end();
  ck_assert_uint_eq(f->limits, STATS_LIMIT_PACKETS);
  ck_assert_str_eq(stats_limit_name(f->limits), "packets");
  ck_assert_uint_eq(f->side[0].messages[IWARP_RDMAP_OP_SEND]->count, 1);
  ck_assert_uint_eq(f->side[0].stream.undecoded, 16385 - 36);
  stats_fixture_free();
}
END_TEST

/* ---- intervals ---- */

enum { INTERVALS = 8 };

static stats_interval given[INTERVALS];
static size_t num_given;

static void on_interval(void *ctx, const observe_conn *conn, const stats_interval *interval) {
  ck_assert_ptr_eq(ctx, given);
  ck_assert_ptr_eq(conn, &made.conn);
  if (num_given < INTERVALS) {
    given[num_given] = *interval;
  }
  num_given++;
}

static void begin_intervals(uint64_t ms) {
  static stats_cfg cfg;
  cfg = (stats_cfg){.interval_ns = ms * STATS_FIXTURE_MS, .ctx = given, .interval = on_interval};
  memset(given, 0, sizeof given);
  num_given = 0;
  stats_fixture_begin(&cfg);
  made.conn.numbered = true;
  stats_fixture_start();
}

START_TEST(intervals_hold_what_ends_in_them)
{
  static const stats_step steps[] = {SEND(0, 9, 1, 0, true, 10),
                                     READ(0, 10, 1, 0xa, 0),
                                     RESPONSE(1, 19, 0xa, 0, false, 100),
                                     RESPONSE(1, 30, 0xa, 100, true, 50),
                                     READ(0, 31, 2, 0xa, 0),
                                     RESPONSE(1, 33, 0xa, 0, true, 3)};
  begin_intervals(10);
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    stats_fixture_step(&steps[i]);
  }
  ck_assert_uint_eq(num_given, 2); /* the one under way is not complete */
  (void)stats_fixture_end();
  ck_assert_uint_eq(num_given, 3); /* nothing came from 20 ms to 30 ms */
  ck_assert_uint_eq(given[0].index, 0);
  ck_assert_uint_eq(given[0].side[0].packets, 3);
  ck_assert_uint_eq(given[0].side[0].octets, 20 + 36);
  ck_assert_uint_eq(given[0].side[0].payload, 10);
  ck_assert_uint_eq(given[0].side[0].messages, 1);
  ck_assert_uint_eq(given[1].index, 1);
  ck_assert_uint_eq(given[1].side[0].payload, 28);
  ck_assert_uint_eq(given[1].side[0].reads, 0);
  ck_assert_uint_eq(given[1].side[1].payload, 100);
  ck_assert_uint_eq(given[1].side[1].messages, 0);
  ck_assert_uint_eq(given[2].index, 3);
  ck_assert_uint_eq(given[2].side[0].reads, 2);
  ck_assert_uint_eq(given[2].side[0].read_sum_ns, (20 + 2) * STATS_FIXTURE_MS);
  ck_assert_uint_eq(given[2].side[0].read_max_ns, 20 * STATS_FIXTURE_MS);
  ck_assert_uint_eq(given[2].side[1].messages, 2);
  stats_fixture_free();
}
END_TEST

START_TEST(an_interval_waits_for_packets_without_events)
{
  static const stats_step sent = SEND(0, 0, 1, 0, true, 10); /* 36 octets */
  static const stats_step other = SEND(1, 45, 1, 0, true, 10);
  begin_intervals(10);
  stats_fixture_packet(0, FLAG_ACK, made.next[0], 36, 15);
  stats_fixture_packet(0, FLAG_ACK, made.next[0] + 20, 10, 35); /* sent again */
  stats_fixture_step(&other);
  ck_assert_uint_eq(num_given, 1); /* up to 10 ms */
  stats_fixture_event(&sent);
  ck_assert_uint_eq(num_given, 3);
  ck_assert_uint_eq(given[1].index, 1);
  ck_assert_uint_eq(given[1].side[0].payload, 10);
  ck_assert_uint_eq(given[1].side[0].messages, 1);
  ck_assert_uint_eq(given[2].index, 3);
  ck_assert_uint_eq(given[2].side[0].retransmitted_octets, 10);
  (void)stats_fixture_end();
  ck_assert_uint_eq(num_given, 4);
  stats_fixture_free();
}
END_TEST

START_TEST(more_incomplete_intervals_than_the_bound_are_named)
{
  static const stats_step sent = SEND(0, 0, 1, 0, true, 10);
  begin_intervals(1);
  stats_fixture_packet(1, FLAG_ACK, made.next[1], 36, 1); /* its event never comes */
  made.conn.numbered = false;
  for (uint32_t i = 2; i <= 4097; i++) {
    stats_fixture_packet(0, FLAG_ACK, made.next[0], 0, i);
  }
  stats_fixture_step(&sent); /* of an interval that was given up: it is the first one again */
  const stats_figures *f = stats_fixture_end();
  ck_assert_uint_eq(num_given, 0); /* none of a connection without a number */
  ck_assert_uint_eq(f->limits, STATS_LIMIT_INTERVALS);
  ck_assert_str_eq(stats_limit_name(f->limits), "intervals");
  stats_fixture_free();
}
END_TEST

int main(void) {
  const TTest *const tests[] = {requests_are_paired_as_the_page_says,
                                the_limit_is_the_smaller_of_ord_and_ird,
                                a_late_segment_delays_the_request_after_it,
                                a_response_waits_for_the_request_that_was_captured_before_it,
                                events_that_wait_keep_their_order_when_others_were_taken,
                                more_waiting_events_than_the_bound_are_named,
                                more_open_requests_than_the_bound_are_left_out_and_named,
                                octets_that_come_after_what_follows_them_are_named,
                                more_packets_without_events_than_the_bound_are_named,
                                intervals_hold_what_ends_in_them,
                                an_interval_waits_for_packets_without_events,
                                more_incomplete_intervals_than_the_bound_are_named,
                                NULL};
  return check_run(check_suite("stats-request", tests));
}
