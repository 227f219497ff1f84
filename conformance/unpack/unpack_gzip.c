/* SPDX-License-Identifier: BSD-2-Clause */
/* gzip by zlib. */
#include "unpack_priv.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16 }; /* the largest, of gzip's format and no other of zlib's */

static bool gzip_open(unpack *u) {
  z_stream *z = calloc(1, sizeof *z);
  u->state = z;
  return z != NULL && inflateInit2(z, GZIP_WINDOW) == Z_OK;
}

static uInt gzip_size(size_t len) {
  return len < UINT_MAX ? (uInt)len : UINT_MAX;
}

static bool gzip_inflate(unpack *u, unpack_piece *p) {
  z_stream *z = u->state;
  const uInt in = gzip_size(p->in_len - p->used);
  const uInt out = gzip_size(p->out_len);
  z->next_in = (z_const Bytef *)(uintptr_t)(p->in + p->used);
  z->avail_in = in;
  z->next_out = p->out;
  z->avail_out = out;
  const int result = inflate(z, Z_NO_FLUSH);
  p->used += in - z->avail_in;
  p->made = out - z->avail_out;
  u->may_end = result == Z_STREAM_END;
  u->padding = 0;
  if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) {
    return true;
  }
  return unpack_damaged(u, z->msg != NULL ? z->msg : zError(result));
}

/* Members follow one another; zeros after one fill a block of a tape. */
static bool gzip_step(unpack *u, unpack_piece *p) {
  if (u->may_end && (!unpack_skip_zeros(u, p) || inflateReset(u->state) != Z_OK)) {
    return true;
  }
  return gzip_inflate(u, p);
}

static void gzip_close(unpack *u) {
  if (u->state != NULL) {
    (void)inflateEnd(u->state);
  }
  free(u->state);
}

const unpack_library unpack_gzip = {gzip_open, gzip_step, gzip_close};
