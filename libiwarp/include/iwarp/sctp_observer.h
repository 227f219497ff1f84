/* SPDX-License-Identifier: BSD-2-Clause */
/* The observer of one DDP stream over SCTP: captured messages in, events out. RFC 5043. */
#ifndef IWARP_SCTP_OBSERVER_H
#define IWARP_SCTP_OBSERVER_H

#include <iwarp/event.h>
#include <iwarp/observer.h>
#include <iwarp/sctp.h>
#include <iwarp/sctp_session.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Positions of a side count its TSNs from any start. What an association is, where its messages
 * are put together from DATA chunks and which of them are lost is for the caller to know; a stream
 * is the pair of SCTP streams of one number.
 */

/** iwarp_sctp_assoc_params is what an INIT or INIT ACK says. RFC 4960 3.3.2, RFC 5061. */
typedef struct iwarp_sctp_assoc_params {
  bool ack;                    /* an INIT ACK, not an INIT */
  bool whole;                  /* all parameters were captured */
  bool damaged;                /* only a packet with a wrong checksum holds the chunk */
  bool has_adaptation;         /* adaptation is set */
  uint32_t adaptation;         /* Adaptation Layer Indication */
  uint16_t adaptation_surplus; /* octets of that parameter after the indication; should be 0 */
  uint16_t out_streams;        /* outbound streams, at most */
  uint16_t in_streams;         /* inbound streams, at most */
  uint64_t tsn;                /* position of the side's first message */
} iwarp_sctp_assoc_params;

/**
 * iwarp_sctp_assoc is what the observers of the streams of one association share: its INITs, its
 * losses and the current packet. It must outlive the observers.
 */
typedef struct iwarp_sctp_assoc iwarp_sctp_assoc;

/** IWARP_SCTP_ASSOC_SIZE bounds iwarp_sctp_assoc_size, for static storage (aligned as max_align_t).
 */
#define IWARP_SCTP_ASSOC_SIZE 192u

/** iwarp_sctp_assoc_size returns the octets of memory that an association needs. */
IWARP_API size_t iwarp_sctp_assoc_size(void);

/**
 * iwarp_sctp_assoc_init makes an association in `mem` (aligned as max_align_t, `mem_len` octets,
 * owned by the caller; it must outlive the association). Its beginning counts as not captured.
 * NOBUF: too small. ARG: bad alignment.
 */
IWARP_API iwarp_err iwarp_sctp_assoc_init(iwarp_sctp_assoc **out, void *mem, size_t mem_len);

/** iwarp_sctp_assoc_set_start reports whether the messages of `side` (0 or 1) were captured from
 * the first one on. */
IWARP_API void iwarp_sctp_assoc_set_start(iwarp_sctp_assoc *assoc, uint8_t side, bool known);

/** iwarp_sctp_assoc_now sets the packet, and its time, that the next calls belong to; larger
 * numbers are later. */
IWARP_API void iwarp_sctp_assoc_now(iwarp_sctp_assoc *assoc, uint64_t packet, uint64_t time_ns);

/** iwarp_sctp_assoc_set_params keeps the INIT or INIT ACK of `side` (0 or 1). It is reported once,
 * to a session of the stream that the association began with: before the first message, or before
 * the next event if the INIT was captured after messages. */
IWARP_API void iwarp_sctp_assoc_set_params(iwarp_sctp_assoc *assoc, uint8_t side,
                                           const iwarp_sctp_assoc_params *params);

/** iwarp_sctp_assoc_lost reports that messages of `side` were lost. Their stream is not known, so
 * the loss counts for all streams of the association. */
IWARP_API void iwarp_sctp_assoc_lost(iwarp_sctp_assoc *assoc, uint8_t side,
                                     iwarp_gap_reason reason);

/** iwarp_sctp_evidence is what the packets of a capture show of a user message beside its octets.
 * The caller knows it; the library carries it to the event of the message. */
typedef struct iwarp_sctp_evidence {
  bool needless;            /* fragmented, though a packet that took a fragment had room for all */
  bool maybe_retransmitted; /* packets of the association are known to be missing or late, though
                               none of its messages is: this may not be the first copy, and what
                               answers it may have been captured before it */
  bool peer_data_reordered; /* the sender may have received octets that come out later,
                               because a position before them is missing */
  bool cause_seen;          /* the sender had received no message that is missing here */
  bool received_all;        /* the sender had received all below `received`, and nothing else */
  uint64_t received;        /* below this position the sender had received all messages of the
                               other side, and none after a gap; 0: not known */
  uint64_t acked;           /* position below which the sender knew its messages to be received */
  uint64_t overtook;        /* a gap block of a SACK shows that the message arrived before messages
                               below this position; 0: no such block. RFC 9260 3.3.4 */
  uint64_t bundled_before;  /* DATA chunks right before the message in its packet, maybe repeated */
} iwarp_sctp_evidence;

/** iwarp_sctp_captured is one user message as it was captured, put together from its fragments. */
typedef struct iwarp_sctp_captured {
  void *user;                   /* the caller's; never looked at */
  uint64_t pos;                 /* position of its first DATA chunk */
  uint64_t len;                 /* TSNs */
  uint32_t ppid;                /* Payload Protocol Identifier as it stands */
  uint32_t length;              /* octets of user data on the wire */
  iwarp_span user_data;         /* the octets that were captured, a first part of the message */
  uint32_t fragments;           /* DATA chunks of the message */
  bool ordered;                 /* the U flag is clear in one of them */
  bool damaged;                 /* only a packet with a wrong checksum holds a fragment */
  iwarp_sctp_evidence evidence; /* evidence of the packets */
  iwarp_meta first;             /* meta of the packet of the first fragment */
  iwarp_meta last;              /* meta of the last packet of the message */
} iwarp_sctp_captured;

/** iwarp_sctp_ppid_host returns a Payload Protocol Identifier as RFC 5043 numbers it: some senders
 * do not turn it into network byte order. Any other one comes back as it is. */
IWARP_API uint32_t iwarp_sctp_ppid_host(uint32_t ppid);

/** iwarp_sctp_captured_enough says whether so much of the message was captured that it can be
 * observed; the caller counts any other one as lost. */
IWARP_API bool iwarp_sctp_captured_enough(const iwarp_sctp_captured *msg);

/** iwarp_sctp_observer observes one stream, session after session. */
typedef struct iwarp_sctp_observer iwarp_sctp_observer;

#define IWARP_SCTP_OBSERVER_WINDOW 128u  /* default of the window */
#define IWARP_SCTP_OBSERVER_PATIENCE 16u /* default of the patience */

/** iwarp_sctp_observer_cfg configures an observer; zero is the default of each member but size and
 * assoc. */
typedef struct iwarp_sctp_observer_cfg {
  size_t size;             /* sizeof(iwarp_sctp_observer_cfg) */
  iwarp_sctp_assoc *assoc; /* the association of the stream */
  uint16_t stream;         /* Stream Identifier */
  bool joined;             /* messages before the first one pushed may be missing */
  uint16_t window;   /* messages of a side that wait for their DDP-SSN, 1..IWARP_SCTP_WINDOW_MAX,
                        or 0 */
  uint16_t patience; /* messages that go by before what is lost is given up, or 0 */
} iwarp_sctp_observer_cfg;

/** iwarp_sctp_observer_size returns the octets of memory that an observer needs; 0: `cfg` is bad.
 */
IWARP_API size_t iwarp_sctp_observer_size(const iwarp_sctp_observer_cfg *cfg);

/**
 * iwarp_sctp_observer_init makes an observer in `mem` (aligned as max_align_t, `mem_len` octets,
 * owned by the caller; it must outlive the observer). NOBUF: too small. ARG: bad configuration or
 * alignment.
 */
IWARP_API iwarp_err iwarp_sctp_observer_init(iwarp_sctp_observer **out, void *mem, size_t mem_len,
                                             const iwarp_sctp_observer_cfg *cfg);

/**
 * iwarp_sctp_observer_push gives the observer the next message that `side` (0 or 1) sent on the
 * stream, as SCTP delivers it: in any order.
 *
 * The message and its octets are borrowed until its event was returned, which may be after later
 * pushes: `sctp->message` of an SCTP_MESSAGE or SCTP_SEGMENT says which it was, and the call after
 * that gives it back. Each message comes back so once; iwarp_sctp_observer_eof makes sure of it.
 * Call iwarp_sctp_observer_next_event until END before any other input (STATE otherwise, and after
 * eof). ARG: no such side.
 */
IWARP_API iwarp_err iwarp_sctp_observer_push(iwarp_sctp_observer *obs, uint8_t side,
                                             const iwarp_sctp_captured *msg);

/** iwarp_sctp_observer_skip gives up what is missing before the first message that waits, so that
 * it comes out: OK, or END when none waits. As after a push, call next_event until END. */
IWARP_API iwarp_err iwarp_sctp_observer_skip(iwarp_sctp_observer *obs);

/** iwarp_sctp_observer_eof reports that no more messages come, and why. STATE as for a push. As
 * after a push, call next_event until END. With IWARP_END_FIN the END events name the packet of
 * iwarp_sctp_assoc_now, which should be the packet of the SHUTDOWN. Otherwise they name the last
 * packet of the session. */
IWARP_API iwarp_err iwarp_sctp_observer_eof(iwarp_sctp_observer *obs, iwarp_end how);

/** iwarp_sctp_observer_drop lets the current session go without events for its end: the next
 * message is taken as one in the midst of a session. Between two calls of next_event. */
IWARP_API void iwarp_sctp_observer_drop(iwarp_sctp_observer *obs);

/**
 * iwarp_sctp_observer_next_event returns the next event: OK, or END when more input is needed.
 * Kinds are SCTP_INIT, SCTP_MESSAGE, SCTP_SEGMENT, GAP and END, with `sctp` set. A session ends
 * with an END of each side, first side 0, then side 1. The event after them is the first event of
 * the next session.
 */
IWARP_API iwarp_err iwarp_sctp_observer_next_event(iwarp_sctp_observer *obs, iwarp_event *ev);

/** iwarp_sctp_observer_info_get returns what is known of the session of the last event; it changes
 * with every call of next_event. Never NULL. */
IWARP_API const iwarp_observer_info *iwarp_sctp_observer_info_get(const iwarp_sctp_observer *obs);

#ifdef __cplusplus
}
#endif

#endif
