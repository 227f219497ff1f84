/* SPDX-License-Identifier: BSD-2-Clause */
/* What later packets prove of chunks that have not come out yet. */
#include "sctp_priv.h"

bool ing_sctp_has_hole(struct ing_sctp *s, const sctp_dir *d) {
  const sctp_node *n = d->held.first[0];
  unsigned num = 0;
  while (n != NULL && n->tsn == d->next + num && num < SCTP_WAIT_CHUNKS) {
    ++*s->steps;
    num++;
    n = n->next[0];
  }
  return n != NULL;
}

bool ing_sctp_holds_earlier(struct ing_sctp *s, const sctp_dir *d, const sctp_node *than) {
  unsigned left = SCTP_WAIT_CHUNKS;
  const sctp_node *n = d->held.first[0];
  uint64_t due = d->next;
  for (; n != NULL && left > 0; n = n->next[0], left--) {
    ++*s->steps;
    if (n->tsn != due && n->packet < than->packet) {
      return true;
    }
    due += n->packet < than->packet ? 1u : 0u;
  }
  return n != NULL;
}

void ing_sctp_prove_most(struct ing_sctp *s, sctp_dir *d, uint64_t most) {
  unsigned left = SCTP_WAIT_CHUNKS;
  for (sctp_node *n = d->held.first[0]; n != NULL && left > 0; n = n->next[0], left--) {
    ++*s->steps;
    if (most < n->known.most && n->time_ns <= s->time_ns) {
      n->known.most = most;
    }
  }
}

/* Returns true if a gap block of the SACK covers the TSN. RFC 9260 3.3.4 */
static bool covers(struct ing_sctp *s, const sctp_chunk *sack, uint64_t below, uint64_t tsn) {
  const size_t gaps = ing_be16(&sack->body, 12);
  const size_t look = gaps < SCTP_WAIT_BLOCKS ? gaps : SCTP_WAIT_BLOCKS;
  bool covered = false;
  for (size_t i = 0; i < look && 16 + 4 * i + 4 <= sack->body.cap && !covered; i++) {
    const uint64_t offset = tsn - below + 1;
    ++*s->steps;
    covered = offset >= ing_be16(&sack->body, 16 + 4 * i) &&
              offset <= ing_be16(&sack->body, 16 + 4 * i + 2);
  }
  return covered;
}

void ing_sctp_prove_overtaking(struct ing_sctp *s, sctp_dir *d, const sctp_chunk *sack,
                               uint64_t below) {
  unsigned left = ing_be16(&sack->body, 12) > 0 ? SCTP_WAIT_CHUNKS : 0;
  for (sctp_node *n = d->held.first[0]; n != NULL && left > 0; n = n->next[0], left--) {
    if (n->tsn > below && n->overtook == 0 && covers(s, sack, below, n->tsn)) {
      n->overtook = below + 1;
    }
  }
}

/*
 * Notes that the sender of the chunk had not received the expected chunk of the other side, which
 * was sent after this chunk was received. Returns true while packets may still show that: the
 * expected chunk, once it is captured, or an acknowledgment.
 */
static bool may_show_most(const sctp_assoc *a, sctp_node *n, const sctp_dir *peer) {
  const sctp_node *due = peer->held.first[0];
  const bool unknown = n->known.most == SCTP_NONE;
  if (n->known.most <= peer->next || peer->lost || !peer->start_known) {
    return false;
  }
  if (due == NULL || due->tsn != peer->next) {
    return unknown && due == NULL;
  }
  if (due->known.sure > n->tsn && !ing_sctp_maybe_retransmitted(a)) {
    n->known.most = peer->next;
    return false;
  }
  return unknown && !a->sack;
}

/* Its receiver has not acknowledged it: another copy may come that counts. Where something of its
 * side was on its way when it was sent, a SACK may show that it overtook that. */
static bool may_be_acked(const struct ing_sctp *s, const sctp_node *n, const sctp_dir *d,
                         const sctp_dir *peer) {
  return peer->started && n->overtook == 0 && d->acked <= n->tsn &&
         (!s->at_once || n->acked < n->tsn);
}

/*
 * Without any acknowledgment in the capture, and without disorder, only the order of the capture
 * counts. If the expected chunk of the other side was captured after this chunk, it came too late
 * for the sender of this chunk. That is not certain for the first chunks of both sides: the
 * captured one may be a copy, and the other one may have come before.
 */
static void show_by_order(const sctp_assoc *a, sctp_node *n, const sctp_dir *d,
                          const sctp_dir *peer) {
  const sctp_node *due = peer->held.first[0];
  const bool first = n->tsn == d->start && peer->next == peer->start;
  if (!a->sack && !a->disordered && !ing_sctp_maybe_retransmitted(a) && !first &&
      n->known.most > peer->next && due != NULL && due->tsn == peer->next &&
      due->packet > n->packet && due->time_ns >= n->time_ns) {
    n->known.most = peer->next;
  }
}

bool ing_sctp_waits(const struct ing_sctp *s, const sctp_assoc *a, unsigned side) {
  const sctp_dir *d = &a->dir[side];
  const sctp_dir *peer = &a->dir[side ^ 1u];
  sctp_node *n = d->held.first[0];
  if (d->parts.first != NULL) {
    return false; /* the first chunk of its message is gone */
  }
  const bool more = ing_sctp_begins(a) || may_show_most(a, n, peer) || may_be_acked(s, n, d, peer);
  const bool waits = more && !s->prompt && !a->closing && a->deadline == 0 &&
                     a->held <= SCTP_WAIT_OCTETS && s->held <= SCTP_WAIT_ALL &&
                     a->packets - n->since < SCTP_WAIT_PACKETS;
  if (!waits) {
    show_by_order(a, n, d, peer);
  }
  return waits;
}
