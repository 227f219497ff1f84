/* SPDX-License-Identifier: BSD-2-Clause */
/* The geometry of Markers: where each octet of an FPDU stands, against a naive sender. */
#include <iwarp/mpa.h>

#include "fpdu_model.h"
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

FUZZ_CODEC(mpa_marker)

static void layout(const fpdu_model *m, const iwarp_mpa_layout *v, uint16_t len) {
  fuzz_expect(v->wire_len == m->len, "%u octets, not %zu", v->wire_len, m->len);
  fuzz_expect(v->crc_off == m->crc_at, "CRC at %u, not %zu", v->crc_off, m->crc_at);
  fuzz_expect(v->pad == m->pad && v->pad == iwarp_mpa_pad_len(len), "PAD of %u", v->pad);
  fuzz_expect(v->num_markers == m->num_markers && v->lead == m->length_at, "%u Markers",
              v->num_markers);
}

/* Walks the FPDU octet by octet without its Markers. */
static void walk(const fpdu_model *m, const iwarp_mpa_layout *v) {
  size_t wire = v->lead;
  size_t next = v->lead > 0 ? 1 : 0; /* Marker */
  size_t run;
  for (size_t pos = 0; wire < m->len; pos++, wire++) {
    while (next < m->num_markers && wire == m->marker_at[next]) {
      wire += IWARP_MPA_MARKER_LEN;
      next++;
    }
    fuzz_expect(iwarp_mpa_wire_offset(&run, v, pos) == wire, "octet %zu", pos);
    fuzz_expect(next == m->num_markers || run == m->marker_at[next] - wire, "%zu octets in a row",
                run);
  }
}

/* Most FPDUs are short: the walk of a long one takes its time. */
#define SHORT 1024u

static uint16_t length(fuzz_in *f) {
  const bool any = fuzz_u8(f) % 16u == 1;
  const uint16_t n = fuzz_u16(f);
  return any ? n : (uint16_t)(n % SHORT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fpdu_model model;
  fuzz_in f = fuzz_begin(data, size);
  const iwarp_span in = fuzz_span(&f);
  const fuzz_fpdu_place p = fuzz_fpdu_place_of(&f);
  const uint16_t len = length(&f);
  const iwarp_mpa_layout v = iwarp_mpa_layout_of(p.off, len, p.markers);
  fpdu_model_send(&model, p.off & ~UINT64_C(3), NULL, len, p.markers);
  layout(&model, &v, len);
  walk(&model, &v);
  (void)mpa_marker_holds(in);
  return 0;
}
