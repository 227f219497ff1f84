/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of a capture, kept and replayed. */
#include "capture_replay.h"

#include <ingest/pcap_src.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *replay_memory(size_t size) {
  void *at = malloc(size > 0 ? size : 1);
  if (at == NULL) {
    fprintf(stderr, "capture_replay: no memory\n");
    abort();
  }
  return at;
}

static void replay_add(capture_replay *c, const ingest_packet *packet) {
  uint8_t *data = replay_memory(packet->caplen);
  if (packet->caplen > 0) {
    memcpy(data, packet->data, packet->caplen);
  }
  c->packets[c->num] = *packet;
  c->packets[c->num].data = data;
  c->num++;
}

capture_replay capture_replay_read(const char *path, size_t max) {
  char error[PCAP_SRC_ERROR_LEN];
  capture_replay c = {.packets = replay_memory(max * sizeof *c.packets)};
  pcap_src *src = pcap_src_open(path, NULL, error);
  ingest_packet packet;
  while (src != NULL && c.num < max && pcap_src_next(src, &packet) == PCAP_SRC_PACKET) {
    replay_add(&c, &packet);
  }
  pcap_src_close(src);
  return c;
}

#define REPLAY_FILE_HEADER 24u
#define REPLAY_RECORD_HEADER 16u

static uint32_t replay_le32(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

capture_replay capture_replay_octets(const uint8_t *file, size_t len) {
  capture_replay c = {.packets = replay_memory(len / REPLAY_RECORD_HEADER * sizeof *c.packets)};
  size_t at = REPLAY_FILE_HEADER;
  while (at + REPLAY_RECORD_HEADER <= len) {
    const uint8_t *record = file + at;
    const ingest_packet packet = {
        .data = record + REPLAY_RECORD_HEADER,
        .caplen = replay_le32(record + 8),
        .len = replay_le32(record + 12),
        .link_type = (int)replay_le32(file + 20),
        .number = c.num + 1,
        .time_ns = (replay_le32(record) * UINT64_C(1000000) + replay_le32(record + 4)) * 1000};
    replay_add(&c, &packet);
    at += REPLAY_RECORD_HEADER + packet.caplen;
  }
  return c;
}

capture_replay capture_replay_copy(const capture_replay *c) {
  capture_replay copy = {.packets = replay_memory(c->num * sizeof *copy.packets)};
  for (size_t i = 0; i < c->num; i++) {
    replay_add(&copy, &c->packets[i]);
  }
  return copy;
}

void capture_replay_free(capture_replay *c) {
  for (size_t i = 0; i < c->num; i++) {
    free((void *)(uintptr_t)c->packets[i].data);
  }
  free(c->packets);
}

void capture_replay_watch(const capture_replay *c, const observe_cfg *cfg,
                          const observe_hooks *hooks, void (*after)(void *ctx)) {
  observe *obs = observe_new(cfg, hooks);
  ingest_cfg ingest_of = {
      .alloc = {.ctx = obs, .get = observe_ingest_get, .put = observe_ingest_put},
      .opening = observe_opening};
  if (hooks->packet != NULL) {
    ingest_of.packets = (ingest_packets){.ctx = obs, .each = observe_packets_see};
  }
  ingest *ing = obs != NULL ? ingest_new(&ingest_of) : NULL;
  if (ing == NULL) {
    fprintf(stderr, "capture_replay: no memory\n");
    abort();
  }
  observe_file(obs, "test");
  for (size_t i = 0; i < c->num; i++) {
    observe_packet(obs, ing, &c->packets[i]);
    if (after != NULL) {
      after(hooks->ctx);
    }
  }
  ingest_finish(ing);
  observe_drain(obs, ing, INGEST_DUE_MORE);
  if (observe_failed(obs)) {
    fprintf(stderr, "capture_replay: the observe failed\n");
    abort();
  }
  ingest_free(ing);
  observe_free(obs);
}

void capture_replay_run(const capture_replay *c, const observe_hooks *hooks) {
  const observe_cfg cfg = {0};
  capture_replay_watch(c, &cfg, hooks, NULL);
}
