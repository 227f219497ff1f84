/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns signals into the end of reading. */
#define _POSIX_C_SOURCE 200809L

#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include <confine/confine.h>
#include <ingest/pcap_src.h>

#include "output_cleanup.h"

#define INTERRUPT_STATUS 128 /* plus the number of the signal, as shells count */

static const int interrupt_signals[] = {SIGINT, SIGTERM};

static volatile sig_atomic_t interrupt_seen;

/* Readers wait for the first end too, so that no signal can come between a look and a wait. */
static int interrupt_pipe[2] = {-1, -1};

static void interrupt_signal(int number) {
  const int error = errno;
  if (interrupt_seen != 0) {
    output_cleanup_now();
    _exit(INTERRUPT_STATUS + number);
  }
  interrupt_seen = 1;
  while (write(interrupt_pipe[1], "", 1) < 0 && errno == EINTR) {
  }
  errno = error;
}

/* SA_RESTART lets calls of writers continue, so that outputs are written whole. This handler takes
 * the place of the one that removes temporary files. */
static void interrupt_install(void) {
  struct sigaction action = {.sa_handler = interrupt_signal, .sa_flags = SA_RESTART};
  const size_t num = sizeof interrupt_signals / sizeof interrupt_signals[0];
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < num; i++) {
    sigaddset(&action.sa_mask, interrupt_signals[i]);
  }
  for (size_t i = 0; i < num; i++) {
    struct sigaction now;
    if (sigaction(interrupt_signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
      (void)sigaction(interrupt_signals[i], &action, NULL);
    }
  }
}

/* A standard stream that is closed stays so: an end of the pipe is never taken for it. */
void interrupt_prepare(void) {
  int ends[2];
  if (pipe(ends) != 0) {
    return; /* signals end the program */
  }
  for (size_t i = 0; i < 2; i++) {
    interrupt_pipe[i] = confine_move_up(ends[i]);
    (void)fcntl(interrupt_pipe[i], F_SETFD, FD_CLOEXEC);
  }
}

void interrupt_begin(void) {
  if (interrupt_pipe[0] >= 0 && interrupt_pipe[1] >= 0) {
    pcap_src_stop_by(interrupt_pipe[0]);
    interrupt_install();
  }
}

int interrupt_fd(void) {
  return interrupt_pipe[0];
}

void interrupt_done(void) {
  pcap_src_stop_by(-1);
}
