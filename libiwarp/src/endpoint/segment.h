/* SPDX-License-Identifier: BSD-2-Clause */
/* An FPDU of an endpoint's peer, and the segment in it. */
#ifndef IWARPI_ENDPOINT_SEGMENT_H
#define IWARPI_ENDPOINT_SEGMENT_H

#include "state.h"

typedef struct ep_fpdu {
  uint64_t offset;    /* stream offset of its first octet */
  iwarp_mpa_fpdu mpa; /* only ulpdu_length is left of one that was placed before its turn */
  bool crc_bad;
  bool first;        /* it is the first FPDU of the connection, and may be the RTR message */
  iwarp_span octets; /* the first ones of the ULPDU, at least its headers, lying together */
  iwarp_rdmap_seg seg;
  ep_committed committed;
} ep_fpdu;

/* The segment of an FPDU whose DDP header is there. */
typedef struct ep_segment {
  const ep_fpdu *fpdu;
  const iwarp_ddp_hdr *ddp;
  const iwarp_rdmap_op *op;
  uint8_t opcode;
  uint32_t len; /* octets after the DDP header */
} ep_segment;

#endif
