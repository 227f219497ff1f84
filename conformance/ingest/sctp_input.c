/* SPDX-License-Identifier: BSD-2-Clause */
/* A packet and its association: DATA is kept until its turn, the rest is noted. */
#include <string.h>

#include "sctp_priv.h"

/* The position with these low 32 bits that is nearest to `near`. */
static uint64_t unwrap(uint64_t near, uint32_t tsn) {
  const uint32_t delta = tsn - (uint32_t)near;
  return delta < 0x80000000u ? near + delta : near - (uint32_t)(0u - delta);
}

/* ---- INIT and INIT ACK ---- */

/* The addresses that a side names beside the one that it sends from. RFC 9260 5.1.2, RFC 5061 4.2.1
 */
static void take_homes(struct ing_sctp *s, sctp_assoc *a, unsigned side, ing_span rest) {
  sctp_param param;
  sctp_home home;
  while (ing_sctp_param(&rest, &param)) {
    ++*s->steps;
    if (ing_sctp_home(&param, &home)) {
      ing_sctp_learn_home(s, a, side, &home);
    }
  }
}

static void take_init(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_chunk *chunk) {
  sctp_dir *d = &a->dir[side];
  const uint32_t tsn = ing_be32(&chunk->body, 16);
  ing_span params = chunk->body;
  const bool damaged = s->pkt.sum == ING_SUM_BAD;
  const bool better = d->init_seen && d->init.damaged && !damaged;
  if (chunk->body.cap < SCTP_INIT_HEADER || (d->init_seen && !better)) {
    return;
  }
  d->init = ing_sctp_read_init(chunk);
  d->init.damaged = damaged;
  d->init_seen = true;
  d->init_due = true;
  d->init_packet = s->number;
  d->init_time_ns = s->time_ns;
  ing_sctp_learn_tag(s, a, side, ing_be32(&chunk->body, 4));
  (void)ing_skip(&params, SCTP_INIT_HEADER);
  take_homes(s, a, side, params);
  if (!d->started) {
    ing_sctp_start(d, tsn, true);
  } else if (better) {
    ing_sctp_begin_right(s, d, unwrap(d->next, tsn));
  } else if (!damaged) {
    ing_sctp_begin_at(s, d, unwrap(d->next, tsn), true);
  }
}

/* Addresses that a side adds to an association that is up. RFC 5061 4.2.1 */
static void take_asconf(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_chunk *chunk) {
  ing_span rest = chunk->body;
  sctp_param param;
  (void)ing_skip(&rest, 8); /* header and serial number */
  while (ing_sctp_param(&rest, &param)) {
    if (param.type == SCTP_PARAM_ADD_IP && ing_skip(&param.value, 4)) {
      take_homes(s, a, side, param.value);
    }
  }
}

/* ---- what acknowledges ---- */

/* Position of the other side's TSN after the acknowledged one; SCTP_NONE: impossible. */
static uint64_t after(const sctp_dir *peer, uint32_t tsn) {
  const uint64_t below = unwrap(peer->next, tsn) + 1;
  if (!peer->started || below > peer->next + SCTP_SANE || below + SCTP_SANE < peer->next) {
    return SCTP_NONE;
  }
  return below;
}

static void take_ack(const struct ing_sctp *s, sctp_dir *peer, uint64_t below) {
  if (below != SCTP_NONE && below > peer->acked) {
    peer->acked = below;
    peer->acked_time_ns = s->time_ns;
  }
}

/* An acknowledgment of the other side, which may be that nothing has come. */
static void take_answer(const struct ing_sctp *s, sctp_dir *peer, uint64_t below) {
  peer->answered = peer->answered || below != SCTP_NONE;
  take_ack(s, peer, below);
}

/* What a SACK says that acknowledges all below a TSN, and more after gaps. RFC 9260 3.3.4 */
static sctp_known sack_says(struct ing_sctp *s, const sctp_chunk *chunk, uint64_t below) {
  const size_t gaps = ing_be16(&chunk->body, 12);
  uint64_t top = gaps == 0 ? below : below + 1;
  size_t i = 0;
  for (; i < gaps && 16 + 4 * i + 4 <= chunk->body.cap; i++) {
    const uint64_t end = below + ing_be16(&chunk->body, 16 + 4 * i + 2);
    top = end > top ? end : top;
    ++*s->steps;
  }
  return (sctp_known){
      .below = below, .top = top, .sure = below, .most = i == gaps ? top : SCTP_NONE};
}

static void sctp_take_sack(struct ing_sctp *s, sctp_assoc *a, unsigned side,
                           const sctp_chunk *chunk, sctp_known *known) {
  sctp_dir *peer = &a->dir[side ^ 1u];
  const uint64_t below = after(peer, ing_be32(&chunk->body, 4));
  a->sack = true;
  if (chunk->body.cap < 16 || below == SCTP_NONE) {
    return;
  }
  ing_sctp_note_duplicates(s, a, peer, chunk);
  take_answer(s, peer, below);
  if (s->pkt.sum != ING_SUM_BAD) {
    ing_sctp_note_got(s, peer, chunk, below);
    ing_sctp_note_twice(s, peer, chunk);
    ing_sctp_prove_overtaking(s, peer, chunk, below);
  }
  if (known->below == SCTP_NONE || below >= known->below) {
    *known = sack_says(s, chunk, below);
  }
}

static ingest_mark mark(const struct ing_sctp *s) {
  return (ingest_mark){.packet = s->number, .time_ns = s->time_ns};
}

/* The current packet of that side is the first to give the association up, unless another one was.
 */
static void mark_close(const struct ing_sctp *s, sctp_assoc *a, unsigned side) {
  if (a->closed.packet == 0) {
    a->closed = mark(s);
    a->closed_by = (uint8_t)side;
  }
}

/* The current packet of that side ends the association. */
static void mark_end(const struct ing_sctp *s, sctp_assoc *a, unsigned side) {
  a->ended = mark(s);
  a->ended_by = (uint8_t)side;
}

/* Whoever sends a SHUTDOWN has received what it acknowledges, and nothing else. RFC 9260 9.2 */
static void take_shutdown(struct ing_sctp *s, sctp_assoc *a, unsigned side,
                          const sctp_chunk *chunk) {
  sctp_dir *peer = &a->dir[side ^ 1u];
  const uint64_t below = chunk->body.cap >= 8 ? after(peer, ing_be32(&chunk->body, 4)) : SCTP_NONE;
  mark_close(s, a, side);
  if (!a->shutdown && a->end != INGEST_END_RST) {
    mark_end(s, a, side);
  }
  a->shutdown = true;
  a->end = a->end == INGEST_END_CAPTURE && a->deadline != 0 ? INGEST_END_FIN : a->end;
  take_answer(s, peer, below);
  if (s->pkt.sum != ING_SUM_BAD) {
    ing_sctp_prove_most(s, &a->dir[side], below);
    a->dir[side].advanced = below != SCTP_NONE ? mark(s) : a->dir[side].advanced;
  }
}

/* The sender gives its own chunks up to a TSN up: they will not come any more. RFC 3758 3.2 */
static void take_forward(const struct ing_sctp *s, sctp_assoc *a, unsigned side,
                         const sctp_chunk *chunk) {
  if (chunk->body.cap >= 8) {
    take_ack(s, &a->dir[side], after(&a->dir[side], ing_be32(&chunk->body, 4)));
  }
}

/*
 * What the sender of the current packet has received: what this packet acknowledges, and what those
 * before it did, since acknowledgments are not taken back. One that stands before it in the capture
 * though it was captured later proves nothing.
 */
static sctp_known take_known(struct ing_sctp *s, sctp_dir *d, const sctp_dir *peer,
                             const sctp_known *here) {
  sctp_known now = d->known;
  if (here->below == SCTP_NONE) {
    now.most = SCTP_NONE;
    now.presumed = true;
    now.sure = s->time_ns >= d->known_time_ns ? now.sure : 0;
    return now;
  }
  const bool more = now.below == SCTP_NONE || here->below > now.below;
  if (s->pkt.sum != ING_SUM_BAD && (now.below == SCTP_NONE || here->below >= now.below)) {
    d->known = *here;
    d->advanced = more ? mark(s) : d->advanced;
    d->known_time_ns = s->time_ns > d->known_time_ns ? s->time_ns : d->known_time_ns;
    if (more && !ing_sctp_has_hole(s, peer)) { /* else it may have come twice, or late */
      ing_sctp_prove_most(s, d, here->most);
    }
  }
  return *here;
}

/* ---- DATA ---- */

static sctp_node *make_node(struct ing_sctp *s, const sctp_chunk *chunk) {
  ing_span user = chunk->body;
  (void)ing_skip(&user, SCTP_DATA_HEADER);
  sctp_node *n = s->alloc.get(s->alloc.ctx, sizeof *n + user.cap);
  if (n == NULL) {
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
                   .damaged = s->pkt.sum == ING_SUM_BAD,
                   .unverified = s->pkt.body.cap < s->pkt.body.len};
  memcpy(n->data, user.data, user.cap);
  *s->steps += user.cap;
  return n;
}

/* A limit cost a chunk of this side. */
static void sctp_cut(sctp_assoc *a, sctp_dir *d, ingest_limit limit) {
  d->limit = limit;
  ing_sctp_limit(a, limit);
}

/* Returns true if a TSN can belong to this numbering. After many that cannot, another numbering has
 * begun: held chunks are forgotten, and the new numbering is followed from here. */
static bool sctp_sane(struct ing_sctp *s, sctp_assoc *a, sctp_dir *d, uint64_t pos) {
  if (pos <= d->next + SCTP_SANE) {
    d->out_of_window = 0;
    return true;
  }
  d->out_of_window++;
  sctp_cut(a, d, INGEST_LIMIT_HELD_OCTETS);
  if (d->out_of_window < SCTP_OUT_OF_WINDOW_MAX) {
    return false;
  }
  ing_sctp_held_free(s, a, &d->held);
  d->out_of_window = 0;
  d->start_known = false;
  d->acked = pos;
  d->past_acked[0] = pos; /* chunks that are missing before it are given up at once */
  return true;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* A chunk was sent before those with higher TSNs: what its sender knew then is no more than what it
 * knew when they were sent, though it may have been captured after them. */
static void bound(sctp_node *n) {
  const sctp_node *later = n->next[0];
  if (later != NULL) {
    n->known.sure = smaller(n->known.sure, later->known.sure);
    n->known.presumed = true;
    n->after = smaller(n->after, later->after);
    n->after_gaps = smaller(n->after_gaps, later->after_gaps);
  }
}

/* How many DATA chunks stand before this one in the packet, each with the TSN before; they may have
 * been captured before. */
static uint64_t beside(struct ing_sctp *s, uint64_t pos) {
  s->run = pos == s->run_next ? s->run + 1 : 0;
  s->run_next = pos + 1;
  return s->run;
}

/* The direction began with the TSN of an INIT that is damaged, and its first chunk, which is not,
 * has another one. */
static bool begins_wrong(const struct ing_sctp *s, const sctp_dir *d, uint32_t tsn) {
  const bool first = d->next == d->start && d->held.first[0] == NULL;
  return d->init.damaged && s->pkt.sum == ING_SUM_GOOD && first && (uint32_t)d->next != tsn;
}

/* A chunk with the TSN of one that came out, or was lost. */
static void take_copy(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_chunk *chunk,
                      uint64_t pos) {
  sctp_dir *d = &a->dir[side];
  sctp_node *first = ing_sctp_came_find(s, d, pos);
  sctp_node *n = first != NULL ? make_node(s, chunk) : NULL;
  a->disordered = true;
  d->copies++;
  if (n != NULL) {
    ing_sctp_copy_came(s, a, side, first, n);
    ing_sctp_node_free(s, n);
  } else if (first != NULL) {
    sctp_cut(a, d, INGEST_LIMIT_MEMORY);
  } else if (pos + SCTP_SANE < d->next) {
    sctp_cut(a, d, INGEST_LIMIT_HELD_OCTETS); /* no copy of one that was delivered */
  }
}

static void take_data(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_chunk *chunk,
                      const sctp_known *known) {
  sctp_dir *d = &a->dir[side];
  const uint32_t tsn = ing_be32(&chunk->body, 4);
  a->opaque = a->opaque || chunk->type == SCTP_I_DATA;
  d->snapped = d->snapped || chunk->body.cap < chunk->body.len;
  if (chunk->body.cap < SCTP_DATA_HEADER) {
    return;
  }
  if (!d->started || begins_wrong(s, d, tsn)) {
    ing_sctp_start(d, tsn, false);
  }
  const uint64_t pos = unwrap(d->next, tsn);
  const uint64_t run = beside(s, pos);
  if (ing_sctp_begins(a)) {
    ing_sctp_begin_at(s, d, pos, false);
  }
  ing_sctp_try_room(s, d, pos);
  if (pos < d->next) {
    take_copy(s, a, side, chunk, pos);
    return;
  }
  if (!sctp_sane(s, a, d, pos)) {
    return;
  }
  sctp_node *n = make_node(s, chunk);
  if (n == NULL) {
    sctp_cut(a, d, INGEST_LIMIT_MEMORY);
    return;
  }
  n->tsn = pos;
  n->known = *known;
  n->acked = s->time_ns >= d->acked_time_ns ? d->acked : 0;
  n->bundled_before = run;
  n->since = a->packets;
  n->path = ing_sctp_room_taken(a, d);
  n->after = known->below == SCTP_NONE ? 0 : known->below;
  n->after_gaps = known->top;
  const size_t size = sizeof *n + n->cap;
  sctp_node *first = ing_sctp_held_add(s, &d->held, n);
  if (first != NULL) {
    a->disordered = true;
    d->copies++;
    ing_sctp_copy_held(s, a, side, first, n);
    return;
  }
  a->disordered = a->disordered || n->next[0] != NULL;
  ing_sctp_note_chunk(a, d, pos);
  bound(n);
  a->held += size;
  a->nodes++;
  s->held += size;
  if (s->conflict != NULL) {
    ing_sctp_copy_fragments(s, a, side, n, &chunk->body);
  }
}

/* ---- the packet ---- */

/* If the packet that began the shutdown is missing, chunks before it and their acknowledgments may
 * be missing, too. Then the end counts as an end of the capture. */
static ingest_end shut(const sctp_assoc *a) {
  return a->shutdown ? INGEST_END_FIN : INGEST_END_CAPTURE;
}

static void sctp_note_end(const struct ing_sctp *s, sctp_assoc *a, ingest_end how) {
  if (a->deadline == 0) {
    a->end = how;
    a->deadline = s->clock + SCTP_DYING_PACKETS;
  }
}

static void take_abort(const struct ing_sctp *s, sctp_assoc *a, unsigned side) {
  mark_close(s, a, side);
  if (a->deadline == 0) {
    mark_end(s, a, side);
  }
  sctp_note_end(s, a, INGEST_END_RST);
}

static void take_chunk(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_chunk *chunk,
                       const sctp_known *known) {
  switch (chunk->type) {
  case SCTP_DATA:
  case SCTP_I_DATA: take_data(s, a, side, chunk, known); break;
  case SCTP_INIT:
  case SCTP_INIT_ACK: take_init(s, a, side, chunk); break;
  case SCTP_COOKIE_ECHO:
  case SCTP_COOKIE_ACK: ing_sctp_note_cookie(a, side, (sctp_chunk_type)chunk->type); break;
  case SCTP_ASCONF: take_asconf(s, a, side, chunk); break;
  case SCTP_FORWARD_TSN: take_forward(s, a, side, chunk); break;
  case SCTP_SHUTDOWN: take_shutdown(s, a, side, chunk); break;
  case SCTP_SHUTDOWN_ACK:
  case SCTP_SHUTDOWN_COMPLETE: sctp_note_end(s, a, shut(a)); break;
  case SCTP_ABORT: take_abort(s, a, side); break;
  default: break; /* other chunks do not matter here */
  }
}

/* The acknowledgments of the current packet, wherever they stand in it. */
static sctp_known take_sacks(struct ing_sctp *s, sctp_assoc *a, unsigned side, ing_span rest) {
  sctp_known here = {.below = SCTP_NONE, .most = SCTP_NONE};
  sctp_chunk chunk;
  while (ing_sctp_chunk(&rest, &chunk)) {
    ++*s->steps;
    if (chunk.type == SCTP_SACK) {
      sctp_take_sack(s, a, side, &chunk, &here);
    }
  }
  return take_known(s, &a->dir[side], &a->dir[side ^ 1u], &here);
}

/* Notes the tag and the path of the packet. */
static void learn(struct ing_sctp *s, sctp_assoc *a, unsigned side) {
  if (s->pkt.sum == ING_SUM_BAD) {
    return;
  }
  const sctp_dir *d = &a->dir[side];
  if (s->pkt.tag != 0 && !(d->tag_known && d->tag == s->pkt.tag)) { /* an ABORT may carry its own */
    ing_sctp_learn_tag(s, a, side ^ 1u, s->pkt.tag);
  }
  ing_sctp_learn_path(s, a, side);
}

static void sctp_count_packet(sctp_assoc *a) {
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

/* Notes which chunks a packet with a wrong checksum seems to have: what is missing then may be
 * these. */
static void note_damaged(struct ing_sctp *s, sctp_dir *d, ing_span rest) {
  sctp_chunk chunk;
  (void)ing_skip(&rest, SCTP_HEADER);
  while (ing_sctp_chunk(&rest, &chunk)) {
    const uint64_t pos = unwrap(d->next, ing_be32(&chunk.body, 4));
    ++*s->steps;
    if (chunk.type == SCTP_DATA && d->started && pos >= d->next && pos < d->next + SCTP_SANE) {
      d->damaged = d->damaged_end == 0 || pos < d->damaged ? pos : d->damaged;
      d->damaged_end = pos >= d->damaged_end ? pos + 1 : d->damaged_end;
    }
  }
}

void ing_sctp_take(struct ing_sctp *s, sctp_assoc *a, unsigned side) {
  sctp_dir *d = &a->dir[side];
  ing_span rest = s->pkt.body;
  sctp_chunk chunk;
  sctp_count_packet(a);
  s->run_next = SCTP_NONE;
  if (s->pkt.sum == ING_SUM_BAD && d->proven) {
    note_damaged(s, d, rest);
    return; /* the receiver dropped the packet, and any bit may be wrong */
  }
  d->proven = d->proven || s->pkt.sum == ING_SUM_GOOD;
  learn(s, a, side);
  (void)ing_skip(&rest, SCTP_HEADER);
  const sctp_known known = take_sacks(s, a, side, rest);
  while (ing_sctp_chunk(&rest, &chunk)) {
    ++*s->steps;
    take_chunk(s, a, side, &chunk, &known);
  }
  const bool cut_off = rest.cap < rest.len; /* chunks by the snapshot length */
  d->snapped = d->snapped || cut_off;
  a->maybe_retransmitted = a->maybe_retransmitted || cut_off;
}
