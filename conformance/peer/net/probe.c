/* SPDX-License-Identifier: BSD-2-Clause */
/* The connections of a probe. */
#define _POSIX_C_SOURCE 200809L

#include <peer_net/probe.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

static size_t probe_output(void *ctx, iwarp_span *spans, size_t cap) {
  return peer_probe_output(ctx, spans, cap);
}

static void probe_sent(void *ctx, size_t len, uint64_t now_ns) {
  peer_probe_sent(ctx, len, now_ns);
}

static void probe_received(void *ctx, iwarp_span octets, uint64_t now_ns) {
  peer_probe_received(ctx, octets, now_ns);
}

static void probe_ended(void *ctx, uint64_t now_ns) {
  peer_probe_ended(ctx, now_ns);
}

static void probe_lost(void *ctx, uint64_t now_ns) {
  peer_probe_lost(ctx, now_ns);
}

static void probe_send_failed(void *ctx, uint64_t now_ns) {
  peer_probe_send_failed(ctx, now_ns);
}

static void probe_time(void *ctx, uint64_t now_ns) {
  peer_probe_time(ctx, now_ns);
}

static net_wish probe_wish(void *ctx) {
  return (net_wish){.deadline_ns = peer_probe_deadline(ctx),
                    .shutdown = peer_probe_wants_shutdown(ctx),
                    .done = peer_probe_done(ctx)};
}

/* One attempt on a connection that is open. */
static net_probe_end probe_attempt(net_conn *c, const net_probe_cfg *cfg, uint8_t rev,
                                   peer_probe_result *result, bool *plain) {
  const peer_probe_cfg attempt = {.rev = rev, .pings = cfg->pings, .timeout_ns = cfg->timeout_ns};
  peer_probe *p = peer_probe_new(&attempt, result, net_now());
  const net_user user = {.ctx = p,
                         .output = probe_output,
                         .sent = probe_sent,
                         .received = probe_received,
                         .ended = probe_ended,
                         .lost = probe_lost,
                         .send_failed = probe_send_failed,
                         .time = probe_time,
                         .wish = probe_wish};
  if (p == NULL) {
    net_close(c, false);
    return NET_PROBE_NO_MEMORY;
  }
  const net_served served = net_serve(c, &user, cfg->stop_fd);
  *plain = peer_probe_wants_plain(p);
  net_close(c, false);
  peer_probe_free(p);
  return served == NET_SERVED_STOPPED ? NET_PROBE_STOPPED : NET_PROBE_OK;
}

/* Turns the error of TCP into an answer; OK also where this machine is to blame. */
static net_probe_end probe_unreached(int error, const net_probe_cfg *cfg,
                                     peer_probe_result *result) {
  if (error == EINTR) {
    return NET_PROBE_STOPPED;
  }
  if (error == ECONNREFUSED || error == ECONNRESET) {
    result->answer = PEER_ANSWER_REFUSED;
    (void)snprintf(result->why, sizeof result->why, "TCP refused the connection");
    return NET_PROBE_OK;
  }
  result->answer = PEER_ANSWER_SILENT;
  if (error == ETIMEDOUT) {
    (void)snprintf(result->why, sizeof result->why, "nothing answered the SYN in %.9g s",
                   (double)cfg->timeout_ns / 1e9);
    return NET_PROBE_OK;
  }
  (void)snprintf(result->why, sizeof result->why, "no connection: %.100s", strerror(error));
  return error == EHOSTUNREACH || error == EHOSTDOWN ? NET_PROBE_OK : NET_PROBE_NO_SOCKET;
}

/* Connects to the first address that accepts the connection; 0: it is `*remote`. */
static int probe_connect(net_conn *c, const net_probe_cfg *cfg, net_address *remote) {
  int error = 0;
  for (size_t i = 0; i < cfg->to->num; i++) {
    *remote = cfg->to->list[i];
    error = net_connect(c, remote, cfg->tap, net_now() + cfg->timeout_ns, cfg->stop_fd);
    if (error == 0 || error == EINTR) {
      break;
    }
  }
  return error;
}

/* RFC 6581 10: on a connection of its own, and to the same address. Where that is not to be had the
 * answer to Rev 2 stands. */
static net_probe_end probe_again(net_conn *c, const net_probe_cfg *cfg, peer_probe_result *result,
                                 const net_address *remote) {
  bool plain = false;
  const int error = net_connect(c, remote, cfg->tap, net_now() + cfg->timeout_ns, cfg->stop_fd);
  if (error == EINTR) {
    return NET_PROBE_STOPPED;
  }
  if (error != 0) {
    const size_t used = strlen(result->why);
    (void)snprintf(result->why + used, sizeof result->why - used,
                   " to Rev 2; there was no other connection for Rev 1: %.60s", strerror(error));
    return NET_PROBE_OK;
  }
  *result = (peer_probe_result){.fell_back = true};
  return probe_attempt(c, cfg, 1, result, &plain);
}

net_probe_end net_probe(const net_probe_cfg *cfg, peer_probe_result *result, net_address *remote) {
  net_conn c = NET_CONN_NONE;
  bool plain = false;
  *result = (peer_probe_result){.answer = PEER_ANSWER_SILENT};
  const int error = probe_connect(&c, cfg, remote);
  if (error != 0) {
    return probe_unreached(error, cfg, result);
  }
  const net_probe_end end = probe_attempt(&c, cfg, 2, result, &plain);
  return end == NET_PROBE_OK && plain ? probe_again(&c, cfg, result, remote) : end;
}
