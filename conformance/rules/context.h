/* SPDX-License-Identifier: BSD-2-Clause */
/* What the rules share: what earlier events left, the facts about one event, and views on them. */
#ifndef IWARP_RULES_CONTEXT_H
#define IWARP_RULES_CONTEXT_H

#include <iwarp/rules.h>

#include "side.h"

/* For each segment, all of this counts: a function that is compiled by itself, since joined with
 * others the values of neither would fit the registers; and one that is part of its callers. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define RULES_APART __attribute__((noinline))
#define RULES_RARE __attribute__((noinline, cold)) /* cold code, kept out of its callers */
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

/* Kinds of segments: X(name, classes, text). RULES_ON_<name> are the events of a rule that judges
 * only such segments. With classes, a segment is of the kind if it has a DDP header, and its opcode
 * is of one of the classes. */
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
             fault, message)                                                                       \
  RULES_##ident,
#include "catalog.def"
#undef RULE
  RULES_COUNT
};

/* ---- facts about the event under judgement ---- */

/* How far the fields of an FPDU can be trusted; each depth includes the depths above it. */
enum rules_depth {
  DEPTH_NONE = 0, /* the beginning of the FPDU, or its CRC, is in doubt */
  DEPTH_FRAME,    /* MPA's fields */
  DEPTH_HEADER,   /* the DDP header is there and of the right version */
  DEPTH_OPCODE,   /* the RDMAP control field is of the right version and names a message */
  DEPTH_MESSAGE   /* T and QN fit the opcode */
};

/* How a segment follows what its slot saw before. */
enum rules_step {
  STEP_NONE = 0,
  STEP_LEARN,       /* the slot is unknown: its state is learnt from the segment */
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

/* What an event tells of an interrupted message. */
enum rules_interrupted_tells {
  INTERRUPTED_NOTHING = 0,
  INTERRUPTED_MISSING, /* the message had ended, without L */
  INTERRUPTED_ORDER,   /* the message goes on */
  INTERRUPTED_LOST     /* octets after the message are missing */
};

/* What is known of a message of which a segment has come out of its place. */
enum rules_order_state {
  ORDER_NOT = 0, /* each segment was in its place */
  ORDER_OPEN,    /* the message goes on */
  ORDER_WHOLE,   /* the message ends, and each of its octets has come once */
  ORDER_HOLES    /* the message ends, and its octets have not each come once */
};

/*
 * What is wrong with octets of a stream. Several may fit: the first one that does is the diagnosis.
 * What each one means to the rules is a row of the table in diagnosis.c.
 */
enum rules_diagnosis {
  DIAGNOSIS_NONE = 0,

  /* diagnoses of an FPDU */
  DIAGNOSIS_NO_MARKER,             /* the Marker expected before the first FPDU is missing */
  DIAGNOSIS_LENGTH_COUNTS_MARKERS, /* ULPDU_Length counts the Markers in the FPDU */
  DIAGNOSIS_EXTRA_MARKERS,         /* a Marker stands halfway between those expected */
  DIAGNOSIS_MARKERS_LEFT_OUT,      /* the octets are an FPDU without some expected Markers */
  DIAGNOSIS_PAD_LEFT_OUT,          /* a right CRC stands where the PAD is expected */
  DIAGNOSIS_LENGTH_EXCESS,         /* a right CRC ends before the end that ULPDU_Length gives */
  DIAGNOSIS_LEADING_MARKER,        /* a Marker stands before the FPDU, and none is expected */
  DIAGNOSIS_INNER_MARKERS,         /* Markers stand in the FPDU, and none are expected */
  DIAGNOSIS_NO_FPDU_HERE,          /* no FPDU begins here; `framed` names another reading */
  DIAGNOSIS_MARKERS_ELSEWHERE,     /* Markers stand elsewhere, which was reported before */
  DIAGNOSIS_HOLDS_FPDUS,           /* FPDUs begin in it, and one goes on past its end */
  DIAGNOSIS_MARKER_WRONG,          /* four octets are no Marker, and the FPDU is still one */

  /* diagnoses of octets that form no FPDU, or stand in the place of one (NO_FPDU_HERE) */
  DIAGNOSIS_STARTUP_AGAIN,  /* another startup frame stands in the place of the first FPDU */
  DIAGNOSIS_STARTUP_BEGUN,  /* the octets end inside what may be another key */
  DIAGNOSIS_FIRST_UNMARKED, /* the first FPDU begins there without its Marker */
  DIAGNOSIS_PD_TOO_SHORT,   /* the octets are more Private Data than PD_Length announces */

  /* other readings of octets that begin no FPDU where one is expected */
  DIAGNOSIS_LENGTH_TOO_SMALL, /* the CRC of the FPDU before is right with the first octets */
  DIAGNOSIS_LENGTH_WRAPS,     /* the FPDU before has 65536 octets more than its ULPDU_Length says */
  DIAGNOSIS_UNMARKED,         /* Markers are missing where they are expected */
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
  DIAGNOSIS_UNREADABLE,       /* each reading that was tried fails to make the octets an FPDU */

  DIAGNOSIS_RIGHT, /* the whole stream is FPDUs */
  DIAGNOSES
};

struct rules_facts {
  uint32_t answers[2]; /* open questions of each side that the event may answer, a bit for each */
  enum rules_depth depth;
  struct rules_because because; /* reason why the depth is not larger, or the place is not known */
  const iwarp_rdmap_op *op;
  bool placed; /* the place of the segment in its message is known: slot and step are set */
  uint8_t slot;
  enum rules_step step;
  bool first;                     /* the first FPDU of its direction, where Full Operation begins */
  enum rules_diagnosis diagnosis; /* diagnosis of the octets of the event */
  /* offset in the wire form of the first unexpected Marker, or number of the wrong one */
  size_t diagnosis_at;
  /* diagnosis that mpa.framing judges: of a length, of the octets, or of a run that waited */
  enum rules_diagnosis framed;
  uint32_t framed_doubt;  /* why `framed` is not certain, or not known yet, IWARP_REASON_* */
  bool headers_uncertain; /* a Marker may stand among the headers: only their first word is sure */
  bool pad_uncertain;     /* the headers, or the place of the PAD, are uncertain */
  bool length_uncertain;  /* the last octets may belong to other FPDUs, and no CRC decides it */
  bool after_markers;     /* Markers of the FPDU before are wrong, so that no FPDU begins here */
  bool markers_lost;      /* Markers stand elsewhere, which was reported: no field is sure */
  bool unanswered;        /* the event is a Request only if a Reply acknowledges its end */
  bool pd_decided;        /* the event decides whether FPDUs stand in the Private Data */
  bool other_ppid;        /* SCTP: the octets are a message of the other of the two identifiers */
  bool resumes; /* the segment goes on with a Read Response that L ended too early, as reported */
  bool other_open;    /* a message of another slot has not ended */
  bool response_over; /* another message follows a Read Response that has all of its octets, no L */
  uint64_t response_packet; /* packet of the Request that the Response answers */
  /* state of the message, where not all segments are in their places */
  enum rules_order_state order;
  bool order_followed;                      /* the octets of the message are followed */
  uint32_t order_reason;                    /* why the octets are not followed, IWARP_REASON_* */
  enum rules_interrupted_tells interrupted; /* state of the interrupted message after the event */
  bool ssn_used;      /* SCTP: the side has certainly used the DDP-SSN of the message */
  bool version_known; /* the MPA revision is agreed */
  bool version_rdmac; /* the MPA revision is agreed, and 0 */
};

#define RULES_FOUND (RULES_COUNT + RULES_HELD)
#define RULES_ALONE_HELD 4u /* RULES_HELD of an engine without a pool */
#define RULES_ALONE_FOUND 16u

/* The findings about one event, and earlier findings that waited for the event. */
struct rules_findings {
  const iwarp_pool *pool; /* pool of the findings and of the state */
  uint32_t num;
  uint32_t next;        /* the first finding that was not handed out */
  uint32_t cap;         /* RULES_FOUND at most: a rule says one thing about an event at most */
  bool lost;            /* a finding was dropped for lack of memory */
  iwarp_finding spare;  /* takes the finding that is dropped */
  iwarp_finding *entry; /* cap entries */
  /* rules that kept another rule from judging, since the connection began: bit 1 + rule */
  uint8_t explained[(RULES_COUNT + 8u) / 8u];
  /* rules that took a finding back because mpa.framing reports its octets: bit 1 + rule */
  uint8_t withdrawn[(RULES_COUNT + 8u) / 8u];
};

/* What a rule sees, through const pointers except for its findings and results. */
struct rules_ctx {
  struct rules_findings *findings;
  const struct rules_tracker *track;
  const iwarp_observer_info *info;
  const iwarp_event *ev;
  /* certainty of the event over SCTP; NULL: nothing is certain */
  const iwarp_sctp_certainty *certainty;
  /* results of all rules; the verdicts are made when a caller reads them */
  iwarp_rule_result *results;
  struct rules_facts facts;
  uint32_t unconfirmed; /* IWARP_REASON_*: the event may be something else than it seems, and no
                           rule fails on it */
  uint16_t rule;        /* the rule that judges */
};

/* ---- views ---- */

static inline uint8_t rules_peer(const struct rules_ctx *ctx) {
  return (uint8_t)(1u - ctx->ev->side);
}

static inline const struct rules_side *rules_own(const struct rules_ctx *ctx) {
  return &ctx->track->side[ctx->ev->side];
}

/* True if the event may answer the question, which was open before the event. */
static inline bool rules_answers(const struct rules_ctx *ctx, uint8_t side,
                                 enum rules_question question) {
  return (ctx->facts.answers[side] >> question & 1u) != 0;
}

/* True if mpa.framing reports nothing more of the side. */
static inline bool rules_framing_reported(const struct rules_ctx *ctx) {
  return rules_own(ctx)->framing.reported || ctx->facts.after_markers;
}

/* The state of a slot, after a Read Response in it that the segment ends. */
static inline enum slot_state rules_slot_state(const struct rules_ctx *ctx, uint8_t slot) {
  return ctx->facts.response_over && slot == RULES_SLOT_TAGGED
             ? SLOT_CLOSED
             : rules_own(ctx)->messages.slots[slot].state;
}

/* True if an event of the side was seen that ends where this one ends, or later. */
static inline bool rules_seen_past(const struct rules_side *side, const iwarp_event *ev) {
  return side->chain.seen && ev->pos + ev->len <= side->end;
}

/* True if the GAP lies inside an FPDU that was reported already, so that its end is known. */
static inline bool rules_gap_inside(const struct rules_ctx *ctx) {
  return rules_seen_past(rules_own(ctx), ctx->ev);
}

/* All octets of `side` since its transport stream began are available. */
static inline bool rules_from_start(const struct rules_ctx *ctx, uint8_t side) {
  return ctx->info->side[side].start_known && !ctx->info->side[side].gap;
}

/* No startup frame of `side` that was seen may lie in payload, or was another one in the copy that
 * its receiver took. */
static inline bool rules_startup_sure_in(const struct rules_tracker *track,
                                         const iwarp_observer_info *info, uint8_t side) {
  const struct rules_side *s = &track->side[side];
  if (info->sctp) {
    return !s->sctp.doubted;
  }
  return (s->startup.sure && !s->startup.event.last.damaged) || !info->side[side].has_startup;
}

static inline bool rules_startup_sure(const struct rules_ctx *ctx, uint8_t side) {
  return rules_startup_sure_in(ctx->track, ctx->info, side);
}

/* True if the startup frames of both sides are sure. */
static inline bool rules_startups_sure(const struct rules_ctx *ctx) {
  return rules_startup_sure(ctx, 0) && rules_startup_sure(ctx, 1);
}

/* True if it is known where the stream of the other side than `side` begins, or its startup frame
 * was captured. */
static inline bool rules_peer_known(const struct rules_ctx *ctx, uint8_t side) {
  const iwarp_observer_side *peer = &ctx->info->side[1u - side];
  return peer->has_startup || peer->start_known;
}

/* All octets of `side` from its startup frame on, which is one, are available. */
static inline bool rules_from_startup(const struct rules_ctx *ctx, uint8_t side) {
  const iwarp_observer_side *s = &ctx->info->side[side];
  return !s->gap && (s->start_known || (s->has_startup && rules_startup_sure(ctx, side)));
}

/* True if it is known that Markers or CRCs are in use, or that they are not. Data alone may
 * mislead. */
static inline bool rules_settled_in(const struct rules_tracker *track,
                                    const iwarp_observer_info *info, iwarp_known_by by) {
  return by == IWARP_KNOWN_BY_CALLER ||
         (by == IWARP_KNOWN_BY_STARTUP && rules_startup_sure_in(track, info, 0) &&
          rules_startup_sure_in(track, info, 1));
}

static inline bool rules_settled(const struct rules_ctx *ctx, iwarp_known_by by) {
  return rules_settled_in(ctx->track, ctx->info, by);
}

/* True if it is known that the side of the event sends Markers, or that it sends none: from the
 * startup frames, or from its FPDUs. */
static inline bool rules_markers_settled(const struct rules_ctx *ctx) {
  return rules_settled(ctx, ctx->info->side[ctx->ev->side].markers_by) ||
         ctx->track->side[ctx->ev->side].chain.unmarked_shown;
}

/* True if the FPDUs of the side may begin, or do, before the end that PD_Length gives its Reply. */
static inline bool rules_pd_overrun(const struct rules_side *side) {
  return side->pd_overrun.state == PD_OVERRUN_UNKNOWN ||
         side->pd_overrun.state == PD_OVERRUN_CERTAIN;
}

/* True if FPDUs of the side begin, or may begin, before the end that PD_Length gives. */
static inline bool rules_pd_in_doubt(const struct rules_side *side) {
  return side->pd_overrun.state != PD_OVERRUN_NOT ||
         rules_is_open(&side->docket, QUESTION_PD_HOLDS_FPDUS) ||
         rules_is_open(&side->docket, QUESTION_PD_INCOMPLETE);
}

static inline const struct rules_side *rules_other(const struct rules_ctx *ctx) {
  return &ctx->track->side[rules_peer(ctx)];
}

static inline const iwarp_rdmap_seg *rules_seg(const struct rules_ctx *ctx) {
  return &ctx->ev->u.fpdu.seg;
}

/*
 * True if the FPDU begins where its sender began one. Payload may hold startup frames and whole
 * FPDUs. Without the start of the stream, or after a gap, such an FPDU may have been found. A run
 * of good FPDUs that is longer than any FPDU cannot lie inside one.
 */
static inline bool rules_start_sure(const struct rules_ctx *ctx) {
  const bool startup = ctx->info->sctp || rules_own(ctx)->startup.sure;
  return (ctx->ev->u.fpdu.sync == IWARP_SYNC_STARTUP && startup) ||
         ctx->ev->u.fpdu.good_run >= IWARP_MPA_FPDU_WIRE_MAX;
}

/* True if a finding about the segment may wait for what follows it, which is then seen. */
static inline bool rules_may_wait(const struct rules_ctx *ctx) {
  return ctx->info->sctp || rules_start_sure(ctx);
}

/*
 * True if the octets that are taken for Markers of the FPDU are some. Without the start of Full
 * Operation their place was found by the look of them, and payload may look so too.
 */
static inline bool rules_markers_sure(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  return !f->fpdu.markers || f->offset != IWARP_POS_UNKNOWN || rules_own(ctx)->chain.phase_sure;
}

/* Opcode of the segment as it stands, or -1. */
static inline int rules_opcode(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  return seg->has_ddp ? (int)seg->ctrl.opcode : -1;
}

/* True if the segment is a further one of the Terminate that this side has begun. */
static inline bool rules_terminate_goes_on(const struct rules_ctx *ctx) {
  const struct rules_slot *slot = &rules_own(ctx)->messages.slots[IWARP_RDMAP_QN_TERMINATE];
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  return rules_own(ctx)->terminate.seen && rules_opcode(ctx) == IWARP_RDMAP_OP_TERMINATE &&
         slot->state == SLOT_OPEN && seg->ddp.qn == IWARP_RDMAP_QN_TERMINATE &&
         seg->ddp.msn == slot->msn && seg->ddp.mo == slot->next;
}

/* Octets of the DDP header in front of the RDMAP header. */
static inline uint32_t rules_hdr_len(const iwarp_rdmap_seg *seg) {
  return seg->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
}

#endif
