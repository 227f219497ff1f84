/* SPDX-License-Identifier: BSD-2-Clause */
/* One frame: its PDUs, the parts that it holds of others, its broken rules. */
#include "show.h"

#include <epan/expert.h>

#include "conns.h"
#include "feed.h"
#include "fields.h"
#include "frames.h"
#include "info.h"
#include "iwarp_proto.h"
#include "link.h"
#include "records.h"
#include "rules_expert.h"
#include "show_pdu.h"
#include "takeover.h"
#include "taps.h"

/* show_pdus are the PDUs that a frame completes, each decoded once. */
typedef struct show_pdus {
  guint num;
  pdu_decoded *of;
} show_pdus;

static show_pdus show_decode(tvbuff_t *frame, packet_info *pinfo, const frame_rec *rec) {
  show_pdus out = {0, NULL};
  guint num = 0;
  for (const frame_pdu *p = frames_next(rec, NULL); p != NULL; p = frames_next(rec, p)) {
    num++;
  }
  out.of = num > 0 ? wmem_alloc_array(pinfo->pool, pdu_decoded, num) : NULL;
  for (const frame_pdu *p = frames_next(rec, NULL); p != NULL; p = frames_next(rec, p)) {
    pdu_decode(&out.of[out.num++], p, frame);
  }
  return out;
}

/* ---- the parts of a frame ---- */

static void show_part(packet_info *pinfo, proto_tree *tree, const frame_pdu *pdu) {
  const guint32 frame = records_frame(pdu->frame);
  if (frame != 0) {
    proto_item_set_generated(proto_tree_add_uint_format(
        tree, hf_iwarp.fpdu_completed_in, NULL, 0, 0, frame, "%s", info_part(pinfo->pool, pdu)));
  }
}

/* Octets that are missing before the octets of the frame. */
static void show_hole(proto_tree *tree, const frame_pdu *gap) {
  proto_item_set_generated(
      proto_tree_add_uint64(tree, hf_iwarp.gap_before, NULL, 0, 0, frames_pdu_len(gap)));
  records_show(tree, hf_iwarp.gap_known_in, gap->frame);
}

static void show_outcome(proto_tree *tree, const frame_rec *rec) {
  if (rec->rest->outcome != NULL) {
    proto_item_set_generated(
        proto_tree_add_string(tree, hf_iwarp.outcome, NULL, 0, 0, rec->rest->outcome));
  }
  records_show(tree, hf_iwarp.accused_frame, rec->rest->accused);
  records_show(tree, hf_iwarp.accused_by, rec->rest->accused_by);
}

static void show_notes(packet_info *pinfo, proto_item *item, const frame_rec *rec) {
  for (const frame_note *n = rec->rest->notes; n != NULL; n = n->next) {
    expert_add_info_format(pinfo, item, n->field, "%s", n->text);
  }
}

/* Those that are at no PDU of the frame. */
static void show_findings(packet_info *pinfo, proto_tree *tree, const frame_rec *rec) {
  for (const frame_finding *f = rec->rest->findings; f != NULL; f = f->next) {
    if (f->pdu == NULL && rules_expert_wanted(f)) {
      rules_expert_show(pinfo, tree, NULL, f);
    }
  }
}

/* Shows the facts that became certain after a frame was shown for the first time. */
static void show_lates(packet_info *pinfo, proto_tree *tree, const frame_rec *rec) {
  for (const frame_late *l = PINFO_FD_VISITED(pinfo) ? NULL : rec->rest->lates; l != NULL;
       l = l->next) {
    rules_expert_late(pinfo, tree, l);
  }
}

/* The octets of the frame that its PDUs lie in. */
static void show_extent(const show_pdus *pdus, guint32 *at, guint32 *len) {
  guint32 end = 0;
  *at = G_MAXUINT32;
  for (guint i = 0; i < pdus->num; i++) {
    const frame_pdu *p = pdus->of[i].pdu;
    const guint32 cap = (guint32)pdus->of[i].octets.len;
    if (p->rest->copy == NULL && cap > 0) {
      *at = MIN(*at, p->at);
      end = MAX(end, p->at + cap);
    }
  }
  *at = end > 0 ? *at : 0;
  *len = end - *at;
}

static void show_tree(tvbuff_t *frame, packet_info *pinfo, proto_tree *tree, const frame_rec *rec,
                      const show_pdus *pdus) {
  guint32 at;
  guint32 len;
  show_extent(pdus, &at, &len);
  proto_item *item =
      proto_tree_add_item(tree, iwarp_proto_id(), frame, (gint)at, (gint)len, ENC_NA);
  if (tree != NULL && PTREE_DATA(tree)->visible) {
    proto_item_set_text(item, "iWARP: %s",
                        pdus->num > 0 || rec->conn != NULL
                            ? info_brief(pinfo->pool, pdus->of, pdus->num)
                            : "about this connection");
  }
  proto_tree *sub = proto_item_add_subtree(item, ett_iwarp.proto);
  for (guint i = 0; i < pdus->num; i++) {
    show_pdu(frame, pinfo, sub, tree, rec, &pdus->of[i]);
  }
  for (const frame_part *p = PINFO_FD_VISITED(pinfo) ? rec->rest->holes : NULL; p != NULL;
       p = p->next) {
    show_hole(sub, p->pdu);
  }
  for (const frame_part *p = rec->rest->parts; p != NULL; p = p->next) {
    show_part(pinfo, sub, p->pdu);
  }
  if (frames_conn(rec)->numbered) {
    proto_item_set_generated(
        proto_tree_add_uint(sub, hf_iwarp.connection, NULL, 0, 0, frames_conn(rec)->number));
  }
  show_outcome(sub, rec);
  show_notes(pinfo, item, rec);
  show_findings(pinfo, sub, rec);
  show_lates(pinfo, sub, rec);
}

/* Shows payload that upper layers want to see where no PDU is shown. */
static void show_upper(tvbuff_t *frame, packet_info *pinfo, proto_tree *tree,
                       const show_pdus *pdus) {
  for (guint i = 0; i < pdus->num; i++) {
    if (!pdus->of[i].pdu->delivered_later) {
      show_pdu_upper(frame, pinfo, tree, &pdus->of[i]);
    }
  }
}

static void show_deliveries(tvbuff_t *frame, packet_info *pinfo, proto_tree *tree,
                            const frame_rec *rec) {
  for (const frame_part *p = rec->rest->deliveries; p != NULL; p = p->next) {
    pdu_decoded *d = wmem_new(pinfo->pool, pdu_decoded);
    pdu_decode(d, p->pdu, frame);
    show_pdu_upper(frame, pinfo, tree, d);
  }
}

static bool show_has_upper(const frame_rec *rec) {
  for (const frame_pdu *p = frames_next(rec, NULL); p != NULL; p = frames_next(rec, p)) {
    if (p->upper) {
      return true;
    }
  }
  return false;
}

static void show_frame(tvbuff_t *frame, packet_info *pinfo, proto_tree *tree,
                       const frame_rec *rec) {
  /* The tree, or a field in it, is read. Expert infos are not only for the tree. */
  const bool in_tree = proto_field_is_referenced(tree, iwarp_proto_id()) ||
                       rec->rest->findings != NULL || rec->rest->lates != NULL ||
                       rec->rest->notes != NULL;
  const bool upper = show_has_upper(rec);
  const bool wanted = in_tree || upper || pinfo->cinfo != NULL || taps_wanted();
  const show_pdus pdus = wanted ? show_decode(frame, pinfo, rec) : (show_pdus){0, NULL};
  link_set_shown(pinfo);
  info_show(pinfo, rec, pdus.of, pdus.num);
  taps_frame(pinfo, rec, pdus.of, pdus.num);
  if (in_tree) {
    show_tree(frame, pinfo, tree, rec, &pdus);
  } else {
    proto_tree_add_item(tree, iwarp_proto_id(), frame, 0, 0, ENC_NA); /* -z io,phs counts it */
    if (upper) {
      show_upper(frame, pinfo, tree, &pdus);
    }
  }
  show_deliveries(frame, pinfo, tree, rec);
}

/* ---- the ways in ---- */

int show_payload(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data) {
  const frame_rec rec = frames_get(records_of(pinfo->num));
  tvbuff_t *frame = link_frame(pinfo);
  (void)data;
  if (pinfo->flags.in_error_pkt) { /* no other dissector may go on from an octet that is quoted */
    return call_data_dissector(tvb, pinfo, tree);
  }
  if (rec.rest == NULL || rec.conn == NULL || frame == NULL) {
    return 0;
  }
  if (!PINFO_FD_VISITED(pinfo)) {
    takeover_one_sided(pinfo, frames_conn(&rec));
  }
  if (!link_shown(pinfo)) {
    show_frame(frame, pinfo, tree, &rec);
  }
  return (int)tvb_captured_length(tvb);
}

int show_message(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data) {
  const frame_rec rec = frames_get(records_of(pinfo->num));
  tvbuff_t *frame = link_frame(pinfo);
  (void)data;
  if (rec.rest == NULL || !frames_conn(&rec)->sctp || frame == NULL || pinfo->flags.in_error_pkt) {
    return 0;
  }
  if (!link_shown(pinfo)) { /* the first message of the frame shows all of them */
    show_frame(frame, pinfo, tree, &rec);
    col_set_writable(pinfo->cinfo, COL_INFO,
                     FALSE); /* SCTP would name its other chunks after them */
  }
  return (int)tvb_captured_length(tvb);
}

int show_rest(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data) {
  const frame_rec rec = frames_get(records_of(pinfo->num));
  tvbuff_t *frame = link_frame(pinfo);
  (void)tvb;
  (void)data;
  feed_passed(pinfo->num, pinfo->fd->file_off);
  if (rec.rest != NULL && frame != NULL && !link_shown(pinfo) &&
      (frames_conn(&rec)->sctp || takeover_wanted(frames_conn(&rec)))) {
    show_frame(frame, pinfo, tree, &rec);
  }
  return 0;
}
