/* SPDX-License-Identifier: BSD-2-Clause */
/* How fast the transmit engine describes a stream, and with the receive engine after it, in ratios
 * to memcpy. */
#define _POSIX_C_SOURCE 199309L

#include <iwarp/crc32c.h>
#include <iwarp/event.h>
#include <iwarp/rx.h>
#include <iwarp/tx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 15u       /* rounds; the median counts */
#define OCTETS 4194304u  /* octets of payload in one measurement */
#define WIRE_MAX 131072u /* octets of the largest transport segment, and some more */
#define SPANS 1024u
#define DEPTH 32u /* messages that wait at a time */

static _Alignas(max_align_t) uint8_t tx_mem[32768];
static _Alignas(max_align_t) uint8_t rx_mem[IWARP_RX_SIZE];
static uint8_t payload[OCTETS];
static uint8_t wire[WIRE_MAX];
static uint64_t num_received; /* count that keeps the compiler from optimizing the work away */

typedef struct setup {
  size_t message; /* octets of payload each */
  uint32_t emss;
  bool markers;
  bool crc;
  bool pack;
} setup;

/* The use of the octets of each segment. */
typedef enum sink { SINK_DESCRIBE, SINK_COPY, SINK_RECEIVE, NUM_SINKS } sink;

static void stop(const char *reason) {
  fprintf(stderr, "bench_tx: %s\n", reason);
  exit(EXIT_FAILURE);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void gather(const iwarp_span *spans, size_t num) {
  size_t len = 0;
  for (size_t i = 0; i < num; i++) {
    memcpy(wire + len, spans[i].ptr, spans[i].len);
    len += spans[i].len;
  }
}

static void receive(iwarp_rx *rx, size_t len) {
  static const iwarp_meta meta;
  iwarp_event ev;
  iwarp_rx_push(rx, (iwarp_span){wire, len}, &meta);
  while (iwarp_rx_next_event(rx, &ev) == IWARP_OK) {
    if (ev.u.fpdu.crc == IWARP_CRC_BAD) {
      stop("bad CRC");
    }
    num_received++;
  }
}

static void drain(iwarp_tx *tx, iwarp_rx *rx, sink to) {
  iwarp_span spans[SPANS];
  iwarp_tx_out out;
  iwarp_tx_result result;
  while (iwarp_tx_next_output(tx, spans, SPANS, &out) == IWARP_OK) {
    if (to != SINK_DESCRIBE) {
      gather(spans, out.num_spans);
    }
    if (to == SINK_RECEIVE) {
      receive(rx, out.len);
    }
    iwarp_tx_advance(tx, out.len);
  }
  while (iwarp_tx_next_result(tx, &result) == IWARP_OK) {
  }
}

/* Sends all of the payload and returns the seconds. */
static double run(const setup *s, sink to) {
  iwarp_tx *tx;
  iwarp_rx *rx;
  iwarp_span parts[DEPTH];
  iwarp_tx_cfg tx_cfg = {.size = sizeof tx_cfg,
                         .markers = s->markers,
                         .crc = s->crc,
                         .pack = s->pack,
                         .emss = s->emss,
                         .num_messages = DEPTH};
  iwarp_rx_cfg rx_cfg = {.size = sizeof rx_cfg,
                         .at_start = true,
                         .markers = s->markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF,
                         .crc = s->crc ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF,
                         .max_ulpdu = UINT16_MAX};
  if (iwarp_tx_init(&tx, tx_mem, sizeof tx_mem, &tx_cfg) != IWARP_OK ||
      iwarp_rx_init(&rx, rx_mem, sizeof rx_mem, &rx_cfg) != IWARP_OK) {
    stop("no engine");
  }
  double begin = now();
  for (size_t off = 0; off < OCTETS;) {
    for (size_t i = 0; i < DEPTH && off < OCTETS; i++) {
      size_t len = s->message < OCTETS - off ? s->message : OCTETS - off;
      parts[i] = (iwarp_span){payload + off, len};
      iwarp_tx_write(tx, i, 1, off, (iwarp_tx_payload){&parts[i], 1});
      off += len;
    }
    drain(tx, rx, to);
  }
  return now() - begin;
}

/* Copies all of the payload, a message at a time, to where the segments go. */
static double run_memcpy(const setup *s) {
  double begin = now();
  for (size_t off = 0; off < OCTETS;) {
    size_t len = s->message < OCTETS - off ? s->message : OCTETS - off;
    for (size_t done = 0; done < len;) {
      size_t k = len - done < s->emss ? len - done : s->emss;
      memcpy(wire, payload + off + done, k);
      __asm__ volatile("" ::"r"(wire) : "memory");
      done += k;
    }
    off += len;
  }
  return now() - begin;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *v) {
  qsort(v, ROUNDS, sizeof *v, by_size);
  return v[ROUNDS / 2];
}

static void measure(const setup *s) {
  static double times[NUM_SINKS + 1][ROUNDS];
  run_memcpy(s);
  run(s, SINK_RECEIVE);
  for (size_t i = 0; i < ROUNDS; i++) {
    times[NUM_SINKS][i] = run_memcpy(s);
    for (sink to = SINK_DESCRIBE; to < NUM_SINKS; to++) {
      times[to][i] = run(s, to);
    }
  }
  double base = median(times[NUM_SINKS]);
  printf("%8zu %6u %c%c%c %11.1f", s->message, (unsigned)s->emss, s->markers ? 'M' : '-',
         s->crc ? 'C' : '-', s->pack ? 'P' : '-', OCTETS / base * 1e-9);
  for (sink to = SINK_DESCRIBE; to < NUM_SINKS; to++) {
    printf(" %9.2f", base / median(times[to]));
  }
  printf("\n");
}

int main(void) {
  static const size_t messages[] = {64, 1024, 16384, 1048576};
  static const uint32_t emss[] = {1460, 8960, 65495};
  for (size_t i = 0; i < OCTETS; i++) {
    payload[i] = (uint8_t)(i * 2654435761u >> 13);
  }
  printf(
      "RDMA Writes; M Markers, C CRC (%s), P packed. Octets of payload a second relative to memcpy "
      "of the same\n"
      "octets in the same pieces: described only, copied to the wire, and received from there.\n\n"
      " message   emss MCP memcpy GB/s  describe      copy  received\n",
      iwarp_crc32c_impl());
  for (size_t m = 0; m < sizeof messages / sizeof messages[0]; m++) {
    for (size_t e = 0; e < sizeof emss / sizeof emss[0]; e++) {
      for (unsigned k = 0; k < 4; k++) {
        setup s = {.message = messages[m],
                   .emss = emss[e],
                   .markers = (k & 1) != 0,
                   .crc = (k & 2) != 0,
                   .pack = messages[m] < emss[e]};
        measure(&s);
      }
    }
  }
  return num_received > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
