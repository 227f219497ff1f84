/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts and ends commands. */
#define _GNU_SOURCE /* pipe2 */

#include <peer_net/process.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <peer_net/conn.h>

#define PROCESS_GRACE_NS UINT64_C(500000000) /* time from SIGTERM to SIGKILL */
#define PROCESS_TICK_NS UINT64_C(10000000)

extern char **environ;

/* ---- starting ---- */

static int process_attributes(posix_spawnattr_t *attributes) {
  sigset_t all;
  sigset_t none;
  sigfillset(&all);
  sigemptyset(&none);
  int error = posix_spawnattr_setpgroup(attributes, 0);
  error = error != 0 ? error : posix_spawnattr_setsigdefault(attributes, &all);
  error = error != 0 ? error : posix_spawnattr_setsigmask(attributes, &none);
  return error != 0
             ? error
             : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                        POSIX_SPAWN_SETSIGMASK);
}

/* The end of a pipe that all processes of the command keep open is not closed in them. */
static int process_files(posix_spawn_file_actions_t *files, int kept) {
  int error = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  error =
      error != 0 ? error : posix_spawn_file_actions_adddup2(files, STDERR_FILENO, STDOUT_FILENO);
  return error != 0 ? error : posix_spawn_file_actions_adddup2(files, kept, kept);
}

static int process_spawn(pid_t *id, const char *command, int kept) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  char *const words[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
                         (char *)(uintptr_t)command, NULL};
  int error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    return error;
  }
  error = posix_spawn_file_actions_init(&files);
  if (error == 0) {
    error = process_attributes(&attributes);
    error = error != 0 ? error : process_files(&files, kept);
    error = error != 0 ? error : posix_spawn(id, "/bin/sh", &files, &attributes, words, environ);
    (void)posix_spawn_file_actions_destroy(&files);
  }
  (void)posix_spawnattr_destroy(&attributes);
  return error;
}

int net_process_start(net_process *p, const char *command) {
  int ends[2];
  pid_t id = 0;
  *p = NET_PROCESS_NONE;
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return errno;
  }
  const int error = process_spawn(&id, command, ends[1]);
  (void)close(ends[1]);
  if (error != 0) {
    (void)close(ends[0]);
    return error;
  }
  p->id = id;
  p->gone_fd = ends[0];
  return 0;
}

/* ---- ending ---- */

static void process_take(net_process *p, int status) {
  p->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  p->id = 0;
  (void)close(p->gone_fd);
  p->gone_fd = -1;
}

bool net_process_ended(net_process *p) {
  int status = 0;
  if (p->id > 0 && waitpid((pid_t)p->id, &status, WNOHANG) == p->id) {
    process_take(p, status);
  }
  return p->id == 0;
}

bool net_process_wait(net_process *p, uint64_t deadline_ns, int stop_fd) {
  while (!net_process_ended(p) && net_now() < deadline_ns) {
    const uint64_t now_ns = net_now();
    const uint64_t left = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
    struct pollfd stop = {.fd = stop_fd, .events = POLLIN};
    if (poll(&stop, 1, left < PROCESS_TICK_NS ? 1 : (int)(PROCESS_TICK_NS / 1000000)) > 0) {
      break;
    }
  }
  return p->id == 0;
}

void net_process_end(net_process *p) {
  int status = 0;
  if (net_process_ended(p)) {
    return;
  }
  (void)kill((pid_t)-p->id, SIGTERM);
  if (net_process_wait(p, net_now() + PROCESS_GRACE_NS, -1)) {
    return;
  }
  (void)kill((pid_t)-p->id, SIGKILL);
  while (waitpid((pid_t)p->id, &status, 0) < 0 && errno == EINTR) {
  }
  process_take(p, status);
}
