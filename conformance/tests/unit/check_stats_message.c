/* SPDX-License-Identifier: BSD-2-Clause */
/* RDMAP messages out of FPDUs: what begins, ends and interrupts them. The figures are worked out by
 * hand from docs/stats.md, section 3.4. */
#include <stats/stats.h>

#include "check_run.h"
#include "stats_fixture.h"

enum { STEPS = 12 };

typedef struct message_case {
  const char *name;
  stats_step steps[STEPS];
  uint8_t opcode; /* whose figures of side 0 these are */
  uint64_t count;
  uint64_t octets;
  uint64_t sizes; /* numbers in `size` and in `segments` */
  uint64_t size_sum;
  uint64_t segments_sum;
  uint64_t unfinished;
  uint64_t unseen;
  bool whole;
} message_case;

static const message_case cases[] = {
    {.name = "one FPDU",
     .steps = {SEND(0, 1, 1, 0, true, 100)},
     .opcode = IWARP_RDMAP_OP_SEND,
     .count = 1,
     .octets = 100,
     .sizes = 1,
     .size_sum = 100,
     .segments_sum = 1,
     .whole = true},
    {.name = "three FPDUs of one MSN",
     .steps = {SEND(0, 1, 1, 0, false, 100), SEND(0, 2, 1, 100, false, 100),
               SEND(0, 3, 1, 200, true, 7)},
     .opcode = IWARP_RDMAP_OP_SEND,
     .count = 1,
     .octets = 207,
     .sizes = 1,
     .size_sum = 207,
     .segments_sum = 3,
     .whole = true},
    {.name = "an MSN that is used again makes another message",
     .steps = {SEND(0, 1, 1, 0, true, 10), SEND(0, 2, 1, 0, true, 20)},
     .opcode = IWARP_RDMAP_OP_SEND,
     .count = 2,
     .octets = 30,
     .sizes = 2,
     .size_sum = 30,
     .segments_sum = 2,
     .whole = true},
    {.name = "another MSN leaves the open message unfinished",
     .steps = {SEND(0, 1, 1, 0, false, 10), SEND(0, 2, 2, 0, true, 20)},
     .opcode = IWARP_RDMAP_OP_SEND,
     .count = 1,
     .octets = 30,
     .sizes = 1,
     .size_sum = 20,
     .segments_sum = 1,
     .unfinished = 1,
     .whole = true},
    {.name = "another STag leaves the open message unfinished",
     .steps = {WRITE(0, 1, 5, false, 10), WRITE(0, 2, 6, false, 20), WRITE(0, 3, 6, true, 30)},
     .opcode = IWARP_RDMAP_OP_WRITE,
     .count = 1,
     .octets = 60,
     .sizes = 1,
     .size_sum = 50,
     .segments_sum = 2,
     .unfinished = 1,
     .whole = true},
    {.name = "another name leaves the open message unfinished",
     .steps = {WRITE(0, 1, 5, false, 10), SEND(0, 2, 5, 0, true, 20), WRITE(0, 3, 5, true, 30)},
     .opcode = IWARP_RDMAP_OP_WRITE,
     .count = 1,
     .octets = 40,
     .sizes = 1,
     .size_sum = 30,
     .segments_sum = 1,
     .unfinished = 1,
     .whole = true},
    {.name = "the end leaves the open message unfinished",
     .steps = {WRITE(0, 1, 5, false, 10)},
     .opcode = IWARP_RDMAP_OP_WRITE,
     .octets = 10,
     .unfinished = 1,
     .whole = true},
    {.name = "a hole leaves the open message unfinished, and the next one was begun unseen",
     .steps = {WRITE(0, 1, 5, false, 10), LOST(0), WRITE(0, 3, 5, true, 30),
               WRITE(0, 4, 5, true, 50)},
     .opcode = IWARP_RDMAP_OP_WRITE,
     .count = 2,
     .octets = 90,
     .sizes = 1,
     .size_sum = 50,
     .segments_sum = 1,
     .unfinished = 1,
     .unseen = 1},
    {.name = "an untagged message after a hole that begins with MO 0 is whole",
     .steps = {LOST(0), SEND(0, 1, 3, 0, true, 10)},
     .opcode = IWARP_RDMAP_OP_SEND,
     .count = 1,
     .octets = 10,
     .sizes = 1,
     .size_sum = 10,
     .segments_sum = 1},
    {.name = "an untagged message with a first MO other than 0 was begun unseen",
     .steps = {LOST(0), SEND(0, 1, 3, 40, true, 10)},
     .opcode = IWARP_RDMAP_OP_SEND,
     .count = 1,
     .octets = 10,
     .unseen = 1},
    {.name = "an unfinished message that was begun unseen is unfinished alone",
     .steps = {LOST(0), SEND(0, 1, 3, 40, false, 10)},
     .opcode = IWARP_RDMAP_OP_SEND,
     .octets = 10,
     .unfinished = 1},
    {.name = "an FPDU with a bad CRC is a hole and enters no message",
     .steps = {WRITE(0, 1, 5, false, 10),
               {.kind = STEP_BAD_CRC, .ms = 2, .tagged = true, .stag = 5, .last = true, .len = 9},
               WRITE(0, 3, 5, true, 30)},
     .opcode = IWARP_RDMAP_OP_WRITE,
     .count = 1,
     .octets = 40,
     .unfinished = 1,
     .unseen = 1},
    {.name = "a hole that no FPDU follows",
     .steps = {WRITE(0, 1, 5, true, 10),
               {.kind = STEP_BAD_CRC, .ms = 2, .tagged = true, .stag = 5, .last = true, .len = 9}},
     .opcode = IWARP_RDMAP_OP_WRITE,
     .count = 1,
     .octets = 10,
     .sizes = 1,
     .size_sum = 10,
     .segments_sum = 1},
    {.name = "a hole of the other side interrupts nothing",
     .steps = {WRITE(0, 1, 5, false, 10), LOST(1), SEND(1, 2, 1, 0, true, 1),
               WRITE(0, 3, 5, true, 30)},
     .opcode = IWARP_RDMAP_OP_WRITE,
     .count = 1,
     .octets = 40,
     .sizes = 1,
     .size_sum = 40,
     .segments_sum = 2},
    {.name = "opcodes that are not assigned share a name",
     .steps = {{.kind = STEP_FPDU, .opcode = 12, .stag = 1, .last = true, .len = 4},
               {.kind = STEP_FPDU, .opcode = 15, .stag = 2, .last = true, .len = 5}},
     .opcode = 12,
     .count = 2,
     .octets = 9,
     .sizes = 2,
     .size_sum = 9,
     .segments_sum = 2,
     .whole = true},
    {.name = "messages without payload",
     .steps = {SEND(0, 1, 1, 0, true, 0), SEND(0, 2, 2, 0, true, 0)},
     .opcode = IWARP_RDMAP_OP_SEND,
     .count = 2,
     .sizes = 2,
     .segments_sum = 2,
     .whole = true},
};

static void compare(const message_case *c, const stats_figures *f) {
  const stats_side *side = &f->side[0];
  const stats_messages *m = side->messages[c->opcode];
  ck_assert_msg(m != NULL, "%s: no messages", c->name);
  const struct {
    const char *name;
    uint64_t got;
    uint64_t want;
  } rows[] = {{"count", m->count, c->count},
              {"octets", m->octets, c->octets},
              {"sizes", m->size.count, c->sizes},
              {"segments", m->segments.count, c->sizes},
              {"sum of sizes", m->size.sum, c->size_sum},
              {"sum of segments", m->segments.sum, c->segments_sum},
              {"unfinished", side->unfinished, c->unfinished},
              {"begun unseen", side->begun_unseen, c->unseen},
              {"whole", f->whole ? 1 : 0, c->whole ? 1 : 0},
              {"limits", f->limits, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ck_assert_msg(rows[i].got == rows[i].want, "%s: %s is %llu, not %llu", c->name, rows[i].name,
                  (unsigned long long)rows[i].got, (unsigned long long)rows[i].want);
  }
}

START_TEST(messages_are_what_the_page_says)
{
  for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
    const message_case *c = &cases[i / 2];
    compare(c, stats_fixture_run(c->steps, i % 2 != 0));
    stats_fixture_free();
  }
}
END_TEST

START_TEST(a_direction_without_a_startup_frame_begins_with_a_hole)
{
  static const stats_cfg plain;
  static const stats_step write = WRITE(0, 1, 5, true, 10);
  stats_fixture_begin(&plain);
  stats_fixture_step(&write);
  stats_fixture_step(&write);
  const stats_figures *f = stats_fixture_end();
  ck_assert_uint_eq(f->side[0].messages[IWARP_RDMAP_OP_WRITE]->count, 2);
  ck_assert_uint_eq(f->side[0].begun_unseen, 1);
  ck_assert(!f->whole);
  stats_fixture_free();
}
END_TEST

START_TEST(octets_of_an_fpdu_have_their_parts)
{
  static const stats_step steps[] = {
      WRITE(0, 1, 5, true, 101), SEND(0, 4, 1, 0, true, 10), {.kind = STEPS_END}};
  for (unsigned plain = 0; plain < 2; plain++) {
    const stats_figures *f = stats_fixture_run(steps, plain != 0);
    const stats_side *side = &f->side[0];
    ck_assert_uint_eq(side->stream.payload, 111);
    ck_assert_uint_eq(side->stream.headers, 2 + 14 + 2 + 18);
    ck_assert_uint_eq(side->stream.pad, 3 + 2);
    ck_assert_uint_eq(side->stream.crc, 8);
    ck_assert_uint_eq(side->stream.startup, 20);
    ck_assert_uint_eq(side->stream.octets, 20 + 124 + 36);
    ck_assert_uint_eq(side->fpdus, 2);
    ck_assert_uint_eq(side->fpdu_size.min, 36);
    ck_assert_uint_eq(side->fpdu_size.max, 124);
    ck_assert_uint_eq(side->active_ns, 3 * STATS_FIXTURE_MS);
    ck_assert_uint_eq(side->packing_aligned, 2);
    ck_assert_uint_eq(side->packets_per_fpdu.sum, 2);
    ck_assert(f->whole);
    stats_fixture_free();
  }
}
END_TEST

START_TEST(octets_sent_again_make_no_second_message)
{
  static const stats_cfg plain;
  static const stats_step write = WRITE(0, 1, 5, true, 10);
  stats_fixture_begin(&plain);
  stats_fixture_start();
  const uint32_t seq = made.next[0];
  stats_fixture_step(&write);
  stats_fixture_packet(0, 16, seq, made.next[0] - seq, 2);
  const stats_figures *f = stats_fixture_end();
  ck_assert_uint_eq(f->side[0].messages[IWARP_RDMAP_OP_WRITE]->count, 1);
  ck_assert_uint_eq(f->side[0].tcp.retransmitted_packets, 1);
  ck_assert(f->whole);
  stats_fixture_free();
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      messages_are_what_the_page_says, a_direction_without_a_startup_frame_begins_with_a_hole,
      octets_of_an_fpdu_have_their_parts, octets_sent_again_make_no_second_message, NULL};
  return check_run(check_suite("stats-message", tests));
}
