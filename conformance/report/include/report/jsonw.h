/* SPDX-License-Identifier: BSD-2-Clause */
/* JSON written straight to an output buffer: no tree, no allocation. */
#ifndef REPORT_JSONW_H
#define REPORT_JSONW_H

#include <report/out_buf.h>

/**
 * jsonw writes one JSON value. The caller keeps begin and end calls balanced; commas are put by the
 * writer. A key is a literal of plain characters or NULL for an element of an array.
 */
typedef struct jsonw {
  out_buf *out;
  bool comma; /* a value stands before the next one */
} jsonw;

/** jsonw_key writes a comma if a member precedes, and the key. */
static inline void jsonw_key(jsonw *w, const char *key) {
  if (w->comma) {
    out_char(w->out, ',');
  }
  w->comma = true;
  if (key != NULL) {
    out_char(w->out, '"');
    out_str(w->out, key);
    out_put(w->out, "\":", 2);
  }
}

/** jsonw_object and jsonw_array open a nested value; jsonw_end_* close it. */
void jsonw_object(jsonw *w, const char *key);
void jsonw_end_object(jsonw *w);
void jsonw_array(jsonw *w, const char *key);
void jsonw_end_array(jsonw *w);

/** jsonw_end_line ends a line of JSON Lines; the next value begins a new one. */
void jsonw_end_line(jsonw *w);

/** jsonw_u64 writes a number, for values that stay below 2^53. */
void jsonw_u64(jsonw *w, const char *key, uint64_t v);

/** jsonw_seconds writes nanoseconds as a number of seconds with six decimals. */
void jsonw_seconds(jsonw *w, const char *key, uint64_t ns);

/** jsonw_bool writes true or false. */
void jsonw_bool(jsonw *w, const char *key, bool v);

/** jsonw_hex32 and jsonw_hex64 write strings such as "0x0000beef". */
void jsonw_hex32(jsonw *w, const char *key, uint32_t v);
void jsonw_hex64(jsonw *w, const char *key, uint64_t v);

/** jsonw_words writes words that stand between single spaces as an array. */
void jsonw_words(jsonw *w, const char *key, const char *words);

/** jsonw_octets writes a string of lower-case hex digits. */
void jsonw_octets(jsonw *w, const char *key, const uint8_t *octets, size_t n);

/** jsonw_text writes a string of plain ASCII without quotes, backslashes or control characters, as
 * it stands. */
void jsonw_text(jsonw *w, const char *key, const char *text);

/** jsonw_string writes any octets as a string: escaped, what is no UTF-8 replaced by U+FFFD. */
void jsonw_string(jsonw *w, const char *key, const char *text, size_t len);

/** jsonw_time writes nanoseconds since the epoch as a string with nine decimals. */
void jsonw_time(jsonw *w, const char *key, uint64_t time_ns);

#endif
