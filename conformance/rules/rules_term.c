/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on the Terminate: its form, its finality, and what it returns: RFC 5040 4.8, 5.4. */
#include <string.h>

#include "catalog.h"
#include "evidence.h"
#include "forgotten.h"
#include "requests.h"

static bool term_is(const struct rules_ctx *ctx, enum rules_depth depth) {
  return rules_opcode(ctx) == IWARP_RDMAP_OP_TERMINATE && rulesi_need(ctx, depth);
}

/* The Terminate Header, or NULL; says so when only the octets lack. */
static const iwarp_rdmap_term *term_header(const struct rules_ctx *ctx) {
  if (!term_is(ctx, DEPTH_MESSAGE)) {
    return NULL;
  }
  if (rules_seg(ctx)->kind == IWARP_RDMAP_KIND_TERM) {
    return &rules_seg(ctx)->u.term;
  }
  if (rules_seg(ctx)->err == IWARP_OK && rules_seg(ctx)->ddp.mo == 0) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
  }
  return NULL;
}

/* A first segment may be shorter only when another follows. */
void iwarp_rule_rdmap_terminate_length(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const uint32_t least = 4;
  if (term_is(ctx, DEPTH_MESSAGE) && seg->ddp.mo == 0 && seg->ddp.last) {
    rulesi_check_payload(ctx, seg->payload_len >= least, rulesi_at_least(least),
                         rulesi_uint(seg->payload_len));
  }
}

/* The first field of a triple that is not assigned with those before it. */
static iwarp_field_id term_unassigned(const iwarp_rdmap_term *t) {
  if (!iwarp_name_known(iwarp_rdmap_term_layer_name(t->layer))) {
    return IWARP_FIELD_RDMAP_TERM_LAYER;
  }
  return iwarp_name_known(iwarp_rdmap_term_etype_name(t->layer, t->etype))
             ? IWARP_FIELD_RDMAP_TERM_CODE
             : IWARP_FIELD_RDMAP_TERM_ETYPE;
}

static bool term_assigned(const iwarp_rdmap_term *t) {
  return iwarp_name_known(iwarp_rdmap_term_code_name(t->layer, t->etype, t->code));
}

/* The codes of MPA are for TCP; over SCTP only the codes of an enhanced startup are possible. RFC
 * 5043 has no codes, RFC 6581 8 */
static bool term_of_other_llp(const struct rules_ctx *ctx, const iwarp_rdmap_term *t) {
  return ctx->info->sctp && t->layer == 2 && t->etype == 0 && t->code < 5;
}

void iwarp_rule_rdmap_terminate_code(const struct rules_ctx *ctx) {
  const iwarp_rdmap_term *t = term_header(ctx);
  if (t != NULL) {
    const bool assigned = term_assigned(t);
    rulesi_check_fields(ctx, assigned && !term_of_other_llp(ctx, t),
                        assigned ? IWARP_FIELD_RDMAP_TERM_CODE : term_unassigned(t),
                        IWARP_FIELD_RDMAP_TERM_LAYER, IWARP_FIELD_RDMAP_TERM_CODE,
                        rulesi_text("an assigned one"),
                        rulesi_hex(IWARP_VALUE_HEX16, rulesi_term_error(t)));
  }
}

void iwarp_rule_rdmap_terminate_reserved(const struct rules_ctx *ctx) {
  const iwarp_rdmap_term *t = term_header(ctx);
  if (t != NULL) {
    rulesi_check_field(ctx, t->reserved == 0, IWARP_FIELD_RDMAP_TERM_RESERVED,
                       rulesi_hex(IWARP_VALUE_HEX16, 0),
                       rulesi_hex(IWARP_VALUE_HEX16, t->reserved));
  }
}

/* Octets that M, D and R announce; a DDP header of which nothing is there counts as the short one.
 */
static uint32_t term_announced(const iwarp_rdmap_term *t) {
  uint32_t len = 4;
  if (t->m || t->d) {
    len += 2;
  }
  if (t->d) {
    const bool untagged = t->ddp_header.len == IWARP_DDP_UNTAGGED_LEN ||
                          (t->rest.len > 0 && (t->rest.ptr[0] & IWARP_DDP_CTRL_T) == 0);
    len += untagged ? IWARP_DDP_UNTAGGED_LEN : IWARP_DDP_TAGGED_LEN;
  }
  return t->r && t->d ? len + IWARP_RDMAP_READ_REQ_LEN : len;
}

/* Octets of the Terminate that are there. */
static uint64_t term_available(const iwarp_rdmap_term *t) {
  return 4u + (t->has_ddp_segment_length ? 2u : 0u) + t->ddp_header.len + t->rdma_header.len +
         t->rest.len;
}

/* Headers of a fixed size are accepted, with zeros for the ones that are not announced: RFC 5040
 * 7.1. */
static bool term_rest_zero(const iwarp_rdmap_term *t) {
  uint8_t any = 0;
  for (size_t i = 0; i < t->rest.len; i++) {
    any |= t->rest.ptr[i];
  }
  return any == 0;
}

/* With reserved bits set the flags themselves may be misplaced: surplus octets are no second
 * fault then. */
void iwarp_rule_rdmap_terminate_headers(const struct rules_ctx *ctx) {
  const iwarp_rdmap_term *t = term_header(ctx);
  const uint64_t len = rules_seg(ctx)->payload_len;
  if (t == NULL || (t->r && !t->d)) {
    return; /* rdmap.terminate-rdma-header */
  }
  if (t->tail_err != IWARP_OK && !rules_seg(ctx)->ddp.last) {
    return; /* the headers go on in the next segment */
  }
  if (t->tail_err == IWARP_OK && term_available(t) < len) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    return;
  }
  const bool surplus = t->tail_err == IWARP_OK && !term_rest_zero(t);
  if (surplus && t->reserved != 0) {
    return;
  }
  rulesi_check_fields(ctx, t->tail_err == IWARP_OK && !surplus, IWARP_FIELD_NONE,
                      IWARP_FIELD_RDMAP_TERM_M, IWARP_FIELD_RDMAP_TERM_R,
                      rulesi_uint(term_announced(t)), rulesi_uint(len));
}

/* The opcode of the DDP header that the Terminate returns, or -1. */
static int term_returned_opcode(const iwarp_rdmap_term *t) {
  return t->ddp_header.len != 0 ? (int)(t->ddp_header.ptr[1] & IWARP_RDMAP_CTRL_OPCODE) : -1;
}

void iwarp_rule_rdmap_terminate_rdma_header(const struct rules_ctx *ctx) {
  const iwarp_rdmap_term *t = term_header(ctx);
  if (t == NULL || !t->r) {
    return;
  }
  const iwarp_value due = rulesi_text("the header of an RDMA Read Request");
  if (!t->d) {
    rulesi_check_field(ctx, false, IWARP_FIELD_RDMAP_TERM_R, due, rulesi_text("no DDP header"));
    return;
  }
  const int opcode = term_returned_opcode(t);
  if (opcode < 0) {
    return; /* cut: rdmap.terminate-headers */
  }
  rulesi_check_field(ctx, opcode == IWARP_RDMAP_OP_READ_REQ, IWARP_FIELD_RDMAP_TERM_R, due,
                     rulesi_text(iwarp_rdmap_op_get((uint8_t)opcode)->label));
}

/* What RFC 5040 figure 10 says of M, D and R: 0 clear, 1 set, 2 either. */
struct term_figure {
  uint8_t m;
  uint8_t d;
  uint8_t r;
  const char *text;
};

static struct term_figure term_figure_of_layer(const iwarp_rdmap_term *t) {
  const int returned = term_returned_opcode(t);
  if (t->layer == 0 &&
      t->etype == 1) { /* "if possible"; without a Read Request there is no RDMA header to return */
    return returned == IWARP_RDMAP_OP_READ_REQ ? (struct term_figure){2, 2, 1, "M, D and R"}
                                               : (struct term_figure){2, 2, 2, "M and D"};
  }
  if (t->layer == 0 && t->etype == 2) { /* R: 7.1 case 3 has it for an error on a Read Request */
    return (struct term_figure){2, 2, (uint8_t)(returned == IWARP_RDMAP_OP_READ_REQ ? 2 : 0),
                                "M and D, not R"};
  }
  if (t->layer == 1 && (t->etype == 1 || t->etype == 2)) {
    return (struct term_figure){1, 1, (uint8_t)(returned == IWARP_RDMAP_OP_READ_REQ ? 2 : 0),
                                "M and D, not R"};
  }
  if (t->layer == 1) { /* DDP's Local Catastrophic, and what the LLP borrows, may or may not come of
                          a segment */
    return (struct term_figure){2, 2, 0, "not R"};
  }
  return (struct term_figure){0, 0, 0, "none"};
}

/* The figure has DDP Segment Length and DDP Header in one: where the one is possible, so is the
 * other. */
static struct term_figure term_figure_of(const iwarp_rdmap_term *t) {
  struct term_figure due = term_figure_of_layer(t);
  due.m = due.m == 2 && t->layer == 0 && t->d ? 1 : due.m;
  return due;
}

static bool term_fits(uint8_t due, bool is) {
  return due == 2 || (due == 1) == is;
}

/* The flag that does not fit, if it is the only one. */
static iwarp_field_id term_flag_wrong(const struct term_figure *due, const iwarp_rdmap_term *t) {
  const bool m = !term_fits(due->m, t->m);
  const bool d = !term_fits(due->d, t->d);
  const bool r = !term_fits(due->r, t->r);
  if (m + d + r != 1) {
    return IWARP_FIELD_NONE;
  }
  if (m) {
    return IWARP_FIELD_RDMAP_TERM_M;
  }
  return d ? IWARP_FIELD_RDMAP_TERM_D : IWARP_FIELD_RDMAP_TERM_R;
}

/* Not judged if the code is unassigned, or reserved bits show that the flags may be misplaced. */
void iwarp_rule_rdmap_terminate_flags(const struct rules_ctx *ctx) {
  static const char *const set[] = {"none", "R",       "D",       "D and R",
                                    "M",    "M and R", "M and D", "M, D and R"};
  const iwarp_rdmap_term *t = term_header(ctx);
  if (t == NULL || t->reserved != 0 || (t->r && !t->d) || t->tail_err != IWARP_OK ||
      !term_assigned(t)) {
    return;
  }
  if (t->r && term_returned_opcode(t) != IWARP_RDMAP_OP_READ_REQ) {
    return; /* rdmap.terminate-rdma-header */
  }
  const struct term_figure due = term_figure_of(t);
  const bool version =
      t->layer == 1 && ((t->etype == 1 && t->code == 4) || (t->etype == 2 && t->code == 6));
  const bool bare = version && !t->m &&
                    !t->d; /* a header of another version cannot be distinguished from its octets */
  const bool ok =
      bare || (term_fits(due.m, t->m) && term_fits(due.d, t->d) && term_fits(due.r, t->r));
  rulesi_check_fields(ctx, ok, term_flag_wrong(&due, t), IWARP_FIELD_RDMAP_TERM_M,
                      IWARP_FIELD_RDMAP_TERM_R, rulesi_text(due.text),
                      rulesi_text(set[(t->m ? 4 : 0) + (t->d ? 2 : 0) + (t->r ? 1 : 0)]));
}

static bool term_same(const struct rules_header *h, iwarp_span header) {
  const bool tagged = (h->octets[0] & IWARP_DDP_CTRL_T) != 0;
  return header.len == (tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN) &&
         memcmp(h->octets, header.ptr, header.len) == 0;
}

/* The segment with this header that is to be reported; of several one whose length is `length`. */
static const struct rules_header *term_seen(const struct rules_side *other, iwarp_span header,
                                            uint16_t length) {
  const uint32_t kept = rules_headers_kept(other);
  const struct rules_header *seen = NULL;
  for (uint32_t i = 0; i < kept; i++) {
    const struct rules_header *h = &other->headers.entry[i];
    if (term_same(h, header) && (seen == NULL || h->ulpdu_length == length)) {
      seen = h;
    }
  }
  return seen;
}

/* All segments that the sender of the Terminate had received and that may have this header must
 * have been seen and be kept; else says so. Octets before any startup frame may be FPDUs, where a
 * frame of the other side was taken for a Reply. */
static bool term_saw_all(const struct rules_ctx *ctx, iwarp_span header) {
  const struct rules_side *other = rules_other(ctx);
  if (other->headers.lost) {
    rulesi_unjudged(ctx, other->headers.because);
  } else if (!ctx->info->sctp && !ctx->info->side[rules_peer(ctx)].has_startup &&
             !other->chain.presumed) {
    rulesi_inconclusive(ctx, IWARP_REASON_MID_STREAM);
  } else if (!rulesi_sender_view_complete(ctx)) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else if (rulesi_forgotten(other, header)) {
    rulesi_inconclusive(ctx, IWARP_REASON_LIMIT);
  } else {
    return true;
  }
  return false;
}

/* The header that the Terminate returned, of which its end decides; or nothing. */
static iwarp_span term_kept_header(const struct rules_ctx *ctx) {
  const struct rules_late *late = &rules_own(ctx)->late;
  const bool kept = rules_answers(ctx, ctx->ev->side, QUESTION_TERMINATE_RETURNS);
  return kept ? (iwarp_span){late->returned, late->returned_len} : (iwarp_span){NULL, 0};
}

/* True at the end if all segments of the other side are known; else says why not. */
static bool term_knows_all(const struct rules_ctx *ctx, iwarp_span header) {
  if (!rulesi_session_known(ctx)) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return false;
  }
  return term_saw_all(ctx, header);
}

/* Fails on the kept Terminate: octets from `off` on after its own header. */
static iwarp_finding *term_fail_kept(const struct rules_ctx *ctx, uint32_t off, uint32_t len,
                                     iwarp_value expected, iwarp_value observed) {
  const iwarp_event ev = rulesi_kept_event(&rules_own(ctx)->late.terminate, ctx->ev->side);
  iwarp_finding *f = rulesi_fail_event(ctx, &ev, expected, observed);
  f->octet_pos = ev.pos + IWARP_SCTP_SEGMENT_LEN + IWARP_DDP_UNTAGGED_LEN + off;
  f->octet_len = len;
  return f;
}

#define TERM_LENGTH_OFF 4u /* offset of DDP Segment Length in a Terminate */
#define TERM_HEADER_OFF 6u /* offset of the DDP header after DDP Segment Length */

static void term_length_end(const struct rules_ctx *ctx) {
  const uint16_t is = rules_own(ctx)->late.returned_length;
  const iwarp_span header = term_kept_header(ctx);
  const struct rules_header *seen =
      header.len != 0 ? term_seen(rules_other(ctx), header, is) : NULL;
  if (seen == NULL) {
    return; /* rdmap.terminate-ddp-header */
  }
  if (seen->ulpdu_length == is) {
    rulesi_pass(ctx);
  } else if (term_knows_all(ctx, header)) {
    iwarp_finding *f =
        term_fail_kept(ctx, TERM_LENGTH_OFF, 2, rulesi_uint(seen->ulpdu_length), rulesi_uint(is));
    f->field = IWARP_FIELD_RDMAP_TERM_LENGTH_DDP_SEGMENT_LENGTH;
  }
}

/* Why no segment with the header was seen. */
static struct rules_because term_unseen(const struct rules_ctx *ctx, iwarp_span header) {
  const struct rules_side *other = rules_other(ctx);
  if (rulesi_forgotten(other, header)) {
    return rules_reason(IWARP_REASON_LIMIT);
  }
  return other->headers.lost && other->headers.because.reason == 0
             ? other->headers.because
             : rules_reported(RULES_rdmap_terminate_ddp_header);
}

/* The length of the whole segment, as ULPDU_Length had it (RFC 5041 7.1). */
void iwarp_rule_rdmap_terminate_segment_length(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_END) {
    term_length_end(ctx);
    return;
  }
  const iwarp_rdmap_term *t = term_header(ctx);
  if (t == NULL || !t->m || t->ddp_header.len == 0 || rulesi_may_settle(ctx)) {
    return;
  }
  const uint16_t is = t->ddp_segment_length;
  const struct rules_header *seen = term_seen(rules_other(ctx), t->ddp_header, is);
  if (seen == NULL) { /* rdmap.terminate-ddp-header tells whether there was such a segment */
    rulesi_unjudged(ctx, term_unseen(ctx, t->ddp_header));
    return;
  }
  if (seen->ulpdu_length == is || term_saw_all(ctx, t->ddp_header)) {
    rulesi_check_field(ctx, seen->ulpdu_length == is,
                       IWARP_FIELD_RDMAP_TERM_LENGTH_DDP_SEGMENT_LENGTH,
                       rulesi_uint(seen->ulpdu_length), rulesi_uint(is));
  }
}

/* True if no captured segment with this header had been received: with a CRC, a receiver cannot
 * trust an FPDU before its end. Each ends a multiple of four octets after the first. */
static bool term_seen_late(const struct rules_ctx *ctx, iwarp_span header) {
  const struct rules_side *other = rules_other(ctx);
  const uint64_t full = ctx->info->side[rules_peer(ctx)].full_pos;
  const uint32_t kept = rules_headers_kept(other);
  uint64_t units = other->end >> 2;
  bool late = full != IWARP_POS_UNKNOWN && ctx->info->crc == IWARP_TRISTATE_ON &&
              rules_settled(ctx, ctx->info->crc_by);
  for (uint32_t i = 1; i <= kept && late; i++) {
    const struct rules_header *h =
        &other->headers.entry[(other->headers.num - i) & (other->headers.max - 1u)];
    units -= (uint16_t)(units - h->end);
    late = !term_same(h, header) || rulesi_not_received(ctx, units << 2 | (full & 3u));
  }
  return late;
}

/* True if a segment with this header was seen that may have been received. */
static bool term_seen_received(const struct rules_ctx *ctx, iwarp_span header) {
  return term_seen(rules_other(ctx), header, 0) != NULL && !term_seen_late(ctx, header);
}

static iwarp_value term_due(void) {
  return rulesi_text("the header of a segment received");
}

static void term_header_end(const struct rules_ctx *ctx) {
  const iwarp_span header = term_kept_header(ctx);
  if (header.len == 0) {
    return;
  }
  if (term_seen(rules_other(ctx), header, 0) != NULL) {
    rulesi_pass(ctx);
  } else if (term_knows_all(ctx, header)) {
    (void)term_fail_kept(ctx, TERM_HEADER_OFF, (uint32_t)header.len, term_due(),
                         rulesi_octets(header.ptr, header.len));
  }
}

void iwarp_rule_rdmap_terminate_ddp_header(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_END) {
    term_header_end(ctx);
    return;
  }
  const iwarp_rdmap_term *t = term_header(ctx);
  if (t == NULL || t->ddp_header.len == 0 || rulesi_may_settle(ctx)) {
    return;
  }
  if (term_seen_received(ctx, t->ddp_header)) {
    rulesi_pass(ctx);
  } else if (term_saw_all(ctx, t->ddp_header)) {
    const bool tagged = t->ddp_header.len == IWARP_DDP_TAGGED_LEN;
    iwarp_finding *f =
        rulesi_fail(ctx, term_due(), rulesi_octets(t->ddp_header.ptr, t->ddp_header.len));
    rulesi_at_returned(f, ctx, IWARP_FIELD_DDP_TAGGED_T,
                       tagged ? IWARP_FIELD_DDP_TAGGED_TO : IWARP_FIELD_DDP_UNTAGGED_MO);
  }
}

/* The outstanding Request that the returned DDP header names by its MSN. */
static const struct rules_request *term_request(const struct rules_ctx *ctx,
                                                const iwarp_ddp_hdr *hdr) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  for (uint32_t i = 0; i < r->num; i++) {
    if (!r->queue[i].atomic && r->queue[i].details && r->queue[i].msn == hdr->msn) {
      return &r->queue[i];
    }
  }
  return NULL;
}

/*
 * The octets that were served of a Request; where its Response is wrong itself, those that the
 * returned header says.
 */
static uint64_t term_served(const struct rules_ctx *ctx, const struct rules_request *request,
                            const iwarp_rdmap_read_req *is) {
  const struct rules_side *own = rules_own(ctx);
  const struct rules_slot *tagged = &own->messages.slots[RULES_SLOT_TAGGED];
  const uint64_t reported = is->sink_to - request->read.sink_to;
  if (tagged->state == SLOT_UNKNOWN) {
    return reported; /* a segment may have been one of the Response, or have had a wrong header */
  }
  if (!own->response.known || own->response.request.msn != request->msn) {
    return 0;
  }
  return own->response.length_reported || own->response.jumped ? reported : tagged->total;
}

/* `was`, moved on by the octets that were served, which are no more than it asks for: RFC 5040 4.8.
 */
static iwarp_rdmap_read_req term_moved_on(const iwarp_rdmap_read_req *was, uint64_t served) {
  const uint32_t octets = served <= was->size ? (uint32_t)served : 0;
  iwarp_rdmap_read_req due = *was;
  due.size -= octets;
  due.sink_to += octets;
  due.source_to += octets;
  return due;
}

/* A finding on the first field of the returned header that differs from the expected one; NULL: no
 * field differs. */
static iwarp_finding *term_check_header(const struct rules_ctx *ctx, const iwarp_rdmap_read_req *is,
                                        const iwarp_rdmap_read_req *due) {
  const struct {
    iwarp_field_id field;
    bool same;
    iwarp_value due;
    iwarp_value is;
  } rows[] = {
      {IWARP_FIELD_RDMAP_READ_REQ_SINK_STAG, is->sink_stag == due->sink_stag,
       rulesi_hex(IWARP_VALUE_HEX32, due->sink_stag), rulesi_hex(IWARP_VALUE_HEX32, is->sink_stag)},
      {IWARP_FIELD_RDMAP_READ_REQ_SINK_TO, is->sink_to == due->sink_to,
       rulesi_hex(IWARP_VALUE_HEX64, due->sink_to), rulesi_hex(IWARP_VALUE_HEX64, is->sink_to)},
      {IWARP_FIELD_RDMAP_READ_REQ_SIZE, is->size == due->size, rulesi_uint(due->size),
       rulesi_uint(is->size)},
      {IWARP_FIELD_RDMAP_READ_REQ_SOURCE_STAG, is->source_stag == due->source_stag,
       rulesi_hex(IWARP_VALUE_HEX32, due->source_stag),
       rulesi_hex(IWARP_VALUE_HEX32, is->source_stag)},
      {IWARP_FIELD_RDMAP_READ_REQ_SOURCE_TO, is->source_to == due->source_to,
       rulesi_hex(IWARP_VALUE_HEX64, due->source_to), rulesi_hex(IWARP_VALUE_HEX64, is->source_to)},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    if (!rows[i].same) {
      iwarp_finding *f = rulesi_fail(ctx, rows[i].due, rows[i].is);
      rulesi_at_returned(f, ctx, rows[i].field, rows[i].field);
      f->field = iwarp_field_get((uint16_t)rows[i].field)->id;
      return f;
    }
  }
  return NULL;
}

void iwarp_rule_rdmap_terminate_read_header(const struct rules_ctx *ctx) {
  const iwarp_rdmap_term *t = term_header(ctx);
  iwarp_ddp_hdr hdr;
  iwarp_rdmap_read_req is;
  if (t == NULL || term_returned_opcode(t) != IWARP_RDMAP_OP_READ_REQ ||
      iwarp_ddp_hdr_decode(&hdr, t->ddp_header).err != IWARP_OK || hdr.tagged ||
      iwarp_rdmap_read_req_decode(&is, t->rdma_header).err != IWARP_OK) {
    return;
  }
  const struct rules_request *request = term_request(ctx, &hdr);
  if (request == NULL) {
    if (rules_other(ctx)->requests.lost) {
      rulesi_unjudged(ctx, rules_other(ctx)->requests.because);
    }
    return; /* rdmap.terminate-ddp-header tells whether there was such a Request */
  }
  const iwarp_rdmap_read_req due = term_moved_on(&request->read, term_served(ctx, request, &is));
  iwarp_finding *f = term_check_header(ctx, &is, &due);
  if (f == NULL) {
    rulesi_pass(ctx);
  } else {
    f->other_packet = request->packet;
  }
}

void iwarp_rule_rdmap_terminate_msn(const struct rules_ctx *ctx) {
  const uint32_t msn = rules_seg(ctx)->ddp.msn;
  if (!rulesi_is_placed(ctx, IWARP_RDMAP_OP_TERMINATE)) {
    return;
  }
  if (ctx->facts.step == STEP_LEARN) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side));
  } else {
    rulesi_check_field(ctx, msn == 1, IWARP_FIELD_DDP_UNTAGGED_MSN, rulesi_uint(1),
                       rulesi_uint(msn));
  }
}

/* Says that something follows the Terminate, unless that was payload that a search came upon. */
static void term_settle_after(const struct rules_ctx *ctx, iwarp_value observed) {
  if (!rules_own(ctx)->terminate.sure) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    return;
  }
  iwarp_finding *f = rulesi_fail(ctx, rulesi_text("nothing"), observed);
  rulesi_at_header(f, ctx);
  f->other_packet = rules_own(ctx)->terminate.packet;
}

void iwarp_rule_rdmap_terminate_single(const struct rules_ctx *ctx) {
  if (!term_is(ctx, DEPTH_OPCODE)) {
    return;
  }
  if (rules_terminate_goes_on(ctx)) {
    return; /* the rule judged the first segment */
  }
  if (rules_own(ctx)->terminate.seen && rules_seg(ctx)->ddp.mo != 0 &&
      rules_own(ctx)->messages.slots[IWARP_RDMAP_QN_TERMINATE].state == SLOT_UNKNOWN) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason); /* maybe the rest of it */
  } else if (rules_own(ctx)->terminate.seen) {
    term_settle_after(ctx, rulesi_text("another Terminate"));
  } else {
    rulesi_pass(ctx);
  }
}

void iwarp_rule_rdmap_terminate_final(const struct rules_ctx *ctx) {
  if (!rules_own(ctx)->terminate.seen) {
    return;
  }
  if (ctx->ev->kind == IWARP_EVENT_END) {
    rulesi_pass(ctx);
    return;
  }
  if (rules_opcode(ctx) >= 0 && rules_opcode(ctx) != IWARP_RDMAP_OP_TERMINATE &&
      rulesi_need(ctx, DEPTH_OPCODE)) {
    term_settle_after(ctx, rulesi_text(ctx->facts.op->label));
  }
}

/* ---- the error, and the segment that it is about ---- */

/* Layer, Error Type and Error Code in one. */
#define TERM_TAGGED_WRAP 0x1103u
#define TERM_TAGGED_VERSION 0x1104u
#define TERM_QUEUE 0x1201u
#define TERM_NO_BUFFER 0x1202u
#define TERM_INVALID_MO 0x1204u
#define TERM_TOO_LONG 0x1205u
#define TERM_UNTAGGED_VERSION 0x1206u
#define TERM_READ_WRAP 0x0104u
#define TERM_VERSION 0x0205u
#define TERM_OPCODE 0x0206u
#define TERM_CRC 0x2002u
#define TERM_MARKER 0x2003u

/* What a Terminate says, and of the header that it returns what the error may be about. */
struct term_about {
  uint16_t error;
  iwarp_ddp_hdr ddp;
  const iwarp_rdmap_op *op;
  uint8_t opcode;
  iwarp_tristate dv; /* ON: DV is right, OFF: wrong */
  iwarp_tristate rv;
  bool has_payload; /* DDP Segment Length says how long the payload is */
  uint64_t payload; /* payload length; set with has_payload */
  bool has_others;  /* the message may have other segments */
  bool has_read;    /* the header of a Read Request comes back, too */
  iwarp_rdmap_read_req read;
};

/* The expected error, or why this one is impossible; NULL: it is possible. */
struct term_due {
  const char *text;
  iwarp_field_id field; /* NONE: the three together */
};

static const struct term_due term_none = {NULL, IWARP_FIELD_NONE};

static struct term_due term_code_due(const char *text) {
  return (struct term_due){text, IWARP_FIELD_RDMAP_TERM_CODE};
}

static struct term_due term_etype_due(const char *text) {
  return (struct term_due){text, IWARP_FIELD_RDMAP_TERM_ETYPE};
}

static struct term_due term_error_due(const char *text) {
  return (struct term_due){text, IWARP_FIELD_NONE};
}

/* True if another segment has the QN and the MSN of this header, or may have had them: headers are
 * missing, or were forgotten. */
static bool term_has_others(const struct rules_side *other, const iwarp_ddp_hdr *hdr) {
  const uint32_t kept = rules_headers_kept(other);
  uint32_t num = 0;
  for (uint32_t i = 0; i < kept; i++) {
    const struct rules_header *seen = &other->headers.entry[i];
    iwarp_ddp_hdr v;
    (void)iwarp_ddp_hdr_decode(&v, (iwarp_span){seen->octets, sizeof(seen->octets)});
    num += !v.tagged && v.qn == hdr->qn && v.msn == hdr->msn ? 1 : 0;
  }
  return num > 1 || (num == 1 && (other->headers.lost || other->headers.num > kept));
}

static struct term_about term_about(const struct rules_ctx *ctx, const iwarp_rdmap_term *t) {
  const struct rules_header *seen =
      term_seen(rules_other(ctx), t->ddp_header, t->ddp_segment_length);
  const size_t len = t->ddp_header.len;
  struct term_about a = {.error = rulesi_term_error(t)};
  iwarp_ddp_hdr_decode(&a.ddp, t->ddp_header);
  const iwarp_rdmap_ctrl ctrl = iwarp_rdmap_ctrl_decode(t->ddp_header.ptr[1]);
  a.op = iwarp_rdmap_op_get(ctrl.opcode);
  a.opcode = ctrl.opcode;
  a.dv = rulesi_version_right(ctx, a.ddp.dv);
  a.rv = rulesi_version_right(ctx, ctrl.rv);
  a.has_payload = t->m && t->ddp_segment_length >= len && /* else rdmap.terminate-segment-length */
                  (seen == NULL || seen->ulpdu_length == t->ddp_segment_length);
  a.payload = t->ddp_segment_length - len;
  a.has_others = !a.ddp.tagged && term_has_others(rules_other(ctx), &a.ddp);
  a.has_read = a.opcode == IWARP_RDMAP_OP_READ_REQ && !a.ddp.tagged &&
               iwarp_rdmap_read_req_decode(&a.read, t->rdma_header).err == IWARP_OK;
  return a;
}

/* What may go wrong whatever segment comes: catastrophic errors, the unspecified one of operations,
 * and those that DDP leaves to the LLP. */
static bool term_of_any_segment(const iwarp_rdmap_term *t) {
  if (t->layer == 1) {
    return t->etype != 1 && t->etype != 2;
  }
  return t->etype == 0 || (t->etype == 2 && (t->code == 7 || t->code == 8 || t->code == 0xFF));
}

/* True if the Terminate reports a TO wrap, but TO does not wrap. */
static bool term_wraps_not(const struct term_about *a) {
  return a->error == TERM_TAGGED_WRAP && a->ddp.tagged && a->has_payload &&
         !rulesi_wraps(a->ddp.to, a->payload);
}

/* A Tagged Buffer Error of an Untagged segment, or the other way round. */
static bool term_of_other_model(const struct term_about *a) {
  return a->error >> 8 == (a->ddp.tagged ? 0x12 : 0x11);
}

/* A Terminate about another version may also report a lack of buffers, or another error of the
 * segment. */
static struct term_due term_about_version(const struct term_about *a) {
  const bool version = a->error == TERM_TAGGED_VERSION || a->error == TERM_UNTAGGED_VERSION;
  const bool queue = a->error == TERM_QUEUE && !a->ddp.tagged && a->ddp.qn == 0;
  const bool other_model = !version && term_of_other_model(a);
  const bool below = a->error >> 12 == 0;
  return below || queue || other_model || term_wraps_not(a) ? term_error_due("Invalid DDP version")
                                                            : term_none;
}

/* MO and the length are asked for where there is something to place: RFC 5041 7.1. An empty segment
 * with MO 0 inside a message does not continue it. */
static bool term_places_nothing(const struct term_about *a) {
  return (a->error == TERM_TOO_LONG || (a->error == TERM_INVALID_MO && !a->has_others)) &&
         !a->ddp.tagged && a->ddp.mo == 0 && a->has_payload && a->payload == 0;
}

/* DDP does not look at STag and TO where there is nothing to place: RFC 5041 5.2. */
static struct term_due term_about_ddp(const struct term_about *a) {
  if (term_of_other_model(a)) {
    return term_etype_due(a->ddp.tagged ? "a Tagged Buffer Error" : "an Untagged Buffer Error");
  }
  if (a->error == TERM_TAGGED_VERSION || a->error == TERM_UNTAGGED_VERSION) {
    return a->dv == IWARP_TRISTATE_ON ? term_code_due("another error, since DV is right")
                                      : term_none;
  }
  if (a->ddp.tagged && a->has_payload && a->payload == 0) {
    return term_code_due("none, since STag and TO of an empty segment count for nothing");
  }
  if (term_places_nothing(a)) {
    return term_code_due("another error, since an empty segment fits every buffer");
  }
  return term_wraps_not(a) ? term_code_due("another error, since TO and payload end below 2^64")
                           : term_none;
}

/* The operations that reach for a buffer of their receiver by an STag: RFC 5040 4.8, RFC 7306 8.1.
 * The use of an experimental one is unknown. */
static bool term_reaches(uint8_t opcode) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  switch (op->cls) {
  case IWARP_RDMAP_CLASS_READ_REQ:
  case IWARP_RDMAP_CLASS_ATOMIC_REQ: return true;
  case IWARP_RDMAP_CLASS_SEND: return op->invalidates;
  case IWARP_RDMAP_CLASS_NONE: return opcode == IWARP_RDMAP_OP_EXPERIMENTAL;
  case IWARP_RDMAP_CLASS_WRITE: /* DDP finds what is wrong with these two */
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_IMMEDIATE:
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: break;
  }
  return false;
}

/* What RDMAP asks first: that the version and the opcode are known. */
static struct term_due term_about_control(const struct term_about *a) {
  const bool unassigned = !a->op->assigned && a->opcode != IWARP_RDMAP_OP_EXPERIMENTAL;
  if (a->error == TERM_OPCODE) {
    return term_none; /* a receiver may not expect any */
  }
  if (a->rv == IWARP_TRISTATE_OFF) {
    return a->error == TERM_VERSION ? term_none : term_error_due("Invalid RDMAP version");
  }
  if (unassigned && (a->error != TERM_VERSION || a->rv == IWARP_TRISTATE_ON)) {
    return term_error_due("Unexpected OpCode");
  }
  return a->error == TERM_VERSION && a->rv == IWARP_TRISTATE_ON
             ? term_code_due("another error, since RV is right")
             : term_none;
}

/* A Remote Protection Error of a buffer that is read or written: its STag, its bounds, its stream,
 * or a TO wrap. To invalidate an STag has one code for what is wrong with it: RFC 5040 5.3, 7.2. */
static bool term_error_of_access(uint16_t error) {
  return error == 0x0100 || error == 0x0101 || error == 0x0103 || error == TERM_READ_WRAP;
}

/* RDMAP gets what DDP has let pass: DDP asks for the queue where there is something to place. A
 * Write without rights is an error of DDP. */
static struct term_due term_about_rdmap(const struct term_about *a) {
  if (a->dv == IWARP_TRISTATE_ON && !a->ddp.tagged && a->ddp.qn >= RULES_SLOT_TAGGED &&
      a->has_payload && a->payload != 0) {
    return term_error_due("Invalid QN");
  }
  const struct term_due control = term_about_control(a);
  if (control.text != NULL) {
    return control;
  }
  if (a->error >> 8 == 1 && !term_reaches(a->opcode)) {
    return term_etype_due("an error of DDP");
  }
  const bool invalidates = a->op->invalidates || a->opcode == IWARP_RDMAP_OP_EXPERIMENTAL;
  if (a->op->invalidates && term_error_of_access(a->error)) {
    return term_code_due("STag cannot be Invalidated");
  }
  return (a->error & 0xFF) == 9 && !invalidates
             ? term_code_due("another error, since the segment invalidates no STag")
             : term_none;
}

static struct term_due term_about_segment(const struct term_about *a) {
  if (a->dv == IWARP_TRISTATE_OFF) {
    return term_about_version(a);
  }
  return a->error >> 12 == 1 ? term_about_ddp(a) : term_about_rdmap(a);
}

/* True if what is left of the Read ends below 2^64, as all of it does. */
static bool term_read_below_wrap(const iwarp_rdmap_read_req *read) {
  return !rulesi_wraps(read->source_to, read->size);
}

/* The same for errors about the Read Request: with size 0 neither STag nor TO counts. The returned
 * header may be moved on by what was served; rdmap.terminate-read-header reports a wrong one. */
static struct term_due term_about_read(const struct rules_ctx *ctx, const struct term_about *a) {
  const struct rules_request *asked =
      a->has_read && a->error <= TERM_READ_WRAP ? term_request(ctx, &a->ddp) : NULL;
  if (asked == NULL) {
    return term_none;
  }
  if (asked->read.size == 0 && a->read.size == 0) {
    return term_error_due("none, since STag and TO of a Read of size 0 count for nothing");
  }
  return a->error == TERM_READ_WRAP && term_read_below_wrap(&asked->read) &&
                 term_read_below_wrap(&a->read)
             ? term_code_due("another error, since SrcTO and size end below 2^64")
             : term_none;
}

/*
 * There is a buffer for each Read Request that was negotiated: RFC 5040 5.2.2, RFC 6581 9.1. All
 * Requests that were sent are outstanding, in the order of their MSNs, and no more than the limit.
 * Atomic Requests take buffers of their own, which are not negotiated. An ORD in the Reply binds no
 * Initiator that left its IRD to the ULP.
 */
static bool term_had_room(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  uint16_t limit = 0;
  uint32_t in_order = 0;
  while (in_order < r->num && !r->queue[in_order].atomic &&
         r->queue[in_order].msn == in_order + 1) {
    in_order++;
  }
  return !r->lost && in_order == r->num &&
         ctx->info->side[ctx->ev->side].enh.ird != IWARP_MPA_DEPTH_UNSPEC &&
         rulesi_reads_limit_of(ctx, rules_peer(ctx), &limit) && r->num <= limit;
}

/* Expects another error if the Terminate reports no buffer for an outstanding Read Request. */
static struct term_due term_about_room(const struct rules_ctx *ctx, const struct term_about *a) {
  const bool full = a->error == TERM_NO_BUFFER && a->opcode == IWARP_RDMAP_OP_READ_REQ &&
                    a->ddp.qn == IWARP_RDMAP_QN_READ_REQ && a->dv == IWARP_TRISTATE_ON;
  return full && term_request(ctx, &a->ddp) != NULL && term_had_room(ctx)
             ? term_code_due(
                   "another error, since no more Reads are outstanding than were negotiated")
             : term_none;
}

static void term_settle_cause(const struct rules_ctx *ctx, const iwarp_rdmap_term *t,
                              struct term_due due) {
  rulesi_check_fields(ctx, due.text == NULL, due.field, IWARP_FIELD_RDMAP_TERM_LAYER,
                      IWARP_FIELD_RDMAP_TERM_CODE, rulesi_text(due.text),
                      rulesi_text(due.field == IWARP_FIELD_RDMAP_TERM_ETYPE
                                      ? iwarp_rdmap_term_etype_name(t->layer, t->etype)
                                      : iwarp_rdmap_term_code_name(t->layer, t->etype, t->code)));
}

/* The Terminate may refuse what an enhanced Reply says: mpa.ird-terminate and mpa.rtr-mismatch ask
 * for its code. Of the Request the enhanced data may be missing. */
static bool term_of_startup(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  return ctx->facts.first && !own->is_reply && (own->enhanced || peer->enhanced);
}

/* An error of MPA that the startup rules out; Rev 0 has its own terms for Markers and CRCs. */
static void term_cause_of_mpa(const struct rules_ctx *ctx, const iwarp_rdmap_term *t) {
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const uint16_t error = rulesi_term_error(t);
  if (ctx->info->sctp || !ctx->facts.version_known || ctx->facts.version_rdmac ||
      term_of_startup(ctx)) {
    return;
  }
  if (error == TERM_CRC && rules_settled(ctx, ctx->info->crc_by)) {
    term_settle_cause(ctx, t,
                      ctx->info->crc == IWARP_TRISTATE_OFF
                          ? term_code_due("another error, since CRCs are not used")
                          : term_none);
  } else if (error == TERM_MARKER && rules_settled(ctx, peer->markers_by)) {
    term_settle_cause(ctx, t,
                      peer->markers == IWARP_TRISTATE_OFF
                          ? term_code_due("another error, since no Markers are received")
                          : term_none);
  }
}

/* Not judged if the code is unassigned, as where Layer and EType are exchanged, or if reserved bits
 * show that the flags may be misplaced. */
void iwarp_rule_rdmap_terminate_cause(const struct rules_ctx *ctx) {
  const iwarp_rdmap_term *t = term_header(ctx);
  if (t == NULL || t->reserved != 0 || !term_assigned(t)) {
    return;
  }
  if (t->layer == 2) {
    term_cause_of_mpa(ctx, t);
    return;
  }
  if (t->ddp_header.len == 0 || t->tail_err != IWARP_OK || term_of_any_segment(t)) {
    return;
  }
  const struct term_about a = term_about(ctx, t);
  struct term_due due = term_about_segment(&a);
  due = due.text == NULL ? term_about_read(ctx, &a) : due;
  due = due.text == NULL ? term_about_room(ctx, &a) : due;
  if (due.text == NULL || term_seen_received(ctx, t->ddp_header)) {
    term_settle_cause(ctx, t, due);
  } else {
    term_saw_all(ctx,
                 t->ddp_header); /* a header that no segment had is rdmap.terminate-ddp-header */
  }
}

/* This side had received the Terminate of the other one, all of it, when it reset the connection.
 * One that has sent no FPDU may have refused the startup frame before it. */
static bool term_came(const struct rules_ctx *ctx) {
  const struct rules_side *other = rules_other(ctx);
  return other->terminate.whole && rules_own(ctx)->first.seen &&
         ctx->ev->first.peer_pos >= other->end;
}

/* True if a FIN of the side may stand before its RST: it takes a position, which is missing. */
static bool term_fin_missing(const struct rules_ctx *ctx) {
  return rules_own(ctx)->chain.gapped && rules_own(ctx)->chain.gap_end == ctx->ev->pos;
}

/* A side that sent its FIN before has closed in order: its RST answers octets that came too late.
 * An end tells what its side had received only if that side sent the RST and no octets are missing
 * before it. */
void iwarp_rule_rdmap_terminate_reset(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const struct rules_side *other = rules_other(ctx);
  if (ctx->ev->u.end == IWARP_END_FIN && own->terminate.seen) {
    rulesi_pass(ctx);
    return;
  }
  if (ctx->ev->u.end != IWARP_END_RST || ctx->ev->first.peer_pos == IWARP_POS_UNKNOWN ||
      (!own->terminate.seen && !term_came(ctx))) {
    return;
  }
  const struct rules_side *terminated = own->terminate.seen ? own : other;
  if (!terminated->terminate.sure || term_fin_missing(ctx)) {
    rulesi_inconclusive(ctx, terminated->terminate.sure ? rules_own(ctx)->chain.gap_reason
                                                        : terminated->chain.gap_reason);
    return;
  }
  iwarp_finding *f =
      rulesi_fail(ctx, rulesi_text("a FIN"),
                  rulesi_text(own->terminate.seen ? "an RST of the side that sent a Terminate"
                                                  : "an RST of the side that had received it"));
  f->other_packet = terminated->terminate.packet;
}
