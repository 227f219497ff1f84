/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages whose segments do not follow each other: judged when they end. RFC 5041 5.2, 5.3 */
#ifndef IWARP_RULES_ORDER_H
#define IWARP_RULES_ORDER_H

#include "context.h"

#define RULES_PARTS 8u /* ranges of octets that are kept apart */

/* The octets of a message with a segment out of its place, or of a Read Response that does not
 * begin with its first octet. */
struct rules_order {
  uint8_t slot;
  bool jumped; /* `finding` is set */
  bool late;   /* the message is a Read Response that does not begin with its first octet */
  uint32_t num;
  bool twice;        /* octets came twice */
  bool many;         /* the octets came in more than RULES_PARTS ranges */
  uint32_t empty_mo; /* Untagged: the highest MO of a segment without payload */
  struct rules_part {
    uint64_t from;
    uint64_t to;
  } part[RULES_PARTS];   /* ascending, apart from each other */
  iwarp_finding finding; /* finding about the first segment out of its place; if no segment has
                            jumped, about the segment that begins the Response */
};

/* rulesi_order_settle follows the segment under judgement: facts.order, facts.order_reason. */
void rulesi_order_settle(struct rules_ctx *ctx);

/* rulesi_order_update forgets a message that has ended, or that another one has replaced. */
void rulesi_order_update(struct rules_ctx *ctx);

/* rulesi_order_drop: octets of the message may be among what is missing, for this reason. */
void rulesi_order_drop(struct rules_ctx *ctx, uint32_t reason);

/* rulesi_order_fail hands out the fault of the message, as a finding of the rule that runs. */
void rulesi_order_fail(const struct rules_ctx *ctx);

/* True if the octets of the Tagged segment are among those that the last Tagged message lacks, as
 * far as that is kept. */
bool rulesi_order_lacks(const struct rules_side *own, const iwarp_rdmap_seg *seg);

/* True if the segment ends a Read Response that began with another octet than its first, and that
 * has not come: *from is the TO of the first one that has. */
bool rulesi_order_late(const struct rules_ctx *ctx, uint64_t *from);

/* True if the message has ended, and the rule that runs reports its fault. */
bool rulesi_order_mine(const struct rules_ctx *ctx);

#endif
