/* SPDX-License-Identifier: BSD-2-Clause */
/* Which segments begin another connection between the same two ends: each limit, and one octet to
 * either side of it. */
#include "check_run.h"

#include "ingest/conn.h"

#define START 0x10000000u /* of both directions, low and high enough for every distance */
#define SENT 1000u        /* octets that each side sent */

static ing_conn conn;
static ing_segment seg;

static void begin(void) {
  conn = (ing_conn){0};
  for (unsigned side = 0; side < 2; side++) {
    ing_dir *d = &conn.dir[side];
    d->started = true;
    d->start_known = true;
    d->start = START;
    d->next = START + SENT;
    d->seen = START + SENT;
    d->acked = START + SENT;
    d->fin = ING_NONE;
  }
  seg = (ing_segment){.seq = START + SENT, .ack = START + SENT, .flags = ING_ACK};
  seg.payload.len = 1;
}

static bool reused(unsigned side) {
  return ing_reused(&conn, side, &seg);
}

/* With the first octet of its stream at `start`. */
static bool syn_at(uint32_t start, uint8_t flags) {
  seg.flags = flags;
  seg.seq = start - 1;
  return reused(0);
}

START_TEST(a_syn_of_a_known_start)
{
  begin();
  expect(!syn_at(START, ING_SYN), "the same again");
  expect(syn_at(START + 1, ING_SYN), "one higher");
  expect(syn_at(START - 1, ING_SYN), "one lower");
}
END_TEST

START_TEST(a_syn_that_was_overtaken)
{
  begin();
  conn.dir[0].start_known = false;
  expect(!syn_at(START, ING_SYN), "right before");
  expect(!syn_at(START - ING_LATE_SYN, ING_SYN), "as far as it may be");
  expect(syn_at(START - ING_LATE_SYN - 1, ING_SYN), "one octet more");
  expect(syn_at(START + 1, ING_SYN), "above what was seen");
  conn.closed = true;
  expect(!syn_at(START, ING_SYN), "closed, the same again");
  expect(syn_at(START - 1, ING_SYN), "closed, another");
}
END_TEST

START_TEST(a_syn_of_a_side_that_was_silent)
{
  begin();
  conn.dir[0].started = false;
  expect(syn_at(7, ING_SYN), "the other side has sent something");
  conn.dir[1].seen = START;
  expect(!syn_at(7, ING_SYN), "it has sent nothing but its SYN");
  conn.dir[1].started = false;
  conn.dir[1].seen = START + 1;
  expect(!syn_at(7, ING_SYN), "it has sent nothing");
  conn.closed = true;
  expect(syn_at(7, ING_SYN), "closed");
}
END_TEST

START_TEST(a_syn_that_acknowledges)
{
  begin();
  conn.dir[0].started = false;
  const uint8_t both = ING_SYN | ING_ACK;
  seg.ack = START + ING_LATE_SYN;
  expect(!syn_at(7, both), "above, as far as it may be");
  seg.ack = START + ING_LATE_SYN + 1;
  expect(syn_at(7, both), "above, one octet more");
  seg.ack = START - ING_LATE_SYN;
  expect(!syn_at(7, both), "below, as far as it may be");
  seg.ack = START - ING_LATE_SYN - 1;
  expect(syn_at(7, both), "below, one octet more");
  conn.dir[1].started = false;
  expect(!syn_at(7, both), "there is nothing to compare with");
}
END_TEST

START_TEST(a_broken_syn_proves_nothing)
{
  begin();
  seg.sum = ING_SUM_BAD;
  expect(syn_at(7, ING_SYN), "where checksums say nothing");
  conn.dir[0].proven = true;
  expect(!syn_at(7, ING_SYN), "where they are right otherwise");
  conn.dir[0].proven = false;
  conn.closed = true;
  expect(!syn_at(7, ING_SYN), "when all is over");
  seg.sum = ING_SUM_UNKNOWN;
  conn.dir[0].proven = true;
  expect(syn_at(7, ING_SYN), "one that cannot be checked is none");
}
END_TEST

/* A segment at this number, and one that acknowledges it, after both sides left. */
static bool foreign_seq(uint32_t number) {
  seg.seq = number;
  seg.ack = START + SENT;
  return reused(0);
}

static bool foreign_ack(uint32_t number) {
  seg.seq = START + SENT;
  seg.ack = number;
  return reused(1);
}

START_TEST(numbers_of_a_connection_that_is_over)
{
  const uint32_t end = START + SENT;
  begin();
  conn.rst = true;
  bool (*const numbers[])(uint32_t) = {foreign_seq, foreign_ack};
  for (unsigned i = 0; i < 2; i++) {
    bool (*const is_foreign)(uint32_t) = numbers[i];
    expect(!is_foreign(end), "its end");
    expect(!is_foreign(end + ING_REUSE_BEYOND), "above, as far as it may be");
    expect(is_foreign(end + ING_REUSE_BEYOND + 1), "above, one octet more");
    expect(!is_foreign(START - ING_REUSE_BEYOND), "below, as far as it may be");
    expect(is_foreign(START - ING_REUSE_BEYOND - 1), "below, one octet more");
  }
  conn.dir[0].start_known = false;
  expect(!foreign_seq(START - ING_REUSE_BEYOND - 1), "what lay below is not known");
  expect(!foreign_seq(end - ING_REUSE_AWAY), "away, as far as it may be");
  expect(foreign_seq(end - ING_REUSE_AWAY - 1), "away, one octet more");
  conn.dir[0].started = false;
  expect(!foreign_seq(end - ING_REUSE_AWAY - 1), "nothing to compare with");
}
END_TEST

START_TEST(where_a_connection_ends)
{
  const uint32_t end = START + SENT;
  begin();
  conn.closed = true;
  conn.dir[0].seen = end + 5;
  expect(!foreign_seq(end + 5 + ING_REUSE_BEYOND), "what was seen");
  expect(foreign_seq(end + 6 + ING_REUSE_BEYOND), "past what was seen");
  conn.dir[0].acked = end + 9;
  expect(!foreign_seq(end + 9 + ING_REUSE_BEYOND), "what was acknowledged");
  expect(foreign_seq(end + 10 + ING_REUSE_BEYOND), "past what was acknowledged");
  conn.dir[0].fin = end + 2;
  expect(!foreign_seq(end + 2 + ING_REUSE_BEYOND), "its FIN");
  expect(foreign_seq(end + 3 + ING_REUSE_BEYOND), "past its FIN");
}
END_TEST

START_TEST(only_of_a_connection_that_is_over)
{
  const uint32_t far = START + SENT + ING_REUSE_BEYOND + 1;
  begin();
  expect(!foreign_seq(far), "open");
  conn.dir[0].fin = START + SENT;
  expect(!foreign_seq(far), "one FIN");
  conn.dir[1].fin = START + SENT;
  conn.dir[0].fin = ING_NONE;
  expect(!foreign_seq(far), "the other one");
  conn.dir[0].fin = START + SENT;
  expect(foreign_seq(far), "both");
  seg.payload.len = 0;
  expect(!foreign_seq(far), "without octets");
  seg.payload.len = 1;
  seg.sum = ING_SUM_BAD;
  expect(!foreign_seq(far), "with a wrong checksum");
  seg.sum = ING_SUM_UNKNOWN;
  expect(foreign_seq(far), "without a checksum");
  seg.flags = 0;
  expect(!foreign_ack(far), "an acknowledgement without its flag");
}
END_TEST

START_TEST(numbers_out_of_every_window)
{
  begin();
  conn.dir[0].out_of_window = ING_OUT_OF_WINDOW_MAX;
  expect(!foreign_seq(START + SENT + ING_SANE), "the largest window");
  expect(foreign_seq(START + SENT + ING_SANE + 1u), "one octet more");
  expect(foreign_seq(START + SENT - ING_SANE - 1u), "below");
  conn.dir[0].out_of_window = ING_OUT_OF_WINDOW_MAX - 1;
  expect(!foreign_seq(START + SENT + ING_SANE + 1u), "not often enough");
  conn.dir[0].out_of_window = ING_OUT_OF_WINDOW_MAX;
  conn.dir[0].started = false;
  expect(!foreign_seq(START + SENT + ING_SANE + 1u), "nothing to compare with");
}
END_TEST

START_TEST(the_nearest_position)
{
  const uint64_t near = 0x500000010u;
  expect(ing_unwrap(near, 0x10) == near, "itself");
  expect(ing_unwrap(near, 0x0F) == near - 1, "one lower");
  expect(ing_unwrap(near, 0xFFFFFFFF) == 0x4FFFFFFFFu, "below the wrap");
  expect(ing_unwrap(near, 0x8000000F) == near + 0x7FFFFFFF, "the farthest above");
  expect(ing_unwrap(near, 0x80000010) == near - 0x80000000u, "the farthest below");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_syn_of_a_known_start,
                                a_syn_that_was_overtaken,
                                a_syn_of_a_side_that_was_silent,
                                a_syn_that_acknowledges,
                                a_broken_syn_proves_nothing,
                                numbers_of_a_connection_that_is_over,
                                where_a_connection_ends,
                                only_of_a_connection_that_is_over,
                                numbers_out_of_every_window,
                                the_nearest_position,
                                NULL};
  return check_run(check_suite("ingest_reuse", tests));
}
