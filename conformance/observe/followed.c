/* SPDX-License-Identifier: BSD-2-Clause */
/* Judges a connection that is followed and hands out what comes of it. */
#define _POSIX_C_SOURCE 200809L

#include "followed.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "pages.h"
#include "tally.h"

/* ---- making ---- */

static void followed_addr(char out[OBSERVE_ADDR_CAP], const ingest_addr *addr) {
  char ip[INET6_ADDRSTRLEN] = "";
  inet_ntop(addr->family == 6 ? AF_INET6 : AF_INET, addr->ip, ip, sizeof ip);
  snprintf(out, OBSERVE_ADDR_CAP, addr->family == 6 ? "[%s]:%u" : "%s:%u", ip,
           (unsigned int)addr->port);
}

static bool followed_make_rules(const observe *obs, followed *c) {
  c->rules_memory = obs_pages_get(iwarp_rules_size());
  if (c->rules_memory == NULL ||
      iwarp_rules_init(&c->rules, c->rules_memory, iwarp_rules_size()) != IWARP_OK) {
    return false;
  }
  for (uint16_t id = 0; obs->cfg.disabled != NULL && id < iwarp_rule_count(); id++) {
    if (obs->cfg.disabled[id]) {
      iwarp_rules_disable(c->rules, id);
    }
  }
  c->conn.rules = c->rules;
  return true;
}

followed *obs_followed_make(observe *obs, const ingest_addr addr[2],
                            const iwarp_observer_info *info) {
  followed *c = calloc(1, sizeof *c);
  if (c == NULL || (obs->hooks.finding != NULL && !followed_make_rules(obs, c))) {
    if (c != NULL) {
      obs_followed_release(obs, c);
    }
    return NULL;
  }
  c->conn.file = obs->file;
  c->conn.info = info;
  followed_addr(c->conn.addr[0], &addr[0]);
  followed_addr(c->conn.addr[1], &addr[1]);
  return c;
}

void obs_followed_release(observe *obs, followed *c) {
  obs_pages_free(c->engine_memory, iwarp_observer_size());
  obs_pages_free(c->rules_memory, iwarp_rules_size());
  obs->budget->engines -= c->charged;
  free(c);
}

void obs_followed_charge(observe *obs, followed *c) {
  const size_t now = observe_budget_cost(sizeof *c) +
                     (c->engine != NULL ? iwarp_observer_touched(c->engine) : 0) +
                     (c->rules != NULL ? iwarp_rules_touched(c->rules) : 0);
  obs->budget->engines += now - c->charged;
  c->charged = now;
}

/* ---- results ---- */

void obs_followed_number(observe *obs, followed *c) {
  if (!c->conn.numbered) {
    c->conn.numbered = true;
    c->conn.number = obs->num_numbered++;
  }
}

static void followed_findings(observe *obs, followed *c, const iwarp_event *ev) {
  iwarp_finding finding;
  while (iwarp_rules_next(c->rules, &finding) == IWARP_OK) {
    obs_followed_number(obs, c);
    c->conn.tally.findings[iwarp_rule_get(finding.rule)->severity]++;
    obs->hooks.finding(obs->hooks.ctx, &c->conn, &finding, ev);
  }
}

void obs_followed_result(observe *obs, followed *c, const iwarp_event *ev) {
  if (ev->kind != IWARP_EVENT_STREAMING && ev->kind != IWARP_EVENT_END) {
    obs_followed_number(obs, c);
  }
  obs_tally_event(&c->conn.tally, ev);
  obs_tally_undecodable(&c->conn, ev);
  if (obs->hooks.event != NULL) {
    obs->hooks.event(obs->hooks.ctx, &c->conn, ev);
  }
  if (c->rules != NULL) {
    iwarp_rules_event(c->rules, c->conn.info, ev);
    followed_findings(obs, c, ev);
  }
  obs_followed_charge(obs, c);
}

/* ---- the end ---- */

void obs_followed_limit(followed *c, const char *name) {
  if (c->conn.given_up == NULL) {
    c->conn.given_up = name;
  }
  if (c->rules != NULL) {
    iwarp_rules_limit(c->rules);
  }
}

/* Rules that ran out of room are a limit too, although the connection was followed to its end. */
static bool followed_rules_limited(const iwarp_rules *rules) {
  uint32_t why = 0;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    why |= iwarp_rules_result(rules, id).why;
  }
  return (why & IWARP_WHY_LIMIT) != 0;
}

void obs_followed_finish(observe *obs, followed *c) {
  if (c->rules != NULL) {
    iwarp_rules_finish(c->rules, c->conn.info);
    followed_findings(obs, c, NULL);
    if (c->conn.given_up == NULL && followed_rules_limited(c->rules)) {
      c->conn.given_up = "rule-state";
    }
  }
  if (c->conn.numbered && obs->hooks.closed != NULL) {
    obs->hooks.closed(obs->hooks.ctx, &c->conn);
  } else if (c->conn.given_up != NULL) {
    obs_limit(obs, c->conn.given_up, 1);
  }
}
