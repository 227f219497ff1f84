/* SPDX-License-Identifier: BSD-2-Clause */
/* Regions and receive buffers of an endpoint. RFC 5041 8, RFC 5040 7.2 */
#include <string.h>

#include "ep_priv.h"

#define EP_ACCESS_ALL                                                                              \
  (IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE | IWARP_ACCESS_REMOTE_ATOMIC)
#define EP_ACCESS_BY_MEM (IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_ATOMIC)
#define EP_ATOMIC_LEN 8u

/* The first row whose STag is not below `stag`. */
static uint32_t memory_row(const iwarp_endpoint *ep, uint32_t stag) {
  uint32_t low = 0;
  uint32_t high = ep->num_regions;
  while (low < high) {
    const uint32_t mid = low + (high - low) / 2;
    if (ep->regions[mid].v.stag < stag) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low;
}

/* The row of `stag`, or EP_NONE. */
uint32_t iwarpi_ep_region(const iwarp_endpoint *ep, uint32_t stag) {
  const uint32_t row = memory_row(ep, stag);
  return row < ep->num_regions && ep->regions[row].v.stag == stag ? row : EP_NONE;
}

/* Whether the octets lie in the region; `to` + `len` does not wrap. RFC 5041 7.1 */
static bool memory_within(const iwarp_endpoint_region *v, uint64_t to, uint32_t len) {
  return to >= v->base && len <= v->len && to - v->base <= v->len - len;
}

/*
 * What is wrong with `len` octets at `to` of region `stag` for access to Tagged memory: the place
 * of the answer in the words tells. The order is that of RFC 5040 7.2 with wrap before bounds, else
 * it would never be told.
 */
uint16_t iwarpi_ep_check_access(const iwarp_endpoint *ep, const ep_words *words, uint32_t stag,
                                uint64_t to, uint32_t len, uint8_t access) {
  const uint32_t row = iwarpi_ep_region(ep, stag);
  if (row == EP_NONE || !ep->regions[row].valid) {
    return words->invalid;
  }
  const iwarp_endpoint_region *v = &ep->regions[row].v;
  if (v->pd != ep->cfg.pd) {
    return words->foreign;
  }
  if (words->access_first && (v->access & access) != access) {
    return words->access;
  }
  if (len > UINT64_MAX - to) {
    return words->wrap;
  }
  if (!memory_within(v, to, len)) {
    return words->bounds;
  }
  return (v->access & access) != access ? words->access : EP_OK;
}

/* The octets at `to`, which lies in the region; it has memory. */
uint8_t *iwarpi_ep_mem(const iwarp_endpoint_region *v, uint64_t to) {
  return v->mem + (size_t)(to - v->base);
}

/* An Atomic Operation at `to`: 8 octets, aligned in memory. RFC 7306 5.2.1, 8.2 */
uint16_t iwarpi_ep_check_atomic(const iwarp_endpoint *ep, uint32_t stag, uint64_t to) {
  const uint16_t word = iwarpi_ep_check_access(ep, &iwarpi_ep_source_words, stag, to, EP_ATOMIC_LEN,
                                               IWARP_ACCESS_REMOTE_ATOMIC);
  if (word != EP_OK) {
    return word;
  }
  const uint8_t *mem = iwarpi_ep_mem(&ep->regions[iwarpi_ep_region(ep, stag)].v, to);
  return (uintptr_t)mem % EP_ATOMIC_LEN != 0 ? EP_TERM_CATASTROPHIC : EP_OK;
}

/* Codes of Layer 1 for Tagged segments (RFC 5041 7.2), of Layer 0 for requests (RFC 5040 4.8). */
const ep_words iwarpi_ep_sink_words = {
    .invalid = 0x1100, .foreign = 0x1102, .wrap = 0x1103, .bounds = 0x1101, .access = 0x1100};
const ep_words iwarpi_ep_source_words = {.invalid = 0x0100,
                                         .foreign = 0x0103,
                                         .wrap = 0x0104,
                                         .bounds = 0x0101,
                                         .access = 0x0102,
                                         .access_first = true};

/* What is wrong with the invalidation of `stag` by the peer. RFC 5040 5.3, 7.2 */
uint16_t iwarpi_ep_check_invalidate(const iwarp_endpoint *ep, uint32_t stag) {
  const uint32_t row = iwarpi_ep_region(ep, stag);
  if (row == EP_NONE || !ep->regions[row].valid) {
    return EP_TERM_INVALIDATE;
  }
  const iwarp_endpoint_region *v = &ep->regions[row].v;
  if (v->pd != ep->cfg.pd) {
    return EP_TERM_INVALIDATE_FOREIGN;
  }
  return v->no_inval || v->access == 0 ? EP_TERM_INVALIDATE : EP_OK;
}

/* ---- calls ---- */

static bool memory_region_ok(const iwarp_endpoint_region *v) {
  if (v->len > UINT64_MAX - v->base || (v->access & ~EP_ACCESS_ALL) != 0) {
    return false;
  }
  return v->mem != NULL ? v->len <= SIZE_MAX : (v->access & EP_ACCESS_BY_MEM) == 0;
}

iwarp_err iwarp_endpoint_register(iwarp_endpoint *ep, const iwarp_endpoint_region *v) {
  const uint32_t row = memory_row(ep, v->stag);
  if (!memory_region_ok(v) || iwarpi_ep_region(ep, v->stag) != EP_NONE) {
    return IWARP_ERR_ARG;
  }
  if (ep->num_regions == ep->cfg.num_regions) {
    return IWARP_ERR_NOBUF;
  }
  memmove(&ep->regions[row + 1], &ep->regions[row],
          (ep->num_regions - row) * sizeof ep->regions[0]);
  ep->regions[row] = (ep_region){.v = *v, .valid = true};
  ep->num_regions++;
  return IWARP_OK;
}

iwarp_err iwarp_endpoint_invalidate(iwarp_endpoint *ep, uint32_t stag) {
  const uint32_t row = iwarpi_ep_region(ep, stag);
  if (row == EP_NONE) {
    return IWARP_ERR_ARG;
  }
  ep->regions[row].valid = false;
  iwarpi_ep_abort_placement(ep, stag);
  return IWARP_OK;
}

iwarp_err iwarp_endpoint_revoke(iwarp_endpoint *ep, uint32_t stag) {
  const iwarp_err err = iwarp_endpoint_invalidate(ep, stag);
  if (err == IWARP_OK) {
    (void)iwarpi_ep_abort_responses(ep, stag);
  }
  return err;
}

iwarp_err iwarp_endpoint_deregister(iwarp_endpoint *ep, uint32_t stag) {
  const uint32_t row = iwarpi_ep_region(ep, stag);
  if (row == EP_NONE) {
    return IWARP_ERR_ARG;
  }
  if (ep->regions[row].uses > 0) {
    return IWARP_ERR_STATE;
  }
  iwarpi_ep_abort_placement(ep, stag);
  ep->num_regions--;
  memmove(&ep->regions[row], &ep->regions[row + 1],
          (ep->num_regions - row) * sizeof ep->regions[0]);
  return IWARP_OK;
}

iwarp_err iwarp_endpoint_recv(iwarp_endpoint *ep, uint64_t token, uint8_t *mem, uint32_t len) {
  const iwarp_err err = iwarpi_ep_dispatch(ep, EP_RECV);
  if (err != IWARP_OK) {
    return err;
  }
  if (ep->rq.num == ep->cfg.num_recvs) {
    return IWARP_ERR_NOBUF;
  }
  ep->recvs[ep_ring_at(&ep->rq, ep->rq.num)] = (ep_recv){.token = token, .mem = mem, .len = len};
  ep->rq.num++;
  ep->low_armed = ep->low_armed || ep->rq.num >= ep->cfg.recv_low;
  return IWARP_OK;
}
