/* SPDX-License-Identifier: BSD-2-Clause */
/* Stands for the compiler's header and its atomic builtins in the proofs: any processor. */
#ifndef PROOF_CPUID_H
#define PROOF_CPUID_H

#include "proof.h"

#define __cpuid_count(leaf, sub, a, b, c, d) __cpuid(leaf, a, b, c, d)
#define __cpuid(leaf, a, b, c, d)                                                                  \
  do {                                                                                             \
    (a) = proof_u32;                                                                               \
    (b) = proof_u32;                                                                               \
    (c) = proof_u32;                                                                               \
    (d) = proof_u32;                                                                               \
  } while (0)

/* One thread: the order of accesses does not matter here. */
#define __ATOMIC_RELAXED 0
#define __atomic_load_n(p, order) (*(p))
#define __atomic_store_n(p, v, order) (*(p) = (v))

#endif
