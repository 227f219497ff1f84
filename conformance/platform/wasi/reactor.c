/* SPDX-License-Identifier: BSD-2-Clause */
/* The export of the module. */
#include <stdint.h>

int __main_void(void); /* wasi-libc has it: main with the arguments of the host */

/** iwarp_run runs the command line that the host gives; returns the exit status. An instance is for
 * one run. */
__attribute__((export_name("iwarp_run"))) int32_t iwarp_run(void);

int32_t iwarp_run(void) {
  return __main_void();
}
