/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * iwarp-fuzz-proxy: stands between two endpoints of a live iWARP implementation on the loopback
 * interface and changes what they say to each other.
 */
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "script.h"

#define CONNECTIONS 8u /* connections at a time */
#define PIECE 16384u   /* octets that are read at once */
#define TICK_MS 100    /* time without any event after which the rate and the time are checked */

/* A connection of an initiator, side 0, and the one to the target, side 1. */
typedef struct connection {
  bool used;
  uint64_t number;
  int fd[2];
  bool reads[2];  /* the side has not closed its half */
  bool writes[2]; /* the peer's end did not reach the side yet */
  bool reset;
  FILE *saved;
  filter f;
} connection;

static struct {
  options o;
  int door;
  connection conns[CONNECTIONS];
  uint64_t begun;  /* connections begun */
  bool answered;   /* the target took a connection */
  bool gone;       /* the target takes no more connections */
  uint64_t budget; /* octets that may be sent now */
  uint64_t end_ns;
  uint64_t now_ns;
} p;

static volatile sig_atomic_t interrupted;

static void interrupt_run(int number) {
  (void)number;
  interrupted = 1;
}

static uint64_t clock_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool too_early(void) {
  return errno == EAGAIN || errno == EINTR;
}

/* ---- sockets ---- */

static socklen_t size_of(const struct sockaddr_storage *a) {
  return a->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

static const struct sockaddr *plain(const struct sockaddr_storage *a) {
  return (const struct sockaddr *)(const void *)a;
}

static void ready(int fd) {
  const int on = 1;
  (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

static bool open_door(void) {
  struct sockaddr_storage a;
  socklen_t len = sizeof a;
  const int on = 1;
  p.door = socket(p.o.listen.ss_family, SOCK_STREAM, 0);
  if (p.door < 0 || setsockopt(p.door, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(p.door, plain(&p.o.listen), size_of(&p.o.listen)) != 0 || listen(p.door, 16) != 0 ||
      getsockname(p.door, (struct sockaddr *)(void *)&a, &len) != 0) {
    perror("iwarp-fuzz-proxy");
    return false;
  }
  ready(p.door);
  printf("listening on port %u\n",
         (unsigned)ntohs(((const struct sockaddr_in *)(const void *)&a)->sin_port));
  fflush(stdout);
  return true;
}

/* ---- the octets sent, as an input of the target observer: support/script.h ---- */

static void save_open(connection *c) {
  char path[1024];
  c->saved = NULL;
  if (p.o.save != NULL) {
    snprintf(path, sizeof path, "%s/connection-%llu", p.o.save, (unsigned long long)c->number);
    c->saved = fopen(path, "wb");
    if (c->saved == NULL) {
      perror(path);
    }
  }
}

static void save_octets(connection *c, size_t side, const uint8_t *octets, size_t n) {
  while (c->saved != NULL && n > 0) {
    const size_t part = n < 32768u ? n : 32768u;
    const uint8_t head[SCRIPT_HEAD] = {side != 0 ? SCRIPT_SIDE : 0, (uint8_t)(part >> 8),
                                       (uint8_t)part};
    fwrite(head, 1, sizeof head, c->saved);
    fwrite(octets, 1, part, c->saved);
    fflush(c->saved); /* the next octets may bring the machine down */
    octets += part;
    n -= part;
  }
}

static void save_close(connection *c) {
  static const uint8_t tail[FUZZ_TAIL] = {[FUZZ_TAIL - 1] = FUZZ_KEEP_BROKEN | FUZZ_KEEP_MSN};
  if (c->saved != NULL) {
    fwrite(tail, 1, sizeof tail, c->saved);
    fclose(c->saved);
  }
}

/* ---- a connection ---- */

static void report(const connection *c) {
  static const char *const names[2] = {"initiator", "responder"};
  printf("connection %llu:", (unsigned long long)c->number);
  for (size_t side = 0; side < 2; side++) {
    const filter_stream *s = &c->f.side[side];
    printf(" %s %llu octets, %llu FPDUs, %llu changed", names[side], (unsigned long long)s->octets,
           (unsigned long long)s->fpdus, (unsigned long long)s->changed);
    if (s->has_terminate) {
      printf(", Terminate %u/%u/%u", (unsigned)s->terminate.layer, (unsigned)s->terminate.etype,
             (unsigned)s->terminate.code);
    }
    printf("%s", side == 0 ? ";" : c->reset ? "; reset\n" : "; closed\n");
  }
  fflush(stdout);
}

/* Ends both halves; a reset is handed on. */
static void finish(connection *c) {
  const struct linger now = {.l_onoff = 1, .l_linger = 0};
  for (size_t side = 0; side < 2; side++) {
    if (c->reset) {
      (void)setsockopt(c->fd[side], SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    (void)close(c->fd[side]);
  }
  report(c);
  save_close(c);
  c->used = false;
}

static void begin(int fd, connection *c) {
  const int target = socket(p.o.target.ss_family, SOCK_STREAM, 0);
  if (target < 0 || connect(target, plain(&p.o.target), size_of(&p.o.target)) != 0) {
    fprintf(stderr, "iwarp-fuzz-proxy: the target takes no connection: %s\n", strerror(errno));
    p.gone = p.answered;
    (void)close(fd);
    if (target >= 0) {
      (void)close(target);
    }
    return;
  }
  p.answered = true;
  c->used = true;
  c->number = ++p.begun;
  c->fd[0] = fd;
  c->fd[1] = target;
  c->reset = false;
  for (size_t side = 0; side < 2; side++) {
    c->reads[side] = c->writes[side] = true;
    ready(c->fd[side]);
  }
  filter_init(&c->f, &p.o.filter, p.o.seed + c->number);
  save_open(c);
}

static connection *free_connection(void) {
  for (size_t i = 0; i < CONNECTIONS; i++) {
    if (!p.conns[i].used) {
      return &p.conns[i];
    }
  }
  return NULL;
}

static bool more_wanted(void) {
  return p.o.connections == 0 || p.begun < p.o.connections;
}

static void answer_door(void) {
  connection *c = free_connection();
  const int fd = c != NULL && more_wanted() ? accept(p.door, NULL, NULL) : -1;
  if (fd >= 0) {
    begin(fd, c);
  }
}

static void hear(connection *c, size_t side) {
  uint8_t octets[PIECE];
  const size_t room = filter_room(&c->f, side);
  const ssize_t n = recv(c->fd[side], octets, room < sizeof octets ? room : sizeof octets, 0);
  if (n > 0) {
    filter_push(&c->f, side, octets, (size_t)n);
  } else if (n == 0) {
    c->reads[side] = false;
    filter_eof(&c->f, side);
  } else if (!too_early()) {
    c->reset = true;
  }
}

/* Sends the filtered octets of `side` to its peer, as many as the rate allows. */
static void say(connection *c, size_t side) {
  filter_stream *s = &c->f.side[side];
  const size_t most = s->num_out < p.budget ? s->num_out : (size_t)p.budget;
  if (most > 0) {
    const ssize_t n = send(c->fd[1 - side], s->out, most, MSG_NOSIGNAL);
    if (n > 0) {
      save_octets(c, side, s->out, (size_t)n);
      p.budget -= (uint64_t)n;
      filter_sent(&c->f, side, (size_t)n);
    } else if (n < 0 && !too_early()) {
      c->reset = true;
    }
  }
  if (!c->reads[side] && c->writes[side] && s->num_out == 0) {
    c->writes[side] = false;
    (void)shutdown(c->fd[1 - side], SHUT_WR);
  }
}

static bool is_over(const connection *c) {
  return c->reset || (!c->writes[0] && !c->writes[1]);
}

/* ---- all connections ---- */

static size_t watch(struct pollfd *fds, connection **of) {
  size_t num = 0;
  fds[num++] = (struct pollfd){.fd = p.door, .events = POLLIN};
  for (size_t i = 0; i < CONNECTIONS; i++) {
    connection *c = &p.conns[i];
    for (size_t side = 0; c->used && side < 2; side++) {
      const bool in = c->reads[side] && filter_room(&c->f, side) > 0;
      const bool out = c->f.side[1 - side].num_out > 0 && p.budget > 0;
      of[num] = c;
      fds[num++] = (struct pollfd){.fd = c->fd[side],
                                   .events = (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0))};
    }
  }
  return num;
}

static void refill(void) {
  const uint64_t now = clock_ns();
  const uint64_t most = p.o.rate / 5 + 1; /* octets that a fifth of a second may bring at once */
  const uint64_t passed = now - p.now_ns < 1000000000u ? now - p.now_ns : 1000000000u;
  const uint64_t more = (uint64_t)((double)p.o.rate * (double)passed / 1e9);
  if (more > 0) {
    p.budget = p.budget + more < most ? p.budget + more : most;
    p.now_ns = now;
  }
}

static void turn(void) {
  struct pollfd fds[1 + 2 * CONNECTIONS];
  connection *of[1 + 2 * CONNECTIONS] = {NULL};
  const size_t num = watch(fds, of);
  if (poll(fds, (nfds_t)num, TICK_MS) < 0 && errno != EINTR) {
    perror("poll");
    interrupted = 1;
    return;
  }
  refill();
  if ((fds[0].revents & POLLIN) != 0) {
    answer_door();
  }
  for (size_t i = 1; i < num; i++) {
    connection *c = of[i];
    const size_t side = fds[i].fd == c->fd[0] ? 0 : 1;
    if (c->reads[side] && (fds[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      hear(c, side);
    }
  }
  for (size_t i = 0; i < CONNECTIONS; i++) {
    connection *c = &p.conns[i];
    for (size_t side = 0; c->used && side < 2 && !c->reset; side++) {
      say(c, side);
    }
    if (c->used && is_over(c)) {
      finish(c);
    }
  }
}

static bool any_used(void) {
  for (size_t i = 0; i < CONNECTIONS; i++) {
    if (p.conns[i].used) {
      return true;
    }
  }
  return false;
}

static bool goes_on(void) {
  return !interrupted && !p.gone && clock_ns() < p.end_ns && (more_wanted() || any_used());
}

int main(int argc, char **argv) {
  const struct sigaction stop = {.sa_handler = interrupt_run};
  switch (options_parse(&p.o, argc, argv)) {
  case OPTIONS_HELP: options_help(); return 0;
  case OPTIONS_WRONG: return 2;
  case OPTIONS_RUN: break;
  }
  (void)sigaction(SIGINT, &stop, NULL);
  (void)sigaction(SIGTERM, &stop, NULL);
  if (!open_door()) {
    return 2;
  }
  p.now_ns = clock_ns();
  p.end_ns =
      p.o.seconds < UINT64_MAX / 2000000000u ? p.now_ns + p.o.seconds * 1000000000u : UINT64_MAX;
  while (goes_on()) {
    turn();
  }
  for (size_t i = 0; i < CONNECTIONS; i++) {
    if (p.conns[i].used) {
      p.conns[i].reset = true;
      finish(&p.conns[i]);
    }
  }
  (void)close(p.door);
  return p.gone ? 1 : 0;
}
