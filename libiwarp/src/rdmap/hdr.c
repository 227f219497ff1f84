/* SPDX-License-Identifier: BSD-2-Clause */
/* The RDMA Read Request Header and the atomic headers: RFC 5040 4.4, RFC 7306 5.2. */
#include <iwarp/rdmap.h>

#include "../base/cursor.h"

#define RDMAP_HDR_AOPCODE_MASK 0x0Fu
#define RDMAP_HDR_RESERVED_SHIFT 4
#define RDMAP_HDR_RESERVED_MAX 0x0FFFFFFFu

iwarp_dec iwarp_rdmap_read_req_decode(iwarp_rdmap_read_req *out, iwarp_span in) {
  rd r = rd_of(in);
  rd hdr = rd_of(rd_span(&r, IWARP_RDMAP_READ_REQ_LEN));
  iwarp_rdmap_read_req v = {0};
  v.sink_stag = rd_u32(&hdr);
  v.sink_to = rd_u64(&hdr);
  v.size = rd_u32(&hdr);
  v.source_stag = rd_u32(&hdr);
  v.source_to = rd_u64(&hdr);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_err iwarp_rdmap_read_req_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                      const iwarp_rdmap_read_req *v) {
  wr w = wr_of(dst, cap, IWARP_RDMAP_READ_REQ_LEN);
  wr_u32(&w, v->sink_stag);
  wr_u64(&w, v->sink_to);
  wr_u32(&w, v->size);
  wr_u32(&w, v->source_stag);
  wr_u64(&w, v->source_to);
  return wr_end(&w, out_len);
}

iwarp_dec iwarp_rdmap_atomic_req_decode(iwarp_rdmap_atomic_req *out, iwarp_span in) {
  rd r = rd_of(in);
  rd hdr = rd_of(rd_span(&r, IWARP_RDMAP_ATOMIC_REQ_LEN));
  iwarp_rdmap_atomic_req v = {0};
  uint32_t word = rd_u32(&hdr);
  v.reserved = word >> RDMAP_HDR_RESERVED_SHIFT;
  v.aopcode = (uint8_t)(word & RDMAP_HDR_AOPCODE_MASK);
  v.request_id = rd_u32(&hdr);
  v.stag = rd_u32(&hdr);
  v.to = rd_u64(&hdr);
  v.add_swap_data = rd_u64(&hdr);
  v.add_swap_mask = rd_u64(&hdr);
  v.compare_data = rd_u64(&hdr);
  v.compare_mask = rd_u64(&hdr);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_err iwarp_rdmap_atomic_req_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                        const iwarp_rdmap_atomic_req *v) {
  if (v->reserved > RDMAP_HDR_RESERVED_MAX || v->aopcode > RDMAP_HDR_AOPCODE_MASK) {
    return IWARP_ERR_ARG;
  }
  wr w = wr_of(dst, cap, IWARP_RDMAP_ATOMIC_REQ_LEN);
  wr_u32(&w, v->reserved << RDMAP_HDR_RESERVED_SHIFT | v->aopcode);
  wr_u32(&w, v->request_id);
  wr_u32(&w, v->stag);
  wr_u64(&w, v->to);
  wr_u64(&w, v->add_swap_data);
  wr_u64(&w, v->add_swap_mask);
  wr_u64(&w, v->compare_data);
  wr_u64(&w, v->compare_mask);
  return wr_end(&w, out_len);
}

iwarp_dec iwarp_rdmap_atomic_resp_decode(iwarp_rdmap_atomic_resp *out, iwarp_span in) {
  rd r = rd_of(in);
  rd hdr = rd_of(rd_span(&r, IWARP_RDMAP_ATOMIC_RESP_LEN));
  iwarp_rdmap_atomic_resp v = {0};
  v.request_id = rd_u32(&hdr);
  v.original = rd_u64(&hdr);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_err iwarp_rdmap_atomic_resp_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                         const iwarp_rdmap_atomic_resp *v) {
  wr w = wr_of(dst, cap, IWARP_RDMAP_ATOMIC_RESP_LEN);
  wr_u32(&w, v->request_id);
  wr_u64(&w, v->original);
  return wr_end(&w, out_len);
}
