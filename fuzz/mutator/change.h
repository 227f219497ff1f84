/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes to a program: of its order, of a message, of a field. */
#ifndef FUZZ_MUTATOR_CHANGE_H
#define FUZZ_MUTATOR_CHANGE_H

#include "program.h"

/* change_program changes something; `other` is another program to take items of, or NULL. */
void change_program(program *p, fuzz_form form, const program *other, prng *r);

#endif
