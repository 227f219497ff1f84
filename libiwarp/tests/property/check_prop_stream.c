/* SPDX-License-Identifier: BSD-2-Clause */
/* What must hold for the receive engine whatever is sent, lost, damaged and however it is cut. */
#include <string.h>

#include <iwarp/crc32c.h>

#include "check_run.h"
#include "property.h"
#include "stream_build.h"
#include "stream_run.h"

#include "crc32c/variants.h"

/* The linker puts this in place of iwarp_crc32c: it counts the octets that are summed up. */
static uint64_t summed;

uint32_t __wrap_iwarp_crc32c(uint32_t crc, const void *data, size_t len);

uint32_t __wrap_iwarp_crc32c(uint32_t crc, const void *data, size_t len) {
  summed += len;
  return iwarpi_crc32c_portable(crc, data, len);
}

#define POS0 UINT64_C(0xFFFFF000) /* the streams cross 2^32 */

/* ---- random streams of FPDUs ---- */

typedef struct rx_case {
  stream_build *stream;
  iwarp_rx_cfg cfg;
  script_hole holes[24];
  size_t num_holes;
  size_t mss;
} rx_case;

static iwarp_tristate known_or_not(prng *p, bool on) {
  return prng_below(p, 2) == 0 ? IWARP_TRISTATE_UNKNOWN
         : on                  ? IWARP_TRISTATE_ON
                               : IWARP_TRISTATE_OFF;
}

static void make_holes(rx_case *c, prng *p, size_t num) {
  size_t at = 0;
  c->num_holes = 0;
  for (size_t i = 0; i < num; i++) {
    const size_t from = at + prng_size(p, 2 * c->stream->len / num + 1);
    const size_t len = 1 + prng_size(p, prng_size(p, 3) == 0 ? 12 : 2 * c->mss);
    if (from + len >= c->stream->len) {
      return;
    }
    c->holes[c->num_holes++] = (script_hole){from, from + len};
    at = from + len;
  }
}

static void make_stream(rx_case *c, prng *p, size_t num_fpdus, size_t max) {
  c->stream = stream_build_new(prng_below(p, 2) != 0, prng_below(p, 2) != 0);
  for (size_t i = 0; i < num_fpdus; i++) {
    build_random(c->stream, p, max);
  }
  c->cfg = (iwarp_rx_cfg){.size = sizeof c->cfg,
                          .pos = POS0,
                          .at_start = prng_below(p, 3) != 0,
                          .unconfirmed = prng_below(p, 3) == 0,
                          .side = 1};
  c->cfg.markers = known_or_not(p, c->stream->markers);
  c->cfg.crc = known_or_not(p, c->stream->crc);
  c->mss = 8 + prng_size(p, 1500);
  c->num_holes = 0;
}

static stream_script case_script(const rx_case *c) {
  stream_script s = script_new();
  script_lossy(&s, 1, build_span(c->stream), c->mss, c->holes, c->num_holes);
  script_end(&s, 1, IWARP_END_FIN);
  return s;
}

/* Runs the script as it is and cut in several ways: all must tell the same and name every octet. */
static void expect_same_cut(const iwarp_rx_cfg *cfg, const stream_script *s, prng *p,
                            uint64_t seed) {
  static const size_t cuts[] = {1, 2, 7, 600};
  stream_log whole = run_rx(cfg, s);
  expect(log_accounts(&whole, s, cfg->side, cfg->pos), "seed %llu: octets are not accounted for",
         (unsigned long long)seed);
  for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
    stream_script cut = script_cut(s, p, cuts[i]);
    stream_log log = run_rx(cfg, &cut);
    expect(log_same(&whole, &log), "seed %llu: pushes of at most %zu octets change the events",
           (unsigned long long)seed, cuts[i]);
    log_free(&log);
    script_free(&cut);
  }
  log_free(&whole);
}

START_TEST(the_split_of_the_input_does_not_matter)
{
  property rounds = property_begin("the_split_of_the_input_does_not_matter", 1, 300);
  while (property_next(&rounds)) {
    const uint64_t seed = rounds.seed;
    prng p = {seed};
    rx_case c;
    make_stream(&c, &p, 1 + prng_size(&p, 30), prng_size(&p, 4) == 0 ? 9000 : 700);
    make_holes(&c, &p, prng_size(&p, 8));
    stream_script s = case_script(&c);
    expect_same_cut(&c.cfg, &s, &p, seed);
    script_free(&s);
    stream_build_free(c.stream);
  }
}
END_TEST

START_TEST(damaged_streams_are_accounted_for)
{
  property rounds = property_begin("damaged_streams_are_accounted_for", 1, 400);
  while (property_next(&rounds)) {
    const uint64_t seed = rounds.seed;
    prng p = {seed + 1000000};
    rx_case c;
    make_stream(&c, &p, 1 + prng_size(&p, 20), 600);
    make_holes(&c, &p, prng_size(&p, 5));
    build_damage(c.stream, &p);
    stream_script s = case_script(&c);
    expect_same_cut(&c.cfg, &s, &p, seed);
    script_free(&s);
    stream_build_free(c.stream);
  }
}
END_TEST

START_TEST(noise_is_accounted_for)
{
  property rounds = property_begin("noise_is_accounted_for", 1, 60);
  while (property_next(&rounds)) {
    const uint64_t seed = rounds.seed;
    prng p = {seed + 2000000};
    rx_case c;
    make_stream(&c, &p, 1, 0);
    const size_t n = prng_size(&p, 20000);
    for (size_t i = 0; i < n; i++) {
      const uint8_t octet = (uint8_t)(prng_below(&p, 3) == 0 ? prng_next(&p) : 0x41);
      build_octets(c.stream, &octet, 1);
    }
    make_holes(&c, &p, prng_size(&p, 4));
    stream_script s = case_script(&c);
    expect_same_cut(&c.cfg, &s, &p, seed);
    script_free(&s);
    stream_build_free(c.stream);
  }
}
END_TEST

/* ---- what is found ---- */

static const build_fpdu *truth_at(const stream_build *b, uint64_t pos) {
  for (size_t i = 0; i < b->num_fpdus; i++) {
    if (POS0 + b->fpdu[i].at + b->fpdu[i].lead == pos) {
      return &b->fpdu[i];
    }
  }
  return NULL;
}

START_TEST(an_unbroken_stream_is_decoded_whole)
{
  property rounds = property_begin("an_unbroken_stream_is_decoded_whole", 1, 300);
  while (property_next(&rounds)) {
    const uint64_t seed = rounds.seed;
    prng p = {seed + 3000000};
    rx_case c;
    make_stream(&c, &p, 1 + prng_size(&p, 40), prng_size(&p, 5) == 0 ? 60000 / 40 : 300);
    c.cfg.at_start = true;
    stream_script s = case_script(&c);
    stream_log log = run_rx(&c.cfg, &s);
    expect(log.num == c.stream->num_fpdus, "seed %llu: %zu events of %zu FPDUs",
           (unsigned long long)seed, log.num, c.stream->num_fpdus);
    for (size_t i = 0; i < log.num; i++) {
      const stream_rec *r = &log.recs[i];
      const build_fpdu *f = &c.stream->fpdu[i];
      expect(r->kind == IWARP_EVENT_FPDU && r->complete && r->length == f->length &&
                 r->pos == POS0 + f->at + f->lead && r->offset == f->at + f->lead &&
                 r->sync == IWARP_SYNC_STARTUP && r->octets_len == f->length && r->err == 0 &&
                 r->what == (c.stream->crc ? IWARP_CRC_GOOD : IWARP_CRC_UNCHECKED),
             "seed %llu: FPDU %zu is wrong", (unsigned long long)seed, i);
    }
    log_free(&log);
    script_free(&s);
    stream_build_free(c.stream);
  }
}
END_TEST

static bool holed(const rx_case *c, size_t from, size_t to) {
  for (size_t i = 0; i < c->num_holes; i++) {
    if (c->holes[i].from < to && c->holes[i].to > from) {
      return true;
    }
  }
  return false;
}

static const stream_rec *event_of(const stream_log *log, const build_fpdu *f) {
  for (size_t i = 0; i < log->num; i++) {
    if (log->recs[i].kind == IWARP_EVENT_FPDU && log->recs[i].pos == POS0 + f->at + f->lead) {
      return &log->recs[i];
    }
  }
  return NULL;
}

/* With CRCs known to be in use no FPDU is invented, and each that is there whole is found. */
START_TEST(crcs_prove_every_whole_fpdu_and_no_other)
{
  property rounds = property_begin("crcs_prove_every_whole_fpdu_and_no_other", 1, 300);
  while (property_next(&rounds)) {
    const uint64_t seed = rounds.seed;
    prng p = {seed + 4000000};
    rx_case c;
    make_stream(&c, &p, 30, 500);
    stream_build_free(c.stream);
    c.stream = stream_build_new(false, true);
    for (size_t i = 0; i < 30; i++) {
      build_random(c.stream, &p, 500);
    }
    c.cfg.markers = IWARP_TRISTATE_OFF;
    c.cfg.crc = IWARP_TRISTATE_ON;
    make_holes(&c, &p, prng_size(&p, 8));
    stream_script s = case_script(&c);
    stream_log log = run_rx(&c.cfg, &s);
    for (size_t i = 0; i < log.num; i++) {
      const stream_rec *r = &log.recs[i];
      expect(r->kind != IWARP_EVENT_FPDU || truth_at(c.stream, r->pos) != NULL,
             "seed %llu: an FPDU is invented", (unsigned long long)seed);
    }
    for (size_t i = 0; i < c.stream->num_fpdus; i++) {
      const build_fpdu *f = &c.stream->fpdu[i];
      const stream_rec *r = event_of(&log, f);
      expect(holed(&c, f->at, f->at + f->wire_len) ||
                 (r != NULL && r->what == IWARP_CRC_GOOD && r->length == f->length),
             "seed %llu: FPDU %zu is not found", (unsigned long long)seed, i);
    }
    log_free(&log);
    script_free(&s);
    stream_build_free(c.stream);
  }
}
END_TEST

/* The FPDU that holds the Marker at stream offset `at`. */
static size_t fpdu_of_marker(const stream_build *b, size_t at) {
  size_t i = 0;
  while (i + 1 < b->num_fpdus && b->fpdu[i + 1].at <= at) {
    i++;
  }
  return i;
}

/* The first FPDU of the octets [from, to) that a Marker proves; num_fpdus when none does. */
static size_t first_proven(const stream_build *b, size_t from, size_t to) {
  for (size_t x = (from + 511) / 512 * 512; x + 8 <= to; x += 512) {
    const size_t i = fpdu_of_marker(b, x);
    if (b->fpdu[i].at + b->fpdu[i].lead >= from && b->fpdu[i].at + b->fpdu[i].wire_len > x) {
      return i;
    }
  }
  return b->num_fpdus;
}

/* With Markers no FPDU is invented, and from the first that a Marker proves each is found. */
START_TEST(markers_prove_where_fpdus_begin)
{
  property rounds = property_begin("markers_prove_where_fpdus_begin", 1, 300);
  while (property_next(&rounds)) {
    const uint64_t seed = rounds.seed;
    prng p = {seed + 5000000};
    rx_case c;
    make_stream(&c, &p, 1, 0);
    const bool crc = prng_below(&p, 2) != 0;
    stream_build_free(c.stream);
    c.stream = stream_build_new(true, crc);
    for (size_t i = 0; i < 30; i++) {
      build_random(c.stream, &p, 700);
    }
    c.cfg.at_start = true;
    c.cfg.markers = IWARP_TRISTATE_ON;
    c.cfg.crc = known_or_not(&p, crc);
    make_holes(&c, &p, 1 + prng_size(&p, 7));
    stream_script s = case_script(&c);
    stream_log log = run_rx(&c.cfg, &s);
    for (size_t i = 0; i < log.num; i++) {
      expect(log.recs[i].kind != IWARP_EVENT_FPDU || truth_at(c.stream, log.recs[i].pos) != NULL,
             "seed %llu: an FPDU is invented", (unsigned long long)seed);
    }
    for (size_t h = 0; h < c.num_holes; h++) {
      const size_t to = h + 1 < c.num_holes ? c.holes[h + 1].from : c.stream->len;
      for (size_t i = first_proven(c.stream, c.holes[h].to, to); i < c.stream->num_fpdus; i++) {
        const build_fpdu *f = &c.stream->fpdu[i];
        const stream_rec *r = event_of(&log, f);
        if (f->at + f->wire_len > to) {
          break;
        }
        expect(r != NULL && r->complete && r->length == f->length && r->offset == f->at + f->lead,
               "seed %llu: FPDU %zu is not found", (unsigned long long)seed, i);
      }
    }
    log_free(&log);
    script_free(&s);
    stream_build_free(c.stream);
  }
}
END_TEST

/* ---- hostile work ---- */

/*
 * Octets that look like the longest FPDUs at every place, so that each asks for its CRC to be
 * summed up.
 */
static void build_hostile(stream_build *b, size_t n, size_t every, uint16_t length) {
  const uint8_t head[4] = {(uint8_t)(length >> 8), (uint8_t)(length & 0xFF), 0x81, 0x40};
  for (size_t i = 0; i < n; i += every) {
    build_octets(b, head, sizeof head);
    build_fill(b, 0xEE, every - sizeof head);
  }
}

START_TEST(hostile_octets_cost_a_bounded_number_of_sums)
{
  static const iwarp_tristate tris[] = {IWARP_TRISTATE_UNKNOWN, IWARP_TRISTATE_ON};
  for (size_t every = 4; every <= 64; every *= 4) {
    for (size_t k = 0; k < 4; k++) {
      stream_build *b = stream_build_new(false, true);
      iwarp_rx_cfg cfg = {.size = sizeof cfg, .markers = tris[k % 2], .crc = tris[k / 2]};
      stream_script s = script_new();
      for (size_t i = 0; i < 60; i++) { /* real ones between them start the search over and over */
        build_hostile(b, 8192, every, (uint16_t)(2000 + 1000 * i));
        build_write(b, 10, 0);
      }
      script_stream(&s, 0, build_span(b), 1460);
      script_end(&s, 0, IWARP_END_FIN);
      summed = 0;
      stream_log log = run_rx(&cfg, &s);
      expect(summed > 0 && summed <= 300 * (uint64_t)b->len + (UINT64_C(20) << 20),
             "%llu octets of %zu summed up", (unsigned long long)summed, b->len);
      expect(log_accounts(&log, &s, 0, 0), "octets are not accounted for");
      log_free(&log);
      script_free(&s);
      stream_build_free(b);
    }
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {{the_split_of_the_input_does_not_matter, 1},
                                 {damaged_streams_are_accounted_for, 1},
                                 {noise_is_accounted_for, 1},
                                 {an_unbroken_stream_is_decoded_whole, 1},
                                 {crcs_prove_every_whole_fpdu_and_no_other, 1},
                                 {markers_prove_where_fpdus_begin, 1},
                                 {hostile_octets_cost_a_bounded_number_of_sums, 1},
                                 {NULL, 0}};
  return property_main("stream", tests);
}
