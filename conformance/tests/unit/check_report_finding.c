/* SPDX-License-Identifier: BSD-2-Clause */
/* One finding, and the lines on the connection around it, as text and as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <iwarp/field.h>
#include <iwarp/sctp_observer.h>
#include <report/check.h>

#include "check_run.h"
#include "report_fixture.h"

static report_check check;
static iwarp_finding finding;
static iwarp_rule_result results[OBSERVE_RULES];
static void *slot;

static uint16_t rule_id(const char *slug) {
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    if (strcmp(iwarp_rule_get(id)->slug, slug) == 0) {
      return id;
    }
  }
  ck_abort_msg("no rule %s", slug);
  return 0;
}

static void begin(const char *slug) {
  if (slot != NULL) { /* left by the test before, in the same process */
    report_check_connection(&check, &report_format_jsonl, &slot, &fixture.conn);
  }
  report_fixture_begin();
  memset(results, 0, sizeof results);
  fixture.conn.results = results;
  check = (report_check){.out = &fixture.text,
                         .verbosity = REPORT_NORMAL,
                         .max_findings = UINT64_MAX,
                         .same = UINT64_MAX};
  finding = (iwarp_finding){.rule = rule_id(slug),
                            .side = 1,
                            .pos = IWARP_POS_UNKNOWN,
                            .offset = IWARP_POS_UNKNOWN,
                            .octet_pos = IWARP_POS_UNKNOWN};
  finding.last.packet = 12;
  finding.last.time_ns = UINT64_C(1500000001);
  slot = NULL;
}

/* The report of a connection with the one finding. */
static const char *reported(const iwarp_event *ev) {
  report_fixture_clear();
  report_check_finding(&check, &report_format_text, &slot, &fixture.conn, &finding, ev);
  report_check_connection(&check, &report_format_text, &slot, &fixture.conn);
  return report_fixture_written();
}

static const char *reported_json(void) {
  report_fixture_clear();
  report_check_finding(&check, &report_format_jsonl, &slot, &fixture.conn, &finding, NULL);
  return report_fixture_written();
}

static const char *connection(bool json) {
  report_fixture_clear();
  report_check_connection(&check, json ? &report_format_jsonl : &report_format_text, &slot,
                          &fixture.conn);
  return report_fixture_written();
}

static void all_facts(void) {
  finding.role = IWARP_ROLE_RESPONDER;
  finding.pos = UINT64_C(0x100000010);
  finding.offset = 512;
  finding.field = IWARP_FIELD_MPA_STARTUP_REV;
  finding.octet_pos = UINT64_C(0x100000014);
  finding.octet_len = 2;
  finding.other_packet = 8;
  finding.expected = (iwarp_value){.kind = IWARP_VALUE_AT_MOST, .u = 2};
  finding.observed = (iwarp_value){.kind = IWARP_VALUE_UINT, .u = 3};
}

START_TEST(a_finding_tells_all_that_is_known)
{
  begin("mpa.rev");
  all_facts();
  ck_assert_ptr_nonnull(
      strstr(reported(NULL), "\n"
                             "f:12: violation: MPA revision 3 does not exist "
                             "[mpa.rev, interop]\n"
                             "    after 1.500000001 s, responder [::1]:2, seq 16, offset 512, see "
                             "frame 8; Rev: expected at most 2, observed 3; RFC 5044 section 7.1.1 "
                             "(MUST)\n"
                             "f: conn 3: "));
  ck_assert_str_eq(
      reported_json(),
      "{\"type\":\"finding\",\"file\":\"f\",\"frame\":12,\"time\":\"1.500000001\",\"conn\":3,"
      "\"conn_finding\":0,\"src\":\"[::1]:2\",\"dst\":\"10.0.0.1:1\",\"dir\":\"responder\",\"seq\":"
      "16,"
      "\"rule\":\"mpa.rev\",\"requirements\":[\"rfc5044-7.1.1-23\"],\"level\":\"MUST\","
      "\"severity\":\"violation\",\"certainty\":\"certain\",\"impact\":\"interop\",\"offset\":512,"
      "\"field\":\"mpa.rev\","
      "\"octet_seq\":20,"
      "\"octet_length\":2,\"other_frame\":8,\"expected\":\"at most 2\",\"observed\":\"3\","
      "\"message\":\"MPA revision 3 does not exist\"}\n");
}
END_TEST

START_TEST(a_finding_leaves_out_what_is_not_known)
{
  begin("mpa.request-key");
  ck_assert_ptr_nonnull(strstr(
      reported(NULL), "\n    after 1.500000001 s, [::1]:2; RFC 5044 section 7.1.1 (MUST)\n"));
  ck_assert_ptr_null(strstr(fixture.text.buf, "expected"));
  ck_assert_ptr_null(strstr(fixture.text.buf, "observed"));
  ck_assert_str_eq(
      reported_json(),
      "{\"type\":\"finding\",\"file\":\"f\",\"frame\":12,\"time\":\"1.500000001\",\"conn\":3,"
      "\"conn_finding\":0,\"src\":\"[::1]:2\",\"dst\":\"10.0.0.1:1\",\"dir\":\"unknown\",\"rule\":"
      "\"mpa.request-key\","
      "\"requirements\":[\"rfc5044-7.1.1-01\",\"rfc6581-6-01\",\"rfc5044-7.1.2-01\"],\"level\":"
      "\"MUST\","
      "\"severity\":\"violation\",\"certainty\":\"certain\",\"impact\":\"interop\","
      "\"message\":\"the key of the MPA Request Frame is \"}\n");
  finding.expected = (iwarp_value){.kind = IWARP_VALUE_UINT, .u = 1};
  ck_assert_ptr_nonnull(strstr(reported(NULL), "; expected 1; RFC 5044 "));
  ck_assert_ptr_nonnull(strstr(reported_json(), ",\"expected\":\"1\",\"message\""));
  finding.observed = finding.expected;
  finding.expected.kind = IWARP_VALUE_NONE;
  ck_assert_ptr_nonnull(strstr(reported(NULL), "; observed 1; RFC 5044 "));
}
END_TEST

/* Both facts are in one packet: the line does not refer to its own packet. */
START_TEST(a_finding_does_not_point_to_its_own_frame)
{
  begin("mpa.rev");
  all_facts();
  finding.other_packet = finding.last.packet;
  ck_assert_ptr_nonnull(
      strstr(reported(NULL), "\n    after 1.500000001 s, responder [::1]:2, seq 16, offset 512; "));
}
END_TEST

START_TEST(over_sctp_positions_are_tsns)
{
  begin("mpa.rev");
  all_facts();
  fixture.info.sctp = true;
  fixture.info.sctp_stream = 4;
  ck_assert_ptr_nonnull(
      strstr(reported(NULL),
             "\n    after 1.500000001 s, responder [::1]:2, TSN 16, offset 512, see frame 8; "));
  ck_assert_ptr_nonnull(strstr(reported_json(), "\"stream\":4,\"seq\":16,"));
  ck_assert_ptr_nonnull(strstr(fixture.text.buf, "\"octet_offset\":4,\"octet_length\":2,"));
}
END_TEST

START_TEST(severities_have_their_colours)
{
  begin("mpa.rev");
  check.color = true;
  ck_assert_ptr_nonnull(strstr(reported(NULL), "f:12: \033[1;31mviolation\033[0m: "));
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    static const char *const wanted[] = {[IWARP_SEVERITY_VIOLATION] =
                                             "\033[1;31mviolation\033[0m: ",
                                         [IWARP_SEVERITY_WARNING] = "\033[1;33mwarning\033[0m: ",
                                         [IWARP_SEVERITY_NOTE] = "\033[1;36mnote\033[0m: "};
    finding.rule = id;
    ck_assert_ptr_nonnull(strstr(reported(NULL), wanted[iwarp_rule_get(id)->severity]));
  }
}
END_TEST

/* ---- evidence ---- */

static uint8_t wire[256];
static iwarp_event ev;

/* An event over SCTP with the octets of `wire`, at position 0x10. */
static void item(iwarp_ev_sctp *m) {
  for (size_t i = 0; i < sizeof wire; i++) {
    wire[i] = (uint8_t)i;
  }
  static const iwarp_sctp_captured captured = {.length = sizeof wire};
  *m = (iwarp_ev_sctp){.u.message = {.captured = &captured, .user_data = {wire, sizeof wire}}};
  ev = (iwarp_event){.kind = IWARP_EVENT_SCTP_MESSAGE, .side = 1, .pos = 16, .sctp = m};
  begin("mpa.rev");
  check.octets = true;
  finding.pos = 16;
  finding.octet_pos = 16 + 100;
  finding.octet_len = 3;
}

START_TEST(evidence_is_shown_around_the_octets_that_are_wrong)
{
  iwarp_ev_sctp m;
  item(&m);
  ck_assert_ptr_nonnull(strstr(
      reported(&ev), "\n    octets 100..102 of the item\n"
                     "        0x0040:  4041 4243 4445 4647 4849 4a4b 4c4d 4e4f  @ABCDEFGHIJKLMNO\n"
                     "        0x0050:  5051 5253 5455 5657 5859 5a5b 5c5d 5e5f  PQRSTUVWXYZ[\\]^_\n"
                     "        0x0060:  6061 6263 6465 6667 6869 6a6b 6c6d 6e6f  `abcdefghijklmno\n"
                     "        0x0070:  7071 7273 7475 7677 7879 7a7b 7c7d 7e7f  pqrstuvwxyz{|}~.\n"
                     "f: conn 3: "));
  finding.octet_pos = 16 + 32;
  finding.octet_len = 0;
  m.u.message.user_data.len = 17;
  ck_assert_ptr_nonnull(strstr(
      reported(&ev), "\n    octets 32..32 of the item\n"
                     "        0x0000:  0001 0203 0405 0607 0809 0a0b 0c0d 0e0f  ................\n"
                     "        0x0010:  10                                       .\n"
                     "f: conn 3: "));
}
END_TEST

START_TEST(evidence_begins_half_of_it_before_on_a_line)
{
  static const struct {
    unsigned int at;
    const char *first;
  } cases[] = {{0, "0x0000"},  {32, "0x0000"},  {47, "0x0000"}, {48, "0x0010"},
               {63, "0x0010"}, {200, "0x00a0"}, {255, "0x00d0"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    iwarp_ev_sctp m;
    char wanted[80];
    item(&m);
    finding.octet_pos = 16 + cases[i].at;
    finding.octet_len = 1;
    snprintf(wanted, sizeof wanted, "\n    octets %u..%u of the item\n        %s:  ", cases[i].at,
             cases[i].at, cases[i].first);
    ck_assert_ptr_nonnull(strstr(reported(&ev), wanted));
    ck_assert_ptr_null(strstr(fixture.text.buf, "0x0100")); /* nothing after the item */
  }
}
END_TEST

START_TEST(evidence_of_octets_that_are_not_there_is_their_place)
{
  iwarp_ev_sctp m;
  item(&m);
  m.u.message.user_data.len = 50;
  ck_assert_ptr_nonnull(strstr(reported(&ev), "\n    octets 100..102 of the item\nf: conn 3: "));
  finding.octet_pos = IWARP_POS_UNKNOWN;
  m.u.message.user_data.len = 1;
  ck_assert_ptr_nonnull(strstr(reported(&ev),
                               "(MUST)\n"
                               "        0x0000:  00                                       .\n"));
  ck_assert_ptr_null(strstr(fixture.text.buf, "of the item"));
  finding.octet_pos = 15; /* before the item */
  ck_assert_ptr_null(strstr(reported(&ev), "of the item"));
}
END_TEST

START_TEST(evidence_is_of_the_item_itself_and_only_on_demand)
{
  iwarp_ev_sctp m;
  item(&m);
  ev.side = 0;
  ck_assert_ptr_null(strstr(reported(&ev), "0x0040"));
  ev.side = 1;
  ev.pos = 17;
  ck_assert_ptr_null(strstr(reported(&ev), "0x0040"));
  ev.pos = 16;
  check.octets = false;
  ck_assert_ptr_null(strstr(reported(&ev), "0x0040"));
  check.verbosity = REPORT_VERBOSE;
  ck_assert_ptr_nonnull(strstr(reported(&ev), "0x0040"));
  ck_assert_ptr_null(strstr(reported(NULL), "0x0040"));
}
END_TEST

/* ---- connections ---- */

static void startups(uint8_t rev, bool enhanced) {
  for (size_t i = 0; i < 2; i++) {
    fixture.info.side[i].has_startup = true;
    fixture.info.side[i].rev = rev;
    fixture.info.side[i].enhanced = enhanced;
  }
}

START_TEST(the_head_says_what_was_negotiated)
{
  static const char ends[] = "f: conn 3: 10.0.0.1:1 (initiator) > [::1]:2 (responder)";
  begin("mpa.rev");
  startups(2, true);
  fixture.info.side[0].markers = IWARP_TRISTATE_ON;
  fixture.info.side[1].markers = IWARP_TRISTATE_OFF;
  fixture.info.crc = IWARP_TRISTATE_ON;
  ck_assert(strncmp(connection(false), ends, sizeof ends - 1) == 0);
  ck_assert_ptr_nonnull(strstr(fixture.text.buf,
                               "f: conn 3: MPA rev 2 enhanced, Markers on from the initiator, "
                               "off from the responder, CRCs on; "));
  ck_assert_ptr_nonnull(strstr(connection(true), "\"transport\":\"tcp\",\"rev\":2,"
                                                 "\"enhanced\":true,\"rejected\":false,"
                                                 "\"markers_initiator\":true,"
                                                 "\"markers_responder\":false,\"crc\":true,"));
  fixture.info.side[1].enhanced = false; /* both frames must carry the data */
  fixture.info.rejected = true;
  ck_assert_ptr_nonnull(strstr(connection(false), ": MPA rev 2, Markers on from the "
                                                  "initiator, off from the responder, CRCs on; "));
  ck_assert_ptr_nonnull(strstr(connection(true), "\"enhanced\":false,\"rejected\":true,"));
}
END_TEST

START_TEST(the_reply_says_the_revision_or_else_the_request)
{
  begin("mpa.rev");
  fixture.info.side[0].has_startup = true;
  fixture.info.side[0].rev = 2;
  ck_assert_ptr_nonnull(strstr(connection(false), ": MPA rev 2, "));
  fixture.info.side[1].has_startup = true;
  fixture.info.side[1].rev = 1;
  ck_assert_ptr_nonnull(strstr(connection(false), ": MPA rev 1, "));
}
END_TEST

/* The initiator is named first, whichever side it is; one role known tells the other. */
START_TEST(the_initiator_comes_first)
{
  begin("mpa.rev");
  fixture.conn.tally.fpdus[0] = 5;
  fixture.conn.tally.fpdus[1] = 6;
  fixture.info.side[1].markers = IWARP_TRISTATE_ON;
  fixture.info.side[0].role = IWARP_ROLE_RESPONDER;
  fixture.info.side[1].role = IWARP_ROLE_UNKNOWN;
  ck_assert_ptr_nonnull(strstr(connection(false),
                               "conn 3: startup not seen, Markers on from the first, "
                               "unknown from the second, CRCs unknown; 11 FPDUs"));
  ck_assert_ptr_nonnull(
      strstr(fixture.text.buf, "conn 3: [::1]:2 (unknown) > 10.0.0.1:1 (responder): "));
  ck_assert_ptr_nonnull(strstr(connection(true),
                               "\"initiator\":\"[::1]:2\",\"responder\":\"10.0.0.1:1\","
                               "\"transport\":\"tcp\",\"markers_initiator\":true,"
                               "\"outcome\":\"unknown\",\"at_end\":{},"
                               "\"fpdus\":{\"initiator\":6,\"responder\":5},"));
  fixture.info.side[0].role = IWARP_ROLE_UNKNOWN;
  fixture.info.side[1].role = IWARP_ROLE_INITIATOR;
  ck_assert_ptr_nonnull(strstr(connection(false), "[::1]:2 (initiator) > 10.0.0.1:1 (unknown)"));
  fixture.info.side[1].role = IWARP_ROLE_UNKNOWN;
  ck_assert_ptr_nonnull(strstr(connection(false), "conn 3: 10.0.0.1:1 > [::1]:2: "));
  ck_assert_ptr_nonnull(strstr(connection(true), "\"roles\":\"unknown\""));
}
END_TEST

START_TEST(over_sctp_the_head_names_the_stream)
{
  begin("mpa.rev");
  fixture.info.sctp = true;
  fixture.info.sctp_stream = 9;
  fixture.conn.tally.fpdus[0] = 1;
  ck_assert_ptr_nonnull(strstr(connection(false), ": SCTP stream 9, Initiate not seen; "));
  ck_assert_ptr_nonnull(strstr(fixture.text.buf, "; 1 segment; "));
  fixture.conn.tally.fpdus[1] = 1;
  startups(2, true);
  fixture.info.rejected = true;
  ck_assert_ptr_nonnull(strstr(connection(false), ": SCTP stream 9, enhanced; "));
  ck_assert_ptr_nonnull(strstr(fixture.text.buf, "; 2 segments; "));
  ck_assert_ptr_nonnull(strstr(connection(true),
                               "\"transport\":\"sctp\",\"enhanced\":true,\"rejected\":true,"
                               "\"stream\":9,\"outcome\":\"unknown\",\"at_end\":{},\"fpdus\":{"
                               "\"initiator\":1,\"responder\":1},"));
}
END_TEST

START_TEST(the_tail_counts_what_there_was)
{
  begin("mpa.rev");
  fixture.conn.tally = (observe_tally){
      .fpdus = {1, 0},
      .gaps = 1,
      .octets = {10, 20},
      .streaming = {1, 0},
      .findings = {
          [IWARP_SEVERITY_VIOLATION] = 1, [IWARP_SEVERITY_WARNING] = 2, [IWARP_SEVERITY_NOTE] = 1}};
  fixture.conn.tally.messages[IWARP_RDMAP_OP_SEND] = 2;
  fixture.conn.tally.messages[IWARP_RDMAP_OP_RESERVED_12] = 1;
  fixture.conn.tally.messages[IWARP_RDMAP_OP_EXPERIMENTAL] = 3;
  ck_assert_ptr_nonnull(strstr(connection(false),
                               "; 1 FPDU, 1 gap, 1 octet of streaming data; 1 violation, 2 "
                               "warnings, 1 note; rules: "));
  ck_assert_ptr_nonnull(strstr(connection(true),
                               "\"octets\":{\"initiator\":10,\"responder\":20},"
                               "\"streaming\":{\"initiator\":1,\"responder\":0},"
                               "\"messages\":{\"send\":2,\"reserved\":4},\"gaps\":1,"));
  ck_assert_ptr_nonnull(
      strstr(fixture.text.buf,
             "\"findings\":{\"violation\":1,\"warning\":2,\"note\":1,\"suspected\":0},"));
  fixture.conn.tally.gaps = 2;
  ck_assert_ptr_nonnull(strstr(connection(false), ", 2 gaps, "));
}
END_TEST

START_TEST(rules_that_are_switched_off_are_counted_and_not_listed)
{
  begin("mpa.rev");
  check.verdicts = true;
  ck_assert_ptr_nonnull(strstr(connection(false), "    not-seen      mpa.rev\n"));
  ck_assert_ptr_null(strstr(fixture.text.buf, " disabled\n"));
  ck_assert_ptr_null(strstr(connection(true), "\"disabled\""));
  results[rule_id("mpa.rev")].verdict = IWARP_VERDICT_DISABLED;
  ck_assert_ptr_nonnull(strstr(connection(false), " not seen, 1 disabled\n"));
  ck_assert_ptr_null(strstr(fixture.text.buf, "mpa.rev\n"));
  ck_assert_ptr_nonnull(strstr(connection(true), ",\"disabled\":1}"));
}
END_TEST

/* ---- the summary ---- */

static report_totals totals;

static const char *summary(bool json, const char *verdict) {
  totals.verdict = verdict;
  report_fixture_clear();
  (json ? report_format_jsonl : report_format_text).summary(&check, &totals);
  return report_fixture_written();
}

START_TEST(the_summary_counts_what_was_read_and_found)
{
  begin("mpa.rev");
  totals = (report_totals){.files = 1,
                           .packets = 1,
                           .octets = 2,
                           .connections = 2,
                           .proven = 1,
                           .fpdus = 1,
                           .findings = {[IWARP_SEVERITY_VIOLATION] = 12}};
  totals.rules = calloc(iwarp_rule_count(), sizeof *totals.rules);
  totals.rules[finding.rule] = (report_rule_total){.verdict = IWARP_VERDICT_FAIL, .findings = 12};
  totals.rules[finding.rule + 1] =
      (report_rule_total){.verdict = IWARP_VERDICT_INCONCLUSIVE,
                          .reason = IWARP_REASON_GAP | IWARP_REASON_SNAPLEN | IWARP_REASON_LIMIT};
  totals.rules[finding.rule + 2].verdict = IWARP_VERDICT_DISABLED;
  ck_assert_ptr_nonnull(
      strstr(summary(false, "fail"),
             "  1 file, 1 packet, 2 octets; 1 iWARP connection and 1 taken for one, "
             "1 FPDU; 12 violations, 0 warnings, 0 notes\n"
             "        12 mpa.rev\n"));
  ck_assert_ptr_nonnull(strstr(summary(true, "fail"),
                               "\"files\":1,\"packets\":1,\"octets\":2,\"connections\":2,"
                               "\"outcomes\":{},\"fpdus\":1,"));
  ck_assert_ptr_nonnull(strstr(fixture.text.buf, "\"rules\":{\"mpa.rev\":12}"));
  ck_assert_ptr_nonnull(
      strstr(fixture.text.buf, "\"inconclusive\":[\"gap\",\"snaplen\",\"limit\"]"));
  ck_assert_ptr_nonnull(strstr(fixture.text.buf, ",\"disabled\":1}"));
  ck_assert_ptr_null(strstr(fixture.text.buf, "withheld"));
  check.num_withheld = 2;
  ck_assert_ptr_nonnull(strstr(summary(true, "fail"), "\"withheld\":2"));
  ck_assert_ptr_nonnull(strstr(summary(false, "fail"), "2 findings not shown (--max-findings)\n"));
  free(totals.rules);
}
END_TEST

START_TEST(verdicts_have_their_colours)
{
  begin("mpa.rev");
  totals = (report_totals){.rules = calloc(iwarp_rule_count(), sizeof *totals.rules)};
  ck_assert_ptr_nonnull(strstr(summary(false, "pass"), "verdict: pass\n"));
  check.color = true;
  ck_assert_ptr_nonnull(strstr(summary(false, "pass"), "verdict: \033[1;32mpass\033[0m"));
  ck_assert_ptr_nonnull(strstr(summary(false, "no-iwarp"), "verdict: \033[1;33mno-iwarp\033[0m"));
  ck_assert_ptr_nonnull(strstr(summary(false, "fail"), "verdict: \033[1;31mfail\033[0m"));
  ck_assert_ptr_nonnull(strstr(summary(false, "error"), "verdict: \033[1;31merror\033[0m"));
  free(totals.rules);
}
END_TEST

/* ---- what is printed of them ---- */

START_TEST(quiet_json_has_neither_findings_nor_connections)
{
  begin("mpa.rev");
  check.verbosity = REPORT_QUIET;
  ck_assert_str_eq(reported_json(), "");
  ck_assert_str_eq(connection(true), "");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_finding_tells_all_that_is_known,
                                a_finding_leaves_out_what_is_not_known,
                                a_finding_does_not_point_to_its_own_frame,
                                over_sctp_positions_are_tsns,
                                severities_have_their_colours,
                                evidence_is_shown_around_the_octets_that_are_wrong,
                                evidence_begins_half_of_it_before_on_a_line,
                                evidence_of_octets_that_are_not_there_is_their_place,
                                evidence_is_of_the_item_itself_and_only_on_demand,
                                the_head_says_what_was_negotiated,
                                the_reply_says_the_revision_or_else_the_request,
                                the_initiator_comes_first,
                                over_sctp_the_head_names_the_stream,
                                the_tail_counts_what_there_was,
                                rules_that_are_switched_off_are_counted_and_not_listed,
                                the_summary_counts_what_was_read_and_found,
                                verdicts_have_their_colours,
                                quiet_json_has_neither_findings_nor_connections,
                                NULL};
  return check_run(check_suite("finding", tests));
}
