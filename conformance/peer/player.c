/* SPDX-License-Identifier: BSD-2-Clause */
/* The player: actions out, what happened in. */
#include "player_priv.h"

#include <stdio.h>
#include <stdlib.h>

#include <memory/memory.h>

#define PLAYER_WAIT_NS 1000000000u
#define PLAYER_TIMEOUT_NS 60000000000u
#define PLAYER_OPEN_TIMES 10u /* the wait for a connection in waits for an answer */

/* The reading of the region: before, and on a new connection. */
static const char player_baseline[] =
    "i> read-request sink_stag=0x42415345 size=$back_len source_stag=$stag source_to=$to+$back_at\n"
    "r> read-response data=>$baseline:00\n";
static const char player_back[] =
    "connection 2\n"
    "i> mpa-request S ird=1 ord=1\n"
    "r> mpa-reply\n"
    "i> write\n"
    "r> send data=>$region:00\n"
    "i> read-request sink_stag=0x4241434b size=$back_len source_stag=$stag source_to=$to+$back_at\n"
    "r> read-response data=>$readback:00\n";

/* A scripted peer lets itself be read. */
static const char player_back_scripted[] =
    "connection 2\n"
    "i> mpa-request\n"
    "r> mpa-reply\n"
    "i> write\n"
    "r> send data=00000000000100000000100000001000000010010000100200001003\n"
    "probe\n";

/* ---- making ---- */

/* Octets that were handed out are borrowed until the next call. */
static void player_acts_gone(peer_player *p) {
  for (size_t i = 0; i < p->at_act; i++) {
    free(p->acts[i].octets);
    p->acts[i].octets = NULL;
  }
  if (p->at_act == p->num_acts) {
    p->at_act = p->num_acts = 0;
  }
}

static bool player_needs(peer_player *p) {
  const uint32_t has = p->how.offer.words | (p->how.rev == 1 ? 0u : PEER_OFFER_ENHANCED);
  const uint32_t missing = p->how.scripted ? 0 : p->page->info.needs & ~has;
  char why[PEER_TEXT_CAP] = "needs";
  for (uint32_t bit = 1; peer_offer_word(bit) != NULL; bit <<= 1) {
    if ((missing & bit) != 0) {
      const size_t at = strlen(why);
      snprintf(why + at, sizeof why - at, " %s", peer_offer_word(bit));
    }
  }
  if (missing != 0) {
    player_decide(p, PEER_SKIPPED, 0, "", "", why);
    p->phase = PHASE_DONE;
  }
  return missing == 0;
}

static void player_names(peer_player *p) {
  const peer_offer *offer = &p->how.offer;
  scenario_names_default(&p->names);
  if ((offer->words & PEER_OFFER_BUFFERS) != 0) {
    (void)scenario_names_number(&p->names, "recv", offer->recv_len);
    (void)scenario_names_number(&p->names, "recvs", offer->recvs);
  }
  if (p->page->scn.num_for > 0) {
    const scenario_span word = scenario_page_for(&p->page->scn, p->how.instance);
    (void)scenario_names_set(&p->names, p->page->scn.for_name.text, p->page->scn.for_name.len,
                             word.text, word.len);
  }
}

static bool player_made(peer_player *p) {
  scenario_error error;
  const char *back = p->how.scripted ? player_back_scripted : player_back;
  p->scn = scenario_new();
  return p->scn != NULL && scenario_page_read(&p->back, back, strlen(back), &error) &&
         scenario_page_read(&p->baseline, player_baseline, sizeof player_baseline - 1, &error) &&
         player_act(p, PEER_ACTION_OPEN, (iwarp_span){NULL, 0}, 0);
}

peer_player *peer_player_new(const peer_page *page, const peer_how *how) {
  peer_player *p = memory_zeroed(1, sizeof *p);
  if (p == NULL) {
    return NULL;
  }
  p->page = page;
  p->how = *how;
  p->how.wait_ns = how->wait_ns > 0 ? how->wait_ns : PLAYER_WAIT_NS;
  p->how.open_ns = how->open_ns > 0 ? how->open_ns : PLAYER_OPEN_TIMES * p->how.wait_ns;
  p->how.timeout_ns = how->timeout_ns > 0 ? how->timeout_ns : PLAYER_TIMEOUT_NS;
  p->me = how->role == IWARP_ROLE_RESPONDER ? 1 : 0;
  p->mirrored = page->info.plays == (PEER_PLAYS_INITIATOR | PEER_PLAYS_RESPONDER) &&
                (p->me == 1) != how->scripted;
  p->now = how->start_ns;
  p->place.scn = &page->scn;
  p->terms.ask_markers[p->me] = how->markers;
  p->terms.ask_crc[p->me] = how->crc;
  p->terms.rev1 = how->rev == 1 && (page->info.needs & PEER_OFFER_ENHANCED) == 0;
  player_names(p);
  if (player_needs(p) && !player_made(p)) {
    peer_player_free(p);
    return NULL;
  }
  return p;
}

void peer_player_free(peer_player *player) {
  if (player == NULL) {
    return;
  }
  player->at_act = 0;
  player_acts_drop(player);
  player_inbox_drop(player, player->num_inbox);
  player_seen_free(player->message);
  scenario_free(player->scn);
  scenario_page_free(&player->back);
  scenario_page_free(&player->baseline);
  free(player->acts);
  free(player->observer_mem);
  free(player->rules_mem);
  free(player->wrote);
  free(player->base);
  free(player->read_back);
  free(player);
}

/* ---- the verdict ---- */

/* A finding of a rule weighs more than what the page says. */
static void player_weigh(peer_player *p) {
  const iwarp_rule *rule = p->has_worst ? iwarp_rule_get(p->worst.finding.rule) : NULL;
  peer_result *r = &p->result;
  const bool violation = rule != NULL && rule->severity == IWARP_SEVERITY_VIOLATION;
  if (rule == NULL || r->verdict == PEER_SKIPPED || r->verdict == PEER_ERROR) {
    return;
  }
  if (p->own_fault) {
    r->verdict = PEER_ERROR;
    snprintf(r->why, sizeof r->why, "the tester breaks %s, which the page does not ask for",
             rule->slug);
  } else if (r->verdict != PEER_FAIL && (violation || r->verdict != PEER_UNDECIDED)) {
    r->verdict = violation ? PEER_FAIL : PEER_WARNING;
    player_text(r->due, rule->summary);
    player_text(r->seen, rule->fault);
    player_text(r->why, rule->slug);
  }
}

/* Judges the fate of the tester's octets in TCP. */
static void player_weigh_octets(peer_player *p) {
  peer_result *r = &p->result;
  const bool cut = p->send_failed && p->taken < p->emitted && !p->ended_first;
  if (cut && r->verdict != PEER_SKIPPED && r->verdict != PEER_ERROR) {
    r->verdict = p->rst_in ? PEER_UNDECIDED : PEER_ERROR;
    player_text(r->why, p->rst_in ? "the target reset the connection before it had all octets"
                                  : "TCP did not take all octets");
  } else if (r->verdict == PEER_PASS && p->unacked && !p->how.no_acks) {
    r->verdict = PEER_UNDECIDED;
    player_text(r->why, "TCP did not acknowledge all octets");
  }
}

static void player_done(peer_player *p) {
  if (p->phase == PHASE_DONE) {
    return;
  }
  player_disconnected(p);
  player_weigh_octets(p);
  player_weigh(p);
  p->phase = PHASE_DONE;
}

/* ---- the end of a connection ---- */

static bool player_ended(const peer_player *p) {
  return p->fin_in || p->rst_in || !p->is_open;
}

static void player_read_on(peer_player *p) {
  if (p->reading_off) {
    p->reading_off = false;
    (void)player_act(p, PEER_ACTION_READING, (iwarp_span){NULL, 0}, 0);
    p->acts[p->num_acts - 1].on = true;
  }
}

/* After a provocation nothing is sent, and this side stays open until the target has ended. */
static void player_read_rest(peer_player *p) {
  const bool provoked = p->page->num_asked > 0 || p->terminated;
  const bool waits = p->how.scripted || (provoked && p->result.verdict != PEER_UNDECIDED);
  player_acts_drop(p);
  player_read_on(p);
  p->phase = PHASE_READING;
  p->phase_until = waits ? p->now + player_wait_ns(p) : p->now;
}

static void player_shut(peer_player *p) {
  p->phase = PHASE_CLOSING;
  p->phase_until = p->now + p->how.wait_ns;
  if (p->is_open && !p->fin_out && !p->rst_in) {
    (void)player_act(p, PEER_ACTION_SHUTDOWN, (iwarp_span){NULL, 0}, 0);
  }
}

static bool player_all_acked(const peer_player *p) {
  return p->how.no_acks || p->acked >= p->emitted || p->rst_in;
}

/* Goes on with the phases after the verdict; the time when to look again. */
static uint64_t player_ending(peer_player *p) {
  if (p->phase == PHASE_READING && (player_ended(p) || p->now >= p->phase_until)) {
    player_shut(p);
  }
  const bool scripted_open = p->how.scripted && !p->fin_in;
  if (p->phase == PHASE_CLOSING && p->at_act == p->num_acts &&
      ((player_ended(p) && player_all_acked(p) && !scripted_open) || p->now >= p->phase_until)) {
    if (p->is_open) {
      p->is_open = false;
      (void)player_act(p, PEER_ACTION_CLOSE, (iwarp_span){NULL, 0}, 0);
    }
    player_disconnected(p);
    if (p->at_act == p->num_acts) {
      player_done(p);
    }
  }
  return p->phase_until;
}

/* ---- actions out ---- */

/* An action that is handed out now. */
static void player_give(peer_player *p, const act *a) {
  switch (a->kind) {
  case PEER_ACTION_OPEN:
    player_disconnected(p);
    p->connection++;
    p->is_open = false;
    p->phase = p->decided ? p->phase : PHASE_OPENING;
    p->wait_until = p->now + p->how.open_ns;
    break;
  case PEER_ACTION_SEND:
    player_observe(p, 0, (iwarp_span){a->octets, a->len});
    p->emitted += a->len;
    p->result.sent += a->len;
    break;
  case PEER_ACTION_SHUTDOWN:
    p->fin_out = true;
    player_observe_end(p, 0, IWARP_END_FIN);
    break;
  case PEER_ACTION_RESET:
    p->fin_out = p->rst_in = true;
    player_observe_end(p, 0, IWARP_END_RST);
    break;
  case PEER_ACTION_WAIT:
  case PEER_ACTION_READING:
  case PEER_ACTION_CLOSE:
  case PEER_ACTION_DONE: break;
  }
}

static uint64_t player_bound(const peer_player *p) {
  return p->how.start_ns + p->how.timeout_ns;
}

/* The whole play takes too long. */
static void player_overdue(peer_player *p) {
  if (p->now < player_bound(p) || p->phase == PHASE_DONE) {
    return;
  }
  player_decide(p, PEER_UNDECIDED, 0, NULL, "", "timeout");
  player_acts_drop(p);
  if (p->is_open) {
    p->is_open = false;
    (void)player_act(p, PEER_ACTION_CLOSE, (iwarp_span){NULL, 0}, 0);
  }
  p->phase = PHASE_CLOSING;
  p->phase_until = p->now;
}

/* The time when the player wants to be called again. */
static uint64_t player_step(peer_player *p) {
  uint64_t until = player_bound(p);
  if (p->phase == PHASE_OPENING && p->at_act == p->num_acts) {
    until = p->wait_until;
    if (p->now >= until) {
      player_decide(p, PEER_UNDECIDED, 0, "", "", "no connection");
    }
  }
  if (p->phase == PHASE_PLAYING && !p->decided) {
    until = player_run(p);
  }
  if (p->decided && (p->phase == PHASE_PLAYING || p->phase == PHASE_OPENING)) {
    player_read_rest(p);
  }
  return p->phase == PHASE_READING || p->phase == PHASE_CLOSING ? player_ending(p) : until;
}

void peer_player_next(peer_player *player, peer_action *out) {
  peer_player *p = player;
  *out = (peer_action){.kind = PEER_ACTION_DONE, .connection = p->connection};
  player_acts_gone(p);
  player_overdue(p);
  const uint64_t until = p->phase == PHASE_DONE ? 0 : player_step(p);
  if (p->at_act < p->num_acts && p->now >= p->acts[p->at_act].not_before) {
    const act *a = &p->acts[p->at_act++];
    player_give(p, a);
    *out = (peer_action){.kind = a->kind,
                         .octets = {a->octets, a->len},
                         .connection = p->connection,
                         .line = a->line,
                         .on = a->on};
    return;
  }
  if (p->phase == PHASE_DONE) {
    return;
  }
  const uint64_t next = p->at_act < p->num_acts ? p->acts[p->at_act].not_before : until;
  out->kind = PEER_ACTION_WAIT;
  out->deadline_ns = next < player_bound(p) ? next : player_bound(p);
}

/* ---- what happened ---- */

static bool player_takes(peer_player *p, uint64_t now_ns) {
  p->now = now_ns > p->now ? now_ns : p->now;
  return p->phase != PHASE_DONE;
}

void peer_player_opened(peer_player *player, uint64_t now_ns) {
  peer_player *p = player;
  if (!player_takes(p, now_ns) || p->is_open || p->connection == 0) {
    return;
  }
  p->is_open = true;
  p->opened_at = p->now;
  if (p->connection == 1) {
    p->result.opening_ns = p->now - p->how.start_ns;
  }
  p->fin_in = p->rst_in = p->fin_out = p->send_failed = p->ended_first = false;
  p->first_in = p->terminated = p->rejects = false;
  p->said_one = p->said_last = p->heard_one = false;
  p->cut_off = false;
  p->emitted = p->taken = p->acked = p->had = 0;
  p->asked = 0;
  p->wait_until = 0;
  p->drip_ns = 0;
  p->region_named = false;
  scenario_play(p->scn, &p->terms);
  if (!player_connected(p)) {
    player_decide(p, PEER_ERROR, 0, "", "", "out of memory");
  }
  p->phase = p->decided ? p->phase : PHASE_PLAYING;
}

void peer_player_renewed(peer_player *player) {
  player->renewed = true;
}

void peer_player_not_opened(peer_player *player, const char *why, uint64_t now_ns) {
  if (player_takes(player, now_ns) && !player->is_open) {
    player_decide(player, PEER_UNDECIDED, 0, "a connection", why, "no connection");
  }
}

void peer_player_received(peer_player *player, iwarp_span in, uint64_t now_ns) {
  peer_player *p = player;
  if (player_takes(p, now_ns) && p->is_open && !p->fin_in && !p->rst_in) {
    p->last_rx = p->now;
    player_observe(p, 1, in);
    p->result.received += in.len;
  }
}

void peer_player_fin(peer_player *player, uint64_t now_ns) {
  peer_player *p = player;
  if (player_takes(p, now_ns) && p->is_open && !p->fin_in && !p->rst_in) {
    player_observe_end(p, 1, IWARP_END_FIN);
    p->fin_in = true;
    p->ended_first = p->ended_first || !p->send_failed;
    player_see(p, SEEN_FIN);
  }
}

void peer_player_rst(peer_player *player, uint64_t now_ns) {
  peer_player *p = player;
  if (player_takes(p, now_ns) && p->is_open && !p->rst_in) {
    player_observe_end(p, 1, IWARP_END_RST);
    p->rst_in = true;
    player_acts_drop(p);
    if (!p->fin_in) {
      player_see(p, SEEN_RST);
    }
  }
}

void peer_player_sent(peer_player *player, size_t len, uint64_t now_ns) {
  if (player_takes(player, now_ns)) {
    player->taken += len;
  }
}

void peer_player_acked(peer_player *player, size_t total, uint64_t now_ns) {
  if (player_takes(player, now_ns) && total > player->acked) {
    player->acked = total;
    player->acked_at = player->now;
  }
}

void peer_player_send_failed(peer_player *player, uint64_t now_ns) {
  if (player_takes(player, now_ns)) {
    player->send_failed = true;
    player_acts_drop(player);
  }
}

void peer_player_time(peer_player *player, uint64_t now_ns) {
  (void)player_takes(player, now_ns);
}

const peer_result *peer_player_result(const peer_player *player) {
  return &player->result;
}

const peer_finding *peer_player_finding(const peer_player *player, size_t i) {
  return i < player->num_findings ? &player->findings[i] : NULL;
}
