/* SPDX-License-Identifier: BSD-2-Clause */
/* Ingest, observe and rules over packets, and a digest of what they find. */
#include "judge.h"

#include <string.h>

#include "base/siphash.h"

enum { JUDGE_FINDING = 1, JUDGE_CONN, JUDGE_RULE, JUDGE_LIMIT, JUDGE_DIFFER, JUDGE_TRANSPORT };

static void judge_add(judge *j, uint64_t kind, const uint64_t *word, size_t num) {
  static const uint64_t key[2] = {0, 0}; /* it is no secret */
  uint64_t all[12] = {j->digest, kind};
  memcpy(all + 2, word, num * sizeof *word);
  j->digest = siphash_words(key, all, num + 2);
}

#define JUDGE_ADD(j, kind, ...)                                                                    \
  do {                                                                                             \
    const uint64_t word[] = {__VA_ARGS__};                                                         \
    judge_add(j, kind, word, sizeof word / sizeof word[0]);                                        \
  } while (0)

static void judge_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  learn_event(((const judge *)ctx)->learn, conn, ev);
}

static void judge_finding(void *ctx, observe_conn *conn, const iwarp_finding *f,
                          const iwarp_event *ev) {
  (void)ev;
  JUDGE_ADD(ctx, JUDGE_FINDING, conn->number, f->rule, f->side, f->pos, f->field, f->octet_pos,
            f->octet_len, f->last.packet, f->other_packet);
}

static void judge_closed(void *ctx, observe_conn *conn) {
  const observe_outcome *o = &conn->outcome;
  JUDGE_ADD(ctx, JUDGE_CONN, conn->number, conn->packet, (uint64_t)o->how, o->side, o->packet,
            conn->tally.fpdus[0], conn->tally.fpdus[1], conn->tally.octets[0],
            conn->tally.octets[1], conn->tally.gaps);
  for (uint16_t id = 0; conn->results != NULL && id < iwarp_rule_count(); id++) {
    const iwarp_rule_result *r = &conn->results[id];
    JUDGE_ADD(ctx, JUDGE_RULE, id, (uint64_t)r->verdict, r->reason, r->num_pass, r->num_fail,
              r->num_inconclusive);
  }
}

static void judge_limit(void *ctx, const char *name, uint64_t n) {
  JUDGE_ADD(ctx, JUDGE_LIMIT, strlen(name), (uint64_t)name[0], n);
}

static void judge_differ(void *ctx, observe_conn *conn, const observe_differ *what) {
  JUDGE_ADD(ctx, JUDGE_DIFFER, conn != NULL ? conn->number : UINT64_MAX, what->first, what->second,
            what->pos, what->len, (uint64_t)what->accepted);
}

static void judge_transport(void *ctx, const observe_transport *what) {
  const judge *j = ctx;
  const char *like = what->looks_like != NULL ? what->looks_like : "";
  if (j->learn != NULL && what->streams != NULL) {
    learn_transport(j->learn, what);
  }
  JUDGE_ADD(ctx, JUDGE_TRANSPORT, (uint64_t)what->state, what->cut, what->packet, strlen(like),
            (uint64_t)like[0]);
}

/* ---- packets ---- */

bool judge_begin(judge *j, const observe_cfg *cfg, size_t memory, const uint64_t hash_key[2],
                 learn *taught) {
  const observe_hooks hooks = {.ctx = j,
                               .event = taught != NULL ? judge_event : NULL,
                               .finding = judge_finding,
                               .closed = judge_closed,
                               .limit = judge_limit,
                               .differ = judge_differ,
                               .transport = judge_transport};
  observe_cfg mine = *cfg;
  *j = (judge){.budget = {.limit = memory}, .learn = taught};
  mine.budget = &j->budget;
  j->observe = observe_new(&mine, &hooks);
  if (j->observe != NULL) {
    observe_file(j->observe, "");
    const ingest_cfg ing = {
        .alloc = {.ctx = j->observe, .get = observe_ingest_get, .put = observe_ingest_put},
        .opening = observe_opening,
        .conns_max = SIZE_MAX,
        .hash_key = {hash_key[0], hash_key[1]}};
    j->ingest = ingest_new(&ing);
  }
  return j->ingest != NULL;
}

void judge_packet(judge *j, const ingest_packet *pkt) {
  observe_packet(j->observe, j->ingest, pkt);
}

bool judge_finish(judge *j) {
  ingest_finish(j->ingest);
  observe_drain(j->observe, j->ingest, INGEST_DUE_MORE);
  return !observe_failed(j->observe);
}

void judge_end(judge *j) {
  ingest_free(j->ingest);
  observe_free(j->observe);
  j->ingest = NULL;
  j->observe = NULL;
}
