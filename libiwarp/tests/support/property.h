/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every property program has: seeds and rounds from the environment, both printed, and the
 * seed at which a test stopped.
 *
 * No variable set: the seeds and rounds of the gate. IWARP_PROPERTY_TIMES=T: T times as many
 * rounds. IWARP_PROPERTY_SEED=N: one round, with just this seed. Both: T times as many rounds as
 * the gate, from seeds that begin at N. IWARP_PROPERTY_SAMPLE=S: one of S rounds, for a build that
 * repeats what another one has run. A round depends on its seed alone.
 */
#ifndef TEST_SUPPORT_PROPERTY_H
#define TEST_SUPPORT_PROPERTY_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "check_run.h"

/* property_times returns how many times as long as in the gate the tests run; at least 1. */
uint64_t property_times(void);

/* property_sample returns of how many rounds or cases one is enough; at least 1. */
uint64_t property_sample(void);

/* property_stride returns an odd step, about as large, for a loop over places or lengths. */
uint32_t property_stride(void);

/* property_single tells whether one round was asked for. */
bool property_single(void);

/* property_few tells whether there are fewer rounds than in the gate: counts over all rounds mean
 * nothing. */
bool property_few(void);

/* property_announce prints the program, the seed and the number of times; once, before the tests.
 */
void property_announce(const char *program);

/* property_report prints where the tests that did not come to their end stopped. */
void property_report(void);

/* property is one test on its way through its seeds. */
typedef struct property {
  uint64_t seed; /* of this round */
  uint64_t left; /* rounds after this one */
  size_t slot;   /* shared with the parent process */
  bool started;
} property;

/* property_begin makes the rounds of `test`; in the gate their seeds are those from `first` on. */
property property_begin(const char *test, uint64_t first, uint64_t rounds);

/* property_next goes on to the next round, whose seed is p->seed; false: that was the last. */
bool property_next(property *p);

/* property_test is a test, run for _i from 0 to loops - 1. */
typedef struct property_test {
  const TTest *test;
  int loops;
} property_test;

/* property_main runs the tests of a list that ends with a NULL. */
static inline int property_main(const char *name, const property_test *tests) {
  Suite *suite = suite_create(name);
  TCase *tcase = tcase_create(name);
  for (; tests->test != NULL; tests++) {
    tcase_add_loop_test(tcase, tests->test, 0, tests->loops);
  }
  suite_add_tcase(suite, tcase);
  property_announce(name);
  int status = check_run(suite);
  if (status != EXIT_SUCCESS) {
    property_report();
  }
  return status;
}

#endif
