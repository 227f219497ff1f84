/* SPDX-License-Identifier: BSD-2-Clause */
/* A send loop: three messages become the octets of a stream, written to standard output. */
#include <iwarp/tx.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define MESSAGES 8u /* that may be under way at a time */

static _Alignas(max_align_t) unsigned char memory[16384];

static void stop(const char *what, iwarp_err err) {
  fprintf(stderr, "send: %s: %s\n", what, iwarp_strerror(err));
  exit(EXIT_FAILURE);
}

static iwarp_tx *engine(void) {
  iwarp_tx *tx;
  iwarp_tx_cfg cfg = {
      .size = sizeof cfg, .markers = true, .crc = true, .emss = 536, .num_messages = MESSAGES};
  iwarp_err err = iwarp_tx_init(&tx, memory, sizeof memory, &cfg);
  if (err != IWARP_OK) {
    stop("no engine", err);
  }
  return tx;
}

/* Describes the messages. Their octets stay where they are until the engine reports them. */
static void queue(iwarp_tx *tx) {
  static const unsigned char text[] = "hello";
  static unsigned char block[1200];
  static const iwarp_span hello = {text, sizeof text - 1};
  static const iwarp_span blocks[] = {{block, 1000}, {block, 200}};
  static const iwarp_rdmap_read_req read = {
      .sink_stag = 0x101, .size = 4096, .source_stag = 0x202, .source_to = 0x1000};
  iwarp_err err = iwarp_tx_send(tx, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&hello, 1});
  if (err == IWARP_OK) {
    err = iwarp_tx_write(tx, 2, 0x202, 0x8000, (iwarp_tx_payload){blocks, 2});
  }
  if (err == IWARP_OK) {
    err = iwarp_tx_read_req(tx, 3, &read);
  }
  if (err != IWARP_OK) {
    stop("a message is refused", err);
  }
}

/* What a socket's writev would do: it takes some of the octets and says how many. */
static size_t transport(const iwarp_span *spans, size_t num) {
  size_t taken = 0;
  for (size_t i = 0; i < num; i++) {
    taken += fwrite(spans[i].ptr, 1, spans[i].len, stdout);
  }
  return taken;
}

static void report(iwarp_tx *tx) {
  iwarp_tx_result result;
  while (iwarp_tx_next_result(tx, &result) == IWARP_OK) {
    fprintf(stderr, "message %u: %s\n", (unsigned)result.token, iwarp_strerror(result.err));
  }
}

int main(void) {
  iwarp_tx *tx = engine();
  queue(tx);
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  while (iwarp_tx_next_output(tx, spans, IWARP_TX_SPANS_MIN, &out) == IWARP_OK) {
    size_t taken = transport(spans, out.num_spans);
    if (taken == 0) {
      iwarp_tx_abort(tx); /* the stream is gone: every message is reported as failed */
    } else {
      iwarp_tx_advance(tx, taken);
    }
    report(tx);
  }
  return EXIT_SUCCESS;
}
