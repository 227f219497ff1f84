/* SPDX-License-Identifier: BSD-2-Clause */
/* What was judged and rests on octets of which another copy has others. */
#ifndef IWARP_RULES_DIFFER_H
#define IWARP_RULES_DIFFER_H

#include "context.h"

/* Octets of a direction. */
struct rules_range {
  uint64_t pos;
  uint64_t end; /* after the last one */
};

/* What the octets are. */
struct rules_differ {
  bool key;          /* of the key of a startup frame */
  bool negotiated;   /* of what the frames agree on */
  bool header;       /* of headers, or of an unknown kind */
  bool crc;          /* covered by a CRC, or one */
  bool pad;          /* a PAD */
  uint32_t opcodes;  /* whose segments they are headers of, a bit for each, */
  uint32_t segments; /* and what these are, a bit for each enum rules_segment */
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
