/* SPDX-License-Identifier: BSD-2-Clause */
/* The UDP ports that Wireshark gives to tunnels. */
#ifndef DISSECTOR_TUNNEL_PORTS_H
#define DISSECTOR_TUNNEL_PORTS_H

#include <ingest/encap.h>

/* tunnel_ports_read reads the ports from Wireshark. Call it before the first frame of each run. */
void tunnel_ports_read(void);

/* tunnel_ports returns the ports that ingest does not know by itself. NULL: there is no such port.
 */
ingest_tunnels *tunnel_ports(void);

#endif
