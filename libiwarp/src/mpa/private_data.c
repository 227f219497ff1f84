/* SPDX-License-Identifier: BSD-2-Clause */
/* Conventions of peers in startup frames that are in no RFC. */
#include <iwarp/mpa.h>
#include <iwarp/private_data.h>

#include "../base/cursor.h"

#define PRIVATE_DATA_DEPTH_MAX 0xFFFFu /* beyond any depth in use: tells the two orders apart */
#define PRIVATE_DATA_REV_SMBD 1u

const char *iwarp_mpa_res_name(uint8_t flags) {
  switch (flags & IWARP_MPA_FLAG_RES) {
  case 0x04u: return "max FPDU 16 KiB";
  case 0x08u: return "siw GSO, or max FPDU 32 KiB";
  case 0x0Cu: return "max FPDU 64 KiB";
  }
  return NULL;
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

iwarp_byte_order iwarp_smbd_depths_guess(uint8_t rev, iwarp_span private_data) {
  if (rev != PRIVATE_DATA_REV_SMBD) {
    return IWARP_BYTE_ORDER_UNKNOWN;
  }
  if (private_data_plausible(private_data, IWARP_BYTE_ORDER_BIG)) {
    return IWARP_BYTE_ORDER_BIG;
  }
  return private_data_plausible(private_data, IWARP_BYTE_ORDER_LITTLE) ? IWARP_BYTE_ORDER_LITTLE
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
