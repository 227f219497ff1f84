/* SPDX-License-Identifier: BSD-2-Clause */
/* --ulp, announcements of regions, and what several plays of a case make. */
#include <string.h>

#include <peer/offer.h>
#include <peer/verdict.h>

#include "check_run.h"

static bool offer(peer_offer *out, const char *text, bool listens) {
  const char *bad = NULL;
  size_t bad_len = 0;
  return peer_offer_read(out, text, listens, &bad, &bad_len);
}

START_TEST(words_and_sets_are_read)
{
  peer_offer o;
  ck_assert(offer(&o, "none", true));
  ck_assert_uint_eq(o.words, 0);
  ck_assert(offer(&o, "rping", true));
  ck_assert_uint_eq(o.words, PEER_OFFER_BUFFERS | PEER_OFFER_READS | PEER_OFFER_WRITES);
  ck_assert(offer(&o, "rping", false));
  ck_assert_uint_eq(o.words, PEER_OFFER_BUFFERS | PEER_OFFER_REGION);
  ck_assert_int_eq(o.form, PEER_FORM_RPING);
  ck_assert(offer(&o, "echo,buffers=16x256", true));
  ck_assert_uint_eq(o.recvs, 16);
  ck_assert_uint_eq(o.recv_len, 256);
  ck_assert_int_eq(o.form, PEER_FORM_ECHO);
  ck_assert(offer(&o, "answers,region", true));
  ck_assert_uint_eq(o.words, PEER_OFFER_ANSWERS | PEER_OFFER_REGION);
  ck_assert_int_eq(o.form, PEER_FORM_ECHO);
}
END_TEST

START_TEST(a_wrong_word_is_named)
{
  static const char *const texts[] = {
      "echoes",     "enhanced",    "buffers", "buffers=",     "buffers=0x4",  "buffers=4",
      "buffers=4x", "buffers=4x0", "",        "buffers=4x4 ", "answers,,echo"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    peer_offer o;
    ck_assert_msg(!offer(&o, texts[i], true), "'%s' was taken", texts[i]);
  }
  const char *bad = NULL;
  size_t bad_len = 0;
  peer_offer o;
  ck_assert(!peer_offer_read(&o, "echo,no", true, &bad, &bad_len));
  ck_assert_uint_eq(bad_len, 2);
  ck_assert_int_eq(memcmp(bad, "no", 2), 0);
  ck_assert_str_eq(peer_offer_word(PEER_OFFER_ENHANCED), "enhanced");
  ck_assert_ptr_null(peer_offer_word(1u << 20));
}
END_TEST

START_TEST(an_announcement_has_a_region_and_other_stags)
{
  static const uint8_t octets[28] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0x10, 0, 0, 0,
                                     2, 0, 0, 0, 0, 7, 0, 0, 0, 8, 0,    0, 0, 0};
  static const uint8_t wraps[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                    0,    0,    0,    1,    0,    0,    0,    9};
  peer_region r;
  ck_assert(peer_region_read(&r, PEER_FORM_ECHO, octets, 28));
  ck_assert_uint_eq(r.to, 0x10000);
  ck_assert_uint_eq(r.stag, 0x1000);
  ck_assert_uint_eq(r.len, 512);
  ck_assert_uint_eq(r.other_pd, 7);
  ck_assert_uint_eq(r.read_only, 8);
  ck_assert_uint_eq(r.write_only, 0);
  ck_assert(peer_region_read(&r, PEER_FORM_ECHO, octets, 16));
  ck_assert_uint_eq(r.write_only, 0x1003);
  ck_assert(peer_region_read(&r, PEER_FORM_RPING, octets, 16));
  ck_assert_uint_eq(r.other_pd, 0);
  ck_assert(!peer_region_read(&r, PEER_FORM_ECHO, octets, 15));
  ck_assert(!peer_region_read(&r, PEER_FORM_NONE, octets, 28));
  ck_assert(!peer_region_read(&r, PEER_FORM_ECHO, wraps, 16));
}
END_TEST

START_TEST(three_plays_make_one_result)
{
  peer_result plays[3] = {{.verdict = PEER_FAIL, .line = 3, .seen = "FIN"},
                          {.verdict = PEER_FAIL, .line = 3, .seen = "FIN"},
                          {.verdict = PEER_FAIL, .line = 3, .seen = "FIN"}};
  ck_assert_int_eq(peer_result_combine(plays, 3).verdict, PEER_FAIL);
  ck_assert(peer_result_again(&plays[0]));
  strcpy(plays[2].seen, "RST");
  const peer_result other = peer_result_combine(plays, 3);
  ck_assert_int_eq(other.verdict, PEER_UNSTABLE);
  ck_assert_str_eq(other.why, "3 fail");
  plays[1].verdict = PEER_PASS;
  ck_assert_str_eq(peer_result_combine(plays, 3).why, "1 pass, 2 fail");
  ck_assert(!peer_result_again(&plays[1]));
}
END_TEST

START_TEST(verdicts_have_names)
{
  peer_verdict found = PEER_ERROR;
  for (unsigned int i = 0; i < PEER_NUM_VERDICTS; i++) {
    ck_assert(peer_verdict_find(peer_verdict_name((peer_verdict)i), &found));
    ck_assert_uint_eq(found, i);
  }
  ck_assert(!peer_verdict_find("perhaps", &found));
  ck_assert_str_eq(peer_verdict_name((peer_verdict)99), "unknown");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {words_and_sets_are_read,
                                a_wrong_word_is_named,
                                an_announcement_has_a_region_and_other_stags,
                                three_plays_make_one_result,
                                verdicts_have_names,
                                NULL};
  return check_run(check_suite("peer-offer", tests));
}
