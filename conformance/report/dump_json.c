/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs as JSON Lines: the keys of the command line contract, in a fixed order. */
#include <report/conn.h>
#include <report/dump.h>
#include <report/jsonw.h>
#include <report/names.h>
#include <report/place.h>
#include <report/private_data.h>

#include "dump_parts.h"
#include "pdu_parts.h"

#define DUMP_FIRST_OCTET 8u    /* bits of the control octet of a form */
#define DUMP_INVALIDATE_END 6u /* octets of a DDP header up to the end of the Invalidate STag */

void report_json_head(jsonw *w, const observe_conn *conn, const iwarp_event *ev) {
  const uint8_t side = ev->side;
  jsonw_object(w, NULL);
  jsonw_text(w, "pdu", report_pdu_name(ev));
  report_place_line(w, conn, ev->last.packet);
  jsonw_time(w, "time", ev->last.time_ns);
  jsonw_u64(w, "conn", conn->number);
  jsonw_text(w, "src", conn->addr[side]);
  jsonw_text(w, "dst", conn->addr[1 - side]);
  jsonw_text(w, "dir", report_role_name(report_sender_role(conn->info, ev)));
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
  uint8_t octets[IWARP_MPA_ENHANCED_LEN];
  size_t len = 0;
  iwarp_mpa_enhanced_encode(octets, sizeof octets, &len, enh);
  report_brief_json(w, IWARP_FORM_MPA_ENHANCED, (iwarp_span){octets, len});
}

iwarp_span report_startup_fixed(uint8_t *octets, const iwarp_mpa_startup *frame) {
  iwarp_mpa_startup fixed = *frame;
  size_t len = 0;
  fixed.private_data = (iwarp_span){0};
  iwarp_mpa_startup_encode(octets, IWARP_MPA_STARTUP_LEN, &len, &fixed);
  return (iwarp_span){octets, len};
}

/* The fixed part of a startup frame; `other` asks for the fields that a dump shows with -V only. */
static void dump_json_startup_fixed(jsonw *w, const iwarp_mpa_startup *frame, bool other) {
  uint8_t octets[IWARP_MPA_STARTUP_LEN];
  const iwarp_span fixed = report_startup_fixed(octets, frame);
  if (other) {
    report_other_json(w, IWARP_FORM_MPA_STARTUP, fixed);
  } else {
    report_brief_json(w, IWARP_FORM_MPA_STARTUP, fixed);
  }
}

static void dump_json_startup_error(jsonw *w, const iwarp_event_startup *v) {
  out_buf text;
  out_open_memory(&text);
  if (report_startup_error_put(&text, v)) {
    jsonw_string(w, "error", text.buf, text.len);
  }
  out_close(&text);
}

static void dump_json_startup(jsonw *w, const iwarp_event_startup *v) {
  const iwarp_mpa_startup *frame = &v->frame;
  if (v->key == IWARP_MPA_KEY_UNKNOWN) {
    jsonw_octets(w, "key", frame->key, sizeof frame->key);
  }
  dump_json_startup_fixed(w, frame, false);
  if (v->enhanced) {
    report_json_enhanced(w, &v->enh);
  }
  jsonw_octets(w, "private_data", v->ulp_data.ptr, v->ulp_data.len);
  const report_private_data p = report_private_data_of(frame, v->ulp_data);
  report_private_data_json(w, &p);
  dump_json_startup_error(w, v);
}

/* ---- FPDUs ---- */

/* The Invalidate STag counts only where the opcode says so; it stands beside the objects. */
static void dump_json_invalidate(jsonw *w, const iwarp_rdmap_seg *seg) {
  if (!seg->ddp.tagged && iwarp_rdmap_op_get(seg->ctrl.opcode)->invalidates &&
      seg->ddp_octets >= DUMP_INVALIDATE_END) {
    jsonw_hex32(w, "invalidate_stag", seg->ddp.rsvdulp_word);
  }
}

/* One form of a segment. A form that is a single field is written as its value. */
static void dump_json_part(jsonw *w, const iwarp_pdu_part *part, const iwarp_rdmap_seg *seg) {
  const iwarp_form_info *info = iwarp_form_get(part->form);
  if (info->num_fields == 1) {
    report_brief_json(w, part->form, part->octets);
    return;
  }
  const bool ddp = part->form == IWARP_FORM_DDP_TAGGED || part->form == IWARP_FORM_DDP_UNTAGGED;
  jsonw_object(w, info->key);
  report_brief_json_from(w, part->form, part->octets, 0, DUMP_FIRST_OCTET);
  if (ddp) {
    jsonw_u64(w, "length", seg->payload_len); /* length of the payload: no field of the wire */
  }
  report_brief_json_from(w, part->form, part->octets, DUMP_FIRST_OCTET, SIZE_MAX);
  if (part->form == IWARP_FORM_RDMAP_CTRL) {
    jsonw_text(w, "name", iwarp_rdmap_op_get(seg->ctrl.opcode)->name);
  }
  jsonw_end_object(w);
  if (part->form == IWARP_FORM_RDMAP_CTRL) {
    dump_json_invalidate(w, seg);
  }
}

/* Returns false for forms of MPA and SCTP, which have keys of their own in a line. A whole
 * Terminate is an object of more than one form. */
static bool dump_json_is_segment_part(const iwarp_pdu_part *part, const iwarp_rdmap_seg *seg) {
  if (!report_is_of_segment(part, seg) || part->form == IWARP_FORM_RDMAP_TERM_LENGTH) {
    return false;
  }
  return part->form != IWARP_FORM_RDMAP_TERM || seg->kind != IWARP_RDMAP_KIND_TERM;
}

void report_json_segment(jsonw *w, const iwarp_event *ev, const upper_message *name) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  if (!report_event_walk(&it, ev)) {
    return;
  }
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
    if (dump_json_is_segment_part(&part, seg)) {
      dump_json_part(w, &part, seg);
    }
  }
  if (seg->kind == IWARP_RDMAP_KIND_TERM) {
    report_json_term(w, NULL, &seg->u.term, ev->u.fpdu.term_place, 0);
  }
  report_json_upper(w, name);
}

static void dump_json_fpdu(jsonw *w, const iwarp_event *ev, const upper_message *name) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
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
    out_char(w->out, '"');
    report_fpdu_error_put(w->out, v);
    out_char(w->out, '"');
  }
  report_json_segment(w, ev, name);
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

void report_json_others(jsonw *w, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  if (report_event_walk(&it, ev)) {
    while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
      if (report_is_of_segment(&part, seg)) {
        report_other_json(w, part.form, part.octets);
      }
    }
  }
  if (seg->err == IWARP_ERR_RDMAP_LONG) {
    jsonw_u64(w, "surplus", seg->payload_len - iwarp_rdmap_op_get(seg->ctrl.opcode)->hdr_len);
  }
}

static void dump_json_fields(jsonw *w, const iwarp_event *ev) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  if (ev->kind == IWARP_EVENT_STARTUP) {
    dump_json_startup_fixed(w, &ev->u.startup.frame, true);
  }
  if (ev->kind != IWARP_EVENT_FPDU) {
    return;
  }
  jsonw_text(w, "sync", report_sync_name(v->sync));
  jsonw_bool(w, "complete", v->complete);
  if (v->pad_present) {
    jsonw_octets(w, "pad_octets", v->fpdu.pad, v->fpdu.layout.pad);
  }
  if (v->crc != IWARP_CRC_UNCHECKED) {
    jsonw_hex32(w, "crc_computed", v->crc_computed);
  }
  dump_json_markers(w, &v->fpdu);
  report_json_others(w, ev);
}

void report_json_tcp(out_buf *out, const observe_conn *conn, const iwarp_event *ev,
                     const upper_message *name, const report_dump_opts *opts) {
  jsonw w = {.out = out};
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP:
    report_json_head(&w, conn, ev);
    dump_json_startup(&w, &ev->u.startup);
    break;
  case IWARP_EVENT_FPDU:
    report_json_head(&w, conn, ev);
    dump_json_fpdu(&w, ev, name);
    break;
  case IWARP_EVENT_GAP:
    report_json_head(&w, conn, ev);
    jsonw_u64(&w, "length", ev->len);
    break;
  case IWARP_EVENT_UNDECODABLE:
    report_json_head(&w, conn, ev);
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
