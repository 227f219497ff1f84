/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on DDP over SCTP: the association, each message, and the order of a session: RFC 5043, RFC
 * 6581 7. */
#include "engine.h"
#include "track.h"

/* Octets of the user data: RFC 5043 5.2. */
#define SCTP_SSN 0u
#define SCTP_FUNCTION 2u
#define SCTP_PRIVATE_DATA 4u

static const iwarp_ev_sctp *sctp_of(const struct rules_judge *j) {
  return j->ev->sctp;
}

static void sctp_settle(struct rules_judge *j, bool ok, uint32_t off, uint32_t len,
                        iwarp_value expected, iwarp_value observed) {
  if (ok) {
    iwarp_rules_pass(j);
    return;
  }
  iwarp_finding *f = iwarp_rules_fail(j, expected, observed);
  f->octet_pos = j->ev->pos + off;
  f->octet_len = len;
}

/* The octets are those that the receiver took. */
static bool sctp_sound(struct rules_judge *j) {
  if (j->ev->last.damaged) {
    iwarp_rules_unsure(j, IWARP_WHY_GAP);
  }
  return !j->ev->last.damaged;
}

/* Why what came before a message of this side is not known. */
static uint32_t sctp_why(const struct rules_judge *j) {
  return j->info->side[j->ev->side].start_known ? rules_own(j)->gap_why : IWARP_WHY_MID_STREAM;
}

/* It is certain to which session the message belongs. */
static bool sctp_certain(struct rules_judge *j) {
  if (!sctp_of(j)->clear) {
    iwarp_rules_unsure(j, iwarp_rules_missing(j, rules_peer(j)));
  }
  return sctp_of(j)->clear;
}

/* All that this side sent in the session is at hand. */
static bool sctp_followed(struct rules_judge *j) {
  if (!sctp_of(j)->lossless || sctp_of(j)->unsure) {
    iwarp_rules_unsure(j, sctp_why(j));
    return false;
  }
  return sctp_certain(j) && sctp_sound(j);
}

/* Nothing that the sender had received before is missing. */
static bool sctp_cause_seen(struct rules_judge *j) {
  if (j->ev->first.peer_pos == IWARP_POS_UNKNOWN) {
    iwarp_rules_unsure(j, iwarp_rules_missing(j, rules_peer(j)));
    return false;
  }
  return true;
}

/* The sender had received the first message of the other side, and answers it or not. */
static bool sctp_knew(struct rules_judge *j) {
  const bool knew = sctp_of(j)->received >= rules_other(j)->sctp.end;
  if (!knew) {
    iwarp_rules_unsure(j, iwarp_rules_missing(j, rules_peer(j)));
  }
  return knew;
}

/* ---- the association ---- */

/* rfc5043-5.1-04 rfc5043-11.1-01: asked where messages of DDP are there */
void iwarp_rule_sctp_adaptation(struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  if (!m->has_adaptation && !m->whole) {
    iwarp_rules_unsure(j, IWARP_WHY_SNAPLEN);
    return;
  }
  sctp_settle(j, m->has_adaptation && m->adaptation == IWARP_SCTP_ADAPTATION_DDP, 0, 0,
              iwarp_rules_hex(IWARP_VALUE_HEX32, IWARP_SCTP_ADAPTATION_DDP),
              m->has_adaptation ? iwarp_rules_hex(IWARP_VALUE_HEX32, m->adaptation)
                                : iwarp_rules_text("none"));
}

/* rfc5043-8-06: what an INIT ACK offers may be less than its sender wants, RFC 9260 5.1.1 */
void iwarp_rule_sctp_stream_count(struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  if (m->ack && m->out_streams != m->in_streams && m->granted == 0) {
    iwarp_rules_unsure(j, iwarp_rules_missing(j, rules_peer(j)));
    return;
  }
  const bool cut = m->ack && m->out_streams == m->granted && m->out_streams < m->in_streams;
  sctp_settle(j, cut || m->out_streams == m->in_streams, 0, 0, iwarp_rules_uint(m->out_streams),
              iwarp_rules_uint(m->in_streams));
}

/* ---- one message ---- */

/* rfc5043-10-01 */
void iwarp_rule_sctp_unordered(struct rules_judge *j) {
  if (sctp_sound(j)) {
    sctp_settle(j, !sctp_of(j)->ordered, 0, 0, iwarp_rules_text("U set"),
                iwarp_rules_text("U clear"));
  }
}

/* rfc5043-5.1-02 rfc5043-5.2-01 rfc5043-5.2-02 */
void iwarp_rule_sctp_ppid(struct rules_judge *j) {
  const uint32_t ppid = sctp_of(j)->ppid;
  if (sctp_sound(j)) {
    sctp_settle(j, iwarp_sctp_ppid_name(ppid) != NULL, 0, 0, iwarp_rules_text("16 or 17"),
                iwarp_rules_hex(IWARP_VALUE_HEX32, ppid));
  }
}

/* rfc5043-9-05: an SCTP packet that took a fragment had room for the whole */
void iwarp_rule_sctp_fragmentation(struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  if (m->fragments > 1 && sctp_sound(j)) {
    sctp_settle(j, !m->needless, 0, 0, iwarp_rules_uint(1), iwarp_rules_uint(m->fragments));
  }
}

/* rfc5043-5.2.1-01 rfc5043-5.2.3-01: the segment behind the DDP-SSN is ddp.header-length */
void iwarp_rule_sctp_message_length(struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  const bool control = m->has_control || m->ppid == IWARP_SCTP_PPID_CONTROL;
  const uint32_t least = control ? IWARP_SCTP_CONTROL_LEN : IWARP_SCTP_SEGMENT_LEN;
  if (m->reason != IWARP_SCTP_REASON_PPID && sctp_sound(j)) {
    sctp_settle(j, m->length >= least, SCTP_SSN, m->length, iwarp_rules_at_least(least),
                iwarp_rules_uint(m->length));
  }
}

static bool sctp_is_control(struct rules_judge *j) {
  return sctp_of(j)->has_control && sctp_sound(j);
}

/* rfc5043-5.2.3-02: 0xffff is for experiments, RFC 6580 3.5 */
void iwarp_rule_sctp_function_code(struct rules_judge *j) {
  const uint16_t code = sctp_of(j)->control.function;
  if (sctp_is_control(j) && code != IWARP_SCTP_EXPERIMENTAL) {
    sctp_settle(j, iwarp_sctp_function_get(code) != NULL, SCTP_FUNCTION, 2,
                iwarp_rules_at_most(IWARP_SCTP_ENHANCED_REJECT),
                iwarp_rules_hex(IWARP_VALUE_HEX16, code));
  }
}

static uint32_t sctp_private_data(const iwarp_ev_sctp *m) {
  return m->length - IWARP_SCTP_CONTROL_LEN;
}

/* rfc5043-5.2.3-05 rfc6581-7-07 */
void iwarp_rule_sctp_private_data_length(struct rules_judge *j) {
  const uint32_t len = sctp_private_data(sctp_of(j));
  if (sctp_is_control(j) && sctp_of(j)->control.function != IWARP_SCTP_TERMINATE) {
    sctp_settle(j, len <= IWARP_SCTP_PRIVATE_DATA_MAX, SCTP_PRIVATE_DATA, len,
                iwarp_rules_at_most(IWARP_SCTP_PRIVATE_DATA_MAX), iwarp_rules_uint(len));
  }
}

/* rfc5043-5.2.3-06 rfc6581-7-08 */
void iwarp_rule_sctp_terminate_private_data(struct rules_judge *j) {
  const uint32_t len = sctp_private_data(sctp_of(j));
  if (sctp_is_control(j) && sctp_of(j)->control.function == IWARP_SCTP_TERMINATE) {
    sctp_settle(j, len == 0, SCTP_PRIVATE_DATA, len, iwarp_rules_uint(0), iwarp_rules_uint(len));
  }
}

/* rfc6581-7-01 rfc6581-9-01: of an Enhanced Reject the text does not ask it */
void iwarp_rule_sctp_enhanced_length(struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  if (sctp_is_control(j) && (m->control.function == IWARP_SCTP_ENHANCED_INITIATE ||
                             m->control.function == IWARP_SCTP_ENHANCED_ACCEPT)) {
    const uint32_t len = sctp_private_data(m);
    sctp_settle(j, len >= IWARP_SCTP_ENHANCED_LEN, SCTP_PRIVATE_DATA, len,
                iwarp_rules_at_least(IWARP_SCTP_ENHANCED_LEN), iwarp_rules_uint(len));
  }
}

/* ---- the order of a session ---- */

/* rfc6581-7-14: what answers an Initiate accepts it in its own form; a plain Reject is let pass */
void iwarp_rule_sctp_enhanced_pairing(struct rules_judge *j) {
  const struct rules_sctp *other = &rules_other(j)->sctp;
  const uint16_t code = sctp_of(j)->control.function;
  const bool enhanced = code == IWARP_SCTP_ENHANCED_ACCEPT || code == IWARP_SCTP_ENHANCED_REJECT;
  if (rules_own(j)->sctp.begun || !sctp_is_control(j) || (!enhanced && code != IWARP_SCTP_ACCEPT)) {
    return;
  }
  if (!sctp_of(j)->lossless) {
    iwarp_rules_unsure(j, sctp_why(j));
    return;
  }
  if (!other->begun || other->kind != IWARP_SCTP_KIND_INITIATE) {
    iwarp_rules_unsure(j, iwarp_rules_missing(j, rules_peer(j)));
    return;
  }
  if (!sctp_certain(j) || !sctp_knew(j)) {
    return;
  }
  const uint16_t plain = enhanced ? (uint16_t)(code - 4u) : code;
  sctp_settle(j, enhanced == other->enhanced, SCTP_FUNCTION, 2,
              iwarp_rules_hex(IWARP_VALUE_HEX16, other->enhanced ? plain + 4u : plain),
              iwarp_rules_hex(IWARP_VALUE_HEX16, code));
}

static void sctp_ssn_gap(struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  if (!m->lossless || !m->final) {
    iwarp_rules_unsure(j, m->lossless ? IWARP_WHY_GAP : sctp_why(j));
    return;
  }
  if (!sctp_certain(j)) {
    return;
  }
  (void)iwarp_rules_fail(j, iwarp_rules_uint(m->ssn),
                         iwarp_rules_uint((uint16_t)(m->ssn + m->missing)));
}

/* rfc5043-6-04 rfc5043-5.2.1-02 rfc5043-6.1-01 rfc5043-10-05 */
void iwarp_rule_sctp_ddp_ssn(struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  if (j->ev->kind == IWARP_EVENT_GAP) {
    sctp_ssn_gap(j);
  } else if (m->has_ssn && m->reason != IWARP_SCTP_REASON_OVER && sctp_followed(j)) {
    const bool repeated = m->reason == IWARP_SCTP_REASON_SSN;
    if (m->reason == IWARP_SCTP_REASON_NO_SESSION || (repeated && !sctp_cause_seen(j))) {
      return;
    }
    sctp_settle(j, !repeated, SCTP_SSN, 2, iwarp_rules_uint(rules_own(j)->sctp.next),
                iwarp_rules_uint(m->ssn));
  }
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

/* What this side may send now, after what it sent itself; NULL: the message at hand. */
static const char *sctp_due(const struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const struct rules_sctp *other = &rules_other(j)->sctp;
  const bool opens = m->kind == IWARP_SCTP_KIND_INITIATE || m->kind == IWARP_SCTP_KIND_ACCEPT ||
                     m->kind == IWARP_SCTP_KIND_REJECT;
  if (own->ended) {
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

/*
 * A message is out of place: surely so if it cannot be the first of a session, since that has
 * DDP-SSN 0; an Initiate against that of the other side, if its sender had received that; and
 * behind what its side sent, if no message that ends the session or begins another one can have
 * come to its sender unseen.
 */
static bool sctp_misplaced(struct rules_judge *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const bool segment = sctp_of(j)->kind == IWARP_SCTP_KIND_SEGMENT;
  if (!own->begun && !segment) {
    return sctp_knew(j);
  }
  return segment || sctp_of(j)->ssn != 0 || sctp_cause_seen(j);
}

/* rfc5043-6.1-03: what a side sends is judged by what itself sent before, but for the answer to an
 * Initiate */
void iwarp_rule_sctp_session_order(struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const bool in_turn = m->reason == IWARP_SCTP_REASON_NONE ||
                       m->reason == IWARP_SCTP_REASON_SEQUENCE ||
                       m->reason == IWARP_SCTP_REASON_NO_SESSION;
  if (!m->has_ssn || m->kind == IWARP_SCTP_KIND_OTHER || !in_turn || !sctp_followed(j)) {
    return;
  }
  if (!own->begun && m->ssn != 0) {
    iwarp_rules_unsure(j, sctp_why(j)); /* not the first that it sent */
    return;
  }
  const char *due = sctp_due(j);
  if (due != NULL && !sctp_misplaced(j)) {
    return;
  }
  if (due == NULL && m->verdict > IWARP_SCTP_NOTE) {
    iwarp_rules_unsure(j, iwarp_rules_missing(j, rules_peer(j)));
    return;
  }
  sctp_settle(j, due == NULL, SCTP_SSN, m->has_control ? 4 : 2, iwarp_rules_text(due),
              iwarp_rules_text(sctp_kind_name(m->kind)));
}

/* rfc5043-6.2-03 rfc5043-6.3-01: 6.6 lets the acknowledgment of the Initiate suffice */
void iwarp_rule_sctp_segment_before_answer(struct rules_judge *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const struct rules_sctp *other = &rules_other(j)->sctp;
  if (j->ev->kind != IWARP_EVENT_SCTP_SEGMENT || own->kind != IWARP_SCTP_KIND_INITIATE ||
      own->segments || !sctp_followed(j) || !own->begun) {
    return;
  }
  if (other->begun) {
    iwarp_rules_pass(j);
  } else if (sctp_cause_seen(j)) {
    sctp_settle(j, false, SCTP_SSN, 2, iwarp_rules_text("Accept before it"),
                iwarp_rules_text("no answer yet"));
  }
}

/* The first message of this side is known to have arrived: RFC 5043 6.6. */
static bool sctp_arrived(const struct rules_judge *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const struct rules_sctp *other = &rules_other(j)->sctp;
  const bool answered = own->kind == IWARP_SCTP_KIND_INITIATE ? other->begun : other->segments;
  return answered || sctp_of(j)->acked > own->pos;
}

/* rfc5043-6.6-01 rfc5043-6.6-02: a lost acknowledgment leaves no trace; both messages in one packet
 * do */
void iwarp_rule_sctp_overtaking(struct rules_judge *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const iwarp_sctp_kind kind = sctp_of(j)->kind;
  const bool segment = kind == IWARP_SCTP_KIND_SEGMENT && own->kind == IWARP_SCTP_KIND_INITIATE;
  if (sctp_of(j)->reason != IWARP_SCTP_REASON_NONE || !own->begun || own->arrived ||
      (!segment && kind != IWARP_SCTP_KIND_TERMINATE) || !sctp_followed(j)) {
    return;
  }
  if (sctp_arrived(j)) {
    iwarp_rules_pass(j);
  } else if (j->ev->first.packet != own->packet) {
    iwarp_rules_unsure(j, iwarp_rules_missing(j, rules_peer(j)));
  } else {
    sctp_settle(j, false, SCTP_SSN, 2, iwarp_rules_text("an acknowledgment or answer before it"),
                iwarp_rules_text("both in one packet"));
  }
}

/* rfc5043-6.2-05: said where the association was shut down in order; what it lost with the
 * association nobody can be blamed for */
void iwarp_rule_sctp_terminate_missing(struct rules_judge *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const struct rules_sctp *other = &rules_other(j)->sctp;
  if (j->ev->sctp == NULL || j->ev->side == 0 || j->ev->u.end != IWARP_END_FIN || !own->begun ||
      !other->begun || j->info->rejected) {
    return;
  }
  if (own->ended || other->ended) {
    iwarp_rules_pass(j);
  } else if (!sctp_of(j)->lossless || !other->whole) {
    iwarp_rules_unsure(j, sctp_why(j));
  } else if (!sctp_certain(j)) {
    return;
  } else {
    (void)iwarp_rules_fail(j, iwarp_rules_text("a Terminate of one side at least"),
                           iwarp_rules_text("none"));
  }
}

/* ---- what a message leaves behind ---- */

static void sctp_learn_control(struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  struct rules_sctp *own = &rules_own(j)->sctp;
  if (!own->begun && m->ssn == 0) {
    own->begun = true;
    own->kind = m->kind;
    own->enhanced = m->control.function >= IWARP_SCTP_ENHANCED_INITIATE;
    own->pos = j->ev->pos;
    own->end = j->ev->pos + j->ev->len;
    own->packet = j->ev->last.packet;
  }
  own->ended =
      own->ended || m->kind == IWARP_SCTP_KIND_TERMINATE || m->kind == IWARP_SCTP_KIND_REJECT;
}

void iwarp_rules_learn_sctp(struct rules_judge *j) {
  const iwarp_ev_sctp *m = sctp_of(j);
  struct rules_sctp *own = &rules_own(j)->sctp;
  if (m == NULL) {
    return;
  }
  own->whole = m->lossless;
  if (j->ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    own->segments = true;
    own->arrived = own->arrived || (own->begun && sctp_arrived(j));
  } else if (m->has_control && m->reason == IWARP_SCTP_REASON_NONE) {
    sctp_learn_control(j);
  }
  if (m->has_ssn && m->reason <= IWARP_SCTP_REASON_SEQUENCE) {
    const bool gap = j->ev->kind == IWARP_EVENT_GAP; /* its DDP-SSN is the first one missing */
    own->next = (uint16_t)(m->ssn + (gap ? m->missing : 1u));
  }
}
