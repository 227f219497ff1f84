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

const struct rules_request *rulesi_reads_ahead(const struct rules_ctx *j, bool atomic) {
  const struct rules_request *due = requests_due(&rules_other(j)->requests, atomic);
  return due != NULL && rulesi_not_received(j, due->end) ? due : NULL;
}

void rulesi_at_ahead(iwarp_finding *f, const struct rules_ctx *j, bool atomic) {
  const struct rules_request *ahead = rulesi_reads_ahead(j, atomic);
  rulesi_at_header(f, j);
  f->other_packet = ahead != NULL ? ahead->packet : 0;
}

uint32_t rulesi_reads_unreceived(const struct rules_ctx *j) {
  const struct rules_requests *r = &rules_own(j)->requests;
  uint32_t num = 0;
  while (num < r->num_answers && rulesi_not_received(j, r->answers[r->num_answers - 1 - num])) {
    num++;
  }
  return num;
}

bool rulesi_reads_limit_of(const struct rules_ctx *j, uint8_t side, uint16_t *limit) {
  const iwarp_observer_side *own = &j->info->side[side];
  const iwarp_observer_side *peer = &j->info->side[1u - side];
  if (rulesi_reply(j) == NULL || !own->enhanced || !peer->enhanced) {
    return false;
  }
  *limit = peer->enh.ird;
  if (own->is_reply && own->enh.ord < *limit) {
    *limit = own->enh.ord; /* the Reply says what its sender really uses */
  }
  return *limit != IWARP_MPA_DEPTH_UNSPEC;
}

bool rulesi_reads_limit(const struct rules_ctx *j, uint16_t *limit) {
  return rulesi_reads_limit_of(j, j->ev->side, limit);
}

bool rulesi_reads_together(const struct rules_ctx *j) {
  const struct rules_requests *r = &rules_own(j)->requests;
  return j->info->sctp && r->num > 0 && r->queue[0].packet == j->ev->first.packet &&
         !rulesi_sctp_evidence(j)->maybe_retransmitted && !j->ev->last.damaged;
}

/* Keeps where an answer ends. */
static void requests_answer_add(struct rules_ctx *j, struct rules_requests *r, uint64_t end) {
  uint64_t *answers = rulesi_grow(j->track->pool, r->answers, &r->cap_answers, r->num_answers,
                                  RULES_READS, sizeof(r->answers[0]));
  if (answers == NULL) {
    r->answers_lost = true;
    return;
  }
  r->answers = answers;
  answers[r->num_answers++] = end;
}

/* Forgets the answers that the side had received when it sent the request under judgement. */
static void requests_answers_received(struct rules_ctx *j, struct rules_requests *r) {
  const uint32_t left = rulesi_reads_unreceived(j);
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
static const struct rules_request *requests_answered(const struct rules_ctx *j, bool atomic) {
  const struct rules_requests *r = &rules_other(j)->requests;
  const iwarp_rdmap_seg *seg = rules_seg(j);
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

const struct rules_request *rulesi_awaited_request(const struct rules_ctx *j) {
  if (rules_opcode(j) == IWARP_RDMAP_OP_ATOMIC_RESP) {
    return requests_answered(j, true);
  }
  if (j->facts.step == STEP_START) {
    return requests_answered(j, false);
  }
  return rules_own(j)->response.known ? &rules_own(j)->response.request : NULL;
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

bool rulesi_reads_resume(const struct rules_ctx *j) {
  const struct rules_slot *slot = &rules_own(j)->messages.slots[RULES_SLOT_TAGGED];
  const iwarp_rdmap_seg *seg = rules_seg(j);
  return j->facts.step == STEP_START && j->facts.depth == DEPTH_MESSAGE &&
         seg->ctrl.opcode == IWARP_RDMAP_OP_READ_RESP && slot->opcode == seg->ctrl.opcode &&
         seg->payload_len > 0 && seg->payload_len <= rules_own(j)->response.left &&
         seg->ddp.stag == slot->stag && seg->ddp.to == slot->next &&
         !requests_one_fits(&rules_other(j)->requests, seg);
}

const struct rules_request *rulesi_response_late(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  if (j->facts.step != STEP_START || j->facts.depth != DEPTH_MESSAGE || j->facts.resumes ||
      seg->ctrl.opcode != IWARP_RDMAP_OP_READ_RESP || seg->ddp.last || seg->payload_len == 0 ||
      rules_other(j)->requests.lost) {
    return NULL;
  }
  const struct rules_request *q = requests_answered(j, false);
  const bool late = q != NULL && q->details && seg->ddp.stag == q->read.sink_stag &&
                    seg->ddp.to != q->read.sink_to &&
                    seg->ddp.to - q->read.sink_to < q->read.size &&
                    seg->payload_len <= q->read.size - (seg->ddp.to - q->read.sink_to);
  return late ? q : NULL;
}

uint64_t rulesi_response_total(const struct rules_ctx *j) {
  const struct rules_slot *slot = &rules_own(j)->messages.slots[RULES_SLOT_TAGGED];
  return (j->facts.step == STEP_START ? 0 : slot->total) + rules_seg(j)->payload_len;
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

const struct rules_request *rulesi_response_other(const struct rules_ctx *j,
                                                  const struct rules_request *request) {
  const struct rules_requests *r = &rules_other(j)->requests;
  const uint64_t total = rulesi_response_total(j);
  const bool ended = rules_seg(j)->ddp.last;
  if (!request->details || (ended ? total == request->read.size : total <= request->read.size)) {
    return NULL;
  }
  for (uint32_t i = 0; i < r->num; i++) {
    const struct rules_request *q = &r->queue[i];
    if (requests_same_place(q, request, rules_seg(j)) &&
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
      read->size > 0 && slot->total == read->size && !resp->length_said && !resp->jumped;
  return in_place && all ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
}

const struct rules_request *rulesi_reads_first(const struct rules_ctx *j) {
  const struct rules_requests *r = &rules_other(j)->requests;
  const bool goes_on = rules_opcode(j) == IWARP_RDMAP_OP_READ_RESP;
  for (uint32_t i = 0; i < r->num; i++) {
    const struct rules_request *q = &r->queue[i];
    if (!(goes_on ? q->overtaken : rulesi_reads_settled(rules_own(j), q))) {
      return q;
    }
  }
  return NULL;
}

bool rulesi_request_whole(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  return seg->ddp.mo == 0 && seg->ddp.last && seg->payload_len == j->facts.op->hdr_len;
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
}

/* Octets of the side under judgement are missing that may hold requests, and answers. Over SCTP
 * what a sender had received is seldom known, so requests stay lost there. */
static void requests_miss(struct rules_ctx *j, struct rules_because why) {
  struct rules_side *own = rules_own_state(j);
  struct rules_side *other = rules_other_state(j);
  rulesi_recover_begin(&own->requests);
  rulesi_recover_miss_requests(&own->requests);
  rulesi_recover_begin(&other->requests);
  rulesi_recover_miss_answers(&other->requests,
                              j->info->sctp ? IWARP_POS_UNKNOWN : j->ev->pos + j->ev->len);
  const bool both =
      rulesi_recover_both_missed(&own->requests) || rulesi_recover_both_missed(&other->requests);
  if (j->info->sctp && both) {
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
static bool requests_misplaced(const struct rules_ctx *j) {
  return j->ev->sctp != NULL && j->ev->kind != IWARP_EVENT_GAP &&
         !rulesi_sctp_certainty(j)->session_unconfirmed;
}

void rulesi_reads_lose(struct rules_ctx *j, struct rules_because why) {
  if (requests_misplaced(j) || why.reason == 0 || (why.reason & ~(uint32_t)REQUESTS_MISSING) != 0) {
    requests_reset(rules_own_state(j), why);
    requests_reset(rules_other_state(j), why);
  } else {
    requests_miss(j, why);
  }
}

/* Takes the request with this MSN away, whose answer ends at `end`; those before it were overtaken.
 */
static void requests_remove(struct rules_ctx *j, uint32_t msn, uint64_t end) {
  struct rules_requests *r = &rules_other_state(j)->requests;
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
  rules_close(&rules_other_state(j)->docket, QUESTION_READS_OVER);
  if (at < r->num) {
    requests_answer_add(j, r, end);
    r->num--;
    memmove(&r->queue[at], &r->queue[at + 1], (r->num - at) * sizeof(r->queue[0]));
  }
}

bool rulesi_reads_response_over(const struct rules_ctx *j) {
  const int opcode = rules_opcode(j);
  const bool begins = rules_seg(j)->ddp.tagged || rules_seg(j)->ddp.mo == 0;
  return begins && opcode != IWARP_RDMAP_OP_READ_RESP && opcode != IWARP_RDMAP_OP_TERMINATE &&
         !rules_other(j)->requests.lost && rulesi_response_full(rules_own(j)) == IWARP_TRISTATE_ON;
}

void rulesi_reads_end_response(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  j->facts.response_packet = own->response.request.packet;
  requests_remove(j, own->response.request.msn, own->end);
  own->response.known = false;
  own->messages.slots[RULES_SLOT_TAGGED].state = SLOT_CLOSED;
}

/* Keeps the request under judgement, if it may be the first one more than were negotiated. */
static void requests_note_over(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  uint16_t limit = 0;
  if (rulesi_may_settle(j) && !rulesi_reads_together(j) &&
      !rules_is_open(&own->docket, QUESTION_READS_OVER) && rulesi_reads_limit(j, &limit) &&
      own->requests.num == limit) {
    rules_open(&own->docket, QUESTION_READS_OVER, true);
    own->late.over = rulesi_keep(j);
    own->late.over_limit = limit;
  }
}

/* The request under judgement. */
static struct rules_request requests_of(const struct rules_ctx *j, bool atomic) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  struct rules_request q = {.atomic = atomic,
                            .details = seg->kind != IWARP_RDMAP_KIND_NONE,
                            .msn = seg->ddp.msn,
                            .packet = j->ev->last.packet,
                            .end = j->ev->pos + j->ev->len};
  if (seg->kind == IWARP_RDMAP_KIND_READ_REQ) {
    q.read = seg->u.read_req;
  } else if (seg->kind == IWARP_RDMAP_KIND_ATOMIC_REQ) {
    q.request_id = seg->u.atomic_req.request_id;
  }
  return q;
}

static void requests_push(struct rules_ctx *j, const struct rules_request *request) {
  struct rules_side *own = rules_own_state(j);
  struct rules_requests *r = &own->requests;
  struct rules_request *queue =
      rulesi_grow(j->track->pool, r->queue, &r->cap, r->num, RULES_READS, sizeof(r->queue[0]));
  if (queue == NULL) {
    requests_reset(own, rules_reason(IWARP_REASON_LIMIT));
    return;
  }
  r->queue = queue;
  requests_note_over(j);
  queue[r->num++] = *request;
}

/* The rule that reports the form of the Request, or of the Atomic Response, under judgement. */
static struct rules_because requests_form(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  const bool read = seg->ctrl.opcode == IWARP_RDMAP_OP_READ_REQ;
  const uint32_t has = seg->ddp.mo + (uint32_t)seg->payload_len;
  if (j->facts.step != STEP_START && j->facts.step != STEP_CONTINUE &&
      j->facts.step != STEP_LEARN) {
    return rules_reported(rulesi_step_rule(j));
  }
  if (j->facts.step == STEP_START && seg->ddp.mo != 0) {
    return rules_reported(RULES_ddp_mo_first);
  }
  if (has <= j->facts.op->hdr_len && (!seg->ddp.last || has == j->facts.op->hdr_len)) {
    const bool full = has == j->facts.op->hdr_len && !seg->ddp.last;
    const uint16_t last = read ? RULES_rdmap_read_request_last : RULES_ddp_last_flag_missing;
    return full ? rules_reported(last) : rules_unreported(); /* it comes in several segments */
  }
  if (read) {
    return rules_reported(RULES_rdmap_read_request_length);
  }
  return rules_reported(seg->ctrl.opcode == IWARP_RDMAP_OP_ATOMIC_REQ
                            ? RULES_rdmap_atomic_request_length
                            : RULES_rdmap_atomic_response_length);
}

static void requests_add(struct rules_ctx *j, bool atomic) {
  struct rules_side *own = rules_own_state(j);
  struct rules_requests *r = &own->requests;
  const struct rules_request request = requests_of(j, atomic);
  rules_close(&own->docket, QUESTION_ANSWER_FIRST);
  requests_answers_received(j, r);
  if (!rulesi_request_whole(j)) {
    requests_reset(own, requests_form(j)); /* whether it is answered cannot be foreseen */
  } else if (r->lost) {
    rulesi_recover_request(j, &request);
  } else {
    requests_push(j, &request);
  }
  r->msn = request.msn + 1;
}

/* Over SCTP whether the request comes later in the capture is known at the end only. */
static bool requests_may_wait(const struct rules_ctx *j) {
  const struct rules_requests *r = &rules_other(j)->requests;
  return rulesi_may_settle(j) && !r->lost && !r->answered_early;
}

/* An answer without a request: the request may only not have been seen yet. */
static void requests_unasked(struct rules_ctx *j) {
  struct rules_side *asked = rules_other_state(j);
  asked->requests.surplus = true;
  if (rulesi_sender_view_complete(j)) {
    return;
  }
  const bool kept = rules_is_open(&asked->docket, QUESTION_ANSWER_FIRST);
  const bool first = !kept && requests_may_wait(j);
  requests_reset(asked, rules_reason(rulesi_missing(j, rules_peer(j))));
  asked->requests.answered_early = !asked->first.seen;
  rules_open(&asked->docket, QUESTION_ANSWER_FIRST, kept || first);
  if (first) {
    rules_own_state(j)->first_event = *j->ev;
    rules_own_state(j)->first_event.sctp = NULL; /* it does not live as long */
  }
}

/* True if the response fits a request that is not the due one, whose header is not there. */
static bool requests_fits_later(const struct rules_ctx *j, const struct rules_request *due) {
  const struct rules_requests *r = &rules_other(j)->requests;
  for (uint32_t i = 0; i < r->num && !due->details; i++) {
    const struct rules_request *q = &r->queue[i];
    if (due->atomic ? requests_atomic_fits(q, rules_seg(j)) : requests_read_fits(q, rules_seg(j))) {
      return true;
    }
  }
  return false;
}

/* It may be the request that is answered, or not. */
static bool requests_confused(struct rules_ctx *j, const struct rules_request *due) {
  struct rules_side *asked = rules_other_state(j);
  if (!rulesi_reads_uncertain(&asked->requests, due) && !requests_fits_later(j, due)) {
    return false;
  }
  requests_reset(asked, rules_reason(asked->chain.gap_reason));
  return true;
}

static void requests_response_begins(struct rules_ctx *j) {
  struct rules_response *resp = &rules_own_state(j)->response;
  const struct rules_request *due = rulesi_awaited_request(j);
  resp->known = due != NULL && !requests_confused(j, due);
  resp->length_said = false;
  resp->jumped = false;
  if (resp->known) {
    resp->request = *due;
  } else if (due == NULL) {
    requests_unasked(j);
  }
}

/* The segment has some of the octets that the Response lacked when it ended. */
static void requests_resumed(struct rules_ctx *j) {
  rules_own_state(j)->response.left -= (uint32_t)rules_seg(j)->payload_len;
}

/* The rule that reports where in the Read Response the segment stands. A message that began with an
 * empty segment says nothing of its place. */
static struct rules_because requests_step(const struct rules_ctx *j) {
  return j->facts.step == STEP_LEARN ? rules_unreported() : rules_reported(rulesi_step_rule(j));
}

static void requests_read_response(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  struct rules_response *resp = &own->response;
  const iwarp_rdmap_seg *seg = rules_seg(j);
  const struct rules_slot *slot =
      &own->messages.slots[RULES_SLOT_TAGGED]; /* as it was before this segment */
  if (j->facts.step == STEP_START) {
    requests_response_begins(j);
  } else if (j->facts.step == STEP_TO_JUMP) {
    resp->jumped = true; /* octets were left out, sent twice, or come in another order */
  } else if (j->facts.step == STEP_AFTER_LAST) {
    return; /* the Response was taken for the answer */
  } else if (j->facts.step != STEP_CONTINUE) {
    const bool learnt = j->facts.step == STEP_LEARN && !rules_slot_hidden(slot);
    resp->known = false;
    requests_reset(rules_other_state(j),
                   learnt ? rules_reason(rulesi_missing(j, j->ev->side)) : requests_step(j));
  }
  if (!resp->known) {
    return;
  }
  const struct rules_request *other = rulesi_response_other(j, &resp->request);
  const uint64_t total = rulesi_response_total(j);
  const bool past = total > resp->request.read.size;
  resp->length_said = resp->length_said || (past && other == NULL && !resp->jumped);
  if (seg->ddp.last) {
    const bool whole = !resp->length_said && !resp->jumped;
    const bool cut = other == NULL && resp->request.details && whole;
    requests_remove(j, other != NULL ? other->msn : resp->request.msn, j->ev->pos + j->ev->len);
    resp->known = false;
    resp->left = cut ? resp->request.read.size - (uint32_t)total : 0;
  }
}

static void requests_atomic_response(struct rules_ctx *j) {
  const struct rules_request *due = rulesi_awaited_request(j);
  if (!rules_seg(j)->ddp.last || rules_seg(j)->ddp.mo != 0) {
    requests_reset(rules_other_state(j), requests_form(j));
  } else if (due == NULL) {
    requests_unasked(j);
  } else if (!requests_confused(j, due)) {
    requests_remove(j, due->msn, j->ev->pos + j->ev->len);
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
static bool requests_recovering(const struct rules_ctx *j) {
  const iwarp_rdmap_class cls = iwarp_rdmap_op_get(rules_seg(j)->ctrl.opcode)->cls;
  return rules_other(j)->requests.recovery.on &&
         (cls == IWARP_RDMAP_CLASS_READ_RESP || cls == IWARP_RDMAP_CLASS_ATOMIC_RESP);
}

static void requests_recover(struct rules_ctx *j) {
  if (rules_seg(j)->ddp.last) {
    requests_answer_add(j, &rules_other_state(j)->requests, j->ev->pos + j->ev->len);
  }
  rulesi_recover_answer(j);
}

/* The message ends a Read Response that is not complete. */
static void requests_interrupted(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  if (own->response.known && rules_seg(j)->ddp.tagged) {
    own->response.known = false; /* an RDMA Write in the middle of the Response: reported */
    requests_reset(rules_other_state(j), rules_reported(rulesi_step_rule(j)));
  }
}

/* A message in its place: a Request, a Response, or another one. */
static void requests_message(struct rules_ctx *j) {
  switch (iwarp_rdmap_op_get(rules_seg(j)->ctrl.opcode)->cls) {
  case IWARP_RDMAP_CLASS_READ_REQ: requests_add(j, false); break;
  case IWARP_RDMAP_CLASS_ATOMIC_REQ: requests_add(j, true); break;
  case IWARP_RDMAP_CLASS_READ_RESP: requests_read_response(j); break;
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: requests_atomic_response(j); break;
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_IMMEDIATE:
  case IWARP_RDMAP_CLASS_NONE: requests_interrupted(j); break;
  }
}

void rulesi_reads_update(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const uint8_t opcode = rules_seg(j)->ctrl.opcode;
  if (rules_seg(j)->ddp.tagged && !j->facts.resumes) {
    own->response.left = 0;
  }
  if (j->facts.resumes) {
    requests_resumed(j);
  } else if (requests_recovering(j)) {
    own->response.known = false;
    requests_recover(j);
  } else {
    requests_message(j);
  }
  rulesi_reads_passed(rules_state(j), &(struct rules_passing){.side = j->ev->side,
                                                              .opcode = opcode,
                                                              .received = rulesi_received(j),
                                                              .pos = j->ev->pos,
                                                              .end = j->ev->pos + j->ev->len});
}

/* It may have been an answer. */
static void requests_answer_lost(struct rules_ctx *j) {
  rules_own_state(j)->response.known = false;
  rules_own_state(j)->response.left = 0;
  requests_reset(rules_other_state(j), j->facts.because);
}

/* A segment with an opcode of no message. On the queue of requests it stands for a request. Where
 * answers come, it stands for an answer if one is expected. */
static void requests_unknown(struct rules_ctx *j) {
  const iwarp_ddp_hdr *ddp = &rules_seg(j)->ddp;
  if (!ddp->tagged && ddp->qn == IWARP_RDMAP_QN_READ_REQ) {
    requests_reset(rules_own_state(j), j->facts.because);
  } else if ((ddp->tagged || ddp->qn == IWARP_RDMAP_QN_ATOMIC_RESP) &&
             rules_other(j)->requests.num > 0) {
    requests_answer_lost(j);
  }
}

void rulesi_reads_invalidate(struct rules_ctx *j) {
  switch (iwarp_rdmap_op_get(rules_seg(j)->ctrl.opcode)->cls) {
  case IWARP_RDMAP_CLASS_READ_REQ:
  case IWARP_RDMAP_CLASS_ATOMIC_REQ: requests_reset(rules_own_state(j), j->facts.because); break;
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: requests_answer_lost(j); break;
  case IWARP_RDMAP_CLASS_NONE: requests_unknown(j); break;
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_IMMEDIATE: break;
  }
}
