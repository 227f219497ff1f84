/* SPDX-License-Identifier: BSD-2-Clause */
/* The version of the library. */
#include <iwarp/version.h>

const char *iwarp_version(void) {
  return IWARP_VERSION_STRING;
}
