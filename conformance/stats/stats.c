/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection from its first packet to its figures. */
#include <stats/stats.h>

#include <stdlib.h>

#include <memory/memory.h>

#include "state.h"

const char *stats_limit_name(uint32_t bit) {
  switch (bit) {
  case STATS_LIMIT_GAPS: return "gaps";
  case STATS_LIMIT_PACKETS: return "packets";
  case STATS_LIMIT_ORDER: return "order";
  case STATS_LIMIT_REQUESTS: return "requests";
  case STATS_LIMIT_INTERVALS: return "intervals";
  case STATS_LIMIT_LATE: return "late";
  default: return NULL;
  }
}

stats *stats_new(const stats_cfg *cfg) {
  stats *s = memory_zeroed(1, sizeof *s);
  if (s == NULL) {
    return NULL;
  }
  s->cfg = cfg;
  for (unsigned i = 0; i < 2; i++) {
    stats_side *side = &s->figures.side[i];
    side->reads.response_time.kind = side->reads.first_octet_time.kind = STATS_DURATIONS;
    side->atomics.response_time.kind = side->atomics.first_octet_time.kind = STATS_DURATIONS;
  }
  return s;
}

static void stats_requests_free(stats_requests *r) {
  stats_hist_free(&r->response_time);
  stats_hist_free(&r->first_octet_time);
}

static void stats_side_free(st_side *x, stats_side *out) {
  st_octets_free(&x->octets);
  free(x->items.of);
  free(x->requests.of);
  stats_hist_free(&out->fpdu_size);
  stats_hist_free(&out->fpdus_per_packet);
  stats_hist_free(&out->packets_per_fpdu);
  for (size_t i = 0; i < STATS_NAMES; i++) {
    if (out->messages[i] != NULL) {
      stats_hist_free(&out->messages[i]->size);
      stats_hist_free(&out->messages[i]->segments);
      free(out->messages[i]);
    }
  }
  stats_requests_free(&out->reads);
  stats_requests_free(&out->atomics);
  st_plot_free(&out->plots);
}

void stats_free(stats *s) {
  for (unsigned i = 0; s != NULL && i < 2; i++) {
    stats_side_free(&s->side[i], &s->figures.side[i]);
  }
  if (s != NULL) {
    free(s->intervals);
  }
  free(s);
}

static void stats_requests_settle(stats_requests *r) {
  stats_hist_settle(&r->response_time);
  stats_hist_settle(&r->first_octet_time);
}

static void stats_side_settle(stats_side *out) {
  stats_hist_settle(&out->fpdu_size);
  stats_hist_settle(&out->fpdus_per_packet);
  stats_hist_settle(&out->packets_per_fpdu);
  for (size_t i = 0; i < STATS_NAMES; i++) {
    if (out->messages[i] != NULL) {
      stats_hist_settle(&out->messages[i]->size);
      stats_hist_settle(&out->messages[i]->segments);
    }
  }
  stats_requests_settle(&out->reads);
  stats_requests_settle(&out->atomics);
}

const stats_figures *stats_now(stats *s) {
  for (unsigned i = 0; i < 2; i++) {
    stats_side_settle(&s->figures.side[i]);
  }
  return &s->figures;
}

uint8_t stats_first(const stats *s, const observe_conn *conn) {
  for (uint8_t side = 0; side < 2; side++) {
    if (conn->info->side[side].role == IWARP_ROLE_INITIATOR ||
        conn->info->side[side ^ 1u].role == IWARP_ROLE_RESPONDER) {
      return side;
    }
  }
  return s->figures.first_side;
}

/* ---- events ---- */

/* Sets the clock by events where no packets are shown. Time counts as in the packets of TCP, as far
 * as the connection knows its first one. */
static void stats_event_clock(stats *s, const iwarp_event *ev) {
  stats_figures *f = &s->figures;
  st_side *side = &s->side[ev->side];
  const uint64_t began = ev->sctp == NULL ? s->conn->began_ns : 0;
  if (ev->last.packet == 0) {
    return;
  }
  if (!s->any) {
    f->first_packet = ev->first.packet;
    s->clock_ns = ev->first.time_ns;
    f->first_ns = began > 0 && began < s->clock_ns ? began : s->clock_ns;
    f->first_side = ev->side;
    s->any = true;
  }
  s->clock_ns = ev->last.time_ns > s->clock_ns ? ev->last.time_ns : s->clock_ns;
  f->duration_ns = s->clock_ns - f->first_ns;
  if (!side->has_base) {
    side->base = ev->pos;
    side->has_base = true;
  }
}

static bool stats_is_startup(iwarp_sctp_function function) {
  switch (function) {
  case IWARP_SCTP_INITIATE:
  case IWARP_SCTP_ACCEPT:
  case IWARP_SCTP_REJECT:
  case IWARP_SCTP_ENHANCED_INITIATE:
  case IWARP_SCTP_ENHANCED_ACCEPT:
  case IWARP_SCTP_ENHANCED_REJECT: return true;
  case IWARP_SCTP_TERMINATE:
  case IWARP_SCTP_EXPERIMENTAL: break;
  }
  return false;
}

static void stats_sctp_message(stats *s, const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  if (m->has_control && stats_is_startup((iwarp_sctp_function)m->control.function) &&
      !s->figures.side[ev->side].has_startup) {
    st_startup(s, ev);
  }
}

static void stats_other(stats *s, const iwarp_event *ev) {
  st_side *side = &s->side[ev->side];
  if (s->by_events) {
    side->after_hole = side->after_hole || ev->kind != IWARP_EVENT_STREAMING;
  } else {
    (void)st_deliver(s, ev->side, st_position(&side->octets, (uint32_t)(ev->pos + ev->len)));
  }
}

static void stats_event_fpdu(stats *s, const iwarp_event *ev) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  const st_frame f = {.ev = ev,
                      .ddp = v->seg.has_ddp ? &v->seg.ddp : NULL,
                      .pos = ev->pos,
                      .len = ev->len,
                      .ulpdu_length = v->fpdu.ulpdu_length,
                      .payload_len = v->seg.payload_len,
                      .pad = (uint32_t)v->fpdu.layout.pad,
                      .lead = (uint32_t)v->fpdu.layout.lead,
                      .num_markers = (uint32_t)v->fpdu.layout.num_markers,
                      .side = ev->side,
                      .opcode = v->seg.ctrl.opcode,
                      .complete = v->complete,
                      .crc_bad = v->crc == IWARP_CRC_BAD};
  st_fpdu(s, &f);
}

/* Takes what an event before it has made due. */
static void stats_due(stats *s, const observe_conn *conn) {
  if (st_items_any(s)) {
    st_items_take(s, false);
  }
  if (s->num_intervals > 0 && conn->numbered) {
    st_intervals_give(s, false);
  }
}

void stats_event(stats *s, const observe_conn *conn, const iwarp_event *ev) {
  s->conn = conn;
  s->by_events = conn->info->sctp || s->cfg->by_events;
  if (s->by_events && ev->kind != IWARP_EVENT_SCTP_INIT && ev->kind != IWARP_EVENT_END) {
    stats_event_clock(s, ev);
  }
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: st_startup(s, ev); break;
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: stats_event_fpdu(s, ev); break;
  case IWARP_EVENT_GAP:
  case IWARP_EVENT_UNDECODABLE:
  case IWARP_EVENT_STREAMING: stats_other(s, ev); break;
  case IWARP_EVENT_SCTP_MESSAGE: stats_sctp_message(s, ev); break;
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_END: break;
  }
  stats_due(s, conn);
  s->conn = NULL;
}

void stats_fpdu(stats *s, const observe_conn *conn, const iwarp_observer_fpdu *fpdu) {
  const st_frame f = {.ddp = &fpdu->ddp,
                      .pos = fpdu->pos,
                      .len = fpdu->wire.len,
                      .ulpdu_length = fpdu->ulpdu_length,
                      .payload_len = fpdu->payload_len,
                      .pad = fpdu->pad,
                      .side = fpdu->side,
                      .opcode = fpdu->opcode,
                      .complete = true};
  s->conn = conn;
  s->by_events = s->cfg->by_events;
  st_fpdu(s, &f);
  stats_due(s, conn);
  s->conn = NULL;
}

/* ---- the end ---- */

/* What no FPDU follows is a hole, too. */
static bool stats_ends_with_hole(const stats *s, unsigned side) {
  const st_side *x = &s->side[side];
  const bool startup = s->figures.side[side].has_startup;
  const uint64_t end =
      x->octets.fin && x->octets.fin_at > x->octets.high ? x->octets.fin_at : x->octets.high;
  if (!startup && !x->any_fpdu) {
    return true;
  }
  return s->by_events ? x->after_hole : end > x->full_end;
}

static void stats_end_hole(stats *s, unsigned side) {
  const st_item item = {.kind = ST_HOLE, .at = {UINT64_MAX, s->clock_ns}};
  st_message_end(s, side);
  if (stats_ends_with_hole(s, side)) {
    s->side[side].hole = true;
    st_item_add(s, side, &item);
  }
}

static void stats_end_stream(stats *s, unsigned side) {
  const st_octets *o = &s->side[side].octets;
  stats_tcp *tcp = &s->figures.side[side].tcp;
  stats_stream *stream = &s->figures.side[side].stream;
  const uint64_t end = o->fin && o->fin_at > o->high ? o->fin_at : o->high;
  if (s->side[side].zero) {
    tcp->zero_window_ns += s->clock_ns - s->side[side].zero_ns;
  }
  if (!o->started) {
    return;
  }
  tcp->gaps = o->old_gaps;
  tcp->gap_octets = o->old_gap_octets;
  for (size_t i = 0; i < o->num_ranges; i++) {
    const uint64_t next = i + 1 < o->num_ranges ? o->ranges[i + 1].from : end;
    tcp->gaps += next > o->ranges[i].to ? 1u : 0u;
    tcp->gap_octets += next > o->ranges[i].to ? next - o->ranges[i].to : 0;
  }
  stream->octets = end - o->first;
  if (s->side[side].startup_to > end) {
    stream->startup = end > s->side[side].startup_from ? end - s->side[side].startup_from : 0;
  }
  const uint64_t lacks =
      stream->startup > 0
          ? st_missing(o, s->side[side].startup_from, s->side[side].startup_from + stream->startup)
          : 0;
  const uint64_t known = stream->payload + stream->headers + stream->pad + stream->crc +
                         stream->markers + stream->startup + stream->streaming;
  stream->missing = tcp->gap_octets > lacks ? tcp->gap_octets - lacks : 0;
  stream->undecoded = stream->octets - known - stream->missing;
}

static stats_span stats_span_of(bool known, st_mark from, st_mark to) {
  const bool later = known && to.packet > from.packet;
  return (stats_span){later, later ? to.ns - from.ns : 0};
}

static void stats_end_startup(stats *s, uint8_t first) {
  stats_figures *f = &s->figures;
  const st_side *request = &s->side[first];
  const st_side *reply = &s->side[first ^ 1u];
  const bool any = request->any_fpdu || reply->any_fpdu;
  const st_mark fpdu = !request->any_fpdu ? reply->first_fpdu
                       : reply->any_fpdu && reply->first_fpdu.packet < request->first_fpdu.packet
                           ? reply->first_fpdu
                           : request->first_fpdu;
  const bool has_reply = f->side[first ^ 1u].has_startup;
  f->request_to_reply =
      stats_span_of(f->side[first].has_startup && has_reply, request->startup, reply->startup);
  if (!s->by_events) {
    f->reply_to_first_fpdu = stats_span_of(has_reply && any, reply->startup, fpdu);
    f->syn_to_first_fpdu = (stats_span){s->syn && any, s->syn && any ? fpdu.ns - s->syn_ns : 0};
  }
}

void stats_end(stats *s, const observe_conn *conn) {
  const stats_side *a = &s->figures.side[0];
  const stats_side *b = &s->figures.side[1];
  s->conn = conn;
  for (unsigned side = 0; side < 2; side++) {
    stats_end_hole(s, side);
    stats_end_stream(s, side);
  }
  st_items_take(s, true);
  st_requests_end(s, conn);
  stats_end_startup(s, stats_first(s, conn));
  s->figures.whole = a->has_startup && b->has_startup && !s->side[0].hole && !s->side[1].hole &&
                     a->tcp.gaps + b->tcp.gaps + a->tcp.cut_packets + b->tcp.cut_packets == 0;
  if (conn->numbered) {
    st_intervals_give(s, true);
  }
  s->conn = NULL;
}

/* ---- memory ---- */

static size_t stats_hist_memory(const stats_hist *h) {
  return h->room * sizeof *h->cells;
}

size_t stats_memory(const stats *s) {
  size_t sum = sizeof *s + s->room_intervals * sizeof *s->intervals;
  for (unsigned i = 0; i < 2; i++) {
    const st_side *x = &s->side[i];
    const stats_side *out = &s->figures.side[i];
    sum += x->octets.room_ranges * sizeof(st_range) + x->octets.room_pieces * sizeof(st_piece) +
           x->items.room * sizeof(st_item) + x->requests.room * sizeof(st_request);
    sum += (out->plots.sequence.room + out->plots.latency.room + out->plots.outstanding.room) *
           sizeof(stats_point);
    sum += stats_hist_memory(&out->fpdu_size) + stats_hist_memory(&out->fpdus_per_packet) +
           stats_hist_memory(&out->packets_per_fpdu);
    for (size_t k = 0; k < STATS_NAMES; k++) {
      const stats_messages *m = out->messages[k];
      sum +=
          m != NULL ? sizeof *m + stats_hist_memory(&m->size) + stats_hist_memory(&m->segments) : 0;
    }
  }
  return sum;
}
