/* SPDX-License-Identifier: BSD-2-Clause */
/* The variants of CRC32c, their tables, and the word that remembers what the processor can do. */
#ifndef IWARPI_CRC32C_VARIANTS_H
#define IWARPI_CRC32C_VARIANTS_H

#include <iwarp/crc32c.h>

/* IWARP_CRC32C_PORTABLE leaves only the portable variant, and no mutable word. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(IWARP_CRC32C_PORTABLE)
#define IWARPI_CRC32C_SSE42 1
#else
#define IWARPI_CRC32C_SSE42 0
#endif

/* What the processor can do, as bits. */
#define IWARPI_CRC32C_CAN_KNOWN 0x1u /* the other bits are valid */
#define IWARPI_CRC32C_CAN_SSE42 0x2u

typedef struct iwarpi_crc32c_variant {
  const char *name;
  uint32_t (*fn)(uint32_t crc, const void *data, size_t len);
  uint32_t (*copy)(uint32_t crc, void *dst, const void *src, size_t len);
  uint32_t needs; /* IWARPI_CRC32C_CAN_* */
} iwarpi_crc32c_variant;

/* The variants compiled in, the best first; the last one needs nothing. */
const iwarpi_crc32c_variant *iwarpi_crc32c_variants(size_t *num);

/* iwarpi_crc32c_usable says whether this machine can run the variant. */
bool iwarpi_crc32c_usable(const iwarpi_crc32c_variant *v);

/* iwarpi_crc32c_override makes the dispatcher believe in `can` until called with 0. For tests. */
void iwarpi_crc32c_override(uint32_t can);

uint32_t iwarpi_crc32c_portable(uint32_t crc, const void *data, size_t len);
uint32_t iwarpi_crc32c_portable_copy(uint32_t crc, void *dst, const void *src, size_t len);
#if IWARPI_CRC32C_SSE42
uint32_t iwarpi_crc32c_sse42(uint32_t crc, const void *data, size_t len);
uint32_t iwarpi_crc32c_sse42_copy(uint32_t crc, void *dst, const void *src, size_t len);
#endif

/* Octets of one of the three streams of the SSE4.2 variant, the longest first; multiples of 8. */
#define IWARPI_CRC32C_STRIDES 4080u, 1360u, 480u, 336u, 160u, IWARPI_CRC32C_STRIDE_MIN
#define IWARPI_CRC32C_STRIDE_MIN 64u
#define IWARPI_CRC32C_NUM_STRIDES 6u

/* slice[k][b]: the remainder of octet b followed by k zero octets. */
extern const uint32_t iwarpi_crc32c_slice[8][256];
/* shift[i][k][n]: what remainder n << 4 k becomes by as many zero octets as stride i has. */
extern const uint32_t iwarpi_crc32c_shift[IWARPI_CRC32C_NUM_STRIDES][8][16];
/* power[k]: x^(2^k) modulo the polynomial; it repeats after 31. */
#define IWARPI_CRC32C_NUM_POWERS 31u
extern const uint32_t iwarpi_crc32c_power[IWARPI_CRC32C_NUM_POWERS];

#endif
