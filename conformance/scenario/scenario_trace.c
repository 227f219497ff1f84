/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets for octets whose packets are not known. */
#include "scenario_priv.h"

#include <stdlib.h>

#include <memory/memory.h>

/* Adds a packet of the present connection with its time. */
static bool trace_packet(scenario *s, uint8_t side, uint8_t flags, uint64_t time_ns,
                         const uint8_t *octets, size_t len) {
  if (!s->traced || !scn_packet_add(s, side, flags, octets, len)) {
    return false;
  }
  s->packets[s->num - 1].time_ns = time_ns;
  return true;
}

/* The next connection; the first one is there from the beginning. */
static bool trace_next(scenario *s) {
  uint8_t number = 0;
  if (!s->traced) {
    s->traced = true;
    return true;
  }
  while (number < SCN_CONNS_MAX && s->conns[number] != NULL) {
    number++;
  }
  return number < SCN_CONNS_MAX && scn_conn_new(s, number);
}

bool scenario_trace_open(scenario *s, const scenario_end ends[2], uint64_t time_ns) {
  if (!trace_next(s)) {
    return false;
  }
  s->conn->ends[0] = ends[0];
  s->conn->ends[1] = ends[1];
  return trace_packet(s, 0, SCN_SYN, time_ns, NULL, 0) &&
         trace_packet(s, 1, SCN_SYN | SCN_ACK, time_ns, NULL, 0) &&
         trace_packet(s, 0, SCN_ACK, time_ns, NULL, 0);
}

/* A packet after the handshake. */
static bool trace_later(scenario *s, uint8_t side, uint8_t flag, scenario_moment at,
                        const uint8_t *octets, size_t len) {
  return trace_packet(s, side, (uint8_t)(flag | (at.acks ? SCN_ACK : 0u)), at.time_ns, octets, len);
}

bool scenario_trace_octets(scenario *s, uint8_t side, scenario_moment at, const uint8_t *octets,
                           size_t len) {
  bool ok = true;
  for (size_t i = 0; ok && i < len; i += SCN_SEGMENT_MAX) {
    const size_t n = len - i < SCN_SEGMENT_MAX ? len - i : SCN_SEGMENT_MAX;
    ok = trace_later(s, side, SCN_PSH, at, octets + i, n);
  }
  return ok;
}

bool scenario_trace_fin(scenario *s, uint8_t side, scenario_moment at) {
  return trace_later(s, side, SCN_FIN, at, NULL, 0);
}

bool scenario_trace_rst(scenario *s, uint8_t side, scenario_moment at) {
  return trace_later(s, side, SCN_RST, at, NULL, 0);
}

bool scenario_trace_comment(scenario *s, const char *comment) {
  const char *before = s->num > 0 ? s->packets[s->num - 1].comment : NULL;
  const size_t kept = before != NULL ? strlen(before) + 2 : 0;
  const size_t len = strlen(comment);
  char *text = s->num > 0 ? memory_get(kept + len + 1) : NULL;
  if (text == NULL) {
    return false;
  }
  if (before != NULL) {
    memcpy(text, before, kept - 2);
    memcpy(text + kept - 2, "; ", 2);
  }
  memcpy(text + kept, comment, len + 1);
  free(s->packets[s->num - 1].comment);
  s->packets[s->num - 1].comment = text;
  return true;
}

const char *scenario_trace_note(const scenario *s, size_t i, size_t *num, uint64_t *time_ns) {
  *num = s->num;
  if (i >= s->num) {
    return NULL;
  }
  *time_ns = s->packets[i].time_ns;
  return s->packets[i].comment;
}
