/* SPDX-License-Identifier: BSD-2-Clause */
/* The value of a field by the table alone. */
#include <iwarp/field.h>

#include "../base/cursor.h"
#include "../base/span.h"

#define FIELD_DECODE_OCTET 8u /* bits */

iwarp_err iwarp_field_octets(iwarp_span *out, const iwarp_field *field, iwarp_span in) {
  rd r = rd_of(in);
  rd_take(&r, field->octet_off);
  iwarp_span span = rd_span(&r, field->num_octets != 0 ? field->num_octets : r.left);
  if (r.bad) {
    return IWARP_ERR_NEED_MORE;
  }
  *out = span;
  return IWARP_OK;
}

iwarp_err iwarp_field_uint(uint64_t *out, const iwarp_field *field, iwarp_span in) {
  if (field->kind == IWARP_FIELD_KIND_OCTETS) {
    return IWARP_ERR_ARG;
  }
  iwarp_span octets;
  iwarp_err err = iwarp_field_octets(&octets, field, in);
  if (err != IWARP_OK) {
    return err;
  }
  bool little = field->kind == IWARP_FIELD_KIND_HEX_LE || /* RFC 5044 4.4 */
                field->kind == IWARP_FIELD_KIND_UINT_LE;
  uint64_t value = 0;
  for (size_t i = 0; i < octets.len; i++) {
    value = value << FIELD_DECODE_OCTET | span_u8(octets, little ? octets.len - 1u - i : i);
  }
  /* The bits after the field in its last octet go, then those before it in the first. */
  size_t in_last = ((size_t)field->bit_off + field->num_bits) % FIELD_DECODE_OCTET;
  value >>= in_last != 0 ? FIELD_DECODE_OCTET - in_last : 0;
  *out = value & UINT64_MAX >> (64u - field->num_bits);
  return IWARP_OK;
}
