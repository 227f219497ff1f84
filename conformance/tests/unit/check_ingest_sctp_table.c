/* SPDX-License-Identifier: BSD-2-Clause */
/* Many SCTP associations, distinguished by ports, tags and addresses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "sctp_fixture.h"

#include "ingest/conn.h"
#include "ingest/sctp_priv.h"

/* All with the same ports, and the same tags or others; their packets mixed. */
static void many_follow(uint32_t n, bool fixed, bool start_seen) {
  sctp_fixture *w = start_seen ? sctp_fixture_many(n, fixed) : sctp_fixture_new();
  w->quiet = true;
  for (uint32_t tsn = 0; tsn < 3; tsn++) {
    for (uint32_t i = 0; i < n; i++) {
      sctp_fixture_nth_data(w, i, 0, 100 + tsn, fixed);
      sctp_fixture_nth_data(w, i, 1, 200 + tsn, fixed);
    }
  }
  ck_assert_uint_eq(w->opened, n);
  ck_assert_uint_eq(w->messages, 6 * n);
  ck_assert_uint_eq(w->lost, 0);
  ck_assert_uint_eq(w->closed, 0);
  sctp_fixture_finish(w, "");
}

START_TEST(associations_of_the_same_ports_are_kept_apart)
{
  const uint32_t counts[] = {64, 65, 1000, INGEST_SCTP_ASSOCS_MAX};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    many_follow(counts[i], false, true);
    many_follow(counts[i], true, true);
  }
  many_follow(1000, false, false);
}
END_TEST

START_TEST(one_association_more_than_may_be)
{
  sctp_fixture *w = sctp_fixture_many(INGEST_SCTP_ASSOCS_MAX, false);
  ck_assert_uint_eq(w->closed, 0);
  sctp_fixture_nth_open(w, INGEST_SCTP_ASSOCS_MAX, false);
  ck_assert_uint_eq(w->closed, 1);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_CONNECTIONS], 1);
  sctp_fixture_nth_data(w, INGEST_SCTP_ASSOCS_MAX, 0, 100, false);
  sctp_fixture_nth_data(w, 1, 0, 100, false);
  ck_assert_uint_eq(w->messages, 2);
  ck_assert_uint_eq(w->closed, 1);
  ingest_finish(w->ing);
  sctp_fixture_drain(w);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_NONE], INGEST_SCTP_ASSOCS_MAX);
  sctp_fixture_finish(w, "");
}
END_TEST

START_TEST(an_association_that_ended_loses_nothing_by_a_limit)
{
  sctp_fixture *w = sctp_fixture_many(INGEST_SCTP_ASSOCS_MAX, false);
  for (uint32_t i = 0; i < INGEST_SCTP_ASSOCS_MAX; i++) {
    sctp_fixture_nth(w, i);
    sctp_fixture_begin(w, 0, sctp_fixture_tag(i, 1, false));
    sctp_fixture_chunk(w, SHUTDOWN_ACK, 0, 4);
    sctp_fixture_push(w);
  }
  sctp_fixture_nth_open(w, INGEST_SCTP_ASSOCS_MAX, false);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_CONNECTIONS], 0);
  ck_assert_uint_ge(w->closed, 1);
  sctp_fixture_finish(w, "");
}
END_TEST

static void leave(sctp_fixture *w, uint32_t i) {
  sctp_fixture_nth(w, i);
  sctp_fixture_begin(w, 0, sctp_fixture_tag(i, 1, false));
  sctp_fixture_chunk(w, SHUTDOWN_ACK, 0, 4);
  sctp_fixture_push(w);
}

/* It has to go for another one: what it still waits for is lost by that, also after its end. */
START_TEST(an_association_that_ended_loses_by_a_limit_what_it_waits_for)
{
  for (uint32_t waits = 0; waits < 2; waits++) {
    sctp_fixture *w = sctp_fixture_many(1, false);
    if (waits != 0) {
      sctp_fixture_nth_data(w, 0, 0, 101, false);
    }
    leave(w, 0);
    w->budget = w->live + 100;
    sctp_fixture_nth_open(w, 1, false);
    ck_assert_uint_eq(w->closed, 1);
    ck_assert_uint_eq(w->limits[INGEST_LIMIT_MEMORY], waits);
    w->budget = 0;
    sctp_fixture_finish(w, "");
  }
}
END_TEST

/* An association goes so many packets of the capture after its end, when it is the longest silent
 * one. */
START_TEST(an_association_that_ended_is_closed_in_time)
{
  sctp_fixture *w = sctp_fixture_many(2, false);
  leave(w, 0);
  for (uint32_t i = 1; i < SCTP_DYING_PACKETS; i++) {
    sctp_fixture_nth_data(w, 1, 0, 99 + i, false);
  }
  ck_assert_uint_eq(w->closed, 0);
  sctp_fixture_nth_data(w, 1, 0, 99, false);
  ck_assert_uint_eq(w->closed, 1);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_NONE], 1);
  sctp_fixture_finish(w, "");
}
END_TEST

static void set_ports(sctp_fixture *w, unsigned side, uint16_t client, uint16_t server) {
  const uint16_t ports[2] = {client, server};
  for (unsigned i = 0; i < 2; i++) {
    w->packet[20 + 2 * i] = (uint8_t)(ports[side ^ i] >> 8);
    w->packet[21 + 2 * i] = (uint8_t)ports[side ^ i];
  }
}

/* Addresses and tags are the same; either port tells the associations apart, each bit of it. */
START_TEST(associations_of_other_ports_are_kept_apart)
{
  sctp_fixture *w = sctp_fixture_new();
  w->quiet = true;
  for (uint32_t tsn = 100; tsn < 103; tsn++) {
    for (unsigned side = 0; side < 2; side++) {
      for (unsigned i = 0; i < 33; i++) {
        const uint32_t ports = UINT32_C(0xA5C33C5A) ^ (i < 32 ? UINT32_C(1) << i : 0);
        sctp_fixture_begin(w, side, 0xC0C0);
        set_ports(w, side, (uint16_t)(ports >> 16), (uint16_t)ports);
        sctp_fixture_data(w, tsn, ALL, "x");
        sctp_fixture_push(w);
      }
    }
  }
  ck_assert_uint_eq(w->opened, 33);
  ck_assert_uint_eq(w->messages, 33 * 6);
  ck_assert_uint_eq(w->lost, 0);
  sctp_fixture_finish(w, "");
}
END_TEST

/* Only the tag of the packets to the server tells them apart, each bit of it. */
START_TEST(associations_of_other_tags_are_kept_apart)
{
  sctp_fixture *w = sctp_fixture_new();
  w->quiet = true;
  for (uint32_t tsn = 100; tsn < 103; tsn++) {
    for (unsigned i = 0; i < 33; i++) {
      sctp_fixture_begin(w, 0, UINT32_C(0xA5C33C5A) ^ (i < 32 ? UINT32_C(1) << i : 0));
      sctp_fixture_data(w, tsn, ALL, "x");
      sctp_fixture_push(w);
    }
  }
  ck_assert_uint_eq(w->opened, 33);
  ck_assert_uint_eq(w->messages, 33 * 3);
  ck_assert_uint_eq(w->lost, 0);
  sctp_fixture_finish(w, "");
}
END_TEST

/* Each part has octets of its own, so that no two associations have the same key. */
START_TEST(what_a_key_holds)
{
  const sctp_ends ends = {.src = 0x1234, .dst = 0x5678};
  const sctp_home src = {.family = 6, .ip = {1, 2, [8] = 3, [15] = 4}};
  const sctp_home dst = {.family = 4, .ip = {5, 6, 7, 8}};
  const uint64_t ports_and_tag = UINT64_C(0x123456789ABCDEF0);
  sctp_key_words key = ing_sctp_key(SCTP_KEY_PATH, &ends, 0x9ABCDEF0, &src, &dst);
  ck_assert(key.word[0] == ports_and_tag && key.word[1] == 0x040601);
  ck_assert_int_eq(memcmp(&key.word[2], src.ip, sizeof src.ip), 0);
  ck_assert_int_eq(memcmp(&key.word[4], dst.ip, sizeof dst.ip), 0);
  key = ing_sctp_key(SCTP_KEY_TAG, &ends, 0x9ABCDEF0, NULL, NULL);
  ck_assert(key.word[0] == ports_and_tag && key.word[1] == SCTP_KEY_TAG);
  ck_assert((key.word[2] | key.word[3] | key.word[4] | key.word[5]) == 0);
}
END_TEST

/* The table doubles before the first key that would be one more than four for each bucket. */
START_TEST(the_table_doubles_when_it_is_full)
{
  sctp_fixture *w = sctp_fixture_new();
  ingest_stats stats = {0};
  struct ing_sctp *s = ing_sctp_new(&w->cfg.alloc, w->cfg.hash_key, &stats);
  sctp_assoc a = {0};
  size_t usual = 0;
  for (uint32_t i = 0; i < 600; i++) {
    const sctp_ends ends = {.src = 1, .dst = 2};
    const sctp_key_words key = ing_sctp_key(SCTP_KEY_TAG, &ends, i, NULL, NULL);
    const size_t before = w->live;
    ck_assert_ptr_nonnull(ing_sctp_key_add(s, &a, 0, &key));
    usual = i == 1 ? w->live - before : usual;
    const bool full = i == 4 * 32 || i == 4 * 64 || i == 4 * 128;
    expect(i == 0 || (w->live - before > usual) == full, "key %u", (unsigned)i);
  }
  while (a.members != NULL) {
    ing_sctp_key_drop(s, a.members);
  }
  ing_sctp_free(s);
  sctp_fixture_finish(w, "");
}
END_TEST

/* The words of the key, and what lies in its bucket. */
START_TEST(what_it_costs_to_find_a_key)
{
  sctp_fixture *w = sctp_fixture_new();
  ingest_stats stats = {0};
  struct ing_sctp *s = ing_sctp_new(&w->cfg.alloc, w->cfg.hash_key, &stats);
  for (uint32_t tag = 0; tag < 64; tag++) {
    sctp_assoc a = {0};
    const sctp_ends ends = {.src = 1, .dst = 2};
    const sctp_key_words key = ing_sctp_key(SCTP_KEY_TAG, &ends, tag, NULL, NULL);
    sctp_member *m = ing_sctp_key_add(s, &a, 0, &key);
    const uint64_t before = stats.steps;
    ck_assert(ing_sctp_key_find(s, &key) == m);
    ck_assert_uint_eq(stats.steps - before, SCTP_KEY_WORDS + 1);
    ing_sctp_key_drop(s, m);
  }
  ing_sctp_free(s);
  sctp_fixture_finish(w, "");
}
END_TEST

/* It is known by the tag that it announces. */
START_TEST(an_init_that_is_sent_again_begins_nothing)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 100, "one");
  sctp_fixture_send_init(w, 0, 0, 0xA0A0, 100);
  sctp_fixture_send(w, 0, 101, "two");
  sctp_fixture_finish(w, OPENED "a:100=one a:101=two close2 ");
}
END_TEST

/* An INIT of a side whose messages were seen already is of a new association. */
START_TEST(an_init_after_messages_begins_another_association)
{
  sctp_fixture *w = sctp_fixture_new();
  sctp_fixture_send(w, 0, 555, "middle");
  sctp_fixture_send_init(w, 0, 0, 0xA0A0, 100);
  sctp_fixture_finish(w, "open a:555=middle open a:init8/1 close2 close2 ");
}
END_TEST

/* The events do not depend on the key. */
START_TEST(the_key_changes_nothing)
{
  char *first = calloc(1, SCTP_FIXTURE_LOG);
  ck_assert_ptr_nonnull(first);
  for (uint64_t key = 0; key < 4; key++) {
    sctp_fixture *w = sctp_fixture_new();
    ingest_free(w->ing);
    w->cfg.hash_key[0] = key * UINT64_C(0x9E3779B97F4A7C15);
    w->cfg.hash_key[1] = key;
    w->ing = ingest_new(&w->cfg);
    for (uint32_t i = 0; i < 70; i++) {
      sctp_fixture_nth_open(w, i, i % 2 == 0);
    }
    for (uint32_t i = 0; i < 700; i++) {
      sctp_fixture_nth_data(w, i % 70, 0, 100 + (i * 7 + i / 70) % 11, i % 70 % 2 == 0);
    }
    ingest_finish(w->ing);
    sctp_fixture_drain(w);
    if (key == 0) {
      strcpy(first, w->log);
    }
    ck_assert_str_eq(w->log, first);
    sctp_fixture_finish(w, first);
  }
  free(first);
}
END_TEST

/* ---- what an association is known by ---- */

/* The address of `octet`: 10.0.0.octet. */
static uint32_t ip_of(unsigned octet) {
  return 0x0A000000u + octet;
}

/* Begins a packet of a side between two addresses. */
static void begin_between(sctp_fixture *w, unsigned side, uint32_t tag, unsigned src,
                          unsigned dst) {
  sctp_fixture_begin(w, side, tag);
  w->packet[15] = (uint8_t)src;
  w->packet[19] = (uint8_t)dst;
}

/* One key: its kind (Path, To, From, taG, Ends), the side whose packets have it, the tag, and the
 * addresses from > to. */
static void tell_key(char *text, size_t size, const sctp_member *m) {
  static const char kinds[] = "-PTFGE";
  const uint64_t *word = m->key->key.word;
  uint8_t ip[2][16];
  memcpy(ip, &word[2], sizeof ip);
  const size_t len = strlen(text);
  snprintf(text + len, size - len, "%c%u:%X:", kinds[word[1] & 0xFF], m->side,
           (unsigned)(uint32_t)word[0]);
  for (unsigned i = 0; i < 2; i++) {
    const size_t at = strlen(text);
    const unsigned family = (unsigned)(word[1] >> (8 + 8 * i)) & 0xFF;
    ck_assert(family == 4 || (family == 0 && ip[i][0] == 0));
    snprintf(text + at, size - at, "%s%.0u", i == 0 ? "" : ">", ip[i][3]);
  }
  snprintf(text + strlen(text), size - strlen(text), " ");
}

/* All keys of the association of the last packet, the oldest first. */
static void expect_keys(const sctp_fixture *w, const char *due) {
  char text[1024] = "";
  const sctp_assoc *a = w->ing->sctp->lru_newest;
  const sctp_member *m = a->members;
  while (m->more != NULL) {
    ck_assert(m->more->less == m);
    m = m->more;
  }
  for (; m != NULL; m = m->less) {
    ck_assert(m->assoc == a);
    tell_key(text, sizeof text, m);
  }
  ck_assert_str_eq(text, due);
}

static void send_init_between(sctp_fixture *w, unsigned side, unsigned src, unsigned dst,
                              unsigned also) {
  begin_between(w, side, side == 0 ? 0 : 0xA, src, dst);
  sctp_fixture_chunk(w, side == 0 ? INIT : INIT_ACK, 0, 20 + 8);
  sctp_fixture_put(w, side == 0 ? 0xA : 0xB, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, 0x00080009, 4);
  sctp_fixture_put(w, 100, 4);
  sctp_fixture_put(w, 0x00050008, 4);
  sctp_fixture_put(w, ip_of(also), 4);
  sctp_fixture_push(w);
}

static void send_nothing_between(sctp_fixture *w, unsigned side, unsigned src, unsigned dst) {
  begin_between(w, side, side == 0 ? 0xB : 0xA, src, dst);
  sctp_fixture_chunk(w, 0x7F, 0, 4);
  sctp_fixture_push(w);
}

/* Clients have odd addresses, servers even ones. */
#define BY_INIT "E0:0:1>2 G1:A:> T1:A:>1 F1:A:2> P1:A:2>1 T1:A:>3 "
#define BY_BOTH                                                                                    \
  "G1:A:> T1:A:>1 F1:A:2> P1:A:2>1 T1:A:>3 G0:B:> T0:B:>2 F0:B:1> F0:B:3> P0:B:1>2 T0:B:>4 "       \
  "F1:A:4> "

START_TEST(the_keys_of_an_association)
{
  sctp_fixture *w = sctp_fixture_new();
  send_init_between(w, 0, 1, 2, 3);
  expect_keys(w, BY_INIT);
  send_init_between(w, 0, 1, 2, 5); /* the same again says nothing new */
  expect_keys(w, BY_INIT);
  send_init_between(w, 1, 2, 1, 4);
  expect_keys(w, BY_BOTH);
  send_nothing_between(w, 0, 1, 2);
  send_nothing_between(w, 1, 2, 1);
  expect_keys(w, BY_BOTH);
  send_nothing_between(w, 0, 3, 2); /* a path that is new, of known addresses */
  expect_keys(w, BY_BOTH "P0:B:3>2 P1:A:2>3 ");
  send_nothing_between(w, 1, 2, 3);
  expect_keys(w, BY_BOTH "P0:B:3>2 P1:A:2>3 ");
  send_nothing_between(w, 1, 4, 1);
  expect_keys(w, BY_BOTH "P0:B:3>2 P1:A:2>3 P0:B:1>4 P1:A:4>1 ");
  send_nothing_between(w, 0, 5, 6); /* two new addresses */
  expect_keys(w, BY_BOTH "P0:B:3>2 P1:A:2>3 P0:B:1>4 P1:A:4>1 T1:A:>5 F0:B:5> T0:B:>6 F1:A:6> "
                         "P0:B:5>6 P1:A:6>5 ");
  ck_assert_uint_eq(w->opened, 1);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* Client 1 names 3, and sends its INIT to 2; the INIT ACK comes from `src` and names `also`. */
static void answer_between(unsigned src, unsigned dst, unsigned also, unsigned opened) {
  sctp_fixture *w = sctp_fixture_new();
  send_init_between(w, 0, 1, 2, 3);
  send_init_between(w, 1, src, dst, also);
  ck_assert_uint_eq(w->opened, opened);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}

START_TEST(an_init_ack_between_other_addresses)
{
  answer_between(2, 1, 4, 1);
  answer_between(4, 1, 2, 1);
  answer_between(2, 3, 4, 1);
  answer_between(4, 3, 2, 1);
  answer_between(4, 1, 6, 2); /* of another server, which chose the same ports */
  answer_between(2, 5, 4, 2); /* to another client */
}
END_TEST

START_TEST(an_association_has_one_init_ack_between_other_addresses)
{
  sctp_fixture *w = sctp_fixture_new();
  send_init_between(w, 0, 1, 2, 3);
  send_init_between(w, 1, 2, 1, 6);
  send_init_between(w, 1, 4, 1, 2);
  ck_assert_uint_eq(w->opened, 2);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* An INIT with a wrong checksum still belongs to an association, as long as there is no better. */
START_TEST(the_keys_by_a_damaged_init)
{
  sctp_fixture *w = sctp_fixture_new();
  w->bad = true;
  send_init_between(w, 0, 1, 2, 3);
  expect_keys(w, BY_INIT);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* Addresses and paths that were seen before the tag of the server was. */
START_TEST(the_keys_of_an_association_before_a_tag_is_known)
{
  sctp_fixture *w = sctp_fixture_new();
  send_init_between(w, 0, 1, 2, 3);
  send_nothing_between(w, 1, 4, 1);
  expect_keys(w, BY_INIT "F1:A:4> P1:A:4>1 ");
  send_nothing_between(w, 1, 2, 3);
  expect_keys(w, BY_INIT "F1:A:4> P1:A:4>1 P1:A:2>3 ");
  send_nothing_between(w, 0, 1, 2);
  expect_keys(w, "G1:A:> T1:A:>1 F1:A:2> P1:A:2>1 T1:A:>3 F1:A:4> P1:A:4>1 P1:A:2>3 "
                 "G0:B:> T0:B:>2 T0:B:>4 F0:B:1> F0:B:3> P0:B:1>2 P0:B:1>4 P0:B:3>2 ");
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* The first packet is of the server, and of the middle. */
START_TEST(the_keys_of_an_association_in_the_middle)
{
  sctp_fixture *w = sctp_fixture_new();
  begin_between(w, 1, 0xA, 2, 1);
  sctp_fixture_data(w, 200, ALL, "x");
  sctp_fixture_push(w);
  expect_keys(w, "E1:0:1>2 G0:A:> T0:A:>1 F0:A:2> P0:A:2>1 ");
  send_nothing_between(w, 0, 1, 2);
  expect_keys(w, "G0:A:> T0:A:>1 F0:A:2> P0:A:2>1 G1:B:> T1:B:>2 F1:B:1> P1:B:1>2 ");
  ck_assert_uint_eq(w->opened, 1);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* A side that is known by as many addresses as are kept goes on to be known by its tag. */
START_TEST(the_keys_of_more_addresses_than_are_kept)
{
  sctp_fixture *w = sctp_fixture_new();
  send_init_between(w, 0, 1, 2, 3);
  send_init_between(w, 1, 2, 1, 4);
  for (unsigned i = 2; i < SCTP_HOMES_MAX; i++) {
    send_nothing_between(w, 0, 1 + 2 * i, 2 + 2 * i);
  }
  const sctp_assoc *a = w->ing->sctp->lru_newest;
  ck_assert_uint_eq(a->dir[0].homes, SCTP_HOMES_MAX);
  ck_assert_uint_eq(a->dir[1].homes, SCTP_HOMES_MAX);
  ck_assert_uint_eq(a->paths, UINT64_C(0x8040201008040001));
  send_nothing_between(w, 0, 1, 99);
  send_nothing_between(w, 1, 2, 99);
  send_nothing_between(w, 0, 99, 2);
  send_nothing_between(w, 0, 99, 16);
  send_nothing_between(w, 0, 15, 98);
  ck_assert_uint_eq(a->paths, UINT64_C(0x8040201008040001));
  ck_assert_uint_eq(a->dir[0].homes, SCTP_HOMES_MAX);
  send_nothing_between(w, 0, 1, 16);
  send_nothing_between(w, 0, 15, 2);
  ck_assert_uint_eq(a->paths, UINT64_C(0x8140201008040081));
  ck_assert_uint_eq(w->opened, 1);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* Two associations of a client with the same tag: a packet from a further address of it belongs to
 * the one that is known at the address that it goes to. */
START_TEST(the_address_of_the_receiver_tells_the_same_tags_apart)
{
  sctp_fixture *w = sctp_fixture_new();
  send_init_between(w, 0, 1, 2, 3);
  send_init_between(w, 1, 2, 1, 4);
  const sctp_assoc *first = w->ing->sctp->lru_newest;
  send_init_between(w, 0, 5, 6, 7);
  send_init_between(w, 1, 6, 5, 8);
  const sctp_assoc *second = w->ing->sctp->lru_newest;
  ck_assert(first != second);
  send_nothing_between(w, 0, 9, 4);
  ck_assert(w->ing->sctp->lru_newest == first);
  send_nothing_between(w, 0, 11, 8);
  ck_assert(w->ing->sctp->lru_newest == second);
  send_nothing_between(w, 0, 3, 12); /* or that it comes from */
  ck_assert(w->ing->sctp->lru_newest == first);
  send_nothing_between(w, 0, 13, 14); /* else it is of neither */
  ck_assert(w->ing->sctp->lru_newest == first && first->packets == 4 && second->packets == 3);
  ck_assert_uint_eq(w->opened, 2);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

/* What ends an association may carry the tag of its own sender: RFC 9260 8.5.1. */
START_TEST(an_end_with_the_tag_of_its_sender)
{
  enum { COMPLETE = 14 };
  static const struct {
    unsigned type, flags;
    bool found;
  } rows[] = {{ABORT, 1, true},     {ABORT, 3, true},        {ABORT, 0, false},
              {ABORT, 2, false},    {COMPLETE, 1, true},     {COMPLETE, 0, false},
              {SHUTDOWN, 1, false}, {SHUTDOWN_ACK, 1, false}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (unsigned side = 0; side < 2; side++) {
      sctp_fixture *w = sctp_fixture_open(100, 200);
      sctp_fixture_begin(w, side, side == 0 ? 0xA0A0 : 0xB0B0);
      sctp_fixture_chunk(w, rows[i].type, rows[i].flags, 4);
      sctp_fixture_push(w);
      const sctp_assoc *a = w->ing->sctp->lru_newest;
      ck_assert_uint_eq(a->packets, rows[i].found ? 3 : 2);
      ck_assert_uint_eq(a->ended_by, rows[i].found && rows[i].type == ABORT ? side : 0);
      ck_assert_uint_eq(w->opened, 1);
      w->quiet = true;
      sctp_fixture_finish(w, w->log);
    }
  }
}
END_TEST

/* ---- addresses ---- */

static void send_init_from(sctp_fixture *w, uint32_t own, const uint32_t *homes, unsigned n) {
  sctp_fixture_begin(w, 0, 0);
  sctp_fixture_chunk(w, INIT, 0, 20 + 8 * n);
  sctp_fixture_put(w, own, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, 0x00080009, 4);
  sctp_fixture_put(w, 100, 4);
  for (unsigned i = 0; i < n; i++) {
    sctp_fixture_put(w, 0x00050008, 4);
    sctp_fixture_put(w, homes[i], 4);
  }
  sctp_fixture_push(w);
}

/* Two associations with the same ports and the same tags: only the addresses that their INITs name
 * tell whose a packet from another address is. */
START_TEST(named_addresses_tell_the_same_tags_apart)
{
  const uint32_t homes[2] = {0x0B010000, 0x0B010001};
  sctp_fixture *w = sctp_fixture_new();
  for (uint32_t i = 0; i < 2; i++) {
    sctp_fixture_nth(w, i);
    send_init_from(w, sctp_fixture_tag(i, 0, true), &homes[i], 1);
    sctp_fixture_send_init(w, 1, sctp_fixture_tag(i, 0, true), sctp_fixture_tag(i, 1, true), 200);
  }
  for (uint32_t i = 0; i < 2; i++) {
    w->client_ip = homes[i];
    sctp_fixture_begin(w, 0, sctp_fixture_tag(i, 1, true));
    sctp_fixture_data(w, 100, ALL, i == 0 ? "of the first" : "of the second");
    sctp_fixture_push(w);
    w->client_ip = homes[i];
    sctp_fixture_begin(w, 1, sctp_fixture_tag(i, 0, true));
    sctp_fixture_data(w, 200, ALL, i == 0 ? "to the first" : "to the second");
    sctp_fixture_push(w);
  }
#define BARE "open a:init8/0 b:init8/1 "
  sctp_fixture_finish(w, BARE BARE "a:100=of the first b:200=to the first a:100=of the second "
                                   "b:200=to the second close2 close2 ");
}
END_TEST

START_TEST(addresses_may_be_added_later)
{
  const uint32_t home = 0x0B010000;
  sctp_fixture *w = sctp_fixture_new();
  for (uint32_t i = 0; i < 2; i++) {
    sctp_fixture_nth_open(w, i, true);
  }
  sctp_fixture_nth(w, 1);
  sctp_fixture_begin(w, 0, sctp_fixture_tag(1, 1, true));
  sctp_fixture_chunk(w, 193, 0, 8 + 8 + 8 + 8);
  sctp_fixture_put(w, 1, 4); /* serial number */
  sctp_fixture_put(w, 0x00050008, 4);
  sctp_fixture_put(w, w->client_ip, 4);
  sctp_fixture_put(w, 0xC0010010, 4);
  sctp_fixture_put(w, 1, 4);
  sctp_fixture_put(w, 0x00050008, 4);
  sctp_fixture_put(w, home, 4);
  sctp_fixture_push(w);
  w->client_ip = home;
  sctp_fixture_begin(w, 0, sctp_fixture_tag(1, 1, true));
  sctp_fixture_data(w, 100, ALL, "from the new one");
  sctp_fixture_push(w);
  sctp_fixture_nth_data(w, 0, 0, 100, true);
  sctp_fixture_finish(w, OPENED OPENED "a:100=from the new one a:100=x close2 close2 ");
}
END_TEST

START_TEST(more_addresses_than_are_kept)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  for (uint32_t i = 0; i < 40; i++) {
    w->client_ip = 0x0B000000u + i % 20;
    sctp_fixture_send(w, 0, 100 + i, "x");
  }
  ck_assert_uint_eq(w->opened, 1);
  ck_assert_uint_eq(w->messages, 40);
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}
END_TEST

START_TEST(both_sides_may_begin)
{
  sctp_fixture *w = sctp_fixture_new();
  sctp_fixture_send_init(w, 0, 0, 0xA0A0, 100);
  sctp_fixture_begin(w, 1, 0);
  sctp_fixture_chunk(w, INIT, 0, 20);
  sctp_fixture_put(w, 0xB0B0, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, 0x00080009, 4);
  sctp_fixture_put(w, 200, 4);
  sctp_fixture_push(w);
  sctp_fixture_send_init(w, 1, 0xA0A0, 0xB0B0, 200);
  sctp_fixture_send(w, 0, 100, "one");
  sctp_fixture_send(w, 1, 200, "two");
  sctp_fixture_finish(w, "open a:init8/1 b:init8/0 a:100=one b:200=two close2 ");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ingest_sctp_table");
  TCase *tcase = tcase_create("sctp");
  tcase_add_test(tcase, associations_of_the_same_ports_are_kept_apart);
  tcase_add_test(tcase, one_association_more_than_may_be);
  tcase_add_test(tcase, an_association_that_ended_loses_nothing_by_a_limit);
  tcase_add_test(tcase, an_association_that_ended_loses_by_a_limit_what_it_waits_for);
  tcase_add_test(tcase, an_association_that_ended_is_closed_in_time);
  tcase_add_test(tcase, associations_of_other_ports_are_kept_apart);
  tcase_add_test(tcase, associations_of_other_tags_are_kept_apart);
  tcase_add_test(tcase, what_a_key_holds);
  tcase_add_test(tcase, the_table_doubles_when_it_is_full);
  tcase_add_test(tcase, what_it_costs_to_find_a_key);
  tcase_add_test(tcase, an_init_that_is_sent_again_begins_nothing);
  tcase_add_test(tcase, an_init_after_messages_begins_another_association);
  tcase_add_test(tcase, the_key_changes_nothing);
  tcase_add_test(tcase, the_keys_of_an_association);
  tcase_add_test(tcase, an_init_ack_between_other_addresses);
  tcase_add_test(tcase, an_association_has_one_init_ack_between_other_addresses);
  tcase_add_test(tcase, the_keys_by_a_damaged_init);
  tcase_add_test(tcase, the_keys_of_an_association_before_a_tag_is_known);
  tcase_add_test(tcase, the_keys_of_an_association_in_the_middle);
  tcase_add_test(tcase, the_keys_of_more_addresses_than_are_kept);
  tcase_add_test(tcase, the_address_of_the_receiver_tells_the_same_tags_apart);
  tcase_add_test(tcase, an_end_with_the_tag_of_its_sender);
  tcase_add_test(tcase, named_addresses_tell_the_same_tags_apart);
  tcase_add_test(tcase, addresses_may_be_added_later);
  tcase_add_test(tcase, more_addresses_than_are_kept);
  tcase_add_test(tcase, both_sides_may_begin);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
