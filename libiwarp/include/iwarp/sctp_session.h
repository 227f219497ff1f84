/* SPDX-License-Identifier: BSD-2-Clause */
/* DDP Stream Session over SCTP: the table of states and the engine (RFC 5043 6, RFC 6581 7). */
#ifndef IWARP_SCTP_SESSION_H
#define IWARP_SCTP_SESSION_H

#include <iwarp/sctp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- DDP Stream Session: the rules, RFC 5043 6 ---- */

/** iwarp_sctp_state is the state of a DDP stream, seen from side 0 (an endpoint's own side). */
typedef enum iwarp_sctp_state {
  IWARP_SCTP_STATE_IDLE = 0,  /* no session */
  IWARP_SCTP_STATE_INIT_SENT, /* active: Initiate sent, no answer yet */
  IWARP_SCTP_STATE_PENDING,   /* passive: Initiate received, not answered yet */
  IWARP_SCTP_STATE_EST,       /* accepted, both directions open */
  IWARP_SCTP_STATE_T_SENT,    /* own Terminate sent, the peer's direction is open */
  IWARP_SCTP_STATE_T_RCVD,    /* the peer's Terminate received, the own direction is open */
  IWARP_SCTP_STATE_GAVE_UP,   /* active: own Terminate sent before any answer */
  IWARP_SCTP_STATE_ABANDONED, /* passive: the peer's Terminate received before any answer */
  IWARP_SCTP_STATE_REFUSED,   /* active: answered by Reject or Terminate */
  IWARP_SCTP_STATE_REFUSING,  /* passive: answered with Reject or Terminate */
  IWARP_SCTP_STATE_DRAIN      /* both directions finished */
} iwarp_sctp_state;

#define IWARP_SCTP_NUM_STATES 11u /* members of iwarp_sctp_state */

/** iwarp_sctp_kind is what a message is for the rules; enhanced or not makes no difference. */
typedef enum iwarp_sctp_kind {
  IWARP_SCTP_KIND_INITIATE = 0, /* (Enhanced) Initiate */
  IWARP_SCTP_KIND_ACCEPT,       /* (Enhanced) Accept */
  IWARP_SCTP_KIND_REJECT,       /* (Enhanced) Reject */
  IWARP_SCTP_KIND_TERMINATE,    /* Terminate */
  IWARP_SCTP_KIND_SEGMENT,      /* DDP Segment */
  IWARP_SCTP_KIND_OTHER         /* no place in a session: unknown code, malformed, wrong DDP-SSN */
} iwarp_sctp_kind;

#define IWARP_SCTP_NUM_KINDS 6u /* members of iwarp_sctp_kind */

/** iwarp_sctp_verdict is what the rules say of a message in a state. */
typedef enum iwarp_sctp_verdict {
  IWARP_SCTP_LEGAL = 0, /* the message is in its place */
  IWARP_SCTP_NOTE,      /* the RFC leaves it open; no rule fails on it */
  IWARP_SCTP_ILLEGAL,   /* fits no legal sequence: the session must be terminated, RFC 5043 6.1 */
  IWARP_SCTP_STRAY      /* no session that the message could belong to */
} iwarp_sctp_verdict;

/** iwarp_sctp_cell is a cell of the table of states. */
typedef struct iwarp_sctp_cell {
  iwarp_sctp_verdict verdict; /* verdict on the message */
  iwarp_sctp_state next;      /* the state that follows */
} iwarp_sctp_cell;

/**
 * iwarp_sctp_step returns the cell for a message of `kind`, sent by side 0 (`own`) or by the peer,
 * in `state`. The two halves of the table mirror each other. Values out of range are ILLEGAL.
 */
IWARP_API iwarp_sctp_cell iwarp_sctp_step(iwarp_sctp_state state, bool own, iwarp_sctp_kind kind);

/** iwarp_sctp_state_name returns "established" and so on; IWARP_NAME_UNKNOWN for a value that is no
 * state. */
IWARP_API const char *iwarp_sctp_state_name(iwarp_sctp_state state);

/* ---- DDP Stream Session: the engine ---- */

/**
 * iwarp_sctp_session follows one DDP stream, session after session: it puts the SCTP messages of a
 * side into the order of their DDP-SSNs and applies the table. As an observer it takes the messages
 * of both sides. As an endpoint it takes the messages of the peer, side 1; the calls that send for
 * side 0 are not public, because no endpoint over SCTP uses them.
 */
typedef struct iwarp_sctp_session iwarp_sctp_session;

/** IWARP_SCTP_WINDOW_MAX bounds iwarp_sctp_session_cfg.window. */
#define IWARP_SCTP_WINDOW_MAX 32767u

/** iwarp_sctp_session_cfg configures an engine; zero is the default of each member but size and
 * window. */
typedef struct iwarp_sctp_session_cfg {
  size_t size;     /* sizeof(iwarp_sctp_session_cfg) */
  bool observer;   /* the engine is an observer; false: an endpoint */
  bool joined;     /* observer: a session is under way, its first messages were not seen */
  uint16_t window; /* DDP-SSNs of a side that are kept for order, 1..IWARP_SCTP_WINDOW_MAX */
} iwarp_sctp_session_cfg;

/** iwarp_sctp_message is a received SCTP message. */
typedef struct iwarp_sctp_message {
  uint32_t ppid;        /* Payload Protocol Identifier: 16 segment, 17 control */
  iwarp_span user_data; /* borrowed until the event with its token */
  uint64_t token;       /* the caller's; comes back in exactly one event */
} iwarp_sctp_message;

/** iwarp_sctp_session_event_kind says what an event tells. */
typedef enum iwarp_sctp_session_event_kind {
  IWARP_SCTP_SESSION_EVENT_CONTROL = 0, /* a control message that is in its place */
  IWARP_SCTP_SESSION_EVENT_SEGMENT,     /* a DDP Segment that is in its place */
  IWARP_SCTP_SESSION_EVENT_DISCARDED,   /* a message that is not to be used, see `reason` */
  IWARP_SCTP_SESSION_EVENT_GAP          /* iwarp_sctp_session_skip: no message, no token */
} iwarp_sctp_session_event_kind;

/** iwarp_sctp_reason says why a message was discarded. */
typedef enum iwarp_sctp_reason {
  IWARP_SCTP_REASON_NONE = 0,   /* the message was not discarded */
  IWARP_SCTP_REASON_SEQUENCE,   /* fits no legal sequence */
  IWARP_SCTP_REASON_PPID,       /* the PPID is neither 16 nor 17 */
  IWARP_SCTP_REASON_SHORT,      /* no room for DDP-SSN or Function Code */
  IWARP_SCTP_REASON_FUNCTION,   /* Function Code unassigned, or of the other form than Initiate's */
  IWARP_SCTP_REASON_LENGTH,     /* Private Data above 512 octets, or without the enhanced data */
  IWARP_SCTP_REASON_SSN,        /* DDP-SSN repeated or beyond the bound of RFC 5043 10 */
  IWARP_SCTP_REASON_NO_SESSION, /* no session, or its state accepts no segments */
  IWARP_SCTP_REASON_BROKEN,     /* endpoint: after an illegal message */
  IWARP_SCTP_REASON_REFUSED,    /* endpoint: iwarp_sctp_session_set_refuse */
  IWARP_SCTP_REASON_OVER        /* held back when its session ended, or came after that */
} iwarp_sctp_reason;

/**
 * iwarp_sctp_session_event is one message in its turn. The spans are those that were pushed.
 * `control` and `segment` are set as `message` tells, also of a discarded message, as far as it
 * could be decoded.
 */
typedef struct iwarp_sctp_session_event {
  iwarp_sctp_session_event_kind kind; /* says which of the other members count */
  uint8_t side;                       /* 0 or 1: who sent it */
  iwarp_sctp_kind message;            /* kind of the message */
  iwarp_sctp_verdict verdict;         /* verdict of the table of states */
  iwarp_sctp_reason reason;           /* DISCARDED: the reason */
  iwarp_sctp_state state;             /* state after the message */
  bool inconclusive; /* messages of this session are missing: the verdict may rest on that */
  uint16_t ssn;      /* DDP-SSN; GAP: the first one missing */
  uint16_t missing;  /* GAP: number of DDP-SSNs missing */
  uint32_t session;  /* 1 for the first */
  uint64_t token;    /* token of the message; GAP: 0 */
  iwarp_sctp_control control; /* a Terminate with Private Data is legal here; they mean nothing */
  iwarp_span segment;         /* `message` is SEGMENT: the DDP Segment */
} iwarp_sctp_session_event;

/** iwarp_sctp_session_info is what the engine knows. */
typedef struct iwarp_sctp_session_info {
  iwarp_sctp_state state; /* the state, seen from side 0 */
  uint32_t session;       /* the number of the session, 1 for the first */
  bool enhanced;          /* begun by an Enhanced Initiate */
  uint8_t initiator;      /* the side that sent the Initiate */
  bool broken;       /* endpoint: an illegal message came; a Terminate must be sent, or was sent */
  bool inconclusive; /* messages of this session are missing */
  uint16_t next[2];  /* the DDP-SSN expected from each side */
  uint16_t held;     /* messages kept for order */
  uint16_t unacked;  /* endpoint: own DDP-SSNs in flight */
} iwarp_sctp_session_info;

/** iwarp_sctp_session_size returns the octets of memory that an engine with `window` needs; 0 when
 * that is out of range. */
IWARP_API size_t iwarp_sctp_session_size(uint16_t window);

/**
 * iwarp_sctp_session_init makes an engine in `mem` (aligned as max_align_t, `mem_len` octets, owned
 * by the caller and must outlive the engine). NOBUF: too small. ARG: bad configuration or
 * alignment.
 */
IWARP_API iwarp_err iwarp_sctp_session_init(iwarp_sctp_session **out, void *mem, size_t mem_len,
                                            const iwarp_sctp_session_cfg *cfg);

/**
 * iwarp_sctp_session_push gives the engine a message that `side` sent, as SCTP delivers it: in any
 * order.
 *
 * The caller may place a segment that is ahead of its turn, but must not count it as received (RFC
 * 5041 5.2). NOBUF: its DDP-SSN is valid, but `window` or more ahead; the caller keeps it and
 * pushes it again later. STATE: iwarp_sctp_session_next_event has something to report first. ARG:
 * an endpoint's own side, or no side.
 */
IWARP_API iwarp_err iwarp_sctp_session_push(iwarp_sctp_session *s, uint8_t side,
                                            const iwarp_sctp_message *message);

/** iwarp_sctp_session_next_event returns the next event: OK, or END. An endpoint keeps segments
 * back after an Initiate that is not answered yet. */
IWARP_API iwarp_err iwarp_sctp_session_next_event(iwarp_sctp_session *s,
                                                  iwarp_sctp_session_event *ev);

/**
 * iwarp_sctp_session_skip reports as a GAP the messages of `side` before the first message held:
 * the capture lacks them. Observer only. STATE: an endpoint, no message is held, or
 * iwarp_sctp_session_next_event has something to report. ARG: no side.
 */
IWARP_API iwarp_err iwarp_sctp_session_skip(iwarp_sctp_session *s, uint8_t side,
                                            iwarp_sctp_session_event *ev);

/** iwarp_sctp_session_info_get returns what is known now. */
IWARP_API iwarp_sctp_session_info iwarp_sctp_session_info_get(const iwarp_sctp_session *s);

#ifdef __cplusplus
}
#endif

#endif
