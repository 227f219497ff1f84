/* SPDX-License-Identifier: BSD-2-Clause */
/* The preference of ports, which Wireshark keeps itself. */
#ifndef DISSECTOR_PORT_PREF_H
#define DISSECTOR_PORT_PREF_H

/* port_pref_update gives those ports back that were named when it was called before, and no longer
 * are. Called after preferences changed. */
void port_pref_update(void);

#endif
