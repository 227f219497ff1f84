/* SPDX-License-Identifier: BSD-2-Clause */
/* The connection of a DDP Stream Session. */
#include "sctp_flow.h"

#include <ingest/split.h>

#define CONN_HASH_SCTP UINT64_C(0x5c7b5c7b5c7b5c7b) /* tells it from TCP between the same ends */

bool obs_sctp_counts(observe *obs, const sctp_flow *f, bool joined) {
  const bool first = obs_given_up_note(obs, ingest_split_hash(f->addr) ^ CONN_HASH_SCTP);
  return first || !joined;
}

void obs_sctp_conn_limit(sctp_stream *st, const char *name) {
  if (st->conn != NULL) {
    obs_followed_limit(st->conn, name);
  } else {
    st->limit = name;
  }
}

/* A limit was reached while the session was open. */
static void sctp_conn_flow_limit(sctp_stream *st) {
  if (st->limits != st->flow->limits) {
    obs_sctp_conn_limit(st, st->flow->limit);
    st->flow->limit_reported = true;
  }
}

/* What a limit cost before may have been the beginning of this session. */
static void sctp_conn_open_limit(sctp_stream *st) {
  sctp_flow *f = st->flow;
  st->limits = f->limits;
  if (st->limit != NULL) {
    obs_sctp_conn_limit(st, st->limit);
    st->limit = NULL;
  } else if (f->limit != NULL && (st->conn->conn.info->sctp_joined || !f->limit_reported)) {
    obs_sctp_conn_limit(st, f->limit);
    f->limit_reported = true;
  }
}

/* False: there is no memory. The session is not followed then, and its next message is in its
 * midst. */
static bool sctp_conn_open(observe *obs, sctp_stream *st, uint64_t began_ns) {
  st->conn = obs_followed_make(obs, st->flow->addr, iwarp_sctp_observer_info_get(st->engine));
  if (st->conn == NULL) {
    obs_limit(obs, ingest_limit_name(INGEST_LIMIT_MEMORY), 1);
    iwarp_sctp_observer_drop(st->engine);
    iwarp_certainty_drop(&st->certain);
    return false;
  }
  st->conn->conn.began_ns = began_ns;
  st->conn->negotiated = obs_sctp_negotiated(st->flow);
  sctp_conn_open_limit(st);
  return true;
}

/* What the association shows of the end, beside the Session Terminates. */
static void sctp_conn_ends(sctp_stream *st, iwarp_end how) {
  ingest_ends *ends = &st->conn->ending.ends;
  if (how == IWARP_END_RST) {
    ends->rst = st->flow->ended;
    ends->rst_side = st->flow->ended_by;
  }
  for (uint8_t side = 0; side < 2; side++) {
    ends->heard[side] = ends->heard[side] || st->flow->init_seen[side];
  }
}

static void sctp_conn_close(observe *obs, sctp_stream *st) {
  observe_conn *conn = &st->conn->conn;
  if (conn->given_up != NULL) {
    conn->recounted = !obs_sctp_counts(obs, st->flow, conn->info->sctp_joined);
  }
  obs_followed_finish(obs, st->conn);
  obs_followed_release(obs, st->conn);
  st->conn = NULL;
}

/* A session ends with the END of side 1. */
void obs_sctp_conn_event(observe *obs, sctp_stream *st, iwarp_event *ev) {
  const iwarp_sctp_certainty *certainty =
      iwarp_certainty_event(&st->certain, iwarp_sctp_observer_info_get(st->engine), ev);
  if (st->conn == NULL && !sctp_conn_open(obs, st, ev->first.time_ns)) {
    return;
  }
  if ((st->conn->conn.info->limits & IWARP_LIMIT_WINDOW) != 0) {
    obs_sctp_conn_limit(st, ingest_limit_name(INGEST_LIMIT_HELD_OCTETS));
  }
  if (ev->kind == IWARP_EVENT_END && ev->side == 0) {
    sctp_conn_flow_limit(st);
    sctp_conn_ends(st, ev->u.end);
  }
  st->conn->conn.certainty = certainty;
  obs_followed_result(obs, st->conn, ev);
  st->conn->conn.certainty = NULL;
  if (ev->kind == IWARP_EVENT_END && ev->side == 1) {
    sctp_conn_close(obs, st);
  }
}
