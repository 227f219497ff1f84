/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive loop: octets of a stream from standard input, its FPDUs to standard output. */
#include <inttypes.h>
#include <iwarp/event.h>
#include <iwarp/rx.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static _Alignas(max_align_t) unsigned char memory[IWARP_RX_SIZE_DEFAULT];

static iwarp_rx *engine(void) {
  iwarp_rx *rx;
  iwarp_rx_cfg cfg = {.size = sizeof cfg,
                      .at_start = true, /* the first octet is the first of Full Operation */
                      .markers = IWARP_TRISTATE_ON,
                      .crc = IWARP_TRISTATE_ON};
  iwarp_err err = iwarp_rx_init(&rx, memory, sizeof memory, &cfg);
  if (err != IWARP_OK) {
    fprintf(stderr, "recv: %s\n", iwarp_strerror(err));
    exit(EXIT_FAILURE);
  }
  return rx;
}

/* The payload of a segment, run by run, is where it was received; here it is only counted. */
static size_t payload(const iwarp_event *ev) {
  iwarp_span run;
  size_t cursor = 0; /* the offset of the run in the payload */
  size_t octets = 0;
  while (iwarp_event_payload(&run, &cursor, ev) == IWARP_OK) {
    octets += run.len;
  }
  return octets;
}

static void show_fpdu(const iwarp_event *ev) {
  const iwarp_ev_fpdu *v = &ev->u.fpdu;
  const iwarp_rdmap_seg *seg = &v->seg;
  if (v->crc == IWARP_CRC_BAD || seg->err != IWARP_OK) {
    iwarp_err err = v->crc == IWARP_CRC_BAD ? IWARP_ERR_MPA_CRC : seg->err;
    uint8_t layer;
    uint8_t etype;
    uint8_t code;
    if (iwarp_err_to_terminate(&layer, &etype, &code, err)) {
      printf("%s: answer with Terminate %u/%u/%u\n", iwarp_strerror(err), (unsigned)layer,
             (unsigned)etype, (unsigned)code);
    }
    return;
  }
  printf("%-12s", iwarp_rdmap_op_get(seg->ctrl.opcode)->name);
  if (seg->ddp.tagged) {
    printf(" stag 0x%08" PRIx32 " to 0x%" PRIx64, seg->ddp.stag, seg->ddp.to);
  } else {
    printf(" qn %" PRIu32 " msn %" PRIu32 " mo %" PRIu32, seg->ddp.qn, seg->ddp.msn, seg->ddp.mo);
  }
  printf(", %zu octets%s\n", payload(ev), seg->ddp.last ? ", last" : "");
  if (seg->kind == IWARP_RDMAP_KIND_READ_REQ) {
    const iwarp_rdmap_read_req *req = &seg->u.read_req;
    printf("  asks for %" PRIu32 " octets of stag 0x%08" PRIx32 "\n", req->size, req->source_stag);
  }
}

/* Takes the events until the engine wants more octets. */
static void drain(iwarp_rx *rx) {
  iwarp_event ev;
  while (iwarp_rx_next_event(rx, &ev) == IWARP_OK) {
    if (ev.kind == IWARP_EVENT_FPDU) {
      show_fpdu(&ev);
    } else if (ev.kind == IWARP_EVENT_UNDECODABLE) {
      printf("%" PRIu64 " octets are no FPDU\n", ev.len);
    }
  }
}

int main(void) {
  iwarp_rx *rx = engine();
  iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN};
  unsigned char octets[100]; /* any size does, and any split */
  for (size_t n; (n = fread(octets, 1, sizeof octets, stdin)) > 0;) {
    meta.packet++;
    iwarp_rx_push(rx, (iwarp_span){octets, n}, &meta);
    drain(rx);
  }
  iwarp_rx_eof(rx, &meta);
  drain(rx);
  return EXIT_SUCCESS;
}
