/* SPDX-License-Identifier: BSD-2-Clause */
/* An observe that is given events of ingest, and a log of what it makes of them. */
#ifndef OBSERVE_FLOWS_H
#define OBSERVE_FLOWS_H

#include <stdio.h>
#include <string.h>

#include <observe/observe.h>

#include "check_run.h"

#define LOG_CAP 4096u
#define NUM_FLOWS 3u

static char logged[LOG_CAP];
static observe *obs;
static void *users[NUM_FLOWS];
static uint64_t packet;
static uint64_t startup_packet;  /* of the last startup frame */
static ingest_ends flow_ends;    /* what TCP shows of the end; a test sets it */
static observe_conn last_closed; /* what was reported of the last connection that ended */

static inline void log_put(const char *text) {
  ck_assert_uint_lt(strlen(logged) + strlen(text), LOG_CAP);
  strcat(logged, text);
}

static inline const char *kind_name(const iwarp_event *ev) {
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: return ev->u.startup.is_reply ? "reply" : "request";
  case IWARP_EVENT_FPDU: return "fpdu";
  case IWARP_EVENT_GAP: return "gap";
  case IWARP_EVENT_UNDECODABLE: return "undecodable";
  case IWARP_EVENT_STREAMING: return "streaming";
  case IWARP_EVENT_SCTP_INIT: return "init";
  case IWARP_EVENT_SCTP_MESSAGE: return "message";
  case IWARP_EVENT_SCTP_SEGMENT: return "segment";
  case IWARP_EVENT_END: break;
  }
  return "end";
}

/* One word for each event: connection, side, kind, position. */
static inline void on_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  char line[64];
  (void)ctx;
  if (ev->kind == IWARP_EVENT_END) {
    return;
  }
  startup_packet = ev->kind == IWARP_EVENT_STARTUP ? ev->last.packet : startup_packet;
  snprintf(line, sizeof line, "%s%u%c:%s@%llu ", conn->numbered ? "" : "?",
           (unsigned int)conn->number, 'a' + ev->side, kind_name(ev), (unsigned long long)ev->pos);
  log_put(line);
}

static inline void on_closed(void *ctx, observe_conn *conn) {
  char line[96];
  (void)ctx;
  snprintf(line, sizeof line, "%u:closed(streaming %llu/%llu%s) ", (unsigned int)conn->number,
           (unsigned long long)conn->tally.streaming[0],
           (unsigned long long)conn->tally.streaming[1],
           conn->given_up != NULL ? ", given up" : "");
  log_put(line);
  last_closed = *conn;
}

static inline void on_limit(void *ctx, const char *name, uint64_t n) {
  char line[64];
  (void)ctx;
  snprintf(line, sizeof line, "limit(%s %u) ", name, (unsigned int)n);
  log_put(line);
}

static observe_budget memory; /* of the run */

static inline void begin(const uint8_t *ports) {
  const observe_cfg cfg = {.ports = ports, .budget = &memory};
  memory = (observe_budget){.limit = SIZE_MAX};
  const observe_hooks hooks = {.event = on_event, .closed = on_closed, .limit = on_limit};
  memset(users, 0, sizeof users);
  logged[0] = 0;
  packet = 0;
  flow_ends = (ingest_ends){.heard = {true, true}};
  obs = observe_new(&cfg, &hooks);
  ck_assert_ptr_nonnull(obs);
  observe_file(obs, "test");
}

static inline void send_event(size_t flow, ingest_event ev) {
  static ingest_addr addr[2] = {{.family = 4, .ip = {10, 0, 0, 1}, .port = 40000},
                                {.family = 4, .ip = {10, 0, 0, 2}, .port = 7174}};
  ev.user = &users[flow];
  ev.ends = &flow_ends;
  ev.addr = addr;
  ev.packet = ++packet;
  ev.time_ns = packet * 1000;
  ev.start_known = true;
  ev.start = 1000;
  observe_event(obs, &ev);
  ck_assert(!observe_failed(obs));
}

static inline void flow_open(size_t flow) {
  send_event(flow, (ingest_event){.kind = INGEST_EVENT_OPEN});
}

static inline void flow_data(size_t flow, uint8_t side, uint64_t pos, const void *octets, size_t n,
                             uint64_t peer_pos) {
  send_event(flow, (ingest_event){.kind = INGEST_EVENT_DATA,
                                  .side = side,
                                  .data = octets,
                                  .len = n,
                                  .pos = pos,
                                  .peer_pos = peer_pos,
                                  .segment_start = true});
}

static inline void flow_gap(size_t flow, uint8_t side, uint64_t pos, uint64_t n) {
  send_event(flow, (ingest_event){.kind = INGEST_EVENT_GAP, .side = side, .pos = pos, .len = n});
}

static inline void flow_end(size_t flow, uint8_t side, uint64_t pos) {
  send_event(flow, (ingest_event){.kind = INGEST_EVENT_END, .side = side, .pos = pos});
}

static inline void flow_close(size_t flow) {
  send_event(flow, (ingest_event){.kind = INGEST_EVENT_CLOSE});
  ck_assert_ptr_null(users[flow]);
}

static const char request[] = "MPA ID Req Frame\0\1\0\0";
static const char reply[] = "MPA ID Rep Frame\0\1\0\0";
/* A Send of 18 octets of header and none of payload, CRC 0. */
static const char fpdu[] = "\0\22\x41\x43\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0";
#define FRAME 20u
#define FPDU 24u

#endif
