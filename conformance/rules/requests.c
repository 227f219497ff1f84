/* SPDX-License-Identifier: BSD-2-Clause */
/* The requests for RDMA Reads and Atomic Operations that wait for an answer. */
#include "requests.h"

#include <string.h>

#include "evidence.h"
#include "memory.h"
#include "recover.h"
#include "sctp_event.h"
#include "state.h"

/* The oldest request of this kind, or NULL. */
static const struct rules_request *requests_due(const struct rules_requests *r, bool atomic) {
  for (uint32_t i = 0; i < r->num; i++) {
    if (r->queue[i].atomic == atomic) {
      return &r->queue[i];
    }
  }
  return NULL;
}

const struct rules_request *rulesi_reads_ahead(const struct rules_ctx *ctx, bool atomic) {
  const struct rules_request *due = requests_due(&rules_other(ctx)->requests, atomic);
  return due != NULL && rulesi_not_received(ctx, due->end) ? due : NULL;
}

void rulesi_at_ahead(iwarp_finding *f, const struct rules_ctx *ctx, bool atomic) {
  const struct rules_request *ahead = rulesi_reads_ahead(ctx, atomic);
  rulesi_at_header(f, ctx);
  f->other_packet = ahead != NULL ? ahead->packet : 0;
}

uint32_t rulesi_reads_unreceived(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_own(ctx)->requests;
  uint32_t num = 0;
  while (num < r->num_answers && rulesi_not_received(ctx, r->answers[r->num_answers - 1 - num])) {
    num++;
  }
  return num;
}

bool rulesi_reads_limit_of(const struct rules_ctx *ctx, uint8_t side, uint16_t *limit) {
  const iwarp_observer_side *own = &ctx->info->side[side];
  const iwarp_observer_side *peer = &ctx->info->side[1u - side];
  if (rulesi_reply(ctx) == NULL || !own->enhanced || !peer->enhanced) {
    return false;
  }
  *limit = peer->enh.ird;
  if (own->is_reply && own->enh.ord < *limit) {
    *limit = own->enh.ord; /* the Reply says what its sender really uses */
  }
  return *limit != IWARP_MPA_DEPTH_UNSPEC;
}

bool rulesi_reads_limit(const struct rules_ctx *ctx, uint16_t *limit) {
  return rulesi_reads_limit_of(ctx, ctx->ev->side, limit);
}

bool rulesi_reads_together(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_own(ctx)->requests;
  return ctx->info->sctp && r->num > 0 && r->queue[0].packet == ctx->ev->first.packet &&
         !rulesi_sctp_evidence(ctx)->maybe_retransmitted && !ctx->ev->last.damaged;
}

/* Keeps where an answer ends. */
static void requests_answer_add(struct rules_ctx *ctx, struct rules_requests *r, uint64_t end) {
  uint64_t *answers = rulesi_grow(ctx->track->pool, r->answers, &r->cap_answers, r->num_answers,
                                  RULES_READS, sizeof(r->answers[0]));
  if (answers == NULL) {
    r->answers_lost = true;
    return;
  }
  r->answers = answers;
  answers[r->num_answers++] = end;
}

/* Forgets the answers that the side had received when it sent the request under judgement. */
static void requests_answers_received(struct rules_ctx *ctx, struct rules_requests *r) {
  const uint32_t left = rulesi_reads_unreceived(ctx);
  if (left > 0) {
    memmove(r->answers, &r->answers[r->num_answers - left], left * sizeof(r->answers[0]));
  }
  r->num_answers = (uint16_t)left;
  r->answers_lost = r->answers_lost && left > 0;
}

/* True if the first segment of a Read Response has STag and TO of the request. */
static bool requests_read_fits(const struct rules_request *q, const iwarp_rdmap_seg *seg) {
  return !q->atomic && q->details && q->read.size != 0 && q->read.sink_stag == seg->ddp.stag &&
         q->read.sink_to == seg->ddp.to;
}

static bool requests_atomic_fits(const struct rules_request *q, const iwarp_rdmap_seg *seg) {
  return q->atomic && q->details && seg->kind == IWARP_RDMAP_KIND_ATOMIC_RESP &&
         q->request_id == seg->u.atomic_resp.request_id;
}

/*
 * The request that the response answers: the oldest of its kind. If the response does not fit that
 * one, it is a later one that it fits, or may fit since its header is missing.
 */
static const struct rules_request *requests_answered(const struct rules_ctx *ctx, bool atomic) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  bool (*const fits)(const struct rules_request *, const iwarp_rdmap_seg *) =
      atomic ? requests_atomic_fits : requests_read_fits;
  const struct rules_request *due = requests_due(r, atomic);
  if (due == NULL || !due->details || seg->payload_len == 0) {
    return due;
  }
  const struct rules_request *may = NULL;
  for (uint32_t i = 0; i < r->num; i++) {
    const struct rules_request *q = &r->queue[i];
    if (fits(q, seg)) {
      return q;
    }
    may = may == NULL && q->atomic == atomic && !q->details ? q : may;
  }
  return may != NULL ? may : due;
}

bool rulesi_reads_uncertain(const struct rules_requests *r, const struct rules_request *q) {
  return !q->details && q != requests_due(r, q->atomic);
}

const struct rules_request *rulesi_awaited_request(const struct rules_ctx *ctx) {
  if (rules_opcode(ctx) == IWARP_RDMAP_OP_ATOMIC_RESP) {
    return requests_answered(ctx, true);
  }
  if (ctx->facts.step == STEP_START) {
    return requests_answered(ctx, false);
  }
  return rules_own(ctx)->response.known ? &rules_own(ctx)->response.request : NULL;
}

/* True if a request waits for a Response that begins as the segment does. */
static bool requests_one_fits(const struct rules_requests *r, const iwarp_rdmap_seg *seg) {
  for (uint32_t i = 0; i < r->num; i++) {
    if (!r->queue[i].details || requests_read_fits(&r->queue[i], seg)) {
      return true;
    }
  }
  return false;
}

bool rulesi_reads_resume(const struct rules_ctx *ctx) {
  const struct rules_slot *slot = &rules_own(ctx)->messages.slots[RULES_SLOT_TAGGED];
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  return ctx->facts.step == STEP_START && ctx->facts.depth == DEPTH_MESSAGE &&
         seg->ctrl.opcode == IWARP_RDMAP_OP_READ_RESP && slot->opcode == seg->ctrl.opcode &&
         seg->payload_len > 0 && seg->payload_len <= rules_own(ctx)->response.left &&
         seg->ddp.stag == slot->stag && seg->ddp.to == slot->next &&
         !requests_one_fits(&rules_other(ctx)->requests, seg);
}

const struct rules_request *rulesi_response_late(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  if (ctx->facts.step != STEP_START || ctx->facts.depth != DEPTH_MESSAGE || ctx->facts.resumes ||
      seg->ctrl.opcode != IWARP_RDMAP_OP_READ_RESP || seg->ddp.last || seg->payload_len == 0 ||
      rules_other(ctx)->requests.lost) {
    return NULL;
  }
  const struct rules_request *q = requests_answered(ctx, false);
  const bool late = q != NULL && q->details && seg->ddp.stag == q->read.sink_stag &&
                    seg->ddp.to != q->read.sink_to &&
                    seg->ddp.to - q->read.sink_to < q->read.size &&
                    seg->payload_len <= q->read.size - (seg->ddp.to - q->read.sink_to);
  return late ? q : NULL;
}

uint64_t rulesi_response_total(const struct rules_ctx *ctx) {
  const struct rules_slot *slot = &rules_own(ctx)->messages.slots[RULES_SLOT_TAGGED];
  return (ctx->facts.step == STEP_START ? 0 : slot->total) + rules_seg(ctx)->payload_len;
}

/* True if its Response may have the STag and TO of the Response that was taken for an answer to
 * `request`. Those of an empty one are free. */
static bool requests_same_place(const struct rules_request *q, const struct rules_request *request,
                                const iwarp_rdmap_seg *seg) {
  if (q->atomic || !q->details || q->msn == request->msn) {
    return false;
  }
  return q->read.size == 0 ? q->read.sink_stag == seg->ddp.stag && q->read.sink_to == seg->ddp.to
                           : q->read.sink_stag == request->read.sink_stag &&
                                 q->read.sink_to == request->read.sink_to;
}

const struct rules_request *rulesi_response_other(const struct rules_ctx *ctx,
                                                  const struct rules_request *request) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  const uint64_t total = rulesi_response_total(ctx);
  const bool ended = rules_seg(ctx)->ddp.last;
  if (!request->details || (ended ? total == request->read.size : total <= request->read.size)) {
    return NULL;
  }
  for (uint32_t i = 0; i < r->num; i++) {
    const struct rules_request *q = &r->queue[i];
    if (requests_same_place(q, request, rules_seg(ctx)) &&
        (ended ? total == q->read.size : total <= q->read.size)) {
      return q;
    }
  }
  return NULL;
}

bool rulesi_reads_settled(const struct rules_side *by, const struct rules_request *q) {
  const struct rules_response *resp = &by->response;
  const bool under_way = resp->known && !q->atomic && q->msn == resp->request.msn;
  return q->overtaken || (under_way && by->messages.slots[RULES_SLOT_TAGGED].state == SLOT_OPEN &&
                          by->messages.slots[RULES_SLOT_TAGGED].total >= q->read.size);
}

iwarp_tristate rulesi_response_full(const struct rules_side *by) {
  const struct rules_slot *slot = &by->messages.slots[RULES_SLOT_TAGGED];
  const struct rules_response *resp = &by->response;
  const iwarp_rdmap_read_req *read = &resp->request.read;
  if (slot->state != SLOT_OPEN || !resp->known) {
    return IWARP_TRISTATE_OFF;
  }
  if (!resp->request.details) {
    return IWARP_TRISTATE_UNKNOWN;
  }
  const bool in_place = slot->stag == read->sink_stag && slot->next == read->sink_to + read->size;
  const bool all =
      read->size > 0 && slot->total == read->size && !resp->length_reported && !resp->jumped;
  return in_place && all ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
}

const struct rules_request *rulesi_reads_first(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  const bool goes_on = rules_opcode(ctx) == IWARP_RDMAP_OP_READ_RESP;
  for (uint32_t i = 0; i < r->num; i++) {
    const struct rules_request *q = &r->queue[i];
    if (!(goes_on ? q->overtaken : rulesi_reads_settled(rules_own(ctx), q))) {
      return q;
    }
  }
  return NULL;
}

bool rulesi_request_whole(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  return seg->ddp.mo == 0 && seg->ddp.last && seg->payload_len == ctx->facts.op->hdr_len;
}

/* Empties the queue; recovery may keep its content. */
static void requests_lose(struct rules_side *side, struct rules_because why) {
  side->requests.lost = true;
  rules_because_add(&side->requests.because, why);
  side->requests.num = 0;
  side->requests.passed = 0;
  side->requests.later = 0;
  side->requests.overdue = false;
  rules_close(&side->docket, QUESTION_ANSWER_FIRST);
}

/* Which requests of the side wait for an answer is not known any more. */
static void requests_reset(struct rules_side *side, struct rules_because why) {
  rulesi_recover_stop(&side->requests);
  requests_lose(side, why);
  if (side->chain.presumed && (why.reason & IWARP_REASON_MID_STREAM) != 0) {
    rulesi_recover_join(&side->requests);
  }
}

void rulesi_reads_begin_again(struct rules_tracker *track, uint8_t side) {
  track->side[1u - side].response.known = false;
  requests_reset(&track->side[side], rules_reason(IWARP_REASON_MID_STREAM));
}

/* Octets of the side under judgement are missing that may hold requests, and answers. Over SCTP
 * what a sender had received is seldom known, so requests stay lost there. */
static void requests_miss(struct rules_ctx *ctx, struct rules_because why) {
  struct rules_side *own = rules_own_state(ctx);
  struct rules_side *other = rules_other_state(ctx);
  rulesi_recover_begin(&own->requests);
  rulesi_recover_miss_requests(&own->requests);
  rulesi_recover_begin(&other->requests);
  rulesi_recover_miss_answers(&other->requests,
                              ctx->info->sctp ? IWARP_POS_UNKNOWN : ctx->ev->pos + ctx->ev->len);
  const bool both =
      rulesi_recover_both_missed(&own->requests) || rulesi_recover_both_missed(&other->requests);
  if (ctx->info->sctp && both) {
    rulesi_recover_stop(&own->requests);
    rulesi_recover_stop(&other->requests);
  }
  requests_lose(own, why);
  requests_lose(other, why);
}

#define REQUESTS_MISSING                                                                           \
  (IWARP_REASON_GAP | IWARP_REASON_SNAPLEN | IWARP_REASON_OCTETS_DIFFER |                          \
   IWARP_REASON_CHECKSUM_WRONG)

/* Over SCTP a message that has no place may count for its receiver, or not. */
static bool requests_misplaced(const struct rules_ctx *ctx) {
  return ctx->ev->sctp != NULL && ctx->ev->kind != IWARP_EVENT_GAP &&
         !rulesi_sctp_certainty(ctx)->session_unconfirmed;
}

void rulesi_reads_lose(struct rules_ctx *ctx, struct rules_because why) {
  if (requests_misplaced(ctx) || why.reason == 0 ||
      (why.reason & ~(uint32_t)REQUESTS_MISSING) != 0) {
    requests_reset(rules_own_state(ctx), why);
    requests_reset(rules_other_state(ctx), why);
  } else {
    requests_miss(ctx, why);
  }
}

/* Removes the request with this MSN, whose answer ends at `end`; requests before it were overtaken.
 */
static void requests_remove(struct rules_ctx *ctx, uint32_t msn, uint64_t end) {
  struct rules_requests *r = &rules_other_state(ctx)->requests;
  uint32_t at = 0;
  while (at < r->num && r->queue[at].msn != msn) {
    at++;
  }
  for (uint32_t i = 0; at < r->num && i < at; i++) {
    r->queue[i].overtaken = true;
  }
  if (at == 0) {
    r->passed = 0;
    r->later = 0;
    r->overdue = false;
  }
  rules_close(&rules_other_state(ctx)->docket, QUESTION_READS_OVER);
  if (at < r->num) {
    requests_answer_add(ctx, r, end);
    r->num--;
    memmove(&r->queue[at], &r->queue[at + 1], (r->num - at) * sizeof(r->queue[0]));
  }
}

bool rulesi_reads_response_over(const struct rules_ctx *ctx) {
  const int opcode = rules_opcode(ctx);
  const bool begins = rules_seg(ctx)->ddp.tagged || rules_seg(ctx)->ddp.mo == 0;
  return begins && opcode != IWARP_RDMAP_OP_READ_RESP && opcode != IWARP_RDMAP_OP_TERMINATE &&
         !rules_other(ctx)->requests.lost &&
         rulesi_response_full(rules_own(ctx)) == IWARP_TRISTATE_ON;
}

void rulesi_reads_end_response(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  ctx->facts.response_packet = own->response.request.packet;
  requests_remove(ctx, own->response.request.msn, own->end);
  own->response.known = false;
  own->messages.slots[RULES_SLOT_TAGGED].state = SLOT_CLOSED;
}

/* Keeps the request under judgement, if it may be the first one more than were negotiated. */
static void requests_note_over(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  uint16_t limit = 0;
  if (rulesi_may_settle(ctx) && !rulesi_reads_together(ctx) &&
      !rules_is_open(&own->docket, QUESTION_READS_OVER) && rulesi_reads_limit(ctx, &limit) &&
      own->requests.num == limit) {
    rules_open(&own->docket, QUESTION_READS_OVER, true);
    own->late.over = rulesi_keep(ctx);
    own->late.over_limit = limit;
  }
}

/* The request under judgement. */
static struct rules_request requests_of(const struct rules_ctx *ctx, bool atomic) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  struct rules_request q = {.atomic = atomic,
                            .details = seg->kind != IWARP_RDMAP_KIND_NONE,
                            .msn = seg->ddp.msn,
                            .packet = ctx->ev->last.packet,
                            .end = ctx->ev->pos + ctx->ev->len};
  if (seg->kind == IWARP_RDMAP_KIND_READ_REQ) {
    q.read = seg->u.read_req;
  } else if (seg->kind == IWARP_RDMAP_KIND_ATOMIC_REQ) {
    q.request_id = seg->u.atomic_req.request_id;
  }
  return q;
}

static void requests_push(struct rules_ctx *ctx, const struct rules_request *request) {
  struct rules_side *own = rules_own_state(ctx);
  struct rules_requests *r = &own->requests;
  struct rules_request *queue =
      rulesi_grow(ctx->track->pool, r->queue, &r->cap, r->num, RULES_READS, sizeof(r->queue[0]));
  if (queue == NULL) {
    requests_reset(own, rules_reason(IWARP_REASON_LIMIT));
    return;
  }
  r->queue = queue;
  requests_note_over(ctx);
  queue[r->num++] = *request;
}

/* The rule that reports the form of the Request, or of the Atomic Response, under judgement. */
static struct rules_because requests_form(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const bool read = seg->ctrl.opcode == IWARP_RDMAP_OP_READ_REQ;
  const uint32_t has = seg->ddp.mo + (uint32_t)seg->payload_len;
  if (ctx->facts.step != STEP_START && ctx->facts.step != STEP_CONTINUE &&
      ctx->facts.step != STEP_LEARN) {
    return rules_reported(rulesi_step_rule(ctx));
  }
  if (ctx->facts.step == STEP_START && seg->ddp.mo != 0) {
    return rules_reported(RULES_ddp_mo_first);
  }
  if (has <= ctx->facts.op->hdr_len && (!seg->ddp.last || has == ctx->facts.op->hdr_len)) {
    const bool full = has == ctx->facts.op->hdr_len && !seg->ddp.last;
    const uint16_t last = read ? RULES_rdmap_read_request_last : RULES_ddp_last_flag_missing;
    return full ? rules_reported(last) : rules_unreported(); /* more segments may come */
  }
  if (read) {
    return rules_reported(RULES_rdmap_read_request_length);
  }
  return rules_reported(seg->ctrl.opcode == IWARP_RDMAP_OP_ATOMIC_REQ
                            ? RULES_rdmap_atomic_request_length
                            : RULES_rdmap_atomic_response_length);
}

static void requests_add(struct rules_ctx *ctx, bool atomic) {
  struct rules_side *own = rules_own_state(ctx);
  struct rules_requests *r = &own->requests;
  const struct rules_request request = requests_of(ctx, atomic);
  rules_close(&own->docket, QUESTION_ANSWER_FIRST);
  requests_answers_received(ctx, r);
  if (!rulesi_request_whole(ctx)) {
    requests_reset(own, requests_form(ctx)); /* the segment may be answered, or not */
  } else if (r->lost) {
    rulesi_recover_request(ctx, &request);
  } else {
    requests_push(ctx, &request);
  }
  r->msn = request.msn + 1;
}

/* Over SCTP whether the request comes later in the capture is known at the end only. */
static bool requests_may_wait(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  return rulesi_may_settle(ctx) && !r->lost && !r->answered_early;
}

/* An answer without a request: the request may only not have been seen yet. */
static void requests_unasked(struct rules_ctx *ctx) {
  struct rules_side *asked = rules_other_state(ctx);
  asked->requests.surplus = true;
  if (rulesi_sender_view_complete(ctx)) {
    return;
  }
  const bool kept = rules_is_open(&asked->docket, QUESTION_ANSWER_FIRST);
  const bool first = !kept && requests_may_wait(ctx);
  requests_reset(asked, rules_reason(rulesi_missing(ctx, rules_peer(ctx))));
  asked->requests.answered_early = !asked->first.seen;
  rules_open(&asked->docket, QUESTION_ANSWER_FIRST, kept || first);
  if (first) {
    rules_own_state(ctx)->first_event = *ctx->ev;
    rules_own_state(ctx)->first_event.sctp = NULL; /* the SCTP part does not live as long */
  }
}

/* True if the response fits a request that is not the due one, whose header is not there. */
static bool requests_fits_later(const struct rules_ctx *ctx, const struct rules_request *due) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  for (uint32_t i = 0; i < r->num && !due->details; i++) {
    const struct rules_request *q = &r->queue[i];
    if (due->atomic ? requests_atomic_fits(q, rules_seg(ctx))
                    : requests_read_fits(q, rules_seg(ctx))) {
      return true;
    }
  }
  return false;
}

/* True if the answered request may be this one or a later one: requests are then lost. */
static bool requests_confused(struct rules_ctx *ctx, const struct rules_request *due) {
  struct rules_side *asked = rules_other_state(ctx);
  if (!rulesi_reads_uncertain(&asked->requests, due) && !requests_fits_later(ctx, due)) {
    return false;
  }
  requests_reset(asked, rules_reason(asked->chain.gap_reason));
  return true;
}

static void requests_response_begins(struct rules_ctx *ctx) {
  struct rules_response *resp = &rules_own_state(ctx)->response;
  const struct rules_request *due = rulesi_awaited_request(ctx);
  resp->known = due != NULL && !requests_confused(ctx, due);
  resp->length_reported = false;
  resp->jumped = false;
  if (resp->known) {
    resp->request = *due;
  } else if (due == NULL) {
    requests_unasked(ctx);
  }
}

/* The segment has some of the octets that the Response lacked when it ended. */
static void requests_resumed(struct rules_ctx *ctx) {
  rules_own_state(ctx)->response.left -= (uint32_t)rules_seg(ctx)->payload_len;
}

/* The rule that reports where in the Read Response the segment stands. A message that began with an
 * empty segment says nothing of its place. */
static struct rules_because requests_step(const struct rules_ctx *ctx) {
  return ctx->facts.step == STEP_LEARN ? rules_unreported() : rules_reported(rulesi_step_rule(ctx));
}

static void requests_read_response(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  struct rules_response *resp = &own->response;
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const struct rules_slot *slot =
      &own->messages.slots[RULES_SLOT_TAGGED]; /* slot before this segment */
  if (ctx->facts.step == STEP_START) {
    requests_response_begins(ctx);
  } else if (ctx->facts.step == STEP_TO_JUMP) {
    resp->jumped = true; /* octets were left out, sent twice, or come in another order */
  } else if (ctx->facts.step == STEP_AFTER_LAST) {
    return; /* the Response was taken for the answer */
  } else if (ctx->facts.step != STEP_CONTINUE) {
    const bool joined_midway = ctx->facts.step == STEP_LEARN && !rules_slot_hidden(slot);
    resp->known = false;
    requests_reset(rules_other_state(ctx), joined_midway
                                               ? rules_reason(rulesi_missing(ctx, ctx->ev->side))
                                               : requests_step(ctx));
  }
  if (!resp->known) {
    return;
  }
  const struct rules_request *other = rulesi_response_other(ctx, &resp->request);
  const uint64_t total = rulesi_response_total(ctx);
  const bool past = total > resp->request.read.size;
  resp->length_reported = resp->length_reported || (past && other == NULL && !resp->jumped);
  if (seg->ddp.last) {
    const bool whole = !resp->length_reported && !resp->jumped;
    const bool cut = other == NULL && resp->request.details && whole;
    requests_remove(ctx, other != NULL ? other->msn : resp->request.msn,
                    ctx->ev->pos + ctx->ev->len);
    resp->known = false;
    resp->left = cut ? resp->request.read.size - (uint32_t)total : 0;
  }
}

static void requests_atomic_response(struct rules_ctx *ctx) {
  const struct rules_request *due = rulesi_awaited_request(ctx);
  if (!rules_seg(ctx)->ddp.last || rules_seg(ctx)->ddp.mo != 0) {
    requests_reset(rules_other_state(ctx), requests_form(ctx));
  } else if (due == NULL) {
    requests_unasked(ctx);
  } else if (!requests_confused(ctx, due)) {
    requests_remove(ctx, due->msn, ctx->ev->pos + ctx->ev->len);
  }
}

/* Requests and Responses: more of them may come in one go. */
static bool requests_serve(uint8_t opcode) {
  switch (iwarp_rdmap_op_get(opcode)->cls) {
  case IWARP_RDMAP_CLASS_READ_REQ:
  case IWARP_RDMAP_CLASS_ATOMIC_REQ:
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: return true;
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_IMMEDIATE:
  case IWARP_RDMAP_CLASS_NONE: break;
  }
  return false;
}

void rulesi_reads_passed(struct rules_tracker *track, const struct rules_passing *by) {
  const uint64_t received = by->received;
  struct rules_requests *due = &track->side[1u - by->side].requests;
  struct rules_requests *own = &track->side[by->side].requests;
  if (received != IWARP_POS_UNKNOWN) {
    track->side[by->side].chain.has_heard = true;
    track->side[by->side].chain.heard = (uint32_t)received;
  }
  if (own->num + due->num == 0) {
    return;
  }
  const bool serves = requests_serve(by->opcode);
  if (own->num > 0 && own->later == 0 && !serves && by->pos >= own->queue[0].end) {
    own->later = by->end;
  }
  if (received == IWARP_POS_UNKNOWN) {
    return;
  }
  if (due->num > 0 && due->later != 0 && !serves && received >= due->later) {
    due->overdue = true;
  }
  if (due->num > 0 && due->passed == 0 && received >= due->queue[0].end) {
    due->passed = by->end;
  }
  if (own->num > 0 && own->passed != 0 && received >= own->passed) {
    own->overdue = true;
  }
}

/* True if the segment answers requests that are to be found again. */
static bool requests_recovering(const struct rules_ctx *ctx) {
  const iwarp_rdmap_class cls = iwarp_rdmap_op_get(rules_seg(ctx)->ctrl.opcode)->cls;
  return rules_other(ctx)->requests.recovery.on &&
         (cls == IWARP_RDMAP_CLASS_READ_RESP || cls == IWARP_RDMAP_CLASS_ATOMIC_RESP);
}

static void requests_recover(struct rules_ctx *ctx) {
  if (rules_seg(ctx)->ddp.last) {
    requests_answer_add(ctx, &rules_other_state(ctx)->requests, ctx->ev->pos + ctx->ev->len);
  }
  rulesi_recover_answer(ctx);
}

/* The message ends a Read Response that is not complete. */
static void requests_interrupted(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  if (own->response.known && rules_seg(ctx)->ddp.tagged) {
    own->response.known = false; /* an RDMA Write in the middle of the Response: reported */
    requests_reset(rules_other_state(ctx), rules_reported(rulesi_step_rule(ctx)));
  }
}

/* A message in its place: a Request, a Response, or another one. */
static void requests_message(struct rules_ctx *ctx) {
  switch (iwarp_rdmap_op_get(rules_seg(ctx)->ctrl.opcode)->cls) {
  case IWARP_RDMAP_CLASS_READ_REQ: requests_add(ctx, false); break;
  case IWARP_RDMAP_CLASS_ATOMIC_REQ: requests_add(ctx, true); break;
  case IWARP_RDMAP_CLASS_READ_RESP: requests_read_response(ctx); break;
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: requests_atomic_response(ctx); break;
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_IMMEDIATE:
  case IWARP_RDMAP_CLASS_NONE: requests_interrupted(ctx); break;
  }
}

void rulesi_reads_update(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const uint8_t opcode = rules_seg(ctx)->ctrl.opcode;
  if (rules_seg(ctx)->ddp.tagged && !ctx->facts.resumes) {
    own->response.left = 0;
  }
  if (ctx->facts.resumes) {
    requests_resumed(ctx);
  } else if (requests_recovering(ctx)) {
    own->response.known = false;
    requests_recover(ctx);
  } else {
    requests_message(ctx);
    rulesi_recover_other(ctx);
  }
  rulesi_reads_passed(rules_state(ctx),
                      &(struct rules_passing){.side = ctx->ev->side,
                                              .opcode = opcode,
                                              .received = rulesi_received(ctx),
                                              .pos = ctx->ev->pos,
                                              .end = ctx->ev->pos + ctx->ev->len});
}

/* The segment may have been an answer. */
static void requests_answer_lost(struct rules_ctx *ctx) {
  rules_own_state(ctx)->response.known = false;
  rules_own_state(ctx)->response.left = 0;
  requests_reset(rules_other_state(ctx), ctx->facts.because);
}

/* A segment with an opcode of no message. On the queue of requests it stands for a request. Where
 * answers come, it stands for an answer if one is expected. */
static void requests_unknown(struct rules_ctx *ctx) {
  const iwarp_ddp_hdr *ddp = &rules_seg(ctx)->ddp;
  if (!ddp->tagged && ddp->qn == IWARP_RDMAP_QN_READ_REQ) {
    requests_reset(rules_own_state(ctx), ctx->facts.because);
  } else if ((ddp->tagged || ddp->qn == IWARP_RDMAP_QN_ATOMIC_RESP) &&
             rules_other(ctx)->requests.num > 0) {
    requests_answer_lost(ctx);
  }
}

void rulesi_reads_invalidate(struct rules_ctx *ctx) {
  switch (iwarp_rdmap_op_get(rules_seg(ctx)->ctrl.opcode)->cls) {
  case IWARP_RDMAP_CLASS_READ_REQ:
  case IWARP_RDMAP_CLASS_ATOMIC_REQ:
    requests_reset(rules_own_state(ctx), ctx->facts.because);
    break;
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: requests_answer_lost(ctx); break;
  case IWARP_RDMAP_CLASS_NONE: requests_unknown(ctx); break;
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_IMMEDIATE: break;
  }
}
