/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on the RDMAP control field and what the opcode demands of the DDP header: RFC 5040 4.1, RFC
 * 7306 4.1. */
#include "catalog.h"
#include "evidence.h"
#include "refused.h"

static bool rdmap_need(const struct rules_ctx *ctx, enum rules_depth depth) {
  return rules_seg(ctx)->has_ddp && rulesi_need(ctx, depth);
}

/* MPA Rev 0 goes with 0, see ddp.version-family. */
void iwarp_rule_rdmap_version(const struct rules_ctx *ctx) {
  const uint8_t rv = rules_seg(ctx)->ctrl.rv;
  if (!rdmap_need(ctx, DEPTH_HEADER) || rulesi_dv_changed(ctx)) {
    return;
  }
  if (rv == 0 && !ctx->facts.version_known) {
    rulesi_inconclusive(ctx, IWARP_REASON_NO_NEGOTIATION);
    return;
  }
  const uint8_t due = rulesi_rv_due(ctx);
  rulesi_check_field(ctx, rv == due, IWARP_FIELD_RDMAP_CTRL_RV, rulesi_uint(due), rulesi_uint(rv));
}

/* The opcode can be read: RV is right, whatever the opcode is. */
static bool rdmap_opcode_there(const struct rules_ctx *ctx) {
  return rdmap_need(ctx, DEPTH_HEADER) && rules_seg(ctx)->ctrl.rv == rulesi_rv_due(ctx);
}

void iwarp_rule_rdmap_reserved(const struct rules_ctx *ctx) {
  const uint8_t rsv = rules_seg(ctx)->ctrl.rsv;
  if (rdmap_opcode_there(ctx)) {
    rulesi_check_field(ctx, rsv == 0, IWARP_FIELD_RDMAP_CTRL_RSV, rulesi_hex(IWARP_VALUE_HEX8, 0),
                       rulesi_hex(IWARP_VALUE_HEX8, (uint64_t)rsv << 4));
  }
}

/* The highest opcode that is assigned. */
static uint8_t rdmap_last_assigned(void) {
  uint8_t opcode = IWARP_RDMAP_CTRL_OPCODE;
  while (!iwarp_rdmap_op_get(opcode)->assigned) {
    opcode--;
  }
  return opcode;
}

void iwarp_rule_rdmap_opcode(const struct rules_ctx *ctx) {
  const uint8_t opcode = rules_seg(ctx)->ctrl.opcode;
  if (rdmap_opcode_there(ctx)) {
    const bool ok = iwarp_rdmap_op_get(opcode)->assigned || opcode == IWARP_RDMAP_OP_EXPERIMENTAL;
    rulesi_check_field(ctx, ok, IWARP_FIELD_RDMAP_CTRL_OPCODE,
                       rulesi_at_most(rdmap_last_assigned()), rulesi_uint(opcode));
  }
}

void iwarp_rule_rdmap_opcode_experimental(const struct rules_ctx *ctx) {
  const uint8_t opcode = rules_seg(ctx)->ctrl.opcode;
  if (rdmap_opcode_there(ctx)) {
    rulesi_check_field(ctx, opcode != IWARP_RDMAP_OP_EXPERIMENTAL, IWARP_FIELD_RDMAP_CTRL_OPCODE,
                       rulesi_at_most(rdmap_last_assigned()), rulesi_uint(opcode));
  }
}

void iwarp_rule_rdmap_tagged_flag(const struct rules_ctx *ctx) {
  const bool tagged = rules_seg(ctx)->ddp.tagged;
  if (rdmap_need(ctx, DEPTH_OPCODE)) {
    rulesi_check_field(ctx, tagged == ctx->facts.op->tagged, IWARP_FIELD_DDP_TAGGED_T,
                       rulesi_text(tagged ? "Untagged" : "Tagged"),
                       rulesi_text(tagged ? "Tagged" : "Untagged"));
  }
}

void iwarp_rule_rdmap_queue_number(const struct rules_ctx *ctx) {
  const uint32_t qn = rules_seg(ctx)->ddp.qn;
  if (rdmap_need(ctx, DEPTH_OPCODE) && !rules_seg(ctx)->ddp.tagged && !ctx->facts.op->tagged) {
    rulesi_check_field(ctx, qn == ctx->facts.op->qn, IWARP_FIELD_DDP_UNTAGGED_QN,
                       rulesi_uint(ctx->facts.op->qn), rulesi_uint(qn));
  }
}

void iwarp_rule_rdmap_invalidate_stag(const struct rules_ctx *ctx) {
  const uint32_t stag = rules_seg(ctx)->ddp.rsvdulp_word;
  if (!rdmap_need(ctx, DEPTH_OPCODE) || rules_seg(ctx)->ddp.tagged || ctx->facts.op->tagged ||
      ctx->facts.op->invalidates) {
    return;
  }
  rulesi_check_field(ctx, stag == 0, IWARP_FIELD_DDP_UNTAGGED_INVALIDATE_STAG,
                     rulesi_hex(IWARP_VALUE_HEX32, 0), rulesi_hex(IWARP_VALUE_HEX32, stag));
}

/* The words for an answer after each error. */
#define RDMAP_AFTER(what)                                                                          \
  {                                                                                                \
    [ERROR_CRC] = what " after a wrong CRC",                                                       \
    [ERROR_DDP_VERSION] = what " after a DDP version that does not exist",                         \
    [ERROR_QUEUE] = what " after a Queue Number that does not exist",                              \
    [ERROR_VERSION] = what " after an RDMAP version that does not exist",                          \
    [ERROR_OPCODE] = what " after an opcode of no message",                                        \
    [ERROR_LENGTH] = what " after Immediate Data of a wrong length",                               \
    [ERROR_ATOMIC] = what " after a code of no Atomic Operation",                                  \
    [ERROR_WRAP] = what " after a buffer that reaches 2^64"                                        \
  }

static const char *const rdmap_answers[] = RDMAP_AFTER("an answer");
static const char *const rdmap_ends[] = RDMAP_AFTER("a FIN");

/* The Terminate is about the first segment that is wrong, or returns none. */
static void rdmap_error_terminated(const struct rules_ctx *ctx) {
  if (!rulesi_refused_passed_over(ctx)) {
    rulesi_pass(ctx);
    return;
  }
  iwarp_finding *f = rulesi_fail(ctx, rulesi_text("a Terminate about it"),
                                 rulesi_text("a Terminate about a segment after it"));
  rulesi_at_returned(f, ctx, IWARP_FIELD_DDP_TAGGED_T,
                     rules_seg(ctx)->u.term.ddp_header.len == IWARP_DDP_TAGGED_LEN
                         ? IWARP_FIELD_DDP_TAGGED_TO
                         : IWARP_FIELD_DDP_UNTAGGED_MO);
  f->other_packet = rules_other(ctx)->refused.packet;
}

/* The side ends its stream as if nothing had been wrong. */
static void rdmap_error_end(const struct rules_ctx *ctx) {
  const struct rules_refused *refused = &rules_other(ctx)->refused;
  if (rulesi_refused_closed(ctx) && !refused->reported) {
    rulesi_fail(ctx, rulesi_text("a Terminate"), rulesi_text(rdmap_ends[refused->error]))
        ->other_packet = refused->packet;
  }
}

/* The answers and the end of a side show whether it met the error. It may stop, or send its own
 * messages, until it has read the refused segment. */
void iwarp_rule_rdmap_error_answered(const struct rules_ctx *ctx) {
  const struct rules_refused *refused = &rules_other(ctx)->refused;
  if (ctx->ev->kind == IWARP_EVENT_END) {
    rdmap_error_end(ctx);
    return;
  }
  if (refused->error == ERROR_NONE || refused->reported || rules_own(ctx)->terminate.seen ||
      !rulesi_need(ctx, DEPTH_MESSAGE)) {
    return;
  }
  if (rules_opcode(ctx) == IWARP_RDMAP_OP_TERMINATE) {
    rdmap_error_terminated(ctx);
    return;
  }
  const iwarp_tristate answered = rulesi_refused_answered(ctx);
  if (answered == IWARP_TRISTATE_UNKNOWN) {
    rulesi_unjudged(ctx, refused->open ? rules_other(ctx)->requests.because_refused
                                       : rules_reason(rulesi_missing(ctx, ctx->ev->side)));
  } else if (answered == IWARP_TRISTATE_ON) {
    iwarp_finding *f =
        rulesi_fail(ctx, rulesi_text("a Terminate"), rulesi_text(rdmap_answers[refused->error]));
    rulesi_at_header(f, ctx);
    f->other_packet = refused->packet;
  }
}
