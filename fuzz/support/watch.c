/* SPDX-License-Identifier: BSD-2-Clause */
/* The observer and all rules on a script, and what they find. */
#include "watch.h"

#include <stdalign.h>

#include "judge.h"

static alignas(max_align_t) uint8_t memory[IWARP_OBSERVER_SIZE];

static void keep(void *context, const iwarp_finding *f) {
  watch *w = context;
  if (w->num < WATCH_FINDINGS) {
    w->finding[w->num] = *f;
  }
  w->num++;
}

static bool both_started(const iwarp_observer *conn) {
  const iwarp_observer_info *info = iwarp_observer_info_get(conn);
  return info->side[0].has_startup && info->side[1].has_startup;
}

static void feed(iwarp_observer *conn, const stream_step *s, bool drop) {
  iwarp_err err = IWARP_OK;
  switch (s->kind) {
  case STEP_PUSH:
    err = drop ? iwarp_observer_gap(conn, s->side, s->octets.len, IWARP_GAP_LOST, &s->meta)
               : iwarp_observer_push(conn, s->side, s->octets, &s->meta);
    break;
  case STEP_GAP: err = iwarp_observer_gap(conn, s->side, s->len, s->reason, &s->meta); break;
  case STEP_END: err = iwarp_observer_eof(conn, s->side, s->how, &s->meta); break;
  }
  fuzz_expect(err == IWARP_OK, "the observer refused its input: %s", iwarp_errname(err));
}

void watch_run(watch *w, const iwarp_observer_cfg *cfg, const run_start *start,
               const stream_script *s, size_t drop) {
  iwarp_observer *conn = NULL;
  judge *rules = judge_new(0, keep, w);
  iwarp_event ev;
  w->num = w->num_events = 0;
  w->full_from = SIZE_MAX;
  w->clean = true;
  fuzz_expect(iwarp_observer_init(&conn, memory, sizeof memory, cfg) == IWARP_OK, "no observer");
  for (uint8_t side = 0; side < 2; side++) {
    fuzz_expect(iwarp_observer_start(conn, side, start->pos[side], start->known[side],
                                     start->pos[side]) == IWARP_OK,
                "no start");
  }
  for (size_t i = 0; i < s->num; i++) {
    feed(conn, &s->steps[i], i == drop);
    while (iwarp_observer_next_event(conn, &ev) == IWARP_OK) {
      w->num_events++;
      w->clean = w->clean && (ev.kind == IWARP_EVENT_STARTUP || ev.kind == IWARP_EVENT_FPDU ||
                              ev.kind == IWARP_EVENT_END);
      judge_event(rules, iwarp_observer_info_get(conn), &ev);
    }
    if (w->full_from == SIZE_MAX && both_started(conn)) {
      w->full_from = i + 1;
    }
  }
  judge_finish(rules, iwarp_observer_info_get(conn));
  w->clean = w->clean && w->num == 0;
  for (uint16_t id = 0; id < iwarp_rule_count() && id < WATCH_RULES; id++) {
    w->result[id] = iwarp_rules_result(judge_rules(rules), id);
  }
}

static bool same_finding(const iwarp_finding *a, const iwarp_finding *b) {
  return a->rule == b->rule && a->side == b->side && a->pos == b->pos && a->field == b->field &&
         a->octet_pos == b->octet_pos && a->octet_len == b->octet_len &&
         a->first.packet == b->first.packet && a->last.packet == b->last.packet;
}

void watch_same(const watch *a, const watch *b) {
  fuzz_expect(a->num == b->num, "%zu findings, or %zu", a->num, b->num);
  for (size_t i = 0; i < a->num && i < WATCH_FINDINGS; i++) {
    fuzz_expect(same_finding(&a->finding[i], &b->finding[i]), "finding %zu: %s, or %s", i,
                iwarp_rule_get(a->finding[i].rule)->slug, iwarp_rule_get(b->finding[i].rule)->slug);
  }
  for (uint16_t id = 0; id < iwarp_rule_count() && id < WATCH_RULES; id++) {
    fuzz_expect(a->result[id].verdict == b->result[id].verdict &&
                    a->result[id].num_pass == b->result[id].num_pass &&
                    a->result[id].reason == b->result[id].reason,
                "%s: another result", iwarp_rule_get(id)->slug);
  }
}

/* Looks for a finding of the same rule and side, or item: a fault of an item may hide another. */
static bool has(const watch *w, const iwarp_finding *f) {
  for (size_t i = 0; i < w->num && i < WATCH_FINDINGS; i++) {
    const iwarp_finding *g = &w->finding[i];
    if (g->side == f->side && (g->rule == f->rule || g->pos == f->pos)) {
      return true;
    }
  }
  return w->num > WATCH_FINDINGS;
}

void watch_no_more(const watch *all, const watch *less) {
  for (size_t i = 0; i < less->num && i < WATCH_FINDINGS; i++) {
    const iwarp_finding *f = &less->finding[i];
    fuzz_expect(!judge_is_fault(f) || has(all, f), "%s of side %u, with less to see",
                iwarp_rule_get(f->rule)->slug, f->side);
  }
}
