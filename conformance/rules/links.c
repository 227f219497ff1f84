/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Links responses with requests for callers that show them.
 *
 * As long as requests.c knows which requests wait, the request is the one by which the rules judge
 * the response. Where octets are missing the rules say nothing more. A link then rests on what
 * still holds: responses come in the order of the requests. MSNs on queue 1 count the missing
 * requests, and MSNs on queue 3 count Atomic Responses. Missing octets held no more responses than
 * fit into them.
 */
#include "links.h"

#include <string.h>

#include "evidence.h"
#include "links_queue.h"
#include "memory.h"
#include "requests.h"

#define LINKS_MISSING_MAX 0xffffu /* requests in a row: MSNs that differ more are wrong ones */

typedef struct rules_links_side links_side;
typedef struct rules_link_request links_request;

/* ---- memory ---- */

struct rules_links *rulesi_links_make(const iwarp_pool *pool) {
  struct rules_links *links = pool != NULL ? pool->get(pool->ctx, sizeof(*links)) : NULL;
  if (links != NULL) {
    memset(links, 0, sizeof(*links));
  }
  return links;
}

void rulesi_links_release(const iwarp_pool *pool, struct rules_links *links) {
  for (unsigned i = 0; links != NULL && i < 2; i++) {
    rulesi_give_back(pool, links->side[i].queue, links->side[i].cap, sizeof(links_request));
  }
  rulesi_give_back(pool, links, 1, sizeof(*links));
}

/* ---- octets that are missing ---- */

/* Octets of the side are missing, or tell nothing: as many responses as fit into them may be among
 * them. */
static void links_lose(struct rules_links *links, const struct rules_ctx *ctx, uint64_t len) {
  links_side *own = &links->side[ctx->ev->side];
  links_side *s = &links->side[rules_peer(ctx)];
  s->gap_left = len;
  s->gap_end = ctx->info->sctp ? 0 : ctx->ev->pos + ctx->ev->len;
  s->crossed = s->end;
  rulesi_links_claim(links, ctx->info, ctx->ev->side);
  own->gapped = true;
  own->response.open = false;
}

/* True if octets are missing that the other side sent after the request came: what is missing in a
 * row comes as one. */
static bool links_inside_gap(const links_side *s, const struct rules_ctx *ctx) {
  const uint64_t received = rulesi_received(ctx);
  return received != IWARP_POS_UNKNOWN && received < s->gap_end;
}

/* ---- requests ---- */

/* MSNs count from 1 after the startup. RFC 5041 5.3 */
static void links_begin(links_side *s, const struct rules_ctx *ctx) {
  const iwarp_observer_side *side = &ctx->info->side[ctx->ev->side];
  if (!s->begun) {
    s->begun = true;
    s->complete = side->has_startup || (ctx->info->sctp && side->start_known);
    s->msn_atomic = s->complete;
    s->msn = s->complete ? 1 : rules_seg(ctx)->ddp.msn;
  }
}

/* Requests among the octets that are missing, as the MSN of the next one tells. */
static void links_add_missing(links_side *s, const iwarp_pool *pool, uint32_t msn) {
  const uint32_t num = msn - s->msn;
  if (s->gapped && num != 0 && num <= LINKS_MISSING_MAX) {
    s->msn_atomic = false;
    if (num > s->early) {
      rulesi_links_push(s, pool, &(links_request){.kind = LINK_MISSING, .number = num - s->early});
    }
  }
  s->gapped = false;
  s->early = 0;
}

static links_request links_request_of(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  links_request q = {.kind = LINK_READ,
                     .details = seg->kind != IWARP_RDMAP_KIND_NONE,
                     .msn = seg->ddp.msn,
                     .end = ctx->ev->pos + ctx->ev->len};
  if (seg->ctrl.opcode == IWARP_RDMAP_OP_ATOMIC_REQ) {
    q.kind = LINK_ATOMIC;
    q.name = q.details ? seg->u.atomic_req.request_id : 0;
  } else if (q.details) {
    q.name = seg->u.read_req.sink_stag;
    q.to = seg->u.read_req.sink_to;
    q.size = seg->u.read_req.size;
  }
  return q;
}

/* True if it is known which requests wait. */
static bool links_counted(const links_side *s) {
  return s->complete && s->missing == 0 && !s->unconfirmed;
}

static void links_add(struct rules_links *links, const struct rules_ctx *ctx) {
  links_side *s = &links->side[ctx->ev->side];
  const iwarp_pool *pool = ctx->track->pool;
  if (rules_seg(ctx)->ddp.mo != 0) {
    return; /* the request is the first segment */
  }
  links_begin(s, ctx);
  links_request q = links_request_of(ctx);
  links_add_missing(s, pool, q.msn);
  s->msn = q.msn + 1;
  s->num_atomic += q.kind == LINK_ATOMIC ? 1u : 0u;
  q.nth = s->num_atomic;
  q.number = ++s->num;
  const bool kept = rulesi_links_push(s, pool, &q);
  links->last.kind = IWARP_LINK_REQUEST;
  links->last.request = q.number;
  if (kept) {
    rulesi_links_decide(links, ctx->info, rules_peer(ctx));
  }
  links->last.reads_known = kept && q.kind == LINK_READ && links_counted(s);
  links->last.reads = links->last.reads_known ? s->reads : 0;
  if (kept && links_inside_gap(s, ctx)) {
    s->crossed = s->end;
    rulesi_links_claim(links, ctx->info, rules_peer(ctx));
  }
}

/* ---- which request a response answers ---- */

/* What a segment tells of the Read that it answers. */
enum links_fit {
  FIT_NOT = 0,
  FIT_INSIDE, /* the segment may go on with a Response whose beginning is missing */
  FIT_BEGINS  /* the segment may begin the Response */
};

static enum links_fit links_fits(const links_request *q, const iwarp_rdmap_seg *seg) {
  if (q->kind != LINK_READ || !q->details) {
    return FIT_NOT;
  }
  if (q->size == 0 || seg->payload_len == 0) { /* STag and TO of an empty one mean nothing */
    return q->size == seg->payload_len ? FIT_BEGINS : FIT_NOT;
  }
  const uint64_t off = seg->ddp.to - q->to;
  if (q->name != seg->ddp.stag || off >= q->size || seg->payload_len > q->size - off) {
    return FIT_NOT;
  }
  return off == 0 ? FIT_BEGINS : FIT_INSIDE;
}

/* The first request between `from` and `to` that the responder has received and that the segment
 * fits, or NULL. */
static links_request *links_search(const links_side *s, uint32_t from, uint32_t to,
                                   const struct rules_ctx *ctx) {
  for (uint32_t i = from; i < to; i++) {
    links_request *q = &s->queue[i];
    if (q->kind != LINK_MISSING && rulesi_not_received(ctx, q->end)) {
      return NULL;
    }
    if (links_fits(q, rules_seg(ctx)) != FIT_NOT) {
      return q;
    }
  }
  return NULL;
}

/* The oldest request that waits and is not of the kind `other`, whose response is another one, or
 * NULL. */
static links_request *links_oldest(const links_side *s, enum rules_link_kind other) {
  for (uint32_t i = s->ended; i < s->end; i++) {
    if (s->queue[i].kind != other) {
      return &s->queue[i];
    }
  }
  return NULL;
}

static uint32_t links_at(const links_side *s, const links_request *q) {
  return (uint32_t)(q - s->queue);
}

/* The response is one to a request that is missing. */
static void links_answer_missing(links_side *s, links_request *q) {
  if (q == NULL || q->kind != LINK_MISSING) {
    s->early++;
    return;
  }
  s->missing--;
  if (--q->number == 0) {
    rulesi_links_drop(s, links_at(s, q) + 1);
  }
}

/* True if more than one request may be meant, since some earlier requests are not known. */
static bool links_ambiguous(const links_side *s, const links_request *q,
                            const struct rules_ctx *ctx) {
  return !s->complete && links_search(s, links_at(s, q) + 1, s->end, ctx) != NULL;
}

static links_request *links_read_begins(links_side *s, const struct rules_ctx *ctx) {
  links_request *oldest = links_oldest(s, LINK_ATOMIC);
  if (oldest != NULL && oldest->kind == LINK_READ && !oldest->details) {
    return oldest;
  }
  if (oldest != NULL && oldest->kind == LINK_MISSING) {
    if (rules_seg(ctx)->ddp.last) {
      links_answer_missing(s, oldest);
    }
    return NULL;
  }
  links_request *q = links_search(s, s->ended, s->end, ctx);
  q = q != NULL ? q : links_search(s, s->first, s->ended, ctx);
  if (q == NULL && rules_seg(ctx)->ddp.last) {
    links_answer_missing(s, NULL);
  } else if (q != NULL && links_ambiguous(s, q, ctx)) {
    rulesi_links_drop(s, links_at(s, q) + (rules_seg(ctx)->ddp.last ? 1u : 0u));
    return NULL;
  }
  return q;
}

/* The request with this number, or NULL. */
static links_request *links_numbered(const links_side *s, uint64_t number) {
  for (uint32_t i = s->first; i < s->end; i++) {
    if (s->queue[i].kind != LINK_MISSING && s->queue[i].number == number) {
      return &s->queue[i];
    }
  }
  return NULL;
}

static links_request *links_read(links_side *s, const struct rules_link_response *r,
                                 const struct rules_ctx *ctx) {
  const iwarp_ddp_hdr *ddp = &rules_seg(ctx)->ddp;
  const bool empty = rules_seg(ctx)->payload_len == 0;
  if (r->open && (empty || (ddp->stag == r->stag && ddp->to == r->next))) {
    return links_numbered(s, r->number);
  }
  return links_read_begins(s, ctx);
}

/* The Atomic Request that the MSN of the response counts to, or NULL. */
static links_request *links_atomic_nth(const links_side *s, uint32_t nth, uint32_t name) {
  for (uint32_t i = s->first; i < s->end; i++) {
    links_request *q = &s->queue[i];
    if (q->kind == LINK_ATOMIC && q->nth == nth) {
      return !q->details || q->name == name ? q : NULL;
    }
  }
  return NULL;
}

static links_request *links_atomic(links_side *s, const iwarp_rdmap_seg *seg) {
  if (seg->kind != IWARP_RDMAP_KIND_ATOMIC_RESP) {
    return NULL;
  }
  const uint32_t name = seg->u.atomic_resp.request_id;
  links_request *q = s->msn_atomic ? links_atomic_nth(s, seg->ddp.msn - s->atomic_base, name)
                                   : links_oldest(s, LINK_READ);
  if (q == NULL || q->kind == LINK_MISSING) {
    links_answer_missing(s, q);
    return NULL;
  }
  if (q->details && q->name != name) {
    return NULL;
  }
  if (!s->msn_atomic && s->missing == 0) {
    s->msn_atomic = true;
    s->atomic_base = seg->ddp.msn - q->nth;
  }
  return q;
}

/* ---- responses ---- */

/* True if the rules know which request the response answers; *out is that request, or NULL. */
static bool links_tracked(links_request **out, const links_side *s, const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  if (r->lost || !ctx->facts.placed || ctx->facts.depth < DEPTH_MESSAGE) {
    return false;
  }
  *out = NULL;
  const struct rules_request *due = ctx->facts.resumes ? NULL : rulesi_awaited_request(ctx);
  if (due == NULL || rulesi_reads_uncertain(r, due)) {
    return true;
  }
  for (uint32_t i = s->first; i < s->end && *out == NULL; i++) {
    const bool same = s->queue[i].kind != LINK_MISSING && s->queue[i].msn == due->msn;
    *out = same ? &s->queue[i] : NULL;
  }
  return true;
}

/* Requests that seemed to be answered by octets that are missing wait, if one before them does. */
static void links_recount(links_side *s, uint32_t at) {
  if (at < s->ended) {
    rulesi_links_count(s, at, s->ended, true);
    s->ended = at;
  }
}

/* How far the Response has come. */
static void links_go_on(struct rules_link_response *r, const links_request *q,
                        const iwarp_rdmap_seg *seg) {
  const uint64_t done = seg->ddp.to - q->to + seg->payload_len;
  *r = (struct rules_link_response){.open = q->kind == LINK_READ && !seg->ddp.last,
                                    .stag = seg->ddp.stag,
                                    .left = done < q->size ? q->size - (uint32_t)done : 0,
                                    .next = seg->ddp.to + seg->payload_len,
                                    .segment = seg->ddp.last || seg->payload_len < r->segment
                                                   ? r->segment
                                                   : (uint32_t)seg->payload_len,
                                    .number = q->number};
}

/* True if the response may as well answer another request: what is missing may have held a response
 * or not. */
static bool links_unconfirmed(const links_side *s, uint32_t at, const struct rules_ctx *ctx) {
  return s->unconfirmed && rules_seg(ctx)->ddp.tagged &&
         (links_search(s, s->first, at, ctx) != NULL ||
          links_search(s, at + 1, s->end, ctx) != NULL);
}

static void links_answer(struct rules_links *links, const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  links_side *s = &links->side[rules_peer(ctx)];
  struct rules_link_response *r = &links->side[ctx->ev->side].response;
  links_request *q = NULL;
  if (!links_tracked(&q, s, ctx)) {
    q = seg->ddp.tagged ? links_read(s, r, ctx) : links_atomic(s, seg);
  }
  if (q == NULL) {
    r->open = r->open && !seg->ddp.tagged;
    return;
  }
  const uint32_t at = links_at(s, q);
  const bool counted = q->kind == LINK_ATOMIC && s->msn_atomic;
  if (counted || (at >= s->crossed && !links_unconfirmed(s, at, ctx))) {
    links->last.kind = IWARP_LINK_RESPONSE;
    links->last.request = q->number;
  }
  if (seg->ddp.tagged) {
    links_go_on(r, q, seg);
  }
  s->complete = true;
  links_recount(s, at);
  if (seg->ddp.last) {
    rulesi_links_answered(s);
  }
  rulesi_links_drop(s, at + (seg->ddp.last ? 1u : 0u));
  s->unconfirmed = s->unconfirmed && s->reads > 0;
}

/* ---- events ---- */

/* ON if the segment goes on with the message before it, where the rules know. */
static iwarp_tristate links_goes_on(const struct rules_ctx *ctx) {
  if (!ctx->facts.placed || ctx->facts.step == STEP_NONE || ctx->facts.step == STEP_LEARN) {
    return IWARP_TRISTATE_UNKNOWN;
  }
  const bool begins = ctx->facts.step == STEP_START || ctx->facts.step == STEP_RESTART ||
                      ctx->facts.step == STEP_TAGGED_IN_TAGGED;
  return begins ? IWARP_TRISTATE_OFF : IWARP_TRISTATE_ON;
}

/* True if the headers say what the segment is, whatever its CRC says. */
static bool links_legible(const iwarp_rdmap_seg *seg) {
  const iwarp_rdmap_op *op = seg->has_ddp ? iwarp_rdmap_op_get(seg->ctrl.opcode) : NULL;
  return op != NULL && op->assigned && seg->ddp.tagged == op->tagged &&
         (op->tagged || seg->ddp.qn == op->qn);
}

static void links_segment(struct rules_links *links, const struct rules_ctx *ctx) {
  if (!links_legible(rules_seg(ctx))) {
    links_lose(links, ctx, ctx->info->sctp ? 1 : ctx->ev->len);
    return;
  }
  links->last.goes_on = links_goes_on(ctx);
  switch (iwarp_rdmap_op_get(rules_seg(ctx)->ctrl.opcode)->cls) {
  case IWARP_RDMAP_CLASS_READ_REQ:
  case IWARP_RDMAP_CLASS_ATOMIC_REQ: links_add(links, ctx); break;
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: links_answer(links, ctx); break;
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_IMMEDIATE:
  case IWARP_RDMAP_CLASS_NONE: break;
  }
}

void rulesi_links_event(struct rules_links *links, const struct rules_ctx *ctx) {
  const iwarp_event_kind kind = ctx->ev->kind;
  if (links == NULL) {
    return;
  }
  links->last = (iwarp_link){.goes_on = IWARP_TRISTATE_UNKNOWN};
  if (kind == IWARP_EVENT_FPDU || kind == IWARP_EVENT_SCTP_SEGMENT) {
    links_segment(links, ctx);
  } else if (kind == IWARP_EVENT_GAP) {
    links_lose(links, ctx, ctx->ev->sctp != NULL ? ctx->ev->sctp->u.gap.missing : ctx->ev->len);
  } else if (kind == IWARP_EVENT_UNDECODABLE) {
    links_lose(links, ctx, ctx->ev->len);
  }
}
