/* SPDX-License-Identifier: BSD-2-Clause */
/* The engine: hands each event to the rules that listen and keeps what they say. */
#include <stdalign.h>
#include <string.h>

#include "catalog.h"
#include "tracker.h"
#include "verdict.h"

#define ENGINE_KINDS ((unsigned)IWARP_EVENT_SCTP_SEGMENT + 1u)
#define ENGINE_TRANSPORTS 2u /* TCP, SCTP */

/* The enabled rules that listen to one kind of event, in the order of the catalogue. */
struct engine_listeners {
  uint16_t num;
  uint16_t rule[RULES_COUNT];
};

struct iwarp_rules {
  bool disabled[RULES_COUNT];
  bool limited; /* a limit of the caller cost this connection events */
  struct engine_listeners listeners[ENGINE_TRANSPORTS][ENGINE_KINDS];
  iwarp_rule_result results[RULES_COUNT];
  struct rules_findings found;
  struct rules_tracker track;
  /* From here on nothing is written before it is needed. */
  iwarp_finding findings[RULES_COUNT];
  struct rules_tables tables;
};

_Static_assert(sizeof(struct iwarp_rules) <= IWARP_RULES_SIZE, "IWARP_RULES_SIZE is too small");

size_t iwarp_rules_size(void) {
  return sizeof(struct iwarp_rules);
}

/* Whether a rule is one of this transport: 0 TCP, 1 SCTP. */
static bool engine_concerns(uint16_t id, unsigned transport) {
  return (rulesi_rows[id].transports & 1u << transport) != 0;
}

static void engine_list_kind(iwarp_rules *rules, unsigned transport, unsigned kind) {
  struct engine_listeners *l = &rules->listeners[transport][kind];
  l->num = 0;
  for (uint16_t id = 0; id < RULES_COUNT; id++) {
    if ((rulesi_rows[id].events & 1u << kind) != 0 && !rules->disabled[id] &&
        engine_concerns(id, transport)) {
      l->rule[l->num] = id;
      l->num++;
    }
  }
}

static void engine_list(iwarp_rules *rules) {
  for (unsigned transport = 0; transport < ENGINE_TRANSPORTS; transport++) {
    for (unsigned kind = 0; kind < ENGINE_KINDS; kind++) {
      engine_list_kind(rules, transport, kind);
    }
  }
}

iwarp_err iwarp_rules_init(iwarp_rules **out, void *mem, size_t mem_len) {
  if (out == NULL || mem == NULL || (uintptr_t)mem % alignof(max_align_t) != 0) {
    return IWARP_ERR_ARG;
  }
  if (mem_len < sizeof(struct iwarp_rules)) {
    return IWARP_ERR_NOBUF;
  }
  iwarp_rules *rules = mem;
  memset(rules, 0, offsetof(struct iwarp_rules, findings));
  rules->found.entry = rules->findings;
  engine_list(rules);
  rulesi_tracker_init(&rules->track, &rules->tables);
  *out = rules;
  return IWARP_OK;
}

/* The pages that `len` octets at `from` lie in, in octets. */
static size_t engine_pages(size_t from, size_t len) {
  const size_t page = IWARP_TOUCHED_PAGE;
  return len == 0 ? 0 : ((from + len - 1) / page - from / page + 1) * page;
}

size_t iwarp_rules_touched(const iwarp_rules *rules) {
  const size_t tables = offsetof(struct iwarp_rules, tables);
  size_t n = engine_pages(0, offsetof(struct iwarp_rules, findings)) +
             engine_pages(offsetof(struct iwarp_rules, findings),
                          rules->found.touched * sizeof(rules->findings[0]));
  for (size_t i = 0; i < 2; i++) {
    const struct rules_side *s = &rules->track.side[i];
    const size_t headers = s->num_headers < RULES_HEADERS ? s->num_headers : RULES_HEADERS;
    n += engine_pages(tables + i * sizeof(rules->tables.queue[0]),
                      s->requests.touched * sizeof(struct rules_request));
    n += engine_pages(tables + offsetof(struct rules_tables, headers) +
                          i * sizeof(rules->tables.headers[0]),
                      headers * sizeof(struct rules_header));
  }
  return n;
}

iwarp_err iwarp_rules_disable(iwarp_rules *rules, uint16_t id) {
  if (id >= RULES_COUNT) {
    return IWARP_ERR_ARG;
  }
  rules->disabled[id] = true;
  engine_list(rules);
  return IWARP_OK;
}

static void engine_ask_all(const iwarp_rules *rules, struct rules_ctx *j) {
  const struct engine_listeners *l = &rules->listeners[j->info->sctp ? 1 : 0][j->ev->kind];
  for (uint16_t i = 0; i < l->num; i++) {
    j->rule = l->rule[i];
    rulesi_rows[j->rule].judge(j);
  }
}

/* A startup frame of damaged octets: the receiver may have taken another copy, which is lost. */
static void engine_doubt_all(const iwarp_rules *rules, struct rules_ctx *j) {
  const struct engine_listeners *l = &rules->listeners[j->info->sctp ? 1 : 0][j->ev->kind];
  for (uint16_t i = 0; i < l->num; i++) {
    j->rule = l->rule[i];
    rulesi_inconclusive(j, IWARP_WHY_GAP);
  }
}

static void engine_clear(iwarp_rules *rules) {
  rules->found.num = 0;
  rules->found.next = 0;
}

static void engine_event(iwarp_rules *rules, const iwarp_observer_info *info,
                         const iwarp_event *ev) {
  struct rules_ctx j = {.findings = &rules->found,
                        .track = &rules->track,
                        .info = info,
                        .ev = ev,
                        .results = rules->results};
  rulesi_tracker_classify(&j);
  if ((ev->kind == IWARP_EVENT_STARTUP || ev->kind == IWARP_EVENT_SCTP_MESSAGE) &&
      ev->last.damaged) {
    engine_doubt_all(rules, &j);
  } else {
    engine_ask_all(rules, &j);
  }
  rulesi_tracker_update(&j);
}

void iwarp_rules_event(iwarp_rules *rules, const iwarp_observer_info *info, const iwarp_event *ev) {
  engine_clear(rules);
  engine_event(rules, info, ev);
}

void iwarp_rules_limit(iwarp_rules *rules) {
  rules->limited = true;
}

static iwarp_verdict engine_verdict(const iwarp_rules *rules, uint16_t id) {
  const iwarp_rule_result *r = &rules->results[id];
  if (rules->disabled[id]) {
    return IWARP_VERDICT_DISABLED;
  }
  if (r->num_fail > 0) {
    return IWARP_VERDICT_FAIL;
  }
  if (r->num_inconclusive > 0) {
    return IWARP_VERDICT_INCONCLUSIVE;
  }
  return r->num_pass > 0 ? IWARP_VERDICT_PASS : IWARP_VERDICT_NOT_SEEN;
}

/* Whatever was not decided might have been by the events that the limit cost. */
static void engine_limit_undecided(iwarp_rules *rules, const iwarp_observer_info *info) {
  for (uint16_t id = 0; id < RULES_COUNT; id++) {
    const iwarp_verdict verdict = engine_verdict(rules, id);
    if ((verdict == IWARP_VERDICT_NOT_SEEN || verdict == IWARP_VERDICT_INCONCLUSIVE) &&
        engine_concerns(id, info->sctp ? 1 : 0)) {
      rules->results[id].num_inconclusive++;
      rules->results[id].why |= IWARP_WHY_LIMIT;
    }
  }
}

/* A stream whose end was never told is one that the capture does not show to its end. */
void iwarp_rules_finish(iwarp_rules *rules, const iwarp_observer_info *info) {
  engine_clear(rules);
  for (uint8_t side = 0; side < 2; side++) {
    const iwarp_event end = {.kind = IWARP_EVENT_END, .side = side, .u.end = IWARP_END_CAPTURE};
    const struct rules_side *s = &rules->track.side[side];
    if (s->pd_short || s->pd_waits || s->reply_pending || s->first_pending) {
      engine_event(rules, info, &end);
    }
  }
  if (rules->limited) {
    rules->limited = false;
    engine_limit_undecided(rules, info);
  }
}

iwarp_err iwarp_rules_next(iwarp_rules *rules, iwarp_finding *out) {
  if (rules->found.next == rules->found.num) {
    return IWARP_ERR_END;
  }
  *out = rules->findings[rules->found.next];
  rules->found.next++;
  return IWARP_OK;
}

iwarp_rule_result iwarp_rules_result(const iwarp_rules *rules, uint16_t id) {
  iwarp_rule_result result = {.verdict = IWARP_VERDICT_NOT_SEEN};
  if (id < RULES_COUNT) {
    result = rules->results[id];
    result.verdict = engine_verdict(rules, id);
  }
  return result;
}
