/* SPDX-License-Identifier: BSD-2-Clause */
/* Terminate Messages that a side sends on one stream of an association after the other, with
 * nothing received between them: RFC 5043 11.3. One that returns a segment, or its length, is about
 * an error of its own stream. */
#include "certainty.h"

void iwarp_certainty_ended(iwarp_certainty_assoc *assoc, uint8_t side, uint64_t packet) {
  assoc->ended[side] = true;
  assoc->ended_packet = packet;
  assoc->ended_sessions = assoc->sessions;
  assoc->ended_burst = assoc->burst[side].streams;
}

static uint32_t burst_error(const iwarp_rdmap_term *t) {
  return (uint32_t)t->layer << 16 | (uint32_t)t->etype << 8 | t->code;
}

/* True if the sender may have received a message since the last Terminate Message of the burst. A
 * message came, or was captured between the two, or they acknowledge another number of messages. */
static bool burst_heard(const iwarp_certainty_stream *stream, const iwarp_event *ev) {
  const iwarp_certainty_assoc *assoc = stream->assoc;
  const iwarp_certainty_burst *burst = &assoc->burst[ev->side];
  const uint8_t peer = 1 - ev->side;
  const uint64_t packet = assoc->heard_packet[peer];
  const uint64_t received = stream->known.received;
  const bool known = burst->received != 0 && received != 0;
  return burst->heard != assoc->next[peer] ||
         (packet > burst->last.packet && packet < ev->first.packet) ||
         (known && burst->received != received);
}

/* Lets the Terminate Message be the last of the burst, unless it was sent before that one. */
static void burst_last(iwarp_certainty_burst *burst, const iwarp_certainty_stream *stream,
                       const iwarp_event *ev) {
  if (burst->streams == 1 || ev->pos > burst->pos) {
    burst->stream = stream->id;
    burst->pos = ev->pos;
    burst->last = ev->last;
  }
}

static void burst_terminate(iwarp_certainty_stream *stream, const iwarp_event *ev) {
  iwarp_certainty_burst *burst = &stream->assoc->burst[ev->side];
  const uint64_t received = stream->known.received;
  const iwarp_rdmap_term *t = &ev->u.fpdu.seg.u.term;
  if (t->m || t->d || burst->streams == 0 || burst->error != burst_error(t) ||
      burst_heard(stream, ev)) {
    burst->number++; /* the message begins another burst */
    burst->streams = 0;
    burst->received = 0;
  }
  if (t->m || t->d || stream->burst[ev->side] == burst->number) {
    return;
  }
  burst->streams++;
  burst->error = burst_error(t);
  burst->heard = stream->assoc->next[1 - ev->side];
  burst->received = received != 0 ? received : burst->received;
  burst_last(burst, stream, ev);
  stream->burst[ev->side] = burst->number;
}

/* The session is accepted, and a side may still send. */
static bool burst_under_way(iwarp_sctp_state state) {
  return state == IWARP_SCTP_STATE_EST || state == IWARP_SCTP_STATE_T_SENT ||
         state == IWARP_SCTP_STATE_T_RCVD;
}

/* The octets of the message, or its place, are not certain: it may be a Terminate Message, or begin
 * or end a session. */
static bool burst_unconfirmed(const iwarp_certainty_stream *stream, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  const bool segment = ev->kind == IWARP_EVENT_SCTP_SEGMENT && !ev->u.fpdu.complete;
  const bool terminate = !seg->has_ddp || seg->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE;
  const bool cut = segment && terminate && seg->kind != IWARP_RDMAP_KIND_TERM;
  return stream->session_uncertain || ev->sctp->u.message.captured->evidence.maybe_retransmitted ||
         ev->last.damaged || cut;
}

void rulesi_certainty_burst_note(iwarp_certainty_stream *stream, const iwarp_event *ev) {
  iwarp_certainty_assoc *assoc = stream->assoc;
  stream->state = ev->sctp->u.message.state;
  const bool under_way = burst_under_way(stream->state);
  assoc->unconfirmed = assoc->unconfirmed || burst_unconfirmed(stream, ev);
  if (!under_way) {
    rulesi_certainty_burst_over(stream);
  } else if (!stream->accepted) {
    stream->accepted = true;
    assoc->sessions++;
  }
  if (under_way && ev->kind == IWARP_EVENT_SCTP_SEGMENT &&
      ev->u.fpdu.seg.kind == IWARP_RDMAP_KIND_TERM) {
    burst_terminate(stream, ev);
  }
  if (ev->last.packet > assoc->heard_packet[ev->side]) {
    assoc->heard_packet[ev->side] = ev->last.packet;
  }
}

static bool burst_has(const iwarp_certainty_stream *stream, uint8_t side) {
  return stream->accepted && stream->burst[side] != 0 &&
         stream->burst[side] == stream->assoc->burst[side].number;
}

void rulesi_certainty_burst_end(iwarp_certainty_stream *stream, uint8_t side) {
  const iwarp_certainty_assoc *assoc = stream->assoc;
  const iwarp_certainty_burst *burst = &assoc->burst[side];
  const bool last = burst_has(stream, side) && burst->stream == stream->id;
  if (!assoc->ended[side] || stream->state == IWARP_SCTP_STATE_DRAIN) {
    return;
  }
  iwarp_sctp_burst_end *end = &stream->known.burst;
  end->ended = true;
  end->ended_packet = assoc->ended_packet;
  end->certain = rulesi_certainty_complete(assoc) && !assoc->unconfirmed;
  if (last) {
    end->streams = assoc->ended_burst;
    end->sessions = assoc->ended_sessions;
    end->pos = burst->pos;
    end->last = burst->last;
  }
}

void rulesi_certainty_burst_over(iwarp_certainty_stream *stream) {
  for (uint8_t side = 0; side < 2; side++) {
    stream->assoc->burst[side].streams -= burst_has(stream, side) ? 1u : 0u;
    stream->burst[side] = 0;
  }
  stream->assoc->sessions -= stream->accepted ? 1u : 0u;
  stream->accepted = false;
}
