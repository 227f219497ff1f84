/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of rdmap.terminate-cause: the error of a Terminate, and what it is about. */

#include "rules_cases.h"

static iwarp_rdmap_term cause_term(uint16_t error) {
  return (iwarp_rdmap_term){.layer = (uint8_t)(error >> 12),
                            .etype = (uint8_t)(error >> 8 & 15),
                            .code = (uint8_t)error,
                            .m = true};
}

/* The Responder sends a segment, about which the Initiator says this error. */
static void cause_sent(struct rules_fixture *l, uint16_t error, struct fixture_seg s) {
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, cause_term(error), &s);
}

static void cause_of(struct rules_fixture *l, uint16_t error, struct fixture_seg s) {
  fixture_begin(l);
  cause_sent(l, error, s);
}

/* The same of a Terminate that is otherwise. */
static void cause_with(struct rules_fixture *l, iwarp_rdmap_term t, struct fixture_seg s) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, t, &s);
}

static struct fixture_seg cause_write(uint64_t to, size_t len) {
  return fixture_tagged(IWARP_RDMAP_OP_WRITE, 0x1000, to, len);
}

static struct fixture_seg cause_untagged(uint8_t opcode) {
  return fixture_untagged(opcode, 2, 0, 8);
}

static struct fixture_seg cause_queue(uint32_t qn, size_t len) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, len);
  s.ddp.qn = qn;
  return s;
}

static struct fixture_seg cause_dv(struct fixture_seg s, uint8_t dv) {
  s.ddp.dv = dv;
  return s;
}

static struct fixture_seg cause_rv(struct fixture_seg s, uint8_t rv) {
  s.ddp.rsvdulp = (uint8_t)((s.ddp.rsvdulp & 0x3F) | rv << 6);
  return s;
}

/* A Read Request of the Responder, which comes back whole, and this error. */
static void cause_read(struct rules_fixture *l, uint16_t error, uint64_t to, uint32_t size) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const iwarp_rdmap_read_req req = {
      .sink_stag = 9, .size = size, .source_stag = 7, .source_to = to};
  const struct fixture_seg s = fixture_read_of(octets, 1, req);
  iwarp_rdmap_term t = cause_term(error);
  t.r = true;
  t.rdma_header = (iwarp_span){octets, sizeof(octets)};
  cause_with(l, t, s);
}

/* Of the Read Request the header does not come back. */
static void cause_read_bare(struct rules_fixture *l, uint16_t error) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  cause_of(l, error, fixture_read_request(octets, 1, 0));
}

/* The Terminate as a segment; it returns the header of the other one where M says so. */
static struct fixture_seg cause_segment(uint8_t octets[64], iwarp_rdmap_term t,
                                        struct fixture_seg s) {
  size_t len = 0;
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
  if (t.m) {
    iwarp_ddp_hdr_encode(header, sizeof(header), &len, &s.ddp);
    t.d = true;
    t.has_ddp_segment_length = true;
    t.ddp_segment_length = (uint16_t)(len + s.len);
    t.ddp_header = (iwarp_span){header, len};
  }
  iwarp_rdmap_term_encode(octets, 64, &len, &t);
  return fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, len);
}

/* Where no startup frame was seen, after so many FPDUs that these are some. */
static void cause_joined(struct rules_fixture *l, iwarp_rdmap_term t, struct fixture_seg s) {
  uint8_t octets[64];
  struct fixture_seg terminate = cause_segment(octets, t, s);
  s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  terminate.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  l->info.crc = IWARP_TRISTATE_ON;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, terminate);
}

/* Under Rev 0 of MPA, where both versions are 0. */
static void cause_rdmac(struct rules_fixture *l, iwarp_rdmap_term t, struct fixture_seg s) {
  uint8_t octets[64];
  ddp_rdmac(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ddp_version0(fixture_send(1)));
  fixture_fpdu(l, FIXTURE_RESPONDER, ddp_version0(fixture_send(1)));
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, ddp_version0(cause_segment(octets, t, s)));
}

/* The same where both sides still say 1. */
static void cause_version1(struct rules_fixture *l, uint16_t error) {
  fixture_open(l);
  l->info.side[FIXTURE_RESPONDER].rev = 0;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
  cause_sent(l, error, fixture_send(2));
}

/* An error of MPA where both startup frames had these flags. */
static void cause_mpa(struct rules_fixture *l, uint8_t flags, uint8_t code) {
  const iwarp_rdmap_term t = {.layer = 2, .code = code};
  fixture_begin_with(l, flags);
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

/* The same where nothing tells of them. */
static void cause_mpa_unsettled(struct rules_fixture *l, uint8_t code) {
  const iwarp_rdmap_term t = {.layer = 2, .code = code};
  fixture_begin_with(l, FIXTURE_C);
  l->info.crc_by = IWARP_KNOWN_BY_DATA;
  l->info.side[FIXTURE_RESPONDER].markers_by = IWARP_KNOWN_BY_DATA;
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void cause_rev1(struct rules_fixture *l) {
  fixture_exchange(l, (struct fixture_frame){.rev = 1},
                   (struct fixture_frame){.reply = true, .rev = 1});
}

/* A CRC error before any other FPDU of its side. */
static void cause_mpa_first(struct rules_fixture *l, void (*open)(struct rules_fixture *l),
                            unsigned side) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 2};
  if (open != NULL) {
    open(l);
  }
  fixture_terminate(l, side, 1, &t);
}

/* Markers are in one direction alone. */
static void cause_marker_from(struct rules_fixture *l, unsigned side) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 3};
  const uint8_t flags = FIXTURE_C | IWARP_MPA_FLAG_S;
  struct fixture_frame frames[2] = {fixture_request(), fixture_reply()};
  frames[0].flags = flags;
  frames[1].flags = flags;
  frames[1 - side].flags |= FIXTURE_M;
  fixture_exchange(l, frames[0], frames[1]);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void cause_tagged_of_a_send(struct rules_fixture *l) {
  cause_of(l, 0x1100, fixture_send(2));
}

static void cause_untagged_of_a_write(struct rules_fixture *l) {
  cause_of(l, 0x1202, fixture_write());
}

static void cause_tagged_of_a_write(struct rules_fixture *l) {
  cause_of(l, 0x1100, fixture_write());
}

static void cause_untagged_of_a_send(struct rules_fixture *l) {
  cause_of(l, 0x1202, fixture_send(2));
}

static void cause_to_wrap_of_a_send(struct rules_fixture *l) {
  cause_of(l, 0x1103, fixture_send(2));
}

static void cause_ddp_version_of_a_write_dv_right(struct rules_fixture *l) {
  cause_of(l, 0x1104, fixture_write());
}

static void cause_ddp_version_of_a_send_dv_right(struct rules_fixture *l) {
  cause_of(l, 0x1206, fixture_send(2));
}

static void cause_dv_2(struct rules_fixture *l) {
  cause_of(l, 0x1206, cause_dv(fixture_send(2), 2));
}

static void cause_dv_0(struct rules_fixture *l) {
  cause_of(l, 0x1206, cause_dv(fixture_send(2), 0));
}

static void cause_dv_2_of_either_kind(struct rules_fixture *l) {
  cause_of(l, 0x1104, cause_dv(fixture_send(2), 2));
}

static void cause_dv_2_of_a_write_of_either_kind(struct rules_fixture *l) {
  cause_of(l, 0x1206, cause_dv(fixture_write(), 2));
}

static void cause_rdmap_version_versions_1_under_rev_0(struct rules_fixture *l) {
  cause_version1(l, 0x0205);
}

static void cause_unexpected_opcode_versions_1_under_rev_0(struct rules_fixture *l) {
  cause_version1(l, 0x0206);
}

static void cause_ddp_version_no_reply(struct rules_fixture *l) {
  cause_joined(l, cause_term(0x1206), fixture_send(2));
}

static void cause_ddp_version_no_reply_rdmap_version(struct rules_fixture *l) {
  cause_joined(l, cause_term(0x0205), fixture_send(2));
}

static void cause_ddp_version_dv_0_under_rev_0(struct rules_fixture *l) {
  cause_rdmac(l, cause_term(0x1206), ddp_version0(fixture_send(2)));
}

static void cause_rdmap_version_rv_0_under_rev_0(struct rules_fixture *l) {
  cause_rdmac(l, cause_term(0x0205), ddp_version0(fixture_send(2)));
}

static void cause_dv_2_unexpected_opcode(struct rules_fixture *l) {
  cause_of(l, 0x0206, cause_dv(fixture_send(2), 2));
}

static void cause_dv_2_a_remote_protection_error(struct rules_fixture *l) {
  cause_of(l, 0x0100, cause_dv(cause_untagged(IWARP_RDMAP_OP_SEND_INV), 2));
}

static void cause_dv_2_invalid_qn_0(struct rules_fixture *l) {
  cause_of(l, 0x1201, cause_dv(fixture_send(2), 2));
}

static void cause_dv_2_invalid_qn_1(struct rules_fixture *l) {
  cause_of(l, 0x1201, cause_dv(cause_queue(1, 8), 2));
}

static void cause_dv_2_no_buffer(struct rules_fixture *l) {
  cause_of(l, 0x1202, cause_dv(fixture_send(2), 2));
}

static void cause_dv_2_invalid_stag(struct rules_fixture *l) {
  cause_of(l, 0x1100, cause_dv(fixture_write(), 2));
}

static void cause_dv_2_invalid_stag_of_a_send(struct rules_fixture *l) {
  cause_of(l, 0x1100, cause_dv(fixture_send(2), 2));
}

static void cause_dv_2_no_buffer_of_a_write(struct rules_fixture *l) {
  cause_of(l, 0x1202, cause_dv(fixture_write(), 2));
}

static void cause_dv_2_to_wrap_that_is_none(struct rules_fixture *l) {
  cause_of(l, 0x1103, cause_dv(fixture_write(), 2));
}

static void cause_dv_2_to_wrap(struct rules_fixture *l) {
  cause_of(l, 0x1103, cause_dv(cause_write(UINT64_MAX, 2), 2));
}

static void cause_dv_2_catastrophic_for_the_stream(struct rules_fixture *l) {
  cause_of(l, 0x0207, cause_dv(fixture_send(2), 2));
}

static void cause_dv_2_catastrophic_for_all(struct rules_fixture *l) {
  cause_of(l, 0x0208, cause_dv(fixture_send(2), 2));
}

static void cause_dv_2_unspecified(struct rules_fixture *l) {
  cause_of(l, 0x02FF, cause_dv(fixture_send(2), 2));
}

static void cause_dv_2_ddp_catastrophic(struct rules_fixture *l) {
  cause_of(l, 0x1000, cause_dv(fixture_send(2), 2));
}

static void cause_dv_2_an_error_that_ddp_has_of_the_llp(struct rules_fixture *l) {
  cause_of(l, 0x1300, cause_dv(fixture_send(2), 2));
}

static void cause_to_wrap_all_below(struct rules_fixture *l) {
  cause_of(l, 0x1103, fixture_write());
}

static void cause_to_wrap_one_octet_below(struct rules_fixture *l) {
  cause_of(l, 0x1103, cause_write(UINT64_MAX - 100, 100));
}

static void cause_to_wrap_up_to_264(struct rules_fixture *l) {
  cause_of(l, 0x1103, cause_write(UINT64_MAX - 99, 100));
}

static void cause_to_wrap_below_264(struct rules_fixture *l) {
  cause_of(l, 0x1103, cause_write(UINT64_MAX - 100, 100));
}

static void cause_to_wrap_past_264(struct rules_fixture *l) {
  cause_of(l, 0x1103, cause_write(UINT64_MAX - 98, 100));
}

static void cause_to_wrap_another_length(struct rules_fixture *l) {
  l->segment_more = 4;
  cause_of(l, 0x1103, fixture_write());
}

static void cause_to_wrap_a_length_below_that_of_the_header(struct rules_fixture *l) {
  l->segment_more = (uint16_t)-101;
  cause_of(l, 0x1103, fixture_write());
}

static void cause_to_wrap_m_clear(struct rules_fixture *l) {
  iwarp_rdmap_term t = cause_term(0x1103);
  t.m = false;
  cause_with(l, t, fixture_write());
}

static void cause_invalid_stag_of_an_empty_write(struct rules_fixture *l) {
  cause_of(l, 0x1100, cause_write(0x2000, 0));
}

static void cause_invalid_stag_of_one_octet(struct rules_fixture *l) {
  cause_of(l, 0x1100, cause_write(0x2000, 1));
}

static void cause_no_buffer_for_an_empty_send(struct rules_fixture *l) {
  cause_of(l, 0x1202, cause_queue(0, 0));
}

static void cause_invalid_stag_of_an_empty_write_m_clear(struct rules_fixture *l) {
  iwarp_rdmap_term t = cause_term(0x1100);
  t.m = false;
  cause_with(l, t, cause_write(0x2000, 0));
}

static void cause_qn_9_unexpected_opcode(struct rules_fixture *l) {
  cause_of(l, 0x0206, cause_queue(9, 8));
}

static void cause_qn_4_unexpected_opcode(struct rules_fixture *l) {
  cause_of(l, 0x0206, cause_queue(4, 1));
}

static void cause_qn_3_unexpected_opcode(struct rules_fixture *l) {
  cause_of(l, 0x0206, cause_queue(3, 8));
}

static void cause_qn_9_of_an_empty_send_unexpected_opcode(struct rules_fixture *l) {
  cause_of(l, 0x0206, cause_queue(9, 0));
}

static void cause_qn_9(struct rules_fixture *l) {
  cause_of(l, 0x1201, cause_queue(9, 8));
}

static void cause_qn_9_no_buffer(struct rules_fixture *l) {
  cause_of(l, 0x1202, cause_queue(9, 8));
}

static void cause_qn_9_ddp_version(struct rules_fixture *l) {
  cause_of(l, 0x1206, cause_queue(9, 8));
}

static void cause_a_write_unexpected_opcode(struct rules_fixture *l) {
  cause_of(l, 0x0206, cause_write(0x2000, 8));
}

static void cause_qn_9_no_reply(struct rules_fixture *l) {
  cause_joined(l, cause_term(0x0206), cause_queue(9, 8));
}

static void cause_opcode_12_rdmap_version(struct rules_fixture *l) {
  cause_of(l, 0x0205, cause_untagged(12));
}

static void cause_opcode_12_a_remote_protection_error(struct rules_fixture *l) {
  cause_of(l, 0x0100, cause_untagged(12));
}

static void cause_opcode_14_no_invalidation(struct rules_fixture *l) {
  cause_of(l, 0x0209, cause_untagged(14));
}

static void cause_opcode_12(struct rules_fixture *l) {
  cause_of(l, 0x0206, cause_untagged(12));
}

static void cause_opcode_15_a_remote_protection_error(struct rules_fixture *l) {
  cause_of(l, 0x0100, cause_untagged(15));
}

static void cause_opcode_15_no_invalidation(struct rules_fixture *l) {
  cause_of(l, 0x0209, cause_untagged(15));
}

static void cause_opcode_12_a_remote_protection_error_no_reply(struct rules_fixture *l) {
  cause_joined(l, cause_term(0x0100), cause_untagged(12));
}

static void cause_opcode_12_rdmap_version_no_reply(struct rules_fixture *l) {
  cause_joined(l, cause_term(0x0205), cause_untagged(12));
}

static void cause_rv_2_and_opcode_12(struct rules_fixture *l) {
  cause_of(l, 0x0205, cause_rv(cause_untagged(12), 2));
}

static void cause_rv_2_and_opcode_12_a_remote_protection_error(struct rules_fixture *l) {
  cause_of(l, 0x0100, cause_rv(cause_untagged(12), 2));
}

static void cause_an_atomic_request_a_remote_protection_error(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_ATOMIC_REQ_LEN];
  size_t len = 0;
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(1);
  iwarp_rdmap_atomic_req_encode(octets, sizeof(octets), &len, &a);
  cause_of(l, 0x0100,
           fixture_with(fixture_untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, 0, 0), octets, len));
}

static void cause_rdmap_version_rv_right(struct rules_fixture *l) {
  cause_of(l, 0x0205, fixture_send(2));
}

static void cause_rv_2(struct rules_fixture *l) {
  cause_of(l, 0x0205, cause_rv(fixture_send(2), 2));
}

static void cause_rv_2_unexpected_opcode(struct rules_fixture *l) {
  cause_of(l, 0x0206, cause_rv(fixture_send(2), 2));
}

static void cause_rv_2_a_remote_protection_error(struct rules_fixture *l) {
  cause_of(l, 0x0100, cause_rv(cause_untagged(IWARP_RDMAP_OP_SEND_INV), 2));
}

static void cause_rv_0_no_invalidation(struct rules_fixture *l) {
  cause_of(l, 0x0209, cause_rv(cause_untagged(IWARP_RDMAP_OP_SEND_INV), 0));
}

static void cause_rv_2_catastrophic_for_the_stream(struct rules_fixture *l) {
  cause_of(l, 0x0207, cause_rv(fixture_send(2), 2));
}

static void cause_rv_2_no_buffer(struct rules_fixture *l) {
  cause_of(l, 0x1202, cause_rv(fixture_send(2), 2));
}

static void cause_no_invalidation_of_a_send(struct rules_fixture *l) {
  cause_of(l, 0x0209, fixture_send(2));
}

static void cause_no_invalidation_of_a_read(struct rules_fixture *l) {
  cause_read(l, 0x0109, 0x1000, 8);
}

static void cause_no_invalidation(struct rules_fixture *l) {
  cause_of(l, 0x0209, cause_untagged(IWARP_RDMAP_OP_SEND_INV));
}

static void cause_no_invalidation_a_remote_protection_error(struct rules_fixture *l) {
  cause_of(l, 0x0109, cause_untagged(IWARP_RDMAP_OP_SEND_SE_INV));
}

static void cause_unspecified_remote_protection_error_of_a_send(struct rules_fixture *l) {
  cause_of(l, 0x01FF, fixture_send(2));
}

static void cause_invalid_stag_of_a_read_of_size_0(struct rules_fixture *l) {
  cause_read(l, 0x0100, 0x1000, 0);
}

static void cause_to_wrap_of_a_read_of_size_0(struct rules_fixture *l) {
  cause_read(l, 0x0104, 0x1000, 0);
}

static void cause_invalid_stag_of_a_read_of_size_1(struct rules_fixture *l) {
  cause_read(l, 0x0100, 0x1000, 1);
}

static void cause_unspecified_of_a_read_of_size_0(struct rules_fixture *l) {
  cause_read(l, 0x01FF, 0x1000, 0);
}

static void cause_unexpected_opcode_of_a_read_of_size_0(struct rules_fixture *l) {
  cause_read(l, 0x0206, 0x1000, 0);
}

static void cause_invalid_stag_of_a_read_of_size_0_r_clear(struct rules_fixture *l) {
  cause_read_bare(l, 0x0100);
}

static void cause_to_wrap_of_a_read_one_octet_below(struct rules_fixture *l) {
  cause_read(l, 0x0104, UINT64_MAX - 8, 8);
}

static void cause_to_wrap_of_a_read_up_to_264(struct rules_fixture *l) {
  cause_read(l, 0x0104, UINT64_MAX - 7, 8);
}

static void cause_to_wrap_of_a_read_past_264(struct rules_fixture *l) {
  cause_read(l, 0x0104, UINT64_MAX - 6, 8);
}

static void cause_reserved_bits(struct rules_fixture *l) {
  iwarp_rdmap_term t = cause_term(0x1100);
  t.reserved = 1;
  cause_with(l, t, fixture_send(2));
}

static void cause_no_code(struct rules_fixture *l) {
  cause_of(l, 0x1105, fixture_send(2));
}

static void cause_no_header(struct rules_fixture *l) {
  const iwarp_rdmap_term t = {.etype = 2, .code = 5};
  fixture_begin(l);
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void cause_half_of_the_header_of_a_read(struct rules_fixture *l) {
  static uint8_t rest[4];
  iwarp_rdmap_term t = cause_term(0x0109);
  t.r = true;
  t.rest = (iwarp_span){rest, sizeof(rest)};
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  cause_with(l, t, fixture_read_request(octets, 1, 8));
}

static void cause_a_header_that_was_not_sent(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(9);
  fixture_begin(l);
  term_returning(l, cause_term(0x1100), &s);
}

static void cause_a_header_that_may_be_among_what_is_missing(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(9);
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
  term_returning(l, cause_term(0x1100), &s);
}

static void cause_right_of_a_header_that_was_not_sent(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(9);
  fixture_begin(l);
  term_returning(l, cause_term(0x1202), &s);
}

static void cause_crc_not_in_use(struct rules_fixture *l) {
  cause_mpa(l, 0, 2);
}

static void cause_crc_in_use(struct rules_fixture *l) {
  cause_mpa(l, FIXTURE_C, 2);
}

static void cause_crc_not_said_at_the_startup(struct rules_fixture *l) {
  cause_mpa_unsettled(l, 2);
}

static void cause_marker_not_in_use(struct rules_fixture *l) {
  cause_mpa(l, FIXTURE_C, 3);
}

static void cause_marker_in_use(struct rules_fixture *l) {
  cause_mpa(l, FIXTURE_C | FIXTURE_M, 3);
}

static void cause_marker_in_what_is_sent_alone(struct rules_fixture *l) {
  cause_marker_from(l, FIXTURE_INITIATOR);
}

static void cause_marker_in_what_is_received_alone(struct rules_fixture *l) {
  cause_marker_from(l, FIXTURE_RESPONDER);
}

static void cause_marker_not_said_at_the_startup(struct rules_fixture *l) {
  cause_mpa_unsettled(l, 3);
}

static void cause_another_error_of_mpa(struct rules_fixture *l) {
  cause_mpa(l, 0, 5);
}

static void cause_crc_under_rev_0(struct rules_fixture *l) {
  cause_rdmac(l, (iwarp_rdmap_term){.layer = 2, .code = 2}, ddp_version0(fixture_send(2)));
}

static void cause_crc_the_first_fpdu_of_an_enhanced_initiator(struct rules_fixture *l) {
  cause_mpa_first(l, fixture_open, FIXTURE_INITIATOR);
}

static void cause_crc_the_first_fpdu_of_an_enhanced_responder(struct rules_fixture *l) {
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  cause_mpa_first(l, NULL, FIXTURE_RESPONDER);
}

static void cause_crc_the_first_fpdu_of_an_initiator(struct rules_fixture *l) {
  cause_mpa_first(l, cause_rev1, FIXTURE_INITIATOR);
}

/* What the Request says of RTR types and Reads is missing. */
static void cause_open_in_part(struct rules_fixture *l) {
  fixture_open(l);
  l->info.side[FIXTURE_INITIATOR].enhanced = false;
}

static void cause_crc_the_first_fpdu_after_part_of_a_request(struct rules_fixture *l) {
  cause_mpa_first(l, cause_open_in_part, FIXTURE_INITIATOR);
}

static void cause_crc_no_reply(struct rules_fixture *l) {
  cause_joined(l, (iwarp_rdmap_term){.layer = 2, .code = 2}, fixture_send(2));
}

/* ---- what an STag that cannot be invalidated is called ---- */

static void cause_invalid_stag_of_an_invalidation(struct rules_fixture *l) {
  cause_of(l, 0x0100, cause_untagged(IWARP_RDMAP_OP_SEND_INV));
}

static void cause_bounds_of_an_invalidation(struct rules_fixture *l) {
  cause_of(l, 0x0101, cause_untagged(IWARP_RDMAP_OP_SEND_SE_INV));
}

static void cause_rights_of_an_invalidation(struct rules_fixture *l) {
  cause_of(l, 0x0102, cause_untagged(IWARP_RDMAP_OP_SEND_INV));
}

static void cause_other_stream_of_an_invalidation(struct rules_fixture *l) {
  cause_of(l, 0x0103, cause_untagged(IWARP_RDMAP_OP_SEND_SE_INV));
}

static void cause_wrap_of_an_invalidation(struct rules_fixture *l) {
  cause_of(l, 0x0104, cause_untagged(IWARP_RDMAP_OP_SEND_INV));
}

static void cause_unspecified_of_an_invalidation(struct rules_fixture *l) {
  cause_of(l, 0x01FF, cause_untagged(IWARP_RDMAP_OP_SEND_INV));
}

static void cause_other_stream_of_a_read(struct rules_fixture *l) {
  cause_read(l, 0x0103, 0x1000, 8);
}

/* ---- an empty segment ---- */

static struct fixture_seg cause_empty(uint32_t mo) {
  return fixture_untagged(IWARP_RDMAP_OP_SEND, 2, mo, 0);
}

static void cause_too_long_of_nothing(struct rules_fixture *l) {
  cause_of(l, 0x1205, cause_empty(0));
}

static void cause_mo_of_nothing(struct rules_fixture *l) {
  cause_of(l, 0x1204, cause_empty(0));
}

static void cause_no_buffer_of_nothing(struct rules_fixture *l) {
  cause_of(l, 0x1202, cause_empty(0));
}

static void cause_too_long_of_an_octet(struct rules_fixture *l) {
  cause_of(l, 0x1205, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 1));
}

/* The end of a message of 8 octets, with no more of them. */
static void cause_end(struct rules_fixture *l, uint16_t error) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 8)));
  cause_sent(l, error, cause_empty(8));
}

static void cause_too_long_of_an_end(struct rules_fixture *l) {
  cause_end(l, 0x1205);
}

static void cause_mo_of_an_end(struct rules_fixture *l) {
  cause_end(l, 0x1204);
}

/* An empty segment at MO 0 of a message of which 8 octets came before. */
static void cause_mo_inside(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 8)));
  cause_sent(l, 0x1204, cause_empty(0));
}

/* ---- no buffer for a Read Request ---- */

/* Read Requests of the Responder, of which the Initiator has room for `ird`, and an error about the
 * last one. */
static void cause_reads_of(struct rules_fixture *l, uint16_t ird, uint16_t ord, uint32_t first,
                           uint32_t reads, uint16_t error) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  request.enh.ird = ird;
  reply.enh.ord = ord;
  fixture_exchange(l, request, reply);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
  for (uint32_t i = 0; i + 1 < reads; i++) {
    fixture_read(l, FIXTURE_RESPONDER, first + i, 8);
  }
  cause_sent(l, error, fixture_read_request(octets, first + reads - 1, 8));
}

/* The same where the Responder uses all of it. */
static void cause_reads(struct rules_fixture *l, uint16_t ird, uint32_t first, uint32_t reads,
                        uint16_t error) {
  cause_reads_of(l, ird, ird, first, reads, error);
}

static void cause_no_buffer_of_a_read(struct rules_fixture *l) {
  cause_reads(l, 2, 1, 1, 0x1202);
}

static void cause_no_buffer_of_the_last_read(struct rules_fixture *l) {
  cause_reads(l, 2, 1, 2, 0x1202);
}

static void cause_no_buffer_of_one_read_more(struct rules_fixture *l) {
  cause_reads(l, 2, 1, 3, 0x1202);
}

static void cause_msn_of_a_read(struct rules_fixture *l) {
  cause_reads(l, 2, 1, 1, 0x1203);
}

static void cause_no_buffer_any_ird(struct rules_fixture *l) {
  cause_reads(l, IWARP_MPA_DEPTH_UNSPEC, 1, 1, 0x1202);
}

/* The Request leaves the IRD to the ULP, but the Reply has an ORD. */
static void cause_no_buffer_unasked_ord(struct rules_fixture *l) {
  cause_reads_of(l, IWARP_MPA_DEPTH_UNSPEC, 1, 1, 1, 0x1202);
}

static void cause_no_buffer_of_a_read_out_of_order(struct rules_fixture *l) {
  cause_reads(l, 2, 2, 1, 0x1202);
}

/* A Send on the queue of the Read Requests, though one is outstanding that has its MSN. */
static void cause_no_buffer_of_a_send_among_reads(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 8);
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 8);
  s.ddp.qn = IWARP_RDMAP_QN_READ_REQ;
  cause_sent(l, 0x1202, s);
}

/* An Atomic Request is outstanding, too. */
static void cause_no_buffer_beside_an_atomic(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req add = fixture_fetch_add(7);
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_RESPONDER, 1, &add);
  cause_sent(l, 0x1202, fixture_read_request(octets, 2, 8));
}

/* It is not known whether others were answered. */
static void cause_no_buffer_after_a_gap(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  fixture_begin_with(l, FIXTURE_C);
  fixture_read(l, FIXTURE_RESPONDER, 1, 8);
  fixture_gap(l, FIXTURE_INITIATOR, 48, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  cause_sent(l, 0x1202, fixture_read_request(octets, 2, 8));
}

/* One was answered before, so that room may not have been made for this one. */
static void cause_no_buffer_after_an_answer(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 8);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_response(8));
  cause_sent(l, 0x1202, fixture_read_request(octets, 2, 8));
}

const struct rules_case rules_cases_cause[] = {
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "Tagged, of a Send", cause_tagged_of_a_send, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "Untagged, of a Write", cause_untagged_of_a_write,
     NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "Tagged, of a Write", cause_tagged_of_a_write, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "Untagged, of a Send", cause_untagged_of_a_send,
     NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "TO wrap, of a Send", cause_to_wrap_of_a_send, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "DDP version of a Write, DV right",
     cause_ddp_version_of_a_write_dv_right, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "DDP version of a Send, DV right",
     cause_ddp_version_of_a_send_dv_right, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "DV 2", cause_dv_2, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "DV 0", cause_dv_0, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "DV 2, of either kind", cause_dv_2_of_either_kind,
     "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "DV 2 of a Write, of either kind",
     cause_dv_2_of_a_write_of_either_kind, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "RDMAP version, versions 1 under Rev 0",
     cause_rdmap_version_versions_1_under_rev_0, "ddp.version-family"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "unexpected opcode, versions 1 under Rev 0",
     cause_unexpected_opcode_versions_1_under_rev_0, "ddp.version-family"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "DDP version, no Reply", cause_ddp_version_no_reply,
     NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "DDP version, no Reply, RDMAP version",
     cause_ddp_version_no_reply_rdmap_version, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "DDP version, DV 0 under Rev 0",
     cause_ddp_version_dv_0_under_rev_0, "mpa.rev-rdmac"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "RDMAP version, RV 0 under Rev 0",
     cause_rdmap_version_rv_0_under_rev_0, "mpa.rev-rdmac"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "DV 2, unexpected opcode",
     cause_dv_2_unexpected_opcode, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "DV 2, a Remote Protection Error",
     cause_dv_2_a_remote_protection_error, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "DV 2, invalid QN 0", cause_dv_2_invalid_qn_0,
     "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "DV 2, invalid QN 1", cause_dv_2_invalid_qn_1,
     "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "DV 2, no buffer", cause_dv_2_no_buffer,
     "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "DV 2, invalid STag", cause_dv_2_invalid_stag,
     "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "DV 2, invalid STag of a Send",
     cause_dv_2_invalid_stag_of_a_send, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "DV 2, no buffer of a Write",
     cause_dv_2_no_buffer_of_a_write, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "DV 2, TO wrap that is none",
     cause_dv_2_to_wrap_that_is_none, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "DV 2, TO wrap", cause_dv_2_to_wrap, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "DV 2, catastrophic for the stream",
     cause_dv_2_catastrophic_for_the_stream, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "DV 2, catastrophic for all",
     cause_dv_2_catastrophic_for_all, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "DV 2, unspecified", cause_dv_2_unspecified,
     "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "DV 2, DDP catastrophic",
     cause_dv_2_ddp_catastrophic, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "DV 2, an error that DDP has of the LLP",
     cause_dv_2_an_error_that_ddp_has_of_the_llp, "ddp.version"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "TO wrap, all below", cause_to_wrap_all_below, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "TO wrap, one octet below",
     cause_to_wrap_one_octet_below, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "TO wrap, up to 2^64", cause_to_wrap_up_to_264,
     "ddp.to-wrap"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "TO wrap, one below 2^64", cause_to_wrap_below_264,
     NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "TO wrap, past 2^64", cause_to_wrap_past_264,
     "ddp.to-wrap"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "TO wrap, another length",
     cause_to_wrap_another_length, "rdmap.terminate-segment-length"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "TO wrap, a length below that of the header",
     cause_to_wrap_a_length_below_that_of_the_header, "rdmap.terminate-segment-length"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "TO wrap, M clear", cause_to_wrap_m_clear,
     "rdmap.terminate-flags"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "invalid STag of an empty Write",
     cause_invalid_stag_of_an_empty_write, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "invalid STag of one octet",
     cause_invalid_stag_of_one_octet, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no buffer for an empty Send",
     cause_no_buffer_for_an_empty_send, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "invalid STag of an empty Write, M clear",
     cause_invalid_stag_of_an_empty_write_m_clear, "rdmap.terminate-flags"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "QN 9, unexpected opcode",
     cause_qn_9_unexpected_opcode, "rdmap.queue-number"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "QN 4, unexpected opcode",
     cause_qn_4_unexpected_opcode, "rdmap.queue-number"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "QN 3, unexpected opcode",
     cause_qn_3_unexpected_opcode, "rdmap.queue-number"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "QN 9 of an empty Send, unexpected opcode",
     cause_qn_9_of_an_empty_send_unexpected_opcode, "rdmap.queue-number"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "QN 9", cause_qn_9, "rdmap.queue-number"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "QN 9, no buffer", cause_qn_9_no_buffer,
     "rdmap.queue-number"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "QN 9, DDP version", cause_qn_9_ddp_version,
     "rdmap.queue-number"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "a Write, unexpected opcode",
     cause_a_write_unexpected_opcode, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "QN 9, no Reply", cause_qn_9_no_reply,
     "rdmap.queue-number"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "opcode 12, RDMAP version",
     cause_opcode_12_rdmap_version, "rdmap.opcode"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "opcode 12, a Remote Protection Error",
     cause_opcode_12_a_remote_protection_error, "rdmap.opcode"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "opcode 14, no invalidation",
     cause_opcode_14_no_invalidation, "rdmap.opcode"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "opcode 12", cause_opcode_12, "rdmap.opcode"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "opcode 15, a Remote Protection Error",
     cause_opcode_15_a_remote_protection_error, "rdmap.opcode-experimental"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "opcode 15, no invalidation",
     cause_opcode_15_no_invalidation, "rdmap.opcode-experimental"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "opcode 12, a Remote Protection Error, no Reply",
     cause_opcode_12_a_remote_protection_error_no_reply, "rdmap.opcode"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "opcode 12, RDMAP version, no Reply",
     cause_opcode_12_rdmap_version_no_reply, "rdmap.opcode"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "RV 2 and opcode 12", cause_rv_2_and_opcode_12,
     "rdmap.version"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "RV 2 and opcode 12, a Remote Protection Error",
     cause_rv_2_and_opcode_12_a_remote_protection_error, "rdmap.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "an Atomic Request, a Remote Protection Error",
     cause_an_atomic_request_a_remote_protection_error, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "RDMAP version, RV right",
     cause_rdmap_version_rv_right, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "RV 2", cause_rv_2, "rdmap.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "RV 2, unexpected opcode",
     cause_rv_2_unexpected_opcode, "rdmap.version"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "RV 2, a Remote Protection Error",
     cause_rv_2_a_remote_protection_error, "rdmap.version"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "RV 0, no invalidation", cause_rv_0_no_invalidation,
     "rdmap.version"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "RV 2, catastrophic for the stream",
     cause_rv_2_catastrophic_for_the_stream, "rdmap.version"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "RV 2, no buffer", cause_rv_2_no_buffer,
     "rdmap.version"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "no invalidation of a Send",
     cause_no_invalidation_of_a_send, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "no invalidation of a Read",
     cause_no_invalidation_of_a_read, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no invalidation", cause_no_invalidation, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no invalidation, a Remote Protection Error",
     cause_no_invalidation_a_remote_protection_error, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "unspecified Remote Protection Error of a Send",
     cause_unspecified_remote_protection_error_of_a_send, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "invalid STag of a Read of size 0",
     cause_invalid_stag_of_a_read_of_size_0, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "TO wrap of a Read of size 0",
     cause_to_wrap_of_a_read_of_size_0, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "invalid STag of a Read of size 1",
     cause_invalid_stag_of_a_read_of_size_1, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "unspecified, of a Read of size 0",
     cause_unspecified_of_a_read_of_size_0, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "unexpected opcode of a Read of size 0",
     cause_unexpected_opcode_of_a_read_of_size_0, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "invalid STag of a Read of size 0, R clear",
     cause_invalid_stag_of_a_read_of_size_0_r_clear, "rdmap.terminate-flags"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "TO wrap of a Read, one octet below",
     cause_to_wrap_of_a_read_one_octet_below, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "TO wrap of a Read up to 2^64",
     cause_to_wrap_of_a_read_up_to_264, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "TO wrap of a Read past 2^64",
     cause_to_wrap_of_a_read_past_264, "ddp.to-wrap"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "reserved bits", cause_reserved_bits,
     "rdmap.terminate-reserved"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "no code", cause_no_code, "rdmap.terminate-code"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "no header", cause_no_header, NULL},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "half of the header of a Read",
     cause_half_of_the_header_of_a_read, "rdmap.terminate-headers"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "a header that was not sent",
     cause_a_header_that_was_not_sent, "rdmap.terminate-ddp-header"},
    {"rdmap.terminate-cause", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "a header that may be among what is missing", cause_a_header_that_may_be_among_what_is_missing,
     NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "right, of a header that was not sent",
     cause_right_of_a_header_that_was_not_sent, "rdmap.terminate-ddp-header"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "CRC, not in use", cause_crc_not_in_use, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "CRC, in use", cause_crc_in_use, NULL},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "CRC, not said at the startup",
     cause_crc_not_said_at_the_startup, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "Marker, not in use", cause_marker_not_in_use, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "Marker, in use", cause_marker_in_use, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "Marker, in what is sent alone",
     cause_marker_in_what_is_sent_alone, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "Marker, in what is received alone",
     cause_marker_in_what_is_received_alone, NULL},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "Marker, not said at the startup",
     cause_marker_not_said_at_the_startup, NULL},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "another error of MPA", cause_another_error_of_mpa,
     NULL},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "CRC under Rev 0", cause_crc_under_rev_0,
     "mpa.rev-rdmac"},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "CRC, the first FPDU of an enhanced Initiator",
     cause_crc_the_first_fpdu_of_an_enhanced_initiator, NULL},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "CRC, the first FPDU after part of a Request",
     cause_crc_the_first_fpdu_after_part_of_a_request, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "CRC, the first FPDU of an enhanced Responder",
     cause_crc_the_first_fpdu_of_an_enhanced_responder, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "CRC, the first FPDU of an Initiator",
     cause_crc_the_first_fpdu_of_an_initiator, NULL},
    {"rdmap.terminate-cause", FIXTURE_SILENT, 0, "CRC, no Reply", cause_crc_no_reply, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "an invalid STag of an invalidation",
     cause_invalid_stag_of_an_invalidation, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "bounds of an invalidation",
     cause_bounds_of_an_invalidation, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "another stream, of an invalidation",
     cause_other_stream_of_an_invalidation, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "a TO wrap of an invalidation",
     cause_wrap_of_an_invalidation, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "access rights of an invalidation",
     cause_rights_of_an_invalidation, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "an unspecified error of an invalidation",
     cause_unspecified_of_an_invalidation, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "another stream, of a Read",
     cause_other_stream_of_a_read, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "too long, of no octets", cause_too_long_of_nothing,
     NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "a wrong MO, of no octets", cause_mo_of_nothing,
     NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no buffer for no octets",
     cause_no_buffer_of_nothing, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "too long, of an octet", cause_too_long_of_an_octet,
     NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "too long, of an empty end",
     cause_too_long_of_an_end, "ddp.empty-segment"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "a wrong MO, of an empty end", cause_mo_of_an_end,
     "ddp.empty-segment"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "MO 0 of an empty segment inside a message",
     cause_mo_inside, "ddp.mo-contiguous"},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "no buffer for the first Read",
     cause_no_buffer_of_a_read, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "no buffer for as many Reads as were negotiated",
     cause_no_buffer_of_the_last_read, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no buffer for one Read more",
     cause_no_buffer_of_one_read_more, "rdmap.reads-outstanding"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "a wrong MSN of a Read", cause_msn_of_a_read, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no buffer for a Read, any IRD",
     cause_no_buffer_any_ird, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no buffer for a Read, any IRD, ORD 1",
     cause_no_buffer_unasked_ord, "mpa.ord-unspecified"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no buffer for a Read, MSN 2 first",
     cause_no_buffer_of_a_read_out_of_order, "ddp.msn-first"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no buffer for a Send among Reads",
     cause_no_buffer_of_a_send_among_reads, "rdmap.queue-number"},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no buffer beside an Atomic Request",
     cause_no_buffer_beside_an_atomic, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no buffer for a Read, octets are missing",
     cause_no_buffer_after_a_gap, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "no buffer for a Read after another",
     cause_no_buffer_after_an_answer, NULL},
};

const size_t rules_cases_cause_num = sizeof(rules_cases_cause) / sizeof(rules_cases_cause[0]);
