/* SPDX-License-Identifier: BSD-2-Clause */
/* What can be done with an FPDU of one length at one place of the Markers. */
#ifndef PROOF_FPDU_H
#define PROOF_FPDU_H

#include "crc32c/dispatch.c"
#include "crc32c/portable.c"
#include "crc32c/tables.c"
#include "mpa/fpdu.c"
#include "mpa/marker.c"
#include "proof.h"

/* fpdu_parts goes through the Markers and the ULPDU of an FPDU, whose wire form may be cut short.
 */
static inline void fpdu_parts(const iwarp_mpa_fpdu *v) {
  size_t last = v->layout.num_markers;
  //@ loop unroll IWARP_MPA_MARKERS_MAX + 2;
  for (size_t i = 0; i <= last; i++) {
    iwarp_mpa_marker got;
    iwarp_mpa_marker expected;
    size_t off;
    if (iwarp_mpa_fpdu_marker(&got, &expected, &off, v, i) == IWARP_OK) {
      proof_sum((uint64_t)got.fpduptr + expected.fpduptr + off);
    }
  }
  proof_sum(iwarp_mpa_fpdu_markers_agree(v));
  size_t cursor = 0;
  iwarp_span span;
  while (iwarp_mpa_fpdu_ulpdu_span(&span, &cursor, v) == IWARP_OK) {
    proof_touch(span);
  }
  iwarp_span two[2];
  cursor = 0;
  size_t num = iwarp_mpa_fpdu_ulpdu_spans(two, 2, &cursor, v);
  for (size_t i = 0; i < num; i++) {
    proof_touch(two[i]);
  }
}

/* fpdu_get decodes what is available of an FPDU whose ULPDU_Length stands in it. */
static inline void fpdu_get(size_t available, const iwarp_mpa_layout *layout, uint16_t length,
                            uint64_t off, bool markers) {
  uint8_t *p = proof_block(available);
  if (available >= layout->lead + 2) {
    p[layout->lead] = (uint8_t)(length >> 8);
    p[layout->lead + 1] = (uint8_t)(length & 0xFF);
  }
  iwarp_mpa_fpdu v;
  if (iwarp_mpa_fpdu_decode(&v, (iwarp_span){.ptr = p, .len = available}, off, markers).err ==
      IWARP_OK) {
    proof_touch(v.wire);
    proof_sum(v.crc + v.pad[0] + v.pad[1] + v.pad[2]);
    fpdu_parts(&v);
  }
  free(p);
}

/* fpdu_copy copies the ULPDU from `from` on into a block of exactly `cap` octets. */
static inline void fpdu_copy(const iwarp_mpa_fpdu *v, size_t cap, size_t from) {
  uint8_t *p = malloc(cap);
  size_t n = iwarp_mpa_fpdu_ulpdu_copy(p, cap, v, from);
  proof_touch((iwarp_span){.ptr = p, .len = n});
  free(p);
}

/* fpdu_cut goes through the parts of an FPDU whose wire form ends after `have` octets. */
static inline void fpdu_cut(const iwarp_mpa_layout *layout, uint16_t length, bool markers,
                            size_t have) {
  uint8_t *p = proof_block(have);
  iwarp_mpa_fpdu v = {.wire = {.ptr = p, .len = have},
                      .ulpdu_length = length,
                      .markers = markers,
                      .layout = *layout};
  fpdu_parts(&v);
  fpdu_copy(&v, length, 0);
  fpdu_copy(&v, (size_t)length / 2, 1);
  free(p);
}

/* fpdu_put encodes an FPDU into a block of exactly `cap` octets. */
static inline void fpdu_put(iwarp_mpa_fpdu_desc v, size_t cap) {
  uint8_t *ulpdu = proof_block(v.ulpdu.len);
  uint8_t *p = malloc(cap);
  v.ulpdu.ptr = ulpdu;
  Frama_C_make_unknown((char *)v.pad, sizeof v.pad);
  size_t len = 0;
  if (iwarp_mpa_fpdu_encode(p, cap, &len, &v) == IWARP_OK) {
    proof_touch((iwarp_span){.ptr = p, .len = len});
  }
  free(p);
  free(ulpdu);
}

static iwarp_mpa_marker fpdu_marker_values[IWARP_MPA_MARKERS_MAX];

/* fpdu_puts encodes with the CRC given and computed, and with Markers of any value. */
static inline void fpdu_puts(const iwarp_mpa_layout *layout, uint16_t length, uint64_t off,
                             bool markers) {
  iwarp_mpa_fpdu_desc v = {.ulpdu = {.ptr = NULL, .len = length},
                           .off = off,
                           .markers = markers,
                           .crc_given = true,
                           .crc = proof_u32};
  fpdu_put(v, layout->wire_len);
  fpdu_put(v, layout->wire_len - 1);
  v.marker_values = fpdu_marker_values;
  v.num_marker_values = layout->num_markers;
  fpdu_put(v, layout->wire_len);
}

/* fpdu_one goes through all that can be done with one length at one place of the Markers. */
static inline void fpdu_one(uint16_t length, uint64_t off, bool markers) {
  iwarp_mpa_layout layout = iwarp_mpa_layout_of(off, length, markers);
  fpdu_get(layout.wire_len, &layout, length, off, markers);
  fpdu_get(layout.wire_len - 1, &layout, length, off, markers);
  fpdu_cut(&layout, length, markers, layout.wire_len / 2);
  fpdu_puts(&layout, length, off, markers);
}

/* The CRC over what is covered, and the one that the encoder computes. */
static inline void fpdu_crc(uint16_t length, bool markers) {
  iwarp_mpa_layout layout = iwarp_mpa_layout_of(0, length, markers);
  uint8_t *p = proof_block(layout.wire_len);
  iwarp_mpa_fpdu v = {.wire = {.ptr = p, .len = layout.wire_len}, .layout = layout};
  iwarp_mpa_fpdu_crc(&v);
  free(p);
  iwarp_mpa_fpdu_desc desc = {.ulpdu = {.ptr = NULL, .len = length}, .markers = markers};
  fpdu_put(desc, layout.wire_len);
}

#endif
