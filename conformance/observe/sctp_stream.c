/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens and closes the DDP streams among the streams of SCTP associations. */
#include "sctp_flow.h"

#include <stdlib.h>
#include <string.h>

static void sctp_stream_free(observe *obs, sctp_stream *st) {
  while (st->msgs != NULL) {
    obs_sctp_msg_drop(obs, st, st->msgs);
  }
  free(st->memory);
  free(st);
}

void obs_sctp_stream_close(observe *obs, sctp_stream *st, iwarp_end how) {
  const bool final = how == IWARP_END_FIN;
  while (obs_sctp_skip(obs, st, 0, final) || obs_sctp_skip(obs, st, 1, final)) {
  }
  obs_sctp_conn_close(obs, st, how);
  obs_sctp_leave(obs, st->flow, st);
  obs_lru_remove(&obs->streams, &st->lru);
  sctp_stream_free(obs, st);
}

static void sctp_stream_give_up(observe *obs, sctp_stream *st, const char *limit) {
  obs_sctp_conn_limit(st, limit);
  st->flow->gave_up = true;
  obs_sctp_stream_close(obs, st, IWARP_END_CAPTURE);
}

bool obs_sctp_give_up(observe *obs) {
  if (obs->streams.oldest == NULL) {
    return false;
  }
  sctp_stream_give_up(obs, (sctp_stream *)obs->streams.oldest,
                      ingest_limit_name(INGEST_LIMIT_MEMORY));
  return true;
}

static bool sctp_is_initiate(const ingest_sctp_message *m) {
  iwarp_sctp_control v;
  return obs_sctp_ppid(m->ppid) == IWARP_SCTP_PPID_CONTROL &&
         iwarp_sctp_control_decode(&v, (iwarp_span){m->data, m->cap}).err == IWARP_OK &&
         v.ssn == 0 &&
         (v.function == IWARP_SCTP_INITIATE || v.function == IWARP_SCTP_ENHANCED_INITIATE);
}

/* Whether the session was under way before its first message was seen. Where all of the association
 * is captured, it cannot. */
static bool sctp_joins(const ingest_sctp_event *ev) {
  return !(ev->lossless[0] && ev->lossless[1]) && !sctp_is_initiate(ev->message);
}

/* Where messages are missing, the end of a session may be among them: an Initiate that has no place
 * in it begins another one. */
bool obs_sctp_begins_again(const sctp_stream *st, const ingest_sctp_event *ev) {
  const iwarp_sctp_session_info info = iwarp_sctp_session_info_get(st->sess);
  const bool missing =
      st->joined || st->lost_base[0] != st->flow->lost[0] || st->lost_base[1] != st->flow->lost[1];
  const bool open = info.state == IWARP_SCTP_STATE_EST ||
                    info.state == IWARP_SCTP_STATE_INIT_SENT ||
                    info.state == IWARP_SCTP_STATE_PENDING;
  return missing && open && sctp_is_initiate(ev->message) &&
         iwarp_sctp_ssn_distance(0, info.next[ev->side]) >= IWARP_SCTP_UNACKED_MAX;
}

void obs_sctp_begin_again(observe *obs, sctp_stream *st) {
  while (obs_sctp_skip(obs, st, 0, false) || obs_sctp_skip(obs, st, 1, false)) {
  }
  obs_sctp_conn_close(obs, st, IWARP_END_CAPTURE);
  st->joined = false;
  st->resumed[0] = st->resumed[1] = false;
  if (!obs_sctp_engine_init(st, false)) {
    obs->failed = true;
  }
}

/* NULL: there is no memory for it. */
static sctp_stream *sctp_stream_make(observe *obs, sctp_flow *f, const ingest_sctp_event *ev) {
  sctp_stream *st = calloc(1, sizeof *st);
  if (st == NULL) {
    return NULL;
  }
  st->memory = malloc(iwarp_sctp_session_size(SCTP_WINDOW));
  st->flow = f;
  st->id = ev->message->stream;
  if (st->memory == NULL || !obs_sctp_engine_init(st, sctp_joins(ev)) ||
      !obs_sctp_enter(obs, f, st)) {
    sctp_stream_free(obs, st);
    return NULL;
  }
  return st;
}

sctp_stream *obs_sctp_stream_open(observe *obs, sctp_flow *f, const ingest_sctp_event *ev) {
  if (obs->streams.num >= OBSERVE_SCTP_STREAMS_MAX) {
    sctp_stream_give_up(obs, (sctp_stream *)obs->streams.oldest, "streams");
  }
  sctp_stream *st = sctp_stream_make(obs, f, ev);
  while (st == NULL && obs_sctp_give_up(obs)) { /* the longest silent ones make room */
    st = sctp_stream_make(obs, f, ev);
  }
  if (st != NULL) {
    obs_lru_add(&obs->streams, &st->lru);
    memcpy(st->lost_seen, f->lost, sizeof st->lost_seen);
  }
  return st;
}
