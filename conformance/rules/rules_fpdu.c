/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on FPDUs: CRC, PAD, ULPDU_Length, Markers: RFC 5044 4. */
#include "catalog.h"
#include "diagnosis.h"
#include "evidence.h"
#include "refused.h"

static uint64_t fpdu_wire_start(const struct rules_ctx *ctx) {
  return ctx->ev->pos - ctx->ev->u.fpdu.fpdu.layout.lead;
}

void rulesi_crc_fails(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  iwarp_finding *x = rulesi_fail(ctx, rulesi_hex(IWARP_VALUE_HEX32, f->crc_computed),
                                 rulesi_hex(IWARP_VALUE_HEX32, f->fpdu.crc));
  rulesi_at_field(x, ctx, IWARP_FIELD_MPA_CRC_CRC);
}

void iwarp_rule_mpa_crc(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  if (ctx->ev->last.differ) {
    rulesi_inconclusive(ctx, IWARP_REASON_OCTETS_DIFFER);
    return;
  }
  if (f->crc == IWARP_CRC_GOOD) {
    rulesi_pass(ctx);
    return;
  }
  if (f->crc == IWARP_CRC_UNCHECKED) {
    if (ctx->info->crc == IWARP_TRISTATE_ON) {
      rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    }
    return;
  }
  if (!rulesi_crc_due(ctx)) {
    return; /* mpa.marker-first, -unasked or -period, mpa.framing or mpa.pd-length-match */
  }
  uint32_t reason = 0;
  if (!rulesi_crc_wrong(ctx, &reason)) {
    rulesi_inconclusive(ctx, reason);
    return;
  }
  rulesi_crc_fails(ctx);
}

void iwarp_rule_mpa_pad_zero(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const uint32_t len = f->fpdu.layout.pad;
  if (len == 0 || !rulesi_need(ctx, DEPTH_FRAME)) {
    return;
  }
  if (!f->pad_present) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    return;
  }
  if (ctx->facts.pad_uncertain) {
    return; /* a rule on Markers reports it, if the places of Markers are known */
  }
  static const uint8_t zero[] = {0, 0, 0};
  uint8_t any = 0;
  for (uint32_t i = 0; i < len; i++) {
    any |= f->fpdu.pad[i];
  }
  rulesi_check_field(ctx, any == 0, IWARP_FIELD_MPA_PAD_PAD, rulesi_octets(zero, len),
                     rulesi_octets(f->fpdu.pad, len));
}

void iwarp_rule_mpa_ulpdu_length_max(const struct rules_ctx *ctx) {
  const uint16_t length = ctx->ev->u.fpdu.fpdu.ulpdu_length;
  if (rulesi_need(ctx, DEPTH_FRAME)) {
    rulesi_check_field(ctx, length <= IWARP_MPA_ULPDU_MAX, IWARP_FIELD_MPA_FPDU_ULPDU_LENGTH,
                       rulesi_at_most(IWARP_MPA_ULPDU_MAX), rulesi_uint(length));
  }
}

/* Two octets of zeros alone may be some of what follows an FPDU that is too short. */
void iwarp_rule_mpa_ulpdu_length_zero(const struct rules_ctx *ctx) {
  const uint16_t length = ctx->ev->u.fpdu.fpdu.ulpdu_length;
  if (!rulesi_need(ctx, DEPTH_FRAME)) {
    return;
  }
  if (length == 0 && !ctx->ev->u.fpdu.crc_present) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
  } else {
    rulesi_check_field(ctx, length != 0, IWARP_FIELD_MPA_FPDU_ULPDU_LENGTH, rulesi_at_least(1),
                       rulesi_uint(length));
  }
}

/* What is read as ULPDU_Length after octets that are no Marker may be longer than the stream. */
static void fpdu_unmarked_run(const struct rules_ctx *ctx) {
  static const uint8_t zero[IWARP_MPA_MARKER_LEN] = {0};
  if (ctx->facts.diagnosis == DIAGNOSIS_FIRST_UNMARKED) {
    iwarp_finding *x = rulesi_fail(ctx, rulesi_octets(zero, sizeof(zero)),
                                   rulesi_octets(ctx->ev->head.ptr, sizeof(zero)));
    x->last = ctx->ev->first;
    x->octet_pos = ctx->ev->pos;
    x->octet_len = sizeof(zero);
  }
}

void iwarp_rule_mpa_marker_first(const struct rules_ctx *ctx) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  static const uint8_t zero[IWARP_MPA_MARKER_LEN] = {0};
  if (ctx->ev->kind == IWARP_EVENT_UNDECODABLE) {
    fpdu_unmarked_run(ctx);
    return;
  }
  if (!ctx->facts.first || f->wire.len < sizeof(zero)) {
    return;
  }
  if (ctx->facts.diagnosis != DIAGNOSIS_NO_MARKER) {
    if (f->markers) {
      rulesi_pass(ctx);
    }
    return;
  }
  iwarp_finding *x =
      rulesi_fail(ctx, rulesi_octets(zero, sizeof(zero)), rulesi_octets(f->wire.ptr, sizeof(zero)));
  x->last = x->first; /* the end of the FPDU is read wrong */
  x->octet_pos = fpdu_wire_start(ctx);
  x->octet_len = sizeof(zero);
}

/* What follows is not where it would be without the Marker. */
static void fpdu_fail_unasked(const struct rules_ctx *ctx) {
  const iwarp_span wire = ctx->ev->u.fpdu.fpdu.wire;
  const size_t at = ctx->facts.diagnosis_at;
  const uint8_t *octets = wire.ptr + at; /* bound: a Marker is there */
  iwarp_finding *x = rulesi_fail(ctx, rulesi_text(rulesi_fault_of(ctx)->words),
                                 rulesi_octets(octets, at == 0 ? wire.len : IWARP_MPA_MARKER_LEN));
  x->octet_pos = fpdu_wire_start(ctx) + at;
  x->octet_len = IWARP_MPA_MARKER_LEN;
}

void iwarp_rule_mpa_marker_unasked(const struct rules_ctx *ctx) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  if (ctx->facts.first && !rules_settled(ctx, ctx->info->side[ctx->ev->side].markers_by)) {
    rulesi_inconclusive(ctx, IWARP_REASON_NO_NEGOTIATION);
  } else if (ctx->facts.diagnosis == DIAGNOSIS_LEADING_MARKER ||
             ctx->facts.diagnosis == DIAGNOSIS_INNER_MARKERS) {
    fpdu_fail_unasked(ctx);
  } else if (ctx->facts.first && !f->markers && f->ulpdu_length != 0) {
    rulesi_pass(ctx);
  }
}

/* A Marker of the FPDU that one of the rules below finds wrong. */
struct fpdu_marker {
  bool wrong;
  iwarp_mpa_marker is;
  iwarp_mpa_marker due;
  size_t off; /* offset in the wire form */
};

enum fpdu_marker_part { MARKER_RESERVED, MARKER_POINTER, MARKER_LOW_BITS };

static bool fpdu_marker_wrong(const struct fpdu_marker *m, enum fpdu_marker_part part) {
  switch (part) {
  case MARKER_RESERVED: return m->is.reserved != 0 && !rulesi_marker_is_none(&m->is, &m->due);
  case MARKER_POINTER:
    return !iwarp_mpa_marker_agrees(&m->is, &m->due) && !rulesi_marker_is_none(&m->is, &m->due);
  case MARKER_LOW_BITS:
    return (m->is.fpduptr & ~IWARP_MPA_FPDUPTR_BITS) != 0 &&
           iwarp_mpa_marker_agrees(&m->is, &m->due);
  }
  return false;
}

/* True if mpa.marker-period, or a rule like it, speaks of the Markers, here or before, or the
 * FPDU's end is wrong. */
static bool fpdu_markers_said(const struct rules_ctx *ctx) {
  return rules_own(ctx)->chain.markers_reported || ctx->facts.diagnosis == DIAGNOSIS_MARKER_WRONG ||
         ctx->facts.diagnosis == DIAGNOSIS_HOLDS_FPDUS;
}

/* The first Marker with this fault. False when the Markers cannot be judged. */
static bool fpdu_markers(const struct rules_ctx *ctx, enum fpdu_marker_part part,
                         struct fpdu_marker *m) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  if (fpdu_markers_said(ctx) || f->fpdu.ulpdu_length > IWARP_MPA_ULPDU_MAX ||
      !rulesi_need(ctx, DEPTH_FRAME)) {
    return false; /* the distance may not fit FPDUPTR where the length is out of bounds */
  }
  if (!rules_settled(ctx, ctx->info->side[ctx->ev->side].markers_by)) {
    rulesi_inconclusive(ctx, IWARP_REASON_NO_NEGOTIATION);
    return false;
  }
  if (!f->complete) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    return false;
  }
  *m = (struct fpdu_marker){0};
  for (size_t i = 0;
       !m->wrong && iwarp_mpa_fpdu_marker(&m->is, &m->due, &m->off, &f->fpdu, i) == IWARP_OK; i++) {
    m->wrong = fpdu_marker_wrong(m, part);
  }
  return true;
}

static void fpdu_settle_marker(const struct rules_ctx *ctx, const struct fpdu_marker *m,
                               iwarp_field_id field, iwarp_value expected, iwarp_value observed) {
  if (!m->wrong) {
    rulesi_pass(ctx);
    return;
  }
  rulesi_at_form(rulesi_fail(ctx, expected, observed), fpdu_wire_start(ctx) + m->off, field);
}

void iwarp_rule_mpa_marker_reserved(const struct rules_ctx *ctx) {
  struct fpdu_marker m;
  if (fpdu_markers(ctx, MARKER_RESERVED, &m)) {
    fpdu_settle_marker(ctx, &m, IWARP_FIELD_MPA_MARKER_RESERVED, rulesi_hex(IWARP_VALUE_HEX16, 0),
                       rulesi_hex(IWARP_VALUE_HEX16, m.is.reserved));
  }
}

void rulesi_markers_pointer(const struct rules_ctx *ctx) {
  struct fpdu_marker m;
  if (fpdu_markers(ctx, MARKER_POINTER, &m)) {
    fpdu_settle_marker(ctx, &m, IWARP_FIELD_MPA_MARKER_FPDUPTR, rulesi_uint(m.due.fpduptr),
                       rulesi_uint(m.is.fpduptr));
  }
}

void iwarp_rule_mpa_marker_low_bits(const struct rules_ctx *ctx) {
  struct fpdu_marker m;
  if (fpdu_markers(ctx, MARKER_LOW_BITS, &m)) {
    fpdu_settle_marker(ctx, &m, IWARP_FIELD_MPA_MARKER_FPDUPTR,
                       rulesi_hex(IWARP_VALUE_HEX16, m.due.fpduptr),
                       rulesi_hex(IWARP_VALUE_HEX16, m.is.fpduptr));
  }
}
