/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a connection, for the files that change it. Rules do not include this: they see the
 * state through a const pointer, and only after classify.c has classified the event. */
#ifndef IWARP_RULES_STATE_H
#define IWARP_RULES_STATE_H

#include "context.h"

/* rulesi_state_init makes a state whose tables are empty. */
void rulesi_state_init(struct rules_tracker *track);

/* An event under judgement, and the state that it changes. */
struct rules_event {
  struct rules_ctx ctx; /* ctx.track is `state` */
  struct rules_tracker *state;
};

/* The state of an event, whose context belongs to a struct rules_event. The context of a rule is
 * const, so that rules cannot call this. */
static inline struct rules_tracker *rules_state(struct rules_ctx *ctx) {
  return ((struct rules_event *)ctx)->state;
}

/* rules_own and rules_other, to be changed. */
static inline struct rules_side *rules_own_state(struct rules_ctx *ctx) {
  return &rules_state(ctx)->side[ctx->ev->side];
}

static inline struct rules_side *rules_other_state(struct rules_ctx *ctx) {
  return &rules_state(ctx)->side[rules_peer(ctx)];
}

#endif
