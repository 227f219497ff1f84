/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that go on as all before them did: each rule says the same of all of a kind. */
#ifndef IWARP_RULES_ORDINARY_H
#define IWARP_RULES_ORDINARY_H

#include "context.h"

/* The kinds: what the segment belongs to, and of each by three bits whether it continues a message,
 * is the last of it, and has a PAD. */
enum rules_ordinary {
  ORDINARY_WRITE = 0, /* RDMA Write */
  ORDINARY_READ_RESP, /* inside a Read Response whose Request is known, within its length */
  ORDINARY_SEND,      /* Send, with Solicited Event or not, each message with the expected MSN */
  ORDINARY_EMPTY,     /* a whole RDMA Write without payload */
  ORDINARY_MESSAGES
};

#define RULES_ORDINARY_KINDS (ORDINARY_MESSAGES * 8u)
#define RULES_ORDINARY_NONE RULES_ORDINARY_KINDS

/*
 * rulesi_ordinary returns the kind of the event, or RULES_ORDINARY_NONE. All is known of an
 * ordinary segment. Its FPDU has no Markers, a right CRC and a PAD of zeros; where the startup
 * frames say that CRCs are not in use, no octets of it read as the next FPDU or as Markers. It
 * follows the FPDU before it in a chain that begins with the startup frame. Its headers are right.
 * It has the expected place in a message of which no octet is missing. So each rule finds no fault
 * and nothing unknown. As long as CRCs are in use, or are not, the kind alone tells if the rule
 * counts a pass.
 */
unsigned rulesi_ordinary(const struct rules_ctx *ctx);

/* rulesi_ordinary_steady says whether nothing is missing of a direction and nothing was wrong that
 * lasts, which no ordinary segment changes. */
bool rulesi_ordinary_steady(const struct rules_side *own, const struct rules_side *other);

/* rulesi_ordinary_fpdu returns the same for an FPDU without an event, if its CRC is right where
 * CRCs are in use. */
unsigned rulesi_ordinary_fpdu(const struct rules_tracker *track, const iwarp_observer_info *info,
                              const iwarp_observer_fpdu *f);

/* rulesi_ordinary_answers says whether segments of the kind belong to an answer, which is linked
 * with its request by the event. rulesi_ordinary_link is what is known of any other segment of a
 * kind. */
bool rulesi_ordinary_answers(unsigned kind);
iwarp_link rulesi_ordinary_link(unsigned kind);

/* rulesi_ordinary_facts sets the facts that leave.c needs after the rules, as
 * rulesi_classify would. */
void rulesi_ordinary_facts(struct rules_ctx *ctx);

#endif
