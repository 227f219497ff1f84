/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of `iwarp stats -T jsonl`. */
#include <report/conn.h>
#include <report/jsonw.h>
#include <report/names.h>
#include <report/place.h>
#include <report/stats.h>

static void json_ns(jsonw *w, const char *key, uint64_t ns) {
  jsonw_key(w, key);
  out_time(w->out, ns, 9);
}

static void json_span(jsonw *w, const char *key, const stats_span *span) {
  if (span->known) {
    json_ns(w, key, span->ns);
  }
}

/* A number of a distribution. */
static void json_value(jsonw *w, const char *key, stats_hist_kind kind, uint64_t v) {
  if (kind == STATS_DURATIONS) {
    json_ns(w, key, v);
  } else {
    jsonw_u64(w, key, v);
  }
}

static void json_hist(jsonw *w, const char *key, const stats_hist *h) {
  if (h->count == 0) {
    return;
  }
  jsonw_object(w, key);
  jsonw_u64(w, "count", h->count);
  json_value(w, "sum", h->kind, h->sum);
  json_value(w, "min", h->kind, h->min);
  json_value(w, "p50", h->kind, stats_hist_rank(h, 50));
  json_value(w, "p90", h->kind, stats_hist_rank(h, 90));
  json_value(w, "p99", h->kind, stats_hist_rank(h, 99));
  json_value(w, "max", h->kind, h->max);
  jsonw_array(w, "histogram");
  for (size_t i = 0; i < stats_hist_buckets(h->kind); i++) {
    if (h->bound[i] == 0) {
      continue;
    }
    jsonw_array(w, NULL);
    if (stats_hist_bound(h->kind, i) == UINT64_MAX) {
      jsonw_key(w, NULL);
      out_str(w->out, "null");
    } else {
      json_value(w, NULL, h->kind, stats_hist_bound(h->kind, i));
    }
    jsonw_u64(w, NULL, h->bound[i]);
    jsonw_end_array(w);
  }
  jsonw_end_array(w);
  jsonw_end_object(w);
}

static void json_conn(jsonw *w, const observe_conn *conn) {
  jsonw_string(w, "file", conn->file, strlen(conn->file));
  jsonw_u64(w, "conn", conn->number);
}

/* ---- the connection ---- */

static void json_idle(jsonw *w, const report_stats_conn *c) {
  const stats_figures *f = c->figures;
  jsonw_object(w, "idle");
  jsonw_u64(w, "count", f->idle_count);
  json_ns(w, "time", f->idle_ns);
  if (f->idle_max_packet != 0) {
    json_ns(w, "max", f->idle_max_ns);
    report_place_json(w, "max_frame", c->conn, 0, f->idle_max_packet);
  }
  jsonw_end_object(w);
}

static void json_startup(jsonw *w, const stats_figures *f) {
  if (!f->syn_to_synack.known && !f->synack_to_ack.known && !f->request_to_reply.known &&
      !f->reply_to_first_fpdu.known && !f->syn_to_first_fpdu.known) {
    return;
  }
  jsonw_object(w, "startup");
  json_span(w, "syn_to_synack", &f->syn_to_synack);
  json_span(w, "synack_to_ack", &f->synack_to_ack);
  json_span(w, "request_to_reply", &f->request_to_reply);
  json_span(w, "reply_to_first_fpdu", &f->reply_to_first_fpdu);
  json_span(w, "syn_to_first_fpdu", &f->syn_to_first_fpdu);
  jsonw_end_object(w);
}

static void json_limits(jsonw *w, uint32_t limits) {
  if (limits == 0) {
    return;
  }
  jsonw_array(w, "limits");
  for (uint32_t bit = 1; stats_limit_name(bit) != NULL; bit <<= 1) {
    if ((limits & bit) != 0) {
      jsonw_text(w, NULL, stats_limit_name(bit));
    }
  }
  jsonw_end_array(w);
}

/* ---- a direction ---- */

static void json_tcp(jsonw *w, const stats_tcp *t) {
  jsonw_object(w, "tcp");
  jsonw_u64(w, "packets", t->packets);
  jsonw_u64(w, "data_packets", t->data_packets);
  jsonw_u64(w, "octets", t->octets);
  jsonw_u64(w, "duplicate_packets", t->duplicate_packets);
  jsonw_u64(w, "cut_packets", t->cut_packets);
  jsonw_u64(w, "retransmitted_packets", t->retransmitted_packets);
  jsonw_u64(w, "retransmitted_octets", t->retransmitted_octets);
  jsonw_u64(w, "out_of_order_packets", t->out_of_order_packets);
  jsonw_u64(w, "keep_alives", t->keep_alives);
  jsonw_u64(w, "zero_windows", t->zero_windows);
  json_ns(w, "zero_window_time", t->zero_window_ns);
  jsonw_u64(w, "gaps", t->gaps);
  jsonw_u64(w, "gap_octets", t->gap_octets);
  jsonw_end_object(w);
}

static void json_stream(jsonw *w, const stats_stream *s) {
  jsonw_object(w, "stream");
  jsonw_u64(w, "octets", s->octets);
  jsonw_u64(w, "payload", s->payload);
  jsonw_u64(w, "headers", s->headers);
  jsonw_u64(w, "pad", s->pad);
  jsonw_u64(w, "crc", s->crc);
  jsonw_u64(w, "markers", s->markers);
  jsonw_u64(w, "startup", s->startup);
  jsonw_u64(w, "streaming", s->streaming);
  jsonw_u64(w, "undecoded", s->undecoded);
  jsonw_u64(w, "missing", s->missing);
  jsonw_end_object(w);
}

static void json_fpdus(jsonw *w, const stats_side *s) {
  if (s->fpdus + s->bad_crc == 0) {
    return;
  }
  jsonw_object(w, "fpdus");
  jsonw_u64(w, "count", s->fpdus);
  jsonw_u64(w, "bad_crc", s->bad_crc);
  json_hist(w, "size", &s->fpdu_size);
  if (s->fpdus > 0) {
    json_ns(w, "active", s->active_ns);
  }
  jsonw_end_object(w);
  if (s->fpdus > 0) {
    jsonw_object(w, "packing");
    jsonw_u64(w, "packets", s->packing_packets);
    jsonw_u64(w, "aligned_packets", s->packing_aligned);
    json_hist(w, "fpdus_per_packet", &s->fpdus_per_packet);
    json_hist(w, "packets_per_fpdu", &s->packets_per_fpdu);
    jsonw_end_object(w);
  }
}

static void json_messages(jsonw *w, const stats_side *s) {
  if (s->fpdus == 0) {
    return;
  }
  jsonw_object(w, "messages");
  for (size_t i = 0; i < STATS_NAMES; i++) {
    const stats_messages *m = s->messages[i];
    if (m != NULL) {
      jsonw_object(w, stats_name(i));
      jsonw_u64(w, "count", m->count);
      jsonw_u64(w, "octets", m->octets);
      json_hist(w, "size", &m->size);
      json_hist(w, "segments", &m->segments);
      jsonw_end_object(w);
    }
  }
  jsonw_end_object(w);
  jsonw_u64(w, "messages_unfinished", s->unfinished);
  jsonw_u64(w, "messages_begun_unseen", s->begun_unseen);
}

static void json_requests(jsonw *w, const char *key, const stats_requests *r, bool alone) {
  if (r->requests == 0) {
    return;
  }
  jsonw_object(w, key);
  jsonw_u64(w, "requests", r->requests);
  if (!alone) {
    jsonw_u64(w, "answered", r->answered);
    jsonw_u64(w, "unanswered", r->unanswered);
    jsonw_u64(w, "left_out", r->left_out);
    if (r->after_hole > 0) {
      jsonw_u64(w, "after_hole", r->after_hole);
    }
    json_hist(w, "response_time", &r->response_time);
    json_hist(w, "first_octet_time", &r->first_octet_time);
  }
  jsonw_end_object(w);
}

static void json_outstanding(jsonw *w, const stats_outstanding *o) {
  if (!o->known) {
    return;
  }
  jsonw_object(w, "outstanding");
  jsonw_u64(w, "max", o->max);
  json_ns(w, "busy", o->busy_ns);
  if (o->busy_ns > 0) {
    jsonw_key(w, "mean");
    out_fixed(w->out, o->mean_micro, 6);
  }
  if (o->has_limit) {
    jsonw_u64(w, "limit", o->limit);
    json_ns(w, "at_limit", o->at_limit_ns);
  }
  jsonw_end_object(w);
}

static void json_direction(jsonw *w, const report_stats_conn *c, unsigned side) {
  const observe_conn *conn = c->conn;
  const stats_side *s = &c->figures->side[side];
  const bool alone = report_stats_is_alone(c, side);
  jsonw_object(w, NULL);
  jsonw_text(w, "dir", report_role_name(conn->info->side[side].role));
  jsonw_text(w, "src", conn->addr[side]);
  jsonw_text(w, "dst", conn->addr[1 - side]);
  if (!conn->info->sctp) {
    json_tcp(w, &s->tcp);
    json_stream(w, &s->stream);
    json_fpdus(w, s);
  }
  json_messages(w, s);
  json_requests(w, "reads", &s->reads, alone);
  json_requests(w, "atomics", &s->atomics, alone);
  json_outstanding(w, &s->outstanding);
  jsonw_end_object(w);
}

bool report_stats_is_alone(const report_stats_conn *c, unsigned side) {
  const stats_side *peer = &c->figures->side[side ^ 1u];
  return c->conn->info->sctp ? !peer->has_startup && peer->fpdus == 0 : peer->tcp.data_packets == 0;
}

void report_stats_json(out_buf *out, const report_stats_conn *c) {
  const observe_conn *conn = c->conn;
  const stats_figures *f = c->figures;
  const uint8_t initiator = report_initiator(conn->info);
  jsonw w = {.out = out};
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "stats");
  json_conn(&w, conn);
  jsonw_text(&w, "transport", conn->info->sctp ? "sctp" : "tcp");
  jsonw_text(&w, "initiator", conn->addr[initiator]);
  jsonw_text(&w, "responder", conn->addr[1 - initiator]);
  if (!report_roles_known(conn->info)) {
    jsonw_text(&w, "roles", "unknown");
  }
  report_place_json(&w, "frame", conn, 0, f->first_packet);
  jsonw_time(&w, "time", f->first_ns);
  json_ns(&w, "duration", f->duration_ns);
  if (!conn->info->sctp) {
    jsonw_u64(&w, "packets", f->packets);
    jsonw_u64(&w, "octets", f->octets);
  }
  jsonw_bool(&w, "whole", f->whole);
  if (!conn->info->sctp) {
    json_idle(&w, c);
  }
  json_startup(&w, f);
  jsonw_array(&w, "directions");
  json_direction(&w, c, c->first);
  json_direction(&w, c, c->first ^ 1u);
  jsonw_end_array(&w);
  json_limits(&w, f->limits);
  if (conn->given_up != NULL) {
    jsonw_text(&w, "given_up", conn->given_up);
  }
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

/* ---- intervals ---- */

static void json_interval_side(jsonw *w, const observe_conn *conn, unsigned side,
                               const stats_interval *interval) {
  jsonw_object(w, NULL);
  jsonw_text(w, "dir", report_role_name(conn->info->side[side].role));
  if (!conn->info->sctp) {
    jsonw_u64(w, "packets", interval->side[side].packets);
    jsonw_u64(w, "octets", interval->side[side].octets);
    jsonw_u64(w, "retransmitted_octets", interval->side[side].retransmitted_octets);
  }
  jsonw_u64(w, "payload", interval->side[side].payload);
  jsonw_u64(w, "messages", interval->side[side].messages);
  if (interval->side[side].reads > 0) {
    jsonw_object(w, "read_response_time");
    jsonw_u64(w, "count", interval->side[side].reads);
    json_ns(w, "sum", interval->side[side].read_sum_ns);
    json_ns(w, "max", interval->side[side].read_max_ns);
    jsonw_end_object(w);
  }
  jsonw_end_object(w);
}

void report_stats_interval_json(out_buf *out, const observe_conn *conn, uint8_t first,
                                uint64_t interval_ns, const stats_interval *interval) {
  jsonw w = {.out = out};
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "stats-interval");
  json_conn(&w, conn);
  jsonw_u64(&w, "index", interval->index);
  json_ns(&w, "start", interval->index * interval_ns);
  json_ns(&w, "interval", interval_ns);
  jsonw_array(&w, "directions");
  json_interval_side(&w, conn, first, interval);
  json_interval_side(&w, conn, first ^ 1u, interval);
  jsonw_end_array(&w);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}
