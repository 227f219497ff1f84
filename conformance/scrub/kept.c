/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranges of octets, by direction. */
#include "kept.h"

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

enum { KEPT_SLOTS = 64, KEPT_RANGES = 8 };

/* ---- memory ---- */

/* Counts what is to be allocated; false: the limit does not allow it. */
static bool kept_may(kept *k, size_t size) {
  k->wanted = k->used + size > k->wanted ? k->used + size : k->wanted;
  k->full = k->full || k->used + size > k->limit;
  k->used += k->full ? 0 : size;
  return !k->full;
}

static void *kept_get(kept *k, size_t num, size_t size) {
  void *at = kept_may(k, num * size) ? memory_zeroed(num, size) : NULL;
  k->failed = k->failed || (at == NULL && !k->full);
  return at;
}

/* ---- directions ---- */

static bool kept_grow(kept *k) {
  const size_t num = k->num_slots == 0 ? KEPT_SLOTS : 2 * k->num_slots;
  kept_dir **slot = kept_get(k, num, sizeof *slot);
  if (slot == NULL) {
    return false;
  }
  for (size_t i = 0; i < k->num_slots; i++) {
    kept_dir *last = NULL; /* the order of a list stays */
    while (k->slot[i] != NULL) {
      kept_dir *dir = k->slot[i];
      k->slot[i] = dir->next;
      dir->next = last;
      last = dir;
    }
    while (last != NULL) {
      kept_dir *dir = last;
      last = dir->next;
      dir->next = slot[dir->flow & (num - 1)];
      slot[dir->flow & (num - 1)] = dir;
    }
  }
  k->used -= k->num_slots * sizeof *slot;
  free(k->slot);
  k->slot = slot;
  k->num_slots = num;
  return true;
}

/* The direction of a connection, of the latest ones of its flow. */
static kept_dir *kept_known(const kept *k, uint64_t flow, uint64_t conn) {
  kept_dir *dir = k->num_slots > 0 ? k->slot[flow & (k->num_slots - 1)] : NULL;
  unsigned beside = 0;
  while (dir != NULL && (dir->flow != flow || dir->conn != conn)) {
    beside += dir->flow == flow;
    dir = beside < KEPT_BESIDE ? dir->next : NULL;
  }
  return dir;
}

static kept_dir *kept_make(kept *k, uint64_t flow, uint64_t conn, uint64_t pos, uint64_t packet) {
  if (k->num_dirs >= k->num_slots && !kept_grow(k)) {
    return NULL;
  }
  kept_dir *dir = kept_get(k, 1, sizeof *dir);
  if (dir != NULL) {
    kept_dir **slot = &k->slot[flow & (k->num_slots - 1)];
    *dir = (kept_dir){.next = *slot,
                      .flow = flow,
                      .conn = conn,
                      .from = packet,
                      .near = pos,
                      .low = pos,
                      .high = pos,
                      .number = k->num_dirs++};
    *slot = dir;
  }
  return dir;
}

kept_dir *kept_dir_of(kept *k, uint64_t flow, uint64_t conn, uint64_t pos, uint64_t len,
                      uint64_t packet) {
  kept_dir *dir = kept_known(k, flow, conn);
  if (dir == NULL) {
    dir = kept_make(k, flow, conn, pos, packet);
  }
  if (dir != NULL) {
    dir->low = pos < dir->low ? pos : dir->low;
    dir->high = pos + len > dir->high ? pos + len : dir->high;
  }
  return dir;
}

/* By flow, then by first packet, then the one that was made first. */
static int kept_compare_dirs(const void *a, const void *b) {
  const kept_dir *x = *(kept_dir *const *)a;
  const kept_dir *y = *(kept_dir *const *)b;
  if (x->flow != y->flow) {
    return x->flow < y->flow ? -1 : 1;
  }
  return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                            : (x->number > y->number) - (x->number < y->number);
}

/* The number of sorted directions that come before this flow, or began in it up to `packet`. */
static size_t kept_upto(const kept *k, uint64_t flow, uint64_t packet) {
  size_t from = 0;
  for (size_t to = k->num_dirs; from < to;) {
    const size_t mid = from + (to - from) / 2;
    const kept_dir *dir = k->sorted[mid];
    if (dir->flow < flow || (dir->flow == flow && dir->from <= packet)) {
      from = mid + 1;
    } else {
      to = mid;
    }
  }
  return from;
}

/* How far a sequence number is from the octets of the direction. */
static uint64_t kept_distance(const kept_dir *dir, uint32_t seq) {
  const uint64_t pos = kept_pos(dir, seq);
  return pos < dir->low ? dir->low - pos : pos > dir->high ? pos - dir->high : 0;
}

/* The nearest direction before the place `after`. */
static kept_dir *kept_nearest(const kept *k, size_t after, uint64_t flow, uint32_t lane,
                              uint32_t seq) {
  kept_dir *nearest = NULL;
  uint64_t least = UINT64_MAX;
  for (size_t i = 1; i <= KEPT_BESIDE && i <= after && k->sorted[after - i]->flow == flow; i++) {
    kept_dir *dir = k->sorted[after - i];
    const uint64_t other = dir->has_lane && dir->lane != lane ? 1 : 0;
    const uint64_t distance = 2 * kept_distance(dir, seq) + other;
    if (distance < least) {
      least = distance;
      nearest = dir;
    }
  }
  return nearest;
}

kept_dir *kept_find(const kept *k, uint64_t flow, uint64_t packet, uint32_t lane, uint32_t seq) {
  const size_t after = kept_upto(k, flow, packet);
  kept_dir *last = after > 0 && k->sorted[after - 1]->flow == flow ? k->sorted[after - 1] : NULL;
  if (last == NULL) {
    return after < k->num_dirs && k->sorted[after]->flow == flow ? k->sorted[after] : NULL;
  }
  if (last->from == packet) {
    last->lane = lane;
    last->has_lane = true;
    return last;
  }
  return kept_nearest(k, after, flow, lane, seq);
}

/* ---- ranges ---- */

static bool kept_room(kept *k, kept_dir *dir) {
  if (dir->num < dir->room) {
    return true;
  }
  const size_t room = dir->room == 0 ? KEPT_RANGES : dir->room + dir->room / 2;
  if (!kept_may(k, (room - dir->room) * sizeof *dir->range)) {
    return false;
  }
  kept_range *more = memory_resize(dir->range, room * sizeof *more);
  if (more == NULL) {
    k->failed = true;
    return false;
  }
  dir->range = more;
  dir->room = room;
  return true;
}

void kept_add(kept *k, kept_dir *dir, kept_kind kind, uint64_t pos, size_t len, uint32_t value) {
  while (len > 0 && kept_room(k, dir)) {
    const size_t n = len < KEPT_LONGEST ? len : KEPT_LONGEST;
    dir->range[dir->num++] =
        (kept_range){.pos = pos, .len = (uint16_t)n, .kind = (uint16_t)kind, .value = value};
    pos += n;
    len -= n;
  }
}

static int kept_compare(const void *a, const void *b) {
  const kept_range *x = a;
  const kept_range *y = b;
  return x->pos != y->pos ? (x->pos > y->pos) - (x->pos < y->pos)
                          : (x->len > y->len) - (x->len < y->len);
}

static bool kept_sorted(const kept_dir *dir) {
  size_t i = 1;
  while (i < dir->num && kept_compare(&dir->range[i - 1], &dir->range[i]) <= 0) {
    i++;
  }
  return i >= dir->num;
}

bool kept_sort(kept *k) {
  size_t num = 0;
  k->sorted = k->num_dirs > 0 ? kept_get(k, k->num_dirs, sizeof(kept_dir *)) : NULL;
  if (k->sorted == NULL) {
    return k->num_dirs == 0;
  }
  for (size_t i = 0; i < k->num_slots; i++) {
    for (kept_dir *dir = k->slot[i]; dir != NULL; dir = dir->next) {
      k->sorted[num++] = dir;
      if (!kept_sorted(dir)) {
        qsort(dir->range, dir->num, sizeof dir->range[0], kept_compare);
      }
    }
  }
  qsort(k->sorted, num, sizeof(kept_dir *), kept_compare_dirs);
  return true;
}

/* ---- octets ---- */

/* The first sorted range that may reach a position. */
static size_t kept_from(const kept_dir *dir, uint64_t pos) {
  size_t from = 0;
  for (size_t to = dir->num; from < to;) {
    const size_t mid = from + (to - from) / 2;
    if (dir->range[mid].pos + KEPT_LONGEST < pos) {
      from = mid + 1;
    } else {
      to = mid;
    }
  }
  return from;
}

/* Puts back what a range says of the octets. */
static void kept_put(const kept_range *r, uint64_t pos, uint8_t *octets, const uint8_t *were,
                     size_t len) {
  const uint64_t from = r->pos > pos ? r->pos - pos : 0;
  const uint64_t end = r->pos + r->len > pos ? r->pos + r->len - pos : 0;
  for (uint64_t i = from; i < end && i < len; i++) {
    const uint64_t at = pos + i - r->pos;
    const uint8_t value = at < sizeof r->value ? (uint8_t)(r->value >> 8 * at) : 0;
    octets[i] = r->kind == KEPT_SET ? value : (uint8_t)(were[i] ^ value);
  }
}

void kept_scrub(const mapping *m, const kept_dir *dir, uint64_t flow, uint64_t pos,
                const uint8_t *were, size_t len, uint8_t *octets, bool sorted) {
  memcpy(octets, were, len);
  mapping_stream(m, flow, pos, octets, len);
  if (dir == NULL) {
    return;
  }
  const size_t first = sorted ? kept_from(dir, pos) : dir->mark;
  for (unsigned kind = 0; kind < KEPT_KINDS; kind++) {
    for (size_t i = first; i < dir->num && (!sorted || dir->range[i].pos < pos + len); i++) {
      if (dir->range[i].kind == kind) {
        kept_put(&dir->range[i], pos, octets, were, len);
      }
    }
  }
}

void kept_free(kept *k) {
  for (size_t i = 0; i < k->num_slots; i++) {
    while (k->slot[i] != NULL) {
      kept_dir *dir = k->slot[i];
      k->slot[i] = dir->next;
      free(dir->range);
      free(dir);
    }
  }
  free(k->slot);
  free(k->sorted);
}
