/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps what passes on connections, for a capture with invented segments. */
#ifndef PEER_NET_TRACE_H
#define PEER_NET_TRACE_H

#include <peer_net/conn.h>
#include <report/out_buf.h>
#include <scenario/trace.h>

/** net_trace is what passed on the connections of one tap. */
typedef struct net_trace {
  scenario *packets;
  uint64_t to_epoch_ns; /* what net_now lacks to the time since the epoch */
  bool full;            /* something is missing: see scenario_trace_open */
  net_tap tap;          /* give it to net_connect */
} net_trace;

/** net_trace_begin makes an empty trace; false: no memory. The trace must not move after that. */
bool net_trace_begin(net_trace *t);

/** net_trace_comment puts a comment on what passed last. */
void net_trace_comment(net_trace *t, const char *comment);

/** net_trace_write writes the pcapng file. */
void net_trace_write(net_trace *t, out_buf *out);

/** net_trace_end gives the memory back. */
void net_trace_end(net_trace *t);

#endif
