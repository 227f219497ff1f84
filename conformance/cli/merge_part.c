/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes the lines of a shard apart. */
#define _POSIX_C_SOURCE 200809L

#include "merge_part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <memory/memory.h>
#include <report/transports.h>

#include "diag.h"
#include "sandbox.h"

#define PART_LINE_MAX ((size_t)16 << 20) /* octets of a line */

/* ---- files ---- */

/* Opens the file that is read. A file that can be read only once gets a copy, which is written line
 * by line: input that no shard writes ends it. False: errno says why. */
static bool part_open(merge_part *p, const char *path) {
  struct stat st;
  p->file = strcmp(path, "-") == 0 ? stdin : sandbox_fopen(path);
  if (p->file == NULL || fstat(fileno(p->file), &st) != 0) {
    return false;
  }
  if (S_ISREG(st.st_mode)) {
    p->again = p->file != stdin;
    return fseek(p->file, 0, SEEK_SET) == 0;
  }
  errno = EISDIR;
  p->copy = S_ISDIR(st.st_mode) ? NULL : tmpfile();
  memory_failed_errno(p->copy == NULL ? errno : 0);
  return p->copy != NULL;
}

bool merge_part_open(merge_part *p, const char *path) {
  *p = (merge_part){.name = strcmp(path, "-") == 0 ? "standard input" : path};
  if (!part_open(p, path)) {
    diag("%s: %s", p->name, strerror(errno));
    return false;
  }
  return true;
}

static void part_close(FILE *file) {
  if (file != NULL && file != stdin) {
    (void)fclose(file);
  }
}

/* From now on the copy is read. */
static bool part_use_copy(merge_part *p) {
  if (p->copy != NULL) {
    part_close(p->file);
    p->file = p->copy;
    p->copy = NULL;
    return fflush(p->file) == 0;
  }
  return true;
}

bool merge_part_rest(merge_part *p) {
  if (!part_use_copy(p)) {
    diag("%s: %s", p->name, strerror(errno));
    return false;
  }
  if (p->again) {
    part_close(p->file);
    p->file = NULL;
  }
  free(p->buf);
  free(p->numbers);
  p->buf = NULL;
  p->numbers = NULL;
  p->cap = p->num_cap = 0;
  return true;
}

bool merge_part_rewind(merge_part *p) {
  p->number = 0;
  p->capture = 0;
  p->opened = 0;
  p->transports = 0;
  p->line = (merge_line){.kind = MERGE_NONE};
  p->file = p->file != NULL ? p->file : sandbox_fopen(p->name);
  if (p->file == NULL || fseek(p->file, 0, SEEK_SET) != 0) {
    diag("%s: %s", p->name, strerror(errno));
    return false;
  }
  return true;
}

void merge_part_close(merge_part *p) {
  part_close(p->file);
  part_close(p->copy);
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
  char *grown = cap <= PART_LINE_MAX ? memory_resize(p->buf, cap) : NULL;
  if (grown == NULL) {
    return part_wrong(p, cap <= PART_LINE_MAX ? "out of memory" : "longer than 16 MiB");
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

/* Blanks between the tokens of JSON may be tabs and carriage returns, which command a terminal: the
 * line is passed on with spaces in their place. Its strings have neither. */
static void part_plain(merge_part *p) {
  for (size_t i = 0; i < p->line.text.len; i++) {
    p->buf[i] = p->buf[i] == '\t' || p->buf[i] == '\r' ? ' ' : p->buf[i];
  }
}

static bool part_copy(merge_part *p) {
  const size_t len = p->line.text.len;
  const bool ok = p->copy == NULL ||
                  (fwrite(p->line.text.at, 1, len, p->copy) == len && fputc('\n', p->copy) != EOF);
  return ok || part_wrong(p, strerror(errno));
}

/* A shard has so many lines about connections without iWARP for each capture, and no more. */
static bool part_counts(merge_part *p) {
  const merge_line *l = &p->line;
  if (l->kind == MERGE_TRANSPORT) {
    p->transports = p->transports > 0 && l->at == p->transports_at ? p->transports + 1 : 1;
    p->transports_at = l->at;
  }
  return p->transports <= REPORT_TRANSPORTS_EACH + 1;
}

static merge_kind part_kind(json_text line) {
  static const char *const names[] = {
      [MERGE_RUN] = "run",         [MERGE_OPENED] = "opened",
      [MERGE_FINDING] = "finding", [MERGE_CONNECTION] = "connection",
      [MERGE_CAPTURE] = "capture", [MERGE_TRANSPORT] = "transport",
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
  if (!json_member(&l->conn_text, l->text, "conn")) {
    l->conn_text = (json_text){l->text.at, 0};
    return l->kind == MERGE_CAPTURE || l->kind == MERGE_TRANSPORT;
  }
  if (!json_u64(&l->conn, l->conn_text)) {
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

/* Reads a line; a part begins with the line of its run. */
static bool part_next(merge_part *p) {
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
  part_plain(p);
  l->kind = part_kind(l->text);
  if ((l->kind == MERGE_RUN) != (p->number == 1)) {
    return part_wrong(p, "not what check --shard writes");
  }
  if (l->kind == MERGE_SUMMARY || l->kind == MERGE_RUN) {
    return part_copy(p);
  }
  if (l->kind == MERGE_NONE || !part_place(l) || !part_conn(p, l) || l->at < before.at ||
      !part_counts(p)) {
    return part_wrong(p, "not what check --shard writes");
  }
  return part_copy(p);
}

bool merge_part_next(merge_part *p) {
  bool ok = part_next(p);
  if (ok && p->line.kind == MERGE_RUN) {
    ok = part_next(p);
  }
  return ok;
}
