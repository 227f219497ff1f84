/* SPDX-License-Identifier: BSD-2-Clause */
/* One frame by itself: decoded, and all its fields as text. */
#include <report/dump.h>
#include <report/frame.h>
#include <report/private_data.h>

#include "pdu_parts.h"

#include <iwarp/sctp.h>

#define FRAME_KEY_BEGIN "MPA ID "
#define FRAME_KEY_LEAST 4u /* octets of it that tell a cut startup frame from a cut FPDU */

static const struct {
  const char *text;
  int form; /* iwarp_form, or 0 */
} frame_layers[] = {
#define FRAME_LAYER(name, text, form) {text, form},
    REPORT_LAYER_MAP(FRAME_LAYER)
#undef FRAME_LAYER
};

const char *report_layer_name(report_layer layer) {
  return frame_layers[layer].text;
}

iwarp_form report_layer_form(report_layer layer) {
  return (iwarp_form)frame_layers[layer].form;
}

static iwarp_span frame_front(const report_frame *f, size_t n) {
  return (iwarp_span){f->octets.ptr, n < f->octets.len ? n : f->octets.len};
}

/* Splits what was decoded from what follows. */
static void frame_split(report_frame *f, const iwarp_dec *dec) {
  f->err = dec->err;
  f->need = dec->need;
  if (dec->err == IWARP_OK && dec->used < f->octets.len) {
    f->surplus = (iwarp_span){f->octets.ptr + dec->used, f->octets.len - dec->used};
    f->octets.len = dec->used;
  }
}

/* ---- MPA ---- */

static bool frame_is_startup(iwarp_span in) {
  const size_t whole = sizeof FRAME_KEY_BEGIN - 1;
  const size_t n = in.len < whole ? in.len : whole;
  return n >= FRAME_KEY_LEAST && memcmp(in.ptr, FRAME_KEY_BEGIN, n) == 0;
}

static void frame_startup(report_frame *f) {
  iwarp_event_startup *v = &f->ev.u.startup;
  const iwarp_dec dec = iwarp_mpa_startup_decode(&v->frame, f->octets);
  f->ev.kind = IWARP_EVENT_STARTUP;
  frame_split(f, &dec);
  if (f->err != IWARP_OK) {
    return;
  }
  v->key = iwarp_mpa_key_classify(f->octets);
  v->enhanced = iwarp_mpa_startup_is_enhanced(&v->frame);
  v->ulp_data = v->frame.private_data;
  const size_t ahead = v->enhanced ? IWARP_MPA_ENHANCED_LEN : 0;
  const size_t extension = v->frame.private_data.len - v->frame.pd_length; /* octets of Rev 129 */
  v->ulp_data.ptr += ahead + extension;
  v->ulp_data.len -= ahead + extension;
  f->err = v->key == IWARP_MPA_KEY_UNKNOWN ? IWARP_ERR_MPA_KEY : iwarp_mpa_startup_check(&v->frame);
}

static void frame_fpdu(report_frame *f, uint64_t off) {
  iwarp_event_fpdu *v = &f->ev.u.fpdu;
  const bool markers = off != IWARP_POS_UNKNOWN;
  const iwarp_dec dec = iwarp_mpa_fpdu_decode(&v->fpdu, f->octets, markers ? off : 0, markers);
  f->ev.kind = IWARP_EVENT_FPDU;
  frame_split(f, &dec);
  if (f->err != IWARP_OK) {
    return;
  }
  v->complete = v->pad_present = v->crc_present = true;
  v->crc_computed = iwarp_mpa_fpdu_crc(&v->fpdu);
  v->crc = v->crc_computed == v->fpdu.crc ? IWARP_CRC_GOOD : IWARP_CRC_BAD;
  v->offset = markers ? off + v->fpdu.layout.lead : IWARP_POS_UNKNOWN;
  f->segment.ptr = f->ulpdu;
  f->segment.len = iwarp_mpa_fpdu_ulpdu_copy(f->ulpdu, sizeof f->ulpdu, &v->fpdu, 0);
  iwarp_rdmap_seg_decode(&f->seg, f->segment, f->segment.len);
  v->seg = f->seg;
  f->err = v->crc == IWARP_CRC_BAD                   ? IWARP_ERR_MPA_CRC
           : !iwarp_mpa_fpdu_markers_agree(&v->fpdu) ? IWARP_ERR_MPA_MARKER
                                                     : iwarp_rdmap_seg_check(&f->seg);
}

/* ---- DDP and RDMAP ---- */

static void frame_segment(report_frame *f, iwarp_span segment) {
  f->segment = segment;
  iwarp_rdmap_seg_decode(&f->seg, segment, segment.len);
  f->err = iwarp_rdmap_seg_check(&f->seg);
}

/*
 * An RDMAP message gets the DDP header that it would have. After RsvdULP, one octet of a tagged
 * and five of an untagged header, 12 octets remain to be made, and before it one: 13 either way.
 */
static void frame_rdmap(report_frame *f, uint8_t *octets) {
  const size_t len = f->octets.len;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(len > 0 ? octets[0] : 0);
  const size_t rsvdulp = op->tagged ? 1 : 5;
  if (len < rsvdulp) {
    f->err = IWARP_ERR_NEED_MORE;
    f->need = len > 0 ? rsvdulp : 1;
    return;
  }
  iwarp_ddp_hdr hdr = {.tagged = op->tagged,
                       .last = true,
                       .dv = IWARP_DDP_VERSION,
                       .rsvdulp = octets[0],
                       .qn = op->qn,
                       .msn = 1};
  for (size_t i = 1; i < rsvdulp; i++) {
    hdr.rsvdulp_word = hdr.rsvdulp_word << 8 | octets[i];
  }
  uint8_t *begin = octets - REPORT_FRAME_ROOM;
  size_t hdr_len = 0;
  iwarp_ddp_hdr_encode(begin, REPORT_FRAME_ROOM + rsvdulp, &hdr_len, &hdr);
  frame_segment(f, (iwarp_span){begin, REPORT_FRAME_ROOM + len});
}

/* ---- SCTP, and forms that stand by themselves ---- */

/*
 * A form of the field table. All octets belong to a form whose last field has no length of its own:
 * a message over SCTP, which SCTP delimits.
 */
static void frame_of_form(report_frame *f) {
  const iwarp_form_info *info = iwarp_form_get(report_layer_form(f->layer));
  const bool open = info->fields[info->num_fields - 1].num_bits == 0;
  iwarp_dec dec = {.err = IWARP_OK, .used = open ? f->octets.len : info->len};
  if (f->octets.len < info->len) {
    dec = (iwarp_dec){.err = IWARP_ERR_NEED_MORE, .need = info->len};
  }
  frame_split(f, &dec);
}

static void frame_sctp_segment(report_frame *f) {
  iwarp_sctp_segment v = {0};
  frame_of_form(f);
  if (f->err == IWARP_OK && iwarp_sctp_segment_decode(&v, f->octets).err == IWARP_OK) {
    frame_segment(f, v.segment);
  }
}

iwarp_span report_frame_enhanced(const report_frame *f) {
  iwarp_sctp_control v = {0};
  if (f->layer == REPORT_LAYER_SCTP_CONTROL) {
    (void)iwarp_sctp_control_decode(&v, f->octets);
    return iwarp_sctp_control_enhanced(&v);
  }
  return f->ev.u.startup.enhanced ? f->ev.u.startup.frame.private_data : (iwarp_span){NULL, 0};
}

report_private_data report_frame_private_data(const report_frame *f) {
  iwarp_sctp_control v = {0};
  if (f->layer == REPORT_LAYER_SCTP_CONTROL) {
    (void)iwarp_sctp_control_decode(&v, f->octets);
    return report_private_data_sctp(v.private_data);
  }
  const iwarp_event_startup *s = &f->ev.u.startup;
  return report_private_data_of(&s->frame, s->ulp_data);
}

void report_frame_decode(report_frame *out, report_layer layer, uint8_t *octets, size_t len,
                         uint64_t off) {
  memset(out, 0, sizeof *out);
  out->layer = layer;
  out->off = off;
  out->octets = (iwarp_span){octets, len};
  if (layer == REPORT_LAYER_DDP) {
    frame_segment(out, out->octets);
  } else if (layer == REPORT_LAYER_RDMAP) {
    frame_rdmap(out, octets);
  } else if (layer == REPORT_LAYER_SCTP_SEGMENT) {
    frame_sctp_segment(out);
  } else if (layer != REPORT_LAYER_MPA) {
    frame_of_form(out);
  } else if (frame_is_startup(out->octets)) {
    frame_startup(out);
  } else {
    frame_fpdu(out, off);
  }
}

bool report_frame_whole(const report_frame *f) {
  const bool no_segment = f->layer == REPORT_LAYER_DDP && f->err == IWARP_ERR_DDP_SHORT;
  return f->err != IWARP_ERR_NEED_MORE && !no_segment;
}

/* ---- text ---- */

bool report_frame_walk(iwarp_pdu_iter *it, const report_frame *f) {
  const bool markers = f->off != IWARP_POS_UNKNOWN;
  if (f->octets.len == 0) {
    return false;
  }
  if (f->segment.len > 0 && f->layer == REPORT_LAYER_RDMAP) {
    iwarp_pdu_segment(it, f->segment, f->segment.len);
  } else if (f->layer == REPORT_LAYER_DDP) { /* a cut one may have been of any length */
    iwarp_pdu_segment(it, f->octets, report_frame_whole(f) ? f->octets.len : SIZE_MAX);
  } else if (f->layer == REPORT_LAYER_SCTP_SEGMENT) {
    iwarp_pdu_sctp_segment(it, f->octets, f->octets.len);
  } else if (f->layer == REPORT_LAYER_SCTP_CONTROL) {
    iwarp_pdu_sctp_control(it, f->octets);
  } else if (f->layer == REPORT_LAYER_MPA && f->ev.kind == IWARP_EVENT_STARTUP) {
    iwarp_pdu_startup(it, f->octets);
  } else if (f->layer == REPORT_LAYER_MPA) {
    iwarp_pdu_fpdu(it, f->octets, markers ? f->off : 0, markers);
  } else {
    return false;
  }
  return true;
}

/* The fields of a frame that is cut, as far as they are there. */
static void frame_text_cut(out_buf *out, const report_frame *f) {
  iwarp_pdu_iter it;
  if (report_frame_walk(&it, f)) {
    report_pdu_text(out, &it);
  } else if (f->layer == REPORT_LAYER_RDMAP) {
    report_form_put(out, IWARP_FORM_RDMAP_CTRL, frame_front(f, 1));
  } else {
    report_form_put(out, report_layer_form(f->layer), f->octets);
  }
}

static void frame_text_rdmap(out_buf *out, const report_frame *f, const iwarp_pdu_iter *it) {
  report_segment_put(out, it, &f->seg, false);
  if (!f->seg.ddp.tagged) {
    report_note_put(out, "Invalidate STag");
    out_hex(out, f->seg.ddp.rsvdulp_word, 8);
    out_char(out, '\n');
  }
}

/* A form that is no PDU. */
static void frame_text_form(out_buf *out, const report_frame *f) {
  const report_private_data p = {.num = 1, .part = {{report_layer_form(f->layer), f->octets}}};
  report_private_data_text(out, &p);
}

static void frame_text_whole(out_buf *out, const report_frame *f) {
  iwarp_pdu_iter it;
  if (f->layer == REPORT_LAYER_MPA) {
    report_fields_put(out, &f->ev);
  } else if (!report_frame_walk(&it, f)) {
    frame_text_form(out, f);
  } else if (f->layer == REPORT_LAYER_RDMAP) {
    frame_text_rdmap(out, f, &it);
  } else {
    report_segment_put(out, &it, &f->seg, true);
  }
  if (f->layer == REPORT_LAYER_SCTP_CONTROL) {
    const report_private_data p = report_frame_private_data(f);
    report_private_data_text(out, &p);
  }
}

iwarp_span report_frame_payload(const report_frame *f) {
  const iwarp_rdmap_seg *seg = &f->seg;
  if (!seg->has_ddp || seg->kind == IWARP_RDMAP_KIND_TERM) {
    return (iwarp_span){NULL, 0};
  }
  size_t skip = seg->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  skip += seg->kind != IWARP_RDMAP_KIND_NONE ? iwarp_rdmap_op_get(seg->ctrl.opcode)->hdr_len : 0;
  return (iwarp_span){f->segment.ptr + skip, f->segment.len - skip};
}

void report_frame_text(out_buf *out, const report_frame *f) {
  if (!report_frame_whole(f)) {
    frame_text_cut(out, f);
    return;
  }
  frame_text_whole(out, f);
  report_octets_put(out, "payload", report_frame_payload(f));
  report_octets_put(out, "octets after the frame", f->surplus);
  if (f->err != IWARP_OK) {
    report_note_put(out, "wrong");
    out_str(out, iwarp_strerror(f->err));
    out_char(out, '\n');
  }
}
