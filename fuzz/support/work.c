/* SPDX-License-Identifier: BSD-2-Clause */
/* Work that is done: basic blocks that run, and octets summed, copied, compared or cleared. */
#include "work.h"

#include <stddef.h>

static uint64_t blocks;
static uint64_t octets;

void work_begin(void) {
  blocks = octets = 0;
}

uint64_t work_steps(void) {
  return blocks + octets / WORK_OCTETS_A_STEP;
}

/* Stands in for the call of each block of code compiled with -fsanitize-coverage=trace-pc. */
void __wrap___sanitizer_cov_trace_pc(void); /* NOLINT(bugprone-reserved-identifier) */
void __wrap___sanitizer_cov_trace_pc(void) {
  blocks++;
}

/* X(type, name, parameters, arguments, octets): what the linker puts something else in place of. */
#define WORK_WRAPPED(X)                                                                            \
  X(uint32_t, iwarp_crc32c, (uint32_t crc, const void *data, size_t len), (crc, data, len))        \
  X(void *, memcpy, (void *dst, const void *src, size_t len), (dst, src, len))                     \
  X(void *, memmove, (void *dst, const void *src, size_t len), (dst, src, len))                    \
  X(void *, memset, (void *dst, int value, size_t len), (dst, value, len))                         \
  X(int, memcmp, (const void *a, const void *b, size_t len), (a, b, len))

#define WORK_WRAP(type, name, parameters, arguments)                                               \
  type __real_##name parameters; /* NOLINT(bugprone-reserved-identifier) */                        \
  type __wrap_##name parameters; /* NOLINT(bugprone-reserved-identifier) */                        \
  type __wrap_##name parameters {                                                                  \
    octets += len;                                                                                 \
    return __real_##name arguments;                                                                \
  }
WORK_WRAPPED(WORK_WRAP)
