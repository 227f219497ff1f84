/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes the events of an SCTP association and hands its messages to their DDP streams. */
#include "sctp_flow.h"

#include <string.h>

/* What waits after a loss is not waited for for ever. */
static void sctp_lose_patience(observe *obs, sctp_stream *st, uint8_t side, uint16_t due) {
  if (iwarp_sctp_session_info_get(st->sess).next[side] != due) {
    st->waited[side] = 0;
    st->lost_seen[side] = st->flow->lost[side];
    return;
  }
  st->waited[side]++;
  if (st->waited[side] >= SCTP_PATIENCE && st->lost_seen[side] != st->flow->lost[side]) {
    obs_sctp_skip(obs, st, side, false);
    st->waited[side] = 0;
  }
  while (obs->sctp_held > SCTP_HELD_MAX &&
         (obs_sctp_skip(obs, st, 0, false) || obs_sctp_skip(obs, st, 1, false))) {
    obs_sctp_conn_limit(st, ingest_limit_name(INGEST_LIMIT_HELD_OCTETS));
  }
}

/* A limit cost the association messages: of which stream is not known. Its sessions learn of it at
 * their ends. */
static void sctp_limit(sctp_flow *f, const char *name) {
  if (name != NULL) {
    f->limit = name;
    f->limits++;
  }
}

/* Octets that must be there for the engine to tell what the message is. */
static bool sctp_is_cut(const ingest_sctp_message *m) {
  const size_t least = obs_sctp_ppid(m->ppid) == IWARP_SCTP_PPID_CONTROL
                           ? IWARP_SCTP_CONTROL_LEN + IWARP_SCTP_ENHANCED_LEN
                           : IWARP_SCTP_SEGMENT_LEN;
  return m->cap < m->len && m->cap < least;
}

static void sctp_message(observe *obs, sctp_flow *f, const ingest_sctp_event *ev) {
  const ingest_sctp_message *m = ev->message;
  sctp_stream *st = obs_sctp_find(f, m->stream);
  if (sctp_is_cut(m)) {
    f->lost[ev->side]++;
    f->snapped[ev->side] = true;
    return;
  }
  if (st == NULL && iwarp_sctp_ppid_name(obs_sctp_ppid(m->ppid)) == NULL) {
    return;
  }
  if (st == NULL) {
    st = obs_sctp_stream_open(obs, f, ev);
  } else {
    obs_lru_touch(&obs->streams, &st->lru);
    if (obs_sctp_begins_again(st, ev)) {
      obs_sctp_begin_again(obs, st);
    }
  }
  sctp_msg *msg = st != NULL ? obs_sctp_msg_keep(obs, st, ev) : NULL;
  if (msg == NULL) {
    f->lost[ev->side]++;
    sctp_limit(f, ingest_limit_name(INGEST_LIMIT_MEMORY));
    return;
  }
  const uint16_t due = iwarp_sctp_session_info_get(st->sess).next[ev->side];
  obs_sctp_push(obs, st, msg);
  sctp_lose_patience(obs, st, ev->side, due);
}

static void sctp_init(sctp_flow *f, const ingest_sctp_event *ev) {
  f->init[ev->side] = *ev->init;
  f->init_seen[ev->side] = true;
  f->init_meta[ev->side] =
      (iwarp_meta){.packet = ev->packet, .time_ns = ev->time_ns, .peer_pos = IWARP_POS_UNKNOWN};
}

static void sctp_close(observe *obs, sctp_flow *f, const ingest_sctp_event *ev) {
  if (ev->limit != INGEST_LIMIT_NONE && f->limit == NULL) {
    sctp_limit(f, ingest_limit_name(ev->limit));
  }
  for (uint32_t id = 0; f->streams > 0; id++) { /* in the order of their numbers */
    sctp_stream *st = obs_sctp_find(f, (uint16_t)id);
    if (st != NULL) {
      obs_sctp_stream_close(obs, st, obs_end(ev->end));
    } else if (f->pages[id / SCTP_PAGE] == NULL) {
      id |= SCTP_PAGE - 1;
    }
  }
  if (f->limit != NULL && !f->limit_reported) {
    obs_limit(obs, f->limit, 1);
  }
  obs_sctp_put(obs, f->pages, SCTP_PAGES_SIZE);
  obs_sctp_put(obs, f, sizeof *f);
  *ev->user = NULL;
}

static void sctp_lost(sctp_flow *f, const ingest_sctp_event *ev) {
  f->lost[ev->side]++;
  f->snapped[ev->side] = ev->snapped;
  sctp_limit(f, ingest_limit_name(ev->limit));
}

/* NULL: there is no memory for it, and the association is not followed. */
static sctp_flow *sctp_open(observe *obs) {
  sctp_flow *f = obs_sctp_get(obs, sizeof *f);
  if (f == NULL) {
    obs_limit(obs, ingest_limit_name(INGEST_LIMIT_MEMORY), 1);
  }
  return f;
}

static void sctp_move(sctp_flow *f, const ingest_sctp_event *ev) {
  const bool moves = ev->kind == INGEST_SCTP_MESSAGE || ev->kind == INGEST_SCTP_LOST;
  if (moves && ev->pos + ev->len > f->next[ev->side]) {
    f->next[ev->side] = ev->pos + ev->len;
  }
}

void obs_sctp_event(observe *obs, const ingest_sctp_event *ev) {
  sctp_flow *f = *ev->user;
  if (ev->kind == INGEST_SCTP_OPEN) {
    f = sctp_open(obs);
    *ev->user = f;
  }
  if (f == NULL) {
    return;
  }
  memcpy(f->start_known, ev->start_known, sizeof f->start_known);
  memcpy(f->addr, ev->addr, sizeof f->addr);
  f->now =
      (iwarp_meta){.packet = ev->packet, .time_ns = ev->time_ns, .peer_pos = IWARP_POS_UNKNOWN};
  sctp_move(f, ev);
  switch (ev->kind) {
  case INGEST_SCTP_OPEN: break;
  case INGEST_SCTP_INIT: sctp_init(f, ev); break;
  case INGEST_SCTP_MESSAGE: sctp_message(obs, f, ev); break;
  case INGEST_SCTP_LOST: sctp_lost(f, ev); break;
  case INGEST_SCTP_CLOSE: sctp_close(obs, f, ev); break;
  }
}
