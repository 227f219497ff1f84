/* SPDX-License-Identifier: BSD-2-Clause */
/* What an observer says of its own limits, and of the memory that it has written. */
#include <stdlib.h>
#include <string.h>

#include <iwarp/event.h>
#include <iwarp/observer.h>

#include "check_run.h"

#define PAGE IWARP_TOUCHED_PAGE
#define PAGES (IWARP_OBSERVER_SIZE / PAGE + 1u)
#define FILL 0xEEu
#define LARGE 70000u

static uint8_t *memory;
static iwarp_observer *conn;
static uint64_t packet;
static uint64_t next[2];
static uint8_t octets[LARGE];

static void begin(const iwarp_observer_cfg *how) {
  iwarp_observer_cfg cfg = *how;
  cfg.size = sizeof cfg;
  free(memory);
  memory = aligned_alloc(PAGE, PAGES * PAGE);
  ck_assert_ptr_nonnull(memory);
  memset(memory, FILL, PAGES * PAGE);
  ck_assert_int_eq(iwarp_observer_init(&conn, memory, PAGES * PAGE, &cfg), IWARP_OK);
  packet = 0;
  next[0] = next[1] = 1;
}

static iwarp_meta meta_next(void) {
  return (iwarp_meta){.packet = ++packet, .peer_pos = IWARP_POS_UNKNOWN};
}

/* Returns how many FPDUs came of it. */
static unsigned drain(void) {
  iwarp_event ev;
  unsigned fpdus = 0;
  while (iwarp_observer_next_event(conn, &ev) == IWARP_OK) {
    fpdus += ev.kind == IWARP_EVENT_FPDU ? 1u : 0u;
  }
  return fpdus;
}

static unsigned push(uint8_t side, const void *data, size_t n) {
  const iwarp_meta meta = meta_next();
  ck_assert_int_eq(iwarp_observer_push(conn, side, (iwarp_span){data, n}, &meta), IWARP_OK);
  return drain();
}

static unsigned gap(uint8_t side, uint64_t n) {
  const iwarp_meta meta = meta_next();
  ck_assert_int_eq(iwarp_observer_gap(conn, side, n, IWARP_GAP_LOST, &meta), IWARP_OK);
  return drain();
}

/* Pages of the memory that hold another octet than was there before. */
static size_t written(void) {
  size_t n = 0;
  for (size_t i = 0; i < PAGES; i++) {
    size_t at = 0;
    while (at < PAGE && memory[i * PAGE + at] == FILL) {
      at++;
    }
    n += at < PAGE ? PAGE : 0;
  }
  return n;
}

static void startup(void) {
  push(0, "MPA ID Req Frame\0\1\0\0", 20);
  push(1, "MPA ID Rep Frame\0\1\0\0", 20);
}

/* ---- memory ---- */

START_TEST(a_request_alone_costs_three_pages)
{
  begin(&(iwarp_observer_cfg){0});
  ck_assert_uint_le(written(), iwarp_observer_touched(conn));
  push(0, "MPA ID Req Frame\0\1\0\0", 20);
  ck_assert_uint_le(written(), iwarp_observer_touched(conn));
  ck_assert_uint_le(iwarp_observer_touched(conn), 3 * PAGE);
}
END_TEST

START_TEST(what_was_written_is_said_whatever_comes)
{
  begin(&(iwarp_observer_cfg){0});
  startup();
  size_t before = iwarp_observer_touched(conn);
  octets[0] = 0xFF;
  octets[1] = 0xF0;
  for (size_t n = 1; n < 60000; n += 1000) {
    push(0, octets, n == 1 ? 3 : 1000);
    ck_assert_uint_le(written(), iwarp_observer_touched(conn));
    ck_assert_uint_ge(iwarp_observer_touched(conn), before);
    before = iwarp_observer_touched(conn);
  }
  ck_assert_uint_ge(before, 60000);
  ck_assert_uint_le(before, 60000 + 10 * PAGE);
  gap(0, 10);
  ck_assert_uint_le(written(), iwarp_observer_touched(conn));
  for (size_t i = 0; i < 4; i++) { /* then a search, which fills the buffer */
    push(0, octets, LARGE);
    push(1, octets, LARGE);
  }
  ck_assert_uint_le(written(), iwarp_observer_touched(conn));
  ck_assert_uint_le(iwarp_observer_touched(conn), IWARP_OBSERVER_SIZE + 8 * PAGE);
}
END_TEST

/* ---- limits ---- */

/* An FPDU with `holes` holes; returns what it reached. */
static uint32_t holes_of(unsigned holes, unsigned *fpdus) {
  begin(&(iwarp_observer_cfg){0});
  startup();
  const uint8_t head[] = {0x03, 0xE8, 0x41, 0x43};
  size_t left = 2 + 1000 + 2 + 4;
  *fpdus = push(0, head, sizeof head);
  left -= sizeof head;
  for (unsigned i = 0; i < holes; i++) {
    *fpdus += gap(0, 2);
    *fpdus += push(0, octets + 2, 3);
    left -= 5;
  }
  *fpdus += push(0, octets + 2, left);
  return iwarp_observer_info_get(conn)->limits;
}

START_TEST(the_holes_of_an_fpdu)
{
  unsigned fpdus;
  ck_assert_uint_eq(holes_of(48, &fpdus), 0);
  ck_assert_uint_eq(fpdus, 1);
  ck_assert_uint_eq(holes_of(49, &fpdus), IWARP_LIMIT_HOLES);
  ck_assert_uint_eq(fpdus, 0);
}
END_TEST

/* Every fourth octet may begin an FPDU of 8960 octets. */
static void search_octets(void) {
  for (size_t i = 0; i < LARGE; i++) {
    octets[i] = (uint8_t)("\x23\x00\x41\x43"[i % 4]);
  }
}

START_TEST(the_work_of_a_search)
{
  const iwarp_observer_cfg cfg = {
      .full_operation = true, .markers = IWARP_TRISTATE_OFF, .crc = IWARP_TRISTATE_ON};
  search_octets();
  begin(&cfg);
  push(0, octets, 12000); /* 760 places are examined, at 8968 octets each */
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, 0);
  push(0, octets, 12000);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, IWARP_LIMIT_SEARCH);
}
END_TEST

START_TEST(the_packets_of_a_search)
{
  const iwarp_observer_cfg cfg = {
      .full_operation = true, .markers = IWARP_TRISTATE_OFF, .crc = IWARP_TRISTATE_ON};
  search_octets();
  begin(&cfg);
  for (size_t i = 0; i < 200; i++) {
    push(0, octets + i, 1);
  }
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, 0);
  push(0, octets + 200, 1);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, IWARP_LIMIT_PACKETS);
}
END_TEST

/* An FPDU in pieces is whole, in however many packets it came. */
START_TEST(the_packets_of_an_fpdu_are_no_limit)
{
  begin(&(iwarp_observer_cfg){0});
  startup();
  memset(octets, 0, sizeof octets);
  memcpy(octets, "\x03\xE8\x41\x43", 4);
  unsigned fpdus = 0;
  for (size_t i = 0; i < 1008; i++) {
    fpdus += push(0, octets + i, 1);
  }
  ck_assert_uint_eq(fpdus, 1);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, 0);
}
END_TEST

static void teardown(void) {
  free(memory);
  memory = NULL;
}

int main(void) {
  const TTest *const tests[] = {a_request_alone_costs_three_pages,
                                what_was_written_is_said_whatever_comes,
                                the_holes_of_an_fpdu,
                                the_work_of_a_search,
                                the_packets_of_a_search,
                                the_packets_of_an_fpdu_are_no_limit,
                                NULL};
  Suite *suite = check_suite("limits", tests);
  const int result = check_run(suite);
  teardown();
  return result;
}
