/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c as a machine without an instruction for it computes it, and as each other variant does. */
#ifndef FUZZ_SUPPORT_PORTABLE_H
#define FUZZ_SUPPORT_PORTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* portable_crc lets the library use its portable CRC32c from now on. */
void portable_crc(void);

typedef struct portable_variant {
  const char *name;
  uint32_t (*fn)(uint32_t crc, const void *data, size_t len);
  uint32_t (*copy)(uint32_t crc, void *dst, const void *src, size_t len);
} portable_variant;

/* portable_variant_get gives variant `i` of those that this machine can run, chosen or not; false:
 * there are not so many. */
bool portable_variant_get(portable_variant *out, size_t i);

#endif
