/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of zlib's interface that unpack/unpack_gzip.c uses, for systems without zlib: gzip of
 * RFC 1952 and nothing else. Messages have the words of zlib. */
#ifndef PLATFORM_ZLIB_ZLIB_H
#define PLATFORM_ZLIB_ZLIB_H

#include <stdint.h>

/* Names of their own, so that a program can have both. */
#define inflateInit2 platform_inflate_init
#define inflateReset platform_inflate_reset
#define inflateEnd platform_inflate_end
#define inflate platform_inflate
#define zError platform_inflate_words

#define Z_OK 0
#define Z_STREAM_END 1
#define Z_DATA_ERROR (-3)
#define Z_MEM_ERROR (-4)
#define Z_BUF_ERROR (-5)
#define Z_NO_FLUSH 0
#define z_const const

typedef unsigned char Bytef;
typedef unsigned int uInt;

/** z_stream is the input and output of one call, and the state between calls. */
typedef struct z_stream {
  z_const Bytef *next_in;
  uInt avail_in;
  Bytef *next_out;
  uInt avail_out;
  z_const char *msg; /* text of the error */
  struct inflate_state *state;
} z_stream;

/** inflateInit2 makes the state of a stream; `window` is ignored: it is gzip's. Z_OK or
 * Z_MEM_ERROR. */
int inflateInit2(z_stream *z, int window);

/** inflateReset begins the next member. */
int inflateReset(z_stream *z);

/** inflate unpacks until input or room ends: Z_OK, Z_STREAM_END, Z_DATA_ERROR, or Z_BUF_ERROR where
 * it could do nothing. `flush` is ignored. */
int inflate(z_stream *z, int flush);

/** inflateEnd gives the memory back. */
int inflateEnd(z_stream *z);

/** zError names an error that has no message. */
const char *zError(int error);

#endif
