/* SPDX-License-Identifier: BSD-2-Clause */
/* Which Terminate tells the peer of an error: RFC 5040 4.8, RFC 5041 7.2, RFC 5044 8. */
#include <iwarp/rdmap.h>

typedef struct errmap_row {
  iwarp_err err;
  uint8_t layer;
  uint8_t etype;
  uint8_t code;
} errmap_row;

/*
 * The errors of the peer's octets that have a triple. A malformed Terminate has none: it is never
 * answered, RFC 5040 7.1. A message of the wrong length has no code of its own and gets Remote
 * Operation Error, Unspecified.
 */
static const errmap_row errmap_rows[] = {
    {IWARP_ERR_MPA_KEY, 2, 0, 0x04},          {IWARP_ERR_MPA_REV, 2, 0, 0x04},
    {IWARP_ERR_MPA_PD_LENGTH, 2, 0, 0x04},    {IWARP_ERR_MPA_ENHANCED, 2, 0, 0x04},
    {IWARP_ERR_MPA_CRC, 2, 0, 0x02},          {IWARP_ERR_MPA_MARKER, 2, 0, 0x03},
    {IWARP_ERR_MPA_ULPDU_LENGTH, 2, 0, 0x03}, {IWARP_ERR_DDP_SHORT, 1, 0, 0x00},
    {IWARP_ERR_RDMAP_SHORT, 0, 2, 0xFF},      {IWARP_ERR_RDMAP_LONG, 0, 2, 0xFF},
};

bool iwarp_err_to_terminate(uint8_t *layer, uint8_t *etype, uint8_t *code, iwarp_err err) {
  for (size_t i = 0; i < sizeof errmap_rows / sizeof errmap_rows[0]; i++) {
    if (errmap_rows[i].err == err) {
      *layer = errmap_rows[i].layer;
      *etype = errmap_rows[i].etype;
      *code = errmap_rows[i].code;
      return true;
    }
  }
  return false;
}
