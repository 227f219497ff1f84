/* SPDX-License-Identifier: BSD-2-Clause */
/* POSIX threads where there is one thread: locks are free, and no thread can be started. */
#ifndef PLATFORM_WASI_PTHREAD_H
#define PLATFORM_WASI_PTHREAD_H

#include <errno.h>
#include <signal.h>

typedef int pthread_mutex_t;
typedef int pthread_cond_t;
typedef int pthread_t;

static inline int pthread_mutex_init(pthread_mutex_t *m, const void *attributes) {
  (void)attributes;
  *m = 0;
  return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *m) {
  (void)m;
  return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *m) {
  (void)m;
  return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *m) {
  (void)m;
  return 0;
}

static inline int pthread_cond_init(pthread_cond_t *c, const void *attributes) {
  (void)attributes;
  *c = 0;
  return 0;
}

static inline int pthread_cond_destroy(pthread_cond_t *c) {
  (void)c;
  return 0;
}

static inline int pthread_cond_signal(pthread_cond_t *c) {
  (void)c;
  return 0;
}

/* No other thread could end the wait. */
static inline int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  (void)c;
  (void)m;
  __builtin_trap();
}

/* --jobs answers EAGAIN by one job. */
static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*run)(void *),
                                 void *ctx) {
  (void)attributes;
  (void)run;
  (void)ctx;
  *thread = 0;
  return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result) {
  (void)thread;
  (void)result;
  return EINVAL;
}

static inline int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
  (void)how;
  (void)set;
  (void)before;
  return 0;
}

#endif
