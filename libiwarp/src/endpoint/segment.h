/* SPDX-License-Identifier: BSD-2-Clause */
/* An FPDU of an endpoint's peer, and the segment in it. */
#ifndef IWARPI_ENDPOINT_SEGMENT_H
#define IWARPI_ENDPOINT_SEGMENT_H

#include "state.h"

typedef struct ep_fpdu {
  uint64_t offset;    /* stream offset of its first octet */
  iwarp_mpa_fpdu mpa; /* an FPDU placed before its turn: only ulpdu_length is set */
  bool crc_bad;
  bool first;        /* the first FPDU of the connection, perhaps the RTR message */
  iwarp_span octets; /* first octets of the ULPDU, at least its headers, contiguous */
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
