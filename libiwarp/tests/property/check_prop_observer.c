/* SPDX-License-Identifier: BSD-2-Clause */
/* What must hold for the observer whatever is sent, lost, damaged and however it is cut. */
#include <string.h>

#include "check_run.h"
#include "property.h"
#include "stream_build.h"
#include "stream_run.h"

#define POS0 UINT64_C(0xFFFFF000) /* the streams cross 2^32 */

static void build_side(stream_build *b, prng *p, const char *key, bool peer_markers) {
  uint8_t pd[512];
  const bool rev2 = prng_below(p, 2) != 0;
  const size_t n = prng_size(p, 3) == 0 ? 0 : prng_size(p, 300);
  uint8_t flags = (uint8_t)((peer_markers ? 0x80 : 0) | (b->crc ? 0x40 : 0) | (rev2 ? 0x10 : 0));
  static const char text[] = "hello, MPA ID Re MPA ID Req Frames are coming MPA";
  prng_fill(p, pd, sizeof pd);
  if (prng_below(p, 4) == 0) {
    build_octets(b, text, prng_size(p, sizeof text));
  }
  if (prng_below(p, 12) == 0) {
    flags |= 0x20;
  }
  build_startup(b, prng_below(p, 12) == 0 ? "MPA ID Xxx Frame" : key, flags, rev2 ? 2 : 1,
                (uint16_t)n, pd, n);
  for (size_t i = prng_size(p, 12); i > 0; i--) {
    build_random(b, p, 400);
  }
  if (prng_below(p, 3) == 0) {
    build_damage(b, p);
  }
}

/* Both sides' segments in turns, with holes. */
static void talk(stream_script *s, prng *p, stream_build *const sides[2]) {
  size_t at[2] = {0, 0};
  const bool acks = prng_below(p, 3) != 0;
  while (at[0] < sides[0]->len || at[1] < sides[1]->len) {
    uint8_t side = (uint8_t)prng_below(p, 2);
    side = at[side] < sides[side]->len ? side : 1u - side;
    const size_t left = sides[side]->len - at[side];
    const size_t want = 1 + prng_size(p, prng_size(p, 4) == 0 ? 30 : 700);
    const size_t n = want < left ? want : left;
    s->peer_pos = acks ? POS0 + at[1 - side] : IWARP_POS_UNKNOWN;
    if (prng_below(p, 12) == 0) {
      script_gap(s, side, n);
    } else {
      script_push(s, side, (iwarp_span){&sides[side]->octets[at[side]], n});
    }
    at[side] += n;
  }
  script_end(s, 0, IWARP_END_FIN);
  script_end(s, 1, IWARP_END_RST);
}

START_TEST(connections_are_accounted_for_however_they_are_cut)
{
  static const size_t cuts[] = {1, 3, 40};
  property rounds = property_begin("connections_are_accounted_for_however_they_are_cut", 1, 1500);
  while (property_next(&rounds)) {
    const uint64_t seed = rounds.seed;
    prng p = {seed + 6000000};
    const bool crc = prng_below(&p, 2) != 0;
    stream_build *sides[2] = {stream_build_new(prng_below(&p, 2) != 0, crc),
                              stream_build_new(prng_below(&p, 2) != 0, crc)};
    const uint8_t first = (uint8_t)prng_below(&p, 2);
    const iwarp_observer_cfg cfg = {.size = sizeof cfg,
                                    .full_operation = prng_below(&p, 5) == 0,
                                    .markers = (iwarp_tristate)prng_below(&p, 3),
                                    .crc = (iwarp_tristate)prng_below(&p, 3)};
    const run_start start = {{POS0, POS0}, {prng_below(&p, 3) != 0, prng_below(&p, 3) != 0}};
    stream_script s = script_new();
    iwarp_observer_info info;
    iwarp_observer_info same;
    build_side(sides[first], &p, "MPA ID Req Frame", sides[1 - first]->markers);
    build_side(sides[1 - first], &p, "MPA ID Rep Frame", sides[first]->markers);
    talk(&s, &p, sides);
    stream_log log = run_conn(&cfg, &start, &s, &info);
    expect(log_accounts(&log, &s, 0, POS0) && log_accounts(&log, &s, 1, POS0),
           "seed %llu: octets are not accounted for", (unsigned long long)seed);
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
      stream_script cut = script_cut(&s, &p, cuts[i]);
      stream_log other = run_conn(&cfg, &start, &cut, &same);
      expect(log_same(&log, &other), "seed %llu: pushes of at most %zu octets change the events",
             (unsigned long long)seed, cuts[i]);
      expect(memcmp(&info, &same, sizeof info) == 0, "seed %llu: another outcome",
             (unsigned long long)seed);
      log_free(&other);
      script_free(&cut);
    }
    log_free(&log);
    script_free(&s);
    stream_build_free(sides[0]);
    stream_build_free(sides[1]);
  }
}
END_TEST

/* A conversation with everything in it, each push parted at every octet. */
static void every_split(uint64_t seed) {
  stream_build *sides[2] = {stream_build_new(true, true), stream_build_new(false, true)};
  const iwarp_observer_cfg cfg = {.size = sizeof cfg};
  const run_start start = {{POS0, POS0}, {true, true}};
  stream_script s = script_new();
  prng p = {seed};
  size_t at[2] = {0, 0};
  build_octets(sides[0], "MPA please: ", 12);
  build_startup(sides[0], "MPA ID Req Frame", 0x40, 1, 6, "answer", 6);
  build_octets(sides[1], "ok MPA ID ", 10);
  build_startup(sides[1], "MPA ID Rep Frame", 0x80, 1, 0, NULL, 0);
  for (int i = 0; i < 8; i++) {
    build_random(sides[0], &p, 200);
    build_random(sides[1], &p, 200);
  }
  while (at[0] < sides[0]->len || at[1] < sides[1]->len) {
    for (uint8_t side = 0; side < 2; side++) {
      const size_t left = sides[side]->len - at[side];
      const size_t n = left < 150 ? left : 150;
      s.peer_pos = POS0 + at[1 - side];
      if (at[side] == 600) {
        script_gap(&s, side, n);
      } else {
        script_push(&s, side, (iwarp_span){&sides[side]->octets[at[side]], n});
      }
      at[side] += n;
    }
  }
  script_end(&s, 0, IWARP_END_FIN);
  script_end(&s, 1, IWARP_END_FIN);
  stream_log whole = run_conn(&cfg, &start, &s, NULL);
  expect(log_count(&whole, IWARP_EVENT_STARTUP) == 2 && log_count(&whole, IWARP_EVENT_FPDU) > 8,
         "there is less in it than it should be");
  for (size_t i = 0; i < s.num; i++) {
    for (size_t k = 1; k < s.steps[i].octets.len; k++) {
      stream_script parted = script_split(&s, i, k);
      stream_log log = run_conn(&cfg, &start, &parted, NULL);
      expect(log_same(&whole, &log), "push %zu parted at %zu changes the events", i, k);
      log_free(&log);
      script_free(&parted);
    }
  }
  log_free(&whole);
  script_free(&s);
  stream_build_free(sides[0]);
  stream_build_free(sides[1]);
}

START_TEST(every_split_in_two_says_the_same)
{
  property rounds = property_begin("every_split_in_two_says_the_same", 42, 1);
  while (property_next(&rounds)) {
    every_split(rounds.seed);
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {{every_split_in_two_says_the_same, 1},
                                 {connections_are_accounted_for_however_they_are_cut, 1},
                                 {NULL, 0}};
  return property_main("observer", tests);
}
