/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether it is certain to which session a message over SCTP belongs. */
#include "sctp_flow.h"

static bool doubt_is_answer(iwarp_sctp_kind kind) {
  return kind == IWARP_SCTP_KIND_ACCEPT || kind == IWARP_SCTP_KIND_REJECT;
}

bool obs_sctp_lossless(const sctp_stream *st, uint8_t side) {
  return !st->joined && st->flow->start_known[side] && st->flow->lost[side] == st->lost_base[side];
}

static bool doubt_lossless_both(const sctp_stream *st) {
  return obs_sctp_lossless(st, 0) && obs_sctp_lossless(st, 1);
}

bool obs_sctp_complete(const sctp_flow *f) {
  return f->start_known[0] && f->start_known[1] && f->lost[0] == 0 && f->lost[1] == 0;
}

bool obs_sctp_clear(const sctp_stream *st) {
  return !st->stray && (obs_sctp_complete(st->flow) || (st->proven && doubt_lossless_both(st)));
}

/* What a message that answers an Initiate is, though its form may be wrong. */
static bool doubt_answers(const iwarp_sctp_session_event *ev) {
  const bool form = ev->reason == IWARP_SCTP_REASON_FUNCTION &&
                    iwarp_sctp_function_get(ev->control.function) != NULL;
  return form || (doubt_is_answer(ev->chunk) && ev->reason == IWARP_SCTP_REASON_NONE);
}

/* Below this its sender had received all, and nothing more; 0: not known. */
static uint64_t doubt_received(const sctp_msg *msg) {
  return msg->m.received_more ? 0 : msg->m.received;
}

/* In the first session of a stream of which nothing is missing, an answer answers its Initiate, in
 * whatever order both were captured. */
uint64_t obs_sctp_knew(const sctp_stream *st, const iwarp_sctp_session_event *ev,
                       const sctp_msg *msg) {
  const uint64_t received = doubt_received(msg);
  const uint8_t peer = 1 - ev->side;
  const bool first = ev->session == 1 && !st->flow->gave_up && obs_sctp_complete(st->flow) &&
                     !st->stray && doubt_answers(ev) && st->info.side[peer].has_startup;
  return first && received < st->initiate_end ? st->initiate_end : received;
}

/*
 * A message without a place is what its sender did, and not due to the order of the capture: it is
 * wrong in itself, or its sender knew what came out of the other side, and nothing else. A segment
 * can be said to have no place without that: what makes a place for it comes from its own side.
 */
bool obs_sctp_genuine(const sctp_stream *st, const iwarp_sctp_session_event *ev,
                      const sctp_msg *msg) {
  const bool knew = doubt_lossless_both(st) && doubt_received(msg) >= st->out[1 - ev->side];
  if (ev->reason == IWARP_SCTP_REASON_PPID || ev->reason == IWARP_SCTP_REASON_SHORT ||
      ev->reason == IWARP_SCTP_REASON_LENGTH) {
    return true;
  }
  if (ev->reason == IWARP_SCTP_REASON_FUNCTION) {
    return !doubt_answers(ev) || (st->info.side[1 - ev->side].has_startup &&
                                  obs_sctp_knew(st, ev, msg) >= st->initiate_end);
  }
  return knew && (msg->m.cause_seen || ev->chunk == IWARP_SCTP_KIND_SEGMENT);
}

/* An Initiate that does not wait for the other side's Terminate: what that side still sends may
 * belong to the session before. */
bool obs_sctp_abrupt(const iwarp_sctp_session_event *ev) {
  return ev->chunk == IWARP_SCTP_KIND_INITIATE && ev->verdict == IWARP_SCTP_NOTE;
}

/* Notes what the message says of the certainty of its session, before it is reported. */
void obs_sctp_prove(sctp_stream *st, const iwarp_sctp_session_event *ev, const sctp_msg *msg) {
  const uint64_t received = doubt_received(msg);
  const uint8_t peer = 1 - ev->side;
  if (doubt_answers(ev) && st->opened && doubt_lossless_both(st) && received >= st->initiate_end &&
      st->info.side[peer].has_startup) {
    st->stray = false;
    st->proven = true;
  }
  st->opened = st->opened && ev->reason == IWARP_SCTP_REASON_NONE;
  if (ev->chunk == IWARP_SCTP_KIND_INITIATE && ev->verdict <= IWARP_SCTP_NOTE) {
    st->opened = ev->reason == IWARP_SCTP_REASON_NONE && received >= st->flow->next[peer];
  }
}
