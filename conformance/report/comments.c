/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts about frames: the texts in one file, sorted runs of where they stand in another, merged as
 * they are read. */
#define _POSIX_C_SOURCE 200809L

#include <report/comments.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <memory/memory.h>

#define COMMENTS_RUN ((size_t)16 * 1024)  /* rows that are sorted in memory */
#define COMMENTS_SLOTS (2 * COMMENTS_RUN) /* a power of two */

/* Place of a text, or number of texts that were left out. Texts of one frame stand in the order in
 * which they were added. */
typedef struct comments_row {
  uint64_t frame;
  uint64_t at;
  uint64_t len;
  uint64_t omitted; /* texts that were left out, in a row without a text */
} comments_row;

/* The texts of a frame in the run that is in memory. */
typedef struct comments_frame {
  uint64_t frame;
  uint32_t num;     /* rows of the frame; 0: the slot is free */
  uint32_t omitted; /* index of the row that counts the texts beyond the limit, once there is one */
} comments_frame;

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
  uint64_t num_rows; /* rows in the file */
  comments_row *run; /* COMMENTS_RUN of them */
  size_t run_len;
  comments_frame *frames; /* COMMENTS_SLOTS of them, for the rows in `run` */
  comments_run *runs;
  size_t num_runs;
  uint64_t frame;   /* frame of the last call */
  uint64_t given;   /* texts of the frame that were returned */
  uint64_t omitted; /* texts of the frame that were left out */
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
  c->frames = memory_zeroed(COMMENTS_SLOTS, sizeof *c->frames);
  if (c->texts == NULL || c->rows == NULL || c->run == NULL || c->frames == NULL) {
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
  free(c->frames);
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
  memset(c->frames, 0, COMMENTS_SLOTS * sizeof *c->frames);
}

static void comments_row_add(report_comments *c, comments_row row) {
  c->run[c->run_len++] = row;
  if (c->run_len == COMMENTS_RUN) {
    comments_write_run(c);
  }
}

/* The slot of a frame. The slots are twice as many as the rows, so one is always free. */
static comments_frame *comments_slot(report_comments *c, uint64_t frame) {
  const uint64_t hash = frame * UINT64_C(0x9e3779b97f4a7c15);
  size_t i = (size_t)(hash >> 32) % COMMENTS_SLOTS;
  while (c->frames[i].num > 0 && c->frames[i].frame != frame) {
    i = (i + 1) % COMMENTS_SLOTS;
  }
  c->frames[i].frame = frame;
  return &c->frames[i];
}

/* Counts a text beyond the limit of its frame. The first one adds the row that counts them. */
static void comments_omit(report_comments *c, comments_frame *of) {
  if (of->num > REPORT_COMMENTS_OF_FRAME) {
    c->run[of->omitted].omitted++;
    return;
  }
  of->num++;
  of->omitted = (uint32_t)c->run_len;
  comments_row_add(c, (comments_row){.frame = of->frame, .at = c->texts_len, .omitted = 1});
}

void report_comments_add(report_comments *c, uint64_t frame, const char *text, size_t len) {
  comments_frame *of = comments_slot(c, frame);
  if (of->num >= REPORT_COMMENTS_OF_FRAME) {
    comments_omit(c, of);
    return;
  }
  of->num++;
  c->failed = fwrite(text, 1, len, c->texts) != len || c->failed;
  comments_row_add(c, (comments_row){.frame = frame, .at = c->texts_len, .len = len});
  c->texts_len += len;
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

/* Takes the next row of this frame, or of an earlier one. */
static bool comments_take(report_comments *c, uint64_t frame, comments_row *row) {
  comments_run *run = comments_first(c, frame);
  if (run == NULL) {
    return false;
  }
  *row = run->row;
  run->next++;
  comments_load(c, run);
  return true;
}

bool report_comments_next(report_comments *c, uint64_t frame, out_buf *text) {
  comments_row row;
  if (frame != c->frame) {
    c->frame = frame;
    c->given = c->omitted = 0;
  }
  while (comments_take(c, frame, &row)) {
    if (row.omitted == 0 && c->given < REPORT_COMMENTS_OF_FRAME) {
      c->given++;
      return comments_text(c, &row, text);
    }
    c->omitted += row.omitted > 0 ? row.omitted : 1;
  }
  return false;
}

uint64_t report_comments_omitted(const report_comments *c) {
  return c->omitted;
}
