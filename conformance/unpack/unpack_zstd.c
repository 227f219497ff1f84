/* SPDX-License-Identifier: BSD-2-Clause */
/* zstd by libzstd. */
#include "unpack_priv.h"

#include <zstd.h>
#include <zstd_errors.h>

enum { ZSTD_WINDOW_LOG = 27 };
_Static_assert(1u << ZSTD_WINDOW_LOG == UNPACK_WINDOW_MAX,
               "the window equals the window of the other forms");

static bool zstd_open(unpack *u) {
  ZSTD_DStream *z = ZSTD_createDStream();
  u->state = z;
  if (z == NULL) {
    return false;
  }
  u->want = ZSTD_initDStream(z);
  return ZSTD_isError(ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG)) == 0;
}

/* A header has at most so many octets. While libzstd reads a header, it may take the first four
 * octets of a call for a frame of a version before 1.0. It never gets four octets there, because
 * the result must not depend on the pieces. */
enum { ZSTD_HEADER_MAX = 18, ZSTD_HEADER_PIECE = 3 };

static size_t zstd_piece(const unpack *u, const unpack_piece *p) {
  const size_t len = unpack_block(u, p);
  return u->taken < ZSTD_HEADER_MAX && len > ZSTD_HEADER_PIECE ? ZSTD_HEADER_PIECE : len;
}

static bool zstd_failed(unpack *u, size_t result) {
  const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
  if (code == ZSTD_error_memory_allocation) {
    return unpack_no_memory(u);
  }
  return code == ZSTD_error_frameParameter_windowTooLarge
             ? unpack_refused(u)
             : unpack_damaged(u, ZSTD_getErrorName(result));
}

static bool zstd_step(unpack *u, unpack_piece *p) {
  if (u->may_end && p->in_len == 0) {
    return true;
  }
  ZSTD_inBuffer in = {p->in, zstd_piece(u, p), 0};
  ZSTD_outBuffer out = {p->out, p->out_len, 0};
  const size_t result = ZSTD_decompressStream(u->state, &out, &in);
  p->used = in.pos;
  p->made = out.pos;
  if (ZSTD_isError(result) != 0) {
    return zstd_failed(u, result);
  }
  u->may_end = result == 0;
  u->taken = result == 0 ? 0 : u->taken + in.pos;
  u->want = result == 0 ? ZSTD_initDStream(u->state) : result;
  return true;
}

static void zstd_close(unpack *u) {
  (void)ZSTD_freeDStream(u->state);
}

const unpack_library unpack_zstd = {zstd_open, zstd_step, zstd_close};
