/* SPDX-License-Identifier: BSD-2-Clause */
/* The packets of a conversation, and its TCP segments. */
#include "scenario_priv.h"

#include <stdlib.h>

#include <memory/memory.h>

void scn_truncate(scenario *s, size_t num) {
  while (s->num > num) {
    s->num--;
    s->octets -= s->packets[s->num].len;
    free(s->packets[s->num].octets);
    free(s->packets[s->num].comment);
  }
}

void scn_forget(scenario *s) {
  scn_truncate(s, 0);
}

static bool packets_grow(scenario *s) {
  if (s->num < s->cap || s->num == SCN_PACKETS_MAX) {
    return s->num < SCN_PACKETS_MAX;
  }
  const size_t cap = s->cap > 0 ? s->cap * 2 : 64;
  scn_packet *grown = memory_resize(s->packets, cap * sizeof *grown);
  if (grown != NULL) {
    s->packets = grown;
    s->cap = cap;
  }
  return grown != NULL;
}

/* The bound holds for packets that the capture lacks, too: they cost as much time. */
bool scn_packet_unseen(scenario *s, size_t len) {
  s->unseen += len;
  return s->unseen <= SCN_CAPTURE_MAX;
}

bool scn_packet_copy(scenario *s, const scn_packet *packet) {
  if (s->unheard[packet->side]) {
    return scn_packet_unseen(s, packet->len);
  }
  uint8_t *octets = memory_get(packet->len + 1);
  if (octets == NULL || packet->len > SCN_CAPTURE_MAX - s->octets || !packets_grow(s)) {
    free(octets);
    return false;
  }
  s->octets += packet->len;
  memcpy(octets, packet->len > 0 ? packet->octets : (const uint8_t *)"", packet->len);
  s->packets[s->num] = *packet;
  s->packets[s->num].again = s->again;
  s->packets[s->num].comment = NULL;
  s->packets[s->num++].octets = octets;
  return true;
}

/* Returns the sequence numbers that a packet uses. */
static uint32_t packet_span(uint8_t flags, size_t len) {
  return (uint32_t)len + ((flags & (SCN_SYN | SCN_FIN)) != 0 ? 1u : 0u);
}

/* The next packet of a side of the present connection. */
static scn_packet packet_next(const scenario *s, uint8_t side, uint8_t flags, const uint8_t *octets,
                              size_t len) {
  return (scn_packet){.side = side,
                      .conn = s->conn->number,
                      .flags = flags,
                      .payload = len > 0,
                      .seq = s->conn->side[side].seq,
                      .ack = s->conn->side[1 - side].seq,
                      .octets = (uint8_t *)(uintptr_t)octets,
                      .len = len};
}

bool scn_packet_add(scenario *s, uint8_t side, uint8_t flags, const uint8_t *octets, size_t len) {
  const scn_packet packet = packet_next(s, side, flags, octets, len);
  s->conn->side[side].seq += packet_span(flags, len);
  return scn_packet_copy(s, &packet);
}

/* One TCP segment. */
static bool send_segment(scenario *s, uint8_t side, const uint8_t *octets, size_t len,
                         const scn_travel *how) {
  scn_packet packet = packet_next(s, side, SCN_PSH | SCN_ACK, octets, len);
  packet.ack -= (uint32_t)how->unacked;
  packet.snap = how->snap;
  packet.mtu = how->mtu;
  s->conn->side[side].seq += (uint32_t)len;
  if (how->lost) {
    return scn_packet_unseen(s, len);
  }
  return scn_packet_copy(s, &packet) && (!how->twice || scn_packet_copy(s, &packet));
}

/* Appends octets to the waiting octets of a side, and returns all of them; NULL: there is no
 * room. */
static const uint8_t *send_wait(scenario *s, uint8_t side, const uint8_t *octets, size_t *len) {
  size_t *waiting = &s->conn->side[side].waiting;
  if (*len > sizeof s->conn->waiting[side] - *waiting) {
    return NULL;
  }
  if (*len > 0) { /* no place is needed for no octets, such as a FIN alone */
    memcpy(s->conn->waiting[side] + *waiting, octets, *len);
  }
  *waiting += *len;
  *len = *waiting;
  return s->conn->waiting[side];
}

bool scn_send(scenario *s, uint8_t side, const uint8_t *octets, size_t len, const scn_travel *how) {
  const uint8_t *all = send_wait(s, side, octets, &len);
  if (all == NULL || how->bundled) {
    return all != NULL;
  }
  const size_t whole = len < SCN_SEGMENT_MAX ? len : SCN_SEGMENT_MAX;
  const size_t segment = how->segment > 0 && how->segment < whole ? how->segment : whole;
  bool ok = true;
  for (size_t at = 0; ok && at < len; at += segment) {
    const size_t n = len - at < segment ? len - at : segment;
    ok = send_segment(s, side, all + at, n, how);
  }
  s->conn->side[side].waiting = 0;
  return ok;
}
