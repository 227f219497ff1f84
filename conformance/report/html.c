/* SPDX-License-Identifier: BSD-2-Clause */
/* One page in HTML: the data as they come, one array of JSON a line, and a script that draws them.
 */
#include <memory/memory.h>
#include <report/diagnosis.h>
#include <report/dump.h>
#include <report/finding.h>
#include <report/frame.h>
#include <report/jsonw.h>
#include <report/names.h>
#include <report/place.h>
#include <report/utf8.h>

#include "check_plots.h"
#include "check_text.h"
#include "html_page.h"
#include "pdu_parts.h"

#define HTML_OCTETS 256u /* octets of a PDU that the page holds */
#define HTML_FEWER 64u   /* octets of a PDU after the first lines */
#define HTML_FULL 5000u

/* A page has these lines of PDUs, then those near to a finding, and a sample of the others. */
#define HTML_ROWS 50000u
#define HTML_NEAR 8u     /* lines before and after a finding */
#define HTML_HELD 16384u /* octets of the lines before it: of a connection, and of all */
#define HTML_HELD_ALL ((uint64_t)4 * 1024 * 1024)
#define HTML_SAMPLE 1000u    /* lines of the sample until one of twice as many is taken */
#define HTML_SAMPLE_STEP 64u /* the first sample: one of so many */

/*
 * Octets of a page, whatever it has. Up to the first bound there are all lines. A sample of PDUs
 * and of connections goes on up to the second one. Findings and connections with a problem go on up
 * to the third one, and the first finding of each rule up to the last one.
 */
#define HTML_MIB ((uint64_t)1024 * 1024)
#define HTML_ALL (10 * HTML_MIB)
#define HTML_SAMPLED (12 * HTML_MIB)
#define HTML_PROBLEMS (16 * HTML_MIB)
#define HTML_MOST (18 * HTML_MIB)
#define HTML_CONN 4096u     /* octets that a connection takes at its end */
#define HTML_CONN_NAMES 12u /* names of its file in these octets */
#define HTML_CONNS 128u     /* connections of the sample until one of twice as many is taken */
#define HTML_CONNS_STEP 16u /* the first sample: one of so many */

/* ---- one line of data ---- */

/* The code point of `len` octets of UTF-8. */
static uint32_t html_point(const char *text, size_t len) {
  uint32_t point = (unsigned char)text[0] & (len == 1 ? 0x7Fu : 0xFFu >> (len + 1));
  for (size_t i = 1; i < len; i++) {
    point = point << 6 | ((unsigned char)text[i] & 0x3Fu);
  }
  return point;
}

/* Markup, and the noncharacters of Unicode, which no page may hold. */
static bool html_is_escaped(uint32_t point) {
  return point == '<' || point == '>' || point == '&' || (point & 0xFFFEu) == 0xFFFEu ||
         (point >= 0xFDD0u && point <= 0xFDEFu);
}

static void html_escape(out_buf *s, uint32_t unit) {
  static const char digits[] = "0123456789abcdef";
  out_str(s, "\\u");
  for (unsigned int shift = 16; shift > 0; shift -= 4) {
    out_char(s, digits[unit >> (shift - 4) & 15u]);
  }
}

/* JSON that may stand inside of an element. */
static void html_put(out_buf *s, const out_buf *json) {
  for (size_t i = 0; i < json->len;) {
    const size_t valid = report_utf8_len(json->buf + i, json->len - i);
    const size_t len = valid > 0 ? valid : 1;
    const uint32_t point = html_point(json->buf + i, len);
    if (!html_is_escaped(point)) {
      out_put(s, json->buf + i, len);
    } else if (point < 0x10000u) {
      html_escape(s, point);
    } else {
      html_escape(s, 0xD7C0u + (point >> 10));
      html_escape(s, 0xDC00u + (point & 0x3FFu));
    }
    i += len;
  }
}

/* `kind` says what the other elements of the array are. */
static jsonw html_line(out_buf *json, const char *kind) {
  jsonw w = {.out = json};
  out_open_memory(json);
  jsonw_array(&w, NULL);
  jsonw_text(&w, NULL, kind);
  return w;
}

/* Begins a row. Returns false if memory ran out: the page lacks a row then, and ends before it,
 * since later rows would mislead. */
static bool html_begin_row(report_check *check) {
  if (memory_ran_out()) {
    return false;
  }
  out_str(check->out, check->num_suites++ > 0 ? ",\n" : "\n");
  return true;
}

static void html_write(report_check *check, const out_buf *json) {
  if (html_begin_row(check)) {
    html_put(check->out, json);
  }
}

/* Writes what html_put has made of rows. */
static void html_write_made(report_check *check, const out_buf *made) {
  if (html_begin_row(check)) {
    out_put(check->out, made->buf, made->len);
  }
}

static void html_end_line(report_check *check, jsonw *w) {
  jsonw_end_array(w);
  html_write(check, w->out);
  out_close(w->out);
}

static void html_text(jsonw *w, const char *key, const out_buf *text) {
  const size_t end = text->len > 0 && text->buf[text->len - 1] == '\n' ? 1 : 0;
  jsonw_string(w, key, text->buf, text->len - end);
}

/* ---- the field table ---- */

/* Each value with its name. */
static void html_values(jsonw *w, const iwarp_field *field) {
  jsonw_array(w, NULL);
  for (size_t i = 0; i < field->num_values; i++) {
    jsonw_u64(w, NULL, field->values[i].value);
    jsonw_text(w, NULL, field->values[i].name);
  }
  jsonw_end_array(w);
}

/* One form: its number, label, RFC and fields. */
static void html_form(report_check *check, const iwarp_form_info *form) {
  out_buf json;
  jsonw w = html_line(&json, "t");
  jsonw_u64(&w, NULL, (uint64_t)form->form);
  jsonw_text(&w, NULL, form->label);
  jsonw_text(&w, NULL, form->rfc);
  jsonw_array(&w, NULL);
  for (size_t i = 0; i < form->num_fields; i++) {
    const iwarp_field *field = &form->fields[i];
    jsonw_array(&w, NULL);
    jsonw_text(&w, NULL, field->label);
    jsonw_u64(&w, NULL, field->bit_off);
    jsonw_u64(&w, NULL, field->num_bits);
    jsonw_u64(&w, NULL, (uint64_t)field->kind);
    html_values(&w, field);
    jsonw_end_array(&w);
  }
  jsonw_end_array(&w);
  html_end_line(check, &w);
}

static void html_begin(report_check *check) {
  out_str(check->out, report_html_page);
  out_char(check->out, '[');
  for (unsigned int form = 1; iwarp_form_get((iwarp_form)form) != NULL; form++) {
    html_form(check, iwarp_form_get((iwarp_form)form));
  }
}

/* ---- the octets of a page ---- */

/* What is kept for the end of a connection of which a line is written. */
static uint64_t html_due(const observe_conn *conn) {
  return HTML_CONN + HTML_CONN_NAMES * (uint64_t)strlen(conn->file);
}

/* Returns true if `n` octets of the connection fit into a page up to a bound. */
static bool html_fits(const report_check *check, const check_slot *held, const observe_conn *conn,
                      uint64_t n, uint64_t bound) {
  const uint64_t due = held->due > 0 ? 0 : html_due(conn);
  return out_tell(check->out) + check->num_conns_kept + due + n <= bound;
}

/* A line of the connection is written: so its end has to be, too. */
static void html_owe(report_check *check, check_slot *held, const observe_conn *conn) {
  if (held->due == 0) {
    held->due = html_due(conn);
    check->num_conns_kept += held->due;
  }
}

/* The bound that holds for what an engineer looks for in the connection. */
static uint64_t html_limit(const check_slot *held) {
  return held->has_first ? HTML_MOST : HTML_PROBLEMS;
}

/* The number of a connection in the page. */
static uint64_t html_number(report_check *check, check_slot *held) {
  if (held->number == 0) {
    held->number = ++check->num_numbered;
  }
  return held->number - 1;
}

/* ---- PDUs ---- */

static const char *html_kind(const iwarp_event *ev) {
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: return "startup";
  case IWARP_EVENT_GAP: return "gap";
  case IWARP_EVENT_UNDECODABLE: return "undecodable";
  case IWARP_EVENT_END: return "close";
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: break;
  }
  return "pdu";
}

static void html_octets(jsonw *w, const iwarp_event *ev, size_t most) {
  uint8_t frame[REPORT_FRAME_CAP];
  uint64_t pos = 0;
  const iwarp_span octets = report_event_octets(ev, &pos, frame);
  jsonw_u64(w, NULL, octets.len);
  jsonw_octets(w, NULL, octets.ptr, octets.len < most ? octets.len : most);
}

static void html_since(jsonw *w, const observe_conn *conn, uint64_t ns) {
  out_buf text;
  out_open_memory(&text);
  report_since_put(&text, conn->began_ns, ns);
  html_text(w, NULL, &text);
  out_close(&text);
}

/* The number of a packet; text with the file where that is not the one of the connection. */
static void html_frame(jsonw *w, const observe_conn *conn, uint64_t packet) {
  const report_place place = report_place_of(conn, packet);
  out_buf text;
  if (strcmp(place.file, conn->file) == 0) {
    jsonw_u64(w, NULL, place.frame);
    return;
  }
  out_open_memory(&text);
  report_place_put(&text, conn, 0, packet);
  html_text(w, NULL, &text);
  out_close(&text);
}

/* ---- what the message of a PDU is ---- */

static void html_hex_key(out_buf *s, char kind, char what, uint64_t name) {
  out_char(s, kind);
  out_char(s, what);
  out_hex(s, name, 8);
}

/* The key that a request ('?') and its answer ('!') share; nothing for other PDUs. */
static void html_link(out_buf *s, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  if (ev->kind == IWARP_EVENT_STARTUP) {
    html_hex_key(s, ev->u.startup.is_reply ? '!' : '?', 's', 0);
    return;
  }
  switch (seg->kind) {
  case IWARP_RDMAP_KIND_READ_REQ: html_hex_key(s, '?', 'r', seg->u.read_req.sink_stag); break;
  case IWARP_RDMAP_KIND_ATOMIC_REQ: html_hex_key(s, '?', 'a', seg->u.atomic_req.request_id); break;
  case IWARP_RDMAP_KIND_ATOMIC_RESP:
    html_hex_key(s, '!', 'a', seg->u.atomic_resp.request_id);
    break;
  case IWARP_RDMAP_KIND_NONE:
  case IWARP_RDMAP_KIND_TERM:
  case IWARP_RDMAP_KIND_IMMEDIATE:
    if (seg->has_ddp && seg->ddp.tagged && seg->ctrl.opcode == IWARP_RDMAP_OP_READ_RESP) {
      html_hex_key(s, '!', 'r', seg->ddp.stag);
    }
    break;
  }
}

static bool html_has_segment(const iwarp_event *ev) {
  return (ev->kind == IWARP_EVENT_FPDU || ev->kind == IWARP_EVENT_SCTP_SEGMENT) &&
         ev->u.fpdu.seg.has_ddp;
}

/* The operation, the key of the message, whether it ends here, and the link. */
static void html_message(jsonw *w, const iwarp_event *ev) {
  const bool segment = html_has_segment(ev);
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  out_buf key;
  out_open_memory(&key);
  jsonw_text(w, NULL, segment ? iwarp_rdmap_op_get(seg->ctrl.opcode)->name : "");
  if (segment && seg->ddp.tagged) {
    html_hex_key(&key, 't', seg->ctrl.opcode == IWARP_RDMAP_OP_READ_RESP ? 'r' : 'w',
                 seg->ddp.stag);
  } else if (segment) {
    html_hex_key(&key, 'q', (char)('0' + seg->ddp.qn % 8u), seg->ddp.msn);
  }
  html_text(w, NULL, &key);
  jsonw_u64(w, NULL, segment && !seg->ddp.last ? 0 : 1);
  out_clear(&key);
  if (segment || ev->kind == IWARP_EVENT_STARTUP) {
    html_link(&key, ev);
  }
  html_text(w, NULL, &key);
  out_close(&key);
}

/* Parts of the octets, by form: its number, or 0 for payload, first octet, octets. */
static void html_parts(jsonw *w, const iwarp_event *ev) {
  uint8_t frame[REPORT_FRAME_CAP];
  uint64_t pos = 0;
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  bool any = true;
  if (ev->kind == IWARP_EVENT_STARTUP) {
    iwarp_pdu_startup(&it, report_event_octets(ev, &pos, frame));
  } else {
    any = report_event_walk(&it, ev);
  }
  jsonw_array(w, NULL);
  while (any && iwarp_pdu_next(&part, &it) == IWARP_OK) {
    const size_t end = iwarp_pdu_wire_offset(&it, part.pdu_off + part.octets.len - 1);
    if (part.wire_off < HTML_OCTETS && end - part.wire_off == part.octets.len - 1) {
      jsonw_array(w, NULL);
      jsonw_u64(w, NULL, (uint64_t)part.form);
      jsonw_u64(w, NULL, part.wire_off);
      jsonw_u64(w, NULL, part.octets.len);
      jsonw_end_array(w);
    } /* a Marker stands in it, or it is not on the page */
  }
  jsonw_end_array(w);
}

/* ---- long captures ---- */

/* Lines that a page always has: few in a connection, and what an engineer looks for. */
static bool html_is_rare(const iwarp_event *ev) {
  return ev->kind == IWARP_EVENT_STARTUP || ev->kind == IWARP_EVENT_END ||
         (ev->kind == IWARP_EVENT_FPDU && ev->u.fpdu.seg.kind == IWARP_RDMAP_KIND_TERM);
}

static bool html_sampled(report_check *check) {
  const uint64_t step = (uint64_t)HTML_SAMPLE_STEP << (check->num_sampled / HTML_SAMPLE);
  const bool taken = check->num_beyond++ % step == 0;
  check->num_sampled += taken ? 1u : 0u;
  return taken;
}

/* Keeps a line for a finding that may follow. Of the connection the latest ones are held. */
static void html_hold(report_check *check, check_slot *held, const out_buf *json) {
  check->num_held -= held->lines.len;
  if (held->rows >= HTML_NEAR || held->lines.len + json->len > HTML_HELD) {
    out_clear(&held->lines); /* a part of these is enough */
    check->num_left_out += held->rows;
    held->rows = 0;
  }
  if (check->num_held + HTML_HELD > HTML_HELD_ALL) {
    check->num_left_out++;
  } else {
    out_str(&held->lines, held->rows > 0 ? ",\n" : "");
    html_put(&held->lines, json);
    held->rows++;
  }
  check->num_held += held->lines.len;
}

static void html_release(report_check *check, check_slot *held, const observe_conn *conn,
                         uint64_t bound) {
  if (held->rows == 0) {
    return;
  }
  if (html_fits(check, held, conn, held->lines.len, bound)) {
    html_owe(check, held, conn);
    html_write_made(check, &held->lines);
    check->num_rows += held->rows;
  } else {
    check->num_left_out += held->rows;
  }
  check->num_held -= held->lines.len;
  out_clear(&held->lines);
  held->rows = 0;
}

/* Returns true if the page shows the line. */
static bool html_is_shown(report_check *check, const check_slot *held, const observe_conn *conn,
                          uint64_t n, bool rare) {
  if (held->near > 0 && html_fits(check, held, conn, n, html_limit(held))) {
    return true;
  }
  if ((check->num_rows < HTML_ROWS || rare) && html_fits(check, held, conn, n, HTML_ALL)) {
    return true;
  }
  return html_fits(check, held, conn, n, HTML_SAMPLED) && html_sampled(check);
}

static void html_row(report_check *check, check_slot *held, const observe_conn *conn, jsonw *w,
                     bool rare) {
  jsonw_end_array(w);
  const bool shown = html_is_shown(check, held, conn, w->out->len, rare);
  if (shown) {
    html_owe(check, held, conn);
    html_write(check, w->out);
    check->num_rows++;
    held->near -= held->near > 0 ? 1u : 0u;
  } else {
    html_hold(check, held, w->out);
  }
  out_close(w->out);
}

/* The octets follow. */
static jsonw html_pdu_line(report_check *check, check_slot *held, const observe_conn *conn,
                           const iwarp_meta *meta, uint8_t side, const char *kind, out_buf *json) {
  jsonw w = html_line(json, "p");
  jsonw_u64(&w, NULL, html_number(check, held));
  html_frame(&w, conn, meta->packet);
  html_since(&w, conn, meta->time_ns);
  jsonw_u64(&w, NULL, side);
  jsonw_text(&w, NULL, kind);
  return w;
}

static void html_pdu(report_check *check, void **slot, const observe_conn *conn,
                     const iwarp_event *ev) {
  check_slot *held = check_slot_get(slot);
  const char *end = check_text_end(ev);
  out_buf json;
  out_buf text;
  out_open_memory(&text);
  if (held != NULL && (end != NULL || check_slot_line(&text, held, conn, ev))) {
    out_str(&text, end != NULL ? end : "");
    held->reset_shown = held->reset_shown || (end != NULL && ev->u.end == IWARP_END_RST);
    jsonw w = html_pdu_line(check, held, conn, &ev->last, ev->side, html_kind(ev), &json);
    html_text(&w, NULL, &text);
    html_octets(&w, ev, check->num_rows < HTML_FULL ? HTML_OCTETS : HTML_FEWER);
    html_message(&w, ev);
    html_parts(&w, ev);
    html_row(check, held, conn, &w, html_is_rare(ev));
  }
  out_close(&text);
}

/* ---- findings ---- */

/* Place of the offending octets in the octets of the PDU that is shown, or -1. */
static void html_offending(jsonw *w, const iwarp_finding *f, const iwarp_event *ev) {
  uint8_t frame[REPORT_FRAME_CAP];
  uint64_t pos = 0;
  const bool here =
      ev != NULL && ev->side == f->side && ev->pos == f->pos && f->octet_pos != IWARP_POS_UNKNOWN;
  if (here) {
    (void)report_event_octets(ev, &pos, frame);
  }
  jsonw_key(w, NULL);
  if (here && f->octet_pos >= pos) {
    out_u64(w->out, f->octet_pos - pos);
  } else {
    out_str(w->out, "-1");
  }
  jsonw_u64(w, NULL, f->octet_len);
}

static void html_finding(report_check *check, void **slot, const observe_conn *conn,
                         const iwarp_finding *f, const iwarp_event *ev) {
  const iwarp_rule *rule = iwarp_rule_get(f->rule);
  check_slot *held = *slot;
  out_buf json;
  out_buf text;
  html_release(check, held, conn, html_limit(held));
  held->near = HTML_NEAR;
  jsonw w = html_line(&json, "f");
  out_open_memory(&text);
  jsonw_u64(&w, NULL, html_number(check, *slot));
  html_frame(&w, conn, f->last.packet);
  jsonw_text(&w, NULL, report_severity_name(rule->severity));
  jsonw_text(&w, NULL, rule->slug);
  report_message_put(&text, rule, f);
  report_finding_unless(&text, f, "; ");
  html_text(&w, NULL, &text);
  out_clear(&text);
  (void)report_finding_values(&text, f);
  html_text(&w, NULL, &text);
  out_clear(&text);
  report_finding_where(&text, conn, f);
  html_text(&w, NULL, &text);
  html_offending(&w, f, ev);
  if (conn->known != NULL) {
    jsonw_string(&w, NULL, conn->known, strlen(conn->known));
  }
  jsonw_end_array(&w);
  if (html_fits(check, held, conn, json.len, html_limit(held))) {
    html_owe(check, held, conn);
    html_write(check, &json);
  } else {
    check->num_findings_left_out++;
  }
  out_close(&json);
  out_close(&text);
}

/* ---- a connection ---- */

/* An RST or ABORT that no direction showed as its own. */
static void html_reset(report_check *check, check_slot *held, const observe_conn *conn) {
  const observe_outcome *o = &conn->outcome;
  const iwarp_meta meta = {.packet = o->packet, .time_ns = o->time_ns};
  const char *reset = check_text_reset(held, conn);
  out_buf json;
  if (reset != NULL) {
    jsonw w = html_pdu_line(check, held, conn, &meta, o->side, "close", &json);
    jsonw_text(&w, NULL, reset);
    jsonw_u64(&w, NULL, 0);
    jsonw_text(&w, NULL, "");
    jsonw_text(&w, NULL, "");
    jsonw_text(&w, NULL, "");
    jsonw_u64(&w, NULL, 1);
    jsonw_text(&w, NULL, "");
    jsonw_array(&w, NULL);
    jsonw_end_array(&w);
    html_end_line(check, &w);
  }
}

static void html_plots(report_check *check, check_slot *held, const observe_conn *conn) {
  out_buf text;
  out_buf json;
  out_buf line;
  out_open_memory(&text);
  if (check_plots_put(held, conn, &text)) {
    jsonw w = html_line(&json, "g");
    jsonw_u64(&w, NULL, html_number(check, held));
    html_text(&w, NULL, &text);
    jsonw_end_array(&w);
    out_open_memory(&line);
    html_put(&line, &json);
    if (!html_fits(check, held, conn, line.len, HTML_PROBLEMS)) {
      check->plots_left_out++;
    } else if (check_plots_admit(check, conn, line.len)) {
      html_write_made(check, &line);
    }
    out_close(&line);
    out_close(&json);
  }
  out_close(&text);
}

/* Returns true if something may be wrong with the connection. */
static bool html_is_problem(const check_slot *held, const observe_conn *conn) {
  iwarp_diagnoses why;
  iwarp_diagnose(&why, conn);
  return why.num > 0 || held->shown > 0 || iwarp_diagnose_failed(conn) || conn->given_up != NULL;
}

static bool html_takes_conn(report_check *check) {
  const uint64_t step = (uint64_t)HTML_CONNS_STEP << (check->num_conns_taken / HTML_CONNS);
  const bool taken = check->num_conns_seen++ % step == 0;
  check->num_conns_taken += taken ? 1u : 0u;
  return taken;
}

/* Returns true if the page has the connection, which ends. */
static bool html_is_kept(report_check *check, const check_slot *held, const observe_conn *conn,
                         bool problem) {
  if (held->due > 0 || html_fits(check, held, conn, held->lines.len, HTML_ALL)) {
    return true;
  }
  const uint64_t bound = problem ? html_limit(held) : HTML_SAMPLED;
  return html_fits(check, held, conn, held->lines.len, bound) &&
         (bound != HTML_SAMPLED || html_takes_conn(check));
}

/* The lines of a connection that are written at its end. */
static void html_end(report_check *check, check_slot *held, const observe_conn *conn) {
  html_reset(check, held, conn);
  out_buf json;
  out_buf text;
  report_check words = *check; /* writes the text report */
  words.out = &text;
  words.color = false;
  jsonw w = html_line(&json, "c");
  out_open_memory(&text);
  jsonw_u64(&w, NULL, html_number(check, held));
  check_text_head(&words, conn);
  html_text(&w, NULL, &text);
  jsonw_u64(&w, NULL, report_initiator(conn->info));
  out_clear(&text);
  out_str(&text, "  outcome: ");
  (void)check_text_why(&words, conn);
  check_text_given_up(&words, conn);
  html_text(&w, NULL, &text);
  out_clear(&text);
  check_text_tail(&words, conn);
  html_text(&w, NULL, &text);
  jsonw_object(&w, NULL);
  jsonw_string(&w, "file", conn->file, strlen(conn->file));
  jsonw_text(&w, "side0", conn->addr[0]);
  jsonw_text(&w, "side1", conn->addr[1]);
  report_diagnoses_json(&w, conn);
  jsonw_end_object(&w);
  html_end_line(check, &w);
  out_close(&text);
  html_plots(check, held, conn);
}

static void html_connection(report_check *check, void **slot, const observe_conn *conn) {
  check_slot *held = *slot;
  const bool problem = html_is_problem(held, conn);
  if (html_is_kept(check, held, conn, problem)) {
    if (problem || held->due == 0) {
      html_release(check, held, conn, problem ? html_limit(held) : HTML_SAMPLED);
    }
    html_owe(check, held, conn);
    html_end(check, held, conn);
    check->num_conns_kept -= held->due;
  } else {
    check->num_conns_left_out++;
  }
  check->num_left_out += held->rows;
}

/* ---- what is there beside connections ---- */

static void html_about(report_check *check, const observe_conn *capture, const out_buf *text) {
  const char *file = report_place_capture(capture);
  out_buf json;
  jsonw w = html_line(&json, "n");
  jsonw_string(&w, NULL, file, strlen(file));
  html_text(&w, NULL, text);
  jsonw_end_array(&w);
  if (out_tell(check->out) + check->num_conns_kept + json.len <= HTML_PROBLEMS) {
    html_write(check, &json);
  } else {
    check->num_left_out++;
  }
  out_close(&json);
}

static void html_trait(report_check *check, const report_trait *trait) {
  out_buf text;
  out_open_memory(&text);
  report_trait_text(&text, trait);
  html_about(check, trait->capture, &text);
  out_close(&text);
}

static void html_transport(report_check *check, const observe_conn *capture,
                           const report_transport *x) {
  out_buf text;
  out_open_memory(&text);
  report_transport_text(&text, capture, x);
  html_about(check, capture, &text);
  out_close(&text);
}

/* ---- the run ---- */

static void html_rule(report_check *check, const iwarp_rule *rule) {
  out_buf json;
  out_buf sections;
  jsonw w = html_line(&json, "r");
  out_open_memory(&sections);
  report_sections_put(&sections, rule->requirements);
  jsonw_text(&w, NULL, rule->slug);
  jsonw_object(&w, NULL);
  jsonw_string(&w, "summary", rule->summary, strlen(rule->summary));
  jsonw_text(&w, "level", rule->level);
  jsonw_text(&w, "impact", report_impact_name(rule->impact));
  jsonw_string(&w, "sections", sections.buf, sections.len);
  if (check->advice != NULL) {
    const report_advice *a = &check->advice[rule->id];
    jsonw_string(&w, "cause", a->cause, strlen(a->cause));
    jsonw_string(&w, "effect", a->effect, strlen(a->effect));
    jsonw_string(&w, "operator", a->operator_do, strlen(a->operator_do));
    jsonw_string(&w, "implementer", a->implementer_do, strlen(a->implementer_do));
  }
  jsonw_end_object(&w);
  html_end_line(check, &w);
  out_close(&sections);
}

static void html_summary(report_check *check, const report_totals *totals) {
  out_buf json;
  out_buf text;
  report_check words = *check;
  words.out = &text;
  words.color = false;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    if (totals->rules[id].findings > 0) {
      html_rule(check, iwarp_rule_get(id));
    }
  }
  jsonw w = html_line(&json, "s");
  out_open_memory(&text);
  check_text_summary(&words, totals);
  jsonw_object(&w, NULL);
  jsonw_text(&w, "verdict", totals->verdict);
  jsonw_u64(&w, "left_out", check->num_left_out);
  jsonw_u64(&w, "conns_left_out", check->num_conns_left_out);
  jsonw_u64(&w, "findings_left_out", check->num_findings_left_out);
  jsonw_u64(&w, "plots_left_out", check->plots_left_out);
  html_text(&w, "text", &text);
  jsonw_end_object(&w);
  html_end_line(check, &w);
  out_close(&text);
  out_str(check->out, "\n]\n</script>\n<script>");
  out_str(check->out, report_html_script);
  out_str(check->out, "</script>\n</body>\n</html>\n");
}

const report_format report_format_html = {
    .name = "html",
    .same = UINT64_MAX,
    .whole = true,
    .plots = true,
    .begin = html_begin,
    .pdu = html_pdu,
    .finding = html_finding,
    .connection = html_connection,
    .trait = html_trait,
    .transport = html_transport,
    .summary = html_summary,
};
