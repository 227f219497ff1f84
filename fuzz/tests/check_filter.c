/* SPDX-License-Identifier: BSD-2-Clause */
/* The streams on their way through the proxy. */
#include <string.h>

#include <iwarp/mpa.h>

#include "check_run.h"
#include "filter.h"
#include "mutator_stream.h"
#include "script.h"

static filter f;
static stream_input made;
static uint8_t sent[2][FILTER_OUT_MAX];
static size_t num_sent[2];

/* Takes what waits to be sent, in pieces. */
static void take(size_t side, size_t piece) {
  while (f.side[side].num_out > 0) {
    const size_t n = f.side[side].num_out < piece ? f.side[side].num_out : piece;
    memcpy(&sent[side][num_sent[side]], f.side[side].out, n);
    num_sent[side] += n;
    filter_sent(&f, side, n);
  }
}

/* Sends a script through the filter in pieces. */
static void pass(const filter_cfg *cfg, uint64_t seed, size_t piece) {
  script_record r;
  iwarp_span body = {made.octets, made.len - FUZZ_TAIL};
  filter_init(&f, cfg, seed);
  num_sent[0] = num_sent[1] = 0;
  while (script_next(&r, &body)) {
    for (size_t at = 0; at < r.octets.len; at += piece) {
      const size_t n = r.octets.len - at < piece ? r.octets.len - at : piece;
      ck_assert_uint_le(n, filter_room(&f, r.side));
      filter_push(&f, r.side, r.octets.ptr + at, n);
      take(r.side, piece);
    }
  }
  for (size_t side = 0; side < 2; side++) {
    filter_eof(&f, side);
    take(side, piece);
  }
}

/* What was sent as a script, and what is wrong with it. */
static stream_state look(bool markers) {
  static uint8_t script[MUTATOR_INPUT_MAX];
  size_t len = 0;
  for (uint8_t side = 0; side < 2; side++) {
    for (size_t at = 0; at < num_sent[side]; at += 30000) {
      const size_t n = num_sent[side] - at < 30000 ? num_sent[side] - at : 30000;
      script[len] = side != 0 ? SCRIPT_SIDE : 0;
      script[len + 1] = (uint8_t)(n >> 8);
      script[len + 2] = (uint8_t)n;
      memcpy(&script[len + SCRIPT_HEAD], &sent[side][at], n);
      len += SCRIPT_HEAD + n;
    }
  }
  return stream_look(script, len + FUZZ_TAIL, markers);
}

START_TEST(nothing_is_touched_where_nothing_is_to_be_changed)
{
  const filter_cfg none = {.every = 0, .sides = {true, true}};
  const filter_cfg seldom = {.every = UINT64_MAX, .sides = {true, true}};
  for (int markers = 0; markers < 2; markers++) {
    stream_of_fpdus(&made, markers != 0);
    for (size_t piece = 1; piece < 900; piece += 113) {
      static uint8_t before[2][STREAM_MAX];
      size_t num[2];
      pass(&none, 1, piece);
      for (size_t side = 0; side < 2; side++) {
        num[side] = num_sent[side];
        memcpy(before[side], sent[side], num[side]);
      }
      pass(&seldom, 1, piece);
      for (size_t side = 0; side < 2; side++) {
        ck_assert_uint_eq(num_sent[side], num[side]);
        ck_assert_mem_eq(sent[side], before[side], num[side]);
      }
      const stream_state s = look(markers != 0);
      ck_assert_uint_eq(s.fpdus, STREAM_FPDUS);
      ck_assert_uint_eq(f.side[0].fpdus, STREAM_FPDUS);
      ck_assert_uint_eq(f.side[0].changed, 0);
    }
  }
}
END_TEST

START_TEST(what_is_changed_is_framed_as_it_must_be)
{
  const filter_cfg often = {.every = 2, .sides = {true, true}, .broken = 0};
  size_t changed = 0;
  for (int markers = 0; markers < 2; markers++) {
    stream_of_fpdus(&made, markers != 0);
    for (uint64_t seed = 1; seed <= 300; seed++) {
      pass(&often, seed, 4096);
      const stream_state s = look(markers != 0);
      expect(s.crc == 0 && s.markers == 0 && s.pad == 0 && s.rest == 0,
             "seed %llu: CRC %zu, Markers %zu, PAD %zu, rest %zu", (unsigned long long)seed, s.crc,
             s.markers, s.pad, s.rest);
      changed += f.side[0].changed;
    }
  }
  ck_assert_uint_gt(changed, 300);
}
END_TEST

START_TEST(some_changes_are_left_broken)
{
  const filter_cfg often = {.every = 2, .sides = {true, true}, .broken = 2};
  size_t broken = 0;
  stream_of_fpdus(&made, true);
  for (uint64_t seed = 1; seed <= 100; seed++) {
    pass(&often, seed, 4096);
    const stream_state s = look(true);
    broken += s.crc + s.rest > 0 ? 1 : 0;
  }
  ck_assert_uint_gt(broken, 30);
}
END_TEST

START_TEST(only_the_side_that_is_named_is_changed)
{
  const filter_cfg other = {.every = 1, .sides = {false, true}, .startup = true};
  stream_of_fpdus(&made, false);
  pass(&other, 3, 4096);
  ck_assert_uint_eq(f.side[0].changed, 0);
  ck_assert_uint_eq(f.side[1].changed, 1); /* its startup frame */
}
END_TEST

START_TEST(the_same_seed_makes_the_same_changes)
{
  const filter_cfg often = {.every = 2, .sides = {true, true}, .broken = 4, .startup = true};
  static uint8_t first[FILTER_OUT_MAX];
  stream_of_fpdus(&made, true);
  pass(&often, 7, 4096);
  const size_t num = num_sent[0];
  memcpy(first, sent[0], num);
  pass(&often, 7, 4096);
  ck_assert_uint_eq(num_sent[0], num);
  ck_assert_mem_eq(sent[0], first, num);
}
END_TEST

START_TEST(octets_that_are_no_iwarp_pass_as_they_are)
{
  static const uint8_t other[] = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
  const filter_cfg all = {.every = 1, .sides = {true, true}, .startup = true};
  filter_init(&f, &all, 1);
  num_sent[0] = 0;
  filter_push(&f, 0, other, sizeof other);
  take(0, 100);
  ck_assert_uint_eq(num_sent[0], sizeof other);
  ck_assert_mem_eq(sent[0], other, sizeof other);
}
END_TEST

START_TEST(a_terminate_is_seen)
{
  static const filter_cfg none = {.every = UINT64_MAX, .sides = {true, true}};
  uint8_t ulpdu[64];
  uint8_t wire[128];
  size_t n = 0;
  size_t len = 0;
  const iwarp_ddp_hdr h = {.last = true, .dv = 1, .rsvdulp = 0x47, .qn = 2, .msn = 1};
  const iwarp_rdmap_term t = {.layer = 1, .etype = 2, .code = 3};
  (void)iwarp_ddp_hdr_encode(ulpdu, sizeof ulpdu, &n, &h);
  (void)iwarp_rdmap_term_encode(ulpdu + n, sizeof ulpdu - n, &len, &t);
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, n + len}};
  (void)iwarp_mpa_fpdu_encode(wire, sizeof wire, &len, &d);
  stream_of_fpdus(&made, false);
  pass(&none, 1, 4096);
  f.side[0].in_over = false;
  ck_assert(!f.side[0].has_terminate);
  filter_push(&f, 0, wire, len);
  ck_assert(f.side[0].has_terminate);
  ck_assert_uint_eq(f.side[0].terminate.code, 3);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {nothing_is_touched_where_nothing_is_to_be_changed,
                                what_is_changed_is_framed_as_it_must_be,
                                some_changes_are_left_broken,
                                only_the_side_that_is_named_is_changed,
                                the_same_seed_makes_the_same_changes,
                                octets_that_are_no_iwarp_pass_as_they_are,
                                a_terminate_is_seen,
                                NULL};
  return check_run(check_suite("filter", tests));
}
