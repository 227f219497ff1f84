/* SPDX-License-Identifier: BSD-2-Clause */
/* A list of packets through ingest, observers and rules, without the tool. */
#include "follow.h"

#include <stdlib.h>

#include "judge.h"

#define FILE_HEADER 24u
#define RECORD_HEADER 16u

/* ---- a pcap file ---- */

static uint32_t word(const uint8_t *at, bool little) {
  return little ? (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0]
                : (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

void follow_read(follow_packets *out, iwarp_span file) {
  out->num = 0;
  if (file.len < FILE_HEADER) {
    return;
  }
  const bool little = file.ptr[0] != 0xA1;
  const int link = (int)(word(file.ptr + 20, little) & 0xFFFFu);
  size_t at = FILE_HEADER;
  while (out->num < FOLLOW_PACKETS && file.len - at >= RECORD_HEADER) {
    const uint8_t *record = file.ptr + at;
    const uint32_t caplen = word(record + 8, little);
    const uint32_t len = word(record + 12, little);
    at += RECORD_HEADER;
    if (caplen > file.len - at) {
      return;
    }
    out->packet[out->num] = (ingest_packet){.data = file.ptr + at,
                                            .caplen = caplen,
                                            .len = len > caplen ? len : caplen,
                                            .link_type = link,
                                            .number = out->num + 1,
                                            .time_ns = UINT64_C(1000000000) * word(record, little) +
                                                       UINT64_C(1000) * word(record + 4, little)};
    out->num++;
    at += caplen;
  }
}

/* ---- memory of ingest ---- */

/* The size of each block lies before it, so that put can count freed octets. */
static void *get(void *ctx, size_t size) {
  follow *f = ctx;
  if (refusal_now(&f->refuse)) {
    return NULL;
  }
  f->live += size;
  refuse_end(); /* the allocation was counted here */
  void *at = malloc(size);
  refuse_begin(&f->refuse);
  fuzz_expect(at != NULL, "no memory");
  return at;
}

static void put(void *ctx, void *ptr, size_t size) {
  follow *f = ctx;
  f->live -= ptr != NULL ? size : 0;
  free(ptr);
}

/* ---- results ---- */

/* Returns true if there is a Request and a Reply. Otherwise rules may be unable to blame a side
 * until one more packet is lost. */
static bool has_frames(const iwarp_observer_info *info) {
  return info->side[0].has_startup && info->side[1].has_startup &&
         info->side[0].is_reply != info->side[1].is_reply;
}

/* Returns true if a Response may be right: its sender had received the Request. An old
 * acknowledgment hides an unsolicited Response until the Request is lost. */
static bool answers_right(follow_answers *a, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  const unsigned peer = 1u - ev->side;
  const iwarp_rdmap_opcode opcode = seg->has_ddp ? seg->ctrl.opcode : IWARP_RDMAP_OP_SEND;
  if ((opcode == IWARP_RDMAP_OP_READ_REQ || opcode == IWARP_RDMAP_OP_ATOMIC_REQ) &&
      a->num_requests[ev->side] < FOLLOW_REQUESTS) {
    a->request_end[ev->side][a->num_requests[ev->side]++] = ev->pos + ev->len;
  }
  if (opcode != IWARP_RDMAP_OP_READ_RESP && opcode != IWARP_RDMAP_OP_ATOMIC_RESP) {
    return true;
  }
  const size_t i = a->num_answered[ev->side];
  a->num_answered[ev->side] += seg->ddp.last ? 1 : 0;
  return i >= a->num_requests[peer] || ev->first.peer_pos >= a->request_end[peer][i];
}

static bool connection_right(follow *f, const observe_conn *conn, const iwarp_event *ev) {
  f->answers.conn = f->answers.conn != NULL ? f->answers.conn : conn;
  return f->answers.conn != conn || answers_right(&f->answers, ev);
}

static void event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  follow *f = ctx;
  f->num_events++;
  f->octets += ev->kind == IWARP_EVENT_END || ev->kind == IWARP_EVENT_GAP ? 0 : ev->len;
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: f->clean = f->clean && ev->u.startup.err == IWARP_OK; return;
  case IWARP_EVENT_END:
  case IWARP_EVENT_SCTP_INIT: return;
  case IWARP_EVENT_SCTP_MESSAGE:
    f->clean = f->clean && ev->sctp->u.message.reason == IWARP_SCTP_REASON_NONE;
    return;
  case IWARP_EVENT_FPDU:
    f->clean = f->clean && conn->info->side[0].has_startup && conn->info->side[1].has_startup &&
               connection_right(f, conn, ev);
    return;
  case IWARP_EVENT_SCTP_SEGMENT: f->clean = f->clean && conn->certainty->session_certain; return;
  case IWARP_EVENT_GAP:
  case IWARP_EVENT_UNDECODABLE:
  case IWARP_EVENT_STREAMING: f->clean = false;
  }
}

static void finding(void *ctx, observe_conn *conn, const iwarp_finding *v, const iwarp_event *ev) {
  follow *f = ctx;
  (void)conn;
  (void)ev;
  if (judge_is_fault(v)) {
    if (f->num_faults < FOLLOW_FINDINGS) {
      f->fault[f->num_faults] = v->rule;
    }
    f->num_faults++;
    f->clean = false;
  }
}

/* Returns true if no gap keeps a rule from being decided. A wrong acknowledgment, or one captured
 * too early, may hide a violation until one more packet is lost. */
static bool decided(const iwarp_rule_result *results) {
  uint32_t reason = 0;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    reason |= results[id].reason;
  }
  return (reason & (IWARP_REASON_GAP | IWARP_REASON_MID_STREAM)) == 0;
}

static void closed(void *ctx, observe_conn *conn) {
  follow *f = ctx;
  for (unsigned i = 0; i < 2 && f->num_closed == 0; i++) {
    f->start[i] = conn->info->side[i].start_known ? conn->info->side[i].start : 0;
  }
  f->num_closed++;
  f->clean = f->clean && conn->given_up == NULL && (conn->info->sctp || has_frames(conn->info)) &&
             decided(conn->results);
}

static void limit(void *ctx, const char *name, uint64_t n) {
  follow *f = ctx;
  (void)n;
  fuzz_expect(name != NULL, "a limit without a name");
  f->clean = false;
}

static void feed(follow *f, const follow_packets *packets, const bool *lost, ingest *ing,
                 observe *obs) {
  observe_file(obs, "packets");
  for (size_t i = 0; i < packets->num; i++) {
    if (lost == NULL || !lost[i]) {
      f->input += packets->packet[i].caplen + RECORD_HEADER;
      ingest_push(ing, &packets->packet[i]);
      observe_drain(obs, ing, INGEST_DUE_MORE);
    }
  }
  ingest_finish(ing);
  observe_drain(obs, ing, INGEST_DUE_MORE);
  const ingest_stats *stats = ingest_stats_get(ing);
  f->steps = stats->steps;
  f->clean = f->clean && stats->dropped == 0 && stats->bad_checksum == 0;
}

void follow_run(follow *f, const follow_packets *packets, const bool *lost) {
  const observe_hooks hooks = {
      .ctx = f, .event = event, .finding = finding, .closed = closed, .limit = limit};
  const observe_cfg cfg = {.ports = f->ports};
  const ingest_cfg how = {
      .alloc = {.ctx = f, .get = get, .put = put}, .opening = observe_opening, .hash_key = {1, 2}};
  f->clean = true;
  f->failed = false;
  f->num_faults = f->num_events = f->live = 0;
  f->octets = f->input = f->steps = 0;
  f->answers = (follow_answers){0};
  f->start[0] = f->start[1] = f->num_closed = 0;
  refuse_begin(&f->refuse);
  observe *obs = observe_new(&cfg, &hooks);
  ingest *ing = obs != NULL ? ingest_new(&how) : NULL;
  if (ing != NULL) {
    feed(f, packets, lost, ing, obs);
    f->failed = observe_failed(obs);
    fuzz_expect(!f->failed || f->refuse.first != 0, "an engine refused its input");
    ingest_free(ing);
  }
  refuse_end();
  observe_free(obs);
  f->clean = f->clean && f->num_events > 0;
  fuzz_expect(f->live == 0, "%zu octets of memory are lost", f->live);
}
