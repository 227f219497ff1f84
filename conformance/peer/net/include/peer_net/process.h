/* SPDX-License-Identifier: BSD-2-Clause */
/* Commands of the user, each in a process group of its own. */
#ifndef PEER_NET_PROCESS_H
#define PEER_NET_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/** The status of a command that does not support what it was asked for, as shells have it for a
 * command that does not exist. */
#define NET_PROCESS_UNSUPPORTED 127

/** net_process is a command that was started. */
typedef struct net_process {
  long id;     /* id of the process and its group; 0: no process runs */
  int gone_fd; /* readable when the process and its children have ended; -1: none */
  int status;  /* status of a process that has ended: as shells count, 128 and more for a signal */
} net_process;

#define NET_PROCESS_NONE ((net_process){.gone_fd = -1})

/** net_process_start starts a text for /bin/sh. Its standard output is this process's standard
 * error. It returns 0, or an errno value. */
int net_process_start(net_process *p, const char *command);

/** net_process_ended returns true if no process runs; `status` is set if one ran. */
bool net_process_ended(net_process *p);

/** net_process_wait waits for the end until `deadline_ns`, or until `stop_fd` can be read (-1:
 * none). False: it still runs. */
bool net_process_wait(net_process *p, uint64_t deadline_ns, int stop_fd);

/** net_process_end ends the process and its group: by SIGTERM, and a little later by SIGKILL. */
void net_process_end(net_process *p);

/** net_process_text makes the text of a command: `{addr}`, `{port}` and `{case}` in `command` stand
 * for these words. The caller frees it; NULL: no memory. */
char *net_process_text(const char *command, const char *addr, const char *port, const char *name);

#endif
