/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that their receiver has to refuse: RFC 5040 7.2, RFC 5041 7.1, RFC 5044 6. */
#ifndef IWARP_RULES_REFUSED_H
#define IWARP_RULES_REFUSED_H

#include "context.h"

/* A wrong CRC is one: nothing else that is wrong explains it. */
bool rulesi_crc_due(const struct rules_ctx *j);

/* And it is wrong for certain; false: why it may not be, IWARP_REASON_*. */
bool rulesi_crc_wrong(const struct rules_ctx *j, uint32_t *reason);

/* mpa.crc fails on the FPDU. */
void rulesi_crc_fails(const struct rules_ctx *j);

/* ON if the answer under judgement begins, and is to the request that came with such a segment of
 * the other side, or after it. UNKNOWN: how many were due before it is not known. */
iwarp_tristate rulesi_refused_answered(const struct rules_ctx *j);

/*
 * At the end of a stream over TCP: the side had such a segment of the other one, and closes with a
 * FIN, without a Terminate. All that it sent before had arrived when that segment was sent, or one
 * after it, so that its FIN did not wait for anything: it was asked for after the segment had come.
 * A wrong CRC leaves it to the ULP how it ends: RFC 5044 8.
 */
bool rulesi_refused_closed(const struct rules_ctx *j);

/* True if the Terminate under judgement returns the header of a segment that came after that one.
 * RFC 5040 7.1 */
bool rulesi_refused_passed_over(const struct rules_ctx *j);

/* In the tracker's update, before the requests. */
void rulesi_refused_update(struct rules_ctx *j);

/* The part of that for any segment of `own`, with an event or without: `received` is how much of
 * the stream of `other` its sender had received. */
static inline void rulesi_refused_heard(struct rules_side *own, const struct rules_side *other,
                                        uint64_t received) {
  if (own->refused.error != ERROR_NONE) {
    own->refused.peer_all_acked = other->chain.seen && received == other->end;
  }
}

#endif
