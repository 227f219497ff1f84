/* SPDX-License-Identifier: BSD-2-Clause */
/* Keyed permutations and noise. Nothing here depends on the order of packets. */
#include "mapping.h"

#include <string.h>

#include <ingest/rewrite.h>

#include "base/siphash.h"
#include "sha256.h"

enum { PROTO_UDP = 17 };

static uint64_t mapping_hash(const mapping *m, mapping_purpose purpose, uint64_t a, uint64_t b) {
  const uint64_t word[2] = {a, b};
  return siphash_words(m->key[purpose], word, 2);
}

/* Up to eight octets as a number, the lowest first, on every machine. */
static uint64_t mapping_word(const uint8_t *octets, size_t len) {
  uint64_t word = 0;
  for (size_t i = 0; i < len && i < 8; i++) {
    word |= (uint64_t)octets[i] << 8 * i;
  }
  return word;
}

/* ---- permutations of numbers ---- */

#define FEISTEL_ROUNDS 8u

/* Which permutation: each purpose and domain has its own. */
typedef struct feistel_kind {
  mapping_purpose purpose;
  uint32_t domain;
  unsigned half; /* the permutation has numbers of 2 * `half` bits */
} feistel_kind;

/* One round: `half` bits of noise for a half of the number. */
static uint64_t feistel_noise(const mapping *m, const feistel_kind *kind, unsigned round,
                              uint64_t value) {
  return mapping_hash(m, kind->purpose, (uint64_t)kind->domain << 8 | round, value) &
         ((UINT64_C(1) << kind->half) - 1);
}

/* The permutation, or its inverse. */
static uint64_t feistel(const mapping *m, const feistel_kind *kind, uint64_t x, bool back) {
  uint64_t left = x >> kind->half;
  uint64_t right = x & ((UINT64_C(1) << kind->half) - 1);
  for (unsigned i = 0; i < FEISTEL_ROUNDS; i++) {
    const unsigned round = back ? FEISTEL_ROUNDS - 1 - i : i;
    const uint64_t from = back ? left : right;
    const uint64_t other = (back ? right : left) ^ feistel_noise(m, kind, round, from);
    left = back ? other : from;
    right = back ? from : other;
  }
  return left << kind->half | right;
}

/* A range of numbers: `num` from `base` on. */
typedef struct mapping_range {
  uint32_t base;
  uint32_t num;
  unsigned half; /* bits: 2^(2 * half) is the next power of 4 or more */
} mapping_range;

/* The same within the range: what leaves it goes on until it is back. */
static uint64_t range_walk(const mapping *m, const mapping_range *r, uint64_t x, bool back) {
  const feistel_kind kind = {MAPPING_IP4, r->base, r->half};
  do {
    x = feistel(m, &kind, x, back);
  } while (x >= r->num);
  return x;
}

/* A permutation of the range that moves each number: to the next one in a secret order. */
static uint32_t range_map(const mapping *m, const mapping_range *r, uint32_t x) {
  const uint64_t place = (range_walk(m, r, x - r->base, false) + 1) % r->num;
  return r->base + (uint32_t)range_walk(m, r, place, true);
}

/* ---- addresses ---- */

/* Kinds of addresses stay kinds: this network, hosts, loopback, groups, reserved. */
static const mapping_range ip4_ranges[] = {
    {0x00000001, 0x00ffffff, 12}, {0x01000000, 0x7e000000, 16}, {0x7f000000, 0x01000000, 12},
    {0x80000000, 0x60000000, 16}, {0xe0000000, 0x10000000, 14}, {0xf0000000, 0x0fffffff, 14},
};

static uint32_t ip4_map(const mapping *m, uint32_t x) {
  for (size_t i = 0; i < sizeof ip4_ranges / sizeof ip4_ranges[0]; i++) {
    const mapping_range *r = &ip4_ranges[i];
    if (x >= r->base && x - r->base < r->num) {
      return range_map(m, r, x);
    }
  }
  return x; /* 0.0.0.0 and 255.255.255.255 */
}

static void mapping_ip4(mapping *m, uint8_t octets[4]) {
  const uint32_t x =
      (uint32_t)octets[0] << 24 | (uint32_t)octets[1] << 16 | (uint32_t)octets[2] << 8 | octets[3];
  const size_t slot = (x * UINT32_C(2654435761)) >> 24;
  if (!m->filled[slot] || m->cached[slot] != x) {
    m->becomes[slot] = ip4_map(m, x);
    m->cached[slot] = x;
    m->filled[slot] = true;
  }
  for (size_t i = 0; i < 4; i++) {
    octets[i] = (uint8_t)(m->becomes[slot] >> (24 - 8 * i));
  }
}

/* Noise for 16 octets that follows from all of them. */
static void noise16(const mapping *m, mapping_purpose purpose, uint8_t out[16],
                    const uint8_t in[16]) {
  uint64_t word[3] = {mapping_word(in, 8), mapping_word(in + 8, 8)};
  for (size_t i = 0; i < 16; i += 8) {
    word[2] = i;
    const uint64_t v = siphash_words(m->key[purpose], word, 3);
    for (size_t k = 0; k < 8; k++) {
      out[i + k] = (uint8_t)(v >> 8 * k);
    }
  }
}

/* Groups and addresses of a link stay such; all others become private ones, fd00::/8.
 */
static void mapping_ip6(const mapping *m, uint8_t octets[16]) {
  static const uint8_t none[16] = {0};
  uint8_t noise[16];
  if (memcmp(octets, none, sizeof none) == 0) {
    return;
  }
  const bool group = octets[0] == 0xff;
  const bool link = octets[0] == 0xfe && (octets[1] & 0xc0) == 0x80;
  const size_t stays = group ? 2 : link ? 8 : 0;
  noise16(m, MAPPING_IP6, noise, octets);
  memcpy(octets + stays, noise + stays, 16 - stays);
  if (link) {
    memset(octets + 2, 0, 6);
  } else if (!group) {
    octets[0] = 0xfd;
  }
}

void mapping_ip(mapping *m, uint8_t family, uint8_t *octets) {
  if (family == 4) {
    mapping_ip4(m, octets);
  } else {
    mapping_ip6(m, octets);
  }
}

/* The broadcast stays, and whether it is a group. The others become locally administered. */
void mapping_mac(const mapping *m, uint8_t octets[6]) {
  static const uint8_t all[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  static const uint8_t none[6] = {0};
  if (memcmp(octets, all, sizeof all) == 0 || memcmp(octets, none, sizeof none) == 0) {
    return;
  }
  const uint8_t group = octets[0] & 1;
  const uint64_t v = mapping_hash(m, MAPPING_MAC, mapping_word(octets, 6), 0);
  for (size_t i = 0; i < 6; i++) {
    octets[i] = (uint8_t)(v >> 8 * i);
  }
  octets[0] = (uint8_t)((octets[0] & 0xfc) | 2 | group);
}

/* ---- ports ---- */

static bool bit_has(const uint8_t *bits, uint32_t port) {
  return bits != NULL && (bits[port / 8] >> port % 8 & 1) != 0;
}

void mapping_port_seen(mapping *m, uint16_t port) {
  m->seen[port / 8] |= (uint8_t)(1u << port % 8);
}

/* A secret order of all ports: the place of a port in it, and the port at a place. */
static const feistel_kind port_order_tcp = {MAPPING_PORT, 0, 8};
static const feistel_kind port_order_udp = {MAPPING_PORT, 1, 8};

static bool port_changes_udp(const mapping *m, uint16_t port) {
  return port != 0 && !ingest_rewrite_port_kept(port) &&
         (m->tunnels == NULL || m->tunnels->layer[port] == 0);
}

/* A port of UDP that may change becomes the next such port in a secret order of all ports. */
static uint16_t port_udp(const mapping *m, uint16_t port) {
  uint64_t place = feistel(m, &port_order_udp, port, false);
  uint16_t to = port;
  if (port_changes_udp(m, port)) {
    do {
      place = (place + 1) % MAPPING_PORTS;
      to = (uint16_t)feistel(m, &port_order_udp, place, true);
    } while (!port_changes_udp(m, to));
  }
  return to;
}

uint16_t mapping_port(mapping *m, uint8_t protocol, uint16_t port) {
  if (protocol != PROTO_UDP) {
    return m->port[port] != 0 ? m->port[port] : port;
  }
  if (m->udp[port] == 0) {
    m->udp[port] = port_udp(m, port);
  }
  return m->udp[port];
}

/* The next port from `port` on whose bit is set, or MAPPING_PORTS. */
static uint32_t port_next(const uint8_t *bits, uint32_t port) {
  while (port < MAPPING_PORTS && !bit_has(bits, port)) {
    port += bits[port / 8] == 0 ? 8 - port % 8 : 1;
  }
  return port;
}

/* Chooses ports, the first ones of a secret order, until none is wanted any more. */
static uint32_t port_choose(const mapping *m, uint8_t *chosen, uint32_t wanted, bool free_ones) {
  for (uint32_t i = 0; i < MAPPING_PORTS && wanted > 0; i++) {
    const uint32_t p = (uint32_t)feistel(m, &port_order_tcp, i, true);
    if (p != 0 && !bit_has(chosen, p) && !bit_has(m->named, p) &&
        !(free_ones && bit_has(m->seen, p))) {
      chosen[p / 8] |= (uint8_t)(1u << p % 8);
      wanted--;
    }
  }
  return wanted;
}

/*
 * As many free ports as there are ports that change, the first ones of a secret order, are given to
 * these by size. A port that stays divides them: below it there may be too few, so that all that
 * are above go up. Where ports are too many for that, the order alone is kept.
 */
void mapping_ports(mapping *m) {
  uint8_t chosen[MAPPING_PORTS / 8] = {0};
  uint32_t wanted = 0;
  for (uint32_t p = port_next(m->seen, 1); p < MAPPING_PORTS; p = port_next(m->seen, p + 1)) {
    wanted += !bit_has(m->named, p);
  }
  wanted = port_choose(m, chosen, wanted, true);
  (void)port_choose(m, chosen, wanted, false); /* hardly any port is free */
  uint32_t next = 0;
  for (uint32_t p = port_next(m->seen, 1); p < MAPPING_PORTS; p = port_next(m->seen, p + 1)) {
    if (!bit_has(m->named, p)) {
      next = port_next(chosen, next + 1);
      m->port[p] = (uint16_t)next;
    }
  }
}

/* ---- octets ---- */

uint64_t mapping_flow(const mapping *m, const ingest_addr *src, const ingest_addr *dst, bool sctp) {
  uint64_t word[5] = {0};
  word[0] =
      (uint64_t)sctp << 48 | (uint64_t)src->family << 32 | (uint64_t)src->port << 16 | dst->port;
  if (!sctp) {
    for (size_t i = 0; i < 2; i++) {
      word[1 + i] = mapping_word(src->ip + 8 * i, 8);
      word[3 + i] = mapping_word(dst->ip + 8 * i, 8);
    }
  } else {
    word[0] &= ~(UINT64_C(0xff) << 32);
  }
  return siphash_words(m->key[MAPPING_FLOW], word, 5);
}

enum { STREAM_UNIT = 4 }; /* positions for which one hash has noise: two octets each */

void mapping_stream(const mapping *m, uint64_t flow, uint64_t pos, uint8_t *octets, size_t len) {
  uint64_t noise = 0;
  for (size_t i = 0; i < len; i++) {
    const uint32_t seq = (uint32_t)(pos + i); /* numbers repeat like sequence numbers */
    const unsigned at = seq % STREAM_UNIT;
    if (i == 0 || at == 0) {
      noise = mapping_hash(m, MAPPING_STREAM, flow, seq / STREAM_UNIT);
    }
    const uint8_t a = (uint8_t)(noise >> 16 * at);
    const uint8_t b = (uint8_t)(noise >> (16 * at + 8));
    octets[i] = m->table[m->table[octets[i] ^ a] ^ b];
  }
}

void mapping_other(const mapping *m, uint8_t *octets, size_t len) {
  uint64_t digest = len;
  for (size_t i = 0; i < len; i += 8) {
    digest = mapping_hash(m, MAPPING_OTHER, digest, mapping_word(octets + i, len - i));
  }
  for (size_t i = 0; i < len; i += 8) {
    const uint64_t v = mapping_hash(m, MAPPING_STREAM, digest, i);
    for (size_t k = 0; k < 8 && i + k < len; k++) {
      octets[i + k] = (uint8_t)(v >> 8 * k);
    }
  }
}

/* ---- keys ---- */

static void mapping_key(mapping *m, const uint8_t key[32], mapping_purpose purpose) {
  const uint8_t which = (uint8_t)purpose;
  uint8_t out[SHA256_LEN];
  sha256 s;
  sha256_begin(&s);
  sha256_add(&s, key, 32);
  sha256_add(&s, &which, 1);
  sha256_end(&s, out);
  m->key[purpose][0] = mapping_word(out, 8);
  m->key[purpose][1] = mapping_word(out + 8, 8);
}

void mapping_begin(mapping *m, const uint8_t key[32], const uint8_t *named) {
  memset(m, 0, sizeof *m);
  m->named = named;
  for (unsigned i = 0; i < MAPPING_PURPOSES; i++) {
    mapping_key(m, key, (mapping_purpose)i);
  }
  for (unsigned i = 0; i < 256; i++) {
    m->table[i] = (uint8_t)i;
  }
  for (unsigned i = 255; i > 0; i--) {
    const unsigned j = (unsigned)(mapping_hash(m, MAPPING_TABLE, 0, i) % (i + 1));
    const uint8_t x = m->table[i];
    m->table[i] = m->table[j];
    m->table[j] = x;
  }
}
