/* SPDX-License-Identifier: BSD-2-Clause */
/* The scale of a distribution. */
#include <stats/hist.h>

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

enum {
  HIST_LINEAR = 128,    /* numbers below have steps of their own */
  HIST_LINEAR_BITS = 7, /* logarithm of HIST_LINEAR */
  HIST_STEPS = 64,      /* steps of each octave above */
  HIST_STEP_BITS = 6,
  HIST_FIRST_ROOM = 8,
  HIST_SIZE_BUCKETS = 66,    /* 0, 1, 2, 4 to 2^63, and more */
  HIST_DURATION_BUCKETS = 26 /* 1 us to 100 s, and more */
};

#define HIST_MICROSECOND UINT64_C(1000) /* nanoseconds */

/* The number of the highest bit that is set; `v` is not 0. */
static unsigned int hist_top(uint64_t v) {
  unsigned int top = 0;
  for (unsigned int half = 32; half > 0; half /= 2) {
    if (v >> half != 0) {
      v >>= half;
      top += half;
    }
  }
  return top;
}

static uint32_t hist_step(uint64_t v) {
  if (v < HIST_LINEAR) {
    return (uint32_t)v;
  }
  const unsigned int top = hist_top(v);
  const uint64_t in_octave = (v >> (top - HIST_STEP_BITS)) - HIST_STEPS;
  return (uint32_t)(HIST_LINEAR + (top - HIST_LINEAR_BITS) * HIST_STEPS + in_octave);
}

/* The middle of a step. */
static uint64_t hist_middle(uint32_t step) {
  if (step < HIST_LINEAR) {
    return step;
  }
  const unsigned int octave = (step - HIST_LINEAR) / HIST_STEPS;
  const uint64_t in_octave = (step - HIST_LINEAR) % HIST_STEPS + HIST_STEPS;
  const unsigned int shift = octave + HIST_LINEAR_BITS - HIST_STEP_BITS;
  return (in_octave << shift) + (UINT64_C(1) << (shift - 1));
}

size_t stats_hist_buckets(stats_hist_kind kind) {
  return kind == STATS_SIZES ? HIST_SIZE_BUCKETS : HIST_DURATION_BUCKETS;
}

uint64_t stats_hist_bound(stats_hist_kind kind, size_t i) {
  static const uint64_t of_decade[] = {1, 2, 5};
  if (i + 1 >= stats_hist_buckets(kind)) {
    return UINT64_MAX;
  }
  if (kind == STATS_SIZES) {
    return i == 0 ? 0 : UINT64_C(1) << (i - 1);
  }
  uint64_t bound = HIST_MICROSECOND * of_decade[i % 3];
  for (size_t decade = i / 3; decade > 0; decade--) {
    bound *= 10;
  }
  return bound;
}

static size_t hist_bucket(stats_hist_kind kind, uint64_t v) {
  if (kind == STATS_SIZES) {
    return v <= 1 ? (size_t)v : hist_top(v - 1) + 2u;
  }
  size_t low = 0;
  size_t high = HIST_DURATION_BUCKETS - 1;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (v <= stats_hist_bound(kind, middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/* The first cell whose step is not below. */
static size_t hist_find(const stats_hist *h, uint32_t step) {
  size_t low = 0;
  size_t high = h->num;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (h->cells[middle].step < step) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static bool hist_make_room(stats_hist *h) {
  if (h->num < h->room) {
    return true;
  }
  const size_t room = h->room > 0 ? 2 * h->room : HIST_FIRST_ROOM;
  stats_hist_cell *grown = memory_resize(h->cells, room * sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  h->cells = grown;
  h->room = room;
  return true;
}

/* Finds or makes the cell of the step, which is `last` then. Returns false if there is no memory.
 */
static bool hist_cell(stats_hist *h, uint32_t step) {
  if (h->last >= h->num || h->cells[h->last].step != step) {
    h->last = hist_find(h, step);
  }
  if (h->last == h->num || h->cells[h->last].step != step) {
    if (!hist_make_room(h)) {
      return false;
    }
    stats_hist_cell *at = &h->cells[h->last];
    memmove(at + 1, at, (h->num - h->last) * sizeof *at);
    *at = (stats_hist_cell){.step = step};
    h->num++;
  }
  return true;
}

void stats_hist_settle(stats_hist *h) {
  const uint64_t v = h->value;
  if (h->run == 0) {
    return;
  }
  h->min = h->count == 0 || v < h->min ? v : h->min;
  h->max = v > h->max ? v : h->max;
  h->count += h->run;
  h->sum += v * h->run;
  h->bound[hist_bucket(h->kind, v)] += h->run;
  if (hist_cell(h, hist_step(v))) {
    h->cells[h->last].count += h->run;
  }
  h->run = 0;
}

uint64_t stats_hist_rank(const stats_hist *h, unsigned int percent) {
  const uint64_t rank =
      h->count / 100 * percent + (h->count % 100 * percent + 99) / 100; /* rounded up */
  uint64_t below = 0;
  size_t i = 0;
  while (i + 1 < h->num && below + h->cells[i].count < rank) {
    below += h->cells[i].count;
    i++;
  }
  const uint64_t v = hist_middle(h->cells[i].step);
  return v < h->min ? h->min : v > h->max ? h->max : v;
}

void stats_hist_free(stats_hist *h) {
  free(h->cells);
  h->cells = NULL;
  h->num = h->room = 0;
}
