/* SPDX-License-Identifier: BSD-2-Clause */
/* The ladder of each connection: who sent what, what is missing, and the findings in place. */
#include <report/dump.h>
#include <report/finding.h>
#include <report/names.h>
#include <report/place.h>

#include "check_slot.h"
#include "check_text.h"

/* Octets kept back so that the lines of a connection stay together: of one, and of all. */
#define TIMELINE_HELD ((size_t)256 * 1024)
#define TIMELINE_HELD_ALL ((uint64_t)4 * 1024 * 1024)
#define TIMELINE_FRAME 10u /* columns of the number of a frame, of a time, of a date */
#define TIMELINE_TIME 14u
#define TIMELINE_DATE 32u

static const char timeline_none[] = "|                         |  ";

/* What goes from the left side to the right one, and back: whole, lost, not to be understood. */
typedef enum timeline_arrow { TIMELINE_WHOLE = 0, TIMELINE_LOST, TIMELINE_UNCLEAR } timeline_arrow;

static const char *timeline_arrow_text(timeline_arrow arrow, bool to_right) {
  static const char *const texts[][2] = {
      [TIMELINE_WHOLE] = {"|<------------------------|  ", "|------------------------>|  "},
      [TIMELINE_LOST] = {"|            x - - - - - -|  ", "|- - - - - - x            |  "},
      [TIMELINE_UNCLEAR] = {"|<- - - - - -?- - - - - - |  ", "| - - - - - -?- - - - - ->|  "},
  };
  return texts[arrow][to_right ? 1 : 0];
}

/* ---- the beginning of a line ---- */

static void timeline_right(out_buf *s, const out_buf *text, size_t width) {
  out_fill(s, ' ', text->len < width ? width - text->len : 0);
  out_put(s, text->buf, text->len);
}

static size_t timeline_time_width(const report_check *check) {
  return check->clock.times == REPORT_TIME_ABSOLUTE ? TIMELINE_DATE : TIMELINE_TIME;
}

static void timeline_time(const report_check *check, check_slot *held, const observe_conn *conn,
                          uint64_t ns) {
  out_buf text;
  out_open_memory(&text);
  switch (check->clock.times) {
  case REPORT_TIME_DEFAULT: report_since_put(&text, conn->began_ns, ns); break;
  case REPORT_TIME_ABSOLUTE: report_date_put(&text, ns); break;
  case REPORT_TIME_CAPTURE: report_since_put(&text, *check->clock.capture_ns, ns); break;
  case REPORT_TIME_DELTA:
    report_since_put(&text, held->last_ns != 0 ? held->last_ns : conn->began_ns, ns);
    held->last_ns = ns;
    break;
  }
  timeline_right(&held->lines, &text, timeline_time_width(check));
  out_close(&text);
}

/* Frames count within each file: names the file if it differs from the file of the line before. */
static void timeline_file(check_slot *held, const observe_conn *conn, const char *file) {
  const char *last = held->file != NULL ? held->file : conn->file;
  held->file = file;
  if (last != file) {
    out_fill(&held->lines, ' ', TIMELINE_FRAME - 5);
    out_str(&held->lines, "frames of ");
    report_name_put(&held->lines, file);
    out_char(&held->lines, '\n');
  }
}

static void timeline_begin(const report_check *check, check_slot *held, const observe_conn *conn,
                           const iwarp_meta *meta, const char *arrow) {
  out_buf *s = &held->lines;
  const report_place place = report_place_of(conn, meta->packet);
  timeline_file(held, conn, place.file);
  out_u64_width(s, place.frame, TIMELINE_FRAME);
  timeline_time(check, held, conn, meta->time_ns);
  out_str(s, "  ");
  out_str(s, arrow);
}

/* ---- what is kept back ---- */

static void timeline_columns(report_check *check, const observe_conn *conn) {
  out_buf *s = check->out;
  const uint8_t left = report_initiator(conn->info);
  out_str(s, "     frame");
  out_fill(s, ' ', timeline_time_width(check) - 4);
  out_str(s, "time  ");
  if (report_roles_known(conn->info)) {
    out_str(s, "initiator         responder\n");
    return;
  }
  out_str(s, conn->addr[left]);
  out_str(s, " > ");
  out_str(s, conn->addr[1 - left]);
  out_char(s, '\n');
}

static void timeline_release(report_check *check, check_slot *held, const observe_conn *conn) {
  check_text_head(check, conn);
  timeline_columns(check, conn);
  out_put(check->out, held->lines.buf, held->lines.len);
  check->num_held -= held->lines.len;
  held->file = NULL;
  held->late[0] = held->late[1] = (check_late){.packet = 0};
  out_close(&held->lines);
}

/* Counts what a line added, from `before` on, and prints all of them where they get many. */
static void timeline_hold(report_check *check, check_slot *held, const observe_conn *conn,
                          size_t before) {
  out_char(&held->lines, '\n');
  check->num_held += held->lines.len - before;
  if (held->lines.len > TIMELINE_HELD || check->num_held > TIMELINE_HELD_ALL) {
    timeline_release(check, held, conn);
  }
}

/* ---- lost and late packets ---- */

static void timeline_insert(out_buf *s, size_t at, const char *text) {
  const size_t tail = s->len - at;
  const size_t len = strlen(text);
  out_str(s, text); /* makes room */
  if (s->error == 0) {
    memmove(s->buf + at + len, s->buf + at, tail);
    memcpy(s->buf + at, text, len);
  }
}

/* Says it of a PDU that was captured after one that follows it in the stream, once that is known.
 */
static void timeline_late(report_check *check, check_slot *held, const observe_conn *conn,
                          const iwarp_event *ev) {
  static const char words[] = " (late: sent again, or overtaken)";
  check_late *late = &held->late[ev->side];
  check_late *other = &held->late[1 - ev->side];
  if (late->packet <= ev->last.packet || late->marked ||
      late->packet == conn->replaced[ev->side]) { /* the copies differ */
    return;
  }
  timeline_insert(&held->lines, late->end, words);
  check->num_held += sizeof words - 1;
  other->end += other->end > late->end ? sizeof words - 1 : 0;
  late->marked = true;
}

/* Keeps the place of a line that a later one may show to be late. */
static void timeline_note(check_slot *held, const iwarp_event *ev) {
  check_late *late = &held->late[ev->side];
  if (ev->last.packet > late->packet) {
    *late = (check_late){.packet = ev->last.packet, .end = held->lines.len};
  }
}

static const char *timeline_gap(const iwarp_event *ev) {
  switch (ev->u.gap) {
  case IWARP_GAP_SNAPLEN: return ": their packet was cut";
  case IWARP_GAP_CHECKSUM: return ": the checksum of their packet is wrong";
  case IWARP_GAP_LOST: break;
  }
  return ": lost, no packet holds them";
}

static void timeline_resent(out_buf *s, const observe_conn *conn, uint8_t side,
                            const observe_resent *resent, const char *words) {
  if (resent->segments > 0) {
    out_str(s, "  ");
    check_text_side(s, conn, side);
    out_str(s, words);
    check_text_count(s, resent->segments, "segment", "segments");
    out_str(s, ", first in frame ");
    report_place_put(s, conn, 0, resent->packet);
    out_char(s, '\n');
  }
}

/* What TCP did about losses: octets that come again make no line of the ladder. */
static void timeline_repairs(out_buf *s, const observe_conn *conn) {
  for (uint8_t i = 0; i < 2; i++) {
    const uint8_t side = i == 0 ? report_initiator(conn->info) : 1 - report_initiator(conn->info);
    timeline_resent(s, conn, side, &conn->again[side], " sent again what was captured before: ");
    timeline_resent(s, conn, side, &conn->late[side],
                    " sent late (again, or overtaken on the way): ");
  }
}

/* ---- PDUs ---- */

static timeline_arrow timeline_arrow_of(const iwarp_event *ev) {
  return ev->kind == IWARP_EVENT_GAP           ? TIMELINE_LOST
         : ev->kind == IWARP_EVENT_UNDECODABLE ? TIMELINE_UNCLEAR
                                               : TIMELINE_WHOLE;
}

static void timeline_streaming(report_check *check, check_slot *held, const observe_conn *conn,
                               const iwarp_event *ev, bool to_right) {
  const uint64_t n = conn->tally.streaming[ev->side];
  const size_t before = held->lines.len;
  if (ev->kind == IWARP_EVENT_STARTUP && n > 0) {
    timeline_begin(check, held, conn, &ev->first, timeline_arrow_text(TIMELINE_WHOLE, to_right));
    out_str(&held->lines, "streaming ");
    check_text_count(&held->lines, n, "octet", "octets");
    timeline_hold(check, held, conn, before);
  }
}

static void timeline_pdu(report_check *check, void **slot, const observe_conn *conn,
                         const iwarp_event *ev) {
  check_slot *held = check_slot_get(slot);
  const char *end = check_text_end(ev);
  const bool silent = ev->kind == IWARP_EVENT_STREAMING || ev->kind == IWARP_EVENT_END;
  if (held == NULL || (silent && end == NULL)) {
    return;
  }
  const bool to_right = ev->side == report_initiator(conn->info);
  timeline_streaming(check, held, conn, ev, to_right);
  const bool gap = ev->kind == IWARP_EVENT_GAP;
  if (!gap) {
    timeline_late(check, held, conn, ev);
  }
  const size_t before = held->lines.len;
  timeline_begin(check, held, conn, &ev->last,
                 timeline_arrow_text(timeline_arrow_of(ev), to_right));
  if (end != NULL) {
    held->reset_shown = held->reset_shown || ev->u.end == IWARP_END_RST;
    out_str(&held->lines, end);
  } else {
    check_slot_line(&held->lines, held, conn, ev);
  }
  if (gap) {
    out_str(&held->lines, timeline_gap(ev));
  } else {
    timeline_note(held, ev);
  }
  timeline_hold(check, held, conn, before);
}

/* ---- findings ---- */

static void timeline_finding(report_check *check, void **slot, const observe_conn *conn,
                             const iwarp_finding *f, const iwarp_event *ev) {
  check_slot *held = *slot;
  out_buf *s = &held->lines;
  const size_t before = s->len;
  const bool in_place = ev != NULL && ev->last.packet == f->last.packet;
  if (in_place) {
    out_fill(s, ' ', TIMELINE_FRAME + timeline_time_width(check) + 2);
    out_str(s, timeline_none);
  } else {
    timeline_begin(check, held, conn, &f->last, timeline_none);
  }
  out_str(s, "! ");
  check_text_weight(check, s, conn, f);
  out_str(s, conn->known != NULL ? ": " : " ");
  out_str(s, iwarp_rule_get(f->rule)->slug);
  out_str(s, ": ");
  report_finding_line(s, conn, f);
  timeline_hold(check, held, conn, before);
}

/* An RST or ABORT that no direction showed as its own: octets before it are missing. */
static void timeline_reset(report_check *check, check_slot *held, const observe_conn *conn) {
  const observe_outcome *o = &conn->outcome;
  const iwarp_meta meta = {.packet = o->packet, .time_ns = o->time_ns};
  const char *reset = check_text_reset(held, conn);
  const size_t before = held->lines.len;
  if (reset != NULL) {
    timeline_begin(check, held, conn, &meta,
                   timeline_arrow_text(TIMELINE_WHOLE, o->side == report_initiator(conn->info)));
    out_str(&held->lines, reset);
    timeline_hold(check, held, conn, before);
  }
}

static void timeline_connection(report_check *check, void **slot, const observe_conn *conn) {
  check_slot *held = *slot;
  timeline_reset(check, held, conn);
  if (held->last_ns != 0) { /* the line before is one of this ladder */
    report_clock_note(&check->clock, report_place_capture(conn), held->last_ns);
  }
  timeline_release(check, held, conn);
  out_str(check->out, "  outcome: ");
  (void)check_text_why(check, conn);
  timeline_repairs(check->out, conn);
  check_text_given_up(check, conn);
  check_text_tail(check, conn);
  out_char(check->out, '\n');
}

const report_format report_format_timeline = {
    .name = "timeline",
    .same = UINT64_MAX,
    .pdu = timeline_pdu,
    .finding = timeline_finding,
    .connection = timeline_connection,
    .trait = check_text_trait,
    .transport = check_text_transport,
    .summary = check_text_summary,
};
