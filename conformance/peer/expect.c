/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads baselines of cases, and compares results with them. */
#include <peer/expect.h>

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

typedef struct peer_expect_row {
  const char *name;
  size_t name_len;
  peer_verdict verdict;
  const char *seen;
  size_t seen_len;
  bool any_seen;
  bool profile;
} peer_expect_row;

/* The next word of a line. */
static const char *expect_word(const char **at, const char *end, size_t *len) {
  const char *word = *at;
  while (word < end && *word == ' ') {
    word++;
  }
  const char *after = word;
  while (after < end && *after != ' ') {
    after++;
  }
  *len = (size_t)(after - word);
  *at = after;
  return word;
}

static bool expect_verdict(const char *word, size_t len, peer_verdict *out) {
  char name[16] = "";
  if (len >= sizeof name) {
    return false;
  }
  memcpy(name, word, len);
  return peer_verdict_find(name, out) && *out != PEER_PASS;
}

static bool expect_line(peer_expect_row *row, const char *at, const char *end) {
  size_t len = 0;
  row->name = expect_word(&at, end, &row->name_len);
  const char *word = expect_word(&at, end, &len);
  if (row->name_len == 0 || !expect_verdict(word, len, &row->verdict)) {
    return false;
  }
  row->seen = expect_word(&at, end, &len);
  row->seen_len = (size_t)(end - row->seen);
  row->any_seen = row->seen_len == 0 || (row->seen_len == 1 && *row->seen == '*');
  if (row->seen_len == 1 && *row->seen == '-') {
    row->seen_len = 0;
  }
  return true;
}

static bool expect_add(peer_expect *expect, const peer_expect_row *row) {
  if (expect->num == expect->cap) {
    const size_t cap = expect->cap > 0 ? 2 * expect->cap : 32;
    peer_expect_row *grown = memory_resize(expect->rows, cap * sizeof *grown);
    if (grown == NULL) {
      return false;
    }
    expect->rows = grown;
    expect->cap = cap;
  }
  expect->rows[expect->num++] = *row;
  return true;
}

size_t peer_expect_read(peer_expect *expect, const char *text, size_t len, bool profile) {
  const char *end = text + len;
  size_t number = 0;
  for (const char *at = text; at < end;) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    const char *line_end = stop != NULL ? stop : end;
    const char *trimmed = line_end;
    peer_expect_row row = {.profile = profile};
    number++;
    while (trimmed > at && (trimmed[-1] == ' ' || trimmed[-1] == '\r')) {
      trimmed--;
    }
    if (trimmed > at && *at != '#' &&
        (!expect_line(&row, at, trimmed) || !expect_add(expect, &row))) {
      return number;
    }
    at = stop != NULL ? stop + 1 : end;
  }
  return 0;
}

static bool expect_is(const peer_expect_row *row, const char *name) {
  return strlen(name) == row->name_len && memcmp(name, row->name, row->name_len) == 0;
}

static bool expect_same(const peer_expect_row *row, const peer_result *result) {
  return result->verdict == row->verdict &&
         (row->any_seen || (strlen(result->seen) == row->seen_len &&
                            memcmp(result->seen, row->seen, row->seen_len) == 0));
}

static peer_known expect_row(const peer_expect_row *row, const peer_result *result) {
  if (result->verdict == PEER_PASS) {
    return row->profile ? PEER_KNOWN_NONE : PEER_KNOWN_XPASS;
  }
  if (expect_same(row, result)) {
    return PEER_KNOWN_XFAIL;
  }
  const bool open = result->verdict == PEER_SKIPPED || result->verdict == PEER_UNDECIDED ||
                    result->verdict == PEER_ALLOWED;
  return row->profile || open ? PEER_KNOWN_NONE : PEER_KNOWN_CHANGED;
}

peer_known peer_expect_compare(const peer_expect *expect, const char *name,
                               const peer_result *result) {
  const peer_expect_row *found = NULL;
  for (size_t i = 0; i < expect->num; i++) {
    const peer_expect_row *row = &expect->rows[i];
    if (expect_is(row, name) && (found == NULL || (found->profile && !row->profile))) {
      found = row;
    }
  }
  return found != NULL ? expect_row(found, result) : PEER_KNOWN_NONE;
}

void peer_expect_free(peer_expect *expect) {
  free(expect->rows);
  *expect = (peer_expect){.num = 0};
}
