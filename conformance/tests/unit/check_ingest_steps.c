/* SPDX-License-Identifier: BSD-2-Clause */
/* Hostile captures: the counted work of ingest is at most 50 steps for an octet of input. */
#include "check_run.h"
#include "ingest/conn.h"
#include "prng.h"
#include "tcp_fixture.h"

/* Captured octets and 16 for the record of a packet are the input. */
enum { STEPS_MAX = 50, RECORD = 16 };

typedef struct attack {
  tcp_fixture *w;
  prng rng;
  uint64_t input;
  uint8_t frame[70000];
} attack;

static attack *attack_new(void) {
  attack *a = calloc(1, sizeof *a);
  ck_assert_ptr_nonnull(a);
  a->w = tcp_fixture_new();
  ingest_free(a->w->ing);
  a->w->cfg.hash_key[0] = UINT64_C(0x0123456789abcdef);
  a->w->cfg.hash_key[1] = UINT64_C(0xfedcba9876543210);
  a->w->ing = ingest_new(&a->w->cfg);
  a->rng.state = 7;
  return a;
}

static void drain(attack *a) {
  ingest_event ev;
  while (ingest_next(a->w->ing, &ev)) {
  }
}

static void push(attack *a, const uint8_t *data, size_t caplen, size_t len, int link) {
  const ingest_packet pkt = {
      .data = data, .caplen = caplen, .len = len, .link_type = link, .number = ++a->w->number};
  ingest_push(a->w->ing, &pkt);
  drain(a);
  a->input += caplen + RECORD;
}

/* A segment of `n` octets on the wire, of which `captured` are in the capture. */
static void segment(attack *a, unsigned side, const char *flags, long seq, long ack, size_t n,
                    size_t captured) {
  static const uint8_t payload[65000];
  a->w->mute = true;
  tcp_fixture_segment(a->w, side, flags, seq, ack, payload, n);
  /* As raw IP: the fewest octets. */
  push(a, a->w->packet + 14, a->w->packet_len - 14 - (n - captured), a->w->packet_len - 14, 101);
}

static void shake(attack *a) {
  segment(a, CLIENT, "S", -1, 0, 0, 0);
  segment(a, SERVER, "SA", -1, 0, 0, 0);
  segment(a, CLIENT, "A", 0, 0, 0, 0);
}

static void attack_end(attack *a, const char *name) {
  ingest_finish(a->w->ing);
  drain(a);
  const uint64_t steps = ingest_stats_get(a->w->ing)->steps;
  printf("%-40s %6.2f steps an octet\n", name, (double)steps / (double)a->input);
  expect(steps > 0 && steps <= STEPS_MAX * a->input, "%s: %llu steps for %llu octets", name,
         (unsigned long long)steps, (unsigned long long)a->input);
  ck_assert_uint_eq(tcp_fixture_free(a->w), 0);
  free(a);
}

/* --- The table --- */

static uint64_t open_mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

static uint64_t open_hash(const ingest_addr *addr) {
  uint64_t half[2];
  memcpy(half, addr->ip, sizeof half);
  return open_mix(half[0] + open_mix(half[1] + ((uint64_t)addr->family << 16 | addr->port)));
}

START_TEST(addresses_that_collide_without_a_key)
{
  attack *a = attack_new();
  tcp_fixture *w = a->w;
  uint32_t alike = 0;
  for (uint32_t i = 0; alike < 3000; i++) {
    tcp_fixture_put32(w->end[CLIENT].ip, i);
    if ((open_mix(open_hash(&w->end[0]) + open_hash(&w->end[1])) & 255) == 0) {
      segment(a, CLIENT, "S", -1, 0, 0, 0);
      alike++;
    }
  }
  attack_end(a, "colliding addresses");
}
END_TEST

START_TEST(floods)
{
  static const char *const flags[] = {"S", "A", "FA", "RA", "R", "SF"};
  for (size_t f = 0; f < sizeof flags / sizeof flags[0]; f++) {
    attack *a = attack_new();
    for (uint32_t i = 0; i < 150000; i++) {
      tcp_fixture_put32(a->w->end[CLIENT].ip, 0x0b000000 + i);
      segment(a, CLIENT, flags[f], -1, 0, 0, 0);
    }
    attack_end(a, flags[f]);
  }
}
END_TEST

START_TEST(ports_used_again)
{
  static const char *const flags[] = {"S", "FA", "RA", "A"};
  attack *a = attack_new();
  for (uint32_t i = 0; i < 60000; i++) {
    a->w->isn[CLIENT] = (uint32_t)prng_next(&a->rng);
    a->w->end[CLIENT].port = (uint16_t)prng_below(&a->rng, 8);
    segment(a, (unsigned)prng_below(&a->rng, 2), flags[prng_below(&a->rng, 4)], 0, 0,
            (size_t)prng_below(&a->rng, 2), 0);
  }
  attack_end(a, "ports used again");
}
END_TEST

START_TEST(ends_of_one_connection)
{
  attack *a = attack_new();
  shake(a);
  for (long i = 0; i < 30000; i++) {
    segment(a, CLIENT, i % 2 == 0 ? "FA" : "RA", 5 + i % 7, 0, 0, 0);
  }
  attack_end(a, "FIN and RST again and again");
}
END_TEST

START_TEST(memory_that_is_always_refused)
{
  attack *a = attack_new();
  a->w->room = a->w->live + 300000;
  for (uint32_t i = 0; i < 60000; i++) {
    a->w->end[CLIENT].port = (uint16_t)(i % 2000);
    segment(a, CLIENT, "A", 0, 0, 1, 1);
    segment(a, CLIENT, "A", (long)(1 + i % 90), 0, 1, 1);
  }
  attack_end(a, "little memory");
}
END_TEST

/* --- Held octets --- */

static void out_of_order(const char *name, long (*place)(attack *a, long i)) {
  attack *a = attack_new();
  shake(a);
  for (long i = 0; i < 40000; i++) {
    segment(a, CLIENT, "A", place(a, i), 0, 1, 1);
  }
  attack_end(a, name);
}

static long upwards(attack *a, long i) {
  (void)a;
  return 2 + 2 * i;
}

static long downwards(attack *a, long i) {
  (void)a;
  return 100000 - 2 * i;
}

static long anywhere(attack *a, long i) {
  (void)i;
  return 1 + (long)prng_below(&a->rng, 200000);
}

/*
 * The list of before drew its levels from xorshift32 with a fixed seed: blocks that were drawn a
 * low level are put in the front, so that each search walks all of them.
 */
static long low_levels_first(attack *a, long i) {
  static uint32_t x;
  x = i == 0 ? 2463534242u : x;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  (void)a;
  return (x & 3) != 0 ? 2 + 2 * i : 10000000 + 2 * i;
}

START_TEST(octets_out_of_order)
{
  out_of_order("one octet each, upwards", upwards);
  out_of_order("one octet each, downwards", downwards);
  out_of_order("one octet each, anywhere", anywhere);
  out_of_order("one octet each, low levels first", low_levels_first);
}
END_TEST

/* Segments that overlap thousands of held blocks, again and again; all of it captured, or little.
 */
static void overlap(const char *name, size_t captured, bool blocks_captured) {
  attack *a = attack_new();
  shake(a);
  for (long i = 0; i < 6000; i++) {
    segment(a, CLIENT, "A", 10 + 2 * i, 0, 1, blocks_captured ? 1 : 0);
  }
  for (long i = 0; i < 2000; i++) {
    segment(a, CLIENT, "A", 9 + i % 50, 0, 40000, captured);
  }
  attack_end(a, name);
}

START_TEST(segments_that_overlap_many)
{
  overlap("overlaps, all captured", 40000, true);
  overlap("overlaps, cut", 10, true);
  overlap("overlaps, all cut", 0, true);
  overlap("overlaps of ranges, all captured", 40000, false);
  overlap("overlaps of ranges, cut", 10, false);
  overlap("overlaps of ranges, all cut", 0, false);
}
END_TEST

START_TEST(ranges_that_are_cut_off)
{
  attack *a = attack_new();
  shake(a);
  for (long round = 0; round < 20; round++) {
    for (long i = 0; i < 3000; i++) {
      segment(a, CLIENT, "A", 100 + round + 20 * i, 0, 10, 0);
    }
    segment(a, CLIENT, "A", 90, 0, 64000, 0);
  }
  attack_end(a, "ranges that are joined");
}
END_TEST

/* Each side waits for the other, with acknowledgments of every kind. */
START_TEST(many_holes_on_both_sides)
{
  attack *a = attack_new();
  shake(a);
  for (long i = 0; i < 60000; i++) {
    const long seq = i / 8 * 3 + (long)prng_below(&a->rng, 3000);
    const long ack = (long)prng_below(&a->rng, (uint64_t)(i + 1) * 2);
    a->w->sum = prng_below(&a->rng, 5) == 0 ? SUM_BAD : SUM_GOOD;
    const size_t n = (size_t)prng_below(&a->rng, 20);
    segment(a, (unsigned)prng_below(&a->rng, 2), "A", seq, ack, n, n);
  }
  attack_end(a, "holes on both sides");
}
END_TEST

START_TEST(bad_checksums)
{
  attack *a = attack_new();
  shake(a);
  for (long i = 0; i < 60000; i++) {
    a->w->sum = SUM_BAD;
    segment(a, CLIENT, "A", 3 + i * 2, 0, 1, 1);
  }
  attack_end(a, "bad checksums");
}
END_TEST

/* --- Fragments --- */

/* The octets [from, to) of an IPv4 packet, of which `captured` octets are in the capture. */
static void fragment(attack *a, uint32_t id, uint32_t from, uint32_t to, bool more,
                     size_t captured) {
  uint8_t *at = tcp_fixture_put16(a->frame, 0x4500);
  at = tcp_fixture_put16(tcp_fixture_put16(at, 20 + to - from), id);
  at = tcp_fixture_put16(at, from / 8 | (more ? 0x2000u : 0));
  tcp_fixture_put16(at, 0x4006);
  memcpy(a->frame + 12, a->w->end[0].ip, 4);
  memcpy(a->frame + 16, a->w->end[1].ip, 4);
  push(a, a->frame, 20 + captured, 20 + to - from, 101);
}

START_TEST(fragments_of_many_packets)
{
  attack *a = attack_new();
  for (uint32_t id = 0; id < 20000; id++) {
    fragment(a, id & 0xffff, 8, 16, true, 0);
  }
  attack_end(a, "fragments of many packets");
}
END_TEST

START_TEST(fragments_between_many_hosts)
{
  attack *a = attack_new();
  for (uint32_t i = 0; i < 20000; i++) {
    tcp_fixture_put32(a->w->end[0].ip, i);
    fragment(a, 1, 8, 16, true, 0);
  }
  for (uint32_t i = 0; i < 2000; i++) { /* and each close looks for its hosts */
    tcp_fixture_put32(a->w->end[0].ip, i);
    segment(a, CLIENT, "S", -1, 0, 0, 0);
    segment(a, SERVER, "RA", 0, 0, 0, 0);
  }
  attack_end(a, "fragments between many hosts");
}
END_TEST

START_TEST(fragments_that_are_cut)
{
  attack *a = attack_new();
  for (uint32_t i = 0; i < 20000; i++) { /* the longest on the wire, nothing of it captured */
    fragment(a, 1, 0, 65512, true, 0);
  }
  for (uint32_t i = 0; i < 20000; i++) { /* and complete each time */
    fragment(a, i & 0xffff, 0, 65496, true, 0);
    fragment(a, i & 0xffff, 65496, 65504, false, 0);
  }
  attack_end(a, "cut fragments");
}
END_TEST

START_TEST(tiny_and_overlapping_fragments)
{
  attack *a = attack_new();
  for (uint32_t i = 0; i < 4000; i++) {
    fragment(a, 1, 16 * i, 16 * i + 8, true, 8);
  }
  for (uint32_t i = 0; i < 300; i++) {
    fragment(a, 1, 8 * (i % 5), 60000, true, 59960);
  }
  for (uint32_t i = 0; i < 20000; i++) {
    fragment(a, 1, 8 * (i % 5), 60000, true, i % 9);
  }
  attack_end(a, "tiny and overlapping fragments");
}
END_TEST

/* IPv6 extension headers, IPv4 options, VLAN tags: as many as go into a packet. */
START_TEST(long_headers)
{
  attack *a = attack_new();
  for (unsigned i = 0; i < 2000; i++) {
    memset(a->frame, 0, 40 + 8 * 100);
    tcp_fixture_put16(tcp_fixture_put32(a->frame, 0x60000000), 8 * 100);
    a->frame[6] = i % 2 == 0 ? 60 : 0;
    for (unsigned k = 0; k < 100; k++) {
      a->frame[40 + 8 * k] = 60;
    }
    push(a, a->frame, 40 + 8 * 100, 40 + 8 * 100, 101);
  }
  attack_end(a, "long headers");
}
END_TEST

/* --- What single packets cost --- */

/* Steps of one packet of `a`, beside one for each captured octet. */
static uint64_t cost(attack *a, unsigned side, const char *flags, long seq, size_t n,
                     size_t captured) {
  const uint64_t before = ingest_stats_get(a->w->ing)->steps;
  segment(a, side, flags, seq, 0, n, captured);
  return ingest_stats_get(a->w->ing)->steps - before - (40 + captured);
}

/* FOUND: its connection equals the previous packet's. WAITING: and has octets that wait. SOUGHT: a
 * place in a list without a block. COMPARED: its place in both lists of copies. */
enum {
  FOUND = 1,
  WAITING = 2,
  SOUGHT = ING_REASSEMBLY_LEVELS,
  COMPARED = 2 * ING_REASSEMBLY_LEVELS
};

START_TEST(octets_in_order_cost_nothing_more)
{
  attack *a = attack_new();
  shake(a);
  /* Octets that came out are copied, and compared with later copies. */
  ck_assert_uint_eq(cost(a, CLIENT, "A", 0, 100, 100), FOUND + 100);
  ck_assert_uint_eq(cost(a, SERVER, "A", 0, 1000, 1000), FOUND + 1000);
  ck_assert_uint_eq(cost(a, CLIENT, "A", 0, 100, 100), FOUND + 100);
  ck_assert_uint_eq(cost(a, CLIENT, "A", 100, 0, 0), FOUND);
  attack_end(a, "in order");
}
END_TEST

START_TEST(octets_that_wait_cost_a_place_and_a_copy)
{
  attack *a = attack_new();
  shake(a);
  const uint64_t held = sizeof(ing_held) / 8;
  ck_assert_uint_eq(cost(a, CLIENT, "A", 200, 100, 100), WAITING + held + SOUGHT + 1 + 100);
  /* The same again: its octets are compared to report a difference, and to replace what differs. */
  ck_assert_uint_eq(cost(a, CLIENT, "A", 200, 100, 100), WAITING + COMPARED + SOUGHT + 1 + 200);
  /* Past one block, which is in the lowest level only. */
  ck_assert_uint_eq(cost(a, CLIENT, "A", 400, 100, 100),
                    WAITING + COMPARED + SOUGHT + 1 + 1 + 1 + 100);
  /* On one, between both, on the other; what is between asks the later one for its cause. */
  ck_assert_uint_eq(cost(a, CLIENT, "A", 250, 200, 200), WAITING + COMPARED + SOUGHT + 3 + 1 + 300);
  /* Captured octets past three blocks, and a range in another list. */
  ck_assert_uint_eq(cost(a, CLIENT, "A", 600, 100, 50),
                    WAITING + COMPARED + 3 + SOUGHT + 3 + 1 + 50 + SOUGHT);
  /* What waited goes out, event by event, is copied for comparison, and is given back. The first
   * 200 octets are copied once more, to a larger ring. */
  ck_assert_uint_eq(cost(a, CLIENT, "A", 0, 200, 200), 21 + COMPARED + 500 + 200);
  attack_end(a, "out of order");
}
END_TEST

/* The levels follow from the key of the run alone. */
START_TEST(many_blocks_cost_few_steps_each)
{
  attack *a = attack_new();
  shake(a);
  uint64_t all = 0;
  for (long i = 0; i < 1000; i++) {
    all += cost(a, CLIENT, "A", 1000 + 2 * (i * 7 % 1000), 1, 1);
  }
  ck_assert_uint_eq(all, 51530);
  attack_end(a, "a thousand blocks");
}
END_TEST

/* What a connection takes is cleared, and those are looked at that have its bucket. The table
 * doubles where there are four for each bucket: then each is moved. */
START_TEST(a_connection_costs_its_memory)
{
  attack *a = attack_new();
  uint64_t size = 0;
  for (unsigned i = 0; i < 300; i++) {
    a->w->end[CLIENT].port = (uint16_t)(1 + i);
    const size_t before = a->w->live;
    const uint64_t steps = cost(a, CLIENT, "S", -1, 0, 0);
    size = i == 1 ? (a->w->live - before) / 8 : size;
    if (i == 0) {
      continue;
    }
    const uint64_t moved = i == 128 || i == 256 ? i : 0;
    ck_assert_uint_ge(steps, FOUND + size + moved);
    ck_assert_uint_le(steps, FOUND + size + moved + 16);
  }
  attack_end(a, "connections");
}
END_TEST

/* Clients of one server in turn: the connection of the packet before is not theirs. */
START_TEST(another_connection_costs_a_look_into_the_table)
{
  attack *a = attack_new();
  for (unsigned i = 0; i < 20; i++) {
    a->w->end[CLIENT].port = (uint16_t)(1 + i / 2 % 2);
    const uint64_t steps = cost(a, i / 4 % 2 == 0 ? CLIENT : SERVER, "A", 0, 0, 0);
    ck_assert(i < 4 || (i % 2 == 0 ? steps > FOUND : steps == FOUND));
  }
  attack_end(a, "in turn");
}
END_TEST

/* Steps of a fragment of packet `id`, none of whose octets are captured. */
static uint64_t cost_of_fragment(attack *a, uint32_t id, uint32_t from, uint32_t to) {
  const uint64_t before = ingest_stats_get(a->w->ing)->steps;
  fragment(a, id, from, to, true, 0);
  return ingest_stats_get(a->w->ing)->steps - before;
}

/* All that wait are looked at twice, and the fragments that were taken lately, once for a copy and
 * once for a late one; what a packet takes is cleared, but for its octets and for what is known of
 * its fragments. Where it is one too many the fragments of another are forgotten. */
START_TEST(a_fragment_costs_a_look_at_those_before_it)
{
  enum { MOST = 32, HEADER = 20, PIECES = 128 * 32, OCTETS = 65536 + PIECES };
  attack *a = attack_new();
  cost_of_fragment(a, 0, 8, 16);
  uint64_t cleared = 0;
  for (uint32_t id = 1; id < 40; id++) {
    const size_t before = a->w->live;
    const uint64_t steps = cost_of_fragment(a, id, 8, 16);
    cleared = id == 1 ? (a->w->live - before - OCTETS) / 8 : cleared;
    const uint64_t forgotten = id < MOST ? 0 : id == MOST ? id : id + 1;
    ck_assert_uint_eq(steps, HEADER + 2 * MOST + cleared + 2 * id + forgotten + 1);
  }
  attack_end(a, "fragments");
}
END_TEST

/* One that waited long goes: the fragments that were taken are looked at to forget its own, and
 * those that went before when another begins. */
START_TEST(a_fragment_costs_a_look_at_those_that_waited_long)
{
  attack *a = attack_new();
  const uint64_t first = cost_of_fragment(a, 1, 8, 16);
  for (uint32_t before = 1; before < 5; before++) {
    for (unsigned i = 0; i <= ING_FRAGS_AGE; i++) {
      segment(a, CLIENT, "A", 0, 0, 0, 0);
    }
    ck_assert_uint_eq(cost_of_fragment(a, 1 + before, 8, 16), first + 4 * before);
  }
  attack_end(a, "late fragments");
}
END_TEST

/* Captured octets are copied; a digest of them, which tells copies of the fragment, reads eight at
 * a time. */
START_TEST(a_fragment_costs_its_captured_octets)
{
  enum { LEN = 8000 };
  attack *a = attack_new();
  cost_of_fragment(a, 1, 0, LEN);
  const uint64_t cut = cost_of_fragment(a, 2, 0, LEN);
  const uint64_t before = ingest_stats_get(a->w->ing)->steps;
  fragment(a, 3, 0, LEN, true, LEN);
  const uint64_t whole = ingest_stats_get(a->w->ing)->steps - before;
  ck_assert_uint_le(whole - cut, 3 * LEN);
  attack_end(a, "captured fragments");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {addresses_that_collide_without_a_key,
                                floods,
                                ports_used_again,
                                ends_of_one_connection,
                                memory_that_is_always_refused,
                                octets_out_of_order,
                                segments_that_overlap_many,
                                ranges_that_are_cut_off,
                                many_holes_on_both_sides,
                                bad_checksums,
                                fragments_of_many_packets,
                                fragments_between_many_hosts,
                                fragments_that_are_cut,
                                tiny_and_overlapping_fragments,
                                long_headers,
                                octets_in_order_cost_nothing_more,
                                octets_that_wait_cost_a_place_and_a_copy,
                                many_blocks_cost_few_steps_each,
                                a_connection_costs_its_memory,
                                another_connection_costs_a_look_into_the_table,
                                a_fragment_costs_a_look_at_those_before_it,
                                a_fragment_costs_a_look_at_those_that_waited_long,
                                a_fragment_costs_its_captured_octets,
                                NULL};
  return check_run(check_suite("ingest-steps", tests));
}
