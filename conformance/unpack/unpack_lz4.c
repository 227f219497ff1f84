/* SPDX-License-Identifier: BSD-2-Clause */
/* lz4 by the frame functions of liblz4. */
#include "unpack_priv.h"

#include <lz4frame.h>
#include <string.h>

static bool lz4_open(unpack *u) {
  LZ4F_dctx *z = NULL;
  const LZ4F_errorCode_t result = LZ4F_createDecompressionContext(&z, LZ4F_VERSION);
  u->state = z;
  u->want = LZ4F_HEADER_SIZE_MIN;
  return LZ4F_isError(result) == 0;
}

/* The library keeps its numbers to itself. */
static bool lz4_failed(unpack *u, size_t result) {
  const char *name = LZ4F_getErrorName(result);
  return strcmp(name, "ERROR_allocation_failed") == 0 ? unpack_no_memory(u)
                                                      : unpack_damaged(u, name);
}

static bool lz4_step(unpack *u, unpack_piece *p) {
  if (u->may_end && p->in_len == 0) {
    return true;
  }
  size_t in = unpack_block(u, p);
  size_t out = p->out_len;
  const size_t result = LZ4F_decompress(u->state, p->out, &out, p->in, &in, NULL);
  p->used = in;
  p->made = out;
  if (LZ4F_isError(result) != 0) {
    return lz4_failed(u, result);
  }
  u->may_end = result == 0;
  u->want = result == 0 ? LZ4F_HEADER_SIZE_MIN : result;
  return true;
}

static void lz4_close(unpack *u) {
  (void)LZ4F_freeDecompressionContext(u->state);
}

const unpack_library unpack_lz4 = {lz4_open, lz4_step, lz4_close};
