/* SPDX-License-Identifier: BSD-2-Clause */
/* From a tap to the packets of a capture. */
#define _POSIX_C_SOURCE 200809L

#include <peer/player.h>
#include <peer_net/trace.h>

#include <string.h>
#include <time.h>

static uint64_t trace_epoch(void) {
  struct timespec t = {0};
  (void)clock_gettime(CLOCK_REALTIME, &t);
  return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static void trace_kept(net_trace *t, bool kept) {
  t->full = t->full || !kept;
}

/* The tester had received all that passed. Of the target it is known where it had all, or nothing
 * was sent. */
static scenario_moment trace_moment(const net_trace *t, unsigned int side, uint64_t now_ns) {
  const bool settled = t->acked >= t->sent && now_ns >= t->acked_ns + PEER_SETTLED_NS;
  return (scenario_moment){.time_ns = now_ns + t->to_epoch_ns,
                           .acks = side == t->side || t->sent == 0 || settled};
}

static void trace_opened(void *ctx, const net_address ends[2], uint64_t now_ns) {
  net_trace *t = ctx;
  scenario_end made[2];
  t->sent = t->acked = 0;
  for (size_t i = 0; i < 2; i++) {
    made[i] = (scenario_end){.port = net_address_port(&ends[i])};
    made[i].ipv6 = net_address_octets(&ends[i], made[i].address) == 16;
  }
  trace_kept(t, !t->full && scenario_trace_open(t->packets, made, now_ns + t->to_epoch_ns));
}

static void trace_octets(void *ctx, unsigned int side, const iwarp_span *spans, size_t num,
                         uint64_t now_ns) {
  net_trace *t = ctx;
  const scenario_moment at = trace_moment(t, side, now_ns);
  for (size_t i = 0; !t->full && i < num; i++) {
    trace_kept(t, scenario_trace_octets(t->packets, (uint8_t)side, at, spans[i].ptr, spans[i].len));
    t->sent += side == t->side ? spans[i].len : 0;
  }
}

static void trace_fin(void *ctx, unsigned int side, uint64_t now_ns) {
  net_trace *t = ctx;
  trace_kept(t, !t->full &&
                    scenario_trace_fin(t->packets, (uint8_t)side, trace_moment(t, side, now_ns)));
}

static void trace_rst(void *ctx, unsigned int side, uint64_t now_ns) {
  net_trace *t = ctx;
  trace_kept(t, !t->full &&
                    scenario_trace_rst(t->packets, (uint8_t)side, trace_moment(t, side, now_ns)));
}

bool net_trace_begin(net_trace *t, uint8_t side) {
  const uint64_t begin_ns = trace_epoch();
  *t = (net_trace){.packets = scenario_new(),
                   .side = side,
                   .begin_ns = begin_ns,
                   .to_epoch_ns = begin_ns - net_now(),
                   .tap = {.ctx = t,
                           .opened = trace_opened,
                           .octets = trace_octets,
                           .fin = trace_fin,
                           .rst = trace_rst}};
  return t->packets != NULL;
}

void net_trace_acked(net_trace *t, size_t total, uint64_t now_ns) {
  if (total > t->acked) {
    t->acked = total;
    t->acked_ns = now_ns;
  }
}

void net_trace_comment(net_trace *t, const char *comment) {
  (void)scenario_trace_comment(t->packets, comment);
}

void net_trace_write(net_trace *t, out_buf *out) {
  if (t->full) {
    net_trace_comment(t, "what passed after this is not kept: the capture has its greatest length");
  }
  scenario_write(t->packets, SCENARIO_PCAPNG, out);
}

void net_trace_end(net_trace *t) {
  scenario_free(t->packets);
  t->packets = NULL;
}
