/* SPDX-License-Identifier: BSD-2-Clause */
/* What was judged and rests on octets of which another copy has others. */
#ifndef IWARP_RULES_DIFFER_H
#define IWARP_RULES_DIFFER_H

#include "context.h"

/* Octets of a direction. */
struct rules_range {
  uint64_t pos;
  uint64_t end; /* position after the last octet */
};

/* What the octets are. */
struct rules_differ {
  bool key;          /* octets of the key of a startup frame */
  bool negotiated;   /* octets of the parameters that the startup frames negotiate */
  bool header;       /* octets of headers, or of an unknown kind */
  bool crc;          /* octets that a CRC covers, or a CRC */
  bool pad;          /* octets of a PAD */
  uint32_t opcodes;  /* opcodes of the segments whose headers the octets are, a bit for each */
  uint32_t segments; /* kinds of these segments, a bit for each enum rules_segment */
};

/* rulesi_differ_of says what the octets of this side are, as far as they were judged. */
struct rules_differ rulesi_differ_of(const struct rules_tracker *track,
                                     const iwarp_observer_info *info, uint8_t side,
                                     struct rules_range range);

/* rulesi_differ_shallow says whether copies of an event of TCP differ in octets that no headers,
 * and nothing that the connection goes by, are among. */
static inline bool rulesi_differ_shallow(const iwarp_event *ev) {
  const bool has = ev->kind == IWARP_EVENT_FPDU || ev->kind == IWARP_EVENT_STARTUP;
  return has && ev->last.differ && !ev->head_last.differ;
}

/* rulesi_differ_rests says whether the rule speaks of such octets; `speaks`: of segments with one
 * of the opcodes. */
bool rulesi_differ_rests(const struct rules_differ *d, uint16_t rule, bool speaks);

#endif
