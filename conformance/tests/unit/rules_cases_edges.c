/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases at the very edge of what a rule judges: one step from wrong, one step past what it judges.
 */

#include "rules_cases.h"

/* ---- startup ---- */

static void edge_rdmac_rejects(struct rules_fixture *l) {
  const uint8_t both = IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C;
  fixture_exchange(
      l, (struct fixture_frame){.flags = both},
      (struct fixture_frame){.reply = true, .flags = (uint8_t)(both | IWARP_MPA_FLAG_R)});
}

static void edge_ord_unspecified_alone(struct rules_fixture *l) {
  start_depths(l, 8, 0x3FFF, 0x3FFF, 8);
}

static void edge_ird_unspecified_alone(struct rules_fixture *l) {
  start_depths(l, 0x3FFF, 8, 8, 0x3FFF);
}

/* Two octets and one: the shortest enhanced data has 4 octets, but Rev 1 has no enhanced data. */
static void edge_s_rev1_short(struct rules_fixture *l) {
  const struct fixture_frame request = {.flags = IWARP_MPA_FLAG_S, .rev = 1, .pd_length = 3};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

/* Without S no enhanced data is expected, so that octets after too few of them are a surplus. */
static void edge_surplus_no_s(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 2, .pd_length = 3};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_c_without_model(struct rules_fixture *l) {
  start_model(l, start_client, (iwarp_mpa_enhanced){.c = true, .ird = 8, .ord = 8});
}

/* Octets that are no FPDU follow a Request: its PD_Length must not be blamed for them. */
static void edge_surplus_gap(struct rules_fixture *l) {
  l->info.side[FIXTURE_INITIATOR].gap = true;
  start_surplus(l);
}

static void edge_surplus_other_reason(struct rules_fixture *l) {
  start_pd(l, 10, 0);
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NO_BOUNDARY);
}

static void edge_surplus_later(struct rules_fixture *l) {
  start_pd(l, 10, 0);
  l->next[FIXTURE_INITIATOR]++;
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_surplus_no_ack(struct rules_fixture *l) {
  l->no_ack = true;
  start_surplus(l);
}

static void edge_surplus_one_octet_received(struct rules_fixture *l) {
  start_pd(l, 10, 0);
  l->received = l->next[FIXTURE_RESPONDER] + 1;
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_surplus_none_received(struct rules_fixture *l) {
  start_pd(l, 10, 0);
  l->received = FIXTURE_START_1;
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void edge_surplus_peer_unknown(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_surplus(l);
}

static void edge_surplus_whole_reply(struct rules_fixture *l) {
  start_rev1(l);
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_surplus_reply_in_part(struct rules_fixture *l) {
  start_rev1(l);
  l->received = l->next[FIXTURE_RESPONDER] - 1;
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_surplus_reply_to_more(struct rules_fixture *l) {
  start_rev1(l);
  l->received = l->next[FIXTURE_INITIATOR] + 1;
  fixture_undecodable(l, FIXTURE_RESPONDER, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_pd_short_no_ack(struct rules_fixture *l) {
  l->no_ack = true;
  start_pd_short_alone(l);
}

/* ---- who sends first ---- */

static void edge_swap_roles(struct rules_fixture *l) {
  l->info.side[0].role = IWARP_ROLE_RESPONDER;
  l->info.side[1].role = IWARP_ROLE_INITIATOR;
}

/* The Initiator is the second side; where the first begins becomes known at its end. */
static void edge_second_side_early(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1};
  edge_swap_roles(l);
  l->info.side[0].start_known = false;
  fixture_startup(l, 1, &request);
  fixture_settle(l);
  fixture_fpdu(l, 1, fixture_send(1));
  l->info.side[0].start_known = true;
  fixture_end(l, 0, IWARP_END_FIN);
}

/* The Responder is the first side. */
static void edge_first_side_replies(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  edge_swap_roles(l);
  l->info.side[1].start_known = false;
  fixture_startup(l, 0, &reply);
  l->info.side[1].start_known = true;
  fixture_end(l, 1, IWARP_END_FIN);
  fixture_end(l, 0, IWARP_END_FIN);
}

/* The Initiator is the second side, and where the first begins is known once it ends. */
static void edge_second_side_surplus(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1, .pd_length = 10};
  edge_swap_roles(l);
  l->info.side[0].start_known = false;
  fixture_startup(l, 1, &request);
  fixture_undecodable(l, 1, 6, IWARP_UNDEC_NOT_FPDU);
  l->info.side[0].start_known = true;
  fixture_end(l, 0, IWARP_END_FIN);
  fixture_end(l, 1, IWARP_END_FIN);
}

static void edge_reply_just_received(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.pd_length = IWARP_MPA_PRIVATE_DATA_MAX;
  fixture_exchange(l, fixture_request(), reply);
  l->received = l->info.side[FIXTURE_RESPONDER].startup_end;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void edge_first_just_received(struct rules_fixture *l) {
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  const uint64_t end = l->next[FIXTURE_INITIATOR];
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  l->received = end;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

static void edge_reject_longest(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.flags |= IWARP_MPA_FLAG_R;
  reply.pd_length = IWARP_MPA_PRIVATE_DATA_MAX;
  fixture_exchange(l, fixture_request(), reply);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

/* ---- FPDUs ---- */

static void edge_crc_right_damaged(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  l->damaged = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
}

/* 13 or 14 octets of an FPDU that is no Send stand in place of a Marker. */
static void edge_no_marker(struct rules_fixture *l, uint16_t length, uint16_t control) {
  struct fixture_seg s = fixture_send(1);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = length, .fpduptr = control};
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* With CRCs, and the FPDU's CRC is wrong; the Responder has received it. */
static void edge_no_marker_answered(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 64, .fpduptr = 0x4143};
  s.crc_flip = 1;
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

static void edge_no_marker_write(struct rules_fixture *l) {
  edge_no_marker(l, 14, 0x8140);
}

static void edge_no_marker_long(struct rules_fixture *l) {
  edge_no_marker(l, 0x0100, 0x0140);
}

/* A segment of DDP version 0 that ends no message. */
static void edge_no_marker_control(struct rules_fixture *l) {
  edge_no_marker(l, 64, 0x0003);
}

/* Octets that may be a Marker where the use of Markers is open. */
static void edge_crc_unsettled_markers(struct rules_fixture *l) {
  struct fixture_seg s = {.short_ulpdu = true, .crc_flip = 0x43413000};
  fixture_open_with(l, FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  l->crc_is = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->crc_is = false;
}

/* An FPDU in which no Marker stands is not judged for its Markers. */
static void edge_between_markers(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

/* Three Markers stand between the header and the pad. */
static void edge_pad_past_markers(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 1501);
  s.pad[1] = 9;
  fixture_begin_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void edge_rdmac_responder(struct rules_fixture *l) {
  ddp_rdmac(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ddp_version0(fixture_write()));
  fixture_fpdu(l, FIXTURE_RESPONDER, ddp_version0(fixture_write()));
}

/* DV of the RDMA Consortium, RV of the IETF. */
static void edge_rdmac_mixed(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  ddp_rdmac(l);
  s.ddp.dv = 0;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* DV of the IETF, RV of the RDMA Consortium. */
static void edge_rdmac_mixed_rdmap(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  ddp_rdmac(l);
  s.ddp.rsvdulp &= 0x3F;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* ---- DDP ---- */

static void edge_longest_in_one(struct rules_fixture *l) {
  struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 40);
  s.claim = UINT32_MAX;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* The longest message, and one octet more. */
static void edge_longest_and_one(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 40));
  s.claim = UINT32_MAX;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s.ddp.to = UINT32_MAX;
  s.claim = 1;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void edge_to_last_octets(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(1, UINT64_MAX - 79)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, UINT64_MAX - 39, 39));
}

/* An opcode of no message on the first queue that there is not: nothing follows anything there. */
static void edge_no_queue(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(12, 5, 8, 40);
  s.ddp.qn = 4;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void edge_stag_of_next_message(struct rules_fixture *l) {
  fixture_begin(l);
  for (uint32_t stag = 1; stag < 3; stag++) {
    fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(queue_tagged(stag, 100 + 80 * (uint64_t)stag)));
    fixture_fpdu(l, FIXTURE_INITIATOR, queue_tagged(stag, 140 + 80 * (uint64_t)stag));
  }
}

static void edge_invalidate_one_bit(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND_INV, 2, 0, 40);
  fixture_begin(l);
  s.ddp.rsvdulp_word = 0x12345678;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(s));
  s.ddp.mo = 40;
  s.ddp.rsvdulp_word = 0x92345678;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* ---- RDMAP ---- */

static void edge_two_reads(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 60);
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const iwarp_rdmap_read_req req = {.sink_stag = 7, .sink_to = 70, .size = 30};
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_read_of(octets, 2, req));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(60));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 7, 70, 30));
}

/* A Tagged header names no Request by its MSN, whatever its opcode is. */
static void edge_read_header_tagged(struct rules_fixture *l) {
  static const uint8_t header[IWARP_RDMAP_READ_REQ_LEN] = {0};
  const struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 28);
  iwarp_rdmap_term t = {.etype = 1, .m = true, .r = true};
  t.rdma_header = (iwarp_span){header, sizeof(header)};
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 50, IWARP_GAP_LOST);
  term_returning(l, t, &s);
}

static void edge_terminate_in_two_ends(struct rules_fixture *l) {
  term_halves(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static const iwarp_rdmap_term edge_untagged = {.layer = 1, .etype = 2, .code = 5, .m = true};

static void edge_term_sent(struct rules_fixture *l, iwarp_rdmap_term t) {
  fixture_begin(l);
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

/* All that was asked for, in a segment that does not end the message; then more. */
static void edge_read_whole_then_more(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 60);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(fixture_read_response(60)));
  fixture_fpdu(l, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, FIXTURE_SINK_TO + 60, 1));
}

/* A Terminate with the header of a Read Request, which it must not have. */
static void edge_term_flags(struct rules_fixture *l, bool m, bool r) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const struct fixture_seg s = fixture_read_request(octets, 1, 100);
  const iwarp_rdmap_term t = {
      .m = m, .r = r, .rdma_header = {octets, r ? IWARP_RDMAP_READ_REQ_LEN : 0}};
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, t, &s);
}

static void edge_term_d(struct rules_fixture *l) {
  edge_term_flags(l, false, false);
}

static void edge_term_d_r(struct rules_fixture *l) {
  edge_term_flags(l, false, true);
}

static void edge_term_m_d(struct rules_fixture *l) {
  edge_term_flags(l, true, false);
}

static void edge_term_m_d_r(struct rules_fixture *l) {
  edge_term_flags(l, true, true);
}

/* Wrong flags are not judged if the code is undefined, or a header is cut. */
static void edge_term_flags_no_code(struct rules_fixture *l) {
  edge_term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 0x77});
}

static void edge_term_flags_cut(struct rules_fixture *l) {
  static const uint8_t rest[17] = {0x41, 0x43};
  edge_term_sent(l, (iwarp_rdmap_term){.layer = 2,
                                       .code = 5,
                                       .m = true,
                                       .d = true,
                                       .has_ddp_segment_length = true,
                                       .rest = {rest, sizeof(rest)}});
}

/* What follows the RDMA header is not captured. */
static void edge_term_surplus_cut(struct rules_fixture *l) {
  uint8_t octets[72] = {0x01, 0, 0xE0, 0, 0, 46, 0x41, 0x41};
  struct fixture_seg s =
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, 72);
  octets[15] = 1; /* QN of Read Requests */
  octets[19] = 1;
  s.cut = 2 + IWARP_DDP_UNTAGGED_LEN + 52;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* A Terminate after what was lost: from its first octet on it is another one. */
static void edge_term_again(struct rules_fixture *l, uint32_t mo) {
  uint8_t octets[4] = {0x20, 5};
  fixture_begin(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_gap(l, FIXTURE_INITIATOR, 34, IWARP_GAP_LOST);
  l->lost[FIXTURE_INITIATOR] = false;
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, mo, 0), octets, 4));
}

static void edge_term_again_0(struct rules_fixture *l) {
  edge_term_again(l, 0);
}

static void edge_term_again_1(struct rules_fixture *l) {
  edge_term_again(l, 1);
}

/* The header that is returned may have been in octets that say nothing; that is no gap. */
static void edge_term_after_undecodable(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(9);
  fixture_begin(l);
  fixture_undecodable(l, FIXTURE_RESPONDER, 6, IWARP_UNDEC_NOT_FPDU);
  term_returning(l, edge_untagged, &s);
}

static void edge_term_after_short(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(9);
  struct fixture_seg cut = {.short_ulpdu = true};
  cut.ulpdu_len = 9;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, cut);
  term_returning(l, edge_untagged, &s);
}

/* ---- SCTP ---- */

/* After what casts doubt on the session there is no Terminate either. */
static void edge_sctp_doubt(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEGMENT(l, 0, 2, .acked = true, .session_unconfirmed = true);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void edge_sctp_accept_then_reject(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 3, .ssn = 1, .acked = true,
            .reason = IWARP_SCTP_REASON_SEQUENCE, .verdict = IWARP_SCTP_ILLEGAL);
}

/* A message that had no place took its number. */
static void edge_sctp_number_after_misplaced(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 2, .ssn = 1, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEND(l, .side = 1, .segment = true, .ssn = 1, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
}

static void edge_sctp_three(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .fragments = 3);
}

/*
 * RV 0 is right under Rev 0 alone, which is not known without the Reply. If it is, the opcode
 * belongs on another queue, and nothing else can be said of the segment.
 */
static void edge_order_no_version(struct rules_fixture *l) {
  start_request_only(l);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  l->next[1] += 40;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_send(1)));
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 28);
  s.ddp.rsvdulp &= 0x3F;
  s.ddp.qn = 2;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* What is missing took its numbers too. */
static void edge_sctp_again_after_gap(struct rules_fixture *l) {
  sctp_open(l);
  sctp_gap_of(l, 0, 1);
  SCTP_SEND(l, .segment = true, .ssn = 1, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
}

static void edge_sctp_peer_lost(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  l->lost[FIXTURE_INITIATOR] = true;
  SCTP_SEGMENT(l, 1, 2, .reason = IWARP_SCTP_REASON_SEQUENCE, .verdict = IWARP_SCTP_ILLEGAL);
}

/* What may be Private Data ends: the FPDUs past it follow each other. */
static void edge_past_private(struct rules_fixture *l, uint32_t last) {
  const struct fixture_frame request = fixture_request();
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->info.crc = IWARP_TRISTATE_ON;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, IWARP_MPA_PRIVATE_DATA_MAX));
  const uint32_t msn[] = {2, last};
  for (unsigned i = 0; i < 2; i++) {
    struct fixture_seg s = fixture_send(msn[i]);
    s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
    fixture_fpdu(l, FIXTURE_INITIATOR, s);
  }
}

static void edge_past_private_wrong(struct rules_fixture *l) {
  edge_past_private(l, 4);
}

static void edge_past_private_right(struct rules_fixture *l) {
  edge_past_private(l, 3);
}

/* ---- octets in place of a Marker ---- */

/* The Initiator's second FPDU, 48 octets after the first Marker, holds one Marker, at 512. */
static void edge_marker(struct rules_fixture *l, iwarp_mpa_marker is) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 500);
  s.marker = 1;
  s.marker_is = is;
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void edge_marker_displaced(struct rules_fixture *l) {
  edge_marker(l, (iwarp_mpa_marker){.reserved = 0x6162, .fpduptr = 0x6363});
}

static void edge_marker_pointer_alone(struct rules_fixture *l) {
  edge_marker(l, (iwarp_mpa_marker){.fpduptr = 0x6360});
}

/* A Marker with this pointer, counted from its own place, at the 256th octet of an FPDU. The FPDU,
 * the second one or the first one, has so many octets after that; the CRC covers it. */
static void edge_marker_halfway_in(struct rules_fixture *l, bool first, size_t after, int more) {
  static const uint8_t ulpdu[374] = {0x41, 0x43, [13] = 2};
  uint8_t wire[400];
  size_t len = 0;
  if (first) {
    fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  } else {
    fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  }
  if (l->info.side[FIXTURE_INITIATOR].full_pos == IWARP_POS_UNKNOWN) {
    return; /* the Request is not there */
  }
  const uint64_t off = l->next[FIXTURE_INITIATOR] - l->info.side[FIXTURE_INITIATOR].full_pos;
  const size_t lead = first ? IWARP_MPA_MARKER_LEN : 0;
  const size_t at = (size_t)(IWARP_MPA_MARKER_PERIOD / 2u - off);
  const iwarp_mpa_fpdu_desc d = {
      .ulpdu = {ulpdu, at + after - lead - IWARP_MPA_LENGTH_LEN}, .off = off, .markers = true};
  if (iwarp_mpa_fpdu_encode(wire, sizeof(wire) - IWARP_MPA_MARKER_LEN, &len, &d) != IWARP_OK) {
    abort();
  }
  const uint8_t marker[IWARP_MPA_MARKER_LEN] = {0, 0, 0, (uint8_t)((int)(at - lead) + more)};
  memmove(&wire[at + sizeof(marker)], &wire[at], len - at);
  memcpy(&wire[at], marker, sizeof(marker));
  const uint32_t crc = iwarp_crc32c(0, wire, len);
  for (size_t i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    wire[len + i] = (uint8_t)(crc >> 8 * i);
  }
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, len});
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){&wire[len], IWARP_MPA_CRC_LEN}, IWARP_MPA_CRC_LEN,
              IWARP_UNDEC_NO_BOUNDARY);
}

static void edge_marker_halfway_right(struct rules_fixture *l) {
  edge_marker_halfway_in(l, false, 124, 0);
}

static void edge_marker_halfway_wrong(struct rules_fixture *l) {
  edge_marker_halfway_in(l, false, 124, 4);
}

static void edge_marker_halfway_first(struct rules_fixture *l) {
  edge_marker_halfway_in(l, true, 124, 0);
}

/* What it takes the place of are the last octets before the CRC. */
static void edge_marker_halfway_last(struct rules_fixture *l) {
  edge_marker_halfway_in(l, false, IWARP_MPA_MARKER_LEN, 0);
}

/* It stands where the CRC field would. */
static void edge_marker_halfway_crc(struct rules_fixture *l) {
  edge_marker_halfway_in(l, false, 0, 0);
}

/* The octets are payload, and the CRC is right. */
static void edge_payload_halfway(struct rules_fixture *l) {
  uint8_t payload[300] = {0};
  struct fixture_seg s = fixture_send(2);
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  const uint64_t off = l->next[FIXTURE_INITIATOR] - l->info.side[FIXTURE_INITIATOR].full_pos;
  const size_t at = (size_t)(IWARP_MPA_MARKER_PERIOD / 2u - off);
  payload[at - IWARP_MPA_LENGTH_LEN - IWARP_DDP_UNTAGGED_LEN + 3] = (uint8_t)at;
  s.payload = payload;
  s.len = sizeof(payload);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/*
 * The sender lost four octets of its count of Markers. In its third FPDU the Marker stands 8 octets
 * early, after the Queue Number. So the Queue Number reads as a Marker, and the Marker as a Queue
 * Number.
 */
static void edge_header_strayed_with(struct rules_fixture *l, uint8_t flags, struct fixture_seg s) {
  static const uint8_t ulpdu[538] = {0x41, 0x43, [13] = 3};
  uint8_t wire[600];
  size_t len = 0;
  fixture_begin_with(l, (uint8_t)(FIXTURE_M | flags));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  const uint64_t off = l->next[FIXTURE_INITIATOR] - l->info.side[FIXTURE_INITIATOR].full_pos;
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, sizeof(ulpdu)}, .off = off - 4, .markers = true};
  if (iwarp_mpa_fpdu_encode(wire, sizeof(wire), &len, &d) != IWARP_OK) {
    abort();
  }
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, len});
}

static void edge_header_strayed(struct rules_fixture *l, struct fixture_seg s) {
  edge_header_strayed_with(l, FIXTURE_C, s);
}

static void edge_header_marker_strayed(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 928);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x6162, .fpduptr = 0x6363};
  edge_header_strayed(l, s);
}

static void edge_header_strayed_after_version(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 928);
  s.ddp.dv = 2;
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x6162, .fpduptr = 0x6363};
  edge_header_strayed_with(l, 0, s);
}

static void edge_header_strayed_after_crc(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 928);
  s.crc_flip = 1;
  edge_header_strayed(l, s);
}

/* That there are Markers is a guess from the octets. */
static void edge_marker_displaced_inferred(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 500);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x6162, .fpduptr = 0x6363};
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* The startup frames may be payload, and what is taken for a Marker may be a part of the header. */
static void edge_header_marker_wrong(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 500);
  s.ddp.qn = 1;
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x6162, .fpduptr = 0x6363};
  s.sync = IWARP_SYNC_CRC;
  s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  fixture_gap(l, FIXTURE_INITIATOR, 4, IWARP_GAP_LOST);
  fixture_gap(l, FIXTURE_RESPONDER, 4, IWARP_GAP_LOST);
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].markers = IWARP_TRISTATE_ON;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* ---- the last segment of a message ---- */

static struct fixture_seg edge_part(uint32_t msn, uint32_t mo) {
  return fixture_untagged(IWARP_RDMAP_OP_SEND, msn, mo, 40);
}

static void edge_last_at(struct rules_fixture *l, uint32_t mo) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(2, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, edge_part(2, mo));
}

/* All octets come, those before the highest MO with the segment with L. */
static void edge_last_overtaken(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(2, 80)));
  fixture_fpdu(l, FIXTURE_INITIATOR, edge_part(2, 40));
}

static void edge_last_twice(struct rules_fixture *l) {
  edge_last_at(l, 39);
}

static void edge_last_overlaps(struct rules_fixture *l) {
  edge_last_at(l, 41);
}

static void edge_last_again(struct rules_fixture *l) {
  edge_last_at(l, 40);
}

/* No L: which segment is the last one is open. */
static void edge_more_overtaken(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(2, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(2, 20)));
}

/* A message of three segments: the highest MO of the next one counts from 0 again. */
static void edge_long_message(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(2, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, edge_part(2, 80));
}

static void edge_last_after_a_long_one(struct rules_fixture *l) {
  edge_long_message(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(3, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, edge_part(3, 20));
}

static void edge_last_after_a_gap(struct rules_fixture *l) {
  edge_long_message(l);
  fixture_gap(l, FIXTURE_INITIATOR, 60, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(9, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, edge_part(9, 60));
}

/* A Send inside of which another one came, and a segment that is not the rest of it. */
static void edge_aside(struct rules_fixture *l, uint32_t msn, uint32_t mo) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(edge_part(2, 0)));
  fixture_fpdu(l, FIXTURE_INITIATOR, edge_part(3, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, edge_part(msn, mo));
}

static void edge_aside_again(struct rules_fixture *l) {
  edge_aside(l, 2, 0);
}

static void edge_aside_next(struct rules_fixture *l) {
  edge_aside(l, 4, 40);
}

/* ---- versions of the RDMA Consortium ---- */

static void edge_rdmac_mixed_later(struct rules_fixture *l) {
  struct fixture_seg s = ddp_version0(fixture_send(2));
  ddp_rdmac(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, ddp_version0(fixture_send(1)));
  s.ddp.rsvdulp |= 0x40;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

const struct rules_case rules_cases_edges[] = {
    {"mpa.rdmac-flags", FIXTURE_NEAR, 0, "M and C beside R", edge_rdmac_rejects, "mpa.rev-rdmac"},
    {"mpa.ird-unspecified", FIXTURE_NEAR, 0, "only one depth", edge_ord_unspecified_alone, NULL},
    {"mpa.ord-unspecified", FIXTURE_NEAR, 0, "only one depth", edge_ird_unspecified_alone, NULL},
    {"mpa.enhanced-length", FIXTURE_SILENT, 0, "3 with Rev 1", edge_s_rev1_short,
     "mpa.enhanced-rev"},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "9 for 3, Rev 2 without S", edge_surplus_no_s, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "surplus, a gap", edge_surplus_gap, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "surplus, lost", edge_surplus_other_reason, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "surplus, later", edge_surplus_later, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "surplus, nothing received",
     edge_surplus_none_received, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "surplus, no ack", edge_surplus_no_ack, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "one received",
     edge_surplus_one_octet_received, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "start unknown",
     edge_surplus_peer_unknown, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "16 for 10, of side 1", edge_second_side_surplus,
     NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "after the Reply", edge_surplus_whole_reply, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "in the Reply", edge_surplus_reply_in_part, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "Reply, more received", edge_surplus_reply_to_more,
     NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "no ack", edge_pd_short_no_ack,
     NULL},
    {"mpa.model-flags", FIXTURE_FAIL, 0, "C in the Reply", edge_c_without_model, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_NEAR, 0, "to its last octet", edge_reply_just_received, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "of side 1", edge_second_side_early, NULL},
    {"mpa.reply-unasked", FIXTURE_FAIL, 0, "of side 0", edge_first_side_replies, NULL},
    {"mpa.responder-first", FIXTURE_NEAR, 0, "to its last octet", edge_first_just_received, NULL},
    {"mpa.after-reject", FIXTURE_NEAR, 0, "all of the Reject", edge_reject_longest, NULL},
    {"mpa.crc", FIXTURE_NEAR, 0, "right, damaged packet", edge_crc_right_damaged, NULL},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION, "maybe a Marker",
     edge_crc_unsettled_markers, NULL},
    {"mpa.responder-first", FIXTURE_NEAR, 0, "after an FPDU without the first Marker",
     edge_no_marker_answered, "mpa.marker-first"},
    {"mpa.marker-first", FIXTURE_FAIL, 0, "a Write of none", edge_no_marker_write, NULL},
    {"mpa.marker-first", FIXTURE_FAIL, 0, "256 octets", edge_no_marker_long, NULL},
    {"mpa.marker-first", FIXTURE_FAIL, 0, "no bit of DDP", edge_no_marker_control, NULL},
    {"mpa.marker-reserved", FIXTURE_NEAR, 0, "one FPDU without", edge_between_markers, NULL},
    {"mpa.marker-pointer", FIXTURE_NEAR, 0, "one FPDU without", edge_between_markers, NULL},
    {"mpa.pad-zero", FIXTURE_FAIL, 0, "past three Markers", edge_pad_past_markers, NULL},
    {"ddp.version-family", FIXTURE_NEAR, 0, "0, Tagged", edge_rdmac_responder, "mpa.rev-rdmac"},
    {"rdmap.version", FIXTURE_FAIL, 0, "Rev 0, 0 and 1", edge_rdmac_mixed, "mpa.rev-rdmac"},
    {"rdmap.version", FIXTURE_FAIL, 0, "Rev 0, 1 and 0", edge_rdmac_mixed_rdmap, "mpa.rev-rdmac"},
    {"ddp.msn-sequence", FIXTURE_NEAR, 0, "past Private Data", edge_past_private_right, NULL},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "past Private Data, wrong", edge_past_private_wrong,
     NULL},
    {"ddp.msn-first", FIXTURE_PASS, 0, "no such queue", edge_no_queue, "rdmap.opcode"},
    {"ddp.message-length", FIXTURE_NEAR, 0, "2^32 - 1 in one", edge_longest_in_one, NULL},
    {"ddp.message-length", FIXTURE_FAIL, 0, "one octet too long", edge_longest_and_one, NULL},
    {"ddp.to-contiguous", FIXTURE_NEAR, 0, "to the last octet", edge_to_last_octets, NULL},
    {"ddp.stag-constant", FIXTURE_NEAR, 0, "of the next message", edge_stag_of_next_message, NULL},
    {"ddp.rsvdulp-constant", FIXTURE_FAIL, 0, "one bit of the STag", edge_invalidate_one_bit, NULL},
    {"rdmap.read-response-stag", FIXTURE_NEAR, 0, "each its own", edge_two_reads, NULL},
    {"rdmap.read-response-to", FIXTURE_NEAR, 0, "each its own", edge_two_reads, NULL},
    {"rdmap.terminate-read-header", FIXTURE_SILENT, 0, "Tagged", edge_read_header_tagged, NULL},
    {"rdmap.terminate-final", FIXTURE_NEAR, 0, "in two segments", edge_terminate_in_two_ends, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "whole, then more", edge_read_whole_then_more,
     NULL},
    {"ddp.message-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION,
     "RV 0 on another queue, no Reply", edge_order_no_version, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "D", edge_term_d, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "D and R", edge_term_d_r, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "M and D", edge_term_m_d, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "M, D and R", edge_term_m_d_r, NULL},
    {"rdmap.terminate-flags", FIXTURE_SILENT, 0, "no code", edge_term_flags_no_code,
     "rdmap.terminate-code"},
    {"rdmap.terminate-flags", FIXTURE_SILENT, 0, "cut header", edge_term_flags_cut,
     "rdmap.terminate-headers"},
    {"rdmap.terminate-headers", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "surplus cut",
     edge_term_surplus_cut, "rdmap.terminate-ddp-header"},
    {"rdmap.terminate-single", FIXTURE_FAIL, 0, "after a gap", edge_term_again_0, NULL},
    {"rdmap.terminate-single", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "its rest",
     edge_term_again_1, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_SILENT, 0, "undecodable", edge_term_after_undecodable,
     NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_SILENT, 0, "short", edge_term_after_short,
     "ddp.header-length"},
    {"rdmap.terminate-final", FIXTURE_SILENT, 0, "SCTP, doubt", edge_sctp_doubt, NULL},
    {"sctp.session-order", FIXTURE_FAIL, 0, "Reject after Accept", edge_sctp_accept_then_reject,
     NULL},
    {"sctp.fragmentation", FIXTURE_NEAR, 0, "three, none fits", edge_sctp_three, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "1 after a gap", edge_sctp_again_after_gap, NULL},
    {"sctp.ddp-ssn", FIXTURE_FAIL, 0, "after one misplaced", edge_sctp_number_after_misplaced,
     "sctp.session-order"},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the other lost",
     edge_sctp_peer_lost, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "payload in its place", edge_marker_displaced, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "another one halfway", edge_marker_halfway_right, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "another one halfway in place of the CRC",
     edge_marker_halfway_crc, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "octets like a Marker that point elsewhere",
     edge_marker_halfway_wrong, "mpa.crc"},
    {"mpa.marker-period", FIXTURE_NEAR, 0, "a wrong pointer", edge_marker_pointer_alone,
     "mpa.marker-pointer"},
    {"rdmap.queue-number", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "a Marker that is none, after a gap", edge_header_marker_wrong, NULL},
    {"rdmap.queue-number", FIXTURE_NEAR, 0, "a Marker that is none, after others",
     edge_header_marker_strayed, "mpa.marker-period"},
    {"ddp.version", FIXTURE_FAIL, 0, "a Marker that is none in it and the next",
     edge_header_strayed_after_version, "mpa.marker-period"},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "4 octets too early, after a wrong CRC",
     edge_header_strayed_after_crc, "mpa.crc"},
    {"mpa.marker-period", FIXTURE_PASS, 0, "Markers are a guess", edge_marker_displaced_inferred,
     NULL},
    {"ddp.last-flag-early", FIXTURE_FAIL, 0, "before the highest MO", edge_last_overtaken, NULL},
    {"ddp.last-flag-early", FIXTURE_NEAR, 0, "with octets that came before", edge_last_twice,
     "ddp.mo-contiguous"},
    {"ddp.last-flag-early", FIXTURE_NEAR, 0, "after the highest MO", edge_last_overlaps,
     "ddp.mo-contiguous"},
    {"ddp.last-flag-early", FIXTURE_NEAR, 0, "the highest MO again", edge_last_again,
     "ddp.mo-contiguous"},
    {"ddp.last-flag-early", FIXTURE_NEAR, 0, "no L", edge_more_overtaken, NULL},
    {"ddp.last-flag-early", FIXTURE_NEAR, 0, "in the message after a long one",
     edge_last_after_a_long_one, "ddp.mo-contiguous"},
    {"ddp.last-flag-early", FIXTURE_NEAR, 0, "in a message after a gap", edge_last_after_a_gap,
     NULL},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "the first again after one inside", edge_aside_again,
     "ddp.last-flag-missing"},
    {"ddp.mo-first", FIXTURE_FAIL, 0, "MO of the first after one inside", edge_aside_next,
     "ddp.last-flag-missing"},
    {"rdmap.version", FIXTURE_FAIL, 0, "Rev 0, 0 and 1 in a later segment", edge_rdmac_mixed_later,
     "mpa.rev-rdmac"},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "another one halfway in the first FPDU",
     edge_marker_halfway_first, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "another one halfway before the CRC",
     edge_marker_halfway_last, NULL},
    {"mpa.marker-period", FIXTURE_PASS, 0, "payload halfway that reads as one",
     edge_payload_halfway, NULL},
};

const size_t rules_cases_edges_num = sizeof(rules_cases_edges) / sizeof(rules_cases_edges[0]);
