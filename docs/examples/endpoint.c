/* SPDX-License-Identifier: BSD-2-Clause */
/* Two endpoints that talk through memory: Write, Send, Read, and an orderly close. */
#include <inttypes.h>
#include <iwarp/endpoint.h>
#include <stdio.h>
#include <stdlib.h>

#define STORE 0x1001u /* STag of the Responder's region; it would tell the Initiator by a Send */
#define COPY 0x2001u  /* STag of the Initiator's region */

enum { TOKEN_WRITE = 1, TOKEN_SEND, TOKEN_READ };

/* One end of the connection, and what its ULP and its transport know. */
typedef struct end {
  const char *name;
  iwarp_endpoint *ep;
  bool ready;      /* operations may be posted */
  bool shut;       /* this half of the transport connection is closed */
  bool shut_heard; /* the close was reported to the peer */
  bool closed;
} end;

static unsigned char store[32]; /* region that the peer may write and read */
static unsigned char copy[32];  /* region that Read Responses go to */
static unsigned char inbox[32]; /* a receive buffer */

static void must(iwarp_err err, const char *what) {
  if (err != IWARP_OK) {
    fprintf(stderr, "endpoint: %s: %s\n", what, iwarp_strerror(err));
    exit(EXIT_FAILURE);
  }
}

static end make(const char *name, iwarp_role role) {
  end e = {.name = name};
  iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                            .role = role,
                            .ird = 4, /* Reads that the peer may have outstanding */
                            .ord = 4, /* Reads that this side may have outstanding */
                            .emss = 1460,
                            .num_sends = 8,
                            .num_recvs = 8,
                            .num_regions = 8};
  size_t size = iwarp_endpoint_size(&cfg);
  void *memory = malloc(size);
  must(iwarp_endpoint_init(&e.ep, memory, size, &cfg), "no endpoint");
  return e;
}

/* The connection is about to end. Go on until CLOSED: a Terminate may have to go out, and all
 * operations and buffers complete. */
static void show_error(const end *e, const iwarp_endpoint_event *ev) {
  if (ev->kind == IWARP_ENDPOINT_EVENT_FAULT) {
    const iwarp_endpoint_fault *f = &ev->u.fault;
    fprintf(stderr, "%s: the peer broke a rule: %s\n", e->name,
            iwarp_rdmap_term_code_name(f->layer, f->etype, f->code));
    if (f->has_ddp) {
      fprintf(stderr, "%s: in the %s at octet %" PRIu64 "\n", e->name,
              iwarp_rdmap_op_get(f->ctrl.opcode)->label, f->offset);
    }
  } else if (ev->u.terminated.readable) {
    const iwarp_endpoint_terminated *t = &ev->u.terminated;
    const iwarp_rdmap_term *v = t->has_likely ? &t->likely : &t->term;
    fprintf(stderr, "%s: the peer sent Terminate %u/%u/%u: %s\n", e->name, (unsigned)v->layer,
            (unsigned)v->etype, (unsigned)v->code,
            iwarp_rdmap_term_code_name(v->layer, v->etype, v->code));
  }
}

/* Handles an event: the engine asks for work, the program does it. */
static void handle(end *e, const iwarp_endpoint_event *ev) {
  switch (ev->kind) {
  case IWARP_ENDPOINT_EVENT_REQUEST:
  case IWARP_ENDPOINT_EVENT_REPLY:
    printf("%s: startup frame of the peer\n", e->name);
    must(iwarp_endpoint_accept(e->ep, (iwarp_span){0}), "cannot accept");
    break;
  case IWARP_ENDPOINT_EVENT_ESTABLISHED: e->ready = true; break;
  case IWARP_ENDPOINT_EVENT_PLACE:
    iwarp_place_copy(&ev->u.place);
    printf("%s: %u octets placed\n", e->name, (unsigned)ev->u.place.len);
    break;
  case IWARP_ENDPOINT_EVENT_RECV:
    if (ev->u.recv.err == IWARP_OK) { /* else the connection ended, and CLOSED says why */
      printf("%s: received \"%.*s\"\n", e->name, (int)ev->u.recv.len, (const char *)inbox);
    }
    break;
  case IWARP_ENDPOINT_EVENT_DONE:
    printf("%s: operation %u: %s\n", e->name, (unsigned)ev->u.done.token,
           iwarp_strerror(ev->u.done.err));
    break;
  case IWARP_ENDPOINT_EVENT_PEER_ENDED:
    if (iwarp_endpoint_info_get(e->ep)->state == IWARP_ENDPOINT_PEER_ENDED) {
      must(iwarp_endpoint_close(e->ep), "cannot close");
    }
    break;
  case IWARP_ENDPOINT_EVENT_SHUTDOWN: e->shut = true; break;
  case IWARP_ENDPOINT_EVENT_CLOSED:
    e->closed = true;
    must(ev->u.closed.err, "the connection failed");
    break;
  case IWARP_ENDPOINT_EVENT_FAULT:
  case IWARP_ENDPOINT_EVENT_TERMINATED: show_error(e, ev); break;
  case IWARP_ENDPOINT_EVENT_REJECTED: must(iwarp_endpoint_close(e->ep), "cannot close"); break;
  case IWARP_ENDPOINT_EVENT_STREAMING:
  case IWARP_ENDPOINT_EVENT_ATOMIC:
  case IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER:
  case IWARP_ENDPOINT_EVENT_RECV_LOW:
  case IWARP_ENDPOINT_EVENT_IDLE: must(IWARP_ERR_STATE, e->name); break;
  }
}

static void drain(end *e) {
  iwarp_endpoint_event ev;
  iwarp_err err;
  while ((err = iwarp_endpoint_next_event(e->ep, &ev)) == IWARP_OK) {
    handle(e, &ev);
  }
  must(err == IWARP_ERR_END ? IWARP_OK : err, "an event");
}

/* The transport: what `from` sends, `to` receives. */
static bool carry(end *from, end *to) {
  bool moved = false;
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  iwarp_err err;
  drain(from);
  while ((err = iwarp_endpoint_next_output(from->ep, spans, IWARP_TX_SPANS_MIN, &out)) ==
         IWARP_OK) {
    for (size_t i = 0; i < out.num_spans; i++) {
      must(iwarp_endpoint_push(to->ep, spans[i]), "a push");
      drain(to);
    }
    must(iwarp_endpoint_advance(from->ep, out.len), "an advance");
    drain(from);
    moved = true;
  }
  must(err == IWARP_ERR_END ? IWARP_OK : err, "no output");
  if (from->shut && !from->shut_heard) {
    from->shut_heard = true;
    must(iwarp_endpoint_eof(to->ep), "an end");
    drain(to);
    moved = true;
  }
  return moved;
}

static void talk(end *a, end *b) {
  bool moved = true;
  while (moved) {
    moved = carry(a, b);
    moved = carry(b, a) || moved;
  }
}

/* The Responder's memory, and a buffer for a Send. */
static void offer(end *e) {
  iwarp_endpoint_region region = {.stag = STORE,
                                  .len = sizeof store,
                                  .mem = store,
                                  .access = IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE};
  must(iwarp_endpoint_register(e->ep, &region), "a region");
  must(iwarp_endpoint_recv(e->ep, 1, inbox, sizeof inbox), "a buffer");
}

/* The Initiator's work. Payload is borrowed until its operation is done. */
static void work(end *e) {
  static const unsigned char text[] = "hello";
  static const unsigned char note[] = "look";
  static const iwarp_span write = {text, sizeof text - 1};
  static const iwarp_span send = {note, sizeof note - 1};
  static const iwarp_rdmap_read_req read = {
      .sink_stag = COPY, .size = sizeof text - 1, .source_stag = STORE};
  iwarp_endpoint_region region = {.stag = COPY, .len = sizeof copy, .mem = copy};
  must(iwarp_endpoint_register(e->ep, &region), "a region");
  must(iwarp_endpoint_write(e->ep, TOKEN_WRITE, STORE, 0, (iwarp_tx_payload){&write, 1}), "Write");
  must(iwarp_endpoint_send(e->ep, TOKEN_SEND, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&send, 1}),
       "Send");
  must(iwarp_endpoint_read(e->ep, TOKEN_READ, &read), "Read");
}

int main(void) {
  end a = make("initiator", IWARP_ROLE_INITIATOR);
  end b = make("responder", IWARP_ROLE_RESPONDER);
  offer(&b);
  must(iwarp_endpoint_listen(b.ep), "cannot listen");
  must(iwarp_endpoint_connect(a.ep, (iwarp_span){0}), "cannot connect");
  talk(&a, &b);
  if (!a.ready) {
    must(IWARP_ERR_STATE, "no connection");
  }
  work(&a);
  talk(&a, &b);
  printf("initiator: read \"%s\"\n", (const char *)copy);
  must(iwarp_endpoint_close(a.ep), "cannot close");
  talk(&a, &b);
  printf("%s\n", a.closed && b.closed ? "closed in order" : "not closed");
  bool well = a.closed && b.closed;
  free(a.ep);
  free(b.ep);
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
