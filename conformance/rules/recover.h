/* SPDX-License-Identifier: BSD-2-Clause */
/* Which requests wait for an answer, found again after octets of either direction are missing. */
#ifndef IWARP_RULES_RECOVER_H
#define IWARP_RULES_RECOVER_H

#include "context.h"

/* rulesi_recover_begin keeps the requests that wait, before they are marked as lost. It has no
 * effect on requests that are lost already. */
void rulesi_recover_begin(struct rules_requests *r);

/* rulesi_recover_join begins where nothing is known of the requests that wait. */
void rulesi_recover_join(struct rules_requests *r);

/* rulesi_recover_stop gives up: a fault, or the beginning of the capture, hides requests. */
void rulesi_recover_stop(struct rules_requests *r);

/* rulesi_recover_miss_requests: requests may be among octets of their side that are missing. */
void rulesi_recover_miss_requests(struct rules_requests *r);

/* rulesi_recover_miss_answers: answers may be among octets of the other side that are missing;
 * `end` is the position after these octets. */
void rulesi_recover_miss_answers(struct rules_requests *r, uint64_t end);

/* True if octets of both sides were missing since the requests were known. */
bool rulesi_recover_both_missed(const struct rules_requests *r);

/* rulesi_recover_request takes the request under judgement while requests of its side are lost. */
void rulesi_recover_request(struct rules_ctx *ctx, const struct rules_request *request);

/* rulesi_recover_answer takes the segment of a Read Response or Atomic Response under judgement
 * while requests of the other side are lost. It ends that as soon as answers prove which requests
 * wait. */
void rulesi_recover_answer(struct rules_ctx *ctx);

/* rulesi_recover_other takes a message of the side under judgement that answers no request. */
void rulesi_recover_other(struct rules_ctx *ctx);

#endif
