/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on enhanced connection establishment in the startup frames: RFC 6581 6 and 9. */
#include "catalog.h"
#include "evidence.h"
#include "sctp_event.h"
#include "session.h"

static const iwarp_event_startup *enhanced_ev(const struct rules_ctx *ctx) {
  return &ctx->ev->u.startup;
}

static bool enhanced_s(const struct rules_ctx *ctx) {
  return enhanced_ev(ctx)->key != IWARP_MPA_KEY_UNKNOWN &&
         (enhanced_ev(ctx)->frame.flags & IWARP_MPA_FLAG_S) != 0;
}

static bool enhanced_is_reply(const struct rules_ctx *ctx) {
  return enhanced_ev(ctx)->is_reply && enhanced_ev(ctx)->key == IWARP_MPA_KEY_REPLY;
}

/* The Request that this Reply answers; says so when it was not seen, or may be payload. */
static const iwarp_observer_side *enhanced_request(const struct rules_ctx *ctx) {
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  if (!peer->has_startup || !rules_startup_sure(ctx, rules_peer(ctx))) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return NULL;
  }
  return peer->key == IWARP_MPA_KEY_REQUEST ? peer : NULL;
}

/* ---- over TCP and over SCTP: a Request is an Enhanced Initiate there, a Reply an Enhanced Accept
 */

/* Over SCTP a message in its place; of an Enhanced Reject the text does not ask the four octets. */
static bool enhanced_in_place(const iwarp_ev_sctp_message *m) {
  return m->enhanced && m->reason == IWARP_SCTP_REASON_NONE &&
         (m->kind == IWARP_SCTP_KIND_INITIATE || m->kind == IWARP_SCTP_KIND_ACCEPT);
}

/* The enhanced data of the event, or NULL where it has none. */
static const iwarp_mpa_enhanced *enhanced_data(const struct rules_ctx *ctx) {
  if (ctx->ev->sctp != NULL) {
    const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
    return enhanced_in_place(m) ? &m->enh : NULL;
  }
  return enhanced_ev(ctx)->key != IWARP_MPA_KEY_UNKNOWN && enhanced_ev(ctx)->enhanced
             ? &enhanced_ev(ctx)->enh
             : NULL;
}

static bool enhanced_answers(const struct rules_ctx *ctx) {
  return ctx->ev->sctp != NULL ? rulesi_sctp_message(ctx)->kind == IWARP_SCTP_KIND_ACCEPT
                               : enhanced_is_reply(ctx);
}

/* True if the state of the other side is certainly of the same session, and its message has no
 * other copy. */
static bool enhanced_certain(const struct rules_ctx *ctx) {
  const bool certain = ctx->ev->sctp == NULL ||
                       (rulesi_sctp_certainty(ctx)->session_certain && rulesi_sctp_peer_sound(ctx));
  if (!certain) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  }
  return certain;
}

/* The enhanced data of a Request and of its answer. */
struct enhanced_pair {
  const iwarp_mpa_enhanced *asked;
  const iwarp_mpa_enhanced *answer;
};

/* True when the event is an answer with enhanced data to a Request with such data. */
static bool enhanced_pair_of(const struct rules_ctx *ctx, struct enhanced_pair *out) {
  out->answer = enhanced_data(ctx);
  if (out->answer == NULL || !enhanced_answers(ctx)) {
    return false;
  }
  const iwarp_observer_side *request = enhanced_request(ctx);
  if (request == NULL || !request->enhanced || !enhanced_certain(ctx)) {
    return false;
  }
  out->asked = &request->enh;
  return true;
}

struct enhanced_rtr {
  iwarp_field_id field;
  const char *text;
};

/* The first RTR flag that is set, if one is. */
static struct enhanced_rtr enhanced_first_rtr(const iwarp_mpa_enhanced *e) {
  if (e->b) {
    return (struct enhanced_rtr){IWARP_FIELD_MPA_ENHANCED_B, "B (Send)"};
  }
  return e->c ? (struct enhanced_rtr){IWARP_FIELD_MPA_ENHANCED_C, "C (RDMA Write)"}
              : (struct enhanced_rtr){IWARP_FIELD_MPA_ENHANCED_D, "D (RDMA Read)"};
}

/* One of B, C and D must be set: none of them is wrong by itself. */
static void enhanced_check_rtr(const struct rules_ctx *ctx, const iwarp_mpa_enhanced *e) {
  rulesi_check_fields(ctx, rulesi_names_rtr(e), IWARP_FIELD_NONE, IWARP_FIELD_MPA_ENHANCED_A,
                      IWARP_FIELD_MPA_ENHANCED_ORD, rulesi_text("B, C or D"), rulesi_text("none"));
}

void iwarp_rule_mpa_enhanced_rev(const struct rules_ctx *ctx) {
  const uint8_t rev = enhanced_ev(ctx)->frame.rev;
  if (enhanced_s(ctx)) {
    rulesi_check_field(ctx, rev >= 2, IWARP_FIELD_MPA_STARTUP_REV, rulesi_at_least(2),
                       rulesi_uint(rev));
  }
}

void iwarp_rule_mpa_enhanced_length(const struct rules_ctx *ctx) {
  const uint16_t len = enhanced_ev(ctx)->frame.pd_length;
  if (enhanced_s(ctx) && enhanced_ev(ctx)->frame.rev >= 2) {
    rulesi_check_field(ctx, len >= IWARP_MPA_ENHANCED_LEN, IWARP_FIELD_MPA_STARTUP_PD_LENGTH,
                       rulesi_at_least(IWARP_MPA_ENHANCED_LEN), rulesi_uint(len));
  }
}

/* S counts with Rev 2 and higher only: of an S with a lower one mpa.enhanced-rev tells, and what it
 * is worth is open. */
void iwarp_rule_mpa_enhanced_pairing(const struct rules_ctx *ctx) {
  if (!enhanced_is_reply(ctx)) {
    return;
  }
  const iwarp_observer_side *request = enhanced_request(ctx);
  if (request == NULL) {
    return;
  }
  const bool asked = (request->flags & IWARP_MPA_FLAG_S) != 0;
  const bool answered = enhanced_s(ctx);
  if (!(asked && request->rev < 2) && !(answered && enhanced_ev(ctx)->frame.rev < 2)) {
    rulesi_check_field(ctx, asked == answered, IWARP_FIELD_MPA_STARTUP_S, rulesi_uint(asked),
                       rulesi_uint(answered));
  }
}

void iwarp_rule_mpa_model_copied(const struct rules_ctx *ctx) {
  struct enhanced_pair p;
  if (enhanced_pair_of(ctx, &p)) {
    rulesi_check_field(ctx, p.answer->a == p.asked->a, IWARP_FIELD_MPA_ENHANCED_A,
                       rulesi_uint(p.asked->a), rulesi_uint(p.answer->a));
  }
}

void iwarp_rule_mpa_model_flags(const struct rules_ctx *ctx) {
  const iwarp_mpa_enhanced *e = enhanced_data(ctx);
  if (e != NULL && !e->a) {
    const struct enhanced_rtr first = enhanced_first_rtr(e);
    rulesi_check_fields(ctx, !rulesi_names_rtr(e), first.field, IWARP_FIELD_MPA_ENHANCED_A,
                        IWARP_FIELD_MPA_ENHANCED_ORD, rulesi_text("no RTR flag"),
                        rulesi_text(first.text));
  }
}

/* Not asked over SCTP, where no RTR message is needed: either side may send first. */
void iwarp_rule_mpa_rtr_offered(const struct rules_ctx *ctx) {
  const iwarp_mpa_enhanced *e = enhanced_data(ctx);
  if (e != NULL && enhanced_ev(ctx)->key == IWARP_MPA_KEY_REQUEST && e->a) {
    enhanced_check_rtr(ctx, e);
  }
}

/* mpa.model-copied reports a Request without A. */
void iwarp_rule_mpa_rtr_supported(const struct rules_ctx *ctx) {
  struct enhanced_pair p;
  if (enhanced_pair_of(ctx, &p) && p.answer->a && p.asked->a) {
    enhanced_check_rtr(ctx, p.answer);
  }
}

static void enhanced_settle_unspecified(const struct rules_ctx *ctx, uint16_t asked,
                                        uint16_t answered, iwarp_field_id field) {
  if (asked == IWARP_MPA_DEPTH_UNSPEC) {
    rulesi_check_field(ctx, answered == IWARP_MPA_DEPTH_UNSPEC, field,
                       rulesi_hex(IWARP_VALUE_HEX16, IWARP_MPA_DEPTH_UNSPEC),
                       rulesi_hex(IWARP_VALUE_HEX16, answered));
  }
}

void iwarp_rule_mpa_ird_unspecified(const struct rules_ctx *ctx) {
  struct enhanced_pair p;
  if (enhanced_pair_of(ctx, &p)) {
    enhanced_settle_unspecified(ctx, p.asked->ord, p.answer->ird, IWARP_FIELD_MPA_ENHANCED_IRD);
  }
}

void iwarp_rule_mpa_ord_unspecified(const struct rules_ctx *ctx) {
  struct enhanced_pair p;
  if (enhanced_pair_of(ctx, &p)) {
    enhanced_settle_unspecified(ctx, p.asked->ird, p.answer->ord, IWARP_FIELD_MPA_ENHANCED_ORD);
  }
}

/* A rejecting Reply may say what ORD it would need. */
static bool enhanced_rejects(const struct rules_ctx *ctx) {
  return ctx->ev->sctp == NULL && (enhanced_ev(ctx)->frame.flags & IWARP_MPA_FLAG_R) != 0;
}

void iwarp_rule_mpa_ord_limit(const struct rules_ctx *ctx) {
  struct enhanced_pair p;
  if (!enhanced_pair_of(ctx, &p) || enhanced_rejects(ctx)) {
    return;
  }
  const uint16_t ird = p.asked->ird;
  const uint16_t ord = p.answer->ord;
  if (ird != IWARP_MPA_DEPTH_UNSPEC && ord != IWARP_MPA_DEPTH_UNSPEC) {
    rulesi_check_field(ctx, ord <= ird, IWARP_FIELD_MPA_ENHANCED_ORD, rulesi_at_most(ird),
                       rulesi_uint(ord));
  }
}
