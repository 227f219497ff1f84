/* SPDX-License-Identifier: BSD-2-Clause */
/* JSON (RFC 8259) read in place: checked as a whole, then looked into. */
#ifndef CLI_JSON_READ_H
#define CLI_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_DEPTH_MAX 16u /* objects and arrays in one another */

/** json_text is some JSON, or the characters between the quotes of a string of it. It borrows. */
typedef struct json_text {
  const char *at;
  size_t len;
} json_text;

/** json_valid says whether the text is one value, with or without blanks around it. The functions
 * below take such texts, or values in them. */
bool json_valid(json_text text);

/** json_member finds the first member of an object with this key, as it is written; false if no
 * member has the key, or if the text is no object. */
bool json_member(json_text *value, json_text object, const char *key);

/** json_first and json_next go over the members of an object, or over the items of an array, of
 * which `key` is empty. `rest` is json_next's, json_first makes it of the object or array. False:
 * there is no more, or the text is neither. */
bool json_first(json_text *rest, json_text *key, json_text *value, json_text text);
bool json_next(json_text *rest, json_text *key, json_text *value);

/** json_u64 reads a number without sign, fraction and exponent; false if the text is no such
 * number, or if the number is too large. */
bool json_u64(uint64_t *out, json_text value);

/** json_hex64 reads a string such as "0x0000000000001000". */
bool json_hex64(uint64_t *out, json_text value);

/** json_is says whether the text is this, octet for octet. */
bool json_is(json_text text, const char *what);

/** json_string yields what stands between the quotes, escapes as they are; false: it is no string.
 */
bool json_string(json_text *out, json_text value);

#endif
