/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that the transport reads straight into place: iwarp_endpoint_reserve_rx. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "ep_wire.h"
#include "property.h"

#define LEN 1200u   /* octets of a Write */
#define STAG 9u     /* region of it */
#define PLACE 8192u /* in memory */
#define ELSEWHERE 16384u
#define WIRE_MAX 2048u
#define HEADER 16u /* ULPDU_Length and the header of a tagged segment */
#define ALL SIZE_MAX

/* An endpoint to which octets may land, and an FPDU of its peer. */
typedef struct fixture {
  wire w;
  size_t len;    /* of the FPDU */
  size_t header; /* its first octets, up to the DDP header */
  uint8_t octets[WIRE_MAX];
} fixture;

static iwarp_endpoint_cfg config(bool markers, bool crc) {
  iwarp_endpoint_cfg cfg = wire_cfg(markers, crc, false);
  cfg.num_regions = 6;
  cfg.place_before_crc = markers || crc;
  return cfg;
}

static void region_at(ep_host *h, uint8_t *mem) {
  const iwarp_endpoint_region v = {
      .stag = STAG, .pd = 7, .len = LEN, .mem = mem, .access = IWARP_ACCESS_REMOTE_WRITE};
  ok(iwarp_endpoint_register(h->ep, &v));
}

static uint8_t octet_of(size_t i) {
  return (uint8_t)(i * 7 + i / 256 + 1);
}

static void make(fixture *f, const seg *s, size_t spoil_at, uint8_t spoil) {
  uint8_t ulpdu[WIRE_MAX];
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, s);
  for (size_t i = 0; i < s->len; i++) {
    ulpdu[n - s->len + i] = octet_of(i);
  }
  f->len = wire_make(&f->w, f->octets, sizeof f->octets, ulpdu, n, spoil_at, spoil);
  f->header = HEADER + (s->tagged ? 0 : 4);
}

/* `skip` octets of other Writes stand before the FPDU, so that its Markers stand elsewhere. */
static fixture fixture_of(const iwarp_endpoint_cfg *cfg, size_t skip) {
  fixture f = {.w = wire_of(cfg)};
  region_at(f.w.h, f.w.h->mem + PLACE);
  while (f.w.off < skip) {
    const size_t left = (size_t)(skip - f.w.off);
    const seg s = {.tagged = true, .opcode = 0, .stag = 1, .to = 0x1000, .len = left > 60 ? 28 : 0};
    wire_seg(&f.w, &s);
  }
  f.w.h->placed = 0;
  f.w.h->copied = 0;
  return f;
}

static const seg big_write = {.tagged = true, .opcode = 0, .stag = STAG, .len = LEN};

static void push(fixture *f, size_t from, size_t to) {
  if (from < to) {
    ep_host_push(f->w.h, f->octets + from, to - from, to - from);
  }
}

static size_t land(fixture *f, size_t from, size_t to) {
  return from < to ? ep_host_land(f->w.h, f->octets + from, to - from, EP_HOST_SPACES) : 0;
}

static void check_placed(const fixture *f) {
  ck_assert_uint_eq(f->w.h->placed, LEN);
  for (size_t i = 0; i < LEN; i++) {
    expect(f->w.h->mem[PLACE + i] == octet_of(i), "octet %zu", i);
  }
  ck_assert_uint_eq(f->w.h->num_log, 0);
  ck_assert_int_eq(iwarp_endpoint_info_get(f->w.h->ep)->state, IWARP_ENDPOINT_FULL);
}

/* Nothing is offered; the FPDU is pushed instead. */
static void expect_no_reserve(fixture *f) {
  iwarp_endpoint_space space;
  size_t num = 1;
  ck_assert_int_eq(iwarp_endpoint_reserve_rx(f->w.h->ep, &space, 1, &num), IWARP_ERR_END);
  ck_assert_uint_eq(num, 0);
  ck_assert_int_eq(iwarp_endpoint_commit_rx(f->w.h->ep, 1), IWARP_ERR_STATE);
}

/* The transport took the Request, and no event was taken since then. */
START_TEST(response_lands_once_its_request_was_taken)
{
  const iwarp_endpoint_cfg cfg = config(false, false);
  const iwarp_rdmap_read_req read = {.sink_stag = 3, .sink_to = 0x1000, .size = 64};
  const seg s = {
      .tagged = true, .opcode = IWARP_RDMAP_OP_READ_RESP, .stag = 3, .to = 0x1000, .len = 64};
  fixture f = {.w = wire_of(&cfg)};
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  iwarp_endpoint_space spaces[3];
  size_t num;
  ok(iwarp_endpoint_read(f.w.h->ep, 1, &read));
  ok(iwarp_endpoint_next_output(f.w.h->ep, spans, IWARP_TX_SPANS_MIN, &out));
  make(&f, &s, 0, 0);
  push(&f, 0, f.header + 10);
  ok(iwarp_endpoint_advance(f.w.h->ep, out.len));
  ok(_i == 0 ? IWARP_OK : iwarp_endpoint_read(f.w.h->ep, 2, &read)); /* it waits in line */
  ok(iwarp_endpoint_reserve_rx(f.w.h->ep, spaces, 3, &num));
  ck_assert_uint_eq(spaces[0].len, 64 - 10);
  wire_free(&f.w);
}
END_TEST

START_TEST(payload_lands_in_its_place)
{
  const iwarp_endpoint_cfg cfg = config(false, false);
  fixture f = fixture_of(&cfg, 0);
  iwarp_endpoint_space spaces[3];
  size_t num;
  make(&f, &big_write, 0, 0);
  push(&f, 0, f.header + 10);
  ok(iwarp_endpoint_reserve_rx(f.w.h->ep, spaces, 3, &num));
  ck_assert_uint_eq(num, 2);
  ck_assert_ptr_eq(spaces[0].dst, f.w.h->mem + PLACE + 10);
  ck_assert_uint_eq(spaces[0].len, LEN - 10);
  ck_assert_uint_eq(spaces[1].len, IWARP_MPA_CRC_LEN);
  ck_assert_uint_eq(land(&f, f.header + 10, f.len), f.len - f.header - 10);
  check_placed(&f);
  ck_assert_uint_eq(f.w.h->copied, 10);
  wire_free(&f.w);
}
END_TEST

START_TEST(as_many_spaces_as_there_is_room_for)
{
  const iwarp_endpoint_cfg cfg = config(true, true);
  for (size_t cap = 0; cap < 8; cap++) {
    fixture f = fixture_of(&cfg, 0);
    make(&f, &big_write, 0, 0);
    size_t at = f.header + IWARP_MPA_MARKER_LEN;
    push(&f, 0, at);
    for (size_t n = 1; n > 0; at += n) {
      n = ep_host_land(f.w.h, f.octets + at, f.len - at, cap);
    }
    expect(at == (cap > 0 ? f.len : f.header + IWARP_MPA_MARKER_LEN), "%zu: %zu", cap, at);
    push(&f, at, f.len);
    check_placed(&f);
    wire_free(&f.w);
  }
}
END_TEST

/* Pushed up to `a`, landed up to `b` and `c`, pushed up to the end. */
static void in_parts(const iwarp_endpoint_cfg *cfg, size_t skip, size_t a, size_t b, size_t c) {
  fixture f = fixture_of(cfg, skip);
  make(&f, &big_write, 0, 0);
  c = c < f.len ? c : f.len;
  b = b < c ? b : c;
  push(&f, 0, a);
  expect(land(&f, a, b) == (a < b ? b - a : 0), "%zu to %zu", a, b);
  expect(land(&f, b, c) == (b < c ? c - b : 0), "%zu to %zu", b, c);
  push(&f, c, f.len);
  check_placed(&f);
  wire_free(&f.w);
}

/* Wherever the octets are cut, and wherever Markers stand. */
START_TEST(any_part_may_land)
{
  const iwarp_endpoint_cfg cfg = config((_i & 1) != 0, (_i & 2) != 0);
  for (size_t skip = 0; skip <= ((_i & 1) != 0 ? 512u : 0u); skip += 20) {
    for (size_t a = HEADER + 8 + skip % 3; a < LEN + 40; a += 97 * property_stride()) {
      in_parts(&cfg, skip, a, a + 1, a + 2);
      in_parts(&cfg, skip, a, a + 300, ALL);
      in_parts(&cfg, skip, a, a + 509, a + 700);
      in_parts(&cfg, skip, a, ALL, ALL);
    }
  }
}
END_TEST

START_TEST(one_stretch_of_an_fpdu_lands)
{
  const iwarp_endpoint_cfg cfg = config(false, false);
  fixture f = fixture_of(&cfg, 0);
  make(&f, &big_write, 0, 0);
  push(&f, 0, 100);
  ck_assert_uint_eq(land(&f, 100, 200), 100);
  push(&f, 200, 300);
  expect_no_reserve(&f);
  push(&f, 300, f.len);
  check_placed(&f);
  make(&f, &big_write, 0, 0); /* the next one is another matter */
  push(&f, 0, 100);
  ck_assert_uint_eq(land(&f, 100, f.len), f.len - 100);
  ck_assert_uint_eq(f.w.h->placed, 2 * LEN);
  wire_free(&f.w);
}
END_TEST

/* The CRC is to be right before DDP gets an octet, if the caller does not say otherwise. */
START_TEST(place_before_crc_is_off_by_default)
{
  for (unsigned crc = 0; crc < 2; crc++) {
    iwarp_endpoint_cfg cfg = config(false, crc != 0);
    cfg.place_before_crc = false;
    fixture f = fixture_of(&cfg, 0);
    make(&f, &big_write, 0, 0);
    push(&f, 0, 100);
    if (crc != 0) {
      expect_no_reserve(&f);
    } else {
      ck_assert_uint_eq(land(&f, 100, 200), 100);
    }
    push(&f, crc != 0 ? 100 : 200, f.len);
    check_placed(&f);
    wire_free(&f.w);
  }
}
END_TEST

static iwarp_endpoint_cfg config_gathering(bool crc) {
  iwarp_endpoint_cfg cfg = config(true, crc);
  cfg.place_before_crc = false;
  return cfg;
}

/* With Markers the rest of an FPDU lands where it is put together, in one piece, and is copied. */
START_TEST(an_fpdu_with_markers_lands_in_one_piece)
{
  for (unsigned crc = 0; crc < 2; crc++) {
    const iwarp_endpoint_cfg cfg = config_gathering(crc != 0);
    for (size_t skip = 0; skip <= 512; skip += 20) {
      fixture f = fixture_of(&cfg, skip);
      iwarp_endpoint_space spaces[2];
      size_t num;
      make(&f, &big_write, 0, 0);
      push(&f, 0, 10);
      ok(iwarp_endpoint_reserve_rx(f.w.h->ep, spaces, 2, &num));
      ck_assert_uint_eq(num, 1);
      ck_assert_uint_eq(spaces[0].len, f.len - 10);
      ck_assert_int_eq(iwarp_endpoint_commit_rx(f.w.h->ep, f.len - 9), IWARP_ERR_ARG);
      ck_assert_uint_eq(land(&f, 10, 400), 390);
      push(&f, 400, 500); /* in any order */
      ck_assert_uint_eq(land(&f, 500, f.len), f.len - 500);
      check_placed(&f);
      ck_assert_uint_eq(f.w.h->copied, LEN);
      wire_free(&f.w);
    }
  }
}
END_TEST

/* Nothing is in place of what MPA or DDP finds wrong. */
START_TEST(what_is_wrong_with_markers_is_found_when_it_is_whole)
{
  static const struct {
    size_t at; /* of a spoilt octet */
    uint32_t stag;
    uint32_t fault;
  } cases[] = {{900, STAG, IWARP_TERM_MPA_CRC},
               {IWARP_MPA_MARKER_PERIOD + 2, STAG, IWARP_TERM_MPA_CRC},
               {0, STAG + 1, IWARP_TERM_TAGGED_STAG}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const iwarp_endpoint_cfg cfg = config_gathering(true);
    fixture f = fixture_of(&cfg, 0);
    seg s = big_write;
    s.stag = cases[i].stag;
    make(&f, &s, cases[i].at, cases[i].at != 0 ? 0x10 : 0);
    push(&f, 0, 100);
    ck_assert_uint_eq(land(&f, 100, f.len), f.len - 100);
    expect(ep_host_count(f.w.h, IWARP_ENDPOINT_EVENT_FAULT) == 1, "case %zu", i);
    ck_assert_uint_eq(f.w.h->placed, 0);
    wire_free(&f.w);
  }
}
END_TEST

START_TEST(a_wrong_crc_is_found_wherever_it_shows)
{
  const iwarp_endpoint_cfg cfg = config(false, true);
  for (size_t at = HEADER; at < HEADER + LEN + 4; at += property_stride()) {
    fixture f = fixture_of(&cfg, 0);
    make(&f, &big_write, at, 4);
    push(&f, 0, 100);
    expect(land(&f, 100, 700) == 600, "octet %zu", at);
    push(&f, 700, f.len);
    expect_fault(&f.w, IWARP_TERM_MPA_CRC, NULL, 0);
    ck_assert_uint_eq(f.w.h->placed, 0);
    wire_free(&f.w);
  }
}
END_TEST

START_TEST(a_wrong_marker_ends_reads_in_place)
{
  const iwarp_endpoint_cfg cfg = config(true, false);
  fixture f = fixture_of(&cfg, 0);
  make(&f, &big_write, IWARP_MPA_MARKER_PERIOD + 2, 0x10); /* the second Marker */
  push(&f, 0, 100);
  ck_assert_uint_eq(land(&f, 100, IWARP_MPA_MARKER_PERIOD + 4), IWARP_MPA_MARKER_PERIOD - 96);
  expect_no_reserve(&f);
  push(&f, IWARP_MPA_MARKER_PERIOD + 4, f.len);
  expect_fault(&f.w, IWARP_TERM_MPA_MARKER, NULL, 0);
  wire_free(&f.w);
}
END_TEST

/* What may not be placed is never offered, and found wrong when it is whole. */
START_TEST(what_is_wrong_is_not_offered)
{
  static const struct {
    seg s;
    uint32_t fault; /* 0: it is right, but has nothing to land */
  } cases[] = {
      {{.tagged = true, .stag = 2, .to = 0x1000, .len = 60}, IWARP_TERM_TAGGED_STREAM},
      {{.tagged = true, .stag = 3, .to = 0x1000, .len = 60}, IWARP_TERM_TAGGED_STAG},
      {{.tagged = true, .stag = 4, .to = 0x1000, .len = 60}, IWARP_TERM_TAGGED_STAG},
      {{.tagged = true, .stag = 1, .to = 0x1005, .len = 60}, IWARP_TERM_TAGGED_BOUNDS},
      {{.tagged = true, .opcode = 2, .stag = 1, .to = 0x1000, .len = 60},
       IWARP_TERM_OPERATION_OPCODE},
      {{.tagged = true, .dv_xor = 1, .stag = 1, .to = 0x1000, .len = 60},
       IWARP_TERM_TAGGED_VERSION},
      {{.opcode = 3, .msn = 2, .len = 16}, IWARP_TERM_UNTAGGED_MSN},
      {{.opcode = 3, .mo = 1, .len = 15}, IWARP_TERM_UNTAGGED_MO},
      {{.opcode = 3, .len = 17}, IWARP_TERM_UNTAGGED_TOO_LONG},
      {{.opcode = 4, .stag = 77, .len = 16}, IWARP_TERM_OPERATION_INVALIDATE},
      {{.tagged = true, .stag = 1, .to = 0x1000, .len = 0}, 0},
      {{.opcode = 8, .len = 8}, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const iwarp_endpoint_cfg cfg = config(false, false);
    const seg *s = &cases[i].s;
    fixture f = fixture_of(&cfg, 0);
    uint8_t before[EP_HOST_MEM];
    memcpy(before, f.w.h->mem, sizeof before);
    make(&f, s, 0, 0);
    push(&f, 0, f.header);
    expect_no_reserve(&f);
    push(&f, f.header, f.len);
    expect((cases[i].fault != 0) == (ep_host_count(f.w.h, IWARP_ENDPOINT_EVENT_FAULT) != 0),
           "case %zu", i);
    if (cases[i].fault != 0) {
      expect_fault(&f.w, cases[i].fault, f.octets + 2, f.header - 2 + s->len);
    }
    ck_assert_mem_eq(before, f.w.h->mem, sizeof before);
    wire_free(&f.w);
  }
}
END_TEST

START_TEST(a_header_that_is_not_whole_lands_nothing)
{
  const iwarp_endpoint_cfg cfg = config(true, true);
  for (size_t skip = 0; skip <= 512; skip += 20) {
    fixture f = fixture_of(&cfg, skip);
    make(&f, &big_write, 0, 0);
    size_t at = 0;
    for (; at < f.len && land(&f, at, f.len) == 0; at++) {
      push(&f, at, at + 1);
    }
    expect(at >= HEADER && at <= HEADER + 2 * IWARP_MPA_MARKER_LEN, "%zu: %zu", skip, at);
    check_placed(&f);
    wire_free(&f.w);
  }
}
END_TEST

START_TEST(a_ulpdu_that_is_too_long_is_not_offered)
{
  iwarp_endpoint_cfg cfg = config(false, false);
  cfg.max_ulpdu = 14 + LEN - 1; /* its octets would still fit */
  fixture f = fixture_of(&cfg, 0);
  make(&f, &big_write, 0, 0);
  push(&f, 0, 100);
  expect_no_reserve(&f);
  push(&f, 100, f.len);
  expect_fault(&f.w, IWARP_TERM_MPA_LOCAL, NULL, 0);
  wire_free(&f.w);
}
END_TEST

START_TEST(a_place_without_memory_is_not_offered)
{
  const iwarp_endpoint_cfg cfg = config(false, false);
  fixture f = {.w = wire_bare(&cfg)};
  region_at(f.w.h, NULL);
  make(&f, &big_write, 0, 0);
  push(&f, 0, 100);
  expect_no_reserve(&f);
  wire_free(&f.w);
}
END_TEST

START_TEST(reserve_and_out_of_order_exclude_each_other)
{
  iwarp_endpoint_cfg cfg = config(true, false);
  cfg.num_out_of_order = 1;
  fixture f = fixture_of(&cfg, 0);
  make(&f, &big_write, 0, 0);
  push(&f, 0, 100);
  expect_no_reserve(&f);
  push(&f, 100, f.len);
  check_placed(&f);
  wire_free(&f.w);
}
END_TEST

/* The STag no longer names the region of the octets that have landed. */
START_TEST(a_region_that_moved_is_found)
{
  const iwarp_endpoint_cfg cfg = config(false, true);
  fixture f = fixture_of(&cfg, 0);
  make(&f, &big_write, 0, 0);
  push(&f, 0, 100);
  ck_assert_uint_eq(land(&f, 100, 200), 100);
  ok(iwarp_endpoint_deregister(f.w.h->ep, STAG));
  region_at(f.w.h, f.w.h->mem + ELSEWHERE);
  expect_no_reserve(&f);
  push(&f, 200, f.len);
  expect_fault(&f.w, IWARP_TERM_TAGGED_STAG, f.octets + 2, LEN + 14);
  ck_assert_uint_eq(f.w.h->placed, 0);
  wire_free(&f.w);
}
END_TEST

START_TEST(commits_are_checked)
{
  const iwarp_endpoint_cfg cfg = config(false, false);
  fixture f = fixture_of(&cfg, 0);
  iwarp_endpoint_space space;
  iwarp_endpoint_event ev;
  size_t num;
  make(&f, &big_write, 0, 0);
  expect_no_reserve(&f);
  const uint64_t begin = iwarp_endpoint_rx_offset(f.w.h->ep);
  push(&f, 0, 100);
  ck_assert_int_eq(iwarp_endpoint_reserve_rx(f.w.h->ep, NULL, 0, &num), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_endpoint_commit_rx(f.w.h->ep, f.len - 99), IWARP_ERR_ARG);
  ok(iwarp_endpoint_commit_rx(f.w.h->ep, 0));
  ck_assert_int_eq(iwarp_endpoint_reserve_rx(f.w.h->ep, &space, 1, &num), IWARP_ERR_STATE);
  ck_assert_uint_eq(num, 0);
  ck_assert_int_eq(iwarp_endpoint_commit_rx(f.w.h->ep, 1), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_endpoint_push(f.w.h->ep, (iwarp_span){0}), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_endpoint_next_event(f.w.h->ep, &ev), IWARP_ERR_END);
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(f.w.h->ep), begin + 100);
  ck_assert_uint_eq(land(&f, 100, 200), 100);
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(f.w.h->ep), begin + 200);
  ck_assert_uint_eq(land(&f, 200, f.len), f.len - 200);
  check_placed(&f);
  wire_free(&f.w);
}
END_TEST

/* Octets that land are octets that came: the connection is not idle, nor at the end of an FPDU. */
START_TEST(commits_count_as_received_octets)
{
  iwarp_endpoint_cfg cfg = config(false, false);
  cfg.idle_ns = 100;
  fixture f = fixture_of(&cfg, 0);
  make(&f, &big_write, 0, 0);
  push(&f, 0, 100);
  iwarp_endpoint_time(f.w.h->ep, 1000);
  ep_host_run(f.w.h);
  f.w.h->num_log = 0;
  iwarp_endpoint_time(f.w.h->ep, 1050);
  ck_assert_uint_eq(land(&f, 100, 200), 100);
  ck_assert_uint_eq(iwarp_endpoint_deadline(f.w.h->ep), 1150);
  ok(iwarp_endpoint_commit_rx(f.w.h->ep, 0));
  ep_host_run(f.w.h);
  iwarp_endpoint_time(f.w.h->ep, 1100);
  ok(iwarp_endpoint_commit_rx(f.w.h->ep, 0));
  ck_assert_uint_eq(iwarp_endpoint_deadline(f.w.h->ep), 1150);
  ep_host_run(f.w.h);
  ok(iwarp_endpoint_eof(f.w.h->ep));
  ep_host_run(f.w.h);
  ck_assert_int_eq(ep_host_last(f.w.h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.cause,
                   IWARP_ENDPOINT_CAUSE_FIN);
  expect_no_reserve(&f);
  wire_free(&f.w);
}
END_TEST

START_TEST(a_send_lands_in_its_buffer)
{
  const iwarp_endpoint_cfg cfg = config(false, true);
  fixture f = fixture_of(&cfg, 0);
  const seg s = {.opcode = 3, .len = 16};
  make(&f, &s, 0, 0);
  push(&f, 0, f.header);
  ck_assert_uint_eq(land(&f, f.header, f.len), f.len - f.header);
  ck_assert_uint_eq(f.w.h->copied, 0);
  ck_assert_uint_eq(f.w.h->mem[1024 + 15], octet_of(15));
  const iwarp_endpoint_event *ev = ep_host_last(f.w.h, IWARP_ENDPOINT_EVENT_RECV);
  ck_assert(ev != NULL && ev->u.recv.token == 10 && ev->u.recv.len == 16);
  wire_free(&f.w);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stream-ep-reserve");
  TCase *t = tcase_create("reserve");
  tcase_add_loop_test(t, response_lands_once_its_request_was_taken, 0, 2);
  tcase_add_test(t, payload_lands_in_its_place);
  tcase_add_test(t, as_many_spaces_as_there_is_room_for);
  tcase_add_loop_test(t, any_part_may_land, 0, 4);
  tcase_add_test(t, one_stretch_of_an_fpdu_lands);
  tcase_add_test(t, place_before_crc_is_off_by_default);
  tcase_add_test(t, an_fpdu_with_markers_lands_in_one_piece);
  tcase_add_test(t, what_is_wrong_with_markers_is_found_when_it_is_whole);
  tcase_add_test(t, a_wrong_crc_is_found_wherever_it_shows);
  tcase_add_test(t, a_wrong_marker_ends_reads_in_place);
  tcase_add_test(t, what_is_wrong_is_not_offered);
  tcase_add_test(t, a_header_that_is_not_whole_lands_nothing);
  tcase_add_test(t, a_ulpdu_that_is_too_long_is_not_offered);
  tcase_add_test(t, a_place_without_memory_is_not_offered);
  tcase_add_test(t, reserve_and_out_of_order_exclude_each_other);
  tcase_add_test(t, a_region_that_moved_is_found);
  tcase_add_test(t, commits_are_checked);
  tcase_add_test(t, commits_count_as_received_octets);
  tcase_add_test(t, a_send_lands_in_its_buffer);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
