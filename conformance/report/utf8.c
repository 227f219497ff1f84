/* SPDX-License-Identifier: BSD-2-Clause */
/* Which octets of a text may be printed. */
#include <stdbool.h>
#include <stdint.h>

#include <report/utf8.h>

/* Smallest code point that needs `n` octets of UTF-8, so that overlong forms are refused (RFC 3629
 * 3). */
static uint32_t utf8_least(size_t n) {
  switch (n) {
  case 2: return 0x80u;
  case 3: return 0x800u;
  default: return 0x10000u;
  }
}

size_t report_utf8_len(const char *text, size_t left) {
  const unsigned char *p = (const unsigned char *)text;
  if (p[0] < 0x80u) {
    return 1;
  }
  const size_t n = (p[0] & 0xE0u) == 0xC0u   ? 2u
                   : (p[0] & 0xF0u) == 0xE0u ? 3u
                   : (p[0] & 0xF8u) == 0xF0u ? 4u
                                             : 0u;
  if (n == 0 || n > left) {
    return 0;
  }
  uint32_t point = p[0] & (0xFFu >> (n + 1));
  for (size_t i = 1; i < n; i++) {
    if ((p[i] & 0xC0u) != 0x80u) {
      return 0;
    }
    point = point << 6 | (p[i] & 0x3Fu);
  }
  const bool surrogate = point >= 0xD800u && point <= 0xDFFFu;
  return point < utf8_least(n) || point > 0x10FFFFu || surrogate ? 0 : n;
}

/* C1 controls, RFC 3629 and ECMA-48: terminals obey them as they obey ESC. */
static bool utf8_is_c1(const unsigned char *p, size_t len) {
  return len == 2 && p[0] == 0xC2u && p[1] < 0xA0u;
}

/* U+2028 to U+202E and U+2066 to U+2069 end lines, or turn the text after them around. */
static bool utf8_is_order(const unsigned char *p, size_t len) {
  if (len != 3 || p[0] != 0xE2u) {
    return false;
  }
  return p[1] == 0x80u ? p[2] >= 0xA8u && p[2] <= 0xAEu
                       : p[1] == 0x81u && p[2] >= 0xA6u && p[2] <= 0xA9u;
}

size_t report_plain_len(const char *text, size_t left) {
  const unsigned char *p = (const unsigned char *)text;
  const size_t len = report_utf8_len(text, left);
  const bool control = len == 1 && (p[0] < 0x20u || p[0] == 0x7Fu);
  return control || utf8_is_c1(p, len) || utf8_is_order(p, len) ? 0 : len;
}
