/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of cases in the scenario language: what they make, and the places of mistakes. */
#include <string.h>

#include <peer/page.h>
#include <scenario/page.h>

#include "check_run.h"
#include "scenario_made.h"

#define HEAD "title x\ncite y\nplay i\n"

START_TEST(the_first_alternative_is_the_capture)
{
  scenario_made(HEAD "i> send data=aa\neither\n  r> send data=bb\n  pass\nor\n  r> send data=cc\n"
                     "  r> send data=dd\n  fail \"no\"\nend\nexpect fail mpa.crc\n",
                NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3 + 2 + 3);
  ck_assert(SCENARIO_HOLDS("\0\0\0\x01\0\0\0\0\xbb"));
  scenario_made(HEAD "either\n  i> send\n  either\n    r> send\n    pass\n  or\n    r> close\n"
                     "    allowed \"open\"\n  end\nor\n  connection 2\n  i> send\n  pass\nend\n",
                NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3 + 2 + 3);
}
END_TEST

START_TEST(names_have_values)
{
  scenario_made(HEAD "i> write stag=$stag to=$to+$len-1 len=1\n", NULL);
  ck_assert(SCENARIO_HOLDS("\0\0\x10\0\0\0\0\0\0\x01\x0f\xff"));
  scenario_made(HEAD "r> write stag=>$mine:0x77\ni> write stag=$mine-0x78\n", NULL);
  ck_assert(SCENARIO_HOLDS("\xff\xff\xff\xff"));
  scenario_made(HEAD "for n in 0x0102 2\ni> write stag=$n\n", NULL);
  ck_assert(SCENARIO_HOLDS("\xc1\x40\0\0\x01\x02"));
  scenario_made(HEAD "for flag in M C\ni> mpa-request $flag\n", NULL);
  ck_assert(SCENARIO_HOLDS("Frame\x80\x01"));
}
END_TEST

START_TEST(a_reply_follows_its_request)
{
  scenario_made(HEAD "i> mpa-request S ird=3 ord=5 a c\nr> mpa-reply\n", NULL);
  ck_assert(SCENARIO_HOLDS("Rep Frame\x10\x02\0\x04\x80\x05\x80\x03"));
  scenario_made("i> mpa-request S ird=3 ord=5\nr> mpa-reply\n", NULL);
  ck_assert(SCENARIO_HOLDS("Rep Frame\0\x01\0\0"));
}
END_TEST

START_TEST(a_terminate_returns_the_header_of_the_last_segment)
{
  scenario_made(HEAD "i> write stag=0x41424344\nr> terminate layer=1 etype=1\n", NULL);
  ck_assert(SCENARIO_HOLDS("\x11\0\xc0\0\0\x0e\xc1\x40\x41\x42\x43\x44"));
  scenario_made(HEAD "i> read-request sink_stag=0x41424344\nr> terminate layer=0 etype=1\n", NULL);
  ck_assert(SCENARIO_HOLDS("\x01\0\xe0\0\0\x2e\x41\x41"));
  scenario_made(HEAD "i> write stag=0x41424344\nr> terminate layer=2\n", NULL);
  ck_assert(!SCENARIO_HOLDS("\x20\0\xc0"));
}
END_TEST

START_TEST(a_probe_is_a_read_of_no_octets)
{
  scenario_made(HEAD "probe\n", NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3 + 2 + 3);
  scenario_made("play r\ni> close\npause 1s\ndrip 1 2ms\nstop reading\nreadback 0 4 written\n"
                "r> silence 3s\n",
                NULL);
  ck_assert_uint_eq(scenario_made_packets(), 3 + 1);
}
END_TEST

START_TEST(mistakes_have_places)
{
  scenario_refused("title\n", 1, 1, "'title': comes once, with a text");
  scenario_refused("title a\ntitle b\n", 2, 1, "'title': comes once, with a text");
  scenario_refused("cite\n", 1, 1, "'cite': needs ids of requirements");
  scenario_refused("cite a=1\n", 1, 6, "'a': is no id of a requirement, or one too many");
  scenario_refused("needs\n", 1, 1, "'needs': comes once, with words");
  scenario_refused("tag\n", 1, 1, "'tag': needs danger, slow or extension");
  scenario_refused("tag slow fast\n", 1, 10, "'fast': is no tag: danger, slow or extension");
  scenario_refused("play\n", 1, 1, "'play': needs i or r");
  scenario_refused("play x\n", 1, 6, "'x': is no side: i or r");
  scenario_refused("for a in\n", 1, 1, "'for': comes once, as in for NAME in A B");
  scenario_refused("pause 1\n", 1, 1, "'pause': needs a time, as in pause 500ms");
  scenario_refused("pause 601s\n", 1, 1, "'pause': needs a time, as in pause 500ms");
  scenario_refused("drip 0 1s\n", 1, 1, "'drip': needs octets and a time, as in drip 1 1s");
  scenario_refused("stop\n", 1, 1, "'stop': is no statement but in stop reading");
  scenario_refused("probe 1\n", 1, 7, "'1': follows a word that stands alone");
  scenario_refused("readback 1 0 written\n", 1, 1,
                   "'readback': needs an offset, a length, and untouched or written");
  scenario_refused("r> silence\n", 1, 4, "'silence': needs a time, as in silence 2s");
  scenario_refused("fail why\n", 1, 1, "'fail': needs a reason in quotes");
  scenario_refused("or\n", 1, 1, "'or': comes after either, and after pass, allowed or fail");
  scenario_refused("either\nr> send\nend\n", 3, 1,
                   "'end': comes after either, and after pass, allowed or fail");
  scenario_refused("either\nr> send\npass\n", 3, 1,
                   "'pass': is the last line, and either has no end");
  scenario_refused("either\neither\neither\neither\neither\n", 5, 1, "'either': goes too deep");
  scenario_refused("i> write stag=$nothing\n", 1, 10,
                   "'stag': needs names that have a number here, as in $to+$len-1");
  scenario_refused("i> $what\n", 1, 4, "'$what': is no name that has a value here");
  scenario_refused("r> write stag=>$x\n", 1, 10, "'stag': needs >$NAME:VALUE, neither too long");
  scenario_refused("either\ni> send\npass\nor\ni> sendd\npass\nend\n", 5, 4,
                   "'sendd': is not one of: mpa-request, mpa-reply, fin, rst, octets, or a message "
                   "of RDMAP");
}
END_TEST

static void refused(const char *text, const char *message) {
  scenario_error error;
  ck_assert_ptr_null(peer_page_read("a.b", text, strlen(text), &error));
  ck_assert_str_eq(error.message, message);
}

START_TEST(a_page_says_what_it_is)
{
  char name[32];
  scenario_error error;
  static const char text[] = "title one two\ncite a b\ncite c\nneeds region pd enhanced\ntag slow\n"
                             "play i r\nfor n in 1 2\ni> write stag=$n\nr> silence 2s\npause 1s\n";
  peer_page *page = peer_page_read("a.b", text, sizeof text - 1, &error);
  ck_assert_ptr_nonnull(page);
  const peer_page_info *info = peer_page_info_get(page);
  ck_assert_str_eq(info->title, "one two");
  ck_assert_str_eq(info->cites, "a b c");
  ck_assert_str_eq(info->due, "silence 2s");
  ck_assert_uint_eq(info->needs, PEER_OFFER_REGION | PEER_OFFER_PD | PEER_OFFER_ENHANCED);
  ck_assert_uint_eq(info->tags, PEER_TAG_SLOW);
  ck_assert_uint_eq(info->plays, PEER_PLAYS_INITIATOR | PEER_PLAYS_RESPONDER);
  ck_assert_uint_eq(info->num_instances, 2);
  ck_assert_uint_eq(info->min_time_ms, 3000);
  ck_assert_str_eq(peer_page_name(page, 1, name, sizeof name), "a.b.2");
  ck_assert_str_eq(peer_page_name(page, 2, name, sizeof name), "");
  ck_assert_str_eq(peer_page_name(page, 1, name, 5), "");
  ck_assert_str_eq(peer_page_text(page), text);
  peer_page_free(page);
  refused("title x\nneeds nothing\nplay i\n", "a.b: needs a word that --ulp does not have");
  refused("title x\n", "a.b: says no side that the tester plays");
  peer_page_free(NULL);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_first_alternative_is_the_capture,
                                names_have_values,
                                a_reply_follows_its_request,
                                a_terminate_returns_the_header_of_the_last_segment,
                                a_probe_is_a_read_of_no_octets,
                                mistakes_have_places,
                                a_page_says_what_it_is,
                                NULL};
  return check_run(check_suite("scenario-cases", tests));
}
