/* SPDX-License-Identifier: BSD-2-Clause */
/* One TCP connection and its poll loop. */
#define _DEFAULT_SOURCE 1 /* SIOCOUTQ */

#include <peer_net/conn.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/sockios.h>
#endif

#define CONN_SPANS 64u
#define CONN_READ ((size_t)65536)   /* octets of one read */
#define CONN_DRAIN_MAX ((size_t)64) /* reads before a connection is closed */
#define CONN_NS_PER_MS UINT64_C(1000000)

uint64_t net_now(void) {
  struct timespec t = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Milliseconds of a wait up to a deadline, rounded up, for poll. */
static int conn_patience(uint64_t deadline_ns, uint64_t now_ns) {
  if (deadline_ns == NET_NEVER) {
    return -1;
  }
  if (deadline_ns <= now_ns) {
    return 0;
  }
  const uint64_t ms = (deadline_ns - now_ns + CONN_NS_PER_MS - 1) / CONN_NS_PER_MS;
  return ms < 60000 ? (int)ms : 60000;
}

static bool conn_too_early(void) {
  return errno == EAGAIN || errno == EINTR;
}

/* ---- what the tap sees ---- */

static void conn_tap_opened(const net_conn *c) {
  const bool first = c->side == 0;
  const net_address ends[2] = {first ? c->local : c->remote, first ? c->remote : c->local};
  if (c->tap != NULL && c->tap->opened != NULL) {
    c->tap->opened(c->tap->ctx, ends, net_now());
  }
}

static void conn_tap_octets(const net_conn *c, unsigned int side, const iwarp_span *spans,
                            size_t num, uint64_t now_ns) {
  if (c->tap != NULL && c->tap->octets != NULL) {
    c->tap->octets(c->tap->ctx, side, spans, num, now_ns);
  }
}

static void conn_tap_fin(const net_conn *c, unsigned int side, uint64_t now_ns) {
  if (c->tap != NULL && c->tap->fin != NULL) {
    c->tap->fin(c->tap->ctx, side, now_ns);
  }
}

static void conn_tap_rst(const net_conn *c, unsigned int side, uint64_t now_ns) {
  if (c->tap != NULL && c->tap->rst != NULL) {
    c->tap->rst(c->tap->ctx, side, now_ns);
  }
}

/* ---- opening ---- */

static bool conn_prepare(int fd) {
  const int on = 1;
  const int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 &&
         fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
         setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0;
}

static void conn_local(net_conn *c) {
  socklen_t len = sizeof c->local.at;
  if (getsockname(c->fd, (struct sockaddr *)&c->local.at, &len) == 0) {
    c->local.len = len;
  }
}

/* Waits for something of a socket: 0, or why it did not come. */
static int conn_wait(int fd, short events, uint64_t deadline_ns, int stop_fd, int gone_fd) {
  for (;;) {
    struct pollfd polled[3] = {{.fd = fd, .events = events},
                               {.fd = stop_fd, .events = POLLIN},
                               {.fd = gone_fd, .events = POLLIN}};
    int error = 0;
    socklen_t len = sizeof error;
    const int ready = poll(polled, 3, conn_patience(deadline_ns, net_now()));
    if (ready < 0 && errno != EINTR) {
      return errno;
    }
    if (ready > 0 && polled[1].revents != 0) {
      return EINTR;
    }
    if (ready > 0 && polled[0].revents != 0) {
      return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) == 0 ? error : errno;
    }
    if (ready > 0 && polled[2].revents != 0) {
      return ECHILD;
    }
    if (net_now() >= deadline_ns) {
      return ETIMEDOUT;
    }
  }
}

static int conn_open(net_conn *c, const net_address *to, uint64_t deadline_ns, int stop_fd) {
  if (!conn_prepare(c->fd)) {
    return errno;
  }
  if (connect(c->fd, (const struct sockaddr *)&to->at, to->len) == 0) {
    return 0;
  }
  return errno == EINPROGRESS ? conn_wait(c->fd, POLLOUT, deadline_ns, stop_fd, -1) : errno;
}

int net_connect(net_conn *c, const net_address *to, const net_tap *tap, uint64_t deadline_ns,
                int stop_fd) {
  *c = (net_conn){
      .fd = socket(to->at.ss_family, SOCK_STREAM, IPPROTO_TCP), .remote = *to, .tap = tap};
  if (c->fd < 0) {
    return errno;
  }
  const int error = conn_open(c, to, deadline_ns, stop_fd);
  if (error != 0) {
    (void)close(c->fd);
    c->fd = -1;
    return error;
  }
  conn_local(c);
  conn_tap_opened(c);
  return 0;
}

int net_listen(const net_address *at, net_address *bound) {
  const int on = 1;
  const int fd = socket(at->at.ss_family, SOCK_STREAM, IPPROTO_TCP);
  socklen_t len = sizeof bound->at;
  if (fd < 0) {
    return -1;
  }
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0 ||
      bind(fd, (const struct sockaddr *)&at->at, at->len) != 0 || listen(fd, SOMAXCONN) != 0 ||
      getsockname(fd, (struct sockaddr *)&bound->at, &len) != 0) {
    const int error = errno;
    (void)close(fd);
    errno = error;
    return -1;
  }
  bound->len = len;
  return fd;
}

/* A connection that ended before it was taken does not count. */
static bool conn_accept_again(int error) {
  return error == EAGAIN || error == EINTR || error == ECONNABORTED;
}

int net_accept(net_conn *c, int listening, const net_tap *tap, uint64_t deadline_ns, int stop_fd,
               int gone_fd) {
  *c = (net_conn){.fd = -1, .side = 1, .tap = tap};
  while (c->fd < 0) {
    socklen_t len = sizeof c->remote.at;
    const int error = conn_wait(listening, POLLIN, deadline_ns, stop_fd, gone_fd);
    if (error != 0) {
      return error;
    }
    c->fd = accept(listening, (struct sockaddr *)&c->remote.at, &len);
    if (c->fd < 0 && !conn_accept_again(errno)) {
      return errno;
    }
    c->remote.len = len;
  }
  if (!conn_prepare(c->fd)) {
    const int error = errno;
    net_close(c, false);
    return error;
  }
  conn_local(c);
  conn_tap_opened(c);
  return 0;
}

void net_drop_waiting(int listening) {
  for (int fd = 0; fd >= 0 || errno == EINTR || errno == ECONNABORTED;) {
    fd = accept(listening, NULL, NULL);
    if (fd >= 0) {
      (void)close(fd);
    }
  }
}

/* ---- octets ---- */

static void conn_failed(net_conn *c, const net_user *user) {
  if (!c->send_failed) {
    c->send_failed = true;
    user->send_failed(user->ctx, net_now());
  }
}

static ssize_t conn_write(const net_conn *c, const iwarp_span *spans, size_t num) {
  struct iovec parts[CONN_SPANS];
  struct msghdr message = {.msg_iov = parts};
  for (size_t i = 0; i < num; i++) {
    parts[i] = (struct iovec){.iov_base = (void *)(uintptr_t)spans[i].ptr, .iov_len = spans[i].len};
  }
  message.msg_iovlen = num;
  return sendmsg(c->fd, &message, MSG_NOSIGNAL);
}

/* Spans cut to their first `len` octets; returns how many are left. */
static size_t conn_first(iwarp_span *spans, size_t num, size_t len) {
  size_t left = 0;
  for (; left < num && len > 0; left++) {
    spans[left].len = spans[left].len < len ? spans[left].len : len;
    len -= spans[left].len;
  }
  return left;
}

/* Sends until nothing is left or the socket is full; true: more is left. */
static bool conn_send(net_conn *c, const net_user *user) {
  iwarp_span spans[CONN_SPANS];
  while (c->fd >= 0 && !c->lost && !c->send_failed && !c->shut) {
    const size_t num = user->output(user->ctx, spans, CONN_SPANS);
    if (num == 0) {
      return false;
    }
    const ssize_t n = conn_write(c, spans, num);
    if (n < 0 && conn_too_early()) {
      return true;
    }
    if (n < 0) {
      conn_failed(c, user);
      return false;
    }
    const uint64_t now_ns = net_now();
    conn_tap_octets(c, c->side, spans, conn_first(spans, num, (size_t)n), now_ns);
    user->sent(user->ctx, (size_t)n, now_ns);
  }
  return false;
}

static void conn_receive(net_conn *c, const net_user *user) {
  static uint8_t octets[CONN_READ];
  const ssize_t n = recv(c->fd, octets, sizeof octets, 0);
  const uint64_t now_ns = net_now();
  if (n > 0) {
    const iwarp_span got = {octets, (size_t)n};
    conn_tap_octets(c, 1 - c->side, &got, 1, now_ns);
    user->received(user->ctx, got, now_ns);
  } else if (n == 0 && !c->send_failed) {
    c->ended = true;
    conn_tap_fin(c, 1 - c->side, now_ns);
    user->ended(user->ctx, now_ns);
  } else if (n == 0 || !conn_too_early()) { /* the send that failed took the error of an RST */
    c->lost = true;
    conn_tap_rst(c, 1 - c->side, now_ns);
    user->lost(user->ctx, now_ns);
  }
}

static void conn_shut(net_conn *c) {
  if (c->fd >= 0 && !c->shut && !c->lost) {
    c->shut = true;
    if (shutdown(c->fd, SHUT_WR) == 0) {
      conn_tap_fin(c, c->side, net_now());
    }
  }
}

/* ---- the loop ---- */

static bool conn_is_over(const net_conn *c) {
  return c->lost || (c->ended && c->shut);
}

/* Waits for what the user wants to know; false: it is to stop. */
static bool conn_poll(net_conn *c, const net_user *user, const net_wish *wish, bool more,
                      int stop_fd) {
  const bool reads = !wish->hold && !c->ended && !c->lost;
  struct pollfd polled[2] = {{.fd = reads || more ? c->fd : -1}, {.fd = stop_fd, .events = POLLIN}};
  polled[0].events = (short)((reads ? POLLIN : 0) | (more ? POLLOUT : 0));
  const int ready = poll(polled, 2, conn_patience(wish->deadline_ns, net_now()));
  if (ready > 0 && polled[1].revents != 0) {
    return false;
  }
  if (ready > 0 && reads && (polled[0].revents & (POLLIN | POLLERR | POLLHUP)) != 0) {
    conn_receive(c, user);
  }
  user->time(user->ctx, net_now());
  return true;
}

net_served net_serve(net_conn *c, const net_user *user, int stop_fd) {
  for (;;) {
    const bool more = conn_send(c, user);
    const net_wish wish = user->wish(user->ctx);
    if (wish.done) {
      return NET_SERVED_DONE;
    }
    if (wish.shutdown && !more) {
      conn_shut(c);
    }
    if (conn_is_over(c) && !wish.stays) {
      return NET_SERVED_OVER;
    }
    if (!conn_poll(c, user, &wish, more, stop_fd)) {
      return NET_SERVED_STOPPED;
    }
  }
}

/* ---- the end ---- */

size_t net_unacked(const net_conn *c) {
#ifdef SIOCOUTQ
  int unacked = 0;
  return c->fd >= 0 && ioctl(c->fd, SIOCOUTQ, &unacked) == 0 && unacked > 0 ? (size_t)unacked : 0;
#else
  (void)c;
  return 0;
#endif
}

static void conn_drain(net_conn *c) {
  static uint8_t octets[CONN_READ];
  for (size_t i = 0; i < CONN_DRAIN_MAX && !c->ended && !c->lost; i++) {
    const ssize_t n = recv(c->fd, octets, sizeof octets, MSG_DONTWAIT);
    const uint64_t now_ns = net_now();
    if (n > 0) {
      const iwarp_span got = {octets, (size_t)n};
      conn_tap_octets(c, 1 - c->side, &got, 1, now_ns);
    } else if (n == 0) {
      c->ended = true;
      conn_tap_fin(c, 1 - c->side, now_ns);
    } else if (errno != EINTR) {
      return;
    }
  }
}

void net_close(net_conn *c, bool reset) {
  if (c->fd < 0) {
    return;
  }
  if (reset) {
    const struct linger at_once = {.l_onoff = 1};
    (void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    conn_tap_rst(c, c->side, net_now());
  } else {
    conn_drain(c);
    if (!c->shut && !c->lost) {
      conn_tap_fin(c, c->side, net_now());
    }
  }
  (void)close(c->fd);
  c->fd = -1;
}
