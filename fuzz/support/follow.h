/* SPDX-License-Identifier: BSD-2-Clause */
/* A list of packets through ingest, observers and rules, without the tool: what is found, and what
 * it costs. */
#ifndef FUZZ_SUPPORT_FOLLOW_H
#define FUZZ_SUPPORT_FOLLOW_H

#include <iwarp/rules.h>
#include <observe/observe.h>

#include "refuse.h"

#define FOLLOW_PACKETS 1024u
#define FOLLOW_FINDINGS 1024u
#define FOLLOW_REQUESTS 256u /* Requests of a side that are remembered */

typedef struct follow_packets {
  ingest_packet packet[FOLLOW_PACKETS];
  size_t num;
} follow_packets;

/* The Requests of a connection and what their answers say that their sender had received. */
typedef struct follow_answers {
  const void *conn;                         /* the first connection that was seen */
  uint64_t request_end[2][FOLLOW_REQUESTS]; /* ends of the Requests of a side */
  size_t num_requests[2];
  size_t num_answered[2]; /* Requests that a side has answered */
} follow_answers;

/* The result of a list of packets. */
typedef struct follow {
  refusal refuse;       /* refuses memory to ingest, and to malloc where the program is linked so */
  const uint8_t *ports; /* ports, see observe_cfg */
  size_t num_faults;    /* findings that are more than notes */
  uint16_t fault[FOLLOW_FINDINGS];
  size_t num_events;
  bool failed; /* observers report that later events are not reliable */
  bool clean;  /* iWARP was found, and every octet was understood and right */
  follow_answers answers;
  size_t num_closed; /* connections closed */
  uint64_t start[2]; /* starts of the streams of the first closed connection; 0: not known */
  uint64_t octets;   /* octets of streams that came out, and TSNs */
  uint64_t input;    /* captured octets and 16 for the record of each packet */
  uint64_t steps;    /* steps of ingest */
  size_t live;       /* octets of ingest's memory that did not come back */
} follow;

/* follow_read takes the packets of a pcap file; they borrow its octets. */
void follow_read(follow_packets *out, iwarp_span file);

/* follow_run follows all packets but those that `lost` says, which may be NULL. */
void follow_run(follow *f, const follow_packets *packets, const bool *lost);

#endif
