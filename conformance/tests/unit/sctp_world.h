/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP packets made octet by octet for tests of ingest, and the events they cause. */
#ifndef TESTS_UNIT_SCTP_WORLD_H
#define TESTS_UNIT_SCTP_WORLD_H

#include "check_run.h"

#include <iwarp/crc32c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ingest/pcap_src.h>
#include <ingest/sctp.h>

#define LOG_CAP 65536u

enum {
  DATA = 0,
  INIT = 1,
  INIT_ACK = 2,
  SACK = 3,
  ABORT = 6,
  SHUTDOWN = 7,
  SHUTDOWN_ACK = 8,
  FORWARD = 192
};
enum { ALL = 7, FIRST = 6, MIDDLE = 4, LAST = 5, ORDERED = 3 };

/* One engine, the packet in the making, and what came of all. */
typedef struct world {
  ingest_cfg cfg;
  size_t live;
  size_t peak;
  ingest *ing;
  uint64_t number;
  uint8_t packet[4096];
  size_t len;
  uint32_t client_ip; /* of side 0 */
  bool bad;
  size_t cut;
  bool quiet;         /* events are counted only */
  uint64_t time_back; /* the packet in the making was captured so much earlier than it stands */
  uint64_t opened, messages, lost, closed;
  uint64_t limits[INGEST_LIMIT_MESSAGE + 1];             /* of CLOSE */
  uint64_t told[INGEST_LIMIT_MESSAGE + 1];               /* of LOST */
  size_t budget;                                         /* octets that may be live, or 0 */
  uint64_t octets;                                       /* of all packets */
  void (*event)(void *ctx, const ingest_sctp_event *ev); /* gets each of them, or NULL */
  void *event_ctx;
  char log[LOG_CAP];
} world;

static inline void *world_get(void *ctx, size_t size) {
  world *w = ctx;
  if (w->budget != 0 && w->live + size > w->budget) {
    return NULL;
  }
  w->live += size;
  w->peak = w->live > w->peak ? w->live : w->peak;
  return malloc(size);
}

static inline void world_put(void *ctx, void *ptr, size_t size) {
  world *w = ctx;
  w->live -= size;
  free(ptr);
}

static inline world *world_new(void) {
  world *w = calloc(1, sizeof *w);
  ck_assert_ptr_nonnull(w);
  w->cfg.alloc = (ingest_alloc){.ctx = w, .get = world_get, .put = world_put};
  w->ing = ingest_new(&w->cfg);
  w->client_ip = 0x0A000001;
  return w;
}

static inline void world_say(world *w, const char *text) {
  ck_assert_uint_lt(strlen(w->log) + strlen(text), LOG_CAP);
  strcat(w->log, text);
}

static inline void world_count(world *w, const ingest_sctp_event *ev) {
  w->opened += ev->kind == INGEST_SCTP_OPEN;
  w->messages += ev->kind == INGEST_SCTP_MESSAGE;
  if (ev->kind == INGEST_SCTP_LOST) {
    w->lost++;
    w->told[ev->limit]++;
  }
  if (ev->kind == INGEST_SCTP_CLOSE) {
    w->closed++;
    w->limits[ev->limit]++;
  }
}

static inline void world_event(world *w, const ingest_sctp_event *ev) {
  char text[160];
  world_count(w, ev);
  if (w->event != NULL) {
    w->event(w->event_ctx, ev);
  }
  if (w->quiet) {
    return;
  }
  const char side = (char)('a' + ev->side);
  switch (ev->kind) {
  case INGEST_SCTP_OPEN: world_say(w, "open "); return;
  case INGEST_SCTP_INIT:
    snprintf(text, sizeof text, "%c:init%u/%u ", side, ev->init->out_streams,
             ev->init->has_adaptation ? ev->init->adaptation : 0);
    break;
  case INGEST_SCTP_MESSAGE:
    snprintf(text, sizeof text, "%c:%u=%.*s%s%s%s%s ", side, (unsigned)(uint32_t)ev->pos,
             (int)ev->message->cap, (const char *)ev->message->data,
             ev->message->ordered ? "!" : "", ev->message->needless ? "+" : "",
             ev->message->cause_seen ? "*" : "", ev->message->damaged ? "?" : "");
    break;
  case INGEST_SCTP_LOST:
    snprintf(text, sizeof text, "%c:lost%u+%u%s%s ", side, (unsigned)(uint32_t)ev->pos,
             (unsigned)ev->len, ev->limit != INGEST_LIMIT_NONE ? "/" : "",
             ev->limit != INGEST_LIMIT_NONE ? ingest_limit_name(ev->limit) : "");
    break;
  case INGEST_SCTP_CLOSE:
    snprintf(text, sizeof text, "close%d%s%s ", (int)ev->end,
             ev->limit != INGEST_LIMIT_NONE ? "/" : "",
             ev->limit != INGEST_LIMIT_NONE ? ingest_limit_name(ev->limit) : "");
    break;
  }
  world_say(w, text);
}

static inline void world_drain(world *w) {
  ingest_event tcp;
  ingest_sctp_event ev;
  ck_assert(!ingest_next(w->ing, &tcp));
  while (ingest_sctp_next(w->ing, &ev)) {
    world_event(w, &ev);
  }
}

/* Ends the capture; all memory must come back. */
static inline void world_end(world *w, const char *due) {
  ingest_finish(w->ing);
  world_drain(w);
  ck_assert_str_eq(w->log, due);
  ingest_free(w->ing);
  ck_assert_uint_eq(w->live, 0);
  free(w);
}

/* ---- packets ---- */

static inline void put(world *w, uint32_t value, unsigned octets) {
  while (octets-- > 0) {
    w->packet[w->len++] = (uint8_t)(value >> (8 * octets));
  }
}

/* Begins a packet from a side: raw IPv4, then the common header. */
static inline void begin(world *w, unsigned side, uint32_t tag) {
  w->len = 0;
  put(w, 0x45000000, 4);
  put(w, 0x00004000, 4);
  put(w, 0x40840000, 4);
  put(w, side == 0 ? w->client_ip : 0x0A000002u, 4);
  put(w, side == 0 ? 0x0A000002u : w->client_ip, 4);
  put(w, side == 0 ? 40000 : 7174, 2);
  put(w, side == 0 ? 7174 : 40000, 2);
  put(w, tag, 4);
  put(w, 0, 4);
}

static inline void end(world *w) {
  uint32_t crc = iwarp_crc32c(0, &w->packet[20], w->len - 20);
  crc ^= w->bad ? 1u : 0u;
  for (unsigned i = 0; i < 4; i++) {
    w->packet[28 + i] = (uint8_t)(crc >> (8 * i));
  }
  w->packet[2] = (uint8_t)(w->len >> 8);
  w->packet[3] = (uint8_t)w->len;
  const ingest_packet pkt = {.data = w->packet,
                             .caplen = w->len - w->cut,
                             .len = w->len,
                             .link_type = 101,
                             .number = ++w->number,
                             .time_ns = w->number * 10 - w->time_back};
  w->octets += w->len;
  ingest_push(w->ing, &pkt);
  world_drain(w);
  w->bad = false;
  w->cut = 0;
  w->time_back = 0;
}

static inline void chunk(world *w, unsigned type, unsigned flags, unsigned len) {
  put(w, type << 24 | flags << 16 | len, 4);
}

static inline void data(world *w, uint32_t tsn, unsigned flags, const char *text) {
  const size_t n = strlen(text);
  chunk(w, DATA, flags, (unsigned)(16 + n));
  put(w, tsn, 4);
  put(w, 5u << 16, 4);
  put(w, 16, 4);
  for (size_t i = 0; i < (n + 3) / 4 * 4; i++) {
    put(w, i < n ? (uint8_t)text[i] : 0, 1);
  }
}

static inline void ack(world *w, uint32_t tsn, unsigned gaps) {
  chunk(w, SACK, 0, 16 + 4 * gaps);
  put(w, tsn, 4);
  put(w, 65536, 4);
  put(w, gaps << 16, 4);
  for (unsigned i = 0; i < gaps; i++) {
    put(w, 0x00020002, 4);
  }
}

static inline void send_data(world *w, unsigned side, uint32_t tsn, const char *text) {
  begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  data(w, tsn, ALL, text);
  end(w);
}

static inline void send_ack(world *w, unsigned side, uint32_t tsn) {
  begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  ack(w, tsn, 0);
  end(w);
}

static inline void send_init(world *w, unsigned side, uint32_t tag, uint32_t own, uint32_t tsn) {
  begin(w, side, tag);
  chunk(w, side == 0 ? INIT : INIT_ACK, 0, 28);
  put(w, own, 4);
  put(w, 65536, 4);
  put(w, 0x00080009, 4);
  put(w, tsn, 4);
  put(w, 0xC0060008, 4);
  put(w, 1, 4);
  end(w);
}

static inline world *world_open(uint32_t client, uint32_t server) {
  world *w = world_new();
  send_init(w, 0, 0, 0xA0A0, client);
  send_init(w, 1, 0xA0A0, 0xB0B0, server);
  return w;
}

#define OPENED "open a:init8/1 b:init8/1 "

/* ---- many associations ---- */

/* Tags of association i. */
static inline uint32_t tag_of(uint32_t i, unsigned side, bool fixed) {
  return fixed ? 0xA0A0u + side : 0x10000u * (side + 1) + i;
}

static inline void nth(world *w, uint32_t i) {
  w->client_ip = 0x0B000000u + i;
}

static inline void nth_open(world *w, uint32_t i, bool fixed) {
  nth(w, i);
  send_init(w, 0, 0, tag_of(i, 0, fixed), 100);
  send_init(w, 1, tag_of(i, 0, fixed), tag_of(i, 1, fixed), 200);
}

static inline void nth_data(world *w, uint32_t i, unsigned side, uint32_t tsn, bool fixed) {
  nth(w, i);
  begin(w, side, tag_of(i, side ^ 1u, fixed));
  data(w, tsn, ALL, "x");
  end(w);
}

static inline world *many(uint32_t n, bool fixed) {
  world *w = world_new();
  w->quiet = true;
  for (uint32_t i = 0; i < n; i++) {
    nth_open(w, i, fixed);
  }
  return w;
}

#endif
