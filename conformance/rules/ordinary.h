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
  ORDINARY_SEND,      /* Send, with Solicited Event or not, each message with the MSN that is due */
  ORDINARY_EMPTY,     /* a whole RDMA Write without payload */
  ORDINARY_MESSAGES
};

#define RULES_ORDINARY_KINDS (ORDINARY_MESSAGES * 8u)
#define RULES_ORDINARY_NONE RULES_ORDINARY_KINDS

/*
 * rulesi_ordinary returns the kind of the event, or RULES_ORDINARY_NONE. Of an ordinary segment all
 * is known: an FPDU without Markers, right after the one before it in a chain that begins with the
 * startup frame, with a right CRC and a PAD of zeros; headers in which nothing is wrong; the place
 * that is due in a message none of which is missing. Each rule that is asked about it finds nothing
 * wrong and nothing unknown, and whether it counts a pass follows from the kind alone.
 */
unsigned rulesi_ordinary(const struct rules_ctx *j);

/* rulesi_ordinary_steady says whether nothing is missing of a direction and nothing was wrong that
 * lasts, which no ordinary segment changes. */
bool rulesi_ordinary_steady(const struct rules_side *own, const struct rules_side *other);

/* rulesi_ordinary_fpdu returns the same for an FPDU of `own` without an event, if its CRC is right;
 * `crc` says whether CRCs are in use. */
unsigned rulesi_ordinary_fpdu(const struct rules_tracker *track, const struct rules_side *own,
                              iwarp_tristate crc, const iwarp_observer_fpdu *f);

/* rulesi_ordinary_facts sets the facts that leave.c needs after the rules, as
 * rulesi_classify would. */
void rulesi_ordinary_facts(struct rules_ctx *j);

#endif
