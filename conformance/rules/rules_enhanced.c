/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on enhanced connection establishment in the startup frames: RFC 6581 6 and 9. */
#include "catalog.h"
#include "evidence.h"

static const iwarp_ev_startup *enhanced_ev(const struct rules_ctx *j) {
  return &j->ev->u.startup;
}

static bool enhanced_s(const struct rules_ctx *j) {
  return enhanced_ev(j)->key != IWARP_MPA_KEY_UNKNOWN &&
         (enhanced_ev(j)->frame.flags & IWARP_MPA_FLAG_S) != 0;
}

static bool enhanced_is_reply(const struct rules_ctx *j) {
  return enhanced_ev(j)->is_reply && enhanced_ev(j)->key == IWARP_MPA_KEY_REPLY;
}

/* The Request that this Reply answers; says so when it was not seen. */
static const iwarp_observer_side *enhanced_request(struct rules_ctx *j) {
  const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
  if (!peer->has_startup) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
    return NULL;
  }
  return peer->key == IWARP_MPA_KEY_REQUEST ? peer : NULL;
}

/* An enhanced Reply to an enhanced Request, with the data of both. */
static const iwarp_observer_side *enhanced_both(struct rules_ctx *j) {
  if (!enhanced_is_reply(j) || !enhanced_ev(j)->enhanced) {
    return NULL;
  }
  const iwarp_observer_side *request = enhanced_request(j);
  return request != NULL && request->enhanced ? request : NULL;
}

static bool enhanced_any_rtr(const iwarp_mpa_enhanced *e) {
  return e->b || e->c || e->d;
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
static void enhanced_check_rtr(struct rules_ctx *j) {
  rulesi_check_fields(j, enhanced_any_rtr(&enhanced_ev(j)->enh), IWARP_FIELD_NONE,
                      IWARP_FIELD_MPA_ENHANCED_A, IWARP_FIELD_MPA_ENHANCED_ORD,
                      rulesi_text("B, C or D"), rulesi_text("none"));
}

void iwarp_rule_mpa_enhanced_rev(struct rules_ctx *j) {
  const uint8_t rev = enhanced_ev(j)->frame.rev;
  if (enhanced_s(j)) {
    rulesi_check_field(j, rev >= 2, IWARP_FIELD_MPA_STARTUP_REV, rulesi_at_least(2),
                       rulesi_uint(rev));
  }
}

void iwarp_rule_mpa_enhanced_length(struct rules_ctx *j) {
  const uint16_t len = enhanced_ev(j)->frame.pd_length;
  if (enhanced_s(j) && enhanced_ev(j)->frame.rev >= 2) {
    rulesi_check_field(j, len >= IWARP_MPA_ENHANCED_LEN, IWARP_FIELD_MPA_STARTUP_PD_LENGTH,
                       rulesi_at_least(IWARP_MPA_ENHANCED_LEN), rulesi_uint(len));
  }
}

/* S counts with Rev 2 and higher only. */
void iwarp_rule_mpa_enhanced_pairing(struct rules_ctx *j) {
  if (!enhanced_is_reply(j)) {
    return;
  }
  const iwarp_observer_side *request = enhanced_request(j);
  if (request == NULL) {
    return;
  }
  const bool asked = (request->flags & IWARP_MPA_FLAG_S) != 0 && request->rev >= 2;
  const bool answered = enhanced_s(j) && enhanced_ev(j)->frame.rev >= 2;
  const bool said = (enhanced_s(j) && enhanced_ev(j)->frame.rev < 2) ||
                    ((request->flags & IWARP_MPA_FLAG_S) != 0 && request->rev < 2);
  if (!said) { /* else mpa.enhanced-rev: what S is worth there is open */
    rulesi_check_field(j, asked == answered, IWARP_FIELD_MPA_STARTUP_S, rulesi_uint(asked),
                       rulesi_uint(answered));
  }
}

void iwarp_rule_mpa_model_copied(struct rules_ctx *j) {
  const iwarp_observer_side *request = enhanced_both(j);
  if (request != NULL) {
    rulesi_check_field(j, enhanced_ev(j)->enh.a == request->enh.a, IWARP_FIELD_MPA_ENHANCED_A,
                       rulesi_uint(request->enh.a), rulesi_uint(enhanced_ev(j)->enh.a));
  }
}

void iwarp_rule_mpa_model_flags(struct rules_ctx *j) {
  const iwarp_mpa_enhanced *e = &enhanced_ev(j)->enh;
  if (enhanced_ev(j)->key != IWARP_MPA_KEY_UNKNOWN && enhanced_ev(j)->enhanced && !e->a) {
    const struct enhanced_rtr first = enhanced_first_rtr(e);
    rulesi_check_fields(j, !enhanced_any_rtr(e), first.field, IWARP_FIELD_MPA_ENHANCED_A,
                        IWARP_FIELD_MPA_ENHANCED_ORD, rulesi_text("no RTR flag"),
                        rulesi_text(first.text));
  }
}

void iwarp_rule_mpa_rtr_offered(struct rules_ctx *j) {
  const iwarp_mpa_enhanced *e = &enhanced_ev(j)->enh;
  if (enhanced_ev(j)->key == IWARP_MPA_KEY_REQUEST && enhanced_ev(j)->enhanced && e->a) {
    enhanced_check_rtr(j);
  }
}

void iwarp_rule_mpa_rtr_supported(struct rules_ctx *j) {
  const iwarp_mpa_enhanced *e = &enhanced_ev(j)->enh;
  const iwarp_observer_side *request = enhanced_both(j);
  if (request != NULL && e->a) {
    enhanced_check_rtr(j);
  }
}

static void enhanced_settle_unspecified(struct rules_ctx *j, uint16_t asked, uint16_t answered,
                                        iwarp_field_id field) {
  if (asked == IWARP_MPA_DEPTH_UNSPEC) {
    rulesi_check_field(j, answered == IWARP_MPA_DEPTH_UNSPEC, field,
                       rulesi_hex(IWARP_VALUE_HEX16, IWARP_MPA_DEPTH_UNSPEC),
                       rulesi_hex(IWARP_VALUE_HEX16, answered));
  }
}

void iwarp_rule_mpa_ird_unspecified(struct rules_ctx *j) {
  const iwarp_observer_side *request = enhanced_both(j);
  if (request != NULL) {
    enhanced_settle_unspecified(j, request->enh.ord, enhanced_ev(j)->enh.ird,
                                IWARP_FIELD_MPA_ENHANCED_IRD);
  }
}

void iwarp_rule_mpa_ord_unspecified(struct rules_ctx *j) {
  const iwarp_observer_side *request = enhanced_both(j);
  if (request != NULL) {
    enhanced_settle_unspecified(j, request->enh.ird, enhanced_ev(j)->enh.ord,
                                IWARP_FIELD_MPA_ENHANCED_ORD);
  }
}

/* A rejecting Reply may say what ORD it would need. */
void iwarp_rule_mpa_ord_limit(struct rules_ctx *j) {
  const iwarp_observer_side *request = enhanced_both(j);
  if (request == NULL || (enhanced_ev(j)->frame.flags & IWARP_MPA_FLAG_R) != 0) {
    return;
  }
  const uint16_t ird = request->enh.ird;
  const uint16_t ord = enhanced_ev(j)->enh.ord;
  if (ird != IWARP_MPA_DEPTH_UNSPEC && ord != IWARP_MPA_DEPTH_UNSPEC) {
    rulesi_check_field(j, ord <= ird, IWARP_FIELD_MPA_ENHANCED_ORD, rulesi_at_most(ird),
                       rulesi_uint(ord));
  }
}
