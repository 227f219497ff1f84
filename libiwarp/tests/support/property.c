/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeds and rounds of property programs. */
#define _GNU_SOURCE
#include "property.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PROPERTY_SLOTS 512u
#define PROPERTY_NAME 48u

/* Check runs each test in a process of its own: this lies in memory that its parent reads. */
typedef struct property_slot {
  char test[PROPERTY_NAME];
  uint64_t seed;
  bool done;
} property_slot;

typedef struct property_shared {
  size_t num;
  property_slot slots[PROPERTY_SLOTS];
} property_shared;

static property_shared *shared;

/* The number in a variable; false: it is not set. What is no number ends the program. */
static bool from_environment(const char *name, uint64_t *value) {
  const char *text = getenv(name);
  if (text == NULL || *text == '\0') {
    return false;
  }
  char *end = NULL;
  errno = 0;
  *value = strtoull(text, &end, 10);
  if (errno != 0 || *end != '\0' || *text < '0' || *text > '9') {
    fprintf(stderr, "%s: \"%s\" is no number\n", name, text);
    exit(2);
  }
  return true;
}

uint64_t property_times(void) {
  uint64_t times = 1;
  return from_environment("IWARP_PROPERTY_TIMES", &times) && times > 0 ? times : 1;
}

bool property_single(void) {
  uint64_t ignored;
  return from_environment("IWARP_PROPERTY_SEED", &ignored) &&
         !from_environment("IWARP_PROPERTY_TIMES", &ignored);
}

uint64_t property_sample(void) {
  static uint64_t sample; /* loops ask for it each time */
  if (sample == 0 && !from_environment("IWARP_PROPERTY_SAMPLE", &sample)) {
    sample = 1;
  }
  return sample > 0 ? sample : 1;
}

uint32_t property_stride(void) {
  return (uint32_t)property_sample() | 1u;
}

bool property_few(void) {
  return property_single() || property_sample() > property_times();
}

void property_announce(const char *program) {
  uint64_t seed = 0;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    abort();
  }
  bool given = from_environment("IWARP_PROPERTY_SEED", &seed);
  if (property_single()) {
    printf("property.%s: seed %" PRIu64 ", one round of each test\n", program, seed);
  } else {
    printf("property.%s: seed %" PRIu64 "%s, %" PRIu64 "/%" PRIu64 " of the rounds of the gate\n",
           program, seed, given ? "" : " (the gate's)", property_times(), property_sample());
  }
  fflush(stdout);
}

void property_report(void) {
  for (size_t i = 0; i < shared->num && i < PROPERTY_SLOTS; i++) {
    if (!shared->slots[i].done) {
      printf("%s stopped at seed %" PRIu64 "; IWARP_PROPERTY_SEED=%" PRIu64 " repeats it\n",
             shared->slots[i].test, shared->slots[i].seed, shared->slots[i].seed);
    }
  }
}

property property_begin(const char *test, uint64_t first, uint64_t rounds) {
  property p = {.seed = first, .slot = shared->num};
  uint64_t given = 0;
  if (from_environment("IWARP_PROPERTY_SEED", &given)) {
    p.seed = property_single() ? given : given + first;
  }
  const uint64_t sample = property_sample();
  p.left = property_single() ? 1 : (rounds * property_times() + sample - 1) / sample;
  if (p.slot >= PROPERTY_SLOTS) {
    fprintf(stderr, "more than %u tests\n", PROPERTY_SLOTS);
    abort();
  }
  shared->num++;
  strncpy(shared->slots[p.slot].test, test, PROPERTY_NAME - 1);
  printf("%s: %" PRIu64 " rounds, seeds from %" PRIu64 "\n", test, p.left, p.seed);
  fflush(stdout);
  return p;
}

bool property_next(property *p) {
  if (p->left == 0) {
    shared->slots[p->slot].done = true;
    return false;
  }
  p->left--;
  p->seed += p->started ? 1 : 0;
  p->started = true;
  shared->slots[p->slot].seed = p->seed;
  return true;
}
