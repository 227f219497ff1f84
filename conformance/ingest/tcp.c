/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP header and pseudo-header, RFC 9293 3.1. */
#include <string.h>

#include "recent.h"

enum { TCP_MIN = 20 }; /* octets of a header without options */

/* Options. RFC 9293 3.1, RFC 2018 3 */
enum { TCP_END = 0, TCP_NOP = 1, TCP_SACK = 5, TCP_SACK_BLOCK = 8 };

static uint64_t half_at(const uint8_t *data) {
  uint32_t half;
  memcpy(&half, data, sizeof half);
  return half;
}

static uint64_t address_sum(const ing_ip *ip) {
  if (ip->family == 4) {
    return half_at(ip->src) + half_at(ip->dst);
  }
  return ing_sum_add(ing_sum_add(0, ip->src, sizeof ip->src), ip->dst, sizeof ip->dst);
}

uint64_t ing_sum_pseudo(const ing_ip *ip, uint8_t protocol, size_t length) {
  const uint8_t octets[4] = {(uint8_t)(length >> 24), (uint8_t)(length >> 16),
                             (uint8_t)(length >> 8), (uint8_t)length};
  const uint8_t next[4] = {0, 0, 0, protocol};
  return address_sum(ip) + half_at(octets) + half_at(next);
}

/*
 * True if the sender's card fills the checksum in. The capture then holds 0, or the sum of the
 * pseudo-header, which has the length except for a large send.
 */
static bool left_to_the_card(const ing_ip *ip, const ing_span *s) {
  uint16_t field = 0;
  (void)ing_copy(s, 16, (uint8_t *)&field, sizeof field);
  return field == 0 || field == ing_sum_fold(ing_sum_pseudo(ip, ING_PROTO_TCP, s->len)) ||
         field == ing_sum_fold(ing_sum_pseudo(ip, ING_PROTO_TCP,
                                              0)); /* neither sum is 0: the protocol is in it */
}

static ing_sum check_sum(const ing_ip *ip, const ing_span *s) {
  if (s->cap < s->len || ip->dst_routed) {
    return ING_SUM_UNKNOWN;
  }
  if (ing_sum_right(ing_sum_add(ing_sum_pseudo(ip, ING_PROTO_TCP, s->len), s->data, s->len))) {
    return ING_SUM_GOOD;
  }
  return left_to_the_card(ip, s) ? ING_SUM_UNKNOWN : ING_SUM_BAD;
}

static void set_addr(ingest_addr *addr, uint8_t family, const uint8_t *ip, uint16_t port) {
  addr->family = family;
  memcpy(addr->ip, ip, sizeof addr->ip);
  addr->port = port;
}

/* Takes the lowest block that lies above the acknowledgment number: one below it reports a copy
 * that came again. RFC 2883 4 */
static void take_sack(ing_segment *seg, const uint8_t *blocks, size_t len) {
  for (size_t at = 0; at + TCP_SACK_BLOCK <= len; at += TCP_SACK_BLOCK) {
    const uint32_t from = ing_get32(blocks + at);
    const bool above = from - seg->ack - 1u < 0x7fffffffu;
    if (above && (!seg->has_sack || from - seg->ack < seg->sack_from - seg->ack)) {
      seg->has_sack = true;
      seg->sack_from = from;
    }
  }
}

/* Reads the options, of which those captured lie at `p`. */
static void read_options(ing_segment *seg, const uint8_t *p, size_t len) {
  for (size_t at = 0; at < len && p[at] != TCP_END;) {
    if (p[at] == TCP_NOP) {
      at++;
      continue;
    }
    if (len - at < 2 || p[at + 1] < 2 || p[at + 1] > len - at) {
      return;
    }
    if (p[at] == TCP_SACK) {
      take_sack(seg, p + at + 2, p[at + 1] - 2u);
    }
    at += p[at + 1];
  }
}

bool ing_tcp_ends(const ing_ip *ip, ingest_addr *src, ingest_addr *dst) {
  const uint8_t *p = ing_front(&ip->body, TCP_MIN);
  if (p != NULL) {
    set_addr(src, ip->family, ip->src, ing_get16(p));
    set_addr(dst, ip->family, ip->dst, ing_get16(p + 2));
  }
  return p != NULL;
}

bool ing_tcp_open(const ing_ip *ip, ing_segment *seg) {
  const ing_span *s = &ip->body;
  const uint8_t *p = ing_front(s, TCP_MIN);
  if (p == NULL || (p[12] >> 4) * 4u < TCP_MIN) {
    return false;
  }
  seg->payload = *s;
  if (!ing_skip(&seg->payload, (p[12] >> 4) * 4u)) {
    return false;
  }
  (void)ing_tcp_ends(ip, &seg->src, &seg->dst);
  seg->seq = ing_get32(p + 4);
  seg->ack = ing_get32(p + 8);
  seg->flags = p[13];
  seg->window = (uint16_t)(p[14] << 8 | p[15]);
  seg->has_sack = false;
  const size_t header = (p[12] >> 4) * 4u;
  if (s->cap >= header) {
    read_options(seg, p + TCP_MIN, header - TCP_MIN);
  }
  seg->header = header;
  seg->in_doubt = false;
  seg->header_damaged = ip->damaged;
  seg->sum = check_sum(ip, s);
  seg->ip_id = ip->family == 4 ? (uint16_t)ip->id : 0;
  seg->digest = ing_recent_digest(p, seg->ip_id, s->len);
  if (seg->sum != ING_SUM_GOOD) { /* the checksum in the header does not stand for the octets */
    seg->digest = ing_recent_mix(seg->digest + s->cap, ing_sum_add(0, s->data, s->cap));
  }
  return true;
}
