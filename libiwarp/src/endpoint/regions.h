/* SPDX-License-Identifier: BSD-2-Clause */
/* The regions that an endpoint's peer may name, and the checks of an access. */
#ifndef IWARPI_ENDPOINT_REGIONS_H
#define IWARPI_ENDPOINT_REGIONS_H

#include "state.h"

/* An access to octets of a region. */
typedef struct ep_access {
  uint32_t stag;
  uint64_t to;
  uint32_t len;
  uint8_t rights; /* IWARP_ACCESS_* that it takes */
} ep_access;

/* The error for each way in which an access can be wrong. */
typedef struct ep_access_terms {
  iwarp_term invalid;
  iwarp_term foreign;
  iwarp_term wrap;
  iwarp_term bounds;
  iwarp_term access;
  bool access_first; /* checked before wrap and bounds */
} ep_access_terms;

extern const ep_access_terms iwarpi_ep_sink_terms;
extern const ep_access_terms iwarpi_ep_source_terms;

bool iwarpi_ep_memory_changed(ep_memory *m);
ep_region *iwarpi_ep_region(const ep_memory *m, uint32_t stag);
uint8_t *iwarpi_ep_mem(const ep_region *region, uint64_t to);
iwarp_term iwarpi_ep_check_access(const ep_memory *m, const ep_access_terms *terms,
                                  ep_access access);
iwarp_term iwarpi_ep_check_atomic(const ep_memory *m, uint32_t stag, uint64_t to);
iwarp_term iwarpi_ep_check_invalidate(const ep_memory *m, uint32_t stag);

#endif
