/* SPDX-License-Identifier: BSD-2-Clause */
/* The UDP ports that Wireshark gives to tunnels. */
#ifndef DISSECTOR_TUNNEL_PORTS_H
#define DISSECTOR_TUNNEL_PORTS_H

#include <ingest/encap.h>

/* tunnel_ports_read reads them again: before the first frame, and after the user changed them. */
void tunnel_ports_read(void);

/* tunnel_ports returns those that ingest does not know by itself, or NULL for none. */
ingest_tunnels *tunnel_ports(void);

#endif
