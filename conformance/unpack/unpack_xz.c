/* SPDX-License-Identifier: BSD-2-Clause */
/* xz by liblzma. */
#include "unpack_priv.h"

#include <lzma.h>
#include <stdlib.h>

#include <memory/memory.h>

static bool xz_begin(lzma_stream *z) {
  return lzma_stream_decoder(z, UNPACK_WINDOW_MAX, 0) == LZMA_OK;
}

static bool xz_open(unpack *u) {
  static const lzma_stream initial = LZMA_STREAM_INIT;
  lzma_stream *z = memory_get(sizeof *z);
  u->state = z;
  if (z == NULL) {
    return false;
  }
  *z = initial;
  return xz_begin(z);
}

/* The library has numbers only. */
static const char *xz_words(lzma_ret result) {
  static const struct {
    lzma_ret result;
    const char *words;
  } known[] = {{LZMA_FORMAT_ERROR, "not the header of a stream"},
               {LZMA_OPTIONS_ERROR, "unknown options"},
               {LZMA_DATA_ERROR, "corrupt data"}};
  size_t i = 0;
  while (i + 1 < sizeof known / sizeof known[0] && known[i].result != result) {
    i++;
  }
  return known[i].words;
}

static bool xz_failed(unpack *u, lzma_ret result) {
  if (result == LZMA_MEM_ERROR) {
    return unpack_no_memory(u);
  }
  return result == LZMA_MEMLIMIT_ERROR ? unpack_refused(u) : unpack_damaged(u, xz_words(result));
}

static bool xz_decode(unpack *u, unpack_piece *p) {
  lzma_stream *z = u->state;
  z->next_in = p->in + p->used;
  z->avail_in = p->in_len - p->used;
  z->next_out = p->out;
  z->avail_out = p->out_len;
  const lzma_ret result = lzma_code(z, LZMA_RUN);
  p->used = p->in_len - z->avail_in;
  p->made = p->out_len - z->avail_out;
  u->may_end = result == LZMA_STREAM_END;
  u->padding = 0;
  return result <= LZMA_STREAM_END || result == LZMA_BUF_ERROR || xz_failed(u, result);
}

/* Streams follow one another, with a multiple of four zeros between them. */
static bool xz_step(unpack *u, unpack_piece *p) {
  const bool ended = u->may_end || u->padding % 4 != 0;
  if (!ended) {
    return xz_decode(u, p);
  }
  const bool more = unpack_skip_zeros(u, p);
  u->may_end = u->padding % 4 == 0;
  if (!more) {
    return true;
  }
  if (!u->may_end) {
    return unpack_damaged(u, "padding whose octets are no multiple of four");
  }
  return xz_begin(u->state) ? xz_decode(u, p) : unpack_no_memory(u);
}

static void xz_close(unpack *u) {
  if (u->state != NULL) {
    lzma_end(u->state);
  }
  free(u->state);
}

const unpack_library unpack_xz = {xz_open, xz_step, xz_close};
