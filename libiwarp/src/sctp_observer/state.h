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

#define SCTP_OBSERVER_LATER 8u /* messages that wait with the Initiate of another session */

/* A message that the engine does not have yet. */
typedef struct sctp_observer_later {
  const iwarp_sctp_captured *msg;
  uint8_t side;
} sctp_observer_later;

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
  bool joined;                       /* the session was under way when its first message was seen */
  bool resumed[2];                   /* the engine began again, and this side's next message */
  uint16_t resume[2];                /* had this DDP-SSN */
  uint64_t lost_seen[2];             /* assoc->lost when a message last came in its turn */
  uint32_t waited[2];                /* messages since then that did not */
  uint64_t out[2];                   /* position after what came out */
  uint64_t out_packet[2];            /* of the last message that came out */
  uint64_t outside[2];               /* position after what came out without a place */
  uint64_t came[2];                  /* position after what was given to the engine */
  uint32_t held[2];                  /* messages that wait for one with an earlier DDP-SSN */
  const iwarp_sctp_captured *far[2]; /* the one of them that is ahead of the window, or NULL */
  bool far_out;                      /* `now` is such a one, with a DDP-SSN that is not due */
  bool pressed;                      /* such a one has to go on, since another one follows it */
  sctp_observer_later later[SCTP_OBSERVER_LATER + 2]; /* the Initiate of another session, and what
                                                         came after it */
  uint8_t later_num;
  bool later_due; /* they are given to the engine now */
  bool stray; /* a message had no place, maybe since the order was another one: what is a session's
                 is not certain */
  uint32_t sessions;    /* that were reported, the one that is open among them */
  uint32_t next_limits; /* reached before the session was open */

  /* the session */
  bool open;
  uint32_t current; /* its number in the engine */
  iwarp_observer_info info;
  iwarp_meta last;           /* packet and time of what was reported last */
  uint64_t end[2];           /* position after what was reported */
  uint64_t lost_base[2];     /* assoc->lost when it began, */
  uint64_t lost_reported[2]; /* when a segment last was in its place, */
  bool repeated[2];          /* and whether a DDP-SSN came again since then */
  bool doubled[2];           /* a message had no place for its DDP-SSN, */
  uint16_t doubled_ssn[2];   /* the last one this */
  uint64_t last_end[2];      /* position after the last message */
  bool out_of_order[2];   /* the last message had a TSN before that of one before it: one of the two
                       may be of another session */
  bool ending[2];         /* a Terminate or Reject of the side came, though it may wait, */
  uint16_t ending_ssn[2]; /* with this DDP-SSN */
  uint64_t ended[2];      /* position after that, when it came out in its place; or 0 */
  uint64_t ended_before[2]; /* likewise, of the session before */
  bool strayed[2]; /* a message of the side that came out before, without a place, may be of it */
  bool went_on[2]; /* the side began or answered another session after it, */
  bool apart[2];   /* and it is certain that no message of it is of that one */
  bool opened;     /* the sender of the session's Initiate knew of all that had come out before, */
  bool proven;     /* and the sender of the answer of that: so it is certain again */
  uint64_t initiate_end;  /* position after the session's Initiate */
  bool opens[2];          /* the side's first segment may belong to the startup, see term_place.h */
  bool reported[2];       /* a message of the side was reported in the session, */
  uint64_t base[2];       /* the first one at this position */
  bool accepted;          /* it counts in assoc->sessions */
  bool unanswered;        /* likewise, its Initiate in assoc->unanswered, */
  uint8_t initiator;      /* of this side */
  iwarp_sctp_state state; /* after its last message */
  uint32_t burst[2];      /* number of the burst that a Terminate Message of the side is part of */
  iwarp_ev_sctp facts;    /* of the last event */
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
/* The Function Code is that of an Initiate. */
bool iwarpi_sctp_observer_initiates(uint16_t function);
/* The Function Code is that of an answer to one. */
bool iwarpi_sctp_observer_answers(uint16_t function);
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
sctp_observer_stage iwarpi_sctp_observer_take_later(iwarp_sctp_observer *obs);
/* Keeps the message, ahead of the window, until its turn comes; false: it has to go on. */
bool iwarpi_sctp_observer_keep_far(iwarp_sctp_observer *obs);
/* Lets such a message be the current one, when the engine can take it. */
bool iwarpi_sctp_observer_near(iwarp_sctp_observer *obs);
/* Lets such a message of the side be reported, whose turn did not come. */
bool iwarpi_sctp_observer_give_far(iwarp_sctp_observer *obs, uint8_t side);
/* Lets the next of those that wait beside the engine, of which there is one, be the current
 * message. */
void iwarpi_sctp_observer_next_later(iwarp_sctp_observer *obs);

/* --- doubt.c: whether it is certain to which session a message belongs --- */

/* Nothing of the association is missing, and no stream of it was given up. */
bool iwarpi_sctp_observer_complete(const iwarp_sctp_assoc *assoc);
/* All messages of a side since the session began were captured. */
bool iwarpi_sctp_observer_lossless(const iwarp_sctp_observer *obs, uint8_t side);
/* It is certain which session a message belongs to. Where messages are missing, or came out of
 * order, those of one session may look like those of the next: only when all is captured, or since
 * acknowledgments proved where the session begins, it is. */
bool iwarpi_sctp_observer_clear(const iwarp_sctp_observer *obs);
/* The position below which the sender of a message had received all, and nothing more; 0: not
 * known. */
uint64_t iwarpi_sctp_observer_knew(const iwarp_sctp_observer *obs,
                                   const iwarp_sctp_session_event *ev,
                                   const iwarp_sctp_captured *msg);
/* A message without a place is what its sender did. */
bool iwarpi_sctp_observer_genuine(const iwarp_sctp_observer *obs,
                                  const iwarp_sctp_session_event *ev,
                                  const iwarp_sctp_captured *msg);
/* It is an Initiate that does not wait for the other Terminate. */
bool iwarpi_sctp_observer_abrupt(const iwarp_sctp_session_event *ev);
/* Notes what a message says of the certainty of its session, before it is reported. */
void iwarpi_sctp_observer_prove(iwarp_sctp_observer *obs, const iwarp_sctp_session_event *ev,
                                const iwarp_sctp_captured *msg);

/* --- burst.c: Terminate Messages on one stream after the other --- */

/* Notes what a message that was reported, in its place or not, is for the sessions of the
 * association. */
void iwarpi_sctp_observer_burst_note(iwarp_sctp_observer *obs, const iwarp_event *ev);
/* Says in an END what the association shows of them. */
void iwarpi_sctp_observer_burst_end(iwarp_sctp_observer *obs, uint8_t side);
/* The session is over. */
void iwarpi_sctp_observer_burst_over(iwarp_sctp_observer *obs);

/* --- event.c: what is reported --- */

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
