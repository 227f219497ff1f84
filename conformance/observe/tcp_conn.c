/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens and closes the iWARP connections over TCP. */
#include <ingest/split.h>

#include <string.h>

#include "keep_facts.h"
#include "pack.h"
#include "tcp_flow.h"

void obs_tcp_sides_free(observe *obs, tcp_flow *f) {
  for (size_t i = 0; f->side != NULL && i < 2; i++) {
    obs_early_data_drop(&f->side[i].early, &obs->early_used);
  }
  obs_memory_put(obs, f->side, 2 * sizeof *f->side);
  f->side = NULL;
}

bool obs_tcp_conn_open(observe *obs, tcp_flow *f, bool full_operation) {
  followed *c = obs_followed_make(obs, f->addr, NULL);
  if (c == NULL || !obs_tcp_engine_make(obs, c, full_operation)) {
    obs->failed = true;
    if (c != NULL) {
      obs_followed_release(obs, c);
    }
    return false;
  }
  for (uint8_t i = 0; i < 2; i++) {
    c->conn.tally.streaming[i] = f->side[i].streaming;
  }
  if (f->limit != NULL) {
    obs_followed_limit(c, f->limit);
    f->limit = NULL;
  }
  c->joined = full_operation;
  c->conn.began_ns = f->began_ns;
  c->flow = f;
  c->conn.ends = f->addr;
  c->conn.packets = f->packets;
  c->conn.recounted = f->given_up;
  f->conn = c;
  c->fresh = true;
  obs->latest = &c->lru;
  obs_lru_add(&obs->fresh, &c->lru);
  return true;
}

static lru_list *tcp_conn_list(observe *obs, const followed *c) {
  return c->fresh ? &obs->fresh : &obs->conns;
}

/* What the engine itself could not follow. */
static void tcp_conn_engine_limits(followed *c) {
  static const struct {
    uint32_t bit;
    const char *name;
  } rows[] = {{IWARP_LIMIT_SEARCH, "search"},
              {IWARP_LIMIT_HOLES, "holes"},
              {IWARP_LIMIT_PACKETS, "packets"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if ((c->conn.info->limits & rows[i].bit) != 0) {
      obs_followed_cost(c, rows[i].name);
    }
  }
}

static observe_moment tcp_conn_moment(const ingest_mark *mark) {
  return (observe_moment){.packet = mark->packet, .time_ns = mark->time_ns};
}

static observe_resent tcp_conn_resent(const ingest_resent *resent) {
  return (observe_resent){.segments = resent->segments, .packet = resent->packet};
}

observe_icmp obs_icmp(const ingest_icmp *x) {
  const bool refused = x->kind == INGEST_ICMP_PORT || x->kind == INGEST_ICMP_PROHIBITED;
  return (observe_icmp){.says = ingest_icmp_words(x->kind),
                        .first = x->first,
                        .latest = x->latest,
                        .mtu = x->mtu,
                        .refused = refused,
                        .by_host = x->by_host,
                        .open = x->open};
}

/* What stopped a side for a time. */
static void tcp_conn_stalls(observe_conn *conn, const ingest_stalls *stalls, uint8_t side) {
  const ingest_shut *shut = &stalls->longest[side];
  const ingest_alone *alone = &stalls->alone[side];
  conn->again[side].latest = conn->late[side].latest = stalls->again[side];
  conn->alone[side] = (observe_alone){.segments = alone->segments,
                                      .first = tcp_conn_moment(&alone->first),
                                      .latest = tcp_conn_moment(&alone->latest)};
  conn->unreachable[side] = obs_icmp(&stalls->unreachable[side]);
  conn->too_big[side] = obs_icmp(&stalls->too_big[side]);
  conn->shut[side] =
      (observe_shut){.ns = shut->ns, .first = shut->first, .last = shut->last, .open = shut->open};
}

/* What a side sent in the place of a startup frame with a key. */
static void tcp_conn_heads(const tcp_flow *f, followed *c) {
  for (uint8_t side = 0; side < 2; side++) {
    const iwarp_observer_side *info = &c->conn.info->side[side];
    const tcp_side *fs = &f->side[side];
    if (c->conn.tally.streaming[side] == 0 ||
        (info->has_startup && info->key != IWARP_MPA_KEY_UNKNOWN)) {
      continue;
    }
    c->conn.begin[side] = (observe_beginning){.pos = fs->start, .head = {fs->head, fs->num_head}};
    if (c->facts != NULL) {
      obs_facts_head(c->facts, side, c->conn.begin[side].head);
    }
  }
}

static void tcp_conn_facts(observe_conn *conn, const ingest_ends *ends) {
  for (uint8_t side = 0; side < 2; side++) {
    conn->again[side] = tcp_conn_resent(&ends->again[side]);
    conn->late[side] = tcp_conn_resent(&ends->late[side]);
    if (ends->stalls != NULL) {
      tcp_conn_stalls(conn, ends->stalls, side);
    }
  }
}

void obs_tcp_conn_close(observe *obs, tcp_flow *f) {
  followed *c = f->conn;
  const iwarp_meta meta = {
      .packet = c->packet, .time_ns = c->time_ns, .peer_pos = IWARP_POS_UNKNOWN};
  obs_late_join(obs, f, true);
  for (uint8_t side = 0; side < 2; side++) {
    if (!f->side[side].ended) {
      obs_tcp_end(obs, f, side, IWARP_END_CAPTURE, &meta);
    }
  }
  tcp_conn_engine_limits(c);
  c->ending.ends = *f->ends;
  tcp_conn_facts(&c->conn, f->ends);
  tcp_conn_heads(f, c);
  obs_followed_finish(obs, c);
  obs_lru_remove(tcp_conn_list(obs, c), &c->lru);
  obs->latest = obs->latest == &c->lru ? NULL : obs->latest;
  obs_followed_release(obs, c);
  f->side[0].direct = f->side[1].direct = false;
  f->conn = NULL;
}

/* ---- memory ---- */

bool obs_tcp_counts(observe *obs, const tcp_flow *f) {
  const bool begins = f->side[0].start_known || f->side[1].start_known;
  const bool noted = !obs_given_up_note(obs, ingest_split_hash(f->addr));
  return !f->given_up && (begins || !noted);
}

/* The connection ends without what was known of it, for want of memory. */
static void tcp_conn_drop(observe *obs, followed *c) {
  static const iwarp_observer_info nothing;
  obs->failed = true;
  c->conn.info = &nothing;
  memset(obs->results, 0, sizeof obs->results);
  c->conn.results = obs->results;
  obs_followed_limit(c, ingest_limit_name(INGEST_LIMIT_MEMORY));
  obs_followed_finish(obs, c);
  c->flow->side[0].direct = c->flow->side[1].direct = false;
  c->flow->conn = NULL;
  obs->latest = NULL;
  obs_followed_release(obs, c);
}

bool obs_tcp_renew(observe *obs, followed *c) {
  lru_list *list = tcp_conn_list(obs, c);
  obs_lru_remove(list, &c->lru);
  if (c->packed != NULL && !obs_unpack(obs, c)) {
    tcp_conn_drop(obs, c);
    return false;
  }
  obs_lru_add(list, &c->lru);
  return true;
}

void obs_tcp_settle(observe *obs, followed *c) {
  const iwarp_observer_info *info = c->conn.info;
  const uint64_t *fpdus = c->conn.tally.fpdus;
  if ((info->side[0].has_startup && info->side[1].has_startup) || fpdus[0] + fpdus[1] > 0) {
    obs_lru_remove(&obs->fresh, &c->lru);
    obs_lru_add(&obs->conns, &c->lru);
    c->fresh = false;
  }
}

static bool tcp_conn_pack(observe *obs, lru_list *list) {
  lru_node *node = list->loose;
  if (node == NULL || node == obs->latest || !obs_pack(obs, obs_lru_holder(node))) {
    return false;
  }
  list->loose = node->newer;
  return true;
}

bool obs_tcp_pack(observe *obs) {
  return tcp_conn_pack(obs, &obs->fresh) || tcp_conn_pack(obs, &obs->conns);
}

/* The connection to be given up, or NULL. */
static followed *tcp_conn_evictee(const observe *obs, bool any) {
  const lru_list *const lists[] = {&obs->fresh, &obs->conns};
  for (size_t i = 0; i < 2; i++) {
    if (lists[i]->oldest != NULL && (any || lists[i]->oldest != obs->latest)) {
      return obs_lru_holder(lists[i]->oldest);
    }
  }
  return NULL;
}

bool obs_tcp_give_up(observe *obs, bool any) {
  followed *c = tcp_conn_evictee(obs, any);
  const size_t before = obs->budget->engines;
  if (c == NULL) {
    return false;
  }
  tcp_flow *f = c->flow;
  if (!obs_tcp_renew(obs, c)) {
    return true;
  }
  obs_followed_limit(c, ingest_limit_name(INGEST_LIMIT_MEMORY));
  c->conn.recounted = !obs_tcp_counts(obs, f);
  f->given_up = true;
  obs_tcp_conn_close(obs, f);
  obs_tcp_sides_free(obs, f); /* only another startup frame can begin anything in it */
  f->lost += before - obs->budget->engines;
  obs_short_of(obs, before - obs->budget->engines);
  return true;
}
