/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp decode: the fields of one frame given in hex. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <unistd.h>

#include <report/frame.h>

#include "commands.h"
#include "complain.h"
#include "run.h"

/* Twice the largest FPDU: what is longer is no single frame. */
#define DECODE_OCTETS 131072u

typedef struct decode_state {
  uint8_t room[REPORT_FRAME_ROOM + DECODE_OCTETS];
  uint8_t *octets; /* behind the room that an RDMAP message needs */
  size_t len;
  int high; /* the first digit of an octet, or -1 */
  report_frame frame;
} decode_state;

static int decode_digit(char c) {
  static const char digits[] = "0123456789abcdef";
  const char lower = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
  const char *at = lower != 0 ? strchr(digits, lower) : NULL;
  return at != NULL ? (int)(at - digits) : -1;
}

/* One character of the hex. Blanks and colons may stand between octets. */
static bool decode_char(decode_state *d, char c) {
  const int digit = decode_digit(c);
  if (digit < 0) {
    if (d->high >= 0 || c == 0 || strchr(" \t\r\n:", c) == NULL) {
      complain("decode: '%c' is not what an octet in hex is made of",
               c >= ' ' && c <= '~' ? c : '?');
      return false;
    }
    return true;
  }
  if (d->high < 0) {
    d->high = digit;
    return true;
  }
  if (d->len == DECODE_OCTETS) {
    complain("decode: more than %u octets are no frame", DECODE_OCTETS);
    return false;
  }
  d->octets[d->len++] = (uint8_t)(d->high << 4 | digit);
  d->high = -1;
  return true;
}

static bool decode_octet_whole(const decode_state *d) {
  if (d->high >= 0) {
    complain("decode: the last octet lacks a digit");
  }
  return d->high < 0;
}

static bool decode_word(decode_state *d, const char *word) {
  if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
    word += 2;
  }
  while (*word != 0 && decode_char(d, *word)) {
    word++;
  }
  return *word == 0 && decode_octet_whole(d);
}

static bool decode_standard_input(decode_state *d) {
  for (int c = getchar(); c != EOF; c = getchar()) {
    if (!decode_char(d, (char)c)) {
      return false;
    }
  }
  if (ferror(stdin) != 0) {
    complain("decode: standard input could not be read");
    return false;
  }
  return decode_octet_whole(d);
}

static bool decode_read(decode_state *d, const opts *o) {
  for (size_t i = 0; i < o->num_operands; i++) {
    const bool ok = strcmp(o->operands[i], "-") == 0 ? decode_standard_input(d)
                                                     : decode_word(d, o->operands[i]);
    if (!ok) {
      return false;
    }
  }
  if (d->len == 0) {
    complain("decode: there are no octets");
  }
  return d->len > 0;
}

static bool decode_write(const report_frame *f, const opts *o) {
  sink out;
  if (!sink_open_fd(&out, STDOUT_FILENO)) {
    return false;
  }
  if (o->format == OPTS_JSONL) {
    report_frame_json(&out, f);
  } else {
    report_frame_text(&out, f);
  }
  const bool written = run_output_ok(&out);
  sink_close(&out);
  return written;
}

int cmd_decode(const opts *o) {
  static decode_state d;
  d.octets = d.room + REPORT_FRAME_ROOM;
  d.len = 0;
  d.high = -1;
  if (!decode_read(&d, o)) {
    return EXIT_USAGE;
  }
  const uint64_t off = o->offset_given ? o->offset : IWARP_POS_UNKNOWN;
  report_frame_decode(&d.frame, o->layer, d.octets, d.len, off);
  if (!decode_write(&d.frame, o)) {
    return EXIT_USAGE;
  }
  if (d.frame.err == IWARP_ERR_NEED_MORE) {
    complain("decode: the frame is cut: %zu octets of %zu", d.len, d.frame.need);
  } else if (!report_frame_whole(&d.frame)) {
    complain("decode: %s", iwarp_strerror(d.frame.err));
  }
  return report_frame_whole(&d.frame) ? EXIT_OK : EXIT_USAGE;
}
