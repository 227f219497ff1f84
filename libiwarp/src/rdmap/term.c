/* SPDX-License-Identifier: BSD-2-Clause */
/* The Terminate Header and the names of its codes: RFC 5040 4.8. */
#include "rdmap_internal.h"

#include "../base/cursor.h"

#define RDMAP_TERM_CONTROL_LEN 4u
#define RDMAP_TERM_NIBBLE 0x0Fu
#define RDMAP_TERM_M 0x8000u /* of the 16 bits after the Error Code */
#define RDMAP_TERM_D 0x4000u
#define RDMAP_TERM_R 0x2000u
#define RDMAP_TERM_RESERVED 0x1FFFu

/*
 * rdmap_term_take takes n octets of the tail. Where they are not there it takes nothing and says
 * whether the header of `total` octets ends before them or only the octets at hand do.
 */
static bool rdmap_term_take(iwarp_span *out, rd *r, size_t n, size_t total, iwarp_err *tail_err) {
  if (n > r->left) {
    *tail_err = r->used + n > total ? IWARP_ERR_RDMAP_TERM_TRUNCATED : IWARP_OK;
    return false;
  }
  *out = rd_span(r, n);
  return true;
}

/* rdmap_term_tail reads what HdrCt announces, as far as it can. RFC 5040 4.8 */
static void rdmap_term_tail(iwarp_rdmap_term *v, rd *r, size_t total) {
  iwarp_span field;
  if (v->m || v->d) { /* the length field stands before the DDP header even when only D is set */
    if (!rdmap_term_take(&field, r, sizeof v->ddp_segment_length, total, &v->tail_err)) {
      return;
    }
    rd length = rd_of(field);
    v->has_ddp_segment_length = true;
    v->ddp_segment_length = rd_u16(&length);
  }
  if (v->d) {
    rd peek = *r;
    size_t len = peek.left > 0 ? iwarp_ddp_hdr_len(rd_u8(&peek)) : IWARP_DDP_TAGGED_LEN;
    if (!rdmap_term_take(&v->ddp_header, r, len, total, &v->tail_err)) {
      return;
    }
  }
  if (v->r && !v->d) { /* where the RDMAP header would stand cannot be known */
    v->tail_err = IWARP_ERR_RDMAP_TERM_HDRCT;
    return;
  }
  if (v->r) {
    rdmap_term_take(&v->rdma_header, r, IWARP_RDMAP_READ_REQ_LEN, total, &v->tail_err);
  }
}

iwarp_dec iwarpi_rdmap_term_decode(iwarp_rdmap_term *out, iwarp_span in, size_t total) {
  rd r = rd_of(in);
  rd control = rd_of(rd_span(&r, RDMAP_TERM_CONTROL_LEN));
  if (r.bad) {
    return rd_result(&r);
  }
  iwarp_rdmap_term v = {0};
  uint8_t first = rd_u8(&control);
  v.layer = (uint8_t)(first >> 4);
  v.etype = (uint8_t)(first & RDMAP_TERM_NIBBLE);
  v.code = rd_u8(&control);
  uint16_t hdrct = rd_u16(&control);
  v.m = (hdrct & RDMAP_TERM_M) != 0;
  v.d = (hdrct & RDMAP_TERM_D) != 0;
  v.r = (hdrct & RDMAP_TERM_R) != 0;
  v.reserved = hdrct & RDMAP_TERM_RESERVED;
  rdmap_term_tail(&v, &r, total);
  v.rest = rd_upto(&r, r.left);
  *out = v;
  return rd_result(&r);
}

iwarp_dec iwarp_rdmap_term_decode(iwarp_rdmap_term *out, iwarp_span in) {
  return iwarpi_rdmap_term_decode(out, in, in.len);
}

static void rdmap_term_put(wr *w, const iwarp_rdmap_term *v) {
  uint32_t hdrct = v->reserved;
  hdrct |= v->m ? RDMAP_TERM_M : 0;
  hdrct |= v->d ? RDMAP_TERM_D : 0;
  hdrct |= v->r ? RDMAP_TERM_R : 0;
  wr_u8(w, (uint8_t)((uint32_t)v->layer << 4 | v->etype));
  wr_u8(w, v->code);
  wr_u16(w, (uint16_t)hdrct);
  if (v->has_ddp_segment_length) {
    wr_u16(w, v->ddp_segment_length);
  }
  wr_span(w, v->ddp_header);
  wr_span(w, v->rdma_header);
  wr_span(w, v->rest);
}

iwarp_err iwarp_rdmap_term_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                  const iwarp_rdmap_term *v) {
  if (v->layer > RDMAP_TERM_NIBBLE || v->etype > RDMAP_TERM_NIBBLE ||
      v->reserved > RDMAP_TERM_RESERVED) {
    return IWARP_ERR_ARG;
  }
  wr size = wr_of(NULL, 0, 0);
  rdmap_term_put(&size, v);
  wr w = wr_of(dst, cap, size.len);
  rdmap_term_put(&w, v);
  return wr_end(&w, out_len);
}

/* One Error Type with its codes; any_code: the code carries no meaning. RFC 6580 3.1 to 3.3 */
typedef struct rdmap_term_code {
  uint8_t code;
  const char *name;
} rdmap_term_code;

typedef struct rdmap_term_etype {
  uint8_t layer;
  uint8_t etype;
  bool any_code;
  uint8_t num_codes;
  const char *name;
  const rdmap_term_code *codes;
} rdmap_term_etype;

#define RDMAP_TERM_CODES(codes_) .codes = (codes_), .num_codes = sizeof(codes_) / sizeof(codes_)[0]

/* RFC 5040 figure 9 */
static const rdmap_term_code rdmap_term_protection[] = {
    {0x00, "Invalid STag"},
    {0x01, "Base or bounds violation"},
    {0x02, "Access rights violation"},
    {0x03, "STag not associated with RDMAP Stream"},
    {0x04, "TO wrap"},
    {0x09, "STag cannot be Invalidated"},
    {0xFF, "Unspecified Error"},
};
static const rdmap_term_code rdmap_term_operation[] = {
    {0x05, "Invalid RDMAP version"},
    {0x06, "Unexpected OpCode"},
    {0x07, "Catastrophic error, localized to RDMAP Stream"},
    {0x08, "Catastrophic error, global"},
    {0x09, "STag cannot be Invalidated"},
    {0xFF, "Unspecified Error"},
};
/* RFC 5041 7.2 */
static const rdmap_term_code rdmap_term_ddp_local[] = {
    {0x00, "Local Catastrophic"},
};
static const rdmap_term_code rdmap_term_tagged[] = {
    {0x00, "Invalid STag"},
    {0x01, "Base or bounds violation"},
    {0x02, "STag not associated with DDP Stream"},
    {0x03, "TO wrap"},
    {0x04, "Invalid DDP version"},
};
static const rdmap_term_code rdmap_term_untagged[] = {
    {0x01, "Invalid QN"},
    {0x02, "Invalid MSN - no buffer available"},
    {0x03, "Invalid MSN - MSN range is not valid"},
    {0x04, "Invalid MO"},
    {0x05, "DDP Message too long for available buffer"},
    {0x06, "Invalid DDP version"},
};
/* RFC 5044 8, RFC 6581 8 */
static const rdmap_term_code rdmap_term_mpa[] = {
    {0x01, "TCP connection closed, terminated, or lost"},
    {0x02, "MPA CRC Error"},
    {0x03, "MPA Marker and ULPDU Length field mismatch"},
    {0x04, "Invalid MPA Request Frame or MPA Response Frame"},
    {0x05, "Local catastrophic error"},
    {0x06, "Insufficient IRD resources"},
    {0x07, "No matching RTR option"},
};

static const rdmap_term_etype rdmap_term_etypes[] = {
    {.layer = 0, .etype = 0, .name = "Local Catastrophic Error", .any_code = true},
    {.layer = 0,
     .etype = 1,
     .name = "Remote Protection Error",
     RDMAP_TERM_CODES(rdmap_term_protection)},
    {.layer = 0,
     .etype = 2,
     .name = "Remote Operation Error",
     RDMAP_TERM_CODES(rdmap_term_operation)},
    {.layer = 1, .etype = 0, .name = "Local Catastrophic", RDMAP_TERM_CODES(rdmap_term_ddp_local)},
    {.layer = 1, .etype = 1, .name = "Tagged Buffer Error", RDMAP_TERM_CODES(rdmap_term_tagged)},
    {.layer = 1,
     .etype = 2,
     .name = "Untagged Buffer Error",
     RDMAP_TERM_CODES(rdmap_term_untagged)},
    {.layer = 1, .etype = 3, .name = "Reserved for use by the LLP", .any_code = true},
    {.layer = 2, .etype = 0, .name = "MPA Error", RDMAP_TERM_CODES(rdmap_term_mpa)},
};

static const char *const rdmap_term_layers[] = {"RDMA", "DDP", "LLP"};

const char *iwarp_rdmap_term_layer_name(uint8_t layer) {
  size_t num = sizeof rdmap_term_layers / sizeof rdmap_term_layers[0];
  return layer < num ? rdmap_term_layers[layer] : NULL;
}

static const rdmap_term_etype *rdmap_term_find(uint8_t layer, uint8_t etype) {
  for (size_t i = 0; i < sizeof rdmap_term_etypes / sizeof rdmap_term_etypes[0]; i++) {
    if (rdmap_term_etypes[i].layer == layer && rdmap_term_etypes[i].etype == etype) {
      return &rdmap_term_etypes[i];
    }
  }
  return NULL;
}

const char *iwarp_rdmap_term_etype_name(uint8_t layer, uint8_t etype) {
  const rdmap_term_etype *row = rdmap_term_find(layer, etype);
  return row != NULL ? row->name : NULL;
}

const char *iwarp_rdmap_term_code_name(uint8_t layer, uint8_t etype, uint8_t code) {
  const rdmap_term_etype *row = rdmap_term_find(layer, etype);
  if (row == NULL) {
    return NULL;
  }
  if (row->any_code) { /* any value may be sent and means no more than its Error Type */
    return row->name;
  }
  for (size_t i = 0; i < row->num_codes; i++) {
    if (row->codes[i].code == code) {
      return row->codes[i].name;
    }
  }
  return NULL;
}
