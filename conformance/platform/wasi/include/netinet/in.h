/* SPDX-License-Identifier: BSD-2-Clause */
/* A macro of wasi-libc that casts const away. */
#ifndef PLATFORM_WASI_NETINET_IN_H
#define PLATFORM_WASI_NETINET_IN_H

#include_next <netinet/in.h>

#include <string.h>

#undef IN6_IS_ADDR_V4MAPPED
#define IN6_IS_ADDR_V4MAPPED(address)                                                              \
  (memcmp((address)->s6_addr, "\0\0\0\0\0\0\0\0\0\0\377\377", 12) == 0)

#endif
