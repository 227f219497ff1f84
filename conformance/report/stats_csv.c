/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures as rows of CSV: one a direction. */
#include <report/conn.h>
#include <report/names.h>
#include <report/place.h>
#include <report/stats.h>

/* Output of a row. The header has the same walk as a row, with names in place of values. */
typedef struct csv {
  out_buf *out;
  bool header;
  bool comma;
  const char *group;  /* first part of the names: "messages." */
  const char *member; /* second part of the names: "write." */
  const char *hist;   /* third part of the names: "size" */
} csv;

static void csv_cell(csv *c, const char *name) {
  out_str(c->out, c->comma ? "," : "");
  c->comma = true;
  if (c->header) {
    out_str(c->out, c->group);
    out_str(c->out, c->member);
    out_str(c->out, c->hist);
    out_str(c->out, name);
  }
}

static void csv_u64(csv *c, const char *name, bool known, uint64_t v) {
  csv_cell(c, name);
  if (!c->header && known) {
    out_u64(c->out, v);
  }
}

static void csv_ns(csv *c, const char *name, bool known, uint64_t ns) {
  csv_cell(c, name);
  if (!c->header && known) {
    out_time(c->out, ns, 9);
  }
}

/* Text in double quotes where RFC 4180 2 asks for them. */
static void csv_text(csv *c, const char *name, const char *text) {
  csv_cell(c, name);
  if (c->header) {
    return;
  }
  const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
  out_str(c->out, quoted ? "\"" : "");
  for (; *text != 0; text++) {
    out_str(c->out, *text == '"' ? "\"" : "");
    out_char(c->out, *text);
  }
  out_str(c->out, quoted ? "\"" : "");
}

static void csv_hist(csv *c, const char *name, const stats_hist *h) {
  static const char *const names[] = {".p50", ".p90", ".p99"};
  static const unsigned int percents[] = {50, 90, 99};
  const bool any = h != NULL && h->count > 0;
  const bool ns = h != NULL && h->kind == STATS_DURATIONS;
  c->hist = name;
  csv_u64(c, ".count", any, any ? h->count : 0);
  (ns ? csv_ns : csv_u64)(c, ".sum", any, any ? h->sum : 0);
  (ns ? csv_ns : csv_u64)(c, ".min", any, any ? h->min : 0);
  for (size_t i = 0; i < 3; i++) {
    (ns ? csv_ns : csv_u64)(c, names[i], any, any ? stats_hist_rank(h, percents[i]) : 0);
  }
  (ns ? csv_ns : csv_u64)(c, ".max", any, any ? h->max : 0);
  c->hist = "";
}

static void csv_span(csv *c, const char *name, const stats_span *span) {
  csv_ns(c, name, span->known, span->ns);
}

/* ---- the connection ---- */

static void csv_name(csv *c, const char *name, const char *file) {
  out_buf text;
  out_open_memory(&text);
  report_name_put(&text, file);
  out_char(&text, 0);
  csv_text(c, name, text.buf != NULL ? text.buf : "");
  out_close(&text);
}

static void csv_frame(csv *c, const char *name, const observe_conn *conn, uint64_t packet) {
  const report_place place = packet != 0 ? report_place_of(conn, packet) : (report_place){0};
  csv_u64(c, name, packet != 0, place.frame);
}

static void csv_conn(csv *c, const report_stats_conn *x) {
  const observe_conn *conn = x->conn;
  const stats_figures *f = x->figures;
  const bool tcp = !conn->info->sctp;
  const uint8_t initiator = report_initiator(conn->info);
  csv_name(c, "file", conn->file);
  csv_u64(c, "conn", true, conn->number);
  csv_text(c, "transport", tcp ? "tcp" : "sctp");
  csv_text(c, "initiator", conn->addr[initiator]);
  csv_text(c, "responder", conn->addr[1 - initiator]);
  csv_text(c, "roles", report_roles_known(conn->info) ? "" : "unknown");
  csv_frame(c, "frame", conn, f->first_packet);
  csv_ns(c, "time", true, f->first_ns);
  csv_ns(c, "duration", true, f->duration_ns);
  csv_u64(c, "packets", tcp, f->packets);
  csv_u64(c, "octets", tcp, f->octets);
  csv_text(c, "whole", f->whole ? "true" : "false");
  csv_u64(c, "idle.count", tcp, f->idle_count);
  csv_ns(c, "idle.time", tcp, f->idle_ns);
  csv_ns(c, "idle.max", f->idle_max_packet != 0, f->idle_max_ns);
  csv_frame(c, "idle.max_frame", conn, f->idle_max_packet);
  csv_span(c, "startup.syn_to_synack", &f->syn_to_synack);
  csv_span(c, "startup.synack_to_ack", &f->synack_to_ack);
  csv_span(c, "startup.request_to_reply", &f->request_to_reply);
  csv_span(c, "startup.reply_to_first_fpdu", &f->reply_to_first_fpdu);
  csv_span(c, "startup.syn_to_first_fpdu", &f->syn_to_first_fpdu);
}

/* ---- a direction ---- */

static void csv_tcp(csv *c, bool tcp, const stats_tcp *t) {
  csv_u64(c, "tcp.packets", tcp, t->packets);
  csv_u64(c, "tcp.data_packets", tcp, t->data_packets);
  csv_u64(c, "tcp.octets", tcp, t->octets);
  csv_u64(c, "tcp.duplicate_packets", tcp, t->duplicate_packets);
  csv_u64(c, "tcp.cut_packets", tcp, t->cut_packets);
  csv_u64(c, "tcp.retransmitted_packets", tcp, t->retransmitted_packets);
  csv_u64(c, "tcp.retransmitted_octets", tcp, t->retransmitted_octets);
  csv_u64(c, "tcp.out_of_order_packets", tcp, t->out_of_order_packets);
  csv_u64(c, "tcp.keep_alives", tcp, t->keep_alives);
  csv_u64(c, "tcp.zero_windows", tcp, t->zero_windows);
  csv_ns(c, "tcp.zero_window_time", tcp, t->zero_window_ns);
  csv_u64(c, "tcp.gaps", tcp, t->gaps);
  csv_u64(c, "tcp.gap_octets", tcp, t->gap_octets);
}

static void csv_stream(csv *c, bool tcp, const stats_stream *s) {
  csv_u64(c, "stream.octets", tcp, s->octets);
  csv_u64(c, "stream.payload", tcp, s->payload);
  csv_u64(c, "stream.headers", tcp, s->headers);
  csv_u64(c, "stream.pad", tcp, s->pad);
  csv_u64(c, "stream.crc", tcp, s->crc);
  csv_u64(c, "stream.markers", tcp, s->markers);
  csv_u64(c, "stream.startup", tcp, s->startup);
  csv_u64(c, "stream.streaming", tcp, s->streaming);
  csv_u64(c, "stream.undecoded", tcp, s->undecoded);
  csv_u64(c, "stream.missing", tcp, s->missing);
}

static void csv_fpdus(csv *c, bool tcp, const stats_side *s) {
  const bool any = tcp && s->fpdus + s->bad_crc > 0;
  const bool known = tcp && s->fpdus > 0;
  csv_u64(c, "fpdus.count", any, s->fpdus);
  csv_u64(c, "fpdus.bad_crc", any, s->bad_crc);
  csv_hist(c, "fpdus.size", tcp ? &s->fpdu_size : NULL);
  csv_ns(c, "fpdus.active", known, s->active_ns);
  csv_u64(c, "packing.packets", known, s->packing_packets);
  csv_u64(c, "packing.aligned_packets", known, s->packing_aligned);
  csv_hist(c, "packing.fpdus_per_packet", known ? &s->fpdus_per_packet : NULL);
  csv_hist(c, "packing.packets_per_fpdu", known ? &s->packets_per_fpdu : NULL);
}

static void csv_messages(csv *c, const stats_side *s) {
  for (size_t i = 0; i < STATS_NAMES; i++) {
    const stats_messages *m = s->messages[i];
    c->group = "messages.";
    c->member = stats_name(i);
    csv_u64(c, ".count", m != NULL, m != NULL ? m->count : 0);
    csv_u64(c, ".octets", m != NULL, m != NULL ? m->octets : 0);
    csv_hist(c, ".size", m != NULL ? &m->size : NULL);
    csv_hist(c, ".segments", m != NULL ? &m->segments : NULL);
    c->group = c->member = "";
  }
  csv_u64(c, "messages_unfinished", s->fpdus > 0, s->unfinished);
  csv_u64(c, "messages_begun_unseen", s->fpdus > 0, s->begun_unseen);
}

static void csv_requests(csv *c, const char *name, const stats_requests *r, bool alone,
                         bool reads) {
  const bool any = r->requests > 0;
  c->group = name;
  csv_u64(c, "requests", any, r->requests);
  csv_u64(c, "answered", any && !alone, r->answered);
  csv_u64(c, "unanswered", any && !alone, r->unanswered);
  csv_u64(c, "left_out", any && !alone, r->left_out);
  csv_u64(c, "after_hole", any && !alone && r->after_hole > 0, r->after_hole);
  csv_hist(c, "response_time", any && !alone ? &r->response_time : NULL);
  if (reads) {
    csv_hist(c, "first_octet_time", any && !alone ? &r->first_octet_time : NULL);
  }
  c->group = "";
}

static void csv_outstanding(csv *c, const stats_outstanding *o) {
  csv_u64(c, "outstanding.max", o->known, o->max);
  csv_ns(c, "outstanding.busy", o->known, o->busy_ns);
  csv_cell(c, "outstanding.mean");
  if (!c->header && o->known && o->busy_ns > 0) {
    out_time(c->out, o->mean_micro * 1000, 6);
  }
  csv_ns(c, "outstanding.at_limit", o->known && o->has_limit, o->at_limit_ns);
  csv_u64(c, "outstanding.limit", o->known && o->has_limit, o->limit);
}

static void csv_direction(csv *c, const report_stats_conn *x, unsigned side) {
  const observe_conn *conn = x->conn;
  const stats_side *s = &x->figures->side[side];
  const bool tcp = !conn->info->sctp;
  const bool alone = report_stats_is_alone(x, side);
  csv_text(c, "dir", report_role_name(conn->info->side[side].role));
  csv_text(c, "src", conn->addr[side]);
  csv_text(c, "dst", conn->addr[1 - side]);
  csv_tcp(c, tcp, &s->tcp);
  csv_stream(c, tcp, &s->stream);
  csv_fpdus(c, tcp, s);
  csv_messages(c, s);
  csv_requests(c, "reads.", &s->reads, alone, true);
  csv_requests(c, "atomics.", &s->atomics, alone, false);
  csv_outstanding(c, &s->outstanding);
  out_char(c->out, '\n');
}

static csv csv_of(out_buf *out, bool header) {
  return (csv){.out = out, .header = header, .group = "", .member = "", .hist = ""};
}

void report_stats_csv(out_buf *out, const report_stats_conn *x) {
  for (unsigned i = 0; i < 2; i++) {
    csv c = csv_of(out, false);
    csv_conn(&c, x);
    csv_direction(&c, x, x->first ^ i);
  }
}

/* A connection without anything, of which no value is written. */
static const iwarp_observer_info csv_no_info;
static const stats_figures csv_no_figures;
static const observe_conn csv_no_conn = {.file = "", .info = &csv_no_info};

void report_stats_csv_header(out_buf *out) {
  const report_stats_conn x = {.conn = &csv_no_conn, .figures = &csv_no_figures};
  csv c = csv_of(out, true);
  csv_conn(&c, &x);
  csv_direction(&c, &x, 0);
}

/* ---- intervals ---- */

static void csv_interval(csv *c, const observe_conn *conn, unsigned side, uint64_t interval_ns,
                         const stats_interval *interval) {
  const bool tcp = !conn->info->sctp;
  const bool reads = interval->side[side].reads > 0;
  csv_name(c, "file", conn->file);
  csv_u64(c, "conn", true, conn->number);
  csv_u64(c, "index", true, interval->index);
  csv_ns(c, "start", true, interval->index * interval_ns);
  csv_ns(c, "interval", true, interval_ns);
  csv_text(c, "dir", report_role_name(conn->info->side[side].role));
  csv_u64(c, "packets", tcp, interval->side[side].packets);
  csv_u64(c, "octets", tcp, interval->side[side].octets);
  csv_u64(c, "retransmitted_octets", tcp, interval->side[side].retransmitted_octets);
  csv_u64(c, "payload", true, interval->side[side].payload);
  csv_u64(c, "messages", true, interval->side[side].messages);
  csv_u64(c, "read_response_time.count", reads, interval->side[side].reads);
  csv_ns(c, "read_response_time.sum", reads, interval->side[side].read_sum_ns);
  csv_ns(c, "read_response_time.max", reads, interval->side[side].read_max_ns);
  out_char(c->out, '\n');
}

void report_stats_interval_csv(out_buf *out, const observe_conn *conn, uint8_t first,
                               uint64_t interval_ns, const stats_interval *interval) {
  for (unsigned i = 0; i < 2; i++) {
    csv c = csv_of(out, false);
    csv_interval(&c, conn, first ^ i, interval_ns, interval);
  }
}

void report_stats_interval_csv_header(out_buf *out) {
  static const stats_interval nothing;
  csv c = csv_of(out, true);
  csv_interval(&c, &csv_no_conn, 0, 0, &nothing);
}
