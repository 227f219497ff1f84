/* SPDX-License-Identifier: BSD-2-Clause */
/* A stretch of a packet and the only functions that read from it. */
#ifndef INGEST_SPAN_H
#define INGEST_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* `len` octets on the wire, of which the first `cap` were captured and lie at `data`; cap <= len.
 */
typedef struct ing_span {
  const uint8_t *data;
  size_t cap;
  size_t len;
} ing_span;

/* Reads beyond the captured octets give 0: a wrong bound can make a wrong value, never a wrong
 * access. */
static inline uint8_t ing_u8(const ing_span *s, size_t at) {
  return at < s->cap ? s->data[at] : 0;
}

static inline uint16_t ing_be16(const ing_span *s, size_t at) {
  return (uint16_t)(ing_u8(s, at) << 8 | ing_u8(s, at + 1));
}

static inline uint32_t ing_be32(const ing_span *s, size_t at) {
  return (uint32_t)ing_be16(s, at) << 16 | ing_be16(s, at + 2);
}

/* ing_front names the first n octets, or NULL when not all of them were captured. */
static inline const uint8_t *ing_front(const ing_span *s, size_t n) {
  return n <= s->cap ? s->data : NULL;
}

/* Fields of octets that ing_front has named. */
static inline uint16_t ing_get16(const uint8_t *p) {
  return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t ing_get32(const uint8_t *p) {
  return (uint32_t)ing_get16(p) << 16 | ing_get16(p + 2);
}

/* ing_copy copies n octets at `at`, one at least, when they were captured. */
static inline bool ing_copy(const ing_span *s, size_t at, uint8_t *dst, size_t n) {
  if (at > s->cap || n > s->cap - at) {
    return false;
  }
  memcpy(dst, s->data + at, n);
  return true;
}

/* ing_skip drops the first n octets; false when there are fewer on the wire. */
static inline bool ing_skip(ing_span *s, size_t n) {
  if (n > s->len) {
    return false;
  }
  size_t captured = n < s->cap ? n : s->cap;
  s->data += captured;
  s->cap -= captured;
  s->len -= n;
  return true;
}

/* ing_set_len makes the stretch n octets long on the wire, shorter or longer than the link layer
 * said. */
static inline void ing_set_len(ing_span *s, size_t n) {
  s->len = n;
  if (s->cap > n) {
    s->cap = n;
  }
}

#endif
