/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages over SCTP that wait outside the session engine: messages ahead of its window, and
 * messages of the next session. The latter wait while messages of the current session seem to be
 * missing, though none was lost. */
#include <string.h>

#include "state.h"

/* ---- the end of a session ---- */

static bool deferred_ends(uint16_t function) {
  return function == IWARP_SCTP_TERMINATE || function == IWARP_SCTP_REJECT ||
         function == IWARP_SCTP_ENHANCED_REJECT;
}

void iwarpi_sctp_observer_note(iwarp_sctp_observer *obs) {
  iwarp_sctp_control v;
  const uint64_t end = obs->msg->pos + obs->msg->len;
  obs->came[obs->side] = end > obs->came[obs->side] ? end : obs->came[obs->side];
  if (iwarpi_sctp_observer_control(obs->msg, &v) && deferred_ends(v.function)) {
    obs->ending[obs->side] = true;
    obs->ending_ssn[obs->side] = v.ssn;
  }
}

/* ---- ahead of the window ---- */

/* Returns the distance of the message from the expected DDP-SSN of its side. */
static uint16_t deferred_ahead(const iwarp_sctp_observer *obs, uint8_t side,
                               const iwarp_sctp_captured *msg) {
  iwarp_sctp_segment head = {0};
  (void)iwarp_sctp_segment_decode(&head, msg->user_data);
  return iwarp_sctp_ssn_distance(head.ssn, iwarp_sctp_session_info_get(obs->sess).next[side]);
}

static void deferred_add(iwarp_sctp_observer *obs, uint8_t side, const iwarp_sctp_captured *msg) {
  obs->deferred[obs->num_deferred++] = (sctp_observer_deferred){.msg = msg, .side = side};
}

bool iwarpi_sctp_observer_keep_beyond_window(iwarp_sctp_observer *obs) {
  const uint8_t side = obs->side;
  const iwarp_sctp_captured *far = obs->beyond_window[side];
  if (obs->pressed || !iwarpi_sctp_observer_lossless(obs, side)) {
    return false;
  }
  if (far == NULL) {
    obs->beyond_window[side] = obs->msg;
    obs->held[side]++;
    return true;
  }
  if (deferred_ahead(obs, side, far) < deferred_ahead(obs, side, obs->msg)) {
    memmove(&obs->deferred[1], &obs->deferred[0], obs->num_deferred * sizeof(obs->deferred[0]));
    obs->deferred[0] = (sctp_observer_deferred){.msg = obs->msg, .side = side};
    obs->num_deferred++;
    obs->deferred_due = true;
    obs->msg = far;
    obs->beyond_window[side] = NULL;
    obs->held[side]--;
  }
  obs->pressed = true;
  return false;
}

bool iwarpi_sctp_observer_enters_window(iwarp_sctp_observer *obs) {
  for (uint8_t side = 0; side < 2; side++) {
    const iwarp_sctp_captured *far = obs->beyond_window[side];
    if (far != NULL && deferred_ahead(obs, side, far) < obs->window) {
      obs->side = side;
      obs->msg = far;
      obs->beyond_window[side] = NULL;
      obs->held[side]--;
      return true;
    }
  }
  return false;
}

bool iwarpi_sctp_observer_give_beyond_window(iwarp_sctp_observer *obs, uint8_t side) {
  const iwarp_sctp_captured *far = obs->beyond_window[side];
  if (far == NULL) {
    return false;
  }
  const iwarp_sctp_session_info info = iwarp_sctp_session_info_get(obs->sess);
  iwarp_sctp_segment v = {0};
  (void)iwarp_sctp_segment_decode(&v, far->user_data);
  obs->now = (iwarp_sctp_session_event){.kind = IWARP_SCTP_SESSION_EVENT_DISCARDED,
                                        .side = side,
                                        .message = IWARP_SCTP_KIND_OTHER,
                                        .verdict = IWARP_SCTP_ILLEGAL,
                                        .reason = IWARP_SCTP_REASON_SSN,
                                        .state = info.state,
                                        .inconclusive = info.inconclusive,
                                        .ssn = v.ssn,
                                        .session = info.session,
                                        .token = (uint64_t)(uintptr_t)far};
  if (iwarp_sctp_ppid_host(far->ppid) == IWARP_SCTP_PPID_SEGMENT) {
    obs->now.segment = v.segment;
  } else {
    (void)iwarp_sctp_control_decode(&obs->now.control, far->user_data);
  }
  obs->beyond_window[side] = NULL;
  obs->was_beyond_window = true;
  obs->waits = true;
  return true;
}

/* ---- of another session ---- */

bool iwarpi_sctp_observer_defers(const iwarp_sctp_observer *obs) {
  const bool odd = obs->held[0] > 0 || obs->held[1] > 0 || obs->doubled[0] || obs->doubled[1];
  return obs->open && odd && (obs->ending[0] || obs->ending[1]) &&
         iwarpi_sctp_observer_is_initiate(obs->msg) && iwarpi_sctp_observer_lossless(obs, 0) &&
         iwarpi_sctp_observer_lossless(obs, 1);
}

void iwarpi_sctp_observer_defer(iwarp_sctp_observer *obs) {
  deferred_add(obs, obs->side, obs->msg);
}

/* The DDP-SSN is 0 again: the message is an Initiate or answers one. */
static bool deferred_begins(const iwarp_sctp_captured *msg) {
  iwarp_sctp_control v;
  return iwarpi_sctp_observer_control(msg, &v) && v.ssn == 0;
}

/* Returns true if a message of the side that has to answer may belong to the current session. Its
 * sender is not known to have received the Initiate, and its DDP-SSN comes before the message that
 * ends the session. A message without a DDP-SSN shows nothing. */
static bool deferred_fills(const iwarp_sctp_observer *obs) {
  const iwarp_sctp_captured *msg = obs->msg;
  const uint8_t side = obs->side;
  const iwarp_sctp_session_info info = iwarp_sctp_session_info_get(obs->sess);
  if (!iwarp_name_known(iwarp_sctp_ppid_name(iwarp_sctp_ppid_host(msg->ppid))) ||
      msg->user_data.len < IWARP_SCTP_SEGMENT_LEN) {
    return true;
  }
  const uint16_t ahead = deferred_ahead(obs, side, msg);
  const uint16_t left = iwarp_sctp_ssn_distance(obs->ending_ssn[side], info.next[side]);
  const bool inside = !obs->ending[side] || (left < IWARP_SCTP_UNACKED_MAX && ahead < left);
  const bool again = obs->ending[side] && deferred_begins(msg);
  return info.state != IWARP_SCTP_STATE_IDLE &&
         msg->evidence.received <= obs->deferred[0].msg->pos && !again && ahead < obs->window &&
         inside;
}

sctp_observer_stage iwarpi_sctp_observer_take_deferred(iwarp_sctp_observer *obs) {
  const sctp_observer_deferred first = obs->deferred[0];
  const uint8_t other = 1 - first.side;
  const bool sound = iwarpi_sctp_observer_lossless(obs, 0) && iwarpi_sctp_observer_lossless(obs, 1);
  if (obs->side == other && sound && deferred_fills(obs)) {
    return SCTP_OBSERVER_RESUME;
  }
  const bool begins = obs->side == other && deferred_begins(obs->msg);
  const bool answers = begins && !iwarpi_sctp_observer_is_initiate(obs->msg);
  deferred_add(obs, obs->side, obs->msg);
  if (sound && !begins && obs->num_deferred <= SCTP_OBSERVER_DEFERRED) {
    return SCTP_OBSERVER_DEFER;
  }
  const bool answered = answers && sound;
  const bool knew = first.msg->evidence.received >= obs->came[other];
  const iwarp_sctp_follows answerer = knew ? IWARP_SCTP_FOLLOWS_APART : IWARP_SCTP_FOLLOWS_SIDE;
  obs->follows[first.side] = answered ? IWARP_SCTP_FOLLOWS_APART : IWARP_SCTP_FOLLOWS_SIDE;
  obs->follows[other] = answered ? answerer : IWARP_SCTP_FOLLOWS;
  return SCTP_OBSERVER_SETTLE;
}

void iwarpi_sctp_observer_next_deferred(iwarp_sctp_observer *obs) {
  obs->msg = obs->deferred[0].msg;
  obs->side = obs->deferred[0].side;
  obs->num_deferred--;
  memmove(&obs->deferred[0], &obs->deferred[1], obs->num_deferred * sizeof(obs->deferred[0]));
}
