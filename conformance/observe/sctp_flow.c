/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes the events of an SCTP association and hands its messages to their DDP streams. */
#include "sctp_flow.h"

#include <string.h>

/* What waits for a lost message may not take all the memory. */
static void sctp_hold(observe *obs, sctp_stream *st) {
  while (obs->sctp_held > SCTP_HELD_MAX && obs_sctp_stream_skip(obs, st)) {
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

/* A message that came is not followed: what answers it may seem to have no cause from here on. */
static void sctp_drop(sctp_flow *f, uint8_t side, iwarp_gap_reason reason) {
  iwarp_sctp_assoc_lost(f->assoc, side, reason);
  iwarp_certainty_lost(&f->certain, side, 0);
  f->dropped[side] = true;
}

static iwarp_sctp_evidence sctp_evidence(const ingest_sctp_message *m, bool cause_seen) {
  return (iwarp_sctp_evidence){
      .needless = m->needless,
      .maybe_retransmitted = m->maybe_retransmitted,
      .peer_data_reordered = m->peer_data_reordered,
      .cause_seen = cause_seen,
      .received_all = m->received_all && cause_seen && !m->maybe_retransmitted,
      .received = m->received_more || m->maybe_retransmitted ? 0 : m->received,
      .acked = m->acked,
      .overtook = m->overtook,
      .bundled_before = m->bundled_before};
}

/* Returns true if the receiver may have accepted another copy with other octets that rules speak
 * of.
 */
static bool sctp_differs(const ingest_sctp_message *m) {
  const iwarp_span head = {m->data, m->cap};
  return m->differ_end != 0 && obs_sctp_copy_matters(m->ppid, head, m->differ_from);
}

/* Returns true if the message may be of another stream or session, or begin or end one. */
static bool sctp_displaced(const ingest_sctp_message *m) {
  const bool control = iwarp_sctp_ppid_host(m->ppid) == IWARP_SCTP_PPID_CONTROL;
  const bool number = m->differ_from < IWARP_SCTP_SEGMENT_LEN; /* the octets of the DDP-SSN */
  return m->differ_end == SIZE_MAX || (sctp_differs(m) && (control || number));
}

static iwarp_sctp_captured sctp_captured(const sctp_flow *f, const ingest_sctp_event *ev) {
  const ingest_sctp_message *m = ev->message;
  const bool cause_seen = m->cause_seen && !f->dropped[1 - ev->side];
  const bool differs = sctp_differs(m);
  iwarp_sctp_captured out = {.pos = ev->pos,
                             .len = ev->len,
                             .ppid = m->ppid,
                             .length = (uint32_t)m->len,
                             .user_data = {m->data, m->cap},
                             .fragments = m->fragments,
                             .ordered = m->ordered,
                             .damaged = m->damaged || differs,
                             .evidence = sctp_evidence(m, cause_seen),
                             .last = {.packet = ev->packet,
                                      .time_ns = ev->time_ns,
                                      .peer_pos = cause_seen ? 0 : IWARP_POS_UNKNOWN,
                                      .segment_start = true,
                                      .damaged = m->damaged || differs,
                                      .differ = differs}};
  out.first = out.last;
  out.first.packet = m->first_packet;
  out.first.time_ns = m->first_time_ns;
  return out;
}

/* The stream of a message, which may be none of DDP. */
static sctp_stream *sctp_stream_of(observe *obs, sctp_flow *f, const ingest_sctp_event *ev) {
  sctp_stream *st = obs_sctp_find(f, ev->message->stream);
  const bool dropped = f->dropped[0] || f->dropped[1] || f->certain.gave_up;
  if (st == NULL) {
    return obs_sctp_stream_open(obs, f, ev->message->stream,
                                ev->lossless[0] && ev->lossless[1] && !dropped);
  }
  obs_lru_touch(&obs->streams, &st->lru);
  return st;
}

static void sctp_message(observe *obs, sctp_flow *f, const ingest_sctp_event *ev) {
  const iwarp_sctp_captured m = sctp_captured(f, ev);
  const bool ddp = iwarp_name_known(iwarp_sctp_ppid_name(iwarp_sctp_ppid_host(m.ppid)));
  iwarp_certainty_passed(&f->certain, ev->side, ev->pos + ev->len);
  if (sctp_displaced(ev->message)) {
    iwarp_sctp_assoc_lost(f->assoc, ev->side, IWARP_GAP_LOST);
    iwarp_certainty_lost(&f->certain, ev->side, ev->pos + ev->len);
  }
  if (!iwarp_sctp_captured_enough(&m)) {
    sctp_drop(f, ev->side, IWARP_GAP_SNAPLEN);
    return;
  }
  if (!ddp && !obs_sctp_negotiated(f) && obs_sctp_find(f, ev->message->stream) == NULL) {
    return;
  }
  sctp_stream *st = sctp_stream_of(obs, f, ev);
  if (st == NULL || !obs_sctp_stream_push(obs, st, ev->side, &m)) {
    sctp_drop(f, ev->side, IWARP_GAP_LOST);
    sctp_limit(f, ingest_limit_name(INGEST_LIMIT_MEMORY));
    return;
  }
  sctp_hold(obs, st);
}

static void sctp_init(sctp_flow *f, const ingest_sctp_event *ev) {
  const ingest_sctp_init *init = ev->init;
  const iwarp_sctp_assoc_params params = {.ack = init->ack,
                                          .whole = init->whole,
                                          .damaged = init->damaged,
                                          .has_adaptation = init->has_adaptation,
                                          .adaptation = init->adaptation,
                                          .adaptation_surplus = init->adaptation_surplus,
                                          .out_streams = init->out_streams,
                                          .in_streams = init->in_streams,
                                          .tsn = init->tsn};
  iwarp_sctp_assoc_set_params(f->assoc, ev->side, &params);
  f->init_seen[ev->side] = true;
  f->ddp[ev->side] = init->has_adaptation && init->adaptation == IWARP_SCTP_ADAPTATION_DDP;
}

/* No side that was seen to begin the association left DDP out. */
static bool sctp_may_be_ddp(const sctp_flow *f) {
  return (f->ddp[0] || !f->init_seen[0]) && (f->ddp[1] || !f->init_seen[1]);
}

/* The beginning of the association was captured. */
static bool sctp_begins(const sctp_flow *f) {
  return f->init_seen[0] || f->init_seen[1];
}

static void sctp_close(observe *obs, sctp_flow *f, const ingest_sctp_event *ev) {
  if (ev->limit != INGEST_LIMIT_NONE && f->limit == NULL) {
    sctp_limit(f, ingest_limit_name(ev->limit));
  }
  obs->found.sctp++;
  obs->found.sctp_opaque += ev->opaque && sctp_may_be_ddp(f) ? 1 : 0;
  for (unsigned side = 0; side < 2; side++) {
    f->certain.advanced[side] =
        (iwarp_meta){.packet = ev->advanced[side].packet, .time_ns = ev->advanced[side].time_ns};
    f->certain.settled[side] = ev->settled[side];
  }
  f->ended = ev->ended;
  f->ended_by = ev->ended_by;
  if (ev->closed.packet != 0) {
    iwarp_certainty_ended(&f->certain, ev->closed_by, ev->closed.packet);
  }
  if (ev->end == INGEST_END_FIN) { /* a SHUTDOWN was captured */
    iwarp_sctp_assoc_now(f->assoc, ev->ended.packet, ev->ended.time_ns);
  }
  for (uint32_t id = 0; f->streams > 0; id++) { /* ascending by number */
    sctp_stream *st = obs_sctp_find(f, (uint16_t)id);
    if (st != NULL) {
      obs_sctp_stream_close(obs, st, obs_end(ev->end));
    } else if (f->pages[id / SCTP_PAGE] == NULL) {
      id |= SCTP_PAGE - 1;
    }
  }
  if (f->limit != NULL && !f->limit_reported && obs_sctp_counts(obs, f, !sctp_begins(f))) {
    obs_limit(obs, f->limit, 1);
  }
  obs_memory_put(obs, f->pages, SCTP_PAGES_SIZE);
  obs_memory_put(obs, f, sizeof *f);
  obs->assocs--;
  if (obs->flows + obs->assocs == 0) {
    obs_given_up_free(obs);
  }
  *ev->user = NULL;
}

static iwarp_gap_reason sctp_gap_reason(const ingest_sctp_event *ev) {
  if (ev->snapped) {
    return IWARP_GAP_SNAPLEN;
  }
  return ev->damaged ? IWARP_GAP_CHECKSUM : IWARP_GAP_LOST;
}

static void sctp_lost(sctp_flow *f, const ingest_sctp_event *ev) {
  iwarp_sctp_assoc_lost(f->assoc, ev->side, sctp_gap_reason(ev));
  iwarp_certainty_lost(&f->certain, ev->side, ev->pos + ev->len);
  sctp_limit(f, ingest_limit_name(ev->limit));
}

/* NULL: there is no memory for it, and the association is not followed. */
static sctp_flow *sctp_open(observe *obs) {
  sctp_flow *f = obs_memory_get(obs, sizeof *f);
  obs->work += OBS_WORK_ASSOCIATION;
  if (f == NULL) {
    obs_limit(obs, ingest_limit_name(INGEST_LIMIT_MEMORY), 1);
    return NULL;
  }
  (void)iwarp_sctp_assoc_init(&f->assoc, f->assoc_mem, sizeof f->assoc_mem); /* the size is right */
  obs->assocs++;
  return f;
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
  for (uint8_t side = 0; side < 2; side++) {
    iwarp_sctp_assoc_set_start(f->assoc, side, ev->start_known[side]);
  }
  memcpy(f->certain.start_known, ev->start_known, sizeof f->certain.start_known);
  memcpy(f->addr, ev->addr, sizeof f->addr);
  iwarp_sctp_assoc_now(f->assoc, ev->packet, ev->time_ns);
  switch (ev->kind) {
  case INGEST_SCTP_OPEN: break;
  case INGEST_SCTP_INIT: sctp_init(f, ev); break;
  case INGEST_SCTP_MESSAGE: sctp_message(obs, f, ev); break;
  case INGEST_SCTP_LOST: sctp_lost(f, ev); break;
  case INGEST_SCTP_CLOSE: sctp_close(obs, f, ev); break;
  case INGEST_SCTP_DIFFER: obs_sctp_differ(obs, f, ev); break;
  }
}
