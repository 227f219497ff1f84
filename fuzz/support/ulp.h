/* SPDX-License-Identifier: BSD-2-Clause */
/* A ULP that does what octets say, and a model of what its endpoint may tell it. */
#ifndef FUZZ_SUPPORT_ULP_H
#define FUZZ_SUPPORT_ULP_H

#include <iwarp/shared.h>
#include <stdalign.h>
#include <stddef.h>

#include "fuzz.h"
#include "test_pool.h"

#define ULP_OPS 8u
#define ULP_RECVS 8u
#define ULP_REGIONS 6u
#define ULP_BUFFER 512u /* octets of a receive buffer */
#define ULP_AREA 1024u  /* octets of a region */
#define ULP_MEM (ULP_RECVS * ULP_BUFFER + ULP_REGIONS * ULP_AREA)
#define ULP_PD 7u
#define ULP_SHARED_MEM 4096u                  /* octets of a shared table */
#define ULP_BASE UINT64_C(0xFFFFFFFF00000000) /* Tagged Offset of the first octet of a region */

/* The style of a ULP: its shared objects, and its calls. */
#define ULP_SHARES_REGIONS 1u
#define ULP_SHARES_QUEUE 2u
#define ULP_LEAVES_REST 4u
#define ULP_LANDS 8u
#define ULP_BATCHES 16u /* output of several segments, and events, at a time */
#define ULP_BORROWS 32u /* the endpoint takes memory from a pool */
#define ULP_STARVES 64u /* every other request to the pool fails */
#define ULP_COPIES 128u /* output is copied */

typedef struct ulp_region {
  bool registered;
  bool valid; /* the region was not invalidated */
  uint32_t stag;
  uint8_t access;
} ulp_region;

typedef struct ulp_buffer {
  uint32_t len;
  uint32_t placed;
} ulp_buffer;

/* An operation that was posted. */
typedef struct ulp_op {
  iwarp_rdmap_opcode opcode;
  bool silent;   /* the operation completes with DONE only if it fails */
  bool is_pure;  /* a Read with a sink that only this Read writes to */
  uint32_t len;  /* octets of a pure Read */
  uint32_t from; /* place of the octets of a pure Read in their region */
} ulp_op;

/* A message that the peer gets a receive buffer for. */
typedef struct ulp_message {
  iwarp_rdmap_opcode opcode;
  const uint8_t *octets;
  uint32_t len;
} ulp_message;

/* The side of a ULP: whatever the peer does, ulp_event stops the program when the endpoint tells of
 * something that cannot be. */
typedef struct ulp {
  iwarp_endpoint *ep;
  uint8_t *mem; /* ULP_MEM octets, aligned for Atomic Operations: buffers, then regions */
  ulp_region regions[ULP_REGIONS]; /* 0 is a sink of Reads alone */
  ulp_buffer buffers[ULP_RECVS];   /* buffers by token */
  uint64_t recvs_posted;
  uint64_t recvs_done;
  ulp_op ops[ULP_OPS];             /* operations by token */
  iwarp_span part[ULP_OPS + 1][2]; /* payload of operations, borrowed until they complete; the last
                                      entry is for a refused one */
  uint64_t ops_posted;
  uint64_t ops_done;
  uint64_t reads;    /* Reads posted and not done */
  bool out_of_order; /* octets may be placed more than once */
  bool silent;       /* operations are posted unsignalled */
  uint8_t style;
  test_pool pool;
  iwarp_regions *shared; /* shared regions; may be NULL */
  iwarp_srq *srq;
  ulp_message *sent; /* messages posted, kept for a caller; may be NULL */
  size_t cap_sent;   /* entries of `sent`; the first ones are forgotten when there are more */
  uint64_t num_sent;
  bool asked; /* an Atomic Operation waits for its answer */
  iwarp_endpoint_atomic_op ask;
  bool due; /* the startup waits for accept or reject */
  bool established;
  bool fault;
  bool terminated;
  bool in_flight;            /* the transport holds octets that it has not advanced over */
  uint64_t may_be_done_from; /* Requests that may be answered after the first of both */
  bool closed;
  iwarp_endpoint_closed how;
  uint64_t now;
  /* A region as the peer names it: the ULP that a hostile peer attacks guesses as well. */
  uint32_t peer_stag[ULP_REGIONS];
  alignas(max_align_t) uint8_t tables[2][ULP_SHARED_MEM];
} ulp;

/* ulp_new sets up a ULP of a style, and the configuration of its endpoint for that. */
void ulp_new(ulp *u, iwarp_endpoint_cfg *cfg, uint8_t style);

/* ulp_begin registers the regions and posts receive buffers. */
void ulp_begin(ulp *u, iwarp_endpoint *ep, uint8_t *mem, const iwarp_endpoint_cfg *cfg);

/* ulp_event checks an event against the model and does what it asks for; with `copy` it places the
 * octets, too. */
void ulp_event(ulp *u, const iwarp_endpoint_event *ev, bool copy);

/* ulp_act calls the endpoint once as the tape says. What it returns need not be OK. */
void ulp_act(ulp *u, iwarp_span *tape);

/* ulp_pattern is what regions that are read hold, and what Writes carry: each offset of a region
 * has the octet of the pattern at that offset. */
const uint8_t *ulp_pattern(void);

/* ulp_intact expects of an event that octets arrived as they were sent, `peer` being the ULP on the
 * other side. For this the regions hold the pattern, see ulp_fill. */
void ulp_intact(const ulp *u, const iwarp_endpoint_event *ev, const ulp *peer,
                uint64_t num_received);

/* ulp_fill puts the pattern into the regions that are read. */
void ulp_fill(ulp *u);

/* ulp_space expects a place for octets to be one that the endpoint may offer. */
void ulp_space(const ulp *u, const iwarp_endpoint_space *space, const void *block, size_t size);

/* ulp_answer does the Atomic Operation that is asked for, if any. */
void ulp_answer(ulp *u);

/* ulp_clock checks that the deadline can be met, and lets `part` of 255 parts of it pass. */
void ulp_clock(ulp *u, uint8_t part);

/* ulp_over expects that everything was completed once CLOSED was reported. */
void ulp_over(ulp *u);

/* ulp_cfg makes a valid configuration of the octets of the tail. */
iwarp_endpoint_cfg ulp_cfg(iwarp_role role, uint8_t how, uint8_t depths, uint8_t more);

#endif
