/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranges of octets that stay or change, by connection. */
#include <check.h>
#include <string.h>

#include "check_run.h"
#include "scrub/kept.h"

enum { FLOWS = 200, LEN = 4000 };

static mapping map;
static kept all;

static void begin(size_t limit) {
  static const uint8_t key[32] = {1};
  mapping_begin(&map, key, NULL);
  all = (kept){.limit = limit};
}

/* A connection of a flow begins in the first packet that is given to it. Packets of each are found
 * in any order of the connections. */
START_TEST(a_packet_belongs_to_the_connection_that_began_last)
{
  begin(1 << 20);
  for (uint64_t flow = 1; flow <= FLOWS; flow++) {
    for (uint64_t conn = 0; conn < 3; conn++) {
      const kept_dir *dir = kept_dir_of(&all, flow, 10 * flow + conn, 1000, 9, 100 * conn + 50);
      ck_assert_ptr_nonnull(dir);
      ck_assert_ptr_eq(kept_dir_of(&all, flow, 10 * flow + conn, 2000, 9, 999), dir);
    }
  }
  ck_assert(kept_sort(&all));
  for (uint64_t flow = 1; flow <= FLOWS; flow++) {
    static const struct {
      uint64_t packet;
      uint64_t conn;
    } due[] = {{0, 0}, {49, 0}, {50, 0}, {149, 0}, {150, 1}, {249, 1}, {250, 2}, {9999, 2}};
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++) {
      ck_assert_uint_eq(kept_find(&all, flow, due[i].packet, 0, 1500)->conn,
                        10 * flow + due[i].conn);
    }
  }
  ck_assert_ptr_null(kept_find(&all, 0, 60, 0, 1));
  ck_assert_ptr_null(kept_find(&all, FLOWS + 1, 60, 0, 1));
  kept_free(&all);
}
END_TEST

/* Two connections of a flow at a time, in two VLANs: their events alternate, and so do their
 * packets. */
START_TEST(a_packet_belongs_to_the_nearest_connection_at_a_time)
{
  begin(1 << 20);
  const uint64_t start[] = {40000, UINT64_C(0x1fffffff0), 900000};
  kept_dir *dir[3];
  for (unsigned round = 0; round < 50; round++) {
    for (unsigned i = 0; i < 3; i++) {
      kept_dir *const got =
          kept_dir_of(&all, 5, i, start[i] + 100 * round, 100, 10 + 3 * round + i);
      ck_assert_ptr_nonnull(got);
      dir[i] = round == 0 ? got : dir[i];
      ck_assert_ptr_eq(got, dir[i]);
    }
  }
  ck_assert_uint_eq(all.num_dirs, 3);
  ck_assert(kept_sort(&all));
  for (unsigned i = 0; i < 3; i++) {
    for (uint64_t at = 0; at < 5000; at += 500) {
      ck_assert_ptr_eq(kept_find(&all, 5, 500, 0, (uint32_t)(start[i] + at)), dir[i]);
    }
    ck_assert_ptr_eq(kept_find(&all, 5, 500, 0, (uint32_t)start[i] - 30), dir[i]);
    ck_assert_ptr_eq(kept_find(&all, 5, 500, 0, (uint32_t)start[i] + 5030), dir[i]);
  }
  ck_assert_ptr_eq(kept_find(&all, 5, 10, 0, 900000), dir[0]); /* the others began later */
  kept_free(&all);
}
END_TEST

/* Both have the same sequence numbers: the lane of the first packet tells them apart. */
START_TEST(a_packet_belongs_to_the_connection_of_its_lane)
{
  begin(1 << 20);
  kept_dir *const dir[] = {kept_dir_of(&all, 5, 0, 1000, 500, 10),
                           kept_dir_of(&all, 5, 1, 1000, 500, 11)};
  ck_assert(kept_sort(&all));
  for (unsigned i = 0; i < 2; i++) {
    ck_assert_ptr_eq(kept_find(&all, 5, 10 + i, 77 + i, 1000), dir[i]);
  }
  for (unsigned i = 0; i < 2; i++) {
    ck_assert_ptr_eq(kept_find(&all, 5, 20, 77 + i, 1100), dir[i]);
  }
  ck_assert_ptr_eq(kept_find(&all, 5, 20, 9, 1100), dir[1]);
  kept_free(&all);
}
END_TEST

START_TEST(no_connection_has_no_ranges)
{
  begin(1 << 20);
  ck_assert(kept_sort(&all));
  ck_assert_ptr_null(kept_find(&all, 1, 1, 0, 1));
  kept_free(&all);
}
END_TEST

/* Ranges that come in any order, and overlap. */
START_TEST(headers_stay_and_all_else_becomes_something_else)
{
  static uint8_t were[LEN];
  static uint8_t plain[LEN];
  static uint8_t octets[LEN];
  begin(1 << 20);
  kept_dir *dir = kept_dir_of(&all, 7, 1, 5000, 1, 1);
  memset(were, 0x5a, sizeof were);
  kept_add(&all, dir, KEPT_STAYS, 6000, 1500, 0); /* longer than a range is */
  kept_add(&all, dir, KEPT_SET, 5100, 6, 0x04030201);
  kept_add(&all, dir, KEPT_CHANGED, 5200, 4, 0xff);
  kept_add(&all, dir, KEPT_STAYS, 5000, 20, 0);
  kept_add(&all, dir, KEPT_SET, 5018, 4, 0);
  ck_assert(kept_sort(&all));
  kept_scrub(&map, NULL, 7, 5000, were, LEN, plain, true);
  kept_scrub(&map, dir, 7, 5000, were, LEN, octets, true);
  ck_assert_mem_eq(octets, were, 20);
  ck_assert_mem_eq(octets + 20, "\0", 2);
  ck_assert_mem_eq(octets + 22, plain + 22, 78);
  ck_assert_mem_eq(octets + 100, "\1\2\3\4\0\0", 6);
  ck_assert_mem_eq(octets + 200, "\xa5\x5a\x5a\x5a", 4);
  ck_assert_mem_eq(octets + 204, plain + 204, 796);
  ck_assert_mem_eq(octets + 1000, were + 1000, 1500);
  ck_assert_mem_eq(octets + 2500, plain + 2500, LEN - 2500);
  kept_scrub(&map, dir, 7, 5019, were + 19, 2, octets, true); /* a packet in the middle of them */
  ck_assert_mem_eq(octets, "\x5a", 1);
  ck_assert_mem_eq(octets + 1, "\0", 1);
  kept_free(&all);
}
END_TEST

/* Whatever is refused first, the limit is known to be the reason. */
START_TEST(the_limit_of_memory_is_kept)
{
  for (size_t limit = 0; limit < 8000; limit += 100) {
    begin(limit);
    for (uint64_t flow = 1; flow < 40; flow++) {
      kept_dir *dir = kept_dir_of(&all, flow, 1, 0, 1, 1);
      if (dir != NULL) {
        kept_add(&all, dir, KEPT_STAYS, flow, 1, 0);
      }
    }
    ck_assert(all.full);
    ck_assert(!all.failed);
    ck_assert_uint_le(all.used, limit);
    ck_assert_uint_gt(all.wanted, limit);
    kept_free(&all);
  }
  begin(1 << 20);
  ck_assert_ptr_nonnull(kept_dir_of(&all, 1, 1, 0, 1, 1));
  all.limit = all.used;
  ck_assert(!kept_sort(&all));
  ck_assert(all.full);
  kept_free(&all);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_packet_belongs_to_the_connection_that_began_last,
                                a_packet_belongs_to_the_nearest_connection_at_a_time,
                                a_packet_belongs_to_the_connection_of_its_lane,
                                no_connection_has_no_ranges,
                                headers_stay_and_all_else_becomes_something_else,
                                the_limit_of_memory_is_kept,
                                NULL};
  return check_run(check_suite("scrub-kept", tests));
}
