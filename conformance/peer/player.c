/* SPDX-License-Identifier: BSD-2-Clause */
/* The player. */
#include <peer/player.h>

#include <stdlib.h>

#include <memory/memory.h>

struct peer_player {
  peer_result result;
};

peer_player *peer_player_new(const peer_page *page, const peer_how *how) {
  (void)page;
  (void)how;
  return memory_zeroed(1, sizeof(peer_player));
}

void peer_player_free(peer_player *player) {
  free(player);
}

void peer_player_next(peer_player *player, peer_action *out) {
  (void)player;
  *out = (peer_action){.kind = PEER_ACTION_DONE};
}

void peer_player_opened(peer_player *player, uint64_t now_ns) {
  (void)player;
  (void)now_ns;
}

void peer_player_not_opened(peer_player *player, const char *why, uint64_t now_ns) {
  (void)player;
  (void)why;
  (void)now_ns;
}

void peer_player_received(peer_player *player, iwarp_span in, uint64_t now_ns) {
  (void)player;
  (void)in;
  (void)now_ns;
}

void peer_player_fin(peer_player *player, uint64_t now_ns) {
  (void)player;
  (void)now_ns;
}

void peer_player_rst(peer_player *player, uint64_t now_ns) {
  (void)player;
  (void)now_ns;
}

void peer_player_sent(peer_player *player, size_t len, uint64_t now_ns) {
  (void)player;
  (void)len;
  (void)now_ns;
}

void peer_player_acked(peer_player *player, size_t total, uint64_t now_ns) {
  (void)player;
  (void)total;
  (void)now_ns;
}

void peer_player_send_failed(peer_player *player, uint64_t now_ns) {
  (void)player;
  (void)now_ns;
}

void peer_player_time(peer_player *player, uint64_t now_ns) {
  (void)player;
  (void)now_ns;
}

const peer_result *peer_player_result(const peer_player *player) {
  return &player->result;
}

const peer_finding *peer_player_finding(const peer_player *player, size_t i) {
  (void)player;
  (void)i;
  return NULL;
}
