/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads hex: plain, with offsets, or octet by octet with 0x. */
#include "hexdump.h"

#include <stdio.h>
#include <string.h>

#define HEXDUMP_OFFSET_DIGITS_MIN 4u
#define HEXDUMP_OFFSET_DIGITS_MAX 16u
#define HEXDUMP_OFFSET_DIGITS_OD 6u /* od -Ax */
#define HEXDUMP_HALF_LINE 8u        /* octets after which some dumps leave a wider space */

#define HEXDUMP_LOG_DIGITS 8u      /* digits of an offset in a log of Linux, or of an address */
#define HEXDUMP_ADDRESS_DIGITS 16u /* digits of an address, at most */

/* A line of a dump. */
typedef struct dump_line {
  uint64_t offset;
  const char *hex; /* text after the offset */
  const char *end; /* end of the line */
  bool log;        /* the line stands in a log */
  bool place;      /* the line has an address instead of an offset, or no number */
} dump_line;

static int hex_digit(char c) {
  static const char digits[] = "0123456789abcdef";
  const char lower = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
  const char *at = lower != 0 ? strchr(digits, lower) : NULL;
  return at != NULL ? (int)(at - digits) : -1;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && is_blank(*p)) {
    p++;
  }
  return p;
}

static const char *line_end(const char *p, const char *end) {
  const char *at = memchr(p, '\n', (size_t)(end - p));
  at = at != NULL ? at : end;
  return at > p && at[-1] == '\r' ? at - 1 : at;
}

static bool is_octet(const char *p, const char *end) {
  return end - p >= 2 && hex_digit(p[0]) >= 0 && hex_digit(p[1]) >= 0;
}

/* Returns true if an octet stands alone at `p`, as od and Wireshark write them. */
static bool is_lone_octet(const char *p, const char *end) {
  return is_octet(p, end) && (end - p == 2 || is_blank(p[2]));
}

/* An offset is followed by a colon, or by more than one blank, and then by an octet; one of od -Ax
 * -tx1 by one blank and an octet alone. */
static bool read_plain_line(dump_line *out, const char *p, const char *end) {
  *out = (dump_line){.end = line_end(p, end)};
  p = skip_blanks(p, out->end);
  if (out->end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
    p += 2;
  }
  size_t digits = 0;
  out->offset = 0;
  while (p < out->end && hex_digit(*p) >= 0 && digits < HEXDUMP_OFFSET_DIGITS_MAX) {
    out->offset = out->offset << 4 | (uint64_t)hex_digit(*p++);
    digits++;
  }
  const bool colon = p < out->end && *p == ':';
  p += colon ? 1 : 0;
  out->hex = skip_blanks(p, out->end);
  const bool of_od = digits == HEXDUMP_OFFSET_DIGITS_OD && is_lone_octet(out->hex, out->end);
  const bool wide = out->hex > p + 1 || (out->hex > p && (*p == '\t' || of_od));
  const bool apart = colon ? out->hex > p : wide;
  return digits >= HEXDUMP_OFFSET_DIGITS_MIN && apart && is_octet(out->hex, out->end);
}

/* ---- logs ---- */

/*
 * print_hex_dump of Linux writes a prefix of the driver, after what the log begins lines with. Then
 * come an offset of eight digits, an address, or neither. Addresses need not be in order: the
 * kernel may hide them.
 */

/* Returns true if an offset or an address, a colon and an octet stand at `p`. */
static bool read_log_place(dump_line *out, const char *p) {
  size_t digits = 0;
  while (p + digits < out->end && digits <= HEXDUMP_ADDRESS_DIGITS && hex_digit(p[digits]) >= 0) {
    digits++;
  }
  if ((digits != HEXDUMP_LOG_DIGITS && digits != HEXDUMP_ADDRESS_DIGITS) ||
      (size_t)(out->end - p) < digits + 4 || p[digits] != ':' || p[digits + 1] != ' ' ||
      !is_octet(p + digits + 2, out->end)) {
    return false;
  }
  out->offset = 0;
  for (size_t i = 0; i < digits; i++) {
    out->offset = out->offset << 4 | (uint64_t)hex_digit(p[i]);
  }
  out->place = digits == HEXDUMP_ADDRESS_DIGITS;
  out->hex = p + digits + 2;
  return true;
}

/* Returns true if octets alone stand at `p`, and perhaps a column of characters after them.
 */
static bool only_octets(const char *p, const char *end) {
  const char *wide = p;
  while (is_lone_octet(p, end) && (p == wide || p - wide == 1)) {
    wide = p + 2;
    p = skip_blanks(wide, end);
  }
  return p == end || p - wide > 1;
}

/* A line with the time of the kernel and octets alone. */
static bool read_log_bare(dump_line *out, const char *p) {
  const char *at = p < out->end && *p == '[' ? memchr(p, ']', (size_t)(out->end - p)) : NULL;
  while (at != NULL && at + 1 < out->end) {
    if (is_blank(*at) && is_lone_octet(at + 1, out->end)) {
      out->hex = at + 1;
      out->place = true;
      return only_octets(out->hex, out->end);
    }
    at++;
  }
  return false;
}

static bool read_log_line(dump_line *out, const char *p, const char *end) {
  *out = (dump_line){.end = line_end(p, end), .log = true};
  for (const char *at = p + 1; at < out->end; at++) {
    if (is_blank(at[-1]) && read_log_place(out, at)) {
      return true;
    }
  }
  return read_log_bare(out, p);
}

static bool read_line(dump_line *out, const char *p, const char *end) {
  return read_plain_line(out, p, end) || read_log_line(out, p, end);
}

/* ---- plain hex ---- */

static bool plain_octet(hexdump *h, int high, int low) {
  if (h->len == h->cap) {
    snprintf(h->error, sizeof h->error, "more than %zu octets are no frame", h->cap);
    return false;
  }
  h->octets[h->len++] = (uint8_t)(high << 4 | low);
  return true;
}

static bool plain_wrong(hexdump *h, char c) {
  snprintf(h->error, sizeof h->error, "'%c' is not what an octet in hex is made of",
           c >= ' ' && c <= '~' ? c : '?');
  return false;
}

static bool plain_read(hexdump *h) {
  const char *p = h->text;
  const char *end = p + h->text_len;
  int high = -1;
  if (h->text_len > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
    p += 2;
  }
  for (; p < end; p++) {
    const int digit = hex_digit(*p);
    if (digit >= 0 && high < 0) {
      high = digit;
    } else if (digit >= 0) {
      if (!plain_octet(h, high, digit)) {
        return false;
      }
      high = -1;
    } else if (high >= 0 || *p == 0 || strchr(" \t\r\n:", *p) == NULL) {
      return plain_wrong(h, *p);
    }
  }
  if (high >= 0) {
    snprintf(h->error, sizeof h->error, "the last octet lacks a digit");
  }
  return high < 0;
}

/* ---- dumps ---- */

static const char *next_line(const hexdump *h, const dump_line *line) {
  const char *end = h->text + h->text_len;
  const char *at = memchr(line->end, '\n', (size_t)(end - line->end));
  return at != NULL ? at + 1 : end;
}

/* Most octets of a line: the distance to the offset of the next line, if there is a next line. */
static size_t line_limit(const hexdump *h, const dump_line *line) {
  dump_line next;
  const char *end = h->text + h->text_len;
  const char *at = next_line(h, line);
  return !line->place && at < end && read_line(&next, at, end) && !next.place &&
                 next.offset > line->offset
             ? (size_t)(next.offset - line->offset)
             : SIZE_MAX;
}

/* Returns true if a wide space precedes the second half of the octets, not a column of characters.
 */
static bool goes_on(const char *p, const char *wide, const char *end, size_t octets) {
  return octets == HEXDUMP_HALF_LINE && p - wide == 2 && is_lone_octet(p, end);
}

static bool read_octets(hexdump *h, const dump_line *line) {
  const size_t limit = line_limit(h, line);
  const char *p = line->hex;
  const char *wide = p;
  size_t n = 0;
  if (line->log && !is_lone_octet(p, line->end)) {
    snprintf(h->error, sizeof h->error,
             "line %zu: words, whose octets are in the order of that machine; octets are needed",
             h->line);
    return false;
  }
  while (n < limit && is_octet(p, line->end)) {
    if (!plain_octet(h, hex_digit(p[0]), hex_digit(p[1]))) {
      return false;
    }
    n++;
    p += 2;
    wide = p;
    p = skip_blanks(p, line->end);
    if (p - wide > 1 && !goes_on(p, wide, line->end, n)) {
      break; /* the column of characters */
    }
  }
  if (n == limit && p == wide && is_octet(p, line->end)) { /* bits of xxd -b, for one */
    snprintf(h->error, sizeof h->error,
             "line %zu: more octets than the next offset leaves room for", h->line);
  }
  return h->error[0] == 0;
}

/* The rows of a packet so far. */
typedef struct dump_rows {
  bool begun;
  bool places;  /* they have addresses, or nothing, in place of offsets */
  bool apart;   /* another line came after the last one */
  size_t first; /* octets of the first row */
  size_t last;  /* octets of the last row */
} dump_rows;

/* Returns true if the line begins another packet. Without offsets, a row that is shorter than the
 * first one ends a packet, and so does another line. */
static bool begins_packet(const dump_rows *rows, const dump_line *line) {
  if (!rows->begun) {
    return false;
  }
  return rows->places ? rows->apart || rows->last < rows->first : line->offset == 0;
}

static void note_row(dump_rows *rows, size_t octets) {
  rows->first = rows->begun ? rows->first : octets;
  rows->last = octets;
  rows->begun = true;
  rows->apart = false;
}

/* Reads the lines of one packet: up to a line that begins another one, or the end. */
static bool dump_read(hexdump *h) {
  const char *end = h->text + h->text_len;
  dump_rows rows = {.begun = false};
  while (h->at < h->text_len) {
    dump_line line;
    const size_t before = h->len;
    const bool octets = read_line(&line, h->text + h->at, end);
    if (octets && begins_packet(&rows, &line)) {
      return true;
    }
    if (octets && !rows.begun) {
      rows.places = line.place || (line.log && line.offset != 0);
    }
    h->line++;
    if (octets && !rows.places && line.offset != h->len) {
      snprintf(h->error, sizeof h->error,
               "line %zu: the offset is 0x%llx, 0x%zx octets came before", h->line,
               (unsigned long long)line.offset, h->len);
      return false;
    }
    if (octets && !read_octets(h, &line)) {
      return false;
    }
    if (octets) {
      note_row(&rows, h->len - before);
    } else {
      rows.apart = true;
    }
    h->at = (size_t)(next_line(h, &line) - h->text);
  }
  return rows.begun;
}

static bool is_dump(const char *text, size_t len) {
  const char *end = text + len;
  dump_line line;
  for (const char *p = text; p < end;) {
    if (read_line(&line, p, end) && (line.log || line.offset == 0)) {
      return true;
    }
    const char *at = memchr(p, '\n', (size_t)(end - p));
    p = at != NULL ? at + 1 : end;
  }
  return false;
}

/* ---- lists ---- */

/* Returns true if 0x or \x and the two digits of one octet stand at `p`. */
static bool is_listed(const char *p, const char *end) {
  return end - p >= 4 && (p[0] == '0' || p[0] == '\\') && (p[1] == 'x' || p[1] == 'X') &&
         is_octet(p + 2, end) && (end - p == 4 || hex_digit(p[4]) < 0);
}

/* What lies before an octet of a list. */
typedef struct list_gap {
  bool packet_end; /* a brace was closed */
  char other;      /* something that separates no octets, or 0 */
} list_gap;

/* The next octet of a list, or `end`. A comment lasts to the end of its line. */
static const char *next_listed(const char *p, const char *end, list_gap *gap) {
  *gap = (list_gap){0};
  while (p < end && !is_listed(p, end)) {
    const bool comment = end - p > 1 && p[0] == '/' && (p[1] == '*' || p[1] == '/');
    gap->packet_end = gap->packet_end || *p == '}';
    if (!comment && (*p == 0 || strchr(" \t\r\n,;\"'\\", *p) == NULL)) {
      gap->other = *p;
    }
    p = comment ? line_end(p, end) : p + 1;
  }
  return p;
}

/* A single octet may be plain hex with a leading 0x; a list has more octets. */
static bool is_list(const char *text, size_t len) {
  const char *end = text + len;
  list_gap gap;
  const char *first = next_listed(text, end, &gap);
  return first < end && next_listed(first + 4, end, &gap) < end;
}

/* Reads the octets of one packet: up to a closing brace, or the end. */
static bool list_read(hexdump *h) {
  const char *end = h->text + h->text_len;
  list_gap gap;
  for (;;) {
    const char *p = next_listed(h->text + h->at, end, &gap);
    h->at = (size_t)(p - h->text);
    if (p == end || (gap.packet_end && h->len > 0)) {
      return h->len > 0;
    }
    if (gap.other != 0 && h->len > 0) {
      return plain_wrong(h, gap.other);
    }
    if (!plain_octet(h, hex_digit(p[2]), hex_digit(p[3]))) {
      return false;
    }
    h->at += 4;
  }
}

static hexdump_form form_of(const char *text, size_t len) {
  if (is_dump(text, len)) {
    return HEXDUMP_OFFSETS;
  }
  return is_list(text, len) ? HEXDUMP_LIST : HEXDUMP_PLAIN;
}

void hexdump_open(hexdump *h, const char *text, size_t text_len, uint8_t *octets, size_t cap) {
  *h = (hexdump){.text = text, .text_len = text_len, .octets = octets, .cap = cap};
  h->form = form_of(text, text_len);
}

bool hexdump_next(hexdump *h) {
  h->len = 0;
  if (h->error[0] != 0 || h->at >= h->text_len) {
    return false;
  }
  h->packet++;
  switch (h->form) {
  case HEXDUMP_OFFSETS: return dump_read(h);
  case HEXDUMP_LIST: return list_read(h);
  case HEXDUMP_PLAIN: break;
  }
  h->at = h->text_len;
  return plain_read(h);
}
