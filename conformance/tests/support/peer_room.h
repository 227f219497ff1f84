/* SPDX-License-Identifier: BSD-2-Clause */
/* A player and its target in memory: octets, FIN and RST between them, and a time of its own. */
#ifndef PEER_ROOM_H
#define PEER_ROOM_H

#include <peer/player.h>

/* peer_end is one end of the room: a player, or a target that is asked in the same way. */
typedef struct peer_end {
  void *self;
  void (*next)(void *self, peer_action *out);
  void (*opened)(void *self, uint64_t now);
  void (*received)(void *self, iwarp_span in, uint64_t now);
  void (*fin)(void *self, uint64_t now);
  void (*rst)(void *self, uint64_t now);
  void (*sent)(void *self, size_t len, size_t total, uint64_t now);
  void (*time)(void *self, uint64_t now);
} peer_end;

/* An end that is a player. */
peer_end peer_end_player(peer_player *player);

/* peer_room_split says how the octets of the target arrive. */
typedef struct peer_room_split {
  size_t piece; /* octets of each piece; 0: as many as there are */
  size_t cut;   /* the first piece of all ends here; 0: nowhere */
  bool late;    /* they arrive together, once the target has taken all octets of the tester */
} peer_room_split;

/* peer_room_play lets the tester and the target play until the tester has a verdict. It returns how
 * many octets came from the target. */
size_t peer_room_play(peer_player *tester, const peer_end *target, peer_room_split split);

/* ---- a target with iwarp_endpoint, and the application `echo` above it ---- */

typedef struct peer_echo peer_echo;

/* peer_echo_how says what the endpoint asks for and can do. */
typedef struct peer_echo_how {
  iwarp_role role;
  uint8_t rev;
  bool markers;
  bool crc;
  bool quiet;   /* no application: --ulp none */
  bool in_pd;   /* the region is announced in the Private Data */
  uint16_t ird; /* 0: no Reads */
  uint8_t rtr;  /* IWARP_RTR_*: an Initiator offers this type in the peer-to-peer model; 0: none */
  size_t most;  /* octets of payload in a DDP Segment; 0: as many as fit */
} peer_echo_how;

peer_echo *peer_echo_new(const peer_echo_how *how);
peer_end peer_echo_end(peer_echo *echo);
void peer_echo_free(peer_echo *echo);

#endif
