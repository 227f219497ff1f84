/* SPDX-License-Identifier: BSD-2-Clause */
/* What the rules share: what the tracker keeps, the facts about one event, and views on them. */
#ifndef IWARP_RULES_CONTEXT_H
#define IWARP_RULES_CONTEXT_H

#include <iwarp/rules.h>

#include "because.h"
#include "docket.h"

/* For each segment, all of this counts: a function that is compiled by itself, since joined with
 * others the values of neither would fit the registers; and one that is part of its callers. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define RULES_APART __attribute__((noinline))
#define RULES_RARE __attribute__((noinline, cold)) /* it is out of the way */
#define RULES_INLINE static inline __attribute__((always_inline))
#else
#define RULES_APART
#define RULES_RARE
#define RULES_INLINE static inline
#endif

/* Severities, impacts and event kinds in the short form that catalog.def uses. */
#define RULES_ON_STARTUP (1u << IWARP_EVENT_STARTUP)
/* A DDP Segment, whatever carried it. */
#define RULES_ON_FPDU (1u << IWARP_EVENT_FPDU | 1u << IWARP_EVENT_SCTP_SEGMENT)
#define RULES_ON_INIT (1u << IWARP_EVENT_SCTP_INIT)
#define RULES_ON_MESSAGE (1u << IWARP_EVENT_SCTP_MESSAGE | 1u << IWARP_EVENT_SCTP_SEGMENT)
/* A startup frame, or a Session Control message over SCTP. */
#define RULES_ON_CONNECT (RULES_ON_STARTUP | 1u << IWARP_EVENT_SCTP_MESSAGE)
#define RULES_ON_GAP (1u << IWARP_EVENT_GAP)
#define RULES_ON_UNDECODABLE (1u << IWARP_EVENT_UNDECODABLE)
#define RULES_ON_END (1u << IWARP_EVENT_END)

/*
 * What is so of few segments: X(name, classes, text). A rule that speaks of them alone is not asked
 * about the others. Of the first ones RULES_ON_<name> is the event, with a bit of its own; those
 * with classes hold where the DDP header is there and has an opcode of one of them.
 */
#define RULES_SEGMENT_MAP(X)                                                                       \
  X(FIRST, 0, "the first FPDU of a direction")                                                     \
  X(MARKED, 0, "Markers stand in it")                                                              \
  X(PADDED, 0, "it has a PAD")                                                                     \
  X(TAGGED, 0, "the DDP header is there and Tagged")                                               \
  X(UNTAGGED, 0, "the DDP header is there and Untagged")                                           \
  X(EMPTY, 0, "the DDP header is there and no payload follows it")                                 \
  X(TERMINATE, 1u << IWARP_RDMAP_CLASS_TERMINATE, "a Terminate")                                   \
  X(READ_REQ, 1u << IWARP_RDMAP_CLASS_READ_REQ, "an RDMA Read Request")                            \
  X(READ_RESP, 1u << IWARP_RDMAP_CLASS_READ_RESP, "an RDMA Read Response")                         \
  X(ATOMIC_REQ, 1u << IWARP_RDMAP_CLASS_ATOMIC_REQ, "an Atomic Request")                           \
  X(ATOMIC_RESP, 1u << IWARP_RDMAP_CLASS_ATOMIC_RESP, "an Atomic Response")                        \
  X(REQUEST, 1u << IWARP_RDMAP_CLASS_READ_REQ | 1u << IWARP_RDMAP_CLASS_ATOMIC_REQ,                \
    "either Request")                                                                              \
  X(RESPONSE, 1u << IWARP_RDMAP_CLASS_READ_RESP | 1u << IWARP_RDMAP_CLASS_ATOMIC_RESP,             \
    "either Response")                                                                             \
  X(IMMEDIATE, 1u << IWARP_RDMAP_CLASS_IMMEDIATE, "Immediate Data")

enum rules_segment {
#define RULES_SEGMENT_ENUM(name, classes, text) RULES_SEGMENT_##name,
  RULES_SEGMENT_MAP(RULES_SEGMENT_ENUM)
#undef RULES_SEGMENT_ENUM
      RULES_SEGMENTS
};

#define RULES_SEGMENT_SHIFT 16u /* the events have the bits below it */
#define RULES_ONLY(name) (RULES_ON_FPDU | 1u << (RULES_SEGMENT_SHIFT + RULES_SEGMENT_##name))
#define RULES_ON_FIRST RULES_ONLY(FIRST)
#define RULES_ON_MARKED RULES_ONLY(MARKED)
#define RULES_ON_PADDED RULES_ONLY(PADDED)
#define RULES_ON_TAGGED RULES_ONLY(TAGGED)
#define RULES_ON_UNTAGGED RULES_ONLY(UNTAGGED)
#define RULES_ON_EMPTY RULES_ONLY(EMPTY)
#define RULES_ON_TERMINATE RULES_ONLY(TERMINATE)
#define RULES_ON_READ_REQ RULES_ONLY(READ_REQ)
#define RULES_ON_READ_RESP RULES_ONLY(READ_RESP)
#define RULES_ON_ATOMIC_REQ RULES_ONLY(ATOMIC_REQ)
#define RULES_ON_ATOMIC_RESP RULES_ONLY(ATOMIC_RESP)
#define RULES_ON_REQUEST RULES_ONLY(REQUEST)
#define RULES_ON_RESPONSE RULES_ONLY(RESPONSE)
#define RULES_ON_IMMEDIATE RULES_ONLY(IMMEDIATE)

/* The transports of a rule, as bits. */
#define RULES_OVER_TCP 1u
#define RULES_OVER_SCTP 2u
#define RULES_OVER_ANY 3u

enum rules_id {
#define RULE(ident, slug, transport, level, severity, impact, events, requirements, summary,       \
             message)                                                                              \
  RULES_##ident,
#include "catalog.def"
#undef RULE
  RULES_COUNT
};

/* ---- tracker: what earlier events leave, in fixed memory ---- */

#define RULES_READS 512u     /* requests of one side whose answer is due, kept with their header */
#define RULES_HEADERS 256u   /* DDP headers of one side, for the Terminate that returns one */
#define RULES_FORGOTTEN 512u /* words of the filter of those that no longer are among them */

/* Without a pool there is room for less. */
#define RULES_ALONE_READS 16u
#define RULES_ALONE_HEADERS 32u

/* What is known about the messages of one queue, or about the Tagged messages, of one direction. */
enum slot_state {
  SLOT_UNKNOWN = 0, /* octets are missing: the next segment may belong anywhere */
  SLOT_FRESH,       /* seen from its start, no message yet */
  SLOT_CLOSED,      /* the last message ended */
  SLOT_OPEN         /* a message is under way */
};

#define RULES_SLOT_TAGGED 4u /* slots 0 to 3 are the queues */
#define RULES_SLOTS 5u

struct rules_slot {
  enum slot_state state;
  bool start_seen;      /* of the message under way: total counts from its first octet */
  bool learnt;          /* no message was seen to begin since octets were missing */
  bool hollow;          /* it has begun, and none of its segments has payload */
  bool msn_changed;     /* inside the message under way, or the last one: said */
  bool label_changed;   /* opcode or stag, inside the message under way: said */
  bool interrupted;     /* another message began before it ended: said */
  bool unordered;       /* a segment of the message out of its place could not be kept in mind */
  bool next_unknown;    /* tagged: its last segment was empty, so that no STag and no TO is due */
  bool unended;         /* it has ended, whatever follows, and no L: judged */
  bool holed;           /* it has ended with L, and octets before had not come: said */
  uint8_t opcode;       /* of the message, */
  uint8_t opcode_other; /* and where label_changed the one before */
  uint32_t stag;        /* tagged; Invalidate STag for an untagged message */
  uint32_t stag_other;  /* where label_changed: the one before */
  uint32_t msn;         /* untagged */
  uint32_t msn_other;   /* where msn_changed: the one that it had as well */
  uint32_t slack;       /* segments that may have taken an MSN, but could not be placed */
  uint32_t mo_top;      /* untagged: the highest MO of the message under way */
  uint64_t next;        /* MO or TO that continues the message */
  uint64_t total;
};

/* True if the message under way began with a Tagged segment that is empty: its STag and TO tell
 * nothing of the next one, though nothing is missing. */
static inline bool rules_slot_hidden(const struct rules_slot *s) {
  return s->state == SLOT_OPEN && s->next_unknown;
}

/* A Read Request or Atomic Request whose answer is due. */
struct rules_request {
  bool atomic;
  bool details;   /* its header was available */
  bool overtaken; /* a later one was answered before it: rdmap.response-order */
  bool msn_only;  /* it is missing from the capture: only its MSN is known */
  uint32_t msn;
  uint64_t packet;
  uint64_t end; /* position after its FPDU */
  iwarp_rdmap_read_req read;
  uint32_t request_id;
};

/* The requests that may wait while that is not known, see recover.c. */
struct rules_recovery {
  bool on;              /* the queue holds all of them, in the order of their MSNs */
  bool gapped;          /* more may be missing after the last one in the queue */
  bool requests_missed; /* octets of the requester were missing, */
  bool answers_missed;  /* octets of the responder were */
  uint32_t num;         /* requests in the queue */
  uint32_t hidden;      /* those of them of which only the MSN is known */
  uint32_t lo;          /* MSN of the first one in the queue */
  uint32_t may;         /* so many of the oldest ones may have been answered */
  uint64_t gap_end;     /* position after the octets of the other side that are missing; 0: none */
};

struct rules_requests {
  bool lost;           /* which requests are due is not known any more */
  bool answered_early; /* an answer was seen before any FPDU of this side */
  bool surplus; /* an answer came while none was outstanding: this side may have received it later,
                   and taken it for the answer to a request that it sent meanwhile */
  bool overdue; /* one side sent on, and then the other one, although it had `later` */
  struct rules_because because;         /* why `lost` */
  struct rules_because because_refused; /* the same as its refused segment came */
  uint64_t passed; /* position after an FPDU that the other side sent although it had the oldest of
                      them; 0: none */
  uint64_t later;  /* position after an FPDU that this side sent after the oldest; 0: none */
  bool answers_lost; /* there was no room for one of `answers` */
  uint16_t num_answers;
  uint32_t cap_answers; /* RULES_READS at most; without a pool none are kept */
  uint64_t *answers;    /* cap_answers: positions after those that were not received as this side
                           sent its last request */
  uint32_t msn;         /* that is due on queue 1 */
  struct rules_recovery recovery;
  uint32_t num;                /* requests in the queue; 0 while `lost` */
  uint32_t cap;                /* RULES_READS at most */
  struct rules_request *queue; /* cap */
};

/* Why the receiver of a segment has to refuse it. */
enum rules_error {
  ERROR_NONE = 0,
  ERROR_CRC,
  ERROR_DDP_VERSION,
  ERROR_QUEUE,   /* no message goes to it */
  ERROR_VERSION, /* of RDMAP */
  ERROR_OPCODE,
  ERROR_LENGTH, /* of Immediate Data */
  ERROR_ATOMIC, /* a code of no Atomic Operation */
  ERROR_WRAP    /* TO plus the length reaches 2^64, of the buffer written or read */
};

/* The first segment of a side that its receiver has to refuse: after it nothing is answered. */
struct rules_refused {
  uint64_t packet;
  uint32_t name;   /* of the request below: sink STag, or Request Identifier */
  uint32_t to_low; /* and the low half of its sink TO */
  uint16_t due;    /* answers that were, not counting those that have begun since */
  uint8_t error;   /* enum rules_error */
  bool open : 1;   /* how many answers were due is not known: requests.because_refused */
  bool said : 1;
  bool asked : 1;  /* the request came with it, or after it as the first one */
  bool atomic : 1; /* it is an Atomic Request */
  bool heard : 1;  /* its side had received all that the other one has sent when it sent this, or a
                      segment after it */
  bool parted : 1; /* RDMAP finds the error once the message ends, which it does not with this */
  uint16_t header; /* low bits of the number of headers that were kept before its own */
};

/* The Read Response under way. */
struct rules_response {
  bool known;       /* request is the one that it answers */
  bool length_said; /* its length is judged */
  bool jumped;      /* a segment came out of its place: its length is judged when it ends */
  uint32_t left;    /* octets that the last one lacks, which ended with L; 0: none, or not known */
  struct rules_request request;
};

struct rules_header {
  uint16_t end;          /* low bits of the position after the FPDU, in units of four octets */
  uint16_t ulpdu_length; /* of it */
  uint8_t octets[IWARP_DDP_UNTAGGED_LEN];
};

/* The first FPDU of a direction. */
struct rules_first {
  bool seen;
  bool at_start; /* it begins where Full Operation begins */
  bool invalid;  /* its CRC is wrong, which is reported */
  uint64_t end;
  uint64_t packet;
};

#define RULES_TAIL 16u /* octets kept of the end of an FPDU */

enum rules_missing_proof {
  MISSING_NOT = 0,
  MISSING_BY_LENGTH, /* so many octets come as the FPDU has without some Markers */
  MISSING_CERTAIN
};

/* A Marker that is missing from the FPDU in which the stream ends. */
struct rules_missing {
  enum rules_missing_proof proof;
  uint64_t pos;
  iwarp_mpa_marker due;
  uint8_t is[IWARP_MPA_MARKER_LEN];
};

/* What octets that are no FPDU are compared with. */
struct rules_framing {
  uint8_t tail[RULES_TAIL]; /* the last octets of the last FPDU */
  uint8_t num_tail;         /* 0: they are not available */
  uint8_t pad;              /* octets of its PAD */
  bool reported : 1;        /* by mpa.framing */
  uint8_t num_head;         /* octets of `head` */
  bool extra;               /* Markers stand in it although none are due: its octets read so */
  bool proven;              /* by its CRC: it ends where its ULPDU_Length says */
  bool wrong;               /* its CRC is wrong */
  bool strayed;             /* its Markers are wrong, and no CRC tells where it ends */
  bool swallows;            /* FPDUs begin in it, of which one goes on past its end; no CRC tells */
  uint32_t crc;             /* of all its octets, the CRC field included */
  struct rules_missing missing; /* from the last run */
  uint64_t pos;                 /* of its ULPDU_Length */
  uint64_t offset;
  iwarp_meta first;
  iwarp_meta last;
  struct {
    uint64_t pos;
    uint64_t len;
    iwarp_meta first;
    iwarp_meta last;
    iwarp_undec_reason reason;
    uint32_t fpdu_like;
  } run;
  uint8_t head[IWARP_RUN_HEAD_LEN]; /* its first octets; before any run those that are too few to
                                       tell whether PD_Length covers an FPDU */
};

#define SCTP_OVERDUE 4u /* messages that passed what is missing, so that it does not come */

/* What a side sent in a session over SCTP. */
struct rules_sctp {
  bool passed_end; /* it sent a message after its end, which is the one that is judged */
  bool unprompted; /* when it sent its Terminate it had not received that of the other side */
  bool begun;      /* its message with DDP-SSN 0; the next five are of it */
  bool enhanced;
  bool damaged; /* a message of it was captured with a wrong checksum alone: its number may be wrong
                 */
  bool said;    /* a message of it has a number that was reported, in the place of another one */
  bool certain; /* whatever comes after the one that waits, two messages have its DDP-SSN */
  iwarp_sctp_kind kind;
  iwarp_sctp_kind waiting; /* what the one that waits is */
  uint64_t pos;
  uint64_t end; /* after it */
  uint64_t packet;
  bool arrived;          /* it is known to have got that this one arrived */
  bool segments;         /* it sent DDP Segments */
  bool ended;            /* nothing may follow */
  bool discarded;        /* a message of it has no place, for whatever reason */
  bool refused;          /* a message of it has no place for what is wrong in itself */
  bool misnumbered;      /* an Initiate of it has a wrong DDP-SSN */
  uint8_t overdue;       /* so many came that what is missing before the one that waits should have
                            preceded */
  bool astray;           /* a message of it has no place in this session, nor in the one that */
  uint16_t again;        /* so many of it would be the first ones of */
  bool whole;            /* nothing of it was lost, up to the last event */
  bool waiting_control;  /* the message that waits is a Session Control message */
  bool waiting_initiate; /* an Initiate: it may begin no session */
  bool earlier;          /* one that was sent before it takes its place */
  uint16_t next;         /* DDP-SSN */
  uint16_t due;          /* DDP-SSN */
  uint16_t waiting_ssn;  /* of the message that waits */
  iwarp_meta ended_at;   /* of its Terminate, peer_pos is what its sender had received; */
  uint64_t ended_pos;    /* and where that is */
};

/* True if FPDUs of a side stand in what PD_Length of its startup frame takes for Private Data. */
enum rules_swallowed {
  SWALLOWED_NOT = 0, /* none does, as far as is known */
  SWALLOWED_UNKNOWN, /* octets that would show it are missing */
  SWALLOWED_CERTAIN  /* where the FPDUs of the side begin is not what PD_Length says */
};

/* The segment that begins a message where another one has not ended. */
struct rules_begun {
  iwarp_meta first;
  iwarp_meta last;
  uint64_t pos;
  uint64_t offset;
  uint64_t header_pos;
  uint64_t label_pos; /* of its MSN, or of its STag and TO */
  uint32_t header_len;
  uint32_t label_len;
  uint32_t due; /* MSN of the message that has not ended */
  uint32_t msn;
  const char *opcode; /* its name */
  uint16_t field;     /* of the MSN; 0: it is Tagged */
};

/*
 * A message that has not ended when another one of its queue, or another Tagged one, begins: its
 * last segment has no L, or the rest of it comes between the segments of the other one. What
 * follows shows which.
 */
struct rules_aside {
  bool mixed; /* it went on, and the other one is set aside: the one that it is mixed with */
  uint8_t slot;
  struct rules_slot message; /* SLOT_OPEN: it may go on */
  struct rules_begun other;
};

enum rules_aside_tells {
  ASIDE_NOTHING = 0,
  ASIDE_MISSING, /* it had ended, without L */
  ASIDE_ORDER,   /* it goes on */
  ASIDE_LOST     /* what follows is missing */
};

/* FPDUs that the Private Data look like, until the other side tells how many octets there are. */
struct rules_swallowed_may {
  uint64_t pos; /* of the first one; 0: there is none; IWARP_POS_UNKNOWN: anywhere */
  uint8_t queues;
  bool ends; /* the last one is whole */
};

struct rules_order;

/* What is kept of a segment over SCTP that is judged by what comes after it. */
struct rules_kept {
  iwarp_meta first;
  iwarp_meta last;
  uint64_t pos;
  uint64_t end; /* position after it */
};

/* Segments over SCTP, where what their sender had received is not known as they come: what the
 * other side sends up to its Session Terminate tells more. */
struct rules_late {
  struct rules_kept over;   /* the request that may be one more than were negotiated, */
  uint16_t over_limit;      /* so many */
  uint16_t returned_length; /* DDP Segment Length and DDP header that the Terminate returns */
  uint8_t returned_len;
  uint8_t returned[IWARP_DDP_UNTAGGED_LEN];
  struct rules_kept terminate;
};

struct rules_side {
  bool steady;              /* its last segment was an ordinary one: rulesi_ordinary_steady holds,
                               until the next event */
  bool moved;               /* an event of this side was seen; end is set */
  bool gapped;              /* a gap was seen */
  uint8_t swallowed_queues; /* queues of the FPDUs that `swallowed` speaks of, a bit for each */
  uint8_t dv;
  bool startup_leads : 1;     /* no octets are missing or seen before its startup frame */
  bool startup_sure : 1;      /* its startup frame is one, and no payload that looks like one */
  bool streamed : 1;          /* octets without a startup frame were seen */
  bool key_begun : 1;         /* these are the first of a key, as far as they go */
  bool pd_reported : 1;       /* PD_Length of its startup frame is wrong, and that was reported */
  bool swallowed_ends : 1;    /* the last of these FPDUs ends where PD_Length says */
  bool start_unconfirmed : 1; /* the last FPDU was none: where the next begins rests on nothing */
  bool crc_unconfirmed : 1;   /* the last FPDU had a wrong CRC, its length may be wrong too */
  bool unframed : 1;          /* octets that are no FPDU were seen, or one with a wrong CRC */
  bool markers_said : 1;      /* a rule said of Markers that they are missing, or not due */
  bool phase_sure : 1;        /* an FPDU that begins with a Marker showed where the Markers stand */
  bool unmarked_shown : 1;    /* an FPDU with a right CRC showed that it sends no Markers */
  bool from_first : 1;        /* FPDUs follow each other from the first octet captured on */
  bool terminated : 1;
  bool terminate_sure : 1;
  bool terminate_whole : 1; /* its last segment was seen, too */
  bool terminate_alike : 1; /* a segment of a Terminate was seen, right or not */
  bool has_version : 1;     /* dv is that of the segment right before */
  bool doubted : 1;         /* octets after `end`, not judged yet, have a copy that differs */
  uint64_t end;             /* position after what was seen */
  uint64_t gap_end;         /* position after the last one */
  uint64_t private_end; /* Private Data whose beginning is missing end here at the latest; or 0 */
  uint32_t gap_reason;  /* reason of the last gap, IWARP_REASON_* */
  struct rules_because fault; /* the rule that reported what leaves later octets open */
  enum rules_swallowed swallowed;
  uint32_t order_cap; /* 1 at most */
  uint64_t terminate_packet;
  struct rules_first first;
  struct rules_framing framing;
  union {
    iwarp_event stray_event; /* octets: the last ones before the startup frame, or those right after
                                it */
    struct rules_late late;  /* over SCTP, which has no such octets */
  };
  uint64_t swallowed_pos; /* of the first of these FPDUs */
  struct rules_swallowed_may swallowed_may;
  uint64_t startup_packet;
  struct rules_docket docket;
  uint64_t pd_received; /* what the side had received when its stream ended early */
  iwarp_event startup_event;
  iwarp_event first_event;
  struct rules_slot slots[RULES_SLOTS];
  struct rules_aside aside;
  struct rules_requests requests; /* sent by this side */
  struct rules_refused refused;   /* sent by this side */
  struct rules_response response; /* sent by this side */
  bool terminate_bare; /* the first segment of its Terminate has its header, which announces nothing
                          more */
  bool headers_lost;
  struct rules_because headers_because;
  uint64_t num_headers;         /* ever recorded */
  uint32_t headers_max;         /* a power of 2: more take the place of the oldest ones */
  uint32_t headers_cap;         /* headers_max at most */
  struct rules_header *headers; /* headers_cap */
  uint32_t *forgotten;          /* RULES_FORGOTTEN, see forgotten.h; NULL: no memory, or no need */
  struct rules_order *order;
  struct rules_sctp sctp;
};

/* How many headers of the side are kept. */
static inline uint32_t rules_headers_kept(const struct rules_side *side) {
  return side->num_headers < side->headers_max ? (uint32_t)side->num_headers : side->headers_max;
}

struct rules_tracker {
  const iwarp_pool *pool; /* what its tables grow from; NULL: they do not */
  struct rules_side side[2];
};

/* ---- facts about the event under judgement ---- */

/* How far the fields of an FPDU can be trusted; each depth includes those before it. */
enum rules_depth {
  DEPTH_NONE = 0, /* where it begins, or what its CRC says, is in doubt */
  DEPTH_FRAME,    /* MPA's fields */
  DEPTH_HEADER,   /* the DDP header is there and of the right version */
  DEPTH_OPCODE,   /* the RDMAP control field is of the right version and names a message */
  DEPTH_MESSAGE   /* T and QN fit the opcode */
};

/* How a segment follows what its slot saw before. */
enum rules_step {
  STEP_NONE = 0,
  STEP_LEARN,       /* nothing is known: the slot is learnt again */
  STEP_START,       /* begins a message */
  STEP_CONTINUE,    /* continues the message under way */
  STEP_OP_CHANGE,   /* continues it in place, but with another RsvdULP */
  STEP_MO_JUMP,     /* belongs to it, but at another MO */
  STEP_TO_JUMP,     /* belongs to it, but at another TO */
  STEP_MSN_CHANGE,  /* continues it in place, but with another MSN */
  STEP_STAG_CHANGE, /* continues it, but with another STag */
  STEP_RESUME,      /* continues the one that the message under way began inside of */
  STEP_RESTART,     /* begins a message although the one under way has not ended (same queue) */
  STEP_TAGGED_IN_TAGGED, /* begins a Tagged message although another one has not ended */
  STEP_AFTER_LAST        /* continues a message after its last segment */
};

/* What is known of a message of which a segment has come out of its place. */
enum rules_order_state {
  ORDER_NOT = 0, /* none has */
  ORDER_OPEN,    /* the message goes on */
  ORDER_WHOLE,   /* it ends, and all of its octets have come, each once */
  ORDER_HOLES    /* it ends, and they have not */
};

/*
 * What is wrong with octets of a stream. Several may fit: the first one that does is the diagnosis.
 * What each one means to the rules is a row of the table in diagnosis.c.
 */
enum rules_diagnosis {
  DIAGNOSIS_NONE = 0,

  /* of an FPDU */
  DIAGNOSIS_NO_MARKER, /* no Marker stands before the first FPDU, where one is expected */
  DIAGNOSIS_LENGTH_COUNTS_MARKERS, /* ULPDU_Length counts the Markers in the FPDU */
  DIAGNOSIS_EXTRA_MARKERS,         /* a Marker stands halfway between those expected */
  DIAGNOSIS_MARKERS_LEFT_OUT,      /* the octets are an FPDU without some expected Markers */
  DIAGNOSIS_PAD_LEFT_OUT,          /* a right CRC stands where the PAD is expected */
  DIAGNOSIS_LENGTH_EXCESS,         /* a right CRC ends before the end that ULPDU_Length gives */
  DIAGNOSIS_LEADING_MARKER,        /* a Marker stands before the FPDU, and none is expected */
  DIAGNOSIS_INNER_MARKERS,         /* Markers stand in the FPDU, and none are expected */
  DIAGNOSIS_NO_FPDU_HERE,          /* no FPDU begins there; `framed` is another reading */
  DIAGNOSIS_MARKERS_ELSEWHERE,     /* Markers stand elsewhere, which was reported before */
  DIAGNOSIS_HOLDS_FPDUS,           /* FPDUs begin in it, and one goes on past its end */
  DIAGNOSIS_MARKER_WRONG,          /* four octets are no Marker, and the FPDU is still one */

  /* of octets that are no FPDU; or DIAGNOSIS_NO_FPDU_HERE */
  DIAGNOSIS_STARTUP_AGAIN,  /* another startup frame stands in the place of the first FPDU */
  DIAGNOSIS_STARTUP_BEGUN,  /* one may stand there, and the octets end inside its key */
  DIAGNOSIS_FIRST_UNMARKED, /* the first FPDU begins there without its Marker */
  DIAGNOSIS_PD_TOO_SHORT,   /* the octets are more Private Data than PD_Length announces */

  /* other readings of octets that begin no FPDU where one is expected */
  DIAGNOSIS_LENGTH_TOO_SMALL, /* the CRC of the FPDU before is right with the first octets */
  DIAGNOSIS_LENGTH_WRAPS,     /* the FPDU before has 65536 octets more than its ULPDU_Length says */
  DIAGNOSIS_UNMARKED,         /* no Markers stand where they are expected */
  DIAGNOSIS_EXTRA_BEFORE,     /* Markers stand in the FPDU before, and none are expected */
  DIAGNOSIS_MARKER_HERE,      /* a Marker stands where none is expected */
  DIAGNOSIS_HELD_BEFORE,      /* FPDUs begin in the one before, and one goes on past its end */
  DIAGNOSIS_NO_CRC,           /* the FPDU before has no CRC field */
  DIAGNOSIS_NO_PAD,           /* the FPDU before has no PAD */
  DIAGNOSIS_BEGINS_EARLIER,   /* an FPDU begins a few octets before: the one before is shorter */
  DIAGNOSIS_STRAY_FIRST,      /* the first FPDU begins after octets that are part of none */
  DIAGNOSIS_STRAY_BETWEEN,    /* an FPDU begins after octets that are part of none */
  DIAGNOSIS_BEGINS_LATER,     /* an FPDU begins a few octets after: the one before is longer */
  DIAGNOSIS_OTHER_ORDER,      /* ULPDU_Length has its octets in the other order */
  DIAGNOSIS_COVERS_SEGMENTS,  /* ULPDU_Length covers segments that begin with FPDUs */
  DIAGNOSIS_UNREADABLE,       /* no other reading that was tried makes the octets an FPDU */

  DIAGNOSIS_RIGHT, /* the whole stream is FPDUs */
  DIAGNOSES
};

struct rules_facts {
  uint32_t answers[2]; /* open questions of each side that the event may answer, a bit for each */
  enum rules_depth depth;
  struct rules_because because; /* why it is not deeper, or not placed */
  const iwarp_rdmap_op *op;
  bool placed; /* the segment has its place among those before it: slot and step are set */
  uint8_t slot;
  enum rules_step step;
  bool first;                     /* the first FPDU of its direction, where Full Operation begins */
  enum rules_diagnosis diagnosis; /* of the octets of the event */
  /* offset in the wire form of the first unexpected Marker, or number of the wrong one */
  size_t diagnosis_at;
  /* what mpa.framing judges: a length, or another reading of the octets, or of a run that waited */
  enum rules_diagnosis framed;
  uint32_t framed_doubt;  /* why that is not certain, or not known yet, IWARP_REASON_* */
  bool headers_uncertain; /* a Marker may stand elsewhere: only the first word of them is sure */
  bool pad_uncertain;     /* or the PAD is not where it is read */
  bool length_uncertain;  /* its last octets may belong to others, and no CRC tells */
  bool after_markers;     /* Markers of the FPDU before are wrong, so that no FPDU begins here */
  bool markers_lost;      /* Markers stand elsewhere, which was reported: no field is sure */
  bool unanswered;        /* a Request that is one if a Reply acknowledges its end */
  bool swallowed;         /* the event decides whether FPDUs stand in the Private Data */
  bool other_ppid;        /* SCTP: the octets are a message of the other of the two identifiers */
  bool resumes;       /* it goes on with a Read Response that L ended too early, which was said */
  bool other_open;    /* a message of another slot has not ended */
  bool response_over; /* another message follows a Read Response that has all of its octets, no L */
  uint64_t response_packet;     /* of the Request that it answered */
  enum rules_order_state order; /* of its message, where not all segments are in their places */
  bool order_followed;          /* by its octets */
  uint32_t order_reason;        /* why that is not followed, IWARP_REASON_* */
  enum rules_aside_tells aside; /* what the event tells of the message that is set aside */
  bool ssn_used;                /* SCTP: its side has used its DDP-SSN, for certain */
  bool version_known;           /* the MPA revision is agreed */
  bool version_rdmac;           /* and it is 0 */
};

#define RULES_FOUND (RULES_COUNT + RULES_HELD)
#define RULES_ALONE_HELD 4u /* without a pool */
#define RULES_ALONE_FOUND 16u

/* The findings about one event, and those that waited for it. */
struct rules_findings {
  const iwarp_pool *pool; /* as that of the tracker */
  uint32_t num;
  uint32_t next;        /* the first one that was not handed out */
  uint32_t cap;         /* RULES_FOUND at most: a rule says one thing about an event at most */
  bool lost;            /* there was no memory for one */
  iwarp_finding spare;  /* which stood here in its place */
  iwarp_finding *entry; /* cap */
  /* of the whole connection, a bit for 1 + each rule: those that kept another one from judging, and
     those that took a finding back because mpa.framing reports its octets */
  uint8_t explained[(RULES_COUNT + 8u) / 8u];
  uint8_t withdrawn[(RULES_COUNT + 8u) / 8u];
};

/* What a rule sees, all of it through const pointers but for its findings and results. */
struct rules_ctx {
  struct rules_findings *findings;
  const struct rules_tracker *track;
  const iwarp_observer_info *info;
  const iwarp_event *ev;
  const iwarp_sctp_certainty *certainty; /* of the event, over SCTP; NULL: nothing is certain */
  iwarp_rule_result *results; /* of all rules; the verdicts are made when they are asked for */
  struct rules_facts facts;
  uint32_t unconfirmed; /* why what the event seems to be may be something else, IWARP_REASON_*: it
                           is held against nobody */
  uint16_t rule;        /* the one that is asked */
};

/* ---- views ---- */

static inline uint8_t rules_peer(const struct rules_ctx *j) {
  return (uint8_t)(1u - j->ev->side);
}

static inline const struct rules_side *rules_own(const struct rules_ctx *j) {
  return &j->track->side[j->ev->side];
}

/* True if the event may answer the question, which was open before the event. */
static inline bool rules_answers(const struct rules_ctx *j, uint8_t side,
                                 enum rules_question question) {
  return (j->facts.answers[side] >> question & 1u) != 0;
}

/* True if mpa.framing reports nothing more of the side. */
static inline bool rules_framing_reported(const struct rules_ctx *j) {
  return rules_own(j)->framing.reported || j->facts.after_markers;
}

/* The state of a slot, after a Read Response in it that the segment ends. */
static inline enum slot_state rules_slot_state(const struct rules_ctx *j, uint8_t slot) {
  return j->facts.response_over && slot == RULES_SLOT_TAGGED ? SLOT_CLOSED
                                                             : rules_own(j)->slots[slot].state;
}

/* True if the GAP lies inside an FPDU that was reported already, so that its end is known. */
static inline bool rules_gap_inside(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  return own->moved && j->ev->pos + j->ev->len <= own->end;
}

/* All octets of `side` since its transport stream began are available. */
static inline bool rules_from_start(const struct rules_ctx *j, uint8_t side) {
  return j->info->side[side].start_known && !j->info->side[side].gap;
}

/* No startup frame of `side` that was seen may lie in payload, or was another one in the copy that
 * its receiver took. */
static inline bool rules_startup_sure(const struct rules_ctx *j, uint8_t side) {
  const struct rules_side *s = &j->track->side[side];
  return j->info->sctp || (s->startup_sure && !s->startup_event.last.damaged) ||
         !j->info->side[side].has_startup;
}

/* Nor one of either side. */
static inline bool rules_startups_sure(const struct rules_ctx *j) {
  return rules_startup_sure(j, 0) && rules_startup_sure(j, 1);
}

/* True if it is known where the stream of the other side than `side` begins, or its startup frame
 * was captured. */
static inline bool rules_peer_known(const struct rules_ctx *j, uint8_t side) {
  const iwarp_observer_side *peer = &j->info->side[1u - side];
  return peer->has_startup || peer->start_known;
}

/* All octets of `side` from its startup frame on, which is one, are available. */
static inline bool rules_from_startup(const struct rules_ctx *j, uint8_t side) {
  const iwarp_observer_side *s = &j->info->side[side];
  return !s->gap && (s->start_known || (s->has_startup && rules_startup_sure(j, side)));
}

/* True if it is known that Markers or CRCs are in use, or that they are not. Data alone may
 * mislead. */
static inline bool rules_settled(const struct rules_ctx *j, iwarp_known_by by) {
  return (by == IWARP_KNOWN_BY_STARTUP && rules_startups_sure(j)) || by == IWARP_KNOWN_BY_CALLER;
}

/* True if it is known that the side of the event sends Markers, or that it sends none: from the
 * startup frames, or from its FPDUs. */
static inline bool rules_markers_settled(const struct rules_ctx *j) {
  return rules_settled(j, j->info->side[j->ev->side].markers_by) ||
         j->track->side[j->ev->side].unmarked_shown;
}

/* True if the FPDUs of the side may begin, or do, before the end that PD_Length gives its Reply. */
static inline bool rules_swallowed(const struct rules_side *side) {
  return side->swallowed == SWALLOWED_UNKNOWN || side->swallowed == SWALLOWED_CERTAIN;
}

/* True if FPDUs of the side begin, or may begin, before the end that PD_Length gives. */
static inline bool rules_pd_in_doubt(const struct rules_side *side) {
  return side->swallowed != SWALLOWED_NOT ||
         rules_is_open(&side->docket, QUESTION_PD_HOLDS_FPDUS) ||
         rules_is_open(&side->docket, QUESTION_PD_INCOMPLETE);
}

static inline const struct rules_side *rules_other(const struct rules_ctx *j) {
  return &j->track->side[rules_peer(j)];
}

static inline const iwarp_rdmap_seg *rules_seg(const struct rules_ctx *j) {
  return &j->ev->u.fpdu.seg;
}

/*
 * True if the FPDU begins where its sender began one. Payload may hold startup frames and whole
 * FPDUs, and without the start of the stream, or after a gap, one of these may have been found:
 * only a run of good ones that is longer than any FPDU cannot lie inside one.
 */
static inline bool rules_start_sure(const struct rules_ctx *j) {
  const bool startup = j->info->sctp || rules_own(j)->startup_sure;
  return (j->ev->u.fpdu.sync == IWARP_SYNC_STARTUP && startup) ||
         j->ev->u.fpdu.good_run >= IWARP_MPA_FPDU_WIRE_MAX;
}

/* True if a finding about the segment may wait for what follows it, which is then seen. */
static inline bool rules_may_wait(const struct rules_ctx *j) {
  return j->info->sctp || rules_start_sure(j);
}

/*
 * True if the octets that are taken for Markers of the FPDU are some. Without the start of Full
 * Operation their place was found by the look of them, and payload may look so too.
 */
static inline bool rules_markers_sure(const struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  return !f->fpdu.markers || f->offset != IWARP_POS_UNKNOWN || rules_own(j)->phase_sure;
}

/* Opcode of the segment as it stands, or -1. */
static inline int rules_opcode(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  return seg->has_ddp ? (int)seg->ctrl.opcode : -1;
}

/* True if the segment is a further one of the Terminate that this side has begun. */
static inline bool rules_terminate_goes_on(const struct rules_ctx *j) {
  const struct rules_slot *slot = &rules_own(j)->slots[IWARP_RDMAP_QN_TERMINATE];
  const iwarp_rdmap_seg *seg = rules_seg(j);
  return rules_own(j)->terminated && rules_opcode(j) == IWARP_RDMAP_OP_TERMINATE &&
         slot->state == SLOT_OPEN && seg->ddp.qn == IWARP_RDMAP_QN_TERMINATE &&
         seg->ddp.msn == slot->msn && seg->ddp.mo == slot->next;
}

/* Octets of the DDP header in front of the RDMAP header. */
static inline uint32_t rules_hdr_len(const iwarp_rdmap_seg *seg) {
  return seg->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
}

#endif
