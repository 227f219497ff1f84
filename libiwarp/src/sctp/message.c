/* SPDX-License-Identifier: BSD-2-Clause */
/* User data of SCTP messages, the Adaptation Layer Indication, sizes: RFC 5043 5 and 9. */
#include <iwarp/sctp.h>

#include "../base/cursor.h"
#include "../base/span.h"

#define SCTP_CHUNK_COMMON_HEADER 12u /* octets of SCTP common header */
#define SCTP_CHUNK_DATA_HEADER 16u   /* octets of a DATA chunk before its user data */
#define SCTP_CHUNK_ALIGN 3u          /* chunks are padded to four octets */

iwarp_dec iwarp_sctp_segment_decode(iwarp_sctp_segment *out, iwarp_span in) {
  rd r = rd_of(in);
  iwarp_sctp_segment v = {.ssn = rd_u16(&r)};
  v.segment = rd_upto(&r, r.left);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_err iwarp_sctp_segment_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                    const iwarp_sctp_segment *v) {
  wr w = wr_of(dst, cap, wr_size(IWARP_SCTP_SEGMENT_LEN, v->segment.len));
  wr_u16(&w, v->ssn);
  wr_span(&w, v->segment);
  return wr_end(&w, out_len);
}

iwarp_dec iwarp_sctp_control_decode(iwarp_sctp_control *out, iwarp_span in) {
  rd r = rd_of(in);
  rd fixed = rd_of(rd_span(&r, IWARP_SCTP_CONTROL_LEN)); /* `need` names the whole */
  iwarp_sctp_control v = {0};
  v.ssn = rd_u16(&fixed);
  v.function = rd_u16(&fixed);
  v.private_data = rd_upto(&r, r.left);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_err iwarp_sctp_control_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                    const iwarp_sctp_control *v) {
  wr w = wr_of(dst, cap, wr_size(IWARP_SCTP_CONTROL_LEN, v->private_data.len));
  wr_u16(&w, v->ssn);
  wr_u16(&w, v->function);
  wr_span(&w, v->private_data);
  return wr_end(&w, out_len);
}

iwarp_span iwarp_sctp_control_enhanced(const iwarp_sctp_control *v) {
  const iwarp_sctp_function_info *info = iwarp_sctp_function_get(v->function);
  if (info == NULL || !info->enhanced || v->private_data.len < IWARP_SCTP_ENHANCED_LEN) {
    return (iwarp_span){0};
  }
  return span_first(v->private_data, IWARP_SCTP_ENHANCED_LEN);
}

iwarp_span iwarp_sctp_control_ulp_data(const iwarp_sctp_control *v) {
  return span_from(v->private_data, iwarp_sctp_control_enhanced(v).len);
}

iwarp_dec iwarp_sctp_adaptation_decode(iwarp_sctp_adaptation *out, iwarp_span in) {
  rd r = rd_of(in);
  rd whole = rd_of(rd_span(&r, IWARP_SCTP_ADAPTATION_LEN));
  iwarp_sctp_adaptation v = {0};
  v.type = rd_u16(&whole);
  v.length = rd_u16(&whole);
  v.indication = rd_u32(&whole);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_err iwarp_sctp_adaptation_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                       const iwarp_sctp_adaptation *v) {
  wr w = wr_of(dst, cap, IWARP_SCTP_ADAPTATION_LEN);
  wr_u16(&w, v->type);
  wr_u16(&w, v->length);
  wr_u32(&w, v->indication);
  return wr_end(&w, out_len);
}

static uint32_t sctp_chunk_minus(uint32_t a, uint32_t b) {
  return a > b ? a - b : 0;
}

uint32_t iwarp_sctp_mulpdu(uint32_t path_mtu, uint32_t ip_header, uint32_t bundled) {
  uint32_t packet = sctp_chunk_minus(path_mtu, ip_header);
  uint32_t chunks = sctp_chunk_minus(packet, SCTP_CHUNK_COMMON_HEADER) & ~SCTP_CHUNK_ALIGN;
  uint32_t user_data = sctp_chunk_minus(sctp_chunk_minus(chunks, bundled), SCTP_CHUNK_DATA_HEADER);
  uint32_t segment = sctp_chunk_minus(user_data, IWARP_SCTP_SEGMENT_LEN);
  return segment > IWARP_SCTP_MULPDU_MIN ? segment : IWARP_SCTP_MULPDU_MIN;
}

uint16_t iwarp_sctp_ssn_distance(uint16_t ssn, uint16_t next) {
  return (uint16_t)(ssn - next);
}
