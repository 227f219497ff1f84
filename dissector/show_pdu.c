/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows a PDU part by part, as the library walks it. */
#include "show_pdu.h"

#include <iwarp/sctp.h>
#include <report/private_data.h>

#include "conns.h"
#include "fields.h"
#include "info.h"
#include "pdu_octets.h"
#include "records.h"
#include "rules_expert.h"
#include "show_form.h"
#include "stags.h"
#include "upper.h"

void pdu_view_item(const pdu_view *v, proto_item *item, guint16 field, size_t at, size_t len) {
  marks_add(v->marks, item, field, v->pdu->pos + at, len);
}

static void pdu_generated(proto_item *item) {
  proto_item_set_generated(item);
}

/* ---- beside the wire ---- */

static void pdu_role(const pdu_view *v) {
  pdu_generated(proto_tree_add_uint(v->tree, hf_iwarp.role, NULL, 0, 0, v->pdu->role));
}

static void pdu_first_frame(const pdu_view *v) {
  if (v->pdu->first_frame != v->pdu->frame) {
    records_show(v->tree, hf_iwarp.fpdu_first_frame, v->pdu->first_frame);
  }
}

static void pdu_fpdu_facts(const pdu_view *v) {
  const frame_pdu *pdu = v->pdu;
  if (pdu->offset != IWARP_POS_UNKNOWN) {
    pdu_generated(proto_tree_add_uint64(v->tree, hf_iwarp.fpdu_offset, NULL, 0, 0, pdu->offset));
  }
  pdu_generated(
      proto_tree_add_uint(v->tree, hf_iwarp.fpdu_pad_length, NULL, 0, 0, pdu->layout.pad));
  pdu_generated(
      proto_tree_add_uint(v->tree, hf_iwarp.fpdu_markers, NULL, 0, 0, pdu->layout.num_markers));
  pdu_generated(proto_tree_add_boolean(v->tree, hf_iwarp.fpdu_aligned, NULL, 0, 0, pdu->aligned));
}

static void pdu_message(const pdu_view *v) {
  const message *m = v->pdu->message;
  if (m == NULL) {
    return;
  }
  records_show(v->tree, hf_iwarp.message_first, m->first_frame);
  if (m->last_frame != 0 && m->last_frame <= v->known) {
    records_show(v->tree, hf_iwarp.message_last, m->last_frame);
    pdu_generated(proto_tree_add_uint64(v->tree, hf_iwarp.message_length, NULL, 0, 0, m->length));
  }
}

/* PAD and CRC are `shown` where all before them was captured. */
static void pdu_pad(const pdu_view *v, bool shown) {
  const gint pad = (gint)v->pdu->layout.pad;
  if (!shown && v->pdu->pad_present && pad > 0) {
    proto_tree_add_bytes_with_length(v->tree,
                                     fields_hf(iwarp_field_get(IWARP_FIELD_MPA_PAD_PAD), false),
                                     NULL, 0, 0, v->pdu->pad, pad);
  }
}

static void pdu_crc(const pdu_view *v, bool shown) {
  static const guint8 status[] = {[IWARP_CRC_UNCHECKED] = PROTO_CHECKSUM_E_UNVERIFIED,
                                  [IWARP_CRC_GOOD] = PROTO_CHECKSUM_E_GOOD,
                                  [IWARP_CRC_BAD] = PROTO_CHECKSUM_E_BAD};
  if (!shown && v->pdu->crc_present) {
    proto_tree_add_uint(v->tree, fields_hf(iwarp_field_get(IWARP_FIELD_MPA_CRC_CRC), false), NULL,
                        0, 0, v->pdu->crc_value);
  }
  pdu_generated(proto_tree_add_uint(v->tree, hf_iwarp.crc_status, NULL, 0, 0, status[v->pdu->crc]));
  if (v->pdu->crc != IWARP_CRC_UNCHECKED) {
    pdu_generated(
        proto_tree_add_uint(v->tree, hf_iwarp.crc_expected, NULL, 0, 0, v->pdu->crc_expected));
  }
}

/* What the sender of a Terminate in the bit order of its own machine meant. */
static void pdu_likely(const pdu_view *v) {
  iwarp_rdmap_term likely;
  if (!v->has_seg || v->seg.kind != IWARP_RDMAP_KIND_TERM ||
      !iwarp_rdmap_term_likely(&likely, &v->seg.u.term,
                               (iwarp_rdmap_term_place)v->pdu->term_place)) {
    return;
  }
  const char *name = iwarp_rdmap_term_code_name(likely.layer, likely.etype, likely.code);
  pdu_generated(proto_tree_add_string(v->tree, hf_iwarp.terminate_likely, NULL, 0, 0,
                                      iwarp_name_known(name) ? name : "unassigned"));
}

/* ---- payload ---- */

/* All of it as one item, Markers taken out; `first` is where it begins. */
static void pdu_payload(const pdu_view *v, const iwarp_pdu_part *first) {
  const frame_pdu *pdu = v->pdu;
  const size_t len = v->seg.payload_len;
  const gint start = (gint)(v->base + first->wire_off);
  if (first->octets.len >= len || pdu->kind != FRAME_PDU_FPDU || pdu->layout.num_markers == 0) {
    proto_tree_add_item(v->tree, hf_iwarp.payload, v->tvb, start, (gint)first->octets.len, ENC_NA);
    return;
  }
  const iwarp_mpa_fpdu fpdu = pdu_fpdu(pdu, v->octets);
  guint8 *octets = wmem_alloc(v->pinfo->pool, pdu->ulpdu_length);
  const size_t n = iwarp_mpa_fpdu_ulpdu_copy(octets, pdu->ulpdu_length, &fpdu,
                                             first->pdu_off - IWARP_MPA_LENGTH_LEN);
  proto_tree_add_bytes_with_length(v->tree, hf_iwarp.payload, v->tvb, start,
                                   (gint)first->octets.len, octets, (gint)n);
}

/* ---- parts ---- */

/* The forms that peers put into Private Data beyond the RFCs. */
static void pdu_private_data(const pdu_view *v, const iwarp_pdu_iter *it) {
  iwarp_mpa_startup frame;
  if (iwarp_mpa_startup_decode(&frame, v->octets).err != IWARP_OK) {
    return;
  }
  iwarp_span ulp = frame.private_data;
  if (iwarp_mpa_startup_is_enhanced(&frame)) {
    ulp.ptr += IWARP_MPA_ENHANCED_LEN;
    ulp.len -= IWARP_MPA_ENHANCED_LEN;
  }
  const report_private_data found = report_private_data_of(frame.rev, frame.private_data, ulp);
  for (size_t i = 0; i < found.num; i++) {
    const size_t off = (size_t)(found.part[i].octets.ptr - v->octets.ptr);
    const size_t len = MIN(found.part[i].octets.len, iwarp_form_get(found.part[i].form)->len);
    const iwarp_pdu_part part = {.form = found.part[i].form,
                                 .octets = {found.part[i].octets.ptr, len},
                                 .pdu_off = off,
                                 .wire_off = off};
    show_form(v, show_form_tree(v, it, &part), it, &part);
  }
}

static void pdu_ddp(const pdu_view *v, const iwarp_pdu_iter *it, const iwarp_pdu_part *part) {
  proto_tree *tree = show_form_tree(v, it, part);
  show_form(v, tree, it, part);
  if (!part->returned) {
    pdu_generated(
        proto_tree_add_uint(tree, hf_iwarp.ddp_length, NULL, 0, 0, (guint32)v->seg.payload_len));
  }
}

/* Parts of no use unless whole: PAD, which has no length of its own, Markers, and the enhanced
 * data. */
static bool pdu_cut(const pdu_view *v, const iwarp_pdu_part *part) {
  return (part->form == IWARP_FORM_MPA_PAD && !v->pdu->pad_present) ||
         (part->form == IWARP_FORM_MPA_MARKER && part->octets.len < IWARP_MPA_MARKER_LEN) ||
         (part->form == IWARP_FORM_MPA_ENHANCED && part->octets.len < IWARP_MPA_ENHANCED_LEN);
}

static void pdu_part(const pdu_view *v, const iwarp_pdu_iter *it, const iwarp_pdu_part *part) {
  const iwarp_form form = part->form;
  if (form == IWARP_FORM_DDP_TAGGED || form == IWARP_FORM_DDP_UNTAGGED) {
    pdu_ddp(v, it, part);
  } else if (form == IWARP_FORM_MPA_FPDU || form == IWARP_FORM_MPA_PAD ||
             form == IWARP_FORM_MPA_CRC) {
    show_form(v, v->tree, it, part);
  } else {
    show_form(v, show_form_tree(v, it, part), it, part);
  }
}

static void pdu_parts(const pdu_view *v) {
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  bool payload = false;
  bool pad = false;
  bool crc = false;
  if (!pdu_walk(&it, v->pdu, v->octets)) {
    return;
  }
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
    if (part.form == IWARP_FORM_NONE) {
      if (!payload) {
        pdu_payload(v, &part);
      }
      payload = true;
    } else if (!pdu_cut(v, &part)) {
      pdu_part(v, &it, &part);
      pad = pad || part.form == IWARP_FORM_MPA_PAD;
    }
    crc = crc || (part.form == IWARP_FORM_MPA_CRC && part.octets.len == IWARP_MPA_CRC_LEN);
  }
  if (v->pdu->kind == FRAME_PDU_FPDU) {
    pdu_pad(v, pad);
    pdu_crc(v, crc);
  }
  if (v->pdu->kind == FRAME_PDU_STARTUP) {
    pdu_private_data(v, &it);
  }
}

/* ---- kinds ---- */

static void pdu_facts(const pdu_view *v) {
  const frame_pdu *pdu = v->pdu;
  switch ((frame_pdu_kind)pdu->kind) {
  case FRAME_PDU_STARTUP:
    pdu_generated(proto_tree_add_uint(v->tree, hf_iwarp.mpa_type, NULL, 0, 0, pdu->reply ? 2 : 1));
    break;
  case FRAME_PDU_FPDU: pdu_fpdu_facts(v); break;
  case FRAME_PDU_GAP:
    if (pdu->conn->sctp) {
      break;
    }
    pdu_generated(proto_tree_add_uint64(v->tree, hf_iwarp.gap, NULL, 0, 0, pdu->len));
    break;
  case FRAME_PDU_UNDECODABLE:
    pdu_generated(proto_tree_add_uint64(v->tree, hf_iwarp.undecodable, NULL, 0, 0, pdu->len));
    pdu_generated(proto_tree_add_string(v->tree, hf_iwarp.undecodable_reason, NULL, 0, 0,
                                        info_undecodable(pdu)));
    break;
  case FRAME_PDU_SCTP_CONTROL:
  case FRAME_PDU_SCTP_SEGMENT: break;
  }
  pdu_first_frame(v);
  pdu_message(v);
  exchanges_show(v->tree, pdu, &v->seg, v->known);
  negotiation_show(v->pinfo, v->tree, pdu);
  if (pdu->expected_msn != 0) {
    pdu_generated(
        proto_tree_add_uint(v->tree, hf_iwarp.expected_msn, NULL, 0, 0, pdu->expected_msn));
  }
}

/* Octets that are not contiguous in the frame are a source of their own. */
static void pdu_buffer(pdu_view *v, tvbuff_t *frame) {
  v->tvb = frame;
  v->base = v->pdu->at;
  if (v->pdu->copy != NULL) {
    v->tvb = tvb_new_child_real_data(frame, v->pdu->copy, v->pdu->cap, (gint)v->pdu->cap);
    v->base = 0;
    add_new_data_source(v->pinfo, v->tvb, "iWARP PDU");
  }
}

static void pdu_findings(const pdu_view *v, proto_item *item, const frame_rec *rec) {
  for (const frame_finding *f = rec->findings; f != NULL; f = f->next) {
    if (f->pdu == v->pdu && rules_expert_wanted(f)) {
      const iwarp_finding *finding = &f->finding;
      proto_item *at = item;
      if (finding->octet_pos != IWARP_POS_UNKNOWN) {
        at = marks_find(v->marks, (guint16)finding->field, finding->octet_pos, finding->octet_len,
                        item);
      }
      rules_expert_show(v->pinfo, v->tree, at, f);
    }
  }
}

static bool pdu_has_findings(const frame_rec *rec, const frame_pdu *pdu) {
  for (const frame_finding *f = rec->findings; f != NULL; f = f->next) {
    if (f->pdu == pdu) {
      return true;
    }
  }
  return false;
}

/* Where the payload begins in the octets of the PDU. */
static size_t pdu_payload_at(const pdu_view *v) {
  const size_t header = v->seg.ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  size_t run;
  return v->pdu->kind == FRAME_PDU_FPDU
             ? iwarp_mpa_wire_offset(&run, &v->pdu->layout, IWARP_MPA_LENGTH_LEN + header)
             : IWARP_SCTP_SEGMENT_LEN + header;
}

static void pdu_upper(const pdu_view *v, proto_tree *root) {
  if (v->has_seg && messages_for_upper(&v->seg)) {
    upper_show(v, root, pdu_payload_at(v));
  }
}

static void pdu_begin(pdu_view *v, tvbuff_t *frame, packet_info *pinfo, const frame_pdu *pdu) {
  *v = (pdu_view){.pinfo = pinfo,
                  .pdu = pdu,
                  .octets = pdu_octets(pdu, frame),
                  .known = PINFO_FD_VISITED(pinfo) ? G_MAXUINT32 : records_of(pinfo->num)};
  v->has_seg = pdu_segment(&v->seg, v->head, pdu, v->octets);
  pdu_buffer(v, frame);
}

void show_pdu_upper(tvbuff_t *frame, packet_info *pinfo, proto_tree *root, const frame_pdu *pdu) {
  pdu_view v;
  pdu_begin(&v, frame, pinfo, pdu);
  pdu_upper(&v, root);
}

void show_pdu(tvbuff_t *frame, packet_info *pinfo, proto_tree *tree, proto_tree *root,
              const frame_rec *rec, const frame_pdu *pdu) {
  static marks noted;
  pdu_view v;
  proto_item *item;
  pdu_begin(&v, frame, pinfo, pdu);
  noted.num = 0;
  v.marks = pdu_has_findings(rec, pdu) ? &noted : NULL;
  v.tree = proto_tree_add_subtree(tree, v.tvb, (gint)v.base, (gint)pdu->cap, ett_iwarp.pdu, &item,
                                  info_pdu(pinfo->pool, pdu, v.octets));
  pdu_role(&v);
  pdu_facts(&v);
  pdu_parts(&v);
  pdu_likely(&v);
  if (v.has_seg) {
    stags_show(pinfo, v.tree, pdu, &v.seg);
  }
  if (v.marks != NULL) {
    pdu_findings(&v, item, rec);
  }
  if (!pdu->delivered_later) {
    pdu_upper(&v, root);
  }
}
