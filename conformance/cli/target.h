/* SPDX-License-Identifier: BSD-2-Clause */
/* The server that a command line names. */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include <stdbool.h>

#include <peer_net/address.h>

#include "opts.h"

/** target_open finds the addresses of the command's server, before the process confines itself: the
 * C library reads files and asks servers for that. False: a message says why. */
bool target_open(const opts *o);

/** target_addresses returns them. */
const net_addresses *target_addresses(void);

/** target_folder makes the folder of -w where it is not there. False: a message says why. */
bool target_folder(const opts *o);

/** target_filter returns the filter for the packets of the command's connections; NULL: the system
 * chooses the port, so it is not known yet. */
const char *target_filter(void);

/** target_port returns the port to which the command connects; 0: none. */
uint16_t target_port(void);

#endif
