/* SPDX-License-Identifier: BSD-2-Clause */
/* The packets of a conversation, and its TCP segments. */
#include "scenario_priv.h"

#include <stdlib.h>

scenario *scenario_new(void) {
  scenario *s = calloc(1, sizeof *s);
  if (s != NULL) {
    s->isn = 1000;
  }
  return s;
}

void scenario_free(scenario *s) {
  for (size_t i = 0; s != NULL && i < s->num; i++) {
    free(s->packets[i].octets);
  }
  if (s != NULL) {
    free(s->packets);
  }
  free(s);
}

static bool packets_grow(scenario *s) {
  if (s->num < s->cap || s->num == SCN_PACKETS_MAX) {
    return s->num < SCN_PACKETS_MAX;
  }
  const size_t cap = s->cap > 0 ? s->cap * 2 : 64;
  scn_packet *grown = realloc(s->packets, cap * sizeof *grown);
  if (grown != NULL) {
    s->packets = grown;
    s->cap = cap;
  }
  return grown != NULL;
}

bool scn_packet_copy(scenario *s, const scn_packet *packet) {
  uint8_t *octets = malloc(packet->len + 1);
  if (octets == NULL || packet->len > SCN_CAPTURE_MAX - s->octets || !packets_grow(s)) {
    free(octets);
    return false;
  }
  s->octets += packet->len;
  memcpy(octets, packet->len > 0 ? packet->octets : (const uint8_t *)"", packet->len);
  s->packets[s->num] = *packet;
  s->packets[s->num++].octets = octets;
  return true;
}

/* What a packet takes of its side's sequence numbers. */
static uint32_t packet_span(uint8_t flags, size_t len) {
  return (uint32_t)len + ((flags & (SCN_SYN | SCN_FIN)) != 0 ? 1u : 0u);
}

bool scn_packet_add(scenario *s, uint8_t side, uint8_t flags, const uint8_t *octets, size_t len) {
  const scn_packet packet = {.side = side,
                             .flags = flags,
                             .payload = len > 0,
                             .seq = s->side[side].seq,
                             .ack = s->side[1 - side].seq,
                             .octets = (uint8_t *)(uintptr_t)octets,
                             .len = len};
  s->side[side].seq += packet_span(flags, len);
  return scn_packet_copy(s, &packet);
}

bool scn_send(scenario *s, uint8_t side, const uint8_t *octets, size_t len, const scn_travel *how) {
  const size_t whole = len < SCN_SEGMENT_MAX ? len : SCN_SEGMENT_MAX;
  const size_t segment = how->segment > 0 && how->segment < whole ? how->segment : whole;
  bool ok = true;
  for (size_t at = 0; ok && at < len; at += segment) {
    const size_t n = len - at < segment ? len - at : segment;
    if (how->lost) {
      s->side[side].seq += (uint32_t)n;
      continue;
    }
    ok = scn_packet_add(s, side, SCN_PSH | SCN_ACK, octets + at, n);
    if (ok) {
      s->packets[s->num - 1].snap = how->snap;
    }
    if (ok && how->twice) {
      const scn_packet again = s->packets[s->num - 1];
      ok = scn_packet_copy(s, &again);
    }
  }
  return ok;
}
