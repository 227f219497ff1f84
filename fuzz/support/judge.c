/* SPDX-License-Identifier: BSD-2-Clause */
/* All rules on the events of one connection, and what they may find. */
#include "judge.h"

#include <stdalign.h>

#include "test_pool.h"

struct judge {
  alignas(max_align_t) uint8_t memory[IWARP_RULES_SIZE];
  iwarp_rules *rules;
  test_pool pool;
  judge_hook *hook;
  void *context;
};

static judge judges[2];

judge *judge_new(size_t place, judge_hook *hook, void *context) {
  judge *j = &judges[place];
  j->hook = hook;
  j->context = context;
  if (j->rules != NULL) {
    iwarp_rules_release(j->rules);
    fuzz_expect(j->pool.live == 0, "memory is lost");
  }
  test_pool_begin(&j->pool, 0);
  fuzz_expect(iwarp_rules_init(&j->rules, j->memory, sizeof j->memory, &j->pool.pool) == IWARP_OK,
              "no rules");
  return j;
}

static void take(const judge *j) {
  iwarp_finding f;
  size_t n = 0;
  while (iwarp_rules_next(j->rules, &f) == IWARP_OK) {
    fuzz_expect(f.side < 2 && iwarp_rule_get(f.rule) != NULL, "a finding of nothing");
    fuzz_expect(++n <= JUDGE_FINDINGS_AN_EVENT, "%zu findings of one event", n);
    if (!iwarp_finding_suspected(&f)) { /* fewer octets may cause more suspected findings */
      j->hook(j->context, &f);
    }
  }
}

void judge_event(judge *j, const iwarp_observer_info *info, const iwarp_event *ev) {
  iwarp_rules_event(j->rules, info, ev);
  take(j);
}

void judge_sctp_event(judge *j, const iwarp_observer_info *info, const iwarp_event *ev,
                      const iwarp_sctp_certainty *certainty) {
  iwarp_rules_sctp_event(j->rules, info, ev, certainty);
  take(j);
}

void judge_finish(judge *j, const iwarp_observer_info *info) {
  iwarp_rules_finish(j->rules, info);
  take(j);
}

const iwarp_rules *judge_rules(const judge *j) {
  return j->rules;
}

bool judge_is_fault(const iwarp_finding *finding) {
  return iwarp_rule_get(finding->rule)->severity != IWARP_SEVERITY_NOTE;
}
