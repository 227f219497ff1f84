/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on FPDUs. */

#include <iwarp/crc32c.h>
#include <string.h>

#include "rules_cases.h"

void fpdu_plain(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

/* ---- CRC ---- */

static void fpdu_crc(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
}

static void fpdu_crc_flip(struct rules_fixture *l, struct fixture_seg s) {
  s.crc_flip = 1;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_crc_bad(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fpdu_crc_flip(l, fixture_send(2));
}

static void fpdu_crc_damaged(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  l->damaged = true;
  fpdu_crc_flip(l, fixture_send(2));
}

/* What stands in an FPDU with a wrong CRC is judged no further. */
static void fpdu_crc_bad_garbage(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(77);
  s.ddp.rsvd = 15;
  s.ddp.dv = 0;
  s.pad[0] = 1;
  fixture_begin_with(l, FIXTURE_C);
  fpdu_crc_flip(l, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

static void fpdu_crc_bad_twice(struct rules_fixture *l) {
  fpdu_crc_bad(l);
  fpdu_crc_flip(l, fixture_send(3));
}

static void fpdu_crc_off_garbage(struct rules_fixture *l) {
  fixture_begin(l);
  fpdu_crc_flip(l, fixture_send(2));
}

/* Nothing says that CRCs are in use; the FPDU, its PAD wrong, was found by its CRC. */
static void fpdu_found_by_crc(struct rules_fixture *l, uint64_t run) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 5);
  fixture_begin_with(l, FIXTURE_C);
  l->info.crc_by = IWARP_KNOWN_BY_DATA;
  s.pad[0] = 1;
  s.sync = IWARP_SYNC_CRC;
  s.good_run = run;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_found_alone(struct rules_fixture *l) {
  fpdu_found_by_crc(l, 32);
}

static void fpdu_found_second(struct rules_fixture *l) {
  fpdu_found_by_crc(l, 33);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* One finding more than may wait for what follows, which is lost: that is not for want of memory.
 */
static void fpdu_found_many(struct rules_fixture *l) {
  fpdu_found_by_crc(l, 33);
  for (uint32_t msn = 3; msn < 19; msn++) {
    struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, msn, 0, 5);
    s.pad[0] = 1;
    s.sync = IWARP_SYNC_CRC;
    s.good_run = 33 * msn;
    fixture_fpdu(l, FIXTURE_INITIATOR, s);
  }
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
}

static void fpdu_crc_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_write();
  s.cut = 40;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_crc_inferred(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  l->info.crc_by = IWARP_KNOWN_BY_DATA;
  fpdu_crc_flip(l, fixture_send(2));
}

static void fpdu_crc_markers(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  fpdu_crc_flip(l, fixture_send(2));
}

static void fpdu_crc_marker_start(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.sync = IWARP_SYNC_MARKER;
  fixture_begin_with(l, FIXTURE_C);
  fpdu_crc_flip(l, s);
}

/* The FPDU with a wrong CRC stands after so many octets of good ones that a search led to. */
static void fpdu_crc_found(struct rules_fixture *l, uint64_t good_run) {
  struct fixture_seg s = fixture_send(2);
  s.sync = IWARP_SYNC_CRC;
  s.good_run = good_run;
  fixture_begin_with(l, FIXTURE_C);
  fpdu_crc_flip(l, s);
}

static void fpdu_crc_found_now(struct rules_fixture *l) {
  fpdu_crc_found(l, IWARP_MPA_FPDU_WIRE_MAX - 1u);
}

static void fpdu_crc_found_long_ago(struct rules_fixture *l) {
  fpdu_crc_found(l, IWARP_MPA_FPDU_WIRE_MAX);
}

/* ---- PAD and length ---- */

static void fpdu_pad(struct rules_fixture *l, size_t len, uint8_t at) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, len);
  s.pad[at] = 0x40;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_pad_bad(struct rules_fixture *l) {
  fpdu_pad(l, 1, 2);
}

static void fpdu_pad_damaged(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 3);
  s.pad[0] = 1;
  fixture_begin(l);
  l->damaged = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_pad_bad_crc(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 3);
  s.pad[0] = 1;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_pad_none(struct rules_fixture *l) {
  fpdu_pad(l, 0, 0); /* 18 octets need no PAD */
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 3, 0, 1));
}

static void fpdu_pad_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 1);
  s.cut = 20;
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 1, IWARP_GAP_SNAPLEN);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_length(struct rules_fixture *l, size_t ulpdu_len) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, ulpdu_len - IWARP_DDP_TAGGED_LEN));
}

static void fpdu_length_limit(struct rules_fixture *l) {
  fpdu_length(l, 64768);
}

static void fpdu_length_above(struct rules_fixture *l) {
  fpdu_length(l, 64769);
}

static void fpdu_short(struct rules_fixture *l, struct fixture_seg s, size_t ulpdu_len) {
  s.short_ulpdu = true;
  s.ulpdu_len = ulpdu_len;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(9)); /* nothing rests on what follows */
}

static void fpdu_length_zero(struct rules_fixture *l) {
  fpdu_short(l, fixture_send(2), 0);
}

static void fpdu_header_13(struct rules_fixture *l) {
  fpdu_short(l, fixture_write(), 13);
}

static void fpdu_header_17(struct rules_fixture *l) {
  fpdu_short(l, fixture_send(2), 17);
}

static void fpdu_header_14(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 0));
}

static void fpdu_header_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.cut = 12;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_header_14_untagged(struct rules_fixture *l) {
  fpdu_short(l, fixture_send(2), 14);
}

/* They may be some of the octets that lack in an FPDU before them. */
static void fpdu_length_zero_alone(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.short_ulpdu = true;
  s.cut = 2;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* ---- Markers ---- */

static void fpdu_markers(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_M);
  for (uint32_t msn = 2; msn < 12; msn++) {
    fixture_fpdu(l, FIXTURE_INITIATOR,
                 fixture_untagged(IWARP_RDMAP_OP_SEND, msn, 0, 500 + 13 * msn));
  }
}

/* The Responder's first FPDU has its first octet at stream offset 0, where a Marker stands. */
static void fpdu_marker(struct rules_fixture *l, size_t marker, iwarp_mpa_marker is) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 2000);
  s.marker = marker;
  s.marker_is = is;
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static uint16_t fpdu_due(struct rules_fixture *l, size_t marker) {
  const uint64_t off = l->next[FIXTURE_INITIATOR] - l->info.side[FIXTURE_INITIATOR].full_pos;
  const iwarp_mpa_layout at = iwarp_mpa_layout_of(off, 2018, true);
  return (uint16_t)(at.first_marker - at.lead + 512u * (marker - 1));
}

static void fpdu_marker_wrong(struct rules_fixture *l, iwarp_mpa_marker add) {
  struct rules_fixture other;
  fixture_init(&other);
  fixture_begin_with(&other, FIXTURE_M | FIXTURE_C);
  const uint16_t due = fpdu_due(&other, 2);
  fixture_free(&other);
  fpdu_marker(
      l, 2, (iwarp_mpa_marker){.reserved = add.reserved, .fpduptr = (uint16_t)(due + add.fpduptr)});
}

static void fpdu_marker_right(struct rules_fixture *l) {
  fpdu_marker_wrong(l, (iwarp_mpa_marker){0});
}

static void fpdu_marker_reserved(struct rules_fixture *l) {
  fpdu_marker_wrong(l, (iwarp_mpa_marker){.reserved = 1});
}

static void fpdu_marker_pointer(struct rules_fixture *l) {
  fpdu_marker_wrong(l, (iwarp_mpa_marker){.fpduptr = 4});
}

static void fpdu_marker_low(struct rules_fixture *l) {
  fpdu_marker_wrong(l, (iwarp_mpa_marker){.fpduptr = 3});
}

static void fpdu_marker_inferred(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 2000));
}

static void fpdu_markers_longest(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, IWARP_MPA_ULPDU_MAX - 14));
}

/* Nor is a Marker judged, whose expected pointer does not fit in its field. */
static void fpdu_markers_too_long(struct rules_fixture *l) {
  struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, IWARP_MPA_ULPDU_MAX - 13);
  s.marker = 2;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x6162, .fpduptr = 0x6363};
  fixture_open_with(l, FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].markers = IWARP_TRISTATE_ON;
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_CALLER;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* All that was captured of the first FPDU. */
static void fpdu_marker_first_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.cut = IWARP_MPA_MARKER_LEN;
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* A word of the payload may have been taken for the Marker, and a Marker for a word. */
static void fpdu_marker_found(struct rules_fixture *l, size_t first) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 600);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.fpduptr = 4};
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  l->no_start = true;
  if (first != 0) {
    fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, first));
  } else {
    l->next[FIXTURE_INITIATOR] += 100;
  }
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_marker_found_alone(struct rules_fixture *l) {
  fpdu_marker_found(l, 0);
}

static void fpdu_marker_found_leading(struct rules_fixture *l) {
  fpdu_marker_found(l, 400);
}

static void fpdu_crc_marker_found(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  l->no_start = true;
  l->next[FIXTURE_INITIATOR] += 100;
  fpdu_crc_flip(l, s);
}

/* A Send whose PAD is not zero, 100 octets after the place of a Marker, as the first octets
 * captured; then one with the next Marker inside it, or not, and the end. */
static void fpdu_pad_found(struct rules_fixture *l, size_t second) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 41);
  iwarp_observer_side *own = &l->info.side[FIXTURE_INITIATOR];
  s.pad[0] = 1;
  s.sync = IWARP_SYNC_CRC;
  s.good_run = 200;
  l->info.crc = own->markers = IWARP_TRISTATE_ON;
  l->info.crc_by = own->markers_by = IWARP_KNOWN_BY_DATA;
  l->no_start = true;
  own->start_known = false;
  own->full_pos = l->next[FIXTURE_INITIATOR] - 100;
  own->start = l->next[FIXTURE_INITIATOR];
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, second);
  s.sync = IWARP_SYNC_CRC;
  s.good_run = 600;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void fpdu_pad_found_marked(struct rules_fixture *l) {
  fpdu_pad_found(l, 400);
}

static void fpdu_pad_found_unmarked(struct rules_fixture *l) {
  fpdu_pad_found(l, 100);
}

static void fpdu_marker_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 2000);
  s.cut = 100;
  fixture_begin_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_no_marker(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x2A, .fpduptr = 0x4143};
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(9));
}

static void fpdu_no_marker_crc(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x2A, .fpduptr = 0x4143};
  s.crc_flip = 1;
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* A Marker with a wrong pointer after four octets that should be a Marker, which is reported. */
static void fpdu_marker_after_none(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 600);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x2A, .fpduptr = 0x4143};
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s = fixture_untagged(IWARP_RDMAP_OP_SEND, 3, 0, 600);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.fpduptr = 4};
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_marker_bad(struct rules_fixture *l, iwarp_mpa_marker is) {
  struct fixture_seg s = fixture_send(1);
  s.marker = 1;
  s.marker_is = is;
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_first_marker_reserved(struct rules_fixture *l) {
  fpdu_marker_bad(l, (iwarp_mpa_marker){.reserved = 0x100});
}

static void fpdu_first_marker_reserved_low(struct rules_fixture *l) {
  fpdu_marker_bad(l, (iwarp_mpa_marker){.reserved = 0x40});
}

/* A Write of version 0 of RDMAP, whose control octet is zero, stands in place of the Marker. */
static void fpdu_no_marker_version_0(struct rules_fixture *l) {
  fpdu_marker_bad(l, (iwarp_mpa_marker){.reserved = 0x40, .fpduptr = 0xC100});
}

static void fpdu_first_marker_low(struct rules_fixture *l) {
  fpdu_marker_bad(l, (iwarp_mpa_marker){.fpduptr = 3});
}

/* An empty FPDU whose CRC field holds `word`: four octets, and then a Marker or what else? */
static void fpdu_empty_first(struct rules_fixture *l, uint8_t flags, const uint8_t word[4]) {
  struct fixture_seg s = {.short_ulpdu = true};
  fixture_open_with(l, flags);
  s.crc_flip = (uint32_t)word[3] << 24 | (uint32_t)word[2] << 16 | (uint32_t)word[1] << 8 | word[0];
  l->crc_is = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->crc_is = false;
}

static const uint8_t fpdu_send_word[4] = {0x00, 0x30, 0x41, 0x43};

static void fpdu_unasked(struct rules_fixture *l) {
  fpdu_empty_first(l, 0, fpdu_send_word);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(77));
}

/* Before one that is not the first, where Markers would stand 512 octets after it. */
static void fpdu_unasked_later(struct rules_fixture *l) {
  static const uint8_t octets[8] = {0, 0, 0, 0, 0x00, 0x30, 0x41, 0x43};
  fixture_open_with(l, 0);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 488));
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){octets, sizeof(octets)});
}

/* Where the FPDU after it begins is no longer certain. */
static void fpdu_unasked_then(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.ddp.rsvd = 1;
  fpdu_empty_first(l, 0, fpdu_send_word);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* Nor is where one begins after that. */
static void fpdu_unasked_then_more(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.rsvd = 1;
  fpdu_unasked_then(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_unasked_inferred(struct rules_fixture *l) {
  fixture_open(l);
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void fpdu_unasked_crc(struct rules_fixture *l) {
  fpdu_empty_first(l, FIXTURE_C, fpdu_send_word);
}

/* The Responder has the FPDU before which the Marker stands. */
static void fpdu_unasked_answered(struct rules_fixture *l) {
  fpdu_unasked_crc(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

static void fpdu_unasked_write(struct rules_fixture *l) {
  static const uint8_t word[4] = {0x00, 0x30, 0xC1, 0x40};
  fpdu_empty_first(l, 0, word);
}

/* The same in an FPDU that is cut, or of damaged octets, or whose PAD is not zero. */
static void fpdu_empty_is(struct rules_fixture *l, size_t cut, uint8_t pad0, uint8_t pad1) {
  struct fixture_seg s = {.short_ulpdu = true, .cut = cut, .pad = {pad0, pad1}};
  fixture_open(l);
  s.crc_flip = 0x43413000; /* 00 30 41 43 on the wire */
  l->crc_is = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->crc_is = false;
}

static void fpdu_empty_cut(struct rules_fixture *l) {
  fpdu_empty_is(l, 6, 0, 0);
}

static void fpdu_empty_damaged(struct rules_fixture *l) {
  fixture_open(l);
  l->damaged = true;
  struct fixture_seg s = {.short_ulpdu = true, .crc_flip = 0x43413000};
  l->crc_is = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->crc_is = false;
}

static void fpdu_empty_pad_0(struct rules_fixture *l) {
  fpdu_empty_is(l, 0, 1, 0);
}

static void fpdu_empty_pad_1(struct rules_fixture *l) {
  fpdu_empty_is(l, 0, 0, 4);
}

/* The STag of a Write is like the first octets of a Send. */
static void fpdu_write_like_send(struct rules_fixture *l) {
  fixture_open(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 0x00304143, 0, 40));
}

static void fpdu_empty_bad_crc(struct rules_fixture *l) {
  static const uint8_t word[4] = {0x00, 0x30, 0x41, 0x53}; /* reserved bits: no control octets */
  fpdu_empty_first(l, FIXTURE_C, word);
}

static void fpdu_empty_reserved(struct rules_fixture *l) {
  static const uint8_t word[4] = {0x00, 0x30, 0x45, 0x43}; /* of DDP */
  fpdu_empty_first(l, FIXTURE_C, word);
}

static void fpdu_empty_crc_off(struct rules_fixture *l) {
  static const uint8_t word[4] = {0};
  fpdu_empty_first(l, 0, word);
}

/* ---- octets that are too many, or too few ---- */

/* After a Send one of `len` octets, which a right CRC ends, and which is not as long as its
 * ULPDU_Length says: `more`; others follow. */
static void fpdu_ends_wire(struct rules_fixture *l, size_t len, uint8_t more) {
  uint8_t wire[200] = {0, (uint8_t)(len - 6 + more), 0x41, 0x43, [15] = 2};
  const uint32_t crc = iwarp_crc32c(0, wire, len - IWARP_MPA_CRC_LEN);
  for (size_t i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    wire[len - IWARP_MPA_CRC_LEN + i] = (uint8_t)(crc >> 8 * i);
  }
  memset(&wire[len], 0x41, sizeof(wire) - len);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

static void fpdu_ends_before(struct rules_fixture *l, uint8_t flags, size_t len, uint8_t more) {
  fixture_begin_with(l, flags);
  fpdu_ends_wire(l, len, more);
}

static void fpdu_ends_4_before(struct rules_fixture *l) {
  fpdu_ends_before(l, FIXTURE_C, 60, 4);
  fixture_undecodable(l, FIXTURE_INITIATOR, 40, IWARP_UNDEC_NO_BOUNDARY);
}

static void fpdu_ends_16_before(struct rules_fixture *l) {
  fpdu_ends_before(l, FIXTURE_C, 60, 16);
}

static void fpdu_ends_20_before(struct rules_fixture *l) {
  fpdu_ends_before(l, FIXTURE_C, 60, 20);
}

static void fpdu_ends_unchecked(struct rules_fixture *l) {
  fpdu_ends_before(l, 0, 60, 4);
}

/* Its PAD of two octets is left out. */
static void fpdu_ends_unpadded(struct rules_fixture *l) {
  fpdu_ends_before(l, FIXTURE_C, 58, 0);
}

/* Octets of the side are missing. */
static void fpdu_ends_gap(struct rules_fixture *l) {
  l->info.side[FIXTURE_INITIATOR].gap = true;
  fpdu_ends_before(l, FIXTURE_C, 60, 4);
}

/* The octets may be others in the copy that the peer took. */
static void fpdu_ends_damaged(struct rules_fixture *l) {
  uint8_t wire[200] = {0, 58, 0x41, 0x43, [15] = 2};
  const uint32_t crc = iwarp_crc32c(0, wire, 56);
  for (size_t i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    wire[56 + i] = (uint8_t)(crc >> 8 * i);
  }
  fixture_begin_with(l, FIXTURE_C);
  l->damaged = true;
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

/* One direction, and a wrong CRC in an FPDU after right ones of so many octets each. */
static void fpdu_crc_alone(struct rules_fixture *l, uint8_t flags, size_t len,
                           struct fixture_seg last) {
  fixture_open_with(l, flags);
  l->info.side[FIXTURE_RESPONDER].has_startup = false;
  l->info.side[FIXTURE_INITIATOR].markers =
      (flags & FIXTURE_M) != 0 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  for (uint32_t msn = 1; msn < 3; msn++) {
    fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, msn, 0, len));
  }
  fpdu_crc_flip(l, last);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(4));
}

static void fpdu_crc_alone_past(struct rules_fixture *l) {
  fpdu_crc_alone(l, FIXTURE_C, 260, fixture_send(3));
}

/* The first FPDU alone shows that there are no Markers. */
static void fpdu_crc_alone_soon(struct rules_fixture *l) {
  fpdu_crc_alone(l, FIXTURE_C, 8, fixture_send(3));
}

/* The place of a Marker is the first octet of the FPDU. */
static void fpdu_crc_alone_at(struct rules_fixture *l) {
  fpdu_crc_alone(l, FIXTURE_C, 232, fixture_send(3));
}

static void fpdu_crc_alone_marked(struct rules_fixture *l) {
  fpdu_crc_alone(l, FIXTURE_M | FIXTURE_C, 260, fixture_send(3));
}

/* What stands in it reads as a Marker. */
static void fpdu_crc_alone_extra(struct rules_fixture *l) {
  static uint8_t octets[900];
  octets[428 + 2] = 1;
  octets[428 + 3] = 0xc0;
  fpdu_crc_alone(l, FIXTURE_C, 264,
                 fixture_with(fixture_untagged(IWARP_RDMAP_OP_SEND, 3, 0, 0), octets, 500));
}

/* A right CRC ends it 4 octets before. */
static void fpdu_ends_alone(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_C);
  l->info.side[FIXTURE_RESPONDER].has_startup = false;
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 600));
  fpdu_ends_wire(l, 60, 4);
}

/*
 * An FPDU of a Send, in whose payload another one begins, and after that a second one of `last`
 * octets. Its PAD, if it has any, and the octets before the place of a Marker are `fill`.
 */
static void fpdu_covers(struct rules_fixture *l, uint8_t length, uint8_t last, uint8_t fill) {
  uint8_t wire[200] = {0, length, 0x41, 0x43, [15] = 2};
  static const uint8_t send[4] = {0, 26, 0x41, 0x43};
  memset(&wire[94], fill, 2);
  memcpy(&wire[28], send, sizeof(send));
  memcpy(&wire[60], send, sizeof(send));
  wire[61] = last - 6;
  wire[87] = 24; /* as a Marker of the second one */
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
}

static void fpdu_noise(struct rules_fixture *l) {
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

static void fpdu_covers_then_noise(struct rules_fixture *l, uint8_t length, uint8_t last,
                                   uint8_t fill) {
  fpdu_covers(l, length, last, fill);
  fpdu_noise(l);
}

/* A Send with two in its payload, of which the second, 32 octets after the first, goes on past it.
 */
static struct fixture_seg fpdu_covering(uint8_t *payload, size_t first, size_t len) {
  static const uint8_t sends[36] = {0, 26, 0x41, 0x43, [32] = 0, 122, 0x41, 0x43};
  memcpy(payload + first, sends, sizeof(sends));
  return fixture_with(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 0), payload, len);
}

/* A Marker stands before it, and another one 512 octets after that. */
static void fpdu_covers_others_from(struct rules_fixture *l, size_t first) {
  uint8_t payload[540] = {0};
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 484));
  fixture_fpdu(l, FIXTURE_INITIATOR, fpdu_covering(payload, first, sizeof(payload)));
  fpdu_noise(l);
}

static void fpdu_covers_others_led(struct rules_fixture *l) {
  fpdu_covers_others_from(l, 456);
}

static void fpdu_covers_others_early(struct rules_fixture *l) {
  fpdu_covers_others_from(l, 440);
}

static void fpdu_covers_others_late(struct rules_fixture *l) {
  fpdu_covers_others_from(l, 460);
}

static void fpdu_covers_others_cut(struct rules_fixture *l) {
  uint8_t payload[76] = {0};
  struct fixture_seg s = fpdu_covering(payload, 8, sizeof(payload));
  s.cut = 92;
  fixture_begin_with(l, 0);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fpdu_noise(l);
}

/* A right CRC tells where it ends. */
static void fpdu_covers_crc(struct rules_fixture *l) {
  uint8_t payload[74] = {0};
  struct fixture_seg s = fpdu_covering(payload, 8, sizeof(payload));
  s.pad[0] = 1;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* What looks like an FPDU begins after an odd number of octets, and after none. */
static void fpdu_covers_odd(struct rules_fixture *l) {
  uint8_t payload[74] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 122, 0x41, 0x43};
  struct fixture_seg s =
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 0), payload, sizeof(payload));
  s.pad[0] = 1;
  fixture_begin_with(l, 0);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_covers_others(struct rules_fixture *l) {
  fixture_begin_with(l, 0);
  fpdu_covers_then_noise(l, 94, 64, 0);
}

static void fpdu_covers_others_in_one(struct rules_fixture *l) {
  fixture_begin_with(l, 0);
  l->in_one = true;
  fpdu_covers_then_noise(l, 94, 64, 0);
}

static void fpdu_covers_others_in_one_pad(struct rules_fixture *l) {
  fixture_begin_with(l, 0);
  l->in_one = true;
  fpdu_covers_then_noise(l, 92, 44, 0x41);
}

static void fpdu_covers_others_marked(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 400));
  fpdu_covers_then_noise(l, 94, 64, 0);
}

/* The FPDUs are payload: the next one begins where it says. */
static void fpdu_covers_payload(struct rules_fixture *l) {
  fixture_begin_with(l, 0);
  fpdu_covers(l, 94, 64, 0);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* They end with it. */
static void fpdu_covers_whole(struct rules_fixture *l) {
  fixture_begin_with(l, 0);
  fpdu_covers(l, 92, 40, 0x41);
}

/* Of so many octets too much, without CRCs: `word` are its last ones, or, with `before`, those
 * before the last four. They are the first ones of the next FPDU, or not. */
static void fpdu_takes_put(struct rules_fixture *l, struct fixture_seg s, uint32_t word,
                           bool before) {
  uint8_t payload[48] = {0};
  fixture_begin_with(l, 0);
  s.payload = payload;
  for (size_t i = 0; i < sizeof(word); i++) {
    payload[s.len - sizeof(word) + i] = before ? (uint8_t)(word >> 8 * i) : 0;
  }
  l->crc_is = true;
  s.crc_flip = before ? 0 : word;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void fpdu_takes(struct rules_fixture *l, struct fixture_seg s, uint32_t word, bool before) {
  static const uint8_t head[40] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};
  fpdu_takes_put(l, s, word, before);
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){head, sizeof(head)}, sizeof(head),
              IWARP_UNDEC_NO_BOUNDARY);
}

#define FPDU_WORD 0x43413000u  /* the first octets of a Send, as a CRC field holds them */
#define FPDU_OTHER 0x43423000u /* of version 2 */

static void fpdu_takes_read(struct rules_fixture *l) {
  fpdu_takes(l, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 32), FPDU_WORD, false);
}

static void fpdu_takes_read_before(struct rules_fixture *l) {
  fpdu_takes(l, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 36), FPDU_WORD, true);
}

static void fpdu_takes_read_other(struct rules_fixture *l) {
  fpdu_takes(l, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 32), FPDU_OTHER, false);
}

/* The last of those octets is PAD, and an FPDU follows where one is expected. */
static void fpdu_takes_with_pad(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 39);
  s.pad[0] = (uint8_t)(FPDU_WORD >> 24);
  fpdu_takes_put(l, s, FPDU_WORD << 8, true);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 3, 0, 8));
}

static void fpdu_takes_immediate(struct rules_fixture *l) {
  fpdu_takes(l, fixture_untagged(IWARP_RDMAP_OP_IMMEDIATE, 2, 0, 12), FPDU_WORD, false);
}

/* Four octets of zeros, and right after them what begins an FPDU, or does not. */
static void fpdu_zeros_then(struct rules_fixture *l, uint8_t flags, uint8_t length,
                            uint8_t control) {
  const uint8_t wire[8] = {[4] = length, [5] = 0x30, [6] = control, [7] = 0x43};
  fixture_begin_with(l, flags);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, sizeof(wire)});
  fixture_undecodable(l, FIXTURE_INITIATOR, 48, IWARP_UNDEC_NO_BOUNDARY);
}

static void fpdu_zeros(struct rules_fixture *l, uint8_t flags, uint8_t control) {
  fpdu_zeros_then(l, flags, 0, control);
}

static void fpdu_zeros_before_long(struct rules_fixture *l) {
  fpdu_zeros_then(l, FIXTURE_C, 2, 0x41);
}

static void fpdu_zeros_before(struct rules_fixture *l) {
  fpdu_zeros(l, FIXTURE_C, 0x41);
}

static void fpdu_zeros_before_unchecked(struct rules_fixture *l) {
  fpdu_zeros(l, 0, 0x41);
}

static void fpdu_zeros_alone(struct rules_fixture *l) {
  fpdu_zeros(l, FIXTURE_C, 0x45);
}

/* The octets of FPDUPTR are exchanged, which leaves no bit of it as it should be. */
static void fpdu_marker_exchanged(struct rules_fixture *l) {
  struct rules_fixture other;
  fixture_init(&other);
  fixture_begin_with(&other, FIXTURE_M | FIXTURE_C);
  const uint16_t due = fpdu_due(&other, 2);
  fixture_free(&other);
  fpdu_marker(l, 2, (iwarp_mpa_marker){.fpduptr = (uint16_t)((due ^ 8u) | 1u)});
}

const struct rules_case rules_cases_fpdu[] = {
    {"mpa.crc", FIXTURE_PASS, 0, "right", fpdu_crc, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "one bit", fpdu_crc_bad, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "nothing else is judged", fpdu_crc_bad_garbage, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "the next rests on nothing", fpdu_crc_bad_twice, NULL},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", fpdu_crc_cut, NULL},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged", fpdu_crc_damaged,
     NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "Markers inferred", fpdu_crc_markers, NULL},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_CRC_UNKNOWN, "only inferred", fpdu_crc_inferred,
     NULL},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "start by a Marker", fpdu_crc_marker_start,
     NULL},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "start just found", fpdu_crc_found_now,
     NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "start found long ago", fpdu_crc_found_long_ago, NULL},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "Markers found",
     fpdu_crc_marker_found, NULL},
    {"mpa.pad-zero", FIXTURE_PASS, 0, "zero", fpdu_plain, NULL},
    {"mpa.pad-zero", FIXTURE_NEAR, 0, "none", fpdu_pad_none, NULL},
    {"mpa.pad-zero", FIXTURE_NEAR, 0, "CRC field of any value", fpdu_crc_off_garbage, NULL},
    {"mpa.pad-zero", FIXTURE_FAIL, 0, "the last of three", fpdu_pad_bad, NULL},
    {"mpa.pad-zero", FIXTURE_FAIL, 0, "under a right CRC", fpdu_pad_bad_crc, NULL},
    {"mpa.pad-zero", FIXTURE_INCONCLUSIVE, IWARP_REASON_CRC_UNKNOWN, "one right CRC",
     fpdu_found_alone, NULL},
    {"mpa.pad-zero", FIXTURE_FAIL, 0, "two right CRCs", fpdu_found_second, NULL},
    {"mpa.pad-zero", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "17 that may be payload",
     fpdu_found_many, NULL},
    {"mpa.pad-zero", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", fpdu_pad_cut, NULL},
    {"mpa.pad-zero", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged", fpdu_pad_damaged,
     NULL},
    {"mpa.ulpdu-length-max", FIXTURE_PASS, 0, "short", fpdu_plain, NULL},
    {"mpa.ulpdu-length-max", FIXTURE_NEAR, 0, "64768", fpdu_length_limit, NULL},
    {"mpa.ulpdu-length-max", FIXTURE_FAIL, 0, "64769, a Marker displaced", fpdu_markers_too_long,
     NULL},
    {"mpa.ulpdu-length-max", FIXTURE_FAIL, 0, "64769", fpdu_length_above, NULL},
    {"mpa.ulpdu-length-zero", FIXTURE_PASS, 0, "48", fpdu_plain, NULL},
    {"mpa.ulpdu-length-zero", FIXTURE_NEAR, 0, "14 and 18", fpdu_header_14, NULL},
    {"mpa.ulpdu-length-zero", FIXTURE_FAIL, 0, "0", fpdu_length_zero, NULL},
    {"mpa.marker-unasked", FIXTURE_PASS, 0, "none", fpdu_plain, NULL},
    {"mpa.marker-unasked", FIXTURE_NEAR, 0, "none, with CRC", fpdu_crc, NULL},
    {"mpa.marker-unasked", FIXTURE_SILENT, 0, "empty FPDU", fpdu_empty_bad_crc, "mpa.crc"},
    {"mpa.ulpdu-length-zero", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut in the word after it",
     fpdu_empty_cut, NULL},
    {"mpa.ulpdu-length-zero", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "damaged, a word after it", fpdu_empty_damaged, NULL},
    {"mpa.ulpdu-length-zero", FIXTURE_FAIL, 0, "the first octet of PAD is not zero",
     fpdu_empty_pad_0, "mpa.pad-zero"},
    {"mpa.ulpdu-length-zero", FIXTURE_FAIL, 0, "the second octet of PAD is not zero",
     fpdu_empty_pad_1, "mpa.pad-zero"},
    {"mpa.responder-first", FIXTURE_SILENT, 0, "a Write to an STag like a Send",
     fpdu_write_like_send, NULL},
    {"mpa.marker-unasked", FIXTURE_SILENT, 0, "empty FPDU, reserved bits", fpdu_empty_reserved,
     "mpa.crc"},
    {"mpa.marker-unasked", FIXTURE_SILENT, 0, "empty FPDU, no CRC", fpdu_empty_crc_off,
     "mpa.ulpdu-length-zero"},
    {"mpa.marker-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION, "inferred",
     fpdu_unasked_inferred, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "before a Send", fpdu_unasked, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "before a Send, with CRC", fpdu_unasked_crc, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "before a Write", fpdu_unasked_write, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "before the second", fpdu_unasked_later, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "and octets after it", fpdu_unasked_then, NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "and more after it", fpdu_unasked_then_more, NULL},
    {"mpa.responder-first", FIXTURE_NEAR, 0, "after a Marker that is not due",
     fpdu_unasked_answered, "mpa.marker-unasked"},
    {"mpa.marker-first", FIXTURE_PASS, 0, "Markers", fpdu_markers, NULL},
    {"mpa.marker-first", FIXTURE_NEAR, 0, "Markers, right values", fpdu_marker_right, NULL},
    {"mpa.marker-first", FIXTURE_FAIL, 0, "none", fpdu_no_marker, NULL},
    {"mpa.marker-first", FIXTURE_FAIL, 0, "none, CRC wrong", fpdu_no_marker_crc, NULL},
    {"mpa.marker-reserved", FIXTURE_PASS, 0, "0", fpdu_markers, NULL},
    {"mpa.marker-reserved", FIXTURE_NEAR, 0, "0, by hand", fpdu_marker_right, NULL},
    {"mpa.marker-reserved", FIXTURE_FAIL, 0, "1", fpdu_marker_reserved, NULL},
    {"mpa.marker-reserved", FIXTURE_FAIL, 0, "the first one", fpdu_first_marker_reserved, NULL},
    {"mpa.marker-reserved", FIXTURE_FAIL, 0, "the first one, of low bits",
     fpdu_first_marker_reserved_low, NULL},
    {"mpa.marker-first", FIXTURE_FAIL, 0, "a Write of version 0", fpdu_no_marker_version_0, NULL},
    {"mpa.marker-low-bits", FIXTURE_FAIL, 0, "the first one", fpdu_first_marker_low, NULL},
    {"mpa.marker-reserved", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION, "inferred",
     fpdu_marker_inferred, NULL},
    {"mpa.marker-reserved", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", fpdu_marker_cut, NULL},
    {"mpa.marker-pointer", FIXTURE_PASS, 0, "right", fpdu_markers, NULL},
    {"mpa.marker-pointer", FIXTURE_NEAR, 0, "right, by hand", fpdu_marker_right, NULL},
    {"mpa.marker-pointer", FIXTURE_FAIL, 0, "4 too many", fpdu_marker_pointer, NULL},
    {"mpa.marker-pointer", FIXTURE_NEAR, 0, "4, after one that was none", fpdu_marker_after_none,
     "mpa.marker-period"},
    {"mpa.marker-pointer", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION, "inferred",
     fpdu_marker_inferred, NULL},
    {"mpa.marker-pointer", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "found by the look",
     fpdu_marker_found_alone, NULL},
    {"mpa.marker-pointer", FIXTURE_FAIL, 0, "found, one led an FPDU", fpdu_marker_found_leading,
     NULL},
    {"mpa.marker-low-bits", FIXTURE_PASS, 0, "0", fpdu_markers, NULL},
    {"mpa.marker-low-bits", FIXTURE_NEAR, 0, "0, by hand", fpdu_marker_right, NULL},
    {"mpa.marker-low-bits", FIXTURE_FAIL, 0, "3", fpdu_marker_low, NULL},
    {"mpa.marker-low-bits", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", fpdu_marker_cut, NULL},
    {"mpa.marker-pointer", FIXTURE_FAIL, 0, "another, with a low bit", fpdu_marker_exchanged, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "a right CRC 4 octets before the end", fpdu_ends_4_before,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "a right CRC 16 octets before the end", fpdu_ends_16_before,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "a right CRC where the PAD is due", fpdu_ends_unpadded, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "a right CRC 20 octets before the end", fpdu_ends_20_before,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "one over others, of which the second goes on past its end",
     fpdu_covers_others, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "one over others in one segment", fpdu_covers_others_in_one,
     NULL},
    {"mpa.pad-zero", FIXTURE_PASS, 0, "of one over others", fpdu_covers_others_in_one_pad,
     "mpa.framing"},
    {"mpa.marker-pointer", FIXTURE_PASS, 0, "of one over others", fpdu_covers_others_marked,
     "mpa.framing"},
    {"mpa.framing", FIXTURE_FAIL, 0, "one over others, with a Marker before it and between them",
     fpdu_covers_others_led, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "one over others, a Marker right after the header of one",
     fpdu_covers_others_early, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "one over others, a Marker in the first of them",
     fpdu_covers_others_late, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "one over others, of which octets are missing",
     fpdu_covers_others_cut, NULL},
    {"mpa.pad-zero", FIXTURE_FAIL, 0, "after payload like FPDUs, a right CRC", fpdu_covers_crc,
     NULL},
    {"mpa.pad-zero", FIXTURE_FAIL, 0, "after payload like an FPDU at an odd octet", fpdu_covers_odd,
     NULL},
    {"mpa.framing", FIXTURE_NEAR, 0, "payload like FPDUs that go on past its end",
     fpdu_covers_payload, NULL},
    {"rdmap.read-request-length", FIXTURE_SILENT, 0, "32, its CRC field begins the next FPDU",
     fpdu_takes_read, "mpa.framing"},
    {"rdmap.read-request-length", FIXTURE_SILENT, 0, "36, its last octets begin the next FPDU",
     fpdu_takes_read_before, "mpa.framing"},
    {"mpa.pad-zero", FIXTURE_NEAR, 0, "not zero, it reads as the beginning of the next FPDU",
     fpdu_takes_with_pad, NULL},
    {"rdmap.read-request-length", FIXTURE_FAIL, 0, "32, its CRC field begins none",
     fpdu_takes_read_other, "mpa.framing"},
    {"rdmap.immediate-length", FIXTURE_SILENT, 0, "12, its CRC field begins the next FPDU",
     fpdu_takes_immediate, "mpa.framing"},
    {"mpa.pad-zero", FIXTURE_FAIL, 0, "after payload like FPDUs", fpdu_covers_whole, NULL},
    {"mpa.framing", FIXTURE_SILENT, 0, "CRCs not in use, a right one before the end",
     fpdu_ends_unchecked, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a right CRC before the end, a gap",
     fpdu_ends_gap, NULL},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "a right one before the end, damaged", fpdu_ends_damaged, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "one direction, after 600 octets without Markers",
     fpdu_crc_alone_past, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "one direction, after 512 octets", fpdu_crc_alone_at, NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "one direction, the second FPDU", fpdu_crc_alone_soon, NULL},
    {"mpa.pad-zero", FIXTURE_FAIL, 0, "the capture begins with it, a Marker follows",
     fpdu_pad_found_marked, NULL},
    {"mpa.pad-zero", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "the capture begins with it",
     fpdu_pad_found_unmarked, NULL},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION, "one direction, with Markers",
     fpdu_crc_alone_marked, NULL},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_NO_NEGOTIATION,
     "one direction, what reads as a Marker in it", fpdu_crc_alone_extra, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "one direction, a right CRC 4 octets before the end", fpdu_ends_alone, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "zeros before an FPDU", fpdu_zeros_before, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "zeros before a long FPDU", fpdu_zeros_before_long, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "zeros before an FPDU, no CRC", fpdu_zeros_before_unchecked,
     NULL},
    {"mpa.crc", FIXTURE_FAIL, 0, "of an empty FPDU before octets that are none", fpdu_zeros_alone,
     "mpa.framing"},
    {"ddp.header-length", FIXTURE_PASS, 0, "long enough", fpdu_plain, NULL},
    {"ddp.header-length", FIXTURE_NEAR, 0, "14 and 18", fpdu_header_14, NULL},
    {"ddp.header-length", FIXTURE_FAIL, 0, "13, Tagged", fpdu_header_13, NULL},
    {"ddp.header-length", FIXTURE_FAIL, 0, "17, Untagged", fpdu_header_17, NULL},
    {"ddp.header-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", fpdu_header_cut, NULL},
    {"ddp.reserved", FIXTURE_NEAR, 0, "T and L set", fpdu_header_14, NULL},
    {"ddp.empty-segment", FIXTURE_NEAR, 0, "empty, Tagged", fpdu_header_14, NULL},
    {"ddp.header-length", FIXTURE_FAIL, 0, "14, Untagged", fpdu_header_14_untagged, NULL},
    {"mpa.ulpdu-length-zero", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "0 alone",
     fpdu_length_zero_alone, NULL},
    {"mpa.marker-first", FIXTURE_NEAR, 0, "alone", fpdu_marker_first_cut, NULL},
    {"mpa.marker-pointer", FIXTURE_NEAR, 0, "in the longest FPDU", fpdu_markers_longest, NULL},
};

const size_t rules_cases_fpdu_num = sizeof(rules_cases_fpdu) / sizeof(rules_cases_fpdu[0]);
