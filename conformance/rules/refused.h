/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that their receiver has to refuse: RFC 5040 7.2, RFC 5041 7.1, RFC 5044 6. */
#ifndef IWARP_RULES_REFUSED_H
#define IWARP_RULES_REFUSED_H

#include "context.h"

/* True if a wrong CRC is a fault of its own: no other fault explains it. */
bool rulesi_crc_due(const struct rules_ctx *ctx);

/* True if the CRC is wrong for certain; else *reason is why it may not be, IWARP_REASON_*. */
bool rulesi_crc_wrong(const struct rules_ctx *ctx, uint32_t *reason);

/* mpa.crc fails on the FPDU. */
void rulesi_crc_fails(const struct rules_ctx *ctx);

/* ON if the answer under judgement begins, and answers a request that came with such a segment of
 * the other side, or after it. UNKNOWN: the number of answers that are expected before it is not
 * known. */
iwarp_tristate rulesi_refused_answered(const struct rules_ctx *ctx);

/*
 * True at the end of a stream over TCP if the side had to refuse a segment, and closes with a FIN
 * but no Terminate. Everything that the side sent had arrived when that segment was sent, or one
 * after it. So its FIN was free to go, and its ULP closed after the segment had come. After a wrong
 * CRC the ULP may close as it likes: RFC 5044 8.
 */
bool rulesi_refused_closed(const struct rules_ctx *ctx);

/* True if the Terminate under judgement returns the header of a segment that came after the refused
 * one. RFC 5040 7.1 */
bool rulesi_refused_passed_over(const struct rules_ctx *ctx);

/* rulesi_refused_update keeps the first segment that the receiver has to refuse, and counts the
 * answers after it. It comes before the update of the requests. */
void rulesi_refused_update(struct rules_ctx *ctx);

/* rulesi_refused_heard keeps whether the sender of a segment of `own` had received all of `other`.
 * `received` is the position up to which it had. It serves segments with an event and without. */
static inline void rulesi_refused_heard(struct rules_side *own, const struct rules_side *other,
                                        uint64_t received) {
  if (own->refused.error != ERROR_NONE) {
    own->refused.peer_all_acked = other->chain.seen && received == other->end;
  }
}

#endif
