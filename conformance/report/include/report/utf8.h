/* SPDX-License-Identifier: BSD-2-Clause */
/* Text that came from outside: file names. */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include <stddef.h>

/** report_utf8_len returns the octets of the UTF-8 sequence at the front of the text, or 0 if no
 * valid sequence stands there; `left` is 1 or more. RFC 3629. */
size_t report_utf8_len(const char *text, size_t left);

/** report_plain_len returns how many octets the character at the front of the text has, or 0 where
 * it may not be printed: a control character, which a terminal would obey, one that ends a line or
 * turns the text after it around, or no UTF-8. */
size_t report_plain_len(const char *text, size_t left);

#endif
