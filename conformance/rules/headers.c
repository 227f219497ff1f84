/* SPDX-License-Identifier: BSD-2-Clause */
/* DDP headers of a side, for a Terminate of the other side that returns one. */
#include "headers.h"

#include <string.h>

#include "forgotten.h"
#include "memory.h"
#include "state.h"

/* Returns false if there is no memory for another header. */
RULES_RARE static bool headers_room(const struct rules_tracker *track, struct rules_side *own) {
  struct rules_header *headers =
      rulesi_grow(track->pool, own->headers.entry, &own->headers.cap, (uint32_t)own->headers.num,
                  own->headers.max, sizeof(own->headers.entry[0]));
  own->headers.entry = headers != NULL ? headers : own->headers.entry;
  own->headers.lost = own->headers.lost || headers == NULL;
  if (headers == NULL) {
    rules_because_add(&own->headers.because, rules_reason(IWARP_REASON_LIMIT));
  }
  return headers != NULL;
}

/* Returns the place of the next header, in a full table the place of the oldest one. NULL: there is
 * no memory. */
static inline struct rules_header *headers_next(const struct rules_tracker *track,
                                                struct rules_side *own) {
  const bool full = own->headers.num >= own->headers.cap;
  if (full && own->headers.num < own->headers.max && !headers_room(track, own)) {
    return NULL;
  }
  if (own->headers.num >= own->headers.max) {
    rulesi_forget(track, own);
  }
  return &own->headers.entry[own->headers.num++ & (own->headers.max - 1u)];
}

void rulesi_headers_add(struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  struct rules_header *h = headers_next(ctx->track, rules_own_state(ctx));
  if (h != NULL) {
    size_t len = 0;
    h->end = (uint16_t)((ctx->ev->pos + ctx->ev->len) >> 2);
    iwarp_ddp_hdr_encode(h->octets, sizeof(h->octets), &len, &f->seg.ddp);
    h->ulpdu_length = f->fpdu.ulpdu_length;
  }
}

_Static_assert(IWARP_DDP_TAGGED_LEN + IWARP_MPA_CRC_LEN >= IWARP_DDP_UNTAGGED_LEN,
               "a whole FPDU has octets for either header");

/* Copies as many octets as the longer header has, since a constant number is fast. */
void rulesi_headers_add_fpdu(const struct rules_tracker *track, struct rules_side *own,
                             const iwarp_observer_fpdu *restrict f) {
  struct rules_header *h = headers_next(track, own);
  if (h != NULL) {
    h->end = (uint16_t)((f->pos + f->wire.len) >> 2);
    const uint8_t *from = f->wire.ptr + IWARP_MPA_LENGTH_LEN; /* bound: an FPDU with its header */
    memcpy(h->octets, from, IWARP_DDP_UNTAGGED_LEN);
    h->ulpdu_length = f->ulpdu_length;
  }
}
