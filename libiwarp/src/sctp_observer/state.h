/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of an observer of a DDP stream over SCTP, shared by its source files. */
#ifndef IWARPI_SCTP_OBSERVER_STATE_H
#define IWARPI_SCTP_OBSERVER_STATE_H

#include <iwarp/sctp_observer.h>

/* The use of the input in the next step. */
typedef enum sctp_observer_stage {
  SCTP_OBSERVER_IDLE = 0,
  SCTP_OBSERVER_RESTART, /* the message begins another session: report the messages that wait */
  SCTP_OBSERVER_RESUME, /* the engine began again: report the DDP-SSNs missing before the message */
  SCTP_OBSERVER_OFFER,  /* the engine takes the message, once there is room */
  SCTP_OBSERVER_REJOIN, /* more DDP-SSNs are missing than the engine can skip: report them */
  SCTP_OBSERVER_AGAIN,  /* SCTP_OBSERVER_REJOIN is done: the engine begins again in the middle */
  SCTP_OBSERVER_WAIT,   /* the message waits: after `patience` messages give up lost ones */
  SCTP_OBSERVER_DEFER,  /* the message begins another session, and waits for proof of that */
  SCTP_OBSERVER_SETTLE, /* the proof came: report the messages of the session before that wait */
  SCTP_OBSERVER_FLUSH,  /* the stream ended: report the messages that wait */
  SCTP_OBSERVER_ENDED
} sctp_observer_stage;

#define SCTP_OBSERVER_DEFERRED 8u /* messages that wait with the Initiate of another session */

/* A message that the engine does not have yet. */
typedef struct sctp_observer_deferred {
  const iwarp_sctp_captured *msg;
  uint8_t side;
} sctp_observer_deferred;

/* Shared by the observers of the streams of one association. */
struct iwarp_sctp_assoc {
  bool start_known[2];             /* messages of the side were captured from the first one on */
  bool begun;                      /* `first_stream` is set */
  uint16_t first_stream;           /* the stream of the first session, which reports the INITs */
  bool init_seen[2];               /* `init` is set */
  bool init_due[2];                /* `init` is still to report */
  iwarp_gap_reason why[2];         /* why messages were lost last */
  uint64_t lost[2];                /* times that messages were lost */
  iwarp_meta now;                  /* the current packet */
  iwarp_sctp_assoc_params init[2]; /* the INIT or INIT ACK of each side */
  iwarp_meta init_meta[2];         /* the packets of `init` */
};

struct iwarp_sctp_observer {
  iwarp_sctp_assoc *assoc;
  iwarp_sctp_session *sess;
  size_t sess_size;
  uint16_t window;
  uint16_t patience;
  uint16_t stream;

  /* the input under work */
  sctp_observer_stage stage;
  bool busy;     /* next_event has not returned END since the last input */
  bool begun;    /* a message was pushed */
  bool may_join; /* the first message may be in the middle of a session */
  const iwarp_sctp_captured *msg;
  uint8_t side;          /* side of msg */
  uint16_t due;          /* the DDP-SSN expected from `side` when msg was examined */
  bool flushing;         /* no more input comes */
  iwarp_end how;         /* flushing: why no more input comes */
  iwarp_end session_end; /* end of the session whose END events are reported */
  uint8_t ends;          /* END events still to report */
  bool waits;            /* `now` is still to report */
  iwarp_sctp_session_event now;

  /* the stream */
  bool joined;           /* the session was under way when its first message was seen */
  bool resumed[2];       /* the engine began again and has no message of this side yet */
  uint16_t resume[2];    /* resumed: the DDP-SSN that was expected from the side */
  uint64_t lost_seen[2]; /* assoc->lost when a message last came in its turn */
  uint32_t waited[2];    /* messages since then that came ahead of their turn */
  uint64_t came[2];      /* position after the messages given to the engine */
  uint32_t held[2];      /* messages that wait for one with an earlier DDP-SSN */
  const iwarp_sctp_captured *beyond_window[2]; /* the held message ahead of the window, or NULL */
  bool was_beyond_window; /* `now` is a message from beyond the window, ahead of its turn */
  bool pressed;           /* msg must enter the engine now: another one is kept beyond the window */
  sctp_observer_deferred deferred[SCTP_OBSERVER_DEFERRED + 2]; /* the Initiate of another session,
                                                                  and the messages after it */
  uint8_t num_deferred;
  bool deferred_due;    /* the engine takes the deferred messages now */
  uint32_t next_limits; /* limits reached before the session was open */

  /* the session */
  bool open;
  uint32_t current; /* number of the session in the engine */
  iwarp_observer_info info;
  iwarp_meta last;               /* packet and time of the last event */
  uint64_t end[2];               /* position after the reported messages */
  uint64_t lost_base[2];         /* assoc->lost when the session began */
  bool resumes[2];               /* the next message of the side is the first one after `resume` */
  bool doubled[2];               /* a message had no place for its DDP-SSN */
  bool ending[2];                /* a Terminate or Reject of the side came; it may still wait */
  uint16_t ending_ssn[2];        /* ending: its DDP-SSN */
  iwarp_sctp_follows follows[2]; /* knowledge of the next session, per side */
  bool opens[2];       /* the side's first segment may belong to the startup, see term_place.h */
  iwarp_ev_sctp facts; /* details of the last event */
};

/* iwarpi_sctp_observer_is_answer returns true if a message of this kind answers an Initiate. */
static inline bool iwarpi_sctp_observer_is_answer(iwarp_sctp_kind kind) {
  return kind == IWARP_SCTP_KIND_ACCEPT || kind == IWARP_SCTP_KIND_REJECT;
}

/* iwarpi_sctp_observer_msg_of returns the message of an event of the engine, whose token is the
 * address of the message. NULL: the event is a GAP. */
static inline const iwarp_sctp_captured *
iwarpi_sctp_observer_msg_of(const iwarp_sctp_session_event *ev) {
  return (const iwarp_sctp_captured *)(uintptr_t)ev->token;
}

/* --- message.c: the kind of a message, by its octets alone --- */

/* Returns true if the message is a Session Control message; decodes it into `v`. */
bool iwarpi_sctp_observer_control(const iwarp_sctp_captured *msg, iwarp_sctp_control *v);
/* Returns true if the message is an Initiate with DDP-SSN 0. */
bool iwarpi_sctp_observer_is_initiate(const iwarp_sctp_captured *msg);

/* --- deferred.c: messages that wait outside the engine --- */

/* Notes a message that the engine took: it may end the session. */
void iwarpi_sctp_observer_note(iwarp_sctp_observer *obs);
/* Returns true if the message begins another session, though messages of the current session seem
 * to be missing and none was lost. */
bool iwarpi_sctp_observer_defers(const iwarp_sctp_observer *obs);
/* Lets that message wait until a later one shows that the next session began. */
void iwarpi_sctp_observer_defer(iwarp_sctp_observer *obs);
/* Takes a message while an Initiate of another session waits; returns the next stage. */
sctp_observer_stage iwarpi_sctp_observer_take_deferred(iwarp_sctp_observer *obs);
/* Keeps a message ahead of the window until its turn comes; false: the window has to move for it.
 */
bool iwarpi_sctp_observer_keep_beyond_window(iwarp_sctp_observer *obs);
/* Makes a kept message the current one, if it is inside the window now. */
bool iwarpi_sctp_observer_enters_window(iwarp_sctp_observer *obs);
/* Makes the kept message of the side the next event, discarded; false: no message is kept. */
bool iwarpi_sctp_observer_give_beyond_window(iwarp_sctp_observer *obs, uint8_t side);
/* Makes the first deferred message, which must exist, the current message. */
void iwarpi_sctp_observer_next_deferred(iwarp_sctp_observer *obs);

/* --- event.c: the events --- */

/* Returns true if all messages of a side since the session began were captured. */
bool iwarpi_sctp_observer_lossless(const iwarp_sctp_observer *obs, uint8_t side);
/* Begins the session of obs->now; `msg` is its first message, or NULL. */
void iwarpi_sctp_observer_begin(iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg);
/* Returns true if the INIT of a side is the next event. It comes to the open session of the stream
 * that the association began with, also after messages of it. */
bool iwarpi_sctp_observer_init_due(const iwarp_sctp_observer *obs, uint8_t side);
/* Reports the INIT of a side. */
void iwarpi_sctp_observer_init_event(iwarp_sctp_observer *obs, iwarp_event *ev, uint8_t side);
/* Reports the end of a side of the session. */
void iwarpi_sctp_observer_end_event(iwarp_sctp_observer *obs, iwarp_event *ev, uint8_t side);
/* Reports obs->now: a gap where `msg` is NULL. */
void iwarpi_sctp_observer_report(iwarp_sctp_observer *obs, iwarp_event *ev,
                                 const iwarp_sctp_captured *msg);

#endif
