/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive engine and Markers, against what the least of it costs: a walk over the headers, the
 * CRC alone, memcpy. All octets are in the caches. */
#include <iwarp/crc32c.h>
#include <iwarp/event.h>
#include <iwarp/rx.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

#define ABOUT                                                                                      \
  "The receive engine and Markers in ratios to a bare walk, to the CRC alone and to memcpy."

#define PAYLOAD 1440u /* octets of each FPDU */
#define FPDUS 16u
#define LISTED 32u
#define DDP_HDR 14u
#define WIRE 32768u
#define LONG 65000u /* octets of a ULPDU with Markers */

/* FPDUs one after the other, and engines that have taken all before them. */
typedef struct scene {
  iwarp_tristate crc;
  iwarp_rx *rx;
  size_t len;
  uint8_t wire[WIRE];
} scene;

static scene bare = {.crc = IWARP_TRISTATE_OFF};
static scene summed = {.crc = IWARP_TRISTATE_ON};

/*
 * One FPDU with Markers. The source of a copy lies in its page beyond the target. The processor
 * compares the low 12 bits of a load's address with the addresses of earlier stores, and waits if
 * they are equal.
 */
#define PAGE 4096u
#define FIRST (IWARP_MPA_MARKER_LEN + IWARP_MPA_LENGTH_LEN) /* offset of the ULPDU on the wire */
#define MARKED (17u * PAGE)
#define WIRE_ROOM (MARKED - 1408u)
static _Alignas(PAGE) uint8_t marked_area[3][MARKED];
static const struct {
  uint8_t *ulpdu;
  uint8_t *wire;
  uint8_t *place;
} marked = {&marked_area[0][2048], &marked_area[1][1408], &marked_area[2][1344]};
static iwarp_mpa_fpdu marked_fpdu;

static void must(iwarp_err err, const char *what) {
  if (err != IWARP_OK) {
    bench_stop(what, iwarp_strerror(err));
  }
}

/* ---- the receive engine ---- */

static void make_scene(scene *s) {
  uint8_t ulpdu[DDP_HDR + PAYLOAD] = {0xC1, 0x40, 0, 0, 0, 1};
  const iwarp_rx_cfg cfg = {
      .size = sizeof cfg, .at_start = true, .markers = IWARP_TRISTATE_OFF, .crc = s->crc};
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, sizeof ulpdu}};
  for (size_t i = 0; i < FPDUS; i++) {
    size_t len;
    must(iwarp_mpa_fpdu_encode(&s->wire[s->len], WIRE - s->len, &len, &d), "FPDU");
    s->len += len;
  }
  must(iwarp_rx_init(&s->rx, malloc(iwarp_rx_size(&cfg)), iwarp_rx_size(&cfg), &cfg), "engine");
}

static void receive(const void *of) {
  const scene *s = of;
  const iwarp_meta meta = {.packet = 1};
  iwarp_event ev;
  uint32_t num = 0;
  must(iwarp_rx_push(s->rx, (iwarp_span){s->wire, s->len}, &meta), "push");
  while (iwarp_rx_next_event(s->rx, &ev) == IWARP_OK) {
    num += ev.u.fpdu.crc != IWARP_CRC_BAD;
  }
  bench_keep = num;
}

/* The same as lists. */
static void receive_lists(const void *of) {
  const scene *s = of;
  const iwarp_meta meta = {.packet = 1};
  iwarp_rx_fpdu list[LISTED];
  iwarp_event ev;
  size_t n = 1;
  uint32_t num = 0;
  must(iwarp_rx_push(s->rx, (iwarp_span){s->wire, s->len}, &meta), "push");
  while (n > 0 || iwarp_rx_next_event(s->rx, &ev) == IWARP_OK) {
    n = iwarp_rx_next_fpdus(s->rx, list, LISTED);
    num += (uint32_t)n;
  }
  bench_keep = num;
}

/* From one ULPDU_Length to the next, looking at the opcode. */
static void walk(const void *of) {
  const scene *s = of;
  uint32_t sum = 0;
  for (size_t at = 0; at < s->len;) {
    const uint8_t *p = &s->wire[at];
    const uint32_t len = (uint32_t)p[0] << 8 | p[1];
    sum += p[3] & 15u;
    at += (len + 2 + 3) / 4 * 4 + 4;
  }
  bench_keep = sum;
}

static void crc_alone(const void *of) {
  const scene *s = of;
  const size_t each = s->len / FPDUS;
  uint32_t sum = 0;
  for (size_t at = 0; at < s->len; at += each) {
    sum ^= iwarp_crc32c(0, &s->wire[at], each - 4);
  }
  bench_keep = sum;
}

/* ---- Markers ---- */

static void insert(const void *of) {
  const iwarp_mpa_fpdu_desc d = {
      .ulpdu = {marked.ulpdu, LONG}, .markers = true, .crc_given = true, .crc = 1};
  size_t len;
  (void)of;
  must(iwarp_mpa_fpdu_encode(marked.wire, WIRE_ROOM, &len, &d), "FPDU");
  bench_keep = marked.wire[len - 1];
}

static void take_out(const void *of) {
  (void)of;
  bench_keep = (uint32_t)iwarp_mpa_fpdu_ulpdu_copy(marked.place, LONG, &marked_fpdu, 0);
}

static void list(const void *of) {
  iwarp_span spans[IWARP_MPA_MARKERS_MAX + 1u];
  size_t cursor = 0;
  (void)of;
  bench_keep = (uint32_t)iwarp_mpa_fpdu_ulpdu_spans(spans, sizeof spans / sizeof spans[0], &cursor,
                                                    &marked_fpdu);
}

/* The peers copy as many octets from where the first of them lies to where ours puts it. */
static void copy_in(const void *of) {
  (void)of;
  memcpy(marked.wire + FIRST, marked.ulpdu, LONG);
  bench_keep = marked.wire[LONG / 2];
}

static void copy_out(const void *of) {
  (void)of;
  memcpy(marked.place, marked.wire + FIRST, LONG);
  bench_keep = marked.place[LONG / 2];
}

static void make_marked(void) {
  insert(NULL);
  if (iwarp_mpa_fpdu_decode(&marked_fpdu, (iwarp_span){marked.wire, WIRE_ROOM}, 0, true).err !=
      IWARP_OK) {
    bench_stop("bench_stream", "no FPDU with Markers");
  }
}

/* Twice as fast as the peer is 2; 3.2 times its time is 1 / 3.2. */
static const bench_row rows[] = {
    {"iwarp_rx, lists, without CRC", NULL, "a walk over the headers", "the same", receive_lists,
     walk, walk, &bare, FPDUS *PAYLOAD, FPDUS, 1 / 3.2, 1 / 2.0},
    {"iwarp_rx, lists, with CRC", NULL, "the CRC alone", "the same", receive_lists, crc_alone,
     crc_alone, &summed, FPDUS *PAYLOAD, FPDUS, 0.85, 0.95},
    {"iwarp_rx, events, without CRC", NULL, "lists", "a walk over the headers", receive,
     receive_lists, walk, &bare, FPDUS *PAYLOAD, FPDUS, 0.05, 0.1},
    {"iwarp_rx, events, with CRC", NULL, "lists", "the CRC alone", receive, receive_lists,
     crc_alone, &summed, FPDUS *PAYLOAD, FPDUS, 0.2, 0.4},
    {"Markers inserted by copy", NULL, "memcpy", "the same", insert, copy_in, copy_in, NULL, LONG,
     1, 0.55, 0.7},
    {"Markers removed by copy", NULL, "memcpy", "the same", take_out, copy_out, copy_out, NULL,
     LONG, 1, 0.55, 0.7},
    {"Markers removed as gather list", NULL, "memcpy", "the same", list, copy_out, copy_out, NULL,
     LONG, 1, 2.0, 3.8},
};

int main(int argc, char **argv) {
  const bench_run run = bench_arguments(argc, argv, ABOUT, "bench-stream");
  make_scene(&bare);
  make_scene(&summed);
  make_marked();
  const int status =
      bench_compare(&run, "Receive engine and Markers", rows, sizeof rows / sizeof rows[0]);
  free(bare.rx);
  free(summed.rx);
  return status;
}
