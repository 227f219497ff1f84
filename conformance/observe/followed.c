/* SPDX-License-Identifier: BSD-2-Clause */
/* Judges a connection that is followed and hands out the results. */
#define _POSIX_C_SOURCE 200809L

#include "followed.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "keep_facts.h"
#include "tally.h"

/* ---- making ---- */

void obs_addr_text(char out[OBSERVE_ADDR_CAP], const ingest_addr *addr) {
  char ip[INET6_ADDRSTRLEN] = "";
  inet_ntop(addr->family == 6 ? AF_INET6 : AF_INET, addr->ip, ip, sizeof ip);
  snprintf(out, OBSERVE_ADDR_CAP, addr->family == 6 ? "[%s]:%u" : "%s:%u", ip,
           (unsigned int)addr->port);
}

observe_copy obs_copy_of(ingest_copy copy) {
  switch (copy) {
  case INGEST_COPY_FIRST: return OBSERVE_COPY_FIRST;
  case INGEST_COPY_SECOND: return OBSERVE_COPY_SECOND;
  case INGEST_COPY_UNKNOWN: break;
  }
  return OBSERVE_COPY_UNKNOWN;
}

bool obs_followed_make_rules(observe *obs, followed *c) {
  const size_t size = iwarp_rules_size(&obs->pool);
  c->rules_memory = obs_memory_get(obs, size);
  if (c->rules_memory == NULL ||
      iwarp_rules_init(&c->rules, c->rules_memory, size, &obs->pool) != IWARP_OK) {
    return false;
  }
  if (obs->hooks.link != NULL && iwarp_rules_follow_links(c->rules) != IWARP_OK) {
    return false;
  }
  for (uint16_t id = 0; obs->cfg.disabled != NULL && id < iwarp_rule_count(); id++) {
    if (obs->cfg.disabled[id]) {
      iwarp_rules_disable(c->rules, id);
    }
  }
  return true;
}

followed *obs_followed_make(observe *obs, const ingest_addr addr[2],
                            const iwarp_observer_info *info) {
  followed *c = obs_memory_get(obs, sizeof *c);
  if (c != NULL && !obs->cfg.unexplained) {
    c->facts = obs_memory_get(obs, sizeof *c->facts);
  }
  if (c == NULL || (c->facts == NULL && !obs->cfg.unexplained) ||
      (obs->hooks.finding != NULL && !obs_followed_make_rules(obs, c))) {
    if (c != NULL) {
      obs_followed_release(obs, c);
    }
    return NULL;
  }
  c->conn.file = obs->file;
  c->conn.parts = obs->cfg.parts;
  c->conn.info = info;
  obs_addr_text(c->conn.addr[0], &addr[0]);
  obs_addr_text(c->conn.addr[1], &addr[1]);
  return c;
}

void obs_followed_release(observe *obs, followed *c) {
  if (c->engine != NULL) {
    iwarp_observer_release(c->engine);
  }
  if (c->rules != NULL) {
    iwarp_rules_release(c->rules);
  }
  obs_memory_put(obs, c->engine_memory, c->engine_size);
  obs_memory_put(obs, c->rules_memory, iwarp_rules_size(&obs->pool));
  obs_memory_put(obs, c->facts, sizeof *c->facts);
  obs_ending_free(obs, &c->ending);
  obs_memory_put(obs, c, sizeof *c);
}

/* ---- results ---- */

OBS_RARE static void followed_give_number(observe *obs, followed *c, uint64_t packet) {
  c->conn.packet = packet;
  c->conn.numbered = true;
  c->conn.number = obs->num_numbered++;
  obs->work += OBS_WORK_CONNECTION;
  if (obs->hooks.numbered != NULL) {
    obs->hooks.numbered(obs->hooks.ctx, &c->conn);
  }
}

void obs_followed_number(observe *obs, followed *c, uint64_t packet) {
  if (!c->conn.numbered) {
    followed_give_number(obs, c, packet);
  }
}

static void followed_findings(observe *obs, followed *c, const iwarp_event *ev) {
  iwarp_finding finding;
  while (iwarp_rules_next(c->rules, &finding) == IWARP_OK) {
    obs_followed_number(obs, c, finding.last.packet);
    *(iwarp_finding_suspected(&finding)
          ? &c->conn.tally.suspected
          : &c->conn.tally.findings[iwarp_rule_get(finding.rule)->severity]) += 1;
    if (c->facts != NULL) {
      obs_facts_finding(c->facts, &finding);
    }
    obs->hooks.finding(obs->hooks.ctx, &c->conn, &finding, ev);
    c->conn.finding++;
    obs->work += OBS_WORK_FINDING;
  }
}

static void followed_link(observe *obs, followed *c, const iwarp_event *ev) {
  const bool segment = ev->kind == IWARP_EVENT_FPDU || ev->kind == IWARP_EVENT_SCTP_SEGMENT;
  if (obs->hooks.link != NULL && segment) {
    const iwarp_link link = iwarp_rules_link(c->rules);
    obs->hooks.link(obs->hooks.ctx, &c->conn, ev, &link);
  }
}

static void followed_judge(followed *c, const iwarp_event *ev) {
  if (ev->sctp != NULL) {
    iwarp_rules_sctp_event(c->rules, c->conn.info, ev, c->conn.certainty);
  } else {
    iwarp_rules_event(c->rules, c->conn.info, ev);
  }
}

void obs_followed_searched(observe *obs, followed *c, uint8_t side, uint64_t len) {
  c->searched[side] += len;
  obs->work += len / OBS_WORK_SEARCHED;
}

/* Counts an event, and the octets of it that were not counted when they came. */
static void followed_work(observe *obs, followed *c, const iwarp_event *ev) {
  obs->work += 1 + (obs->hooks.event != NULL ? OBS_WORK_SHOWN : 0);
  if (ev->kind == IWARP_EVENT_UNDECODABLE) {
    const uint64_t before = c->searched[ev->side];
    c->searched[ev->side] = 0;
    obs->work += (ev->len > before ? ev->len - before : 0) / OBS_WORK_SEARCHED;
  }
}

void obs_followed_result(observe *obs, followed *c, const iwarp_event *ev) {
  if (ev->kind != IWARP_EVENT_STREAMING && ev->kind != IWARP_EVENT_END) {
    obs_followed_number(obs, c, ev->last.packet);
  }
  followed_work(obs, c, ev);
  obs_tally_event(&c->conn.tally, ev);
  obs_tally_undecodable(&c->conn, ev);
  obs_ending_event(obs, &c->ending, &c->conn, ev);
  if (c->facts != NULL) {
    obs_facts_event(c->facts, ev);
  }
  if (obs->hooks.event != NULL) {
    obs->hooks.event(obs->hooks.ctx, &c->conn, ev);
  }
  if (c->rules != NULL) {
    followed_judge(c, ev);
    followed_link(obs, c, ev);
    followed_findings(obs, c, ev);
  }
}

void obs_followed_fpdu(observe *obs, followed *c, const iwarp_observer_fpdu *restrict f,
                       unsigned expected) {
  obs->work++;
  obs_tally_fpdu(&c->conn.tally, f);
  if (c->facts != NULL) {
    obs_ending_fpdu(obs, &c->ending, f);
    obs_facts_fpdu(c->facts, f, c->conn.info->crc == IWARP_TRISTATE_ON);
  }
  iwarp_link link = {.kind = IWARP_LINK_NONE};
  if (c->rules != NULL) {
    iwarp_rules_fpdu(c->rules, f, expected);
    link = iwarp_rules_link(c->rules);
  }
  if (obs->hooks.fpdu != NULL) {
    obs->hooks.fpdu(obs->hooks.ctx, &c->conn, f, &link);
  }
}

void obs_followed_copy(observe *obs, followed *c, const iwarp_event *second) {
  iwarp_rules_copy(c->rules, c->conn.info, second);
  followed_findings(obs, c, second);
}

/* ---- the end ---- */

void obs_followed_limit(followed *c, const char *name) {
  c->ending.given_up = true;
  obs_followed_cost(c, name);
}

void obs_followed_cost(followed *c, const char *name) {
  if (c->conn.given_up == NULL) {
    c->conn.given_up = name;
  }
  if (c->rules != NULL) {
    iwarp_rules_limit(c->rules);
  }
}

/* Takes down what each rule met. Rules that ran out of room are a limit too, although the
 * connection was followed to its end. */
static void followed_results(observe *obs, followed *c) {
  uint32_t reason = 0;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    obs->results[id] = iwarp_rules_result(c->rules, id);
    reason |= obs->results[id].reason;
  }
  c->conn.results = obs->results;
  if (c->conn.given_up == NULL && (reason & IWARP_REASON_LIMIT) != 0) {
    c->conn.given_up = "rule-state";
  }
}

/* Returns true if more than the port shows iWARP. Over SCTP, INIT and INIT ACK are enough, and so
 * is an answer whose Initiate was not captured. */
static bool followed_proven(const followed *c) {
  const observe_conn *conn = &c->conn;
  return c->negotiated || conn->info->side[0].has_startup || conn->info->side[1].has_startup ||
         conn->tally.fpdus[0] + conn->tally.fpdus[1] > 0 || c->ending.accepted ||
         c->ending.reject.packet != 0;
}

void obs_followed_finish(observe *obs, followed *c) {
  if (c->rules != NULL) {
    iwarp_rules_finish(c->rules, c->conn.info);
    followed_findings(obs, c, NULL);
    followed_results(obs, c);
  }
  obs_ending_decide(&c->ending, &c->conn);
  if (c->facts != NULL) {
    c->conn.at_end = obs_facts_end(c->facts, &c->ending.ends, c->conn.info->sctp, obs->end_ns);
  }
  memcpy(c->conn.at_end.unacknowledged, c->unacknowledged, sizeof c->unacknowledged);
  c->conn.facts = c->facts;
  c->conn.proven = followed_proven(c);
  obs->found.iwarp += c->conn.proven ? 1u : 0u;
  if (c->conn.numbered && obs->hooks.closed != NULL) {
    obs->hooks.closed(obs->hooks.ctx, &c->conn);
  } else if (c->conn.given_up != NULL) {
    obs_limit(obs, c->conn.given_up, 1);
  }
}
