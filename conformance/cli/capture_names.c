/* SPDX-License-Identifier: BSD-2-Clause */
/* Names captures by the shortest tails of their paths. */
#include "capture_names.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>
#include <report/utf8.h>

#define UTF8_MAX 4u /* octets of one character */

/* A path in one writing: no slash at its ends, none twice, no component ".". */
static char *names_plain(const char *path) {
  char *plain = memory_get(strlen(path) + 2);
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

/* Offset of the shortest tail of whole components that the other path does not end with; 0 if every
 * tail is shared. */
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
  char **plain = memory_zeroed(num + 1, sizeof *plain);
  for (size_t i = 0; plain != NULL && i < num; i++) {
    plain[i] = names_plain(paths[i]);
    if (plain[i] == NULL) {
      capture_names_free(plain, i);
      plain = NULL;
    }
  }
  return plain;
}

/* ---- what output would show alike ---- */

/* Octets that the character at the front of a text may have. */
static size_t names_left(const char *text) {
  size_t len = 0;
  while (len < UTF8_MAX && text[len] != 0) {
    len++;
  }
  return len;
}

/* The next character as output shows it, and moves after it: what it cannot show is a '?'. */
static uint32_t names_seen(const char **at) {
  const size_t len = report_plain_len(*at, names_left(*at));
  uint32_t seen = 0;
  for (size_t i = 0; i < len; i++) {
    seen = seen << 8 | (unsigned char)(*at)[i];
  }
  *at += len > 0 ? len : 1;
  return len > 0 ? seen : '?';
}

/* The order of names as output shows them. */
static int names_seen_order(const void *a, const void *b) {
  const char *x = *(char *const *)a;
  const char *y = *(char *const *)b;
  while (*x != 0 && *y != 0) {
    const uint32_t p = names_seen(&x);
    const uint32_t q = names_seen(&y);
    if (p != q) {
      return p < q ? -1 : 1;
    }
  }
  return (*x != 0) - (*y != 0);
}

/* Returns true if two names differ but look the same; puts them in another order. */
static bool names_confused(char **names, size_t num) {
  qsort(names, num, sizeof *names, names_seen_order);
  for (size_t i = 1; i < num; i++) {
    if (names_seen_order(&names[i - 1], &names[i]) == 0 && strcmp(names[i - 1], names[i]) != 0) {
      return true;
    }
  }
  return false;
}

/* The name with \xHH for each octet that output cannot show, and for the backslash; NULL: no
 * memory.
 */
static char *names_escaped(const char *name) {
  static const char digits[] = "0123456789abcdef";
  char *out = memory_get(strlen(name) * UTF8_MAX + 1);
  size_t len = 0;
  while (out != NULL && *name != 0) {
    const size_t n = *name == '\\' ? 0 : report_plain_len(name, names_left(name));
    if (n > 0) {
      memcpy(out + len, name, n);
    } else {
      const unsigned char octet = (unsigned char)*name;
      memcpy(out + len, (char[]){'\\', 'x', digits[octet >> 4], digits[octet & 15]}, 4);
    }
    len += n > 0 ? n : 4;
    name += n > 0 ? n : 1;
  }
  if (out != NULL) {
    out[len] = 0;
  }
  return out;
}

/* False: no memory. */
static bool names_escape(char **names, size_t num) {
  for (size_t i = 0; i < num; i++) {
    char *escaped = names_escaped(names[i]);
    if (escaped == NULL) {
      return false;
    }
    free(names[i]);
    names[i] = escaped;
  }
  return true;
}

char **capture_names_make(const char *const *paths, size_t num) {
  char **plain = names_plain_all(paths, num);
  char **sorted = memory_zeroed(num + 1, sizeof *sorted);
  if (plain == NULL || sorted == NULL) {
    capture_names_free(plain, num);
    free(sorted);
    return NULL;
  }
  memcpy(sorted, plain, num * sizeof *sorted);
  qsort(sorted, num, sizeof *sorted, names_order);
  size_t *begin = memory_zeroed(num + 1, sizeof *begin);
  for (size_t i = 0; begin != NULL && i < num; i++) {
    begin[i] = names_begin(sorted, num, i);
  }
  for (size_t i = 0; begin != NULL && i < num; i++) { /* shortens the paths where they stand */
    memmove(sorted[i], sorted[i] + begin[i], strlen(sorted[i] + begin[i]) + 1);
  }
  if (begin == NULL || (names_confused(sorted, num) && !names_escape(plain, num))) {
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
