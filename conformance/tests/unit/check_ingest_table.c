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

/* Pushes an octet of a side of connection `name`, which is opened by it or the one of its events.
 */
static void push_named(tcp_fixture *w, unsigned side, long seq, uintptr_t name, unsigned *opened) {
  w->mute = true;
  tcp_fixture_segment(w, side, "A", seq, seq, "x", 1);
  const ingest_packet pkt = {.data = w->packet,
                             .caplen = w->packet_len,
                             .len = w->packet_len,
                             .link_type = 1,
                             .number = ++w->number};
  ingest_event ev;
  unsigned events = 0;
  ingest_push(w->ing, &pkt);
  while (ingest_next(w->ing, &ev)) {
    if (ev.kind == INGEST_EVENT_OPEN) {
      *ev.user = (void *)name;
      ++*opened;
      continue;
    }
    expect(ev.kind == INGEST_EVENT_DATA && (uintptr_t)*ev.user == name && ev.len == 1,
           "connection %u", (unsigned)name);
    events++;
  }
  expect(events == 1, "connection %u", (unsigned)name);
}

/* The ends of connection `bit`: one bit differs from the ends of connection 0. */
static void set_ends(tcp_fixture *w, uint8_t family, unsigned bit) {
  static const uint8_t base[2][18] = {{0xA5, 0x3C, 0x5A, 0xC3, 0x96, 0x69, 0x0F, 0xF0, 0x81, 0x7E,
                                       0x12, 0xED, 0x24, 0xDB, 0x48, 0xB7, 0xA5, 0x5A},
                                      {0xA5, 0x3C, 0x5A, 0xC3, 0x96, 0x69, 0x0F, 0xF0, 0x7E, 0x81,
                                       0xED, 0x12, 0xDB, 0x24, 0xB7, 0x48, 0x5A, 0xA5}};
  const unsigned octets = family == 4 ? 4 : 16;
  for (unsigned side = 0; side < 2; side++) {
    uint8_t end[18];
    memcpy(end, base[side], sizeof end);
    const unsigned first = side * (octets + 2) * 8;
    if (bit > first && bit <= first + (octets + 2) * 8) {
      const unsigned at = (bit - first - 1) / 8;
      end[at < octets ? at : 16 + at - octets] ^= (uint8_t)(1u << (bit - first - 1) % 8);
    }
    w->end[side] = (ingest_addr){.family = family};
    memcpy(w->end[side].ip, end, octets);
    w->end[side].port = (uint16_t)(end[16] << 8 | end[17]);
  }
}

/* Each bit of an address or a port tells connections apart, and both directions of each belong
 * together; also between two ports of one address. */
START_TEST(connections_of_other_ends_are_kept_apart)
{
  for (uint8_t family = 4; family <= 6; family += 2) {
    tcp_fixture *w = tcp_fixture_new();
    const unsigned num = 1 + 2 * (family == 4 ? 6 : 18) * 8;
    unsigned opened = 0;
    for (unsigned round = 0; round < 4; round++) {
      for (unsigned i = 0; i < num; i++) {
        set_ends(w, family, i);
        push_named(w, (round ^ i) & 1, (long)(round / 2), 1 + i, &opened);
      }
    }
    ck_assert_uint_eq(opened, num);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
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
  ck_assert_uint_lt(w->live / 20000, 672);
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

/* A FIN of one side: the other one may go on. */
START_TEST(half_closed_connections_stay)
{
  for (unsigned side = 0; side < 2; side++) {
    tcp_fixture *w = tcp_fixture_new();
    elsewhere(w, 1);
    tcp_fixture_shake(w);
    tcp_fixture_send(w, side, "FA", 0, 0, "");
    expect_log(w, side == 0 ? "O O E0@0F" : "O O E1@0F");
    elsewhere(w, ING_DYING_PACKETS + 1);
    tcp_fixture_send(w, side ^ 1u, "A", 0, 1, "on");
    expect_log(w, side == 0 ? "D1@0:on" : "D0@0:on");
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

static void ended_with_a_hole_of(unsigned side, bool bad) {
  tcp_fixture *w = tcp_fixture_new();
  elsewhere(w, 1);
  w->sum = SUM_ZERO;
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  w->sum = SUM_ZERO;
  tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
  w->sum = bad ? SUM_BAD : SUM_ZERO;
  tcp_fixture_send(w, side, "FA", 3, 0, "");
  w->sum = bad ? SUM_BAD : SUM_ZERO;
  tcp_fixture_send(w, side ^ 1u, "FA", 0, 0, "");
  tcp_fixture_take(w);
  elsewhere(w, 2 * ING_DYING_PACKETS);
  expect_log(w, "");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}

/* Whatever the checksums: octets missing before a FIN have to be sent again if they are not
 * acknowledged. */
START_TEST(ended_with_a_hole_that_nobody_acknowledges)
{
  for (unsigned side = 0; side < 2; side++) {
    ended_with_a_hole_of(side, false);
    ended_with_a_hole_of(side, true);
  }
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
 * still closes in its time. */
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
  tcp_fixture_shake(w);
  ck_assert_ptr_nonnull(strstr(tcp_fixture_take(w), "cE1@0C cX dO"));
  elsewhere(w, ING_DYING_PACKETS - 7);
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
  elsewhere(w, 1 + ING_RECENT_FIRST); /* so that it has all its memory */
  size_t before = w->live;
  tcp_fixture_shake(w);
  close_both(w, 0, 0);
  tcp_fixture_take(w);
  elsewhere(w, ING_CLOSED_PACKETS - 1);
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
  ck_assert_uint_lt(w->peak, 13u << 20);
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
  ck_assert_uint_lt(w->live, 42u << 20);
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
    conn[i] = ing_table_add(&table, &seg, NULL);
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
  ck_assert_ptr_null(table.both.oldest);
  ck_assert_ptr_null(table.lone.oldest);
  ck_assert_ptr_null(table.both.newest);
  ck_assert_ptr_null(table.lone.newest);
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
                                connections_of_other_ends_are_kept_apart,
                                finish_in_order_of_creation,
                                packets_after_the_end_do_nothing,
                                freeing_without_finishing,
                                idle_connections_are_small,
                                ended_with_a_hole,
                                half_closed_connections_stay,
                                ended_with_a_hole_that_nobody_acknowledges,
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
