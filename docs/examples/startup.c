/* SPDX-License-Identifier: BSD-2-Clause */
/* A stream with its startup frame: the codec reads that, a receive engine all after it. */
#include <iwarp/rx.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static _Alignas(max_align_t) unsigned char memory[IWARP_RX_SIZE_DEFAULT];

/* The octets of an Initiator: its Request (no Markers wanted, CRC), then a Send of no octets. */
static const unsigned char stream[] = "MPA ID Req Frame\x40\x01\x00\x04ping"
                                      "\x00\x12\x41\x43\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0"
                                      "\x58\x7b\xe8\xc4";

static const unsigned char reply[] = "MPA ID Rep Frame\x40\x01\x00\x00";

static void must(iwarp_err err) {
  if (err != IWARP_OK) {
    fprintf(stderr, "startup: %s\n", iwarp_strerror(err));
    exit(EXIT_FAILURE);
  }
}

/* One startup frame, which must be there whole: with NEED_MORE, `need` says how many octets to wait
 * for. */
static size_t startup(iwarp_mpa_startup *out, iwarp_span in, iwarp_mpa_key key) {
  iwarp_dec dec = iwarp_mpa_startup_decode(out, in);
  must(dec.err);
  must(iwarp_mpa_key_classify(in) == key ? IWARP_OK : IWARP_ERR_MPA_KEY);
  must(iwarp_mpa_startup_check(out)); /* Rev, PD_Length */
  return dec.used;
}

/* After a Reply that rejects the octets are the ULP's: no FPDU comes. */
static void agreed(const iwarp_mpa_startup *reply_frame) {
  must((reply_frame->flags & IWARP_MPA_FLAG_R) == 0 ? IWARP_OK : IWARP_ERR_REFUSED);
}

/* Markers are in this direction if the other side asked for them, CRCs in both if either did. */
static iwarp_rx *engine(const iwarp_mpa_startup *of_sender, const iwarp_mpa_startup *of_receiver) {
  iwarp_rx *rx;
  bool markers = (of_receiver->flags & IWARP_MPA_FLAG_M) != 0;
  bool crc = ((of_sender->flags | of_receiver->flags) & IWARP_MPA_FLAG_C) != 0;
  iwarp_rx_cfg cfg = {.size = sizeof cfg,
                      .at_start = true,
                      .markers = markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF,
                      .crc = crc ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF};
  must(iwarp_rx_init(&rx, memory, sizeof memory, &cfg));
  printf("Markers %s, CRCs %s\n", markers ? "on" : "off", crc ? "on" : "off");
  return rx;
}

/* recv.c checks an FPDU closely. */
static void show(const iwarp_event *ev) {
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  must(ev->kind == IWARP_EVENT_FPDU && v->complete ? v->seg.err : IWARP_ERR_MPA_ULPDU_LENGTH);
  must(v->crc == IWARP_CRC_BAD ? IWARP_ERR_MPA_CRC : IWARP_OK);
  printf("%s\n", iwarp_rdmap_op_get(v->seg.ctrl.opcode)->label);
}

int main(void) {
  iwarp_mpa_startup request;
  iwarp_mpa_startup answer;
  iwarp_span in = {stream, sizeof stream - 1};
  iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN};
  iwarp_event ev;
  iwarp_err err;
  size_t used = startup(&request, in, IWARP_MPA_KEY_REQUEST);
  startup(&answer, (iwarp_span){reply, sizeof reply - 1}, IWARP_MPA_KEY_REPLY);
  agreed(&answer);
  printf("Rev %u, %zu octets of Private Data\n", (unsigned)request.rev, request.private_data.len);
  iwarp_rx *rx = engine(&request, &answer);
  must(iwarp_rx_push(rx, (iwarp_span){in.ptr + used, in.len - used}, &meta));
  while ((err = iwarp_rx_next_event(rx, &ev)) == IWARP_OK) {
    show(&ev);
  }
  must(err == IWARP_ERR_END ? IWARP_OK : err);
  return EXIT_SUCCESS;
}
