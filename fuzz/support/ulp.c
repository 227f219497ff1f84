/* SPDX-License-Identifier: BSD-2-Clause */
/* A ULP that does what octets say, and a model of what its endpoint may tell it. */
#include "ulp.h"

#include <string.h>

#include "ep_host.h"
#include "misuse.h"

#define PATTERN (ULP_AREA + 1024u)

const uint8_t *ulp_pattern(void) {
  static uint8_t pattern[PATTERN];
  for (size_t i = 0; i < PATTERN && pattern[0] == 0; i++) {
    pattern[PATTERN - 1 - i] = (uint8_t)(1u + (PATTERN - 1 - i) % 251u);
  }
  return pattern;
}

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

static void share(ulp *u, iwarp_endpoint_cfg *cfg) {
  iwarp_err err = IWARP_OK;
  if ((u->style & ULP_SHARES_REGIONS) != 0) {
    err = iwarp_regions_init(&u->shared, u->tables[0], ULP_SHARED_MEM, ULP_REGIONS);
    cfg->num_regions = 0;
  }
  fuzz_expect(err == IWARP_OK, "no shared regions");
  if ((u->style & ULP_SHARES_QUEUE) != 0) {
    err = iwarp_srq_init(&u->srq, u->tables[1], ULP_SHARED_MEM, ULP_RECVS, cfg->recv_low);
    cfg->recv_low = 0;
  }
  fuzz_expect(err == IWARP_OK, "no shared queue");
  cfg->regions = u->shared;
  cfg->srq = u->srq;
}

void ulp_new(ulp *u, iwarp_endpoint_cfg *cfg, uint8_t style) {
  memset(u, 0, offsetof(ulp, tables));
  u->style = style;
  share(u, cfg);
  test_pool_begin(&u->pool, 0);
  cfg->pool = (style & ULP_BORROWS) != 0 ? &u->pool.pool : NULL;
  cfg->leave_rest = (style & ULP_LEAVES_REST) != 0;
  if ((style & ULP_LANDS) != 0) {
    cfg->place_before_crc = !cfg->markers || (style & ULP_BORROWS) == 0;
    cfg->num_out_of_order = 0;
  }
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
                                   .pd = i == 5 ? ULP_PD + 1 : ULP_PD, /* PD of another stream */
                                   .base = ULP_BASE,
                                   .len = ULP_AREA,
                                   .mem = &u->mem[region_at(i)],
                                   .access = region_access(i),
                                   .no_inval = i == 2};
  const iwarp_err err = u->shared != NULL ? iwarp_regions_register(u->shared, &v)
                                          : iwarp_endpoint_register(u->ep, &v);
  if (err == IWARP_OK) {
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
  const iwarp_endpoint_buffer v = {
      .token = u->recvs_posted, .mem = &u->mem[slot * ULP_BUFFER], .len = len};
  const bool full = u->recvs_posted - u->recvs_done == ULP_RECVS;
  if (full && u->srq != NULL) {
    return; /* the queue would have room, the memory would not */
  }
  const iwarp_err err = u->srq != NULL   ? iwarp_srq_recv(u->srq, &v)
                        : slot % 2u == 0 ? iwarp_endpoint_recv_buffer(u->ep, &v)
                                         : iwarp_endpoint_recv(u->ep, v.token, v.mem, v.len);
  fuzz_expect(err != IWARP_OK || !full, "more receive buffers than there may be");
  fuzz_expect(err == IWARP_OK || err == IWARP_ERR_STATE || (full && err == IWARP_ERR_NOBUF),
              "a receive buffer: %s", iwarp_errname(err));
  if (err == IWARP_OK) {
    u->buffers[slot] = (ulp_buffer){.len = len};
    u->recvs_posted++;
  }
}

void ulp_begin(ulp *u, iwarp_endpoint *ep, uint8_t *mem, const iwarp_endpoint_cfg *cfg) {
  u->ep = ep;
  u->mem = mem;
  u->out_of_order = cfg->num_out_of_order > 0;
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

void ulp_fill(ulp *u) {
  memcpy(&u->mem[region_at(2)], ulp_pattern(), ULP_AREA);
  memcpy(&u->mem[region_at(4)], ulp_pattern(), ULP_AREA);
}

/* ---- what may happen ---- */

/* The runs lie one after the other from `base` on, and hold as many octets as the place says; where
 * some landed there before, those that did not. */
static void check_runs(const ulp *u, const iwarp_endpoint_place *v, const uint8_t *base,
                       uint64_t room) {
  const bool lands = (u->style & ULP_LANDS) != 0;
  uint64_t at = v->offset;
  fuzz_expect((v->num_runs > 0 || lands) && v->offset <= room && v->len <= room - v->offset,
              "%u octets placed at %llu of %llu", v->len, (unsigned long long)v->offset,
              (unsigned long long)room);
  for (size_t i = 0; i < v->num_runs; i++) {
    const iwarp_endpoint_run *r = &v->runs[i];
    fuzz_expect(r->src.len > 0 && (lands ? r->dst >= base + at : r->dst == base + at),
                "run %zu of a place", i);
    at = (uint64_t)(r->dst - base) + r->src.len;
    fuzz_expect(at <= v->offset + v->len, "run %zu past the end of its place", i);
  }
  fuzz_expect(lands || at == v->offset + v->len, "runs of %llu octets",
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
  check_runs(u, v, &u->mem[region_at(i)], ULP_AREA);
}

static void placed_untagged(ulp *u, const iwarp_endpoint_place *v) {
  const size_t slot = v->token % ULP_RECVS;
  ulp_buffer *b = &u->buffers[slot];
  fuzz_expect(v->token >= u->recvs_done && v->token < u->recvs_posted, "buffer %llu is not posted",
              (unsigned long long)v->token);
  check_runs(u, v, &u->mem[slot * ULP_BUFFER], b->len);
  b->placed += v->len;
}

static void placed(ulp *u, const iwarp_endpoint_place *v, bool copy) {
  fuzz_expect(!u->fault && !u->terminated, "octets placed after the end of RDMAP");
  if (v->tagged) {
    placed_tagged(u, v);
  } else {
    placed_untagged(u, v);
  }
  if (copy) {
    size_t len = 0;
    for (size_t i = 0; i < v->num_runs; i++) {
      len += v->runs[i].src.len;
    }
    fuzz_expect(iwarp_place_copy(v) == len, "the copy of %zu octets", len);
  }
}

/* An error found here is in an FPDU of the peer, or in none. */
static void found(ulp *u, const iwarp_endpoint_fault *f) {
  fuzz_expect(!u->fault, "a second fault");
  fuzz_expect(iwarp_name_known(iwarp_rdmap_term_code_name(f->layer, f->etype, f->code)),
              "fault %u %u %u has no name", f->layer, f->etype, f->code);
  fuzz_expect((unsigned)f->term == ((unsigned)f->layer << 12 | (unsigned)f->etype << 8 | f->code),
              "the error as one number");
  fuzz_expect(f->offset == IWARP_POS_UNKNOWN ? !f->has_ddp
                                             : f->offset < iwarp_endpoint_rx_offset(u->ep),
              "the place of an error");
  u->fault = true;
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

static void forget_op(ulp *u) {
  u->reads -= u->ops[u->ops_done % ULP_OPS].opcode == IWARP_RDMAP_OP_READ_REQ ? 1 : 0;
  u->ops_done++;
}

/* Takes those for done that were posted unsignalled and completed; the endpoint has `more` that are
 * not counted here yet. */
static void settle(ulp *u, uint64_t more) {
  iwarp_endpoint_counters c;
  iwarp_endpoint_counters_get(u->ep, &c);
  while (u->ops_posted + more - u->ops_done > c.ops && u->ops_posted > u->ops_done &&
         u->ops[u->ops_done % ULP_OPS].silent) {
    forget_op(u);
  }
}

/* RDMAP ends. A Response that came before may be reported after it: when the operations before its
 * Request are done, or when the transport advances over the Request. */
static void ended(ulp *u) {
  if (!u->fault && !u->terminated) {
    u->may_be_done_from = u->ops_done + (u->in_flight ? 0 : 1);
  }
}

static void completed(ulp *u, const iwarp_endpoint_done *d) {
  while (u->ops_done < d->token && u->ops[u->ops_done % ULP_OPS].silent) {
    forget_op(u);
  }
  const ulp_op *op = &u->ops[u->ops_done % ULP_OPS];
  fuzz_expect(d->token == u->ops_done && u->ops_done < u->ops_posted, "operation %llu",
              (unsigned long long)d->token);
  fuzz_expect(d->opcode == op->opcode, "opcode %d, was %d", (int)d->opcode, (int)op->opcode);
  fuzz_expect(d->err != IWARP_OK || !op->silent, "DONE of an unsignalled operation");
  fuzz_expect(d->err != IWARP_OK || !waits(op->opcode) || (!u->fault && !u->terminated) ||
                  d->token >= u->may_be_done_from,
              "a Response after the end of RDMAP");
  forget_op(u);
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
  if (!u->asked) {
    return;
  }
  u->asked = false;
  const iwarp_err err = iwarp_endpoint_atomic_answer(u->ep, ep_atomic(&u->ask));
  fuzz_expect(err == IWARP_OK || u->fault || u->terminated || u->closed, "an answer: %s",
              iwarp_errname(err));
}

void ulp_event(ulp *u, const iwarp_endpoint_event *ev, bool copy) {
  fuzz_expect(!u->closed, "event %d after CLOSED", (int)ev->kind);
  fuzz_expect(
      iwarp_name_known(iwarp_endpoint_event_name(ev->kind)) &&
          iwarp_name_known(iwarp_endpoint_state_name(iwarp_endpoint_info_get(u->ep)->state)),
      "event %d has no name", (int)ev->kind);
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
    ended(u);
    found(u, &ev->u.fault);
    return;
  case IWARP_ENDPOINT_EVENT_TERMINATED:
    fuzz_expect(!u->terminated, "a second Terminate");
    ended(u);
    u->terminated = true;
    return;
  case IWARP_ENDPOINT_EVENT_CLOSED:
    u->closed = true;
    u->how = ev->u.closed;
    fuzz_expect(iwarp_name_known(iwarp_endpoint_cause_name(u->how.cause)), "a cause");
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

void ulp_over(ulp *u) {
  if (u->closed) {
    const uint64_t left = u->srq != NULL ? iwarp_srq_num(u->srq) : 0;
    settle(u, 0);
    fuzz_expect(u->ops_done == u->ops_posted && u->recvs_done + left == u->recvs_posted,
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

/* ---- octets as they were sent ---- */

static void intact_place(const ulp *u, const iwarp_endpoint_place *v) {
  const ulp_region *r = v->tagged ? region_of((ulp *)(uintptr_t)u, v->stag) : NULL;
  if (r == NULL || r == &u->regions[0] || (r == &u->regions[1] && u->reads > 0)) {
    return; /* octets of a Read are checked when the Read is done */
  }
  const uint8_t *base = &u->mem[region_at((size_t)(r - u->regions))];
  for (size_t i = 0; i < v->num_runs; i++) {
    const iwarp_endpoint_run *run = &v->runs[i];
    fuzz_expect(memcmp(run->src.ptr, ulp_pattern() + (run->dst - base), run->src.len) == 0,
                "other octets than a Write has were placed in STag 0x%x", v->stag);
  }
}

static void intact_message(const ulp *u, const iwarp_endpoint_received *r, const ulp *peer,
                           uint64_t number) {
  if (r->err != IWARP_OK || peer->num_sent - number > peer->cap_sent) {
    return;
  }
  const ulp_message *m = &peer->sent[number % peer->cap_sent];
  const bool immediate =
      m->opcode == IWARP_RDMAP_OP_IMMEDIATE || m->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE;
  const uint8_t *octets = immediate ? r->immediate : &u->mem[r->token % ULP_RECVS * ULP_BUFFER];
  fuzz_expect(number < peer->num_sent && m->opcode == r->opcode, "message %llu was not sent",
              (unsigned long long)number);
  fuzz_expect((immediate || m->len == r->len) && memcmp(octets, m->octets, m->len) == 0,
              "message %llu has other octets", (unsigned long long)number);
}

/* The sink of a Read, before another one comes. */
static void intact_read(const ulp *u, const iwarp_endpoint_done *d) {
  const ulp_op *op = &u->ops[d->token % ULP_OPS];
  if (d->err == IWARP_OK && op->opcode == IWARP_RDMAP_OP_READ_REQ && op->is_pure &&
      !u->out_of_order) {
    fuzz_expect(
        memcmp(&u->mem[region_at(0) + ULP_AREA - op->len], ulp_pattern() + op->from, op->len) == 0,
        "a Read of %u octets brought others", op->len);
  }
}

void ulp_intact(const ulp *u, const iwarp_endpoint_event *ev, const ulp *peer,
                uint64_t num_received) {
  if (ev->kind == IWARP_ENDPOINT_EVENT_PLACE) {
    intact_place(u, &ev->u.place);
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_RECV) {
    intact_message(u, &ev->u.recv, peer, num_received);
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_DONE) {
    intact_read(u, &ev->u.done);
  }
}

static bool within(const uint8_t *at, size_t n, const void *array, size_t size) {
  const uintptr_t begin = (uintptr_t)array;
  return (uintptr_t)at >= begin && (uintptr_t)at - begin <= size &&
         n <= size - ((uintptr_t)at - begin);
}

void ulp_space(const ulp *u, const iwarp_endpoint_space *space, const void *block, size_t size) {
  bool right = within(space->dst, space->len, block, size) || u->pool.live > 0;
  for (uint64_t t = u->recvs_done; t < u->recvs_posted; t++) {
    const size_t slot = t % ULP_RECVS;
    right =
        right || within(space->dst, space->len, &u->mem[slot * ULP_BUFFER], u->buffers[slot].len);
  }
  for (size_t i = 0; i < ULP_REGIONS; i++) {
    const ulp_region *r = &u->regions[i];
    const bool writable = (r->access & IWARP_ACCESS_REMOTE_WRITE) != 0 && i != 5;
    right = right || (r->registered && r->valid && (writable || u->reads > 0) &&
                      within(space->dst, space->len, &u->mem[region_at(i)], ULP_AREA));
  }
  fuzz_expect(space->len > 0 && right, "%zu octets are to land where none may be", space->len);
}

/* ---- what a ULP does ---- */

static bool posted(ulp *u, iwarp_err err, iwarp_rdmap_opcode opcode) {
  settle(u, err == IWARP_OK ? 1 : 0);
  const bool full = u->ops_posted - u->ops_done == ULP_OPS;
  const bool blocked = iwarp_endpoint_info_get(u->ep)->ord == 0;
  fuzz_expect(err == IWARP_OK || err == IWARP_ERR_STATE || err == IWARP_ERR_ARG ||
                  (full && err == IWARP_ERR_NOBUF) || (blocked && err == IWARP_ERR_ORD),
              "opcode %d: %s", (int)opcode, iwarp_errname(err));
  if (err != IWARP_OK) {
    return false;
  }
  fuzz_expect(!full && !u->closed && !u->fault, "an operation was taken");
  u->ops[u->ops_posted % ULP_OPS] = (ulp_op){.opcode = opcode, .silent = u->silent};
  u->ops_posted++;
  u->reads += opcode == IWARP_RDMAP_OP_READ_REQ ? 1 : 0;
  return true;
}

/* A message for a receive buffer of the peer was posted. */
static void sent(ulp *u, iwarp_rdmap_opcode opcode, iwarp_span octets) {
  if (u->sent != NULL) {
    u->sent[u->num_sent % u->cap_sent] =
        (ulp_message){.opcode = opcode, .octets = octets.ptr, .len = (uint32_t)octets.len};
  }
  u->num_sent++;
}

static uint32_t some_len(iwarp_span *tape, uint32_t most) {
  return (uint32_t)(fuzz_take(tape) * 4u) % (most + 1);
}

/* The payload of the operation that is posted next, in one part or two. */
static iwarp_tx_payload payload(ulp *u, iwarp_span octets, bool parted) {
  settle(u, 0);
  const bool full = u->ops_posted - u->ops_done == ULP_OPS;
  iwarp_span *part = u->part[full ? ULP_OPS : u->ops_posted % ULP_OPS];
  const size_t first = parted ? octets.len / 3 : octets.len;
  part[0] = (iwarp_span){octets.ptr, first};
  part[1] = (iwarp_span){octets.ptr + first, octets.len - first};
  return (iwarp_tx_payload){part, parted ? 2 : 1};
}

static void send(ulp *u, iwarp_span *tape) {
  static const iwarp_rdmap_opcode kinds[] = {IWARP_RDMAP_OP_SEND, IWARP_RDMAP_OP_SEND_SE,
                                             IWARP_RDMAP_OP_SEND_INV, IWARP_RDMAP_OP_SEND_SE_INV};
  const uint8_t how = fuzz_take(tape);
  const iwarp_rdmap_opcode opcode = kinds[how & 3u];
  const uint32_t len = some_len(tape, ULP_BUFFER);
  const iwarp_span octets = {ulp_pattern() + u->ops_posted % 500u, len};
  const uint32_t stag = (how & 2u) != 0 ? u->peer_stag[(how >> 2) % ULP_REGIONS] : 0;
  if (posted(u,
             iwarp_endpoint_send(u->ep, u->ops_posted, opcode, stag,
                                 payload(u, octets, (how & 0x40u) != 0)),
             opcode)) {
    sent(u, opcode, octets);
  }
}

static void write(ulp *u, iwarp_span *tape) {
  const uint8_t how = fuzz_take(tape);
  const uint32_t at = (how >> 3) * 16u;
  const iwarp_span octets = {ulp_pattern() + at, some_len(tape, ULP_AREA)};
  (void)posted(u,
               iwarp_endpoint_write(u->ep, u->ops_posted, u->peer_stag[how % ULP_REGIONS],
                                    ULP_BASE + at, payload(u, octets, (how & 1u) != 0)),
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
  if (posted(u, iwarp_endpoint_read(u->ep, u->ops_posted, &req), IWARP_RDMAP_OP_READ_REQ)) {
    ulp_op *op = &u->ops[(u->ops_posted - 1) % ULP_OPS];
    op->is_pure = (how & 1u) == 0;
    op->len = len;
    op->from = how >> 4;
  }
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
  (void)posted(u, iwarp_endpoint_atomic(u->ep, u->ops_posted, &req), IWARP_RDMAP_OP_ATOMIC_REQ);
}

static void immediate(ulp *u, iwarp_span *tape) {
  const bool se = (fuzz_take(tape) & 1u) != 0;
  const iwarp_rdmap_opcode opcode = se ? IWARP_RDMAP_OP_IMMEDIATE_SE : IWARP_RDMAP_OP_IMMEDIATE;
  const uint8_t *octets = ulp_pattern() + u->ops_posted % 500u;
  if (posted(u, iwarp_endpoint_immediate(u->ep, u->ops_posted, se, octets), opcode)) {
    sent(u, opcode, (iwarp_span){octets, IWARP_RDMAP_IMMEDIATE_LEN});
  }
}

/* Withdraws a region, at the endpoint or in the shared table. */
static iwarp_err withdraw(ulp *u, uint32_t stag, unsigned how) {
  switch (how) {
  case 1:
    return u->shared != NULL ? iwarp_regions_invalidate(u->shared, stag)
                             : iwarp_endpoint_invalidate(u->ep, stag);
  case 2:
    return u->shared != NULL ? iwarp_regions_revoke(u->shared, stag)
                             : iwarp_endpoint_revoke(u->ep, stag);
  default:
    return u->shared != NULL ? iwarp_regions_deregister(u->shared, stag)
                             : iwarp_endpoint_deregister(u->ep, stag);
  }
}

static void memory(ulp *u, iwarp_span *tape) {
  const uint8_t how = fuzz_take(tape);
  const size_t i = (how >> 2) % ULP_REGIONS;
  ulp_region *r = &u->regions[i];
  if ((how & 3u) == 0) {
    if (!r->registered) {
      register_region(u, i, r->stag + 1);
    }
    return;
  }
  const iwarp_err err = withdraw(u, r->stag, how & 3u);
  if ((how & 3u) == 3u) {
    r->registered = err == IWARP_OK ? false : r->registered;
  }
  if (err == IWARP_OK || (err == IWARP_ERR_STATE && (how & 3u) == 3u)) {
    r->valid = false;
  }
}

/* Calls that bring the connection forward, or end it. */
static void connection(ulp *u, iwarp_span *tape) {
  const uint8_t how = fuzz_take(tape);
  const iwarp_span pd = {ulp_pattern(), (how >> 4) * 4u};
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
  if (what >= 0xE0u && what < 0xF0u) {
    const uint8_t which = fuzz_take(tape);
    if (!u->asked && (what & 1u) == 0) {
      misuse_endpoint(u->ep, which);
    }
    return;
  }
  if (what >= 0xF0u) {
    u->silent = (what & 1u) == 0;
    iwarp_endpoint_set_signalled(u->ep, !u->silent);
    return;
  }
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
