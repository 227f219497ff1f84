/* SPDX-License-Identifier: BSD-2-Clause */
/* Every case against its own page, a wrong peer, an odd one that conforms, and iwarp_endpoint. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cli/embedded.h>
#include <iwarp/endpoint.h>
#include <peer/player.h>

#include "check_run.h"
#include "peer_room.h"
#include "property.h"

#define CASES_WAIT_NS 100000000u
#define CASES_TEXT_MAX ((size_t)65536)
#define CASES_CONFIGS 64u     /* of iwarp_endpoint, and of what the tester asks for */
#define CASES_CONFIGS_STEP 5u /* in a sample of them each bit still has both values */

static peer_page *cases_page(const char *name, const char *text, size_t len) {
  scenario_error error;
  peer_page *page = peer_page_read(name, text, len, &error);
  ck_assert_msg(page != NULL, "%s.scn:%u:%u: %s", name, error.line, error.column, error.message);
  return page;
}

/* The page of a scripted peer that lies beside a case. */
static peer_page *cases_beside(const char *name, const char *which) {
  char path[256];
  static char text[CASES_TEXT_MAX];
  snprintf(path, sizeof path, "%s/%s-%s.scn", PEER_CASES, name, which);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s: each case needs such a page", path);
  const size_t len = fread(text, 1, sizeof text, file);
  fclose(file);
  return cases_page(path, text, len);
}

static peer_how cases_how(iwarp_role role, size_t instance, const char *ulp) {
  peer_how how = {.role = role, .instance = instance, .wait_ns = CASES_WAIT_NS};
  const char *bad = NULL;
  size_t bad_len = 0;
  ck_assert(peer_offer_read(&how.offer, ulp, role == IWARP_ROLE_INITIATOR, &bad, &bad_len));
  return how;
}

static iwarp_role cases_other(iwarp_role role) {
  return role == IWARP_ROLE_INITIATOR ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR;
}

typedef struct cases_play {
  const char *name;
  const peer_page *page;
  const char *against;
  peer_result result;
  size_t octets; /* of the target */
} cases_play;

static void cases_expect(const cases_play *p, bool good) {
  ck_assert_msg(good, "%s against %s: %s, line %u; expected: %s; seen: %s; %s", p->name, p->against,
                peer_verdict_name(p->result.verdict), p->result.line, p->result.due, p->result.seen,
                p->result.why);
}

/* Plays the case against a scripted peer. */
static void cases_scripted(cases_play *p, const peer_page *script, peer_how how,
                           peer_room_split split) {
  peer_how other = how;
  other.role = cases_other(how.role);
  other.scripted = true;
  other.instance = how.instance < peer_page_info_get(script)->num_instances ? how.instance : 0;
  peer_player *tester = peer_player_new(p->page, &how);
  peer_player *peer = peer_player_new(script, &other);
  const peer_end end = peer_end_player(peer);
  p->octets = peer_room_play(tester, &end, split);
  p->result = *peer_player_result(tester);
  peer_player_free(tester);
  peer_player_free(peer);
}

/* A sample of the places where the octets of the target are cut, or all of them. */
static void cases_split(cases_play *p, const peer_page *script, peer_how how) {
  const bool all = getenv("IWARP_PEER_SPLITS") != NULL;
  const size_t octets = p->octets;
  const size_t some = property_few() ? 2 : 5;
  const size_t step = all || octets <= some ? 1 : octets / some;
  for (size_t cut = 1; cut < octets; cut += step) {
    cases_scripted(p, script, how, (peer_room_split){.cut = cut});
    cases_expect(p, p->result.verdict == PEER_PASS);
  }
  cases_scripted(p, script, how, (peer_room_split){.piece = 1});
  cases_expect(p, p->result.verdict == PEER_PASS);
}

static void cases_scripts(cases_play *p, const peer_page *near, const peer_page *fail,
                          iwarp_role role, size_t instance) {
  const peer_how how = cases_how(role, instance, "echo,buffers=8x4096,reads,writes");
  p->against = "its page";
  cases_scripted(p, p->page, how, (peer_room_split){0});
  cases_expect(p, p->result.verdict == PEER_PASS);
  cases_split(p, p->page, how);
  p->against = "the odd peer that conforms";
  cases_scripted(p, near, how, (peer_room_split){0});
  cases_expect(p, p->result.verdict == PEER_PASS || p->result.verdict == PEER_ALLOWED);
  p->against = "the wrong peer";
  cases_scripted(p, fail, how, (peer_room_split){0});
  cases_expect(p, p->result.verdict == PEER_FAIL);
}

/* Each of the six bits changes one thing. Some targets know Rev 1 alone. */
static peer_echo_how cases_config(unsigned int bits, iwarp_role role) {
  static const uint8_t rtr[] = {0, IWARP_RTR_READ, IWARP_RTR_SEND};
  const bool asks = role == IWARP_ROLE_RESPONDER; /* the target is the Initiator */
  return (peer_echo_how){.role = cases_other(role),
                         .rtr = asks ? rtr[bits % 3] : 0,
                         .rev = bits % 7 == 6 ? 1 : 0,
                         .markers = (bits & 1) != 0,
                         .crc = (bits & 2) != 0,
                         .ird = (bits & 4) != 0 ? 0
                                : bits % 5 == 3 ? 1
                                                : 4,
                         .most = bits % 11 < 5 ? 3 + 8 * (bits % 11) : 0,
                         .quiet = (bits & 8) != 0,
                         .in_pd = (bits & 16) != 0};
}

static bool cases_no_fault(peer_verdict verdict) {
  return verdict == PEER_PASS || verdict == PEER_ALLOWED || verdict == PEER_UNDECIDED ||
         verdict == PEER_SKIPPED;
}

/* Plays the case against iwarp_endpoint in all configurations; whether one of them decided it. */
static void cases_endpoint(cases_play *p, iwarp_role role, size_t instance) {
  bool decided = false;
  const unsigned int step = property_few() ? CASES_CONFIGS_STEP : 1;
  for (unsigned int bits = 0; bits < CASES_CONFIGS; bits += step) {
    const peer_echo_how config = cases_config(bits, role);
    char against[64];
    snprintf(against, sizeof against, "iwarp_endpoint, configuration %u", bits);
    peer_how how = cases_how(role, instance, config.quiet ? "none" : "echo,buffers=8x4096");
    how.markers = how.crc = (bits & 32) != 0;
    how.rev = role == IWARP_ROLE_INITIATOR ? config.rev : 0;
    peer_echo *echo = peer_echo_new(&config);
    const peer_end end = peer_echo_end(echo);
    peer_player *tester = peer_player_new(p->page, &how);
    (void)peer_room_play(tester, &end,
                         (peer_room_split){.piece = bits % 3 == 1 ? 1 : 0, .late = bits % 3 == 2});
    p->against = against;
    p->result = *peer_player_result(tester);
    cases_expect(p, cases_no_fault(p->result.verdict));
    decided = decided || p->result.verdict == PEER_PASS || p->result.verdict == PEER_ALLOWED;
    peer_player_free(tester);
    peer_echo_free(echo);
  }
  const uint32_t others = PEER_OFFER_READS | PEER_OFFER_WRITES;
  p->against = "iwarp_endpoint in all configurations: the last";
  cases_expect(p, decided || (peer_page_info_get(p->page)->needs & others) != 0);
}

static bool cases_is_requirement(const char *id, size_t len) {
  for (size_t i = 0; i < iwarp_requirement_row_count; i++) {
    const char *known = iwarp_requirement_rows[i].id;
    if (strlen(known) == len && memcmp(known, id, len) == 0) {
      return true;
    }
  }
  return false;
}

static void cases_cites(const char *name, const char *cites) {
  ck_assert_msg(cites[0] != '\0', "%s cites nothing", name);
  for (const char *id = cites; *id != '\0';) {
    const size_t len = strcspn(id, " ");
    ck_assert_msg(cases_is_requirement(id, len), "%s: '%.*s' is in no catalogue", name, (int)len,
                  id);
    id += len + (id[len] == ' ' ? 1 : 0);
  }
}

START_TEST(a_case_is_decided_by_what_its_target_does)
{
  const peer_case *c = &peer_cases[_i];
  cases_play play = {.name = c->name, .page = cases_page(c->name, c->text, strlen(c->text))};
  peer_page *near = cases_beside(c->name, "near");
  peer_page *fail = cases_beside(c->name, "fail");
  const peer_page_info *info = peer_page_info_get(play.page);
  cases_cites(c->name, info->cites);
  for (size_t i = 0; i < info->num_instances; i++) {
    for (iwarp_role role = IWARP_ROLE_INITIATOR; role <= IWARP_ROLE_RESPONDER; role++) {
      if ((info->plays &
           (role == IWARP_ROLE_INITIATOR ? PEER_PLAYS_INITIATOR : PEER_PLAYS_RESPONDER)) != 0) {
        cases_scripts(&play, near, fail, role, i);
        cases_endpoint(&play, role, i);
      }
    }
  }
  peer_page_free((peer_page *)(uintptr_t)play.page);
  peer_page_free(near);
  peer_page_free(fail);
}
END_TEST

/* The canary passes wherever Reads are taken. */
START_TEST(the_canary_shows_that_a_target_lives)
{
  cases_play play = {.name = "canary",
                     .page = cases_page("canary", peer_canary.text, strlen(peer_canary.text))};
  for (iwarp_role role = IWARP_ROLE_INITIATOR; role <= IWARP_ROLE_RESPONDER; role++) {
    const peer_echo_how config = {.role = cases_other(role), .crc = true, .ird = 1};
    const peer_how how = cases_how(role, 0, "echo");
    peer_echo *echo = peer_echo_new(&config);
    const peer_end end = peer_echo_end(echo);
    peer_player *tester = peer_player_new(play.page, &how);
    (void)peer_room_play(tester, &end, (peer_room_split){0});
    play.against = "iwarp_endpoint";
    play.result = *peer_player_result(tester);
    cases_expect(&play, play.result.verdict == PEER_PASS);
    peer_player_free(tester);
    peer_echo_free(echo);
  }
  peer_page_free((peer_page *)(uintptr_t)play.page);
}
END_TEST

/* ---- single scripts ---- */

static const peer_case *cases_named(const char *name) {
  const peer_case *c = peer_cases;
  while (strcmp(c->name, name) != 0) {
    c++;
  }
  return c;
}

/* Plays a case against a script, which it frees, and wants a verdict; `why`: the rule that it
 * names, or NULL. */
static void cases_against(const peer_case *c, peer_page *script, peer_how how, const char *against,
                          peer_verdict verdict, const char *why) {
  peer_page *page = cases_page(c->name, c->text, strlen(c->text));
  cases_play play = {.name = c->name, .page = page, .against = against};
  cases_scripted(&play, script, how, (peer_room_split){0});
  cases_expect(&play, play.result.verdict == verdict);
  if (why != NULL) {
    ck_assert_str_eq(play.result.why, why);
  }
  peer_page_free(page);
  peer_page_free(script);
}

/* A Terminate that an RST follows at once. */
static const char cases_resets[] = "title a Terminate and an RST\n"
                                   "cite rfc5041-7.1-11\n"
                                   "play i\n"
                                   "i> mpa-request\n"
                                   "r> mpa-reply\n"
                                   "i> write\n"
                                   "i> write stag=0xdeadbeef\n"
                                   "r> terminate layer=1 etype=1\n"
                                   "r> rst\n"
                                   "pass\n";

START_TEST(a_reset_after_a_terminate_is_found)
{
  peer_how how = cases_how(IWARP_ROLE_INITIATOR, 0, "none");
  how.no_acks = _i == 1;
  cases_against(cases_named("ddp.stag-unknown"),
                cases_page("resets", cases_resets, sizeof cases_resets - 1), how,
                "a target that resets the connection", PEER_WARNING, "rdmap.terminate-reset");
}
END_TEST

/* A Responder that answers an FPDU with a wrong CRC would break a rule itself. */
static const char cases_bad_first[] = "title a first FPDU with a wrong CRC\n"
                                      "cite rfc5044-7.1.2-23\n"
                                      "play r\n"
                                      "i> mpa-request C\n"
                                      "r> mpa-reply\n"
                                      "i> write crc=bad\n"
                                      "pass\n";

START_TEST(a_first_fpdu_with_a_wrong_crc_is_a_fault_of_the_target)
{
  cases_against(&peer_canary, cases_page("bad-first", cases_bad_first, sizeof cases_bad_first - 1),
                cases_how(IWARP_ROLE_RESPONDER, 0, "none"), "a target whose CRCs are wrong",
                PEER_FAIL, "mpa.crc");
}
END_TEST

/* A Reply of another protocol: the tester does not go on with it. */
static const char cases_improper[] = "title a Reply with another key\n"
                                     "cite rfc5044-7.1.1-05\n"
                                     "play i\n"
                                     "i> mpa-request\n"
                                     "r> mpa-reply key=485454502f312e312034303020426164\n"
                                     "pass\n";

START_TEST(an_improper_reply_is_a_fault_of_the_target)
{
  cases_against(&peer_canary, cases_page("improper", cases_improper, sizeof cases_improper - 1),
                cases_how(IWARP_ROLE_INITIATOR, 0, "none"), "a target of another protocol",
                PEER_FAIL, "mpa.reply-key");
}
END_TEST

/* An FPDU that comes so soon after the Reply that the two may have crossed. */
START_TEST(an_fpdu_right_after_a_reject_is_found)
{
  const peer_case *c = cases_named("startup.reply-reject");
  peer_how how = cases_how(IWARP_ROLE_RESPONDER, 0, "none");
  how.no_acks = true;
  cases_against(c, cases_beside(c->name, "fail"), how, "a client that goes on at once", PEER_FAIL,
                NULL);
}
END_TEST

/* A Reply, and then nothing. */
static const char cases_mute[] = "title a target that answers no Read\n"
                                 "cite rfc5044-7.1.1-05\n"
                                 "play i\n"
                                 "i> mpa-request\n"
                                 "r> mpa-reply\n"
                                 "pause 9s\n"
                                 "pass\n";

/* The time of an exchange ends with the last answer: a wait that passed in vain is no part of it.
 */
START_TEST(an_exchange_ends_with_the_last_answer)
{
  peer_page *page = cases_page("canary", peer_canary.text, strlen(peer_canary.text));
  peer_page *script = cases_page("mute", cases_mute, sizeof cases_mute - 1);
  cases_play play = {.name = "canary", .page = page, .against = "a target that answers no Read"};
  cases_scripted(&play, script, cases_how(IWARP_ROLE_INITIATOR, 0, "none"), (peer_room_split){0});
  cases_expect(&play, play.result.verdict == PEER_UNDECIDED);
  ck_assert_uint_gt(play.result.exchange_ns, 0);
  ck_assert_uint_lt(play.result.exchange_ns, CASES_WAIT_NS);
  peer_page_free(page);
  peer_page_free(script);
}
END_TEST

/* A Response that has all octets and no L. */
static const char cases_endless[] =
    "title a Response without an end\n"
    "cite rfc5041-4.1-03\n"
    "play i\n"
    "i> mpa-request S ird=2 ord=2\n"
    "r> mpa-reply\n"
    "i> write\n"
    "r> send data=00000000000100000000100000001000000010010000100200001003\n"
    "i> read-request size=1\n"
    "r> read-response stag=0x5201 to=0x40 len=1 last=0\n"
    "i> read-request size=4\n"
    "r> read-response stag=0x5203 len=4\n"
    "pass\n";

START_TEST(a_response_without_an_end_is_found)
{
  cases_against(cases_named("rdmap.read-length"),
                cases_page("endless", cases_endless, sizeof cases_endless - 1),
                cases_how(IWARP_ROLE_INITIATOR, 0, "echo"), "a target whose Response has no end",
                PEER_FAIL, NULL);
}
END_TEST

/* A Send in the place of an answer to a probe by Send: its end is at octet 8, and it has none. */
static const char cases_hollow[] = "title a Send without octets that ends at octet 8\n"
                                   "cite rfc5041-5.2-08\n"
                                   "play i\n"
                                   "i> mpa-request\n"
                                   "r> mpa-reply\n"
                                   "i> write\n"
                                   "r> send mo=8\n"
                                   "pause 9s\n"
                                   "pass\n";

START_TEST(a_message_may_have_fewer_octets_than_its_offsets_say)
{
  peer_how how = cases_how(IWARP_ROLE_INITIATOR, 0, "answers");
  how.rev = 1;
  cases_against(cases_named("ddp.reserved"),
                cases_page("hollow", cases_hollow, sizeof cases_hollow - 1), how,
                "a target whose MO is wrong", PEER_FAIL, "ddp.mo-first");
}
END_TEST

static size_t cases_num(void) {
  size_t num = 0;
  while (peer_cases[num].name != NULL) {
    num++;
  }
  return num;
}

int main(void) {
  Suite *suite = suite_create("peer-cases");
  TCase *tcase = tcase_create("cases");
  tcase_add_loop_test(tcase, a_case_is_decided_by_what_its_target_does, 0, (int)cases_num());
  tcase_add_test(tcase, the_canary_shows_that_a_target_lives);
  tcase_add_loop_test(tcase, a_reset_after_a_terminate_is_found, 0, 2);
  tcase_add_test(tcase, a_first_fpdu_with_a_wrong_crc_is_a_fault_of_the_target);
  tcase_add_test(tcase, an_improper_reply_is_a_fault_of_the_target);
  tcase_add_test(tcase, an_fpdu_right_after_a_reject_is_found);
  tcase_add_test(tcase, an_exchange_ends_with_the_last_answer);
  tcase_add_test(tcase, a_response_without_an_end_is_found);
  tcase_add_test(tcase, a_message_may_have_fewer_octets_than_its_offsets_say);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
