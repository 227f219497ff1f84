/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive loop for much data: Writes are placed from lists of FPDUs; what needs more is an event.
 */
#include <inttypes.h>
#include <iwarp/rx.h>
#include <iwarp/tx.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAG 0x202u
#define BASE 0x8000u

static _Alignas(max_align_t) unsigned char tx_memory[16384];
static _Alignas(max_align_t) unsigned char rx_memory[IWARP_RX_SIZE_DEFAULT];
static unsigned char data[20000];
static unsigned char region[20000];
static unsigned char stream[32768]; /* octets that a socket would give */

static void must(iwarp_err err) {
  if (err != IWARP_OK) {
    fprintf(stderr, "lists: %s\n", iwarp_strerror(err));
    exit(EXIT_FAILURE);
  }
}

/* The peer: a Write of all octets and a Read Request, without Markers. */
static size_t peer(void) {
  static const iwarp_span all = {data, sizeof data};
  static const iwarp_rdmap_read_req read = {
      .sink_stag = 0x101, .size = 4096, .source_stag = STAG, .source_to = BASE};
  const iwarp_tx_cfg cfg = {.size = sizeof cfg, .crc = true, .emss = 1448, .num_messages = 2};
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  iwarp_tx *tx;
  size_t len = 0;
  iwarp_err err;
  must(iwarp_tx_init(&tx, tx_memory, sizeof tx_memory, &cfg));
  must(iwarp_tx_write(tx, 1, STAG, BASE, (iwarp_tx_payload){&all, 1}));
  must(iwarp_tx_read_req(tx, 2, &read));
  while ((err = iwarp_tx_next_output(tx, spans, IWARP_TX_SPANS_MIN, &out)) == IWARP_OK) {
    must(out.len <= sizeof stream - len ? IWARP_OK : IWARP_ERR_NOBUF);
    for (size_t i = 0; i < out.num_spans; i++) {
      memcpy(&stream[len], spans[i].ptr, spans[i].len);
      len += spans[i].len;
    }
    must(iwarp_tx_advance(tx, out.len));
  }
  must(err == IWARP_ERR_END ? IWARP_OK : err);
  return len;
}

/* A segment that this program has no place for ends the stream: a stack sends a Terminate first. */
static _Noreturn void refuse(const char *what) {
  fprintf(stderr, "lists: %s\n", what);
  exit(EXIT_FAILURE);
}

/* Copies the payload of a tagged segment to where its STag and Tagged Offset say. RFC 5041 7.1 */
static size_t place(iwarp_span ulpdu) {
  iwarp_ddp_hdr hdr;
  const iwarp_dec dec = iwarp_ddp_hdr_decode(&hdr, ulpdu);
  must(dec.err);
  const size_t len = ulpdu.len - dec.used;
  if (!hdr.tagged || hdr.stag != STAG) {
    refuse("no region has this STag"); /* TAGGED_STAG; a Send goes to a receive buffer */
  }
  if (hdr.to < BASE || hdr.to - BASE > sizeof region || len > sizeof region - (hdr.to - BASE)) {
    refuse("octets outside the region"); /* TAGGED_BOUNDS */
  }
  memcpy(&region[hdr.to - BASE], &ulpdu.ptr[dec.used], len);
  return len;
}

/* Checks an event that a list would not have: an event of any kind, perhaps of a wrong FPDU
 * (recv.c has a Terminate for each fault). */
static void check(const iwarp_event *ev) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  if (ev->kind != IWARP_EVENT_FPDU) {
    refuse("octets that are no FPDU");
  }
  if (!v->complete) {
    refuse("an FPDU is longer than max_ulpdu");
  }
  if (v->crc != IWARP_CRC_GOOD || v->seg.err != IWARP_OK) {
    refuse(iwarp_strerror(v->seg.err != IWARP_OK ? v->seg.err : IWARP_ERR_MPA_CRC));
  }
  if (v->seg.ddp.dv != IWARP_DDP_VERSION || v->seg.ctrl.rv != IWARP_RDMAP_VERSION) {
    refuse("a version that is not 1");
  }
}

/* Takes an FPDU that has an event; returns the octets placed. Without Markers its ULPDU is one
 * span. */
static size_t take(const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  iwarp_span ulpdu;
  size_t cursor = 0;
  check(ev);
  printf("an event: %s\n", iwarp_rdmap_op_get(seg->ctrl.opcode)->name);
  if (seg->kind == IWARP_RDMAP_KIND_READ_REQ && seg->ddp.qn == IWARP_RDMAP_QN_READ_REQ) {
    return 0; /* a stack answers it with a Read Response */
  }
  if (seg->ctrl.opcode != IWARP_RDMAP_OP_WRITE) {
    refuse("a message that this program does not expect");
  }
  must(iwarp_mpa_fpdu_ulpdu_span(&ulpdu, &cursor, &ev->u.fpdu.fpdu));
  return place(ulpdu);
}

/* Takes what the engine has: lists while there are any, and events in between. */
static size_t drain(iwarp_rx *rx) {
  iwarp_rx_fpdu list[32];
  iwarp_event ev;
  iwarp_err err;
  size_t placed = 0;
  do {
    for (size_t num; (num = iwarp_rx_next_fpdus(rx, list, 32)) > 0;) {
      printf("a list of %zu, the first at %" PRIu64 "\n", num, list[0].pos);
      for (size_t i = 0; i < num; i++) {
        placed += place(list[i].ulpdu);
      }
    }
    err = iwarp_rx_next_event(rx, &ev);
    if (err == IWARP_OK) {
      placed += take(&ev);
    }
  } while (err == IWARP_OK);
  must(err == IWARP_ERR_END ? IWARP_OK : err);
  return placed;
}

int main(void) {
  const iwarp_rx_cfg cfg = {.size = sizeof cfg,
                            .at_start = true,
                            .markers = IWARP_TRISTATE_OFF,
                            .crc = IWARP_TRISTATE_ON};
  const iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN, .packet = 1};
  iwarp_rx *rx;
  for (size_t i = 0; i < sizeof data; i++) {
    data[i] = (unsigned char)(i % 251);
  }
  must(iwarp_rx_init(&rx, rx_memory, sizeof rx_memory, &cfg));
  must(iwarp_rx_push(rx, (iwarp_span){stream, peer()}, &meta));
  const size_t placed = drain(rx);
  const bool same = memcmp(data, region, sizeof data) == 0;
  printf("%zu octets placed, %s\n", placed, same ? "the same" : "others");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
