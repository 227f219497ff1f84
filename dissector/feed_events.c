/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns events and findings into the records of frames. */
#include "feed_events.h"

#include <iwarp/sctp_observer.h>
#include <report/conn.h>
#include <report/dump.h>
#include <report/names.h>

#include "diagnoses.h"
#include "prefs.h"
#include "records.h"
#include "stags.h"
#include "takeover.h"

/* ---- where the octets of a PDU are ---- */

/* Returns true if the octets of the PDU are contiguous in the current frame. */
static bool event_in_frame(const feed_now *now, const frame_pdu *pdu, size_t len) {
  const ingest_event *ev = now->tcp;
  if (ev == NULL || now->packet == NULL || pdu->side != ev->side || pdu->pos < ev->pos ||
      pdu->pos + len > ev->pos + ev->len) {
    return false;
  }
  return ev->data >= now->packet->data &&
         ev->data + ev->len <= now->packet->data + now->packet->caplen;
}

static void event_octets(const feed_now *now, frame_pdu *pdu, pdu_rest *rest, iwarp_span octets) {
  rest->cap = (guint32)octets.len;
  if (event_in_frame(now, pdu, octets.len)) {
    pdu->at = (guint32)(now->tcp->data - now->packet->data) + (guint32)(pdu->pos - now->tcp->pos);
  } else if (octets.len > 0) {
    rest->copy = wmem_memdup(wmem_file_scope(), octets.ptr, octets.len);
  }
}

static bool event_aligned(const feed_now *now, const frame_pdu *pdu) {
  const ingest_event *ev = now->tcp;
  if (ev != NULL && ev->side == pdu->side && ev->pos == pdu->pos) {
    return ev->segment_start;
  }
  return conn_aligned(pdu->conn, pdu->side, pdu->pos);
}

/* ---- the PDU ---- */

/* The place of an FPDU between two Markers, in words: the first Marker of its layout tells. */
static guint8 event_phase(const iwarp_mpa_layout *layout) {
  if (layout->lead != 0) {
    return 0;
  }
  /* Without a Marker the layout is the same wherever none fits: right after one. */
  const guint32 ahead = layout->first_marker != 0 ? layout->first_marker : IWARP_MPA_MARKER_STRIDE;
  return (guint8)((IWARP_MPA_MARKER_PERIOD - ahead) / IWARP_MPA_MARKER_LEN);
}

/* `pos` is the position of ULPDU_Length. */
static void event_offset(frame_pdu *pdu, pdu_rest *rest, guint64 pos, guint64 offset) {
  conn *c = pdu->conn;
  pdu->offset_known = offset != IWARP_POS_UNKNOWN;
  if (pdu->offset_known) {
    c->base[pdu->side] = c->based[pdu->side] ? c->base[pdu->side] : pos - offset;
    c->based[pdu->side] = true;
    rest->base_skew = pos - offset - c->base[pdu->side];
  }
}

static void event_fpdu(frame_pdu *pdu, pdu_rest *rest, const iwarp_event *ev) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  event_offset(pdu, rest, ev->pos, v->offset);
  pdu->ulpdu_length = v->fpdu.ulpdu_length;
  pdu->markers = v->fpdu.markers;
  pdu->phase = v->fpdu.markers ? event_phase(&v->fpdu.layout) : 0;
  pdu->whole = v->fpdu.wire.len == v->fpdu.layout.wire_len;
  pdu->crc = v->crc & 3u;
  pdu->pad_present = v->pad_present;
  pdu->crc_present = v->crc_present;
  pdu->term_place = v->term_place & 3u;
  memcpy(rest->pad, v->fpdu.pad, sizeof rest->pad);
  rest->crc_value = v->fpdu.crc;
  rest->crc_expected = v->crc_computed;
}

/* A message with a segment that has no place in the session is shown like one that has. */
static void event_sctp(frame_pdu *pdu, pdu_rest *rest, const iwarp_ev_sctp_message *m) {
  pdu->kind = FRAME_PDU_UNDECODABLE;
  if (m->has_control) {
    pdu->kind = FRAME_PDU_SCTP_CONTROL;
  } else if (m->has_ssn && m->reason != IWARP_SCTP_REASON_SHORT) {
    pdu->kind = FRAME_PDU_SCTP_SEGMENT;
    pdu->ulpdu_length = (guint16)MIN(m->captured->length - IWARP_SCTP_SEGMENT_LEN, G_MAXUINT16);
  }
  rest->len = m->captured->length;
}

/* False: nothing to show. */
static bool event_kind(frame_pdu *pdu, pdu_rest *rest, const iwarp_event *ev) {
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP:
    pdu->kind = FRAME_PDU_STARTUP;
    pdu->reply = ev->u.startup.is_reply;
    return true;
  case IWARP_EVENT_FPDU:
    pdu->kind = FRAME_PDU_FPDU;
    event_fpdu(pdu, rest, ev);
    return true;
  case IWARP_EVENT_GAP:
    pdu->kind = FRAME_PDU_GAP;
    pdu->reason = ev->u.gap & 3u;
    rest->len = ev->sctp != NULL ? ev->sctp->u.gap.missing : ev->len;
    return true;
  case IWARP_EVENT_UNDECODABLE:
    pdu->kind = FRAME_PDU_UNDECODABLE;
    pdu->reason = ev->u.undecodable & 3u;
    return true;
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT:
    event_sctp(pdu, rest, &ev->sctp->u.message);
    pdu->term_place = ev->u.fpdu.term_place & 3u;
    return true;
  case IWARP_EVENT_SCTP_INIT:
    pdu->kind = FRAME_PDU_SCTP_INIT;
    pdu->reply = ev->sctp->u.init.params->ack;
    return ev->sctp->u.init.params->has_adaptation;
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_END: break;
  }
  return false;
}

/* Returns the octets of a PDU. An event that holds values in place of octets is encoded into
 * `made`. */
static iwarp_span event_octets_of(guint64 *pos, const iwarp_event *ev,
                                  uint8_t made[REPORT_FRAME_CAP]) {
  uint64_t begin;
  iwarp_span octets = report_event_octets(ev, &begin, made);
  if (ev->kind == IWARP_EVENT_SCTP_INIT) {
    const iwarp_sctp_assoc_params *init = ev->sctp->u.init.params;
    const iwarp_sctp_adaptation parameter = {
        .type = IWARP_SCTP_ADAPTATION_TYPE,
        .length = (uint16_t)(IWARP_SCTP_ADAPTATION_LEN + init->adaptation_surplus),
        .indication = init->adaptation};
    octets.ptr = made;
    iwarp_sctp_adaptation_encode(made, REPORT_FRAME_CAP, &octets.len, &parameter);
  }
  *pos = begin;
  return octets;
}

/* The frame of an item, which is never later than the one that is being taken. */
static guint32 event_frame(const feed_now *now, const iwarp_meta *meta) {
  return (guint32)(meta->packet != 0 || now->packet == NULL ? meta->packet : now->packet->number);
}

/* TCP delivers octets that came before their turn when the missing ones come: so do we. */
static void event_upper(const feed_now *now, frame_pdu *pdu) {
  pdu->delivered_later = now->tcp != NULL && now->packet != NULL &&
                         now->tcp->packet < now->packet->number && now->in_turn == pdu->conn &&
                         now->in_turn_side == pdu->side;
  if (pdu->delivered_later) {
    frames_add_delivery((guint32)now->packet->number, pdu);
  } else {
    pdu->upper = true;
  }
}

static void event_segment(const feed_now *now, frame_pdu *pdu, const iwarp_rdmap_seg *seg,
                          const messages_octets *octets, const iwarp_link *link) {
  messages_segment(&pdu->conn->messages[pdu->side], pdu, octets, seg, link);
  stags_segment(pdu->conn->stags, pdu, seg);
  if (seg->has_ddp) {
    conn_msn(pdu, &seg->ddp);
  }
  if (messages_for_upper(seg)) {
    event_upper(now, pdu);
  }
}

void feed_link(void *ctx, observe_conn *observed, const iwarp_event *ev, const iwarp_link *link) {
  const feed_now *now = ctx;
  frame_pdu *pdu = now->made;
  (void)observed;
  if (pdu->kind != FRAME_PDU_FPDU && pdu->kind != FRAME_PDU_SCTP_SEGMENT) {
    return; /* a message over SCTP without a place in the session */
  }
  event_segment(now, pdu, &ev->u.fpdu.seg, &(messages_octets){.ev = ev}, link);
  exchanges_segment(pdu->conn->exchanges, pdu, ev, link);
}

/* Lets the upper layers read the Private Data of the Request. */
static void event_request(conn *c, const iwarp_event_startup *v) {
  c->request_data = (iwarp_span){NULL, 0};
  if (v->ulp_data.len > 0) {
    c->request_data.ptr = wmem_memdup(wmem_file_scope(), v->ulp_data.ptr, v->ulp_data.len);
    c->request_data.len = v->ulp_data.len;
  }
}

static void event_startup(frame_pdu *pdu, const observe_conn *observed, const iwarp_event *ev) {
  negotiation_startup(pdu, ev->last.time_ns, observed->info);
  if (!pdu->reply) {
    event_request(pdu->conn, &ev->u.startup);
  }
}

/* MSNs count from 1 after the startup; missing octets may have held any. RFC 5041 5.3 */
static void event_queues(const frame_pdu *pdu) {
  guint32 *next = pdu->conn->next_msn[pdu->side];
  const bool begins = pdu->kind == FRAME_PDU_STARTUP;
  const bool lost = pdu->kind == FRAME_PDU_GAP || pdu->kind == FRAME_PDU_UNDECODABLE;
  for (guint i = 0; i < CONN_QUEUES && (begins || lost); i++) {
    next[i] = begins ? 1 : 0;
  }
  if (begins || lost) {
    messages_lost(&pdu->conn->messages[pdu->side]);
  }
}

/* Returns true if all that is known of a PDU follows from its octets and its frame. */
static bool event_is_plain(const frame_pdu *pdu, const pdu_rest *rest) {
  return pdu->whole && rest->copy == NULL && rest->first_frame == pdu->frame &&
         pdu->crc != IWARP_CRC_BAD && rest->base_skew == 0;
}

/* Keeps a PDU with its octets, for its frame and for those that hold a part of it. */
static frame_pdu *event_keep(const feed_now *now, frame_pdu *pdu, pdu_rest *rest,
                             iwarp_span octets) {
  event_octets(now, pdu, rest, octets);
  pdu->aligned = event_aligned(now, pdu);
  frame_pdu *made = frames_add_pdu(pdu, event_is_plain(pdu, rest) ? NULL : rest);
  if (pdu->kind == FRAME_PDU_GAP && !pdu->conn->sctp) {
    conn_gap(made);
  } else if (!pdu->conn->sctp) {
    conn_covered(made);
  }
  if (now->packet != NULL && pdu->frame < now->packet->number) {
    frames_add_late((guint32)now->packet->number, pdu->conn, pdu->frame, -1);
  }
  return made;
}

void feed_event(void *ctx, observe_conn *observed, const iwarp_event *ev) {
  feed_now *now = ctx;
  uint8_t made_octets[REPORT_FRAME_CAP];
  frame_pdu pdu = {.conn = conn_of(observed),
                   .side = ev->side & 1u,
                   .role = report_sender_role(observed->info, ev) & 3u,
                   .frame = event_frame(now, &ev->last)};
  pdu_rest rest = {.len = ev->len, .first_frame = event_frame(now, &ev->first)};
  if (!event_kind(&pdu, &rest, ev)) {
    return;
  }
  event_queues(&pdu);
  guint64 pos;
  const iwarp_span octets = event_octets_of(&pos, ev, made_octets);
  pdu.pos = pos;
  frame_pdu *made = now->made = event_keep(now, &pdu, &rest, octets);
  if (pdu.kind == FRAME_PDU_STARTUP) {
    event_startup(made, observed, ev);
  }
}

void feed_fpdu(void *ctx, observe_conn *observed, const iwarp_observer_fpdu *f,
               const iwarp_link *link) {
  const feed_now *now = ctx;
  const iwarp_observer_info *info = observed->info;
  const guint32 frame = event_frame(now, &f->meta);
  frame_pdu pdu = {.conn = conn_of(observed),
                   .kind = FRAME_PDU_FPDU,
                   .side = f->side & 1u,
                   .role = info->side[f->side].role & 3u,
                   .frame = frame,
                   .pos = f->pos,
                   .ulpdu_length = f->ulpdu_length,
                   .crc =
                       (info->crc == IWARP_TRISTATE_ON ? IWARP_CRC_GOOD : IWARP_CRC_UNCHECKED) & 3u,
                   .whole = true,
                   .pad_present = true,
                   .crc_present = true};
  pdu_rest rest = {.first_frame = frame};
  event_offset(&pdu, &rest, f->pos, f->offset);
  const size_t header = f->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const iwarp_rdmap_seg seg = {.has_ddp = true,
                               .ddp = f->ddp,
                               .ctrl = {.rv = IWARP_RDMAP_VERSION, .opcode = f->opcode},
                               .payload_len = f->payload_len};
  const messages_octets octets = {
      .payload = {f->wire.ptr + IWARP_MPA_LENGTH_LEN + header, f->payload_len}};
  event_segment(now, event_keep(now, &pdu, &rest, f->wire), &seg, &octets, link);
}

void feed_finding(void *ctx, observe_conn *observed, const iwarp_finding *finding,
                  const iwarp_event *ev) {
  const feed_now *now = ctx;
  const guint32 frame = event_frame(now, &finding->last);
  (void)ev;
  if (!prefs_iwarp.rules) {
    return; /* they are asked for what they know of requests and responses */
  }
  frames_add_finding(frame, conn_of(observed), finding);
  if (now->packet != NULL && frame < now->packet->number) {
    frames_add_late((guint32)now->packet->number, conn_of(observed), frame, finding->rule);
  }
}

void feed_closed(void *ctx, observe_conn *observed) {
  const observe_outcome *outcome = &observed->outcome;
  conn *c = conn_of(observed);
  (void)ctx;
  negotiation_end(c, observed->info);
  diagnoses_closed(c, observed);
  if (!outcome->ended || outcome->packet == 0) {
    return;
  }
  frame_rest *rest = frames_rest((guint32)outcome->packet, c);
  rest->outcome = report_outcome_name(outcome->how);
  rest->accused = outcome->terminate != NULL ? (guint32)outcome->terminate->about : 0;
  if (rest->accused != 0) {
    frames_rest(rest->accused, c)->accused_by = (guint32)outcome->packet;
  }
}

void feed_octets(feed_now *now, observe_conn *observed) {
  const ingest_event *ev = now->tcp;
  if (observed == NULL) {
    return;
  }
  conn *c = conn_of(observed);
  const conn_span span = {.pos = ev->pos,
                          .end = ev->pos + ev->len,
                          .frame = (guint32)ev->packet,
                          .segment_start = ev->segment_start};
  memcpy(c->addr, ev->addr, sizeof c->addr);
  c->octets[ev->side] = true;
  frames_carry(span.frame, c);
  conn_octets(c, ev->side, &span);
  if (now->packet != NULL) {
    takeover_conn(c, records_frame((guint32)now->packet->number));
  }
  if (now->packet != NULL && ev->packet == now->packet->number) {
    now->in_turn = c;
    now->in_turn_side = ev->side;
  }
}
