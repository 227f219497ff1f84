/* SPDX-License-Identifier: BSD-2-Clause */
/* The Terminate Header, as it stands and as its sender is likely to have meant it. */
#include <iwarp/rdmap.h>
#include <string.h>

#include "fields.h"
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

FUZZ_CODEC(rdmap_term)

static bool inside(iwarp_span part, iwarp_span in) {
  return part.len == 0 || (part.ptr >= in.ptr && part.len <= in.len - (size_t)(part.ptr - in.ptr));
}

static void spans(const iwarp_rdmap_term *v, iwarp_span in) {
  fuzz_expect(inside(v->ddp_header, in) && inside(v->rdma_header, in) && inside(v->rest, in) &&
                  inside(v->tail, in),
              "a span outside the Terminate");
  fuzz_expect(v->ddp_header.len == 0 ||
                  v->ddp_header.len == iwarp_ddp_hdr_len(v->ddp_header.ptr[0]),
              "a DDP header of %zu octets", v->ddp_header.len);
  fuzz_expect(v->rdma_header.len == 0 || v->rdma_header.len == IWARP_RDMAP_READ_REQ_LEN,
              "an RDMAP header of %zu octets", v->rdma_header.len);
}

/* An error has a name where the table of errors has a row for it. RFC 6580 3.1 to 3.3 */
static void names(const iwarp_rdmap_term *v) {
  const iwarp_rdmap_term_row *row;
  const char *name = iwarp_rdmap_term_code_name(v->layer, v->etype, v->code);
  const uint32_t value = (uint32_t)v->layer << 12 | (uint32_t)v->etype << 8 | v->code;
  bool found = false;
  for (size_t i = 0; (row = iwarp_rdmap_term_at(i)) != NULL; i++) {
    found = found || (row->layer == v->layer && row->etype == v->etype &&
                      (row->any_code || row->code == v->code));
  }
  fuzz_expect(iwarp_name_known(name) == found, "0x%04x: %s", value, name);
  fuzz_expect(!found || (iwarp_name_known(iwarp_rdmap_term_layer_name(v->layer)) &&
                         iwarp_name_known(iwarp_rdmap_term_etype_name(v->layer, v->etype))),
              "0x%04x: a code without its type", value);
}

static void likely(const iwarp_rdmap_term *v, iwarp_span in, iwarp_rdmap_term_place place) {
  iwarp_rdmap_term other;
  if (iwarp_rdmap_term_likely(&other, v, place)) {
    fuzz_expect(other.layer == v->etype && other.etype == v->layer && other.code == v->code,
                "the likely reading");
    spans(&other, in);
    names(&other);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const iwarp_span in = fuzz_span(&f);
  iwarp_rdmap_term v;
  if (rdmap_term_holds(in)) {
    (void)iwarp_rdmap_term_decode(&v, in);
    fields_agree(IWARP_FORM_RDMAP_TERM, in, &v);
    spans(&v, in);
    names(&v);
    for (int i = IWARP_RDMAP_TERM_PLACE_UNKNOWN; i <= IWARP_RDMAP_TERM_PLACE_FULL; i++) {
      likely(&v, in, (iwarp_rdmap_term_place)i);
    }
  }
  return 0;
}
