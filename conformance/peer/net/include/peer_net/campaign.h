/* SPDX-License-Identifier: BSD-2-Clause */
/* Carries out a campaign over TCP. */
#ifndef PEER_NET_CAMPAIGN_H
#define PEER_NET_CAMPAIGN_H

#include <peer/campaign.h>

#include <peer_net/play.h>

/** net_campaign_user hears what happens. All of its functions get `ctx`. */
typedef struct net_campaign_user {
  void *ctx;
  /* Returns the name of a case. */
  const char *(*name)(void *ctx, size_t item);
  /* The first play of a case has a result: its findings may be copied now. */
  void (*played)(void *ctx, size_t item, const peer_player *player);
  /* A case is decided. `trace` has its first play; NULL: none is kept, or it was not played. */
  void (*decided)(void *ctx, size_t item, net_trace *trace);
  void (*restarted)(void *ctx, bool good);
} net_campaign_user;

/** net_campaign_cfg is all that a run needs. */
typedef struct net_campaign_cfg {
  peer_campaign *campaign;
  size_t num_items;
  net_target *target;
  const char *restart; /* the command that brings the target back; may be NULL */
  bool traces;         /* the packets of each case are kept for `decided` */
} net_campaign_cfg;

/** net_campaign plays all cases. It returns NET_PLAY_DONE, _STOPPED or _NO_MEMORY. */
net_play_end net_campaign(const net_campaign_cfg *cfg, const net_campaign_user *user);

#endif
