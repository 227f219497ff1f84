/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event over SCTP leaves after: RFC 5043. */
#include "session.h"

#include "evidence.h"
#include "sctp_event.h"
#include "state.h"

static uint16_t session_word(const iwarp_ev_sctp_message *m) {
  return (uint16_t)(m->user_data.ptr[2] << 8 | m->user_data.ptr[3]);
}

/* A Function Code stands where a segment has its versions, which are 0 then. Where its side may
 * have begun a session, a segment of these versions may be meant, but for one that ends inside its
 * header. */
static bool session_is_control(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  const uint32_t header = IWARP_SCTP_SEGMENT_LEN + IWARP_DDP_UNTAGGED_LEN;
  const bool begins = !rules_own(ctx)->sctp.begun && rulesi_sctp_lossless(ctx) && !m->inconclusive;
  return iwarp_sctp_function_get(session_word(m)) != NULL &&
         (m->captured->length < header || begins);
}

/* No Function Code, but the control octets of a segment that has room for its header. */
static bool session_is_segment(const iwarp_ev_sctp_message *m) {
  const uint8_t ddp = m->user_data.ptr[2];
  const iwarp_rdmap_ctrl ctrl = iwarp_rdmap_ctrl_decode(m->user_data.ptr[3]);
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(ctrl.opcode);
  const uint32_t header = op->tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  return iwarp_sctp_function_get(session_word(m)) == NULL &&
         (ddp & (IWARP_DDP_CTRL_RSVD | IWARP_DDP_CTRL_DV)) == IWARP_DDP_VERSION && ctrl.rsv == 0 &&
         ctrl.rv == IWARP_RDMAP_VERSION && op->assigned &&
         op->tagged == ((ddp & IWARP_DDP_CTRL_T) != 0) &&
         m->captured->length >= IWARP_SCTP_SEGMENT_LEN + header;
}

bool rulesi_sctp_other_ppid(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  if (m->user_data.len < IWARP_SCTP_CONTROL_LEN) {
    return false;
  }
  return m->captured->ppid == IWARP_SCTP_PPID_SEGMENT
             ? session_is_control(ctx)
             : m->captured->ppid == IWARP_SCTP_PPID_CONTROL && session_is_segment(m);
}

bool rulesi_sctp_ppid_unknown(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  return m->user_data.len < IWARP_SCTP_CONTROL_LEN &&
         m->captured->length >= IWARP_SCTP_CONTROL_LEN &&
         m->captured->length < IWARP_SCTP_SEGMENT_LEN + IWARP_DDP_UNTAGGED_LEN;
}

bool rulesi_sctp_initiates(const iwarp_ev_sctp_message *m) {
  return m->has_control && (m->control.function == IWARP_SCTP_INITIATE ||
                            m->control.function == IWARP_SCTP_ENHANCED_INITIATE);
}

bool rulesi_sctp_begins_early(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const struct rules_sctp *other = &rules_other(ctx)->sctp;
  return m->reason == IWARP_SCTP_REASON_SSN && m->ssn == 0 && rulesi_sctp_initiates(m) &&
         own->begun && other->begun && !own->ended && !other->ended;
}

bool rulesi_sctp_began_again(const struct rules_ctx *ctx) {
  return rules_own(ctx)->sctp.misnumbered || rules_other(ctx)->sctp.misnumbered;
}

bool rulesi_sctp_doubted(const struct rules_ctx *ctx) {
  return rulesi_sctp_began_again(ctx) || rules_own(ctx)->sctp.refused ||
         rules_other(ctx)->sctp.refused;
}

bool rulesi_sctp_peer_sound(const struct rules_ctx *ctx) {
  return !rules_other(ctx)->sctp.damaged;
}

/* The first message of this side is known to have arrived: RFC 5043 6.6. */
bool rulesi_sctp_arrived(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const struct rules_sctp *other = &rules_other(ctx)->sctp;
  const bool answered = own->kind == IWARP_SCTP_KIND_INITIATE ? other->begun : other->segments;
  return answered || rulesi_sctp_evidence(ctx)->acked > own->pos;
}

/* A Terminate is unprompted if its sender had received no Terminate, and all that it had received
 * was seen. It is also unprompted if the other side sent its own after this one had come. */
static void session_terminate(struct rules_ctx *ctx) {
  struct rules_sctp *own = &rules_own_state(ctx)->sctp;
  struct rules_sctp *other = &rules_other_state(ctx)->sctp;
  const uint64_t received = rulesi_received(ctx);
  own->unprompted = !other->ended && ctx->ev->first.peer_pos != IWARP_POS_UNKNOWN;
  if (other->ended && received != IWARP_POS_UNKNOWN && received > other->ended_pos) {
    other->unprompted = true;
  }
}

static void session_control(struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  struct rules_sctp *own = &rules_own_state(ctx)->sctp;
  if (!own->begun && m->ssn == 0) {
    own->begun = true;
    own->kind = m->kind;
    own->enhanced = m->control.function >= IWARP_SCTP_ENHANCED_INITIATE;
    own->pos = ctx->ev->pos;
    own->end = ctx->ev->pos + ctx->ev->len;
    own->packet = ctx->ev->last.packet;
    own->doubted = ctx->ev->last.damaged;
  }
  if (m->kind == IWARP_SCTP_KIND_TERMINATE) {
    session_terminate(ctx);
    own->ended_at = ctx->ev->last;
    own->ended_at.peer_pos = rulesi_received(ctx);
    own->ended_pos = ctx->ev->pos;
  }
  own->ended =
      own->ended || m->kind == IWARP_SCTP_KIND_TERMINATE || m->kind == IWARP_SCTP_KIND_REJECT;
}

/* ---- faults of a message that are certain at the end ---- */

/* The questions about a message that is kept as the startup event of its side, which has none over
 * SCTP: one of them is open at a time. */
#define SESSION_KEPT                                                                               \
  (1u << QUESTION_SSN_MISSING | 1u << QUESTION_SSN_WRONG | 1u << QUESTION_SSN_REUSED |             \
   1u << QUESTION_INITIATE_TWICE | 1u << QUESTION_NO_SESSION | 1u << QUESTION_INITIATE_EARLY)

/* True if no message of the side is kept, and no DDP-SSN of it is missing. */
static bool session_idle(const struct rules_side *side) {
  return (side->docket.open & SESSION_KEPT) == 0;
}

/* Keeps the message, for the question that is open. */
static void session_keep(struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  struct rules_side *own = rules_own_state(ctx);
  own->sctp.waiting = m->kind;
  own->sctp.waiting_ssn = m->ssn;
  own->sctp.waiting_control = m->has_control;
  own->sctp.waiting_initiate = rulesi_sctp_initiates(m);
  own->startup.event = *ctx->ev;
  own->startup.event.sctp = NULL; /* the SCTP part does not live as long */
}

static void session_ask(struct rules_ctx *ctx, enum rules_question question) {
  struct rules_docket *docket = &rules_own_state(ctx)->docket;
  docket->open &= ~SESSION_KEPT;
  rules_open(docket, question, true);
  session_keep(ctx);
}

/* The first message of a stream, if it is no Initiate with DDP-SSN 0: that Initiate may still come.
 */
static bool session_alone(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  return m->has_ssn && !rules_own(ctx)->sctp.begun && !rules_other(ctx)->sctp.begun &&
         session_idle(rules_own(ctx)) && session_idle(rules_other(ctx)) &&
         m->state == IWARP_SCTP_STATE_IDLE;
}

/* Another Initiate with DDP-SSN 0: if the first was answered before it, it may begin another
 * session. So it may where a message of the other side came out before its Initiate. Where all is
 * known that its sender had received it is judged at once. */
static bool session_repeats(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  return own->begun && own->kind == IWARP_SCTP_KIND_INITIATE && !rules_other(ctx)->sctp.begun &&
         session_idle(rules_own(ctx)) && m->reason == IWARP_SCTP_REASON_SSN && m->ssn == 0 &&
         rulesi_sctp_initiates(m) && rulesi_sctp_certainty(ctx)->session_certain &&
         ctx->ev->first.peer_pos == IWARP_POS_UNKNOWN;
}

/* What the sender of the message had received is not known; all else of it is certain. */
static bool session_unheard(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  return ctx->ev->first.peer_pos == IWARP_POS_UNKNOWN && rulesi_sctp_lossless(ctx) &&
         !m->inconclusive && rulesi_sctp_certainty(ctx)->session_certain && !ctx->ev->last.damaged;
}

/*
 * A message with a DDP-SSN that its side has used, in a packet that acknowledges nothing: what its
 * sender had received is not known. Only a message with DDP-SSN 0 of another session, which may
 * still come, makes it right.
 */
static bool session_reuses(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  return own->begun && session_idle(rules_own(ctx)) && m->reason == IWARP_SCTP_REASON_SSN &&
         !rulesi_sctp_initiates(m) && (session_unheard(ctx) || rulesi_sctp_reopens(ctx));
}

static bool session_answers(const iwarp_ev_sctp_message *m) {
  const uint16_t code = m->control.function;
  return m->has_control && (code == IWARP_SCTP_ACCEPT || code == IWARP_SCTP_ENHANCED_ACCEPT);
}

bool rulesi_sctp_reopens(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  return own->ended && rules_other(ctx)->sctp.ended && m->ssn == own->again &&
         (own->again > 0 || session_answers(m)) && rulesi_sctp_lossless(ctx) && !m->inconclusive &&
         rulesi_sctp_certainty(ctx)->session_certain && !ctx->ev->last.damaged;
}

bool rulesi_sctp_ahead(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  const uint16_t ahead = iwarp_sctp_ssn_distance(m->ssn, rules_own(ctx)->sctp.next);
  return m->reason == IWARP_SCTP_REASON_SSN && ahead > 0 && ahead < IWARP_SCTP_UNACKED_MAX &&
         !rulesi_sctp_initiates(m) && session_idle(rules_own(ctx)) && !rules_own(ctx)->sctp.ended;
}

/* A message with a DDP-SSN ahead of the expected one, which a waiting message of its side has, too.
 * The one of the two that was sent first may stand in the place of the expected message. Or the
 * expected message never came, and this one is too far ahead to wait. */
static bool session_twins(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  return rulesi_sctp_ahead(ctx) && rulesi_sctp_lossless(ctx) && !m->inconclusive &&
         rulesi_sctp_certainty(ctx)->session_certain && !ctx->ev->last.damaged;
}

/* True if the side used the DDP-SSN of the message twice, whatever comes after it. */
static bool session_surely(const struct rules_ctx *ctx) {
  return rulesi_sctp_certainty(ctx)->session_certain &&
         ctx->ev->first.peer_pos != IWARP_POS_UNKNOWN && !rulesi_sctp_doubted(ctx) &&
         !ctx->facts.other_ppid;
}

bool rulesi_sctp_begins_wrong(const struct rules_ctx *ctx) {
  return rulesi_sctp_initiates(rulesi_sctp_message(ctx)) && rules_own(ctx)->sctp.ended &&
         rules_other(ctx)->sctp.ended;
}

bool rulesi_sctp_ssn_used(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  const bool message =
      ctx->ev->kind == IWARP_EVENT_SCTP_MESSAGE || ctx->ev->kind == IWARP_EVENT_SCTP_SEGMENT;
  if (!message || !m->has_ssn || m->reason != IWARP_SCTP_REASON_SSN || !rulesi_sctp_lossless(ctx) ||
      m->inconclusive || !rulesi_sctp_certainty(ctx)->session_certain || ctx->ev->last.damaged) {
    return false;
  }
  return (rulesi_sctp_begins_wrong(ctx) || ctx->ev->first.peer_pos != IWARP_POS_UNKNOWN) &&
         !rulesi_sctp_begins_early(ctx) && !rulesi_sctp_ahead(ctx) && !rulesi_sctp_reopens(ctx) &&
         !rulesi_sctp_doubted(ctx) && !ctx->facts.other_ppid;
}

/* The Initiate of another session, while nothing has ended this one. */
static bool session_begins(const struct rules_ctx *ctx) {
  return rulesi_sctp_begins_early(ctx) && session_idle(rules_own(ctx)) && session_unheard(ctx);
}

/*
 * A message with a later DDP-SSN was sent after the one that waits, and after that was
 * acknowledged, as the first one of its packet. SCTP may fill a packet up with what is short before
 * what is long, but what was given to it first begins the next one. RFC 5043 10 lets it do
 * otherwise: one such message is no proof, but several are.
 */
static bool session_is_later(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  const iwarp_sctp_evidence *shows = rulesi_sctp_evidence(ctx);
  const struct rules_side *own = rules_own(ctx);
  const bool number = rules_is_open(&own->docket, QUESTION_SSN_WRONG) ||
                      rules_is_open(&own->docket, QUESTION_SSN_REUSED);
  const bool placed =
      m->reason == IWARP_SCTP_REASON_NONE || m->reason == IWARP_SCTP_REASON_NO_SESSION;
  return number && m->has_ssn && placed && shows->bundled_before == 0 &&
         ctx->ev->pos > own->startup.event.pos &&
         shows->acked >= own->startup.event.pos + own->startup.event.len;
}

/* DDP-SSNs are missing, from the one that the event has on. */
static void session_gap(struct rules_ctx *ctx) {
  const iwarp_ev_sctp_gap *m = &ctx->ev->sctp->u.gap;
  struct rules_docket *docket = &rules_own_state(ctx)->docket;
  struct rules_sctp *own = &rules_own_state(ctx)->sctp;
  if (own->ended) {
    return; /* later messages may be of another session */
  }
  if (session_idle(rules_own(ctx)) && own->number_reported && m->missing == 1) {
    own->number_reported = false; /* the reported message took its place */
  } else if (session_idle(rules_own(ctx))) {
    rules_open(docket, QUESTION_SSN_MISSING, true);
    own->due = m->ssn;
  } else if (rules_is_open(docket, QUESTION_SSN_REUSED) && m->ssn == own->due) {
    own->earlier = iwarp_sctp_ssn_distance(own->waiting_ssn, own->due) < IWARP_SCTP_UNACKED_MAX;
  }
}

/* The message was sent before the waiting one, in its place or with the same DDP-SSN: it stands in
 * the place of the missing DDP-SSN. */
static bool session_is_earlier(const struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const bool alike =
      rules_is_open(&rules_own(ctx)->docket, QUESTION_SSN_WRONG) || m->ssn == own->waiting_ssn;
  return own->earlier && m->has_ssn && alike && ctx->ev->pos < rules_own(ctx)->startup.event.pos;
}

static void session_waiting(struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  struct rules_sctp *own = &rules_own_state(ctx)->sctp;
  if (ctx->ev->kind == IWARP_EVENT_GAP) {
    session_gap(ctx);
  } else if (rules_is_open(&rules_own(ctx)->docket, QUESTION_SSN_MISSING) && m->has_ssn) {
    session_ask(ctx, QUESTION_SSN_WRONG);
    own->earlier = true;
  } else if (session_is_earlier(ctx)) {
    session_keep(ctx);
  } else if (session_twins(ctx)) {
    own->due = own->next;
    own->certain = session_surely(ctx);
    session_ask(ctx, QUESTION_SSN_REUSED);
  } else if (session_alone(ctx) && m->reason == IWARP_SCTP_REASON_SSN && rulesi_sctp_initiates(m)) {
    own->due = 0;
    session_ask(ctx, QUESTION_SSN_WRONG);
  } else if (session_reuses(ctx)) {
    own->due = own->next;
    session_ask(ctx, QUESTION_SSN_REUSED);
  } else if (session_begins(ctx)) {
    session_ask(ctx, QUESTION_INITIATE_EARLY);
  } else if (session_repeats(ctx)) {
    own->due = own->next;
    session_ask(ctx, QUESTION_INITIATE_TWICE);
  } else if (session_alone(ctx) && m->reason == IWARP_SCTP_REASON_NO_SESSION) {
    session_ask(ctx, QUESTION_NO_SESSION);
  }
}

/* Messages without a place may belong to a session that begins in this one: its Initiate or Accept,
 * and the messages with the next DDP-SSNs. */
static void session_unplaced(struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  struct rules_sctp *own = &rules_own_state(ctx)->sctp;
  const bool begins = rulesi_sctp_initiates(m) || session_answers(m);
  if (m->reason == IWARP_SCTP_REASON_SSN && m->ssn == own->again && (begins || own->again > 0)) {
    own->again++;
  } else if (m->reason != IWARP_SCTP_REASON_NONE) {
    own->unplaced = true;
  }
}

static void session_differs(struct rules_side *s, const iwarp_observer_side *info) {
  s->chain.gap_reason = info->gap ? s->chain.gap_reason : IWARP_REASON_OCTETS_DIFFER;
}

void rulesi_sctp_differs(struct rules_ctx *ctx) {
  struct rules_sctp *own = &rules_own_state(ctx)->sctp;
  own->doubted =
      own->doubted || (own->begun && own->pos <= ctx->ev->pos && ctx->ev->pos < own->end);
  session_differs(rules_own_state(ctx), &ctx->info->side[ctx->ev->side]);
  session_differs(rules_other_state(ctx), &ctx->info->side[rules_peer(ctx)]);
}

void rulesi_sctp_update(struct rules_ctx *ctx) {
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  struct rules_sctp *own = &rules_own_state(ctx)->sctp;
  own->damaged = own->damaged || ctx->ev->last.damaged;
  if (ctx->ev->kind == IWARP_EVENT_SCTP_INIT) {
    return; /* the rest is of the session, which an INIT is no part of */
  }
  own->whole = rulesi_sctp_lossless(ctx);
  own->number_reported = own->number_reported || ctx->facts.ssn_used;
  if (ctx->ev->last.differ) {
    rulesi_sctp_differs(ctx);
  }
  if (own->overdue < SCTP_OVERDUE && session_is_later(ctx)) {
    own->overdue++;
  }
  session_waiting(ctx);
  own->passed_end = own->passed_end || (own->ended && m->reason == IWARP_SCTP_REASON_SEQUENCE);
  own->refused = own->refused || ctx->facts.other_ppid ||
                 (m->reason >= IWARP_SCTP_REASON_PPID && m->reason <= IWARP_SCTP_REASON_LENGTH);
  session_unplaced(ctx);
  own->discarded = own->discarded || m->reason != IWARP_SCTP_REASON_NONE;
  own->misnumbered =
      own->misnumbered || (m->reason == IWARP_SCTP_REASON_SSN && rulesi_sctp_initiates(m));
  if (ctx->ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    own->segments = true;
    own->arrived = own->arrived || (own->begun && rulesi_sctp_arrived(ctx));
  } else if (m->has_control && m->reason == IWARP_SCTP_REASON_NONE) {
    session_control(ctx);
  }
  if (ctx->ev->kind == IWARP_EVENT_GAP) {
    const iwarp_ev_sctp_gap *gap = &ctx->ev->sctp->u.gap;
    own->next = (uint16_t)(gap->ssn + gap->missing);
  } else if (m->has_ssn && m->reason <= IWARP_SCTP_REASON_SEQUENCE) {
    own->next = (uint16_t)(m->ssn + 1u);
  }
}
