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
/* What cpuid.h and nmmintrin.h would bring; those need a C library. */
#define IWARPI_CPUID(leaf, a, b, c, d)                                                             \
  __asm__ __volatile__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(leaf), "2"(0))
#undef __cpuid
#define __cpuid IWARPI_CPUID
#ifndef bit_SSE4_2
#define bit_SSE4_2 (1u << 20)
#endif
#define _mm_crc32_u8 __builtin_ia32_crc32qi
#define _mm_crc32_u16 __builtin_ia32_crc32hi
#define _mm_crc32_u32 __builtin_ia32_crc32si
#define _mm_crc32_u64 __builtin_ia32_crc32di
#endif
#else
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#endif
