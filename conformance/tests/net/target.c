/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A live peer made of iwarp_endpoint, for tests of `iwarp probe` and `iwarp peer` over loopback.
 *
 * "listen" prints its port, and serves connections one after the other until its standard input
 * ends. "connect ADDRESS PORT" makes one connection as Initiator, and serves it; with --again it
 * goes on until a connection is refused.
 *
 * The application above it is `echo` of docs/peer.md: the first Send announces a region of 4096
 * octets, Sends and Immediate Data come back. With --none nothing is announced and sent. With
 * --mute a connection is closed where a Terminate is expected.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <iwarp/endpoint.h>
#include <peer_net/conn.h>

#define TARGET_REGION 4096u
#define TARGET_BUFFERS 32u
#define TARGET_PD 1u
#define TARGET_BASE UINT64_C(0x10000)
#define TARGET_STAG 0x1100u
#define TARGET_ANNOUNCED 28u
#define TARGET_TOKEN_ANNOUNCED 1000u
#define TARGET_PATIENCE_NS UINT64_C(20000000000)

typedef struct target {
  uint8_t rev;
  bool reject;
  bool none;
  bool again; /* connect again and again */
  bool mute;  /* no Terminate goes out: the planted defect */
  bool faulty;
  iwarp_endpoint *ep;
  bool closed;
  bool shutdown;
  uint8_t announced[TARGET_ANNOUNCED];
  uint8_t in[TARGET_BUFFERS][TARGET_REGION];
  uint8_t out[TARGET_BUFFERS][TARGET_REGION];
  size_t next; /* of `out` */
} target;

static _Alignas(16) uint8_t region[TARGET_REGION]; /* lives as long as the process */

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "target: %s\n", what);
  exit(EXIT_FAILURE);
}

static void must(iwarp_err err, const char *what) {
  if (err != IWARP_OK) {
    fail(what);
  }
}

/* ---- the application ---- */

static void put(uint8_t *at, uint64_t v, size_t octets) {
  for (size_t i = 0; i < octets; i++) {
    at[i] = (uint8_t)(v >> 8 * (octets - 1 - i));
  }
}

/* One region under four STags: readable and writable, of another Protection Domain, read-only,
 * write-only. */
static void register_regions(target *t) {
  static const uint8_t both = IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE;
  const uint8_t access[4] = {both | IWARP_ACCESS_REMOTE_ATOMIC, both, IWARP_ACCESS_REMOTE_READ,
                             IWARP_ACCESS_REMOTE_WRITE};
  for (uint32_t i = 0; i < 4; i++) {
    const iwarp_endpoint_region v = {.stag = TARGET_STAG + i,
                                     .pd = i == 1 ? TARGET_PD + 1 : TARGET_PD,
                                     .base = TARGET_BASE,
                                     .len = sizeof region,
                                     .mem = region,
                                     .access = access[i]};
    must(iwarp_endpoint_register(t->ep, &v), "no region");
    put(t->announced + (i == 0 ? 8 : 12 + 4 * (size_t)i), v.stag, 4);
  }
  put(t->announced, TARGET_BASE, 8);
  put(t->announced + 12, sizeof region, 4);
}

/* A fault that came with the first FPDU leaves nothing to announce. */
static void announce(target *t) {
  const iwarp_span part = {t->announced, sizeof t->announced};
  if (!t->none) {
    (void)iwarp_endpoint_send(t->ep, TARGET_TOKEN_ANNOUNCED, IWARP_RDMAP_OP_SEND, 0,
                              (iwarp_tx_payload){&part, 1});
  }
}

static void echo(target *t, const iwarp_endpoint_received *r) {
  if (r->err != IWARP_OK) {
    return;
  }
  if (r->opcode == IWARP_RDMAP_OP_IMMEDIATE || r->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE) {
    (void)iwarp_endpoint_immediate(t->ep, r->token, false, r->immediate);
  } else if (!t->none) {
    const size_t slot = t->next++ % TARGET_BUFFERS;
    const iwarp_span part = {t->out[slot], r->len};
    memcpy(t->out[slot], t->in[r->token], r->len);
    (void)iwarp_endpoint_send(t->ep, r->token, IWARP_RDMAP_OP_SEND, 0,
                              (iwarp_tx_payload){&part, 1});
  }
  (void)iwarp_endpoint_recv(t->ep, r->token, t->in[r->token], TARGET_REGION);
}

static void atomic(target *t, const iwarp_endpoint_atomic_op *op) {
  uint64_t before = 0;
  memcpy(&before, op->mem, sizeof before);
  const iwarp_rdmap_atomic_req *r = &op->req;
  const uint64_t after = r->aopcode == IWARP_RDMAP_AOP_FETCH_ADD
                             ? iwarp_rdmap_fetch_add(before, r->add_swap_data, r->add_swap_mask)
                             : iwarp_rdmap_cmp_swap(before, r->add_swap_data, r->add_swap_mask,
                                                    r->compare_data, r->compare_mask);
  memcpy(op->mem, &after, sizeof after);
  (void)iwarp_endpoint_atomic_answer(t->ep, before);
}

static void on_event(target *t, const iwarp_endpoint_event *ev) {
  switch (ev->kind) {
  case IWARP_ENDPOINT_EVENT_REQUEST:
    if (t->reject) {
      must(iwarp_endpoint_reject(t->ep, (iwarp_span){0}), "no reject");
      must(iwarp_endpoint_close(t->ep), "no close");
      break;
    }
    must(iwarp_endpoint_accept(t->ep, (iwarp_span){0}), "no accept");
    break;
  case IWARP_ENDPOINT_EVENT_REPLY:
    must(iwarp_endpoint_accept(t->ep, (iwarp_span){0}), "no accept");
    break;
  case IWARP_ENDPOINT_EVENT_ESTABLISHED: announce(t); break;
  case IWARP_ENDPOINT_EVENT_PLACE: (void)iwarp_place_copy(&ev->u.place); break;
  case IWARP_ENDPOINT_EVENT_RECV: echo(t, &ev->u.recv); break;
  case IWARP_ENDPOINT_EVENT_ATOMIC: atomic(t, &ev->u.atomic); break;
  case IWARP_ENDPOINT_EVENT_REJECTED:
  case IWARP_ENDPOINT_EVENT_PEER_ENDED: (void)iwarp_endpoint_close(t->ep); break;
  case IWARP_ENDPOINT_EVENT_SHUTDOWN: t->shutdown = true; break;
  case IWARP_ENDPOINT_EVENT_CLOSED: t->closed = true; break;
  case IWARP_ENDPOINT_EVENT_STREAMING:
  case IWARP_ENDPOINT_EVENT_FAULT: t->faulty = t->mute; break;
  case IWARP_ENDPOINT_EVENT_DONE:
  case IWARP_ENDPOINT_EVENT_TERMINATED:
  case IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER:
  case IWARP_ENDPOINT_EVENT_RECV_LOW:
  case IWARP_ENDPOINT_EVENT_IDLE: break;
  }
}

static void take_events(target *t) {
  iwarp_endpoint_event ev;
  while (iwarp_endpoint_next_event(t->ep, &ev) == IWARP_OK) {
    on_event(t, &ev);
  }
}

/* ---- the transport ---- */

static size_t on_output(void *ctx, iwarp_span *spans, size_t cap) {
  target *t = ctx;
  iwarp_tx_out out = {0};
  if (t->faulty) {
    t->closed = true;
    return 0;
  }
  return iwarp_endpoint_next_output(t->ep, spans, cap, &out) == IWARP_OK ? out.num_spans : 0;
}

static void on_sent(void *ctx, size_t len, uint64_t now_ns) {
  target *t = ctx;
  (void)now_ns;
  must(iwarp_endpoint_advance(t->ep, len), "no advance");
  take_events(t);
}

static void on_received(void *ctx, iwarp_span octets, uint64_t now_ns) {
  target *t = ctx;
  (void)now_ns;
  (void)iwarp_endpoint_push(t->ep, octets);
  take_events(t);
}

static void on_ended(void *ctx, uint64_t now_ns) {
  target *t = ctx;
  (void)now_ns;
  (void)iwarp_endpoint_eof(t->ep);
  take_events(t);
}

static void on_lost(void *ctx, uint64_t now_ns) {
  target *t = ctx;
  (void)now_ns;
  (void)iwarp_endpoint_lost(t->ep);
  take_events(t);
}

static void on_send_failed(void *ctx, uint64_t now_ns) {
  target *t = ctx;
  (void)now_ns;
  (void)iwarp_endpoint_send_failed(t->ep);
  take_events(t);
}

static void on_time(void *ctx, uint64_t now_ns) {
  target *t = ctx;
  iwarp_endpoint_time(t->ep, now_ns);
  take_events(t);
}

static net_wish on_wish(void *ctx) {
  const target *t = ctx;
  const net_wish wish = {
      .deadline_ns = iwarp_endpoint_deadline(t->ep), .shutdown = t->shutdown, .done = t->closed};
  return wish;
}

static void serve(target *t, net_conn *c, iwarp_role role) {
  const iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                                  .role = role,
                                  .rev = t->rev,
                                  .ird = 4,
                                  .ird_max = 64,
                                  .ord = 4,
                                  .emss = 1460,
                                  .pd = TARGET_PD,
                                  .num_sends = 2 * TARGET_BUFFERS,
                                  .num_recvs = TARGET_BUFFERS,
                                  .num_regions = 4,
                                  .startup_ns = TARGET_PATIENCE_NS,
                                  .close_ns = TARGET_PATIENCE_NS};
  const net_user user = {.ctx = t,
                         .output = on_output,
                         .sent = on_sent,
                         .received = on_received,
                         .ended = on_ended,
                         .lost = on_lost,
                         .send_failed = on_send_failed,
                         .time = on_time,
                         .wish = on_wish};
  const size_t size = iwarp_endpoint_size(&cfg);
  void *mem = malloc(size);
  t->closed = t->shutdown = t->faulty = false;
  must(mem != NULL ? iwarp_endpoint_init(&t->ep, mem, size, &cfg) : IWARP_ERR_NOBUF, "no endpoint");
  register_regions(t);
  for (uint32_t i = 0; i < TARGET_BUFFERS; i++) {
    must(iwarp_endpoint_recv(t->ep, i, t->in[i], TARGET_REGION), "no buffer");
  }
  must(role == IWARP_ROLE_INITIATOR ? iwarp_endpoint_connect(t->ep, (iwarp_span){0})
                                    : iwarp_endpoint_listen(t->ep),
       "no beginning");
  iwarp_endpoint_time(t->ep, net_now());
  (void)net_serve(c, &user, role == IWARP_ROLE_RESPONDER ? STDIN_FILENO : -1);
  net_close(c, false);
  free(mem);
}

/* ---- the program ---- */

static int run_listen(target *t) {
  net_addresses at;
  net_address bound;
  net_conn c;
  char error[NET_ERROR_CAP];
  if (!net_resolve("0", true, &at, error)) {
    fail(error);
  }
  const int listening = net_listen(&at.list[0], &bound);
  if (listening < 0) {
    fail("cannot listen");
  }
  printf("%u\n", (unsigned int)net_address_port(&bound));
  fflush(stdout);
  while (net_accept(&c, listening, NULL, NET_NEVER, STDIN_FILENO, -1) == 0) {
    serve(t, &c, IWARP_ROLE_RESPONDER);
  }
  (void)close(listening);
  return EXIT_SUCCESS;
}

static int run_connect(target *t, const char *address, const char *port) {
  net_addresses to;
  net_conn c;
  char text[NET_ADDRESS_TEXT];
  char error[NET_ERROR_CAP];
  (void)snprintf(text, sizeof text, strchr(address, ':') != NULL ? "[%s]:%s" : "%s:%s", address,
                 port);
  if (!net_resolve(text, false, &to, error)) {
    fail(error);
  }
  do {
    if (net_connect(&c, &to.list[0], NULL, net_now() + TARGET_PATIENCE_NS, -1) != 0) {
      fail("no connection");
    }
    serve(t, &c, IWARP_ROLE_INITIATOR);
  } while (t->again);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  static target t;
  for (int i = 2; i < argc; i++) {
    t.again = t.again || strcmp(argv[i], "--again") == 0;
    t.none = t.none || strcmp(argv[i], "--none") == 0;
    t.mute = t.mute || strcmp(argv[i], "--mute") == 0;
    t.reject = t.reject || strcmp(argv[i], "--reject") == 0;
    if (strcmp(argv[i], "--rev") == 0 && i + 1 < argc) {
      t.rev = (uint8_t)atoi(argv[i + 1]);
    }
  }
  if (argc > 1 && strcmp(argv[1], "listen") == 0) {
    return run_listen(&t);
  }
  return argc > 3 && strcmp(argv[1], "connect") == 0 ? run_connect(&t, argv[2], argv[3])
                                                     : EXIT_FAILURE;
}
