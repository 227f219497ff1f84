/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An endpoint on a TCP connection of the loopback interface, to stand on both sides of the proxy:
 * proxy_peer listen CONNECTIONS | proxy_peer connect PORT
 *
 * The Initiator sends, writes, reads back what it wrote, and closes. Exit status: 0 all of it went
 * as it should, 3 the connection ended otherwise; the Responder's is 0 whatever its peers do.
 */
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <iwarp/endpoint.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define STORE 0x1001u
#define COPY 0x2001u
#define ROUNDS 24u /* operations of each kind */
#define OCTETS 700u
#define BUFFERS 64u

static struct {
  iwarp_endpoint *ep;
  int fd;
  bool reads; /* the peer has not closed its half */
  bool over;
  bool right;
  uint64_t recvs;
  unsigned char store[4096];
  unsigned char copy[4096];
  unsigned char inbox[BUFFERS][OCTETS];
} s;

static unsigned char payload[OCTETS];

static void need(bool ok, const char *what) {
  if (!ok) {
    perror(what);
    exit(2);
  }
}

static uint64_t now_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- the ULP ---- */

static void post_recv(void) {
  if (iwarp_endpoint_recv(s.ep, s.recvs, s.inbox[s.recvs % BUFFERS], OCTETS) == IWARP_OK) {
    s.recvs++;
  }
}

static void work(void) {
  static iwarp_span parts[2 * ROUNDS];
  static const iwarp_rdmap_read_req read = {
      .sink_stag = COPY, .size = sizeof s.copy, .source_stag = STORE};
  bool ok = true;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    parts[2 * i] = (iwarp_span){payload, 1 + i * 29u};
    parts[2 * i + 1] = (iwarp_span){payload, 100 + i};
    ok = ok &&
         iwarp_endpoint_send(s.ep, 2 * i, IWARP_RDMAP_OP_SEND, 0,
                             (iwarp_tx_payload){&parts[2 * i], 1}) == IWARP_OK &&
         iwarp_endpoint_write(s.ep, 2 * i + 1, STORE, i * 150u,
                              (iwarp_tx_payload){&parts[2 * i + 1], 1}) == IWARP_OK;
  }
  need(ok && iwarp_endpoint_read(s.ep, 2 * ROUNDS, &read) == IWARP_OK, "work");
}

static bool is_as_written(void) {
  static unsigned char expected[sizeof s.copy];
  for (uint32_t i = 0; i < ROUNDS; i++) {
    memcpy(&expected[i * 150u], payload, 100 + i);
  }
  return memcmp(s.copy, expected, sizeof expected) == 0;
}

static void handle(const iwarp_endpoint_event *ev) {
  switch (ev->kind) {
  case IWARP_ENDPOINT_EVENT_REQUEST:
  case IWARP_ENDPOINT_EVENT_REPLY:
    (void)iwarp_endpoint_accept(s.ep, (iwarp_span){0});
    if (ev->kind == IWARP_ENDPOINT_EVENT_REPLY &&
        iwarp_endpoint_info_get(s.ep)->state == IWARP_ENDPOINT_FULL) {
      work();
    }
    return;
  case IWARP_ENDPOINT_EVENT_PLACE:
    for (size_t i = 0; i < ev->u.place.num_runs; i++) {
      memcpy(ev->u.place.runs[i].dst, ev->u.place.runs[i].src.ptr, ev->u.place.runs[i].src.len);
    }
    return;
  case IWARP_ENDPOINT_EVENT_RECV: post_recv(); return;
  case IWARP_ENDPOINT_EVENT_DONE:
    if (ev->u.done.token == 2 * ROUNDS && ev->u.done.err == IWARP_OK) {
      s.right = is_as_written();
      (void)iwarp_endpoint_close(s.ep);
    }
    return;
  case IWARP_ENDPOINT_EVENT_ATOMIC: (void)iwarp_endpoint_atomic_answer(s.ep, 0); return;
  case IWARP_ENDPOINT_EVENT_PEER_ENDED: (void)iwarp_endpoint_close(s.ep); return;
  case IWARP_ENDPOINT_EVENT_SHUTDOWN: (void)shutdown(s.fd, SHUT_WR); return;
  case IWARP_ENDPOINT_EVENT_REJECTED: (void)iwarp_endpoint_abort(s.ep); return;
  case IWARP_ENDPOINT_EVENT_CLOSED:
    s.over = true;
    s.right = s.right && ev->u.closed.err == IWARP_OK;
    return;
  case IWARP_ENDPOINT_EVENT_ESTABLISHED:
  case IWARP_ENDPOINT_EVENT_FAULT:
  case IWARP_ENDPOINT_EVENT_TERMINATED:
  case IWARP_ENDPOINT_EVENT_STREAMING:
  case IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER:
  case IWARP_ENDPOINT_EVENT_RECV_LOW:
  case IWARP_ENDPOINT_EVENT_IDLE: return;
  }
}

static void drain(void) {
  iwarp_endpoint_event ev;
  while (iwarp_endpoint_next_event(s.ep, &ev) == IWARP_OK) {
    handle(&ev);
  }
}

/* ---- the transport ---- */

static bool too_early(void) {
  return errno == EAGAIN || errno == EINTR;
}

/* True when octets are left that the socket does not take now. */
static bool send_some(void) {
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  while (!s.over && iwarp_endpoint_next_output(s.ep, spans, IWARP_TX_SPANS_MIN, &out) == IWARP_OK) {
    const ssize_t n = send(s.fd, spans[0].ptr, spans[0].len, MSG_NOSIGNAL);
    if (n < 0 && too_early()) {
      return true;
    }
    (void)(n < 0 ? iwarp_endpoint_lost(s.ep) : iwarp_endpoint_advance(s.ep, (size_t)n));
    drain();
  }
  return false;
}

static void receive_some(void) {
  unsigned char octets[8192];
  const ssize_t n = recv(s.fd, octets, sizeof octets, 0);
  if (n > 0) {
    (void)iwarp_endpoint_push(s.ep, (iwarp_span){octets, (size_t)n});
  } else if (n == 0) {
    s.reads = false;
    (void)iwarp_endpoint_eof(s.ep);
  } else if (!too_early()) {
    (void)iwarp_endpoint_lost(s.ep);
  }
  drain();
}

static int patience(void) {
  const uint64_t due = iwarp_endpoint_deadline(s.ep);
  const uint64_t now = now_ns();
  return due == IWARP_TIME_NEVER ? -1 : due <= now ? 0 : (int)((due - now) / 1000000u + 1);
}

static void run(void) {
  drain();
  while (!s.over) {
    const bool more = send_some();
    struct pollfd fd = {.fd = s.fd,
                        .events = (short)((s.reads ? POLLIN : 0) | (more ? POLLOUT : 0))};
    if (s.over) {
      return;
    }
    if (!s.reads && (fd.revents & POLLHUP) != 0) {
      (void)iwarp_endpoint_lost(s.ep);
    }
    (void)poll(&fd, 1, patience());
    iwarp_endpoint_time(s.ep, now_ns());
    if (s.reads && (fd.revents & (POLLIN | POLLERR | POLLHUP)) != 0) {
      receive_some();
    } else if ((fd.revents & (POLLERR | POLLHUP)) != 0) {
      (void)iwarp_endpoint_lost(s.ep);
    }
    drain();
  }
}

/* One connection, from the beginning to the end; true when it went as it should. */
static bool talk(int fd, iwarp_role role) {
  const iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                                  .role = role,
                                  .markers = role == IWARP_ROLE_RESPONDER,
                                  .ird = 4,
                                  .ord = 4,
                                  .emss = 1460,
                                  .num_sends = 2 * ROUNDS + 1,
                                  .num_recvs = BUFFERS,
                                  .num_regions = 2};
  const iwarp_endpoint_region store = {.stag = STORE,
                                       .len = sizeof s.store,
                                       .mem = s.store,
                                       .access =
                                           IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE};
  const iwarp_endpoint_region copy = {.stag = COPY, .len = sizeof s.copy, .mem = s.copy};
  const size_t size = iwarp_endpoint_size(&cfg);
  void *memory = malloc(size);
  memset(&s, 0, sizeof s);
  s.fd = fd;
  s.reads = true;
  (void)fcntl(fd, F_SETFL, O_NONBLOCK);
  need(memory != NULL && iwarp_endpoint_init(&s.ep, memory, size, &cfg) == IWARP_OK &&
           iwarp_endpoint_register(s.ep, &store) == IWARP_OK &&
           iwarp_endpoint_register(s.ep, &copy) == IWARP_OK,
       "endpoint");
  iwarp_endpoint_time(s.ep, now_ns());
  for (size_t i = 0; i < BUFFERS; i++) {
    post_recv();
  }
  (void)(role == IWARP_ROLE_INITIATOR ? iwarp_endpoint_connect(s.ep, (iwarp_span){0})
                                      : iwarp_endpoint_listen(s.ep));
  run();
  (void)close(fd);
  free(memory);
  return s.right;
}

int main(int argc, char **argv) {
  struct sockaddr_in a = {.sin_family = AF_INET};
  socklen_t len = sizeof a;
  const unsigned long number = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  memset(payload, 'p', sizeof payload);
  need(argc == 3 && fd >= 0, "proxy_peer");
  if (strcmp(argv[1], "connect") == 0) {
    a.sin_port = htons((uint16_t)number);
    need(connect(fd, (const struct sockaddr *)&a, sizeof a) == 0, "connect");
    return talk(fd, IWARP_ROLE_INITIATOR) ? 0 : 3;
  }
  need(bind(fd, (const struct sockaddr *)&a, sizeof a) == 0 && listen(fd, 8) == 0 &&
           getsockname(fd, (struct sockaddr *)&a, &len) == 0,
       "listen");
  printf("listening on port %u\n", (unsigned)ntohs(a.sin_port));
  fflush(stdout);
  for (unsigned long i = 0; i < number; i++) {
    const int peer = accept(fd, NULL, NULL);
    need(peer >= 0, "accept");
    (void)talk(peer, IWARP_ROLE_RESPONDER);
  }
  (void)close(fd);
  return 0;
}
