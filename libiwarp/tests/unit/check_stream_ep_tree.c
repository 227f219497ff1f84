/* SPDX-License-Identifier: BSD-2-Clause */
/* The FPDUs placed before their turn are kept in order, at a bounded cost for each. */
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "../../src/endpoint/placed_early.h"
#include "check_run.h"
#include "prng.h"
#include "property.h"

#define MOST IWARP_ENDPOINT_LIST_MAX
#define LEAF 0x80000000u
#define STEPS_MAX 64u /* nodes on a path: one for each bit of an offset */

typedef struct set {
  ep_tree tree;
  ep_record *records;
  ep_node *nodes;
  uint64_t *offsets; /* in the order in which they are added */
  uint64_t *sorted;
  uint32_t num;
} set;

static set set_new(uint32_t num) {
  set s = {.records = calloc(num, sizeof(ep_record)),
           .nodes = calloc(num, sizeof(ep_node)),
           .offsets = calloc(num, sizeof(uint64_t)),
           .sorted = calloc(num, sizeof(uint64_t)),
           .num = num};
  ck_assert(s.records != NULL && s.nodes != NULL && s.offsets != NULL && s.sorted != NULL);
  iwarpi_ep_tree_init(&s.tree, s.records, s.nodes, num);
  return s;
}

static void set_free(set *s) {
  free(s->records);
  free(s->nodes);
  free(s->offsets);
  free(s->sorted);
}

static int by_value(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a;
  const uint64_t y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Nodes between the root and the record that a search for `offset` ends at. */
static uint32_t steps_to(const ep_tree *t, uint64_t offset) {
  uint32_t steps = 0;
  uint32_t link = t->root;
  while ((link & LEAF) == 0) {
    link = t->nodes[link].next[(offset & t->nodes[link].bit) != 0 ? 1 : 0];
    steps++;
  }
  return steps;
}

/* Adds all offsets, then takes them in order: no step is long. */
static void fill_and_drain(set *s) {
  uint32_t wrong = 0;
  uint32_t longest = 0;
  for (uint32_t i = 0; i < s->num; i++) {
    const ep_record v = {.offset = s->offsets[i], .wire_len = i};
    wrong += iwarpi_ep_tree_has(&s->tree, v.offset) ? 1 : 0;
    iwarpi_ep_tree_add(&s->tree, &v);
    s->sorted[i] = v.offset;
  }
  ck_assert_uint_eq(s->tree.num, s->num);
  qsort(s->sorted, s->num, sizeof s->sorted[0], by_value);
  for (uint32_t i = 0; i < s->num; i++) {
    const uint32_t steps = steps_to(&s->tree, s->sorted[i]);
    longest = steps > longest ? steps : longest;
    wrong += iwarpi_ep_tree_has(&s->tree, s->sorted[i]) ? 0 : 1;
  }
  for (uint32_t i = 0; i < s->num; i++) {
    const ep_record *v = iwarpi_ep_tree_first(&s->tree);
    wrong += v->offset == s->sorted[i] && v->offset == s->offsets[v->wire_len] ? 0 : 1;
    iwarpi_ep_tree_pop(&s->tree);
    wrong += iwarpi_ep_tree_has(&s->tree, s->sorted[i]) ? 1 : 0;
  }
  ck_assert_uint_eq(wrong, 0);
  ck_assert_uint_eq(s->tree.num, 0);
  ck_assert_uint_le(longest, STEPS_MAX);
  printf("%u records, at most %u nodes on a path\n", s->num, longest);
}

static uint64_t rising(uint32_t i) {
  return UINT64_C(600) * i;
}

static uint64_t falling(uint32_t i) {
  return UINT64_C(600) * (MOST - i);
}

/* From both ends to the middle: the dearest order for a sorted list. */
static uint64_t inward(uint32_t i) {
  return UINT64_C(600) * (i % 2 == 0 ? i : 2 * MOST - i);
}

/* Long paths: each offset parts from the others at a bit of its own, in blocks. */
static uint64_t deep(uint32_t i) {
  return UINT64_C(1) << (63 - i % 52) | (uint64_t)(i / 52) << 1;
}

static uint64_t scattered(uint32_t i) {
  prng p = {.state = i};
  return prng_next(&p) << 17 | i;
}

static uint64_t (*const orders[])(uint32_t) = {rising, falling, inward, deep, scattered};

/* 65,536 of them, the most that a configuration may ask for. */
START_TEST(orders_at_the_limit)
{
  set s = set_new(MOST);
  for (int again = 0; again < 2; again++) { /* what was given back is used again */
    for (uint32_t i = 0; i < MOST; i++) {
      s.offsets[i] = orders[_i](i);
    }
    fill_and_drain(&s);
  }
  set_free(&s);
}
END_TEST

/* Some go while others come, against a plain list. */
START_TEST(like_a_list)
{
  prng p = {.state = (uint64_t)_i};
  set s = set_new(40);
  uint32_t num = 0;
  for (uint32_t n = 0; n < 3000 / property_stride(); n++) {
    const uint64_t offset = prng_below(&p, _i % 2 == 0 ? 64 : UINT64_MAX);
    uint32_t at = 0;
    while (at < num && s.sorted[at] != offset) {
      at++;
    }
    ck_assert(iwarpi_ep_tree_has(&s.tree, offset) == (at < num));
    if (at == num && num < s.num && prng_below(&p, 5) > 1) {
      const ep_record v = {.offset = offset};
      iwarpi_ep_tree_add(&s.tree, &v);
      s.sorted[num++] = offset;
      qsort(s.sorted, num, sizeof s.sorted[0], by_value);
    } else if (num > 0) {
      ck_assert_uint_eq(iwarpi_ep_tree_first(&s.tree)->offset, s.sorted[0]);
      iwarpi_ep_tree_pop(&s.tree);
      num--;
      for (uint32_t i = 0; i < num; i++) {
        s.sorted[i] = s.sorted[i + 1];
      }
    }
    ck_assert_uint_eq(s.tree.num, num);
  }
  set_free(&s);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stream_ep_tree");
  TCase *t = tcase_create("stream_ep_tree");
  tcase_add_loop_test(t, orders_at_the_limit, 0, (int)(sizeof orders / sizeof orders[0]));
  tcase_add_loop_test(t, like_a_list, 0, 20);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
