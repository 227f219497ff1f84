/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs of data messages without Markers, by their first four octets. */
#ifndef IWARPI_RX_DATA_FPDU_H
#define IWARPI_RX_DATA_FPDU_H

#include <iwarp/ddp.h>
#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>

#include "../base/pad.h"

/* The control octets of DDP and RDMAP as one word. RFC 5041 4.1, RFC 5040 4.1 */
#define RX_CONTROL_TAGGED 0x8000u
#define RX_CONTROL_LAST 0x4000u
#define RX_CONTROL_FIXED 0x3FF0u  /* reserved bits and versions */
#define RX_CONTROL_EXPECT 0x0140u /* no reserved bit, version 1 of DDP and RDMAP */
#define RX_CONTROL_OPCODE 0x000Fu

/* Octets of the shortest such FPDU on the wire: a Tagged one without payload. */
#define RX_DATA_MIN (IWARP_MPA_LENGTH_LEN + IWARP_DDP_TAGGED_LEN + IWARP_MPA_CRC_LEN)

/* Opcodes of data messages, Untagged and Tagged. */
#define RX_DATA_UNTAGGED                                                                           \
  (1u << IWARP_RDMAP_OP_SEND | 1u << IWARP_RDMAP_OP_SEND_INV | 1u << IWARP_RDMAP_OP_SEND_SE |      \
   1u << IWARP_RDMAP_OP_SEND_SE_INV)
#define RX_DATA_TAGGED (1u << IWARP_RDMAP_OP_WRITE | 1u << IWARP_RDMAP_OP_READ_RESP)

/* rx_data_header returns the octets of the DDP header. */
static inline uint32_t rx_data_header(uint32_t control) {
  return (control & RX_CONTROL_TAGGED) != 0 ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
}

/* rx_data_control says whether a segment of `len` octets with these control octets is one of a data
 * message, its header whole. */
static inline bool rx_data_control(uint32_t control, uint32_t len) {
  const uint32_t opcodes = (control & RX_CONTROL_TAGGED) != 0 ? RX_DATA_TAGGED : RX_DATA_UNTAGGED;
  return (control & RX_CONTROL_FIXED) == RX_CONTROL_EXPECT &&
         (opcodes >> (control & RX_CONTROL_OPCODE) & 1u) != 0 && len >= rx_data_header(control);
}

/* rx_data_len returns the octets on the wire of an FPDU with so many in its ULPDU. */
static inline size_t rx_data_len(uint32_t ulpdu_length) {
  return (size_t)pad_up(IWARP_MPA_LENGTH_LEN + ulpdu_length) + IWARP_MPA_CRC_LEN;
}

#endif
