/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs among the octets that PD_Length of a startup frame takes for Private Data. */
#ifndef IWARP_RULES_PD_OVERRUN_H
#define IWARP_RULES_PD_OVERRUN_H

#include "context.h"

/*
 * Before the rules: whether the frame holds such FPDUs, and, at what its side sends next or at its
 * end, whether they are some. Private Data may look like FPDUs, so all of this is asked for:
 *
 * - nothing of the streams of both sides is missing since their startup frames, and it ends with a
 *   FIN;
 * - the other side sent its answer when it had received the frame up to an octet inside the
 *   announced Private Data. The answer is the Reply, or the first FPDU of the Initiator;
 * - the headers of an FPDU follow from that octet on. Of whole FPDUs each is right, the CRC too
 *   where CRCs are in use, and a side can begin with the first one;
 * - the last octets of the frame were sent by a side that had received the answer;
 * - the octets after the Private Data do not begin the same queue again. They begin no FPDU where
 *   the last FPDU in the Private Data would not have ended.
 */
void rulesi_pd_overrun_classify(struct rules_ctx *ctx);

/* True if the other side answered the startup frame under judgement before so many octets as
 * PD_Length says had come. */
bool rulesi_pd_overrun_early(const struct rules_ctx *ctx);

/* rulesi_pd_overrun_because returns the rule that reports that FPDUs begin before the end which
 * PD_Length gives. If that is not certain, no rule reports it. */
struct rules_because rulesi_pd_overrun_because(const struct rules_ctx *ctx);

#endif
