/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes what both directions hold in the order of the packets that deliver it. */
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#include "state.h"

enum { ORDER_FIRST_ROOM = 16 };

static bool items_make_room(st_items *q) {
  if (q->num < q->room) {
    return true;
  }
  if (q->head > q->num / 2) {
    q->num -= q->head;
    memmove(q->of, q->of + q->head, q->num * sizeof *q->of);
    q->head = 0;
    return true;
  }
  const size_t room = q->room > 0 ? 2 * q->room : ORDER_FIRST_ROOM;
  st_item *grown = memory_resize(q->of, room * sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  q->of = grown;
  q->room = room;
  return true;
}

void st_item_add(stats *s, unsigned side, const st_item *item) {
  st_items *q = &s->side[side].items;
  if (items_make_room(q)) {
    q->of[q->num++] = *item;
  }
}

static const st_item *item_first(const stats *s, unsigned side) {
  const st_items *q = &s->side[side].items;
  return q->head < q->num ? &q->of[q->head] : NULL;
}

/* The side whose first item comes next, or 2. */
static unsigned item_side(const stats *s) {
  const st_item *a = item_first(s, 0);
  const st_item *b = item_first(s, 1);
  if (a == NULL && b == NULL) {
    return 2;
  }
  return b == NULL || (a != NULL && a->at.packet <= b->at.packet) ? 0 : 1;
}

/* Returns true if the other direction may still have an earlier item. */
static bool item_waits(const stats *s, unsigned side, const st_item *item) {
  const unsigned other = side ^ 1u;
  return !s->by_events && item_first(s, other) == NULL &&
         st_bound(s, other).packet < item->at.packet;
}

static void item_pass(stats *s, unsigned side) {
  st_items *q = &s->side[side].items;
  st_item item = q->of[q->head++];
  if (q->head == q->num) {
    q->head = q->num = 0;
  }
  if (item.at.packet < s->taken.packet) { /* the item is late: no time goes back */
    s->figures.limits |= STATS_LIMIT_ORDER;
    item.at = s->taken;
  }
  if (s->by_events && item.at.ns < s->taken.ns) { /* times of events alone may go backwards */
    item.at.ns = s->taken.ns;
  }
  s->taken = item.at;
  st_item_take(s, side, &item);
}

void st_items_take(stats *s, bool all) {
  for (unsigned side = item_side(s); side < 2; side = item_side(s)) {
    const st_items *q = &s->side[side].items;
    const bool full = q->num - q->head > ST_ITEMS_MAX;
    if (!all && !full && item_waits(s, side, item_first(s, side))) {
      return;
    }
    item_pass(s, side);
  }
}
