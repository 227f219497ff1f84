/* SPDX-License-Identifier: BSD-2-Clause */
/* Other readings of octets where an FPDU is expected: RFC 5044 4.1 to 4.3. */
#include "framing.h"

#include <iwarp/crc32c.h>
#include <string.h>

#include "evidence.h"

#define FRAMING_LATER_MAX 16u
#define FRAMING_STEP 4u /* an FPDU has a multiple of so many octets */

static uint32_t framing_be16(iwarp_span in, size_t at) {
  return (uint32_t)in.ptr[at] << 8 | in.ptr[at + 1];
}

static uint32_t framing_be32(iwarp_span in, size_t at) {
  return framing_be16(in, at) << 16 | framing_be16(in, at + 2);
}

/* RsvdULP has four more octets before QN in an Untagged header. */
static bool framing_queue(const iwarp_rdmap_op *op, iwarp_span in, size_t at) {
  return op->tagged || framing_be32(in, at + 8) == op->qn;
}

bool rulesi_framing_fpdu(iwarp_span in, size_t at) {
  if (in.len < at + FRAMING_HEAD_LEN) {
    return false;
  }
  const uint32_t length = framing_be16(in, at);
  const uint8_t ddp = in.ptr[at + 2];
  const iwarp_rdmap_ctrl ctrl = iwarp_rdmap_ctrl_decode(in.ptr[at + 3]);
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(ctrl.opcode);
  const uint32_t least = op->tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const bool control = (ddp & IWARP_DDP_CTRL_RSVD) == 0 && ctrl.rsv == 0 &&
                       (ddp & IWARP_DDP_CTRL_DV) == ctrl.rv && ctrl.rv <= IWARP_RDMAP_VERSION;
  return control && op->assigned && op->tagged == ((ddp & IWARP_DDP_CTRL_T) != 0) &&
         length >= least + op->hdr_len && length <= IWARP_MPA_ULPDU_MAX &&
         framing_queue(op, in, at);
}

bool rulesi_framing_word(const uint8_t *word) {
  const uint32_t length = (uint32_t)word[0] << 8 | word[1];
  return length >= IWARP_DDP_TAGGED_LEN && (word[2] | word[3]) != 0;
}

bool rulesi_framing_word_right(iwarp_span octets, size_t off) {
  uint8_t word[IWARP_MPA_MARKER_LEN];
  for (size_t i = 0; i < sizeof(word); i++) {
    word[i] = octets.ptr[off + i];
  }
  const iwarp_rdmap_ctrl ctrl = iwarp_rdmap_ctrl_decode(word[3]);
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(ctrl.opcode);
  return rulesi_framing_word(word) && (word[2] & IWARP_DDP_CTRL_RSVD) == 0 && ctrl.rsv == 0 &&
         (word[2] & IWARP_DDP_CTRL_DV) == IWARP_DDP_VERSION && ctrl.rv == IWARP_RDMAP_VERSION &&
         op->assigned && op->tagged == ((word[2] & IWARP_DDP_CTRL_T) != 0);
}

/* ---- readings ---- */

/* True if the CRC of the FPDU before, which is wrong, becomes right with some of these octets. */
bool rulesi_reads_as_length_too_small(const struct framing_place *p) {
  uint32_t crc = p->before->crc;
  bool found = false;
  for (size_t at = 0; p->before->wrong && !found && at < p->head.len; at++) {
    crc = iwarp_crc32c(crc, p->head.ptr + at, 1); /* bound: at < len */
    found = crc == IWARP_CRC32C_RESIDUE;
  }
  return found;
}

/* Octets that a length field of 16 bits cannot count. */
#define FRAMING_WRAP 65536u

/* The FPDU before has a wrong CRC. It takes all octets up to the next FPDU if it has FRAMING_WRAP
 * octets more than its ULPDU_Length says, and the Markers among these. */
bool rulesi_reads_as_length_wraps(const struct framing_place *p) {
  const uint64_t end = p->off + p->len;
  const uint64_t markers = (end + IWARP_MPA_MARKER_PERIOD - 1) / IWARP_MPA_MARKER_PERIOD -
                           (p->off + IWARP_MPA_MARKER_PERIOD - 1) / IWARP_MPA_MARKER_PERIOD;
  return p->before->wrong &&
         p->len == FRAMING_WRAP + (p->markers ? markers * IWARP_MPA_MARKER_LEN : 0);
}

/* The octets from `by` before the place on. Those of an FPDU with a right CRC are its own. */
static bool framing_before(const struct framing_place *p, size_t by) {
  uint8_t joined[FRAMING_HEAD_LEN];
  const struct rules_framing *b = p->before;
  const size_t own = by < sizeof(joined) ? sizeof(joined) - by : 0;
  if (b->proven || by == 0 || by > b->num_tail || p->head.len < own) {
    return false;
  }
  for (size_t i = 0; i < sizeof(joined); i++) {
    joined[i] = i < by ? b->tail[b->num_tail - by + i] : p->head.ptr[i - by];
  }
  return rulesi_framing_fpdu((iwarp_span){joined, sizeof(joined)}, 0);
}

/* The Marker stands there, among the headers, that points to the first octet. */
static bool framing_marker_stands(const struct framing_place *p, uint64_t at) {
  return framing_be32(p->head, (size_t)at) == at;
}

/* A Marker is expected among the first octets, yet they begin an FPDU without it: a Marker in a
 * header could be read as a part of the header. */
bool rulesi_reads_as_unmarked(const struct framing_place *p) {
  const uint64_t to_next =
      (IWARP_MPA_MARKER_PERIOD - p->off % IWARP_MPA_MARKER_PERIOD) % IWARP_MPA_MARKER_PERIOD;
  return p->markers && to_next < FRAMING_HEAD_LEN && rulesi_framing_fpdu(p->head, 0) &&
         !framing_marker_stands(p, to_next);
}

bool rulesi_reads_as_marker_here(const struct framing_place *p) {
  return !p->markers && rulesi_framing_fpdu(p->head, IWARP_MPA_MARKER_LEN) &&
         framing_be32(p->head, 0) <= UINT16_MAX && framing_be16(p->head, 2) % 4 == 0;
}

bool rulesi_reads_as_no_crc(const struct framing_place *p) {
  return framing_before(p, IWARP_MPA_CRC_LEN);
}

bool rulesi_reads_as_no_pad(const struct framing_place *p) {
  return framing_before(p, p->before->pad);
}

bool rulesi_reads_as_begins_earlier(const struct framing_place *p) {
  bool found = false;
  for (size_t by = 1; !found && by <= p->before->num_tail; by++) {
    found = framing_before(p, by);
  }
  return found;
}

#define FRAMING_EMPTY_LEN (IWARP_MPA_LENGTH_LEN + 2u + IWARP_MPA_CRC_LEN)

/* Four octets of zeros, after which an FPDU begins, read as one of no octets. */
static bool framing_zeros(const struct framing_place *p) {
  return p->head.len == FRAMING_EMPTY_LEN && framing_be32(p->head, 0) == 0 &&
         rulesi_framing_word_right(p->head, FRAMING_EMPTY_LEN - IWARP_MPA_CRC_LEN);
}

/* Octets after which an FPDU begins, other than the expected Marker; 0: no FPDU begins. */
static size_t framing_later_by(const struct framing_place *p) {
  const size_t lead = iwarp_mpa_layout_of(p->off, 0, p->markers).lead;
  size_t at = 1;
  while (at <= FRAMING_LATER_MAX && (at == lead || !rulesi_framing_fpdu(p->head, at))) {
    at++;
  }
  return at <= FRAMING_LATER_MAX ? at : 0;
}

bool rulesi_reads_as_begins_later(const struct framing_place *p) {
  return framing_zeros(p) || framing_later_by(p) != 0;
}

/* True if octets before an FPDU are no part of the one before them: where that ends is certain, or
 * its CRC is wrong with them, too, or no FPDU has so many more. */
static bool framing_apart(const struct framing_place *p) {
  return p->before->proven || p->before->wrong || framing_later_by(p) % FRAMING_STEP != 0;
}

bool rulesi_reads_as_stray_first(const struct framing_place *p) {
  return p->before->first.packet == 0 && rulesi_reads_as_begins_later(p);
}

bool rulesi_reads_as_stray_between(const struct framing_place *p) {
  return rulesi_reads_as_begins_later(p) && framing_apart(p);
}

/* With the octets of ULPDU_Length exchanged the FPDU ends with the run, or another begins there. */
bool rulesi_reads_as_other_order(const struct framing_place *p) {
  uint8_t head[FRAMING_HEAD_LEN];
  if (p->head.len < sizeof(head) || p->markers) {
    return false;
  }
  for (size_t i = 0; i < sizeof(head); i++) {
    head[i] = p->head.ptr[i < 2 ? 1 - i : i];
  }
  const uint16_t length = (uint16_t)(head[0] << 8 | head[1]);
  const uint32_t len = iwarp_mpa_layout_of(0, length, false).wire_len;
  return rulesi_framing_fpdu((iwarp_span){head, sizeof(head)}, 0) &&
         (len == p->len || rulesi_framing_fpdu(p->head, len));
}

/* Markers stand in the FPDU before, which was read without. */
bool rulesi_reads_as_extra_before(const struct framing_place *p) {
  return !p->before->proven && p->before->extra;
}

/* FPDUs begin in the one before, whose ULPDU_Length is too large, and go on past its end. */
bool rulesi_reads_as_held_before(const struct framing_place *p) {
  return !p->before->proven && p->before->holds_fpdus;
}

bool rulesi_reads_as_covers_segments(const struct framing_place *p) {
  return p->fpdu_like > 0;
}

/* ---- what is known of a place ---- */

iwarp_tristate rulesi_framing_begins(const struct framing_place *p) {
  const uint32_t lead = iwarp_mpa_layout_of(p->off, 0, p->markers).lead;
  const uint64_t to_next = IWARP_MPA_MARKER_PERIOD - p->off % IWARP_MPA_MARKER_PERIOD;
  if (p->head.len < lead + FRAMING_HEAD_LEN || (p->markers && to_next < FRAMING_HEAD_LEN)) {
    return IWARP_TRISTATE_UNKNOWN;
  }
  return rulesi_framing_fpdu(p->head, lead) ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
}

uint64_t rulesi_framing_announced(const struct framing_place *p) {
  const uint32_t lead = iwarp_mpa_layout_of(p->off, 0, p->markers).lead;
  if (p->head.len < lead + IWARP_MPA_LENGTH_LEN) {
    return 0;
  }
  const uint16_t length = (uint16_t)framing_be16(p->head, lead);
  return iwarp_mpa_layout_of(p->off, length, p->markers).wire_len;
}

struct framing_place rulesi_framing_place(const struct rules_ctx *ctx, const iwarp_event *ev) {
  const iwarp_observer_side *own = &ctx->info->side[ev->side];
  const uint32_t lead = ev->kind == IWARP_EVENT_FPDU ? ev->u.fpdu.fpdu.layout.lead : 0;
  return (struct framing_place){.head =
                                    ev->kind == IWARP_EVENT_FPDU ? ev->u.fpdu.fpdu.wire : ev->head,
                                .before = &ctx->track->side[ev->side].framing,
                                .markers = own->markers == IWARP_TRISTATE_ON,
                                .off = ev->pos - lead - own->full_pos,
                                .len = ev->len,
                                .fpdu_like = ev->fpdu_like};
}

iwarp_event rulesi_framing_run(const struct rules_framing *framing, uint8_t side) {
  iwarp_event run = {.kind = IWARP_EVENT_UNDECODABLE,
                     .side = side,
                     .pos = framing->run.pos,
                     .len = framing->run.len,
                     .first = framing->run.first,
                     .last = framing->run.last,
                     .head = {framing->head, framing->num_head},
                     .fpdu_like = framing->run.fpdu_like};
  run.u.undecodable = framing->run.reason;
  return run;
}

/* ---- FPDUs inside another one ---- */

/* Octets of the FPDU that begins at `at` of the octets of another one, a Marker before it included;
 * 0: none does, or a Marker lies among its headers. */
static size_t framing_inner(const iwarp_event_fpdu *f, size_t at) {
  const uint64_t off = f->offset - f->fpdu.layout.lead + at;
  const struct framing_place place = {
      .head = {f->fpdu.wire.ptr + at, f->fpdu.wire.len - at}, /* bound: at <= wire.len */
      .markers = f->fpdu.markers,
      .off = off};
  return rulesi_framing_begins(&place) == IWARP_TRISTATE_ON
             ? (size_t)rulesi_framing_announced(&place)
             : 0;
}

bool rulesi_framing_pad_wrong(const iwarp_event_fpdu *f) {
  return (f->fpdu.pad[0] | f->fpdu.pad[1] | f->fpdu.pad[2]) != 0;
}

/*
 * True if FPDUs begin in this one, which no CRC protects: one ends where the next begins, and the
 * next goes on past the end. Looked for if the octets show a fault, or the FPDU has several
 * segments. An FPDU of one segment has the length of the segment.
 */
bool rulesi_framing_holds(const iwarp_event *ev) {
  const iwarp_event_fpdu *f = &ev->u.fpdu;
  const size_t len = f->fpdu.wire.len;
  if (!f->complete || f->crc != IWARP_CRC_UNCHECKED || f->offset == IWARP_POS_UNKNOWN ||
      (ev->first.packet == ev->last.packet && !rulesi_framing_pad_wrong(f))) {
    return false;
  }
  bool found = false;
  for (size_t at = FRAMING_HEAD_LEN; !found && at < len; at += IWARP_MPA_MARKER_LEN) {
    const size_t next = at + framing_inner(f, at);
    found = next < len && next + framing_inner(f, next) > len;
  }
  return found;
}

bool rulesi_framing_ends_in_next(iwarp_span wire, size_t crc_at) {
  return rulesi_framing_word_right(wire, crc_at) ||
         rulesi_framing_word_right(wire, crc_at - IWARP_MPA_CRC_LEN);
}

bool rulesi_framing_takes_next(const iwarp_event_fpdu *f) {
  return f->complete && f->crc == IWARP_CRC_UNCHECKED &&
         rulesi_framing_ends_in_next(f->fpdu.wire, f->fpdu.layout.crc_off);
}

/* ---- FPDUs ---- */

/* True if the FPDU has no control octets, or their two versions do not go together. */
static bool framing_versions_wrong(const iwarp_event_fpdu *f) {
  const size_t head = f->fpdu.layout.lead;
  const uint8_t dv = f->fpdu.wire.ptr[head + 2] & IWARP_DDP_CTRL_DV;
  return f->fpdu.ulpdu_length == 0 || dv > IWARP_DDP_VERSION ||
         dv != iwarp_rdmap_ctrl_decode(f->fpdu.wire.ptr[head + 3]).rv;
}

/* True if the FPDU is right but for one of its versions, of which other rules speak. */
static bool framing_version_alone(const iwarp_event_fpdu *f) {
  const iwarp_rdmap_seg *seg = &f->seg;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  const bool one = (seg->ddp.dv == IWARP_DDP_VERSION) != (seg->ctrl.rv == IWARP_RDMAP_VERSION);
  return seg->has_ddp && one && seg->ddp.rsvd == 0 && seg->ctrl.rsv == 0 && op->assigned &&
         seg->ddp.tagged == op->tagged && (op->tagged || seg->ddp.qn == op->qn);
}

/* True if the octets are there, up to the versions, and none of an FPDU of any version. */
bool rulesi_framing_versionless(const iwarp_event_fpdu *f) {
  return f->fpdu.wire.len >= f->fpdu.layout.lead + IWARP_MPA_LENGTH_LEN + 2u &&
         framing_versions_wrong(f) && !framing_version_alone(f);
}

/* True if no FPDU begins there; where the headers are not there to tell, by the versions alone. */
static bool framing_no_fpdu(const struct framing_place *place, const iwarp_event_fpdu *f) {
  const iwarp_tristate begins = rulesi_framing_begins(place);
  return begins == IWARP_TRISTATE_OFF ||
         (begins == IWARP_TRISTATE_UNKNOWN && rulesi_framing_versionless(f));
}

bool rulesi_framing_unproven(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const struct rules_framing *before = &rules_own(ctx)->framing;
  return before->first.packet != 0 && before->num_tail == 0 && rulesi_framing_versionless(f);
}

/* True if the run may stand where Full Operation begins: after a startup frame, nothing missing. */
static bool framing_first(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  return rules_own(ctx)->startup.sure && own->key != IWARP_MPA_KEY_UNKNOWN && !own->gap;
}

/* A Reply with R agrees on nothing. */
static bool framing_markers_agreed(const struct rules_ctx *ctx) {
  return rulesi_reply(ctx) != NULL && !ctx->info->rejected &&
         ctx->info->side[ctx->ev->side].markers_by == IWARP_KNOWN_BY_STARTUP;
}

/* True if the sender of the run had sent or received a Reply with R, as far as is known: its octets
 * belong to the ULP, which may begin MPA again. */
static bool framing_left(const struct rules_ctx *ctx) {
  return ctx->info->rejected &&
         (ctx->info->side[ctx->ev->side].is_reply ||
          ctx->ev->first.peer_pos >= ctx->info->side[rules_peer(ctx)].startup_end);
}

/* True if a startup key stands where the first FPDU is expected. */
static bool framing_key(const struct framing_place *p) {
  return p->off == 0 && iwarp_mpa_key_classify(p->head) != IWARP_MPA_KEY_UNKNOWN;
}

bool rulesi_framing_key_begun(iwarp_span head) {
  return head.len > 0 && head.len < IWARP_MPA_KEY_LEN &&
         (memcmp(head.ptr, iwarp_mpa_key_octets(IWARP_MPA_KEY_REQUEST), head.len) == 0 ||
          memcmp(head.ptr, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), head.len) == 0);
}

/* True if one may stand there, but the octets end inside it. */
static bool framing_key_begun(const struct framing_place *p) {
  return p->off == 0 && rulesi_framing_key_begun(p->head);
}

/* True if the octets are not even ULPDU_Length and the control octets after it. */
static bool framing_few(const struct framing_place *p) {
  return p->len < iwarp_mpa_layout_of(0, 0, p->markers).lead + IWARP_MPA_LENGTH_LEN + 2u;
}

/* True if the octets may be no FPDU: they are too few to tell, or an Initiator sent them that has
 * no answer. */
static bool framing_undue(const struct rules_ctx *ctx, const struct framing_place *p) {
  return framing_few(p) || (!ctx->info->side[ctx->ev->side].is_reply &&
                            !ctx->info->side[rules_peer(ctx)].has_startup);
}

iwarp_tristate rulesi_framing_surplus(const struct rules_ctx *ctx) {
  const struct rules_framing *framing = &rules_own(ctx)->framing;
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  if (ctx->ev->kind != IWARP_EVENT_END || ctx->ev->u.end != IWARP_END_FIN || framing->reported ||
      rules_own(ctx)->startup.pd_reported || !framing_first(ctx)) {
    return IWARP_TRISTATE_OFF;
  }
  const iwarp_event run = rulesi_framing_run(framing, ctx->ev->side);
  const struct framing_place place = rulesi_framing_place(ctx, &run);
  const bool may = run.u.undecodable == IWARP_UNDEC_UNFINISHED && run.pos == own->startup_end &&
                   !run.last.damaged && framing_undue(ctx, &place) && !framing_key_begun(&place) &&
                   !ctx->info->side[rules_peer(ctx)].gap;
  return may ? rulesi_startup_surplus(ctx, &run) : IWARP_TRISTATE_OFF;
}

/* True if Markers of the FPDU before are wrong, and no FPDU begins here: where that ended is lost.
 */
bool rulesi_framing_after_markers(const struct rules_ctx *ctx) {
  const struct framing_place place = rulesi_framing_place(ctx, ctx->ev);
  return rules_own(ctx)->framing.markers_lost && framing_no_fpdu(&place, &ctx->ev->u.fpdu);
}

bool rulesi_framing_again(const struct rules_ctx *ctx, struct markers_clues *clues) {
  const struct framing_place place = rulesi_framing_place(ctx, ctx->ev);
  (void)clues;
  return framing_first(ctx) && framing_key(&place) && !framing_left(ctx);
}

bool rulesi_framing_again_begun(const struct rules_ctx *ctx, struct markers_clues *clues) {
  const struct framing_place place = rulesi_framing_place(ctx, ctx->ev);
  (void)clues;
  return ctx->ev->u.undecodable == IWARP_UNDEC_NOT_FPDU && framing_first(ctx) &&
         framing_key_begun(&place);
}

bool rulesi_framing_first_unmarked(const struct rules_ctx *ctx, struct markers_clues *clues) {
  const struct framing_place place = rulesi_framing_place(ctx, ctx->ev);
  (void)clues;
  return framing_first(ctx) && framing_markers_agreed(ctx) && place.off == 0 &&
         rulesi_reads_as_unmarked(&place);
}
