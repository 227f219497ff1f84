/* SPDX-License-Identifier: BSD-2-Clause */
/* Which segments begin another connection between the same two ends: each limit, and one octet to
 * either side of it. */
#include "check_run.h"

#include "ingest/conn.h"
#include "tcp_fixture.h"

#define START 0x10000000u /* of both directions, low and high enough for every distance */
#define SENT 1000u        /* octets that each side sent */

static ing_conn conn;
static ing_segment seg;

static void begin(void) {
  conn = (ing_conn){0};
  for (unsigned side = 0; side < 2; side++) {
    ing_dir *d = &conn.dir[side];
    d->started = true;
    d->start_known = true;
    d->start = START;
    d->next = START + SENT;
    d->seen = START + SENT;
    d->acked = START + SENT;
    d->fin = ING_NONE;
  }
  seg = (ing_segment){.seq = START + SENT, .ack = START + SENT, .flags = ING_ACK};
  seg.payload.len = 1;
}

static bool reused(unsigned side) {
  return ing_reused(&conn, side, &seg);
}

/* With the first octet of its stream at `start`. */
static bool syn_at(uint32_t start, uint8_t flags) {
  seg.flags = flags;
  seg.seq = start - 1;
  return reused(0);
}

START_TEST(a_syn_of_a_known_start)
{
  begin();
  expect(!syn_at(START, ING_SYN), "the same again");
  expect(syn_at(START + 1, ING_SYN), "one higher");
  expect(syn_at(START - 1, ING_SYN), "one lower");
}
END_TEST

START_TEST(a_syn_that_was_overtaken)
{
  begin();
  conn.dir[0].start_known = false;
  expect(!syn_at(START, ING_SYN), "right before");
  expect(!syn_at(START - ING_LATE_SYN, ING_SYN), "as far as it may be");
  expect(syn_at(START - ING_LATE_SYN - 1, ING_SYN), "one octet more");
  expect(syn_at(START + 1, ING_SYN), "above what was seen");
  conn.packets = ING_PATIENCE;
  expect(!syn_at(START, ING_SYN), "as late as it may be");
  conn.packets = ING_PATIENCE + 1;
  expect(syn_at(START, ING_SYN), "one packet later");
  conn.packets = 0;
  conn.dir[0].fin = START + SENT;
  expect(syn_at(START, ING_SYN), "after the FIN");
  conn.dir[0].fin = ING_NONE;
  seg.ack = START + ING_LATE_SYN;
  expect(!syn_at(START, ING_SYN | ING_ACK), "it acknowledges the other side's start");
  seg.ack = START + ING_LATE_SYN + 1;
  expect(syn_at(START, ING_SYN | ING_ACK), "it acknowledges something else");
  conn.closed = true;
  expect(!syn_at(START, ING_SYN), "closed, the same again");
  expect(syn_at(START - 1, ING_SYN), "closed, another");
}
END_TEST

START_TEST(a_syn_of_a_side_that_was_silent)
{
  begin();
  conn.dir[0].started = false;
  expect(syn_at(7, ING_SYN), "the other side has sent something");
  conn.dir[1].seen = START;
  expect(!syn_at(7, ING_SYN), "it has sent nothing but its SYN");
  conn.dir[1].started = false;
  conn.dir[1].seen = START + 1;
  expect(!syn_at(7, ING_SYN), "it has sent nothing");
  conn.closed = true;
  expect(syn_at(7, ING_SYN), "closed");
}
END_TEST

START_TEST(a_syn_that_acknowledges)
{
  begin();
  conn.dir[0].started = false;
  const uint8_t both = ING_SYN | ING_ACK;
  seg.ack = START + ING_LATE_SYN;
  expect(!syn_at(7, both), "above, as far as it may be");
  seg.ack = START + ING_LATE_SYN + 1;
  expect(syn_at(7, both), "above, one octet more");
  seg.ack = START - ING_LATE_SYN;
  expect(!syn_at(7, both), "below, as far as it may be");
  seg.ack = START - ING_LATE_SYN - 1;
  expect(syn_at(7, both), "below, one octet more");
  conn.dir[1].started = false;
  expect(!syn_at(7, both), "there is nothing to compare with");
}
END_TEST

START_TEST(a_broken_syn_proves_nothing)
{
  begin();
  seg.sum = ING_SUM_BAD;
  expect(syn_at(7, ING_SYN), "where checksums say nothing");
  conn.dir[0].proven = true;
  expect(!syn_at(7, ING_SYN), "where they are right otherwise");
  conn.dir[0].proven = false;
  conn.closed = true;
  expect(!syn_at(7, ING_SYN), "when all is over");
  seg.sum = ING_SUM_UNKNOWN;
  conn.dir[0].proven = true;
  expect(syn_at(7, ING_SYN), "one that cannot be checked is none");
}
END_TEST

/* A segment at this number, and one that acknowledges it, after both sides left. */
static bool foreign_seq(uint32_t number) {
  seg.seq = number;
  seg.ack = START + SENT;
  return reused(0);
}

static bool foreign_ack(uint32_t number) {
  seg.seq = START + SENT;
  seg.ack = number;
  return reused(1);
}

START_TEST(numbers_of_a_connection_that_is_over)
{
  const uint32_t end = START + SENT;
  begin();
  conn.rst = true;
  bool (*const numbers[])(uint32_t) = {foreign_seq, foreign_ack};
  for (unsigned i = 0; i < 2; i++) {
    bool (*const is_foreign)(uint32_t) = numbers[i];
    expect(!is_foreign(end), "its end");
    expect(!is_foreign(end + ING_REUSE_BEYOND), "above, as far as it may be");
    expect(is_foreign(end + ING_REUSE_BEYOND + 1), "above, one octet more");
    expect(!is_foreign(START - ING_REUSE_BEYOND), "below, as far as it may be");
    expect(is_foreign(START - ING_REUSE_BEYOND - 1), "below, one octet more");
  }
  conn.dir[0].start_known = false;
  expect(!foreign_seq(START - ING_REUSE_BEYOND - 1), "what lay below is not known");
  expect(!foreign_seq(end - ING_REUSE_AWAY), "away, as far as it may be");
  expect(foreign_seq(end - ING_REUSE_AWAY - 1), "away, one octet more");
  conn.dir[0].started = false;
  expect(!foreign_seq(end - ING_REUSE_AWAY - 1), "nothing to compare with");
}
END_TEST

START_TEST(where_a_connection_ends)
{
  const uint32_t end = START + SENT;
  begin();
  conn.closed = true;
  conn.dir[0].seen = end + 5;
  expect(!foreign_seq(end + 5 + ING_REUSE_BEYOND), "what was seen");
  expect(foreign_seq(end + 6 + ING_REUSE_BEYOND), "past what was seen");
  conn.dir[0].acked = end + 9;
  expect(!foreign_seq(end + 9 + ING_REUSE_BEYOND), "what was acknowledged");
  expect(foreign_seq(end + 10 + ING_REUSE_BEYOND), "past what was acknowledged");
  conn.dir[0].fin = end + 2;
  expect(!foreign_seq(end + 2 + ING_REUSE_BEYOND), "its FIN");
  expect(foreign_seq(end + 3 + ING_REUSE_BEYOND), "past its FIN");
}
END_TEST

START_TEST(only_of_a_connection_that_is_over)
{
  const uint32_t far = START + SENT + ING_REUSE_BEYOND + 1;
  begin();
  expect(!foreign_seq(far), "open");
  conn.dir[0].fin = START + SENT;
  expect(!foreign_seq(far), "one FIN");
  conn.dir[1].fin = START + SENT;
  conn.dir[0].fin = ING_NONE;
  expect(!foreign_seq(far), "the other one");
  conn.dir[0].fin = START + SENT;
  expect(foreign_seq(far), "both");
  seg.payload.len = 0;
  expect(!foreign_seq(far), "without octets");
  seg.payload.len = 1;
  seg.sum = ING_SUM_BAD;
  expect(!foreign_seq(far), "with a wrong checksum");
  seg.sum = ING_SUM_UNKNOWN;
  expect(foreign_seq(far), "without a checksum");
  seg.flags = 0;
  expect(!foreign_ack(far), "an acknowledgement without its flag");
}
END_TEST

START_TEST(numbers_out_of_every_window)
{
  begin();
  conn.dir[0].out_of_window = ING_OUT_OF_WINDOW_MAX;
  expect(!foreign_seq(START + SENT + ING_SANE), "the largest window");
  expect(foreign_seq(START + SENT + ING_SANE + 1u), "one octet more");
  expect(foreign_seq(START + SENT - ING_SANE - 1u), "below");
  conn.dir[0].out_of_window = ING_OUT_OF_WINDOW_MAX - 1;
  expect(!foreign_seq(START + SENT + ING_SANE + 1u), "not often enough");
  conn.dir[0].out_of_window = ING_OUT_OF_WINDOW_MAX;
  conn.dir[0].started = false;
  expect(!foreign_seq(START + SENT + ING_SANE + 1u), "nothing to compare with");
}
END_TEST

/* --- Without a SYN --- */

static ingest_opening opening(const uint8_t *data, size_t len) {
  if (data[0] == 'Q' && len <= 4) {
    return len == 4 ? INGEST_OPENING_REQUEST : INGEST_OPENING_REQUEST_PART;
  }
  return data[0] == 'P' && len >= 4 ? INGEST_OPENING_REPLY : INGEST_OPENING_NONE;
}

/* A connection of which data alone is captured: 100 octets of each side. */
static tcp_fixture *data_alone(unsigned family, uint32_t client, uint32_t server) {
  tcp_fixture *w = tcp_fixture_new();
  uint8_t octets[100] = {0};
  ingest_free(w->ing);
  w->cfg.opening = opening;
  w->ing = ingest_new(&w->cfg);
  w->name_conns = true;
  w->end[0].family = w->end[1].family = (uint8_t)family;
  w->isn[CLIENT] = client;
  w->isn[SERVER] = server;
  tcp_fixture_segment(w, CLIENT, "A", 0, 0, octets, sizeof octets);
  tcp_fixture_segment(w, SERVER, "A", 0, 100, octets, sizeof octets);
  tcp_fixture_segment(w, CLIENT, "A", 100, 100, octets, sizeof octets);
  expect_log(w, "aO aD0@0:#100 aD1@0:#100 aD0@100:#100");
  return w;
}

/* How far both directions jump: each number from the first octet of the earlier connection. */
typedef struct jump {
  uint32_t client;
  uint32_t server;
} jump;

static const jump jumps_taken[] = {
    {70000, 70000},
    {70000, 3000},
    {3000, 70000},
    {0x40000000, 5000},
    {5000, 1u << 31},
    {0xC0000000, 0xD0000000},
    {(uint32_t)-5000, (uint32_t)-70000},
};

START_TEST(another_connection_without_a_syn)
{
  for (size_t i = 0; i < 2 * sizeof jumps_taken / sizeof jumps_taken[0]; i++) {
    const jump *j = &jumps_taken[i / 2];
    tcp_fixture *w = data_alone(i % 2 == 0 ? 4 : 6, UINT32_MAX - 50, 77);
    w->isn[CLIENT] += j->client;
    w->isn[SERVER] += j->server;
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "Qreq");
    expect_log(w, "");
    tcp_fixture_send(w, SERVER, "A", 0, 4, "Prep!");
    tcp_fixture_send(w, CLIENT, "A", 4, 5, "x");
    ck_assert_ptr_nonnull(strstr(tcp_fixture_take(w), "C aX bO bD0@0:Qreq bD1@0:Prep! bD0@4:x"));
    ck_assert(w->ends.reused);
    expect_end(w, "bE0@5C bE1@5C bX");
  }
}
END_TEST

START_TEST(another_connection_whose_first_octets_come_in_two_segments)
{
  for (size_t i = 0; i < sizeof jumps_taken / sizeof jumps_taken[0]; i++) {
    const jump *j = &jumps_taken[i];
    tcp_fixture *w = data_alone(4, UINT32_MAX - 50, 77);
    w->isn[CLIENT] += j->client;
    w->isn[SERVER] += j->server;
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "Qr");
    tcp_fixture_send(w, CLIENT, "A", 2, 0, "eq");
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "Qreq"); /* again */
    expect_log(w, "");
    tcp_fixture_send(w, SERVER, "A", 0, 4, "Prep!");
    tcp_fixture_send(w, CLIENT, "A", 4, 5, "x");
    ck_assert_ptr_nonnull(
        strstr(tcp_fixture_take(w), "C aX bO bD0@0:Qr bD0@2:eq bD1@0:Prep! bD0@4:x"));
    ck_assert(w->ends.reused);
    expect_end(w, "bE0@5C bE1@5C bX");
  }
}
END_TEST

/* Without the rest, or without an answer to it, the octets belong to the connection that is there.
 */
START_TEST(no_other_connection_where_the_rest_does_not_come)
{
  for (int i = 0; i < 6; i++) {
    tcp_fixture *w = data_alone(4, 1000, 77);
    w->isn[CLIENT] += 70000;
    w->isn[SERVER] += 70000;
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "Qr");
    expect_log(w, "");
    switch (i) {
    case 0: tcp_fixture_send(w, SERVER, "A", 0, 2, "Prep!"); break;
    case 1: tcp_fixture_send(w, CLIENT, "A", 3, 0, "eq"); break;
    case 2: tcp_fixture_send(w, CLIENT, "A", 2, 1, "eq"); break;
    case 3: tcp_fixture_send(w, CLIENT, "FA", 2, 0, "eq"); break;
    case 4: tcp_fixture_send(w, CLIENT, "A", 2, 0, "eq!"); break;
    default:
      tcp_fixture_send(w, CLIENT, "A", 2, 0, "eq");
      tcp_fixture_send(w, SERVER, "A", 0, 2, "Prep!");
      break;
    }
    ck_assert_ptr_null(strstr(tcp_fixture_take(w), "bO"));
    ck_assert(!w->ends.reused);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* The last segment of the handshake was captured, and others without octets. */
START_TEST(another_connection_after_segments_without_octets)
{
  for (size_t i = 0; i < sizeof jumps_taken / sizeof jumps_taken[0]; i++) {
    const jump *j = &jumps_taken[i];
    tcp_fixture *w = data_alone(4, UINT32_MAX - 50, 77);
    w->isn[CLIENT] += j->client;
    w->isn[SERVER] += j->server;
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "");
    tcp_fixture_send(w, SERVER, "A", 0, 0, "");
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "Qreq");
    expect_log(w, "");
    tcp_fixture_send(w, SERVER, "A", 0, 4, "");
    tcp_fixture_send(w, SERVER, "A", 0, 4, "Prep!");
    tcp_fixture_send(w, CLIENT, "A", 4, 5, "x");
    ck_assert_ptr_nonnull(strstr(tcp_fixture_take(w), "C aX bO bD0@0:Qreq bD1@0:Prep! bD0@4:x"));
    expect_end(w, "bE0@5C bE1@5C bX");
  }
}
END_TEST

/* It acknowledges octets that were not sent, at a number that its sender never had: nothing is
 * missing. */
START_TEST(a_late_acknowledgment_of_the_connection_before)
{
  static const jump apart[] = {{70000, 70000}, {70000, 1}, {101, 70000}, {1u << 29, 1u << 29}};
  for (size_t i = 0; i < 2 * sizeof apart / sizeof apart[0]; i++) {
    const bool swap = i % 2 != 0;
    const jump *j = &apart[i / 2];
    tcp_fixture *w = data_alone(4, 1000, 77);
    tcp_fixture_send(w, SERVER, "A", 100, 200, "");
    tcp_fixture_send(w, swap, "A", 200 + (long)j->client, 200 + (long)j->server, "");
    tcp_fixture_send(w, CLIENT, "FA", 200, 100, "");
    tcp_fixture_send(w, SERVER, "FA", 100, 201, "");
    tcp_fixture_send(w, CLIENT, "A", 201, 101, "");
    expect_end(w, "aE0@200F aE1@100F aX");
  }
}
END_TEST

START_TEST(an_acknowledgment_of_octets_that_the_capture_lacks)
{
  tcp_fixture *w = data_alone(4, 1000, 77);
  tcp_fixture_send(w, SERVER, "A", 100, 80200, "");
  expect_end(w, "aG0@200+80000 aE0@80200C aE1@100C aX");
  w = data_alone(4, 1000, 77);
  tcp_fixture_send(w, SERVER, "A", 300, 400, "");
  expect_end(w, "aG0@200+200 aG1@100+200 aE0@400C aE1@300C aX");
}
END_TEST

START_TEST(its_first_segment_comes_again)
{
  tcp_fixture *w = data_alone(4, 1000, 77);
  w->isn[CLIENT] += 1u << 29;
  w->isn[SERVER] += 1u << 28;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "Qreq");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "Q");
  tcp_fixture_send(w, SERVER, "A", 0, 4, "");
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "Qreq");
  tcp_fixture_send(w, CLIENT, "A", 4, 0, "");
  expect_log(w, "");
  tcp_fixture_send(w, SERVER, "A", 0, 4, "Prep");
  ck_assert_ptr_nonnull(strstr(tcp_fixture_take(w), "C aX bO bD0@0:Qreq bD1@0:Prep"));
  expect_end(w, "bE0@4C bE1@4C bX");
}
END_TEST

/* The octets belong to the connection that is there. */
START_TEST(no_other_connection_without_an_answer)
{
  static const struct {
    jump j;
    const char *request;
    const char *reply;
    long reply_seq;
    long reply_ack;
  } rows[] = {
      {{1u << 29, 1u << 28}, "Qreq", "Nope", 0, 4}, {{1u << 29, 1u << 28}, "Qreq", "Prep", 1, 4},
      {{1u << 29, 1u << 28}, "Qreq", "Prep", 0, 3}, {{1u << 29, 1u << 28}, "Qreq?", "Prep", 0, 5},
      {{1u << 29, 100}, "Qreq", "Prep", 0, 4},      {{200, 1u << 28}, "Qreq", "Prep", 0, 4},
      {{65000, 65000}, "Qreq", "Prep", 0, 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    tcp_fixture *w = data_alone(4, 1000, 77);
    w->isn[CLIENT] += rows[i].j.client;
    w->isn[SERVER] += rows[i].j.server;
    tcp_fixture_send(w, CLIENT, "A", 0, 0, rows[i].request);
    tcp_fixture_send(w, SERVER, "A", rows[i].reply_seq, rows[i].reply_ack, rows[i].reply);
    const char *got = tcp_fixture_finish(w);
    ck_assert_ptr_null(strstr(got, "bO"));
    ck_assert_ptr_nonnull(strstr(got, rows[i].request));
    ck_assert(!w->ends.reused);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(the_connection_goes_on)
{
  tcp_fixture *w = data_alone(4, 1000, 77);
  w->isn[CLIENT] += 1u << 29;
  w->isn[SERVER] += 1u << 28;
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "Qreq");
  w->isn[CLIENT] -= 1u << 29;
  w->isn[SERVER] -= 1u << 28;
  tcp_fixture_send(w, SERVER, "A", 100, 200, "abc");
  expect_log(w, "aD1@100:abc");
  ck_assert_str_eq(tcp_fixture_finish(w), "aG0@200+536870712 aG1@103+268435353 "
                                          "aD0@536870912:Qreq aE0@536870916C aE1@268435456C aX");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* --- A SYN while the connection lives --- */

/* A connection with 4 octets of the client and 3 of the server. */
static tcp_fixture *alive(void) {
  tcp_fixture *w = tcp_fixture_new();
  w->name_conns = true;
  tcp_fixture_shake(w);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abcd");
  tcp_fixture_send(w, SERVER, "A", 0, 4, "efg");
  expect_log(w, "aO aD0@0:abcd aD1@0:efg");
  return w;
}

/* Anybody can send it: the other side acknowledges what it has, and both go on. RFC 5961 4 */
START_TEST(a_syn_that_is_challenged_begins_nothing)
{
  static const long apart[] = {0, 4, 5, 9000, 70000, 1L << 30, 1L << 31, -1, -70000};
  for (size_t i = 0; i < 2 * sizeof apart / sizeof apart[0]; i++) {
    const unsigned side = i % 2 == 0 ? CLIENT : SERVER;
    tcp_fixture *w = alive();
    tcp_fixture_send(w, side, "S", apart[i / 2], 0, "");
    tcp_fixture_send(w, side ^ 1u, "A", side == CLIENT ? 3 : 4, side == CLIENT ? 4 : 3, "");
    tcp_fixture_send(w, SERVER, "A", 3, 4, "h");
    tcp_fixture_send(w, CLIENT, "A", 4, 4, "ij");
    tcp_fixture_send(w, SERVER, "FA", 4, 6, "k");
    tcp_fixture_send(w, CLIENT, "FA", 6, 6, "");
    ck_assert_uint_eq(ingest_stats_get(w->ing)->connections, 1);
    expect_end(w, "aD1@3:h aD0@4:ij aD1@4:k aE1@5F aE0@6F aX");
  }
}
END_TEST

/* Where that connection ends, seen from the other numbers. */
#define CLIENT_ENDS "aE0@-536870908C"
#define SERVER_ENDS "aE1@268435459C"

/* Moves both directions to other numbers, and sends a SYN there that waits. */
static tcp_fixture *syn_waits(void) {
  tcp_fixture *w = alive();
  w->isn[CLIENT] += 1u << 29;
  w->isn[SERVER] -= 1u << 28;
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  tcp_fixture_send(w, CLIENT, "S", -1, 0, "");
  expect_log(w, "");
  return w;
}

/* The octets of the earlier connection count until then. */
START_TEST(a_syn_that_is_answered_begins_another_connection)
{
  tcp_fixture *w = syn_waits();
  w->isn[CLIENT] -= 1u << 29;
  w->isn[SERVER] += 1u << 28;
  tcp_fixture_send(w, SERVER, "A", 3, 4, "old");
  expect_log(w, "aD1@3:old");
  w->isn[CLIENT] += 1u << 29;
  w->isn[SERVER] -= 1u << 28;
  tcp_fixture_send(w, SERVER, "SA", -1, 0, "");
  ck_assert(w->ends.reused);
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  expect_log(w, CLIENT_ENDS " aE1@268435462C aX bO bD0@0:abc");
  ck_assert(w->last[0].start_known);
  expect_end(w, "bE0@3C bE1@0C bX");
}
END_TEST

/* The capture lacks the SYN+ACK; the first segment after it is of either side. */
START_TEST(a_syn_that_is_followed_begins_another_connection)
{
  for (unsigned side = 0; side < 2; side++) {
    tcp_fixture *w = syn_waits();
    tcp_fixture_send(w, side, "A", 0, 0, "");
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    tcp_fixture_send(w, SERVER, "A", 0, 3, "de");
    expect_log(w, CLIENT_ENDS " " SERVER_ENDS " aX bO bD0@0:abc bD1@0:de");
    expect_end(w, "bE0@3C bE1@2C bX");
  }
}
END_TEST

START_TEST(a_syn_that_is_refused_was_another_connection)
{
  tcp_fixture *w = syn_waits();
  w->isn[SERVER] = UINT32_MAX;
  tcp_fixture_send(w, SERVER, "RA", 0, 0, "");
  ck_assert_ptr_nonnull(strstr(tcp_fixture_take(w), CLIENT_ENDS " aE1@"));
  ck_assert_uint_eq(ingest_stats_get(w->ing)->connections, 2);
  expect_end(w, "bE0@0R bX");
}
END_TEST

/* One side lost its connection: it resets what the other side still has, and tries again. An RST
 * that acknowledges something is of a side that has its connection. */
START_TEST(a_syn_after_which_the_earlier_connection_is_reset)
{
  for (unsigned has = 0; has < 2; has++) {
    tcp_fixture *w = syn_waits();
    w->isn[CLIENT] -= 1u << 29;
    w->isn[SERVER] += 1u << 28;
    tcp_fixture_send(w, SERVER, "A", 3, 4, "");
    tcp_fixture_send(w, CLIENT, has ? "RA" : "R", 4, 3, "");
    expect_log(w, has ? "aE0@4R" : "aE0@4C aE1@3C aX bO");
    w->isn[CLIENT] += 1u << 29;
    w->isn[SERVER] -= 1u << 28;
    tcp_fixture_shake(w);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    expect_log(w, has ? "aE1@268435459R aX bO bD0@0:abc" : "bD0@0:abc");
    expect_end(w, "bE0@3C bE1@0C bX");
  }
}
END_TEST

START_TEST(a_syn_that_nobody_answers_begins_nothing)
{
  tcp_fixture *w = syn_waits();
  expect_end(w, CLIENT_ENDS " " SERVER_ENDS " aX");
}
END_TEST

START_TEST(without_memory_for_a_syn)
{
  for (long gets = 0; gets < 8; gets++) {
    tcp_fixture *w = alive();
    w->isn[CLIENT] += 1u << 29;
    w->isn[SERVER] -= 1u << 28;
    w->gets_left = gets;
    tcp_fixture_shake(w);
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
    (void)tcp_fixture_finish(w);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(without_memory_for_the_first_segment)
{
  for (long gets = 0; gets < 12; gets++) {
    tcp_fixture *w = data_alone(4, 1000, 77);
    w->isn[CLIENT] += 1u << 29;
    w->isn[SERVER] += 1u << 28;
    w->gets_left = gets;
    tcp_fixture_send(w, CLIENT, "A", 0, 0, "Qreq");
    tcp_fixture_send(w, SERVER, "A", 0, 4, "Prep");
    tcp_fixture_send(w, CLIENT, "A", 4, 4, "x");
    (void)tcp_fixture_finish(w);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

START_TEST(the_nearest_position)
{
  const uint64_t near = 0x500000010u;
  expect(ing_unwrap(near, 0x10) == near, "itself");
  expect(ing_unwrap(near, 0x0F) == near - 1, "one lower");
  expect(ing_unwrap(near, 0xFFFFFFFF) == 0x4FFFFFFFFu, "below the wrap");
  expect(ing_unwrap(near, 0x8000000F) == near + 0x7FFFFFFF, "the farthest above");
  expect(ing_unwrap(near, 0x80000010) == near - 0x80000000u, "the farthest below");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_syn_of_a_known_start,
                                a_syn_that_was_overtaken,
                                a_syn_of_a_side_that_was_silent,
                                a_syn_that_acknowledges,
                                a_broken_syn_proves_nothing,
                                numbers_of_a_connection_that_is_over,
                                where_a_connection_ends,
                                only_of_a_connection_that_is_over,
                                numbers_out_of_every_window,
                                another_connection_without_a_syn,
                                another_connection_whose_first_octets_come_in_two_segments,
                                no_other_connection_where_the_rest_does_not_come,
                                another_connection_after_segments_without_octets,
                                a_late_acknowledgment_of_the_connection_before,
                                an_acknowledgment_of_octets_that_the_capture_lacks,
                                its_first_segment_comes_again,
                                no_other_connection_without_an_answer,
                                the_connection_goes_on,
                                a_syn_that_is_challenged_begins_nothing,
                                a_syn_that_is_answered_begins_another_connection,
                                a_syn_that_is_followed_begins_another_connection,
                                a_syn_that_is_refused_was_another_connection,
                                a_syn_after_which_the_earlier_connection_is_reset,
                                a_syn_that_nobody_answers_begins_nothing,
                                without_memory_for_a_syn,
                                without_memory_for_the_first_segment,
                                the_nearest_position,
                                NULL};
  return check_run(check_suite("ingest_reuse", tests));
}
