/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams of TCP connections: order, copies, numbering. */
#include "check_run.h"
#include "ingest/conn.h"
#include "tcp_fixture.h"

START_TEST(in_order)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "hello");
  tcp_fixture_send(w, SERVER, "A", 0, 5, "hi");
  tcp_fixture_send(w, CLIENT, "A", 5, 2, "bye");
  tcp_fixture_send(w, CLIENT, "FA", 8, 2, "");
  tcp_fixture_send(w, SERVER, "FA", 2, 9, "");
  tcp_fixture_send(w, CLIENT, "A", 9, 3, "");
  expect_log(w, "O D0@0:hello D1@0:hi D0@5:bye E0@8F E1@2F X");
  expect_end(w, "");
}
END_TEST

START_TEST(what_events_carry)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "hello");
  const ingest_event *ev = &w->last[0];
  ck_assert_uint_eq((uint32_t)ev->pos, 1000);
  ck_assert_uint_eq(ev->start, ev->pos);
  ck_assert(ev->start_known && ev->segment_start && !ev->damaged);
  ck_assert_uint_eq(ev->packet, 4);
  ck_assert_uint_eq(ev->time_ns, 4000);
  ck_assert_uint_eq((uint32_t)ev->peer_pos, 5000);
  uint64_t server_start = ev->peer_pos;
  tcp_fixture_send(w, SERVER, "A", 0, 5, "hi");
  ck_assert_uint_eq(w->last[1].pos, server_start);
  ck_assert_uint_eq(w->last[1].peer_pos, w->last[0].pos + 5);
  tcp_fixture_send(w, CLIENT, "", 5, 0, "without ack");
  ck_assert_uint_eq(w->last[0].peer_pos, INGEST_POS_UNKNOWN);
  const ingest_stats *stats = ingest_stats_get(w->ing);
  ck_assert_uint_eq(stats->packets, 6);
  ck_assert_uint_eq(stats->tcp_packets, 6);
  ck_assert_uint_eq(stats->octets, 6 * 54 + 5 + 2 + 11);
  ck_assert_uint_eq(stats->connections, 1);
  tcp_fixture_send(w, SERVER, "FA", 2, 5, "");
  ck_assert_uint_eq((uint32_t)w->last[1].peer_pos, 1005);
  tcp_fixture_send(w, CLIENT, "R", 16, 0, "");
  ck_assert_uint_eq(w->last[0].peer_pos, server_start); /* what it acknowledged before */
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(data_points_into_the_packet)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "hello");
  ck_assert_ptr_eq(w->last[0].data, w->packet + 54);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(out_of_order)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "gh");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "D0@0:abc D0@3:def D0@6:gh");
  ck_assert_uint_eq(w->last[0].packet, 4); /* the packet that supplied them */
  expect_end(w, "E0@8C E1@0C X");
}
END_TEST

START_TEST(copies_and_overlaps)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcd");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "ABCD");   /* again: the first copy wins */
  tcp_fixture_send(w, CLIENT, "A", 2, 0, "CDef");   /* half new */
  tcp_fixture_send(w, CLIENT, "A", 10, 0, "klm");   /* ahead */
  tcp_fixture_send(w, CLIENT, "A", 8, 0, "ijKLMn"); /* around it */
  tcp_fixture_send(w, CLIENT, "A", 9, 0, "J");      /* known */
  expect_log(
      w, "O D0@0:abcd =0@0+4(unknown) D0@4:ef =0@2+2(unknown) =0@10+3(unknown) =0@9+1(unknown)");
  ck_assert(!w->last[0].segment_start);
  tcp_fixture_send(w, CLIENT, "A", 5, 0, "FghI"); /* fills the hole and more */
  expect_log(w, "D0@6:gh =0@5+1(unknown) D0@8:ij D0@10:klm D0@13:n");
  expect_end(w, "E0@14C E1@0C X");
}
END_TEST

START_TEST(segment_starts_survive_holding)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 4, 0, "ef");
  tcp_fixture_send(w, CLIENT, "A", 2, 0, "cdEF");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abC");
  expect_log(w, "O =0@4+2(unknown) D0@0:ab =0@2+1(unknown) D0@2:cd D0@4:ef");
  ck_assert(w->last[0].segment_start);
  tcp_fixture_send(w, CLIENT, "A", 8, 0, "ij");
  tcp_fixture_send(w, CLIENT, "A", 9, 0, "Jkl");
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "gh");
  expect_log(w, "=0@9+1(unknown) D0@6:gh D0@8:ij D0@10:kl");
  ck_assert(!w->last[0].segment_start);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Each flow of octets, whatever the sequence numbers. */
START_TEST(sequence_wrap)
{
  static const uint32_t isns[] = {0, 0x7ffffffe, 0xfffffff0, 0xfffffffe, 0xffffffff};
  for (size_t i = 0; i < sizeof isns / sizeof isns[0]; i++) {
    tcp_fixture *w = tcp_fixture_new();
    w->isn[0] = isns[i];
    w->isn[1] = isns[i];
    tcp_fixture_shake(w);
    uint64_t pos = 0;
    for (long n = 0; n < 8; n++) {
      tcp_fixture_send(w, SERVER, "A", 4 * n, 8 * n, "wxyz");
      tcp_fixture_send(w, CLIENT, "A", 8 * n + 4, 4 * n + 4, "efgh");
      tcp_fixture_send(w, CLIENT, "A", 8 * n, 4 * n + 4, "abcd");
      ck_assert_uint_eq((uint32_t)w->last[0].pos, isns[i] + 1 + (uint32_t)(8 * n + 4));
      ck_assert(w->last[0].pos > pos);
      pos = w->last[0].pos;
      char text[80];
      snprintf(text, sizeof text, "%sD1@%ld:wxyz D0@%ld:abcd D0@%ld:efgh", n == 0 ? "O " : "",
               4 * n, 8 * n, 8 * n + 4);
      expect_log(w, text);
    }
    expect_end(w, "E0@64C E1@32C X");
  }
}
END_TEST

/* More octets than sequence numbers: positions keep growing. */
START_TEST(positions_pass_2_32)
{
  static uint8_t payload[65000];
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  w->mute = true;
  w->sum = SUM_ZERO; /* so that the number can change */
  tcp_fixture_segment(w, CLIENT, "A", 0, 0, payload, sizeof payload);
  uint64_t sent = 0;
  while (sent < (UINT64_C(1) << 32) + 100000) {
    tcp_fixture_put32(w->packet + 38, w->isn[CLIENT] + 1 + (uint32_t)sent);
    tcp_fixture_push(w, w->packet, w->packet_len, w->packet_len, 1);
    w->log_len = 0;
    sent += sizeof payload;
  }
  ck_assert_uint_eq(w->last[0].pos - w->last[0].start, sent - sizeof payload);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(keep_alives_and_probes)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 2, 0, "?"); /* keep-alive with an octet */
  tcp_fixture_send(w, CLIENT, "A", 2, 0, "");  /* and without */
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "d"); /* window probe */
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O D0@0:abc =0@2+1(unknown) D0@3:d D0@4:ef");
  expect_end(w, "E0@6C E1@0C X");
}
END_TEST

START_TEST(syn_with_data)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "abc");
  tcp_fixture_send(w, SERVER, "SA", -1, 3, "");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O D0@0:abc D0@3:def");
  ck_assert(w->last[0].start_known);
  expect_end(w, "E0@6C E1@0C X");
}
END_TEST

START_TEST(repeated_handshake)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  expect_log(w, "O D0@0:abc");
  expect_end(w, "E0@3C E1@0C X");
}
END_TEST

START_TEST(both_open_at_once)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, SERVER, "S", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "SA", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "O D1@0:abc"); /* side 0 sent the first SYN */
  ck_assert(w->last[1].start_known);
  expect_end(w, "E0@0C E1@3C X");
}
END_TEST

/* --- Where the start was not captured --- */

START_TEST(begins_with_the_syn_ack)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 0, 3, "xyz");
  expect_log(w, "O D0@0:abc D1@0:xyz");
  ck_assert(w->last[0].start_known && w->last[1].start_known);
  ck_assert_uint_eq(w->last[0].addr[0].port, 40000);
  expect_end(w, "E0@3C E1@3C X");
}
END_TEST

START_TEST(handshake_without_syn_ack)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "");
  tcp_fixture_send(w, SERVER, "A", 0, 0, "xyz");
  expect_log(w, "O D1@0:xyz");
  ck_assert(!w->last[1].start_known);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(later_acks_prove_no_start)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 50, "abc"); /* answers octets that are not in the capture */
  tcp_fixture_send(w, SERVER, "A", 50, 3, "xyz");
  expect_log(w, "O D0@0:abc D1@50:xyz");
  ck_assert(w->last[0].start_known && !w->last[1].start_known);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(begins_midstream)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, SERVER, "A", 70, 100, "xyz");
  ck_assert(!w->last[1].start_known);
  ck_assert_uint_eq(w->last[0].addr[0].port, 7174); /* the sender of the first packet is side 0 */
  tcp_fixture_send(w, CLIENT, "A", 100, 73, "abc");
  tcp_fixture_send(w, CLIENT, "A", 97, 73, "old"); /* before what was begun with */
  expect_log(w, "O D0@70:xyz D1@100:abc");
  ck_assert_uint_eq(w->last[1].start, w->last[0].peer_pos);
  expect_end(w, "E0@73C E1@103C X");
}
END_TEST

START_TEST(midstream_does_not_begin_with_old_octets)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, SERVER, "A", 70, 100, "xyz");
  tcp_fixture_send(w, CLIENT, "A", 99, 73, "?");    /* keep-alive */
  tcp_fixture_send(w, CLIENT, "A", 90, 73, "0123"); /* acknowledged before */
  tcp_fixture_send(w, CLIENT, "A", 98, 73, "YZabc");
  expect_log(w, "O D0@70:xyz D1@98:YZabc");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
  w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "A", 100, 73, "");
  tcp_fixture_send(w, CLIENT, "A", 99, 73, "?"); /* keep-alive by the sender's own numbering */
  tcp_fixture_send(w, CLIENT, "A", 100, 73, "abc");
  expect_log(w, "O D0@100:abc");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Without a SYN a stream begins where its receiver had acknowledged it, if these octets come. */
START_TEST(first_octets_out_of_order)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "A", 0, 70, "abc");
  tcp_fixture_send(w, SERVER, "A", 72, 3, "z");
  tcp_fixture_send(w, SERVER, "A", 71, 3, "y");
  expect_log(w, "O D0@0:abc");
  tcp_fixture_send(w, SERVER, "A", 70, 3, "x");
  expect_log(w, "D1@70:x D1@71:y D1@72:z");
  ck_assert(!w->last[1].start_known);
  ck_assert_uint_eq(w->last[1].pos - w->last[1].start, 2);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Octets that were acknowledged and never come were before the capture: they are no gap. */
START_TEST(first_octets_that_never_come)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "A", 0, 70, "abc");
  tcp_fixture_send(w, SERVER, "A", 75, 3, "z");
  tcp_fixture_send(w, CLIENT, "A", 3, 76, "d");
  tcp_fixture_send(w, SERVER, "A", 72, 3, "yy"); /* some of them */
  expect_log(w, "O D0@0:abc");
  for (int i = 0; i < 80; i++) {
    tcp_fixture_send(w, CLIENT, "A", 4, 76, "");
  }
  expect_log(w, "D1@72:yy G1@74+1 D1@75:z D0@3:d");
  ck_assert_uint_eq(w->last[1].pos - w->last[1].start, 3);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
  w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "A", 0, 70, "abc");
  tcp_fixture_send(w, SERVER, "A", 71 + 1024, 3, "z"); /* too far to wait for what is before */
  expect_log(w, "O D0@0:abc D1@1095:z");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(late_syn)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 2010, 3, "xyz");
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");  /* overtaken by its own data */
  tcp_fixture_send(w, SERVER, "SA", -1, 0, ""); /* and by later data */
  tcp_fixture_send(w, CLIENT, "A", 3, 2013, "def");
  tcp_fixture_send(w, SERVER, "A", 2013, 6, "!");
  expect_log(w, "O D0@0:abc D1@2010:xyz D0@3:def D1@2013:!");
  ck_assert(w->last[0].start_known);
  ck_assert(!w->last[1].start_known);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(late_syn_alone)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  ck_assert(!w->last[0].start_known);
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  ck_assert(w->last[0].start_known);
  expect_log(w, "O D0@0:abc D0@3:def");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(one_direction)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 3, 50,
                   "def"); /* nothing waits for octets of a side that is not there */
  tcp_fixture_send(w, CLIENT, "FA", 6, 80, "");
  expect_log(w, "O D0@0:abc D0@3:def E0@6F");
  expect_end(w, "E1?C X");
}
END_TEST

/* --- Numbers out of any window --- */

START_TEST(far_away)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_take(w);
  for (int i = 0; i < 15; i++) {
    tcp_fixture_send(w, CLIENT, "A", 0x40000010, 0, "far");
  }
  ck_assert_uint_eq(ingest_stats_get(w->ing)->ignored, 15);
  tcp_fixture_send(w, CLIENT, "A", 3, 0x50000000, "def"); /* an acknowledgment out of any window */
  expect_log(w, "D0@3:def");
  ck_assert_uint_eq(w->last[0].peer_pos, INGEST_POS_UNKNOWN);
  for (int i = 0; i < 16; i++) {
    tcp_fixture_send(w, CLIENT, "A", 0x50000000, 0, "far");
  }
  expect_log(w, "");
  tcp_fixture_send(w, CLIENT, "A", 0x50000000, 0, "far"); /* so many must be another connection */
  expect_log(w, "E0@6C E1@0C X O D0@1342177280:far");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {in_order,
                                what_events_carry,
                                data_points_into_the_packet,
                                out_of_order,
                                copies_and_overlaps,
                                segment_starts_survive_holding,
                                sequence_wrap,
                                positions_pass_2_32,
                                keep_alives_and_probes,
                                syn_with_data,
                                repeated_handshake,
                                both_open_at_once,
                                begins_with_the_syn_ack,
                                handshake_without_syn_ack,
                                later_acks_prove_no_start,
                                begins_midstream,
                                midstream_does_not_begin_with_old_octets,
                                first_octets_out_of_order,
                                first_octets_that_never_come,
                                late_syn,
                                late_syn_alone,
                                one_direction,
                                far_away,
                                NULL};
  return check_run(check_suite("ingest-stream", tests));
}
