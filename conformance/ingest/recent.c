/* SPDX-License-Identifier: BSD-2-Clause */
/* Which packets were captured twice. */
#include "conn.h"

void ing_recents_free(ing_recents *recents, const ingest_alloc *alloc) {
  if (recents->list != NULL) {
    alloc->put(alloc->ctx, recents->list, sizeof *recents->list);
    recents->list = NULL;
  }
}

static void recent_put(ing_recent_list *list, unsigned side, const ing_recent *packet) {
  list->of[side][list->num[side] % ING_RECENT] = *packet;
  list->num[side]++;
}

/* Makes the list where the first ones are not enough. Without memory no copy is known. */
static void recent_make(ingest *ing, ing_recents *r) {
  r->list = ing->alloc.get(ing->alloc.ctx, sizeof *r->list);
  if (r->list != NULL) {
    r->list->num[0] = r->list->num[1] = 0;
    for (size_t i = 0; i < ING_RECENT_FIRST; i++) {
      recent_put(r->list, r->first_side[i], &r->first[i]);
    }
  }
}

static const ing_recent *recent_later(const ing_recent *a, const ing_recent *b) {
  return a == NULL || b->time_ns > a->time_ns ? b : a;
}

static const ing_recent *recent_find_first(const ing_recents *r, unsigned side, uint64_t digest) {
  const ing_recent *latest = NULL;
  for (size_t i = 0; i < r->num_first; i++) {
    if (r->first_side[i] == side && r->first[i].digest == digest) {
      latest = recent_later(latest, &r->first[i]);
    }
  }
  return latest;
}

/* The latest packet with the digest, or NULL. */
static const ing_recent *recent_find(const ing_recents *r, unsigned side, uint64_t digest) {
  const ing_recent *latest = NULL;
  if (r->list == NULL) {
    return recent_find_first(r, side, digest);
  }
  const uint32_t num = r->list->num[side] < ING_RECENT ? r->list->num[side] : ING_RECENT;
  for (size_t i = 0; i < num; i++) {
    if (r->list->of[side][i].digest == digest) {
      latest = recent_later(latest, &r->list->of[side][i]);
    }
  }
  return latest;
}

bool ing_recent_has(const ing_recents *r, unsigned side, uint64_t digest) {
  return recent_find(r, side, digest) != NULL;
}

static uint64_t recent_now(const ingest *ing, const ing_recents *r) {
  return ing->now.time_ns > r->clock_ns ? ing->now.time_ns : r->clock_ns;
}

/* Returns true if a packet without Identification may be a copy: a bare acknowledgment is sent
 * again. */
static bool recent_may_repeat(const ing_segment *seg) {
  return seg->payload.len > 0 || (seg->flags & (ING_SYN | ING_FIN | ING_RST)) != 0;
}

bool ing_recent_is_copy(ingest *ing, ing_conn *conn, unsigned side) {
  const ing_segment *seg = &ing->seg;
  ing_recents *r = &conn->recents;
  const ing_recent *x = recent_find(r, side, seg->digest);
  if (x == NULL || (seg->ip_id == 0 &&
                    (!recent_may_repeat(seg) || recent_now(ing, r) - x->time_ns > ING_RECENT_NS))) {
    return false;
  }
  r->clock_ns = recent_now(ing, r);
  return ing_copies_equal(ing, conn, side);
}

void ing_recent_add(ingest *ing, ing_conn *conn, unsigned side, uint64_t digest) {
  ing_recents *r = &conn->recents;
  r->clock_ns = recent_now(ing, r);
  const ing_recent packet = {.digest = digest, .time_ns = r->clock_ns};
  if (r->num_first < ING_RECENT_FIRST) {
    r->first_side[r->num_first] = (uint8_t)side;
    r->first[r->num_first++] = packet;
    return;
  }
  if (r->list == NULL) {
    recent_make(ing, r);
  }
  if (r->list != NULL) {
    recent_put(r->list, side, &packet);
  }
}

void ing_recent_note(ingest *ing, ing_conn *conn, unsigned side) {
  ing_recent_add(ing, conn, side, ing->seg.digest);
}
