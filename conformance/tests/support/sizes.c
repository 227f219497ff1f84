/* SPDX-License-Identifier: BSD-2-Clause */
/* What the engines that watch a connection take of memory. */
#include "sizes.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <iwarp/rules.h>
#include <iwarp/rx.h>
#include <iwarp/sctp_observer.h>

#include "test_pool.h"

#define EMSS 1460u
#define SEGMENT 1448u
#define PAYLOAD 1424u /* octets of a tagged FPDU of a full EMSS */
#define READS 16u

/* A connection that is watched. */
typedef struct watched {
  test_pool pool;
  iwarp_observer *observer;
  iwarp_rules *rules;
  void *memory[2];
  uint8_t wire[2][SEGMENT + 2048]; /* octets of a side that were not sent yet */
  size_t len[2];
  uint64_t next[2]; /* position after what was sent */
  uint64_t packet;
  size_t findings;
} watched;

static void sizes_must(bool ok, const char *what) {
  if (!ok) {
    fprintf(stderr, "sizes: %s\n", what);
    abort();
  }
}

static void send_octets(watched *w, uint8_t side, size_t len) {
  const iwarp_meta meta = {
      .packet = ++w->packet, .peer_pos = w->next[1 - side], .segment_start = true};
  iwarp_event ev;
  iwarp_finding finding;
  sizes_must(iwarp_observer_push(w->observer, side, (iwarp_span){w->wire[side], len}, &meta) ==
                 IWARP_OK,
             "push");
  while (iwarp_observer_next_event(w->observer, &ev) == IWARP_OK) {
    iwarp_rules_event(w->rules, iwarp_observer_info_get(w->observer), &ev);
    while (iwarp_rules_next(w->rules, &finding) == IWARP_OK) {
      w->findings += iwarp_finding_suspected(&finding) ? 0 : 1;
    }
  }
  w->next[side] += len;
  w->len[side] -= len;
  memmove(w->wire[side], w->wire[side] + len, w->len[side]);
}

/* Sends all that waits. */
static void flush(watched *w, uint8_t side) {
  while (w->len[side] > 0) {
    send_octets(w, side, w->len[side] < SEGMENT ? w->len[side] : SEGMENT);
  }
}

/* Adds the FPDU of a segment; full segments of TCP are sent. */
static void add(watched *w, uint8_t side, const iwarp_ddp_hdr *hdr, const void *payload,
                size_t len) {
  static uint8_t ulpdu[EMSS];
  iwarp_mpa_fpdu_desc desc = {.ulpdu = {.ptr = ulpdu}};
  size_t n = 0;
  sizes_must(iwarp_ddp_hdr_encode(ulpdu, sizeof ulpdu, &n, hdr) == IWARP_OK, "header");
  memcpy(ulpdu + n, payload, len);
  desc.ulpdu.len = n + len;
  sizes_must(iwarp_mpa_fpdu_encode(w->wire[side] + w->len[side],
                                   sizeof w->wire[side] - w->len[side], &n, &desc) == IWARP_OK,
             "FPDU");
  w->len[side] += n;
  while (w->len[side] >= SEGMENT) {
    send_octets(w, side, SEGMENT);
  }
}

static iwarp_ddp_hdr tagged(uint8_t opcode, uint32_t stag, uint64_t to) {
  return (iwarp_ddp_hdr){.tagged = true,
                         .last = true,
                         .dv = IWARP_DDP_VERSION,
                         .rsvdulp = (uint8_t)(IWARP_RDMAP_VERSION << 6 | opcode),
                         .stag = stag,
                         .to = to};
}

static void read_request(watched *w, uint32_t number) {
  const iwarp_rdmap_read_req req = {
      .sink_stag = 7, .sink_to = number, .size = PAYLOAD, .source_stag = 9};
  const iwarp_ddp_hdr hdr = {.last = true,
                             .dv = IWARP_DDP_VERSION,
                             .rsvdulp = IWARP_RDMAP_VERSION << 6 | IWARP_RDMAP_OP_READ_REQ,
                             .qn = IWARP_RDMAP_QN_READ_REQ,
                             .msn = number};
  uint8_t octets[64];
  size_t len = 0;
  sizes_must(iwarp_rdmap_read_req_encode(octets, sizeof octets, &len, &req) == IWARP_OK,
             "Read Request");
  add(w, 0, &hdr, octets, len);
}

static void converse(watched *w) {
  static const uint8_t payload[PAYLOAD];
  uint32_t reads = 0;
  for (unsigned round = 0; round < 100; round++) {
    for (unsigned i = 0; i < READS; i++) {
      const iwarp_ddp_hdr write = tagged(IWARP_RDMAP_OP_WRITE, 5, round);
      add(w, 0, &write, payload, PAYLOAD);
      read_request(w, ++reads);
    }
    flush(w, 0);
    for (uint32_t i = 0; i < READS; i++) {
      const iwarp_ddp_hdr response = tagged(IWARP_RDMAP_OP_READ_RESP, 7, reads - READS + 1 + i);
      add(w, 1, &response, payload, PAYLOAD);
    }
    flush(w, 1);
  }
}

static void startup(watched *w) {
  static const char *const keys[2] = {"MPA ID Req Frame", "MPA ID Rep Frame"};
  for (uint8_t side = 0; side < 2; side++) {
    w->next[side] = 1000;
    sizes_must(iwarp_observer_start(w->observer, side, 1000, true, 1000) == IWARP_OK, "start");
  }
  for (uint8_t side = 0; side < 2; side++) {
    memcpy(w->wire[side], keys[side], IWARP_MPA_KEY_LEN);
    memcpy(w->wire[side] + IWARP_MPA_KEY_LEN, "\x40\1\0\0", 4);
    w->len[side] = IWARP_MPA_STARTUP_LEN;
    flush(w, side);
  }
}

/* Why rules were inconclusive, IWARP_REASON_*. */
static uint32_t inconclusive(const iwarp_rules *rules) {
  uint32_t reason = 0;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    reason |= iwarp_rules_result(rules, id).reason;
  }
  return reason;
}

sizes_taken sizes_ordinary(bool pooled) {
  watched *w = calloc(1, sizeof *w);
  sizes_must(w != NULL, "no memory");
  test_pool_begin(&w->pool, 0);
  const iwarp_pool *of = pooled ? &w->pool.pool : NULL;
  const iwarp_observer_cfg cfg = {.size = sizeof cfg, .pool = of};
  const size_t size[2] = {iwarp_observer_size(&cfg), iwarp_rules_size(of)};
  w->memory[0] = malloc(size[0]);
  w->memory[1] = malloc(size[1]);
  sizes_must(iwarp_observer_init(&w->observer, w->memory[0], size[0], &cfg) == IWARP_OK &&
                 iwarp_rules_init(&w->rules, w->memory[1], size[1], of) == IWARP_OK,
             "init");
  startup(w);
  converse(w);
  sizes_must(iwarp_observer_info_get(w->observer)->side[0].num_fpdus == 100u * 2u * READS, "FPDUs");
  iwarp_observer_release(w->observer);
  iwarp_rules_release(w->rules);
  const sizes_taken taken = {.peak = size[0] + size[1] + w->pool.peak,
                             .kept = w->pool.live,
                             .findings = w->findings,
                             .reason = inconclusive(w->rules)};
  free(w->memory[0]);
  free(w->memory[1]);
  free(w);
  return taken;
}

static void row(const char *what, const char *how, size_t bytes) {
  printf("| %s | %s | %zu KiB |\n", what, how, (bytes + 1023) / 1024);
}

void sizes_print(void) {
  test_pool pool;
  test_pool_begin(&pool, 0);
  _Alignas(max_align_t) uint8_t assoc[IWARP_SCTP_ASSOC_SIZE];
  iwarp_sctp_observer_cfg sctp = {.size = sizeof sctp};
  (void)iwarp_sctp_assoc_init(&sctp.assoc, assoc, sizeof assoc);
  iwarp_rx_cfg rx = {.size = sizeof rx};
  iwarp_observer_cfg observer = {.size = sizeof observer};
  row("`iwarp_rx`", "by default", iwarp_rx_size(&rx));
  row("`iwarp_observer`", "by default", iwarp_observer_size(&observer));
  rx.max_ulpdu = observer.max_ulpdu = 8960;
  row("`iwarp_rx`", "`max_ulpdu` 8960", iwarp_rx_size(&rx));
  row("`iwarp_observer`", "`max_ulpdu` 8960", iwarp_observer_size(&observer));
  rx.max_ulpdu = observer.max_ulpdu = UINT16_MAX;
  row("`iwarp_rx`", "`max_ulpdu` 65535", iwarp_rx_size(&rx));
  row("`iwarp_observer`", "`max_ulpdu` 65535", iwarp_observer_size(&observer));
  rx.pool = observer.pool = &pool.pool;
  row("`iwarp_rx`", "with a pool, beside that", iwarp_rx_size(&rx));
  row("`iwarp_observer`", "with a pool, beside that", iwarp_observer_size(&observer));
  row("`iwarp_rules`", "by default", iwarp_rules_size(NULL));
  row("`iwarp_rules`", "with a pool, beside that", iwarp_rules_size(&pool.pool));
  row("`iwarp_sctp_observer`", "by default", iwarp_sctp_observer_size(&sctp));
  row("observer and rules of an ordinary connection", "by default", sizes_ordinary(false).peak);
  row("observer and rules of an ordinary connection", "with a pool, all that they take",
      sizes_ordinary(true).peak);
}
