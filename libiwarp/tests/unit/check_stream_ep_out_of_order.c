/* SPDX-License-Identifier: BSD-2-Clause */
/* What an endpoint places out of order, and what it leaves for its turn. RFC 5044 A.3, A.4 */
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"

#define OP(name_) IWARP_RDMAP_OP_##name_
#define PERIOD IWARP_MPA_MARKER_PERIOD
#define BIG 600u /* octets of a payload that some Marker must meet */

/* FPDUs of the peer that have not come yet. */
typedef struct late {
  wire w;
  uint64_t base; /* octets of the peer's stream before Full Operation */
  uint8_t octets[8192];
  size_t at[8]; /* where each FPDU begins, and last where they end */
  size_t num;
} late;

static iwarp_endpoint_cfg late_cfg(void) {
  iwarp_endpoint_cfg cfg = wire_cfg(true, true, false);
  cfg.pack = true;
  cfg.ord = 3;
  cfg.num_out_of_order = 2;
  return cfg;
}

/* Region 1 of the wire is small: region 6 takes large Writes, 2048 octets. */
static late *late_of(const iwarp_endpoint_cfg *c) {
  static late l;
  iwarp_endpoint_cfg cfg = *c;
  cfg.num_regions = 6;
  l = (late){.w = wire_of(&cfg)};
  const iwarp_endpoint_region v = {.stag = 6,
                                   .pd = 7,
                                   .len = 2048,
                                   .mem = l.w.h->mem + 4096,
                                   .access = IWARP_ACCESS_REMOTE_WRITE};
  ok(iwarp_endpoint_register(l.w.h->ep, &v));
  l.base = iwarp_endpoint_rx_offset(l.w.h->ep);
  return &l;
}

static late *late_new(void) {
  const iwarp_endpoint_cfg cfg = late_cfg();
  return late_of(&cfg);
}

static void late_free(late *l) {
  wire_free(&l->w);
}

/* The peer sends a segment that does not come yet. */
static void late_seg_spoilt(late *l, const seg *s, size_t at, uint8_t spoil) {
  uint8_t ulpdu[2048];
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, s);
  const size_t begin = l->at[l->num];
  const size_t len =
      wire_make(&l->w, &l->octets[begin], sizeof l->octets - begin, ulpdu, n, at, spoil);
  l->at[++l->num] = begin + len;
}

static void late_seg(late *l, const seg *s) {
  late_seg_spoilt(l, s, 0, 0);
}

static seg write_of(uint64_t to, size_t len, uint8_t fill) {
  seg s = {.tagged = true, .opcode = OP(WRITE), .stag = 6, .to = to, .len = len};
  memset(s.inner, fill, sizeof s.inner);
  return s;
}

/* Octets [from, to) of those FPDUs come; returns what became of it. */
static iwarp_err come(late *l, size_t from, size_t to) {
  const iwarp_err err =
      iwarp_endpoint_push_at(l->w.h->ep, l->base + from, (iwarp_span){&l->octets[from], to - from});
  if (err == IWARP_OK) {
    ep_host_run(l->w.h);
  }
  return err;
}

static size_t reported(const late *l) {
  return ep_host_count(l->w.h, IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER);
}

/* A Write that fills the stream up to near the first Marker, then the given one, then all comes. */
static late *one_out_of_order(const iwarp_endpoint_cfg *cfg, const seg *s) {
  late *l = late_of(cfg);
  const seg first = write_of(0, 400, 1);
  late_seg(l, &first);
  late_seg(l, s);
  return l;
}

START_TEST(write_is_placed)
{
  const iwarp_endpoint_cfg cfg = late_cfg();
  const seg s = write_of(1024, BIG, 0x77);
  late *l = one_out_of_order(&cfg, &s);
  iwarp_endpoint_counters c;
  ok(come(l, l->at[1], l->at[2]));
  ck_assert_uint_eq(reported(l), 1);
  const iwarp_endpoint_out_of_order *a =
      &ep_host_last(l->w.h, IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER)->u.out_of_order;
  ck_assert_uint_eq(a->offset, l->base + l->at[1]);
  ck_assert_uint_eq(a->len, l->at[2] - l->at[1]);
  ck_assert_uint_eq(l->w.h->placed, BIG);
  ck_assert_uint_eq(l->w.h->mem[4096 + 1024], 0x77);
  iwarp_endpoint_counters_get(l->w.h->ep, &c);
  ck_assert_uint_eq(c.out_of_order, 1);
  ck_assert_uint_eq(c.partial, 0);
  ok(come(l, l->at[1], l->at[2])); /* once more: it is known */
  ck_assert_uint_eq(reported(l), 1);
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(l->w.h->ep), l->base);
  ok(come(l, 0, l->at[1]));
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(l->w.h->ep), l->base + l->at[2]);
  ck_assert_uint_eq(l->w.h->placed, BIG + 400);
  iwarp_endpoint_counters_get(l->w.h->ep, &c);
  ck_assert_uint_eq(c.out_of_order, 0);
  late_free(l);
}
END_TEST

/* A ULPDU that is too long is so out of order too, and is reported in its turn. */
START_TEST(too_long_waits)
{
  iwarp_endpoint_cfg cfg = late_cfg();
  cfg.max_ulpdu = IWARP_DDP_TAGGED_LEN + BIG - (uint32_t)_i;
  const seg s = write_of(1024, BIG, 0x77);
  late *l = one_out_of_order(&cfg, &s);
  ok(come(l, l->at[1], l->at[2]));
  ck_assert_uint_eq(reported(l), _i == 0 ? 1 : 0);
  ok(come(l, 0, l->at[2]));
  ck_assert_uint_eq(ep_host_count(l->w.h, IWARP_ENDPOINT_EVENT_FAULT), _i == 0 ? 0 : 1);
  late_free(l);
}
END_TEST

/* A receive buffer that completes is touched no longer, whatever the peer says after it. */
START_TEST(message_ends_before_its_octets)
{
  late *l = late_new();
  const seg s[] = {{.opcode = OP(SEND), .len = 8},
                   write_of(0, 400, 1),
                   write_of(1024, BIG, 2),
                   {.opcode = OP(SEND), .mo = 8, .len = 8}};
  iwarp_endpoint_counters c;
  for (size_t i = 0; i < 4; i++) {
    late_seg(l, &s[i]);
  }
  ok(come(l, l->at[2], l->at[4]));
  ck_assert_uint_eq(reported(l), 2);
  iwarp_endpoint_counters_get(l->w.h->ep, &c);
  ck_assert_uint_eq(c.partial, 1);
  ok(come(l, 0, l->at[1]));
  ck_assert_uint_eq(ep_host_count(l->w.h, IWARP_ENDPOINT_EVENT_RECV), 1);
  iwarp_endpoint_counters_get(l->w.h->ep, &c);
  ck_assert_uint_eq(c.partial, 0);
  ck_assert_uint_eq(c.out_of_order, 2);
  ok(come(l, l->at[1], l->at[2]));
  iwarp_endpoint_counters_get(l->w.h->ep, &c);
  ck_assert_uint_eq(c.partial, 0);
  ck_assert_uint_eq(ep_host_count(l->w.h, IWARP_ENDPOINT_EVENT_FAULT), 1);
  late_free(l);
}
END_TEST

/* The stream ends although octets before a placed FPDU never came: that is no orderly end. */
START_TEST(end_before_a_hole_is_filled)
{
  const iwarp_endpoint_cfg cfg = late_cfg();
  const seg s = write_of(1024, BIG, 0x77);
  late *l = one_out_of_order(&cfg, &s);
  ok(come(l, l->at[1], l->at[2]));
  ck_assert_uint_eq(reported(l), 1);
  if (_i == 1) {
    ok(come(l, 0, l->at[1]));
  }
  ok(iwarp_endpoint_eof(l->w.h->ep));
  ep_host_run(l->w.h);
  ck_assert_uint_eq(ep_host_count(l->w.h, IWARP_ENDPOINT_EVENT_PEER_ENDED), _i == 0 ? 0 : 1);
  ck_assert_uint_eq(ep_host_count(l->w.h, IWARP_ENDPOINT_EVENT_CLOSED), _i == 0 ? 1 : 0);
  ck_assert_int_eq(l->w.h->closed.cause,
                   _i == 0 ? IWARP_ENDPOINT_CAUSE_FIN : IWARP_ENDPOINT_CAUSE_ORDERLY);
  late_free(l);
}
END_TEST

/* Octets that are known come again, in front of new ones. */
START_TEST(known_octets_come_again)
{
  late *l = late_new();
  const seg s = write_of(0, 100, 5);
  late_seg(l, &s);
  late_seg(l, &s);
  ok(come(l, 0, l->at[1]));
  ok(come(l, 0, l->at[1]));
  ok(come(l, 0, l->at[1] - 8));
  ck_assert_uint_eq(l->w.h->placed, 100);
  ok(come(l, 4, l->at[2]));
  ck_assert_uint_eq(l->w.h->placed, 200);
  late_free(l);
}
END_TEST

/* What may not be placed now, or not at all, is left for its turn. */
static const struct {
  const char *what;
  seg s;
} not_placed[] = {
    {"unknown STag", {.tagged = true, .opcode = OP(WRITE), .stag = 99, .len = BIG}},
    {"no write access", {.tagged = true, .opcode = OP(WRITE), .stag = 3, .to = 0x1000, .len = 8}},
    {"beyond the region", {.tagged = true, .opcode = OP(WRITE), .stag = 6, .to = 2000, .len = BIG}},
    {"no Read", {.tagged = true, .opcode = OP(READ_RESP), .stag = 6, .len = BIG}},
    {"no buffer", {.opcode = OP(SEND), .msn = 3, .len = BIG}},
    {"an MSN of the past", {.opcode = OP(SEND), .msn = 0xFFFFFFFF, .len = BIG}},
    {"too long", {.opcode = OP(SEND), .len = BIG}},
    {"MO beyond the buffer", {.opcode = OP(SEND), .mo = 17, .len = 1}},
    {"MO at its end", {.opcode = OP(SEND), .mo = 16, .len = 1}},
    {"DDP version", {.tagged = true, .opcode = OP(WRITE), .stag = 6, .dv_xor = 2, .len = BIG}},
    {"nothing to place", {.tagged = true, .opcode = OP(WRITE), .stag = 6}},
    {"Immediate Data", {.opcode = OP(IMMEDIATE), .len = 8}},
    {"Read Request", {.opcode = OP(READ_REQ), .qn = 1, .len = IWARP_RDMAP_READ_REQ_LEN}},
    {"no DDP header", {.tagged = true, .opcode = OP(WRITE), .stag = 6}},
};

#define NUM_LEFT ((int)(sizeof not_placed / sizeof not_placed[0]))

START_TEST(others_wait)
{
  const iwarp_endpoint_cfg cfg = late_cfg();
  /* 466 octets of payload and 14 of header after a Marker and ULPDU_Length: the next FPDU begins
   * at a Marker, so that even a short one is found */
  late *l = late_of(&cfg);
  const seg first = write_of(0, 508 - 2 - 14 - 4, 1);
  late_seg(l, &first);
  ck_assert_uint_eq(l->at[1], PERIOD);
  if (_i == NUM_LEFT - 1) {
    const uint8_t ulpdu[2] = {0xC1, 0x40};
    l->at[2] = l->at[1] + wire_make(&l->w, &l->octets[l->at[1]], 64, ulpdu, sizeof ulpdu, 0, 0);
  } else {
    late_seg(l, &not_placed[_i].s);
  }
  ok(come(l, PERIOD, l->at[2]));
  ck_assert_msg(reported(l) == 0 && l->w.h->placed == 0, "%s", not_placed[_i].what);
  ck_assert_int_eq(iwarp_endpoint_info_get(l->w.h->ep)->state, IWARP_ENDPOINT_FULL);
  late_free(l);
}
END_TEST

/* A Read Response goes where the Read wants it, and nowhere else. */
START_TEST(response_of_a_read)
{
  const iwarp_endpoint_cfg cfg = late_cfg();
  static const struct {
    uint64_t to;
    size_t len;
    bool good;
  } rows[] = {{100, BIG, true},  {200, BIG, true},  {99, BIG, false},
              {201, BIG, false}, {100, 701, false}, {801, 0, false}};
  const seg answer = {.tagged = true, .opcode = OP(READ_RESP), .stag = 3, .to = 0x1000, .len = 64};
  const seg first = write_of(0, 400, 1);
  const seg s = {
      .tagged = true, .opcode = OP(READ_RESP), .stag = 6, .to = rows[_i].to, .len = rows[_i].len};
  late *l = late_of(&cfg);
  const iwarp_rdmap_read_req other = {.sink_stag = 3, .sink_to = 0x1000, .size = 64};
  const iwarp_rdmap_read_req req = {.sink_stag = 6, .sink_to = 100, .size = 700};
  iwarp_span spans[8];
  iwarp_tx_out out;
  ok(iwarp_endpoint_read(l->w.h->ep, 0, &other));
  ok(iwarp_endpoint_read(l->w.h->ep, 1, &other));
  ok(iwarp_endpoint_read(l->w.h->ep, 2, &req));
  ok(iwarp_endpoint_send(l->w.h->ep, 3, OP(SEND), 0, (iwarp_tx_payload){0}));
  ok(iwarp_endpoint_next_output(l->w.h->ep, spans, 8, &out)); /* what was taken is not known yet */
  late_seg(l, &answer);
  late_seg(l, &first);
  late_seg(l, &s);
  ok(come(l, 0, l->at[1]));
  ok(come(l, l->at[2], l->at[3]));
  ck_assert_uint_eq(reported(l), rows[_i].good ? 1 : 0);
  late_free(l);
}
END_TEST

/* Sends: each goes into the buffer of its MSN, and no more than max_partial are touched. */
START_TEST(sends_find_their_buffers)
{
  iwarp_endpoint_cfg cfg = late_cfg();
  cfg.num_out_of_order = 8;
  cfg.max_partial = 1;
  late *l = late_of(&cfg);
  iwarp_endpoint_counters c;
  const seg first = write_of(0, 508 - 2 - 14 - 4, 1);
  seg second = {.opcode = OP(SEND), .msn = 2, .len = 8, .inner = "secondXX"};
  late_seg(l, &first);
  late_seg(l, &second);
  second.more = false;
  second.mo = 8;
  late_seg(l, &second);
  const seg other = {.opcode = OP(SEND), .len = 4, .inner = "1st"};
  late_seg(l, &other);
  ok(come(l, PERIOD, l->at[4]));
  ck_assert_uint_eq(reported(l), 2); /* the last one would touch a second buffer */
  ck_assert_mem_eq(l->w.h->mem + 1040, "secondXXsecondXX", 16);
  iwarp_endpoint_counters_get(l->w.h->ep, &c);
  ck_assert_uint_eq(c.out_of_order, 2);
  ck_assert_uint_eq(c.partial, 1);
  late_free(l);
}
END_TEST

/* A message that was placed is judged when its turn comes. */
START_TEST(wrong_in_its_turn)
{
  const iwarp_endpoint_cfg cfg = late_cfg();
  const seg s = {.opcode = OP(SEND), .msn = 2, .len = 16};
  late *l = late_new();
  (void)cfg;
  const seg first = write_of(0, 508 - 2 - 14 - 4, 1);
  uint8_t ulpdu[64];
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &s);
  late_seg(l, &first);
  late_seg(l, &s); /* the Send before it is missing */
  ok(come(l, PERIOD, l->at[2]));
  ck_assert_uint_eq(reported(l), 1);
  ok(come(l, 0, PERIOD));
  expect_fault(&l->w, 0x1203, ulpdu, n);
  late_free(l);
}
END_TEST

START_TEST(no_more_than_configured)
{
  late *l = late_new();
  const seg first = write_of(0, 508 - 2 - 14 - 4, 1);
  const seg s = write_of(0, 8, 3);
  late_seg(l, &first);
  for (size_t i = 0; i < 3; i++) {
    late_seg(l, &s);
  }
  ok(come(l, PERIOD, l->at[4]));
  ck_assert_uint_eq(reported(l), 2);
  ok(come(l, 0, l->at[4]));
  ck_assert_uint_eq(l->w.h->placed, 8 * 3 + first.len);
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(l->w.h->ep), l->base + l->at[4]);
  late_free(l);
}
END_TEST

/* Later FPDUs come first: the list stays in order. */
START_TEST(backwards)
{
  late *l = late_new();
  const seg s = write_of(0, 508 - 2 - 14 - 4, 3);
  for (size_t i = 0; i < 3; i++) {
    late_seg(l, &s);
  }
  ok(come(l, l->at[2], l->at[3]));
  ok(come(l, l->at[1], l->at[2]));
  ck_assert_uint_eq(reported(l), 2);
  ok(come(l, 0, l->at[1]));
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(l->w.h->ep), l->base + l->at[3]);
  late_free(l);
}
END_TEST

/* An FPDU with a wrong CRC or Marker is not believed; the next Marker is tried. */
START_TEST(not_believed)
{
  static const size_t spoil_at[] = {20, 3, 1, 2}; /* payload, FPDUPTR, RESERVED, FPDUPTR */
  late *l = late_new();
  const seg first = write_of(0, 508 - 2 - 14 - 4, 1);
  const seg s = write_of(512, 508 - 2 - 14 - 4, 2);
  late_seg(l, &first);
  late_seg_spoilt(l, &s, spoil_at[_i], 4);
  late_seg(l, &s);
  ok(come(l, PERIOD, l->at[3]));
  ck_assert_uint_eq(reported(l), 1);
  ck_assert_uint_eq(
      ep_host_last(l->w.h, IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER)->u.out_of_order.offset,
      l->base + l->at[2]);
  late_free(l);
}
END_TEST

/* Without CRCs all Markers of an FPDU must agree. */
START_TEST(markers_disagree)
{
  iwarp_endpoint_cfg cfg = late_cfg();
  cfg.no_crc = true;
  late *l = late_of(&cfg);
  const seg first = write_of(0, 508 - 2 - 14 - 4, 1);
  const seg s = write_of(512, 900, 2);
  late_seg(l, &first);
  late_seg_spoilt(l, &s, PERIOD + 3, 8);
  ok(come(l, PERIOD, l->at[2]));
  ck_assert_uint_eq(reported(l), 0);
  late_free(l);
}
END_TEST

/* The Marker that comes first belongs to an FPDU that began before. */
START_TEST(begins_in_mid_fpdu)
{
  late *l = late_new();
  const seg first = write_of(0, 700, 1);
  const seg s = write_of(700, 900, 2);
  late_seg(l, &first);
  late_seg(l, &s);
  ok(come(l, 500, l->at[2]));
  ck_assert_uint_eq(reported(l), 1);
  ok(come(l, 700, 704));               /* no Marker */
  ok(come(l, PERIOD, PERIOD + 3));     /* not all of one */
  ok(come(l, l->at[1], l->at[2] - 1)); /* not all of an FPDU */
  ok(come(l, 0, l->at[1]));
  ck_assert_uint_eq(l->w.h->placed, 1600);
  late_free(l);
}
END_TEST

/* Without CRCs a Marker is believed; where it lied, the stream ends. RFC 5044 8 */
START_TEST(marker_lied)
{
  iwarp_endpoint_cfg cfg = late_cfg();
  cfg.no_crc = true;
  late *l = late_of(&cfg);
  const seg s = write_of(0, 1200, 0);
  late_seg(l, &s);
  /* in the payload: ULPDU_Length 16 and the header of a Write of 2 octets, to which the second
   * Marker points, 16 octets before it */
  uint8_t *fake = &l->octets[2 * PERIOD - 16];
  memset(fake, 0, 40);
  fake[1] = 40;
  memcpy(fake + 2, (const uint8_t[]){0xC1, 0x40, 0, 0, 0, 6}, 6);
  l->octets[2 * PERIOD + 3] = 16;
  ok(come(l, PERIOD + 4, l->at[1]));
  ck_assert_uint_eq(reported(l), 1);
  l->octets[2 * PERIOD + 2] = 0x03; /* in order it is right */
  l->octets[2 * PERIOD + 3] = 0xFC;
  ok(come(l, 0, l->at[1]));
  expect_fault(&l->w, 0x2003, NULL, 0);
  late_free(l);
}
END_TEST

START_TEST(refused)
{
  iwarp_endpoint_cfg cfg = late_cfg();
  const uint8_t octets[8] = {0};
  const iwarp_span in = {octets, sizeof octets};
  cfg.num_out_of_order = 0;
  wire w = wire_of(&cfg);
  uint64_t past = iwarp_endpoint_rx_offset(w.h->ep) + 1;
  ck_assert_int_eq(iwarp_endpoint_push_at(w.h->ep, past, in), IWARP_ERR_STATE);
  wire_free(&w);

  cfg = late_cfg();
  cfg.markers = false;
  w = wire_of(&cfg);
  ck_assert_int_eq(iwarp_endpoint_push_at(w.h->ep, past, in), IWARP_ERR_STATE);
  wire_free(&w);

  cfg = late_cfg();
  w = wire_of(&cfg);
  past = iwarp_endpoint_rx_offset(w.h->ep) + 1;
  ck_assert_int_eq(iwarp_endpoint_push_at(w.h->ep, UINT64_MAX - 7, in), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_push_at(w.h->ep, past, (iwarp_span){NULL, 1}), IWARP_ERR_ARG);
  ok(iwarp_endpoint_push_at(w.h->ep, UINT64_MAX - 8, in));
  ck_assert_int_eq(iwarp_endpoint_push_at(w.h->ep, past, in), IWARP_ERR_STATE);
  ep_host_run(w.h);
  ok(iwarp_endpoint_push_at(w.h->ep, past, (iwarp_span){0}));
  ep_host_run(w.h);
  ok(iwarp_endpoint_eof(w.h->ep));
  ep_host_run(w.h);
  ck_assert_int_eq(iwarp_endpoint_push_at(w.h->ep, past, in), IWARP_ERR_STATE);
  wire_free(&w);
}
END_TEST

/* After MPA, counting of octets goes on; after a Terminate the endpoint wants no octets, in any
 * order. */
START_TEST(after_the_end)
{
  const uint8_t octets[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const iwarp_endpoint_cfg cfg = late_cfg();
  wire w = wire_of(&cfg);
  ok(iwarp_endpoint_fail(w.h->ep, 2, 0, 5));
  ep_host_run(w.h);
  ok(iwarp_endpoint_push_at(w.h->ep, 5000, (iwarp_span){octets, 8}));
  ep_host_run(w.h);
  ok(iwarp_endpoint_push_at(w.h->ep, 0, (iwarp_span){octets, 8}));
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER), 0);
  wire_free(&w);

  const iwarp_endpoint_cfg i = ep_cfg(IWARP_ROLE_INITIATOR);
  const iwarp_endpoint_cfg r = ep_cfg(IWARP_ROLE_RESPONDER);
  ep_host *h = ep_host_new(&i);
  ep_host *other = ep_host_new(&r);
  ok(iwarp_endpoint_listen(other->ep));
  ok(iwarp_endpoint_connect(h->ep, (iwarp_span){0}));
  ep_talk(h, other, 100);
  ok(iwarp_endpoint_reject(other->ep, (iwarp_span){0}));
  ep_talk(h, other, 100);
  const uint64_t from = iwarp_endpoint_rx_offset(h->ep);
  ok(iwarp_endpoint_push_at(h->ep, from, (iwarp_span){octets, 5}));
  ep_host_run(h);
  ck_assert_uint_eq(iwarp_endpoint_rx_offset(h->ep), from + 5);
  ok(iwarp_endpoint_push_at(h->ep, from + 2, (iwarp_span){&octets[2], 6}));
  ep_host_run(h);
  ck_assert_uint_eq(h->num_streamed, 8);
  ck_assert_mem_eq(h->streamed, octets, 8);
  ep_host_free(h);
  ep_host_free(other);
}
END_TEST

/* After the fence the first FPDU must come first. */
START_TEST(after_the_fence)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_RESPONDER);
  const iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_INITIATOR);
  const uint8_t octets[8] = {0};
  cfg.markers = true;
  cfg.num_out_of_order = 1;
  ep_host *h = ep_host_new(&cfg);
  ep_host *other = ep_host_new(&peer);
  ep_join(other, h);
  ck_assert_int_eq(iwarp_endpoint_info_get(h->ep)->state, IWARP_ENDPOINT_AWAIT_FIRST_FPDU);
  ck_assert_int_eq(iwarp_endpoint_push_at(h->ep, 100, (iwarp_span){octets, 8}), IWARP_ERR_STATE);
  ep_host_free(h);
  ep_host_free(other);
}
END_TEST

/* The end comes while a payload is being placed: PLACED_OUT_OF_ORDER is not reported. */
START_TEST(end_in_between)
{
  const iwarp_endpoint_cfg cfg = late_cfg();
  const seg s = write_of(1024, BIG, 0x77);
  late *l = one_out_of_order(&cfg, &s);
  iwarp_endpoint_event ev;
  ok(iwarp_endpoint_push_at(l->w.h->ep, l->base + l->at[1],
                            (iwarp_span){&l->octets[l->at[1]], l->at[2] - l->at[1]}));
  ok(iwarp_endpoint_next_event(l->w.h->ep, &ev));
  ck_assert_int_eq(ev.kind, IWARP_ENDPOINT_EVENT_PLACE);
  ok(iwarp_endpoint_abort(l->w.h->ep));
  ep_host_run(l->w.h);
  ck_assert_uint_eq(reported(l), 0);
  ck_assert_uint_eq(ep_host_count(l->w.h, IWARP_ENDPOINT_EVENT_CLOSED), 1);
  late_free(l);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stream-ep-out-of-order");
  TCase *t = tcase_create("out-of-order");
  tcase_add_test(t, write_is_placed);
  tcase_add_loop_test(t, too_long_waits, 0, 2);
  tcase_add_test(t, message_ends_before_its_octets);
  tcase_add_loop_test(t, end_before_a_hole_is_filled, 0, 2);
  tcase_add_test(t, known_octets_come_again);
  tcase_add_loop_test(t, others_wait, 0, NUM_LEFT);
  tcase_add_loop_test(t, response_of_a_read, 0, 6);
  tcase_add_test(t, sends_find_their_buffers);
  tcase_add_test(t, wrong_in_its_turn);
  tcase_add_test(t, no_more_than_configured);
  tcase_add_test(t, backwards);
  tcase_add_loop_test(t, not_believed, 0, 4);
  tcase_add_test(t, markers_disagree);
  tcase_add_test(t, begins_in_mid_fpdu);
  tcase_add_test(t, marker_lied);
  tcase_add_test(t, refused);
  tcase_add_test(t, after_the_end);
  tcase_add_test(t, after_the_fence);
  tcase_add_test(t, end_in_between);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
