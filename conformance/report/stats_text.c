/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of `iwarp stats`. */
#include <report/conn.h>
#include <report/names.h>
#include <report/place.h>
#include <report/stats.h>
#include <report/times.h>

enum {
  TEXT_LABEL = 26,  /* columns of the first column of a table */
  TEXT_COLUMN = 13, /* columns of the other columns */
  TEXT_PARTS = 9,   /* parts of a stream */
  TEXT_MS = 1000000 /* ns: shorter activity has no throughput */
};

/* Pads a line from `from` on up to a column. */
static void text_pad(out_buf *out, uint64_t from, size_t column) {
  const uint64_t now = out_tell(out) - from;
  out_fill(out, ' ', now < column ? (size_t)(column - now) : 1);
}

static void text_count(out_buf *out, uint64_t n, const char *one, const char *many) {
  out_u64(out, n);
  out_char(out, ' ');
  out_str(out, n == 1 ? one : many);
}

static void text_ns(out_buf *out, uint64_t ns) {
  out_time(out, ns, 9);
  out_str(out, " s");
}

/* ---- distributions ---- */

static void text_value(out_buf *out, const stats_hist *h, uint64_t v) {
  if (h->kind == STATS_DURATIONS) {
    out_time(out, v, 9);
  } else {
    out_u64(out, v);
  }
}

/* The sum by the count: nanoseconds, or tenths. */
static void text_mean(out_buf *out, const stats_hist *h) {
  if (h->kind == STATS_DURATIONS) {
    out_time(out, h->sum / h->count, 9);
    return;
  }
  const uint64_t whole = h->sum / h->count;
  const uint64_t rest = h->sum % h->count;
  out_u64(out, whole);
  out_char(out, '.');
  out_u64(out, rest > UINT64_MAX / 10 ? 9 : rest * 10 / h->count);
}

static void text_cell(out_buf *out, out_buf *cell) {
  out_fill(out, ' ', cell->len < TEXT_COLUMN ? TEXT_COLUMN - cell->len : 1);
  out_put(out, cell->buf, cell->len);
  out_clear(cell);
}

static void text_head(out_buf *out, const char *title) {
  static const char *const columns[] = {"count", "min", "mean", "p50", "p90", "p99", "max"};
  const uint64_t from = out_tell(out);
  out_str(out, "    ");
  out_str(out, title);
  text_pad(out, from, TEXT_LABEL);
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
    out_fill(out, ' ', TEXT_COLUMN - strlen(columns[i]));
    out_str(out, columns[i]);
  }
  out_char(out, '\n');
}

static void text_row(out_buf *out, const char *label, const char *what, const stats_hist *h) {
  const uint64_t from = out_tell(out);
  out_buf cell;
  if (h->count == 0) {
    return;
  }
  out_open_memory(&cell);
  out_str(out, "      ");
  out_str(out, label);
  out_str(out, what);
  text_pad(out, from, TEXT_LABEL);
  out_u64(&cell, h->count);
  text_cell(out, &cell);
  text_value(&cell, h, h->min);
  text_cell(out, &cell);
  text_mean(&cell, h);
  text_cell(out, &cell);
  static const unsigned int percents[] = {50, 90, 99};
  for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++) {
    text_value(&cell, h, stats_hist_rank(h, percents[i]));
    text_cell(out, &cell);
  }
  text_value(&cell, h, h->max);
  text_cell(out, &cell);
  out_char(out, '\n');
  out_close(&cell);
}

/* ---- a direction ---- */

/* Throughput over time, a character a slot: eight heights of a block. */
static void text_sparkline(out_buf *out, const stats_slots *slots) {
  uint64_t most = 1;
  for (size_t i = 0; i < slots->num; i++) {
    most = slots->of[i] > most ? slots->of[i] : most;
  }
  for (size_t i = 0; i < slots->num; i++) {
    const char block[] = {'\xe2', '\x96', (char)(0x81 + slots->of[i] / (most / 7 + 1)), 0};
    out_str(out, slots->of[i] == 0 ? " " : block);
  }
}

/* Octets a second, in the largest unit that leaves a whole number of three digits at most. */
static void text_rate(out_buf *out, uint64_t octets, uint64_t ns) {
  static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s"};
  uint64_t rate = octets <= UINT64_MAX / 10000000000u ? octets * 10000000000u / ns
                                                      : octets / (ns / 1000000 + 1) * 10000;
  size_t unit = 0;
  while (unit < 3 && rate >= 10000) {
    rate /= 1000;
    unit++;
  }
  out_u64(out, rate / 10);
  out_char(out, '.');
  out_u64(out, rate % 10);
  out_char(out, ' ');
  out_str(out, units[unit]);
}

static void text_throughput(out_buf *out, const stats_side *s) {
  if (s->active_ns < TEXT_MS) {
    return;
  }
  out_str(out, "    throughput: ");
  text_rate(out, s->stream.payload, s->active_ns);
  out_str(out, " of payload for ");
  text_ns(out, s->active_ns);
  if (s->slots.num > 1) {
    out_str(out, "  |");
    text_sparkline(out, &s->slots);
    out_str(out, "|");
  }
  out_char(out, '\n');
}

static void text_tcp(out_buf *out, const stats_tcp *t) {
  out_str(out, "    TCP: ");
  text_count(out, t->packets, "packet, ", "packets, ");
  out_u64(out, t->data_packets);
  out_str(out, " with payload, ");
  text_count(out, t->octets, "octet", "octets");
  if (t->retransmitted_packets > 0) {
    out_str(out, "; retransmitted: ");
    text_count(out, t->retransmitted_packets, "packet with ", "packets with ");
    text_count(out, t->retransmitted_octets, "octet", "octets");
  }
  const struct {
    const char *text;
    uint64_t n;
  } others[] = {{"; out of order: ", t->out_of_order_packets},
                {"; captured twice: ", t->duplicate_packets},
                {"; cut by the snapshot length: ", t->cut_packets},
                {"; keep-alives: ", t->keep_alives},
                {"; zero windows: ", t->zero_windows}};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (others[i].n > 0) {
      out_str(out, others[i].text);
      out_u64(out, others[i].n);
    }
  }
  if (t->zero_windows > 0) {
    out_str(out, " for ");
    text_ns(out, t->zero_window_ns);
  }
  if (t->gaps > 0) {
    out_str(out, "; not captured: ");
    text_count(out, t->gap_octets, "octet in ", "octets in ");
    text_count(out, t->gaps, "gap", "gaps");
  }
  out_char(out, '\n');
}

/* Shares of a sum in thousandths, which add up to 1000: by largest remainder. */
static void text_shares(uint64_t shares[TEXT_PARTS], const uint64_t parts[TEXT_PARTS],
                        uint64_t sum) {
  uint64_t rest[TEXT_PARTS];
  uint64_t given = 0;
  for (size_t i = 0; i < TEXT_PARTS; i++) {
    shares[i] = parts[i] / sum * 1000 + parts[i] % sum * 1000 / sum;
    rest[i] = parts[i] * 1000 % sum;
    given += shares[i];
  }
  for (; given < 1000; given++) {
    size_t most = 0;
    for (size_t i = 1; i < TEXT_PARTS; i++) {
      most = rest[i] > rest[most] ? i : most;
    }
    shares[most]++;
    rest[most] = 0;
  }
}

static void text_stream(out_buf *out, const stats_stream *s) {
  static const char *const names[TEXT_PARTS] = {"payload",   "headers",   "PAD",
                                                "CRC",       "Markers",   "startup",
                                                "streaming", "undecoded", "missing"};
  const uint64_t parts[TEXT_PARTS] = {s->payload, s->headers,   s->pad,       s->crc,    s->markers,
                                      s->startup, s->streaming, s->undecoded, s->missing};
  uint64_t shares[TEXT_PARTS];
  const char *before = ": ";
  if (s->octets == 0) {
    return;
  }
  text_shares(shares, parts, s->octets);
  out_str(out, "    stream: ");
  text_count(out, s->octets, "octet", "octets");
  for (size_t i = 0; i < TEXT_PARTS; i++) {
    if (parts[i] == 0) {
      continue;
    }
    out_str(out, before);
    out_str(out, names[i]);
    out_char(out, ' ');
    out_u64(out, shares[i] / 10);
    out_char(out, '.');
    out_u64(out, shares[i] % 10);
    out_str(out, " %");
    before = ", ";
  }
  out_char(out, '\n');
}

static void text_fpdus(out_buf *out, const stats_side *s) {
  if (s->fpdus + s->bad_crc == 0) {
    return;
  }
  out_str(out, "    FPDUs: ");
  out_u64(out, s->fpdus);
  if (s->bad_crc > 0) {
    out_str(out, "; with a wrong CRC: ");
    out_u64(out, s->bad_crc);
  }
  if (s->packing_packets > 0) {
    out_str(out, "; aligned with packets: ");
    out_u64(out, s->packing_aligned);
    out_str(out, " of ");
    text_count(out, s->packing_packets, "packet", "packets");
  }
  out_char(out, '\n');
}

static void text_messages(out_buf *out, const stats_side *s) {
  out_buf line;
  const char *before = "    messages: ";
  out_open_memory(&line);
  for (size_t i = 0; i < STATS_NAMES; i++) {
    const stats_messages *m = s->messages[i];
    if (m != NULL) {
      out_str(&line, before);
      out_u64(&line, m->count);
      out_char(&line, ' ');
      out_str(&line, stats_name(i));
      out_str(&line, " (");
      text_count(&line, m->octets, "octet)", "octets)");
      before = ", ";
    }
  }
  if (s->unfinished > 0) {
    out_str(&line, "; unfinished: ");
    out_u64(&line, s->unfinished);
  }
  if (s->begun_unseen > 0) {
    out_str(&line, "; begun unseen: ");
    out_u64(&line, s->begun_unseen);
  }
  out_put(out, line.buf, line.len);
  out_str(out, line.len > 0 ? "\n" : "");
  out_close(&line);
}

static void text_requests(out_buf *out, const char *name, const stats_requests *r, bool alone) {
  if (r->requests == 0) {
    return;
  }
  out_str(out, "    ");
  out_str(out, name);
  out_str(out, ": ");
  out_u64(out, r->requests);
  if (alone) {
    out_str(out, "; nothing of the other side was captured\n");
    return;
  }
  out_str(out, "; answered: ");
  out_u64(out, r->answered);
  if (r->after_hole > 0) {
    out_str(out, " (");
    out_u64(out, r->after_hole);
    out_str(out, " of them after a hole)");
  }
  if (r->unanswered > 0) {
    out_str(out, "; unanswered: ");
    out_u64(out, r->unanswered);
  }
  if (r->left_out > 0) {
    out_str(out, "; left out, since octets are missing: ");
    out_u64(out, r->left_out);
  }
  out_char(out, '\n');
}

static void text_outstanding(out_buf *out, const stats_outstanding *o) {
  if (!o->known) {
    return;
  }
  out_str(out, "    Requests outstanding: at most ");
  out_u64(out, o->max);
  if (o->busy_ns > 0) {
    out_str(out, ", ");
    out_u64(out, o->mean_micro / 1000000);
    out_char(out, '.');
    out_u64(out, o->mean_micro / 100000 % 10);
    out_str(out, " in the mean of ");
    text_ns(out, o->busy_ns);
  }
  if (o->has_limit) {
    out_str(out, "; limit: ");
    out_u64(out, o->limit);
    if (o->busy_ns > 0) {
      out_str(out, ", reached for ");
      out_u64(out, o->at_limit_ns / (o->busy_ns / 100 + 1));
      out_str(out, " % of that");
    }
  }
  out_char(out, '\n');
}

static void text_tables(out_buf *out, const stats_side *s) {
  text_head(out, "sizes and counts");
  text_row(out, "FPDU", ", octets", &s->fpdu_size);
  text_row(out, "FPDUs a packet", "", &s->fpdus_per_packet);
  text_row(out, "packets an FPDU", "", &s->packets_per_fpdu);
  for (size_t i = 0; i < STATS_NAMES; i++) {
    if (s->messages[i] != NULL) {
      text_row(out, stats_name(i), ", octets", &s->messages[i]->size);
      text_row(out, stats_name(i), ", segments", &s->messages[i]->segments);
    }
  }
  if (s->reads.response_time.count + s->atomics.response_time.count == 0) {
    return;
  }
  text_head(out, "times in seconds");
  text_row(out, "Read, last octet", "", &s->reads.response_time);
  text_row(out, "Read, first octet", "", &s->reads.first_octet_time);
  text_row(out, "Atomic", "", &s->atomics.response_time);
}

static void text_direction(out_buf *out, const report_stats_conn *c, unsigned side) {
  const observe_conn *conn = c->conn;
  const stats_side *s = &c->figures->side[side];
  const bool alone = report_stats_is_alone(c, side);
  const iwarp_role role = conn->info->side[side].role;
  out_str(out, "  ");
  out_str(out, role == IWARP_ROLE_UNKNOWN ? "side" : report_role_name(role));
  out_char(out, ' ');
  out_str(out, conn->addr[side]);
  out_str(out, " sends\n");
  if (!conn->info->sctp) {
    text_tcp(out, &s->tcp);
    text_stream(out, &s->stream);
    text_throughput(out, s);
    text_fpdus(out, s);
  }
  text_messages(out, s);
  text_requests(out, "Reads", &s->reads, alone);
  text_requests(out, "Atomics", &s->atomics, alone);
  text_outstanding(out, &s->outstanding);
  if (s->fpdus > 0) {
    text_tables(out, s);
  }
}

/* ---- the connection ---- */

static void text_span(out_buf *out, const char **before, const char *label,
                      const stats_span *span) {
  if (span->known) {
    out_str(out, *before);
    out_str(out, label);
    text_ns(out, span->ns);
    *before = ", ";
  }
}

static void text_startup(out_buf *out, const stats_figures *f) {
  const char *before = "  startup: ";
  const char *const none = before;
  text_span(out, &before, "SYN to SYN+ACK ", &f->syn_to_synack);
  text_span(out, &before, "SYN+ACK to ACK ", &f->synack_to_ack);
  text_span(out, &before, "Request to Reply ", &f->request_to_reply);
  text_span(out, &before, "Reply to first FPDU ", &f->reply_to_first_fpdu);
  text_span(out, &before, "SYN to first FPDU ", &f->syn_to_first_fpdu);
  out_str(out, before == none ? "" : "\n");
}

static void text_idle(out_buf *out, const report_stats_conn *c) {
  const stats_figures *f = c->figures;
  if (f->idle_max_packet == 0) {
    return;
  }
  out_str(out, "  idle: ");
  text_count(out, f->idle_count, "pause of 0.1 s and more", "pauses of 0.1 s and more");
  if (f->idle_count > 0) {
    out_str(out, ", ");
    text_ns(out, f->idle_ns);
    out_str(out, " in all");
  }
  out_str(out, "; the longest pause: ");
  text_ns(out, f->idle_max_ns);
  out_str(out, ", up to frame ");
  report_place_put(out, c->conn, 0, f->idle_max_packet);
  out_char(out, '\n');
}

static void text_limits(out_buf *out, const report_stats_conn *c) {
  const char *before = "  limits were reached, so that figures may be wrong: ";
  for (uint32_t bit = 1; stats_limit_name(bit) != NULL; bit <<= 1) {
    if ((c->figures->limits & bit) != 0) {
      out_str(out, before);
      out_str(out, stats_limit_name(bit));
      before = ", ";
    }
  }
  out_str(out, c->figures->limits != 0 ? "\n" : "");
  if (c->conn->given_up != NULL) {
    out_str(out, "  given up: ");
    out_str(out, c->conn->given_up);
    out_char(out, '\n');
  }
}

void report_stats_text(out_buf *out, const report_stats_conn *c) {
  const observe_conn *conn = c->conn;
  const stats_figures *f = c->figures;
  report_name_put(out, conn->file);
  out_str(out, ": connection ");
  out_u64(out, conn->number);
  out_str(out, ": ");
  out_str(out, conn->addr[c->first]);
  out_str(out, " > ");
  out_str(out, conn->addr[c->first ^ 1u]);
  out_str(out, conn->info->sctp ? ", SCTP\n" : ", TCP\n");
  out_str(out, "  from frame ");
  report_place_put(out, conn, 0, f->first_packet);
  out_str(out, ", ");
  report_date_put(out, f->first_ns);
  out_str(out, ", for ");
  text_ns(out, f->duration_ns);
  if (!conn->info->sctp) {
    out_str(out, ": ");
    text_count(out, f->packets, "packet, ", "packets, ");
    text_count(out, f->octets, "octet", "octets");
  }
  out_char(out, '\n');
  if (!f->whole) {
    out_str(out, "  not all of it was captured or decoded: figures are of what was\n");
  }
  text_startup(out, f);
  if (!conn->info->sctp) {
    text_idle(out, c);
  }
  text_limits(out, c);
  text_direction(out, c, c->first);
  text_direction(out, c, c->first ^ 1u);
  out_char(out, '\n');
}

/* ---- intervals ---- */

void report_stats_interval_text(out_buf *out, const observe_conn *conn, uint8_t first,
                                uint64_t interval_ns, const stats_interval *interval) {
  for (unsigned i = 0; i < 2; i++) {
    const unsigned side = first ^ i;
    if (interval->side[side].packets + interval->side[side].payload +
            interval->side[side].messages + interval->side[side].reads ==
        0) {
      continue;
    }
    out_str(out, "connection ");
    out_u64(out, conn->number);
    out_str(out, ", from ");
    text_ns(out, interval->index * interval_ns);
    out_str(out, ": ");
    out_str(out, conn->addr[side]);
    out_str(out, ": ");
    text_count(out, interval->side[side].packets, "packet, ", "packets, ");
    text_count(out, interval->side[side].octets, "octet, ", "octets, ");
    if (interval->side[side].retransmitted_octets > 0) {
      out_u64(out, interval->side[side].retransmitted_octets);
      out_str(out, " retransmitted, ");
    }
    text_count(out, interval->side[side].payload, "octet of payload, ", "octets of payload, ");
    text_count(out, interval->side[side].messages, "message", "messages");
    if (interval->side[side].reads > 0) {
      out_str(out, "; Reads answered: ");
      out_u64(out, interval->side[side].reads);
      out_str(out, ", at most after ");
      text_ns(out, interval->side[side].read_max_ns);
    }
    out_char(out, '\n');
  }
}
