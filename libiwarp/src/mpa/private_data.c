/* SPDX-License-Identifier: BSD-2-Clause */
/* Conventions of peers in startup frames that are in no RFC. */
#include <iwarp/mpa.h>
#include <iwarp/private_data.h>

#include "../base/cursor.h"

#define PRIVATE_DATA_DEPTH_MAX 0xFFFFu /* beyond any depth in use: tells the two orders apart */

const char *iwarp_mpa_res_name(uint8_t flags) {
  static const char *const names[IWARP_MPA_FLAG_RES + 1u] = {
#define PRIVATE_DATA_RES(value, name) [value] = (name),
      IWARP_MPA_RES_MAP(PRIVATE_DATA_RES)
#undef PRIVATE_DATA_RES
  };
  const char *name = names[flags & IWARP_MPA_FLAG_RES];
  return name != NULL ? name : IWARP_NAME_UNKNOWN;
}

iwarp_dec iwarp_smbd_depths_decode(iwarp_smbd_depths *out, iwarp_span in, iwarp_byte_order order) {
  if (order != IWARP_BYTE_ORDER_BIG && order != IWARP_BYTE_ORDER_LITTLE) {
    return (iwarp_dec){.err = IWARP_ERR_ARG};
  }
  bool big = order == IWARP_BYTE_ORDER_BIG;
  rd r = rd_of(in);
  rd whole = rd_of(rd_span(&r, IWARP_SMBD_DEPTHS_LEN));
  iwarp_smbd_depths v = {0};
  v.ird = big ? rd_u32(&whole) : rd_u32le(&whole);
  v.ord = big ? rd_u32(&whole) : rd_u32le(&whole);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

static bool private_data_plausible(iwarp_span in, iwarp_byte_order order) {
  iwarp_smbd_depths v = {0};
  iwarp_smbd_depths_decode(&v, in, order);
  return (v.ird | v.ord) != 0 && v.ird <= PRIVATE_DATA_DEPTH_MAX && v.ord <= PRIVATE_DATA_DEPTH_MAX;
}

iwarp_byte_order iwarp_smbd_depths_guess(iwarp_span ulp_data) {
  if (ulp_data.len != IWARP_SMBD_DEPTHS_LEN) {
    return IWARP_BYTE_ORDER_UNKNOWN;
  }
  if (private_data_plausible(ulp_data, IWARP_BYTE_ORDER_BIG)) {
    return IWARP_BYTE_ORDER_BIG;
  }
  return private_data_plausible(ulp_data, IWARP_BYTE_ORDER_LITTLE) ? IWARP_BYTE_ORDER_LITTLE
                                                                   : IWARP_BYTE_ORDER_UNKNOWN;
}

iwarp_err iwarp_smbd_depths_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                   const iwarp_smbd_depths *v, iwarp_byte_order order) {
  if (order != IWARP_BYTE_ORDER_BIG && order != IWARP_BYTE_ORDER_LITTLE) {
    return IWARP_ERR_ARG;
  }
  wr w = wr_of(dst, cap, IWARP_SMBD_DEPTHS_LEN);
  if (order == IWARP_BYTE_ORDER_BIG) {
    wr_u32(&w, v->ird);
    wr_u32(&w, v->ord);
  } else {
    wr_u32le(&w, v->ird);
    wr_u32le(&w, v->ord);
  }
  return wr_end(&w, out_len);
}

/* ---- Rev 129 ---- */

#define PRIVATE_DATA_CC_BITS 4u
#define PRIVATE_DATA_CC_MAX 0xFu

iwarp_dec iwarp_erdma_ext_decode(iwarp_erdma_ext *out, iwarp_span in) {
  rd r = rd_of(in);
  rd whole = rd_of(rd_span(&r, IWARP_ERDMA_EXT_LEN));
  iwarp_erdma_ext v = {.cookie = rd_u32(&whole)};
  const uint32_t bits = rd_u32(&whole);
  v.reserved = bits >> PRIVATE_DATA_CC_BITS;
  v.cc = (uint8_t)(bits & PRIVATE_DATA_CC_MAX);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_err iwarp_erdma_ext_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                 const iwarp_erdma_ext *v) {
  if (v->reserved > IWARP_ERDMA_RESERVED_MAX || v->cc > PRIVATE_DATA_CC_MAX) {
    return IWARP_ERR_ARG;
  }
  wr w = wr_of(dst, cap, IWARP_ERDMA_EXT_LEN);
  wr_u32(&w, v->cookie);
  wr_u32(&w, v->reserved << PRIVATE_DATA_CC_BITS | v->cc);
  return wr_end(&w, out_len);
}

/* ---- RPC-over-RDMA: RFC 8797 ---- */

#define PRIVATE_DATA_UNIT 1024u /* octets, RFC 8797 4.2 */
#define PRIVATE_DATA_SIZE_MAX 0xFFu

iwarp_span iwarp_rpc_rdma_find(iwarp_span private_data) {
  for (size_t at = 0; at + IWARP_RPC_RDMA_LEN <= private_data.len; at++) {
    rd r = rd_of(private_data);
    rd_take(&r, at);
    rd front = r;
    if (rd_u32(&front) == IWARP_RPC_RDMA_FORMAT && rd_u8(&front) == IWARP_RPC_RDMA_VERSION) {
      return rd_span(&r, IWARP_RPC_RDMA_LEN);
    }
  }
  return (iwarp_span){NULL, 0};
}

iwarp_dec iwarp_rpc_rdma_decode(iwarp_rpc_rdma *out, iwarp_span in) {
  rd r = rd_of(in);
  rd whole = rd_of(rd_span(&r, IWARP_RPC_RDMA_LEN));
  iwarp_rpc_rdma v = {.format = rd_u32(&whole)};
  v.version = rd_u8(&whole);
  const uint8_t flags = rd_u8(&whole);
  v.reserved = (uint8_t)(flags >> 1);
  v.remote_invalidation = (flags & 1u) != 0;
  v.send_size = rd_u8(&whole);
  v.receive_size = rd_u8(&whole);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_err iwarp_rpc_rdma_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                const iwarp_rpc_rdma *v) {
  if (v->reserved > IWARP_RPC_RDMA_RESERVED_MAX) {
    return IWARP_ERR_ARG;
  }
  wr w = wr_of(dst, cap, IWARP_RPC_RDMA_LEN);
  wr_u32(&w, v->format);
  wr_u8(&w, v->version);
  wr_u8(&w, (uint8_t)((uint32_t)v->reserved << 1 | (v->remote_invalidation ? 1u : 0u)));
  wr_u8(&w, v->send_size);
  wr_u8(&w, v->receive_size);
  return wr_end(&w, out_len);
}

uint32_t iwarp_rpc_rdma_octets(uint8_t size) {
  return (size + UINT32_C(1)) * PRIVATE_DATA_UNIT;
}

uint8_t iwarp_rpc_rdma_size(uint32_t octets) {
  const uint32_t units = octets / PRIVATE_DATA_UNIT;
  if (units == 0) {
    return 0;
  }
  return (uint8_t)(units - 1 < PRIVATE_DATA_SIZE_MAX ? units - 1 : PRIVATE_DATA_SIZE_MAX);
}
