/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: CRC32c by the instructions of x86-64, of which only the octets that they are given are
 * looked at. */
#include "proof.h"

/* The headers of the library are through: now for what x86-64 and GNU C are asked for. */
#include <iwarp/crc32c.h>
#define __GNUC__ 1
#include "crc32c/avx2.c"
#include "crc32c/avx512.c"
#include "crc32c/avx512_zen4.c"
#include "crc32c/avx512_zen5.c"
#include "crc32c/combine.c"
#include "crc32c/detect.c"
#include "crc32c/dispatch.c"
#include "crc32c/portable.c"
#include "crc32c/sse42.c"
#include "crc32c/tables.c"

static void x86_of(const iwarpi_crc32c_variant *v, size_t len) {
  uint8_t *src = proof_block(len);
  uint8_t *dst = malloc(len);
  v->fn(proof_u32, src, len);
  v->copy(proof_u32, dst, src, len);
  proof_touch((iwarp_span){.ptr = dst, .len = len});
  free(dst);
  free(src);
}

/* Lengths around a register and a block of each variant, around streams and their longest. */
#define X86_LONG 29
static const size_t x86_long[X86_LONG] = {96,   97,   127,  128,  129,  191,  192,  193,  255, 256,
                                          257,  320,  384,  385,  511,  512,  513,  768,  769, 1216,
                                          1217, 1440, 2400, 2432, 3072, 4097, 6400, 8192, 8200};

static void x86_lengths(const iwarpi_crc32c_variant *v) {
  v->fn(proof_u32, NULL, 0);
  v->copy(proof_u32, NULL, NULL, 0);
  //@ loop unroll PROOF_LARGEST + 1;
  for (size_t len = 0; len <= PROOF_LARGEST; len++) {
    x86_of(v, len);
  }
  //@ loop unroll X86_LONG;
  for (size_t i = 0; i < X86_LONG; i++) {
    x86_of(v, x86_long[i]);
  }
}

/* What this machine can do is any of what a processor can; it is asked once. */
static void x86_choice(void) {
  uint8_t *src = proof_block(PROOF_LARGEST);
  uint8_t *dst = malloc(PROOF_LARGEST);
  iwarp_crc32c(proof_u32, src, PROOF_LARGEST);
  iwarp_crc32c_copy(proof_u32, dst, src, PROOF_LARGEST);
  iwarp_crc32c_impl();
  iwarpi_crc32c_override(proof_u32);
  iwarpi_crc32c_override(0);
  free(dst);
  free(src);
}

void prove(void) {
  size_t num = 0;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  //@ loop unroll 6;
  for (size_t i = 0; i < num; i++) {
    x86_lengths(&v[i]);
  }
  iwarpi_crc32c_usable(&v[proof_u32 % num]);
  x86_choice();
  iwarp_crc32c_combine(proof_u32, proof_u32, proof_u64);
}
