/* SPDX-License-Identifier: BSD-2-Clause */
/* Removes temporary files in handlers of signals. */
#define _POSIX_C_SOURCE 200809L

#include "output_cleanup.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static const int cleanup_signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
#define CLEANUP_SIGNALS (sizeof cleanup_signals / sizeof cleanup_signals[0])

/* Changed only while these signals are blocked. */
static output_cleanup *volatile cleanup_first;

void output_cleanup_now(void) {
  const int error = errno;
  for (const output_cleanup *file = cleanup_first; file != NULL; file = file->next) {
    (void)unlinkat(file->folder, file->name, 0);
  }
  errno = error;
}

/* SA_RESETHAND has restored the default action, which ends the program after the return. */
static void cleanup_signal(int number) {
  output_cleanup_now();
  (void)raise(number);
}

static void cleanup_block(sigset_t *before) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < CLEANUP_SIGNALS; i++) {
    sigaddset(&set, cleanup_signals[i]);
  }
  (void)pthread_sigmask(SIG_BLOCK, &set, before);
}

static void cleanup_install(void) {
  struct sigaction action = {.sa_handler = cleanup_signal, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < CLEANUP_SIGNALS; i++) {
    struct sigaction now;
    if (sigaction(cleanup_signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
      (void)sigaction(cleanup_signals[i], &action, NULL);
    }
  }
}

void output_cleanup_note(output_cleanup *file) {
  sigset_t before;
  cleanup_block(&before);
  file->next = cleanup_first;
  cleanup_first = file;
  cleanup_install();
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void output_cleanup_forget(output_cleanup *file) {
  sigset_t before;
  cleanup_block(&before);
  output_cleanup *prev = NULL;
  output_cleanup *at = cleanup_first;
  while (at != NULL && at != file) {
    prev = at;
    at = at->next;
  }
  if (at != NULL && prev != NULL) {
    prev->next = at->next;
  } else if (at != NULL) {
    cleanup_first = at->next;
  }
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}
