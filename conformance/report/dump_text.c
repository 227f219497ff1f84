/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs as text: one line each, the fields that matter, in the words of the RFCs. */
#include <report/dump.h>
#include <report/names.h>
#include <report/place.h>

#include "dump_parts.h"
#include "pdu_parts.h"

#define DUMP_OPCODE_END 2u /* octets of a DDP header up to the end of the Control Field */
#define DUMP_TIME 9u       /* columns of a time, and of the number of a frame, on a terminal */
#define DUMP_FRAME 5u

static void dump_text_time(out_buf *out, report_clock *clock, const char *file, uint64_t ns) {
  switch (clock != NULL ? clock->times : REPORT_TIME_DEFAULT) {
  case REPORT_TIME_DEFAULT: report_span_put(out, ns); return;
  case REPORT_TIME_ABSOLUTE: report_date_put(out, ns); return;
  case REPORT_TIME_CAPTURE: report_since_put(out, *clock->capture_ns, ns); return;
  case REPORT_TIME_DELTA: report_since_put(out, report_clock_before(clock, file), ns); break;
  }
  report_clock_note(clock, file, ns);
}

/* With several files of a capture each line says which of them it is about. */
static void dump_text_frame(out_buf *out, const observe_conn *conn, uint64_t packet) {
  const report_place place = report_place_of(conn, packet);
  if (conn->parts != NULL) {
    report_name_put(out, place.file);
    out_char(out, ':');
  }
  out_u64(out, place.frame);
}

void report_dump_legend(out_buf *out, const observe_conn *conn) {
  out_str(out, "conn ");
  out_u64(out, conn->number);
  out_str(out, ": A ");
  out_str(out, conn->addr[0]);
  out_str(out, ", B ");
  out_str(out, conn->addr[1]);
  out_char(out, '\n');
}

/* Writes a cell to the right of a column, and a blank. */
static void dump_text_cell(out_buf *out, out_buf *cell, size_t width) {
  out_fill(out, ' ', cell->len < width ? width - cell->len : 0);
  out_put(out, cell->buf, cell->len);
  out_char(out, ' ');
  out_clear(cell);
}

/* Time since the connection began, frame, connection and direction. */
static void dump_text_brief(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                            const report_dump_opts *opts) {
  out_buf cell;
  out_open_memory(&cell);
  if (opts->clock == NULL || opts->clock->times == REPORT_TIME_DEFAULT) {
    report_since_put(&cell, conn->began_ns, ev->last.time_ns);
  } else {
    dump_text_time(&cell, opts->clock, report_place_capture(conn), ev->last.time_ns);
  }
  dump_text_cell(out, &cell, DUMP_TIME);
  dump_text_frame(&cell, conn, ev->last.packet);
  dump_text_cell(out, &cell, DUMP_FRAME);
  out_close(&cell);
  out_u64(out, conn->number);
  out_str(out, ev->side == 0 ? " A>B " : " B>A ");
}

/* Time, frame, connection, who to whom. */
void report_text_head(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const report_dump_opts *opts) {
  const uint8_t side = ev->side;
  if (opts->brief) {
    dump_text_brief(out, conn, ev, opts);
    return;
  }
  dump_text_time(out, opts->clock, report_place_capture(conn), ev->last.time_ns);
  out_str(out, " frame ");
  dump_text_frame(out, conn, ev->last.packet);
  out_str(out, " conn ");
  out_u64(out, conn->number);
  out_char(out, ' ');
  out_str(out, conn->addr[side]);
  out_str(out, " > ");
  out_str(out, conn->addr[1 - side]);
  out_str(out, ": ");
}

static void dump_text_number(out_buf *out, const char *label, uint64_t v) {
  out_str(out, label);
  out_u64(out, v);
}

/* ---- startup frames ---- */

void report_text_enhanced(out_buf *out, const iwarp_mpa_enhanced *enh) {
  uint8_t octets[IWARP_MPA_ENHANCED_LEN];
  size_t len = 0;
  iwarp_mpa_enhanced_encode(octets, sizeof octets, &len, enh);
  report_words_put(out, IWARP_FORM_MPA_ENHANCED, (iwarp_span){octets, len});
}

static void dump_text_startup(out_buf *out, const iwarp_event_startup *v) {
  const iwarp_mpa_startup *frame = &v->frame;
  uint8_t octets[IWARP_MPA_STARTUP_LEN];
  const iwarp_span fixed = report_startup_fixed(octets, frame);
  out_str(out, v->is_reply ? "mpa-reply" : "mpa-request");
  report_words_put(out, IWARP_FORM_MPA_STARTUP, fixed);
  if (v->enhanced) {
    report_text_enhanced(out, &v->enh);
  }
  dump_text_number(out, " pd ", frame->pd_length);
  if (v->key == IWARP_MPA_KEY_UNKNOWN) {
    out_str(out, " key ");
    out_octets(out, frame->key, sizeof frame->key, 0);
  }
  out_buf text;
  out_open_memory(&text);
  if (report_startup_error_put(&text, v)) {
    out_str(out, ", error: ");
    out_put(out, text.buf, text.len);
  }
  out_close(&text);
}

/* ---- FPDUs ---- */

static void dump_text_name(out_buf *out, const iwarp_rdmap_seg *seg, const char *unnamed) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  if (seg->ddp_octets < DUMP_OPCODE_END) {
    out_str(out, unnamed);
    return;
  }
  out_str(out, op->name);
  if (!op->assigned) {
    dump_text_number(out, " opcode ", seg->ctrl.opcode);
  }
}

/* The payload is no field, and that T and the opcode disagree is in no field alone. */
static void dump_text_payload(out_buf *out, const iwarp_rdmap_seg *seg) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  dump_text_number(out, " len ", seg->payload_len);
  if (op->assigned && op->tagged != seg->ddp.tagged) {
    out_str(out, seg->ddp.tagged ? " tagged" : " untagged");
  }
  if (!seg->ddp.tagged && op->invalidates) {
    out_str(out, ", invalidate ");
    out_hex(out, seg->ddp.rsvdulp_word, 8);
  }
}

static bool dump_text_is_header(iwarp_form form) {
  return form == IWARP_FORM_DDP_TAGGED || form == IWARP_FORM_DDP_UNTAGGED ||
         form == IWARP_FORM_RDMAP_CTRL;
}

/* What a Fetch-and-Add has no use for is not shown. */
static iwarp_span dump_text_atomic(const iwarp_rdmap_seg *seg, iwarp_span octets) {
  const size_t compare = iwarp_field_get(IWARP_FIELD_RDMAP_ATOMIC_REQ_COMPARE_DATA)->octet_off;
  if (seg->u.atomic_req.aopcode == IWARP_RDMAP_AOP_FETCH_ADD && octets.len > compare) {
    octets.len = compare;
  }
  return octets;
}

/* The words of the DDP header with the Control Field, or of the message header. */
static void dump_text_forms(out_buf *out, const iwarp_event *ev, bool header) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  if (!report_event_walk(&it, ev)) {
    return;
  }
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
    if (!part.returned && dump_text_is_header(part.form) == header) {
      report_words_put(out, part.form,
                       part.form == IWARP_FORM_RDMAP_ATOMIC_REQ ? dump_text_atomic(seg, part.octets)
                                                                : part.octets);
    }
  }
}

void report_text_segment(out_buf *out, const iwarp_event *ev, const upper_message *name,
                         const char *unnamed) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  dump_text_name(out, seg, unnamed);
  dump_text_forms(out, ev, true);
  if (seg->has_ddp) {
    dump_text_payload(out, seg);
  }
  dump_text_forms(out, ev, false);
  report_text_upper(out, name);
  if (seg->kind == IWARP_RDMAP_KIND_TERM) {
    out_str(out, ", ");
    report_text_term(out, &seg->u.term, ev->u.fpdu.term_place);
  }
}

/* What goes without saying where it is known whether there are CRCs. */
static bool dump_text_crc_agreed(iwarp_crc_state crc, iwarp_tristate used) {
  return (used == IWARP_TRISTATE_ON && crc == IWARP_CRC_GOOD) ||
         (used == IWARP_TRISTATE_OFF && crc == IWARP_CRC_UNCHECKED);
}

static void dump_text_fpdu(out_buf *out, const iwarp_event *ev, const upper_message *name,
                           iwarp_tristate used) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  report_text_segment(out, ev, name, "fpdu");
  if (!v->seg.has_ddp) {
    dump_text_number(out, " ulpdu ", v->fpdu.ulpdu_length);
  }
  if (v->fpdu.layout.num_markers > 0) {
    dump_text_number(out, ", markers ", v->fpdu.layout.num_markers);
  }
  if (!dump_text_crc_agreed(v->crc, used)) {
    out_str(out, ", crc ");
    out_str(out, report_crc_name(v->crc));
  }
  if (!v->complete) {
    out_str(out, ", cut");
  }
  if (v->seg.err == IWARP_ERR_RDMAP_LONG) {
    const uint8_t hdr_len = iwarp_rdmap_op_get(v->seg.ctrl.opcode)->hdr_len;
    dump_text_number(out, ", surplus ", v->seg.payload_len - hdr_len);
  }
  if (report_fpdu_has_error(v)) {
    out_str(out, ", error: ");
    report_fpdu_error_put(out, v);
  }
}

static const char *dump_text_plural(uint64_t n) {
  return n == 1 ? " octet" : " octets";
}

/* Streaming data was counted as it went by; it is reported where it ended. */
void report_text_streaming(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                           const report_dump_opts *opts) {
  const uint64_t n = conn->tally.streaming[ev->side];
  if (ev->kind == IWARP_EVENT_STARTUP && n > 0) {
    report_text_head(out, conn, ev, opts);
    dump_text_number(out, "streaming ", n);
    out_str(out, dump_text_plural(n));
    out_char(out, '\n');
  }
}

const char *report_gap_note(iwarp_gap_reason reason) {
  switch (reason) {
  case IWARP_GAP_SNAPLEN: return " (snaplen)";
  case IWARP_GAP_CHECKSUM: return " (checksum)";
  case IWARP_GAP_LOST: break;
  }
  return "";
}

bool report_text_tcp(out_buf *out, const iwarp_event *ev, const upper_message *name,
                     iwarp_tristate crc) {
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: dump_text_startup(out, &ev->u.startup); return true;
  case IWARP_EVENT_FPDU: dump_text_fpdu(out, ev, name, crc); return true;
  case IWARP_EVENT_GAP:
    dump_text_number(out, "gap ", ev->len);
    out_str(out, dump_text_plural(ev->len));
    out_str(out, report_gap_note(ev->u.gap));
    return true;
  case IWARP_EVENT_UNDECODABLE:
    dump_text_number(out, "undecodable ", ev->len);
    out_str(out, dump_text_plural(ev->len));
    out_str(out, " (");
    out_str(out, report_undec_name(ev->u.undecodable));
    out_char(out, ')');
    return true;
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT:
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_END: break;
  }
  return false;
}
