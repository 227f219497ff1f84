/* SPDX-License-Identifier: BSD-2-Clause */
/* Terminate Messages that a side sends on one stream of an association after the other, with
 * nothing received between them: RFC 5043 11.3. One that returns a segment, or its length, is about
 * an error of its own stream. */
#include "sctp_observer_priv.h"

void iwarp_sctp_assoc_ended(iwarp_sctp_assoc *assoc, uint8_t side) {
  assoc->ended[side] = true;
  assoc->ended_sessions = assoc->sessions;
  assoc->ended_burst = assoc->burst[side].streams;
}

static uint32_t burst_error(const iwarp_rdmap_term *t) {
  return (uint32_t)t->layer << 16 | (uint32_t)t->etype << 8 | t->code;
}

/* Lets the next Terminate Message of the side begin another burst. */
static void burst_break(iwarp_sctp_burst *burst) {
  burst->number++;
  burst->streams = 0;
}

static void burst_terminate(iwarp_sctp_observer *obs, const iwarp_event *ev) {
  iwarp_sctp_burst *burst = &obs->assoc->burst[ev->side];
  const iwarp_rdmap_term *t = &ev->u.fpdu.seg.u.term;
  const uint64_t heard = obs->assoc->next[1 - ev->side];
  if (t->m || t->d || burst->streams == 0 || burst->error != burst_error(t) ||
      burst->heard != heard) {
    burst_break(burst);
  }
  if (t->m || t->d || obs->burst[ev->side] == burst->number) {
    return;
  }
  burst->streams++;
  burst->error = burst_error(t);
  burst->stream = obs->stream;
  burst->heard = heard;
  burst->pos = ev->pos;
  burst->last = ev->last;
  obs->burst[ev->side] = burst->number;
}

void iwarpi_sctp_observer_burst_note(iwarp_sctp_observer *obs, const iwarp_event *ev) {
  if (!obs->accepted && obs->facts.state == IWARP_SCTP_STATE_EST) {
    obs->accepted = true;
    obs->assoc->sessions++;
  }
  if (obs->accepted && ev->kind == IWARP_EVENT_SCTP_SEGMENT &&
      ev->u.fpdu.seg.kind == IWARP_RDMAP_KIND_TERM) {
    burst_terminate(obs, ev);
  }
}

static bool burst_has(const iwarp_sctp_observer *obs, uint8_t side) {
  return obs->accepted && obs->burst[side] != 0 &&
         obs->burst[side] == obs->assoc->burst[side].number;
}

void iwarpi_sctp_observer_burst_end(iwarp_sctp_observer *obs, uint8_t side) {
  const iwarp_sctp_assoc *assoc = obs->assoc;
  const iwarp_sctp_burst *burst = &assoc->burst[side];
  if (assoc->ended[side] && burst_has(obs, side) && burst->stream == obs->stream) {
    obs->facts.burst = assoc->ended_burst;
    obs->facts.sessions = assoc->ended_sessions;
    obs->facts.burst_pos = burst->pos;
    obs->facts.burst_last = burst->last;
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
