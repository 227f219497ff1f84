/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on SCTP associations, on single messages, and on enhanced data over SCTP. */

#include "rules_cases.h"

void sctp_good(struct rules_fixture *l) {
  SCTP_INIT(l, 0, 0, .has_adaptation = true, .adaptation = 1, .out_streams = 8, .in_streams = 8);
  SCTP_INIT(l, 1, 0, .has_adaptation = true, .adaptation = 1, .out_streams = 8, .in_streams = 8);
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  SCTP_SEND(l, .function = 4, .ssn = 2, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* ---- the association ---- */

static void sctp_adaptation_other(struct rules_fixture *l) {
  SCTP_INIT(l, 0, 0, .has_adaptation = true, .adaptation = 2);
}

static void sctp_adaptation_long(struct rules_fixture *l) {
  SCTP_INIT(l, 0, 0, .has_adaptation = true, .adaptation = 1, .adaptation_surplus = 4);
}

/* The Terminate of a session, which returns no header. */
static void sctp_term(struct rules_fixture *l, uint8_t code) {
  uint8_t octets[4] = {0x20, code};
  const struct fixture_seg s =
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, sizeof(octets));
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .what = &s);
}

static void sctp_term_mpa(struct rules_fixture *l) {
  sctp_term(l, 4);
}

static void sctp_term_enhanced(struct rules_fixture *l) {
  sctp_term(l, 5);
}

static void sctp_adaptation_none(struct rules_fixture *l) {
  SCTP_INIT(l, 1, 0, .out_streams = 0);
}

static void sctp_adaptation_cut(struct rules_fixture *l) {
  sctp_init(l, 0, 0, (iwarp_sctp_assoc_params){.whole = false});
}

static void sctp_adaptation_cut_after(struct rules_fixture *l) {
  sctp_init(l, 0, 0, (iwarp_sctp_assoc_params){.has_adaptation = true, .adaptation = 1});
}

static void sctp_count_unequal(struct rules_fixture *l) {
  SCTP_INIT(l, 0, 0, .has_adaptation = true, .adaptation = 1, .out_streams = 8, .in_streams = 9);
}

static void sctp_count_ack(struct rules_fixture *l) {
  SCTP_INIT(l, 1, 8, .has_adaptation = true, .adaptation = 1, .out_streams = 7, .in_streams = 8);
}

static void sctp_count_granted(struct rules_fixture *l) {
  SCTP_INIT(l, 1, 7, .has_adaptation = true, .adaptation = 1, .out_streams = 7, .in_streams = 8);
}

static void sctp_count_unknown(struct rules_fixture *l) {
  SCTP_INIT(l, 1, 0, .has_adaptation = true, .adaptation = 1, .out_streams = 7, .in_streams = 8);
}

/* ---- one message ---- */

static void sctp_ordered(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .ordered = true);
}
SCTP_DAMAGED(sctp_ordered)

static void sctp_foreign(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .ppid = 18, .length = 9, .reason = IWARP_SCTP_REASON_PPID,
            .verdict = IWARP_SCTP_ILLEGAL);
}
SCTP_DAMAGED(sctp_foreign)

static void sctp_swapped(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .side = 1, .function = 2, .acked = true, .ppid = 0x11000000);
}

/* A Session Control message with the identifier of segments; the session knows none of it. */
static void sctp_control_as_segment(struct rules_fixture *l, unsigned side, uint16_t function,
                                    uint32_t private_data) {
  SCTP_SEND(l, .side = side, .function = function, .other_ppid = true, .acked = true,
            .private_data = private_data, .reason = IWARP_SCTP_REASON_SEQUENCE,
            .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_initiate_as_segment(struct rules_fixture *l) {
  sctp_control_as_segment(l, 0, 1, 0);
}

/* Private Data as long as the header of a segment change nothing where no segment may come. */
static void sctp_accept_as_segment(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  sctp_control_as_segment(l, 1, 2, 40);
  SCTP_SEGMENT(l, 0, 1, .acked = true);
}

static void sctp_terminates_as_segments(struct rules_fixture *l, uint32_t private_data) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .other_ppid = true, .private_data = private_data);
  SCTP_SEGMENT(l, 1, 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_terminate_as_segment(struct rules_fixture *l) {
  sctp_terminates_as_segments(l, 0);
}

/* One octet less than a segment of version 0 needs. */
static void sctp_terminate_as_segment_long(struct rules_fixture *l) {
  sctp_terminates_as_segments(l, 15);
}

/* A whole header with its versions 0; it ends no message. */
static void sctp_segment_version_0(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .other_ppid = true, .private_data = 16);
}

/* A Send with the identifier of Session Control, and the Send after it. */
static void sctp_segment_as_control(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .other_ppid = true, .reason = IWARP_SCTP_REASON_FUNCTION,
               .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEGMENT(l, 0, 2, .acked = true);
}

/* Control octets that no segment has: T, reserved bits, a version, or the opcode is wrong. */
static void sctp_no_segment_as_control(struct rules_fixture *l) {
  static const uint16_t control[] = {0xC143, 0x4543, 0x4243, 0x4183, 0x4153, 0x414C};
  sctp_open(l);
  for (uint16_t i = 0; i < sizeof(control) / sizeof(control[0]); i++) {
    SCTP_SEGMENT(l, 0, (uint16_t)(i + 1), .other_ppid = true, .function = control[i],
                 .reason = IWARP_SCTP_REASON_FUNCTION, .verdict = IWARP_SCTP_ILLEGAL);
  }
}

/* An empty Write just has room for its header; with one octet less it has not. */
static void sctp_write_as_control(struct rules_fixture *l, uint32_t length) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .other_ppid = true, .function = 0xC140, .length = length,
               .reason = IWARP_SCTP_REASON_FUNCTION, .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_tagged_as_control(struct rules_fixture *l) {
  sctp_write_as_control(l, 16);
}

static void sctp_tagged_as_control_short(struct rules_fixture *l) {
  sctp_write_as_control(l, 15);
}

/* It ends the session before an answer, and is no segment. */
static void sctp_terminate_at_once_as_segment(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1);
  SCTP_SEND(l, .function = 4, .ssn = 1, .other_ppid = true);
}

/* Four octets are too few for a segment, but these are no Session Control message either. */
static void sctp_short_segment(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 0x0104, .ssn = 1, .other_ppid = true);
}

/* Nothing shows the Function Code, or its absence. */
static void sctp_terminate_as_segment_cut(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .other_ppid = true, .captured = 3);
}

/* The same octets without the last one of the header. */
static void sctp_segment_as_control_short(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .other_ppid = true, .length = 19, .reason = IWARP_SCTP_REASON_FUNCTION,
               .verdict = IWARP_SCTP_ILLEGAL);
}

static void sctp_two_fit(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .fragments = 2, .needless = true);
}
SCTP_DAMAGED(sctp_two_fit)

static void sctp_two(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .fragments = 2);
}

static void sctp_short_3(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .is_short = true, .length = 3, .reason = IWARP_SCTP_REASON_SHORT,
            .verdict = IWARP_SCTP_ILLEGAL);
}
SCTP_DAMAGED(sctp_short_3)

static void sctp_function_8(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 8, .ssn = 1, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_ILLEGAL);
}
SCTP_DAMAGED(sctp_function_8)

static void sctp_function_experiment(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 0xFFFF, .reason = IWARP_SCTP_REASON_FUNCTION,
            .verdict = IWARP_SCTP_STRAY);
}

static void sctp_enhanced_reject(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4);
  SCTP_SEND(l, .side = 1, .function = 7, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

void sctp_private_513(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1, .private_data = 513, .reason = IWARP_SCTP_REASON_LENGTH,
            .verdict = IWARP_SCTP_STRAY);
}
SCTP_DAMAGED(sctp_private_513)

static void sctp_private_512(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 1, .private_data = 512);
}

static void sctp_terminate_1(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .private_data = 1, .acked = true);
}
SCTP_DAMAGED(sctp_terminate_1)

static void sctp_enhanced_3(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 3, .reason = IWARP_SCTP_REASON_LENGTH,
            .verdict = IWARP_SCTP_STRAY);
}
SCTP_DAMAGED(sctp_enhanced_3)

static void sctp_enhanced(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4);
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .acked = true);
}

/* ---- RFC 6581 9 ---- */

static void sctp_depths(struct rules_fixture *l, iwarp_mpa_enhanced asked,
                        iwarp_mpa_enhanced answered) {
  SCTP_SEND(l, .function = 5, .private_data = 4, .enh = asked);
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .enh = answered, .acked = true);
}

#define SCTP_ENH(...) ((iwarp_mpa_enhanced){__VA_ARGS__})
#define SCTP_DEPTHS_RIGHT(name, asked, answered)                                                   \
  static void sctp_##name(struct rules_fixture *l) {                                               \
    sctp_depths(l, asked, answered);                                                               \
  }
#define SCTP_DEPTHS(name, asked, answered)                                                         \
  SCTP_DEPTHS_RIGHT(name, asked, answered)                                                         \
  SCTP_UNCLEAR(sctp_##name)
SCTP_DEPTHS_RIGHT(depths_equal, SCTP_ENH(.ird = 4, .ord = 4), SCTP_ENH(.ird = 4, .ord = 4))
SCTP_DEPTHS(depths_above, SCTP_ENH(.ird = 4, .ord = 4), SCTP_ENH(.ird = 4, .ord = 5))
SCTP_DEPTHS_RIGHT(depths_unspecified, SCTP_ENH(.ird = 0x3fff, .ord = 0x3fff),
                  SCTP_ENH(.ird = 0x3fff, .ord = 0x3fff))
SCTP_DEPTHS(ird_specified, SCTP_ENH(.ird = 4, .ord = 0x3fff), SCTP_ENH(.ird = 0x3ffe, .ord = 4))
SCTP_DEPTHS(ord_specified, SCTP_ENH(.ird = 0x3fff, .ord = 4), SCTP_ENH(.ird = 4, .ord = 0x3ffe))
SCTP_DEPTHS_RIGHT(model_both, SCTP_ENH(.a = true, .c = true), SCTP_ENH(.a = true, .b = true))
SCTP_DEPTHS(model_one, SCTP_ENH(.a = true, .c = true), SCTP_ENH(.ird = 0))
SCTP_DEPTHS(model_silent, SCTP_ENH(.a = true, .c = true), SCTP_ENH(.a = true))

static void sctp_model_flags(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4, .enh = {.d = true});
}

/* A Reject may name the ORD that it needs, and need not have enhanced data at all. */
static void sctp_depths_reject(struct rules_fixture *l) {
  SCTP_SEND(l, .function = 5, .private_data = 4, .enh = {.ird = 4, .ord = 4});
  SCTP_SEND(l, .side = 1, .function = 7, .private_data = 4, .enh = {.ird = 4, .ord = 9});
}

static void sctp_depths_unseen(struct rules_fixture *l) {
  SCTP_SEND(l, .side = 1, .function = 6, .private_data = 4, .enh = {.a = true, .b = true});
}

/* ---- messages of a queue ---- */

static void sctp_part(struct rules_fixture *l, uint16_t ssn, uint32_t msn, uint32_t mo, bool more) {
  struct fixture_seg s = fixture_send(msn);
  s.ddp.mo = mo;
  s.len = 40;
  if (more) {
    s = fixture_more(s);
  }
  SCTP_SEGMENT(l, 0, ssn, .acked = true, .what = &s);
}

/* The second Send begins, and the first has not ended. */
static void sctp_two_parts(struct rules_fixture *l) {
  sctp_open(l);
  sctp_part(l, 1, 1, 0, true);
  sctp_part(l, 2, 2, 0, false);
}

static void sctp_queue_mixed(struct rules_fixture *l) {
  sctp_two_parts(l);
  sctp_part(l, 3, 1, 40, false);
}

static void sctp_last_missing(struct rules_fixture *l) {
  sctp_two_parts(l);
  sctp_part(l, 3, 3, 0, false);
}

static void sctp_response_unended(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const struct fixture_seg request = fixture_read_request(octets, 1, 100);
  const struct fixture_seg response = fixture_more(fixture_read_response(100));
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .what = &request);
  SCTP_SEGMENT(l, 1, 1, .acked = true, .what = &response);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 2, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_immediate_unended(struct rules_fixture *l) {
  const struct fixture_seg s =
      fixture_more(fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 1, 0, IWARP_RDMAP_IMMEDIATE_LEN));
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .what = &s);
  sctp_part(l, 2, 2, 0, false);
}

/* A Session Terminate is the last message of its side, however the association ends. */
static void sctp_last_missing_terminated(struct rules_fixture *l) {
  sctp_two_parts(l);
  SCTP_SEND(l, .function = 4, .ssn = 3, .acked = true);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void sctp_last_missing_closed(struct rules_fixture *l) {
  sctp_two_parts(l);
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

static void sctp_last_missing_open(struct rules_fixture *l) {
  sctp_two_parts(l);
  sctp_finish(l, IWARP_END_CAPTURE);
}

static void sctp_last_missing_lost(struct rules_fixture *l) {
  sctp_two_parts(l);
  l->lost[0] = true;
  SCTP_SEND(l, .side = 1, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* An answer whose packet tells nothing of what its sender had received; that nothing was asked for
 * shows as the other side ends its session. */
static void sctp_response_unasked(struct rules_fixture *l) {
  const struct fixture_seg response = fixture_read_response(40);
  sctp_open(l);
  SCTP_SEGMENT(l, 1, 1, .acked = true, .what = &response, .unbundled = true);
  SCTP_SEND(l, .function = 4, .ssn = 1, .acked = true);
  sctp_finish(l, IWARP_END_FIN);
}

/* Side 0 sends a Terminate, the last of `burst` alike, and aborts the association. */
static void sctp_terminated(struct rules_fixture *l, uint32_t burst, uint32_t sessions) {
  uint8_t octets[4] = {0};
  const struct fixture_seg s =
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, sizeof octets);
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .acked = true, .what = &s);
  l->burst = burst;
  l->sessions = sessions;
  sctp_finish(l, IWARP_END_RST);
}

static void sctp_terminate_alone(struct rules_fixture *l) {
  sctp_terminated(l, 1, 1);
}

static void sctp_terminate_some(struct rules_fixture *l) {
  sctp_terminated(l, 2, 3);
}

static void sctp_terminate_both(struct rules_fixture *l) {
  sctp_terminated(l, 2, 2);
}

static void sctp_terminate_all(struct rules_fixture *l) {
  sctp_terminated(l, 3, 3);
}

static void sctp_terminate_all_lost(struct rules_fixture *l) {
  l->lost[1] = true;
  sctp_terminated(l, 3, 3);
}

/* An octet of 0x80 and the last one of a Function Code are no Function Code. */
static void sctp_short_tagged(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 0x8004, .ssn = 1, .other_ppid = true);
}

/* It has room for a header, and is a segment whatever octets were not captured. */
static void sctp_segment_cut(struct rules_fixture *l) {
  sctp_open(l);
  SCTP_SEND(l, .function = 4, .ssn = 1, .other_ppid = true, .private_data = 16, .captured = 3);
}

/* The ABORT that reports it has no packet of its own. */
static void sctp_terminate_both_beside(struct rules_fixture *l) {
  l->ends_beside = true;
  sctp_terminated(l, 2, 2);
}

const struct rules_case rules_cases_sctp[] = {
    {"sctp.adaptation", FIXTURE_PASS, 0, "1", sctp_good, NULL},
    {"sctp.adaptation", FIXTURE_NEAR, 0, "cut after it", sctp_adaptation_cut_after, NULL},
    {"sctp.adaptation", FIXTURE_FAIL, 0, "2", sctp_adaptation_other, "sctp.stream-count"},
    {"sctp.adaptation", FIXTURE_FAIL, 0, "none", sctp_adaptation_none, NULL},
    {"sctp.adaptation", FIXTURE_FAIL, 0, "12 octets", sctp_adaptation_long, NULL},
    {"rdmap.terminate-code", FIXTURE_FAIL, 0, "of MPA over SCTP", sctp_term_mpa, NULL},
    {"rdmap.terminate-code", FIXTURE_NEAR, 0, "of an enhanced startup over SCTP",
     sctp_term_enhanced, NULL},
    {"sctp.adaptation", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN, "cut", sctp_adaptation_cut,
     NULL},
    {"sctp.stream-count", FIXTURE_PASS, 0, "8 and 8", sctp_good, NULL},
    {"sctp.stream-count", FIXTURE_NEAR, 0, "7 were granted", sctp_count_granted, NULL},
    {"sctp.stream-count", FIXTURE_FAIL, 0, "8 and 9", sctp_count_unequal, NULL},
    {"sctp.stream-count", FIXTURE_FAIL, 0, "7 and 8 in the INIT ACK", sctp_count_ack, NULL},
    {"sctp.stream-count", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no INIT",
     sctp_count_unknown, NULL},
    {"sctp.unordered", FIXTURE_PASS, 0, "U", sctp_good, NULL},
    {"sctp.unordered", FIXTURE_NEAR, 0, "U in two chunks", sctp_two, NULL},
    {"sctp.unordered", FIXTURE_FAIL, 0, "no U", sctp_ordered, NULL},
    {"sctp.unordered", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     sctp_ordered_damaged, NULL},
    {"sctp.ppid", FIXTURE_PASS, 0, "16 and 17", sctp_good, NULL},
    {"sctp.ppid", FIXTURE_NEAR, 0, "17", sctp_open, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "18", sctp_foreign, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "octets turned round", sctp_swapped, NULL},
    {"sctp.ppid", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     sctp_foreign_damaged, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "Initiate, 16", sctp_initiate_as_segment, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "Accept, 16", sctp_accept_as_segment, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "Terminate, 16", sctp_terminate_as_segment, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "Terminate and 15 octets, 16", sctp_terminate_as_segment_long,
     NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "a Send, 17", sctp_segment_as_control, NULL},
    {"sctp.ppid", FIXTURE_PASS, 0, "a segment of versions 0", sctp_segment_version_0,
     "ddp.empty-segment"},
    {"sctp.ppid", FIXTURE_FAIL, 0, "an empty Write, 17", sctp_tagged_as_control, NULL},
    {"sctp.ppid", FIXTURE_FAIL, 0, "Terminate at once, 16", sctp_terminate_at_once_as_segment,
     NULL},
    {"sctp.ppid", FIXTURE_PASS, 0, "less than a Write, 17", sctp_tagged_as_control_short,
     "sctp.function-code"},
    {"sctp.ppid", FIXTURE_PASS, 0, "less than a segment, 16", sctp_short_segment,
     "ddp.header-length"},
    {"sctp.ppid", FIXTURE_PASS, 0, "no segments, 17", sctp_no_segment_as_control,
     "sctp.function-code"},
    {"ddp.header-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN,
     "cut before its control octets", sctp_terminate_as_segment_cut, NULL},
    {"sctp.ppid", FIXTURE_PASS, 0, "less than a segment, 17", sctp_segment_as_control_short,
     "sctp.function-code"},
    {"sctp.fragmentation", FIXTURE_PASS, 0, "would not fit", sctp_two, NULL},
    {"sctp.fragmentation", FIXTURE_SILENT, 0, "whole", sctp_good, NULL},
    {"sctp.fragmentation", FIXTURE_FAIL, 0, "would fit", sctp_two_fit, NULL},
    {"sctp.fragmentation", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     sctp_two_fit_damaged, NULL},
    {"sctp.message-length", FIXTURE_PASS, 0, "whole", sctp_good, NULL},
    {"sctp.message-length", FIXTURE_NEAR, 0, "4", sctp_open, NULL},
    {"sctp.message-length", FIXTURE_FAIL, 0, "3", sctp_short_3, NULL},
    {"sctp.message-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     sctp_short_3_damaged, NULL},
    {"sctp.function-code", FIXTURE_PASS, 0, "1, 2 and 4", sctp_good, NULL},
    {"sctp.function-code", FIXTURE_NEAR, 0, "7", sctp_enhanced_reject, NULL},
    {"sctp.function-code", FIXTURE_SILENT, 0, "0xffff", sctp_function_experiment, NULL},
    {"sctp.function-code", FIXTURE_FAIL, 0, "8", sctp_function_8, NULL},
    {"sctp.function-code", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     sctp_function_8_damaged, NULL},
    {"sctp.private-data-length", FIXTURE_PASS, 0, "0", sctp_good, NULL},
    {"sctp.private-data-length", FIXTURE_NEAR, 0, "512", sctp_private_512, NULL},
    {"sctp.private-data-length", FIXTURE_FAIL, 0, "513", sctp_private_513, NULL},
    {"sctp.private-data-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     sctp_private_513_damaged, NULL},
    {"sctp.terminate-private-data", FIXTURE_PASS, 0, "0", sctp_good, NULL},
    {"sctp.terminate-private-data", FIXTURE_SILENT, 0, "512 in an Initiate", sctp_private_512,
     NULL},
    {"sctp.terminate-private-data", FIXTURE_FAIL, 0, "1", sctp_terminate_1, NULL},
    {"sctp.terminate-private-data", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     sctp_terminate_1_damaged, NULL},
    {"sctp.enhanced-length", FIXTURE_PASS, 0, "4", sctp_enhanced, NULL},
    {"sctp.enhanced-length", FIXTURE_NEAR, 0, "0 in a Reject", sctp_enhanced_reject, NULL},
    {"sctp.enhanced-length", FIXTURE_FAIL, 0, "3", sctp_enhanced_3, NULL},
    {"sctp.enhanced-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     sctp_enhanced_3_damaged, NULL},
    {"sctp.enhanced-pairing", FIXTURE_PASS, 0, "both enhanced", sctp_enhanced, NULL},
    {"sctp.terminate-missing", FIXTURE_SILENT, 0, "rejected", sctp_enhanced_reject, NULL},
    {"sctp.stream-reuse", FIXTURE_SILENT, 0, "no Initiate", sctp_depths_unseen, NULL},
    {"mpa.ord-limit", FIXTURE_PASS, 0, "SCTP: less than unspecified", sctp_depths_equal, NULL},
    {"mpa.ord-limit", FIXTURE_FAIL, 0, "SCTP: 5 of 4", sctp_depths_above, NULL},
    {"mpa.ord-limit", FIXTURE_SILENT, 0, "SCTP: 9 of 4 in a Reject", sctp_depths_reject, NULL},
    {"mpa.ord-limit", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_depths_above_unclear, NULL},
    {"mpa.ord-limit", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "SCTP: no Initiate",
     sctp_depths_unseen, NULL},
    {"mpa.ird-unspecified", FIXTURE_PASS, 0, "SCTP", sctp_depths_unspecified, NULL},
    {"mpa.ird-unspecified", FIXTURE_FAIL, 0, "SCTP: 0x3ffe", sctp_ird_specified, NULL},
    {"mpa.ird-unspecified", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_ird_specified_unclear, NULL},
    {"mpa.ord-unspecified", FIXTURE_PASS, 0, "SCTP", sctp_depths_unspecified, NULL},
    {"mpa.ord-unspecified", FIXTURE_FAIL, 0, "SCTP: 0x3ffe", sctp_ord_specified, NULL},
    {"mpa.ord-unspecified", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_ord_specified_unclear, NULL},
    {"mpa.model-copied", FIXTURE_PASS, 0, "SCTP", sctp_model_both, NULL},
    {"mpa.model-copied", FIXTURE_FAIL, 0, "SCTP: clear", sctp_model_one, NULL},
    {"mpa.model-copied", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_model_one_unclear, NULL},
    {"mpa.model-flags", FIXTURE_PASS, 0, "SCTP", sctp_depths_equal, NULL},
    {"mpa.model-flags", FIXTURE_FAIL, 0, "SCTP: D", sctp_model_flags, NULL},
    {"mpa.rtr-supported", FIXTURE_PASS, 0, "SCTP", sctp_model_both, NULL},
    {"mpa.rtr-supported", FIXTURE_FAIL, 0, "SCTP: none", sctp_model_silent, NULL},
    {"mpa.rtr-supported", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "SCTP: which session",
     sctp_model_silent_unclear, NULL},
    {"ddp.message-order", FIXTURE_FAIL, 0, "two Sends by turns over SCTP", sctp_queue_mixed, NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "another Send over SCTP", sctp_last_missing, NULL},
    {"ddp.last-flag-missing", FIXTURE_SILENT, 0, "a Response to nothing over SCTP",
     sctp_response_unasked, "rdmap.read-response-unasked"},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Read Response over SCTP", sctp_response_unended,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "Immediate Data over SCTP", sctp_immediate_unended,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "a Session Terminate", sctp_last_missing_terminated,
     NULL},
    {"ddp.last-flag-missing", FIXTURE_FAIL, 0, "the end of the association",
     sctp_last_missing_closed, NULL},
    {"ddp.last-flag-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the capture ends",
     sctp_last_missing_open, NULL},
    {"ddp.last-flag-missing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the last messages are lost",
     sctp_last_missing_lost, NULL},
    {"sctp.terminate-burst", FIXTURE_PASS, 0, "a stream alone", sctp_terminate_alone, NULL},
    {"sctp.terminate-burst", FIXTURE_NEAR, 0, "two of three streams", sctp_terminate_some, NULL},
    {"sctp.terminate-burst", FIXTURE_FAIL, 0, "both of two streams", sctp_terminate_both, NULL},
    {"sctp.terminate-burst", FIXTURE_FAIL, 0, "all of three streams", sctp_terminate_all, NULL},
    {"sctp.terminate-burst", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "messages are lost",
     sctp_terminate_all_lost, NULL},
    {"sctp.ppid", FIXTURE_PASS, 0, "less than a segment, 16, a Function Code but for an octet",
     sctp_short_tagged, "ddp.header-length"},
    {"ddp.header-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN, "a whole header, cut",
     sctp_segment_cut, NULL},
    {"sctp.terminate-burst", FIXTURE_FAIL, 0, "both of two streams, the ABORT in the same packet",
     sctp_terminate_both_beside, NULL},
};

const size_t rules_cases_sctp_num = sizeof(rules_cases_sctp) / sizeof(rules_cases_sctp[0]);
