/* SPDX-License-Identifier: BSD-2-Clause */
/* Decodes a PDU again, by the library. */
#include "pdu_octets.h"

#include <iwarp/sctp.h>

static iwarp_span pdu_octets(const frame_pdu *pdu, tvbuff_t *frame) {
  const guint32 cap = frames_pdu_cap(pdu);
  if (pdu->rest->copy != NULL || cap == 0) {
    return (iwarp_span){pdu->rest->copy, cap};
  }
  return (iwarp_span){tvb_get_ptr(frame, (gint)pdu->at, (gint)cap), cap};
}

iwarp_mpa_fpdu pdu_fpdu(const frame_pdu *pdu, iwarp_span octets) {
  return (iwarp_mpa_fpdu){.wire = octets,
                          .ulpdu_length = pdu->ulpdu_length,
                          .markers = pdu->markers,
                          .layout = frames_pdu_layout(pdu)};
}

/* The user data of a message over SCTP after the DDP-SSN. */
static iwarp_span pdu_sctp_segment(iwarp_span octets) {
  const size_t n = octets.len < IWARP_SCTP_SEGMENT_LEN ? octets.len : IWARP_SCTP_SEGMENT_LEN;
  return (iwarp_span){n > 0 ? octets.ptr + n : NULL, octets.len - n};
}

void pdu_decode(pdu_decoded *out, const frame_pdu *pdu, tvbuff_t *frame) {
  out->pdu = pdu;
  out->octets = pdu_octets(pdu, frame);
  out->layout = frames_pdu_layout(pdu);
  out->has_seg = pdu->kind == FRAME_PDU_FPDU || pdu->kind == FRAME_PDU_SCTP_SEGMENT;
  if (pdu->kind == FRAME_PDU_SCTP_SEGMENT) {
    iwarp_rdmap_seg_decode(&out->seg, pdu_sctp_segment(out->octets), pdu->ulpdu_length);
  } else if (pdu->kind == FRAME_PDU_FPDU) {
    const iwarp_mpa_fpdu fpdu = pdu_fpdu(pdu, out->octets);
    const size_t n = iwarp_mpa_fpdu_ulpdu_copy(out->head, IWARP_RDMAP_HDR_MAX, &fpdu, 0);
    iwarp_rdmap_seg_decode(&out->seg, (iwarp_span){out->head, n}, pdu->ulpdu_length);
  }
}

bool pdu_walk(iwarp_pdu_iter *it, const frame_pdu *pdu, iwarp_span octets) {
  const iwarp_mpa_fpdu fpdu = pdu_fpdu(pdu, octets);
  switch ((frame_pdu_kind)pdu->kind) {
  case FRAME_PDU_STARTUP: iwarp_pdu_startup(it, octets); break;
  case FRAME_PDU_FPDU: iwarp_pdu_decoded_fpdu(it, &fpdu); break;
  case FRAME_PDU_SCTP_CONTROL: iwarp_pdu_sctp_control(it, octets); break;
  case FRAME_PDU_SCTP_SEGMENT:
    iwarp_pdu_sctp_segment(it, octets, (size_t)pdu->ulpdu_length + IWARP_SCTP_SEGMENT_LEN);
    break;
  case FRAME_PDU_SCTP_INIT:
  case FRAME_PDU_GAP:
  case FRAME_PDU_UNDECODABLE: return false;
  }
  return octets.len > 0;
}
