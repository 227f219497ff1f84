/* SPDX-License-Identifier: BSD-2-Clause */
/* Every header field of a PDU, by the field table of the library. */
#include <iwarp/field.h>

#include <report/dump.h>
#include <report/frame.h>
#include <report/names.h>
#include <report/private_data.h>

static iwarp_span fields_after(iwarp_span in, size_t n) {
  return n < in.len ? (iwarp_span){in.ptr + n, in.len - n} : (iwarp_span){NULL, 0};
}

static void fields_octets_row(out_buf *out, const char *label, iwarp_span octets) {
  if (octets.len > 0) {
    report_note_put(out, label);
    out_octets(out, octets.ptr, octets.len, 0);
    out_char(out, '\n');
  }
}

static void fields_term(out_buf *out, const iwarp_rdmap_term *v, iwarp_span in) {
  report_form_put(out, IWARP_FORM_RDMAP_TERM, in);
  const char *name = iwarp_rdmap_term_code_name(v->layer, v->etype, v->code);
  report_note_put(out, "meaning");
  out_str(out, name != NULL ? name : "unassigned");
  out_char(out, '\n');
  if (v->has_ddp_segment_length) {
    report_form_put(out, IWARP_FORM_RDMAP_TERM_LENGTH, fields_after(in, 4));
  }
  if (v->ddp_header.len > 0) {
    out_str(out, "    terminated: ");
    report_form_put(out,
                    v->ddp_header.len == IWARP_DDP_TAGGED_LEN ? IWARP_FORM_DDP_TAGGED
                                                              : IWARP_FORM_DDP_UNTAGGED,
                    v->ddp_header);
  }
  if (v->rdma_header.len > 0) {
    out_str(out, "    terminated: ");
    report_form_put(out, IWARP_FORM_RDMAP_READ_REQ, v->rdma_header);
  }
  fields_octets_row(out, "surplus octets", v->rest);
}

/* The RDMAP header, which begins `in`. */
static void fields_message(out_buf *out, const iwarp_rdmap_seg *seg, iwarp_span in) {
  switch (seg->kind) {
  case IWARP_RDMAP_KIND_NONE: return;
  case IWARP_RDMAP_KIND_READ_REQ: report_form_put(out, IWARP_FORM_RDMAP_READ_REQ, in); return;
  case IWARP_RDMAP_KIND_TERM: fields_term(out, &seg->u.term, in); return;
  case IWARP_RDMAP_KIND_IMMEDIATE: report_form_put(out, IWARP_FORM_RDMAP_IMMEDIATE, in); return;
  case IWARP_RDMAP_KIND_ATOMIC_REQ: report_form_put(out, IWARP_FORM_RDMAP_ATOMIC_REQ, in); return;
  case IWARP_RDMAP_KIND_ATOMIC_RESP: report_form_put(out, IWARP_FORM_RDMAP_ATOMIC_RESP, in); return;
  }
}

void report_rdmap_put(out_buf *out, const iwarp_rdmap_seg *seg, iwarp_span in) {
  const size_t ddp_len = seg->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  report_form_put(out, IWARP_FORM_RDMAP_CTRL, fields_after(in, 1));
  fields_message(out, seg, fields_after(in, ddp_len));
}

void report_segment_put(out_buf *out, const iwarp_rdmap_seg *seg, iwarp_span in) {
  if (!seg->has_ddp) {
    fields_octets_row(out, "ULPDU", in);
    return;
  }
  report_form_put(out, seg->ddp.tagged ? IWARP_FORM_DDP_TAGGED : IWARP_FORM_DDP_UNTAGGED, in);
  report_rdmap_put(out, seg, in);
}

static void fields_segment(out_buf *out, const iwarp_ev_fpdu *v) {
  uint8_t head[IWARP_RDMAP_HDR_MAX];
  const size_t n = iwarp_mpa_fpdu_ulpdu_copy(head, sizeof head, &v->fpdu, 0);
  report_segment_put(out, &v->seg, (iwarp_span){head, n});
}

static void fields_marker(out_buf *out, const iwarp_mpa_marker *marker,
                          const iwarp_mpa_marker *expected, size_t off) {
  report_note_put(out, "Marker");
  out_str(out, "at octet ");
  sink_u64(out, off);
  out_str(out, ", reserved ");
  out_hex(out, marker->reserved, 4);
  out_str(out, ", FPDUPTR ");
  sink_u64(out, marker->fpduptr);
  if (marker->fpduptr != expected->fpduptr) {
    out_str(out, ", expected ");
    sink_u64(out, expected->fpduptr);
  }
  out_char(out, '\n');
}

static void fields_markers(out_buf *out, const iwarp_ev_fpdu *v) {
  iwarp_mpa_marker marker = {0};
  iwarp_mpa_marker expected = {0};
  size_t off = 0;
  for (size_t i = 0; i < v->fpdu.layout.num_markers; i++) {
    if (iwarp_mpa_fpdu_marker(&marker, &expected, &off, &v->fpdu, i) == IWARP_OK) {
      fields_marker(out, &marker, &expected, off);
    }
  }
}

static void fields_trailer(out_buf *out, const iwarp_ev_fpdu *v) {
  if (v->pad_present && v->fpdu.layout.pad > 0) {
    fields_octets_row(out, "PAD", (iwarp_span){v->fpdu.pad, v->fpdu.layout.pad});
  }
  if (!v->crc_present) {
    return;
  }
  report_note_put(out, "CRC");
  out_hex(out, v->fpdu.crc, 8);
  out_str(out, " (");
  out_str(out, report_crc_name(v->crc));
  if (v->crc != IWARP_CRC_UNCHECKED) {
    out_str(out, ", computed ");
    out_hex(out, v->crc_computed, 8);
  }
  out_str(out, ")\n");
}

static void fields_fpdu(out_buf *out, const iwarp_ev_fpdu *v) {
  const uint8_t length[2] = {(uint8_t)(v->fpdu.ulpdu_length >> 8), (uint8_t)v->fpdu.ulpdu_length};
  report_form_put(out, IWARP_FORM_MPA_FPDU, (iwarp_span){length, sizeof length});
  if (v->offset != IWARP_POS_UNKNOWN) {
    report_note_put(out, "stream offset");
    sink_u64(out, v->offset);
    out_char(out, '\n');
  }
  if (v->sync != IWARP_SYNC_NONE) {
    report_note_put(out, "boundary rests on");
    out_str(out, report_sync_name(v->sync));
    out_char(out, '\n');
  }
  fields_markers(out, v);
  fields_segment(out, v);
  fields_trailer(out, v);
}

static void fields_startup(out_buf *out, const iwarp_event *ev) {
  uint8_t frame[REPORT_FRAME_CAP];
  uint64_t pos = 0;
  const iwarp_span in = report_event_octets(ev, &pos, frame);
  report_form_put(out, IWARP_FORM_MPA_STARTUP, in);
  if (ev->u.startup.enhanced) {
    report_form_put(out, IWARP_FORM_MPA_ENHANCED, fields_after(in, IWARP_MPA_STARTUP_LEN));
  }
  const iwarp_mpa_startup *v = &ev->u.startup.frame;
  const report_private_data p =
      report_private_data_of(v->rev, v->private_data, ev->u.startup.ulp_data);
  report_private_data_text(out, &p);
}

static void fields_sctp(out_buf *out, const iwarp_event *ev) {
  const iwarp_ev_sctp *m = ev->sctp;
  const bool short_control = m->has_ssn && m->reason == IWARP_SCTP_REASON_SHORT;
  if (m->has_control || short_control) {
    report_form_put(out, IWARP_FORM_SCTP_CONTROL, m->user_data);
    if (m->enhanced) {
      report_form_put(out, IWARP_FORM_MPA_ENHANCED, iwarp_sctp_control_enhanced(&m->control));
    }
  } else if (m->has_ssn && ev->kind != IWARP_EVENT_GAP) {
    const iwarp_span ssn = {m->user_data.ptr, IWARP_SCTP_SEGMENT_LEN};
    report_form_put(out, IWARP_FORM_SCTP_SEGMENT, ssn); /* not the segment, which follows */
    report_segment_put(out, &ev->u.fpdu.seg, fields_after(m->user_data, IWARP_SCTP_SEGMENT_LEN));
  }
}

void report_fields_put(out_buf *out, const iwarp_event *ev) {
  if (ev->kind == IWARP_EVENT_STARTUP) {
    fields_startup(out, ev);
  } else if (ev->kind == IWARP_EVENT_FPDU) {
    fields_fpdu(out, &ev->u.fpdu);
  } else if (ev->sctp != NULL) {
    fields_sctp(out, ev);
  }
}
