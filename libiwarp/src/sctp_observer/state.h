/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of an observer of a DDP stream over SCTP, shared by its source files. */
#ifndef IWARPI_SCTP_OBSERVER_STATE_H
#define IWARPI_SCTP_OBSERVER_STATE_H

#include <iwarp/sctp_observer.h>

/* What is done with the input. */
typedef enum sctp_observer_stage {
  SCTP_OBSERVER_IDLE = 0,
  SCTP_OBSERVER_RESTART, /* what waits comes out, since the message begins another session */
  SCTP_OBSERVER_RESUME,  /* the engine began again: the message says what is missing before it */
  SCTP_OBSERVER_OFFER,   /* the engine takes the message, once there is room */
  SCTP_OBSERVER_REJOIN,  /* more is missing than the engine can be asked to skip */
  SCTP_OBSERVER_AGAIN,   /* so it begins again */
  SCTP_OBSERVER_WAIT,    /* what is lost is not waited for for ever */
  SCTP_OBSERVER_DEFER,   /* the message begins another session, and waits for what shows that */
  SCTP_OBSERVER_SETTLE,  /* that is shown: what waits of the session before comes out */
  SCTP_OBSERVER_FLUSH,   /* the stream ended: what waits comes out */
  SCTP_OBSERVER_ENDED
} sctp_observer_stage;

#define SCTP_OBSERVER_DEFERRED 8u /* messages that wait with the Initiate of another session */

/* A message that the engine does not have yet. */
typedef struct sctp_observer_deferred {
  const iwarp_sctp_captured *msg;
  uint8_t side;
} sctp_observer_deferred;

struct iwarp_sctp_observer {
  iwarp_sctp_assoc *assoc;
  iwarp_sctp_session *sess;
  size_t sess_size;
  uint16_t window;
  uint16_t patience;
  uint16_t stream;

  /* the input under work */
  sctp_observer_stage stage;
  bool busy;     /* next_event has not said END since the last input */
  bool begun;    /* a message was pushed */
  bool may_join; /* the first one may be in the middle of a session */
  const iwarp_sctp_captured *msg;
  uint8_t side;          /* of msg */
  uint16_t due;          /* the DDP-SSN that it had then */
  bool flushing;         /* no more input comes, */
  iwarp_end how;         /* and why */
  iwarp_end session_end; /* of the session whose ends are reported */
  uint8_t ends;          /* ENDs to be reported */
  uint8_t inits;         /* INITs looked at; 2: all */
  bool waits;            /* `now` is to be reported */
  iwarp_sctp_session_event now;

  /* the stream */
  bool joined;           /* the session was under way when its first message was seen */
  bool resumed[2];       /* the engine began again, and this side's next message */
  uint16_t resume[2];    /* had this DDP-SSN */
  uint64_t lost_seen[2]; /* assoc->lost when a message last came in its turn */
  uint32_t waited[2];    /* messages since then that did not */
  uint64_t came[2];      /* position after what was given to the engine */
  uint32_t held[2];      /* messages that wait for one with an earlier DDP-SSN */
  const iwarp_sctp_captured
      *beyond_window[2];  /* the one of them that is ahead of the window, or NULL */
  bool was_beyond_window; /* `now` is such a one, with a DDP-SSN that is not due */
  bool pressed;           /* such a one has to go on, since another one follows it */
  sctp_observer_deferred deferred[SCTP_OBSERVER_DEFERRED + 2]; /* the Initiate of another session,
                                                         and what came after it */
  uint8_t num_deferred;
  bool deferred_due;    /* they are given to the engine now */
  uint32_t next_limits; /* reached before the session was open */

  /* the session */
  bool open;
  uint32_t current; /* its number in the engine */
  iwarp_observer_info info;
  iwarp_meta last;               /* packet and time of what was reported last */
  uint64_t end[2];               /* position after what was reported */
  uint64_t lost_base[2];         /* assoc->lost when it began, */
  bool resumes[2];               /* the next message of the side is the first one after `resume` */
  bool doubled[2];               /* a message had no place for its DDP-SSN */
  bool ending[2];                /* a Terminate or Reject of the side came, though it may wait, */
  uint16_t ending_ssn[2];        /* with this DDP-SSN */
  iwarp_sctp_follows follows[2]; /* by side: what is known of the next session */
  bool opens[2];       /* the side's first segment may belong to the startup, see term_place.h */
  iwarp_ev_sctp facts; /* of the last event */
};

/* iwarpi_sctp_observer_is_answer: it answers an Initiate. */
static inline bool iwarpi_sctp_observer_is_answer(iwarp_sctp_kind kind) {
  return kind == IWARP_SCTP_KIND_ACCEPT || kind == IWARP_SCTP_KIND_REJECT;
}

/* iwarpi_sctp_observer_msg_of: the message of an event of the engine, whose token is where it is;
 * NULL: it is a gap. */
static inline const iwarp_sctp_captured *
iwarpi_sctp_observer_msg_of(const iwarp_sctp_session_event *ev) {
  return (const iwarp_sctp_captured *)(uintptr_t)ev->token;
}

/* --- message.c: what a message is, by its octets alone --- */

/* It is a Session Control message, decoded into `v`. */
bool iwarpi_sctp_observer_control(const iwarp_sctp_captured *msg, iwarp_sctp_control *v);
/* It is an Initiate with DDP-SSN 0. */
bool iwarpi_sctp_observer_is_initiate(const iwarp_sctp_captured *msg);

/* --- deferred.c: what waits beside the engine --- */

/* Notes a message that is given to the engine: it may end the session. */
void iwarpi_sctp_observer_note(iwarp_sctp_observer *obs);
/* The message begins another session, though the one under way has not ended as its numbers go, nor
 * can that be due to what was not captured. */
bool iwarpi_sctp_observer_defers(const iwarp_sctp_observer *obs);
/* Lets it wait for what shows that. */
void iwarpi_sctp_observer_defer(iwarp_sctp_observer *obs);
/* Takes a message that comes while one waits that begins another session. */
sctp_observer_stage iwarpi_sctp_observer_take_deferred(iwarp_sctp_observer *obs);
/* Keeps the message, ahead of the window, until its turn comes; false: it has to go on. */
bool iwarpi_sctp_observer_keep_beyond_window(iwarp_sctp_observer *obs);
/* Lets such a message be the current one, when the engine can take it. */
bool iwarpi_sctp_observer_enters_window(iwarp_sctp_observer *obs);
/* Lets such a message of the side be reported, whose turn did not come. */
bool iwarpi_sctp_observer_give_beyond_window(iwarp_sctp_observer *obs, uint8_t side);
/* Lets the next of those that wait beside the engine, of which there is one, be the current
 * message. */
void iwarpi_sctp_observer_next_deferred(iwarp_sctp_observer *obs);

/* --- event.c: what is reported --- */

/* All messages of a side since the session began were captured. */
bool iwarpi_sctp_observer_lossless(const iwarp_sctp_observer *obs, uint8_t side);
/* Begins the session of obs->now; `msg` is its first message, or NULL. */
void iwarpi_sctp_observer_begin(iwarp_sctp_observer *obs, const iwarp_sctp_captured *msg);
/* Reports the INIT of a side. */
void iwarpi_sctp_observer_init_event(iwarp_sctp_observer *obs, iwarp_event *ev, uint8_t side);
/* Reports the end of a side of the session. */
void iwarpi_sctp_observer_end_event(iwarp_sctp_observer *obs, iwarp_event *ev, uint8_t side);
/* Reports obs->now: a gap where `msg` is NULL. */
void iwarpi_sctp_observer_report(iwarp_sctp_observer *obs, iwarp_event *ev,
                                 const iwarp_sctp_captured *msg);

#endif
