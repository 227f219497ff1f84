/* SPDX-License-Identifier: BSD-2-Clause */
/* The next segment of a direction of which nothing waits: by far the most frequent packet. */
#include "conn.h"

/* Where fields are in a packet of Ethernet and IPv4 without options. RFC 894, RFC 791, RFC 9293 */
enum {
  NEXT_LINK_TYPE = 1, /* Ethernet, as in ingest_packet */
  NEXT_ETHERTYPE = 12,
  NEXT_IP = 14,
  NEXT_TOTAL = 16,
  NEXT_PLACE = 20, /* flags and offset of the fragment, TTL, protocol */
  NEXT_SRC = 26,
  NEXT_DST = 30,
  NEXT_TCP = 34,
  NEXT_MIN = 54 /* up to the end of a TCP header without options */
};

#define NEXT_PLACE_FIXED 0x3fff00ffu /* all but "don't fragment" and the TTL */
#define NEXT_VERSION 0x45u           /* and five words of header */

bool ing_next_is(const ing_conn *conn, unsigned side, const ing_segment *seg, uint64_t *ack) {
  const ing_dir *d = &conn->dir[side];
  const ing_dir *p = &conn->dir[side ^ 1u];
  const uint32_t back = (uint32_t)p->next - seg->ack;
  const bool plain = (seg->flags & (ING_ACK | ING_SYN | ING_FIN | ING_RST)) == ING_ACK;
  const bool sound = seg->sum == ING_SUM_GOOD ? d->proven : seg->sum == ING_SUM_UNKNOWN;
  *ack = p->next - back;
  return plain && sound && seg->payload.cap == seg->payload.len && d->started &&
         seg->seq == (uint32_t)d->next && d->seen <= d->next && p->started && back <= ING_SANE &&
         (*ack >= p->start || !p->start_known) && ing_is_quiet(conn);
}

/* Notes what such a segment shows, which may be an acknowledgment alone. */
static void next_note(const ingest *ing, ing_conn *conn, unsigned side) {
  ing_dir *d = &conn->dir[side];
  ing_dir *p = &conn->dir[side ^ 1u];
  conn->packets++;
  d->out_of_window = 0;
  if (!d->heard || !conn->ends.heard[side]) { /* else nothing is written that is read as a whole */
    d->present = d->heard = conn->ends.heard[side] = true;
  }
  p->acked = ing->now.ack > p->acked ? ing->now.ack : p->acked;
}

void ing_next_event(ingest *ing, ing_conn *conn, unsigned side, ingest_event *ev) {
  const ing_span *payload = &ing->seg.payload;
  ing_dir *d = &conn->dir[side];
  next_note(ing, conn, side);
  ev->kind = INGEST_EVENT_DATA; /* member by member: to clear it first would take longer */
  ev->user = &conn->user;
  ev->addr = conn->addr;
  ev->side = (uint8_t)side;
  ev->data = payload->data;
  ev->len = payload->len;
  ev->pos = d->next;
  ev->start_known = d->start_known;
  ev->start = d->start;
  ev->packet = ing->now.packet;
  ev->time_ns = ing->now.time_ns;
  ev->peer_pos = ing->now.ack;
  ev->segment_start = true;
  ev->damaged = false;
  ev->snapped = false;
  ev->end = INGEST_END_FIN;
  ev->ends = &conn->ends;
  ev->limit = INGEST_LIMIT_NONE;
  d->next += payload->len;
  d->seen = d->next;
  d->advanced_at = conn->packets;
  ing->active = NULL; /* it has nothing more to say */
}

/* ---- from the packet on ---- */

static bool next_ends(const ingest_addr *src, const ingest_addr *dst, const uint8_t *p) {
  return src->family == 4 && memcmp(src->ip, p + NEXT_SRC, 4) == 0 &&
         memcmp(dst->ip, p + NEXT_DST, 4) == 0 && src->port == ing_get16(p + NEXT_TCP) &&
         dst->port == ing_get16(p + NEXT_TCP + 2);
}

/* Takes the headers off a packet of TCP over IPv4 over Ethernet without options of IP, all of it
 * captured; false where it is another one. What its checksum says is not known yet. */
static bool next_open(const ingest_packet *pkt, ing_segment *seg) {
  const uint8_t *p = pkt->data;
  if (pkt->link_type != NEXT_LINK_TYPE || pkt->caplen < NEXT_MIN) {
    return false;
  }
  const size_t header = (size_t)(p[NEXT_TCP + 12] >> 4) * 4;
  const size_t before = NEXT_TCP - NEXT_IP + header;
  const size_t total = ing_get16(p + NEXT_TOTAL);
  if (ing_get32(p + NEXT_ETHERTYPE) >> 8 != (ING_ETHERTYPE_IPV4 << 8 | NEXT_VERSION) ||
      (ing_get32(p + NEXT_PLACE) & NEXT_PLACE_FIXED) != ING_PROTO_TCP ||
      header < NEXT_MIN - NEXT_TCP || total < before || total > pkt->caplen - NEXT_IP) {
    return false;
  }
  seg->payload.data = p + NEXT_IP + before;
  seg->payload.cap = seg->payload.len = total - before;
  seg->seq = ing_get32(p + NEXT_TCP + 4);
  seg->ack = ing_get32(p + NEXT_TCP + 8);
  seg->flags = p[NEXT_TCP + 13];
  seg->sum = ING_SUM_GOOD;
  return true;
}

/* Whether the checksum is right: the addresses lie before the segment, as in the pseudo-header. */
static bool next_sum_good(const uint8_t *p, size_t total) {
  const size_t segment = total - (NEXT_TCP - NEXT_IP);
  const uint8_t rest[4] = {0, ING_PROTO_TCP, (uint8_t)(segment >> 8), (uint8_t)segment};
  uint32_t pseudo;
  memcpy(&pseudo, rest, sizeof pseudo);
  return ing_sum_fold(ing_sum_add(pseudo, p + NEXT_SRC, NEXT_TCP - NEXT_SRC + segment)) == 0xffff;
}

static bool next_waits(const ing_conn *first, uint64_t now) {
  return first == NULL || first->deadline > now;
}

bool ing_next_open(ingest *ing, const ingest_packet *pkt) {
  ing_conn *conn = ing->table.lru_newest;
  ing_segment *seg = &ing->seg;
  if (conn == NULL || conn->closed || !conn->opened || ing->short_of != NULL ||
      !next_open(pkt, seg)) {
    return false;
  }
  const unsigned side = next_ends(&conn->addr[0], &conn->addr[1], pkt->data) ? 0 : 1;
  if (side == 1 && !next_ends(&conn->addr[1], &conn->addr[0], pkt->data)) {
    return false;
  }
  uint64_t ack;
  if (!ing_next_is(conn, side, seg, &ack) ||
      !next_waits(ing->table.closed_list.first, ing->stats.packets) ||
      !next_waits(ing->table.dying.first, ing->stats.packets) ||
      !next_sum_good(pkt->data, ing_get16(pkt->data + NEXT_TOTAL))) {
    return false;
  }
  ing->stats.tcp_packets++;
  ing->stats.steps += pkt->caplen + 1;
  ing->seg_side = (uint8_t)side;
  ing->now.ack = ack;
  if (seg->payload.len > 0) {
    ing->next = conn;
  } else {
    next_note(ing, conn, side);
  }
  return true;
}
