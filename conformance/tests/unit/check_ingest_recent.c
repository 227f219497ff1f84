/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that were captured twice: what counts as a copy, and what does not. */
#include "check_run.h"

#include "ingest/conn.h"
#include "tcp_fixture.h"

static const ingest_stats *stats(const tcp_fixture *w) {
  return ingest_stats_get(w->ing);
}

/* The packet that was captured last, once more. */
static void copy(tcp_fixture *w) {
  tcp_fixture_push(w, w->packet, w->packet_len, w->packet_len, 1);
}

static void copies(const tcp_fixture *w, uint64_t packets, uint64_t first) {
  ck_assert_uint_eq(stats(w)->duplicates.packets, packets);
  ck_assert_uint_eq(stats(w)->duplicates.first, first);
}

START_TEST(each_packet_of_a_connection)
{
  static const struct {
    const char *flags;
    long seq;
    const char *payload;
  } packets[] = {{"S", -1, ""}, {"A", 0, ""}, {"A", 0, "abc"}, {"A", 3, "de"}, {"FA", 5, ""}};
  tcp_fixture *w = tcp_fixture_new();
  for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
    tcp_fixture_send(w, CLIENT, packets[i].flags, packets[i].seq, 0, packets[i].payload);
    copy(w);
    copies(w, i + 1, 2);
  }
  expect_log(w, "O D0@0:abc D0@3:de E0@5F");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(an_acknowledgment_that_is_next)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "de"); /* from here on headers alone are looked at */
  tcp_fixture_send(w, CLIENT, "A", 5, 0, "");
  copies(w, 0, 0);
  copy(w);
  copies(w, 1, 7);
  tcp_fixture_send(w, CLIENT, "A", 5, 0, "");
  copies(w, 1, 7);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(copies_are_not_sent_again)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  copy(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_take(w);
  (void)tcp_fixture_finish(w);
  copies(w, 1, 5);
  ck_assert_uint_eq(w->ends.again[0].segments, 1);
  ck_assert_uint_eq(w->ends.again[0].packet, 6);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Octets of another value make a packet no copy, though the checksum is the same. */
START_TEST(octets_that_were_exchanged)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcdefgh");
  memcpy(w->packet + w->packet_len - 8, "cdabefgh", 8);
  copy(w);
  copies(w, 0, 0);
  ck_assert_uint_eq(w->differ.len, 4);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(a_wrong_checksum_is_compared_by_all_octets)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  w->sum = SUM_BAD;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  copy(w);
  copies(w, 1, 5);
  w->packet[w->packet_len - 1] ^= 1u;
  copy(w);
  copies(w, 1, 5);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* A lack of memory makes no packet a copy, and costs nothing else. */
START_TEST(without_memory)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  w->gets_left = 0;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "");
  copy(w);
  copies(w, 0, 0);
  w->gets_left = -1;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  copy(w);
  copies(w, 1, 7);
  expect_log(w, "O D0@0:abc");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {each_packet_of_a_connection,
                                an_acknowledgment_that_is_next,
                                copies_are_not_sent_again,
                                octets_that_were_exchanged,
                                a_wrong_checksum_is_compared_by_all_octets,
                                without_memory,
                                NULL};
  return check_run(check_suite("ingest_recent", tests));
}
