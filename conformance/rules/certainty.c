/* SPDX-License-Identifier: BSD-2-Clause */
/* The certainty of an event of a DDP stream over SCTP, by the earlier events of the association. */
#include "certainty.h"

#include <string.h>

static uint64_t certainty_max(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* ---- the association ---- */

void iwarp_certainty_passed(iwarp_certainty_assoc *assoc, uint8_t side, uint64_t end) {
  assoc->next[side] = certainty_max(end, assoc->next[side]);
}

void iwarp_certainty_lost(iwarp_certainty_assoc *assoc, uint8_t side, uint64_t end) {
  assoc->lost[side]++;
  assoc->lost_end[side] = certainty_max(end, assoc->lost_end[side]);
  iwarp_certainty_passed(assoc, side, end);
}

/* ---- a session ---- */

/* Begins the session of the event; only what was seen of the stream before it is kept. */
static void certainty_begin(iwarp_certainty_stream *stream) {
  for (uint8_t i = 0; i < 2; i++) {
    stream->end[i] = 0;
    stream->lost_reported[i] = stream->assoc->lost[i];
    stream->repeated[i] = false;
    stream->out_of_order[i] = false;
    stream->last_end[i] = UINT64_MAX;
    stream->reported[i] = false;
    stream->ended_before[i] = stream->ended[i];
    stream->ended[i] = 0;
    stream->has_unplaced[i] = stream->outside[i] > stream->ended_before[i];
    stream->doubled[i] = false;
  }
  stream->opened = false;
  stream->proven = false;
  stream->state = IWARP_SCTP_STATE_IDLE;
  stream->open = true;
  stream->sessions++;
}

void iwarp_certainty_drop(iwarp_certainty_stream *stream) {
  rulesi_certainty_burst_over(stream);
  stream->open = false;
}

/* ---- a message, before it is judged ---- */

/* An Initiate comes while messages of its side wait for a message with its number, or an earlier
 * number. The waiting messages may be of the session before, and the Initiate of the next one. */
static bool certainty_passes(const iwarp_ev_sctp_message *m, uint8_t side) {
  return m->kind == IWARP_SCTP_KIND_INITIATE && m->reason == IWARP_SCTP_REASON_SEQUENCE &&
         m->ssn == 0 && m->held[side];
}

/* True if the message may have waited since the session before. Its side had sent it before the
 * first message of the session. The side is not known to have ended the session before, or to have
 * received the Initiate. */
static bool certainty_waited(const iwarp_certainty_stream *stream, const iwarp_observer_info *info,
                             const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  const bool answers = m->misnumbered && info->side[1 - ev->side].has_startup &&
                       m->captured->evidence.received >= stream->initiate_end;
  const bool after =
      stream->ended_before[ev->side] != 0 && ev->pos >= stream->ended_before[ev->side];
  return stream->sessions > 1 && stream->reported[ev->side] && ev->pos < stream->base[ev->side] &&
         !answers && !after;
}

/* A message that waited since the session before counts as one without a place. */
static void certainty_note_first(iwarp_certainty_stream *stream, const iwarp_observer_info *info,
                                 const iwarp_event *ev, bool genuine) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  stream->session_uncertain = stream->session_uncertain ||
                              (m->verdict == IWARP_SCTP_STRAY && !genuine) ||
                              certainty_passes(m, ev->side) || certainty_waited(stream, info, ev);
  if (!stream->reported[ev->side] && !m->misnumbered) {
    stream->reported[ev->side] = true;
    stream->base[ev->side] = ev->pos;
  }
}

/* ---- the certainty of a message ---- */

/*
 * Messages of the session before are outstanding in two cases. The same packet carries one. Or the
 * packet does not acknowledge one of the other side, though it acknowledges others, unless that one
 * may answer this Initiate. The acknowledgments of packets before it are no proof: another packet
 * may not have been captured.
 */
static iwarp_tristate certainty_outstanding(const iwarp_certainty_stream *stream,
                                            const iwarp_event *ev) {
  const iwarp_sctp_evidence *shows = &ev->sctp->u.message.captured->evidence;
  const bool got = shows->received >= stream->out[1 - ev->side];
  const uint64_t packet = ev->sctp->u.message.captured->first.packet;
  if (packet == stream->out_packet[ev->side] ||
      (shows->received != 0 && shows->received_all && !got && !stream->session_uncertain)) {
    return IWARP_TRISTATE_ON;
  }
  return shows->acked >= stream->out[ev->side] && got ? IWARP_TRISTATE_OFF : IWARP_TRISTATE_UNKNOWN;
}

/* An Initiate that began a session, and not the first one. */
static bool certainty_again(const iwarp_ev_sctp_message *m) {
  return m->reason == IWARP_SCTP_REASON_NONE && m->kind == IWARP_SCTP_KIND_INITIATE &&
         m->session > 1;
}

/* The messages before it in its session are not certain: they may be of another one, whose
 * beginning was lost between them. */
static bool certainty_unconfirmed(const iwarp_certainty_stream *stream, const iwarp_event *ev) {
  const iwarp_certainty_assoc *assoc = stream->assoc;
  const uint8_t side = ev->side;
  const bool lost = stream->lost_reported[side] != assoc->lost[side] ||
                    assoc->lost_end[side] > stream->last_end[side];
  const bool out_of_order = stream->out_of_order[side] || ev->pos < stream->end[side];
  const bool mixed = stream->session_uncertain || !stream->lossless[side];
  return stream->repeated[side] || lost || (out_of_order && mixed);
}

/* Sets the members that messages, gaps and ends have in common. */
static void certainty_common(iwarp_certainty_stream *stream) {
  iwarp_sctp_certainty *known = &stream->known;
  memcpy(known->answers_elsewhere, stream->assoc->answers_elsewhere,
         sizeof(known->answers_elsewhere));
  known->session_certain = rulesi_certainty_clear(stream);
}

static void certainty_judge(iwarp_certainty_stream *stream, const iwarp_observer_info *info,
                            const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  iwarp_sctp_certainty *known = &stream->known;
  certainty_common(stream);
  known->peer_data_reordered = m->captured->evidence.peer_data_reordered || m->held[1 - ev->side];
  known->received = rulesi_certainty_knew(stream, info, ev);
  known->session_unconfirmed = certainty_unconfirmed(stream, ev);
  known->has_unplaced = stream->has_unplaced[ev->side];
  known->again = certainty_again(m);
  known->outstanding = known->again ? certainty_outstanding(stream, ev) : IWARP_TRISTATE_UNKNOWN;
}

/* ---- a message, after it was judged ---- */

/* Another message has its DDP-SSN, and was discarded: which of them is the one that has its place
 * is not known. */
static bool certainty_is_doubled(const iwarp_certainty_stream *stream, const iwarp_event *ev) {
  return stream->doubled[ev->side] && stream->doubled_ssn[ev->side] == ev->sctp->u.message.ssn;
}

static void certainty_in_place(iwarp_certainty_stream *stream, iwarp_event *ev) {
  iwarp_rdmap_term_place *place = &ev->u.fpdu.term_place;
  if (*place == IWARP_RDMAP_TERM_PLACE_STARTUP && !stream->known.session_certain) {
    *place = IWARP_RDMAP_TERM_PLACE_UNKNOWN;
  }
  stream->lost_reported[ev->side] = stream->assoc->lost[ev->side];
  stream->repeated[ev->side] = certainty_is_doubled(stream, ev);
}

static bool certainty_is_answer(uint16_t function) {
  return function == IWARP_SCTP_ACCEPT || function == IWARP_SCTP_REJECT ||
         function == IWARP_SCTP_ENHANCED_ACCEPT || function == IWARP_SCTP_ENHANCED_REJECT;
}

/* An answer that no Initiate came for on the stream, or with a DDP-SSN of 0 that its side has used.
 */
static bool certainty_elsewhere(const iwarp_ev_sctp_message *m) {
  const bool again = m->reason == IWARP_SCTP_REASON_SSN && m->ssn == 0;
  return (m->reason == IWARP_SCTP_REASON_NO_SESSION || again) &&
         certainty_is_answer(m->control.function);
}

/* True if the side of the message sends no further message of the session. */
static bool certainty_ends(const iwarp_ev_sctp_message *m) {
  return m->reason == IWARP_SCTP_REASON_NONE &&
         (m->kind == IWARP_SCTP_KIND_TERMINATE || m->kind == IWARP_SCTP_KIND_REJECT);
}

static bool certainty_initiates(const iwarp_ev_sctp_message *m) {
  return m->reason == IWARP_SCTP_REASON_NONE && m->kind == IWARP_SCTP_KIND_INITIATE;
}

/* Counts an Initiate as unanswered until an answer or a Terminate of the session comes. */
static void certainty_note_answer(iwarp_certainty_stream *stream, const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  const bool settles = rulesi_certainty_answers(m->kind) || m->kind == IWARP_SCTP_KIND_TERMINATE;
  if (certainty_initiates(m) && !stream->unanswered) {
    stream->unanswered = true;
    stream->initiator = ev->side;
    stream->assoc->unanswered[ev->side]++;
  } else if (stream->unanswered && settles) {
    stream->unanswered = false;
    stream->assoc->unanswered[stream->initiator]--;
  }
}

/* Notes where messages of the side end now. */
static void certainty_note_end(iwarp_certainty_stream *stream, const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  const uint8_t side = ev->side;
  const uint64_t end = ev->pos + ev->len;
  if (certainty_initiates(m)) {
    stream->initiate_end = end;
  }
  if (m->reason != IWARP_SCTP_REASON_NONE) {
    stream->outside[side] = certainty_max(end, stream->outside[side]);
  }
  stream->ended[side] = certainty_ends(m) ? end : stream->ended[side];
  stream->out_of_order[side] = ev->pos < stream->end[side];
  stream->last_end[side] = end;
  stream->end[side] = certainty_max(end, stream->end[side]);
  stream->out[side] = certainty_max(end, stream->out[side]);
  stream->out_packet[side] = ev->last.packet;
}

static void certainty_note_last(iwarp_certainty_stream *stream, const iwarp_event *ev,
                                bool genuine) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  bool *elsewhere = &stream->assoc->answers_elsewhere[ev->side];
  if (m->reason == IWARP_SCTP_REASON_SSN) {
    stream->repeated[ev->side] = true;
    stream->doubled[ev->side] = true;
    stream->doubled_ssn[ev->side] = m->ssn;
  }
  stream->session_uncertain = stream->session_uncertain ||
                              (m->reason != IWARP_SCTP_REASON_NONE && !genuine) ||
                              rulesi_certainty_abrupt(m) || ev->last.differ;
  *elsewhere = *elsewhere || certainty_elsewhere(m);
  certainty_note_answer(stream, ev);
  certainty_note_end(stream, ev);
}

/* ---- events ---- */

static void certainty_message(iwarp_certainty_stream *stream, const iwarp_observer_info *info,
                              iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  const bool genuine = m->misnumbered || rulesi_certainty_genuine(stream, info, ev);
  stream->repeated[ev->side] = stream->repeated[ev->side] || m->resumed;
  rulesi_certainty_prove(stream, info, ev);
  certainty_note_first(stream, info, ev, genuine);
  certainty_judge(stream, info, ev);
  if (ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    certainty_in_place(stream, ev);
  }
  certainty_note_last(stream, ev, genuine);
  rulesi_certainty_burst_note(stream, ev);
}

static void certainty_end(iwarp_certainty_stream *stream, uint8_t side) {
  const iwarp_certainty_assoc *assoc = stream->assoc;
  iwarp_sctp_certainty *known = &stream->known;
  certainty_common(stream);
  known->tail_missing = stream->lost_reported[side] != assoc->lost[side];
  known->has_unplaced = stream->has_unplaced[side];
  known->peer_unanswered = assoc->unanswered[1 - side] > 0;
  memcpy(known->settled, assoc->settled, sizeof(known->settled));
  known->sent = assoc->next[side];
  known->complete = rulesi_certainty_complete(assoc);
  known->advanced = assoc->advanced[side];
  rulesi_certainty_burst_end(stream, side);
  if (side == 1) { /* the END of side 1 is the last event of a session */
    iwarp_certainty_drop(stream);
  }
}

const iwarp_sctp_certainty *iwarp_certainty_event(iwarp_certainty_stream *stream,
                                                  const iwarp_observer_info *info,
                                                  iwarp_event *ev) {
  memset(&stream->known, 0, sizeof(stream->known));
  if (!stream->open) {
    certainty_begin(stream);
  }
  memcpy(stream->lossless, ev->sctp->lossless, sizeof(stream->lossless));
  if (ev->kind == IWARP_EVENT_SCTP_MESSAGE || ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    certainty_message(stream, info, ev);
  } else if (ev->kind == IWARP_EVENT_GAP) {
    certainty_common(stream);
    stream->end[ev->side] += ev->len;
  } else if (ev->kind == IWARP_EVENT_END) {
    certainty_end(stream, ev->side);
  }
  return &stream->known;
}
