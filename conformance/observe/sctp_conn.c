/* SPDX-License-Identifier: BSD-2-Clause */
/* The connection of a DDP Stream Session. */
#include "sctp_flow.h"

#include <string.h>

void obs_sctp_conn_limit(sctp_stream *st, const char *name) {
  if (st->conn != NULL) {
    obs_followed_limit(st->conn, name);
  } else {
    st->limit = name;
  }
}

/* INIT and INIT ACK are reported to the first session of the association. */
static void sctp_conn_inits(observe *obs, sctp_stream *st) {
  sctp_flow *f = st->flow;
  for (uint8_t side = 0; side < 2 && !f->inits_reported; side++) {
    const ingest_sctp_init *init = &f->init[side];
    const bool peer = f->init_seen[1 - side];
    const iwarp_ev_sctp facts = {.ack = init->ack,
                                 .whole = init->whole,
                                 .has_adaptation = init->has_adaptation,
                                 .adaptation = init->adaptation,
                                 .out_streams = init->out_streams,
                                 .in_streams = init->in_streams,
                                 .granted = peer ? f->init[1 - side].in_streams : 0};
    const iwarp_event ev = {.kind = IWARP_EVENT_SCTP_INIT,
                            .side = side,
                            .pos = init->tsn,
                            .first = f->init_meta[side],
                            .last = f->init_meta[side],
                            .sctp = &facts};
    if (f->init_seen[side]) {
      obs_followed_result(obs, st->conn, &ev);
    }
  }
  f->inits_reported = true;
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
  } else if (f->limit != NULL && (st->joined || !f->limit_reported)) {
    obs_sctp_conn_limit(st, f->limit);
    f->limit_reported = true;
  }
}

void obs_sctp_conn_open(observe *obs, sctp_stream *st, const sctp_msg *msg) {
  memset(&st->info, 0, sizeof st->info);
  st->info.sctp = true;
  st->info.sctp_stream = st->id;
  st->info.crc = IWARP_TRISTATE_ON;
  st->info.crc_by = IWARP_KNOWN_BY_STARTUP;
  for (uint8_t i = 0; i < 2; i++) {
    st->info.side[i].full_pos = IWARP_POS_UNKNOWN;
    st->info.side[i].start_known = st->flow->start_known[i];
    st->end[i] = 0;
    st->lost_base[i] = st->flow->lost[i];
    st->lost_reported[i] = st->flow->lost[i];
    st->repeated[i] = false;
    st->resumed[i] = false;
    st->spoke[i] = false;
  }
  st->opened = st->proven = false;
  if (msg != NULL) {
    st->end[msg->side] = msg->pos;
  }
  st->conn = obs_followed_make(obs, st->flow->addr, &st->info);
  if (st->conn == NULL) { /* the session is not followed, and its next message is in its midst */
    obs_limit(obs, ingest_limit_name(INGEST_LIMIT_MEMORY), 1);
    st->joined = true;
    return;
  }
  sctp_conn_open_limit(st);
  sctp_conn_inits(obs, st);
}

void obs_sctp_conn_close(observe *obs, sctp_stream *st, iwarp_end how) {
  followed *c = st->conn;
  if (c == NULL) {
    return;
  }
  sctp_conn_flow_limit(st);
  for (uint8_t side = 0; side < 2; side++) {
    const iwarp_ev_sctp facts = {.lossless = obs_sctp_lossless(st, side),
                                 .clear = obs_sctp_clear(st)};
    const iwarp_event ev = {.kind = IWARP_EVENT_END,
                            .side = side,
                            .pos = st->end[side],
                            .first = {.packet = c->packet, .time_ns = c->time_ns},
                            .last = {.packet = c->packet, .time_ns = c->time_ns},
                            .u.end = how,
                            .sctp = &facts};
    st->info.side[side].end = how;
    obs_followed_result(obs, c, &ev);
  }
  obs_followed_finish(obs, c);
  obs_followed_release(obs, c);
  st->conn = NULL;
}
