/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of FPDUs that need no event. run_rx compares them with the events in every other test of
 * the receive engine. */
#include <iwarp/crc32c.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "rx_bench.h"

#define LISTED 8u

static const iwarp_meta meta = {.packet = 1};

/* An engine that has reported an FPDU, and room for a list. */
typedef struct lists {
  rx_bench t;
  iwarp_rx *rx;
  void *mem;
  iwarp_rx_fpdu list[LISTED];
} lists;

static void lists_push(lists *l, const uint8_t *octets, size_t len) {
  ck_assert_int_eq(iwarp_rx_push(l->rx, (iwarp_span){octets, len}, &meta), IWARP_OK);
}

static size_t lists_next(lists *l, size_t cap) {
  return iwarp_rx_next_fpdus(l->rx, l->list, cap);
}

/* How many events there are before END. */
static size_t lists_events(lists *l) {
  iwarp_event ev;
  size_t n = 0;
  while (iwarp_rx_next_event(l->rx, &ev) == IWARP_OK) {
    n++;
  }
  return n;
}

static void lists_start(lists *l) {
  l->mem = malloc(iwarp_rx_size(&l->t.cfg));
  ck_assert_int_eq(iwarp_rx_init(&l->rx, l->mem, iwarp_rx_size(&l->t.cfg), &l->t.cfg), IWARP_OK);
}

static lists lists_new(bool markers, bool crc) {
  lists l = {.t = rx_bench_new(markers, crc)};
  lists_start(&l);
  build_write(l.t.b, 20, 1);
  lists_push(&l, l.t.b->octets, l.t.b->len);
  ck_assert_uint_eq(lists_next(&l, LISTED), 0); /* nothing was decoded yet */
  ck_assert_uint_eq(lists_events(&l), 1);
  return l;
}

static void lists_free(lists *l) {
  free(l->mem);
  rx_bench_free(&l->t);
}

/* Pushes what was built since, as one. */
static void lists_push_new(lists *l, size_t from) {
  lists_push(l, &l->t.b->octets[from], l->t.b->len - from);
}

START_TEST(fpdus_of_a_push_come_in_lists)
{
  for (int crc = 0; crc < 2; crc++) {
    lists l = lists_new(false, crc != 0);
    const size_t from = l.t.b->len;
    for (size_t i = 0; i < 5; i++) {
      build_write(l.t.b, 100 + i, 7);
    }
    lists_push_new(&l, from);
    ck_assert_uint_eq(lists_next(&l, 2), 2);
    ck_assert_uint_eq(l.list[0].pos, RX_BENCH_POS + from);
    ck_assert_ptr_eq(l.list[0].ulpdu.ptr, &l.t.b->octets[from + 2]);
    ck_assert_uint_eq(l.list[1].ulpdu.len, IWARP_DDP_TAGGED_LEN + 101);
    ck_assert_uint_eq(lists_next(&l, 0), 0);
    ck_assert_uint_eq(lists_next(&l, LISTED), 3);
    ck_assert_uint_eq(l.list[2].ulpdu.len, IWARP_DDP_TAGGED_LEN + 104);
    ck_assert_uint_eq(lists_next(&l, LISTED), 0);
    ck_assert_uint_eq(lists_events(&l), 0);
    lists_free(&l);
  }
}
END_TEST

START_TEST(a_list_ends_where_an_event_is_due)
{
  lists l = lists_new(false, true);
  const size_t from = l.t.b->len;
  build_send(l.t.b, 10, 1);
  const size_t bad = l.t.b->len;
  build_write(l.t.b, 10, 1);
  build_read_request(l.t.b);
  build_write(l.t.b, 10, 1);
  l.t.b->octets[bad + 30] ^= 1;
  lists_push_new(&l, from);
  ck_assert_uint_eq(lists_next(&l, LISTED), 1);
  ck_assert_uint_eq(lists_next(&l, LISTED), 0);
  iwarp_event ev;
  ck_assert_int_eq(iwarp_rx_next_event(l.rx, &ev), IWARP_OK);
  ck_assert_int_eq(ev.u.fpdu.crc, IWARP_CRC_BAD);
  ck_assert_uint_eq(lists_next(&l, LISTED), 0); /* the length may be what was wrong */
  ck_assert_int_eq(iwarp_rx_next_event(l.rx, &ev), IWARP_OK);
  ck_assert_int_eq(ev.u.fpdu.seg.kind, IWARP_RDMAP_KIND_READ_REQ);
  ck_assert_uint_eq(lists_next(&l, LISTED), 1);
  ck_assert_uint_eq(lists_events(&l), 0);
  lists_free(&l);
}
END_TEST

START_TEST(what_is_not_whole_in_the_push_is_not_listed)
{
  lists l = lists_new(false, false);
  const size_t from = l.t.b->len;
  build_write(l.t.b, 10, 1);
  build_write(l.t.b, 10, 1);
  const size_t each = (l.t.b->len - from) / 2;
  for (size_t cut = 0; cut < each; cut++) {
    lists_push(&l, &l.t.b->octets[from], each + cut);
    ck_assert_uint_eq(lists_next(&l, LISTED), 1);
    ck_assert_uint_eq(lists_events(&l), 0);
    lists_push(&l, &l.t.b->octets[from + each + cut], each - cut);
    ck_assert_uint_eq(lists_next(&l, LISTED), cut == 0 ? 1 : 0); /* it is in the buffer */
    ck_assert_uint_eq(lists_events(&l), cut == 0 ? 0 : 1);
  }
  lists_free(&l);
}
END_TEST

START_TEST(nothing_is_listed_without_what_it_rests_on)
{
  lists l = lists_new(true, true);
  const size_t from = l.t.b->len;
  build_write(l.t.b, 10, 1);
  ck_assert_uint_eq(iwarp_rx_next_fpdus(NULL, l.list, 1), 0);
  ck_assert_uint_eq(iwarp_rx_next_fpdus(l.rx, NULL, 1), 0);
  lists_push_new(&l, from);
  ck_assert_uint_eq(lists_next(&l, LISTED), 0); /* Markers */
  ck_assert_uint_eq(lists_events(&l), 1);
  lists_free(&l);

  l = lists_new(false, true);
  iwarp_rx_set_crc(l.rx, IWARP_TRISTATE_UNKNOWN);
  lists_push(&l, l.t.b->octets, l.t.b->len);
  ck_assert_uint_eq(lists_next(&l, LISTED), 0);
  ck_assert_uint_eq(lists_events(&l), 1); /* which tells: they are in use */
  lists_push(&l, l.t.b->octets, l.t.b->len);
  ck_assert_uint_eq(lists_next(&l, LISTED), 1);
  ck_assert_uint_eq(lists_events(&l), 0);
  lists_free(&l);
}
END_TEST

START_TEST(a_long_ulpdu_is_not_listed)
{
  lists l = {.t = rx_bench_new(false, false)};
  l.t.cfg.max_ulpdu = IWARP_DDP_TAGGED_LEN + 20;
  lists_start(&l);
  build_write(l.t.b, 20, 1);
  const size_t longest = l.t.b->len;
  build_write(l.t.b, 21, 1);
  lists_push(&l, l.t.b->octets, longest);
  ck_assert_uint_eq(lists_events(&l), 1);
  lists_push(&l, l.t.b->octets, l.t.b->len);
  ck_assert_uint_eq(lists_next(&l, LISTED), 1);
  ck_assert_uint_eq(lists_next(&l, LISTED), 0);
  ck_assert_uint_eq(lists_events(&l), 1);
  lists_free(&l);
}
END_TEST

/* After a gap a search finds the boundary: FPDUs are listed when enough have proven it. */
START_TEST(a_boundary_that_was_found_must_be_proven)
{
  for (int crc = 0; crc < 2; crc++) {
    lists l = lists_new(false, crc != 0);
    build_write(l.t.b, 2000, 3);
    ck_assert_int_eq(iwarp_rx_gap(l.rx, 4000, IWARP_GAP_LOST, &meta), IWARP_OK);
    ck_assert_uint_eq(lists_next(&l, LISTED), 0);
    ck_assert_uint_eq(lists_events(&l), 1);
    size_t events = 0;
    for (size_t i = 0; i < 120; i++) {
      lists_push(&l, l.t.b->octets, l.t.b->len);
      const size_t listed = lists_next(&l, LISTED);
      ck_assert(listed == 0 || events * 2000 > IWARP_MPA_FPDU_WIRE_MAX);
      events += lists_events(&l);
    }
    if (crc == 0) { /* a guess stays one until CRCs tell */
      iwarp_rx_set_crc(l.rx, IWARP_TRISTATE_ON);
      lists_push(&l, l.t.b->octets, l.t.b->len);
      ck_assert_uint_eq(lists_next(&l, LISTED), 0);
      (void)lists_events(&l);
    } else {
      lists_push(&l, l.t.b->octets, l.t.b->len);
      ck_assert_uint_eq(lists_next(&l, LISTED), 2);
    }
    lists_free(&l);
  }
}
END_TEST

/* Returns true if control octets and length form a whole header of a data message. */
static bool data_message(uint8_t ddp, uint8_t rdmap, size_t len) {
  const uint8_t opcode = rdmap & 0x0Fu;
  const bool sound = (ddp & 0x3Fu) == 1 && (rdmap & 0xF0u) == 0x40u;
  if ((ddp & 0x80u) != 0) {
    return sound && (opcode == 0 || opcode == 2) && len >= 14;
  }
  return sound && opcode >= 3 && opcode <= 6 && len >= 18;
}

/* Returns true if only the FPDU of that segment is listed or reported by an event, as it must
 * be. */
static bool listed_rightly(lists *l, uint8_t octets[32], bool data) {
  const iwarp_span wire = {octets, iwarp_mpa_layout_of(0, octets[1], false).wire_len};
  const bool pushed = iwarp_rx_push(l->rx, wire, &meta) == IWARP_OK;
  const bool listed = lists_next(l, LISTED) == 1;
  return pushed && listed == data && lists_events(l) == (data ? 0 : 1);
}

START_TEST(only_data_messages_are_listed)
{
  lists l = lists_new(false, false);
  uint8_t octets[32] = {0};
  for (uint32_t control = 0; control < 0x10000u; control++) {
    octets[2] = (uint8_t)(control >> 8);
    octets[3] = (uint8_t)(control & 0xFF);
    for (octets[1] = 13; octets[1] < 20; octets[1]++) {
      if (!listed_rightly(&l, octets, data_message(octets[2], octets[3], octets[1]))) {
        ck_abort_msg("%04x, %u octets", (unsigned)control, octets[1]);
      }
    }
  }
  lists_free(&l);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {fpdus_of_a_push_come_in_lists,
                                a_list_ends_where_an_event_is_due,
                                what_is_not_whole_in_the_push_is_not_listed,
                                nothing_is_listed_without_what_it_rests_on,
                                a_long_ulpdu_is_not_listed,
                                a_boundary_that_was_found_must_be_proven,
                                only_data_messages_are_listed,
                                NULL};
  return check_run(check_suite("stream-rx-fpdus", tests));
}
