/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations of an endpoint: order, credit, regions, and what becomes of them at the end. */
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"

/* Both in Full Operation; at r region 1 for everything at 0x1000, 256 octets, at i region 3. */
static ep_ends joined_of(uint16_t ird, bool pack) {
  iwarp_endpoint_cfg a = ep_cfg(IWARP_ROLE_INITIATOR);
  iwarp_endpoint_cfg b = ep_cfg(IWARP_ROLE_RESPONDER);
  a.peer_to_peer = true;
  a.pack = pack;
  b.ird = ird;
  a.rtr = IWARP_RTR_WRITE;
  ep_ends p = ep_ends_new(&a, &b);
  ep_join(p.i, p.r);
  const iwarp_endpoint_region all = {
      .stag = 1,
      .pd = 7,
      .base = 0x1000,
      .len = 256,
      .mem = p.r->mem,
      .access = IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE | IWARP_ACCESS_REMOTE_ATOMIC};
  const iwarp_endpoint_region sink = {.stag = 3, .pd = 7, .len = 256, .mem = p.i->mem};
  ok(iwarp_endpoint_register(p.r->ep, &all));
  ok(iwarp_endpoint_register(p.i->ep, &sink));
  p.i->num_log = 0;
  p.r->num_log = 0;
  return p;
}

static ep_ends joined(uint16_t ird) {
  return joined_of(ird, false);
}

static uint8_t text[] = "0123456789abcdef";
static const iwarp_span text_part = {text, 16};

static iwarp_tx_payload some(void) {
  return (iwarp_tx_payload){.parts = &text_part, .num_parts = 1};
}

static const iwarp_rdmap_read_req good_read = {
    .sink_stag = 3, .sink_to = 0, .size = 16, .source_stag = 1, .source_to = 0x1000};

/* ---- arguments ---- */

START_TEST(arguments)
{
  ep_ends p = joined(2);
  iwarp_endpoint *ep = p.i->ep;
  const iwarp_span bad = {NULL, 1};
  const iwarp_span huge[] = {{text, UINT32_MAX}, {text, 1}};
  const iwarp_tx_payload payloads[] = {{NULL, 1}, {&bad, 1}, {huge, 2}};
  for (size_t i = 0; i < 3; i++) {
    ck_assert_int_eq(iwarp_endpoint_write(ep, 1, 1, 0, payloads[i]), IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_endpoint_send(ep, 1, IWARP_RDMAP_OP_SEND, 0, payloads[i]),
                     IWARP_ERR_ARG);
  }
  ck_assert_int_eq(iwarp_endpoint_send(ep, 1, IWARP_RDMAP_OP_READ_RESP, 0, some()), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_send(ep, 1, IWARP_RDMAP_OP_TERMINATE, 0, some()), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_send(ep, 1, IWARP_RDMAP_OP_SEND, 1, some()), IWARP_ERR_ARG);
  iwarp_rdmap_read_req read = good_read;
  read.sink_stag = 4;
  ck_assert_int_eq(iwarp_endpoint_read(ep, 1, &read), IWARP_ERR_ARG);
  read.sink_stag = 3;
  read.sink_to = 241;
  ck_assert_int_eq(iwarp_endpoint_read(ep, 1, &read), IWARP_ERR_ARG);
  for (uint8_t aopcode = 0; aopcode < 18; aopcode++) {
    const iwarp_rdmap_atomic_req atomic = {.aopcode = aopcode};
    const bool known = aopcode == 0 || aopcode == 2; /* RFC 7306 10.1 */
    ck_assert_int_eq(iwarp_endpoint_atomic(ep, 1, &atomic), known ? IWARP_OK : IWARP_ERR_ARG);
  }
  ep_ends_free(p);
}
END_TEST

/* No octet of a Write reaches 2^64. RFC 5041 7.1 */
START_TEST(write_up_to_the_end)
{
  ep_ends p = joined(2);
  const uint64_t last = UINT64_MAX - text_part.len;
  ck_assert_int_eq(iwarp_endpoint_write(p.i->ep, 1, 1, last + 1, some()), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_write(p.i->ep, 1, 1, UINT64_MAX, some()), IWARP_ERR_ARG);
  ok(iwarp_endpoint_write(p.i->ep, 1, 1, last, some()));
  ok(iwarp_endpoint_write(p.i->ep, 2, 1, UINT64_MAX, (iwarp_tx_payload){0}));
  ep_ends_free(p);
}
END_TEST

/* Posts an Atomic Operation and returns what goes out. */
static iwarp_rdmap_atomic_req atomic_sent(const iwarp_rdmap_atomic_req *req) {
  uint8_t octets[512];
  iwarp_mpa_fpdu fpdu;
  iwarp_rdmap_seg seg;
  ep_ends p = joined(2);
  ok(iwarp_endpoint_atomic(p.i->ep, 1, req));
  const size_t n = ep_host_pull(p.i, octets, sizeof octets);
  ck_assert_int_eq(iwarp_mpa_fpdu_decode(&fpdu, (iwarp_span){octets, n}, 0, false).err, IWARP_OK);
  iwarp_rdmap_seg_decode(&seg, (iwarp_span){&octets[2], fpdu.ulpdu_length}, fpdu.ulpdu_length);
  ck_assert_int_eq(seg.kind, IWARP_RDMAP_KIND_ATOMIC_REQ);
  ep_ends_free(p);
  return seg.u.atomic_req;
}

/* What a FetchAdd does not use goes out as RFC 7306 5.2.1 says, whatever the ULP has there. */
START_TEST(atomic_fields)
{
  static const uint64_t masks[] = {0, 1, UINT64_MAX, 0x123456789ABCDEF0};
  for (size_t i = 0; i < 8; i++) {
    const bool add = i % 2 == 0;
    const uint64_t mask = masks[i / 2];
    const iwarp_rdmap_atomic_req req = {.aopcode = add ? IWARP_RDMAP_AOP_FETCH_ADD
                                                       : IWARP_RDMAP_AOP_CMP_SWAP,
                                        .reserved = 5,
                                        .request_id = 99,
                                        .stag = 1,
                                        .to = 0x1008,
                                        .add_swap_data = 7,
                                        .add_swap_mask = mask,
                                        .compare_data = 11,
                                        .compare_mask = mask};
    const iwarp_rdmap_atomic_req is = atomic_sent(&req);
    ck_assert(is.reserved == 0 && is.request_id == 0 && is.aopcode == req.aopcode);
    ck_assert(is.stag == 1 && is.to == 0x1008);
    ck_assert(is.add_swap_data == 7 && is.add_swap_mask == mask);
    ck_assert_uint_eq(is.compare_data, add ? 0 : 11);
    ck_assert_uint_eq(is.compare_mask, add ? UINT64_MAX : mask);
  }
}
END_TEST

START_TEST(lists_are_bounded)
{
  ep_ends p = joined(2);
  for (uint64_t i = 0; i < 4; i++) {
    ok(iwarp_endpoint_write(p.i->ep, i, 1, 0x1000, some()));
    ok(iwarp_endpoint_recv(p.i->ep, i, NULL, 8));
  }
  ck_assert_int_eq(iwarp_endpoint_write(p.i->ep, 4, 1, 0x1000, some()), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_endpoint_recv(p.i->ep, 4, NULL, 8), IWARP_ERR_NOBUF);
  ep_talk(p.i, p.r, 50);
  ok(iwarp_endpoint_write(p.i->ep, 4, 1, 0x1000, some()));
  ep_ends_free(p);
}
END_TEST

/* The RTR message takes no place of the ULP's, and is no completion of its. */
START_TEST(rtr_takes_no_place)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_RESPONDER);
  cfg.peer_to_peer = true;
  cfg.rtr = IWARP_RTR_READ;
  cfg.num_sends = 1;
  ep_host *i = ep_host_new(&cfg);
  ep_host *r = ep_host_new(&peer);
  const iwarp_span nothing = {0};
  ok(iwarp_endpoint_listen(r->ep));
  ok(iwarp_endpoint_connect(i->ep, nothing));
  ep_talk(i, r, 50);
  ok(iwarp_endpoint_accept(r->ep, nothing));
  ep_talk(i, r, 50);
  ok(iwarp_endpoint_accept(i->ep, nothing));
  ok(iwarp_endpoint_write(i->ep, 1, 1, 0, (iwarp_tx_payload){0}));
  ck_assert_int_eq(iwarp_endpoint_write(i->ep, 2, 1, 0, (iwarp_tx_payload){0}), IWARP_ERR_NOBUF);
  iwarp_endpoint_counters c;
  iwarp_endpoint_counters_get(i->ep, &c);
  ck_assert_uint_eq(c.ops, 1);
  ep_talk(i, r, 50);
  ck_assert_uint_eq(ep_host_count(i, IWARP_ENDPOINT_EVENT_DONE), 1);
  ck_assert_uint_eq(ep_host_last(i, IWARP_ENDPOINT_EVENT_DONE)->u.done.token, 1);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

/* ---- order and credit: RFC 5040 5.5, 6.1 ---- */

/* With ORD 1 the second Read waits for the first, and the Send after it too. */
START_TEST(credit)
{
  ep_ends p = joined(1);
  uint8_t octets[512];
  ck_assert_uint_eq(iwarp_endpoint_info_get(p.i->ep)->ord, 1);
  ok(iwarp_endpoint_recv(p.r->ep, 9, p.r->mem + 512, 16));
  ok(iwarp_endpoint_read(p.i->ep, 1, &good_read));
  ok(iwarp_endpoint_write(p.i->ep, 2, 1, 0x1080, some()));
  ok(iwarp_endpoint_read(p.i->ep, 3, &good_read));
  ok(iwarp_endpoint_send(p.i->ep, 4, IWARP_RDMAP_OP_SEND, 0, some()));
  const size_t n = ep_host_pull(p.i, octets, sizeof octets);
  ck_assert_uint_eq(n, 52 + 36); /* the Read Request and the Write */
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_DONE), 0);
  ep_host_push(p.r, octets, n, 30);
  ep_talk(p.i, p.r, 30);
  ck_assert_uint_eq(p.i->num_log, 4);
  for (uint64_t i = 0; i < 4; i++) {
    ck_assert_uint_eq(p.i->log[i].u.done.token, i + 1);
    ck_assert_int_eq(p.i->log[i].u.done.err, IWARP_OK);
  }
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_RECV), 1);
  ck_assert_mem_eq(p.r->mem + 128, text, 16);
  ep_ends_free(p);
}
END_TEST

/* With ORD 0 a Read could never go, and would hold up all after it. */
START_TEST(no_credit)
{
  ep_ends p = joined(0);
  const iwarp_rdmap_atomic_req atomic = {.stag = 1, .to = 0x1008};
  ck_assert_uint_eq(iwarp_endpoint_info_get(p.i->ep)->ord, 0);
  ck_assert_int_eq(iwarp_endpoint_read(p.i->ep, 1, &good_read), IWARP_ERR_ORD);
  ck_assert_int_eq(iwarp_endpoint_atomic(p.i->ep, 1, &atomic), IWARP_ERR_ORD);
  ok(iwarp_endpoint_write(p.i->ep, 1, 1, 0x1080, some()));
  ep_talk(p.i, p.r, 30);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_DONE), 1);
  ep_ends_free(p);
}
END_TEST

/* Responses leave in the order of the Requests, Reads after an Atomic Operation under way. */
START_TEST(responses_in_order)
{
  ep_ends p = joined(4);
  const iwarp_rdmap_atomic_req atomic = {.stag = 1, .to = 0x1008, .add_swap_data = 5};
  uint8_t octets[512];
  p.r->hold_atomics = true;
  p.r->words[1] = 37;
  ok(iwarp_endpoint_atomic(p.i->ep, 1, &atomic));
  ok(iwarp_endpoint_read(p.i->ep, 2, &good_read));
  ep_talk(p.i, p.r, 30);
  ck_assert_uint_eq(p.i->num_log, 0);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_ATOMIC), 1);
  ck_assert_ptr_eq(p.r->log[0].u.atomic.mem, p.r->mem + 8);
  ok(iwarp_endpoint_atomic_answer(p.r->ep, 37));
  ck_assert_int_eq(iwarp_endpoint_atomic_answer(p.r->ep, 37), IWARP_ERR_STATE);
  ck_assert_uint_eq(ep_host_pull(p.r, octets, 36), 36);
  ck_assert_uint_eq(octets[3], 0x4B);
  ep_host_push(p.i, octets, 36, 36);
  ep_talk(p.i, p.r, 30);
  ck_assert_uint_eq(p.i->num_log, 2);
  ck_assert_uint_eq(p.i->log[0].u.done.original, 37);
  ep_ends_free(p);
}
END_TEST

START_TEST(answer_before_it_is_asked)
{
  ep_ends p = joined(2);
  ck_assert_int_eq(iwarp_endpoint_atomic_answer(p.r->ep, 1), IWARP_ERR_STATE);
  ep_ends_free(p);
}
END_TEST

/* ---- regions ---- */

START_TEST(regions)
{
  ep_ends p = joined(2);
  iwarp_endpoint *ep = p.i->ep;
  iwarp_endpoint_region v = {.stag = 5, .pd = 7, .base = 1, .len = UINT64_MAX};
  ck_assert_int_eq(iwarp_endpoint_register(ep, &v), IWARP_ERR_ARG);
  v.len = UINT64_MAX - 1;
  v.access = 8;
  ck_assert_int_eq(iwarp_endpoint_register(ep, &v), IWARP_ERR_ARG);
  v.access = IWARP_ACCESS_REMOTE_READ; /* without memory */
  ck_assert_int_eq(iwarp_endpoint_register(ep, &v), IWARP_ERR_ARG);
  v.access = IWARP_ACCESS_REMOTE_WRITE;
  v.stag = 3;
  ck_assert_int_eq(iwarp_endpoint_register(ep, &v), IWARP_ERR_ARG);
  for (v.stag = 8; v.stag > 5; v.stag--) {
    ok(iwarp_endpoint_register(ep, &v));
  }
  ck_assert_int_eq(iwarp_endpoint_register(ep, &v), IWARP_ERR_NOBUF);
  ok(iwarp_endpoint_deregister(ep, 7));
  ck_assert_int_eq(iwarp_endpoint_deregister(ep, 7), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_endpoint_invalidate(ep, 7), IWARP_ERR_ARG);
  ok(iwarp_endpoint_register(ep, &v));
  ok(iwarp_endpoint_invalidate(ep, 6));
  ep_ends_free(p);
}
END_TEST

/* Places without memory are reported as offsets. */
START_TEST(places_without_memory)
{
  ep_ends p = joined(2);
  const iwarp_endpoint_region v = {
      .stag = 5, .pd = 7, .base = 100, .len = 64, .access = IWARP_ACCESS_REMOTE_WRITE};
  iwarp_endpoint_event ev;
  uint8_t octets[256];
  ok(iwarp_endpoint_register(p.r->ep, &v));
  ok(iwarp_endpoint_recv(p.r->ep, 77, NULL, 16));
  ok(iwarp_endpoint_write(p.i->ep, 1, 5, 110, some()));
  ok(iwarp_endpoint_send(p.i->ep, 2, IWARP_RDMAP_OP_SEND, 0, some()));
  const size_t n = ep_host_pull(p.i, octets, sizeof octets);
  ok(iwarp_endpoint_push(p.r->ep, (iwarp_span){octets, n}));
  ok(iwarp_endpoint_next_event(p.r->ep, &ev));
  ck_assert(ev.kind == IWARP_ENDPOINT_EVENT_PLACE && ev.u.place.tagged && ev.u.place.stag == 5 &&
            ev.u.place.offset == 10 && ev.u.place.num_runs == 1 && ev.u.place.runs[0].dst == NULL &&
            ev.u.place.runs[0].src.len == 16);
  ok(iwarp_endpoint_next_event(p.r->ep, &ev));
  ck_assert(ev.kind == IWARP_ENDPOINT_EVENT_PLACE && !ev.u.place.tagged && ev.u.place.token == 77 &&
            ev.u.place.offset == 0 && ev.u.place.runs[0].dst == NULL && ev.u.place.len == 16);
  ck_assert_mem_eq(ev.u.place.runs[0].src.ptr, text, 16);
  ok(iwarp_endpoint_next_event(p.r->ep, &ev)); /* after all that came before the Send */
  ck_assert(ev.kind == IWARP_ENDPOINT_EVENT_RECV && ev.u.recv.token == 77 && ev.u.recv.len == 16 &&
            ev.u.recv.err == IWARP_OK);
  ep_ends_free(p);
}
END_TEST

/* A region serves the stream of its own endpoint, within its range and rights, until it is taken
 * away; the other endpoint's regions are not valid there. RFC 5041 8.2, 8.3 */
START_TEST(region_of_one_stream)
{
  typedef iwarp_err gone(iwarp_endpoint * ep, uint32_t stag);
  enum { BY_PEER = 3, OF_OTHER = 4 };
  static gone *const by[] = {iwarp_endpoint_invalidate, iwarp_endpoint_revoke,
                             iwarp_endpoint_deregister};
  for (int how = 0; how <= OF_OTHER; how++) {
    ep_ends p = joined(2);
    const iwarp_endpoint_region v = {.stag = 5,
                                     .pd = 7,
                                     .base = 0x2000,
                                     .len = 32,
                                     .mem = p.r->mem + 512,
                                     .access = IWARP_ACCESS_REMOTE_WRITE};
    ok(iwarp_endpoint_register(how == OF_OTHER ? p.i->ep : p.r->ep, &v));
    ok(iwarp_endpoint_recv(p.r->ep, 1, p.r->mem, 16));
    if (how != OF_OTHER) { /* up to both ends of it */
      ok(iwarp_endpoint_write(p.i->ep, 1, 5, 0x2000, some()));
      ok(iwarp_endpoint_write(p.i->ep, 2, 5, 0x2010, some()));
      ep_talk(p.i, p.r, 30);
      ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_FAULT), 0);
      ck_assert_mem_eq(p.r->mem + 512, "0123456789abcdef0123456789abcdef", 32);
    }
    if (how < BY_PEER) {
      ok(by[how](p.r->ep, 5));
    } else if (how == BY_PEER) {
      ok(iwarp_endpoint_send(p.i->ep, 3, IWARP_RDMAP_OP_SEND_INV, 5, some()));
    }
    ok(iwarp_endpoint_write(p.i->ep, 4, 5, 0x2000, some()));
    ep_talk(p.i, p.r, 30);
    const iwarp_endpoint_event *ev = ep_host_last(p.r, IWARP_ENDPOINT_EVENT_FAULT);
    ck_assert(ev != NULL && ev->u.fault.layer == 1 && ev->u.fault.etype == 1 &&
              ev->u.fault.code == 0);
    ep_ends_free(p);
  }
}
END_TEST

/* The peer invalidates a region before the ULP hears of its Send. */
START_TEST(invalidation)
{
  ep_ends p = joined(2);
  ok(iwarp_endpoint_recv(p.r->ep, 1, p.r->mem + 512, 16));
  ok(iwarp_endpoint_recv(p.r->ep, 2, p.r->mem + 528, 16));
  ok(iwarp_endpoint_send(p.i->ep, 1, IWARP_RDMAP_OP_SEND_SE_INV, 1, some()));
  ok(iwarp_endpoint_write(p.i->ep, 2, 1, 0x1000, some()));
  ep_talk(p.i, p.r, 30);
  const iwarp_endpoint_event *ev = &p.r->log[0];
  ck_assert(ev->kind == IWARP_ENDPOINT_EVENT_RECV && ev->u.recv.invalidated &&
            ev->u.recv.stag == 1 && ev->u.recv.solicited && ev->u.recv.len == 16);
  ev = ep_host_last(p.r, IWARP_ENDPOINT_EVENT_FAULT);
  ck_assert(ev != NULL && ev->u.fault.layer == 1 && ev->u.fault.etype == 1 &&
            ev->u.fault.code == 0);
  ev = ep_host_last(p.i, IWARP_ENDPOINT_EVENT_TERMINATED);
  ck_assert(ev != NULL && ev->u.terminated.term.ddp_header.len == 14);
  ep_ends_free(p);
}
END_TEST

/* A Read Response borrows the region until the transport took it. */
START_TEST(region_in_use)
{
  ep_ends p = joined(2);
  uint8_t octets[256];
  ok(iwarp_endpoint_read(p.i->ep, 1, &good_read));
  const size_t n = ep_host_pull(p.i, octets, sizeof octets);
  ep_host_push(p.r, octets, n, n);
  ok(iwarp_endpoint_invalidate(p.r->ep, 1));
  ck_assert_int_eq(iwarp_endpoint_deregister(p.r->ep, 1), IWARP_ERR_STATE);
  ep_talk(p.i, p.r, 30);
  ok(iwarp_endpoint_deregister(p.r->ep, 1));
  ck_assert_int_eq(p.i->log[0].u.done.err, IWARP_OK);
  ep_ends_free(p);
}
END_TEST

/* Where it cannot be forgotten yet, a region takes no more octets: a peer that never stops reading
 * cannot keep it. */
START_TEST(region_in_use_takes_nothing)
{
  ep_ends p = joined(2);
  uint8_t octets[256];
  ok(iwarp_endpoint_read(p.i->ep, 1, &good_read));
  ok(iwarp_endpoint_write(p.i->ep, 2, 1, 0x1000, some()));
  const size_t n = ep_host_pull(p.i, octets, sizeof octets);
  const size_t request = 2u + 18 + 28 + 4;
  ck_assert_uint_gt(n, request);
  ep_host_push(p.r, octets, request, request);
  ck_assert_int_eq(iwarp_endpoint_deregister(p.r->ep, 1), IWARP_ERR_STATE);
  ep_host_push(p.r, octets + request, n - request, n);
  const iwarp_endpoint_event *ev = ep_host_last(p.r, IWARP_ENDPOINT_EVENT_FAULT);
  ck_assert(ev != NULL && ev->u.fault.layer == 1 && ev->u.fault.etype == 1 &&
            ev->u.fault.code == 0);
  ck_assert_uint_eq(p.r->placed, 0);
  ep_ends_free(p);
}
END_TEST

/* ---- the end ---- */

/* Closing waits for what was posted, Reads included. RFC 5041 6.2.1 */
START_TEST(orderly_close)
{
  ep_ends p = joined(1);
  ok(iwarp_endpoint_read(p.i->ep, 1, &good_read));
  ok(iwarp_endpoint_read(p.i->ep, 2, &good_read));
  ok(iwarp_endpoint_close(p.i->ep));
  ck_assert_int_eq(iwarp_endpoint_write(p.i->ep, 3, 1, 0x1000, some()), IWARP_ERR_STATE);
  ep_host_run(p.i);
  ck_assert_uint_eq(p.i->num_log, 0);
  ep_talk(p.i, p.r, 30);
  ck_assert_uint_eq(p.i->num_log, 3);
  ck_assert_int_eq(p.i->log[2].kind, IWARP_ENDPOINT_EVENT_SHUTDOWN);
  ok(iwarp_endpoint_eof(p.r->ep));
  ep_host_run(p.r);
  ck_assert_int_eq(ep_host_last(p.r, IWARP_ENDPOINT_EVENT_PEER_ENDED) != NULL, 1);
  ok(iwarp_endpoint_eof(p.r->ep)); /* nothing changes */
  ok(iwarp_endpoint_close(p.r->ep));
  ep_host_run(p.r);
  ck_assert_int_eq(p.r->log[p.r->num_log - 1].kind, IWARP_ENDPOINT_EVENT_CLOSED);
  ok(iwarp_endpoint_eof(p.i->ep));
  ep_host_run(p.i);
  ck_assert_int_eq(p.i->log[p.i->num_log - 1].u.closed.err, IWARP_OK);
  ep_ends_free(p);
}
END_TEST

/* When the peer has closed its half no Response can come, but Writes still go out. */
START_TEST(peer_ended)
{
  ep_ends p = joined(1);
  ok(iwarp_endpoint_recv(p.i->ep, 5, p.i->mem, 4));
  ok(iwarp_endpoint_read(p.i->ep, 1, &good_read));
  ok(iwarp_endpoint_read(p.i->ep, 2, &good_read));
  ok(iwarp_endpoint_write(p.i->ep, 3, 1, 0x1000, some()));
  ok(iwarp_endpoint_eof(p.i->ep));
  ck_assert_int_eq(iwarp_endpoint_read(p.i->ep, 4, &good_read), IWARP_ERR_STATE);
  ok(iwarp_endpoint_write(p.i->ep, 4, 1, 0x1010, some()));
  uint8_t octets[512];
  ck_assert_uint_gt(ep_host_pull(p.i, octets, sizeof octets), 100);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_DONE), 4);
  for (size_t i = 0; i < p.i->num_log; i++) {
    if (p.i->log[i].kind == IWARP_ENDPOINT_EVENT_DONE) {
      const iwarp_endpoint_done *d = &p.i->log[i].u.done;
      ck_assert_int_eq(d->err, d->token <= 2 ? IWARP_ERR_FLUSHED : IWARP_OK);
    }
  }
  ck_assert_int_eq(ep_host_last(p.i, IWARP_ENDPOINT_EVENT_RECV)->u.recv.err, IWARP_ERR_FLUSHED);
  ep_ends_free(p);
}
END_TEST

/* The peer closes its half while this side is closing. */
START_TEST(both_close)
{
  ep_ends p = joined(1);
  ok(iwarp_endpoint_write(p.i->ep, 3, 1, 0x1000, some()));
  ok(iwarp_endpoint_close(p.i->ep));
  ok(iwarp_endpoint_eof(p.i->ep));
  ep_talk(p.i, p.r, 30);
  const iwarp_endpoint_event *ev = ep_host_last(p.i, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(ev != NULL && ev->u.closed.err == IWARP_OK && !ev->u.closed.disconnect);
  ep_ends_free(p);
}
END_TEST

/* An abort in the middle of everything: all complete in error, the end comes last. */
START_TEST(abort_in_the_middle)
{
  ep_ends p = joined(1);
  uint8_t octets[256];
  iwarp_endpoint_event ev;
  ok(iwarp_endpoint_recv(p.i->ep, 5, p.i->mem, 64));
  ok(iwarp_endpoint_read(p.i->ep, 1, &good_read));
  ok(iwarp_endpoint_read(p.i->ep, 2, &good_read));
  ok(iwarp_endpoint_write(p.i->ep, 3, 1, 0x1000, some()));
  ok(iwarp_endpoint_send(p.r->ep, 1, IWARP_RDMAP_OP_SEND, 0, some()));
  const size_t n = ep_host_pull(p.r, octets, sizeof octets);
  ck_assert_uint_gt(ep_host_pull(p.i, octets + n, 10), 0);
  ok(iwarp_endpoint_push(p.i->ep, (iwarp_span){octets, n}));
  ok(iwarp_endpoint_next_event(p.i->ep, &ev));
  ck_assert_int_eq(ev.kind, IWARP_ENDPOINT_EVENT_PLACE);
  ok(iwarp_endpoint_abort(p.i->ep));
  ep_host_run(p.i);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_DONE), 3);
  ck_assert_int_eq(ep_host_last(p.i, IWARP_ENDPOINT_EVENT_RECV)->u.recv.err, IWARP_ERR_FLUSHED);
  ck_assert_int_eq(p.i->log[p.i->num_log - 1].kind, IWARP_ENDPOINT_EVENT_CLOSED);
  ck_assert(p.i->log[p.i->num_log - 1].u.closed.disconnect);
  ck_assert_uint_eq(ep_host_pull(p.i, octets, sizeof octets), 0);
  ep_ends_free(p);
}
END_TEST

/* A fault while a Write of many segments is under way: it is finished, then comes the Terminate. */
START_TEST(fault_during_a_write)
{
  ep_ends p = joined(1);
  static uint8_t many[8000];
  const iwarp_span part = {many, sizeof many};
  const iwarp_endpoint_region big = {
      .stag = 6, .pd = 7, .len = sizeof many, .mem = p.r->mem, .access = IWARP_ACCESS_REMOTE_WRITE};
  uint8_t octets[2048];
  ok(iwarp_endpoint_register(p.r->ep, &big));
  ok(iwarp_endpoint_write(p.i->ep, 1, 6, 0, (iwarp_tx_payload){&part, 1}));
  ok(iwarp_endpoint_write(p.i->ep, 2, 6, 0, some()));
  size_t n = ep_host_pull(p.i, octets, 1000);
  ep_host_push(p.r, octets, n, n);
  ok(iwarp_endpoint_send(p.r->ep, 9, IWARP_RDMAP_OP_SEND, 0, some())); /* no buffer for it */
  n = ep_host_pull(p.r, octets, sizeof octets);
  ep_host_push(p.i, octets, n, n);
  ep_talk(p.r, p.i, 500);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_DONE), 2);
  ck_assert_int_eq(ep_host_last(p.i, IWARP_ENDPOINT_EVENT_DONE)->u.done.err, IWARP_ERR_FLUSHED);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_TERMINATED), 1);
  ck_assert(ep_host_last(p.r, IWARP_ENDPOINT_EVENT_TERMINATED)->u.terminated.readable);
  ck_assert_uint_eq(p.r->placed, sizeof many);
  ok(iwarp_endpoint_eof(p.i->ep));
  ok(iwarp_endpoint_eof(p.r->ep));
  ep_talk(p.i, p.r, 30);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_CLOSED), 1);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_CLOSED), 1);
  ep_ends_free(p);
}
END_TEST

/* A startup frame is a segment of its own; FPDUs come as the transmit engine has them. */
START_TEST(batches)
{
  for (int with_segments = 0; with_segments < 2; with_segments++) {
    iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
    ep_host *h = ep_host_new(&cfg);
    iwarp_span spans[8];
    iwarp_tx_out segments[8];
    iwarp_tx_batch b = {.spans = spans, .max_spans = 8, .segments = segments};
    ck_assert_int_eq(iwarp_endpoint_next_batch(h->ep, &b), IWARP_ERR_ARG);
    b.max_segments = 8;
    b.segments = with_segments != 0 ? segments : NULL;
    ck_assert_int_eq(iwarp_endpoint_next_batch(h->ep, &b), IWARP_ERR_END);
    ok(iwarp_endpoint_connect(h->ep, (iwarp_span){0}));
    b.max_spans = 0;
    ck_assert_int_eq(iwarp_endpoint_next_batch(h->ep, &b), IWARP_ERR_NOBUF);
    b.max_spans = 8;
    ok(iwarp_endpoint_next_batch(h->ep, &b));
    ck_assert(b.num_segments == 1 && b.all.num_spans == 1 && b.all.segment_end);
    ck_assert_uint_eq(b.all.len, spans[0].len);
    ck_assert(with_segments == 0 || (segments[0].len == b.all.len && segments[0].segment_end));
    ok(iwarp_endpoint_advance(h->ep, 5));
    ok(iwarp_endpoint_next_batch(h->ep, &b));
    ck_assert_uint_eq(b.all.len, IWARP_MPA_STARTUP_LEN + IWARP_MPA_ENHANCED_LEN - 5);
    ep_host_free(h);
  }
  ep_ends p = joined(2);
  iwarp_span spans[8];
  iwarp_tx_out segments[8];
  iwarp_tx_batch b = {.spans = spans, .max_spans = 8, .segments = segments, .max_segments = 8};
  ok(iwarp_endpoint_write(p.i->ep, 1, 1, 0x1000, some()));
  ok(iwarp_endpoint_write(p.i->ep, 2, 1, 0x1000, some()));
  ok(iwarp_endpoint_next_batch(p.i->ep, &b));
  ck_assert_uint_eq(b.num_segments, 2);
  ck_assert_uint_eq(b.all.len, segments[0].len + segments[1].len);
  ok(iwarp_endpoint_advance(p.i->ep, b.all.len));
  ep_ends_free(p);
}
END_TEST

/* The same, copied: a startup frame in parts where there is room for no more. */
START_TEST(copies)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  ep_host *h = ep_host_new(&cfg);
  uint8_t frame[64];
  uint8_t copy[64];
  iwarp_span span;
  iwarp_tx_batch named = {.spans = &span, .max_spans = 1};
  iwarp_tx_batch b = {.copy = copy};
  ok(iwarp_endpoint_connect(h->ep, (iwarp_span){0}));
  ok(iwarp_endpoint_next_batch(h->ep, &named));
  memcpy(frame, span.ptr, span.len);
  ck_assert_int_eq(iwarp_endpoint_next_batch(h->ep, &b), IWARP_ERR_NOBUF);
  for (size_t at = 0; at < named.all.len; at += b.all.len) {
    b.max_copy = 7;
    ok(iwarp_endpoint_next_batch(h->ep, &b));
    const size_t left = named.all.len - at;
    ck_assert_uint_eq(b.all.len, left < 7 ? left : 7);
    ck_assert(b.num_segments == 1 && b.all.num_spans == 0);
    ck_assert_int_eq(b.all.segment_end, left <= 7);
    ck_assert_mem_eq(copy, frame + at, b.all.len);
    ok(iwarp_endpoint_advance(h->ep, b.all.len));
  }
  ck_assert_int_eq(iwarp_endpoint_next_batch(h->ep, &b), IWARP_ERR_END);
  ep_host_free(h);
}
END_TEST

/* One event names all of an FPDU, in the runs that Markers leave. */
START_TEST(places_between_markers)
{
  iwarp_endpoint_cfg a = ep_cfg(IWARP_ROLE_INITIATOR);
  iwarp_endpoint_cfg b = ep_cfg(IWARP_ROLE_RESPONDER);
  b.markers = true;
  ep_host *i = ep_host_new(&a);
  ep_host *r = ep_host_new(&b);
  static uint8_t many[1200];
  static uint8_t octets[2048];
  const iwarp_span part = {many, sizeof many};
  const iwarp_endpoint_region v = {
      .stag = 5, .pd = 7, .len = sizeof many, .access = IWARP_ACCESS_REMOTE_WRITE};
  iwarp_endpoint_event ev;
  size_t events = 0;
  ep_join(i, r);
  ok(iwarp_endpoint_register(r->ep, &v));
  ok(iwarp_endpoint_write(i->ep, 1, 5, 0, (iwarp_tx_payload){&part, 1}));
  const size_t n = ep_host_pull(i, octets, sizeof octets);
  ok(iwarp_endpoint_push(r->ep, (iwarp_span){octets, n}));
  while (iwarp_endpoint_next_event(r->ep, &ev) == IWARP_OK) {
    if (ev.kind == IWARP_ENDPOINT_EVENT_PLACE) {
      const iwarp_endpoint_place *p = &ev.u.place;
      ck_assert(p->offset == 0 && p->len == sizeof many && p->num_runs == 3);
      ck_assert_uint_eq(p->runs[0].src.len + p->runs[1].src.len + p->runs[2].src.len, p->len);
      ck_assert(p->runs[0].dst == NULL && p->runs[2].dst == NULL);
      events++;
    }
  }
  ck_assert_uint_eq(events, 1);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

/* A Response may be there before the transport has said that it took the Request. */
START_TEST(responses_before_the_transport_says_so)
{
  ep_ends p = joined(2);
  const iwarp_rdmap_atomic_req atomic = {.stag = 1, .to = 0x1008, .add_swap_data = 5};
  for (int round = 0; round < 2; round++) {
    uint8_t octets[512];
    iwarp_span span;
    iwarp_tx_out out;
    for (uint64_t token = 0; token < 2; token++) {
      ok(round == 0 ? iwarp_endpoint_read(p.i->ep, token, &good_read)
                    : iwarp_endpoint_atomic(p.i->ep, token, &atomic));
    }
    p.i->num_log = 0;
    for (size_t taken = 0; taken < 2; taken++) {
      ok(iwarp_endpoint_next_output(p.i->ep, &span, 1, &out));
      ep_host_push(p.r, span.ptr, span.len, 500);
      const size_t n = ep_host_pull(p.r, octets, sizeof octets);
      ep_host_push(p.i, octets, n, 500);
      ck_assert_uint_eq(p.i->num_log, taken);
      ok(iwarp_endpoint_advance(p.i->ep, span.len));
      ep_host_run(p.i);
      ck_assert_uint_eq(p.i->num_log, taken + 1);
    }
  }
  ep_ends_free(p);
}
END_TEST

/* Both Responses are there before the transport has said that it took any Request. */
START_TEST(all_responses_before_the_transport_says_so)
{
  ep_ends p = joined_of(2, true);
  const iwarp_rdmap_atomic_req atomic = {.stag = 1, .to = 0x1008, .add_swap_data = 5};
  uint8_t octets[1024];
  iwarp_span spans[4];
  iwarp_tx_out out;
  ok(iwarp_endpoint_atomic(p.i->ep, 1, &atomic));
  ok(iwarp_endpoint_read(p.i->ep, 2, &good_read));
  ok(iwarp_endpoint_next_output(p.i->ep, spans, 4, &out)); /* both Requests */
  for (size_t i = 0; i < out.num_spans; i++) {
    ep_host_push(p.r, spans[i].ptr, spans[i].len, 500);
  }
  ok(iwarp_endpoint_advance(p.i->ep, 0));
  const size_t n = ep_host_pull(p.r, octets, sizeof octets);
  ep_host_push(p.i, octets, n, 500);
  ck_assert_uint_eq(p.i->placed, 16);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_DONE), 0);
  ok(iwarp_endpoint_advance(p.i->ep, out.len));
  ep_host_run(p.i);
  ck_assert_uint_eq(ep_host_count(p.i, IWARP_ENDPOINT_EVENT_DONE), 2);
  ep_ends_free(p);
}
END_TEST

/* Each Atomic Operation is asked for and answered in its turn, and a close waits for it. */
START_TEST(atomics_in_turn)
{
  ep_ends p = joined(2);
  const iwarp_rdmap_atomic_req atomic = {.stag = 1, .to = 0x1008, .add_swap_data = 5};
  p.r->hold_atomics = true;
  ok(iwarp_endpoint_atomic(p.i->ep, 1, &atomic));
  ok(iwarp_endpoint_atomic(p.i->ep, 2, &atomic));
  ok(iwarp_endpoint_write(p.i->ep, 3, 1, 0x1000, (iwarp_tx_payload){0}));
  ok(iwarp_endpoint_write(p.i->ep, 4, 1, 0x1000, (iwarp_tx_payload){0}));
  ck_assert_int_eq(iwarp_endpoint_atomic(p.i->ep, 5, &atomic), IWARP_ERR_NOBUF);
  ep_talk(p.i, p.r, 30);
  ok(iwarp_endpoint_close(p.r->ep));
  ok(iwarp_endpoint_atomic_answer(p.r->ep, 1));
  ck_assert_int_eq(iwarp_endpoint_atomic_answer(p.r->ep, 2), IWARP_ERR_STATE);
  ep_talk(p.i, p.r, 30);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_SHUTDOWN), 0);
  ok(iwarp_endpoint_atomic_answer(p.r->ep, 2));
  ep_talk(p.i, p.r, 30);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_SHUTDOWN), 1);
  ck_assert_uint_eq(p.i->log[1].u.done.original, 2);
  ep_ends_free(p);
}
END_TEST

/* The peer's half ends inside a message: it is never delivered. RFC 5041 5.4 */
START_TEST(fin_inside_a_message)
{
  ep_ends p = joined(2);
  static uint8_t many[2000];
  static uint8_t octets[4096];
  const iwarp_span parts[] = {{NULL, 0}, {many, sizeof many}};
  ok(iwarp_endpoint_recv(p.r->ep, 1, p.r->mem, sizeof many));
  ok(iwarp_endpoint_send(p.i->ep, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){parts, 2}));
  (void)ep_host_pull(p.i, octets, sizeof octets);
  const size_t first = 2u + ((size_t)octets[0] << 8 | octets[1]);
  ep_host_push(p.r, octets, (first + 3) / 4 * 4 + 4, 500); /* the first FPDU whole */
  ck_assert_uint_gt(p.r->placed, 1000);
  ck_assert_uint_eq(ep_host_count(p.r, IWARP_ENDPOINT_EVENT_RECV), 0);
  ok(iwarp_endpoint_eof(p.r->ep));
  ep_host_run(p.r);
  ck_assert_int_eq(ep_host_last(p.r, IWARP_ENDPOINT_EVENT_RECV)->u.recv.err, IWARP_ERR_FLUSHED);
  ck_assert(ep_host_last(p.r, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.disconnect);
  ck_assert_int_eq(iwarp_endpoint_recv(p.r->ep, 1, NULL, 1), IWARP_ERR_STATE);
  ep_ends_free(p);
}
END_TEST

START_TEST(close_timeout)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  const iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_RESPONDER);
  cfg.close_ns = 5;
  ep_host *i = ep_host_new(&cfg);
  ep_host *r = ep_host_new(&peer);
  ep_join(i, r);
  iwarp_endpoint_time(i->ep, 100);
  ok(iwarp_endpoint_write(i->ep, 1, 1, 0x1000, some()));
  ok(iwarp_endpoint_close(i->ep));
  ck_assert_uint_eq(iwarp_endpoint_deadline(i->ep), 105);
  iwarp_endpoint_time(i->ep, 105);
  ep_host_run(i);
  ck_assert_int_eq(ep_host_last(i, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.err, IWARP_ERR_TIMEOUT);
  ep_host_free(i);
  ep_host_free(r);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {arguments,
                                write_up_to_the_end,
                                atomic_fields,
                                lists_are_bounded,
                                rtr_takes_no_place,
                                credit,
                                no_credit,
                                responses_in_order,
                                all_responses_before_the_transport_says_so,
                                answer_before_it_is_asked,
                                regions,
                                region_of_one_stream,
                                places_without_memory,
                                invalidation,
                                region_in_use,
                                region_in_use_takes_nothing,
                                orderly_close,
                                peer_ended,
                                both_close,
                                abort_in_the_middle,
                                fault_during_a_write,
                                batches,
                                copies,
                                places_between_markers,
                                responses_before_the_transport_says_so,
                                atomics_in_turn,
                                fin_inside_a_message,
                                close_timeout,
                                NULL};
  return check_run(check_suite("stream-ep-ops", tests));
}
