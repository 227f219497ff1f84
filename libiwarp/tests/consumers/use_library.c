/* SPDX-License-Identifier: BSD-2-Clause */
/* The smallest program that uses the library: every consumer project builds it. */
#include <iwarp/base.h>
#include <iwarp/crc32c.h>
#include <iwarp/version.h>

#include <stdio.h>
#include <string.h>

int main(void) {
  /* The check value of CRC32c, RFC 3720 B.4 in the usual form. */
  if (iwarp_crc32c(0, "123456789", 9) != 0xE3069283u) {
    return 1;
  }
  if (strcmp(iwarp_errname(IWARP_OK), "IWARP_OK") != 0) {
    return 2;
  }
  printf("libiwarp %s, crc32c %s\n", IWARP_VERSION_STRING, iwarp_crc32c_impl());
  return 0;
}
