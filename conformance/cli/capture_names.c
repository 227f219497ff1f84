/* SPDX-License-Identifier: BSD-2-Clause */
/* Names captures by the shortest tails of their paths. */
#include "capture_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A path in one writing: no slash at its ends, none twice, no component ".". */
static char *names_plain(const char *path) {
  char *plain = malloc(strlen(path) + 2);
  size_t len = 0;
  if (plain == NULL) {
    return NULL;
  }
  for (const char *at = path; *at != 0;) {
    const size_t n = strcspn(at, "/");
    if (n > 0 && !(n == 1 && at[0] == '.')) {
      if (len > 0) {
        plain[len++] = '/';
      }
      memcpy(plain + len, at, n);
      len += n;
    }
    at += n + strspn(at + n, "/");
  }
  if (len == 0) {
    plain[len++] = '.';
  }
  plain[len] = 0;
  return plain;
}

/* The order of strings that are read from their ends. */
static int names_order(const void *a, const void *b) {
  const char *x = *(char *const *)a;
  const char *y = *(char *const *)b;
  size_t i = strlen(x);
  size_t j = strlen(y);
  while (i > 0 && j > 0 && x[i - 1] == y[j - 1]) {
    i--;
    j--;
  }
  if (i == 0 || j == 0) {
    return (i > 0) - (j > 0);
  }
  return (unsigned char)x[i - 1] < (unsigned char)y[j - 1] ? -1 : 1;
}

/* Where the shortest tail of whole components begins that the other path does not end with; 0 where
 * there is none. */
static size_t names_tail(const char *path, const char *other) {
  size_t i = strlen(path);
  size_t j = strlen(other);
  while (i > 0 && j > 0 && path[i - 1] == other[j - 1]) {
    i--;
    j--;
  }
  if (i == 0 || (j == 0 && path[i - 1] == '/')) { /* the other one is all of a tail */
    i = i > 0 ? i - 1 : 0;
  }
  while (i > 0 && path[i - 1] != '/') {
    i--;
  }
  return i;
}

/* The least of what the neighbours in the order ask for: no other path ends more alike. */
static size_t names_begin(char *const *sorted, size_t num, size_t at) {
  const char *path = sorted[at];
  const char *slash = strrchr(path, '/');
  size_t begin = slash != NULL ? (size_t)(slash - path) + 1 : 0;
  size_t before = at;
  size_t after = at;
  while (before > 0 && strcmp(sorted[before], path) == 0) {
    before--;
  }
  while (after + 1 < num && strcmp(sorted[after], path) == 0) {
    after++;
  }
  const size_t neighbours[] = {before, after};
  for (size_t i = 0; i < 2; i++) {
    const char *other = sorted[neighbours[i]];
    const size_t tail = strcmp(other, path) != 0 ? names_tail(path, other) : begin;
    begin = tail < begin ? tail : begin;
  }
  return begin;
}

static char **names_plain_all(const char *const *paths, size_t num) {
  char **plain = calloc(num + 1, sizeof *plain);
  for (size_t i = 0; plain != NULL && i < num; i++) {
    plain[i] = names_plain(paths[i]);
    if (plain[i] == NULL) {
      capture_names_free(plain, i);
      plain = NULL;
    }
  }
  return plain;
}

char **capture_names_make(const char *const *paths, size_t num) {
  char **plain = names_plain_all(paths, num);
  char **sorted = calloc(num + 1, sizeof *sorted);
  if (plain == NULL || sorted == NULL) {
    capture_names_free(plain, num);
    free(sorted);
    return NULL;
  }
  memcpy(sorted, plain, num * sizeof *sorted);
  qsort(sorted, num, sizeof *sorted, names_order);
  size_t *begin = calloc(num + 1, sizeof *begin);
  for (size_t i = 0; begin != NULL && i < num; i++) {
    begin[i] = names_begin(sorted, num, i);
  }
  for (size_t i = 0; begin != NULL && i < num; i++) { /* shortens the paths where they stand */
    memmove(sorted[i], sorted[i] + begin[i], strlen(sorted[i] + begin[i]) + 1);
  }
  if (begin == NULL) {
    capture_names_free(plain, num);
    plain = NULL;
  }
  free(begin);
  free(sorted);
  return plain;
}

void capture_names_free(char **names, size_t num) {
  for (size_t i = 0; names != NULL && i < num; i++) {
    free(names[i]);
  }
  free(names);
}
