/* SPDX-License-Identifier: BSD-2-Clause */
/* A Responder at the other end of a TCP connection that terminates and resets, to the call. POSIX.
 */
#ifndef TEST_API_RUDE_PEER_H
#define TEST_API_RUDE_PEER_H

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>
#include <iwarp/endpoint.h>

#include "check_run.h"
#include "ep_host.h"

#define RUDE_OUTPUT 4096u /* octets of what an example prints */

/* `fd[0]` is the example's, `fd[1]` the peer's, which the example's own sends drive. */
static struct rude_peer {
  int fd[2];
  int sends; /* of the example so far */
} rude;

/* Waits until something can be said of the example's socket. */
static void rude_wait(short events) {
  struct pollfd p = {.fd = rude.fd[0], .events = events};
  ck_assert_int_eq(poll(&p, 1, -1), 1);
}

static void rude_send(iwarp_span octets) {
  ck_assert_int_eq(send(rude.fd[1], octets.ptr, octets.len, MSG_NOSIGNAL), (int)octets.len);
}

/* Reads the Request and accepts it. */
static void rude_reply(void) {
  const iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_RESPONDER);
  ep_host *h = ep_host_new(&cfg);
  uint8_t octets[64];
  ok(iwarp_endpoint_listen(h->ep));
  while (ep_host_count(h, IWARP_ENDPOINT_EVENT_REQUEST) == 0) {
    const ssize_t n = recv(rude.fd[1], octets, sizeof octets, 0);
    ck_assert_int_gt(n, 0);
    ep_host_push(h, octets, (size_t)n, (size_t)n);
  }
  ok(iwarp_endpoint_accept(h->ep, (iwarp_span){0}));
  rude_send((iwarp_span){octets, ep_host_pull(h, octets, sizeof octets)});
  ep_host_free(h);
}

/* Sends a Terminate and resets the connection, and waits until both have arrived. */
static void rude_terminate(void) {
  static _Alignas(max_align_t) uint8_t memory[65536];
  const iwarp_tx_cfg cfg = {.size = sizeof cfg, .crc = true, .emss = 1460, .num_messages = 1};
  const iwarp_rdmap_term term = {.layer = 1, .etype = 1, .code = 0};
  const struct linger reset = {.l_onoff = 1};
  iwarp_span spans[8];
  iwarp_tx_out out;
  iwarp_tx *tx;
  ok(iwarp_tx_init(&tx, memory, sizeof memory, &cfg));
  ok(iwarp_tx_terminate(tx, 1, &term));
  ok(iwarp_tx_next_output(tx, spans, 8, &out));
  for (size_t i = 0; i < out.num_spans; i++) {
    rude_send(spans[i]);
  }
  rude_wait(POLLIN);
  ck_assert_int_eq(setsockopt(rude.fd[1], SOL_SOCKET, SO_LINGER, &reset, sizeof reset), 0);
  close(rude.fd[1]);
  rude_wait(0); /* POLLERR or POLLHUP */
}

/* The peer's part after the example's first send, and before its second one. */
static void rude_before_send(void) {
  if (++rude.sends == 2) {
    rude_terminate();
  }
}

static void rude_after_send(void) {
  if (rude.sends == 1) {
    rude_reply();
  }
}

/* Runs a program in a process of its own, and returns what it says on standard error. */
static const char *rude_run(void (*program)(int fd)) {
  static char said[RUDE_OUTPUT];
  int out[2];
  int status;
  size_t len = 0;
  ssize_t n;
  ck_assert_int_eq(pipe(out), 0);
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    dup2(out[1], STDERR_FILENO);
    signal(SIGPIPE, SIG_IGN);
    program(rude.fd[0]);
    exit(EXIT_SUCCESS);
  }
  close(out[1]);
  close(rude.fd[0]); /* the other process has both ends */
  close(rude.fd[1]);
  while ((n = read(out[0], said + len, sizeof said - 1 - len)) > 0) {
    len += (size_t)n;
  }
  said[len] = '\0';
  close(out[0]);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
  return said;
}

/* Its second send failed, and the Terminate that lay unread was still reported. */
static void rude_expect_terminate(const char *said) {
  ck_assert_msg(strstr(said, "the peer sent Terminate 1/1/0") != NULL, "%s", said);
  ck_assert_msg(strstr(said, iwarp_strerror(IWARP_ERR_TERMINATED)) != NULL, "%s", said);
}

#endif
