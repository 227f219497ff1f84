/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice of the TCP payload that Wireshark hands to the protocol. */
#ifndef DISSECTOR_TAKEOVER_H
#define DISSECTOR_TAKEOVER_H

#include "conns.h"

/* takeover_handoff registers the ways to the dissector: by heuristic, port and Decode As. */
void takeover_handoff(void);

/* takeover_ports returns the set of ports that the user gave to iWARP, or NULL for none; valid
 * until the next call. */
const uint8_t *takeover_ports(void);

/* takeover_conn makes Wireshark hand the octets of a connection to the protocol from a frame on. */
void takeover_conn(conn *c, guint32 frame);

/* takeover_one_sided keeps Wireshark from adding up the octets in flight of a connection of which
 * only this direction is in the capture: no acknowledgment ever lets them become fewer. */
void takeover_one_sided(packet_info *pinfo, const conn *c);

/* takeover_wanted says whether the protocol may show a frame that no one handed to it. */
bool takeover_wanted(const conn *c);

#endif
