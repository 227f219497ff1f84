/* SPDX-License-Identifier: BSD-2-Clause */
/* An observer: both directions of a connection, from the startup frames on. */
#include <inttypes.h>
#include <iwarp/event.h>
#include <iwarp/observer.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static _Alignas(max_align_t) unsigned char memory[IWARP_OBSERVER_SIZE_DEFAULT];

/* What was captured: side 0 opened the connection. RFC 5044 7.1, and a Send of no octets. */
static const unsigned char request[] = "MPA ID Req Frame\x40\x01\x00\x00";
static const unsigned char reply[] = "MPA ID Rep Frame\x40\x01\x00\x04pong";
static const unsigned char send[] = {0, 18, 0x41, 0x43, 0, 0, 0, 0, 0,    0,    0,    0,
                                     0, 0,  0,    1,    0, 0, 0, 0, 0x58, 0x7b, 0xe8, 0xc4};

static const struct {
  uint8_t side;
  iwarp_span octets;
} capture[] = {
    {0, {request, sizeof request - 1}}, {1, {reply, sizeof reply - 1}}, {0, {send, sizeof send}}};

static iwarp_observer *engine(void) {
  iwarp_observer *conn;
  iwarp_observer_cfg cfg = {.size = sizeof cfg};
  iwarp_err err = iwarp_observer_init(&conn, memory, sizeof memory, &cfg);
  if (err != IWARP_OK) {
    fprintf(stderr, "observe: %s\n", iwarp_strerror(err));
    exit(EXIT_FAILURE);
  }
  return conn;
}

static void show(const iwarp_event *ev) {
  printf("side %u: ", (unsigned)ev->side);
  switch (ev->kind) {
  case IWARP_EVENT_STARTUP:
    printf("MPA %s, Rev %u, %zu octets of Private Data\n",
           ev->u.startup.is_reply ? "Reply" : "Request", (unsigned)ev->u.startup.frame.rev,
           ev->u.startup.frame.private_data.len);
    break;
  case IWARP_EVENT_FPDU:
    printf("%s at offset %" PRIu64 ", CRC %s\n",
           iwarp_rdmap_op_get(ev->u.fpdu.seg.ctrl.opcode)->label, ev->u.fpdu.offset,
           ev->u.fpdu.crc == IWARP_CRC_GOOD ? "good" : "bad or unchecked");
    break;
  case IWARP_EVENT_GAP: printf("%" PRIu64 " octets are missing\n", ev->len); break;
  case IWARP_EVENT_UNDECODABLE: printf("%" PRIu64 " octets are no FPDU\n", ev->len); break;
  case IWARP_EVENT_STREAMING: printf("%" PRIu64 " octets before MPA\n", ev->len); break;
  case IWARP_EVENT_END: printf("end\n"); break;
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: break; /* not over TCP */
  }
}

static void drain(iwarp_observer *conn) {
  iwarp_event ev;
  while (iwarp_observer_next_event(conn, &ev) == IWARP_OK) {
    show(&ev);
  }
}

int main(void) {
  iwarp_observer *conn = engine();
  iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN, .segment_start = true};
  uint64_t pos[2] = {1001, 5001}; /* over TCP: the sequence numbers after the SYNs */
  for (uint8_t side = 0; side < 2; side++) {
    iwarp_observer_start(conn, side, pos[side], true, pos[side]);
  }
  for (size_t i = 0; i < sizeof capture / sizeof capture[0]; i++) {
    uint8_t side = capture[i].side;
    meta.packet = i + 1;
    meta.peer_pos = pos[1 - side]; /* TCP's acknowledgment number */
    iwarp_observer_push(conn, side, capture[i].octets, &meta);
    drain(conn);
    pos[side] += capture[i].octets.len;
  }
  for (uint8_t side = 0; side < 2; side++) {
    iwarp_observer_eof(conn, side, IWARP_END_FIN, &meta);
    drain(conn);
  }
  const iwarp_observer_info *info = iwarp_observer_info_get(conn);
  printf("CRCs %s, Markers %s\n", info->crc == IWARP_TRISTATE_ON ? "on" : "off",
         info->side[0].markers == IWARP_TRISTATE_ON ? "on" : "off");
  return EXIT_SUCCESS;
}
