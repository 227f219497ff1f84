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
  merge_part *parts;
  size_t num;
  const char *first;           /* name of the part that the others are compared with */
  const char **names;          /* of the part that has a shard, by its index; or NULL */
  shard_summary joined;        /* `shard` describes the first part */
  uint64_t capture;            /* that the last connection was of, */
  uint64_t numbers;            /* and how many of it there were */
  merge_transports transports; /* of the capture whose end is being joined */
  out_buf out;
} merge_state;

/* ---- whether the parts belong together ---- */

static bool merge_wrong(const merge_part *p, const char *what, const char *other) {
  diag("%s: %s%s", p->name, what, other);
  return false;
}

/* Compares a part with the first part, and with the parts that have the same shard. */
static bool merge_fits(const merge_state *m, const merge_part *p, const report_shard *s) {
  const report_shard *first = &m->joined.shard;
  if (s->of != first->of) {
    return merge_wrong(p, "the run was cut into another number of shards than ", m->first);
  }
  if (s->options != first->options || s->require_decided != first->require_decided) {
    return merge_wrong(p, "made with other options than ", m->first);
  }
  if (s->digest != first->digest || s->num_captures != first->num_captures) {
    return merge_wrong(p, "of other captures than ", m->first);
  }
  if (m->names[s->index] != NULL) {
    return merge_wrong(p, "the same shard as ", m->names[s->index]);
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
    merge_capture(&m->joined.shard.captures[i], &s->shard.captures[i]);
  }
  for (size_t i = 0; i < sizeof s->withheld / sizeof s->withheld[0]; i++) {
    m->joined.withheld[i] += s->withheld[i];
  }
}

/* The first part says how many there are. */
static bool merge_first(merge_state *m, const merge_part *p, const report_shard *s) {
  m->first = p->name;
  m->joined.shard = *s;
  m->joined.totals.files = s->num_captures;
  m->joined.shard.captures = memory_zeroed(s->num_captures + 1, sizeof *s->captures);
  m->joined.totals.rules =
      memory_zeroed((size_t)iwarp_rule_count() + 1, sizeof *m->joined.totals.rules);
  m->names = s->of <= OPTS_SHARDS_MAX ? memory_zeroed((size_t)s->of, sizeof *m->names) : NULL;
  if (s->of > OPTS_SHARDS_MAX) {
    return merge_wrong(p, "its summary is damaged", "");
  }
  if (m->joined.shard.captures == NULL || m->joined.totals.rules == NULL || m->names == NULL) {
    return merge_wrong(p, "out of memory", "");
  }
  return true;
}

static bool merge_take(merge_state *m, merge_part *p, const shard_summary *s) {
  if ((m->first == NULL && !merge_first(m, p, &s->shard)) || !merge_fits(m, p, &s->shard)) {
    return false;
  }
  p->index = s->shard.index;
  m->names[p->index] = p->name;
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
  return ok && merge_part_rewind(p);
}

static bool merge_complete(const merge_state *m) {
  for (uint64_t i = 0; i < m->joined.shard.of; i++) {
    if (m->names[i] == NULL) {
      diag("shard %" PRIu64 " of %" PRIu64 " is missing", i, m->joined.shard.of);
      return false;
    }
  }
  return true;
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
  for (size_t i = 0; i < m->num; i++) {
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

static bool merge_lines(merge_state *m) {
  bool ok = true;
  for (size_t i = 0; ok && i < m->num; i++) {
    ok = merge_part_next(&m->parts[i]);
  }
  for (merge_part *p = NULL; ok && m->out.error == 0 && (p = merge_next(m)) != NULL;) {
    ok = merge_line_taken(m, p) && merge_part_next(p);
  }
  merge_transports_write(&m->transports, &m->out);
  return ok;
}

/* ---- the summary ---- */

static int merge_status(merge_state *m) {
  const report_shard *s = &m->joined.shard;
  const char *reason = NULL;
  int status = check_capture_status(&s->captures[0], &reason);
  for (size_t i = 1; i < s->num_captures; i++) {
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
    ok = merge_part_open(&m->parts[i], o->operands[i]) && merge_examine(m, &m->parts[i]);
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
  free(m.names);
  free(m.parts);
  return status;
}
