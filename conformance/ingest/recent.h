/* SPDX-License-Identifier: BSD-2-Clause */
/* The latest packets of a connection, so that copies of them are known: a mirror port captures a
 * packet when it comes in and again when it goes out. */
#ifndef INGEST_RECENT_H
#define INGEST_RECENT_H

#include <string.h>

#include "packet.h"

enum {
  ING_RECENT = 16, /* packets of a direction that a copy is compared with; a power of 2 */
  ING_RECENT_NS =
      100000 /* age at which a packet without Identification is no copy any more, in nanoseconds */
};

/* What is known of a packet: a digest of its TCP header, payload, lengths and Identification. */
typedef struct ing_recent {
  uint64_t digest;
  uint64_t time_ns;
} ing_recent;

/* The latest packets of both sides that are no copies. */
typedef struct ing_recent_list {
  ing_recent of[2][ING_RECENT];
  uint32_t num[2]; /* packets of each side so far: the next packet takes the place of this number
                      modulo ING_RECENT */
} ing_recent_list;

enum { ING_RECENT_FIRST = 3 }; /* the handshake: many connections have no other packets */

/* The latest packets of a connection. The first ones are kept in the struct, until there are more.
 */
typedef struct ing_recents {
  uint64_t clock_ns;     /* time of the connection's latest packet, or of an earlier one if later */
  ing_recent_list *list; /* NULL: there are the first ones at most, or there was no memory */
  ing_recent first[ING_RECENT_FIRST];
  uint8_t first_side[ING_RECENT_FIRST];
  uint8_t num_first;
} ing_recents;

static inline uint64_t ing_recent_mix(uint64_t a, uint64_t b) {
  const uint64_t x = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
  return x ^ x >> 29;
}

/* ing_recent_digest returns the digest of a packet whose TCP header begins at `tcp`. That has the
 * checksum, which stands for the options and the payload where it is right. */
static inline uint64_t ing_recent_digest(const uint8_t *tcp, uint16_t id, size_t len) {
  uint64_t numbers;
  uint64_t rest;
  memcpy(&numbers, tcp + 4, sizeof numbers);
  memcpy(&rest, tcp + 12, sizeof rest);
  return ing_recent_mix(ing_recent_mix(numbers, (uint64_t)len << 16 | id), rest);
}

/* ing_recent_has returns true if a packet of the side with this digest is among the latest ones. */
bool ing_recent_has(const ing_recents *recents, unsigned side, uint64_t digest);

void ing_recents_free(ing_recents *recents, const ingest_alloc *alloc);

struct ing_conn;

/* ing_recent_is_copy returns true if the current segment is of a packet that was captured before.
 */
bool ing_recent_is_copy(ingest *ing, struct ing_conn *conn, unsigned side);

/* ing_recent_add keeps a packet of `side` with this digest, at the current time. */
void ing_recent_add(ingest *ing, struct ing_conn *conn, unsigned side, uint64_t digest);

/* ing_recent_note keeps the packet of the current segment. */
void ing_recent_note(ingest *ing, struct ing_conn *conn, unsigned side);

#endif
