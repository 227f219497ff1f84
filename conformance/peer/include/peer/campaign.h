/* SPDX-License-Identifier: BSD-2-Clause */
/* A run of many cases: which play comes next, and what the plays of a case come to. */
#ifndef PEER_CAMPAIGN_H
#define PEER_CAMPAIGN_H

#include <peer/player.h>

/*
 * A driver plays a campaign like this:
 *
 *   while (peer_campaign_next(campaign, &step)) {
 *     switch (step.kind) {
 *     case PEER_STEP_PLAY:    play step.page as step.how says, then peer_campaign_played
 *     case PEER_STEP_PAUSE:   wait for step.pause_ns: the target may recover
 *     case PEER_STEP_RESTART: bring the target back, then peer_campaign_restarted
 *     }
 *   }
 *
 * The canary is played first, after each play that did not pass, and at the end. When it fails, it
 * is tried again a few times. Then the target is lost: it is restarted, or the run ends. Its time
 * scales the waits of the plays that follow.
 */

/** peer_item is one case of a run: an instance of a page. */
typedef struct peer_item {
  const peer_page *page;
  size_t instance;
} peer_item;

/** peer_outcome is what a case came to. */
typedef struct peer_outcome {
  bool decided; /* the other members are set */
  bool played;  /* false: the target was lost before, or the case was skipped */
  bool lost;    /* the target was lost after this case */
  unsigned int plays;
  peer_result result; /* combined result of all plays */
  uint64_t took_ns;   /* time of all plays together */
} peer_outcome;

/** peer_campaign_cfg describes a campaign. */
typedef struct peer_campaign_cfg {
  const peer_item *items; /* must outlive the campaign */
  size_t num_items;
  const peer_page *canary;
  peer_how how;     /* terms but for instance, rev and the times; timeout_ns counts, 0: 60 s */
  bool can_restart; /* the target can be brought back */
} peer_campaign_cfg;

/** peer_step_kind says what the driver has to do. */
typedef enum peer_step_kind {
  PEER_STEP_PLAY = 0,
  PEER_STEP_PAUSE,
  PEER_STEP_RESTART
} peer_step_kind;

/** peer_step is one thing that the driver has to do. */
typedef struct peer_step {
  peer_step_kind kind;
  const peer_page *page; /* PLAY */
  peer_how how;          /* PLAY: all but start_ns */
  bool canary;           /* PLAY: a play of the canary */
  size_t item;           /* PLAY of a case: its number */
  unsigned int attempt;  /* PLAY of a case: number of the play, 0 for the first one */
  uint64_t pause_ns;     /* PAUSE */
} peer_step;

/** peer_campaign is a run. */
typedef struct peer_campaign peer_campaign;

/** peer_campaign_new begins a run; NULL: no memory. */
peer_campaign *peer_campaign_new(const peer_campaign_cfg *cfg);

/** peer_campaign_free ends it; NULL is fine. */
void peer_campaign_free(peer_campaign *c);

/** peer_campaign_next returns the next step; false: the run is over. Cases that were not played are
 * undecided then, and say why. */
bool peer_campaign_next(peer_campaign *c, peer_step *out);

/** peer_campaign_played gives the result of the PLAY, and how long it took. */
void peer_campaign_played(peer_campaign *c, const peer_result *result, uint64_t took_ns);

/** peer_campaign_restarted says whether the target was brought back. */
void peer_campaign_restarted(peer_campaign *c, bool good);

/** peer_campaign_stop ends the run early. */
void peer_campaign_stop(peer_campaign *c);

/** peer_campaign_outcome returns what case `i` came to so far. */
const peer_outcome *peer_campaign_outcome(const peer_campaign *c, size_t i);

/** peer_campaign_canary returns the last result of the canary; `time_ns` gets the time of the last
 * one that passed, 0 if none did. */
const peer_result *peer_campaign_canary(const peer_campaign *c, uint64_t *time_ns);

/** peer_alive returns true if a play of the canary shows that the target lives. It passed, or it
 * came as far as the sign of life: then a rule found a fault, or the target takes no Reads. */
bool peer_alive(const peer_page *canary, const peer_result *result);

#endif
