/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that their receiver has to refuse, and the requests after them. */
#include "refused.h"

#include <string.h>

#include "diagnosis.h"
#include "evidence.h"
#include "forgotten.h"
#include "markers.h"
#include "requests.h"
#include "state.h"

/*
 * True if it is known where Markers stand. The startup frames tell it, or there are no Markers: a
 * right CRC covers the place of a Marker, or the FPDU before is right, and both lie past the place
 * of a Marker. With Markers it would begin or end elsewhere. There is no Marker in this FPDU
 * either, which would be mpa.marker-unasked.
 */
static bool refused_markers_known(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  const bool none = own->markers == IWARP_TRISTATE_OFF && own->markers_by == IWARP_KNOWN_BY_DATA;
  size_t first = 0;
  return rules_settled(ctx, own->markers_by) ||
         (none && f->sync == IWARP_SYNC_STARTUP && !rulesi_markers_stand(f, &first) &&
          (rules_own(ctx)->chain.unmarked_shown ||
           (rules_own(ctx)->framing.proven && f->offset > IWARP_MPA_MARKER_PERIOD)));
}

bool rulesi_crc_due(const struct rules_ctx *ctx) {
  return !rulesi_crc_explained(ctx) && !rules_pd_overrun(rules_own(ctx));
}

/* A start that a search found not long ago, or that lies after another FPDU with a wrong CRC,
 * may be no start at all: RFC 5044 6. */
bool rulesi_crc_wrong(const struct rules_ctx *ctx, uint32_t *reason) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const struct rules_side *own = rules_own(ctx);
  *reason = own->chain.gap_reason;
  if (ctx->ev->last.damaged) {
    *reason = rulesi_doubt(&ctx->ev->last);
  } else if (!rules_settled(ctx, ctx->info->crc_by)) {
    *reason = IWARP_REASON_CRC_UNKNOWN;
  } else if (f->sync != IWARP_SYNC_HEURISTIC && !refused_markers_known(ctx)) {
    *reason = IWARP_REASON_NO_NEGOTIATION; /* the CRC covers the Markers */
  } else if (f->sync == IWARP_SYNC_HEURISTIC || !rules_markers_sure(ctx)) {
    *reason = IWARP_REASON_MID_STREAM;
  } else {
    return rules_start_sure(ctx) && !own->chain.crc_unconfirmed && !own->chain.start_unconfirmed;
  }
  return false;
}

static enum rules_error refused_header(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const uint8_t opcode = seg->ctrl.opcode;
  if (ctx->facts.depth < DEPTH_HEADER) {
    return rulesi_version_right(ctx, seg->ddp.dv) == IWARP_TRISTATE_OFF ? ERROR_DDP_VERSION
                                                                        : ERROR_NONE;
  }
  if (!seg->ddp.tagged && seg->ddp.qn > IWARP_RDMAP_QN_ATOMIC_RESP && seg->payload_len > 0) {
    return ERROR_QUEUE;
  }
  if (rulesi_version_right(ctx, seg->ctrl.rv) == IWARP_TRISTATE_OFF) {
    return ERROR_VERSION;
  }
  return !iwarp_rdmap_op_get(opcode)->assigned && opcode != IWARP_RDMAP_OP_EXPERIMENTAL &&
                 seg->ctrl.rv == IWARP_RDMAP_VERSION
             ? ERROR_OPCODE
             : ERROR_NONE;
}

static enum rules_error refused_message(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const bool immediate = iwarp_rdmap_op_get(seg->ctrl.opcode)->cls == IWARP_RDMAP_CLASS_IMMEDIATE;
  if (immediate && !ctx->facts.version_rdmac && seg->ddp.last && seg->ddp.mo == 0 &&
      seg->payload_len != IWARP_RDMAP_IMMEDIATE_LEN) {
    return ERROR_LENGTH;
  }
  if (seg->kind == IWARP_RDMAP_KIND_ATOMIC_REQ &&
      seg->u.atomic_req.aopcode > IWARP_RDMAP_AOP_CMP_SWAP) {
    return ERROR_ATOMIC;
  }
  const bool reads = seg->kind == IWARP_RDMAP_KIND_READ_REQ &&
                     rulesi_wraps(seg->u.read_req.source_to, seg->u.read_req.size);
  return reads || (seg->ddp.tagged && rulesi_wraps(seg->ddp.to, seg->payload_len)) ? ERROR_WRAP
                                                                                   : ERROR_NONE;
}

static enum rules_error refused_error(const struct rules_ctx *ctx) {
  uint32_t reason = 0;
  if (ctx->ev->kind == IWARP_EVENT_FPDU && ctx->ev->u.fpdu.crc == IWARP_CRC_BAD) {
    return rulesi_crc_due(ctx) && rulesi_crc_wrong(ctx, &reason) ? ERROR_CRC : ERROR_NONE;
  }
  if (ctx->unconfirmed != 0 || ctx->ev->last.damaged || ctx->facts.headers_uncertain ||
      !rules_start_sure(ctx) || !rules_seg(ctx)->has_ddp || ctx->facts.depth == DEPTH_NONE ||
      rulesi_crc_cut(ctx)) {
    return ERROR_NONE;
  }
  return ctx->facts.depth == DEPTH_MESSAGE ? refused_message(ctx) : refused_header(ctx);
}

/* RDMAP gets a message when its last segment has come, and finds nothing before: RFC 5041 5.3. What
 * DDP checks it finds in any segment. */
static bool refused_parted(enum rules_error error, const iwarp_rdmap_seg *seg) {
  const bool by_rdmap = error == ERROR_WRAP ? !seg->ddp.tagged : error >= ERROR_VERSION;
  return by_rdmap && !seg->ddp.last;
}

/* The request under judgement is the first whole one from the segment on. */
static void refused_ask(struct rules_refused *r, const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  r->atomic = seg->kind == IWARP_RDMAP_KIND_ATOMIC_REQ;
  if (r->atomic) {
    r->asked = true;
    r->name = seg->u.atomic_req.request_id;
  } else if (seg->kind == IWARP_RDMAP_KIND_READ_REQ && seg->u.read_req.size > 0) {
    r->asked = true;
    r->name = seg->u.read_req.sink_stag;
    r->to_low = (uint32_t)seg->u.read_req.sink_to;
  }
}

/* An answer begins, as far as it can be placed. */
static bool refused_answers(const struct rules_ctx *ctx) {
  const int opcode = rules_opcode(ctx);
  return ctx->facts.depth == DEPTH_MESSAGE && !ctx->facts.resumes &&
         (opcode == IWARP_RDMAP_OP_ATOMIC_RESP ||
          (opcode == IWARP_RDMAP_OP_READ_RESP &&
           (ctx->facts.step == STEP_START || ctx->facts.step == STEP_LEARN)));
}

/* True if the segment has the name of the request. */
static bool refused_fits(const struct rules_refused *r, const iwarp_rdmap_seg *seg) {
  return r->atomic
             ? seg->kind == IWARP_RDMAP_KIND_ATOMIC_RESP && seg->u.atomic_resp.request_id == r->name
             : seg->ddp.tagged && seg->payload_len > 0 && seg->ddp.stag == r->name &&
                   (uint32_t)seg->ddp.to == r->to_low;
}

iwarp_tristate rulesi_refused_answered(const struct rules_ctx *ctx) {
  const struct rules_refused *r = &rules_other(ctx)->refused;
  if (!r->asked || r->reported || !refused_answers(ctx) || !refused_fits(r, rules_seg(ctx))) {
    return IWARP_TRISTATE_OFF;
  }
  if (r->open || ctx->facts.step == STEP_LEARN) {
    return IWARP_TRISTATE_UNKNOWN;
  }
  return r->due == 0 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
}

/* The FIN of this side shows that it had the segment, and all that came after it; and until that
 * came nothing kept a FIN back. */
static bool refused_closed(const struct rules_ctx *ctx, const struct rules_refused *r) {
  const struct rules_side *own = rules_own(ctx);
  return !ctx->info->sctp && ctx->ev->u.end == IWARP_END_FIN && r->peer_all_acked &&
         ctx->ev->pos == own->end && ctx->ev->first.peer_pos == rules_other(ctx)->end;
}

bool rulesi_refused_closed(const struct rules_ctx *ctx) {
  const struct rules_refused *r = &rules_other(ctx)->refused;
  const struct rules_side *own = rules_own(ctx);
  const struct rules_side *other = rules_other(ctx);
  const bool up = own->first.seen || ctx->info->side[ctx->ev->side].role == IWARP_ROLE_RESPONDER;
  return r->error != ERROR_NONE && r->error != ERROR_CRC && !r->incomplete &&
         refused_closed(ctx, r) && up && !own->terminate.alike && !own->headers.lost &&
         !other->terminate.alike && !other->headers.lost;
}

/* True if the header belongs to a segment after the one to be refused, and to no segment up to that
 * one. The sender of the Terminate had received it, and so the one to be refused. */
static bool refused_returns_later(const struct rules_ctx *ctx, iwarp_span header) {
  const struct rules_side *other = rules_other(ctx);
  const uint32_t since = (uint16_t)(other->headers.num - other->refused.header);
  const uint64_t full = ctx->info->side[rules_peer(ctx)].full_pos;
  uint64_t units = other->end >> 2;
  bool later = false;
  const uint32_t kept = rules_headers_kept(other);
  for (uint32_t i = 1; i <= kept; i++) {
    const struct rules_header *h =
        &other->headers.entry[(other->headers.num - i) & (other->headers.max - 1u)];
    units -= (uint16_t)(units - h->end);
    if (memcmp(h->octets, header.ptr, header.len) != 0) {
      continue;
    }
    if (i >= since || rulesi_received(ctx) < (units << 2 | (full & 3u))) {
      return false;
    }
    later = true;
  }
  return later;
}

bool rulesi_refused_passed_over(const struct rules_ctx *ctx) {
  const struct rules_side *other = rules_other(ctx);
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const iwarp_span header =
      seg->kind == IWARP_RDMAP_KIND_TERM ? seg->u.term.ddp_header : (iwarp_span){NULL, 0};
  return other->refused.error != ERROR_CRC && !other->refused.incomplete && header.len != 0 &&
         seg->u.term.reserved == 0 && ctx->ev->sctp == NULL &&
         rulesi_received(ctx) != IWARP_POS_UNKNOWN &&
         ctx->info->side[rules_peer(ctx)].full_pos != IWARP_POS_UNKNOWN && !other->headers.lost &&
         !rulesi_forgotten(other, header) && refused_returns_later(ctx, header);
}

static void refused_answer_begins(struct rules_ctx *ctx) {
  struct rules_refused *r = &rules_other_state(ctx)->refused;
  if (rulesi_refused_answered(ctx) == IWARP_TRISTATE_ON) {
    r->reported = true;
  } else if (r->error != ERROR_NONE && refused_answers(ctx) && r->due > 0) {
    r->due--;
  }
}

void rulesi_refused_update(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  struct rules_refused *r = &own->refused;
  const enum rules_error error = refused_error(ctx);
  if (r->error == ERROR_NONE && error != ERROR_NONE) {
    *r = (struct rules_refused){.error = (uint8_t)error,
                                .open = own->requests.lost,
                                .due = (uint16_t)own->requests.num,
                                .incomplete = refused_parted(error, rules_seg(ctx)),
                                .header = (uint16_t)own->headers.num,
                                .packet = ctx->ev->last.packet};
    own->requests.because_refused = own->requests.because;
  }
  rulesi_refused_heard(own, rules_other(ctx), ctx->ev->first.peer_pos);
  const bool whole = ctx->facts.depth == DEPTH_MESSAGE && rulesi_request_whole(ctx);
  if (r->error != ERROR_NONE && !r->asked && (whole || error != ERROR_NONE)) {
    refused_ask(r, ctx);
  }
  refused_answer_begins(ctx);
}
