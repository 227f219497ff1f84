/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over connections, and OpenMetrics text of them. */
#include <report/conn.h>
#include <report/names.h>
#include <report/stats_metrics.h>

#include <string.h>

static const char *const metrics_dirs[REPORT_METRICS_DIRS] = {"initiator", "responder", "unknown"};
static const char *const metrics_parts[REPORT_METRICS_PARTS] = {
    "payload", "headers", "pad", "crc", "markers", "startup", "streaming", "undecoded", "missing"};
static const char *const metrics_operations[2] = {"read-request", "atomic-request"};

/* Bounds of sizes, and the bucket of stats_hist that ends with each. */
static const struct {
  const char *le;
  size_t bucket;
} metrics_sizes[REPORT_METRICS_SIZES] = {
    {"0", 0},      {"64", 7},     {"256", 9},     {"1024", 11},    {"4096", 13},
    {"16384", 15}, {"65536", 17}, {"262144", 19}, {"1048576", 21}, {"+Inf", 65}};

/* ---- sums ---- */

static void metrics_add_times(report_metrics_hist *m, const stats_hist *h) {
  m->count += h->count;
  m->sum += h->sum;
  for (size_t i = 0; i < REPORT_METRICS_TIMES; i++) {
    m->of[i] += h->bound[i];
  }
}

static void metrics_add_sizes(report_metrics_hist *m, const stats_hist *h) {
  size_t to = 0;
  m->count += h->count;
  m->sum += h->sum;
  for (size_t i = 0; i < stats_hist_buckets(STATS_SIZES); i++) {
    to += i > metrics_sizes[to].bucket ? 1u : 0u;
    m->of[to] += h->bound[i];
  }
}

static void metrics_add_tcp(report_metrics_dir *d, const stats_side *s, bool ended) {
  const stats_stream *x = &s->stream;
  const uint64_t parts[REPORT_METRICS_PARTS] = {x->payload,
                                                x->headers,
                                                x->pad,
                                                x->crc,
                                                x->markers,
                                                ended ? x->startup : 0,
                                                x->streaming,
                                                ended ? x->undecoded : 0,
                                                ended ? x->missing : 0};
  d->any = true;
  d->packets += s->tcp.packets;
  d->duplicate_packets += s->tcp.duplicate_packets;
  d->retransmitted_packets += s->tcp.retransmitted_packets;
  d->retransmitted_octets += s->tcp.retransmitted_octets;
  d->out_of_order_packets += s->tcp.out_of_order_packets;
  d->zero_window_ns += s->tcp.zero_window_ns;
  d->gap_octets += ended ? s->tcp.gap_octets : 0;
  for (size_t i = 0; i < REPORT_METRICS_PARTS; i++) {
    d->parts[i] += parts[i];
  }
  d->any_fpdus = d->any_fpdus || s->fpdus + s->bad_crc > 0;
  d->fpdus += s->fpdus;
  d->bad_crc += s->bad_crc;
}

static void metrics_add_messages(report_metrics_dir *d, const stats_side *s) {
  for (size_t i = 0; i < STATS_NAMES; i++) {
    const stats_messages *m = s->messages[i];
    if (m != NULL) {
      d->any_messages[i] = true;
      d->messages[i] += m->count;
      metrics_add_sizes(&d->sizes[i], &m->size);
    }
  }
}

static void metrics_add_requests(report_metrics_requests *m, const stats_requests *r, bool alone,
                                 bool ended) {
  m->any = m->any || r->requests > 0;
  m->requests += r->requests;
  if (alone || r->requests == 0) {
    return;
  }
  m->answers = true;
  m->unanswered += ended ? r->unanswered : 0;
  m->left_out += r->left_out;
  metrics_add_times(&m->response_time, &r->response_time);
  metrics_add_times(&m->first_octet_time, &r->first_octet_time);
}

static size_t metrics_dir(const observe_conn *conn, unsigned side) {
  switch (conn->info->side[side].role) {
  case IWARP_ROLE_INITIATOR: return 0;
  case IWARP_ROLE_RESPONDER: return 1;
  case IWARP_ROLE_UNKNOWN: break;
  }
  return 2;
}

/* Returns true if no later packet changes the roles. A startup frame is the first PDU of its side.
 * The first one settles the roles, unless it is a Reply: a Reply of the other side that answers it
 * makes its sender the initiator. */
static bool metrics_roles_are_settled(const iwarp_observer_info *info) {
  bool both = true;
  bool first = false;
  for (unsigned i = 0; i < 2; i++) {
    const iwarp_observer_side *side = &info->side[i];
    both = both && (side->has_startup || side->num_fpdus > 0);
    first = first || (side->has_startup && side->key != IWARP_MPA_KEY_REPLY);
  }
  return both || first;
}

void report_metrics_add(report_metrics *m, const report_stats_conn *c, bool ended) {
  const observe_conn *conn = c->conn;
  if (!ended && !metrics_roles_are_settled(conn->info)) {
    return;
  }
  m->connections++;
  for (unsigned side = 0; side < 2; side++) {
    report_metrics_dir *d = &m->dirs[metrics_dir(conn, side)];
    const stats_side *s = &c->figures->side[side];
    const bool alone = report_stats_is_alone(c, side);
    if (!conn->info->sctp) {
      metrics_add_tcp(d, s, ended);
    }
    metrics_add_messages(d, s);
    metrics_add_requests(&d->requests[0], &s->reads, alone, ended);
    metrics_add_requests(&d->requests[1], &s->atomics, alone, ended);
  }
}

/* ---- text ---- */

/* Output of the text, and the label of each figure, as NAME=VALUE; NULL: no label. */
typedef struct metrics_text {
  out_buf *out;
  const char *label;
} metrics_text;

static void metrics_family(out_buf *out, const char *name, const char *type, const char *unit,
                           const char *help) {
  const char *const lines[][2] = {{"# TYPE ", type}, {"# UNIT ", unit}, {"# HELP ", help}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    if (lines[i][1] != NULL) {
      out_str(out, lines[i][0]);
      out_str(out, name);
      out_char(out, ' ');
      out_str(out, lines[i][1]);
      out_char(out, '\n');
    }
  }
}

/* A label of the caller; OpenMetrics escapes two characters of its value that may be there. */
static void metrics_label(out_buf *out, const char *label) {
  const size_t name = strcspn(label, "=");
  out_put(out, label, name);
  out_str(out, "=\"");
  for (const char *at = label + name + 1; *at != 0; at++) {
    if (*at == '"' || *at == '\\') {
      out_char(out, '\\');
    }
    out_char(out, *at);
  }
  out_char(out, '"');
}

/* The beginning of a line, up to the last label, without the closing brace. */
static void metrics_labels(const metrics_text *t, const char *name, const char *suffix, size_t dir,
                           const char *key, const char *value) {
  out_buf *out = t->out;
  out_str(out, name);
  out_str(out, suffix);
  out_char(out, '{');
  if (t->label != NULL) {
    metrics_label(out, t->label);
    out_char(out, ',');
  }
  out_str(out, "dir=\"");
  out_str(out, metrics_dirs[dir]);
  out_char(out, '"');
  if (key != NULL) {
    out_char(out, ',');
    out_str(out, key);
    out_str(out, "=\"");
    out_str(out, value);
    out_char(out, '"');
  }
}

static void metrics_total(const metrics_text *t, const char *name, size_t dir, const char *key,
                          const char *value, uint64_t n) {
  out_buf *out = t->out;
  metrics_labels(t, name, "_total", dir, key, value);
  out_str(out, "} ");
  out_u64(out, n);
  out_char(out, '\n');
}

static void metrics_put_tcp(const metrics_text *t, const report_metrics *m) {
  out_buf *out = t->out;
  static const struct {
    const char *name;
    const char *unit;
    const char *help;
  } rows[] = {
      {"iwarp_packets", NULL, "Packets of iWARP connections."},
      {"iwarp_duplicate_packets", NULL, "Packets that were captured twice."},
      {"iwarp_retransmitted_packets", NULL, "Packets with octets that an earlier packet carried."},
      {"iwarp_retransmitted_bytes", "bytes", "Octets that an earlier packet carried."},
      {"iwarp_out_of_order_packets", NULL, "Packets with new octets below the highest ones."},
      {"iwarp_zero_window_seconds", "seconds", "Time in which a side advertised a window of 0."},
      {"iwarp_gap_bytes", "bytes", "Octets of streams that no packet carried."},
      {"iwarp_fpdus", NULL, "FPDUs that are known."},
      {"iwarp_bad_crc_fpdus", NULL, "FPDUs with a wrong CRC."},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    metrics_family(out, rows[i].name, "counter", rows[i].unit, rows[i].help);
    for (size_t dir = 0; dir < REPORT_METRICS_DIRS; dir++) {
      const report_metrics_dir *d = &m->dirs[dir];
      const uint64_t values[] = {d->packets,
                                 d->duplicate_packets,
                                 d->retransmitted_packets,
                                 d->retransmitted_octets,
                                 d->out_of_order_packets,
                                 d->zero_window_ns,
                                 d->gap_octets,
                                 d->fpdus,
                                 d->bad_crc};
      const bool seconds = rows[i].unit != NULL && rows[i].unit[0] == 's';
      if (i < 7 ? !d->any : !d->any_fpdus) {
        continue;
      }
      if (seconds) {
        metrics_labels(t, rows[i].name, "_total", dir, NULL, NULL);
        out_str(out, "} ");
        out_time(out, values[i], 9);
        out_char(out, '\n');
      } else {
        metrics_total(t, rows[i].name, dir, NULL, NULL, values[i]);
      }
    }
  }
}

static void metrics_put_parts(const metrics_text *t, const report_metrics *m) {
  out_buf *out = t->out;
  metrics_family(out, "iwarp_stream_bytes", "counter", "bytes",
                 "Octets of streams by what they are.");
  for (size_t dir = 0; dir < REPORT_METRICS_DIRS; dir++) {
    for (size_t i = 0; m->dirs[dir].any && i < REPORT_METRICS_PARTS; i++) {
      metrics_total(t, "iwarp_stream_bytes", dir, "part", metrics_parts[i], m->dirs[dir].parts[i]);
    }
  }
}

static void metrics_put_messages(const metrics_text *t, const report_metrics *m) {
  out_buf *out = t->out;
  metrics_family(out, "iwarp_messages", "counter", NULL, "RDMAP messages that ended.");
  for (size_t dir = 0; dir < REPORT_METRICS_DIRS; dir++) {
    for (size_t i = 0; i < STATS_NAMES; i++) {
      if (m->dirs[dir].any_messages[i]) {
        metrics_total(t, "iwarp_messages", dir, "operation", stats_name(i),
                      m->dirs[dir].messages[i]);
      }
    }
  }
}

static void metrics_put_requests(const metrics_text *t, const report_metrics *m) {
  out_buf *out = t->out;
  static const struct {
    const char *name;
    const char *help;
  } rows[] = {{"iwarp_requests", "Read and Atomic Requests."},
              {"iwarp_requests_unanswered", "Requests that were open at the end."},
              {"iwarp_requests_left_out", "Requests whose Responses are unknown."}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    metrics_family(out, rows[i].name, "counter", NULL, rows[i].help);
    for (size_t k = 0; k < 2 * REPORT_METRICS_DIRS; k++) {
      const report_metrics_requests *r = &m->dirs[k / 2].requests[k % 2];
      const uint64_t values[] = {r->requests, r->unanswered, r->left_out};
      if (i == 0 ? r->any : r->answers) {
        metrics_total(t, rows[i].name, k / 2, "operation", metrics_operations[k % 2], values[i]);
      }
    }
  }
}

/* Nanoseconds as seconds, without zeros at the end. */
static void metrics_bound(out_buf *out, uint64_t ns) {
  uint64_t rest = ns % 1000000000u;
  out_u64(out, ns / 1000000000u);
  if (rest > 0) {
    out_char(out, '.');
  }
  for (uint64_t unit = 100000000u; rest > 0; unit /= 10) {
    out_char(out, (char)('0' + rest / unit));
    rest %= unit;
  }
}

static void metrics_put_hist(const metrics_text *t, const char *name, size_t dir,
                             const char *operation, const report_metrics_hist *h, bool times) {
  out_buf *out = t->out;
  uint64_t sum = 0;
  for (size_t i = 0; i < (times ? REPORT_METRICS_TIMES : REPORT_METRICS_SIZES); i++) {
    sum += h->of[i];
    metrics_labels(t, name, "_bucket", dir, "operation", operation);
    out_str(out, ",le=\"");
    if (!times) {
      out_str(out, metrics_sizes[i].le);
    } else if (stats_hist_bound(STATS_DURATIONS, i) == UINT64_MAX) {
      out_str(out, "+Inf");
    } else {
      metrics_bound(out, stats_hist_bound(STATS_DURATIONS, i));
    }
    out_str(out, "\"} ");
    out_u64(out, sum);
    out_char(out, '\n');
  }
  metrics_labels(t, name, "_sum", dir, "operation", operation);
  out_str(out, "} ");
  if (times) {
    out_time(out, h->sum, 9);
  } else {
    out_u64(out, h->sum);
  }
  out_char(out, '\n');
  metrics_labels(t, name, "_count", dir, "operation", operation);
  out_str(out, "} ");
  out_u64(out, h->count);
  out_char(out, '\n');
}

static void metrics_put_hists(const metrics_text *t, const report_metrics *m) {
  out_buf *out = t->out;
  static const char *const names[] = {"iwarp_response_time_seconds",
                                      "iwarp_first_octet_time_seconds"};
  static const char *const helps[] = {"From a Request to the last octet of its Response.",
                                      "From a Read Request to the first octet of its Response."};
  for (size_t i = 0; i < 2; i++) {
    metrics_family(out, names[i], "histogram", "seconds", helps[i]);
    for (size_t k = 0; k < 2 * REPORT_METRICS_DIRS; k++) {
      const report_metrics_requests *r = &m->dirs[k / 2].requests[k % 2];
      const report_metrics_hist *h = i == 0 ? &r->response_time : &r->first_octet_time;
      if (h->count > 0) {
        metrics_put_hist(t, names[i], k / 2, metrics_operations[k % 2], h, true);
      }
    }
  }
  metrics_family(out, "iwarp_message_size_bytes", "histogram", "bytes",
                 "Payload of RDMAP messages.");
  for (size_t dir = 0; dir < REPORT_METRICS_DIRS; dir++) {
    for (size_t i = 0; i < STATS_NAMES; i++) {
      const report_metrics_hist *h = &m->dirs[dir].sizes[i];
      if (h->count > 0) {
        metrics_put_hist(t, "iwarp_message_size_bytes", dir, stats_name(i), h, false);
      }
    }
  }
}

void report_metrics_put(out_buf *out, const report_metrics *m, const char *label) {
  const metrics_text text = {out, label};
  const metrics_text *t = &text;
  metrics_family(out, "iwarp_connections", "counter", NULL, "iWARP connections.");
  out_str(out, "iwarp_connections_total");
  if (label != NULL) {
    out_char(out, '{');
    metrics_label(out, label);
    out_char(out, '}');
  }
  out_char(out, ' ');
  out_u64(out, m->connections);
  out_char(out, '\n');
  metrics_put_tcp(t, m);
  metrics_put_parts(t, m);
  metrics_put_messages(t, m);
  metrics_put_requests(t, m);
  metrics_put_hists(t, m);
  out_str(out, "# EOF\n");
}
