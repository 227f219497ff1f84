/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs of data messages that need no event, many in a call. */
#include <iwarp/crc32c.h>

#include "../base/pad.h"
#include "../base/span.h"
#include "rx_priv.h"

/* ULPDU_Length, then the DDP control octet and that of RDMAP as one word. RFC 5041 4.1, RFC 5040
 * 4.1 */
#define FPDUS_HEAD_LEN (IWARP_MPA_LENGTH_LEN + 2u)
#define FPDUS_TAGGED 0x8000u
#define FPDUS_FIXED 0x3FF0u  /* reserved bits and versions */
#define FPDUS_EXPECT 0x0140u /* none, and version 1 of both */
#define FPDUS_OPCODE 0x000Fu

/* Octets that a segment of a data message has at least, by T and opcode; 0: of no data message. */
static const uint8_t fpdus_least[2][FPDUS_OPCODE + 1u] = {
    [0] = {[IWARP_RDMAP_OP_SEND] = IWARP_DDP_UNTAGGED_LEN,
           [IWARP_RDMAP_OP_SEND_INV] = IWARP_DDP_UNTAGGED_LEN,
           [IWARP_RDMAP_OP_SEND_SE] = IWARP_DDP_UNTAGGED_LEN,
           [IWARP_RDMAP_OP_SEND_SE_INV] = IWARP_DDP_UNTAGGED_LEN},
    [1] = {[IWARP_RDMAP_OP_WRITE] = IWARP_DDP_TAGGED_LEN,
           [IWARP_RDMAP_OP_READ_RESP] = IWARP_DDP_TAGGED_LEN},
};

/*
 * Whether the FPDUs at the boundary are decided by their own octets in the input alone, but for
 * those that an observer refuses: that it knows itself.
 */
bool iwarpi_rx_plain(const iwarp_rx *rx) {
  const bool settled = rx->markers == IWARP_TRISTATE_OFF && rx->crc != IWARP_TRISTATE_UNKNOWN &&
                       rx->sync != IWARP_SYNC_HEURISTIC;
  return settled && rx->state == RX_SYNC && rx->confidence == RX_FOLLOWS && rx->num_buf == 0 &&
         !iwarpi_rx_doubts(rx);
}

/* Whether a segment of `len` octets with these control octets is one of a data message, its header
 * whole. */
static bool fpdus_data(uint32_t control, size_t len) {
  const size_t least = fpdus_least[control / FPDUS_TAGGED][control & FPDUS_OPCODE];
  return (control & FPDUS_FIXED) == FPDUS_EXPECT && least > 0 && len >= least;
}

/* Octets of the FPDU that `in` begins with on the wire; 0 where it is none of those listed. */
static size_t fpdus_wire_len(iwarp_span in, size_t max_ulpdu, bool crc) {
  if (in.len < FPDUS_HEAD_LEN) {
    return 0;
  }
  const uint16_t len = span_be16(in, 0);
  const size_t wire_len = (size_t)pad_up(IWARP_MPA_LENGTH_LEN + (uint32_t)len) + IWARP_MPA_CRC_LEN;
  const bool listed = wire_len <= in.len && len <= max_ulpdu &&
                      fpdus_data(span_be16(in, IWARP_MPA_LENGTH_LEN), len) &&
                      (!crc || iwarp_crc32c(0, in.ptr, wire_len) == IWARP_CRC32C_RESIDUE);
  return listed ? wire_len : 0;
}

size_t iwarp_rx_next_fpdus(iwarp_rx *rx, iwarp_rx_fpdu *out, size_t cap) {
  if (rx == NULL || out == NULL) {
    return 0;
  }
  iwarpi_rx_release(rx);
  if (!iwarpi_rx_plain(rx)) {
    return 0;
  }
  const bool crc = rx->crc == IWARP_TRISTATE_ON;
  const size_t max_ulpdu = rx->max_ulpdu;
  const uint64_t pos = rx->pos;
  iwarp_span rest = rx->in;
  size_t taken = 0;
  size_t num = 0;
  while (num < cap) {
    const size_t wire_len = fpdus_wire_len(rest, max_ulpdu, crc);
    if (wire_len == 0) {
      break;
    }
    out[num].pos = pos + taken;
    out[num].ulpdu = span_part(rest, IWARP_MPA_LENGTH_LEN, span_be16(rest, 0));
    rest = span_from(rest, wire_len);
    taken += wire_len;
    num++;
  }
  iwarpi_rx_consume(rx, taken);
  rx->good_run += crc ? taken : 0;
  return num;
}

/* Octets on the wire of the FPDU that comes next there, but for its CRC one of those listed; 0: it
 * is something else. */
size_t iwarpi_rx_data_fpdu(const iwarp_rx *rx) {
  return fpdus_wire_len(rx->in, rx->max_ulpdu, false);
}
