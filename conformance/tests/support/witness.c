/* SPDX-License-Identifier: BSD-2-Clause */
/* A witness of a connection: the observer and all rules, fed with what both sides say. */
#include "witness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Where the streams begin; the stream of side 1 passes 2^32 on its way. */
#define WITNESS_START_0 1001u
#define WITNESS_START_1 0xFFFFFF00u

static void must(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "witness: %s\n", what);
    abort();
  }
}

witness *witness_new(void) {
  static const iwarp_observer_cfg cfg = {.size = sizeof cfg, .max_ulpdu = UINT16_MAX};
  witness *w = calloc(1, sizeof *w);
  must(w != NULL, "no memory");
  test_pool_begin(&w->pool, 0);
  void *conn = malloc(iwarp_observer_size(&cfg));
  void *rules = malloc(iwarp_rules_size(&w->pool.pool));
  must(conn != NULL && rules != NULL, "no memory");
  must(iwarp_observer_init(&w->conn, conn, iwarp_observer_size(&cfg), &cfg) == IWARP_OK,
       "no observer");
  must(iwarp_rules_init(&w->rules, rules, iwarp_rules_size(&w->pool.pool), &w->pool.pool) ==
           IWARP_OK,
       "no rules");
  w->start[0] = WITNESS_START_0;
  w->start[1] = WITNESS_START_1;
  for (uint8_t side = 0; side < 2; side++) {
    must(iwarp_observer_start(w->conn, side, w->start[side], true, w->start[side]) == IWARP_OK,
         "no start");
  }
  return w;
}

void witness_free(witness *w) {
  iwarp_rules_release(w->rules);
  free(w->conn);
  free(w->rules);
  free(w);
}

static void take_findings(witness *w) {
  iwarp_finding f;
  while (iwarp_rules_next(w->rules, &f) == IWARP_OK) {
    if (iwarp_finding_suspected(&f)) {
      continue;
    }
    if (w->num_findings < WITNESS_FINDINGS) {
      w->findings[w->num_findings] = f;
    }
    w->num_findings++;
    w->num_by_side[f.side]++;
  }
}

static void take_events(witness *w) {
  iwarp_event ev;
  while (iwarp_observer_next_event(w->conn, &ev) == IWARP_OK) {
    if (ev.kind == IWARP_EVENT_FPDU) {
      w->fpdus[ev.side]++;
    } else if (ev.kind != IWARP_EVENT_STARTUP && ev.kind != IWARP_EVENT_END) {
      w->undecodable++;
    }
    iwarp_rules_event(w->rules, iwarp_observer_info_get(w->conn), &ev);
    take_findings(w);
  }
}

static iwarp_meta meta_of(witness *w, uint8_t side, uint64_t heard) {
  w->packet++;
  return (iwarp_meta){.packet = w->packet,
                      .time_ns = w->packet * 1000,
                      .peer_pos = w->start[1 - side] + heard,
                      .segment_start = true};
}

void witness_push(witness *w, uint8_t side, iwarp_span octets, uint64_t heard) {
  const iwarp_meta meta = meta_of(w, side, heard);
  must(!w->ended[side], "octets after the end");
  must(iwarp_observer_push(w->conn, side, octets, &meta) == IWARP_OK, "a push was refused");
  w->sent[side] += octets.len;
  take_events(w);
}

void witness_end(witness *w, uint8_t side, iwarp_end how, uint64_t heard) {
  const iwarp_meta meta = meta_of(w, side, heard);
  if (!w->ended[side]) {
    w->ended[side] = true;
    must(iwarp_observer_eof(w->conn, side, how, &meta) == IWARP_OK, "an end was refused");
    take_events(w);
  }
}

static void watch_octets(void *context, size_t who, iwarp_span octets, size_t heard) {
  witness_push(context, (uint8_t)who, octets, heard);
}

static void watch_end(void *context, size_t who, iwarp_end how, size_t heard) {
  witness_end(context, (uint8_t)who, how, heard);
}

witness *witness_of(endpoint_pair *p) {
  witness *w = witness_new();
  w->watch = (endpoint_pair_watch){.context = w, .octets = watch_octets, .end = watch_end};
  p->watch = &w->watch;
  return w;
}

void witness_finish(witness *w) {
  for (uint8_t side = 0; side < 2; side++) {
    witness_end(w, side, IWARP_END_CAPTURE, w->sent[1 - side]);
  }
  iwarp_rules_finish(w->rules, iwarp_observer_info_get(w->conn));
  take_findings(w);
}

size_t witness_count(const witness *w, unsigned sides) {
  return ((sides & 1u) != 0 ? w->num_by_side[0] : 0) + ((sides & 2u) != 0 ? w->num_by_side[1] : 0);
}

const iwarp_rule *witness_inconclusive(const witness *w) {
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result r = iwarp_rules_result(w->rules, id);
    if (r.num_inconclusive > 0 && r.reason != IWARP_REASON_NO_NEGOTIATION) {
      return iwarp_rule_get(id);
    }
  }
  return NULL;
}

void witness_tell(const witness *w, unsigned sides) {
  for (size_t i = 0; i < w->num_findings && i < WITNESS_FINDINGS; i++) {
    const iwarp_finding *f = &w->findings[i];
    if ((sides >> f->side & 1u) != 0) {
      printf("side %u octet %" PRIu64 " of its stream: %s\n", (unsigned)f->side,
             f->pos - w->start[f->side], iwarp_rule_get(f->rule)->slug);
    }
  }
}
