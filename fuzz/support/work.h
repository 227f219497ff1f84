/* SPDX-License-Identifier: BSD-2-Clause */
/* Work that is done: basic blocks that run, and octets summed, copied, compared or cleared. */
#ifndef FUZZ_SUPPORT_WORK_H
#define FUZZ_SUPPORT_WORK_H

#include <stdint.h>

/* An octet that a loop of the C library or of the CRC goes over is an eighth of a step. */
#define WORK_OCTETS_A_STEP 8u

/* work_begin sets the count to 0. */
void work_begin(void);

/* work_steps returns the steps since then: of code that was compiled to count its blocks, and of
 * the functions that the program is linked with `--wrap` for. */
uint64_t work_steps(void);

#endif
