/* SPDX-License-Identifier: BSD-2-Clause */
/* Two processes that talk over a TCP connection of the loopback interface. POSIX. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <iwarp/endpoint.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STORE 0x1001u /* STag of the Responder's region; it would tell the Initiator by a Send */
#define COPY 0x2001u  /* STag of the Initiator's region */
#define SPANS 64u

enum { TOKEN_WRITE = 1, TOKEN_SEND, TOKEN_READ };

/* This process's end of the connection. */
typedef struct end {
  const char *name;
  iwarp_endpoint *ep;
  int fd;
  bool peer_open; /* the peer has not closed its half of the TCP connection */
  bool closed;
  unsigned char in[131072]; /* received; an FPDU of any size fits */
  size_t num_in;
} end;

static unsigned char store[32]; /* region that the peer may write and read */
static unsigned char copy[32];  /* region that Read Responses go to */
static unsigned char inbox[32]; /* a receive buffer */

static _Noreturn void fail(const char *what, const char *reason) {
  fprintf(stderr, "loopback: %s: %s\n", what, reason);
  exit(EXIT_FAILURE);
}

static void must(iwarp_err err, const char *what) {
  if (err != IWARP_OK) {
    fail(what, iwarp_strerror(err));
  }
}

/* Checks the result of a call of the system: below 0 is failure. */
static int sys(int result, const char *what) {
  if (result < 0) {
    fail(what, strerror(errno));
  }
  return result;
}

static uint64_t now_ns(void) {
  struct timespec t;
  sys(clock_gettime(CLOCK_MONOTONIC, &t), "clock");
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- the ULP ---- */

/* The Initiator's work. Payload is borrowed until its operation is done. */
static void work(end *e) {
  static const unsigned char text[] = "hello";
  static const unsigned char note[] = "look";
  static const iwarp_span write = {text, sizeof text - 1};
  static const iwarp_span send = {note, sizeof note - 1};
  static const iwarp_rdmap_read_req read = {
      .sink_stag = COPY, .size = sizeof text - 1, .source_stag = STORE};
  must(iwarp_endpoint_write(e->ep, TOKEN_WRITE, STORE, 0, (iwarp_tx_payload){&write, 1}), "Write");
  must(iwarp_endpoint_send(e->ep, TOKEN_SEND, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&send, 1}),
       "Send");
  must(iwarp_endpoint_read(e->ep, TOKEN_READ, &read), "Read");
}

static void done(end *e, const iwarp_endpoint_done *d) {
  if (d->err != IWARP_OK) { /* the connection ended, and CLOSED says why */
    fprintf(stderr, "%s: operation %u: %s\n", e->name, (unsigned)d->token, iwarp_strerror(d->err));
  } else if (d->token == TOKEN_READ) {
    printf("%s: read \"%s\"\n", e->name, (const char *)copy);
    must(iwarp_endpoint_close(e->ep), "cannot close"); /* no operation is left */
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
  case IWARP_ENDPOINT_EVENT_REPLY:
    must(iwarp_endpoint_accept(e->ep, (iwarp_span){0}), "cannot accept");
    if (ev->kind == IWARP_ENDPOINT_EVENT_REPLY) {
      work(e);
    }
    break;
  case IWARP_ENDPOINT_EVENT_ESTABLISHED: printf("%s: established\n", e->name); break;
  case IWARP_ENDPOINT_EVENT_PLACE: iwarp_place_copy(&ev->u.place); break;
  case IWARP_ENDPOINT_EVENT_RECV:
    if (ev->u.recv.err == IWARP_OK) {
      printf("%s: received \"%.*s\"; written is \"%s\"\n", e->name, (int)ev->u.recv.len,
             (const char *)inbox, (const char *)store);
    }
    break;
  case IWARP_ENDPOINT_EVENT_DONE: done(e, &ev->u.done); break;
  case IWARP_ENDPOINT_EVENT_PEER_ENDED:
    if (iwarp_endpoint_info_get(e->ep)->state == IWARP_ENDPOINT_PEER_ENDED) {
      must(iwarp_endpoint_close(e->ep), "cannot close");
    }
    break;
  case IWARP_ENDPOINT_EVENT_SHUTDOWN: sys(shutdown(e->fd, SHUT_WR), "shutdown"); break;
  case IWARP_ENDPOINT_EVENT_CLOSED:
    must(ev->u.closed.err, e->name); /* `disconnect`: the end of the process ends TCP too */
    printf("%s: closed in order\n", e->name);
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

/* Returns true if the last system call only came too early. */
static bool too_early(void) {
  return errno == EAGAIN || errno == EINTR;
}

/* Sends what there is until the socket is full; true when more is left. */
static bool send_some(end *e) {
  iwarp_span spans[SPANS];
  iwarp_tx_batch batch = {.spans = spans, .max_spans = SPANS};
  iwarp_err err;
  while ((err = iwarp_endpoint_next_batch(e->ep, &batch)) == IWARP_OK) {
    struct iovec iov[SPANS];
    for (size_t i = 0; i < batch.all.num_spans; i++) {
      iov[i] = (struct iovec){.iov_base = (void *)(uintptr_t)spans[i].ptr, .iov_len = spans[i].len};
    }
    struct msghdr msg = {.msg_iov = iov};
    msg.msg_iovlen = batch.all.num_spans;
    ssize_t n = sendmsg(e->fd, &msg, MSG_NOSIGNAL);
    if (n < 0 && too_early()) {
      return true;
    }
    if (n < 0) { /* octets of the peer, a Terminate perhaps, are still to be read */
      must(iwarp_endpoint_send_failed(e->ep), "a failed send");
    } else {
      must(iwarp_endpoint_advance(e->ep, (size_t)n), "an advance");
    }
    drain(e);
  }
  must(err == IWARP_ERR_END ? IWARP_OK : err, "no output");
  return false;
}

/* Pushes the octets received. The endpoint leaves only the beginning of an FPDU. */
static void push_some(end *e) {
  must(iwarp_endpoint_push(e->ep, (iwarp_span){e->in, e->num_in}), "a push");
  drain(e);
  size_t taken = iwarp_endpoint_taken(e->ep);
  e->num_in -= taken;
  memmove(e->in, &e->in[taken], e->num_in);
}

/* Octets that came are pushed before the end of the connection is reported. */
static void receive_some(end *e) {
  ssize_t n = recv(e->fd, &e->in[e->num_in], sizeof e->in - e->num_in, 0);
  if (n > 0) {
    e->num_in += (size_t)n;
    push_some(e);
  } else if (n == 0) {
    e->peer_open = false;
    must(iwarp_endpoint_eof(e->ep), "the peer's end");
  } else if (!too_early()) {
    must(iwarp_endpoint_lost(e->ep), "loss");
  }
  drain(e);
}

/* Returns the milliseconds that poll may wait. */
static int patience(const end *e) {
  uint64_t due = iwarp_endpoint_deadline(e->ep);
  uint64_t now = now_ns();
  if (due == IWARP_TIME_NEVER) {
    return -1;
  }
  return due <= now ? 0 : (int)((due - now) / 1000000 + 1);
}

static void run(end *e) {
  drain(e);
  while (!e->closed) {
    bool more = send_some(e);
    struct pollfd p = {.fd = e->fd};
    p.events = (short)((e->peer_open ? POLLIN : 0) | (more ? POLLOUT : 0));
    if (e->closed) {
      return;
    }
    if (poll(&p, 1, patience(e)) < 0 && errno != EINTR) {
      fail("poll", strerror(errno));
    }
    iwarp_endpoint_time(e->ep, now_ns());
    if (e->peer_open && (p.revents & (POLLIN | POLLERR | POLLHUP)) != 0) {
      receive_some(e);
    }
    drain(e);
  }
}

static void make(end *e, const char *name, iwarp_role role, int fd) {
  iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                            .role = role,
                            .ird = 4,
                            .ord = 4,
                            .emss = 1460,
                            .pack = true, /* a socket does not keep segments apart anyway */
                            .leave_rest = true,
                            .num_sends = 8,
                            .num_recvs = 8,
                            .num_regions = 8};
  size_t size = iwarp_endpoint_size(&cfg);
  void *memory = malloc(size);
  int on = 1;
  *e = (end){.name = name, .fd = fd, .peer_open = true};
  sys(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
  must(iwarp_endpoint_init(&e->ep, memory, size, &cfg), "no endpoint");
  sys(fcntl(fd, F_SETFL, O_NONBLOCK), "fcntl");
  iwarp_endpoint_time(e->ep, now_ns());
}

static void initiator(int fd) {
  static end e;
  iwarp_endpoint_region region = {.stag = COPY, .len = sizeof copy, .mem = copy};
  make(&e, "initiator", IWARP_ROLE_INITIATOR, fd);
  must(iwarp_endpoint_register(e.ep, &region), "a region");
  must(iwarp_endpoint_connect(e.ep, (iwarp_span){0}), "cannot connect");
  run(&e);
  free(e.ep);
}

static void responder(int fd) {
  static end e;
  iwarp_endpoint_region region = {.stag = STORE,
                                  .len = sizeof store,
                                  .mem = store,
                                  .access = IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE};
  make(&e, "responder", IWARP_ROLE_RESPONDER, fd);
  must(iwarp_endpoint_register(e.ep, &region), "a region");
  must(iwarp_endpoint_recv(e.ep, 1, inbox, sizeof inbox), "a buffer");
  must(iwarp_endpoint_listen(e.ep), "cannot listen");
  run(&e);
  free(e.ep);
}

/* A TCP connection to oneself, on a port that the system chooses. */
static void connect_both(int fd[2]) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t len = sizeof address;
  int door = sys(socket(AF_INET, SOCK_STREAM, 0), "socket");
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sys(bind(door, (struct sockaddr *)&address, sizeof address), "bind");
  sys(listen(door, 1), "listen");
  sys(getsockname(door, (struct sockaddr *)&address, &len), "getsockname");
  fd[0] = sys(socket(AF_INET, SOCK_STREAM, 0), "socket");
  sys(connect(fd[0], (struct sockaddr *)&address, sizeof address), "connect");
  fd[1] = sys(accept(door, NULL, NULL), "accept");
  close(door);
}

int main(void) {
  int fd[2];
  int status;
  setvbuf(stdout, NULL, _IOFBF, BUFSIZ); /* each process's lines stay together */
  connect_both(fd);
  pid_t child = sys(fork(), "fork");
  if (child == 0) {
    close(fd[1]);
    initiator(fd[0]);
    return EXIT_SUCCESS;
  }
  close(fd[0]);
  responder(fd[1]);
  close(fd[1]);
  sys(waitpid(child, &status, 0), "waitpid");
  return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
