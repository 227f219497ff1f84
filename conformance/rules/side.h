/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a connection: what earlier events of each side leave, in fixed memory. Rules see it
 * through const pointers. state.h is the way to change it. */
#ifndef IWARP_RULES_SIDE_H
#define IWARP_RULES_SIDE_H

#include <iwarp/rules.h>

#include "because.h"
#include "docket.h"

#define RULES_READS 512u     /* unanswered requests of one side, kept with their header */
#define RULES_HEADERS 256u   /* DDP headers of one side, for the Terminate that returns one */
#define RULES_FORGOTTEN 512u /* words of the filter of headers that left the table */

/* Without a pool there is room for less. */
#define RULES_ALONE_READS 16u
#define RULES_ALONE_HEADERS 32u

/* ---- messages ---- */

/* What is known about the messages of one queue, or about the Tagged messages, of one direction. */
enum slot_state {
  SLOT_UNKNOWN = 0, /* octets are missing: the next segment may belong anywhere */
  SLOT_FRESH,       /* seen from its start, no message yet */
  SLOT_CLOSED,      /* the last message ended */
  SLOT_OPEN         /* a message is under way */
};

#define RULES_SLOT_TAGGED 4u /* slots 0 to 3 are the queues */
#define RULES_SLOTS 5u

/* The message under way in a slot, or the last one. */
struct rules_slot {
  enum slot_state state;
  bool start_seen;       /* the first segment was seen: `total` counts from there */
  bool joined_midway;    /* no message was seen to begin since octets were missing */
  bool empty_so_far;     /* the message has begun, and none of its segments has payload */
  bool msn_changed;      /* two of its segments have different MSNs, which was reported */
  bool label_changed;    /* opcode or STag differ between its segments, which was reported */
  bool interrupted;      /* another message began before it ended, which was reported */
  bool unordered;        /* a segment out of its place could not be followed for lack of room */
  bool next_unknown;     /* Tagged: the last segment was empty, so no STag and no TO is expected */
  bool unended;          /* all octets have come without L, which was judged */
  bool ended_with_holes; /* L came before all octets had come, which was reported */
  uint8_t opcode;
  uint8_t opcode_other; /* the opcode before label_changed */
  uint32_t stag;        /* STag of a Tagged message, Invalidate STag of an Untagged one */
  uint32_t stag_other;  /* the STag before label_changed */
  uint32_t msn;         /* MSN; Untagged */
  uint32_t msn_other;   /* the MSN before msn_changed */
  uint32_t unplaced;    /* segments without a place that may have taken an MSN */
  uint32_t mo_top;      /* Untagged: its highest MO */
  uint64_t next;        /* MO or TO of the next segment */
  uint64_t total;       /* octets of payload so far */
};

/* True if the message under way began with an empty Tagged segment. Its STag and TO do not tell
 * where the next one goes, though nothing is missing. */
static inline bool rules_slot_hidden(const struct rules_slot *s) {
  return s->state == SLOT_OPEN && s->next_unknown;
}

/* The segment that begins a message where another one has not ended. */
struct rules_begun {
  iwarp_meta first;
  iwarp_meta last;
  uint64_t pos;
  uint64_t offset;
  uint64_t header_pos;
  uint64_t label_pos; /* position of its MSN, or of its STag and TO */
  uint32_t header_len;
  uint32_t label_len;
  uint32_t due; /* MSN of the message that has not ended */
  uint32_t msn;
  const char *opcode; /* name of its opcode */
  uint16_t field;     /* field of the MSN; 0: the segment is Tagged */
};

/*
 * A message that has not ended when another one of its queue, or another Tagged one, begins. Either
 * its last segment has no L, or the rest of it comes between the segments of the other one.
 * QUESTION_INTERRUPTED asks which.
 */
struct rules_interrupted {
  bool mixed; /* the message went on and the other one is set aside: segments of both are mixed */
  uint8_t slot;
  struct rules_slot message; /* the message; SLOT_OPEN: more segments may come */
  struct rules_begun other;
};

struct rules_order;

struct rules_messages {
  struct rules_slot slots[RULES_SLOTS];
  struct rules_interrupted interrupted;
  struct rules_order *order; /* octets of a message whose segments are out of order: order.h */
  uint32_t order_cap;        /* 1 at most */
};

/* ---- requests ---- */

/* A Read Request or Atomic Request without its answer. */
struct rules_request {
  bool atomic;
  bool details;   /* the header was available */
  bool overtaken; /* a later request was answered before it: rdmap.response-order */
  bool msn_only;  /* the request is missing from the capture: only its MSN is known */
  uint32_t msn;
  uint64_t packet;
  uint64_t end; /* position after its FPDU */
  iwarp_rdmap_read_req read;
  uint32_t request_id;
};

/* The requests that may be unanswered while the queue is not known, see recover.c. */
struct rules_recovery {
  bool on : 1;              /* the queue holds all of them, in the order of their MSNs */
  bool gapped : 1;          /* more requests may be missing after the last one in the queue */
  bool requests_missed : 1; /* octets of the requester were missing */
  bool answers_missed : 1;  /* octets of the responder were missing */
  bool joined : 1;          /* requests from before the capture may wait, see recover.c */
  uint32_t num;             /* requests in the queue */
  uint32_t lo;              /* MSN of the first one in the queue; joined: its number */
  union {
    uint32_t may;   /* number of the oldest requests that may have been answered */
    uint32_t quiet; /* joined: messages of the responder since the last answer */
  };
  union {
    uint64_t gap_end; /* position after the missing octets of the other side; 0: none is missing */
    uint64_t fits;    /* joined: to which request each answer may belong */
  };
  union {
    uint64_t received;  /* octets of the requester, up to this position, that senders of answers had
                           received */
    struct {            /* joined: */
      uint32_t answers; /* number of answers */
      uint32_t asked;   /* number of requests when the last answer came */
    };
  };
};

struct rules_requests {
  bool lost;           /* the unanswered requests are not known any more */
  bool answered_early; /* an answer was seen before any FPDU of this side */
  bool surplus; /* an answer came while none was outstanding: this side may have received it later,
                   and taken it for the answer to a request that it sent meanwhile */
  bool overdue; /* the other side had `later`, and both sides sent on */
  struct rules_because because;         /* why `lost` */
  struct rules_because because_refused; /* why requests were `lost` when the refused segment came */
  uint32_t msn;                         /* expected on queue 1 */
  uint64_t passed; /* position after an FPDU that the other side sent although it had received the
                      oldest request; 0: none was seen */
  uint64_t later; /* position after an FPDU that this side sent after the oldest request; 0: none */
  bool answers_lost; /* an answer had no room in `answers` */
  bool guessed;      /* the requests that wait are a guess: guess.h */
  uint16_t num_answers;
  uint32_t cap_answers; /* RULES_READS at most; without a pool none are kept */
  uint64_t *answers;    /* cap_answers: positions after answers that this side had not received when
                           it sent its last request */
  struct rules_recovery recovery;
  uint32_t num;                /* requests in the queue; 0 while `lost` */
  uint32_t cap;                /* RULES_READS at most */
  struct rules_request *queue; /* cap entries */
};

/* The Read Response under way. */
struct rules_response {
  bool known;           /* `request` is known to be the request that the Response answers */
  bool length_reported; /* the length was judged */
  bool jumped;          /* a segment came out of its place: its length is judged when it ends */
  /* octets missing from the last Response, which ended with L; 0: none, or not known */
  uint32_t left;
  struct rules_request request;
};

/* ---- errors that the receiver has to refuse ---- */

/* Why the receiver of a segment has to refuse it. */
enum rules_error {
  ERROR_NONE = 0,
  ERROR_CRC,
  ERROR_DDP_VERSION,
  ERROR_QUEUE,   /* QN of a queue to which no message goes */
  ERROR_VERSION, /* version of RDMAP */
  ERROR_OPCODE,
  ERROR_LENGTH, /* length of Immediate Data */
  ERROR_ATOMIC, /* code of no Atomic Operation */
  ERROR_WRAP    /* TO plus the length of the buffer written or read reaches 2^64 */
};

/* The first segment of a side that its receiver has to refuse: after it nothing is answered. */
struct rules_refused {
  uint64_t packet;
  uint32_t name;     /* Sink STag of the request below, or Request Identifier */
  uint32_t to_low;   /* low half of its Sink TO */
  uint16_t due;      /* answers that were expected and have not begun since */
  uint8_t error;     /* enum rules_error */
  bool open : 1;     /* the number of expected answers is not known: requests.because_refused */
  bool reported : 1; /* a rule reported the segment */
  bool asked : 1;    /* the request came with it, or as the first one after it */
  bool atomic : 1;   /* the request is an Atomic Request */
  bool peer_all_acked : 1; /* the side had received all that the other side has sent when it sent
                              this segment, or a later one */
  bool incomplete : 1; /* RDMAP finds the error at the end of the message, which is still to come */
  uint16_t header;     /* low bits of the number of headers that were kept before its own */
};

/* ---- the startup ---- */

/* Place where the FPDUs of a side begin, relative to the end that PD_Length of its startup frame
 * gives. */
enum rules_pd_overrun_state {
  PD_OVERRUN_NOT = 0, /* FPDUs begin at that end, as far as is known */
  PD_OVERRUN_UNKNOWN, /* octets that would show a beginning before that end are missing */
  PD_OVERRUN_CERTAIN  /* FPDUs begin before that end */
};

struct rules_pd_overrun {
  enum rules_pd_overrun_state state;
  uint8_t queues; /* queues of the FPDUs in the Private Data, a bit for each */
  bool ends;      /* the last of these FPDUs ends where PD_Length says */
  /* `queues` for octets that look like FPDUs, until the other side shows where they end */
  uint8_t may_queues;
  bool may_end;
  uint64_t pos;     /* position of the first of these FPDUs */
  uint64_t may_pos; /* position of these octets; 0: no such octets; IWARP_POS_UNKNOWN: anywhere */
};

struct rules_startup {
  bool leads : 1;       /* no octets, seen or missing, precede the startup frame */
  bool sure : 1;        /* the startup frame is one, and no payload that looks like one */
  bool pd_reported : 1; /* PD_Length is wrong, and a rule reported that */
  bool streamed : 1;    /* octets without a startup frame were seen */
  bool key_begun : 1;   /* `streamed` octets begin a key, as far as they go */
  uint64_t packet;
  uint64_t private_end; /* Private Data whose beginning is missing end here at the latest; or 0 */
  uint64_t pd_received; /* octets that the side had received when its stream ended inside its
                           Private Data */
  iwarp_event event;    /* the startup frame; over SCTP the message that a question is about */
};

/* ---- the chain of FPDUs ---- */

/* The first FPDU of a direction. */
struct rules_first {
  bool seen;
  bool at_start; /* the FPDU begins where Full Operation begins */
  bool invalid;  /* the CRC is wrong, which is reported */
  uint64_t end;
  uint64_t packet;
};

#define RULES_TAIL 16u /* octets kept of the end of an FPDU */

enum rules_missing_proof {
  MISSING_NOT = 0,
  MISSING_BY_LENGTH, /* the stream ends after as many octets as the FPDU has without some Markers */
  MISSING_CERTAIN
};

/* A Marker that is missing from the FPDU in which the stream ends. */
struct rules_missing {
  enum rules_missing_proof proof;
  uint64_t pos;
  iwarp_mpa_marker due;
  uint8_t is[IWARP_MPA_MARKER_LEN];
};

/* The last FPDU, and the last run of octets that formed none. Octets that form no FPDU are compared
 * with them. */
struct rules_framing {
  uint8_t tail[RULES_TAIL]; /* the last octets of the FPDU */
  uint8_t num_tail;         /* 0: they are not available */
  uint8_t pad;              /* octets of its PAD */
  uint8_t num_head;         /* octets of `head` */
  bool reported : 1;        /* mpa.framing reports nothing more of the side */
  bool extra : 1;           /* Markers stand in the FPDU, and none are expected */
  bool proven : 1;          /* the CRC is right: the FPDU ends where its ULPDU_Length says */
  bool wrong : 1;           /* the CRC is wrong */
  bool markers_lost : 1; /* Markers of the FPDU are wrong, and no CRC shows where the FPDU ends */
  bool follows : 1;      /* FPDUs lead to the run that are no payload, though octets are missing */
  bool holds_fpdus : 1;  /* FPDUs begin in the FPDU, the last one goes on past its end, and no CRC
                            shows it */
  uint32_t crc;          /* CRC of all its octets, the CRC field included */
  struct rules_missing missing; /* Marker that is missing from the run */
  uint64_t pos;                 /* position of its ULPDU_Length */
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
  uint8_t head[IWARP_RUN_HEAD_LEN]; /* first octets of the run; before any run, octets that are too
                                       few to show if PD_Length covers an FPDU */
};

/* How the FPDUs of a direction follow each other. */
struct rules_chain {
  bool seen : 1;              /* an event of the side was seen, and its `end` is set */
  bool steady : 1;            /* the last segment was an ordinary one: rulesi_ordinary_steady holds
                                 until the next event */
  bool gapped : 1;            /* a gap was seen */
  bool start_unconfirmed : 1; /* the last FPDU had no right form: nothing confirms where the next
                                 one begins */
  bool crc_unconfirmed : 1;   /* the last FPDU had a wrong CRC, so its length may be wrong too */
  bool unframed : 1;          /* octets that form no FPDU were seen, or an FPDU with a wrong CRC */
  bool markers_reported : 1;  /* a rule reported that Markers are missing, or not expected */
  bool phase_sure : 1;        /* an FPDU that begins with a Marker showed where the Markers stand */
  bool phase_off : 1;         /* Markers were found, not at each 512th octet of Full Operation */
  bool unmarked_shown : 1;    /* an FPDU with a right CRC showed that the side sends no Markers */
  bool from_first : 1;        /* FPDUs follow each other from the first captured octet on */
  bool doubted : 1;           /* octets after `end`, not judged yet, have a copy that differs */
  bool has_version : 1;       /* `dv` is the DDP version of the last segment */
  bool presumed : 1;          /* the side is judged by the most likely reading: likely.h */
  bool firm : 1;              /* presumed: so many FPDUs lead to `end` that they are no payload */
  bool has_heard : 1;         /* `heard` is known */
  uint8_t dv;
  struct rules_because fault; /* the rule that reported why later octets are open */
  uint32_t gap_reason;        /* reason of the last gap, IWARP_REASON_* */
  uint32_t heard;             /* octets of the other side that the sender of the last message had
                                 received: low 32 bits of the position after them */
  uint64_t gap_end;           /* position after the last gap */
};

/* ---- the Terminate ---- */

struct rules_terminate {
  bool seen : 1;
  bool sure : 1;  /* the FPDU begins where its sender began one */
  bool whole : 1; /* the last segment was seen, too */
  bool alike : 1; /* a segment of a Terminate was seen, right or wrong */
  bool bare : 1;  /* the first segment has the Terminate Header, which announces no other header */
  uint64_t packet;
};

struct rules_header {
  uint16_t end;          /* low bits of the position after the FPDU, in units of four octets */
  uint16_t ulpdu_length; /* ULPDU_Length of the FPDU */
  uint8_t octets[IWARP_DDP_UNTAGGED_LEN];
};

/* DDP headers of a side, for a Terminate of the other side that returns one. */
struct rules_headers {
  bool lost;                    /* some headers are not known */
  uint16_t since;               /* low bits of `num` when some got lost */
  struct rules_because because; /* why headers are not known */
  uint64_t num;                 /* headers ever recorded */
  uint32_t max;                 /* a power of 2: further headers replace the oldest ones */
  uint32_t cap;                 /* max at most */
  struct rules_header *entry;   /* cap entries */
  uint32_t *forgotten;          /* RULES_FORGOTTEN, see forgotten.h; NULL: no memory, or no need */
};

/* ---- sessions over SCTP ---- */

#define SCTP_OVERDUE 4u /* messages after missing ones that show that these do not come */

/* What a side sent in a session over SCTP. The message that a question is about is kept as
 * startup.event, since a side has no startup frame over SCTP. */
struct rules_sctp {
  bool passed_end; /* the side sent a message after its end, and that end is judged */
  bool unprompted; /* the side had not received a Terminate when it sent its own */
  bool begun;      /* the side sent its message with DDP-SSN 0: `enhanced`, `kind`, `pos`, `end`,
                      `packet` are set */
  bool enhanced;
  bool damaged; /* a message was captured with a wrong checksum alone: its number may be wrong */
  bool number_reported; /* a message has a number that was reported, in the place of another one */
  bool certain; /* two messages have the DDP-SSN of the kept message, whatever comes later */
  bool doubted; /* the receiver may have taken another Initiate or answer than the captured one */
  iwarp_sctp_kind kind;
  iwarp_sctp_kind waiting; /* kind of the kept message */
  uint64_t pos;
  uint64_t end; /* position after that message */
  uint64_t packet;
  bool arrived;          /* the side is known to have learned that the message arrived */
  bool segments;         /* the side sent DDP Segments */
  bool ended;            /* the session of the side has ended: no message may follow */
  bool discarded;        /* a message has no place, for whatever reason */
  bool refused;          /* a message has no place because it is wrong in itself */
  bool misnumbered;      /* an Initiate has a wrong DDP-SSN */
  uint8_t overdue;       /* number of messages that should follow the missing ones */
  bool unplaced;         /* a message has no place in this session, nor in the next one */
  uint16_t again;        /* number of messages that would be the first ones of the next session */
  bool whole;            /* the session lost no message up to the last event */
  bool waiting_control;  /* the kept message is a Session Control message */
  bool waiting_initiate; /* the kept message is an Initiate, which may begin no session */
  bool earlier;          /* a message that was sent before it takes its place */
  uint16_t next;         /* DDP-SSN after the last one */
  uint16_t due;          /* DDP-SSN that was expected instead */
  uint16_t waiting_ssn;  /* DDP-SSN of the kept message */
  /* packet of the Terminate; peer_pos: position that its sender had received */
  iwarp_meta ended_at;
  uint64_t ended_pos; /* position of the Terminate */
};

/* A segment over SCTP that later events decide on. */
struct rules_kept {
  iwarp_meta first;
  iwarp_meta last;
  uint64_t pos;
  uint64_t end; /* position after it */
};

/* Segments over SCTP whose senders had received octets that nothing shows yet. The other side shows
 * more, up to its Session Terminate. */
struct rules_late {
  struct rules_kept over;   /* the request that may be one more than were negotiated */
  uint16_t over_limit;      /* the number that was negotiated */
  uint16_t returned_length; /* DDP Segment Length and DDP header that the Terminate returns */
  uint8_t returned_len;
  uint8_t returned[IWARP_DDP_UNTAGGED_LEN];
  struct rules_kept terminate;
};

/* ---- a side ---- */

struct rules_side {
  uint64_t end; /* position after the last octet that was seen */
  struct rules_docket docket;
  struct rules_startup startup;
  struct rules_pd_overrun pd_overrun;
  struct rules_chain chain;
  struct rules_first first;
  iwarp_event first_event; /* the first FPDU; over SCTP the first unsolicited answer */
  struct rules_framing framing;
  union {
    iwarp_event stray_event; /* the last octets before the startup frame, or right after it */
    struct rules_late late;  /* over SCTP, which has no such octets */
  };
  struct rules_messages messages;
  struct rules_requests requests; /* sent by this side */
  struct rules_refused refused;   /* sent by this side */
  struct rules_response response; /* sent by this side */
  struct rules_terminate terminate;
  struct rules_headers headers;
  struct rules_sctp sctp;
};

/* How many headers of the side are kept. */
static inline uint32_t rules_headers_kept(const struct rules_side *side) {
  const struct rules_headers *h = &side->headers;
  return h->num < h->max ? (uint32_t)h->num : h->max;
}

struct rules_tracker {
  const iwarp_pool *pool; /* pool of the tables; NULL: the tables do not grow */
  struct rules_side side[2];
};

#endif
