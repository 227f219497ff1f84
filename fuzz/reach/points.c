/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of all points, made of the tables of the library. */
#include "points.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(bool) == 1, "reach_points is an array of points");

reach_points reach;

/* ---- tables ---- */

static bool endpoint_name(char *out, size_t cap, size_t i) {
  static const char *const inputs[] = {
#define REACH_INPUT(name, shown, text) shown,
      EP_INPUT_MAP(REACH_INPUT)
#undef REACH_INPUT
  };
  const size_t state = i / EP_NUM_INPUTS;
  const size_t input = i % EP_NUM_INPUTS;
  snprintf(out, cap, "endpoint %s: %s", iwarp_endpoint_state_name((iwarp_endpoint_state)state),
           inputs[input]);
  return iwarpi_ep_action((iwarp_endpoint_state)state, (ep_input)input) != EP_DO_NEVER;
}

static bool octets_name(char *out, size_t cap, size_t i) {
  snprintf(out, cap, "endpoint %s: octets", iwarp_endpoint_state_name((iwarp_endpoint_state)i));
  return true;
}

static bool session_name(char *out, size_t cap, size_t i) {
  static const char *const kinds[] = {"Initiate",  "Accept",  "Reject",
                                      "Terminate", "Segment", "other"};
  const size_t state = i / IWARP_SCTP_NUM_KINDS;
  snprintf(out, cap, "session %s: %s", iwarp_sctp_state_name((iwarp_sctp_state)state),
           kinds[i % IWARP_SCTP_NUM_KINDS]);
  return true;
}

/* Errors that an endpoint finds or a ULP has it report; it leaves the others to its ULP. */
static bool is_found(const iwarp_rdmap_term_row *row) {
  static const uint16_t terms[] = {IWARP_TERM_RDMA_LOCAL,
                                   IWARP_TERM_PROTECTION_STAG,
                                   IWARP_TERM_PROTECTION_BOUNDS,
                                   IWARP_TERM_PROTECTION_ACCESS,
                                   IWARP_TERM_PROTECTION_STREAM,
                                   IWARP_TERM_PROTECTION_WRAP,
                                   IWARP_TERM_PROTECTION_INVALIDATE,
                                   IWARP_TERM_OPERATION_VERSION,
                                   IWARP_TERM_OPERATION_OPCODE,
                                   IWARP_TERM_OPERATION_STREAM,
                                   IWARP_TERM_OPERATION_INVALIDATE,
                                   IWARP_TERM_OPERATION_UNSPECIFIED,
                                   IWARP_TERM_DDP_LOCAL,
                                   IWARP_TERM_TAGGED_STAG,
                                   IWARP_TERM_TAGGED_BOUNDS,
                                   IWARP_TERM_TAGGED_STREAM,
                                   IWARP_TERM_TAGGED_WRAP,
                                   IWARP_TERM_TAGGED_VERSION,
                                   IWARP_TERM_UNTAGGED_QN,
                                   IWARP_TERM_UNTAGGED_NO_BUFFER,
                                   IWARP_TERM_UNTAGGED_MSN,
                                   IWARP_TERM_UNTAGGED_MO,
                                   IWARP_TERM_UNTAGGED_TOO_LONG,
                                   IWARP_TERM_UNTAGGED_VERSION,
                                   IWARP_TERM_MPA_CRC,
                                   IWARP_TERM_MPA_MARKER,
                                   IWARP_TERM_MPA_LOCAL,
                                   IWARP_TERM_MPA_IRD,
                                   IWARP_TERM_MPA_RTR};
  const unsigned term = (unsigned)row->layer << 12 | (unsigned)row->etype << 8 | row->code;
  for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
    if (terms[i] == term) {
      return true;
    }
  }
  return false;
}

static bool term_name(char *out, size_t cap, size_t i) {
  const iwarp_rdmap_term_row *row = iwarp_rdmap_term_at(i);
  if (row == NULL) {
    return false;
  }
  snprintf(out, cap, "fault %u/%u/%u: %s, %s", (unsigned)row->layer, (unsigned)row->etype,
           (unsigned)row->code, row->etype_name, row->name);
  return is_found(row);
}

static bool early_name(char *out, size_t cap, size_t i) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get((uint8_t)i);
  snprintf(out, cap, "placed before its turn: %s", op->label);
  return op->assigned && op->payload;
}

/* ---- lists ---- */

static bool listed(char *out, size_t cap, const char *what, const char *name) {
  snprintf(out, cap, "%s: %s", what, name);
  return true;
}

static bool path_name(char *out, size_t cap, size_t i) {
  static const char *const names[] = {
#define REACH_PATH_NAME(name, text) text,
      REACH_PATH_MAP(REACH_PATH_NAME)
#undef REACH_PATH_NAME
  };
  return listed(out, cap, "path", names[i]);
}

static bool sync_name(char *out, size_t cap, size_t i) {
  static const char *const names[REACH_SYNCS] = {"nothing", "the startup frame", "a Marker",
                                                 "a CRC", "the begin of a transport segment"};
  return listed(out, cap, "the place of an FPDU rests on", names[i]) && i > 0;
}

static bool reason_name(char *out, size_t cap, size_t i) {
  static const char *const names[REACH_REASONS] = {"the stream ends inside", "after a Reject",
                                                   "no boundary is known", "no FPDU begins there"};
  return listed(out, cap, "undecodable", names[i]);
}

static bool gap_name(char *out, size_t cap, size_t i) {
  return listed(out, cap, "gap", i == 0 ? "lost" : "cut by the capture");
}

static bool event_name(char *out, size_t cap, size_t i) {
  static const char *const names[REACH_KINDS] = {
      "startup frame", "FPDU",      "gap",          "undecodable",      "streaming data",
      "end",           "SCTP INIT", "SCTP message", "segment over SCTP"};
  return listed(out, cap, "event", names[i]);
}

static bool holed_name(char *out, size_t cap, size_t i) {
  snprintf(out, cap, "an FPDU lacks octets: PAD is %s, the CRC field is %s",
           (i & 1u) != 0 ? "there" : "missing", (i & 2u) != 0 ? "there" : "missing");
  return true;
}

static bool rule_name(char *out, size_t cap, size_t i) {
  const char *slug = reach_rule_name(i);
  return slug != NULL && listed(out, cap, "broken", slug);
}

/* ---- all ---- */

typedef bool name_function(char *out, size_t cap, size_t i);

/* One member of reach_points. */
typedef struct area {
  size_t begin;
  size_t num;
  name_function *name;
} area;

#define AREA(member, function)                                                                     \
  { offsetof(reach_points, member), sizeof reach.member, function }

bool reach_name(char *out, size_t cap, size_t point) {
  static const area areas[] = {
      AREA(endpoint, endpoint_name), AREA(octets, octets_name), AREA(session, session_name),
      AREA(path, path_name),         AREA(term, term_name),     AREA(early, early_name),
      AREA(sync, sync_name),         AREA(reason, reason_name), AREA(gap, gap_name),
      AREA(event, event_name),       AREA(holed, holed_name),   AREA(rule, rule_name)};
  for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
    if (point >= areas[i].begin && point - areas[i].begin < areas[i].num) {
      return areas[i].name(out, cap, point - areas[i].begin);
    }
  }
  return false;
}
