/* SPDX-License-Identifier: BSD-2-Clause */
/* How certain the events of a DDP Stream Session over SCTP are, as far as a capture lets one know.
 */
#ifndef IWARP_SCTP_CERTAINTY_H
#define IWARP_SCTP_CERTAINTY_H

#include <iwarp/event.h>
#include <iwarp/observer.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A capture may lack messages, and may have them in another order than they were received in.
 * Messages of one session may then look like messages of the next one. The rules blame a side only
 * where that is out of the question. iwarp_sctp_observer reports facts; the functions below take
 * its events and the losses of the association, and tell what the events prove.
 */

/** iwarp_sctp_burst_end: Terminate Messages that a side sent on one stream after the other, all
 * alike and about no segment, before it ended the association. RFC 5043 11.3 */
typedef struct iwarp_sctp_burst_end {
  bool ended;            /* the side ended the association while the session was under way */
  bool certain;          /* `streams`: nothing is missing or in doubt that counts for it */
  uint64_t ended_packet; /* the packet that ended the association */
  uint32_t streams;      /* streams with such a message, the last one on this stream; 0: none */
  uint32_t sessions;     /* streams with a session under way, if `streams` is not 0 */
  uint64_t pos;          /* `streams` not 0: position of the last Terminate Message */
  iwarp_meta last;       /* `streams` not 0: packet of the last Terminate Message */
} iwarp_sctp_burst_end;

/** iwarp_sctp_certainty is what a capture lets one know of an event of a session over SCTP. */
typedef struct iwarp_sctp_certainty {
  /** the session of the event is certain: nothing of the association is missing before the event,
   * either way, and no message of the stream stood outside a session */
  bool session_certain;
  bool answers_elsewhere[2]; /* the side answered on a stream without a request, by side */
  /** MESSAGE, SEGMENT, END: a message of the side that came out before the session, without a
   * place, may be of the session */
  bool has_unplaced;
  bool peer_data_reordered; /* MESSAGE, SEGMENT: the sender may have received messages of the other
                               side that come out later */
  bool session_unconfirmed; /* MESSAGE, SEGMENT: messages of the side are missing since its last
                               segment: a session may have ended and another begun */
  bool again; /* MESSAGE: the message begins another session on a stream that had one */
  /** `again`: the sender lacks the acknowledgment of some message of the session before, or has not
   * received some earlier message of the other side. RFC 5043 6.6 */
  iwarp_tristate outstanding;
  uint64_t received; /* MESSAGE, SEGMENT: the sender had received the other side's messages below
                        this position, and nothing after it, when it sent; 0: not known */
  bool complete;     /* END: nothing of the association is missing, either way */
  bool settled[2];   /* END of an association that has ended, by side: the other side acknowledged
                        all that came of it, so that nothing is missing at its end */
  bool peer_unanswered; /* END: some Initiate of the other side, on whatever stream, has no answer
                           and no Terminate */
  bool tail_missing; /* END: messages of the side were lost since its last segment in its place */
  uint64_t sent;     /* END: position after the messages of this side so far, on whatever stream */
  /** END of an association that has ended: the last packet of the side that acknowledged more than
   * the packets before it; packet 0: no such packet */
  iwarp_meta advanced;
  iwarp_sctp_burst_end burst; /* END */
} iwarp_sctp_certainty;

/** iwarp_certainty_burst: Terminate Messages of a side on one stream after the other. */
typedef struct iwarp_certainty_burst {
  uint32_t number;   /* number of the burst; 0: no burst yet */
  uint32_t streams;  /* streams with a message of the burst, whose session is under way */
  uint32_t error;    /* Layer, Error Type and Error Code of all of them */
  uint16_t stream;   /* stream of the last message of the burst */
  uint64_t heard;    /* `next` of the other side when the messages were sent */
  uint64_t received; /* `received` of the last message whose `received` is known */
  uint64_t pos;      /* position of the last message */
  iwarp_meta last;   /* packet of the last message */
} iwarp_certainty_burst;

/**
 * iwarp_certainty_assoc is what the streams of one association share. Zeroed, then kept up to date
 * by the caller with the functions below; it must outlive the streams. The first four members are
 * the caller's, the other ones belong to the functions.
 */
typedef struct iwarp_certainty_assoc {
  bool start_known[2]; /* the association was captured from its beginning, by side */
  bool gave_up;        /* some stream of it was given up before its end */
  /** last packet of the side in an ended association that acknowledged more than the packets
   * before it; packet 0: no such packet */
  iwarp_meta advanced[2];
  /** the other side of an ended association acknowledged all messages that came of the side */
  bool settled[2];
  bool answers_elsewhere[2]; /* an answer of the side came on a stream without a request for one */
  uint64_t lost[2];          /* times that messages were lost */
  uint64_t lost_end[2];      /* position after the lost messages, as far as it is known */
  uint64_t next[2];          /* position after the messages that came or were lost */
  uint32_t sessions;         /* sessions that were accepted and are not over */
  uint32_t unanswered[2];    /* Initiates of the side without an answer or Terminate */
  iwarp_certainty_burst burst[2]; /* the last burst of the side */
  uint64_t heard_packet[2];       /* the last packet with a message of the side */
  bool unconfirmed;               /* the nature of some message is not certain */
  bool ended[2];                  /* the side ended the association */
  uint64_t ended_packet;          /* packet in which a side ended the association */
  uint32_t ended_sessions;        /* `sessions` when the association ended */
  uint32_t ended_burst; /* streams with a message of the burst when the association ended */
} iwarp_certainty_assoc;

/** iwarp_certainty_stream is what is kept of one stream of an association. Zeroed, with `assoc` and
 * `id` set, when its iwarp_sctp_observer is made. Its other members belong to the functions. */
typedef struct iwarp_certainty_stream {
  iwarp_certainty_assoc *assoc; /* the caller's: the association of the stream */
  uint16_t id;                  /* the caller's: its Stream Identifier */
  bool session_uncertain; /* a message had no place, maybe for its order: the session of a message
                             is not certain */
  uint64_t out[2];        /* position after the messages that came out */
  uint64_t out_packet[2]; /* packet of the last message that came out */
  uint64_t outside[2];    /* position after the messages that came out without a place */
  uint64_t initiate_end;  /* position after the Initiate of the session */
  uint32_t sessions;      /* sessions so far, the one that is open among them */
  iwarp_sctp_certainty known; /* certainty of the last event */

  /* the session */
  bool open;                 /* a session has begun and not ended */
  bool lossless[2];          /* no message of the side was lost since the session began */
  uint64_t lost_reported[2]; /* assoc->lost when a segment last was in its place */
  bool repeated[2];          /* a DDP-SSN came again since a segment last was in its place */
  bool doubled[2];           /* a message had no place for its DDP-SSN */
  uint16_t doubled_ssn[2];   /* DDP-SSN of the last message without a place */
  uint64_t end[2];           /* position after the messages and gaps of the session */
  uint64_t last_end[2];      /* position after the last message */
  bool out_of_order[2]; /* the last message has a smaller TSN than a message before it, and one of
                           the two may be of another session */
  uint64_t ended[2];    /* position after the Terminate or Reject of the side in its place; or 0 */
  uint64_t ended_before[2]; /* position after the Terminate or Reject of the session before; or 0 */
  bool has_unplaced[2]; /* an earlier message of the side, without a place, may be of the session */
  bool opened; /* the sender of the session's Initiate had received all that had come out before */
  bool proven; /* the sender of the answer had received the Initiate and the messages before it: the
                  session is certain again */
  bool reported[2];       /* a message of the side was reported in the session */
  uint64_t base[2];       /* position of the first reported message */
  bool accepted;          /* the session counts in assoc->sessions */
  bool unanswered;        /* the session's Initiate counts in assoc->unanswered */
  uint8_t initiator;      /* side of the Initiate */
  iwarp_sctp_state state; /* state after the last message */
  uint32_t burst[2];      /* number of the burst that a Terminate Message of the side is part of */
} iwarp_certainty_stream;

/** iwarp_certainty_passed says that a message of `side` came, on whatever stream, before the
 * observer of its stream gets it; `end` is the position after it. */
IWARP_API void iwarp_certainty_passed(iwarp_certainty_assoc *assoc, uint8_t side, uint64_t end);

/** iwarp_certainty_lost says that messages of `side` were lost, as iwarp_sctp_assoc_lost does.
 * `end` is the position after them, 0 where it is not known which. */
IWARP_API void iwarp_certainty_lost(iwarp_certainty_assoc *assoc, uint8_t side, uint64_t end);

/** iwarp_certainty_ended says that `side` (0 or 1) ended the association, by an ABORT or SHUTDOWN
 * in this packet, the first one, before iwarp_sctp_observer_eof of its streams. */
IWARP_API void iwarp_certainty_ended(iwarp_certainty_assoc *assoc, uint8_t side, uint64_t packet);

/**
 * iwarp_certainty_event takes each event of the stream's observer as it comes, and returns what is
 * known of it, until the next call; `info` is the state of the session right after the event was
 * returned. Where the session is not certain, it takes back that a Terminate stands in the startup.
 */
IWARP_API const iwarp_sctp_certainty *iwarp_certainty_event(iwarp_certainty_stream *stream,
                                                            const iwarp_observer_info *info,
                                                            iwarp_event *ev);

/** iwarp_certainty_drop says that the stream's observer dropped its session:
 * iwarp_sctp_observer_drop. */
IWARP_API void iwarp_certainty_drop(iwarp_certainty_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
