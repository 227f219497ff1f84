/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts about frames: the texts in one file, sorted runs of where they stand in another, merged as
 * they are read. */
#define _POSIX_C_SOURCE 200809L

#include <report/comments.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <memory/memory.h>

#define COMMENTS_RUN ((size_t)16 * 1024) /* texts that are sorted in memory */

/* Where a text stands. Texts of one frame stand in the order in which they were added. */
typedef struct comments_row {
  uint64_t frame;
  uint64_t at;
  uint64_t len;
} comments_row;

/* What is left of a sorted run. */
typedef struct comments_run {
  uint64_t next; /* rows from the beginning of the file */
  uint64_t end;
  comments_row row; /* the one at `next`, where there is one */
} comments_run;

struct report_comments {
  FILE *texts;
  FILE *rows;
  uint64_t texts_len;
  uint64_t num_rows; /* in the file */
  comments_row *run; /* COMMENTS_RUN of them */
  size_t run_len;
  comments_run *runs;
  size_t num_runs;
  bool failed;
};

report_comments *report_comments_new(void) {
  report_comments *c = memory_zeroed(1, sizeof *c);
  if (c == NULL) {
    return NULL;
  }
  c->texts = tmpfile();
  memory_failed_errno(c->texts == NULL ? errno : 0);
  c->rows = tmpfile();
  memory_failed_errno(c->rows == NULL ? errno : 0);
  c->run = memory_zeroed(COMMENTS_RUN, sizeof *c->run);
  if (c->texts == NULL || c->rows == NULL || c->run == NULL) {
    report_comments_free(c);
    return NULL;
  }
  return c;
}

void report_comments_free(report_comments *c) {
  if (c == NULL) {
    return;
  }
  if (c->texts != NULL) {
    (void)fclose(c->texts);
  }
  if (c->rows != NULL) {
    (void)fclose(c->rows);
  }
  free(c->run);
  free(c->runs);
  free(c);
}

bool report_comments_failed(const report_comments *c) {
  return c->failed;
}

/* ---- in ---- */

static int comments_order(const void *a, const void *b) {
  const comments_row *x = a;
  const comments_row *y = b;
  if (x->frame != y->frame) {
    return x->frame < y->frame ? -1 : 1;
  }
  return x->at < y->at ? -1 : 1;
}

static void comments_write_run(report_comments *c) {
  qsort(c->run, c->run_len, sizeof *c->run, comments_order);
  c->failed = fwrite(c->run, sizeof *c->run, c->run_len, c->rows) != c->run_len || c->failed;
  c->num_rows += c->run_len;
  c->run_len = 0;
}

void report_comments_add(report_comments *c, uint64_t frame, const char *text, size_t len) {
  c->failed = fwrite(text, 1, len, c->texts) != len || c->failed;
  c->run[c->run_len++] = (comments_row){.frame = frame, .at = c->texts_len, .len = len};
  c->texts_len += len;
  if (c->run_len == COMMENTS_RUN) {
    comments_write_run(c);
  }
}

/* ---- out ---- */

static bool comments_read(FILE *file, void *to, size_t len, uint64_t at) {
  return pread(fileno(file), to, len, (off_t)at) == (ssize_t)len;
}

static void comments_load(report_comments *c, comments_run *run) {
  if (run->next < run->end &&
      !comments_read(c->rows, &run->row, sizeof run->row, run->next * sizeof run->row)) {
    c->failed = true;
    run->next = run->end;
  }
}

bool report_comments_sort(report_comments *c) {
  comments_write_run(c);
  c->num_runs = (size_t)((c->num_rows + COMMENTS_RUN - 1) / COMMENTS_RUN);
  c->runs = memory_zeroed(c->num_runs + 1, sizeof *c->runs);
  if (c->runs == NULL || fflush(c->texts) != 0 || fflush(c->rows) != 0) {
    c->failed = true;
    c->num_runs = 0;
  }
  for (size_t i = 0; i < c->num_runs; i++) {
    const uint64_t begin = (uint64_t)i * COMMENTS_RUN;
    const uint64_t left = c->num_rows - begin;
    c->runs[i] =
        (comments_run){.next = begin, .end = begin + (left < COMMENTS_RUN ? left : COMMENTS_RUN)};
    comments_load(c, &c->runs[i]);
  }
  return !c->failed;
}

/* The run whose next text is the first one of this frame, or of an earlier one. */
static comments_run *comments_first(report_comments *c, uint64_t frame) {
  comments_run *first = NULL;
  for (size_t i = 0; i < c->num_runs; i++) {
    comments_run *run = &c->runs[i];
    if (run->next < run->end && run->row.frame <= frame &&
        (first == NULL || comments_order(&run->row, &first->row) < 0)) {
      first = run;
    }
  }
  return first;
}

static bool comments_text(report_comments *c, const comments_row *row, out_buf *text) {
  const size_t len = (size_t)row->len;
  out_clear(text);
  if (!out_make_room(text, len) || !comments_read(c->texts, text->buf, len, row->at)) {
    c->failed = true;
    return false;
  }
  text->len = len;
  return true;
}

bool report_comments_next(report_comments *c, uint64_t frame, out_buf *text) {
  comments_run *run = comments_first(c, frame);
  if (run == NULL) {
    return false;
  }
  const comments_row row = run->row;
  run->next++;
  comments_load(c, run);
  return comments_text(c, &row, text);
}
