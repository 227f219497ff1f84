/* SPDX-License-Identifier: BSD-2-Clause */
/* One FPDU: split, put together again, and made again by a naive sender. */
#include <iwarp/mpa.h>
#include <string.h>

#include "crc_oracle.h"
#include "fpdu_model.h"
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_FPDU;

static iwarp_mpa_marker values[IWARP_MPA_MARKERS_MAX];
static uint8_t ulpdu[65536];
static uint8_t octets[IWARP_MPA_FPDU_WIRE_MAX];

/* The Markers of an FPDU as they stand: each is where the layout says, and what is expected of it
 * agrees with the naive sender. */
static size_t markers(const iwarp_mpa_fpdu *v, const fpdu_model *m) {
  size_t n = 0;
  iwarp_mpa_marker due;
  size_t at;
  while (iwarp_mpa_fpdu_marker(&values[n], &due, &at, v, n) == IWARP_OK) {
    fuzz_expect(n < m->num_markers && at == m->marker_at[n], "Marker %zu at %zu", n, at);
    fuzz_expect(m->distance[n] > UINT16_MAX || due.fpduptr == m->distance[n], "FPDUPTR %u, not %zu",
                due.fpduptr, m->distance[n]);
    n++;
  }
  fuzz_expect(n == v->layout.num_markers && n == m->num_markers, "%zu Markers of %zu", n,
              m->num_markers);
  return n;
}

static void spans(const iwarp_mpa_fpdu *v) {
  iwarp_span part;
  size_t cursor = 0;
  size_t n = 0;
  while (iwarp_mpa_fpdu_ulpdu_span(&part, &cursor, v) == IWARP_OK) {
    fuzz_expect(n + part.len <= v->ulpdu_length, "spans of more than the ULPDU");
    memcpy(&ulpdu[n], part.ptr, part.len);
    n += part.len;
  }
  fuzz_expect(n == v->ulpdu_length, "spans of %zu octets", n);
  const size_t from = n / 3;
  const size_t copied = iwarp_mpa_fpdu_ulpdu_copy(octets, sizeof octets, v, from);
  fuzz_expect(copied == n - from && memcmp(octets, &ulpdu[from], copied) == 0, "a copy");
}

/* Any number of spans per call yields the same spans as one per call, and END is no span. */
static void spans_a_call(const iwarp_mpa_fpdu *v, size_t cap) {
  iwarp_span several[1 + 0x0f];
  iwarp_span one;
  size_t cursor = 0;
  size_t one_cursor = 0;
  size_t num = cap;
  while (num == cap) {
    num = iwarp_mpa_fpdu_ulpdu_spans(several, cap, &cursor, v);
    fuzz_expect(num <= cap, "%zu spans", num);
    for (size_t i = 0; i < num; i++) {
      fuzz_expect(iwarp_mpa_fpdu_ulpdu_span(&one, &one_cursor, v) == IWARP_OK, "a span too many");
      fuzz_expect(several[i].ptr == one.ptr && several[i].len == one.len, "another span");
    }
    fuzz_expect(cursor == one_cursor, "octet %zu, not %zu", cursor, one_cursor);
  }
  fuzz_expect(cursor == v->ulpdu_length, "spans of %zu octets", cursor);
}

/* Encodes the decoded FPDU to the same octets. */
static void same_again(const iwarp_mpa_fpdu *v, uint64_t off, size_t num_markers) {
  size_t n;
  iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, v->ulpdu_length},
                           .off = off,
                           .markers = v->markers,
                           .crc_given = true,
                           .crc = v->crc,
                           .marker_values = values,
                           .num_marker_values = num_markers};
  memcpy(d.pad, v->pad, sizeof d.pad);
  fuzz_expect(iwarp_mpa_fpdu_encode(octets, sizeof octets, &n, &d) == IWARP_OK, "encode");
  fuzz_expect(n == v->wire.len, "%zu octets, were %zu", n, v->wire.len);
  fuzz_same(v->wire, octets, n, "FPDU");
}

/* A conforming sender makes what the naive one makes. */
static void conforming(const iwarp_mpa_fpdu *v, uint64_t off, const fpdu_model *m) {
  size_t n;
  const iwarp_mpa_fpdu_desc d = {
      .ulpdu = {ulpdu, v->ulpdu_length}, .off = off, .markers = v->markers};
  const iwarp_err err = iwarp_mpa_fpdu_encode(octets, sizeof octets, &n, &d);
  if (err == IWARP_ERR_MPA_ULPDU_LENGTH) {
    fuzz_expect(v->markers && v->ulpdu_length >= 65023, "refused: %u octets", v->ulpdu_length);
    return;
  }
  fuzz_expect(err == IWARP_OK && n == m->len, "%zu octets, not %zu", n, m->len);
  fuzz_expect(memcmp(octets, m->wire, m->crc_at) == 0, "other octets than a naive sender");
  const uint32_t crc = crc_oracle(0, m->wire, m->crc_at);
  for (size_t i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    fuzz_expect(octets[n - 4 + i] == (uint8_t)(crc >> 8 * i), "CRC");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fpdu_model model;
  fuzz_in f = fuzz_begin(data, size);
  const fuzz_fpdu_place p = fuzz_fpdu_place_of(&f);
  const iwarp_span in = fuzz_span(&f);
  iwarp_mpa_fpdu v;
  const iwarp_dec d = iwarp_mpa_fpdu_decode(&v, in, p.off, p.markers);
  fuzz_decoded(d, in, "FPDU");
  if (d.err != IWARP_OK) {
    fuzz_expect(d.err == IWARP_ERR_NEED_MORE && d.need <= IWARP_MPA_FPDU_WIRE_MAX, "need");
    return 0;
  }
  fuzz_expect(d.used == v.wire.len && v.wire.ptr == in.ptr, "the wire form");
  spans(&v);
  spans_a_call(&v, 1u + (fuzz_u8(&f) & 0x0fu));
  fpdu_model_send(&model, p.off & ~UINT64_C(3), ulpdu, v.ulpdu_length, p.markers);
  fuzz_expect(iwarp_mpa_fpdu_crc(&v) == crc_oracle(0, in.ptr, d.used - IWARP_MPA_CRC_LEN), "CRC");
  same_again(&v, p.off, markers(&v, &model));
  conforming(&v, p.off, &model);
  return 0;
}
