/* SPDX-License-Identifier: BSD-2-Clause */
/* The smallest program that links the rules. */
#include <iwarp/rules.h>

int main(void) {
  return iwarp_rule_count() > 0 ? 0 : 1;
}
