/* SPDX-License-Identifier: BSD-2-Clause */
/* The tagged and untagged DDP header: RFC 5041 4. */
#include <iwarp/ddp.h>

#include "../base/cursor.h"
#include "../base/minmax.h"

#define DDP_HDR_RSVD_MAX 0x0Fu
#define DDP_HDR_RSVD_SHIFT 2

size_t iwarp_ddp_hdr_len(uint8_t control) {
  return (control & IWARP_DDP_CTRL_T) != 0 ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
}

/* ddp_hdr_read reads the fields of the header down; those that are not there become 0. */
static iwarp_ddp_hdr ddp_hdr_read(rd *hdr) {
  uint8_t control = rd_u8(hdr);
  iwarp_ddp_hdr v = {
      .tagged = (control & IWARP_DDP_CTRL_T) != 0,
      .last = (control & IWARP_DDP_CTRL_L) != 0,
      .rsvd = (uint8_t)((control & IWARP_DDP_CTRL_RSVD) >> DDP_HDR_RSVD_SHIFT),
      .dv = (uint8_t)(control & IWARP_DDP_CTRL_DV),
  };
  v.rsvdulp = rd_u8(hdr);
  if (v.tagged) {
    v.stag = rd_u32(hdr);
    v.to = rd_u64(hdr);
  } else {
    v.rsvdulp_word = rd_u32(hdr);
    v.qn = rd_u32(hdr);
    v.msn = rd_u32(hdr);
    v.mo = rd_u32(hdr);
  }
  return v;
}

iwarp_dec iwarp_ddp_hdr_decode(iwarp_ddp_hdr *out, iwarp_span in) {
  rd peek = rd_of(in);
  uint8_t control = rd_u8(&peek);
  if (peek.bad) { /* no header is shorter than the tagged one */
    return (iwarp_dec){.err = IWARP_ERR_NEED_MORE, .need = IWARP_DDP_TAGGED_LEN};
  }
  rd r = rd_of(in);
  rd hdr = rd_of(rd_span(&r, iwarp_ddp_hdr_len(control)));
  if (!r.bad) {
    *out = ddp_hdr_read(&hdr);
  }
  return rd_result(&r);
}

size_t iwarp_ddp_hdr_peek(iwarp_ddp_hdr *out, iwarp_span in) {
  rd all = rd_of(in);
  rd hdr = all;
  uint8_t control = rd_u8(&all);
  *out = ddp_hdr_read(&hdr);
  size_t len = all.bad ? 0 : iwarp_ddp_hdr_len(control);
  return size_min(in.len, len);
}

iwarp_err iwarp_ddp_hdr_encode(uint8_t *dst, size_t cap, size_t *out_len, const iwarp_ddp_hdr *v) {
  if (v->rsvd > DDP_HDR_RSVD_MAX || v->dv > IWARP_DDP_CTRL_DV) {
    return IWARP_ERR_ARG;
  }
  uint32_t control = (uint32_t)v->rsvd << DDP_HDR_RSVD_SHIFT | v->dv;
  control |= v->tagged ? IWARP_DDP_CTRL_T : 0;
  control |= v->last ? IWARP_DDP_CTRL_L : 0;
  wr w = wr_of(dst, cap, iwarp_ddp_hdr_len((uint8_t)control));
  wr_u8(&w, (uint8_t)control);
  wr_u8(&w, v->rsvdulp);
  if (v->tagged) {
    wr_u32(&w, v->stag);
    wr_u64(&w, v->to);
  } else {
    wr_u32(&w, v->rsvdulp_word);
    wr_u32(&w, v->qn);
    wr_u32(&w, v->msn);
    wr_u32(&w, v->mo);
  }
  return wr_end(&w, out_len);
}
