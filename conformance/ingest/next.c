/* SPDX-License-Identifier: BSD-2-Clause */
/* The next segment of a direction of which nothing waits: by far the most frequent packet. */
#include "conn.h"

/* Offsets of fields in a frame of Ethernet (RFC 894), and in a packet of IPv4 without options. RFC
 * 791, RFC 9293 */
enum {
  NEXT_LINK_TYPE = 1, /* Ethernet, as in ingest_packet */
  NEXT_ETHERTYPE = 12,
  NEXT_IP = 14, /* the packet of IPv4; the fields below count from its first octet */
  NEXT_TOTAL = 2,
  NEXT_ID = 4,
  NEXT_PLACE = 6, /* flags and offset of the fragment, TTL, protocol */
  NEXT_SRC = 12,
  NEXT_DST = 16,
  NEXT_TCP = 20,
  NEXT_MIN = 40 /* octets up to the end of a TCP header without options */
};

#define NEXT_PLACE_FIXED 0x3fff00ffu /* all but "don't fragment" and the TTL */
#define NEXT_TIMES 0x0101080au       /* two NOPs, and the Timestamps option of 10 octets */
#define NEXT_TIMES_LEN 12u
#define NEXT_VERSION 0x45u /* version 4, and five words of header */

/* True if the next segments in order can change only the numbers of the connection. */
ING_NOINLINE static bool next_settle(ing_conn *conn, unsigned side) {
  const ing_dir *d = &conn->dir[side];
  conn->settled[side] = conn->opened && !conn->closed && d->started && d->seen <= d->next &&
                        conn->dir[side ^ 1u].started && ing_is_quiet(conn);
  return conn->settled[side];
}

/* True if a segment with these numbers is the next one of such a connection; then *ack is the
 * position that it acknowledges. */
static inline bool next_numbers(ing_conn *conn, unsigned side, uint32_t seq, uint32_t acked,
                                uint64_t *ack) {
  const ing_dir *d = &conn->dir[side];
  const ing_dir *p = &conn->dir[side ^ 1u];
  const uint32_t back = (uint32_t)p->next - acked;
  *ack = p->next - back;
  return seq == (uint32_t)d->next && back <= ING_SANE &&
         (conn->settled[side] || next_settle(conn, side)) && (*ack >= p->start || !p->start_known);
}

/* True if ACK is set, and no other flag but PSH. */
static bool next_flags(uint8_t flags) {
  return (flags & (ING_ACK | ING_SYN | ING_FIN | ING_RST)) == ING_ACK;
}

bool ing_next_is(ing_conn *conn, unsigned side, const ing_segment *seg, uint64_t *ack) {
  const bool sound =
      seg->sum == ING_SUM_GOOD ? conn->dir[side].proven : seg->sum == ING_SUM_UNKNOWN;
  return next_flags(seg->flags) && sound && !seg->has_sack &&
         seg->payload.cap == seg->payload.len &&
         !ing_like_padding(seg->flags, seg->payload.data, seg->payload.len) &&
         next_numbers(conn, side, seg->seq, seg->ack, ack);
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
  if (conn->ends.stalls != NULL) {
    conn->ends.stalls->alone[side ^ 1u].segments = 0;
  }
}

void ing_next_take(ingest *ing, ing_conn *conn, unsigned side, const uint8_t *data, size_t len) {
  ing_dir *d = &conn->dir[side];
  next_note(ing, conn, side);
  ing_copies_came(ing, conn, side, data, len, &ing->now);
  ing_given(ing, conn, side, data, len, NULL);
  d->next += len;
  d->seen = d->next;
  d->advanced_at = conn->packets;
  conn->ends.last = (ingest_mark){.packet = ing->now.packet, .time_ns = ing->now.time_ns};
  conn->ends.last_side = (uint8_t)side;
  ing->active = NULL; /* the connection has no more events */
}

void ing_next_event(ingest *ing, ing_conn *conn, unsigned side, ingest_event *ev) {
  const ing_span *payload = &ing->seg.payload;
  const ing_dir *d = &conn->dir[side];
  ev->kind = INGEST_EVENT_DATA; /* member by member: to clear it first would take longer */
  ev->from = ing;
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
  ev->differ = false;
  ev->may_wait = !ing->at_once;
  ev->snapped = false;
  ev->end = INGEST_END_FIN;
  ev->ends = &conn->ends;
  ev->limit = INGEST_LIMIT_NONE;
  ing_next_take(ing, conn, side, payload->data, payload->len);
}

/* ---- from the packet on ---- */

/* The packet of IPv4 and TCP in a captured packet. */
typedef struct next_packet {
  const uint8_t *ip; /* first octet of the IP packet */
  size_t cap;        /* captured octets of the IP packet */
  uint32_t lane;     /* same as in ing_segment */
} next_packet;

/* The way of such a packet, or NULL. */
static inline const ing_way *next_way(ing_table *table, const next_packet *in) {
  uint64_t hosts;
  uint32_t ports;
  memcpy(&hosts, in->ip + NEXT_SRC, sizeof hosts);
  memcpy(&ports, in->ip + NEXT_TCP, sizeof ports);
  const ing_way *way = ing_table_way(table, hosts, ports, in->lane);
  const bool same = way->hosts == hosts && way->ports == ports && way->lane == in->lane;
  return way->conn != NULL && same ? way : NULL;
}

/* True if there is no option, or only a Timestamps option: other options may report received
 * octets. RFC 7323 3.2, appendix A */
static bool next_options(const uint8_t *options, size_t len) {
  return len == 0 || (len == NEXT_TIMES_LEN && ing_get32(options) == NEXT_TIMES);
}

/* Octets of the headers of such a packet; 0 where they are not whole, or not all was captured. */
static inline size_t next_before(const next_packet *in, size_t total) {
  const size_t header = (size_t)(in->ip[NEXT_TCP + 12] >> 4) * 4;
  const size_t before = NEXT_TCP + header;
  const bool whole = header >= NEXT_MIN - NEXT_TCP && total >= before && total <= in->cap;
  return whole && next_options(in->ip + NEXT_MIN, header - (NEXT_MIN - NEXT_TCP)) ? before : 0;
}

/* True if the checksum of the IPv4 header is right: five words, whose sum needs no carry. */
static inline bool next_header_good(const uint8_t *header) {
  uint64_t sum = 0;
  for (size_t i = 0; i < NEXT_TCP; i += sizeof(uint32_t)) {
    uint32_t word;
    memcpy(&word, header + i, sizeof word);
    sum += word;
  }
  return ing_sum_right(sum);
}

/* True if the checksum is right. The addresses lie before the segment, as in the pseudo-header. */
static inline bool next_sum_good(const uint8_t *ip, size_t total) {
  const size_t segment = total - NEXT_TCP;
  const uint8_t rest[4] = {0, ING_PROTO_TCP, (uint8_t)(segment >> 8), (uint8_t)segment};
  uint32_t pseudo;
  memcpy(&pseudo, rest, sizeof pseudo);
  return ing_sum_right(ing_sum_add(pseudo, ip + NEXT_SRC, NEXT_TCP - NEXT_SRC + segment));
}

static bool next_waits(const ing_conn *first, uint64_t now) {
  return first == NULL || first->deadline > now;
}

/* True if no other connection has an event at this packet. */
static bool next_alone(const ingest *ing) {
  return ing->short_of == NULL && next_waits(ing->table.closed_list.first, ing->stats.packets) &&
         next_waits(ing->table.dying.first, ing->stats.packets);
}

/* Returns false if the packet, whose checksum is right, was captured before. Its octets, if it has
 * any, are the next ones: then it was not. */
static ING_INLINE bool next_fresh(ingest *ing, ing_conn *conn, unsigned side, const uint8_t *ip,
                                  size_t total, size_t before) {
  const uint16_t id = ing_get16(ip + NEXT_ID);
  const uint64_t digest = ing_recent_digest(ip + NEXT_TCP, id, total - NEXT_TCP);
  if (total == before && id != 0 && ing_recent_has(&conn->recents, side, digest)) {
    return false;
  }
  ing_recent_add(ing, conn, side, digest);
  return true;
}

/* Shows such a packet to the caller, with `before` octets of headers and `total` in all. */
ING_NOINLINE static void next_show(const ingest *ing, ing_conn *conn, unsigned side,
                                   const uint8_t *tcp, size_t total, size_t before) {
  const ingest_seen seen = {.user = &conn->user,
                            .addr = conn->addr,
                            .packet = ing->now.packet,
                            .time_ns = ing->now.time_ns,
                            .len = total - before,
                            .cap = total - before,
                            .seq = ing_get32(tcp + 4),
                            .window = ing_get16(tcp + 14),
                            .flags = tcp[13],
                            .side = (uint8_t)side};
  ing->packets.each(ing->packets.ctx, &seen);
}

/* Takes the packet; false: nothing was done. */
static ING_INLINE bool next_take(ingest *ing, const ingest_packet *pkt, const next_packet *in) {
  const ing_way *way = next_way(&ing->table, in);
  if (way == NULL) {
    return false;
  }
  const uint8_t *ip = in->ip;
  const uint8_t *tcp = ip + NEXT_TCP;
  ing_conn *conn = way->conn;
  const unsigned side = way->side;
  const size_t total = ing_get16(ip + NEXT_TOTAL);
  const size_t before = next_before(in, total);
  uint64_t ack;
  if (before == 0 || !next_flags(tcp[13]) || ing_get16(tcp + 14) == 0 || ing_is_shut(conn) ||
      ing_like_padding(tcp[13], ip + before, total - before) || !conn->dir[side].proven ||
      !next_numbers(conn, side, ing_get32(tcp + 4), ing_get32(tcp + 8), &ack) || !next_alone(ing) ||
      !next_sum_good(ip, total) || (!next_header_good(ip) && ing_ip_damaged(ip, NEXT_TCP)) ||
      !next_fresh(ing, conn, side, ip, total, before)) {
    return false;
  }
  ing->stats.tcp_packets++;
  ing->stats.steps += pkt->caplen + 1;
  ing->now.ack = ack;
  ing_table_touch(&ing->table, conn, side, total > before);
  if (ing->packets.each != NULL) {
    next_show(ing, conn, side, tcp, total, before);
  }
  if (total == before) {
    next_note(ing, conn, side);
    return true;
  }
  ing->stats.with_payload++;
  ing->next = conn;
  ing->due = (ingest_segment){.from = ing,
                              .user = conn->user,
                              .data = ip + before,
                              .len = total - before,
                              .pos = conn->dir[side].next,
                              .packet = pkt->number,
                              .time_ns = pkt->time_ns,
                              .peer_pos = ack,
                              .may_wait = !ing->at_once,
                              .side = (uint8_t)side};
  return true;
}

/* True for a packet of TCP over IPv4 over Ethernet, without options of IP, that is no fragment. */
static inline bool next_plain(const ingest_packet *pkt) {
  const uint8_t *p = pkt->data;
  return pkt->link_type == NEXT_LINK_TYPE && pkt->caplen >= NEXT_IP + NEXT_MIN &&
         ing_get32(p + NEXT_ETHERTYPE) >> 8 == (ING_ETHERTYPE_IPV4 << 8 | NEXT_VERSION) &&
         (ing_get32(p + NEXT_IP + NEXT_PLACE) & NEXT_PLACE_FIXED) == ING_PROTO_TCP;
}

/* The path of a packet with other headers: one that is known, or the one that a walk shows. */
static const decap_path *next_path(ingest *ing, const ingest_packet *pkt) {
  decap_path fresh;
  ing_walk *walk = &ing->walk;
  const decap_path *path = ing_paths_find(&ing->paths, pkt, &walk->cap);
  if (path == NULL) {
    walk->end = ing_decap_learn(&walk->decap, pkt, &fresh);
    walk->done = true;
    path = ing_path_fits(&fresh, pkt, &walk->cap) ? ing_paths_add(&ing->paths, &fresh) : NULL;
  }
  return path;
}

/* Takes a packet with other headers; false: nothing was done. */
ING_NOINLINE static bool next_inside(ingest *ing, const ingest_packet *pkt) {
  const decap_path *path = next_path(ing, pkt);
  if (path == NULL) {
    return false;
  }
  const next_packet in = {.ip = pkt->data + path->ip, .cap = ing->walk.cap, .lane = path->lane};
  if (!next_take(ing, pkt, &in)) {
    return false;
  }
  ing_path_count(path, &ing->stats.encap[0]);
  ing->walk.done = false;
  return true;
}

bool ing_next_open(ingest *ing, const ingest_packet *pkt) {
  const next_packet in = {.ip = pkt->data + NEXT_IP, .cap = pkt->caplen - NEXT_IP};
  return next_plain(pkt) ? next_take(ing, pkt, &in) : next_inside(ing, pkt);
}
