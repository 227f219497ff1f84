/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages over SCTP that wait beside the session engine: those ahead of its window, and those of
 * another session while some of the session before seem to be missing, though none was lost. */
#include <string.h>

#include "state.h"

/* ---- the end of a session ---- */

static bool later_ends(uint16_t function) {
  return function == IWARP_SCTP_TERMINATE || function == IWARP_SCTP_REJECT ||
         function == IWARP_SCTP_ENHANCED_REJECT;
}

void iwarpi_sctp_observer_note(iwarp_sctp_observer *obs) {
  iwarp_sctp_control v;
  const uint64_t end = obs->msg->pos + obs->msg->len;
  obs->came[obs->side] = end > obs->came[obs->side] ? end : obs->came[obs->side];
  if (iwarpi_sctp_observer_control(obs->msg, &v) && later_ends(v.function)) {
    obs->ending[obs->side] = true;
    obs->ending_ssn[obs->side] = v.ssn;
  }
}

/* ---- ahead of the window ---- */

/* How far it is ahead of what is due of its side. */
static uint16_t later_ahead(const iwarp_sctp_observer *obs, uint8_t side,
                            const iwarp_sctp_captured *msg) {
  iwarp_sctp_segment head = {0};
  (void)iwarp_sctp_segment_decode(&head, msg->user_data);
  return iwarp_sctp_ssn_distance(head.ssn, iwarp_sctp_session_info_get(obs->sess).next[side]);
}

static void later_add(iwarp_sctp_observer *obs, uint8_t side, const iwarp_sctp_captured *msg) {
  obs->later[obs->later_num++] = (sctp_observer_later){.msg = msg, .side = side};
}

bool iwarpi_sctp_observer_keep_far(iwarp_sctp_observer *obs) {
  const uint8_t side = obs->side;
  const iwarp_sctp_captured *far = obs->far[side];
  if (obs->pressed || !iwarpi_sctp_observer_lossless(obs, side)) {
    return false;
  }
  if (far == NULL) {
    obs->far[side] = obs->msg;
    obs->held[side]++;
    return true;
  }
  if (later_ahead(obs, side, far) < later_ahead(obs, side, obs->msg)) {
    memmove(&obs->later[1], &obs->later[0], obs->later_num * sizeof(obs->later[0]));
    obs->later[0] = (sctp_observer_later){.msg = obs->msg, .side = side};
    obs->later_num++;
    obs->later_due = true;
    obs->msg = far;
    obs->far[side] = NULL;
    obs->held[side]--;
  }
  obs->pressed = true;
  return false;
}

bool iwarpi_sctp_observer_near(iwarp_sctp_observer *obs) {
  for (uint8_t side = 0; side < 2; side++) {
    const iwarp_sctp_captured *far = obs->far[side];
    if (far != NULL && later_ahead(obs, side, far) < obs->window) {
      obs->side = side;
      obs->msg = far;
      obs->far[side] = NULL;
      obs->held[side]--;
      return true;
    }
  }
  return false;
}

bool iwarpi_sctp_observer_give_far(iwarp_sctp_observer *obs, uint8_t side) {
  const iwarp_sctp_captured *far = obs->far[side];
  if (far == NULL) {
    return false;
  }
  const iwarp_sctp_session_info info = iwarp_sctp_session_info_get(obs->sess);
  iwarp_sctp_segment v = {0};
  (void)iwarp_sctp_segment_decode(&v, far->user_data);
  obs->now = (iwarp_sctp_session_event){.kind = IWARP_SCTP_EVENT_DISCARDED,
                                        .side = side,
                                        .chunk = IWARP_SCTP_KIND_OTHER,
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
  obs->far[side] = NULL;
  obs->far_out = true;
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
  later_add(obs, obs->side, obs->msg);
}

/* It counts from 0 again: it answers an Initiate, or is one. */
static bool later_begins(const iwarp_sctp_captured *msg) {
  iwarp_sctp_control v;
  return iwarpi_sctp_observer_control(msg, &v) && v.ssn == 0;
}

/* The message of the side that has to answer may be one that the session before waits for: its
 * sender did not know of the Initiate, as far as is known, and it comes before what ends that. One
 * without a DDP-SSN shows nothing. */
static bool later_fills(const iwarp_sctp_observer *obs) {
  const iwarp_sctp_captured *msg = obs->msg;
  const uint8_t side = obs->side;
  const iwarp_sctp_session_info info = iwarp_sctp_session_info_get(obs->sess);
  if (!iwarp_name_known(iwarp_sctp_ppid_name(iwarp_sctp_ppid_host(msg->ppid))) ||
      msg->user_data.len < IWARP_SCTP_SEGMENT_LEN) {
    return true;
  }
  const uint16_t ahead = later_ahead(obs, side, msg);
  const uint16_t left = iwarp_sctp_ssn_distance(obs->ending_ssn[side], info.next[side]);
  const bool inside = !obs->ending[side] || (left < IWARP_SCTP_UNACKED_MAX && ahead < left);
  const bool again = obs->ending[side] && later_begins(msg);
  return info.state != IWARP_SCTP_STATE_IDLE && msg->evidence.received <= obs->later[0].msg->pos &&
         !again && ahead < obs->window && inside;
}

sctp_observer_stage iwarpi_sctp_observer_take_later(iwarp_sctp_observer *obs) {
  const sctp_observer_later first = obs->later[0];
  const uint8_t other = 1 - first.side;
  const bool sound = iwarpi_sctp_observer_lossless(obs, 0) && iwarpi_sctp_observer_lossless(obs, 1);
  if (obs->side == other && sound && later_fills(obs)) {
    return SCTP_OBSERVER_RESUME;
  }
  const bool begins = obs->side == other && later_begins(obs->msg);
  const bool answers = begins && !iwarpi_sctp_observer_is_initiate(obs->msg);
  later_add(obs, obs->side, obs->msg);
  if (sound && !begins && obs->later_num <= SCTP_OBSERVER_LATER) {
    return SCTP_OBSERVER_DEFER;
  }
  obs->went_on[first.side] = true;
  obs->went_on[other] = answers && sound;
  obs->apart[first.side] = answers && sound;
  obs->apart[other] = answers && sound && first.msg->evidence.received >= obs->came[other];
  return SCTP_OBSERVER_SETTLE;
}

void iwarpi_sctp_observer_next_later(iwarp_sctp_observer *obs) {
  obs->msg = obs->later[0].msg;
  obs->side = obs->later[0].side;
  obs->later_num--;
  memmove(&obs->later[0], &obs->later[1], obs->later_num * sizeof(obs->later[0]));
}
