/* SPDX-License-Identifier: BSD-2-Clause */
/* How long the packets are that a path takes, and whether a message had to be fragmented. */
#include "sctp_priv.h"

/* A chunk that comes again in a shorter packet was too long for the path before. */
void ing_sctp_try_room(const struct ing_sctp *s, sctp_dir *d, uint64_t tsn) {
  if (d->room_tried > 0 && tsn == d->room_tsn) {
    d->room_tried = s->pkt.room < d->room_tried ? 0 : d->room_tried;
  } else if (s->pkt.room > d->room_tried && tsn >= d->next) {
    d->room_tried = s->pkt.room;
    d->room_tsn = tsn;
  }
}

size_t ing_sctp_room_taken(const sctp_assoc *a, sctp_dir *d) {
  if (d->room_tried > d->room_taken && d->acked > d->room_tsn) {
    d->room_taken = d->room_tried;
  }
  return (a->paths & (a->paths - 1)) == 0 ? d->room_taken : 0;
}

/* Octets of an SCTP packet that no path makes IP fragment: IPv6 takes packets of 1280 octets
 * everywhere, and no SCTP assumes a path over IPv4 that takes less than 512. */
static size_t room_everywhere(const sctp_assoc *a) {
  return a->addr[0].family == 6 ? 1280u - 40u : 512u - 20u;
}

/* A packet that took a fragment, or any of the path before, or any at all would have taken the
 * whole: RFC 5043 9 asks for that. Where IP had to fragment the path is one that takes less. */
bool ing_sctp_fits(const sctp_assoc *a, const sctp_dir *d, size_t len) {
  const size_t needs = SCTP_HEADER + SCTP_DATA_HEADER + ((len + 3) & ~(size_t)3);
  size_t room = 0;
  size_t path = room_everywhere(a);
  bool whole = true;
  for (const sctp_node *n = d->parts.first; n != NULL; n = n->next[0]) {
    room = n->room > room ? n->room : room;
    path = n->path > path ? n->path : path;
    whole = whole && n->room > 0;
  }
  return needs <= room || (whole && needs <= path);
}
