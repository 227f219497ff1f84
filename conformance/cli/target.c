/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the addresses of a server. */
#define _POSIX_C_SOURCE 200809L

#include "target.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "diag.h"

static net_addresses target_found;
static bool target_listens;

/* A folder for captures that is not there is made. */
static bool target_folder(const opts *o) {
  if (o->keep != NULL && mkdir(o->keep, 0777) != 0 && errno != EEXIST) {
    diag("-w %s: %s", o->keep, strerror(errno));
    return false;
  }
  return true;
}

bool target_open(const opts *o) {
  char error[NET_ERROR_CAP] = "";
  const bool peer = o->command == COMMAND_PEER && !o->list;
  if (o->command != COMMAND_PROBE && !peer) {
    return true;
  }
  target_listens = peer && strcmp(o->operands[0], "listen") == 0;
  if (!net_resolve(o->operands[peer ? 1 : 0], target_listens, &target_found, error)) {
    diag("%s", error);
    return false;
  }
  return target_folder(o);
}

const net_addresses *target_addresses(void) {
  return &target_found;
}

uint16_t target_port(void) {
  return target_found.num > 0 && !target_listens ? net_address_port(&target_found.list[0]) : 0;
}
