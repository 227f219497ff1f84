/* SPDX-License-Identifier: BSD-2-Clause */
/* The limits of SCTP associations, and the work that they take. */
#include <string.h>

#include "check_run.h"
#include "sctp_fixture.h"

#include "ingest/sctp_priv.h"

static void send_octets(sctp_fixture *w, uint32_t tsn, unsigned flags, unsigned n) {
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_chunk(w, DATA, flags, 16 + n);
  sctp_fixture_put(w, tsn, 4);
  sctp_fixture_put(w, 5u << 16, 4);
  sctp_fixture_put(w, 16, 4);
  for (unsigned i = 0; i < (n + 3) / 4 * 4; i++) {
    sctp_fixture_put(w, 'x', 1);
  }
  sctp_fixture_push(w);
}

/* n held chunks after a hole. */
static sctp_fixture *held(unsigned n) {
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->quiet = true;
  for (uint32_t i = 0; i < n; i++) {
    send_octets(w, 101 + i, ALL, 4);
  }
  return w;
}

START_TEST(a_limit_on_held_chunks_is_reported)
{
  sctp_fixture *w = held(INGEST_SCTP_CHUNKS_MAX);
  ck_assert_uint_eq(w->lost, 0);
  send_octets(w, 100, ALL, 4);
  ck_assert_uint_eq(w->messages, INGEST_SCTP_CHUNKS_MAX + 1);
  ingest_finish(w->ing);
  sctp_fixture_drain(w);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_NONE], 1);
  sctp_fixture_finish(w, OPENED);
  w = held(INGEST_SCTP_CHUNKS_MAX + 1);
  ck_assert_uint_eq(w->lost_by[INGEST_LIMIT_HELD_OCTETS], 1);
  ck_assert_uint_eq(w->messages, INGEST_SCTP_CHUNKS_MAX + 1);
  ingest_finish(w->ing);
  sctp_fixture_drain(w);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_HELD_OCTETS], 1);
  sctp_fixture_finish(w, OPENED);
}
END_TEST

START_TEST(a_limit_on_held_octets_is_reported)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->quiet = true;
  const size_t before = w->live;
  uint32_t tsn = 101;
  while (w->live - before + 4000 <= INGEST_SCTP_HELD_MAX) {
    send_octets(w, tsn++, ALL, 3000);
  }
  ck_assert_uint_eq(w->lost, 0);
  send_octets(w, tsn, ALL, 3500);
  send_octets(w, tsn + 1, ALL, 3500);
  ck_assert_uint_eq(w->lost_by[INGEST_LIMIT_HELD_OCTETS], 1);
  sctp_fixture_finish(w, OPENED);
}
END_TEST

/* A chunk of association i; returns what holding it takes. */
static size_t hold(sctp_fixture *w, uint32_t i, uint32_t tsn, unsigned n) {
  const size_t before = w->live;
  sctp_fixture_nth(w, i);
  sctp_fixture_begin(w, 0, sctp_fixture_tag(i, 1, false));
  sctp_fixture_chunk(w, DATA, ALL, 16 + n);
  sctp_fixture_put(w, tsn, 4);
  sctp_fixture_put(w, 5u << 16, 4);
  sctp_fixture_put(w, 16, 4);
  w->len += (n + 3) / 4 * 4;
  sctp_fixture_push(w);
  return w->live - before;
}

/* As above, but each association holds less than it may. */
START_TEST(a_limit_on_all_held_octets_is_reported)
{
  for (unsigned more = 0; more < 2; more++) {
    sctp_fixture *w = sctp_fixture_many(40, false);
    const size_t node = hold(w, 0, 101, 0);
    size_t left = INGEST_SCTP_HELD_ALL - node;
    for (uint32_t i = 1; left > 0; i++) {
      const size_t full = node + 3000;
      const size_t next = left >= full + node ? full : left;
      ck_assert_uint_eq(hold(w, i % 40, 101 + i / 40, (unsigned)(next - node)), next);
      left -= next;
    }
    ck_assert_uint_eq(w->lost, 0); /* all that may be */
    if (more != 0) {
      hold(w, 39, 5000, 0);
    }
    ck_assert_uint_eq(w->lost, more);
    ck_assert_uint_eq(w->lost_by[INGEST_LIMIT_HELD_OCTETS], more);
    sctp_fixture_finish(w, "");
  }
}
END_TEST

/* Held is what lies after a hole; a sender cannot be so far ahead of it. */
START_TEST(a_limit_on_the_distance_of_a_tsn_is_reported)
{
  for (unsigned more = 0; more < 2; more++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    sctp_fixture_send(w, 0, 100u + SCTP_SANE + more, "far");
    ck_assert_str_eq(w->log, more == 0 ? OPENED : OPENED "a:lost100+0/held-octets ");
    sctp_fixture_send(w, 0, 100, "near");
    sctp_fixture_finish(w, more == 0 ? OPENED "a:100=near a:lost101+1048575 a:1048676=far close2 "
                                     : OPENED
                               "a:lost100+0/held-octets a:100=near close2/held-octets ");
  }
}
END_TEST

/* A message as far back is a copy of an earlier one; farther back it is not known to be a copy. */
START_TEST(a_limit_on_how_old_a_tsn_is_is_reported)
{
  for (unsigned more = 0; more < 2; more++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    sctp_fixture_send(w, 0, 100, "now");
    sctp_fixture_send(w, 0, 101u - (uint32_t)SCTP_SANE - more, "old");
    sctp_fixture_finish(w, more == 0 ? OPENED "a:100=now close2 "
                                     : OPENED
                               "a:100=now a:lost101+0/held-octets close2/held-octets ");
  }
}
END_TEST

/* In a row: one that is near in between begins the count again. */
START_TEST(so_many_far_tsns_are_another_numbering)
{
  for (unsigned more = 0; more < 2; more++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    w->quiet = true;
    for (uint32_t i = 1; i < SCTP_OUT_OF_WINDOW_MAX; i++) {
      sctp_fixture_send(w, 0, 0x40000000, "f");
    }
    sctp_fixture_send(w, 0, 100, "n");
    ck_assert_uint_eq(w->messages, 1);
    for (uint32_t i = 0; i < SCTP_OUT_OF_WINDOW_MAX - 1 + more; i++) {
      sctp_fixture_send(w, 0, 0x40000000, "f");
    }
    ck_assert_uint_eq(w->messages, 1 + more);
    sctp_fixture_finish(w, OPENED);
  }
}
END_TEST

/* An acknowledgment of what is as far away says something; a farther one is of another numbering.
 */
START_TEST(a_limit_on_the_distance_of_an_acknowledgment)
{
  static const struct {
    uint32_t tsn;
    const char *log;
  } rows[] = {{99 + SCTP_SANE, OPENED "a:lost100+1048576 b:200=x close2 "},
              {100 + SCTP_SANE, OPENED "b:200=x close2 "},
              {99u - (uint32_t)SCTP_SANE, OPENED "b:200=x* close2 "},
              {98u - (uint32_t)SCTP_SANE, OPENED "b:200=x close2 "}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    sctp_fixture_begin(w, 1, 0xA0A0);
    sctp_fixture_ack(w, rows[i].tsn, 0);
    sctp_fixture_data(w, 200, ALL, "x");
    sctp_fixture_push(w);
    sctp_fixture_finish(w, rows[i].log);
  }
}
END_TEST

static sctp_fixture *message(uint32_t whole, uint32_t rest) {
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->quiet = true;
  for (uint32_t i = 0; i < whole; i++) {
    send_octets(w, 100 + i, i == 0 ? FIRST : MIDDLE, 1024);
  }
  send_octets(w, 100 + whole, LAST, rest);
  return w;
}

START_TEST(a_limit_on_the_octets_of_a_message_is_reported)
{
  sctp_fixture *w = message(1023, 1024);
  ck_assert_uint_eq(w->messages, 1);
  ck_assert_uint_eq(w->lost, 0);
  sctp_fixture_finish(w, OPENED);
  w = message(1023, 1025);
  ck_assert_uint_eq(w->messages, 0);
  ck_assert_uint_eq(w->lost_by[INGEST_LIMIT_MESSAGE], 1);
  ingest_finish(w->ing);
  sctp_fixture_drain(w);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_MESSAGE], 1);
  sctp_fixture_finish(w, OPENED);
}
END_TEST

static sctp_fixture *parts(uint32_t n) {
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->quiet = true;
  for (uint32_t i = 0; i < n; i++) {
    send_octets(w, 100 + i, i == 0 ? FIRST : i == n - 1 ? LAST : MIDDLE, 1);
  }
  return w;
}

START_TEST(a_limit_on_the_chunks_of_a_message_is_reported)
{
  sctp_fixture *w = parts(INGEST_SCTP_PARTS_MAX);
  ck_assert_uint_eq(w->messages, 1);
  ck_assert_uint_eq(w->lost, 0);
  sctp_fixture_finish(w, OPENED);
  w = parts(INGEST_SCTP_PARTS_MAX + 1);
  ck_assert_uint_eq(w->messages, 0);
  ck_assert_uint_eq(w->lost_by[INGEST_LIMIT_MESSAGE], 1);
  sctp_fixture_finish(w, OPENED);
}
END_TEST

START_TEST(memory_that_is_not_there_is_reported)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->budget = w->live + 10;
  sctp_fixture_send(w, 0, 100, "one");
  w->budget = 0;
  sctp_fixture_send(w, 0, 101, "two");
  sctp_fixture_finish(w, OPENED "a:lost100+0/memory a:lost100+1/memory a:101=two close2/memory ");
}
END_TEST

START_TEST(a_message_without_memory_is_lost)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  send_octets(w, 100, FIRST, 400);
  w->budget = w->live + 300; /* for the chunk, not for the whole */
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 101, LAST, "efgh");
  sctp_fixture_push(w);
  w->budget = 0;
  sctp_fixture_send(w, 0, 102, "on");
  ck_assert_ptr_nonnull(strstr(w->log, "/memory "));
  ck_assert_ptr_nonnull(strstr(w->log, "a:102=on "));
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* Where there is no memory for another association, the longest silent one goes. */
START_TEST(an_association_makes_room)
{
  sctp_fixture *w = sctp_fixture_many(10, false);
  w->budget = w->live + 100;
  sctp_fixture_nth_open(w, 10, false);
  ck_assert_uint_eq(w->opened, 11);
  ck_assert_uint_ge(w->closed, 1);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_MEMORY], w->closed);
  w->budget = 1;
  sctp_fixture_nth_open(w, 11, false);
  ck_assert_uint_eq(w->opened, 11);
  ck_assert_uint_eq(w->closed, 11);
  ck_assert_uint_ge(ingest_stats_get(w->ing)->dropped, 1);
  sctp_fixture_finish(w, "");
}
END_TEST

/* However little memory there is, nothing is lost in silence. */
START_TEST(any_budget_is_put_up_with)
{
  for (size_t more = 0; more < 40000; more += 97) {
    sctp_fixture *w = sctp_fixture_new();
    w->quiet = true;
    w->budget = w->live + more;
    for (uint32_t i = 0; i < 8; i++) {
      sctp_fixture_nth_open(w, i, i % 2 == 0);
      sctp_fixture_nth_data(w, i, 0, 100, i % 2 == 0);
      sctp_fixture_nth_data(w, i, 1, 201, i % 2 == 0);
    }
    ingest_finish(w->ing);
    sctp_fixture_drain(w);
    ck_assert(w->messages == 16 || w->limits[INGEST_LIMIT_MEMORY] > 0 ||
              ingest_stats_get(w->ing)->dropped > 0);
    sctp_fixture_finish(w, "");
  }
}
END_TEST

/* The first 24 octets of an IP payload whose rest never comes. */
static void send_fragment(sctp_fixture *w, uint32_t id) {
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, ALL, "x");
  w->len = 20 + 24;
  w->packet[2] = 0;
  w->packet[3] = (uint8_t)w->len;
  w->packet[4] = (uint8_t)(id >> 8);
  w->packet[5] = (uint8_t)id;
  w->packet[6] = 0x20; /* more follow */
  const ingest_packet pkt = {.data = w->packet,
                             .caplen = w->len,
                             .len = w->len,
                             .link_type = 101,
                             .number = ++w->number,
                             .time_ns = w->number * 10};
  ingest_push(w->ing, &pkt);
  sctp_fixture_drain(w);
}

START_TEST(a_limit_on_fragments_is_reported)
{
  const uint32_t most = 32; /* packets in fragments at a time */
  for (uint32_t more = 0; more < 2; more++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    for (uint32_t id = 0; id < most + more; id++) {
      send_fragment(w, id);
    }
    sctp_fixture_finish(w, more == 0 ? OPENED "close2 " : OPENED "close2/fragments ");
  }
}
END_TEST

START_TEST(fragments_without_memory_are_reported)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->budget = w->live + 10;
  send_fragment(w, 1);
  w->budget = 0;
  sctp_fixture_finish(w, OPENED "close2/fragments ");
}
END_TEST

/* ---- work ---- */

typedef struct attack {
  const char *name;
  void (*packet)(sctp_fixture *w, uint32_t i);
} attack;

static void attack_gaps(sctp_fixture *w, uint32_t i) {
  sctp_fixture_send(w, 0, 102 + 2 * i, "");
}

static void attack_reverse(sctp_fixture *w, uint32_t i) {
  sctp_fixture_send(w, 0, 100 + 900000 - i, "");
}

/* All over the window. */
static void attack_scattered(sctp_fixture *w, uint32_t i) {
  sctp_fixture_send(w, 0, 101 + (i * 2654435761u) % 1000000u, "");
}

static void attack_tiny(sctp_fixture *w, uint32_t i) {
  sctp_fixture_begin(w, 0, 0xB0B0);
  for (unsigned n = 0; n < 900; n++) {
    sctp_fixture_chunk(w, 0x7F + i % 3, 0, 4);
  }
  sctp_fixture_push(w);
}

static void attack_bundled(sctp_fixture *w, uint32_t i) {
  sctp_fixture_begin(w, 0, 0xB0B0);
  for (uint32_t n = 0; n < 200; n++) {
    sctp_fixture_data(w, 101 + ((i * 200 + n) * 2654435761u) % 1000000u,
                      n % 2 == 0 ? FIRST : MIDDLE, "");
  }
  sctp_fixture_push(w);
}

static void attack_fragments(sctp_fixture *w, uint32_t i) {
  sctp_fixture_begin(w, 0, 0xB0B0);
  for (uint32_t n = 0; n < 200; n++) {
    sctp_fixture_data(w, 100 + i * 200 + n, i + n == 0 ? FIRST : MIDDLE, "");
  }
  sctp_fixture_push(w);
}

static void attack_sacks(sctp_fixture *w, uint32_t i) {
  sctp_fixture_begin(w, i % 2, i % 2 == 0 ? 0xB0B0 : 0xA0A0);
  sctp_fixture_ack(w, 99 + i, 900);
  sctp_fixture_push(w);
}

static void attack_inits(sctp_fixture *w, uint32_t i) {
  sctp_fixture_nth(w, i);
  sctp_fixture_begin(w, 0, 0);
  sctp_fixture_chunk(w, INIT, 0, 20);
  sctp_fixture_put(w, i, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, 0x00080009, 4);
  sctp_fixture_put(w, i, 4);
  sctp_fixture_push(w);
}

static void attack_homes(sctp_fixture *w, uint32_t i) {
  sctp_fixture_nth(w, i);
  sctp_fixture_begin(w, 0, 0);
  sctp_fixture_chunk(w, INIT, 0, 20 + 8 * 400);
  sctp_fixture_put(w, i, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, 0x00080009, 4);
  sctp_fixture_put(w, i, 4);
  for (uint32_t n = 0; n < 400; n++) {
    sctp_fixture_put(w, 0x00050008, 4);
    sctp_fixture_put(w, i * 400 + n, 4);
  }
  sctp_fixture_push(w);
}

/* The same ports and the same tag from ever new addresses, from everybody. */
static void attack_same_tag(sctp_fixture *w, uint32_t i) {
  sctp_fixture_nth_open(w, i, true);
  sctp_fixture_nth_data(w, i, 0, 100, true);
}

static void attack_same_tag_again(sctp_fixture *w, uint32_t i) {
  if (i < 3000) {
    sctp_fixture_nth_open(w, i, true);
  }
  sctp_fixture_nth(w, i);
  w->client_ip ^= 0x00800000;
  sctp_fixture_begin(w, 0, sctp_fixture_tag(0, 1, true));
  sctp_fixture_chunk(w, 0x7F, 0, 4);
  sctp_fixture_push(w);
}

/* Ever new tags between the same two ends, from the middle of an association. */
static void attack_tags(sctp_fixture *w, uint32_t i) {
  sctp_fixture_begin(w, 0, 1 + i);
  sctp_fixture_data(w, i, ALL, "");
  sctp_fixture_push(w);
}

static void attack_wanders(sctp_fixture *w, uint32_t i) {
  sctp_fixture_nth(w, i);
  sctp_fixture_send(w, 0, 100 + i, "");
}

static const attack attacks[] = {{"gaps", attack_gaps},
                                 {"reverse", attack_reverse},
                                 {"scattered", attack_scattered},
                                 {"tiny chunks", attack_tiny},
                                 {"bundled", attack_bundled},
                                 {"fragments", attack_fragments},
                                 {"sacks", attack_sacks},
                                 {"inits", attack_inits},
                                 {"homes", attack_homes},
                                 {"same tag", attack_same_tag},
                                 {"same tag again", attack_same_tag_again},
                                 {"tags", attack_tags},
                                 {"wanders", attack_wanders}};

START_TEST(work_is_bounded_by_the_input)
{
  const attack *a = &attacks[_i];
  sctp_fixture *w = sctp_fixture_open(100, 200);
  w->quiet = true;
  for (uint32_t i = 0; i < 10000; i++) {
    a->packet(w, i);
  }
  ingest_finish(w->ing);
  sctp_fixture_drain(w);
  const uint64_t steps = ingest_stats_get(w->ing)->steps;
  ck_assert_msg(steps > w->octets / 2 && steps <= 10 * w->octets, "%s: %llu steps for %llu octets",
                a->name, (unsigned long long)steps, (unsigned long long)w->octets);
  sctp_fixture_finish(w, OPENED);
}
END_TEST

/* Steps of the packet in the making, beside one for each of its octets. */
static uint64_t cost(sctp_fixture *w) {
  const uint64_t before = ingest_stats_get(w->ing)->steps;
  sctp_fixture_push(w);
  return ingest_stats_get(w->ing)->steps - before - w->len;
}

static uint64_t cost_of_data(sctp_fixture *w, unsigned side, uint32_t tsn, const char *text) {
  sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  sctp_fixture_data(w, tsn, ALL, text);
  return cost(w);
}

/* A packet without news: its association, a look at its chunk twice, and at the queue. */
static uint64_t cost_of_nothing(sctp_fixture *w, unsigned side) {
  sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  sctp_fixture_chunk(w, 0x7F, 0, 4);
  return cost(w);
}

/* FOUND: a hash, and the entries of its bucket. SOUGHT: a place among the waiting chunks. DONE:
 * another look at the queue, a message of one chunk, and its memory given back or kept. TABLE: of
 * the chunks of a side that came out, cleared before the first one. */
enum {
  FOUND = SCTP_KEY_WORDS,
  SOUGHT = SCTP_LANES,
  DONE = 1 + 3 + 2,
  TABLE = (sizeof(sctp_came) + SCTP_CAME_MIN * sizeof(sctp_node *)) / 8
};

START_TEST(what_a_packet_costs)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  uint64_t none[2];
  for (unsigned side = 0; side < 2; side++) {
    none[side] = cost_of_nothing(w, side);
    ck_assert_uint_ge(none[side], FOUND + 1 + 3);
    ck_assert_uint_le(none[side], FOUND + 8 + 3);
  }
  ck_assert_uint_eq(cost_of_data(w, 0, 100, "1234"), none[0] + SOUGHT + 4 + DONE + TABLE);
  ck_assert_uint_eq(cost_of_data(w, 0, 101, "12345678"), none[0] + SOUGHT + 8 + DONE);
  ck_assert_uint_eq(cost_of_data(w, 1, 200, ""), none[1] + SOUGHT + DONE + TABLE);
  ck_assert_uint_eq(cost_of_data(w, 0, 101, "12345678"), none[0] + 8 + 8 + 1); /* compared */
  ck_assert_uint_eq(cost_of_data(w, 0, 99, "again"), none[0]);
  /* What waits is passed in one lane at least. */
  ck_assert_uint_eq(cost_of_data(w, 1, 202, "1234"), none[1] + SOUGHT + 4);
  ck_assert_uint_eq(cost_of_data(w, 1, 202, "1234"), none[1] + SOUGHT + 4 + 4 + 1);
  ck_assert_uint_eq(cost_of_data(w, 1, 203, "1234"), none[1] + SOUGHT + 4 + 1);
  ck_assert_uint_eq(cost_of_data(w, 1, 204, "1234"), none[1] + SOUGHT + 4 + 2);
  ck_assert_uint_eq(cost_of_data(w, 1, 201, "1234"), none[1] + SOUGHT + 4 + 4 * DONE);
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_ack(w, 200, 3);                 /* three gaps */
  ck_assert_uint_eq(cost(w), none[0] + 2 * 3); /* kept, and looked at */
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 102, FIRST, "1234");
  sctp_fixture_data(w, 103, MIDDLE, "5678");
  sctp_fixture_data(w, 104, LAST, "9");
  /* Two more chunks, looked at twice; each passes those before it; 9 octets copied twice. */
  ck_assert_uint_eq(cost(w), none[0] + 2 * 2 + 3 * SOUGHT + 1 + 2 + 2 * 9 + 3 * DONE);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* Each address that a chunk names is looked at, and compared with those that are known. */
START_TEST(what_an_address_costs)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  const uint64_t none = cost_of_nothing(w, 0);
  for (unsigned n = 0; n < 4; n++) {
    sctp_fixture_begin(w, 0, 0xB0B0);
    sctp_fixture_chunk(w, 193, 0, 8 + 8 + 8 * n);
    sctp_fixture_put(w, 1, 4); /* serial number */
    sctp_fixture_put(w, 0xC0010008 + 8 * n, 4);
    sctp_fixture_put(w, 1, 4);
    for (unsigned i = 0; i < n; i++) {
      sctp_fixture_put(w, 0x00050008, 4);
      sctp_fixture_put(w, w->client_ip, 4);
    }
    ck_assert_uint_eq(cost(w), none + 2ull * n);
  }
  /* One too many is compared with all that are kept. */
  for (uint32_t i = 1; i < SCTP_HOMES_MAX + 3; i++) {
    sctp_fixture_begin(w, 0, 0xB0B0);
    sctp_fixture_chunk(w, 193, 0, 8 + 8 + 8);
    sctp_fixture_put(w, 1, 4);
    sctp_fixture_put(w, 0xC0010010, 4);
    sctp_fixture_put(w, 1, 4);
    sctp_fixture_put(w, 0x00050008, 4);
    sctp_fixture_put(w, 0x0B000000 + i, 4);
    const uint64_t steps = cost(w);
    ck_assert(i < SCTP_HOMES_MAX || steps == none + 1 + SCTP_HOMES_MAX);
  }
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

static uint64_t cost_of_init(sctp_fixture *w, unsigned side) {
  const uint64_t before = ingest_stats_get(w->ing)->steps;
  sctp_fixture_send_init(w, side, side == 0 ? 0 : 0xA0A0, side == 0 ? 0xA0A0 : 0xB0B0, 100);
  return ingest_stats_get(w->ing)->steps - before - w->len;
}

START_TEST(an_association_costs_its_memory)
{
  sctp_fixture *w = sctp_fixture_new();
  const uint64_t init = cost_of_init(w, 0);
  ck_assert_uint_ge(init, sizeof(sctp_assoc) / 8 + 50);
  ck_assert_uint_le(init, sizeof(sctp_assoc) / 8 + 62);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* The lanes follow from the key of the run alone. */
START_TEST(many_chunks_cost_few_steps_each)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  const uint64_t none = cost_of_nothing(w, 0);
  uint64_t all = 0;
  for (uint32_t i = 0; i < 1000; i++) {
    all += cost_of_data(w, 0, 1000 + i * 7 % 1000, "") - none;
  }
  ck_assert_uint_eq(all, 16244);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ingest_sctp_limits");
  TCase *tcase = tcase_create("sctp");
  tcase_add_test(tcase, a_limit_on_held_chunks_is_reported);
  tcase_add_test(tcase, a_limit_on_held_octets_is_reported);
  tcase_add_test(tcase, a_limit_on_all_held_octets_is_reported);
  tcase_add_test(tcase, a_limit_on_the_distance_of_a_tsn_is_reported);
  tcase_add_test(tcase, a_limit_on_how_old_a_tsn_is_is_reported);
  tcase_add_test(tcase, so_many_far_tsns_are_another_numbering);
  tcase_add_test(tcase, a_limit_on_the_distance_of_an_acknowledgment);
  tcase_add_test(tcase, a_limit_on_the_octets_of_a_message_is_reported);
  tcase_add_test(tcase, a_limit_on_the_chunks_of_a_message_is_reported);
  tcase_add_test(tcase, memory_that_is_not_there_is_reported);
  tcase_add_test(tcase, a_message_without_memory_is_lost);
  tcase_add_test(tcase, an_association_makes_room);
  tcase_add_test(tcase, any_budget_is_put_up_with);
  tcase_add_test(tcase, a_limit_on_fragments_is_reported);
  tcase_add_test(tcase, fragments_without_memory_are_reported);
  tcase_add_test(tcase, what_a_packet_costs);
  tcase_add_test(tcase, what_an_address_costs);
  tcase_add_test(tcase, an_association_costs_its_memory);
  tcase_add_test(tcase, many_chunks_cost_few_steps_each);
  tcase_add_loop_test(tcase, work_is_bounded_by_the_input, 0,
                      (int)(sizeof attacks / sizeof attacks[0]));
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
