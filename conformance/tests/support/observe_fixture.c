/* SPDX-License-Identifier: BSD-2-Clause */
/* An observe that is given events of ingest, and a log of what it makes of them. */
#include "observe_fixture.h"

#include <stdio.h>
#include <string.h>

#include "check_run.h"

observe_fixture flows;

const char flow_request[FLOW_FRAME + 1] = "MPA ID Req Frame\0\1\0\0";
const char flow_reply[FLOW_FRAME + 1] = "MPA ID Rep Frame\0\1\0\0";
const char flow_fpdu[FLOW_FPDU + 1] = "\0\22\x41\x43\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0";

static void flows_log(const char *text) {
  ck_assert_uint_lt(strlen(flows.logged) + strlen(text), FLOWS_LOG);
  strcat(flows.logged, text);
}

static const char *flows_kind(const iwarp_event *ev) {
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

void flows_on_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  char line[64];
  (void)ctx;
  if (ev->kind == IWARP_EVENT_END) {
    return;
  }
  if (ev->kind == IWARP_EVENT_STARTUP) {
    flows.startup_packet = ev->last.packet;
  }
  snprintf(line, sizeof line, "%s%u%c:%s@%llu ", conn->numbered ? "" : "?",
           (unsigned int)conn->number, 'a' + ev->side, flows_kind(ev), (unsigned long long)ev->pos);
  flows_log(line);
}

void flows_on_closed(void *ctx, observe_conn *conn) {
  char line[96];
  (void)ctx;
  snprintf(line, sizeof line, "%u:closed(streaming %llu/%llu%s) ", (unsigned int)conn->number,
           (unsigned long long)conn->tally.streaming[0],
           (unsigned long long)conn->tally.streaming[1],
           conn->given_up != NULL ? ", given up" : "");
  flows_log(line);
  flows.last_closed = *conn;
}

void flows_on_limit(void *ctx, const char *name, uint64_t n) {
  char line[64];
  (void)ctx;
  snprintf(line, sizeof line, "limit(%s %u) ", name, (unsigned int)n);
  flows_log(line);
}

void flows_begin_with(const uint8_t *ports, const observe_hooks *hooks) {
  const observe_cfg cfg = {.ports = ports, .budget = &flows.memory};
  flows = (observe_fixture){.memory = {.limit = SIZE_MAX}, .ends = {.heard = {true, true}}};
  flows.obs = observe_new(&cfg, hooks);
  ck_assert_ptr_nonnull(flows.obs);
  observe_file(flows.obs, "test");
}

void flows_begin(const uint8_t *ports) {
  const observe_hooks hooks = {
      .event = flows_on_event, .closed = flows_on_closed, .limit = flows_on_limit};
  flows_begin_with(ports, &hooks);
}

/* Gives an event by its segment, if it is one. */
static bool flows_segment(const ingest_event *ev) {
  const ingest_segment seg = {.user = *ev->user,
                              .data = ev->data,
                              .len = (size_t)ev->len,
                              .pos = ev->pos,
                              .packet = ev->packet,
                              .time_ns = ev->time_ns,
                              .peer_pos = ev->peer_pos,
                              .side = ev->side};
  const bool is = ev->kind == INGEST_EVENT_DATA && ev->segment_start && !ev->damaged;
  const bool taken = is && observe_segment(flows.obs, &seg);
  flows.segments += taken ? 1u : 0u;
  return taken;
}

void flows_send(size_t flow, ingest_event ev) {
  static const ingest_addr addr[2] = {{.family = 4, .ip = {10, 0, 0, 1}, .port = 40000},
                                      {.family = 4, .ip = {10, 0, 0, 2}, .port = 7174}};
  ev.user = &flows.users[flow];
  ev.ends = &flows.ends;
  ev.addr = addr;
  ev.packet = ++flows.packet;
  ev.time_ns = flows.packet * 1000;
  ev.start_known = ev.side == 0 || !flows.joined;
  ev.start = 1000;
  if (!flows_segment(&ev)) {
    observe_event(flows.obs, &ev);
  }
  ck_assert(!observe_failed(flows.obs));
}

void flow_open(size_t flow) {
  flows_send(flow, (ingest_event){.kind = INGEST_EVENT_OPEN});
}

void flow_data(size_t flow, uint8_t side, uint64_t pos, const void *octets, size_t n,
               uint64_t peer_pos) {
  flows_send(flow, (ingest_event){.kind = INGEST_EVENT_DATA,
                                  .side = side,
                                  .data = octets,
                                  .len = n,
                                  .pos = pos,
                                  .peer_pos = peer_pos,
                                  .segment_start = true});
}

void flow_gap(size_t flow, uint8_t side, uint64_t pos, uint64_t n) {
  flows_send(flow, (ingest_event){.kind = INGEST_EVENT_GAP, .side = side, .pos = pos, .len = n});
}

void flow_end(size_t flow, uint8_t side, uint64_t pos) {
  flows_send(flow, (ingest_event){.kind = INGEST_EVENT_END, .side = side, .pos = pos});
}

void flow_close(size_t flow) {
  flows_send(flow, (ingest_event){.kind = INGEST_EVENT_CLOSE});
  ck_assert_ptr_null(flows.users[flow]);
}
