/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on DDP over SCTP: the association, each message, and the order of a session: RFC 5043, RFC
 * 6581 7. */
#include "catalog.h"
#include "evidence.h"
#include "sctp_event.h"
#include "session.h"

static const iwarp_ev_sctp_message *sctp_of(const struct rules_ctx *ctx) {
  return rulesi_sctp_message(ctx);
}

/* What the capture lets one know of the event. */
static const iwarp_sctp_certainty *sctp_known(const struct rules_ctx *ctx) {
  return rulesi_sctp_certainty(ctx);
}

/* What is wrong lies outside of the user data, in fields of SCTP; or, with `len`, in all of it. The
 * finding, or NULL when `ok`. */
static iwarp_finding *sctp_settle(const struct rules_ctx *ctx, bool ok, uint32_t len,
                                  iwarp_value expected, iwarp_value observed) {
  if (ok) {
    rulesi_pass(ctx);
    return NULL;
  }
  iwarp_finding *f = rulesi_fail(ctx, expected, observed);
  f->octet_pos = ctx->ev->pos;
  f->octet_len = len;
  return f;
}

static iwarp_field_id sctp_ssn_field(const struct rules_ctx *ctx) {
  return sctp_of(ctx)->has_control ? IWARP_FIELD_SCTP_CONTROL_SSN : IWARP_FIELD_SCTP_SEGMENT_SSN;
}

/* Fails on a message out of place: no field is wrong, and the fields up to `last` identify the
 * message. */
static void sctp_check_place(const struct rules_ctx *ctx, bool ok, iwarp_field_id last,
                             iwarp_value expected, iwarp_value observed) {
  rulesi_check_fields(ctx, ok, IWARP_FIELD_NONE, sctp_ssn_field(ctx), last, expected, observed);
}

static uint32_t sctp_private_data(const iwarp_ev_sctp_message *m) {
  return m->captured->length - IWARP_SCTP_CONTROL_LEN;
}

/* The octets of Private Data count as on the wire, captured or not. */
static void sctp_check_private_data(const struct rules_ctx *ctx, bool ok, iwarp_value expected) {
  const uint32_t len = sctp_private_data(sctp_of(ctx));
  if (ok) {
    rulesi_pass(ctx);
    return;
  }
  iwarp_finding *f = rulesi_fail(ctx, expected, rulesi_uint(len));
  rulesi_at_form(f, ctx->ev->pos, IWARP_FIELD_SCTP_CONTROL_PRIVATE_DATA);
  f->octet_len = len;
}

/* True if the receiver took these octets; else says why they are in doubt. */
static bool sctp_sound(const struct rules_ctx *ctx) {
  if (ctx->ev->last.damaged) {
    rulesi_inconclusive(ctx, rulesi_doubt(&ctx->ev->last));
  }
  return !ctx->ev->last.damaged;
}

/* The reason why the messages before a message of this side are not known. */
static uint32_t sctp_reason(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  if (!own->seen) {
    return IWARP_REASON_ONE_DIRECTION;
  }
  return own->start_known ? rules_own(ctx)->chain.gap_reason : IWARP_REASON_MID_STREAM;
}

/* True if the session of the message is certain. */
static bool sctp_certain(const struct rules_ctx *ctx) {
  if (!sctp_known(ctx)->session_certain) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  }
  return sctp_known(ctx)->session_certain;
}

/* All that this side sent in the session is available. */
static bool sctp_followed(const struct rules_ctx *ctx) {
  if (!rulesi_sctp_lossless(ctx) || sctp_of(ctx)->inconclusive) {
    rulesi_inconclusive(ctx, sctp_reason(ctx));
    return false;
  }
  return sctp_certain(ctx) && sctp_sound(ctx);
}

/* True if all messages that the sender had received before are there. */
static bool sctp_cause_seen(const struct rules_ctx *ctx) {
  if (ctx->ev->first.peer_pos == IWARP_POS_UNKNOWN) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return false;
  }
  return true;
}

/* The sender had received the first message of the other side, and answers it or not. */
static bool sctp_knew(const struct rules_ctx *ctx) {
  const bool knew = sctp_known(ctx)->received >= rules_other(ctx)->sctp.end;
  if (!knew) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  }
  return knew;
}

/* ---- the association ---- */

/* The parameter has the right value, but octets after it. RFC 5061 4.2.6 */
static void sctp_check_surplus(const struct rules_ctx *ctx, uint16_t surplus) {
  iwarp_finding *f = sctp_settle(ctx, surplus == 0, 0, rulesi_text("of 8 octets"),
                                 rulesi_text("of another Length"));
  if (f != NULL) {
    f->field = IWARP_FIELD_SCTP_ADAPTATION_LENGTH;
  }
}

/* The event comes only where DDP messages are there. */
void iwarp_rule_sctp_adaptation(const struct rules_ctx *ctx) {
  const iwarp_sctp_assoc_params *m = ctx->ev->sctp->u.init.params;
  if (!m->has_adaptation && !m->whole) {
    rulesi_inconclusive(ctx, IWARP_REASON_SNAPLEN);
    return;
  }
  const bool ok = m->has_adaptation && m->adaptation == IWARP_SCTP_ADAPTATION_DDP;
  if (ok) {
    sctp_check_surplus(ctx, m->adaptation_surplus);
    return;
  }
  iwarp_finding *f = sctp_settle(
      ctx, false, 0, rulesi_hex(IWARP_VALUE_HEX32, IWARP_SCTP_ADAPTATION_DDP),
      m->has_adaptation ? rulesi_hex(IWARP_VALUE_HEX32, m->adaptation) : rulesi_text("none"));
  if (f != NULL && m->has_adaptation) {
    f->field = IWARP_FIELD_SCTP_ADAPTATION_INDICATION;
  }
}

/* What an INIT ACK offers may be less than its sender wants, RFC 9260 5.1.1. */
void iwarp_rule_sctp_stream_count(const struct rules_ctx *ctx) {
  const iwarp_sctp_assoc_params *m = ctx->ev->sctp->u.init.params;
  const uint16_t granted = ctx->ev->sctp->u.init.granted;
  if (m->ack && m->out_streams != m->in_streams && granted == 0) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return;
  }
  const bool cut = m->ack && m->out_streams == granted && m->out_streams < m->in_streams;
  (void)sctp_settle(ctx, cut || m->out_streams == m->in_streams, 0, rulesi_uint(m->out_streams),
                    rulesi_uint(m->in_streams));
}

/* ---- one message ---- */

void iwarp_rule_sctp_unordered(const struct rules_ctx *ctx) {
  if (sctp_sound(ctx)) {
    (void)sctp_settle(ctx, !rulesi_sctp_captured(ctx)->ordered, 0, rulesi_text("U set"),
                      rulesi_text("U clear"));
  }
}

void iwarp_rule_sctp_ppid(const struct rules_ctx *ctx) {
  const uint32_t ppid = rulesi_sctp_captured(ctx)->ppid;
  const char *due = "16 or 17";
  if (ctx->facts.other_ppid) {
    due =
        ppid == IWARP_SCTP_PPID_SEGMENT ? "17 of a Session Control message" : "16 of a DDP Segment";
  }
  if (sctp_sound(ctx)) {
    (void)sctp_settle(ctx, iwarp_name_known(iwarp_sctp_ppid_name(ppid)) && !ctx->facts.other_ppid,
                      0, rulesi_text(due), rulesi_hex(IWARP_VALUE_HEX32, ppid));
  }
}

/* An SCTP packet that took a fragment had room for the whole. */
void iwarp_rule_sctp_fragmentation(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  if (m->captured->fragments > 1 && sctp_sound(ctx)) {
    (void)sctp_settle(ctx, !m->captured->evidence.needless, 0, rulesi_uint(1),
                      rulesi_uint(m->captured->fragments));
  }
}

/* The segment after the DDP-SSN is ddp.header-length. */
void iwarp_rule_sctp_message_length(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  const bool control = m->has_control || m->captured->ppid == IWARP_SCTP_PPID_CONTROL;
  const uint32_t least = control ? IWARP_SCTP_CONTROL_LEN : IWARP_SCTP_SEGMENT_LEN;
  if (m->reason != IWARP_SCTP_REASON_PPID && sctp_sound(ctx)) {
    (void)sctp_settle(ctx, m->captured->length >= least, m->captured->length,
                      rulesi_at_least(least), rulesi_uint(m->captured->length));
  }
}

static bool sctp_is_control(const struct rules_ctx *ctx) {
  return sctp_of(ctx)->has_control && !ctx->facts.other_ppid && sctp_sound(ctx);
}

/* 0xffff is for experiments, RFC 6580 3.5. */
void iwarp_rule_sctp_function_code(const struct rules_ctx *ctx) {
  const uint16_t code = sctp_of(ctx)->control.function;
  if (sctp_is_control(ctx) && code != IWARP_SCTP_EXPERIMENTAL) {
    rulesi_check_field(ctx, iwarp_sctp_function_get(code) != NULL,
                       IWARP_FIELD_SCTP_CONTROL_FUNCTION, rulesi_text("1 to 7"),
                       rulesi_hex(IWARP_VALUE_HEX16, code));
  }
}

void iwarp_rule_sctp_private_data_length(const struct rules_ctx *ctx) {
  const uint32_t len = sctp_private_data(sctp_of(ctx));
  if (sctp_is_control(ctx) && sctp_of(ctx)->control.function != IWARP_SCTP_TERMINATE) {
    sctp_check_private_data(ctx, len <= IWARP_SCTP_PRIVATE_DATA_MAX,
                            rulesi_at_most(IWARP_SCTP_PRIVATE_DATA_MAX));
  }
}

void iwarp_rule_sctp_terminate_private_data(const struct rules_ctx *ctx) {
  const uint32_t len = sctp_private_data(sctp_of(ctx));
  if (sctp_is_control(ctx) && sctp_of(ctx)->control.function == IWARP_SCTP_TERMINATE) {
    sctp_check_private_data(ctx, len == 0, rulesi_uint(0));
  }
}

/* The RFC does not require Private Data of an Enhanced Reject. */
void iwarp_rule_sctp_enhanced_length(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  if (sctp_is_control(ctx) && (m->control.function == IWARP_SCTP_ENHANCED_INITIATE ||
                               m->control.function == IWARP_SCTP_ENHANCED_ACCEPT)) {
    const uint32_t len = sctp_private_data(m);
    sctp_check_private_data(ctx, len >= IWARP_SCTP_ENHANCED_LEN,
                            rulesi_at_least(IWARP_SCTP_ENHANCED_LEN));
  }
}

/* ---- the order of a session ---- */

/* An answer to an Initiate has the same form, enhanced or not; a plain Reject always passes. */
void iwarp_rule_sctp_enhanced_pairing(const struct rules_ctx *ctx) {
  const struct rules_sctp *other = &rules_other(ctx)->sctp;
  const uint16_t code = sctp_of(ctx)->control.function;
  const bool enhanced = code == IWARP_SCTP_ENHANCED_ACCEPT || code == IWARP_SCTP_ENHANCED_REJECT;
  if (rules_own(ctx)->sctp.begun || !sctp_is_control(ctx) ||
      (!enhanced && code != IWARP_SCTP_ACCEPT)) {
    return;
  }
  if (!rulesi_sctp_lossless(ctx)) {
    rulesi_inconclusive(ctx, sctp_reason(ctx));
    return;
  }
  if (!other->begun || other->kind != IWARP_SCTP_KIND_INITIATE || !rulesi_sctp_peer_sound(ctx)) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return;
  }
  if (rulesi_sctp_doubted(ctx)) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP);
    return;
  }
  if (!sctp_certain(ctx) || !sctp_knew(ctx)) {
    return;
  }
  const uint16_t plain = enhanced ? (uint16_t)(code - 4u) : code;
  rulesi_check_field(ctx, enhanced == other->enhanced, IWARP_FIELD_SCTP_CONTROL_FUNCTION,
                     rulesi_hex(IWARP_VALUE_HEX16, other->enhanced ? plain + 4u : plain),
                     rulesi_hex(IWARP_VALUE_HEX16, code));
}

/* What waits may be an answer, for an Initiate of the other side: be it with a wrong number. */
static bool sctp_is_answer(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  return rules_answers(ctx, ctx->ev->side, QUESTION_NO_SESSION) &&
         (own->waiting_ssn == 0 || own->waiting != IWARP_SCTP_KIND_SEGMENT);
}

/* All that the sender of an answer had received was captured: its packet acknowledges it, or a
 * later one does, of an association of which nothing is missing. */
static bool sctp_is_unasked(const struct rules_ctx *ctx) {
  const iwarp_sctp_certainty *known = sctp_known(ctx);
  const iwarp_event *answer = &rules_own(ctx)->startup.event;
  return answer->first.peer_pos != IWARP_POS_UNKNOWN ||
         (known->complete && known->advanced.packet > answer->last.packet &&
          known->advanced.time_ns >= answer->last.time_ns);
}

/* The association ended in order, and what waits is not the last of its side that was captured; or
 * it is, and that was acknowledged. What else the side may have sent last nothing would show. */
static bool sctp_may_end(const struct rules_ctx *ctx) {
  const iwarp_sctp_certainty *known = sctp_known(ctx);
  const iwarp_event *waiting = &rules_own(ctx)->startup.event;
  return rulesi_sctp_end(ctx)->final &&
         (known->settled[ctx->ev->side] || known->sent > waiting->pos + waiting->len);
}

/* Another session of the stream begins: what waits may answer its Initiate, of which another copy
 * was captured later. */
static bool sctp_is_next(const struct rules_ctx *ctx) {
  return ctx->ev->u.end == IWARP_END_FIN && !rulesi_sctp_end(ctx)->final;
}

/* Both sides have ended the session, and this side has sent a message that may be of another
 * session. */
static bool sctp_may_go_on(const struct rules_ctx *ctx) {
  return rules_own(ctx)->sctp.ended && rules_other(ctx)->sctp.ended &&
         rules_own(ctx)->sctp.again > 0;
}

/* The waiting message may be the first message of another session, which its side answered. */
static bool sctp_is_reopened(const struct rules_ctx *ctx) {
  return rules_answers(ctx, ctx->ev->side, QUESTION_SSN_REUSED) && sctp_may_go_on(ctx);
}

/* The association was captured whole, and an Initiate of the other side has no answer: the answer
 * came on this stream. */
static bool sctp_is_swapped(const struct rules_ctx *ctx) {
  const iwarp_sctp_certainty *known = sctp_known(ctx);
  return rulesi_sctp_end(ctx)->final && known->complete && known->settled[0] && known->settled[1] &&
         known->peer_unanswered;
}

/* This side sent the Initiate of the next session, or answered it. */
static bool sctp_went_on(const struct rules_ctx *ctx) {
  const iwarp_sctp_follows follows = rulesi_sctp_end(ctx)->follows;
  return follows == IWARP_SCTP_FOLLOWS_SIDE || follows == IWARP_SCTP_FOLLOWS_APART;
}

/* At an end, a waiting message of this side is a fault of its sender, since no later message can
 * make it right. An Initiate for a waiting answer may still have come: it may be missing together
 * with all that acknowledges it. */
static bool sctp_is_final(const struct rules_ctx *ctx) {
  const iwarp_meta *waiting = &rules_own(ctx)->startup.event.last;
  const bool unseen = ctx->ev->sctp == NULL;
  if (unseen || waiting->damaged) { /* the end itself was not seen, or another copy */
    rulesi_inconclusive(ctx, unseen ? IWARP_REASON_GAP : rulesi_doubt(waiting));
    return false;
  }
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const bool unasked = (sctp_is_unasked(ctx) && !sctp_is_next(ctx)) || sctp_is_swapped(ctx);
  const bool late = sctp_is_answer(ctx)
                        ? unasked
                        : own->overdue == SCTP_OVERDUE || sctp_went_on(ctx) || sctp_may_end(ctx) ||
                              (sctp_is_reopened(ctx) && unasked);
  const bool lossless = rulesi_sctp_lossless(ctx);
  if (!late || (!sctp_known(ctx)->complete && !lossless)) {
    rulesi_inconclusive(ctx, lossless ? IWARP_REASON_GAP : sctp_reason(ctx));
    return false;
  }
  return true;
}

/* A finding on the message that waits. */
static iwarp_finding *sctp_fail_waiting(const struct rules_ctx *ctx, iwarp_value expected,
                                        iwarp_value observed) {
  const struct rules_side *own = rules_own(ctx);
  iwarp_finding *f = rulesi_fail_event(ctx, &own->startup.event, expected, observed);
  f->octet_pos = own->startup.event.pos;
  f->octet_len = own->sctp.waiting_control ? IWARP_SCTP_CONTROL_LEN : IWARP_SCTP_SEGMENT_LEN;
  f->other_packet = ctx->ev->first.packet;
  return f;
}

/* The first message of the other side acknowledges the second Initiate: so no answer to the first
 * had been sent when that was. */
static void sctp_ssn_answered(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  const struct rules_side *other = rules_other(ctx);
  if (rules_answers(ctx, rules_peer(ctx), QUESTION_INITIATE_TWICE) && m->has_ssn && m->ssn == 0 &&
      rulesi_sctp_lossless(ctx) && other->sctp.whole && !other->startup.event.last.damaged &&
      sctp_sound(ctx) &&
      sctp_known(ctx)->received >= other->startup.event.pos + other->startup.event.len) {
    iwarp_finding *f = rulesi_fail_event(ctx, &other->startup.event, rulesi_uint(other->sctp.due),
                                         rulesi_uint(other->sctp.waiting_ssn));
    rulesi_at_form(f, other->startup.event.pos, IWARP_FIELD_SCTP_CONTROL_SSN);
    f->other_packet = ctx->ev->first.packet;
  }
}

/* No other session had begun that a message with a DDP-SSN that comes again may belong to. Its side
 * would have sent another 0; where it did, or this is a 0, the other side would have sent its
 * Initiate, and all that it sent was captured. Where another one did begin, it was sent before what
 * ended this one, or that Initiate acknowledges it. */
static bool sctp_none_began(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_end *end = rulesi_sctp_end(ctx);
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const bool answers = own->waiting_ssn == 0 || own->again > 0;
  const bool within = own->ended && rules_own(ctx)->startup.event.pos < own->ended_pos;
  if (end->follows != IWARP_SCTP_FOLLOWS_NOTHING) {
    return end->follows == IWARP_SCTP_FOLLOWS_APART || (within && !answers);
  }
  return !answers || (end->final && sctp_known(ctx)->settled[rules_peer(ctx)]) ||
         sctp_is_unasked(ctx);
}

/* A finding on the message that waits, of its DDP-SSN. */
static void sctp_fail_number(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  iwarp_finding *f = sctp_fail_waiting(ctx, rulesi_uint(own->due), rulesi_uint(own->waiting_ssn));
  rulesi_at_form(f, rules_own(ctx)->startup.event.pos,
                 own->waiting_control ? IWARP_FIELD_SCTP_CONTROL_SSN
                                      : IWARP_FIELD_SCTP_SEGMENT_SSN);
}

/* Another message may have had the missing DDP-SSN: a message before the session, or an answer on
 * another stream. It may also be a message with a fault that another rule reports, or with a wrong
 * checksum in all captured copies. */
static bool sctp_may_be_elsewhere(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const bool answer = sctp_known(ctx)->answers_elsewhere[ctx->ev->side] && !own->begun;
  const bool elsewhere =
      sctp_known(ctx)->has_unplaced || answer || (!own->certain && (own->refused || own->damaged));
  if (elsewhere) {
    rulesi_inconclusive(ctx, sctp_reason(ctx));
  }
  return elsewhere;
}

/* True if no message makes the DDP-SSN of the waiting message right. SCTP may send a message with a
 * later DDP-SSN before a message with an earlier one. */
static bool sctp_is_misnumbered(const struct rules_ctx *ctx, bool first) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const bool ahead = iwarp_sctp_ssn_distance(own->waiting_ssn, own->due) < IWARP_SCTP_UNACKED_MAX;
  const bool reused = rules_answers(ctx, ctx->ev->side, QUESTION_SSN_REUSED);
  const bool known = own->certain && ctx->ev->sctp != NULL;
  if ((!known && !sctp_is_final(ctx)) || sctp_may_be_elsewhere(ctx)) {
    return false;
  }
  const bool another =
      sctp_is_reopened(ctx) ? rulesi_sctp_doubted(ctx) : rulesi_sctp_began_again(ctx);
  if (!own->certain && reused && another) {
    rulesi_inconclusive(ctx, sctp_reason(ctx)); /* maybe of that session */
    return false;
  }
  if (!own->certain && reused && !sctp_none_began(ctx)) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return false;
  }
  const bool alone = first || (reused && !ahead); /* earlier messages do not count */
  return alone ? sctp_known(ctx)->complete : sctp_certain(ctx);
}

static void sctp_ssn_end(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const bool first = own->waiting_initiate && own->due == 0;
  const bool reported = first && ctx->results[ctx->rule].num_fail > 0;
  const bool asked = rules_answers(ctx, ctx->ev->side, QUESTION_SSN_WRONG) ||
                     rules_answers(ctx, ctx->ev->side, QUESTION_SSN_REUSED);
  if (asked && !reported && sctp_is_misnumbered(ctx, first)) {
    sctp_fail_number(ctx);
  }
}

/* Why the DDP-SSN of the message may be right, although its side has used it. */
static void sctp_ssn_doubt(const struct rules_ctx *ctx) {
  if (rulesi_sctp_ahead(ctx) || rulesi_sctp_reopens(ctx)) {
    return; /* the question stays open */
  }
  if ((rulesi_sctp_begins_wrong(ctx) || sctp_cause_seen(ctx)) &&
      (rulesi_sctp_doubted(ctx) || ctx->facts.other_ppid)) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP);
  }
}

void iwarp_rule_sctp_ddp_ssn(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  if (ctx->ev->kind == IWARP_EVENT_END) {
    sctp_ssn_end(ctx);
    return;
  }
  sctp_ssn_answered(ctx);
  if (rulesi_sctp_begins_early(ctx)) {
    return; /* the number fits an Initiate: sctp.session-order reports the place */
  }
  if (!m->has_ssn || m->reason == IWARP_SCTP_REASON_OVER || !sctp_followed(ctx) ||
      m->reason == IWARP_SCTP_REASON_NO_SESSION) {
    return;
  }
  if (m->reason == IWARP_SCTP_REASON_SSN && !ctx->facts.ssn_used) {
    sctp_ssn_doubt(ctx);
    return;
  }
  const bool zero = rules_own(ctx)->sctp.next == m->ssn || rulesi_sctp_begins_wrong(ctx);
  rulesi_check_field(ctx, !ctx->facts.ssn_used, sctp_ssn_field(ctx),
                     rulesi_uint(zero ? 0 : rules_own(ctx)->sctp.next),
                     rulesi_uint(m->ssn)); /* an Initiate has 0, whatever the session is at */
}

static const char *sctp_kind_name(iwarp_sctp_kind kind) {
  switch (kind) {
  case IWARP_SCTP_KIND_INITIATE: return "Initiate";
  case IWARP_SCTP_KIND_ACCEPT: return "Accept";
  case IWARP_SCTP_KIND_REJECT: return "Reject";
  case IWARP_SCTP_KIND_TERMINATE: return "Terminate";
  case IWARP_SCTP_KIND_SEGMENT: return "a DDP Segment";
  case IWARP_SCTP_KIND_OTHER: break;
  }
  return "another message";
}

static const char *sctp_order_name(const iwarp_ev_sctp_message *m) {
  if (rulesi_sctp_initiates(m)) {
    return sctp_kind_name(IWARP_SCTP_KIND_INITIATE);
  }
  return m->reason == IWARP_SCTP_REASON_FUNCTION ? "an answer of the other form"
                                                 : sctp_kind_name(m->kind);
}

/* The other side refused the Initiate of the active side. A Terminate that answers a Terminate
 * passes. */
static bool sctp_refused(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  const struct rules_sctp *other = &rules_other(ctx)->sctp;
  const bool refuses =
      other->begun &&
      (other->kind == IWARP_SCTP_KIND_REJECT ||
       (other->kind == IWARP_SCTP_KIND_TERMINATE && m->kind == IWARP_SCTP_KIND_SEGMENT));
  return refuses && rules_own(ctx)->sctp.kind == IWARP_SCTP_KIND_INITIATE;
}

/* True if the sender had received that message before. */
static bool sctp_knew_refused(const struct rules_ctx *ctx) {
  return sctp_refused(ctx) && sctp_known(ctx)->received >= rules_other(ctx)->sctp.end;
}

/* An answer to an Initiate of the other form, where no answer is expected. sctp.enhanced-pairing
 * reports the first one. */
static bool sctp_other_form(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  return rules_own(ctx)->sctp.begun && m->reason == IWARP_SCTP_REASON_FUNCTION &&
         m->control.function >= IWARP_SCTP_ACCEPT &&
         m->control.function <= IWARP_SCTP_ENHANCED_REJECT;
}

/* What this side may send now, after what it sent itself; NULL: the message available. */
static const char *sctp_due(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const struct rules_sctp *other = &rules_other(ctx)->sctp;
  const bool opens = m->kind == IWARP_SCTP_KIND_INITIATE || m->kind == IWARP_SCTP_KIND_ACCEPT ||
                     m->kind == IWARP_SCTP_KIND_REJECT || sctp_other_form(ctx) ||
                     rulesi_sctp_begins_early(ctx);
  if (own->ended || sctp_knew_refused(ctx)) {
    return "nothing";
  }
  if (own->begun) {
    return opens ? "DDP Segments or Terminate" : NULL;
  }
  if (m->kind == IWARP_SCTP_KIND_SEGMENT) {
    return "a Session Control message";
  }
  const bool both = other->begun && other->kind == IWARP_SCTP_KIND_INITIATE;
  return both && m->kind == IWARP_SCTP_KIND_INITIATE ? "Accept, Reject or Terminate" : NULL;
}

/* Each side sent an Initiate as the first message of the stream: no session begins so, in whatever
 * order they were sent. An earlier message without a place may have answered the other one. */
static bool sctp_collides(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  const iwarp_sctp_certainty *known = sctp_known(ctx);
  const struct rules_sctp *other = &rules_other(ctx)->sctp;
  return m->kind == IWARP_SCTP_KIND_INITIATE && !known->again && !known->has_unplaced &&
         other->begun && other->kind == IWARP_SCTP_KIND_INITIATE && !other->ended;
}

/*
 * A message is out of place for certain:
 * - if it cannot be the first of a session, since that has DDP-SSN 0;
 * - an Initiate after the other side's Initiate, if both are the first of the stream, or its sender
 *   had received the other one;
 * - after other messages of its side, if its sender cannot have received, unseen, a message that
 *   ends the session or begins another one.
 */
static bool sctp_misplaced(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const bool segment = sctp_of(ctx)->kind == IWARP_SCTP_KIND_SEGMENT;
  if (!own->begun && !segment) {
    return sctp_collides(ctx) || sctp_knew(ctx);
  }
  const bool first = own->kind == IWARP_SCTP_KIND_REJECT || own->kind == IWARP_SCTP_KIND_TERMINATE;
  if (own->ended && first && sctp_known(ctx)->peer_data_reordered) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return false; /* the Initiate of another session may have come, whose answer it overtook */
  }
  return segment || sctp_of(ctx)->ssn != 0 || sctp_cause_seen(ctx);
}

/* True at the end of an association that is known whole, if no side terminated this session. The
 * messages of both sides without a place in it have the numbers of the next session, from 0 on. */
static bool sctp_never_ended(const struct rules_ctx *ctx) {
  const iwarp_sctp_certainty *known = sctp_known(ctx);
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const struct rules_sctp *other = &rules_other(ctx)->sctp;
  return sctp_may_end(ctx) && (known->settled[rules_peer(ctx)] || other->again > 1) &&
         known->complete && !own->ended && !other->ended && !own->unplaced && !other->unplaced &&
         other->again > 0;
}

/* An Initiate that came later in the capture may have come before it on the wire. What follows from
 * another fault is not said again. */
static void sctp_order_end(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const bool reported = ctx->results[ctx->rule].num_fail > 0 || own->refused ||
                        rules_other(ctx)->sctp.refused || rules_other(ctx)->sctp.misnumbered;
  if (rules_answers(ctx, ctx->ev->side, QUESTION_INITIATE_EARLY) && !reported &&
      sctp_never_ended(ctx)) {
    (void)sctp_fail_waiting(ctx, rulesi_text("DDP Segments or Terminate"), rulesi_text("Initiate"));
  }
  if (!rules_answers(ctx, ctx->ev->side, QUESTION_NO_SESSION) || reported || !sctp_is_final(ctx)) {
    return;
  }
  if (!sctp_known(ctx)->complete) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return;
  }
  (void)sctp_fail_waiting(ctx, rulesi_text("an Initiate before it"),
                          rulesi_text(sctp_kind_name(own->waiting)));
}

/* The message may be of another session than the one under way. */
static bool sctp_may_be_another(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const bool inside = own->begun && !own->ended && sctp_of(ctx)->ssn != 0;
  return inside ? rulesi_sctp_began_again(ctx) : rulesi_sctp_doubted(ctx);
}

/* What a side sends is judged by what itself sent before, but for the answer to an Initiate. */
void iwarp_rule_sctp_session_order(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  if (ctx->ev->kind == IWARP_EVENT_END) {
    sctp_order_end(ctx);
    return;
  }
  const bool in_turn = m->reason == IWARP_SCTP_REASON_NONE ||
                       m->reason == IWARP_SCTP_REASON_SEQUENCE ||
                       m->reason == IWARP_SCTP_REASON_NO_SESSION;
  const bool judged = (in_turn && m->kind != IWARP_SCTP_KIND_OTHER) || sctp_other_form(ctx) ||
                      rulesi_sctp_begins_early(ctx);
  if (!judged || ctx->facts.other_ppid || !sctp_followed(ctx) || own->passed_end) {
    return;
  }
  if (!own->begun && m->ssn != 0) {
    rulesi_inconclusive(ctx, sctp_reason(ctx)); /* the side sent a message before this one */
    return;
  }
  if (sctp_may_go_on(ctx)) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP); /* the message may be of the session that begins */
    return;
  }
  const char *due = sctp_due(ctx);
  if (due != NULL && !sctp_misplaced(ctx)) {
    return;
  }
  if (due != NULL && sctp_may_be_another(ctx)) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP);
    return;
  }
  const bool retransmitted = m->captured->evidence.maybe_retransmitted && sctp_refused(ctx);
  if (due == NULL && (m->verdict > IWARP_SCTP_NOTE || retransmitted)) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return;
  }
  sctp_check_place(ctx, due == NULL,
                   m->has_control ? IWARP_FIELD_SCTP_CONTROL_FUNCTION
                                  : IWARP_FIELD_SCTP_SEGMENT_SSN,
                   rulesi_text(due), rulesi_text(sctp_order_name(m)));
}

/* The other side had the message when it lacked the first one of the session. */
static bool sctp_overtook(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const uint64_t lacked = rulesi_sctp_evidence(ctx)->overtook;
  return lacked > own->pos && lacked <= own->end;
}

/* Both messages stand in one packet, the first one for the first time or again: its sender knew of
 * no acknowledgment. It had not received a message that shows the arrival, either. */
static bool sctp_together(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const iwarp_sctp_evidence *shows = rulesi_sctp_evidence(ctx);
  const bool again = own->pos < ctx->ev->pos && own->pos + shows->bundled_before >= ctx->ev->pos;
  const bool once = ctx->ev->first.packet == own->packet && !shows->maybe_retransmitted;
  return once ||
         (again && ctx->ev->first.peer_pos != IWARP_POS_UNKNOWN && !rules_other(ctx)->sctp.ended);
}

/* What shows that the message may overtake the first one; NULL: nothing does. */
static const char *sctp_too_early(const struct rules_ctx *ctx) {
  if (sctp_overtook(ctx)) {
    return "received before it";
  }
  return !rulesi_sctp_arrived(ctx) && sctp_together(ctx) ? "both in one packet" : NULL;
}

/* 6.6 lets the acknowledgment of the Initiate suffice. One that may overtake it sctp.overtaking
 * reports. */
void iwarp_rule_sctp_segment_before_answer(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const struct rules_sctp *other = &rules_other(ctx)->sctp;
  if (ctx->ev->kind != IWARP_EVENT_SCTP_SEGMENT || own->kind != IWARP_SCTP_KIND_INITIATE ||
      own->segments || other->discarded || sctp_known(ctx)->answers_elsewhere[rules_peer(ctx)] ||
      ctx->facts.other_ppid || !sctp_followed(ctx) || !own->begun) {
    return; /* another rule reports an answer without a place, or on another stream */
  }
  if (other->begun) {
    rulesi_pass(ctx);
  } else if (sctp_too_early(ctx) == NULL && sctp_cause_seen(ctx)) {
    sctp_check_place(ctx, false, sctp_ssn_field(ctx), rulesi_text("Accept before it"),
                     rulesi_text("no answer yet"));
  }
}

/* A lost acknowledgment leaves no trace; both messages in one packet do, and a SACK of one without
 * the other. Of several segments the first is reported. */
void iwarp_rule_sctp_overtaking(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const iwarp_sctp_kind kind = sctp_of(ctx)->kind;
  const bool segment = kind == IWARP_SCTP_KIND_SEGMENT && own->kind == IWARP_SCTP_KIND_INITIATE;
  if (sctp_of(ctx)->reason != IWARP_SCTP_REASON_NONE || !own->begun || own->arrived ||
      (!segment && kind != IWARP_SCTP_KIND_TERMINATE) || !sctp_followed(ctx)) {
    return;
  }
  const char *early = sctp_too_early(ctx);
  if (early == NULL && rulesi_sctp_arrived(ctx)) {
    rulesi_pass(ctx);
  } else if (early == NULL) { /* an acknowledgment is missing, in a direction that is captured */
    const bool captured = rules_from_start(ctx, rules_peer(ctx));
    rulesi_inconclusive(ctx, captured ? IWARP_REASON_GAP : rulesi_missing(ctx, rules_peer(ctx)));
  } else if (!own->segments || ctx->results[ctx->rule].num_fail == 0) {
    sctp_check_place(ctx, false, sctp_ssn_field(ctx),
                     rulesi_text("an acknowledgment or answer before it"), rulesi_text(early));
  }
}

/* Reported of the side that shut the association down in order. Messages that were lost with the
 * association are no fault. */
void iwarp_rule_sctp_terminate_missing(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const struct rules_sctp *other = &rules_other(ctx)->sctp;
  const bool ended = own->ended || other->ended;
  if (ctx->ev->sctp == NULL || ctx->ev->u.end != IWARP_END_FIN || !own->begun || !other->begun ||
      ctx->info->rejected || !(ended ? ctx->ev->side == 1 : sctp_known(ctx)->burst.ended)) {
    return;
  }
  if (ended) {
    rulesi_pass(ctx);
  } else if (!rulesi_sctp_lossless(ctx) || !other->whole || own->refused || other->refused) {
    rulesi_inconclusive(ctx, sctp_reason(ctx)); /* a refused message may be a Session Terminate */
  } else if (rulesi_sctp_began_again(ctx)) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP); /* reported of that Initiate */
  } else if (!sctp_known(ctx)->settled[0] || !sctp_known(ctx)->settled[1]) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP); /* the last message may be missing, and be one */
  } else if (!sctp_certain(ctx)) {
    return;
  } else {
    (void)rulesi_fail(ctx, rulesi_text("a Session Terminate of one side at least"),
                      rulesi_text("none"));
  }
}

/* The first session of a stream that was captured from its beginning. */
static bool sctp_is_first(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = sctp_of(ctx);
  return m->kind == IWARP_SCTP_KIND_INITIATE && m->reason == IWARP_SCTP_REASON_NONE &&
         rulesi_sctp_lossless(ctx);
}

/* What its packet carries and acknowledges shows it. */
void iwarp_rule_sctp_stream_reuse(const struct rules_ctx *ctx) {
  const iwarp_sctp_certainty *known = sctp_known(ctx);
  if (!known->again) {
    if (sctp_is_first(ctx)) {
      rulesi_pass(ctx);
    }
    return;
  }
  if (known->outstanding == IWARP_TRISTATE_UNKNOWN || !sctp_sound(ctx)) {
    rulesi_inconclusive(ctx, rulesi_sctp_lossless(ctx) ? rulesi_missing(ctx, rules_peer(ctx))
                                                       : sctp_reason(ctx));
    return;
  }
  sctp_check_place(ctx, known->outstanding == IWARP_TRISTATE_OFF, IWARP_FIELD_SCTP_CONTROL_FUNCTION,
                   rulesi_text("all messages of the last session acknowledged"),
                   rulesi_text("messages of the last one are outstanding"));
}

/* A few of the streams may each have an error of their own. */
void iwarp_rule_sctp_terminate_burst(const struct rules_ctx *ctx) {
  const iwarp_sctp_burst_end *burst = &sctp_known(ctx)->burst;
  if (!burst->ended) {
    return;
  }
  if (!burst->certain) {
    rulesi_inconclusive(ctx, rulesi_sctp_lossless(ctx) ? rulesi_missing(ctx, rules_peer(ctx))
                                                       : sctp_reason(ctx));
    return;
  }
  if (burst->streams == 0) {
    return;
  }
  iwarp_finding *f = sctp_settle(ctx, burst->streams < 2 || burst->streams < burst->sessions,
                                 IWARP_SCTP_SEGMENT_LEN + IWARP_DDP_UNTAGGED_LEN,
                                 rulesi_text("none"), rulesi_uint(burst->streams));
  if (f != NULL) {
    f->other_packet = burst->ended_packet > burst->last.packet ? burst->ended_packet : 0;
    f->first = burst->last;
    f->last = burst->last;
    f->pos = burst->pos;
    f->octet_pos = burst->pos;
  }
}
