/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoders written by hand and the generic one of the field table agree on any octets. */
#include <iwarp/field.h>
#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "prng.h"
#include "property.h"

#define ROUNDS 20000u

static iwarp_span in;

/* The generic decoder's value of a field at offset `at` of the input. */
static uint64_t generic_at(iwarp_field_id id, size_t at) {
  uint64_t value = 0;
  const iwarp_field *f = iwarp_field_get((uint16_t)id);
  iwarp_err err = iwarp_field_uint(&value, f, (iwarp_span){in.ptr + at, in.len - at});
  expect(err == IWARP_OK, "%s: %s", f->key, iwarp_errname(err));
  return value;
}

static void same_at(iwarp_field_id id, size_t at, uint64_t by_hand) {
  uint64_t generic = generic_at(id, at);
  expect(generic == by_hand, "%s: %llx by the table, %llx by hand",
         iwarp_field_get((uint16_t)id)->key, (unsigned long long)generic,
         (unsigned long long)by_hand);
}

static void same(iwarp_field_id id, uint64_t by_hand) {
  same_at(id, 0, by_hand);
}

static void same_octets(iwarp_field_id id, const uint8_t *by_hand, size_t len) {
  iwarp_span span;
  const iwarp_field *f = iwarp_field_get((uint16_t)id);
  expect(iwarp_field_octets(&span, f, in) == IWARP_OK, "%s", f->key);
  expect(span.len >= len && memcmp(span.ptr, by_hand, len) == 0, "%s", f->key);
}

static void compare_startup(void) {
  iwarp_mpa_startup v;
  if (iwarp_mpa_startup_decode(&v, in).err != IWARP_OK) {
    return; /* Private Data beyond the input */
  }
  same_octets(IWARP_FIELD_MPA_STARTUP_KEY, v.key, sizeof v.key);
  same(IWARP_FIELD_MPA_STARTUP_M, (v.flags & IWARP_MPA_FLAG_M) != 0);
  same(IWARP_FIELD_MPA_STARTUP_C, (v.flags & IWARP_MPA_FLAG_C) != 0);
  same(IWARP_FIELD_MPA_STARTUP_R, (v.flags & IWARP_MPA_FLAG_R) != 0);
  same(IWARP_FIELD_MPA_STARTUP_S, (v.flags & IWARP_MPA_FLAG_S) != 0);
  same(IWARP_FIELD_MPA_STARTUP_RES, v.flags & IWARP_MPA_FLAG_RES);
  same(IWARP_FIELD_MPA_STARTUP_REV, v.rev);
  same(IWARP_FIELD_MPA_STARTUP_PD_LENGTH, v.pd_length);
  same_octets(IWARP_FIELD_MPA_STARTUP_PRIVATE_DATA, v.private_data.ptr, v.private_data.len);
}

static void compare_enhanced(void) {
  iwarp_mpa_enhanced v;
  iwarp_mpa_enhanced_decode(&v, in);
  same(IWARP_FIELD_MPA_ENHANCED_A, v.a);
  same(IWARP_FIELD_MPA_ENHANCED_B, v.b);
  same(IWARP_FIELD_MPA_ENHANCED_IRD, v.ird);
  same(IWARP_FIELD_MPA_ENHANCED_C, v.c);
  same(IWARP_FIELD_MPA_ENHANCED_D, v.d);
  same(IWARP_FIELD_MPA_ENHANCED_ORD, v.ord);
}

static void compare_fpdu(void) {
  iwarp_mpa_marker marker;
  iwarp_mpa_marker_decode(&marker, in);
  same(IWARP_FIELD_MPA_MARKER_RESERVED, marker.reserved);
  same(IWARP_FIELD_MPA_MARKER_FPDUPTR, marker.fpduptr);
  iwarp_mpa_fpdu v;
  if (iwarp_mpa_fpdu_decode(&v, in, 4, false).err == IWARP_OK) {
    same(IWARP_FIELD_MPA_FPDU_ULPDU_LENGTH, v.ulpdu_length);
    same_at(IWARP_FIELD_MPA_CRC_CRC, v.layout.crc_off, v.crc);
  }
}

static size_t compared_ddp;
static size_t compared_read_req;

static void compare_ddp(void) {
  iwarp_ddp_hdr v;
  iwarp_ddp_hdr_decode(&v, in);
  compared_ddp++;
  if (v.tagged) {
    same(IWARP_FIELD_DDP_TAGGED_T, 1);
    same(IWARP_FIELD_DDP_TAGGED_L, v.last);
    same(IWARP_FIELD_DDP_TAGGED_RSVD, v.rsvd);
    same(IWARP_FIELD_DDP_TAGGED_DV, v.dv);
    same(IWARP_FIELD_DDP_TAGGED_RSVDULP, v.rsvdulp);
    same(IWARP_FIELD_DDP_TAGGED_STAG, v.stag);
    same(IWARP_FIELD_DDP_TAGGED_TO, v.to);
    return;
  }
  same(IWARP_FIELD_DDP_UNTAGGED_T, 0);
  same(IWARP_FIELD_DDP_UNTAGGED_L, v.last);
  same(IWARP_FIELD_DDP_UNTAGGED_RSVD, v.rsvd);
  same(IWARP_FIELD_DDP_UNTAGGED_DV, v.dv);
  same(IWARP_FIELD_DDP_UNTAGGED_RSVDULP, v.rsvdulp);
  same(IWARP_FIELD_DDP_UNTAGGED_INVALIDATE_STAG, v.rsvdulp_word);
  same(IWARP_FIELD_DDP_UNTAGGED_QN, v.qn);
  same(IWARP_FIELD_DDP_UNTAGGED_MSN, v.msn);
  same(IWARP_FIELD_DDP_UNTAGGED_MO, v.mo);
}

static void compare_read_req(void) {
  iwarp_rdmap_read_req req;
  iwarp_rdmap_read_req_decode(&req, in);
  compared_read_req++;
  same(IWARP_FIELD_RDMAP_READ_REQ_SINK_STAG, req.sink_stag);
  same(IWARP_FIELD_RDMAP_READ_REQ_SINK_TO, req.sink_to);
  same(IWARP_FIELD_RDMAP_READ_REQ_SIZE, req.size);
  same(IWARP_FIELD_RDMAP_READ_REQ_SOURCE_STAG, req.source_stag);
  same(IWARP_FIELD_RDMAP_READ_REQ_SOURCE_TO, req.source_to);
}

static void compare_rdmap(void) {
  iwarp_rdmap_ctrl ctrl = iwarp_rdmap_ctrl_decode(in.ptr[0]);
  same(IWARP_FIELD_RDMAP_CTRL_RV, ctrl.rv);
  same(IWARP_FIELD_RDMAP_CTRL_RSV, ctrl.rsv);
  same(IWARP_FIELD_RDMAP_CTRL_OPCODE, ctrl.opcode);
  compare_read_req();
}

static void compare_term(void) {
  iwarp_rdmap_term v;
  iwarp_rdmap_term_decode(&v, in);
  same(IWARP_FIELD_RDMAP_TERM_LAYER, v.layer);
  same(IWARP_FIELD_RDMAP_TERM_ETYPE, v.etype);
  same(IWARP_FIELD_RDMAP_TERM_CODE, v.code);
  same(IWARP_FIELD_RDMAP_TERM_M, v.m);
  same(IWARP_FIELD_RDMAP_TERM_D, v.d);
  same(IWARP_FIELD_RDMAP_TERM_R, v.r);
  same(IWARP_FIELD_RDMAP_TERM_RESERVED, v.reserved);
  if (v.has_ddp_segment_length) {
    same_at(IWARP_FIELD_RDMAP_TERM_LENGTH_DDP_SEGMENT_LENGTH, 4, v.ddp_segment_length);
  }
  const iwarp_span whole = in;
  if (v.ddp_header.len > 0) { /* the headers that it returns: RFC 5040 4.8 */
    in = v.ddp_header;
    compare_ddp();
  }
  if (v.rdma_header.len > 0) {
    in = v.rdma_header;
    compare_read_req();
  }
  in = whole;
}

static void compare_atomic(void) {
  iwarp_rdmap_atomic_req v;
  iwarp_rdmap_atomic_req_decode(&v, in);
  same(IWARP_FIELD_RDMAP_ATOMIC_REQ_RESERVED, v.reserved);
  same(IWARP_FIELD_RDMAP_ATOMIC_REQ_AOPCODE, v.aopcode);
  same(IWARP_FIELD_RDMAP_ATOMIC_REQ_REQUEST_ID, v.request_id);
  same(IWARP_FIELD_RDMAP_ATOMIC_REQ_STAG, v.stag);
  same(IWARP_FIELD_RDMAP_ATOMIC_REQ_TO, v.to);
  same(IWARP_FIELD_RDMAP_ATOMIC_REQ_ADD_SWAP_DATA, v.add_swap_data);
  same(IWARP_FIELD_RDMAP_ATOMIC_REQ_ADD_SWAP_MASK, v.add_swap_mask);
  same(IWARP_FIELD_RDMAP_ATOMIC_REQ_COMPARE_DATA, v.compare_data);
  same(IWARP_FIELD_RDMAP_ATOMIC_REQ_COMPARE_MASK, v.compare_mask);
  iwarp_rdmap_atomic_resp resp;
  iwarp_rdmap_atomic_resp_decode(&resp, in);
  same(IWARP_FIELD_RDMAP_ATOMIC_RESP_REQUEST_ID, resp.request_id);
  same(IWARP_FIELD_RDMAP_ATOMIC_RESP_ORIGINAL, resp.original);
}

static void compare_sctp(void) {
  iwarp_sctp_segment segment;
  iwarp_sctp_segment_decode(&segment, in);
  same(IWARP_FIELD_SCTP_SEGMENT_SSN, segment.ssn);
  same_octets(IWARP_FIELD_SCTP_SEGMENT_SEGMENT, segment.segment.ptr, segment.segment.len);
  iwarp_sctp_control control;
  iwarp_sctp_control_decode(&control, in);
  same(IWARP_FIELD_SCTP_CONTROL_SSN, control.ssn);
  same(IWARP_FIELD_SCTP_CONTROL_FUNCTION, control.function);
  same_octets(IWARP_FIELD_SCTP_CONTROL_PRIVATE_DATA, control.private_data.ptr,
              control.private_data.len);
  iwarp_sctp_adaptation adaptation;
  iwarp_sctp_adaptation_decode(&adaptation, in);
  same(IWARP_FIELD_SCTP_ADAPTATION_TYPE, adaptation.type);
  same(IWARP_FIELD_SCTP_ADAPTATION_LENGTH, adaptation.length);
  same(IWARP_FIELD_SCTP_ADAPTATION_INDICATION, adaptation.indication);
}

static void compare_immediate(uint8_t *octets) {
  octets[0] &= 0x7F; /* untagged */
  octets[1] = (uint8_t)(octets[1] & 0xF0) | IWARP_RDMAP_OP_IMMEDIATE;
  memset(octets + 14, 0, 4);
  iwarp_rdmap_seg seg;
  iwarp_rdmap_seg_decode(&seg, (iwarp_span){octets, 26}, 26);
  expect(seg.kind == IWARP_RDMAP_KIND_IMMEDIATE, "kind");
  in = guard_in(octets + IWARP_DDP_UNTAGGED_LEN, IWARP_RDMAP_IMMEDIATE_LEN);
  same_octets(IWARP_FIELD_RDMAP_IMMEDIATE_IMMEDIATE, seg.u.immediate, sizeof seg.u.immediate);
}

START_TEST(table_and_decoders_agree)
{
  property rounds = property_begin("table_and_decoders_agree", 11, ROUNDS);
  while (property_next(&rounds)) {
    prng p = {.state = rounds.seed};
    uint8_t octets[300];
    prng_fill(&p, octets, sizeof octets);
    octets[18] = 0; /* a PD_Length and a ULPDU_Length that often fit */
    octets[0] &= rounds.seed % 2 != 0 ? 0xFF : 0;
    in = guard_in(octets, sizeof octets);
    compare_startup();
    compare_enhanced();
    compare_fpdu();
    compare_ddp();
    compare_rdmap();
    compare_term();
    compare_atomic();
    compare_sctp();
    compare_immediate(octets);
  }
  ck_assert(property_few() ||
            compared_ddp > ROUNDS + ROUNDS / 4); /* Terminates that return one, too */
  ck_assert(property_few() || compared_read_req > ROUNDS + ROUNDS / 8);
}
END_TEST

int main(void) {
  const property_test tests[] = {{table_and_decoders_agree, 1}, {NULL, 0}};
  return property_main("field", tests);
}
