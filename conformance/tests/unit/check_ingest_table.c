/* SPDX-License-Identifier: BSD-2-Clause */
/* Many connections: finding them, forgetting them, running out of memory. */
#include "check_run.h"
#include "ingest/conn.h"
#include "tcp_fixture.h"

/* Makes `port` the client's. */
static void from_port(tcp_fixture *w, unsigned port) {
  w->end[CLIENT].port = (uint16_t)port;
}

static void close_both(tcp_fixture *w, long client, long server) {
  tcp_fixture_send(w, CLIENT, "FA", client, server, "");
  tcp_fixture_send(w, SERVER, "FA", server, client + 1, "");
}

START_TEST(connections_are_distinguished)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  static const struct {
    uint8_t family, client, server;
    uint16_t port, service;
  } ends[] = {{4, 1, 2, 1000, 7174}, {4, 1, 2, 1001, 7174}, {4, 3, 2, 1000, 7174},
              {4, 1, 2, 1000, 7175}, {4, 1, 1, 1000, 7174}, {6, 1, 2, 1000, 7174}};
  for (int round = 0; round < 2; round++) {
    for (size_t i = 0; i < 6; i++) {
      for (unsigned side = 0; side < 2; side++) {
        w->end[side] = (ingest_addr){.family = ends[i].family, .ip = {10}};
      }
      w->end[0].ip[3] = ends[i].client;
      w->end[1].ip[3] = ends[i].server;
      w->end[0].port = ends[i].port;
      w->end[1].port = ends[i].service;
      tcp_fixture_send(w, CLIENT, "A", 10 * round, 0, "client");
      tcp_fixture_send(w, SERVER, "A", 10 * round, 0, "server");
      char text[80];
      char name = (char)('a' + (int)i);
      snprintf(text, sizeof text, "%cO %cD0@0:client %cD1@0:server", name, name, name);
      if (round == 0) {
        expect_log(w, text);
      }
      w->log_len = 0;
    }
  }
  ck_assert_uint_eq(ingest_stats_get(w->ing)->connections, 6);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(finish_in_order_of_creation)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  for (unsigned i = 0; i < 3; i++) {
    from_port(w, 1000 + i);
    tcp_fixture_shake(w);
  }
  from_port(w, 1000); /* heard of last */
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  from_port(w, 1001);
  close_both(w, 0, 0);
  tcp_fixture_take(w);
  const char *log = tcp_fixture_finish(w);
  ck_assert_ptr_nonnull(strstr(log, "aG0@0+3 aD0@3:def aE0@6C aE1@0C aX cE"));
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(packets_after_the_end_do_nothing)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  ck_assert_ptr_nonnull(tcp_fixture_finish(w));
  ingest_event ev;
  ck_assert(!ingest_next(w->ing, &ev));
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(freeing_without_finishing)
{
  tcp_fixture *w = tcp_fixture_new();
  for (unsigned i = 0; i < 200; i++) {
    from_port(w, 1000 + i);
    tcp_fixture_shake(w);
    tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  }
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
  ingest_free(NULL);
}
END_TEST

START_TEST(idle_connections_are_small)
{
  tcp_fixture *w = tcp_fixture_new();
  for (unsigned i = 0; i < 20000; i++) {
    from_port(w, 1000 + i);
    tcp_fixture_shake(w);
    w->log_len = 0;
  }
  ck_assert_uint_lt(w->live / 20000, 512);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* --- When connections are forgotten --- */

/* Lets packets of another connection pass. */
static void elsewhere(tcp_fixture *w, unsigned n) {
  unsigned port = w->end[CLIENT].port;
  from_port(w, 9);
  while (n-- > 0) {
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "");
  }
  from_port(w, port);
}

START_TEST(ended_with_a_hole)
{
  tcp_fixture *w = tcp_fixture_new();
  elsewhere(w, 1);
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "FA", 3, 0, "");
  tcp_fixture_send(w, SERVER, "FA", 0, 4, "");
  tcp_fixture_take(w);
  elsewhere(w, ING_DYING_PACKETS - 1);
  expect_log(w, "");
  elsewhere(w, 1);
  expect_log(w, "G0@0+3 E0@3F E1@0F X");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(reset_and_silent)
{
  tcp_fixture *w = tcp_fixture_new();
  elsewhere(w, 1);
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "R", 0, 0, "");
  tcp_fixture_take(w);
  elsewhere(w, ING_DYING_PACKETS);
  expect_log(w, "E1@0R X");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* A connection that no FIN or RST ended closes when its ports are used again; one that ended before
 * closes in its time all the same. */
START_TEST(a_close_without_an_end_delays_no_other)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  elsewhere(w, 1);
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "R", 0, 0, "");
  from_port(w, 1001);
  tcp_fixture_shake(w);
  w->isn[CLIENT] += 1000000;
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  ck_assert_ptr_nonnull(strstr(tcp_fixture_take(w), "cE1@0C cX dO"));
  elsewhere(w, ING_DYING_PACKETS - 5);
  expect_log(w, "");
  elsewhere(w, 2);
  expect_log(w, "bE1@0R bX");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* Numbers out of any window show in the end that the ports were used again, without octets too. */
START_TEST(one_that_was_taken_over_is_forgotten_at_once)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  w->isn[CLIENT] += 3u << 29;
  tcp_fixture_idle(w, CLIENT, 0, 0, ING_OUT_OF_WINDOW_MAX);
  expect_log(w, "O");
  tcp_fixture_idle(w, CLIENT, 0, 0, 1);
  const char *log = tcp_fixture_take(w);
  ck_assert_ptr_nonnull(strstr(log, "X O"));
  ck_assert_uint_eq(ingest_stats_get(w->ing)->connections, 2);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(closed_ones_are_forgotten_in_time)
{
  tcp_fixture *w = tcp_fixture_new();
  elsewhere(w, 1);
  size_t before = w->live;
  tcp_fixture_shake(w);
  close_both(w, 0, 0);
  tcp_fixture_take(w);
  elsewhere(w, ING_TOMB_PACKETS - 1);
  ck_assert_uint_gt(w->live, before);
  elsewhere(w, 1);
  ck_assert_uint_eq(w->live, before);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "late"); /* no longer known as such */
  expect_log(w, "O D0@0:late");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(many_short_connections_take_little)
{
  tcp_fixture *w = tcp_fixture_new();
  for (unsigned i = 0; i < 100000; i++) {
    from_port(w, 1024 + i % 60000);
    w->isn[CLIENT] = i * 7919;
    tcp_fixture_shake(w);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    close_both(w, 3, 0);
    w->log_len = 0;
  }
  ck_assert_uint_eq(ingest_stats_get(w->ing)->connections, 100000);
  ck_assert_uint_lt(w->peak, 8u << 20);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* --- Too many connections --- */

static void many_clients(tcp_fixture *w, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    w->end[CLIENT].ip[2] = (uint8_t)(i >> 16);
    from_port(w, i & 0xffff);
    tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
    w->log_len = 0;
  }
}

START_TEST(the_longest_silent_one_goes)
{
  tcp_fixture *w = tcp_fixture_new();
  w->end[CLIENT].ip[1] = 9;
  from_port(w, 77);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "first");
  tcp_fixture_send(w, CLIENT, "A", 10, 0, "held");
  from_port(w, 78);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "second");
  w->end[CLIENT].ip[1] = 0;
  many_clients(w, INGEST_CONNS_MAX - 2);
  w->end[CLIENT].ip[1] = 9;
  w->end[CLIENT].ip[2] = 0;
  from_port(w, 78);
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "still there");
  expect_log(w, "D0@6:still there");
  from_port(w, 79);
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  expect_log(w, "G0@5+5(connections) D0@10:held E0@14C E1?C X(connections) O");
  ck_assert_uint_lt(w->live, 40u << 20);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(closed_ones_go_first)
{
  tcp_fixture *w = tcp_fixture_new();
  many_clients(w, INGEST_CONNS_MAX - 1);
  w->end[CLIENT].ip[1] = 9;
  tcp_fixture_shake(w);
  close_both(w, 0, 0);
  tcp_fixture_take(w);
  from_port(w, 79);
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  expect_log(w, "O");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* --- The table itself, without an engine --- */

static ing_table table_of(tcp_fixture *w, uint64_t *steps) {
  return (ing_table){.alloc = &w->cfg.alloc, .steps = steps};
}

START_TEST(removal_keeps_all_lists)
{
  tcp_fixture *w = tcp_fixture_new();
  uint64_t steps = 0;
  ing_table table = table_of(w, &steps);
  ing_conn *conn[300];
  ing_segment seg = {.dst = {.family = 6, .port = 2}, .src = {.family = 6}};
  for (unsigned i = 0; i < 300; i++) {
    seg.src.port = (uint16_t)i;
    conn[i] = ing_table_add(&table, &seg);
    if (i % 3 != 0) {
      ing_fade_add(&table.dying, conn[i], i);
    }
  }
  for (unsigned n = 0; n < 300; n++) {
    unsigned i = n * 7 % 300;
    ing_table_remove(&table, conn[i]);
    conn[i] = NULL;
    for (unsigned k = 0; k < 300; k++) {
      seg.src.port = (uint16_t)k;
      expect(ing_table_find(&table, &seg) == conn[k], "after %u the connection %u", n, k);
    }
  }
  ck_assert_ptr_null(ing_table_oldest(&table));
  ck_assert_ptr_null(table.lru_oldest);
  ck_assert_ptr_null(table.freshest);
  ck_assert_ptr_null(table.dying.first);
  ck_assert_ptr_null(table.dying.last);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* --- No memory --- */

static void talk(tcp_fixture *w) {
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_send(w, SERVER, "A", 0, 6, "xyz");
  w->cut = 2;
  tcp_fixture_send(w, CLIENT, "A", 9, 0, "jkl");
  w->sum = SUM_BAD;
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "gXi");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 6, 3, "ghi");
  tcp_fixture_send(w, SERVER, "A", 3, 10, "");
}

/* Memory ends after every possible number of allocations; what was held is lost, all else goes on.
 */
START_TEST(memory_ends_anywhere)
{
  for (long gets = 0; gets < 40; gets++) {
    tcp_fixture *w = tcp_fixture_new();
    ck_assert_ptr_nonnull(w->ing);
    w->gets_left = gets;
    for (unsigned i = 0; i < 70; i++) {
      from_port(w, 1000 + i);
      talk(w);
    }
    expect(ingest_stats_get(w->ing)->dropped > 0, "after %ld", gets);
    w->gets_left = -1;
    tcp_fixture_take(w);
    from_port(w, 5);
    talk(w);
    expect_log(w, "O D0@0:abc D0@3:def D1@0:xyz D0@6:ghi D0@9:j");
    tcp_fixture_finish(w);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(no_memory_for_an_engine)
{
  tcp_fixture *w = tcp_fixture_new();
  w->gets_left = 0;
  ck_assert_ptr_null(ingest_new(&w->cfg));
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {connections_are_distinguished,
                                finish_in_order_of_creation,
                                packets_after_the_end_do_nothing,
                                freeing_without_finishing,
                                idle_connections_are_small,
                                ended_with_a_hole,
                                reset_and_silent,
                                a_close_without_an_end_delays_no_other,
                                one_that_was_taken_over_is_forgotten_at_once,
                                closed_ones_are_forgotten_in_time,
                                many_short_connections_take_little,
                                the_longest_silent_one_goes,
                                closed_ones_go_first,
                                removal_keeps_all_lists,
                                memory_ends_anywhere,
                                no_memory_for_an_engine,
                                NULL};
  return check_run(check_suite("ingest-table", tests));
}
