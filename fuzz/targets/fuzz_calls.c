/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All calls of an endpoint, in any state and order, between octets of a peer that knows its
 * memory. A call that is refused changes nothing; nothing is placed where it may not be; all that
 * was posted comes back once, and nothing happens after the end.
 */
#include <iwarp/endpoint.h>
#include <stdalign.h>
#include <string.h>

#include "ep_host.h"
#include "peer.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

#define REGIONS 4u
#define REGION 2048u /* octets */
#define BUFFERS 4u
#define BUFFER 700u /* octets */
#define OPS 6u

typedef struct region {
  bool registered;
  bool valid;
} region;

static struct {
  iwarp_endpoint *ep;
  peer peer;
  size_t heard; /* octets of the peer that were pushed in order */
  uint64_t now;
  uint64_t posted; /* operations */
  uint64_t done;
  uint64_t recvs;
  uint64_t recvs_done;
  bool asked; /* the ULP was asked for an Atomic Operation */
  bool closed;
  region regions[REGIONS]; /* 0 is a sink of Reads */
} c;

static alignas(max_align_t) uint8_t block[1u << 18];
static alignas(8) uint8_t memory[REGIONS * REGION + BUFFERS * BUFFER];
static iwarp_span tape;

/* ---- what may happen ---- */

static void placed(const iwarp_endpoint_place *v) {
  for (size_t i = 0; i < v->num_runs; i++) {
    const iwarp_endpoint_run *run = &v->runs[i];
    fuzz_expect(run->dst >= memory && run->src.len <= sizeof memory &&
                    run->dst <= memory + sizeof memory - run->src.len,
                "octets outside of all memory");
  }
  ep_place(v);
  if (v->tagged) {
    const size_t i = v->stag / 0x100u - 1;
    fuzz_expect(i < 2 && c.regions[i].valid, "STag 0x%x is placed to",
                v->stag); /* sink, writable */
    fuzz_expect(v->offset <= REGION && v->len <= REGION - v->offset, "beyond region %zu", i);
  } else {
    fuzz_expect(v->token >= c.recvs_done && v->token < c.recvs, "buffer %llu is placed to",
                (unsigned long long)v->token);
    fuzz_expect(v->offset <= BUFFER && v->len <= BUFFER - v->offset, "beyond its buffer");
  }
}

static void received(const iwarp_endpoint_received *r) {
  fuzz_expect(c.recvs_done < c.recvs && r->token == c.recvs_done, "receive buffer %llu",
              (unsigned long long)r->token);
  c.recvs_done++;
  if (r->err == IWARP_OK && r->invalidated) {
    const size_t i = r->stag / 0x100u - 1;
    fuzz_expect(i < REGIONS && c.regions[i].valid, "STag 0x%x was invalidated", r->stag);
    c.regions[i].valid = false;
  }
}

static void event(const iwarp_endpoint_event *ev) {
  fuzz_expect(!c.closed, "event %d after the end", (int)ev->kind);
  switch (ev->kind) {
  case IWARP_ENDPOINT_EVENT_PLACE: placed(&ev->u.place); return;
  case IWARP_ENDPOINT_EVENT_RECV: received(&ev->u.recv); return;
  case IWARP_ENDPOINT_EVENT_DONE:
    fuzz_expect(c.done < c.posted && ev->u.done.token == c.done, "operation %llu",
                (unsigned long long)ev->u.done.token);
    c.done++;
    return;
  case IWARP_ENDPOINT_EVENT_ATOMIC:
    fuzz_expect(!c.asked && ev->u.atomic.mem >= memory &&
                    ev->u.atomic.mem + 8 <= memory + sizeof memory,
                "an Atomic Operation outside of all memory");
    c.asked = true;
    return;
  case IWARP_ENDPOINT_EVENT_CLOSED:
    fuzz_expect(c.done == c.posted && c.recvs_done == c.recvs, "the end, and something is left");
    c.closed = true;
    return;
  case IWARP_ENDPOINT_EVENT_REQUEST:
  case IWARP_ENDPOINT_EVENT_REPLY:
  case IWARP_ENDPOINT_EVENT_REJECTED:
  case IWARP_ENDPOINT_EVENT_ESTABLISHED:
  case IWARP_ENDPOINT_EVENT_STREAMING:
  case IWARP_ENDPOINT_EVENT_PEER_ENDED:
  case IWARP_ENDPOINT_EVENT_SHUTDOWN:
  case IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER:
  case IWARP_ENDPOINT_EVENT_RECV_LOW:
  case IWARP_ENDPOINT_EVENT_FAULT:
  case IWARP_ENDPOINT_EVENT_TERMINATED:
  case IWARP_ENDPOINT_EVENT_IDLE: return;
  }
}

static void events(void) {
  iwarp_endpoint_event ev;
  while (iwarp_endpoint_next_event(c.ep, &ev) == IWARP_OK) {
    event(&ev);
  }
}

/* ---- calls of the ULP ---- */

static uint32_t stag(uint8_t how) {
  return PEER_STAG(how % (REGIONS + 1));
}

static void post(iwarp_err err) {
  fuzz_expect(err != IWARP_OK || !c.closed, "an operation is posted after the end");
  c.posted += err == IWARP_OK ? 1 : 0;
}

static iwarp_err operate(uint8_t what, uint8_t how) {
  static iwarp_span parts[OPS]; /* borrowed until they are done */
  static const uint8_t octets[BUFFER] = {1};
  iwarp_span *part = &parts[c.posted % OPS];
  const iwarp_rdmap_read_req read = {.sink_stag = PEER_STAG(0),
                                     .sink_to = PEER_BASE,
                                     .size = (how & 7u) == 7u ? 600u : (how & 7u) * 9u,
                                     .source_stag = stag(how >> 3)};
  const iwarp_rdmap_atomic_req atomic = {.aopcode = IWARP_RDMAP_AOP_FETCH_ADD, .stag = stag(how)};
  if (c.posted - c.done == OPS) {
    return IWARP_ERR_NOBUF; /* the parts of the first one are not free */
  }
  *part = (iwarp_span){octets, (how & 7u) * 90u};
  switch (what) {
  case 0:
    return iwarp_endpoint_send(c.ep, c.posted,
                               (how & 8u) != 0 ? IWARP_RDMAP_OP_SEND_INV : IWARP_RDMAP_OP_SEND,
                               (how & 8u) != 0 ? stag(how) : 0, (iwarp_tx_payload){part, 1});
  case 1:
    return iwarp_endpoint_write(c.ep, c.posted, stag(how >> 3), PEER_BASE,
                                (iwarp_tx_payload){part, 1});
  case 2: return iwarp_endpoint_read(c.ep, c.posted, &read);
  case 3: return iwarp_endpoint_atomic(c.ep, c.posted, &atomic);
  default: return iwarp_endpoint_immediate(c.ep, c.posted, (how & 1u) != 0, octets);
  }
}

static iwarp_err receive(uint8_t how) {
  const size_t slot = c.recvs % BUFFERS;
  if (c.recvs - c.recvs_done == BUFFERS) {
    return IWARP_ERR_NOBUF;
  }
  const iwarp_err err = iwarp_endpoint_recv(
      c.ep, c.recvs, &memory[REGIONS * REGION + slot * BUFFER], (how & 1u) != 0 ? BUFFER : 20);
  c.recvs += err == IWARP_OK ? 1 : 0;
  return err;
}

static iwarp_err registers(size_t i) {
  static const uint8_t access[REGIONS] = {0, IWARP_ACCESS_REMOTE_WRITE | IWARP_ACCESS_REMOTE_READ,
                                          IWARP_ACCESS_REMOTE_ATOMIC, IWARP_ACCESS_REMOTE_READ};
  const iwarp_endpoint_region v = {.stag = PEER_STAG((uint32_t)i),
                                   .pd = i == 3 ? 9 : 0,
                                   .base = PEER_BASE,
                                   .len = REGION,
                                   .mem = &memory[i * REGION],
                                   .access = access[i],
                                   .no_inval = i == 2};
  const iwarp_err err = iwarp_endpoint_register(c.ep, &v);
  if (err == IWARP_OK) {
    c.regions[i] = (region){.registered = true, .valid = true};
  }
  return err;
}

static iwarp_err withdraw(uint8_t how) {
  const size_t i = (how >> 2) % REGIONS;
  iwarp_err err = IWARP_OK;
  switch (how & 3u) {
  case 0: return registers(i);
  case 1: err = iwarp_endpoint_invalidate(c.ep, PEER_STAG((uint32_t)i)); break;
  case 2: err = iwarp_endpoint_revoke(c.ep, PEER_STAG((uint32_t)i)); break;
  default: err = iwarp_endpoint_deregister(c.ep, PEER_STAG((uint32_t)i)); break;
  }
  c.regions[i].valid = c.regions[i].valid && err != IWARP_OK;
  return err;
}

static iwarp_err passes(uint8_t how) {
  const uint64_t due = iwarp_endpoint_deadline(c.ep);
  fuzz_expect(!c.closed || due == IWARP_TIME_NEVER, "a deadline after the end");
  const uint64_t left = due != IWARP_TIME_NEVER && due > c.now ? due - c.now : 1000;
  c.now += (how & 1u) != 0 ? left : left / 2;
  iwarp_endpoint_time(c.ep, c.now);
  return IWARP_OK;
}

/* ---- the transport ---- */

static iwarp_err pulls(uint8_t how) {
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  for (size_t i = 0; i <= (how & 15u); i++) {
    if (iwarp_endpoint_next_output(c.ep, spans, IWARP_TX_SPANS_MIN, &out) != IWARP_OK) {
      return IWARP_OK;
    }
    fuzz_expect(!c.closed && out.len > 0, "octets after the end");
    const size_t n = (how & 16u) != 0 ? 1 + out.len / 2 : out.len;
    fuzz_expect(iwarp_endpoint_advance(c.ep, n) == IWARP_OK, "advance");
    events();
  }
  return IWARP_OK;
}

/* Takes the peer's last item before its turn, or all items in order. */
static iwarp_err hears(uint8_t how) {
  const bool early = (how & 1u) != 0 && c.peer.last > c.heard;
  const size_t from = early ? c.peer.last : c.heard;
  const size_t left = c.peer.len - from;
  const size_t n = (how & 2u) != 0 ? left / 2 : left;
  const iwarp_err err =
      early ? iwarp_endpoint_push_at(c.ep, from, (iwarp_span){&c.peer.octets[from], n})
            : iwarp_endpoint_push(c.ep, (iwarp_span){&c.peer.octets[from], n});
  c.heard += err == IWARP_OK && !early ? n : 0;
  return err;
}

static iwarp_err connection(uint8_t what, uint8_t how) {
  static const uint8_t data[4] = {0};
  const iwarp_span pd = {data, how & 4u};
  switch (what) {
  case 0: return iwarp_endpoint_connect(c.ep, pd);
  case 1: return iwarp_endpoint_listen(c.ep);
  case 2: return iwarp_endpoint_accept(c.ep, pd);
  case 3: return iwarp_endpoint_reject(c.ep, pd);
  case 4: return iwarp_endpoint_close(c.ep);
  case 5: return iwarp_endpoint_abort(c.ep);
  case 6: return iwarp_endpoint_fail(c.ep, 0, (how & 1u), 0);
  case 7: return iwarp_endpoint_eof(c.ep);
  case 8: return iwarp_endpoint_lost(c.ep);
  default: return iwarp_endpoint_send_failed(c.ep);
  }
}

/* ---- a step ---- */

static iwarp_err act(uint8_t what, uint8_t how) {
  switch (what % 16u) {
  case 0: return receive(how);
  case 1: return withdraw(how);
  case 2: return passes(how);
  case 3: return pulls(how);
  case 4:
  case 5: return hears(how);
  case 6: {
    const iwarp_err err = iwarp_endpoint_atomic_answer(c.ep, how);
    c.asked = c.asked && err != IWARP_OK;
    return err;
  }
  case 7: peer_spoil(&c.peer, how); return IWARP_OK;
  case 8:
  case 9: post(operate(what / 16u % 5u, how)); return IWARP_OK;
  case 10:
  case 11: return connection(what / 16u == 9u ? 9u : what / 16u % 9u, how);
  default:
    peer_say(&c.peer, (peer_says)((what / 16u + what % 4u * 16u) % PEER_NUM_SAYS), how,
             iwarp_endpoint_info_get(c.ep)->markers_in);
    return IWARP_OK;
  }
}

/* The endpoint's work under way stays within its bounds. */
static void count(void) {
  iwarp_endpoint_counters n;
  iwarp_endpoint_counters_get(c.ep, &n);
  fuzz_expect(n.inbound <= iwarp_endpoint_info_get(c.ep)->ird, "%u Requests of the peer",
              n.inbound);
  fuzz_expect(n.outstanding <= OPS && n.ops <= OPS && n.recvs <= BUFFERS,
              "%u operations, %u buffers", n.ops, n.recvs);
}

static void step(void) {
  const uint8_t what = fuzz_take(&tape);
  const uint8_t how = fuzz_take(&tape);
  const iwarp_endpoint_state before = iwarp_endpoint_info_get(c.ep)->state;
  const iwarp_err err = act(what, how);
  const iwarp_endpoint_state after = iwarp_endpoint_info_get(c.ep)->state;
  fuzz_expect((size_t)after < IWARP_ENDPOINT_NUM_STATES, "state %d", (int)after);
  fuzz_expect(err != IWARP_ERR_STATE || before == after || after == IWARP_ENDPOINT_CLOSED,
              "a call that is refused changes state %d to %d", (int)before, (int)after);
  events();
  count();
}

static void begin(fuzz_in *f) {
  const uint8_t how = fuzz_u8(f);
  const uint8_t more = fuzz_u8(f);
  const iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                                  .role =
                                      (how & 1u) != 0 ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR,
                                  .rev = (how & 2u) != 0 ? 1 : 2,
                                  .markers = (how & 4u) != 0,
                                  .no_crc = (how & 8u) != 0,
                                  .peer_to_peer = (how & 16u) != 0,
                                  .strict_first_fpdu = (how & 32u) != 0,
                                  .base_only = (how & 64u) != 0,
                                  .pack = (how & 128u) != 0,
                                  .rtr = more & 7u,
                                  .ird = 2,
                                  .ord = (more & 8u) != 0 ? 1 : 2,
                                  .emss = (more & 16u) != 0 ? 140 : 1460,
                                  .max_ulpdu = 1000,
                                  .num_out_of_order = (more & 32u) != 0 ? 0 : 4,
                                  .recv_low = (more & 64u) != 0 ? 2 : 0,
                                  .idle_ns = (more & 128u) != 0 ? 1000 : 0,
                                  .num_sends = OPS,
                                  .num_recvs = BUFFERS,
                                  .num_regions = REGIONS};
  memset(&c, 0, sizeof c);
  c.now = 1;
  fuzz_expect(iwarp_endpoint_init(&c.ep, block, sizeof block, &cfg) == IWARP_OK, "no endpoint");
  for (size_t i = 0; i < REGIONS; i++) {
    fuzz_expect(registers(i) == IWARP_OK, "no region %zu", i);
  }
  iwarp_endpoint_time(c.ep, c.now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  tape = (iwarp_span){f.body, f.len};
  begin(&f);
  while (tape.len > 0) {
    step();
  }
  (void)iwarp_endpoint_lost(c.ep);
  events();
  fuzz_expect(c.closed, "the loss of the transport connection does not end it");
  return 0;
}
