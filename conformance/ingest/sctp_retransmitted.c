/* SPDX-License-Identifier: BSD-2-Clause */
/* Signs that packets of an association are missing from the capture, or stand in it too late,
 * though no TSN is missing. */
#include "sctp_priv.h"

void ing_sctp_note_chunk(sctp_assoc *a, const sctp_dir *d, uint64_t tsn) {
  const bool damaged = tsn >= d->damaged && tsn < d->damaged_end;
  a->maybe_retransmitted = a->maybe_retransmitted || tsn < d->acked || damaged;
}

void ing_sctp_note_duplicates(const struct ing_sctp *s, sctp_assoc *a, const sctp_dir *acked,
                              const sctp_chunk *sack) {
  if (acked->start_known && s->pkt.sum != ING_SUM_BAD) {
    a->maybe_retransmitted =
        a->maybe_retransmitted || ing_be16(&sack->body, 14) > acked->copies; /* RFC 9260 3.3.4 */
  }
}

void ing_sctp_note_cookie(sctp_assoc *a, unsigned side, sctp_chunk_type type) {
  sctp_dir *d = &a->dir[side];
  const sctp_dir *peer = &a->dir[side ^ 1u];
  if (type == SCTP_COOKIE_ECHO) {
    d->echoed = true;
    a->maybe_retransmitted = a->maybe_retransmitted || (d->init_seen && !peer->init_seen);
  } else {
    d->greeted = true;
    a->maybe_retransmitted = a->maybe_retransmitted || (d->init_seen && !peer->echoed);
  }
}

bool ing_sctp_maybe_retransmitted(const sctp_assoc *a) {
  const sctp_dir *d = a->dir;
  return a->maybe_retransmitted || ((d[0].echoed || d[1].echoed) && !d[0].greeted && !d[1].greeted);
}
