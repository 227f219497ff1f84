/* SPDX-License-Identifier: BSD-2-Clause */
/* A fixture for the rules: connections made event by event, as an observer would tell
 * them.
 */
#ifndef RULES_FIXTURE_H
#define RULES_FIXTURE_H

#include <iwarp/crc32c.h>
#include <iwarp/rules.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "test_pool.h"

#define FIXTURE_INITIATOR 0u
#define FIXTURE_RESPONDER 1u
#define FIXTURE_FINDINGS 64u
#define FIXTURE_KEEP UINT64_MAX /* event that is not dropped */

/* Where the two streams begin; the Responder's wraps 32 bits on its way. */
#define FIXTURE_START_0 1001u
#define FIXTURE_START_1 0xFFFFFF00u

struct rules_fixture {
  iwarp_rules *rules;
  void *mem;
  test_pool pool; /* of the rules */
  iwarp_observer_info info;
  iwarp_sctp_certainty certainty; /* SCTP: of the event that is sent next */
  uint64_t next[2];               /* position after what the side sent */
  bool lost[2];                   /* octets of Full Operation were dropped */
  uint64_t packet;
  bool damaged; /* the packets from now on */
  uint64_t num_events;
  uint64_t drop;       /* number of the startup frame or FPDU that the capture does not hold */
  bool guess;          /* starts of FPDUs are only guessed */
  bool exchanged;      /* the rules see side 0 as 1, and 1 as 0 */
  bool unsettled[2];   /* SCTP: by side, nothing shows that its last message is there */
  bool another;        /* SCTP: another session begins, */
  bool went_on[2];     /* by side: it sends on in that, */
  bool apart[2];       /* and none of its messages before is of that */
  bool unproven;       /* SCTP: where messages are lost it is not certain which session is which */
  bool unplaced[2];    /* SCTP: by side, a message came before the session that may be of it */
  bool elsewhere[2];   /* SCTP: by side, it sent an answer on another stream */
  iwarp_meta advanced; /* SCTP: the last packet of either side that acknowledged more; or none */
  uint32_t burst;      /* of the end of side 0 over SCTP, */
  uint32_t sessions;   /* and of how many */
  bool ends_beside;    /* SCTP: the ABORT stands in the packet of the last message */
  bool replaced;       /* SCTP: the session ends since another one of its stream begins */
  bool shut_by_first;  /* SCTP: side 0 shuts the association down, not side 1 */
  bool unclear;        /* SCTP: to which session a message belongs is not certain */
  bool crc_is;         /* crc_flip is the CRC field itself */
  uint16_t segment_more; /* added to DDP Segment Length of a Terminate */
  bool no_start;         /* where Full Operation began is not known */
  bool no_ack;           /* what the sender had received is not known */
  uint32_t fpdu_like;    /* of the runs of octets from now on */
  bool ends_in_gap;      /* likewise: a gap comes before the end of an FPDU in them */
  uint64_t received;     /* what the sender had received, else 0: all that was sent */
  void (*watch)(const struct rules_fixture *l,
                const iwarp_event *ev); /* before the rules, or NULL */
  bool in_one;                          /* FPDUs lie in one packet each */
  bool bare; /* what the rules expect is judged without an event, as an observer may */
  uint64_t num_bare;
  unsigned num; /* certain findings */
  iwarp_finding findings[FIXTURE_FINDINGS];
  unsigned suspected;      /* findings that are not certain, */
  iwarp_finding suspicion; /* and the last one of them */
};

/* An FPDU to send. Zero is the conforming default of every member but ddp. */
struct fixture_seg {
  iwarp_ddp_hdr ddp;
  const uint8_t *payload; /* NULL: zeros */
  size_t len;
  bool short_ulpdu; /* only ulpdu_len octets of header and payload */
  size_t ulpdu_len;
  uint8_t pad[3];
  uint32_t crc_flip;
  size_t cut; /* octets of the wire form available, 0: all */
  iwarp_fpdu_sync sync;
  uint64_t good_run;
  size_t claim;  /* octets of payload to tell of instead: messages of gigabytes in two segments */
  size_t marker; /* 1 + number of the Marker that gets marker_is */
  iwarp_mpa_marker marker_is;
};

void fixture_take(struct rules_fixture *l);

void fixture_event(struct rules_fixture *l, const iwarp_event *ev);

/* The connection is over: the rules say what they can at its end. */
void fixture_finish(struct rules_fixture *l);

void fixture_init(struct rules_fixture *l);

void fixture_free(struct rules_fixture *l);

iwarp_event fixture_base(struct rules_fixture *l, unsigned side, iwarp_event_kind kind,
                         uint64_t len);

void fixture_gap(struct rules_fixture *l, unsigned side, uint64_t len, iwarp_gap_reason reason);

void fixture_undecodable(struct rules_fixture *l, unsigned side, uint64_t len,
                         iwarp_undec_reason reason);

/* A run of `len` octets that form no FPDU; `head` is what is shown of it, or all of it. */
void fixture_run(struct rules_fixture *l, unsigned side, iwarp_span head, uint64_t len,
                 iwarp_undec_reason reason);

void fixture_streaming(struct rules_fixture *l, unsigned side, uint64_t len);
void fixture_streaming_of(struct rules_fixture *l, unsigned side, iwarp_span octets);

void fixture_end(struct rules_fixture *l, unsigned side, iwarp_end how);

/* ---- startup -------------------------------------------------------------------------------- */

/* A startup frame to send. */
struct fixture_frame {
  bool reply;
  bool wrong_key;
  uint8_t flags;
  uint8_t rev;
  iwarp_mpa_enhanced enh; /* sent when S is set and pd_length has room */
  uint16_t pd_length;
  uint16_t missing;    /* octets of the Private Data that are not there */
  const uint8_t *data; /* the Private Data, or NULL: none are shown */
  bool goes_on;        /* they do, in another packet, */
  uint64_t received;   /* and its sender had received this then, or 0: what it had before */
};

bool fixture_dropped(struct rules_fixture *l);

void fixture_startup(struct rules_fixture *l, unsigned side, const struct fixture_frame *f);

/* Settles what both frames say; what is not known stays so. */
void fixture_settle(struct rules_fixture *l);

#define FIXTURE_DEPTH 8u

/* An enhanced Request and Reply, conformant but for what the caller changes. */
struct fixture_frame fixture_request(void);

struct fixture_frame fixture_reply(void);

void fixture_exchange(struct rules_fixture *l, struct fixture_frame request,
                      struct fixture_frame reply);

/* Startup with these flags in both frames, besides S. */
void fixture_open_with(struct rules_fixture *l, uint8_t flags);

void fixture_open(struct rules_fixture *l);

/* ---- FPDUs ---------------------------------------------------------------------------------- */

void fixture_fpdu(struct rules_fixture *l, unsigned side, struct fixture_seg s);

/* The octets of the last FPDU of any fixture, with its Markers and CRC. */
const uint8_t *fixture_fpdu_octets(void);

/* What an observer may show of the FPDU of the event in its place; false: it needs its event. */
bool fixture_shown(const struct rules_fixture *l, const iwarp_event *ev, iwarp_observer_fpdu *out);

/* An FPDU by its octets, of which those after it count for nothing. */
void fixture_wire(struct rules_fixture *l, unsigned side, iwarp_span wire);

/* ---- segments ------------------------------------------------------------------------------- */

struct fixture_seg fixture_untagged(uint8_t opcode, uint32_t msn, uint32_t mo, size_t len);

struct fixture_seg fixture_tagged(uint8_t opcode, uint32_t stag, uint64_t to, size_t len);

/* The same segment as one that does not end its message. */
struct fixture_seg fixture_more(struct fixture_seg s);

struct fixture_seg fixture_send(uint32_t msn);

struct fixture_seg fixture_write(void);

#define FIXTURE_SINK 0x0A0B0C0Du
#define FIXTURE_SINK_TO 0x2000u

struct fixture_seg fixture_with(struct fixture_seg s, uint8_t *octets, size_t len);

/* A Read Request, whose header goes to `octets`. */
struct fixture_seg fixture_read_of(uint8_t octets[IWARP_RDMAP_READ_REQ_LEN], uint32_t msn,
                                   iwarp_rdmap_read_req req);

struct fixture_seg fixture_read_request(uint8_t octets[IWARP_RDMAP_READ_REQ_LEN], uint32_t msn,
                                        uint32_t size);

/* Sends a Read Request. */
void fixture_read(struct rules_fixture *l, unsigned side, uint32_t msn, uint32_t size);

struct fixture_seg fixture_read_response(size_t len);

/* Sends a Terminate with this header. */
void fixture_terminate(struct rules_fixture *l, unsigned side, uint32_t msn,
                       const iwarp_rdmap_term *t);

/* Sends the first Terminate of its side, which returns the DDP Segment Length and the DDP header of
 * the segment. */
void fixture_terminate_returning(struct rules_fixture *l, unsigned side, iwarp_rdmap_term t,
                                 const struct fixture_seg *s);

/* Sends a Terminate of an MPA error, which returns no header. */
void fixture_terminate_mpa(struct rules_fixture *l, unsigned side, uint32_t msn);

iwarp_rdmap_atomic_req fixture_fetch_add(uint32_t id);

void fixture_atomic(struct rules_fixture *l, unsigned side, uint32_t msn,
                    const iwarp_rdmap_atomic_req *a);

void fixture_atomic_response(struct rules_fixture *l, unsigned side, uint32_t msn, uint32_t id);

/* Startup, and a first Send of each side, so that neither is the first FPDU any more. */
void fixture_begin_with(struct rules_fixture *l, uint8_t flags);

void fixture_begin(struct rules_fixture *l);
/* The start of the Reply's stream was not captured. So FPDUs may stand in the place of the Reply,
 * and further FPDUs in the place of its Private Data; then an FPDU of the Initiator. */
void fixture_open_unconfirmed(struct rules_fixture *l);

/* ---- cases ---------------------------------------------------------------------------------- */

enum fixture_want {
  FIXTURE_PASS, /* the situation arises and is right: the rule passes, no rule finds anything */
  FIXTURE_NEAR, /* the same, at the very edge of being wrong */
  FIXTURE_FAIL, /* one thing is wrong: this rule finds it, once, and no other rule finds anything */
  FIXTURE_SILENT,      /* the rule has nothing to say here, and no other finds anything */
  FIXTURE_INCONCLUSIVE /* it cannot be decided: the rule is inconclusive for this reason, and no
                rule finds  anything */
};

struct rules_case {
  const char *slug;
  enum fixture_want want;
  uint32_t reason; /* FIXTURE_INCONCLUSIVE: IWARP_REASON_* */
  const char *what;
  void (*run)(struct rules_fixture *l);
  const char *also; /* a rule that finds something too, because the case needs what it is about */
};

#endif
