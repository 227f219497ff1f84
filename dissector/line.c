/* SPDX-License-Identifier: BSD-2-Clause */
/* The line is in memory that is kept from one to the next. */
#include "line.h"

out_buf *line_begin(void) {
  static out_buf line = {.fd = -1};
  out_clear(&line);
  return &line;
}

const char *line_end(out_buf *line) {
  out_char(line, 0);
  return line->error == 0 ? line->buf : "";
}

void line_uint(out_buf *line, const char *words, guint64 value) {
  out_str(line, words);
  out_u64(line, value);
}

void line_stag(out_buf *line, const char *words, guint32 value) {
  out_str(line, words);
  out_hex(line, value, 8);
}

void line_to(out_buf *line, const char *words, guint64 value) {
  unsigned int digits = 1;
  while (digits < 16 && value >> (4 * digits) != 0) {
    digits++;
  }
  out_str(line, words);
  out_hex(line, value, digits);
}
