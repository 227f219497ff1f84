/* SPDX-License-Identifier: BSD-2-Clause */
/* What a packet changes in its SCTP association: acknowledgments, numbering, addresses, ends. */
#include "check_run.h"
#include "ingest/conn.h"
#include "ingest/sctp_priv.h"
#include "sctp_fixture.h"

#include <stdlib.h>
#include <string.h>

/* The association of the last packet. */
static const sctp_assoc *assoc(const sctp_fixture *w) {
  return w->ing->sctp->lru_newest;
}

static const sctp_dir *dir(const sctp_fixture *w, unsigned side) {
  return &assoc(w)->dir[side];
}

/* The TSN that a position stands for; positions begin one epoch up, so that there are some before
 * the first one. */
static uint64_t at(uint32_t tsn) {
  return (UINT64_C(1) << 32) + tsn;
}

static void finish(sctp_fixture *w) {
  w->quiet = true;
  sctp_fixture_finish(w, w->log);
}

/* ---- numbering ---- */

START_TEST(a_direction_begins_with_its_init)
{
  sctp_fixture *w = sctp_fixture_open(100, 0xFFFFFFFF);
  const uint32_t tsn[2] = {100, 0xFFFFFFFF};
  for (unsigned side = 0; side < 2; side++) {
    const sctp_dir *d = dir(w, side);
    ck_assert(d->started && d->start_known && d->init_seen && !d->init_due);
    ck_assert(!d->snapped && !d->lost && d->proven);
    ck_assert_uint_eq(d->next, at(tsn[side]));
    ck_assert_uint_eq(d->acked, at(tsn[side]));
  }
  ck_assert_uint_eq(dir(w, 0)->tag, 0xA0A0);
  ck_assert_uint_eq(dir(w, 1)->tag, 0xB0B0);
  finish(w);
}
END_TEST

START_TEST(a_direction_begins_with_its_first_chunk)
{
  sctp_fixture *w = sctp_fixture_new();
  sctp_fixture_send(w, 0, 100, "x");
  ck_assert(dir(w, 0)->started && !dir(w, 0)->start_known && !dir(w, 1)->started);
  ck_assert_uint_eq(dir(w, 0)->next, at(101));
  finish(w);
}
END_TEST

/* An INIT with a wrong checksum and this TSN, perhaps a chunk, and the INIT as it was sent, with
 * TSN 100: where the direction begins then. */
static uint64_t begins_after(uint32_t damaged, uint32_t chunk) {
  sctp_fixture *w = sctp_fixture_new();
  w->quiet = true;
  w->bad = true;
  sctp_fixture_send_init(w, 0, 0, 0xA0A0, damaged);
  ck_assert_uint_eq(dir(w, 0)->start, at(damaged));
  if (chunk != 0) {
    w->bad = true;
    sctp_fixture_send(w, 0, chunk, "x");
  }
  sctp_fixture_send_init(w, 0, 0, 0xA0A0, 100);
  const sctp_dir *d = dir(w, 0);
  const uint64_t start = d->start;
  ck_assert(d->start_known && !d->init.damaged);
  ck_assert_uint_eq(d->next, start + (chunk == damaged ? 1 : 0));
  ck_assert_uint_eq(d->acked, start);
  finish(w);
  return start;
}

/* Unless a chunk has come out, or waits for others that would not be there. */
START_TEST(a_direction_begins_with_its_init_where_a_damaged_one_was_before)
{
  ck_assert_uint_eq(begins_after(0x864, 0), at(100));
  ck_assert_uint_eq(begins_after(36, 0), at(100));
  ck_assert_uint_eq(begins_after(0x70000064, 0), at(100));
  ck_assert_uint_eq(begins_after(110, 112), at(100));
  ck_assert_uint_eq(begins_after(36, 40), at(36));
  ck_assert_uint_eq(begins_after(110, 110), at(110));
}
END_TEST

/* Where the direction begins after an INIT with a wrong checksum, or a right one, and a chunk, or
 * two of them; whether that is certain. */
static bool begins_with(bool bad_init, uint32_t init, bool bad_chunk, uint32_t chunk,
                        uint32_t start) {
  sctp_fixture *w = sctp_fixture_new();
  w->quiet = true;
  w->bad = bad_init;
  sctp_fixture_send_init(w, 0, 0, 0xA0A0, init);
  w->bad = bad_chunk;
  sctp_fixture_send(w, 0, chunk, "x");
  sctp_fixture_send(w, 0, chunk + 2, "x"); /* no first chunk any more */
  const sctp_dir *d = dir(w, 0);
  const bool known = d->start_known;
  ck_assert_uint_eq(d->start, at(start));
  finish(w);
  return known;
}

START_TEST(a_direction_begins_with_its_first_chunk_where_the_init_was_damaged)
{
  ck_assert(!begins_with(true, 0x70000064, false, 100, 100));
  ck_assert(!begins_with(true, 36, false, 100, 100));
  ck_assert(begins_with(true, 100, false, 100, 100));
  ck_assert(begins_with(false, 99, false, 100, 99));
  ck_assert(begins_with(true, 99, true, 100, 99));
}
END_TEST

/* Half of all numbers away a TSN is an old one, which no number of copies makes a new one. */
START_TEST(half_of_all_numbers_away_is_before)
{
  for (unsigned more = 0; more < 2; more++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    w->quiet = true;
    for (unsigned i = 0; i < 2 * SCTP_OUT_OF_WINDOW_MAX; i++) {
      sctp_fixture_send(w, 0, 100u + 0x7FFFFFFFu + more, "x");
    }
    ck_assert_uint_eq(w->messages, more == 0 ? 1 : 0);
    finish(w);
  }
}
END_TEST

/* What is held is counted: its chunks, and their memory. */
START_TEST(what_a_held_chunk_takes)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  const struct ing_sctp *s = w->ing->sctp;
  sctp_fixture_send(w, 0, 101, "12345");
  ck_assert_uint_eq(assoc(w)->nodes, 1);
  ck_assert_uint_eq(assoc(w)->held, sizeof(sctp_node) + 5);
  ck_assert_uint_eq(s->held, sizeof(sctp_node) + 5);
  sctp_fixture_send(w, 1, 201, "");
  ck_assert_uint_eq(assoc(w)->nodes, 2);
  ck_assert_uint_eq(assoc(w)->held, 2 * sizeof(sctp_node) + 5);
  sctp_fixture_send(w, 0, 100, "x");
  ck_assert_uint_eq(assoc(w)->nodes, 1);
  ck_assert_uint_eq(assoc(w)->held, sizeof(sctp_node));
  sctp_fixture_send(w, 1, 200, "x");
  ck_assert_uint_eq(assoc(w)->nodes, 0);
  ck_assert_uint_eq(s->held, 0);
  finish(w);
}
END_TEST

/* The same of a message under way, of either side, which is given back when no more packets are
 * wanted. */
START_TEST(what_a_message_under_way_takes)
{
  for (unsigned side = 0; side < 2; side++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    const sctp_dir *d = dir(w, side);
    const uint32_t tsn = side == 0 ? 100 : 200;
    const unsigned flags[] = {FIRST, MIDDLE, LAST, FIRST, MIDDLE, MIDDLE};
    const size_t parts[] = {1, 2, 0, 1, 2, 3};
    for (uint32_t i = 0; i < 6; i++) {
      sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
      sctp_fixture_data(w, tsn + i, flags[i], "12345");
      sctp_fixture_push(w);
      ck_assert_uint_eq(d->parts_num, parts[i]);
      ck_assert_uint_eq(d->parts_len, 5 * parts[i]);
      ck_assert_uint_eq(assoc(w)->nodes, parts[i]);
      ck_assert_uint_eq(assoc(w)->held, parts[i] * (sizeof(sctp_node) + 5));
    }
    sctp_fixture_send(w, side, tsn + 7, "held");
    ingest_free(w->ing);
    ck_assert_uint_eq(w->live, 0);
    free(w);
  }
}
END_TEST

/* After a numbering that is another one: held chunks are gone, what is before is given up at once,
 * and as many far ones are needed again. */
START_TEST(another_numbering_begins_with_nothing)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send(w, 0, 105, "held");
  for (unsigned i = 1; i < SCTP_OUT_OF_WINDOW_MAX; i++) {
    sctp_fixture_send(w, 0, 0x40000000, "far");
    ck_assert_uint_eq(dir(w, 0)->out_of_window, i);
    ck_assert(dir(w, 0)->lost && !dir(w, 1)->lost);
  }
  ck_assert_uint_eq(w->messages, 0);
  ck_assert(dir(w, 0)->start_known);
  w->log[0] = '\0';
  sctp_fixture_send(w, 0, 0x40000000, "new");
  ck_assert_str_eq(w->log, "a:lost100+0/held-octets a:lost100+1073741724 a:1073741824=new ");
  ck_assert_uint_eq(dir(w, 0)->out_of_window, 0);
  ck_assert(!dir(w, 0)->start_known && dir(w, 0)->lost);
  ck_assert_uint_eq(dir(w, 0)->acked, at(0x40000000));
  ck_assert_uint_eq(assoc(w)->nodes, 0);
  ck_assert_int_eq((int)assoc(w)->limit, INGEST_LIMIT_HELD_OCTETS);
  for (unsigned i = 1; i < SCTP_OUT_OF_WINDOW_MAX; i++) {
    sctp_fixture_send(w, 0, 0x60000000, "far");
  }
  ck_assert_uint_eq(w->messages, 1);
  finish(w);
}
END_TEST

/* A chunk is there as far as its packet is; its header has to be. */
START_TEST(a_chunk_is_cut)
{
  static const struct {
    size_t cut;
    const char *text;
    bool snapped;
  } rows[] = {{0, "a:100=1234 ", false}, {4, "a:100= ", true}, {5, "", true}, {17, "", true}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    w->log[0] = '\0';
    sctp_fixture_begin(w, 0, 0xB0B0);
    sctp_fixture_data(w, 100, ALL, "1234");
    w->cut = rows[i].cut;
    sctp_fixture_push(w);
    ck_assert_str_eq(w->log, rows[i].text);
    ck_assert_int_eq(dir(w, 0)->snapped, rows[i].snapped);
    sctp_fixture_send(w, 0, 101, "whole");
    ck_assert_int_eq(dir(w, 0)->snapped, rows[i].snapped);
    ck_assert(!dir(w, 1)->snapped);
    finish(w);
  }
}
END_TEST

/* ---- acknowledgments ---- */

START_TEST(an_acknowledgment_is_not_taken_back)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  sctp_fixture_send_ack(w, 1, 104);
  ck_assert_uint_eq(dir(w, 0)->acked, at(105));
  sctp_fixture_send_ack(w, 1, 102);
  sctp_fixture_send_ack(w, 1, 100u + 2 * SCTP_SANE);
  sctp_fixture_send_ack(w, 1, 100u - 2 * SCTP_SANE);
  ck_assert_uint_eq(dir(w, 0)->acked, at(105));
  ck_assert_uint_eq(dir(w, 1)->acked, at(200));
  sctp_fixture_send_ack(w, 0, 204);
  ck_assert_uint_eq(dir(w, 1)->acked, at(205));
  ck_assert_uint_eq(dir(w, 0)->acked, at(105));
  finish(w);
}
END_TEST

/* Before anything of the other side was seen a TSN is no position. */
START_TEST(what_was_never_seen_is_not_acknowledged)
{
  sctp_fixture *w = sctp_fixture_new();
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_ack(w, 204, 0);
  sctp_fixture_data(w, 100, ALL, "x");
  sctp_fixture_push(w);
  ck_assert_uint_eq(dir(w, 1)->acked, 0);
  ck_assert_uint_eq(dir(w, 0)->known.below, SCTP_NONE);
  finish(w);
}
END_TEST

/* Its TSN is there as a whole, or it says nothing. */
static void acked_by(unsigned type, unsigned side, unsigned acked, unsigned len) {
  for (unsigned cut = 0; cut < 2; cut++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
    sctp_fixture_chunk(w, type, 0, len);
    sctp_fixture_put(w, 0x1FF, 4);
    w->len += len - 8;
    w->cut = cut;
    sctp_fixture_push(w);
    ck_assert_uint_eq(dir(w, acked)->acked, cut == 0 ? at(0x200) : at(acked == 0 ? 100 : 200));
    ck_assert_uint_eq(dir(w, acked ^ 1u)->acked, at(acked == 0 ? 200 : 100));
    finish(w);
  }
}

START_TEST(what_acknowledges)
{
  for (unsigned side = 0; side < 2; side++) {
    acked_by(SACK, side, side ^ 1u, 16);
    acked_by(SHUTDOWN, side, side ^ 1u, 8);
    acked_by(FORWARD, side, side, 8); /* its own */
  }
}
END_TEST

START_TEST(a_gap_that_is_cut_is_none)
{
  for (unsigned cut = 0; cut < 2; cut++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    sctp_fixture_begin(w, 1, 0xA0A0);
    sctp_fixture_data(w, 200, ALL, "x");
    sctp_fixture_chunk(w, SACK, 0, 24);
    sctp_fixture_put(w, 101, 4);
    sctp_fixture_put(w, 65536, 4);
    sctp_fixture_put(w, 2u << 16, 4);
    sctp_fixture_put(w, 0x00020003, 4);
    sctp_fixture_put(w, 0x01010103, 4);
    w->cut = cut;
    sctp_fixture_push(w);
    ck_assert_uint_eq(dir(w, 1)->known.below, at(102));
    ck_assert_uint_eq(dir(w, 1)->known.top, cut == 0 ? at(102 + 0x103) : at(102 + 3));
    ck_assert_uint_eq(dir(w, 1)->known.most, cut == 0 ? dir(w, 1)->known.top : SCTP_NONE);
    finish(w);
  }
}
END_TEST

/* What is known: the highest acknowledgment of the packet, or of those before it. */
START_TEST(what_a_side_is_known_to_have)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  const sctp_known *known = &dir(w, 1)->known;
  ck_assert_uint_eq(known->below, SCTP_NONE);
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_ack(w, 110, 0);
  sctp_fixture_ack(w, 112, 0);
  sctp_fixture_ack(w, 111, 1);
  sctp_fixture_push(w);
  ck_assert_uint_eq(known->below, at(113));
  ck_assert_uint_eq(known->top, at(113));
  ck_assert_uint_eq(known->sure, at(113));
  ck_assert_uint_eq(known->most, at(113));
  ck_assert_uint_eq(dir(w, 1)->known_time_ns, 30);
  sctp_fixture_send_ack(w, 1, 111);
  ck_assert_uint_eq(known->below, at(113));
  ck_assert_uint_eq(dir(w, 1)->known_time_ns, 30);
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_ack(w, 112, 0);
  sctp_fixture_ack(w, 112, 1); /* the last of two that are the same */
  sctp_fixture_push(w);
  ck_assert_uint_eq(known->top, at(115));
  ck_assert_uint_eq(known->most, at(115));
  ck_assert_uint_eq(dir(w, 1)->known_time_ns, 50); /* as of the last packet that says so, */
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_ack(w, 113, 0);
  w->time_back = 25;
  sctp_fixture_push(w);
  ck_assert_uint_eq(known->below, at(114));
  ck_assert_uint_eq(dir(w, 1)->known_time_ns, 50); /* in time */
  ck_assert_uint_eq(dir(w, 0)->known.below, SCTP_NONE);
  finish(w);
}
END_TEST

/* A packet with a wrong checksum says what it acknowledges for itself at most. */
START_TEST(what_a_damaged_packet_acknowledges)
{
  sctp_fixture *w = sctp_fixture_new();
  sctp_fixture_send_init(w, 0, 0, 0xA0A0, 100);
  w->bad = true;
  sctp_fixture_begin(w, 1, 0xA0A0);
  sctp_fixture_ack(w, 104, 0);
  sctp_fixture_data(w, 200, ALL, "x");
  sctp_fixture_push(w);
  ck_assert_uint_eq(dir(w, 1)->known.below, SCTP_NONE);
  ck_assert(!dir(w, 1)->proven);
  sctp_fixture_send_ack(w, 1, 104);
  ck_assert_uint_eq(dir(w, 1)->known.below, at(105));
  ck_assert(dir(w, 1)->proven);
  finish(w);
}
END_TEST

/* A checksum that the card fills in neither proves its sender's checksums nor spoils the packet. */
START_TEST(a_checksum_of_zero_proves_nothing)
{
  sctp_fixture *w = sctp_fixture_new();
  sctp_fixture_begin(w, 0, 0xB0B0);
  sctp_fixture_data(w, 100, ALL, "x");
  const ingest_packet pkt = {
      .data = w->packet, .caplen = w->len, .len = w->len, .link_type = 101, .number = 1};
  w->packet[3] = (uint8_t)w->len;
  ingest_push(w->ing, &pkt);
  sctp_fixture_drain(w);
  ck_assert_str_eq(w->log, "open a:100=x ");
  ck_assert(!dir(w, 0)->proven);
  ck_assert(dir(w, 1)->tag_known && dir(w, 1)->tag == 0xB0B0);
  finish(w);
}
END_TEST

/* Every 16 packets, of either side. */
START_TEST(what_was_acknowledged_some_time_ago)
{
  sctp_fixture *w = sctp_fixture_open(100, 200);
  for (uint32_t i = 3; i <= 16 * 7; i++) {
    sctp_fixture_send_ack(w, i % 2, (i % 2 == 0 ? 200 : 100) + i - 1);
  }
  for (unsigned side = 0; side < 2; side++) {
    const uint32_t tsn = side == 0 ? 100 : 200;
    for (unsigned i = 0; i <= SCTP_PATIENCE_STEPS; i++) {
      const uint32_t packet = 16 * (3 + i); /* acknowledged by those before it */
      const uint32_t last = (packet - 1) % 2 == (side ^ 1u) ? packet - 1 : packet - 2;
      ck_assert_uint_eq(dir(w, side)->past_acked[i], at(tsn + last));
    }
  }
  ck_assert_uint_eq(assoc(w)->packets, 16 * 7);
  finish(w);
}
END_TEST

/* ---- tags ---- */

START_TEST(the_tags_of_an_association_in_the_middle)
{
  for (uint32_t tag = 0; tag < 3; tag++) {
    sctp_fixture *w = sctp_fixture_new();
    sctp_fixture_begin(w, 0, tag);
    sctp_fixture_data(w, 100, ALL, "x");
    sctp_fixture_push(w);
    ck_assert_int_eq(dir(w, 1)->tag_known, tag != 0); /* 0 is no tag */
    ck_assert_uint_eq(dir(w, 1)->tag, tag);
    ck_assert(!dir(w, 0)->tag_known);
    sctp_fixture_begin(w, 1, 0xA0A0);
    sctp_fixture_data(w, 200, ALL, "x");
    sctp_fixture_push(w);
    ck_assert(dir(w, 0)->tag_known && dir(w, 0)->tag == 0xA0A0);
    ck_assert_int_eq(dir(w, 1)->tag_known, tag != 0);
    ck_assert_uint_eq(w->opened, 1);
    finish(w);
  }
}
END_TEST

/* The first SHUTDOWN ends an association, but for an ABORT that comes after it or before. */
START_TEST(the_packet_that_ends_an_association)
{
  static const struct {
    uint8_t type[3]; /* the second one is of the server */
    uint64_t packet;
    uint8_t side;
  } rows[] = {{{SHUTDOWN, SHUTDOWN, SHUTDOWN}, 3, 0},
              {{SHUTDOWN, ABORT, SHUTDOWN}, 4, 1},
              {{SHUTDOWN_ACK, SHUTDOWN, SHUTDOWN}, 4, 1},
              {{ABORT, SHUTDOWN, SHUTDOWN}, 3, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    for (unsigned k = 0; k < 3; k++) {
      sctp_fixture_begin(w, k % 2, k % 2 == 0 ? 0xB0B0 : 0xA0A0);
      sctp_fixture_chunk(w, rows[i].type[k], 0, 4);
      sctp_fixture_push(w);
    }
    ck_assert_uint_eq(assoc(w)->ended.packet, rows[i].packet);
    ck_assert_uint_eq(assoc(w)->ended.time_ns, 10 * rows[i].packet);
    ck_assert_uint_eq(assoc(w)->ended_by, rows[i].side);
    finish(w);
  }
}
END_TEST

/* The INIT gave the client's tag; the client's next packet tells the server's, unless it is an
 * ABORT with its own. */
START_TEST(the_tag_of_the_server_by_packets_of_the_client)
{
  for (unsigned own = 0; own < 2; own++) {
    sctp_fixture *w = sctp_fixture_new();
    sctp_fixture_send_init(w, 0, 0, 0xA0A0, 100);
    ck_assert(dir(w, 0)->tag_known && !dir(w, 1)->tag_known);
    sctp_fixture_begin(w, 0, own != 0 ? 0xA0A0 : 0xB0B0);
    sctp_fixture_chunk(w, ABORT, own, 4);
    sctp_fixture_push(w);
    ck_assert_uint_eq(w->opened, 1);
    ck_assert_uint_eq(assoc(w)->ended.packet, 2);
    ck_assert_int_eq(dir(w, 1)->tag_known, own == 0);
    ck_assert_uint_eq(dir(w, 1)->tag, own == 0 ? 0xB0B0 : 0);
    finish(w);
  }
}
END_TEST

/* ---- INIT ---- */

START_TEST(an_init_is_there_as_a_whole_or_says_nothing)
{
  for (size_t cut = 0; cut < 2; cut++) {
    sctp_fixture *w = sctp_fixture_new();
    sctp_fixture_begin(w, 0, 0);
    sctp_fixture_chunk(w, INIT, 0, 20);
    sctp_fixture_put(w, 0xA0A0, 4);
    sctp_fixture_put(w, 65536, 4);
    sctp_fixture_put(w, 0x00080009, 4);
    sctp_fixture_put(w, 100, 4);
    w->cut = cut;
    sctp_fixture_push(w);
    ck_assert_str_eq(w->log, cut == 0 ? "open a:init8/0 " : "open ");
    ck_assert_int_eq(dir(w, 0)->started, cut == 0);
    ck_assert_int_eq(dir(w, 0)->init_seen, cut == 0);
    finish(w);
  }
}
END_TEST

/* An address parameter: of IPv4 or of IPv6, and there as a whole. */
START_TEST(the_addresses_that_a_chunk_names)
{
  static const struct {
    uint16_t type;
    size_t cap;
    uint8_t family; /* or 0: none is read */
  } rows[] = {{5, 4, 4}, {5, 3, 0}, {6, 16, 6}, {6, 15, 0}, {4, 16, 0}, {7, 16, 0}, {0, 16, 0}};
  const uint8_t octets[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const sctp_param param = {.type = rows[i].type,
                              .value = {.data = octets, .cap = rows[i].cap, .len = 16}};
    sctp_home home;
    const bool read = ing_sctp_home(&param, &home);
    expect(read == (rows[i].family != 0), "row %zu", i);
    uint8_t due[16] = {0};
    memcpy(due, octets, rows[i].family == 4 ? 4 : 16);
    expect(!read || (home.family == rows[i].family && memcmp(home.ip, due, sizeof due) == 0),
           "row %zu: another address", i);
  }
}
END_TEST

/* A parameter of any length, and the next one after its padding to a multiple of 4 (RFC
 * 9260 3.2.1). */
START_TEST(parameters_follow_each_other_after_their_padding)
{
  for (size_t len = 4; len <= 9; len++) {
    const size_t next = (len + 3) / 4 * 4;
    uint8_t octets[16] = {0x80, 0x01, 0, (uint8_t)len};
    octets[next + 1] = 0x0C;
    octets[next + 3] = 4;
    ing_span rest = {.data = octets, .cap = next + 4, .len = next + 4};
    sctp_param param;
    ck_assert(ing_sctp_param(&rest, &param));
    ck_assert(param.type == 0x8001 && param.value.len == len - 4 && rest.len == 4);
    ck_assert(ing_sctp_param(&rest, &param));
    ck_assert(param.type == 0x000C && param.value.len == 0 && rest.len == 0);
    ck_assert(!ing_sctp_param(&rest, &param));
  }
}
END_TEST

/* ---- ends ---- */

START_TEST(an_abort_is_marked)
{
  for (unsigned side = 0; side < 2; side++) {
    sctp_fixture *w = sctp_fixture_open(100, 200);
    sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
    sctp_fixture_chunk(w, ABORT, 0, 4);
    sctp_fixture_push(w);
    const sctp_assoc *a = assoc(w);
    ck_assert_int_eq((int)a->end, INGEST_END_RST);
    ck_assert_uint_eq(a->deadline, 3 + SCTP_DYING_PACKETS);
    ck_assert(a->ended.packet == 3 && a->ended.time_ns == 30 && a->ended_by == side);
    sctp_fixture_begin(w, side ^ 1u, side == 0 ? 0xA0A0 : 0xB0B0);
    sctp_fixture_chunk(w, ABORT, 0, 4); /* the first one counts */
    sctp_fixture_push(w);
    ck_assert_uint_eq(a->deadline, 3 + SCTP_DYING_PACKETS);
    ck_assert(a->ended.packet == 3 && a->ended.time_ns == 30 && a->ended_by == side);
    finish(w);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_direction_begins_with_its_init,
                                a_direction_begins_with_its_init_where_a_damaged_one_was_before,
                                a_direction_begins_with_its_first_chunk_where_the_init_was_damaged,
                                a_direction_begins_with_its_first_chunk,
                                half_of_all_numbers_away_is_before,
                                what_a_held_chunk_takes,
                                what_a_message_under_way_takes,
                                another_numbering_begins_with_nothing,
                                a_chunk_is_cut,
                                an_acknowledgment_is_not_taken_back,
                                what_was_never_seen_is_not_acknowledged,
                                what_acknowledges,
                                a_gap_that_is_cut_is_none,
                                what_a_side_is_known_to_have,
                                what_a_damaged_packet_acknowledges,
                                a_checksum_of_zero_proves_nothing,
                                what_was_acknowledged_some_time_ago,
                                the_tags_of_an_association_in_the_middle,
                                the_packet_that_ends_an_association,
                                the_tag_of_the_server_by_packets_of_the_client,
                                an_init_is_there_as_a_whole_or_says_nothing,
                                the_addresses_that_a_chunk_names,
                                parameters_follow_each_other_after_their_padding,
                                an_abort_is_marked,
                                NULL};
  return check_run(check_suite("ingest-sctp-input", tests));
}
