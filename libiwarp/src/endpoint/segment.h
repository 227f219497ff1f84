/* SPDX-License-Identifier: BSD-2-Clause */
/* An FPDU of an endpoint's peer, and the segment in it. */
#ifndef IWARPI_ENDPOINT_SEGMENT_H
#define IWARPI_ENDPOINT_SEGMENT_H

#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>

/* Octets of an FPDU that were read straight into place: those of its payload among them lie there,
 * the others where its octets are put together. Offsets count from the start of its wire form. */
typedef struct ep_landed {
  size_t from;
  size_t to;    /* the octet after the last one; 0: there are none */
  uint8_t *dst; /* place of the first octet of payload */
  uint32_t crc; /* of all octets before `to`, but the CRC field */
} ep_landed;

typedef struct ep_fpdu {
  uint64_t offset;    /* stream offset of its first octet */
  iwarp_mpa_fpdu mpa; /* only ulpdu_length is left of one that was placed before its turn */
  bool crc_bad;
  iwarp_span octets; /* the first ones of the ULPDU, at least its headers, lying together */
  iwarp_rdmap_seg seg;
  ep_landed landed;
} ep_fpdu;

/* The segment of an FPDU whose DDP header is there. */
typedef struct ep_segment {
  const ep_fpdu *fpdu;
  const iwarp_ddp_hdr *ddp;
  const iwarp_rdmap_op *op;
  uint8_t opcode;
  uint32_t len; /* octets after the DDP header */
  bool first;   /* of the connection, and the RTR message may be due */
} ep_segment;

#endif
