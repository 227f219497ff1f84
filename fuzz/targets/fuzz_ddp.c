/* SPDX-License-Identifier: BSD-2-Clause */
/* The DDP header, whole and cut. */
#include <iwarp/ddp.h>
#include <string.h>

#include "fields.h"
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_SEGMENT;

FUZZ_CODEC(ddp_hdr)

static iwarp_form form_of(const iwarp_ddp_hdr *v) {
  return v->tagged ? IWARP_FORM_DDP_TAGGED : IWARP_FORM_DDP_UNTAGGED;
}

/* Checks a cut header: each field that lies within the octets is right, each other field is 0. */
static void cut(iwarp_span in, size_t len) {
  iwarp_ddp_hdr v;
  iwarp_ddp_hdr padded;
  uint8_t zeros[IWARP_DDP_UNTAGGED_LEN] = {0};
  const size_t n = iwarp_ddp_hdr_peek(&v, (iwarp_span){in.ptr, len});
  fuzz_expect(n <= len && n <= IWARP_DDP_UNTAGGED_LEN, "%zu octets of %zu", n, len);
  if (n == 0) {
    fuzz_expect(len == 0, "nothing of %zu octets", len);
    return;
  }
  const iwarp_form_info *info = iwarp_form_get(form_of(&v));
  memcpy(zeros, in.ptr, n);
  for (size_t i = 0; i < info->num_fields; i++) { /* fields that do not lie within are 0 */
    const iwarp_field *field = &info->fields[i];
    if (field->num_octets > 0 && (size_t)field->octet_off + field->num_octets > n) {
      memset(&zeros[field->octet_off], 0, field->num_octets);
    }
  }
  fuzz_expect(iwarp_ddp_hdr_decode(&padded, (iwarp_span){zeros, sizeof zeros}).err == IWARP_OK,
              "decode");
  fuzz_expect(v.tagged == padded.tagged && v.last == padded.last && v.rsvd == padded.rsvd &&
                  v.dv == padded.dv && v.rsvdulp == padded.rsvdulp && v.stag == padded.stag &&
                  v.to == padded.to && v.rsvdulp_word == padded.rsvdulp_word && v.qn == padded.qn &&
                  v.msn == padded.msn && v.mo == padded.mo,
              "a header cut after %zu octets", n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const iwarp_span in = fuzz_span(&f);
  iwarp_ddp_hdr v;
  if (ddp_hdr_holds(in)) {
    const iwarp_dec d = iwarp_ddp_hdr_decode(&v, in);
    fuzz_expect(d.used == iwarp_ddp_hdr_len(in.ptr[0]), "%zu octets", d.used);
    fields_agree(form_of(&v), in, &v);
  }
  for (size_t n = 0; n <= in.len && n <= IWARP_DDP_UNTAGGED_LEN; n++) {
    cut(in, n);
  }
  return 0;
}
