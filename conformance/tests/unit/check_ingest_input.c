/* SPDX-License-Identifier: BSD-2-Clause */
/* What a segment tells of its connection: windows, acknowledgments, starts and ends, at their
 * limits. */
#include "check_run.h"
#include "ingest/conn.h"
#include "tcp_fixture.h"

#define WINDOW (1L << 30) /* the largest of TCP: RFC 7323 2.3 */

static void send_cut(tcp_fixture *w, long seq, size_t n, size_t captured) {
  w->cut = n - captured;
  tcp_fixture_segment(w, CLIENT, "A", seq, 0, "klmnopqrst", n);
}

/* What was cut off may come again where longer packets were captured whole. */
START_TEST(cut_octets_wait_where_a_whole_copy_may_come)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcde");
  expect_log(w, "O D0@0:abcde");
  send_cut(w, 5, 10, 0);
  tcp_fixture_send(w, CLIENT, "FA", 15, 0, "");
  expect_log(w, "");
  tcp_fixture_send(w, CLIENT, "A", 5, 0, "klmnopqrst");
  expect_log(w, "D0@5:klmnopqrst E0@15F");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Not for ever: with the packet of a step, of which there is one every 16, when it was known for 64
 * packets at least that they were sent. */
START_TEST(cut_octets_wait_for_a_whole_copy_with_patience)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcde");
  send_cut(w, 5, 10, 0);
  tcp_fixture_send(w, CLIENT, "A", 15, 0, "u"); /* packet 6 */
  tcp_fixture_idle(w, CLIENT, 16, 0, 80 - 7);
  expect_log(w, "O D0@0:abcde");
  tcp_fixture_idle(w, CLIENT, 16, 0, 1);
  expect_log(w, "G0@5+10s D0@15:u");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* It counts when they were sent, however long the connection was silent before. */
START_TEST(cut_octets_after_a_pause_wait_for_a_whole_copy)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 3, 0, "waits");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcde");
  tcp_fixture_idle(w, CLIENT, 5, 0, 200);
  expect_log(w, "O D0@0:abcde");
  send_cut(w, 5, 10, 0);
  tcp_fixture_send(w, CLIENT, "A", 15, 0, "u");
  tcp_fixture_idle(w, CLIENT, 16, 0, 50);
  expect_log(w, "");
  tcp_fixture_send(w, CLIENT, "A", 5, 0, "klmnopqrst");
  expect_log(w, "D0@5:klmnopqrst D0@15:u");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(cut_octets_are_gone_where_no_packet_was_longer)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_take(w);
  send_cut(w, 0, 10, 0);
  expect_log(w, "");
  tcp_fixture_send(w, CLIENT, "FA", 10, 0, "");
  expect_log(w, "G0@0+10s E0@10F");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(a_packet_of_just_the_snapshot_length_is_no_longer_one)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "O D0@0:abc");
  send_cut(w, 3, 10, 3);
  tcp_fixture_send(w, SERVER, "A", 0, 13, "");
  expect_log(w, "D0@3:klm");
  tcp_fixture_send(w, CLIENT, "FA", 13, 0, "");
  expect_log(w, "G0@6+7s E0@13F");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* The other side is not in the capture, so that its acknowledgments will not come. */
START_TEST(cut_octets_of_one_direction_wait_for_nothing)
{
  for (unsigned side = 0; side < 2; side++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_send(w, side, side == 0 ? "S" : "SA", -1, 0, "");
    w->cut = 6;
    tcp_fixture_segment(w, side, "A", 0, 0, "klmnopqrst", 10);
    expect_log(w, side == 0 ? "O D0@0:klmn" : "O D1@0:klmn");
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(the_new_octets_of_a_copy_that_is_cut)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "klm");
  send_cut(w, 0, 10, 6);
  expect_log(w, "O D0@0:klm");
  tcp_fixture_send(w, SERVER, "A", 0, 10, "");
  expect_log(w, "D0@3:nop");
  ck_assert_uint_eq(w->last[CLIENT].packet, 5);
  ck_assert(!w->last[CLIENT].segment_start);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* ---- windows ---- */

START_TEST(a_segment_out_of_the_largest_window_is_ignored)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "O D0@0:abc");
  tcp_fixture_send(w, CLIENT, "A", 3 + WINDOW, 0, "x");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, 0);
  tcp_fixture_send(w, CLIENT, "A", 4 + WINDOW, 0, "x");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, 1);
  tcp_fixture_send(w, CLIENT, "A", 3 - WINDOW, 0, "x");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, 1);
  tcp_fixture_send(w, CLIENT, "A", 2 - WINDOW, 0, "x");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, 2);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(an_acknowledgment_out_of_the_largest_window_says_nothing)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 1 + WINDOW, "abc");
  expect_log(w, "O D0@0:abc");
  ck_assert_uint_eq(w->last[0].peer_pos, INGEST_POS_UNKNOWN);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "D0@3:def");
  ck_assert_uint_eq((uint32_t)w->last[0].peer_pos, w->isn[SERVER] + 1);
  tcp_fixture_send(w, CLIENT, "", 6, 0, "ghi");
  ck_assert_uint_eq(w->last[0].peer_pos, INGEST_POS_UNKNOWN);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* What lies before the SYN of the other side was never sent: it is no sign of what was received. */
START_TEST(an_acknowledgment_before_the_first_octet_says_nothing)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  ck_assert_uint_eq((uint32_t)w->last[0].peer_pos, w->isn[SERVER] + 1);
  tcp_fixture_send(w, CLIENT, "A", 3, (uint32_t)-1, "def");
  ck_assert_uint_eq(w->last[0].peer_pos, INGEST_POS_UNKNOWN);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Nothing of the other side was ever seen, not even acknowledged. */
START_TEST(octets_that_acknowledge_nothing_wait_for_nothing)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "", 0, 0, "abc");
  expect_log(w, "O D0@0:abc");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* What was acknowledged long ago is given up, whichever side sent it. */
START_TEST(holes_of_either_side_are_given_up)
{
  for (unsigned side = 0; side < 2; side++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    tcp_fixture_send(w, side, "A", 3, 0, "def");
    tcp_fixture_send(w, side ^ 1u, "A", 0, 6, "");
    expect_log(w, "O");
    tcp_fixture_idle(w, side ^ 1u, 0, 6, 100);
    expect_log(w, side == 0 ? "G0@0+3 D0@3:def" : "G1@0+3 D1@3:def");
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* The same while both sides go on sending, so that no side is silent. */
START_TEST(holes_of_either_side_are_given_up_while_both_speak)
{
  for (unsigned side = 0; side < 2; side++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    tcp_fixture_send(w, side, "A", 3, 0, "def");
    tcp_fixture_send(w, side ^ 1u, "A", 0, 6, "");
    for (unsigned i = 0; i < 50; i++) {
      tcp_fixture_idle(w, side, 6, 0, 1);
      tcp_fixture_idle(w, side ^ 1u, 0, 6, 1);
    }
    expect_log(w, side == 0 ? "O G0@0+3 D0@3:def" : "O G1@0+3 D1@3:def");
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* ---- starts ---- */

START_TEST(the_starts_that_a_handshake_tells)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "a");
  tcp_fixture_send(w, SERVER, "A", 0, 1, "b");
  for (unsigned side = 0; side < 2; side++) {
    ck_assert(w->last[side].start_known);
    ck_assert_uint_eq((uint32_t)w->last[side].start, w->isn[side] + 1);
  }
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* The SYN+ACK is missing: what looks like the third packet may answer octets of the server that are
 * missing too. */
START_TEST(what_seems_the_third_packet_tells_no_start)
{
  static const char *const payloads[] = {"", "x"};
  for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
    tcp_fixture_send(w, CLIENT, "A", 0, 0, payloads[i]);
    tcp_fixture_send(w, SERVER, "A", 0, 0, "b");
    ck_assert(!w->last[SERVER].start_known);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(a_stream_in_the_middle_begins_with_new_octets)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, SERVER, "A", 0, 100, ""); /* all before 100 is old */
  tcp_fixture_send(w, CLIENT, "A", 90, 0, "klmnopqrst");
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 91, 0, "lmnopqrstu");
  ck_assert(!w->last[SERVER].start_known);
  expect_log(w, "D1@91:lmnopqrstu");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Where one direction was captured its acknowledgments carry the numbering of the other one on. */
START_TEST(acknowledgments_carry_the_numbering_on)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, SERVER, "A", 0, 0, "");
  for (unsigned i = 0; i < 5; i++) {
    w->isn[CLIENT] += (uint32_t)WINDOW;
    tcp_fixture_send(w, SERVER, "A", 0, 0, "");
  }
  tcp_fixture_send(w, CLIENT, "A", -3, 0, "old");
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "new");
  expect_log(w, "D1@0:new");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(one_octet_below_the_next_is_a_probe)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "A", 10, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 9, 0, "x"); /* a keep-alive of one octet */
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 8, 0, "xy");
  expect_log(w, "D0@8:xy");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
  w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "A", 10, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 10, 0, "x"); /* but not the next one */
  expect_log(w, "O D0@10:x");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* A SYN+ACK that comes late: the client began there, or it acknowledges something else. */
START_TEST(what_a_late_syn_ack_acknowledges)
{
  for (long first = 0; first < 2; first++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_send(w, CLIENT, "A", first, 0, "abc");
    tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
    tcp_fixture_send(w, CLIENT, "A", first + 3, 0, "def");
    ck_assert_int_eq(w->last[CLIENT].start_known, first == 0);
    ck_assert_uint_eq((uint32_t)w->last[CLIENT].start, w->isn[CLIENT] + 1 + (uint32_t)first);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* ---- checksums ---- */

/* The first good checksum of a sender: what only bad ones say is forgotten, a FIN too. */
START_TEST(a_fin_with_a_bad_checksum_is_forgotten)
{
  tcp_fixture *w = tcp_fixture_new();
  w->sum = SUM_ZERO;
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  w->sum = SUM_BAD;
  tcp_fixture_send(w, CLIENT, "FA", 3, 0, "");
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcdef");
  expect_log(w, "D0@0:abcdef");
  tcp_fixture_finish(w);
  ck_assert_uint_eq(w->ends.fin[CLIENT].packet, 0);
  ck_assert_uint_eq(w->ends.fin[CLIENT].time_ns, 0);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* What octets without a checksum say stays, whatever bad ones there were. */
START_TEST(numbering_by_octets_without_a_checksum_stays)
{
  tcp_fixture *w = tcp_fixture_new();
  w->sum = SUM_ZERO;
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  w->sum = SUM_ZERO;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  w->sum = SUM_BAD;
  tcp_fixture_send(w, CLIENT, "A", 10, 0, "x");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O D0@0:abc D0@3:def");
  ck_assert(w->last[CLIENT].start_known);
  ck_assert_uint_eq((uint32_t)w->last[CLIENT].start, w->isn[CLIENT] + 1);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* ---- ends ---- */

START_TEST(what_the_end_of_a_side_carries)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "FA", 0, 2, "");
  ck_assert_int_eq(w->last[CLIENT].kind, INGEST_EVENT_END);
  ck_assert_uint_eq(w->last[CLIENT].packet, 5);
  ck_assert_uint_eq(w->last[CLIENT].time_ns, 5000);
  ck_assert_uint_eq((uint32_t)w->last[CLIENT].pos, w->isn[CLIENT] + 1);
  ck_assert_uint_eq((uint32_t)w->last[CLIENT].peer_pos, w->isn[SERVER] + 1 + 2);
  tcp_fixture_send(w, CLIENT, "FA", 0, 3, ""); /* the same again says nothing new */
  expect_log(w, "O D1@0:abc E0@0F");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(a_fin_in_the_middle_tells_no_start)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "FA", 7, 0, "");
  tcp_fixture_finish(w);
  ck_assert_int_eq(w->last[CLIENT].kind, INGEST_EVENT_END);
  ck_assert(!w->last[CLIENT].start_known);
  ck_assert_uint_eq((uint32_t)w->last[CLIENT].pos, w->isn[CLIENT] + 1 + 7);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(the_first_reset_counts)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "R", 0, 0, "");
  const uint64_t packet = w->number;
  tcp_fixture_send(w, SERVER, "R", 0, 0, "");
  tcp_fixture_finish(w);
  ck_assert_uint_eq(w->last[CLIENT].packet, packet);
  ck_assert_uint_eq(w->last[CLIENT].time_ns, 1000 * packet);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(a_reset_below_what_was_acknowledged_is_none)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcd");
  tcp_fixture_send(w, SERVER, "A", 0, 4, "");
  tcp_fixture_send(w, CLIENT, "R", 3, 0, "");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, 1);
  expect_log(w, "O D0@0:abcd");
  tcp_fixture_send(w, CLIENT, "R", 4, 0, "");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, 1);
  expect_log(w, "E0@4R");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* After an RST the other side's octets may still be on their way; that old ones come again means
 * nothing. */
START_TEST(old_octets_after_a_reset_delay_no_end)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_send(w, SERVER, "R", 0, 0, "");
  expect_log(w, "O E1@0R");
  for (unsigned i = 1; i < ING_PATIENCE; i++) {
    tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  }
  expect_log(w, "");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "G0@0+3 D0@3:def E0@6R X");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {cut_octets_wait_where_a_whole_copy_may_come,
                                cut_octets_wait_for_a_whole_copy_with_patience,
                                cut_octets_after_a_pause_wait_for_a_whole_copy,
                                cut_octets_are_gone_where_no_packet_was_longer,
                                a_packet_of_just_the_snapshot_length_is_no_longer_one,
                                cut_octets_of_one_direction_wait_for_nothing,
                                the_new_octets_of_a_copy_that_is_cut,
                                a_segment_out_of_the_largest_window_is_ignored,
                                an_acknowledgment_before_the_first_octet_says_nothing,
                                an_acknowledgment_out_of_the_largest_window_says_nothing,
                                octets_that_acknowledge_nothing_wait_for_nothing,
                                holes_of_either_side_are_given_up,
                                holes_of_either_side_are_given_up_while_both_speak,
                                the_starts_that_a_handshake_tells,
                                what_seems_the_third_packet_tells_no_start,
                                a_stream_in_the_middle_begins_with_new_octets,
                                acknowledgments_carry_the_numbering_on,
                                one_octet_below_the_next_is_a_probe,
                                what_a_late_syn_ack_acknowledges,
                                a_fin_with_a_bad_checksum_is_forgotten,
                                numbering_by_octets_without_a_checksum_stays,
                                what_the_end_of_a_side_carries,
                                a_fin_in_the_middle_tells_no_start,
                                the_first_reset_counts,
                                a_reset_below_what_was_acknowledged_is_none,
                                old_octets_after_a_reset_delay_no_end,
                                NULL};
  return check_run(check_suite("ingest_input", tests));
}
