/* SPDX-License-Identifier: BSD-2-Clause */
#include "peer_room.h"

#include <string.h>

#include "check_run.h"

#define ROOM_STEP_NS 3000000u      /* from one delivery to the next one */
#define ROOM_BOUND_NS 61000000000u /* of a play: the default of its timeout, and a little */
#define ROOM_CAP ((size_t)1 << 20) /* octets on their way */
#define ROOM_SIP 16u               /* octets that a target takes at a time which answers late */

/* ---- ends that are players ---- */

static void player_next(void *self, peer_action *out) {
  peer_player_next(self, out);
}

static void player_opened(void *self, uint64_t now) {
  peer_player_opened(self, now);
}

static void player_received(void *self, iwarp_span in, uint64_t now) {
  peer_player_received(self, in, now);
}

static void player_fin(void *self, uint64_t now) {
  peer_player_fin(self, now);
}

static void player_rst(void *self, uint64_t now) {
  peer_player_rst(self, now);
}

static void player_sent(void *self, size_t len, size_t total, uint64_t now) {
  peer_player_sent(self, len, now);
  peer_player_acked(self, total, now);
}

static void player_time(void *self, uint64_t now) {
  peer_player_time(self, now);
}

peer_end peer_end_player(peer_player *player) {
  return (peer_end){.self = player,
                    .next = player_next,
                    .opened = player_opened,
                    .received = player_received,
                    .fin = player_fin,
                    .rst = player_rst,
                    .sent = player_sent,
                    .time = player_time};
}

/* ---- the room ---- */

/* What one end sends to the other one. */
typedef struct room_way {
  uint8_t *octets;
  size_t len;
  size_t total; /* octets that came out, in this connection */
  size_t all;   /* in all connections */
  bool fin;
  bool fin_out;
  bool rst;
  bool rst_out;
} room_way;

typedef struct room_ends {
  peer_end end[2]; /* 0: the tester */
  room_way way[2]; /* from this end */
  bool wants[2];   /* a connection */
  bool open;
  bool stopped; /* the tester does not read */
  bool done[2];
  uint64_t deadline[2];
  uint64_t now;
  peer_room_split split;
} room_ends;

static void room_reset(room_ends *r) {
  for (size_t i = 0; i < 2; i++) {
    room_way *w = &r->way[i];
    *w = (room_way){.octets = w->octets, .all = w->all};
  }
  r->stopped = false;
}

/* An end closes: with unread octets that is an RST. */
static void room_close(room_ends *r, size_t side) {
  room_way *w = &r->way[side];
  const bool unread = r->way[1 - side].len > 0;
  w->rst = w->rst || (unread && !w->fin_out);
  w->fin = true;
  r->way[1 - side].len = 0;
  r->way[1 - side].fin_out = r->way[1 - side].rst_out = true; /* this end listens no more */
}

static void room_act(room_ends *r, size_t side, const peer_action *a) {
  room_way *w = &r->way[side];
  switch (a->kind) {
  case PEER_ACTION_OPEN:
    if (r->open) {
      room_close(r, side);
    }
    r->wants[side] = true;
    break;
  case PEER_ACTION_SEND:
    expect(w->len + a->octets.len <= ROOM_CAP, "the room is full");
    if (!w->fin_out && !w->rst_out) {
      memcpy(w->octets + w->len, a->octets.ptr, a->octets.len);
      w->len += a->octets.len;
    }
    r->end[side].sent(r->end[side].self, a->octets.len, w->total, r->now);
    break;
  case PEER_ACTION_SHUTDOWN: w->fin = true; break;
  case PEER_ACTION_RESET: w->rst = true; break;
  case PEER_ACTION_READING: r->stopped = !a->on; break;
  case PEER_ACTION_CLOSE: room_close(r, side); break;
  case PEER_ACTION_WAIT:
  case PEER_ACTION_DONE: break;
  }
}

/* Lets an end act until it waits; whether it did anything. */
static bool room_turn(room_ends *r, size_t side) {
  bool acted = false;
  for (size_t i = 0; i < 100000 && !r->done[side]; i++) {
    peer_action a;
    r->end[side].next(r->end[side].self, &a);
    r->deadline[side] = a.deadline_ns;
    if (a.kind == PEER_ACTION_WAIT) {
      return acted;
    }
    r->done[side] = a.kind == PEER_ACTION_DONE;
    room_act(r, side, &a);
    acted = true;
  }
  expect(r->done[side], "an end acts without end");
  return acted;
}

static size_t room_piece(const room_ends *r, size_t side) {
  const room_way *w = &r->way[side];
  if (side == 0 || w->len == 0) {
    return r->split.late && w->len > ROOM_SIP ? ROOM_SIP : w->len;
  }
  if (r->split.cut > w->all && r->split.cut - w->all < w->len) {
    return r->split.cut - w->all;
  }
  return r->split.piece > 0 && r->split.piece < w->len ? r->split.piece : w->len;
}

/* Hands on what one end has sent. */
static bool room_deliver(room_ends *r, size_t side) {
  room_way *w = &r->way[side];
  const peer_end *to = &r->end[1 - side];
  const size_t n = room_piece(r, side);
  if (side == 1 && r->stopped) {
    return false;
  }
  if (n > 0) {
    r->now += side == 1 && r->split.piece == 0 ? ROOM_STEP_NS : 0;
    to->received(to->self, (iwarp_span){w->octets, n}, r->now);
    w->len -= n;
    w->total += n;
    w->all += n;
    memmove(w->octets, w->octets + n, w->len);
    r->end[side].sent(r->end[side].self, 0, w->total, r->now);
    return true;
  }
  if (w->rst && !w->rst_out) {
    w->rst_out = true;
    to->rst(to->self, r->now);
    return true;
  }
  if (w->fin && !w->fin_out && !w->rst_out) {
    w->fin_out = true;
    to->fin(to->self, r->now);
    return true;
  }
  return false;
}

static bool room_connect(room_ends *r) {
  if (!r->wants[0] || !r->wants[1]) {
    return false;
  }
  room_reset(r);
  r->open = true;
  r->wants[0] = r->wants[1] = false;
  r->end[0].opened(r->end[0].self, r->now);
  r->end[1].opened(r->end[1].self, r->now);
  return true;
}

static void room_wait(room_ends *r) {
  const bool second = !r->done[1] && r->deadline[1] < r->deadline[0];
  const uint64_t next = r->deadline[second ? 1 : 0];
  r->now = next > r->now ? next : r->now + 1;
  for (size_t i = 0; i < 2; i++) {
    if (!r->done[i]) {
      r->end[i].time(r->end[i].self, r->now);
    }
  }
}

size_t peer_room_play(peer_player *tester, const peer_end *target, peer_room_split split) {
  static uint8_t octets[2][ROOM_CAP];
  room_ends r = {.end = {peer_end_player(tester), *target}, .split = split, .now = 1};
  r.way[0].octets = octets[0];
  r.way[1].octets = octets[1];
  for (size_t i = 0; i < 1000000 && !r.done[0]; i++) {
    bool moved = room_turn(&r, 0);
    moved = room_turn(&r, 1) || moved;
    moved = room_connect(&r) || moved;
    if (r.open) {
      moved = room_deliver(&r, 0) || moved;
      moved = ((!moved || !split.late) && room_deliver(&r, 1)) || moved;
    }
    if (!moved && !r.done[0]) {
      room_wait(&r);
    }
  }
  expect(r.done[0] && r.now <= ROOM_BOUND_NS, "the tester has no verdict in time");
  return r.way[1].all;
}
