/* SPDX-License-Identifier: BSD-2-Clause */
/* The read and the write cursor: the only code that turns a length into a pointer. */
#ifndef IWARPI_BASE_CURSOR_H
#define IWARPI_BASE_CURSOR_H

#include <string.h>

#include <iwarp/base.h>

/*
 * rd reads forward through borrowed octets. A read beyond the end fails, and with it every later
 * one; a failed read yields zeros. So a decoder reads all fields and checks for an error once, at
 * the end.
 */
typedef struct rd {
  const uint8_t *p;
  size_t left; /* octets not read yet */
  size_t used; /* octets read */
  size_t need; /* octets that the first failed read wanted, counted from the start */
  bool bad;
} rd;

static inline rd rd_of(iwarp_span in) {
  return (rd){.p = in.ptr, .left = in.len};
}

/* rd_take moves over n octets and returns where they are, or NULL when they are not there. */
static inline const uint8_t *rd_take(rd *r, size_t n) {
  const uint8_t *q = r->p;
  if (n > r->left) {
    if (!r->bad) {
      r->need = r->used + n;
    }
    r->bad = true;
    r->left = 0;
    return NULL;
  }
  if (n > 0) { /* NULL + 0 is not defined in C */
    r->p = q + n;
    r->left -= n;
    r->used += n;
  }
  return q;
}

static inline uint8_t rd_u8(rd *r) {
  const uint8_t *q = rd_take(r, 1);
  return q != NULL ? q[0] : 0;
}

static inline uint16_t rd_u16(rd *r) {
  const uint8_t *q = rd_take(r, 2);
  return q != NULL ? (uint16_t)((uint32_t)q[0] << 8 | q[1]) : 0;
}

static inline uint32_t rd_u32(rd *r) {
  const uint8_t *q = rd_take(r, 4);
  if (q == NULL) {
    return 0;
  }
  return (uint32_t)q[0] << 24 | (uint32_t)q[1] << 16 | (uint32_t)q[2] << 8 | q[3];
}

static inline uint64_t rd_u64(rd *r) {
  const uint64_t high = rd_u32(r);
  const uint64_t low = rd_u32(r);
  return r->bad ? 0 : high << 32 | low; /* 0, not the half that was there */
}

/* rd_u32le reads a little-endian field: the CRC, RFC 5044 4.4, and what some peers send. */
static inline uint32_t rd_u32le(rd *r) {
  const uint8_t *q = rd_take(r, 4);
  if (q == NULL) {
    return 0;
  }
  return (uint32_t)q[3] << 24 | (uint32_t)q[2] << 16 | (uint32_t)q[1] << 8 | q[0];
}

/* rd_span moves over n octets and names them; empty when they are not there. */
static inline iwarp_span rd_span(rd *r, size_t n) {
  const uint8_t *q = rd_take(r, n);
  return (iwarp_span){.ptr = q, .len = q != NULL ? n : 0};
}

/* rd_upto names the next n octets, or as many of them as there are. */
static inline iwarp_span rd_upto(rd *r, size_t n) {
  return rd_span(r, n < r->left ? n : r->left);
}

/*
 * rd_octets moves over n octets and copies them; zeros when they are not there. `dst` has room for
 * `cap` octets. Only the proof uses `cap`, because it does not know where a member of an object
 * ends.
 */
static inline void rd_octets(rd *r, uint8_t *dst, size_t cap, size_t n) {
  (void)cap;
  /*@ assert n <= cap; */
  const uint8_t *q = rd_take(r, n);
  if (n == 0) { /* memcpy needs valid pointers for 0 octets, too */
    return;
  }
  if (q != NULL) {
    memcpy(dst, q, n);
  } else {
    memset(dst, 0, n);
  }
}

/* CURSOR_ARRAY is the array itself. Anything but an array of octets, such as a pointer to octets,
 * does not compile. */
#define CURSOR_ARRAY(array) (*(uint8_t(*const)[sizeof(array)]){&(array)})

/* rd_array fills an array; its type has the number of octets. */
#define rd_array(r, array) rd_octets((r), CURSOR_ARRAY(array), sizeof(array), sizeof(array))

/* rd_front fills the first n octets of an array. */
#define rd_front(r, array, n) rd_octets((r), CURSOR_ARRAY(array), sizeof(array), (n))

/* rd_result returns the result of a decoder whose only error is that octets are missing. */
static inline iwarp_dec rd_result(const rd *r) {
  if (r->bad) {
    return (iwarp_dec){.err = IWARP_ERR_NEED_MORE, .need = r->need};
  }
  return (iwarp_dec){.err = IWARP_OK, .used = r->used};
}

/*
 * wr writes forward into the caller's memory. It counts all octets that are put, and writes either
 * all of them or none. It begins with the size of the whole; if that does not fit, it writes
 * nothing.
 */
typedef struct wr {
  uint8_t *dst; /* NULL: only count */
  size_t cap;   /* octets that may be written */
  size_t len;   /* octets put, written or not */
} wr;

static inline wr wr_of(uint8_t *dst, size_t cap, size_t size) {
  return (wr){.dst = dst, .cap = dst != NULL && size <= cap ? size : 0};
}

/* wr_array writes to the whole of an array. */
#define wr_array(array) wr_of(CURSOR_ARRAY(array), sizeof(array), sizeof(array))
/* The size of a header and the octets after it. SIZE_MAX, which never fits, if the sum is larger.
 */
static inline size_t wr_size(size_t header, size_t rest) {
  return rest <= SIZE_MAX - header ? header + rest : SIZE_MAX;
}

/* No object is larger: more octets at once are counted, never written. */
#define WR_MAX (SIZE_MAX / 2u)

/* wr_take moves over n octets and returns where they go, or NULL when they are only counted. */
static inline uint8_t *wr_take(wr *w, size_t n) {
  size_t at = w->len;
  w->len = n <= SIZE_MAX - at ? at + n : SIZE_MAX;
  if (n == 0 || n > WR_MAX || at > w->cap || n > w->cap - at) {
    return NULL;
  }
  return w->dst + at;
}

static inline void wr_u8(wr *w, uint8_t v) {
  uint8_t *q = wr_take(w, 1);
  if (q != NULL) {
    q[0] = v;
  }
}

static inline void wr_u16(wr *w, uint16_t v) {
  uint8_t *q = wr_take(w, 2);
  if (q != NULL) {
    q[0] = (uint8_t)(v >> 8);
    q[1] = (uint8_t)(v & 0xFF);
  }
}

static inline void wr_u32(wr *w, uint32_t v) {
  wr_u16(w, (uint16_t)(v >> 16));
  wr_u16(w, (uint16_t)(v & 0xFFFF));
}

static inline void wr_u64(wr *w, uint64_t v) {
  wr_u32(w, (uint32_t)(v >> 32));
  wr_u32(w, (uint32_t)(v & 0xFFFFFFFF));
}

static inline void wr_u32le(wr *w, uint32_t v) {
  wr_u8(w, (uint8_t)(v & 0xFF));
  wr_u8(w, (uint8_t)(v >> 8 & 0xFF));
  wr_u8(w, (uint8_t)(v >> 16 & 0xFF));
  wr_u8(w, (uint8_t)(v >> 24));
}

static inline void wr_span(wr *w, iwarp_span v) {
  uint8_t *q = wr_take(w, v.len);
  if (q != NULL) {
    memcpy(q, v.ptr, v.len);
  }
}

/* wr_move is wr_span for octets that may overlap where they go. */
static inline void wr_move(wr *w, iwarp_span v) {
  uint8_t *q = wr_take(w, v.len);
  if (q != NULL) {
    memmove(q, v.ptr, v.len);
  }
}

/* wr_written names the octets written so far; empty when they were only counted. */
static inline iwarp_span wr_written(const wr *w) {
  return (iwarp_span){.ptr = w->dst, .len = w->len <= w->cap ? w->len : 0};
}

/* wr_end reports the size; NOBUF when there was a destination and it was too small. */
static inline iwarp_err wr_end(const wr *w, size_t *out_len) {
  *out_len = w->len;
  return w->dst != NULL && w->len > w->cap ? IWARP_ERR_NOBUF : IWARP_OK;
}

#endif
