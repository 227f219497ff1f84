/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on enhanced connection establishment in the startup frames: RFC 6581 6 and 9. */
#include "catalog.h"
#include "evidence.h"

/* Octets of a startup frame: RFC 6581 6, 9. */
#define ENHANCED_FLAGS 16u
#define ENHANCED_REV 17u
#define ENHANCED_PD_LENGTH 18u
#define ENHANCED_IRD 20u /* A and B are its two high bits, C and D those of ORD */
#define ENHANCED_ORD 22u

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

void iwarp_rule_mpa_enhanced_rev(struct rules_ctx *j) {
  const uint8_t rev = enhanced_ev(j)->frame.rev;
  if (enhanced_s(j)) {
    rulesi_settle_startup(j, rev >= 2, ENHANCED_REV, 1, rulesi_at_least(2), rulesi_uint(rev));
  }
}

void iwarp_rule_mpa_enhanced_length(struct rules_ctx *j) {
  const uint16_t len = enhanced_ev(j)->frame.pd_length;
  if (enhanced_s(j) && enhanced_ev(j)->frame.rev >= 2) {
    rulesi_settle_startup(j, len >= IWARP_MPA_ENHANCED_LEN, ENHANCED_PD_LENGTH, 2,
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
  const bool said = enhanced_s(j) && enhanced_ev(j)->frame.rev < 2; /* mpa.enhanced-rev */
  if (!said) {
    rulesi_settle_startup(j, asked == answered, ENHANCED_FLAGS, 1, rulesi_uint(asked),
                          rulesi_uint(answered));
  }
}

void iwarp_rule_mpa_model_copied(struct rules_ctx *j) {
  const iwarp_observer_side *request = enhanced_both(j);
  if (request != NULL) {
    rulesi_settle_startup(j, enhanced_ev(j)->enh.a == request->enh.a, ENHANCED_IRD, 1,
                          rulesi_uint(request->enh.a), rulesi_uint(enhanced_ev(j)->enh.a));
  }
}

void iwarp_rule_mpa_model_flags(struct rules_ctx *j) {
  const iwarp_mpa_enhanced *e = &enhanced_ev(j)->enh;
  if (enhanced_ev(j)->key != IWARP_MPA_KEY_UNKNOWN && enhanced_ev(j)->enhanced && !e->a) {
    rulesi_settle_startup(j, !enhanced_any_rtr(e), ENHANCED_IRD, 4, rulesi_text("no RTR flag"),
                          rulesi_text(e->b   ? "B (Send)"
                                      : e->c ? "C (RDMA Write)"
                                             : "D (RDMA Read)"));
  }
}

void iwarp_rule_mpa_rtr_offered(struct rules_ctx *j) {
  const iwarp_mpa_enhanced *e = &enhanced_ev(j)->enh;
  if (enhanced_ev(j)->key == IWARP_MPA_KEY_REQUEST && enhanced_ev(j)->enhanced && e->a) {
    rulesi_settle_startup(j, enhanced_any_rtr(e), ENHANCED_IRD, 4, rulesi_text("B, C or D"),
                          rulesi_text("none"));
  }
}

void iwarp_rule_mpa_rtr_supported(struct rules_ctx *j) {
  const iwarp_mpa_enhanced *e = &enhanced_ev(j)->enh;
  const iwarp_observer_side *request = enhanced_both(j);
  if (request != NULL && e->a) {
    rulesi_settle_startup(j, enhanced_any_rtr(e), ENHANCED_IRD, 4, rulesi_text("B, C or D"),
                          rulesi_text("none"));
  }
}

static void enhanced_settle_unspecified(struct rules_ctx *j, uint16_t asked, uint16_t answered,
                                        uint32_t off) {
  if (asked == IWARP_MPA_DEPTH_UNSPEC) {
    rulesi_settle_startup(j, answered == IWARP_MPA_DEPTH_UNSPEC, off, 2,
                          rulesi_hex(IWARP_VALUE_HEX16, IWARP_MPA_DEPTH_UNSPEC),
                          rulesi_hex(IWARP_VALUE_HEX16, answered));
  }
}

void iwarp_rule_mpa_ird_unspecified(struct rules_ctx *j) {
  const iwarp_observer_side *request = enhanced_both(j);
  if (request != NULL) {
    enhanced_settle_unspecified(j, request->enh.ord, enhanced_ev(j)->enh.ird, ENHANCED_IRD);
  }
}

void iwarp_rule_mpa_ord_unspecified(struct rules_ctx *j) {
  const iwarp_observer_side *request = enhanced_both(j);
  if (request != NULL) {
    enhanced_settle_unspecified(j, request->enh.ird, enhanced_ev(j)->enh.ord, ENHANCED_ORD);
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
    rulesi_settle_startup(j, ord <= ird, ENHANCED_ORD, 2, rulesi_at_most(ird), rulesi_uint(ord));
  }
}
