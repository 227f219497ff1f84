/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs as text: one line each, the fields that matter, in the words of the RFCs. */
#include <report/dump.h>
#include <report/names.h>
#include <report/place.h>

#include "dump_parts.h"

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

/* Time, frame, connection, who to whom. */
void report_text_head(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                      const report_dump_opts *opts) {
  const uint8_t side = ev->side;
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

static void dump_text_hex(out_buf *out, const char *label, uint64_t v, unsigned int digits) {
  out_str(out, label);
  out_hex(out, v, digits);
}

/* ---- startup frames ---- */

static void dump_text_flags(out_buf *out, uint8_t flags) {
  static const char letters[] = "MCRS";
  if ((flags & ~IWARP_MPA_FLAG_RES) == 0) {
    return;
  }
  out_str(out, " flags ");
  for (unsigned int i = 0; i < 4; i++) {
    if ((flags & (IWARP_MPA_FLAG_M >> i)) != 0) {
      out_char(out, letters[i]);
    }
  }
}

void report_text_enhanced(out_buf *out, const iwarp_mpa_enhanced *enh) {
  dump_text_number(out, " ird ", enh->ird);
  dump_text_number(out, " ord ", enh->ord);
  if (enh->a) {
    out_str(out, " peer-to-peer");
  }
  if (enh->b || enh->c || enh->d) {
    out_str(out, " rtr");
    out_str(out, enh->b ? " send" : "");
    out_str(out, enh->c ? " write" : "");
    out_str(out, enh->d ? " read" : "");
  }
}

static void dump_text_startup(out_buf *out, const iwarp_ev_startup *v) {
  const iwarp_mpa_startup *frame = &v->frame;
  out_str(out, v->is_reply ? "mpa-reply" : "mpa-request");
  dump_text_number(out, " rev ", frame->rev);
  dump_text_flags(out, frame->flags);
  if ((frame->flags & IWARP_MPA_FLAG_RES) != 0) {
    dump_text_hex(out, " reserved ", frame->flags & IWARP_MPA_FLAG_RES, 1);
  }
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

static void dump_text_ddp(out_buf *out, const iwarp_rdmap_seg *seg) {
  const iwarp_ddp_hdr *ddp = &seg->ddp;
  out_str(out, iwarp_rdmap_op_get(seg->ctrl.opcode)->name);
  if (!iwarp_rdmap_op_get(seg->ctrl.opcode)->assigned) {
    dump_text_number(out, " opcode ", seg->ctrl.opcode);
  }
  out_str(out, ddp->last ? " L" : "");
  if (ddp->tagged) {
    dump_text_hex(out, " stag ", ddp->stag, 8);
    dump_text_hex(out, " to ", ddp->to, 16);
  } else {
    dump_text_number(out, " qn ", ddp->qn);
    dump_text_number(out, " msn ", ddp->msn);
    dump_text_number(out, " mo ", ddp->mo);
  }
  dump_text_number(out, " len ", seg->payload_len);
}

/* What a conforming peer sets to a fixed value is shown only where it has another one. */
static void dump_text_odd(out_buf *out, const iwarp_rdmap_seg *seg) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  if (op->assigned && op->tagged != seg->ddp.tagged) {
    out_str(out, seg->ddp.tagged ? " tagged" : " untagged");
  }
  if (seg->ddp.dv != IWARP_DDP_VERSION) {
    dump_text_number(out, " dv ", seg->ddp.dv);
  }
  if (seg->ddp.rsvd != 0) {
    dump_text_hex(out, " rsvd ", seg->ddp.rsvd, 1);
  }
  if (seg->ctrl.rv != IWARP_RDMAP_VERSION) {
    dump_text_number(out, " rv ", seg->ctrl.rv);
  }
  if (seg->ctrl.rsv != 0) {
    dump_text_hex(out, " rsv ", seg->ctrl.rsv, 1);
  }
}

static void dump_text_read_req(out_buf *out, const iwarp_rdmap_read_req *v) {
  dump_text_hex(out, ", sink ", v->sink_stag, 8);
  dump_text_hex(out, " to ", v->sink_to, 16);
  dump_text_hex(out, " source ", v->source_stag, 8);
  dump_text_hex(out, " to ", v->source_to, 16);
  dump_text_number(out, " size ", v->size);
}

static void dump_text_atomic_req(out_buf *out, const iwarp_rdmap_atomic_req *v) {
  if (v->aopcode == IWARP_RDMAP_AOP_FETCH_ADD) {
    out_str(out, ", fetch-add");
  } else if (v->aopcode == IWARP_RDMAP_AOP_CMP_SWAP) {
    out_str(out, ", cmp-swap");
  } else {
    dump_text_number(out, ", operation ", v->aopcode);
  }
  dump_text_number(out, " id ", v->request_id);
  dump_text_hex(out, " stag ", v->stag, 8);
  dump_text_hex(out, " to ", v->to, 16);
  dump_text_hex(out, " data ", v->add_swap_data, 16);
  dump_text_hex(out, " mask ", v->add_swap_mask, 16);
  if (v->aopcode != IWARP_RDMAP_AOP_FETCH_ADD) {
    dump_text_hex(out, " compare ", v->compare_data, 16);
    dump_text_hex(out, " mask ", v->compare_mask, 16);
  }
}

static void dump_text_message(out_buf *out, const iwarp_rdmap_seg *seg) {
  if (!seg->ddp.tagged && iwarp_rdmap_op_get(seg->ctrl.opcode)->invalidates) {
    dump_text_hex(out, ", invalidate ", seg->ddp.rsvdulp_word, 8);
  }
  switch (seg->kind) {
  case IWARP_RDMAP_KIND_NONE: return;
  case IWARP_RDMAP_KIND_READ_REQ: dump_text_read_req(out, &seg->u.read_req); return;
  case IWARP_RDMAP_KIND_TERM:
    out_str(out, ", ");
    report_text_term(out, &seg->u.term);
    return;
  case IWARP_RDMAP_KIND_IMMEDIATE:
    out_str(out, ", data ");
    out_octets(out, seg->u.immediate, sizeof seg->u.immediate, 0);
    return;
  case IWARP_RDMAP_KIND_ATOMIC_REQ: dump_text_atomic_req(out, &seg->u.atomic_req); return;
  case IWARP_RDMAP_KIND_ATOMIC_RESP:
    dump_text_number(out, ", id ", seg->u.atomic_resp.request_id);
    dump_text_hex(out, " original ", seg->u.atomic_resp.original, 16);
    return;
  }
}

void report_text_segment(out_buf *out, const iwarp_rdmap_seg *seg) {
  dump_text_ddp(out, seg);
  dump_text_odd(out, seg);
  dump_text_message(out, seg);
}

void report_text_cut(out_buf *out, const iwarp_rdmap_seg *seg, const char *unnamed) {
  out_str(out, seg->ddp_octets >= 2 ? iwarp_rdmap_op_get(seg->ctrl.opcode)->name : unnamed);
  out_str(out, seg->ddp.last ? " L" : "");
  if (seg->ddp.tagged && seg->ddp_octets >= 6) {
    dump_text_hex(out, " stag ", seg->ddp.stag, 8);
  }
  if (!seg->ddp.tagged && seg->ddp_octets >= 10) {
    dump_text_number(out, " qn ", seg->ddp.qn);
  }
  if (!seg->ddp.tagged && seg->ddp_octets >= 14) {
    dump_text_number(out, " msn ", seg->ddp.msn);
  }
}

/* An FPDU without a whole DDP header. */
static void dump_text_headless(out_buf *out, const iwarp_ev_fpdu *v) {
  report_text_cut(out, &v->seg, "fpdu");
  dump_text_number(out, " ulpdu ", v->fpdu.ulpdu_length);
}

/* What goes without saying where it is known whether there are CRCs. */
static bool dump_text_crc_agreed(iwarp_crc_state crc, iwarp_tristate used) {
  return (used == IWARP_TRISTATE_ON && crc == IWARP_CRC_GOOD) ||
         (used == IWARP_TRISTATE_OFF && crc == IWARP_CRC_UNCHECKED);
}

static void dump_text_fpdu(out_buf *out, const iwarp_ev_fpdu *v, iwarp_tristate used) {
  if (v->seg.has_ddp) {
    report_text_segment(out, &v->seg);
  } else {
    dump_text_headless(out, v);
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

bool report_text_tcp(out_buf *out, const iwarp_event *ev, iwarp_tristate crc) {
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: dump_text_startup(out, &ev->u.startup); return true;
  case IWARP_EVENT_FPDU: dump_text_fpdu(out, &ev->u.fpdu, crc); return true;
  case IWARP_EVENT_GAP:
    dump_text_number(out, "gap ", ev->len);
    out_str(out, dump_text_plural(ev->len));
    out_str(out, ev->u.gap == IWARP_GAP_SNAPLEN ? " (snaplen)" : "");
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
