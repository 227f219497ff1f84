/* SPDX-License-Identifier: BSD-2-Clause */
/* gzip by zlib. */
#include "unpack_priv.h"

#include <stdlib.h>
#include <zlib.h>

#include <memory/memory.h>

enum { GZIP_WINDOW = 15 + 16 }; /* the largest, of gzip's format and no other of zlib's */

static bool gzip_open(unpack *u) {
  z_stream *z = memory_zeroed(1, sizeof *z);
  u->state = z;
  return z != NULL && inflateInit2(z, GZIP_WINDOW) == Z_OK;
}

static bool gzip_inflate(unpack *u, unpack_piece *p) {
  z_stream *z = u->state;
  const uInt in = (uInt)(p->in_len - p->used);
  const uInt out = (uInt)p->out_len;
  z->next_in = (z_const Bytef *)(uintptr_t)(p->in + p->used);
  z->avail_in = in;
  z->next_out = p->out;
  z->avail_out = out;
  const int result = inflate(z, Z_NO_FLUSH);
  p->used += in - z->avail_in;
  p->made = out - z->avail_out;
  u->may_end = result == Z_STREAM_END;
  u->padding = 0;
  if (result >= Z_OK || result == Z_BUF_ERROR) {
    return true;
  }
  if (result == Z_MEM_ERROR) {
    return unpack_no_memory(u);
  }
  return unpack_damaged(u, z->msg != NULL ? z->msg : zError(result));
}

/* Members follow one another; zeros after one fill a block of a tape. */
static bool gzip_step(unpack *u, unpack_piece *p) {
  if (u->may_end && !unpack_skip_zeros(u, p)) {
    return true;
  }
  if (u->may_end) {
    (void)inflateReset(u->state); /* fails for no state that was made */
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
