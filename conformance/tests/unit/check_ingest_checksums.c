/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments whose checksums are wrong: what is believed of them, and what of the capture. */
#include "check_run.h"
#include "tcp_fixture.h"

static void send_bad(tcp_fixture *w, unsigned side, const char *flags, long seq, long ack,
                     const char *payload) {
  w->sum = SUM_BAD;
  tcp_fixture_send(w, side, flags, seq, ack, payload);
}

START_TEST(a_good_copy_beats_a_bad_one)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  send_bad(w, CLIENT, "A", 0, 0, "abX");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "D0@0:abc D0@3:def");
  send_bad(w, CLIENT, "A", 0, 0, "abX"); /* and a bad copy that comes later */
  ck_assert_uint_eq(ingest_stats_get(w->ing)->bad_checksum, 2);
  expect_end(w, "E0@6C E1@0C X");
}
END_TEST

START_TEST(a_bad_segment_has_no_say)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 0, 3, "");
  tcp_fixture_take(w);
  send_bad(w, CLIENT, "R", 3, 0, "");
  send_bad(w, CLIENT, "FA", 3, 0, "");
  send_bad(w, CLIENT, "A", 3, 90000, "");
  send_bad(w, CLIENT, "S", 5555, 0, "");
  send_bad(w, CLIENT, "A", 0x50000000, 0, "far");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "D0@3:def");
  expect_end(w, "E0@6C E1@0C X");
}
END_TEST

START_TEST(a_bad_segment_without_another_copy)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  send_bad(w, CLIENT, "A", 3, 0, "dXf");
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "ghi");
  tcp_fixture_send(w, SERVER, "A", 0, 9, "xyz");
  expect_log(w, "O D0@0:abc"); /* the copy that was acknowledged may still come */
  tcp_fixture_idle(w, SERVER, 3, 9, PATIENCE + PATIENCE_STEP);
  expect_log(w, "D0@3:dXf! D0@6:ghi D1@0:xyz");
  expect_end(w, "E0@9C E1@3C X");
}
END_TEST

START_TEST(a_bad_segment_at_the_end)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  send_bad(w, CLIENT, "A", 3, 0, "dXf");
  send_bad(w, CLIENT, "A", 50, 0,
           "?"); /* its number may be wrong: nothing shows that it was sent */
  expect_log(w, "O D0@0:abc");
  expect_end(w, "D0@3:dXf! E0@6C E1@0C X");
}
END_TEST

START_TEST(good_octets_cut_a_bad_segment)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  send_bad(w, CLIENT, "A", 0, 0, "XXXXXX");
  tcp_fixture_send(w, CLIENT, "A", 2, 0, "cd");
  expect_log(w, "O");
  expect_end(w, "D0@0:XX! D0@2:cd D0@4:XX! E0@6C E1@0C X");
}
END_TEST

START_TEST(many_bad_ones_prove_a_broken_capture)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  for (long i = 0; i < 4; i++) {
    send_bad(w, CLIENT, "A", 2 * i, 0, "ab");
    tcp_fixture_send(w, SERVER, "A", 0, 2 * i + 2, "");
  }
  tcp_fixture_idle(w, SERVER, 0, 8, PATIENCE + 2 * PATIENCE_STEP);
  expect_log(w, "O D0@0:ab! D0@2:ab! D0@4:ab! D0@6:ab!");
  send_bad(w, CLIENT, "A", 8, 0, "ij");
  expect_log(w, "D0@8:ij");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(many_bad_ones_beside_good_copies_prove_nothing)
{
  for (unsigned good_first = 0; good_first < 2; good_first++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    if (good_first == 0) {
      send_bad(w, CLIENT, "A", 0, 0, "XX");
    }
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "ab");
    if (good_first == 1) {
      send_bad(w, CLIENT, "A", 0, 0, "XX");
    }
    for (long i = 1; i < 6; i++) {
      send_bad(w, CLIENT, "A", 2 * i, 0, "XX");
      tcp_fixture_send(w, SERVER, "A", 0, 2 * i + 2, "");
    }
    tcp_fixture_idle(w, SERVER, 0, 12, PATIENCE + 2 * PATIENCE_STEP);
    expect_log(w, "O D0@0:ab D0@2:XX! D0@4:XX! D0@6:XX! D0@8:XX! D0@10:XX!");
    send_bad(w, CLIENT, "A", 12, 0, "XX");
    expect_log(w, "");
    expect_end(w, "D0@12:XX! E0@14C E1@0C X");
  }
}
END_TEST

START_TEST(a_sender_whose_checksums_never_are_right)
{
  tcp_fixture *w = tcp_fixture_new();
  send_bad(w, CLIENT, "S", -1, 0, "");
  tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
  send_bad(w, CLIENT, "A", 0, 0, "");
  send_bad(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "O");
  tcp_fixture_send(w, SERVER, "A", 0, 3, "xyz"); /* the receiver does not mind */
  expect_log(w, "D0@0:abc D1@0:xyz");
  send_bad(w, CLIENT, "A", 3, 3, "def");
  expect_log(w, "D0@3:def");
  expect_end(w, "E0@6C E1@3C X");
}
END_TEST

/* A checksum that is left to the card says nothing of those that are wrong. */
START_TEST(a_sender_whose_checksums_are_not_made_or_wrong)
{
  tcp_fixture *w = tcp_fixture_new();
  w->sum = SUM_PARTIAL;
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
  w->sum = SUM_PARTIAL;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "");
  send_bad(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 0, 3, "xyz");
  expect_log(w, "O D0@0:abc D1@0:xyz");
  expect_end(w, "E0@3C E1@3C X");
}
END_TEST

START_TEST(nobody_acknowledges_bad_ones)
{
  tcp_fixture *w = tcp_fixture_new();
  send_bad(w, CLIENT, "S", -1, 0, "");
  send_bad(w, CLIENT, "A", 0, 0, "abc");
  send_bad(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O");
  expect_end(w, "D0@0:abc D0@3:def E0@6C E1?C X");
}
END_TEST

/* A broken port number makes a connection that never was. */
START_TEST(bad_segments_alone_are_nothing)
{
  tcp_fixture *w = tcp_fixture_new();
  send_bad(w, CLIENT, "A", 0, 0, "abc");
  send_bad(w, CLIENT, "A", 3, 0, "def");
  expect_end(w, "O E0@0C E1?C X");
}
END_TEST

START_TEST(numbering_of_a_bad_first_packet_is_forgotten)
{
  tcp_fixture *w = tcp_fixture_new();
  send_bad(w, CLIENT, "A", 7000, 0, "zzz");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O D0@0:abc D0@3:def");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(a_bad_first_fin_is_forgotten)
{
  tcp_fixture *w = tcp_fixture_new();
  send_bad(w, SERVER, "FA", 40, 0, "");
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 0, 3, "xyz");
  expect_log(w, "O D1@0:abc D0@0:xyz");
  tcp_fixture_send(w, SERVER, "FA", 3, 3, "");
  expect_log(w, "E0@3F");
  expect_end(w, "E1@3C X");
}
END_TEST

/* A server that closes at once, all of its checksums bad so far. */
static tcp_fixture *closed_with_bad_ones(void) {
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  send_bad(w, SERVER, "SA", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  send_bad(w, SERVER, "FA", 0, 3, "");
  expect_log(w, "O D0@0:abc");
  return w;
}

START_TEST(a_bad_first_fin_that_is_acknowledged)
{
  tcp_fixture *w = closed_with_bad_ones();
  tcp_fixture_send(w, CLIENT, "A", 3, 1, "");
  expect_log(w, "E1@0F");
  tcp_fixture_send(w, SERVER, "A", 1, 3, ""); /* its first good one comes too late */
  tcp_fixture_send(w, SERVER, "A", 1, 3, "no more");
  expect_log(w, "");
  expect_end(w, "E0@3C X");
}
END_TEST

/* It may have been sent first before that, when less had been received. */
START_TEST(a_good_fin_after_a_bad_one)
{
  for (uint32_t bad = 0; bad < 2; bad++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    tcp_fixture_send(w, SERVER, "A", 0, 0, "abc");
    send_bad(w, CLIENT, bad != 0 ? "FA" : "A", 0, 0, "");
    tcp_fixture_send(w, CLIENT, "FA", 0, 3, "");
    expect_log(w, "O D1@0:abc E0@0F");
    if (bad == 0) {
      ck_assert_uint_eq((uint32_t)w->last[CLIENT].peer_pos, w->isn[SERVER] + 1 + 3);
    } else {
      ck_assert_uint_eq(w->last[CLIENT].peer_pos, INGEST_POS_UNKNOWN);
    }
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(a_bad_first_fin_alone)
{
  tcp_fixture *w = closed_with_bad_ones();
  expect_end(w, "E1@0F E0@3C X");
}
END_TEST

START_TEST(a_bad_first_rst)
{
  tcp_fixture *w = tcp_fixture_new();
  send_bad(w, SERVER, "R", 40, 0, "");
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 0, 3, "xyz");
  expect_log(w, "O D0@0:abc D1@0:xyz");
  expect_end(w, "E0@3C E1@3C X");
}
END_TEST

/* What the sender's card would have filled in is not bad. */
START_TEST(checksums_left_to_the_card)
{
  static const tcp_fixture_sum sums[] = {SUM_PARTIAL, SUM_PARTIAL_LSO, SUM_ZERO};
  for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
    for (unsigned family = 4; family <= 6; family += 2) {
      tcp_fixture *w = tcp_fixture_new();
      w->end[0].family = w->end[1].family = (uint8_t)family;
      w->sum = sums[i];
      tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
      tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
      w->sum = sums[i];
      tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
      expect_log(w, "O D0@0:abc");
      ck_assert_uint_eq(ingest_stats_get(w->ing)->bad_checksum, 0);
      ck_assert_uint_eq(tcp_fixture_free(w), 0);
    }
  }
}
END_TEST

START_TEST(too_many_bad_ones_are_forgotten)
{
  static uint8_t payload[60000];
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  for (long i = 1; i < 40; i++) {
    w->sum = SUM_BAD;
    tcp_fixture_segment(w, CLIENT, "A", i * 60000, 0, payload, sizeof payload);
  }
  expect_log(w, "O");
  ck_assert_uint_lt(w->peak, INGEST_HELD_MAX + 200000);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "D0@0:abc");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* ---- the checksum of the IPv4 header ---- */

/* Sends as tcp_fixture_send does, with a right checksum of the IPv4 header or one wrong by `by`. */
static void send_with_header(tcp_fixture *w, unsigned side, long seq, const char *payload,
                             uint16_t by) {
  w->mute = true;
  tcp_fixture_send(w, side, "A", seq, 0, payload);
  uint8_t *ip = w->packet + 14;
  uint32_t sum = 0;
  for (size_t i = 0; i < 20; i += 2) {
    sum += (uint32_t)ip[i] << 8 | ip[i + 1];
  }
  sum = (sum & 0xffff) + (sum >> 16);
  tcp_fixture_put16(ip + 10, ((~sum & 0xffff) ^ by) & 0xffff);
  tcp_fixture_push(w, w->packet, w->packet_len, w->packet_len, 1);
}

/* The TCP checksum covers the addresses and the octets: these are right in spite of the header. */
START_TEST(a_wrong_header_is_counted_and_its_octets_are_used)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  send_with_header(w, CLIENT, 0, "abc", 0);
  send_with_header(w, CLIENT, 3, "def", 1);
  send_with_header(w, CLIENT, 6, "ghi", 0);
  expect_log(w, "O D0@0:abc D0@3:def D0@6:ghi");
  send_with_header(w, CLIENT, 3, "def", 0);
  expect_log(w, "");
  const ingest_stats *stats = ingest_stats_get(w->ing);
  ck_assert_uint_eq(stats->bad_checksum, 1);
  ck_assert_uint_eq(stats->bad_sums[0].packets, 1);
  ck_assert_uint_eq(stats->bad_sums[0].first, 5);
  ck_assert_uint_eq(stats->bad_headers[0], 1);
  expect_end(w, "E0@9C E1@0C X");
}
END_TEST

/* A wrong TCP checksum does not count as a wrong header checksum. */
START_TEST(a_wrong_segment_has_a_right_header)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  send_bad(w, CLIENT, "A", 0, 0, "abX");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->bad_sums[0].packets, 1);
  ck_assert_uint_eq(ingest_stats_get(w->ing)->bad_headers[0], 0);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "O D0@0:abc");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Every bit of the header, where the way of the ordinary next packet and the other one lead. */
START_TEST(each_bit_of_the_header_is_summed)
{
  for (unsigned bit = 0; bit < 8; bit++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    send_with_header(w, CLIENT, 0, "abc", 0);
    expect_log(w, "O D0@0:abc");
    send_with_header(w, CLIENT, 3, "def", (uint16_t)(1u << bit | 1u << (15 - bit)));
    expect_log(w, "D0@3:def");
    ck_assert_uint_eq(ingest_stats_get(w->ing)->bad_headers[0], 1);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_good_copy_beats_a_bad_one,
                                a_bad_segment_has_no_say,
                                a_bad_segment_without_another_copy,
                                a_bad_segment_at_the_end,
                                good_octets_cut_a_bad_segment,
                                many_bad_ones_prove_a_broken_capture,
                                many_bad_ones_beside_good_copies_prove_nothing,
                                a_sender_whose_checksums_never_are_right,
                                a_sender_whose_checksums_are_not_made_or_wrong,
                                nobody_acknowledges_bad_ones,
                                bad_segments_alone_are_nothing,
                                numbering_of_a_bad_first_packet_is_forgotten,
                                a_bad_first_fin_is_forgotten,
                                a_bad_first_fin_that_is_acknowledged,
                                a_good_fin_after_a_bad_one,
                                a_bad_first_fin_alone,
                                a_bad_first_rst,
                                checksums_left_to_the_card,
                                too_many_bad_ones_are_forgotten,
                                a_wrong_header_is_counted_and_its_octets_are_used,
                                a_wrong_segment_has_a_right_header,
                                each_bit_of_the_header_is_summed,
                                NULL};
  return check_run(check_suite("ingest-checksums", tests));
}
