/* SPDX-License-Identifier: BSD-2-Clause */
/* The states and paths that every campaign must reach, and a record of those reached. */
#ifndef FUZZ_REACH_POINTS_H
#define FUZZ_REACH_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include <iwarp/rdmap.h>
#include <iwarp/sctp_session.h>

#include "endpoint/machine.h"

/* Paths of an endpoint: X(name, text). */
#define REACH_PATH_MAP(X)                                                                          \
  X(FULL_IRD, "as many Requests as the IRD wait for their Responses")                              \
  X(BEYOND_IRD, "a Request beyond the IRD is refused")                                             \
  X(NO_CREDIT, "an operation waits for the ORD")                                                   \
  X(READ_FAULT, "a Request is refused after it was queued")                                        \
  X(CUT_RESPONSE, "a Response that is under way is cut off by a revoke")                           \
  X(READ_REVOKED, "a region is revoked while a Response reads it")                                 \
  X(READ_INVALIDATED, "a region is invalidated while a Response reads it")                         \
  X(READ_DEREGISTERED, "a region is deregistered while a Response reads it")                       \
  X(PEER_INVALIDATED, "the peer invalidates a region while a Response reads it")                   \
  X(SINK_GOES, "the sink of a Read goes while its Response is awaited")                            \
  X(ATOMIC_GOES, "a region goes before the Atomic Operation on it was done")                       \
  X(HELD_OCTETS, "octets after the Reply are held until accept")                                   \
  X(RTR_WRITE, "the Ready to Receive message is a Write")                                          \
  X(RTR_SEND, "the Ready to Receive message is a Send")                                            \
  X(RTR_READ, "the Ready to Receive message is a Read")                                            \
  X(REFUSED_READ, "the peer's Terminate names the Request that it refused")                        \
  X(UNFINISHED_READ, "Responses are awaited when the connection ends")                             \
  X(EARLY_DUE, "an FPDU placed before its turn is reached")                                        \
  X(EARLY_WRONG, "octets placed before their turn are no FPDU")                                    \
  X(CUT_HEADER, "a Marker cuts a header")

typedef enum reach_path {
#define REACH_PATH_ENUM(name, text) REACH_##name,
  REACH_PATH_MAP(REACH_PATH_ENUM)
#undef REACH_PATH_ENUM
      REACH_NUM_PATHS
} reach_path;

#define REACH_TERMS 64u   /* rows of the table of Terminate errors, at most */
#define REACH_OPCODES 16u /* number of RDMAP opcodes */
#define REACH_SYNCS 5u    /* number of values of iwarp_fpdu_sync */
#define REACH_REASONS 4u  /* number of values of iwarp_undec_reason */
#define REACH_GAPS 2u     /* number of values of iwarp_gap_reason */
#define REACH_KINDS 9u    /* number of values of iwarp_event_kind */
#define REACH_RULES_MAX 256u

typedef struct reach_points {
  bool endpoint[IWARP_ENDPOINT_NUM_STATES][EP_NUM_INPUTS];
  bool octets[IWARP_ENDPOINT_NUM_STATES];
  bool session[IWARP_SCTP_NUM_STATES][IWARP_SCTP_NUM_KINDS];
  bool path[REACH_NUM_PATHS];
  bool term[REACH_TERMS];    /* found by an endpoint */
  bool early[REACH_OPCODES]; /* placed before its turn */
  bool sync[REACH_SYNCS];
  bool reason[REACH_REASONS];
  bool gap[REACH_GAPS];
  bool event[REACH_KINDS];
  bool holed[4];              /* FPDUs that lack octets: bit 0 PAD, bit 1 CRC field is there */
  bool rule[REACH_RULES_MAX]; /* found broken */
} reach_points;

extern reach_points reach;

#define REACH_NUM sizeof(reach_points)

/* reach_name writes the name of a point, an index of reach_points; false where none must be
 * reached. */
bool reach_name(char *out, size_t cap, size_t point);

/* reach_rule_name is the slug of a rule, or NULL; programs that do not know the rules have none. */
const char *reach_rule_name(size_t rule);

#endif
