/* SPDX-License-Identifier: BSD-2-Clause */
/* Linked into programs that are built for coverage: of their threads one alone runs at a time. */

#include <pthread.h>
#include <semaphore.h>

/*
 * Counters of coverage that threads may change at the same time cost four times as much as plain
 * ones. The linker puts these functions in place of those by which a thread starts another one or
 * waits (--wrap). A thread has the turn while it runs and gives it back while it waits.
 */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                          void *arg);
int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result);
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* What a new thread copies before its creator goes on. */
typedef struct turns_start {
  void *(*run)(void *);
  void *arg;
  sem_t copied;
} turns_start;

static void turns_take(void) {
  (void)__real_pthread_mutex_lock(&turn);
}

static void turns_give(void) {
  (void)pthread_mutex_unlock(&turn);
}

__attribute__((constructor)) static void turns_begin(void) {
  turns_take();
}

static void *turns_run(void *arg) {
  turns_start *start = arg;
  void *(*const run)(void *) = start->run;
  void *const run_arg = start->arg;
  (void)sem_post(&start->copied);
  turns_take();
  void *result = run(run_arg);
  turns_give();
  return result;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                          void *arg) {
  turns_start start = {.run = run, .arg = arg};
  (void)sem_init(&start.copied, 0, 0);
  const int error = __real_pthread_create(thread, attr, turns_run, &start);
  while (error == 0 && sem_wait(&start.copied) != 0) {
  }
  (void)sem_destroy(&start.copied);
  return error;
}

int __wrap_pthread_join(pthread_t thread, void **result) {
  turns_give();
  const int error = __real_pthread_join(thread, result);
  turns_take();
  return error;
}

/* Whoever has the mutex may need the turn to go on. */
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex) {
  turns_give();
  const int error = __real_pthread_mutex_lock(mutex);
  turns_take();
  return error;
}

int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  turns_give();
  const int error = __real_pthread_cond_wait(cond, mutex);
  turns_take();
  return error;
}
