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

bool iwarpi_sctp_observer_lossless(const iwarp_sctp_observer *obs, uint8_t side) {
  return !obs->joined && obs->assoc->start_known[side] &&
         obs->assoc->lost[side] == obs->lost_base[side];
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
    obs->resumes[i] = false;
    obs->resumed[i] = false;
    obs->ending[i] = false;
    obs->doubled[i] = false;
    obs->follows[i] = IWARP_SCTP_FOLLOWS_NOTHING;
  }
  obs->last = (iwarp_meta){0};
  if (msg != NULL) {
    obs->end[obs->now.side] = msg->pos;
  }
  obs->current = obs->now.session;
  obs->open = true;
  if (!obs->assoc->begun) {
    obs->assoc->begun = true;
    obs->assoc->first_stream = obs->stream;
  }
}

bool iwarpi_sctp_observer_init_due(const iwarp_sctp_observer *obs, uint8_t side) {
  const iwarp_sctp_assoc *assoc = obs->assoc;
  return obs->open && assoc->first_stream == obs->stream && assoc->init_due[side];
}

void iwarpi_sctp_observer_init_event(iwarp_sctp_observer *obs, iwarp_event *ev, uint8_t side) {
  const iwarp_sctp_assoc_params *params = &obs->assoc->init[side];
  obs->assoc->init_due[side] = false;
  const bool peer = obs->assoc->init_seen[1 - side];
  iwarp_ev_sctp_init *init = &event_new(obs, ev, IWARP_EVENT_SCTP_INIT, side)->u.init;
  init->params = params;
  init->granted = peer ? obs->assoc->init[1 - side].in_streams : 0;
  ev->pos = params->tsn;
  ev->first = obs->assoc->init_meta[side];
  ev->first.damaged = params->damaged;
  ev->last = ev->first;
}

static void event_lossless(const iwarp_sctp_observer *obs, iwarp_ev_sctp *out) {
  for (uint8_t side = 0; side < 2; side++) {
    out->lossless[side] = iwarpi_sctp_observer_lossless(obs, side);
  }
}

/* Nothing can come any more. */
static bool event_is_final(const iwarp_sctp_observer *obs) {
  return obs->flushing && obs->how == IWARP_END_FIN;
}

void iwarpi_sctp_observer_end_event(iwarp_sctp_observer *obs, iwarp_event *ev, uint8_t side) {
  iwarp_ev_sctp *facts = event_new(obs, ev, IWARP_EVENT_END, side);
  event_lossless(obs, facts);
  facts->u.end.follows = obs->follows[side];
  facts->u.end.final = event_is_final(obs);
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
  event_lossless(obs, facts);
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

static void event_facts(iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg,
                        bool misnumbered) {
  const iwarp_sctp_session_event *in = &obs->now;
  iwarp_ev_sctp_message *out = &obs->facts.u.message;
  event_lossless(obs, &obs->facts);
  out->captured = msg;
  out->user_data = msg->user_data;
  out->session = in->session;
  out->ssn = in->ssn;
  out->has_ssn =
      msg->user_data.len >= IWARP_SCTP_SEGMENT_LEN && in->reason != IWARP_SCTP_REASON_PPID;
  out->kind = in->message;
  out->verdict = in->verdict;
  out->reason = in->reason;
  out->state = in->state;
  out->inconclusive = in->inconclusive;
  out->misnumbered = misnumbered;
  out->resumed = obs->resumes[in->side];
  obs->resumes[in->side] = false;
  for (uint8_t side = 0; side < 2; side++) {
    out->held[side] = obs->held[side] > 0;
  }
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

/* Returns true if the other side sent no segment that the sender of this one has, as far as the
 * session was captured. */
static bool event_silent(const iwarp_sctp_observer *obs, uint8_t side) {
  const iwarp_observer_side *peer = &obs->info.side[1 - side];
  const iwarp_ev_sctp_message *m = &obs->facts.u.message;
  const bool reordered = m->captured->evidence.peer_data_reordered || m->held[1 - side];
  return obs->facts.lossless[1 - side] && !reordered && peer->has_startup && peer->num_fpdus == 0;
}

static void event_in_place(iwarp_sctp_observer *obs, iwarp_event *ev) {
  iwarp_observer_side *side = &obs->info.side[ev->side];
  iwarpi_term_place_note(ev, &obs->info, event_silent(obs, ev->side), obs->opens);
  side->num_fpdus++;
  if (side->full_pos == IWARP_POS_UNKNOWN && ev->u.fpdu.sync == IWARP_SYNC_STARTUP) {
    side->full_pos = ev->pos;
  }
}

static void event_segment(const iwarp_sctp_observer *obs, iwarp_event *ev,
                          const iwarp_sctp_captured *msg) {
  const bool lossless = obs->facts.lossless[ev->side];
  const uint32_t len = msg->length - IWARP_SCTP_SEGMENT_LEN;
  iwarp_event_fpdu *f = &ev->u.fpdu;
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
  return iwarpi_sctp_observer_is_answer(in->message) && in->reason == IWARP_SCTP_REASON_SEQUENCE &&
         in->inconclusive && in->ssn == 0 && obs->info.side[0].role == IWARP_ROLE_UNKNOWN;
}

/* Initiate and its answer, as Request and Reply. */
static void event_learn(iwarp_sctp_observer *obs) {
  const iwarp_sctp_session_event *in = &obs->now;
  const iwarp_ev_sctp_message *m = &obs->facts.u.message;
  iwarp_observer_side *side = &obs->info.side[in->side];
  const bool answer = iwarpi_sctp_observer_is_answer(in->message);
  if (event_answers_unseen(obs)) {
    event_roles(obs, in->side);
    obs->info.rejected = in->message == IWARP_SCTP_KIND_REJECT;
    return;
  }
  if (in->kind != IWARP_SCTP_SESSION_EVENT_CONTROL ||
      (!answer && in->message != IWARP_SCTP_KIND_INITIATE)) {
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
  obs->info.rejected = in->message == IWARP_SCTP_KIND_REJECT; /* a Reject shows no more than this */
}

static void event_note_last(iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg) {
  const iwarp_sctp_session_event *in = &obs->now;
  obs->doubled[in->side] = obs->doubled[in->side] || in->reason == IWARP_SCTP_REASON_SSN;
  obs->info.side[in->side].seen = true;
  for (uint8_t side = 0; side < 2; side++) {
    obs->info.side[side].gap = !obs->facts.lossless[side];
  }
  event_learn(obs);
  obs->end[in->side] = u64_max(msg->pos + msg->len, obs->end[in->side]);
}

/* The first packet of the message. Its sender may have received messages of the other side that
 * wait and were not reported. */
static iwarp_meta event_first(const iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg) {
  iwarp_meta first = msg->first;
  first.peer_pos = obs->held[1 - obs->now.side] > 0 ? IWARP_POS_UNKNOWN : first.peer_pos;
  return first;
}

/* Returns true if the message has no place for its DDP-SSN, though no message was lost. Either an
 * earlier DDP-SSN is missing, or a message that waits for an earlier DDP-SSN has the same one. The
 * order of the capture does not explain that. */
static bool event_misnumbered(const iwarp_sctp_observer *obs) {
  const iwarp_sctp_session_event *in = &obs->now;
  const uint16_t due = iwarp_sctp_session_info_get(obs->sess).next[in->side];
  const bool skipped = in->inconclusive && in->reason == IWARP_SCTP_REASON_SEQUENCE;
  const bool ahead = in->reason == IWARP_SCTP_REASON_SSN && obs->held[in->side] > 1 &&
                     iwarp_sctp_ssn_distance(in->ssn, due) < IWARP_SCTP_UNACKED_MAX;
  return obs->was_beyond_window || ((skipped || ahead) && iwarpi_sctp_observer_lossless(obs, 0) &&
                                    iwarpi_sctp_observer_lossless(obs, 1));
}

static void event_message(iwarp_sctp_observer *obs, iwarp_event *ev,
                          const iwarp_sctp_captured *msg) {
  const iwarp_sctp_session_event *in = &obs->now;
  const bool in_place = in->kind == IWARP_SCTP_SESSION_EVENT_SEGMENT;
  const bool misnumbered = event_misnumbered(obs);
  obs->was_beyond_window = false;
  obs->held[in->side]--;
  event_new(obs, ev, in_place ? IWARP_EVENT_SCTP_SEGMENT : IWARP_EVENT_SCTP_MESSAGE, in->side);
  event_facts(obs, msg, misnumbered);
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
  event_note_last(obs, msg);
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
