/* SPDX-License-Identifier: BSD-2-Clause */
/* Which play of a run comes next, and what the plays of a case come to. */
#include <string.h>

#include <peer/campaign.h>

#include "check_run.h"

#define MS UINT64_C(1000000)
#define STEPS_MAX 64u

static const char canary_text[] = "title the target answers\n"
                                  "play i r\n"
                                  "i> mpa-request S ird=1 ord=1\n"
                                  "r> mpa-reply\n"
                                  "probe\n"
                                  "pass\n";
#define CANARY_PROBE 5u /* line of the sign of life */

static peer_page *canary; /* of the present test */

static void canary_read(void) {
  scenario_error error;
  canary = peer_page_read("canary", canary_text, sizeof canary_text - 1, &error);
  ck_assert_ptr_nonnull(canary);
}

static void canary_free(void) {
  peer_page_free(canary);
}

/* What a play comes to, by the letter of a script. */
static peer_result result_of(char letter) {
  peer_result r = {.line = CANARY_PROBE};
  switch (letter) {
  case 'p': r.verdict = PEER_PASS; break;
  case 'a': r.verdict = PEER_ALLOWED; break;
  case 'w': r.verdict = PEER_WARNING; break;
  case 'f':
    r.verdict = PEER_FAIL;
    strcpy(r.seen, "terminate");
    break;
  case 'F':
    r.verdict = PEER_FAIL;
    strcpy(r.seen, "rst");
    break;
  case 's': r.verdict = PEER_SKIPPED; break;
  case 'l': r.received = 20; break; /* a listener that says something else */
  default: break;                   /* nothing came */
  }
  return r;
}

/* A run with its driver. */
typedef struct driven {
  char log[STEPS_MAX + 1]; /* C: the canary; a number: the play of that case; .: a pause; R */
  uint64_t pause_ns;       /* all pauses */
  uint8_t rev;             /* of the last play */
  uint64_t wait_ns;        /* likewise */
  uint64_t open_ns;        /* likewise */
  peer_campaign *campaign;
} driven;

/* Plays with the results that the letters of a script have; '+' and '-' answer a restart, and '!'
 * stops the run in place of the next step. Each play takes `took_ns`: half of it until its
 * connection is open, a fifth until the verdict. */
static driven drive(size_t num_items, bool can_restart, const char *script, uint64_t took_ns) {
  static peer_item items[3];
  for (size_t i = 0; i < num_items; i++) {
    items[i] = (peer_item){.page = canary};
  }
  const peer_campaign_cfg cfg = {
      .items = items, .num_items = num_items, .canary = canary, .can_restart = can_restart};
  driven d = {.campaign = peer_campaign_new(&cfg)};
  peer_step step;
  size_t num = 0;
  ck_assert_ptr_nonnull(d.campaign);
  while (num < STEPS_MAX && peer_campaign_next(d.campaign, &step)) {
    if (step.kind == PEER_STEP_PAUSE) {
      d.log[num++] = '.';
      d.pause_ns += step.pause_ns;
      continue;
    }
    if (*script == '!') {
      script++;
      peer_campaign_stop(d.campaign);
      continue;
    }
    ck_assert_msg(*script != '\0', "after %s comes another step", d.log);
    if (step.kind == PEER_STEP_RESTART) {
      d.log[num++] = 'R';
      peer_campaign_restarted(d.campaign, *script++ == '+');
      continue;
    }
    d.log[num++] = step.canary ? 'C' : (char)('0' + step.item);
    d.rev = step.how.rev;
    d.wait_ns = step.how.wait_ns;
    d.open_ns = step.how.open_ns;
    peer_result r = result_of(*script++);
    r.opening_ns = took_ns / 2;
    r.exchange_ns = took_ns / 5;
    peer_campaign_played(d.campaign, &r, took_ns);
  }
  ck_assert_str_eq(script, "");
  return d;
}

static void expect_case(const driven *d, size_t i, peer_verdict verdict, unsigned int plays,
                        const char *why) {
  const peer_outcome *o = peer_campaign_outcome(d->campaign, i);
  ck_assert(o->decided);
  ck_assert_str_eq(peer_verdict_name(o->result.verdict), peer_verdict_name(verdict));
  ck_assert_uint_eq(o->plays, plays);
  ck_assert_str_eq(o->result.why, why);
}

START_TEST(a_case_that_passes_is_played_once)
{
  const driven d = drive(2, false, "pppp", 50 * MS);
  uint64_t canary_ns = 0;
  ck_assert_str_eq(d.log, "C01C");
  expect_case(&d, 0, PEER_PASS, 1, "");
  expect_case(&d, 1, PEER_PASS, 1, "");
  ck_assert_int_eq(peer_campaign_canary(d.campaign, &canary_ns)->verdict, PEER_PASS);
  ck_assert_uint_eq(canary_ns, 10 * MS);
  ck_assert_uint_eq(peer_campaign_outcome(d.campaign, 1)->took_ns, 50 * MS);
  peer_campaign_free(d.campaign);
}
END_TEST

START_TEST(what_fails_is_played_twice_more_with_a_canary_after_each)
{
  driven d = drive(1, false, "pfpfpfpp", MS);
  ck_assert_str_eq(d.log, "C0C0C0CC");
  expect_case(&d, 0, PEER_FAIL, 3, "");
  ck_assert_uint_eq(peer_campaign_outcome(d.campaign, 0)->took_ns, 3 * MS);
  peer_campaign_free(d.campaign);
  d = drive(1, false, "pwpwpwpp", MS);
  expect_case(&d, 0, PEER_WARNING, 3, "");
  peer_campaign_free(d.campaign);
  d = drive(1, false, "papp", MS);
  ck_assert_str_eq(d.log, "C0CC");
  expect_case(&d, 0, PEER_ALLOWED, 1, "");
  peer_campaign_free(d.campaign);
}
END_TEST

START_TEST(plays_that_differ_are_unstable)
{
  driven d = drive(1, false, "pfpppfpp", MS);
  ck_assert_str_eq(d.log, "C0C0C0CC");
  expect_case(&d, 0, PEER_UNSTABLE, 3, "1 pass, 2 fail");
  peer_campaign_free(d.campaign);
  d = drive(1, false, "pfpFpfpp", MS);
  expect_case(&d, 0, PEER_UNSTABLE, 3, "3 fail");
  peer_campaign_free(d.campaign);
}
END_TEST

START_TEST(a_case_that_is_skipped_needs_no_canary)
{
  const driven d = drive(2, false, "pspp", MS);
  ck_assert_str_eq(d.log, "C01C");
  expect_case(&d, 0, PEER_SKIPPED, 1, "");
  ck_assert(!peer_campaign_outcome(d.campaign, 0)->played);
  ck_assert(peer_campaign_outcome(d.campaign, 1)->played);
  peer_campaign_free(d.campaign);
}
END_TEST

START_TEST(a_target_that_is_lost_ends_the_run)
{
  const driven d = drive(2, false, "pfuuuuu", MS);
  ck_assert_str_eq(d.log, "C0C.C.C.C.C");
  ck_assert_uint_eq(d.pause_ns, (100 + 200 + 400 + 800) * MS);
  expect_case(&d, 0, PEER_FAIL, 1, "");
  ck_assert(peer_campaign_outcome(d.campaign, 0)->lost);
  expect_case(&d, 1, PEER_UNDECIDED, 0, "not run: the target was lost before");
  ck_assert(!peer_campaign_outcome(d.campaign, 1)->lost);
  peer_campaign_free(d.campaign);
}
END_TEST

START_TEST(the_canary_at_the_end_names_the_last_case)
{
  const driven d = drive(2, true, "pppuuuuu", MS);
  ck_assert_str_eq(d.log, "C01C.C.C.C.C");
  ck_assert(!peer_campaign_outcome(d.campaign, 0)->lost);
  ck_assert(peer_campaign_outcome(d.campaign, 1)->lost);
  peer_campaign_free(d.campaign);
}
END_TEST

START_TEST(a_target_that_recovers_is_not_lost)
{
  const driven d = drive(2, false, "pauuppp", MS);
  ck_assert_str_eq(d.log, "C0C.C.C1C");
  ck_assert(!peer_campaign_outcome(d.campaign, 0)->lost);
  expect_case(&d, 1, PEER_PASS, 1, "");
  peer_campaign_free(d.campaign);
}
END_TEST

START_TEST(a_lost_target_is_restarted)
{
  driven d = drive(2, true, "pauuuuu+ppp", MS);
  ck_assert_str_eq(d.log, "C0C.C.C.C.CRC1C");
  ck_assert(peer_campaign_outcome(d.campaign, 0)->lost);
  expect_case(&d, 1, PEER_PASS, 1, "");
  peer_campaign_free(d.campaign);
  d = drive(2, true, "pauuuuu-", MS);
  ck_assert_str_eq(d.log, "C0C.C.C.C.CR");
  expect_case(&d, 1, PEER_UNDECIDED, 0, "not run: the target was lost before");
  peer_campaign_free(d.campaign);
  d = drive(2, true, "pauuuuu+uuuuu", MS); /* once is enough */
  ck_assert_str_eq(d.log, "C0C.C.C.C.CRC.C.C.C.C");
  expect_case(&d, 1, PEER_UNDECIDED, 0, "not run: the target was lost before");
  peer_campaign_free(d.campaign);
}
END_TEST

START_TEST(a_target_that_refuses_rev_2_is_asked_for_rev_1)
{
  driven d = drive(1, false, "lllppp", MS);
  ck_assert_str_eq(d.log, "C.C.C.C0C");
  ck_assert_uint_eq(d.rev, 1);
  expect_case(&d, 0, PEER_PASS, 1, "");
  peer_campaign_free(d.campaign);
  d = drive(1, true, "llll", MS);
  ck_assert_str_eq(d.log, "C.C.C.C");
  expect_case(&d, 0, PEER_UNDECIDED, 0, "not run: the target never passed the canary");
  peer_campaign_free(d.campaign);
}
END_TEST

START_TEST(a_run_that_is_stopped_says_so)
{
  const driven d = drive(2, false, "pp!", MS);
  ck_assert_str_eq(d.log, "C0");
  expect_case(&d, 0, PEER_PASS, 1, "");
  expect_case(&d, 1, PEER_UNDECIDED, 0, "not run: interrupted");
  peer_campaign_free(d.campaign);
}
END_TEST

START_TEST(waits_follow_the_time_of_the_canary)
{
  static const uint64_t took_ms[] = {0, 5, 200, 500, 5000, 25000};
  static const uint64_t wait_ms[] = {400, 400, 400, 1000, 10000, 10000};
  static const uint64_t open_ms[] = {4000, 4000, 4000, 4000, 25000, 100000};
  for (size_t i = 0; i < sizeof took_ms / sizeof took_ms[0]; i++) {
    const driven d = drive(1, false, "ppp", took_ms[i] * MS);
    ck_assert_uint_eq(d.wait_ns, wait_ms[i] * MS);
    ck_assert_uint_eq(d.open_ns, open_ms[i] * MS);
    peer_campaign_free(d.campaign);
  }
}
END_TEST

/* A target that takes its time has no canary time yet. */
START_TEST(the_first_canaries_wait_longer_and_longer)
{
  static const struct {
    const char *script;
    uint64_t wait_ms;
  } rows[] = {{"l!", 0},       {"ll!", 3000}, {"lll!", 10000},
              {"llll", 10000}, {"nn!", 0},    {"pfn!", 400}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const driven d = drive(1, false, rows[i].script, MS);
    ck_assert_uint_eq(d.wait_ns, rows[i].wait_ms * MS);
    peer_campaign_free(d.campaign);
  }
}
END_TEST

START_TEST(signs_of_life)
{
  static const peer_verdict dead[] = {PEER_UNSTABLE, PEER_SKIPPED, PEER_ERROR};
  peer_result r = {.verdict = PEER_FAIL, .line = CANARY_PROBE, .why = "mpa.crc"};
  ck_assert(peer_alive(canary, &r)); /* of a rule, once the target has answered */
  r.line--;
  ck_assert(!peer_alive(canary, &r));
  r = (peer_result){.verdict = PEER_FAIL, .line = CANARY_PROBE, .why = "no rule"};
  ck_assert(!peer_alive(canary, &r));
  r = (peer_result){.line = CANARY_PROBE, .why = "the target takes no Reads"};
  ck_assert(peer_alive(canary, &r));
  r.line--;
  ck_assert(!peer_alive(canary, &r));
  for (size_t i = 0; i < sizeof dead / sizeof dead[0]; i++) {
    r = (peer_result){.verdict = dead[i], .line = CANARY_PROBE};
    ck_assert(!peer_alive(canary, &r));
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_case_that_passes_is_played_once,
                                what_fails_is_played_twice_more_with_a_canary_after_each,
                                plays_that_differ_are_unstable,
                                a_case_that_is_skipped_needs_no_canary,
                                a_target_that_is_lost_ends_the_run,
                                the_canary_at_the_end_names_the_last_case,
                                a_target_that_recovers_is_not_lost,
                                a_lost_target_is_restarted,
                                a_target_that_refuses_rev_2_is_asked_for_rev_1,
                                a_run_that_is_stopped_says_so,
                                waits_follow_the_time_of_the_canary,
                                the_first_canaries_wait_longer_and_longer,
                                signs_of_life,
                                NULL};
  Suite *suite = suite_create("peer-campaign");
  TCase *tcase = tcase_create("peer-campaign");
  tcase_add_checked_fixture(tcase, canary_read, canary_free);
  for (size_t i = 0; tests[i] != NULL; i++) {
    tcase_add_test(tcase, tests[i]);
  }
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
