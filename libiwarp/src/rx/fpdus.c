/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs of data messages that need no event, many in a call. */
#include <iwarp/crc32c.h>

#include "../base/span.h"
#include "data_fpdu.h"
#include "state.h"

/*
 * Returns true if the octets of an FPDU at the boundary, all of them in the input, decide about it
 * alone. The caller must know itself which FPDUs an observer refuses.
 */
bool iwarpi_rx_fast_path(const iwarp_rx *rx) {
  const bool settled = rx->markers == IWARP_TRISTATE_OFF && rx->crc != IWARP_TRISTATE_UNKNOWN &&
                       rx->sync != IWARP_SYNC_HEURISTIC;
  return settled && rx->state == RX_SYNC && rx->confidence == RX_FOLLOWS && rx->num_buf == 0 &&
         !iwarpi_rx_must_verify(rx);
}

/* Octets of the FPDU at the beginning of `in`, in its wire form; 0: `in` does not begin with an
 * FPDU that needs no event. */
static size_t fpdus_wire_len(iwarp_span in, size_t max_ulpdu, bool crc) {
  if (in.len < RX_DATA_MIN) {
    return 0;
  }
  const uint32_t len = span_be16(in, 0);
  const size_t wire_len = rx_data_len(len);
  const bool listed = wire_len <= in.len && len <= max_ulpdu &&
                      rx_data_control(span_be16(in, IWARP_MPA_LENGTH_LEN), len) &&
                      (!crc || iwarp_crc32c(0, in.ptr, wire_len) == IWARP_CRC32C_RESIDUE);
  return listed ? wire_len : 0;
}

size_t iwarp_rx_next_fpdus(iwarp_rx *rx, iwarp_rx_fpdu *out, size_t cap) {
  if (rx == NULL || out == NULL) {
    return 0;
  }
  iwarpi_rx_release(rx);
  if (!iwarpi_rx_fast_path(rx)) {
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
