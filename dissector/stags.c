/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Follows STags over a connection.
 *
 * A segment names an STag of its receiver. It is the Data Sink of an RDMA Write or Read Response,
 * or the Data Source of a Read Request. It may also be the target of an Atomic Request, or the STag
 * to invalidate. RFC 5040 4
 */
#include "stags.h"

#include "conns.h"
#include "fields.h"
#include "line.h"
#include "link.h"
#include "records.h"

/* stags_touch is what a segment does with an STag. */
typedef struct stags_touch {
  guint32 stag;
  guint64 to;
  guint64 len;
  bool invalidates;
} stags_touch;

static bool stags_named(stags_touch *t, const iwarp_rdmap_seg *seg) {
  if (!seg->has_ddp) {
    return false;
  }
  if (seg->ddp.tagged) {
    *t = (stags_touch){.stag = seg->ddp.stag, .to = seg->ddp.to, .len = seg->payload_len};
    return true;
  }
  if (seg->kind == IWARP_RDMAP_KIND_READ_REQ) {
    const iwarp_rdmap_read_req *v = &seg->u.read_req;
    *t = (stags_touch){.stag = v->source_stag, .to = v->source_to, .len = v->size};
    return true;
  }
  if (seg->kind == IWARP_RDMAP_KIND_ATOMIC_REQ) {
    const iwarp_rdmap_atomic_req *v = &seg->u.atomic_req;
    *t = (stags_touch){.stag = v->stag, .to = v->to, .len = sizeof(guint64)};
    return true;
  }
  *t = (stags_touch){.stag = seg->ddp.rsvdulp_word, .invalidates = seg->ddp.last};
  return iwarp_rdmap_op_get(seg->ctrl.opcode)->invalidates;
}

/* ---- as the octets come ---- */

static stags_use *stags_get(wmem_map_t **all, guint32 stag, guint32 frame) {
  if (*all == NULL) {
    *all = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
  }
  stags_use *use = wmem_map_lookup(*all, GUINT_TO_POINTER(stag));
  if (use == NULL) {
    use = wmem_new0(wmem_file_scope(), stags_use);
    use->stag = stag;
    use->first_frame = frame;
    wmem_map_insert(*all, GUINT_TO_POINTER(stag), use);
  }
  return use;
}

static void stags_extend(stags_use *use, guint64 to, guint64 len) {
  const guint64 end = to + len < to ? G_MAXUINT64 : to + len;
  if (len > 0) {
    use->low = use->end > use->low ? MIN(use->low, to) : to;
    use->end = MAX(use->end, end);
    use->octets += len;
  }
}

static void stags_invalidate(stags_use *use, const frame_pdu *pdu) {
  const stags_end at = {.frame = pdu->frame, .pos = pdu->pos};
  if (use->invalidated == NULL) {
    use->invalidated = wmem_array_new(wmem_file_scope(), sizeof(stags_end));
  }
  wmem_array_append_one(use->invalidated, at);
}

void stags_segment(wmem_map_t *all[2], const frame_pdu *pdu, const iwarp_rdmap_seg *seg) {
  stags_touch touch;
  if (!stags_named(&touch, seg)) {
    return;
  }
  stags_use *use = stags_get(&all[1 - pdu->side], touch.stag, pdu->frame);
  use->segments++;
  stags_extend(use, touch.to, touch.len);
  if (touch.invalidates) {
    stags_invalidate(use, pdu);
  }
}

/* ---- as it is shown ---- */

const stags_use *stags_of(const frame_pdu *pdu, const iwarp_rdmap_seg *seg) {
  stags_touch touch;
  wmem_map_t *all = pdu->conn->stags[1 - pdu->side];
  return all != NULL && stags_named(&touch, seg)
             ? wmem_map_lookup(all, GUINT_TO_POINTER(touch.stag))
             : NULL;
}

guint32 stags_ended(const stags_use *use, const frame_pdu *pdu) {
  guint32 frame = 0;
  for (guint i = 0; use->invalidated != NULL && i < wmem_array_get_count(use->invalidated); i++) {
    const stags_end *at = wmem_array_index(use->invalidated, i);
    if (at->pos >= pdu->pos) {
      break;
    }
    frame = at->frame;
  }
  return frame;
}

/* The octets are the same for each segment that names the STag: the first one alone shows them. */
static void stags_show_first(proto_tree *tree, const stags_use *use, bool visible) {
  if (use->end <= use->low) {
    return;
  }
  proto_item *item = proto_tree_add_item(tree, hf_iwarp.stag, NULL, 0, 0, ENC_NA);
  proto_tree *sub = proto_item_add_subtree(item, ett_iwarp.stag);
  proto_item_set_generated(item);
  if (visible) {
    out_buf *line = line_begin();
    line_stag(line, "STag ", use->stag);
    out_str(line, " on this connection");
    proto_item_set_text(item, "%s", line_end(line));
  }
  proto_item_set_generated(proto_tree_add_uint64(sub, hf_iwarp.stag_low, NULL, 0, 0, use->low));
  proto_item_set_generated(
      proto_tree_add_uint64(sub, hf_iwarp.stag_high, NULL, 0, 0, use->end - 1));
}

void stags_show(proto_tree *tree, const frame_pdu *pdu, const iwarp_rdmap_seg *seg, bool visible) {
  const stags_use *use = stags_of(pdu, seg);
  if (use == NULL) {
    return;
  }
  if (use->first_frame == pdu->frame) {
    stags_show_first(tree, use, visible);
  } else {
    records_show(tree, hf_iwarp.stag_first_frame, use->first_frame);
  }
  records_show(tree, hf_iwarp.stag_invalidated_in, stags_ended(use, pdu));
}
