/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether it is certain to which session a message over SCTP belongs. */
#include "state.h"

bool iwarpi_sctp_observer_lossless(const iwarp_sctp_observer *obs, uint8_t side) {
  return !obs->joined && obs->assoc->start_known[side] &&
         obs->assoc->lost[side] == obs->lost_base[side];
}

static bool doubt_lossless_both(const iwarp_sctp_observer *obs) {
  return iwarpi_sctp_observer_lossless(obs, 0) && iwarpi_sctp_observer_lossless(obs, 1);
}

/* Nothing of the association is missing. */
static bool doubt_complete(const iwarp_sctp_assoc *assoc) {
  return assoc->start_known[0] && assoc->start_known[1] && assoc->lost[0] == 0 &&
         assoc->lost[1] == 0;
}

bool iwarpi_sctp_observer_complete(const iwarp_sctp_assoc *assoc) {
  return doubt_complete(assoc) && !assoc->gave_up;
}

bool iwarpi_sctp_observer_clear(const iwarp_sctp_observer *obs) {
  return !obs->stray && (doubt_complete(obs->assoc) || (obs->proven && doubt_lossless_both(obs)));
}

/* What a message that answers an Initiate is, though its form may be wrong. */
static bool doubt_answers(const iwarp_sctp_session_event *ev) {
  const bool form = ev->reason == IWARP_SCTP_REASON_FUNCTION &&
                    iwarp_sctp_function_get(ev->control.function) != NULL;
  return form ||
         (iwarpi_sctp_observer_is_answer(ev->chunk) && ev->reason == IWARP_SCTP_REASON_NONE);
}

/* In the first session of a stream of which nothing is missing, an answer answers its Initiate, in
 * whatever order both were captured. */
uint64_t iwarpi_sctp_observer_knew(const iwarp_sctp_observer *obs,
                                   const iwarp_sctp_session_event *ev,
                                   const iwarp_sctp_captured *msg) {
  const uint8_t peer = 1 - ev->side;
  const bool first = ev->session == 1 && iwarpi_sctp_observer_complete(obs->assoc) && !obs->stray &&
                     doubt_answers(ev) && obs->info.side[peer].has_startup;
  return first && msg->evidence.received < obs->initiate_end ? obs->initiate_end
                                                             : msg->evidence.received;
}

/* It is wrong in itself. Where no session is under way it has still a number of one if it answers
 * an Initiate that was captured later, unless it is an Initiate, or its identifier says that it has
 * no number. */
static bool doubt_wrong_in_itself(const iwarp_sctp_session_event *ev) {
  const bool form = ev->reason == IWARP_SCTP_REASON_SHORT ||
                    ev->reason == IWARP_SCTP_REASON_LENGTH ||
                    (ev->reason == IWARP_SCTP_REASON_FUNCTION && !doubt_answers(ev));
  const bool initiates = ev->control.function == IWARP_SCTP_INITIATE ||
                         ev->control.function == IWARP_SCTP_ENHANCED_INITIATE;
  const bool placed = ev->state != IWARP_SCTP_STATE_IDLE || initiates;
  return ev->reason == IWARP_SCTP_REASON_PPID || (form && placed);
}

/*
 * A message without a place is what its sender did, and not due to the order of the capture: it is
 * wrong in itself, or its sender knew what came out of the other side, and nothing else. A segment
 * can be said to have no place without that: what makes a place for it comes from its own side.
 */
bool iwarpi_sctp_observer_genuine(const iwarp_sctp_observer *obs,
                                  const iwarp_sctp_session_event *ev,
                                  const iwarp_sctp_captured *msg) {
  const bool knew = !msg->evidence.maybe_retransmitted && doubt_lossless_both(obs) &&
                    msg->evidence.received >= obs->out[1 - ev->side];
  if (doubt_wrong_in_itself(ev)) {
    return true;
  }
  if (ev->reason == IWARP_SCTP_REASON_FUNCTION && doubt_answers(ev)) {
    return obs->info.side[1 - ev->side].has_startup &&
           iwarpi_sctp_observer_knew(obs, ev, msg) >= obs->initiate_end;
  }
  return knew && (msg->evidence.cause_seen || ev->chunk == IWARP_SCTP_KIND_SEGMENT);
}

/* What the other side still sends may belong to the session before. */
bool iwarpi_sctp_observer_abrupt(const iwarp_sctp_session_event *ev) {
  return ev->chunk == IWARP_SCTP_KIND_INITIATE && ev->verdict == IWARP_SCTP_NOTE;
}

void iwarpi_sctp_observer_prove(iwarp_sctp_observer *obs, const iwarp_sctp_session_event *ev,
                                const iwarp_sctp_captured *msg) {
  const uint8_t peer = 1 - ev->side;
  if (doubt_answers(ev) && obs->opened && doubt_lossless_both(obs) &&
      msg->evidence.received >= obs->initiate_end && obs->info.side[peer].has_startup) {
    obs->stray = false;
    obs->proven = true;
  }
  obs->opened = obs->opened && ev->reason == IWARP_SCTP_REASON_NONE;
  if (ev->chunk == IWARP_SCTP_KIND_INITIATE && ev->verdict <= IWARP_SCTP_NOTE) {
    obs->opened = msg->evidence.received >= obs->assoc->next[peer];
  }
}
