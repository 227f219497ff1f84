/* SPDX-License-Identifier: BSD-2-Clause */
/* The skip list of waiting octets, against a plain model of what it holds. */
#include "check_run.h"
#include "ingest/reassembly.h"
#include "prng.h"
#include "tcp_fixture.h"

enum { PLACES = 96, BASE = 1000, ROUNDS = 200, ADDS = 40 };

typedef struct hold {
  tcp_fixture *w; /* for its alloc */
  uint64_t steps;
  ing_budget budget;
  ing_reassembly list;
  size_t held;
  bool there[PLACES];
  uint8_t octet[PLACES];
  prng rng;
} hold;

static hold *hold_new(uint64_t seed) {
  hold *h = calloc(1, sizeof *h);
  ck_assert_ptr_nonnull(h);
  h->w = tcp_fixture_new();
  h->budget = (ing_budget){.alloc = &h->w->cfg.alloc, .steps = &h->steps, .random = seed};
  h->rng.state = seed;
  return h;
}

static void hold_end(hold *h) {
  for (ing_block *b; (b = ing_reassembly_pop(&h->list)) != NULL;) {
    h->held -= ing_block_size(b);
    ing_block_free(b, &h->budget);
  }
  ck_assert_uint_eq(h->held, 0);
  ck_assert_uint_eq(h->budget.all, 0);
  ck_assert_uint_eq(tcp_fixture_free(h->w), 0);
  free(h);
}

/* Each level has the blocks that reach it, in their order. */
static bool levels_fit(const ing_reassembly *list) {
  const ing_block *next[ING_REASSEMBLY_LEVELS];
  memcpy(next, list->head, sizeof next);
  bool fit = true;
  for (const ing_block *b = list->head[0]; b != NULL; b = b->next[0]) {
    for (unsigned level = 0; level < ING_REASSEMBLY_LEVELS; level++) {
      fit = fit && (next[level] == b) == (level < b->levels);
      next[level] = next[level] == b ? b->next[level] : next[level];
    }
  }
  for (unsigned level = 0; level < ING_REASSEMBLY_LEVELS; level++) {
    fit = fit && next[level] == NULL;
  }
  return fit;
}

static bool octets_fit(const hold *h, const ing_block *b, bool ranges) {
  return ranges ? b->data == NULL : memcmp(b->data, &h->octet[b->pos - BASE], b->len) == 0;
}

/* The list holds what the model does; ranges that touch are one. */
static void check(const hold *h, bool ranges) {
  bool there[PLACES] = {false};
  bool fit = levels_fit(&h->list);
  size_t size = 0;
  uint64_t end = 0;
  for (const ing_block *b = h->list.head[0]; b != NULL; b = b->next[0]) {
    fit = fit && b->len > 0 && (ranges ? b->pos > end : b->pos >= end) && octets_fit(h, b, ranges);
    end = ing_block_end(b);
    size += ing_block_size(b);
    memset(&there[b->pos - BASE], true, b->len);
  }
  ck_assert(fit);
  ck_assert_mem_eq(there, h->there, sizeof there);
  ck_assert_uint_eq(size, h->held);
  ck_assert_uint_eq(size, h->budget.all);
}

static bool add(hold *h, size_t from, size_t len, bool unverified) {
  uint8_t octets[PLACES];
  for (size_t i = 0; i < len; i++) {
    octets[i] = (uint8_t)prng_next(&h->rng);
    if (!h->there[from + i] || unverified) {
      h->octet[from + i] = octets[i];
    }
    h->there[from + i] = true;
  }
  const ing_block block = {
      .pos = BASE + from, .len = len, .data = octets, .unverified = unverified};
  return ing_reassembly_add(&h->list, &h->budget, &h->held, &block);
}

/* The first copy counts, or the last where none was verified. */
START_TEST(octets_in_any_order)
{
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    hold *h = hold_new(seed);
    for (unsigned i = 0; i < ADDS; i++) {
      const size_t len = 1 + prng_below(&h->rng, 12);
      ck_assert(add(h, prng_below(&h->rng, PLACES - len), len, seed % 2 == 0));
      check(h, false);
    }
    hold_end(h);
  }
}
END_TEST

START_TEST(ranges_in_any_order)
{
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    hold *h = hold_new(seed);
    for (unsigned i = 0; i < ADDS; i++) {
      const size_t len = 1 + prng_below(&h->rng, 4);
      const size_t from = prng_below(&h->rng, PLACES - len);
      const ing_block range = {.pos = BASE + from, .len = len};
      memset(&h->there[from], true, len);
      ck_assert(ing_reassembly_add_range(&h->list, &h->budget, &h->held, &range));
      check(h, true);
    }
    hold_end(h);
  }
}
END_TEST

/* What is known of the octets goes with each part of a segment; only its first begins one. */
START_TEST(what_blocks_carry)
{
  hold *h = hold_new(1);
  static const uint8_t octets[30];
  const ing_block middle = {.pos = BASE + 10, .len = 10, .data = octets, .from = {.packet = 1}};
  const ing_block whole = {.pos = BASE,
                           .len = 30,
                           .data = octets,
                           .from = {.packet = 2, .time_ns = 3, .ack = 4},
                           .segment_start = true,
                           .unverified = true};
  ck_assert(ing_reassembly_add(&h->list, &h->budget, &h->held, &middle));
  ck_assert(ing_reassembly_add(&h->list, &h->budget, &h->held, &whole));
  const ing_block *b = h->list.head[0];
  for (unsigned part = 0; part < 3; part++, b = b->next[0]) {
    ck_assert_uint_eq(b->pos, BASE + 10 * part);
    ck_assert_uint_eq(b->len, 10);
    ck_assert_uint_eq(b->from.packet, part == 1 ? 1 : 2);
    ck_assert_uint_eq(b->from.time_ns, part == 1 ? 0 : 3);
    ck_assert_uint_eq(b->from.ack, part == 2 ? 4 : 0); /* no more than what is after it answers */
    ck_assert_int_eq(b->segment_start, part == 0);
    ck_assert_int_eq(b->unverified, part != 1);
  }
  ck_assert_ptr_null(b);
  hold_end(h);
}
END_TEST

/* A copy of all of a block tells what it answers, and whether it is verified; one with other
 * octets replaces what is not. */
START_TEST(what_a_copy_changes)
{
  static const uint8_t octets[2][30] = {{0}, {[0] = 1, [1] = 1, [2] = 1}};
  for (unsigned i = 0; i < 18; i++) {
    const unsigned from = 9 + i % 3;
    const unsigned to = 19 + i / 3 % 3;
    const bool other = i >= 9;
    const bool all = from <= 10 && to >= 20;
    hold *h = hold_new(1);
    const ing_block first = {.pos = BASE + 10,
                             .len = 10,
                             .data = octets[0],
                             .from = {.packet = 1, .ack = 7},
                             .unverified = true};
    const ing_block copy = {.pos = BASE + from,
                            .len = to - from,
                            .data = octets[other],
                            .from = {.packet = 2, .ack = 5}};
    ck_assert(ing_reassembly_add(&h->list, &h->budget, &h->held, &first));
    ck_assert(ing_reassembly_add(&h->list, &h->budget, &h->held, &copy));
    const ing_block *b = h->list.head[0];
    b = b->pos < BASE + 10 ? b->next[0] : b;
    ck_assert_uint_eq(b->pos, BASE + 10);
    ck_assert_uint_eq(b->from.ack, all || other ? 5 : 7);
    ck_assert_uint_eq(b->from.packet, other ? 2 : 1);
    ck_assert_int_eq(b->unverified, !all);
    hold_end(h);
  }
}
END_TEST

/* A later copy does not make an earlier one answer more. */
START_TEST(a_copy_that_acknowledges_more)
{
  static const uint8_t octets[10] = {0};
  hold *h = hold_new(1);
  for (uint64_t ack = 5; ack < 8; ack++) {
    const ing_block block = {.pos = BASE, .len = 10, .data = octets, .from = {.ack = ack}};
    ck_assert(ing_reassembly_add(&h->list, &h->budget, &h->held, &block));
  }
  ck_assert_uint_eq(h->list.head[0]->from.ack, 5);
  hold_end(h);
}
END_TEST

/* The next eight blocks are asked. */
START_TEST(how_far_a_cause_is_looked_for)
{
  for (unsigned far = 0; far < 10; far++) {
    ing_block blocks[10] = {{.pos = 0}};
    uint64_t steps = 0;
    for (unsigned i = 0; i < 10; i++) {
      blocks[i].from.ack = i == far ? 3 : 100;
      blocks[i].next[0] = i < 9 ? &blocks[i + 1] : NULL;
    }
    ck_assert_uint_eq(ing_reassembly_cause(blocks, 50, &steps), far < 8 ? 3 : 50);
    ck_assert_uint_eq(steps, 8);
  }
  uint64_t steps = 0;
  ing_block lone = {.from.ack = 3};
  ck_assert_uint_eq(ing_reassembly_cause(&lone, INGEST_POS_UNKNOWN, &steps), INGEST_POS_UNKNOWN);
  ck_assert_uint_eq(steps, 0);
  ck_assert_uint_eq(ing_reassembly_cause(NULL, 9, &steps), 9);
}
END_TEST

START_TEST(no_memory)
{
  hold *h = hold_new(1);
  static const uint8_t octets[30];
  const ing_block middle = {.pos = BASE + 10, .len = 10, .data = octets};
  const ing_block whole = {.pos = BASE, .len = 30, .data = octets};
  const ing_block range = {.pos = BASE, .len = 5};
  ck_assert(ing_reassembly_add(&h->list, &h->budget, &h->held, &middle));
  h->w->gets_left = 1;
  ck_assert(!ing_reassembly_add(&h->list, &h->budget, &h->held, &whole));
  ing_reassembly ranges = {{NULL}};
  ck_assert(!ing_reassembly_add_range(&ranges, &h->budget, &h->held, &range));
  h->w->gets_left = -1;
  ck_assert(ing_reassembly_add(&h->list, &h->budget, &h->held, &whole));
  ck_assert_uint_eq(h->held, 3 * (sizeof(ing_block) + 10));
  hold_end(h);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {octets_in_any_order,
                                ranges_in_any_order,
                                what_blocks_carry,
                                what_a_copy_changes,
                                a_copy_that_acknowledges_more,
                                how_far_a_cause_is_looked_for,
                                no_memory,
                                NULL};
  return check_run(check_suite("ingest-reassembly", tests));
}
