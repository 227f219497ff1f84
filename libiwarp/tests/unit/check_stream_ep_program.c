/* SPDX-License-Identifier: BSD-2-Clause */
/* What a program would do by hand otherwise: octets that were taken, the copy of PLACE, octets in
 * flight; and posts that cannot go out. */
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"

#define TOP UINT64_C(0xFFFFFFFFFFFFFFFF)

static const iwarp_span nothing = {0};

/* ---- iwarp_endpoint_taken ---- */

static void push_at(wire *w, uint64_t offset, iwarp_span in) {
  ok(iwarp_endpoint_push_at(w->h->ep, offset, in));
  ep_host_run(w->h);
}

/* Octets that were known before count as taken; octets of an FPDU that is not whole do not. */
START_TEST(octets_that_were_known_are_taken)
{
  uint8_t ulpdu[64];
  uint8_t octets[256];
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.leave_rest = true;
  wire w = wire_of(&cfg);
  const uint64_t begin = iwarp_endpoint_rx_offset(w.h->ep);
  const seg one = {.opcode = IWARP_RDMAP_OP_SEND, .len = 4};
  const seg two = {.opcode = IWARP_RDMAP_OP_SEND, .msn = 2, .len = 4};
  size_t n =
      wire_make(&w, octets, sizeof octets, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &one), 0, 0);
  const size_t first = n;
  n += wire_make(&w, &octets[n], sizeof octets - n, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &two), 0,
                 0);
  push_at(&w, begin, (iwarp_span){octets, first + 3});
  ck_assert_uint_eq(iwarp_endpoint_taken(w.h->ep), first);
  push_at(&w, begin, (iwarp_span){octets, first + 5});
  ck_assert_uint_eq(iwarp_endpoint_taken(w.h->ep), first);
  push_at(&w, begin, (iwarp_span){octets, first - 1}); /* all of it is known */
  ck_assert_uint_eq(iwarp_endpoint_taken(w.h->ep), first - 1);
  push_at(&w, begin + 2, (iwarp_span){&octets[2], n - 2});
  ck_assert_uint_eq(iwarp_endpoint_taken(w.h->ep), n - 2);
  wire_free(&w);
}
END_TEST

/* Without leave_rest all is taken, and of a push ahead of its turn nothing. */
START_TEST(octets_ahead_of_their_turn_are_not_taken)
{
  iwarp_endpoint_cfg cfg = wire_cfg(true, true, false);
  cfg.num_out_of_order = 4;
  wire w = wire_of(&cfg);
  const seg s = {.opcode = IWARP_RDMAP_OP_SEND, .len = 4};
  uint8_t octets[64] = {0};
  wire_seg(&w, &s);
  const uint64_t next = iwarp_endpoint_rx_offset(w.h->ep);
  push_at(&w, next + 600, (iwarp_span){octets, sizeof octets});
  ck_assert_uint_eq(iwarp_endpoint_taken(w.h->ep), 0);
  ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){octets, 1}));
  ep_host_run(w.h);
  ck_assert_uint_eq(iwarp_endpoint_taken(w.h->ep), 1);
  ck_assert_int_eq(iwarp_endpoint_push(w.h->ep, (iwarp_span){NULL, 2}), IWARP_ERR_ARG);
  ck_assert_uint_eq(iwarp_endpoint_taken(w.h->ep), 1); /* the last one that was not refused */
  ok(iwarp_endpoint_push(w.h->ep, nothing));           /* its events were not taken yet */
  ck_assert_int_eq(iwarp_endpoint_push_at(w.h->ep, next, (iwarp_span){octets, 3}), IWARP_ERR_STATE);
  ck_assert_uint_eq(iwarp_endpoint_taken(w.h->ep), 0); /* of nothing */
  ep_host_run(w.h);
  wire_free(&w);
}
END_TEST

/* ---- iwarp_place_copy ---- */

START_TEST(runs_are_copied_where_there_is_memory)
{
  static const uint8_t source[] = "abcdefgh";
  uint8_t to[8] = {0};
  const iwarp_endpoint_run runs[] = {{.src = {source, 3}, .dst = to},
                                     {.src = {source + 3, 2}, .dst = NULL},
                                     {.src = {source + 5, 3}, .dst = to + 5}};
  iwarp_endpoint_place place = {.runs = runs, .num_runs = 3, .len = 8};
  ck_assert_uint_eq(iwarp_place_copy(&place), 6);
  ck_assert_mem_eq(to, "abc\0\0fgh", 8);
  place.num_runs = 0;
  ck_assert_uint_eq(iwarp_place_copy(&place), 0);
}
END_TEST

/* ---- octets in flight ---- */

/* Of a startup frame the rest follows what is in flight, and then nothing until it is taken. */
START_TEST(a_startup_frame_in_flight)
{
  const iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  ep_host *h = ep_host_new(&cfg);
  iwarp_span spans[4];
  iwarp_tx_batch b = {.spans = spans, .max_spans = 4};
  ok(iwarp_endpoint_connect(h->ep, nothing));
  ok(iwarp_endpoint_next_batch(h->ep, &b));
  const size_t all = b.all.len;
  b.skip = 5;
  ok(iwarp_endpoint_next_batch(h->ep, &b));
  ck_assert_uint_eq(b.all.len, all - 5);
  b.skip = all;
  ck_assert_int_eq(iwarp_endpoint_next_batch(h->ep, &b), IWARP_ERR_END);
  ok(iwarp_endpoint_advance(h->ep, 7));
  b.skip = all - 7;
  ck_assert_int_eq(iwarp_endpoint_next_batch(h->ep, &b), IWARP_ERR_END);
  b.skip = 0;
  ok(iwarp_endpoint_next_batch(h->ep, &b));
  ck_assert_uint_eq(b.all.len, all - 7);
  ep_host_free(h);
}
END_TEST

/* Operations that are posted while others are in flight. */
START_TEST(operations_follow_those_in_flight)
{
  wire w = wire_new(false, true, false);
  iwarp_span spans[16];
  iwarp_tx_batch b = {.spans = spans, .max_spans = 16};
  size_t in_flight = 0;
  for (uint64_t i = 0; i < 3; i++) {
    ok(iwarp_endpoint_send(w.h->ep, i, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){0}));
    b.skip = in_flight;
    ok(iwarp_endpoint_next_batch(w.h->ep, &b));
    ck_assert_uint_eq(b.all.num_fpdus, 1);
    in_flight += b.all.len;
    b.skip = in_flight;
    ck_assert_int_eq(iwarp_endpoint_next_batch(w.h->ep, &b), IWARP_ERR_END);
  }
  ok(iwarp_endpoint_advance(w.h->ep, in_flight));
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_DONE), 3);
  wire_free(&w);
}
END_TEST

/* ---- Tagged Offsets that wrap: RFC 5041 7.1 item 5 ---- */

static iwarp_err write_to(wire *w, uint64_t to, size_t len) {
  static const uint8_t octets[16];
  const iwarp_span part = {octets, len};
  return iwarp_endpoint_write(w->h->ep, 1, 9, to, (iwarp_tx_payload){&part, 1});
}

static iwarp_err read_from(wire *w, uint64_t to, uint32_t len) {
  const iwarp_rdmap_read_req req = {
      .sink_stag = 3, .sink_to = 0x1000, .size = len, .source_stag = 9, .source_to = to};
  return iwarp_endpoint_read(w->h->ep, 1, &req);
}

/* A sum of 2^64 is 0 in 64 bits: it wraps. Without octets nothing does. */
START_TEST(writes_and_reads_refuse_the_same_offsets)
{
  wire w = wire_new(false, true, false);
  iwarp_rdmap_atomic_req atomic = {.stag = 9, .to = TOP - 7};
  uint8_t octets[512];
  ck_assert_int_eq(write_to(&w, TOP - 15, 16), IWARP_ERR_ARG);
  ck_assert_int_eq(read_from(&w, TOP - 15, 16), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_atomic(w.h->ep, 1, &atomic), IWARP_ERR_ARG);
  ck_assert_int_eq(write_to(&w, TOP, 16), IWARP_ERR_ARG);
  ck_assert_int_eq(read_from(&w, TOP, 16), IWARP_ERR_ARG);
  ck_assert_uint_eq(ep_host_pull(w.h, octets, sizeof octets), 0);
  ok(write_to(&w, TOP - 16, 16));
  ok(read_from(&w, TOP - 16, 16));
  ok(write_to(&w, TOP, 0));
  ok(read_from(&w, TOP, 0));
  wire_free(&w);
  w = wire_new(false, true, false);
  atomic.to = TOP - 8;
  ok(iwarp_endpoint_atomic(w.h->ep, 1, &atomic));
  wire_free(&w);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {octets_that_were_known_are_taken,
                                octets_ahead_of_their_turn_are_not_taken,
                                runs_are_copied_where_there_is_memory,
                                a_startup_frame_in_flight,
                                operations_follow_those_in_flight,
                                writes_and_reads_refuse_the_same_offsets,
                                NULL};
  return check_run(check_suite("stream-ep-program", tests));
}
