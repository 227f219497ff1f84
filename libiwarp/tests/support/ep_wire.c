/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint whose peer is the test, which makes each FPDU by hand. */
#include "ep_wire.h"

#include <string.h>

#include "check_run.h"
#include "endpoint_pair.h"

static void add_regions(ep_host *h) {
  const uint8_t all =
      IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE | IWARP_ACCESS_REMOTE_ATOMIC;
  const iwarp_endpoint_region r[] = {
      {.stag = 3, .pd = 7, .base = 0x1000, .len = 64, .mem = h->mem + 256},
      {.stag = 1, .pd = 7, .base = 0x1000, .len = 64, .mem = h->mem + 1, .access = all},
      {.stag = 5,
       .pd = 7,
       .base = WIRE_TOP,
       .len = 255,
       .mem = h->mem + 512,
       .access = IWARP_ACCESS_REMOTE_WRITE,
       .no_inval = true},
      {.stag = 2, .pd = 8, .base = 0x1000, .len = 64, .mem = h->mem + 128, .access = all},
      {.stag = 4, .pd = 7, .base = 0x1000, .len = 64, .mem = h->mem + 384, .access = all},
  };
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    ok(iwarp_endpoint_register(h->ep, &r[i]));
  }
  ok(iwarp_endpoint_invalidate(h->ep, 4));
}

/* The peer says nothing before this side has. */
static void speak(ep_host *h) {
  uint8_t octets[128];
  ok(iwarp_endpoint_send(h->ep, 0, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){0}));
  ck_assert_uint_gt(ep_host_pull(h, octets, sizeof octets), 0);
  h->num_log = 0;
}

iwarp_endpoint_cfg wire_cfg(bool markers, bool crc, bool base_only) {
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  cfg.markers = markers;
  cfg.no_crc = !crc;
  cfg.num_regions = 5;
  cfg.base_only = base_only;
  return cfg;
}

wire wire_bare(const iwarp_endpoint_cfg *cfg) {
  iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_RESPONDER);
  peer.no_crc = true;
  peer.ird = 8;
  ep_host *other = ep_host_new(&peer);
  wire w = {.h = ep_host_new(cfg), .markers = cfg->markers};
  ep_join(w.h, other);
  ep_host_free(other);
  speak(w.h);
  return w;
}

wire wire_of(const iwarp_endpoint_cfg *cfg) {
  wire w = wire_bare(cfg);
  add_regions(w.h);
  ok(iwarp_endpoint_recv(w.h->ep, 10, w.h->mem + 1024, 16));
  ok(iwarp_endpoint_recv(w.h->ep, 11, w.h->mem + 1040, 16));
  return w;
}

wire wire_new(bool markers, bool crc, bool base_only) {
  const iwarp_endpoint_cfg cfg = wire_cfg(markers, crc, base_only);
  return wire_of(&cfg);
}

void wire_free(wire *w) {
  ep_host_free(w->h);
}

size_t wire_make(wire *w, uint8_t *octets, size_t cap, const uint8_t *ulpdu, size_t n, size_t at,
                 uint8_t spoil) {
  size_t len;
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, n}, .off = w->off, .markers = w->markers};
  ok(iwarp_mpa_fpdu_encode(octets, cap, &len, &d));
  octets[at] = octets[at] ^ spoil;
  w->last = w->off;
  w->off += len;
  return len;
}

void wire_ulpdu(wire *w, const uint8_t *ulpdu, size_t n, size_t at, uint8_t spoil) {
  uint8_t octets[4096];
  ep_host_push(w->h, octets, wire_make(w, octets, sizeof octets, ulpdu, n, at, spoil), 100);
}

size_t seg_ulpdu(uint8_t *dst, size_t cap, const seg *s) {
  const iwarp_ddp_hdr hdr = {.tagged = s->tagged,
                             .last = !s->more,
                             .dv = IWARP_DDP_VERSION ^ s->dv_xor,
                             .rsvdulp = (uint8_t)((0x40u ^ (uint32_t)s->rv_xor << 6) | s->opcode),
                             .stag = s->tagged ? s->stag : 0,
                             .to = s->to,
                             .rsvdulp_word = s->tagged ? 0 : s->stag,
                             .qn = s->qn,
                             .msn = s->msn != 0 ? s->msn : 1,
                             .mo = s->mo};
  size_t len;
  memset(dst, 0, cap);
  ok(iwarp_ddp_hdr_encode(dst, cap, &len, &hdr));
  memcpy(&dst[len], s->inner, s->len < sizeof s->inner ? s->len : sizeof s->inner);
  return len + s->len;
}

void wire_seg(wire *w, const seg *s) {
  uint8_t ulpdu[512];
  wire_ulpdu(w, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, s), 0, 0);
}

seg read_seg(iwarp_rdmap_read_req req) {
  seg s = {.opcode = IWARP_RDMAP_OP_READ_REQ, .qn = 1, .len = IWARP_RDMAP_READ_REQ_LEN};
  size_t len;
  ok(iwarp_rdmap_read_req_encode(s.inner, sizeof s.inner, &len, &req));
  return s;
}

seg atomic_seg(iwarp_rdmap_atomic_req req) {
  seg s = {.opcode = IWARP_RDMAP_OP_ATOMIC_REQ, .qn = 1, .len = IWARP_RDMAP_ATOMIC_REQ_LEN};
  size_t len;
  ok(iwarp_rdmap_atomic_req_encode(s.inner, sizeof s.inner, &len, &req));
  return s;
}

/* The FAULT event names the error and, where its header is returned, the last FPDU. */
static void expect_fault_event(const wire *w, uint32_t word, const uint8_t *ulpdu) {
  const iwarp_endpoint_event *ev = ep_host_last(w->h, IWARP_ENDPOINT_EVENT_FAULT);
  ck_assert_ptr_nonnull(ev);
  const iwarp_endpoint_fault *f = &ev->u.fault;
  ck_assert_uint_eq((uint32_t)f->layer << 12 | (uint32_t)f->etype << 8 | f->code, word);
  ck_assert_uint_eq((uint32_t)f->term, word);
  ck_assert(f->sent);
  if (ulpdu != NULL) {
    ck_assert(f->has_ddp && f->ddp.tagged == ((ulpdu[0] & 0x80) != 0));
    ck_assert_uint_eq(f->ddp.rsvdulp, ulpdu[1]);
    ck_assert_uint_eq(f->ctrl.opcode, ulpdu[1] & 15);
    ck_assert_uint_eq(f->offset, w->last);
  }
}

void expect_fault(wire *w, uint32_t word, const uint8_t *ulpdu, size_t n) {
  static uint8_t octets[8192];
  const size_t got = ep_host_pull(w->h, octets, sizeof octets);
  iwarp_mpa_fpdu f;
  iwarp_rdmap_seg last;
  size_t at = 0;
  expect_fault_event(w, word, ulpdu);
  while (at < got) { /* the Terminate is the last one */
    ck_assert_int_eq(iwarp_mpa_fpdu_decode(&f, (iwarp_span){&octets[at], got - at}, at, false).err,
                     IWARP_OK);
    at += f.wire.len;
  }
  iwarp_rdmap_seg_decode(&last, (iwarp_span){&f.wire.ptr[2], f.ulpdu_length}, f.ulpdu_length);
  ck_assert_int_eq(last.kind, IWARP_RDMAP_KIND_TERM);
  const iwarp_rdmap_term *t = &last.u.term;
  ck_assert_uint_eq((uint32_t)t->layer << 12 | (uint32_t)t->etype << 8 | t->code, word);
  ck_assert(t->m == (ulpdu != NULL) && t->d == t->m);
  if (ulpdu != NULL) {
    const size_t hdr = (ulpdu[0] & 0x80) != 0 ? 14 : 18;
    const bool read = word >> 8 == 1 && ulpdu[1] == 0x41;
    ck_assert_uint_eq(t->ddp_segment_length, n);
    ck_assert_uint_eq(t->ddp_header.len, hdr);
    ck_assert_mem_eq(t->ddp_header.ptr, ulpdu, hdr);
    ck_assert(t->r == read && t->rdma_header.len == (read ? 28 : 0));
    if (read) {
      ck_assert_mem_eq(t->rdma_header.ptr, &ulpdu[18], 28);
    }
  }
  ck_assert_int_eq(iwarp_endpoint_info_get(w->h->ep)->state, IWARP_ENDPOINT_TERMINATED);
  ck_assert_uint_eq(ep_host_count(w->h, IWARP_ENDPOINT_EVENT_SHUTDOWN), 1);
}

iwarp_rdmap_term wire_last_terminate(wire *w, uint32_t *responded) {
  static uint8_t octets[32768];
  const size_t got = ep_host_pull(w->h, octets, sizeof octets);
  iwarp_rdmap_seg s = {0};
  for (size_t at = 0; at < got;) {
    iwarp_mpa_fpdu f;
    ck_assert_int_eq(iwarp_mpa_fpdu_decode(&f, (iwarp_span){&octets[at], got - at}, at, false).err,
                     IWARP_OK);
    at += f.wire.len;
    iwarp_rdmap_seg_decode(&s, (iwarp_span){&f.wire.ptr[2], f.ulpdu_length}, f.ulpdu_length);
    *responded += s.ctrl.opcode == IWARP_RDMAP_OP_READ_RESP ? (uint32_t)s.payload_len : 0;
  }
  ck_assert_int_eq(s.kind, IWARP_RDMAP_KIND_TERM);
  return s.u.term;
}
