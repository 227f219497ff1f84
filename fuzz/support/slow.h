/* SPDX-License-Identifier: BSD-2-Clause */
/* A decoder of its own: one octet after the other, fields by a table that is written here. */
#ifndef FUZZ_SUPPORT_SLOW_H
#define FUZZ_SUPPORT_SLOW_H

#include <iwarp/rdmap.h>

#include "fuzz.h"

/* A startup frame. RFC 5044 7.1.1 */
typedef struct slow_frame {
  bool is_there; /* whole, with a right key, of Rev 1 or 2 */
  bool reply;
  bool markers;
  bool crc;
  bool reject;
  size_t len; /* octets of the stream */
} slow_frame;

slow_frame slow_frame_of(iwarp_span stream);

/* The stream of a direction in Full Operation. */
typedef struct slow_stream {
  iwarp_span octets;
  size_t at; /* place of the next octet */
  bool markers;
} slow_stream;

/* An FPDU. RFC 5044 4 */
typedef struct slow_fpdu {
  size_t at;  /* place of ULPDU_Length in the stream */
  size_t end; /* place of the octet after the FPDU */
  uint8_t ulpdu[65536];
  uint16_t len; /* octets of the ULPDU */
  uint32_t crc; /* CRC field as it stands */
  uint32_t crc_due;
} slow_fpdu;

/* slow_next takes the next FPDU; false where it is not whole. */
bool slow_next(slow_fpdu *out, slow_stream *s);

/* slow_compare expects the library to decode a ULPDU to its own values. */
void slow_compare(const slow_fpdu *f, const iwarp_rdmap_seg *seg);

#endif
