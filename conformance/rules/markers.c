/* SPDX-License-Identifier: BSD-2-Clause */
/* Markers that are missing from an FPDU, and unexpected Markers in one: RFC 5044 4.3. */
#include "markers.h"

#include <iwarp/crc32c.h>

#include "evidence.h"
#include "framing.h"

static uint32_t markers_be16(iwarp_span in, size_t at) {
  return (uint32_t)in.ptr[at] << 8 | in.ptr[at + 1];
}

/* ---- one Marker ---- */

bool rulesi_marker_is_none(const iwarp_mpa_marker *is, const iwarp_mpa_marker *due) {
  return is->reserved != 0 && is->reserved != due->fpduptr && !iwarp_mpa_marker_agrees(is, due);
}

bool rulesi_markers_missing(const iwarp_mpa_fpdu *f, bool proven, iwarp_mpa_marker *due,
                            size_t *off) {
  iwarp_mpa_marker is;
  for (size_t i = 0; iwarp_mpa_fpdu_marker(&is, due, off, f, i) == IWARP_OK; i++) {
    if (proven ? rulesi_marker_is_none(&is, due) : !iwarp_mpa_marker_agrees(&is, due)) {
      return true;
    }
  }
  return false;
}

bool rulesi_markers_loose(const struct rules_side *side) {
  return side->chain.gapped || side->chain.markers_reported || side->framing.reported ||
         side->chain.unframed;
}

/* ---- missing Markers ---- */

/* Octets of `front` octets and an FPDU without Markers after them; 0: no right CRC covers them. */
static size_t markers_crc_covers(iwarp_span wire, uint32_t front) {
  const uint16_t length = (uint16_t)markers_be16(wire, front);
  const size_t len = front + (size_t)iwarp_mpa_layout_of(0, length, false).wire_len;
  return len <= wire.len && iwarp_crc32c(0, wire.ptr, len) == IWARP_CRC32C_RESIDUE ? len : 0;
}

static bool markers_crc_right(iwarp_span wire, uint32_t front) {
  return markers_crc_covers(wire, front) != 0;
}

/* True if the CRC of the FPDU is right when ULPDU_Length counts all octets up to the PAD. Each
 * Marker among these octets has to be the expected one. */
bool rulesi_markers_counted(const struct rules_ctx *ctx, struct markers_clues *clues) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  iwarp_mpa_fpdu read = f->fpdu;
  iwarp_mpa_marker due;
  size_t off;
  (void)clues;
  if (!f->complete || f->fpdu.layout.num_markers == 0) {
    return false;
  }
  read.wire.len = markers_crc_covers(f->fpdu.wire, f->fpdu.layout.lead);
  return read.wire.len != 0 && !rulesi_markers_missing(&read, false, &due, &off);
}

/* True if where the FPDU begins, or the octets do that may be one, follows from right ones, as far
 * as Markers are known. */
static bool markers_start_follows(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  return !own->chain.start_unconfirmed && !own->chain.crc_unconfirmed && own->startup.sure &&
         !ctx->ev->last.damaged;
}

static bool markers_start_right(const struct rules_ctx *ctx) {
  return markers_start_follows(ctx) &&
         rules_settled(ctx, ctx->info->side[ctx->ev->side].markers_by);
}

#define MARKERS_PAD_MAX 16u /* octets before the end where one without PAD is tried to end */

/* Octets by which the ULPDU_Length of the FPDU, whose CRC is wrong, is too large: a right one ends
 * before; 0: none does. An FPDU ends after a multiple of four octets, unless it has no PAD. */
static uint32_t markers_excess(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const size_t len = f->fpdu.wire.len;
  if (!f->complete || f->crc != IWARP_CRC_BAD || f->sync != IWARP_SYNC_STARTUP ||
      !markers_start_follows(ctx) || !rules_settled(ctx, ctx->info->crc_by)) {
    return 0;
  }
  size_t at = f->fpdu.layout.lead + iwarp_mpa_layout_of(0, 0, false).wire_len;
  uint32_t crc = iwarp_crc32c(0, f->fpdu.wire.ptr, at < len ? at : len);
  while (at < len && crc != IWARP_CRC32C_RESIDUE) {
    const size_t step = len - at > MARKERS_PAD_MAX ? IWARP_MPA_MARKER_LEN : 1u;
    crc = iwarp_crc32c(crc, f->fpdu.wire.ptr + at, step); /* bound: at + step <= len */
    at += step;
  }
  return (uint32_t)(len - at);
}

/* True if `excess` is the size of some Markers of the FPDU, and four octets are not the expected
 * Marker. A right CRC ends `excess` octets before the FPDU does. */
static bool markers_lacking(const struct rules_ctx *ctx, uint32_t excess) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  iwarp_mpa_marker due;
  size_t off;
  return excess != 0 && excess % IWARP_MPA_MARKER_LEN == 0 &&
         excess <= f->layout.num_markers * IWARP_MPA_MARKER_LEN && markers_start_right(ctx) &&
         rulesi_markers_missing(f, false, &due, &off);
}

/* True if the FPDU has no Markers: its CRC is right without them, or an FPDU begins in the place of
 * its first Marker. */
static bool markers_unmarked(const iwarp_event_fpdu *f) {
  const uint32_t lead = f->fpdu.layout.lead;
  return markers_crc_right(f->fpdu.wire, 0) ||
         (lead != 0 &&
          (markers_crc_right(f->fpdu.wire, lead) || rulesi_framing_fpdu(f->fpdu.wire, 0)));
}

/*
 * The first FPDU needs a leading Marker, yet an FPDU begins with the very first octets, and no CRC
 * contradicts that: RFC 5044 4.3. Other rules report a Marker with wrong fields. If octets of the
 * Private Data are missing, the octets after PD_Length may not be the first ones. An FPDU that was
 * found there without a leading Marker was read without it.
 */
bool rulesi_markers_no_marker(const struct rules_ctx *ctx, struct markers_clues *clues) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  (void)clues;
  if (!ctx->facts.first || rules_own(ctx)->startup.event.u.startup.err != IWARP_OK ||
      own->markers != IWARP_TRISTATE_ON || !rules_settled(ctx, own->markers_by)) {
    return false;
  }
  return f->fpdu.layout.lead == 0
             ? f->offset == 0 && f->crc != IWARP_CRC_BAD
             : f->crc != IWARP_CRC_GOOD && rulesi_framing_word(f->fpdu.wire.ptr);
}

/* True if the octets have the headers of an FPDU, be there a Marker among them or not. */
static bool markers_begins(const iwarp_mpa_fpdu *f) {
  uint8_t head[FRAMING_HEAD_LEN] = {(uint8_t)(f->ulpdu_length >> 8), (uint8_t)f->ulpdu_length};
  const size_t len =
      IWARP_MPA_LENGTH_LEN + iwarp_mpa_fpdu_ulpdu_copy(&head[IWARP_MPA_LENGTH_LEN],
                                                       sizeof(head) - IWARP_MPA_LENGTH_LEN, f, 0);
  return rulesi_framing_fpdu((iwarp_span){head, len}, 0) ||
         rulesi_framing_fpdu(f->wire, f->layout.lead);
}

/* True if the next FPDU begins so many Markers before the end of this FPDU, which is whole and
 * holds a Marker. */
static bool markers_next_at(const iwarp_mpa_fpdu *f, uint32_t markers) {
  const size_t back = (size_t)markers * IWARP_MPA_MARKER_LEN;
  return rulesi_framing_word_right(f->wire, f->wire.len - back) &&
         (back < FRAMING_HEAD_LEN || rulesi_framing_fpdu(f->wire, f->wire.len - back));
}

/* True if a Marker is not the expected one. The next FPDU begins where it would if one Marker, or
 * all Markers, were left out. */
static bool markers_left_out(const iwarp_mpa_fpdu *f) {
  iwarp_mpa_marker due;
  size_t off;
  const uint32_t inner = f->layout.num_markers - (f->layout.lead != 0 ? 1u : 0u);
  return inner != 0 && rulesi_markers_missing(f, false, &due, &off) &&
         (markers_next_at(f, 1) || markers_next_at(f, inner));
}

static bool markers_of_fpdu(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  iwarp_mpa_marker due;
  size_t off;
  if (!f->complete || f->fpdu.layout.num_markers == 0) {
    return false;
  }
  /* Without a CRC, only the octets in its place show that a leading Marker is missing. */
  if (f->crc == IWARP_CRC_UNCHECKED) {
    const bool unled = f->fpdu.layout.lead != 0 && rulesi_framing_fpdu(f->fpdu.wire, 0);
    return ctx->info->crc == IWARP_TRISTATE_OFF && f->sync == IWARP_SYNC_STARTUP &&
           markers_start_right(ctx) && (unled || markers_left_out(&f->fpdu));
  }
  return markers_unmarked(f) ||
         (f->sync == IWARP_SYNC_STARTUP && markers_start_right(ctx) &&
          rulesi_markers_missing(&f->fpdu, true, &due, &off) && markers_begins(&f->fpdu));
}

/* Markers may be the octets by which ULPDU_Length is too large. */
bool rulesi_markers_left_out(const struct rules_ctx *ctx, struct markers_clues *clues) {
  if (markers_of_fpdu(ctx)) {
    return true;
  }
  clues->excess = markers_excess(ctx);
  return markers_lacking(ctx, clues->excess);
}

bool rulesi_markers_pad_left_out(const struct rules_ctx *ctx, struct markers_clues *clues) {
  return clues->excess != 0 && clues->excess == ctx->ev->u.fpdu.fpdu.layout.pad;
}

bool rulesi_markers_excess(const struct rules_ctx *ctx, struct markers_clues *clues) {
  (void)ctx;
  return clues->excess != 0;
}

/* True if the octets, all that comes of an FPDU, are as many as it has without some Markers. */
static bool markers_fit(const iwarp_mpa_fpdu *f) {
  const uint32_t inner = f->layout.num_markers - (f->layout.lead != 0 ? 1u : 0u);
  const size_t lacking = f->layout.wire_len - f->wire.len;
  return lacking % IWARP_MPA_MARKER_LEN == 0 && lacking <= (size_t)inner * IWARP_MPA_MARKER_LEN;
}

/* True if MSN and MO of a header are the expected ones of its queue. */
static bool markers_in_turn(const struct rules_ctx *ctx, const iwarp_ddp_hdr *ddp) {
  if (ddp->tagged || ddp->qn >= RULES_SLOT_TAGGED) {
    return false;
  }
  const struct rules_slot *s = &rules_own(ctx)->messages.slots[ddp->qn];
  switch (s->state) {
  case SLOT_UNKNOWN: break;
  case SLOT_FRESH: return ddp->msn == 1 && ddp->mo == 0;
  case SLOT_CLOSED: return ddp->msn == s->msn + 1u && ddp->mo == 0;
  case SLOT_OPEN: return ddp->msn == s->msn && ddp->mo == s->next;
  }
  return false;
}

/* ---- one that stands elsewhere ---- */

#define MARKERS_HALF (IWARP_MPA_MARKER_PERIOD / 2u)
#define MARKERS_NEAR 16u     /* octets from the expected place */
#define MARKERS_HEAD_LEN 20u /* ULPDU_Length and the longer DDP header */

/* The octets of the FPDU from ULPDU_Length on, but for the four at `at`. */
static iwarp_span markers_head(uint8_t head[MARKERS_HEAD_LEN], const iwarp_mpa_fpdu *f, size_t at) {
  size_t num = 0;
  for (size_t i = f->layout.lead; i < f->wire.len && num < MARKERS_HEAD_LEN; i++) {
    if (i < at || i >= at + IWARP_MPA_MARKER_LEN) {
      head[num++] = f->wire.ptr[i];
    }
  }
  return (iwarp_span){head, num};
}

static const iwarp_rdmap_op *markers_op(const iwarp_mpa_fpdu *f) {
  const uint8_t ctrl = f->wire.ptr[f->layout.lead + IWARP_MPA_LENGTH_LEN + 1u]; /* bound: an FPDU */
  return iwarp_rdmap_op_get(iwarp_rdmap_ctrl_decode(ctrl).opcode);
}

/* Octets of ULPDU_Length and the DDP header. */
static size_t markers_head_len(const iwarp_rdmap_op *op) {
  return IWARP_MPA_LENGTH_LEN + (op->tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN);
}

/* True if the octets are the headers of a segment that continues the segment before it, with the
 * expected value in each field. */
static bool markers_fits(const struct rules_ctx *ctx, iwarp_span head, const iwarp_rdmap_op *op) {
  const struct rules_slot *s = &rules_own(ctx)->messages.slots[RULES_SLOT_TAGGED];
  iwarp_ddp_hdr ddp;
  if (!rulesi_framing_fpdu(head, 0)) {
    return false;
  }
  const iwarp_span ulpdu = {head.ptr + IWARP_MPA_LENGTH_LEN, /* bound: it has room for headers */
                            head.len - IWARP_MPA_LENGTH_LEN};
  (void)iwarp_ddp_hdr_peek(&ddp, ulpdu);
  if (ddp.tagged) {
    return s->state == SLOT_OPEN && !s->next_unknown && ddp.stag == s->stag && ddp.to == s->next;
  }
  return markers_in_turn(ctx, &ddp) && (ddp.rsvdulp_word == 0 || op->invalidates);
}

/* True if the four octets read as the Marker that would be right there, or at the place due. */
static bool markers_reads(const iwarp_mpa_fpdu *f, size_t at, const iwarp_mpa_marker *due) {
  const uint32_t pointer = markers_be16(f->wire, at + 2);
  return markers_be16(f->wire, at) == 0 &&
         (pointer == at - f->layout.lead || pointer == due->fpduptr);
}

/* True if four octets before `end`, other than the octets at `off`, may be the Marker. */
static bool markers_before(const iwarp_mpa_fpdu *f, size_t end, size_t off,
                           const iwarp_mpa_marker *due) {
  bool found = false;
  for (size_t at = f->layout.lead + IWARP_MPA_MARKER_LEN;
       !found && at + IWARP_MPA_MARKER_LEN <= end && at + IWARP_MPA_MARKER_LEN <= f->wire.len;
       at += IWARP_MPA_MARKER_LEN) {
    found = at != off && markers_reads(f, at, due);
  }
  return found;
}

/* True if four octets of the headers, as they are read, may be. */
static bool markers_among_headers(const iwarp_mpa_fpdu *f, size_t len, size_t off,
                                  const iwarp_mpa_marker *due) {
  const size_t end = f->layout.lead + len;
  return markers_before(f, end + (off < end ? IWARP_MPA_MARKER_LEN : 0), off, due);
}

/* True if an unexpected Marker stands in the FPDU, after a rule has reported one. */
bool rulesi_markers_elsewhere(const struct rules_ctx *ctx, struct markers_clues *clues) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const iwarp_mpa_marker none = {.fpduptr = UINT16_MAX}; /* points nowhere, expected nowhere */
  (void)clues;
  return rules_own(ctx)->chain.markers_reported && f->fpdu.markers &&
         markers_before(&f->fpdu, f->fpdu.wire.len, f->fpdu.layout.first_marker, &none);
}

/*
 * True if the headers are read right, although the four octets at `off` are not the expected
 * Marker. A right CRC does not show it, since it covers the Marker in any place. The headers are
 * the expected ones, or `off` is after them and no other octets look like the Marker.
 */
static bool markers_header_sure(const struct rules_ctx *ctx, size_t off,
                                const iwarp_mpa_marker *due) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  const iwarp_rdmap_op *op = markers_op(f);
  const size_t len = markers_head_len(op);
  uint8_t head[MARKERS_HEAD_LEN];
  if (op->hdr_len != 0) {
    return false; /* the header of RDMAP goes on to the end */
  }
  const bool fits = markers_fits(ctx, markers_head(head, f, off), op);
  return (fits && !op->invalidates) ||
         ((fits || off >= f->layout.lead + len) && !markers_among_headers(f, len, off, due));
}

/* True if the FPDU is right with the Marker at `at`, and wrong with the Marker at `off`, the
 * expected place. Nothing after the headers shows it. */
static bool markers_moved_to(const struct rules_ctx *ctx, size_t off, size_t at) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  const iwarp_rdmap_op *op = markers_op(f);
  const size_t end = f->layout.lead + markers_head_len(op);
  uint8_t is[MARKERS_HEAD_LEN];
  uint8_t meant[MARKERS_HEAD_LEN];
  const iwarp_span as_meant = markers_head(meant, f, at);
  if (off >= end && at >= end) {
    return true;
  }
  return !markers_fits(ctx, markers_head(is, f, off), op) &&
         (op->tagged ? rulesi_framing_fpdu(as_meant, 0) : markers_fits(ctx, as_meant, op));
}

/* True if a Marker stands near the four octets that are not the one due there. */
static bool markers_moved(const struct rules_ctx *ctx, size_t off, const iwarp_mpa_marker *due) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  const size_t least = f->layout.lead + IWARP_MPA_MARKER_LEN;
  bool found = false;
  for (size_t at = off > least + MARKERS_NEAR ? off - MARKERS_NEAR : least;
       !found && at <= off + MARKERS_NEAR && at + IWARP_MPA_MARKER_LEN <= f->layout.crc_off &&
       at + IWARP_MPA_MARKER_LEN <= f->wire.len;
       at += IWARP_MPA_MARKER_LEN) {
    found = at != off && markers_reads(f, at, due) && markers_moved_to(ctx, off, at);
  }
  return found;
}

/* True if the Markers of the FPDU are to be judged, its CRC being right or not in use. */
static bool markers_judged(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  return f->complete && f->crc != IWARP_CRC_BAD &&
         rules_settled(ctx, ctx->info->side[ctx->ev->side].markers_by);
}

/* True if the PAD may be other octets: the Marker stands near it, or it reads as one. */
static bool markers_pad_uncertain(const iwarp_mpa_fpdu *f, size_t off,
                                  const iwarp_mpa_marker *due) {
  return off + IWARP_MPA_MARKER_LEN + MARKERS_NEAR >= f->layout.crc_off ||
         markers_reads(f, f->layout.crc_off - IWARP_MPA_MARKER_LEN, due);
}

/*
 * True if the headers are not the expected ones, although the Marker among them reads as the right
 * one, as an MSN may. With a Marker in another place they are the expected ones. Where Markers may
 * stand elsewhere, it is enough that another place reads as a Marker.
 */
static bool markers_alike(const struct rules_ctx *ctx, size_t off, const iwarp_mpa_marker *due) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  const iwarp_rdmap_op *op = markers_op(f);
  uint8_t head[MARKERS_HEAD_LEN];
  if (off >= f->layout.lead + MARKERS_HEAD_LEN ||
      markers_fits(ctx, markers_head(head, f, off), op)) {
    return false;
  }
  return rulesi_markers_loose(rules_own(ctx)) ? markers_among_headers(f, MARKERS_HEAD_LEN, off, due)
                                              : !op->tagged && markers_moved(ctx, off, due);
}

/* What is not sure of an FPDU in which four octets are not the Marker due there. */
static void markers_uncertain(struct rules_ctx *ctx, size_t off, const iwarp_mpa_marker *due) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  ctx->facts.headers_uncertain =
      ctx->facts.headers_uncertain ||
      (off == f->fpdu.layout.first_marker && !markers_header_sure(ctx, off, due));
  ctx->facts.pad_uncertain =
      ctx->facts.pad_uncertain || (f->complete && markers_pad_uncertain(&f->fpdu, off, due));
}

/* The Markers inside the FPDU. A length out of bounds may not fit FPDUPTR. */
static void markers_inside(struct rules_ctx *ctx, struct markers_clues *clues) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  iwarp_mpa_marker is;
  iwarp_mpa_marker due;
  size_t off;
  bool wrong = false;
  if (f->ulpdu_length > IWARP_MPA_ULPDU_MAX) {
    return;
  }
  for (size_t i = f->layout.lead != 0 ? 1u : 0u;
       iwarp_mpa_fpdu_marker(&is, &due, &off, f, i) == IWARP_OK; i++) {
    if (is.reserved != 0 || is.fpduptr != due.fpduptr) {
      markers_uncertain(ctx, off, &due);
      clues->wrong = clues->wrong || (markers_judged(ctx) && markers_moved(ctx, off, &due));
      clues->wrong_at = wrong ? clues->wrong_at : i;
      wrong = true;
    } else if (off == f->layout.first_marker) {
      ctx->facts.headers_uncertain = markers_alike(ctx, off, &due);
    }
  }
}

void rulesi_markers_trust(struct rules_ctx *ctx, struct markers_clues *clues) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  iwarp_mpa_marker is;
  iwarp_mpa_marker due;
  size_t off;
  markers_inside(ctx, clues);
  for (size_t i = 0; markers_judged(ctx) && !clues->wrong &&
                     iwarp_mpa_fpdu_marker(&is, &due, &off, f, i) == IWARP_OK;
       i++) {
    clues->wrong = rulesi_marker_is_none(&is, &due);
    clues->wrong_at = i;
  }
}

bool rulesi_markers_wrong(const struct rules_ctx *ctx, struct markers_clues *clues) {
  (void)ctx;
  clues->at = clues->wrong_at;
  return clues->wrong;
}

/* ---- more Markers than expected ---- */

/* Counts Markers halfway between the expected ones, from the first such place on, that point to the
 * beginning of the FPDU. */
static uint32_t markers_halfway(const iwarp_mpa_fpdu *f, size_t first) {
  uint32_t num = 0;
  for (size_t at = first; at + IWARP_MPA_MARKER_LEN <= f->wire.len; at += IWARP_MPA_MARKER_PERIOD) {
    if (markers_be16(f->wire, at) != 0 || markers_be16(f->wire, at + 2) != at - f->layout.lead) {
      return num;
    }
    num++;
  }
  return num;
}

/*
 * True if such Markers stand in the FPDU: the period is of 256 octets, or a shorter one that goes
 * into it. They push the octets after them back, so that the CRC is wrong. The CRC field itself may
 * be read from a Marker. Without CRCs, payload may read as one Marker, but not as two.
 */
bool rulesi_markers_extra(const struct rules_ctx *ctx, struct markers_clues *clues) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const bool unchecked = f->crc == IWARP_CRC_UNCHECKED && ctx->info->crc == IWARP_TRISTATE_OFF;
  if (!f->complete || (f->crc != IWARP_CRC_BAD && !unchecked) || !f->fpdu.markers ||
      f->sync != IWARP_SYNC_STARTUP || !markers_start_right(ctx)) {
    return false;
  }
  const uint32_t lead = f->fpdu.layout.lead;
  const uint64_t half = f->offset - lead + MARKERS_HALF; /* half a period before the place */
  clues->at = (size_t)(IWARP_MPA_MARKER_PERIOD - half % IWARP_MPA_MARKER_PERIOD);
  const uint32_t least = unchecked && !rulesi_framing_pad_wrong(f) ? 2u : 1u;
  return markers_halfway(&f->fpdu, clues->at) >= least;
}

/* ---- the last FPDU ---- */

struct rules_missing rulesi_markers_of_run(const struct rules_ctx *ctx) {
  struct rules_missing missing = {.proof = MISSING_NOT};
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  const uint64_t off = ctx->ev->pos - own->full_pos;
  const uint32_t lead = iwarp_mpa_layout_of(off, 0, true).lead;
  iwarp_mpa_fpdu f = {.wire = ctx->ev->unfinished};
  if (own->markers != IWARP_TRISTATE_ON || f.wire.len < lead + IWARP_MPA_LENGTH_LEN ||
      !markers_start_right(ctx)) {
    return missing;
  }
  f.ulpdu_length = (uint16_t)markers_be16(f.wire, lead);
  f.layout = iwarp_mpa_layout_of(off, f.ulpdu_length, true);
  if (!markers_begins(&f)) {
    return missing;
  }
  size_t at = 0;
  if (rulesi_markers_missing(&f, true, &missing.due, &at)) {
    missing.proof = MISSING_CERTAIN;
  } else if (rulesi_markers_missing(&f, false, &missing.due, &at)) {
    const bool right = ctx->info->crc == IWARP_TRISTATE_ON && markers_crc_right(f.wire, lead);
    missing.proof = right ? MISSING_CERTAIN : markers_fit(&f) ? MISSING_BY_LENGTH : MISSING_NOT;
  }
  missing.pos = ctx->ev->pos + at;
  for (size_t i = 0; i < sizeof(missing.is) && missing.proof != MISSING_NOT; i++) {
    missing.is[i] = f.wire.ptr[at + i];
  }
  return missing;
}

bool rulesi_markers_ended(const struct rules_ctx *ctx) {
  const struct rules_framing *framing = &rules_own(ctx)->framing;
  return ctx->ev->kind == IWARP_EVENT_END && rules_is_open(&rules_own(ctx)->docket, QUESTION_RUN) &&
         !framing->reported &&
         (framing->missing.proof == MISSING_CERTAIN ||
          (framing->missing.proof == MISSING_BY_LENGTH && ctx->ev->u.end == IWARP_END_FIN));
}

bool rulesi_markers_last_points(const struct rules_ctx *ctx, const iwarp_event *run) {
  const struct rules_framing *framing = &rules_own(ctx)->framing;
  const struct framing_place place = rulesi_framing_place(ctx, run);
  const bool ended = ctx->ev->kind == IWARP_EVENT_END && ctx->ev->u.end == IWARP_END_FIN;
  return ended && rules_is_open(&rules_own(ctx)->docket, QUESTION_RUN) && !framing->reported &&
         framing->proven && place.markers && place.off != 0 &&
         place.off % IWARP_MPA_MARKER_PERIOD == 0 && place.len == IWARP_MPA_MARKER_LEN &&
         place.head.len == IWARP_MPA_MARKER_LEN && markers_be16(place.head, 0) == 0 &&
         markers_be16(place.head, 2) != 0;
}

/* ---- unexpected Markers ---- */

/* True if a Marker would stand before the FPDU: before the first one, or where that has right ones
 * before it. */
static bool markers_may_lead(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  return ctx->facts.first || (f->sync == IWARP_SYNC_STARTUP && markers_start_right(ctx) &&
                              f->offset % IWARP_MPA_MARKER_PERIOD == 0);
}

/*
 * The octets are a Marker, and none is expected. Read as an FPDU they are empty, PAD included, and
 * an FPDU of the right versions begins in the place of its CRC.
 */
bool rulesi_markers_leading(const struct rules_ctx *ctx, struct markers_clues *clues) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  clues->at = 0;
  if (!markers_may_lead(ctx) || f->fpdu.markers ||
      !rules_settled(ctx, ctx->info->side[ctx->ev->side].markers_by) || !f->complete ||
      ctx->ev->last.damaged || f->fpdu.ulpdu_length != 0 || f->fpdu.pad[0] != 0 ||
      f->fpdu.pad[1] != 0) {
    return false;
  }
  return rulesi_framing_word_right(f->fpdu.wire, IWARP_MPA_MARKER_LEN);
}

bool rulesi_markers_stand_in(iwarp_span wire, uint64_t offset, size_t *first) {
  *first = (size_t)(IWARP_MPA_MARKER_PERIOD - offset % IWARP_MPA_MARKER_PERIOD);
  bool stand = *first + IWARP_MPA_MARKER_LEN <= wire.len;
  for (size_t at = *first; stand && at + IWARP_MPA_MARKER_LEN <= wire.len;
       at += IWARP_MPA_MARKER_PERIOD) {
    stand = markers_be16(wire, at) == 0 && markers_be16(wire, at + 2) == at;
  }
  return stand;
}

bool rulesi_markers_stand(const iwarp_event_fpdu *f, size_t *first) {
  return f->offset != IWARP_POS_UNKNOWN && f->complete && !f->fpdu.markers &&
         rulesi_markers_stand_in(f->fpdu.wire, f->offset, first);
}

/* True if Markers are known to stand in the FPDU, and none are expected. */
static bool markers_not_due(const struct rules_ctx *ctx, size_t *first) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  return f->sync == IWARP_SYNC_STARTUP && markers_start_right(ctx) &&
         rulesi_markers_stand(f, first);
}

/* True if the header of the FPDU, which is whole, is out of turn as it stands, and in turn without
 * the Marker in it. */
static bool markers_in_header(const struct rules_ctx *ctx, size_t first) {
  const iwarp_span wire = ctx->ev->u.fpdu.fpdu.wire;
  const iwarp_ddp_hdr *is = &ctx->ev->u.fpdu.seg.ddp;
  uint8_t head[IWARP_MPA_LENGTH_LEN + IWARP_DDP_UNTAGGED_LEN];
  iwarp_ddp_hdr meant;
  if (!ctx->ev->u.fpdu.seg.has_ddp || is->tagged || markers_in_turn(ctx, is)) {
    return false;
  }
  for (size_t i = 0; i < sizeof(head); i++) {
    head[i] = wire.ptr[i < first ? i : i + IWARP_MPA_MARKER_LEN];
  }
  const iwarp_span ulpdu = {&head[IWARP_MPA_LENGTH_LEN], IWARP_DDP_UNTAGGED_LEN};
  return rulesi_framing_fpdu((iwarp_span){head, sizeof(head)}, 0) &&
         iwarp_ddp_hdr_peek(&meant, ulpdu) == IWARP_DDP_UNTAGGED_LEN &&
         markers_in_turn(ctx, &meant);
}

/* Unexpected Markers push the octets after them back, so that the CRC is wrong. Without CRCs the
 * PAD or the header is wrong. */
bool rulesi_markers_inner(const struct rules_ctx *ctx, struct markers_clues *clues) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  return markers_not_due(ctx, &clues->at) &&
         (f->crc == IWARP_CRC_BAD ||
          (ctx->info->crc == IWARP_TRISTATE_OFF &&
           (rulesi_framing_pad_wrong(f) || markers_in_header(ctx, clues->at))));
}

/* ---- later octets ---- */

bool rulesi_markers_stand_unasked(const struct rules_ctx *ctx) {
  size_t off;
  return !rules_pd_overrun(rules_own(ctx)) && markers_not_due(ctx, &off);
}

bool rulesi_markers_lost(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  iwarp_mpa_marker due;
  size_t off;
  return f->complete && f->crc == IWARP_CRC_UNCHECKED && f->fpdu.markers &&
         ctx->facts.diagnosis != DIAGNOSIS_HOLDS_FPDUS &&
         rulesi_markers_missing(&f->fpdu, false, &due, &off);
}
