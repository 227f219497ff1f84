/* SPDX-License-Identifier: BSD-2-Clause */
/* The transmit engine that hands out several segments at a time. */
#include <iwarp/tx.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "prng.h"
#include "property.h"
#include "tx/for_endpoint.h"
#include "tx/state.h"

#define WIRE_MAX 600000u
#define SPANS_MAX 2048u
#define SEGMENTS_MAX 128u

static _Alignas(max_align_t) uint8_t mem[262144];
static uint8_t noise[32768];
static iwarp_tx *tx;
static iwarp_span spans[SPANS_MAX];
static iwarp_tx_out segments[SEGMENTS_MAX];

static iwarp_tx_cfg config(uint32_t emss, uint32_t num_fpdus) {
  return (iwarp_tx_cfg){.size = sizeof(iwarp_tx_cfg),
                        .crc = true,
                        .emss = emss,
                        .num_messages = 64,
                        .num_fpdus = num_fpdus};
}

static void begin(const iwarp_tx_cfg *cfg) {
  if (noise[0] == 0) {
    prng p = {.state = 12};
    prng_fill(&p, noise, sizeof noise);
  }
  memset(mem, 0xA5, sizeof mem);
  expect_int_eq(iwarp_tx_init(&tx, mem, sizeof mem, cfg), IWARP_OK);
}

static void write_(uint64_t token, size_t off, size_t len) {
  const iwarp_span part = {noise + off, len};
  expect_int_eq(iwarp_tx_write(tx, token, 5, off, (iwarp_tx_payload){&part, 1}), IWARP_OK);
}

static void read_resp(uint64_t token, uint32_t len) {
  const iwarp_span part = {noise, len};
  const iwarp_rdmap_read_req req = {.size = len};
  expect_int_eq(iwarp_tx_read_resp(tx, token, &req, (iwarp_tx_payload){&part, 1}), IWARP_OK);
}

static iwarp_tx_batch room(size_t max_spans, bool with_segments, size_t max_segments) {
  return (iwarp_tx_batch){.spans = spans,
                          .max_spans = max_spans,
                          .segments = with_segments ? segments : NULL,
                          .max_segments = max_segments};
}

/* The octets that spans name. */
static size_t gather(uint8_t *dst, const iwarp_span *from, size_t num) {
  size_t len = 0;
  for (size_t i = 0; i < num; i++) {
    expect(from[i].len > 0, "an empty span");
    memcpy(dst + len, from[i].ptr, from[i].len);
    len += from[i].len;
  }
  return len;
}

static void advance(size_t len) {
  expect_int_eq(iwarp_tx_advance(tx, len), IWARP_OK);
}

static void expect_done(uint64_t token, iwarp_err err) {
  iwarp_tx_result result;
  expect_int_eq(iwarp_tx_next_result(tx, &result), IWARP_OK);
  expect(result.token == token && result.err == err, "%u: %s", (unsigned)result.token,
         iwarp_errname(result.err));
}

/* Messages that fill segments in several ways. */
static void script(const iwarp_tx_cfg *cfg) {
  static const iwarp_span parts[] = {{noise, 900}, {noise + 7, 0}, {noise + 2000, 1500}};
  static const iwarp_rdmap_read_req req = {.size = 9};
  begin(cfg);
  write_(0, 1, 5000);
  write_(1, 2, 0);
  write_(2, 3, 100);
  expect_int_eq(iwarp_tx_send(tx, 3, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){parts, 3}),
                IWARP_OK);
  expect_int_eq(iwarp_tx_read_req(tx, 4, &req), IWARP_OK);
  write_(5, 4, 3000);
  for (uint64_t i = 6; i < 20; i++) {
    write_(i, (size_t)i, 64);
  }
}

#define SCRIPT_MESSAGES 20u

/* The script as one segment a call describes it: octets, and where segments end. */
typedef struct stream {
  uint8_t octets[WIRE_MAX];
  size_t len;
  size_t ends[256];
  size_t num_ends;
} stream;

static stream want;

static void take_segment_by_segment(const iwarp_tx_cfg *cfg) {
  iwarp_tx_out out;
  script(cfg);
  want.len = 0;
  want.num_ends = 0;
  while (iwarp_tx_next_output(tx, spans, SPANS_MAX, &out) == IWARP_OK) {
    want.len += gather(want.octets + want.len, spans, out.num_spans);
    advance(out.len);
    if (out.segment_end) {
      want.ends[want.num_ends++] = want.len;
    }
  }
}

/* The configurations that the script is sent with. */
static iwarp_tx_cfg variant(unsigned i) {
  iwarp_tx_cfg cfg = config(i % 3 == 0 ? 256 : 1460, 64);
  cfg.markers = i / 3 % 2 != 0;
  cfg.pack = i / 6 % 2 != 0;
  return cfg;
}

#define NUM_VARIANTS 12u

static void check_segments(const iwarp_tx_batch *b) {
  static uint8_t octets[WIRE_MAX];
  size_t num_spans = 0;
  size_t at = 0;
  expect(b->num_segments == want.num_ends, "%zu segments", b->num_segments);
  for (size_t i = 0; i < b->num_segments; i++) {
    const iwarp_tx_out *s = &segments[i];
    expect(gather(octets, spans + num_spans, s->num_spans) == s->len, "segment %zu: length", i);
    num_spans += s->num_spans;
    at += s->len;
    expect(at == want.ends[i] && s->segment_end && s->num_fpdus > 0, "segment %zu", i);
  }
  expect(num_spans == b->all.num_spans && at == b->all.len, "all");
}

START_TEST(a_batch_is_what_its_segments_are)
{
  static uint8_t octets[WIRE_MAX];
  for (unsigned i = 0; i < NUM_VARIANTS; i++) {
    const iwarp_tx_cfg cfg = variant(i);
    take_segment_by_segment(&cfg);
    script(&cfg);
    iwarp_tx_batch b = room(SPANS_MAX, true, SEGMENTS_MAX);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    check_segments(&b);
    expect(gather(octets, spans, b.all.num_spans) == want.len, "%u: length", i);
    expect(memcmp(octets, want.octets, want.len) == 0, "%u: other octets", i);
    expect(b.all.segment_end, "%u: the end", i);
    const size_t num_spans = b.all.num_spans;
    b = room(SPANS_MAX, false, 0); /* CRC and the next header share a span */
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    expect(b.num_segments == want.num_ends && b.all.len == want.len, "%u: without segments", i);
    expect(b.all.num_spans == num_spans - (want.num_ends - 1), "%u: %zu spans", i, b.all.num_spans);
    expect(gather(octets, spans, b.all.num_spans) == want.len, "%u: length", i);
    expect(memcmp(octets, want.octets, want.len) == 0, "%u: other octets", i);
    advance(want.len);
    for (uint64_t token = 0; token < SCRIPT_MESSAGES; token++) {
      expect_done(token, IWARP_OK);
    }
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_END);
  }
}
END_TEST

/* ---- copies ---- */

static uint8_t copied[WIRE_MAX];

/* Room for copies of so many octets, nothing after them. */
static iwarp_tx_batch copy_room(size_t max, bool with_segments) {
  memset(copied, 0xA5, max + 1);
  iwarp_tx_batch b = room(0, with_segments, with_segments ? SEGMENTS_MAX : 0);
  b.copy = copied;
  b.max_copy = max;
  return b;
}

/* The copied octets equal the stream from `at` on. */
static void check_copy(const iwarp_tx_batch *b, size_t at) {
  size_t len = 0;
  for (size_t i = 0; b->segments != NULL && i < b->num_segments; i++) {
    len += segments[i].len;
  }
  expect(b->all.num_spans == 0, "%zu spans", b->all.num_spans);
  expect(b->all.len > 0 && b->all.len <= b->max_copy, "%zu octets", b->all.len);
  expect(b->segments == NULL || len == b->all.len, "segments of %zu octets", len);
  expect(memcmp(copied, want.octets + at, b->all.len) == 0, "other octets");
  expect(copied[b->all.len] == 0xA5, "an octet too many");
}

/* The variants with and without CRC. */
static iwarp_tx_cfg copy_variant(unsigned i) {
  iwarp_tx_cfg cfg = variant(i % NUM_VARIANTS);
  cfg.crc = i < NUM_VARIANTS;
  return cfg;
}

START_TEST(a_copy_is_what_the_segments_are)
{
  for (unsigned i = 0; i < 2 * NUM_VARIANTS; i++) {
    const iwarp_tx_cfg cfg = copy_variant(i);
    take_segment_by_segment(&cfg);
    script(&cfg);
    iwarp_tx_batch b = copy_room(WIRE_MAX - 1, true);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    check_copy(&b, 0);
    expect(b.all.len == want.len && b.num_segments == want.num_ends, "%u: %zu octets", i,
           b.all.len);
    b = copy_room(WIRE_MAX - 1, false); /* again, from what was made */
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    check_copy(&b, 0);
    b = copy_room(1470, false); /* some of them: what was made and does not fit waits */
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    check_copy(&b, 0);
    expect(b.all.num_fpdus > 0 && b.all.len < want.len, "%u: %zu octets of 1470", i, b.all.len);
    b = room(SPANS_MAX, false, 0); /* and named */
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    expect(gather(copied, spans, b.all.num_spans) == want.len, "%u: length", i);
    expect(memcmp(copied, want.octets, want.len) == 0, "%u: other octets", i);
    advance(want.len);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_END);
  }
}
END_TEST

/* Whole FPDUs, or a part of one where there is not room for one. */
START_TEST(a_copy_is_no_longer_than_there_is_room_for)
{
  for (unsigned i = 0; i < 2 * NUM_VARIANTS; i++) {
    const iwarp_tx_cfg cfg = copy_variant(i);
    take_segment_by_segment(&cfg);
    for (size_t max = 1; max < 3000; max += max < 24 ? 1 : 311) {
      size_t at = 0;
      script(&cfg);
      for (;;) {
        iwarp_tx_batch b = copy_room(max, max % 2 != 0);
        if (iwarp_tx_next_batch(tx, &b) != IWARP_OK) {
          break;
        }
        check_copy(&b, at);
        expect(b.all.num_fpdus > 0 || b.all.len == max, "%zu: a part of %zu", max, b.all.len);
        expect(tx->num_fpdus <= b.all.num_fpdus + 1, "%zu: %u FPDUs made", max, tx->num_fpdus);
        const size_t n = max % 3 == 0 ? (b.all.len + 1) / 2 : b.all.len;
        at += n;
        advance(n);
      }
      expect(at == want.len, "%zu: %zu octets", max, at);
    }
  }
}
END_TEST

/* Parts that end before, in and after Markers, in FPDUs that are copied piece by piece. */
START_TEST(a_copy_of_many_parts_and_markers)
{
  static iwarp_span parts[700];
  for (size_t step = 1; step < 1200; step += step < 520 ? 73 : 509) {
    iwarp_tx_cfg cfg = config(65483, 4);
    cfg.markers = true;
    const size_t num = step < 100 ? 700 : 150;
    for (size_t i = 0; i < num; i++) {
      parts[i] = (iwarp_span){noise + i, i % 5 == 4 ? 0 : step};
    }
    for (int copies = 0; copies < 2; copies++) {
      begin(&cfg);
      expect_int_eq(iwarp_tx_write(tx, 1, 5, 0, (iwarp_tx_payload){parts, num}), IWARP_OK);
      iwarp_tx_batch b = copies != 0 ? copy_room(WIRE_MAX - 1, false) : room(SPANS_MAX, false, 0);
      expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
      if (copies != 0) {
        expect(b.all.len >= want.len, "%zu: %zu octets, not %zu", step, b.all.len, want.len);
        expect(memcmp(copied, want.octets, want.len) == 0, "%zu: other octets", step);
      } else {
        want.len = gather(want.octets, spans, b.all.num_spans);
      }
    }
  }
}
END_TEST

START_TEST(a_copy_needs_room)
{
  const iwarp_tx_cfg cfg = config(1460, 2);
  begin(&cfg);
  iwarp_tx_batch b = copy_room(0, false);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_END);
  write_(1, 0, 5000);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_NOBUF);
  b = copy_room(WIRE_MAX - 1, false); /* the window holds two FPDUs */
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  ck_assert_uint_eq(b.all.num_fpdus, 2);
}
END_TEST

/* ---- octets in flight ---- */

/* A batch that leaves out what was handed out before, as spans or as a copy. */
static iwarp_tx_batch room_after(size_t skip, bool copy) {
  iwarp_tx_batch b = copy ? copy_room(WIRE_MAX - 1, true) : room(SPANS_MAX, true, SEGMENTS_MAX);
  b.skip = skip;
  return b;
}

/* The octets of a batch equal the stream from `at` on, and so do the ends of segments. */
static void check_rest(const iwarp_tx_batch *b, size_t at, bool copy) {
  static uint8_t octets[WIRE_MAX];
  size_t end = at;
  size_t next = 0;
  if (copy) {
    check_copy(b, at);
  } else {
    expect(gather(octets, spans, b->all.num_spans) == b->all.len, "length");
    expect(memcmp(octets, want.octets + at, b->all.len) == 0, "other octets after %zu", at);
  }
  while (want.ends[next] <= at) {
    next++;
  }
  for (size_t i = 0; i < b->num_segments; i++) {
    end += segments[i].len;
    expect(segments[i].segment_end == (end == want.ends[next + i]), "%zu: segment %zu", at, i);
  }
  expect(end == at + b->all.len, "%zu: segments of %zu octets", at, end - at);
}

START_TEST(octets_in_flight_are_left_out)
{
  for (unsigned i = 0; i < NUM_VARIANTS; i += property_stride()) {
    const iwarp_tx_cfg cfg = variant(i);
    take_segment_by_segment(&cfg);
    script(&cfg);
    iwarp_tx_batch b = room_after(0, false);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    for (size_t skip = 0; skip < want.len; skip += skip < 1500 ? property_stride() : 97) {
      for (int copy = 0; copy < 2; copy++) {
        b = room_after(skip, copy != 0);
        expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
        expect(b.all.len == want.len - skip, "%zu: %zu octets", skip, b.all.len);
        check_rest(&b, skip, copy != 0);
      }
    }
    b = room_after(want.len, false);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_END);
    advance(want.len);
  }
}
END_TEST

/* A transport that gets one segment a call, and advances when the peer acknowledges. */
START_TEST(segments_go_out_while_others_are_in_flight)
{
  for (unsigned i = 0; i < 4 * NUM_VARIANTS; i++) {
    iwarp_tx_cfg cfg = variant(i / 4);
    cfg.num_fpdus = 2 + i % 7;
    take_segment_by_segment(&cfg);
    script(&cfg);
    prng p = {.state = i};
    size_t sent = 0;
    size_t acknowledged = 0;
    while (acknowledged < want.len) {
      iwarp_tx_batch b = room_after(sent - acknowledged, i % 2 != 0);
      b.max_segments = 1;
      const iwarp_err err = iwarp_tx_next_batch(tx, &b);
      if (err == IWARP_OK) {
        check_rest(&b, sent, i % 2 != 0);
        sent += b.all.len;
      }
      expect(err == IWARP_OK || (err == IWARP_ERR_END && sent > acknowledged), "no output");
      if (err != IWARP_OK || prng_below(&p, 3) == 0) {
        const size_t n = 1 + (size_t)prng_below(&p, (uint32_t)(sent - acknowledged));
        advance(n);
        acknowledged += n;
      }
    }
    expect(sent == want.len, "%zu octets sent", sent);
  }
}
END_TEST

/* The window is full: nothing more comes before the transport has taken some. */
START_TEST(a_full_window_has_nothing_after_it)
{
  const iwarp_tx_cfg cfg = config(1460, 2);
  for (int copy = 0; copy < 2; copy++) {
    begin(&cfg);
    write_(1, 0, 5000);
    iwarp_tx_batch b = room_after(0, copy != 0);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    const size_t window = b.all.len;
    b = room_after(window, copy != 0);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_END);
    advance(window / 2);
    b = room_after(window - window / 2, copy != 0);
    b.max_spans = 0;
    b.max_copy = 0;
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_NOBUF);
    b = room_after(window - window / 2, copy != 0);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    ck_assert_uint_eq(b.all.num_fpdus, 1);
  }
}
END_TEST

/* A number beyond what was handed out leaves out no octet that was not. */
START_TEST(no_more_is_left_out_than_was_handed_out)
{
  const iwarp_tx_cfg cfg = config(1460, 8);
  begin(&cfg);
  write_(1, 0, 5000);
  iwarp_tx_batch b = room_after(SIZE_MAX, false);
  b.max_segments = 1;
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  ck_assert_uint_eq(b.all.len, 1460);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK); /* the second one */
  expect_int_eq(iwarp_tx_advance(tx, 2920), IWARP_OK);
  iwarp_tx_abort(tx);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_END);
}
END_TEST

/* ---- bounds ---- */

START_TEST(a_batch_has_no_more_segments_than_wanted)
{
  const iwarp_tx_cfg cfg = config(256, 64);
  take_segment_by_segment(&cfg);
  for (size_t max = 1; max <= want.num_ends + 1; max++) {
    const size_t num = max < want.num_ends ? max : want.num_ends;
    for (int with_segments = 0; with_segments < 2; with_segments++) {
      script(&cfg);
      iwarp_tx_batch b = room(SPANS_MAX, with_segments != 0, max);
      expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
      expect(b.num_segments == num, "%zu: %zu segments", max, b.num_segments);
      expect(b.all.len == want.ends[num - 1], "%zu: %zu octets", max, b.all.len);
      expect(tx->num_fpdus == num, "%zu: %u FPDUs made", max, tx->num_fpdus);
    }
  }
}
END_TEST

/* A batch has as many whole FPDUs as its spans hold, and makes at most one more than that. */
START_TEST(a_batch_has_no_more_spans_than_there_is_room_for)
{
  const iwarp_tx_cfg cfg = config(256, 64);
  iwarp_span beyond;
  memset(&beyond, 0xA5, sizeof beyond);
  take_segment_by_segment(&cfg);
  for (size_t max = 1; max <= 3 * want.num_ends; max++) {
    size_t at = 0;
    script(&cfg);
    memset(spans, 0xA5, sizeof spans);
    iwarp_tx_batch b = room(max, max % 2 != 0, max % 2 != 0 ? SEGMENTS_MAX : 0);
    while (iwarp_tx_next_batch(tx, &b) == IWARP_OK) {
      static uint8_t octets[WIRE_MAX];
      expect(b.all.num_spans <= max && memcmp(&spans[max], &beyond, sizeof beyond) == 0,
             "%zu: %zu spans", max, b.all.num_spans);
      expect(gather(octets, spans, b.all.num_spans) == b.all.len, "%zu: length", max);
      expect(memcmp(octets, want.octets + at, b.all.len) == 0, "%zu: other octets", max);
      expect(tx->num_fpdus <= b.all.num_fpdus + 1, "%zu: %u FPDUs made", max, tx->num_fpdus);
      expect(b.all.segment_end == (b.all.num_fpdus > 0), "%zu: the end", max);
      at += b.all.len;
      advance(b.all.len);
    }
    expect(at == want.len, "%zu: %zu octets", max, at);
  }
}
END_TEST

/* What spans name stays as it is until advance moves over it, whatever is made after it. */
START_TEST(spans_are_valid_until_they_are_taken)
{
  static iwarp_span kept[SPANS_MAX];
  static uint8_t octets[WIRE_MAX];
  for (uint32_t num_fpdus = 1; num_fpdus <= 9; num_fpdus++) {
    for (size_t step = 1; step < 3000; step = step * 5 / 4 + 1) {
      iwarp_tx_cfg cfg = variant((unsigned)step);
      cfg.num_fpdus = num_fpdus;
      cfg.pack = false; /* with few FPDUs segments come in parts */
      take_segment_by_segment(&cfg);
      script(&cfg);
      size_t at = 0;
      iwarp_tx_batch b = room(SPANS_MAX, false, 0);
      while (iwarp_tx_next_batch(tx, &b) == IWARP_OK) {
        memcpy(kept, spans, b.all.num_spans * sizeof spans[0]);
        const iwarp_tx_out all = b.all;
        const size_t n = step < all.len ? step : all.len;
        expect(all.num_fpdus <= num_fpdus, "%u FPDUs", all.num_fpdus);
        advance(n);
        if (iwarp_tx_next_batch(tx, &b) == IWARP_OK) { /* makes what there is room for now */
          expect(b.all.len >= all.len - n, "less than before");
        }
        expect(gather(octets, kept, all.num_spans) == all.len, "length");
        expect(memcmp(octets + n, want.octets + at + n, all.len - n) == 0,
               "%u, %zu: octets changed at %zu", num_fpdus, step, at);
        at += n;
      }
      expect(at == want.len, "%u, %zu: %zu octets", num_fpdus, step, at);
    }
  }
}
END_TEST

#define ROUND_MESSAGES 40u

/* The framing of the largest FPDUs begins again at the front of its ring. */
START_TEST(framing_of_many_markers_goes_round)
{
  static uint8_t flat[WIRE_MAX];
  iwarp_tx_cfg cfg = config(20000, 0);
  cfg.markers = true;
  for (size_t step = 1000; step < 30000; step += 777) {
    cfg.num_fpdus = 8 + (uint32_t)step % 23;
    begin(&cfg);
    size_t at = 0;
    iwarp_tx_batch b = room(SPANS_MAX, false, 0);
    for (uint64_t i = 0; i < ROUND_MESSAGES; i++) {
      write_(i, (size_t)i, 2000 + (size_t)i * 7919 % 17500);
    }
    while (iwarp_tx_next_batch(tx, &b) == IWARP_OK) {
      size_t n = step < b.all.len ? step : b.all.len;
      gather(flat + at, spans, b.all.num_spans);
      at += n;
      advance(n);
    }
    for (size_t i = 0, off = 0; i < ROUND_MESSAGES; i++) {
      iwarp_mpa_fpdu v;
      const iwarp_dec dec =
          iwarp_mpa_fpdu_decode(&v, (iwarp_span){flat + off, at - off}, off, true);
      expect(dec.err == IWARP_OK && iwarp_mpa_fpdu_crc(&v) == v.crc, "%zu: FPDU %zu", step, i);
      off += dec.used;
    }
  }
}
END_TEST

/* Framing that would fill its ring to the last octet waits: full would look like empty. */
START_TEST(framing_never_fills_its_ring)
{
  static uint8_t before[WIRE_MAX];
  static uint8_t after[WIRE_MAX];
  const iwarp_tx_cfg cfg = config(1460, 64);
  iwarp_tx_batch b = room(SPANS_MAX, false, 0);
  begin(&cfg);
  write_(0, 0, 100);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  const uint32_t one = tx_fpdu_at(tx, 0)->framing_len;
  begin(&cfg);
  tx->framing_cap = 3 * one + 1;
  for (uint64_t i = 0; i < 6; i++) {
    write_(i, 0, 100);
  }
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  ck_assert_uint_eq(b.all.num_fpdus, 3);
  const size_t each = gather(before, spans, b.all.num_spans) / 3;
  advance(each);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  ck_assert_uint_eq(b.all.num_fpdus, 2);
  gather(after, spans, b.all.num_spans);
  ck_assert_mem_eq(after, before + each, 2 * each);
}
END_TEST

START_TEST(new_messages_join_what_is_left_of_a_batch)
{
  iwarp_tx_cfg cfg = config(1460, 64);
  cfg.pack = true;
  begin(&cfg);
  write_(0, 0, 100); /* 120 octets */
  write_(1, 0, 100);
  iwarp_tx_batch b = room(SPANS_MAX, true, SEGMENTS_MAX);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  expect(b.num_segments == 1 && b.all.len == 240, "one segment");
  advance(130);
  write_(2, 0, 100); /* that segment has ended */
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  expect(b.num_segments == 2 && segments[0].len == 110 && segments[1].len == 120, "two segments");
  expect(segments[0].num_fpdus == 1 && segments[1].num_fpdus == 1, "two FPDUs");
  expect_int_eq(iwarp_tx_advance(tx, 231), IWARP_ERR_ARG);
  advance(230);
}
END_TEST

/* A segment of more FPDUs than the engine holds goes on in the next batch. */
START_TEST(the_last_segment_of_a_batch_may_be_a_part)
{
  iwarp_tx_cfg cfg = config(1460, 20);
  cfg.pack = true;
  begin(&cfg);
  for (uint64_t i = 0; i < 40; i++) {
    write_(i, 0, 70); /* 92 octets: 15 to a segment */
  }
  static const size_t wanted[][3] = {{15, 5, 0}, {10, 10, 0}};
  for (size_t i = 0; i < 2; i++) {
    iwarp_tx_batch b = room(SPANS_MAX, true, SEGMENTS_MAX);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    expect(b.num_segments == 2 && b.all.num_fpdus == 20, "batch %zu", i);
    expect(segments[0].num_fpdus == wanted[i][0] && segments[0].segment_end, "first of %zu", i);
    expect(segments[1].num_fpdus == wanted[i][1] && segments[1].segment_end == (i == 1) &&
               b.all.segment_end == (i == 1),
           "second of %zu", i);
    advance(b.all.len);
  }
}
END_TEST

START_TEST(batches_are_checked)
{
  const iwarp_tx_cfg cfg = config(1460, 64);
  begin(&cfg);
  iwarp_tx_batch b = room(SPANS_MAX, true, 0);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_ARG);
  b = (iwarp_tx_batch){0};
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_END);
  write_(0, 0, 10);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_NOBUF);
  ck_assert_uint_eq(b.num_segments, 0);
  expect_int_eq(iwarp_tx_advance(tx, 1), IWARP_ERR_ARG);
}
END_TEST

/* ---- the end ---- */

START_TEST(terminate_comes_after_the_batch)
{
  iwarp_tx_cfg cfg = config(256, 64);
  static uint8_t octets[WIRE_MAX];
  begin(&cfg);
  write_(0, 0, 1000);
  read_resp(1, 2000);
  iwarp_tx_batch b = room(SPANS_MAX, true, 6); /* five of the Write, one of the Read Response */
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  const iwarp_rdmap_term term = {0};
  expect_int_eq(iwarp_tx_terminate(tx, 2, &term), IWARP_OK);
  b = room(SPANS_MAX, true, SEGMENTS_MAX);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  expect(b.num_segments == 7, "%zu segments", b.num_segments);
  gather(octets, spans, b.all.num_spans);
  expect((octets[b.all.len - segments[6].len + 3] & 15) == IWARP_RDMAP_OP_TERMINATE, "Terminate");
  advance(b.all.len);
  expect_done(0, IWARP_OK);
  expect_done(1, IWARP_ERR_FLUSHED);
  expect_done(2, IWARP_OK);
}
END_TEST

START_TEST(abort_fails_what_was_not_taken_of_a_batch)
{
  iwarp_tx_cfg cfg = config(256, 5);
  begin(&cfg);
  for (uint64_t i = 0; i < 5; i++) {
    write_(i, 0, 100);
  }
  iwarp_tx_batch b = room(SPANS_MAX, true, 3);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  advance(segments[0].len + segments[1].len); /* the ring begins at its third place */
  b = room(SPANS_MAX, false, 0);
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
  advance(1);
  iwarp_tx_abort(tx);
  for (uint64_t i = 0; i < 5; i++) {
    expect_done(i, i < 2 ? IWARP_OK : IWARP_ERR_FLUSHED);
  }
  expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_END);
}
END_TEST

/* Only the FPDU of which a part was taken still goes out, in a ring of any size. */
START_TEST(a_cut_leaves_the_fpdu_under_way)
{
  for (uint32_t num_fpdus = 2; num_fpdus < 6; num_fpdus++) {
    iwarp_tx_cfg cfg = config(256, num_fpdus);
    begin(&cfg);
    write_(0, 0, 100); /* 120 octets */
    write_(1, 0, 100);
    write_(2, 0, 1000);
    iwarp_tx_batch b = room(SPANS_MAX, false, 0);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    advance(130);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    iwarpi_tx_cut(tx);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    expect(b.all.len == 110 && b.all.num_fpdus == 1 && b.all.segment_end, "%u: %zu octets",
           num_fpdus, b.all.len);
    expect_done(0, IWARP_OK);
    expect_done(2, IWARP_ERR_FLUSHED);
    advance(110);
    expect_done(1, IWARP_OK);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_END);
  }
}
END_TEST

/* A Terminate that waits is flushed, and the octets of the FPDU under way do not change. */
START_TEST(a_cut_flushes_a_terminate)
{
  for (size_t taken = 10; taken < 240; taken += 120) { /* within the first FPDU or the second */
    iwarp_tx_cfg cfg = config(256, 5);
    static uint8_t whole[WIRE_MAX];
    static uint8_t octets[WIRE_MAX];
    const iwarp_rdmap_term term = {0};
    const size_t left = 120 - taken % 120;
    begin(&cfg);
    write_(0, 0, 100); /* 120 octets */
    write_(1, 0, 100);
    write_(2, 0, 100);
    iwarp_tx_batch b = room(SPANS_MAX, false, 0);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    gather(whole, spans, b.all.num_spans);
    advance(taken);
    expect_int_eq(iwarp_tx_terminate(tx, 3, &term), IWARP_OK);
    iwarpi_tx_cut(tx);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_OK);
    expect(b.all.num_fpdus == 1 && gather(octets, spans, b.all.num_spans) == left, "%zu: %zu",
           taken, b.all.len);
    expect(memcmp(octets, whole + taken, left) == 0, "%zu: other octets", taken);
    advance(left);
    expect_int_eq(iwarp_tx_next_batch(tx, &b), IWARP_ERR_END);
  }
}
END_TEST

/* The engine stays inside its memory, whatever the size of its ring. */
START_TEST(no_octet_beyond_the_memory)
{
  for (uint32_t num_fpdus = 1; num_fpdus < 40; num_fpdus++) {
    iwarp_tx_cfg cfg = config(1460, num_fpdus);
    cfg.markers = true;
    const size_t size = iwarp_tx_size(&cfg);
    uint8_t *place = guard_out((size + 15) / 16 * 16);
    expect_int_eq(iwarp_tx_init(&tx, place, size, &cfg), IWARP_OK);
    write_(1, 0, 30000);
    iwarp_tx_batch b = room(SPANS_MAX, false, 0);
    while (iwarp_tx_next_batch(tx, &b) == IWARP_OK) {
      advance(b.all.len / 2 + 1);
    }
    expect_done(1, IWARP_OK);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_batch_is_what_its_segments_are,
                                a_copy_is_what_the_segments_are,
                                a_copy_is_no_longer_than_there_is_room_for,
                                a_copy_of_many_parts_and_markers,
                                a_copy_needs_room,
                                octets_in_flight_are_left_out,
                                segments_go_out_while_others_are_in_flight,
                                a_full_window_has_nothing_after_it,
                                no_more_is_left_out_than_was_handed_out,
                                a_batch_has_no_more_segments_than_wanted,
                                a_batch_has_no_more_spans_than_there_is_room_for,
                                spans_are_valid_until_they_are_taken,
                                framing_of_many_markers_goes_round,
                                framing_never_fills_its_ring,
                                new_messages_join_what_is_left_of_a_batch,
                                the_last_segment_of_a_batch_may_be_a_part,
                                batches_are_checked,
                                terminate_comes_after_the_batch,
                                abort_fails_what_was_not_taken_of_a_batch,
                                a_cut_leaves_the_fpdu_under_way,
                                a_cut_flushes_a_terminate,
                                no_octet_beyond_the_memory,
                                NULL};
  return check_run(check_suite("stream-tx-batch", tests));
}
