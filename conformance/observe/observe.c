/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands the events of ingest on, and keeps the budget between them. */
#include <observe/observe.h>

#include <stdlib.h>

#include <memory/memory.h>

#include "pack.h"
#include "sctp_flow.h"
#include "tcp_flow.h"

observe *observe_new(const observe_cfg *cfg, const observe_hooks *hooks) {
  observe *obs = memory_zeroed(1, sizeof *obs);
  if (obs != NULL) {
    obs->cfg = *cfg;
    obs->hooks = *hooks;
    obs->own_budget.limit = SIZE_MAX;
    obs->pool = obs_memory_pool(obs);
    obs->wanted = (waiting_room){.most = (size_t)4096 * 1024, .part = 64};
    obs->unseen = (waiting_room){.most = (size_t)4096 * 1024, .part = 64};
    obs->proving = (waiting_room){.most = (size_t)16384 * 1024, .part = 16};
    obs->budget = cfg->budget != NULL ? cfg->budget : &obs->own_budget;
  }
  return obs;
}

void observe_file(observe *obs, const char *name) {
  obs->file = name;
  obs->num_numbered = 0;
  obs->found = (observe_found){0};
  obs->end_ns = 0;
}

void observe_capture_ends(observe *obs, uint64_t last_ns) {
  obs->end_ns = last_ns;
}

uint64_t observe_connections(const observe *obs) {
  return obs->num_numbered;
}

uint64_t observe_work(const observe *obs) {
  return obs->work;
}

const observe_found *observe_found_get(const observe *obs) {
  return &obs->found;
}

bool observe_port_met(const observe *obs, uint16_t port) {
  return observe_ports_has(obs->met, port);
}

bool observe_failed(const observe *obs) {
  return obs->failed;
}

void observe_limit(observe *obs, const char *name, uint64_t n) {
  obs_limit(obs, name, n);
}

void observe_free(observe *obs) {
  if (obs != NULL) {
    obs_pack_free(obs);
    obs_given_up_free(obs);
  }
  free(obs);
}

static bool observe_give_up_sctp(observe *obs) {
  const size_t before = observe_used(obs);
  const bool any = obs_sctp_give_up(obs);
  if (any) {
    obs_short_of(obs, before - observe_used(obs));
  }
  return any;
}

bool observe_give_up(observe *obs) {
  return obs_tcp_give_up(obs, true) || observe_give_up_sctp(obs);
}

size_t observe_wanted(const observe *obs) {
  const observe_short *s = &obs->short_of;
  return s->reached ? s->most + s->most / 2 : 0;
}

void *observe_ingest_get(void *ctx, size_t size) {
  observe *obs = ctx;
  const size_t cost = observe_budget_cost(size);
  if (!observe_budget_ingest_may(obs->budget, cost)) {
    obs_short_of(obs, 0);
    return NULL;
  }
  while (observe_budget_over(obs->budget, cost + obs->pack.gaps) &&
         (obs_tcp_pack(obs) || observe_give_up(obs))) {
  }
  void *at = memory_get(size);
  obs->budget->ingest += at != NULL ? cost : 0;
  return at;
}

void observe_ingest_put(void *ctx, void *at, size_t size) {
  const observe *obs = ctx;
  obs->budget->ingest -= at != NULL ? observe_budget_cost(size) : 0;
  free(at);
}

/* Memory of the observe that the budget does not count. */
static inline size_t observe_held(const observe *obs) {
  const size_t tcp =
      obs->early_used + obs->wanted.used + obs->unseen.used + obs->proving.used + obs->pack.gaps;
  if (obs->streams.num == 0) { /* the usual case */
    return tcp;
  }
  return tcp + obs->sctp_held + obs->streams.num * observe_budget_cost(obs_sctp_stream_size());
}

size_t observe_used(const observe *obs) {
  return obs->budget->engines + observe_held(obs) - obs->pack.gaps;
}

static inline bool observe_over(const observe *obs) {
  return observe_budget_over(obs->budget, observe_held(obs));
}

/* Packs connections, then gives up some, until the budget is kept. */
static void observe_make_fit(observe *obs) {
  while (observe_over(obs)) {
    if (!obs_tcp_pack(obs) && !obs_tcp_give_up(obs, false) &&
        (obs->streams.num <= 1 || !observe_give_up_sctp(obs))) {
      break; /* the one that has just spoken stays */
    }
  }
}

/* Keeps the budget; between two events only. */
static inline void observe_fit(observe *obs) {
  if (observe_over(obs)) {
    observe_make_fit(obs);
  }
}

void observe_event(observe *obs, const ingest_event *ev) {
  obs_tcp_event(obs, ev);
  observe_fit(obs);
}

void observe_packets_see(void *obs, const ingest_seen *seen) {
  obs_tcp_packet(obs, seen);
}

OBS_APART bool observe_segment(observe *obs, const ingest_segment *seg) {
  if (!obs_tcp_segment(obs, seg)) {
    return false;
  }
  observe_fit(obs);
  return true;
}

void observe_sctp_event(observe *obs, const ingest_sctp_event *ev) {
  obs_sctp_event(obs, ev);
  observe_fit(obs);
}

void observe_drain(observe *obs, ingest *ing, ingest_due due) {
  ingest_event ev;
  ingest_sctp_event sctp;
  while (due != INGEST_DUE_NOTHING && ingest_next(ing, &ev)) {
    observe_event(obs, &ev);
    due = due == INGEST_DUE_EVENT ? ingest_due_after(ing) : due;
  }
  while (due != INGEST_DUE_NOTHING && ingest_sctp_next(ing, &sctp)) {
    observe_sctp_event(obs, &sctp);
  }
}

void observe_packet(observe *obs, ingest *ing, const ingest_packet *packet) {
  ingest_due due = ingest_push(ing, packet);
  if (due == INGEST_DUE_EVENT && observe_segment(obs, ingest_next_segment(ing))) {
    ingest_take_segment(ing);
    due = ingest_due_after(ing);
  }
  observe_drain(obs, ing, due);
}
