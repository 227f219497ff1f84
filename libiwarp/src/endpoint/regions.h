/* SPDX-License-Identifier: BSD-2-Clause */
/* The regions that an endpoint's peer may name, and what is wrong with an access to one. */
#ifndef IWARPI_ENDPOINT_REGIONS_H
#define IWARPI_ENDPOINT_REGIONS_H

#include "state.h"

#define EP_OK UINT16_MAX /* what is wrong is an iwarp_term; this is none */

/* An access to octets of a region. */
typedef struct ep_access {
  uint32_t stag;
  uint64_t to;
  uint32_t len;
  uint8_t rights; /* IWARP_ACCESS_* that it takes */
} ep_access;

/* The iwarp_terms for what is wrong with an access. */
typedef struct ep_access_terms {
  uint16_t invalid;
  uint16_t foreign;
  uint16_t wrap;
  uint16_t bounds;
  uint16_t access;
  bool access_first; /* checked before wrap and bounds */
} ep_access_terms;

extern const ep_access_terms iwarpi_ep_sink_terms;
extern const ep_access_terms iwarpi_ep_source_terms;

bool iwarpi_ep_memory_changed(ep_memory *m);
ep_region *iwarpi_ep_region(const ep_memory *m, uint32_t stag);
uint8_t *iwarpi_ep_mem(const ep_region *region, uint64_t to);
uint16_t iwarpi_ep_check_access(const ep_memory *m, const ep_access_terms *terms, ep_access access);
uint16_t iwarpi_ep_check_atomic(const ep_memory *m, uint32_t stag, uint64_t to);
uint16_t iwarpi_ep_check_invalidate(const ep_memory *m, uint32_t stag);

#endif
