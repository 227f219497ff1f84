/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on the chain of FPDUs: FPDUs begin and Markers stand where they are expected, and the last
 * FPDU ends with the stream. RFC 5044 4.1, 4.3. */
#include "catalog.h"
#include "diagnosis.h"
#include "evidence.h"

/* True if it is certain where FPDUs begin. */
static bool framing_certain(const struct rules_ctx *ctx, const iwarp_event *ev) {
  const uint32_t doubt = rulesi_framing_doubt(ctx, ev);
  if (doubt != 0) {
    rulesi_inconclusive(ctx, doubt);
  }
  return doubt == 0;
}

/* The stream offset of the octets; unknown where the beginning of the stream is missing. */
static uint64_t framing_offset(const struct rules_ctx *ctx, const struct framing_place *p) {
  return ctx->info->side[ctx->ev->side].has_startup ? p->off : IWARP_POS_UNKNOWN;
}

/* A finding about the octets, or about ULPDU_Length of the FPDU before them. The frame is the one
 * in which it begins, since what follows may be without end. */
static void framing_at(const struct rules_ctx *ctx, iwarp_finding *f, const struct framing_place *p,
                       bool before) {
  const struct rules_framing *b = p->before;
  f->pos = before ? b->pos : ctx->info->side[f->side].full_pos + p->off;
  f->offset = before ? b->offset : framing_offset(ctx, p);
  f->other_packet = before ? f->first.packet : b->last.packet;
  f->first = before ? b->first : f->first;
  f->last = f->first;
  f->octet_pos = f->pos;
  f->octet_len = before ? IWARP_MPA_LENGTH_LEN : f->observed.num_octets;
}

/* Reported once per direction: later octets cannot be judged, and no octets after Markers that
 * stand elsewhere. */
static void framing_fail(const struct rules_ctx *ctx) {
  const iwarp_event ev = rulesi_framing_judged(ctx);
  const struct framing_place place = rulesi_framing_place(ctx, &ev);
  if (!rules_framing_reported(ctx) && !rules_own(ctx)->chain.markers_reported) {
    const struct rules_fault *fault = rulesi_fault(ctx->facts.framed);
    iwarp_finding *f = rulesi_fail_event(ctx, &ev, rulesi_text(fault->words),
                                         rulesi_octets(place.head.ptr, place.head.len));
    framing_at(ctx, f, &place, fault->blame != BLAME_NOTHING);
  }
}

/* Fails on an FPDU that is right if its ULPDU_Length counts the Markers in it, or is less, or has
 * no PAD. */
static void framing_fail_length(const struct rules_ctx *ctx) {
  const uint16_t len = ctx->ev->u.fpdu.fpdu.ulpdu_length;
  const uint8_t there[IWARP_MPA_LENGTH_LEN] = {(uint8_t)(len >> 8), (uint8_t)len};
  if (!rules_framing_reported(ctx)) {
    iwarp_finding *f = rulesi_fail(ctx, rulesi_text(rulesi_fault(ctx->facts.framed)->words),
                                   rulesi_octets(there, sizeof(there)));
    f->last = f->first;
    rulesi_at_field(f, ctx, IWARP_FIELD_MPA_FPDU_ULPDU_LENGTH);
  }
}

void iwarp_rule_mpa_framing(const struct rules_ctx *ctx) {
  if (ctx->facts.framed_doubt != 0) {
    rulesi_inconclusive(ctx, ctx->facts.framed_doubt);
  } else if (ctx->facts.framed == DIAGNOSIS_RIGHT) {
    rulesi_pass(ctx);
  } else if (ctx->facts.framed >= DIAGNOSIS_LENGTH_TOO_SMALL) {
    framing_fail(ctx);
  } else if (ctx->facts.framed != DIAGNOSIS_NONE) {
    framing_fail_length(ctx);
  }
}

static void framing_fail_end(const struct rules_ctx *ctx, const iwarp_event *run) {
  const struct framing_place place = rulesi_framing_place(ctx, run);
  const uint64_t announced = rulesi_framing_announced(&place);
  const iwarp_value due = announced != 0 ? rulesi_uint(announced) : rulesi_at_least(place.len + 1);
  iwarp_finding *f = rulesi_fail_event(ctx, run, due, rulesi_uint(place.len));
  f->offset = framing_offset(ctx, &place);
  f->last = ctx->ev->last;
  f->octet_pos = run->pos;
  f->octet_len = (uint32_t)run->len;
  f->other_packet = run->last.packet;
}

void iwarp_rule_mpa_stream_end(const struct rules_ctx *ctx) {
  const struct rules_framing *framing = &rules_own(ctx)->framing;
  const iwarp_event run = rulesi_framing_run(framing, ctx->ev->side);
  if (ctx->ev->u.end != IWARP_END_FIN || framing->reported) {
    return;
  }
  if (rulesi_markers_last_points(ctx, &run)) {
    return; /* mpa.marker-pointer */
  }
  if (!rules_is_open(&rules_own(ctx)->docket, QUESTION_RUN) ||
      rulesi_framing_marker_alone(ctx, &run)) {
    if (rules_own(ctx)->first.seen && rules_from_startup(ctx, ctx->ev->side)) {
      rulesi_pass(ctx);
    }
  } else if (rulesi_framing_due(ctx, &run) && !rulesi_markers_ended(ctx) &&
             rulesi_framing_unfinished(ctx, &run) && framing_certain(ctx, &run) &&
             rulesi_may_not_stop(ctx)) {
    framing_fail_end(ctx, &run);
  }
}

/* True if an Initiator is known to have received no Reply with R, after which it may begin again.
 */
static bool framing_unrejected(const struct rules_ctx *ctx) {
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const bool unanswered = peer->start_known && ctx->ev->first.peer_pos <= peer->start;
  return ctx->info->side[ctx->ev->side].is_reply || unanswered ||
         (!peer->gap &&
          (rulesi_reply(ctx) != NULL || (peer->start_known && rulesi_sender_view_complete(ctx))));
}

/* Later octets are not judged: it is open if they were meant for a second startup. */
void iwarp_rule_mpa_startup_again(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_FPDU) {
    if (ctx->facts.first) {
      rulesi_pass(ctx);
    }
    return;
  }
  const bool again = ctx->facts.diagnosis == DIAGNOSIS_STARTUP_AGAIN;
  if (again && !framing_unrejected(ctx)) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else if (again) {
    iwarp_finding *f = rulesi_fail(ctx, rulesi_text("an FPDU"),
                                   rulesi_octets(ctx->ev->head.ptr, IWARP_MPA_KEY_LEN));
    f->last = ctx->ev->head_last;
    f->octet_pos = ctx->ev->pos;
    f->octet_len = IWARP_MPA_KEY_LEN;
    f->other_packet = rules_own(ctx)->startup.packet;
  }
}

/* True if the Markers of a proven FPDU are to be judged: a length out of bounds may not fit
 * FPDUPTR.
 */
static bool framing_markers_judged(const struct rules_ctx *ctx) {
  return rules_settled(ctx, ctx->info->side[ctx->ev->side].markers_by) &&
         ctx->ev->u.fpdu.fpdu.ulpdu_length <= IWARP_MPA_ULPDU_MAX;
}

/* The octets that are expected in the place of the four. */
static iwarp_value framing_marker_due(const iwarp_mpa_marker *due) {
  uint8_t octets[IWARP_MPA_MARKER_LEN];
  size_t len = 0;
  (void)iwarp_mpa_marker_encode(octets, sizeof(octets), &len, due);
  return rulesi_octets(octets, len);
}

static void framing_at_marker(iwarp_finding *f, uint64_t pos, iwarp_meta last) {
  f->last = last;
  f->octet_pos = pos;
  f->octet_len = IWARP_MPA_MARKER_LEN;
}

static void framing_fail_marker_at(const struct rules_ctx *ctx, iwarp_value due, size_t off,
                                   iwarp_meta last) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  uint8_t there[IWARP_MPA_MARKER_LEN];
  for (size_t i = 0; i < sizeof(there); i++) {
    there[i] = f->wire.ptr[off + i];
  }
  framing_at_marker(rulesi_fail(ctx, due, rulesi_octets(there, sizeof(there))),
                    ctx->ev->pos - f->layout.lead + off, last);
}

static void framing_fail_marker(const struct rules_ctx *ctx, const iwarp_mpa_marker *due,
                                size_t off, iwarp_meta last) {
  framing_fail_marker_at(ctx, framing_marker_due(due), off, last);
}

/* Fails on a Marker that is missing from the FPDU in which the stream ends. */
static void framing_end_marker(const struct rules_ctx *ctx) {
  const struct rules_framing *framing = &rules_own(ctx)->framing;
  const struct rules_missing *missing = &framing->missing;
  const iwarp_event run = rulesi_framing_run(framing, ctx->ev->side);
  if (!rulesi_markers_ended(ctx) || !rulesi_framing_due(ctx, &run) || !framing_certain(ctx, &run)) {
    return;
  }
  iwarp_finding *f = rulesi_fail_event(ctx, &run, framing_marker_due(&missing->due),
                                       rulesi_octets(missing->is, sizeof(missing->is)));
  f->offset = run.pos - ctx->info->side[run.side].full_pos;
  framing_at_marker(f, missing->pos, run.first);
}

/* Fails on the last Marker of the stream, since no FPDU follows it. The Marker is certain if the
 * FPDUs before it are. */
static void framing_last_pointer(const struct rules_ctx *ctx) {
  const iwarp_event run = rulesi_framing_run(&rules_own(ctx)->framing, ctx->ev->side);
  if (rules_own(ctx)->chain.markers_reported || !rulesi_markers_last_points(ctx, &run) ||
      !rulesi_framing_due(ctx, &run) || !framing_certain(ctx, &run)) {
    return;
  }
  iwarp_finding *f = rulesi_fail_event(
      ctx, &run, rulesi_uint(0), rulesi_uint((uint64_t)run.head.ptr[2] << 8 | run.head.ptr[3]));
  f->offset = run.pos - ctx->info->side[run.side].full_pos;
  f->other_packet = rules_own(ctx)->framing.last.packet;
  rulesi_at_form(f, run.pos, IWARP_FIELD_MPA_MARKER_FPDUPTR);
}

void iwarp_rule_mpa_marker_pointer(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_END) {
    framing_last_pointer(ctx);
  } else {
    rulesi_markers_pointer(ctx);
  }
}

/* Judged of the first Marker that is missing from the FPDU, once of a direction. Without its
 * Markers it is shorter, so that where it ends is not known. */
void iwarp_rule_mpa_marker_period(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  iwarp_mpa_marker is;
  iwarp_mpa_marker due;
  size_t off = 0;
  if (rules_own(ctx)->chain.markers_reported) {
    return;
  }
  if (ctx->ev->kind == IWARP_EVENT_END) {
    framing_end_marker(ctx);
    return;
  }
  const bool unchecked = f->crc == IWARP_CRC_UNCHECKED && ctx->info->crc == IWARP_TRISTATE_OFF;
  const bool proven = f->complete && rules_markers_sure(ctx) &&
                      (f->crc == IWARP_CRC_GOOD || (unchecked && ctx->facts.depth >= DEPTH_FRAME));
  if (proven) {
    if (!framing_markers_judged(ctx) || ctx->facts.diagnosis != DIAGNOSIS_MARKER_WRONG) {
      rulesi_pass(ctx);
    } else if (ctx->facts.markers_lost || rulesi_need(ctx, DEPTH_FRAME)) {
      (void)iwarp_mpa_fpdu_marker(&is, &due, &off, &f->fpdu, ctx->facts.diagnosis_at);
      framing_fail_marker(ctx, &due, off, unchecked ? ctx->ev->first : ctx->ev->last);
    }
  } else if (ctx->facts.diagnosis == DIAGNOSIS_EXTRA_MARKERS && framing_certain(ctx, ctx->ev)) {
    framing_fail_marker_at(ctx, rulesi_text(rulesi_fault_of(ctx)->words), ctx->facts.diagnosis_at,
                           ctx->ev->first);
  } else if (ctx->facts.diagnosis == DIAGNOSIS_MARKERS_LEFT_OUT && framing_certain(ctx, ctx->ev) &&
             rulesi_markers_missing(&f->fpdu, false, &due, &off)) {
    framing_fail_marker(ctx, &due, off, ctx->ev->first);
  }
}
