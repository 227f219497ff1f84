/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP ports that -d names as tunnels. */
#ifndef CLI_TUNNELS_H
#define CLI_TUNNELS_H

#include <ingest/encap.h>

#include "opts.h"

/** tunnels_open makes the ports known to all captures that are read from now on. `*tunnels` is NULL
 * where -d names none. False: no memory. Call tunnels_close in either case. */
bool tunnels_open(ingest_tunnels **tunnels, const opts *o);

/** tunnels_close takes that back, after the last capture was closed. */
void tunnels_close(ingest_tunnels *tunnels);

#endif
