/* SPDX-License-Identifier: BSD-2-Clause */
/* See inflate_run.h; INFLATE_RUN is the name of the function. */
#include "inflate_run.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { WINDOW_BITS = 15 + 16, PIECE_MAX = 65536 };

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

void INFLATE_RUN(inflate_run *r) {
  static uint8_t piece[PIECE_MAX];
  z_stream z;
  size_t moved = 1;
  memset(&z, 0, sizeof z);
  r->made = r->used = 0;
  r->result = inflateInit2(&z, WINDOW_BITS);
  while (r->result == Z_OK && moved > 0 && r->made < r->cap) {
    const size_t in = smaller(r->len - r->used, r->in_piece);
    const size_t room = smaller(smaller(r->cap - r->made, r->out_piece), sizeof piece);
    memset(piece, 0xee, room); /* nothing is left of the call before */
    z.next_in = (z_const Bytef *)(uintptr_t)(r->in + r->used);
    z.avail_in = (uInt)in;
    z.next_out = piece;
    z.avail_out = (uInt)room;
    r->result = inflate(&z, Z_NO_FLUSH);
    memcpy(r->out + r->made, piece, room - z.avail_out);
    moved = in - z.avail_in + room - z.avail_out;
    r->used += in - z.avail_in;
    r->made += room - z.avail_out;
    r->result = r->result == Z_BUF_ERROR ? Z_OK : r->result;
  }
  (void)snprintf(r->message, sizeof r->message, "%s", z.msg != NULL ? z.msg : "");
  (void)inflateEnd(&z);
}
