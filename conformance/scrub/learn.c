/* SPDX-License-Identifier: BSD-2-Clause */
/* Headers, Markers and PAD of FPDUs stay, and what rules read in other octets. */
#include "learn.h"

#include <stdlib.h>
#include <string.h>

#include <iwarp/crc32c.h>
#include <memory/memory.h>
#include <observe/ulp.h>

enum { LEARN_HEAD = 12, LEARN_NEAR = 20, LEARN_ANCHORS = 32, LEARN_STARTS = 8 };
enum { LEARN_CREDIT = 64 }; /* octets that CRCs are computed of, for each octet that is looked at */

/* Octets of one direction that are looked at, and where CRC fields may stand in them. */
typedef struct learn_view {
  kept_dir *dir;
  uint64_t pos;
  const uint8_t *octets;
  size_t len;
} learn_view;

/* ---- headers ---- */

/* Offsets of operands and results of Atomic Operations in the RDMAP header. RFC 7306 5.2 */
enum { ATOMIC_DATA = 20, ATOMIC_COMPARE = 36, ATOMIC_ORIGINAL = 4, ATOMIC_VALUE = 8 };

/* A value of 0 where a rule wants 0 is not private. */
static bool learn_is_zero(iwarp_span in, size_t at) {
  uint8_t any = at + ATOMIC_VALUE > in.len;
  for (size_t i = at; i < at + ATOMIC_VALUE && i < in.len; i++) {
    any |= in.ptr[i];
  }
  return any == 0;
}

static void learn_part(learn_head *h, size_t from, size_t to, size_t len) {
  if (from < len) {
    h->from[h->num] = from;
    h->to[h->num] = to < len ? to : len;
    h->num++;
  }
}

learn_head learn_header(iwarp_span in, size_t len) {
  learn_head h = {.num = 0};
  iwarp_rdmap_seg seg = {.has_ddp = false};
  const size_t there = in.len < len ? in.len : len;
  iwarp_rdmap_seg_decode(&seg, (iwarp_span){in.ptr, there}, len);
  const size_t ddp = seg.has_ddp && seg.ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg.ctrl.opcode);
  switch (seg.has_ddp && !seg.ddp.tagged ? op->cls : IWARP_RDMAP_CLASS_NONE) {
  case IWARP_RDMAP_CLASS_TERMINATE: learn_part(&h, 0, IWARP_RDMAP_HDR_MAX, len); break;
  case IWARP_RDMAP_CLASS_READ_REQ: learn_part(&h, 0, ddp + IWARP_RDMAP_READ_REQ_LEN, len); break;
  case IWARP_RDMAP_CLASS_ATOMIC_REQ: {
    const bool zero = learn_is_zero((iwarp_span){in.ptr, there}, ddp + ATOMIC_COMPARE);
    learn_part(&h, 0, ddp + ATOMIC_DATA, len);
    learn_part(&h, ddp + ATOMIC_DATA + ATOMIC_VALUE, ddp + ATOMIC_COMPARE, len);
    learn_part(&h, ddp + ATOMIC_COMPARE + (zero ? 0 : ATOMIC_VALUE),
               ddp + IWARP_RDMAP_ATOMIC_REQ_LEN, len);
    break;
  }
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: learn_part(&h, 0, ddp + ATOMIC_ORIGINAL, len); break;
  case IWARP_RDMAP_CLASS_NONE:
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_IMMEDIATE: learn_part(&h, 0, ddp, len); break;
  }
  return h;
}

static void learn_keep(learn *l, kept_dir *dir, uint64_t pos, size_t len) {
  kept_add(l->kept, dir, KEPT_STAYS, pos, len, 0);
}

/* Octets `from` to `to` of an FPDU counted without Markers. */
static void learn_unmarked(learn *l, kept_dir *dir, uint64_t wire, const iwarp_mpa_layout *layout,
                           size_t from, size_t to) {
  while (from < to) {
    size_t run = 0;
    const size_t at = iwarp_mpa_wire_offset(&run, layout, from);
    const size_t n = run < to - from ? run : to - from;
    learn_keep(l, dir, wire + at, n);
    from += n;
  }
}

/* ---- CRCs ---- */

/* The change of a CRC field at `at` of the view that covers the octets from `start` on: what is
 * wrong with it stays. */
static void learn_crc(learn *l, const learn_view *v, size_t start, size_t at) {
  const uint8_t *field = v->octets + at;
  const uint32_t was = iwarp_crc32c(0, v->octets + start, at - start);
  const uint32_t is = (uint32_t)field[0] | (uint32_t)field[1] << 8 | (uint32_t)field[2] << 16 |
                      (uint32_t)field[3] << 24;
  const uint32_t turned = is >> 24 | (is >> 8 & 0xff00u) | (is << 8 & 0xff0000u) | is << 24;
  if (is == 0 && was != 0) { /* a field that is not in use */
    learn_keep(l, v->dir, v->pos + at, IWARP_MPA_CRC_LEN);
    return;
  }
  kept_scrub(l->map, v->dir, v->dir->flow, v->pos, v->octets, v->len, l->changed, false);
  uint32_t change = was ^ iwarp_crc32c(0, l->changed + start, at - start);
  if (is != was && turned == was) { /* the other order of octets */
    change = change >> 24 | (change >> 8 & 0xff00u) | (change << 8 & 0xff0000u) | change << 24;
  }
  kept_add(l->kept, v->dir, KEPT_CHANGED, v->pos + at, IWARP_MPA_CRC_LEN, change);
}

/* ---- octets that may be FPDUs ---- */

static uint32_t learn_be(const uint8_t *p, size_t n) {
  uint32_t x = 0;
  for (size_t i = 0; i < n; i++) {
    x = x << 8 | p[i];
  }
  return x;
}

/* True if what looks like an FPDU begins there. */
static bool learn_plausible(const learn_view *v, size_t at) {
  if (at + LEARN_HEAD > v->len) {
    return false;
  }
  const uint8_t *p = v->octets + at;
  const iwarp_rdmap_ctrl ctrl = iwarp_rdmap_ctrl_decode(p[3]);
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(ctrl.opcode);
  const size_t least = op->tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  return (p[2] & IWARP_DDP_CTRL_RSVD) == 0 && ctrl.rsv == 0 &&
         (p[2] & IWARP_DDP_CTRL_DV) == ctrl.rv && ctrl.rv <= IWARP_RDMAP_VERSION && op->assigned &&
         op->tagged == ((p[2] & IWARP_DDP_CTRL_T) != 0) && learn_be(p, 2) >= least + op->hdr_len &&
         (op->tagged || learn_be(p + 8, 4) == op->qn);
}

/* Keeps the headers of what looks like an FPDU. A Marker may stand among them. */
static void learn_keep_head(learn *l, const learn_view *v, size_t at) {
  const uint8_t *p = v->octets + at;
  const iwarp_span ulpdu = {p + IWARP_MPA_LENGTH_LEN, v->len - at - IWARP_MPA_LENGTH_LEN};
  const learn_head h = learn_header(ulpdu, learn_be(p, 2));
  learn_keep(l, v->dir, v->pos + at, IWARP_MPA_LENGTH_LEN);
  for (size_t i = 0; i < h.num; i++) {
    learn_keep(l, v->dir, v->pos + at + IWARP_MPA_LENGTH_LEN + h.from[i], h.to[i] - h.from[i]);
  }
}

/* Returns true if the octets end with their CRC. Beyond the credit it is not computed. */
static bool learn_crc_right(const uint8_t *octets, size_t len, size_t *credit) {
  const bool may = *credit >= len;
  *credit -= may ? len : 0;
  return may && iwarp_crc32c(0, octets, len) == IWARP_CRC32C_RESIDUE;
}

/* The end of the FPDU that begins there and is proved by a CRC, with a Marker before it or without
 * Markers; 0: no CRC proves it. *start is the first octet that the CRC covers. */
static size_t learn_proven(const learn_view *v, size_t at, size_t *start, size_t *credit) {
  const size_t len = iwarp_mpa_layout_of(0, (uint16_t)learn_be(v->octets + at, 2), false).wire_len;
  *start = at;
  if (len > v->len - at) {
    return 0;
  }
  if (learn_crc_right(v->octets + at, len, credit)) {
    return at + len;
  }
  if (at < IWARP_MPA_MARKER_LEN || learn_be(v->octets + at - IWARP_MPA_MARKER_LEN, 2) != 0) {
    return 0;
  }
  *start = at - IWARP_MPA_MARKER_LEN;
  return learn_crc_right(v->octets + *start, len + IWARP_MPA_MARKER_LEN, credit) ? at + len : 0;
}

/* CRC fields found, in order. */
typedef struct learn_anchors {
  size_t num;
  size_t start[LEARN_ANCHORS];
  size_t at[LEARN_ANCHORS];
} learn_anchors;

static void learn_anchor(learn_anchors *a, size_t start, size_t at) {
  size_t i = a->num;
  if (a->num == LEARN_ANCHORS) {
    return;
  }
  while (i > 0 && a->at[i - 1] > at) {
    a->start[i] = a->start[i - 1];
    a->at[i] = a->at[i - 1];
    i--;
  }
  if (i > 0 && a->at[i - 1] == at) {
    for (; i < a->num; i++) {
      a->start[i] = a->start[i + 1];
      a->at[i] = a->at[i + 1];
    }
    return;
  }
  a->start[i] = start;
  a->at[i] = at;
  a->num++;
}

/* All places where a right CRC of the octets from `start` on ends. */
static void learn_anchors_from(learn_anchors *a, const learn_view *v, size_t start) {
  uint32_t crc = 0;
  for (size_t at = start; at < v->len; at++) {
    crc = iwarp_crc32c(crc, v->octets + at, 1);
    if (crc == IWARP_CRC32C_RESIDUE && at >= start + 7) {
      learn_anchor(a, start, at - 3);
    }
  }
}

/*
 * Octets of which something is wrong: rules try other readings. What looks like an FPDU keeps its
 * headers where a CRC proves it, or near `border`, where one may begin instead; and a CRC that is
 * right from a beginning on stays right.
 */
static void learn_irregular(learn *l, const learn_view *v, size_t border, size_t first,
                            size_t second) {
  learn_anchors a = {.num = 0};
  size_t starts = 2;
  size_t credit = LEARN_CREDIT * v->len;
  learn_anchors_from(&a, v, first);
  if (second != first) {
    learn_anchors_from(&a, v, second);
  }
  for (size_t at = 0; at + LEARN_HEAD <= v->len; at++) {
    if (!learn_plausible(v, at)) {
      continue;
    }
    const bool near = at + LEARN_NEAR >= border && at <= border + LEARN_NEAR;
    const bool back = v->len - at <= 4u * IWARP_MPA_MARKERS_MAX && (v->len - at) % 4 == 0;
    size_t start;
    const size_t end = learn_proven(v, at, &start, &credit);
    if (near || back || end != 0) {
      learn_keep(l, v->dir, v->pos + start, end != 0 ? at - start : 0);
      learn_keep_head(l, v, at);
    }
    if (near && starts < LEARN_STARTS) {
      learn_anchors_from(&a, v, at);
      starts++;
    } else if (end != 0) {
      learn_anchor(&a, start, end - IWARP_MPA_CRC_LEN);
    }
  }
  for (size_t i = 0; i < a.num; i++) {
    learn_crc(l, v, a.start[i], a.at[i]);
  }
}

/* Four octets that read as the Marker of an FPDU which begins at `lead` stay, wherever they stand.
 */
static void learn_markers_anywhere(learn *l, const learn_view *v, size_t lead) {
  for (size_t at = lead + IWARP_MPA_MARKER_LEN; at + IWARP_MPA_MARKER_LEN <= v->len;
       at += IWARP_MPA_MARKER_LEN) {
    const uint8_t *p = v->octets + at;
    if (p[0] == 0 && p[1] == 0 && learn_be(p + 2, 2) == ((at - lead) & UINT16_MAX)) {
      learn_keep(l, v->dir, v->pos + at, IWARP_MPA_MARKER_LEN);
    }
  }
}

/* Returns true if four octets read as ULPDU_Length and the control octets of today's FPDUs. */
static bool learn_word(const learn_view *v, size_t at) {
  if (at + 4 > v->len) {
    return false;
  }
  const uint8_t *p = v->octets + at;
  const iwarp_rdmap_ctrl ctrl = iwarp_rdmap_ctrl_decode(p[3]);
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(ctrl.opcode);
  return learn_be(p, 2) >= IWARP_DDP_TAGGED_LEN && (p[2] & IWARP_DDP_CTRL_RSVD) == 0 &&
         ctrl.rsv == 0 && (p[2] & IWARP_DDP_CTRL_DV) == IWARP_DDP_VERSION &&
         ctrl.rv == IWARP_RDMAP_VERSION && op->assigned &&
         op->tagged == ((p[2] & IWARP_DDP_CTRL_T) != 0);
}

/* ---- the FPDU before ---- */

static learn_before *learn_before_of(learn *l, const kept_dir *dir, uint64_t end) {
  for (size_t i = 0; i < LEARN_BEFORE; i++) {
    learn_before *b = l->before[i];
    if (b != NULL && b->dir == dir && b->pos + b->len == end) {
      return b;
    }
  }
  return NULL;
}

static void learn_remember(learn *l, const learn_view *v) {
  learn_before **slot = &l->before[l->next_before];
  for (size_t i = 0; i < LEARN_BEFORE; i++) {
    slot = l->before[i] != NULL && l->before[i]->dir == v->dir ? &l->before[i] : slot;
  }
  if (*slot == NULL) {
    *slot = memory_get(sizeof **slot);
    l->kept->failed = l->kept->failed || *slot == NULL;
  }
  if (*slot != NULL && v->len <= sizeof(*slot)->octets) {
    l->next_before = (l->next_before + 1) % LEARN_BEFORE;
    (*slot)->dir = v->dir;
    (*slot)->pos = v->pos;
    (*slot)->len = v->len;
    (*slot)->mark = v->dir->mark;
    memcpy((*slot)->octets, v->octets, v->len);
  }
}

/* ---- events ---- */

/* FPDUs that a wrong PD_Length takes for Private Data. */
static void learn_swallowed(learn *l, const learn_view *v) {
  size_t credit = LEARN_CREDIT * v->len;
  for (size_t at = 0; at + LEARN_HEAD <= v->len; at++) {
    if (!learn_plausible(v, at)) {
      continue;
    }
    size_t start;
    const size_t end = learn_proven(v, at, &start, &credit);
    const size_t plain =
        at + iwarp_mpa_layout_of(0, (uint16_t)learn_be(v->octets + at, 2), false).wire_len;
    const bool untagged = (v->octets[at + 2] & IWARP_DDP_CTRL_T) == 0;
    if (end != 0 || untagged || plain == v->len || (plain < v->len && learn_plausible(v, plain))) {
      learn_keep(l, v->dir, v->pos + start, end != 0 ? at - start : 0);
      learn_keep_head(l, v, at);
    }
    if (end != 0) {
      learn_crc(l, v, start, end - IWARP_MPA_CRC_LEN);
    }
  }
}

static void learn_startup(learn *l, kept_dir *dir, const iwarp_event *ev) {
  const iwarp_event_startup *s = &ev->u.startup;
  const iwarp_span all = s->frame.private_data;
  const size_t ours = all.len - s->ulp_data.len;
  learn_keep(l, dir, ev->pos, IWARP_MPA_STARTUP_LEN);
  if (l->private_data) {
    learn_keep(l, dir, ev->pos + IWARP_MPA_STARTUP_LEN, all.len);
    return;
  }
  learn_keep(l, dir, ev->pos + IWARP_MPA_STARTUP_LEN, ours);
  if (s->err == IWARP_OK) { /* octets by which a diagnosis names the upper layer */
    const bool reject = s->is_reply && (s->frame.flags & IWARP_MPA_FLAG_R) != 0;
    const iwarp_span mark = observe_ulp_mark(s->ulp_data, reject);
    const size_t before = mark.len > 0 ? (size_t)(mark.ptr - s->ulp_data.ptr) : 0;
    learn_keep(l, dir, ev->pos + IWARP_MPA_STARTUP_LEN + ours + before, mark.len);
  }
  const learn_view v = {.dir = dir,
                        .pos = ev->pos + IWARP_MPA_STARTUP_LEN + ours,
                        .octets = s->ulp_data.ptr,
                        .len = s->ulp_data.len};
  if (v.len > 0 && v.len <= IWARP_MPA_PRIVATE_DATA_MAX) {
    learn_swallowed(l, &v);
  }
}

static void learn_fpdu_marks(learn *l, kept_dir *dir, uint64_t wire, const iwarp_mpa_layout *at) {
  const uint32_t lead = at->lead != 0 ? 1 : 0;
  learn_keep(l, dir, wire, at->lead);
  for (uint32_t i = lead; i < at->num_markers; i++) {
    learn_keep(l, dir, wire + at->first_marker + (uint64_t)(i - lead) * IWARP_MPA_MARKER_PERIOD,
               IWARP_MPA_MARKER_LEN);
  }
}

/* The FPDU is whole, and its CRC wrong or not in use. */
static void learn_unconfirmed(learn *l, const learn_view *v, const iwarp_event_fpdu *f) {
  const size_t lead = f->fpdu.layout.lead;
  const size_t crc = f->fpdu.layout.crc_off;
  const bool next = learn_word(v, crc);
  learn_markers_anywhere(l, v, lead);
  if (crc >= 4 && learn_word(v, crc - 4)) {
    learn_keep(l, v->dir, v->pos + crc - 4, 4);
  }
  if (f->crc == IWARP_CRC_BAD || lead != 0) {
    learn_irregular(l, v, 0, 0, lead);
  }
  if (next) {
    learn_keep(l, v->dir, v->pos + crc, IWARP_MPA_CRC_LEN);
  }
}

/* FPDUs in one that no CRC protects: one ends where the next begins, which goes on past the end. */
static void learn_inner(learn *l, const learn_view *v, const iwarp_event_fpdu *f) {
  for (size_t at = LEARN_HEAD; at < v->len; at += IWARP_MPA_MARKER_LEN) {
    const uint64_t off = f->offset - f->fpdu.layout.lead + at;
    const size_t lead = iwarp_mpa_layout_of(off, 0, f->fpdu.markers).lead;
    if (!learn_plausible(v, at + lead)) {
      continue;
    }
    const uint16_t len = (uint16_t)learn_be(v->octets + at + lead, 2);
    const size_t next = at + iwarp_mpa_layout_of(off, len, f->fpdu.markers).wire_len;
    const size_t next_lead = iwarp_mpa_layout_of(off + next - at, 0, f->fpdu.markers).lead;
    if (next < v->len && learn_plausible(v, next + next_lead)) {
      learn_keep_head(l, v, at + lead);
      learn_keep_head(l, v, next + next_lead);
    }
  }
}

static void learn_fpdu(learn *l, kept_dir *dir, const iwarp_event *ev) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  const iwarp_mpa_layout *at = &f->fpdu.layout;
  const uint64_t wire = ev->pos - at->lead;
  uint8_t head[IWARP_RDMAP_HDR_MAX];
  const iwarp_span ulpdu = {head, iwarp_mpa_fpdu_ulpdu_copy(head, sizeof head, &f->fpdu, 0)};
  const size_t length = f->fpdu.ulpdu_length;
  const learn_head h = learn_header(ulpdu, length);
  learn_fpdu_marks(l, dir, wire, at);
  learn_unmarked(l, dir, wire, at, 0, IWARP_MPA_LENGTH_LEN);
  for (size_t i = 0; i < h.num; i++) {
    learn_unmarked(l, dir, wire, at, IWARP_MPA_LENGTH_LEN + h.from[i],
                   IWARP_MPA_LENGTH_LEN + h.to[i]);
  }
  learn_unmarked(l, dir, wire, at, IWARP_MPA_LENGTH_LEN + length,
                 IWARP_MPA_LENGTH_LEN + length + at->pad);
  const learn_view v = {
      .dir = dir, .pos = wire, .octets = f->fpdu.wire.ptr, .len = f->fpdu.wire.len};
  if (!f->complete || v.len > LEARN_WINDOW) {
    return;
  }
  if (f->crc != IWARP_CRC_GOOD) {
    learn_unconfirmed(l, &v, f);
    learn_remember(l, &v);
  }
  if (f->crc == IWARP_CRC_UNCHECKED && f->offset != IWARP_POS_UNKNOWN) {
    learn_inner(l, &v, f);
  }
  learn_crc(l, &v, 0, at->crc_off);
}

/*
 * Octets after a Reject that begin with an FPDU, which its CRC proves. The event has the first ones
 * alone: so all after the headers becomes 0, and the CRC covers zeros.
 */
static void learn_after_reject(learn *l, kept_dir *dir, const observe_conn *conn,
                               const iwarp_event *ev) {
  const learn_view v = {.dir = dir, .pos = ev->pos, .octets = ev->head.ptr, .len = ev->head.len};
  const bool marked =
      conn->info->side[ev->side].markers == IWARP_TRISTATE_ON && !learn_plausible(&v, 0);
  const size_t lead = marked ? IWARP_MPA_MARKER_LEN : 0;
  if (!learn_plausible(&v, lead)) {
    return;
  }
  const iwarp_mpa_layout at =
      iwarp_mpa_layout_of(0, (uint16_t)learn_be(v.octets + lead, 2), marked);
  learn_keep(l, dir, ev->pos, lead);
  learn_keep_head(l, &v, lead);
  kept_add(l->kept, dir, KEPT_SET, ev->pos, at.crc_off, 0);
  for (uint32_t i = marked ? 1 : 0; i < at.num_markers; i++) {
    const uint32_t off = at.first_marker + (i - (marked ? 1u : 0u)) * IWARP_MPA_MARKER_PERIOD;
    const uint32_t back = off - at.lead;
    kept_add(l->kept, dir, KEPT_SET, ev->pos + off, IWARP_MPA_MARKER_LEN,
             (back >> 8 & 0xff) << 16 | (back & 0xff) << 24);
  }
  memset(l->window, 0, at.crc_off);
  memcpy(l->window, v.octets, v.len < at.crc_off ? v.len : at.crc_off);
  kept_scrub(l->map, dir, dir->flow, ev->pos, l->window, at.crc_off, l->changed, false);
  kept_add(l->kept, dir, KEPT_SET, ev->pos + at.crc_off, IWARP_MPA_CRC_LEN,
           iwarp_crc32c(0, l->changed, at.crc_off));
}

/* Octets that form no FPDU: rules read their first ones, together with those before. */
static void learn_run(learn *l, kept_dir *dir, const observe_conn *conn, const iwarp_event *ev) {
  const learn_before *b = learn_before_of(l, dir, ev->pos);
  const size_t before = b != NULL ? b->len : 0;
  const iwarp_span run = ev->unfinished.len > 0 ? ev->unfinished : ev->head;
  const size_t room = LEARN_WINDOW - before;
  const size_t n = run.len < room ? run.len : room;
  const learn_view v = {
      .dir = dir, .pos = ev->pos - before, .octets = l->window, .len = before + n};
  const iwarp_span head = {l->window + before, n};
  if (b != NULL) {
    memcpy(l->window, b->octets, before);
    dir->mark = b->mark;
  }
  if (n > 0) {
    memcpy(l->window + before, run.ptr, n);
  }
  if (iwarp_mpa_key_classify(head) != IWARP_MPA_KEY_UNKNOWN) {
    learn_keep(l, dir, ev->pos, n < IWARP_MPA_STARTUP_LEN ? n : IWARP_MPA_STARTUP_LEN);
    return;
  }
  if (ev->begins_fpdu == IWARP_TRISTATE_ON) {
    learn_after_reject(l, dir, conn, ev);
    return;
  }
  if (n < IWARP_MPA_KEY_LEN) { /* too few for a header: they may be the beginning of one */
    const size_t few = n < 7 ? n : 7;
    learn_keep(l, dir, ev->pos, few);
  }
  learn_irregular(l, &v, before, 0, before);
}

/* Octets by which the protocol of a stream is known that begins with something else than MPA. */
static void learn_like(learn *l, uint64_t flow, uint64_t number, const observe_beginning *b,
                       uint64_t packet) {
  bool mask[OBSERVE_LIKE_MAX];
  if (!observe_like_octets(b->head, mask)) {
    return;
  }
  kept_dir *dir = kept_dir_of(l->kept, flow, number, b->pos, OBSERVE_LIKE_MAX, packet);
  for (size_t i = 0; dir != NULL && i < OBSERVE_LIKE_MAX; i++) {
    learn_keep(l, dir, b->pos + i, mask[i] ? 1 : 0);
  }
}

void learn_event(learn *l, const observe_conn *conn, const iwarp_event *ev) {
  const bool held = ev->kind == IWARP_EVENT_STARTUP || ev->kind == IWARP_EVENT_FPDU ||
                    ev->kind == IWARP_EVENT_UNDECODABLE;
  if (ev->sctp != NULL || !held || conn->ends == NULL) {
    return;
  }
  const ingest_addr *src = &conn->ends[ev->side];
  const ingest_addr *dst = &conn->ends[1 - ev->side];
  const uint64_t flow = mapping_flow(l->map, src, dst, false);
  kept_dir *dir = kept_dir_of(l->kept, flow, conn->number, ev->pos, ev->len, ev->first.packet);
  if (dir == NULL) {
    return;
  }
  dir->mark = dir->num;
  dir->from = ev->first.packet < dir->from ? ev->first.packet : dir->from;
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: learn_startup(l, dir, ev); break;
  case IWARP_EVENT_FPDU: learn_fpdu(l, dir, ev); break;
  case IWARP_EVENT_UNDECODABLE: learn_run(l, dir, conn, ev); break;
  case IWARP_EVENT_GAP:
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_END:
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: break;
  }
}

void learn_closed(learn *l, const observe_conn *conn) {
  for (uint8_t side = 0; side < 2; side++) {
    if (conn->begin[side].head.len > 0) {
      const uint64_t flow = mapping_flow(l->map, &conn->ends[side], &conn->ends[1 - side], false);
      learn_like(l, flow, conn->number, &conn->begin[side], conn->packet);
    }
  }
}

#define LEARN_NO_CONN UINT64_MAX

void learn_transport(learn *l, const observe_transport *what) {
  const ingest_addr *ends = what->streams->ends;
  for (uint8_t side = 0; side < 2; side++) {
    const uint64_t flow = mapping_flow(l->map, &ends[side], &ends[1 - side], false);
    learn_like(l, flow, LEARN_NO_CONN - what->packet, &what->streams->begin[side], what->packet);
  }
}

void learn_free(learn *l) {
  for (size_t i = 0; i < LEARN_BEFORE; i++) {
    free(l->before[i]);
  }
}
