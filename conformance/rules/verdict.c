/* SPDX-License-Identifier: BSD-2-Clause */
/* Verdicts, values, and the place of the octets. */
#include "verdict.h"

#include <iwarp/pdu.h>
#include <string.h>

#include "memory.h"
#include "reason.h"
#include "sctp_event.h"

iwarp_value rulesi_octets(const uint8_t *octets, size_t len) {
  iwarp_value v = {.kind = IWARP_VALUE_OCTETS};
  v.num_octets = (uint8_t)(len < sizeof(v.octets) ? len : sizeof(v.octets));
  if (v.num_octets > 0) {
    memcpy(v.octets, octets, v.num_octets);
  }
  return v;
}

void rulesi_inconclusive(const struct rules_ctx *ctx, uint32_t reason) {
  iwarp_rule_result *r = &ctx->results[ctx->rule];
  if (reason == 0) {
    rulesi_unjudged(ctx, (struct rules_because){0});
    return;
  }
  rulesi_count_inconclusive(r, rulesi_reason(ctx, reason));
}

void rulesi_unjudged(const struct rules_ctx *ctx, struct rules_because why) {
  if (why.reason != 0) {
    rulesi_inconclusive(ctx, why.reason);
  } else if (why.rule != UINT16_MAX) {
    rulesi_note(ctx->findings->explained, why.rule);
  }
}

iwarp_finding *rulesi_room(struct rules_findings *all) {
  iwarp_finding *entry =
      rulesi_grow(all->pool, all->entry, &all->cap, all->num, RULES_FOUND, sizeof(*entry));
  if (entry == NULL) {
    all->lost = true;
    return &all->spare;
  }
  all->entry = entry;
  all->num++;
  return &entry[all->num - 1];
}

void rulesi_describe(iwarp_finding *f, const struct rules_ctx *ctx, const iwarp_event *ev,
                     iwarp_value expected, iwarp_value observed) {
  memset(f, 0, sizeof(*f));
  f->rule = ctx->rule;
  f->side = ev->side;
  f->role = ctx->info->side[ev->side].role;
  f->pos = ev->pos;
  f->offset = ev->kind == IWARP_EVENT_FPDU ? ev->u.fpdu.offset : IWARP_POS_UNKNOWN;
  f->octet_pos = IWARP_POS_UNKNOWN;
  f->first = ev->first;
  f->last = ev->last;
  f->expected = expected;
  f->observed = observed;
}

static iwarp_finding *verdict_fail(const struct rules_ctx *ctx, const iwarp_event *ev,
                                   iwarp_value expected, iwarp_value observed) {
  iwarp_finding *f = rulesi_room(ctx->findings);
  ctx->results[ctx->rule].num_fail++;
  rulesi_describe(f, ctx, ev, expected, observed);
  return f;
}

iwarp_finding *rulesi_fail_event(const struct rules_ctx *ctx, const iwarp_event *ev,
                                 iwarp_value expected, iwarp_value observed) {
  if (ctx->unconfirmed != 0) {
    rulesi_inconclusive(ctx, ctx->unconfirmed);
    return &ctx->findings->spare;
  }
  return verdict_fail(ctx, ev, expected, observed);
}

iwarp_finding *rulesi_fail_kept(const struct rules_ctx *ctx, iwarp_value expected,
                                iwarp_value observed) {
  return verdict_fail(ctx, ctx->ev, expected, observed);
}

iwarp_finding *rulesi_fail(const struct rules_ctx *ctx, iwarp_value expected,
                           iwarp_value observed) {
  return rulesi_fail_event(ctx, ctx->ev, expected, observed);
}

/* ---- places ---- */

static void verdict_walk(iwarp_pdu_iter *it, const struct rules_ctx *ctx) {
  const iwarp_event *ev = ctx->ev;
  const iwarp_ev_sctp_message *message = rulesi_sctp_message(ctx);
  if (ev->kind == IWARP_EVENT_STARTUP) {
    iwarp_pdu_decoded_startup(it, &ev->u.startup.frame);
  } else if (ev->kind == IWARP_EVENT_FPDU) {
    iwarp_pdu_decoded_fpdu(it, &ev->u.fpdu.fpdu);
  } else if (message->has_control) {
    iwarp_pdu_sctp_control(it, message->user_data);
  } else {
    iwarp_pdu_sctp_segment(it, message->user_data, message->captured->length);
  }
}

/* Position of the first octet of the item, a leading Marker included. */
static uint64_t verdict_start(const iwarp_event *ev) {
  return ev->kind == IWARP_EVENT_FPDU ? ev->pos - ev->u.fpdu.fpdu.layout.lead : ev->pos;
}

/* Octets of the item, Markers not counted, that begin `off` octets after its first. */
static void verdict_octets(iwarp_finding *f, const iwarp_event *ev, const iwarp_pdu_iter *it,
                           size_t off, size_t len) {
  f->octet_pos = verdict_start(ev) + iwarp_pdu_wire_offset(it, off);
  f->octet_len = (uint32_t)len;
}

static void verdict_range(iwarp_finding *f, const iwarp_event *ev, const iwarp_pdu_iter *it,
                          iwarp_field_id first, iwarp_field_id last, bool returned) {
  iwarp_pdu_place from;
  iwarp_pdu_place to;
  if (iwarp_pdu_locate(&from, it, (uint16_t)first, returned) == IWARP_OK &&
      iwarp_pdu_locate(&to, it, (uint16_t)last, returned) == IWARP_OK) {
    verdict_octets(f, ev, it, from.pdu_off, to.pdu_off + to.len - from.pdu_off);
  }
}

void rulesi_at_fields(iwarp_finding *f, const struct rules_ctx *ctx, iwarp_field_id wrong,
                      iwarp_field_id first, iwarp_field_id last) {
  iwarp_pdu_iter it;
  iwarp_pdu_place place;
  verdict_walk(&it, ctx);
  if (iwarp_pdu_locate(&place, &it, (uint16_t)wrong, false) == IWARP_OK) {
    f->field = place.field->id;
    first = last = wrong;
  }
  verdict_range(f, ctx->ev, &it, first, last, false);
}

void rulesi_at_field(iwarp_finding *f, const struct rules_ctx *ctx, iwarp_field_id field) {
  rulesi_at_fields(f, ctx, field, field, field);
}

void rulesi_at_returned(iwarp_finding *f, const struct rules_ctx *ctx, iwarp_field_id first,
                        iwarp_field_id last) {
  iwarp_pdu_iter it;
  verdict_walk(&it, ctx);
  verdict_range(f, ctx->ev, &it, first, last, true);
}

void rulesi_at_form(iwarp_finding *f, uint64_t pos, iwarp_field_id field) {
  const iwarp_field *row = iwarp_field_get((uint16_t)field);
  f->field = row->id;
  f->octet_pos = pos + row->octet_off;
  f->octet_len = row->num_octets;
}

/* ULPDU_Length or the DDP-SSN stands before the segment, each of two octets. */
static void verdict_segment(iwarp_finding *f, const struct rules_ctx *ctx, size_t off, size_t len) {
  iwarp_pdu_iter it;
  verdict_walk(&it, ctx);
  verdict_octets(f, ctx->ev, &it, IWARP_MPA_LENGTH_LEN + off, len);
}

void rulesi_at_header(iwarp_finding *f, const struct rules_ctx *ctx) {
  verdict_segment(f, ctx, 0, rules_hdr_len(rules_seg(ctx)));
}

void rulesi_at_kept_header(iwarp_finding *f, const iwarp_event *kept) {
  f->octet_pos = kept->pos + IWARP_SCTP_SEGMENT_LEN;
  f->octet_len = rules_hdr_len(&kept->u.fpdu.seg);
}

void rulesi_at_payload(iwarp_finding *f, const struct rules_ctx *ctx) {
  verdict_segment(f, ctx, rules_hdr_len(rules_seg(ctx)), rules_seg(ctx)->payload_len);
}

void rulesi_at_segment(iwarp_finding *f, const struct rules_ctx *ctx) {
  verdict_segment(f, ctx, 0, ctx->ev->u.fpdu.fpdu.ulpdu_length);
}
