/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures over time: intervals, and throughput in slots. */
#include <string.h>

#include <memory/memory.h>

#include "state.h"

#define SLOT_FIRST_WIDTH UINT64_C(1000) /* ns */

enum { INTERVAL_FIRST_ROOM = 4 };

static bool intervals_make_room(stats *s) {
  if (s->num_intervals < s->room_intervals) {
    return true;
  }
  const size_t room = s->room_intervals > 0 ? 2 * s->room_intervals : INTERVAL_FIRST_ROOM;
  stats_interval *grown = memory_resize(s->intervals, room * sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  s->intervals = grown;
  s->room_intervals = room;
  return true;
}

stats_interval *st_interval_make(stats *s, uint64_t ns) {
  const uint64_t index = (ns - s->figures.first_ns) / s->cfg->interval_ns;
  size_t i = s->num_intervals;
  while (i > 0 && s->intervals[i - 1].index > index) {
    i--;
  }
  if (i > 0 && s->intervals[i - 1].index == index) {
    return &s->intervals[i - 1];
  }
  if (s->num_intervals == ST_INTERVALS_MAX) {
    s->figures.limits |= STATS_LIMIT_INTERVALS;
    s->num_intervals--;
    memmove(s->intervals, s->intervals + 1, s->num_intervals * sizeof *s->intervals);
    i -= i > 0 ? 1u : 0u;
  }
  if (!intervals_make_room(s)) {
    return NULL;
  }
  memmove(s->intervals + i + 1, s->intervals + i, (s->num_intervals - i) * sizeof *s->intervals);
  s->intervals[i] = (stats_interval){.index = index};
  s->num_intervals++;
  return &s->intervals[i];
}

/* The earliest time of anything to come. */
static uint64_t interval_bound(const stats *s) {
  uint64_t bound = s->clock_ns;
  for (unsigned side = 0; side < 2; side++) {
    const st_items *q = &s->side[side].items;
    const uint64_t next = st_bound(s, side).ns;
    const uint64_t waits = q->head < q->num ? q->of[q->head].at.ns : UINT64_MAX;
    bound = next < bound ? next : bound;
    bound = waits < bound ? waits : bound;
  }
  return bound;
}

void st_intervals_give(stats *s, bool all) {
  size_t num = 0;
  if (s->num_intervals == 0) {
    return;
  }
  const uint64_t bound = all ? 0 : (interval_bound(s) - s->figures.first_ns) / s->cfg->interval_ns;
  while (num < s->num_intervals && (all || s->intervals[num].index < bound)) {
    s->cfg->interval(s->cfg->ctx, s->conn, &s->intervals[num]);
    num++;
  }
  s->num_intervals -= num;
  memmove(s->intervals, s->intervals + num, s->num_intervals * sizeof *s->intervals);
}

/* Makes each slot twice as wide. */
static void slots_widen(stats_slots *slots) {
  for (size_t i = 0; i < STATS_SLOTS / 2; i++) {
    slots->of[i] = slots->of[2 * i] + slots->of[2 * i + 1];
  }
  memset(slots->of + STATS_SLOTS / 2, 0, STATS_SLOTS / 2 * sizeof slots->of[0]);
  slots->width_ns *= 2;
  slots->num = (slots->num + 1) / 2;
}

/* Finds the slot of a time since the first packet. */
static void slot_find(st_side *x, stats_slots *slots, uint64_t since) {
  slots->width_ns = slots->width_ns > 0 ? slots->width_ns : SLOT_FIRST_WIDTH;
  while (since / slots->width_ns >= STATS_SLOTS) {
    slots_widen(slots);
  }
  x->slot = (size_t)(since / slots->width_ns);
  x->slot_ns = x->slot * slots->width_ns;
  slots->num = x->slot + 1 > slots->num ? x->slot + 1 : slots->num;
}

void st_slot_add(stats *s, unsigned side, uint64_t ns, uint64_t octets) {
  stats_slots *slots = &s->figures.side[side].slots;
  st_side *x = &s->side[side];
  const uint64_t since = ns - s->figures.first_ns;
  if (since < x->slot_ns || since - x->slot_ns >= slots->width_ns) {
    slot_find(x, slots, since);
  }
  slots->of[x->slot] += octets;
}
