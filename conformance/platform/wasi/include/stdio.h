/* SPDX-License-Identifier: BSD-2-Clause */
/* tmpfile(), which wasi-libc declares and does not have. */
#ifndef PLATFORM_WASI_STDIO_H
#define PLATFORM_WASI_STDIO_H

#define tmpfile platform_no_tmpfile /* a name for the declaration that warns */
#include_next <stdio.h>
#undef tmpfile

#define P_tmpdir "/tmp"

FILE *tmpfile(void);

#endif
