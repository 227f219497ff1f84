/* SPDX-License-Identifier: BSD-2-Clause */
/* Two processes and TCP between them: the namespace, the interface, sockets, processors, CPU time.
 */
#define _GNU_SOURCE
#include "tcp_pair.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compare.h"

static cpu_set_t allowed; /* processors of the program */

/* A missing permission of this machine is no failure. */
static _Noreturn void skip(const char *what) {
  printf("skipped: %s: %s\n", what, strerror(errno));
  exit(TCP_PAIR_SKIPPED);
}

ssize_t tcp_pair_sys(ssize_t result, const char *what) {
  if (result < 0) {
    bench_stop(what, strerror(errno));
  }
  return result;
}

/* ---- the interface ---- */

void tcp_pair_isolate(void) {
  tcp_pair_sys(sched_getaffinity(0, sizeof allowed, &allowed), "processors");
  if (unshare(CLONE_NEWNET) < 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0) {
    skip("no network namespace may be made");
  }
}

static struct ifreq loopback(void) {
  struct ifreq r = {.ifr_name = "lo"};
  return r;
}

static void set_offload(int fd, uint32_t command, bool on) {
  struct ethtool_value value = {.cmd = command, .data = on ? 1 : 0};
  struct ifreq r = loopback();
  r.ifr_data = (void *)&value;
  if (ioctl(fd, SIOCETHTOOL, &r) < 0) {
    skip("segmentation offload cannot be set");
  }
}

void tcp_pair_interface(int mtu, bool offload) {
  const int fd = (int)tcp_pair_sys(socket(AF_INET, SOCK_DGRAM, 0), "socket");
  struct ifreq r = loopback();
  r.ifr_mtu = mtu;
  tcp_pair_sys(ioctl(fd, SIOCSIFMTU, &r), "MTU");
  set_offload(fd, ETHTOOL_STSO, offload);
  set_offload(fd, ETHTOOL_SGSO, offload);
  set_offload(fd, ETHTOOL_SGRO, offload);
  r = loopback();
  r.ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK;
  tcp_pair_sys(ioctl(fd, SIOCSIFFLAGS, &r), "interface up");
  close(fd);
}

/* ---- connections ---- */

/* Before the connection is made: its window scale follows from them. */
static int socket_of(int window) {
  const int fd = (int)tcp_pair_sys(socket(AF_INET, SOCK_STREAM, 0), "socket");
  tcp_pair_sys(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &window, sizeof window), "SO_SNDBUF");
  tcp_pair_sys(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &window, sizeof window), "SO_RCVBUF");
  return fd;
}

void tcp_pair_connect(int fd[2], int window) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t len = sizeof address;
  const int door = socket_of(window);
  const int on = 1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  tcp_pair_sys(bind(door, (struct sockaddr *)&address, sizeof address), "bind");
  tcp_pair_sys(listen(door, 1), "listen");
  tcp_pair_sys(getsockname(door, (struct sockaddr *)&address, &len), "getsockname");
  fd[0] = socket_of(window);
  tcp_pair_sys(connect(fd[0], (struct sockaddr *)&address, sizeof address), "connect");
  fd[1] = (int)tcp_pair_sys(accept(door, NULL, NULL), "accept");
  for (int i = 0; i < 2; i++) {
    tcp_pair_sys(setsockopt(fd[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
  }
  close(door);
}

/* ---- processes ---- */

/* Goes to processor `nth` that the program may use, if there are so many. */
static void stay_on(size_t nth) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (size_t i = 0; i < CPU_SETSIZE; i++) {
    if (CPU_ISSET(i, &allowed) && nth-- == 0) {
      CPU_SET(i, &one);
      tcp_pair_sys(sched_setaffinity(0, sizeof one, &one), "processor");
      return;
    }
  }
}

/* On one processor each goes on until it has to wait for the other. */
static void stay(bool first, bool apart) {
  const struct sched_param param = {0};
  stay_on(first || !apart ? 0 : 1);
  tcp_pair_sys(sched_setscheduler(0, SCHED_BATCH, &param), "scheduler");
}

tcp_pair tcp_pair_fork(bool apart) {
  int control[2];
  tcp_pair_sys(socketpair(AF_UNIX, SOCK_STREAM, 0, control), "socketpair");
  fflush(stdout); /* text left in the buffer would be printed by the child, too */
  const pid_t child = (pid_t)tcp_pair_sys(fork(), "fork");
  const tcp_pair p = {.sender = child != 0, .child = child, .control = control[child != 0 ? 0 : 1]};
  close(control[child != 0 ? 1 : 0]);
  stay(p.sender, apart);
  return p;
}

void tcp_pair_end(const tcp_pair *p) {
  int status;
  close(p->control);
  if (!p->sender) {
    exit(EXIT_SUCCESS);
  }
  tcp_pair_sys(waitpid(p->child, &status, 0), "waitpid");
  if (status != 0) {
    bench_stop("tcp_pair", "the receiver failed");
  }
}

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

tcp_pair_cost tcp_pair_now(void) {
  return (tcp_pair_cost){.cpu = seconds(CLOCK_PROCESS_CPUTIME_ID),
                         .wall = seconds(CLOCK_MONOTONIC)};
}

tcp_pair_cost tcp_pair_both(const tcp_pair *p, tcp_pair_cost begin) {
  tcp_pair_cost peer = {0};
  tcp_pair_cost mine = tcp_pair_now();
  mine.cpu -= begin.cpu;
  if (!p->sender) {
    tcp_pair_sys(write(p->control, &mine, sizeof mine), "control");
    return mine;
  }
  tcp_pair_sys(read(p->control, &peer, sizeof peer), "control");
  return (tcp_pair_cost){.cpu = mine.cpu + peer.cpu, .wall = tcp_pair_now().wall - begin.wall};
}
