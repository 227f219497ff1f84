/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes the lines of a shard apart. */
#define _POSIX_C_SOURCE 200809L

#include "merge_part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diag.h"

#define PART_LINE_MAX ((size_t)16 << 20) /* octets of a line */

/* ---- files ---- */

/* A copy of what can be read only once. */
static FILE *part_spool(FILE *from) {
  char octets[65536];
  FILE *to = tmpfile();
  size_t n = 0;
  while (to != NULL && (n = fread(octets, 1, sizeof octets, from)) > 0) {
    if (fwrite(octets, 1, n, to) != n) {
      break;
    }
  }
  if (to != NULL && (n > 0 || ferror(from) != 0 || fflush(to) != 0)) {
    fclose(to);
    return NULL;
  }
  return to;
}

static FILE *part_file(const char *path) {
  struct stat st;
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  if (file != NULL && fstat(fileno(file), &st) == 0 && S_ISREG(st.st_mode)) {
    return file;
  }
  FILE *copy = file != NULL ? part_spool(file) : NULL;
  if (file != NULL && file != stdin) {
    const int error = errno;
    fclose(file);
    errno = error;
  }
  return copy;
}

bool merge_part_rewind(merge_part *p) {
  p->number = 0;
  p->capture = 0;
  p->opened = 0;
  p->line = (merge_line){.kind = MERGE_NONE};
  if (fseek(p->file, 0, SEEK_SET) != 0) {
    diag("%s: %s", p->name, strerror(errno));
    return false;
  }
  return true;
}

bool merge_part_open(merge_part *p, const char *path) {
  *p = (merge_part){.name = strcmp(path, "-") == 0 ? "standard input" : path,
                    .file = part_file(path)};
  if (p->file == NULL) {
    diag("%s: %s", p->name, strerror(errno));
    return false;
  }
  return merge_part_rewind(p);
}

void merge_part_close(merge_part *p) {
  if (p->file != NULL && p->file != stdin) {
    fclose(p->file);
  }
  free(p->buf);
  free(p->numbers);
  *p = (merge_part){0};
}

/* ---- lines ---- */

static bool part_wrong(const merge_part *p, const char *what) {
  diag("%s: line %llu: %s", p->name, (unsigned long long)p->number, what);
  return false;
}

static bool part_grow(merge_part *p) {
  const size_t cap = p->cap > 0 ? p->cap * 2 : 4096;
  char *grown = cap <= PART_LINE_MAX ? realloc(p->buf, cap) : NULL;
  if (grown == NULL) {
    return part_wrong(p, cap <= PART_LINE_MAX ? "out of memory" : "too long for a line");
  }
  p->buf = grown;
  p->cap = cap;
  return true;
}

/* Reads up to the end of the line; false: a message has said what is wrong. An empty text: the file
 * ends. */
static bool part_read(merge_part *p, json_text *text) {
  size_t len = 0;
  int c = 0;
  p->number++;
  while ((c = getc(p->file)) != EOF && c != '\n') {
    if (len == p->cap && !part_grow(p)) {
      return false;
    }
    p->buf[len++] = (char)c;
  }
  *text = (json_text){p->buf, len};
  if (c == EOF && ferror(p->file) != 0) {
    return part_wrong(p, strerror(errno));
  }
  if (c == EOF && len > 0) {
    return part_wrong(p, "cut short");
  }
  return c == EOF || len > 0 || part_wrong(p, "empty");
}

static merge_kind part_kind(json_text line) {
  static const char *const names[] = {
      [MERGE_OPENED] = "opened",
      [MERGE_FINDING] = "finding",
      [MERGE_CONNECTION] = "connection",
      [MERGE_SUMMARY] = "summary",
  };
  json_text value;
  json_text type;
  if (!json_member(&value, line, "type") || !json_string(&type, value)) {
    return MERGE_NONE;
  }
  size_t kind = MERGE_SUMMARY;
  while (kind > MERGE_NONE && !json_is(type, names[kind])) {
    kind--;
  }
  return (merge_kind)kind;
}

/* The place of the line, which is its last key. */
static bool part_place(merge_line *l) {
  static const char key[] = ",\"at\":";
  const size_t n = sizeof key - 1;
  json_text value;
  if (!json_member(&value, l->text, "at") || !json_u64(&l->at, value) ||
      (size_t)(value.at - l->text.at) < n || memcmp(value.at - n, key, n) != 0) {
    return false;
  }
  l->at_text = (json_text){value.at - n, n + value.len};
  return l->at_text.at + l->at_text.len + 1 == l->text.at + l->text.len;
}

/* Connections are numbered from 0 on in each capture, and named only afterwards. */
static bool part_conn(merge_part *p, merge_line *l) {
  if (!json_member(&l->conn_text, l->text, "conn") || !json_u64(&l->conn, l->conn_text)) {
    return false;
  }
  if (l->kind != MERGE_OPENED) {
    return l->conn < p->opened;
  }
  json_text capture;
  if (!json_member(&capture, l->text, "capture") || !json_u64(&l->capture, capture) ||
      l->capture < p->capture) {
    return false;
  }
  p->opened = l->capture > p->capture ? 0 : p->opened;
  p->capture = l->capture;
  return l->conn == p->opened++;
}

bool merge_part_next(merge_part *p) {
  const merge_line before = p->line;
  merge_line *l = &p->line;
  *l = (merge_line){.kind = MERGE_NONE};
  if (!part_read(p, &l->text)) {
    return false;
  }
  if (before.kind == MERGE_SUMMARY) {
    return l->text.len == 0 || part_wrong(p, "there is more after the summary");
  }
  if (l->text.len == 0) {
    diag("%s: cut short: it has no summary at its end", p->name);
    return false;
  }
  if (!json_valid(l->text)) {
    return part_wrong(p, "not JSON");
  }
  l->kind = part_kind(l->text);
  if (l->kind == MERGE_SUMMARY) {
    return true;
  }
  if (l->kind == MERGE_NONE || !part_place(l) || !part_conn(p, l) || l->at < before.at) {
    return part_wrong(p, "not what check --shard writes");
  }
  return true;
}
