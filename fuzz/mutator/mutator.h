/* SPDX-License-Identifier: BSD-2-Clause */
/* The mutator: walks an input as iWARP, changes it, and mends what a change broke. */
#ifndef FUZZ_MUTATOR_MUTATOR_H
#define FUZZ_MUTATOR_MUTATOR_H

#include "fuzz.h"
#include "prng.h"

#define MUTATOR_INPUT_MAX (FUZZ_BODY_MAX + FUZZ_TAIL)

/*
 * mutator_mutate changes the input of `len` octets in a buffer of `cap`, by the form of its body,
 * and returns its new length. `other` is another input to take parts of, or empty. Mends the
 * result unless its tail has FUZZ_KEEP_BROKEN.
 */
size_t mutator_mutate(uint8_t *octets, size_t len, size_t cap, fuzz_form form, prng *p,
                      iwarp_span other);

/*
 * mutator_mend makes lengths, PAD, Markers, CRCs and MSNs right as far as the form knows them and
 * the tail lets it: FUZZ_KEEP_BROKEN, FUZZ_KEEP_MSN. The input keeps its length.
 */
void mutator_mend(uint8_t *octets, size_t len, fuzz_form form);

#endif
