/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on startup frames and on who sends first. */

#include "rules_cases.h"

static void start_good(struct rules_fixture *l) {
  fixture_open(l);
}

void start_rev1(struct rules_fixture *l) {
  fixture_exchange(l, (struct fixture_frame){.rev = 1, .flags = IWARP_MPA_FLAG_C},
                   (struct fixture_frame){.reply = true, .rev = 1, .pd_length = 512});
}

void start_request_only(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

void start_reply_only(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  l->info.side[0].start_known = false;
  l->received = FIXTURE_START_0 + 40;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

/* ---- keys ---- */

static void start_no_request_key(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  fixture_streaming(l, FIXTURE_INITIATOR, 40);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_wrong_request_key(struct rules_fixture *l) {
  struct fixture_frame request = fixture_request();
  request.wrong_key = true;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

static void start_wrong_request_key_joined(struct rules_fixture *l) {
  l->info.side[0].start_known = false;
  start_wrong_request_key(l);
}

static void start_no_request_key_gap(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  fixture_gap(l, FIXTURE_INITIATOR, 20, IWARP_GAP_LOST);
  fixture_streaming(l, FIXTURE_INITIATOR, 40);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_streaming_first(struct rules_fixture *l) {
  fixture_streaming(l, FIXTURE_INITIATOR, 40);
  fixture_streaming(l, FIXTURE_RESPONDER, 9);
  fixture_open(l);
}

static void start_wrong_reply_key(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.wrong_key = true;
  fixture_exchange(l, fixture_request(), reply);
}

static void start_wrong_reply_key_joined(struct rules_fixture *l) {
  l->info.side[1].start_known = false;
  start_wrong_reply_key(l);
}

static void start_two_requests(struct rules_fixture *l) {
  fixture_exchange(l, fixture_request(), fixture_request());
}

static void start_crossing_requests(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->received = l->next[0] - 1;
  fixture_startup(l, FIXTURE_RESPONDER, &request);
}

static void start_two_requests_no_ack(struct rules_fixture *l) {
  l->no_ack = true;
  start_two_requests(l);
}

static void start_reply_too_early(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  const struct fixture_frame reply = fixture_reply();
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->received = l->next[0] - 1;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_reply_to_nothing(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_reply_to_nothing_late(struct rules_fixture *l) {
  l->info.side[0].start_known = false;
  start_reply_to_nothing(l);
  l->info.side[0].start_known = true;
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_no_ack(struct rules_fixture *l) {
  l->no_ack = true;
  fixture_open(l);
}

/* ---- flags and revision ---- */

static void start_request_flags(struct rules_fixture *l, uint8_t flags, uint8_t rev) {
  const struct fixture_frame request = {.flags = flags, .rev = rev, .pd_length = 4};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

static void start_reserved_flag(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_S | 0x08, 2);
}

static void start_damaged(struct rules_fixture *l) {
  l->damaged = true;
  start_request_flags(l, IWARP_MPA_FLAG_S | 0x08, 2);
}

static void start_all_flags(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.flags = 0xF0;
  fixture_exchange(l, fixture_request(), reply);
}

static void start_reserved_low(struct rules_fixture *l) {
  start_request_flags(l, 0x01, 1);
}

static void start_request_rejects(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_R, 1);
}

static void start_reply_rejects(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.flags |= IWARP_MPA_FLAG_R;
  fixture_exchange(l, fixture_request(), reply);
}

static void start_rev3(struct rules_fixture *l) {
  start_request_flags(l, 0, 3);
}

static void start_rdmac(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C, 0);
}

static void start_rdmac_no_markers(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_C, 0);
}

static void start_rdmac_no_crc(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_M, 0);
}

static void start_rev1_no_flags(struct rules_fixture *l) {
  start_request_flags(l, 0, 1);
}

static void start_reply_higher(struct rules_fixture *l) {
  fixture_exchange(l, (struct fixture_frame){.rev = 1},
                   (struct fixture_frame){.reply = true, .rev = 2});
}

static void start_reply_lower(struct rules_fixture *l) {
  fixture_exchange(l, (struct fixture_frame){.rev = 2},
                   (struct fixture_frame){.reply = true, .rev = 1});
}

/* ---- Private Data ---- */

void start_pd(struct rules_fixture *l, uint16_t pd_length, uint16_t missing) {
  const struct fixture_frame request = {.rev = 1, .pd_length = pd_length, .missing = missing};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

static void start_pd_513(struct rules_fixture *l) {
  start_pd(l, 513, 0);
}

static void start_pd_512(struct rules_fixture *l) {
  start_pd(l, 512, 0);
}

static void start_pd_short_fin(struct rules_fixture *l) {
  fixture_streaming(l, FIXTURE_RESPONDER, 1);
  start_pd(l, 20, 16);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

void start_pd_short_alone(struct rules_fixture *l) {
  start_pd(l, 20, 16);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void start_pd_short_then_fin(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_pd_short_alone(l);
  l->info.side[FIXTURE_RESPONDER].start_known = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_pd_short_one_way(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_pd_short_alone(l);
}

static void start_pd_short_after_peer(struct rules_fixture *l) {
  fixture_streaming(l, FIXTURE_RESPONDER, 1);
  start_pd(l, 20, 16);
  l->received = l->next[1] + 1; /* the other side's FIN */
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* What the peer had sent before, at least its FIN, is not in the capture. */
static void start_pd_short_after_gap(struct rules_fixture *l) {
  start_pd(l, 20, 16);
  fixture_gap(l, 1, 1, IWARP_GAP_LOST);
  fixture_end(l, 0, IWARP_END_FIN);
}

static void start_pd_short_rst(struct rules_fixture *l) {
  start_pd(l, 20, 16);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

static void start_pd_gap(struct rules_fixture *l) {
  l->info.side[0].gap = true;
  start_pd(l, 20, 16);
}

void start_surplus(struct rules_fixture *l) {
  start_pd(l, 10, 0);
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

/* Where the Responder begins is known once it ends. */
static void start_surplus_known_late(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_surplus(l);
  l->info.side[FIXTURE_RESPONDER].start_known = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* The Reply came after them, or before them, or after a gap in which the true one may lie. */
static void start_surplus_then_reply(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  fixture_streaming(l, FIXTURE_RESPONDER, 8);
  start_surplus(l);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_surplus_reply_received(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  start_pd(l, 10, 0);
  l->received = l->next[FIXTURE_RESPONDER] + 20;
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
  l->received = 0;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_surplus_gap_reply(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  fixture_streaming(l, FIXTURE_RESPONDER, 8);
  start_surplus(l);
  fixture_gap(l, FIXTURE_RESPONDER, 4, IWARP_GAP_LOST);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* After a wrong key nothing may be a PD_Length. */
static void start_surplus_wrong_key(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1, .pd_length = 10, .wrong_key = true};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void start_pd_short_wrong_key(struct rules_fixture *l) {
  const struct fixture_frame request = {
      .rev = 1, .pd_length = 20, .missing = 16, .wrong_key = true};
  fixture_streaming(l, FIXTURE_RESPONDER, 1);
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void start_surplus_reply(struct rules_fixture *l) {
  start_rev1(l);
  fixture_undecodable(l, FIXTURE_RESPONDER, 6, IWARP_UNDEC_NOT_FPDU);
}

/* ---- enhanced ---- */

static void start_s_rev1(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_S, 1);
}

static void start_s_short(struct rules_fixture *l) {
  const struct fixture_frame request = {.flags = IWARP_MPA_FLAG_S, .rev = 2, .pd_length = 3};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

static void start_s_exact(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_S, 2);
}

static void start_s_not_answered(struct rules_fixture *l) {
  fixture_exchange(l, fixture_request(), (struct fixture_frame){.reply = true, .rev = 2});
}

static void start_s_unasked(struct rules_fixture *l) {
  fixture_exchange(l, (struct fixture_frame){.rev = 2}, fixture_reply());
}

void start_model(struct rules_fixture *l, iwarp_mpa_enhanced asked, iwarp_mpa_enhanced answered) {
  struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  request.enh = asked;
  reply.enh = answered;
  fixture_exchange(l, request, reply);
}

static const iwarp_mpa_enhanced start_peer_write = {.a = true, .c = true, .ird = 8, .ord = 8};
const iwarp_mpa_enhanced start_client = {.ird = 8, .ord = 8};

static void start_model_dropped(struct rules_fixture *l) {
  start_model(l, start_peer_write, start_client);
}

static void start_model_added(struct rules_fixture *l) {
  start_model(l, start_client, start_peer_write);
}

static void start_model_peer(struct rules_fixture *l) {
  start_model(l, start_peer_write, start_peer_write);
}

static void start_rtr_without_model(struct rules_fixture *l) {
  start_model(l, (iwarp_mpa_enhanced){.d = true, .ird = 8, .ord = 8}, start_client);
}

static void start_b_without_model(struct rules_fixture *l) {
  start_model(l, start_client, (iwarp_mpa_enhanced){.b = true, .ird = 8, .ord = 8});
}

static void start_none_offered(struct rules_fixture *l) {
  start_model(l, (iwarp_mpa_enhanced){.a = true, .ird = 8, .ord = 8}, start_peer_write);
}

static void start_one_offered(struct rules_fixture *l) {
  start_model(l, (iwarp_mpa_enhanced){.a = true, .b = true, .ird = 8, .ord = 8}, start_peer_write);
}

static void start_none_supported(struct rules_fixture *l) {
  start_model(l, start_peer_write, (iwarp_mpa_enhanced){.a = true, .ird = 8, .ord = 8});
}

void start_depths(struct rules_fixture *l, uint16_t ird, uint16_t ord, uint16_t reply_ird,
                  uint16_t reply_ord) {
  start_model(l, (iwarp_mpa_enhanced){.ird = ird, .ord = ord},
              (iwarp_mpa_enhanced){.ird = reply_ird, .ord = reply_ord});
}

static void start_ird_number(struct rules_fixture *l) {
  start_depths(l, 8, 0x3FFF, 0x3FFE, 8);
}

static void start_ord_number(struct rules_fixture *l) {
  start_depths(l, 0x3FFF, 8, 8, 0x3FFE);
}

void start_both_unspecified(struct rules_fixture *l) {
  start_depths(l, 0x3FFF, 0x3FFF, 0x3FFF, 0x3FFF);
}

static void start_opts_out(struct rules_fixture *l) {
  start_depths(l, 8, 8, 0x3FFF, 0x3FFF);
}

static void start_ord_above(struct rules_fixture *l) {
  start_depths(l, 8, 8, 8, 9);
}

static void start_ord_equal(struct rules_fixture *l) {
  start_depths(l, 8, 8, 0, 8);
}

static void start_ord_above_reject(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.flags |= IWARP_MPA_FLAG_R;
  reply.enh.ord = 100;
  fixture_exchange(l, fixture_request(), reply);
}

/* ---- first FPDUs ---- */

static void first_good(struct rules_fixture *l) {
  fixture_begin(l);
}

static void first_initiator_early(struct rules_fixture *l) {
  fixture_open(l);
  l->received = l->next[1] - 1;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void first_initiator_with_request(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void first_initiator_wrong_reply(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  reply.wrong_key = true;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void first_initiator_reply_inconclusive(struct rules_fixture *l) {
  l->info.side[1].start_known = false;
  first_initiator_wrong_reply(l);
}

static void first_two_requests(struct rules_fixture *l) {
  fixture_exchange(l, fixture_request(), fixture_request());
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void first_initiator_with_request_late(struct rules_fixture *l) {
  l->info.side[1].start_known = false;
  first_initiator_with_request(l);
  l->info.side[1].start_known = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

/* The Responder had sent streaming data: its Reply comes after them. */
static void first_initiator_before_late_reply(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  fixture_streaming(l, FIXTURE_RESPONDER, 8);
  first_initiator_with_request(l);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The same with a gap, in which the Reply may lie. */
static void first_initiator_before_unconfirmed_reply(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  fixture_streaming(l, FIXTURE_RESPONDER, 8);
  first_initiator_with_request(l);
  fixture_gap(l, FIXTURE_RESPONDER, 4, IWARP_GAP_LOST);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void first_initiator_no_reply(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->next[1] += 100;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void first_no_ack(struct rules_fixture *l) {
  fixture_open(l);
  l->no_ack = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

static void first_responder(struct rules_fixture *l) {
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
}

static void first_responder_half(struct rules_fixture *l) {
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  l->received = l->next[0] - 1;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

/* The first FPDU is under way: some of it was received, none of it is whole. */
static void first_responder_partial(struct rules_fixture *l) {
  fixture_open(l);
  l->received = l->next[FIXTURE_INITIATOR] + 4;
  l->info.side[FIXTURE_INITIATOR].partial_end = l->received;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

static void first_responder_gap(struct rules_fixture *l) {
  fixture_open(l);
  fixture_gap(l, FIXTURE_INITIATOR, 60, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

static void first_after_reject(struct rules_fixture *l) {
  start_reply_rejects(l);
  fixture_undecodable(l, FIXTURE_INITIATOR, 84, IWARP_UNDEC_AFTER_REJECT);
}

static void first_reject_end(struct rules_fixture *l) {
  start_reply_rejects(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* ---- RTR ---- */

static void rtr_open(struct rules_fixture *l, iwarp_mpa_enhanced asked,
                     iwarp_mpa_enhanced answered) {
  start_model(l, asked, answered);
}

static void rtr_open_all(struct rules_fixture *l) {
  const iwarp_mpa_enhanced all = {.a = true, .b = true, .c = true, .d = true, .ird = 8, .ord = 8};
  rtr_open(l, all, all);
}

static void rtr_send(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 0));
}

static void rtr_write(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0));
}

static void rtr_read(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 0);
}

static void rtr_terminate(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
}

static void rtr_long_send(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 1));
}

static void rtr_long_read(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 1);
}

static void rtr_se(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND_SE, 1, 0, 0));
}

static void rtr_cut_read(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_seg s = fixture_read_request(octets, 1, 0);
  s.cut = 30;
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void rtr_wrong_type(struct rules_fixture *l) {
  rtr_open(l, start_peer_write, (iwarp_mpa_enhanced){.a = true, .d = true, .ird = 8, .ord = 8});
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0));
}

static void rtr_not_negotiated(struct rules_fixture *l) {
  const iwarp_mpa_enhanced both = {.a = true, .c = true, .d = true, .ird = 8, .ord = 8};
  rtr_open(l, both, start_peer_write);
  fixture_read(l, FIXTURE_INITIATOR, 1, 0);
}

static void rtr_negotiated(struct rules_fixture *l) {
  const iwarp_mpa_enhanced both = {.a = true, .c = true, .d = true, .ird = 8, .ord = 8};
  rtr_open(l, both, start_peer_write);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0));
}

static void rtr_mismatch_code(struct rules_fixture *l, uint8_t layer, uint8_t code) {
  const iwarp_rdmap_term t = {.layer = layer, .etype = layer == 0 ? 2 : 0, .code = code};
  rtr_open(l, start_peer_write, (iwarp_mpa_enhanced){.a = true, .d = true, .ird = 8, .ord = 8});
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void rtr_mismatch_good(struct rules_fixture *l) {
  rtr_mismatch_code(l, 2, 7);
}

static void rtr_mismatch_no_cause(struct rules_fixture *l) {
  rtr_mismatch_code(l, 2, 6);
}

static void rtr_mismatch_local(struct rules_fixture *l) {
  rtr_mismatch_code(l, 2, 5);
}

static void rtr_mismatch_numbers(struct rules_fixture *l, uint16_t ird, uint16_t ord) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 6};
  iwarp_mpa_enhanced asked = start_peer_write;
  asked.ird = ird;
  rtr_open(l, asked, (iwarp_mpa_enhanced){.a = true, .d = true, .ird = 8, .ord = ord});
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void rtr_mismatch_ird(struct rules_fixture *l) {
  rtr_mismatch_numbers(l, 8, 9);
}

static void rtr_mismatch_any_ird(struct rules_fixture *l) {
  rtr_mismatch_numbers(l, IWARP_MPA_DEPTH_UNSPEC, IWARP_MPA_DEPTH_UNSPEC);
}

static void rtr_mismatch_any_ord(struct rules_fixture *l) {
  rtr_mismatch_numbers(l, 8, IWARP_MPA_DEPTH_UNSPEC);
}

static void rtr_mismatch_crc(struct rules_fixture *l) {
  rtr_mismatch_code(l, 2, 4);
}

static void rtr_mismatch_after_octets(struct rules_fixture *l) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 2};
  start_model(l, (iwarp_mpa_enhanced){.a = true, .b = true, .ird = 4, .ord = 4},
              (iwarp_mpa_enhanced){.a = true, .c = true, .ird = 4, .ord = 4});
  l->received = l->next[FIXTURE_RESPONDER] + 20;
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void rtr_mismatch_swapped(struct rules_fixture *l) {
  rtr_mismatch_code(l, 0, 7);
}

static void rtr_mismatch_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4);
  s.cut = 21;
  rtr_open(l, start_peer_write, (iwarp_mpa_enhanced){.a = true, .d = true, .ird = 8, .ord = 8});
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void rtr_read_too_deep(struct rules_fixture *l) {
  rtr_read(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

/* ---- what may only look like a startup frame ---- */

static struct fixture_frame look_alike(bool reply) {
  struct fixture_frame f = fixture_request();
  f.reply = reply;
  f.rev = 7;
  return f;
}

/* The stream was joined: payload may hold these octets. */
static void look_joined(struct rules_fixture *l) {
  const struct fixture_frame f = look_alike(false);
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  fixture_startup(l, FIXTURE_INITIATOR, &f);
}

static void look_after_gap(struct rules_fixture *l) {
  const struct fixture_frame f = look_alike(false);
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_SNAPLEN);
  fixture_startup(l, FIXTURE_INITIATOR, &f);
}

/* A Reply after what may be a Request, but not to its end. */
static void look_reply(struct rules_fixture *l, uint64_t more) {
  const struct fixture_frame request = fixture_request();
  const struct fixture_frame f = look_alike(true);
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->received = l->next[FIXTURE_INITIATOR] + more;
  fixture_startup(l, FIXTURE_RESPONDER, &f);
}

static void look_reply_later(struct rules_fixture *l) {
  look_reply(l, 1);
}

static void look_reply_to_it(struct rules_fixture *l) {
  look_reply(l, 0);
}

/* ORD of the Reply is above IRD of the Request; the Initiator answers with a Terminate. */
static void ird_terminate(struct rules_fixture *l, iwarp_mpa_enhanced asked,
                          iwarp_mpa_enhanced answered, uint8_t code) {
  const iwarp_rdmap_term t = {.layer = 2, .code = code};
  start_model(l, asked, answered);
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

#define IRD_FOUR .ird = 4, .ord = 4
#define IRD_LACKS .ird = 4, .ord = 5
#define IRD_ENH(...) ((iwarp_mpa_enhanced){__VA_ARGS__})

static void ird_insufficient(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(IRD_FOUR), IRD_ENH(IRD_LACKS), 6);
}

static void ird_insufficient_peer(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(.a = true, .c = true, IRD_FOUR),
                IRD_ENH(.a = true, .c = true, IRD_LACKS), 6);
}

static void ird_no_rtr(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(IRD_FOUR), IRD_ENH(IRD_LACKS), 7);
}

static void ird_no_rtr_peer(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(.a = true, .c = true, IRD_FOUR),
                IRD_ENH(.a = true, .c = true, IRD_LACKS), 7);
}

static void ird_frame(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(IRD_FOUR), IRD_ENH(IRD_LACKS), 4);
}

static void ird_local(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(IRD_FOUR), IRD_ENH(IRD_LACKS), 5);
}

static void ird_crc(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(IRD_FOUR), IRD_ENH(IRD_LACKS), 2);
}

/* The Responder did not wait for the first FPDU, and the Terminate is about what it sent. */
static void ird_of_octets(struct rules_fixture *l, uint8_t code) {
  const iwarp_rdmap_term t = {.layer = 2, .code = code};
  start_model(l, IRD_ENH(IRD_FOUR), IRD_ENH(IRD_LACKS));
  l->received = l->next[FIXTURE_RESPONDER] + 20;
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void ird_crc_of_octets(struct rules_fixture *l) {
  ird_of_octets(l, 2);
}

static void ird_marker_of_octets(struct rules_fixture *l) {
  ird_of_octets(l, 3);
}

static void ird_no_rtr_of_octets(struct rules_fixture *l) {
  ird_of_octets(l, 7);
}

static void ird_and_no_rtr(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(.a = true, .b = true, IRD_FOUR),
                IRD_ENH(.a = true, .c = true, IRD_LACKS), 7);
}

/* A Read is common to both, and finds no room. */
static void ird_and_no_room(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(.a = true, .d = true, IRD_FOUR), IRD_ENH(.a = true, .d = true, .ord = 5),
                7);
}

static void ird_and_room(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(.a = true, .d = true, IRD_FOUR),
                IRD_ENH(.a = true, .d = true, .ird = 1, .ord = 5), 7);
}

static void ird_enough(struct rules_fixture *l) {
  ird_terminate(l, IRD_ENH(IRD_FOUR), IRD_ENH(IRD_FOUR), 7);
}

static void ird_raised(struct rules_fixture *l) {
  start_model(l, IRD_ENH(IRD_FOUR), IRD_ENH(IRD_LACKS));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void ird_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4);
  s.cut = 21;
  start_model(l, IRD_ENH(IRD_FOUR), IRD_ENH(IRD_LACKS));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

const struct rules_case rules_cases_startup[] = {
    {"mpa.request-key", FIXTURE_PASS, 0, "right keys", start_good, NULL},
    {"mpa.request-key", FIXTURE_NEAR, 0, "streaming data first", start_streaming_first, NULL},
    {"mpa.request-key", FIXTURE_FAIL, 0, "no key in all that was sent", start_no_request_key, NULL},
    {"mpa.request-key", FIXTURE_FAIL, 0, "one octet wrong", start_wrong_request_key, NULL},
    {"mpa.request-key", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "start of the stream not seen", start_wrong_request_key_joined, NULL},
    {"mpa.request-key", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "with a gap",
     start_no_request_key_gap, NULL},
    {"mpa.reply-key", FIXTURE_PASS, 0, "right keys", start_good, NULL},
    {"mpa.reply-key", FIXTURE_NEAR, 0, "streaming data first", start_streaming_first, NULL},
    {"mpa.reply-key", FIXTURE_FAIL, 0, "one octet wrong", start_wrong_reply_key, NULL},
    {"mpa.reply-key", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "start of the stream not seen",
     start_wrong_reply_key_joined, NULL},
    {"mpa.two-requests", FIXTURE_PASS, 0, "Request and Reply", start_good, NULL},
    {"mpa.two-requests", FIXTURE_NEAR, 0, "streaming data first", start_streaming_first, NULL},
    {"mpa.two-requests", FIXTURE_FAIL, 0, "two Requests", start_two_requests, NULL},
    {"mpa.two-requests", FIXTURE_SILENT, 0, "all but the last octet of the Request was received",
     start_crossing_requests, NULL},
    {"mpa.two-requests", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "without an acknowledgement",
     start_two_requests_no_ack, NULL},
    {"mpa.reply-unasked", FIXTURE_PASS, 0, "Reply after the Request", start_good, NULL},
    {"mpa.reply-unasked", FIXTURE_NEAR, 0, "the Request just received", start_rev1, NULL},
    {"mpa.reply-unasked", FIXTURE_FAIL, 0, "last octet not received", start_reply_too_early, NULL},
    {"mpa.reply-unasked", FIXTURE_FAIL, 0, "nothing received", start_reply_to_nothing, NULL},
    {"mpa.reply-unasked", FIXTURE_FAIL, 0, "nothing received, known late",
     start_reply_to_nothing_late, NULL},
    {"mpa.reply-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "one direction",
     start_reply_only, NULL},
    {"mpa.reply-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "no acknowledgement",
     start_no_ack, NULL},
    {"mpa.flags-reserved", FIXTURE_PASS, 0, "no reserved flag", start_good, NULL},
    {"mpa.flags-reserved", FIXTURE_NEAR, 0, "all other flags", start_all_flags, NULL},
    {"mpa.flags-reserved", FIXTURE_FAIL, 0, "0x08 with Rev 2", start_reserved_flag, NULL},
    {"mpa.flags-reserved", FIXTURE_FAIL, 0, "0x01 with Rev 1", start_reserved_low, NULL},
    {"mpa.flags-reserved", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "damaged", start_damaged, NULL},
    {"mpa.request-reject-flag", FIXTURE_PASS, 0, "no R", start_good, NULL},
    {"mpa.request-reject-flag", FIXTURE_NEAR, 0, "R in the Reply", start_reply_rejects, NULL},
    {"mpa.request-reject-flag", FIXTURE_FAIL, 0, "R in the Request", start_request_rejects, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "joined", look_joined, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN, "after a gap", look_after_gap, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "no answer", look_reply_later, NULL},
    {"mpa.rev", FIXTURE_FAIL, 0, "an answer", look_reply_to_it, NULL},
    {"mpa.rev", FIXTURE_PASS, 0, "Rev 1", start_rev1, NULL},
    {"mpa.rev", FIXTURE_NEAR, 0, "Rev 2", start_good, NULL},
    {"mpa.rev", FIXTURE_FAIL, 0, "Rev 3", start_rev3, NULL},
    {"mpa.rev-rdmac", FIXTURE_PASS, 0, "Rev 2", start_good, NULL},
    {"mpa.rev-rdmac", FIXTURE_NEAR, 0, "Rev 1", start_rev1, NULL},
    {"mpa.rev-rdmac", FIXTURE_FAIL, 0, "Rev 0", start_rdmac, NULL},
    {"mpa.rdmac-flags", FIXTURE_PASS, 0, "M and C", start_rdmac, "mpa.rev-rdmac"},
    {"mpa.rdmac-flags", FIXTURE_FAIL, 0, "no M", start_rdmac_no_markers, "mpa.rev-rdmac"},
    {"mpa.rdmac-flags", FIXTURE_FAIL, 0, "no C", start_rdmac_no_crc, "mpa.rev-rdmac"},
    {"mpa.rev-pairing", FIXTURE_PASS, 0, "same revision", start_rev1, NULL},
    {"mpa.rev-pairing", FIXTURE_NEAR, 0, "a lower one", start_reply_lower, NULL},
    {"mpa.rev-pairing", FIXTURE_FAIL, 0, "a higher one", start_reply_higher, NULL},
    {"mpa.rev-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "Request not seen",
     start_reply_only, NULL},
    {"mpa.pd-length-max", FIXTURE_PASS, 0, "20", start_good, NULL},
    {"mpa.pd-length-max", FIXTURE_NEAR, 0, "512", start_pd_512, NULL},
    {"mpa.pd-length-max", FIXTURE_FAIL, 0, "513", start_pd_513, NULL},
    {"mpa.pd-length-match", FIXTURE_PASS, 0, "20 of 20", start_good, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "no Private Data", start_rev1_no_flags, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "4 of 20, then FIN", start_pd_short_fin, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "4 of 20, then FIN, no answer", start_pd_short_alone,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "4 of 20, then both FIN", start_pd_short_then_fin,
     NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the peer unknown",
     start_pd_short_one_way, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "16 for 10 in the Request", start_surplus, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "16 for 10, known late", start_surplus_known_late,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "16 for 10, then the Reply", start_surplus_then_reply,
     NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "the Reply came before", start_surplus_reply_received,
     NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "a gap before the Reply", start_surplus_gap_reply,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "octets after the Reply", start_surplus_reply, NULL},
    {"mpa.pd-length-match", FIXTURE_SILENT, 0, "wrong key", start_surplus_wrong_key,
     "mpa.request-key"},
    {"mpa.pd-length-match", FIXTURE_SILENT, 0, "wrong key, short", start_pd_short_wrong_key,
     "mpa.request-key"},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the peer closed",
     start_pd_short_after_peer, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the peer may have closed",
     start_pd_short_after_gap, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "4 of 20, then RST",
     start_pd_short_rst, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap in it", start_pd_gap,
     NULL},
    {"mpa.enhanced-rev", FIXTURE_PASS, 0, "S with Rev 2", start_good, NULL},
    {"mpa.enhanced-rev", FIXTURE_NEAR, 0, "S with the shortest data", start_s_exact, NULL},
    {"mpa.enhanced-rev", FIXTURE_FAIL, 0, "S with Rev 1", start_s_rev1, NULL},
    {"mpa.enhanced-length", FIXTURE_PASS, 0, "20", start_good, NULL},
    {"mpa.enhanced-length", FIXTURE_NEAR, 0, "4", start_s_exact, NULL},
    {"mpa.enhanced-length", FIXTURE_FAIL, 0, "3", start_s_short, NULL},
    {"mpa.enhanced-pairing", FIXTURE_PASS, 0, "S and S", start_good, NULL},
    {"mpa.enhanced-pairing", FIXTURE_NEAR, 0, "no S at all", start_rev1, NULL},
    {"mpa.enhanced-pairing", FIXTURE_FAIL, 0, "S not answered", start_s_not_answered, NULL},
    {"mpa.enhanced-pairing", FIXTURE_FAIL, 0, "S unasked", start_s_unasked, NULL},
    {"mpa.enhanced-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.model-copied", FIXTURE_PASS, 0, "A 0 and 0", start_good, NULL},
    {"mpa.model-copied", FIXTURE_NEAR, 0, "A 1 and 1", start_model_peer, NULL},
    {"mpa.model-copied", FIXTURE_FAIL, 0, "A 1 and 0", start_model_dropped, NULL},
    {"mpa.model-copied", FIXTURE_FAIL, 0, "A 0 and 1", start_model_added, NULL},
    {"mpa.model-copied", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.model-flags", FIXTURE_PASS, 0, "none", start_good, NULL},
    {"mpa.model-flags", FIXTURE_NEAR, 0, "only the depths", start_both_unspecified, NULL},
    {"mpa.model-flags", FIXTURE_FAIL, 0, "D in the Request", start_rtr_without_model, NULL},
    {"mpa.model-flags", FIXTURE_FAIL, 0, "B in the Reply", start_b_without_model, NULL},
    {"mpa.rtr-offered", FIXTURE_PASS, 0, "Write", start_model_peer, NULL},
    {"mpa.rtr-offered", FIXTURE_NEAR, 0, "only Send", start_one_offered, NULL},
    {"mpa.rtr-offered", FIXTURE_FAIL, 0, "none", start_none_offered, NULL},
    {"mpa.rtr-supported", FIXTURE_PASS, 0, "Write", start_model_peer, NULL},
    {"mpa.rtr-supported", FIXTURE_NEAR, 0, "another one", start_one_offered, NULL},
    {"mpa.rtr-supported", FIXTURE_FAIL, 0, "none", start_none_supported, NULL},
    {"mpa.rtr-supported", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.ird-unspecified", FIXTURE_PASS, 0, "0x3fff", start_both_unspecified, NULL},
    {"mpa.ird-unspecified", FIXTURE_FAIL, 0, "0x3ffe", start_ird_number, NULL},
    {"mpa.ird-unspecified", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.ord-unspecified", FIXTURE_PASS, 0, "0x3fff", start_both_unspecified, NULL},
    {"mpa.ord-unspecified", FIXTURE_FAIL, 0, "0x3ffe", start_ord_number, NULL},
    {"mpa.ord-unspecified", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.ord-limit", FIXTURE_PASS, 0, "8 of 8", start_good, NULL},
    {"mpa.ord-limit", FIXTURE_NEAR, 0, "8 of 8, IRD 0", start_ord_equal, NULL},
    {"mpa.ord-limit", FIXTURE_SILENT, 0, "in a Reject", start_ord_above_reject, NULL},
    {"mpa.ord-limit", FIXTURE_SILENT, 0, "0x3fff", start_opts_out, NULL},
    {"mpa.ord-limit", FIXTURE_FAIL, 0, "9 of 8", start_ord_above, NULL},
    {"mpa.ord-limit", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_PASS, 0, "after the Reply", first_good, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "last octet not received", first_initiator_early,
     NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "after the Request", first_initiator_with_request,
     NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "no valid Reply", first_initiator_wrong_reply,
     "mpa.reply-key"},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "two Requests", first_two_requests,
     "mpa.two-requests"},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "after the Request, known late",
     first_initiator_with_request_late, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "before a Reply that follows streaming data",
     first_initiator_before_late_reply, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "before a Reply after a gap",
     first_initiator_before_unconfirmed_reply, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "what the Reply is is not sure", first_initiator_reply_inconclusive, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "Reply not seen",
     first_initiator_no_reply, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "no acknowledgement",
     first_no_ack, NULL},
    {"mpa.responder-first", FIXTURE_PASS, 0, "after an FPDU", first_good, NULL},
    {"mpa.responder-first", FIXTURE_FAIL, 0, "before any", first_responder, NULL},
    {"mpa.responder-first", FIXTURE_FAIL, 0, "one octet too early", first_responder_half, NULL},
    {"mpa.responder-first", FIXTURE_FAIL, 0, "half of one received", first_responder_partial, NULL},
    {"mpa.responder-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap", first_responder_gap,
     NULL},
    {"mpa.responder-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "no acknowledgement",
     first_no_ack, NULL},
    {"mpa.after-reject", FIXTURE_PASS, 0, "nothing after it", first_reject_end, NULL},
    {"mpa.after-reject", FIXTURE_FAIL, 0, "octets after a Reject", first_after_reject, NULL},
    {"mpa.rtr-first", FIXTURE_PASS, 0, "Send", rtr_send, NULL},
    {"mpa.rtr-first", FIXTURE_PASS, 0, "Write", rtr_write, NULL},
    {"mpa.rtr-first", FIXTURE_PASS, 0, "Read", rtr_read, NULL},
    {"mpa.rtr-first", FIXTURE_NEAR, 0, "Terminate", rtr_terminate, NULL},
    {"mpa.rtr-first", FIXTURE_NEAR, 0, "then a Send", rtr_read_too_deep, NULL},
    {"mpa.rtr-first", FIXTURE_FAIL, 0, "a Send of one octet", rtr_long_send, NULL},
    {"mpa.rtr-first", FIXTURE_FAIL, 0, "a Read of one octet", rtr_long_read, NULL},
    {"mpa.rtr-first", FIXTURE_FAIL, 0, "a Send with SE", rtr_se, NULL},
    {"mpa.rtr-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "size not available", rtr_cut_read,
     NULL},
    {"mpa.rtr-type", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "size not available", rtr_cut_read,
     NULL},
    {"mpa.rtr-type", FIXTURE_PASS, 0, "Send", rtr_send, NULL},
    {"mpa.rtr-type", FIXTURE_NEAR, 0, "one of two", rtr_negotiated, NULL},
    {"mpa.rtr-type", FIXTURE_FAIL, 0, "none in common", rtr_wrong_type, NULL},
    {"mpa.rtr-type", FIXTURE_FAIL, 0, "not answered", rtr_not_negotiated, NULL},
    {"mpa.rtr-mismatch", FIXTURE_PASS, 0, "2/0/7", rtr_mismatch_good, NULL},
    {"mpa.rtr-mismatch", FIXTURE_NEAR, 0, "2/0/6", rtr_mismatch_ird, "mpa.ord-limit"},
    {"mpa.rtr-mismatch", FIXTURE_PASS, 0, "2/0/6, any IRD", rtr_mismatch_any_ird, NULL},
    {"mpa.rtr-mismatch", FIXTURE_PASS, 0, "2/0/6, any ORD", rtr_mismatch_any_ord, NULL},
    {"mpa.rtr-mismatch", FIXTURE_PASS, 0, "2/0/5", rtr_mismatch_local, NULL},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "2/0/6 without cause", rtr_mismatch_no_cause, NULL},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "2/0/4", rtr_mismatch_crc, NULL},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "0/2/7", rtr_mismatch_swapped, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "2/0/2 after octets of the peer",
     rtr_mismatch_after_octets, NULL},
    {"mpa.rtr-mismatch", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "code not available",
     rtr_mismatch_cut, NULL},
    {"mpa.ird-terminate", FIXTURE_PASS, 0, "2/0/6", ird_insufficient, "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_NEAR, 0, "2/0/6, peer-to-peer", ird_insufficient_peer,
     "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_FAIL, 0, "2/0/7", ird_no_rtr, "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_FAIL, 0, "2/0/7 with a common RTR", ird_no_rtr_peer,
     "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_FAIL, 0, "2/0/4", ird_frame, "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_FAIL, 0, "2/0/2", ird_crc, "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_FAIL, 0, "2/0/7 after octets of the peer", ird_no_rtr_of_octets,
     "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "2/0/2 after octets of the peer", ird_crc_of_octets,
     "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "2/0/3 after octets of the peer", ird_marker_of_octets,
     "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "2/0/5", ird_local, "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "no common RTR", ird_and_no_rtr, "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "no room for the RTR", ird_and_no_room,
     "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_FAIL, 0, "2/0/7 with room for a Read", ird_and_room,
     "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "enough", ird_enough, NULL},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "raised", ird_raised, "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", ird_cut, "mpa.ord-limit"},
};

const size_t rules_cases_startup_num = sizeof(rules_cases_startup) / sizeof(rules_cases_startup[0]);
