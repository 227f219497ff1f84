/* SPDX-License-Identifier: BSD-2-Clause */
/* Engines with all rules, one rule, and all but one. */
#include "panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/engine.h"

static panel_seat seat_new(const iwarp_pool *pool) {
  panel_seat s = {.memory = malloc(iwarp_rules_size(pool))};
  if (s.memory == NULL ||
      iwarp_rules_init(&s.rules, s.memory, iwarp_rules_size(pool), pool) != IWARP_OK) {
    fprintf(stderr, "panel: no memory\n");
    abort();
  }
  return s;
}

static void seat_free(panel_seat *s) {
  iwarp_rules_release(s->rules);
  free(s->memory);
}

panel *panel_new(void) {
  const uint16_t n = iwarp_rule_count();
  panel *p = calloc(1, sizeof *p);
  panel_seat *seats = calloc(2 * (size_t)n, sizeof *seats);
  if (p == NULL || seats == NULL) {
    fprintf(stderr, "panel: no memory\n");
    abort();
  }
  test_pool_begin(&p->pool, 0);
  p->alone = seats;
  p->without = seats + n;
  p->all = seat_new(&p->pool.pool);
  for (uint16_t id = 0; id < n; id++) {
    p->alone[id] = seat_new(&p->pool.pool);
    p->without[id] = seat_new(&p->pool.pool);
    iwarp_rules_disable(p->without[id].rules, id);
    for (uint16_t other = 0; other < n; other++) {
      if (other != id) {
        iwarp_rules_disable(p->alone[id].rules, other);
      }
    }
  }
  return p;
}

void panel_free(panel *p) {
  seat_free(&p->all);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    seat_free(&p->alone[id]);
    seat_free(&p->without[id]);
  }
  free(p->alone);
  free(p);
}

/* ---- comparing ---- */

static bool same_value(const iwarp_value *a, const iwarp_value *b) {
  const bool text =
      a->text == b->text || (a->text != NULL && b->text != NULL && strcmp(a->text, b->text) == 0);
  return a->kind == b->kind && a->u == b->u && text && a->num_octets == b->num_octets &&
         memcmp(a->octets, b->octets, a->num_octets) == 0;
}

static bool same_packet(const iwarp_meta *a, const iwarp_meta *b) {
  return a->packet == b->packet && a->time_ns == b->time_ns && a->peer_pos == b->peer_pos;
}

bool panel_same(const iwarp_finding *a, const iwarp_finding *b) {
  return a->rule == b->rule && a->side == b->side && a->role == b->role && a->pos == b->pos &&
         a->offset == b->offset && a->field == b->field && a->octet_pos == b->octet_pos &&
         a->octet_len == b->octet_len && a->other_packet == b->other_packet &&
         same_packet(&a->first, &b->first) && same_packet(&a->last, &b->last) &&
         same_value(&a->expected, &b->expected) && same_value(&a->observed, &b->observed);
}

static void panel_says(panel *p, const char *how, uint16_t rule, const char *what, uint16_t about) {
  if (p->wrong[0] == '\0') {
    snprintf(p->wrong, sizeof p->wrong, "%s %s: %s of %s", how, iwarp_rule_get(rule)->slug, what,
             iwarp_rule_get(about)->slug);
  }
}

/* Takes the findings of a seat. They equal the findings of `all`, in their order, for the rules of
 * the seat: `rule` alone, or all others. */
static void panel_take(panel *p, panel_seat *s, bool alone, uint16_t rule) {
  const char *how = alone ? "only" : "without";
  iwarp_finding f;
  for (size_t i = 0; i < p->num_found; i++) {
    const iwarp_finding *due = &p->found[i];
    if ((due->rule == rule) != alone) {
      continue;
    }
    if (iwarp_rules_next(s->rules, &f) != IWARP_OK) {
      panel_says(p, how, rule, "no finding", due->rule);
    } else if (!panel_same(&f, due)) {
      panel_says(p, how, rule, "another finding", f.rule);
    } else if (alone && f.cause != NULL) {
      panel_says(p, how, rule, "a cause", f.rule);
    }
  }
  while (iwarp_rules_next(s->rules, &f) == IWARP_OK) {
    panel_says(p, how, rule, "one more finding", f.rule);
  }
}

static void panel_compare(panel *p) {
  p->num_found = 0;
  while (p->num_found < PANEL_FINDINGS &&
         iwarp_rules_next(p->all.rules, &p->found[p->num_found]) == IWARP_OK) {
    p->num_found++;
  }
  p->findings += p->num_found;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    panel_take(p, &p->alone[id], true, id);
    panel_take(p, &p->without[id], false, id);
  }
}

static void panel_judge(iwarp_rules *rules, const iwarp_observer_info *info, const iwarp_event *ev,
                        const iwarp_sctp_certainty *certainty) {
  if (ev->sctp != NULL) {
    iwarp_rules_sctp_event(rules, info, ev, certainty);
  } else {
    iwarp_rules_event(rules, info, ev);
  }
}

void panel_event(panel *p, const iwarp_observer_info *info, const iwarp_event *ev,
                 const iwarp_sctp_certainty *certainty) {
  panel_judge(p->all.rules, info, ev, certainty);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    panel_judge(p->alone[id].rules, info, ev, certainty);
    panel_judge(p->without[id].rules, info, ev, certainty);
  }
  panel_compare(p);
}

static bool same_result(const iwarp_rule_result *a, const iwarp_rule_result *b) {
  return a->verdict == b->verdict && a->reason == b->reason && a->num_pass == b->num_pass &&
         a->num_fail == b->num_fail && a->num_inconclusive == b->num_inconclusive;
}

/* What each rule met: nothing where it is disabled. */
static void panel_results(panel *p, const panel_seat *s, bool alone, uint16_t rule) {
  static const iwarp_rule_result none = {.verdict = IWARP_VERDICT_DISABLED};
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result due =
        (id == rule) == alone ? iwarp_rules_result(p->all.rules, id) : none;
    const iwarp_rule_result is = iwarp_rules_result(s->rules, id);
    if (!same_result(&is, &due)) {
      panel_says(p, alone ? "only" : "without", rule, "another result", id);
    }
  }
}

/* A rule that keeps others from judging reports the cause: it failed, or it is inconclusive. */
static void panel_explained(panel *p) {
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result r = iwarp_rules_result(p->all.rules, id);
    if (rulesi_explained(p->all.rules, id) && r.num_fail + r.num_inconclusive == 0) {
      panel_says(p, "explained by", id, "no finding", id);
    }
  }
  if (rulesi_unexplained(p->all.rules) && p->wrong[0] == '\0') {
    snprintf(p->wrong, sizeof p->wrong, "a rule is silent without a reason or another rule");
  }
}

static void seat_finish(panel_seat *s, const iwarp_observer_info *info, bool limited) {
  if (limited) {
    iwarp_rules_limit(s->rules);
  }
  iwarp_rules_finish(s->rules, info);
}

void panel_finish(panel *p, const iwarp_observer_info *info, bool limited) {
  seat_finish(&p->all, info, limited);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    seat_finish(&p->alone[id], info, limited);
    seat_finish(&p->without[id], info, limited);
  }
  panel_compare(p);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    panel_results(p, &p->alone[id], true, id);
    panel_results(p, &p->without[id], false, id);
  }
  panel_explained(p);
}
