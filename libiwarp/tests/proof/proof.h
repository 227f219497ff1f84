/* SPDX-License-Identifier: BSD-2-Clause */
/* What the drivers of the proofs share: values and memory that are as unconstrained as can be. */
#ifndef PROOF_H
#define PROOF_H

#include <stdlib.h>

#include <__fc_builtin.h>

#include <iwarp/rdmap.h>

/* Every length up to here gets a block of exactly that many octets: the largest header, and two. */
#define PROOF_LARGEST (IWARP_RDMAP_HDR_MAX + 2u)

/* The longest input: Frama-C has no larger object, and no machine has so much memory. */
#define PROOF_FAR_LEN (SIZE_MAX >> 8)
extern uint8_t proof_far[PROOF_FAR_LEN];
extern uint8_t proof_far_out[PROOF_FAR_LEN];

/* A volatile object has any value of its type each time it is read. */
extern volatile uint8_t proof_u8;
extern volatile uint16_t proof_u16;
extern volatile uint32_t proof_u32;
extern volatile uint64_t proof_u64;
extern volatile int64_t proof_s64;
extern volatile size_t proof_size;
extern volatile int proof_int;

static inline bool proof_bool(void) {
  return (proof_u8 & 1u) != 0;
}

/* proof_block gives a block of exactly n octets of any value. */
static inline uint8_t *proof_block(size_t n) {
  uint8_t *p = malloc(n);
  Frama_C_make_unknown((char *)p, n);
  return p;
}

/* proof_far_any gives up to PROOF_FAR_LEN octets of any value. */
static inline iwarp_span proof_far_any(void) {
  Frama_C_make_unknown((char *)proof_far, PROOF_FAR_LEN);
  return (iwarp_span){.ptr = proof_far, .len = Frama_C_size_t_interval(0, PROOF_FAR_LEN)};
}

/* proof_touch reads the ends of a span that the library gave: it must name valid octets. */
static inline uint8_t proof_touch(iwarp_span s) {
  return s.len > 0 ? (uint8_t)(s.ptr[0] ^ s.ptr[s.len - 1]) : 0;
}

/* proof_sum reads values: Eva complains about one that was not written. */
static inline void proof_sum(uint64_t v) {
  volatile uint64_t sum = v;
  (void)sum;
}

/* proof_inputs calls `use` with nothing, with blocks of 0 to PROOF_LARGEST octets, and with any. */
static inline void proof_inputs(void (*use)(iwarp_span in)) {
  use((iwarp_span){.ptr = NULL, .len = 0});
  //@ loop unroll PROOF_LARGEST + 1;
  for (size_t n = 0; n <= PROOF_LARGEST; n++) {
    uint8_t *p = proof_block(n);
    use((iwarp_span){.ptr = p, .len = n});
    free(p);
  }
  use(proof_far_any());
}

/* proof_output calls the encoder `put` with a block of exactly `cap` octets. */
typedef iwarp_err proof_put(uint8_t *dst, size_t cap, size_t *len);
static inline void proof_output(proof_put *put, size_t cap) {
  size_t len = 0;
  uint8_t *p = malloc(cap);
  put(p, cap, &len);
  free(p);
}

/* proof_output_any calls `put` without a destination, and with one of any capacity. */
static inline void proof_output_any(proof_put *put) {
  size_t len = 0;
  put(NULL, 0, &len);
  put(NULL, proof_size, &len);
  put(proof_far_out, Frama_C_size_t_interval(0, PROOF_FAR_LEN), &len);
  proof_sum(len);
}

/* proof_outputs calls `put`, which writes at most `max` octets, with each capacity up to max + 1.
 */
static inline void proof_outputs(proof_put *put, size_t max) {
  proof_output_any(put);
  //@ loop unroll PROOF_LARGEST + 2;
  for (size_t cap = 0; cap <= max + 1; cap++) {
    proof_output(put, cap);
  }
}

/* proof_outputs_near is proof_outputs for capacities close to 0 and to `max` only. */
static inline void proof_outputs_near(proof_put *put, size_t max) {
  proof_output_any(put);
  proof_output(put, 0);
  proof_output(put, 1);
  proof_output(put, max - 1);
  proof_output(put, max);
  proof_output(put, max + 1);
}

/* What proof_spans goes through one by one: nothing, one octet, and the lengths of headers. */
#define PROOF_SPAN_LENS 6
static const size_t proof_span_lens[PROOF_SPAN_LENS] = {
    0, 1, 3, IWARP_DDP_TAGGED_LEN, IWARP_DDP_UNTAGGED_LEN, IWARP_RDMAP_READ_REQ_LEN,
};

/* proof_spans_of calls `use`, which gives the span to an encoder, with blocks of some lengths. */
static inline void proof_spans_of(void (*use)(iwarp_span in)) {
  use((iwarp_span){.ptr = NULL, .len = 0});
  //@ loop unroll PROOF_SPAN_LENS;
  for (size_t i = 0; i < PROOF_SPAN_LENS; i++) {
    uint8_t *p = proof_block(proof_span_lens[i]);
    use((iwarp_span){.ptr = p, .len = proof_span_lens[i]});
    free(p);
  }
}

#endif
