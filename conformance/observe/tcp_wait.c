/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that look wrong, or that no CRC proves, wait for their acknowledgment: another copy may
 * come before it. */
#include "tcp_flow.h"

bool obs_tcp_like_startup(iwarp_span head, const iwarp_mpa_startup *frame) {
  return iwarp_mpa_key_classify(head) == IWARP_MPA_KEY_UNKNOWN &&
         (frame->flags & IWARP_MPA_FLAG_RES) == 0 && frame->rev <= 2 &&
         frame->pd_length <= IWARP_MPA_PRIVATE_DATA_MAX;
}

/* The first octets of a startup frame, and how many it has so far. */
typedef struct wait_frame {
  uint8_t octets[IWARP_MPA_STARTUP_LEN + IWARP_MPA_ENHANCED_LEN];
  size_t num; /* octets in `octets` */
  size_t len;
} wait_frame;

static void wait_frame_add(wait_frame *frame, iwarp_span in) {
  for (size_t i = 0; i < in.len && frame->num < sizeof frame->octets; i++) {
    frame->octets[frame->num++] = in.ptr[i];
  }
  frame->len += in.len;
}

/* Returns true if no right frame has these fields. RFC 5044 7.1.1, RFC 6581 9 */
static bool wait_fields_wrong(const iwarp_mpa_startup *frame, iwarp_mpa_key key) {
  const bool enhanced = (frame->flags & IWARP_MPA_FLAG_S) != 0;
  const bool rejects = (frame->flags & IWARP_MPA_FLAG_R) != 0;
  return (frame->flags & IWARP_MPA_FLAG_RES) != 0 || frame->rev > 2 ||
         frame->pd_length > IWARP_MPA_PRIVATE_DATA_MAX ||
         (rejects && key == IWARP_MPA_KEY_REQUEST) ||
         (enhanced && (frame->rev < 2 || frame->pd_length < IWARP_MPA_ENHANCED_LEN));
}

/* Returns true if the frame has enhanced data of which A does not fit the RTR flags. RFC 6581 9.2
 */
static bool wait_model_wrong(const iwarp_mpa_startup *frame, const wait_frame *in) {
  const iwarp_span rest = {in->octets + IWARP_MPA_STARTUP_LEN, in->num - IWARP_MPA_STARTUP_LEN};
  iwarp_mpa_enhanced v;
  return (frame->flags & IWARP_MPA_FLAG_S) != 0 &&
         iwarp_mpa_enhanced_decode(&v, rest).err == IWARP_OK && v.a != (v.b || v.c || v.d);
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
static bool wait_frame_wrong(const tcp_flow *f, uint8_t side, const wait_frame *in, bool first) {
  const iwarp_span head = {in->octets, in->num};
  iwarp_mpa_startup frame;
  if (iwarp_mpa_startup_head_decode(&frame, head).err != IWARP_OK) {
    return false;
  }
  const iwarp_mpa_key key = iwarp_mpa_key_classify(head);
  const size_t rest = in->len - IWARP_MPA_STARTUP_LEN;
  if (key == IWARP_MPA_KEY_UNKNOWN) {
    const bool placed = first && obs_tcp_like_startup(head, &frame) && frame.pd_length == rest;
    return placed || wait_near(head, IWARP_MPA_KEY_REQUEST) || wait_near(head, IWARP_MPA_KEY_REPLY);
  }
  return frame.pd_length < rest || wait_fields_wrong(&frame, key) || wait_model_wrong(&frame, in) ||
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
  if (!ev->may_wait) {
    return (tcp_unproven){0};
  }
  if (f->conn != NULL && f->conn->conn.info->side[ev->side].has_startup) {
    return obs_tcp_wait_fpdus(f->conn, ev->side, in);
  }
  const iwarp_span held =
      f->conn == NULL ? iwarp_scan_held(&f->side[ev->side].scan) : (iwarp_span){0};
  const bool first = ev->start_known && ev->pos - held.len == ev->start;
  wait_frame frame = {.len = 0};
  wait_frame_add(&frame, held);
  wait_frame_add(&frame, in);
  if ((ev->segment_start || held.len > 0) && wait_frame_wrong(f, ev->side, &frame, first)) {
    return (tcp_unproven){in.len, INGEST_HELD_WRONG};
  }
  return (tcp_unproven){wait_is_due(f->conn, ev->side) ? in.len : 0, INGEST_HELD_UNPROVEN};
}
