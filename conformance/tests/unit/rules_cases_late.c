/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases over SCTP that later packets decide, since a packet with data seldom acknowledges; and
 * messages that a Session Terminate cuts. */
#include "rules_cases.h"

static void late_is(struct rules_fixture *l, struct sctp_msg m, struct fixture_seg what) {
  m.segment = true;
  m.what = &what;
  m.acked = true;
  sctp_send(l, m);
}

static void late_terminate(struct rules_fixture *l, unsigned side, uint16_t ssn) {
  SCTP_SEND(l, .side = side, .function = 4, .ssn = ssn, .acked = true);
}

/* Messages of the side are missing. */
static void late_gap(struct rules_fixture *l, unsigned side, uint16_t ssn) {
  l->lost[side] = true;
  l->unclear = true;
  l->info.side[side].gap = true;
  sctp_gap_of(l, side, ssn);
}

/* ---- more requests than were negotiated ---- */

static void over_request(struct rules_fixture *l, struct sctp_msg m) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  late_is(l, m, fixture_read_request(octets, m.ssn, 9));
}

/* The Initiator may have one outstanding. */
static void over_open(struct rules_fixture *l) {
  const iwarp_mpa_enhanced depths = {.ird = 1, .ord = 1};
  SCTP_SEND(l, .function = 5, .private_data = 4, .enh = depths);
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .enh = depths, .acked = true);
}

/* What it had received when it sent the second one is not known. */
static void over_two(struct rules_fixture *l) {
  over_open(l);
  over_request(l, (struct sctp_msg){.ssn = 1});
  over_request(l, (struct sctp_msg){.ssn = 2, .no_cause = true});
}

static void over_answered(struct rules_fixture *l) {
  over_two(l);
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1}, fixture_read_response(9));
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 2}, fixture_read_response(9));
}
SCTP_UNCLEAR(over_answered)

/* Said of the second request alone. */
static void over_three(struct rules_fixture *l) {
  over_two(l);
  over_request(l, (struct sctp_msg){.ssn = 3, .no_cause = true});
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1}, fixture_read_response(9));
}

/* The answer is sent in two segments, the first one before the second request had come. */
static void over_answered_in_two(struct rules_fixture *l) {
  struct fixture_seg rest = fixture_read_response(4);
  rest.ddp.to += 5;
  over_two(l);
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1, .crosses = true},
          fixture_more(fixture_read_response(5)));
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 2}, rest);
}

/* The answer was sent when the second request had not come. */
static void over_crossing(struct rules_fixture *l) {
  over_two(l);
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1, .crosses = true}, fixture_read_response(9));
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 2}, fixture_read_response(9));
}

static void over_answered_unknown(struct rules_fixture *l) {
  over_two(l);
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1, .no_cause = true}, fixture_read_response(9));
}

/* It is not known whether the missing message was the answer. */
static void over_answers_missing(struct rules_fixture *l) {
  over_two(l);
  sctp_gap_of(l, 1, 1);
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 3}, fixture_read_response(9));
}

/* The second one is reported as it arrives: the third is not reported. */
static void over_said_before(struct rules_fixture *l) {
  over_open(l);
  over_request(l, (struct sctp_msg){.ssn = 1});
  over_request(l, (struct sctp_msg){.ssn = 2});
  over_request(l, (struct sctp_msg){.ssn = 3, .no_cause = true});
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1}, fixture_read_response(9));
}

static void over_unanswered(struct rules_fixture *l) {
  over_two(l);
  late_terminate(l, 1, 1);
  late_terminate(l, 0, 3);
  sctp_finish(l, IWARP_END_FIN);
}

static void over_unanswered_open(struct rules_fixture *l) {
  over_two(l);
  late_terminate(l, 0, 3);
  sctp_finish(l, IWARP_END_FIN);
}

static void over_one_packet(struct rules_fixture *l) {
  over_open(l);
  over_request(l, (struct sctp_msg){.ssn = 1});
  over_request(l, (struct sctp_msg){.ssn = 2, .no_cause = true, .same_packet = true});
}

/* The packet may be a copy of an earlier one, which had the first request alone. */
static void over_one_packet_patchy(struct rules_fixture *l) {
  over_open(l);
  over_request(l, (struct sctp_msg){.ssn = 1});
  over_request(l,
               (struct sctp_msg){
                   .ssn = 2, .no_cause = true, .same_packet = true, .maybe_retransmitted = true});
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1, .no_cause = true}, fixture_read_response(9));
}

static void over_in_turn(struct rules_fixture *l) {
  over_open(l);
  over_request(l, (struct sctp_msg){.ssn = 1});
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1}, fixture_read_response(9));
  over_request(l, (struct sctp_msg){.ssn = 2, .no_cause = true});
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 2}, fixture_read_response(9));
}

/* ---- the header that a Terminate returns ---- */

/* The Responder returns the header of `s`, whose length is `more` octets more than that. What it
 * had received is not known. */
static void returns(struct rules_fixture *l, struct fixture_seg s, uint16_t more) {
  uint8_t octets[64];
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
  size_t len = 0;
  iwarp_ddp_hdr_encode(header, sizeof(header), &len, &s.ddp);
  const iwarp_rdmap_term t = {.layer = 1,
                              .etype = 2,
                              .code = 2,
                              .m = true,
                              .d = true,
                              .has_ddp_segment_length = true,
                              .ddp_segment_length = (uint16_t)(len + s.len + more),
                              .ddp_header = {header, len}};
  iwarp_rdmap_term_encode(octets, sizeof(octets), &len, &t);
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1, .no_cause = true},
          fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, len));
}

static void returned(struct rules_fixture *l, struct fixture_seg s, uint16_t more) {
  sctp_open(l);
  late_is(l, (struct sctp_msg){.ssn = 1}, fixture_send(1));
  returns(l, s, more);
}

/* And both end the session. */
static void returned_ended(struct rules_fixture *l, struct fixture_seg s, uint16_t more) {
  returned(l, s, more);
  late_is(l, (struct sctp_msg){.ssn = 2}, fixture_send(2));
  late_terminate(l, 1, 2);
  late_terminate(l, 0, 3);
  sctp_finish(l, IWARP_END_FIN);
}

static void returned_first(struct rules_fixture *l) {
  returned_ended(l, fixture_send(1), 0);
}

/* It was captured after the Terminate. */
static void returned_second(struct rules_fixture *l) {
  returned_ended(l, fixture_send(2), 0);
}

static void returned_third(struct rules_fixture *l) {
  returned_ended(l, fixture_send(3), 0);
}
SCTP_UNCLEAR(returned_third)

static void returned_longer(struct rules_fixture *l) {
  returned_ended(l, fixture_send(1), 3);
}
SCTP_UNCLEAR(returned_longer)

/* The other side does not end the session: it may have sent more. */
static void returned_open(struct rules_fixture *l) {
  returned(l, fixture_send(3), 0);
  late_terminate(l, 1, 2);
  sctp_finish(l, IWARP_END_FIN);
}

/* A message of the other side has no place: it may be the segment. */
static void returned_discarded(struct rules_fixture *l) {
  returned(l, fixture_send(3), 0);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
               .no_cause = true);
  late_terminate(l, 1, 2);
  late_terminate(l, 0, 2);
  sctp_finish(l, IWARP_END_FIN);
}

/* A message of another protocol: it may be the segment. */
static void returned_foreign(struct rules_fixture *l) {
  returned(l, fixture_send(3), 0);
  SCTP_SEND(l, .ppid = 18, .length = 29, .reason = IWARP_SCTP_REASON_PPID,
            .verdict = IWARP_SCTP_ILLEGAL);
  late_terminate(l, 1, 2);
  late_terminate(l, 0, 2);
  sctp_finish(l, IWARP_END_FIN);
}

static void returned_gap(struct rules_fixture *l) {
  returned(l, fixture_send(3), 0);
  late_gap(l, 0, 2);
  late_terminate(l, 1, 2);
  late_terminate(l, 0, 4);
  sctp_finish(l, IWARP_END_FIN);
}

/* ---- a message that a Session Terminate cuts ---- */

static void cut_begun(struct rules_fixture *l) {
  sctp_open(l);
  late_is(l, (struct sctp_msg){.ssn = 1}, fixture_more(fixture_send(1)));
}

static void cut_at_once(struct rules_fixture *l) {
  cut_begun(l);
  late_terminate(l, 0, 2);
  late_terminate(l, 1, 1);
  sctp_finish(l, IWARP_END_FIN);
}
SCTP_UNCLEAR(cut_at_once)

/* The other side has sent its own before. */
static void cut_after(struct rules_fixture *l) {
  cut_begun(l);
  late_terminate(l, 1, 1);
  late_terminate(l, 0, 2);
  sctp_finish(l, IWARP_END_FIN);
}

/* What the side had received is not known, but the other one had its Terminate. */
static void cut_known_later(struct rules_fixture *l) {
  cut_begun(l);
  SCTP_SEND(l, .function = 4, .ssn = 2, .acked = true, .no_cause = true);
  late_terminate(l, 1, 1);
  sctp_finish(l, IWARP_END_FIN);
}

static void cut_crossing(struct rules_fixture *l) {
  cut_begun(l);
  SCTP_SEND(l, .function = 4, .ssn = 2, .acked = true, .no_cause = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true, .crosses = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void cut_unknown(struct rules_fixture *l) {
  cut_begun(l);
  SCTP_SEND(l, .function = 4, .ssn = 2, .acked = true, .no_cause = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true, .no_cause = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void cut_by_terminate_of_other(struct rules_fixture *l) {
  cut_begun(l);
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1},
          fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4));
  late_terminate(l, 0, 2);
  late_terminate(l, 1, 2);
  sctp_finish(l, IWARP_END_FIN);
}

static void cut_by_association(struct rules_fixture *l) {
  cut_begun(l);
  sctp_finish(l, IWARP_END_RST);
}

/* A message of the other side has no place: it may be a Terminate. */
static void cut_discarded(struct rules_fixture *l) {
  cut_begun(l);
  SCTP_SEGMENT(l, 1, 0, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL,
               .no_cause = true);
  late_terminate(l, 0, 2);
  late_terminate(l, 1, 1);
  sctp_finish(l, IWARP_END_FIN);
}

/* Messages of the other side are missing: one may be a Terminate. */
static void cut_other_missing(struct rules_fixture *l) {
  cut_begun(l);
  sctp_gap_of(l, 1, 1);
  late_terminate(l, 0, 2);
  late_terminate(l, 1, 3);
  sctp_finish(l, IWARP_END_FIN);
}

static void cut_not(struct rules_fixture *l) {
  sctp_open(l);
  late_is(l, (struct sctp_msg){.ssn = 1}, fixture_send(1));
  late_terminate(l, 0, 2);
  late_terminate(l, 1, 1);
  sctp_finish(l, IWARP_END_FIN);
}

/* The rest comes, too. */
static void cut_ended(struct rules_fixture *l) {
  struct fixture_seg rest = fixture_send(1);
  cut_begun(l);
  rest.ddp.mo = (uint32_t)rest.len;
  late_is(l, (struct sctp_msg){.ssn = 2}, rest);
  late_terminate(l, 0, 3);
  late_terminate(l, 1, 1);
  sctp_finish(l, IWARP_END_FIN);
}

/* A Terminate of four octets without L. */
static void cut_terminate(struct rules_fixture *l) {
  sctp_open(l);
  late_is(l, (struct sctp_msg){.ssn = 1},
          fixture_more(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4)));
  late_terminate(l, 0, 2);
  late_terminate(l, 1, 1);
  sctp_finish(l, IWARP_END_FIN);
}
SCTP_UNCLEAR(cut_terminate)

/* A Response with all of its octets, after the Session Terminate of the requester. */
static void cut_response_after(struct rules_fixture *l) {
  sctp_open(l);
  over_request(l, (struct sctp_msg){.ssn = 1});
  late_is(l, (struct sctp_msg){.side = 1, .ssn = 1}, fixture_more(fixture_read_response(9)));
  late_terminate(l, 0, 2);
  late_terminate(l, 1, 2);
  sctp_finish(l, IWARP_END_FIN);
}

/* ---- a Session Control message in place of a segment ---- */

/* The Send with MSN 2 is not there: the message stands for it. */
static void astray_between(struct rules_fixture *l, uint16_t function, iwarp_sctp_reason reason) {
  sctp_open(l);
  late_is(l, (struct sctp_msg){.ssn = 1}, fixture_send(1));
  SCTP_SEND(l, .function = function, .ssn = 2, .private_data = 4, .acked = true, .reason = reason,
            .verdict = IWARP_SCTP_ILLEGAL);
  late_is(l, (struct sctp_msg){.ssn = 3}, fixture_send(3));
}

static void astray_initiate(struct rules_fixture *l) {
  astray_between(l, IWARP_SCTP_INITIATE, IWARP_SCTP_REASON_SEQUENCE);
}

static void astray_other_form(struct rules_fixture *l) {
  astray_between(l, IWARP_SCTP_ENHANCED_ACCEPT, IWARP_SCTP_REASON_FUNCTION);
}

/* A message of another protocol has no number: none is left out. */
static void astray_foreign(struct rules_fixture *l) {
  sctp_open(l);
  late_is(l, (struct sctp_msg){.ssn = 1}, fixture_send(1));
  SCTP_SEND(l, .ppid = 18, .length = 29, .reason = IWARP_SCTP_REASON_PPID,
            .verdict = IWARP_SCTP_ILLEGAL);
  late_is(l, (struct sctp_msg){.ssn = 2}, fixture_send(3));
}

/* The answer has no place, so that the first segment is sent without one. */
static void astray_answer(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 1, .acked = true, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL);
  late_is(l, (struct sctp_msg){.ssn = 1}, fixture_send(1));
}

/* ---- messages after the Terminate of their side: the first is judged ---- */

static void ended_send(struct rules_fixture *l, uint16_t ssn) {
  SCTP_SEGMENT(l, 0, ssn, .acked = true, .reason = IWARP_SCTP_REASON_SEQUENCE,
               .verdict = IWARP_SCTP_ILLEGAL);
}

static void ended_sends_on(struct rules_fixture *l) {
  sctp_open(l);
  late_terminate(l, 0, 1);
  ended_send(l, 2);
  ended_send(l, 3);
}

static void ended_sends_on_damaged(struct rules_fixture *l) {
  sctp_open(l);
  late_terminate(l, 0, 1);
  l->damaged = true;
  ended_send(l, 2);
  l->damaged = false;
  ended_send(l, 3);
}

const struct rules_case rules_cases_late[] = {
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "SCTP: both answered later", over_answered, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "SCTP: three", over_three, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "SCTP: the end of the answer is later",
     over_answered_in_two, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "SCTP: the answer may have come before", over_crossing, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "SCTP: when the answer was sent is not known", over_answered_unknown, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "SCTP: answers may be missing", over_answers_missing, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     over_answered_unclear, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "SCTP: the second one is known", over_said_before,
     NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "SCTP: nothing answered", over_unanswered, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "SCTP: nothing answered yet", over_unanswered_open, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "SCTP: in one packet", over_one_packet, NULL},
    {"rdmap.reads-outstanding", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "SCTP: in one packet, which may be a copy", over_one_packet_patchy, NULL},
    {"rdmap.reads-outstanding", FIXTURE_PASS, 0, "SCTP: one after the other", over_in_turn, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_PASS, 0, "SCTP: of the first Send", returned_first,
     NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_NEAR, 0, "SCTP: captured after it", returned_second,
     NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_FAIL, 0, "SCTP: of no Send", returned_third, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     returned_third_unclear, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "SCTP: the other side goes on", returned_open, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "SCTP: out of place", returned_discarded, "sctp.ddp-ssn"},
    {"rdmap.terminate-ddp-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "SCTP: of another protocol", returned_foreign, "sctp.ppid"},
    {"rdmap.terminate-ddp-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: a gap",
     returned_gap, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_PASS, 0, "SCTP: of the first Send", returned_first,
     NULL},
    {"rdmap.terminate-segment-length", FIXTURE_FAIL, 0, "SCTP: three more", returned_longer, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "SCTP: which session", returned_longer_unclear, NULL},
    {"ddp.msn-sequence", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "SCTP: an Initiate in place of a Send", astray_initiate, "sctp.session-order"},
    {"ddp.msn-sequence", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "SCTP: an answer in place of a Send", astray_other_form, "sctp.session-order"},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "SCTP: after a message of another protocol",
     astray_foreign, "sctp.ppid"},
    {"sctp.segment-before-answer", FIXTURE_SILENT, 0, "an Initiate in place of the answer",
     astray_answer, "sctp.session-order"},
    {"sctp.session-order", FIXTURE_FAIL, 0, "two Sends after the Terminate", ended_sends_on, NULL},
    {"sctp.session-order", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "two Sends after the Terminate, the first one damaged", ended_sends_on_damaged, NULL},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "SCTP: a Send", cut_at_once, NULL},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "SCTP: known later", cut_known_later, NULL},
    {"ddp.stream-end", FIXTURE_SILENT, 0, "SCTP: after the other side", cut_after, NULL},
    {"ddp.stream-end", FIXTURE_NEAR, 0, "SCTP: after a Terminate", cut_by_terminate_of_other, NULL},
    {"ddp.stream-end", FIXTURE_SILENT, 0, "SCTP: ABORT", cut_by_association, NULL},
    {"ddp.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: crossing", cut_crossing,
     NULL},
    {"ddp.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: unknown", cut_unknown, NULL},
    {"ddp.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     cut_at_once_unclear, NULL},
    {"ddp.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: out of place", cut_discarded,
     "sctp.ddp-ssn"},
    {"ddp.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: the other side has a gap",
     cut_other_missing, "sctp.ddp-ssn"},
    {"ddp.stream-end", FIXTURE_PASS, 0, "SCTP: a whole Send", cut_not, NULL},
    {"ddp.stream-end", FIXTURE_NEAR, 0, "SCTP: the rest of it", cut_ended, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Terminate of four octets over SCTP",
     cut_terminate, NULL},
    {"ddp.last-flag-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "a Terminate of four octets over SCTP, which session", cut_terminate_unclear, NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Read Response over SCTP, after the other side",
     cut_response_after, NULL},
};

const size_t rules_cases_late_num = sizeof(rules_cases_late) / sizeof(rules_cases_late[0]);
