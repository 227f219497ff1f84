/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a target on files and folders and prints what they reach:
 * reach-NAME [--seek N --seed S --to FOLDER] FILE|FOLDER...
 *
 * One line for each point that must be reached: its name, a tab, the shortest input that reaches
 * it, or nothing. --seek makes N more inputs out of the given ones by the mutator. It shortens
 * inputs that reach something new, and writes them to a folder.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "mutator.h"
#include "points.h"

#define NAME_MAX_LEN 160u

typedef struct input {
  char *path;
  uint8_t *octets;
  size_t len;
} input;

static input *inputs;
static size_t num_inputs;
static const input *by[REACH_NUM]; /* the shortest input that reaches a point */

static void *must(void *memory) {
  if (memory == NULL) {
    fputs("out of memory\n", stderr);
    exit(2);
  }
  return memory;
}

/* Runs one input; `reach` holds the points that it reached. */
static const bool *run(const uint8_t *octets, size_t len) {
  reach = (reach_points){.path = {false}};
  LLVMFuzzerTestOneInput(octets, len);
  return (const bool *)&reach;
}

/* ---- files ---- */

static void add_input(const char *path, const uint8_t *octets, size_t len) {
  inputs = must(realloc(inputs, (num_inputs + 1) * sizeof *inputs));
  input *new = &inputs[num_inputs++];
  *new = (input){.path = must(strdup(path)), .octets = must(malloc(len + 1)), .len = len};
  memcpy(new->octets, octets, len);
}

static bool add_file(const char *path) {
  static uint8_t octets[MUTATOR_INPUT_MAX];
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    return false;
  }
  const size_t len = fread(octets, 1, sizeof octets, file);
  fclose(file);
  add_input(path, octets, len);
  return true;
}

static bool add_folder(const char *path) {
  struct dirent **names = NULL;
  const int n = scandir(path, &names, NULL, alphasort);
  bool ok = n >= 0;
  if (!ok) {
    perror(path);
  }
  for (int i = 0; i < n; i++) {
    char *below = must(malloc(strlen(path) + strlen(names[i]->d_name) + 2));
    sprintf(below, "%s/%s", path, names[i]->d_name);
    ok = (names[i]->d_name[0] == '.' || add_file(below)) && ok;
    free(below);
    free(names[i]);
  }
  free(names);
  return ok;
}

static bool add(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? add_folder(path) : add_file(path);
}

/* ---- replay ---- */

static void replay(void) {
  for (size_t i = 0; i < num_inputs; i++) {
    const bool *hit = run(inputs[i].octets, inputs[i].len);
    for (size_t point = 0; point < REACH_NUM; point++) {
      if (hit[point] && (by[point] == NULL || inputs[i].len < by[point]->len)) {
        by[point] = &inputs[i];
      }
    }
  }
}

/* ---- search ---- */

/* The first point that nothing reached before, or REACH_NUM. */
static size_t new_point(const bool *hit, const bool *known) {
  char name[NAME_MAX_LEN];
  for (size_t point = 0; point < REACH_NUM; point++) {
    if (hit[point] && !known[point] && reach_name(name, sizeof name, point)) {
      return point;
    }
  }
  return REACH_NUM;
}

/* Cuts pieces out of the body as long as the point is reached. */
static size_t shorten(uint8_t *octets, size_t len, size_t point) {
  static uint8_t less[MUTATOR_INPUT_MAX];
  for (size_t piece = len / 2; piece > 0; piece = piece > 8 ? piece / 2 : piece - 1) {
    for (size_t at = 0; len > FUZZ_TAIL && at + piece <= len - FUZZ_TAIL;) {
      memcpy(less, octets, at);
      memcpy(less + at, octets + at + piece, len - at - piece);
      if (run(less, len - piece)[point]) {
        memcpy(octets, less, len - piece);
        len -= piece;
      } else {
        at += piece;
      }
    }
  }
  return len;
}

static void save(const char *folder, size_t point, const uint8_t *octets, size_t len) {
  char name[NAME_MAX_LEN];
  char path[1024];
  (void)reach_name(name, sizeof name, point);
  for (char *c = name; *c != '\0'; c++) {
    *c = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') ? *c
         : *c >= 'A' && *c <= 'Z'                             ? (char)(*c - 'A' + 'a')
                                                              : '-';
  }
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = must(fopen(path, "wb"));
  fwrite(octets, 1, len, file);
  fclose(file);
  fprintf(stderr, "%s\n", path);
}

static void seek(unsigned long n, uint64_t seed, const char *folder) {
  static uint8_t octets[MUTATOR_INPUT_MAX];
  static bool known[REACH_NUM];
  prng p = {.state = seed};
  for (size_t point = 0; point < REACH_NUM; point++) {
    known[point] = by[point] != NULL;
  }
  for (unsigned long i = 0; i < n && num_inputs > 0; i++) {
    const input *a = &inputs[prng_size(&p, num_inputs)];
    const input *b = &inputs[prng_size(&p, num_inputs)];
    size_t len = a->len;
    memcpy(octets, a->octets, len);
    for (uint64_t k = 1 + prng_below(&p, 8); k > 0; k--) {
      len = mutator_mutate(octets, len, sizeof octets, fuzz_target_form, &p,
                           (iwarp_span){b->octets, b->len});
    }
    for (size_t point; (point = new_point(run(octets, len), known)) != REACH_NUM;) {
      static uint8_t copy[MUTATOR_INPUT_MAX];
      memcpy(copy, octets, len);
      const size_t less = shorten(copy, len, point);
      save(folder, point, copy, less);
      add_input("found", copy, less);
      known[point] = true;
    }
  }
}

int main(int argc, char **argv) {
  unsigned long n = 0;
  uint64_t seed = 1;
  const char *folder = ".";
  char name[NAME_MAX_LEN];
  bool ok = true;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--seek") == 0 && i + 1 < argc) {
      n = strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      seed = strtoull(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--to") == 0 && i + 1 < argc) {
      folder = argv[++i];
    } else {
      ok = add(argv[i]) && ok;
    }
  }
  replay();
  for (size_t point = 0; point < REACH_NUM; point++) {
    if (reach_name(name, sizeof name, point)) {
      printf("%s\t%s\n", name, by[point] != NULL ? by[point]->path : "");
    }
  }
  seek(n, seed, folder);
  for (size_t i = 0; i < num_inputs; i++) {
    free(inputs[i].path);
    free(inputs[i].octets);
  }
  free(inputs);
  return ok ? EXIT_SUCCESS : 2;
}
