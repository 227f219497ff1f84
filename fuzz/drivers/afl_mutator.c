/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AFL++'s custom mutator and post-processor, for AFL_CUSTOM_MUTATOR_LIBRARY. IWARP_FUZZ_FORM names
 * the form of the target's input, which `fuzz-NAME --form` of the stand-alone build prints.
 */
#include <stdlib.h>
#include <string.h>

#include "mutator.h"

typedef struct state {
  prng random;
  fuzz_form form;
  uint8_t made[MUTATOR_INPUT_MAX];
  uint8_t mended[MUTATOR_INPUT_MAX];
} state;

#define EXPORT __attribute__((visibility("default")))

EXPORT void *afl_custom_init(void *afl, unsigned int seed);
EXPORT void afl_custom_deinit(void *data);
EXPORT size_t afl_custom_fuzz(void *data, uint8_t *in, size_t len, uint8_t **out, uint8_t *other,
                              size_t other_len, size_t cap);
EXPORT size_t afl_custom_post_process(void *data, uint8_t *in, size_t len, uint8_t **out);

static fuzz_form form_of(const char *name) {
  static const char *const names[] = {
#define FORM_NAME(name, text) text,
      FUZZ_FORM_MAP(FORM_NAME)
#undef FORM_NAME
  };
  for (size_t i = 0; name != NULL && i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(name, names[i]) == 0) {
      return (fuzz_form)i;
    }
  }
  return FUZZ_FORM_OCTETS;
}

void *afl_custom_init(void *afl, unsigned int seed) {
  state *s = calloc(1, sizeof *s);
  (void)afl;
  if (s != NULL) {
    s->random.state = seed;
    s->form = form_of(getenv("IWARP_FUZZ_FORM"));
  }
  return s;
}

void afl_custom_deinit(void *data) {
  free(data);
}

size_t afl_custom_fuzz(void *data, uint8_t *in, size_t len, uint8_t **out, uint8_t *other,
                       size_t other_len, size_t cap) {
  state *s = data;
  cap = cap < sizeof s->made ? cap : sizeof s->made;
  len = len < cap ? len : cap;
  memcpy(s->made, in, len);
  *out = s->made;
  return mutator_mutate(s->made, len, cap, s->form, &s->random,
                        (iwarp_span){other, other != NULL ? other_len : 0});
}

/* Mends inputs that AFL++'s own mutations broke, too. */
size_t afl_custom_post_process(void *data, uint8_t *in, size_t len, uint8_t **out) {
  state *s = data;
  len = len < sizeof s->mended ? len : sizeof s->mended;
  memcpy(s->mended, in, len);
  mutator_mend(s->mended, len, s->form);
  *out = s->mended;
  return len;
}
