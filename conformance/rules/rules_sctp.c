/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on DDP over SCTP: the association, each message, and the order of a session: RFC 5043, RFC
 * 6581 7. */
#include "catalog.h"
#include "evidence.h"
#include "sctp_event.h"
#include "session.h"

static const iwarp_ev_sctp_message *sctp_of(const struct rules_ctx *j) {
  return rulesi_sctp_message(j);
}

/* What the capture lets one know of the event. */
static const iwarp_sctp_certainty *sctp_known(const struct rules_ctx *j) {
  return rulesi_sctp_certainty(j);
}

/* What is wrong lies outside of the user data, in fields of SCTP; or, with `len`, in all of it. The
 * finding, or NULL when `ok`. */
static iwarp_finding *sctp_settle(const struct rules_ctx *j, bool ok, uint32_t len,
                                  iwarp_value expected, iwarp_value observed) {
  if (ok) {
    rulesi_pass(j);
    return NULL;
  }
  iwarp_finding *f = rulesi_fail(j, expected, observed);
  f->octet_pos = j->ev->pos;
  f->octet_len = len;
  return f;
}

static iwarp_field_id sctp_ssn_field(const struct rules_ctx *j) {
  return sctp_of(j)->has_control ? IWARP_FIELD_SCTP_CONTROL_SSN : IWARP_FIELD_SCTP_SEGMENT_SSN;
}

/* The message is out of place: no field is wrong, those up to `last` say which one it is. */
static void sctp_check_place(const struct rules_ctx *j, bool ok, iwarp_field_id last,
                             iwarp_value expected, iwarp_value observed) {
  rulesi_check_fields(j, ok, IWARP_FIELD_NONE, sctp_ssn_field(j), last, expected, observed);
}

static uint32_t sctp_private_data(const iwarp_ev_sctp_message *m) {
  return m->captured->length - IWARP_SCTP_CONTROL_LEN;
}

/* Its length is that on the wire, captured or not. */
static void sctp_check_private_data(const struct rules_ctx *j, bool ok, iwarp_value expected) {
  const uint32_t len = sctp_private_data(sctp_of(j));
  if (ok) {
    rulesi_pass(j);
    return;
  }
  iwarp_finding *f = rulesi_fail(j, expected, rulesi_uint(len));
  rulesi_at_form(f, j->ev->pos, IWARP_FIELD_SCTP_CONTROL_PRIVATE_DATA);
  f->octet_len = len;
}

/* The octets are those that the receiver took. */
static bool sctp_sound(const struct rules_ctx *j) {
  if (j->ev->last.damaged) {
    rulesi_inconclusive(j, rulesi_doubt(&j->ev->last));
  }
  return !j->ev->last.damaged;
}

/* The reason why the messages before a message of this side are not known. */
static uint32_t sctp_reason(const struct rules_ctx *j) {
  const iwarp_observer_side *own = &j->info->side[j->ev->side];
  if (!own->seen) {
    return IWARP_REASON_ONE_DIRECTION;
  }
  return own->start_known ? rules_own(j)->chain.gap_reason : IWARP_REASON_MID_STREAM;
}

/* It is certain to which session the message belongs. */
static bool sctp_certain(const struct rules_ctx *j) {
  if (!sctp_known(j)->session_certain) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
  }
  return sctp_known(j)->session_certain;
}

/* All that this side sent in the session is available. */
static bool sctp_followed(const struct rules_ctx *j) {
  if (!rulesi_sctp_lossless(j) || sctp_of(j)->inconclusive) {
    rulesi_inconclusive(j, sctp_reason(j));
    return false;
  }
  return sctp_certain(j) && sctp_sound(j);
}

/* Nothing that the sender had received before is missing. */
static bool sctp_cause_seen(const struct rules_ctx *j) {
  if (j->ev->first.peer_pos == IWARP_POS_UNKNOWN) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
    return false;
  }
  return true;
}

/* The sender had received the first message of the other side, and answers it or not. */
static bool sctp_knew(const struct rules_ctx *j) {
  const bool knew = sctp_known(j)->received >= rules_other(j)->sctp.end;
  if (!knew) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
  }
  return knew;
}

/* ---- the association ---- */

/* The parameter has the right value, but octets after it. RFC 5061 4.2.6 */
static void sctp_check_surplus(const struct rules_ctx *j, uint16_t surplus) {
  iwarp_finding *f =
      sctp_settle(j, surplus == 0, 0, rulesi_text("of 8 octets"), rulesi_text("of another Length"));
  if (f != NULL) {
    f->field = IWARP_FIELD_SCTP_ADAPTATION_LENGTH;
  }
}

/* Asked where messages of DDP are there. */
void iwarp_rule_sctp_adaptation(const struct rules_ctx *j) {
  const iwarp_sctp_assoc_params *m = j->ev->sctp->u.init.params;
  if (!m->has_adaptation && !m->whole) {
    rulesi_inconclusive(j, IWARP_REASON_SNAPLEN);
    return;
  }
  const bool ok = m->has_adaptation && m->adaptation == IWARP_SCTP_ADAPTATION_DDP;
  if (ok) {
    sctp_check_surplus(j, m->adaptation_surplus);
    return;
  }
  iwarp_finding *f = sctp_settle(
      j, false, 0, rulesi_hex(IWARP_VALUE_HEX32, IWARP_SCTP_ADAPTATION_DDP),
      m->has_adaptation ? rulesi_hex(IWARP_VALUE_HEX32, m->adaptation) : rulesi_text("none"));
  if (f != NULL && m->has_adaptation) {
    f->field = IWARP_FIELD_SCTP_ADAPTATION_INDICATION;
  }
}

/* What an INIT ACK offers may be less than its sender wants, RFC 9260 5.1.1. */
void iwarp_rule_sctp_stream_count(const struct rules_ctx *j) {
  const iwarp_sctp_assoc_params *m = j->ev->sctp->u.init.params;
  const uint16_t granted = j->ev->sctp->u.init.granted;
  if (m->ack && m->out_streams != m->in_streams && granted == 0) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
    return;
  }
  const bool cut = m->ack && m->out_streams == granted && m->out_streams < m->in_streams;
  (void)sctp_settle(j, cut || m->out_streams == m->in_streams, 0, rulesi_uint(m->out_streams),
                    rulesi_uint(m->in_streams));
}

/* ---- one message ---- */

void iwarp_rule_sctp_unordered(const struct rules_ctx *j) {
  if (sctp_sound(j)) {
    (void)sctp_settle(j, !rulesi_sctp_captured(j)->ordered, 0, rulesi_text("U set"),
                      rulesi_text("U clear"));
  }
}

void iwarp_rule_sctp_ppid(const struct rules_ctx *j) {
  const uint32_t ppid = rulesi_sctp_captured(j)->ppid;
  const char *due = "16 or 17";
  if (j->facts.other_ppid) {
    due =
        ppid == IWARP_SCTP_PPID_SEGMENT ? "17 of a Session Control message" : "16 of a DDP Segment";
  }
  if (sctp_sound(j)) {
    (void)sctp_settle(j, iwarp_name_known(iwarp_sctp_ppid_name(ppid)) && !j->facts.other_ppid, 0,
                      rulesi_text(due), rulesi_hex(IWARP_VALUE_HEX32, ppid));
  }
}

/* An SCTP packet that took a fragment had room for the whole. */
void iwarp_rule_sctp_fragmentation(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  if (m->captured->fragments > 1 && sctp_sound(j)) {
    (void)sctp_settle(j, !m->captured->evidence.needless, 0, rulesi_uint(1),
                      rulesi_uint(m->captured->fragments));
  }
}

/* The segment after the DDP-SSN is ddp.header-length. */
void iwarp_rule_sctp_message_length(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  const bool control = m->has_control || m->captured->ppid == IWARP_SCTP_PPID_CONTROL;
  const uint32_t least = control ? IWARP_SCTP_CONTROL_LEN : IWARP_SCTP_SEGMENT_LEN;
  if (m->reason != IWARP_SCTP_REASON_PPID && sctp_sound(j)) {
    (void)sctp_settle(j, m->captured->length >= least, m->captured->length, rulesi_at_least(least),
                      rulesi_uint(m->captured->length));
  }
}

static bool sctp_is_control(const struct rules_ctx *j) {
  return sctp_of(j)->has_control && !j->facts.other_ppid && sctp_sound(j);
}

/* 0xffff is for experiments, RFC 6580 3.5. */
void iwarp_rule_sctp_function_code(const struct rules_ctx *j) {
  const uint16_t code = sctp_of(j)->control.function;
  if (sctp_is_control(j) && code != IWARP_SCTP_EXPERIMENTAL) {
    rulesi_check_field(j, iwarp_sctp_function_get(code) != NULL, IWARP_FIELD_SCTP_CONTROL_FUNCTION,
                       rulesi_text("1 to 7"), rulesi_hex(IWARP_VALUE_HEX16, code));
  }
}

void iwarp_rule_sctp_private_data_length(const struct rules_ctx *j) {
  const uint32_t len = sctp_private_data(sctp_of(j));
  if (sctp_is_control(j) && sctp_of(j)->control.function != IWARP_SCTP_TERMINATE) {
    sctp_check_private_data(j, len <= IWARP_SCTP_PRIVATE_DATA_MAX,
                            rulesi_at_most(IWARP_SCTP_PRIVATE_DATA_MAX));
  }
}

void iwarp_rule_sctp_terminate_private_data(const struct rules_ctx *j) {
  const uint32_t len = sctp_private_data(sctp_of(j));
  if (sctp_is_control(j) && sctp_of(j)->control.function == IWARP_SCTP_TERMINATE) {
    sctp_check_private_data(j, len == 0, rulesi_uint(0));
  }
}

/* Of an Enhanced Reject the text does not ask it. */
void iwarp_rule_sctp_enhanced_length(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  if (sctp_is_control(j) && (m->control.function == IWARP_SCTP_ENHANCED_INITIATE ||
                             m->control.function == IWARP_SCTP_ENHANCED_ACCEPT)) {
    const uint32_t len = sctp_private_data(m);
    sctp_check_private_data(j, len >= IWARP_SCTP_ENHANCED_LEN,
                            rulesi_at_least(IWARP_SCTP_ENHANCED_LEN));
  }
}

/* ---- the order of a session ---- */

/* An answer to an Initiate has the same form, enhanced or not; a plain Reject always passes. */
void iwarp_rule_sctp_enhanced_pairing(const struct rules_ctx *j) {
  const struct rules_sctp *other = &rules_other(j)->sctp;
  const uint16_t code = sctp_of(j)->control.function;
  const bool enhanced = code == IWARP_SCTP_ENHANCED_ACCEPT || code == IWARP_SCTP_ENHANCED_REJECT;
  if (rules_own(j)->sctp.begun || !sctp_is_control(j) || (!enhanced && code != IWARP_SCTP_ACCEPT)) {
    return;
  }
  if (!rulesi_sctp_lossless(j)) {
    rulesi_inconclusive(j, sctp_reason(j));
    return;
  }
  if (!other->begun || other->kind != IWARP_SCTP_KIND_INITIATE || !rulesi_sctp_peer_sound(j)) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
    return;
  }
  if (rulesi_sctp_doubted(j)) {
    rulesi_inconclusive(j, IWARP_REASON_GAP);
    return;
  }
  if (!sctp_certain(j) || !sctp_knew(j)) {
    return;
  }
  const uint16_t plain = enhanced ? (uint16_t)(code - 4u) : code;
  rulesi_check_field(j, enhanced == other->enhanced, IWARP_FIELD_SCTP_CONTROL_FUNCTION,
                     rulesi_hex(IWARP_VALUE_HEX16, other->enhanced ? plain + 4u : plain),
                     rulesi_hex(IWARP_VALUE_HEX16, code));
}

/* What waits may be an answer, for an Initiate of the other side: be it with a wrong number. */
static bool sctp_is_answer(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  return rules_answers(j, j->ev->side, QUESTION_NO_SESSION) &&
         (own->waiting_ssn == 0 || own->waiting != IWARP_SCTP_KIND_SEGMENT);
}

/* All that the sender of an answer had received was captured: its packet acknowledges it, or a
 * later one does, of an association of which nothing is missing. */
static bool sctp_is_unasked(const struct rules_ctx *j) {
  const iwarp_sctp_certainty *known = sctp_known(j);
  const iwarp_event *answer = &rules_own(j)->startup.event;
  return answer->first.peer_pos != IWARP_POS_UNKNOWN ||
         (known->complete && known->advanced.packet > answer->last.packet &&
          known->advanced.time_ns >= answer->last.time_ns);
}

/* The association ended in order, and what waits is not the last of its side that was captured; or
 * it is, and that was acknowledged. What else the side may have sent last nothing would show. */
static bool sctp_may_end(const struct rules_ctx *j) {
  const iwarp_sctp_certainty *known = sctp_known(j);
  const iwarp_event *waiting = &rules_own(j)->startup.event;
  return rulesi_sctp_end(j)->final &&
         (known->settled[j->ev->side] || known->sent > waiting->pos + waiting->len);
}

/* Another session of the stream begins: what waits may answer its Initiate, of which another copy
 * was captured later. */
static bool sctp_is_next(const struct rules_ctx *j) {
  return j->ev->u.end == IWARP_END_FIN && !rulesi_sctp_end(j)->final;
}

/* Both sides have ended the session, and this one has sent what may be of another. */
static bool sctp_may_go_on(const struct rules_ctx *j) {
  return rules_own(j)->sctp.ended && rules_other(j)->sctp.ended && rules_own(j)->sctp.again > 0;
}

/* What waits may be the first message of another session, which its side answered. */
static bool sctp_is_reopened(const struct rules_ctx *j) {
  return rules_answers(j, j->ev->side, QUESTION_SSN_REUSED) && sctp_may_go_on(j);
}

/* Nothing of the association is missing, up to its end, and an Initiate of the other side has no
 * answer: its answer came on this stream. */
static bool sctp_is_swapped(const struct rules_ctx *j) {
  const iwarp_sctp_certainty *known = sctp_known(j);
  return rulesi_sctp_end(j)->final && known->complete && known->settled[0] && known->settled[1] &&
         known->peer_unanswered;
}

/* This side sent the Initiate of the next session, or answered it. */
static bool sctp_went_on(const struct rules_ctx *j) {
  const iwarp_sctp_follows follows = rulesi_sctp_end(j)->follows;
  return follows == IWARP_SCTP_FOLLOWS_SIDE || follows == IWARP_SCTP_FOLLOWS_APART;
}

/* At an end: a message of this side that waits is a fault of its sender, since no later message can
 * make it right. An Initiate that an answer waits for may still have come: it may be missing
 * together with all that acknowledges it. */
static bool sctp_is_final(const struct rules_ctx *j) {
  const iwarp_meta *waiting = &rules_own(j)->startup.event.last;
  const bool unseen = j->ev->sctp == NULL;
  if (unseen || waiting->damaged) { /* the end itself was not seen, or another copy */
    rulesi_inconclusive(j, unseen ? IWARP_REASON_GAP : rulesi_doubt(waiting));
    return false;
  }
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const bool unasked = (sctp_is_unasked(j) && !sctp_is_next(j)) || sctp_is_swapped(j);
  const bool late = sctp_is_answer(j) ? unasked
                                      : own->overdue == SCTP_OVERDUE || sctp_went_on(j) ||
                                            sctp_may_end(j) || (sctp_is_reopened(j) && unasked);
  const bool lossless = rulesi_sctp_lossless(j);
  if (!late || (!sctp_known(j)->complete && !lossless)) {
    rulesi_inconclusive(j, lossless ? IWARP_REASON_GAP : sctp_reason(j));
    return false;
  }
  return true;
}

/* A finding on the message that waits. */
static iwarp_finding *sctp_fail_waiting(const struct rules_ctx *j, iwarp_value expected,
                                        iwarp_value observed) {
  const struct rules_side *own = rules_own(j);
  iwarp_finding *f = rulesi_fail_event(j, &own->startup.event, expected, observed);
  f->octet_pos = own->startup.event.pos;
  f->octet_len = own->sctp.waiting_control ? IWARP_SCTP_CONTROL_LEN : IWARP_SCTP_SEGMENT_LEN;
  f->other_packet = j->ev->first.packet;
  return f;
}

/* The first message of the other side acknowledges the second Initiate: so no answer to the first
 * had been sent when that was. */
static void sctp_ssn_answered(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  const struct rules_side *other = rules_other(j);
  if (rules_answers(j, rules_peer(j), QUESTION_INITIATE_TWICE) && m->has_ssn && m->ssn == 0 &&
      rulesi_sctp_lossless(j) && other->sctp.whole && !other->startup.event.last.damaged &&
      sctp_sound(j) &&
      sctp_known(j)->received >= other->startup.event.pos + other->startup.event.len) {
    iwarp_finding *f = rulesi_fail_event(j, &other->startup.event, rulesi_uint(other->sctp.due),
                                         rulesi_uint(other->sctp.waiting_ssn));
    rulesi_at_form(f, other->startup.event.pos, IWARP_FIELD_SCTP_CONTROL_SSN);
    f->other_packet = j->ev->first.packet;
  }
}

/* No other session had begun that a message with a DDP-SSN that comes again may belong to. Its side
 * would have sent another 0; where it did, or this is a 0, the other side would have sent its
 * Initiate, and all that it sent was captured. Where another one did begin, it was sent before what
 * ended this one, or that Initiate acknowledges it. */
static bool sctp_none_began(const struct rules_ctx *j) {
  const iwarp_ev_sctp_end *end = rulesi_sctp_end(j);
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const bool answers = own->waiting_ssn == 0 || own->again > 0;
  const bool within = own->ended && rules_own(j)->startup.event.pos < own->ended_pos;
  if (end->follows != IWARP_SCTP_FOLLOWS_NOTHING) {
    return end->follows == IWARP_SCTP_FOLLOWS_APART || (within && !answers);
  }
  return !answers || (end->final && sctp_known(j)->settled[rules_peer(j)]) || sctp_is_unasked(j);
}

/* A finding on the message that waits, of its DDP-SSN. */
static void sctp_fail_number(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  iwarp_finding *f = sctp_fail_waiting(j, rulesi_uint(own->due), rulesi_uint(own->waiting_ssn));
  rulesi_at_form(f, rules_own(j)->startup.event.pos,
                 own->waiting_control ? IWARP_FIELD_SCTP_CONTROL_SSN
                                      : IWARP_FIELD_SCTP_SEGMENT_SSN);
}

/* Another message may have had the missing DDP-SSN: a message before the session, or an answer on
 * another stream. It may also be a message with a fault that another rule reports, or with a wrong
 * checksum in all captured copies. */
static bool sctp_may_be_elsewhere(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const bool answer = sctp_known(j)->answers_elsewhere[j->ev->side] && !own->begun;
  const bool elsewhere =
      sctp_known(j)->has_unplaced || answer || (!own->certain && (own->refused || own->damaged));
  if (elsewhere) {
    rulesi_inconclusive(j, sctp_reason(j));
  }
  return elsewhere;
}

/* Nothing makes the DDP-SSN of the message that waits right. SCTP may send one with a later DDP-SSN
 * before one with an earlier one. */
static bool sctp_is_misnumbered(const struct rules_ctx *j, bool first) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const bool ahead = iwarp_sctp_ssn_distance(own->waiting_ssn, own->due) < IWARP_SCTP_UNACKED_MAX;
  const bool reused = rules_answers(j, j->ev->side, QUESTION_SSN_REUSED);
  const bool known = own->certain && j->ev->sctp != NULL;
  if ((!known && !sctp_is_final(j)) || sctp_may_be_elsewhere(j)) {
    return false;
  }
  const bool another = sctp_is_reopened(j) ? rulesi_sctp_doubted(j) : rulesi_sctp_began_again(j);
  if (!own->certain && reused && another) {
    rulesi_inconclusive(j, sctp_reason(j)); /* it may be of the session that has begun */
    return false;
  }
  if (!own->certain && reused && !sctp_none_began(j)) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
    return false;
  }
  const bool alone = first || (reused && !ahead); /* what went before is not asked for it */
  return alone ? sctp_known(j)->complete : sctp_certain(j);
}

static void sctp_ssn_end(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const bool first = own->waiting_initiate && own->due == 0;
  const bool said = first && j->results[j->rule].num_fail > 0;
  const bool asked = rules_answers(j, j->ev->side, QUESTION_SSN_WRONG) ||
                     rules_answers(j, j->ev->side, QUESTION_SSN_REUSED);
  if (asked && !said && sctp_is_misnumbered(j, first)) {
    sctp_fail_number(j);
  }
}

/* Why the DDP-SSN of the message may be right, although its side has used it. */
static void sctp_ssn_doubt(const struct rules_ctx *j) {
  if (rulesi_sctp_ahead(j) || rulesi_sctp_reopens(j)) {
    return; /* it waits */
  }
  if ((rulesi_sctp_begins_wrong(j) || sctp_cause_seen(j)) &&
      (rulesi_sctp_doubted(j) || j->facts.other_ppid)) {
    rulesi_inconclusive(j, IWARP_REASON_GAP);
  }
}

void iwarp_rule_sctp_ddp_ssn(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  if (j->ev->kind == IWARP_EVENT_END) {
    sctp_ssn_end(j);
    return;
  }
  sctp_ssn_answered(j);
  if (rulesi_sctp_begins_early(j)) {
    return; /* it has the number of an Initiate: its place is what is wrong */
  }
  if (!m->has_ssn || m->reason == IWARP_SCTP_REASON_OVER || !sctp_followed(j) ||
      m->reason == IWARP_SCTP_REASON_NO_SESSION) {
    return;
  }
  if (m->reason == IWARP_SCTP_REASON_SSN && !j->facts.ssn_used) {
    sctp_ssn_doubt(j);
    return;
  }
  const bool zero = rules_own(j)->sctp.next == m->ssn || rulesi_sctp_begins_wrong(j);
  rulesi_check_field(j, !j->facts.ssn_used, sctp_ssn_field(j),
                     rulesi_uint(zero ? 0 : rules_own(j)->sctp.next),
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
static bool sctp_refused(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  const struct rules_sctp *other = &rules_other(j)->sctp;
  const bool refuses =
      other->begun &&
      (other->kind == IWARP_SCTP_KIND_REJECT ||
       (other->kind == IWARP_SCTP_KIND_TERMINATE && m->kind == IWARP_SCTP_KIND_SEGMENT));
  return refuses && rules_own(j)->sctp.kind == IWARP_SCTP_KIND_INITIATE;
}

/* Its sender had received that before. */
static bool sctp_knew_refused(const struct rules_ctx *j) {
  return sctp_refused(j) && sctp_known(j)->received >= rules_other(j)->sctp.end;
}

/* An answer to an Initiate of the other form, where no answer is expected. sctp.enhanced-pairing
 * reports the first one. */
static bool sctp_other_form(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  return rules_own(j)->sctp.begun && m->reason == IWARP_SCTP_REASON_FUNCTION &&
         m->control.function >= IWARP_SCTP_ACCEPT &&
         m->control.function <= IWARP_SCTP_ENHANCED_REJECT;
}

/* What this side may send now, after what it sent itself; NULL: the message available. */
static const char *sctp_due(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const struct rules_sctp *other = &rules_other(j)->sctp;
  const bool opens = m->kind == IWARP_SCTP_KIND_INITIATE || m->kind == IWARP_SCTP_KIND_ACCEPT ||
                     m->kind == IWARP_SCTP_KIND_REJECT || sctp_other_form(j) ||
                     rulesi_sctp_begins_early(j);
  if (own->ended || sctp_knew_refused(j)) {
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
static bool sctp_collides(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  const iwarp_sctp_certainty *known = sctp_known(j);
  const struct rules_sctp *other = &rules_other(j)->sctp;
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
static bool sctp_misplaced(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const bool segment = sctp_of(j)->kind == IWARP_SCTP_KIND_SEGMENT;
  if (!own->begun && !segment) {
    return sctp_collides(j) || sctp_knew(j);
  }
  const bool first = own->kind == IWARP_SCTP_KIND_REJECT || own->kind == IWARP_SCTP_KIND_TERMINATE;
  if (own->ended && first && sctp_known(j)->peer_data_reordered) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
    return false; /* the Initiate of another session may have come, whose answer it overtook */
  }
  return segment || sctp_of(j)->ssn != 0 || sctp_cause_seen(j);
}

/* At the end of an association of which all is known: no side terminated this session. The messages
 * of both sides that have no place in it have the numbers of the next session, from 0 on. */
static bool sctp_never_ended(const struct rules_ctx *j) {
  const iwarp_sctp_certainty *known = sctp_known(j);
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const struct rules_sctp *other = &rules_other(j)->sctp;
  return sctp_may_end(j) && (known->settled[rules_peer(j)] || other->again > 1) &&
         known->complete && !own->ended && !other->ended && !own->astray && !other->astray &&
         other->again > 0;
}

/* An Initiate that came later in the capture may have come before it on the wire. What follows from
 * another fault is not said again. */
static void sctp_order_end(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const bool said = j->results[j->rule].num_fail > 0 || own->refused ||
                    rules_other(j)->sctp.refused || rules_other(j)->sctp.misnumbered;
  if (rules_answers(j, j->ev->side, QUESTION_INITIATE_EARLY) && !said && sctp_never_ended(j)) {
    (void)sctp_fail_waiting(j, rulesi_text("DDP Segments or Terminate"), rulesi_text("Initiate"));
  }
  if (!rules_answers(j, j->ev->side, QUESTION_NO_SESSION) || said || !sctp_is_final(j)) {
    return;
  }
  if (!sctp_known(j)->complete) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
    return;
  }
  (void)sctp_fail_waiting(j, rulesi_text("an Initiate before it"),
                          rulesi_text(sctp_kind_name(own->waiting)));
}

/* The message may be of another session than the one under way. */
static bool sctp_may_be_another(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const bool inside = own->begun && !own->ended && sctp_of(j)->ssn != 0;
  return inside ? rulesi_sctp_began_again(j) : rulesi_sctp_doubted(j);
}

/* What a side sends is judged by what itself sent before, but for the answer to an Initiate. */
void iwarp_rule_sctp_session_order(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  const struct rules_sctp *own = &rules_own(j)->sctp;
  if (j->ev->kind == IWARP_EVENT_END) {
    sctp_order_end(j);
    return;
  }
  const bool in_turn = m->reason == IWARP_SCTP_REASON_NONE ||
                       m->reason == IWARP_SCTP_REASON_SEQUENCE ||
                       m->reason == IWARP_SCTP_REASON_NO_SESSION;
  const bool judged = (in_turn && m->kind != IWARP_SCTP_KIND_OTHER) || sctp_other_form(j) ||
                      rulesi_sctp_begins_early(j);
  if (!judged || j->facts.other_ppid || !sctp_followed(j) || own->passed_end) {
    return;
  }
  if (!own->begun && m->ssn != 0) {
    rulesi_inconclusive(j, sctp_reason(j)); /* not the first that it sent */
    return;
  }
  if (sctp_may_go_on(j)) {
    rulesi_inconclusive(j, IWARP_REASON_GAP); /* it may be of the session that begins */
    return;
  }
  const char *due = sctp_due(j);
  if (due != NULL && !sctp_misplaced(j)) {
    return;
  }
  if (due != NULL && sctp_may_be_another(j)) {
    rulesi_inconclusive(j, IWARP_REASON_GAP);
    return;
  }
  const bool unheard = m->captured->evidence.maybe_retransmitted && sctp_refused(j);
  if (due == NULL && (m->verdict > IWARP_SCTP_NOTE || unheard)) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
    return;
  }
  sctp_check_place(j, due == NULL,
                   m->has_control ? IWARP_FIELD_SCTP_CONTROL_FUNCTION
                                  : IWARP_FIELD_SCTP_SEGMENT_SSN,
                   rulesi_text(due), rulesi_text(sctp_order_name(m)));
}

/* The other side had the message when it lacked the first one of the session. */
static bool sctp_overtook(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const uint64_t lacked = rulesi_sctp_evidence(j)->overtook;
  return lacked > own->pos && lacked <= own->end;
}

/* Both stand in one packet: the first one for the first time, or again, so that its sender knew of
 * no acknowledgment; nor had it received anything that shows that it arrived. */
static bool sctp_together(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const iwarp_sctp_evidence *shows = rulesi_sctp_evidence(j);
  const bool again = own->pos < j->ev->pos && own->pos + shows->bundled_before >= j->ev->pos;
  const bool once = j->ev->first.packet == own->packet && !shows->maybe_retransmitted;
  return once ||
         (again && j->ev->first.peer_pos != IWARP_POS_UNKNOWN && !rules_other(j)->sctp.ended);
}

/* What shows that the message may overtake the first one; NULL: nothing does. */
static const char *sctp_too_early(const struct rules_ctx *j) {
  if (sctp_overtook(j)) {
    return "received before it";
  }
  return !rulesi_sctp_arrived(j) && sctp_together(j) ? "both in one packet" : NULL;
}

/* 6.6 lets the acknowledgment of the Initiate suffice. One that may overtake it sctp.overtaking
 * reports. */
void iwarp_rule_sctp_segment_before_answer(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const struct rules_sctp *other = &rules_other(j)->sctp;
  if (j->ev->kind != IWARP_EVENT_SCTP_SEGMENT || own->kind != IWARP_SCTP_KIND_INITIATE ||
      own->segments || other->discarded || sctp_known(j)->answers_elsewhere[rules_peer(j)] ||
      j->facts.other_ppid || !sctp_followed(j) || !own->begun) {
    return; /* where its answer has no place, or came on another stream, another rule says so */
  }
  if (other->begun) {
    rulesi_pass(j);
  } else if (sctp_too_early(j) == NULL && sctp_cause_seen(j)) {
    sctp_check_place(j, false, sctp_ssn_field(j), rulesi_text("Accept before it"),
                     rulesi_text("no answer yet"));
  }
}

/* A lost acknowledgment leaves no trace; both messages in one packet do, and a SACK of one without
 * the other. Of several segments the first is reported. */
void iwarp_rule_sctp_overtaking(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const iwarp_sctp_kind kind = sctp_of(j)->kind;
  const bool segment = kind == IWARP_SCTP_KIND_SEGMENT && own->kind == IWARP_SCTP_KIND_INITIATE;
  if (sctp_of(j)->reason != IWARP_SCTP_REASON_NONE || !own->begun || own->arrived ||
      (!segment && kind != IWARP_SCTP_KIND_TERMINATE) || !sctp_followed(j)) {
    return;
  }
  const char *early = sctp_too_early(j);
  if (early == NULL && rulesi_sctp_arrived(j)) {
    rulesi_pass(j);
  } else if (early == NULL) { /* what lacks is an acknowledgment, of a direction that is captured */
    const bool captured = rules_from_start(j, rules_peer(j));
    rulesi_inconclusive(j, captured ? IWARP_REASON_GAP : rulesi_missing(j, rules_peer(j)));
  } else if (!own->segments || j->results[j->rule].num_fail == 0) {
    sctp_check_place(j, false, sctp_ssn_field(j),
                     rulesi_text("an acknowledgment or answer before it"), rulesi_text(early));
  }
}

/* Reported of the side that shut the association down in order. Messages that were lost with the
 * association are no fault. */
void iwarp_rule_sctp_terminate_missing(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const struct rules_sctp *other = &rules_other(j)->sctp;
  const bool ended = own->ended || other->ended;
  if (j->ev->sctp == NULL || j->ev->u.end != IWARP_END_FIN || !own->begun || !other->begun ||
      j->info->rejected || !(ended ? j->ev->side == 1 : sctp_known(j)->burst.ended)) {
    return;
  }
  if (ended) {
    rulesi_pass(j);
  } else if (!rulesi_sctp_lossless(j) || !other->whole || own->refused || other->refused) {
    rulesi_inconclusive(j, sctp_reason(j)); /* what was refused may be one */
  } else if (rulesi_sctp_began_again(j)) {
    rulesi_inconclusive(j, IWARP_REASON_GAP); /* reported of that Initiate */
  } else if (!sctp_known(j)->settled[0] || !sctp_known(j)->settled[1]) {
    rulesi_inconclusive(j, IWARP_REASON_GAP); /* the last message may be missing, and be one */
  } else if (!sctp_certain(j)) {
    return;
  } else {
    (void)rulesi_fail(j, rulesi_text("a Session Terminate of one side at least"),
                      rulesi_text("none"));
  }
}

/* The first session of a stream that was captured from its beginning. */
static bool sctp_is_first(const struct rules_ctx *j) {
  const iwarp_ev_sctp_message *m = sctp_of(j);
  return m->kind == IWARP_SCTP_KIND_INITIATE && m->reason == IWARP_SCTP_REASON_NONE &&
         rulesi_sctp_lossless(j);
}

/* What its packet carries and acknowledges shows it. */
void iwarp_rule_sctp_stream_reuse(const struct rules_ctx *j) {
  const iwarp_sctp_certainty *known = sctp_known(j);
  if (!known->again) {
    if (sctp_is_first(j)) {
      rulesi_pass(j);
    }
    return;
  }
  if (known->outstanding == IWARP_TRISTATE_UNKNOWN || !sctp_sound(j)) {
    rulesi_inconclusive(j, rulesi_sctp_lossless(j) ? rulesi_missing(j, rules_peer(j))
                                                   : sctp_reason(j));
    return;
  }
  sctp_check_place(j, known->outstanding == IWARP_TRISTATE_OFF, IWARP_FIELD_SCTP_CONTROL_FUNCTION,
                   rulesi_text("all messages of the last session acknowledged"),
                   rulesi_text("messages of the last one are outstanding"));
}

/* A few of the streams may each have an error of their own. */
void iwarp_rule_sctp_terminate_burst(const struct rules_ctx *j) {
  const iwarp_sctp_burst_end *burst = &sctp_known(j)->burst;
  if (!burst->ended) {
    return;
  }
  if (!burst->certain) {
    rulesi_inconclusive(j, rulesi_sctp_lossless(j) ? rulesi_missing(j, rules_peer(j))
                                                   : sctp_reason(j));
    return;
  }
  if (burst->streams == 0) {
    return;
  }
  iwarp_finding *f = sctp_settle(j, burst->streams < 2 || burst->streams < burst->sessions,
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
