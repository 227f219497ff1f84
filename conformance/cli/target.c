/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the addresses of a server. */
#include "target.h"

#include "diag.h"

static net_addresses target_found;

bool target_open(const opts *o) {
  char error[NET_ERROR_CAP] = "";
  if (o->command != COMMAND_PROBE) {
    return true;
  }
  if (!net_resolve(o->operands[0], false, &target_found, error)) {
    diag("%s", error);
    return false;
  }
  return true;
}

const net_addresses *target_addresses(void) {
  return &target_found;
}

uint16_t target_port(void) {
  return target_found.num > 0 ? net_address_port(&target_found.list[0]) : 0;
}
