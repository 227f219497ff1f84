/* SPDX-License-Identifier: BSD-2-Clause */
/* Ingest, observe and rules over packets, and a digest of what they find. */
#include "found.h"

#include <string.h>

#include "base/siphash.h"

enum { FOUND_FINDING = 1, FOUND_CONN, FOUND_RULE, FOUND_LIMIT, FOUND_DIFFER, FOUND_TRANSPORT };

static void found_add(found *f, uint64_t kind, const uint64_t *word, size_t num) {
  static const uint64_t key[2] = {0, 0}; /* a known key is enough */
  uint64_t all[12] = {f->digest, kind};
  memcpy(all + 2, word, num * sizeof *word);
  f->digest = siphash_words(key, all, num + 2);
}

#define FOUND_ADD(f, kind, ...)                                                                    \
  do {                                                                                             \
    const uint64_t word[] = {__VA_ARGS__};                                                         \
    found_add(f, kind, word, sizeof word / sizeof word[0]);                                        \
  } while (0)

static void found_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  learn_event(((const found *)ctx)->learn, conn, ev);
}

static void found_finding(void *ctx, observe_conn *conn, const iwarp_finding *f,
                          const iwarp_event *ev) {
  (void)ev;
  FOUND_ADD(ctx, FOUND_FINDING, conn->number, f->rule, f->side, f->pos, f->field, f->octet_pos,
            f->octet_len, f->last.packet, f->other_packet);
}

static void found_closed(void *ctx, observe_conn *conn) {
  const observe_outcome *o = &conn->outcome;
  const found *f = ctx;
  if (f->learn != NULL) {
    learn_closed(f->learn, conn);
  }
  FOUND_ADD(ctx, FOUND_CONN, conn->number, conn->packet, (uint64_t)o->how, o->side, o->packet,
            conn->tally.fpdus[0], conn->tally.fpdus[1], conn->tally.octets[0],
            conn->tally.octets[1], conn->tally.gaps);
  for (uint16_t id = 0; conn->results != NULL && id < iwarp_rule_count(); id++) {
    const iwarp_rule_result *r = &conn->results[id];
    FOUND_ADD(ctx, FOUND_RULE, id, (uint64_t)r->verdict, r->reason, r->num_pass, r->num_fail,
              r->num_inconclusive);
  }
}

static void found_limit(void *ctx, const char *name, uint64_t n) {
  FOUND_ADD(ctx, FOUND_LIMIT, strlen(name), (uint64_t)name[0], n);
}

static void found_differ(void *ctx, observe_conn *conn, const observe_differ *what) {
  FOUND_ADD(ctx, FOUND_DIFFER, conn != NULL ? conn->number : UINT64_MAX, what->first, what->second,
            what->pos, what->len, (uint64_t)what->accepted);
}

static void found_transport(void *ctx, const observe_transport *what) {
  const found *f = ctx;
  const char *like = what->looks_like != NULL ? what->looks_like : "";
  if (f->learn != NULL && what->streams != NULL) {
    learn_transport(f->learn, what);
  }
  FOUND_ADD(ctx, FOUND_TRANSPORT, (uint64_t)what->state, what->cut, what->packet, strlen(like),
            (uint64_t)like[0]);
}

/* ---- packets ---- */

bool found_begin(found *f, const observe_cfg *cfg, size_t memory, const uint64_t hash_key[2],
                 learn *taught) {
  const observe_hooks hooks = {.ctx = f,
                               .event = taught != NULL ? found_event : NULL,
                               .finding = found_finding,
                               .closed = found_closed,
                               .limit = found_limit,
                               .differ = found_differ,
                               .transport = found_transport};
  observe_cfg mine = *cfg;
  *f = (found){.budget = {.limit = memory}, .learn = taught};
  mine.budget = &f->budget;
  f->observe = observe_new(&mine, &hooks);
  if (f->observe != NULL) {
    observe_file(f->observe, "");
    const ingest_cfg ing = {
        .alloc = {.ctx = f->observe, .get = observe_ingest_get, .put = observe_ingest_put},
        .opening = observe_opening,
        .conns_max = SIZE_MAX,
        .hash_key = {hash_key[0], hash_key[1]}};
    f->ingest = ingest_new(&ing);
  }
  return f->ingest != NULL;
}

void found_packet(found *f, const ingest_packet *pkt) {
  observe_packet(f->observe, f->ingest, pkt);
}

bool found_finish(found *f) {
  ingest_finish(f->ingest);
  observe_drain(f->observe, f->ingest, INGEST_DUE_MORE);
  return !observe_failed(f->observe);
}

void found_end(found *f) {
  ingest_free(f->ingest);
  observe_free(f->observe);
  f->ingest = NULL;
  f->observe = NULL;
}
