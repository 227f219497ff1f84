/* SPDX-License-Identifier: BSD-2-Clause */
/* Large messages whose payload a socket reads straight into place, without a copy. POSIX. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <iwarp/endpoint.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define STORE 0x1001u /* STag of the Responder's region */
#define OCTETS 1048576u
#define AHEAD 64u /* octets that hold the next header, and few octets after it */
#define SPANS 64u

/* This process's end of the connection. The socket blocks; loopback.c shows poll and timeouts. */
typedef struct end {
  const char *name;
  iwarp_endpoint *ep;
  int fd;
  bool closed;
  size_t placed; /* octets of payload */
  size_t copied; /* octets of payload that were not read straight into place */
} end;

static unsigned char store[OCTETS]; /* octets that the peer writes */
static unsigned char inbox[32];     /* a receive buffer */

static _Noreturn void fail(const char *what, const char *reason) {
  fprintf(stderr, "reserve: %s: %s\n", what, reason);
  exit(EXIT_FAILURE);
}

static void must(iwarp_err err, const char *what) {
  if (err != IWARP_OK) {
    fail(what, iwarp_strerror(err));
  }
}

/* Checks the result of a call of the system: below 0 is failure. */
static ssize_t sys(ssize_t result, const char *what) {
  if (result < 0) {
    fail(what, strerror(errno));
  }
  return result;
}

/* ---- the ULP ---- */

/* A large Write, and a Send that says it is there. */
static void work(end *e) {
  static unsigned char block[OCTETS];
  static const unsigned char note[] = "written";
  static const iwarp_span write = {block, sizeof block};
  static const iwarp_span send = {note, sizeof note - 1};
  memset(block, '.', sizeof block);
  must(iwarp_endpoint_write(e->ep, 1, STORE, 0, (iwarp_tx_payload){&write, 1}), "Write");
  must(iwarp_endpoint_send(e->ep, 2, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&send, 1}), "Send");
  must(iwarp_endpoint_close(e->ep), "cannot close"); /* Write and Send still complete */
}

/* Octets that were read into place are in no run. */
static void place(end *e, const iwarp_endpoint_place *p) {
  e->copied += iwarp_place_copy(p);
  e->placed += p->len;
}

static void received(const end *e, const iwarp_endpoint_received *r) {
  if (r->err == IWARP_OK) {
    printf("%s: \"%.*s\": %zu octets, fewer than 1 in 100 of them by a copy: %s\n", e->name,
           (int)r->len, (const char *)inbox, e->placed - r->len,
           e->copied < e->placed / 100 ? "yes" : "no");
    printf("%s: the last one is '%c'\n", e->name, store[sizeof store - 1]);
  }
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

static void handle(end *e, const iwarp_endpoint_event *ev) {
  switch (ev->kind) {
  case IWARP_ENDPOINT_EVENT_REQUEST:
    must(iwarp_endpoint_accept(e->ep, (iwarp_span){0}), "cannot accept");
    break;
  case IWARP_ENDPOINT_EVENT_REPLY:
    must(iwarp_endpoint_accept(e->ep, (iwarp_span){0}), "cannot accept");
    work(e);
    break;
  case IWARP_ENDPOINT_EVENT_ESTABLISHED: break;
  case IWARP_ENDPOINT_EVENT_PLACE: place(e, &ev->u.place); break;
  case IWARP_ENDPOINT_EVENT_RECV: received(e, &ev->u.recv); break;
  case IWARP_ENDPOINT_EVENT_DONE:
    if (ev->u.done.err != IWARP_OK) { /* the connection ended, and CLOSED says why */
      fprintf(stderr, "%s: an operation: %s\n", e->name, iwarp_strerror(ev->u.done.err));
    }
    break;
  case IWARP_ENDPOINT_EVENT_PEER_ENDED:
    if (iwarp_endpoint_info_get(e->ep)->state == IWARP_ENDPOINT_PEER_ENDED) {
      must(iwarp_endpoint_close(e->ep), "cannot close");
    }
    break;
  case IWARP_ENDPOINT_EVENT_SHUTDOWN: sys(shutdown(e->fd, SHUT_WR), "shutdown"); break;
  case IWARP_ENDPOINT_EVENT_CLOSED:
    must(ev->u.closed.err, e->name);
    e->closed = true;
    break;
  case IWARP_ENDPOINT_EVENT_FAULT:
  case IWARP_ENDPOINT_EVENT_TERMINATED: show_error(e, ev); break;
  case IWARP_ENDPOINT_EVENT_REJECTED: must(iwarp_endpoint_close(e->ep), "cannot close"); break;
  case IWARP_ENDPOINT_EVENT_STREAMING:
  case IWARP_ENDPOINT_EVENT_ATOMIC:
  case IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER:
  case IWARP_ENDPOINT_EVENT_RECV_LOW:
  case IWARP_ENDPOINT_EVENT_IDLE: fail(e->name, "an unexpected event");
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

/* ---- the transport ---- */

static void send_all(end *e) {
  iwarp_span spans[SPANS];
  iwarp_tx_batch batch = {.spans = spans, .max_spans = SPANS};
  iwarp_err err;
  while ((err = iwarp_endpoint_next_batch(e->ep, &batch)) == IWARP_OK) {
    struct iovec iov[SPANS];
    for (size_t i = 0; i < batch.all.num_spans; i++) {
      iov[i] = (struct iovec){.iov_base = (void *)(uintptr_t)spans[i].ptr, .iov_len = spans[i].len};
    }
    const ssize_t n = writev(e->fd, iov, (int)batch.all.num_spans);
    must(n < 0 ? iwarp_endpoint_send_failed(e->ep) : iwarp_endpoint_advance(e->ep, (size_t)n),
         "writev");
    drain(e);
  }
  must(err == IWARP_ERR_END ? IWARP_OK : err, "no output");
}

/* Finds the place of the rest of the FPDU whose header was pushed; returns its octets. */
static size_t look_ahead(end *e, struct iovec *iov, size_t *num) {
  iwarp_endpoint_space spaces[SPANS];
  size_t len = 0;
  iwarp_err err = iwarp_endpoint_reserve_rx(e->ep, spaces, SPANS, num);
  must(err == IWARP_ERR_END ? IWARP_OK : err, "a look-ahead"); /* END: `num` is 0 */
  for (size_t i = 0; i < *num; i++) {
    iov[i] = (struct iovec){.iov_base = spaces[i].dst, .iov_len = spaces[i].len};
    len += spaces[i].len;
  }
  return len;
}

/* One call reads the rest of an FPDU to its place, and the header of the next one. */
static void receive_some(end *e) {
  unsigned char header[AHEAD];
  struct iovec iov[SPANS + 1];
  size_t num;
  const size_t room = look_ahead(e, iov, &num);
  iov[num] = (struct iovec){.iov_base = header, .iov_len = sizeof header};
  const ssize_t got = readv(e->fd, iov, (int)num + 1);
  const size_t n = got < 0 ? 0 : (size_t)got;
  if (got < 0) {
    must(iwarp_endpoint_lost(e->ep), "readv");
  } else if (n == 0) {
    must(iwarp_endpoint_eof(e->ep), "the peer's end");
  } else if (room > 0) {
    must(iwarp_endpoint_commit_rx(e->ep, n < room ? n : room), "commit_rx");
  }
  drain(e);
  if (n > room) {
    must(iwarp_endpoint_push(e->ep, (iwarp_span){header, n - room}), "a push");
    drain(e);
  }
}

static void run(end *e) {
  drain(e);
  send_all(e);
  while (!e->closed) {
    receive_some(e);
    send_all(e);
  }
  free(e->ep);
}

static end make(const char *name, iwarp_role role, int fd) {
  end e = {.name = name, .fd = fd};
  iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                            .role = role,
                            .place_before_crc = true, /* the octets are read after the Send */
                            .emss = 65483,            /* segment size of the loopback interface */
                            .num_sends = 2,
                            .num_recvs = 1,
                            .num_regions = 1};
  size_t size = iwarp_endpoint_size(&cfg);
  void *memory = malloc(size);
  int on = 1;
  sys(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
  must(iwarp_endpoint_init(&e.ep, memory, size, &cfg), "no endpoint");
  return e;
}

static void initiator(int fd) {
  end e = make("initiator", IWARP_ROLE_INITIATOR, fd);
  must(iwarp_endpoint_connect(e.ep, (iwarp_span){0}), "cannot connect");
  run(&e);
}

static void responder(int fd) {
  end e = make("responder", IWARP_ROLE_RESPONDER, fd);
  iwarp_endpoint_region region = {
      .stag = STORE, .len = sizeof store, .mem = store, .access = IWARP_ACCESS_REMOTE_WRITE};
  must(iwarp_endpoint_register(e.ep, &region), "a region");
  must(iwarp_endpoint_recv(e.ep, 1, inbox, sizeof inbox), "a buffer");
  must(iwarp_endpoint_listen(e.ep), "cannot listen");
  run(&e);
}

/* A TCP connection to oneself, on a port that the system chooses. */
static void connect_both(int fd[2]) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t len = sizeof address;
  int door = (int)sys(socket(AF_INET, SOCK_STREAM, 0), "socket");
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sys(bind(door, (struct sockaddr *)&address, sizeof address), "bind");
  sys(listen(door, 1), "listen");
  sys(getsockname(door, (struct sockaddr *)&address, &len), "getsockname");
  fd[0] = (int)sys(socket(AF_INET, SOCK_STREAM, 0), "socket");
  sys(connect(fd[0], (struct sockaddr *)&address, sizeof address), "connect");
  fd[1] = (int)sys(accept(door, NULL, NULL), "accept");
  close(door);
}

int main(void) {
  int fd[2];
  int status;
  signal(SIGPIPE, SIG_IGN); /* writev says it */
  connect_both(fd);
  pid_t child = (pid_t)sys(fork(), "fork");
  if (child == 0) {
    close(fd[1]);
    initiator(fd[0]);
    return EXIT_SUCCESS;
  }
  close(fd[0]);
  responder(fd[1]);
  sys(waitpid(child, &status, 0), "waitpid");
  return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
