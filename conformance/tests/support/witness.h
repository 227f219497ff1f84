/* SPDX-License-Identifier: BSD-2-Clause */
/* A witness of a connection: the observer and all rules, fed with what both sides say. */
#ifndef TEST_SUPPORT_WITNESS_H
#define TEST_SUPPORT_WITNESS_H

#include <iwarp/rules.h>

#include "endpoint_pair.h"
#include "test_pool.h"

#define WITNESS_FINDINGS 16u

typedef struct witness {
  iwarp_observer *conn;
  iwarp_rules *rules;
  test_pool pool;    /* of the rules */
  uint64_t start[2]; /* position of a side's first octet */
  uint64_t sent[2];  /* octets of a side so far */
  bool ended[2];
  uint64_t packet;
  uint64_t fpdus[2];
  size_t undecodable; /* events that are neither a startup frame, an FPDU nor an end */
  size_t num_findings;
  size_t num_by_side[2];
  iwarp_finding findings[WITNESS_FINDINGS]; /* the first of them */
  endpoint_pair_watch watch;
} witness;

/* witness_new makes a witness that has seen nothing; it stops the program if that fails. */
witness *witness_new(void);
void witness_free(witness *w);

/* witness_of makes one that sees what a pair says, as long as it lives: free it after the pair. */
witness *witness_of(endpoint_pair *p);

/* witness_push tells of octets of `side`, sent when it had received `heard` octets of the other. */
void witness_push(witness *w, uint8_t side, iwarp_span octets, uint64_t heard);

/* witness_end tells how a side ended, once; later packets are left out. */
void witness_end(witness *w, uint8_t side, iwarp_end how, uint64_t heard);

/* witness_finish ends both sides as if the capture did, and judges. */
void witness_finish(witness *w);

/* witness_count counts findings against the sides of `sides` (1: side 0, 2: side 1, 3: both). */
size_t witness_count(const witness *w, unsigned sides);

/*
 * witness_inconclusive returns a rule that could not be judged although the witness saw all, or
 * NULL. The witness did not see what the startup frames left to the ULP.
 */
const iwarp_rule *witness_inconclusive(const witness *w);

/* witness_tell prints the findings against the sides of `sides`. */
void witness_tell(const witness *w, unsigned sides);

#endif
