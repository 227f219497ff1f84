/* SPDX-License-Identifier: BSD-2-Clause */
/* An observe that is given events of ingest, and a log of what it makes of them. */
#ifndef OBSERVE_FIXTURE_H
#define OBSERVE_FIXTURE_H

#include <observe/observe.h>

#define FLOWS_LOG 4096u
#define FLOWS_MAX 3u

/* The run of a test. */
typedef struct observe_fixture {
  observe *obs;
  observe_budget memory;
  void *users[FLOWS_MAX];
  uint64_t packet;
  uint64_t startup_packet;  /* of the last startup frame */
  uint64_t segments;        /* taken without their events */
  ingest_ends ends;         /* what TCP shows of the end; a test sets it */
  bool joined;              /* the start of what side 1 sends is not known */
  observe_conn last_closed; /* what was reported of the last connection that ended */
  char logged[FLOWS_LOG];
} observe_fixture;

extern observe_fixture flows;

/* One word for each event: connection, side, kind, position. */
void flows_on_event(void *ctx, observe_conn *conn, const iwarp_event *ev);

void flows_on_closed(void *ctx, observe_conn *conn);

void flows_on_limit(void *ctx, const char *name, uint64_t n);

/* flows_begin_with forgets all and makes an observe with these hooks. */
void flows_begin_with(const uint8_t *ports, const observe_hooks *hooks);

/* flows_begin does so with the hooks above. */
void flows_begin(const uint8_t *ports);

/* flows_send gives an event of a flow, in a packet of its own. */
void flows_send(size_t flow, ingest_event ev);

void flow_open(size_t flow);

void flow_data(size_t flow, uint8_t side, uint64_t pos, const void *octets, size_t n,
               uint64_t peer_pos);

void flow_gap(size_t flow, uint8_t side, uint64_t pos, uint64_t n);

void flow_end(size_t flow, uint8_t side, uint64_t pos);

void flow_close(size_t flow);

#define FLOW_FRAME 20u
#define FLOW_FPDU 24u

/* Startup frames, and a Send of 18 octets of header and none of payload, CRC 0. */
extern const char flow_request[FLOW_FRAME + 1];
extern const char flow_reply[FLOW_FRAME + 1];
extern const char flow_fpdu[FLOW_FPDU + 1];

#endif
