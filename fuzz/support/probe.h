/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that the linker puts before the library's, so that the library needs no code for
 * them. */
#ifndef FUZZ_SUPPORT_PROBE_H
#define FUZZ_SUPPORT_PROBE_H

/* PROBE begins what stands in for a function (--wrap, which fuzz/CMakeLists.txt reads from here);
 * the function itself is __real_NAME. Its type is checked against the header. */
#define PROBE(result, name, ...)                                                                   \
  extern __typeof__(name) __real_##name, __wrap_##name;                                            \
  result __wrap_##name(__VA_ARGS__)

#endif
