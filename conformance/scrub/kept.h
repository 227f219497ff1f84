/* SPDX-License-Identifier: BSD-2-Clause */
/* The octets of TCP streams that stay, and CRCs, which change by a fixed difference. */
#ifndef SCRUB_KEPT_H
#define SCRUB_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapping.h"

typedef enum kept_kind {
  KEPT_CHANGED = 0, /* four octets: each is XORed with an octet of `value`, the lowest one first */
  KEPT_SET,         /* the first four octets become `value`, further ones 0 */
  KEPT_STAYS        /* headers, which do not change; where ranges overlap, this kind counts */
} kept_kind;

#define KEPT_KINDS 3u
#define KEPT_LONGEST 1024u /* octets of a range, at most */

/* A range of octets in a direction. */
typedef struct kept_range {
  uint64_t pos;
  uint16_t len;
  uint16_t kind; /* kept_kind */
  uint32_t value;
} kept_range;

#define KEPT_BESIDE 8u /* connections of one flow at a time, in several VLANs and tunnels */

/* A direction of a TCP connection. Directions with the same ports, after it or in another VLAN or
 * tunnel at the same time, have their own. */
typedef struct kept_dir {
  struct kept_dir *next; /* next direction with the same hash; the latest connection first */
  uint64_t flow;
  uint64_t conn; /* number of the connection */
  uint64_t from; /* number of the packet with its first octets */
  uint64_t near; /* a position that was seen last: it completes sequence numbers of 32 bits */
  uint64_t low;  /* positions of its octets, as far as they were learnt: from here ... */
  uint64_t high; /* ... to here */
  uint32_t lane; /* the VLANs and tunnels of its first octets, where `has_lane` */
  bool has_lane;
  kept_range *range;
  size_t num;
  size_t room;
  size_t mark;   /* ranges from here on may concern the octets that are looked at */
  size_t number; /* counts directions as they are made */
} kept_dir;

typedef struct kept {
  kept_dir **slot;
  size_t num_slots; /* a power of two, or 0 */
  size_t num_dirs;
  kept_dir **sorted; /* all of them by flow and first packet, after kept_sort */
  size_t limit;      /* bytes */
  size_t used;
  size_t wanted; /* bytes that would have been enough */
  bool full;     /* the limit was reached */
  bool failed;   /* the system has no memory */
} kept;

/* kept_dir_of returns the direction of the connection with this number, or makes it. `len` octets
 * from this position on are its, and came in this packet. NULL: no memory. */
kept_dir *kept_dir_of(kept *k, uint64_t flow, uint64_t conn, uint64_t pos, uint64_t len,
                      uint64_t packet);

/* kept_find returns the direction to which octets with this sequence number belong, in a packet of
 * this lane. If the latest one of the flow begins in this packet, it is that one. Else it compares
 * the latest KEPT_BESIDE directions of the flow that began before the packet. It takes the one
 * whose octets are nearest to the number. If several are equally near, it takes the one of the
 * lane, and then the latest. If none began before the packet, it takes the first direction of the
 * flow. NULL: the flow has no direction. kept_sort comes before it, and the calls come in the order
 * of the packets. */
kept_dir *kept_find(const kept *k, uint64_t flow, uint64_t packet, uint32_t lane, uint32_t seq);

/* kept_pos returns the position with this sequence number that is nearest to the latest one. */
static inline uint64_t kept_pos(const kept_dir *dir, uint32_t seq) {
  return dir->near + (uint64_t)(int64_t)(int32_t)(seq - (uint32_t)dir->near);
}

/* kept_add adds a range of any length. */
void kept_add(kept *k, kept_dir *dir, kept_kind kind, uint64_t pos, size_t len, uint32_t value);

/* kept_sort puts all directions and their ranges in order, after the last kept_add. False: no
 * memory. */
bool kept_sort(kept *k);

/* kept_scrub makes `octets` what `len` octets of a direction become, from position `pos` on. The
 * ranges of `dir` count; before kept_sort those since its mark. `dir` NULL: no octet stays. */
void kept_scrub(const mapping *m, const kept_dir *dir, uint64_t flow, uint64_t pos,
                const uint8_t *were, size_t len, uint8_t *octets, bool sorted);

void kept_free(kept *k);

#endif
