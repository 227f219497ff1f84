/* SPDX-License-Identifier: BSD-2-Clause */
/* What the facts about an event change before the rules are asked. */
#include "settle.h"

#include "order.h"
#include "requests.h"

void rulesi_settle(struct rules_ctx *ctx) {
  if (ctx->facts.response_over) {
    rulesi_reads_end_response(ctx);
  }
  if (ctx->facts.placed) {
    rulesi_order_settle(ctx);
  }
}
