/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages whose segments do not follow each other. */
#include "order.h"

#include <string.h>

#include "catalog.h"
#include "evidence.h"
#include "memory.h"
#include "reason.h"
#include "requests.h"
#include "state.h"

/* ---- the octets that came ---- */

static void order_remove(struct rules_order *o, uint32_t at) {
  o->num--;
  memmove(&o->part[at], &o->part[at + 1], (o->num - at) * sizeof(o->part[0]));
}

static void order_insert(struct rules_order *o, uint32_t at, struct rules_part part) {
  if (o->num == RULES_PARTS) {
    o->many = true;
    return;
  }
  memmove(&o->part[at + 1], &o->part[at], (o->num - at) * sizeof(o->part[0]));
  o->part[at] = part;
  o->num++;
}

/* Adds `len` octets from `from` on, and joins ranges that touch. */
static void order_add(struct rules_order *o, uint64_t from, uint64_t len) {
  const struct rules_part part = {from, from + len};
  uint32_t at = 0;
  if (len == 0) {
    return;
  }
  while (at < o->num && o->part[at].from < from) {
    at++;
  }
  const bool overlaps = part.to < from || (at > 0 && o->part[at - 1].to > from) ||
                        (at < o->num && o->part[at].from < part.to);
  o->twice = o->twice || overlaps;
  if (overlaps) {
    return;
  }
  if (at > 0 && o->part[at - 1].to == from) {
    at--;
    o->part[at].to = part.to;
  } else {
    order_insert(o, at, part);
  }
  if (at + 1 < o->num && o->part[at].to == o->part[at + 1].from) {
    o->part[at].to = o->part[at + 1].to;
    order_remove(o, at + 1);
  }
}

/* ---- the segment ---- */

static uint64_t order_place(const struct rules_ctx *ctx) {
  const iwarp_ddp_hdr *ddp = &rules_seg(ctx)->ddp;
  return ddp->tagged ? ddp->to : ddp->mo;
}

/* TO of an empty segment means nothing; its MO says that so many octets come before it. */
static void order_take(struct rules_order *o, const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  order_add(o, order_place(ctx), seg->payload_len);
  if (seg->payload_len == 0 && !seg->ddp.tagged && seg->ddp.mo > o->empty_mo) {
    o->empty_mo = seg->ddp.mo;
  }
}

/* The message ends with the segment. A Tagged one may be anywhere; an Untagged one begins at 0, and
 * no segment says that it has more octets, nor the one with L that it has fewer. */
static bool order_whole(const struct rules_ctx *ctx, const struct rules_order *o) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const struct rules_part *all = &o->part[0];
  const bool fewer = seg->payload_len == 0 && seg->ddp.mo < all->to;
  return !o->twice && o->num == 1 &&
         (seg->ddp.tagged || (all->from == 0 && o->empty_mo <= all->to && !fewer));
}

/* The rule that speaks of a segment out of its place, unless the others are in theirs. */
static uint16_t order_rule(const struct rules_ctx *ctx) {
  if (ctx->facts.step == STEP_START) {
    return RULES_ddp_mo_first;
  }
  return rules_seg(ctx)->ddp.tagged ? RULES_ddp_to_contiguous : RULES_ddp_mo_contiguous;
}

static void order_describe(struct rules_ctx *ctx, struct rules_order *o, uint64_t due) {
  const bool tagged = rules_seg(ctx)->ddp.tagged;
  const uint64_t is = order_place(ctx);
  rulesi_describe(&o->finding, ctx, ctx->ev,
                  tagged ? rulesi_hex(IWARP_VALUE_HEX64, due) : rulesi_uint(due),
                  tagged ? rulesi_hex(IWARP_VALUE_HEX64, is) : rulesi_uint(is));
  o->finding.rule = order_rule(ctx);
  rulesi_at_field(&o->finding, ctx,
                  tagged ? IWARP_FIELD_DDP_TAGGED_TO : IWARP_FIELD_DDP_UNTAGGED_MO);
}

/* Why it is not known what the message has: its beginning may be missing, or payload may look
 * like the segment. */
static uint32_t order_unknown(const struct rules_ctx *ctx, const struct rules_slot *s) {
  if (ctx->facts.step != STEP_START && s->unordered) {
    return IWARP_REASON_LIMIT;
  }
  if (ctx->facts.step != STEP_START && !s->start_seen) {
    return rulesi_missing(ctx, ctx->ev->side);
  }
  return rules_start_sure(ctx) ? 0 : rulesi_missing(ctx, ctx->ev->side);
}

/* True if `order` has the octets of a message that has not ended. */
static bool order_open(const struct rules_side *own) {
  return rules_is_open(&own->docket, QUESTION_PARTS);
}

/* The first segment out of its place, or `late` of a Response. */
static void order_begin(struct rules_ctx *ctx, bool late) {
  struct rules_side *own = rules_own_state(ctx);
  const struct rules_slot *s = &own->messages.slots[ctx->facts.slot];
  const bool starts = ctx->facts.step == STEP_START;
  ctx->facts.order_reason = order_unknown(ctx, s);
  if (ctx->facts.order_reason != 0) {
    return;
  }
  struct rules_order *o = rulesi_grow(ctx->track->pool, own->messages.order,
                                      &own->messages.order_cap, 0, 1, sizeof(*o));
  if (o == NULL) {
    ctx->facts.order_reason = IWARP_REASON_LIMIT;
    return;
  }
  own->messages.order = o;
  rules_open(&own->docket, QUESTION_PARTS, true);
  memset(o, 0, sizeof(*o));
  o->slot = ctx->facts.slot;
  o->late = late;
  order_describe(ctx, o, starts ? 0 : s->next);
  o->jumped = !late;
  if (!starts) {
    order_add(o, s->next - s->total, s->total);
  }
}

/* True if the segment belongs to the message under way. */
static bool order_inside(const struct rules_ctx *ctx) {
  switch (ctx->facts.step) {
  case STEP_CONTINUE:
  case STEP_OP_CHANGE:
  case STEP_MO_JUMP:
  case STEP_TO_JUMP:
  case STEP_MSN_CHANGE:
  case STEP_STAG_CHANGE: return true;
  case STEP_NONE:
  case STEP_LEARN:
  case STEP_START:
  case STEP_RESUME: /* the messages are mixed, as reported */
  case STEP_RESTART:
  case STEP_TAGGED_IN_TAGGED:
  case STEP_AFTER_LAST: break;
  }
  return false;
}

static bool order_jumps(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const bool late = ctx->facts.step == STEP_START && !seg->ddp.tagged && seg->ddp.mo != 0;
  return ctx->facts.step == STEP_MO_JUMP || ctx->facts.step == STEP_TO_JUMP ||
         (late && !rulesi_ends_message(ctx));
}

static void order_settle(struct rules_ctx *ctx, struct rules_order *o) {
  ctx->facts.order_followed = true;
  ctx->facts.order = o->jumped ? ORDER_OPEN : ORDER_NOT;
  if (o->finding.rule == RULES_ddp_mo_first && o->num > 0 && o->part[0].from == 0) {
    o->finding.rule = RULES_ddp_mo_contiguous; /* the first octet has come: others have not */
  }
  if (o->many) {
    ctx->facts.order_reason = IWARP_REASON_LIMIT;
  } else if (o->jumped && rulesi_ends_message(ctx)) {
    ctx->facts.order = order_whole(ctx, o) ? ORDER_WHOLE : ORDER_HOLES;
  }
}

/* The message that was followed is not followed any more, though it has not ended. */
static void order_leave(struct rules_side *own) {
  if (order_open(own)) {
    own->messages.slots[own->messages.order->slot].unordered = true;
  }
  rules_close(&own->docket, QUESTION_PARTS);
}

void rulesi_order_settle(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const bool held =
      order_open(own) && own->messages.order->slot == ctx->facts.slot && order_inside(ctx);
  const bool jumps = order_jumps(ctx);
  const bool late = rulesi_response_late(ctx) != NULL;
  if (!held && (jumps || late)) {
    order_leave(own);
    order_begin(ctx, late);
  } else if (!held) {
    return;
  } else if (jumps && !own->messages.order->jumped) {
    order_describe(ctx, own->messages.order, own->messages.slots[ctx->facts.slot].next);
    own->messages.order->jumped = true;
  }
  if (order_open(own)) {
    order_take(own->messages.order, ctx);
    order_settle(ctx, own->messages.order);
  }
}

void rulesi_order_update(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const bool here = order_open(own) && own->messages.order->slot == ctx->facts.slot;
  if (here && (!ctx->facts.order_followed || rulesi_ends_message(ctx))) {
    rules_close(&own->docket, QUESTION_PARTS);
  }
  if (!order_open(own) && order_jumps(ctx)) {
    own->messages.slots[ctx->facts.slot].unordered = true;
  }
}

static void order_forget(struct rules_ctx *ctx, uint16_t rule, uint32_t reason) {
  rulesi_count_inconclusive(&ctx->results[rule], rulesi_reason(ctx, reason));
}

void rulesi_order_drop(struct rules_ctx *ctx, uint32_t reason) {
  struct rules_side *own = rules_own_state(ctx);
  if (order_open(own) && reason != 0 && own->messages.order->jumped) {
    order_forget(ctx, own->messages.order->finding.rule, reason);
  }
  if (order_open(own) && reason != 0 && own->messages.order->late) {
    order_forget(ctx, RULES_rdmap_read_response_to, reason);
  }
  rules_close(&own->docket, QUESTION_PARTS);
}

bool rulesi_order_lacks(const struct rules_side *own, const iwarp_rdmap_seg *seg) {
  const struct rules_order *o = own->messages.order;
  const uint64_t from = seg->ddp.to;
  bool found = false;
  if (o == NULL || o->slot != RULES_SLOT_TAGGED || seg->payload_len == 0) {
    return false;
  }
  for (uint32_t i = 1; !found && i < o->num; i++) {
    const uint64_t to = o->part[i].from; /* a hole ends there */
    found = from >= o->part[i - 1].to && from < to && seg->payload_len <= to - from;
  }
  return found;
}

bool rulesi_order_late(const struct rules_ctx *ctx, uint64_t *from) {
  const struct rules_response *resp = &rules_own(ctx)->response;
  const struct rules_order *o = rules_own(ctx)->messages.order;
  if (!ctx->facts.order_followed || !rulesi_ends_message(ctx) || !o->late || o->many ||
      !resp->known) {
    return false;
  }
  *from = o->part[0].from;
  return *from != resp->request.read.sink_to;
}

void rulesi_order_fail(const struct rules_ctx *ctx) {
  const iwarp_finding *kept = &rules_own(ctx)->messages.order->finding;
  iwarp_finding *f = rulesi_fail(ctx, kept->expected, kept->observed);
  const uint16_t rule = f->rule;
  *f = *kept;
  f->rule = rule;
}

bool rulesi_order_mine(const struct rules_ctx *ctx) {
  return ctx->facts.order == ORDER_HOLES &&
         rules_own(ctx)->messages.order->finding.rule == ctx->rule;
}
