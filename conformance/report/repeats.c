/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings that repeat. */
#include <report/repeats.h>

#include <stdlib.h>

#include <memory/memory.h>

static report_repeat *repeats_add(report_repeats *list, const iwarp_finding *finding) {
  if (list->num == list->cap) {
    const size_t cap = list->cap > 0 ? list->cap * 2 : 4;
    report_repeat *grown = memory_resize(list->of, cap * sizeof *grown);
    if (grown == NULL) {
      return NULL;
    }
    list->of = grown;
    list->cap = cap;
  }
  list->of[list->num] = (report_repeat){
      .rule = finding->rule, .side = finding->side, .suspected = iwarp_finding_suspected(finding)};
  return &list->of[list->num++];
}

report_repeat *report_repeats_get(report_repeats *list, const iwarp_finding *finding) {
  for (size_t i = 0; i < list->num; i++) {
    if (list->of[i].rule == finding->rule && list->of[i].side == finding->side &&
        list->of[i].suspected == iwarp_finding_suspected(finding)) {
      return &list->of[i];
    }
  }
  return repeats_add(list, finding);
}

void report_repeats_free(report_repeats *list) {
  free(list->of);
  *list = (report_repeats){0};
}
