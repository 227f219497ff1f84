/* SPDX-License-Identifier: BSD-2-Clause */
/* Commands of the user, which WASI cannot start. */
#include <peer_net/process.h>

#include <errno.h>

int net_process_start(net_process *p, const char *command) {
  (void)command;
  *p = NET_PROCESS_NONE;
  return ENOSYS;
}

bool net_process_ended(net_process *p) {
  (void)p;
  return true;
}

bool net_process_wait(net_process *p, uint64_t deadline_ns, int stop_fd) {
  (void)deadline_ns;
  (void)stop_fd;
  return net_process_ended(p);
}

void net_process_end(net_process *p) {
  (void)p;
}
