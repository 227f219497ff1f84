/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the certainty of events over SCTP among themselves. */
#ifndef IWARP_RULES_CERTAINTY_H
#define IWARP_RULES_CERTAINTY_H

#include <iwarp/sctp_certainty.h>
#include <iwarp/sctp_observer.h>

/* Returns true for an answer to an Initiate. */
static inline bool rulesi_certainty_answers(iwarp_sctp_kind kind) {
  return kind == IWARP_SCTP_KIND_ACCEPT || kind == IWARP_SCTP_KIND_REJECT;
}

/* --- certainty_doubt.c: to which session a message belongs --- */

/* True if all of the association was captured, and no stream of it was given up. */
bool rulesi_certainty_complete(const iwarp_certainty_assoc *assoc);
/* True if the session of a message is certain. Where messages are missing, or came out of order,
 * messages of one session may look like messages of the next. Only a complete capture makes them
 * certain, or acknowledgments that prove where the session begins. */
bool rulesi_certainty_clear(const iwarp_certainty_stream *stream);
/* The position below which the sender of a message had received all, and nothing more; 0: not
 * known. */
uint64_t rulesi_certainty_knew(const iwarp_certainty_stream *stream,
                               const iwarp_observer_info *info, const iwarp_event *ev);
/* True if a message without a place is an act of its sender. */
bool rulesi_certainty_genuine(const iwarp_certainty_stream *stream, const iwarp_observer_info *info,
                              const iwarp_event *ev);
/* True for an Initiate that does not wait for the other Terminate. */
bool rulesi_certainty_abrupt(const iwarp_ev_sctp_message *m);
/* Notes what a message proves of its session, before its certainty is set. */
void rulesi_certainty_prove(iwarp_certainty_stream *stream, const iwarp_observer_info *info,
                            const iwarp_event *ev);

/* --- certainty_burst.c: Terminate Messages on one stream after the other --- */

/* Notes what a message is for the sessions of the association, in its place or not, once
 * stream->known is set. */
void rulesi_certainty_burst_note(iwarp_certainty_stream *stream, const iwarp_event *ev);
/* Sets stream->known.burst of an END. */
void rulesi_certainty_burst_end(iwarp_certainty_stream *stream, uint8_t side);
/* The session is over. */
void rulesi_certainty_burst_over(iwarp_certainty_stream *stream);

#endif
