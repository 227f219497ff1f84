/* SPDX-License-Identifier: BSD-2-Clause */
/* Two processes, and TCP connections between them over the loopback interface of a network
 * namespace of their own. Linux. */
#ifndef BENCH_TCP_PAIR_H
#define BENCH_TCP_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define TCP_PAIR_SKIPPED 77 /* status of a program whose machine does not allow this */

/* The cost of one measurement, at one end or at both. */
typedef struct tcp_pair_cost {
  double cpu;  /* seconds of the process: its own, and the system's for it */
  double wall; /* seconds */
} tcp_pair_cost;

/* One of the two processes. */
typedef struct tcp_pair {
  bool sender;
  int control; /* socket to the other process */
  pid_t child; /* sender: process id of the receiver */
} tcp_pair;

/* Checks a result of the system: below 0 ends the program, else it is returned. */
ssize_t tcp_pair_sys(ssize_t result, const char *what);

/* tcp_pair_isolate puts the process into a network namespace of its own. Where that, or what
 * tcp_pair_interface does, is not allowed, the program ends with TCP_PAIR_SKIPPED. */
void tcp_pair_isolate(void);

/* tcp_pair_interface sets the loopback interface up: `mtu` octets, segmentation offload or none. */
void tcp_pair_interface(int mtu, bool offload);

/* tcp_pair_connect makes the two ends of a connection, their buffers of so many octets: a system
 * that chooses them itself chooses others for each connection, and so other caches. */
void tcp_pair_connect(int fd[2], int window);

/* tcp_pair_fork makes two processes of one. They share a processor, and neither interrupts the
 * other: what they use is what the octets take, the same in each round. Or each has one of its own,
 * if there are two: then it counts, too, how often one of them sleeps and has to be woken up. */
tcp_pair tcp_pair_fork(bool apart);

/* tcp_pair_end ends the receiver, or waits for its end at the sender. */
void tcp_pair_end(const tcp_pair *p);

/* tcp_pair_now is what the process has used so far. */
tcp_pair_cost tcp_pair_now(void);

/* tcp_pair_both returns what both have used since `begin`, to the sender; the receiver reports. */
tcp_pair_cost tcp_pair_both(const tcp_pair *p, tcp_pair_cost begin);

#endif
