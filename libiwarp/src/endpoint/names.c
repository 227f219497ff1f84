/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of an endpoint's states, events and causes. */
#include "lists.h"

#define NAMES_STATE(name, text) [IWARP_ENDPOINT_##name] = #name,
static const char *const names_states[] = {EP_STATE_MAP(NAMES_STATE)};

#define NAMES_CAUSE(name, err) [IWARP_ENDPOINT_CAUSE_##name] = #name,
static const char *const names_causes[] = {EP_CAUSE_MAP(NAMES_CAUSE)};

#define NAMES_EVENT(name) [IWARP_ENDPOINT_EVENT_##name] = #name
static const char *const names_events[] = {
    NAMES_EVENT(REQUEST),     NAMES_EVENT(REPLY),      NAMES_EVENT(REJECTED),
    NAMES_EVENT(ESTABLISHED), NAMES_EVENT(STREAMING),  NAMES_EVENT(PLACE),
    NAMES_EVENT(RECV),        NAMES_EVENT(ATOMIC),     NAMES_EVENT(DONE),
    NAMES_EVENT(FAULT),       NAMES_EVENT(TERMINATED), NAMES_EVENT(PEER_ENDED),
    NAMES_EVENT(SHUTDOWN),    NAMES_EVENT(CLOSED),     NAMES_EVENT(PLACED_OUT_OF_ORDER),
    NAMES_EVENT(RECV_LOW),    NAMES_EVENT(IDLE),
};

static const char *names_at(const char *const *names, size_t num, size_t at) {
  return at < num ? names[at] : IWARP_NAME_UNKNOWN;
}

const char *iwarp_endpoint_state_name(iwarp_endpoint_state state) {
  return names_at(names_states, sizeof names_states / sizeof names_states[0], (size_t)state);
}

const char *iwarp_endpoint_event_name(iwarp_endpoint_event_kind kind) {
  return names_at(names_events, sizeof names_events / sizeof names_events[0], (size_t)kind);
}

const char *iwarp_endpoint_cause_name(iwarp_endpoint_cause cause) {
  return names_at(names_causes, sizeof names_causes / sizeof names_causes[0], (size_t)cause);
}
