/* SPDX-License-Identifier: BSD-2-Clause */
/* What the session engine of a DDP stream says, as events for rules and reports. */
#include <stdlib.h>
#include <string.h>

#include "sctp.h"

/* ---- connections: one for each session ---- */

void sctp_tell_limit(sctp_stream *st, const char *name) {
  if (st->conn != NULL) {
    session_conn_limit(st->conn, name);
  } else {
    st->limit = name;
  }
}

static session_conn *sctp_tell_make(session *s, sctp_stream *st) {
  session_conn *c = calloc(1, sizeof *c);
  if (c == NULL) {
    return NULL;
  }
  c->report.info = &st->info;
  c->report.file = s->file;
  if (s->hooks.finding != NULL && !session_rules_make(s, c)) {
    session_conn_release(c);
    return NULL;
  }
  session_addr(c->report.addr[0], &st->flow->addr[0]);
  session_addr(c->report.addr[1], &st->flow->addr[1]);
  return c;
}

/* INIT and INIT ACK are told to the first session of the association. */
static void sctp_tell_inits(session *s, sctp_stream *st) {
  sctp_flow *f = st->flow;
  for (uint8_t side = 0; side < 2 && !f->told; side++) {
    const ingest_sctp_init *init = &f->init[side];
    const bool peer = f->init_seen[1 - side];
    const iwarp_ev_sctp facts = {.ack = init->ack,
                                 .whole = init->whole,
                                 .has_adaptation = init->has_adaptation,
                                 .adaptation = init->adaptation,
                                 .out_streams = init->out_streams,
                                 .in_streams = init->in_streams,
                                 .granted = peer ? f->init[1 - side].in_streams : 0};
    const iwarp_event ev = {.kind = IWARP_EVENT_SCTP_INIT,
                            .side = side,
                            .pos = init->tsn,
                            .first = f->init_meta[side],
                            .last = f->init_meta[side],
                            .sctp = &facts};
    if (f->init_seen[side]) {
      session_result(s, st->conn, &ev);
    }
  }
  f->told = true;
}

/* A limit was reached while the session was open. */
static void sctp_tell_flow_limit(sctp_stream *st) {
  if (st->limits != st->flow->limits) {
    sctp_tell_limit(st, st->flow->limit);
    st->flow->limit_told = true;
  }
}

/* What a limit cost before may have been the beginning of this session. */
static void sctp_tell_open_limit(sctp_stream *st) {
  sctp_flow *f = st->flow;
  st->limits = f->limits;
  if (st->limit != NULL) {
    sctp_tell_limit(st, st->limit);
    st->limit = NULL;
  } else if (f->limit != NULL && (st->joined || !f->limit_told)) {
    sctp_tell_limit(st, f->limit);
    f->limit_told = true;
  }
}

static void sctp_tell_open(session *s, sctp_stream *st, const sctp_msg *msg) {
  memset(&st->info, 0, sizeof st->info);
  st->info.sctp = true;
  st->info.sctp_stream = st->id;
  st->info.crc = IWARP_TRI_ON;
  st->info.crc_by = IWARP_SETTLED_NEGOTIATED;
  for (uint8_t i = 0; i < 2; i++) {
    st->info.side[i].full_pos = IWARP_POS_UNKNOWN;
    st->info.side[i].start_known = st->flow->start_known[i];
    st->end[i] = 0;
    st->lost_base[i] = st->flow->lost[i];
    st->lost_told[i] = st->flow->lost[i];
    st->repeated[i] = false;
    st->resumed[i] = false;
    st->spoke[i] = false;
  }
  st->opened = st->proven = false;
  if (msg != NULL) {
    st->end[msg->side] = msg->pos;
  }
  st->conn = sctp_tell_make(s, st);
  if (st->conn == NULL) { /* the session is not followed, and its next message is in its midst */
    session_limit(s, ingest_limit_name(INGEST_LIMIT_MEMORY), 1);
    st->joined = true;
    return;
  }
  sctp_tell_open_limit(st);
  sctp_tell_inits(s, st);
}

static bool sctp_tell_lossless(const sctp_stream *st, uint8_t side) {
  return !st->joined && st->flow->start_known[side] && st->flow->lost[side] == st->lost_base[side];
}

static bool sctp_tell_lossless_both(const sctp_stream *st) {
  return sctp_tell_lossless(st, 0) && sctp_tell_lossless(st, 1);
}

/* Nothing of the association is missing. */
static bool sctp_tell_complete(const sctp_flow *f) {
  return f->start_known[0] && f->start_known[1] && f->lost[0] == 0 && f->lost[1] == 0;
}

/* Where messages are missing, or came out of order, those of one session may look like those of the
 * next: only when all is at hand, or since acknowledgments proved where the session begins, it is
 * certain which session a message belongs to. */
static bool sctp_tell_clear(const sctp_stream *st) {
  return !st->stray &&
         (sctp_tell_complete(st->flow) || (st->proven && sctp_tell_lossless_both(st)));
}

void sctp_tell_close(session *s, sctp_stream *st, iwarp_end how) {
  session_conn *c = st->conn;
  if (c == NULL) {
    return;
  }
  sctp_tell_flow_limit(st);
  for (uint8_t side = 0; side < 2; side++) {
    const iwarp_ev_sctp facts = {.lossless = sctp_tell_lossless(st, side),
                                 .clear = sctp_tell_clear(st)};
    const iwarp_event ev = {.kind = IWARP_EVENT_END,
                            .side = side,
                            .pos = st->end[side],
                            .first = {.packet = c->packet, .time_ns = c->time_ns},
                            .last = {.packet = c->packet, .time_ns = c->time_ns},
                            .u.end = how,
                            .sctp = &facts};
    st->info.side[side].end = how;
    session_result(s, c, &ev);
  }
  session_judge_end(s, c);
  session_conn_release(c);
  st->conn = NULL;
}

/* ---- what is known of the session ---- */

static bool sctp_tell_is_answer(iwarp_sctp_kind kind) {
  return kind == IWARP_SCTP_KIND_ACCEPT || kind == IWARP_SCTP_KIND_REJECT;
}

/* Initiate and its answer, as Request and Reply. */
static void sctp_tell_learn(sctp_stream *st, const iwarp_sctp_event *ev, const iwarp_ev_sctp *m,
                            uint64_t end) {
  iwarp_conn_side *side = &st->info.side[ev->side];
  const bool answer = sctp_tell_is_answer(ev->chunk);
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

/* What a message that answers an Initiate is, though its form may be wrong. */
static bool sctp_tell_answers(const iwarp_sctp_event *ev) {
  const bool form = ev->reason == IWARP_SCTP_REASON_FUNCTION &&
                    iwarp_sctp_function_get(ev->control.function) != NULL;
  return form || (sctp_tell_is_answer(ev->chunk) && ev->reason == IWARP_SCTP_REASON_NONE);
}

/* Below this its sender had received all, and nothing more; 0: not known. */
static uint64_t sctp_tell_received(const sctp_msg *msg) {
  return msg->m.received_more ? 0 : msg->m.received;
}

/* In the first session of a stream of which nothing is missing, an answer answers its Initiate, in
 * whatever order both were captured. */
static uint64_t sctp_tell_knew(const sctp_stream *st, const iwarp_sctp_event *ev,
                               const sctp_msg *msg) {
  const uint64_t received = sctp_tell_received(msg);
  const uint8_t peer = 1 - ev->side;
  const bool first = ev->session == 1 && !st->flow->gave_up && sctp_tell_complete(st->flow) &&
                     !st->stray && sctp_tell_answers(ev) && st->info.side[peer].has_startup;
  return first && received < st->initiate_end ? st->initiate_end : received;
}

/*
 * A message without a place is what its sender did, and not due to the order of the capture: it is
 * wrong in itself, or its sender knew what came out of the other side, and nothing else. A segment
 * can be said to have no place without that: what makes a place for it comes from its own side.
 */
static bool sctp_tell_genuine(const sctp_stream *st, const iwarp_sctp_event *ev,
                              const sctp_msg *msg) {
  const bool knew = sctp_tell_lossless_both(st) && sctp_tell_received(msg) >= st->out[1 - ev->side];
  if (ev->reason == IWARP_SCTP_REASON_PPID || ev->reason == IWARP_SCTP_REASON_SHORT ||
      ev->reason == IWARP_SCTP_REASON_LENGTH) {
    return true;
  }
  if (ev->reason == IWARP_SCTP_REASON_FUNCTION) {
    return !sctp_tell_answers(ev) || (st->info.side[1 - ev->side].has_startup &&
                                      sctp_tell_knew(st, ev, msg) >= st->initiate_end);
  }
  return knew && (msg->m.cause_seen || ev->chunk == IWARP_SCTP_KIND_SEGMENT);
}

/* An Initiate that does not wait for the other side's Terminate: what that side still sends may
 * belong to the session before. */
static bool sctp_tell_abrupt(const iwarp_sctp_event *ev) {
  return ev->chunk == IWARP_SCTP_KIND_INITIATE && ev->verdict == IWARP_SCTP_NOTE;
}

/* Notes what the message says of the certainty of its session, before it is told. */
static void sctp_tell_prove(sctp_stream *st, const iwarp_sctp_event *ev, const sctp_msg *msg) {
  const uint64_t received = sctp_tell_received(msg);
  const uint8_t peer = 1 - ev->side;
  if (sctp_tell_answers(ev) && st->opened && sctp_tell_lossless_both(st) &&
      received >= st->initiate_end && st->info.side[peer].has_startup) {
    st->stray = false;
    st->proven = true;
  }
  st->opened = st->opened && ev->reason == IWARP_SCTP_REASON_NONE;
  if (ev->chunk == IWARP_SCTP_KIND_INITIATE && ev->verdict <= IWARP_SCTP_NOTE) {
    st->opened = ev->reason == IWARP_SCTP_REASON_NONE && received >= st->flow->next[peer];
  }
}

static void sctp_tell_control(iwarp_ev_sctp *out) {
  if (iwarp_sctp_control_decode(&out->control, out->user_data).err != IWARP_OK) {
    return;
  }
  const iwarp_span word = iwarp_sctp_control_enhanced(&out->control);
  out->has_control = true;
  out->ulp_data = iwarp_sctp_control_ulp_data(&out->control);
  out->enhanced = word.len != 0 && iwarp_mpa_enhanced_decode(&out->enh, word).err == IWARP_OK;
}

static iwarp_ev_sctp sctp_tell_facts(const sctp_stream *st, const iwarp_sctp_event *ev,
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
      .received = sctp_tell_knew(st, ev, msg),
      .kind = ev->chunk,
      .verdict = ev->verdict,
      .reason = ev->reason,
      .state = ev->state,
      .unsure = ev->unsure,
      .doubt = st->repeated[ev->side] || st->lost_told[ev->side] != st->flow->lost[ev->side] ||
               (!sctp_tell_lossless(st, ev->side) && msg->pos < st->end[ev->side]),
      .clear = sctp_tell_clear(st),
      .lossless = sctp_tell_lossless(st, ev->side)};
  return m;
}

static void sctp_tell_segment(sctp_stream *st, iwarp_event *out, const iwarp_ev_sctp *m,
                              const sctp_msg *msg, bool in_place) {
  iwarp_conn_side *side = &st->info.side[out->side];
  iwarp_ev_fpdu *f = &out->u.fpdu;
  const iwarp_span segment = {m->user_data.ptr + IWARP_SCTP_SEGMENT_LEN,
                              m->user_data.len - IWARP_SCTP_SEGMENT_LEN};
  const uint32_t len = m->length - IWARP_SCTP_SEGMENT_LEN;
  f->fpdu.ulpdu_length = (uint16_t)(len < UINT16_MAX ? len : UINT16_MAX);
  f->complete = msg->m.cap == msg->m.len;
  f->crc = msg->m.damaged ? IWARP_CRC_UNCHECKED : IWARP_CRC_GOOD;
  f->offset = IWARP_POS_UNKNOWN;
  f->proof = m->lossless && !m->unsure ? IWARP_PROOF_STARTUP : IWARP_PROOF_CRC;
  iwarp_rdmap_seg_decode(&f->seg, segment, len);
  if (in_place) {
    st->lost_told[out->side] = st->flow->lost[out->side];
    st->repeated[out->side] = false;
    side->num_fpdus++;
    if (side->full_pos == IWARP_POS_UNKNOWN && f->proof == IWARP_PROOF_STARTUP) {
      side->full_pos = out->pos;
    }
  }
}

static void sctp_tell_gap(session *s, sctp_stream *st, const iwarp_sctp_event *ev, bool final) {
  const iwarp_ev_sctp facts = {.ssn = ev->ssn,
                               .has_ssn = true,
                               .missing = ev->missing,
                               .clear = sctp_tell_clear(st),
                               .lossless = sctp_tell_lossless(st, ev->side),
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
  session_result(s, st->conn, &gap);
}

static void sctp_tell_message(session *s, sctp_stream *st, const iwarp_sctp_event *ev,
                              const sctp_msg *msg) {
  const bool genuine = sctp_tell_genuine(st, ev, msg);
  sctp_tell_prove(st, ev, msg);
  st->stray = st->stray || (ev->verdict == IWARP_SCTP_STRAY && !genuine) ||
              (st->spoke[ev->side] &&
               msg->pos < st->base[ev->side]); /* it waited since the session before */
  if (!st->spoke[ev->side]) {
    st->spoke[ev->side] = true;
    st->base[ev->side] = msg->pos;
  }
  iwarp_ev_sctp m = sctp_tell_facts(st, ev, msg);
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
    sctp_tell_segment(st, &out, &m, msg, in_place);
  } else if (ev->reason != IWARP_SCTP_REASON_PPID) {
    sctp_tell_control(&m);
  }
  st->repeated[ev->side] = st->repeated[ev->side] || ev->reason == IWARP_SCTP_REASON_SSN;
  st->stray =
      st->stray || (ev->reason != IWARP_SCTP_REASON_NONE && !genuine) || sctp_tell_abrupt(ev);
  st->info.side[ev->side].seen = true;
  st->info.side[ev->side].gap = !m.lossless;
  st->info.side[1 - ev->side].gap = !sctp_tell_lossless(st, 1 - ev->side);
  const uint64_t end = msg->pos + msg->len;
  sctp_tell_learn(st, ev, &m, end);
  st->end[ev->side] = end > st->end[ev->side] ? end : st->end[ev->side];
  st->out[ev->side] = end > st->out[ev->side] ? end : st->out[ev->side];
  session_result(s, st->conn, &out);
}

void sctp_tell(session *s, sctp_stream *st, const iwarp_sctp_event *ev, const sctp_msg *msg,
               bool final) {
  if (st->conn != NULL && ev->session != st->current) {
    sctp_tell_close(s, st, IWARP_END_FIN);
    st->joined = false;
  }
  if (st->conn == NULL) {
    st->current = ev->session;
    sctp_tell_open(s, st, msg);
  }
  if (st->conn == NULL) {
    return;
  }
  if (msg != NULL) {
    st->conn->packet = msg->last.packet > st->conn->packet ? msg->last.packet : st->conn->packet;
    st->conn->time_ns = msg->last.time_ns;
    sctp_tell_message(s, st, ev, msg);
  } else {
    sctp_tell_gap(s, st, ev, final);
  }
}
