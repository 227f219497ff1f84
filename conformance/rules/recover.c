/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds again which requests of a side wait, after octets of either direction are missing.
 *
 * Requests have consecutive MSNs on queue 1 (RFC 5041 5.3) and are answered in their order
 * (RFC 5040 5.5). So an MSN names a request, and one MSN is the next to be answered. While that
 * number is not known, it lies in a range:
 *
 *   lo                    the oldest request that may wait
 *   lo + may              the oldest one that waits for certain
 *
 * - Missing octets of the requester hide requests. The MSN of its next request tells how many.
 * - Missing octets of the responder may hold answers to all requests that were sent before the
 *   requester had received these octets: `may` grows.
 * - Events of a direction that lacks octets may come late. So the answer to a request may come
 *   before the request, if its sender had received that: `may` grows with such a request.
 * - An answer moves the range on. It fits some of the requests in the range only, by STag, TO,
 *   length or Request Identifier, so the range becomes smaller.
 *
 * Over SCTP positions count messages, and what a requester had received is seldom known. There
 * every request before the next answer counts as sent before what is missing of the responder was
 * received. Where messages of both sides are missing, a session may have ended and another begun
 * among them: its requests are not found again.
 *
 * In a connection without faults the right number never leaves the range. Requests are known again
 * once the range is one number, nothing in the queue is hidden, and an answer fitted the oldest
 * request. Until then rules on requests are inconclusive. An answer that fits a later request
 * proves less: the answers to those before it may be missing, or the responder has changed the
 * order.
 *
 * Where the capture begins, it is not known how many requests wait. No answer proves it, since an
 * older request may have the same sink. So the most likely reading alone goes on there (`joined`).
 * It counts answers and requests since the capture began, and keeps by how many they may be apart.
 * An answer that fits no request at a distance rules that distance out. Requests are known again in
 * two cases:
 *
 * - Several answers in a row fit at one distance alone, and no other request is like one of theirs.
 * - The responder sends many other messages, after as many answers as there were requests.
 */
#include "recover.h"

#include <string.h>

#include "evidence.h"
#include "memory.h"
#include "state.h"

#define RECOVER_ANY 0x40000000u /* `may`: all requests, and those that are hidden */

#define JOINED_APART 32u /* places by which answers may be early or late */
#define JOINED_KEPT 128u /* requests that are compared */
#define JOINED_RUN 6u    /* answers in a row that show the distance */
#define JOINED_QUIET 64u /* messages without an answer that show that no request waits */

typedef struct rules_requests requests;
typedef struct rules_recovery recovery;

/* ---- what is missing ---- */

/* True if the queue holds the requests with MSNs up to the last one, and none was overtaken. */
static bool recover_in_order(const requests *r) {
  for (uint32_t i = 0; i < r->num; i++) {
    if (r->queue[i].overtaken || r->msn - r->queue[i].msn != r->num - i) {
      return false;
    }
  }
  return true;
}

void rulesi_recover_begin(requests *r) {
  if (!r->lost) {
    r->recovery = (recovery){.on = recover_in_order(r), .num = r->num, .lo = r->msn - r->num};
  }
}

void rulesi_recover_join(requests *r) {
  r->guessed = false;
  r->recovery = (recovery){.on = true, .joined = true, .fits = UINT64_MAX};
}

void rulesi_recover_stop(requests *r) {
  r->recovery = (recovery){0};
}

/* Begins again where nothing is known of the requests that wait. Returns false if more is known. */
static bool recover_joins_again(requests *r) {
  if (r->recovery.joined) {
    rulesi_recover_join(r);
  }
  return r->recovery.joined;
}

void rulesi_recover_miss_requests(requests *r) {
  recovery *v = &r->recovery;
  if (recover_joins_again(r)) {
    return;
  }
  v->gapped = true;
  v->requests_missed = true;
  if (v->gap_end != 0) {
    v->may = RECOVER_ANY; /* the answers may be missing as well */
  }
}

void rulesi_recover_miss_answers(requests *r, uint64_t end) {
  recovery *v = &r->recovery;
  if (recover_joins_again(r)) {
    return;
  }
  v->may = v->gapped ? RECOVER_ANY : r->msn - v->lo;
  v->gap_end = end > v->gap_end ? end : v->gap_end;
  v->answers_missed = true;
}

bool rulesi_recover_both_missed(const requests *r) {
  return r->recovery.requests_missed && r->recovery.answers_missed;
}

/* ---- requests ---- */

static bool recover_push(requests *r, const iwarp_pool *pool, const struct rules_request *request) {
  recovery *v = &r->recovery;
  struct rules_request *queue =
      rulesi_grow(pool, r->queue, &r->cap, v->num, RULES_READS, sizeof(r->queue[0]));
  if (queue == NULL) {
    rulesi_recover_stop(r);
    rules_because_add(&r->because, rules_reason(IWARP_REASON_LIMIT));
    return false;
  }
  r->queue = queue;
  queue[v->num++] = *request;
  return true;
}

/* Keeps a request for each MSN that the missing octets held and that no answer has taken. */
static bool recover_push_hidden(requests *r, const iwarp_pool *pool, uint32_t msn) {
  const recovery *v = &r->recovery;
  const uint32_t missing = msn - r->msn;
  const uint32_t answered = v->lo + v->num - r->msn; /* missing requests with an answer */
  bool ok = v->gapped ? missing <= RULES_READS && answered <= missing : missing == 0;
  for (uint32_t i = answered; ok && i < missing; i++) {
    ok = recover_push(r, pool, &(struct rules_request){.msn = r->msn + i, .msn_only = true});
  }
  return ok;
}

/* True if answers to the request may be among the missing octets, or came before its event. */
static bool recover_may_be_answered(const recovery *v, const struct rules_ctx *ctx,
                                    const struct rules_request *request) {
  const uint64_t received = rulesi_received(ctx);
  const bool missing = v->gap_end != 0 && (received == IWARP_POS_UNKNOWN || received < v->gap_end);
  return missing || request->end <= v->received;
}

static void recover_drop(requests *r, uint32_t num);

/* True if a message whose sender had received the request was judged before the request. */
static bool recover_was_heard(const struct rules_ctx *ctx, const struct rules_request *request) {
  const struct rules_side *other = rules_other(ctx);
  return other->chain.has_heard && other->chain.heard - (uint32_t)request->end <= UINT32_MAX / 2u;
}

/* If an MSN is missing, the requests before it do not count. An answer that was judged before its
 * request was not counted: requests count from the next one on. */
static void recover_join_request(struct rules_ctx *ctx, const struct rules_request *request) {
  requests *r = &rules_own_state(ctx)->requests;
  recovery *v = &r->recovery;
  if (recover_was_heard(ctx, request)) {
    rulesi_recover_join(r);
    return;
  }
  if (v->lo + v->num > 0 && request->msn != r->msn) {
    rulesi_recover_join(r);
  }
  if (v->num == JOINED_KEPT) {
    recover_drop(r, 1);
  }
  recover_push(r, ctx->track->pool, request);
}

void rulesi_recover_request(struct rules_ctx *ctx, const struct rules_request *request) {
  requests *r = &rules_own_state(ctx)->requests;
  recovery *v = &r->recovery;
  if (v->joined) {
    recover_join_request(ctx, request);
    return;
  }
  if (!v->on) {
    return;
  }
  if (!recover_push_hidden(r, ctx->track->pool, request->msn)) {
    rulesi_recover_stop(r);
    return;
  }
  const uint32_t before = v->num;
  if (!recover_push(r, ctx->track->pool, request)) {
    return;
  }
  v->gapped = false;
  if (v->may > before) {
    v->may = before;
  }
  if (recover_may_be_answered(v, ctx, request)) {
    v->may = v->num;
  }
}

/* ---- answers ---- */

/* What the end of an answer tells. */
struct recover_answer {
  bool whole; /* the first segment was seen, so `total` is the length of the answer */
  uint64_t total;
};

/* STag and TO of octets in no segment mean nothing. RFC 5041 5.2 */
static bool recover_fits_read(const iwarp_rdmap_read_req *read, const iwarp_rdmap_seg *seg,
                              const struct recover_answer *is) {
  if (is->whole && is->total != read->size) {
    return false;
  }
  return seg->payload_len == 0 || (seg->ddp.stag == read->sink_stag &&
                                   seg->ddp.to + seg->payload_len == read->sink_to + read->size);
}

static bool recover_fits(const struct rules_request *q, const struct rules_ctx *ctx,
                         const struct recover_answer *is) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  if (q->msn_only) {
    return true;
  }
  if (rulesi_not_received(ctx, q->end) || q->atomic != !seg->ddp.tagged) {
    return false;
  }
  if (!q->details) {
    return true;
  }
  return q->atomic ? seg->kind == IWARP_RDMAP_KIND_ATOMIC_RESP &&
                         seg->u.atomic_resp.request_id == q->request_id
                   : recover_fits_read(&q->read, seg, is);
}

/* Takes the `num` oldest requests out of the queue; there may be fewer in it. */
static void recover_drop(requests *r, uint32_t num) {
  recovery *v = &r->recovery;
  const uint32_t kept = num < v->num ? num : v->num;
  if (kept > 0) {
    v->num -= kept;
    memmove(r->queue, &r->queue[kept], v->num * sizeof(r->queue[0]));
  }
  v->lo += num;
}

/* The requests in the range that the answer fits: the first of them, and the last one. */
struct recover_range {
  bool any;
  uint32_t first;
  uint32_t last;
};

static void recover_add(struct recover_range *range, uint32_t at) {
  range->first = range->any ? range->first : at;
  range->last = at;
  range->any = true;
}

static struct recover_range recover_search(const requests *r, const struct rules_ctx *ctx,
                                           const struct recover_answer *is) {
  const recovery *v = &r->recovery;
  struct recover_range range = {0};
  for (uint32_t i = 0; i < v->num && i <= v->may; i++) {
    if (recover_fits(&r->queue[i], ctx, is)) {
      recover_add(&range, i);
    }
  }
  if (v->gapped && v->may >= v->num) {
    recover_add(&range, v->num);
    range.last = v->may;
  }
  return range;
}

/* True if a request of the queue is missing from the capture. */
static bool recover_hides(const requests *r) {
  for (uint32_t i = 0; i < r->recovery.num; i++) {
    if (r->queue[i].msn_only) {
      return true;
    }
  }
  return false;
}

/* True if the answer proves which requests wait. After an Atomic Response a Tagged message, which
 * may be the rest of a Read Response, must not be under way out of sight. */
static bool recover_proves(const struct rules_ctx *ctx, const requests *r,
                           const struct recover_range *range) {
  const recovery *v = &r->recovery;
  if (!rules_seg(ctx)->ddp.tagged &&
      rules_own(ctx)->messages.slots[RULES_SLOT_TAGGED].state == SLOT_UNKNOWN) {
    return false;
  }
  return range->first == 0 && range->last == 0 && v->num > 0 && r->queue[0].details && !v->gapped &&
         !recover_hides(r);
}

static void recover_end(requests *r) {
  r->num = r->recovery.num;
  r->lost = false;
  r->because = (struct rules_because){0};
  r->recovery = (recovery){0};
}

/* Over SCTP the request of a later event ends the recovery: recover_take. */
static void recover_note_received(const struct rules_ctx *ctx, recovery *v) {
  const uint64_t received = rulesi_received(ctx);
  if (!ctx->info->sctp && received > v->received) {
    v->received = received;
  }
}

static void recover_take(struct rules_ctx *ctx, const struct recover_answer *is) {
  requests *r = &rules_other_state(ctx)->requests;
  recovery *v = &r->recovery;
  recover_note_received(ctx, v);
  const struct recover_range range = recover_search(r, ctx, is);
  if (!range.any && ctx->info->sctp) { /* the request may come later in the capture */
    rulesi_recover_stop(r);
    return;
  }
  if (!range.any) { /* a fault: the answer may be that to any of them, or to none */
    v->may += v->may < RECOVER_ANY ? 1u : 0u;
    return;
  }
  const bool proved = recover_proves(ctx, r, &range);
  recover_drop(r, range.first + 1);
  v->may = range.last >= RECOVER_ANY ? RECOVER_ANY : range.last - range.first;
  if (ctx->info->sctp) {
    v->gap_end = 0; /* answers before this one answer older requests, not later ones */
  }
  if (proved) {
    recover_end(r);
  }
}

/* ---- where the capture begins ---- */

/* The last `num` requests are known to wait. */
static void recover_join_end(requests *r, uint32_t num) {
  recover_drop(r, r->recovery.num - num);
  recover_end(r);
  r->guessed = true;
}

static bool recover_alike(const struct rules_request *a, const struct rules_request *b) {
  if (a->atomic || b->atomic) {
    return a->atomic == b->atomic && a->request_id == b->request_id;
  }
  return a->read.sink_stag == b->read.sink_stag && a->read.sink_to == b->read.sink_to &&
         a->read.size == b->read.size;
}

/* True if an answer to the request has octets that name it. */
static bool recover_named(const struct rules_request *q) {
  return q->details && (q->atomic || q->read.size != 0);
}

/* True if no other request in the queue is like the one at `at`. */
static bool recover_unique(const requests *r, uint32_t at) {
  for (uint32_t i = 0; i < r->recovery.num; i++) {
    if (i != at && recover_alike(&r->queue[i], &r->queue[at])) {
      return false;
    }
  }
  return true;
}

/* True if the answers of a run fit requests that no other request is like; `at` is the last of
 * them. Where more requests wait than the requester has buffers, answers fit later requests too. */
static bool recover_distinct(const requests *r, uint32_t at) {
  bool distinct = r->recovery.answers >= JOINED_RUN && at + 1u >= JOINED_RUN;
  for (uint32_t i = 0; distinct && i < JOINED_RUN; i++) {
    distinct = recover_named(&r->queue[at - i]) && recover_unique(r, at - i);
  }
  return distinct;
}

/* Compares the answer with the request at each distance. */
static struct recover_range recover_join_compare(requests *r, const struct rules_ctx *ctx,
                                                 const struct recover_answer *is) {
  recovery *v = &r->recovery;
  struct recover_range range = {0};
  for (uint32_t bit = 0; bit < 2u * JOINED_APART; bit++) {
    const uint32_t at = v->answers + bit - JOINED_APART - v->lo; /* index in the queue */
    if ((v->fits >> bit & 1u) == 0 || at > UINT32_MAX / 2u) {
      continue; /* the request is not kept, or is older than the capture */
    }
    if (at < v->num && recover_fits(&r->queue[at], ctx, is)) {
      recover_add(&range, at);
    } else {
      v->fits &= ~((uint64_t)1 << bit);
    }
  }
  return range;
}

static void recover_join_answer(struct rules_ctx *ctx, const struct recover_answer *is) {
  requests *r = &rules_other_state(ctx)->requests;
  recovery *v = &r->recovery;
  const struct recover_range range = recover_join_compare(r, ctx, is);
  v->answers++;
  v->quiet = 0;
  v->asked = v->lo + v->num;
  if (v->fits == 0) { /* a fault, or the request comes later in the capture */
    rulesi_recover_join(r);
  } else if (range.any && range.first == range.last && recover_distinct(r, range.first)) {
    recover_join_end(r, v->num - range.first - 1u);
  }
}

void rulesi_recover_other(struct rules_ctx *ctx) {
  requests *r = &rules_other_state(ctx)->requests;
  recovery *v = &r->recovery;
  if (!v->joined || !rules_seg(ctx)->ddp.last) {
    return;
  }
  v->quiet++;
  if (v->quiet >= JOINED_QUIET && v->answers >= v->asked) {
    recover_join_end(r, v->lo + v->num - v->asked);
  }
}

void rulesi_recover_answer(struct rules_ctx *ctx) {
  const struct rules_slot *slot = &rules_own(ctx)->messages.slots[RULES_SLOT_TAGGED];
  const enum rules_step step = ctx->facts.step;
  const bool tagged = rules_seg(ctx)->ddp.tagged;
  requests *r = &rules_other_state(ctx)->requests;
  const bool in_place = step == STEP_START || step == STEP_CONTINUE || step == STEP_LEARN;
  if (!r->recovery.on) {
    return;
  }
  if (!in_place || (!tagged && rules_seg(ctx)->ddp.mo != 0)) {
    if (!recover_joins_again(r)) {
      rulesi_recover_stop(r);
    }
  } else if (rules_seg(ctx)->ddp.last) {
    const bool goes_on = tagged && step == STEP_CONTINUE;
    const struct recover_answer is = {
        .whole = step == STEP_START || !tagged || (goes_on && slot->start_seen),
        .total = (goes_on ? slot->total : 0) + rules_seg(ctx)->payload_len};
    (r->recovery.joined ? recover_join_answer : recover_take)(ctx, &is);
  }
}
