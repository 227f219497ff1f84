/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on Markers: missing, not due, or elsewhere. */

#include "rules_cases.h"

/* ---- Markers inside an FPDU ---- */

/* An FPDU without Markers, with a right CRC, though Markers are on; read with Markers it is
 * longer. */
static void markers_unmarked(struct rules_fixture *l, uint64_t front) {
  static uint8_t wire[1200];
  uint8_t ulpdu[700] = {0x41, 0x43, [13] = 2};
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, sizeof(ulpdu)}};
  size_t len = 0;
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, (size_t)(front - 28)));
  memset(wire, 0xEE, sizeof(wire));
  if (iwarp_mpa_fpdu_encode(wire, sizeof(wire), &len, &d) != IWARP_OK) {
    abort();
  }
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

static void markers_unmarked_inside(struct rules_fixture *l) {
  markers_unmarked(l, 100);
}

/* Read with Markers it is one, a length of 0 from RsvdULP, and what stands for PAD and CRC. */
static void markers_unmarked_front(struct rules_fixture *l) {
  markers_unmarked(l, 512);
}

/* An FPDU with Markers whose ULPDU_Length counts those inside it, after one of so many octets. */
static void markers_counted(struct rules_fixture *l, size_t front, uint32_t crc_flip) {
  static uint8_t wire[1400];
  uint8_t ulpdu[900] = {0x41, 0x43, [13] = 2};
  iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, sizeof(ulpdu)}, .off = front, .markers = true};
  const iwarp_mpa_layout layout = iwarp_mpa_layout_of(front, sizeof(ulpdu), true);
  const uint32_t inner = layout.num_markers - (layout.lead != 0 ? 1u : 0u);
  size_t len = 0;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, front - 28));
  memset(wire, 0, sizeof(wire));
  if (iwarp_mpa_fpdu_encode(wire, sizeof(wire), &len, &d) != IWARP_OK) {
    abort();
  }
  const size_t counted = sizeof(ulpdu) + (size_t)inner * IWARP_MPA_MARKER_LEN;
  wire[layout.lead] = (uint8_t)(counted >> 8);
  wire[layout.lead + 1] = (uint8_t)counted;
  const uint32_t crc = iwarp_crc32c(0, wire, layout.crc_off) ^ crc_flip;
  for (size_t i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    wire[layout.crc_off + i] = (uint8_t)(crc >> 8 * i);
  }
  memcpy(&wire[len], framing_send, sizeof(framing_send));
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

static void markers_counted_inside(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_counted(l, 100, 0);
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

/* The Marker before it is of its CRC, too. */
static void markers_counted_led(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_counted(l, 512, 0);
}

/* One bit of the CRC is wrong: it proves nothing. */
static void markers_counted_crc(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_counted(l, 100, 1);
}

static void markers_counted_gap(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].gap = true;
  markers_counted(l, 100, 0);
}

/* What was captured of the Reply may be none. */
static void markers_counted_alone(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  l->info.side[FIXTURE_RESPONDER].has_startup = false;
  markers_counted(l, 100, 0);
}

/* An FPDU with Markers or without, of a Send of 682 octets, as the next of the Initiator. */
static size_t markers_last(struct rules_fixture *l, uint8_t wire[800], uint8_t fill, bool markers) {
  uint8_t ulpdu[700] = {0x41, 0x43, [13] = 2};
  size_t len = 0;
  memset(&ulpdu[18], fill, sizeof(ulpdu) - 18);
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, sizeof(ulpdu)},
                                 .off = l->next[FIXTURE_INITIATOR] -
                                        l->info.side[FIXTURE_INITIATOR].full_pos,
                                 .markers = markers};
  if (iwarp_mpa_fpdu_encode(wire, 800, &len, &d) != IWARP_OK) {
    abort();
  }
  return len;
}

/* Markers are on, and the stream ends with an FPDU without Markers. */
static void markers_unmarked_end(struct rules_fixture *l, uint8_t flags, uint8_t fill,
                                 iwarp_end end) {
  uint8_t wire[800];
  fixture_open_with(l, (uint8_t)(FIXTURE_M | flags));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  framing_octets(l, wire, markers_last(l, wire, fill, false), IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_INITIATOR, end);
}

static void markers_unmarked_last(struct rules_fixture *l) {
  markers_unmarked_end(l, FIXTURE_C, 0xEE, IWARP_END_FIN);
}

static void markers_unmarked_last_reset(struct rules_fixture *l) {
  markers_unmarked_end(l, 0, 0xEE, IWARP_END_RST);
}

/* Zeros read as a Marker with a wrong pointer: the CRC tells. */
static void markers_unmarked_last_zeros(struct rules_fixture *l) {
  markers_unmarked_end(l, FIXTURE_C, 0, IWARP_END_CAPTURE);
}

/* Without CRCs the number of octets tells, where nothing can follow. */
static void markers_unmarked_last_length(struct rules_fixture *l) {
  markers_unmarked_end(l, 0, 0, IWARP_END_FIN);
}

static void markers_unmarked_last_open(struct rules_fixture *l) {
  markers_unmarked_end(l, 0, 0, IWARP_END_CAPTURE);
}

/* An octet is missing at its end, too: nothing says that it has no Markers. */
static void markers_unmarked_last_cut(struct rules_fixture *l) {
  uint8_t wire[800];
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  framing_octets(l, wire, markers_last(l, wire, 0, false) - 1, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/*
 * With CRCs, an FPDU of a ULPDU of so many octets, without PAD, over the places of two Markers.
 * `which` has a bit for each Marker that is there; its ULPDU_Length is so much more. Its CRC is
 * right, and octets of the next one follow.
 */
static void markers_some_of(struct rules_fixture *l, uint16_t len, unsigned which, uint8_t more) {
  uint8_t wire[1300] = {(uint8_t)((len + more) >> 8), (uint8_t)(len + more), 0x41, 0x43, [15] = 2};
  uint8_t out[1300] = {0};
  size_t at = 0;
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  const uint64_t off = l->next[FIXTURE_INITIATOR] - l->info.side[FIXTURE_INITIATOR].full_pos;
  for (size_t i = 0; i < IWARP_MPA_LENGTH_LEN + (size_t)len; i++) {
    if ((off + at) % IWARP_MPA_MARKER_PERIOD == 0) {
      if ((which & 1u) != 0) {
        out[at + 2] = (uint8_t)(at >> 8);
        out[at + 3] = (uint8_t)at;
        at += IWARP_MPA_MARKER_LEN;
      }
      which >>= 1;
    }
    out[at++] = i == 400 ? 0xEE : wire[i];
  }
  const uint32_t crc = iwarp_crc32c(0, out, at);
  for (size_t i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    out[at++] = (uint8_t)(crc >> 8 * i);
  }
  out[at + 1] = 22;
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){out, sizeof(out)});
}

static void markers_second_alone(struct rules_fixture *l) {
  markers_some_of(l, 1202, 2, 0);
}

static void markers_first_alone(struct rules_fixture *l) {
  markers_some_of(l, 1202, 1, 0);
}

static void markers_both_too_long(struct rules_fixture *l) {
  markers_some_of(l, 1202, 3, 4);
}

/* Without the first Marker it has 4 octets less. */
static void markers_second_too_long(struct rules_fixture *l) {
  markers_some_of(l, 1202, 2, 8);
}

/* And without its PAD 2 more. */
static void markers_second_no_pad(struct rules_fixture *l) {
  markers_some_of(l, 1200, 2, 0);
}

/* Without CRCs, a Send of so many octets, of which some read as Markers halfway between those due:
 * the first one, or two. */
static void markers_like_halfway(struct rules_fixture *l, size_t len, bool two, uint8_t pad) {
  uint8_t payload[1000] = {0};
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, len);
  fixture_begin_with(l, FIXTURE_M);
  const uint64_t off = l->next[FIXTURE_INITIATOR] - l->info.side[FIXTURE_INITIATOR].full_pos;
  const size_t at = (size_t)(IWARP_MPA_MARKER_PERIOD / 2u - off);
  const size_t head = IWARP_MPA_LENGTH_LEN + IWARP_DDP_UNTAGGED_LEN;
  payload[at - head + 3] = (uint8_t)at;
  if (two) { /* after the expected one */
    const size_t second = at + IWARP_MPA_MARKER_PERIOD;
    payload[second - IWARP_MPA_MARKER_LEN - head + 2] = (uint8_t)(second >> 8);
    payload[second - IWARP_MPA_MARKER_LEN - head + 3] = (uint8_t)second;
  }
  s.payload = payload;
  s.pad[0] = pad;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void markers_two_halfway(struct rules_fixture *l) {
  markers_like_halfway(l, 1000, true, 0);
}

static void markers_one_halfway(struct rules_fixture *l) {
  markers_like_halfway(l, 1000, false, 0);
}

static void markers_one_halfway_pad(struct rules_fixture *l) {
  markers_like_halfway(l, 301, false, 0xEE);
}

/* Without CRCs a Marker is left out; as the octets are read, no FPDU follows, and the next Marker
 * is wrong. */
static void markers_unmarked_chain(struct rules_fixture *l) {
  uint8_t wire[1600];
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  const size_t len = markers_last(l, wire, 0xEE, false);
  memset(&wire[len - IWARP_MPA_CRC_LEN], 0, IWARP_MPA_CRC_LEN);
  memcpy(&wire[len], framing_send, sizeof(framing_send));
  memset(&wire[len + sizeof(framing_send)], 0xEE, 600);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, len + 4});
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){&wire[len + 4], 600});
}

/* Three Markers are zeros, and the last octets form headers except for their Queue Number. */
static void markers_unmarked_no_queue(struct rules_fixture *l) {
  static uint8_t wire[1520] = {0x05, 0xDC, 0x41, 0x43, [15] = 2};
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  memcpy(&wire[sizeof(wire) - 12], framing_send, 12);
  wire[sizeof(wire) - 1] = 7;
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

/* The first octets of an FPDU stand in place of its Marker, and no CRCs are in use. */
static void markers_unmarked_front_no_crc(struct rules_fixture *l) {
  uint8_t wire[800];
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 484));
  (void)markers_last(l, wire, 0, false);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

/* Where the FPDU after it begins is no longer certain. */
static void markers_unmarked_then(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(3);
  s.ddp.rsvd = 1;
  markers_unmarked_front_no_crc(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* Markers in an FPDU, the second of the stream, though Markers are off; returns the rest of it. */
static iwarp_span markers_marked_unasked(struct rules_fixture *l, uint8_t flags, uint8_t fill,
                                         uint8_t wire[850]) {
  fixture_open_with(l, flags);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  const size_t len = markers_last(l, wire, fill, true) - IWARP_MPA_MARKER_LEN;
  memset(&wire[len], 0, IWARP_MPA_MARKER_LEN); /* of the CRC field */
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, len});
  return (iwarp_span){&wire[len], IWARP_MPA_MARKER_LEN};
}

static void markers_marked_unasked_crc(struct rules_fixture *l) {
  uint8_t wire[850];
  (void)markers_marked_unasked(l, FIXTURE_C, 0, wire);
}

/* Without CRCs what stands for the PAD tells. */
void markers_marked_unasked_pad(struct rules_fixture *l) {
  uint8_t wire[850];
  (void)markers_marked_unasked(l, 0, 0xEE, wire);
}

/* Or what follows alone. */
static void markers_marked_unasked_chain(struct rules_fixture *l) {
  uint8_t wire[850];
  const iwarp_span left = markers_marked_unasked(l, 0, 0, wire);
  memcpy(&wire[left.ptr - wire + (ptrdiff_t)left.len], framing_send, sizeof(framing_send));
  framing_octets(l, left.ptr, left.len + sizeof(framing_send), IWARP_UNDEC_NO_BOUNDARY);
}

/* A Send with four octets so placed that a Marker stands in its header after so many octets; it
 * does, or is what the sender gave as the field there. */
static void markers_marked_header(struct rules_fixture *l, size_t at, bool marker) {
  uint8_t wire[sizeof(framing_send) + IWARP_MPA_MARKER_LEN];
  fixture_open_with(l, 0);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, IWARP_MPA_MARKER_PERIOD - at - 24));
  memcpy(wire, framing_send, at);
  memcpy(&wire[at], (const uint8_t[]){0, 0, 0, (uint8_t)at}, IWARP_MPA_MARKER_LEN);
  memcpy(&wire[at + IWARP_MPA_MARKER_LEN], &framing_send[marker ? at : at + IWARP_MPA_MARKER_LEN],
         sizeof(framing_send) - at - (marker ? 0 : IWARP_MPA_MARKER_LEN));
  wire[marker && at <= 12 ? 19 : 15] = 2;
  wire[sizeof(framing_send) - 1 - IWARP_MPA_CRC_LEN] = marker ? 0 : 0xEE;
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(framing_send)});
}

static void markers_marked_rsvdulp(struct rules_fixture *l) {
  markers_marked_header(l, 4, true);
}

static void markers_marked_qn(struct rules_fixture *l) {
  markers_marked_header(l, 8, true);
}

static void markers_marked_msn(struct rules_fixture *l) {
  markers_marked_header(l, 12, true);
}

static void markers_marked_mo(struct rules_fixture *l) {
  markers_marked_header(l, 16, true);
}

/* MO of a message of one segment, at offset 496 of the stream. */
static void markers_mo_like_marker(struct rules_fixture *l) {
  markers_marked_header(l, 16, false);
}

/* The same of a Send of no octets: what is read of it ends with its header. */
static void markers_marked_empty(struct rules_fixture *l) {
  static const uint8_t wire[] = {0, 18, 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 8,
                                 0, 0,  0,    0,    0, 0, 0, 2, 0, 0, 0, 0};
  fixture_open_with(l, 0);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 480));
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

/* The same before an MO of 2^25 + 40. */
static void markers_marked_mo_far(struct rules_fixture *l) {
  static const uint8_t wire[] = {0, 22, 0x41, 0x43, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,
                                 0, 1,  0,    0,    0, 16, 2, 0, 0, 40, 0, 0, 0, 0};
  struct fixture_seg s = fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 472));
  s.claim = (1u << 25) + 40;
  fixture_open_with(l, 0);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

/* A Marker stands before the CRC field, where that is read as the FPDU has it without. */
static void markers_marked_crc_field(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 436);
  s.crc_flip = 0xC8010000; /* 00 00 01 C8 on the wire */
  fixture_open_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  l->crc_is = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->crc_is = false;
}

/* Payload that reads as a Marker to its FPDU. */
static void markers_marked_payload(struct rules_fixture *l) {
  static uint8_t payload[600];
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, sizeof(payload));
  payload[512 - 20 + 2] = 2;
  s.payload = payload;
  fixture_open_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  framing_fin(l);
}

/* ---- Markers in unusual places ---- */

/* So much of the stream is sent that the next FPDU begins eight octets before a Marker. */
static void markers_to_header(struct rules_fixture *l, uint8_t flags) {
  fixture_open_with(l, (uint8_t)(FIXTURE_M | flags));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 476));
}

/* The next FPDU of the Initiator, of a ULPDU of zeros with the header of a Send, and its length. */
static size_t markers_made(const struct rules_fixture *l, uint8_t *wire, size_t room,
                           uint16_t ulpdu_length) {
  static uint8_t ulpdu[0x8000] = {0x41, 0x43, [13] = 2};
  size_t len = 0;
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, ulpdu_length},
                                 .off = l->next[FIXTURE_INITIATOR] -
                                        l->info.side[FIXTURE_INITIATOR].full_pos,
                                 .markers = true};
  if (iwarp_mpa_fpdu_encode(wire, room, &len, &d) != IWARP_OK) {
    abort();
  }
  return len;
}

/* Four other octets stand in place of a Marker in the header, and the CRC is wrong. */
static void markers_none_in_header(struct rules_fixture *l, uint16_t ulpdu_length) {
  static uint8_t wire[0x9000];
  markers_to_header(l, FIXTURE_C);
  const size_t len = markers_made(l, wire, sizeof(wire), ulpdu_length);
  memset(&wire[8], 0xEE, IWARP_MPA_MARKER_LEN);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, len});
}

static void markers_none_in_header_261(struct rules_fixture *l) {
  markers_none_in_header(l, 0x0105);
}

static void markers_none_in_header_510(struct rules_fixture *l) {
  markers_none_in_header(l, 0x01FE);
}

static void markers_none_in_header_32517(struct rules_fixture *l) {
  markers_none_in_header(l, 0x7F05);
}

/* Of such an FPDU, without CRCs, so many octets come. */
static void markers_none_in_header_cut(struct rules_fixture *l, size_t len) {
  uint8_t wire[400];
  markers_to_header(l, 0);
  (void)markers_made(l, wire, sizeof(wire), 100);
  for (uint8_t i = 0; i < IWARP_MPA_MARKER_LEN; i++) {
    wire[8 + i] = (uint8_t)(0xE1 + i);
  }
  framing_octets(l, wire, len, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

static void markers_none_in_header_40(struct rules_fixture *l) {
  markers_none_in_header_cut(l, 40);
}

static void markers_none_in_header_15(struct rules_fixture *l) {
  markers_none_in_header_cut(l, 15);
}

/* A wrong Marker and a wrong CRC: the octets are a Marker's. */
static void markers_pointer_and_crc(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 600);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.fpduptr = 4};
  s.crc_flip = 1;
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* Three Markers belong in 1,500 octets of zeros, without CRCs. The next FPDU begins before the end,
 * as if so many of them were left out. */
static void markers_left_out(struct rules_fixture *l, uint32_t num) {
  static uint8_t wire[1520];
  memset(wire, 0, sizeof(wire));
  memcpy(wire, (const uint8_t[]){0x05, 0xDC, 0x41, 0x43}, 4);
  wire[15] = 2;
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  memcpy(&wire[sizeof(wire) - 4 * (size_t)num], framing_send, 4 * (size_t)num);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

static void markers_left_out_1(struct rules_fixture *l) {
  markers_left_out(l, 1);
}

static void markers_left_out_3(struct rules_fixture *l) {
  markers_left_out(l, 3);
}

/* The first FPDU has the Marker before it, and not the two inside. */
static void markers_left_out_after_first(struct rules_fixture *l) {
  uint8_t wire[1040] = {0, 0, 0, 0, 0x03, 0xF8, 0x41, 0x43, [19] = 1};
  const iwarp_mpa_layout at = iwarp_mpa_layout_of(0, 0x3F8, true);
  fixture_open_with(l, FIXTURE_M);
  memcpy(&wire[at.wire_len - 8], framing_send, 8);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, at.wire_len});
}

/* So does one of a Marker inside, of which so many octets do not come. */
static void markers_lacks_after_first(struct rules_fixture *l, size_t lacking) {
  uint8_t wire[700] = {0, 0, 0, 0, 0x02, 0x58, 0x41, 0x43, [19] = 1};
  const iwarp_mpa_layout at = iwarp_mpa_layout_of(0, 0x258, true);
  fixture_open_with(l, FIXTURE_M);
  framing_octets(l, wire, at.wire_len - lacking, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

static void markers_lacks_4(struct rules_fixture *l) {
  markers_lacks_after_first(l, 4);
}

static void markers_lacks_8(struct rules_fixture *l) {
  markers_lacks_after_first(l, 8);
}

/* A Send with a wrong CRC in a direction without Markers: four octets read as a Marker, and 512
 * octets after them it ends, or goes on. */
static void markers_like_one(struct rules_fixture *l, uint8_t reserved, size_t more) {
  static uint8_t payload[1040];
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 1000 + more);
  memset(payload, 0, sizeof(payload));
  payload[512 - 20 + 1] = reserved;
  payload[512 - 20 + 2] = 2;
  s.payload = payload;
  s.crc_flip = 1;
  fixture_open_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void markers_like_one_at_the_end(struct rules_fixture *l) {
  markers_like_one(l, 0, 0);
}

static void markers_like_one_not_the_next(struct rules_fixture *l) {
  markers_like_one(l, 0, 40);
}

static void markers_like_one_reserved(struct rules_fixture *l) {
  markers_like_one(l, 1, 0);
}

/* Without CRCs an octet of PAD is not zero. */
static void markers_like_one_pad(struct rules_fixture *l, unsigned at) {
  static uint8_t payload[601];
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, sizeof(payload));
  payload[512 - 20 + 2] = 2;
  s.payload = payload;
  s.pad[at] = 1;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void markers_like_one_pad_0(struct rules_fixture *l) {
  fixture_open(l);
  markers_like_one_pad(l, 0);
}

static void markers_like_one_pad_1(struct rules_fixture *l) {
  fixture_open(l);
  markers_like_one_pad(l, 1);
}

static void markers_like_one_pad_2(struct rules_fixture *l) {
  fixture_open(l);
  markers_like_one_pad(l, 2);
}

/* It is not known whether CRCs are in use. */
static void markers_like_one_pad_unsettled(struct rules_fixture *l) {
  fixture_open(l);
  l->info.crc = IWARP_TRISTATE_UNKNOWN;
  markers_like_one_pad(l, 0);
}

/* Four octets that read as a Marker in an FPDU that is cut tell nothing of what follows it. */
static void markers_like_one_cut(struct rules_fixture *l) {
  static uint8_t payload[600];
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, sizeof(payload));
  payload[512 - 20 + 2] = 2;
  s.payload = payload;
  s.cut = 560;
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

/* MO reads as the expected Marker; so would the four octets after it. */
static void markers_mo_and_payload(struct rules_fixture *l) {
  static const uint8_t payload[40] = {[3] = 16};
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 16, sizeof(payload));
  s.payload = payload;
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 432));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 16)));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* A Marker in the header of the first message of its queue, before RsvdULP. */
static void markers_marked_request(struct rules_fixture *l, uint8_t msn) {
  const uint8_t wire[52] = {0, 46, 0x41, 0x41, 0, 0, 0, 4,   0, 0, 0, 0,
                            0, 0,  0,    1,    0, 0, 0, msn, 0, 0, 0, 0};
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 484));
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

static void markers_marked_request_1(struct rules_fixture *l) {
  markers_marked_request(l, 1);
}

static void markers_marked_request_5(struct rules_fixture *l) {
  markers_marked_request(l, 5);
}

/* A Marker at QN, after a segment of another queue: the expected value is not known. */
static void markers_marked_unplaced(struct rules_fixture *l) {
  const uint8_t wire[28] = {0, 22, 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 8, [19] = 2};
  struct fixture_seg s = fixture_send(3);
  s.len = 40;
  s.ddp.qn = 1;
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 352));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

/* An FPDU with a right CRC in which four octets are no Marker: it shows the absence of Markers
 * where no startup frame did. */
static void markers_none_again(struct rules_fixture *l, uint32_t msn) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, msn, 0, 600);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x2A, .fpduptr = 0x4143};
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void markers_none_twice(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  markers_none_again(l, 2);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 3, 0, 600));
  markers_none_again(l, 4);
}

static void markers_none_after_first(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x2A, .fpduptr = 0x4143};
  s.crc_flip = 1;
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  markers_none_again(l, 2);
}

static void markers_none_after_unmarked(struct rules_fixture *l) {
  markers_unmarked_inside(l);
  markers_none_again(l, 3);
}

static void markers_unmarked_twice(struct rules_fixture *l) {
  markers_unmarked(l, 100);
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

static void markers_unmarked_gap(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].gap = true;
  markers_unmarked(l, 100);
}

/* ---- a Marker at another place ---- */

/* Sends of the Initiator up to this MSN; a Marker is expected so many octets after the next
 * ULPDU_Length. */
static void markers_before_marker(struct rules_fixture *l, uint32_t msn, size_t due) {
  size_t left = IWARP_MPA_MARKER_PERIOD - IWARP_MPA_MARKER_LEN - due;
  for (uint32_t i = 1; i < msn; i++, left -= 24) {
    fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, i, 0, 0));
  }
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, msn, 0, left - 24));
}

/* The next FPDU of the Initiator; its Marker stands `at` octets after ULPDU_Length, not `due`. */
static void markers_moved(struct rules_fixture *l, iwarp_span ulpdu, size_t due, size_t at,
                          uint8_t pointer) {
  const uint8_t marker[IWARP_MPA_MARKER_LEN] = {0, 0, 0, pointer};
  uint8_t wire[200];
  const iwarp_mpa_fpdu_desc d = {
      .ulpdu = ulpdu, .off = IWARP_MPA_MARKER_PERIOD - due, .markers = true};
  size_t len = 0;
  if (iwarp_mpa_fpdu_encode(wire, sizeof(wire), &len, &d) != IWARP_OK) {
    abort();
  }
  memmove(&wire[due], &wire[due + sizeof(marker)], len - due - sizeof(marker));
  memmove(&wire[at + sizeof(marker)], &wire[at], len - at - sizeof(marker));
  memcpy(&wire[at], marker, sizeof(marker));
  const uint32_t crc = iwarp_crc32c(0, wire, len - IWARP_MPA_CRC_LEN);
  for (size_t i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    wire[len - IWARP_MPA_CRC_LEN + i] = (uint8_t)(crc >> 8 * i);
  }
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, len});
}

static const uint8_t markers_second[60] = {0x41, 0x43, [13] = 2};

/* The second Send, and one more after it. */
static void markers_moved_send(struct rules_fixture *l, uint8_t flags, size_t due, size_t at,
                               uint8_t pointer) {
  fixture_open_with(l, FIXTURE_M | flags);
  markers_before_marker(l, 1, due);
  markers_moved(l, (iwarp_span){markers_second, sizeof(markers_second)}, due, at, pointer);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  framing_fin(l);
}

static void markers_moved_later(struct rules_fixture *l) {
  markers_moved_send(l, FIXTURE_C, 4, 8, 8);
}

static void markers_moved_far(struct rules_fixture *l) {
  markers_moved_send(l, FIXTURE_C, 4, 12, 12);
}

static void markers_moved_rsvdulp(struct rules_fixture *l) {
  markers_moved_send(l, FIXTURE_C, 8, 4, 4);
}

/* What is read as MSN has set the low bits of FPDUPTR. */
static void markers_moved_msn(struct rules_fixture *l) {
  markers_moved_send(l, FIXTURE_C, 16, 12, 12);
}

/* It points to the FPDU from its expected place. */
static void markers_moved_mo(struct rules_fixture *l) {
  markers_moved_send(l, FIXTURE_C, 20, 16, 20);
}

/* The Marker is right; MSN is not, and the payload begins with octets that read as the Marker. */
static void markers_copied(struct rules_fixture *l) {
  static const uint8_t ulpdu[60] = {0x41, 0x43, [13] = 9, [21] = 20};
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_before_marker(l, 1, 20);
  markers_moved(l, (iwarp_span){ulpdu, sizeof(ulpdu)}, 20, 20, 20);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(10));
}

static void markers_moved_payload(struct rules_fixture *l) {
  markers_moved_send(l, FIXTURE_C, 40, 44, 44);
}

static void markers_moved_no_crc(struct rules_fixture *l) {
  markers_moved_send(l, 0, 8, 4, 4);
}

/* Invalidate STag reads as a Marker, and the octets due as zero: nothing tells which is it. */
static void markers_moved_invalidate(struct rules_fixture *l) {
  uint8_t ulpdu[60] = {0x41, 0x44, 0, 0, 0, 8, [13] = 2};
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_before_marker(l, 1, 4);
  markers_moved(l, (iwarp_span){ulpdu, sizeof(ulpdu)}, 4, 4, 0);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

static void markers_moved_tagged(struct rules_fixture *l) {
  static const uint8_t ulpdu[60] = {0xC1, 0x40, 0, 0, 0, 7};
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_before_marker(l, 1, 8);
  markers_moved(l, (iwarp_span){ulpdu, sizeof(ulpdu)}, 8, 4, 4);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

/* The stream ends with four octets in place of a Marker between two FPDUs. */
static void markers_last_marker(struct rules_fixture *l, const uint8_t octets[4], iwarp_end end) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_before_marker(l, 1, 0);
  framing_octets(l, octets, IWARP_MPA_MARKER_LEN, IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_INITIATOR, end);
}

static void markers_last_zero(struct rules_fixture *l) {
  static const uint8_t octets[4] = {0};
  markers_last_marker(l, octets, IWARP_END_FIN);
}

static void markers_last_points(struct rules_fixture *l) {
  static const uint8_t octets[4] = {0, 0, 1, 0};
  markers_last_marker(l, octets, IWARP_END_FIN);
}

static void markers_last_points_reset(struct rules_fixture *l) {
  static const uint8_t octets[4] = {0, 0, 0, 8};
  markers_last_marker(l, octets, IWARP_END_RST);
}

/* The first word of an FPDU. */
static void markers_last_word(struct rules_fixture *l) {
  markers_last_marker(l, framing_send, IWARP_END_FIN);
}

/* Inside an RDMA Read Request: what it asks for is not known. */
static void markers_moved_request(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  uint8_t ulpdu[18 + IWARP_RDMAP_READ_REQ_LEN] = {0x41, 0x41, [9] = 1, [13] = 1};
  (void)fixture_read_request(octets, 1, 30);
  memcpy(&ulpdu[18], octets, sizeof(octets));
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_before_marker(l, 1, 32);
  markers_moved(l, (iwarp_span){ulpdu, sizeof(ulpdu)}, 32, 28, 28);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(30));
}

/* Its PAD is read from the Marker. */
static void markers_moved_pad(struct rules_fixture *l) {
  static const uint8_t ulpdu[44] = {0x41, 0x43, [13] = 2, [40] = 0x43};
  markers_before_marker(l, 1, 48);
  markers_moved(l, (iwarp_span){ulpdu, sizeof(ulpdu)}, 48, 44, 44);
  framing_fin(l);
}

static void markers_moved_pad_settled(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_moved_pad(l);
}

/* That there are Markers, and where, is known from the octets. */
static void markers_moved_pad_inferred(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].markers = IWARP_TRISTATE_ON;
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  markers_moved_pad(l);
}

static void markers_moved_inferred(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].markers = IWARP_TRISTATE_ON;
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  markers_before_marker(l, 1, 20);
  markers_moved(l, (iwarp_span){markers_second, sizeof(markers_second)}, 20, 16, 16);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

/* MSN 12 reads as the expected Marker, and the Marker after it as the MSN. */
static void markers_moved_alike(struct rules_fixture *l, bool gap) {
  static const uint8_t ulpdu[60] = {0x41, 0x43, [13] = 12};
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_before_marker(l, 11, 12);
  if (gap) {
    fixture_gap(l, FIXTURE_INITIATOR, 2 * IWARP_MPA_MARKER_PERIOD, IWARP_GAP_LOST);
  }
  markers_moved(l, (iwarp_span){ulpdu, sizeof(ulpdu)}, 12, 16, 16);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(13));
}

static void markers_moved_like_msn(struct rules_fixture *l) {
  markers_moved_alike(l, false);
}

static void markers_moved_like_msn_after_gap(struct rules_fixture *l) {
  markers_moved_alike(l, true);
}

/* An MSN that is wrong, and reads as a Marker; the Marker before it is right. */
static void markers_msn_like_marker(struct rules_fixture *l) {
  static const uint8_t ulpdu[60] = {0x41, 0x43, [13] = 16};
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_before_marker(l, 1, 12);
  markers_moved(l, (iwarp_span){ulpdu, sizeof(ulpdu)}, 12, 12, 12);
}

/* After it the sender goes on to count its Markers so. It puts the next one before the last word of
 * an FPDU whose read length ends at the expected place. */
static void markers_moved_then(struct rules_fixture *l, bool marker) {
  static const uint8_t ulpdu[442] = {0x41, 0x43, [13] = 3};
  uint8_t wire[sizeof(ulpdu) + 10];
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, sizeof(ulpdu)},
                                 .off = IWARP_MPA_MARKER_PERIOD + 68, /* 4 more than it is */
                                 .markers = marker};
  size_t len = 0;
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  markers_before_marker(l, 1, 8);
  markers_moved(l, (iwarp_span){markers_second, sizeof(markers_second)}, 8, 4, 4);
  if (iwarp_mpa_fpdu_encode(wire, sizeof(wire), &len, &d) != IWARP_OK) {
    abort();
  }
  wire[len - 1] = (uint8_t)(wire[len - 1] + !marker);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, len});
}

static void markers_moved_on(struct rules_fixture *l) {
  markers_moved_then(l, true);
}

static void markers_moved_once(struct rules_fixture *l) {
  markers_moved_then(l, false);
}

static void markers_marked(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 700));
}

/* The Marker stands between PAD and CRC. */
static void markers_marked_late(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 485));
}

const struct rules_case rules_cases_markers[] = {
    {"mpa.framing", FIXTURE_FAIL, 0, "length over the Markers", markers_counted_inside, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "length over the Markers but the leading one",
     markers_counted_led, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "length over the Markers, a bit of the CRC wrong",
     markers_counted_crc, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "length over the Markers, with a gap",
     markers_counted_gap, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "length over the Markers, no Reply",
     markers_counted_alone, NULL},
    {"mpa.marker-period", FIXTURE_PASS, 0, "inside", markers_marked, NULL},
    {"mpa.marker-period", FIXTURE_NEAR, 0, "before the CRC field", markers_marked_late, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none inside", markers_unmarked_inside, NULL},
    {"mpa.stream-end", FIXTURE_NEAR, 0, "after a Marker", markers_last_zero, NULL},
    {"mpa.marker-pointer", FIXTURE_FAIL, 0, "the last octets", markers_last_points, NULL},
    {"mpa.marker-pointer", FIXTURE_PASS, 0, "the last octets, RST", markers_last_points_reset,
     NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "after a word where a Marker is due", markers_last_word,
     NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "4 octets late at RsvdULP", markers_moved_later, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "8 octets late at RsvdULP", markers_moved_far, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "4 octets early at QN", markers_moved_rsvdulp, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "4 octets early at MO", markers_moved_msn, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "4 octets early after MO, its pointer as if there",
     markers_moved_mo, NULL},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "payload like the Marker before it", markers_copied,
     NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "4 octets late in zeros", markers_moved_payload, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "4 octets early at QN, no CRCs", markers_moved_no_crc,
     NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "4 octets early in a Write", markers_moved_tagged, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "4 octets early in a Read Request",
     markers_moved_request, NULL},
    {"mpa.marker-pointer", FIXTURE_FAIL, 0, "before an STag that reads as one",
     markers_moved_invalidate, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "4 octets early in the PAD", markers_moved_pad_settled,
     NULL},
    {"mpa.pad-zero", FIXTURE_SILENT, 0, "a Marker in it, Markers are a guess",
     markers_moved_pad_inferred, NULL},
    {"ddp.mo-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION,
     "a Marker in it, Markers are a guess", markers_moved_inferred, NULL},
    {"ddp.msn-sequence", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT, "MSN 12 like the Marker",
     markers_moved_like_msn, NULL},
    {"ddp.msn-sequence", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "MSN 12 like the Marker, a gap",
     markers_moved_like_msn_after_gap, NULL},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "an MSN like a Marker", markers_msn_like_marker, NULL},
    {"mpa.crc", FIXTURE_NEAR, 0, "a Marker at its end after one that stands elsewhere",
     markers_moved_on, "mpa.marker-period"},
    {"mpa.crc", FIXTURE_FAIL, 0, "after a Marker that stands elsewhere", markers_moved_once,
     "mpa.marker-period"},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none before one", markers_unmarked_front, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "the rest says nothing", markers_unmarked_twice, NULL},
    {"mpa.marker-period", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap",
     markers_unmarked_gap, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none in the last one", markers_unmarked_last, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none in the last one, RST", markers_unmarked_last_reset,
     NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "zeros in its place, CRC", markers_unmarked_last_zeros,
     NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "zeros in its place, FIN", markers_unmarked_last_length,
     NULL},
    {"mpa.marker-period", FIXTURE_NEAR, 0, "zeros in its place, the capture ends",
     markers_unmarked_last_open, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "zeros in place of a Marker, and cut",
     markers_unmarked_last_cut, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none, no CRCs, others follow", markers_unmarked_chain,
     NULL},
    {"mpa.marker-period", FIXTURE_NEAR, 0, "zeros in three places, no CRCs",
     markers_unmarked_no_queue, "mpa.marker-pointer"},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none before one, no CRCs",
     markers_unmarked_front_no_crc, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none before one, octets after it",
     markers_unmarked_then, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none in the header of 261 octets",
     markers_none_in_header_261, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none in the header of 510 octets",
     markers_none_in_header_510, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none in the header of 32517 octets",
     markers_none_in_header_32517, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none in the header of the last one",
     markers_none_in_header_40, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "in a header, where a Marker is none",
     markers_none_in_header_15, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "and a wrong Marker", markers_pointer_and_crc, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "two halfway, no CRCs", markers_two_halfway, NULL},
    {"mpa.marker-period", FIXTURE_NEAR, 0, "one halfway, no CRCs", markers_one_halfway, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "one halfway and a wrong PAD", markers_one_halfway_pad,
     NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "the second of two alone", markers_second_alone, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "the first of two alone", markers_first_alone, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too large by 4, Markers right", markers_both_too_long,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too large by 8, a Marker left out",
     markers_second_too_long, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "no PAD, a Marker left out", markers_second_no_pad, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "one of three is left out, no CRCs", markers_left_out_1,
     NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "three are left out, no CRCs", markers_left_out_3, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "two are left out after the first, no CRCs",
     markers_left_out_after_first, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "four octets are missing after the first, no CRCs",
     markers_lacks_4, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "eight octets are missing after a Marker", markers_lacks_8,
     NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "512 octets before the end",
     markers_like_one_at_the_end, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "octets like one Marker of two", markers_like_one_not_the_next,
     NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "octets like a Marker, but for its first half",
     markers_like_one_reserved, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "inside, the first octet of PAD",
     markers_like_one_pad_0, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "inside, the second octet of PAD",
     markers_like_one_pad_1, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "inside, the third octet of PAD",
     markers_like_one_pad_2, NULL},
    {"mpa.pad-zero", FIXTURE_FAIL, 0, "octets like a Marker", markers_like_one_pad_unsettled, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "noise after one that is cut, octets like a Marker in it",
     markers_like_one_cut, NULL},
    {"mpa.marker-unasked", FIXTURE_NEAR, 0, "an MO like one", markers_mo_and_payload, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "in the first Read Request", markers_marked_request_1,
     NULL},
    {"rdmap.invalidate-stag", FIXTURE_FAIL, 0, "like a Marker in a Read Request",
     markers_marked_request_5, "rdmap.queue-number"},
    {"mpa.marker-unasked", FIXTURE_NEAR, 0, "at QN, what is due is not known",
     markers_marked_unplaced, "rdmap.queue-number"},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "said once", markers_none_twice, NULL},
    {"mpa.marker-first", FIXTURE_FAIL, 0, "none, and none later", markers_none_after_first, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "none inside, and none later",
     markers_none_after_unmarked, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "inside one", markers_marked_unasked_crc, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "inside, no CRCs", markers_marked_unasked_pad, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "at RsvdULP", markers_marked_rsvdulp, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "at QN", markers_marked_qn, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "at MSN", markers_marked_msn, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "at MO", markers_marked_mo, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "at QN of an empty one", markers_marked_empty, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "at an MO past 2^24", markers_marked_mo_far, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "at the CRC field", markers_marked_crc_field, NULL},
    {"ddp.mo-first", FIXTURE_FAIL, 0, "like a Marker", markers_mo_like_marker, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "a Marker inside, not due", markers_marked_unasked_chain,
     NULL},
    {"mpa.marker-unasked", FIXTURE_NEAR, 0, "payload like one inside", markers_marked_payload,
     NULL},
};

const size_t rules_cases_markers_num = sizeof(rules_cases_markers) / sizeof(rules_cases_markers[0]);
