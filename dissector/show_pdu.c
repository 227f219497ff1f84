/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows a PDU part by part, as the library walks it. */
#include "show_pdu.h"

#include <iwarp/sctp.h>
#include <report/private_data.h>

#include "conns.h"
#include "fields.h"
#include "info.h"
#include "line.h"
#include "pdu_octets.h"
#include "records.h"
#include "rules_expert.h"
#include "show_form.h"
#include "show_words.h"
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
  if (frames_pdu_first(v->pdu) != v->pdu->frame) {
    records_show(v->tree, hf_iwarp.fpdu_first_frame, frames_pdu_first(v->pdu));
  }
}

/* A number that filters find, and that is shown where it is not 0. */
static void pdu_count(const pdu_view *v, int hf, guint32 value) {
  proto_item *item = proto_tree_add_uint(v->tree, hf, NULL, 0, 0, value);
  pdu_generated(item);
  if (value == 0) {
    proto_item_set_hidden(item);
  }
}

static void pdu_fpdu_facts(const pdu_view *v) {
  const frame_pdu *pdu = v->pdu;
  if (pdu->offset_known) {
    const guint64 base = pdu->conn->base[pdu->side] + pdu->rest->base_skew;
    pdu_generated(proto_tree_add_uint64(v->tree, hf_iwarp.fpdu_offset, NULL, 0, 0,
                                        pdu->pos + v->layout.lead - base));
  }
  pdu_count(v, hf_iwarp.fpdu_pad_length, v->layout.pad);
  pdu_count(v, hf_iwarp.fpdu_markers, (guint32)v->layout.num_markers);
  pdu_generated(proto_tree_add_boolean(v->tree, hf_iwarp.fpdu_aligned, NULL, 0, 0, pdu->aligned));
}

/* The meaning of a Terminate in the bit order of its sender's machine. */
static void pdu_likely(const pdu_view *v) {
  const char *likely = info_likely(v->pinfo->pool, v->pdu, v->seg);
  if (likely != NULL) {
    pdu_generated(proto_tree_add_string(v->tree, hf_iwarp.terminate_likely, NULL, 0, 0, likely));
  }
}

/* ---- PAD and CRC ---- */

/* PAD whose octets were captured, octets before it perhaps not. */
static void pdu_pad(const pdu_view *v) {
  proto_tree_add_bytes_with_length(v->tree,
                                   fields_hf(iwarp_field_get(IWARP_FIELD_MPA_PAD_PAD), false), NULL,
                                   0, 0, v->pdu->rest->pad, (gint)v->layout.pad);
}

/* The CRC field of an FPDU, where it was captured. RFC 5044 4.4 */
static guint32 pdu_crc_value(const pdu_view *v) {
  return v->pdu->whole ? tvb_get_letohl(v->tvb, (gint)(v->base + v->layout.crc_off))
                       : v->pdu->rest->crc_value;
}

/* The CRC that is expected, if it is known. */
static guint32 pdu_crc_expected(const pdu_view *v) {
  return v->pdu->crc == IWARP_CRC_BAD ? v->pdu->rest->crc_expected : pdu_crc_value(v);
}

static const char *pdu_crc_words(const pdu_view *v) {
  if (!v->pdu->crc_present) {
    return "CRC: not captured";
  }
  out_buf *line = line_begin();
  line_stag(line, "CRC: ", pdu_crc_value(v));
  if (v->pdu->crc == IWARP_CRC_BAD) {
    line_stag(line, " [incorrect, should be ", pdu_crc_expected(v));
    out_char(line, ']');
  } else {
    out_str(line, v->pdu->crc == IWARP_CRC_GOOD ? " [correct]" : " [unverified]");
  }
  return line_end(line);
}

/* The CRC field and its facts. `part` is NULL where octets before it are missing. */
static void pdu_crc(const pdu_view *v, const iwarp_pdu_iter *it, const iwarp_pdu_part *part) {
  static const guint8 status[] = {[IWARP_CRC_UNCHECKED] = PROTO_CHECKSUM_E_UNVERIFIED,
                                  [IWARP_CRC_GOOD] = PROTO_CHECKSUM_E_GOOD,
                                  [IWARP_CRC_BAD] = PROTO_CHECKSUM_E_BAD};
  const frame_pdu *pdu = v->pdu;
  proto_tree *tree;
  proto_item *item;
  if (part != NULL) {
    tree = show_form_tree(v, v->tree, it, part);
    item = proto_tree_get_parent(tree);
    show_form(v, tree, it, part);
  } else {
    int ett;
    const int hf = fields_tree(&ett, IWARP_FORM_MPA_CRC, false);
    item = proto_tree_add_item(v->tree, hf, v->tvb, 0, 0, ENC_NA);
    tree = proto_item_add_subtree(item, ett);
    if (pdu->crc_present) {
      proto_tree_add_uint(tree, fields_hf(iwarp_field_get(IWARP_FIELD_MPA_CRC_CRC), false), NULL, 0,
                          0, pdu_crc_value(v));
    }
  }
  if (v->visible) {
    proto_item_set_text(item, "%s", pdu_crc_words(v));
  }
  pdu_generated(proto_tree_add_uint(tree, hf_iwarp.crc_status, NULL, 0, 0, status[pdu->crc]));
  if (pdu->crc != IWARP_CRC_UNCHECKED) {
    pdu_generated(
        proto_tree_add_uint(tree, hf_iwarp.crc_expected, NULL, 0, 0, pdu_crc_expected(v)));
  }
}

/* ---- payload ---- */

/* All payload as one item, Markers taken out; `first` is its first part. */
static void pdu_payload(const pdu_view *v, const iwarp_pdu_part *first) {
  const frame_pdu *pdu = v->pdu;
  const size_t len = v->seg->payload_len;
  const gint start = (gint)(v->base + first->wire_off);
  if (first->octets.len >= len || pdu->kind != FRAME_PDU_FPDU || v->layout.num_markers == 0) {
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

/* The parts of a PDU that were shown. */
typedef struct pdu_shown {
  bool payload;
  bool pad;
  bool crc;
  proto_tree *terminate; /* subtree of the Terminate */
  proto_tree *returned;
} pdu_shown;

/* The forms that peers put into Private Data beyond the RFCs. */
static void pdu_private_data(const pdu_view *v, const iwarp_pdu_iter *it) {
  iwarp_mpa_startup frame;
  if (iwarp_mpa_startup_head_decode(&frame, v->octets).err != IWARP_OK) {
    return;
  }
  frame.private_data.ptr = v->octets.ptr + IWARP_MPA_STARTUP_LEN;
  frame.private_data.len = v->octets.len - IWARP_MPA_STARTUP_LEN;
  iwarp_span ulp = frame.private_data;
  if (iwarp_mpa_startup_is_enhanced(&frame)) {
    ulp.ptr += IWARP_MPA_ENHANCED_LEN;
    ulp.len -= IWARP_MPA_ENHANCED_LEN;
  }
  const report_private_data found = report_private_data_of(&frame, ulp);
  for (size_t i = 0; i < found.num; i++) {
    const size_t off = (size_t)(found.part[i].octets.ptr - v->octets.ptr);
    const size_t len = MIN(found.part[i].octets.len, iwarp_form_get(found.part[i].form)->len);
    const iwarp_pdu_part part = {.form = found.part[i].form,
                                 .octets = {found.part[i].octets.ptr, len},
                                 .pdu_off = off,
                                 .wire_off = off};
    show_form(v, show_form_tree(v, v->tree, it, &part), it, &part);
  }
}

static void pdu_ddp(const pdu_view *v, proto_tree *into, const iwarp_pdu_iter *it,
                    const iwarp_pdu_part *part) {
  proto_tree *tree = show_form_tree(v, into, it, part);
  show_form(v, tree, it, part);
  if (!part->returned) {
    pdu_generated(
        proto_tree_add_uint(tree, hf_iwarp.ddp_length, NULL, 0, 0, (guint32)v->seg->payload_len));
  }
}

/* The subtree of the Terminate takes in all that follows its control field. */
static void pdu_extend(const pdu_view *v, proto_tree *tree, const iwarp_pdu_part *part) {
  proto_item *item = proto_tree_get_parent(tree);
  if (v->visible && item != NULL && PITEM_FINFO(item) != NULL) {
    const gint end = (gint)(v->base + part->wire_off + part->octets.len);
    proto_item_set_len(item, end - PITEM_FINFO(item)->start);
  }
}

static proto_tree *pdu_returned(const pdu_view *v, pdu_shown *shown, const iwarp_pdu_part *part) {
  if (shown->returned == NULL) {
    proto_item *item = proto_tree_add_item(shown->terminate, hf_iwarp.returned, v->tvb,
                                           (gint)(v->base + part->wire_off), 0, ENC_NA);
    shown->returned = proto_item_add_subtree(item, ett_iwarp.returned);
  }
  return shown->returned;
}

static void pdu_terminate(const pdu_view *v, pdu_shown *shown, const iwarp_pdu_iter *it,
                          const iwarp_pdu_part *part) {
  if (part->form == IWARP_FORM_RDMAP_TERM) {
    shown->terminate = show_form_tree(v, v->tree, it, part);
    show_form(v, shown->terminate, it, part);
    return;
  }
  pdu_extend(v, shown->terminate, part);
  if (!part->returned) {
    show_form(v, shown->terminate, it, part);
    return;
  }
  proto_tree *returned = pdu_returned(v, shown, part);
  pdu_extend(v, returned, part);
  pdu_ddp(v, returned, it, part);
}

/* Parts of no use unless whole: PAD, which has no length of its own, Markers, the CRC and the
 * enhanced data. */
static bool pdu_cut(const pdu_view *v, const iwarp_pdu_part *part) {
  const iwarp_form form = part->form;
  const bool whole = form == IWARP_FORM_MPA_MARKER || form == IWARP_FORM_MPA_CRC ||
                     form == IWARP_FORM_MPA_ENHANCED;
  return (form == IWARP_FORM_MPA_PAD && !v->pdu->pad_present) ||
         (whole && part->octets.len < iwarp_form_get(form)->len);
}

/* Forms whose fields belong to the PDU itself. */
static bool pdu_is_root(iwarp_form form) {
  return form == IWARP_FORM_MPA_STARTUP || form == IWARP_FORM_MPA_FPDU ||
         form == IWARP_FORM_MPA_PAD || form == IWARP_FORM_SCTP_CONTROL ||
         form == IWARP_FORM_SCTP_SEGMENT;
}

static void pdu_part(const pdu_view *v, pdu_shown *shown, const iwarp_pdu_iter *it,
                     const iwarp_pdu_part *part) {
  const iwarp_form form = part->form;
  if (form == IWARP_FORM_MPA_CRC) {
    pdu_crc(v, it, part);
  } else if (pdu_is_root(form)) {
    show_form(v, v->tree, it, part);
  } else if (part->returned || form == IWARP_FORM_RDMAP_TERM ||
             form == IWARP_FORM_RDMAP_TERM_LENGTH) {
    pdu_terminate(v, shown, it, part);
  } else if (form == IWARP_FORM_DDP_TAGGED || form == IWARP_FORM_DDP_UNTAGGED) {
    pdu_ddp(v, v->tree, it, part);
  } else {
    show_form(v, show_form_tree(v, v->tree, it, part), it, part);
  }
  shown->pad = shown->pad || form == IWARP_FORM_MPA_PAD;
  shown->crc = shown->crc || form == IWARP_FORM_MPA_CRC;
}

static void pdu_parts(const pdu_view *v) {
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  pdu_shown shown = {0};
  if (!pdu_walk(&it, v->pdu, v->octets)) {
    return;
  }
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
    if (part.form == IWARP_FORM_NONE) {
      if (!shown.payload) {
        pdu_payload(v, &part);
      }
      shown.payload = true;
    } else if (!pdu_cut(v, &part)) {
      pdu_part(v, &shown, &it, &part);
    }
  }
  if (v->pdu->kind == FRAME_PDU_FPDU && !shown.pad && v->pdu->pad_present && v->layout.pad > 0) {
    pdu_pad(v);
  }
  if (v->pdu->kind == FRAME_PDU_FPDU && !shown.crc) {
    pdu_crc(v, &it, NULL);
  }
  if (v->pdu->kind == FRAME_PDU_STARTUP) {
    pdu_private_data(v, &it);
  }
}

/* ---- kinds ---- */

/* No walk knows the parameter of an INIT: it stands alone. */
static void pdu_adaptation(const pdu_view *v) {
  const iwarp_pdu_iter it = {.layout = {0}};
  const iwarp_pdu_part part = {.form = IWARP_FORM_SCTP_ADAPTATION, .octets = v->octets};
  show_form(v, v->tree, &it, &part);
}

/* The facts of a PDU, after its octets. */
static void pdu_facts(const pdu_view *v) {
  const frame_pdu *pdu = v->pdu;
  switch ((frame_pdu_kind)pdu->kind) {
  case FRAME_PDU_STARTUP:
    pdu_generated(proto_tree_add_uint(v->tree, hf_iwarp.mpa_type, NULL, 0, 0, pdu->reply ? 2 : 1));
    break;
  case FRAME_PDU_FPDU: pdu_fpdu_facts(v); break;
  case FRAME_PDU_UNDECODABLE:
    pdu_generated(proto_tree_add_string(v->tree, hf_iwarp.undecodable_reason, NULL, 0, 0,
                                        info_undecodable(pdu)));
    break;
  case FRAME_PDU_SCTP_INIT: pdu_adaptation(v); break;
  case FRAME_PDU_GAP:
  case FRAME_PDU_SCTP_CONTROL:
  case FRAME_PDU_SCTP_SEGMENT: break;
  }
  pdu_first_frame(v);
  if (pdu->msn_known) {
    const guint32 other = pdu->rest->expected_msn;
    pdu_generated(proto_tree_add_uint(v->tree, hf_iwarp.expected_msn, NULL, 0, 0,
                                      other != 0 ? other : v->seg->ddp.msn));
  }
  messages_show(v->tree, pdu, v->known, v->visible);
  exchanges_show(v->tree, pdu, v->seg, v->known);
  negotiation_show(v->pinfo, v->tree, pdu, v->known);
  if (v->seg != NULL) {
    pdu_likely(v);
    stags_show(v->tree, pdu, v->seg, v->visible);
  }
  pdu_role(v);
}

/* Octets that are not contiguous in the frame are a source of their own. */
static void pdu_buffer(pdu_view *v, tvbuff_t *frame) {
  v->tvb = frame;
  v->base = v->pdu->at;
  if (v->pdu->rest->copy != NULL) {
    v->tvb = tvb_new_child_real_data(frame, v->pdu->rest->copy, (guint)v->octets.len,
                                     (gint)v->octets.len);
    v->base = 0;
    add_new_data_source(v->pinfo, v->tvb, "iWARP PDU");
  }
}

static void pdu_findings(const pdu_view *v, proto_item *item, const frame_rec *rec) {
  for (const frame_finding *f = rec->rest->findings; f != NULL; f = f->next) {
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
  for (const frame_finding *f = rec->rest->findings; f != NULL; f = f->next) {
    if (f->pdu == pdu) {
      return true;
    }
  }
  return false;
}

/* Returns the place of the payload in the octets of the PDU. */
static size_t pdu_payload_at(const pdu_view *v) {
  const size_t header = v->seg->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  size_t run;
  return v->pdu->kind == FRAME_PDU_FPDU
             ? iwarp_mpa_wire_offset(&run, &v->layout, IWARP_MPA_LENGTH_LEN + header)
             : IWARP_SCTP_SEGMENT_LEN + header;
}

static void pdu_upper(const pdu_view *v, proto_tree *root) {
  if (v->seg == NULL || !messages_for_upper(v->seg)) {
    return;
  }
  const char *ulp = upper_show(v, root, pdu_payload_at(v));
  if (ulp != NULL) {
    pdu_generated(proto_tree_add_string(v->tree, hf_iwarp.ulp, NULL, 0, 0, ulp));
  }
}

static void pdu_begin(pdu_view *v, tvbuff_t *frame, packet_info *pinfo, const pdu_decoded *d) {
  *v = (pdu_view){.pinfo = pinfo,
                  .pdu = d->pdu,
                  .octets = d->octets,
                  .layout = d->layout,
                  .seg = d->has_seg ? &d->seg : NULL,
                  .known = PINFO_FD_VISITED(pinfo) ? G_MAXUINT32 : records_of(pinfo->num)};
  pdu_buffer(v, frame);
}

void show_pdu_upper(tvbuff_t *frame, packet_info *pinfo, proto_tree *root, const pdu_decoded *d) {
  pdu_view v;
  pdu_begin(&v, frame, pinfo, d);
  pdu_upper(&v, root);
}

/* The item of a PDU. Octets that are missing or undecodable are a number. */
static proto_item *pdu_item(const pdu_view *v, proto_tree *tree, int *ett) {
  const frame_pdu *pdu = v->pdu;
  iwarp_form form = IWARP_FORM_MPA_FPDU;
  *ett = ett_iwarp.pdu;
  switch ((frame_pdu_kind)pdu->kind) {
  case FRAME_PDU_GAP:
    return proto_tree_add_uint64(tree, pdu->conn->sctp ? hf_iwarp.gap_messages : hf_iwarp.gap, NULL,
                                 0, 0, frames_pdu_len(pdu));
  case FRAME_PDU_UNDECODABLE:
    return proto_tree_add_uint64(tree, hf_iwarp.undecodable, v->tvb, (gint)v->base,
                                 (gint)v->octets.len, frames_pdu_len(pdu));
  case FRAME_PDU_STARTUP: form = IWARP_FORM_MPA_STARTUP; break;
  case FRAME_PDU_SCTP_INIT: form = IWARP_FORM_SCTP_ADAPTATION; break;
  case FRAME_PDU_SCTP_CONTROL: form = IWARP_FORM_SCTP_CONTROL; break;
  case FRAME_PDU_SCTP_SEGMENT: form = IWARP_FORM_SCTP_SEGMENT; break;
  case FRAME_PDU_FPDU: break;
  }
  const int hf = fields_tree(ett, form, false);
  return proto_tree_add_item(tree, hf, v->tvb, (gint)v->base, (gint)v->octets.len, ENC_NA);
}

void show_pdu(tvbuff_t *frame, packet_info *pinfo, proto_tree *tree, proto_tree *root,
              const frame_rec *rec, const pdu_decoded *d) {
  static marks noted;
  pdu_view v;
  int ett;
  pdu_begin(&v, frame, pinfo, d);
  noted.num = 0;
  v.marks = pdu_has_findings(rec, d->pdu) ? &noted : NULL;
  v.visible = tree != NULL && PTREE_DATA(tree)->visible;
  proto_item *item = pdu_item(&v, tree, &ett);
  if (v.visible) {
    proto_item_set_text(item, "%s", info_pdu(pinfo->pool, info_head(d->pdu), d));
  }
  if (d->pdu->kind == FRAME_PDU_GAP) {
    pdu_generated(item);
  }
  v.tree = proto_item_add_subtree(item, ett);
  pdu_parts(&v);
  pdu_facts(&v);
  if (!d->pdu->delivered_later) {
    pdu_upper(&v, root);
  }
  if (v.marks != NULL) {
    pdu_findings(&v, item, rec);
  }
}
