/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns what the session engine of a DDP stream says into events. */
#include <string.h>

#include "../base/minmax.h"
#include "../base/span.h"
#include "../observer/term_place.h"
#include "state.h"

/* An event of `obs`, with facts that are all still to be set. */
static iwarp_ev_sctp *event_new(iwarp_sctp_observer *obs, iwarp_event *ev, iwarp_event_kind kind,
                                uint8_t side) {
  memset(ev, 0, sizeof(*ev));
  memset(&obs->facts, 0, sizeof(obs->facts));
  ev->kind = kind;
  ev->side = side;
  ev->sctp = &obs->facts;
  return &obs->facts;
}

void iwarpi_sctp_observer_begin(iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg) {
  memset(&obs->info, 0, sizeof(obs->info));
  obs->info.sctp = true;
  obs->info.sctp_stream = obs->stream;
  obs->info.sctp_joined = obs->joined;
  obs->info.crc = IWARP_TRISTATE_ON;
  obs->info.crc_by = IWARP_KNOWN_BY_STARTUP;
  obs->info.limits = obs->next_limits;
  obs->next_limits = 0;
  for (uint8_t i = 0; i < 2; i++) {
    obs->info.side[i].full_pos = IWARP_POS_UNKNOWN;
    obs->info.side[i].start_known = obs->assoc->start_known[i];
    obs->end[i] = 0;
    obs->lost_base[i] = obs->assoc->lost[i];
    obs->lost_reported[i] = obs->assoc->lost[i];
    obs->repeated[i] = false;
    obs->out_of_order[i] = false;
    obs->last_end[i] = UINT64_MAX;
    obs->resumed[i] = false;
    obs->reported[i] = false;
    obs->ending[i] = false;
    obs->ended_before[i] = obs->ended[i];
    obs->ended[i] = 0;
    obs->strayed[i] = obs->outside[i] > obs->ended_before[i];
    obs->doubled[i] = false;
    obs->went_on[i] = false;
    obs->apart[i] = false;
  }
  obs->opened = false;
  obs->proven = false;
  obs->state = IWARP_SCTP_STATE_IDLE;
  obs->last = (iwarp_meta){0};
  if (msg != NULL) {
    obs->end[obs->now.side] = msg->pos;
  }
  obs->current = obs->now.session;
  obs->open = true;
  obs->sessions++;
  obs->inits = obs->assoc->inits_reported ? 2 : 0;
  obs->assoc->inits_reported = true;
}

void iwarpi_sctp_observer_init_event(iwarp_sctp_observer *obs, iwarp_event *ev, uint8_t side) {
  const iwarp_sctp_assoc_params *params = &obs->assoc->init[side];
  const bool peer = obs->assoc->init_seen[1 - side];
  iwarp_ev_sctp_init *init = &event_new(obs, ev, IWARP_EVENT_SCTP_INIT, side)->u.init;
  init->params = params;
  init->granted = peer ? obs->assoc->init[1 - side].in_streams : 0;
  ev->pos = params->tsn;
  ev->first = obs->assoc->init_meta[side];
  ev->first.damaged = params->damaged;
  ev->last = ev->first;
}

/* Sets the members that messages, gaps and ends have in common. */
static void event_common(const iwarp_sctp_observer *obs, iwarp_ev_sctp *out) {
  for (uint8_t side = 0; side < 2; side++) {
    out->lossless[side] = iwarpi_sctp_observer_lossless(obs, side);
    out->certainty.answers_elsewhere[side] = obs->assoc->strayed[side];
  }
  out->certainty.session_certain = iwarpi_sctp_observer_clear(obs);
}

/* Nothing can come any more. */
static bool event_is_final(const iwarp_sctp_observer *obs) {
  return obs->flushing && obs->how == IWARP_END_FIN;
}

/* What is known of the next session of the stream. */
static iwarp_sctp_follows event_follows(const iwarp_sctp_observer *obs, uint8_t side) {
  if (obs->apart[side]) {
    return IWARP_SCTP_FOLLOWS_APART;
  }
  if (obs->went_on[side]) {
    return IWARP_SCTP_FOLLOWS_SIDE;
  }
  return obs->went_on[1 - side] ? IWARP_SCTP_FOLLOWS : IWARP_SCTP_FOLLOWS_NOTHING;
}

/* What the association shows of the end of a side. */
static void event_end_certainty(const iwarp_sctp_observer *obs, iwarp_sctp_certainty *out,
                                uint8_t side) {
  out->tail_missing = obs->lost_reported[side] != obs->assoc->lost[side];
  out->has_unplaced = obs->strayed[side];
  out->peer_unanswered = obs->assoc->unanswered[1 - side] > 0;
  memcpy(out->settled, obs->assoc->settled, sizeof(out->settled));
  out->sent = obs->assoc->next[side];
  out->complete = iwarpi_sctp_observer_complete(obs->assoc);
  out->advanced = obs->assoc->advanced[side];
}

void iwarpi_sctp_observer_end_event(iwarp_sctp_observer *obs, iwarp_event *ev, uint8_t side) {
  iwarp_ev_sctp *facts = event_new(obs, ev, IWARP_EVENT_END, side);
  event_common(obs, facts);
  event_end_certainty(obs, &facts->certainty, side);
  facts->u.end.follows = event_follows(obs, side);
  facts->u.end.final = event_is_final(obs);
  iwarpi_sctp_observer_burst_end(obs, side);
  ev->pos = obs->end[side];
  ev->first = obs->last;
  if (facts->u.end.final) {
    ev->first.packet = u64_max(obs->assoc->now.packet, obs->last.packet);
    ev->first.time_ns = obs->assoc->now.time_ns;
  }
  ev->last = ev->first;
  ev->u.end = obs->session_end;
  obs->info.side[side].end = obs->session_end;
}

/* ---- gaps ---- */

static void event_gap(iwarp_sctp_observer *obs, iwarp_event *ev) {
  const iwarp_sctp_session_event *gap = &obs->now;
  iwarp_ev_sctp *facts = event_new(obs, ev, IWARP_EVENT_GAP, gap->side);
  event_common(obs, facts);
  facts->u.gap.ssn = gap->ssn;
  facts->u.gap.missing = gap->missing;
  facts->u.gap.final = event_is_final(obs);
  ev->pos = obs->end[gap->side];
  ev->len = gap->missing;
  ev->first = obs->assoc->now;
  ev->last = obs->assoc->now;
  ev->u.gap = obs->assoc->why[gap->side];
  obs->info.side[gap->side].gap = true;
  obs->end[gap->side] += gap->missing;
}

/* ---- messages ---- */

/* Messages of the session before are outstanding: one that the same packet carries, or one of the
 * other side that the packet does not acknowledge, though it acknowledges others, unless that may
 * answer this Initiate. What a packet before it acknowledged is no proof: another one may not have
 * been captured. */
static iwarp_tristate event_outstanding(const iwarp_sctp_observer *obs,
                                        const iwarp_sctp_captured *msg) {
  const uint8_t side = obs->now.side;
  const bool got = msg->evidence.received >= obs->out[1 - side];
  if (msg->first.packet == obs->out_packet[side] ||
      (msg->evidence.received != 0 && msg->evidence.received_all && !got && !obs->stray)) {
    return IWARP_TRISTATE_ON;
  }
  return msg->evidence.acked >= obs->out[side] && got ? IWARP_TRISTATE_OFF : IWARP_TRISTATE_UNKNOWN;
}

/* An Initiate that began a session, and not the first one. */
static bool event_again(const iwarp_sctp_session_event *in) {
  return in->kind == IWARP_SCTP_EVENT_CONTROL && in->chunk == IWARP_SCTP_KIND_INITIATE &&
         in->session > 1;
}

/* What came before the message in its session is not certain: it may be of another one, whose
 * beginning was lost between them. */
static bool event_unconfirmed(const iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg) {
  const uint8_t side = obs->now.side;
  const bool lost = obs->lost_reported[side] != obs->assoc->lost[side] ||
                    obs->assoc->lost_end[side] > obs->last_end[side];
  const bool out_of_order = obs->out_of_order[side] || msg->pos < obs->end[side];
  const bool mixed = obs->stray || !iwarpi_sctp_observer_lossless(obs, side);
  return obs->repeated[side] || lost || (out_of_order && mixed);
}

static void event_certainty(iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg) {
  const iwarp_sctp_session_event *in = &obs->now;
  iwarp_sctp_certainty *out = &obs->facts.certainty;
  out->peer_data_reordered = msg->evidence.peer_data_reordered || obs->held[1 - in->side] > 0;
  out->received = iwarpi_sctp_observer_knew(obs, in, msg);
  out->session_unconfirmed = event_unconfirmed(obs, msg);
  out->has_unplaced = obs->strayed[in->side];
  out->again = event_again(in);
  out->outstanding = out->again ? event_outstanding(obs, msg) : IWARP_TRISTATE_UNKNOWN;
}

static void event_facts(iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg) {
  const iwarp_sctp_session_event *in = &obs->now;
  iwarp_ev_sctp_message *out = &obs->facts.u.message;
  out->captured = msg;
  out->user_data = msg->user_data;
  out->session = in->session;
  out->ssn = in->ssn;
  out->has_ssn =
      msg->user_data.len >= IWARP_SCTP_SEGMENT_LEN && in->reason != IWARP_SCTP_REASON_PPID;
  out->kind = in->chunk;
  out->verdict = in->verdict;
  out->reason = in->reason;
  out->state = in->state;
  out->inconclusive = in->inconclusive;
  event_common(obs, &obs->facts);
  event_certainty(obs, msg);
}

static void event_control(iwarp_ev_sctp_message *out) {
  if (iwarp_sctp_control_decode(&out->control, out->user_data).err != IWARP_OK) {
    return;
  }
  const iwarp_span word = iwarp_sctp_control_enhanced(&out->control);
  out->has_control = true;
  out->ulp_data = iwarp_sctp_control_ulp_data(&out->control);
  out->enhanced = iwarp_mpa_enhanced_decode(&out->enh, word).err == IWARP_OK;
}

/* Another message has its DDP-SSN, and was discarded: which of them is the one that has its place
 * is not known. */
static bool event_is_doubled(const iwarp_sctp_observer *obs) {
  const iwarp_sctp_session_event *in = &obs->now;
  return obs->doubled[in->side] && obs->doubled_ssn[in->side] == in->ssn;
}

/* Whether the other side is known to have sent no segment that the sender of this one has. */
static bool event_silent(const iwarp_sctp_observer *obs, uint8_t side) {
  const iwarp_observer_side *peer = &obs->info.side[1 - side];
  const iwarp_sctp_certainty *known = &obs->facts.certainty;
  return known->session_certain && !known->peer_data_reordered && peer->has_startup &&
         peer->num_fpdus == 0;
}

static void event_in_place(iwarp_sctp_observer *obs, iwarp_event *ev) {
  iwarp_observer_side *side = &obs->info.side[ev->side];
  iwarpi_term_place_note(ev, &obs->info, event_silent(obs, ev->side), obs->opens);
  obs->lost_reported[ev->side] = obs->assoc->lost[ev->side];
  obs->repeated[ev->side] = event_is_doubled(obs);
  side->num_fpdus++;
  if (side->full_pos == IWARP_POS_UNKNOWN && ev->u.fpdu.sync == IWARP_SYNC_STARTUP) {
    side->full_pos = ev->pos;
  }
}

static void event_segment(const iwarp_sctp_observer *obs, iwarp_event *ev,
                          const iwarp_sctp_captured *msg) {
  const bool lossless = obs->facts.lossless[ev->side];
  const uint32_t len = msg->length - IWARP_SCTP_SEGMENT_LEN;
  iwarp_ev_fpdu *f = &ev->u.fpdu;
  f->fpdu.ulpdu_length = (uint16_t)(len < UINT16_MAX ? len : UINT16_MAX);
  f->complete = msg->user_data.len == msg->length;
  f->crc = msg->damaged ? IWARP_CRC_UNCHECKED : IWARP_CRC_GOOD;
  f->offset = IWARP_POS_UNKNOWN;
  f->sync = lossless && !obs->facts.u.message.inconclusive ? IWARP_SYNC_STARTUP : IWARP_SYNC_CRC;
  iwarp_rdmap_seg_decode(&f->seg, span_from(msg->user_data, IWARP_SCTP_SEGMENT_LEN), len);
}

static void event_roles(iwarp_sctp_observer *obs, uint8_t responder) {
  obs->info.side[responder].role = IWARP_ROLE_RESPONDER;
  obs->info.side[1 - responder].role = IWARP_ROLE_INITIATOR;
}

/* An answer that is its side's first message, where the Initiate may be missing: it still says
 * which side is which. Segments do not, since either side may send any of them. RFC 5043 6 */
static bool event_answers_unseen(const iwarp_sctp_observer *obs) {
  const iwarp_sctp_session_event *in = &obs->now;
  return iwarpi_sctp_observer_is_answer(in->chunk) && in->reason == IWARP_SCTP_REASON_SEQUENCE &&
         in->inconclusive && in->ssn == 0 && obs->info.side[0].role == IWARP_ROLE_UNKNOWN;
}

/* Initiate and its answer, as Request and Reply. */
static void event_learn(iwarp_sctp_observer *obs, uint64_t end) {
  const iwarp_sctp_session_event *in = &obs->now;
  const iwarp_ev_sctp_message *m = &obs->facts.u.message;
  iwarp_observer_side *side = &obs->info.side[in->side];
  const bool answer = iwarpi_sctp_observer_is_answer(in->chunk);
  if (event_answers_unseen(obs)) {
    event_roles(obs, in->side);
    obs->info.rejected = in->chunk == IWARP_SCTP_KIND_REJECT;
    return;
  }
  if (in->kind != IWARP_SCTP_EVENT_CONTROL || (!answer && in->chunk != IWARP_SCTP_KIND_INITIATE)) {
    return;
  }
  event_roles(obs, answer ? in->side : (uint8_t)(1 - in->side));
  side->has_startup = true;
  side->key = answer ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST;
  side->is_reply = answer;
  side->rev = m->enhanced ? 2 : 1;
  side->enhanced = m->enhanced;
  side->enh = m->enh;
  side->pd_length = (uint16_t)m->control.private_data.len;
  obs->info.rejected = in->chunk == IWARP_SCTP_KIND_REJECT; /* nothing that it learns follows */
  obs->initiate_end = answer ? obs->initiate_end : end;
}

/* An Initiate comes while messages of its side wait for one with its number, or an earlier one:
 * those may be of the session before, and it be of the next one. */
static bool event_passes(const iwarp_sctp_observer *obs) {
  const iwarp_sctp_session_event *in = &obs->now;
  return in->chunk == IWARP_SCTP_KIND_INITIATE && in->reason == IWARP_SCTP_REASON_SEQUENCE &&
         in->ssn == 0 && obs->held[in->side] > 0;
}

/* It may have waited since the session before: its side had sent it before the first one that came
 * out of it, and is not known to have ended that session before, nor to have got the Initiate. */
static bool event_waited(const iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg,
                         bool misnumbered) {
  const uint8_t side = obs->now.side;
  const bool answers = misnumbered && obs->info.side[1 - side].has_startup &&
                       msg->evidence.received >= obs->initiate_end;
  const bool after = obs->ended_before[side] != 0 && msg->pos >= obs->ended_before[side];
  return obs->sessions > 1 && obs->reported[side] && msg->pos < obs->base[side] && !answers &&
         !after;
}

/* A message that waited since the session before counts as one without a place. */
static void event_note_first(iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg, bool genuine,
                             bool misnumbered) {
  const iwarp_sctp_session_event *in = &obs->now;
  obs->stray = obs->stray || (in->verdict == IWARP_SCTP_STRAY && !genuine) || event_passes(obs) ||
               event_waited(obs, msg, misnumbered);
  if (!obs->reported[in->side] && !misnumbered) {
    obs->reported[in->side] = true;
    obs->base[in->side] = msg->pos;
  }
}

/* An answer that no Initiate came for on the stream, or with a DDP-SSN of 0 that its side has used.
 */
static bool event_strays(const iwarp_sctp_session_event *in) {
  const bool again = in->reason == IWARP_SCTP_REASON_SSN && in->ssn == 0;
  return (in->reason == IWARP_SCTP_REASON_NO_SESSION || again) &&
         iwarpi_sctp_observer_answers(in->control.function);
}

/* Its side sends nothing after it. */
static bool event_ends(const iwarp_sctp_session_event *in) {
  return in->reason == IWARP_SCTP_REASON_NONE &&
         (in->chunk == IWARP_SCTP_KIND_TERMINATE || in->chunk == IWARP_SCTP_KIND_REJECT);
}

/* Counts an Initiate as unanswered until an answer or a Terminate of the session comes. */
static void event_note_answer(iwarp_sctp_observer *obs) {
  const iwarp_sctp_session_event *in = &obs->now;
  const bool initiates =
      in->reason == IWARP_SCTP_REASON_NONE && in->chunk == IWARP_SCTP_KIND_INITIATE;
  const bool settles =
      iwarpi_sctp_observer_is_answer(in->chunk) || in->chunk == IWARP_SCTP_KIND_TERMINATE;
  if (initiates && !obs->unanswered) {
    obs->unanswered = true;
    obs->initiator = in->side;
    obs->assoc->unanswered[in->side]++;
  } else if (obs->unanswered && settles) {
    obs->unanswered = false;
    obs->assoc->unanswered[obs->initiator]--;
  }
}

static void event_note_last(iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg,
                            bool genuine) {
  const iwarp_sctp_session_event *in = &obs->now;
  const uint64_t end = msg->pos + msg->len;
  obs->repeated[in->side] = obs->repeated[in->side] || in->reason == IWARP_SCTP_REASON_SSN;
  if (in->reason == IWARP_SCTP_REASON_SSN) {
    obs->doubled[in->side] = true;
    obs->doubled_ssn[in->side] = in->ssn;
  }
  obs->stray = obs->stray || (in->reason != IWARP_SCTP_REASON_NONE && !genuine) ||
               iwarpi_sctp_observer_abrupt(in) || msg->last.differ;
  obs->assoc->strayed[in->side] = obs->assoc->strayed[in->side] || event_strays(in);
  obs->info.side[in->side].seen = true;
  for (uint8_t side = 0; side < 2; side++) {
    obs->info.side[side].gap = !obs->facts.lossless[side];
  }
  event_learn(obs, end);
  event_note_answer(obs);
  if (in->reason != IWARP_SCTP_REASON_NONE) {
    obs->outside[in->side] = u64_max(end, obs->outside[in->side]);
  }
  obs->ended[in->side] = event_ends(in) ? end : obs->ended[in->side];
  obs->out_of_order[in->side] = msg->pos < obs->end[in->side];
  obs->last_end[in->side] = end;
  obs->end[in->side] = u64_max(end, obs->end[in->side]);
  obs->out[in->side] = u64_max(end, obs->out[in->side]);
  obs->out_packet[in->side] = msg->last.packet;
}

/* The first packet of the message. What waits of the other side may have been received before it,
 * though it was not reported. */
static iwarp_meta event_first(const iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg) {
  iwarp_meta first = msg->first;
  first.peer_pos = obs->held[1 - obs->now.side] > 0 ? IWARP_POS_UNKNOWN : first.peer_pos;
  return first;
}

/* It has no place since a DDP-SSN before its own is missing, or it has that of one that waits for
 * such a one, though nothing was lost: that is not due to the order of the capture. */
static bool event_misnumbered(const iwarp_sctp_observer *obs) {
  const iwarp_sctp_session_event *in = &obs->now;
  const uint16_t due = iwarp_sctp_session_info_get(obs->sess).next[in->side];
  const bool skipped = in->inconclusive && in->reason == IWARP_SCTP_REASON_SEQUENCE;
  const bool ahead = in->reason == IWARP_SCTP_REASON_SSN && obs->held[in->side] > 1 &&
                     iwarp_sctp_ssn_distance(in->ssn, due) < IWARP_SCTP_UNACKED_MAX;
  return obs->far_out || ((skipped || ahead) && iwarpi_sctp_observer_lossless(obs, 0) &&
                          iwarpi_sctp_observer_lossless(obs, 1));
}

static void event_message(iwarp_sctp_observer *obs, iwarp_event *ev,
                          const iwarp_sctp_captured *msg) {
  const iwarp_sctp_session_event *in = &obs->now;
  const bool in_place = in->kind == IWARP_SCTP_EVENT_SEGMENT;
  const bool misnumbered = event_misnumbered(obs);
  const bool genuine = misnumbered || iwarpi_sctp_observer_genuine(obs, in, msg);
  obs->far_out = false;
  obs->held[in->side]--;
  iwarpi_sctp_observer_prove(obs, in, msg);
  event_note_first(obs, msg, genuine, misnumbered);
  event_new(obs, ev, in_place ? IWARP_EVENT_SCTP_SEGMENT : IWARP_EVENT_SCTP_MESSAGE, in->side);
  event_facts(obs, msg);
  ev->pos = msg->pos;
  ev->len = msg->len;
  ev->first = event_first(obs, msg);
  ev->last = msg->last;
  if (in->segment.ptr != NULL) {
    event_segment(obs, ev, msg);
  } else if (in->reason != IWARP_SCTP_REASON_PPID) {
    event_control(&obs->facts.u.message);
  }
  if (in_place) {
    event_in_place(obs, ev);
  }
  event_note_last(obs, msg, genuine);
  iwarpi_sctp_observer_burst_note(obs, ev);
}

void iwarpi_sctp_observer_report(iwarp_sctp_observer *obs, iwarp_event *ev,
                                 const iwarp_sctp_captured *msg) {
  if (msg == NULL) {
    event_gap(obs, ev);
    return;
  }
  obs->last.packet = u64_max(msg->last.packet, obs->last.packet);
  obs->last.time_ns = msg->last.time_ns;
  event_message(obs, ev, msg);
}
