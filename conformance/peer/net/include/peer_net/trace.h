/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps what passes on connections, for a capture with invented segments. */
#ifndef PEER_NET_TRACE_H
#define PEER_NET_TRACE_H

#include <peer_net/conn.h>
#include <report/out_buf.h>
#include <scenario/trace.h>

/** net_trace is a record of the packets on the connections of one tap. */
typedef struct net_trace {
  scenario *packets;
  uint64_t begin_ns;    /* begin, since the epoch */
  uint64_t to_epoch_ns; /* difference from net_now to the time since the epoch */
  uint8_t side;         /* side of the tester */
  size_t sent;          /* octets of the tester on the present connection */
  size_t acked;         /* octets acknowledged by TCP, by net_trace_acked; else 0 */
  uint64_t acked_ns;    /* time of net_now at which `acked` grew last */
  bool full;            /* something is missing: see scenario_trace_open */
  net_tap tap;          /* give it to net_connect */
} net_trace;

/** net_trace_begin makes an empty trace; false: no memory. `side` is the tester's. The trace must
 * not move after that. */
bool net_trace_begin(net_trace *t, uint8_t side);

/** net_trace_acked tells how many octets of the tester TCP acknowledged on the present connection:
 * only where all of them are, it is known what the target had when it sent something. */
void net_trace_acked(net_trace *t, size_t total, uint64_t now_ns);

/** net_trace_comment puts a comment on what passed last. */
void net_trace_comment(net_trace *t, const char *comment);

/** net_trace_write writes the pcapng file. */
void net_trace_write(net_trace *t, out_buf *out);

/** net_trace_end gives the memory back. */
void net_trace_end(net_trace *t);

#endif
