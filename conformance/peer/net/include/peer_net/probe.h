/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe over TCP: connects, asks, and asks again with Rev 1 where RFC 6581 10 wants it. */
#ifndef PEER_NET_PROBE_H
#define PEER_NET_PROBE_H

#include <peer/probe.h>

#include <peer_net/conn.h>

/** net_probe_cfg describes a probe. */
typedef struct net_probe_cfg {
  const net_addresses *to; /* tried one after the other until one accepts the connection */
  uint32_t pings;          /* number of Reads, at most PEER_PROBE_PINGS_MAX */
  uint64_t timeout_ns;     /* bound of the wait for the connection, the Reply and each Read */
  const net_tap *tap;      /* sees all connections; may be NULL */
  int stop_fd;             /* ends the probe when it can be read; -1: none */
} net_probe_cfg;

/** net_probe_end says how a probe ended. */
typedef enum net_probe_end {
  NET_PROBE_OK = 0,    /* `result` holds */
  NET_PROBE_STOPPED,   /* `stop_fd` stopped the probe */
  NET_PROBE_NO_SOCKET, /* this machine could not open a connection: `result->why` says why */
  NET_PROBE_NO_MEMORY
} net_probe_end;

/** net_probe probes one server, by one connection at a time. `remote` gets the address that it is
 * about. */
net_probe_end net_probe(const net_probe_cfg *cfg, peer_probe_result *result, net_address *remote);

#endif
