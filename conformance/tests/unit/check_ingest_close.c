/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams of TCP connections up to FIN and RST, and ports that are used again. */
#include "check_run.h"
#include "ingest/conn.h"
#include "tcp_fixture.h"

/* --- Ends --- */

START_TEST(data_after_fin_is_ignored)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 5, 0, "fgh");
  tcp_fixture_send(w, CLIENT, "FA", 0, 0, "abcd");
  tcp_fixture_send(w, CLIENT, "A", 4, 0, "efgh");
  expect_log(w, "O D0@0:abcd E0@4F");
  expect_end(w, "E1@0C X");
}
END_TEST

/* Segments that fit no connection, so far. */
static uint64_t outside_of(const tcp_fixture *w) {
  return ingest_stats_get(w->ing)->outside.packets;
}

/* One octet in place of the FIN is a probe, and zeros may be padding. */
START_TEST(octets_after_a_fin_are_outside)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "FA", 0, 0, "abcd");
  tcp_fixture_send(w, CLIENT, "FA", 0, 0, "abcd");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "d");
  tcp_fixture_send(w, CLIENT, "A", 4, 0, "?");
  tcp_fixture_segment(w, CLIENT, "A", 5, 0, "\0\0", 2);
  ck_assert_uint_eq(outside_of(w), 0);
  tcp_fixture_send(w, CLIENT, "A", 4, 0, "ef");
  tcp_fixture_send(w, CLIENT, "A", 5, 0, "f");
  ck_assert_uint_eq(outside_of(w), 2);
  w->sum = SUM_BAD;
  tcp_fixture_send(w, CLIENT, "A", 5, 0, "f");
  ck_assert_uint_eq(outside_of(w), 2);
  tcp_fixture_send(w, SERVER, "FA", 0, 5, "xyz");
  tcp_fixture_send(w, CLIENT, "A", 5, 4, "");
  tcp_fixture_send(w, SERVER, "A", 0, 5, "xyz");
  ck_assert_uint_eq(outside_of(w), 2);
  tcp_fixture_send(w, SERVER, "A", 4, 5, "z"); /* both sides have ended */
  tcp_fixture_send(w, CLIENT, "A", 5, 4, "g");
  ck_assert_uint_eq(outside_of(w), 4);
  expect_end(w, "O D0@0:abcd E0@4F D1@0:xyz E1@3F X");
}
END_TEST

START_TEST(octets_after_a_reset_are_outside)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "RA", 3, 0, "text");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "RA", 3, 0, "text");
  tcp_fixture_send(w, SERVER, "A", 0, 0, "xyz"); /* on its way */
  ck_assert_uint_eq(outside_of(w), 0);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  ck_assert_uint_eq(outside_of(w), 1);
  tcp_fixture_idle(w, SERVER, 3, 3, PATIENCE + PATIENCE_STEP);
  tcp_fixture_send(w, SERVER, "A", 3, 3, "w"); /* both sides have ended */
  tcp_fixture_send(w, CLIENT, "R", 3, 3, "text");
  ck_assert_uint_eq(outside_of(w), 2);
  expect_end(w, "O D0@0:abc E0@3R D1@0:xyz E1@3R X");
}
END_TEST

START_TEST(data_reaches_across_a_fin)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "FA", 4, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcdef");
  expect_log(w, "O D0@0:abcd E0@4F");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(held_octets_reach_across_a_fin)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 2, 0, "cdef");
  tcp_fixture_send(w, CLIENT, "FA", 4, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "ab");
  expect_log(w, "O D0@0:ab D0@2:cd E0@4F");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Octets that were captured before the FIN count, whether they came out or wait. */
START_TEST(fin_below_octets_that_wait)
{
  for (unsigned waits = 0; waits < 2; waits++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    tcp_fixture_send(w, SERVER, "A", 0, 0, "");
    w->holds = waits == 1;
    w->as = INGEST_HELD_WRONG;
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcdef");
    tcp_fixture_send(w, CLIENT, "FA", 4, 0, "");
    ck_assert_uint_eq(outside_of(w), 1);
    w->holds = false;
    tcp_fixture_send(w, SERVER, "A", 0, 6, "");
    expect_log(w, "O D0@0:abcdef");
    tcp_fixture_send(w, CLIENT, "FA", 6, 0, "");
    expect_log(w, "E0@6F");
    ck_assert_uint_eq(outside_of(w), 1);
    expect_end(w, "E1@0C X");
  }
}
END_TEST

/* Zeros that may be padding of an acknowledgment are no octets before the FIN. */
START_TEST(fin_in_place_of_padding)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 0, 0, "");
  tcp_fixture_segment(w, CLIENT, "A", 0, 0, "\0\0", 2);
  tcp_fixture_send(w, CLIENT, "FA", 0, 0, "");
  expect_log(w, "O E0@0F");
  ck_assert_uint_eq(outside_of(w), 0);
  expect_end(w, "E1@0C X");
}
END_TEST

START_TEST(fin_before_its_data)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "FA", 3, 0, "def");
  tcp_fixture_send(w, CLIENT, "FA", 3, 0, "def");
  tcp_fixture_send(w, CLIENT, "FA", 9, 0, ""); /* nonsense after the first */
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "D0@0:abc D0@3:def E0@6F");
  tcp_fixture_send(w, CLIENT, "FA", 6, 0, "");
  expect_end(w, "E1@0C X");
}
END_TEST

START_TEST(fin_alone_midstream)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "FA", 30, 10, "");
  expect_log(w, "O E0@30F");
  expect_end(w, "E1?C X");
}
END_TEST

/* The second copy of a FIN does not tell what its sender had received when it sent the first. */
START_TEST(fin_after_a_packet_that_follows_it)
{
  for (uint32_t sent = 0; sent < 2; sent++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    tcp_fixture_send(w, SERVER, "A", 0, 0, "abc");
    tcp_fixture_send(w, CLIENT, "A", sent, 3, "");
    tcp_fixture_send(w, CLIENT, "FA", 0, 3, "");
    expect_log(w, "O D1@0:abc E0@0F");
    if (sent == 0) {
      ck_assert_uint_eq((uint32_t)w->last[CLIENT].peer_pos, w->isn[SERVER] + 1 + 3);
    } else {
      ck_assert_uint_eq(w->last[CLIENT].peer_pos, INGEST_POS_UNKNOWN);
    }
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(fin_below_what_was_delivered)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcdef");
  tcp_fixture_send(w, CLIENT, "FA", 3, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "ghi");
  expect_log(w, "O D0@0:abcdef D0@6:ghi");
  expect_end(w, "E0@9C E1@0C X");
}
END_TEST

/* One of an earlier connection, or of no connection: as with an RST. */
START_TEST(a_fin_far_outside_the_window_is_none)
{
  static const long beyond[][2] = {
      {(1L << 24) + 1, 0}, {1L << 28, 0},        {1L << 30, 0},          {-1, 0},
      {-70000, 0},         {1L << 29, 1L << 29}, {90, 1L << 25},         {0, (1L << 24) + 1},
      {0, -(1L << 25)},    {-(1L << 30), 0},     {1L << 20, -(1L << 29)}};
  for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
    tcp_fixture *w = tcp_fixture_new();
    w->isn[SERVER] = UINT32_MAX - 1; /* numbers wrap */
    tcp_fixture_shake(w);
    tcp_fixture_send(w, SERVER, "A", 0, 0, "abc");
    tcp_fixture_send(w, CLIENT, "A", 0, 3, "");
    tcp_fixture_send(w, SERVER, "FA", 3 + beyond[i][0], beyond[i][1], "");
    tcp_fixture_send(w, SERVER, "A", 3, 0, "def");
    tcp_fixture_send(w, CLIENT, "A", 0, 6, "");
    tcp_fixture_send(w, SERVER, "FA", 6, 0, "");
    tcp_fixture_send(w, CLIENT, "FA", 0, 7, "");
    tcp_fixture_send(w, SERVER, "FA", 6, 0, ""); /* a late copy */
    expect_end(w, "O D1@0:abc D1@3:def E1@6F E0@0F X");
  }
}
END_TEST

START_TEST(a_fin_after_octets_that_the_capture_lacks)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "FA", 1L << 24, 1L << 24, "");
  tcp_fixture_send(w, CLIENT, "FA", 1L << 24, (1L << 24) + 1, "");
  expect_end(w, "O D1@0:abc G0@0+16777216 G1@3+16777213 E0@16777216F E1@16777216F X");
}
END_TEST

START_TEST(reset)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "RA", 0, 3, "reset data is no data");
  expect_log(w, "O D0@0:abc E1@0R"); /* the other side's octets may still be under way */
  ck_assert_uint_eq(w->last[1].packet, 5);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "D0@3:def");
  for (long i = 0; i < 100; i++) { /* however many they are */
    tcp_fixture_send(w, CLIENT, "A", 6 + i, 0, "x");
    w->log_len = 0;
  }
  tcp_fixture_idle(w, CLIENT, 106, 0, 63);
  expect_log(w, "");
  tcp_fixture_idle(w, CLIENT, 106, 0, 1);
  expect_log(w, "E0@106R X");
  ck_assert_uint_eq(w->last[0].packet, 5);
  tcp_fixture_send(w, CLIENT, "A", 106, 0, "ghi"); /* no side is left */
  expect_end(w, "");
}
END_TEST

/* A closed side answers octets by an RST with the number that they acknowledge: its FIN came
 * before, though it is captured after it. */
START_TEST(a_reset_below_what_was_sent_may_follow_a_fin)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "R", 1, 0, "");
  expect_log(w, "O D0@0:abc");
  tcp_fixture_send(w, CLIENT, "FA", 3, 0, "");
  expect_log(w, "E0@3F");
  expect_end(w, "E1@0R X");
}
END_TEST

START_TEST(reset_before_its_data)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "R", 6, 0, "");
  tcp_fixture_send(w, CLIENT, "R", 0, 0, ""); /* only the first counts */
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "D0@0:abc D0@3:def E0@6R");
  expect_end(w, "E1@0R X");
}
END_TEST

START_TEST(a_reset_before_the_window_is_none)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 0, 3, "");
  tcp_fixture_send(w, CLIENT, "R", 2, 0, ""); /* the server has received what it would end */
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O D0@0:abc D0@3:def");
  tcp_fixture_send(w, CLIENT, "R", 6, 0, "");
  expect_end(w, "E0@6R E1@0R X");
}
END_TEST

START_TEST(a_reset_far_outside_the_window_is_none)
{
  static const long beyond[] = {(1L << 24) + 1, 1L << 28,   1L << 30, (1L << 30) + 9, -1,
                                -70000,         -(1L << 30)};
  for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
    tcp_fixture *w = tcp_fixture_new();
    w->isn[SERVER] = UINT32_MAX - 1; /* numbers wrap */
    tcp_fixture_shake(w);
    tcp_fixture_send(w, SERVER, "A", 0, 0, "abc");
    tcp_fixture_send(w, CLIENT, "A", 0, 3, "");
    for (size_t copies = 0; copies < 40; copies++) {
      tcp_fixture_send(w, SERVER, "R", 3 + beyond[i], 0, "");
    }
    tcp_fixture_send(w, SERVER, "FA", 3, 0, "def");
    tcp_fixture_send(w, CLIENT, "FA", 0, 7, "");
    expect_end(w, "O D1@0:abc D1@3:def E1@6F E0@0F X");
  }
}
END_TEST

START_TEST(a_reset_whose_sender_hears_more_is_none)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "R", 90, 0, ""); /* inside the window, not the next number */
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_send(w, SERVER, "A", 0, 3, ""); /* sent before the RST */
  tcp_fixture_send(w, SERVER, "A", 0, 6, ""); /* it has received octets that were sent after it */
  tcp_fixture_idle(w, SERVER, 0, 6, 100);
  tcp_fixture_send(w, SERVER, "FA", 0, 6, "xyz");
  tcp_fixture_send(w, CLIENT, "FA", 6, 4, "");
  expect_end(w, "O D0@0:abc D0@3:def D1@0:xyz E1@3F E0@6F X");
}
END_TEST

START_TEST(a_reset_whose_sender_sends_more_is_none)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "R", 4, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "d"); /* up to it: overtaken */
  tcp_fixture_send(w, CLIENT, "A", 4, 0, "e");
  tcp_fixture_send(w, CLIENT, "FA", 5, 0, "f");
  tcp_fixture_send(w, SERVER, "FA", 0, 7, "");
  expect_log(w, "O D0@0:abc D0@3:d E0@4R E1@0F X"); /* all up to it came: it counts */
  expect_end(w, "");
  w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "R", 40, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "0123456789012345678901234567890123456789");
  tcp_fixture_send(w, CLIENT, "FA", 43, 0, "f");
  tcp_fixture_send(w, SERVER, "FA", 0, 45, "");
  expect_end(w, "O D0@0:abc D0@3:#40 D0@43:f E0@44F E1@0F X");
}
END_TEST

/* Anybody can send one inside the window: the other side only acknowledges what it has, and the
 * connection goes on below the number of the RST. RFC 5961 3.2 */
START_TEST(a_reset_that_is_challenged_is_none)
{
  for (unsigned how = 0; how < 2; how++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    tcp_fixture_send(w, SERVER, "A", 0, 3, "");
    tcp_fixture_send(w, CLIENT, "R", 6000, 0, "");
    tcp_fixture_send(w, SERVER, "A", 0, 3, "");
    tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
    tcp_fixture_send(w, SERVER, "A", 0, 6, "");
    if (how == 0) {
      tcp_fixture_send(w, CLIENT, "FA", 6, 0, "");
      tcp_fixture_send(w, SERVER, "FA", 0, 7, "");
      expect_end(w, "O D0@0:abc D0@3:def E0@6F E1@0F X");
    } else {
      tcp_fixture_send(w, CLIENT, "A", 6, 0, "ghi");
      tcp_fixture_send(w, SERVER, "A", 0, 9, "");
      tcp_fixture_idle(w, SERVER, 0, 9, 100);
      expect_end(w, "O D0@0:abc D0@3:def D0@6:ghi E0@9C E1@0C X");
    }
  }
}
END_TEST

/* What its sender sent before it may come after it, and be acknowledged meanwhile. */
START_TEST(a_reset_that_overtook_octets_counts)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "R", 9, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "ghi");
  tcp_fixture_send(w, SERVER, "A", 0, 6, "");
  tcp_fixture_send(w, SERVER, "A", 0, 9, "");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_end(w, "O D0@0:abc D0@3:def D0@6:ghi E0@9R E1@0R X");
}
END_TEST

/* The server still has an earlier connection of these ports: it acknowledges that one, and the
 * client resets it. RFC 5961 4, RFC 9293 3.5.1 */
START_TEST(a_reset_of_the_connection_before_is_none)
{
  static const long apart[] = {-60000000, -1, 65537, 70000, 60000000, 1500000000};
  for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++) {
    tcp_fixture *w = tcp_fixture_new();
    w->isn[CLIENT] = 5;
    tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
    tcp_fixture_send(w, SERVER, "A", 9000 + apart[i], apart[i], "");
    tcp_fixture_send(w, CLIENT, "R", apart[i], 0, "");
    tcp_fixture_send(w, SERVER, "A", 9000 + apart[i], apart[i], "old");
    tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
    tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    tcp_fixture_send(w, SERVER, "FA", 0, 3, "de");
    tcp_fixture_send(w, CLIENT, "FA", 3, 3, "");
    expect_end(w, "O D0@0:abc D1@0:de E1@2F E0@3F X");
  }
}
END_TEST

START_TEST(refused)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  w->isn[SERVER] = UINT32_MAX;
  tcp_fixture_send(w, SERVER, "RA", 0, 0, ""); /* sequence number 0 */
  expect_log(w, "O E1?R");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "");
  expect_end(w, "E0@0R X");
}
END_TEST

/* One of an earlier connection comes right after the SYN, before the answer. RFC 9293 3.10.7.3 */
START_TEST(a_reset_that_does_not_acknowledge_the_syn_is_none)
{
  static const struct {
    const char *flags;
    long seq;
    long ack;
  } rows[] = {{"R", 0, 0},          {"R", 5000, 0},   {"RA", 5000, -1},
              {"RA", 0, -60000000}, {"RA", 0, 70000}, {"RA", 90, 1500000000}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
    tcp_fixture_send(w, SERVER, rows[i].flags, rows[i].seq, rows[i].ack, "");
    tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    tcp_fixture_send(w, SERVER, "FA", 0, 3, "de");
    tcp_fixture_send(w, CLIENT, "FA", 3, 3, "");
    expect_end(w, "O D0@0:abc D1@0:de E1@2F E0@3F X");
  }
}
END_TEST

START_TEST(refused_and_then_accepted)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  const uint32_t isn = w->isn[SERVER];
  w->isn[SERVER] = UINT32_MAX;
  tcp_fixture_send(w, SERVER, "RA", 0, 0, ""); /* sequence number 0 */
  w->isn[SERVER] = isn;
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  expect_log(w, "aO aE1?R");
  tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "FA", 0, 3, "de");
  tcp_fixture_send(w, CLIENT, "FA", 3, 3, "");
  expect_end(w, "aE0@0R aX bO bD0@0:abc bD1@0:de bE1@2F bE0@3F bX");
}
END_TEST

START_TEST(reset_alone_opens_nothing)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "R", 0, 0, "");
  expect_end(w, "");
}
END_TEST

/* --- Ports used again --- */

START_TEST(reuse_while_open)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  w->isn[CLIENT] = 77777;
  w->isn[SERVER] = 88888;
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  const char *log = tcp_fixture_take(w);
  ck_assert_ptr_nonnull(strstr(log, "aO aG0@"));
  ck_assert_ptr_nonnull(strstr(log, " aX bO bD0@0:abc"));
  ck_assert_uint_eq(ingest_stats_get(w->ing)->connections, 2);
  expect_end(w, "bE0@3C bE1@0C bX");
}
END_TEST

static void close_both(tcp_fixture *w, long client, long server) {
  tcp_fixture_send(w, CLIENT, "FA", client, server, "");
  tcp_fixture_send(w, SERVER, "FA", server, client + 1, "");
  tcp_fixture_send(w, CLIENT, "A", client + 1, server + 1, "");
}

START_TEST(reuse_after_close)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  close_both(w, 3, 0);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");    /* a late copy */
  tcp_fixture_send(w, CLIENT, "A", 100, 0, "data"); /* data after all */
  expect_log(w, "aO aD0@0:abc aE0@3F aE1@0F aX");
  w->isn[CLIENT] = 77777;
  w->isn[SERVER] = 88888;
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "new");
  expect_log(w, "bO bD0@0:new");
  close_both(w, 3, 0);
  tcp_fixture_take(w);
  w->isn[CLIENT] = 0x70000000; /* now without its SYN */
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "later");
  expect_log(w, "cO cD0@0:later");
  expect_end(w, "cE0@5C cE1?C cX");
}
END_TEST

/* A later connection whose SYN is not in the capture, while the earlier one may still get copies.
 */
START_TEST(reuse_without_a_syn)
{
  for (int by_reset = 0; by_reset < 2; by_reset++) {
    tcp_fixture *w = tcp_fixture_new();
    w->name_conns = true;
    tcp_fixture_shake(w);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    if (by_reset) {
      tcp_fixture_send(w, SERVER, "RA", 0, 3, "");
    } else {
      tcp_fixture_send(w, CLIENT, "FA", 10, 0, ""); /* what is missing may still come */
      tcp_fixture_send(w, SERVER, "FA", 0, 3, "");
    }
    tcp_fixture_take(w);
    tcp_fixture_send(w, CLIENT, "A", (by_reset ? 0 : 10) + ING_REUSE_BEYOND, 0,
                     by_reset ? "" : "too near");
    tcp_fixture_send(w, CLIENT, "A", -2 - ING_REUSE_BEYOND, 0, "");
    w->sum = SUM_BAD;
    tcp_fixture_send(w, CLIENT, "A", 20 + ING_REUSE_BEYOND, 0, "any number");
    expect_log(w, "");
    tcp_fixture_send(w, CLIENT, "A", 200000, 0, "later");
    expect_log(w, by_reset ? "aE0@3R aX bO bD0@200000:later"
                           : "aG0@3+7 aE0@10F aX bO bD0@200000:later");
    tcp_fixture_send(w, SERVER, "A", 700000, 200005, "answer");
    expect_log(w, "bD1@700000:answer");
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(reuse_shown_by_either_number)
{
  static const long numbers[][2] = {
      {70000, 0}, {-70000, 0}, {2, 70000}, {2, -70000}, {2, 0x7000000}};
  for (size_t i = 0; i < 5; i++) {
    tcp_fixture *w = tcp_fixture_new();
    w->name_conns = true;
    tcp_fixture_shake(w);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    close_both(w, 3, 0);
    tcp_fixture_take(w);
    tcp_fixture_send(w, CLIENT, "A", numbers[i][0], numbers[i][1], "later");
    ck_assert_ptr_nonnull(strstr(tcp_fixture_take(w), "bO bD0@"));
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(reuse_seen_by_the_syn_ack)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  close_both(w, 3, 0);
  tcp_fixture_take(w);
  w->isn[CLIENT] = 77777;
  w->isn[SERVER] = 88888;
  tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "new");
  expect_log(w, "bO bD0@0:new");
  ck_assert(w->last[0].start_known);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(reuse_by_the_other_side)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  tcp_fixture_send(w, CLIENT, "A", 0, 0,
                   "abc"); /* one side of a connection, its start not captured */
  w->isn[SERVER] = 12345678;
  tcp_fixture_send(w, SERVER, "S", -1, 0, "");
  expect_log(w, "aO aD0@0:abc aE0@3C aE1?C aX bO");
  tcp_fixture_send(w, SERVER, "A", 0, 0, "xyz");
  expect_log(w, "bD0@0:xyz");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(reuse_after_midstream)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  tcp_fixture_send(w, CLIENT, "A", 200000, 0, "abc");
  tcp_fixture_send(w, CLIENT, "S", -1, 0, ""); /* too far back to be this connection's own */
  expect_log(w, "aO aD0@200000:abc aE0@200003C aE1?C aX bO");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  w->isn[CLIENT] += 1000000;
  tcp_fixture_send(w, SERVER, "SA", -1, 0, ""); /* for a SYN that is not in the capture */
  ck_assert_ptr_nonnull(strstr(tcp_fixture_take(w), " bX cO"));
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(ipv6)
{
  tcp_fixture *w = tcp_fixture_new();
  w->end[0].family = w->end[1].family = 6;
  w->end[0].ip[15] = 7;
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "O D0@0:abc");
  ck_assert_uint_eq(w->last[0].addr[0].family, 6);
  ck_assert_uint_eq(ingest_stats_get(w->ing)->bad_checksum, 0);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Octets of a side that has ended may come again until the connection is closed: where they differ
 * they are reported. */
START_TEST(octets_that_differ_after_the_end_of_their_side)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcdef");
  tcp_fixture_send(w, SERVER, "A", 0, 6, "");
  tcp_fixture_send(w, CLIENT, "FA", 6, 0, "");
  tcp_fixture_send(w, SERVER, "A", 0, 7, "");
  expect_log(w, "O D0@0:abcdef E0@6F");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcdef");
  w->sum = SUM_BAD;
  tcp_fixture_send(w, CLIENT, "A", 2, 0, "cXYf");
  expect_log(w, "");
  tcp_fixture_send(w, CLIENT, "A", 2, 0, "cXYf");
  expect_log(w, "=0@3+2(first)");
  ck_assert_uint_eq(w->differ.first.packet, 4);
  ck_assert_uint_eq(w->differ.packet, 10);
  tcp_fixture_send(w, SERVER, "FA", 0, 7, "");
  expect_end(w, "E1@0F X");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {data_after_fin_is_ignored,
                                octets_after_a_fin_are_outside,
                                octets_after_a_reset_are_outside,
                                data_reaches_across_a_fin,
                                held_octets_reach_across_a_fin,
                                fin_before_its_data,
                                fin_below_octets_that_wait,
                                fin_in_place_of_padding,
                                fin_alone_midstream,
                                fin_after_a_packet_that_follows_it,
                                fin_below_what_was_delivered,
                                a_fin_far_outside_the_window_is_none,
                                a_fin_after_octets_that_the_capture_lacks,
                                reset,
                                a_reset_below_what_was_sent_may_follow_a_fin,
                                reset_before_its_data,
                                a_reset_before_the_window_is_none,
                                a_reset_far_outside_the_window_is_none,
                                a_reset_whose_sender_hears_more_is_none,
                                a_reset_whose_sender_sends_more_is_none,
                                a_reset_that_is_challenged_is_none,
                                a_reset_that_overtook_octets_counts,
                                a_reset_of_the_connection_before_is_none,
                                refused,
                                a_reset_that_does_not_acknowledge_the_syn_is_none,
                                refused_and_then_accepted,
                                reset_alone_opens_nothing,
                                reuse_while_open,
                                reuse_after_close,
                                reuse_without_a_syn,
                                reuse_shown_by_either_number,
                                reuse_seen_by_the_syn_ack,
                                reuse_by_the_other_side,
                                reuse_after_midstream,
                                ipv6,
                                octets_that_differ_after_the_end_of_their_side,
                                NULL};
  return check_run(check_suite("ingest-close", tests));
}
