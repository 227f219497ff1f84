/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings about FPDUs, or a Request, that may lie in the payload of another FPDU, until that is
 * decided; and those about an FPDU whose length may be what is wrong. */
#ifndef IWARP_RULES_PENDING_H
#define IWARP_RULES_PENDING_H

#include "context.h"

/* The findings of one side that wait. */
struct rules_pending {
  uint32_t num;
  uint32_t cap;         /* RULES_PENDING at most */
  iwarp_finding *entry; /* cap */
  bool refused : 1;     /* there was no room for one: none after it waits */
  bool of_request : 1;  /* they are about a Request, and wait for a Reply */
  bool of_length : 1;   /* they are about an FPDU, and wait for the octets after it */
  bool of_private : 1;  /* those before private_end may be about FPDUs in Private Data */
  bool of_answer : 1; /* they are about an answer, and wait for the FPDU of the other side under way
                       */
  uint32_t private_end; /* the low bits of a position */
};

/*
 * rulesi_pending lets the findings about the event wait where its FPDU was found by its CRC alone
 * or follows a startup frame that may lie in payload, or hands out those that waited, or forgets
 * them as inconclusive: FPDUs in the payload of another one end before that does, so a chain of
 * right CRCs that is longer than any FPDU, to which a Marker points, or that reaches the end of the
 * stream, is the sender's. Where the capture begins, FPDUs may lie in Private Data: Markers show
 * how far these can reach. Those about a Request that may be payload wait for the Reply that
 * acknowledges it to its end. That nobody asked for an answer waits for the end of the FPDU under
 * way of the other side, some of which its sender had received: where the length of that is wrong,
 * the request may be in it. Those that rest on the length of an FPDU that no right CRC proves
 * wait for what follows it, where its last octets look like that: where mpa.framing says that the
 * length is wrong, or that a field is left out, they are about other octets than they seem to be,
 * and gone.
 */
void rulesi_pending(struct rules_pending pending[2], const struct rules_ctx *j);
/* rulesi_pending_finish does so for those that wait when the connection is over: none comes any
 * more. */
void rulesi_pending_finish(struct rules_pending *pending, struct rules_findings *found,
                           iwarp_rule_result *results, const struct rules_side *side);

#endif
