/* SPDX-License-Identifier: BSD-2-Clause */
/* The engine: hands each event to the rules that listen and keeps what they say. */
#include <stdalign.h>
#include <string.h>

#include "catalog.h"
#include "cause.h"
#include "classify.h"
#include "differ.h"
#include "engine.h"
#include "enter.h"
#include "evidence.h"
#include "forgotten.h"
#include "held.h"
#include "leave.h"
#include "likely.h"
#include "links.h"
#include "lose.h"
#include "memory.h"
#include "order.h"
#include "ordinary.h"
#include "refused.h"
#include "session.h"
#include "set.h"
#include "settle.h"
#include "state.h"
#include "verdict.h"

#define ENGINE_KINDS ((unsigned)IWARP_EVENT_SCTP_SEGMENT + 1u)
#define ENGINE_TRANSPORTS 2u /* TCP, SCTP */

#define ENGINE_OPCODES (IWARP_RDMAP_CTRL_OPCODE + 2u)
#define ENGINE_NO_OPCODE (IWARP_RDMAP_CTRL_OPCODE + 1u) /* the DDP header is not there */

/* A kind of ordinary segments: the rules that count a pass on each, as the first of them showed. */
struct engine_kind {
  struct rules_set passed;
  uint64_t num; /* segments, of which the rules were asked about the first alone */
};

struct iwarp_rules {
  _Alignas(max_align_t) struct rules_set disabled;
  bool limited;      /* a limit of the caller cost this connection events */
  bool any_ordinary; /* some segment was counted in `ordinary` */
  bool unchecked;    /* CRCs are not in use on the segments counted in `ordinary` */
  struct rules_set listeners[ENGINE_TRANSPORTS][ENGINE_KINDS]; /* sets by event */
  struct rules_set some[RULES_SEGMENTS];                       /* sets by kind of segment */
  struct rules_set of[ENGINE_OPCODES];                         /* sets by opcode */
  iwarp_rule_result results[RULES_COUNT]; /* results without the passes counted in `ordinary` */
  struct engine_kind ordinary[RULES_ORDINARY_KINDS];
  struct rules_findings found;
  uint32_t causes[2]; /* causes that findings of the side shared, by side, a bit for each */
  struct rules_tracker track;
  struct rules_links *links; /* may be NULL: no caller asked for links */
  /* engine of the most likely reading; NULL: the capture proves enough */
  struct engine_likely *likely;
};

/* The engine that judges the most likely reading, in memory of the pool. */
struct engine_likely {
  struct iwarp_rules rules;
  struct rules_likely state;
};

/* The tables of an engine without a pool. */
struct engine_tables {
  iwarp_finding findings[RULES_ALONE_FOUND];
  iwarp_finding held[2][RULES_ALONE_HELD];
  struct rules_request queue[2][RULES_ALONE_READS];
  struct rules_header headers[2][RULES_ALONE_HEADERS];
  struct rules_order order[2];
};

/* The engine and its tables, as they lie in memory. */
struct engine_whole {
  struct iwarp_rules rules;
  struct engine_tables tables;
};

_Static_assert(sizeof(struct engine_whole) <= IWARP_RULES_SIZE, "IWARP_RULES_SIZE is too small");

size_t iwarp_rules_size(const iwarp_pool *pool) {
  return pool != NULL ? sizeof(struct iwarp_rules) : sizeof(struct engine_whole);
}

/* True if a rule is one of this transport: 0 TCP, 1 SCTP. */
static bool engine_concerns(uint16_t id, unsigned transport) {
  return (rulesi_rows[id].transports & 1u << transport) != 0;
}

static void engine_list_events(iwarp_rules *rules, uint16_t id) {
  for (unsigned transport = 0; transport < ENGINE_TRANSPORTS; transport++) {
    for (unsigned kind = 0; kind < ENGINE_KINDS; kind++) {
      if ((rulesi_rows[id].events & 1u << kind) != 0 && engine_concerns(id, transport)) {
        rulesi_set_add(&rules->listeners[transport][kind], id);
      }
    }
  }
}

/* The classes of messages that each row of RULES_SEGMENT_MAP asks for. */
static const uint16_t engine_classes[RULES_SEGMENTS] = {
#define ENGINE_ROW(name, classes, text) [RULES_SEGMENT_##name] = (classes),
    RULES_SEGMENT_MAP(ENGINE_ROW)
#undef ENGINE_ROW
};

#define ENGINE_NO_CLASS 31u /* class of a segment without a DDP header */

/* The bit of an opcode's class. */
static uint32_t engine_class(unsigned opcode) {
  return 1u << (opcode == ENGINE_NO_OPCODE ? ENGINE_NO_CLASS
                                           : (unsigned)iwarp_rdmap_op_get((uint8_t)opcode)->cls);
}

/* The classes of all opcodes, which are found once for all rules. */
struct engine_classes {
  uint32_t of[ENGINE_OPCODES];
};

static void engine_list_segments(iwarp_rules *rules, uint16_t id,
                                 const struct engine_classes *known) {
  const uint32_t segments = rulesi_rows[id].events >> RULES_SEGMENT_SHIFT;
  uint32_t classes = segments == 0 ? UINT32_MAX : 0;
  for (unsigned i = 0; i < RULES_SEGMENTS; i++) {
    if ((segments & 1u << i) != 0) {
      rulesi_set_add(&rules->some[i], id);
      classes |= engine_classes[i];
    }
  }
  for (unsigned opcode = 0; opcode < ENGINE_OPCODES; opcode++) {
    if ((classes & known->of[opcode]) != 0) {
      rulesi_set_add(&rules->of[opcode], id);
    }
  }
}

/* All rules judge, disabled ones too: the findings of a rule depend on the connection alone.
 * Findings of disabled rules are dropped when they are handed out. */
static void engine_list(iwarp_rules *rules) {
  struct engine_classes known;
  for (unsigned opcode = 0; opcode < ENGINE_OPCODES; opcode++) {
    known.of[opcode] = engine_class(opcode);
  }
  for (uint16_t id = 0; id < RULES_COUNT; id++) {
    engine_list_segments(rules, id, &known);
    engine_list_events(rules, id);
  }
}

static void engine_use_tables(iwarp_rules *rules, struct engine_tables *tables) {
  rules->found.entry = tables->findings;
  rules->found.cap = RULES_ALONE_FOUND;
  for (size_t i = 0; i < 2; i++) {
    struct rules_side *side = &rules->track.side[i];
    side->docket.held.entry = tables->held[i];
    side->docket.held.cap = RULES_ALONE_HELD;
    side->requests.queue = tables->queue[i];
    side->requests.cap = RULES_ALONE_READS;
    side->headers.entry = tables->headers[i];
    side->headers.max = RULES_ALONE_HEADERS;
    side->headers.cap = RULES_ALONE_HEADERS;
    side->messages.order = &tables->order[i];
    side->messages.order_cap = 1;
  }
}

iwarp_err iwarp_rules_init(iwarp_rules **out, void *mem, size_t mem_len, const iwarp_pool *pool) {
  if (out == NULL || mem == NULL || (uintptr_t)mem % alignof(max_align_t) != 0) {
    return IWARP_ERR_ARG;
  }
  if (mem_len < iwarp_rules_size(pool)) {
    return IWARP_ERR_NOBUF;
  }
  iwarp_rules *rules = mem;
  memset(rules, 0, sizeof(*rules));
  rulesi_state_init(&rules->track);
  rules->found.pool = pool;
  rules->track.pool = pool;
  if (pool == NULL) {
    engine_use_tables(rules, &((struct engine_whole *)mem)->tables);
  }
  engine_list(rules);
  *out = rules;
  return IWARP_OK;
}

static void engine_forget_found(iwarp_rules *rules) {
  struct rules_findings *found = &rules->found;
  rulesi_give_back(found->pool, found->entry, found->cap, sizeof(found->entry[0]));
  found->entry = NULL;
  found->num = found->next = found->cap = 0;
}

static void engine_trim_requests(const iwarp_pool *pool, struct rules_requests *r) {
  if (r->num == 0 && r->recovery.num == 0) {
    rulesi_give_back(pool, r->queue, r->cap, sizeof(r->queue[0]));
    r->queue = NULL;
    r->cap = 0;
  }
  if (r->num_answers == 0) {
    rulesi_give_back(pool, r->answers, r->cap_answers, sizeof(r->answers[0]));
    r->answers = NULL;
    r->cap_answers = 0;
  }
}

static void engine_trim(iwarp_rules *rules) {
  const iwarp_pool *pool = rules->found.pool;
  engine_forget_found(rules);
  for (size_t i = 0; i < 2; i++) {
    struct rules_held *held = &rules->track.side[i].docket.held;
    engine_trim_requests(pool, &rules->track.side[i].requests);
    if (held->num == 0) {
      rulesi_give_back(pool, held->entry, held->cap, sizeof(held->entry[0]));
      held->entry = NULL;
      held->cap = 0;
    }
  }
}

void iwarp_rules_trim(iwarp_rules *rules) {
  if (rules->found.pool == NULL || rules->found.next < rules->found.num) {
    return;
  }
  engine_trim(rules);
  if (rules->likely != NULL) {
    engine_trim(&rules->likely->rules);
  }
}

/* Gives back the tables. */
static void engine_release_tables(iwarp_rules *rules) {
  const iwarp_pool *pool = rules->found.pool;
  rulesi_links_release(pool, rules->links);
  rules->links = NULL;
  engine_forget_found(rules);
  for (size_t i = 0; i < 2; i++) {
    struct rules_side *s = &rules->track.side[i];
    const struct rules_held *held = &s->docket.held;
    rulesi_give_back(pool, held->entry, held->cap, sizeof(held->entry[0]));
    rulesi_give_back(pool, s->requests.queue, s->requests.cap, sizeof(s->requests.queue[0]));
    rulesi_give_back(pool, s->requests.answers, s->requests.cap_answers,
                     sizeof(s->requests.answers[0]));
    rulesi_give_back(pool, s->headers.entry, s->headers.cap, sizeof(s->headers.entry[0]));
    rulesi_forgotten_release(pool, s);
    rulesi_give_back(pool, s->messages.order, s->messages.order_cap, sizeof(s->messages.order[0]));
  }
  rulesi_state_init(&rules->track);
  rules->track.pool = pool;
}

static void engine_likely_end(iwarp_rules *rules) {
  const iwarp_pool *pool = rules->found.pool;
  if (rules->likely != NULL) {
    engine_release_tables(&rules->likely->rules);
    pool->put(pool->ctx, rules->likely, sizeof(*rules->likely));
    rules->likely = NULL;
  }
}

void iwarp_rules_release(iwarp_rules *rules) {
  if (rules->found.pool != NULL) {
    engine_likely_end(rules);
    engine_release_tables(rules);
  }
}

/* Returns a copy of a table of `cap` entries; NULL: there is no table, or, with *ok false, no
 * memory. */
static void *engine_copy_table(const iwarp_pool *pool, const void *table, uint32_t cap, size_t each,
                               bool *ok) {
  void *copy = table != NULL ? pool->get(pool->ctx, cap * each) : NULL;
  if (copy != NULL) {
    memcpy(copy, table, cap * each);
  }
  *ok = *ok && (copy != NULL || table == NULL);
  return copy;
}

#define ENGINE_COPY(pool, table, cap, ok)                                                          \
  ((table) = engine_copy_table(pool, table, cap, sizeof((table)[0]), ok))

static void engine_copy_side(const iwarp_pool *pool, struct rules_side *s, bool *ok) {
  ENGINE_COPY(pool, s->docket.held.entry, s->docket.held.cap, ok);
  ENGINE_COPY(pool, s->requests.queue, s->requests.cap, ok);
  ENGINE_COPY(pool, s->requests.answers, s->requests.cap_answers, ok);
  ENGINE_COPY(pool, s->headers.entry, s->headers.cap, ok);
  ENGINE_COPY(pool, s->headers.forgotten, RULES_FORGOTTEN, ok);
  ENGINE_COPY(pool, s->messages.order, s->messages.order_cap, ok);
}

/* Makes `out` know what `rules` knows, with tables of its own; false: no memory for all of them. */
static bool engine_copy(iwarp_rules *out, const iwarp_rules *rules) {
  const iwarp_pool *pool = rules->found.pool;
  *out = *rules;
  out->links = NULL;
  out->likely = NULL;
  out->found = (struct rules_findings){.pool = pool};
  bool ok = true;
  for (size_t i = 0; i < 2; i++) {
    engine_copy_side(pool, &out->track.side[i], &ok);
  }
  return ok;
}

/* Passes of the rule on ordinary segments that it was not asked about. */
static uint64_t engine_ordinary_passes(const iwarp_rules *rules, uint16_t id) {
  uint64_t num = 0;
  for (unsigned kind = 0; rules->any_ordinary && kind < RULES_ORDINARY_KINDS; kind++) {
    num += rulesi_set_has(&rules->ordinary[kind].passed, id) ? rules->ordinary[kind].num - 1 : 0;
  }
  return num;
}

void rulesi_forget_kinds(iwarp_rules *rules) {
  for (uint16_t id = 0; id < RULES_COUNT; id++) {
    rules->results[id].num_pass += engine_ordinary_passes(rules, id);
  }
  memset(rules->ordinary, 0, sizeof(rules->ordinary));
  rules->any_ordinary = false;
}

bool rulesi_explained(const iwarp_rules *rules, uint16_t id) {
  const struct rules_findings *found = &rules->found;
  const uint16_t bit = (uint16_t)(id + 1u);
  return ((found->explained[bit / 8u] & ~found->withdrawn[bit / 8u]) >> bit % 8u & 1) != 0;
}

bool rulesi_unexplained(const iwarp_rules *rules) {
  return (rules->found.explained[0] & 1u) != 0;
}

iwarp_err iwarp_rules_disable(iwarp_rules *rules, uint16_t id) {
  if (id >= RULES_COUNT) {
    return IWARP_ERR_ARG;
  }
  rulesi_set_add(&rules->disabled, id);
  return IWARP_OK;
}

/* Adds the rules that judge such segments alone, if the segment `is` one. */
static inline void engine_due(struct rules_set *due, const iwarp_rules *rules, bool is,
                              enum rules_segment segment) {
  for (size_t k = 0; is && k < RULES_SET_WORDS; k++) {
    due->word[k] |= rules->some[segment].word[k];
  }
}

/* The rules that speak of the segment. */
static struct rules_set engine_speak(const iwarp_rules *rules, const struct rules_ctx *ctx) {
  const iwarp_mpa_fpdu *f = &ctx->ev->u.fpdu.fpdu;
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  struct rules_set due = rules->of[seg->has_ddp ? seg->ctrl.opcode : ENGINE_NO_OPCODE];
  engine_due(&due, rules, ctx->facts.first, RULES_SEGMENT_FIRST);
  engine_due(&due, rules,
             (f->markers && f->layout.num_markers != 0) ||
                 ctx->facts.diagnosis == DIAGNOSIS_EXTRA_MARKERS,
             RULES_SEGMENT_MARKED);
  engine_due(&due, rules, f->layout.pad != 0, RULES_SEGMENT_PADDED);
  engine_due(&due, rules, seg->has_ddp && seg->ddp.tagged, RULES_SEGMENT_TAGGED);
  engine_due(&due, rules, seg->has_ddp && !seg->ddp.tagged, RULES_SEGMENT_UNTAGGED);
  engine_due(&due, rules, seg->has_ddp && seg->payload_len == 0, RULES_SEGMENT_EMPTY);
  return due;
}

/* The rules that are to be asked about the event. */
static struct rules_set engine_asked(const iwarp_rules *rules, const struct rules_ctx *ctx) {
  struct rules_set set = rules->listeners[ctx->info->sctp ? 1 : 0][ctx->ev->kind];
  if (ctx->ev->kind == IWARP_EVENT_FPDU || ctx->ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    const struct rules_set due = engine_speak(rules, ctx);
    for (size_t k = 0; k < RULES_SET_WORDS; k++) {
      set.word[k] &= due.word[k];
    }
  }
  return set;
}

/* The number of the lowest bit that is set; there must be one. */
static unsigned engine_lowest(uint64_t word) {
#ifdef __GNUC__
  return (unsigned)__builtin_ctzll(word);
#else
  unsigned bit = 0;
  while ((word >> bit & 1u) == 0) {
    bit++;
  }
  return bit;
#endif
}

/* Asks the rules, in the order of the catalogue. */
static void engine_ask(const struct rules_set *set, struct rules_ctx *ctx) {
  for (size_t k = 0; k < RULES_SET_WORDS; k++) {
    for (uint64_t left = set->word[k]; left != 0; left &= left - 1) {
      ctx->rule = (uint16_t)(64u * k + engine_lowest(left));
      rulesi_rows[ctx->rule].judge(ctx);
    }
  }
}

/* A startup frame, or an INIT, of damaged octets: the receiver may have taken another copy, which
 * is lost. */
static void engine_inconclusive(const struct rules_set *set, struct rules_ctx *ctx) {
  for (ctx->rule = 0; ctx->rule < RULES_COUNT; ctx->rule++) {
    if (rulesi_set_has(set, ctx->rule)) {
      rulesi_inconclusive(ctx, rulesi_doubt(&ctx->ev->last));
    }
  }
}

static void engine_clear(iwarp_rules *rules) {
  rules->found.num = 0;
  rules->found.next = 0;
}

/* The event as rules see it, and the state that it changes. */
static struct rules_event engine_context(iwarp_rules *rules, const iwarp_observer_info *info,
                                         const iwarp_event *ev) {
  return (struct rules_event){.ctx = {.findings = &rules->found,
                                      .track = &rules->track,
                                      .info = info,
                                      .ev = ev,
                                      .results = rules->results},
                              .state = &rules->track};
}

/* No rule can judge such an event where its octets are damaged. */
static bool engine_needs_sound(iwarp_event_kind kind) {
  return kind == IWARP_EVENT_STARTUP || kind == IWARP_EVENT_SCTP_MESSAGE ||
         kind == IWARP_EVENT_SCTP_INIT;
}

/* Asks the rules about the event. */
static void engine_judge(iwarp_rules *rules, struct rules_ctx *ctx) {
  const iwarp_event *ev = ctx->ev;
  rulesi_docket_match(ctx);
  rulesi_enter(ctx);
  rulesi_classify(ctx);
  rulesi_settle(ctx);
  const struct rules_set asked = engine_asked(rules, ctx);
  if (ev->last.damaged && engine_needs_sound(ev->kind) && !rulesi_differ_shallow(ev)) {
    engine_inconclusive(&asked, ctx);
  } else {
    engine_ask(&asked, ctx);
    rulesi_causes(&rules->found, &rules->disabled, rules->causes, ev);
    rulesi_held_settle(ctx);
  }
}

/* Asks the rules about the first segment of a kind, and keeps which of them counted a pass. */
static void engine_learn(iwarp_rules *rules, struct rules_ctx *ctx, struct engine_kind *kind) {
  uint64_t before[RULES_COUNT];
  for (uint16_t i = 0; i < RULES_COUNT; i++) {
    before[i] = rules->results[i].num_pass;
  }
  engine_judge(rules, ctx);
  for (uint16_t id = 0; id < RULES_COUNT; id++) {
    if (rules->results[id].num_pass != before[id]) {
      rulesi_set_add(&kind->passed, id);
    }
  }
}

/* What the rules count on ordinary segments depends on the use of CRCs. */
static void engine_use_crc(iwarp_rules *rules, const iwarp_observer_info *info) {
  const bool unchecked = info->crc == IWARP_TRISTATE_OFF;
  if (rules->unchecked != unchecked) {
    rulesi_forget_kinds(rules);
    rules->unchecked = unchecked;
  }
}

static void engine_event(iwarp_rules *rules, const iwarp_observer_info *info, const iwarp_event *ev,
                         const iwarp_sctp_certainty *certainty) {
  rules->track.side[0].chain.steady = rules->track.side[1].chain.steady = false;
  struct rules_event event = engine_context(rules, info, ev);
  event.ctx.certainty = certainty;
  struct rules_ctx *ctx = &event.ctx;
  engine_use_crc(rules, info);
  const unsigned kind = rulesi_ordinary(ctx);
  if (kind == RULES_ORDINARY_NONE) {
    engine_judge(rules, ctx);
  } else if (rules->ordinary[kind].num++ == 0) {
    engine_learn(rules, ctx, &rules->ordinary[kind]);
  } else {
    rules->any_ordinary = true;
    rulesi_ordinary_facts(ctx);
  }
  rulesi_links_event(rules->links, ctx);
  rulesi_docket_close(ctx);
  rulesi_leave(ctx);
  rules->limited = rules->limited || rules->found.lost || info->limits != 0;
}

iwarp_err iwarp_rules_follow_links(iwarp_rules *rules) {
  if (rules->links == NULL) {
    rules->links = rulesi_links_make(rules->track.pool);
  }
  return rules->links != NULL ? IWARP_OK : IWARP_ERR_NOBUF;
}

iwarp_link iwarp_rules_link(const iwarp_rules *rules) {
  return rules->links != NULL ? rules->links->last : (iwarp_link){.kind = IWARP_LINK_NONE};
}

static unsigned engine_expects(const iwarp_rules *rules, const iwarp_observer_info *info,
                               const iwarp_observer_fpdu *fpdu) {
  const unsigned kind = rulesi_ordinary_fpdu(&rules->track, info, fpdu);
  const bool learnt = kind != RULES_ORDINARY_NONE && rules->ordinary[kind].num > 0 &&
                      !(rules->links != NULL && rulesi_ordinary_answers(kind));
  return learnt && rules->unchecked == (info->crc == IWARP_TRISTATE_OFF) ? kind + 1u : 0;
}

unsigned iwarp_rules_expects(const iwarp_rules *rules, const iwarp_observer_info *info,
                             const iwarp_observer_fpdu *fpdu) {
  const unsigned expected = info->limits == 0 ? engine_expects(rules, info, fpdu) : 0;
  const bool agreed = rules->likely == NULL || expected == 0 ||
                      (info->crc != IWARP_TRISTATE_OFF &&
                       engine_expects(&rules->likely->rules, info, fpdu) == expected);
  return agreed ? expected : 0;
}

static void engine_fpdu(iwarp_rules *rules, const iwarp_observer_fpdu *fpdu, unsigned expected) {
  struct rules_side *own = &rules->track.side[fpdu->side];
  engine_clear(rules);
  rules->ordinary[expected - 1u].num++;
  rules->any_ordinary = true;
  own->chain.steady = true;
  if (rules->links != NULL) {
    rules->links->last = rulesi_ordinary_link(expected - 1u);
  }
  rulesi_leave_ordinary(&rules->track, own, fpdu, !rules->unchecked);
}

void iwarp_rules_fpdu(iwarp_rules *rules, const iwarp_observer_fpdu *fpdu, unsigned expected) {
  engine_fpdu(rules, fpdu, expected);
  if (rules->likely != NULL) {
    engine_fpdu(&rules->likely->rules, fpdu, expected);
    rulesi_likely_passed(&rules->likely->state, fpdu);
  }
}

/* ---- the most likely reading ---- */

/* Makes the engine of the most likely reading, which knows what this engine knows. */
static void engine_likely_begin(iwarp_rules *rules) {
  const iwarp_pool *pool = rules->found.pool;
  struct engine_likely *likely = pool != NULL ? pool->get(pool->ctx, sizeof(*likely)) : NULL;
  if (likely == NULL) {
    return;
  }
  memset(likely, 0, sizeof(*likely));
  for (unsigned i = 0; i < 2; i++) { /* gaps before it are known where another one ended */
    likely->state.chain[i].gapped = rules->track.side[i].chain.gapped;
  }
  rules->likely = likely;
  if (!engine_copy(&likely->rules, rules)) {
    engine_likely_end(rules);
    return;
  }
  for (unsigned i = 0; i < 2; i++) {
    likely->rules.track.side[i].chain.presumed = true;
  }
}

/* Returns true if this engine has a finding about the octets, or one that waits. */
static bool engine_says(const iwarp_rules *rules, const iwarp_finding *f, bool waits) {
  const struct rules_held *held = &rules->track.side[f->side].docket.held;
  const iwarp_finding *entry = waits ? held->entry : rules->found.entry;
  const uint32_t num = waits ? held->num : rules->found.num;
  for (uint32_t i = 0; i < num; i++) {
    if (entry[i].side == f->side && entry[i].pos == f->pos &&
        entry[i].certainty == IWARP_FINDING_CERTAIN) {
      return true;
    }
  }
  return false;
}

/* Hands out a suspected finding. */
static void engine_suspect(iwarp_rules *rules, const iwarp_observer_info *info, iwarp_finding *f) {
  iwarp_rule_result *r = &rules->results[f->rule];
  const uint32_t reason = rulesi_likely_suspect(f, &rules->likely->state, info);
  if (reason == 0) {
    return;
  }
  if (r->num_inconclusive == 0) {
    rulesi_count_inconclusive(r, reason);
  }
  *rulesi_room(&rules->found) = *f;
}

/* What is to be done with a finding that the most likely reading has. */
enum engine_suspicion { SUSPICION_DROP, SUSPICION_HOLD, SUSPICION_REPORT };

/* A suspected finding is held while this engine may report the octets itself, and until the FPDU is
 * likely to be an FPDU. A finding on an answer is held until the guess about requests is confirmed.
 */
static enum engine_suspicion engine_suspicion(const iwarp_rules *rules, const iwarp_finding *f) {
  const iwarp_tristate stands = rulesi_likely_stands(&rules->likely->state, f);
  const iwarp_tristate doubt = rulesi_guess_doubt(rules->likely->state.guess, f);
  const bool private =
      f->pos < rules->track.side[f->side].startup.private_end; /* the FPDU may be Private Data */
  if (engine_says(rules, f, false) || stands == IWARP_TRISTATE_OFF || doubt == IWARP_TRISTATE_ON ||
      private) {
    return SUSPICION_DROP;
  }
  const bool waits = stands == IWARP_TRISTATE_UNKNOWN || doubt == IWARP_TRISTATE_UNKNOWN;
  return waits || engine_says(rules, f, true) ? SUSPICION_HOLD : SUSPICION_REPORT;
}

static void engine_suspect_held(iwarp_rules *rules, const iwarp_observer_info *info) {
  struct rules_likely *state = &rules->likely->state;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < state->num_held; i++) {
    iwarp_finding *f = &state->held[i];
    const enum engine_suspicion what = engine_suspicion(rules, f);
    if (what == SUSPICION_HOLD) {
      state->held[kept++] = *f;
    } else if (what == SUSPICION_REPORT) {
      engine_suspect(rules, info, f);
    }
  }
  state->num_held = kept;
}

/* Takes what the engine of the most likely reading has found. */
static void engine_likely_findings(iwarp_rules *rules, const iwarp_observer_info *info) {
  struct rules_likely *state = &rules->likely->state;
  struct rules_findings *found = &rules->likely->rules.found;
  engine_suspect_held(rules, info);
  for (uint32_t i = 0; i < found->num; i++) {
    iwarp_finding *f = &found->entry[i];
    const enum engine_suspicion what = engine_suspicion(rules, f);
    if (what == SUSPICION_REPORT) {
      engine_suspect(rules, info, f);
    } else if (what == SUSPICION_HOLD && state->num_held < RULES_LIKELY_HELD) {
      state->held[state->num_held++] = *f;
    }
  }
  found->num = found->next = 0;
}

/* Judges the most likely reading of an event. */
static void engine_likely_event(iwarp_rules *rules, const iwarp_observer_info *info,
                                const iwarp_event *ev) {
  struct engine_likely *likely = rules->likely;
  const bool inside = rules_seen_past(&likely->rules.track.side[ev->side], ev);
  struct rules_reading reading;
  if (rulesi_likely_read(&reading, &likely->state, info, ev, inside)) {
    rulesi_likely_presume(&likely->rules.track, &likely->state);
    const uint32_t waited = likely->rules.track.side[1u - ev->side].requests.num;
    engine_event(&likely->rules, &reading.info, &reading.ev, NULL);
    rulesi_guess_judge(likely->state.guess, &likely->rules.track, ev, &likely->rules.found, waited);
  }
  engine_likely_findings(rules, info);
}

void iwarp_rules_event(iwarp_rules *rules, const iwarp_observer_info *info, const iwarp_event *ev) {
  engine_clear(rules);
  if (rules->likely == NULL && rulesi_likely_begins(info, ev)) {
    engine_likely_begin(rules);
  }
  engine_event(rules, info, ev, NULL);
  if (rules->likely != NULL) {
    engine_likely_event(rules, info, ev);
  }
}

void iwarp_rules_sctp_event(iwarp_rules *rules, const iwarp_observer_info *info,
                            const iwarp_event *ev, const iwarp_sctp_certainty *certainty) {
  engine_clear(rules);
  engine_event(rules, info, ev, certainty);
}

/* True if a rule speaks of segments with one of the opcodes. */
static bool engine_speaks(const iwarp_rules *rules, uint16_t id, uint32_t opcodes) {
  bool speaks = false;
  for (unsigned opcode = 0; opcode < ENGINE_OPCODES; opcode++) {
    speaks = speaks || ((opcodes >> opcode & 1u) != 0 && rulesi_set_has(&rules->of[opcode], id));
  }
  return speaks;
}

void iwarp_rules_differ(iwarp_rules *rules, const iwarp_observer_info *info, uint8_t side,
                        uint64_t pos, uint64_t len, bool right) {
  engine_likely_end(rules); /* the likely engine may have judged other octets */
  struct rules_differ d =
      rulesi_differ_of(&rules->track, info, side, (struct rules_range){pos, pos + len});
  d.crc = d.crc && !right;
  d.pad = d.pad && !right;
  const iwarp_event ev = {.kind = IWARP_EVENT_FPDU, .side = side, .pos = pos};
  struct rules_event event = engine_context(rules, info, &ev);
  struct rules_ctx *ctx = &event.ctx;
  for (ctx->rule = 0; ctx->rule < RULES_COUNT; ctx->rule++) {
    const bool passed =
        rules->results[ctx->rule].num_pass + engine_ordinary_passes(rules, ctx->rule) > 0;
    if (passed && rulesi_differ_rests(&d, ctx->rule, engine_speaks(rules, ctx->rule, d.opcodes))) {
      rulesi_inconclusive(ctx, IWARP_REASON_OCTETS_DIFFER);
    }
  }
  struct rules_side *own = &rules->track.side[side];
  rules->track.side[0].chain.steady = rules->track.side[1].chain.steady = false;
  own->chain.doubted = own->chain.doubted || (pos + len > own->end && !info->sctp);
  iwarp_meta *frame = &own->startup.event.last;
  frame->differ = frame->differ || d.key;
  frame->damaged = frame->damaged || d.negotiated;
  own->first.invalid = own->first.invalid && !d.crc;
  if (d.header) {
    rulesi_lose(ctx, rules_reason(IWARP_REASON_OCTETS_DIFFER));
  }
  if (info->sctp) {
    rulesi_sctp_differs(ctx);
  }
}

void iwarp_rules_doubt(iwarp_rules *rules, uint8_t side, uint64_t end) {
  struct rules_side *own = &rules->track.side[side];
  own->chain.doubted = own->chain.doubted || end > own->end;
}

void iwarp_rules_copy(iwarp_rules *rules, const iwarp_observer_info *info,
                      const iwarp_event *second) {
  struct rules_event event = engine_context(rules, info, second);
  event.ctx.rule = RULES_mpa_crc;
  engine_clear(rules);
  if (second->u.fpdu.crc == IWARP_CRC_BAD) {
    rulesi_crc_fails(&event.ctx);
  }
}

void iwarp_rules_limit(iwarp_rules *rules) {
  rules->limited = true;
}

static iwarp_verdict engine_verdict(const iwarp_rules *rules, uint16_t id) {
  const iwarp_rule_result *r = &rules->results[id];
  if (rulesi_set_has(&rules->disabled, id)) {
    return IWARP_VERDICT_DISABLED;
  }
  if (r->num_fail > 0) {
    return IWARP_VERDICT_FAIL;
  }
  if (r->num_inconclusive > 0) {
    return IWARP_VERDICT_INCONCLUSIVE;
  }
  return r->num_pass > 0 ? IWARP_VERDICT_PASS : IWARP_VERDICT_NOT_SEEN;
}

/* Whatever was not decided might have been by the events that the limit cost. */
static void engine_limit_undecided(iwarp_rules *rules, const iwarp_observer_info *info) {
  for (uint16_t id = 0; id < RULES_COUNT; id++) {
    const iwarp_verdict verdict = engine_verdict(rules, id);
    if ((verdict == IWARP_VERDICT_NOT_SEEN || verdict == IWARP_VERDICT_INCONCLUSIVE) &&
        engine_concerns(id, info->sctp ? 1 : 0)) {
      rulesi_count_inconclusive(&rules->results[id], IWARP_REASON_LIMIT);
    }
  }
}

/* A stream whose end was never reported is one that the capture does not show to its end. */
static void engine_finish(iwarp_rules *rules, const iwarp_observer_info *info) {
  engine_clear(rules);
  for (uint8_t side = 0; side < 2; side++) {
    const iwarp_event end = {.kind = IWARP_EVENT_END, .side = side, .u.end = IWARP_END_CAPTURE};
    struct rules_side *s = &rules->track.side[side];
    rulesi_held_finish(s, &rules->found, rules->results);
    if ((s->docket.open & QUESTIONS_UNTIL_FINISH) != 0) {
      engine_event(rules, info, &end, NULL);
    }
  }
}

void iwarp_rules_finish(iwarp_rules *rules, const iwarp_observer_info *info) {
  engine_finish(rules, info);
  if (rules->likely != NULL) {
    iwarp_observer_info likely = *info;
    rulesi_likely_info(&likely, &rules->likely->state);
    engine_finish(&rules->likely->rules, &likely);
    engine_likely_findings(rules, info);
  }
  if (rules->limited || rules->found.lost) {
    rules->limited = false;
    rules->found.lost = false;
    engine_limit_undecided(rules, info);
  }
}

iwarp_err iwarp_rules_next(iwarp_rules *rules, iwarp_finding *out) {
  const struct rules_findings *found = &rules->found;
  while (found->next < found->num) {
    const iwarp_finding *entry = &found->entry[rules->found.next++];
    if (!rulesi_set_has(&rules->disabled, entry->rule)) {
      *out = *entry;
      return IWARP_OK;
    }
  }
  return IWARP_ERR_END;
}

iwarp_rule_result iwarp_rules_result(const iwarp_rules *rules, uint16_t id) {
  iwarp_rule_result result = {.verdict = IWARP_VERDICT_NOT_SEEN};
  if (id < RULES_COUNT && !rulesi_set_has(&rules->disabled, id)) {
    result = rules->results[id];
    result.num_pass += engine_ordinary_passes(rules, id);
  }
  if (id < RULES_COUNT) {
    result.verdict = engine_verdict(rules, id);
  }
  return result;
}
