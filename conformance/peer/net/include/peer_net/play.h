/* SPDX-License-Identifier: BSD-2-Clause */
/* Plays a case over TCP. */
#ifndef PEER_NET_PLAY_H
#define PEER_NET_PLAY_H

#include <peer/player.h>

#include <peer_net/conn.h>
#include <peer_net/process.h>
#include <peer_net/trace.h>

/** Connections a second, at most. */
#define NET_CONNECTIONS_PER_S 20u

/** net_target is the target of plays, with the state that lasts from play to play. */
typedef struct net_target {
  const net_addresses *to; /* addresses of the target; NULL: the target connects */
  int listening;           /* socket that the target connects to; -1: none */
  net_address bound;       /* address of `listening` */
  const char *run;         /* the command that makes the target connect; may be NULL */
  int stop_fd;             /* ends a play when it can be read; -1: none */
  uint64_t next_ns;        /* no connection before */
} net_target;

/** net_play_end says how a play ended. */
typedef enum net_play_end {
  NET_PLAY_DONE = 0,    /* the player has a result */
  NET_PLAY_UNSUPPORTED, /* the command ended with NET_PROCESS_UNSUPPORTED */
  NET_PLAY_STOPPED,     /* `stop_fd` stopped the play */
  NET_PLAY_NO_MEMORY
} net_play_end;

/** net_play_pace waits until another connection may be made; false: `stop_fd` can be read. */
bool net_play_pace(const net_target *target);

/**
 * net_play carries out what a player wants until it has a result. `name` is the case, for the
 * command and for comments of `trace`, which may be NULL. A refused connection is tried again for
 * `patience_ns`. Nothing of the play runs or is open when it returns.
 */
net_play_end net_play(net_target *target, peer_player *player, const char *name,
                      uint64_t patience_ns, net_trace *trace);

#endif
