/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP packets made octet by octet, pushed into ingest. */
#include "sctp_fixture.h"

#include <iwarp/crc32c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"

static void *sctp_fixture_get(void *ctx, size_t size) {
  sctp_fixture *w = ctx;
  if (w->budget != 0 && w->live + size > w->budget) {
    return NULL;
  }
  w->live += size;
  w->peak = w->live > w->peak ? w->live : w->peak;
  return malloc(size);
}

static void sctp_fixture_give_back(void *ctx, void *ptr, size_t size) {
  sctp_fixture *w = ctx;
  w->live -= size;
  free(ptr);
}

static sctp_fixture *sctp_fixture_make(bool prompt) {
  sctp_fixture *w = calloc(1, sizeof *w);
  ck_assert_ptr_nonnull(w);
  w->cfg = (ingest_cfg){.alloc = {.ctx = w, .get = sctp_fixture_get, .put = sctp_fixture_give_back},
                        .prompt = prompt};
  w->ing = ingest_new(&w->cfg);
  w->client_ip = 0x0A000001;
  return w;
}

sctp_fixture *sctp_fixture_new(void) {
  return sctp_fixture_make(true);
}

sctp_fixture *sctp_fixture_new_patient(void) {
  return sctp_fixture_make(false);
}

static void sctp_fixture_log(sctp_fixture *w, const char *text) {
  expect(strlen(w->log) + strlen(text) < SCTP_FIXTURE_LOG, "the log is full");
  strcat(w->log, text);
}

static void sctp_fixture_count(sctp_fixture *w, const ingest_sctp_event *ev) {
  w->opened += ev->kind == INGEST_SCTP_OPEN;
  w->messages += ev->kind == INGEST_SCTP_MESSAGE;
  if (ev->kind == INGEST_SCTP_LOST) {
    w->lost++;
    w->lost_by[ev->limit]++;
  }
  if (ev->kind == INGEST_SCTP_CLOSE) {
    w->closed++;
    w->limits[ev->limit]++;
  }
}

static void sctp_fixture_event(sctp_fixture *w, const ingest_sctp_event *ev) {
  char text[1024];
  sctp_fixture_count(w, ev);
  if (w->event != NULL) {
    w->event(w->event_ctx, ev);
  }
  if (w->quiet) {
    return;
  }
  const char side = (char)('a' + ev->side);
  switch (ev->kind) {
  case INGEST_SCTP_OPEN: sctp_fixture_log(w, "open "); return;
  case INGEST_SCTP_INIT:
    snprintf(text, sizeof text, "%c:init%u/%u ", side, ev->init->out_streams,
             ev->init->has_adaptation ? ev->init->adaptation : 0);
    break;
  case INGEST_SCTP_MESSAGE:
    snprintf(text, sizeof text, "%c:%u=%.*s%s%s%s%s%s ", side, (unsigned)(uint32_t)ev->pos,
             (int)ev->message->cap, (const char *)ev->message->data,
             ev->message->ordered ? "!" : "", ev->message->needless ? "+" : "",
             ev->message->cause_seen ? "*" : "", ev->message->damaged ? "?" : "",
             ev->message->differ_end != 0 ? "~" : "");
    break;
  case INGEST_SCTP_LOST:
    snprintf(text, sizeof text, "%c:lost%u+%u%s%s%s ", side, (unsigned)(uint32_t)ev->pos,
             (unsigned)ev->len, ev->damaged ? "?" : "", ev->limit != INGEST_LIMIT_NONE ? "/" : "",
             ev->limit != INGEST_LIMIT_NONE ? ingest_limit_name(ev->limit) : "");
    break;
  case INGEST_SCTP_DIFFER:
    snprintf(text, sizeof text, "%c:%u:%u,%u/%u+%u%s%s=%d ", side, (unsigned)(uint32_t)ev->pos,
             (unsigned)ev->differ->first.packet, (unsigned)ev->packet, (unsigned)ev->differ->from,
             (unsigned)ev->len, ev->differ->header ? "h" : "", ev->differ->late ? "l" : "",
             (int)ev->differ->accepted);
    break;
  case INGEST_SCTP_CLOSE:
    snprintf(text, sizeof text, "close%d%s%s ", (int)ev->end,
             ev->limit != INGEST_LIMIT_NONE ? "/" : "",
             ev->limit != INGEST_LIMIT_NONE ? ingest_limit_name(ev->limit) : "");
    break;
  }
  sctp_fixture_log(w, text);
}

void sctp_fixture_drain(sctp_fixture *w) {
  ingest_event tcp;
  ingest_sctp_event ev;
  expect(!ingest_next(w->ing, &tcp), "TCP");
  while (ingest_sctp_next(w->ing, &ev)) {
    sctp_fixture_event(w, &ev);
  }
}

void sctp_fixture_finish(sctp_fixture *w, const char *due) {
  ingest_finish(w->ing);
  sctp_fixture_drain(w);
  ck_assert_str_eq(w->log, due);
  ingest_free(w->ing);
  ck_assert_uint_eq(w->live, 0);
  free(w);
}

void sctp_fixture_watch(sctp_fixture *w, void (*event)(void *ctx, const ingest_sctp_event *ev),
                        char *text) {
  text[0] = '\0';
  w->quiet = true;
  w->event = event;
  w->event_ctx = text;
}

void sctp_fixture_finish_watched(sctp_fixture *w, const char *text, const char *due,
                                 const char *log) {
  ingest_finish(w->ing);
  sctp_fixture_drain(w);
  ck_assert_str_eq(text, due);
  w->event = NULL;
  sctp_fixture_finish(w, log);
}

void sctp_fixture_put(sctp_fixture *w, uint32_t value, unsigned octets) {
  while (octets-- > 0) {
    w->packet[w->len++] = (uint8_t)(value >> (8 * octets));
  }
}

void sctp_fixture_begin(sctp_fixture *w, unsigned side, uint32_t tag) {
  w->len = 0;
  sctp_fixture_put(w, 0x45000000, 4);
  sctp_fixture_put(w, 0x00004000, 4);
  sctp_fixture_put(w, 0x40840000, 4);
  sctp_fixture_put(w, side == 0 ? w->client_ip : 0x0A000002u, 4);
  sctp_fixture_put(w, side == 0 ? 0x0A000002u : w->client_ip, 4);
  sctp_fixture_put(w, side == 0 ? 40000 : 7174, 2);
  sctp_fixture_put(w, side == 0 ? 7174 : 40000, 2);
  sctp_fixture_put(w, tag, 4);
  sctp_fixture_put(w, 0, 4);
}

void sctp_fixture_push(sctp_fixture *w) {
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
  sctp_fixture_drain(w);
  w->bad = false;
  w->cut = 0;
  w->time_back = 0;
}

void sctp_fixture_chunk(sctp_fixture *w, unsigned type, unsigned flags, unsigned len) {
  sctp_fixture_put(w, type << 24 | flags << 16 | len, 4);
}

void sctp_fixture_data(sctp_fixture *w, uint32_t tsn, unsigned flags, const char *text) {
  const size_t n = strlen(text);
  sctp_fixture_chunk(w, DATA, flags, (unsigned)(16 + n));
  sctp_fixture_put(w, tsn, 4);
  sctp_fixture_put(w, 5u << 16, 4);
  sctp_fixture_put(w, 16, 4);
  for (size_t i = 0; i < (n + 3) / 4 * 4; i++) {
    sctp_fixture_put(w, i < n ? (uint8_t)text[i] : 0, 1);
  }
}

void sctp_fixture_ack(sctp_fixture *w, uint32_t tsn, unsigned gaps) {
  sctp_fixture_chunk(w, SACK, 0, 16 + 4 * gaps);
  sctp_fixture_put(w, tsn, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, gaps << 16, 4);
  for (unsigned i = 0; i < gaps; i++) {
    sctp_fixture_put(w, 0x00020002, 4);
  }
}

void sctp_fixture_send(sctp_fixture *w, unsigned side, uint32_t tsn, const char *text) {
  sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  sctp_fixture_data(w, tsn, ALL, text);
  sctp_fixture_push(w);
}

void sctp_fixture_send_ack(sctp_fixture *w, unsigned side, uint32_t tsn) {
  sctp_fixture_begin(w, side, side == 0 ? 0xB0B0 : 0xA0A0);
  sctp_fixture_ack(w, tsn, 0);
  sctp_fixture_push(w);
}

void sctp_fixture_send_init(sctp_fixture *w, unsigned side, uint32_t tag, uint32_t own,
                            uint32_t tsn) {
  sctp_fixture_begin(w, side, tag);
  sctp_fixture_chunk(w, side == 0 ? INIT : INIT_ACK, 0, 28);
  sctp_fixture_put(w, own, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, 0x00080009, 4);
  sctp_fixture_put(w, tsn, 4);
  sctp_fixture_put(w, 0xC0060008, 4);
  sctp_fixture_put(w, 1, 4);
  sctp_fixture_push(w);
}

static sctp_fixture *sctp_fixture_opened(sctp_fixture *w, uint32_t client, uint32_t server) {
  sctp_fixture_send_init(w, 0, 0, 0xA0A0, client);
  sctp_fixture_send_init(w, 1, 0xA0A0, 0xB0B0, server);
  return w;
}

sctp_fixture *sctp_fixture_open(uint32_t client, uint32_t server) {
  return sctp_fixture_opened(sctp_fixture_new(), client, server);
}

sctp_fixture *sctp_fixture_open_patient(uint32_t client, uint32_t server) {
  return sctp_fixture_opened(sctp_fixture_new_patient(), client, server);
}

uint32_t sctp_fixture_tag(uint32_t i, unsigned side, bool fixed) {
  return fixed ? 0xA0A0u + side : 0x10000u * (side + 1) + i;
}

void sctp_fixture_nth(sctp_fixture *w, uint32_t i) {
  w->client_ip = 0x0B000000u + i;
}

void sctp_fixture_nth_open(sctp_fixture *w, uint32_t i, bool fixed) {
  sctp_fixture_nth(w, i);
  sctp_fixture_send_init(w, 0, 0, sctp_fixture_tag(i, 0, fixed), 100);
  sctp_fixture_send_init(w, 1, sctp_fixture_tag(i, 0, fixed), sctp_fixture_tag(i, 1, fixed), 200);
}

void sctp_fixture_nth_data(sctp_fixture *w, uint32_t i, unsigned side, uint32_t tsn, bool fixed) {
  sctp_fixture_nth(w, i);
  sctp_fixture_begin(w, side, sctp_fixture_tag(i, side ^ 1u, fixed));
  sctp_fixture_data(w, tsn, ALL, "x");
  sctp_fixture_push(w);
}

sctp_fixture *sctp_fixture_many(uint32_t n, bool fixed) {
  sctp_fixture *w = sctp_fixture_new();
  w->quiet = true;
  for (uint32_t i = 0; i < n; i++) {
    sctp_fixture_nth_open(w, i, fixed);
  }
  return w;
}
