/* SPDX-License-Identifier: BSD-2-Clause */
/* Which variant of CRC32c this machine runs. */
#include "variants.h"

#if IWARPI_CRC32C_SSE42

#include <cpuid.h>

/* What the processor can do; 0 until it was asked. Threads that ask at once write the same. */
static uint32_t crc32c_dispatch_can;

static uint32_t crc32c_dispatch_ask(void) {
  uint32_t a;
  uint32_t b;
  uint32_t c;
  uint32_t d;
  __cpuid(1, a, b, c, d); /* leaf 1 exists on every x86-64 */
  uint32_t can = IWARPI_CRC32C_CAN_KNOWN;
  can |= (c & bit_SSE4_2) / (bit_SSE4_2 / IWARPI_CRC32C_CAN_SSE42);
  __atomic_store_n(&crc32c_dispatch_can, can, __ATOMIC_RELAXED);
  return can;
}

static uint32_t crc32c_dispatch_get(void) {
  uint32_t can = __atomic_load_n(&crc32c_dispatch_can, __ATOMIC_RELAXED);
  return can != 0 ? can : crc32c_dispatch_ask();
}

void iwarpi_crc32c_override(uint32_t can) {
  __atomic_store_n(&crc32c_dispatch_can, can, __ATOMIC_RELAXED);
}

#else

static uint32_t crc32c_dispatch_get(void) {
  return IWARPI_CRC32C_CAN_KNOWN;
}

void iwarpi_crc32c_override(uint32_t can) {
  (void)can;
}

#endif

static const iwarpi_crc32c_variant crc32c_dispatch_variants[] = {
#if IWARPI_CRC32C_SSE42
    {.name = "sse42",
     .fn = iwarpi_crc32c_sse42,
     .copy = iwarpi_crc32c_sse42_copy,
     .needs = IWARPI_CRC32C_CAN_SSE42},
#endif
    {.name = "portable", .fn = iwarpi_crc32c_portable, .copy = iwarpi_crc32c_portable_copy},
};

const iwarpi_crc32c_variant *iwarpi_crc32c_variants(size_t *num) {
  *num = sizeof crc32c_dispatch_variants / sizeof crc32c_dispatch_variants[0];
  return crc32c_dispatch_variants;
}

bool iwarpi_crc32c_usable(const iwarpi_crc32c_variant *v) {
  return (v->needs & ~crc32c_dispatch_get()) == 0;
}

uint32_t iwarp_crc32c(uint32_t crc, const void *data, size_t len) {
#if IWARPI_CRC32C_SSE42
  if ((crc32c_dispatch_get() & IWARPI_CRC32C_CAN_SSE42) != 0) {
    return iwarpi_crc32c_sse42(crc, data, len);
  }
#endif
  return iwarpi_crc32c_portable(crc, data, len);
}

uint32_t iwarp_crc32c_copy(uint32_t crc, void *dst, const void *src, size_t len) {
#if IWARPI_CRC32C_SSE42
  if ((crc32c_dispatch_get() & IWARPI_CRC32C_CAN_SSE42) != 0) {
    return iwarpi_crc32c_sse42_copy(crc, dst, src, len);
  }
#endif
  return iwarpi_crc32c_portable_copy(crc, dst, src, len);
}

const char *iwarp_crc32c_impl(void) {
  const iwarpi_crc32c_variant *v = crc32c_dispatch_variants;
  while (!iwarpi_crc32c_usable(v)) { /* the last one needs nothing */
    v++;
  }
  return v->name;
}
