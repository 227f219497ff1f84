/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a target on files and on all files of folders, without an engine:
 * fuzz-NAME [--form] [--portable-crc] [--random N] [--seconds N] [--seed S]
 *           [--keep FILE] [FILE|FOLDER...]
 *
 * --form prints how the mutator walks an input. --portable-crc lets the library compute CRCs as a
 * machine without an instruction for them does. --random makes N more inputs out of those given by
 * the mutator, the same ones each time; --seconds as many as so much processor time allows.
 * --keep writes each of these to FILE before it runs, so that the last one is there.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "fuzz.h"
#include "mutator.h"
#include "portable.h"

typedef struct input {
  uint8_t *octets;
  size_t len;
} input;

typedef struct inputs {
  input *all;
  size_t num;
  size_t cap;
} inputs;

static void *must(void *memory) {
  if (memory == NULL) {
    fputs("out of memory\n", stderr);
    exit(2);
  }
  return memory;
}

static bool add_file(inputs *in, const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    return false;
  }
  input new = {.octets = must(malloc(MUTATOR_INPUT_MAX))};
  new.len = fread(new.octets, 1, MUTATOR_INPUT_MAX, file);
  fclose(file);
  new.octets = must(realloc(new.octets, new.len + 1));
  if (in->num == in->cap) {
    in->cap = 2 * in->cap + 64;
    in->all = must(realloc(in->all, in->cap * sizeof *in->all));
  }
  in->all[in->num++] = new;
  LLVMFuzzerTestOneInput(new.octets, new.len);
  return true;
}

static bool add(inputs *in, const char *path);

static bool add_folder(inputs *in, const char *path) {
  struct dirent **names = NULL;
  const int n = scandir(path, &names, NULL, alphasort);
  bool ok = n >= 0;
  if (!ok) {
    perror(path);
  }
  for (int i = 0; i < n; i++) {
    char *below = must(malloc(strlen(path) + strlen(names[i]->d_name) + 2));
    sprintf(below, "%s/%s", path, names[i]->d_name);
    ok = (names[i]->d_name[0] == '.' || add(in, below)) && ok;
    free(below);
    free(names[i]);
  }
  free(names);
  return ok;
}

static bool add(inputs *in, const char *path) {
  struct stat st;
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
    return add_folder(in, path);
  }
  return add_file(in, path);
}

static void write_file(const char *path, const uint8_t *octets, size_t len) {
  FILE *file = must(fopen(path, "wb"));
  (void)fwrite(octets, 1, len, file);
  fclose(file);
}

static const char *kept; /* file that each input made is written to; may be NULL */

/* Runs one input made of the given ones. */
static void run_one(const inputs *in, uint8_t *octets, prng *p) {
  static const input empty = {0};
  const input *a = in->num > 0 ? &in->all[prng_size(p, in->num)] : &empty;
  const input *b = in->num > 0 ? &in->all[prng_size(p, in->num)] : &empty;
  size_t len = a->len;
  if (len > 0) {
    memcpy(octets, a->octets, len);
  }
  for (uint64_t k = 1 + prng_below(p, 4); k > 0; k--) {
    len = mutator_mutate(octets, len, MUTATOR_INPUT_MAX, fuzz_target_form, p,
                         (iwarp_span){b->octets, b->len});
  }
  if (kept != NULL) {
    write_file(kept, octets, len);
  }
  LLVMFuzzerTestOneInput(octets, len);
}

/* Runs `n` inputs, and more for so many seconds of the processor; returns the number of runs. */
static unsigned long run_random(const inputs *in, unsigned long n, clock_t seconds, uint64_t seed) {
  uint8_t *octets = must(malloc(MUTATOR_INPUT_MAX));
  prng p = {.state = seed};
  const clock_t end = clock() + seconds * CLOCKS_PER_SEC;
  unsigned long i = 0;
  while (i < n || (seconds > 0 && clock() < end)) {
    run_one(in, octets, &p);
    i++;
  }
  free(octets);
  return i;
}

static const char *form_name(void) {
  static const char *const names[] = {
#define FORM_NAME(name, text) text,
      FUZZ_FORM_MAP(FORM_NAME)
#undef FORM_NAME
  };
  return names[fuzz_target_form];
}

int main(int argc, char **argv) {
  inputs in = {0};
  unsigned long random = 0;
  clock_t seconds = 0;
  uint64_t seed = 1;
  bool ok = true;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--form") == 0) {
      puts(form_name());
    } else if (strcmp(argv[i], "--portable-crc") == 0) {
      portable_crc();
    } else if (strcmp(argv[i], "--random") == 0 && i + 1 < argc) {
      random = strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
      seconds = (clock_t)strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--keep") == 0 && i + 1 < argc) {
      kept = argv[++i];
    } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      seed = strtoull(argv[++i], NULL, 10);
    } else {
      ok = add(&in, argv[i]) && ok;
    }
  }
  if (seconds > 0) {
    printf("seed %" PRIu64 "\n", seed);
    fflush(stdout);
  }
  random = run_random(&in, random, seconds, seed);
  printf("%zu inputs, %lu random ones\n", in.num, random);
  for (size_t i = 0; i < in.num; i++) {
    free(in.all[i].octets);
  }
  free(in.all);
  return ok ? EXIT_SUCCESS : 2;
}
