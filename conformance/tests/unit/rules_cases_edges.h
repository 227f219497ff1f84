/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases at the very edge of what a rule judges: one step from wrong, one step past what it judges.
 */
#ifndef RULES_CASES_EDGES_H
#define RULES_CASES_EDGES_H

#include "rules_cases_fpdu.h"
#include "rules_cases_rdmap.h"
#include "rules_cases_sctp.h"

/* ---- startup ---- */

static void edge_rdmac_rejects(struct lab *l) {
  const uint8_t both = IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C;
  lab_exchange(l, (struct lab_frame){.flags = both},
               (struct lab_frame){.reply = true, .flags = (uint8_t)(both | IWARP_MPA_FLAG_R)});
}

static void edge_ord_unspecified_alone(struct lab *l) {
  start_depths(l, 8, 0x3FFF, 0x3FFF, 8);
}

static void edge_ird_unspecified_alone(struct lab *l) {
  start_depths(l, 0x3FFF, 8, 8, 0x3FFF);
}

/* Two octets and one: the shortest enhanced data is 4, but with Rev 1 there is none. */
static void edge_s_rev1_short(struct lab *l) {
  const struct lab_frame request = {.flags = IWARP_MPA_FLAG_S, .rev = 1, .pd_length = 3};
  lab_startup(l, LAB_INITIATOR, &request);
}

static void edge_c_without_model(struct lab *l) {
  start_model(l, start_client, (iwarp_mpa_enhanced){.c = true, .ird = 8, .ord = 8});
}

/* Octets that are no FPDU follow a Request: none of these may be held against its PD_Length. */
static void edge_surplus_gap(struct lab *l) {
  l->info.side[LAB_INITIATOR].gap = true;
  start_surplus(l);
}

static void edge_surplus_other_reason(struct lab *l) {
  start_pd(l, 10, 0);
  lab_undecodable(l, LAB_INITIATOR, 6, IWARP_UNDEC_NO_BOUNDARY);
}

static void edge_surplus_later(struct lab *l) {
  start_pd(l, 10, 0);
  l->next[LAB_INITIATOR]++;
  lab_undecodable(l, LAB_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_surplus_no_ack(struct lab *l) {
  l->no_ack = true;
  start_surplus(l);
}

static void edge_surplus_one_octet_received(struct lab *l) {
  start_pd(l, 10, 0);
  l->received = l->next[LAB_RESPONDER] + 1;
  lab_undecodable(l, LAB_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_surplus_peer_unknown(struct lab *l) {
  l->info.side[LAB_RESPONDER].start_known = false;
  start_surplus(l);
}

static void edge_surplus_whole_reply(struct lab *l) {
  start_rev1(l);
  lab_undecodable(l, LAB_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_surplus_reply_in_part(struct lab *l) {
  start_rev1(l);
  l->received = l->next[LAB_RESPONDER] - 1;
  lab_undecodable(l, LAB_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_surplus_reply_to_more(struct lab *l) {
  start_rev1(l);
  l->received = l->next[LAB_INITIATOR] + 1;
  lab_undecodable(l, LAB_RESPONDER, 6, IWARP_UNDEC_NOT_FPDU);
}

static void edge_pd_short_no_ack(struct lab *l) {
  l->no_ack = true;
  start_pd_short_alone(l);
}

/* ---- who sends first ---- */

static void edge_swap_roles(struct lab *l) {
  l->info.side[0].role = IWARP_ROLE_RESPONDER;
  l->info.side[1].role = IWARP_ROLE_INITIATOR;
}

/* The Initiator is the second side; where the first begins becomes known at its end. */
static void edge_second_side_early(struct lab *l) {
  const struct lab_frame request = {.rev = 1};
  edge_swap_roles(l);
  l->info.side[0].start_known = false;
  lab_startup(l, 1, &request);
  lab_settle(l);
  lab_fpdu(l, 1, lab_send(1));
  l->info.side[0].start_known = true;
  lab_end(l, 0, IWARP_END_FIN);
}

/* The Responder is the first side. */
static void edge_first_side_replies(struct lab *l) {
  const struct lab_frame reply = lab_reply();
  edge_swap_roles(l);
  l->info.side[1].start_known = false;
  lab_startup(l, 0, &reply);
  l->info.side[1].start_known = true;
  lab_end(l, 1, IWARP_END_FIN);
  lab_end(l, 0, IWARP_END_FIN);
}

static void edge_reply_just_received(struct lab *l) {
  struct lab_frame reply = lab_reply();
  reply.pd_length = IWARP_MPA_PRIVATE_DATA_MAX;
  lab_exchange(l, lab_request(), reply);
  l->received = l->info.side[LAB_RESPONDER].startup_end;
  lab_fpdu(l, LAB_INITIATOR, lab_send(1));
}

static void edge_first_just_received(struct lab *l) {
  lab_open(l);
  lab_fpdu(l, LAB_INITIATOR, lab_send(1));
  const uint64_t end = l->next[LAB_INITIATOR];
  lab_fpdu(l, LAB_INITIATOR, lab_send(2));
  l->received = end;
  lab_fpdu(l, LAB_RESPONDER, lab_send(1));
}

static void edge_reject_longest(struct lab *l) {
  struct lab_frame reply = lab_reply();
  reply.flags |= IWARP_MPA_FLAG_R;
  reply.pd_length = IWARP_MPA_PRIVATE_DATA_MAX;
  lab_exchange(l, lab_request(), reply);
  lab_end(l, LAB_INITIATOR, IWARP_END_RST);
}

/* ---- FPDUs ---- */

static void edge_crc_right_damaged(struct lab *l) {
  lab_begin_with(l, LAB_C);
  l->damaged = true;
  lab_fpdu(l, LAB_INITIATOR, lab_write());
}

/* Where a Marker is due stand 13 or 14 octets of an FPDU that is no Send. */
static void edge_no_marker(struct lab *l, uint16_t length, uint16_t control) {
  struct lab_seg s = lab_send(1);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = length, .fpduptr = control};
  lab_open_with(l, LAB_M);
  lab_fpdu(l, LAB_INITIATOR, s);
}

static void edge_no_marker_write(struct lab *l) {
  edge_no_marker(l, 14, 0x8140);
}

static void edge_no_marker_long(struct lab *l) {
  edge_no_marker(l, 0x0100, 0x0140);
}

/* What may be a Marker where it is not settled that there are none. */
static void edge_crc_unsettled_markers(struct lab *l) {
  struct lab_seg s = {.short_ulpdu = true, .crc_flip = 0x43413000};
  lab_open_with(l, LAB_C);
  l->info.side[LAB_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  l->crc_is = true;
  lab_fpdu(l, LAB_INITIATOR, s);
  l->crc_is = false;
}

/* An FPDU in which no Marker stands is not judged for its Markers. */
static void edge_between_markers(struct lab *l) {
  lab_begin_with(l, LAB_M);
  lab_fpdu(l, LAB_INITIATOR, lab_send(2));
}

/* Three Markers stand between the header and the pad. */
static void edge_pad_past_markers(struct lab *l) {
  struct lab_seg s = lab_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 1501);
  s.pad[1] = 9;
  lab_begin_with(l, LAB_M);
  lab_fpdu(l, LAB_INITIATOR, s);
}

static void edge_rdmac_responder(struct lab *l) {
  ddp_rdmac(l);
  lab_fpdu(l, LAB_INITIATOR, ddp_version0(lab_write()));
  lab_fpdu(l, LAB_RESPONDER, ddp_version0(lab_write()));
}

/* DV of the RDMA Consortium, RV of the IETF. */
static void edge_rdmac_mixed(struct lab *l) {
  struct lab_seg s = lab_send(1);
  ddp_rdmac(l);
  s.ddp.dv = 0;
  lab_fpdu(l, LAB_INITIATOR, s);
}

/* ---- DDP ---- */

static void edge_longest_in_one(struct lab *l) {
  struct lab_seg s = lab_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 40);
  s.claim = UINT32_MAX;
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, s);
}

/* The longest message, and one octet more. */
static void edge_longest_and_one(struct lab *l) {
  struct lab_seg s = lab_more(lab_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 40));
  s.claim = UINT32_MAX;
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, s);
  s.ddp.to = UINT32_MAX;
  s.claim = 1;
  lab_fpdu(l, LAB_INITIATOR, s);
}

static void edge_to_last_octets(struct lab *l) {
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, lab_more(queue_tagged(1, UINT64_MAX - 79)));
  lab_fpdu(l, LAB_INITIATOR, lab_tagged(IWARP_RDMAP_OP_WRITE, 1, UINT64_MAX - 39, 39));
}

static void edge_stag_of_next_message(struct lab *l) {
  lab_begin(l);
  for (uint32_t stag = 1; stag < 3; stag++) {
    lab_fpdu(l, LAB_INITIATOR, lab_more(queue_tagged(stag, 100 + 80 * (uint64_t)stag)));
    lab_fpdu(l, LAB_INITIATOR, queue_tagged(stag, 140 + 80 * (uint64_t)stag));
  }
}

static void edge_invalidate_one_bit(struct lab *l) {
  struct lab_seg s = lab_untagged(IWARP_RDMAP_OP_SEND_INV, 2, 0, 40);
  lab_begin(l);
  s.ddp.rsvdulp_word = 0x12345678;
  lab_fpdu(l, LAB_INITIATOR, lab_more(s));
  s.ddp.mo = 40;
  s.ddp.rsvdulp_word = 0x92345678;
  lab_fpdu(l, LAB_INITIATOR, s);
}

/* ---- RDMAP ---- */

static void edge_two_reads(struct lab *l) {
  lab_begin(l);
  lab_read(l, LAB_INITIATOR, 1, 60);
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const iwarp_rdmap_read_req req = {.sink_stag = 7, .sink_to = 70, .size = 30};
  size_t len = 0;
  iwarp_rdmap_read_req_encode(octets, sizeof(octets), &len, &req);
  lab_fpdu(l, LAB_INITIATOR, lab_with(lab_untagged(IWARP_RDMAP_OP_READ_REQ, 2, 0, 0), octets, len));
  lab_fpdu(l, LAB_RESPONDER, lab_read_response(60));
  lab_fpdu(l, LAB_RESPONDER, lab_tagged(IWARP_RDMAP_OP_READ_RESP, 7, 70, 30));
}

/* A Tagged header names no Request by its MSN, whatever its opcode is. */
static void edge_read_header_tagged(struct lab *l) {
  static const uint8_t header[IWARP_RDMAP_READ_REQ_LEN] = {0};
  const struct lab_seg s = lab_tagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 28);
  iwarp_rdmap_term t = {.etype = 1, .m = true, .r = true};
  t.rdma_header = (iwarp_span){header, sizeof(header)};
  lab_begin(l);
  lab_gap(l, LAB_RESPONDER, 50, IWARP_GAP_LOST);
  term_returning(l, t, &s);
}

static void edge_terminate_in_two_ends(struct lab *l) {
  term_halves(l);
  lab_end(l, LAB_INITIATOR, IWARP_END_FIN);
}

/* All that was asked for, in a segment that does not end the message; then more. */
static void edge_read_whole_then_more(struct lab *l) {
  lab_begin(l);
  lab_read(l, LAB_INITIATOR, 1, 60);
  lab_fpdu(l, LAB_RESPONDER, lab_more(lab_read_response(60)));
  lab_fpdu(l, LAB_RESPONDER, lab_tagged(IWARP_RDMAP_OP_READ_RESP, LAB_SINK, LAB_SINK_TO + 60, 1));
}

/* A Terminate with the header of a Read Request, where none is due. */
static void edge_term_flags(struct lab *l, bool m, bool r) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const struct lab_seg s = lab_read_request(octets, 1, 100);
  const iwarp_rdmap_term t = {
      .m = m, .r = r, .rdma_header = {octets, r ? IWARP_RDMAP_READ_REQ_LEN : 0}};
  lab_begin(l);
  lab_fpdu(l, LAB_RESPONDER, s);
  term_returning(l, t, &s);
}

static void edge_term_d(struct lab *l) {
  edge_term_flags(l, false, false);
}

static void edge_term_d_r(struct lab *l) {
  edge_term_flags(l, false, true);
}

static void edge_term_m_d(struct lab *l) {
  edge_term_flags(l, true, false);
}

static void edge_term_m_d_r(struct lab *l) {
  edge_term_flags(l, true, true);
}

/* Flags that are wrong are not asked about where the code is none, or a header is cut. */
static void edge_term_flags_no_code(struct lab *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 0x77});
}

static void edge_term_flags_cut(struct lab *l) {
  static const uint8_t rest[17] = {0x41, 0x43};
  term_sent(l, (iwarp_rdmap_term){.layer = 2,
                                  .code = 2,
                                  .m = true,
                                  .d = true,
                                  .has_ddp_segment_length = true,
                                  .rest = {rest, sizeof(rest)}});
}

/* What follows the RDMA header is not captured. */
static void edge_term_surplus_cut(struct lab *l) {
  uint8_t octets[72] = {0x01, 0, 0xE0, 0, 0, 46, 0x41, 0x41};
  struct lab_seg s = lab_with(lab_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, 72);
  octets[15] = 1; /* QN of Read Requests */
  octets[19] = 1;
  s.cut = 2 + IWARP_DDP_UNTAGGED_LEN + 52;
  lab_begin(l);
  lab_fpdu(l, LAB_INITIATOR, s);
}

/* A Terminate after what was lost: from its first octet on it is another one. */
static void edge_term_again(struct lab *l, uint32_t mo) {
  uint8_t octets[4] = {0x20, 5};
  lab_begin(l);
  lab_terminate_mpa(l, LAB_INITIATOR, 1);
  lab_gap(l, LAB_INITIATOR, 34, IWARP_GAP_LOST);
  l->lost[LAB_INITIATOR] = false;
  lab_fpdu(l, LAB_INITIATOR, term_part(octets, mo, 4));
}

static void edge_term_again_0(struct lab *l) {
  edge_term_again(l, 0);
}

static void edge_term_again_1(struct lab *l) {
  edge_term_again(l, 1);
}

/* The header that is returned may have been in octets that say nothing; that is no gap. */
static void edge_term_after_undecodable(struct lab *l) {
  const struct lab_seg s = lab_send(9);
  lab_begin(l);
  lab_undecodable(l, LAB_RESPONDER, 6, IWARP_UNDEC_NOT_FPDU);
  term_returning(l, term_untagged, &s);
}

static void edge_term_after_short(struct lab *l) {
  const struct lab_seg s = lab_send(9);
  struct lab_seg cut = {.short_ulpdu = true};
  cut.ulpdu_len = 9;
  lab_begin(l);
  lab_fpdu(l, LAB_RESPONDER, cut);
  term_returning(l, term_untagged, &s);
}

/* ---- SCTP ---- */

/* After what casts doubt on the session there is no Terminate either. */
static void edge_sctp_doubt(struct lab *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEGMENT(l, 0, 2, .acked = true, .doubt = true);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void edge_sctp_accept_then_reject(struct lab *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 3, .ssn = 1, .acked = true,
            .reason = IWARP_SCTP_REASON_SEQUENCE, .verdict = IWARP_SCTP_ILLEGAL);
}

/* A message that had no place took its number. */
static void edge_sctp_number_after_misplaced(struct lab *l) {
  sctp_order_accept_twice(l);
  SCTP_SEND(l, .side = 1, .segment = true, .ssn = 1, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
}

static void edge_sctp_three(struct lab *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .fragments = 3);
}

/* What is missing took its numbers too. */
static void edge_sctp_again_after_gap(struct lab *l) {
  sctp_open(l);
  sctp_gap(l, true, false);
  SCTP_SEND(l, .segment = true, .ssn = 1, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
}

static void edge_sctp_peer_lost(struct lab *l) {
  sctp_open(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  l->lost[LAB_INITIATOR] = true;
  SCTP_SEGMENT(l, 1, 2, .reason = IWARP_SCTP_REASON_SEQUENCE, .verdict = IWARP_SCTP_ILLEGAL);
}

static const struct lab_case cases_edges[] = {
    {"mpa.rdmac-flags", LAB_NEAR, 0, "M and C beside R", edge_rdmac_rejects, "mpa.rev-rdmac"},
    {"mpa.ird-unspecified", LAB_NEAR, 0, "only one depth", edge_ord_unspecified_alone, NULL},
    {"mpa.ord-unspecified", LAB_NEAR, 0, "only one depth", edge_ird_unspecified_alone, NULL},
    {"mpa.enhanced-length", LAB_SILENT, 0, "3 with Rev 1", edge_s_rev1_short, "mpa.enhanced-rev"},
    {"mpa.pd-length-match", LAB_NEAR, 0, "surplus, a gap", edge_surplus_gap, NULL},
    {"mpa.pd-length-match", LAB_NEAR, 0, "surplus, lost", edge_surplus_other_reason, NULL},
    {"mpa.pd-length-match", LAB_NEAR, 0, "surplus, later", edge_surplus_later, NULL},
    {"mpa.pd-length-match", LAB_NEAR, 0, "surplus, no ack", edge_surplus_no_ack, NULL},
    {"mpa.pd-length-match", LAB_NEAR, 0, "one received", edge_surplus_one_octet_received, NULL},
    {"mpa.pd-length-match", LAB_NEAR, 0, "start unknown", edge_surplus_peer_unknown, NULL},
    {"mpa.pd-length-match", LAB_NEAR, 0, "after the Reply", edge_surplus_whole_reply, NULL},
    {"mpa.pd-length-match", LAB_FAIL, 0, "in the Reply", edge_surplus_reply_in_part, NULL},
    {"mpa.pd-length-match", LAB_NEAR, 0, "Reply, more received", edge_surplus_reply_to_more, NULL},
    {"mpa.pd-length-match", LAB_UNSURE, IWARP_WHY_GAP, "no ack", edge_pd_short_no_ack, NULL},
    {"mpa.model-flags", LAB_FAIL, 0, "C in the Reply", edge_c_without_model, NULL},
    {"mpa.fpdu-before-reply", LAB_NEAR, 0, "to its last octet", edge_reply_just_received, NULL},
    {"mpa.fpdu-before-reply", LAB_FAIL, 0, "of side 1", edge_second_side_early, NULL},
    {"mpa.reply-unasked", LAB_FAIL, 0, "of side 0", edge_first_side_replies, NULL},
    {"mpa.responder-first", LAB_NEAR, 0, "to its last octet", edge_first_just_received, NULL},
    {"mpa.after-reject", LAB_NEAR, 0, "all of the Reject", edge_reject_longest, NULL},
    {"mpa.crc", LAB_NEAR, 0, "right, damaged packet", edge_crc_right_damaged, NULL},
    {"mpa.crc", LAB_UNSURE, IWARP_WHY_NO_NEGOTIATION, "maybe a Marker", edge_crc_unsettled_markers,
     NULL},
    {"mpa.marker-first", LAB_FAIL, 0, "a Write of none", edge_no_marker_write, NULL},
    {"mpa.marker-first", LAB_FAIL, 0, "256 octets", edge_no_marker_long, NULL},
    {"mpa.marker-reserved", LAB_NEAR, 0, "one FPDU without", edge_between_markers, NULL},
    {"mpa.marker-pointer", LAB_NEAR, 0, "one FPDU without", edge_between_markers, NULL},
    {"mpa.pad-zero", LAB_FAIL, 0, "past three Markers", edge_pad_past_markers, NULL},
    {"ddp.version-family", LAB_NEAR, 0, "0, Tagged", edge_rdmac_responder, "mpa.rev-rdmac"},
    {"ddp.version-family", LAB_FAIL, 0, "0 and 1", edge_rdmac_mixed, "mpa.rev-rdmac"},
    {"ddp.message-length", LAB_NEAR, 0, "2^32 - 1 in one", edge_longest_in_one, NULL},
    {"ddp.message-length", LAB_FAIL, 0, "one octet too long", edge_longest_and_one, NULL},
    {"ddp.to-contiguous", LAB_NEAR, 0, "to the last octet", edge_to_last_octets, NULL},
    {"ddp.stag-constant", LAB_NEAR, 0, "of the next message", edge_stag_of_next_message, NULL},
    {"ddp.rsvdulp-constant", LAB_FAIL, 0, "one bit of the STag", edge_invalidate_one_bit, NULL},
    {"rdmap.read-response-stag", LAB_NEAR, 0, "each its own", edge_two_reads, NULL},
    {"rdmap.read-response-to", LAB_NEAR, 0, "each its own", edge_two_reads, NULL},
    {"rdmap.terminate-read-header", LAB_SILENT, 0, "Tagged", edge_read_header_tagged, NULL},
    {"rdmap.terminate-final", LAB_NEAR, 0, "in two segments", edge_terminate_in_two_ends, NULL},
    {"rdmap.read-response-length", LAB_FAIL, 0, "whole, then more", edge_read_whole_then_more,
     NULL},
    {"rdmap.terminate-flags", LAB_FAIL, 0, "D", edge_term_d, NULL},
    {"rdmap.terminate-flags", LAB_FAIL, 0, "D and R", edge_term_d_r, NULL},
    {"rdmap.terminate-flags", LAB_FAIL, 0, "M and D", edge_term_m_d, NULL},
    {"rdmap.terminate-flags", LAB_FAIL, 0, "M, D and R", edge_term_m_d_r, NULL},
    {"rdmap.terminate-flags", LAB_SILENT, 0, "no code", edge_term_flags_no_code,
     "rdmap.terminate-code"},
    {"rdmap.terminate-flags", LAB_SILENT, 0, "cut header", edge_term_flags_cut,
     "rdmap.terminate-headers"},
    {"rdmap.terminate-headers", LAB_UNSURE, IWARP_WHY_GAP, "surplus cut", edge_term_surplus_cut,
     "rdmap.terminate-ddp-header"},
    {"rdmap.terminate-single", LAB_FAIL, 0, "after a gap", edge_term_again_0, NULL},
    {"rdmap.terminate-single", LAB_UNSURE, IWARP_WHY_GAP, "its rest", edge_term_again_1, NULL},
    {"rdmap.terminate-ddp-header", LAB_SILENT, 0, "undecodable", edge_term_after_undecodable, NULL},
    {"rdmap.terminate-ddp-header", LAB_SILENT, 0, "short", edge_term_after_short,
     "ddp.header-length"},
    {"rdmap.terminate-final", LAB_SILENT, 0, "SCTP, doubt", edge_sctp_doubt, NULL},
    {"sctp.session-order", LAB_FAIL, 0, "Reject after Accept", edge_sctp_accept_then_reject, NULL},
    {"sctp.fragmentation", LAB_NEAR, 0, "three, none fits", edge_sctp_three, NULL},
    {"sctp.ddp-ssn", LAB_FAIL, 0, "1 after a gap", edge_sctp_again_after_gap, NULL},
    {"sctp.ddp-ssn", LAB_FAIL, 0, "after one misplaced", edge_sctp_number_after_misplaced,
     "sctp.session-order"},
    {"sctp.session-order", LAB_UNSURE, IWARP_WHY_GAP, "the other lost", edge_sctp_peer_lost, NULL},
};

#endif
