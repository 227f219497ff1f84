/* SPDX-License-Identifier: BSD-2-Clause */
/* The first TSN of a direction: its INIT or INIT ACK has it, which may be captured late. */
#include "sctp_priv.h"

void ing_sctp_start(sctp_dir *d, uint32_t tsn, bool known) {
  d->started = true;
  d->start_known = known;
  d->next = ((uint64_t)1 << 32) + tsn;
  d->start = d->next;
  d->acked = d->next;
}

/* Returns true if the direction, which was taken to begin later, may begin at `pos`. No chunk of it
 * has come out or was reported lost.
 */
static bool may_begin_at(const sctp_dir *d, uint64_t pos) {
  return !d->start_known && !d->lost && d->next == d->start && pos <= d->start &&
         d->start - pos <= SCTP_SANE;
}

/* An acknowledgment that is still at the beginning moves with the beginning. */
static void begin_again(uint64_t *acked, const sctp_dir *d, uint64_t pos) {
  *acked = *acked == d->start ? pos : *acked;
}

static void begin_at(struct ing_sctp *s, sctp_dir *d, uint64_t pos, bool known) {
  for (sctp_node *n = d->held.first[0]; n != NULL && pos < d->start; n = n->next[0]) {
    begin_again(&n->acked, d, pos);
    ++*s->steps;
  }
  for (size_t i = 0; i <= SCTP_PATIENCE_STEPS; i++) {
    begin_again(&d->past_acked[i], d, pos);
  }
  begin_again(&d->acked, d, pos);
  d->start_known = known;
  d->next = pos;
  d->start = pos;
}

void ing_sctp_begin_at(struct ing_sctp *s, sctp_dir *d, uint64_t pos, bool known) {
  if (may_begin_at(d, pos)) {
    begin_at(s, d, pos, known);
  }
}

void ing_sctp_begin_right(struct ing_sctp *s, sctp_dir *d, uint64_t pos) {
  if (d->next == d->start && (pos <= d->start || d->held.first[0] == NULL)) {
    begin_at(s, d, pos, true);
  }
}

bool ing_sctp_begins(const sctp_assoc *a) {
  const sctp_dir *d = a->dir;
  return (d[0].init_seen || d[1].init_seen) && !(d[0].start_known && d[1].start_known) &&
         a->packets < SCTP_WAIT_PACKETS;
}
