/* SPDX-License-Identifier: BSD-2-Clause */
/* What an octet of the stream is: read here again, from RFC 5044 4, 5041 4, 5040 4, 7306 5. */
#include "mutate.h"

#include <string.h>

#include "check_run.h"

const char *const mutate_field_names[NUM_FIELDS] = {"startup",
                                                    "Marker",
                                                    "ULPDU_Length",
                                                    "DDP control",
                                                    "RDMAP control",
                                                    "STag",
                                                    "TO",
                                                    "Invalidate STag",
                                                    "QN",
                                                    "MSN",
                                                    "MO",
                                                    "Read Request",
                                                    "Atomic Request",
                                                    "Atomic Response",
                                                    "Immediate Data",
                                                    "payload",
                                                    "PAD",
                                                    "CRC"};

/* Octet `u` of the ULPDU. */
static void locate_in_ulpdu(place *x, size_t u) {
  static const struct {
    size_t end;
    field f;
  } t[] = {{1, F_DDP_CONTROL}, {2, F_RDMAP_CONTROL}, {6, F_STAG}, {14, F_TO}},
    n[] = {{1, F_DDP_CONTROL}, {2, F_RDMAP_CONTROL}, {6, F_INVALIDATE},
           {10, F_QN},         {14, F_MSN},          {18, F_MO}};
  size_t begin = 0;
  x->at = u;
  for (size_t i = 0; i < (tagged(x) ? 4u : 6u); i++) {
    const size_t end = tagged(x) ? t[i].end : n[i].end;
    if (u < end) {
      x->f = tagged(x) ? t[i].f : n[i].f;
      x->nth = u - begin;
      return;
    }
    begin = end;
  }
  static const field after[16] = {
      [0] = F_PAYLOAD,   [1] = F_READ_REQ,    [2] = F_PAYLOAD,     [3] = F_PAYLOAD,
      [4] = F_PAYLOAD,   [5] = F_PAYLOAD,     [6] = F_PAYLOAD,     [8] = F_IMMEDIATE,
      [9] = F_IMMEDIATE, [10] = F_ATOMIC_REQ, [11] = F_ATOMIC_RESP};
  x->nth = u - begin;
  x->f = after[opcode(x)];
}

/* Octet `i` after the ULPDU_Length's first one, Markers left out. */
static void locate_in_fpdu(place *x, size_t i) {
  const size_t pad = (4 - (2 + x->len) % 4) % 4;
  if (i < 2) {
    x->f = F_LENGTH;
    x->nth = i;
  } else if (i < 2 + x->len) {
    locate_in_ulpdu(x, i - 2);
  } else {
    x->f = i < 2 + x->len + pad ? F_PAD : F_CRC;
  }
}

/*
 * Walks over the FPDU at stream offset `off`; returns its octets. If octet `want` of the stream is
 * one of them, x->nth says which one, as locate_in_fpdu counts, or a Marker; SIZE_MAX: not in it.
 */
static size_t walk(place *x, const uint8_t *full, size_t off, bool markers, size_t want,
                   size_t *hit, bool *in_marker) {
  size_t o = off;
  size_t total = 2;
  size_t begin = off;
  *hit = SIZE_MAX;
  *in_marker = false;
  for (size_t i = 0; i < total;) {
    if (markers && o % 512 == 0 && (i == 0 ? o == off : o != begin)) {
      if (want >= o && want < o + 4) {
        *in_marker = true;
        *hit = want - o;
      }
      o += 4;
      begin = i == 0 ? o : begin;
    }
    if (want == o) {
      *hit = i;
    }
    if (i >= 2 && i < 2 + x->len) {
      x->ulpdu[i - 2] = full[o];
    }
    if (i == 1) {
      x->len = (size_t)be(&full[o - 1], 2);
      total = 2 + x->len + (4 - (2 + x->len) % 4) % 4 + 4;
    }
    i++;
    o++;
  }
  return o - off;
}

void mutate_locate(place *x, const endpoint_pair_side *s, bool markers, size_t at) {
  const size_t startup = 20 + (size_t)be(&s->wire[18], 2);
  size_t off = 0;
  size_t hit = SIZE_MAX;
  bool in_marker = false;
  *x = (place){.f = F_STARTUP, .nth = at, .first = true};
  if (at < startup) {
    return;
  }
  for (;;) {
    const size_t n = walk(x, &s->wire[startup], off, markers, at - startup, &hit, &in_marker);
    if (hit != SIZE_MAX) {
      break;
    }
    off += n;
    x->first = false;
    x->begun = !last(x);
  }
  if (in_marker) {
    x->f = F_MARKER;
    x->nth = hit;
  } else {
    locate_in_fpdu(x, hit);
  }
}
