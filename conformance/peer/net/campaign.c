/* SPDX-License-Identifier: BSD-2-Clause */
/* The plays of a campaign, one after the other. */
#define _POSIX_C_SOURCE 200809L

#include <peer_net/campaign.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>

#define CAMPAIGN_PATIENCE_NS                                                                       \
  UINT64_C(1000000000) /* a refused connection may be a target that begins                         \
                          to listen again */
#define CAMPAIGN_RESTART_NS UINT64_C(60000000000) /* bound of the command of --restart */

typedef struct campaigning {
  const net_campaign_cfg *cfg;
  const net_campaign_user *user;
  size_t reported; /* cases so far */
  net_trace trace; /* trace of the first play of the present case */
  bool traced;
} campaigning;

static net_play_end campaign_stop(const campaigning *c) {
  peer_step step;
  peer_campaign_stop(c->cfg->campaign);
  (void)peer_campaign_next(c->cfg->campaign, &step);
  return NET_PLAY_STOPPED;
}

static void campaign_drop_trace(campaigning *c) {
  if (c->traced) {
    net_trace_end(&c->trace);
    c->traced = false;
  }
}

/* Comments the capture of a case with its result. */
static void campaign_comment(campaigning *c, size_t item) {
  const peer_result *r = &peer_campaign_outcome(c->cfg->campaign, item)->result;
  char text[4 * PEER_TEXT_CAP];
  (void)snprintf(text, sizeof text, "%.100s: %s (line %u)%s%s%s%s%s%s",
                 c->user->name(c->user->ctx, item), peer_verdict_name(r->verdict), r->line,
                 r->due[0] != 0 ? "; due: " : "", r->due, r->seen[0] != 0 ? "; seen: " : "",
                 r->seen, r->why[0] != 0 ? "; " : "", r->why);
  net_trace_comment(&c->trace, text);
}

/* Hands out the cases that are decided by now. */
static void campaign_report(campaigning *c) {
  while (c->reported < c->cfg->num_items &&
         peer_campaign_outcome(c->cfg->campaign, c->reported)->decided) {
    const bool traced = c->traced && peer_campaign_outcome(c->cfg->campaign, c->reported)->played;
    if (traced) {
      campaign_comment(c, c->reported);
    }
    c->user->decided(c->user->ctx, c->reported, traced ? &c->trace : NULL);
    campaign_drop_trace(c);
    c->reported++;
  }
}

static const char *campaign_name(const campaigning *c, const peer_step *step) {
  return step->canary ? "canary" : c->user->name(c->user->ctx, step->item);
}

/* A trace for the first play of a case. */
static net_trace *campaign_trace(campaigning *c, const peer_step *step) {
  if (!c->cfg->traces || step->canary || step->attempt > 0) {
    return NULL;
  }
  campaign_drop_trace(c);
  c->traced = net_trace_begin(&c->trace, c->cfg->target->to != NULL ? 0 : 1);
  return c->traced ? &c->trace : NULL;
}

/* The command does not know the case. */
static peer_result campaign_unsupported(void) {
  peer_result result = {.verdict = PEER_SKIPPED};
  (void)snprintf(result.why, sizeof result.why, "unsupported: COMMAND ended with status %d",
                 NET_PROCESS_UNSUPPORTED);
  return result;
}

static net_play_end campaign_play(campaigning *c, const peer_step *step) {
  peer_how how = step->how;
  if (!net_play_pace(c->cfg->target)) { /* the time of a play has no such wait */
    return NET_PLAY_STOPPED;
  }
  const uint64_t began_ns = net_now();
  how.start_ns = began_ns;
  peer_player *player = peer_player_new(step->page, &how);
  if (player == NULL) {
    return NET_PLAY_NO_MEMORY;
  }
  const uint64_t patience_ns = step->canary ? 0 : CAMPAIGN_PATIENCE_NS;
  const net_play_end end = net_play(c->cfg->target, player, campaign_name(c, step), patience_ns,
                                    campaign_trace(c, step));
  if (end == NET_PLAY_DONE && !step->canary && step->attempt == 0) {
    c->user->played(c->user->ctx, step->item, player);
  }
  if (end == NET_PLAY_DONE || end == NET_PLAY_UNSUPPORTED) {
    const peer_result unsupported = campaign_unsupported();
    peer_campaign_played(c->cfg->campaign,
                         end == NET_PLAY_DONE ? peer_player_result(player) : &unsupported,
                         net_now() - began_ns);
  }
  peer_player_free(player);
  return end == NET_PLAY_UNSUPPORTED ? NET_PLAY_DONE : end;
}

static net_play_end campaign_pause(const campaigning *c, uint64_t pause_ns) {
  struct pollfd stop = {.fd = c->cfg->target->stop_fd, .events = POLLIN};
  return poll(&stop, 1, (int)(pause_ns / 1000000)) > 0 ? NET_PLAY_STOPPED : NET_PLAY_DONE;
}

static net_play_end campaign_restart(const campaigning *c) {
  net_process process;
  bool good = c->cfg->restart != NULL && net_process_start(&process, c->cfg->restart) == 0;
  if (good) {
    good = net_process_wait(&process, net_now() + CAMPAIGN_RESTART_NS, c->cfg->target->stop_fd) &&
           process.status == 0;
    net_process_end(&process);
  }
  if (!good && campaign_pause(c, 0) == NET_PLAY_STOPPED) {
    return NET_PLAY_STOPPED;
  }
  c->user->restarted(c->user->ctx, good);
  peer_campaign_restarted(c->cfg->campaign, good);
  return NET_PLAY_DONE;
}

net_play_end net_campaign(const net_campaign_cfg *cfg, const net_campaign_user *user) {
  campaigning c = {.cfg = cfg, .user = user};
  net_play_end end = NET_PLAY_DONE;
  peer_step step;
  while (end == NET_PLAY_DONE && peer_campaign_next(cfg->campaign, &step)) {
    switch (step.kind) {
    case PEER_STEP_PLAY: end = campaign_play(&c, &step); break;
    case PEER_STEP_PAUSE: end = campaign_pause(&c, step.pause_ns); break;
    case PEER_STEP_RESTART: end = campaign_restart(&c); break;
    }
    campaign_report(&c);
  }
  if (end == NET_PLAY_STOPPED) {
    end = campaign_stop(&c);
  }
  campaign_report(&c);
  campaign_drop_trace(&c);
  return end;
}
