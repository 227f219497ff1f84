/* SPDX-License-Identifier: BSD-2-Clause */
/* Regions that are taken away or revoked while octets come and go. RFC 5042 6.3.3 */
#include <string.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"

#define OP(name_) IWARP_RDMAP_OP_##name_
#define SOURCE_LEN 8192u

/* A Responder to Reads of region 6, of 8192 octets. */
static wire reader_of(uint32_t num_reads) {
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.num_regions = 6;
  wire w = wire_of(&cfg);
  const iwarp_endpoint_region v = {.stag = 6,
                                   .pd = 7,
                                   .base = 0x2000,
                                   .len = SOURCE_LEN,
                                   .mem = w.h->mem + 8192,
                                   .access = IWARP_ACCESS_REMOTE_READ};
  ok(iwarp_endpoint_register(w.h->ep, &v));
  for (uint32_t i = 0; i < num_reads; i++) {
    seg s = read_seg((iwarp_rdmap_read_req){
        .sink_stag = 77, .sink_to = 0x5000, .size = 4096, .source_stag = 6, .source_to = 0x2100});
    s.msn = i + 1;
    wire_seg(&w, &s);
  }
  return w;
}

/* What is returned is the Request with what is left of it. RFC 5040 4.8 */
START_TEST(revoked_under_a_read)
{
  wire w = reader_of(1);
  iwarp_span spans[8];
  iwarp_tx_out out;
  iwarp_rdmap_read_req left;
  uint32_t served = 0;
  if (_i == 1) { /* one FPDU was handed out */
    ok(iwarp_endpoint_next_output(w.h->ep, spans, 8, &out));
    ok(iwarp_endpoint_advance(w.h->ep, out.len));
    iwarp_mpa_fpdu f;
    iwarp_rdmap_seg s;
    uint8_t octets[2048];
    size_t n = 0;
    for (size_t i = 0; i < out.num_spans; i++) {
      memcpy(&octets[n], spans[i].ptr, spans[i].len);
      n += spans[i].len;
    }
    ck_assert_int_eq(iwarp_mpa_fpdu_decode(&f, (iwarp_span){octets, n}, 0, false).err, IWARP_OK);
    iwarp_rdmap_seg_decode(&s, (iwarp_span){&f.wire.ptr[2], f.ulpdu_length}, f.ulpdu_length);
    served = (uint32_t)s.payload_len;
    ck_assert_uint_gt(served, 0);
  }
  ok(iwarp_endpoint_revoke(w.h->ep, 6));
  ep_host_run(w.h);
  uint32_t more = 0;
  const iwarp_rdmap_term t = wire_last_terminate(&w, &more);
  ck_assert_uint_eq(more, 0);
  ck_assert(t.layer == 0 && t.etype == 1 && t.code == 0 && t.m && t.d && t.r);
  ck_assert_int_eq(iwarp_rdmap_read_req_decode(&left, t.rdma_header).err, IWARP_OK);
  ck_assert_uint_eq(left.sink_to, 0x5000 + served);
  ck_assert_uint_eq(left.source_to, 0x2100 + served);
  ck_assert_uint_eq(left.size, 4096 - served);
  ck_assert_uint_eq(left.sink_stag, 77);
  wire_free(&w);
}
END_TEST

/* Without a Read under way it is an invalidation. */
START_TEST(revoked_in_peace)
{
  wire w = reader_of(_i == 0 ? 0 : 2);
  uint8_t octets[16384];
  ck_assert_int_eq(iwarp_endpoint_revoke(w.h->ep, 1234), IWARP_ERR_ARG);
  if (_i == 1) {
    ok(iwarp_endpoint_revoke(w.h->ep, 1)); /* another one */
    ep_host_pull(w.h, octets, sizeof octets);
  }
  ok(iwarp_endpoint_revoke(w.h->ep, 6));
  ep_host_run(w.h);
  ck_assert_int_eq(iwarp_endpoint_info_get(w.h->ep)->state, IWARP_ENDPOINT_FULL);
  ok(iwarp_endpoint_deregister(w.h->ep, 6));
  wire_free(&w);
}
END_TEST

/* Other Requests before it are not to blame. */
START_TEST(revoked_after_others)
{
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.ird = 4;
  wire w = wire_of(&cfg);
  seg s[] = {
      read_seg((iwarp_rdmap_read_req){.source_stag = 1}),
      atomic_seg((iwarp_rdmap_atomic_req){.stag = 1, .to = 0x1007}),
      read_seg((iwarp_rdmap_read_req){.size = 4, .source_stag = 1, .source_to = 0x1000}),
  };
  for (uint32_t i = 0; i < 3; i++) {
    s[i].msn = i + 1;
    wire_seg(&w, &s[i]);
  }
  ok(iwarp_endpoint_revoke(w.h->ep, 1));
  ep_host_run(w.h);
  uint32_t more = 0;
  const iwarp_rdmap_term t = wire_last_terminate(&w, &more);
  ck_assert_uint_eq(t.ddp_header.ptr[13], 3); /* its MSN */
  wire_free(&w);
}
END_TEST

/* A Response that was made whole is over; the one after it is cut off. */
START_TEST(revoked_after_a_response)
{
  wire w = reader_of(2);
  iwarp_span spans[64];
  iwarp_tx_out out;
  size_t got = 0;
  while (got < 4096) {
    ok(iwarp_endpoint_next_output(w.h->ep, spans, 64, &out));
    ok(iwarp_endpoint_advance(w.h->ep, out.len));
    got += out.len;
  }
  ok(iwarp_endpoint_revoke(w.h->ep, 6));
  ep_host_run(w.h);
  uint32_t more = 0;
  iwarp_rdmap_read_req left;
  const iwarp_rdmap_term t = wire_last_terminate(&w, &more);
  ck_assert_int_eq(iwarp_rdmap_read_req_decode(&left, t.rdma_header).err, IWARP_OK);
  ck_assert_uint_eq(t.ddp_header.ptr[13], 2); /* its MSN */
  ck_assert_uint_eq(left.size + more, 4096);
  wire_free(&w);
}
END_TEST

/* Only the first fault is reported, however many Responses are cut off after it. */
START_TEST(revoked_after_a_fault)
{
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  enum { NUM = 12 };
  cfg.ird = NUM;
  cfg.num_regions += NUM;
  wire w = wire_of(&cfg);
  for (uint32_t i = 0; i < NUM; i++) {
    const iwarp_endpoint_region r = {
        .stag = 100 + i, .pd = 7, .len = 64, .mem = w.h->mem, .access = IWARP_ACCESS_REMOTE_READ};
    seg s = read_seg((iwarp_rdmap_read_req){.size = 8, .source_stag = 100 + i});
    s.msn = i + 1;
    ok(iwarp_endpoint_register(w.h->ep, &r));
    wire_seg(&w, &s);
  }
  if (_i == 1) { /* his half is closed: no Terminate of his can come, this side's may go */
    ok(iwarp_endpoint_eof(w.h->ep));
    ep_host_run(w.h);
  }
  ok(iwarp_endpoint_fail(w.h->ep, 2, 0, 5));
  for (uint32_t i = 0; i < NUM; i++) {
    ok(iwarp_endpoint_revoke(w.h->ep, 100 + i));
  }
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_FAULT), 1);
  const iwarp_endpoint_fault *f = &ep_host_last(w.h, IWARP_ENDPOINT_EVENT_FAULT)->u.fault;
  ck_assert(f->layer == 2 && f->etype == 0 && f->code == 5 && f->sent);
  uint32_t more = 0;
  const iwarp_rdmap_term t = wire_last_terminate(&w, &more);
  ck_assert(t.layer == 2 && t.etype == 0 && t.code == 5 && !t.d);
  wire_free(&w);
}
END_TEST

/* The Terminate about a Request that came in two segments returns the second: its header, and its
 * length. RFC 5040 4.8 */
START_TEST(request_in_two_segments_then_revoked)
{
  enum { FIRST = 20 };
  iwarp_endpoint_cfg cfg = wire_cfg(true, true, false);
  cfg.num_regions++;
  wire w = wire_of(&cfg);
  const iwarp_endpoint_region r = {
      .stag = 6, .pd = 7, .len = 64, .mem = w.h->mem, .access = IWARP_ACCESS_REMOTE_READ};
  const seg whole = read_seg((iwarp_rdmap_read_req){.size = 8, .source_stag = 6});
  seg first = whole;
  seg second = whole;
  uint32_t more = 0;
  ok(iwarp_endpoint_register(w.h->ep, &r));
  first.more = true;
  first.len = FIRST;
  second.mo = FIRST;
  second.len = whole.len - FIRST;
  memmove(second.inner, &second.inner[FIRST], second.len);
  wire_seg(&w, &first);
  wire_seg(&w, &second);
  ok(iwarp_endpoint_revoke(w.h->ep, 6));
  ep_host_run(w.h);
  const iwarp_rdmap_term t = wire_last_terminate(&w, &more);
  iwarp_ddp_hdr hdr;
  ck_assert(t.m && t.d && t.r);
  ck_assert_uint_eq(t.ddp_segment_length, IWARP_DDP_UNTAGGED_LEN + second.len);
  ck_assert_int_eq(iwarp_ddp_hdr_decode(&hdr, t.ddp_header).err, IWARP_OK);
  ck_assert_uint_eq(hdr.mo, FIRST);
  wire_free(&w);
}
END_TEST

/* PLACE names all of an FPDU: a region that goes then has got that, and gets nothing more. */
START_TEST(region_goes_after_place)
{
  typedef iwarp_err gone(iwarp_endpoint * ep, uint32_t stag);
  static gone *const by[] = {iwarp_endpoint_invalidate, iwarp_endpoint_revoke,
                             iwarp_endpoint_deregister};
  const bool read = _i >= 3;
  iwarp_endpoint_cfg cfg = wire_cfg(true, true, false);
  cfg.num_regions++;
  wire w = wire_of(&cfg);
  const iwarp_endpoint_region r = {
      .stag = 6, .pd = 7, .len = 2048, .mem = w.h->mem + 4096, .access = IWARP_ACCESS_REMOTE_WRITE};
  const iwarp_rdmap_read_req req = {.sink_stag = 6, .size = 1400};
  const seg s = {
      .tagged = true, .opcode = read ? OP(READ_RESP) : OP(WRITE), .stag = 6, .len = 1400};
  const seg more = {.tagged = true, .opcode = OP(WRITE), .stag = 6, .len = 1};
  uint8_t ulpdu[2048];
  uint8_t octets[2048];
  iwarp_endpoint_event ev;
  ok(iwarp_endpoint_register(w.h->ep, &r));
  if (read) {
    ok(iwarp_endpoint_read(w.h->ep, 99, &req));
    ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  }
  size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &s);
  size_t len = wire_make(&w, octets, sizeof octets, ulpdu, n, 0, 0);
  ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){octets, len}));
  ok(iwarp_endpoint_next_event(w.h->ep, &ev));
  ck_assert_int_eq(ev.kind, IWARP_ENDPOINT_EVENT_PLACE);
  ck_assert(ev.u.place.num_runs >= 3 && ev.u.place.len == 1400);
  ok(by[_i % 3](w.h->ep, 6));
  ep_host_run(w.h);
  ck_assert_uint_eq(w.h->placed, 0);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_FAULT), 0);
  if (read) {
    ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.err, IWARP_OK);
  }
  n = seg_ulpdu(ulpdu, sizeof ulpdu, &more);
  len = wire_make(&w, octets, sizeof octets, ulpdu, n, 0, 0);
  ep_host_push(w.h, octets, len, len);
  expect_fault(&w, 0x1100, ulpdu, n);
  wire_free(&w);
}
END_TEST

/* A Read whose octets were not all placed did not succeed, nor a Send, whatever ends the stream. */
START_TEST(end_under_placement)
{
  typedef iwarp_err ends(iwarp_endpoint * ep);
  static ends *const by[] = {iwarp_endpoint_abort, iwarp_endpoint_lost};
  wire w = wire_new(true, true, false);
  const iwarp_rdmap_read_req req = {.sink_stag = 3, .sink_to = 0x1000, .size = 64};
  seg s = {.tagged = true, .opcode = OP(READ_RESP), .stag = 3, .to = 0x1000, .len = 64};
  uint8_t ulpdu[128];
  uint8_t octets[256];
  iwarp_endpoint_event ev;
  ok(iwarp_endpoint_read(w.h->ep, 99, &req));
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  if (_i >= 2) {
    s = (seg){.opcode = OP(SEND), .len = 16};
  }
  const size_t len =
      wire_make(&w, octets, sizeof octets, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &s), 0, 0);
  ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){octets, len}));
  ok(iwarp_endpoint_next_event(w.h->ep, &ev));
  ck_assert_int_eq(ev.kind, IWARP_ENDPOINT_EVENT_PLACE);
  ok(by[_i % 2](w.h->ep));
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.token, 99);
  ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.err, IWARP_ERR_FLUSHED);
  ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_RECV)->u.recv.err, IWARP_ERR_FLUSHED);
  wire_free(&w);
}
END_TEST

/* After the last of them it goes in peace, and so does one of another kind of buffer. */
START_TEST(region_goes_after_placement)
{
  wire w = wire_new(false, true, false);
  seg s = {.tagged = true, .opcode = OP(WRITE), .stag = 1, .to = 0x1000, .len = 64};
  if (_i == 1) {
    s = (seg){.opcode = OP(SEND), .len = 16};
  }
  uint8_t ulpdu[128];
  uint8_t octets[128];
  iwarp_endpoint_event ev;
  const size_t len =
      wire_make(&w, octets, sizeof octets, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &s), 0, 0);
  ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){octets, len}));
  ok(iwarp_endpoint_next_event(w.h->ep, &ev));
  ck_assert_int_eq(ev.kind, IWARP_ENDPOINT_EVENT_PLACE);
  ok(iwarp_endpoint_deregister(w.h->ep, 1));
  ep_host_run(w.h);
  ck_assert_int_eq(iwarp_endpoint_info_get(w.h->ep)->state, IWARP_ENDPOINT_FULL);
  wire_free(&w);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stream-ep-revoke");
  TCase *t = tcase_create("revoke");
  tcase_add_loop_test(t, revoked_under_a_read, 0, 2);
  tcase_add_loop_test(t, revoked_in_peace, 0, 2);
  tcase_add_test(t, revoked_after_others);
  tcase_add_test(t, revoked_after_a_response);
  tcase_add_loop_test(t, revoked_after_a_fault, 0, 2);
  tcase_add_loop_test(t, region_goes_after_place, 0, 6);
  tcase_add_loop_test(t, end_under_placement, 0, 4);
  tcase_add_loop_test(t, region_goes_after_placement, 0, 2);
  tcase_add_test(t, request_in_two_segments_then_revoked);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
