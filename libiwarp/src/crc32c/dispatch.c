/* SPDX-License-Identifier: BSD-2-Clause */
/* Which variant of CRC32c this machine runs. */
#include "variants.h"

/* The best first; the last one needs nothing. */
static const iwarpi_crc32c_variant crc32c_dispatch_variants[] = {
#if IWARPI_CRC32C_X86
    {.name = "avx512",
     .fn = iwarpi_crc32c_avx512,
     .copy = iwarpi_crc32c_avx512_copy,
     .needs = IWARPI_CRC32C_CAN_AVX512},
    {.name = "avx2",
     .fn = iwarpi_crc32c_avx2,
     .copy = iwarpi_crc32c_avx2_copy,
     .needs = IWARPI_CRC32C_CAN_AVX2},
    {.name = "sse42",
     .fn = iwarpi_crc32c_sse42,
     .copy = iwarpi_crc32c_sse42_copy,
     .needs = IWARPI_CRC32C_CAN_SSE42},
#endif
#if IWARPI_CRC32C_ARM64
    {.name = "arm64",
     .fn = iwarpi_crc32c_arm64,
     .copy = iwarpi_crc32c_arm64_copy,
     .needs = IWARPI_CRC32C_CAN_ARM64},
#endif
    {.name = "portable", .fn = iwarpi_crc32c_portable, .copy = iwarpi_crc32c_portable_copy},
};

#if IWARPI_CRC32C_X86 || IWARPI_CRC32C_ARM64

/* The word that crc32c_dispatch_can holds: the bits, and the number of the variant above them. */
#define CRC32C_DISPATCH_SHIFT 16u

/* What the processor can do; 0 until it was asked. Threads that ask at once write the same. */
static uint32_t crc32c_dispatch_can;

static uint32_t crc32c_dispatch_choose(uint32_t can) {
  uint32_t i = 0;
  while ((crc32c_dispatch_variants[i].needs & ~can) != 0) {
    i++;
  }
  can = (can & UINT16_MAX) | i << CRC32C_DISPATCH_SHIFT;
  __atomic_store_n(&crc32c_dispatch_can, can, __ATOMIC_RELAXED);
  return can;
}

static uint32_t crc32c_dispatch_get(void) {
  const uint32_t can = __atomic_load_n(&crc32c_dispatch_can, __ATOMIC_RELAXED);
  return can != 0 ? can : crc32c_dispatch_choose(iwarpi_crc32c_detect());
}

static const iwarpi_crc32c_variant *crc32c_dispatch_best(void) {
  return &crc32c_dispatch_variants[crc32c_dispatch_get() >> CRC32C_DISPATCH_SHIFT];
}

void iwarpi_crc32c_override(uint32_t can) {
  crc32c_dispatch_choose(can != 0 ? can : iwarpi_crc32c_detect());
}

#else

static uint32_t crc32c_dispatch_get(void) {
  return IWARPI_CRC32C_CAN_KNOWN;
}

static const iwarpi_crc32c_variant *crc32c_dispatch_best(void) {
  return crc32c_dispatch_variants;
}

void iwarpi_crc32c_override(uint32_t can) {
  (void)can;
}

#endif

const iwarpi_crc32c_variant *iwarpi_crc32c_variants(size_t *num) {
  *num = sizeof crc32c_dispatch_variants / sizeof crc32c_dispatch_variants[0];
  return crc32c_dispatch_variants;
}

bool iwarpi_crc32c_usable(const iwarpi_crc32c_variant *v) {
  return (v->needs & ~crc32c_dispatch_get()) == 0;
}

uint32_t iwarp_crc32c(uint32_t crc, const void *data, size_t len) {
  return crc32c_dispatch_best()->fn(crc, data, len);
}

uint32_t iwarp_crc32c_copy(uint32_t crc, void *dst, const void *src, size_t len) {
  return crc32c_dispatch_best()->copy(crc, dst, src, len);
}

const char *iwarp_crc32c_impl(void) {
  return crc32c_dispatch_best()->name;
}
