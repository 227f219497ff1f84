/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on who sends first, and on octets that may only look like a startup frame. */

#include "rules_cases.h"

/* ---- first FPDUs ---- */

static void first_good(struct rules_fixture *l) {
  fixture_begin(l);
}

static void first_initiator_early(struct rules_fixture *l) {
  fixture_open(l);
  l->received = l->next[1] - 1;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

/* Not even PD_Length of the Reply was received, after which octets are missing. */
static void first_initiator_early_gap(struct rules_fixture *l) {
  fixture_open(l);
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
  l->received = l->info.side[FIXTURE_RESPONDER].startup_pos + IWARP_MPA_STARTUP_LEN - 1;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

/* PD_Length of the Reply was received, and may be what is wrong. */
static void first_initiator_gap(struct rules_fixture *l) {
  fixture_open(l);
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
  l->received = l->info.side[FIXTURE_RESPONDER].start + IWARP_MPA_STARTUP_LEN;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

/* The capture shows the Reply, of which so many octets had been received, after the FPDU. */
static void first_inside_reply(struct rules_fixture *l, struct fixture_frame reply,
                               uint64_t received, iwarp_end how) {
  const struct fixture_frame request = {.rev = 1};
  reply.reply = true;
  reply.rev = 1;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  l->received = l->next[FIXTURE_RESPONDER] + received;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_RESPONDER, how);
}

static const struct fixture_frame first_reply_short = {.pd_length = 20, .missing = 8};

static void first_inside_short_reply(struct rules_fixture *l) {
  first_inside_reply(l, first_reply_short, 31, IWARP_END_FIN);
}

static void first_after_short_reply(struct rules_fixture *l) {
  first_inside_reply(l, first_reply_short, 32, IWARP_END_FIN);
}

static void first_inside_reset_reply(struct rules_fixture *l) {
  first_inside_reply(l, first_reply_short, 31, IWARP_END_RST);
}

static void first_inside_long_reply(struct rules_fixture *l) {
  first_inside_reply(l, (struct fixture_frame){.pd_length = 600}, 19, IWARP_END_FIN);
}

static void first_after_long_reply(struct rules_fixture *l) {
  first_inside_reply(l, (struct fixture_frame){.pd_length = 600}, 20, IWARP_END_FIN);
}

static void first_initiator_with_request(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

/* The key of the Reply is wrong, and so many octets of it had come. */
static void first_wrong_reply_got(struct rules_fixture *l, uint64_t octets, struct fixture_seg s) {
  const struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  reply.wrong_key = true;
  const uint64_t received = l->next[FIXTURE_RESPONDER] + octets;
  fixture_exchange(l, request, reply);
  l->received = received;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void first_initiator_wrong_reply(struct rules_fixture *l) {
  first_wrong_reply_got(l, IWARP_MPA_STARTUP_LEN, fixture_send(1));
}

static void first_inside_wrong_reply(struct rules_fixture *l) {
  first_wrong_reply_got(l, IWARP_MPA_STARTUP_LEN - 1u, fixture_send(1));
}

/* A Terminate answers it: the Initiator knows that it is not one. */
static void first_refuses_wrong_reply(struct rules_fixture *l) {
  first_wrong_reply_got(l, IWARP_MPA_STARTUP_LEN,
                        fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4));
}

static void first_wrong_reply_no_ack(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  reply.wrong_key = true;
  fixture_exchange(l, request, reply);
  l->no_ack = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

/* The FPDU is seen before the frame with the wrong key, which its sender had received. */
static void first_before_wrong_reply(struct rules_fixture *l, uint64_t received) {
  struct fixture_frame reply = {.reply = true, .rev = 1, .wrong_key = true};
  fixture_streaming(l, FIXTURE_RESPONDER, 8);
  const struct fixture_frame request = {.rev = 1};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  l->received = l->next[FIXTURE_RESPONDER] + received;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void first_seen_before_wrong_reply(struct rules_fixture *l) {
  first_before_wrong_reply(l, IWARP_MPA_STARTUP_LEN);
}

static void first_sent_before_wrong_reply(struct rules_fixture *l) {
  first_before_wrong_reply(l, 0);
}

static void first_initiator_reply_inconclusive(struct rules_fixture *l) {
  l->info.side[1].start_known = false;
  first_initiator_wrong_reply(l);
}

static void first_two_requests(struct rules_fixture *l) {
  fixture_exchange(l, fixture_request(), fixture_request());
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

/* Of the first Request so many octets fewer had come when the second one was sent. */
static void first_crossing_requests(struct rules_fixture *l, uint64_t lacking, bool no_ack) {
  const struct fixture_frame request = fixture_request();
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->received = l->next[FIXTURE_INITIATOR] - lacking;
  l->no_ack = no_ack;
  fixture_startup(l, FIXTURE_RESPONDER, &request);
  l->received = 0;
  l->no_ack = false;
  fixture_settle(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void first_requests_cross(struct rules_fixture *l) {
  first_crossing_requests(l, 1, false);
}

static void first_requests_may_cross(struct rules_fixture *l) {
  first_crossing_requests(l, 0, true);
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

/* A Marker leads it, in a packet of its own. */
static void first_responder_marker(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
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

static void first_responder_partial_no_syn(struct rules_fixture *l) {
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  first_responder_partial(l);
}

/* What was received is not in the capture, or comes later in it. */
static void first_responder_unseen(struct rules_fixture *l) {
  fixture_open(l);
  l->received = l->next[FIXTURE_INITIATOR] + 52;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

static void first_responder_gap(struct rules_fixture *l) {
  fixture_open(l);
  fixture_gap(l, FIXTURE_INITIATOR, 60, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

/* What looks like a Reply with R stands in a stream that was joined, and answers nothing. */
static void first_after_reject_may_be(struct rules_fixture *l, unsigned side) {
  const struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  reply.flags |= IWARP_MPA_FLAG_R;
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->received = FIXTURE_START_0 + 4;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
  fixture_undecodable(l, side, 84, IWARP_UNDEC_AFTER_REJECT);
}

static void first_after_reject_no_reply(struct rules_fixture *l) {
  first_after_reject_may_be(l, FIXTURE_INITIATOR);
}

static void first_after_reject_own(struct rules_fixture *l) {
  first_after_reject_may_be(l, FIXTURE_RESPONDER);
}

static void first_after_reject(struct rules_fixture *l) {
  start_reply_rejects(l);
  fixture_undecodable(l, FIXTURE_INITIATOR, 84, IWARP_UNDEC_AFTER_REJECT);
}

/* They come in two packets: the first one is named. */
static void first_after_reject_long(struct rules_fixture *l) {
  start_reply_rejects(l);
  iwarp_event ev = fixture_base(l, FIXTURE_INITIATOR, IWARP_EVENT_UNDECODABLE, 84);
  ev.u.undecodable = IWARP_UNDEC_AFTER_REJECT;
  ev.last.packet = ++l->packet;
  fixture_event(l, &ev);
}

/* What was captured of the Reject is damaged: its receiver may have taken one without R. */
static void first_after_reject_damaged(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  reply.flags |= IWARP_MPA_FLAG_R;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->damaged = true;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  l->damaged = false;
  fixture_settle(l);
  fixture_undecodable(l, FIXTURE_INITIATOR, 84, IWARP_UNDEC_AFTER_REJECT);
}

/* What looks like a Reply with R is not known to be one; the octets are of a side whose Reply,
 * which is one, has no R. */
static void first_after_reject_of_look_alike(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  const struct fixture_frame look_alike = {.reply = true, .rev = 1, .flags = IWARP_MPA_FLAG_R};
  fixture_gap(l, FIXTURE_INITIATOR, 14, IWARP_GAP_LOST);
  fixture_startup(l, FIXTURE_INITIATOR, &look_alike);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_undecodable(l, FIXTURE_RESPONDER, 84, IWARP_UNDEC_AFTER_REJECT);
}

static void first_reject_end(struct rules_fixture *l) {
  start_reply_rejects(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
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

/* The same of a Reply, the first octets that were seen of its stream. */
static void look_reply_joined(struct rules_fixture *l) {
  const struct fixture_frame f = look_alike(true);
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  fixture_startup(l, FIXTURE_RESPONDER, &f);
}

/* And of a Request, which comes after others of its stream. */
static void look_joined_later(struct rules_fixture *l) {
  l->info.side[FIXTURE_INITIATOR].start = l->next[FIXTURE_INITIATOR] - 24;
  look_joined(l);
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

/* The same of a Request: whether it is one the Reply tells. */
static void look_request(struct rules_fixture *l, uint64_t more) {
  const struct fixture_frame reply = fixture_reply();
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  look_joined(l);
  l->received = l->next[FIXTURE_INITIATOR] + more;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void look_request_answered(struct rules_fixture *l) {
  look_request(l, 0);
}

static void look_request_not_answered(struct rules_fixture *l) {
  look_request(l, 1);
}

static void look_request_goes_on(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  look_joined(l);
  l->received = l->next[FIXTURE_INITIATOR];
  fixture_gap(l, FIXTURE_INITIATOR, 8, IWARP_GAP_LOST);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

/* Octets of its stream were seen before it, and others are missing: Private Data may end in a key.
 */
static void look_reply_to_payload(struct rules_fixture *l) {
  l->info.side[FIXTURE_INITIATOR].start = l->next[FIXTURE_INITIATOR] - 24;
  look_reply(l, 0);
}

/* The Request that was answered may be missing, and payload may look like one. */
static void look_request_later(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  const struct fixture_frame reply = fixture_reply();
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
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

/* One side alone is enhanced, and has no number to be compared with. */
static void ird_request_plain(struct rules_fixture *l) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 7};
  struct fixture_frame request = fixture_request();
  request.flags = 0;
  request.enh = (iwarp_mpa_enhanced){0};
  fixture_exchange(l, request, fixture_reply());
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

/* The Reply rejects, which the Initiator did not wait for. */
static void ird_rejected(struct rules_fixture *l) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 7};
  struct fixture_frame reply = fixture_reply();
  reply.flags |= IWARP_MPA_FLAG_R;
  reply.enh.ord = FIXTURE_DEPTH + 1;
  fixture_exchange(l, fixture_request(), reply);
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

/* Its ULP ends the connection: RFC 5040 4.8. */
static void ird_of_ulp(struct rules_fixture *l) {
  const iwarp_rdmap_term t = {.layer = 0};
  start_model(l, IRD_ENH(IRD_FOUR), IRD_ENH(IRD_LACKS));
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
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

/* All that the Initiator has sent are FPDUs with a wrong CRC. */
static void first_invalid(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.crc_flip = 1;
  fixture_open_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void first_answers_invalid(struct rules_fixture *l) {
  first_invalid(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

/* The SYN of the Initiator was not captured, all from its Request on was. */
static void first_answers_invalid_no_syn(struct rules_fixture *l) {
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  first_answers_invalid(l);
}

/* A right one follows; a receiver that takes Markers may have found it. */
static void first_answers_valid(struct rules_fixture *l) {
  first_invalid(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

static void first_terminates_invalid(struct rules_fixture *l) {
  first_invalid(l);
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
}

/* More was received than was captured. */
static void first_answers_unseen(struct rules_fixture *l) {
  first_invalid(l);
  l->received = l->next[FIXTURE_INITIATOR] + 60;
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

/* What was captured of the Reply is damaged: its key, and another bit, which makes it a Request. */
static void first_after_damaged(struct rules_fixture *l, struct fixture_frame reply) {
  const struct fixture_frame request = fixture_request();
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->damaged = true;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  l->damaged = false;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void first_after_damaged_key(struct rules_fixture *l) {
  first_after_damaged(l, (struct fixture_frame){.reply = true, .rev = 1, .wrong_key = true});
}

static void first_after_damaged_reply(struct rules_fixture *l) {
  first_after_damaged(l, (struct fixture_frame){.rev = 1});
}

/* ULPDU_Length of the damaged FPDU may have been another one. */
static void first_run_after_damaged(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.crc_flip = 1;
  fixture_begin_with(l, FIXTURE_C);
  l->damaged = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->damaged = false;
  fixture_undecodable(l, FIXTURE_INITIATOR, 40, IWARP_UNDEC_NO_BOUNDARY);
}

/* ---- FPDUs after a Reject ---- */

/* A Send of 4 octets as an FPDU of Full Operation, with its CRC; `flip` of that is wrong. */
static iwarp_span reject_fpdu(uint8_t wire[64], bool markers, uint8_t flip) {
  size_t len = 0;
  if (markers) {
    memset(wire, 0, IWARP_MPA_MARKER_LEN);
    len = IWARP_MPA_MARKER_LEN;
  }
  memcpy(wire + len, framing_send, sizeof(framing_send));
  const iwarp_span all = {wire, len + sizeof(framing_send)};
  iwarp_mpa_fpdu f;
  (void)iwarp_mpa_fpdu_decode(&f, all, 0, markers);
  const uint32_t crc = iwarp_mpa_fpdu_crc(&f);
  for (unsigned i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    wire[all.len - IWARP_MPA_CRC_LEN + i] = (uint8_t)(crc >> (8u * i));
  }
  wire[all.len - 1] ^= flip;
  return all;
}

/* A side sends it after a Reply with R, when it had received so much less than all. */
static void reject_sends(struct rules_fixture *l, unsigned side, bool markers, uint8_t flip,
                         uint64_t less) {
  uint8_t wire[64];
  const iwarp_span fpdu = reject_fpdu(wire, markers, flip);
  start_reply_rejects(l);
  l->received = l->next[1u - side] - less;
  fixture_run(l, side, fpdu, fpdu.len, IWARP_UNDEC_AFTER_REJECT);
}

static void reject_then_fpdu(struct rules_fixture *l) {
  reject_sends(l, FIXTURE_INITIATOR, false, 0, 0);
}

static void reject_then_fpdu_of_it(struct rules_fixture *l) {
  reject_sends(l, FIXTURE_RESPONDER, false, 0, 0);
}

static void reject_then_marked_fpdu(struct rules_fixture *l) {
  reject_sends(l, FIXTURE_INITIATOR, true, 0, 0);
}

static void reject_then_wrong_crc(struct rules_fixture *l) {
  reject_sends(l, FIXTURE_INITIATOR, false, 1, 0);
}

static void reject_under_way(struct rules_fixture *l) {
  reject_sends(l, FIXTURE_INITIATOR, false, 0, 1);
}

static void reject_no_ack(struct rules_fixture *l) {
  uint8_t wire[64];
  const iwarp_span fpdu = reject_fpdu(wire, false, 0);
  start_reply_rejects(l);
  l->no_ack = true;
  fixture_run(l, FIXTURE_INITIATOR, fpdu, fpdu.len, IWARP_UNDEC_AFTER_REJECT);
}

static void reject_then_damaged_fpdu(struct rules_fixture *l) {
  uint8_t wire[64];
  const iwarp_span fpdu = reject_fpdu(wire, false, 0);
  start_reply_rejects(l);
  l->damaged = true;
  fixture_run(l, FIXTURE_INITIATOR, fpdu, fpdu.len, IWARP_UNDEC_AFTER_REJECT);
}

/* What stands before it is missing, so that it need not be where FPDUs would begin. */
static void reject_then_gap(struct rules_fixture *l) {
  uint8_t wire[64];
  const iwarp_span fpdu = reject_fpdu(wire, false, 0);
  start_reply_rejects(l);
  fixture_gap(l, FIXTURE_INITIATOR, 4, IWARP_GAP_LOST);
  fixture_run(l, FIXTURE_INITIATOR, fpdu, fpdu.len, IWARP_UNDEC_AFTER_REJECT);
}

static void reject_then_cut_fpdu(struct rules_fixture *l) {
  l->ends_in_gap = true;
  reject_sends(l, FIXTURE_INITIATOR, false, 0, 0);
}

/* Too short for a DDP header. */
static void reject_then_short(struct rules_fixture *l) {
  uint8_t wire[8] = {0, 2};
  const uint32_t crc = iwarp_crc32c(0, wire, 4);
  for (unsigned i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    wire[4 + i] = (uint8_t)(crc >> (8u * i));
  }
  start_reply_rejects(l);
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){wire, 8}, 8, IWARP_UNDEC_AFTER_REJECT);
}

const struct rules_case rules_cases_first[] = {
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "after a damaged FPDU",
     first_run_after_damaged, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "a damaged key of the Reply", first_after_damaged_key, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "a damaged Reply like a Request", first_after_damaged_reply, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "joined", look_joined, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "joined after 24 octets",
     look_joined_later, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "of a Reply, joined",
     look_reply_joined, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN, "after a gap", look_after_gap, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "no answer", look_reply_later, NULL},
    {"mpa.rev", FIXTURE_FAIL, 0, "an answer", look_reply_to_it, NULL},
    {"mpa.rev", FIXTURE_FAIL, 0, "of a Request, answered", look_request_answered, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "of a Request, not answered",
     look_request_not_answered, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "of a Request, octets missing before an answer", look_request_goes_on, NULL},
    {"mpa.reply-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "a Request later",
     look_request_later, NULL},
    {"mpa.rev", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "an answer to what may be payload",
     look_reply_to_payload, NULL},
    {"mpa.rev", FIXTURE_PASS, 0, "Rev 1", start_rev1, NULL},
    {"mpa.rev", FIXTURE_NEAR, 0, "Rev 2", fixture_open, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_PASS, 0, "after the Reply", first_good, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "last octet not received", first_initiator_early,
     NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "before PD_Length, then a gap",
     first_initiator_early_gap, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "after the Request", first_initiator_with_request,
     NULL},
    {"mpa.improper-accepted", FIXTURE_FAIL, 0, "an FPDU after a wrong key",
     first_initiator_wrong_reply, "mpa.reply-key"},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "before the end of a frame with a wrong key",
     first_inside_wrong_reply, "mpa.reply-key"},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "a Terminate after a wrong key",
     first_refuses_wrong_reply, "mpa.reply-key"},
    {"mpa.fpdu-before-reply", FIXTURE_SILENT, 0, "a wrong key, no acknowledgement",
     first_wrong_reply_no_ack, "mpa.reply-key"},
    {"mpa.improper-accepted", FIXTURE_FAIL, 0, "an FPDU seen before a wrong key",
     first_seen_before_wrong_reply, "mpa.reply-key"},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "sent before a wrong key",
     first_sent_before_wrong_reply, "mpa.reply-key"},
    {"mpa.improper-accepted", FIXTURE_FAIL, 0, "an FPDU after two Requests", first_two_requests,
     "mpa.two-requests"},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "two Requests that cross", first_requests_cross,
     NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "two Requests that may cross",
     first_requests_may_cross, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "after the Request, known late",
     first_initiator_with_request_late, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "before a Reply that follows streaming data",
     first_initiator_before_late_reply, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "before a Reply after a gap",
     first_initiator_before_unconfirmed_reply, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "what the Reply is is not sure", first_initiator_reply_inconclusive, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "Reply not seen",
     first_initiator_no_reply, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "no acknowledgement",
     first_no_ack, NULL},
    {"mpa.responder-first", FIXTURE_PASS, 0, "after an FPDU", first_good, NULL},
    {"mpa.responder-first", FIXTURE_FAIL, 0, "after one with a wrong CRC", first_answers_invalid,
     "mpa.crc"},
    {"mpa.responder-first", FIXTURE_FAIL, 0, "after one with a wrong CRC, no SYN",
     first_answers_invalid_no_syn, "mpa.crc"},
    {"mpa.responder-first", FIXTURE_NEAR, 0, "after one with a wrong CRC and a right one",
     first_answers_valid, "mpa.crc"},
    {"mpa.responder-first", FIXTURE_SILENT, 0, "a Terminate after one with a wrong CRC",
     first_terminates_invalid, "mpa.crc"},
    {"mpa.responder-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after one that was not seen",
     first_answers_unseen, "mpa.crc"},
    {"mpa.responder-first", FIXTURE_FAIL, 0, "before any", first_responder, NULL},
    {"mpa.responder-first", FIXTURE_FAIL, 0, "a Marker before any", first_responder_marker, NULL},
    {"mpa.responder-first", FIXTURE_FAIL, 0, "one octet too early", first_responder_half, NULL},
    {"mpa.responder-first", FIXTURE_FAIL, 0, "half of one received", first_responder_partial, NULL},
    {"mpa.responder-first", FIXTURE_FAIL, 0, "before the end of the first, no SYN",
     first_responder_partial_no_syn, NULL},
    {"mpa.responder-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap", first_responder_gap,
     NULL},
    {"mpa.responder-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "no acknowledgement",
     first_no_ack, NULL},
    {"mpa.after-reject", FIXTURE_PASS, 0, "nothing after it", first_reject_end, NULL},
    {"mpa.after-reject", FIXTURE_FAIL, 0, "octets after a Reject", first_after_reject, NULL},
    {"mpa.after-reject", FIXTURE_FAIL, 0, "octets in two packets", first_after_reject_long, NULL},
    {"mpa.after-reject", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "octets to what may be no Reject",
     first_after_reject_no_reply, NULL},
    {"mpa.after-reject", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "octets after what may be none",
     first_after_reject_own, NULL},
    {"mpa.after-reject", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "octets after a Reply without R",
     first_after_reject_of_look_alike, NULL},
    {"mpa.after-reject", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "octets after a damaged one", first_after_reject_damaged, NULL},
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
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "enough", ird_enough, "mpa.rtr-mismatch"},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "raised", ird_raised, "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", ird_cut, "mpa.ord-limit"},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after PD_Length, then a gap",
     first_initiator_gap, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "inside a Reply that ends early",
     first_inside_short_reply, "mpa.pd-length-match"},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "after a Reply that ends early", first_after_short_reply, "mpa.pd-length-match"},
    {"mpa.fpdu-before-reply", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION,
     "inside a Reply that a reset ends", first_inside_reset_reply, NULL},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "before PD_Length that is too large",
     first_inside_long_reply, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_FAIL, 0, "an FPDU after PD_Length that is too large",
     first_after_long_reply, "mpa.pd-length-max"},
    {"mpa.responder-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "more received than seen",
     first_responder_unseen, NULL},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "the Request has no IRD", ird_request_plain,
     "mpa.enhanced-pairing"},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "0/0/0", ird_of_ulp, "mpa.ord-limit"},
    {"mpa.ird-terminate", FIXTURE_SILENT, 0, "a Reply with R", ird_rejected, NULL},
    {"mpa.fpdu-after-reject", FIXTURE_PASS, 0, "octets of the ULP", first_after_reject,
     "mpa.after-reject"},
    {"mpa.fpdu-after-reject", FIXTURE_NEAR, 0, "what would be an FPDU, a wrong CRC",
     reject_then_wrong_crc, "mpa.after-reject"},
    {"mpa.fpdu-after-reject", FIXTURE_NEAR, 0, "an FPDU without a DDP header", reject_then_short,
     "mpa.after-reject"},
    {"mpa.fpdu-after-reject", FIXTURE_FAIL, 0, "an FPDU of the Initiator", reject_then_fpdu,
     "mpa.after-reject"},
    {"mpa.fpdu-after-reject", FIXTURE_FAIL, 0, "an FPDU of the Responder", reject_then_fpdu_of_it,
     "mpa.after-reject"},
    {"mpa.fpdu-after-reject", FIXTURE_FAIL, 0, "an FPDU after a Marker", reject_then_marked_fpdu,
     "mpa.after-reject"},
    {"mpa.fpdu-after-reject", FIXTURE_SILENT, 0, "an FPDU before the Reject had come",
     reject_under_way, "mpa.after-reject"},
    {"mpa.fpdu-after-reject", FIXTURE_SILENT, 0, "an FPDU after a gap", reject_then_gap,
     "mpa.after-reject"},
    {"mpa.fpdu-after-reject", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "an FPDU, no acknowledgement",
     reject_no_ack, "mpa.after-reject"},
    {"mpa.fpdu-after-reject", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "an FPDU with a gap in it",
     reject_then_cut_fpdu, "mpa.after-reject"},
    {"mpa.fpdu-after-reject", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a damaged FPDU",
     reject_then_damaged_fpdu, "mpa.after-reject"},
};

const size_t rules_cases_first_num = sizeof(rules_cases_first) / sizeof(rules_cases_first[0]);
