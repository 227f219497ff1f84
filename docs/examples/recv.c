/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive loop: octets of a stream from standard input, its FPDUs to standard output. */
#include <inttypes.h>
#include <iwarp/event.h>
#include <iwarp/rx.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static _Alignas(max_align_t) unsigned char memory[IWARP_RX_SIZE_DEFAULT];

static void must(iwarp_err err) {
  if (err != IWARP_OK) {
    fprintf(stderr, "recv: %s\n", iwarp_strerror(err));
    exit(EXIT_FAILURE);
  }
}

static iwarp_rx *engine(void) {
  iwarp_rx *rx;
  iwarp_rx_cfg cfg = {.size = sizeof cfg,
                      .at_start = true, /* the first octet is the first of Full Operation */
                      .markers = IWARP_TRISTATE_ON,
                      .crc = IWARP_TRISTATE_ON};
  must(iwarp_rx_init(&rx, memory, sizeof memory, &cfg));
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

/* Ends the stream: a stack sends this Terminate, and ignores all later octets. */
static _Noreturn void terminate(const char *what, iwarp_term term) {
  const unsigned octets = (unsigned)term;
  printf("%s: answer with Terminate %u/%u/%u\n", what, octets >> 12, octets >> 8 & 15,
         octets & 255);
  exit(EXIT_FAILURE);
}

/* What can be wrong with an FPDU for itself, in the order in which the layers look at it. Queues,
 * MSNs, bounds and access rights come after that. RFC 5044 8, RFC 5041 7.1, RFC 5040 7.1 */
static void check(const iwarp_event_fpdu *v) {
  const iwarp_rdmap_seg *seg = &v->seg;
  const iwarp_ddp_hdr *ddp = &seg->ddp;
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  const struct {
    bool found;
    const char *what;
    iwarp_term term;
  } faults[] = {
      {!v->complete, "an FPDU is longer than max_ulpdu", IWARP_TERM_MPA_LOCAL},
      {v->crc != IWARP_CRC_GOOD, iwarp_strerror(IWARP_ERR_MPA_CRC), IWARP_TERM_MPA_CRC},
      {!iwarp_mpa_fpdu_markers_agree(&v->fpdu), iwarp_strerror(IWARP_ERR_MPA_MARKER),
       IWARP_TERM_MPA_MARKER},
      {!seg->has_ddp, iwarp_strerror(IWARP_ERR_DDP_SHORT), IWARP_TERM_DDP_LOCAL},
      {ddp->dv != IWARP_DDP_VERSION, "the DDP version is not 1",
       ddp->tagged ? IWARP_TERM_TAGGED_VERSION : IWARP_TERM_UNTAGGED_VERSION},
      {!ddp->tagged && ddp->qn > IWARP_RDMAP_QN_ATOMIC_RESP, "there is no such queue",
       IWARP_TERM_UNTAGGED_QN},
      {seg->ctrl.rv != IWARP_RDMAP_VERSION, "the RDMAP version is not 1",
       IWARP_TERM_OPERATION_VERSION},
      {!op->assigned || op->tagged != ddp->tagged || (!op->tagged && op->qn != ddp->qn),
       "the opcode is not one for this segment", IWARP_TERM_OPERATION_OPCODE},
      {seg->err != IWARP_OK, iwarp_strerror(seg->err), IWARP_TERM_OPERATION_UNSPECIFIED},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    if (faults[i].found) {
      terminate(faults[i].what, faults[i].term);
    }
  }
}

static void show_fpdu(const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  check(&ev->u.fpdu);
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
  iwarp_err err;
  while ((err = iwarp_rx_next_event(rx, &ev)) == IWARP_OK) {
    if (ev.kind == IWARP_EVENT_FPDU) {
      show_fpdu(&ev);
    } else if (ev.kind == IWARP_EVENT_UNDECODABLE) {
      terminate("the stream ends inside an FPDU", IWARP_TERM_MPA_CLOSED);
    }
  }
  must(err == IWARP_ERR_END ? IWARP_OK : err);
}

int main(void) {
  iwarp_rx *rx = engine();
  iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN};
  unsigned char octets[100]; /* any size does, and any split */
  for (size_t n; (n = fread(octets, 1, sizeof octets, stdin)) > 0;) {
    meta.packet++;
    must(iwarp_rx_push(rx, (iwarp_span){octets, n}, &meta));
    drain(rx);
  }
  must(iwarp_rx_eof(rx, &meta));
  drain(rx);
  return ferror(stdin) || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
