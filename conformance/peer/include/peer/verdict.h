/* SPDX-License-Identifier: BSD-2-Clause */
/* Verdicts of cases. docs/verdicts.md */
#ifndef PEER_VERDICT_H
#define PEER_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** peer_verdict is the result of a case. The names of the verdicts are fixed. */
typedef enum peer_verdict {
  PEER_UNDECIDED = 0, /* no item seen decides the case; `why` says what is missing */
  PEER_PASS,          /* the target did what the page demands */
  PEER_ALLOWED,       /* the RFC leaves open what the target did; `why` has the reading */
  PEER_WARNING,       /* the target did what it SHOULD NOT do, or did not do what it SHOULD do */
  PEER_FAIL,          /* the target broke a MUST, and octets, a FIN or an RST show it */
  PEER_UNSTABLE,      /* three plays of a case that did not pass ended differently */
  PEER_SKIPPED,       /* the case needs more than the target offers; `why` names it */
  PEER_ERROR          /* the tester is at fault, not the target */
} peer_verdict;

#define PEER_NUM_VERDICTS 8u /* members of peer_verdict */

/** peer_verdict_name returns the name of a verdict ("pass"); "unknown" for an invalid value. */
const char *peer_verdict_name(peer_verdict verdict);

/** peer_verdict_find finds a verdict by its name. False: there is no such verdict. */
bool peer_verdict_find(const char *name, peer_verdict *out);

#define PEER_TEXT_CAP 240u /* octets of each text of a result, with its 0 */

/** peer_result is the outcome of one play of a case. */
typedef struct peer_result {
  peer_verdict verdict;
  char due[PEER_TEXT_CAP];  /* demand of the page at the place that decided the case */
  char seen[PEER_TEXT_CAP]; /* item seen in its place ("terminate layer=2 etype=0 code=3") */
  char why[PEER_TEXT_CAP];  /* the reading, "silent", "needs region", ...; "" if none is needed */
  unsigned int line;        /* line of the page that decided the case, 1-based; 0: no line did */
  size_t sent;              /* octets that the tester gave to the transport, all connections */
  size_t received;          /* octets that came from the target, all connections */
  uint64_t opening_ns;      /* time until the first connection was open; 0: no connection was */
  uint64_t exchange_ns; /* time from the opening of a connection to the last answer of the target */
} peer_result;

/** peer_result_alike returns whether two plays ended alike: the same verdict, line and `seen`. */
bool peer_result_alike(const peer_result *a, const peer_result *b);

/** peer_result_again returns whether a case with this result is to be played twice more: FAIL and
 * WARNING. */
bool peer_result_again(const peer_result *result);

/**
 * peer_result_combine makes the result of a case out of `num` plays of it, in their order. All
 * alike: the first of them. Else UNSTABLE, with the counts in `why`: "2 fail, 1 pass".
 */
peer_result peer_result_combine(const peer_result *plays, size_t num);

#endif
