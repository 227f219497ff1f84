/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of requests of a side, and which of them end where octets of the other one are missing.
 */
#include "links_queue.h"

#include <string.h>

#include "memory.h"

typedef struct rules_links_side links_side;
typedef struct rules_link_request links_request;

void rulesi_links_count(links_side *s, uint32_t from, uint32_t to, bool in) {
  for (uint32_t i = from; i < to; i++) {
    const links_request *q = &s->queue[i];
    if (q->kind == LINK_READ) {
      s->reads = in ? s->reads + 1 : s->reads - 1;
    } else if (q->kind == LINK_MISSING) {
      s->missing = in ? s->missing + q->number : s->missing - q->number;
    }
  }
}

void rulesi_links_drop(links_side *s, uint32_t at) {
  if (at > s->ended) {
    rulesi_links_count(s, s->ended, at, false);
    s->ended = at;
  }
  s->first = at;
  s->crossed = s->crossed > at ? s->crossed : at;
}

/* Moves the queue to the beginning of its memory once half of that is free: each request is moved
 * once for each time that it was added. */
static void links_compact(links_side *s) {
  const uint32_t free = s->first;
  if (s->end < s->cap || free < s->cap / 2 || free == 0) {
    return;
  }
  memmove(s->queue, &s->queue[free], (s->end - free) * sizeof(s->queue[0]));
  s->first = 0;
  s->end -= free;
  s->ended -= free;
  s->crossed -= free;
}

bool rulesi_links_push(links_side *s, const iwarp_pool *pool, const links_request *q) {
  if (s->end - s->first == RULES_LINKS) {
    rulesi_links_drop(s, s->first + 1);
  }
  links_compact(s);
  links_request *queue =
      rulesi_grow(pool, s->queue, &s->cap, s->end, 2 * RULES_LINKS, sizeof(s->queue[0]));
  if (queue == NULL) {
    rulesi_links_drop(s, s->end);
    s->complete = false;
    return false;
  }
  s->queue = queue;
  s->queue[s->end++] = *q;
  rulesi_links_count(s, s->end - 1, s->end, true);
  return true;
}

/* ---- octets that are missing ---- */

/* Octets of an FPDU that holds a Tagged segment with so much payload. */
static uint64_t links_fpdu(uint64_t payload) {
  return ((IWARP_MPA_LENGTH_LEN + IWARP_DDP_TAGGED_LEN + payload + 3) & ~UINT64_C(3)) +
         IWARP_MPA_CRC_LEN;
}

/* Octets of a Read Response with so much payload, in segments as large as its earlier ones. */
static uint64_t links_fpdus(uint64_t payload, uint32_t segment) {
  const uint64_t whole = segment != 0 && payload > segment ? (payload - 1) / segment : 0;
  return whole * links_fpdu(segment) + links_fpdu(payload - whole * segment);
}

/* Octets of a response, or messages over SCTP. */
static uint64_t links_cost(const links_request *q, const struct rules_link_response *r, bool sctp) {
  if (sctp) {
    return 1;
  }
  if (q->kind == LINK_MISSING) {
    return q->number * links_fpdu(0);
  }
  if (q->kind == LINK_ATOMIC) {
    return IWARP_MPA_LENGTH_LEN + IWARP_DDP_UNTAGGED_LEN + IWARP_RDMAP_ATOMIC_RESP_LEN +
           IWARP_MPA_CRC_LEN;
  }
  return links_fpdus(r->open && r->number == q->number ? r->left : q->size, r->segment);
}

/* The requests before `at` may have been answered by octets that are missing. */
static void links_end(links_side *s, uint32_t at) {
  rulesi_links_count(s, s->ended, at, false);
  s->ended = at;
}

/* True if other FPDUs may have taken so many octets, which stand beside the responses. */
static bool links_room(uint64_t len, const iwarp_observer_info *info, uint8_t side) {
  return len == 0 || len >= links_fpdu(0) || info->sctp ||
         info->side[side].markers != IWARP_TRISTATE_OFF;
}

void rulesi_links_claim(struct rules_links *links, const iwarp_observer_info *info, uint8_t side) {
  links_side *s = &links->side[1u - side];
  const struct rules_link_response *r = &links->side[side].response;
  uint64_t left = s->gap_left;
  uint32_t at = s->ended;
  while (at < s->end && links_cost(&s->queue[at], r, info->sctp) <= left) {
    left -= links_cost(&s->queue[at++], r, info->sctp);
    if (!links_room(left, info, side)) {
      continue;
    }
    s->unconfirmed = left != 0 && !info->sctp;
    if (!s->unconfirmed) {
      links_end(s, at);
      s->gap_left = left;
    }
  }
}

/* Requests that wait, as far as that is known. */
static uint32_t links_waiting(const links_side *s) {
  return s->end - s->ended;
}

void rulesi_links_decide(struct rules_links *links, const iwarp_observer_info *info, uint8_t side) {
  links_side *s = &links->side[1u - side];
  const struct rules_link_response *r = &links->side[side].response;
  if (links_waiting(s) <= s->most) {
    return;
  }
  if (!s->unconfirmed) {
    s->most = links_waiting(s);
    s->reached = 0;
  } else if (s->reached == RULES_LINKS_REACHED) {
    const uint64_t cost = links_cost(&s->queue[s->ended], r, info->sctp);
    s->gap_left -= cost < s->gap_left ? cost : s->gap_left;
    links_end(s, s->ended + 1);
    s->unconfirmed =
        s->ended < s->crossed && links_cost(&s->queue[s->ended], r, info->sctp) <= s->gap_left;
  }
}

void rulesi_links_answered(links_side *s) {
  const bool full = !s->unconfirmed && links_waiting(s) == s->most;
  s->reached += full && s->reached < RULES_LINKS_REACHED ? 1u : 0u;
}
