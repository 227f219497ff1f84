/* SPDX-License-Identifier: BSD-2-Clause */
/* DDP over SCTP: DDP Segment Chunks and Session Control messages (RFC 5043, RFC 6581 7). */
#ifndef IWARP_SCTP_H
#define IWARP_SCTP_H

#include <iwarp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IWARP_SCTP_PPID_SEGMENT 16u /* Payload Protocol Identifier of a DDP Segment Chunk */
#define IWARP_SCTP_PPID_CONTROL 17u /* of a DDP Stream Session Control message */

#define IWARP_SCTP_SEGMENT_LEN 2u        /* octets before the DDP Segment */
#define IWARP_SCTP_CONTROL_LEN 4u        /* octets before the Private Data */
#define IWARP_SCTP_PRIVATE_DATA_MAX 512u /* octets, RFC 5043 5.2.3 */
#define IWARP_SCTP_ENHANCED_LEN 4u       /* octets, RFC 6581 9 */
#define IWARP_SCTP_MULPDU_MIN 516u       /* octets, RFC 5043 9 */
#define IWARP_SCTP_UNACKED_MAX 32767u    /* DDP-SSNs of a stream in flight, RFC 5043 10 */

#define IWARP_SCTP_ADAPTATION_TYPE 0xC006u /* Adaptation Layer Indication, RFC 5061 4.2.6 */
#define IWARP_SCTP_ADAPTATION_LEN 8u       /* octets */
#define IWARP_SCTP_ADAPTATION_DDP 1u       /* the indication of DDP, RFC 5043 5.1 */

/** iwarp_sctp_ppid_name names a Payload Protocol Identifier of RFC 5043, or returns NULL. Static
 * storage. */
IWARP_API const char *iwarp_sctp_ppid_name(uint32_t ppid);

/* ---- DDP Segment Chunk: RFC 5043 5.2.2 */

/**
 * iwarp_sctp_segment is the user data of a DDP Segment Chunk. `segment` borrows the decoder's
 * input; its length comes from the SCTP message.
 */
typedef struct iwarp_sctp_segment {
  uint16_t ssn;       /* DDP-SSN */
  iwarp_span segment; /* the DDP Segment, borrowed */
} iwarp_sctp_segment;

/**
 * iwarp_sctp_segment_decode splits the user data `in` of one SCTP message. OK (`used` is all of
 * `in`) or NEED_MORE. What the DDP Segment holds is not looked at.
 */
IWARP_API iwarp_dec iwarp_sctp_segment_decode(iwarp_sctp_segment *out, iwarp_span in);

/** iwarp_sctp_segment_encode writes the user data; `dst` NULL with `cap` 0 asks for the size.
 * NOBUF. */
IWARP_API iwarp_err iwarp_sctp_segment_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                              const iwarp_sctp_segment *v);

/* ---- DDP Stream Session Control: RFC 5043 5.2.3, RFC 6581 7 */

/** iwarp_sctp_function: the Function Codes. RFC 6580 3.5. */
typedef enum iwarp_sctp_function {
  IWARP_SCTP_INITIATE = 1,          /* DDP Stream Session Initiate */
  IWARP_SCTP_ACCEPT = 2,            /* DDP Stream Session Accept */
  IWARP_SCTP_REJECT = 3,            /* DDP Stream Session Reject */
  IWARP_SCTP_TERMINATE = 4,         /* DDP Stream Session Terminate */
  IWARP_SCTP_ENHANCED_INITIATE = 5, /* Enhanced Initiate, RFC 6581 7 */
  IWARP_SCTP_ENHANCED_ACCEPT = 6,   /* Enhanced Accept */
  IWARP_SCTP_ENHANCED_REJECT = 7,   /* Enhanced Reject */
  IWARP_SCTP_EXPERIMENTAL = 0xFFFF  /* for experiments, RFC 6580 2 */
} iwarp_sctp_function;

/** iwarp_sctp_function_info is one row of the table of Function Codes. */
typedef struct iwarp_sctp_function_info {
  uint16_t code;     /* iwarp_sctp_function */
  bool assigned;     /* false for the experimental code */
  bool private_data; /* the message has the field, which may be empty */
  bool enhanced;     /* the Private Data begins with the enhanced data */
  const char *name;  /* "initiate", "enhanced-accept", ... */
  const char *label; /* "DDP Stream Session Initiate" */
  const char *rfc;   /* "RFC 5043 5.2.3" */
} iwarp_sctp_function_info;

/** iwarp_sctp_function_get returns the row of a Function Code, or NULL when it is unassigned.
 * Static storage. */
IWARP_API const iwarp_sctp_function_info *iwarp_sctp_function_get(uint16_t code);

/** iwarp_sctp_function_at returns the rows in the order of their codes, NULL after the last. */
IWARP_API const iwarp_sctp_function_info *iwarp_sctp_function_at(size_t index);

/**
 * iwarp_sctp_control is the user data of a Session Control message as it stood on the wire. Nothing
 * is judged: any code with any length decodes. `private_data` borrows the decoder's input; its
 * length comes from the SCTP message.
 */
typedef struct iwarp_sctp_control {
  uint16_t ssn;            /* DDP-SSN */
  uint16_t function;       /* iwarp_sctp_function */
  iwarp_span private_data; /* borrowed; with the enhanced data where there are any */
} iwarp_sctp_control;

/** iwarp_sctp_control_decode splits the user data `in` of one SCTP message. OK (`used` is all of
 * `in`) or NEED_MORE. */
IWARP_API iwarp_dec iwarp_sctp_control_decode(iwarp_sctp_control *out, iwarp_span in);

/** iwarp_sctp_control_encode writes the user data; `dst` NULL with `cap` 0 asks for the size.
 * NOBUF. */
IWARP_API iwarp_err iwarp_sctp_control_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                              const iwarp_sctp_control *v);

/**
 * iwarp_sctp_control_enhanced returns the four octets of enhanced data, to be decoded by
 * iwarp_mpa_enhanced_decode (iwarp/mpa.h): the word is the same over TCP and SCTP. Empty for a
 * Function Code without them, or when the Private Data is too short. RFC 6581 7 and 9.
 */
IWARP_API iwarp_span iwarp_sctp_control_enhanced(const iwarp_sctp_control *v);

/** iwarp_sctp_control_ulp_data returns the Private Data without the enhanced data. */
IWARP_API iwarp_span iwarp_sctp_control_ulp_data(const iwarp_sctp_control *v);

/* ---- Adaptation Layer Indication: RFC 5043 5.1, RFC 5061 4.2.6 */

/** iwarp_sctp_adaptation is the parameter of INIT and INIT-ACK. */
typedef struct iwarp_sctp_adaptation {
  uint16_t type;       /* IWARP_SCTP_ADAPTATION_TYPE */
  uint16_t length;     /* octets, as on the wire */
  uint32_t indication; /* IWARP_SCTP_ADAPTATION_DDP */
} iwarp_sctp_adaptation;

/** iwarp_sctp_adaptation_decode decodes the first eight octets of `in`. OK or NEED_MORE. */
IWARP_API iwarp_dec iwarp_sctp_adaptation_decode(iwarp_sctp_adaptation *out, iwarp_span in);

/** iwarp_sctp_adaptation_encode writes eight octets; `dst` NULL with `cap` 0 asks for the size.
 * NOBUF. */
IWARP_API iwarp_err iwarp_sctp_adaptation_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                                 const iwarp_sctp_adaptation *v);

/* ---- arithmetic */

/**
 * iwarp_sctp_mulpdu returns the largest DDP Segment for a path MTU without fragmentation, at least
 * 516: `ip_header` octets of IP header, `bundled` octets left free for control chunks in the same
 * packet (16 for a SACK without gaps). RFC 5043 9.
 */
IWARP_API uint32_t iwarp_sctp_mulpdu(uint32_t path_mtu, uint32_t ip_header, uint32_t bundled);

/**
 * iwarp_sctp_ssn_distance returns how far the DDP-SSN `ssn` is ahead of `next`, the one that is
 * due: 0 it is due; up to 32766 it is ahead; more: it is not valid. RFC 5043 10.
 */
IWARP_API uint16_t iwarp_sctp_ssn_distance(uint16_t ssn, uint16_t next);

/* ---- DDP Stream Session: the rules, RFC 5043 6 */

/**
 * IWARP_SCTP_STATE_MAP lists the states of a DDP stream, seen from side 0 (an endpoint's own side):
 * X(name, text).
 */
#define IWARP_SCTP_STATE_MAP(X)                                                                    \
  X(IDLE, "idle")           /* no session */                                                       \
  X(INIT_SENT, "init-sent") /* active: Initiate sent, no answer yet */                             \
  X(PENDING, "pending")     /* passive: Initiate received, not answered yet */                     \
  X(EST, "established")     /* accepted, both directions open */                                   \
  X(T_SENT, "t-sent")       /* own Terminate sent, the peer's direction is open */                 \
  X(T_RCVD, "t-received")   /* the peer's Terminate received, the own direction is open */         \
  X(GAVE_UP, "gave-up")     /* active: own Terminate sent before any answer */                     \
  X(ABANDONED, "abandoned") /* passive: the peer's Terminate received before any answer */         \
  X(REFUSED, "refused")     /* active: answered by Reject or Terminate */                          \
  X(REFUSING, "refusing")   /* passive: answered with Reject or Terminate */                       \
  X(DRAIN, "drain")         /* both directions finished */

/** iwarp_sctp_state is the state of a DDP stream. */
typedef enum iwarp_sctp_state {
/** IWARP_SCTP_STATE_ENUM makes the enumerator of a row; undefined again after the list. */
#define IWARP_SCTP_STATE_ENUM(name, text) IWARP_SCTP_STATE_##name,
  IWARP_SCTP_STATE_MAP(IWARP_SCTP_STATE_ENUM)
#undef IWARP_SCTP_STATE_ENUM
} iwarp_sctp_state;

#define IWARP_SCTP_NUM_STATES 11u /* members of iwarp_sctp_state */

/** iwarp_sctp_kind is what a message is for the rules; enhanced or not makes no difference. */
typedef enum iwarp_sctp_kind {
  IWARP_SCTP_KIND_INITIATE = 0, /* (Enhanced) Initiate */
  IWARP_SCTP_KIND_ACCEPT,       /* (Enhanced) Accept */
  IWARP_SCTP_KIND_REJECT,       /* (Enhanced) Reject */
  IWARP_SCTP_KIND_TERMINATE,    /* Terminate */
  IWARP_SCTP_KIND_SEGMENT,      /* DDP Segment */
  IWARP_SCTP_KIND_OTHER /* what has no place in a session: unknown code, malformed, wrong DDP-SSN */
} iwarp_sctp_kind;

#define IWARP_SCTP_NUM_KINDS 6u /* members of iwarp_sctp_kind */

/** iwarp_sctp_verdict is what the rules say of a message in a state. */
typedef enum iwarp_sctp_verdict {
  IWARP_SCTP_LEGAL = 0, /* in its place */
  IWARP_SCTP_NOTE,      /* the text leaves it open; not to be held against the sender */
  IWARP_SCTP_ILLEGAL,   /* fits no legal sequence: the session must be terminated, RFC 5043 6.1 */
  IWARP_SCTP_STRAY      /* there is no session that it could belong to */
} iwarp_sctp_verdict;

/** iwarp_sctp_cell is a cell of the table of states. */
typedef struct iwarp_sctp_cell {
  iwarp_sctp_verdict verdict; /* on the message */
  iwarp_sctp_state next;      /* the state that follows */
} iwarp_sctp_cell;

/**
 * iwarp_sctp_step returns the cell for a message of `kind`, sent by side 0 (`own`) or by the peer,
 * in `state`. The two halves of the table mirror each other. Values out of range are ILLEGAL.
 */
IWARP_API iwarp_sctp_cell iwarp_sctp_step(iwarp_sctp_state state, bool own, iwarp_sctp_kind kind);

/** iwarp_sctp_state_name returns "established" and so on, NULL for a value that is no state. */
IWARP_API const char *iwarp_sctp_state_name(iwarp_sctp_state state);

/* ---- DDP Stream Session: the engine */

/**
 * iwarp_sctp_session follows one DDP stream, session after session: it puts the SCTP messages of a
 * side into the order of their DDP-SSNs and applies the table. As an endpoint it makes the control
 * messages of side 0 and numbers its segments; side 1 is the peer. As an observer it is told the
 * messages of both sides and sends nothing.
 */
typedef struct iwarp_sctp_session iwarp_sctp_session;

/** IWARP_SCTP_WINDOW_MAX bounds iwarp_sctp_session_cfg.window. */
#define IWARP_SCTP_WINDOW_MAX 32767u

/** iwarp_sctp_session_cfg configures an engine; zero is the default of each member but size and window. */
typedef struct iwarp_sctp_session_cfg {
  size_t size;     /* sizeof(iwarp_sctp_session_cfg) */
  bool observer;   /* else an endpoint */
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
  IWARP_SCTP_EVENT_CONTROL = 0, /* a control message that is in its place */
  IWARP_SCTP_EVENT_SEGMENT,     /* a DDP Segment that is in its place */
  IWARP_SCTP_EVENT_DISCARDED,   /* a message that is not to be used, see `reason` */
  IWARP_SCTP_EVENT_GAP          /* iwarp_sctp_session_skip: no message, no token */
} iwarp_sctp_session_event_kind;

/** iwarp_sctp_reason says why a message was discarded. */
typedef enum iwarp_sctp_reason {
  IWARP_SCTP_REASON_NONE = 0,   /* it was not discarded */
  IWARP_SCTP_REASON_SEQUENCE,   /* fits no legal sequence */
  IWARP_SCTP_REASON_PPID,       /* neither 16 nor 17 */
  IWARP_SCTP_REASON_SHORT,      /* no room for DDP-SSN or Function Code */
  IWARP_SCTP_REASON_FUNCTION,   /* Function Code unassigned, or of the other form than Initiate's */
  IWARP_SCTP_REASON_LENGTH,     /* Private Data above 512 octets, or without the enhanced data */
  IWARP_SCTP_REASON_SSN,        /* DDP-SSN repeated or beyond the bound of RFC 5043 10 */
  IWARP_SCTP_REASON_NO_SESSION, /* no session, or none that takes segments */
  IWARP_SCTP_REASON_BROKEN,     /* endpoint: after an illegal message */
  IWARP_SCTP_REASON_REFUSED,    /* endpoint: iwarp_sctp_session_set_refuse */
  IWARP_SCTP_REASON_OVER        /* held back when its session ended, or came after that */
} iwarp_sctp_reason;

/**
 * iwarp_sctp_session_event is one message in its turn. The spans are those that were pushed. `control` and
 * `segment` are set by `chunk` also when the message was discarded, as far as it could be decoded.
 */
typedef struct iwarp_sctp_session_event {
  iwarp_sctp_session_event_kind kind; /* says which of the other members count */
  uint8_t side;               /* 0 or 1: who sent it */
  iwarp_sctp_kind chunk;      /* what the message is for the rules */
  iwarp_sctp_verdict verdict; /* of the table of states */
  iwarp_sctp_reason reason;   /* DISCARDED: why */
  iwarp_sctp_state state;     /* after it */
  bool unsure;      /* messages of this session are missing: the verdict may rest on that */
  uint16_t ssn;     /* of a GAP the first one missing */
  uint16_t missing; /* GAP: how many DDP-SSNs */
  uint32_t session; /* 1 for the first */
  uint64_t token;   /* the message's; of a GAP 0 */
  iwarp_sctp_control control; /* a Terminate with Private Data is legal here; they mean nothing */
  iwarp_span segment;         /* chunk SEGMENT: the DDP Segment */
} iwarp_sctp_session_event;

/** iwarp_sctp_output is a message to be handed to SCTP, unordered, on the stream of this session. */
typedef struct iwarp_sctp_output {
  uint32_t ppid;                       /* Payload Protocol Identifier to send it with */
  uint16_t ssn;                        /* its DDP-SSN */
  uint8_t hdr_len;                     /* octets of `hdr` */
  uint8_t hdr[IWARP_SCTP_CONTROL_LEN]; /* the first hdr_len octets of the user data */
  iwarp_span body;                     /* the others, borrowed from the caller */
} iwarp_sctp_output;

/** iwarp_sctp_session_info is what the engine knows. */
typedef struct iwarp_sctp_session_info {
  iwarp_sctp_state state; /* as side 0 sees it */
  uint32_t session;       /* the number of the session, 1 for the first */
  bool enhanced;          /* begun by an Enhanced Initiate */
  uint8_t initiator;      /* the side that sent the Initiate */
  bool broken;            /* endpoint: an illegal message came, a Terminate is due or sent */
  bool unsure;            /* messages of this session are missing */
  uint16_t next[2];       /* the DDP-SSN that is due from each side */
  uint16_t held;          /* messages kept for order */
  uint16_t unacked;       /* endpoint: own DDP-SSNs in flight */
} iwarp_sctp_session_info;

/** iwarp_sctp_session_size returns the octets of memory that an engine with `window` needs; 0 when that is
 * out of range. */
IWARP_API size_t iwarp_sctp_session_size(uint16_t window);

/**
 * iwarp_sctp_session_init makes an engine in `mem` (aligned as max_align_t, `mem_len` octets, owned by the
 * caller and must outlive the engine). NOBUF: too small. ARG: bad configuration or
 * alignment.
 */
IWARP_API iwarp_err iwarp_sctp_session_init(iwarp_sctp_session **out, void *mem, size_t mem_len,
                                    const iwarp_sctp_session_cfg *cfg);

/**
 * iwarp_sctp_session_push gives the engine a message that `side` sent, as SCTP delivers it: in any order.
 *
 * A segment that is not due yet may already be placed by the caller, but not be counted as received
 * (RFC 5041 5.2). NOBUF: its DDP-SSN is valid, but `window` or more ahead; the caller keeps it and
 * pushes it again later. STATE: iwarp_sctp_session_next_event has something to report first. ARG: an endpoint's
 * own side, or no side.
 */
IWARP_API iwarp_err iwarp_sctp_session_push(iwarp_sctp_session *s, uint8_t side,
                                    const iwarp_sctp_message *chunk);

/** iwarp_sctp_session_next_event returns the next event: OK, or END. An endpoint keeps segments back after an
 * Initiate that is not answered yet. */
IWARP_API iwarp_err iwarp_sctp_session_next_event(iwarp_sctp_session *s, iwarp_sctp_session_event *ev);

/**
 * iwarp_sctp_session_skip says that the messages of `side` up to the first one held will not come (a
 * capture lacks them), and reports them as a GAP. Observer only. STATE: an endpoint, none is held,
 * or iwarp_sctp_session_next_event has something to report. ARG: no side.
 */
IWARP_API iwarp_err iwarp_sctp_session_skip(iwarp_sctp_session *s, uint8_t side, iwarp_sctp_session_event *ev);

/**
 * iwarp_sctp_session_lost says that the association is gone. What is held comes back as discarded, then the
 * stream is idle. RFC 5043 11.3.
 */
IWARP_API void iwarp_sctp_session_lost(iwarp_sctp_session *s);

/** iwarp_sctp_session_info_get returns what is known now. */
IWARP_API iwarp_sctp_session_info iwarp_sctp_session_info_get(const iwarp_sctp_session *s);

/*
 * Endpoint. Each call that makes a message fills `*out`, which is to be handed to SCTP before any
 * later one. STATE: not now; for an observer, never. NOBUF: 32767 DDP-SSNs are in flight.
 */

/**
 * iwarp_sctp_session_connect starts a session with Initiate or, if `enhanced`, Enhanced Initiate. ARG: more
 * than 512 octets, or enhanced and less than four of them. RFC 5043 6.2.
 */
IWARP_API iwarp_err iwarp_sctp_session_connect(iwarp_sctp_session *s, iwarp_sctp_output *out, bool enhanced,
                                       iwarp_span private_data);

/** iwarp_sctp_session_accept answers an Initiate, in the form that it had. Private Data as above. */
IWARP_API iwarp_err iwarp_sctp_session_accept(iwarp_sctp_session *s, iwarp_sctp_output *out,
                                      iwarp_span private_data);

/** iwarp_sctp_session_reject answers an Initiate, in the form that it had. Private Data as above. */
IWARP_API iwarp_err iwarp_sctp_session_reject(iwarp_sctp_session *s, iwarp_sctp_output *out,
                                      iwarp_span private_data);

/**
 * iwarp_sctp_session_send numbers a DDP Segment. STATE: the session is not established, or is ending. ARG:
 * the segment is longer than `mulpdu`, the size announced to DDP. RFC 5043 9.
 */
IWARP_API iwarp_err iwarp_sctp_session_send(iwarp_sctp_session *s, iwarp_sctp_output *out, iwarp_span segment,
                                    size_t mulpdu);

/** iwarp_sctp_session_close asks for the end of the session: iwarp_sctp_session_next_output gives the Terminate when it may
 * go. STATE: the own direction is not open. */
IWARP_API iwarp_err iwarp_sctp_session_close(iwarp_sctp_session *s);

/**
 * iwarp_sctp_session_next_output gives the Terminate that is due: OK or END. It is due after iwarp_sctp_session_close, an
 * illegal message, a Terminate of the peer, and an Initiate that is refused; it waits until it
 * cannot overtake the Initiate or Accept of this side. RFC 5043 6.6.
 */
IWARP_API iwarp_err iwarp_sctp_session_next_output(iwarp_sctp_session *s, iwarp_sctp_output *out);

/**
 * iwarp_sctp_session_acked says that SCTP acknowledged all own messages up to the DDP-SSN `ssn`. ARG: it is
 * not in flight. When a session is over and all of it is acknowledged, the stream is idle. What the
 * peer sent before it saw its Initiate refused may come after that: it is discarded with reason
 * OVER and a NOTE.
 */
IWARP_API iwarp_err iwarp_sctp_session_acked(iwarp_sctp_session *s, uint16_t ssn);

/** iwarp_sctp_session_set_refuse says whether an Initiate is answered with Terminate at once, because as
 * many as the caller allows are waiting for their answer. RFC 5043 6.4. */
IWARP_API void iwarp_sctp_session_set_refuse(iwarp_sctp_session *s, bool refuse);

#ifdef __cplusplus
}
#endif

#endif
