/* SPDX-License-Identifier: BSD-2-Clause */
/* Every limit that costs octets is reported by the close of the connection: one below it, and at
 * it. */
#include "check_run.h"
#include "ingest/conn.h"
#include "tcp_fixture.h"

static void from_port(tcp_fixture *w, unsigned port) {
  w->end[CLIENT].port = (uint16_t)port;
}

/* SYNs of n clients, each with its own address. */
static void many_clients(tcp_fixture *w, unsigned n) {
  const ingest_addr client = w->end[CLIENT];
  for (unsigned i = 0; i < n; i++) {
    w->end[CLIENT].ip[0] = 11;
    w->end[CLIENT].ip[1] = (uint8_t)(i >> 16);
    from_port(w, i & 0xffff);
    tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
    w->log_len = 0;
  }
  w->end[CLIENT] = client;
}

static uint64_t given_up(const tcp_fixture *w) {
  return ingest_stats_get(w->ing)->given_up;
}

/* --- Connections --- */

START_TEST(as_many_connections_as_may_be)
{
  for (unsigned more = 0; more < 2; more++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    expect_log(w, "O D0@0:abc");
    many_clients(w, INGEST_CONNS_MAX - 1 + more);
    ck_assert_uint_eq(given_up(w), more);
    tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
    expect_log(w, more == 0 ? "D0@3:def" : "E0@0C E1?C X(connections) O D0@3:def");
    ck_assert_uint_eq(given_up(w), 2 * more); /* another one had to go for it */
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(those_that_nobody_answered_go_first)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, SERVER, "A", 0, 3, "xyz");
  expect_log(w, "O D0@0:abc D1@0:xyz");
  many_clients(w, INGEST_CONNS_MAX + 1);
  ck_assert_uint_eq(given_up(w), 2);
  tcp_fixture_send(w, CLIENT, "A", 3, 3, "def");
  expect_log(w, "D0@3:def");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(one_too_many_is_said)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O");
  many_clients(w, INGEST_CONNS_MAX - 1);
  from_port(w, 5);
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  expect_log(w, "G0@0+3(connections) D0@3:def E0@6C E1@0C X(connections) O");
  ck_assert_uint_eq(given_up(w), 1);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(a_closed_one_loses_nothing)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "FA", 0, 0, "");
  tcp_fixture_send(w, SERVER, "FA", 0, 1, "");
  expect_log(w, "O E0@0F E1@0F X");
  many_clients(w, INGEST_CONNS_MAX);
  ck_assert_uint_eq(given_up(w), 0);
  many_clients(w, INGEST_CONNS_MAX + 5);
  ck_assert_uint_eq(given_up(w), 5);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* The table of before had an open hash and chains that were cut at 64. */
static uint64_t old_mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

static uint64_t old_hash(const ingest_addr *addr) {
  uint64_t half[2];
  memcpy(half, addr->ip, sizeof half);
  return old_mix(half[0] + old_mix(half[1] + ((uint64_t)addr->family << 16 | addr->port)));
}

static uint64_t old_pair(const tcp_fixture *w) {
  return old_mix(old_hash(&w->end[0]) + old_hash(&w->end[1]));
}

START_TEST(chosen_addresses_evict_nobody)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "O D0@0:abc");
  const ingest_addr client = w->end[CLIENT];
  const uint64_t bucket = old_pair(w) & 1023;
  unsigned alike = 0;
  for (uint32_t i = 0; alike < 200; i++) {
    tcp_fixture_put32(w->end[CLIENT].ip, 0x0b000000 + i);
    if ((old_pair(w) & 1023) == bucket) {
      tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
      alike++;
    }
  }
  w->log_len = 0;
  w->end[CLIENT] = client;
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "D0@3:def");
  ck_assert_uint_eq(given_up(w), 0);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* --- Held octets --- */

START_TEST(as_many_held_octets_as_may_be)
{
  static uint8_t payload[60000];
  for (size_t more = 0; more < 2; more++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    size_t left = INGEST_HELD_MAX + more;
    long at = 3;
    while (left > 0) {
      size_t n = left > 2 * sizeof payload ? sizeof payload : left > sizeof payload ? 50000 : left;
      tcp_fixture_segment(w, CLIENT, "A", at, 0, payload, n - sizeof(ing_block));
      at += (long)(n - sizeof(ing_block));
      left -= n;
    }
    const char *log = tcp_fixture_take(w);
    ck_assert_int_eq(strncmp(log, "O G0@0+3(held-octets) D0@3:#", 28) == 0, more == 1);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    log = tcp_fixture_take(w);
    ck_assert_int_eq(strncmp(log, "D0@0:abc D0@3:#", 15) == 0, more == 0);
    log = tcp_fixture_finish(w);
    ck_assert_int_eq(strstr(log, "X(held-octets)") != NULL, more == 1);
    ck_assert_uint_eq(given_up(w), more);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(as_many_held_octets_of_all_as_may_be)
{
  static uint8_t payload[65536 - 100];
  enum { SIZE = 65536 - 100, CONNS = 32, EACH = 8 };
  for (size_t more = 0; more < 2; more++) {
    tcp_fixture *w = tcp_fixture_new();
    size_t left = ING_HELD_ALL_MAX + more;
    for (unsigned i = 0; left > 0; i++) {
      if (i % EACH == 0) {
        from_port(w, 1000 + i / EACH);
        tcp_fixture_shake(w);
      }
      size_t n = left > 2 * sizeof payload ? sizeof payload : left > sizeof payload ? 50000 : left;
      n -= n > 65000 ? 5000 : 0; /* as long as an IP packet may be */
      tcp_fixture_segment(w, CLIENT, "A", 3 + i % EACH * 65536, 0, payload, n - sizeof(ing_block));
      left -= n;
      ck_assert_int_eq(strstr(tcp_fixture_take(w), "held-octets") != NULL, more == 1 && left == 0);
    }
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* What its receiver acknowledged is not to be expected any more: giving it up costs nothing. */
START_TEST(an_acknowledged_hole_is_no_limit)
{
  static uint8_t payload[60000];
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, SERVER, "A", 0, 3, "");
  for (long i = 0; i < 20; i++) {
    tcp_fixture_segment(w, CLIENT, "A", 3 + i * 60000, 0, payload, sizeof payload);
  }
  ck_assert_int_eq(strncmp(tcp_fixture_take(w), "O G0@0+3 D0@3:#", 15), 0);
  expect_end(w, "E0@1200003C E1@0C X");
}
END_TEST

START_TEST(dropped_segments_with_bad_checksums_are_said)
{
  static uint8_t payload[60000];
  for (unsigned side = CLIENT; side <= SERVER; side++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    for (long i = 1; i < 40; i++) {
      w->sum = SUM_BAD;
      tcp_fixture_segment(w, side, "A", i * 60000, 0, payload, sizeof payload);
    }
    ck_assert_uint_lt(w->peak, INGEST_HELD_MAX + 2 * sizeof payload);
    expect_log(w, "O");
    expect_end(w, "E0@0C E1@0C X(held-octets)");
  }
}
END_TEST

/* Octets of cut packets wait for their acknowledgment: where too many do they go out before it, and
 * a better copy would come too late. */
START_TEST(octets_that_had_to_go_before_their_acknowledgment_are_said)
{
  static uint8_t payload[60000];
  const size_t captured = sizeof payload - 8;
  const long most = INGEST_HELD_MAX / (long)captured;
  for (long more = 0; more < 2; more++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_shake(w);
    for (long i = 0; i < most + more; i++) {
      w->cut = 8;
      tcp_fixture_segment(w, CLIENT, "A", i * 60000, 0, payload, sizeof payload);
    }
    const char *log = tcp_fixture_take(w);
    ck_assert_str_eq(log, more == 0 ? "O" : "O D0@0:#59992 G0@59992+8s");
    ck_assert_int_eq(strstr(tcp_fixture_finish(w), "X(held-octets)") != NULL, more);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* --- Memory --- */

START_TEST(no_memory_for_another_connection)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  from_port(w, 2);
  tcp_fixture_shake(w);
  expect_log(w, "aO bO");
  w->room = w->live + 1;
  from_port(w, 3);
  tcp_fixture_shake(w);
  expect_log(w, "aG0@0+3(memory) aD0@3:def aE0@6C aE1@0C aX(memory) cO");
  ck_assert_uint_eq(given_up(w), 1);
  expect_end(w, "bE0@0C bE1@0C bX cE0@0C cE1@0C cX");
}
END_TEST

START_TEST(closed_connections_give_their_memory_first)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  from_port(w, 2);
  tcp_fixture_shake(w);
  from_port(w, 1);
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "FA", 0, 0, "");
  tcp_fixture_send(w, SERVER, "FA", 0, 1, "");
  tcp_fixture_take(w);
  w->room = w->live + 1;
  from_port(w, 3);
  tcp_fixture_shake(w);
  expect_log(w, "cO");
  ck_assert_uint_eq(given_up(w), 0);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(memory_for_held_octets_comes_from_silent_connections)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  for (unsigned i = 0; i < 5; i++) {
    from_port(w, 1 + i);
    tcp_fixture_shake(w);
  }
  tcp_fixture_take(w);
  from_port(w, 1); /* heard of last now */
  w->room = w->live + 100;
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  const char *log = tcp_fixture_take(w);
  ck_assert_int_eq(strncmp(log, "bE0@0C bE1@0C bX(memory)", 24), 0);
  ck_assert_ptr_null(strstr(log, "a"));
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "aD0@0:abc aD0@3:def");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* They are kept before the hole is given up, which happens at this packet: so it ends before them.
 */
START_TEST(memory_is_found_before_a_hole_is_given_up)
{
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  from_port(w, 1);
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 9, 0, "more");
  from_port(w, 2);
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  tcp_fixture_idle(w, SERVER, 0, 6, 75); /* the next packet gives it up */
  expect_log(w, "aO bO");
  w->room = w->live;
  tcp_fixture_send(w, CLIENT, "A", 1, 0, "bc");
  expect_log(w, "aG0@0+9(memory) aD0@9:more aE0@13C aE1@0C aX(memory) bG0@0+1 bD0@1:bc bD0@3:def");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* No other connection can be given up. */
START_TEST(no_memory_for_held_octets)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  w->room = w->live;
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  expect_log(w, "O");
  w->room = 0;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "ghi");
  expect_log(w, "D0@0:abc");
  expect_end(w, "G0@3+3(memory) D0@6:ghi E0@9C E1@0C X(memory)");
}
END_TEST

START_TEST(no_memory_for_a_range_that_was_cut_off)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  w->room = w->live;
  w->cut = 3;
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  w->room = 0;
  tcp_fixture_take(w);
  expect_end(w, "G0@0+6(memory) E0@6C E1@0C X(memory)");
}
END_TEST

/* The consumer takes a segment and gives it back, and there is no memory to keep its octets. */
START_TEST(no_memory_for_octets_that_are_held)
{
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, "O D0@0:abc");
  w->mute = true;
  tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
  const ingest_packet pkt = {.data = w->packet,
                             .caplen = w->packet_len,
                             .len = w->packet_len,
                             .link_type = 1,
                             .number = ++w->number,
                             .time_ns = 1};
  ck_assert_int_eq(ingest_push(w->ing, &pkt), INGEST_DUE_EVENT);
  const ingest_segment *seg = ingest_next_segment(w->ing);
  ck_assert(seg->may_wait);
  ck_assert_int_eq(ingest_due_after(w->ing), INGEST_DUE_NOTHING);
  ingest_hold(w->ing, INGEST_HELD_WRONG, seg->len);
  w->room = w->live;
  ingest_take_segment(w->ing);
  ck_assert_int_eq(ingest_due_after(w->ing), INGEST_DUE_MORE);
  tcp_fixture_drain(w);
  ck_assert_int_eq(ingest_due_after(w->ing), INGEST_DUE_NOTHING);
  memset(w->packet, 0, w->packet_len); /* which is the caller's again */
  w->room = 0;
  tcp_fixture_send(w, CLIENT, "A", 6, 0, "ghi");
  expect_end(w, "G0@3+3(memory) D0@6:ghi E0@9C E1@0C X(memory)");
}
END_TEST

START_TEST(no_memory_at_all)
{
  tcp_fixture *w = tcp_fixture_new();
  w->room = w->live;
  tcp_fixture_shake(w);
  ck_assert_uint_eq(ingest_stats_get(w->ing)->dropped, 3);
  w->room = 0;
  tcp_fixture_shake(w);
  expect_log(w, "O");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* The connection itself, the table, its buckets: each may be refused. */
START_TEST(no_memory_for_the_table)
{
  for (long gets = 0; gets < 3; gets++) {
    tcp_fixture *w = tcp_fixture_new();
    w->gets_left = gets;
    tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
    expect_log(w, "");
    ck_assert_uint_eq(ingest_stats_get(w->ing)->dropped, 1);
    w->gets_left = -1;
    tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
    expect_log(w, "O");
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* More buckets are refused: connections go until there is memory for them; the others stay. */
START_TEST(no_memory_for_a_larger_table)
{
  tcp_fixture *w = tcp_fixture_new();
  unsigned n = 0;
  for (; given_up(w) == 0; n++) {
    expect(n < 1000, "nothing was refused");
    from_port(w, 1000 + n);
    w->room = n == 0 ? 0 : w->live + 700; /* enough for a connection */
    tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
    w->log_len = 0;
  }
  ck_assert_uint_gt(n, 64);
  ck_assert_uint_lt(given_up(w), 20);
  const uint64_t gone = given_up(w);
  for (unsigned i = (unsigned)gone; i < n; i++) {
    from_port(w, 1000 + i);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    expect_log(w, "D0@0:abc");
  }
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* The octets missing at the end are reported, however many octets alloc gives. */
START_TEST(any_amount_of_memory)
{
  for (size_t room = 0; room < 40000; room += 97) {
    tcp_fixture *w = tcp_fixture_new();
    w->name_conns = true;
    w->room = w->live + room;
    uint64_t lost = 0;
    for (unsigned i = 0; i < 20; i++) {
      from_port(w, 1000 + i % 10);
      tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
      tcp_fixture_send(w, CLIENT, "A", 6, 0, "ghi");
      tcp_fixture_send(w, CLIENT, "A", 3, 0, "def");
      const char *log = tcp_fixture_take(w);
      lost += strstr(log, "ghi") == NULL && i < 10;
    }
    tcp_fixture_finish(w);
    expect(lost == 0 || given_up(w) > 0 || ingest_stats_get(w->ing)->dropped > 0, "room %zu", room);
    expect(w->peak <= w->room || w->room == 0, "room %zu", room);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* --- The key --- */

/* A number that stands for all events of connections, holes and limits: all that could depend on
 * the shape of a table. */
static uint64_t digest_with_key(uint64_t a, uint64_t b, size_t room) {
  tcp_fixture *w = tcp_fixture_new();
  ingest_free(w->ing);
  w->cfg.hash_key[0] = a;
  w->cfg.hash_key[1] = b;
  w->ing = ingest_new(&w->cfg);
  w->room = room;
  uint64_t digest = 0;
  for (unsigned i = 0; i <= 4000; i++) {
    from_port(w, 1000 + i * 7919 % 1200);
    if (i == 4000) {
      ingest_finish(w->ing);
      tcp_fixture_drain(w);
    } else {
      tcp_fixture_send(w, CLIENT, i % 5 == 0 ? "S" : "A", i % 5 == 0 ? -1 : (long)(i * 31 % 90), 0,
                       "abcd");
      tcp_fixture_send(w, SERVER, i % 11 == 0 ? "FA" : "A", (long)(i * 17 % 60), (long)(i % 50),
                       "wxyz");
    }
    for (const char *c = tcp_fixture_take(w); *c != '\0'; c++) {
      digest = (digest ^ (unsigned char)*c) * UINT64_C(1099511628211);
    }
  }
  digest += given_up(w);
  ck_assert_int_eq(given_up(w) > 0, room != 0);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
  return digest;
}

START_TEST(events_do_not_depend_on_the_key)
{
  static const size_t rooms[] = {0, 100000, 300000};
  for (size_t r = 0; r < sizeof rooms / sizeof rooms[0]; r++) {
    const uint64_t digest = digest_with_key(0, 0, rooms[r]);
    for (uint64_t key = 1; key < 25; key++) {
      const uint64_t other =
          digest_with_key(key * 0x9E3779B97F4A7C15u, ~key * 0xBF58476D1CE4E5B9u, rooms[r]);
      ck_assert_uint_eq(other, digest);
    }
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {as_many_connections_as_may_be,
                                those_that_nobody_answered_go_first,
                                one_too_many_is_said,
                                a_closed_one_loses_nothing,
                                chosen_addresses_evict_nobody,
                                as_many_held_octets_as_may_be,
                                as_many_held_octets_of_all_as_may_be,
                                an_acknowledged_hole_is_no_limit,
                                dropped_segments_with_bad_checksums_are_said,
                                octets_that_had_to_go_before_their_acknowledgment_are_said,
                                no_memory_for_another_connection,
                                closed_connections_give_their_memory_first,
                                memory_for_held_octets_comes_from_silent_connections,
                                memory_is_found_before_a_hole_is_given_up,
                                no_memory_for_held_octets,
                                no_memory_for_a_range_that_was_cut_off,
                                no_memory_for_octets_that_are_held,
                                no_memory_at_all,
                                no_memory_for_the_table,
                                no_memory_for_a_larger_table,
                                any_amount_of_memory,
                                events_do_not_depend_on_the_key,
                                NULL};
  return check_run(check_suite("ingest-limits", tests));
}
