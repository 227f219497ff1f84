/* SPDX-License-Identifier: BSD-2-Clause */
/* From a tap to the packets of a capture. */
#define _POSIX_C_SOURCE 200809L

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

static void trace_opened(void *ctx, const net_address ends[2], uint64_t now_ns) {
  net_trace *t = ctx;
  scenario_end made[2];
  for (size_t i = 0; i < 2; i++) {
    made[i] = (scenario_end){.port = net_address_port(&ends[i])};
    made[i].ipv6 = net_address_octets(&ends[i], made[i].address) == 16;
  }
  trace_kept(t, !t->full && scenario_trace_open(t->packets, made, now_ns + t->to_epoch_ns));
}

static void trace_octets(void *ctx, unsigned int side, const iwarp_span *spans, size_t num,
                         uint64_t now_ns) {
  net_trace *t = ctx;
  for (size_t i = 0; !t->full && i < num; i++) {
    trace_kept(t, scenario_trace_octets(t->packets, (uint8_t)side, now_ns + t->to_epoch_ns,
                                        spans[i].ptr, spans[i].len));
  }
}

static void trace_fin(void *ctx, unsigned int side, uint64_t now_ns) {
  net_trace *t = ctx;
  trace_kept(t, !t->full && scenario_trace_fin(t->packets, (uint8_t)side, now_ns + t->to_epoch_ns));
}

static void trace_rst(void *ctx, unsigned int side, uint64_t now_ns) {
  net_trace *t = ctx;
  trace_kept(t, !t->full && scenario_trace_rst(t->packets, (uint8_t)side, now_ns + t->to_epoch_ns));
}

bool net_trace_begin(net_trace *t) {
  *t = (net_trace){.packets = scenario_new(),
                   .to_epoch_ns = trace_epoch() - net_now(),
                   .tap = {.ctx = t,
                           .opened = trace_opened,
                           .octets = trace_octets,
                           .fin = trace_fin,
                           .rst = trace_rst}};
  return t->packets != NULL;
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
