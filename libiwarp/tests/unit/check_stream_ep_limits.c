/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes, limits and warnings of an endpoint, and its end for reasons of its own. RFC 5042 */
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "endpoint/owner.h"
#include "endpoint_pair.h"
#include "ep_wire.h"
#include "observer/state.h"
#include "tx/state.h"

#define OP(name_) IWARP_RDMAP_OP_##name_
#define STATE_MAX 1024u /* octets of state in one direction, buffers left out */

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
  static const uint32_t lens[] = {1,    2,    3,    128,  490,   491,  500,
                                  1000, 1400, 1460, 9000, 65534, 65535};
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
    ck_assert(lens[_i] < 128 || iwarpi_ep_frame_max(&cfg) >= (cfg.markers ? 140 : 136));
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
  s.len = 65; /* beyond the region too, but the region is not checked */
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
  const iwarp_rdmap_term t = wire_last_terminate(&w, &more);
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
  const iwarp_endpoint_event *ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(ev != NULL && ev->u.closed.disconnect);
  ck_assert_int_eq(ev->u.closed.err, IWARP_ERR_MPA_PD_LENGTH);
  ep_host_free(h);
  ep_host_free(other);
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
    const iwarp_endpoint_event *ev = &w.h->log[i];
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
  iwarp_tx_batch both = {.spans = spans, .max_spans = 16};
  ok(iwarp_endpoint_send(w.h->ep, 1, OP(SEND), 0, (iwarp_tx_payload){0}));
  ok(iwarp_endpoint_read(w.h->ep, 2, &req));
  ok(iwarp_endpoint_next_batch(w.h->ep, &both));
  wire_seg(&w, &s);
  ok(iwarp_endpoint_advance(w.h->ep, both.all.len));
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
  tcase_add_loop_test(t, buffer_holds_an_fpdu, 0, 13);
  tcase_add_loop_test(t, ulpdu_too_long, 0, 6);
  tcase_add_test(t, local_fault);
  tcase_add_test(t, local_fault_late);
  tcase_add_test(t, local_fault_early);
  tcase_add_test(t, initiator_too_early);
  tcase_add_test(t, emss_changes);
  tcase_add_test(t, depth_in_force);
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
