/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contracts of every read and write of src/base/cursor.h, which Frama-C's WP proves for each
 * length. Frama-C adds the contract of a declaration to the function that the header defines.
 */
#include <string.h>

#include <iwarp/base.h>

/* ---- the C library, of octets: Frama-C's own contracts are about characters ---- */

/*@
  requires \valid(dst + (0 .. n - 1)) && \valid_read(src + (0 .. n - 1));
  requires \separated(dst + (0 .. n - 1), src + (0 .. n - 1));
  assigns dst[0 .. n - 1] \from src[0 .. n - 1];
  ensures \forall integer i; 0 <= i < n ==> dst[i] == \old(src[i]);
*/
void contract_memcpy(uint8_t *dst, const uint8_t *src, size_t n);

/*@
  requires \valid(dst + (0 .. n - 1)) && \valid_read(src + (0 .. n - 1));
  assigns dst[0 .. n - 1] \from src[0 .. n - 1];
  ensures \forall integer i; 0 <= i < n ==> dst[i] == \old(src[i]);
*/
void contract_memmove(uint8_t *dst, const uint8_t *src, size_t n);

/*@
  requires \valid(dst + (0 .. n - 1)) && 0 <= value <= 0xFF;
  assigns dst[0 .. n - 1] \from value;
  ensures \forall integer i; 0 <= i < n ==> dst[i] == value;
*/
void contract_memset(uint8_t *dst, int value, size_t n);

#define memcpy contract_memcpy
#define memmove contract_memmove
#define memset contract_memset
#include "base/cursor.h"

/* ---- what a cursor is ---- */

/*@
  predicate rd_holds(rd *r) =
    \valid(r) && (r->left > 0 ==> \valid_read(r->p + (0 .. r->left - 1))) &&
    \separated(r, r->p + (0 .. r->left - 1)) && r->used + r->left <= SIZE_MAX;

  predicate rd_moved{Old, New}(rd *r, integer n) =
    \at(r->p, New) == \at(r->p, Old) + n && \at(r->left, New) == \at(r->left, Old) - n &&
    \at(r->used, New) == \at(r->used, Old) + n &&
    \at(r->need, New) == \at(r->need, Old) && \at(r->bad, New) == \at(r->bad, Old);

  predicate rd_failed{Old, New}(rd *r, integer n) =
    \at(r->p, New) == \at(r->p, Old) && \at(r->left, New) == 0 &&
    \at(r->used, New) == \at(r->used, Old) && \at(r->bad, New) == 1 &&
    \at(r->need, New) ==
      (\at(r->bad, Old) ? \at(r->need, Old) : (size_t)(\at(r->used, Old) + n));

  predicate wr_holds(wr *w) =
    \valid(w) && (w->cap > 0 ==> \valid(w->dst + (0 .. w->cap - 1))) &&
    \separated(w, w->dst + (0 .. w->cap - 1));

  predicate wr_fits(wr *w, integer n) =
    0 < n <= WR_MAX && w->len <= w->cap && n <= w->cap - w->len;

  logic integer be32{L}(uint8_t *p) =
    (uint32_t)(p[0] << 24) | (uint32_t)(p[1] << 16) | (uint32_t)(p[2] << 8) | p[3];

  logic integer le32{L}(uint8_t *p) =
    (uint32_t)(p[3] << 24) | (uint32_t)(p[2] << 16) | (uint32_t)(p[1] << 8) | p[0];

  logic integer wr_sum(integer a, integer b) = a + b <= SIZE_MAX ? a + b : SIZE_MAX;
*/

/* ---- reads ---- */

/*@
  assigns \result \from in;
  ensures \result.p == in.ptr && \result.left == in.len;
  ensures \result.used == 0 && \result.need == 0 && \result.bad == 0;
*/
static inline rd rd_of(iwarp_span in);

/*@
  requires rd_holds(r);
  assigns *r, \result \from *r, n;
  ensures rd_holds(r);
  behavior there:
    assumes n <= r->left;
    ensures \result == \old(r->p) && rd_moved{Pre, Post}(r, n);
  behavior missing:
    assumes n > r->left;
    ensures \result == \null && rd_failed{Pre, Post}(r, n);
  complete behaviors;
  disjoint behaviors;
*/
static inline const uint8_t *rd_take(rd *r, size_t n);

/*@
  requires rd_holds(r);
  assigns *r, \result \from *r, r->p[0];
  ensures rd_holds(r);
  behavior there:
    assumes 1 <= r->left;
    ensures \result == \old(r->p[0]) && rd_moved{Pre, Post}(r, 1);
  behavior missing:
    assumes 1 > r->left;
    ensures \result == 0 && rd_failed{Pre, Post}(r, 1);
  complete behaviors;
  disjoint behaviors;
*/
static inline uint8_t rd_u8(rd *r);

/*@
  requires rd_holds(r);
  assigns *r, \result \from *r, r->p[0 .. 1];
  ensures rd_holds(r);
  behavior there:
    assumes 2 <= r->left;
    ensures \result == (uint16_t)((uint32_t)(\old(r->p[0])) << 8 | \old(r->p[1]));
    ensures rd_moved{Pre, Post}(r, 2);
  behavior missing:
    assumes 2 > r->left;
    ensures \result == 0 && rd_failed{Pre, Post}(r, 2);
  complete behaviors;
  disjoint behaviors;
*/
static inline uint16_t rd_u16(rd *r);

/*@
  requires rd_holds(r);
  assigns *r, \result \from *r, r->p[0 .. 3];
  ensures rd_holds(r);
  behavior there:
    assumes 4 <= r->left;
    ensures \result == \old(be32(r->p));
    ensures rd_moved{Pre, Post}(r, 4);
  behavior missing:
    assumes 4 > r->left;
    ensures \result == 0 && rd_failed{Pre, Post}(r, 4);
  complete behaviors;
  disjoint behaviors;
*/
static inline uint32_t rd_u32(rd *r);

/*@
  requires rd_holds(r);
  assigns *r, \result \from *r, r->p[0 .. 3];
  ensures rd_holds(r);
  behavior there:
    assumes 4 <= r->left;
    ensures \result == \old(le32(r->p));
    ensures rd_moved{Pre, Post}(r, 4);
  behavior missing:
    assumes 4 > r->left;
    ensures \result == 0 && rd_failed{Pre, Post}(r, 4);
  complete behaviors;
  disjoint behaviors;
*/
static inline uint32_t rd_u32le(rd *r);

/*@
  requires rd_holds(r);
  assigns *r, \result \from *r, r->p[0 .. 7];
  ensures rd_holds(r);
  behavior there:
    assumes 8 <= r->left && !r->bad;
    ensures \result == \old((uint64_t)(be32(r->p) << 32) | be32(r->p + 4));
    ensures rd_moved{Pre, Post}(r, 8);
  behavior missing:
    assumes 8 > r->left || r->bad;
    ensures \result == 0 && r->bad;
  complete behaviors;
  disjoint behaviors;
*/
static inline uint64_t rd_u64(rd *r);

/*@
  requires rd_holds(r);
  assigns *r, \result \from *r, n;
  ensures rd_holds(r);
  behavior there:
    assumes n <= r->left;
    ensures \result.ptr == \old(r->p) && rd_moved{Pre, Post}(r, n);
    ensures \result.len == (\result.ptr != \null ? n : 0);
    ensures n > 0 ==> \valid_read(\result.ptr + (0 .. n - 1)) && \result.len == n;
  behavior missing:
    assumes n > r->left;
    ensures \result.ptr == \null && \result.len == 0 && rd_failed{Pre, Post}(r, n);
  complete behaviors;
  disjoint behaviors;
*/
static inline iwarp_span rd_span(rd *r, size_t n);

/*@
  requires rd_holds(r);
  assigns *r, \result \from *r, n;
  ensures rd_holds(r);
  ensures \result.ptr == \old(r->p);
  ensures rd_moved{Pre, Post}(r, \min(n, \old(r->left)));
  ensures \result.len > 0 ==> \valid_read(\result.ptr + (0 .. \result.len - 1));
  ensures \result.len == (\result.ptr != \null ? \min(n, \old(r->left)) : 0);
*/
static inline iwarp_span rd_upto(rd *r, size_t n);

/*@
  requires rd_holds(r);
  requires n <= cap && (n > 0 ==> \valid(dst + (0 .. n - 1)));
  requires \separated(r, dst + (0 .. n - 1));
  requires n <= r->left ==> \separated(dst + (0 .. n - 1), r->p + (0 .. n - 1));
  assigns *r, dst[0 .. n - 1] \from *r, r->p[0 .. n - 1], n;
  behavior there:
    assumes n <= r->left;
    ensures rd_moved{Pre, Post}(r, n);
    ensures \forall integer i; 0 <= i < n ==> dst[i] == \old(r->p)[i];
  behavior missing:
    assumes n > r->left;
    ensures rd_failed{Pre, Post}(r, n);
    ensures \forall integer i; 0 <= i < n ==> dst[i] == 0;
  complete behaviors;
  disjoint behaviors;
*/
static inline void rd_octets(rd *r, uint8_t *dst, size_t cap, size_t n);

/*@
  requires \valid_read(r);
  assigns \result \from *r;
  ensures r->bad ==> \result.err == IWARP_ERR_NEED_MORE && \result.need == r->need && \result.used
  == 0; ensures !r->bad ==> \result.err == IWARP_OK && \result.used == r->used && \result.need == 0;
*/
static inline iwarp_dec rd_result(const rd *r);

/* ---- writes ---- */

/*@
  requires dst != \null && cap > 0 ==> \valid(dst + (0 .. cap - 1));
  assigns \result \from dst, cap, size;
  ensures \result.dst == dst && \result.len == 0;
  ensures \result.cap == (dst != \null && size <= cap ? size : 0);
  ensures \result.cap > 0 ==> \valid(\result.dst + (0 .. \result.cap - 1));
*/
static inline wr wr_of(uint8_t *dst, size_t cap, size_t size);

/*@
  assigns \result \from header, rest;
  ensures \result == wr_sum(header, rest);
*/
static inline size_t wr_size(size_t header, size_t rest);

/*@
  requires wr_holds(w);
  assigns w->len, \result \from *w, n;
  ensures wr_holds(w) && w->len == wr_sum(\old(w->len), n);
  behavior fits:
    assumes wr_fits(w, n);
    ensures \result == \old(w->dst) + \old(w->len) && \valid(\result + (0 .. n - 1));
  behavior counted:
    assumes !wr_fits(w, n);
    ensures \result == \null;
  complete behaviors;
  disjoint behaviors;
*/
static inline uint8_t *wr_take(wr *w, size_t n);

/*@
  requires wr_holds(w);
  assigns w->len, w->dst[w->len .. w->len + 0];
  ensures wr_holds(w) && w->len == wr_sum(\old(w->len), 1);
  behavior fits:
    assumes wr_fits(w, 1);
    ensures w->dst[\old(w->len)] == v;
  behavior counted:
    assumes !wr_fits(w, 1);
    assigns w->len;
  complete behaviors;
  disjoint behaviors;
*/
static inline void wr_u8(wr *w, uint8_t v);

/*@
  requires wr_holds(w);
  assigns w->len, w->dst[w->len .. w->len + 1];
  ensures wr_holds(w) && w->len == wr_sum(\old(w->len), 2);
  behavior fits:
    assumes wr_fits(w, 2);
    ensures w->dst[\old(w->len)] == (uint8_t)(v >> 8);
    ensures w->dst[\old(w->len) + 1] == (uint8_t)(v & 0xFF);
  behavior counted:
    assumes !wr_fits(w, 2);
    assigns w->len;
  complete behaviors;
  disjoint behaviors;
*/
static inline void wr_u16(wr *w, uint16_t v);

/* A number that fits in part is written in part: a cursor is opened with the size of the whole, so
 * that only what fits is put. */

/*@
  requires wr_holds(w);
  assigns w->len, w->dst[w->len .. w->len + 3];
  ensures wr_holds(w) && w->len == wr_sum(\old(w->len), 4);
  behavior fits:
    assumes wr_fits(w, 4);
    ensures w->dst[\old(w->len)] == (uint8_t)((uint16_t)(v >> 16) >> 8);
    ensures w->dst[\old(w->len) + 1] == (uint8_t)((uint16_t)(v >> 16) & 0xFF);
    ensures w->dst[\old(w->len) + 2] == (uint8_t)((uint16_t)(v & 0xFFFF) >> 8);
    ensures w->dst[\old(w->len) + 3] == (uint8_t)((uint16_t)(v & 0xFFFF) & 0xFF);
*/
static inline void wr_u32(wr *w, uint32_t v);

/*@
  requires wr_holds(w);
  assigns w->len, w->dst[w->len .. w->len + 7];
  ensures wr_holds(w) && w->len == wr_sum(\old(w->len), 8);
*/
static inline void wr_u64(wr *w, uint64_t v);

/*@
  requires wr_holds(w);
  assigns w->len, w->dst[w->len .. w->len + 3];
  ensures wr_holds(w) && w->len == wr_sum(\old(w->len), 4);
  behavior fits:
    assumes wr_fits(w, 4);
    ensures w->dst[\old(w->len)] == (uint8_t)(v & 0xFF);
    ensures w->dst[\old(w->len) + 1] == (uint8_t)(v >> 8 & 0xFF);
    ensures w->dst[\old(w->len) + 2] == (uint8_t)(v >> 16 & 0xFF);
    ensures w->dst[\old(w->len) + 3] == (uint8_t)(v >> 24);
*/
static inline void wr_u32le(wr *w, uint32_t v);

/*@
  requires wr_holds(w);
  requires v.len > 0 ==> \valid_read(v.ptr + (0 .. v.len - 1));
  requires \separated(w, v.ptr + (0 .. v.len - 1));
  requires \separated(w->dst + (0 .. w->cap - 1), v.ptr + (0 .. v.len - 1));
  assigns w->len, w->dst[w->len .. w->len + v.len - 1];
  ensures wr_holds(w) && w->len == wr_sum(\old(w->len), v.len);
  behavior fits:
    assumes wr_fits(w, v.len);
    ensures \forall integer i; 0 <= i < v.len ==> w->dst[\old(w->len) + i] == v.ptr[i];
  behavior counted:
    assumes !wr_fits(w, v.len);
    assigns w->len;
  complete behaviors;
  disjoint behaviors;
*/
static inline void wr_span(wr *w, iwarp_span v);

/*@
  requires wr_holds(w);
  requires v.len > 0 ==> \valid_read(v.ptr + (0 .. v.len - 1));
  requires \separated(w, v.ptr + (0 .. v.len - 1));
  assigns w->len, w->dst[w->len .. w->len + v.len - 1];
  ensures wr_holds(w) && w->len == wr_sum(\old(w->len), v.len);
  behavior fits:
    assumes wr_fits(w, v.len);
    ensures \forall integer i; 0 <= i < v.len ==> w->dst[\old(w->len) + i] == \old(v.ptr[i]);
  behavior counted:
    assumes !wr_fits(w, v.len);
    assigns w->len;
  complete behaviors;
  disjoint behaviors;
*/
static inline void wr_move(wr *w, iwarp_span v);

/*@
  requires \valid_read(w) && (w->cap > 0 ==> \valid_read(w->dst + (0 .. w->cap - 1)));
  assigns \result \from *w;
  ensures \result.ptr == w->dst;
  ensures \result.len == (w->len <= w->cap ? w->len : 0);
  ensures \result.len > 0 ==> \valid_read(\result.ptr + (0 .. \result.len - 1));
*/
static inline iwarp_span wr_written(const wr *w);

/*@
  requires \valid_read(w) && \valid(out_len) && \separated(w, out_len);
  assigns *out_len, \result \from *w;
  ensures *out_len == w->len;
  ensures \result == (w->dst != \null && w->len > w->cap ? IWARP_ERR_NOBUF : IWARP_OK);
*/
static inline iwarp_err wr_end(const wr *w, size_t *out_len);
