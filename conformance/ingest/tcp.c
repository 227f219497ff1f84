/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP header and checksum, RFC 9293 3.1. */
#include <string.h>

#include "packet.h"

/*
 * Sums in the machine's byte order: a one's complement sum comes out byte-swapped, which neither
 * the comparison with 0xffff nor that with another such sum minds (RFC 1071 2 (B)). Eight octets
 * are added at a time, four sums in parallel.
 */
static uint64_t add_carry(uint64_t a, uint64_t b) {
  a += b;
  return a + (a < b);
}

static uint64_t word_at(const uint8_t *data) {
  uint64_t word;
  memcpy(&word, data, sizeof word);
  return word;
}

uint64_t ing_sum_add(uint64_t sum, const uint8_t *data, size_t len) {
  uint64_t b = 0;
  uint64_t c = 0;
  uint64_t d = 0;
  for (; len >= 32; data += 32, len -= 32) {
    sum = add_carry(sum, word_at(data));
    b = add_carry(b, word_at(data + 8));
    c = add_carry(c, word_at(data + 16));
    d = add_carry(d, word_at(data + 24));
  }
  for (; len >= 8; data += 8, len -= 8) {
    sum = add_carry(sum, word_at(data));
  }
  if (len != 0) {
    uint64_t tail = 0;
    memcpy(&tail, data, len);
    sum = add_carry(sum, tail);
  }
  return add_carry(add_carry(sum, b), add_carry(c, d));
}

uint16_t ing_sum_fold(uint64_t sum) {
  while (sum > 0xffff) {
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return (uint16_t)sum;
}

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

static uint64_t pseudo_sum(const ing_ip *ip, size_t length) {
  uint8_t tail[8] = {(uint8_t)(length >> 24),
                     (uint8_t)(length >> 16),
                     (uint8_t)(length >> 8),
                     (uint8_t)length,
                     0,
                     0,
                     0,
                     ING_PROTO_TCP};
  return add_carry(address_sum(ip), word_at(tail));
}

/*
 * Where the sender's card fills the checksum in, the capture holds the sum of the pseudo-header
 * alone, with the length or (large send) without, or nothing.
 */
static bool left_to_the_card(const ing_ip *ip, const ing_span *s) {
  uint16_t field = 0;
  (void)ing_copy(s, 16, (uint8_t *)&field, sizeof field);
  return field == 0 || field == ing_sum_fold(pseudo_sum(ip, s->len)) ||
         field == ing_sum_fold(pseudo_sum(ip, 0)); /* neither sum is 0: the protocol is in it */
}

static ing_sum check_sum(const ing_ip *ip, const ing_span *s) {
  if (s->cap < s->len || ip->dst_routed) {
    return ING_SUM_UNKNOWN;
  }
  if (ing_sum_fold(ing_sum_add(pseudo_sum(ip, s->len), s->data, s->len)) == 0xffff) {
    return ING_SUM_GOOD;
  }
  return left_to_the_card(ip, s) ? ING_SUM_UNKNOWN : ING_SUM_BAD;
}

static void set_addr(ingest_addr *addr, uint8_t family, const uint8_t *ip, uint16_t port) {
  addr->family = family;
  memcpy(addr->ip, ip, sizeof addr->ip);
  addr->port = port;
}

bool ing_tcp_open(const ing_ip *ip, ing_segment *seg) {
  const ing_span *s = &ip->body;
  size_t header = (size_t)(ing_u8(s, 12) >> 4) * 4;
  if (s->cap < 20 || header < 20) {
    return false;
  }
  seg->payload = *s;
  if (!ing_skip(&seg->payload, header)) {
    return false;
  }
  set_addr(&seg->src, ip->family, ip->src, ing_be16(s, 0));
  set_addr(&seg->dst, ip->family, ip->dst, ing_be16(s, 2));
  seg->seq = ing_be32(s, 4);
  seg->ack = ing_be32(s, 8);
  seg->flags = ing_u8(s, 13);
  seg->sum = check_sum(ip, s);
  return true;
}
