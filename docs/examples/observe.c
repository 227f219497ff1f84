/* SPDX-License-Identifier: BSD-2-Clause */
/* An observer: both directions of a connection, from the startup frames on. */
#include <inttypes.h>
#include <iwarp/event.h>
#include <iwarp/observer.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static _Alignas(max_align_t) unsigned char memory[IWARP_OBSERVER_SIZE_DEFAULT];

/* The capture: side 0 opened the connection. RFC 5044 7.1, and a Send of no octets. */
static const unsigned char request[] = "MPA ID Req Frame\x40\x01\x00\x00";
static const unsigned char reply[] = "MPA ID Rep Frame\x40\x01\x00\x04pong";
static const unsigned char send[] = {0, 18, 0x41, 0x43, 0, 0, 0, 0, 0,    0,    0,    0,
                                     0, 0,  0,    1,    0, 0, 0, 0, 0x58, 0x7b, 0xe8, 0xc4};

static const struct {
  uint8_t side;
  iwarp_span octets;
} capture[] = {
    {0, {request, sizeof request - 1}}, {1, {reply, sizeof reply - 1}}, {0, {send, sizeof send}}};

static void must(iwarp_err err) {
  if (err != IWARP_OK) {
    fprintf(stderr, "observe: %s\n", iwarp_strerror(err));
    exit(EXIT_FAILURE);
  }
}

static iwarp_observer *engine(void) {
  iwarp_observer *observer;
  iwarp_observer_cfg cfg = {.size = sizeof cfg};
  must(iwarp_observer_init(&observer, memory, sizeof memory, &cfg));
  return observer;
}

/* Shows a whole frame: its key and length are right, and no octet is missing. */
static void show_startup(const iwarp_event_startup *v) {
  printf("MPA %s, Rev %u, %zu octets of Private Data%s%s%s\n", v->is_reply ? "Reply" : "Request",
         (unsigned)v->frame.rev, v->frame.private_data.len,
         v->key == IWARP_MPA_KEY_UNKNOWN ? ", wrong key" : "", v->err != IWARP_OK ? ", cut" : "",
         (v->frame.flags & IWARP_MPA_FLAG_R) != 0 ? ", rejects" : "");
}

/* Where the capture lacks octets, or the FPDU is longer than max_ulpdu, only its first octets are
 * there. */
static void show_fpdu(const iwarp_event_fpdu *v) {
  static const char *const crc[] = {
      [IWARP_CRC_UNCHECKED] = "unchecked", [IWARP_CRC_GOOD] = "good", [IWARP_CRC_BAD] = "bad"};
  if (!v->seg.has_ddp) {
    printf("FPDU of %u octets without a whole DDP header", (unsigned)v->fpdu.ulpdu_length);
  } else {
    printf("%s", iwarp_rdmap_op_get(v->seg.ctrl.opcode)->label);
  }
  if (v->offset != IWARP_POS_UNKNOWN) {
    printf(" at offset %" PRIu64, v->offset);
  }
  printf(", CRC %s%s", crc[v->crc], v->complete ? "" : ", octets are missing");
  printf("%s%s\n", v->seg.err != IWARP_OK ? ": " : "",
         v->seg.err != IWARP_OK ? iwarp_strerror(v->seg.err) : "");
}

static void show(const iwarp_event *ev) {
  printf("side %u: ", (unsigned)ev->side);
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP: show_startup(&ev->u.startup); break;
  case IWARP_EVENT_FPDU: show_fpdu(&ev->u.fpdu); break;
  case IWARP_EVENT_GAP: printf("%" PRIu64 " octets are missing\n", ev->len); break;
  case IWARP_EVENT_UNDECODABLE: printf("%" PRIu64 " octets are no FPDU\n", ev->len); break;
  case IWARP_EVENT_STREAMING: printf("%" PRIu64 " octets before MPA\n", ev->len); break;
  case IWARP_EVENT_END: printf("end\n"); break;
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: break; /* reported over SCTP only */
  }
}

static void drain(iwarp_observer *observer) {
  iwarp_event ev;
  iwarp_err err;
  while ((err = iwarp_observer_next_event(observer, &ev)) == IWARP_OK) {
    show(&ev);
  }
  must(err == IWARP_ERR_END ? IWARP_OK : err);
}

/* Prints the terms of the connection, as far as known, and the limits that cost something. */
static void summary(const iwarp_observer_info *info) {
  static const char *const word[] = {[IWARP_TRISTATE_UNKNOWN] = "unknown",
                                     [IWARP_TRISTATE_OFF] = "off",
                                     [IWARP_TRISTATE_ON] = "on"};
  printf("CRCs %s, Markers %s\n", word[info->crc], word[info->side[0].markers]);
  if (info->limits != 0) {
    printf("a limit was reached (IWARP_LIMIT_*): 0x%" PRIx32 "\n", info->limits);
  }
}

int main(void) {
  iwarp_observer *observer = engine();
  iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN, .segment_start = true};
  uint64_t pos[2] = {1001, 5001}; /* the sequence numbers after the SYNs */
  for (uint8_t side = 0; side < 2; side++) {
    must(iwarp_observer_start(observer, side, pos[side], true, pos[side]));
  }
  for (size_t i = 0; i < sizeof capture / sizeof capture[0]; i++) {
    uint8_t side = capture[i].side;
    meta.packet = i + 1;
    meta.peer_pos = pos[1 - side]; /* TCP's acknowledgment number */
    must(iwarp_observer_push(observer, side, capture[i].octets, &meta));
    drain(observer);
    pos[side] += capture[i].octets.len;
  }
  for (uint8_t side = 0; side < 2; side++) {
    must(iwarp_observer_eof(observer, side, IWARP_END_FIN, &meta));
    drain(observer);
  }
  summary(iwarp_observer_info_get(observer));
  return EXIT_SUCCESS;
}
