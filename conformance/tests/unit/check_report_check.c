/* SPDX-License-Identifier: BSD-2-Clause */
/* The reports of `iwarp check` where many findings meet: grouping, limits, quietness. */
#include <stdio.h>
#include <string.h>

#include <report/check.h>

#include "check_run.h"

static out_buf out;
static report_check check;
static observe_conn conn;
static iwarp_observer_info info;
static const iwarp_rule_result results[OBSERVE_RULES];
static void *slot;

static void begin(report_verbosity verbosity) {
  out_close(&out);
  out_open_memory(&out);
  check = (report_check){.out = &out,
                         .verbosity = verbosity,
                         .max_findings = UINT64_MAX,
                         .same = verbosity == REPORT_VERBOSE ? UINT64_MAX : 5};
  memset(&info, 0, sizeof info);
  conn = (observe_conn){.file = "a\033b", .number = 1, .info = &info, .results = results};
  strcpy(conn.addr[0], "10.0.0.1:1");
  strcpy(conn.addr[1], "10.0.0.2:2");
  slot = NULL;
}

static void find_at(uint16_t rule, uint8_t side, uint64_t packet) {
  iwarp_finding finding = {.rule = rule,
                           .side = side,
                           .pos = IWARP_POS_UNKNOWN,
                           .offset = IWARP_POS_UNKNOWN,
                           .octet_pos = IWARP_POS_UNKNOWN};
  finding.last.packet = packet;
  report_check_finding(&check, &report_format_text, &slot, &conn, &finding, NULL);
}

static void find(uint16_t rule, uint64_t packet) {
  find_at(rule, 0, packet);
}

static size_t count(const char *word) {
  size_t n = 0;
  out_char(&out, '\0');
  out.len--;
  for (const char *at = out.buf; (at = strstr(at, word)) != NULL; at++) {
    n++;
  }
  return n;
}

START_TEST(findings_wait_for_the_head_of_their_connection)
{
  begin(REPORT_NORMAL);
  find(0, 7);
  ck_assert_uint_eq(out.len, 0);
  report_check_connection(&check, &report_format_text, &slot, &conn);
  ck_assert_ptr_null(slot);
  ck_assert_uint_eq(count("a?b: conn 1: "), 2);
  ck_assert_uint_eq(count("a?b:7: "), 1);
  ck_assert_uint_eq(count("\033"), 0);
  ck_assert(strstr(out.buf, "a?b: conn 1: ") < strstr(out.buf, "a?b:7: "));
}
END_TEST

START_TEST(five_findings_of_a_rule_are_shown_and_the_rest_counted)
{
  begin(REPORT_NORMAL);
  for (uint64_t i = 1; i <= 8; i++) {
    find(0, i);
    find(1, i);
  }
  report_check_connection(&check, &report_format_text, &slot, &conn);
  ck_assert_uint_eq(count("a?b:5: "), 2);
  ck_assert_uint_eq(count("a?b:6: "), 0);
  ck_assert_uint_eq(count("a?b: conn 1: 3 more of "), 2);
}
END_TEST

START_TEST(verbose_shows_all_of_them)
{
  begin(REPORT_VERBOSE);
  for (uint64_t i = 1; i <= 8; i++) {
    find(0, i);
  }
  report_check_connection(&check, &report_format_text, &slot, &conn);
  ck_assert_uint_eq(count("a?b:8: "), 1);
  ck_assert_uint_eq(count(" more of "), 0);
  ck_assert_uint_eq(count("    not-seen "), iwarp_rule_count());
}
END_TEST

START_TEST(what_is_held_back_is_bounded)
{
  begin(REPORT_VERBOSE);
  uint64_t i = 0;
  while (out.len == 0 && i < 100000) {
    find(0, ++i);
  }
  ck_assert_uint_lt(i, 100000);
  ck_assert_uint_eq(count("a?b: conn 1: "), 1);
  find(0, ++i);
  report_check_connection(&check, &report_format_text, &slot, &conn);
  ck_assert_uint_eq(count("a?b: conn 1: "), 3); /* the head again, and the last line */
}
END_TEST

START_TEST(the_sides_are_counted_apart_and_the_frames_are_said)
{
  begin(REPORT_NORMAL);
  for (uint64_t i = 1; i <= 6; i++) {
    find(0, i);
    find_at(0, 1, 10 + i);
  }
  find(0, 9);
  report_check_connection(&check, &report_format_text, &slot, &conn);
  ck_assert_uint_eq(count("a?b:15: "), 1);
  ck_assert_uint_eq(count(" 2 more of mpa.request-key by 10.0.0.1:1, frames 6 to 9 (-v"), 1);
  ck_assert_uint_eq(count(" 1 more of mpa.request-key by 10.0.0.2:2, frame 16 (-v"), 1);
  ck_assert_uint_eq(check.num_repeated, 3);
}
END_TEST

/* Nothing was read: only what needs no input is printed. */
START_TEST(output_stays_in_proportion_to_the_input)
{
  uint64_t input = 0;
  begin(REPORT_NORMAL);
  check.input = &input;
  check.same = UINT64_MAX;
  for (uint64_t i = 1; i <= 1000; i++) {
    find(0, i);
  }
  const uint64_t few = check.num_printed;
  ck_assert_uint_gt(few, 10);
  ck_assert_uint_lt(few, 1000);
  ck_assert_uint_eq(few + check.num_repeated, 1000);
  find(1, 1001); /* the first one of its rule */
  ck_assert_uint_eq(check.num_printed, few + 1);
  report_check_connection(&check, &report_format_text, &slot, &conn);
  ck_assert_uint_lt(out.len, 34 * 1024);
  ck_assert_uint_eq(check.spent, out.len);
  ck_assert_uint_eq(count(" more "), 1); /* by rule, or in all where that would be too long */
  const size_t before = out.len;
  check.spent = 32 * 1024;
  report_check_connection(&check, &report_format_text, &slot, &conn);
  ck_assert_uint_eq(out.len, before);
  ck_assert_uint_eq(check.num_conns_withheld, 1);
  input = 100000;
  report_check_connection(&check, &report_format_text, &slot, &conn);
  ck_assert_uint_gt(out.len, before);
  ck_assert_uint_eq(check.num_conns_withheld, 1);
}
END_TEST

/* The length of a test suite is known when its connection ends. */
START_TEST(a_suite_beyond_the_bound_is_brief_or_left_out)
{
  static iwarp_rule_result of[OBSERVE_RULES];
  uint64_t input = 10 * 1024;
  begin(REPORT_NORMAL);
  check.input = &input;
  check.fails[IWARP_SEVERITY_VIOLATION] = true;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    of[id] = (iwarp_rule_result){.verdict = IWARP_VERDICT_PASS};
  }
  of[0] = (iwarp_rule_result){.verdict = IWARP_VERDICT_FAIL, .num_fail = 1};
  conn.results = of;
  for (unsigned int i = 0; i < 3; i++) { /* whole, brief, left out */
    const size_t before = out.len;
    iwarp_finding finding = {.rule = i == 1 ? 1 : 0, .octet_pos = IWARP_POS_UNKNOWN};
    check.spent = 0;
    report_check_finding(&check, &report_format_junit, &slot, &conn, &finding, NULL);
    check.spent = i == 0 ? check.spent : 18 * input;
    report_check_connection(&check, &report_format_junit, &slot, &conn);
    ck_assert_uint_eq(count("<testcase"), i == 0 ? iwarp_rule_count() : iwarp_rule_count() + 1u);
    ck_assert_uint_eq(count("tests=\"1\""), i == 0 ? 0 : 1);
    ck_assert_int_eq(out.len > before, i < 2);
  }
  ck_assert_uint_eq(check.num_suites, 2);
  ck_assert_uint_eq(check.num_conns_withheld, 1);
  ck_assert_uint_eq(check.num_printed, 2);
  ck_assert_uint_eq(check.num_repeated, 1);
  conn.results = results;
}
END_TEST

START_TEST(pdus_stay_in_proportion_to_the_input)
{
  uint64_t input = 4 * 1024;
  iwarp_event ev = {.kind = IWARP_EVENT_GAP, .u = {.gap = IWARP_GAP_LOST}, .len = 1};
  begin(REPORT_NORMAL);
  check.input = &input;
  for (unsigned int i = 0; i < 2000; i++) {
    report_check_pdu(&check, &report_format_timeline, &slot, &conn, &ev);
  }
  const uint64_t withheld = check.num_pdus_withheld;
  ck_assert_uint_gt(withheld, 100);
  ev.kind = IWARP_EVENT_STREAMING; /* is no line */
  report_check_pdu(&check, &report_format_timeline, &slot, &conn, &ev);
  ck_assert_uint_eq(check.num_pdus_withheld, withheld);
  report_check_connection(&check, &report_format_timeline, &slot, &conn);
  ck_assert_uint_eq(check.num_conns_withheld, 0);
  ck_assert_uint_le(out.len, 20 * input);
  ck_assert_uint_gt(out.len, 15 * input);
}
END_TEST

START_TEST(what_is_held_back_of_all_connections_is_bounded)
{
  enum { MANY = 100, ROUNDS = 400 };
  void *slots[MANY] = {NULL};
  begin(REPORT_VERBOSE);
  for (uint64_t round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < MANY; i++) {
      slot = slots[i];
      find(0, round + 1);
      slots[i] = slot;
    }
    ck_assert_uint_le(check.num_held, 4 * 1024 * 1024);
  }
  ck_assert_uint_gt(out.len, 0);
  for (size_t i = 0; i < MANY; i++) {
    report_check_connection(&check, &report_format_text, &slots[i], &conn);
  }
  size_t found = 0;
  for (size_t i = 0; i < out.len; i++) { /* each finding has its rule in brackets */
    found += out.buf[i] == '[' ? 1u : 0u;
  }
  ck_assert_uint_eq(found, ROUNDS * MANY);
  ck_assert_uint_eq(check.num_held, 0);
}
END_TEST

START_TEST(quiet_prints_neither)
{
  begin(REPORT_QUIET);
  find(0, 1);
  report_check_connection(&check, &report_format_text, &slot, &conn);
  ck_assert_uint_eq(out.len, 0);
  ck_assert_ptr_null(slot);
}
END_TEST

START_TEST(a_connection_given_up_says_so)
{
  begin(REPORT_NORMAL);
  conn.given_up = "connections";
  conn.tally.streaming[0] = 2;
  report_check_connection(&check, &report_format_text, &slot, &conn);
  ck_assert_uint_eq(count(": conn 1: given up (connections): "), 1);
  ck_assert_uint_eq(count(", 2 octets of streaming data"), 1);
  out_clear(&out);
  report_check_connection(&check, &report_format_jsonl, &slot, &conn);
  ck_assert_uint_eq(count("\"given_up\":\"connections\""), 1);
  ck_assert_uint_eq(count("\"roles\":\"unknown\""), 1);
  ck_assert_uint_eq(count("\"rev\""), 0);
}
END_TEST

START_TEST(the_summary_counts_rules_by_their_worst_verdict_and_reason)
{
  begin(REPORT_VERBOSE);
  report_totals totals = {.verdict = "undecided", .undecided = "octets could not be decoded"};
  totals.rules = calloc(iwarp_rule_count(), sizeof *totals.rules);
  totals.rules[0] = (report_rule_total){.verdict = IWARP_VERDICT_FAIL, .findings = 2};
  totals.rules[1] = (report_rule_total){.verdict = IWARP_VERDICT_INCONCLUSIVE,
                                        .reason = IWARP_REASON_GAP | IWARP_REASON_LIMIT};
  totals.rules[2] =
      (report_rule_total){.verdict = IWARP_VERDICT_INCONCLUSIVE, .reason = IWARP_REASON_GAP};
  totals.rules[3] = (report_rule_total){.verdict = IWARP_VERDICT_PASS, .reason = IWARP_REASON_GAP};
  totals.rules[4].verdict = IWARP_VERDICT_DISABLED;
  check.num_withheld = 1;
  report_format_text.summary(&check, &totals);
  char wanted[160];
  snprintf(wanted, sizeof wanted,
           "rules exercised: 2 of %u, 1 passed, 1 failed; inconclusive: 2 (gap 2, limit 1); "
           "not seen: %u; disabled: 1\n",
           (unsigned int)iwarp_rule_count(), (unsigned int)iwarp_rule_count() - 5u);
  ck_assert_uint_eq(count(wanted), 1);
  ck_assert_uint_eq(count("1 finding not shown (--max-findings)\n"), 1);
  ck_assert_uint_eq(count("verdict: undecided (octets could not be decoded)\n"), 1);
  free(totals.rules);
}
END_TEST

/* Over TCP a run has FPDUs, over SCTP DDP Segments, as the line of each connection says. */
START_TEST(the_summary_distinguishes_fpdus_and_segments)
{
  static const char *const wanted[] = {", 0 FPDUs; ", ", 5 FPDUs; ", ", 1 segment; ",
                                       ", 5 FPDUs, 1 segment; "};
  begin(REPORT_NORMAL);
  report_totals totals = {.verdict = "pass"};
  totals.rules = calloc(iwarp_rule_count(), sizeof *totals.rules);
  if ((_i & 1) != 0) {
    conn.tally.fpdus[0] = 2;
    conn.tally.fpdus[1] = 3;
    report_totals_add(&totals, &conn);
  }
  if ((_i & 2) != 0) {
    info.sctp = true;
    conn.tally.fpdus[0] = 0;
    conn.tally.fpdus[1] = 1;
    report_totals_add(&totals, &conn);
  }
  report_format_text.summary(&check, &totals);
  ck_assert_uint_eq(count(wanted[_i]), 1);
  ck_assert_uint_eq(count("FPDU"), _i == 2 ? 0 : 1);
  free(totals.rules);
}
END_TEST

START_TEST(the_worst_verdict_of_a_rule_stays)
{
  begin(REPORT_NORMAL);
  report_totals totals = {0};
  totals.rules = calloc(iwarp_rule_count(), sizeof *totals.rules);
  totals.rules[0].verdict = IWARP_VERDICT_FAIL;
  conn.tally.fpdus[0] = 2;
  conn.tally.fpdus[1] = 3;
  report_totals_add(&totals, &conn);
  ck_assert_int_eq(totals.rules[0].verdict, IWARP_VERDICT_FAIL);
  ck_assert_int_eq(totals.rules[1].verdict, IWARP_VERDICT_NOT_SEEN);
  ck_assert_uint_eq(totals.connections, 1);
  ck_assert_uint_eq(totals.fpdus, 5);
  ck_assert_uint_eq(totals.segments, 0);
  const iwarp_finding finding = {.rule = 1};
  report_totals_finding(&totals, &finding);
  ck_assert_uint_eq(totals.rules[1].findings, 1);
  ck_assert_uint_eq(totals.findings[iwarp_rule_get(1)->severity], 1);
  free(totals.rules);
}
END_TEST

START_TEST(a_rule_is_expected_to_fail_where_each_finding_is)
{
  begin(REPORT_NORMAL);
  ck_assert_uint_le(iwarp_rule_count(), OBSERVE_RULES);
  const uint16_t id = (uint16_t)(iwarp_rule_count() - 1u);
  ck_assert(!report_expected(&conn, id, IWARP_VERDICT_FAIL)); /* none was handed out */
  conn.known = "siw-05";
  report_note(&conn, id);
  ck_assert(report_expected(&conn, id, IWARP_VERDICT_FAIL));
  ck_assert(!report_expected(&conn, id, IWARP_VERDICT_PASS));
  ck_assert(!report_expected(&conn, (uint16_t)(id - 1u), IWARP_VERDICT_FAIL));
  ck_assert(!report_expected(&conn, (uint16_t)(id - 8u), IWARP_VERDICT_FAIL));
  conn.known = NULL;
  report_note(&conn, id);
  ck_assert(!report_expected(&conn, id, IWARP_VERDICT_FAIL));
}
END_TEST

START_TEST(what_failed_as_expected_is_no_fail_of_the_run)
{
  report_totals totals = {0};
  totals.rules = calloc(iwarp_rule_count(), sizeof *totals.rules);
  totals.rules[0] = (report_rule_total){.verdict = IWARP_VERDICT_FAIL, .expected = true};
  totals.rules[1] = (report_rule_total){.verdict = IWARP_VERDICT_FAIL};
  totals.rules[2] = (report_rule_total){.verdict = IWARP_VERDICT_PASS};
  const report_verdicts counts = report_verdicts_run(&totals);
  ck_assert_uint_eq(counts.xfail, 1);
  ck_assert_uint_eq(counts.of[IWARP_VERDICT_FAIL], 1);
  ck_assert_uint_eq(report_verdicts_decided(&counts), 3);
  free(totals.rules);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {findings_wait_for_the_head_of_their_connection,
                                five_findings_of_a_rule_are_shown_and_the_rest_counted,
                                verbose_shows_all_of_them,
                                what_is_held_back_is_bounded,
                                the_sides_are_counted_apart_and_the_frames_are_said,
                                output_stays_in_proportion_to_the_input,
                                a_suite_beyond_the_bound_is_brief_or_left_out,
                                pdus_stay_in_proportion_to_the_input,
                                what_is_held_back_of_all_connections_is_bounded,
                                quiet_prints_neither,
                                a_connection_given_up_says_so,
                                the_summary_counts_rules_by_their_worst_verdict_and_reason,
                                the_worst_verdict_of_a_rule_stays,
                                a_rule_is_expected_to_fail_where_each_finding_is,
                                what_failed_as_expected_is_no_fail_of_the_run,
                                NULL};
  Suite *suite = check_suite("check", tests);
  TCase *t = tcase_create("each");
  tcase_add_loop_test(t, the_summary_distinguishes_fpdus_and_segments, 0, 4);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
