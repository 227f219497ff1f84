/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of connections and of what was found about them. */
#include "jobs_record.h"

#include <string.h>

#include <memory/memory.h>

static void record_conn_copy(jobs_conn *out, const observe_conn *in) {
  out->info = *in->info;
  out->conn = *in;
  out->conn.info = &out->info;
  out->conn.certainty = NULL;
  observe_outcome_copy(&out->conn.outcome, &out->terminate, &in->outcome);
  if (in->facts != NULL) {
    out->facts = *in->facts;
    out->conn.facts = &out->facts;
  }
}

bool jobs_place_before(const jobs_place *a, const jobs_place *b) {
  if (a->piece != b->piece) {
    return a->piece < b->piece;
  }
  if (a->number != b->number) {
    return a->number < b->number;
  }
  return a->turn != b->turn ? a->turn < b->turn : a->index < b->index;
}

static size_t record_size(jobs_record_kind kind) {
  const size_t results = kind == JOBS_CLOSED ? iwarp_rule_count() * sizeof(iwarp_rule_result) : 0;
  return sizeof(jobs_record) + results;
}

jobs_record *jobs_record_alloc(jobs_record_kind kind) {
  return memory_get(record_size(kind));
}

void jobs_record_fill(jobs_record *r, jobs_record_kind kind, const observe_conn *conn) {
  *r = (jobs_record){.kind = kind, .size = record_size(kind)};
  if (conn != NULL) {
    r->lasts = conn->user;
    record_conn_copy(&r->now, conn);
    r->now.conn.results = NULL;
  }
  if (kind == JOBS_CLOSED && conn->results != NULL) {
    memcpy(r->results, conn->results, r->size - sizeof *r);
    r->now.conn.results = r->results;
  }
}

observe_conn *jobs_record_conn(const jobs_record *r) {
  jobs_conn *lasts = r->lasts;
  const observe_conn before = lasts->conn;
  observe_conn *conn = &lasts->conn;
  record_conn_copy(lasts, &r->now.conn);
  conn->number = before.number;
  conn->file = before.file != NULL ? before.file : conn->file;
  conn->user = before.user;
  conn->known = before.known;
  memcpy(conn->foreseen, before.foreseen, sizeof conn->foreseen);
  memcpy(conn->unforeseen, before.unforeseen, sizeof conn->unforeseen);
  memcpy(conn->expected, before.expected, sizeof conn->expected);
  return conn;
}
