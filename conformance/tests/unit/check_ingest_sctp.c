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
  uint8_t client_ip; /* last octet of side 0's address */
  bool bad;
  size_t cut;
  char log[LOG_CAP];
} world;

static void *world_get(void *ctx, size_t size) {
  world *w = ctx;
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
  w->client_ip = 1;
  return w;
}

static void world_say(world *w, const char *text) {
  ck_assert_uint_lt(strlen(w->log) + strlen(text), LOG_CAP);
  strcat(w->log, text);
}

static void world_event(world *w, const ingest_sctp_event *ev) {
  char text[160];
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
    snprintf(text, sizeof text, "%c:lost%u+%u ", side, (unsigned)(uint32_t)ev->pos,
             (unsigned)ev->len);
    break;
  case INGEST_SCTP_CLOSE: snprintf(text, sizeof text, "close%d ", (int)ev->end); break;
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
  put(w, 0x0A000000u + (side == 0 ? w->client_ip : 2u), 4);
  put(w, 0x0A000000u + (side == 0 ? 2u : w->client_ip), 4);
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
                             .time_ns = w->number};
  ingest_push(w->ing, &pkt);
  world_drain(w);
  w->bad = false;
  w->cut = 0;
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
  w->client_ip = 77;
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
  for (uint32_t i = 0; i < 15; i++) {
    send_data(w, 0, 0x40000000 + i, "far");
  }
  send_data(w, 0, 100, "near");
  ck_assert_str_eq(w->log, OPENED "a:100=near ");
  for (uint32_t i = 0; i < 17; i++) {
    send_data(w, 0, 0x40000000 + i, "f");
  }
  ck_assert_ptr_nonnull(strstr(w->log, "a:1073741839=f a:1073741840=f "));
  ingest_finish(w->ing);
  world_drain(w);
  ingest_free(w->ing);
  ck_assert_uint_eq(w->live, 0);
  free(w);
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

START_TEST(associations_are_bounded)
{
  world *w = world_new();
  for (uint32_t i = 0; i < 1000; i++) {
    w->log[0] = 0;
    begin(w, 0, 1000 + i);
    data(w, 1, ALL, "x");
    end(w);
  }
  ck_assert_uint_lt(w->peak, 65 * 2048);
  ingest_free(w->ing);
  ck_assert_uint_eq(w->live, 0);
  free(w);
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
  tcase_add_test(tcase, associations_are_bounded);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
