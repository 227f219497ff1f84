/* SPDX-License-Identifier: BSD-2-Clause */
/* What every reporter is told about the connection that an event or a finding belongs to. */
#ifndef REPORT_CONN_H
#define REPORT_CONN_H

#include <iwarp/rules.h>

#define REPORT_ADDR_CAP 64u /* "[IPv6 address]:port" and a terminator */
#define REPORT_OPCODES 16u
#define REPORT_SEVERITIES 3u

/** report_tally counts what a connection held. Sides by index. */
typedef struct report_tally {
  uint64_t fpdus[2];
  uint64_t octets[2];    /* of startup frames, FPDUs and undecodable octets */
  uint64_t streaming[2]; /* octets before the startup frame */
  uint64_t gaps;
  uint64_t messages[REPORT_OPCODES];    /* last segments, by opcode */
  uint64_t findings[REPORT_SEVERITIES]; /* by iwarp_severity */
} report_tally;

/** report_undecodable is what could not be decoded of a direction although nothing excuses it: its
 * start was captured and nothing before these octets is missing. */
typedef struct report_undecodable {
  uint64_t octets;
  uint64_t packet; /* of the first of them; with it its position and its stream offset */
  uint64_t pos;
  uint64_t offset; /* or IWARP_POS_UNKNOWN */
  uint64_t cut;    /* octets of these that the end of the stream cuts off: excused where the capture
                      ends there */
} report_undecodable;

/** report_conn is one iWARP connection. */
typedef struct report_conn {
  const char *file;              /* as it is printed */
  uint64_t number;               /* 0-based */
  char addr[2][REPORT_ADDR_CAP]; /* "10.0.0.1:4791", by side */
  const iwarp_conn_info *info;
  const iwarp_rules *rules; /* NULL where nothing is judged */
  const char *given_up;     /* name of the limit that ended the following of it or cost it octets,
                               or NULL; static storage */
  report_tally tally;
  report_undecodable undecodable[2]; /* by side */
} report_conn;

/** report_tally_event counts one event. */
void report_tally_event(report_tally *tally, const iwarp_event *ev);

/** report_conn_undecodable notes an event of `conn` that could not be decoded, or the end of a
 * direction. */
void report_conn_undecodable(report_conn *conn, const iwarp_event *ev);

/** report_initiator returns the side that is the initiator, 0 when that is not known. */
uint8_t report_initiator(const iwarp_conn_info *info);

/** report_roles_known says whether the MPA roles are known. */
bool report_roles_known(const iwarp_conn_info *info);

/** report_rev returns the MPA revision that the last startup frame said, and false without any. */
bool report_rev(const iwarp_conn_info *info, uint8_t *rev);

/** report_enhanced says whether all startup frames seen carry the enhanced data (RFC 6581). */
bool report_enhanced(const iwarp_conn_info *info);

#endif
