/* SPDX-License-Identifier: BSD-2-Clause */
/* Where text goes: one buffer before a file descriptor, or memory that grows. */
#ifndef REPORT_SINK_H
#define REPORT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * sink collects octets. Members are private but for `error` and `before_write`.
 *
 * A write that fails is remembered in `error` (an errno value) and all that follows is dropped, so
 * that writers need not check each call.
 */
typedef struct sink {
  char *buf;
  size_t len;
  size_t cap;
  int fd;           /* -1: memory only */
  uint64_t flushed; /* octets that left for the descriptor */
  int error;
  void (*before_write)(void *ctx); /* called before octets leave for the descriptor, or NULL */
  void *ctx;
} sink;

/** sink_open_fd makes a sink before the descriptor `fd`, which stays the caller's. False: no
 * memory. */
bool sink_open_fd(sink *s, int fd);

/** sink_open_memory makes a sink that keeps everything; it needs no memory before the first octet.
 */
void sink_open_memory(sink *s);

/** sink_flush writes what is buffered to the descriptor; nothing happens in memory. */
void sink_flush(sink *s);

/** sink_tell returns how many octets were appended, less those that sink_clear forgot. */
static inline uint64_t sink_tell(const sink *s) {
  return s->flushed + s->len;
}

/** sink_clear forgets what a sink in memory holds. */
void sink_clear(sink *s);

/** sink_close gives the memory back without flushing. */
void sink_close(sink *s);

/** sink_make_room flushes or grows until `n` octets fit; false when that fails. */
bool sink_make_room(sink *s, size_t n);

/** sink_put appends `n` octets. */
static inline void sink_put(sink *s, const char *octets, size_t n) {
  if (n > 0 && (s->cap - s->len >= n || sink_make_room(s, n))) {
    memcpy(s->buf + s->len, octets, n);
    s->len += n;
  }
}

/** sink_str appends a string. */
static inline void sink_str(sink *s, const char *text) {
  sink_put(s, text, strlen(text));
}

/** sink_char appends one character. */
static inline void sink_char(sink *s, char c) {
  if (s->cap > s->len || sink_make_room(s, 1)) {
    s->buf[s->len++] = c;
  }
}

/** sink_fill appends `n` times `c`. */
void sink_fill(sink *s, char c, size_t n);

/** sink_u64 appends a number in decimal. */
void sink_u64(sink *s, uint64_t v);

/** sink_u64_width appends a number in decimal, right-aligned in `width` columns. */
void sink_u64_width(sink *s, uint64_t v, size_t width);

/** sink_hex appends "0x" and `digits` lower-case digits of `v` (1 to 16). */
void sink_hex(sink *s, uint64_t v, unsigned int digits);

/** sink_octets appends octets in lower-case hex, with `separator` between two (0: none). */
void sink_octets(sink *s, const uint8_t *octets, size_t n, char separator);

/** sink_time appends nanoseconds since the epoch as seconds with `decimals` (6 or 9) digits behind
 * the point. */
void sink_time(sink *s, uint64_t time_ns, unsigned int decimals);

#endif
