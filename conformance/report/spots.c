/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings by rule, role and offset: a sorted list of offsets for each rule and role. */
#include <report/spots.h>

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#define SPOTS_ROLES ((size_t)IWARP_ROLE_RESPONDER + 1)

static size_t spots_num(void) {
  return iwarp_rule_count() * SPOTS_ROLES;
}

static report_spot_list *spots_list(const report_spots *spots, uint16_t rule, iwarp_role role) {
  return spots->of != NULL ? &spots->of[rule * SPOTS_ROLES + (size_t)role] : NULL;
}

/* The list of a rule and role, made where it is missing. NULL: no memory. */
static report_spot_list *spots_make(report_spots *spots, uint16_t rule, iwarp_role role) {
  if (spots->of == NULL) {
    spots->of = memory_zeroed(spots_num(), sizeof *spots->of);
  }
  return spots_list(spots, rule, role);
}

/* Index of the spot of an offset in the list, or of its place. */
static size_t spots_index(const report_spot_list *list, uint64_t offset) {
  size_t begin = 0;
  size_t end = list->num;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (list->each[middle].from < offset) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/* The spot of an offset; NULL: it has none. */
static report_spot *spots_find(const report_spot_list *list, uint64_t offset) {
  const size_t i = spots_index(list, offset);
  return i < list->num && list->each[i].from == offset ? &list->each[i] : NULL;
}

static bool spots_grow(report_spot_list *list) {
  const size_t cap = list->cap > 0 ? list->cap * 2 : 4;
  report_spot *grown = memory_resize(list->each, cap * sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  list->each = grown;
  list->cap = cap;
  return true;
}

static bool spots_insert(report_spot_list *list, const report_spot *spot) {
  if (list->num == list->cap && !spots_grow(list)) {
    return false;
  }
  const size_t i = spots_index(list, spot->from);
  memmove(&list->each[i + 1], &list->each[i], (list->num - i) * sizeof *list->each);
  list->each[i] = *spot;
  list->num++;
  return true;
}

static void spots_widen(report_spot *rest, const report_spot *spot) {
  if (rest->count == 0) {
    *rest = *spot;
    return;
  }
  rest->from = spot->from < rest->from ? spot->from : rest->from;
  rest->to = spot->to > rest->to ? spot->to : rest->to;
  rest->count += spot->count;
}

/* Adds a spot. `each`: one offset that the list does not have is counted by itself. */
static bool spots_count(report_spot_list *list, const report_spot *spot, bool each) {
  const bool one = spot->from == spot->to;
  report_spot *same = one ? spots_find(list, spot->from) : NULL;
  if (same != NULL) {
    same->count += spot->count;
    return true;
  }
  if (one && each) {
    return spots_insert(list, spot);
  }
  spots_widen(&list->rest, spot);
  return true;
}

bool report_spots_add(report_spots *spots, const iwarp_finding *f) {
  const report_spot one = {.from = f->offset, .to = f->offset, .count = 1};
  report_spot_list *list = spots_make(spots, f->rule, f->role);
  return list != NULL &&
         spots_count(list, &one, list->num < REPORT_SPOTS_EACH || f->offset == IWARP_POS_UNKNOWN);
}

bool report_spots_put(report_spots *spots, uint16_t rule, iwarp_role role,
                      const report_spot *spot) {
  report_spot_list *list = spots_make(spots, rule, role);
  return list != NULL && spots_count(list, spot, true);
}

static const report_spot *spots_taken(report_spot *spot) {
  spot->found++;
  return spot;
}

const report_spot *report_spots_take(report_spots *spots, const iwarp_finding *f) {
  report_spot_list *list = spots_list(spots, f->rule, f->role);
  report_spot *same = list != NULL ? spots_find(list, f->offset) : NULL;
  report_spot *rest = list != NULL ? &list->rest : NULL;
  if (same != NULL && same->found < same->count) {
    return spots_taken(same);
  }
  const bool fits =
      rest != NULL && rest->found < rest->count && rest->from <= f->offset && f->offset <= rest->to;
  return fits ? spots_taken(rest) : NULL;
}

const report_spot_list *report_spots_of(const report_spots *spots, uint16_t rule, iwarp_role role) {
  return spots_list(spots, rule, role);
}

void report_spots_free(report_spots *spots) {
  for (size_t i = 0; spots->of != NULL && i < spots_num(); i++) {
    free(spots->of[i].each);
  }
  free(spots->of);
  *spots = (report_spots){0};
}
