/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: the read cursor, the write cursor and the parts of spans, alone and from any state. */
#include "base/cursor.h"
#include "base/span.h"
#include "proof.h"

#define CURSOR_SMALL 10u /* octets: blocks of up to so many are gone through one by one */
#define CURSOR_WORD 8u   /* octets of the widest field */

/* The reads of fields, whose length the code gives. */
#define CURSOR_FIELDS 5
static void cursor_read_field(rd *r, int op) {
  switch (op) {
  case 0: rd_u8(r); break;
  case 1: rd_u16(r); break;
  case 2: rd_u32(r); break;
  case 3: rd_u32le(r); break;
  default: rd_u64(r); break;
  }
}

/* The reads whose length comes from elsewhere. `copy` takes cap octets. */
#define CURSOR_PARTS 4
static void cursor_read_part(rd *r, int op, uint8_t *copy, size_t cap, size_t n) {
  switch (op) {
  case 0: rd_take(r, n); break;
  case 1: proof_touch(rd_span(r, n)); break;
  case 2: proof_touch(rd_upto(r, n)); break;
  default:
    rd_octets(r, copy, cap, n);
    proof_touch((iwarp_span){.ptr = copy, .len = n});
    break;
  }
}

/* cursor_at is a cursor whose `left` octets lie at p; what it remembers is anything. */
static rd cursor_at(const uint8_t *p, size_t left) {
  return (rd){.p = p, .left = left, .used = proof_size, .need = proof_size, .bad = proof_bool()};
}

/*
 * One read at offset `at` of a block of `len` octets. The cursor stays inside the block whatever
 * the read is: so it does after any number of them.
 */
static void cursor_step(const uint8_t *p, size_t at, size_t len, int op, size_t n) {
  rd r = cursor_at(p + at, len - at);
  uint8_t copy[CURSOR_SMALL + 1];
  if (op < CURSOR_FIELDS) {
    cursor_read_field(&r, op);
  } else {
    cursor_read_part(&r, op - CURSOR_FIELDS, copy, sizeof copy, n);
  }
  rd_result(&r);
  size_t now = (size_t)(r.p - p);
  //@ assert at <= now && now <= len && r.left <= len - now;
}

static void cursor_small_at(const uint8_t *p, size_t at, size_t len) {
  //@ loop unroll CURSOR_FIELDS;
  for (int op = 0; op < CURSOR_FIELDS; op++) {
    cursor_step(p, at, len, op, 0);
  }
  //@ loop unroll CURSOR_PARTS;
  for (int op = 0; op < CURSOR_PARTS; op++) {
    //@ loop unroll CURSOR_SMALL + 2;
    for (size_t n = 0; n <= len - at + 1; n++) {
      cursor_step(p, at, len, CURSOR_FIELDS + op, n);
    }
  }
}

/* Every block of up to CURSOR_SMALL octets, and every place in it. */
static void cursor_small(void) {
  //@ loop unroll CURSOR_SMALL + 1;
  for (size_t len = 0; len <= CURSOR_SMALL; len++) {
    uint8_t *p = proof_block(len);
    //@ loop unroll CURSOR_SMALL + 1;
    for (size_t at = 0; at <= len; at++) {
      cursor_small_at(p, at, len);
    }
    free(p);
  }
}

/*
 * A field of a cursor with any number of octets left, up to SIZE_MAX: the block has no octet more
 * than the widest field, so no more than that is read.
 */
static void cursor_field_of_any(void) {
  uint8_t *p = proof_block(CURSOR_WORD);
  //@ loop unroll CURSOR_FIELDS;
  for (int op = 0; op < CURSOR_FIELDS; op++) {
    rd r = cursor_at(p, Frama_C_size_t_interval(CURSOR_WORD, SIZE_MAX));
    cursor_read_field(&r, op);
  }
  free(p);
}

/* A part of any length, of a cursor of any length. */
static void cursor_part_of_any(void) {
  //@ loop unroll CURSOR_PARTS;
  for (int op = 0; op < CURSOR_PARTS; op++) {
    iwarp_span in = proof_far_any();
    rd r = cursor_at(in.ptr, in.len);
    size_t n = op == CURSOR_PARTS - 1 ? Frama_C_size_t_interval(0, PROOF_FAR_LEN) : proof_size;
    cursor_read_part(&r, op, proof_far_out, PROOF_FAR_LEN, n);
  }
  rd none = rd_of((iwarp_span){.ptr = NULL, .len = 0});
  //@ loop unroll CURSOR_FIELDS;
  for (int op = 0; op < CURSOR_FIELDS; op++) {
    cursor_read_field(&none, op);
  }
  //@ loop unroll CURSOR_PARTS;
  for (int op = 0; op < CURSOR_PARTS; op++) {
    cursor_read_part(&none, op, proof_far_out, PROOF_FAR_LEN,
                     Frama_C_size_t_interval(0, PROOF_FAR_LEN));
  }
}

#define CURSOR_WRITES 6
static void cursor_write(wr *w, int op, iwarp_span v) {
  switch (op) {
  case 0: wr_u8(w, proof_u8); break;
  case 1: wr_u16(w, proof_u16); break;
  case 2: wr_u32(w, proof_u32); break;
  case 3: wr_u32le(w, proof_u32); break;
  case 4: wr_u64(w, proof_u64); break;
  default: wr_span(w, v); break;
  }
}

/* One write, from any place inside or after a destination of `cap` octets. */
static void cursor_write_at(uint8_t *dst, size_t cap, size_t at) {
  //@ loop unroll CURSOR_WRITES;
  for (int op = 0; op < CURSOR_WRITES; op++) {
    //@ loop unroll CURSOR_SMALL + 2;
    for (size_t n = 0; n <= (op == CURSOR_WRITES - 1 ? cap + 1 : 0); n++) {
      uint8_t *p = proof_block(n);
      wr w = {.dst = dst, .cap = cap, .len = at};
      cursor_write(&w, op, (iwarp_span){.ptr = p, .len = n});
      size_t len = 0;
      wr_end(&w, &len);
      free(p);
    }
  }
}

static void cursor_small_writes(void) {
  //@ loop unroll CURSOR_SMALL + 1;
  for (size_t cap = 0; cap <= CURSOR_SMALL; cap++) {
    uint8_t *dst = malloc(cap);
    //@ loop unroll CURSOR_SMALL + 2;
    for (size_t at = 0; at <= cap + 1; at++) {
      cursor_write_at(dst, cap, at);
    }
    cursor_write_at(dst, cap, proof_size);
    free(dst);
  }
}

/* cursor_write_far does each write into the longest destination, fields from any place in it. */
static void cursor_write_far(int op) {
  wr front = wr_of(proof_far_out, Frama_C_size_t_interval(0, PROOF_FAR_LEN), proof_size);
  cursor_write(&front, op, proof_far_any());
  proof_touch(wr_written(&front));
  wr place = {.dst = proof_far_out, .cap = PROOF_FAR_LEN, .len = proof_size};
  if (op != CURSOR_WRITES - 1) {
    cursor_write(&place, op, proof_far_any());
  }
  wr any = wr_of(proof_far_out, Frama_C_size_t_interval(0, PROOF_FAR_LEN), proof_size);
  wr_take(&any, proof_size);
  wr count = wr_of(NULL, proof_size, proof_size);
  cursor_write(&count, op, proof_far_any());
  wr_written(&count);
  size_t len = 0;
  wr_end(&count, &len);
}

static void cursor_any_writes(void) {
  //@ loop unroll CURSOR_WRITES;
  for (int op = 0; op < CURSOR_WRITES; op++) {
    cursor_write_far(op);
  }
}

/* A field of a span, where the code has asked span_has. */
static void cursor_span_fields(iwarp_span s, size_t off) {
  if (span_has(s, off, 1)) {
    span_u8(s, off);
  }
  if (span_has(s, off, 2)) {
    span_be16(s, off);
  }
  if (span_has(s, off, 4)) {
    span_be32(s, off);
  }
}

static void cursor_span(iwarp_span s, size_t off) {
  cursor_span_fields(s, off);
  span_from(s, off);
  proof_touch(span_first(s, proof_size));
}

static void cursor_spans(void) {
  cursor_span((iwarp_span){.ptr = NULL, .len = 0}, proof_size);
  //@ loop unroll CURSOR_SMALL + 1;
  for (size_t len = 0; len <= CURSOR_SMALL; len++) {
    uint8_t *p = proof_block(len);
    iwarp_span s = {.ptr = p, .len = len};
    cursor_span(s, proof_size);
    //@ loop unroll CURSOR_SMALL + 2;
    for (size_t off = 0; off <= len + 1; off++) {
      proof_touch(span_part(s, off, proof_size));
    }
    free(p);
  }
  proof_far_any();
  cursor_span((iwarp_span){.ptr = proof_far, .len = PROOF_FAR_LEN}, proof_size);
}

void prove(void) {
  cursor_small();
  cursor_field_of_any();
  cursor_part_of_any();
  cursor_small_writes();
  cursor_any_writes();
  cursor_spans();
}
