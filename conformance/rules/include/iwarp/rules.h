/* SPDX-License-Identifier: BSD-2-Clause */
/* The rule engine takes events of a connection and gives findings. Pure: no text, no I/O, no
 * allocation. */
#ifndef IWARP_RULES_H
#define IWARP_RULES_H

#include <iwarp/event.h>
#include <iwarp/observer.h>
#include <iwarp/sctp_certainty.h>

#ifdef __cplusplus
extern "C" {
#endif

/** iwarp_severity is how bad a finding is: MUST-class, SHOULD-class, or worth knowing. */
typedef enum iwarp_severity {
  IWARP_SEVERITY_NOTE = 0, /* worth knowing, no fault */
  IWARP_SEVERITY_WARNING,  /* SHOULD-class */
  IWARP_SEVERITY_VIOLATION /* MUST-class */
} iwarp_severity;

/** iwarp_impact is what a violation costs. */
typedef enum iwarp_impact {
  IWARP_IMPACT_CORRUPTION = 0, /* data may end up wrong or in the wrong place */
  IWARP_IMPACT_SECURITY,       /* an attacker may gain by it */
  IWARP_IMPACT_INTEROP,        /* a conforming peer may refuse or misread it */
  IWARP_IMPACT_RESOURCE,       /* buffers or queues may run short */
  IWARP_IMPACT_HYGIENE         /* peers ignore it, later versions may not */
} iwarp_impact;

/** iwarp_rule is one row of the catalogue. All strings have static storage. */
typedef struct iwarp_rule {
  uint16_t id;              /* index in the catalogue; not stable between versions, the slug is */
  const char *slug;         /* "mpa.pad-zero" */
  const char *level;        /* strongest level of its requirements: "MUST", "MUST NOT", "SHOULD",
                               "implicit", ... */
  iwarp_severity severity;  /* severity of a finding */
  iwarp_impact impact;      /* impact of a violation */
  const char *requirements; /* ids of the requirement catalogue, separated by single spaces */
  const char *summary;      /* line that names the demand */
  const char *fault;        /* line without values: meaning of a finding */
  /** line of a finding: the fault; %e and %o stand for expected and observed */
  const char *message;
} iwarp_rule;

/** iwarp_verdict is the outcome of one rule on one connection. */
typedef enum iwarp_verdict {
  IWARP_VERDICT_NOT_SEEN = 0, /* the situation never arose */
  IWARP_VERDICT_PASS,         /* the situation arose, and was right each time */
  IWARP_VERDICT_INCONCLUSIVE, /* the situation may have arisen: the capture does not decide it */
  IWARP_VERDICT_FAIL,         /* the rule was broken at least once */
  IWARP_VERDICT_DISABLED      /* the rule was switched off */
} iwarp_verdict;

/** Reasons why a rule was inconclusive, as bits. */
#define IWARP_REASON_GAP 0x01u            /* octets or messages are missing */
#define IWARP_REASON_SNAPLEN 0x02u        /* packets were captured in part */
#define IWARP_REASON_ONE_DIRECTION 0x04u  /* a direction was not captured */
#define IWARP_REASON_MID_STREAM 0x08u     /* the start of the connection was not captured */
#define IWARP_REASON_NO_NEGOTIATION 0x10u /* the negotiated values are not known */
#define IWARP_REASON_CRC_UNKNOWN 0x20u   /* the use of CRCs, or the CRC of the FPDU, is not known */
#define IWARP_REASON_LIMIT 0x40u         /* a limit of the engine was reached */
#define IWARP_REASON_OCTETS_DIFFER 0x80u /* octets were captured twice with different values */
#define IWARP_REASON_CHECKSUM_WRONG 0x100u /* the transport checksum of the octets is wrong */
#define IWARP_REASON_AFTER_FAULT 0x200u    /* an earlier fault leaves open what the octets are */
#define IWARP_REASON_ALL 0x3ffu            /* all reasons */

/** iwarp_rule_result counts what one rule met on one connection. */
typedef struct iwarp_rule_result {
  iwarp_verdict verdict;     /* fail before inconclusive before pass before not seen */
  uint32_t reason;           /* IWARP_REASON_* of the inconclusive times */
  uint64_t num_pass;         /* times that the rule was kept */
  uint64_t num_fail;         /* times that the rule was broken */
  uint64_t num_inconclusive; /* times that the rule could not decide */
} iwarp_rule_result;

/** iwarp_value_kind says how a value of a finding is to be read. */
typedef enum iwarp_value_kind {
  IWARP_VALUE_NONE = 0, /* no value */
  IWARP_VALUE_UINT,     /* a number, printed decimal */
  IWARP_VALUE_HEX8,     /* printed 0x%02x */
  IWARP_VALUE_HEX16,    /* printed 0x%04x */
  IWARP_VALUE_HEX32,    /* printed 0x%08x */
  IWARP_VALUE_HEX64,    /* printed 0x%016x */
  IWARP_VALUE_TEXT,     /* a static string */
  IWARP_VALUE_OCTETS,   /* up to 16 octets */
  IWARP_VALUE_AT_MOST,  /* a number that is a limit: "at most %u" */
  IWARP_VALUE_AT_LEAST  /* a number that is a limit: "at least %u" */
} iwarp_value_kind;

/** iwarp_value is what was expected or observed. */
typedef struct iwarp_value {
  iwarp_value_kind kind; /* says which other members are set */
  uint64_t u;            /* the number: UINT, HEX*, AT_MOST, AT_LEAST */
  const char *text;      /* TEXT: static storage */
  uint8_t octets[16];    /* OCTETS: the first num_octets of them */
  uint8_t num_octets;    /* OCTETS: 0..16 */
} iwarp_value;

/** iwarp_finding_certainty says whether a finding is proven. */
typedef enum iwarp_finding_certainty {
  IWARP_FINDING_CERTAIN = 0, /* the capture proves it */
  IWARP_FINDING_SUSPECTED    /* the finding holds under the most likely reading, and another reading
                                exists */
} iwarp_finding_certainty;

/** iwarp_finding is one breach of one rule, with its evidence. */
typedef struct iwarp_finding {
  uint16_t rule;   /* id */
  uint8_t side;    /* 0 or 1: the offender, whose octets these are */
  iwarp_role role; /* role of the offender */
  uint64_t pos;    /* position of the first octet of the item (ULPDU_Length for an FPDU) */
  /** offset of `pos` from the first octet of Full Operation, or IWARP_POS_UNKNOWN */
  uint64_t offset;
  uint16_t field; /* iwarp_field_id of the field that is wrong, in the form of the item that holds
                     it (iwarp/field.h); 0 where it is no single field */
  uint16_t doubt; /* SUSPECTED: why another reading exists, IWARP_REASON_* */
  iwarp_finding_certainty certainty; /* certain or suspected */
  uint64_t octet_pos;    /* position of the first offending octet itself, or IWARP_POS_UNKNOWN */
  uint32_t octet_len;    /* offending octets */
  iwarp_meta first;      /* packets of the item, as in its event */
  iwarp_meta last;       /* the packet of the item with the largest number, as in its event */
  iwarp_value expected;  /* value that the requirement allows */
  iwarp_value observed;  /* value on the wire */
  uint64_t other_packet; /* number of a packet that the item contradicts, or 0 */
  /** likely cause of this and other findings of the side, such as "terminate-host-bit-order";
   * static storage. NULL: the finding stands alone */
  const char *cause;
} iwarp_finding;

/** iwarp_finding_unless returns the other reading of a suspected finding, as words after "unless";
 * static storage. */
IWARP_API const char *iwarp_finding_unless(const iwarp_finding *finding);

/** iwarp_finding_suspected says whether the finding is a suspected one. */
static inline bool iwarp_finding_suspected(const iwarp_finding *finding) {
  return finding->certainty == IWARP_FINDING_SUSPECTED;
}

/** iwarp_rule_count returns the number of rules in the catalogue. */
IWARP_API uint16_t iwarp_rule_count(void);
/** iwarp_rule_get returns row `id`, or NULL. */
IWARP_API const iwarp_rule *iwarp_rule_get(uint16_t id);
/** iwarp_rule_find returns the row with this slug, or NULL. */
IWARP_API const iwarp_rule *iwarp_rule_find(const char *slug);

/** iwarp_link_kind says what a segment is to an RDMA Read or an Atomic Operation. */
typedef enum iwarp_link_kind {
  IWARP_LINK_NONE = 0, /* no part of a Read or an Atomic Operation, or the request is not known */
  IWARP_LINK_REQUEST,  /* the request of an operation */
  IWARP_LINK_RESPONSE  /* a segment of the response of an operation */
} iwarp_link_kind;

/** iwarp_link is the relation of a segment to the segments before it. */
typedef struct iwarp_link {
  iwarp_link_kind kind; /* kind of the link */
  uint64_t request;     /* REQUEST, RESPONSE: number of the request, from 1 on for each side */
  bool reads_known;     /* an RDMA Read Request: `reads` is set */
  uint32_t reads;       /* RDMA Reads of its side that wait for their response, with this one */
  /** ON: the segment continues the message before it; OFF: it begins a message */
  iwarp_tristate goes_on;
} iwarp_link;

/** iwarp_rules judges one connection. */
typedef struct iwarp_rules iwarp_rules;

/** IWARP_RULES_SIZE bounds iwarp_rules_size, whatever the pool. */
#define IWARP_RULES_SIZE 20832u

/** iwarp_rules_size returns the bytes of memory that the engine of one connection needs, without
 * what the pool gives; `pool` NULL: it has none. */
IWARP_API size_t iwarp_rules_size(const iwarp_pool *pool);

/**
 * iwarp_rules_init makes an engine for one connection in the caller's memory (aligned as
 * max_align_t). All rules are enabled. With a pool, the state of the connection is kept in its
 * memory. Where the pool has no memory, rules become inconclusive with IWARP_REASON_LIMIT, and
 * findings are only counted in their results. The same happens without a pool beyond 16 findings of
 * an event, 16 unanswered Reads and Atomic Operations of a side, or 32 DDP headers of a side.
 * NOBUF: too small.
 */
IWARP_API iwarp_err iwarp_rules_init(iwarp_rules **out, void *mem, size_t mem_len,
                                     const iwarp_pool *pool);

/** iwarp_rules_trim gives back to the pool the tables that are empty, for a connection that is
 * silent, once all findings were handed out; the engine goes on as before. Without a pool it does
 * nothing. */
IWARP_API void iwarp_rules_trim(iwarp_rules *rules);

/** iwarp_rules_release gives back to the pool what the engine has of it; results stay, findings are
 * gone. Without a pool it does nothing. */
IWARP_API void iwarp_rules_release(iwarp_rules *rules);

/** iwarp_rules_disable switches one rule off for good: its findings are not handed out, and its
 * result says only that it is disabled. It still runs, so that the findings of other rules stay the
 * same. Only `cause` may change: it names what the findings that are handed out have in common.
 * ARG: no such rule. */
IWARP_API iwarp_err iwarp_rules_disable(iwarp_rules *rules, uint16_t id);

/**
 * iwarp_rules_event judges one event of iwarp_observer_next_event. `info` is the connection's state
 * right after the event was returned. Drain iwarp_rules_next before the next call.
 */
IWARP_API void iwarp_rules_event(iwarp_rules *rules, const iwarp_observer_info *info,
                                 const iwarp_event *ev);

/** iwarp_rules_sctp_event judges one event of iwarp_sctp_observer_next_event, of which `certainty`
 * says what is known: iwarp_certainty_event. As for iwarp_rules_event else. */
IWARP_API void iwarp_rules_sctp_event(iwarp_rules *rules, const iwarp_observer_info *info,
                                      const iwarp_event *ev, const iwarp_sctp_certainty *certainty);

/**
 * iwarp_rules_follow_links keeps which request each response answers from now on, for
 * iwarp_rules_link. Call it before the first event; each FPDU then needs its event. NOBUF: no pool,
 * or no memory in it.
 */
IWARP_API iwarp_err iwarp_rules_follow_links(iwarp_rules *rules);

/**
 * iwarp_rules_link returns what is known of the segment that the last event, or the last FPDU
 * without an event, was about. It is the request by which the rules judged the response. Rules no
 * longer judge responses after missing octets. Responses to Read Requests that were sent after
 * these octets are then known by their order, and Atomic Responses by their MSN.
 */
IWARP_API iwarp_link iwarp_rules_link(const iwarp_rules *rules);

/**
 * iwarp_rules_expects returns a number for iwarp_rules_fpdu if the FPDU of iwarp_observer_next_fpdu
 * goes on as the FPDUs before it did. Each rule then judges it as it judged them, if its CRC is
 * right. 0: the FPDU needs its event.
 */
IWARP_API unsigned iwarp_rules_expects(const iwarp_rules *rules, const iwarp_observer_info *info,
                                       const iwarp_observer_fpdu *fpdu);

/** iwarp_rules_fpdu judges the FPDU that iwarp_observer_take_fpdu took, in the place of its event;
 * `expected` is what iwarp_rules_expects has just returned for it. There are no findings. */
IWARP_API void iwarp_rules_fpdu(iwarp_rules *rules, const iwarp_observer_fpdu *fpdu,
                                unsigned expected);

/**
 * iwarp_rules_limit says that a limit of the caller ended the following of the connection, or cost
 * it octets. At iwarp_rules_finish each enabled rule of this transport that neither passed nor
 * failed becomes inconclusive with IWARP_REASON_LIMIT; what was decided before stays decided, and
 * the caller must not report the connection as passed. May be called at any time before
 * iwarp_rules_finish, more than once.
 */
IWARP_API void iwarp_rules_limit(iwarp_rules *rules);

/**
 * iwarp_rules_copy judges an FPDU that the receiver accepted in the place of one that was judged:
 * `second` is its event. mpa.crc judges it. Findings come from iwarp_rules_next.
 */
IWARP_API void iwarp_rules_copy(iwarp_rules *rules, const iwarp_observer_info *info,
                                const iwarp_event *second);

/**
 * iwarp_rules_differ says that a second copy of `len` octets of `side` from position `pos` on
 * differs, and that the receiver may have accepted it. Rules that passed on these octets become
 * inconclusive with IWARP_REASON_OCTETS_DIFFER; verdicts on other octets, and on octets not judged
 * yet, stay. `right`: CRC and PAD of the second copy are right. Events of such octets say so
 * themselves: iwarp_meta.
 */
IWARP_API void iwarp_rules_differ(iwarp_rules *rules, const iwarp_observer_info *info, uint8_t side,
                                  uint64_t pos, uint64_t len, bool right);

/**
 * iwarp_rules_doubt says that octets of `side` up to position `end` were captured twice with
 * different values. The octets after the last event of the side were not judged yet. It is not
 * known how much of them the peer had received, until the next event of the side.
 */
IWARP_API void iwarp_rules_doubt(iwarp_rules *rules, uint8_t side, uint64_t end);

/** iwarp_rules_finish judges what can only be said at the end of the connection. */
IWARP_API void iwarp_rules_finish(iwarp_rules *rules, const iwarp_observer_info *info);

/**
 * iwarp_rules_next returns the next finding: OK or END. It may be about an earlier event. After
 * missing octets, an FPDU that was found by CRCs may lie in the payload of another one: its
 * findings wait until that is ruled out. Findings that need the length of an FPDU wait if no right
 * CRC proves it and its last octets look like the next FPDU.
 */
IWARP_API iwarp_err iwarp_rules_next(iwarp_rules *rules, iwarp_finding *out);

/** iwarp_rules_result returns what rule `id` met so far. */
IWARP_API iwarp_rule_result iwarp_rules_result(const iwarp_rules *rules, uint16_t id);

#ifdef __cplusplus
}
#endif

#endif
