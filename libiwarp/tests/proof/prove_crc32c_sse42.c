/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: CRC32c by the instruction, of which only the octets that it is given are looked at. */
#include "proof.h"

/* The headers of the library are through: now for what x86-64 and GNU C are asked for. */
#include <iwarp/crc32c.h>
#define __GNUC__ 1
#include "crc32c/combine.c"
#include "crc32c/dispatch.c"
#include "crc32c/portable.c"
#include "crc32c/sse42.c"
#include "crc32c/tables.c"

static void sse42_of(size_t len) {
  uint8_t *src = proof_block(len);
  uint8_t *dst = malloc(len);
  iwarpi_crc32c_sse42(proof_u32, src, len);
  iwarpi_crc32c_sse42_copy(proof_u32, dst, src, len);
  proof_touch((iwarp_span){.ptr = dst, .len = len});
  free(dst);
  free(src);
}

/* Lengths around a block of each stride, of the piece that is copied at a time, and several. */
#define SSE42_ODD (PROOF_LARGEST - 1u) /* octets: words, and octets after them */
#define SSE42_LONG 16
static const size_t sse42_long[SSE42_LONG] = {191,  192,  199,  479,  480,   1007,  1008,  1440,
                                              4079, 4080, 4087, 8167, 12239, 12240, 12247, 13000};

/* What this machine can do is any of what a processor can; it is asked once. */
static void sse42_choice(void) {
  uint8_t *src = proof_block(SSE42_ODD);
  uint8_t *dst = malloc(SSE42_ODD);
  iwarp_crc32c(proof_u32, src, SSE42_ODD);
  iwarp_crc32c_copy(proof_u32, dst, src, SSE42_ODD);
  iwarp_crc32c_impl();
  size_t num = 0;
  iwarpi_crc32c_variants(&num);
  iwarpi_crc32c_override(proof_u32);
  free(dst);
  free(src);
}

void prove(void) {
  iwarpi_crc32c_sse42(proof_u32, NULL, 0);
  //@ loop unroll PROOF_LARGEST + 1;
  for (size_t len = 0; len <= PROOF_LARGEST; len++) {
    sse42_of(len);
  }
  //@ loop unroll SSE42_LONG;
  for (size_t i = 0; i < SSE42_LONG; i++) {
    sse42_of(sse42_long[i]);
  }
  sse42_choice();
  iwarp_crc32c_combine(proof_u32, proof_u32, proof_u64);
}
