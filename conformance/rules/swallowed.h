/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs of the Responder among the octets that PD_Length of its Reply takes for Private Data. */
#ifndef IWARP_RULES_SWALLOWED_H
#define IWARP_RULES_SWALLOWED_H

#include "context.h"

/*
 * Before the rules: whether the Reply holds such FPDUs, and, at what its side sends next or at its
 * end, whether they are some. Private Data may look like FPDUs with right CRCs, so all of this is
 * asked for:
 *
 * - nothing of the streams of both sides is missing since their startup frames, and it ends with a
 * FIN;
 * - CRCs are in use, as the startup frames say;
 * - the Initiator sent its first FPDU, whose CRC is right, when it had received the Reply up to an
 *   octet inside what PD_Length announces;
 * - FPDUs with right CRCs follow each other from that octet on, the first of them one that a
 *   Responder can begin with, up to the end of the Private Data or of the stream, where the last
 * one may be cut;
 * - the end of them was sent by a Responder that had received the Initiator's FPDU;
 * - what comes after the Private Data does not begin the same queue again.
 */
void rulesi_swallowed_classify(struct rules_ctx *j);

#endif
