/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on Immediate Data and Atomic Operations: RFC 7306. */
#include "catalog.h"
#include "evidence.h"
#include "requests.h"

/* The message has `due` octets: with this segment, or with further segments if it is shorter. A
 * message that begins while another one has not ended has a length, too. */
static void ext_settle_length(const struct rules_ctx *ctx, uint32_t due) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const uint64_t has = (uint64_t)seg->ddp.mo + seg->payload_len;
  const bool starts = ctx->facts.step == STEP_START || ctx->facts.step == STEP_RESTART;
  const bool begins = starts && seg->ddp.mo == 0;
  const bool goes_on = ctx->facts.step == STEP_CONTINUE && seg->ddp.mo <= due;
  if (ctx->facts.length_uncertain) {
    return; /* mpa.framing reports that the end is wrong */
  }
  if (rulesi_too_long_alone(ctx, due)) {
    rulesi_check_payload(ctx, false, rulesi_uint(due), rulesi_uint(seg->payload_len));
    return;
  }
  if (!begins && !goes_on && ctx->facts.step != STEP_LEARN) {
    return; /* the place is wrong, or an earlier segment was too long: reported */
  }
  if (ctx->facts.step == STEP_LEARN && seg->ddp.mo != 0 && has != due) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side)); /* MO may be what is wrong */
    return;
  }
  if (has > due || seg->ddp.last) {
    rulesi_check_payload(ctx, has == due, rulesi_uint(due), rulesi_uint(has));
  }
}

void iwarp_rule_rdmap_immediate_length(const struct rules_ctx *ctx) {
  const bool se = rules_opcode(ctx) == IWARP_RDMAP_OP_IMMEDIATE_SE;
  if (rulesi_is_placed(ctx, se ? IWARP_RDMAP_OP_IMMEDIATE_SE : IWARP_RDMAP_OP_IMMEDIATE)) {
    ext_settle_length(ctx, IWARP_RDMAP_IMMEDIATE_LEN);
  }
}

void iwarp_rule_rdmap_atomic_request_length(const struct rules_ctx *ctx) {
  if (rulesi_is_placed(ctx, IWARP_RDMAP_OP_ATOMIC_REQ)) {
    ext_settle_length(ctx, IWARP_RDMAP_ATOMIC_REQ_LEN);
  }
}

void iwarp_rule_rdmap_atomic_response_length(const struct rules_ctx *ctx) {
  if (rulesi_is_placed(ctx, IWARP_RDMAP_OP_ATOMIC_RESP)) {
    ext_settle_length(ctx, IWARP_RDMAP_ATOMIC_RESP_LEN);
  }
}

/* The Atomic Request, or NULL; says so when only the octets lack. */
static const iwarp_rdmap_atomic_req *ext_request(const struct rules_ctx *ctx) {
  if (!rulesi_is_placed(ctx, IWARP_RDMAP_OP_ATOMIC_REQ) || !rulesi_request_whole(ctx)) {
    return NULL;
  }
  if (rules_seg(ctx)->kind != IWARP_RDMAP_KIND_ATOMIC_REQ) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    return NULL;
  }
  return &rules_seg(ctx)->u.atomic_req;
}

void iwarp_rule_rdmap_atomic_opcode(const struct rules_ctx *ctx) {
  const iwarp_rdmap_atomic_req *a = ext_request(ctx);
  if (a != NULL) {
    const bool ok =
        a->aopcode == IWARP_RDMAP_AOP_FETCH_ADD || a->aopcode == IWARP_RDMAP_AOP_CMP_SWAP;
    rulesi_check_field(ctx, ok, IWARP_FIELD_RDMAP_ATOMIC_REQ_AOPCODE, rulesi_text("0 or 2"),
                       rulesi_uint(a->aopcode));
  }
}

void iwarp_rule_rdmap_atomic_reserved(const struct rules_ctx *ctx) {
  const iwarp_rdmap_atomic_req *a = ext_request(ctx);
  if (a != NULL) {
    rulesi_check_field(ctx, a->reserved == 0, IWARP_FIELD_RDMAP_ATOMIC_REQ_RESERVED,
                       rulesi_hex(IWARP_VALUE_HEX32, 0),
                       rulesi_hex(IWARP_VALUE_HEX32, (uint64_t)a->reserved << 4));
  }
}

void iwarp_rule_rdmap_atomic_compare_data(const struct rules_ctx *ctx) {
  const iwarp_rdmap_atomic_req *a = ext_request(ctx);
  if (a != NULL && a->aopcode == IWARP_RDMAP_AOP_FETCH_ADD) {
    rulesi_check_field(ctx, a->compare_data == 0, IWARP_FIELD_RDMAP_ATOMIC_REQ_COMPARE_DATA,
                       rulesi_hex(IWARP_VALUE_HEX64, 0),
                       rulesi_hex(IWARP_VALUE_HEX64, a->compare_data));
  }
}

void iwarp_rule_rdmap_atomic_compare_mask(const struct rules_ctx *ctx) {
  const iwarp_rdmap_atomic_req *a = ext_request(ctx);
  if (a != NULL && a->aopcode == IWARP_RDMAP_AOP_FETCH_ADD) {
    rulesi_check_field(
        ctx, a->compare_mask == UINT64_MAX, IWARP_FIELD_RDMAP_ATOMIC_REQ_COMPARE_MASK,
        rulesi_hex(IWARP_VALUE_HEX64, UINT64_MAX), rulesi_hex(IWARP_VALUE_HEX64, a->compare_mask));
  }
}

/* What was left open when the answer came. */
static void ext_unasked_end(const struct rules_ctx *ctx) {
  const iwarp_event *answer = rulesi_unasked(ctx, IWARP_RDMAP_OP_ATOMIC_RESP);
  if (answer != NULL) {
    rulesi_at_kept_header(rulesi_fail_event(ctx, answer, rulesi_text("an Atomic Request before it"),
                                            rulesi_text("none")),
                          answer);
  }
}

void iwarp_rule_rdmap_atomic_response_unasked(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  if (ctx->ev->kind == IWARP_EVENT_END) {
    ext_unasked_end(ctx);
    return;
  }
  if (!rulesi_is_placed(ctx, IWARP_RDMAP_OP_ATOMIC_RESP)) {
    return;
  }
  if (r->lost) {
    rulesi_unjudged(ctx, r->because);
  } else if (rulesi_reads_ahead(ctx, true) != NULL) {
    rulesi_check(ctx, false, rulesi_at_ahead(check_found, ctx, true),
                 rulesi_text("an Atomic Request before it"), rulesi_text("one after it"));
  } else if (rulesi_awaited_request(ctx) != NULL) {
    rulesi_pass(ctx);
  } else if (!rulesi_sender_view_complete(ctx)) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else {
    rulesi_check_header(ctx, false, rulesi_text("an Atomic Request before it"),
                        rulesi_text("none"));
  }
}

void iwarp_rule_rdmap_atomic_response_id(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  if (!rulesi_is_placed(ctx, IWARP_RDMAP_OP_ATOMIC_RESP)) {
    return;
  }
  const struct rules_request *request = rulesi_awaited_request(ctx);
  if (r->lost || request == NULL) {
    if (r->lost) {
      rulesi_unjudged(ctx, r->because);
    }
    return;
  }
  if (!request->details || rules_seg(ctx)->kind != IWARP_RDMAP_KIND_ATOMIC_RESP) {
    if (rules_seg(ctx)->err == IWARP_OK) {
      rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    }
    return;
  }
  const uint32_t id = rules_seg(ctx)->u.atomic_resp.request_id;
  if (id == request->request_id) {
    rulesi_pass(ctx);
    return;
  }
  iwarp_finding *f = rulesi_fail(ctx, rulesi_hex(IWARP_VALUE_HEX32, request->request_id),
                                 rulesi_hex(IWARP_VALUE_HEX32, id));
  rulesi_at_field(f, ctx, IWARP_FIELD_RDMAP_ATOMIC_RESP_REQUEST_ID);
  f->other_packet = request->packet;
}
