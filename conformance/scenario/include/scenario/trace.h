/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures of connections whose octets are known and whose packets are not: the segments are made
 * up. Addresses, octets and times are real. */
#ifndef SCENARIO_TRACE_H
#define SCENARIO_TRACE_H

#include <scenario/scenario.h>

/** SCENARIO_TRACE_COMMENT is the comment on the section of such a capture. */
#define SCENARIO_TRACE_COMMENT                                                                     \
  "segments invented: octets, addresses and times are real, TCP segments and acknowledgments are " \
  "not"

/** scenario_end is one end of a connection. */
typedef struct scenario_end {
  bool ipv6; /* both ends have the same value */
  uint16_t port;
  uint8_t address[16]; /* 4 octets for IPv4 */
} scenario_end;

/** scenario_moment is when a side sent something. */
typedef struct scenario_moment {
  uint64_t time_ns; /* time since the epoch */
  bool acks;        /* the side had received all that the trace has of the other one: its segments
                       say so. Otherwise it is not known what it had, and they acknowledge nothing */
} scenario_moment;

/*
 * A trace begins with scenario_new. All functions return false where memory ran out, or where the
 * trace has as many packets, octets or connections as a scenario may have: then it stays as it was.
 * Side 0 of a connection sent the SYN.
 */

/** scenario_trace_open begins the next connection, by its handshake. */
bool scenario_trace_open(scenario *s, const scenario_end ends[2], uint64_t time_ns);

/** scenario_trace_octets adds octets that a side sent, in as few segments as they fit. */
bool scenario_trace_octets(scenario *s, uint8_t side, scenario_moment at, const uint8_t *octets,
                           size_t len);

/** scenario_trace_fin and scenario_trace_rst add the end of a side's half, or of the connection. */
bool scenario_trace_fin(scenario *s, uint8_t side, scenario_moment at);
bool scenario_trace_rst(scenario *s, uint8_t side, scenario_moment at);

/** scenario_trace_note returns the comment on packet `i` and its time; NULL: it has none, or there
 * is no such packet. `num` gets how many packets there are. */
const char *scenario_trace_note(const scenario *s, size_t i, size_t *num, uint64_t *time_ns);

/** scenario_trace_comment puts a comment on the latest packet, after an earlier one. */
bool scenario_trace_comment(scenario *s, const char *comment);

#endif
