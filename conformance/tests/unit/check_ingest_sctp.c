/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP associations: order, loss, fragments, tags, checksums, and the bounds of memory. */
#include "check_run.h"

#include <iwarp/crc32c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ingest/pcap_src.h>
#include <ingest/sctp.h>

#define LOG_CAP 65536u

enum { DATA = 0, INIT = 1, INIT_ACK = 2, SACK = 3, ABORT = 6, SHUTDOWN_ACK = 8, FORWARD = 192 };
enum { ALL = 7, FIRST = 6, MIDDLE = 4, LAST = 5, ORDERED = 3 };

/* One engine, the packet in the making, and what came of all. */
typedef struct world {
  ingest_cfg cfg;
  size_t live;
  size_t peak;
  ingest *ing;
  uint64_t number;
  uint8_t packet[4096];
  size_t len;
  uint32_t client_ip; /* of side 0 */
  bool bad;
  size_t cut;
  bool quiet;         /* events are counted only */
  uint64_t time_back; /* the packet in the making was captured so much earlier than it stands */
  uint64_t opened, messages, lost, closed;
  uint64_t limits[INGEST_LIMIT_MESSAGE + 1]; /* of CLOSE */
  uint64_t told[INGEST_LIMIT_MESSAGE + 1];   /* of LOST */
  size_t budget;                             /* octets that may be live, or 0 */
  uint64_t octets;                           /* of all packets */
  char log[LOG_CAP];
} world;

static void *world_get(void *ctx, size_t size) {
  world *w = ctx;
  if (w->budget != 0 && w->live + size > w->budget) {
    return NULL;
  }
  w->live += size;
  w->peak = w->live > w->peak ? w->live : w->peak;
  return malloc(size);
}

static void world_put(void *ctx, void *ptr, size_t size) {
  world *w = ctx;
  w->live -= size;
  free(ptr);
}

static world *world_new(void) {
  world *w = calloc(1, sizeof *w);
  ck_assert_ptr_nonnull(w);
  w->cfg.alloc = (ingest_alloc){.ctx = w, .get = world_get, .put = world_put};
  w->ing = ingest_new(&w->cfg);
  w->client_ip = 0x0A000001;
  return w;
}

static void world_say(world *w, const char *text) {
  ck_assert_uint_lt(strlen(w->log) + strlen(text), LOG_CAP);
  strcat(w->log, text);
}

static void world_count(world *w, const ingest_sctp_event *ev) {
  w->opened += ev->kind == INGEST_SCTP_OPEN;
  w->messages += ev->kind == INGEST_SCTP_MESSAGE;
  if (ev->kind == INGEST_SCTP_LOST) {
    w->lost++;
    w->told[ev->limit]++;
  }
  if (ev->kind == INGEST_SCTP_CLOSE) {
    w->closed++;
    w->limits[ev->limit]++;
  }
}

static void world_event(world *w, const ingest_sctp_event *ev) {
  char text[160];
  world_count(w, ev);
  if (w->quiet) {
    return;
  }
  const char side = (char)('a' + ev->side);
  switch (ev->kind) {
  case INGEST_SCTP_OPEN: world_say(w, "open "); return;
  case INGEST_SCTP_INIT:
    snprintf(text, sizeof text, "%c:init%u/%u ", side, ev->init->out_streams,
             ev->init->has_adaptation ? ev->init->adaptation : 0);
    break;
  case INGEST_SCTP_MESSAGE:
    snprintf(text, sizeof text, "%c:%u=%.*s%s%s%s%s ", side, (unsigned)(uint32_t)ev->pos,
             (int)ev->message->cap, (const char *)ev->message->data,
             ev->message->ordered ? "!" : "", ev->message->needless ? "+" : "",
             ev->message->cause_seen ? "*" : "", ev->message->damaged ? "?" : "");
    break;
  case INGEST_SCTP_LOST:
    snprintf(text, sizeof text, "%c:lost%u+%u%s%s ", side, (unsigned)(uint32_t)ev->pos,
             (unsigned)ev->len, ev->limit != INGEST_LIMIT_NONE ? "/" : "",
             ev->limit != INGEST_LIMIT_NONE ? ingest_limit_name(ev->limit) : "");
    break;
  case INGEST_SCTP_CLOSE:
    snprintf(text, sizeof text, "close%d%s%s ", (int)ev->end,
             ev->limit != INGEST_LIMIT_NONE ? "/" : "",
             ev->limit != INGEST_LIMIT_NONE ? ingest_limit_name(ev->limit) : "");
    break;
  }
  world_say(w, text);
}

static void world_drain(world *w) {
  ingest_event tcp;
  ingest_sctp_event ev;
  ck_assert(!ingest_next(w->ing, &tcp));
  while (ingest_sctp_next(w->ing, &ev)) {
    world_event(w, &ev);
  }
}

/* Ends the capture; all memory must come back. */
static void world_end(world *w, const char *due) {
  ingest_finish(w->ing);
  world_drain(w);
  ck_assert_str_eq(w->log, due);
  ingest_free(w->ing);
  ck_assert_uint_eq(w->live, 0);
  free(w);
}

/* ---- packets ---- */

static void put(world *w, uint32_t value, unsigned octets) {
  while (octets-- > 0) {
    w->packet[w->len++] = (uint8_t)(value >> (8 * octets));
  }
}

/* Begins a packet from a side: raw IPv4, then the common header. */
static void begin(world *w, unsigned side, uint32_t tag) {
  w->len = 0;
  put(w, 0x45000000, 4);
  put(w, 0x00004000, 4);
  put(w, 0x40840000, 4);
  put(w, side == 0 ? w->client_ip : 0x0A000002u, 4);
  put(w, side == 0 ? 0x0A000002u : w->client_ip, 4);
  put(w, side == 0 ? 40000 : 7174, 2);
  put(w, side == 0 ? 7174 : 40000, 2);
  put(w, tag, 4);
  put(w, 0, 4);
}

static void end(world *w) {
  uint32_t crc = iwarp_crc32c(0, &w->packet[20], w->len - 20);
  crc ^= w->bad ? 1u : 0u;
  for (unsigned i = 0; i < 4; i++) {
    w->packet[28 + i] = (uint8_t)(crc >> (8 * i));
  }
  w->packet[2] = (uint8_t)(w->len >> 8);
  w->packet[3] = (uint8_t)w->len;
  const ingest_packet pkt = {.data = w->packet,
                             .caplen = w->len - w->cut,
                             .len = w->len,
                             .link_type = 101,
                             .number = ++w->number,
                             .time_ns = w->number * 10 - w->time_back};
  w->octets += w->len;
  ingest_push(w->ing, &pkt);
  world_drain(w);
  w->bad = false;
  w->cut = 0;
  w->time_back = 0;
}

static void chunk(world *w, unsigned type, unsigned flags, unsigned len) {
  put(w, type << 24 | flags << 16 | len, 4);
}

static void data(world *w, uint32_t tsn, unsigned flags, const char *text) {
  const size_t n = strlen(text);
  chunk(w, DATA, flags, (unsigned)(16 + n));
  put(w, tsn, 4);
  put(w, 5u << 16, 4);
  put(w, 16, 4);
  for (size_t i = 0; i < (n + 3) / 4 * 4; i++) {
    put(w, i < n ? (uint8_t)text[i] : 0, 1);
  }
}

static void ack(world *w, uint32_t tsn, unsigned gaps) {
  chunk(w, SACK, 0, 16 + 4 * gaps);
  put(w, tsn, 4);
  put(w, 65536, 4);
  put(w, gaps << 16, 4);
  for (unsigned i = 0; i < gaps; i++) {
    put(w, 0x00020002, 4);
  }
}

static void send_data(world *w, unsigned side, uint32_t tsn, const char *text) {
  begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  data(w, tsn, ALL, text);
  end(w);
}

static void send_ack(world *w, unsigned side, uint32_t tsn) {
  begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  ack(w, tsn, 0);
  end(w);
}

static void send_init(world *w, unsigned side, uint32_t tag, uint32_t own, uint32_t tsn) {
  begin(w, side, tag);
  chunk(w, side == 0 ? INIT : INIT_ACK, 0, 28);
  put(w, own, 4);
  put(w, 65536, 4);
  put(w, 0x00080009, 4);
  put(w, tsn, 4);
  put(w, 0xC0060008, 4);
  put(w, 1, 4);
  end(w);
}

static world *world_open(uint32_t client, uint32_t server) {
  world *w = world_new();
  send_init(w, 0, 0, 0xA0A0, client);
  send_init(w, 1, 0xA0A0, 0xB0B0, server);
  return w;
}

#define OPENED "open a:init8/1 b:init8/1 "

/* ---- tests ---- */

START_TEST(messages_come_in_the_order_of_their_tsns)
{
  world *w = world_open(100, 200);
  send_data(w, 0, 102, "three");
  send_data(w, 0, 101, "two");
  send_data(w, 0, 101, "TWO");
  send_data(w, 0, 100, "one");
  send_data(w, 0, 100, "ONE");
  world_end(w, OPENED "a:100=one a:101=two a:102=three close2 ");
}
END_TEST

START_TEST(tsns_wrap)
{
  world *w = world_open(0xFFFFFFFE, 200);
  send_data(w, 0, 0, "three");
  send_data(w, 0, 0xFFFFFFFF, "two");
  send_data(w, 0, 0xFFFFFFFE, "one");
  send_data(w, 0, 1, "four");
  world_end(w, OPENED "a:4294967294=one a:4294967295=two a:0=three a:1=four close2 ");
}
END_TEST

START_TEST(an_answer_waits_for_what_it_acknowledges)
{
  world *w = world_open(100, 200);
  begin(w, 1, 0xA0A0);
  ack(w, 100, 0);
  data(w, 200, ALL, "answer");
  end(w);
  ck_assert_str_eq(w->log, OPENED);
  send_data(w, 0, 100, "question");
  begin(w, 1, 0xA0A0);
  ack(w, 100, 1);
  data(w, 201, ALL, "unsure");
  end(w);
  world_end(w, OPENED "a:100=question b:200=answer* b:201=unsure close2 ");
}
END_TEST

START_TEST(a_hole_is_given_up_when_it_was_acknowledged_long_ago)
{
  world *w = world_open(100, 200);
  send_data(w, 0, 103, "four");
  send_ack(w, 1, 103);
  for (unsigned i = 0; i < 60; i++) {
    send_ack(w, 1, 103);
  }
  ck_assert_str_eq(w->log, OPENED);
  for (unsigned i = 0; i < 30; i++) {
    send_ack(w, 1, 103);
  }
  ck_assert_str_eq(w->log, OPENED "a:lost100+3 a:103=four ");
  world_end(w, OPENED "a:lost100+3 a:103=four close2 ");
}
END_TEST

START_TEST(a_hole_that_was_not_acknowledged_waits_to_the_end)
{
  world *w = world_open(100, 200);
  send_data(w, 0, 101, "two");
  for (unsigned i = 0; i < 200; i++) {
    send_ack(w, 1, 99);
  }
  ck_assert_str_eq(w->log, OPENED);
  world_end(w, OPENED "a:lost100+1 a:101=two close2 ");
}
END_TEST

START_TEST(what_is_acknowledged_and_never_seen_is_lost)
{
  world *w = world_open(100, 200);
  send_ack(w, 1, 104);
  world_end(w, OPENED "a:lost100+5 close2 ");
}
END_TEST

START_TEST(fragments_make_one_message)
{
  world *w = world_open(100, 200);
  begin(w, 0, 0xB0B0);
  data(w, 100, FIRST, "ab");
  end(w);
  begin(w, 0, 0xB0B0);
  data(w, 102, LAST, "ef");
  end(w);
  begin(w, 0, 0xB0B0);
  data(w, 101, MIDDLE, "cd");
  end(w);
  world_end(w, OPENED "a:100=abcdef close2 ");
}
END_TEST

START_TEST(needless_fragments_are_seen)
{
  world *w = world_open(100, 200);
  begin(w, 0, 0xB0B0);
  data(w, 100, FIRST, "ab");
  data(w, 101, LAST & ~4, "cd");
  end(w);
  world_end(w, OPENED "a:100=abcd!+ close2 ");
}
END_TEST

START_TEST(half_a_message_is_lost)
{
  world *w = world_open(100, 200);
  begin(w, 0, 0xB0B0);
  data(w, 100, MIDDLE, "no start");
  data(w, 101, FIRST, "no end");
  data(w, 102, ALL, "whole");
  data(w, 103, FIRST, "no end either");
  end(w);
  world_end(w, OPENED "a:lost100+1 a:lost101+1 a:102=whole a:lost103+1 close2 ");
}
END_TEST

START_TEST(chunks_of_other_kinds_are_passed_over)
{
  world *w = world_open(100, 200);
  begin(w, 0, 0xB0B0);
  chunk(w, 4, 0, 9);
  put(w, 0, 4);
  put(w, 0, 4);
  chunk(w, 0x7F, 0, 4);
  data(w, 100, ORDERED, "x");
  chunk(w, 5, 0, 3);
  data(w, 101, ALL, "behind a broken chunk");
  end(w);
  world_end(w, OPENED "a:100=x! close2 ");
}
END_TEST

START_TEST(a_wrong_checksum_counts_where_others_are_right)
{
  world *w = world_open(100, 200);
  w->bad = true;
  send_data(w, 0, 100, "evil");
  send_data(w, 0, 100, "good");
  ck_assert_uint_eq(ingest_stats_get(w->ing)->bad_checksum, 1);
  world_end(w, OPENED "a:100=good close2 ");
}
END_TEST

START_TEST(wrong_checksums_throughout_are_put_up_with)
{
  world *w = world_new();
  w->bad = true;
  send_data(w, 0, 100, "one");
  w->bad = true;
  send_data(w, 0, 101, "two");
  world_end(w, "open a:100=one? a:101=two? close2 ");
}
END_TEST

START_TEST(a_cut_packet_keeps_what_there_is)
{
  world *w = world_open(100, 200);
  begin(w, 0, 0xB0B0);
  data(w, 100, ALL, "12345678");
  w->cut = 3;
  end(w);
  world_end(w, OPENED "a:100=12345 close2 ");
}
END_TEST

START_TEST(a_second_address_is_known_by_its_tag)
{
  world *w = world_open(100, 200);
  send_data(w, 0, 100, "one");
  w->client_ip = 0x0A00004D;
  send_data(w, 0, 101, "two");
  send_data(w, 1, 200, "back");
  world_end(w, OPENED "a:100=one a:101=two b:200=back close2 ");
}
END_TEST

START_TEST(another_tag_is_another_association)
{
  world *w = world_open(100, 200);
  send_data(w, 0, 100, "one");
  send_init(w, 0, 0, 0xC0C0, 100);
  send_init(w, 1, 0xC0C0, 0xD0D0, 200);
  begin(w, 0, 0xD0D0);
  data(w, 100, ALL, "new");
  end(w);
  send_data(w, 0, 101, "old");
  world_end(w, OPENED "a:100=one " OPENED "a:100=new a:101=old close2 close2 ");
}
END_TEST

START_TEST(an_end_is_told)
{
  world *w = world_open(100, 200);
  begin(w, 0, 0xB0B0);
  chunk(w, SHUTDOWN_ACK, 0, 4);
  end(w);
  world_end(w, OPENED "close0 ");
  w = world_open(100, 200);
  begin(w, 1, 0xB0B0); /* with the tag of the other direction, as an ABORT with T may have */
  chunk(w, ABORT, 1, 4);
  end(w);
  world_end(w, OPENED "close1 ");
}
END_TEST

START_TEST(what_a_sender_gives_up_is_lost)
{
  world *w = world_open(100, 200);
  begin(w, 0, 0xB0B0);
  chunk(w, FORWARD, 0, 8);
  put(w, 101, 4);
  end(w);
  send_data(w, 0, 102, "on");
  for (unsigned i = 0; i < 100; i++) {
    send_ack(w, 1, 99);
  }
  ck_assert_str_eq(w->log, OPENED "a:lost100+2 a:102=on ");
  world_end(w, OPENED "a:lost100+2 a:102=on close2 ");
}
END_TEST

START_TEST(a_tsn_out_of_all_bounds_is_ignored_until_there_are_many)
{
  world *w = world_open(100, 200);
  send_data(w, 0, 0x40000000, "far");
  send_data(w, 0, 100, "near");
  send_data(w, 0, 0xF0000000, "far back");
  ck_assert_str_eq(w->log, OPENED "a:lost100+0/held-octets a:100=near a:lost101+0/held-octets ");
  for (uint32_t i = 0; i < 17; i++) {
    send_data(w, 0, 0x40000000 + i, "f");
  }
  ck_assert_ptr_nonnull(strstr(w->log, "a:1073741839=f a:1073741840=f "));
  w->quiet = true;
  world_end(w, w->log);
}
END_TEST

START_TEST(memory_is_bounded)
{
  world *w = world_open(100, 200);
  char text[1025] = {0};
  memset(text, 'x', sizeof text - 1);
  for (uint32_t i = 0; i < 3000; i++) {
    w->log[0] = 0;
    send_data(w, 0, 102 + 2 * i, text);
  }
  ck_assert_uint_lt(w->peak, INGEST_SCTP_HELD_MAX + 65536);
  w->log[0] = 0;
  ingest_free(w->ing);
  ck_assert_uint_eq(w->live, 0);
  free(w);
}
END_TEST

/* ---- many associations ---- */

/* Tags of association i. */
static uint32_t tag_of(uint32_t i, unsigned side, bool fixed) {
  return fixed ? 0xA0A0u + side : 0x10000u * (side + 1) + i;
}

static void nth(world *w, uint32_t i) {
  w->client_ip = 0x0B000000u + i;
}

static void nth_open(world *w, uint32_t i, bool fixed) {
  nth(w, i);
  send_init(w, 0, 0, tag_of(i, 0, fixed), 100);
  send_init(w, 1, tag_of(i, 0, fixed), tag_of(i, 1, fixed), 200);
}

static void nth_data(world *w, uint32_t i, unsigned side, uint32_t tsn, bool fixed) {
  nth(w, i);
  begin(w, side, tag_of(i, side ^ 1u, fixed));
  data(w, tsn, ALL, "x");
  end(w);
}

static world *many(uint32_t n, bool fixed) {
  world *w = world_new();
  w->quiet = true;
  for (uint32_t i = 0; i < n; i++) {
    nth_open(w, i, fixed);
  }
  return w;
}

/* All with the same ports, and the same tags or others; their packets mixed. */
static void many_follow(uint32_t n, bool fixed, bool start_seen) {
  world *w = start_seen ? many(n, fixed) : world_new();
  w->quiet = true;
  for (uint32_t tsn = 0; tsn < 3; tsn++) {
    for (uint32_t i = 0; i < n; i++) {
      nth_data(w, i, 0, 100 + tsn, fixed);
      nth_data(w, i, 1, 200 + tsn, fixed);
    }
  }
  ck_assert_uint_eq(w->opened, n);
  ck_assert_uint_eq(w->messages, 6 * n);
  ck_assert_uint_eq(w->lost, 0);
  ck_assert_uint_eq(w->closed, 0);
  world_end(w, "");
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
  world *w = many(INGEST_SCTP_ASSOCS_MAX, false);
  ck_assert_uint_eq(w->closed, 0);
  nth_open(w, INGEST_SCTP_ASSOCS_MAX, false);
  ck_assert_uint_eq(w->closed, 1);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_CONNECTIONS], 1);
  nth_data(w, INGEST_SCTP_ASSOCS_MAX, 0, 100, false);
  nth_data(w, 1, 0, 100, false);
  ck_assert_uint_eq(w->messages, 2);
  ck_assert_uint_eq(w->closed, 1);
  ingest_finish(w->ing);
  world_drain(w);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_NONE], INGEST_SCTP_ASSOCS_MAX);
  world_end(w, "");
}
END_TEST

START_TEST(an_association_that_ended_loses_nothing_by_a_limit)
{
  world *w = many(INGEST_SCTP_ASSOCS_MAX, false);
  for (uint32_t i = 0; i < INGEST_SCTP_ASSOCS_MAX; i++) {
    nth(w, i);
    begin(w, 0, tag_of(i, 1, false));
    chunk(w, SHUTDOWN_ACK, 0, 4);
    end(w);
  }
  nth_open(w, INGEST_SCTP_ASSOCS_MAX, false);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_CONNECTIONS], 0);
  ck_assert_uint_ge(w->closed, 1);
  world_end(w, "");
}
END_TEST

/* What comes out does not depend on the key. */
START_TEST(the_key_changes_nothing)
{
  char *first = calloc(1, LOG_CAP);
  ck_assert_ptr_nonnull(first);
  for (uint64_t key = 0; key < 4; key++) {
    world *w = world_new();
    ingest_free(w->ing);
    w->cfg.hash_key[0] = key * UINT64_C(0x9E3779B97F4A7C15);
    w->cfg.hash_key[1] = key;
    w->ing = ingest_new(&w->cfg);
    for (uint32_t i = 0; i < 70; i++) {
      nth_open(w, i, i % 2 == 0);
    }
    for (uint32_t i = 0; i < 700; i++) {
      nth_data(w, i % 70, 0, 100 + (i * 7 + i / 70) % 11, i % 70 % 2 == 0);
    }
    ingest_finish(w->ing);
    world_drain(w);
    if (key == 0) {
      strcpy(first, w->log);
    }
    ck_assert_str_eq(w->log, first);
    world_end(w, first);
  }
  free(first);
}
END_TEST

/* ---- addresses ---- */

static void send_init_from(world *w, uint32_t own, const uint32_t *homes, unsigned n) {
  begin(w, 0, 0);
  chunk(w, INIT, 0, 20 + 8 * n);
  put(w, own, 4);
  put(w, 65536, 4);
  put(w, 0x00080009, 4);
  put(w, 100, 4);
  for (unsigned i = 0; i < n; i++) {
    put(w, 0x00050008, 4);
    put(w, homes[i], 4);
  }
  end(w);
}

/* Two associations with the same ports and the same tags: only the addresses that their INITs name
 * tell whose a packet from another address is. */
START_TEST(named_addresses_tell_the_same_tags_apart)
{
  const uint32_t homes[2] = {0x0B010000, 0x0B010001};
  world *w = world_new();
  for (uint32_t i = 0; i < 2; i++) {
    nth(w, i);
    send_init_from(w, tag_of(i, 0, true), &homes[i], 1);
    send_init(w, 1, tag_of(i, 0, true), tag_of(i, 1, true), 200);
  }
  for (uint32_t i = 0; i < 2; i++) {
    w->client_ip = homes[i];
    begin(w, 0, tag_of(i, 1, true));
    data(w, 100, ALL, i == 0 ? "of the first" : "of the second");
    end(w);
    w->client_ip = homes[i];
    begin(w, 1, tag_of(i, 0, true));
    data(w, 200, ALL, i == 0 ? "to the first" : "to the second");
    end(w);
  }
#define BARE "open a:init8/0 b:init8/1 "
  world_end(w, BARE BARE "a:100=of the first b:200=to the first a:100=of the second "
                         "b:200=to the second close2 close2 ");
}
END_TEST

START_TEST(addresses_may_be_added_later)
{
  const uint32_t home = 0x0B010000;
  world *w = world_new();
  for (uint32_t i = 0; i < 2; i++) {
    nth_open(w, i, true);
  }
  nth(w, 1);
  begin(w, 0, tag_of(1, 1, true));
  chunk(w, 193, 0, 8 + 8 + 8 + 8);
  put(w, 1, 4); /* serial number */
  put(w, 0x00050008, 4);
  put(w, w->client_ip, 4);
  put(w, 0xC0010010, 4);
  put(w, 1, 4);
  put(w, 0x00050008, 4);
  put(w, home, 4);
  end(w);
  w->client_ip = home;
  begin(w, 0, tag_of(1, 1, true));
  data(w, 100, ALL, "from the new one");
  end(w);
  nth_data(w, 0, 0, 100, true);
  world_end(w, OPENED OPENED "a:100=from the new one a:100=x close2 close2 ");
}
END_TEST

START_TEST(more_addresses_than_are_kept)
{
  world *w = world_open(100, 200);
  for (uint32_t i = 0; i < 40; i++) {
    w->client_ip = 0x0B000000u + i % 20;
    send_data(w, 0, 100 + i, "x");
  }
  ck_assert_uint_eq(w->opened, 1);
  ck_assert_uint_eq(w->messages, 40);
  w->quiet = true;
  world_end(w, w->log);
}
END_TEST

START_TEST(both_sides_may_begin)
{
  world *w = world_new();
  send_init(w, 0, 0, 0xA0A0, 100);
  begin(w, 1, 0);
  chunk(w, INIT, 0, 20);
  put(w, 0xB0B0, 4);
  put(w, 65536, 4);
  put(w, 0x00080009, 4);
  put(w, 200, 4);
  end(w);
  send_init(w, 1, 0xA0A0, 0xB0B0, 200);
  send_data(w, 0, 100, "one");
  send_data(w, 1, 200, "two");
  world_end(w, "open a:init8/1 b:init8/0 a:100=one b:200=two close2 ");
}
END_TEST

/* ---- limits ---- */

static void send_octets(world *w, uint32_t tsn, unsigned flags, unsigned n) {
  begin(w, 0, 0xB0B0);
  chunk(w, DATA, flags, 16 + n);
  put(w, tsn, 4);
  put(w, 5u << 16, 4);
  put(w, 16, 4);
  for (unsigned i = 0; i < (n + 3) / 4 * 4; i++) {
    put(w, 'x', 1);
  }
  end(w);
}

/* n held chunks behind a hole. */
static world *held(unsigned n) {
  world *w = world_open(100, 200);
  w->quiet = true;
  for (uint32_t i = 0; i < n; i++) {
    send_octets(w, 101 + i, ALL, 4);
  }
  return w;
}

START_TEST(a_limit_on_held_chunks_is_told)
{
  world *w = held(INGEST_SCTP_CHUNKS_MAX);
  ck_assert_uint_eq(w->lost, 0);
  send_octets(w, 100, ALL, 4);
  ck_assert_uint_eq(w->messages, INGEST_SCTP_CHUNKS_MAX + 1);
  ingest_finish(w->ing);
  world_drain(w);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_NONE], 1);
  world_end(w, OPENED);
  w = held(INGEST_SCTP_CHUNKS_MAX + 1);
  ck_assert_uint_eq(w->told[INGEST_LIMIT_HELD_OCTETS], 1);
  ck_assert_uint_eq(w->messages, INGEST_SCTP_CHUNKS_MAX + 1);
  ingest_finish(w->ing);
  world_drain(w);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_HELD_OCTETS], 1);
  world_end(w, OPENED);
}
END_TEST

START_TEST(a_limit_on_held_octets_is_told)
{
  world *w = world_open(100, 200);
  w->quiet = true;
  const size_t before = w->live;
  uint32_t tsn = 101;
  while (w->live - before + 4000 <= INGEST_SCTP_HELD_MAX) {
    send_octets(w, tsn++, ALL, 3000);
  }
  ck_assert_uint_eq(w->lost, 0);
  send_octets(w, tsn, ALL, 3500);
  send_octets(w, tsn + 1, ALL, 3500);
  ck_assert_uint_eq(w->told[INGEST_LIMIT_HELD_OCTETS], 1);
  world_end(w, OPENED);
}
END_TEST

/* As above, but each association holds less than it may. */
START_TEST(a_limit_on_all_held_octets_is_told)
{
  world *w = many(40, false);
  const size_t before = w->live;
  uint32_t n = 0;
  for (; w->told[INGEST_LIMIT_HELD_OCTETS] == 0 && n < 40 * 1000; n++) {
    ck_assert_uint_lt(w->live, before + INGEST_SCTP_HELD_ALL);
    nth(w, n % 40);
    begin(w, 0, tag_of(n % 40, 1, false));
    chunk(w, DATA, ALL, 16 + 3000);
    put(w, 101 + n / 40, 4);
    put(w, 5u << 16, 4);
    put(w, 16, 4);
    w->len += 3000;
    end(w);
  }
  ck_assert_uint_eq(w->told[INGEST_LIMIT_HELD_OCTETS], 1);
  ck_assert_uint_gt(n, 5000);
  world_end(w, "");
}
END_TEST

static world *message(uint32_t whole, uint32_t rest) {
  world *w = world_open(100, 200);
  w->quiet = true;
  for (uint32_t i = 0; i < whole; i++) {
    send_octets(w, 100 + i, i == 0 ? FIRST : MIDDLE, 1024);
  }
  send_octets(w, 100 + whole, LAST, rest);
  return w;
}

START_TEST(a_limit_on_the_octets_of_a_message_is_told)
{
  world *w = message(1023, 1024);
  ck_assert_uint_eq(w->messages, 1);
  ck_assert_uint_eq(w->lost, 0);
  world_end(w, OPENED);
  w = message(1023, 1025);
  ck_assert_uint_eq(w->messages, 0);
  ck_assert_uint_eq(w->told[INGEST_LIMIT_MESSAGE], 1);
  ingest_finish(w->ing);
  world_drain(w);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_MESSAGE], 1);
  world_end(w, OPENED);
}
END_TEST

static world *parts(uint32_t n) {
  world *w = world_open(100, 200);
  w->quiet = true;
  for (uint32_t i = 0; i < n; i++) {
    send_octets(w, 100 + i, i == 0 ? FIRST : i == n - 1 ? LAST : MIDDLE, 1);
  }
  return w;
}

START_TEST(a_limit_on_the_chunks_of_a_message_is_told)
{
  world *w = parts(INGEST_SCTP_PARTS_MAX);
  ck_assert_uint_eq(w->messages, 1);
  ck_assert_uint_eq(w->lost, 0);
  world_end(w, OPENED);
  w = parts(INGEST_SCTP_PARTS_MAX + 1);
  ck_assert_uint_eq(w->messages, 0);
  ck_assert_uint_eq(w->told[INGEST_LIMIT_MESSAGE], 1);
  world_end(w, OPENED);
}
END_TEST

START_TEST(memory_that_is_not_there_is_told)
{
  world *w = world_open(100, 200);
  w->budget = w->live + 10;
  send_data(w, 0, 100, "one");
  w->budget = 0;
  send_data(w, 0, 101, "two");
  world_end(w, OPENED "a:lost100+0/memory a:lost100+1/memory a:101=two close2/memory ");
}
END_TEST

START_TEST(a_message_without_memory_is_lost)
{
  world *w = world_open(100, 200);
  send_octets(w, 100, FIRST, 400);
  w->budget = w->live + 300; /* for the chunk, not for the whole */
  begin(w, 0, 0xB0B0);
  data(w, 101, LAST, "efgh");
  end(w);
  w->budget = 0;
  send_data(w, 0, 102, "on");
  ck_assert_ptr_nonnull(strstr(w->log, "/memory "));
  ck_assert_ptr_nonnull(strstr(w->log, "a:102=on "));
  w->quiet = true;
  world_end(w, w->log);
}
END_TEST

/* Where there is no memory for another association, the longest silent one goes. */
START_TEST(an_association_makes_room)
{
  world *w = many(10, false);
  w->budget = w->live + 100;
  nth_open(w, 10, false);
  ck_assert_uint_eq(w->opened, 11);
  ck_assert_uint_ge(w->closed, 1);
  ck_assert_uint_eq(w->limits[INGEST_LIMIT_MEMORY], w->closed);
  w->budget = 1;
  nth_open(w, 11, false);
  ck_assert_uint_eq(w->opened, 11);
  ck_assert_uint_eq(w->closed, 11);
  ck_assert_uint_ge(ingest_stats_get(w->ing)->dropped, 1);
  world_end(w, "");
}
END_TEST

/* However little memory there is, nothing is lost in silence. */
START_TEST(any_budget_is_put_up_with)
{
  for (size_t more = 0; more < 40000; more += 97) {
    world *w = world_new();
    w->quiet = true;
    w->budget = w->live + more;
    for (uint32_t i = 0; i < 8; i++) {
      nth_open(w, i, i % 2 == 0);
      nth_data(w, i, 0, 100, i % 2 == 0);
      nth_data(w, i, 1, 201, i % 2 == 0);
    }
    ingest_finish(w->ing);
    world_drain(w);
    ck_assert(w->messages == 16 || w->limits[INGEST_LIMIT_MEMORY] > 0 ||
              ingest_stats_get(w->ing)->dropped > 0);
    world_end(w, "");
  }
}
END_TEST

/* ---- work ---- */

typedef struct attack {
  const char *name;
  void (*packet)(world *w, uint32_t i);
} attack;

static void attack_gaps(world *w, uint32_t i) {
  send_data(w, 0, 102 + 2 * i, "");
}

static void attack_reverse(world *w, uint32_t i) {
  send_data(w, 0, 100 + 900000 - i, "");
}

/* All over the window. */
static void attack_scattered(world *w, uint32_t i) {
  send_data(w, 0, 101 + (i * 2654435761u) % 1000000u, "");
}

static void attack_tiny(world *w, uint32_t i) {
  begin(w, 0, 0xB0B0);
  for (unsigned n = 0; n < 900; n++) {
    chunk(w, 0x7F + i % 3, 0, 4);
  }
  end(w);
}

static void attack_bundled(world *w, uint32_t i) {
  begin(w, 0, 0xB0B0);
  for (uint32_t n = 0; n < 200; n++) {
    data(w, 101 + ((i * 200 + n) * 2654435761u) % 1000000u, n % 2 == 0 ? FIRST : MIDDLE, "");
  }
  end(w);
}

static void attack_fragments(world *w, uint32_t i) {
  begin(w, 0, 0xB0B0);
  for (uint32_t n = 0; n < 200; n++) {
    data(w, 100 + i * 200 + n, i + n == 0 ? FIRST : MIDDLE, "");
  }
  end(w);
}

static void attack_sacks(world *w, uint32_t i) {
  begin(w, i % 2, i % 2 == 0 ? 0xB0B0 : 0xA0A0);
  ack(w, 99 + i, 900);
  end(w);
}

static void attack_inits(world *w, uint32_t i) {
  nth(w, i);
  begin(w, 0, 0);
  chunk(w, INIT, 0, 20);
  put(w, i, 4);
  put(w, 65536, 4);
  put(w, 0x00080009, 4);
  put(w, i, 4);
  end(w);
}

static void attack_homes(world *w, uint32_t i) {
  nth(w, i);
  begin(w, 0, 0);
  chunk(w, INIT, 0, 20 + 8 * 400);
  put(w, i, 4);
  put(w, 65536, 4);
  put(w, 0x00080009, 4);
  put(w, i, 4);
  for (uint32_t n = 0; n < 400; n++) {
    put(w, 0x00050008, 4);
    put(w, i * 400 + n, 4);
  }
  end(w);
}

/* The same ports and the same tag from ever new addresses, from everybody. */
static void attack_same_tag(world *w, uint32_t i) {
  nth_open(w, i, true);
  nth_data(w, i, 0, 100, true);
}

static void attack_same_tag_again(world *w, uint32_t i) {
  if (i < 3000) {
    nth_open(w, i, true);
  }
  nth(w, i);
  w->client_ip ^= 0x00800000;
  begin(w, 0, tag_of(0, 1, true));
  chunk(w, 0x7F, 0, 4);
  end(w);
}

/* Ever new tags between the same two ends, from the middle of an association. */
static void attack_tags(world *w, uint32_t i) {
  begin(w, 0, 1 + i);
  data(w, i, ALL, "");
  end(w);
}

static void attack_wanders(world *w, uint32_t i) {
  nth(w, i);
  send_data(w, 0, 100 + i, "");
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
  world *w = world_open(100, 200);
  w->quiet = true;
  for (uint32_t i = 0; i < 10000; i++) {
    a->packet(w, i);
  }
  ingest_finish(w->ing);
  world_drain(w);
  const uint64_t steps = ingest_stats_get(w->ing)->steps;
  ck_assert_msg(steps > w->octets / 2 && steps <= 10 * w->octets, "%s: %llu steps for %llu octets",
                a->name, (unsigned long long)steps, (unsigned long long)w->octets);
  world_end(w, OPENED);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ingest_sctp");
  TCase *tcase = tcase_create("sctp");
  tcase_add_test(tcase, messages_come_in_the_order_of_their_tsns);
  tcase_add_test(tcase, tsns_wrap);
  tcase_add_test(tcase, an_answer_waits_for_what_it_acknowledges);
  tcase_add_test(tcase, a_hole_is_given_up_when_it_was_acknowledged_long_ago);
  tcase_add_test(tcase, a_hole_that_was_not_acknowledged_waits_to_the_end);
  tcase_add_test(tcase, what_is_acknowledged_and_never_seen_is_lost);
  tcase_add_test(tcase, fragments_make_one_message);
  tcase_add_test(tcase, needless_fragments_are_seen);
  tcase_add_test(tcase, half_a_message_is_lost);
  tcase_add_test(tcase, chunks_of_other_kinds_are_passed_over);
  tcase_add_test(tcase, a_wrong_checksum_counts_where_others_are_right);
  tcase_add_test(tcase, wrong_checksums_throughout_are_put_up_with);
  tcase_add_test(tcase, a_cut_packet_keeps_what_there_is);
  tcase_add_test(tcase, a_second_address_is_known_by_its_tag);
  tcase_add_test(tcase, another_tag_is_another_association);
  tcase_add_test(tcase, an_end_is_told);
  tcase_add_test(tcase, what_a_sender_gives_up_is_lost);
  tcase_add_test(tcase, a_tsn_out_of_all_bounds_is_ignored_until_there_are_many);
  tcase_add_test(tcase, memory_is_bounded);
  tcase_add_test(tcase, associations_of_the_same_ports_are_kept_apart);
  tcase_add_test(tcase, one_association_more_than_may_be);
  tcase_add_test(tcase, an_association_that_ended_loses_nothing_by_a_limit);
  tcase_add_test(tcase, the_key_changes_nothing);
  tcase_add_test(tcase, named_addresses_tell_the_same_tags_apart);
  tcase_add_test(tcase, addresses_may_be_added_later);
  tcase_add_test(tcase, more_addresses_than_are_kept);
  tcase_add_test(tcase, both_sides_may_begin);
  tcase_add_test(tcase, a_limit_on_held_chunks_is_told);
  tcase_add_test(tcase, a_limit_on_held_octets_is_told);
  tcase_add_test(tcase, a_limit_on_all_held_octets_is_told);
  tcase_add_test(tcase, a_limit_on_the_octets_of_a_message_is_told);
  tcase_add_test(tcase, a_limit_on_the_chunks_of_a_message_is_told);
  tcase_add_test(tcase, memory_that_is_not_there_is_told);
  tcase_add_test(tcase, a_message_without_memory_is_lost);
  tcase_add_test(tcase, an_association_makes_room);
  tcase_add_test(tcase, any_budget_is_put_up_with);
  tcase_add_loop_test(tcase, work_is_bounded_by_the_input, 0,
                      (int)(sizeof attacks / sizeof attacks[0]));
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
