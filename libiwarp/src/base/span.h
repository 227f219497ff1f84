/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of spans and fields inside them; beside the cursor the only code that computes where octets
 * are. */
#ifndef IWARPI_BASE_SPAN_H
#define IWARPI_BASE_SPAN_H

#include <iwarp/base.h>

/* The octets of `s` from `off` on; empty when `s` is not longer than `off`. */
static inline iwarp_span span_from(iwarp_span s, size_t off) {
  if (off >= s.len) {
    return (iwarp_span){0};
  }
  return (iwarp_span){s.ptr + off, s.len - off};
}

/* At most `len` octets of `s` from its front. */
static inline iwarp_span span_first(iwarp_span s, size_t len) {
  return (iwarp_span){s.ptr, s.len < len ? s.len : len};
}

/* At most `len` octets of `s` from `off` on. */
static inline iwarp_span span_part(iwarp_span s, size_t off, size_t len) {
  return span_first(span_from(s, off), len);
}

/* Returns true if `next` begins where `s` ends. */
static inline bool span_joins(iwarp_span s, iwarp_span next) {
  return s.ptr + s.len == next.ptr;
}

/* Returns true if `s` has `n` octets at `off`. */
static inline bool span_has(iwarp_span s, size_t off, size_t n) {
  return off <= s.len && n <= s.len - off;
}

/* The octet at `off`; the caller has asked span_has. */
static inline uint8_t span_u8(iwarp_span s, size_t off) {
  return s.ptr[off];
}

/* The 16-bit field at `off`; the caller has asked span_has. */
static inline uint16_t span_be16(iwarp_span s, size_t off) {
  return (uint16_t)(((uint32_t)s.ptr[off] << 8) | s.ptr[off + 1]);
}

/* The 32-bit field at `off`; the caller has asked span_has. */
static inline uint32_t span_be32(iwarp_span s, size_t off) {
  return ((uint32_t)span_be16(s, off) << 16) | span_be16(s, off + 2);
}

/* The 64-bit field at `off`; the caller has asked span_has. */
static inline uint64_t span_be64(iwarp_span s, size_t off) {
  return (uint64_t)span_be32(s, off) << 32 | span_be32(s, off + 4);
}

/* The little-endian 32-bit field at `off`; the caller has asked span_has. */
static inline uint32_t span_le32(iwarp_span s, size_t off) {
  return (uint32_t)s.ptr[off + 3] << 24 | (uint32_t)s.ptr[off + 2] << 16 |
         (uint32_t)s.ptr[off + 1] << 8 | s.ptr[off];
}

#endif
