/* SPDX-License-Identifier: BSD-2-Clause */
/* The session of a message over SCTP: when it is certain. */
#include "certainty.h"

static bool doubt_lossless_both(const iwarp_certainty_stream *stream) {
  return stream->lossless[0] && stream->lossless[1];
}

/* True if all of the association was captured. */
static bool doubt_complete(const iwarp_certainty_assoc *assoc) {
  return assoc->start_known[0] && assoc->start_known[1] && assoc->lost[0] == 0 &&
         assoc->lost[1] == 0;
}

bool rulesi_certainty_complete(const iwarp_certainty_assoc *assoc) {
  return doubt_complete(assoc) && !assoc->gave_up;
}

bool rulesi_certainty_clear(const iwarp_certainty_stream *stream) {
  return !stream->session_uncertain &&
         (doubt_complete(stream->assoc) || (stream->proven && doubt_lossless_both(stream)));
}

/* Returns true for an answer to an Initiate, though its form may be wrong. */
static bool doubt_answers(const iwarp_ev_sctp_message *m) {
  const bool form = m->reason == IWARP_SCTP_REASON_FUNCTION &&
                    iwarp_sctp_function_get(m->control.function) != NULL;
  return form || (rulesi_certainty_answers(m->kind) && m->reason == IWARP_SCTP_REASON_NONE);
}

/* Position that the sender of a message had received. In the first session of a stream that was
 * captured whole, an answer answers the Initiate, in whatever order both were captured. */
uint64_t rulesi_certainty_knew(const iwarp_certainty_stream *stream,
                               const iwarp_observer_info *info, const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  const uint64_t received = m->captured->evidence.received;
  const bool first = m->session == 1 && rulesi_certainty_complete(stream->assoc) &&
                     !stream->session_uncertain && doubt_answers(m) &&
                     info->side[1 - ev->side].has_startup;
  return first && received < stream->initiate_end ? stream->initiate_end : received;
}

/* True if the message is wrong in itself. An answer to a later Initiate has a number of a session
 * although no session is under way. An Initiate, and a message with a wrong identifier, has no such
 * number. */
static bool doubt_wrong_in_itself(const iwarp_ev_sctp_message *m) {
  const bool form = m->reason == IWARP_SCTP_REASON_SHORT || m->reason == IWARP_SCTP_REASON_LENGTH ||
                    (m->reason == IWARP_SCTP_REASON_FUNCTION && !doubt_answers(m));
  const bool initiates = m->control.function == IWARP_SCTP_INITIATE ||
                         m->control.function == IWARP_SCTP_ENHANCED_INITIATE;
  const bool placed = m->state != IWARP_SCTP_STATE_IDLE || initiates;
  return m->reason == IWARP_SCTP_REASON_PPID || (form && placed);
}

/*
 * A message without a place is an act of its sender, and not due to the order of the capture, in
 * two cases. It is wrong in itself, or its sender knew all that came out of the other side, and
 * nothing else. A segment can have no place without the latter: only its own side makes one for it.
 */
bool rulesi_certainty_genuine(const iwarp_certainty_stream *stream, const iwarp_observer_info *info,
                              const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  const iwarp_sctp_evidence *shows = &m->captured->evidence;
  const bool knew = !shows->maybe_retransmitted && doubt_lossless_both(stream) &&
                    shows->received >= stream->out[1 - ev->side];
  if (doubt_wrong_in_itself(m)) {
    return true;
  }
  if (m->reason == IWARP_SCTP_REASON_FUNCTION && doubt_answers(m)) {
    return info->side[1 - ev->side].has_startup &&
           rulesi_certainty_knew(stream, info, ev) >= stream->initiate_end;
  }
  return knew && (shows->cause_seen || m->kind == IWARP_SCTP_KIND_SEGMENT);
}

/* Messages that the other side still sends may belong to the session before. */
bool rulesi_certainty_abrupt(const iwarp_ev_sctp_message *m) {
  return m->kind == IWARP_SCTP_KIND_INITIATE && m->verdict == IWARP_SCTP_NOTE;
}

void rulesi_certainty_prove(iwarp_certainty_stream *stream, const iwarp_observer_info *info,
                            const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  const uint64_t received = m->captured->evidence.received;
  const uint8_t peer = 1 - ev->side;
  if (doubt_answers(m) && stream->opened && doubt_lossless_both(stream) &&
      received >= stream->initiate_end && info->side[peer].has_startup) {
    stream->session_uncertain = false;
    stream->proven = true;
  }
  stream->opened = stream->opened && m->reason == IWARP_SCTP_REASON_NONE;
  if (m->kind == IWARP_SCTP_KIND_INITIATE && m->verdict <= IWARP_SCTP_NOTE) {
    stream->opened = received >= stream->assoc->next[peer];
  }
}
