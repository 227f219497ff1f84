/* SPDX-License-Identifier: BSD-2-Clause */
/* The Terminate Header and the names of its codes: RFC 5040 4.8. */
#include "rdmap_internal.h"

#include "../base/cursor.h"

#define RDMAP_TERM_CONTROL_LEN 4u
#define RDMAP_TERM_NIBBLE 0x0Fu
#define RDMAP_TERM_M 0x8000u /* M in the 16 bits after the Error Code */
#define RDMAP_TERM_D 0x4000u
#define RDMAP_TERM_R 0x2000u
#define RDMAP_TERM_RESERVED 0x1FFFu
#define RDMAP_TERM_LOW_M 0x0100u /* M, if M, D and R are the lowest bits of their octet */
#define RDMAP_TERM_LOW_D 0x0200u
#define RDMAP_TERM_LOW_R 0x0400u

/*
 * rdmap_term_take takes n octets of the tail. Where they are not there it takes nothing and says
 * whether the header of `total` octets ends before them or only the octets available do.
 */
static bool rdmap_term_take(iwarp_span *out, rd *r, size_t n, size_t total, iwarp_err *tail_err) {
  if (n > r->left) {
    *tail_err = r->used + n > total ? IWARP_ERR_RDMAP_TERM_TRUNCATED : IWARP_OK;
    return false;
  }
  *out = rd_span(r, n);
  return true;
}

/* rdmap_term_headers reads what HdrCt announces, as far as it can. RFC 5040 4.8 */
static void rdmap_term_headers(iwarp_rdmap_term *v, rd *r) {
  const size_t total = v->tail_len;
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
  if (v->r && !v->d) { /* the place of the RDMAP header cannot be known */
    v->tail_err = IWARP_ERR_RDMAP_TERM_HDRCT;
    return;
  }
  if (v->r) {
    rdmap_term_take(&v->rdma_header, r, IWARP_RDMAP_READ_REQ_LEN, total, &v->tail_err);
  }
}

/* rdmap_term_tail reads `tail`: the headers, and the rest. */
static void rdmap_term_tail(iwarp_rdmap_term *v) {
  rd r = rd_of(v->tail);
  rdmap_term_headers(v, &r);
  v->rest = rd_upto(&r, r.left);
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
  v.tail = rd_upto(&r, r.left);
  v.tail_len = total - RDMAP_TERM_CONTROL_LEN;
  rdmap_term_tail(&v);
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

/* The rows of an Error Type stand together. */
#define RDMAP_TERM_ROW(name_, layer_, etype_, code_, any_, etype_name_, text_, rfc_)               \
  {.layer = (layer_),                                                                              \
   .etype = (etype_),                                                                              \
   .code = (code_),                                                                                \
   .any_code = (any_),                                                                             \
   .etype_name = (etype_name_),                                                                    \
   .name = (text_),                                                                                \
   .rfc = (rfc_)},

static const iwarp_rdmap_term_row rdmap_term_rows[] = {IWARP_TERM_MAP(RDMAP_TERM_ROW)};

const iwarp_rdmap_term_row *iwarp_rdmap_term_at(size_t index) {
  size_t num = sizeof rdmap_term_rows / sizeof rdmap_term_rows[0];
  return index < num ? &rdmap_term_rows[index] : NULL;
}

static const char *const rdmap_term_layers[] = {"RDMA", "DDP", "LLP"};

const char *iwarp_rdmap_term_layer_name(uint8_t layer) {
  size_t num = sizeof rdmap_term_layers / sizeof rdmap_term_layers[0];
  return layer < num ? rdmap_term_layers[layer] : IWARP_NAME_UNKNOWN;
}

const char *iwarp_rdmap_term_etype_name(uint8_t layer, uint8_t etype) {
  const iwarp_rdmap_term_row *row = NULL;
  for (size_t i = 0; (row = iwarp_rdmap_term_at(i)) != NULL; i++) {
    if (row->layer == layer && row->etype == etype) {
      return row->etype_name;
    }
  }
  return IWARP_NAME_UNKNOWN;
}

const char *iwarp_rdmap_term_code_name(uint8_t layer, uint8_t etype, uint8_t code) {
  const iwarp_rdmap_term_row *row = NULL;
  for (size_t i = 0; (row = iwarp_rdmap_term_at(i)) != NULL; i++) {
    if (row->layer == layer && row->etype == etype && (row->any_code || row->code == code)) {
      return row->name;
    }
  }
  return IWARP_NAME_UNKNOWN;
}

static bool rdmap_term_assigned(const iwarp_rdmap_term *v) {
  return iwarp_name_known(iwarp_rdmap_term_code_name(v->layer, v->etype, v->code));
}

/* Returns true if any header bit is set. */
static bool rdmap_term_has_bits(const iwarp_rdmap_term *v) {
  return v->m || v->d || v->r;
}

/* Returns true if the octets after the control field fit M and D. With D they begin with a DDP
 * header of this version; with M alone only the length follows. */
static bool rdmap_term_bits_fit(const iwarp_rdmap_term *v) {
  iwarp_ddp_hdr ddp;
  if (v->d) {
    return iwarp_ddp_hdr_decode(&ddp, v->ddp_header).err == IWARP_OK && ddp.dv == IWARP_DDP_VERSION;
  }
  return v->has_ddp_segment_length && v->rest.len == 0;
}

/* The errors of the startup have the codes of three errors of a Remote Operation. RFC 6581 8 */
#define RDMAP_TERM_SHARED_FIRST 5u
#define RDMAP_TERM_SHARED_LAST 7u
#define RDMAP_TERM_OPERATION 0x02u /* first octet of a Terminate: Layer, then Error Type */
#define RDMAP_TERM_MPA 0x20u

/* Returns true if the triple cannot occur at `place`. */
static bool rdmap_term_out_of_place(const iwarp_rdmap_term *v, iwarp_rdmap_term_place place) {
  const uint8_t first = (uint8_t)((uint32_t)v->layer << 4 | v->etype);
  if (v->code < RDMAP_TERM_SHARED_FIRST || v->code > RDMAP_TERM_SHARED_LAST) {
    return false;
  }
  return first == RDMAP_TERM_OPERATION
             ? place == IWARP_RDMAP_TERM_PLACE_STARTUP
             : first == RDMAP_TERM_MPA && place == IWARP_RDMAP_TERM_PLACE_FULL;
}

bool iwarp_rdmap_term_likely(iwarp_rdmap_term *out, const iwarp_rdmap_term *in,
                             iwarp_rdmap_term_place place) {
  iwarp_rdmap_term v = {
      .layer = in->etype,
      .etype = in->layer,
      .code = in->code,
      .m = (in->reserved & RDMAP_TERM_LOW_M) != 0,
      .d = (in->reserved & RDMAP_TERM_LOW_D) != 0,
      .r = (in->reserved & RDMAP_TERM_LOW_R) != 0,
      .tail = in->tail,
      .tail_len = in->tail_len,
  };
  const bool low_only = rdmap_term_has_bits(&v) && !rdmap_term_has_bits(in);
  const bool stands = rdmap_term_assigned(in) && !rdmap_term_out_of_place(in, place);
  if (!rdmap_term_assigned(&v) || (stands && !low_only) || rdmap_term_bits_fit(in)) {
    return false;
  }
  rdmap_term_tail(&v);
  *out = v;
  return true;
}
