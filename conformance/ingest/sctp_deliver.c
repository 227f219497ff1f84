/* SPDX-License-Identifier: BSD-2-Clause */
/* The next events of an association: messages in the order of their TSNs and of cause and effect.
 */
#include <string.h>

#include "sctp_priv.h"

static void fill(const struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev,
                 ingest_sctp_kind kind, unsigned side) {
  *ev = (ingest_sctp_event){.kind = kind,
                            .user = &a->user,
                            .addr = a->addr,
                            .side = (uint8_t)side,
                            .pos = a->dir[side].next,
                            .packet = s->number,
                            .time_ns = s->time_ns,
                            .end = a->end};
  for (unsigned i = 0; i < 2; i++) {
    ev->start_known[i] = a->dir[i].start_known;
    ev->lossless[i] = a->dir[i].start_known && !a->dir[i].lost;
  }
}

/* ---- lists of chunks ---- */

/* The chunk counts no longer as held. */
static void uncount(struct ing_sctp *s, sctp_assoc *a, sctp_node *n) {
  ing_sctp_conflicts_due(a, n);
  s->held -= sizeof *n + n->cap;
  a->held -= sizeof *n + n->cap;
  a->nodes--;
}

void ing_sctp_queue_free(struct ing_sctp *s, sctp_assoc *a, sctp_queue *queue) {
  while (queue->first != NULL) {
    sctp_node *n = queue->first;
    queue->first = n->next[0];
    uncount(s, a, n);
    ing_sctp_node_free(s, n);
  }
  queue->last = NULL;
}

void ing_sctp_held_free(struct ing_sctp *s, sctp_assoc *a, sctp_held *held) {
  while (held->first[0] != NULL) {
    sctp_node *n = ing_sctp_held_pop(held);
    uncount(s, a, n);
    ing_sctp_node_free(s, n);
  }
}

void ing_sctp_release(struct ing_sctp *s) {
  while (s->spent.first != NULL) {
    sctp_node *n = s->spent.first;
    s->spent.first = n->next[0];
    ing_sctp_keep(s, s->spent_of, n);
  }
  s->spent.last = NULL;
  ing_sctp_reported_free(s);
  if (s->whole != NULL) {
    s->alloc.put(s->alloc.ctx, s->whole, s->whole_size);
    s->whole = NULL;
  }
}

static void append(sctp_queue *q, sctp_node *n) {
  n->next[0] = NULL;
  *(q->last != NULL ? &q->last->next[0] : &q->first) = n;
  q->last = n;
}

static sctp_node *pop(sctp_queue *q) {
  sctp_node *n = q->first;
  q->first = n->next[0];
  if (q->first == NULL) {
    q->last = NULL;
  }
  return n;
}

/* What is under way goes out with this event, or is dropped. */
static void spend_parts(struct ing_sctp *s, sctp_assoc *a, sctp_dir *d) {
  s->spent_of = d;
  while (d->parts.first != NULL) {
    sctp_node *n = pop(&d->parts);
    uncount(s, a, n);
    append(&s->spent, n);
    ++*s->steps;
  }
  d->parts_len = 0;
  d->parts_num = 0;
}

/* ---- messages ---- */

/* The octets of a message of several chunks; as far as they follow one another. */
static bool gather(struct ing_sctp *s, const sctp_dir *d, ingest_sctp_message *m) {
  uint8_t *at = s->alloc.get(s->alloc.ctx, d->parts_len + 1);
  if (at == NULL) {
    return false;
  }
  bool whole = true;
  s->whole = at;
  s->whole_size = d->parts_len + 1;
  m->data = at;
  for (const sctp_node *n = d->parts.first; n != NULL; n = n->next[0]) {
    m->len += n->len;
    if (whole) {
      memcpy(at + m->cap, n->data, n->cap);
      m->cap += n->cap;
      *s->steps += n->cap;
    }
    whole = whole && n->cap == n->len;
  }
  return true;
}

/* Of which octets of the chunk, the first of which is octet `at` of the message, the receiver may
 * have accepted others. */
static void describe_doubt(ingest_sctp_message *m, const sctp_node *n, size_t at) {
  if (n->differ_end == 0) {
    return;
  }
  const size_t end = n->differ_end == SIZE_MAX ? SIZE_MAX : at + n->differ_end;
  const size_t from = n->differ_end == SIZE_MAX ? 0 : at + n->differ_from;
  m->differ_from = m->differ_end == 0 || from < m->differ_from ? from : m->differ_from;
  m->differ_end = end > m->differ_end ? end : m->differ_end;
}

static void describe(struct ing_sctp *s, const sctp_assoc *a, unsigned side,
                     ingest_sctp_message *m) {
  const sctp_dir *d = &a->dir[side];
  const sctp_dir *peer = &a->dir[side ^ 1u];
  const sctp_node *first = d->parts.first;
  m->stream = first->stream;
  m->ssn = first->ssn;
  m->ppid = first->ppid;
  m->acked = first->acked;
  m->first_packet = first->packet;
  m->first_time_ns = first->time_ns;
  m->cause_seen = !peer->lost && peer->start_known && peer->next >= first->known.most;
  m->maybe_retransmitted = ing_sctp_maybe_retransmitted(a);
  m->peer_data_reordered = ing_sctp_holds_earlier(s, peer, first);
  m->received = first->known.sure;
  m->received_all = first->known.sure == first->known.most;
  m->received_more = first->known.top > peer->next;
  m->overtook = first->overtook;
  m->bundled_before = first->bundled_before;
  size_t at = 0;
  for (const sctp_node *n = first; n != NULL; n = n->next[0]) {
    m->fragments++;
    m->ordered = m->ordered || (n->flags & SCTP_FLAG_U) == 0;
    m->damaged = m->damaged || n->damaged;
    describe_doubt(m, n, at);
    at += n->len;
  }
  m->needless = m->fragments > 1 && ing_sctp_fits(a, d, m->len);
}

/* Chunks that are there, but of no use: their message is not whole, or beyond a limit. */
static bool give_scrap(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev, unsigned side,
                       ingest_limit limit) {
  sctp_dir *d = &a->dir[side];
  const uint64_t from = d->parts.first->tsn;
  const uint64_t len = d->parts.last->tsn - from + 1;
  spend_parts(s, a, d);
  d->lost = true;
  fill(s, a, ev, INGEST_SCTP_LOST, side);
  ev->pos = from;
  ev->len = len;
  ev->snapped = d->snapped;
  ev->limit = limit;
  ing_sctp_limit(a, limit);
  return true;
}

static bool give_message(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev, unsigned side) {
  sctp_dir *d = &a->dir[side];
  const sctp_node *first = d->parts.first;
  const sctp_node *last = d->parts.last;
  ingest_sctp_message *m = &s->message;
  memset(m, 0, sizeof *m);
  fill(s, a, ev, INGEST_SCTP_MESSAGE, side);
  ev->pos = first->tsn;
  ev->len = last->tsn - first->tsn + 1;
  const sctp_node *newest = first;
  for (const sctp_node *n = first; n != NULL; n = n->next[0]) {
    newest = n->packet > newest->packet ? n : newest;
  }
  ev->packet = newest->packet;
  ev->time_ns = newest->time_ns;
  *s->steps += d->parts_num * 3; /* here, and where it is gathered and described */
  if (first == last) {
    m->data = first->data;
    m->cap = first->cap;
    m->len = first->len;
  } else if (!gather(s, d, m)) {
    return give_scrap(s, a, ev, side, INGEST_LIMIT_MEMORY);
  }
  describe(s, a, side, m);
  ev->message = m;
  spend_parts(s, a, d);
  return true;
}

/* Returns true if the chunk continues the message under way. RFC 9260 6.9 */
static bool continues(const sctp_dir *d, const sctp_node *n) {
  const sctp_node *last = d->parts.last;
  return last != NULL && last->tsn + 1 == n->tsn && last->stream == n->stream && !n->opaque &&
         (n->flags & SCTP_FLAG_B) == 0;
}

/* Takes the expected chunk; returns true if it makes an event. */
static bool sctp_give_head(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev,
                           unsigned side) {
  sctp_dir *d = &a->dir[side];
  if (d->parts.first != NULL && !continues(d, d->held.first[0])) {
    return give_scrap(s, a, ev, side, INGEST_LIMIT_NONE);
  }
  sctp_node *n = ing_sctp_held_pop(&d->held);
  const bool begins = (n->flags & SCTP_FLAG_B) != 0 && !n->opaque;
  const bool orphan = d->parts.first == NULL && !begins;
  append(&d->parts, n);
  d->parts_len += n->cap;
  d->parts_num++;
  d->next = n->tsn + 1;
  if (orphan) {
    return give_scrap(s, a, ev, side, INGEST_LIMIT_NONE);
  }
  if (d->parts_len > INGEST_SCTP_MESSAGE_MAX || d->parts_num > INGEST_SCTP_PARTS_MAX) {
    return give_scrap(s, a, ev, side, INGEST_LIMIT_MESSAGE);
  }
  return (n->flags & SCTP_FLAG_E) != 0 && give_message(s, a, ev, side);
}

/* ---- order ---- */

typedef struct sctp_head {
  const sctp_node *node; /* the expected chunk, or NULL */
  bool blocked;          /* the chunk answers a message that did not come out yet */
  bool presumed;         /* `blocked`, but maybe not by its own packet */
  bool unconfirmed;      /* `blocked`, but sent before the packet that shows it */
} sctp_head;

/* What a chunk answers has not come out: it is missing, or held after a gap, whatever fills that.
 */
static bool answers(const sctp_node *n, const sctp_dir *peer) {
  const sctp_node *held = peer->held.first[0];
  return peer->next < n->after || (held != NULL && held->tsn < n->after_gaps);
}

static sctp_head sctp_find_head(const sctp_assoc *a, unsigned side) {
  const sctp_dir *d = &a->dir[side];
  const sctp_node *n = d->held.first[0];
  if (n == NULL || n->tsn != d->next) {
    return (sctp_head){.node = NULL};
  }
  return (sctp_head){.node = n,
                     .blocked = answers(n, &a->dir[side ^ 1u]),
                     .presumed = n->known.presumed,
                     .unconfirmed = n->known.sure < n->after};
}

/* Of two chunks that answer each other, one whose own packet may not show its answer comes first:
 * it was captured late. If that does not decide, one whose time is before the packets that show its
 * answer comes first. Otherwise the chunk captured first comes first. */
static int pick(const sctp_head h[2]) {
  const bool tie = h[0].blocked && h[1].blocked; /* each may come next */
  if (tie && h[0].presumed != h[1].presumed) {
    return h[1].presumed ? 1 : 0;
  }
  if (tie && h[0].unconfirmed != h[1].unconfirmed) {
    return h[1].unconfirmed ? 1 : 0;
  }
  const bool ready0 = h[0].node != NULL && (tie || !h[0].blocked);
  const bool ready1 = h[1].node != NULL && (tie || !h[1].blocked);
  if (!ready0 && !ready1) {
    return -1;
  }
  return ready1 && (!ready0 || h[1].node->packet < h[0].node->packet) ? 1 : 0;
}

/* The end of the hole that is to be given up now in a direction, or SCTP_NONE. */
static uint64_t sctp_find_hole(const sctp_assoc *a, unsigned side, const sctp_head h[2],
                               bool hurry) {
  const sctp_dir *d = &a->dir[side];
  const sctp_head *peer = &h[side ^ 1u];
  uint64_t end = SCTP_NONE;
  if (h[side].node != NULL) {
    return end;
  }
  if (d->held.first[0] != NULL) {
    end = d->held.first[0]->tsn;
  }
  if (peer->node != NULL && peer->blocked && peer->node->after > d->next &&
      peer->node->after < end) {
    end = peer->node->after;
  }
  if (end == SCTP_NONE && a->closing && d->acked > d->next) {
    end = d->acked;
  }
  return end != SCTP_NONE && (hurry || d->past_acked[0] >= end) ? end : SCTP_NONE;
}

static bool give_lost(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev,
                      const sctp_head h[2], bool hurry, ingest_limit limit) {
  for (unsigned side = 0; side < 2; side++) {
    const uint64_t end = sctp_find_hole(a, side, h, hurry);
    sctp_dir *d = &a->dir[side];
    if (end == SCTP_NONE) {
      continue;
    }
    if (d->parts.first !=
        NULL) { /* the message under way is not whole without it, and comes first */
      return give_scrap(s, a, ev, side, limit);
    }
    d->lost = true;
    fill(s, a, ev, INGEST_SCTP_LOST, side);
    ev->len = end - d->next;
    ev->snapped = d->snapped;
    ev->damaged = d->damaged < end && d->damaged_end > d->next;
    d->damaged_end = d->damaged_end <= end ? 0 : d->damaged_end;
    ev->limit = limit;
    ing_sctp_limit(a, limit);
    d->next = end;
    return true;
  }
  return false;
}

/* A limit cost chunks: that is reported before anything that comes after them. */
static bool give_cut(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev, unsigned side) {
  sctp_dir *d = &a->dir[side];
  if (d->limit == INGEST_LIMIT_NONE) {
    return false;
  }
  d->lost = true;
  fill(s, a, ev, INGEST_SCTP_LOST, side);
  ev->pos = d->parts.first != NULL ? d->parts.first->tsn : d->next;
  ev->snapped = d->snapped;
  ev->limit = d->limit;
  d->limit = INGEST_LIMIT_NONE;
  return true;
}

static bool give_init(const struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev,
                      unsigned side) {
  sctp_dir *d = &a->dir[side];
  if (!d->init_due) {
    return false;
  }
  d->init_due = false;
  fill(s, a, ev, INGEST_SCTP_INIT, side);
  ev->packet = d->init_packet;
  ev->time_ns = d->init_time_ns;
  ev->init = &d->init;
  return true;
}

/* Two copies that differ. */
static bool give_conflict(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev) {
  sctp_conflict *x = a->conflicts;
  if (x == NULL) {
    return false;
  }
  a->conflicts = x->next;
  s->reported = x;
  fill(s, a, ev, INGEST_SCTP_DIFFER, x->side);
  ev->pos = x->tsn;
  ev->len = x->len;
  ev->packet = x->second.packet;
  ev->time_ns = x->second.time_ns;
  ev->differ = &x->what;
  return true;
}

/* What is left of a message at the end. */
static bool give_rest(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev, unsigned side) {
  return a->dir[side].parts.first != NULL && give_scrap(s, a, ev, side, INGEST_LIMIT_NONE);
}

/* More is held than may be. */
static bool is_over(const struct ing_sctp *s, const sctp_assoc *a) {
  return a->held > INGEST_SCTP_HELD_MAX || a->nodes > INGEST_SCTP_CHUNKS_MAX ||
         s->held > INGEST_SCTP_HELD_ALL;
}

/* Gives out the expected chunks in their order: `all` of them, or up to the first that must wait.
 */
static bool give_due(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev, bool all) {
  for (;;) {
    const sctp_head h[2] = {sctp_find_head(a, 0), sctp_find_head(a, 1)};
    const int side = pick(h);
    ++*s->steps;
    if (side < 0 || (ing_sctp_waits(s, a, (unsigned)side) && !all)) {
      return false;
    }
    if (sctp_give_head(s, a, ev, (unsigned)side)) {
      return true;
    }
  }
}

/* The next event of the chunks: of expected or of lost ones; false: there is no event. */
static bool give_chunks(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev) {
  if (give_due(s, a, ev, false)) {
    return true;
  }
  const sctp_head h[2] = {sctp_find_head(a, 0), sctp_find_head(a, 1)};
  if (pick(h) >= 0) {
    return false; /* the chunk waits */
  }
  return give_lost(s, a, ev, h, a->closing, a->closing ? a->limit : INGEST_LIMIT_NONE) ||
         (is_over(s, a) && give_lost(s, a, ev, h, true, INGEST_LIMIT_HELD_OCTETS));
}

/* What a limit cost came after all that waits. */
static bool give_before_cut(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev) {
  const bool cut = a->dir[0].limit != INGEST_LIMIT_NONE || a->dir[1].limit != INGEST_LIMIT_NONE;
  return cut && give_due(s, a, ev, true);
}

bool ing_sctp_deliver(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev) {
  if (!a->opened) {
    a->opened = true;
    fill(s, a, ev, INGEST_SCTP_OPEN, 0);
    return true;
  }
  if (give_conflict(s, a, ev) || give_init(s, a, ev, 0) || give_init(s, a, ev, 1) ||
      give_before_cut(s, a, ev) || give_cut(s, a, ev, 0) || give_cut(s, a, ev, 1) ||
      give_chunks(s, a, ev)) {
    return true;
  }
  if (!a->closing) {
    return false;
  }
  if (give_rest(s, a, ev, 0) || give_rest(s, a, ev, 1)) {
    return true;
  }
  fill(s, a, ev, INGEST_SCTP_CLOSE, 0);
  ev->limit = a->limit;
  ev->opaque = a->opaque;
  for (unsigned i = 0; i < 2; i++) {
    ev->advanced[i] = a->dir[i].advanced;
    ev->settled[i] = a->dir[i].answered && a->dir[i].acked >= a->dir[i].next;
  }
  ev->ended = a->ended;
  ev->ended_by = a->ended_by;
  ev->closed = a->closed;
  ev->closed_by = a->closed_by;
  s->gone = a;
  return true;
}
