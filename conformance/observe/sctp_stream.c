/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens, drives and closes the DDP streams among the streams of SCTP associations. */
#include "sctp_flow.h"

#include <stddef.h>
#include <stdlib.h>

#include <memory/memory.h>

static iwarp_sctp_observer_cfg sctp_stream_cfg(sctp_flow *f, uint16_t id, bool joined) {
  return (iwarp_sctp_observer_cfg){
      .size = sizeof(iwarp_sctp_observer_cfg), .assoc = f->assoc, .stream = id, .joined = joined};
}

size_t obs_sctp_stream_size(void) {
  _Alignas(max_align_t) uint8_t any[IWARP_SCTP_ASSOC_SIZE];
  iwarp_sctp_observer_cfg cfg = {.size = sizeof cfg};
  (void)iwarp_sctp_assoc_init(&cfg.assoc, any, sizeof any);
  return iwarp_sctp_observer_size(&cfg);
}

static void sctp_stream_free(observe *obs, sctp_stream *st) {
  while (st->msgs != NULL) {
    obs_sctp_msg_drop(obs, st, st->msgs);
  }
  free(st->memory);
  free(st);
}

/* Takes the events of what was just given to the stream's observer, each message with its event. */
static void sctp_stream_drain(observe *obs, sctp_stream *st) {
  iwarp_event ev;
  while (iwarp_sctp_observer_next_event(st->engine, &ev) == IWARP_OK) {
    const bool message = ev.kind == IWARP_EVENT_SCTP_MESSAGE || ev.kind == IWARP_EVENT_SCTP_SEGMENT;
    const iwarp_sctp_captured *m = message ? ev.sctp->u.message.captured : NULL;
    obs_sctp_conn_event(obs, st, &ev);
    if (m != NULL) {
      obs_sctp_msg_drop(obs, st, m->user);
    }
  }
}

bool obs_sctp_stream_push(observe *obs, sctp_stream *st, uint8_t side,
                          const iwarp_sctp_captured *m) {
  sctp_msg *msg = obs_sctp_msg_keep(obs, st, m);
  if (msg == NULL) {
    return false;
  }
  if (iwarp_sctp_observer_push(st->engine, side, &msg->m) != IWARP_OK) {
    obs->failed = true;
  }
  sctp_stream_drain(obs, st);
  return true;
}

bool obs_sctp_stream_skip(observe *obs, sctp_stream *st) {
  if (iwarp_sctp_observer_skip(st->engine) != IWARP_OK) {
    return false;
  }
  sctp_stream_drain(obs, st);
  return true;
}

void obs_sctp_stream_close(observe *obs, sctp_stream *st, iwarp_end how) {
  if (iwarp_sctp_observer_eof(st->engine, how) != IWARP_OK) {
    obs->failed = true;
  }
  sctp_stream_drain(obs, st);
  obs_sctp_leave(obs, st->flow, st);
  obs_lru_remove(&obs->streams, &st->lru);
  sctp_stream_free(obs, st);
}

static void sctp_stream_give_up(observe *obs, sctp_stream *st, const char *limit) {
  obs_sctp_conn_limit(st, limit);
  st->flow->certain.gave_up = true;
  obs_sctp_stream_close(obs, st, IWARP_END_CAPTURE);
}

bool obs_sctp_give_up(observe *obs) {
  if (obs->streams.oldest == NULL) {
    return false;
  }
  sctp_stream_give_up(obs, obs_lru_holder(obs->streams.oldest),
                      ingest_limit_name(INGEST_LIMIT_MEMORY));
  return true;
}

/* NULL: there is no memory for it. */
static sctp_stream *sctp_stream_make(observe *obs, sctp_flow *f, uint16_t id, bool lossless) {
  const iwarp_sctp_observer_cfg cfg = sctp_stream_cfg(f, id, !lossless);
  const size_t size = iwarp_sctp_observer_size(&cfg);
  sctp_stream *st = memory_zeroed(1, sizeof *st);
  if (st == NULL) {
    return NULL;
  }
  st->memory = memory_get(size);
  st->flow = f;
  st->id = id;
  st->certain.assoc = &f->certain;
  st->certain.id = id;
  if (st->memory == NULL ||
      iwarp_sctp_observer_init(&st->engine, st->memory, size, &cfg) != IWARP_OK ||
      !obs_sctp_enter(obs, f, st)) {
    sctp_stream_free(obs, st);
    return NULL;
  }
  return st;
}

sctp_stream *obs_sctp_stream_open(observe *obs, sctp_flow *f, uint16_t id, bool lossless) {
  if (obs->cfg.budget == NULL && obs->streams.num >= OBSERVE_SCTP_STREAMS_MAX) {
    sctp_stream_give_up(obs, obs_lru_holder(obs->streams.oldest), "streams");
  }
  sctp_stream *st = sctp_stream_make(obs, f, id, lossless);
  while (st == NULL && obs_sctp_give_up(obs)) { /* the longest silent ones make room */
    st = sctp_stream_make(obs, f, id, lossless);
  }
  if (st != NULL) {
    obs_lru_add(&obs->streams, &st->lru);
  }
  return st;
}
