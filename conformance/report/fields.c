/* SPDX-License-Identifier: BSD-2-Clause */
/* Every header field of a PDU, by the field table of the library. */
#include <iwarp/field.h>

#include <report/dump.h>
#include <report/frame.h>
#include <report/names.h>
#include <report/private_data.h>

#include "pdu_parts.h"

/* ---- what a dump says beside the fields ---- */

static void fields_meaning(out_buf *out, const iwarp_rdmap_seg *seg) {
  const iwarp_rdmap_term *v = &seg->u.term;
  const char *name = iwarp_rdmap_term_code_name(v->layer, v->etype, v->code);
  if (seg->kind == IWARP_RDMAP_KIND_TERM) {
    report_note_put(out, "meaning");
    out_str(out, iwarp_name_known(name) ? name : "unassigned");
    out_char(out, '\n');
  }
}

static void fields_marker(out_buf *out, const iwarp_mpa_marker *marker,
                          const iwarp_mpa_marker *expected, size_t off) {
  report_note_put(out, "Marker");
  out_str(out, "at octet ");
  out_u64(out, off);
  out_str(out, ", reserved ");
  out_hex(out, marker->reserved, 4);
  out_str(out, ", FPDUPTR ");
  out_u64(out, marker->fpduptr);
  if (marker->fpduptr != expected->fpduptr) {
    out_str(out, ", expected ");
    out_u64(out, expected->fpduptr);
  }
  out_char(out, '\n');
}

static void fields_markers(out_buf *out, const iwarp_event_fpdu *v) {
  iwarp_mpa_marker marker = {0};
  iwarp_mpa_marker expected = {0};
  size_t off = 0;
  for (size_t i = 0; i < v->fpdu.layout.num_markers; i++) {
    if (iwarp_mpa_fpdu_marker(&marker, &expected, &off, &v->fpdu, i) == IWARP_OK) {
      fields_marker(out, &marker, &expected, off);
    }
  }
}

static void fields_crc(out_buf *out, const iwarp_event_fpdu *v) {
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

static void fields_place(out_buf *out, const iwarp_event_fpdu *v) {
  if (v->offset != IWARP_POS_UNKNOWN) {
    report_note_put(out, "stream offset");
    out_u64(out, v->offset);
    out_char(out, '\n');
  }
  if (v->sync != IWARP_SYNC_NONE) {
    report_note_put(out, "boundary rests on");
    out_str(out, report_sync_name(v->sync));
    out_char(out, '\n');
  }
  fields_markers(out, v);
}

/* ---- the walk ---- */

/* Octets that no form describes; payload is not shown. */
static void fields_other(out_buf *out, const iwarp_rdmap_seg *seg, iwarp_span octets) {
  if (seg->ddp_octets == 0) {
    report_octets_put(out, "ULPDU", octets);
  } else if (seg->kind == IWARP_RDMAP_KIND_TERM) {
    report_octets_put(out, "surplus octets", octets);
  }
}

static void fields_segment_part(out_buf *out, const iwarp_pdu_part *part,
                                const iwarp_rdmap_seg *seg) {
  if (part->form == IWARP_FORM_NONE) {
    fields_other(out, seg, part->octets);
    return;
  }
  report_part_put(out, part);
  if (part->form == IWARP_FORM_RDMAP_TERM) {
    fields_meaning(out, seg);
  }
}

void report_segment_put(out_buf *out, const iwarp_pdu_iter *it, const iwarp_rdmap_seg *seg,
                        bool ddp) {
  iwarp_pdu_iter walk = *it;
  iwarp_pdu_part part;
  while (iwarp_pdu_next(&part, &walk) == IWARP_OK) {
    if (ddp || !report_is_ddp(&part)) {
      fields_segment_part(out, &part, seg);
    }
  }
}

/* Markers were written with their place, the CRC is with what was computed. */
static void fields_fpdu_part(out_buf *out, const iwarp_pdu_part *part, const iwarp_event_fpdu *v) {
  if (part->form == IWARP_FORM_MPA_CRC) {
    fields_crc(out, v);
  } else if (part->form == IWARP_FORM_MPA_PAD) {
    report_octets_put(out, "PAD", v->pad_present ? part->octets : (iwarp_span){0});
  } else if (part->form == IWARP_FORM_MPA_FPDU) {
    report_part_put(out, part);
    fields_place(out, v);
  } else if (part->form != IWARP_FORM_MPA_MARKER) {
    fields_segment_part(out, part, &v->seg);
  }
}

static void fields_fpdu(out_buf *out, const iwarp_event *ev) {
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  report_event_walk(&it, ev);
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
    fields_fpdu_part(out, &part, &ev->u.fpdu);
  }
}

static void fields_startup(out_buf *out, const iwarp_event *ev) {
  uint8_t frame[REPORT_FRAME_CAP];
  uint64_t pos = 0;
  iwarp_pdu_iter it;
  iwarp_pdu_startup(&it, report_event_octets(ev, &pos, frame));
  report_pdu_text(out, &it);
  const iwarp_event_startup *v = &ev->u.startup;
  const report_private_data p = report_private_data_of(&v->frame, v->ulp_data);
  report_private_data_text(out, &p);
}

static void fields_sctp(out_buf *out, const iwarp_event *ev) {
  const iwarp_ev_sctp_message *m = &ev->sctp->u.message;
  const bool short_control = m->has_ssn && m->reason == IWARP_SCTP_REASON_SHORT;
  iwarp_pdu_iter it;
  if (short_control && !m->has_control) {
    iwarp_pdu_sctp_control(&it, m->user_data);
  } else if (!report_event_walk(&it, ev)) {
    return;
  }
  report_segment_put(out, &it, &ev->u.fpdu.seg, true);
}

void report_fields_put(out_buf *out, const iwarp_event *ev) {
  if (ev->kind == IWARP_EVENT_STARTUP) {
    fields_startup(out, ev);
  } else if (ev->kind == IWARP_EVENT_FPDU) {
    fields_fpdu(out, ev);
  } else if (ev->kind == IWARP_EVENT_SCTP_MESSAGE || ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    fields_sctp(out, ev);
  }
}
