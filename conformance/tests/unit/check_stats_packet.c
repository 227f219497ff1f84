/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures of TCP headers: octets carried, retransmitted, missing; windows; pauses; the handshake.
 */
#include <string.h>

#include <stats/stats.h>

#include "check_run.h"

enum { FIN = 1, SYN = 2, RST = 4, ACK = 16 };

#define MS UINT64_C(1000000)

static const stats_cfg plain;
static stats *s;
static uint64_t number;
static iwarp_observer_info info;
static observe_conn conn;

static void begin(void) {
  s = stats_new(&plain);
  number = 0;
  info = (iwarp_observer_info){0};
  conn = (observe_conn){.info = &info};
}

static const stats_figures *end(void) {
  stats_end(s, &conn);
  return stats_now(s);
}

static observe_headers packet(uint8_t side, uint8_t flags, uint32_t seq, uint64_t len,
                              uint64_t ms) {
  number++;
  return (observe_headers){.packet = number,
                           .time_ns = ms * MS,
                           .len = len,
                           .cap = len,
                           .seq = seq,
                           .window = 100,
                           .flags = flags,
                           .side = side};
}

static void send(uint8_t side, uint8_t flags, uint32_t seq, uint64_t len, uint64_t ms) {
  const observe_headers p = packet(side, flags, seq, len, ms);
  stats_packet(s, &p);
}

START_TEST(the_handshake_has_two_times)
{
  begin();
  send(0, SYN, 99, 0, 10);
  send(0, SYN, 99, 0, 12); /* again */
  send(1, SYN | ACK, 499, 0, 15);
  send(1, ACK, 500, 0, 16); /* of the wrong side */
  send(0, RST | ACK, 100, 0, 17);
  send(0, ACK, 100, 0, 19);
  const stats_figures *f = end();
  ck_assert(f->syn_to_synack.known);
  ck_assert_uint_eq(f->syn_to_synack.ns, 5 * MS);
  ck_assert_uint_eq(f->synack_to_ack.ns, 4 * MS);
  ck_assert(!f->syn_to_first_fpdu.known);
  ck_assert(!f->whole);
  stats_free(s);
}
END_TEST

START_TEST(pauses_of_a_tenth_of_a_second_are_counted)
{
  begin();
  send(0, ACK, 100, 0, 0);
  send(1, ACK, 100, 0, 99);
  send(0, ACK, 100, 0, 199);
  send(1, ACK, 100, 0, 50); /* its clock stands still */
  send(1, ACK, 100, 0, 400);
  const stats_figures *f = end();
  ck_assert_uint_eq(f->idle_count, 2);
  ck_assert_uint_eq(f->idle_ns, 301 * MS);
  ck_assert_uint_eq(f->idle_max_ns, 201 * MS);
  ck_assert_uint_eq(f->idle_max_packet, 5);
  ck_assert_uint_eq(f->duration_ns, 400 * MS);
  stats_free(s);
}
END_TEST

START_TEST(octets_sent_again_and_out_of_order)
{
  begin();
  send(0, SYN, 99, 0, 0);
  send(0, ACK, 100, 10, 1);
  send(0, ACK, 120, 10, 2);
  send(0, ACK, 110, 5, 3);  /* fills a part of the hole */
  send(0, ACK, 112, 10, 4); /* 3 old ones, 5 new ones, 2 old ones */
  const stats_figures *f = end();
  const stats_tcp *t = &f->side[0].tcp;
  ck_assert_uint_eq(t->packets, 5);
  ck_assert_uint_eq(t->data_packets, 4);
  ck_assert_uint_eq(t->octets, 35);
  ck_assert_uint_eq(t->retransmitted_packets, 1);
  ck_assert_uint_eq(t->retransmitted_octets, 5);
  ck_assert_uint_eq(t->out_of_order_packets, 2);
  ck_assert_uint_eq(t->gaps, 0);
  ck_assert_uint_eq(f->side[0].stream.octets, 30);
  ck_assert_uint_eq(f->side[0].stream.undecoded, 30);
  stats_free(s);
}
END_TEST

START_TEST(gaps_reach_up_to_the_fin)
{
  begin();
  send(0, SYN, 99, 0, 0);
  send(0, ACK, 105, 10, 1);
  send(0, ACK, 120, 10, 2);
  send(0, FIN | ACK, 133, 0, 3);
  const stats_figures *f = end();
  ck_assert_uint_eq(f->side[0].tcp.gaps, 3);
  ck_assert_uint_eq(f->side[0].tcp.gap_octets, 13);
  ck_assert_uint_eq(f->side[0].stream.octets, 33);
  ck_assert_uint_eq(f->side[0].stream.missing, 13);
  stats_free(s);
}
END_TEST

START_TEST(a_stream_without_a_syn_begins_with_its_lowest_octet)
{
  begin();
  send(0, ACK, 5, 10, 0);
  send(0, ACK, UINT32_MAX - 4, 5, 1); /* five octets before, across the wrap, five are missing */
  const stats_figures *f = end();
  ck_assert_uint_eq(f->side[0].stream.octets, 20);
  ck_assert_uint_eq(f->side[0].tcp.gap_octets, 5);
  ck_assert_uint_eq(f->side[0].tcp.out_of_order_packets, 1);
  ck_assert_uint_eq(f->side[0].tcp.retransmitted_packets, 0);
  stats_free(s);
}
END_TEST

START_TEST(a_syn_after_octets_numbers_them)
{
  begin();
  send(0, ACK, 110, 10, 0);
  send(0, SYN, 99, 0, 1);
  send(0, ACK, 90, 10, 2); /* before the first octet */
  const stats_figures *f = end();
  ck_assert_uint_eq(f->side[0].stream.octets, 20);
  ck_assert_uint_eq(f->side[0].tcp.gap_octets, 10);
  ck_assert_uint_eq(f->side[0].tcp.retransmitted_octets, 10);
  stats_free(s);
}
END_TEST

START_TEST(a_probe_of_the_last_octet_is_a_keep_alive)
{
  begin();
  send(0, SYN, 99, 0, 0);
  send(0, ACK, 99, 0, 1); /* nothing was carried */
  send(0, ACK, 100, 10, 2);
  send(0, ACK, 109, 0, 3);
  send(0, ACK, 109, 1, 4);
  send(0, FIN | ACK, 109, 1, 5); /* with a FIN it is data sent again */
  const stats_figures *f = end();
  ck_assert_uint_eq(f->side[0].tcp.keep_alives, 3);
  ck_assert_uint_eq(f->side[0].tcp.data_packets, 3);
  ck_assert_uint_eq(f->side[0].tcp.retransmitted_packets, 1);
  stats_free(s);
}
END_TEST

static void window(uint8_t flags, uint16_t size, uint64_t ms) {
  observe_headers p = packet(1, flags, 100, 0, ms);
  p.window = size;
  stats_packet(s, &p);
}

START_TEST(spans_of_a_zero_window_end_with_the_window_or_the_connection)
{
  begin();
  window(ACK, 0, 10);
  window(ACK, 0, 20);
  window(RST, 5, 30);
  window(ACK, 5, 40);
  window(SYN, 0, 50);
  window(ACK, 0, 60);
  send(0, ACK, 1, 0, 75);
  const stats_figures *f = end();
  ck_assert_uint_eq(f->side[1].tcp.zero_windows, 2);
  ck_assert_uint_eq(f->side[1].tcp.zero_window_ns, 45 * MS);
  stats_free(s);
}
END_TEST

START_TEST(duplicates_enter_no_other_figure)
{
  begin();
  send(0, ACK, 100, 10, 0);
  observe_headers p = packet(0, ACK, 100, 10, 900);
  p.duplicate = true;
  stats_packet(s, &p);
  const stats_figures *f = end();
  ck_assert_uint_eq(f->side[0].tcp.duplicate_packets, 1);
  ck_assert_uint_eq(f->side[0].tcp.packets, 1);
  ck_assert_uint_eq(f->duration_ns, 0);
  ck_assert_uint_eq(f->idle_max_packet, 0);
  stats_free(s);
}
END_TEST

START_TEST(octets_of_no_window_are_counted_alone)
{
  begin();
  send(0, ACK, 100, 10, 0);
  send(0, ACK, 100 + (1u << 30) + 10, 10, 1);
  const stats_figures *f = end();
  ck_assert_uint_eq(f->side[0].tcp.octets, 20);
  ck_assert_uint_eq(f->side[0].stream.octets, 10);
  stats_free(s);
}
END_TEST

START_TEST(gaps_beyond_the_bound_are_named)
{
  begin();
  send(0, SYN, 99, 0, 0);
  for (uint32_t i = 0; i < 5000; i++) {
    send(0, ACK, 101 + 2 * i, 1, 1);
  }
  const stats_figures *f = end();
  ck_assert_uint_eq(f->side[0].tcp.gaps, 5000);
  ck_assert_uint_eq(f->side[0].tcp.gap_octets, 5000);
  ck_assert_uint_eq(f->limits, STATS_LIMIT_GAPS);
  ck_assert_str_eq(stats_limit_name(STATS_LIMIT_GAPS), "gaps");
  ck_assert_ptr_null(stats_limit_name(0x40));
  stats_free(s);
}
END_TEST

START_TEST(a_gap_far_below_counts_as_carried_and_stays_a_gap)
{
  begin();
  send(0, SYN, 99, 0, 0);
  send(0, ACK, 110, 10, 1);
  for (uint32_t i = 0; i < 5; i++) {
    send(0, ACK, 120 + i * 0x10000000u, 0x10000000u, 2);
  }
  send(0, ACK, 100, 10, 3);
  const stats_figures *f = end();
  ck_assert_uint_eq(f->side[0].tcp.gaps, 1);
  ck_assert_uint_eq(f->side[0].tcp.gap_octets, 10);
  ck_assert_uint_eq(f->side[0].tcp.retransmitted_octets, 10);
  ck_assert_uint_eq(f->side[0].tcp.out_of_order_packets, 0);
  stats_free(s);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_handshake_has_two_times,
                                pauses_of_a_tenth_of_a_second_are_counted,
                                octets_sent_again_and_out_of_order,
                                gaps_reach_up_to_the_fin,
                                a_stream_without_a_syn_begins_with_its_lowest_octet,
                                a_syn_after_octets_numbers_them,
                                a_probe_of_the_last_octet_is_a_keep_alive,
                                spans_of_a_zero_window_end_with_the_window_or_the_connection,
                                duplicates_enter_no_other_figure,
                                octets_of_no_window_are_counted_alone,
                                gaps_beyond_the_bound_are_named,
                                a_gap_far_below_counts_as_carried_and_stays_a_gap,
                                NULL};
  return check_run(check_suite("stats-packet", tests));
}
