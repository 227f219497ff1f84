/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on enhanced connection establishment in the startup frames: RFC 6581 6 and 9. */
#include "catalog.h"
#include "evidence.h"
#include "sctp_event.h"
#include "session.h"

static const iwarp_event_startup *enhanced_ev(const struct rules_ctx *j) {
  return &j->ev->u.startup;
}

static bool enhanced_s(const struct rules_ctx *j) {
  return enhanced_ev(j)->key != IWARP_MPA_KEY_UNKNOWN &&
         (enhanced_ev(j)->frame.flags & IWARP_MPA_FLAG_S) != 0;
}

static bool enhanced_is_reply(const struct rules_ctx *j) {
  return enhanced_ev(j)->is_reply && enhanced_ev(j)->key == IWARP_MPA_KEY_REPLY;
}

/* The Request that this Reply answers; says so when it was not seen, or may be payload. */
static const iwarp_observer_side *enhanced_request(const struct rules_ctx *j) {
  const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
  if (!peer->has_startup || !rules_startup_sure(j, rules_peer(j))) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
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
static const iwarp_mpa_enhanced *enhanced_data(const struct rules_ctx *j) {
  if (j->ev->sctp != NULL) {
    const iwarp_ev_sctp_message *m = rulesi_sctp_message(j);
    return enhanced_in_place(m) ? &m->enh : NULL;
  }
  return enhanced_ev(j)->key != IWARP_MPA_KEY_UNKNOWN && enhanced_ev(j)->enhanced
             ? &enhanced_ev(j)->enh
             : NULL;
}

static bool enhanced_answers(const struct rules_ctx *j) {
  return j->ev->sctp != NULL ? rulesi_sctp_message(j)->kind == IWARP_SCTP_KIND_ACCEPT
                             : enhanced_is_reply(j);
}

/* It is certain that what is known of the other side is of the same session, and that its message
 * has no other copy. */
static bool enhanced_certain(const struct rules_ctx *j) {
  const bool certain = j->ev->sctp == NULL ||
                       (rulesi_sctp_certainty(j)->session_certain && rulesi_sctp_peer_sound(j));
  if (!certain) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
  }
  return certain;
}

/* The enhanced data of a Request and of its answer. */
struct enhanced_pair {
  const iwarp_mpa_enhanced *asked;
  const iwarp_mpa_enhanced *answer;
};

/* True when the event is an answer with enhanced data to a Request with such data. */
static bool enhanced_pair_of(const struct rules_ctx *j, struct enhanced_pair *out) {
  out->answer = enhanced_data(j);
  if (out->answer == NULL || !enhanced_answers(j)) {
    return false;
  }
  const iwarp_observer_side *request = enhanced_request(j);
  if (request == NULL || !request->enhanced || !enhanced_certain(j)) {
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
static void enhanced_check_rtr(const struct rules_ctx *j, const iwarp_mpa_enhanced *e) {
  rulesi_check_fields(j, rulesi_names_rtr(e), IWARP_FIELD_NONE, IWARP_FIELD_MPA_ENHANCED_A,
                      IWARP_FIELD_MPA_ENHANCED_ORD, rulesi_text("B, C or D"), rulesi_text("none"));
}

void iwarp_rule_mpa_enhanced_rev(const struct rules_ctx *j) {
  const uint8_t rev = enhanced_ev(j)->frame.rev;
  if (enhanced_s(j)) {
    rulesi_check_field(j, rev >= 2, IWARP_FIELD_MPA_STARTUP_REV, rulesi_at_least(2),
                       rulesi_uint(rev));
  }
}

void iwarp_rule_mpa_enhanced_length(const struct rules_ctx *j) {
  const uint16_t len = enhanced_ev(j)->frame.pd_length;
  if (enhanced_s(j) && enhanced_ev(j)->frame.rev >= 2) {
    rulesi_check_field(j, len >= IWARP_MPA_ENHANCED_LEN, IWARP_FIELD_MPA_STARTUP_PD_LENGTH,
                       rulesi_at_least(IWARP_MPA_ENHANCED_LEN), rulesi_uint(len));
  }
}

/* S counts with Rev 2 and higher only: of an S with a lower one mpa.enhanced-rev tells, and what it
 * is worth is open. */
void iwarp_rule_mpa_enhanced_pairing(const struct rules_ctx *j) {
  if (!enhanced_is_reply(j)) {
    return;
  }
  const iwarp_observer_side *request = enhanced_request(j);
  if (request == NULL) {
    return;
  }
  const bool asked = (request->flags & IWARP_MPA_FLAG_S) != 0;
  const bool answered = enhanced_s(j);
  if (!(asked && request->rev < 2) && !(answered && enhanced_ev(j)->frame.rev < 2)) {
    rulesi_check_field(j, asked == answered, IWARP_FIELD_MPA_STARTUP_S, rulesi_uint(asked),
                       rulesi_uint(answered));
  }
}

void iwarp_rule_mpa_model_copied(const struct rules_ctx *j) {
  struct enhanced_pair p;
  if (enhanced_pair_of(j, &p)) {
    rulesi_check_field(j, p.answer->a == p.asked->a, IWARP_FIELD_MPA_ENHANCED_A,
                       rulesi_uint(p.asked->a), rulesi_uint(p.answer->a));
  }
}

void iwarp_rule_mpa_model_flags(const struct rules_ctx *j) {
  const iwarp_mpa_enhanced *e = enhanced_data(j);
  if (e != NULL && !e->a) {
    const struct enhanced_rtr first = enhanced_first_rtr(e);
    rulesi_check_fields(j, !rulesi_names_rtr(e), first.field, IWARP_FIELD_MPA_ENHANCED_A,
                        IWARP_FIELD_MPA_ENHANCED_ORD, rulesi_text("no RTR flag"),
                        rulesi_text(first.text));
  }
}

/* Not asked over SCTP, where no RTR message is needed: either side may send first. */
void iwarp_rule_mpa_rtr_offered(const struct rules_ctx *j) {
  const iwarp_mpa_enhanced *e = enhanced_data(j);
  if (e != NULL && enhanced_ev(j)->key == IWARP_MPA_KEY_REQUEST && e->a) {
    enhanced_check_rtr(j, e);
  }
}

/* Where the Request has no A mpa.model-copied speaks. */
void iwarp_rule_mpa_rtr_supported(const struct rules_ctx *j) {
  struct enhanced_pair p;
  if (enhanced_pair_of(j, &p) && p.answer->a && p.asked->a) {
    enhanced_check_rtr(j, p.answer);
  }
}

static void enhanced_settle_unspecified(const struct rules_ctx *j, uint16_t asked,
                                        uint16_t answered, iwarp_field_id field) {
  if (asked == IWARP_MPA_DEPTH_UNSPEC) {
    rulesi_check_field(j, answered == IWARP_MPA_DEPTH_UNSPEC, field,
                       rulesi_hex(IWARP_VALUE_HEX16, IWARP_MPA_DEPTH_UNSPEC),
                       rulesi_hex(IWARP_VALUE_HEX16, answered));
  }
}

void iwarp_rule_mpa_ird_unspecified(const struct rules_ctx *j) {
  struct enhanced_pair p;
  if (enhanced_pair_of(j, &p)) {
    enhanced_settle_unspecified(j, p.asked->ord, p.answer->ird, IWARP_FIELD_MPA_ENHANCED_IRD);
  }
}

void iwarp_rule_mpa_ord_unspecified(const struct rules_ctx *j) {
  struct enhanced_pair p;
  if (enhanced_pair_of(j, &p)) {
    enhanced_settle_unspecified(j, p.asked->ird, p.answer->ord, IWARP_FIELD_MPA_ENHANCED_ORD);
  }
}

/* A rejecting Reply may say what ORD it would need. */
static bool enhanced_rejects(const struct rules_ctx *j) {
  return j->ev->sctp == NULL && (enhanced_ev(j)->frame.flags & IWARP_MPA_FLAG_R) != 0;
}

void iwarp_rule_mpa_ord_limit(const struct rules_ctx *j) {
  struct enhanced_pair p;
  if (!enhanced_pair_of(j, &p) || enhanced_rejects(j)) {
    return;
  }
  const uint16_t ird = p.asked->ird;
  const uint16_t ord = p.answer->ord;
  if (ird != IWARP_MPA_DEPTH_UNSPEC && ord != IWARP_MPA_DEPTH_UNSPEC) {
    rulesi_check_field(j, ord <= ird, IWARP_FIELD_MPA_ENHANCED_ORD, rulesi_at_most(ird),
                       rulesi_uint(ord));
  }
}
