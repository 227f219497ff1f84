/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp merge: the results of all shards, printed as the results of one run. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include <memory/memory.h>
#include <report/run_line.h>

#include "check_status.h"
#include "commands.h"
#include "diag.h"
#include "merge_part.h"
#include "merge_transport.h"
#include "run.h"

typedef struct merge_state {
  merge_part *parts;           /* parts by operand; later, by their place in the run */
  size_t num;                  /* parts that are open */
  const char *compare;         /* name of the part that the others are compared with */
  shard_summary joined;        /* `shard` of that part, with `captures` of the run */
  size_t begin;                /* parts of the captures that are being joined */
  size_t end;                  /* the first part after them */
  uint64_t capture;            /* capture of the last connection */
  uint64_t numbers;            /* connections of `capture` so far */
  merge_transports transports; /* lines of the capture whose end is being joined */
  out_buf out;
} merge_state;

/* ---- whether the parts belong together ---- */

static bool merge_wrong(const merge_part *p, const char *what, const char *other) {
  diag("%s: %s%s", p->name, what, other);
  return false;
}

static bool merge_fits(const merge_state *m, const merge_part *p, const report_shard *s) {
  const report_shard *first = &m->joined.shard;
  if (s->options != first->options || s->require_decided != first->require_decided) {
    return merge_wrong(p, "made with other options than ", m->compare);
  }
  if (s->names != first->names || s->all != first->all) {
    return merge_wrong(p, "of other captures than ", m->compare);
  }
  return true;
}

static void merge_capture(report_capture *into, const report_capture *part) {
  into->failed = part->failed > into->failed ? part->failed : into->failed;
  into->violated += part->violated;
  into->given_up += part->given_up;
  into->undecodable += part->undecodable;
  into->proven += part->proven;
  into->decided += part->decided;
  into->named += part->named;
}

static void merge_join(merge_state *m, const shard_summary *s) {
  report_totals_join(&m->joined.totals, &s->totals);
  for (size_t i = 0; i < s->shard.num_captures; i++) {
    merge_capture(&m->joined.shard.captures[s->shard.first + i], &s->shard.captures[i]);
  }
  for (size_t i = 0; i < sizeof s->withheld / sizeof s->withheld[0]; i++) {
    m->joined.withheld[i] += s->withheld[i];
  }
}

/* The first part says how many captures there are. */
static bool merge_first(merge_state *m, const merge_part *p, const report_shard *s) {
  m->compare = p->name;
  m->joined.shard = *s;
  m->joined.shard.captures = NULL;
  if (s->of > OPTS_SHARDS_MAX || s->all > OPTS_CAPTURES_MAX) {
    return merge_wrong(p, "its summary is damaged", "");
  }
  m->joined.totals.files = s->all;
  m->joined.shard.captures = memory_zeroed((size_t)s->all + 1, sizeof *s->captures);
  m->joined.totals.rules =
      memory_zeroed((size_t)iwarp_rule_count() + 1, sizeof *m->joined.totals.rules);
  if (m->joined.shard.captures == NULL || m->joined.totals.rules == NULL) {
    return merge_wrong(p, "out of memory", "");
  }
  return true;
}

static bool merge_take(merge_state *m, merge_part *p, const shard_summary *s) {
  if ((m->compare == NULL && !merge_first(m, p, &s->shard)) || !merge_fits(m, p, &s->shard)) {
    return false;
  }
  p->first = s->shard.first;
  p->captures = s->shard.num_captures;
  p->index = s->shard.index;
  p->of = s->shard.of;
  p->digest = s->shard.digest;
  merge_join(m, s);
  return true;
}

/* Goes over all lines of a part, the last of which is its summary. */
static bool merge_examine(merge_state *m, merge_part *p) {
  shard_summary s = {0};
  bool ok = merge_part_next(p);
  while (ok && p->line.kind != MERGE_SUMMARY) {
    ok = merge_part_next(p);
  }
  if (!ok) {
    return false;
  }
  const char *wrong = shard_read(&s, p->line.text);
  ok = wrong == NULL ? merge_take(m, p, &s) && merge_part_next(p) : merge_wrong(p, wrong, "");
  shard_free(&s);
  return ok && merge_part_rest(p);
}

/* The order of the run: captures, and shards of the same captures. */
static int merge_order(const void *a, const void *b) {
  const merge_part *x = a;
  const merge_part *y = b;
  const uint64_t of_x[] = {x->first, x->index, x->operand};
  const uint64_t of_y[] = {y->first, y->index, y->operand};
  size_t i = 0;
  while (i < 2 && of_x[i] == of_y[i]) {
    i++;
  }
  return (of_x[i] > of_y[i]) - (of_x[i] < of_y[i]);
}

static bool merge_lacks_captures(uint64_t begin, uint64_t end) {
  diag("--captures %" PRIu64 "-%" PRIu64 " is missing", begin, end - 1);
  return false;
}

static bool merge_lacks_shard(const merge_state *m, const merge_part *p, uint64_t index) {
  char of[64] = "";
  if (p->captures < m->joined.shard.all) {
    snprintf(of, sizeof of, " of --captures %" PRIu64 "-%" PRIu64, p->first,
             p->first + p->captures - 1);
  }
  diag("shard %" PRIu64 " of %" PRIu64 "%s is missing", index, p->of, of);
  return false;
}

/* Returns true if a part fits the part before it, which has shards of the same captures. */
static bool merge_follows(const merge_part *p, const merge_part *before) {
  if (p->of != before->of) {
    return merge_wrong(p, "the run was cut into another number of shards than ", before->name);
  }
  if (p->digest != before->digest || p->captures != before->captures) {
    return merge_wrong(p, "of other captures than ", before->name);
  }
  return p->index != before->index || merge_wrong(p, "the same shard as ", before->name);
}

/* Moves to the parts of the next captures; false: one of their shards is missing or there twice. */
static bool merge_group(merge_state *m) {
  const merge_part *first = &m->parts[m->end];
  m->begin = m->end++;
  while (m->end < m->num && m->parts[m->end].first == first->first) {
    if (!merge_follows(&m->parts[m->end], &m->parts[m->end - 1])) {
      return false;
    }
    m->end++;
  }
  for (size_t i = 0; i < first->of; i++) {
    if (m->begin + i == m->end || m->parts[m->begin + i].index != i) {
      return merge_lacks_shard(m, first, i);
    }
  }
  return true;
}

static bool merge_complete(merge_state *m) {
  uint64_t next = 0; /* capture */
  qsort(m->parts, m->num, sizeof *m->parts, merge_order);
  for (m->end = 0; m->end < m->num;) {
    const merge_part *first = &m->parts[m->end];
    if (first->first > next) {
      return merge_lacks_captures(next, first->first);
    }
    if (first->first < next) {
      return merge_wrong(first, "has captures of ", m->parts[m->end - 1].name);
    }
    if (!merge_group(m)) {
      return false;
    }
    next += first->captures;
  }
  return next == m->joined.shard.all || merge_lacks_captures(next, m->joined.shard.all);
}

/* ---- the lines ---- */

/* A connection gets its number among the connections of all parts. */
static bool merge_number(merge_state *m, merge_part *p) {
  const merge_line *l = &p->line;
  if (l->conn >= p->num_cap) {
    const size_t cap = p->num_cap > 0 ? p->num_cap * 2 : 256;
    uint64_t *grown = memory_resize(p->numbers, cap * sizeof *grown);
    if (grown == NULL) {
      return merge_wrong(p, "out of memory", "");
    }
    p->numbers = grown;
    p->num_cap = cap;
  }
  if (l->capture != m->capture) {
    m->capture = l->capture;
    m->numbers = 0;
  }
  p->numbers[l->conn] = m->numbers++;
  return true;
}

/* The line as one run would have written it. */
static void merge_write(merge_state *m, const merge_part *p) {
  const merge_line *l = &p->line;
  const char *after = l->conn_text.at + l->conn_text.len;
  out_put(&m->out, l->text.at, (size_t)(l->conn_text.at - l->text.at));
  if (l->conn_text.len > 0) {
    out_u64(&m->out, p->numbers[l->conn]);
  }
  out_put(&m->out, after, (size_t)(l->at_text.at - after));
  out_str(&m->out, "}\n");
}

/* The part whose line comes next, or NULL. */
static merge_part *merge_next(const merge_state *m) {
  merge_part *next = NULL;
  for (size_t i = m->begin; i < m->end; i++) {
    merge_part *p = &m->parts[i];
    const bool earlier = next == NULL || p->line.at < next->line.at ||
                         (p->line.at == next->line.at && p->index < next->index);
    if (p->line.kind != MERGE_SUMMARY && earlier) {
      next = p;
    }
  }
  return next;
}

/* Takes the line that comes next, of this part. */
static bool merge_line_taken(merge_state *m, merge_part *p) {
  if (m->transports.num > 0 && p->line.at != m->transports.at) {
    merge_transports_write(&m->transports, &m->out);
  }
  if (p->line.kind == MERGE_OPENED) {
    return merge_number(m, p);
  }
  if (p->line.kind == MERGE_TRANSPORT) {
    return merge_transports_add(&m->transports, p);
  }
  merge_write(m, p);
  return true;
}

/* The lines of all parts of the same captures. */
static bool merge_group_lines(merge_state *m) {
  bool ok = true;
  m->capture = 0;
  m->numbers = 0;
  for (size_t i = m->begin; ok && i < m->end; i++) {
    ok = merge_part_rewind(&m->parts[i]) && merge_part_next(&m->parts[i]);
  }
  for (merge_part *p = NULL; ok && m->out.error == 0 && (p = merge_next(m)) != NULL;) {
    ok = merge_line_taken(m, p) && merge_part_next(p);
  }
  merge_transports_write(&m->transports, &m->out);
  for (size_t i = m->begin; ok && i < m->end; i++) {
    ok = merge_part_rest(&m->parts[i]);
  }
  return ok;
}

static bool merge_lines(merge_state *m) {
  bool ok = true;
  for (m->end = 0; ok && m->end < m->num;) {
    ok = merge_group(m) && merge_group_lines(m);
  }
  return ok;
}

/* ---- the summary ---- */

static int merge_status(merge_state *m) {
  const report_shard *s = &m->joined.shard;
  const char *reason = NULL;
  int status = check_capture_status(&s->captures[0], &reason);
  for (size_t i = 1; i < s->all; i++) {
    status = check_worse(status, check_capture_status(&s->captures[i], &reason));
  }
  status = check_run_status(status, s->require_decided, &m->joined.totals, &reason);
  m->joined.totals.verdict = check_verdict(status);
  return status;
}

static int merge_summary(merge_state *m) {
  const int status = merge_status(m);
  report_check check = {.out = &m->out,
                        .num_withheld = m->joined.withheld[0],
                        .num_repeated = m->joined.withheld[1],
                        .num_conns_withheld = m->joined.withheld[2]};
  report_format_jsonl.summary(&check, &m->joined.totals);
  return run_output_ok(&m->out) ? status : check_worse(status, EXIT_USAGE);
}

/* ---- the command ---- */

static int merge_parts(merge_state *m, const opts *o) {
  bool ok = true;
  for (size_t i = 0; ok && i < o->num_operands; i++) {
    m->num = i + 1;
    ok = merge_part_open(&m->parts[i], o->operands[i]);
    m->parts[i].operand = i;
    ok = ok && merge_examine(m, &m->parts[i]);
  }
  if (!ok || !merge_complete(m)) {
    return EXIT_USAGE;
  }
  report_run_line(&m->out, "merge");
  if (!merge_lines(m)) {
    return EXIT_USAGE;
  }
  return merge_summary(m);
}

int cmd_merge(const opts *o) {
  merge_state m = {.parts = memory_zeroed(o->num_operands, sizeof *m.parts)};
  int status = EXIT_INTERNAL;
  if (m.parts != NULL && out_open_fd(&m.out, STDOUT_FILENO)) {
    status = merge_parts(&m, o);
    out_close(&m.out);
  }
  for (size_t i = 0; i < m.num; i++) {
    merge_part_close(&m.parts[i]);
  }
  merge_transports_free(&m.transports);
  shard_free(&m.joined);
  free(m.parts);
  return status;
}
