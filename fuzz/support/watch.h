/* SPDX-License-Identifier: BSD-2-Clause */
/* The observer and all rules on a script, and what they find. */
#ifndef FUZZ_SUPPORT_WATCH_H
#define FUZZ_SUPPORT_WATCH_H

#include <iwarp/rules.h>

#include "stream_run.h"

#define WATCH_FINDINGS 4096u /* kept; more are counted */
#define WATCH_RULES 512u

typedef struct watch {
  size_t num_events;
  size_t full_from; /* the first step after both startup frames were seen; SIZE_MAX: never */
  bool clean;       /* all was understood and right */
  size_t num;
  iwarp_finding finding[WATCH_FINDINGS];
  iwarp_rule_result result[WATCH_RULES];
} watch;

/* watch_run feeds a script; step `drop` is a gap in place of its octets (SIZE_MAX: none). */
void watch_run(watch *w, const iwarp_observer_cfg *cfg, const run_start *start,
               const stream_script *s, size_t drop);

/* watch_same expects the same findings and results. */
void watch_same(const watch *a, const watch *b);

/* watch_no_more expects that `less`, of the same with octets missing, found nothing new. */
void watch_no_more(const watch *all, const watch *less);

#endif
