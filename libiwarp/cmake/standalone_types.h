/* SPDX-License-Identifier: BSD-2-Clause */
/* The head of the amalgamation's iwarp.h: the types of C, without a header where the compiler has
 * them by itself. A header of C that is included before or after it says the same. */
#ifndef IWARPI_STANDALONE_TYPES
#define IWARPI_STANDALONE_TYPES
#ifdef __GNUC__
typedef __SIZE_TYPE__ size_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
#ifndef UINT32_C
#define UINT32_C(value) value##u
#endif
#ifndef UINT64_MAX
#define UINT64_MAX __UINT64_MAX__
#endif
#if !defined(__cplusplus) && !defined(bool) && __STDC_VERSION__ < 202311L
#define bool _Bool
#define true 1
#define false 0
#endif
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif
#endif
