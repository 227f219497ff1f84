/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the iWARP connections among the TCP connections and drives their engines. */
#define _POSIX_C_SOURCE 200809L

#include "session.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "early.h"
#include "opts.h"
#include "sctp.h"

/* Octets of a direction that the capture does not hold. */
typedef struct flow_gap {
  uint64_t pos;
  uint64_t len;
  iwarp_gap_reason reason;
  iwarp_meta meta;
} flow_gap;

/* One direction of a TCP connection. */
typedef struct flow_side {
  iwarp_scan scan;
  bool seen;    /* data or a gap was delivered */
  bool started; /* iwarp_conn_start was called */
  bool ended;
  iwarp_end how;
  bool start_known;
  uint64_t start;
  uint64_t next;      /* position behind the last octet delivered */
  uint64_t streaming; /* octets before the startup frame */
  iwarp_meta last;    /* of the last data */
  flow_gap gap;       /* the last one */
  early *early;
  bool early_lost; /* it was not kept, for want of room */
} flow_side;

/* A TCP connection: scanned until a startup key is found, then decoded. */
typedef struct session_flow {
  ingest_addr addr[2];
  flow_side side[2];
  session_conn *conn;
  bool join_due;     /* one side was found to be iWARP, the other has not joined yet: */
  uint8_t join_side; /* this one */
  const char *limit; /* cost it octets before it was known to be iWARP, or NULL */
} session_flow;

session *session_new(const session_cfg *cfg, const session_hooks *hooks) {
  session *s = calloc(1, sizeof *s);
  if (s != NULL) {
    s->cfg = *cfg;
    s->hooks = *hooks;
    s->own_budget.limit = SIZE_MAX;
    s->budget = cfg->budget != NULL ? cfg->budget : &s->own_budget;
  }
  return s;
}

void session_file(session *s, const char *name) {
  s->file = name;
  s->num_numbered = 0;
}

uint64_t session_connections(const session *s) {
  return s->num_numbered;
}

bool session_failed(const session *s) {
  return s->failed;
}

void session_free(session *s) {
  free(s);
}

/* ---- the list of open connections, the last one heard of first ---- */

static void session_unlink(session *s, session_conn *c) {
  *(c->newer != NULL ? &c->newer->older : &s->newest) = c->older;
  *(c->older != NULL ? &c->older->newer : &s->oldest) = c->newer;
}

static void session_link(session *s, session_conn *c) {
  c->newer = NULL;
  c->older = s->newest;
  *(s->newest != NULL ? &s->newest->newer : &s->oldest) = c;
  s->newest = c;
}

static void session_touch(session *s, session_conn *c) {
  if (s->newest != c) {
    session_unlink(s, c);
    session_link(s, c);
  }
}

/* ---- results ---- */

void session_number(session *s, session_conn *c) {
  if (!c->numbered) {
    c->numbered = true;
    c->report.number = s->num_numbered++;
  }
}

void session_findings(session *s, session_conn *c, const iwarp_event *ev) {
  iwarp_finding finding;
  while (iwarp_rules_next(c->rules, &finding) == IWARP_OK) {
    session_number(s, c);
    c->report.tally.findings[iwarp_rule_get(finding.rule)->severity]++;
    s->hooks.finding(s->hooks.ctx, c, &finding, ev);
  }
}

void session_result(session *s, session_conn *c, const iwarp_event *ev) {
  if (ev->kind != IWARP_EVENT_STREAMING && ev->kind != IWARP_EVENT_END) {
    session_number(s, c);
  }
  report_tally_event(&c->report.tally, ev);
  report_conn_undecodable(&c->report, ev);
  if (s->hooks.event != NULL) {
    s->hooks.event(s->hooks.ctx, c, ev);
  }
  if (c->rules != NULL) {
    iwarp_rules_event(c->rules, c->report.info, ev);
    session_findings(s, c, ev);
  }
  session_charge(s, c);
}

static void session_drain(session *s, session_conn *c) {
  iwarp_event ev;
  while (iwarp_conn_next(c->conn, &ev) == IWARP_OK) {
    session_result(s, c, &ev);
  }
}

/* What an engine returns for input that follows its own rules is OK; anything else is a defect of
 * ours. */
static void session_fed(session *s, session_conn *c, iwarp_err err) {
  if (err != IWARP_OK) {
    s->failed = true;
    return;
  }
  session_drain(s, c);
  session_charge(s, c);
}

/* ---- limits ---- */

static void session_give_up_oldest(session *s, ingest_limit limit);

void session_charge(session *s, session_conn *c) {
  const size_t now = budget_cost(sizeof *c) + (c->conn != NULL ? iwarp_conn_touched(c->conn) : 0) +
                     (c->rules != NULL ? iwarp_rules_touched(c->rules) : 0);
  c->budget = s->budget;
  c->budget->engines += now - c->charged;
  c->charged = now;
}

static bool session_over(const session *s) {
  const size_t streams = s->sctp.num * budget_cost(iwarp_sctp_size(SCTP_WINDOW));
  return budget_over(s->budget, s->early_used + s->sctp.held + streams);
}

bool session_give_up(session *s) {
  if (s->oldest == NULL) {
    return sctp_give_up(s);
  }
  session_give_up_oldest(s, INGEST_LIMIT_MEMORY);
  return true;
}

void session_fit(session *s) {
  while (session_over(s)) {
    if (s->oldest != s->newest) {
      session_give_up_oldest(s, INGEST_LIMIT_MEMORY);
    } else if (s->sctp.num <= 1 || !sctp_give_up(s)) {
      break; /* the one that has just spoken stays */
    }
  }
}

void session_conn_limit(session_conn *c, const char *name) {
  if (c->report.given_up == NULL) {
    c->report.given_up = name;
  }
  if (c->rules != NULL) {
    iwarp_rules_limit(c->rules);
  }
}

void session_limit(session *s, const char *name, uint64_t n) {
  if (n > 0 && s->hooks.limit != NULL) {
    s->hooks.limit(s->hooks.ctx, name, n);
  }
}

/* What a flow lost to a limit is the loss of its connection, if it has one. */
static void session_flow_limit(session_flow *f, ingest_limit limit) {
  const char *name = ingest_limit_name(limit);
  if (name != NULL && f->conn != NULL) {
    session_conn_limit(f->conn, name);
  } else if (name != NULL && f->limit == NULL) {
    f->limit = name;
  }
}

/* Rules that ran out of room are a limit too, although the connection was followed to its end. */
static bool session_rules_limited(const iwarp_rules *rules) {
  uint32_t why = 0;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    why |= iwarp_rules_result(rules, id).why;
  }
  return (why & IWARP_WHY_LIMIT) != 0;
}

void session_judge_end(session *s, session_conn *c) {
  if (c->rules != NULL) {
    iwarp_rules_finish(c->rules, c->report.info);
    session_findings(s, c, NULL);
    if (c->report.given_up == NULL && session_rules_limited(c->rules)) {
      c->report.given_up = "rule-state";
    }
  }
  if (c->numbered && s->hooks.closed != NULL) {
    s->hooks.closed(s->hooks.ctx, c);
  } else if (c->report.given_up != NULL) {
    session_limit(s, c->report.given_up, 1);
  }
}

/* ---- connections ---- */

void session_addr(char out[REPORT_ADDR_CAP], const ingest_addr *addr) {
  char ip[INET6_ADDRSTRLEN] = "";
  inet_ntop(addr->family == 6 ? AF_INET6 : AF_INET, addr->ip, ip, sizeof ip);
  snprintf(out, REPORT_ADDR_CAP, addr->family == 6 ? "[%s]:%u" : "%s:%u", ip,
           (unsigned int)addr->port);
}

void session_conn_release(session_conn *c) {
  budget_pages_free(c->memory[0], iwarp_conn_size());
  budget_pages_free(c->memory[1], iwarp_rules_size());
  if (c->budget != NULL) {
    c->budget->engines -= c->charged;
  }
  free(c);
}

bool session_rules_make(session *s, session_conn *c) {
  c->memory[1] = budget_pages(iwarp_rules_size());
  if (c->memory[1] == NULL ||
      iwarp_rules_init(&c->rules, c->memory[1], iwarp_rules_size()) != IWARP_OK) {
    return false;
  }
  for (uint16_t id = 0; s->cfg.disabled != NULL && id < iwarp_rule_count(); id++) {
    if (s->cfg.disabled[id]) {
      iwarp_rules_disable(c->rules, id);
    }
  }
  c->report.rules = c->rules;
  return true;
}

static bool session_engines_make(session *s, session_conn *c, bool full_operation) {
  const iwarp_conn_cfg cfg = {.size = sizeof cfg,
                              .full_operation = full_operation,
                              .markers = s->cfg.markers,
                              .crc = s->cfg.crc};
  c->memory[0] = budget_pages(iwarp_conn_size());
  if (c->memory[0] == NULL ||
      iwarp_conn_init(&c->conn, c->memory[0], iwarp_conn_size(), &cfg) != IWARP_OK) {
    return false;
  }
  c->report.info = iwarp_conn_info_get(c->conn);
  return s->hooks.finding == NULL || session_rules_make(s, c);
}

static session_conn *session_conn_open(session *s, session_flow *f, bool full_operation) {
  if (s->num_open >= SESSION_CONNS_MAX) {
    session_give_up_oldest(s, INGEST_LIMIT_CONNECTIONS);
  }
  session_conn *c = calloc(1, sizeof *c);
  if (c == NULL || !session_engines_make(s, c, full_operation)) {
    s->failed = true;
    if (c != NULL) {
      session_conn_release(c);
    }
    return NULL;
  }
  c->report.file = s->file;
  session_addr(c->report.addr[0], &f->addr[0]);
  session_addr(c->report.addr[1], &f->addr[1]);
  for (uint8_t i = 0; i < 2; i++) {
    c->report.tally.streaming[i] = f->side[i].streaming;
  }
  if (f->limit != NULL) {
    session_conn_limit(c, f->limit);
    f->limit = NULL;
  }
  c->joined = full_operation;
  c->flow = f;
  f->conn = c;
  s->num_open++;
  session_link(s, c);
  session_charge(s, c);
  return c;
}

static void session_start_side(session *s, session_flow *f, uint8_t side, uint64_t pos) {
  flow_side *fs = &f->side[side];
  if (!fs->started) {
    fs->started = true;
    if (iwarp_conn_start(f->conn->conn, side, fs->start, fs->start_known, pos) != IWARP_OK) {
      s->failed = true;
    }
  }
}

static void session_push(session *s, session_conn *c, uint8_t side, iwarp_span in,
                         const iwarp_meta *meta) {
  if (in.len > 0) {
    session_fed(s, c, iwarp_conn_push(c->conn, side, in, meta));
  }
}

/* Ends a side in the engine, once. */
static void session_end_side(session *s, session_flow *f, uint8_t side, iwarp_end how,
                             const iwarp_meta *meta) {
  flow_side *fs = &f->side[side];
  session_start_side(s, f, side, fs->next);
  session_fed(s, f->conn, iwarp_conn_end(f->conn->conn, side, how, meta));
}

static void session_join(session *s, session_flow *f, bool now);

/* What the engine itself could not follow. */
static void session_engine_limits(session_conn *c) {
  static const struct {
    uint32_t bit;
    const char *name;
  } rows[] = {{IWARP_LIMIT_SEARCH, "search"},
              {IWARP_LIMIT_HOLES, "holes"},
              {IWARP_LIMIT_PACKETS, "packets"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if ((c->report.info->limits & rows[i].bit) != 0) {
      session_conn_limit(c, rows[i].name);
    }
  }
}

static void session_conn_close(session *s, session_flow *f) {
  session_conn *c = f->conn;
  const iwarp_meta meta = {
      .packet = c->packet, .time_ns = c->time_ns, .peer_pos = IWARP_POS_UNKNOWN};
  session_join(s, f, true);
  for (uint8_t side = 0; side < 2; side++) {
    if (!f->side[side].ended) {
      session_end_side(s, f, side, IWARP_END_CAPTURE, &meta);
    }
  }
  session_engine_limits(c);
  session_judge_end(s, c);
  session_unlink(s, c);
  s->num_open--;
  session_conn_release(c);
  f->conn = NULL;
}

/* The flow is scanned afresh after that: it may only be taken up again by another startup frame. */
static void session_give_up_oldest(session *s, ingest_limit limit) {
  session_flow *f = s->oldest->flow;
  session_conn_limit(f->conn, ingest_limit_name(limit));
  session_conn_close(s, f);
  for (uint8_t side = 0; side < 2; side++) {
    iwarp_scan_gap(&f->side[side].scan);
    f->side[side].started = false;
    f->side[side].streaming = 0;
  }
}

/* ---- finding iWARP ---- */

/*
 * The side on which no key was found joins with the octets that may still be the beginning of one,
 * and with the gap right before them: its startup frame may have been there.
 */
static void session_join_other(session *s, session_flow *f, uint8_t side) {
  flow_side *fs = &f->side[side];
  const iwarp_span held = iwarp_scan_held(&fs->scan);
  const uint64_t from = fs->next - held.len;
  if (!fs->seen) {
    return;
  }
  if (fs->gap.len > 0 && fs->gap.pos + fs->gap.len == from) {
    session_start_side(s, f, side, fs->gap.pos);
    session_fed(s, f->conn,
                iwarp_conn_gap(f->conn->conn, side, fs->gap.len, fs->gap.reason, &fs->gap.meta));
  }
  session_start_side(s, f, side, from);
  session_push(s, f->conn, side, held, &fs->last);
}

/* The beginning of the stream was not kept: it counts as octets that the capture does not hold. */
static void session_join_lost(session *s, session_flow *f, uint8_t side) {
  flow_side *fs = &f->side[side];
  const uint64_t from = fs->next - iwarp_scan_held(&fs->scan).len;
  if (!fs->early_lost || from == fs->start) {
    return;
  }
  session_conn_limit(f->conn, "early-data");
  session_start_side(s, f, side, fs->start);
  session_fed(s, f->conn,
              iwarp_conn_gap(f->conn->conn, side, from - fs->start, IWARP_GAP_LOST, &fs->last));
}

/*
 * A Reply came, and the octets that the other side began with hold no right key: they are a Request
 * with a wrong one, if anything.
 */
static bool session_join_early(session *s, session_flow *f, uint8_t side) {
  flow_side *fs = &f->side[side];
  const early *held = fs->early;
  if (f->conn->report.info->side[1 - side].key != IWARP_MPA_KEY_REPLY) {
    return false;
  }
  if (held == NULL) {
    session_join_lost(s, f, side);
    return false;
  }
  f->conn->report.tally.streaming[side] = 0;
  session_start_side(s, f, side, held->pos);
  const uint8_t *at = held->octets;
  for (uint32_t i = 0; i < held->num_pieces; i++) {
    session_push(s, f->conn, side, (iwarp_span){at, held->pieces[i].len}, &held->pieces[i].meta);
    at += held->pieces[i].len;
  }
  return true;
}

/*
 * Lets the other side join: when the frame that was found is whole, since it tells what the octets
 * before it were; or `now`, since something else comes.
 */
static void session_join(session *s, session_flow *f, bool now) {
  const uint8_t side = f->join_side;
  if (!f->join_due || (!now && (f->side[side].early != NULL || f->side[side].early_lost) &&
                       !f->conn->report.info->side[1 - side].has_startup)) {
    return;
  }
  f->join_due = false;
  if (!session_join_early(s, f, side)) {
    session_join_other(s, f, side);
  }
  early_drop(&f->side[0].early, &s->early_used);
  early_drop(&f->side[1].early, &s->early_used);
}

static void session_found(session *s, session_flow *f, uint8_t side, const iwarp_span parts[2],
                          uint64_t end, const iwarp_meta *meta) {
  flow_side *fs = &f->side[side];
  const iwarp_meta held_meta = fs->last;
  if (session_conn_open(s, f, false) == NULL) {
    return;
  }
  f->conn->packet = meta->packet;
  f->conn->time_ns = meta->time_ns;
  session_start_side(s, f, side, end - parts[0].len - parts[1].len);
  session_push(s, f->conn, side, parts[0], parts[1].len > 0 ? &held_meta : meta);
  session_push(s, f->conn, side, parts[1], meta);
  f->join_due = true;
  f->join_side = 1 - side;
  session_join(s, f, f->side[1 - side].ended);
  for (uint8_t i = 0; i < 2; i++) {
    if (f->side[i].ended) {
      session_end_side(s, f, i, f->side[i].how, meta);
    }
  }
}

/* Keeps the beginning of a stream as long as it may turn out to be a Request with a wrong key. */
static void session_keep_early(session *s, session_flow *f, const ingest_event *ev,
                               const iwarp_meta *meta) {
  flow_side *own = &f->side[ev->side];
  flow_side *peer = &f->side[1 - ev->side];
  const bool first = ev->start_known && ev->pos == ev->start;
  if (own->scan.num_held == 0) { /* this side has said something that is no key */
    early_drop(&peer->early, &s->early_used);
    peer->early_lost = false;
  }
  if (first ? !peer->seen || peer->scan.num_held > 0 : own->early != NULL) {
    early_add(&own->early, &s->early_used, ev->pos, (iwarp_span){ev->data, (size_t)ev->len}, meta);
    own->early_lost = own->early == NULL;
  }
}

static void session_scan(session *s, session_flow *f, const ingest_event *ev,
                         const iwarp_meta *meta) {
  flow_side *fs = &f->side[ev->side];
  const size_t held_before = fs->scan.num_held;
  iwarp_span parts[2] = {{0}};
  const iwarp_span in = {ev->data, (size_t)ev->len};
  if (iwarp_scan_push(&fs->scan, &parts[0], &parts[1], in)) {
    fs->streaming += held_before + in.len - parts[0].len - parts[1].len;
    session_found(s, f, ev->side, parts, ev->pos + ev->len, meta);
    return;
  }
  fs->streaming += held_before + in.len - fs->scan.num_held;
  session_keep_early(s, f, ev, meta);
}

/* ---- events of ingest ---- */

static iwarp_meta session_meta(const ingest_event *ev) {
  return (iwarp_meta){.packet = ev->packet,
                      .time_ns = ev->time_ns,
                      .peer_pos = ev->peer_pos,
                      .segment_start = ev->segment_start,
                      .damaged = ev->damaged};
}

static void session_open(session *s, const ingest_event *ev) {
  session_flow *f = calloc(1, sizeof *f);
  *ev->user = f;
  if (f == NULL) {
    s->failed = true;
    return;
  }
  s->budget->engines += budget_cost(sizeof *f);
  memcpy(f->addr, ev->addr, sizeof f->addr);
  const bool wanted = s->cfg.ports != NULL && (opts_port_get(s->cfg.ports, f->addr[0].port) ||
                                               opts_port_get(s->cfg.ports, f->addr[1].port));
  if (wanted) {
    session_conn_open(s, f, true);
  }
}

static void session_see(session_flow *f, const ingest_event *ev) {
  flow_side *fs = &f->side[ev->side];
  if (!fs->seen) {
    fs->seen = true;
    fs->start_known = ev->start_known;
    fs->start = ev->start;
  }
}

static void session_data(session *s, session_flow *f, const ingest_event *ev) {
  flow_side *fs = &f->side[ev->side];
  const iwarp_meta meta = session_meta(ev);
  session_see(f, ev);
  if (f->conn != NULL) {
    if (f->conn->joined) {
      session_number(s, f->conn);
    }
    session_join(s, f, ev->side == f->join_side);
    session_start_side(s, f, ev->side, ev->pos);
    session_push(s, f->conn, ev->side, (iwarp_span){ev->data, (size_t)ev->len}, &meta);
    session_join(s, f, false);
  } else {
    session_scan(s, f, ev, &meta);
  }
  fs->last = meta;
  fs->next = ev->pos + ev->len;
}

static void session_gap(session *s, session_flow *f, const ingest_event *ev) {
  flow_side *fs = &f->side[ev->side];
  const flow_gap gap = {.pos = ev->pos,
                        .len = ev->len,
                        .reason = ev->snapped ? IWARP_GAP_SNAPLEN : IWARP_GAP_LOST,
                        .meta = session_meta(ev)};
  session_see(f, ev);
  session_flow_limit(f, ev->limit);
  if (f->conn != NULL) {
    session_join(s, f, true);
    session_start_side(s, f, ev->side, ev->pos);
    session_fed(s, f->conn,
                iwarp_conn_gap(f->conn->conn, ev->side, gap.len, gap.reason, &gap.meta));
  } else {
    fs->streaming += fs->scan.num_held;
    iwarp_scan_gap(&fs->scan);
    early_drop(&fs->early, &s->early_used);
    fs->early_lost = false;
  }
  fs->gap = gap;
  fs->next = ev->pos + ev->len;
}

static iwarp_end session_how(ingest_end end) {
  switch (end) {
  case INGEST_END_FIN: return IWARP_END_FIN;
  case INGEST_END_RST: return IWARP_END_RST;
  case INGEST_END_CAPTURE: break;
  }
  return IWARP_END_CAPTURE;
}

static void session_end(session *s, session_flow *f, const ingest_event *ev) {
  flow_side *fs = &f->side[ev->side];
  if (fs->ended) {
    return;
  }
  if (!fs->seen) {
    fs->next = ev->pos;
    fs->start = ev->start;
    fs->start_known = ev->start_known;
  }
  fs->ended = true;
  fs->how = session_how(ev->end);
  if (f->conn != NULL) {
    const iwarp_meta meta = session_meta(ev);
    session_join(s, f, true);
    session_end_side(s, f, ev->side, fs->how, &meta);
  }
}

static void session_close(session *s, session_flow *f, const ingest_event *ev) {
  session_flow_limit(f, ev->limit);
  if (f->conn != NULL) {
    session_conn_close(s, f);
  }
  if (f->limit != NULL) {
    session_limit(s, f->limit, 1);
  }
  early_drop(&f->side[0].early, &s->early_used);
  early_drop(&f->side[1].early, &s->early_used);
  s->budget->engines -= budget_cost(sizeof *f);
  free(f);
  *ev->user = NULL;
}

void session_event(session *s, const ingest_event *ev) {
  session_flow *f = *ev->user;
  if (ev->kind == INGEST_EVENT_OPEN) {
    session_open(s, ev);
    session_fit(s);
    return;
  }
  if (f == NULL) {
    return;
  }
  if (f->conn != NULL) {
    f->conn->packet = ev->packet;
    f->conn->time_ns = ev->time_ns;
    session_touch(s, f->conn);
  }
  switch (ev->kind) {
  case INGEST_EVENT_OPEN: break;
  case INGEST_EVENT_DATA: session_data(s, f, ev); break;
  case INGEST_EVENT_GAP: session_gap(s, f, ev); break;
  case INGEST_EVENT_END: session_end(s, f, ev); break;
  case INGEST_EVENT_CLOSE: session_close(s, f, ev); break;
  }
  session_fit(s);
}
