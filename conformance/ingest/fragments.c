/* SPDX-License-Identifier: BSD-2-Clause */
/* Fragments on their way to a segment: which copy of their octets counts where two differ. */
#include "conn.h"
#include "sctp_priv.h"

/* Returns true if the checksum of the transport is right. */
static bool is_right(ing_ip ip) {
  ing_segment seg;
  sctp_packet pkt;
  if (!ing_ip_resume(&ip) || ip.fragment || !ing_ip_known(&ip)) {
    return false;
  }
  return ip.next == ING_PROTO_SCTP ? ing_sctp_open(&ip, true, &pkt) && pkt.sum == ING_SUM_GOOD
                                   : ing_tcp_open(&ip, &seg) && seg.sum == ING_SUM_GOOD;
}

/* The copies that make the checksum right count: the first ones or the second ones. Receivers
 * differ: RFC 5722 has them drop the whole packet, and older ones keep either copy. If the checksum
 * does not decide, the first copies count and stay in doubt. */
static ingest_copy choose(ing_frags *frags, const ing_ip *ip) {
  const bool first = is_right(*ip);
  if (!ing_frags_swap(frags)) {
    return INGEST_COPY_UNKNOWN;
  }
  const bool second = is_right(*ip);
  if (second && !first) {
    return INGEST_COPY_SECOND;
  }
  (void)ing_frags_swap(frags);
  return first && !second ? INGEST_COPY_FIRST : INGEST_COPY_UNKNOWN;
}

/* Makes what keeps fragments; without it any connection may lack octets. */
static bool need_frags(ingest *ing, ing_frags **frags) {
  if (*frags == NULL) {
    *frags = ing_frags_new(&ing->alloc, ing->table.hash_key, &ing->stats.steps);
    ing->frags_refused = ing->frags_refused || *frags == NULL;
  }
  return *frags != NULL;
}

bool ing_fragment_open(ingest *ing, ing_ip *ip, unsigned depth) {
  ing_frags **frags = &ing->frags[depth];
  const ingest_mark at = {.packet = ing->now.packet, .time_ns = ing->now.time_ns};
  ing_conflict *x = &ing->conflict;
  if (!need_frags(ing, frags) || !ing_frags_add(*frags, ip, ing->stats.packets, at, x)) {
    return false;
  }
  ing->stats.steps += ip->body.cap;
  if (x->end != 0) {
    ing->stats.steps += 2 * ip->body.cap;
    x->accepted = choose(*frags, ip);
  }
  return true;
}

void ing_conflict_give(ingest *ing, ing_conn *conn, ingest_event *ev) {
  const ing_segment *seg = &ing->seg;
  const ing_conflict *x = &ing->conflict;
  const size_t from = x->begin > seg->header ? x->begin - seg->header : 0;
  const size_t to = x->end > seg->header ? x->end - seg->header : 0;
  ing_event_fill(ing, conn, ev, INGEST_EVENT_DIFFER, ing->seg_side);
  ev->pos = ing_unwrap(conn->dir[ing->seg_side].next, seg->seq) + from;
  ev->len = to - from;
  ev->first = x->first;
  ev->packet = x->second.packet;
  ev->time_ns = x->second.time_ns;
  ev->accepted = x->accepted;
  ing->conflict_for = NULL;
}
