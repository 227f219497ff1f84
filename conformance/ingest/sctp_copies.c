/* SPDX-License-Identifier: BSD-2-Clause */
/* Chunks that were captured more than once: which copy the receiver accepted. */
#include <string.h>

#include "base/minmax.h"
#include "history.h"
#include "sctp_priv.h"

enum {
  CAME_GROWTH = 4,  /* the next table has so many times as many slots */
  PARTS_LOOK = 1024 /* chunks of the message under way that are looked at for a copy */
};

/* ---- chunks that came out ---- */

static size_t node_size(const sctp_node *n) {
  return sizeof *n + n->cap;
}

static size_t table_size(uint32_t slots) {
  return sizeof(sctp_came) + slots * sizeof(sctp_node *);
}

static sctp_node **slot_of(sctp_came *came, uint64_t tsn) {
  return &came->slot[tsn & (came->size - 1)];
}

static void table_free(struct ing_sctp *s, sctp_came *came) {
  const size_t size = table_size(came->size);
  s->came -= size;
  s->alloc.put(s->alloc.ctx, came, size);
}

/* Forgets the oldest chunk; there is one. */
static void sctp_forget(struct ing_sctp *s, sctp_came *came) {
  sctp_node *n = came->first;
  sctp_node **slot = slot_of(came, n->tsn);
  came->first = n->next[0];
  came->last = came->first != NULL ? came->last : NULL;
  *slot = *slot == n ? NULL : *slot;
  came->count--;
  came->octets -= node_size(n);
  s->came -= node_size(n);
  ing_sctp_node_free(s, n);
}

/* Makes the table of a direction, or a larger one; the old one stays where there is no memory. */
static void make_table(struct ing_sctp *s, sctp_dir *d, uint32_t slots) {
  const size_t size = table_size(slots);
  sctp_came *old = d->came;
  if (s->came + size > s->came_max) {
    return;
  }
  sctp_came *came = s->alloc.get(s->alloc.ctx, size);
  if (came == NULL) {
    return;
  }
  memset(came, 0, size);
  *s->steps += size / 8;
  s->came += size;
  came->size = slots;
  for (sctp_node *n = old != NULL ? old->first : NULL; n != NULL; n = n->next[0]) {
    *slot_of(came, n->tsn) = n;
    ++*s->steps;
  }
  if (old != NULL) {
    came->first = old->first;
    came->last = old->last;
    came->octets = old->octets;
    came->count = old->count;
    table_free(s, old);
  }
  d->came = came;
}

/* Returns true if a chunk of `size` octets has room in the table. It forgets older chunks for it.
 */
static bool make_room(struct ing_sctp *s, sctp_came *came, size_t size) {
  while (came->first != NULL && (came->octets + size > SCTP_CAME_OCTETS ||
                                 s->came + size > s->came_max || came->count == SCTP_CAME_MAX)) {
    sctp_forget(s, came);
  }
  return size <= SCTP_CAME_OCTETS && s->came + size <= s->came_max;
}

void ing_sctp_keep(struct ing_sctp *s, sctp_dir *d, sctp_node *n) {
  const size_t size = node_size(n);
  if (d->came == NULL) {
    make_table(s, d, SCTP_CAME_MIN);
  } else if (d->came->count == d->came->size && d->came->size < SCTP_CAME_MAX) {
    make_table(s, d, d->came->size * CAME_GROWTH);
  }
  sctp_came *came = d->came;
  if (came == NULL || !make_room(s, came, size)) {
    ing_sctp_node_free(s, n);
    return;
  }
  n->next[0] = NULL;
  *(came->last != NULL ? &came->last->next[0] : &came->first) = n;
  came->last = n;
  came->count++;
  came->octets += size;
  s->came += size;
  *slot_of(came, n->tsn) = n;
  ++*s->steps;
}

sctp_node *ing_sctp_came_find(struct ing_sctp *s, sctp_dir *d, uint64_t tsn) {
  sctp_node *n = d->parts.first;
  if (n != NULL && tsn >= n->tsn) { /* the chunk is about to come out */
    for (unsigned left = PARTS_LOOK; n != NULL && n->tsn != tsn && left > 0; left--) {
      n = n->next[0];
      ++*s->steps;
    }
    return n != NULL && n->tsn == tsn ? n : NULL;
  }
  n = d->came != NULL ? *slot_of(d->came, tsn) : NULL;
  return n != NULL && n->tsn == tsn ? n : NULL;
}

/* ---- which copy counts ---- */

void ing_sctp_note_got(struct ing_sctp *s, sctp_dir *d, const sctp_chunk *sack, uint64_t below) {
  const size_t gaps = ing_be16(&sack->body, 12);
  sctp_got *got = &d->got;
  if (below < got->below) {
    return; /* the SACK was captured late */
  }
  *got = (sctp_got){.packet = s->number, .below = below, .top = below};
  for (size_t i = 0; i < gaps && i < SCTP_WAIT_BLOCKS && 16 + 4 * i + 4 <= sack->body.cap; i++) {
    got->from[i] = ing_be16(&sack->body, 16 + 4 * i);
    got->to[i] = ing_be16(&sack->body, 16 + 4 * i + 2);
    got->top = below + got->to[i] > got->top ? below + got->to[i] : got->top;
    got->num++;
    ++*s->steps;
  }
  got->whole = got->num == gaps;
}

/* Returns true if the receiver has the chunk. RFC 9260 3.3.4 */
static bool has(struct ing_sctp *s, const sctp_dir *d, uint64_t tsn) {
  const sctp_got *got = &d->got;
  bool in = d->acked > tsn;
  for (unsigned i = 0; i < got->num && !in; i++) {
    in = tsn + 1 >= got->below + got->from[i] && tsn + 1 <= got->below + got->to[i];
    ++*s->steps;
  }
  return in;
}

/* Returns true if a SACK that came after the chunk reports later ones as received, and not this
 * one. */
static bool lacks(const sctp_dir *d, const sctp_node *first) {
  const sctp_got *got = &d->got;
  return got->packet > first->packet && got->whole && first->tsn < got->top;
}

/*
 * What the receiver acknowledged before the second copy was sent is the first one. A SACK shows
 * that the first copy was lost. One of a cut packet was damaged where a whole one differs: the
 * receiver dropped it.
 */
static ingest_copy sctp_accepted(struct ing_sctp *s, const sctp_dir *d, const sctp_node *first) {
  if (has(s, d, first->tsn)) {
    return INGEST_COPY_FIRST;
  }
  const bool damaged = first->unverified && s->pkt.sum == ING_SUM_GOOD;
  return damaged || lacks(d, first) ? INGEST_COPY_SECOND : INGEST_COPY_UNKNOWN;
}

/* ---- copies that differ ---- */

/* The I bit, which a sender may set when it sends a chunk again, says nothing of the chunk. RFC
 * 7053 */
static bool same_header(const sctp_node *a, const sctp_node *b) {
  const uint8_t flags = SCTP_FLAG_B | SCTP_FLAG_E | SCTP_FLAG_U;
  return a->stream == b->stream && a->ssn == b->ssn && a->ppid == b->ppid &&
         ((a->flags ^ b->flags) & flags) == 0 && a->len == b->len && a->opaque == b->opaque;
}

/* Compares two copies, as far as both were captured; true with *x where they differ. */
static bool differ(struct ing_sctp *s, const sctp_node *a, const sctp_node *b, sctp_conflict *x) {
  const size_t both = size_min(a->cap, b->cap);
  ing_difference d = {.pos = both, .end = both};
  *s->steps += both;
  if (memcmp(a->data, b->data, both) != 0) {
    ing_difference_of(&d, a->data, b->data, 0, both);
  }
  size_t from = (size_t)d.pos;
  size_t end = (size_t)d.end;
  if (a->len != b->len) {
    from = size_min(from, size_min(a->len, b->len));
    end = size_max(a->len, b->len);
  }
  x->what.from = from;
  x->len = end - from;
  x->what.header = !same_header(a, b);
  return x->len > 0 || x->what.header;
}

static ingest_mark sctp_mark_of(const sctp_node *n) {
  return (ingest_mark){.packet = n->packet, .time_ns = n->time_ns};
}

static void queue(sctp_assoc *a, sctp_conflict *x) {
  x->next = NULL;
  *(a->conflicts != NULL ? &a->conflicts_last->next : &a->conflicts) = x;
  a->conflicts_last = x;
}

void ing_sctp_conflicts_due(sctp_assoc *a, sctp_node *n) {
  while (n->conflicts != NULL) {
    sctp_conflict *x = n->conflicts;
    n->conflicts = x->next;
    queue(a, x);
  }
}

/* Keeps a conflict between the chunk and its second copy, `n`; NULL: there is no memory. */
static sctp_conflict *note(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_node *first,
                           const sctp_node *n, const sctp_conflict *found) {
  sctp_conflict *x = s->alloc.get(s->alloc.ctx, sizeof *x);
  if (x == NULL) {
    a->dir[side].limit = INGEST_LIMIT_MEMORY;
    ing_sctp_limit(a, INGEST_LIMIT_MEMORY);
    return NULL;
  }
  *x = *found;
  x->side = (uint8_t)side;
  x->tsn = first->tsn;
  x->second = sctp_mark_of(n);
  x->what.first = sctp_mark_of(first);
  x->what.stream = first->stream;
  x->what.ppid = first->ppid;
  x->what.begins = (first->flags & SCTP_FLAG_B) != 0;
  x->what.head_len = size_min(first->cap, sizeof x->head);
  memcpy(x->head, first->data, x->what.head_len);
  x->what.head = x->head;
  return x;
}

/* The receiver may have accepted the other copy. */
static void doubt(sctp_node *n, const sctp_conflict *x) {
  if (x->what.header) {
    n->differ_from = 0;
    n->differ_end = SIZE_MAX;
  } else if (n->differ_end == 0) {
    n->differ_from = x->what.from;
    n->differ_end = x->what.from + x->len;
  } else if (n->differ_end != SIZE_MAX) {
    const size_t end = x->what.from + x->len;
    n->differ_from = size_min(n->differ_from, x->what.from);
    n->differ_end = size_max(n->differ_end, end);
  }
}

/* Returns true if another copy has a wrong checksum and this one has not: the receiver dropped the
 * other copy. */
static bool dropped(const sctp_node *other, const sctp_node *n) {
  return other->damaged && !n->damaged;
}

/* Puts the second copy in the place of the first one. What its sender knew when it sent the chunk
 * for the first time stays. */
static void sctp_replace(struct ing_sctp *s, sctp_assoc *a, sctp_dir *d, sctp_node *first,
                         sctp_node *n) {
  n->known = first->known;
  n->acked = first->acked;
  n->overtook = first->overtook;
  n->bundled_before = first->bundled_before;
  n->since = first->since;
  n->path = first->path;
  n->after = first->after;
  n->after_gaps = first->after_gaps;
  n->copies = first->copies;
  n->conflicts = first->conflicts;
  ing_sctp_held_replace(s, &d->held, first, n);
  a->held += node_size(n) - node_size(first);
  s->held += node_size(n) - node_size(first);
  ing_sctp_node_free(s, first);
}

/* Adds the conflict to the list of the chunk. */
static void attach(sctp_node *n, sctp_conflict *x) {
  sctp_conflict **at = &n->conflicts;
  while (*at != NULL) {
    at = &(*at)->next;
  }
  *at = x;
}

void ing_sctp_copy_held(struct ing_sctp *s, sctp_assoc *a, unsigned side, sctp_node *first,
                        sctp_node *n) {
  sctp_dir *d = &a->dir[side];
  sctp_conflict found = {.next = NULL};
  sctp_conflict *x = NULL;
  first->copies++;
  if (!dropped(n, first) && differ(s, first, n, &found)) {
    const ingest_copy copy = sctp_accepted(s, d, first);
    if (copy != INGEST_COPY_FIRST && dropped(first, n)) {
      sctp_replace(s, a, d, first, n);
      return;
    }
    found.what.accepted = copy;
    x = note(s, a, side, first, n, &found);
  }
  if (x != NULL) {
    attach(first, x);
    if (x->what.accepted == INGEST_COPY_SECOND) {
      sctp_replace(s, a, d, first, n);
      return;
    }
    if (x->what.accepted == INGEST_COPY_UNKNOWN) {
      doubt(first, x);
    }
  }
  ing_sctp_node_free(s, n);
}

void ing_sctp_copy_came(struct ing_sctp *s, sctp_assoc *a, unsigned side, sctp_node *first,
                        const sctp_node *n) {
  sctp_dir *d = &a->dir[side];
  const bool out = first->tsn < (d->parts.first != NULL ? d->parts.first->tsn : d->next);
  sctp_conflict found = {.next = NULL};
  first->copies++;
  if (dropped(n, first) || !differ(s, first, n, &found)) {
    return;
  }
  found.what.accepted = sctp_accepted(s, d, first);
  found.what.late = out;
  sctp_conflict *x = note(s, a, side, first, n, &found);
  if (x == NULL) {
    return;
  }
  if (out) {
    queue(a, x);
    return;
  }
  attach(first, x);
  if (x->what.accepted != INGEST_COPY_FIRST) {
    doubt(first, x);
  }
}

void ing_sctp_copy_fragments(struct ing_sctp *s, sctp_assoc *a, unsigned side, sctp_node *n,
                             const ing_span *chunk) {
  const ing_conflict *c = s->conflict;
  const size_t begin = (size_t)(chunk->data - s->pkt.body.data);
  const size_t user = begin + SCTP_DATA_HEADER;
  if (c->begin >= user + n->len || c->end <= begin) {
    return;
  }
  const size_t from = c->begin > user ? c->begin - user : 0;
  const size_t end = c->end > user ? size_min(c->end - user, n->len) : 0;
  const sctp_conflict found = {
      .len = end - from,
      .what = {.from = from, .header = c->begin < user, .accepted = c->accepted}};
  sctp_conflict *x = note(s, a, side, n, n, &found);
  if (x != NULL) {
    x->what.first = c->first;
    x->second = c->second;
    attach(n, x);
    if (c->accepted == INGEST_COPY_UNKNOWN) {
      doubt(n, x);
    }
  }
}

/* Returns true if the SACK reports that the chunk came twice. RFC 9260 3.3.4 */
static bool reports_twice(struct ing_sctp *s, const sctp_chunk *sack, uint64_t tsn) {
  const size_t begin = 16 + 4 * (size_t)ing_be16(&sack->body, 12);
  const size_t num = ing_be16(&sack->body, 14);
  bool twice = false;
  for (size_t i = 0; i < num && i < SCTP_WAIT_BLOCKS && begin + 4 * i + 4 <= sack->body.cap; i++) {
    twice = twice || ing_be32(&sack->body, begin + 4 * i) == (uint32_t)tsn;
    ++*s->steps;
  }
  return twice;
}

void ing_sctp_note_twice(struct ing_sctp *s, sctp_dir *d, const sctp_chunk *sack) {
  unsigned left = ing_be16(&sack->body, 14) > 0 ? SCTP_WAIT_CHUNKS : 0;
  for (sctp_node *n = d->held.first[0]; n != NULL && left > 0; n = n->next[0], left--) {
    ++*s->steps;
    if (n->differ_end != 0 && n->copies == 1 && reports_twice(s, sack, n->tsn)) {
      n->conflicts->what.accepted = INGEST_COPY_FIRST;
      n->differ_end = 0;
    }
  }
}

void ing_sctp_reported_free(struct ing_sctp *s) {
  if (s->reported != NULL) {
    s->alloc.put(s->alloc.ctx, s->reported, sizeof *s->reported);
    s->reported = NULL;
  }
}

void ing_sctp_copies_free(struct ing_sctp *s, sctp_assoc *a) {
  while (a->conflicts != NULL) {
    sctp_conflict *x = a->conflicts;
    a->conflicts = x->next;
    s->alloc.put(s->alloc.ctx, x, sizeof *x);
  }
  for (unsigned i = 0; i < 2; i++) {
    while (a->dir[i].came != NULL && a->dir[i].came->first != NULL) {
      sctp_forget(s, a->dir[i].came);
    }
    if (a->dir[i].came != NULL) {
      table_free(s, a->dir[i].came);
      a->dir[i].came = NULL;
    }
  }
}
