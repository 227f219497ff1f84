/* SPDX-License-Identifier: BSD-2-Clause */
/* Headers that no longer are in the table of a side: which ones were never there. */
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "rules/forgotten.h"

#define TABLE 4u

static struct rules_header table[TABLE];
static struct rules_side side;
static struct rules_tracker track;

static void *get(void *ctx, size_t len) {
  (void)ctx;
  return malloc(len);
}

static void put(void *ctx, void *block, size_t len) {
  (void)ctx;
  (void)len;
  free(block);
}

static const iwarp_pool pool = {.get = get, .put = put};

static void *none(void *ctx, size_t len) {
  (void)ctx;
  (void)len;
  return NULL;
}

static const iwarp_pool empty = {.get = none, .put = put};

static void begin(const iwarp_pool *from) {
  memset(&side, 0, sizeof side);
  side.headers.entry = table;
  side.headers.max = side.headers.cap = TABLE;
  track.pool = from;
}

/* Header `i`, Tagged or not. */
static size_t header(uint8_t octets[IWARP_DDP_UNTAGGED_LEN], uint32_t i, bool tagged) {
  size_t len;
  const iwarp_ddp_hdr ddp = {.tagged = tagged,
                             .last = true,
                             .dv = 1,
                             .rsvdulp = 0x43,
                             .stag = tagged ? 7 : 0,
                             .to = tagged ? i : 0,
                             .msn = tagged ? 0 : i};
  memset(octets, 0xAA, IWARP_DDP_UNTAGGED_LEN); /* the table has payload after a short header */
  ck_assert_int_eq(iwarp_ddp_hdr_encode(octets, IWARP_DDP_UNTAGGED_LEN, &len, &ddp), IWARP_OK);
  return len;
}

static void record(uint32_t i, bool tagged) {
  if (side.headers.num >= TABLE) {
    rulesi_forget(&track, &side);
  }
  (void)header(table[side.headers.num++ % TABLE].octets, i, tagged);
}

static bool forgotten(uint32_t i, bool tagged) {
  uint8_t octets[IWARP_DDP_UNTAGGED_LEN];
  const size_t len = header(octets, i, tagged);
  octets[IWARP_DDP_UNTAGGED_LEN - 1] ^= len < IWARP_DDP_UNTAGGED_LEN ? 1 : 0;
  return rulesi_forgotten(&side, (iwarp_span){octets, len});
}

START_TEST(what_was_forgotten_is_known_and_little_else)
{
  unsigned wrong = 0;
  begin(&pool);
  for (uint32_t i = 0; i < TABLE; i++) {
    record(i, false);
  }
  ck_assert(!forgotten(0, false)); /* all are kept */
  for (uint32_t i = TABLE; i < 1000 + TABLE; i++) {
    record(i, i % 2 != 0);
  }
  for (uint32_t i = 0; i < 1000; i++) {
    expect(forgotten(i, i >= TABLE && i % 2 != 0), "header %u", i);
  }
  for (uint32_t i = 2000; i < 12000; i++) {
    wrong += forgotten(i, i % 2 != 0) ? 1 : 0;
  }
  ck_assert_uint_lt(wrong, 200); /* 2 % of those that were never there */
  rulesi_forgotten_release(&pool, &side);
}
END_TEST

/* Without memory for the first one nothing is certain, whatever memory there is later. */
START_TEST(without_memory_any_header_may_be_forgotten)
{
  static const iwarp_pool *const pools[] = {NULL, &empty};
  begin(pools[_i]);
  for (uint32_t i = 0; i <= TABLE; i++) {
    record(i, false);
  }
  ck_assert(forgotten(0, false) && forgotten(99, false));
  track.pool = &pool;
  record(TABLE + 1, false);
  ck_assert(forgotten(99, false));
  rulesi_forgotten_release(&pool, &side);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {what_was_forgotten_is_known_and_little_else, NULL};
  Suite *s = check_suite("rules-forgotten", tests);
  TCase *t = tcase_create("memory");
  tcase_add_loop_test(t, without_memory_any_header_may_be_forgotten, 0, 2);
  suite_add_tcase(s, t);
  return check_run(s);
}
