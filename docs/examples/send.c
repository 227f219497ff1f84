/* SPDX-License-Identifier: BSD-2-Clause */
/* A send loop: three messages become the octets of a stream, written to standard output. */
#include <iwarp/tx.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define MESSAGES 8u /* messages that may be under way at a time */

static _Alignas(max_align_t) unsigned char memory[16384];

static void must(const char *what, iwarp_err err) {
  if (err != IWARP_OK) {
    fprintf(stderr, "send: %s: %s\n", what, iwarp_strerror(err));
    exit(EXIT_FAILURE);
  }
}

static iwarp_tx *engine(void) {
  iwarp_tx *tx;
  iwarp_tx_cfg cfg = {
      .size = sizeof cfg, .markers = true, .crc = true, .emss = 536, .num_messages = MESSAGES};
  must("no engine", iwarp_tx_init(&tx, memory, sizeof memory, &cfg));
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
  must("the Send", iwarp_tx_send(tx, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&hello, 1}));
  must("the Write", iwarp_tx_write(tx, 2, 0x202, 0x8000, (iwarp_tx_payload){blocks, 2}));
  must("the Read Request", iwarp_tx_read_req(tx, 3, &read));
}

/* Stands for writev of a socket: takes some octets, the first ones, and returns their number. */
static size_t transport(const iwarp_span *spans, size_t num) {
  size_t taken = 0;
  bool whole = true;
  for (size_t i = 0; i < num && whole; i++) {
    const size_t n = fwrite(spans[i].ptr, 1, spans[i].len, stdout);
    whole = n == spans[i].len;
    taken += n;
  }
  return taken;
}

/* True when every message that is reported went out. */
static bool report(iwarp_tx *tx) {
  iwarp_tx_result result;
  bool well = true;
  while (iwarp_tx_next_result(tx, &result) == IWARP_OK) {
    fprintf(stderr, "message %u: %s\n", (unsigned)result.token, iwarp_strerror(result.err));
    well = well && result.err == IWARP_OK;
  }
  return well;
}

int main(void) {
  iwarp_tx *tx = engine();
  queue(tx);
  setvbuf(stdout, NULL, _IONBF, 0); /* octets that the transport takes are out */
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  iwarp_err err;
  bool well = true;
  while ((err = iwarp_tx_next_output(tx, spans, IWARP_TX_SPANS_MIN, &out)) == IWARP_OK) {
    size_t taken = transport(spans, out.num_spans);
    if (taken == 0) {
      iwarp_tx_abort(tx); /* the stream is gone: every message is reported as failed */
    } else {
      must("an advance", iwarp_tx_advance(tx, taken));
    }
    well = report(tx) && well;
  }
  must("no output", well && err != IWARP_ERR_END ? err : IWARP_OK);
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
