/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: the Terminate Header. */
#include "base/err.c"
#include "ddp/hdr.c"
#include "proof.h"
#include "rdmap/errmap.c"
#include "rdmap/term.c"

static void term_sum(const iwarp_rdmap_term *v) {
  proof_sum((uint64_t)v->layer + v->etype + v->code + v->m + v->d + v->r + v->reserved +
            v->has_ddp_segment_length + v->ddp_segment_length + v->ddp_header.len +
            v->rdma_header.len + v->rest.len);
}

static void term_get(iwarp_span in) {
  iwarp_rdmap_term v;
  if (iwarp_rdmap_term_decode(&v, in).err == IWARP_OK) {
    term_sum(&v);
  }
}

/* Only the first octets of a header of any length are available. */
static void term_get_front(iwarp_span in) {
  iwarp_rdmap_term v;
  if (iwarpi_rdmap_term_decode(&v, in, proof_size).err == IWARP_OK) {
    term_sum(&v);
  }
}

/* Lengths at and beside which the tail of a Terminate Header ends in one of its forms. */
#define TERM_ENDS 14
static const size_t term_ends[TERM_ENDS] = {4, 5, 6, 7, 19, 20, 23, 24, 25, 47, 48, 51, 52, 53};

/*
 * term_shaped decodes a header of `len` octets with the given bits of HdrCt and T bit, wherever the
 * DDP header begins: one form at a time, so that each span is seen with its own length.
 */
static void term_shaped(size_t len, uint8_t bits, uint8_t t) {
  uint8_t *p = proof_block(len);
  p[2] = (uint8_t)(bits | (proof_u8 & 0x1Fu));
  if (len > 6) {
    p[6] = (uint8_t)(t | (proof_u8 & 0x7Fu));
  }
  iwarp_rdmap_term v;
  iwarp_rdmap_term_decode(&v, (iwarp_span){.ptr = p, .len = len});
  proof_touch(v.ddp_header);
  proof_touch(v.rdma_header);
  proof_touch(v.rest);
  free(p);
}

static void term_shapes(void) {
  //@ loop unroll 8;
  for (unsigned hdrct = 0; hdrct < 8; hdrct++) {
    //@ loop unroll TERM_ENDS;
    for (size_t i = 0; i < TERM_ENDS; i++) {
      term_shaped(term_ends[i], (uint8_t)(hdrct << 5), 0);
      term_shaped(term_ends[i], (uint8_t)(hdrct << 5), 0x80);
    }
  }
}

/* The reading of a sender with another order of bits, of any control word. The DDP header has `ddp`
 * octets, the tail `len`. */
static void term_likely(size_t ddp, size_t len) {
  uint8_t *header = proof_block(ddp);
  uint8_t *p = proof_block(len);
  const iwarp_rdmap_term v = {.layer = proof_u8,
                              .etype = proof_u8,
                              .code = proof_u8,
                              .m = proof_bool(),
                              .d = proof_bool(),
                              .r = proof_bool(),
                              .reserved = proof_u16,
                              .has_ddp_segment_length = proof_bool(),
                              .ddp_header = {.ptr = header, .len = ddp},
                              .rest = {.ptr = p, .len = len},
                              .tail = p,
                              .tail_len = len};
  const iwarp_rdmap_term_place place = proof_bool()   ? IWARP_RDMAP_TERM_PLACE_FULL
                                       : proof_bool() ? IWARP_RDMAP_TERM_PLACE_STARTUP
                                                      : IWARP_RDMAP_TERM_PLACE_UNKNOWN;
  iwarp_rdmap_term likely;
  if (iwarp_rdmap_term_likely(&likely, &v, place)) {
    term_sum(&likely);
    proof_touch(likely.ddp_header);
    proof_touch(likely.rdma_header);
    proof_touch(likely.rest);
  }
  free(header);
  free(p);
}

static void term_likelies(void) {
  term_likely(0, 0);
  term_likely(IWARP_DDP_TAGGED_LEN, 0);
  term_likely(IWARP_DDP_UNTAGGED_LEN, 0);
  //@ loop unroll TERM_ENDS;
  for (size_t i = 0; i < TERM_ENDS; i++) {
    term_likely(0, term_ends[i]);
  }
}

/* The spans of the header that is written. */
static iwarp_span term_ddp;
static iwarp_span term_rdma;
static iwarp_span term_rest;

static iwarp_err term_put(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_rdmap_term v = {.layer = proof_u8,
                        .etype = proof_u8,
                        .code = proof_u8,
                        .m = proof_bool(),
                        .d = proof_bool(),
                        .r = proof_bool(),
                        .reserved = proof_u16,
                        .has_ddp_segment_length = proof_bool(),
                        .ddp_segment_length = proof_u16,
                        .ddp_header = term_ddp,
                        .rdma_header = term_rdma,
                        .rest = term_rest,
                        .tail_err = (iwarp_err)proof_int};
  return iwarp_rdmap_term_encode(dst, cap, len, &v);
}

static void term_with_rest(iwarp_span rest) {
  term_rest = rest;
  size_t control = IWARP_RDMAP_TERM_MAX - IWARP_DDP_UNTAGGED_LEN - IWARP_RDMAP_READ_REQ_LEN;
  proof_outputs_near(term_put, control + term_ddp.len + term_rdma.len + rest.len);
}

/* Headers of the lengths that they can have, and the rest. */
static void term_puts(size_t ddp_len, size_t rdma_len) {
  uint8_t *ddp = proof_block(ddp_len);
  uint8_t *rdma = proof_block(rdma_len);
  term_ddp = (iwarp_span){.ptr = ddp, .len = ddp_len};
  term_rdma = (iwarp_span){.ptr = rdma, .len = rdma_len};
  proof_spans_of(term_with_rest);
  free(ddp);
  free(rdma);
}

static void term_tables(void) {
  const iwarp_rdmap_term_row *row = iwarp_rdmap_term_at(proof_size);
  proof_sum(row != NULL ? row->code : 0);
  iwarp_rdmap_term_layer_name(proof_u8);
  iwarp_rdmap_term_etype_name(proof_u8, proof_u8);
  iwarp_rdmap_term_code_name(proof_u8, proof_u8, proof_u8);
  uint8_t layer;
  uint8_t etype;
  uint8_t code;
  if (iwarp_err_to_terminate(&layer, &etype, &code, (iwarp_err)proof_int)) {
    proof_sum((uint64_t)layer + etype + code);
  }
}

void prove(void) {
  term_tables();
  proof_inputs(term_get);
  proof_inputs(term_get_front);
  term_shapes();
  term_likelies();
  term_puts(0, 0);
  term_puts(IWARP_DDP_TAGGED_LEN, 0);
  term_puts(IWARP_DDP_UNTAGGED_LEN, IWARP_RDMAP_READ_REQ_LEN);
}
