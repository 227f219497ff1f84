/* SPDX-License-Identifier: BSD-2-Clause */
/* A buffer of text before a file descriptor, or in memory that grows. */
#ifndef REPORT_OUT_BUF_H
#define REPORT_OUT_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * out_buf collects octets. Members are private but for `error` and `before_write`.
 *
 * A write that fails is remembered in `error` (an errno value) and all that follows is dropped, so
 * that writers need not check each call.
 */
typedef struct out_buf {
  char *buf;
  size_t len;
  size_t cap;
  int fd;           /* -1: memory only */
  uint64_t flushed; /* octets that left for the descriptor */
  int error;
  void (*before_write)(void *ctx); /* called before octets leave for the descriptor, or NULL */
  void *ctx;
} out_buf;

/** out_open_fd makes an output buffer before the descriptor `fd`, which stays the caller's. False:
 * no memory. */
bool out_open_fd(out_buf *s, int fd);

/** out_open_memory makes an output buffer that keeps everything; it needs no memory before the
 * first octet.
 */
void out_open_memory(out_buf *s);

/** out_flush writes what is buffered to the descriptor; nothing happens in memory. */
void out_flush(out_buf *s);

/** out_tell returns how many octets were appended, less those that out_clear forgot. */
static inline uint64_t out_tell(const out_buf *s) {
  return s->flushed + s->len;
}

/** out_cut_back drops what was appended since out_tell returned `tell`, unless it left for the
 * descriptor. */
void out_cut_back(out_buf *s, uint64_t tell);

/** out_clear forgets what an output buffer in memory holds. */
void out_clear(out_buf *s);

/** out_close gives the memory back without flushing. */
void out_close(out_buf *s);

/** out_make_room flushes or grows until `n` octets fit; false when that fails. */
bool out_make_room(out_buf *s, size_t n);

/** out_put appends `n` octets. */
static inline void out_put(out_buf *s, const char *octets, size_t n) {
  if (n > 0 && (s->cap - s->len >= n || out_make_room(s, n))) {
    memcpy(s->buf + s->len, octets, n);
    s->len += n;
  }
}

/** out_str appends a string. */
static inline void out_str(out_buf *s, const char *text) {
  out_put(s, text, strlen(text));
}

/** out_fail_with drops what follows, where a part of it has an error. */
static inline void out_fail_with(out_buf *s, const out_buf *part) {
  s->error = s->error == 0 ? part->error : s->error;
}

/** out_char appends one character. */
static inline void out_char(out_buf *s, char c) {
  if (s->cap > s->len || out_make_room(s, 1)) {
    s->buf[s->len++] = c;
  }
}

/** out_wrapped appends lines of text. What is longer than so many columns, 1 at least, goes on in
 * the next line, indented. */
void out_wrapped(out_buf *s, const out_buf *text, size_t columns);

/** out_fill appends `n` times `c`. */
void out_fill(out_buf *s, char c, size_t n);

/** out_u64 appends a number in decimal. */
void out_u64(out_buf *s, uint64_t v);

/** out_u64_width appends a number in decimal, right-aligned in `width` columns. */
void out_u64_width(out_buf *s, uint64_t v, size_t width);

/** out_hex appends "0x" and `digits` lower-case digits of `v` (1 to 16). */
void out_hex(out_buf *s, uint64_t v, unsigned int digits);

/** out_octets appends octets in lower-case hex, with `separator` between two (0: none). */
void out_octets(out_buf *s, const uint8_t *octets, size_t n, char separator);

/** out_fixed appends `value`, which counts units of the last of `decimals` digits (1 to 9) after
 * the point: 12345 with 3 is "12.345". */
void out_fixed(out_buf *s, uint64_t value, unsigned int decimals);

/** out_time appends nanoseconds since the epoch as seconds with `decimals` (6 or 9) digits after
 * the point. */
void out_time(out_buf *s, uint64_t time_ns, unsigned int decimals);

#endif
