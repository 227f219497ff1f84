/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c as a machine without an instruction for it computes it, and as each other variant does. */
#include "portable.h"

#include "crc32c/variants.h"

void portable_crc(void) {
  iwarpi_crc32c_override(IWARPI_CRC32C_CAN_KNOWN);
}

bool portable_variant_get(portable_variant *out, size_t i) {
  size_t num;
  const iwarpi_crc32c_variant *all = iwarpi_crc32c_variants(&num);
  for (size_t k = 0; k < num; k++) {
    if (iwarpi_crc32c_usable(&all[k]) && i-- == 0) {
      *out = (portable_variant){all[k].name, all[k].fn, all[k].copy};
      return true;
    }
  }
  return false;
}
