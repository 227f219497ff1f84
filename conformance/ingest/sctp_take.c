/* SPDX-License-Identifier: BSD-2-Clause */
/* A packet and its association: DATA is kept until its turn, the rest is noted. */
#include <string.h>

#include "sctp_priv.h"

/* The position with these low 32 bits that is nearest to `near`. */
static uint64_t unwrap(uint64_t near, uint32_t tsn) {
  const uint32_t delta = tsn - (uint32_t)near;
  return delta < 0x80000000u ? near + delta : near - (uint32_t)(0u - delta);
}

static void start(sctp_dir *d, uint32_t tsn, bool known) {
  d->started = true;
  d->start_known = known;
  d->next = ((uint64_t)1 << 32) + tsn;
  d->acked = d->next;
  for (size_t i = 0; i <= SCTP_PATIENCE_STEPS; i++) {
    d->past_acked[i] = d->next;
  }
}

/* ---- INIT and INIT ACK ---- */

static void take_init(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_chunk *chunk) {
  sctp_dir *d = &a->dir[side];
  const uint32_t tsn = ing_be32(&chunk->body, 16);
  if (chunk->body.cap < 20 || d->init_seen) {
    return;
  }
  d->init = ing_sctp_read_init(chunk);
  d->init_seen = true;
  d->init_due = true;
  d->init_packet = s->number;
  d->init_time_ns = s->time_ns;
  d->tag = ing_be32(&chunk->body, 4);
  d->tag_known = true;
  if (!d->started) {
    start(d, tsn, true);
  }
}

/* ---- what acknowledges ---- */

/* The acknowledgment that a packet carries, for the DATA beside it. */
typedef struct acked {
  uint64_t below; /* SCTP_NONE: none */
  bool gaps;
} acked;

static void take_ack(sctp_assoc *a, unsigned side, uint32_t tsn, bool gaps, acked *ack) {
  sctp_dir *peer = &a->dir[side ^ 1u];
  if (!peer->started) {
    return;
  }
  const uint64_t below = unwrap(peer->next, tsn) + 1;
  if (below > peer->next + SCTP_SANE || below + SCTP_SANE < peer->next) {
    return;
  }
  peer->acked = below > peer->acked ? below : peer->acked;
  *ack = (acked){.below = below, .gaps = gaps};
}

static void take_sack(sctp_assoc *a, unsigned side, const sctp_chunk *chunk, acked *ack) {
  if (chunk->body.cap >= 16) {
    take_ack(a, side, ing_be32(&chunk->body, 4), ing_be16(&chunk->body, 12) != 0, ack);
  }
}

/* The sender gives its own chunks up to a TSN up: they will not come any more. RFC 3758 3.2 */
static void take_forward(sctp_assoc *a, unsigned side, const sctp_chunk *chunk) {
  acked ignored;
  if (chunk->body.cap >= 8) {
    take_ack(a, side ^ 1u, ing_be32(&chunk->body, 4), false, &ignored);
  }
}

/* ---- DATA ---- */

static sctp_node *make_node(struct ing_sctp *s, const sctp_chunk *chunk) {
  ing_span user = chunk->body;
  (void)ing_skip(&user, SCTP_DATA_HEADER);
  sctp_node *n = s->alloc.get(s->alloc.ctx, sizeof *n + user.cap);
  if (n == NULL) {
    ++*s->dropped;
    return NULL;
  }
  *n = (sctp_node){.packet = s->number,
                   .time_ns = s->time_ns,
                   .len = user.len,
                   .cap = user.cap,
                   .room = s->pkt.room,
                   .ppid = ing_be32(&chunk->body, 12),
                   .stream = ing_be16(&chunk->body, 8),
                   .ssn = ing_be16(&chunk->body, 10),
                   .flags = chunk->flags,
                   .opaque = chunk->type == SCTP_I_DATA,
                   .damaged = s->pkt.sum == ING_SUM_BAD};
  if (user.cap > 0) {
    memcpy(n->data, user.data, user.cap);
  }
  return n;
}

/* Puts the chunk into its place; false: it is there already. */
static bool insert(sctp_queue *q, sctp_node *n) {
  sctp_node **link = &q->first;
  if (q->last != NULL && q->last->tsn < n->tsn) {
    link = &q->last->next;
  }
  while (*link != NULL && (*link)->tsn < n->tsn) {
    link = &(*link)->next;
  }
  if (*link != NULL && (*link)->tsn == n->tsn) {
    return false;
  }
  n->next = *link;
  *link = n;
  if (n->next == NULL) {
    q->last = n;
  }
  return true;
}

/* Whether a TSN can be of this numbering. After many that cannot, another one has begun: what is
 * held comes out, and it is followed from here. */
static bool sane(struct ing_sctp *s, sctp_assoc *a, sctp_dir *d, uint64_t pos) {
  if (pos <= d->next + SCTP_SANE && pos + SCTP_SANE >= d->next) {
    d->insane = 0;
    return true;
  }
  d->insane++;
  if (d->insane < SCTP_INSANE_MAX) {
    return false;
  }
  ing_sctp_queue_free(s, a, &d->held);
  d->insane = 0;
  d->lost = true;
  d->start_known = false;
  if (pos > d->next) {
    d->acked = pos;
    for (size_t i = 0; i <= SCTP_PATIENCE_STEPS; i++) {
      d->past_acked[i] = pos;
    }
  }
  return pos > d->next;
}

static void take_data(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_chunk *chunk,
                      const acked *ack) {
  sctp_dir *d = &a->dir[side];
  const uint32_t tsn = ing_be32(&chunk->body, 4);
  if (chunk->body.len < SCTP_DATA_HEADER || chunk->body.cap < SCTP_DATA_HEADER) {
    d->snapped = d->snapped || chunk->body.cap < chunk->body.len;
    return;
  }
  d->snapped = d->snapped || chunk->body.cap < chunk->body.len;
  if (!d->started) {
    start(d, tsn, false);
  }
  const uint64_t pos = unwrap(d->next, tsn);
  if (pos < d->next || !sane(s, a, d, pos)) {
    return;
  }
  sctp_node *n = make_node(s, chunk);
  if (n == NULL) {
    return;
  }
  n->tsn = pos;
  n->ack = ack->below;
  n->gaps = ack->gaps;
  n->acked = d->acked;
  const size_t size = sizeof *n + n->cap;
  if (!insert(&d->held, n)) {
    s->alloc.put(s->alloc.ctx, n, size);
    return;
  }
  a->held += size;
  a->nodes++;
  s->held += size;
}

/* ---- the packet ---- */

static void note_end(struct ing_sctp *s, sctp_assoc *a, ingest_end how) {
  if (a->deadline == 0) {
    a->end = how;
    a->deadline = s->clock + SCTP_DYING_PACKETS;
  }
}

static void take_chunk(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_chunk *chunk,
                       acked *ack) {
  switch (chunk->type) {
  case SCTP_DATA:
  case SCTP_I_DATA: take_data(s, a, side, chunk, ack); break;
  case SCTP_INIT:
  case SCTP_INIT_ACK: take_init(s, a, side, chunk); break;
  case SCTP_SACK: take_sack(a, side, chunk, ack); break;
  case SCTP_FORWARD_TSN: take_forward(a, side, chunk); break;
  case SCTP_SHUTDOWN:
    if (chunk->body.cap >= 8) {
      take_ack(a, side, ing_be32(&chunk->body, 4), false, ack);
    }
    break;
  case SCTP_SHUTDOWN_ACK:
  case SCTP_SHUTDOWN_COMPLETE: note_end(s, a, INGEST_END_FIN); break;
  case SCTP_ABORT: note_end(s, a, INGEST_END_RST); break;
  default: break; /* of no concern here */
  }
}

static void learn_tag(struct ing_sctp *s, sctp_assoc *a, unsigned side) {
  sctp_dir *to = &a->dir[side ^ 1u];
  if (!to->tag_known && s->pkt.tag != 0 && s->pkt.sum != ING_SUM_BAD) {
    to->tag = s->pkt.tag;
    to->tag_known = true;
  }
}

static void count_packet(sctp_assoc *a) {
  a->packets++;
  if (a->packets % SCTP_PATIENCE_EVERY != 0) {
    return;
  }
  for (size_t i = 0; i < 2; i++) {
    uint64_t *past = a->dir[i].past_acked;
    memmove(past, past + 1, SCTP_PATIENCE_STEPS * sizeof past[0]);
    past[SCTP_PATIENCE_STEPS] = a->dir[i].acked;
  }
}

void ing_sctp_take(struct ing_sctp *s, sctp_assoc *a, unsigned side) {
  sctp_dir *d = &a->dir[side];
  ing_span rest = s->pkt.body;
  sctp_chunk chunk;
  acked ack = {.below = SCTP_NONE};
  count_packet(a);
  if (s->pkt.sum == ING_SUM_BAD && d->proven) {
    return; /* its receiver dropped it, any bit may be wrong */
  }
  d->proven = d->proven || s->pkt.sum == ING_SUM_GOOD;
  learn_tag(s, a, side);
  (void)ing_skip(&rest, SCTP_HEADER);
  while (ing_sctp_chunk(&rest, &chunk)) {
    take_chunk(s, a, side, &chunk, &ack);
  }
  d->snapped = d->snapped || rest.cap < rest.len;
}
