/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps the text of findings by their likely cause. */
#include "check_group.h"

#include <stdlib.h>

#include <memory/memory.h>

static bool group_fits(const check_group *g, const iwarp_finding *f) {
  return f->cause != NULL ? g->cause != NULL && strcmp(g->cause, f->cause) == 0
                          : g->cause == NULL && g->rule == f->rule;
}

static check_group *group_add(check_groups *list, const iwarp_finding *f) {
  if (list->num == list->cap) {
    const size_t cap = list->cap > 0 ? list->cap * 2 : 4;
    check_group *grown = memory_resize(list->of, cap * sizeof *grown);
    if (grown == NULL) {
      return NULL;
    }
    list->of = grown;
    list->cap = cap;
  }
  list->of[list->num] = (check_group){.cause = f->cause, .rule = f->rule, .packet = f->last.packet};
  out_open_memory(&list->of[list->num].text);
  return &list->of[list->num++];
}

check_group *check_groups_get(check_groups *list, const iwarp_finding *f) {
  for (size_t i = 0; i < list->num; i++) {
    if (group_fits(&list->of[i], f)) {
      return &list->of[i];
    }
  }
  return group_add(list, f);
}

size_t check_groups_len(const check_groups *list) {
  size_t n = 0;
  for (size_t i = 0; i < list->num; i++) {
    n += list->of[i].text.len;
  }
  return n;
}

void check_groups_free(check_groups *list) {
  for (size_t i = 0; i < list->num; i++) {
    out_close(&list->of[i].text);
  }
  free(list->of);
  *list = (check_groups){0};
}
