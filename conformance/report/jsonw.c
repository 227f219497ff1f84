/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON writer. */
#include <report/jsonw.h>

#include <report/utf8.h>
#include <string.h>

void jsonw_object(jsonw *w, const char *key) {
  jsonw_key(w, key);
  out_char(w->out, '{');
  w->comma = false;
}

void jsonw_end_object(jsonw *w) {
  out_char(w->out, '}');
  w->comma = true;
}

void jsonw_array(jsonw *w, const char *key) {
  jsonw_key(w, key);
  out_char(w->out, '[');
  w->comma = false;
}

void jsonw_end_array(jsonw *w) {
  out_char(w->out, ']');
  w->comma = true;
}

void jsonw_end_line(jsonw *w) {
  out_char(w->out, '\n');
  w->comma = false;
}

void jsonw_u64(jsonw *w, const char *key, uint64_t v) {
  jsonw_key(w, key);
  out_u64(w->out, v);
}

void jsonw_seconds(jsonw *w, const char *key, uint64_t ns) {
  jsonw_key(w, key);
  out_time(w->out, ns, 6);
}

void jsonw_bool(jsonw *w, const char *key, bool v) {
  jsonw_key(w, key);
  out_str(w->out, v ? "true" : "false");
}

void jsonw_hex32(jsonw *w, const char *key, uint32_t v) {
  jsonw_key(w, key);
  out_char(w->out, '"');
  out_hex(w->out, v, 8);
  out_char(w->out, '"');
}

void jsonw_hex64(jsonw *w, const char *key, uint64_t v) {
  jsonw_key(w, key);
  out_char(w->out, '"');
  out_hex(w->out, v, 16);
  out_char(w->out, '"');
}

void jsonw_octets(jsonw *w, const char *key, const uint8_t *octets, size_t n) {
  jsonw_key(w, key);
  out_char(w->out, '"');
  out_octets(w->out, octets, n, 0);
  out_char(w->out, '"');
}

void jsonw_text(jsonw *w, const char *key, const char *text) {
  jsonw_key(w, key);
  out_char(w->out, '"');
  out_str(w->out, text);
  out_char(w->out, '"');
}

void jsonw_time(jsonw *w, const char *key, uint64_t time_ns) {
  jsonw_key(w, key);
  out_char(w->out, '"');
  out_time(w->out, time_ns, 9);
  out_char(w->out, '"');
}

/* The two-character escape of RFC 8259 7, or 0. */
static char jsonw_short_escape(unsigned char c) {
  switch (c) {
  case '"': return '"';
  case '\\': return '\\';
  case '\b': return 'b';
  case '\f': return 'f';
  case '\n': return 'n';
  case '\r': return 'r';
  case '\t': return 't';
  default: return 0;
  }
}

/* A character by its number: those that RFC 8259 7 demands, and what terminals obey too. */
static void jsonw_number(out_buf *out, uint32_t point) {
  static const char digits[] = "0123456789abcdef";
  out_str(out, "\\u");
  for (unsigned int shift = 16; shift > 0; shift -= 4) {
    out_char(out, digits[point >> (shift - 4) & 15u]);
  }
}

/* The number of a character of two or three octets. */
static uint32_t jsonw_point(const char *text, size_t n) {
  const unsigned char *p = (const unsigned char *)text;
  const uint32_t low = (p[n - 2] & 0x3Fu) << 6 | (p[n - 1] & 0x3Fu);
  return n == 2 ? low & 0x7FFu : (p[0] & 0xFu) << 12 | low;
}

static void jsonw_ascii(out_buf *out, unsigned char c) {
  const char letter = jsonw_short_escape(c);
  if (letter != 0) {
    out_char(out, '\\');
    out_char(out, letter);
  } else if (c < 0x20u || c == 0x7Fu) {
    jsonw_number(out, c);
  } else {
    out_char(out, (char)c);
  }
}

void jsonw_string(jsonw *w, const char *key, const char *text, size_t len) {
  jsonw_key(w, key);
  out_char(w->out, '"');
  for (size_t i = 0; i < len;) {
    const size_t n = report_utf8_len(text + i, len - i);
    if (n == 0) {
      out_str(w->out, "\\ufffd");
      i++;
    } else if (n == 1) {
      jsonw_ascii(w->out, (unsigned char)text[i]);
      i++;
    } else if (report_plain_len(text + i, n) == 0) {
      jsonw_number(w->out, jsonw_point(text + i, n));
      i += n;
    } else {
      out_put(w->out, text + i, n);
      i += n;
    }
  }
  out_char(w->out, '"');
}

void jsonw_words(jsonw *w, const char *key, const char *words) {
  jsonw_array(w, key);
  while (*words != 0) {
    const size_t len = strcspn(words, " ");
    jsonw_string(w, NULL, words, len);
    words += len + strspn(words + len, " ");
  }
  jsonw_end_array(w);
}
