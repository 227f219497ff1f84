/* SPDX-License-Identifier: BSD-2-Clause */
/* Buffered output, and numbers as text without the cost of printf. */
#define _POSIX_C_SOURCE 200809L

#include <report/out_buf.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <memory/memory.h>

#define OUT_FD_CAP ((size_t)256 * 1024)
#define OUT_DECIMAL_MAX 20u /* digits of 2^64 - 1 */
#define OUT_INDENT 8u       /* columns of the rest of a line, more than the line has */

static const char out_digits[] = "0123456789abcdef";

bool out_open_fd(out_buf *s, int fd) {
  char *buf = memory_get(OUT_FD_CAP);
  if (buf == NULL) {
    return false;
  }
  *s = (out_buf){.buf = buf, .cap = OUT_FD_CAP, .fd = fd};
  return true;
}

void out_open_memory(out_buf *s) {
  *s = (out_buf){.fd = -1};
}

void out_clear(out_buf *s) {
  s->len = 0;
}

void out_cut_back(out_buf *s, uint64_t tell) {
  const uint64_t kept = tell > s->flushed ? tell - s->flushed : 0;
  s->len = kept < s->len ? (size_t)kept : s->len;
}

void out_close(out_buf *s) {
  free(s->buf);
  *s = (out_buf){.fd = -1};
}

static void out_write_out(out_buf *s, const char *octets, size_t n) {
  size_t done = 0;
  while (done < n && s->error == 0) {
    const ssize_t wrote = write(s->fd, octets + done, n - done);
    if (wrote >= 0) {
      done += (size_t)wrote;
    } else if (errno != EINTR) {
      s->error = errno;
    }
  }
}

void out_flush(out_buf *s) {
  if (s->fd < 0 || s->len == 0) {
    return;
  }
  if (s->before_write != NULL) {
    s->before_write(s->ctx);
  }
  out_write_out(s, s->buf, s->len);
  s->flushed += s->len;
  s->len = 0;
}

bool out_make_room(out_buf *s, size_t n) {
  if (s->fd >= 0) {
    out_flush(s);
  }
  if (s->cap - s->len >= n) {
    return true;
  }
  const size_t want = s->len + n > s->cap * 2 ? s->len + n + 64 : s->cap * 2;
  char *buf = memory_resize(s->buf, want);
  if (buf == NULL) {
    s->error = ENOMEM;
    return false;
  }
  s->buf = buf;
  s->cap = want;
  return true;
}

void out_fill(out_buf *s, char c, size_t n) {
  for (size_t i = 0; i < n; i++) {
    out_char(s, c);
  }
}

/* Writes `v` so that it ends right before `end`; returns where it begins. */
static char *out_decimal(char *end, uint64_t v) {
  do {
    *--end = (char)('0' + v % 10);
    v /= 10;
  } while (v != 0);
  return end;
}

void out_u64(out_buf *s, uint64_t v) {
  char text[OUT_DECIMAL_MAX];
  const char *at = out_decimal(text + sizeof text, v);
  out_put(s, at, (size_t)(text + sizeof text - at));
}

void out_u64_width(out_buf *s, uint64_t v, size_t width) {
  char text[OUT_DECIMAL_MAX];
  const char *at = out_decimal(text + sizeof text, v);
  const size_t len = (size_t)(text + sizeof text - at);
  out_fill(s, ' ', len < width ? width - len : 0);
  out_put(s, at, len);
}

void out_hex(out_buf *s, uint64_t v, unsigned int digits) {
  char text[2 + 16] = {'0', 'x'};
  for (unsigned int i = digits; i > 0; i--) {
    text[1 + i] = out_digits[v & 15u];
    v >>= 4;
  }
  out_put(s, text, 2 + (size_t)digits);
}

void out_octets(out_buf *s, const uint8_t *octets, size_t n, char separator) {
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && separator != 0) {
      out_char(s, separator);
    }
    const char pair[2] = {out_digits[octets[i] >> 4], out_digits[octets[i] & 15u]};
    out_put(s, pair, sizeof pair);
  }
}

void out_fixed(out_buf *s, uint64_t value, unsigned int decimals) {
  char text[OUT_DECIMAL_MAX + 10];
  char *at = text + sizeof text;
  for (unsigned int i = 0; i < decimals; i++) {
    *--at = (char)('0' + value % 10);
    value /= 10;
  }
  *--at = '.';
  at = out_decimal(at, value);
  out_put(s, at, (size_t)(text + sizeof text - at));
}

void out_time(out_buf *s, uint64_t time_ns, unsigned int decimals) {
  out_fixed(s, decimals == 6 ? time_ns / 1000 : time_ns, decimals);
}

/* Octets of a line that fit, up to a blank where there is one; all of them if the line is short
 * enough. Octets of UTF-8 that continue a character take no column. */
static size_t out_fitting(const char *line, size_t len, size_t from, size_t columns) {
  size_t column = 0;
  size_t blank = 0;
  for (size_t i = from; i < len; i++) {
    column += ((unsigned char)line[i] & 0xC0u) != 0x80u ? 1u : 0u;
    if (column > columns) {
      return blank > from ? blank : i;
    }
    blank = line[i] == ' ' ? i + 1 : blank;
  }
  return len;
}

static void out_wrapped_line(out_buf *s, const char *line, size_t len, size_t columns) {
  size_t indent = 0;
  while (indent < len && line[indent] == ' ') {
    indent++;
  }
  size_t at = out_fitting(line, len, indent, columns > indent ? columns - indent : columns);
  out_put(s, line, at);
  indent = indent + OUT_INDENT < columns / 2 ? indent + OUT_INDENT : 0;
  while (at < len) {
    const size_t end = out_fitting(line, len, at, columns - indent);
    out_char(s, '\n');
    out_fill(s, ' ', indent);
    out_put(s, line + at, end - at);
    at = end;
  }
}

void out_wrapped(out_buf *s, const out_buf *text, size_t columns) {
  for (size_t at = 0; text->error == 0 && at < text->len;) {
    const char *end = memchr(text->buf + at, '\n', text->len - at);
    const size_t len = end != NULL ? (size_t)(end - (text->buf + at)) : text->len - at;
    out_wrapped_line(s, text->buf + at, len, columns);
    out_char(s, '\n');
    at += len + 1;
  }
}
