/* SPDX-License-Identifier: BSD-2-Clause */
/* How a connection ended, in the reports of `iwarp check`; and the times of the text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <report/check.h>

#include "check_run.h"
#include "report_fixture.h"

static report_check check;
static const iwarp_rule_result results[OBSERVE_RULES];
static uint64_t capture_ns;

static void begin(void) {
  report_fixture_begin();
  fixture.conn.results = results;
  fixture.conn.began_ns = UINT64_C(1000000000);
  fixture.info.side[1].seen = true;
  capture_ns = UINT64_C(500000000);
  check = (report_check){.out = &fixture.text,
                         .verbosity = REPORT_NORMAL,
                         .max_findings = UINT64_MAX,
                         .same = UINT64_MAX,
                         .clock = {.capture_ns = &capture_ns}};
}

static const char *reported(bool json) {
  void *slot = NULL;
  report_fixture_clear();
  report_check_connection(&check, json ? &report_format_jsonl : &report_format_text, &slot,
                          &fixture.conn);
  return report_fixture_written();
}

/* The connection ended in this way, by side 1 in frame 9. */
static void ended(observe_how how, bool reset) {
  begin();
  fixture.conn.outcome = (observe_outcome){.how = how,
                                           .ended = true,
                                           .side = 1,
                                           .reset = reset,
                                           .packet = 9,
                                           .time_ns = UINT64_C(3000000500)};
}

#define BY "[::1]:2 (responder) in frame 9, after 2.000000500 s"

START_TEST(each_outcome_is_said_in_words)
{
  static const struct {
    observe_how how;
    bool reset;
    const char *words;
    const char *name;
  } rows[] = {
      {OBSERVE_REJECTED, false, "rejected by " BY ": the connection never came up\n", "rejected"},
      {OBSERVE_STARTUP_FAILED, false,
       "startup failed: a startup frame is incomplete or malformed; closed (FIN) by " BY "\n",
       "startup-failed"},
      {OBSERVE_NO_REPLY, true, "never answered: the Request has no Reply; reset (RST) by " BY "\n",
       "no-reply"},
      {OBSERVE_RESET, true, "reset (RST) by " BY "\n", "reset"},
      {OBSERVE_CLOSED, false, "closed by both sides, first by " BY "\n", "closed"},
      {OBSERVE_HALF_CLOSED, false, "half-closed: a FIN was captured only of " BY "\n",
       "half-closed"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char json[128];
    ended(rows[i].how, rows[i].reset);
    const char *at = strstr(reported(false), "(responder): ");
    ck_assert_ptr_nonnull(at);
    ck_assert_msg(strncmp(at + 13, rows[i].words, strlen(rows[i].words)) == 0, "%s", at);
    snprintf(
        json, sizeof json,
        "\"outcome\":\"%s\",\"ended_by\":\"responder\",\"end_frame\":9,\"at_end\":{},\"fpdus\"",
        rows[i].name);
    ck_assert_msg(strstr(reported(true), json) != NULL, "%s", fixture.text.buf);
  }
}
END_TEST

START_TEST(what_nobody_ended_has_no_frame)
{
  static const struct {
    observe_how how;
    observe_lack lack;
    const char *words;
    const char *name;
  } rows[] = {
      {OBSERVE_OPEN, OBSERVE_LACK_NONE, "still open when the capture ends\n", "open"},
      {OBSERVE_UNKNOWN, OBSERVE_LACK_GIVEN_UP, "not known, since the connection was given up\n",
       "unknown"},
      {OBSERVE_UNKNOWN, OBSERVE_LACK_END,
       "not known, since its ports were used again without a FIN or RST\n", "unknown"},
      {OBSERVE_UNKNOWN, OBSERVE_LACK_DIRECTION, "not known, since one direction was not captured\n",
       "unknown"},
      {OBSERVE_UNKNOWN, OBSERVE_LACK_TAIL,
       "not known, since octets that were acknowledged are missing at its end\n", "unknown"},
      {OBSERVE_STARTUP_FAILED, OBSERVE_LACK_NONE,
       "startup failed: a startup frame is incomplete or malformed; neither side has closed it "
       "when the capture ends\n",
       "startup-failed"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char json[64];
    begin();
    fixture.conn.outcome.how = rows[i].how;
    fixture.conn.outcome.lack = rows[i].lack;
    ck_assert_ptr_nonnull(strstr(reported(false), rows[i].words));
    snprintf(json, sizeof json, "\"outcome\":\"%s\",\"at_end\":{},\"fpdus\"", rows[i].name);
    ck_assert_ptr_nonnull(strstr(reported(true), json));
  }
}
END_TEST

/* Only octets known to be missing are reported: no octet of the other side, nor a gap in which it
 * may have answered. */
START_TEST(an_open_connection_may_lack_its_answer)
{
  for (unsigned i = 0; i < 6; i++) {
    begin();
    fixture.conn.outcome.how = OBSERVE_OPEN;
    fixture.info.sctp = i == 5;
    iwarp_observer_side *other = &fixture.info.side[1];
    other->seen = i == 1;
    other->has_startup = i == 2;
    other->gap = i == 3;
    fixture.info.side[0].role = i == 4 ? IWARP_ROLE_UNKNOWN : IWARP_ROLE_INITIATOR;
    const bool tcp = strstr(reported(false), "; the Request has no Reply so far\n") != NULL;
    const bool sctp = strstr(reported(false), "; the Initiate has no Accept so far\n") != NULL;
    ck_assert_msg(tcp == (i == 0), "%u: %s", i, fixture.text.buf);
    ck_assert_msg(sctp == (i == 5), "%u: %s", i, fixture.text.buf);
  }
}
END_TEST

START_TEST(over_sctp_it_is_an_abort_and_a_session_terminate)
{
  static const struct {
    observe_how how;
    bool reset;
    const char *words;
  } rows[] = {
      {OBSERVE_RESET, true, ": aborted (ABORT) by " BY "\n"},
      {OBSERVE_HALF_CLOSED, false,
       ": half-closed: a Session Terminate was captured only of " BY "\n"},
      {OBSERVE_NO_REPLY, true,
       ": never answered: the Initiate has no Accept; aborted (ABORT) by " BY "\n"},
      {OBSERVE_STARTUP_FAILED, false,
       ": startup failed: a startup frame is incomplete or malformed; "
       "closed (Session Terminate) by " BY "\n"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ended(rows[i].how, rows[i].reset);
    fixture.info.sctp = true;
    ck_assert_msg(strstr(reported(false), rows[i].words) != NULL, "%s", fixture.text.buf);
  }
  fixture.conn.outcome.how = OBSERVE_OPEN;
  ck_assert_ptr_nonnull(strstr(reported(false), ": not ended by either side\n"));
  fixture.conn.outcome.how = OBSERVE_UNKNOWN;
  fixture.conn.outcome.lack = OBSERVE_LACK_TAIL;
  ck_assert_ptr_nonnull(strstr(reported(false), "since messages are missing at its end\n"));
}
END_TEST

START_TEST(what_was_given_up_is_not_known_for_that)
{
  begin();
  fixture.conn.given_up = "memory";
  fixture.conn.outcome.lack = OBSERVE_LACK_GIVEN_UP;
  ck_assert_ptr_nonnull(
      strstr(reported(false), ": not known, since the connection was given up\n"));
}
END_TEST

/* A Terminate with these octets, which is about frame 7. */
static observe_terminate terminate(const char *octets, size_t len) {
  observe_terminate t = {.about = 7};
  const iwarp_span in = {(const uint8_t *)octets, len};
  ck_assert_int_eq(iwarp_rdmap_term_decode(&t.term, in).err, IWARP_OK);
  return t;
}

static const char invalid_stag[] = "\x11\x00\xc0\x00\x00\x10"
                                   "\xc1\x40\0\0\0\1\0\0\0\0\0\0\0\0";

START_TEST(a_terminate_stands_in_words)
{
  ended(OBSERVE_TERMINATED, false);
  observe_terminate t = terminate(invalid_stag, sizeof invalid_stag - 1);
  fixture.conn.outcome.terminate = &t;
  ck_assert_msg(strstr(reported(false), "terminated by " BY "\n"
                                        "    Terminate: DDP / Tagged Buffer Error / Invalid STag\n"
                                        "    about frame 7, whose DDP header it returns\n") != NULL,
                "%s", fixture.text.buf);
  ck_assert_ptr_nonnull(
      strstr(reported(true), "\"terminate\":{\"layer\":1,\"etype\":1,\"code\":0,"));
  ck_assert_ptr_nonnull(strstr(fixture.text.buf, ",\"about_frame\":7}"));
  t.about = 0;
  ck_assert_ptr_nonnull(strstr(
      reported(false), "    the DDP header that it returns belongs to no segment captured\n"));
  ck_assert_ptr_null(strstr(reported(true), "about_frame"));
}
END_TEST

START_TEST(a_terminate_is_also_read_in_the_bit_order_of_its_sender)
{
  ended(OBSERVE_TERMINATED, false);
  observe_terminate t = terminate("\x02\x02\x00\x00", 4);
  t.about = 0;
  fixture.conn.outcome.terminate = &t;
  ck_assert_msg(strstr(reported(false), "    Terminate: LLP / MPA Error / MPA CRC Error "
                                        "(likely meant, in the bit order of the sender; as it "
                                        "stands: RDMA / Remote Operation Error / unassigned 0x02)\n"
                                        "f: conn 3: ") != NULL,
                "%s", fixture.text.buf);
  ck_assert_ptr_nonnull(strstr(reported(true), ",\"likely\":{\"layer\":2,\"etype\":0,\"code\":2,"));
  t = terminate("\x11\x00\x01\x00\x00\x10", 6);
  t.about = 0;
  ck_assert_ptr_nonnull(strstr(reported(false),
                               "    Terminate: DDP / Tagged Buffer Error / Invalid "
                               "STag (its flags are in the bit order of the "
                               "sender)\n"));
}
END_TEST

START_TEST(times_count_from_what_was_asked_for)
{
  ended(OBSERVE_CLOSED, false);
  check.clock.times = REPORT_TIME_CAPTURE;
  ck_assert_ptr_nonnull(strstr(reported(false), "in frame 9, at 2.500000500 s\n"));
  check.clock.times = REPORT_TIME_DELTA;
  check.clock.last_file = NULL;
  ck_assert_ptr_nonnull(
      strstr(reported(false), "in frame 9, 2.500000500 s after the line before\n"));
  fixture.conn.outcome.time_ns -= 1500;
  ck_assert_ptr_nonnull(
      strstr(reported(false), "in frame 9, 0.000001500 s earlier than the line before\n"));
  check.clock.times = REPORT_TIME_ABSOLUTE;
  ck_assert_ptr_nonnull(strstr(reported(false), "in frame 9, at 1970-01-01 00:00:02.999999 UTC\n"));
}
END_TEST

START_TEST(absolute_times_are_dates_of_the_calendar)
{
  static const struct {
    uint64_t seconds;
    const char *date;
  } rows[] = {
      {0, "1970-01-01 00:00:00.000000 UTC"},
      {68169599, "1972-02-28 23:59:59.000000 UTC"},
      {68169600, "1972-02-29 00:00:00.000000 UTC"},
      {68256000, "1972-03-01 00:00:00.000000 UTC"},
      {951782400, "2000-02-29 00:00:00.000000 UTC"},
      {978307199, "2000-12-31 23:59:59.000000 UTC"},
      {1795215084, "2026-11-20 22:51:24.000000 UTC"},
      {4107542399, "2100-02-28 23:59:59.000000 UTC"},
      {4107542400, "2100-03-01 00:00:00.000000 UTC"},
      {UINT64_C(18446744073), "2554-07-21 23:34:33.000000 UTC"},
  };
  ended(OBSERVE_CLOSED, false);
  check.clock.times = REPORT_TIME_ABSOLUTE;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    fixture.conn.outcome.time_ns = rows[i].seconds * UINT64_C(1000000000);
    ck_assert_msg(strstr(reported(false), rows[i].date) != NULL, "%s", fixture.text.buf);
  }
}
END_TEST

/* ---- the summary ---- */

START_TEST(the_verdict_stands_beside_the_outcomes)
{
  begin();
  report_totals totals = {.verdict = "pass", .connections = 5};
  totals.rules = calloc(iwarp_rule_count(), sizeof *totals.rules);
  totals.rules[0].verdict = IWARP_VERDICT_PASS;
  totals.outcomes[OBSERVE_CLOSED] = 5;
  char wanted[160];
  report_format_text.summary(&check, &totals);
  snprintf(wanted, sizeof wanted,
           "verdict: pass; 1 of %u rules decided; 5 connections: 5 closed\n  0 files",
           (unsigned int)iwarp_rule_count());
  ck_assert_msg(strstr(report_fixture_written(), wanted) != NULL, "%s", fixture.text.buf);
  totals.outcomes[OBSERVE_CLOSED] = 1;
  for (unsigned int how = OBSERVE_UNKNOWN; how < OBSERVE_HOWS; how++) {
    totals.outcomes[how] = 1;
  }
  report_format_text.summary(&check, &totals);
  ck_assert_msg(
      strstr(report_fixture_written(),
             ": 1 rejected, 1 terminated, 1 startup failed, 1 never answered, 1 reset, 1 closed, "
             "1 half-closed, 1 open, 1 end not known\n"
             "  (pass is about the rules of the RFCs: it does not say that each connection "
             "worked)\n") != NULL,
      "%s", fixture.text.buf);
  report_fixture_clear();
  report_format_jsonl.summary(&check, &totals);
  ck_assert_ptr_nonnull(
      strstr(report_fixture_written(), "\"outcomes\":{\"unknown\":1,\"rejected\":1,"));
  free(totals.rules);
}
END_TEST

/* ---- groups ---- */

static void find(void **slot, uint16_t rule, uint8_t side, const char *cause, uint64_t packet) {
  iwarp_finding finding = {.rule = rule,
                           .side = side,
                           .pos = IWARP_POS_UNKNOWN,
                           .offset = IWARP_POS_UNKNOWN,
                           .octet_pos = IWARP_POS_UNKNOWN,
                           .cause = cause};
  finding.last.packet = packet;
  finding.last.time_ns = UINT64_C(1000000000);
  report_check_finding(&check, &report_format_text, slot, &fixture.conn, &finding, NULL);
}

START_TEST(findings_stand_with_those_of_their_cause)
{
  report_advice *advice = calloc(iwarp_rule_count(), sizeof *advice);
  void *slot = NULL;
  begin();
  advice[0] = (report_advice){"C0", "E0", "O0", "I0"};
  advice[1] = (report_advice){"C1", "E1", "O1", "I1"};
  advice[2] = (report_advice){"C2", "E2", "O2", "I2"};
  check.advice = advice;
  find(&slot, 0, 0, NULL, 1);
  find(&slot, 1, 0, "one-cause", 2);
  find(&slot, 0, 1, NULL, 3);
  find(&slot, 2, 0, "one-cause", 4);
  find(&slot, 0, 0, NULL, 5);
  find(&slot, 1, 0, "another", 6);
  find(&slot, 2, 0, NULL, 7); /* a group beyond the third is named alone */
  report_check_connection(&check, &report_format_text, &slot, &fixture.conn);
  static const char *const order[] = {
      "f:1: ",
      "f:3: ",
      "f:5: ",
      ("    cause: C0 (iwarp explain mpa.request-key)\n    effect: E0\n    operator: O0\n    "
       "implementer: I0\n"),
      "f:2: ",
      "f:4: ",
      "    one cause is likely: one-cause (iwarp explain mpa.reply-key)\nf:6: ",
      "    one cause is likely: another (iwarp explain mpa.reply-key)\n",
      "1 more cause: mpa.two-requests in frame 7 (-v shows all)\n"};
  const char *at = report_fixture_written();
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    at = strstr(at, order[i]);
    ck_assert_msg(at != NULL, "%s in %s", order[i], fixture.text.buf);
  }
  free(advice);
}
END_TEST

START_TEST(advice_is_left_out_where_the_report_gets_long)
{
  report_advice *advice = calloc(iwarp_rule_count(), sizeof *advice);
  void *slot = NULL;
  uint64_t input = 0;
  begin();
  advice[0] = (report_advice){"C0", "E0", "O0", "I0"};
  check.advice = advice;
  check.input = &input;
  check.spent = 32 * 1024 - 512;
  find(&slot, 0, 0, NULL, 1);
  report_check_connection(&check, &report_format_text, &slot, &fixture.conn);
  ck_assert_ptr_nonnull(strstr(report_fixture_written(), "f:1: "));
  ck_assert_ptr_null(strstr(fixture.text.buf, "cause: C0"));
  free(advice);
}
END_TEST

START_TEST(a_finding_in_json_names_its_number_and_its_cause)
{
  begin();
  fixture.conn.finding = 4;
  iwarp_finding finding = {.cause = "one-cause"};
  void *slot = NULL;
  report_check_finding(&check, &report_format_jsonl, &slot, &fixture.conn, &finding, NULL);
  ck_assert_ptr_nonnull(strstr(report_fixture_written(), ",\"conn\":3,\"conn_finding\":4,"));
  ck_assert_ptr_nonnull(strstr(fixture.text.buf, ",\"cause\":\"one-cause\","));
  report_check_connection(&check, &report_format_jsonl, &slot, &fixture.conn);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {each_outcome_is_said_in_words,
                                an_open_connection_may_lack_its_answer,
                                what_nobody_ended_has_no_frame,
                                over_sctp_it_is_an_abort_and_a_session_terminate,
                                what_was_given_up_is_not_known_for_that,
                                a_terminate_stands_in_words,
                                a_terminate_is_also_read_in_the_bit_order_of_its_sender,
                                times_count_from_what_was_asked_for,
                                absolute_times_are_dates_of_the_calendar,
                                the_verdict_stands_beside_the_outcomes,
                                findings_stand_with_those_of_their_cause,
                                advice_is_left_out_where_the_report_gets_long,
                                a_finding_in_json_names_its_number_and_its_cause,
                                NULL};
  return check_run(check_suite("outcome", tests));
}
