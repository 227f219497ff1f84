/* SPDX-License-Identifier: BSD-2-Clause */
/* MPA Request and Reply Frames, enhanced connection data: RFC 5044 7.1.1, RFC 6581 6 and 9. */
#include <iwarp/mpa.h>
#include <iwarp/private_data.h>

#include "../base/cursor.h"

#define MPA_STARTUP_REV_ENHANCED 2u /* RFC 6581 6 */
#define MPA_STARTUP_DEPTH_MASK 0x3FFFu
#define MPA_STARTUP_DEPTH_FIRST 0x8000u  /* A before IRD, C before ORD */
#define MPA_STARTUP_DEPTH_SECOND 0x4000u /* B before IRD, D before ORD */

static const uint8_t mpa_startup_key_request[IWARP_MPA_KEY_LEN] = {
    'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R', 'e', 'q', ' ', 'F', 'r', 'a', 'm', 'e'};
static const uint8_t mpa_startup_key_reply[IWARP_MPA_KEY_LEN] = {
    'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R', 'e', 'p', ' ', 'F', 'r', 'a', 'm', 'e'};

iwarp_mpa_key iwarp_mpa_key_classify(iwarp_span in) {
  if (in.len < IWARP_MPA_KEY_LEN) {
    return IWARP_MPA_KEY_UNKNOWN;
  }
  if (memcmp(in.ptr, mpa_startup_key_request, IWARP_MPA_KEY_LEN) == 0) {
    return IWARP_MPA_KEY_REQUEST;
  }
  if (memcmp(in.ptr, mpa_startup_key_reply, IWARP_MPA_KEY_LEN) == 0) {
    return IWARP_MPA_KEY_REPLY;
  }
  return IWARP_MPA_KEY_UNKNOWN;
}

const uint8_t *iwarp_mpa_key_octets(iwarp_mpa_key key) {
  switch (key) {
  case IWARP_MPA_KEY_REQUEST: return mpa_startup_key_request;
  case IWARP_MPA_KEY_REPLY: return mpa_startup_key_reply;
  case IWARP_MPA_KEY_UNKNOWN: break;
  }
  return NULL;
}

size_t iwarp_mpa_startup_size(uint8_t rev, uint16_t pd_length) {
  const size_t ext = rev == IWARP_MPA_REV_ERDMA ? IWARP_ERDMA_EXT_LEN : 0;
  return IWARP_MPA_STARTUP_LEN + ext + pd_length;
}

/* Octets after the fixed part. */
static size_t mpa_startup_rest(const iwarp_mpa_startup *v) {
  return iwarp_mpa_startup_size(v->rev, v->pd_length) - IWARP_MPA_STARTUP_LEN;
}

/* Reads all of the fixed part or nothing, so that `need` names the whole. */
static iwarp_mpa_startup mpa_startup_head(rd *r) {
  rd fixed = rd_of(rd_span(r, IWARP_MPA_STARTUP_LEN));
  iwarp_mpa_startup v = {0};
  rd_array(&fixed, v.key);
  v.flags = rd_u8(&fixed);
  v.rev = rd_u8(&fixed);
  v.pd_length = rd_u16(&fixed);
  return v;
}

iwarp_dec iwarp_mpa_startup_head_decode(iwarp_mpa_startup *out, iwarp_span in) {
  rd r = rd_of(in);
  const iwarp_mpa_startup v = mpa_startup_head(&r);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_dec iwarp_mpa_startup_decode(iwarp_mpa_startup *out, iwarp_span in) {
  rd r = rd_of(in);
  iwarp_mpa_startup v = mpa_startup_head(&r);
  v.private_data = rd_span(&r, mpa_startup_rest(&v));
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_err iwarp_mpa_startup_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                   const iwarp_mpa_startup *v) {
  if (v->private_data.len > mpa_startup_rest(v)) {
    return IWARP_ERR_ARG;
  }
  wr w = wr_of(dst, cap, wr_size(IWARP_MPA_STARTUP_LEN, v->private_data.len));
  wr_span(&w, (iwarp_span){.ptr = v->key, .len = IWARP_MPA_KEY_LEN});
  wr_u8(&w, v->flags);
  wr_u8(&w, v->rev);
  wr_u16(&w, v->pd_length);
  wr_span(&w, v->private_data);
  return wr_end(&w, out_len);
}

bool iwarp_mpa_startup_is_enhanced(const iwarp_mpa_startup *v) {
  return (v->flags & IWARP_MPA_FLAG_S) != 0 && v->rev == MPA_STARTUP_REV_ENHANCED &&
         v->private_data.len >= IWARP_MPA_ENHANCED_LEN;
}

iwarp_err iwarp_mpa_startup_check(const iwarp_mpa_startup *v) {
  if (v->rev > MPA_STARTUP_REV_ENHANCED) {
    return IWARP_ERR_MPA_REV;
  }
  if (v->pd_length > IWARP_MPA_PRIVATE_DATA_MAX) {
    return IWARP_ERR_MPA_PD_LENGTH;
  }
  const bool enhanced = (v->flags & IWARP_MPA_FLAG_S) != 0 && v->rev == MPA_STARTUP_REV_ENHANCED;
  return enhanced && v->pd_length < IWARP_MPA_ENHANCED_LEN ? IWARP_ERR_MPA_ENHANCED : IWARP_OK;
}

iwarp_dec iwarp_mpa_enhanced_decode(iwarp_mpa_enhanced *out, iwarp_span in) {
  rd r = rd_of(in);
  rd all = rd_of(rd_span(&r, IWARP_MPA_ENHANCED_LEN));
  uint16_t ird = rd_u16(&all);
  uint16_t ord = rd_u16(&all);
  if (!r.bad) {
    *out = (iwarp_mpa_enhanced){
        .a = (ird & MPA_STARTUP_DEPTH_FIRST) != 0,
        .b = (ird & MPA_STARTUP_DEPTH_SECOND) != 0,
        .ird = ird & MPA_STARTUP_DEPTH_MASK,
        .c = (ord & MPA_STARTUP_DEPTH_FIRST) != 0,
        .d = (ord & MPA_STARTUP_DEPTH_SECOND) != 0,
        .ord = ord & MPA_STARTUP_DEPTH_MASK,
    };
  }
  return rd_result(&r);
}

static uint16_t mpa_startup_depth_word(bool first, bool second, uint16_t depth) {
  uint32_t word = depth;
  word |= first ? MPA_STARTUP_DEPTH_FIRST : 0;
  word |= second ? MPA_STARTUP_DEPTH_SECOND : 0;
  return (uint16_t)word;
}

iwarp_err iwarp_mpa_enhanced_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                    const iwarp_mpa_enhanced *v) {
  if (v->ird > MPA_STARTUP_DEPTH_MASK || v->ord > MPA_STARTUP_DEPTH_MASK) {
    return IWARP_ERR_ARG;
  }
  wr w = wr_of(dst, cap, IWARP_MPA_ENHANCED_LEN);
  wr_u16(&w, mpa_startup_depth_word(v->a, v->b, v->ird));
  wr_u16(&w, mpa_startup_depth_word(v->c, v->d, v->ord));
  return wr_end(&w, out_len);
}
