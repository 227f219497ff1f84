/* SPDX-License-Identifier: BSD-2-Clause */
/* All that the library asks of a C library: firmware without one brings these four functions. */
#ifndef FREESTANDING_STRING_H
#define FREESTANDING_STRING_H

#include <stddef.h>

void *memcpy(void *restrict dst, const void *restrict src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
void *memset(void *dst, int octet, size_t n);
int memcmp(const void *a, const void *b, size_t n);

#endif
