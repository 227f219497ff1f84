/* SPDX-License-Identifier: BSD-2-Clause */
/* The octets of a PDU that is kept, and its headers decoded. */
#ifndef DISSECTOR_PDU_OCTETS_H
#define DISSECTOR_PDU_OCTETS_H

#include <iwarp/pdu.h>

#include "frames.h"

/* pdu_octets returns the octets that are available, borrowed from the frame or from the capture
 * file's memory. */
iwarp_span pdu_octets(const frame_pdu *pdu, tvbuff_t *frame);

/* pdu_fpdu makes the decoded FPDU again. */
iwarp_mpa_fpdu pdu_fpdu(const frame_pdu *pdu, iwarp_span octets);

/* pdu_segment decodes the DDP Segment of an FPDU or of a message over SCTP; false: it has none. */
bool pdu_segment(iwarp_rdmap_seg *seg, uint8_t head[IWARP_RDMAP_HDR_MAX], const frame_pdu *pdu,
                 iwarp_span octets);

/* pdu_walk begins to walk it, part by part; false: there is nothing to walk. */
bool pdu_walk(iwarp_pdu_iter *it, const frame_pdu *pdu, iwarp_span octets);

#endif
