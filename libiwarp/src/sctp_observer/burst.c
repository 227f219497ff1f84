/* SPDX-License-Identifier: BSD-2-Clause */
/* Terminate Messages that a side sends on one stream of an association after the other, with
 * nothing received between them: RFC 5043 11.3. One that returns a segment, or its length, is about
 * an error of its own stream. */
#include "state.h"

void iwarp_sctp_assoc_ended(iwarp_sctp_assoc *assoc, uint8_t side, uint64_t packet) {
  assoc->ended[side] = true;
  assoc->ended_packet = packet;
  assoc->ended_sessions = assoc->sessions;
  assoc->ended_burst = assoc->burst[side].streams;
}

static uint32_t burst_error(const iwarp_rdmap_term *t) {
  return (uint32_t)t->layer << 16 | (uint32_t)t->etype << 8 | t->code;
}

/* Its sender may have received a message since the last Terminate Message of the burst: one came,
 * or was captured between the two, or they acknowledge another number of messages. */
static bool burst_heard(const iwarp_sctp_observer *obs, const iwarp_event *ev) {
  const iwarp_sctp_assoc *assoc = obs->assoc;
  const iwarp_sctp_burst *burst = &assoc->burst[ev->side];
  const uint8_t peer = 1 - ev->side;
  const uint64_t packet = assoc->heard_packet[peer];
  const uint64_t received = obs->facts.certainty.received;
  const bool known = burst->received != 0 && received != 0;
  return burst->heard != assoc->next[peer] ||
         (packet > burst->last.packet && packet < ev->first.packet) ||
         (known && burst->received != received);
}

/* Lets the Terminate Message be the last of the burst, unless it was sent before that one. */
static void burst_last(iwarp_sctp_burst *burst, const iwarp_sctp_observer *obs,
                       const iwarp_event *ev) {
  if (burst->streams == 1 || ev->pos > burst->pos) {
    burst->stream = obs->stream;
    burst->pos = ev->pos;
    burst->last = ev->last;
  }
}

static void burst_terminate(iwarp_sctp_observer *obs, const iwarp_event *ev) {
  iwarp_sctp_burst *burst = &obs->assoc->burst[ev->side];
  const uint64_t received = obs->facts.certainty.received;
  const iwarp_rdmap_term *t = &ev->u.fpdu.seg.u.term;
  if (t->m || t->d || burst->streams == 0 || burst->error != burst_error(t) ||
      burst_heard(obs, ev)) {
    burst->number++; /* it begins another */
    burst->streams = 0;
    burst->received = 0;
  }
  if (t->m || t->d || obs->burst[ev->side] == burst->number) {
    return;
  }
  burst->streams++;
  burst->error = burst_error(t);
  burst->heard = obs->assoc->next[1 - ev->side];
  burst->received = received != 0 ? received : burst->received;
  burst_last(burst, obs, ev);
  obs->burst[ev->side] = burst->number;
}

/* The session is accepted, and a side may still send. */
static bool burst_under_way(iwarp_sctp_state state) {
  return state == IWARP_SCTP_STATE_EST || state == IWARP_SCTP_STATE_T_SENT ||
         state == IWARP_SCTP_STATE_T_RCVD;
}

/* The octets of the message, or its place, are not certain: it may be a Terminate Message, or begin
 * or end a session. */
static bool burst_unconfirmed(const iwarp_sctp_observer *obs, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  const bool segment = ev->kind == IWARP_EVENT_SCTP_SEGMENT && !ev->u.fpdu.complete;
  const bool terminate = !seg->has_ddp || seg->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE;
  const bool cut = segment && terminate && seg->kind != IWARP_RDMAP_KIND_TERM;
  return obs->stray || obs->facts.u.message.captured->evidence.maybe_retransmitted ||
         ev->last.damaged || cut;
}

void iwarpi_sctp_observer_burst_note(iwarp_sctp_observer *obs, const iwarp_event *ev) {
  iwarp_sctp_assoc *assoc = obs->assoc;
  const bool under_way = burst_under_way(obs->facts.u.message.state);
  obs->state = obs->facts.u.message.state;
  assoc->unconfirmed = assoc->unconfirmed || burst_unconfirmed(obs, ev);
  if (!under_way) {
    iwarpi_sctp_observer_burst_over(obs);
  } else if (!obs->accepted) {
    obs->accepted = true;
    assoc->sessions++;
  }
  if (under_way && ev->kind == IWARP_EVENT_SCTP_SEGMENT &&
      ev->u.fpdu.seg.kind == IWARP_RDMAP_KIND_TERM) {
    burst_terminate(obs, ev);
  }
  if (ev->last.packet > assoc->heard_packet[ev->side]) {
    assoc->heard_packet[ev->side] = ev->last.packet;
  }
}

static bool burst_has(const iwarp_sctp_observer *obs, uint8_t side) {
  return obs->accepted && obs->burst[side] != 0 &&
         obs->burst[side] == obs->assoc->burst[side].number;
}

void iwarpi_sctp_observer_burst_end(iwarp_sctp_observer *obs, uint8_t side) {
  const iwarp_sctp_assoc *assoc = obs->assoc;
  const iwarp_sctp_burst *burst = &assoc->burst[side];
  const bool last = burst_has(obs, side) && burst->stream == obs->stream;
  if (!assoc->ended[side] || obs->state == IWARP_SCTP_STATE_DRAIN) {
    return;
  }
  iwarp_sctp_burst_end *end = &obs->facts.certainty.burst;
  end->ended = true;
  end->ended_packet = assoc->ended_packet;
  end->certain = iwarpi_sctp_observer_complete(assoc) && !assoc->unconfirmed;
  if (last) {
    end->streams = assoc->ended_burst;
    end->sessions = assoc->ended_sessions;
    end->pos = burst->pos;
    end->last = burst->last;
  }
}

void iwarpi_sctp_observer_burst_over(iwarp_sctp_observer *obs) {
  for (uint8_t side = 0; side < 2; side++) {
    obs->assoc->burst[side].streams -= burst_has(obs, side) ? 1u : 0u;
    obs->burst[side] = 0;
  }
  obs->assoc->sessions -= obs->accepted ? 1u : 0u;
  obs->accepted = false;
}
