/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Findings that the docket holds. A rule has reported them, but the octets may be others than they
 * seem to be. A later event decides if the findings are handed out.
 */
#ifndef IWARP_RULES_HELD_H
#define IWARP_RULES_HELD_H

#include "context.h"

/*
 * rulesi_held_settle holds findings about the event, and hands out or discards findings that were
 * held. A side holds findings for one of these reasons at a time:
 *
 * HELD_START: the FPDU may lie in the payload of another one. Either a search found it by its CRC,
 * or it follows a startup frame that may lie in payload. The end of the other FPDU would break the
 * chain of right CRCs. The findings are handed out if the chain is longer than any FPDU, or reaches
 * the end of the stream. A Marker that points to the chain has the same effect. Where the capture
 * begins, FPDUs may lie in Private Data. Markers show where these end at the latest.
 *
 * HELD_REQUEST: the Request may be payload. The Reply that acknowledges its end shows that it is
 * not.
 *
 * HELD_ANSWER: no request asked for the answer, and its sender had received a part of an FPDU of
 * the other side. If the length of that FPDU is wrong, the request may be in it.
 *
 * HELD_LENGTH: the finding rests on the length of an FPDU that no right CRC proves. If mpa.framing
 * reports that the length is wrong, or that a field is left out, the finding is about other octets
 * and is discarded.
 */
void rulesi_held_settle(struct rules_ctx *ctx);

/* rulesi_held_finish does the same for the findings about a side when the connection is over. */
void rulesi_held_finish(struct rules_side *side, struct rules_findings *found,
                        iwarp_rule_result *results);

#endif
