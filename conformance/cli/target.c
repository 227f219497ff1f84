/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the addresses of a server. */
#define _POSIX_C_SOURCE 200809L

#include "target.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "diag.h"

static net_addresses target_found;
static bool target_listens;

bool target_folder(const opts *o) {
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
  return true;
}

const net_addresses *target_addresses(void) {
  return &target_found;
}

const char *target_filter(void) {
  static char text[32 + NET_ADDRESSES_MAX * (NET_ADDRESS_TEXT + 10u)];
  const uint16_t port = target_found.num > 0 ? net_address_port(&target_found.list[0]) : 0;
  size_t len = (size_t)snprintf(text, sizeof text, "tcp port %u", port);
  for (size_t i = 0; !target_listens && i < target_found.num; i++) {
    char host[NET_ADDRESS_TEXT];
    net_address_host(&target_found.list[i], host);
    len += (size_t)snprintf(text + len, sizeof text - len, "%s host %s", i == 0 ? " and (" : " or",
                            host);
  }
  if (!target_listens) {
    (void)snprintf(text + len, sizeof text - len, ")");
  }
  return port != 0 ? text : NULL;
}

uint16_t target_port(void) {
  return target_found.num > 0 && !target_listens ? net_address_port(&target_found.list[0]) : 0;
}
