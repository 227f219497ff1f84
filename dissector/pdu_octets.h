/* SPDX-License-Identifier: BSD-2-Clause */
/* The octets of a PDU that is kept, and its headers decoded. */
#ifndef DISSECTOR_PDU_OCTETS_H
#define DISSECTOR_PDU_OCTETS_H

#include <iwarp/pdu.h>

#include "frames.h"

/* pdu_decoded is a PDU of a frame that is being shown. */
typedef struct pdu_decoded {
  const frame_pdu *pdu;
  iwarp_span octets; /* available ones, borrowed from the frame or from the capture file's memory */
  iwarp_mpa_layout layout; /* an FPDU: its layout */
  bool has_seg;            /* `seg` is set: an FPDU or a message over SCTP with a DDP Segment */
  iwarp_rdmap_seg seg;     /* the DDP Segment; its spans lie in `head` or `octets` */
  uint8_t head[IWARP_RDMAP_HDR_MAX];
} pdu_decoded;

/* pdu_decode decodes a PDU of a frame. `out` must stay where it is. */
void pdu_decode(pdu_decoded *out, const frame_pdu *pdu, tvbuff_t *frame);

/* pdu_fpdu makes the decoded FPDU again. */
iwarp_mpa_fpdu pdu_fpdu(const frame_pdu *pdu, iwarp_span octets);

/* pdu_walk begins to walk it, part by part; false: there is nothing to walk. */
bool pdu_walk(iwarp_pdu_iter *it, const frame_pdu *pdu, iwarp_span octets);

#endif
