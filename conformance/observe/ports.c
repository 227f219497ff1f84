/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of TCP ports. */
#include <observe/ports.h>

void observe_ports_add(uint8_t ports[OBSERVE_PORTS_SIZE], uint16_t port) {
  ports[port / 8] |= (uint8_t)(1u << (port % 8));
}

bool observe_ports_has(const uint8_t ports[OBSERVE_PORTS_SIZE], uint16_t port) {
  return (ports[port / 8] >> (port % 8) & 1u) != 0;
}
