/* SPDX-License-Identifier: BSD-2-Clause */
/* The order of plays, and what they come to. */
#include <peer/campaign.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#define CAMPAIGN_PLAYS 3u       /* plays of a case that fails */
#define CAMPAIGN_TRIES 5u       /* tries of the canary before the target is lost */
#define CAMPAIGN_ANSWERED 2u    /* tries that one try counts for if it found a listener */
#define CAMPAIGN_PLAIN_TRIES 2u /* tries of the first canary with Rev 1 */
#define CAMPAIGN_PAUSE_NS UINT64_C(100000000) /* pause after the first try; it doubles */
#define CAMPAIGN_WAIT_MIN_NS UINT64_C(400000000)
#define CAMPAIGN_WAIT_SECOND_NS UINT64_C(3000000000) /* second canary, if none passed */
#define CAMPAIGN_WAIT_MAX_NS UINT64_C(10000000000)
#define CAMPAIGN_WAIT_TIMES 10u /* the wait for an answer in times of the canary */
#define CAMPAIGN_OPEN_MIN_NS UINT64_C(4000000000)
#define CAMPAIGN_OPEN_MAX_NS UINT64_C(100000000000)

/* The state of the run. */
typedef enum campaign_state {
  CAMPAIGN_BEGIN = 0, /* the first canary */
  CAMPAIGN_CASE,      /* the next play of a case */
  CAMPAIGN_AFTER,     /* the canary after a play that did not pass */
  CAMPAIGN_RESTART,
  CAMPAIGN_BACK, /* the canary after a restart */
  CAMPAIGN_LAST, /* the canary at the end */
  CAMPAIGN_OVER
} campaign_state;

struct peer_campaign {
  peer_campaign_cfg cfg;
  campaign_state state;
  peer_outcome *outcomes;
  peer_result plays[CAMPAIGN_PLAYS]; /* plays of the present case */
  size_t at;                         /* number of the present case */
  unsigned int tries;                /* tries of the canary, in a row */
  bool stopped;                      /* peer_campaign_stop was called */
  bool paused;                       /* a pause comes before the next try */
  uint8_t rev;
  uint64_t wait_ns; /* bound of the wait for an answer */
  uint64_t open_ns; /* bound of the wait for a connection */
  peer_result canary;
  uint64_t canary_ns;
};

peer_campaign *peer_campaign_new(const peer_campaign_cfg *cfg) {
  peer_campaign *c = memory_zeroed(1, sizeof *c);
  if (c == NULL) {
    return NULL;
  }
  c->cfg = *cfg;
  c->outcomes = memory_zeroed(cfg->num_items + 1, sizeof *c->outcomes);
  if (c->outcomes == NULL) {
    free(c);
    return NULL;
  }
  return c;
}

void peer_campaign_free(peer_campaign *c) {
  if (c != NULL) {
    free(c->outcomes);
    free(c);
  }
}

const peer_outcome *peer_campaign_outcome(const peer_campaign *c, size_t i) {
  return &c->outcomes[i];
}

const peer_result *peer_campaign_canary(const peer_campaign *c, uint64_t *time_ns) {
  *time_ns = c->canary_ns;
  return &c->canary;
}

/* The line of the page that asks for a sign of life; UINT_MAX: none does. */
static unsigned int campaign_probe_line(const peer_page *canary) {
  const char *at = peer_page_text(canary);
  for (unsigned int line = 1; *at != 0; line++) {
    if (strncmp(at, "probe", 5) == 0) {
      return line;
    }
    at += strcspn(at, "\n");
    at += *at != 0 ? 1 : 0;
  }
  return UINT_MAX;
}

bool peer_alive(const peer_page *canary, const peer_result *r) {
  switch (r->verdict) {
  case PEER_PASS:
  case PEER_WARNING:
  case PEER_ALLOWED: return true;
  case PEER_FAIL: return iwarp_rule_find(r->why) != NULL && r->line >= campaign_probe_line(canary);
  case PEER_UNDECIDED: /* the target takes no Reads, and nothing was agreed on them */
    return r->line >= campaign_probe_line(canary) && strstr(r->why, "Reads") != NULL;
  case PEER_UNSTABLE:
  case PEER_SKIPPED:
  case PEER_ERROR: break;
  }
  return false;
}

/* ---- the next step ---- */

static bool campaign_is_canary(const peer_campaign *c) {
  return c->state != CAMPAIGN_CASE && c->state != CAMPAIGN_RESTART && c->state != CAMPAIGN_OVER;
}

static void campaign_play(const peer_campaign *c, peer_step *out) {
  const bool canary = campaign_is_canary(c);
  const peer_item *item = canary ? NULL : &c->cfg.items[c->at];
  *out = (peer_step){.kind = PEER_STEP_PLAY,
                     .page = canary ? c->cfg.canary : item->page,
                     .how = c->cfg.how,
                     .canary = canary,
                     .item = c->at,
                     .attempt = canary ? c->tries : c->outcomes[c->at].plays};
  out->how.instance = canary ? 0 : item->instance;
  out->how.rev = c->rev;
  out->how.wait_ns = c->wait_ns;
  out->how.open_ns = c->open_ns;
}

/* The canary is tried again after a pause that gets longer. */
static bool campaign_pause(peer_campaign *c, peer_step *out) {
  if (c->tries == 0 || c->paused) {
    return false;
  }
  c->paused = true;
  *out = (peer_step){.kind = PEER_STEP_PAUSE,
                     .pause_ns = CAMPAIGN_PAUSE_NS << (c->tries < 4 ? c->tries - 1 : 3)};
  return true;
}

/* A case that is skipped and one that is not there are both not played. */
static void campaign_skip_to_end(peer_campaign *c) {
  if (c->state == CAMPAIGN_CASE && c->at == c->cfg.num_items) {
    c->state = CAMPAIGN_LAST;
    c->tries = 0;
  }
}

/* Cases whose turn did not come. */
static void campaign_not_run(peer_campaign *c) {
  const char *why = c->stopped          ? "not run: interrupted"
                    : c->canary_ns == 0 ? "not run: the target never passed the canary"
                                        : "not run: the target was lost before";
  for (; c->at < c->cfg.num_items; c->at++) {
    peer_outcome *o = &c->outcomes[c->at];
    o->decided = true;
    o->result = (peer_result){.verdict = PEER_UNDECIDED};
    (void)snprintf(o->result.why, sizeof o->result.why, "%s", why);
  }
}

bool peer_campaign_next(peer_campaign *c, peer_step *out) {
  campaign_skip_to_end(c);
  if (c->state == CAMPAIGN_OVER) {
    campaign_not_run(c);
    return false;
  }
  if (c->state == CAMPAIGN_RESTART) {
    *out = (peer_step){.kind = PEER_STEP_RESTART};
    return true;
  }
  if (!campaign_is_canary(c) || !campaign_pause(c, out)) {
    campaign_play(c, out);
  }
  return true;
}

/* ---- results ---- */

static uint64_t campaign_scaled(uint64_t ns, uint64_t least, uint64_t most) {
  const uint64_t wait_ns = CAMPAIGN_WAIT_TIMES * ns;
  return wait_ns < least ? least : wait_ns > most ? most : wait_ns;
}

/* The time of COMMAND to connect has no part in the time of the target to answer. */
static void campaign_canary_passed(peer_campaign *c, const peer_result *result) {
  c->canary_ns = result->exchange_ns > 0 ? result->exchange_ns : 1;
  c->wait_ns = campaign_scaled(result->exchange_ns, CAMPAIGN_WAIT_MIN_NS, CAMPAIGN_WAIT_MAX_NS);
  c->open_ns = campaign_scaled(result->opening_ns, CAMPAIGN_OPEN_MIN_NS, CAMPAIGN_OPEN_MAX_NS);
  c->tries = 0;
}

/* The plays so far are all that there will be. */
static void campaign_decide(peer_campaign *c) {
  peer_outcome *o = &c->outcomes[c->at];
  o->decided = true;
  o->result = peer_result_combine(c->plays, o->plays);
  c->at++;
  c->state = CAMPAIGN_CASE;
}

/* The target does not live any more. */
static void campaign_lost(peer_campaign *c) {
  const bool after = c->state == CAMPAIGN_AFTER;
  const bool ended = c->state == CAMPAIGN_LAST;
  c->tries = 0;
  if (after) {
    campaign_decide(c);
  }
  if (c->at > 0 && (after || ended)) {
    c->outcomes[c->at - 1].lost = true;
  }
  c->state =
      after && c->cfg.can_restart && c->at < c->cfg.num_items ? CAMPAIGN_RESTART : CAMPAIGN_OVER;
}

/* Before a canary has passed, each one that found a listener makes the next one wait longer. */
static void campaign_wait_longer(peer_campaign *c) {
  if (c->state == CAMPAIGN_BEGIN) {
    c->wait_ns = c->wait_ns == 0 ? CAMPAIGN_WAIT_SECOND_NS : CAMPAIGN_WAIT_MAX_NS;
  }
}

/* The first canary may be for Rev 1 alone. */
static void campaign_canary_failed(peer_campaign *c) {
  const bool found = c->canary.received > 0 || c->canary.sent > 0;
  c->tries += found ? CAMPAIGN_ANSWERED : 1;
  c->paused = false;
  if (found) {
    campaign_wait_longer(c);
  }
  if (c->state == CAMPAIGN_BEGIN && c->rev == 0 && c->tries >= CAMPAIGN_TRIES) {
    c->rev = 1;
    c->tries = CAMPAIGN_TRIES - CAMPAIGN_PLAIN_TRIES;
  } else if (c->tries >= CAMPAIGN_TRIES) {
    campaign_lost(c);
  }
}

static bool campaign_again(const peer_campaign *c) {
  const unsigned int plays = c->outcomes[c->at].plays;
  return plays < CAMPAIGN_PLAYS && peer_result_again(&c->plays[0]);
}

static void campaign_canary(peer_campaign *c, const peer_result *result) {
  c->canary = *result;
  if (!peer_alive(c->cfg.canary, result)) {
    campaign_canary_failed(c);
    return;
  }
  campaign_canary_passed(c, result);
  if (c->state == CAMPAIGN_LAST) {
    c->state = CAMPAIGN_OVER;
  } else if (c->state == CAMPAIGN_AFTER && !campaign_again(c)) {
    campaign_decide(c);
  } else {
    c->state = CAMPAIGN_CASE;
  }
}

static void campaign_case(peer_campaign *c, const peer_result *result, uint64_t took_ns) {
  peer_outcome *o = &c->outcomes[c->at];
  c->plays[o->plays++] = *result;
  o->played = result->verdict != PEER_SKIPPED;
  o->took_ns += took_ns;
  if (result->verdict == PEER_SKIPPED || (result->verdict == PEER_PASS && !campaign_again(c))) {
    campaign_decide(c);
    return;
  }
  c->state = CAMPAIGN_AFTER;
  c->tries = 0;
}

void peer_campaign_played(peer_campaign *c, const peer_result *result, uint64_t took_ns) {
  if (campaign_is_canary(c)) {
    campaign_canary(c, result);
  } else if (c->state == CAMPAIGN_CASE) {
    campaign_case(c, result, took_ns);
  }
}

void peer_campaign_restarted(peer_campaign *c, bool good) {
  c->tries = 0;
  c->state = good ? CAMPAIGN_BACK : CAMPAIGN_OVER;
}

void peer_campaign_stop(peer_campaign *c) {
  c->stopped = true;
  c->state = CAMPAIGN_OVER;
}
