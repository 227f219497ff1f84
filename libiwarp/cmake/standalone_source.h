/* SPDX-License-Identifier: BSD-2-Clause */
/* The head of the amalgamation's iwarp.c: what else it needs of C and of the processor, without a
 * header where the compiler has it by itself. */
#ifdef __GNUC__
typedef __UINTPTR_TYPE__ uintptr_t;
/* Not max_align_t itself: a header that is included before has it, and it cannot stand twice. */
typedef struct iwarpi_max_align {
  _Alignas(long long) long long integer;
  _Alignas(long double) long double real;
} iwarpi_max_align;
#define max_align_t iwarpi_max_align
#ifndef NULL
#define NULL ((void *)0)
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#ifndef SIZE_MAX
#define SIZE_MAX __SIZE_MAX__
#endif
#ifndef UINT16_MAX
#define UINT16_MAX __UINT16_MAX__
#define UINT32_MAX __UINT32_MAX__
#endif
#ifndef UINT64_C
#define UINT64_C(value) value##ull
#endif
/* The program, or its C library, has these four. */
void *memcpy(void *restrict dst, const void *restrict src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
void *memset(void *dst, int octet, size_t n);
int memcmp(const void *a, const void *b, size_t n);
#if defined(__x86_64__) && !defined(IWARP_CRC32C_PORTABLE)
/* What cpuid.h and immintrin.h would bring; those need a C library. */
#define IWARPI_CPUID(leaf, sub, a, b, c, d)                                                        \
  __asm__ __volatile__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(leaf), "2"(sub))
#undef __cpuid
#undef __cpuid_count
#define __cpuid(leaf, a, b, c, d) IWARPI_CPUID(leaf, 0, a, b, c, d)
#define __cpuid_count IWARPI_CPUID
#define _xgetbv __builtin_ia32_xgetbv
typedef long long __m128i __attribute__((vector_size(16), may_alias));
typedef long long __m256i __attribute__((vector_size(32), may_alias));
typedef long long __m512i __attribute__((vector_size(64), may_alias));
typedef char iwarpi_chars __attribute__((vector_size(64), may_alias));
typedef uint64_t __mmask64;
#define _bzhi_u64 __builtin_ia32_bzhi_di
#define _mm_crc32_u8 __builtin_ia32_crc32qi
#define _mm_crc32_u32 __builtin_ia32_crc32si
#define _mm_crc32_u64 __builtin_ia32_crc32di
#define _mm_xor_si128(a, b) ((a) ^ (b))
#define _mm_and_si128(a, b) ((a) & (b))
#define _mm256_xor_si256(a, b) ((a) ^ (b))
#define _mm256_and_si256(a, b) ((a) & (b))
#define _mm512_xor_si512(a, b) ((a) ^ (b))
#define _mm512_and_si512(a, b) ((a) & (b))
#define _mm512_setzero_si512() ((__m512i){0})
#define _mm_set_epi64x(b, a) ((__m128i){a, b})
#define _mm256_set_epi64x(d, c, b, a) ((__m256i){a, b, c, d})
#define _mm512_set_epi64(h, g, f, e, d, c, b, a) ((__m512i){a, b, c, d, e, f, g, h})
#define _mm_cvtsi128_si64(v) ((v)[0])
#define _mm_extract_epi64(v, i) ((v)[i])
#define _mm_clmulepi64_si128 __builtin_ia32_pclmulqdq128
#define _mm256_extracti128_si256 __builtin_ia32_extract128i256
#define _mm256_set1_epi64x(v) ((__m256i){0} + (v))
#define _mm512_set1_epi64(v) ((__m512i){0} + (v))
#define _mm512_extracti64x4_epi64(v, i)                                                            \
  __builtin_ia32_extracti64x4_mask(v, i, (__m256i){0}, (unsigned char)-1)
#define _mm512_ternarylogic_epi64(a, b, c, i)                                                      \
  __builtin_ia32_pternlogq512_mask(a, b, c, i, (unsigned char)-1)
#ifdef __clang__
#define IWARPI_OCTETS const iwarpi_chars *
#define IWARPI_OCTETS_OUT iwarpi_chars *
#define _mm256_clmulepi64_epi128 __builtin_ia32_pclmulqdq256
#define _mm512_clmulepi64_epi128 __builtin_ia32_pclmulqdq512
#else
#define IWARPI_OCTETS const char *
#define IWARPI_OCTETS_OUT char *
#define _mm256_clmulepi64_epi128 __builtin_ia32_vpclmulqdq_v4di
#define _mm512_clmulepi64_epi128 __builtin_ia32_vpclmulqdq_v8di
#endif
#define _mm512_maskz_loadu_epi8(mask, p)                                                           \
  ((__m512i)__builtin_ia32_loaddquqi512_mask((IWARPI_OCTETS)(p), (iwarpi_chars){0}, mask))
#define _mm512_mask_storeu_epi8(p, mask, v)                                                        \
  __builtin_ia32_storedquqi512_mask((IWARPI_OCTETS_OUT)(p), (iwarpi_chars)(v), mask)
#endif
#else
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#endif
