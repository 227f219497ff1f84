/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that look wrong, or that no CRC proves, wait for their acknowledgment: another copy may
 * come before it. */
#include "tcp_flow.h"

bool obs_tcp_like_startup(iwarp_span head, const iwarp_mpa_startup *frame) {
  return iwarp_mpa_key_classify(head) == IWARP_MPA_KEY_UNKNOWN &&
         (frame->flags & IWARP_MPA_FLAG_RES) == 0 && frame->rev <= 2 &&
         frame->pd_length <= IWARP_MPA_PRIVATE_DATA_MAX;
}

/* Returns true if no right frame has these fields. RFC 5044 7.1.1, RFC 6581 9 */
static bool wait_fields_wrong(const iwarp_mpa_startup *frame) {
  const bool enhanced = (frame->flags & IWARP_MPA_FLAG_S) != 0;
  return (frame->flags & IWARP_MPA_FLAG_RES) != 0 || frame->rev > 2 ||
         frame->pd_length > IWARP_MPA_PRIVATE_DATA_MAX ||
         (enhanced && (frame->rev < 2 || frame->pd_length < IWARP_MPA_ENHANCED_LEN));
}

/* Returns true if the other side sent a startup frame that this frame does not match. */
static bool wait_unlike_peer(const followed *c, uint8_t side, iwarp_mpa_key key, uint8_t rev) {
  const iwarp_observer_side *peer = c != NULL ? &c->conn.info->side[1 - side] : NULL;
  return peer != NULL && peer->has_startup &&
         (rev != peer->rev || (key == IWARP_MPA_KEY_REPLY) == peer->is_reply);
}

enum { WAIT_NEAR = 2 /* octets of a key that is taken for a wrong one */ };

/* Returns true if at most WAIT_NEAR octets differ from the key. */
static bool wait_near(iwarp_span in, iwarp_mpa_key key) {
  const uint8_t *octets = iwarp_mpa_key_octets(key);
  unsigned other = 0;
  for (size_t i = 0; i < IWARP_MPA_KEY_LEN; i++) {
    other += in.ptr[i] != octets[i] ? 1u : 0u;
  }
  return other <= WAIT_NEAR;
}

/* Returns true if the octets are a startup frame with something wrong. One with another key is
 * known by its place, the `first` octets of the stream, or by most of the key. */
static bool wait_frame_wrong(const tcp_flow *f, uint8_t side, iwarp_span in, bool first) {
  iwarp_mpa_startup frame;
  if (iwarp_mpa_startup_head_decode(&frame, in).err != IWARP_OK) {
    return false;
  }
  const iwarp_mpa_key key = iwarp_mpa_key_classify(in);
  const size_t rest = in.len - IWARP_MPA_STARTUP_LEN;
  if (key == IWARP_MPA_KEY_UNKNOWN) {
    const bool placed = first && obs_tcp_like_startup(in, &frame) && frame.pd_length == rest;
    return placed || wait_near(in, IWARP_MPA_KEY_REQUEST) || wait_near(in, IWARP_MPA_KEY_REPLY);
  }
  return frame.pd_length < rest || wait_fields_wrong(&frame) ||
         wait_unlike_peer(f->conn, side, key, frame.rev);
}

/* Returns true if a startup frame of the side is under way, or the next thing that it sends. The
 * Request that opens a connection does not wait: connections are numbered in the order of these. */
static bool wait_is_due(const followed *c, uint8_t side) {
  return c != NULL && !c->joined && c->conn.info->side[side].full_pos == IWARP_POS_UNKNOWN;
}

tcp_unproven obs_tcp_wait_fpdus(const followed *c, uint8_t side, iwarp_span in) {
  if (c->conn.info->crc == IWARP_TRISTATE_OFF) {
    return (tcp_unproven){in.len, INGEST_HELD_UNPROVEN};
  }
  return (tcp_unproven){iwarp_observer_wrong(c->engine, side, in), INGEST_HELD_WRONG};
}

tcp_unproven obs_tcp_wait(const tcp_flow *f, const ingest_event *ev) {
  const iwarp_span in = {ev->data, (size_t)ev->len};
  const bool first = ev->start_known && ev->pos == ev->start;
  if (!ev->may_wait) {
    return (tcp_unproven){0};
  }
  if (f->conn != NULL && f->conn->conn.info->side[ev->side].has_startup) {
    return obs_tcp_wait_fpdus(f->conn, ev->side, in);
  }
  if (ev->segment_start && wait_frame_wrong(f, ev->side, in, first)) {
    return (tcp_unproven){in.len, INGEST_HELD_WRONG};
  }
  return (tcp_unproven){wait_is_due(f->conn, ev->side) ? in.len : 0, INGEST_HELD_UNPROVEN};
}
