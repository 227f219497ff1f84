/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp decode: the fields of one frame given in hex. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <report/frame.h>

#include "commands.h"
#include "diag.h"
#include "hexdump.h"
#include "packet_frame.h"
#include "run.h"

/* Twice the largest FPDU: what is longer is no single frame. */
#define DECODE_OCTETS 131072u
/* Hex on standard input: with offsets, blanks and a column of characters. */
#define DECODE_TEXT (4u * 1024u * 1024u)

typedef struct decode_state {
  uint8_t room[REPORT_FRAME_ROOM + DECODE_OCTETS];
  uint8_t *octets; /* octets after the room that an RDMAP message needs */
  size_t len;
  uint8_t packet[DECODE_OCTETS];
  char text[DECODE_TEXT];
  size_t text_len;
  bool from_dump; /* the headers of a packet are taken off already */
  report_layer layer;
  report_frame frame;
} decode_state;

static bool decode_word(decode_state *d, const char *word) {
  hexdump h;
  hexdump_open(&h, word, strlen(word), d->octets + d->len, DECODE_OCTETS - d->len);
  h.form = HEXDUMP_PLAIN;
  hexdump_next(&h);
  d->len += h.len;
  if (h.error[0] != 0) {
    diag("decode: %s", h.error);
  }
  return h.error[0] == 0;
}

static bool decode_text(decode_state *d) {
  d->text_len = fread(d->text, 1, sizeof d->text, stdin);
  if (ferror(stdin) != 0) {
    diag("decode: standard input could not be read");
    return false;
  }
  if (d->text_len == sizeof d->text) {
    diag("decode: more than %u octets of text are no frame", DECODE_TEXT - 1);
    return false;
  }
  return true;
}

/* Takes the headers before the frame off; false when a packet carries none. */
static bool decode_strip(decode_state *d, const hexdump *h) {
  iwarp_span frame = {d->packet, h->len};
  if (packet_frame_find(&frame, &d->layer, d->packet, h->len) == PACKET_FRAME_EMPTY) {
    return false;
  }
  memcpy(d->octets, frame.ptr, frame.len);
  d->len = frame.len;
  return true;
}

/* The first packet of the dump that carries something; the others are counted. */
static bool decode_packets(decode_state *d, hexdump *h) {
  size_t decoded = 0;
  while (hexdump_next(h)) {
    if (decoded == 0 && decode_strip(d, h)) {
      decoded = h->packet;
    }
  }
  if (decoded == 0 && h->error[0] == 0) {
    diag(h->packet > 0 ? "decode: no packet of the dump carries octets of a stream"
                       : "decode: there are no octets");
    return false;
  }
  if (h->error[0] != 0) {
    diag("decode: %s", h->error);
  } else if (h->packet > 1) {
    diag("decode: packet %zu of %zu is decoded, the first one that carries octets", decoded,
         h->packet);
  }
  return decoded > 0;
}

static bool decode_standard_input(decode_state *d) {
  hexdump h;
  if (!decode_text(d)) {
    return false;
  }
  hexdump_open(&h, d->text, d->text_len, d->packet, sizeof d->packet);
  if (h.form != HEXDUMP_PLAIN) {
    d->from_dump = true;
    return decode_packets(d, &h);
  }
  h.octets = d->octets + d->len;
  h.cap = DECODE_OCTETS - d->len;
  hexdump_next(&h);
  d->len += h.len;
  if (h.error[0] != 0) {
    diag("decode: %s", h.error);
  }
  return h.error[0] == 0;
}

/* Plain hex may be a whole packet: the frame in it takes its place. False: it carries none. */
static bool decode_plain(decode_state *d) {
  iwarp_span frame;
  switch (packet_frame_certain(&frame, &d->layer, d->octets, d->len)) {
  case PACKET_FRAME_NO_PACKET: return true;
  case PACKET_FRAME_EMPTY: diag("decode: the packet carries no octets of a stream"); return false;
  case PACKET_FRAME_FOUND: break;
  }
  diag("decode: the octets are a packet; the frame begins at octet %zu of it",
       (size_t)(frame.ptr - d->octets));
  memmove(d->octets, frame.ptr, frame.len);
  d->len = frame.len;
  return true;
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
    diag("decode: there are no octets");
  }
  return d->len > 0 && (d->from_dump || decode_plain(d));
}

static bool decode_write(const report_frame *f, const opts *o) {
  out_buf out;
  if (!out_open_fd(&out, STDOUT_FILENO)) {
    return false;
  }
  if (o->format == OPTS_JSONL) {
    report_frame_json(&out, f);
  } else {
    report_frame_text(&out, f);
  }
  const bool written = run_output_ok(&out);
  out_close(&out);
  return written;
}

int cmd_decode(const opts *o) {
  static decode_state d;
  d.octets = d.room + REPORT_FRAME_ROOM;
  d.len = 0;
  d.from_dump = false;
  d.layer = o->layer;
  if (!decode_read(&d, o)) {
    return EXIT_USAGE;
  }
  const uint64_t off = o->offset_given ? o->offset : IWARP_POS_UNKNOWN;
  report_frame_decode(&d.frame, d.layer, d.octets, d.len, off);
  if (!decode_write(&d.frame, o)) {
    return EXIT_USAGE;
  }
  if (d.frame.err == IWARP_ERR_NEED_MORE) {
    diag("decode: the frame is cut: %zu octet%s of %zu", d.len, d.len == 1 ? "" : "s",
         d.frame.need);
  } else if (!report_frame_whole(&d.frame)) {
    diag("decode: %s", iwarp_strerror(d.frame.err));
  }
  return report_frame_whole(&d.frame) ? EXIT_OK : EXIT_USAGE;
}
