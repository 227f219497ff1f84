/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that the snapshot length cut off. */
#include "check_run.h"
#include "tcp_fixture.h"

static void send_cut(tcp_fixture *w, unsigned side, long seq, long ack, size_t n, size_t captured) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
  w->cut = n - captured;
  tcp_fixture_segment(w, side, "A", seq, ack, letters, n);
}

START_TEST(cut_packets)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  send_cut(w, CLIENT, 0, 0, 10, 3);
  send_cut(w, CLIENT, 10, 0, 10, 3);
  expect_log(w, "O"); /* their checksums cannot be verified: they wait to be acknowledged */
  tcp_fixture_send(w, SERVER, "A", 0, 10, "");
  expect_log(w, "D0@0:abc G0@3+7s");
  send_cut(w, SERVER, 0, 20, 8, 3); /* waits too, and answers the end of the second */
  expect_log(w, "D0@10:abc G0@13+7s");
  expect_end(w, "D1@0:abc G1@3+5s E0@20C E1@8C X");
}
END_TEST

/* Octets that wait for their own acknowledgment show as well what their sender had received. */
START_TEST(cut_octets_that_waiting_octets_answer)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  send_cut(w, CLIENT, 0, 0, 10, 3);
  tcp_fixture_send(w, SERVER, "A", 0, 10, "");
  expect_log(w, "O D0@0:abc");
  tcp_fixture_segment(w, SERVER, "A", 0, 10, "\0", 1); /* may be padding */
  expect_log(w, "G0@3+7s");
  tcp_fixture_send(w, CLIENT, "A", 10, 1, "");
  expect_end(w, "D1@0: E0@10C E1@1C X");
}
END_TEST

/* The first packet was damaged, so the receiver dropped it; cut, it does not show that. */
START_TEST(cut_packets_that_differ)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  w->cut = 7;
  tcp_fixture_segment(w, CLIENT, "A", 0, 0, "aXcdefghij", 10);
  w->cut = 7;
  tcp_fixture_segment(w, CLIENT, "A", 0, 0, "abcdefghij", 10);
  tcp_fixture_send(w, SERVER, "A", 0, 10, "");
  expect_log(w, "O =0@1+1(unknown) D0@0:abc");
  w->cut = 7;
  tcp_fixture_segment(w, CLIENT, "A", 10, 0, "kXmnopqrst", 10);
  tcp_fixture_send(w, CLIENT, "A", 10, 0, "klmnopqrst"); /* a whole copy needs no acknowledgment */
  expect_log(w, "G0@3+7s =0@11+1(second) D0@10:klm D0@13:nopqrst");
  expect_end(w, "E0@20C E1@0C X");
}
END_TEST

START_TEST(packets_cut_in_their_headers)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  const size_t before = w->live;
  for (long i = 0; i < 200; i++) {
    tcp_fixture_send(w, CLIENT, "", 10 * i, 0, "");
    w->log_len = 0;
    send_cut(w, CLIENT, 10 * i, 0, 10, 0);
  }
  expect_log(w, "");
  ck_assert_uint_lt(w->live - before, 4096);
  expect_end(w, "G0@0+2000s E0@2000C E1@0C X");
}
END_TEST

START_TEST(cut_packets_out_of_order)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  send_cut(w, CLIENT, 20, 0, 10, 3);
  send_cut(w, CLIENT, 10, 0, 10, 3);
  send_cut(w, CLIENT, 12, 0, 15, 3); /* overlaps both */
  expect_log(w, "O =0@12+1(unknown)");
  send_cut(w, CLIENT, 0, 0, 10, 3);
  tcp_fixture_send(w, SERVER, "A", 0, 30, "");
  expect_log(w, "D0@0:abc G0@3+7s D0@10:aba D0@13:bc G0@15+5s D0@20:abc");
  expect_end(w, "G0@23+7s E0@30C E1@0C X");
}
END_TEST

START_TEST(cut_and_lost_make_one_gap)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  send_cut(w, CLIENT, 0, 0, 10, 3);
  send_cut(w, CLIENT, 15, 0, 5, 3);
  tcp_fixture_send(w, SERVER, "A", 0, 3, "");
  expect_log(w, "O D0@0:abc");
  expect_end(w, "G0@3+12 D0@15:abc G0@18+2s E0@20C E1@0C X");
}
END_TEST

START_TEST(cut_last_packet_before_a_fin)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  send_cut(w, CLIENT, 0, 0, 10, 3);
  tcp_fixture_send(w, CLIENT, "FA", 10, 0, "");
  tcp_fixture_send(w, SERVER, "A", 0, 11, "");
  expect_log(w, "O D0@0:abc G0@3+7s E0@10F");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Two capture points, one of them with a snapshot length. */
START_TEST(full_copies_of_cut_packets)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcdefghij");
  tcp_fixture_take(w);
  send_cut(w, CLIENT, 0, 0, 10, 3);
  send_cut(w, CLIENT, 10, 0, 10, 3);
  send_cut(w, CLIENT, 20, 0, 10, 3);
  expect_log(w, "");
  tcp_fixture_send(w, CLIENT, "A", 10, 0, "abcdefghij");
  expect_log(w, "D0@10:abc D0@13:defghij");
  tcp_fixture_send(w, CLIENT, "A", 30, 0, "k");
  tcp_fixture_idle(w, CLIENT, 31, 0, PATIENCE - 1);
  expect_log(w, "");
  tcp_fixture_idle(w, CLIENT, 31, 0,
                   2 * PATIENCE_STEP); /* no packet acknowledges, yet the third is given up */
  expect_log(w, "D0@20:abc G0@23+7s D0@30:k");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(too_many_cut_ranges)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  for (long i = 1; i < 30000; i++) {
    send_cut(w, CLIENT, 20 * i, 0, 10, 0);
    ck_assert_uint_eq(w->log_len == 1 || w->log_len == 0 || w->log[0] != 'D', 1);
    w->log_len = 0;
  }
  ck_assert_uint_lt(w->peak, INGEST_HELD_MAX + 65536);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {cut_packets,
                                cut_octets_that_waiting_octets_answer,
                                cut_packets_that_differ,
                                packets_cut_in_their_headers,
                                cut_packets_out_of_order,
                                cut_and_lost_make_one_gap,
                                cut_last_packet_before_a_fin,
                                full_copies_of_cut_packets,
                                too_many_cut_ranges,
                                NULL};
  return check_run(check_suite("ingest-snapped", tests));
}
