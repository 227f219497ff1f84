/* SPDX-License-Identifier: BSD-2-Clause */
/* The variants of CRC32c, their tables, and the word that remembers what the processor can do. */
#ifndef IWARPI_CRC32C_VARIANTS_H
#define IWARPI_CRC32C_VARIANTS_H

#include <iwarp/crc32c.h>

/* IWARP_CRC32C_PORTABLE leaves only the portable variant, and no mutable word. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(IWARP_CRC32C_PORTABLE)
#define IWARPI_CRC32C_X86 1
#else
#define IWARPI_CRC32C_X86 0
#endif
#if defined(__aarch64__) && defined(__AARCH64EL__) && defined(__GNUC__) &&                         \
    !defined(IWARP_CRC32C_PORTABLE)
#define IWARPI_CRC32C_ARM64 1
#else
#define IWARPI_CRC32C_ARM64 0
#endif

/* Abilities of the processor that the system allows, as bits. */
#define IWARPI_CRC32C_CAN_KNOWN 0x1u  /* the other bits are valid */
#define IWARPI_CRC32C_CAN_SSE42 0x2u  /* SSE4.2 and PCLMULQDQ */
#define IWARPI_CRC32C_CAN_AVX2 0x4u   /* AVX2 and VPCLMULQDQ besides */
#define IWARPI_CRC32C_CAN_AVX512 0x8u /* AVX-512 F, BW and VL besides */
#define IWARPI_CRC32C_CAN_ARM64 0x10u /* the CRC and PMULL instructions of ARMv8 */
#define IWARPI_CRC32C_CAN_ZEN4 0x20u  /* a crc32 for each of the two cycles of a product */
#define IWARPI_CRC32C_CAN_ZEN5 0x40u  /* two crc32 for each of the two cycles of a product */

/* Into their callers at any price, but where nothing is optimized: there all calls are counted
 * together. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define IWARPI_CRC32C_INLINE static inline __attribute__((always_inline))
#else
#define IWARPI_CRC32C_INLINE static inline
#endif

/* By itself, so that the others need not save registers for it. */
#ifdef __GNUC__
#define IWARPI_CRC32C_APART static __attribute__((noinline))
#else
#define IWARPI_CRC32C_APART static
#endif

typedef struct iwarpi_crc32c_variant {
  const char *name;
  uint32_t (*fn)(uint32_t crc, const void *data, size_t len);
  uint32_t (*copy)(uint32_t crc, void *dst, const void *src, size_t len);
  uint32_t needs; /* IWARPI_CRC32C_CAN_* that the variant needs */
  uint32_t suits; /* IWARPI_CRC32C_CAN_* without which another variant is faster */
} iwarpi_crc32c_variant;

/* The variants compiled in, the best first; the last one needs nothing. */
const iwarpi_crc32c_variant *iwarpi_crc32c_variants(size_t *num);

/* iwarpi_crc32c_usable says whether this machine can run the variant. */
bool iwarpi_crc32c_usable(const iwarpi_crc32c_variant *v);

/* iwarpi_crc32c_override makes the dispatcher believe in `can`, or with 0 ask the processor. */
void iwarpi_crc32c_override(uint32_t can);

uint32_t iwarpi_crc32c_portable(uint32_t crc, const void *data, size_t len);
uint32_t iwarpi_crc32c_portable_copy(uint32_t crc, void *dst, const void *src, size_t len);

/* slice[k][b]: the remainder of octet b followed by k zero octets. */
extern const uint32_t iwarpi_crc32c_slice[8][256];
/* far[k][b]: the same for 28 + k zero octets. */
extern const uint32_t iwarpi_crc32c_far[4][256];
/* power[k]: x^(2^k) modulo the polynomial; it repeats after 31. */
#define IWARPI_CRC32C_NUM_POWERS 31u
extern const uint32_t iwarpi_crc32c_power[IWARPI_CRC32C_NUM_POWERS];

/*
 * For the variants that multiply without carries. A remainder or a constant of 32 bits stands in a
 * register of 64 bits for 32 powers more than it has, and a product for one more: so exponents are
 * 65 or 33 less than the distance.
 */
#if IWARPI_CRC32C_X86 || IWARPI_CRC32C_ARM64

/* words[i]: x^(64 i - 33), by which a remainder moves over i words of 8 octets. */
#define IWARPI_CRC32C_NUM_WORDS 257u
extern const uint32_t iwarpi_crc32c_words[IWARPI_CRC32C_NUM_WORDS];

/* iwarpi_crc32c_detect asks the processor and returns its abilities, IWARPI_CRC32C_CAN_*. */
uint32_t iwarpi_crc32c_detect(void);

/* The octets of one call, and where they are copied to, or NULL. */
typedef struct iwarpi_crc32c_run {
  const uint8_t *p;
  uint8_t *q;
  size_t len;
} iwarpi_crc32c_run;

#endif

#if IWARPI_CRC32C_X86

/* octets[HIGH + i]: x^(8 i - 33), by which a remainder moves over i octets, as does the second half
 * of 16 octets; the first half by octets[LOW + i]. */
#define IWARPI_CRC32C_HIGH 16u
#define IWARPI_CRC32C_LOW (IWARPI_CRC32C_HIGH + 8u)
#define IWARPI_CRC32C_NUM_OCTETS (IWARPI_CRC32C_LOW + 257u)
extern const uint64_t iwarpi_crc32c_octets[IWARPI_CRC32C_NUM_OCTETS];

/* fold[i]: x^(128 d + 31) and x^(128 d - 33), by which the halves of 16 octets move over d times
 * 16: 1536 octets, 896, 768, 704, 256, then each 16 octets of a block of 256 to its end, then
 * 128. */
#define IWARPI_CRC32C_DISTANCES                                                                    \
  96u, 96u, 96u, 96u, 56u, 56u, 56u, 56u, 48u, 48u, 48u, 48u, 44u, 44u, 44u, 44u, 16u, 16u, 16u,   \
      16u, 15u, 14u, 13u, 12u, 11u, 10u, 9u, 8u, 7u, 6u, 5u, 4u, 3u, 2u, 1u, 0u, 8u, 8u
#define IWARPI_CRC32C_FOLD_1536 0u
#define IWARPI_CRC32C_FOLD_896 4u
#define IWARPI_CRC32C_FOLD_768 8u
#define IWARPI_CRC32C_FOLD_704 12u
#define IWARPI_CRC32C_FOLD_256 16u
#define IWARPI_CRC32C_FOLD_ENDS 20u
#define IWARPI_CRC32C_FOLD_128 36u
#define IWARPI_CRC32C_NUM_DISTANCES 38u
extern const uint64_t iwarpi_crc32c_fold[IWARPI_CRC32C_NUM_DISTANCES][2];

/* upto[n]: by which the halves of each 16 of 64 octets move to the end, where those from n on are
 * zeros that do not count. */
#define IWARPI_CRC32C_NUM_UPTO 65u
extern const uint64_t iwarpi_crc32c_upto[IWARPI_CRC32C_NUM_UPTO][8];

/* window: as many zeros as ones, a mask for the octets of a block that were not taken before. */
#define IWARPI_CRC32C_WINDOW 256u
extern const uint8_t iwarpi_crc32c_window[2 * IWARPI_CRC32C_WINDOW];

/* Results of the instructions CPUID and XGETBV. */
typedef struct iwarpi_crc32c_cpu {
  uint32_t vendor; /* the first four octets of its name */
  uint32_t last;   /* the last leaf that it has */
  uint32_t leaf1_eax;
  uint32_t leaf1_ecx;
  uint32_t leaf7_ebx;
  uint32_t leaf7_ecx;
  uint32_t xcr0; /* the registers that the system saves */
} iwarpi_crc32c_cpu;

/* iwarpi_crc32c_can_of returns the abilities of such a processor, IWARPI_CRC32C_CAN_*. */
uint32_t iwarpi_crc32c_can_of(const iwarpi_crc32c_cpu *cpu);

/* iwarpi_crc32c_xcr0 asks for `xcr0`; 0 without OSXSAVE, a bit of leaf 1. */
uint32_t iwarpi_crc32c_xcr0(uint32_t leaf1_ecx);

uint32_t iwarpi_crc32c_sse42(uint32_t crc, const void *data, size_t len);
uint32_t iwarpi_crc32c_sse42_copy(uint32_t crc, void *dst, const void *src, size_t len);
uint32_t iwarpi_crc32c_avx2(uint32_t crc, const void *data, size_t len);
uint32_t iwarpi_crc32c_avx2_copy(uint32_t crc, void *dst, const void *src, size_t len);
uint32_t iwarpi_crc32c_avx512(uint32_t crc, const void *data, size_t len);
uint32_t iwarpi_crc32c_avx512_copy(uint32_t crc, void *dst, const void *src, size_t len);
uint32_t iwarpi_crc32c_avx512_zen4(uint32_t crc, const void *data, size_t len);
uint32_t iwarpi_crc32c_avx512_zen4_copy(uint32_t crc, void *dst, const void *src, size_t len);
uint32_t iwarpi_crc32c_avx512_zen5(uint32_t crc, const void *data, size_t len);
uint32_t iwarpi_crc32c_avx512_zen5_copy(uint32_t crc, void *dst, const void *src, size_t len);

#endif

#if IWARPI_CRC32C_ARM64

uint32_t iwarpi_crc32c_arm64(uint32_t crc, const void *data, size_t len);
uint32_t iwarpi_crc32c_arm64_copy(uint32_t crc, void *dst, const void *src, size_t len);

#endif

#endif
