/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens and closes the iWARP connections over TCP. */
#include "tcp_flow.h"

bool obs_tcp_conn_open(observe *obs, tcp_flow *f, bool full_operation) {
  if (obs->conns.num >= OBSERVE_CONNS_MAX) {
    obs_tcp_give_up(obs, INGEST_LIMIT_CONNECTIONS);
  }
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
  f->conn = c;
  obs_lru_add(&obs->conns, &c->lru);
  return true;
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

static void tcp_conn_resent(observe_conn *conn, const ingest_ends *ends) {
  for (uint8_t side = 0; side < 2; side++) {
    conn->again[side] = (observe_resent){ends->again[side].segments, ends->again[side].packet};
    conn->late[side] = (observe_resent){ends->late[side].segments, ends->late[side].packet};
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
  tcp_conn_resent(&c->conn, f->ends);
  obs_followed_finish(obs, c);
  obs_lru_remove(&obs->conns, &c->lru);
  obs_followed_release(obs, c);
  f->side[0].direct = f->side[1].direct = false;
  f->conn = NULL;
}

/* The flow is scanned from here on: it may only be taken up again by another startup frame. */
void obs_tcp_give_up(observe *obs, ingest_limit limit) {
  tcp_flow *f = ((followed *)obs->conns.oldest)->flow;
  obs_followed_limit(f->conn, ingest_limit_name(limit));
  obs_tcp_conn_close(obs, f);
  for (uint8_t side = 0; side < 2; side++) {
    iwarp_scan_gap(&f->side[side].scan);
    f->side[side].started = false;
    f->side[side].streaming = 0;
  }
}
