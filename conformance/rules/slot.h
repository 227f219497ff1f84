/* SPDX-License-Identifier: BSD-2-Clause */
/* What a segment leaves in the slot of its message. */
#ifndef IWARP_RULES_SLOT_H
#define IWARP_RULES_SLOT_H

#include "context.h"

/* rulesi_slot_add keeps what the segment leaves in its slot. */
void rulesi_slot_add(struct rules_slot *s, const struct rules_ctx *ctx);

/* rulesi_slot_add_ordinary does the same for an ordinary segment without an event. */
void rulesi_slot_add_ordinary(struct rules_slot *s, const iwarp_observer_fpdu *restrict f);

/* rulesi_slots_misplaced notes a segment without a place. It may have been a part of a message
 * under way, or a message of its own with its own MSN. */
void rulesi_slots_misplaced(struct rules_side *own);

/* rulesi_slots_interrupt notes the messages that the segment leaves unfinished, since
 * ddp.message-order reports each of them once. */
void rulesi_slots_interrupt(struct rules_ctx *ctx);

#endif
