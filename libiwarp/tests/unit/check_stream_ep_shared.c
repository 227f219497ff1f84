/* SPDX-License-Identifier: BSD-2-Clause */
/* Endpoints that share regions and a receive queue; unsignalled operations; several events a call.
 */
#include <iwarp/shared.h>

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "ep_host.h"
#include "ep_wire.h"
#include "property.h"

static const iwarp_tx_payload no_payload = {0};

static void *memory(size_t size) {
  void *mem = malloc(size);
  ck_assert_ptr_nonnull(mem);
  memset(mem, 0xA5, size);
  return mem;
}

static iwarp_regions *regions_new(uint32_t num) {
  iwarp_regions *regions;
  const size_t size = iwarp_regions_size(num);
  ok(iwarp_regions_init(&regions, memory(size), size, num));
  return regions;
}

static iwarp_srq *srq_new(uint32_t num, uint32_t low) {
  iwarp_srq *srq;
  const size_t size = iwarp_srq_size(num);
  ok(iwarp_srq_init(&srq, memory(size), size, num, low));
  return srq;
}

static void srq_post(iwarp_srq *srq, uint64_t token, uint8_t *mem, uint32_t len) {
  const iwarp_endpoint_buffer buffer = {.token = token, .user = srq, .mem = mem, .len = len};
  ok(iwarp_srq_recv(srq, &buffer));
}

static const iwarp_endpoint_event *last(const wire *w, iwarp_endpoint_event_kind kind) {
  return ep_host_last(w->h, kind);
}

/* ---- making ---- */

START_TEST(sizes_and_errors)
{
  iwarp_regions *regions;
  iwarp_srq *srq;
  _Alignas(max_align_t) uint8_t mem[256];
  const uint32_t wrong[] = {0, IWARP_ENDPOINT_LIST_MAX + 1};
  for (size_t i = 0; i < 2; i++) {
    ck_assert_uint_eq(iwarp_regions_size(wrong[i]), 0);
    ck_assert_uint_eq(iwarp_srq_size(wrong[i]), 0);
    ck_assert_int_eq(iwarp_regions_init(&regions, mem, sizeof mem, wrong[i]), IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_srq_init(&srq, mem, sizeof mem, wrong[i], 0), IWARP_ERR_ARG);
  }
  const size_t r = iwarp_regions_size(1);
  const size_t q = iwarp_srq_size(1);
  ck_assert(r <= sizeof mem && q <= sizeof mem);
  ok(iwarp_regions_init(&regions, mem, r, 1));
  ok(iwarp_srq_init(&srq, mem, q, 1, 0));
  ok(iwarp_srq_init(&srq, mem, q, 1, 1));
  ck_assert_int_eq(iwarp_srq_init(&srq, mem, q, 1, 2), IWARP_ERR_ARG); /* it would never be low */
  ck_assert_int_eq(iwarp_regions_init(&regions, mem, r - 1, 1), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_srq_init(&srq, mem, q - 1, 1, 0), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_regions_init(NULL, mem, r, 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_srq_init(NULL, mem, q, 1, 0), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_regions_init(&regions, NULL, r, 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_srq_init(&srq, NULL, q, 1, 0), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_regions_init(&regions, mem + 1, r, 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_srq_init(&srq, mem + 1, q, 1, 0), IWARP_ERR_ARG);
}
END_TEST

START_TEST(a_table_of_regions)
{
  iwarp_regions *regions = regions_new(2);
  const iwarp_endpoint_region r[] = {{.stag = 9, .len = 1}, {.stag = 3, .len = 1}, {.stag = 5}};
  ok(iwarp_regions_register(regions, &r[0]));
  ck_assert_int_eq(iwarp_regions_register(regions, &r[0]), IWARP_ERR_ARG);
  ok(iwarp_regions_register(regions, &r[1]));
  ck_assert_int_eq(iwarp_regions_register(regions, &r[2]), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_regions_invalidate(regions, 5), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_regions_revoke(regions, 5), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_regions_deregister(regions, 5), IWARP_ERR_ARG);
  ok(iwarp_regions_invalidate(regions, 9));
  ok(iwarp_regions_deregister(regions, 9));
  ok(iwarp_regions_register(regions, &r[2]));
  free(regions);
}
END_TEST

/* ---- regions ---- */

/* The regions of two endpoints, of which the second has another Protection Domain. */
typedef struct sharers {
  iwarp_regions *regions;
  wire a;
  wire b;
} sharers;

static sharers sharers_new(uint32_t pd_of_b) {
  sharers s = {.regions = regions_new(8)};
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.regions = s.regions;
  s.a = wire_of(&cfg); /* and with it the regions of ep_wire.h */
  cfg.pd = pd_of_b;
  s.b = wire_bare(&cfg);
  s.b.h->mem = s.a.h->mem; /* where the regions are */
  return s;
}

static void sharers_free(sharers *s) {
  wire_free(&s->a);
  wire_free(&s->b);
  free(s->regions);
}

static const seg write_seg = {
    .tagged = true, .opcode = IWARP_RDMAP_OP_WRITE, .stag = 1, .to = 0x1000, .len = 8};

/* One table serves both; who has another Protection Domain is refused. RFC 5041 7.1 */
START_TEST(one_table_for_two)
{
  sharers s = sharers_new(7);
  wire_seg(&s.a, &write_seg);
  wire_seg(&s.b, &write_seg);
  ck_assert_uint_eq(s.a.h->placed, 8);
  ck_assert_int_eq(iwarp_endpoint_info_get(s.b.h->ep)->state, IWARP_ENDPOINT_FULL);
  ok(iwarp_endpoint_invalidate(s.a.h->ep, 1));
  uint8_t ulpdu[64];
  wire_seg(&s.b, &write_seg);
  expect_fault(&s.b, 0x1100, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &write_seg));
  sharers_free(&s);
}
END_TEST

START_TEST(another_protection_domain)
{
  sharers s = sharers_new(8);
  uint8_t ulpdu[64];
  wire_seg(&s.b, &write_seg);
  expect_fault(&s.b, 0x1102, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &write_seg));
  sharers_free(&s);
}
END_TEST

/* PLACE names all of a segment: an end of access that another endpoint, or no endpoint, makes then
 * counts from the next one on. */
START_TEST(access_ends_after_place)
{
  iwarp_regions *regions = regions_new(8);
  iwarp_endpoint_cfg cfg = wire_cfg(true, false, false);
  cfg.regions = regions;
  wire w = wire_of(&cfg);
  uint8_t ulpdu[700] = {0};
  uint8_t octets[1024];
  iwarp_endpoint_event ev;
  const iwarp_endpoint_region big = {
      .stag = 77, .pd = 7, .len = 600, .mem = w.h->mem, .access = IWARP_ACCESS_REMOTE_WRITE};
  ok(iwarp_regions_register(regions, &big));
  const seg s = {.tagged = true, .opcode = IWARP_RDMAP_OP_WRITE, .stag = 77, .len = 0};
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &s) + 600;
  size_t len = wire_make(&w, octets, sizeof octets, ulpdu, n, 0, 0);
  ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){octets, len}));
  ok(iwarp_endpoint_next_event(w.h->ep, &ev));
  ck_assert_int_eq(ev.kind, IWARP_ENDPOINT_EVENT_PLACE);
  ck_assert(ev.u.place.num_runs == 2 && ev.u.place.len == 600);
  if (_i == 0) {
    ok(iwarp_regions_invalidate(regions, 77));
  } else { /* the STag is used again at once: that is another region */
    ok(iwarp_regions_deregister(regions, 77));
    ok(iwarp_regions_register(regions, &big));
  }
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_FAULT), 0);
  len = wire_make(&w, octets, sizeof octets, ulpdu, n, 0, 0);
  ep_host_push(w.h, octets, len, len);
  if (_i == 0) {
    expect_fault(&w, 0x1100, ulpdu, n);
  }
  ck_assert_uint_eq(w.h->placed, _i == 0 ? 0 : 600);
  wire_free(&w);
  free(regions);
}
END_TEST

/* A Read Response of one endpoint borrows; a revocation by another one stops it. */
START_TEST(revoked_by_another)
{
  sharers s = sharers_new(7);
  const iwarp_rdmap_read_req req = {
      .sink_stag = 1, .source_stag = 1, .source_to = 0x1000, .size = 64};
  const seg read = read_seg(req);
  uint8_t ulpdu[64];
  wire_seg(&s.b, &read);
  ck_assert_int_eq(iwarp_endpoint_deregister(s.a.h->ep, 1), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_regions_deregister(s.regions, 1), IWARP_ERR_STATE);
  ok(iwarp_endpoint_invalidate(s.a.h->ep, 1));
  ep_host_run(s.b.h);
  ck_assert_uint_eq(ep_host_count(s.b.h, IWARP_ENDPOINT_EVENT_FAULT), 0);
  ok(iwarp_endpoint_revoke(s.a.h->ep, 1));
  ck_assert_int_eq(iwarp_endpoint_info_get(s.a.h->ep)->state, IWARP_ENDPOINT_FULL);
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out; /* what is asked for next is the Terminate */
  ok(iwarp_endpoint_next_output(s.b.h->ep, spans, IWARP_TX_SPANS_MIN, &out));
  ep_host_run(s.b.h);
  expect_fault(&s.b, 0x0100, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &read));
  ok(iwarp_regions_deregister(s.regions, 1)); /* nothing borrows it any more */
  sharers_free(&s);
}
END_TEST

/* ---- receive queue ---- */

static wire srq_wire(iwarp_srq *srq, uint32_t num_recvs) {
  iwarp_endpoint_cfg cfg = wire_cfg(true, false, false);
  cfg.srq = srq;
  cfg.num_recvs = num_recvs;
  cfg.num_out_of_order = 8;
  return wire_bare(&cfg);
}

static void wire_send(wire *w, uint32_t msn) {
  const seg s = {.opcode = IWARP_RDMAP_OP_SEND, .msn = msn, .len = 4, .inner = {1, 2, 3, 4}};
  wire_seg(w, &s);
}

/* Buffers go to whoever receives; what is not used stays when a connection ends. */
START_TEST(one_queue_for_two)
{
  iwarp_srq *srq = srq_new(4, 0);
  wire a = srq_wire(srq, 0);
  wire b = srq_wire(srq, 0);
  for (uint64_t token = 0; token < 4; token++) {
    srq_post(srq, token, a.h->mem, 8);
  }
  const iwarp_endpoint_buffer more = {.token = 9};
  ck_assert_int_eq(iwarp_srq_recv(srq, &more), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_endpoint_recv(a.h->ep, 0, NULL, 8), IWARP_ERR_STATE);
  b.h->mem = a.h->mem; /* where its buffers are */
  wire_send(&a, 1);
  wire_send(&b, 1);
  wire_send(&a, 2);
  ck_assert_uint_eq(last(&b, IWARP_ENDPOINT_EVENT_RECV)->u.recv.token, 1);
  ck_assert_uint_eq(last(&a, IWARP_ENDPOINT_EVENT_RECV)->u.recv.token, 2);
  ck_assert_ptr_eq(last(&a, IWARP_ENDPOINT_EVENT_RECV)->u.recv.user, srq);
  ck_assert_uint_eq(iwarp_srq_num(srq), 1);
  ok(iwarp_endpoint_abort(a.h->ep));
  ep_host_run(a.h);
  ck_assert_uint_eq(ep_host_count(a.h, IWARP_ENDPOINT_EVENT_RECV), 2);
  wire_send(&b, 2);
  ck_assert_uint_eq(last(&b, IWARP_ENDPOINT_EVENT_RECV)->u.recv.token, 3);
  wire_send(&b, 3); /* none is left */
  ck_assert_uint_eq(last(&b, IWARP_ENDPOINT_EVENT_FAULT)->u.fault.code, 2);
  wire_free(&a);
  wire_free(&b);
  free(srq);
}
END_TEST

/* A message under way has its buffer, and gives it back FLUSHED. */
START_TEST(a_message_under_way)
{
  iwarp_srq *srq = srq_new(2, 0);
  wire w = srq_wire(srq, 0);
  const seg s = {.opcode = IWARP_RDMAP_OP_SEND, .more = true, .len = 4, .inner = {1}};
  srq_post(srq, 5, w.h->mem, 8);
  srq_post(srq, 6, w.h->mem, 8);
  wire_seg(&w, &s);
  ck_assert_uint_eq(iwarp_srq_num(srq), 1);
  iwarp_endpoint_counters counters;
  iwarp_endpoint_counters_get(w.h->ep, &counters);
  ck_assert_uint_eq(counters.recvs, 1);
  ok(iwarp_endpoint_lost(w.h->ep));
  ep_host_run(w.h);
  const iwarp_endpoint_received *r = &last(&w, IWARP_ENDPOINT_EVENT_RECV)->u.recv;
  ck_assert(r->token == 5 && r->err == IWARP_ERR_FLUSHED && r->cause == IWARP_ENDPOINT_CAUSE_LOST);
  ck_assert_uint_eq(iwarp_srq_num(srq), 1);
  wire_free(&w);
  free(srq);
}
END_TEST

/* Immediate Data takes a buffer too. RFC 7306 6.1 */
START_TEST(immediate_data)
{
  for (int se = 0; se < 2; se++) {
    iwarp_srq *srq = srq_new(1, 0);
    wire w = srq_wire(srq, 0);
    const seg s = {.opcode = se == 1 ? IWARP_RDMAP_OP_IMMEDIATE_SE : IWARP_RDMAP_OP_IMMEDIATE,
                   .len = IWARP_RDMAP_IMMEDIATE_LEN,
                   .inner = "8 octets"};
    srq_post(srq, 5, NULL, 0);
    wire_seg(&w, &s);
    const iwarp_endpoint_received *r = &last(&w, IWARP_ENDPOINT_EVENT_RECV)->u.recv;
    ck_assert(r->token == 5 && r->err == IWARP_OK && r->solicited == (se == 1));
    ck_assert_mem_eq(r->immediate, "8 octets", IWARP_RDMAP_IMMEDIATE_LEN);
    ck_assert_uint_eq(iwarp_srq_num(srq), 0);
    wire_free(&w);
    free(srq);
  }
}
END_TEST

/* Whoever takes events first hears that few are left, once. */
START_TEST(few_are_left)
{
  iwarp_srq *srq = srq_new(4, 2);
  wire w = srq_wire(srq, 0);
  srq_post(srq, 1, w.h->mem, 8);
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV_LOW), 0); /* never were enough */
  srq_post(srq, 2, w.h->mem, 8);
  wire_send(&w, 1);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV_LOW), 1);
  wire_send(&w, 2);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV_LOW), 1);
  wire_free(&w);
  free(srq);
}
END_TEST

/* Out of order a stream takes the buffers of all messages before, but no more than it may hold. */
START_TEST(out_of_order)
{
  iwarp_srq *srq = srq_new(8, 0);
  wire w = srq_wire(srq, 3);
  uint8_t octets[5][1024];
  size_t len[5];
  uint64_t at[5];
  for (uint64_t token = 0; token < 8; token++) {
    srq_post(srq, token, w.h->mem + 600 * token, 600);
  }
  wire_send(&w, 1);
  for (uint32_t i = 0; i < 5; i++) { /* each is long enough for a Marker */
    uint8_t ulpdu[600] = {0};
    const seg s = {.opcode = IWARP_RDMAP_OP_SEND, .msn = 2 + i};
    const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &s) + 560;
    at[i] = w.off;
    len[i] = wire_make(&w, octets[i], sizeof octets[i], ulpdu, n, 0, 0);
  }
  const uint64_t base = iwarp_endpoint_rx_offset(w.h->ep) - at[0];
  ok(iwarp_endpoint_push_at(w.h->ep, base + at[1], (iwarp_span){octets[1], len[1]}));
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER), 1);
  ck_assert_uint_eq(iwarp_srq_num(srq), 5);
  ok(iwarp_endpoint_push_at(w.h->ep, base + at[4], (iwarp_span){octets[4], len[4]}));
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER), 1);
  for (size_t i = 0; i < 5; i++) {
    if (i != 1) {
      ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){octets[i], len[i]}));
      ep_host_run(w.h);
    }
  }
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV), 6);
  ck_assert_uint_eq(last(&w, IWARP_ENDPOINT_EVENT_RECV)->u.recv.token, 5);
  ck_assert_uint_eq(iwarp_srq_num(srq), 2);
  wire_free(&w);
  free(srq);
}
END_TEST

/* ---- the caller's pointers ---- */

START_TEST(pointers_come_back)
{
  int mine[3];
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.user = &mine[0];
  wire w = wire_bare(&cfg);
  ck_assert_ptr_eq(iwarp_endpoint_user(w.h->ep), &mine[0]);
  const iwarp_endpoint_region region = {
      .stag = 1,
      .pd = 7,
      .base = 0x1000,
      .len = 64,
      .mem = w.h->mem,
      .access = IWARP_ACCESS_REMOTE_WRITE | IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_ATOMIC,
      .user = &mine[1]};
  const iwarp_endpoint_buffer buffer = {
      .token = 4, .user = &mine[2], .mem = w.h->mem + 64, .len = 8};
  iwarp_endpoint_event ev[2];
  size_t num;
  uint8_t ulpdu[64];
  uint8_t octets[128];
  ok(iwarp_endpoint_register(w.h->ep, &region));
  ok(iwarp_endpoint_recv_buffer(w.h->ep, &buffer));
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &write_seg);
  const size_t len = wire_make(&w, octets, sizeof octets, ulpdu, n, 0, 0);
  ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){octets, len}));
  ok(iwarp_endpoint_next_events(w.h->ep, ev, 2, &num));
  ck_assert(num == 1 && ev[0].u.place.user == &mine[1]);
  wire_send(&w, 1);
  ck_assert_ptr_eq(last(&w, IWARP_ENDPOINT_EVENT_RECV)->u.recv.user, &mine[2]);
  w.h->hold_atomics = true;
  const iwarp_rdmap_atomic_req req = {
      .aopcode = IWARP_RDMAP_AOP_FETCH_ADD, .stag = 1, .to = 0x1000};
  const seg atomic = atomic_seg(req);
  wire_seg(&w, &atomic);
  ck_assert_ptr_eq(last(&w, IWARP_ENDPOINT_EVENT_ATOMIC)->u.atomic.user, &mine[1]);
  wire_free(&w);
}
END_TEST

/* ---- unsignalled ---- */

static void send_one(wire *w, uint64_t token, bool signalled) {
  iwarp_endpoint_set_signalled(w->h->ep, signalled);
  ok(iwarp_endpoint_send(w->h->ep, token, IWARP_RDMAP_OP_SEND, 0, no_payload));
}

/* Those that succeed are silent, and their places are free again. */
START_TEST(unsignalled)
{
  wire w = wire_new(false, true, false);
  uint8_t octets[512];
  for (uint64_t token = 0; token < 12; token++) {
    send_one(&w, token, token % 4 == 3);
    ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  }
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_DONE), 3);
  ck_assert_uint_eq(last(&w, IWARP_ENDPOINT_EVENT_DONE)->u.done.token, 11);
  wire_free(&w);
}
END_TEST

/* Those that fail are reported, in order with the others. */
START_TEST(unsignalled_and_flushed)
{
  wire w = wire_new(false, true, false);
  for (uint64_t token = 0; token < 4; token++) {
    send_one(&w, token, token == 2);
  }
  ok(iwarp_endpoint_abort(w.h->ep));
  ep_host_run(w.h);
  uint64_t token = 0;
  for (size_t i = 0; i < w.h->num_log; i++) {
    if (w.h->log[i].kind == IWARP_ENDPOINT_EVENT_DONE) {
      ck_assert_uint_eq(w.h->log[i].u.done.token, token++);
      ck_assert_int_eq(w.h->log[i].u.done.err, IWARP_ERR_FLUSHED);
    }
  }
  ck_assert_uint_eq(token, 4);
  wire_free(&w);
}
END_TEST

/* ---- several events a call ---- */

/* Writes and a Send after them, for one push. */
static size_t writes_and_send(wire *w, uint8_t *octets, size_t cap, size_t num_writes) {
  const seg send = {.opcode = IWARP_RDMAP_OP_SEND, .len = 4, .inner = {9, 8, 7, 6}};
  size_t n = 0;
  for (size_t i = 0; i <= num_writes; i++) {
    uint8_t ulpdu[64];
    seg s = i < num_writes ? write_seg : send;
    s.to += i < num_writes ? 8 * i : 0;
    s.inner[0] = (uint8_t)(i + 1);
    n += wire_make(w, &octets[n], cap - n, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &s), 0, 0);
  }
  return n;
}

/* Four Writes and a Send in one push: their places and the completion come in one call. */
START_TEST(events_in_a_batch)
{
  wire w = wire_new(false, true, false);
  uint8_t octets[512];
  iwarp_endpoint_event ev[8];
  size_t num;
  const size_t n = writes_and_send(&w, octets, sizeof octets, 4);
  ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){octets, n}));
  for (size_t cap = 1; cap <= 2; cap++) {
    ok(iwarp_endpoint_next_events(w.h->ep, ev, cap, &num));
    ck_assert_uint_eq(num, cap);
  }
  ok(iwarp_endpoint_next_events(w.h->ep, ev, 8, &num));
  ck_assert_uint_eq(num, 3);
  ck_assert_int_eq(ev[0].kind, IWARP_ENDPOINT_EVENT_PLACE);
  ck_assert_int_eq(ev[1].kind, IWARP_ENDPOINT_EVENT_PLACE);
  ck_assert_int_eq(ev[2].kind, IWARP_ENDPOINT_EVENT_RECV);
  ck_assert_int_eq(iwarp_endpoint_next_events(w.h->ep, ev, 8, &num), IWARP_ERR_END);
  ck_assert_uint_eq(num, 0);
  ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){0}));
  wire_free(&w);
}
END_TEST

/* Completions wait at the endpoint that they belong to. An endpoint whose user does not take them
 * gets no more octets and loses none. It holds up no other endpoint, nor another's Read Requests.
 * RFC 5042 6.4.3.2 and 6.4.6 */
START_TEST(events_that_are_not_taken)
{
  wire a = wire_new(false, true, false);
  wire b = wire_new(false, true, false);
  uint8_t octets[512];
  seg request = read_seg((iwarp_rdmap_read_req){0});
  iwarp_endpoint_event ev;
  const size_t n = writes_and_send(&a, octets, sizeof octets, 3);
  ok(iwarp_endpoint_push(a.h->ep, (iwarp_span){octets, n}));
  for (size_t i = 0; i < 100; i++) {
    ck_assert_int_eq(iwarp_endpoint_push(a.h->ep, (iwarp_span){octets, 1}), IWARP_ERR_STATE);
  }
  wire_send(&b, 1);
  ck_assert_uint_eq(ep_host_count(b.h, IWARP_ENDPOINT_EVENT_RECV), 1);
  size_t places = 0;
  ok(iwarp_endpoint_next_event(a.h->ep, &ev));
  while (ev.kind == IWARP_ENDPOINT_EVENT_PLACE) {
    places++;
    ok(iwarp_endpoint_next_event(a.h->ep, &ev));
  }
  ck_assert(places == 4 && ev.kind == IWARP_ENDPOINT_EVENT_RECV && ev.u.recv.err == IWARP_OK);
  ck_assert_int_eq(iwarp_endpoint_next_event(a.h->ep, &ev), IWARP_ERR_END);
  for (request.msn = 1; request.msn <= 3; request.msn++) { /* one more than IRD */
    wire_seg(&a, &request);
  }
  ck_assert_uint_eq(ep_host_count(a.h, IWARP_ENDPOINT_EVENT_FAULT), 1);
  request.msn = 1;
  wire_seg(&b, &request);
  ck_assert_uint_gt(ep_host_pull(b.h, octets, sizeof octets), 0);
  ck_assert_uint_eq(ep_host_count(b.h, IWARP_ENDPOINT_EVENT_FAULT), 0);
  wire_free(&a);
  wire_free(&b);
}
END_TEST

/* A call ends when its room for runs is used; the next one has all of it again. */
START_TEST(a_batch_of_more_places_than_runs)
{
  wire w = wire_new(false, true, false);
  uint8_t octets[1024];
  iwarp_endpoint_event ev[16];
  size_t num;
  size_t places = 0;
  const size_t n = writes_and_send(&w, octets, sizeof octets, 6);
  ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){octets, n}));
  ok(iwarp_endpoint_next_events(w.h->ep, ev, 16, &num));
  ck_assert_uint_eq(num, 4);
  for (size_t i = 0; i < num; i++) {
    ck_assert_int_eq(ev[i].kind, IWARP_ENDPOINT_EVENT_PLACE);
    ck_assert_uint_eq(ev[i].u.place.offset, 8 * places++);
  }
  ok(iwarp_endpoint_next_events(w.h->ep, ev, 16, &num));
  ck_assert_uint_eq(num, 4); /* two Writes, the Send and its completion */
  ck_assert_int_eq(ev[3].kind, IWARP_ENDPOINT_EVENT_RECV);
  wire_free(&w);
}
END_TEST

/* Wherever pushes part, what a batch names is there until the next call. */
START_TEST(a_batch_keeps_its_octets)
{
  wire whole = wire_new(false, true, false);
  uint8_t octets[512];
  const size_t n = writes_and_send(&whole, octets, sizeof octets, 3);
  wire_free(&whole);
  for (size_t cut = 1; cut < n; cut++) {
    for (size_t second = cut; second < n; second += property_stride()) {
      wire w = wire_new(false, true, false);
      const iwarp_span parts[] = {
          {octets, cut}, {&octets[cut], second - cut}, {&octets[second], n - second}};
      for (size_t i = 0; i < 3; i++) {
        iwarp_endpoint_event ev[8];
        size_t num;
        ok(iwarp_endpoint_push(w.h->ep, parts[i]));
        while (iwarp_endpoint_next_events(w.h->ep, ev, 8, &num) == IWARP_OK) {
          for (size_t k = 0; k < num; k++) { /* only now, when all of them were made */
            if (ev[k].kind == IWARP_ENDPOINT_EVENT_PLACE) {
              ep_place(&ev[k].u.place);
            }
          }
        }
      }
      ck_assert(w.h->mem[1] == 1 && w.h->mem[9] == 2 && w.h->mem[17] == 3);
      ck_assert(w.h->mem[1024] == 4 && w.h->mem[1025] == 8);
      wire_free(&w);
    }
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {sizes_and_errors,
                                a_table_of_regions,
                                one_table_for_two,
                                another_protection_domain,
                                revoked_by_another,
                                one_queue_for_two,
                                a_message_under_way,
                                immediate_data,
                                few_are_left,
                                out_of_order,
                                pointers_come_back,
                                unsignalled,
                                unsignalled_and_flushed,
                                events_that_are_not_taken,
                                events_in_a_batch,
                                a_batch_of_more_places_than_runs,
                                a_batch_keeps_its_octets,
                                NULL};
  Suite *suite = check_suite("stream_ep_shared", tests);
  TCase *t = tcase_create("each");
  tcase_add_loop_test(t, access_ends_after_place, 0, 2);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
