/* SPDX-License-Identifier: BSD-2-Clause */
/* The regions of an endpoint. RFC 5041 8, RFC 5040 7.2 */
#include <string.h>

#include <iwarp/shared.h>

#include "regions.h"

#include "../base/mem.h"

#define MEMORY_ACCESS_ALL                                                                          \
  (IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE | IWARP_ACCESS_REMOTE_ATOMIC)
#define MEMORY_ACCESS_BY_MEM (IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_ATOMIC)
#define MEMORY_ATOMIC_LEN 8u

/* Codes of Layer 1 for Tagged segments (RFC 5041 7.2), of Layer 0 for requests (RFC 5040 4.8). */
const ep_access_terms iwarpi_ep_sink_terms = {.invalid = IWARP_TERM_TAGGED_STAG,
                                              .foreign = IWARP_TERM_TAGGED_STREAM,
                                              .wrap = IWARP_TERM_TAGGED_WRAP,
                                              .bounds = IWARP_TERM_TAGGED_BOUNDS,
                                              .access = IWARP_TERM_TAGGED_STAG};
const ep_access_terms iwarpi_ep_source_terms = {.invalid = IWARP_TERM_PROTECTION_STAG,
                                                .foreign = IWARP_TERM_PROTECTION_STREAM,
                                                .wrap = IWARP_TERM_PROTECTION_WRAP,
                                                .bounds = IWARP_TERM_PROTECTION_BOUNDS,
                                                .access = IWARP_TERM_PROTECTION_ACCESS,
                                                .access_first = true};

/* ---- the table ---- */

/* The first row whose STag is not below `stag`. */
static uint32_t memory_row(const iwarp_regions *r, uint32_t stag) {
  uint32_t low = 0;
  uint32_t high = r->num;
  while (low < high) {
    const uint32_t mid = low + (high - low) / 2;
    if (r->rows[mid].v.stag < stag) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low;
}

static ep_region *memory_find(const iwarp_regions *r, uint32_t stag) {
  const uint32_t row = memory_row(r, stag);
  return row < r->num && r->rows[row].v.stag == stag ? &r->rows[row] : NULL;
}

static bool memory_region_ok(const iwarp_endpoint_region *v) {
  if (v->len > UINT64_MAX - v->base || (v->access & ~MEMORY_ACCESS_ALL) != 0) {
    return false;
  }
  return v->mem != NULL ? v->len <= SIZE_MAX : (v->access & MEMORY_ACCESS_BY_MEM) == 0;
}

/* Bytes before the rows of a shared table. */
#define MEMORY_HEAD mem_up(sizeof(iwarp_regions))

size_t iwarp_regions_size(uint32_t num) {
  return num == 0 || num > IWARP_ENDPOINT_LIST_MAX ? 0 : MEMORY_HEAD + num * sizeof(ep_region);
}

iwarp_err iwarp_regions_init(iwarp_regions **out, void *mem, size_t mem_len, uint32_t num) {
  const iwarp_err err = mem_error(out, mem, mem_len, iwarp_regions_size(num));
  if (err != IWARP_OK) {
    return err;
  }
  *out = mem;
  **out = (iwarp_regions){.rows = (void *)((uint8_t *)mem + MEMORY_HEAD), .cap = num};
  return IWARP_OK;
}

iwarp_err iwarp_regions_register(iwarp_regions *r, const iwarp_endpoint_region *v) {
  const uint32_t row = memory_row(r, v->stag);
  if (!memory_region_ok(v) || memory_find(r, v->stag) != NULL) {
    return IWARP_ERR_ARG;
  }
  if (r->num == r->cap) {
    return IWARP_ERR_NOBUF;
  }
  memmove(&r->rows[row + 1], &r->rows[row], (r->num - row) * sizeof r->rows[0]);
  r->rows[row] = (ep_region){.v = *v, .valid = true};
  r->num++;
  return IWARP_OK;
}

/* Ends all access to the region. */
static void memory_invalidate(iwarp_regions *r, ep_region *region) {
  region->valid = false;
  r->changes++;
}

iwarp_err iwarp_regions_invalidate(iwarp_regions *r, uint32_t stag) {
  ep_region *region = memory_find(r, stag);
  if (region == NULL) {
    return IWARP_ERR_ARG;
  }
  memory_invalidate(r, region);
  return IWARP_OK;
}

iwarp_err iwarp_regions_revoke(iwarp_regions *r, uint32_t stag) {
  ep_region *region = memory_find(r, stag);
  if (region == NULL) {
    return IWARP_ERR_ARG;
  }
  memory_invalidate(r, region);
  region->revoked = true;
  return IWARP_OK;
}

iwarp_err iwarp_regions_deregister(iwarp_regions *r, uint32_t stag) {
  ep_region *region = memory_find(r, stag);
  if (region == NULL) {
    return IWARP_ERR_ARG;
  }
  memory_invalidate(r, region);
  if (region->uses > 0) {
    return IWARP_ERR_STATE;
  }
  const size_t row = (size_t)(region - r->rows);
  r->num--;
  memmove(region, region + 1, (r->num - row) * sizeof r->rows[0]);
  return IWARP_OK;
}

/* ---- the regions seen from an endpoint ---- */

/* iwarpi_ep_region returns the region of `stag`, or NULL. */
ep_region *iwarpi_ep_region(const ep_memory *m, uint32_t stag) {
  return memory_find(m->regions, stag);
}

/* iwarpi_ep_memory_changed says once that the table has changed. */
bool iwarpi_ep_memory_changed(ep_memory *m) {
  const bool changed = m->seen != m->regions->changes;
  m->seen = m->regions->changes;
  return changed;
}

/* Returns true if the octets lie in the region; `to` + `len` does not wrap. RFC 5041 7.1 */
static bool memory_within(const iwarp_endpoint_region *v, uint64_t to, uint32_t len) {
  return to >= v->base && len <= v->len && to - v->base <= v->len - len;
}

/* Returns the error of an access to `region`, which may be NULL. */
static iwarp_term memory_check(const ep_memory *m, const ep_access_terms *terms,
                               const ep_region *region, const ep_access *access) {
  if (region == NULL || !region->valid) {
    return terms->invalid;
  }
  const iwarp_endpoint_region *v = &region->v;
  if (v->pd != m->pd) {
    return terms->foreign;
  }
  if (terms->access_first && (v->access & access->rights) != access->rights) {
    return terms->access;
  }
  if (access->len > UINT64_MAX - access->to) {
    return terms->wrap;
  }
  if (!memory_within(v, access->to, access->len)) {
    return terms->bounds;
  }
  return (v->access & access->rights) != access->rights ? terms->access : EP_OK;
}

/*
 * iwarpi_ep_check_access returns the error of an access, one of `terms`, or EP_OK. The checks have
 * the order of RFC 5040 7.2, except that wrap comes before bounds: else no wrap would be reported.
 */
iwarp_term iwarpi_ep_check_access(const ep_memory *m, const ep_access_terms *terms,
                                  ep_access access) {
  return memory_check(m, terms, iwarpi_ep_region(m, access.stag), &access);
}

/* iwarpi_ep_mem returns the octets at `to`, which lies in the region; it has memory. */
uint8_t *iwarpi_ep_mem(const ep_region *region, uint64_t to) {
  return region->v.mem + (size_t)(to - region->v.base);
}

/* An Atomic Operation at `to`: 8 octets, aligned in memory. RFC 7306 5.2.1, 8.2 */
iwarp_term iwarpi_ep_check_atomic(const ep_memory *m, uint32_t stag, uint64_t to) {
  const ep_access access = {
      .stag = stag, .to = to, .len = MEMORY_ATOMIC_LEN, .rights = IWARP_ACCESS_REMOTE_ATOMIC};
  const ep_region *region = iwarpi_ep_region(m, stag);
  const iwarp_term term = memory_check(m, &iwarpi_ep_source_terms, region, &access);
  if (term != EP_OK) {
    return term;
  }
  return (uintptr_t)iwarpi_ep_mem(region, to) % MEMORY_ATOMIC_LEN != 0 ? IWARP_TERM_OPERATION_STREAM
                                                                       : EP_OK;
}

/* Returns the error of an invalidation of `stag` by the peer. RFC 5040 5.3, 7.2 */
iwarp_term iwarpi_ep_check_invalidate(const ep_memory *m, uint32_t stag) {
  const ep_region *region = iwarpi_ep_region(m, stag);
  if (region == NULL || !region->valid) {
    return IWARP_TERM_OPERATION_INVALIDATE;
  }
  if (region->v.pd != m->pd) {
    return IWARP_TERM_PROTECTION_INVALIDATE;
  }
  return region->v.no_inval || region->v.access == 0 ? IWARP_TERM_OPERATION_INVALIDATE : EP_OK;
}
