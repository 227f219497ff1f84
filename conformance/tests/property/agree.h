/* SPDX-License-Identifier: BSD-2-Clause */
/* Two endpoints, what each of them has posted, and what the other one must report for it. */
#ifndef AGREE_H
#define AGREE_H

#include "check_run.h"
#include "prng.h"
#include "witness.h"

/* Where things lie in the memory of a side: the areas do not overlap, so each can be predicted. */
#define LONGEST 70000u /* octets of a payload: more than the largest FPDU holds */
#define SOURCE 0u      /* never written: Reads take from here */
#define TARGET 131072u /* the peer's Writes */
#define WINDOW 262144u /* the peer's Writes, until it invalidates it */
#define SINK 266240u   /* Read Responses */
#define NUMBERS 397312u
#define BUFFERS 397440u
#define AREA 131072u
#define WINDOW_LEN 4096u
#define NUM_NUMBERS 16u
#define NUM_BUFFERS 4u
#define MEM (BUFFERS + NUM_BUFFERS * LONGEST)

#define STAG_SOURCE 0x0101u
#define STAG_TARGET 0x0202u
#define STAG_SINK 0x0303u
#define STAG_NUMBERS 0x0404u
#define STAG_WINDOW 0x10000u
#define BASE UINT64_C(0x7FFFFFFF00000000)
#define SINK_BASE (UINT64_MAX - AREA)       /* the last octet that a TO can name is 2^64 - 2 */
#define TARGET_BASE (UINT64_MAX - AREA - 7) /* 7 octets more lie after the region */

#define PARTS_MAX 3u
#define OPS 8u
#define STEPS 400u
#define LOTS 4
#define RUNS 1500u /* of each lot */
#define EARLY 60u  /* steps: about the startup */
#define LIST 512u
#define DEPTH_MAX 6u

/* How a connection ends, at some moment. */
typedef enum ending {
  QUIET = 0, /* all is done, then both close */
  CLOSE,     /* one side closes while the other goes on */
  BOTH,      /* both close */
  ABORT,
  LOSE,      /* the transport connection is gone */
  STARVE,    /* a side posts no more receive buffers */
  FORBIDDEN, /* an operation that the other side may not do, in the midst of others */
  SILENCE,   /* nothing is carried any more, the time passes */
  REJECT,    /* the Responder does not want the Request */
  DECLINE,   /* the Initiator does not want the Reply */
  NUM_ENDINGS
} ending;

/* An operation under way: what its completion must say. */
typedef struct op {
  iwarp_rdmap_opcode opcode;
  uint64_t original;
  size_t responses; /* Read: items of the line of Responses that are there then */
  iwarp_span parts[PARTS_MAX];
} op;

/* Octets that a side will have to place, next to the octets of the item before. */
typedef struct item {
  const uint8_t *src;
  uint32_t at;
  uint32_t len;
} item;

typedef struct line {
  item items[LIST];
  size_t num;
  size_t done;
  uint32_t got; /* octets of the expected item */
} line;

/* A message that a side will receive. */
typedef struct message {
  iwarp_rdmap_opcode opcode;
  uint32_t len;
  uint32_t stag;
  const uint8_t *immediate;
  size_t writes; /* items of the line of Writes and Sends that are there then */
} message;

typedef struct atomic {
  iwarp_rdmap_atomic_req req;
  uint32_t at;
  uint64_t now;
} atomic;

/* One side, and what is known about its future. */
typedef struct side {
  op ops[OPS]; /* posted and not completed */
  uint64_t posted;
  uint64_t completed;
  uint64_t failed;
  uint64_t waiting; /* Reads and Atomic Operations posted and not completed */
  uint8_t *shadow;  /* its memory as it must be */
  line writes;      /* Writes and Sends to it */
  line responses;   /* to its Reads */
  message messages[LIST];
  size_t num_messages; /* to it, in all */
  size_t num_got;
  size_t recvs_posted;
  size_t recvs_reported;
  atomic atomics[LIST];
  size_t num_atomics; /* on it */
  size_t atomics_done;
  bool asked; /* an Atomic Operation waits for its answer */
  iwarp_endpoint_atomic_op ask;
  uint32_t window; /* STag */
  bool window_open;
  bool due; /* to accept */
  bool established;
  uint8_t pd[IWARP_MPA_PRIVATE_DATA_MAX];
  size_t pd_len;
} side;

/* What the startup must come to, by RFC 6581 5 and 6. */
typedef struct treaty {
  uint16_t ird[2];
  uint16_t ord[2];
  uint8_t rtr[2];
  uint8_t first; /* IWARP_RTR_* that is sent, or 0 */
  bool peer_to_peer;
  bool refused;  /* Rev does not fit */
  bool no_match; /* of RTR types */
} treaty;

typedef struct fixture {
  endpoint_pair *p;
  witness *x;
  side s[2];
  iwarp_endpoint_cfg cfg[2];
  treaty t;
  ending end;
  size_t who; /* that the end comes from */
  size_t moment;
  bool ended;
  bool crossing; /* a Request may meet a closed half */
  bool reads_after;
  uint16_t bad_word;   /* FORBIDDEN: the expected Terminate, 0: not posted yet */
  size_t bad_writes;   /* items of the line of Writes and Sends before it */
  size_t bad_messages; /* and messages */
  uint64_t now;
  bool scatter;       /* octets come ahead of their turn, too */
  uint32_t target[2]; /* scatter: Writes do not overlap, so their order does not matter */
  uint32_t longest;
  prng rand;
} fixture;

extern uint8_t agree_pool[2 * LONGEST]; /* payload is taken from here */

/* What a lot of runs came to: a property of nothing would hold too. */
typedef struct tally {
  uint64_t done[IWARP_RDMAP_OP_ATOMIC_REQ + 1]; /* operations, by opcode */
  uint64_t failed;
  uint64_t octets;
  uint64_t fpdus;
  uint64_t ends[NUM_ENDINGS]; /* established and ended so */
  uint64_t well;
  uint64_t starved;
  uint64_t forbidden;
  uint64_t ahead; /* FPDUs placed before their turn */
  uint64_t crossed;
  uint64_t no_match;
  uint64_t refused;
  uint64_t unspec; /* ORD was left to a ULP that wanted more than the peer's IRD */
  uint64_t end;    /* Writes and sinks of Reads up to the last octet that a TO can name */
  uint64_t rtr[IWARP_RTR_READ + 1];
} tally;

extern tally agree_tally;

static inline uint32_t some(fixture *w, uint32_t limit) {
  return (uint32_t)prng_below(&w->rand, limit);
}

static inline bool chance(fixture *w, uint32_t one_in) {
  return some(w, one_in) == 0;
}

static inline iwarp_endpoint *ep_of(const fixture *w, size_t who) {
  return w->p->s[who].h->ep;
}

/* ---- agree_model.c: what must come of the startup, and of each event ---- */

/* agree_on_startup derives what the startup must come to. */
void agree_on_startup(fixture *w);

/* agree_reported compares an event of a side with the expected one. */
void agree_reported(void *context, size_t who, const iwarp_endpoint_event *ev);

/* agree_all_placed says whether the first `n` items of a line were placed. */
bool agree_all_placed(const fixture *w, const side *s, line *l, size_t n);

/* agree_now_done applies the Atomic Operation that is answered now. */
void agree_now_done(side *s);

void agree_post_buffer(fixture *w, size_t who);

/* agree_open_window makes a new window in place of the old one. */
void agree_open_window(fixture *w, size_t who);

bool agree_invalidates(iwarp_rdmap_opcode opcode);

/* agree_waits says whether an operation is completed by an answer of the peer. */
bool agree_waits(iwarp_rdmap_opcode opcode);

/* ---- agree_ops.c: operations made at random ---- */

/* agree_post posts one, if that is possible now. */
void agree_post(fixture *w, size_t who);

/* agree_post_bad posts one that the peer does not allow, if that is possible now. */
bool agree_post_bad(fixture *w, size_t who);

/* ---- agree_judge.c: what a run, and a lot of runs, must have come to ---- */

void agree_judge(fixture *w);

/* agree_check_tally: the lot had something of everything. */
void agree_check_tally(void);

#endif
