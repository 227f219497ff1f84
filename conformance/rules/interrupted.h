/* SPDX-License-Identifier: BSD-2-Clause */
/* A message inside of which another one of its queue, or another Tagged one,
 * began. It is set aside: what follows tells whether its last segment was to have L, or the two are
 * mixed. */
#ifndef IWARP_RULES_INTERRUPTED_H
#define IWARP_RULES_INTERRUPTED_H

#include "context.h"

/* ---- before the rules ---- */

/* rulesi_interrupted_resumes says whether the segment, of this slot, continues that message. */
bool rulesi_interrupted_resumes(const struct rules_interrupted *interrupted, uint8_t slot,
                                const iwarp_rdmap_seg *seg);

/* rulesi_interrupted_tells returns what the event says of it, if that was an open question. */
enum rules_interrupted_tells rulesi_interrupted_tells(const struct rules_ctx *ctx);

/* ---- after the rules ---- */

/* rulesi_interrupted_set sets the message under way aside where the segment begins another one, and
 * keeps what a finding will report of the segment. */
void rulesi_interrupted_set(struct rules_ctx *ctx);

/* rulesi_interrupted_drop forgets that message. */
void rulesi_interrupted_drop(struct rules_side *own);

/* rulesi_interrupted_none says whether no message is set aside or mixed with another one: no
 * segment can continue or end such a message. */
bool rulesi_interrupted_none(const struct rules_interrupted *interrupted);

/* rulesi_interrupted_exchange lets that message and the one under way change places. */
void rulesi_interrupted_exchange(struct rules_side *own);

/* rulesi_interrupted_unmix settles which of two mixed messages is under way where the segment ends
 * one of them: the other one, or where both have ended the later one as the last. */
void rulesi_interrupted_unmix(struct rules_ctx *ctx);

/* rulesi_interrupted_update ends what was known of it where the event tells, or it has ended. */
void rulesi_interrupted_update(struct rules_ctx *ctx);

#endif
