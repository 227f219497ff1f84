/* SPDX-License-Identifier: BSD-2-Clause */
/* One TCP connection, and the loop that serves it. The only room of the tool with sockets. */
#ifndef PEER_NET_CONN_H
#define PEER_NET_CONN_H

#include <iwarp/event.h>

#include <peer_net/address.h>

/** No deadline. */
#define NET_NEVER UINT64_MAX

/** net_now returns nanoseconds of a clock that does not go back. */
uint64_t net_now(void);

/** net_wish is the wish of a user of a connection. */
typedef struct net_wish {
  uint64_t deadline_ns; /* call `time` at the latest then */
  bool shutdown;        /* close this half */
  bool hold;            /* read nothing for now */
  bool stays;           /* go on after the end of the connection */
  bool done;            /* leave net_serve */
} net_wish;

/** net_user is who speaks on a connection. All of its functions get `ctx`. */
typedef struct net_user {
  void *ctx;
  /* The next octets to send, by at most `cap` spans; returns how many spans. */
  size_t (*output)(void *ctx, iwarp_span *spans, size_t cap);
  void (*sent)(void *ctx, size_t len, uint64_t now_ns);
  void (*received)(void *ctx, iwarp_span octets, uint64_t now_ns);
  void (*ended)(void *ctx, uint64_t now_ns); /* FIN */
  void (*lost)(void *ctx, uint64_t now_ns);  /* RST, or TCP gave up; all octets were read before */
  void (*send_failed)(void *ctx, uint64_t now_ns);
  void (*time)(void *ctx, uint64_t now_ns);
  net_wish (*wish)(void *ctx);
} net_user;

/** net_tap sees all that passes; each function may be NULL. Side 0 sent the SYN. */
typedef struct net_tap {
  void *ctx;
  void (*opened)(void *ctx, const net_address ends[2], uint64_t now_ns);
  void (*octets)(void *ctx, unsigned int side, const iwarp_span *spans, size_t num,
                 uint64_t now_ns);
  void (*fin)(void *ctx, unsigned int side, uint64_t now_ns);
  void (*rst)(void *ctx, unsigned int side, uint64_t now_ns);
} net_tap;

/** net_conn is a connection. */
typedef struct net_conn {
  int fd;            /* -1: no connection */
  unsigned int side; /* number of this side: 0 where it sent the SYN */
  net_address local;
  net_address remote;
  bool ended;       /* the other side closed its half */
  bool lost;        /* the connection is gone */
  bool shut;        /* this half is closed */
  bool send_failed; /* the failure was reported */
  const net_tap *tap;
} net_conn;

#define NET_CONN_NONE ((net_conn){.fd = -1})

/**
 * net_connect opens a connection with TCP_NODELAY, and waits for it until `deadline_ns` or until
 * `stop_fd` can be read (-1: none). It returns 0, or an errno value: ETIMEDOUT where nothing
 * answered in time, EINTR where it was stopped.
 */
int net_connect(net_conn *c, const net_address *to, const net_tap *tap, uint64_t deadline_ns,
                int stop_fd);

/** net_listen opens a socket that connections come to. `bound` gets its address, with the port that
 * the system chose where `at` has port 0. It returns the descriptor; -1: errno says why. */
int net_listen(const net_address *at, net_address *bound);

/** net_accept waits for the next connection, as net_connect does. ECHILD: `gone_fd` can be read
 * (-1: none), and there is no connection. */
int net_accept(net_conn *c, int listening, const net_tap *tap, uint64_t deadline_ns, int stop_fd,
               int gone_fd);

/** net_drop_waiting closes the connections that wait to be accepted: an earlier command left
 * them. */
void net_drop_waiting(int listening);

/** net_served says why net_serve returned. */
typedef enum net_served {
  NET_SERVED_DONE = 0, /* the user is done */
  NET_SERVED_OVER,     /* the connection is lost, or both halves are closed */
  NET_SERVED_STOPPED   /* `stop_fd` can be read */
} net_served;

/** net_serve carries octets between a connection and its user. */
net_served net_serve(net_conn *c, const net_user *user, int stop_fd);

/** net_unacked returns how many sent octets the other side's TCP did not acknowledge; 0 where the
 * system does not say. */
size_t net_unacked(const net_conn *c);

/**
 * net_close closes a connection. Octets that wait to be read are read before, a bounded number of
 * them: closing over unread octets sends an RST, which may overtake what this side sent. With
 * `reset` an RST is what is wanted.
 */
void net_close(net_conn *c, bool reset);

#endif
