/* SPDX-License-Identifier: BSD-2-Clause */
/* All rules on the events of one connection, and what they may find. */
#ifndef FUZZ_SUPPORT_JUDGE_H
#define FUZZ_SUPPORT_JUDGE_H

#include <iwarp/rules.h>

#include "fuzz.h"

/* No event may cost more findings than that: each rule judges a side and its peer. */
#define JUDGE_FINDINGS_AN_EVENT 256u

typedef struct judge judge;

/* Gets each finding. */
typedef void judge_hook(void *context, const iwarp_finding *finding);

/* judge_new makes an engine for a connection, in memory that the judges of `place` 0 or 1 share:
 * the one that had it is gone. */
judge *judge_new(size_t place, judge_hook *hook, void *context);

/* judge_event gives the rules an event, judge_sctp_event one over SCTP; judge_finish its end. All
 * of them expect findings of something,
 * and not too many of them. */
void judge_event(judge *j, const iwarp_observer_info *info, const iwarp_event *ev);
void judge_sctp_event(judge *j, const iwarp_observer_info *info, const iwarp_event *ev,
                      const iwarp_sctp_certainty *certainty);
void judge_finish(judge *j, const iwarp_observer_info *info);

/* judge_rules is the engine, for its results. */
const iwarp_rules *judge_rules(const judge *j);

/* judge_is_fault says whether a finding is more than a note. */
bool judge_is_fault(const iwarp_finding *finding);

#endif
