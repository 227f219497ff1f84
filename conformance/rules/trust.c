/* SPDX-License-Identifier: BSD-2-Clause */
/* How far the fields of a segment can be trusted, and why not further. */
#include "trust.h"

#include "diagnosis.h"
#include "differ.h"
#include "evidence.h"
#include "markers.h"
#include "pd_overrun.h"
#include "sctp_event.h"
#include "session.h"

/*
 * True if a right CRC proves the FPDU. If a search found the FPDU, and it is unknown if CRCs are in
 * use, one right CRC may belong to an FPDU inside payload: two in a row are required.
 */
static bool trust_crc_proves(struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  if (f->sync != IWARP_SYNC_CRC || rules_settled(ctx, ctx->info->crc_by) ||
      f->good_run > f->fpdu.layout.wire_len) {
    return true;
  }
  ctx->facts.because = rules_reason(IWARP_REASON_CRC_UNKNOWN);
  return false;
}

/*
 * True if Markers of the FPDU, if there are any, stand where they are taken out of it. A startup
 * frame that may be payload says nothing of that, and the CRC covers Markers wherever they stand:
 * what they hold has to fit.
 */
static bool trust_markers_placed(const struct rules_ctx *ctx) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  iwarp_mpa_marker due;
  size_t off;
  if (f->layout.num_markers == 0) {
    return true;
  }
  return rules_markers_sure(ctx) &&
         (rules_own(ctx)->startup.sure || rules_own(ctx)->chain.phase_sure ||
          !rulesi_markers_missing(f, false, &due, &off));
}

/*
 * True if octets of the FPDU that are taken for a Marker are not the one due, in a stream whose
 * Markers may stand elsewhere: octets were missing, or were too many or too few.
 */
static bool trust_markers_lost(struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  iwarp_mpa_marker due;
  size_t off;
  if (!(rulesi_markers_loose(own) || ctx->facts.after_markers) ||
      !rulesi_markers_missing(&ctx->ev->u.fpdu.fpdu, false, &due, &off)) {
    return false;
  }
  ctx->facts.markers_lost = !own->chain.gapped;
  if (own->chain.gapped) {
    ctx->facts.because = rules_reason(own->chain.gap_reason);
  } else if (!rules_startups_sure(ctx)) {
    ctx->facts.because = rules_reason(IWARP_REASON_MID_STREAM);
  } else {
    ctx->facts.because = own->chain.fault;
  }
  return true;
}

/* True if headers of the segment may be others in the copy that its receiver took. */
static bool trust_headers_differ(const struct rules_ctx *ctx) {
  return ctx->ev->last.differ && !rulesi_differ_shallow(ctx->ev);
}

/* The snapshot length cut the FPDU, as it cut others before: the chain of ULPDU_Lengths proves it,
 * and a connection that goes on shows that its CRC was right. */
static bool trust_snapped(const struct rules_ctx *ctx) {
  return !ctx->ev->u.fpdu.complete && rules_own(ctx)->chain.gap_reason == IWARP_REASON_SNAPLEN;
}

/* True if an FPDU without a right CRC is beyond doubt: CRCs are not in use, and an unbroken chain
 * of ULPDU_Lengths leads to it. */
static bool trust_without_crc(struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const iwarp_observer_info *info = ctx->info;
  if (ctx->ev->last.damaged &&
      !ctx->ev->last.differ) { /* the receiver may have taken another copy, which is lost */
    ctx->facts.because = rules_reason(IWARP_REASON_CHECKSUM_WRONG);
    return false;
  }
  if (!rules_settled(ctx, info->crc_by)) {
    ctx->facts.because = rules_reason(IWARP_REASON_CRC_UNKNOWN);
    return false;
  }
  if (!rules_markers_settled(ctx)) {
    ctx->facts.because =
        rules_reason(IWARP_REASON_NO_NEGOTIATION); /* the places of the Markers are not settled */
    return false;
  }
  if (f->crc == IWARP_CRC_BAD || !rulesi_fault_of(ctx)->trusted ||
      rules_own(ctx)->chain.start_unconfirmed) {
    ctx->facts.because = rulesi_fault_because(ctx); /* octets without meaning */
    return false;
  }
  if ((info->crc == IWARP_TRISTATE_ON && !trust_snapped(ctx)) || f->sync != IWARP_SYNC_STARTUP ||
      rulesi_framing_unproven(ctx)) {
    ctx->facts.because = rules_reason(rules_own(ctx)->chain.gap_reason);
    return false;
  }
  return !trust_markers_lost(ctx);
}

/* True if the start and the octets of the FPDU are beyond doubt. Anything less would let a lost
 * packet make a finding. */
static bool trust_framed(struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  if (rules_pd_overrun(rules_own(ctx))) {
    ctx->facts.because = rulesi_pd_overrun_because(ctx);
    return false;
  }
  if (f->sync == IWARP_SYNC_HEURISTIC || f->sync == IWARP_SYNC_NONE) {
    ctx->facts.because = rules_reason(IWARP_REASON_MID_STREAM);
    return false;
  }
  if (!trust_markers_placed(ctx)) {
    ctx->facts.because = rules_reason(
        IWARP_REASON_MID_STREAM); /* the octets taken for a Marker may be a part of a header */
    return false;
  }
  if (trust_headers_differ(ctx)) {
    ctx->facts.because = rules_reason(IWARP_REASON_OCTETS_DIFFER);
    return false;
  }
  const bool payload = ctx->ev->last.differ && f->crc == IWARP_CRC_BAD; /* is why it is wrong */
  if (f->crc == IWARP_CRC_GOOD || payload) {
    return trust_crc_proves(ctx) && !trust_markers_lost(ctx);
  }
  return trust_without_crc(ctx);
}

/* Under MPA Rev 0 both DDP versions 0 and 1 are accepted; under others 1 alone. RFC 5044 C.1 */
static bool trust_dv(struct rules_ctx *ctx) {
  const uint8_t dv = rules_seg(ctx)->ddp.dv;
  if (dv == 0 && !ctx->facts.version_known) {
    ctx->facts.because = rules_reason(IWARP_REASON_NO_NEGOTIATION);
  } else if (dv != 1 && !(dv == 0 && ctx->facts.version_rdmac)) {
    ctx->facts.because = rules_reported(RULES_ddp_version);
  }
  return dv == 1 || (dv == 0 && ctx->facts.version_rdmac);
}

static bool trust_rv(struct rules_ctx *ctx) {
  const uint8_t rv = rules_seg(ctx)->ctrl.rv;
  if (rv == 0 && !ctx->facts.version_known) {
    ctx->facts.because = rules_reason(IWARP_REASON_NO_NEGOTIATION);
  } else if (rv != rulesi_rv_due(ctx)) {
    ctx->facts.because =
        rules_reported(rulesi_dv_changed(ctx) ? RULES_ddp_version_constant : RULES_rdmap_version);
  }
  return rv == rulesi_rv_due(ctx);
}

/* True if T and the Queue Number fit the opcode. */
static bool trust_fits(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const iwarp_rdmap_op *op = ctx->facts.op;
  return seg->ddp.tagged == op->tagged && (seg->ddp.tagged || seg->ddp.qn == op->qn);
}

/* The rule that reports the first Marker of the FPDU, among its headers. One that reads as the
 * right one may still be none. */
static struct rules_because trust_marker_rule(const struct rules_ctx *ctx) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  iwarp_mpa_marker is;
  iwarp_mpa_marker due;
  size_t off;
  if (iwarp_mpa_fpdu_marker(&is, &due, &off, f, f->layout.lead != 0 ? 1u : 0u) != IWARP_OK ||
      (is.reserved == 0 && is.fpduptr == due.fpduptr)) {
    return rules_unreported();
  }
  if (is.reserved != 0) {
    return rules_reported(RULES_mpa_marker_reserved);
  }
  return rules_reported(iwarp_mpa_marker_agrees(&is, &due) ? RULES_mpa_marker_low_bits
                                                           : RULES_mpa_marker_pointer);
}

/* Why a Marker leaves it open what the headers are. */
static struct rules_because trust_uncertain(const struct rules_ctx *ctx) {
  if (rules_own(ctx)->chain.gapped) {
    return rules_reason(rules_own(ctx)->chain.gap_reason);
  }
  if (!rules_markers_settled(ctx)) {
    return rules_reason(IWARP_REASON_NO_NEGOTIATION);
  }
  if (rules_own(ctx)->chain.markers_reported) {
    return rules_own(ctx)->chain.fault;
  }
  return ctx->facts.diagnosis == DIAGNOSIS_MARKER_WRONG ? rules_reported(RULES_mpa_marker_period)
                                                        : trust_marker_rule(ctx);
}

/* The rule that reports a header which is not there, though the FPDU is. */
static struct rules_because trust_no_header(const struct rules_ctx *ctx) {
  if (rules_seg(ctx)->err != IWARP_ERR_DDP_SHORT) {
    return rules_reason(rules_own(ctx)->chain.gap_reason);
  }
  return rules_reported(ctx->ev->u.fpdu.fpdu.ulpdu_length == 0 && !ctx->info->sctp
                            ? RULES_mpa_ulpdu_length_zero
                            : RULES_ddp_header_length);
}

/* The rule that reports an opcode of no message. */
static uint16_t trust_opcode_rule(const struct rules_ctx *ctx) {
  return rules_seg(ctx)->ctrl.opcode == IWARP_RDMAP_OP_EXPERIMENTAL
             ? RULES_rdmap_opcode_experimental
             : RULES_rdmap_opcode;
}

static enum rules_depth trust_depth(struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  if (ctx->facts.other_ppid) {
    ctx->facts.because = rules_reported(RULES_sctp_ppid);
    return DEPTH_NONE;
  }
  if (!trust_framed(ctx)) {
    return DEPTH_NONE;
  }
  if (ctx->info->sctp && rulesi_sctp_ppid_unknown(ctx)) {
    ctx->facts.because = rules_reason(IWARP_REASON_SNAPLEN);
    return DEPTH_NONE;
  }
  if (!seg->has_ddp) {
    ctx->facts.because = trust_no_header(ctx);
    return DEPTH_FRAME;
  }
  if (!trust_dv(ctx)) {
    return DEPTH_FRAME;
  }
  ctx->facts.op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  if (!trust_rv(ctx)) {
    return DEPTH_HEADER;
  }
  if (!ctx->facts.op->assigned) {
    ctx->facts.because = rules_reported(trust_opcode_rule(ctx));
    return DEPTH_HEADER;
  }
  if (ctx->facts.headers_uncertain) {
    ctx->facts.because = trust_uncertain(ctx);
    return DEPTH_HEADER;
  }
  if (!trust_fits(ctx)) {
    ctx->facts.because =
        rules_reported(seg->ddp.tagged != ctx->facts.op->tagged ? RULES_rdmap_tagged_flag
                                                                : RULES_rdmap_queue_number);
    return DEPTH_OPCODE;
  }
  return DEPTH_MESSAGE;
}

/*
 * DDP's sequences hold whatever the opcode is, as long as nothing says that T or the Queue Number
 * are wrong: a version that may be right or wrong lets the opcode say so.
 */
static bool trust_in_sequence(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const bool in_slot = seg->ddp.tagged || seg->ddp.qn < RULES_SLOT_TAGGED;
  return in_slot && (ctx->facts.because.reason == 0 || !ctx->facts.op->assigned || trust_fits(ctx));
}

/* After a Terminate there is nothing to follow any more. */
static bool trust_placed(const struct rules_ctx *ctx) {
  return (!rules_own(ctx)->terminate.seen || rules_terminate_goes_on(ctx)) &&
         !ctx->facts.headers_uncertain &&
         (ctx->facts.depth == DEPTH_MESSAGE ||
          (ctx->facts.depth == DEPTH_HEADER && trust_in_sequence(ctx)));
}

/* Why the segment has no place, although its headers are right. */
static void trust_unplaced(struct rules_ctx *ctx) {
  if (rules_own(ctx)->terminate.seen && !rules_terminate_goes_on(ctx) &&
      ctx->facts.because.reason == 0 && ctx->facts.because.rule == 0) {
    const bool another = rules_opcode(ctx) == IWARP_RDMAP_OP_TERMINATE;
    ctx->facts.because =
        rules_reported(another ? RULES_rdmap_terminate_single : RULES_rdmap_terminate_final);
  }
}

void rulesi_trust(struct rules_ctx *ctx) {
  ctx->facts.depth = trust_depth(ctx);
  ctx->facts.placed = trust_placed(ctx);
  if (!ctx->facts.placed) {
    trust_unplaced(ctx);
  }
}
