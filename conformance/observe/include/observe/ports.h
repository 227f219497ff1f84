/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of TCP ports: one bit each. */
#ifndef OBSERVE_PORTS_H
#define OBSERVE_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#define OBSERVE_PORTS_SIZE (65536u / 8u) /* bytes of a set */

/** observe_ports_add puts a port into a set, which begins as zeros. */
void observe_ports_add(uint8_t ports[OBSERVE_PORTS_SIZE], uint16_t port);

/** observe_ports_has says whether a port is in a set. */
bool observe_ports_has(const uint8_t ports[OBSERVE_PORTS_SIZE], uint16_t port);

#endif
