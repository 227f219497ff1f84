/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes, limits and warnings of an endpoint, and its end for reasons of its own. RFC 5042 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"
#include "stream/ep_priv.h"
#include "stream/observer_priv.h"
#include "stream/tx_priv.h"

#define OP(name_) IWARP_RDMAP_OP_##name_
#define STATE_MAX 1024u /* octets of state in one direction, buffers left out */

static void ok(iwarp_err err) {
  ck_assert_int_eq(err, IWARP_OK);
}

/* ---- sizes ---- */

static size_t member(const char *what, size_t size) {
  printf("  %6zu octets: %s\n", size, what);
  return size;
}

#define MEMBER(type_, name_) member(#type_ "." #name_, sizeof((type_ *)0)->name_)

/* What a connection keeps in memory apart from octets, headers and lists, each way. */
START_TEST(state_is_small)
{
  printf("endpoint, receiving and both ways together:\n");
  size_t state = member("iwarp_endpoint", sizeof(iwarp_endpoint));
  state -= MEMBER(iwarp_endpoint, startup.in) + MEMBER(iwarp_endpoint, startup.out) +
           MEMBER(iwarp_endpoint, rx.inner) + MEMBER(iwarp_endpoint, reassembly.hdr) +
           MEMBER(iwarp_endpoint, fault.header) + MEMBER(iwarp_endpoint, fault.read);
  ck_assert_uint_le(member("left", state), STATE_MAX);
  printf("transmit engine:\n");
  ck_assert_uint_le(member("iwarp_tx", sizeof(iwarp_tx)), STATE_MAX);
  printf("receive engine of an observer, for one direction:\n");
  state = member("iwarp_rx", sizeof(iwarp_rx));
  state -= MEMBER(iwarp_rx, buf) + MEMBER(iwarp_rx, chunks) + MEMBER(iwarp_rx, hdr) +
           MEMBER(iwarp_rx, holed.piece) + MEMBER(iwarp_rx, holed.gaps);
  const size_t conn = sizeof(iwarp_observer) - 2 * sizeof(iwarp_rx);
  ck_assert_uint_le(
      member("left, with half of what iwarp_observer has beside it", state + conn / 2), STATE_MAX);
}
END_TEST

/* The memory of an endpoint is what the configuration asks for. */
START_TEST(memory_follows_configuration)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  const size_t usual = iwarp_endpoint_size(&cfg);
  cfg.max_ulpdu = IWARP_ENDPOINT_MAX_ULPDU;
  ck_assert_uint_eq(iwarp_endpoint_size(&cfg), usual);
  cfg.emss = 20000; /* a peer's FPDUs may be as long */
  cfg.max_ulpdu = 0;
  const size_t jumbo = iwarp_endpoint_size(&cfg);
  cfg.max_ulpdu = 20000;
  ck_assert_uint_eq(iwarp_endpoint_size(&cfg), jumbo);
  cfg.emss = 70000;
  cfg.max_ulpdu = 0;
  const size_t most = iwarp_endpoint_size(&cfg);
  cfg.max_ulpdu = 65535;
  ck_assert_uint_eq(iwarp_endpoint_size(&cfg), most);
  cfg.max_ulpdu = 1400;
  const size_t small = iwarp_endpoint_size(&cfg);
  ck_assert_uint_lt(small + 60000, most);
  ck_assert_uint_lt(small + 7000, usual);
  cfg.num_out_of_order = 16;
  const size_t ahead = iwarp_endpoint_size(&cfg);
  ck_assert_uint_ge(ahead, small + 16 * (sizeof(ep_record) + sizeof(ep_node)));
  cfg.markers = true;
  ck_assert_uint_gt(iwarp_endpoint_size(&cfg), ahead);
  printf("endpoint for ULPDUs of 1400 octets: %zu octets, of 65535: %zu octets\n", small, most);
  cfg.num_fpdus = 64;
  ck_assert_uint_gt(iwarp_endpoint_size(&cfg), ahead);
  cfg.num_fpdus = IWARP_TX_FPDUS_MAX + 1;
  ck_assert_uint_eq(iwarp_endpoint_size(&cfg), 0);
  cfg.num_fpdus = 0;
  cfg.max_ulpdu = 65536;
  ck_assert_uint_eq(iwarp_endpoint_size(&cfg), 0);
  cfg.max_ulpdu = 0;
  cfg.num_out_of_order = IWARP_ENDPOINT_LIST_MAX + 1;
  ck_assert_uint_eq(iwarp_endpoint_size(&cfg), 0);
}
END_TEST

/* The buffer for an FPDU in pieces holds the largest one at every stream offset, and little more.
 */
START_TEST(buffer_holds_an_fpdu)
{
  static const uint32_t lens[] = {1, 2, 3, 490, 491, 500, 1000, 1400, 1460, 9000, 65534, 65535};
  iwarp_endpoint_cfg cfg = {.max_ulpdu = lens[_i]};
  for (int markers = 0; markers < 2; markers++) {
    size_t most = 0;
    cfg.markers = markers == 1;
    for (uint64_t off = 0; off < IWARP_MPA_MARKER_PERIOD; off += 4) {
      for (uint32_t less = 0; less < 4 && less < lens[_i]; less++) {
        const size_t len =
            iwarp_mpa_layout_of(off, (uint16_t)(lens[_i] - less), cfg.markers).wire_len;
        most = len > most ? len : most;
      }
    }
    ck_assert_uint_ge(iwarpi_ep_frame_max(&cfg), most);
    ck_assert_uint_le(iwarpi_ep_frame_max(&cfg), most + 11);
  }
}
END_TEST

/* A ULPDU of the length allowed is taken, a longer one ends the connection, and how the transport
 * cuts it does not matter. RFC 6581 8 */
START_TEST(ulpdu_too_long)
{
  static const size_t pieces[] = {7, 60, 256};
  iwarp_endpoint_cfg cfg = wire_cfg(_i % 2 == 1, true, false);
  seg s = {.tagged = true, .opcode = OP(WRITE), .stag = 1, .to = 0x1000, .len = 64};
  cfg.max_ulpdu = 14 + 64;
  wire w = wire_of(&cfg);
  wire_seg(&w, &s);
  ck_assert_uint_eq(w.h->placed, 64);
  s.len = 65; /* beyond the region too, but nobody looks there */
  uint8_t ulpdu[128];
  uint8_t octets[256];
  const size_t len =
      wire_make(&w, octets, sizeof octets, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &s), 0, 0);
  ep_host_push(w.h, octets, len, pieces[_i / 2]);
  expect_fault(&w, 0x2005, NULL, 0);
  wire_free(&w);
}
END_TEST

/* ---- the end, for reasons of this side ---- */

/* The Terminate of the last FPDU that goes out; octets of Read Responses before it. */
static iwarp_rdmap_term last_terminate(wire *w, uint32_t *responded) {
  static uint8_t octets[32768];
  const size_t got = ep_host_pull(w->h, octets, sizeof octets);
  iwarp_rdmap_seg s = {0};
  for (size_t at = 0; at < got;) {
    iwarp_mpa_fpdu f;
    ck_assert_int_eq(iwarp_mpa_fpdu_decode(&f, (iwarp_span){&octets[at], got - at}, at, false).err,
                     IWARP_OK);
    at += f.wire.len;
    iwarp_rdmap_seg_decode(&s, (iwarp_span){&f.wire.ptr[2], f.ulpdu_length}, f.ulpdu_length);
    *responded += s.ctrl.opcode == OP(READ_RESP) ? (uint32_t)s.payload_len : 0;
  }
  ck_assert_int_eq(s.kind, IWARP_RDMAP_KIND_TERM);
  return s.u.term;
}

START_TEST(local_fault)
{
  wire w = wire_new(false, true, false);
  const iwarp_tx_payload none = {0};
  ck_assert_int_eq(iwarp_endpoint_fail(w.h->ep, 16, 0, 0), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_fail(w.h->ep, 0, 16, 0), IWARP_ERR_ARG);
  ok(iwarp_endpoint_fail(w.h->ep, 2, 0, 5));
  ck_assert_int_eq(iwarp_endpoint_fail(w.h->ep, 0, 0, 0), IWARP_ERR_STATE);
  ep_host_run(w.h);
  ck_assert_int_eq(iwarp_endpoint_send(w.h->ep, 9, OP(SEND), 0, none), IWARP_ERR_STATE);
  expect_fault(&w, 0x2005, NULL, 0);
  wire_free(&w);
}
END_TEST

/* Both halves: the peer has closed his, and this side is about to. */
START_TEST(local_fault_late)
{
  wire w = wire_new(false, true, false);
  ok(iwarp_endpoint_eof(w.h->ep));
  ep_host_run(w.h);
  ok(iwarp_endpoint_fail(w.h->ep, 0, 0, 0));
  ck_assert_int_eq(iwarp_endpoint_fail(w.h->ep, 0, 0, 0), IWARP_ERR_STATE);
  ep_host_run(w.h);
  uint32_t more = 0;
  const iwarp_rdmap_term t = last_terminate(&w, &more);
  ck_assert(t.layer == 0 && t.etype == 0 && t.code == 0 && !t.m && !t.d && !t.r);
  ck_assert_int_eq(iwarp_endpoint_info_get(w.h->ep)->state, IWARP_ENDPOINT_CLOSED);
  wire_free(&w);
}
END_TEST

/* Before Full Operation there is no Terminate; after the fence the connection ends without one. */
START_TEST(local_fault_early)
{
  const iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_RESPONDER);
  const iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_INITIATOR);
  ep_host *h = ep_host_new(&cfg);
  ep_host *other = ep_host_new(&peer);
  ck_assert_int_eq(iwarp_endpoint_fail(h->ep, 2, 0, 5), IWARP_ERR_STATE);
  ep_join(other, h);
  ok(iwarp_endpoint_fail(h->ep, 2, 0, 5));
  ep_host_run(h);
  ck_assert(!ep_host_last(h, IWARP_ENDPOINT_EVENT_FAULT)->u.fault.sent);
  ck_assert(ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.disconnect);
  ck_assert_int_eq(iwarp_endpoint_fail(h->ep, 2, 0, 5), IWARP_ERR_STATE);
  ep_host_free(h);
  ep_host_free(other);
}
END_TEST

/* The Initiator sends FPDUs before the Reply is on its way. */
START_TEST(initiator_too_early)
{
  const iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_RESPONDER);
  const iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_INITIATOR);
  const uint8_t octets[4] = {0};
  ep_host *h = ep_host_new(&cfg);
  ep_host *other = ep_host_new(&peer);
  ok(iwarp_endpoint_listen(h->ep));
  ok(iwarp_endpoint_connect(other->ep, (iwarp_span){0}));
  ep_talk(h, other, 100);
  ok(iwarp_endpoint_accept(h->ep, (iwarp_span){0}));
  ep_host_push(h, octets, sizeof octets, sizeof octets);
  const iwarp_endpoint_ev *ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(ev != NULL && ev->u.closed.disconnect);
  ck_assert_int_eq(ev->u.closed.err, IWARP_ERR_MPA_PD_LENGTH);
  ep_host_free(h);
  ep_host_free(other);
}
END_TEST

/* ---- revocation ---- */

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
  const iwarp_rdmap_term t = last_terminate(&w, &more);
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
  const iwarp_rdmap_term t = last_terminate(&w, &more);
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
  const iwarp_rdmap_term t = last_terminate(&w, &more);
  ck_assert_int_eq(iwarp_rdmap_read_req_decode(&left, t.rdma_header).err, IWARP_OK);
  ck_assert_uint_eq(t.ddp_header.ptr[13], 2); /* its MSN */
  ck_assert_uint_eq(left.size + more, 4096);
  wire_free(&w);
}
END_TEST

/* ---- segment size ---- */

/* A new EMSS holds before and in Full Operation. RFC 5044 4.5 */
START_TEST(emss_changes)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  const iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_RESPONDER);
  static const uint8_t payload[9000];
  const iwarp_span part = {payload, sizeof payload};
  iwarp_span spans[8];
  iwarp_tx_out out;
  ep_host *h = ep_host_new(&cfg);
  ep_host *other = ep_host_new(&peer);
  ck_assert_int_eq(iwarp_endpoint_set_emss(h->ep, 0), IWARP_ERR_ARG);
  ok(iwarp_endpoint_set_emss(h->ep, 1000));
  ep_join(h, other);
  ok(iwarp_endpoint_write(h->ep, 1, 5, 0, (iwarp_tx_payload){&part, 1}));
  ok(iwarp_endpoint_next_output(h->ep, spans, 8, &out));
  ck_assert_uint_le(out.len, 1000);
  ck_assert_uint_gt(out.len, 900);
  ok(iwarp_endpoint_advance(h->ep, out.len));
  ok(iwarp_endpoint_set_emss(h->ep, 4000));
  ok(iwarp_endpoint_next_output(h->ep, spans, 8, &out));
  ck_assert_uint_le(out.len, 4000);
  ck_assert_uint_gt(out.len, 3900);
  ep_host_free(h);
  ep_host_free(other);
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
  const iwarp_rdmap_term t = last_terminate(&w, &more);
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
  const iwarp_rdmap_term t = last_terminate(&w, &more);
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
  iwarp_endpoint_ev ev;
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
  iwarp_endpoint_ev ev;
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
  iwarp_endpoint_ev ev;
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

/* ---- what is counted ---- */

/* Requests beyond IRD find no place, even where it might have risen. */
START_TEST(depth_in_force)
{
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.ird = 1;
  cfg.ird_max = 8;
  cfg.rev = 1; /* nothing is negotiated */
  wire w = wire_of(&cfg);
  ck_assert_uint_eq(iwarp_endpoint_info_get(w.h->ep)->ird, 1);
  seg s = read_seg((iwarp_rdmap_read_req){0});
  uint8_t ulpdu[64];
  wire_seg(&w, &s);
  s.msn = 2;
  wire_seg(&w, &s);
  expect_fault(&w, 0x1202, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &s));
  wire_free(&w);
}
END_TEST

/* What waits after a Read without credit did not go out, and does not succeed. */
START_TEST(nothing_went_out)
{
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.ord = 1;
  wire w = wire_of(&cfg);
  const iwarp_rdmap_read_req req = {.sink_stag = 3, .sink_to = 0x1000, .size = 4};
  uint8_t octets[256];
  ok(iwarp_endpoint_read(w.h->ep, 1, &req));
  ok(iwarp_endpoint_read(w.h->ep, 2, &req));
  ok(iwarp_endpoint_send(w.h->ep, 3, OP(SEND), 0, (iwarp_tx_payload){0}));
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  ok(iwarp_endpoint_fail(w.h->ep, 0, 0, 0));
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_DONE), 3);
  for (size_t i = 0; i < w.h->num_log; i++) {
    const iwarp_endpoint_ev *ev = &w.h->log[i];
    ck_assert(ev->kind != IWARP_ENDPOINT_EVENT_DONE || ev->u.done.err == IWARP_ERR_FLUSHED);
  }
  wire_free(&w);
}
END_TEST

/* An Atomic Response finds no place where only Reads wait, before and after their Responses. */
START_TEST(no_atomic_is_outstanding)
{
  wire w = wire_new(false, true, false);
  const iwarp_rdmap_read_req req = {.sink_stag = 3, .sink_to = 0x1000};
  const seg answer = {.tagged = true, .opcode = OP(READ_RESP)};
  const seg s = {.opcode = OP(ATOMIC_RESP), .qn = 3, .len = IWARP_RDMAP_ATOMIC_RESP_LEN};
  uint8_t octets[256];
  ok(iwarp_endpoint_read(w.h->ep, 1, &req));
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  if (_i == 1) {
    wire_seg(&w, &answer);
    ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.err, IWARP_OK);
  }
  wire_seg(&w, &s);
  expect_fault(&w, 0x1202, octets, seg_ulpdu(octets, sizeof octets, &s));
  wire_free(&w);
}
END_TEST

/* Atomic Operations that wait when the stream ends are neither asked for nor answered. */
START_TEST(atomics_end_with_the_stream)
{
  wire w = wire_new(false, true, false);
  w.h->hold_atomics = true;
  for (uint32_t i = 0; i < 2; i++) {
    seg s = atomic_seg((iwarp_rdmap_atomic_req){.stag = 1, .to = 0x1007});
    s.msn = i + 1;
    wire_seg(&w, &s);
  }
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_ATOMIC), 1);
  ok(iwarp_endpoint_fail(w.h->ep, 0, 0, 0));
  ck_assert_int_eq(iwarp_endpoint_atomic_answer(w.h->ep, 5), IWARP_ERR_STATE);
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_ATOMIC), 1);
  wire_free(&w);
}
END_TEST

/* The transport may say late what it took: a Response comes before that, in two segments. */
START_TEST(taken_late)
{
  wire w = wire_new(false, true, false);
  const iwarp_rdmap_read_req req = {.sink_stag = 3, .sink_to = 0x1000, .size = 8};
  seg s = {
      .tagged = true, .more = true, .opcode = OP(READ_RESP), .stag = 3, .to = 0x1000, .len = 4};
  iwarp_span spans[16];
  iwarp_tx_out out;
  ok(iwarp_endpoint_send(w.h->ep, 1, OP(SEND), 0, (iwarp_tx_payload){0}));
  ok(iwarp_endpoint_read(w.h->ep, 2, &req));
  ok(iwarp_endpoint_next_output(w.h->ep, spans, 16, &out));
  wire_seg(&w, &s);
  ok(iwarp_endpoint_advance(w.h->ep, out.len));
  while (iwarp_endpoint_next_output(w.h->ep, spans, 16, &out) == IWARP_OK) {
    ok(iwarp_endpoint_advance(w.h->ep, out.len));
  }
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.token, 1);
  s.more = false;
  s.to += 4;
  wire_seg(&w, &s);
  ck_assert_uint_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.token, 2);
  ck_assert_int_eq(ep_host_last(w.h, IWARP_ENDPOINT_EVENT_DONE)->u.done.err, IWARP_OK);
  wire_free(&w);
}
END_TEST

/* ---- warnings ---- */

START_TEST(few_receive_buffers)
{
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  iwarp_endpoint_counters c;
  cfg.recv_low = 2;
  wire w = wire_of(&cfg); /* posts two */
  seg s = {.opcode = OP(SEND), .len = 1};
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV_LOW), 0);
  wire_seg(&w, &s);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV_LOW), 1);
  ck_assert_int_eq(w.h->log[w.h->num_log - 1].kind, IWARP_ENDPOINT_EVENT_RECV_LOW);
  s.msn = 2;
  wire_seg(&w, &s);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV_LOW), 1); /* reported already */
  iwarp_endpoint_counters_get(w.h->ep, &c);
  ck_assert_uint_eq(c.recvs, 0);
  ck_assert_uint_eq(c.recvs_used, 2);
  ok(iwarp_endpoint_recv(w.h->ep, 1, w.h->mem, 8));
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV_LOW), 1);
  ok(iwarp_endpoint_recv(w.h->ep, 2, w.h->mem, 8));
  s.msn = 3;
  wire_seg(&w, &s);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_RECV_LOW), 2);
  wire_free(&w);
}
END_TEST

START_TEST(counters_count)
{
  uint8_t octets[512];
  wire w = wire_new(false, true, false);
  iwarp_endpoint_counters c;
  const iwarp_rdmap_read_req req = {.sink_stag = 3, .sink_to = 0x1000, .size = 64};
  ok(iwarp_endpoint_read(w.h->ep, 1, &req));
  ok(iwarp_endpoint_send(w.h->ep, 2, OP(SEND), 0, (iwarp_tx_payload){0}));
  const seg s = read_seg((iwarp_rdmap_read_req){.size = 4, .source_stag = 1, .source_to = 0x1000});
  wire_seg(&w, &s);
  iwarp_endpoint_counters_get(w.h->ep, &c);
  ck_assert_uint_eq(c.recvs, 2);
  ck_assert_uint_eq(c.recvs_used, 0);
  ck_assert_uint_eq(c.ops, 2);
  ck_assert_uint_eq(c.outstanding, 1);
  ck_assert_uint_eq(c.inbound, 1);
  if (_i == 0) { /* no Response comes any more */
    ok(iwarp_endpoint_eof(w.h->ep));
  } else {
    ok(iwarp_endpoint_fail(w.h->ep, 0, 0, 0));
  }
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  ep_host_run(w.h);
  iwarp_endpoint_counters_get(w.h->ep, &c);
  ck_assert_uint_eq(c.recvs, 0);
  ck_assert_uint_eq(c.ops, 0);
  ck_assert_uint_eq(c.outstanding, 0);
  ck_assert_uint_eq(c.inbound, 0);
  wire_free(&w);
}
END_TEST

/* Silence is reported again and again, and any octet puts it off. */
START_TEST(silence)
{
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  uint8_t octets[128];
  cfg.idle_ns = 100;
  wire w = wire_of(&cfg);
  const iwarp_endpoint_event_kind kind = IWARP_ENDPOINT_EVENT_IDLE;
  iwarp_endpoint_time(w.h->ep, 0);
  ck_assert_uint_eq(iwarp_endpoint_deadline(w.h->ep), 100);
  iwarp_endpoint_time(w.h->ep, 99);
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, kind), 0);
  iwarp_endpoint_time(w.h->ep, 100);
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, kind), 1);
  ck_assert_uint_eq(iwarp_endpoint_deadline(w.h->ep), 200);
  iwarp_endpoint_time(w.h->ep, 150);
  const seg s = {.opcode = OP(SEND), .len = 1};
  wire_seg(&w, &s);
  ck_assert_uint_eq(iwarp_endpoint_deadline(w.h->ep), 250);
  iwarp_endpoint_time(w.h->ep, 240);
  ok(iwarp_endpoint_push(w.h->ep, (iwarp_span){0}));
  ep_host_run(w.h);
  ck_assert_uint_eq(iwarp_endpoint_deadline(w.h->ep), 250);
  ok(iwarp_endpoint_send(w.h->ep, 0, OP(SEND), 0, (iwarp_tx_payload){0}));
  ck_assert_uint_gt(ep_host_pull(w.h, octets, sizeof octets), 0);
  ck_assert_uint_eq(iwarp_endpoint_deadline(w.h->ep), 340);
  iwarp_endpoint_time(w.h->ep, UINT64_MAX - 50);
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, kind), 2);
  ck_assert_uint_eq(iwarp_endpoint_deadline(w.h->ep), IWARP_TIME_NEVER);
  wire_free(&w);
}
END_TEST

/* At the end of the connection its own time limit counts. */
START_TEST(silence_at_the_end)
{
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.idle_ns = 100;
  cfg.close_ns = 1000;
  wire w = wire_of(&cfg);
  iwarp_endpoint_time(w.h->ep, 0);
  ok(iwarp_endpoint_close(w.h->ep));
  ep_host_run(w.h);
  ck_assert_uint_eq(iwarp_endpoint_deadline(w.h->ep), 1000);
  iwarp_endpoint_time(w.h->ep, 500);
  ep_host_run(w.h);
  ck_assert_uint_eq(ep_host_count(w.h, IWARP_ENDPOINT_EVENT_IDLE), 0);
  wire_free(&w);
}
END_TEST

/* ---- STags ---- */

static int by_value(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a;
  const uint32_t y = *(const uint32_t *)b;
  return x < y ? -1 : x > y ? 1 : 0;
}

/* No STag comes twice, their octets are spread, and another key gives others. RFC 5042 6.1.1 */
START_TEST(stags_differ)
{
  enum { NUM = 100000 };
  static uint32_t stags[NUM];
  static uint32_t seen[4][256];
  const uint8_t key[IWARP_STAG_KEY_LEN] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  uint8_t other[IWARP_STAG_KEY_LEN];
  uint32_t same = 0;
  memcpy(other, key, sizeof key);
  other[15] = 17;
  memset(seen, 0, sizeof seen);
  for (uint32_t i = 0; i < NUM; i++) {
    stags[i] = iwarp_stag_generate(key, i);
    same += stags[i] == iwarp_stag_generate(other, i) ? 1 : 0;
    for (uint32_t k = 0; k < 4; k++) {
      seen[k][stags[i] >> 8 * k & 0xFF]++;
    }
  }
  ck_assert_uint_le(same, 2);
  for (uint32_t k = 0; k < 4 * 256; k++) { /* 390 on average, standard deviation 20 */
    ck_assert_uint_gt(seen[k / 256][k % 256], 270);
    ck_assert_uint_lt(seen[k / 256][k % 256], 510);
  }
  qsort(stags, NUM, sizeof stags[0], by_value);
  for (uint32_t i = 1; i < NUM; i++) {
    ck_assert_uint_ne(stags[i - 1], stags[i]);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stream-ep-limits");
  TCase *t = tcase_create("limits");
  tcase_add_test(t, state_is_small);
  tcase_add_test(t, memory_follows_configuration);
  tcase_add_loop_test(t, buffer_holds_an_fpdu, 0, 12);
  tcase_add_loop_test(t, ulpdu_too_long, 0, 6);
  tcase_add_test(t, local_fault);
  tcase_add_test(t, local_fault_late);
  tcase_add_test(t, local_fault_early);
  tcase_add_test(t, initiator_too_early);
  tcase_add_loop_test(t, revoked_under_a_read, 0, 2);
  tcase_add_loop_test(t, revoked_in_peace, 0, 2);
  tcase_add_test(t, revoked_after_others);
  tcase_add_test(t, revoked_after_a_response);
  tcase_add_test(t, emss_changes);
  tcase_add_loop_test(t, revoked_after_a_fault, 0, 2);
  tcase_add_loop_test(t, region_goes_after_place, 0, 6);
  tcase_add_loop_test(t, end_under_placement, 0, 4);
  tcase_add_loop_test(t, region_goes_after_placement, 0, 2);
  tcase_add_test(t, depth_in_force);
  tcase_add_test(t, request_in_two_segments_then_revoked);
  tcase_add_test(t, nothing_went_out);
  tcase_add_loop_test(t, no_atomic_is_outstanding, 0, 2);
  tcase_add_test(t, atomics_end_with_the_stream);
  tcase_add_test(t, taken_late);
  tcase_add_test(t, few_receive_buffers);
  tcase_add_loop_test(t, counters_count, 0, 2);
  tcase_add_test(t, silence);
  tcase_add_test(t, silence_at_the_end);
  tcase_add_test(t, stags_differ);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
