/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: CRC32c by tables, its choice, and the checksum of joined pieces. */
#include "crc32c/combine.c"
#include "crc32c/dispatch.c"
#include "crc32c/portable.c"
#include "crc32c/tables.c"
#include "proof.h"

static void crc32c_of(iwarp_span in) {
  iwarp_crc32c(proof_u32, in.ptr, in.len);
}

static void crc32c_copy_of(size_t len) {
  uint8_t *src = proof_block(len);
  uint8_t *dst = malloc(len);
  iwarp_crc32c_copy(proof_u32, dst, src, len);
  proof_touch((iwarp_span){.ptr = dst, .len = len});
  free(src);
  free(dst);
}

static void crc32c_lengths(void) {
  crc32c_of((iwarp_span){.ptr = NULL, .len = 0});
  //@ loop unroll PROOF_LARGEST + 1;
  for (size_t len = 0; len <= PROOF_LARGEST; len++) {
    uint8_t *p = proof_block(len);
    crc32c_of((iwarp_span){.ptr = p, .len = len});
    free(p);
    crc32c_copy_of(len);
  }
}

#define CRC32C_LONGER 4100u /* octets: more than are copied at a time */

void prove(void) {
  crc32c_lengths();
  crc32c_copy_of(CRC32C_LONGER);
  iwarp_crc32c_combine(proof_u32, proof_u32, proof_u64);
  iwarp_crc32c_impl();
  size_t num = 0;
  iwarpi_crc32c_variants(&num);
  iwarpi_crc32c_override(proof_u32);
}
