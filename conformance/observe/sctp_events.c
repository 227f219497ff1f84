/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns what the session engine of a DDP stream says into events for rules and reports. */
#include "sctp_flow.h"

static bool events_is_answer(iwarp_sctp_kind kind) {
  return kind == IWARP_SCTP_KIND_ACCEPT || kind == IWARP_SCTP_KIND_REJECT;
}

/* Initiate and its answer, as Request and Reply. */
static void events_learn(sctp_stream *st, const iwarp_sctp_session_event *ev,
                         const iwarp_ev_sctp *m, uint64_t end) {
  iwarp_observer_side *side = &st->info.side[ev->side];
  const bool answer = events_is_answer(ev->chunk);
  if (ev->kind != IWARP_SCTP_EVENT_CONTROL || (!answer && ev->chunk != IWARP_SCTP_KIND_INITIATE)) {
    return;
  }
  st->info.side[ev->side].role = answer ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR;
  st->info.side[1 - ev->side].role = answer ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER;
  side->has_startup = true;
  side->key = answer ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST;
  side->is_reply = answer;
  side->rev = m->enhanced ? 2 : 1;
  side->enhanced = m->enhanced;
  side->enh = m->enh;
  side->pd_length = (uint16_t)m->control.private_data.len;
  st->info.rejected = st->info.rejected || ev->chunk == IWARP_SCTP_KIND_REJECT;
  st->initiate_end = answer ? st->initiate_end : end;
}

static void events_control(iwarp_ev_sctp *out) {
  if (iwarp_sctp_control_decode(&out->control, out->user_data).err != IWARP_OK) {
    return;
  }
  const iwarp_span word = iwarp_sctp_control_enhanced(&out->control);
  out->has_control = true;
  out->ulp_data = iwarp_sctp_control_ulp_data(&out->control);
  out->enhanced = word.len != 0 && iwarp_mpa_enhanced_decode(&out->enh, word).err == IWARP_OK;
}

static iwarp_ev_sctp events_facts(const sctp_stream *st, const iwarp_sctp_session_event *ev,
                                  const sctp_msg *msg) {
  iwarp_ev_sctp m = {
      .ppid = msg->m.ppid,
      .length = (uint32_t)msg->m.len,
      .user_data = {msg->data, msg->m.cap},
      .ssn = ev->ssn,
      .has_ssn = msg->m.cap >= IWARP_SCTP_SEGMENT_LEN && ev->reason != IWARP_SCTP_REASON_PPID,
      .ordered = msg->m.ordered,
      .needless = msg->m.needless,
      .fragments = msg->m.fragments,
      .acked = msg->m.acked,
      .received = obs_sctp_knew(st, ev, msg),
      .kind = ev->chunk,
      .verdict = ev->verdict,
      .reason = ev->reason,
      .state = ev->state,
      .unsure = ev->unsure,
      .doubt = st->repeated[ev->side] || st->lost_reported[ev->side] != st->flow->lost[ev->side] ||
               (!obs_sctp_lossless(st, ev->side) && msg->pos < st->end[ev->side]),
      .clear = obs_sctp_clear(st),
      .lossless = obs_sctp_lossless(st, ev->side)};
  return m;
}

static void events_segment(sctp_stream *st, iwarp_event *out, const iwarp_ev_sctp *m,
                           const sctp_msg *msg, bool in_place) {
  iwarp_observer_side *side = &st->info.side[out->side];
  iwarp_ev_fpdu *f = &out->u.fpdu;
  const iwarp_span segment = {m->user_data.ptr + IWARP_SCTP_SEGMENT_LEN,
                              m->user_data.len - IWARP_SCTP_SEGMENT_LEN};
  const uint32_t len = m->length - IWARP_SCTP_SEGMENT_LEN;
  f->fpdu.ulpdu_length = (uint16_t)(len < UINT16_MAX ? len : UINT16_MAX);
  f->complete = msg->m.cap == msg->m.len;
  f->crc = msg->m.damaged ? IWARP_CRC_UNCHECKED : IWARP_CRC_GOOD;
  f->offset = IWARP_POS_UNKNOWN;
  f->sync = m->lossless && !m->unsure ? IWARP_SYNC_STARTUP : IWARP_SYNC_CRC;
  iwarp_rdmap_seg_decode(&f->seg, segment, len);
  if (in_place) {
    st->lost_reported[out->side] = st->flow->lost[out->side];
    st->repeated[out->side] = false;
    side->num_fpdus++;
    if (side->full_pos == IWARP_POS_UNKNOWN && f->sync == IWARP_SYNC_STARTUP) {
      side->full_pos = out->pos;
    }
  }
}

static void events_gap(observe *obs, sctp_stream *st, const iwarp_sctp_session_event *ev,
                       bool final) {
  const iwarp_ev_sctp facts = {.ssn = ev->ssn,
                               .has_ssn = true,
                               .missing = ev->missing,
                               .clear = obs_sctp_clear(st),
                               .lossless = obs_sctp_lossless(st, ev->side),
                               .final = final};
  const iwarp_event gap = {.kind = IWARP_EVENT_GAP,
                           .side = ev->side,
                           .pos = st->end[ev->side],
                           .len = ev->missing,
                           .first = st->flow->now,
                           .last = st->flow->now,
                           .u.gap =
                               st->flow->snapped[ev->side] ? IWARP_GAP_SNAPLEN : IWARP_GAP_LOST,
                           .sctp = &facts};
  st->info.side[ev->side].gap = true;
  st->end[ev->side] += ev->missing;
  obs_followed_result(obs, st->conn, &gap);
}

static void events_message(observe *obs, sctp_stream *st, const iwarp_sctp_session_event *ev,
                           const sctp_msg *msg) {
  const bool genuine = obs_sctp_genuine(st, ev, msg);
  obs_sctp_prove(st, ev, msg);
  st->stray = st->stray || (ev->verdict == IWARP_SCTP_STRAY && !genuine) ||
              (st->spoke[ev->side] &&
               msg->pos < st->base[ev->side]); /* it waited since the session before */
  if (!st->spoke[ev->side]) {
    st->spoke[ev->side] = true;
    st->base[ev->side] = msg->pos;
  }
  iwarp_ev_sctp m = events_facts(st, ev, msg);
  iwarp_event out = {.side = ev->side,
                     .pos = msg->pos,
                     .len = msg->len,
                     .first = msg->first,
                     .last = msg->last,
                     .sctp = &m};
  const bool segment = ev->segment.ptr != NULL || ev->chunk == IWARP_SCTP_KIND_SEGMENT;
  const bool in_place = ev->kind == IWARP_SCTP_EVENT_SEGMENT;
  out.kind = in_place ? IWARP_EVENT_SCTP_SEGMENT : IWARP_EVENT_SCTP_MESSAGE;
  if (segment) {
    events_segment(st, &out, &m, msg, in_place);
  } else if (ev->reason != IWARP_SCTP_REASON_PPID) {
    events_control(&m);
  }
  st->repeated[ev->side] = st->repeated[ev->side] || ev->reason == IWARP_SCTP_REASON_SSN;
  st->stray =
      st->stray || (ev->reason != IWARP_SCTP_REASON_NONE && !genuine) || obs_sctp_abrupt(ev);
  st->info.side[ev->side].seen = true;
  st->info.side[ev->side].gap = !m.lossless;
  st->info.side[1 - ev->side].gap = !obs_sctp_lossless(st, 1 - ev->side);
  const uint64_t end = msg->pos + msg->len;
  events_learn(st, ev, &m, end);
  st->end[ev->side] = end > st->end[ev->side] ? end : st->end[ev->side];
  st->out[ev->side] = end > st->out[ev->side] ? end : st->out[ev->side];
  obs_followed_result(obs, st->conn, &out);
}

void obs_sctp_emit(observe *obs, sctp_stream *st, const iwarp_sctp_session_event *ev,
                   const sctp_msg *msg, bool final) {
  if (st->conn != NULL && ev->session != st->current) {
    obs_sctp_conn_close(obs, st, IWARP_END_FIN);
    st->joined = false;
  }
  if (st->conn == NULL) {
    st->current = ev->session;
    obs_sctp_conn_open(obs, st, msg);
  }
  if (st->conn == NULL) {
    return;
  }
  if (msg != NULL) {
    st->conn->packet = msg->last.packet > st->conn->packet ? msg->last.packet : st->conn->packet;
    st->conn->time_ns = msg->last.time_ns;
    events_message(obs, st, ev, msg);
  } else {
    events_gap(obs, st, ev, final);
  }
}
