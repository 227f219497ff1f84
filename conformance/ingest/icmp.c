/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors of ICMP (RFC 792, RFC 1122 3.2.2, RFC 4443 3) that quote a segment of TCP. Anybody can
 * send such a message, so the connection only keeps a note of it. */
#include <string.h>

#include "conn.h"

enum {
  ICMP_HEADER = 8, /* octets before the quoted packet */
  ICMP_QUOTED = 8, /* octets of a TCP header that every quote has: ports and sequence number */
  ICMP_MTU4 = 6,   /* offset of an MTU of 16 bits. RFC 1191 4 */
  ICMP_MTU6 = 4,   /* offset of an MTU of 32 bits. RFC 4443 3.2 */
  ICMP_RAW = 101,  /* link type of a packet without a link layer */
  ICMP_TWINS = 8   /* connections with the same ends that are looked at */
};

/* The kinds of Destination Unreachable, by code. */
static const ingest_icmp_kind icmp_unreachable4[] = {
    INGEST_ICMP_NETWORK, INGEST_ICMP_HOST,       INGEST_ICMP_PROTOCOL,   INGEST_ICMP_PORT,
    INGEST_ICMP_TOO_BIG, INGEST_ICMP_NETWORK,    INGEST_ICMP_NETWORK,    INGEST_ICMP_HOST,
    INGEST_ICMP_HOST,    INGEST_ICMP_PROHIBITED, INGEST_ICMP_PROHIBITED, INGEST_ICMP_NETWORK,
    INGEST_ICMP_HOST,    INGEST_ICMP_PROHIBITED, INGEST_ICMP_PROHIBITED, INGEST_ICMP_PROHIBITED,
};
static const ingest_icmp_kind icmp_unreachable6[] = {
    INGEST_ICMP_NETWORK, INGEST_ICMP_PROHIBITED, INGEST_ICMP_HOST,      INGEST_ICMP_HOST,
    INGEST_ICMP_PORT,    INGEST_ICMP_PROHIBITED, INGEST_ICMP_PROHIBITED};

const char *ingest_icmp_words(ingest_icmp_kind kind) {
  switch (kind) {
  case INGEST_ICMP_NETWORK: return "network unreachable";
  case INGEST_ICMP_HOST: return "host unreachable";
  case INGEST_ICMP_PROTOCOL: return "protocol unreachable";
  case INGEST_ICMP_PORT: return "port unreachable";
  case INGEST_ICMP_PROHIBITED: return "administratively prohibited";
  case INGEST_ICMP_TIME: return "time to live exceeded";
  case INGEST_ICMP_TOO_BIG: return "packet too big";
  case INGEST_ICMP_NONE: break;
  }
  return NULL;
}

static ingest_icmp_kind icmp_kind(uint8_t family, uint8_t type, uint8_t code) {
  enum { UNREACHABLE4 = 3, TIME4 = 11, UNREACHABLE6 = 1, TOO_BIG6 = 2, TIME6 = 3, PROBLEM6 = 4 };
  if (family == 4) {
    return type == UNREACHABLE4 && code < sizeof icmp_unreachable4 / sizeof icmp_unreachable4[0]
               ? icmp_unreachable4[code]
           : type == TIME4 && code == 0 ? INGEST_ICMP_TIME
                                        : INGEST_ICMP_NONE;
  }
  switch (type) {
  case UNREACHABLE6:
    return code < sizeof icmp_unreachable6 / sizeof icmp_unreachable6[0] ? icmp_unreachable6[code]
                                                                         : INGEST_ICMP_NONE;
  case TOO_BIG6: return INGEST_ICMP_TOO_BIG;
  case TIME6: return code == 0 ? INGEST_ICMP_TIME : INGEST_ICMP_NONE;
  case PROBLEM6: return code == 1 ? INGEST_ICMP_PROTOCOL : INGEST_ICMP_NONE;
  default: return INGEST_ICMP_NONE;
  }
}

/* Returns true if the checksum is wrong, as far as the message was captured whole. */
static bool icmp_damaged(const ing_ip *ip, const ing_span *s) {
  if (s->cap < s->len) {
    return false;
  }
  const uint64_t pseudo =
      ip->family == 6 ? ing_sum_pseudo(ip, ING_PROTO_ICMP_V6, s->len) : 0; /* RFC 4443 2.3 */
  return !ing_sum_right(ing_sum_add(pseudo, s->data, s->cap));
}

/* Takes the headers off the quoted packet, of which the first fragment is enough. */
static bool icmp_open_quoted(ing_icmp *out, const ing_decap *d, ing_span s) {
  const ingest_packet quoted = {
      .data = s.data, .caplen = s.cap, .len = s.len, .link_type = ICMP_RAW, .tunnels = d->tunnels};
  ing_decap in;
  decap_end end = ing_decap_open(&in, &quoted);
  if (end == DECAP_FRAGMENT && in.ip.offset == 0) {
    end = ing_decap_resume(&in);
  }
  if (end != DECAP_TRANSPORT || in.ip.next != ING_PROTO_TCP || in.ip.body.cap < ICMP_QUOTED) {
    return false;
  }
  out->src = (ingest_addr){.family = in.ip.family, .port = ing_be16(&in.ip.body, 0)};
  out->dst = (ingest_addr){.family = in.ip.family, .port = ing_be16(&in.ip.body, 2)};
  memcpy(out->src.ip, in.ip.src, sizeof out->src.ip);
  memcpy(out->dst.ip, in.ip.dst, sizeof out->dst.ip);
  out->seq = ing_be32(&in.ip.body, 4);
  return true;
}

bool ing_icmp_open(ing_icmp *out, const ing_decap *d, decap_end end) {
  ing_span s = d->rest;
  if (end != DECAP_NOTHING || !ing_decap_is_icmp(d) || d->ip.family == 0 || s.cap < ICMP_HEADER) {
    return false;
  }
  *out = (ing_icmp){.kind = icmp_kind(d->ip.family, ing_u8(&s, 0), ing_u8(&s, 1))};
  if (out->kind == INGEST_ICMP_NONE || icmp_damaged(&d->ip, &s)) {
    return false;
  }
  if (out->kind == INGEST_ICMP_TOO_BIG) {
    out->mtu = d->ip.family == 4 ? ing_be16(&s, ICMP_MTU4) : ing_be32(&s, ICMP_MTU6);
  }
  if (!ing_skip(&s, ICMP_HEADER) || !icmp_open_quoted(out, d, s)) {
    return false;
  }
  out->by_host =
      d->ip.family == out->dst.family && memcmp(d->ip.src, out->dst.ip, sizeof out->dst.ip) == 0;
  out->lane = d->lane;
  return true;
}

/* The side that sent the quoted segment. */
static unsigned icmp_side(const ing_conn *conn, const ing_icmp *message) {
  return ing_addr_equal(&conn->addr[0], &message->src) ? 0 : 1;
}

/* Returns true if the side sent a segment with the number, which is the octet at *pos: a SYN has
 * the one before the first octet. */
static bool icmp_fits(const ing_conn *conn, unsigned side, uint32_t seq, uint64_t *pos) {
  const ing_dir *d = &conn->dir[side];
  if (conn->closed || !d->anchored) {
    return false;
  }
  *pos = ing_unwrap(d->next, seq);
  return *pos + (d->start_known ? 1u : 0u) >= d->start && *pos <= d->seen;
}

/* The connection of the quoted segment, whose position is *pos then, or NULL. */
static ing_conn *icmp_find(ingest *ing, const ing_icmp *message, uint64_t *pos) {
  const ing_segment quoted = {.src = message->src, .dst = message->dst, .lane = message->lane};
  ing_conn *first = ing_table_find(&ing->table, &quoted);
  ing_conn *conn = first;
  for (unsigned i = 0; conn != NULL && i < ICMP_TWINS; i++) {
    ing->stats.steps++;
    if (icmp_fits(conn, icmp_side(conn, message), message->seq, pos)) {
      return conn;
    }
    conn = conn->twin_next != first ? conn->twin_next : NULL;
  }
  return NULL;
}

void ing_icmp_take(ingest *ing, const ing_icmp *message) {
  uint64_t pos = 0;
  ing_conn *conn = icmp_find(ing, message, &pos);
  ingest_stalls *stalls = conn != NULL ? ing_table_stalls(&ing->table, conn) : NULL;
  if (stalls == NULL) {
    return;
  }
  const unsigned side = icmp_side(conn, message);
  ingest_icmp *x =
      &(message->kind == INGEST_ICMP_TOO_BIG ? stalls->too_big : stalls->unreachable)[side];
  if (x->kind != message->kind) {
    *x = (ingest_icmp){.kind = message->kind, .first = ing->now.packet};
  }
  x->latest = ing->now.packet;
  x->pos = pos;
  x->mtu = message->mtu;
  x->by_host = message->by_host;
}

void ing_icmp_close(ing_conn *conn) {
  ingest_stalls *stalls = conn->ends.stalls;
  for (unsigned side = 0; stalls != NULL && side < 2; side++) {
    const uint64_t acked = conn->dir[side].acked;
    stalls->unreachable[side].open = stalls->unreachable[side].pos >= acked;
    stalls->too_big[side].open = stalls->too_big[side].pos >= acked;
  }
}
