/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs as JSON Lines: the keys of the command line contract, in a fixed order. */
#include <report/dump.h>
#include <report/jsonw.h>
#include <report/names.h>
#include <report/private_data.h>

#include "dump_parts.h"

void report_json_head(jsonw *w, const report_conn *conn, const iwarp_event *ev, const char *pdu) {
  const uint8_t side = ev->side;
  jsonw_object(w, NULL);
  jsonw_text(w, "pdu", pdu);
  jsonw_string(w, "file", conn->file, strlen(conn->file));
  jsonw_u64(w, "frame", ev->last.packet);
  jsonw_time(w, "time", ev->last.time_ns);
  jsonw_u64(w, "conn", conn->number);
  jsonw_text(w, "src", conn->addr[side]);
  jsonw_text(w, "dst", conn->addr[1 - side]);
  jsonw_text(w, "dir", report_role_name(conn->info->side[side].role));
  jsonw_u64(w, "seq", (uint32_t)ev->pos);
}

static void dump_json_octets(jsonw *w, const iwarp_event *ev) {
  uint8_t frame[REPORT_FRAME_CAP];
  uint64_t pos = 0;
  const iwarp_span octets = report_event_octets(ev, &pos, frame);
  jsonw_octets(w, "octets", octets.ptr, octets.len);
}

/* ---- startup frames ---- */

void report_json_enhanced(jsonw *w, const iwarp_mpa_enhanced *enh) {
  jsonw_u64(w, "ird", enh->ird);
  jsonw_u64(w, "ord", enh->ord);
  jsonw_bool(w, "a", enh->a);
  jsonw_bool(w, "b", enh->b);
  jsonw_bool(w, "c", enh->c);
  jsonw_bool(w, "d", enh->d);
}

static void dump_json_startup_error(jsonw *w, const iwarp_ev_startup *v) {
  sink text;
  sink_open_memory(&text);
  if (report_startup_error_put(&text, v)) {
    jsonw_string(w, "error", text.buf, text.len);
  }
  sink_close(&text);
}

static void dump_json_startup(jsonw *w, const iwarp_ev_startup *v) {
  const iwarp_mpa_startup *frame = &v->frame;
  if (v->key == IWARP_MPA_KEY_UNKNOWN) {
    jsonw_octets(w, "key", frame->key, sizeof frame->key);
  }
  jsonw_bool(w, "markers", (frame->flags & IWARP_MPA_FLAG_M) != 0);
  jsonw_bool(w, "crc", (frame->flags & IWARP_MPA_FLAG_C) != 0);
  jsonw_bool(w, "reject", (frame->flags & IWARP_MPA_FLAG_R) != 0);
  jsonw_bool(w, "enhanced", (frame->flags & IWARP_MPA_FLAG_S) != 0);
  jsonw_u64(w, "rev", frame->rev);
  jsonw_u64(w, "pd_length", frame->pd_length);
  if (v->enhanced) {
    report_json_enhanced(w, &v->enh);
  }
  jsonw_octets(w, "private_data", v->ulp_data.ptr, v->ulp_data.len);
  const report_private_data p =
      report_private_data_of(frame->rev, frame->private_data, v->ulp_data);
  report_private_data_json(w, &p);
  dump_json_startup_error(w, v);
}

/* ---- FPDUs ---- */

static void dump_json_ddp(jsonw *w, const iwarp_rdmap_seg *seg) {
  const iwarp_ddp_hdr *ddp = &seg->ddp;
  jsonw_object(w, "ddp");
  jsonw_bool(w, "tagged", ddp->tagged);
  jsonw_bool(w, "last", ddp->last);
  jsonw_u64(w, "dv", ddp->dv);
  jsonw_u64(w, "length", seg->payload_len);
  if (ddp->tagged) {
    jsonw_hex32(w, "stag", ddp->stag);
    jsonw_hex64(w, "to", ddp->to);
  } else {
    jsonw_u64(w, "qn", ddp->qn);
    jsonw_u64(w, "msn", ddp->msn);
    jsonw_u64(w, "mo", ddp->mo);
  }
  jsonw_end_object(w);
}

static void dump_json_rdmap(jsonw *w, const iwarp_rdmap_seg *seg) {
  jsonw_object(w, "rdmap");
  jsonw_u64(w, "rv", seg->ctrl.rv);
  jsonw_u64(w, "opcode", seg->ctrl.opcode);
  jsonw_text(w, "name", iwarp_rdmap_op_get(seg->ctrl.opcode)->name);
  jsonw_end_object(w);
}

static void dump_json_read_req(jsonw *w, const iwarp_rdmap_read_req *v) {
  jsonw_object(w, "read_request");
  jsonw_hex32(w, "sink_stag", v->sink_stag);
  jsonw_hex64(w, "sink_to", v->sink_to);
  jsonw_u64(w, "size", v->size);
  jsonw_hex32(w, "source_stag", v->source_stag);
  jsonw_hex64(w, "source_to", v->source_to);
  jsonw_end_object(w);
}

static void dump_json_atomic_req(jsonw *w, const iwarp_rdmap_atomic_req *v) {
  jsonw_object(w, "atomic_request");
  jsonw_u64(w, "opcode", v->aopcode);
  jsonw_u64(w, "request_id", v->request_id);
  jsonw_hex32(w, "stag", v->stag);
  jsonw_hex64(w, "to", v->to);
  jsonw_hex64(w, "add_swap_data", v->add_swap_data);
  jsonw_hex64(w, "add_swap_mask", v->add_swap_mask);
  jsonw_hex64(w, "compare_data", v->compare_data);
  jsonw_hex64(w, "compare_mask", v->compare_mask);
  jsonw_end_object(w);
}

static void dump_json_atomic_resp(jsonw *w, const iwarp_rdmap_atomic_resp *v) {
  jsonw_object(w, "atomic_response");
  jsonw_u64(w, "request_id", v->request_id);
  jsonw_hex64(w, "original", v->original);
  jsonw_end_object(w);
}

static void dump_json_message(jsonw *w, const iwarp_rdmap_seg *seg) {
  if (!seg->ddp.tagged && iwarp_rdmap_op_get(seg->ctrl.opcode)->invalidates) {
    jsonw_hex32(w, "invalidate_stag", seg->ddp.rsvdulp_word);
  }
  switch (seg->kind) {
  case IWARP_RDMAP_KIND_NONE: break;
  case IWARP_RDMAP_KIND_READ_REQ: dump_json_read_req(w, &seg->u.read_req); break;
  case IWARP_RDMAP_KIND_TERM: report_json_term(w, &seg->u.term); break;
  case IWARP_RDMAP_KIND_IMMEDIATE:
    jsonw_octets(w, "immediate", seg->u.immediate, sizeof seg->u.immediate);
    break;
  case IWARP_RDMAP_KIND_ATOMIC_REQ: dump_json_atomic_req(w, &seg->u.atomic_req); break;
  case IWARP_RDMAP_KIND_ATOMIC_RESP: dump_json_atomic_resp(w, &seg->u.atomic_resp); break;
  }
}

void report_json_segment(jsonw *w, const iwarp_rdmap_seg *seg) {
  dump_json_ddp(w, seg);
  dump_json_rdmap(w, seg);
  dump_json_message(w, seg);
}

/* The fields of a header that the capture cuts: those that are there (RFC 5041 4.2, 4.3). */
void report_json_head_cut(jsonw *w, const report_head *h) {
  jsonw_object(w, "ddp");
  jsonw_bool(w, "tagged", h->ddp.tagged);
  jsonw_bool(w, "last", h->ddp.last);
  jsonw_u64(w, "dv", h->ddp.dv);
  jsonw_u64(w, "length", h->payload_len);
  if (h->ddp.tagged && h->num >= 6) {
    jsonw_hex32(w, "stag", h->ddp.stag);
  }
  if (!h->ddp.tagged && h->num >= 10) {
    jsonw_u64(w, "qn", h->ddp.qn);
  }
  if (!h->ddp.tagged && h->num >= 14) {
    jsonw_u64(w, "msn", h->ddp.msn);
  }
  jsonw_end_object(w);
  if (h->num < 2) {
    return;
  }
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(h->ctrl.opcode);
  jsonw_object(w, "rdmap");
  jsonw_u64(w, "rv", h->ctrl.rv);
  jsonw_u64(w, "opcode", h->ctrl.opcode);
  jsonw_text(w, "name", op->name);
  jsonw_end_object(w);
  if (!h->ddp.tagged && op->invalidates && h->num >= 6) {
    jsonw_hex32(w, "invalidate_stag", h->ddp.rsvdulp_word);
  }
}

static void dump_json_fpdu(jsonw *w, const iwarp_ev_fpdu *v) {
  if (v->offset != IWARP_POS_UNKNOWN) {
    jsonw_u64(w, "offset", v->offset);
  }
  jsonw_u64(w, "ulpdu_length", v->fpdu.ulpdu_length);
  jsonw_u64(w, "pad", v->fpdu.layout.pad);
  jsonw_text(w, "crc", report_crc_name(v->crc));
  if (v->crc_present) {
    jsonw_hex32(w, "crc_value", v->fpdu.crc);
  }
  jsonw_u64(w, "marker_count", v->fpdu.layout.num_markers);
  if (report_fpdu_has_error(v)) {
    jsonw_key(w, "error");
    sink_char(w->out, '"');
    report_fpdu_error_put(w->out, v);
    sink_char(w->out, '"');
  }
  if (v->seg.has_ddp) {
    report_json_segment(w, &v->seg);
    return;
  }
  report_head head;
  if (report_head_get(&head, v)) {
    report_json_head_cut(w, &head);
  }
}

/* ---- what -V adds: fields that a reader of numbers rarely wants, beside the keys of the contract
 * ---- */

static void dump_json_markers(jsonw *w, const iwarp_mpa_fpdu *fpdu) {
  iwarp_mpa_marker marker = {0};
  iwarp_mpa_marker expected = {0};
  size_t off = 0;
  jsonw_array(w, "marker_list");
  for (size_t i = 0; iwarp_mpa_fpdu_marker(&marker, &expected, &off, fpdu, i) == IWARP_OK; i++) {
    jsonw_object(w, NULL);
    jsonw_u64(w, "reserved", marker.reserved);
    jsonw_u64(w, "fpduptr", marker.fpduptr);
    jsonw_u64(w, "expected", expected.fpduptr);
    jsonw_end_object(w);
  }
  jsonw_end_array(w);
}

void report_json_reserved(jsonw *w, const iwarp_rdmap_seg *seg) {
  jsonw_u64(w, "ddp_rsvd", seg->ddp.rsvd);
  jsonw_u64(w, "rdmap_rsv", seg->ctrl.rsv);
  if (!seg->ddp.tagged && !iwarp_rdmap_op_get(seg->ctrl.opcode)->invalidates) {
    jsonw_hex32(w, "rsvdulp_word", seg->ddp.rsvdulp_word);
  }
  if (seg->kind == IWARP_RDMAP_KIND_TERM) {
    jsonw_u64(w, "terminate_reserved", seg->u.term.reserved);
  }
  if (seg->kind == IWARP_RDMAP_KIND_ATOMIC_REQ) {
    jsonw_u64(w, "atomic_reserved", seg->u.atomic_req.reserved);
  }
  if (seg->err == IWARP_ERR_RDMAP_LONG) {
    jsonw_u64(w, "surplus", seg->payload_len - iwarp_rdmap_op_get(seg->ctrl.opcode)->hdr_len);
  }
}

static void dump_json_fields(jsonw *w, const iwarp_event *ev) {
  const iwarp_ev_fpdu *v = &ev->u.fpdu;
  if (ev->kind == IWARP_EVENT_STARTUP) {
    jsonw_u64(w, "reserved", ev->u.startup.frame.flags & IWARP_MPA_FLAG_RES);
  }
  if (ev->kind != IWARP_EVENT_FPDU) {
    return;
  }
  jsonw_text(w, "proof", report_proof_name(v->proof));
  jsonw_bool(w, "complete", v->complete);
  if (v->pad_present) {
    jsonw_octets(w, "pad_octets", v->fpdu.pad, v->fpdu.layout.pad);
  }
  if (v->crc != IWARP_CRC_UNCHECKED) {
    jsonw_hex32(w, "crc_computed", v->crc_computed);
  }
  dump_json_markers(w, &v->fpdu);
  if (v->seg.has_ddp) {
    report_json_reserved(w, &v->seg);
  }
}

void report_dump_json(sink *out, const report_conn *conn, const iwarp_event *ev,
                      const report_dump_opts *opts) {
  jsonw w = {.out = out};
  if (ev->sctp != NULL) {
    report_json_sctp(out, conn, ev, opts);
    return;
  }
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP:
    report_json_head(&w, conn, ev, ev->u.startup.is_reply ? "mpa-reply" : "mpa-request");
    dump_json_startup(&w, &ev->u.startup);
    break;
  case IWARP_EVENT_FPDU:
    report_json_head(&w, conn, ev, "fpdu");
    dump_json_fpdu(&w, &ev->u.fpdu);
    break;
  case IWARP_EVENT_GAP:
    report_json_head(&w, conn, ev, "gap");
    jsonw_u64(&w, "length", ev->len);
    break;
  case IWARP_EVENT_UNDECODABLE:
    report_json_head(&w, conn, ev, "undecodable");
    jsonw_u64(&w, "length", ev->len);
    jsonw_text(&w, "reason", report_undec_name(ev->u.undecodable));
    break;
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT:
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_END: return;
  }
  if (opts->fields) {
    dump_json_fields(&w, ev);
  }
  if (opts->octets && (ev->kind == IWARP_EVENT_FPDU || ev->kind == IWARP_EVENT_STARTUP)) {
    dump_json_octets(&w, ev);
  }
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}
