/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets written as text. */
#include "hex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void hex_fail(const char *reason, const char *text) {
  fprintf(stderr, "%s: %s\n", reason, text);
  abort();
}

static uint8_t hex_pair(const char *text) {
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  const char *high = text[0] != '\0' ? strchr(digits, text[0]) : NULL;
  const char *low = high != NULL && text[1] != '\0' ? strchr(digits, text[1]) : NULL;
  if (low == NULL) {
    hex_fail("no hex octet", text);
    return 0;
  }
  return (uint8_t)((high - digits) % 16 * 16 + (low - digits) % 16);
}

size_t hex_octets(uint8_t *octets, size_t cap, const char *text) {
  size_t len = 0;
  while (*text != '\0') {
    if (*text == ' ') {
      text++;
      continue;
    }
    unsigned long times = 1;
    uint8_t octet;
    if (*text == '(') {
      char *end = NULL;
      octet = hex_pair(text + 1);
      times = text[3] == '*' ? strtoul(text + 4, &end, 10) : 0;
      if (times == 0 || *end != ')') {
        hex_fail("no repetition", text);
      }
      text = end + 1;
    } else {
      octet = hex_pair(text);
      text += 2;
    }
    if (times > cap - len) {
      hex_fail("too long", text);
    }
    memset(octets + len, octet, times);
    len += times;
  }
  return len;
}
