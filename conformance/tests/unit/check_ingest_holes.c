/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that are missing or too early: what is waited for and how long. */
#include "check_run.h"
#include "ingest/conn.h"
#include "tcp_fixture.h"

/* --- Lost octets --- */

START_TEST(acknowledged_hole_is_given_up)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "ghi");
  tcp_fixture_send(w, SERVER, "A", 0, 9, "");
  expect_log(w, "O D0@0:abc");
  tcp_fixture_idle(w, SERVER, 0, 9, PATIENCE - 2);
  expect_log(w, "");
  tcp_fixture_idle(w, SERVER, 0, 9, 2 * PATIENCE_STEP);
  expect_log(w, "G0@3+3 D0@6:ghi");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def"); /* too late */
  expect_end(w, "E0@9C E1@0C X");
}
END_TEST

/* Every 16 packets of the connection: by then it was acknowledged for 64 packets at least. */
START_TEST(acknowledged_hole_is_given_up_at_a_step)
{
  for (unsigned acked = PATIENCE_STEP - 1; acked <= PATIENCE_STEP; acked++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
    tcp_fixture_idle(w, CLIENT, 6, 0, acked - 5);
    tcp_fixture_send(w, SERVER, "A", 0, 6, "");
    const unsigned first =
        acked < PATIENCE_STEP ? PATIENCE_STEP : 2 * PATIENCE_STEP; /* that knows of it */
    tcp_fixture_idle(w, SERVER, 0, 6, first + PATIENCE - 1 - acked);
    expect_log(w, "O");
    tcp_fixture_idle(w, SERVER, 0, 6, 1);
    expect_log(w, "G0@0+3 D0@3:def");
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(unacknowledged_hole_waits)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_idle(w, SERVER, 0, 0, 500);
  tcp_fixture_idle(w, CLIENT, 6, 0, 500);
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "D0@0:abc D0@3:def");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(hole_acknowledged_in_part_waits)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_idle(w, SERVER, 0, 2, 500);
  expect_log(w, "O");
  expect_end(w, "G0@0+3 D0@3:def E0@6C E1@0C X");
}
END_TEST

START_TEST(one_gap_for_each_run)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 5, 0, "f");
  tcp_fixture_send(w, CLIENT, "A", 9, 0, "jk");
  expect_end(w, "O G0@0+5 D0@5:f G0@6+3 D0@9:jk E0@11C E1@0C X");
}
END_TEST

/* The octets that came first show the hole, not a damaged copy of them. */
START_TEST(holes_go_in_the_order_they_were_seen)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_send(w, SERVER, "A", 3, 0, "DEF");
  w->sum = SUM_BAD;
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "dXf");
  expect_end(w, "O G0@0+3 D0@3:def G1@0+3 D1@3:DEF E0@6C E1@6C X");
}
END_TEST

START_TEST(hole_of_a_silent_side)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_idle(w, SERVER, 0, 0, PATIENCE);
  tcp_fixture_take(w);
  tcp_fixture_send(w, SERVER, "A", 0, 7,
                   "xyz"); /* answers octets of a side that long sent nothing */
  expect_log(w, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcdefg"); /* and that were captured after the answer */
  expect_log(w, "D0@0:abcdefg D1@0:xyz");
  tcp_fixture_send(w, SERVER, "A", 3, 9, "!");
  tcp_fixture_idle(w, SERVER, 4, 9, PATIENCE + PATIENCE_STEP);
  expect_log(w, "G0@7+2 D1@3:!");
  expect_end(w, "E0@9C E1@4C X");
}
END_TEST

START_TEST(hole_before_a_fin)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "FA", 3, 0, "def");
  tcp_fixture_idle(w, CLIENT, 7, 0, 10 * PATIENCE); /* it was not received: it will be sent again */
  tcp_fixture_idle(w, SERVER, 0, 0, 10 * PATIENCE);
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "D0@0:abc D0@3:def E0@6F");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(acknowledged_hole_before_a_fin)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "FA", 3, 0, "def");
  tcp_fixture_idle(w, SERVER, 0, 7, PATIENCE - 1);
  expect_log(w, "O");
  tcp_fixture_idle(w, SERVER, 0, 7, 2 * PATIENCE_STEP);
  expect_log(w, "G0@0+3 D0@3:def E0@6F");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Both sides have sent a FIN, but a segment before one of them was lost on its way. Thousands of
 * packets of other connections may pass before it is sent again. */
START_TEST(hole_before_both_fins)
{
  for (unsigned again = 0; again < 2; again++) {
    tcp_fixture *w = tcp_fixture_new();
    w->name_conns = true;
    tcp_fixture_shake(w);
    tcp_fixture_send(w, CLIENT, "FA", 3, 0, "def");
    tcp_fixture_send(w, SERVER, "FA", 0, 0, "");
    expect_log(w, "aO aE1@0F");
    const unsigned port = w->end[CLIENT].port;
    w->end[CLIENT].port = 9;
    tcp_fixture_shake(w);
    tcp_fixture_idle(w, CLIENT, 0, 0, 3 * ING_DYING_PACKETS);
    expect_log(w, "bO");
    w->end[CLIENT].port = (uint16_t)port;
    if (again == 1) {
      tcp_fixture_send(w, CLIENT, "A", 0, 1, "abc");
      expect_log(w, "aD0@0:abc aD0@3:def aE0@6F aX");
    } else { /* it is not in the capture, but it came */
      tcp_fixture_send(w, SERVER, "A", 1, 7, "");
      w->end[CLIENT].port = 9;
      tcp_fixture_idle(w, CLIENT, 0, 0, ING_DYING_PACKETS + 1);
      expect_log(w, "aG0@0+3 aD0@3:def aE0@6F aX");
    }
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(an_acknowledgment_alone_shows_what_was_sent)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 9, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 8, 0, ""); /* a keep-alive has an older number */
  w->sum = SUM_BAD;
  tcp_fixture_send(w, CLIENT, "A", 12, 0, ""); /* any bit of it may be wrong */
  expect_log(w, "O D0@0:abc");
  expect_end(w, "G0@3+6 E0@9C E1@0C X");
}
END_TEST

START_TEST(hole_right_before_a_fin)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "FA", 3, 0, "");
  expect_end(w, "O G0@0+3 E0@3F E1@0C X");
}
END_TEST

START_TEST(hole_before_a_reset)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_send(w, SERVER, "R", 0, 0, "");
  expect_log(w, "O E1@0R");
  tcp_fixture_idle(w, CLIENT, 6, 0, PATIENCE);
  expect_log(w, "G0@0+3 D0@3:def E0@6R X");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(hole_at_the_end_of_the_capture)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 0, 9, "");
  expect_log(w, "O D0@0:abc");
  expect_end(w, "G0@3+6 E0@9C E1@0C X");
}
END_TEST

START_TEST(holes_at_both_ends_of_the_capture)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 7, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 9, 0, "");
  expect_end(w, "O G0@0+9 G1@0+7 E0@9C E1@7C X");
}
END_TEST

START_TEST(one_octet_beyond_the_end_may_be_a_fin)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 0, 4, "xyz"); /* nothing waits for it */
  expect_log(w, "O D0@0:abc D1@0:xyz");
  expect_end(w, "E0@3C E1@3C X");
}
END_TEST

/* --- Too much held --- */

START_TEST(held_octets_are_bounded)
{
  static uint8_t payload[32768];
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  size_t before = w->live;
  long at = 1;
  while (ingest_stats_get(w->ing)->packets < 3 + 31) {
    tcp_fixture_segment(w, CLIENT, "A", at, 0, payload, sizeof payload);
    at += (long)sizeof payload;
  }
  expect_log(w, "O");
  ck_assert_uint_gt(w->live - before, 31 * sizeof payload);
  tcp_fixture_segment(w, CLIENT, "A", at, 0, payload,
                      sizeof payload); /* one MiB and some bookkeeping */
  const char *log = tcp_fixture_take(w);
  ck_assert_int_eq(strncmp(log, "G0@0+1(held-octets) D0@1:#32768 D0@32769:#32768 ", 48), 0);
  /* Octets that came out are kept for comparison. */
  const size_t kept = 2 * (size_t)ING_HISTORY_MAX;
  ck_assert_uint_le(w->peak - before, INGEST_HELD_MAX + 2 * sizeof payload + kept);
  ck_assert_uint_le(w->live - before, kept);
  expect_end(w, "E0@1048577C E1@0C X(held-octets)");
}
END_TEST

START_TEST(only_the_oldest_hole_goes)
{
  static uint8_t payload[65000];
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_segment(w, SERVER, "A", 10, 0, payload, 1000); /* the oldest */
  for (long i = 0; i < 15; i++) {
    tcp_fixture_segment(w, CLIENT, "A", 10 + i * 65000, 0, payload, sizeof payload);
  }
  expect_log(w, "O");
  tcp_fixture_segment(w, CLIENT, "A", 1000000, 0, payload, 50000);
  tcp_fixture_segment(w, SERVER, "A", 2000, 0, payload, 50000);
  const char *log = tcp_fixture_take(w);
  static const char first[] = "G1@0+10(held-octets) D1@10:#1000 G0@0+10(held-octets) D0@10:#65000 ";
  ck_assert_int_eq(strncmp(log, first, strlen(first)), 0);
  ck_assert_ptr_null(strstr(log, "D1@2000"));
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Hostile: one octet each, from after, each with its bookkeeping. */
START_TEST(small_pieces_count_with_their_bookkeeping)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  for (long i = 40000; i > 0; i -= 2) {
    tcp_fixture_send(w, CLIENT, "A", i, 0, "x");
    w->log_len = 0;
  }
  ck_assert_uint_lt(w->peak, INGEST_HELD_MAX + 65536);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(all_connections_together_are_bounded)
{
  static uint8_t payload[65000];
  tcp_fixture *w = tcp_fixture_new();
  for (unsigned i = 0; i < 64; i++) {
    w->end[CLIENT].port = (uint16_t)(1000 + i);
    tcp_fixture_shake(w);
    for (long n = 0; n < 8; n++) {
      tcp_fixture_segment(w, CLIENT, "A", 1 + n * 65000, 0, payload, sizeof payload);
    }
    w->log_len = 0;
  }
  ck_assert_uint_lt(w->peak, 20u * 1024 * 1024);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* --- Cause and effect --- */

START_TEST(an_answer_waits_for_the_question)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 0, 8, "answer");
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "question");
  expect_log(w, "D0@0:question D1@0:answer");
  expect_end(w, "E0@8C E1@6C X");
}
END_TEST

START_TEST(an_answer_waits_for_a_hole)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 4, 0, "tion");
  tcp_fixture_send(w, SERVER, "A", 0, 4, "an");
  tcp_fixture_send(w, SERVER, "A", 2, 8, "swer");
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "ques");
  expect_log(w, "D0@0:ques D0@4:tion D1@0:an D1@2:swer");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(an_answer_does_not_wait_for_ever)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 0, 8, "answer");
  tcp_fixture_idle(w, CLIENT, 8, 0, PATIENCE + 2 * PATIENCE_STEP);
  expect_log(w, "O G0@0+8 D1@0:answer");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Of either side. */
START_TEST(a_gap_ends_where_the_answer_needs_it)
{
  static const char *const gaps[] = {"O G0@0+6 D1@0:answer", "O G1@0+6 D0@0:answer"};
  static const char *const rests[] = {"D0@6:foo D0@9:more", "D1@6:foo D1@9:more"};
  for (unsigned asks = CLIENT; asks <= SERVER; asks++) {
    const unsigned answers = asks ^ 1u;
    tcp_fixture *w = tcp_fixture_new();
    w->isn[asks] = w->isn[answers] + 1; /* the answer acknowledges the number after its own end */
    tcp_fixture_shake(w);
    tcp_fixture_send(w, asks, "A", 9, 0, "more");
    tcp_fixture_send(w, answers, "A", 0, 6, "answer");
    tcp_fixture_idle(w, answers, 6, 6, PATIENCE + 2 * PATIENCE_STEP);
    expect_log(w, gaps[asks]);
    tcp_fixture_send(w, asks, "A", 6, 0, "foo");
    expect_log(w, rests[asks]);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(a_fin_waits_too)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "FA", 0, 8, "");
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "FA", 0, 0, "question");
  expect_log(w, "D0@0:question E0@8F E1@0F X");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(an_acknowledged_fin_is_no_octet)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "FA", 0, 0, "bye");
  tcp_fixture_send(w, SERVER, "A", 0, 4, "still here");
  expect_log(w, "O D0@0:bye E0@3F D1@0:still here");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(each_side_waits_for_the_other)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 0, 3,
                   "xyz"); /* both were sent again, with a newer acknowledgment */
  tcp_fixture_send(w, CLIENT, "A", 0, 3, "abc");
  expect_log(w, "O D1@0:xyz D0@0:abc"); /* then arrival decides */
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(the_first_sending_tells_what_was_answered)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 0, 3, "xyz");
  tcp_fixture_send(w, CLIENT, "A", 0, 3, "abc"); /* would answer xyz, which answers abc */
  tcp_fixture_take(w);
  tcp_fixture_send(w, CLIENT, "A", 6, 9, "ghi"); /* sent again */
  tcp_fixture_send(w, CLIENT, "A", 6, 3, "ghi"); /* before that */
  tcp_fixture_send(w, CLIENT, "A", 3, 3, "def");
  expect_log(w, "D0@3:def D0@6:ghi");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* All of one side first, as when two captures are joined end to end. */
START_TEST(one_side_after_the_other)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 0, 3, "x");
  tcp_fixture_send(w, SERVER, "A", 1, 6, "y");
  tcp_fixture_send(w, SERVER, "A", 2, 9, "z");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 3, 1, "def");
  tcp_fixture_send(w, CLIENT, "A", 6, 2, "ghi");
  expect_log(w, "O D0@0:abc D1@0:x D0@3:def D1@1:y D0@6:ghi D1@2:z");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {acknowledged_hole_is_given_up,
                                acknowledged_hole_is_given_up_at_a_step,
                                unacknowledged_hole_waits,
                                hole_acknowledged_in_part_waits,
                                one_gap_for_each_run,
                                holes_go_in_the_order_they_were_seen,
                                hole_of_a_silent_side,
                                hole_before_a_fin,
                                acknowledged_hole_before_a_fin,
                                hole_before_both_fins,
                                an_acknowledgment_alone_shows_what_was_sent,
                                hole_right_before_a_fin,
                                hole_before_a_reset,
                                hole_at_the_end_of_the_capture,
                                holes_at_both_ends_of_the_capture,
                                one_octet_beyond_the_end_may_be_a_fin,
                                held_octets_are_bounded,
                                only_the_oldest_hole_goes,
                                small_pieces_count_with_their_bookkeeping,
                                all_connections_together_are_bounded,
                                an_answer_waits_for_the_question,
                                an_answer_waits_for_a_hole,
                                an_answer_does_not_wait_for_ever,
                                a_gap_ends_where_the_answer_needs_it,
                                a_fin_waits_too,
                                an_acknowledged_fin_is_no_octet,
                                each_side_waits_for_the_other,
                                the_first_sending_tells_what_was_answered,
                                one_side_after_the_other,
                                NULL};
  return check_run(check_suite("ingest-holes", tests));
}
