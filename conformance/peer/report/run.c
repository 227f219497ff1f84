/* SPDX-License-Identifier: BSD-2-Clause */
/* The sums of the results of a run. */
#include <peer_report/run.h>

enum { RUN_OK = 0, RUN_BROKEN = 1, RUN_NO_TARGET = 3, RUN_UNDECIDED = 4, RUN_INTERNAL = 70 };

const char *peer_role_name(iwarp_role role) {
  return role == IWARP_ROLE_RESPONDER ? "responder" : "initiator";
}

void peer_run_counts(const peer_run *run, size_t counts[PEER_NUM_VERDICTS]) {
  for (size_t i = 0; i < PEER_NUM_VERDICTS; i++) {
    counts[i] = 0;
  }
  for (size_t i = 0; i < run->num_cases; i++) {
    counts[run->cases[i].outcome->result.verdict]++;
  }
}

/* Returns true if the verdict alone fails a run. */
static bool run_fails(peer_fail_on on, peer_verdict verdict) {
  return on != PEER_FAIL_ON_NEVER &&
         (verdict == PEER_FAIL || (verdict == PEER_WARNING && on >= PEER_FAIL_ON_SHOULD) ||
          (verdict == PEER_ALLOWED && on == PEER_FAIL_ON_NOTE));
}

bool peer_run_failed(const peer_run *run, const peer_run_case *c) {
  switch (c->known) {
  case PEER_KNOWN_XFAIL: return false;
  case PEER_KNOWN_CHANGED:
  case PEER_KNOWN_XPASS: return run->fail_on != PEER_FAIL_ON_NEVER;
  case PEER_KNOWN_NONE: break;
  }
  return run_fails(run->fail_on, c->outcome->result.verdict);
}

static bool run_is_open(const peer_run_case *c) {
  const peer_verdict verdict = c->outcome->result.verdict;
  return c->known != PEER_KNOWN_XFAIL &&
         (verdict == PEER_UNDECIDED || verdict == PEER_UNSTABLE || c->outcome->lost);
}

int peer_run_status(const peer_run *run) {
  bool failed = false;
  bool open = false;
  bool passed = false;
  bool error = false;
  for (size_t i = 0; i < run->num_cases; i++) {
    const peer_run_case *c = &run->cases[i];
    const peer_verdict verdict = c->outcome->result.verdict;
    error = error || verdict == PEER_ERROR;
    failed = failed || peer_run_failed(run, c);
    open = open || run_is_open(c);
    passed = passed || verdict == PEER_PASS || verdict == PEER_WARNING || verdict == PEER_FAIL;
  }
  if (error) {
    return RUN_INTERNAL;
  }
  if (failed) {
    return RUN_BROKEN;
  }
  if (run->canary_ns == 0) {
    return RUN_NO_TARGET;
  }
  return open || !passed ? RUN_UNDECIDED : RUN_OK;
}
