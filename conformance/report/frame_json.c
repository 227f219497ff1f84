/* SPDX-License-Identifier: BSD-2-Clause */
/* One frame by itself as a line of JSON: every field of the field table under its key. */
#include <report/frame.h>
#include <report/jsonw.h>

#include "pdu_parts.h"

static iwarp_span frame_json_after(iwarp_span in, size_t n) {
  return (iwarp_span){in.ptr + n, in.len - n};
}

/* ---- segments ---- */

/* What a Terminate holds after its fields, as octets. */
static void frame_json_term(jsonw *w, const iwarp_rdmap_term *v) {
  if (v->ddp_header.len > 0) {
    jsonw_octets(w, "ddp_header", v->ddp_header.ptr, v->ddp_header.len);
  }
  if (v->rdma_header.len > 0) {
    jsonw_octets(w, "rdma_header", v->rdma_header.ptr, v->rdma_header.len);
  }
  jsonw_octets(w, "rest", v->rest.ptr, v->rest.len);
  jsonw_end_object(w);
}

/* Writes a form of a segment as an object; the object of a Terminate stays open for its other
 * forms. */
static void frame_json_part(jsonw *w, const report_frame *f, const iwarp_pdu_part *part) {
  if (part->form == IWARP_FORM_RDMAP_TERM_LENGTH) {
    report_fields_json(w, part->form, part->octets);
    return;
  }
  jsonw_object(w, iwarp_form_get(part->form)->key);
  report_fields_json(w, part->form, part->octets);
  if (part->form != IWARP_FORM_RDMAP_TERM) {
    jsonw_end_object(w);
  }
  if (part->form == IWARP_FORM_RDMAP_CTRL && f->layer == REPORT_LAYER_RDMAP && !f->seg.ddp.tagged) {
    jsonw_hex32(w, "invalidate_stag", f->seg.ddp.rsvdulp_word);
  }
}

static bool frame_json_is_segment_part(const report_frame *f, const iwarp_pdu_part *part) {
  return report_is_of_segment(part, &f->seg) &&
         (f->layer != REPORT_LAYER_RDMAP || !report_is_ddp(part));
}

static void frame_json_segment(jsonw *w, const report_frame *f) {
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  if (!f->seg.has_ddp || !report_frame_walk(&it, f)) {
    return;
  }
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
    if (frame_json_is_segment_part(f, &part)) {
      frame_json_part(w, f, &part);
    }
  }
  if (f->seg.kind == IWARP_RDMAP_KIND_TERM) {
    frame_json_term(w, &f->seg.u.term);
  } else {
    const iwarp_span payload = report_frame_payload(f);
    jsonw_octets(w, "payload", payload.ptr, payload.len);
  }
}

/* ---- MPA ---- */

static void frame_json_private_data(jsonw *w, const report_frame *f) {
  const iwarp_span enhanced = report_frame_enhanced(f);
  const report_private_data p = report_frame_private_data(f);
  if (enhanced.len > 0) {
    report_form_json(w, IWARP_FORM_MPA_ENHANCED, enhanced);
  }
  report_private_data_json(w, &p);
}

static void frame_json_startup(jsonw *w, const report_frame *f) {
  static const char *const keys[] = {[IWARP_MPA_KEY_UNKNOWN] = "unknown",
                                     [IWARP_MPA_KEY_REQUEST] = "request",
                                     [IWARP_MPA_KEY_REPLY] = "reply"};
  jsonw_text(w, "frame", keys[f->ev.u.startup.key]);
  report_form_json(w, IWARP_FORM_MPA_STARTUP, f->octets);
  frame_json_private_data(w, f);
}

static void frame_json_markers(jsonw *w, const iwarp_mpa_fpdu *v) {
  iwarp_mpa_marker marker = {0};
  iwarp_mpa_marker expected = {0};
  size_t at = 0;
  jsonw_array(w, "markers");
  for (size_t i = 0; iwarp_mpa_fpdu_marker(&marker, &expected, &at, v, i) == IWARP_OK; i++) {
    jsonw_object(w, NULL);
    jsonw_u64(w, "at", at);
    report_fields_json(w, IWARP_FORM_MPA_MARKER, frame_json_after(v->wire, at));
    jsonw_u64(w, "expected", expected.fpduptr);
    jsonw_end_object(w);
  }
  jsonw_end_array(w);
}

static void frame_json_fpdu(jsonw *w, const report_frame *f) {
  const iwarp_event_fpdu *v = &f->ev.u.fpdu;
  const iwarp_mpa_layout *layout = &v->fpdu.layout;
  report_form_json(w, IWARP_FORM_MPA_FPDU, frame_json_after(f->octets, layout->lead));
  frame_json_markers(w, &v->fpdu);
  jsonw_octets(w, "ulpdu", f->segment.ptr, f->segment.len);
  jsonw_octets(w, "pad", v->fpdu.pad, layout->pad);
  report_form_json(w, IWARP_FORM_MPA_CRC, frame_json_after(f->octets, layout->crc_off));
  jsonw_hex32(w, "crc_computed", v->crc_computed);
  frame_json_segment(w, f);
}

/* ---- all of them ---- */

static const char *frame_json_name(const report_frame *f) {
  if (f->layer == REPORT_LAYER_MPA) {
    return f->ev.kind == IWARP_EVENT_STARTUP ? "startup" : "fpdu";
  }
  return f->layer == REPORT_LAYER_DDP ? "segment" : report_layer_name(f->layer);
}

static void frame_json_mpa(jsonw *w, const report_frame *f) {
  if (f->ev.kind == IWARP_EVENT_STARTUP) {
    frame_json_startup(w, f);
  } else {
    frame_json_fpdu(w, f);
  }
}

static void frame_json_whole(jsonw *w, const report_frame *f) {
  if (f->layer == REPORT_LAYER_MPA) {
    frame_json_mpa(w, f);
    return;
  }
  if (f->layer != REPORT_LAYER_DDP && f->layer != REPORT_LAYER_RDMAP) {
    report_form_json(w, report_layer_form(f->layer), f->octets);
  }
  if (f->layer == REPORT_LAYER_SCTP_CONTROL) {
    frame_json_private_data(w, f);
  }
  frame_json_segment(w, f);
}

/* What there is of a frame that is cut, form by form. */
static void frame_json_cut(jsonw *w, const report_frame *f) {
  iwarp_pdu_iter it;
  if (report_frame_walk(&it, f)) {
    jsonw_object(w, "fields");
    report_pdu_json(w, &it);
    jsonw_end_object(w);
  }
}

static void frame_json_error(jsonw *w, const report_frame *f) {
  static const char prefix[] = "IWARP_ERR_";
  jsonw_text(w, "error", iwarp_errname(f->err) + sizeof prefix - 1);
  if (f->err == IWARP_ERR_NEED_MORE) {
    jsonw_u64(w, "need", f->need);
  }
}

void report_frame_json(out_buf *out, const report_frame *f) {
  jsonw w = {.out = out};
  jsonw_object(&w, NULL);
  jsonw_text(&w, "form", frame_json_name(f));
  if (!report_frame_whole(f)) {
    jsonw_octets(&w, "octets", f->octets.ptr, f->octets.len);
    frame_json_cut(&w, f);
  } else {
    frame_json_whole(&w, f);
  }
  if (f->surplus.len > 0) {
    jsonw_octets(&w, "surplus", f->surplus.ptr, f->surplus.len);
  }
  if (f->err != IWARP_OK) {
    frame_json_error(&w, f);
  }
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}
