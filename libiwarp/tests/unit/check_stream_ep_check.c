/* SPDX-License-Identifier: BSD-2-Clause */
/* What an endpoint refuses, and the Terminate that it sends. RFC 5040 4.8 and 7, RFC 5041 7 */
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"

/* ---- one bad segment ---- */

typedef struct bad_seg {
  uint32_t word; /* 0: it is good */
  seg s;
} bad_seg;

#define TAGGED(op_, stag_, to_, len_)                                                              \
  { .tagged = true, .opcode = (op_), .stag = (stag_), .to = (to_), .len = (len_) }
#define UNTAGGED(op_, qn_, msn_, mo_, len_)                                                        \
  { .opcode = (op_), .qn = (qn_), .msn = (msn_), .mo = (mo_), .len = (len_) }
#define OP(name_) IWARP_RDMAP_OP_##name_

static const bad_seg bad_segs[] = {
    {0x1104, {.tagged = true, .dv_xor = 1, .stag = 9, .len = 1}},
    {0x1206, {.opcode = OP(SEND), .dv_xor = 3, .len = 1}},
    {0x0205, {.opcode = OP(SEND), .rv_xor = 1, .len = 1}},
    {0x0206, UNTAGGED(12, 0, 1, 0, 1)},
    {0x0206, UNTAGGED(15, 0, 1, 0, 1)},
    {0x0206, UNTAGGED(OP(WRITE), 0, 1, 0, 1)},
    {0x0206, TAGGED(OP(SEND), 1, 0x1000, 1)},
    {0x1201, UNTAGGED(OP(SEND), 4, 1, 0, 1)},
    {0x1201, UNTAGGED(13, 0x0D000000, 1, 0, 8)}, /* DDP judges before RDMAP */
    {0x1201, UNTAGGED(OP(WRITE), 4, 1, 0, 1)},
    {0x1201, {.opcode = OP(SEND), .rv_xor = 1, .qn = 4, .len = 1}},
    {0x1206, {.opcode = OP(SEND), .dv_xor = 2, .qn = 4, .len = 1}},
    {0x0206, UNTAGGED(13, 4, 1, 0, 0)}, /* there is nothing to place */
    {0x0205, {.opcode = OP(SEND), .rv_xor = 1, .qn = 4}},
    {0x1201, UNTAGGED(OP(SEND), 4, 1, 0, 0)},
    {0x0206, UNTAGGED(OP(SEND), 1, 1, 0, 1)},
    {0x0206, UNTAGGED(OP(READ_REQ), 0, 1, 0, 28)},
    {0x1203, UNTAGGED(OP(SEND), 0, 2, 0, 1)}, /* ahead, within what is posted */
    {0x1202, UNTAGGED(OP(SEND), 0, 3, 0, 1)}, /* ahead of it */
    {0x1202, UNTAGGED(OP(SEND), 0, 0x80000000u, 0, 1)},
    {0x1203, UNTAGGED(OP(SEND), 0, 0x80000001u, 0, 1)}, /* after */
    {0x1204, UNTAGGED(OP(SEND), 0, 1, 1, 1)},
    {0x1205, UNTAGGED(OP(SEND), 0, 1, 0, 17)},
    {0, UNTAGGED(OP(SEND), 0, 1, 0, 16)},
    {0, UNTAGGED(OP(SEND), 0, 1, 0, 0)},
    {0x1100, TAGGED(OP(WRITE), 9, 0x1000, 1)},
    {0x1100, TAGGED(OP(WRITE), 4, 0x1000, 1)},
    {0x1102, TAGGED(OP(WRITE), 2, 0x1000, 1)},
    {0x1103, TAGGED(OP(WRITE), 1, UINT64_MAX, 1)},
    {0x1103, TAGGED(OP(WRITE), 5, WIRE_TOP + 200, 56)},
    {0, TAGGED(OP(WRITE), 5, WIRE_TOP + 200, 55)},
    {0x1101, TAGGED(OP(WRITE), 1, 0xFFF, 1)},
    {0x1101, TAGGED(OP(WRITE), 1, 0x1040, 1)},
    {0x1101, TAGGED(OP(WRITE), 1, 0x1000, 65)},
    {0x1100, TAGGED(OP(WRITE), 3, 0x1000, 1)},
    {0, TAGGED(OP(WRITE), 9, UINT64_MAX, 0)},
    {0, TAGGED(OP(WRITE), 1, 0x1000, 64)},
    {0x0206, TAGGED(OP(READ_RESP), 3, 0x1000, 1)},
    {0x0206, TAGGED(OP(READ_RESP), 3, 0x1000, 0)},
    {0x1100, TAGGED(OP(READ_RESP), 9, 0x1000, 1)},
    {0x1205, UNTAGGED(OP(READ_REQ), 1, 1, 0, 53)},
    {0x02FF, UNTAGGED(OP(READ_REQ), 1, 1, 0, 29)},
    {0x02FF, UNTAGGED(OP(READ_REQ), 1, 1, 0, 27)},
    {0x1203, UNTAGGED(OP(READ_REQ), 1, 2, 0, 28)},
    {0x1202, UNTAGGED(OP(READ_REQ), 1, 3, 0, 28)},
    {0x02FF, UNTAGGED(OP(IMMEDIATE), 0, 1, 0, 9)},
    {0x02FF, UNTAGGED(OP(IMMEDIATE_SE), 0, 1, 0, 7)},
    {0x02FF, UNTAGGED(OP(IMMEDIATE), 0, 1, 0, 0)},
    {0, UNTAGGED(OP(IMMEDIATE), 0, 1, 0, 8)},
    {0x1202, UNTAGGED(OP(ATOMIC_RESP), 3, 1, 0, 12)},
    {0x02FF, UNTAGGED(OP(ATOMIC_REQ), 1, 1, 0, 51)},
    {0x0109, {.opcode = OP(SEND_INV), .stag = 2, .len = 1}},
    {0x0209, {.opcode = OP(SEND_INV), .stag = 9, .len = 1}},
    {0x0209, {.opcode = OP(SEND_SE_INV), .stag = 4, .len = 1}},
    {0x0209, {.opcode = OP(SEND_INV), .stag = 3, .len = 1}},
    {0x0209, {.opcode = OP(SEND_INV), .stag = 5, .len = 1}},
    {0, {.opcode = OP(SEND_SE_INV), .stag = 1, .len = 1}},
    {0, {.opcode = OP(SEND_INV), .stag = 9, .len = 1, .more = true}},
    {0, {.opcode = OP(SEND), .stag = 9, .len = 1}},
};

START_TEST(segments)
{
  const bad_seg *b = &bad_segs[_i];
  uint8_t ulpdu[512];
  wire w = wire_new(false, true, false);
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &b->s);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  if (b->word == 0) {
    ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_FAULT), 0);
    ck_assert_uint_eq(w.h->placed, b->s.opcode == OP(IMMEDIATE) ? 0 : b->s.len);
  } else {
    ck_assert_uint_eq(w.h->placed, 0);
    expect_fault(&w, b->word, ulpdu, n);
    ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV),
                      2); /* both buffers, in error */
    ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_RECV)->u.recv.err, IWARP_ERR_FLUSHED);
    ck_assert_uint_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_RECV)->u.recv.token, 11);
  }
  wire_free(&w);
}
END_TEST

START_TEST(without_rfc7306)
{
  static const bad_seg rows[] = {
      {0x0206, UNTAGGED(OP(IMMEDIATE), 0, 1, 0, 8)},
      {0x0206, UNTAGGED(OP(ATOMIC_REQ), 1, 1, 0, 52)},
      {0x1201, UNTAGGED(OP(SEND), 3, 1, 0, 1)},
      {0x1201, UNTAGGED(OP(ATOMIC_RESP), 3, 1, 0, 12)},
      {0x1205, UNTAGGED(OP(READ_REQ), 1, 1, 0, 29)},
  };
  uint8_t ulpdu[512];
  wire w = wire_new(false, true, true);
  const uint8_t data[8] = {0};
  const iwarp_rdmap_atomic_req req = {0};
  ck_assert_int_eq(iwarp_endpoint_immediate(w.h->ep, 1, false, data), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_atomic(w.h->ep, 1, &req), IWARP_ERR_ARG);
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &rows[_i].s);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  expect_fault(&w, rows[_i].word, ulpdu, n);
  wire_free(&w);
}
END_TEST

/* ---- Requests of the peer ---- */

typedef struct bad_read {
  uint32_t word;
  iwarp_rdmap_read_req req;
} bad_read;

static const bad_read bad_reads[] = {
    {0x0100, {.source_stag = 9, .source_to = 0x1000, .size = 1}},
    {0x0100, {.source_stag = 4, .source_to = 0x1000, .size = 1}},
    {0x0103, {.source_stag = 2, .source_to = 0x1000, .size = 1}},
    {0x0102, {.source_stag = 3, .source_to = 0x1000, .size = 1}},
    {0x0102, {.source_stag = 5, .source_to = UINT64_MAX, .size = 1}},
    {0x0104, {.source_stag = 1, .source_to = UINT64_MAX, .size = 1}},
    {0x0101, {.source_stag = 1, .source_to = 0xFFF, .size = 1}},
    {0x0101, {.source_stag = 1, .source_to = 0x1000, .size = 65}},
    {0, {.source_stag = 9, .source_to = UINT64_MAX, .size = 0}},
    {0, {.source_stag = 1, .source_to = 0x1000, .size = 64}},
};

START_TEST(read_requests)
{
  const bad_read *b = &bad_reads[_i];
  uint8_t ulpdu[512];
  wire w = wire_new(false, true, false);
  const seg s = read_seg(b->req);
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &s);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  if (b->word != 0) {
    expect_fault(&w, b->word, ulpdu, n);
  } else {
    ck_assert_uint_eq(ep_host_pull(w.h, ulpdu, sizeof ulpdu), 20 + (b->req.size + 3) / 4 * 4);
    ck_assert_uint_eq(ulpdu[3], 0x42);
    ck_assert_uint_eq(w.h->num_log, 0); /* nothing is reported to the user */
  }
  wire_free(&w);
}
END_TEST

static const struct bad_atomic {
  uint32_t word;
  iwarp_rdmap_atomic_req req;
} bad_atomics[] = {
    {0x0206, {.aopcode = 1, .stag = 1, .to = 0x1007}},
    {0x0100, {.aopcode = 0, .stag = 9, .to = 0x1007}},
    {0x0103, {.aopcode = 2, .stag = 2, .to = 0x1007}},
    {0x0102, {.aopcode = 2, .stag = 3, .to = 0x1007}},
    {0x0104, {.aopcode = 2, .stag = 1, .to = UINT64_MAX - 7}},
    {0x0101, {.aopcode = 2, .stag = 1, .to = 0x1039}},
    {0x0207, {.aopcode = 2, .stag = 1, .to = 0x1008}},
    {0x0207, {.aopcode = 0, .stag = 1, .to = 0x1008}},
    {0, {.aopcode = 2, .stag = 1, .to = 0x1037}},
};

START_TEST(atomic_requests)
{
  uint8_t ulpdu[512];
  wire w = wire_new(false, true, false);
  const seg s = atomic_seg(bad_atomics[_i].req);
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &s);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  if (bad_atomics[_i].word != 0) {
    expect_fault(&w, bad_atomics[_i].word, ulpdu, n);
  } else {
    ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_ATOMIC), 1);
    ck_assert_uint_eq(ep_host_pull(w.h, ulpdu, sizeof ulpdu), 36);
  }
  wire_free(&w);
}
END_TEST

/* More Requests than IRD. RFC 5040 6.1 */
START_TEST(too_many_reads)
{
  uint8_t ulpdu[512];
  wire w = wire_new(false, true, false);
  seg s = read_seg((iwarp_rdmap_read_req){0});
  for (s.msn = 1; s.msn <= 2; s.msn++) {
    wire_seg(&w, &s);
  }
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &s);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  expect_fault(&w, 0x1202, ulpdu, n);
  wire_free(&w);
}
END_TEST

/* What waits after an Atomic Operation is checked again when its turn comes. RFC 5040 5.5 */
START_TEST(region_gone_while_waiting)
{
  uint8_t ulpdu[512];
  wire w = wire_new(false, true, false);
  const seg atomic = atomic_seg((iwarp_rdmap_atomic_req){.stag = 1, .to = 0x1007});
  seg second =
      _i == 0 ? read_seg((iwarp_rdmap_read_req){.source_stag = 1, .source_to = 0x1000, .size = 4})
              : atomic;
  second.msn = 2;
  w.h->hold_atomics = true;
  wire_seg(&w, &atomic);
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &second);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  ok(iwarp_endpoint_invalidate(w.h->ep, 1));
  ok(iwarp_endpoint_atomic_answer(w.h->ep, 5));
  ep_host_run(w.h);
  ck_assert_int_eq(iwarp_endpoint_atomic_answer(w.h->ep, 5), IWARP_ERR_STATE);
  expect_fault(&w, 0x0100, ulpdu, n);
  wire_free(&w);
}
END_TEST

/* ---- Responses ---- */

static void post_read(wire *w, uint32_t size) {
  uint8_t octets[256];
  const iwarp_rdmap_read_req req = {
      .sink_stag = 3, .sink_to = 0x1000, .size = size, .source_stag = 99};
  ok(iwarp_endpoint_read(w->h->ep, 20, &req));
  ck_assert_uint_gt(ep_host_pull(w->h, octets, sizeof octets), 0);
}

static const bad_seg bad_responses[] = {
    {0x02FF, TAGGED(OP(READ_RESP), 1, 0x1000, 8)}, {0x02FF, TAGGED(OP(READ_RESP), 3, 0x1001, 8)},
    {0x02FF, TAGGED(OP(READ_RESP), 3, 0x1000, 9)}, {0x02FF, TAGGED(OP(READ_RESP), 3, 0x1000, 7)},
    {0x02FF, TAGGED(OP(READ_RESP), 3, 0x1000, 0)}, {0, TAGGED(OP(READ_RESP), 3, 0x1000, 8)},
};

START_TEST(read_responses)
{
  const bad_seg *b = &bad_responses[_i];
  uint8_t ulpdu[512];
  wire w = wire_new(false, true, false);
  post_read(&w, 8);
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &b->s);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_DONE), 1);
  ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.err,
                   b->word == 0 ? IWARP_OK : IWARP_ERR_FLUSHED);
  if (b->word != 0) {
    expect_fault(&w, b->word, ulpdu, n);
  }
  wire_free(&w);
}
END_TEST

START_TEST(atomic_responses)
{
  static const seg rows[] = {
      UNTAGGED(OP(ATOMIC_RESP), 3, 1, 0, 12), UNTAGGED(OP(ATOMIC_RESP), 3, 1, 0, 13),
      UNTAGGED(OP(ATOMIC_RESP), 3, 1, 0, 11), UNTAGGED(OP(ATOMIC_RESP), 3, 1, 0, 12)};
  static const uint32_t words[] = {0, 0x1205, 0x02FF, 0x02FF};
  uint8_t octets[512];
  wire w = wire_new(false, true, false);
  const iwarp_rdmap_atomic_req req = {.stag = 99};
  ok(iwarp_endpoint_atomic(w.h->ep, 20, &req));
  ck_assert_uint_eq(ep_host_pull(w.h, octets, sizeof octets), 76);
  seg s = rows[_i];
  s.inner[0] = _i == 3 ? 1 : 0; /* another Request Identifier */
  s.inner[11] = 42;
  const size_t n = seg_ulpdu(octets, sizeof octets, &s);
  wire_ulpdu(&w, octets, n, 0, 0);
  if (words[_i] != 0) {
    expect_fault(&w, words[_i], octets, n);
  } else {
    ck_assert_uint_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.original, 42);
  }
  wire_free(&w);
}
END_TEST

/* How much of a Request the transport got before the Response comes. */
typedef enum sent_part {
  SENT_NOTHING,
  SENT_HALF,
  SENT_ALL_NOT_TAKEN,
  SENT_ALL,
  SENT_PARTS
} sent_part;

static void send_part(wire *w, sent_part part) {
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  uint8_t half[20];
  iwarp_tx_batch few = {.copy = half, .max_copy = sizeof half};
  if (part == SENT_HALF) {
    ok(iwarp_endpoint_next_batch(w->h->ep, &few));
    ok(iwarp_endpoint_advance(w->h->ep, few.all.len));
  } else if (part >= SENT_ALL_NOT_TAKEN) {
    ok(iwarp_endpoint_next_output(w->h->ep, spans, IWARP_TX_SPANS_MIN, &out));
    ok(part == SENT_ALL ? iwarp_endpoint_advance(w->h->ep, out.len) : IWARP_OK);
  }
}

/*
 * A Response before its Request was handed out is as unexpected as one without a Request: else it
 * would make room for a Request more than the peer takes. RFC 5040 5.5, 6.1
 */
START_TEST(responses_to_requests_that_did_not_go_out)
{
  const bool atomic = _i >= SENT_PARTS;
  const sent_part part = (sent_part)(_i % SENT_PARTS);
  const iwarp_rdmap_read_req read = {.sink_stag = 3, .sink_to = 0x1000, .size = 4};
  const iwarp_rdmap_atomic_req add = {.stag = 9, .to = 0x2000};
  const seg resp = TAGGED(OP(READ_RESP), 3, 0x1000, 4);
  const seg answer = UNTAGGED(OP(ATOMIC_RESP), 3, 1, 0, IWARP_RDMAP_ATOMIC_RESP_LEN);
  uint8_t ulpdu[64];
  wire w = wire_new(false, true, false);
  ok(atomic ? iwarp_endpoint_atomic(w.h->ep, 2, &add) : iwarp_endpoint_read(w.h->ep, 1, &read));
  send_part(&w, part);
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, atomic ? &answer : &resp);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_FAULT),
                    part >= SENT_ALL_NOT_TAKEN ? 0 : 1);
  if (part == SENT_NOTHING) {
    expect_fault(&w, 0x0206, ulpdu, n);
  }
  wire_free(&w);
}
END_TEST

/* The Atomic Request waits after a Read Request when its Response comes. */
START_TEST(response_to_a_request_after_another_one)
{
  const iwarp_rdmap_read_req read = {.sink_stag = 3, .sink_to = 0x1000, .size = 4};
  const iwarp_rdmap_atomic_req add = {.stag = 9, .to = 0x2000};
  const seg answer = UNTAGGED(OP(ATOMIC_RESP), 3, 1, 0, IWARP_RDMAP_ATOMIC_RESP_LEN);
  uint8_t ulpdu[64];
  wire w = wire_new(false, true, false);
  ok(iwarp_endpoint_read(w.h->ep, 1, &read));
  ok(iwarp_endpoint_atomic(w.h->ep, 2, &add));
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &answer);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_FAULT), 1);
  wire_free(&w);
}
END_TEST

/* ---- several segments ---- */

/* A message may not come between the segments of another, but for a Terminate. RFC 5041 5.2 */
START_TEST(messages_do_not_interleave)
{
  uint8_t ulpdu[512];
  wire w = wire_new(false, true, false);
  const seg first = {.opcode = OP(SEND), .len = 4, .more = true};
  const seg other = TAGGED(OP(WRITE), 1, 0x1000, 4);
  wire_seg(&w, &first);
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &other);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  expect_fault(&w, 0x0206, ulpdu, n);
  wire_free(&w);
}
END_TEST

START_TEST(segments_continue)
{
  uint8_t ulpdu[512];
  wire w = wire_new(false, true, false);
  const seg first = {.opcode = OP(SEND), .len = 4, .more = true};
  const seg gap = UNTAGGED(OP(SEND), 0, 1, 5, 4);
  const seg second = UNTAGGED(OP(SEND), 0, 1, 4, 12);
  const seg long_one = UNTAGGED(OP(SEND), 0, 1, 4, 13);
  const seg *const next[] = {&second, &gap, &long_one};
  static const uint32_t words[] = {0, 0x1204, 0x1205};
  wire_seg(&w, &first);
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, next[_i]);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  if (words[_i] != 0) {
    expect_fault(&w, words[_i], ulpdu, n);
  } else {
    ck_assert_uint_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_RECV)->u.recv.len, 16);
  }
  wire_free(&w);
}
END_TEST

/* A header message in pieces is put together. */
START_TEST(request_in_pieces)
{
  uint8_t octets[256];
  wire w = wire_new(false, true, false);
  seg s = read_seg((iwarp_rdmap_read_req){.source_stag = 1, .source_to = 0x1000, .size = 8});
  seg tail = s;
  s.len = 10;
  s.more = true;
  tail.mo = 10;
  tail.len = 18;
  memmove(tail.inner, &tail.inner[10], 18);
  wire_seg(&w, &s);
  wire_seg(&w, &tail);
  ck_assert_uint_eq(ep_host_pull(w.h, octets, sizeof octets), 28);
  ck_assert_uint_eq(octets[3], 0x42);
  wire_free(&w);
}
END_TEST

/* ---- MPA: RFC 5044 8 ---- */

START_TEST(bad_crc)
{
  uint8_t ulpdu[64];
  wire w = wire_new(false, true, false);
  const seg s = {.opcode = OP(SEND), .len = 4};
  post_read(&w, 8);
  wire_ulpdu(&w, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &s), 21, 1);
  expect_fault(&w, 0x2002, NULL, 0);
  ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.err, IWARP_ERR_FLUSHED);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV), 2);
  ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_RECV)->u.recv.err, IWARP_ERR_FLUSHED);
  wire_free(&w);
}
END_TEST

START_TEST(unchecked_crc)
{
  uint8_t ulpdu[64];
  wire w = wire_new(false, false, false);
  const seg s = {.opcode = OP(SEND), .len = 4};
  wire_ulpdu(&w, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &s), 21, 1);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV), 1);
  wire_free(&w);
}
END_TEST

/* A Marker that points elsewhere; RESERVED and the two low bits mean nothing. */
START_TEST(bad_marker)
{
  static const size_t at[] = {0, 1, 2, 3, 3};
  static const uint8_t spoil[] = {0x80, 0x01, 0x01, 0x04, 0x03};
  static const bool bad[] = {false, false, true, true, false};
  uint8_t ulpdu[64];
  wire w = wire_new(true, false, false);
  const seg s = {.opcode = OP(SEND), .len = 4};
  wire_ulpdu(&w, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &s), at[_i], spoil[_i]);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_FAULT), bad[_i] ? 1 : 0);
  if (bad[_i]) {
    expect_fault(&w, 0x2003, NULL, 0);
  }
  wire_free(&w);
}
END_TEST

/* No room for a DDP header. RFC 5041 6.2.2 */
START_TEST(short_segment)
{
  static const uint8_t ulpdu[17] = {0x41, 0x43};
  wire w = wire_new(false, true, false);
  wire_ulpdu(&w, ulpdu, (size_t)_i, 0, 0);
  expect_fault(&w, 0x1000, NULL, 0);
  wire_free(&w);
}
END_TEST

/* ---- Terminates of the peer ---- */

/* Linux siw on a little-endian machine: DDP, Untagged Buffer Error, in the other order of bits. */
START_TEST(terminate_received_has_its_likely_reading)
{
  seg s = {.opcode = OP(TERMINATE), .qn = 2, .msn = 1, .len = 24};
  wire w = wire_new(false, true, false);
  s.inner[0] = _i == 0 ? 0x21 : 0x12;
  s.inner[1] = 0x05;
  s.inner[2] = _i == 0 ? 0x03 : 0xC0;
  s.inner[6] = 0x41;
  wire_seg(&w, &s);
  const iwarp_endpoint_event *ev = ep_host_last(w.h, IWARP_ENDPOINT_EVENT_TERMINATED);
  ck_assert(ev != NULL && ev->u.terminated.readable);
  ck_assert(ev->u.terminated.has_likely == (_i == 0));
  if (_i == 0) {
    ck_assert(ev->u.terminated.term.layer == 2 && ev->u.terminated.likely.layer == 1);
    ck_assert(ev->u.terminated.likely.etype == 2 && ev->u.terminated.likely.code == 5);
    ck_assert_uint_eq(ev->u.terminated.likely.ddp_header.len, 18);
  }
  wire_free(&w);
}
END_TEST

START_TEST(terminate_received)
{
  static const seg rows[] = {
      UNTAGGED(OP(TERMINATE), 2, 1, 0, 4),  UNTAGGED(OP(TERMINATE), 2, 1, 0, 3),
      UNTAGGED(OP(TERMINATE), 0, 1, 0, 4),  UNTAGGED(OP(TERMINATE), 2, 2, 0, 4),
      UNTAGGED(OP(TERMINATE), 2, 1, 4, 4),  UNTAGGED(OP(TERMINATE), 2, 1, 0, 53),
      UNTAGGED(OP(TERMINATE), 2, 1, 0, 24),
  };
  uint8_t octets[256];
  wire w = wire_new(false, true, false);
  const seg begun = {.opcode = OP(SEND), .len = 4, .more = true};
  const iwarp_span part = {octets, 100};
  seg s = rows[_i];
  wire_seg(&w, &begun); /* a Terminate may cut it off */
  ok(iwarp_endpoint_send(w.h->ep, 30, OP(SEND), 0, (iwarp_tx_payload){&part, 1}));
  s.inner[0] = 0x12;
  s.inner[1] = 0x05;
  s.inner[2] = _i == 6 ? 0xC0 : 0;
  s.inner[6] = 0x41;
  wire_seg(&w, &s);
  const iwarp_endpoint_event *ev = ep_host_last(w.h, IWARP_ENDPOINT_EVENT_TERMINATED);
  ck_assert_ptr_nonnull(ev);
  ck_assert(ev->u.terminated.readable == (_i == 0 || _i == 6));
  if (ev->u.terminated.readable) {
    ck_assert(ev->u.terminated.term.etype == 2 && ev->u.terminated.term.code == 5);
    ck_assert_uint_eq(w.h->term_octets[0], _i == 6 ? 0x41 : 0);
  }
  ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.err, IWARP_ERR_FLUSHED);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_FAULT), 0);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV), 2);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_SHUTDOWN), 1);
  ck_assert_uint_eq(ep_host_pull(w.h, octets, sizeof octets), 0);
  ok(iwarp_endpoint_eof(w.h->ep));
  ep_host_run(w.h);
  ck_assert(!ep_host_last(w.h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.disconnect);
  wire_free(&w);
}
END_TEST

/* A Responder that has received no valid FPDU cannot even send a Terminate. RFC 5044 7.1.2 */
START_TEST(fault_after_the_fence)
{
  static const uint8_t ulpdu[20] = {0x41, 0x43, [11] = 1};
  const iwarp_endpoint_cfg a = ep_cfg(IWARP_ROLE_INITIATOR);
  const iwarp_endpoint_cfg b = ep_cfg(IWARP_ROLE_RESPONDER);
  ep_host *other = ep_host_new(&a);
  wire w = {.h = ep_host_new(&b)};
  uint8_t octets[64];
  ep_join(other, w.h);
  wire_ulpdu(&w, ulpdu, sizeof ulpdu, 10, _i == 0 ? 1 : 0);
  const iwarp_endpoint_event *ev = ep_host_last(w.h, IWARP_ENDPOINT_EVENT_FAULT);
  ck_assert(ev != NULL && ev->u.fault.sent == (_i == 1));
  ck_assert_uint_eq(ep_host_pull(w.h, octets, sizeof octets) > 0, _i == 1);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_CLOSED), _i == 0 ? 1 : 0);
  ep_host_free(other);
  wire_free(&w);
}
END_TEST

/* A Response of the other kind than the Request that it has to answer. RFC 7306 5.2.2 */
START_TEST(responses_out_of_turn)
{
  wire w = wire_new(false, true, false);
  const iwarp_rdmap_read_req read = {.sink_stag = 3, .sink_to = 0x1000, .size = 4};
  const iwarp_rdmap_atomic_req atomic = {.stag = 9, .to = 0x2000};
  uint8_t octets[256];
  uint8_t ulpdu[64];
  for (int i = 0; i < 2; i++) {
    ok(i == _i ? iwarp_endpoint_read(w.h->ep, 1, &read)
               : iwarp_endpoint_atomic(w.h->ep, 2, &atomic));
  }
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  const seg resp = {.tagged = true, .opcode = OP(READ_RESP), .stag = 3, .to = 0x1000, .len = 4};
  const seg answer = {.opcode = OP(ATOMIC_RESP), .qn = 3, .len = IWARP_RDMAP_ATOMIC_RESP_LEN};
  const seg *s = _i == 0 ? &answer : &resp;
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, s);
  wire_ulpdu(&w, ulpdu, n, 0, 0);
  expect_fault(&w, 0x0206, ulpdu, n);
  wire_free(&w);
}
END_TEST

/* The first FPDU is an empty Send that goes on: it is no Ready to Receive message. */
START_TEST(first_send_goes_on)
{
  iwarp_endpoint_cfg a = ep_cfg(IWARP_ROLE_INITIATOR);
  const iwarp_endpoint_cfg b = ep_cfg(IWARP_ROLE_RESPONDER);
  a.peer_to_peer = true;
  a.rtr = IWARP_RTR_SEND;
  ep_host *other = ep_host_new(&a);
  wire w = {.h = ep_host_new(&b)};
  ok(iwarp_endpoint_listen(w.h->ep));
  ok(iwarp_endpoint_connect(other->ep, (iwarp_span){0}));
  ep_talk(other, w.h, 100);
  ok(iwarp_endpoint_accept(w.h->ep, (iwarp_span){0}));
  ok(iwarp_endpoint_recv(w.h->ep, 5, w.h->mem, 8));
  ep_talk(other, w.h, 100);
  const seg begin = {.opcode = OP(SEND), .more = true};
  const seg end = {.opcode = OP(SEND), .len = 3};
  wire_seg(&w, &begin);
  wire_seg(&w, &end);
  ck_assert_uint_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_RECV)->u.recv.len, 3);
  ep_host_free(other);
  wire_free(&w);
}
END_TEST

/* A Request that comes when this side's half is closed cannot be answered. */
START_TEST(request_after_the_close)
{
  wire w = wire_new(false, true, false);
  const seg s = read_seg((iwarp_rdmap_read_req){0});
  ok(iwarp_endpoint_close(w.h->ep));
  ep_host_run(w.h);
  ck_assert_int_eq(iwarp_endpoint_info_get(w.h->ep)->state, IWARP_ENDPOINT_LOCAL_CLOSED);
  const seg send = UNTAGGED(OP(SEND), 0, 1, 0, 4);
  wire_seg(&w, &send);
  ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_RECV)->u.recv.err, IWARP_OK);
  wire_seg(&w, &s);
  const iwarp_endpoint_event *ev = ep_host_last(w.h, IWARP_ENDPOINT_EVENT_FAULT);
  ck_assert(ev != NULL && !ev->u.fault.sent && ev->u.fault.code == 7);
  ck_assert(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.disconnect);
  wire_free(&w);
}
END_TEST

/* ---- all codes there are: RFC 5040 4.8, RFC 5041 7.2, RFC 5044 8, RFC 6581 8; RFC 6580 3 ---- */

static const struct code {
  uint16_t word;     /* Layer, EType, Code */
  const char *never; /* why no input makes an endpoint send it; NULL: a row below does */
} codes[] = {
    {0x0000, NULL},
    {0x0100, NULL},
    {0x0101, NULL},
    {0x0102, NULL},
    {0x0103, NULL},
    {0x0104, NULL},
    {0x0109, NULL},
    {0x01FF, "each check of RFC 5040 7.2 has a code of its own"},
    {0x0205, NULL},
    {0x0206, NULL},
    {0x0207, NULL},
    {0x0208, "the engine knows one stream only"},
    {0x0209, NULL},
    {0x02FF, NULL},
    {0x1000, NULL},
    {0x1100, NULL},
    {0x1101, NULL},
    {0x1102, NULL},
    {0x1103, NULL},
    {0x1104, NULL},
    {0x1201, NULL},
    {0x1202, NULL},
    {0x1203, NULL},
    {0x1204, NULL},
    {0x1205, NULL},
    {0x1206, NULL},
    {0x1300, "it is the LLP's, and MPA has a Layer of its own"},
    {0x2001, "the transport connection is gone"},
    {0x2002, NULL},
    {0x2003, NULL},
    {0x2004, "no FPDU may be sent before the startup frames are right: RFC 5044 7.1.2"},
    {0x2005, NULL},
    {0x2006, NULL},
    {0x2007, NULL},
};

/* Codes of tests without a table: here, and of the startup and of failures of the caller's. */
static const uint16_t other_words[] = {0x0000, 0x1000, 0x2002, 0x2003, 0x2005, 0x2006, 0x2007};

#define PROVOKED(rows_, word_)                                                                     \
  for (size_t i = 0; i < sizeof(rows_) / sizeof(rows_)[0]; i++) {                                  \
    n += (rows_)[i].word == (word_) ? 1 : 0;                                                       \
  }

static size_t provoked(uint16_t word) {
  size_t n = 0;
  PROVOKED(bad_segs, word)
  PROVOKED(bad_reads, word)
  PROVOKED(bad_atomics, word)
  PROVOKED(bad_responses, word)
  for (size_t i = 0; i < sizeof other_words / sizeof other_words[0]; i++) {
    n += other_words[i] == word ? 1 : 0;
  }
  return n;
}

/* How often a code is in the list above. */
static size_t listed(uint32_t word) {
  size_t n = 0;
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
    n += codes[i].word == word ? 1 : 0;
  }
  return n;
}

START_TEST(each_code)
{
#define LISTED(name, layer, etype, code, any_code, etype_name, text, rfc)                          \
  ck_assert_msg(listed((layer) << 12 | (etype) << 8 | (code)) == 1, #name);
  IWARP_TERM_MAP(LISTED)
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
    const bool can = provoked(codes[i].word) > 0;
    ck_assert_msg(can == (codes[i].never == NULL), "0x%04x", codes[i].word);
  }
}
END_TEST

#define ROWS(rows_) ((int)(sizeof(rows_) / sizeof(rows_)[0]))

int main(void) {
  Suite *suite = suite_create("stream-ep-check");
  TCase *t = tcase_create("check");
  tcase_add_loop_test(t, segments, 0, ROWS(bad_segs));
  tcase_add_loop_test(t, without_rfc7306, 0, 5);
  tcase_add_loop_test(t, read_requests, 0, ROWS(bad_reads));
  tcase_add_loop_test(t, atomic_requests, 0, ROWS(bad_atomics));
  tcase_add_test(t, too_many_reads);
  tcase_add_loop_test(t, region_gone_while_waiting, 0, 2);
  tcase_add_loop_test(t, read_responses, 0, ROWS(bad_responses));
  tcase_add_loop_test(t, responses_to_requests_that_did_not_go_out, 0, 2 * SENT_PARTS);
  tcase_add_test(t, response_to_a_request_after_another_one);
  tcase_add_loop_test(t, atomic_responses, 0, 4);
  tcase_add_test(t, messages_do_not_interleave);
  tcase_add_loop_test(t, segments_continue, 0, 3);
  tcase_add_test(t, request_in_pieces);
  tcase_add_test(t, bad_crc);
  tcase_add_test(t, unchecked_crc);
  tcase_add_loop_test(t, bad_marker, 0, 5);
  tcase_add_loop_test(t, short_segment, 0, 18);
  tcase_add_loop_test(t, terminate_received, 0, 7);
  tcase_add_loop_test(t, terminate_received_has_its_likely_reading, 0, 2);
  tcase_add_loop_test(t, fault_after_the_fence, 0, 2);
  tcase_add_loop_test(t, responses_out_of_turn, 0, 2);
  tcase_add_test(t, first_send_goes_on);
  tcase_add_test(t, request_after_the_close);
  tcase_add_test(t, each_code);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
