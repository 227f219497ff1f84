/* SPDX-License-Identifier: BSD-2-Clause */
/* A DDP Segment down to its RDMAP header, and the arithmetic of Atomic Operations. */
#include <iwarp/rdmap.h>
#include <string.h>

#include "fields.h"
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_SEGMENT;

FUZZ_CODEC(rdmap_read_req)
FUZZ_CODEC(rdmap_atomic_req)
FUZZ_CODEC(rdmap_atomic_resp)

static iwarp_rdmap_kind kind_of(uint8_t opcode) {
  switch (opcode) {
  case IWARP_RDMAP_OP_READ_REQ: return IWARP_RDMAP_KIND_READ_REQ;
  case IWARP_RDMAP_OP_TERMINATE: return IWARP_RDMAP_KIND_TERM;
  case IWARP_RDMAP_OP_IMMEDIATE:
  case IWARP_RDMAP_OP_IMMEDIATE_SE: return IWARP_RDMAP_KIND_IMMEDIATE;
  case IWARP_RDMAP_OP_ATOMIC_REQ: return IWARP_RDMAP_KIND_ATOMIC_REQ;
  case IWARP_RDMAP_OP_ATOMIC_RESP: return IWARP_RDMAP_KIND_ATOMIC_RESP;
  default: return IWARP_RDMAP_KIND_NONE;
  }
}

/* The header that was decoded is the one that the octets hold. */
static void header(const iwarp_rdmap_seg *v, iwarp_span in) {
  switch (v->kind) {
  case IWARP_RDMAP_KIND_READ_REQ:
    fields_agree(IWARP_FORM_RDMAP_READ_REQ, in, &v->u.read_req);
    fuzz_expect(rdmap_read_req_holds(in), "Read Request");
    return;
  case IWARP_RDMAP_KIND_ATOMIC_REQ:
    fields_agree(IWARP_FORM_RDMAP_ATOMIC_REQ, in, &v->u.atomic_req);
    fuzz_expect(rdmap_atomic_req_holds(in), "Atomic Request");
    return;
  case IWARP_RDMAP_KIND_ATOMIC_RESP:
    fields_agree(IWARP_FORM_RDMAP_ATOMIC_RESP, in, &v->u.atomic_resp);
    fuzz_expect(rdmap_atomic_resp_holds(in), "Atomic Response");
    return;
  case IWARP_RDMAP_KIND_IMMEDIATE:
    fuzz_same(in, v->u.immediate, sizeof v->u.immediate, "Immediate Data");
    return;
  case IWARP_RDMAP_KIND_TERM: fields_agree(IWARP_FORM_RDMAP_TERM, in, &v->u.term); return;
  case IWARP_RDMAP_KIND_NONE: return;
  }
}

static void segment(iwarp_span in, size_t len) {
  iwarp_rdmap_seg v;
  memset(&v, 0, sizeof v);
  iwarp_rdmap_seg_decode(&v, in, len);
  if (in.len == 0) {
    return;
  }
  const size_t hdr = iwarp_ddp_hdr_len(in.ptr[0]);
  fuzz_expect(v.has_ddp == (in.len >= hdr && len >= hdr), "has_ddp with %zu of %zu octets", in.len,
              len);
  fuzz_expect((v.err == IWARP_ERR_DDP_SHORT) == (len < hdr), "%s of %zu octets",
              iwarp_errname(v.err), len);
  if (!v.has_ddp) {
    fuzz_expect(v.kind == IWARP_RDMAP_KIND_NONE, "a header without one of DDP");
    return;
  }
  const iwarp_span inner = {in.ptr + hdr, in.len - hdr};
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(v.ctrl.opcode);
  fuzz_expect(v.payload_len == len - hdr, "payload of %zu octets", v.payload_len);
  fuzz_expect(iwarp_rdmap_ctrl_encode(v.ctrl) == in.ptr[1], "control field");
  fuzz_expect(v.kind == IWARP_RDMAP_KIND_NONE || v.kind == kind_of(v.ctrl.opcode), "kind %d",
              (int)v.kind);
  if (!v.ddp.tagged && v.ddp.mo == 0 && kind_of(v.ctrl.opcode) != IWARP_RDMAP_KIND_NONE) {
    fuzz_expect((v.kind != IWARP_RDMAP_KIND_NONE) ==
                    (inner.len >= op->hdr_len && len - hdr >= op->hdr_len),
                "%s: %zu octets of %zu", op->name, inner.len, len - hdr);
  }
  header(&v, inner);
}

/* One bit after the other: a mask bit of the addition ends a field. RFC 7306 5.1 */
static uint64_t add_slowly(uint64_t a, uint64_t b, uint64_t mask) {
  uint64_t sum = 0;
  uint64_t carry = 0;
  for (unsigned i = 0; i < 64; i++) {
    const uint64_t n = (a >> i & 1) + (b >> i & 1) + carry;
    sum |= (n & 1) << i;
    carry = (mask >> i & 1) != 0 ? 0 : n >> 1;
  }
  return sum;
}

static void arithmetic(iwarp_span in) {
  uint64_t v[5];
  if (in.len < sizeof v) {
    return;
  }
  memcpy(v, in.ptr, sizeof v);
  fuzz_expect(iwarp_rdmap_fetch_add(v[0], v[1], v[2]) == add_slowly(v[0], v[1], v[2]), "FetchAdd");
  const bool equal = ((v[0] ^ v[3]) & v[4]) == 0;
  const uint64_t swapped = (v[0] & ~v[2]) | (v[1] & v[2]);
  fuzz_expect(iwarp_rdmap_cmp_swap(v[0], v[1], v[2], v[3], v[4]) == (equal ? swapped : v[0]),
              "CmpSwap");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const iwarp_span in = fuzz_span(&f);
  const size_t more = fuzz_bool(&f) ? fuzz_u16(&f) : 0; /* octets that were not captured */
  const size_t less = fuzz_bool(&f) ? fuzz_u8(&f) : 0;
  segment(in, in.len);
  segment(in, in.len + more);
  segment((iwarp_span){in.ptr, in.len - (less < in.len ? less : in.len)}, in.len);
  (void)rdmap_read_req_holds(in);
  (void)rdmap_atomic_req_holds(in);
  (void)rdmap_atomic_resp_holds(in);
  arithmetic(in);
  return 0;
}
