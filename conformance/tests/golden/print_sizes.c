/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the table of sizes of the guide. */
#include "sizes.h"

int main(void) {
  sizes_print();
  return 0;
}
