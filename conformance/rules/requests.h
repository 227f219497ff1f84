/* SPDX-License-Identifier: BSD-2-Clause */
/* The requests for RDMA Reads and Atomic Operations that wait for an answer, and views on them. */
#ifndef IWARP_RULES_REQUESTS_H
#define IWARP_RULES_REQUESTS_H

#include "context.h"

/* The oldest request of this kind, which the sender of the answer under judgement is known not to
 * have received yet, or NULL. */
const struct rules_request *rulesi_reads_ahead(const struct rules_ctx *ctx, bool atomic);

/* Adds to a finding the octets of the answer and the packet of that request. */
void rulesi_at_ahead(iwarp_finding *f, const struct rules_ctx *ctx, bool atomic);

/* How many requests this side may have outstanding: RFC 6581 9.1. False when that was not
 * negotiated. */
bool rulesi_reads_limit(const struct rules_ctx *ctx, uint16_t *limit);

/* As rulesi_reads_limit, for either side. */
bool rulesi_reads_limit_of(const struct rules_ctx *ctx, uint8_t side, uint16_t *limit);

/* Over SCTP: the oldest request stands in the packet of the one under judgement, so that nothing
 * has answered it. */
bool rulesi_reads_together(const struct rules_ctx *ctx);

/* Least number of requests of the side whose responses it had certainly not received when it sent
 * the segment under judgement. */
uint32_t rulesi_reads_unreceived(const struct rules_ctx *ctx);

/* The request that the Read Response or Atomic Response under judgement answers, or NULL. */
const struct rules_request *rulesi_awaited_request(const struct rules_ctx *ctx);

/* True if the segment goes on where a Read Response ended with L too early, and no request expects
 * a response there. */
bool rulesi_reads_resume(const struct rules_ctx *ctx);

/* The Read whose Response begins with another octet than its first, which may come after it; or
 * NULL. */
const struct rules_request *rulesi_response_late(const struct rules_ctx *ctx);

/* Octets of the Read Response under judgement so far. */
uint64_t rulesi_response_total(const struct rules_ctx *ctx);

/* The Read with the same sink that, by its length, the Response answers in place of `request`, or
 * may answer while it goes on; or NULL. */
const struct rules_request *rulesi_response_other(const struct rules_ctx *ctx,
                                                  const struct rules_request *request);

/* True if the answer of `by` to the request is not judged any more: a later request was answered
 * before it, or all octets have come without L. */
bool rulesi_reads_settled(const struct rules_side *by, const struct rules_request *q);

/* ON if a Read Response of `by` has not ended, but has all octets of its Read, each once and in its
 * place. Unknown: the number of octets is unknown. */
iwarp_tristate rulesi_response_full(const struct rules_side *by);

/* The oldest request of the other side that is not settled, or NULL. */
const struct rules_request *rulesi_reads_first(const struct rules_ctx *ctx);

/* True if the response may answer the request, or the oldest of its kind: it does not fit that one,
 * and what it would have to fit of this one is not there. */
bool rulesi_reads_uncertain(const struct rules_requests *r, const struct rules_request *q);

/* The request under judgement is a whole one, in one segment, of the length that it must have. */
bool rulesi_request_whole(const struct rules_ctx *ctx);

/* rulesi_reads_update keeps requests, and removes answered ones. */
void rulesi_reads_update(struct rules_ctx *ctx);

/* An FPDU that may pass a request by. */
struct rules_passing {
  uint8_t side;
  uint8_t opcode;
  uint64_t received; /* position up to which its sender had received the other stream */
  uint64_t pos;
  uint64_t end;
};

/* rulesi_reads_passed notes whether the oldest request is passed by: both sides send on, each
 * knowing what the other sent. */
void rulesi_reads_passed(struct rules_tracker *track, const struct rules_passing *by);

/* rulesi_reads_response_over returns true if the segment begins another message, and the Read
 * Response under way has all octets of its Read: only L is missing. */
bool rulesi_reads_response_over(const struct rules_ctx *ctx);

/* rulesi_reads_end_response ends that Read Response. */
void rulesi_reads_end_response(struct rules_ctx *ctx);

/* rulesi_reads_lose: octets of the side under judgement are missing, or tell nothing. Where a fault
 * is not the reason, the requests that wait are to be found again. */
void rulesi_reads_lose(struct rules_ctx *ctx, struct rules_because why);

/* rulesi_reads_begin_again: which requests of a side wait was guessed wrongly. */
void rulesi_reads_begin_again(struct rules_tracker *track, uint8_t side);

/* rulesi_reads_invalidate: a segment that is not followed may have been a request or an answer. */
void rulesi_reads_invalidate(struct rules_ctx *ctx);

#endif
