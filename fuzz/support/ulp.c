/* SPDX-License-Identifier: BSD-2-Clause */
/* A ULP that does what octets say, and a model of what its endpoint may tell it. */
#include "ulp.h"

#include <string.h>

static const uint8_t payload[ULP_AREA] = {1, 2, 3, 4, 5, 6, 7, 8};

iwarp_endpoint_cfg ulp_cfg(iwarp_role role, uint8_t how, uint8_t depths, uint8_t more) {
  static const uint32_t emss[] = {128, 140, 536, 1460};
  iwarp_endpoint_cfg c = {.size = sizeof c,
                          .role = role,
                          .markers = (how & 1u) != 0,
                          .no_crc = (how & 2u) != 0,
                          .peer_to_peer = (how & 4u) != 0,
                          .rev = (how & 8u) != 0 ? 1 : 2,
                          .strict_first_fpdu = (how & 16u) != 0,
                          .base_only = (how & 0xE0u) == 0xE0u,
                          .pack = (how & 32u) != 0,
                          .ird = depths & 3u,
                          .ord = depths >> 2 & 3u,
                          .rtr = depths >> 4 & 7u,
                          .ird_unspec = (depths & 0xC0u) == 0x80u,
                          .ord_unspec = (depths & 0xC0u) == 0xC0u,
                          .emss = emss[more & 3u],
                          .num_out_of_order = (more & 4u) != 0 ? 6 : 0,
                          .max_partial = (more >> 3) & 3u,
                          .recv_low = (more & 32u) != 0 ? 2 : 0,
                          .idle_ns = (more & 64u) != 0 ? 1000 : 0,
                          .max_ulpdu = (more & 128u) != 0 ? 2000 : 0,
                          .pd = ULP_PD,
                          .num_sends = ULP_OPS,
                          .num_recvs = ULP_RECVS,
                          .num_regions = ULP_REGIONS};
  c.ird_max = (uint16_t)(c.ird + ((more & 8u) != 0 ? 1 : 0));
  if (c.rtr == IWARP_RTR_READ && c.ird_max == 0) {
    c.ird_max = 1; /* else it supports no RTR type at all */
  }
  return c;
}

/* ---- memory ---- */

static size_t region_at(size_t i) {
  return ULP_RECVS * ULP_BUFFER + i * ULP_AREA;
}

static uint8_t region_access(size_t i) {
  static const uint8_t access[ULP_REGIONS] = {
      0,
      IWARP_ACCESS_REMOTE_WRITE,
      IWARP_ACCESS_REMOTE_READ,
      IWARP_ACCESS_REMOTE_ATOMIC,
      IWARP_ACCESS_REMOTE_WRITE | IWARP_ACCESS_REMOTE_READ,
      IWARP_ACCESS_REMOTE_WRITE,
  };
  return access[i];
}

static void register_region(ulp *u, size_t i, uint32_t stag) {
  ulp_region *r = &u->regions[i];
  const iwarp_endpoint_region v = {.stag = stag,
                                   .pd = i == 5 ? ULP_PD + 1 : ULP_PD, /* of another stream */
                                   .base = ULP_BASE,
                                   .len = ULP_AREA,
                                   .mem = &u->mem[region_at(i)],
                                   .access = region_access(i),
                                   .no_inval = i == 2};
  if (iwarp_endpoint_register(u->ep, &v) == IWARP_OK) {
    fuzz_expect(!r->registered, "two regions in one place");
    *r = (ulp_region){.registered = true, .valid = true, .stag = stag, .access = v.access};
  }
}

static ulp_region *region_of(ulp *u, uint32_t stag) {
  for (size_t i = 0; i < ULP_REGIONS; i++) {
    if (u->regions[i].registered && u->regions[i].stag == stag) {
      return &u->regions[i];
    }
  }
  return NULL;
}

static void post_recv(ulp *u, uint32_t len) {
  const size_t slot = u->recvs_posted % ULP_RECVS;
  const iwarp_err err =
      iwarp_endpoint_recv(u->ep, u->recvs_posted, &u->mem[slot * ULP_BUFFER], len);
  const bool full = u->recvs_posted - u->recvs_done == ULP_RECVS;
  fuzz_expect(err != IWARP_OK || !full, "more receive buffers than there may be");
  fuzz_expect(err == IWARP_OK || err == IWARP_ERR_STATE || (full && err == IWARP_ERR_NOBUF),
              "a receive buffer: %s", iwarp_errname(err));
  if (err == IWARP_OK) {
    u->buffers[slot] = (ulp_buffer){.len = len};
    u->recvs_posted++;
  }
}

void ulp_begin(ulp *u, iwarp_endpoint *ep, uint8_t *mem, const iwarp_endpoint_cfg *cfg) {
  *u = (ulp){.ep = ep, .mem = mem, .out_of_order = cfg->num_out_of_order > 0};
  u->now = 1;
  iwarp_endpoint_time(ep, u->now);
  for (size_t i = 0; i < ULP_REGIONS; i++) {
    register_region(u, i, (uint32_t)(0x100 * (i + 1)));
    u->peer_stag[i] = (uint32_t)(0x100 * (i + 1));
  }
  for (uint32_t i = 0; i < 4; i++) {
    post_recv(u, ULP_BUFFER >> i);
  }
}

/* ---- what may happen ---- */

/* The runs lie one after the other from `base` on, and hold as many octets as the place says. */
static void check_runs(const iwarp_endpoint_place *v, const uint8_t *base, uint64_t room) {
  uint64_t at = v->offset;
  fuzz_expect(v->num_runs > 0 && v->offset <= room && v->len <= room - v->offset,
              "%u octets placed at %llu of %llu", v->len, (unsigned long long)v->offset,
              (unsigned long long)room);
  for (size_t i = 0; i < v->num_runs; i++) {
    fuzz_expect(v->runs[i].src.len > 0 && v->runs[i].dst == base + at, "run %zu of a place", i);
    at += v->runs[i].src.len;
  }
  fuzz_expect(at == v->offset + v->len, "runs of %llu octets",
              (unsigned long long)(at - v->offset));
}

static void placed_tagged(ulp *u, const iwarp_endpoint_place *v) {
  const ulp_region *r = region_of(u, v->stag);
  fuzz_expect(r != NULL && r->valid, "octets placed in STag 0x%x", v->stag);
  const size_t i = (size_t)(r - u->regions);
  const bool sink = u->reads > 0;
  fuzz_expect((r->access & IWARP_ACCESS_REMOTE_WRITE) != 0 || sink, "no right to write STag 0x%x",
              v->stag);
  fuzz_expect(i != 5 || sink, "octets placed in another Protection Domain");
  check_runs(v, &u->mem[region_at(i)], ULP_AREA);
}

static void placed_untagged(ulp *u, const iwarp_endpoint_place *v) {
  const size_t slot = v->token % ULP_RECVS;
  ulp_buffer *b = &u->buffers[slot];
  fuzz_expect(v->token >= u->recvs_done && v->token < u->recvs_posted, "buffer %llu is not posted",
              (unsigned long long)v->token);
  check_runs(v, &u->mem[slot * ULP_BUFFER], b->len);
  b->placed += v->len;
}

static void placed(ulp *u, const iwarp_endpoint_place *v, bool copy) {
  fuzz_expect(!u->fault && !u->terminated, "octets placed after the end of RDMAP");
  if (v->tagged) {
    placed_tagged(u, v);
  } else {
    placed_untagged(u, v);
  }
  for (size_t i = 0; copy && i < v->num_runs; i++) {
    memcpy(v->runs[i].dst, v->runs[i].src.ptr, v->runs[i].src.len);
  }
}

static void received(ulp *u, const iwarp_endpoint_received *r) {
  const ulp_buffer *b = &u->buffers[r->token % ULP_RECVS];
  fuzz_expect(r->token == u->recvs_done && u->recvs_done < u->recvs_posted, "receive buffer %llu",
              (unsigned long long)r->token);
  u->recvs_done++;
  if (r->err != IWARP_OK) {
    return;
  }
  const bool immediate =
      r->opcode == IWARP_RDMAP_OP_IMMEDIATE || r->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE;
  fuzz_expect(!u->fault && !u->terminated, "a message after the end of RDMAP");
  fuzz_expect(r->len <= b->len && (!immediate || r->len == 0), "%u octets received", r->len);
  fuzz_expect(u->out_of_order ? b->placed >= r->len : b->placed == r->len,
              "%u octets received, %u placed", r->len, b->placed);
  if (r->invalidated) {
    ulp_region *region = region_of(u, r->stag);
    fuzz_expect(region != NULL && region->valid && region != &u->regions[2],
                "STag 0x%x was invalidated", r->stag);
    region->valid = false;
  }
}

static bool waits(iwarp_rdmap_opcode opcode) {
  return opcode == IWARP_RDMAP_OP_READ_REQ || opcode == IWARP_RDMAP_OP_ATOMIC_REQ;
}

static void completed(ulp *u, const iwarp_endpoint_done *d) {
  const iwarp_rdmap_opcode opcode = u->ops[u->ops_done % ULP_OPS];
  fuzz_expect(d->token == u->ops_done && u->ops_done < u->ops_posted, "operation %llu",
              (unsigned long long)d->token);
  fuzz_expect(d->opcode == opcode, "opcode %d, was %d", (int)d->opcode, (int)opcode);
  fuzz_expect(d->err != IWARP_OK || !waits(opcode) || (!u->fault && !u->terminated),
              "a Response after the end of RDMAP");
  u->ops_done++;
  u->reads -= opcode == IWARP_RDMAP_OP_READ_REQ ? 1 : 0;
}

static void asked(ulp *u, const iwarp_endpoint_atomic_op *a) {
  const uint8_t *begin = &u->mem[region_at(3)];
  fuzz_expect(!u->asked, "two Atomic Operations at a time");
  fuzz_expect(a->mem >= begin && a->mem + 8 <= begin + ULP_AREA && (a->mem - begin) % 8 == 0 &&
                  u->regions[3].valid,
              "an Atomic Operation outside its region");
  u->ask = *a;
  u->asked = true;
}

void ulp_answer(ulp *u) {
  const iwarp_rdmap_atomic_req *r = &u->ask.req;
  uint64_t old;
  uint64_t now;
  if (!u->asked) {
    return;
  }
  u->asked = false;
  memcpy(&old, u->ask.mem, sizeof old);
  now = r->aopcode == IWARP_RDMAP_AOP_FETCH_ADD
            ? iwarp_rdmap_fetch_add(old, r->add_swap_data, r->add_swap_mask)
            : iwarp_rdmap_cmp_swap(old, r->add_swap_data, r->add_swap_mask, r->compare_data,
                                   r->compare_mask);
  memcpy(u->ask.mem, &now, sizeof now);
  const iwarp_err err = iwarp_endpoint_atomic_answer(u->ep, old);
  fuzz_expect(err == IWARP_OK || u->fault || u->terminated || u->closed, "an answer: %s",
              iwarp_errname(err));
}

void ulp_event(ulp *u, const iwarp_endpoint_ev *ev, bool copy) {
  fuzz_expect(!u->closed, "event %d after CLOSED", (int)ev->kind);
  switch (ev->kind) {
  case IWARP_ENDPOINT_EVENT_REQUEST:
  case IWARP_ENDPOINT_EVENT_REPLY: u->due = true; return;
  case IWARP_ENDPOINT_EVENT_ESTABLISHED:
    fuzz_expect(!u->established, "established twice");
    u->established = true;
    return;
  case IWARP_ENDPOINT_EVENT_PLACE: placed(u, &ev->u.place, copy); return;
  case IWARP_ENDPOINT_EVENT_RECV: received(u, &ev->u.recv); return;
  case IWARP_ENDPOINT_EVENT_ATOMIC: asked(u, &ev->u.atomic); return;
  case IWARP_ENDPOINT_EVENT_DONE: completed(u, &ev->u.done); return;
  case IWARP_ENDPOINT_EVENT_FAULT:
    fuzz_expect(!u->fault, "a second fault");
    fuzz_expect(
        iwarp_rdmap_term_code_name(ev->u.fault.layer, ev->u.fault.etype, ev->u.fault.code) != NULL,
        "fault %u %u %u has no name", ev->u.fault.layer, ev->u.fault.etype, ev->u.fault.code);
    u->fault = true;
    return;
  case IWARP_ENDPOINT_EVENT_TERMINATED:
    fuzz_expect(!u->terminated, "a second Terminate");
    u->terminated = true;
    return;
  case IWARP_ENDPOINT_EVENT_CLOSED:
    u->closed = true;
    u->how = ev->u.closed;
    return;
  case IWARP_ENDPOINT_EVENT_REJECTED:
  case IWARP_ENDPOINT_EVENT_STREAMING:
  case IWARP_ENDPOINT_EVENT_PEER_ENDED:
  case IWARP_ENDPOINT_EVENT_SHUTDOWN:
  case IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER:
  case IWARP_ENDPOINT_EVENT_RECV_LOW:
  case IWARP_ENDPOINT_EVENT_IDLE: return;
  }
}

void ulp_over(const ulp *u) {
  if (u->closed) {
    fuzz_expect(u->ops_done == u->ops_posted && u->recvs_done == u->recvs_posted,
                "CLOSED with %llu operations and %llu buffers left",
                (unsigned long long)(u->ops_posted - u->ops_done),
                (unsigned long long)(u->recvs_posted - u->recvs_done));
  }
}

void ulp_clock(ulp *u, uint8_t part) {
  const uint64_t due = iwarp_endpoint_deadline(u->ep);
  fuzz_expect(due == IWARP_TIME_NEVER || due > u->now, "a deadline of the past");
  fuzz_expect(!u->closed || due == IWARP_TIME_NEVER, "a deadline after CLOSED");
  const uint64_t left = due == IWARP_TIME_NEVER ? 1000 : due - u->now;
  u->now += part == 255 ? left : left / 255 * part;
  iwarp_endpoint_time(u->ep, u->now);
}

/* ---- what a ULP does ---- */

static void posted(ulp *u, iwarp_err err, iwarp_rdmap_opcode opcode) {
  const bool full = u->ops_posted - u->ops_done == ULP_OPS;
  fuzz_expect(err == IWARP_OK || err == IWARP_ERR_STATE || err == IWARP_ERR_ARG ||
                  (full && err == IWARP_ERR_NOBUF),
              "opcode %d: %s", (int)opcode, iwarp_errname(err));
  if (err == IWARP_OK) {
    fuzz_expect(!full && !u->closed && !u->fault, "an operation was taken");
    u->ops[u->ops_posted % ULP_OPS] = opcode;
    u->ops_posted++;
    u->reads += opcode == IWARP_RDMAP_OP_READ_REQ ? 1 : 0;
  }
}

static uint32_t some_len(iwarp_span *tape, uint32_t most) {
  return (uint32_t)(fuzz_take(tape) * 4u) % (most + 1);
}

static void send(ulp *u, iwarp_span *tape) {
  static const iwarp_rdmap_opcode kinds[] = {IWARP_RDMAP_OP_SEND, IWARP_RDMAP_OP_SEND_SE,
                                             IWARP_RDMAP_OP_SEND_INV, IWARP_RDMAP_OP_SEND_SE_INV};
  const uint8_t how = fuzz_take(tape);
  const iwarp_rdmap_opcode opcode = kinds[how & 3u];
  static iwarp_span part[ULP_OPS]; /* borrowed until the operation completes */
  iwarp_span *p = &part[u->ops_posted % ULP_OPS];
  *p = (iwarp_span){payload, some_len(tape, ULP_BUFFER)};
  const uint32_t stag = (how & 2u) != 0 ? u->peer_stag[(how >> 2) % ULP_REGIONS] : 0;
  posted(u, iwarp_endpoint_send(u->ep, u->ops_posted, opcode, stag, (iwarp_tx_payload){p, 1}),
         opcode);
}

static void write(ulp *u, iwarp_span *tape) {
  const uint8_t how = fuzz_take(tape);
  const iwarp_span part = {payload, some_len(tape, ULP_AREA)};
  const uint64_t to = ULP_BASE + (how >> 3) * 16u;
  posted(u,
         iwarp_endpoint_write(u->ep, u->ops_posted, u->peer_stag[how % ULP_REGIONS], to,
                              (iwarp_tx_payload){&part, 1}),
         IWARP_RDMAP_OP_WRITE);
}

static void read(ulp *u, iwarp_span *tape) {
  const uint8_t how = fuzz_take(tape);
  const uint32_t len = some_len(tape, ULP_AREA);
  const iwarp_rdmap_read_req req = {.sink_stag = u->regions[how & 1u].stag,
                                    .sink_to = ULP_BASE + ULP_AREA - len,
                                    .size = len,
                                    .source_stag = u->peer_stag[(how >> 1) % ULP_REGIONS],
                                    .source_to = ULP_BASE + (how >> 4)};
  posted(u, iwarp_endpoint_read(u->ep, u->ops_posted, &req), IWARP_RDMAP_OP_READ_REQ);
}

static void atomic(ulp *u, iwarp_span *tape) {
  const uint8_t how = fuzz_take(tape);
  const iwarp_rdmap_atomic_req req = {.aopcode = (how & 1u) != 0 ? IWARP_RDMAP_AOP_CMP_SWAP
                                                                 : IWARP_RDMAP_AOP_FETCH_ADD,
                                      .stag = u->peer_stag[(how & 2u) != 0 ? 3 : 1],
                                      .to = ULP_BASE + (how >> 2) % 16u * 4u,
                                      .add_swap_data = how,
                                      .add_swap_mask = UINT64_MAX,
                                      .compare_mask = how};
  posted(u, iwarp_endpoint_atomic(u->ep, u->ops_posted, &req), IWARP_RDMAP_OP_ATOMIC_REQ);
}

static void immediate(ulp *u, iwarp_span *tape) {
  const bool se = (fuzz_take(tape) & 1u) != 0;
  posted(u, iwarp_endpoint_immediate(u->ep, u->ops_posted, se, payload),
         se ? IWARP_RDMAP_OP_IMMEDIATE_SE : IWARP_RDMAP_OP_IMMEDIATE);
}

static void memory(ulp *u, iwarp_span *tape) {
  const uint8_t how = fuzz_take(tape);
  const size_t i = (how >> 2) % ULP_REGIONS;
  ulp_region *r = &u->regions[i];
  iwarp_err err = IWARP_OK;
  switch (how & 3u) {
  case 0:
    if (!r->registered) {
      register_region(u, i, r->stag + 1);
    }
    return;
  case 1: err = iwarp_endpoint_invalidate(u->ep, r->stag); break;
  case 2: err = iwarp_endpoint_revoke(u->ep, r->stag); break;
  default:
    err = iwarp_endpoint_deregister(u->ep, r->stag);
    r->registered = err == IWARP_OK ? false : r->registered;
  }
  if (err == IWARP_OK || (err == IWARP_ERR_STATE && (how & 3u) == 3u)) {
    r->valid = false;
  }
}

/* Calls that bring the connection forward, or end it. */
static void connection(ulp *u, iwarp_span *tape) {
  const uint8_t how = fuzz_take(tape);
  const iwarp_span pd = {payload, (how >> 4) * 4u};
  const iwarp_span nothing = {0};
  const bool initiator = (how & 8u) != 0;
  switch (how & 7u) {
  case 0:
  case 1: (void)iwarp_endpoint_accept(u->ep, initiator ? nothing : pd); return;
  case 2: (void)iwarp_endpoint_accept(u->ep, nothing); return;
  case 3: (void)iwarp_endpoint_reject(u->ep, initiator ? nothing : pd); return;
  case 4: (void)iwarp_endpoint_close(u->ep); return;
  case 5: (void)iwarp_endpoint_fail(u->ep, 0, 0, 0); return;
  case 6: (void)iwarp_endpoint_set_emss(u->ep, 128u + (how >> 3) * 40u); return;
  default:
    if ((how & 0xF8u) == 0xF8u) {
      (void)iwarp_endpoint_abort(u->ep);
    }
  }
}

void ulp_act(ulp *u, iwarp_span *tape) {
  const uint8_t what = fuzz_take(tape);
  switch (what % 10u) {
  case 0: post_recv(u, some_len(tape, ULP_BUFFER)); return;
  case 1: send(u, tape); return;
  case 2: write(u, tape); return;
  case 3: read(u, tape); return;
  case 4: atomic(u, tape); return;
  case 5: immediate(u, tape); return;
  case 6: memory(u, tape); return;
  case 7: ulp_answer(u); return;
  case 8: ulp_clock(u, fuzz_take(tape)); return;
  default: connection(u, tape);
  }
}
