/* SPDX-License-Identifier: BSD-2-Clause */
/* The Read and Atomic Requests of an endpoint's peer that are not answered yet. */
#ifndef IWARPI_ENDPOINT_PEER_REQUESTS_H
#define IWARPI_ENDPOINT_PEER_REQUESTS_H

#include <iwarp/rdmap.h>

#include "ring.h"

typedef struct ep_inbound {
  bool atomic;
  bool asked;    /* the ULP was asked to do it */
  bool answered; /* and did */
  bool sent;     /* its Response is over, which an earlier one may not be */
  uint64_t original;
  uint64_t offset; /* stream offset of the FPDU that its last segment came in */
  union {
    iwarp_rdmap_read_req read;
    iwarp_rdmap_atomic_req atomic;
  } u;
  uint8_t header[IWARP_DDP_UNTAGGED_LEN]; /* of its last segment, */
  uint16_t segment_len;                   /* which has so many octets */
} ep_inbound;

typedef struct ep_inbounds {
  ep_ring ring;
  ep_inbound *slots;
  uint32_t served; /* of the ring, from its head: Responses given to the transmit engine */
} ep_inbounds;

#endif
