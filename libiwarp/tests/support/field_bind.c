/* SPDX-License-Identifier: BSD-2-Clause */
/* Which member of a decoded value holds a field of the table. */
#include "field_bind.h"

#include <iwarp/field.h>
#include <iwarp/mpa.h>
#include <iwarp/private_data.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(field_, type, member)                                                               \
  { IWARP_FIELD_##field_, offsetof(type, member), sizeof((type *)NULL)->member, 0 }
#define BITS(field_, type, member, mask_)                                                          \
  { IWARP_FIELD_##field_, offsetof(type, member), sizeof((type *)NULL)->member, mask_ }

static const field_bind binds[] = {
    MEMBER(MPA_STARTUP_KEY, iwarp_mpa_startup, key),
    BITS(MPA_STARTUP_M, iwarp_mpa_startup, flags, IWARP_MPA_FLAG_M),
    BITS(MPA_STARTUP_C, iwarp_mpa_startup, flags, IWARP_MPA_FLAG_C),
    BITS(MPA_STARTUP_R, iwarp_mpa_startup, flags, IWARP_MPA_FLAG_R),
    BITS(MPA_STARTUP_S, iwarp_mpa_startup, flags, IWARP_MPA_FLAG_S),
    BITS(MPA_STARTUP_RES, iwarp_mpa_startup, flags, IWARP_MPA_FLAG_RES),
    MEMBER(MPA_STARTUP_REV, iwarp_mpa_startup, rev),
    MEMBER(MPA_STARTUP_PD_LENGTH, iwarp_mpa_startup, pd_length),
    MEMBER(MPA_ENHANCED_A, iwarp_mpa_enhanced, a),
    MEMBER(MPA_ENHANCED_B, iwarp_mpa_enhanced, b),
    MEMBER(MPA_ENHANCED_IRD, iwarp_mpa_enhanced, ird),
    MEMBER(MPA_ENHANCED_C, iwarp_mpa_enhanced, c),
    MEMBER(MPA_ENHANCED_D, iwarp_mpa_enhanced, d),
    MEMBER(MPA_ENHANCED_ORD, iwarp_mpa_enhanced, ord),
    MEMBER(MPA_MARKER_RESERVED, iwarp_mpa_marker, reserved),
    MEMBER(MPA_MARKER_FPDUPTR, iwarp_mpa_marker, fpduptr),
    MEMBER(MPA_FPDU_ULPDU_LENGTH, iwarp_mpa_fpdu, ulpdu_length),
    MEMBER(MPA_CRC_CRC, iwarp_mpa_fpdu, crc),
    MEMBER(DDP_TAGGED_T, iwarp_ddp_hdr, tagged),
    MEMBER(DDP_TAGGED_L, iwarp_ddp_hdr, last),
    MEMBER(DDP_TAGGED_RSVD, iwarp_ddp_hdr, rsvd),
    MEMBER(DDP_TAGGED_DV, iwarp_ddp_hdr, dv),
    MEMBER(DDP_TAGGED_RSVDULP, iwarp_ddp_hdr, rsvdulp),
    MEMBER(DDP_TAGGED_STAG, iwarp_ddp_hdr, stag),
    MEMBER(DDP_TAGGED_TO, iwarp_ddp_hdr, to),
    MEMBER(DDP_UNTAGGED_T, iwarp_ddp_hdr, tagged),
    MEMBER(DDP_UNTAGGED_L, iwarp_ddp_hdr, last),
    MEMBER(DDP_UNTAGGED_RSVD, iwarp_ddp_hdr, rsvd),
    MEMBER(DDP_UNTAGGED_DV, iwarp_ddp_hdr, dv),
    MEMBER(DDP_UNTAGGED_RSVDULP, iwarp_ddp_hdr, rsvdulp),
    MEMBER(DDP_UNTAGGED_INVALIDATE_STAG, iwarp_ddp_hdr, rsvdulp_word),
    MEMBER(DDP_UNTAGGED_QN, iwarp_ddp_hdr, qn),
    MEMBER(DDP_UNTAGGED_MSN, iwarp_ddp_hdr, msn),
    MEMBER(DDP_UNTAGGED_MO, iwarp_ddp_hdr, mo),
    MEMBER(RDMAP_CTRL_RV, iwarp_rdmap_ctrl, rv),
    MEMBER(RDMAP_CTRL_RSV, iwarp_rdmap_ctrl, rsv),
    MEMBER(RDMAP_CTRL_OPCODE, iwarp_rdmap_ctrl, opcode),
    MEMBER(RDMAP_READ_REQ_SINK_STAG, iwarp_rdmap_read_req, sink_stag),
    MEMBER(RDMAP_READ_REQ_SINK_TO, iwarp_rdmap_read_req, sink_to),
    MEMBER(RDMAP_READ_REQ_SIZE, iwarp_rdmap_read_req, size),
    MEMBER(RDMAP_READ_REQ_SOURCE_STAG, iwarp_rdmap_read_req, source_stag),
    MEMBER(RDMAP_READ_REQ_SOURCE_TO, iwarp_rdmap_read_req, source_to),
    MEMBER(RDMAP_TERM_LAYER, iwarp_rdmap_term, layer),
    MEMBER(RDMAP_TERM_ETYPE, iwarp_rdmap_term, etype),
    MEMBER(RDMAP_TERM_CODE, iwarp_rdmap_term, code),
    MEMBER(RDMAP_TERM_M, iwarp_rdmap_term, m),
    MEMBER(RDMAP_TERM_D, iwarp_rdmap_term, d),
    MEMBER(RDMAP_TERM_R, iwarp_rdmap_term, r),
    MEMBER(RDMAP_TERM_RESERVED, iwarp_rdmap_term, reserved),
    MEMBER(RDMAP_TERM_LENGTH_DDP_SEGMENT_LENGTH, iwarp_rdmap_term, ddp_segment_length),
    {IWARP_FIELD_RDMAP_IMMEDIATE_IMMEDIATE, 0, IWARP_RDMAP_IMMEDIATE_LEN, 0},
    MEMBER(RDMAP_ATOMIC_REQ_RESERVED, iwarp_rdmap_atomic_req, reserved),
    MEMBER(RDMAP_ATOMIC_REQ_AOPCODE, iwarp_rdmap_atomic_req, aopcode),
    MEMBER(RDMAP_ATOMIC_REQ_REQUEST_ID, iwarp_rdmap_atomic_req, request_id),
    MEMBER(RDMAP_ATOMIC_REQ_STAG, iwarp_rdmap_atomic_req, stag),
    MEMBER(RDMAP_ATOMIC_REQ_TO, iwarp_rdmap_atomic_req, to),
    MEMBER(RDMAP_ATOMIC_REQ_ADD_SWAP_DATA, iwarp_rdmap_atomic_req, add_swap_data),
    MEMBER(RDMAP_ATOMIC_REQ_ADD_SWAP_MASK, iwarp_rdmap_atomic_req, add_swap_mask),
    MEMBER(RDMAP_ATOMIC_REQ_COMPARE_DATA, iwarp_rdmap_atomic_req, compare_data),
    MEMBER(RDMAP_ATOMIC_REQ_COMPARE_MASK, iwarp_rdmap_atomic_req, compare_mask),
    MEMBER(RDMAP_ATOMIC_RESP_REQUEST_ID, iwarp_rdmap_atomic_resp, request_id),
    MEMBER(RDMAP_ATOMIC_RESP_ORIGINAL, iwarp_rdmap_atomic_resp, original),
    MEMBER(SCTP_SEGMENT_SSN, iwarp_sctp_segment, ssn),
    MEMBER(SCTP_CONTROL_SSN, iwarp_sctp_control, ssn),
    MEMBER(SCTP_CONTROL_FUNCTION, iwarp_sctp_control, function),
    MEMBER(SCTP_ADAPTATION_TYPE, iwarp_sctp_adaptation, type),
    MEMBER(SCTP_ADAPTATION_LENGTH, iwarp_sctp_adaptation, length),
    MEMBER(SCTP_ADAPTATION_INDICATION, iwarp_sctp_adaptation, indication),
    MEMBER(ERDMA_EXT_COOKIE, iwarp_erdma_ext, cookie),
    MEMBER(ERDMA_EXT_RESERVED, iwarp_erdma_ext, reserved),
    MEMBER(ERDMA_EXT_CC, iwarp_erdma_ext, cc),
    MEMBER(SMBD_DEPTHS_IRD, iwarp_smbd_depths, ird),
    MEMBER(SMBD_DEPTHS_ORD, iwarp_smbd_depths, ord),
    MEMBER(SMBD_DEPTHS_LE_IRD, iwarp_smbd_depths, ird),
    MEMBER(SMBD_DEPTHS_LE_ORD, iwarp_smbd_depths, ord),
    MEMBER(RPC_RDMA_FORMAT, iwarp_rpc_rdma, format),
    MEMBER(RPC_RDMA_VERSION, iwarp_rpc_rdma, version),
    MEMBER(RPC_RDMA_RESERVED, iwarp_rpc_rdma, reserved),
    MEMBER(RPC_RDMA_R, iwarp_rpc_rdma, remote_invalidation),
    MEMBER(RPC_RDMA_SEND_SIZE, iwarp_rpc_rdma, send_size),
    MEMBER(RPC_RDMA_RECEIVE_SIZE, iwarp_rpc_rdma, receive_size),
};

const field_bind *field_bind_of(uint16_t field) {
  for (size_t i = 0; i < sizeof binds / sizeof binds[0]; i++) {
    if (binds[i].field == field) {
      return &binds[i];
    }
  }
  fprintf(stderr, "no member for field %u\n", (unsigned)field);
  abort();
}

static uint64_t lowest_bit(uint8_t mask) {
  return mask & (~(unsigned)mask + 1u);
}

uint64_t field_bind_get(const field_bind *b, const void *from) {
  const uint8_t *at = (const uint8_t *)from + b->off;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (b->size) {
  case 2: memcpy(&two, at, sizeof two); return two;
  case 4: memcpy(&four, at, sizeof four); return four;
  case 8: memcpy(&eight, at, sizeof eight); return eight;
  default: return b->mask != 0 ? (*at & b->mask) / lowest_bit(b->mask) : *at;
  }
}

void field_bind_set(const field_bind *b, void *to, uint64_t v) {
  uint8_t *at = (uint8_t *)to + b->off;
  const uint16_t two = (uint16_t)v;
  const uint32_t four = (uint32_t)v;
  switch (b->size) {
  case 2: memcpy(at, &two, sizeof two); return;
  case 4: memcpy(at, &four, sizeof four); return;
  case 8: memcpy(at, &v, sizeof v); return;
  default: *at = (uint8_t)(b->mask != 0 ? *at | v * lowest_bit(b->mask) : v);
  }
}
