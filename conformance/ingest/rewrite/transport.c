/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP, SCTP, ICMP and ARP: ports, payload, options, checksums. */
#include "rewrite_priv.h"

#include <string.h>

#include "../sctp_priv.h"

/* ---- TCP ---- */

enum { TCP_HEADER = 20, TCP_SUM = 16 };
enum { TCP_MSS = 2, TCP_SCALE = 3, TCP_SACK_OK = 4, TCP_SACK = 5, TCP_TIMES = 8 };

/* Middleboxes write addresses into other options, and some are signatures. */
static bool tcp_option_stays(uint8_t kind) {
  switch (kind) {
  case TCP_MSS:
  case TCP_SCALE:
  case TCP_SACK_OK:
  case TCP_SACK:
  case TCP_TIMES: return true;
  default: return false;
  }
}

static void tcp_option(const rw *w, const uint8_t *option, size_t len) {
  if (!tcp_option_stays(option[0])) {
    rw_zero(w, option + 2, len - 2);
  }
}

static void tcp_payload(const rw *w, const ing_segment *seg) {
  const ing_span *s = &seg->payload;
  const bool syn = (seg->flags & ING_SYN) != 0;
  const ingest_rewritten where = {.src = seg->src,
                                  .dst = seg->dst,
                                  .seq = seg->seq + (syn ? 1u : 0u),
                                  .lane = w->lane,
                                  .packet = w->packet};
  if (s->cap > 0) {
    w->do_->stream(w->do_->ctx, &where, rw_at(w, s->data), s->cap);
  }
}

void rw_tcp(const rw *w, const ing_ip *ip) {
  const ing_span *s = &ip->body;
  ing_segment seg;
  if (!ing_tcp_open(ip, &seg)) {
    rw_zero(w, s->data, s->cap); /* zeros form no header */
    return;
  }
  const size_t header = seg.header < s->cap ? seg.header : s->cap;
  rw_ports(w, ING_PROTO_TCP, s->data);
  rw_options(w, s->data + TCP_HEADER, header - TCP_HEADER, tcp_option);
  tcp_payload(w, &seg);
  rw_sum(w, s, s->data + TCP_SUM, ip);
}

/* ---- SCTP ---- */

enum { CHUNK_HEADER = 4, SCTP_SUM = 8, SCTP_SUM_LEN = 4 };
enum {
  CHUNK_HEARTBEAT = 4,
  CHUNK_HEARTBEAT_ACK = 5,
  CHUNK_ERROR = 9,
  CHUNK_ASCONF_ACK = 128,
  CHUNK_I_DATA_HEADER = 20 /* RFC 8260 2.1 */
};
enum {
  PARAM_IPV4 = 5,
  PARAM_IPV6 = 6,
  PARAM_COOKIE_TIME = 9,
  PARAM_TYPES = 12,
  PARAM_EXTENSIONS = 0x8008,
  PARAM_FORWARD = 0xC000,
  PARAM_DEL_IP = 0xC002,
  PARAM_PRIMARY = 0xC004,
  PARAM_ADAPTATION = 0xC006
};

static void sctp_param_value(const rw *w, const sctp_param *param) {
  const ing_span *v = &param->value;
  switch (param->type) {
  case PARAM_IPV4:
  case PARAM_IPV6:
    if (v->cap == (param->type == PARAM_IPV4 ? 4u : 16u)) {
      rw_ip(w, param->type == PARAM_IPV4 ? 4 : 6, v->data);
    } else {
      rw_other(w, v->data, v->cap);
    }
    break;
  case PARAM_COOKIE_TIME:
  case PARAM_TYPES:
  case PARAM_EXTENSIONS:
  case PARAM_FORWARD:
  case PARAM_ADAPTATION: break;
  default: rw_other(w, v->data, v->cap); break;
  }
}

/* Parameters that change addresses hold a number and a parameter. RFC 5061 4.2 */
static bool sctp_param_holds(const sctp_param *param, ing_span *inner) {
  *inner = param->value;
  return (param->type == SCTP_PARAM_ADD_IP || param->type == PARAM_DEL_IP ||
          param->type == PARAM_PRIMARY) &&
         ing_skip(inner, 4);
}

/* Octets after the last parameter become zeros, which begin none. */
static void sctp_params(const rw *w, ing_span rest) {
  sctp_param param;
  sctp_param held;
  ing_span inner;
  while (ing_sctp_param(&rest, &param)) {
    if (!sctp_param_holds(&param, &inner)) {
      sctp_param_value(w, &param);
      continue;
    }
    while (ing_sctp_param(&inner, &held)) {
      sctp_param_value(w, &held);
    }
    rw_zero(w, inner.data, inner.cap);
  }
  rw_zero(w, rest.data, rest.cap);
}

static void sctp_params_after(const rw *w, const sctp_chunk *chunk, size_t header) {
  ing_span rest = chunk->body;
  if (ing_skip(&rest, header)) {
    sctp_params(w, rest);
  }
}

static void sctp_data(const rw *w, const sctp_packet *pkt, const sctp_chunk *chunk) {
  ing_span user = chunk->body;
  const ingest_rewritten where = {.src = pkt->src,
                                  .dst = pkt->dst,
                                  .sctp = true,
                                  .begins = (chunk->flags & SCTP_FLAG_B) != 0,
                                  .ppid = ing_be32(&user, 12),
                                  .seq = ing_be32(&user, 4),
                                  .packet = w->packet};
  if (ing_skip(&user, SCTP_DATA_HEADER) && user.cap > 0) {
    w->do_->stream(w->do_->ctx, &where, rw_at(w, user.data), user.cap);
  }
}

static void sctp_write(const rw *w, const sctp_packet *pkt, const sctp_chunk *chunk) {
  const ing_span *s = &chunk->body;
  switch (chunk->type) {
  case SCTP_DATA: sctp_data(w, pkt, chunk); break;
  case SCTP_SACK:
  case SCTP_SHUTDOWN:
  case SCTP_SHUTDOWN_ACK:
  case SCTP_COOKIE_ACK:
  case SCTP_SHUTDOWN_COMPLETE:
  case SCTP_FORWARD_TSN: break;
  case SCTP_INIT:
  case SCTP_INIT_ACK: sctp_params_after(w, chunk, SCTP_INIT_HEADER); break;
  case SCTP_ASCONF:
  case CHUNK_ASCONF_ACK: sctp_params_after(w, chunk, CHUNK_HEADER + 4); break;
  case SCTP_I_DATA:
    if (s->cap > CHUNK_I_DATA_HEADER) {
      rw_other(w, s->data + CHUNK_I_DATA_HEADER, s->cap - CHUNK_I_DATA_HEADER);
    }
    break;
  default:
    if (s->cap > CHUNK_HEADER) {
      rw_other(w, s->data + CHUNK_HEADER, s->cap - CHUNK_HEADER);
    }
    break;
  }
}

static uint32_t sctp_sum(const ing_span *s, const uint8_t *octets) {
  static const uint8_t zero[SCTP_SUM_LEN] = {0};
  uint32_t crc = ing_sctp_crc(UINT32_MAX, octets, SCTP_SUM);
  crc = ing_sctp_crc(crc, zero, sizeof zero);
  return ~ing_sctp_crc(crc, octets + SCTP_HEADER, s->cap - SCTP_HEADER);
}

/* The difference from the right checksum stays. */
static void sctp_set_sum(const rw *w, const ing_span *s) {
  static const uint8_t zero[SCTP_SUM_LEN] = {0};
  const uint8_t *field = s->data + SCTP_SUM;
  if (memcmp(field, zero, sizeof zero) == 0) {
    return;
  }
  if (s->cap < s->len) {
    rw_noise(w, field, SCTP_SUM_LEN);
    return;
  }
  const uint32_t change = sctp_sum(s, s->data) ^ sctp_sum(s, rw_at(w, s->data));
  for (size_t i = 0; i < SCTP_SUM_LEN; i++) {
    rw_at(w, field)[i] = (uint8_t)(field[i] ^ change >> 8 * i);
  }
  if (memcmp(rw_at(w, field), zero, sizeof zero) == 0) {
    rw_at(w, field)[0] = 1; /* 0 means that a card fills it in */
  }
}

void rw_sctp(const rw *w, const ing_ip *ip) {
  const ing_span *s = &ip->body;
  ing_span rest = *s;
  sctp_packet pkt;
  sctp_chunk chunk;
  if (!ing_sctp_open(ip, true, &pkt)) {
    rw_other(w, s->data, s->cap);
    return;
  }
  rw_ports(w, ING_PROTO_SCTP, s->data);
  (void)ing_skip(&rest, SCTP_HEADER);
  while (ing_sctp_chunk(&rest, &chunk)) {
    sctp_write(w, &pkt, &chunk);
    const size_t len = chunk.body.len;
    const size_t pad = (size_t)(rest.data - chunk.body.data) - chunk.body.cap;
    if (pad > 0 && len % 4 != 0) {
      rw_zero(w, chunk.body.data + chunk.body.cap, pad);
    }
  }
  rw_zero(w, rest.data, rest.cap); /* zeros begin no chunk */
  sctp_set_sum(w, s);
}

/* ---- ICMP ---- */

enum { ICMP_HEADER = 8, ICMP_SUM = 2 };

/* Errors quote the packet that they are about. RFC 792, RFC 4443 3 */
static bool icmp_quotes(uint8_t next, uint8_t type) {
  return next == ING_PROTO_ICMP_V6
             ? type >= 1 && type <= 4
             : type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
}

void rw_icmp(const rw *w, const ing_ip *ip) {
  ing_span rest = ip->body;
  if (rest.cap < ICMP_HEADER) {
    rw_other(w, rest.data, rest.cap);
    return;
  }
  const bool redirect = ip->next != ING_PROTO_ICMP_V6 && rest.data[0] == 5;
  const bool quotes = icmp_quotes(ip->next, rest.data[0]);
  if (redirect) {
    rw_ip(w, 4, rest.data + 4);
  } else if (!quotes) {
    rw_zero(w, rest.data + 4, 4);
  }
  (void)ing_skip(&rest, ICMP_HEADER);
  if (quotes) {
    rw_quoted(w, &rest);
  } else {
    rw_other(w, rest.data, rest.cap);
  }
  rw_sum(w, &ip->body, ip->body.data + ICMP_SUM, ip->next == ING_PROTO_ICMP_V6 ? ip : NULL);
}

/* ---- ARP ---- */

enum { ARP_LEN = 28 };

/* RFC 826, for Ethernet and IPv4. */
void rw_arp(const rw *w, const ing_span *s) {
  static const uint8_t kind[] = {0, 1, 8, 0, 6, 4};
  const uint8_t *p = s->data;
  if (s->cap < ARP_LEN || memcmp(p, kind, sizeof kind) != 0) {
    rw_other(w, p, s->cap);
    return;
  }
  for (size_t at = 8; at < ARP_LEN; at += 10) {
    w->do_->mac(w->do_->ctx, rw_at(w, p + at));
    rw_ip(w, 4, p + at + 6);
  }
  rw_zero(w, p + ARP_LEN, s->cap - ARP_LEN);
}
