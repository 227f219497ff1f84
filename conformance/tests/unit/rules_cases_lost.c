/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of faults on Reads and Atomic Operations some time after octets were missing. */

#include "rules_cases.h"

#define LOST_FPDU 52u /* octets of an FPDU with a Read Request */
#define LOST_LEN 12u

/* Each Read has a sink of its own, which its MSN chooses. */
static uint64_t lost_sink(uint32_t msn) {
  return FIXTURE_SINK_TO + (uint64_t)msn * 0x1000;
}

/* An FPDU in a run of right ones that is longer than any FPDU, so that it cannot be payload. */
static void lost_fpdu(struct rules_fixture *l, unsigned side, struct fixture_seg s) {
  s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  fixture_fpdu(l, side, s);
}

static void lost_read_of(struct rules_fixture *l, uint32_t msn, uint32_t sink) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const iwarp_rdmap_read_req req = {.sink_stag = FIXTURE_SINK,
                                    .sink_to = lost_sink(sink),
                                    .size = LOST_LEN,
                                    .source_stag = 7,
                                    .source_to = 8};
  lost_fpdu(l, FIXTURE_INITIATOR, fixture_read_of(octets, msn, req));
}

static void lost_read(struct rules_fixture *l, uint32_t msn) {
  lost_read_of(l, msn, msn);
}

static void lost_answer_len(struct rules_fixture *l, uint32_t msn, size_t len) {
  lost_fpdu(l, FIXTURE_RESPONDER,
            fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, lost_sink(msn), len));
}

static void lost_answer(struct rules_fixture *l, uint32_t msn) {
  lost_answer_len(l, msn, LOST_LEN);
}

static void lost_answer_wrong(struct rules_fixture *l, uint32_t msn) {
  lost_fpdu(l, FIXTURE_RESPONDER,
            fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 3, lost_sink(msn), LOST_LEN));
}

static void lost_round(struct rules_fixture *l, uint32_t msn) {
  lost_read(l, msn);
  lost_answer(l, msn);
}

/* A Send of the asker is missing. */
static void lost_send(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  lost_round(l, 1);
  fixture_gap(l, FIXTURE_INITIATOR, LOST_FPDU, IWARP_GAP_LOST);
  lost_round(l, 2);
}

/* Two Requests are missing: one is answered at once, the other after a third one. */
static void lost_requests(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  lost_round(l, 1);
  fixture_gap(l, FIXTURE_INITIATOR, 2 * LOST_FPDU, IWARP_GAP_LOST);
  lost_answer(l, 2);
  lost_read(l, 4);
  lost_answer(l, 3);
  lost_answer(l, 4);
  lost_round(l, 5);
  lost_round(l, 6);
}

/* The answer to the first of three Requests is missing. */
static void lost_answers(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  lost_read(l, 1);
  lost_read(l, 2);
  lost_read(l, 3);
  fixture_gap(l, FIXTURE_RESPONDER, LOST_FPDU, IWARP_GAP_LOST);
  lost_answer(l, 2);
  lost_answer(l, 3);
}

static void lost_send_stag(struct rules_fixture *l) {
  lost_send(l);
  lost_read(l, 3);
  lost_answer_wrong(l, 3);
}

static void lost_snapped_stag(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_RESPONDER, LOST_FPDU, IWARP_GAP_SNAPLEN);
  lost_round(l, 1);
  lost_read(l, 2);
  lost_answer_wrong(l, 2);
}

static void lost_requests_stag(struct rules_fixture *l) {
  lost_requests(l);
  lost_read(l, 7);
  lost_answer_wrong(l, 7);
}

static void lost_answers_stag(struct rules_fixture *l) {
  lost_answers(l);
  lost_read(l, 4);
  lost_answer_wrong(l, 4);
}

static void lost_send_right(struct rules_fixture *l) {
  lost_send(l);
  lost_round(l, 3);
}

static void lost_requests_right(struct rules_fixture *l) {
  lost_requests(l);
  lost_read(l, 7);
  lost_read(l, 8);
  lost_answer(l, 7);
  lost_answer(l, 8);
}

static void lost_requests_short(struct rules_fixture *l) {
  lost_requests(l);
  lost_read(l, 7);
  lost_answer_len(l, 7, LOST_LEN - 1);
}

static void lost_requests_order(struct rules_fixture *l) {
  lost_requests(l);
  lost_read(l, 7);
  lost_read(l, 8);
  lost_answer(l, 8);
  lost_answer(l, 7);
}

/* One Request more than were negotiated. */
static void lost_requests_over(struct rules_fixture *l) {
  lost_requests(l);
  for (uint32_t msn = 7; msn <= 7 + FIXTURE_DEPTH; msn++) {
    lost_read(l, msn);
  }
}

static void lost_requests_full(struct rules_fixture *l) {
  lost_requests(l);
  for (uint32_t msn = 7; msn < 7 + FIXTURE_DEPTH; msn++) {
    lost_read(l, msn);
  }
}

/* So it is where the answer to a Request that is missing had not been received. */
static void lost_answers_over(struct rules_fixture *l) {
  lost_answers(l);
  const uint64_t received = l->next[FIXTURE_RESPONDER];
  lost_read(l, 4);
  lost_answer(l, 4);
  for (uint32_t msn = 5; msn < 5 + FIXTURE_DEPTH; msn++) {
    l->received = received;
    lost_read(l, msn);
  }
}

static void lost_atomic(struct rules_fixture *l, uint32_t msn, uint32_t id) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(id);
  fixture_atomic(l, FIXTURE_INITIATOR, msn, &a);
}

static void lost_atomics(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, LOST_FPDU, IWARP_GAP_LOST);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 11);
  lost_atomic(l, 2, 12);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 2, 12);
  lost_atomic(l, 3, 13);
}

static void lost_atomics_id(struct rules_fixture *l) {
  lost_atomics(l);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 3, 14);
}

/* A Tagged message may be under way that an Atomic Response says nothing of. */
static void lost_atomics_answers(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_RESPONDER, LOST_FPDU, IWARP_GAP_LOST);
  lost_atomic(l, 1, 11);
  fixture_atomic_response(l, FIXTURE_RESPONDER, 1, 11);
  lost_round(l, 2);
  lost_read(l, 3);
  lost_answer_wrong(l, 3);
}

/* The rest of an answer whose beginning is missing. */
static void lost_rest(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  lost_read(l, 1);
  fixture_gap(l, FIXTURE_RESPONDER, LOST_FPDU, IWARP_GAP_LOST);
  lost_fpdu(l, FIXTURE_RESPONDER,
            fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, lost_sink(1) + 8, 4));
  lost_read(l, 2);
  lost_answer_wrong(l, 2);
}

/* Of two Reads with one sink, either may have been answered. */
static void lost_answers_alike(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  lost_read_of(l, 1, 1);
  lost_read_of(l, 2, 1);
  fixture_gap(l, FIXTURE_RESPONDER, LOST_FPDU, IWARP_GAP_LOST);
  lost_answer(l, 1);
  lost_read_of(l, 3, 2);
  lost_answer_wrong(l, 2);
}

/* The answer fits, but not the oldest Request: it may have been sent too early. */
static void lost_answers_skipped(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  lost_read(l, 1);
  lost_read(l, 2);
  fixture_gap(l, FIXTURE_RESPONDER, LOST_FPDU, IWARP_GAP_LOST);
  lost_answer(l, 2);
  lost_read(l, 3);
  lost_answer(l, 1);
}

/* The Request was sent before its side had received what is missing of the other one. */
static void lost_answers_crossing(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  const uint64_t received = l->next[FIXTURE_RESPONDER];
  fixture_gap(l, FIXTURE_RESPONDER, LOST_FPDU, IWARP_GAP_LOST);
  l->received = received;
  lost_read_of(l, 1, 1);
  l->received = 0;
  lost_read_of(l, 2, 1);
  lost_answer(l, 1);
  lost_read(l, 3);
  lost_answer_wrong(l, 3);
}

/* Octets of both sides are missing: two Requests, and the answer to the first of them. */
static void lost_both(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_RESPONDER, LOST_FPDU, IWARP_GAP_LOST);
  fixture_gap(l, FIXTURE_INITIATOR, 2 * LOST_FPDU, IWARP_GAP_LOST);
  lost_answer(l, 2);
  for (uint32_t msn = 3; msn <= 4; msn++) {
    lost_read_of(l, msn, 3);
    lost_answer(l, 3);
  }
  for (uint32_t msn = 5; msn < 5 + FIXTURE_DEPTH; msn++) {
    lost_read(l, msn);
  }
}

/* Octets of both sides are missing, and an answer comes before its Request. */
static void lost_answer_before(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  lost_read_of(l, 1, 1);
  fixture_gap(l, FIXTURE_RESPONDER, LOST_FPDU, IWARP_GAP_LOST);
  fixture_gap(l, FIXTURE_INITIATOR, LOST_FPDU, IWARP_GAP_LOST);
  l->received = l->next[FIXTURE_INITIATOR] + LOST_FPDU;
  lost_answer(l, 1);
  l->received = 0;
  lost_read_of(l, 2, 1);
  lost_read_of(l, 3, 1);
  lost_answer(l, 1);
  for (uint32_t msn = 4; msn < 4 + FIXTURE_DEPTH; msn++) {
    lost_read(l, msn);
  }
}

/* Payload after a gap: zeros that read as a Marker, where none stands in Full Operation, and an
 * FPDU with a right CRC, whose Write reaches 2^64. */
static void lost_marker_elsewhere(struct rules_fixture *l) {
  static const uint8_t wire[] = {0,    0,    0,    0,    0x00, 0x12, 0xc1, 0x40, 0,    0,
                                 0,    7,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfd,
                                 0xc6, 0xc8, 0xa2, 0xb8, 0xc0, 0xa0, 0x2b, 0x1e};
  enum { ULPDU = IWARP_MPA_MARKER_LEN + IWARP_MPA_LENGTH_LEN, ULPDU_LEN = 18 };
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, LOST_FPDU, IWARP_GAP_LOST);
  iwarp_event ev = fixture_base(l, FIXTURE_INITIATOR, IWARP_EVENT_FPDU, sizeof(wire));
  iwarp_event_fpdu *f = &ev.u.fpdu;
  *f = (iwarp_event_fpdu){.complete = true,
                          .pad_present = true,
                          .crc_present = true,
                          .crc = IWARP_CRC_GOOD,
                          .sync = IWARP_SYNC_MARKER};
  (void)iwarp_mpa_fpdu_decode(&f->fpdu, (iwarp_span){wire, sizeof(wire)}, 0, true);
  iwarp_rdmap_seg_decode(&f->seg, (iwarp_span){wire + ULPDU, ULPDU_LEN}, ULPDU_LEN);
  ev.pos += IWARP_MPA_MARKER_LEN;
  ev.len -= IWARP_MPA_MARKER_LEN;
  f->offset = ev.pos - l->info.side[FIXTURE_INITIATOR].full_pos;
  fixture_event(l, &ev);
  fixture_gap(l, FIXTURE_INITIATOR, LOST_FPDU, IWARP_GAP_LOST);
}

/* It may be the first segment of its message, whose MO is wrong. */
static void lost_mo(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, LOST_FPDU, IWARP_GAP_LOST);
  lost_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, UINT32_MAX - 15, 20));
}

/* An MSN that counts more Requests than were sent: RFC 5041 5.3. */
static void lost_msn_again(struct rules_fixture *l) {
  lost_send(l);
  fixture_gap(l, FIXTURE_INITIATOR, LOST_FPDU, IWARP_GAP_LOST);
  lost_read(l, 600);
  lost_answer_wrong(l, 600);
}

/* More answers than Requests that are missing. */
static void lost_answers_early(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, LOST_FPDU, IWARP_GAP_LOST);
  lost_answer(l, 1);
  lost_answer(l, 2);
  lost_read(l, 2);
  lost_answer_wrong(l, 2);
}

/* More Requests than are kept. */
static void lost_many(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, LOST_FPDU, IWARP_GAP_LOST);
  lost_read(l, 512);
  lost_read(l, 513);
  lost_answer_wrong(l, 1);
}

/* ---- over SCTP ---- */

static void lost_sctp_read_of(struct rules_fixture *l, uint16_t ssn, uint32_t msn, uint32_t sink) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const iwarp_rdmap_read_req req = {.sink_stag = FIXTURE_SINK,
                                    .sink_to = lost_sink(sink),
                                    .size = LOST_LEN,
                                    .source_stag = 7,
                                    .source_to = 8};
  const struct fixture_seg s = fixture_read_of(octets, msn, req);
  SCTP_SEGMENT(l, 0, ssn, .what = &s);
}

static void lost_sctp_read(struct rules_fixture *l, uint16_t ssn, uint32_t msn) {
  lost_sctp_read_of(l, ssn, msn, msn);
}

static void lost_sctp_answer_of(struct rules_fixture *l, uint16_t ssn, uint32_t msn,
                                uint32_t stag) {
  const struct fixture_seg s =
      fixture_tagged(IWARP_RDMAP_OP_READ_RESP, stag, lost_sink(msn), LOST_LEN);
  SCTP_SEGMENT(l, 1, ssn, .what = &s);
}

static void lost_sctp_answer(struct rules_fixture *l, uint16_t ssn, uint32_t msn) {
  lost_sctp_answer_of(l, ssn, msn, FIXTURE_SINK);
}

/* A message of `side` is missing; the Send after it may be the first one of another session. */
static void lost_sctp_gap(struct rules_fixture *l, unsigned side, uint16_t ssn, uint32_t msn) {
  const struct fixture_seg s = fixture_send(msn);
  sctp_gap(l, side, ssn, 1);
  SCTP_SEGMENT(l, side, (uint16_t)(ssn + 1u), .what = &s, .session_unconfirmed = true);
}

static void lost_sctp_begin(struct rules_fixture *l) {
  sctp_open(l);
  lost_sctp_read(l, 1, 1);
  lost_sctp_answer(l, 1, 1);
}

/* A Read Request is missing. */
static void lost_sctp_request(struct rules_fixture *l) {
  lost_sctp_begin(l);
  lost_sctp_gap(l, 0, 2, 1);
  lost_sctp_read(l, 4, 3);
  lost_sctp_answer(l, 2, 2);
  lost_sctp_answer(l, 3, 3);
  lost_sctp_read(l, 5, 4);
  lost_sctp_answer(l, 4, 4);
}

static void lost_sctp_request_right(struct rules_fixture *l) {
  lost_sctp_request(l);
  lost_sctp_read(l, 6, 5);
  lost_sctp_answer(l, 5, 5);
}

static void lost_sctp_request_stag(struct rules_fixture *l) {
  lost_sctp_request(l);
  lost_sctp_read(l, 6, 5);
  lost_sctp_answer_of(l, 5, 5, 3);
}

/* The answer to the first of two Requests is missing. */
static void lost_sctp_answers(struct rules_fixture *l) {
  lost_sctp_begin(l);
  lost_sctp_read(l, 2, 2);
  lost_sctp_read(l, 3, 3);
  lost_sctp_gap(l, 1, 2, 1);
  lost_sctp_answer(l, 4, 3);
}

static void lost_sctp_answers_stag(struct rules_fixture *l) {
  lost_sctp_answers(l);
  lost_sctp_read_of(l, 4, 4, 4);
  lost_sctp_read_of(l, 5, 5, 4);
  lost_sctp_answer(l, 5, 4);
  lost_sctp_read_of(l, 6, 6, 4);
  lost_sctp_answer(l, 6, 4);
  lost_sctp_read(l, 7, 7);
  lost_sctp_answer_of(l, 7, 4, 3);
}

/* A session may have ended, and another begun, among what is missing. */
static void lost_sctp_both_of(struct rules_fixture *l, unsigned first) {
  lost_sctp_begin(l);
  lost_sctp_gap(l, first, 2, 1);
  lost_sctp_gap(l, 1 - first, 2, 1);
  lost_sctp_read(l, 4, 2);
  lost_sctp_answer(l, 4, 2);
  lost_sctp_read(l, 5, 3);
  lost_sctp_answer_of(l, 5, 3, 3);
}

static void lost_sctp_both(struct rules_fixture *l) {
  lost_sctp_both_of(l, 0);
}

static void lost_sctp_both_other(struct rules_fixture *l) {
  lost_sctp_both_of(l, 1);
}

/* An answer was captured before its Request, and several Reads have one sink. */
static void lost_sctp_late(struct rules_fixture *l) {
  lost_sctp_begin(l);
  lost_sctp_read_of(l, 2, 2, 2);
  lost_sctp_read_of(l, 3, 3, 2);
  lost_sctp_gap(l, 1, 2, 1);
  lost_sctp_answer(l, 4, 2);
  lost_sctp_answer(l, 5, 4);
  lost_sctp_read_of(l, 4, 4, 4);
  lost_sctp_read_of(l, 5, 5, 4);
  lost_sctp_answer(l, 6, 4);
  lost_sctp_read_of(l, 6, 6, 4);
  lost_sctp_answer(l, 7, 4);
  lost_sctp_read(l, 7, 7);
  lost_sctp_answer(l, 8, 7);
}

/* A message without a place may have been a Request. */
static void lost_sctp_misplaced(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(2);
  lost_sctp_begin(l);
  lost_sctp_gap(l, 0, 2, 1);
  SCTP_SEGMENT(l, 0, 9, .what = &s, .reason = IWARP_SCTP_REASON_SSN, .skipped = true,
               .verdict = IWARP_SCTP_ILLEGAL);
  lost_sctp_read(l, 4, 2);
  lost_sctp_answer(l, 2, 2);
  lost_sctp_read(l, 5, 3);
  lost_sctp_answer_of(l, 3, 3, 3);
}

/* ---- CRCs that were cut off ---- */

#define LOST_CUT (IWARP_MPA_LENGTH_LEN + IWARP_DDP_UNTAGGED_LEN)

/* The capture holds the headers of the FPDU alone, which is reported before its gap. */
static void lost_cut(struct rules_fixture *l, struct fixture_seg s) {
  s.cut = LOST_CUT;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->next[FIXTURE_INITIATOR] -= IWARP_MPA_CRC_LEN;
  fixture_gap(l, FIXTURE_INITIATOR, IWARP_MPA_CRC_LEN, IWARP_GAP_SNAPLEN);
  l->lost[FIXTURE_INITIATOR] = false;
}

/* The second FPDU that is cut has a wrong version. */
static void lost_cut_version(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(3);
  s.ddp.dv = 3;
  fixture_begin_with(l, FIXTURE_C);
  lost_cut(l, fixture_send(2));
  lost_cut(l, s);
}

static void lost_cut_good(struct rules_fixture *l) {
  lost_cut_version(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(4));
}

static void lost_cut_packet(struct rules_fixture *l) {
  lost_cut_version(l);
  lost_cut(l, fixture_send(4));
}

/* It ends in the packet in which the next one begins. */
static void lost_cut_inside(struct rules_fixture *l) {
  lost_cut_version(l);
  l->in_one = true;
  l->packet -= 2;
  lost_cut(l, fixture_send(4));
  fixture_undecodable(l, FIXTURE_INITIATOR, 40, IWARP_UNDEC_NOT_FPDU);
}

static void lost_cut_end(struct rules_fixture *l) {
  lost_cut_version(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

static void lost_cut_octets(struct rules_fixture *l) {
  lost_cut_version(l);
  fixture_undecodable(l, FIXTURE_INITIATOR, 40, IWARP_UNDEC_NOT_FPDU);
}

static void lost_cut_wrong(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(4);
  s.crc_flip = 1;
  lost_cut_version(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void lost_cut_gap(struct rules_fixture *l) {
  lost_cut_version(l);
  fixture_gap(l, FIXTURE_INITIATOR, LOST_FPDU, IWARP_GAP_LOST);
}

const struct rules_case rules_cases_lost[] = {
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "over SCTP, after a lost Request",
     lost_sctp_request_stag, NULL},
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "over SCTP, after a lost answer",
     lost_sctp_answers_stag, NULL},
    {"rdmap.response-order", FIXTURE_NEAR, 0, "over SCTP, after a lost Request",
     lost_sctp_request_right, NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "over SCTP, after messages of both sides were lost", lost_sctp_both, NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "over SCTP, after messages of both sides were lost, the other way", lost_sctp_both_other,
     NULL},
    {"rdmap.read-response-to", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "over SCTP, after a lost answer and one before its Request", lost_sctp_late, NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "over SCTP, after a message without a place", lost_sctp_misplaced, NULL},
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "after a lost Send", lost_send_stag, NULL},
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "after lost Requests", lost_requests_stag, NULL},
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "after lost answers", lost_answers_stag, NULL},
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "after the lost beginning of an answer",
     lost_rest, NULL},
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "after a cut packet", lost_snapped_stag, NULL},
    {"rdmap.read-response-stag", FIXTURE_NEAR, 0, "after a lost Send", lost_send_right, NULL},
    {"rdmap.response-order", FIXTURE_NEAR, 0, "after lost Requests", lost_requests_right, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "after lost Requests", lost_requests_short,
     NULL},
    {"rdmap.response-order", FIXTURE_FAIL, 0, "after lost Requests", lost_requests_order, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "after lost Requests", lost_requests_over, NULL},
    {"rdmap.reads-outstanding", FIXTURE_NEAR, 0, "after lost Requests", lost_requests_full, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "after a lost answer", lost_answers_over, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "after a lost Request and its answer", lost_both, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "after losses of both sides, an answer before its Request", lost_answer_before, NULL},
    {"ddp.to-wrap", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap, a Marker elsewhere",
     lost_marker_elsewhere, NULL},
    {"ddp.message-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "an MO after a gap", lost_mo,
     NULL},
    {"rdmap.atomic-response-id", FIXTURE_FAIL, 0, "after a lost Request", lost_atomics_id, NULL},
    {"rdmap.read-response-stag", FIXTURE_FAIL, 0, "after a lost answer and an Atomic Response",
     lost_atomics_answers, NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "after a lost answer to one of two Reads alike", lost_answers_alike, NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "after a lost answer, not to the oldest Request", lost_answers_skipped, NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "after a lost answer, crossing the Request", lost_answers_crossing, NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after 597 lost Requests",
     lost_msn_again, NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "after more answers than lost Requests", lost_answers_early, NULL},
    {"rdmap.read-response-stag", FIXTURE_INCONCLUSIVE, IWARP_REASON_LIMIT,
     "after 511 lost Requests, 513 wait", lost_many, NULL},
    {"ddp.version", FIXTURE_FAIL, 0, "cut, a right CRC follows", lost_cut_good, NULL},
    {"ddp.version", FIXTURE_FAIL, 0, "cut, a packet follows", lost_cut_packet, NULL},
    {"ddp.version", FIXTURE_FAIL, 0, "cut, the end follows", lost_cut_end, NULL},
    {"ddp.version", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN, "cut, octets follow inside",
     lost_cut_inside, NULL},
    {"ddp.version", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN, "cut, octets follow",
     lost_cut_octets, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "after a cut FPDU of a wrong version", lost_cut_wrong, NULL},
    {"ddp.version", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut, octets are missing", lost_cut_gap,
     NULL},
};

const size_t rules_cases_lost_num = sizeof(rules_cases_lost) / sizeof(rules_cases_lost[0]);
