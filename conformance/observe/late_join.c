/* SPDX-License-Identifier: BSD-2-Clause */
/* How the other side of a connection joins once iWARP was found on one side. */
#include "tcp_flow.h"

/*
 * The side without a found key joins with the octets that may still begin a key, and with the gap
 * right before them. Its startup frame may have been in that gap.
 */
static void join_other(observe *obs, tcp_flow *f, uint8_t side) {
  tcp_side *fs = &f->side[side];
  const iwarp_span held = iwarp_scan_held(&fs->scan);
  const uint64_t from = fs->next - held.len;
  if (!fs->seen) {
    return;
  }
  if (fs->gap.len > 0 && fs->gap.pos + fs->gap.len == from) {
    obs_tcp_start(obs, f, side, fs->gap.pos);
    obs_tcp_gap(obs, f->conn, side, &fs->gap);
  }
  obs_tcp_start(obs, f, side, from);
  obs_tcp_push(obs, f->conn, side, held, &fs->held);
}

/* The beginning of the stream was not kept: it counts as octets that the capture does not hold. */
static void join_lost(observe *obs, tcp_flow *f, uint8_t side) {
  tcp_side *fs = &f->side[side];
  const uint64_t from = fs->next - iwarp_scan_held(&fs->scan).len;
  if (!fs->early_lost || from == fs->start) {
    return;
  }
  const tcp_gap lost = {
      .pos = fs->start, .len = from - fs->start, .reason = IWARP_GAP_LOST, .meta = fs->last};
  obs_followed_limit(f->conn, "early-data");
  obs_tcp_start(obs, f, side, fs->start);
  obs_tcp_gap(obs, f->conn, side, &lost);
}

/*
 * A Reply came, and the octets that the other side began with hold no right key: they are a Request
 * with a wrong one, if anything.
 */
static bool join_early(observe *obs, tcp_flow *f, uint8_t side) {
  tcp_side *fs = &f->side[side];
  const early_data *held = fs->early;
  if (f->conn->conn.info->side[1 - side].key != IWARP_MPA_KEY_REPLY) {
    return false;
  }
  if (held == NULL) {
    join_lost(obs, f, side);
    return false;
  }
  f->conn->conn.tally.streaming[side] = 0;
  obs_tcp_start(obs, f, side, held->pos);
  const uint8_t *at = held->octets;
  for (uint32_t i = 0; i < held->num_pieces; i++) {
    obs_tcp_push(obs, f->conn, side, (iwarp_span){at, held->pieces[i].len}, &held->pieces[i].meta);
    at += held->pieces[i].len;
  }
  return true;
}

void obs_late_join_due(observe *obs, tcp_flow *f, bool now) {
  const uint8_t side = f->join_side;
  if (!now && (f->side[side].early != NULL || f->side[side].early_lost) &&
      !f->conn->conn.info->side[1 - side].has_startup) {
    return;
  }
  f->join_due = false;
  if (!join_early(obs, f, side)) {
    join_other(obs, f, side);
  }
  obs_early_data_drop(&f->side[0].early, &obs->early_used);
  obs_early_data_drop(&f->side[1].early, &obs->early_used);
}

void obs_late_join_gap(observe *obs, tcp_flow *f, uint8_t side, uint64_t pos,
                       const iwarp_meta *meta) {
  tcp_side *fs = &f->side[side];
  const iwarp_observer_side *peer = &f->conn->conn.info->side[1 - side];
  if (fs->started || fs->start_known || fs->next != 0 || side != f->join_side ||
      f->received >= pos || peer->key != IWARP_MPA_KEY_REQUEST) {
    return;
  }
  const tcp_gap lost = {
      .pos = f->received, .len = pos - f->received, .reason = IWARP_GAP_LOST, .meta = *meta};
  fs->start = f->received;
  obs_tcp_start(obs, f, side, lost.pos);
  obs_tcp_gap(obs, f->conn, side, &lost);
}
