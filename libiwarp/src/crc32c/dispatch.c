/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice of the variant of CRC32c for this machine. */
#include "variants.h"

#if IWARPI_CRC32C_X86 || IWARPI_CRC32C_ARM64
#define CRC32C_DISPATCH_FIRST 1u /* the row of the best variant */

static uint32_t crc32c_dispatch_ask(uint32_t crc, const void *data, size_t len);
static uint32_t crc32c_dispatch_ask_copy(uint32_t crc, void *dst, const void *src, size_t len);
#else
#define CRC32C_DISPATCH_FIRST 0u
#endif

/* A row that asks the processor, then the variants, the best first; the last one needs nothing. */
static const iwarpi_crc32c_variant crc32c_dispatch_variants[] = {
#if IWARPI_CRC32C_X86 || IWARPI_CRC32C_ARM64
    {.fn = crc32c_dispatch_ask, .copy = crc32c_dispatch_ask_copy},
#endif
#if IWARPI_CRC32C_X86
    {.name = "avx512-zen5",
     .fn = iwarpi_crc32c_avx512_zen5,
     .copy = iwarpi_crc32c_avx512_zen5_copy,
     .needs = IWARPI_CRC32C_CAN_AVX512,
     .suits = IWARPI_CRC32C_CAN_ZEN5},
    {.name = "avx512-zen4",
     .fn = iwarpi_crc32c_avx512_zen4,
     .copy = iwarpi_crc32c_avx512_zen4_copy,
     .needs = IWARPI_CRC32C_CAN_AVX512,
     .suits = IWARPI_CRC32C_CAN_ZEN4},
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

/* What the processor can do, IWARPI_CRC32C_CAN_*, and above it the row of the variant in use; 0
 * until it was asked. Threads that ask at once write the same. */
#define CRC32C_DISPATCH_ROW_SHIFT 16u
static uint32_t crc32c_dispatch_can;

static const iwarpi_crc32c_variant *crc32c_dispatch_row(void) {
  const uint32_t can = __atomic_load_n(&crc32c_dispatch_can, __ATOMIC_RELAXED);
  return &crc32c_dispatch_variants[can >> CRC32C_DISPATCH_ROW_SHIFT];
}

void iwarpi_crc32c_override(uint32_t can) {
  const uint32_t bits = can != 0 ? can & UINT16_MAX : iwarpi_crc32c_detect();
  uint32_t row = CRC32C_DISPATCH_FIRST;
  while (((crc32c_dispatch_variants[row].needs | crc32c_dispatch_variants[row].suits) & ~bits) !=
         0) {
    row++;
  }
  __atomic_store_n(&crc32c_dispatch_can, bits | row << CRC32C_DISPATCH_ROW_SHIFT, __ATOMIC_RELAXED);
}

static uint32_t crc32c_dispatch_get(void) {
  if (__atomic_load_n(&crc32c_dispatch_can, __ATOMIC_RELAXED) == 0) {
    iwarpi_crc32c_override(0);
  }
  return __atomic_load_n(&crc32c_dispatch_can, __ATOMIC_RELAXED);
}

static uint32_t crc32c_dispatch_ask(uint32_t crc, const void *data, size_t len) {
  iwarpi_crc32c_override(0);
  return crc32c_dispatch_row()->fn(crc, data, len);
}

static uint32_t crc32c_dispatch_ask_copy(uint32_t crc, void *dst, const void *src, size_t len) {
  iwarpi_crc32c_override(0);
  return crc32c_dispatch_row()->copy(crc, dst, src, len);
}

#else

static const iwarpi_crc32c_variant *crc32c_dispatch_row(void) {
  return crc32c_dispatch_variants;
}

static uint32_t crc32c_dispatch_get(void) {
  return IWARPI_CRC32C_CAN_KNOWN;
}

void iwarpi_crc32c_override(uint32_t can) {
  (void)can;
}

#endif

const iwarpi_crc32c_variant *iwarpi_crc32c_variants(size_t *num) {
  const size_t rows = sizeof crc32c_dispatch_variants / sizeof crc32c_dispatch_variants[0];
  *num = rows - CRC32C_DISPATCH_FIRST;
  return &crc32c_dispatch_variants[CRC32C_DISPATCH_FIRST];
}

bool iwarpi_crc32c_usable(const iwarpi_crc32c_variant *v) {
  return (v->needs & ~crc32c_dispatch_get()) == 0;
}

uint32_t iwarp_crc32c(uint32_t crc, const void *data, size_t len) {
  return crc32c_dispatch_row()->fn(crc, data, len);
}

uint32_t iwarp_crc32c_copy(uint32_t crc, void *dst, const void *src, size_t len) {
  return crc32c_dispatch_row()->copy(crc, dst, src, len);
}

const char *iwarp_crc32c_impl(void) {
  crc32c_dispatch_get();
  return crc32c_dispatch_row()->name;
}
