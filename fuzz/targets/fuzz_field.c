/* SPDX-License-Identifier: BSD-2-Clause */
/* The field table on any octets, and the walk of a PDU form by form. */
#include <iwarp/pdu.h>
#include <string.h>

#include "fields.h"
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_FPDU;

/* Each octet of a part is the one that stands at its place in the PDU. */
static void part_octets(const iwarp_pdu_iter *it, const iwarp_pdu_part *p, iwarp_span in) {
  const bool marker = p->form == IWARP_FORM_MPA_MARKER;
  for (size_t i = 0; i < p->octets.len; i++) {
    const size_t at = marker ? p->wire_off + i : iwarp_pdu_wire_offset(it, p->pdu_off + i);
    fuzz_expect(at < in.len && in.ptr[at] == p->octets.ptr[i], "octet %zu of form %d at %zu", i,
                (int)p->form, at);
  }
}

/* Parts come in order and hold what the PDU holds; their fields can be located. */
static void walk(iwarp_pdu_iter it, iwarp_span in) {
  iwarp_pdu_part p;
  size_t last = 0;
  size_t n = 0;
  while (iwarp_pdu_next(&p, &it) == IWARP_OK) {
    fuzz_expect(p.octets.len > 0, "a part without octets");
    fuzz_expect(p.wire_off >= last, "a part at %zu after one at %zu", p.wire_off, last);
    last = p.wire_off;
    part_octets(&it, &p, in);
    if (p.form != IWARP_FORM_NONE) {
      fields_table(p.form, p.octets);
    }
    n++;
    fuzz_expect(n <= 2 * (IWARP_PDU_PARTS_MAX + IWARP_MPA_MARKERS_MAX), "%zu parts", n);
  }
}

/* A field that is located lies where its path's row says, whatever has been walked. */
static void locate(const iwarp_pdu_iter *it) {
  iwarp_pdu_place place;
  for (int form = IWARP_FORM_MPA_STARTUP; iwarp_form_get((iwarp_form)form) != NULL; form++) {
    const iwarp_form_info *info = iwarp_form_get((iwarp_form)form);
    for (size_t i = 0; i < info->num_fields; i++) {
      const iwarp_field *field = &info->fields[i];
      if (iwarp_pdu_locate(&place, it, field->id, false) == IWARP_OK) {
        fuzz_expect(strcmp(place.field->path, field->path) == 0, "%s for %s", place.field->path,
                    field->path);
        fuzz_expect(iwarp_pdu_wire_offset(it, place.pdu_off) == place.wire_off, "%s", field->path);
      }
    }
  }
}

#define READINGS 5u

/* Fields are looked for in one of the readings, by the length of the input: it takes its time. */
static void read_as(unsigned reading, const iwarp_pdu_iter *it, iwarp_span in) {
  walk(*it, in);
  if (in.len % READINGS == reading) {
    locate(it);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const iwarp_span in = fuzz_span(&f);
  const fuzz_fpdu_place p = fuzz_fpdu_place_of(&f);
  const size_t more = fuzz_u16(&f);
  iwarp_pdu_iter it;
  for (int form = IWARP_FORM_MPA_STARTUP; iwarp_form_get((iwarp_form)form) != NULL; form++) {
    fields_table((iwarp_form)form, in);
  }
  iwarp_pdu_fpdu(&it, in, p.off, p.markers);
  read_as(0, &it, in);
  iwarp_pdu_startup(&it, in);
  read_as(1, &it, in);
  iwarp_pdu_segment(&it, in, in.len + more);
  read_as(2, &it, in);
  iwarp_pdu_sctp_segment(&it, in, in.len + more);
  read_as(3, &it, in);
  iwarp_pdu_sctp_control(&it, in);
  read_as(4, &it, in);
  return 0;
}
