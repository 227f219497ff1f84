/* SPDX-License-Identifier: BSD-2-Clause */
/* The Terminate that tells the peer of an error: RFC 5040 4.8, RFC 5041 7.2, RFC 5044 8. */
#include <iwarp/rdmap.h>

typedef struct errmap_row {
  iwarp_err err;
  iwarp_term term;
} errmap_row;

/*
 * The errors of the peer's octets that have a triple. A malformed Terminate has none: it is never
 * answered, RFC 5040 7.1. A message of the wrong length has no code of its own and gets Remote
 * Operation Error, Unspecified.
 */
static const errmap_row errmap_rows[] = {
    {IWARP_ERR_MPA_KEY, IWARP_TERM_MPA_FRAME},
    {IWARP_ERR_MPA_REV, IWARP_TERM_MPA_FRAME},
    {IWARP_ERR_MPA_PD_LENGTH, IWARP_TERM_MPA_FRAME},
    {IWARP_ERR_MPA_ENHANCED, IWARP_TERM_MPA_FRAME},
    {IWARP_ERR_MPA_CRC, IWARP_TERM_MPA_CRC},
    {IWARP_ERR_MPA_MARKER, IWARP_TERM_MPA_MARKER},
    {IWARP_ERR_MPA_ULPDU_LENGTH, IWARP_TERM_MPA_MARKER},
    {IWARP_ERR_DDP_SHORT, IWARP_TERM_DDP_LOCAL},
    {IWARP_ERR_RDMAP_SHORT, IWARP_TERM_OPERATION_UNSPECIFIED},
    {IWARP_ERR_RDMAP_LONG, IWARP_TERM_OPERATION_UNSPECIFIED},
};

bool iwarp_err_to_terminate(uint8_t *layer, uint8_t *etype, uint8_t *code, iwarp_err err) {
  for (size_t i = 0; i < sizeof errmap_rows / sizeof errmap_rows[0]; i++) {
    if (errmap_rows[i].err == err) {
      const uint32_t term = (uint32_t)errmap_rows[i].term;
      *layer = (uint8_t)(term >> 12);
      *etype = (uint8_t)(term >> 8 & 0xF);
      *code = (uint8_t)(term & 0xFF);
      return true;
    }
  }
  return false;
}
