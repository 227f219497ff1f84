/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on RDMA Reads: the Request, its Response, and how many are outstanding: RFC 5040 4.4, 5.2,
 * RFC 6581 9.1. */
#include "catalog.h"
#include "evidence.h"
#include "order.h"
#include "refused.h"
#include "requests.h"

/* What it has with this segment; a shorter one may go on in another. Of the MO of a first one
 * ddp.mo-first speaks, and after a gap any may be one. */
void iwarp_rule_rdmap_read_request_length(const struct rules_ctx *ctx) {
  if (!rulesi_is_placed(ctx, IWARP_RDMAP_OP_READ_REQ)) {
    return;
  }
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const bool joined_midway = ctx->facts.step == STEP_LEARN && seg->ddp.mo != 0;
  const bool starts =
      ctx->facts.step == STEP_START || ctx->facts.step == STEP_RESTART || joined_midway;
  const uint64_t has = (starts ? 0 : (uint64_t)seg->ddp.mo) + seg->payload_len;
  const uint32_t due = IWARP_RDMAP_READ_REQ_LEN;
  if (ctx->facts.length_uncertain) {
    return; /* mpa.framing reports that no FPDU begins after the end */
  }
  if (!starts && rulesi_too_long_alone(ctx, due)) {
    rulesi_check_payload(ctx, false, rulesi_uint(due), rulesi_uint(seg->payload_len));
    return;
  }
  if (!starts && ctx->facts.step != STEP_LEARN && ctx->facts.step != STEP_CONTINUE) {
    return; /* the place is wrong, as reported */
  }
  if (joined_midway && has <= due) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side));
  } else if (has > due || (has < due && seg->ddp.last)) {
    rulesi_check_payload(ctx, false, rulesi_uint(due), rulesi_uint(has));
  } else if (has == due) {
    rulesi_pass(ctx);
  }
}

void iwarp_rule_rdmap_read_request_last(const struct rules_ctx *ctx) {
  if (rulesi_is_placed(ctx, IWARP_RDMAP_OP_READ_REQ)) {
    rulesi_check_last(ctx);
  }
}

/* The request that `side` kept is one more than were negotiated. */
static void read_fail_over(const struct rules_ctx *ctx, uint8_t side) {
  const struct rules_late *late = &ctx->track->side[side].late;
  const iwarp_event request = rulesi_kept_event(&late->over, side);
  iwarp_finding *f = rulesi_fail_event(ctx, &request, rulesi_at_most(late->over_limit),
                                       rulesi_uint(late->over_limit + 1u));
  f->octet_pos = request.pos + IWARP_SCTP_SEGMENT_LEN;
  f->octet_len = IWARP_DDP_UNTAGGED_LEN;
}

/* The first answer after such a request: if its sender had received the request by then, no earlier
 * request had been answered. Answers count in the order of their DDP-SSNs. */
static void read_over_answered(const struct rules_ctx *ctx) {
  const struct rules_side *asked = rules_other(ctx);
  const uint64_t received = rulesi_received(ctx);
  if (!rules_answers(ctx, rules_peer(ctx), QUESTION_READS_OVER) || !ctx->facts.placed ||
      !rules_seg(ctx)->ddp.last) {
    return;
  }
  if (!asked->requests.lost && received != IWARP_POS_UNKNOWN && received >= asked->late.over.end) {
    read_fail_over(ctx, rules_peer(ctx));
  } else {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side));
  }
}

/* At the end of the session: no request was answered. */
static void read_over_end(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  if (!rules_answers(ctx, ctx->ev->side, QUESTION_READS_OVER)) {
    return;
  }
  if (!own->requests.lost && !own->requests.surplus && rulesi_session_known(ctx)) {
    read_fail_over(ctx, ctx->ev->side);
  } else {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  }
}

/* What was answered is outstanding until its sender has received the answer. */
static void read_over_request(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_own(ctx)->requests;
  uint16_t limit = 0;
  if (!rulesi_need(ctx, DEPTH_MESSAGE) || !rulesi_need_place(ctx)) {
    return;
  }
  if (!rulesi_request_whole(ctx)) {
    return; /* the form is wrong, as reported */
  }
  const uint32_t unreceived = rulesi_reads_unreceived(ctx);
  if (!rulesi_reads_limit(ctx, &limit)) {
    rulesi_inconclusive(ctx, IWARP_REASON_NO_NEGOTIATION);
  } else if (r->lost) {
    rulesi_unjudged(ctx, r->because);
  } else if (r->num + unreceived < limit && r->answers_lost && unreceived > 0) {
    rulesi_inconclusive(ctx, IWARP_REASON_LIMIT);
  } else if (r->num + unreceived < limit) {
    rulesi_pass(ctx);
  } else if (r->surplus) {
    rulesi_inconclusive(ctx, IWARP_REASON_AFTER_FAULT);
  } else if (rulesi_may_settle(ctx) && !rulesi_reads_together(ctx)) {
    return; /* later messages decide */
  } else if (!rulesi_sender_view_complete(ctx) && !rulesi_reads_together(ctx)) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else if (r->num + unreceived == limit) {
    rulesi_check_header(ctx, false, rulesi_at_most(limit),
                        rulesi_uint((uint64_t)r->num + unreceived + 1));
  }
}

/* Fails on the request that passes the limit, not on later requests. */
void iwarp_rule_rdmap_reads_outstanding(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_END) {
    read_over_end(ctx);
    return;
  }
  const int opcode = rules_opcode(ctx);
  if (opcode == IWARP_RDMAP_OP_READ_REQ || opcode == IWARP_RDMAP_OP_ATOMIC_REQ) {
    read_over_request(ctx);
  } else {
    read_over_answered(ctx);
  }
}

/* What was left open when the answer came. */
static void read_unasked_end(const struct rules_ctx *ctx) {
  const iwarp_event *answer = rulesi_unasked(ctx, IWARP_RDMAP_OP_READ_RESP);
  if (answer != NULL) {
    rulesi_at_kept_header(rulesi_fail_event(ctx, answer,
                                            rulesi_text("an RDMA Read Request before it"),
                                            rulesi_text("none")),
                          answer);
  }
}

void iwarp_rule_rdmap_read_response_unasked(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  if (ctx->ev->kind == IWARP_EVENT_END) {
    read_unasked_end(ctx);
    return;
  }
  if (!rulesi_is_placed(ctx, IWARP_RDMAP_OP_READ_RESP) ||
      (ctx->facts.step != STEP_START && ctx->facts.step != STEP_LEARN)) {
    return;
  }
  if (r->lost) {
    rulesi_unjudged(ctx, r->because);
  } else if (ctx->facts.step == STEP_LEARN) { /* maybe the rest of an earlier Response */
    rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side));
  } else if (rulesi_reads_ahead(ctx, false) != NULL) {
    rulesi_check(ctx, false, rulesi_at_ahead(check_found, ctx, false),
                 rulesi_text("an RDMA Read Request before it"), rulesi_text("one after it"));
  } else if (rulesi_awaited_request(ctx) != NULL) {
    rulesi_pass(ctx);
  } else if (!rulesi_sender_view_complete(ctx)) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else {
    rulesi_check_header(ctx, false, rulesi_text("an RDMA Read Request before it"),
                        rulesi_text("none"));
  }
}

/*
 * The Request that the first segment of a Response answers, where STag and TO are to be compared:
 * not for a Response or a Request of no octets. RFC 5041 5.2.
 */
static const struct rules_request *read_compared(const struct rules_ctx *ctx) {
  if (!rulesi_is_placed(ctx, IWARP_RDMAP_OP_READ_RESP) || ctx->facts.step != STEP_START ||
      rules_seg(ctx)->payload_len == 0) {
    return NULL;
  }
  if (rules_other(ctx)->requests.lost) {
    rulesi_unjudged(ctx, rules_other(ctx)->requests.because);
    return NULL;
  }
  const struct rules_request *request = rulesi_awaited_request(ctx);
  if (request != NULL && !request->details) {
    rulesi_inconclusive(ctx, rules_other(ctx)->chain.gap_reason);
    return NULL;
  }
  return request != NULL && request->read.size != 0 ? request : NULL;
}

/* `field` NONE: the segment is wrong, no field of it. */
static void read_settle(const struct rules_ctx *ctx, const struct rules_request *request, bool ok,
                        iwarp_field_id field, iwarp_value expected, iwarp_value observed) {
  if (ok) {
    rulesi_pass(ctx);
    return;
  }
  iwarp_finding *f = rulesi_fail(ctx, expected, observed);
  if (field != IWARP_FIELD_NONE) {
    rulesi_at_field(f, ctx, field);
  } else {
    rulesi_at_header(f, ctx);
  }
  f->other_packet = request->packet;
}

void iwarp_rule_rdmap_read_response_stag(const struct rules_ctx *ctx) {
  const struct rules_request *request = read_compared(ctx);
  if (request != NULL) {
    const uint32_t stag = rules_seg(ctx)->ddp.stag;
    read_settle(ctx, request, stag == request->read.sink_stag, IWARP_FIELD_DDP_TAGGED_STAG,
                rulesi_hex(IWARP_VALUE_HEX32, request->read.sink_stag),
                rulesi_hex(IWARP_VALUE_HEX32, stag));
  }
}

/* The Response has ended, and its first octets have not come: said of its first segment, where the
 * others followed it. */
static void read_fail_late(const struct rules_ctx *ctx, uint64_t from) {
  const struct rules_request *answered = &rules_own(ctx)->response.request;
  const struct rules_order *o = rules_own(ctx)->messages.order;
  iwarp_finding *f = rulesi_fail(ctx, rulesi_hex(IWARP_VALUE_HEX64, answered->read.sink_to),
                                 rulesi_hex(IWARP_VALUE_HEX64, from));
  rulesi_at_header(f, ctx);
  if (!o->jumped) {
    f->first = o->finding.first;
    f->last = o->finding.last;
    f->pos = o->finding.pos;
    f->offset = o->finding.offset;
    f->octet_pos = o->finding.octet_pos;
    f->octet_len = o->finding.octet_len;
    f->field = o->finding.field;
  }
  f->other_packet = answered->packet;
}

/* A first segment that is not the first of its octets is judged when the Response ends. */
void iwarp_rule_rdmap_read_response_to(const struct rules_ctx *ctx) {
  uint64_t from = 0;
  if (rulesi_order_late(ctx, &from)) {
    read_fail_late(ctx, from);
    return;
  }
  const struct rules_request *request = read_compared(ctx);
  if (request != NULL && rulesi_response_late(ctx) != NULL) {
    if (ctx->facts.order_reason != 0) { /* else it is judged when the Response ends */
      rulesi_inconclusive(ctx, ctx->facts.order_reason);
    }
  } else if (request != NULL && rules_seg(ctx)->ddp.stag == request->read.sink_stag) {
    const uint64_t to = rules_seg(ctx)->ddp.to;
    read_settle(ctx, request, to == request->read.sink_to, IWARP_FIELD_DDP_TAGGED_TO,
                rulesi_hex(IWARP_VALUE_HEX64, request->read.sink_to),
                rulesi_hex(IWARP_VALUE_HEX64, to));
  }
}

/* True if the segment shows how long the Response is: one that passes its length, or the last one.
 * With segments out of their places only the last one does, and only where all octets came once. */
static bool read_length_known(const struct rules_ctx *ctx, const struct rules_request *request) {
  const bool ended = rules_seg(ctx)->ddp.last;
  if (ctx->facts.step != STEP_START &&
      (rules_own(ctx)->response.jumped || ctx->facts.step == STEP_TO_JUMP)) {
    return ended && ctx->facts.order == ORDER_WHOLE;
  }
  return ended || rulesi_response_total(ctx) > request->read.size;
}

/* Reported at the segment that passes the length, or at the last one. If another Read of the same
 * sink has this length, the Responses have changed places. */
void iwarp_rule_rdmap_read_response_length(const struct rules_ctx *ctx) {
  if (!rulesi_is_placed(ctx, IWARP_RDMAP_OP_READ_RESP)) {
    return;
  }
  const struct rules_side *own = rules_own(ctx);
  const bool starts = ctx->facts.step == STEP_START;
  if (rules_other(ctx)->requests.lost) {
    rulesi_unjudged(ctx, rules_other(ctx)->requests.because);
    return;
  }
  const struct rules_request *request = rulesi_awaited_request(ctx);
  const bool inside = ctx->facts.step == STEP_CONTINUE || ctx->facts.step == STEP_TO_JUMP;
  if ((!starts && !inside) || request == NULL || (!starts && own->response.length_reported)) {
    return;
  }
  if (!request->details) {
    rulesi_inconclusive(ctx, rules_other(ctx)->chain.gap_reason);
    return;
  }
  if (rulesi_response_other(ctx, request) == NULL && read_length_known(ctx, request)) {
    const uint64_t total = rulesi_response_total(ctx);
    read_settle(ctx, request, total == request->read.size, IWARP_FIELD_NONE,
                rulesi_uint(request->read.size), rulesi_uint(total));
  }
}

/* What the oldest request waits for, where a response of this kind came. */
static const char *read_first(bool atomic, bool is_read) {
  if (atomic == is_read) {
    return atomic ? "an Atomic Response" : "an RDMA Read Response";
  }
  return "the one to an earlier request";
}

/* The Response ends with the length of `other`, a Read of the same sink as the expected one. If
 * neither may be answered, rdmap.error-answered reports it. */
static void read_order_ends(const struct rules_ctx *ctx, const struct rules_request *other) {
  const struct rules_request *due = rulesi_reads_first(ctx);
  const bool begun = ctx->facts.step != STEP_START;
  const struct rules_request *taken = rulesi_awaited_request(ctx);
  const bool reported = (begun && due != NULL && taken->msn != due->msn) ||
                        (other != due && rulesi_refused_answered(ctx) == IWARP_TRISTATE_ON);
  if (due == NULL || other->overtaken || reported) {
    return;
  }
  read_settle(ctx, due, other == due, IWARP_FIELD_NONE,
              rulesi_text("the one to an earlier request"), rulesi_text(ctx->facts.op->label));
}

static void read_order_begins(const struct rules_ctx *ctx, bool is_read) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  if (r->lost) {
    rulesi_unjudged(ctx, r->because);
    return;
  }
  const struct rules_request *request = rulesi_awaited_request(ctx);
  const struct rules_request *due = rulesi_reads_first(ctx);
  if (request == NULL) {
    return;
  }
  if (rulesi_reads_uncertain(r, request) && r->queue[0].atomic != is_read) {
    rulesi_inconclusive(ctx, rules_other(ctx)->chain.gap_reason);
  } else if (due != NULL && !request->overtaken) {
    read_settle(ctx, due, request == due, IWARP_FIELD_NONE,
                rulesi_text(read_first(due->atomic, is_read)), rulesi_text(ctx->facts.op->label));
  }
}

/* A request is overtaken once: its own answer, or its absence, is not reported again. */
void iwarp_rule_rdmap_response_order(const struct rules_ctx *ctx) {
  const bool is_read = rules_opcode(ctx) == IWARP_RDMAP_OP_READ_RESP;
  const bool placed =
      rulesi_is_placed(ctx, is_read ? IWARP_RDMAP_OP_READ_RESP : IWARP_RDMAP_OP_ATOMIC_RESP);
  const bool starts = ctx->facts.step == STEP_START;
  if (!placed || (!starts && ctx->facts.step != STEP_CONTINUE)) {
    return;
  }
  const struct rules_request *request = is_read ? rulesi_awaited_request(ctx) : NULL;
  const struct rules_request *other =
      request != NULL && !rules_other(ctx)->requests.lost && rules_seg(ctx)->ddp.last
          ? rulesi_response_other(ctx, request)
          : NULL;
  if (other != NULL) {
    read_order_ends(ctx, other);
  } else if (starts) {
    read_order_begins(ctx, is_read);
  }
}

/* True if a Terminate of either side, seen or missed, may have ended the answering. It need not be
 * right: of one in a wrong form another rule speaks. RFC 5040 5.4 */
static bool read_terminated(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const struct rules_side *other = rules_other(ctx);
  if (!rulesi_sender_view_complete(ctx) || own->headers.lost || other->headers.lost) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return true;
  }
  return own->terminate.alike || other->terminate.alike;
}

/* What ends the stream of the side in order: its FIN, or its Session Terminate where the other side
 * sent one, too. */
static bool read_closed(const struct rules_ctx *ctx, iwarp_event *close) {
  const bool both = !ctx->info->sctp || rules_other(ctx)->sctp.ended;
  return ctx->ev->u.end == IWARP_END_FIN && !rules_is_open(&rules_own(ctx)->docket, QUESTION_RUN) &&
         rulesi_closed(ctx, close) && both;
}

/* Why it is not known which requests wait. */
static struct rules_because read_lost_because(const struct rules_ctx *ctx,
                                              const struct rules_requests *r) {
  const bool joined = ctx->info->sctp && !ctx->info->side[rules_peer(ctx)].start_known;
  return joined && r->because.reason != 0 ? rules_reason(IWARP_REASON_MID_STREAM) : r->because;
}

/* Over SCTP: nothing of the session is missing, and no message without a place may have been the
 * answer. */
static bool read_whole_session(const struct rules_ctx *ctx) {
  const bool whole = ctx->ev->sctp == NULL || rulesi_session_whole(ctx);
  if (!whole) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  }
  return whole;
}

/* True if the side had the oldest request when it closed. */
static bool read_had_request(const struct rules_ctx *ctx, const iwarp_event *close) {
  const uint64_t received = close->first.peer_pos;
  if (received == IWARP_POS_UNKNOWN) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return false;
  }
  return received >= rules_other(ctx)->requests.queue[0].end;
}

/*
 * A ULP may close with requests of the other side under way. One that was passed by is not: both
 * sides had gone on without it.
 */
void iwarp_rule_rdmap_request_answered(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  iwarp_event close;
  if (!read_closed(ctx, &close)) {
    return;
  }
  if (r->lost) {
    rulesi_unjudged(ctx, read_lost_because(ctx, r));
    return;
  }
  if (r->num == 0) {
    if (rules_other(ctx)->first.seen && rules_own(ctx)->first.seen) {
      rulesi_pass(ctx);
    }
    return;
  }
  const struct rules_request *oldest = &r->queue[0];
  if (rulesi_reads_settled(rules_own(ctx), oldest)) {
    return; /* reported */
  }
  if (!r->overdue || !read_whole_session(ctx) || read_terminated(ctx) ||
      !read_had_request(ctx, &close)) {
    return;
  }
  iwarp_finding *f = rulesi_fail_event(
      ctx, &close, rulesi_text(oldest->atomic ? "an Atomic Response" : "an RDMA Read Response"),
      rulesi_text(ctx->info->sctp ? "Session Terminate" : "FIN"));
  f->other_packet = oldest->packet;
}
