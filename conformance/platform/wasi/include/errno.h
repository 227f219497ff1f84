/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors that WASI does not number; no call returns them. */
#ifndef PLATFORM_WASI_ERRNO_H
#define PLATFORM_WASI_ERRNO_H

#include_next <errno.h>

#define EHOSTDOWN 1001

#endif
