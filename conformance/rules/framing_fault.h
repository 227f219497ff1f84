/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event tells of where FPDUs begin and end: decided before the rules are asked, since what
 * comes later in the stream rests on it. */
#ifndef IWARP_RULES_FRAMING_FAULT_H
#define IWARP_RULES_FRAMING_FAULT_H

#include "framing.h"

/* rulesi_framing_doubt returns why it is not certain where FPDUs begin, IWARP_REASON_*. 0: it
 * follows from the octets of their sender alone, since both startup frames are known and nothing of
 * the stream is missing. */
uint32_t rulesi_framing_doubt(const struct rules_ctx *j, const iwarp_event *ev);

/* rulesi_framing_due says whether the run of octets stands where FPDUs are due. Octets of a side
 * that may not send yet are those of mpa.pd-length-match. */
bool rulesi_framing_due(const struct rules_ctx *j, const iwarp_event *run);

/* rulesi_framing_unfinished says whether the octets are an FPDU cut off, whatever the end of the
 * one before them may look like. */
bool rulesi_framing_unfinished(const struct rules_ctx *j, const iwarp_event *run);

/* rulesi_framing_marker_alone says whether the octets are the Marker between two FPDUs, after which
 * no FPDU comes: nothing is missing. */
bool rulesi_framing_marker_alone(const struct rules_ctx *j, const iwarp_event *run);

/* rulesi_framing_judged returns the event that mpa.framing judges: the event itself, or the last
 * run of octets, which waited for it. */
iwarp_event rulesi_framing_judged(const struct rules_ctx *j);

/* rulesi_framing_fault sets what mpa.framing is to say of the event, and what is wrong of the FPDU
 * before its octets. */
void rulesi_framing_fault(struct rules_ctx *j);

#endif
