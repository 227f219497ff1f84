/* SPDX-License-Identifier: BSD-2-Clause */
/* Drives the session engine of a DDP stream. */
#include "sctp_flow.h"

/* Some senders do not turn the identifier into network byte order. */
uint32_t obs_sctp_ppid(uint32_t ppid) {
  const uint32_t swapped =
      ppid >> 24 | (ppid >> 8 & 0xFF00u) | (ppid << 8 & 0xFF0000u) | ppid << 24;
  return iwarp_sctp_ppid_name(swapped) != NULL ? swapped : ppid;
}

/* The token of an event is the message's place in memory. */
static sctp_msg *sctp_msg_of(const iwarp_sctp_session_event *ev) {
  return ev->kind == IWARP_SCTP_EVENT_GAP ? NULL : (sctp_msg *)(uintptr_t)ev->token;
}

static void sctp_drain(observe *obs, sctp_stream *st, bool final) {
  iwarp_sctp_session_event ev;
  while (iwarp_sctp_session_next_event(st->sess, &ev) == IWARP_OK) {
    sctp_msg *msg = sctp_msg_of(&ev);
    obs_sctp_emit(obs, st, &ev, msg, final);
    if (msg != NULL) {
      obs_sctp_msg_drop(obs, st, msg);
    }
  }
}

bool obs_sctp_skip(observe *obs, sctp_stream *st, uint8_t side, bool final) {
  iwarp_sctp_session_event ev;
  if (iwarp_sctp_session_skip(st->sess, side, &ev) != IWARP_OK) {
    return false;
  }
  obs_sctp_emit(obs, st, &ev, NULL, final);
  sctp_drain(obs, st, final);
  return true;
}

bool obs_sctp_engine_init(sctp_stream *st, bool joined) {
  const iwarp_sctp_session_cfg cfg = {
      .size = sizeof cfg, .observer = true, .joined = joined, .window = SCTP_WINDOW};
  st->joined = st->joined || joined;
  return iwarp_sctp_session_init(&st->sess, st->memory, iwarp_sctp_session_size(SCTP_WINDOW),
                                 &cfg) == IWARP_OK;
}

static void sctp_engine_missing(observe *obs, sctp_stream *st, uint8_t side, uint16_t due,
                                uint16_t missing) {
  const iwarp_sctp_session_info info = iwarp_sctp_session_info_get(st->sess);
  const iwarp_sctp_session_event gap = {.kind = IWARP_SCTP_EVENT_GAP,
                                        .side = side,
                                        .state = info.state,
                                        .unsure = true,
                                        .ssn = due,
                                        .missing = missing,
                                        .session = info.session};
  if (missing > 0) {
    obs_sctp_emit(obs, st, &gap, NULL, false);
  }
}

/* More is missing than the engine can be asked to skip: it begins again in the middle. */
static void sctp_rejoin(observe *obs, sctp_stream *st, uint8_t side, uint16_t ssn) {
  while (obs_sctp_skip(obs, st, 1u - side, false)) {
  }
  const iwarp_sctp_session_info info = iwarp_sctp_session_info_get(st->sess);
  sctp_engine_missing(obs, st, side, info.next[side], (uint16_t)(ssn - info.next[side]));
  st->resumed[1 - side] = true;
  st->due[1 - side] = info.next[1 - side];
  if (!obs_sctp_engine_init(st, true)) {
    obs->failed = true;
  }
  st->current = 1;
}

/* The engine takes the next message of a side that it does not know for the one that is due. */
static void sctp_resume(observe *obs, sctp_stream *st, const sctp_msg *msg) {
  iwarp_sctp_segment head = {0};
  const uint8_t side = msg->side;
  if (!st->resumed[side] || iwarp_sctp_ppid_name(obs_sctp_ppid(msg->m.ppid)) == NULL ||
      iwarp_sctp_segment_decode(&head, (iwarp_span){msg->data, msg->m.cap}).err != IWARP_OK) {
    return;
  }
  const uint16_t ahead = iwarp_sctp_ssn_distance(head.ssn, st->due[side]);
  st->resumed[side] = false;
  st->repeated[side] = true;
  sctp_engine_missing(obs, st, side, st->due[side], ahead < IWARP_SCTP_UNACKED_MAX ? ahead : 0);
}

/* No more messages may wait for their DDP-SSN. Where some are known to be lost that is what they
 * wait for; else the limit may have cost what comes later. */
static void sctp_full(sctp_stream *st, uint8_t side) {
  if (st->lost_seen[side] == st->flow->lost[side]) {
    obs_sctp_conn_limit(st, ingest_limit_name(INGEST_LIMIT_HELD_OCTETS));
  }
}

void obs_sctp_push(observe *obs, sctp_stream *st, sctp_msg *msg) {
  const iwarp_sctp_message chunk = {.ppid = obs_sctp_ppid(msg->m.ppid),
                                    .user_data = {msg->data, msg->m.cap},
                                    .token = (uint64_t)(uintptr_t)msg};
  const uint8_t side = msg->side;
  iwarp_sctp_segment head = {0};
  sctp_resume(obs, st, msg);
  iwarp_err err = iwarp_sctp_session_push(st->sess, side, &chunk);
  if (err == IWARP_ERR_NOBUF) {
    sctp_full(st, side);
  }
  while (err == IWARP_ERR_NOBUF && obs_sctp_skip(obs, st, side, false)) {
    err = iwarp_sctp_session_push(st->sess, side, &chunk);
  }
  if (err == IWARP_ERR_NOBUF && iwarp_sctp_segment_decode(&head, chunk.user_data).err == IWARP_OK) {
    sctp_rejoin(obs, st, side, head.ssn);
    err = iwarp_sctp_session_push(st->sess, side, &chunk);
  }
  if (err != IWARP_OK) {
    obs->failed = true;
    obs_sctp_msg_drop(obs, st, msg);
    return;
  }
  sctp_drain(obs, st, false);
}
