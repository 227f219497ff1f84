/* SPDX-License-Identifier: BSD-2-Clause */
/* FNV-1a over protocol, addresses and ports, the lower end first; no key, so that it is the same in
 * every run. */
#include "conn_hash.h"

#include <string.h>

#define HASH_BASIS UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

static uint64_t hash_octets(uint64_t hash, const uint8_t *octets, size_t n) {
  for (size_t i = 0; i < n; i++) {
    hash = (hash ^ octets[i]) * HASH_PRIME;
  }
  return hash;
}

static uint64_t hash_end(uint64_t hash, const ingest_addr *end) {
  const uint8_t rest[3] = {end->family, (uint8_t)(end->port >> 8), (uint8_t)end->port};
  return hash_octets(hash_octets(hash, end->ip, sizeof end->ip), rest, sizeof rest);
}

static bool hash_swapped(const ingest_addr addr[2]) {
  const int order = memcmp(addr[0].ip, addr[1].ip, sizeof addr[0].ip);
  return order > 0 || (order == 0 && addr[0].port > addr[1].port);
}

/* FNV leaves the low bits, which a remainder looks at, with little of the last octets. */
static uint64_t hash_mixed(uint64_t hash) {
  hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

uint64_t conn_hash(const ingest_addr addr[2], bool sctp) {
  const size_t low = hash_swapped(addr) ? 1 : 0;
  const uint8_t protocol = sctp ? 1 : 0;
  const uint64_t hash = hash_octets(HASH_BASIS, &protocol, 1);
  return hash_mixed(hash_end(hash_end(hash, &addr[low]), &addr[1 - low]));
}
