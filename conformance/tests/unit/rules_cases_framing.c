/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on the chain of FPDUs. */

#include "rules_cases.h"

/* ---- octets that are no FPDU ---- */

/* Octets of no meaning; the second one keeps ULPDU_Length small. */
const uint8_t framing_noise[40] = {0, 9, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE};

/* The first octets of an FPDU with a Send of 4 octets. */
const uint8_t framing_send[28] = {0, 22, 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9};

/* The Initiator sends octets that form no FPDU. */
void framing_octets(struct rules_fixture *l, const uint8_t *octets, size_t len,
                    iwarp_undec_reason reason) {
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){octets, len}, len, reason);
}

void framing_fin(struct rules_fixture *l) {
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void framing_noise_then(struct rules_fixture *l, iwarp_end end) {
  fixture_begin_with(l, FIXTURE_C);
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
  fixture_end(l, FIXTURE_INITIATOR, end);
}

static void framing_lost(struct rules_fixture *l) {
  framing_noise_then(l, IWARP_END_FIN);
}

static void framing_lost_open(struct rules_fixture *l) {
  framing_noise_then(l, IWARP_END_CAPTURE);
}

static void framing_lost_twice(struct rules_fixture *l) {
  framing_lost_open(l);
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

static void framing_good(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  framing_fin(l);
}

/* Payload whose end looks like the beginning of an FPDU. */
static void framing_payload(struct rules_fixture *l) {
  fixture_begin(l);
  struct fixture_seg s = fixture_send(2);
  s.payload = framing_send;
  s.len = 16;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
  framing_fin(l);
}

/* Without CRCs, a segment whose DDP version alone is wrong is where it should be. */
static void framing_version_after_payload(struct rules_fixture *l, uint8_t dv) {
  fixture_begin(l);
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 12);
  s.payload = framing_send;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  struct fixture_seg wrong = fixture_send(3);
  wrong.ddp.dv = dv;
  fixture_fpdu(l, FIXTURE_INITIATOR, wrong);
}

static void framing_version_0(struct rules_fixture *l) {
  framing_version_after_payload(l, 0);
}

static void framing_version_2(struct rules_fixture *l) {
  framing_version_after_payload(l, 2);
}

/* Without CRCs, an empty one right after one that was cut: the length of that may be wrong. */
static void framing_empty_after(struct rules_fixture *l, size_t cut) {
  static const uint8_t empty[8] = {0};
  struct fixture_seg s = fixture_send(2);
  s.cut = cut;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){empty, sizeof(empty)});
}

static void framing_empty_after_cut(struct rules_fixture *l) {
  framing_empty_after(l, 40);
}

/* A version alone that is wrong is one of the FPDU itself. */
static void framing_version_after_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.cut = 40;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s = fixture_send(3);
  s.ddp.dv = 2;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void framing_empty_after_whole(struct rules_fixture *l) {
  framing_empty_after(l, 0);
}

/* Without CRCs, an FPDU with a wrong Marker, and one of no version of which so much is captured. */
static void framing_cut_after_pointer(struct rules_fixture *l, size_t cut) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 600);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.fpduptr = 4};
  fixture_begin_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s = fixture_send(3);
  s.ddp.dv = 3;
  s.cut = cut;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_fin(l);
}

static void framing_length_alone(struct rules_fixture *l) {
  framing_cut_after_pointer(l, 3);
}

static void framing_versions_alone(struct rules_fixture *l) {
  framing_cut_after_pointer(l, 4);
}

/* Fewer octets than the FPDU that they may begin. */
static void framing_short_run(struct rules_fixture *l) {
  static const uint8_t part[20] = {0, 200, 0xEE};
  fixture_begin_with(l, FIXTURE_C);
  framing_octets(l, part, sizeof(part), IWARP_UNDEC_NO_BOUNDARY);
}

static void framing_short_fin(struct rules_fixture *l) {
  framing_short_run(l);
  framing_fin(l);
}

static void framing_short_goes_on(struct rules_fixture *l) {
  framing_short_run(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void framing_short_cut(struct rules_fixture *l) {
  framing_short_run(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_CAPTURE);
}

static void framing_short_reset(struct rules_fixture *l) {
  framing_short_run(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

static void framing_short_gap(struct rules_fixture *l) {
  framing_short_run(l);
  fixture_gap(l, FIXTURE_INITIATOR, 8, IWARP_GAP_LOST);
}

static void framing_after_gap(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 8, IWARP_GAP_SNAPLEN);
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

/* Without its SYN the stream is known from its startup frame on. */
static void framing_no_syn(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

static void framing_alone(struct rules_fixture *l) {
  start_request_only(l);
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

static void framing_inferred(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

static void framing_damaged(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  l->damaged = true;
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

static void framing_not_yet(struct rules_fixture *l) {
  fixture_open(l);
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NOT_FPDU);
}

/* ---- a second startup frame ---- */

static void framing_again_as(struct rules_fixture *l, unsigned side, iwarp_mpa_key key,
                             iwarp_undec_reason reason) {
  uint8_t octets[24] = {0};
  memcpy(octets, iwarp_mpa_key_octets(key), IWARP_MPA_KEY_LEN);
  fixture_run(l, side, (iwarp_span){octets, sizeof(octets)}, sizeof(octets), reason);
}

static void framing_again_of(struct rules_fixture *l, unsigned side, iwarp_mpa_key key) {
  framing_again_as(l, side, key, IWARP_UNDEC_NOT_FPDU);
}

static void framing_again(struct rules_fixture *l) {
  fixture_open(l);
  framing_again_of(l, FIXTURE_RESPONDER, IWARP_MPA_KEY_REPLY);
}

static void framing_again_request(struct rules_fixture *l) {
  start_request_only(l);
  framing_again_of(l, FIXTURE_INITIATOR, IWARP_MPA_KEY_REQUEST);
}

/* The second Reply comes in two packets, and octets of a third one follow it: the frame of the
 * finding is the one that completes the Reply. */
static void framing_again_goes_on(struct rules_fixture *l) {
  uint8_t octets[40] = {0};
  memcpy(octets, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), IWARP_MPA_KEY_LEN);
  fixture_open(l);
  iwarp_event ev = fixture_base(l, FIXTURE_RESPONDER, IWARP_EVENT_UNDECODABLE, 2 * sizeof(octets));
  ev.u.undecodable = IWARP_UNDEC_NOT_FPDU;
  ev.head = (iwarp_span){octets, sizeof(octets)};
  ev.head_last.packet = ++l->packet;
  ev.last.packet = ++l->packet;
  fixture_event(l, &ev);
}

/* After a Reply with R the ULP may begin MPA again on the same connection. */
static void framing_again_rejected(struct rules_fixture *l) {
  start_reply_rejects(l);
  framing_again_as(l, FIXTURE_INITIATOR, IWARP_MPA_KEY_REQUEST, IWARP_UNDEC_AFTER_REJECT);
  framing_again_as(l, FIXTURE_RESPONDER, IWARP_MPA_KEY_REPLY, IWARP_UNDEC_AFTER_REJECT);
}

/* The last octet of the Reply with R had not come. */
static void framing_again_before_reject(struct rules_fixture *l) {
  start_reply_rejects(l);
  l->received = l->next[FIXTURE_RESPONDER] - 1;
  framing_again_of(l, FIXTURE_INITIATOR, IWARP_MPA_KEY_REQUEST);
}

/* The Reply is missing that came between: it may have R. */
static void framing_again_unseen_reply(struct rules_fixture *l) {
  start_request_only(l);
  fixture_gap(l, FIXTURE_RESPONDER, IWARP_MPA_STARTUP_LEN, IWARP_GAP_LOST);
  framing_again_of(l, FIXTURE_INITIATOR, IWARP_MPA_KEY_REQUEST);
}

/* Private Data of the Request are missing; the Reply announces no Private Data that could hold
 * FPDUs. */
static void framing_again_request_cut(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1, .pd_length = 40, .missing = 30};
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_gap(l, FIXTURE_INITIATOR, 30, IWARP_GAP_SNAPLEN);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  framing_again_of(l, FIXTURE_RESPONDER, IWARP_MPA_KEY_REPLY);
}

static void framing_again_unseen_side(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_request_only(l);
  l->received = FIXTURE_START_1 + IWARP_MPA_STARTUP_LEN;
  framing_again_of(l, FIXTURE_INITIATOR, IWARP_MPA_KEY_REQUEST);
}

static void framing_again_later(struct rules_fixture *l) {
  fixture_begin(l);
  framing_again_of(l, FIXTURE_RESPONDER, IWARP_MPA_KEY_REPLY);
}

static void framing_again_gap(struct rules_fixture *l) {
  fixture_open(l);
  l->info.side[FIXTURE_RESPONDER].gap = true;
  framing_again_of(l, FIXTURE_RESPONDER, IWARP_MPA_KEY_REPLY);
}

/* Octets after the second Reply are not judged. */
static void framing_again_then(struct rules_fixture *l) {
  framing_again(l);
  fixture_run(l, FIXTURE_RESPONDER, (iwarp_span){framing_noise, sizeof(framing_noise)},
              sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

/* Payload that begins with a startup key. */
static void framing_key_inside(struct rules_fixture *l) {
  fixture_open(l);
  struct fixture_seg s = fixture_send(1);
  s.payload = iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY);
  s.len = IWARP_MPA_KEY_LEN;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* What its sender had received is not known, but the Reply is. */
static void framing_again_unacknowledged(struct rules_fixture *l) {
  fixture_open(l);
  l->no_ack = true;
  framing_again_of(l, FIXTURE_INITIATOR, IWARP_MPA_KEY_REQUEST);
}

/* ---- readings, with CRCs in use ---- */

/* A Send whose wire form ends with these octets; then others that begin no FPDU. */
static void framing_after_crc(struct rules_fixture *l, uint32_t crc_flip, const uint8_t *end,
                              size_t end_len, const uint8_t *octets, size_t len) {
  uint8_t payload[30] = {0};
  struct fixture_seg s = fixture_send(2);
  memcpy(&payload[sizeof(payload) - end_len], end, end_len);
  s.payload = payload;
  s.crc_flip = crc_flip;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, octets, len, IWARP_UNDEC_NO_BOUNDARY);
}

static void framing_after(struct rules_fixture *l, const uint8_t *end, size_t end_len,
                          const uint8_t *octets, size_t len) {
  framing_after_crc(l, 0, end, end_len, octets, len);
}

/* A Send whose CRC field, which is not in use, is like the beginning of an FPDU. */
static void framing_crc_alike(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  l->crc_is = true;
  s.crc_flip = 0x43411600; /* 00 16 41 43 on the wire */
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* The CRC field is the beginning of the next FPDU. */
static void framing_no_crc(struct rules_fixture *l) {
  framing_crc_alike(l);
  framing_octets(l, framing_send + 4, sizeof(framing_send) - 4, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

/* Of the headers that begin so the last octet does not come. */
static void framing_no_crc_short(struct rules_fixture *l) {
  framing_crc_alike(l);
  framing_octets(l, framing_send + 4, 7, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

/* The CRC field is the beginning of the next FPDU, and this one has just as many octets as are kept
 * of its end. */
static void framing_no_crc_16(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.short_ulpdu = true;
  s.ulpdu_len = 10;
  l->crc_is = true;
  s.crc_flip = 0x43411600; /* 00 16 41 43 on the wire */
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_send + 4, sizeof(framing_send) - 4, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

/* PAD of three octets is left out: what stands there is the CRC field, whose last octets are the
 * next FPDU's. */
static void framing_no_pad(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 5);
  l->crc_is = true;
  s.crc_flip = 0x41160000; /* x 00 16 41 on the wire */
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_send + 3, sizeof(framing_send) - 3, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

/* Six octets of the next FPDU are taken for the end of this one: the CRC field among them. */
static void framing_earlier(struct rules_fixture *l) {
  static const uint8_t front[2] = {0, 22};
  uint8_t payload[28] = {0};
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, sizeof(payload));
  memcpy(&payload[26], front, sizeof(front));
  s.payload = payload;
  l->crc_is = true;
  s.crc_flip = 0x00004341; /* 41 43 00 00 on the wire */
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_send + 6, sizeof(framing_send) - 6, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

/* So is one, the first octet of ULPDU_Length. */
static void framing_earlier_1(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  l->crc_is = true;
  s.crc_flip = 0x000000EE; /* EE 00 00 00 on the wire */
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_send + 1, sizeof(framing_send) - 1, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

/* So are 16, as many as are kept of its end. */
static void framing_earlier_16(struct rules_fixture *l) {
  uint8_t payload[28] = {0};
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, sizeof(payload));
  memcpy(&payload[16], framing_send, 12);
  s.payload = payload;
  l->crc_is = true;
  s.crc_flip = 0x09000000; /* 00 00 00 09 on the wire */
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_send + 16, sizeof(framing_send) - 16, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

static void framing_later_crc(struct rules_fixture *l, uint32_t crc_flip) {
  uint8_t octets[48] = {0, 7, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE};
  memcpy(&octets[8], framing_send, sizeof(framing_send));
  framing_after_crc(l, crc_flip, framing_send, 4, octets, sizeof(octets));
}

static void framing_later(struct rules_fixture *l) {
  framing_later_crc(l, 1);
}

/* As late as an FPDU is looked for. */
static void framing_later_16(struct rules_fixture *l) {
  uint8_t octets[48] = {0, 7, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE};
  memcpy(&octets[16], framing_send, sizeof(framing_send));
  framing_after_crc(l, 1, framing_send, 4, octets, sizeof(octets));
}

/* ---- what else would be said of an FPDU whose length is wrong ---- */

#define FRAMING_LESS_MAX 200u

/* An FPDU with this ULPDU, whose ULPDU_Length is less by a multiple of four octets. Returns how
 * many octets it has. */
static size_t framing_less_fpdu(struct rules_fixture *l, uint8_t wire[FRAMING_LESS_MAX],
                                iwarp_span ulpdu, uint8_t less) {
  size_t len = 0;
  const iwarp_mpa_fpdu_desc d = {.ulpdu = ulpdu};
  if (iwarp_mpa_fpdu_encode(wire, FRAMING_LESS_MAX, &len, &d) != IWARP_OK) {
    abort();
  }
  wire[1] -= less;
  const uint32_t crc = iwarp_crc32c(0, wire, len - IWARP_MPA_CRC_LEN);
  for (size_t i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    wire[len - IWARP_MPA_CRC_LEN + i] = (uint8_t)(crc >> 8 * i);
  }
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, len - less});
  return len;
}

/* And the rest of it, with these octets after it, is read as octets that form no FPDU. */
static void framing_less(struct rules_fixture *l, iwarp_span ulpdu, uint8_t less, iwarp_span after,
                         iwarp_undec_reason reason) {
  uint8_t wire[2 * FRAMING_LESS_MAX];
  const size_t len = framing_less_fpdu(l, wire, ulpdu, less);
  if (after.len > 0) {
    memcpy(&wire[len], after.ptr, after.len);
  }
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){&wire[len - less], less + after.len},
              less + after.len, reason);
}

static const uint8_t framing_ulpdu[94] = {0x41, 0x43, [13] = 2, [90] = 0xEE};

static void framing_less_crc(struct rules_fixture *l, uint8_t less, iwarp_undec_reason reason) {
  fixture_begin_with(l, FIXTURE_C);
  framing_less(l, (iwarp_span){framing_ulpdu, sizeof(framing_ulpdu)}, less, (iwarp_span){0},
               reason);
}

static void framing_less_4(struct rules_fixture *l) {
  framing_less_crc(l, 4, IWARP_UNDEC_NO_BOUNDARY);
}

/* They may be the beginning of an FPDU, but the CRC is right with them. */
static void framing_less_unfinished(struct rules_fixture *l) {
  framing_less_crc(l, 4, IWARP_UNDEC_UNFINISHED);
}

/* They come in another segment. */
static void framing_less_apart(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  framing_less(l, (iwarp_span){framing_ulpdu, sizeof(framing_ulpdu)}, 4, (iwarp_span){0},
               IWARP_UNDEC_NO_BOUNDARY);
}

/* The copies that were captured of the rest may not be those that the receiver took. */
static void framing_less_damaged(struct rules_fixture *l) {
  uint8_t wire[FRAMING_LESS_MAX];
  const iwarp_span ulpdu = {framing_ulpdu, sizeof(framing_ulpdu)};
  fixture_begin_with(l, FIXTURE_C);
  const size_t len = framing_less_fpdu(l, wire, ulpdu, 4);
  l->damaged = true;
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){&wire[len - 4], 4}, 4, IWARP_UNDEC_NO_BOUNDARY);
}

/* The CRC may be right with the octets that are missing. */
static void framing_crc_gap(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.crc_flip = 1;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_gap(l, FIXTURE_INITIATOR, 4, IWARP_GAP_LOST);
}

/* As many as are shown of a run. */
static void framing_less_64(struct rules_fixture *l) {
  framing_less_crc(l, 64, IWARP_UNDEC_NO_BOUNDARY);
}

static void framing_less_68(struct rules_fixture *l) {
  framing_less_crc(l, 68, IWARP_UNDEC_NO_BOUNDARY);
}

/* With CRCs, the CRC field is the beginning of the next FPDU. */
static void framing_no_crc_with(struct rules_fixture *l, iwarp_undec_reason reason, size_t len) {
  struct fixture_seg s = fixture_send(2);
  fixture_begin_with(l, FIXTURE_C);
  l->crc_is = true;
  s.crc_flip = 0x43411600; /* 00 16 41 43 on the wire */
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->crc_is = false;
  framing_octets(l, framing_send + 4, len, reason);
}

/* The octets of a Write after the first four announce more than comes. */
static void framing_no_crc_write(struct rules_fixture *l) {
  static const uint8_t rest[18] = {0x88, 0xbc, 0x16, 0xcb};
  struct fixture_seg s = fixture_send(2);
  fixture_begin_with(l, FIXTURE_C);
  l->crc_is = true;
  s.crc_flip = 0x40C11200; /* 00 12 c1 40 on the wire */
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->crc_is = false;
  framing_octets(l, rest, sizeof(rest), IWARP_UNDEC_NO_BOUNDARY);
}

static void framing_no_crc_checked(struct rules_fixture *l) {
  framing_no_crc_with(l, IWARP_UNDEC_NO_BOUNDARY, 24);
}

/* Octets of the next FPDU are the last ones of this, whose length is too large: so many. */
static void framing_earlier_crc(struct rules_fixture *l, size_t by) {
  uint8_t payload[28] = {0};
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, sizeof(payload));
  uint8_t end[16] = {0};
  memcpy(&end[sizeof(end) - by], framing_send, by);
  memcpy(&payload[sizeof(payload) - (sizeof(end) - 4)], end, sizeof(end) - 4);
  s.payload = payload;
  s.crc_flip = (uint32_t)end[sizeof(end) - 4] | (uint32_t)end[sizeof(end) - 3] << 8 |
               (uint32_t)end[sizeof(end) - 2] << 16 | (uint32_t)end[sizeof(end) - 1] << 24;
  fixture_begin_with(l, FIXTURE_C);
  l->crc_is = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->crc_is = false;
  framing_octets(l, framing_send + by, sizeof(framing_send) - by, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

static void framing_earlier_crc_16(struct rules_fixture *l) {
  framing_earlier_crc(l, 16);
}

/* Three octets tell nothing as the FPDU is seen, whatever has come after it. */
static void framing_earlier_crc_3(struct rules_fixture *l) {
  framing_earlier_crc(l, 3);
}

/* What follows is decided at the end of the stream. */
static void framing_no_crc_waits(struct rules_fixture *l) {
  framing_no_crc_with(l, IWARP_UNDEC_UNFINISHED, 20);
  framing_fin(l);
}

/* Without CRCs, an FPDU that has four octets more than its ULPDU_Length says: its header, and as
 * many octets of a message as it has. */
static void framing_less_message(struct rules_fixture *l, uint8_t ctrl, uint8_t qn, uint8_t msn,
                                 uint8_t len) {
  const uint8_t ulpdu[80] = {0x41, ctrl, [9] = qn, [13] = msn};
  framing_less(l, (iwarp_span){ulpdu, IWARP_DDP_UNTAGGED_LEN + (size_t)len}, 4,
               (iwarp_span){framing_send, sizeof(framing_send)}, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

static void framing_less_read(struct rules_fixture *l) {
  fixture_begin(l);
  framing_less_message(l, 0x41, 1, 1, IWARP_RDMAP_READ_REQ_LEN);
}

static void framing_less_atomic(struct rules_fixture *l) {
  fixture_begin(l);
  framing_less_message(l, 0x4A, 1, 1, IWARP_RDMAP_ATOMIC_REQ_LEN);
}

static void framing_less_immediate(struct rules_fixture *l) {
  fixture_begin(l);
  framing_less_message(l, 0x48, 0, 2, IWARP_RDMAP_IMMEDIATE_LEN);
}

static void framing_less_terminate(struct rules_fixture *l) {
  fixture_begin(l);
  framing_less_message(l, 0x47, 2, 1, 4);
}

static void framing_less_atomic_response(struct rules_fixture *l) {
  const iwarp_rdmap_atomic_req a = fixture_fetch_add(0);
  fixture_begin(l);
  fixture_atomic(l, FIXTURE_RESPONDER, 1, &a);
  framing_less_message(l, 0x4B, 3, 1, IWARP_RDMAP_ATOMIC_RESP_LEN);
}

static void framing_less_header(struct rules_fixture *l) {
  fixture_begin(l);
  framing_less_message(l, 0x43, 0, 2, 0);
}

/* An RDMA Read Response of 98 octets, of which four are not counted. */
static void framing_less_response(struct rules_fixture *l) {
  static const uint8_t ulpdu[112] = {0xC1, 0x42, 0x0A, 0x0B, 0x0C, 0x0D, [12] = 0x20};
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 98);
  framing_less(l, (iwarp_span){ulpdu, sizeof(ulpdu)}, 4,
               (iwarp_span){framing_send, sizeof(framing_send)}, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

/* Four of five octets of a Send: the last ones stand for the PAD, and are not zero; then so many
 * octets before the next FPDU. */
static void framing_pad_then(struct rules_fixture *l, size_t more) {
  uint8_t octets[48] = {0, 3, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE};
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 4);
  s.ddp.last = true;
  s.short_ulpdu = true;
  s.ulpdu_len = 21;
  s.pad[0] = 0xEE;
  l->crc_is = true; /* zeros */
  memcpy(&octets[more], framing_send, sizeof(framing_send));
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, octets, more + sizeof(framing_send), IWARP_UNDEC_NO_BOUNDARY);
}

static void framing_pad_then_4(struct rules_fixture *l) {
  framing_pad_then(l, 4);
}

/* No FPDU has three octets more. */
static void framing_pad_then_3(struct rules_fixture *l) {
  framing_pad_then(l, 3);
}

/* PAD of three octets is left out, as above, and what stands for it is not zero. */
static void framing_no_pad_but_octets(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 5);
  l->crc_is = true;
  s.crc_flip = 0x41160000; /* x 00 16 41 on the wire */
  s.pad[1] = 0xEE;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_send + 3, sizeof(framing_send) - 3, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

/* A Read Response of 16 octets when so many were asked for, and no CRC field. */
static void framing_no_crc_of_response(struct rules_fixture *l, uint32_t asked) {
  struct fixture_seg s = fixture_read_response(16);
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, asked);
  l->crc_is = true;
  s.crc_flip = 0x43411600; /* 00 16 41 43 on the wire */
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_send + 4, sizeof(framing_send) - 4, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

/* Two faults. */
static void framing_no_crc_of_response_8(struct rules_fixture *l) {
  framing_no_crc_of_response(l, 8);
}

/* Its length is what is wrong, and it has a CRC field. */
static void framing_no_crc_of_response_12(struct rules_fixture *l) {
  framing_no_crc_of_response(l, 12);
}

/* The FPDU before has a right CRC: its length is right, and what follows is put in. */
static void framing_put_between(struct rules_fixture *l) {
  framing_later_crc(l, 0);
}

/* With its CRC, which is right, the end of the FPDU before looks like the beginning of one. */
static void framing_after_right_crc(struct rules_fixture *l, iwarp_end end) {
  static const uint8_t part[20] = {0, 200, 0xEE};
  uint8_t payload[28] = {0};
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, sizeof(payload));
  payload[25] = 40;
  payload[26] = 0xC1;
  payload[27] = 0x40;
  s.payload = payload;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, part, sizeof(part), IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_INITIATOR, end);
}

static void framing_right_crc_open(struct rules_fixture *l) {
  framing_after_right_crc(l, IWARP_END_CAPTURE);
}

static void framing_right_crc_fin(struct rules_fixture *l) {
  framing_after_right_crc(l, IWARP_END_FIN);
}

/* Four octets before an FPDU, after others that look like the beginning of one. */
static void framing_before_send(struct rules_fixture *l, const uint8_t front[4]) {
  uint8_t octets[32];
  memcpy(octets, front, 4);
  memcpy(&octets[4], framing_send, sizeof(framing_send));
  framing_after(l, framing_send, 4, octets, sizeof(octets));
}

static void framing_marker(struct rules_fixture *l) {
  framing_before_send(l, (const uint8_t[]){0, 0, 0, 0x40});
}

static void framing_octet_between(struct rules_fixture *l) {
  uint8_t octets[29] = {0};
  memcpy(&octets[1], framing_send, sizeof(framing_send));
  framing_after(l, framing_send, 4, octets, sizeof(octets));
}

/* Four octets late, and with a Queue Number of which the highest bit alone is set. */
static void framing_queue_far(struct rules_fixture *l) {
  uint8_t octets[32] = {0, 1, 0xEE, 0xEE};
  memcpy(&octets[4], framing_send, sizeof(framing_send));
  octets[4 + 8] = 0x80;
  framing_after(l, framing_send, 4, octets, sizeof(octets));
}

static void framing_marker_far(struct rules_fixture *l) {
  framing_before_send(l, (const uint8_t[]){0, 0, 1, 0x40});
}

static void framing_marker_reserved(struct rules_fixture *l) {
  framing_before_send(l, (const uint8_t[]){0, 1, 0, 0x40});
}

/* FPDUPTR is a multiple of four. */
static void framing_marker_odd(struct rules_fixture *l) {
  framing_before_send(l, (const uint8_t[]){0, 0, 0, 0x42});
}

/* The same before an FPDU of so many octets. */
static void framing_marker_before(struct rules_fixture *l, uint16_t length) {
  uint8_t octets[32] = {0, 0, 0, 0x40};
  memcpy(&octets[4], framing_send, sizeof(framing_send));
  octets[4] = (uint8_t)(length >> 8);
  octets[5] = (uint8_t)length;
  framing_after(l, framing_send, 4, octets, sizeof(octets));
}

static void framing_marker_long(struct rules_fixture *l) {
  framing_marker_before(l, 278);
}

static void framing_marker_longest(struct rules_fixture *l) {
  framing_marker_before(l, IWARP_MPA_ULPDU_MAX);
}

static void framing_other_order(struct rules_fixture *l) {
  uint8_t octets[28];
  memcpy(octets, framing_send, sizeof(octets));
  octets[0] = 22;
  octets[1] = 0;
  fixture_begin_with(l, FIXTURE_C);
  framing_octets(l, octets, sizeof(octets), IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* The same of more than 255 octets: 280 of them, with the length 0x0112 as 12 01. */
static void framing_other_order_long(struct rules_fixture *l) {
  static const uint8_t head[IWARP_RUN_HEAD_LEN] = {0x12, 1, 0x41, 0x43, 0, 0, 0, 0,
                                                   0,    0, 0,    0,    0, 0, 0, 9};
  fixture_begin_with(l, FIXTURE_C);
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){head, sizeof(head)}, 280, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

static void framing_swallowed(struct rules_fixture *l) {
  static const uint8_t octets[40] = {0x10, 22, 0x41, 0x43};
  fixture_begin_with(l, FIXTURE_C);
  l->fpdu_like = 1;
  framing_octets(l, octets, sizeof(octets), IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* With Markers due, what would be one at offset 0 is the beginning of an FPDU. */
static void framing_no_first_marker(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  framing_octets(l, framing_send, sizeof(framing_send), IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* And where the Reply has R: the octets are the ULP's. */
static void framing_no_first_marker_rejected(struct rules_fixture *l) {
  const struct fixture_frame request = {.flags = FIXTURE_M, .rev = 1};
  const struct fixture_frame reply = {
      .reply = true, .flags = FIXTURE_M | IWARP_MPA_FLAG_R, .rev = 1};
  fixture_exchange(l, request, reply);
  framing_octets(l, framing_send, sizeof(framing_send), IWARP_UNDEC_AFTER_REJECT);
}

/* The same where only the octets show that Markers are in use. */
static void framing_no_first_marker_inferred(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  l->info.side[FIXTURE_INITIATOR].markers_by = IWARP_KNOWN_BY_DATA;
  framing_octets(l, framing_send, sizeof(framing_send), IWARP_UNDEC_NO_BOUNDARY);
}

/* And where what asked for them may be no Reply. */
static void framing_no_first_marker_unconfirmed(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  l->no_ack = true;
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  framing_octets(l, framing_send, sizeof(framing_send), IWARP_UNDEC_NO_BOUNDARY);
}

/* Markers are in use, as the first FPDU shows; the next one is missing. */
static void framing_no_marker(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 484));
  framing_octets(l, framing_send, sizeof(framing_send), IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* An FPDU with a Marker, and octets of no meaning after it. */
static void framing_noise_after(struct rules_fixture *l, uint8_t flags, struct fixture_seg s) {
  fixture_begin_with(l, (uint8_t)(FIXTURE_M | flags));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_noise, sizeof(framing_noise), IWARP_UNDEC_NO_BOUNDARY);
}

/* A right Marker tells nothing of the octets after its FPDU; nor does a wrong one, where the CRC
 * is right. */
static void framing_noise_after_marker(struct rules_fixture *l) {
  framing_noise_after(l, 0, fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 600));
}

static void framing_noise_after_pointer(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 600);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.fpduptr = 4};
  framing_noise_after(l, FIXTURE_C, s);
}

/* Without CRCs the wrong Marker is what there is to say. */
static void framing_noise_after_pointer_no_crc(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 600);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.fpduptr = 4};
  framing_noise_after(l, 0, s);
}

/* Nor does it tell anything of an FPDU that is right, with a Marker among its headers. */
static void framing_around_marker_after_pointer(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 476);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.fpduptr = 4};
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

/* ---- readings, without CRCs ---- */

/* Octets that the chain of lengths takes for an FPDU; the first Send of the Initiator has no CRC
 * field. */
static void framing_chain(struct rules_fixture *l) {
  static const uint8_t rest[28] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9};
  framing_crc_alike(l);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){rest, sizeof(rest)});
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){rest, sizeof(rest)});
}

/* The same of a Send with Invalidate, so that the octets are long enough for headers; the start of
 * the next FPDU is not known, and no rule fails on it. */
static void framing_chain_goes_on(struct rules_fixture *l) {
  static const uint8_t rest[28] = {0, 18, 2, 0, 0, 0, 0, 0, 0, 0, 0, 9};
  struct fixture_seg s = fixture_send(2);
  l->crc_is = true;
  s.crc_flip = 0x44411600; /* 00 16 41 44 on the wire */
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){rest, sizeof(rest)});
  s = fixture_send(3);
  s.ddp.rsvd = 1;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* The versions go together, and neither exists. */
static void framing_chain_version_2(struct rules_fixture *l) {
  static const uint8_t rest[28] = {0, 22, 2, 0x83, 0, 0, 0, 0, 0, 0, 0, 9};
  framing_crc_alike(l);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){rest, sizeof(rest)});
}

/* An FPDU too short for its header leads to them. */
static void framing_chain_short(struct rules_fixture *l) {
  static const uint8_t rest[28] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9};
  struct fixture_seg s = fixture_write();
  s.short_ulpdu = true;
  s.ulpdu_len = 13;
  l->crc_is = true;
  s.crc_flip = 0x43411600; /* 00 16 41 43 on the wire */
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){rest, sizeof(rest)});
}

/* ---- the end of the stream ---- */

/* The other side has sent more than is seen of it, or a FIN that is not: it may be a Terminate. */
static void framing_cut_having_received(struct rules_fixture *l, bool fin, uint64_t more) {
  fixture_begin(l);
  if (fin) {
    fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
  }
  framing_octets(l, framing_send, 20, IWARP_UNDEC_UNFINISHED);
  l->received = l->next[FIXTURE_RESPONDER] + more;
  framing_fin(l);
}

static void framing_cut_after_fin(struct rules_fixture *l) {
  framing_cut_having_received(l, true, 1);
}

static void framing_cut_after_more(struct rules_fixture *l) {
  framing_cut_having_received(l, true, 2);
}

static void framing_cut_after_octet(struct rules_fixture *l) {
  framing_cut_having_received(l, false, 1);
}

static void framing_unfinished(struct rules_fixture *l, iwarp_end end) {
  fixture_begin(l);
  framing_octets(l, framing_send, 20, IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_INITIATOR, end);
}

static void framing_cut(struct rules_fixture *l) {
  framing_unfinished(l, IWARP_END_FIN);
}

static void framing_cut_open(struct rules_fixture *l) {
  framing_unfinished(l, IWARP_END_CAPTURE);
}

static void framing_cut_reset(struct rules_fixture *l) {
  framing_unfinished(l, IWARP_END_RST);
}

/* Nothing has answered the Request: what follows belongs to its Private Data. */
static void framing_cut_unanswered(struct rules_fixture *l) {
  start_request_only(l);
  framing_octets(l, framing_send, 20, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* The Reply had not come, though it was on its way. */
static void framing_cut_before_reply(struct rules_fixture *l) {
  start_rev1(l);
  l->received = FIXTURE_START_1;
  framing_octets(l, framing_send, 20, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* A Marker is expected, so that an FPDU takes four octets more. */
static void framing_few_for_marker(struct rules_fixture *l) {
  fixture_open_with(l, FIXTURE_M);
  fixture_run(l, FIXTURE_RESPONDER, (iwarp_span){framing_noise, 7}, 7, IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* PD_Length is wrong in itself, which is reported. */
static void framing_few_after_513(struct rules_fixture *l) {
  start_pd(l, IWARP_MPA_PRIVATE_DATA_MAX + 1, 0);
  framing_octets(l, framing_noise, 1, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* The octet is the first one of a startup key. */
static void framing_key_octet(struct rules_fixture *l) {
  start_pd(l, 10, 0);
  framing_octets(l, iwarp_mpa_key_octets(IWARP_MPA_KEY_REQUEST), 1, IWARP_UNDEC_NOT_FPDU);
}

/* What stands for the Reply may be none, so that it tells nothing of what the Initiator had. */
static void framing_surplus_unconfirmed(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1, .pd_length = 10};
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->received = FIXTURE_START_0;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
  l->received = FIXTURE_START_1;
  framing_octets(l, framing_noise, 6, IWARP_UNDEC_NOT_FPDU);
}

static void framing_cut_word(struct rules_fixture *l) {
  fixture_begin(l);
  framing_octets(l, framing_send, 1, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

static void framing_cut_after_length(struct rules_fixture *l) {
  fixture_begin(l);
  framing_octets(l, framing_send, IWARP_MPA_LENGTH_LEN, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

static void framing_cut_after_terminate(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
  framing_octets(l, framing_send, 20, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

static void framing_cut_after_gap(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_gap(l, FIXTURE_INITIATOR, 8, IWARP_GAP_LOST);
  framing_octets(l, framing_send, 20, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* After a Marker, which is no part of the FPDU before. */
static void framing_cut_after_marker(struct rules_fixture *l) {
  uint8_t octets[24] = {0};
  memcpy(&octets[4], framing_send, sizeof(octets) - 4);
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  framing_octets(l, octets, sizeof(octets), IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* The first FPDU ends where a Marker is expected, and the stream ends with these octets. */
static void framing_ends_with(struct rules_fixture *l, const uint8_t *octets, size_t len,
                              size_t payload) {
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, payload));
  framing_octets(l, octets, len, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

static void framing_marker_alone(struct rules_fixture *l) {
  static const uint8_t octets[IWARP_MPA_MARKER_LEN] = {0};
  framing_ends_with(l, octets, sizeof(octets), 484);
}

static void framing_word_alone(struct rules_fixture *l) {
  static const uint8_t octets[IWARP_MPA_MARKER_LEN] = {0, 0, 0, 4};
  framing_ends_with(l, octets, sizeof(octets), 484);
}

static void framing_zeros_alone(struct rules_fixture *l) {
  static const uint8_t octets[IWARP_MPA_MARKER_LEN] = {0};
  framing_ends_with(l, octets, sizeof(octets), 480);
}

static void framing_marker_and_more(struct rules_fixture *l) {
  static const uint8_t octets[IWARP_MPA_MARKER_LEN + 1] = {0};
  framing_ends_with(l, octets, sizeof(octets), 484);
}

static void framing_displaced_longest(struct rules_fixture *l) {
  struct fixture_seg s = fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, IWARP_MPA_ULPDU_MAX - 14);
  s.marker = 2;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x6162, .fpduptr = 0x6363};
  fixture_begin_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* The payload of the FPDU before ends like the beginning of one. */
static void framing_cut_after_payload(struct rules_fixture *l, iwarp_end end) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 12);
  s.payload = framing_send;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_send, 20, IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_INITIATOR, end);
}

static void framing_cut_like_payload(struct rules_fixture *l) {
  framing_cut_after_payload(l, IWARP_END_FIN);
}

static void framing_reset_like_payload(struct rules_fixture *l) {
  framing_cut_after_payload(l, IWARP_END_RST);
}

/* The same where the next Marker follows the headers of the cut FPDU at once, without CRCs. */
static void framing_cut_before_marker(struct rules_fixture *l) {
  static uint8_t payload[472];
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, sizeof(payload));
  memcpy(&payload[sizeof(payload) - 12], framing_send, 12);
  s.payload = payload;
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, framing_send, 20, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* A Marker in the header of the cut FPDU, which has the form of one without it too. */
static void framing_cut_around_marker(struct rules_fixture *l, uint8_t pointer) {
  static const uint8_t payload[480];
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, sizeof(payload));
  uint8_t octets[24] = {0};
  memcpy(octets, framing_send, 4);
  octets[7] = pointer;
  memcpy(&octets[8], &framing_send[4], sizeof(octets) - 8);
  s.payload = payload;
  fixture_open_with(l, FIXTURE_M);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, octets, sizeof(octets), IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

static void framing_cut_in_header(struct rules_fixture *l) {
  framing_cut_around_marker(l, 4);
}

static void framing_cut_without_marker(struct rules_fixture *l) {
  framing_cut_around_marker(l, 8);
}

/* Of the FPDU after it the headers are all that comes. */
static void framing_cut_after_headers(struct rules_fixture *l) {
  framing_crc_alike(l);
  framing_octets(l, framing_send, 12, IWARP_UNDEC_UNFINISHED);
  framing_fin(l);
}

/* What was put in announces more than comes, and is no FPDU whatever would have come. */
static void framing_put_in(struct rules_fixture *l) {
  uint8_t octets[30] = {0xFF, 0xFF};
  memcpy(&octets[2], framing_send, sizeof(octets) - 2);
  fixture_begin_with(l, FIXTURE_C);
  framing_octets(l, octets, sizeof(octets), IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

/* The same where the first FPDU is expected: no FPDU before it could have a wrong length. */
static void framing_put_in_first(struct rules_fixture *l) {
  uint8_t octets[30] = {0xFF, 0xFF};
  memcpy(&octets[2], framing_send, sizeof(octets) - 2);
  fixture_open_with(l, FIXTURE_C);
  framing_octets(l, octets, sizeof(octets), IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

/* Octets that begin an FPDU with the last one of the FPDU before, had that been captured. */
static void framing_after_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.cut = 40;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  framing_octets(l, &framing_send[1], sizeof(framing_send) - 1, IWARP_UNDEC_NO_BOUNDARY);
  framing_fin(l);
}

const struct rules_case rules_cases_framing[] = {
    {"mpa.framing", FIXTURE_PASS, 0, "FPDUs to the end", framing_good, NULL},
    {"mpa.framing", FIXTURE_NEAR, 0, "payload like an FPDU", framing_payload, NULL},
    {"mpa.framing", FIXTURE_SILENT, 0, "DV 0 after payload like an FPDU", framing_version_0,
     "ddp.version"},
    {"mpa.framing", FIXTURE_SILENT, 0, "DV 2 after payload like an FPDU", framing_version_2,
     "ddp.version"},
    {"mpa.ulpdu-length-zero", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after one that was cut",
     framing_empty_after_cut, NULL},
    {"ddp.version", FIXTURE_FAIL, 0, "after one that was cut", framing_version_after_cut, NULL},
    {"mpa.ulpdu-length-zero", FIXTURE_FAIL, 0, "after a whole one", framing_empty_after_whole,
     NULL},
    {"mpa.framing", FIXTURE_PASS, 0, "three octets after a wrong Marker", framing_length_alone,
     "mpa.marker-pointer"},
    {"mpa.framing", FIXTURE_SILENT, 0, "four octets after a wrong Marker", framing_versions_alone,
     "mpa.marker-pointer"},
    {"mpa.framing", FIXTURE_FAIL, 0, "no reading", framing_lost, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "no reading, the capture ends", framing_lost_open, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "said once", framing_lost_twice, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "short, then FIN", framing_short_fin, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "short, then an FPDU", framing_short_goes_on, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "no CRC field", framing_no_crc, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "seven octets after one like more", framing_no_crc_short,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "no CRC field, 16 octets", framing_no_crc_16,
     "ddp.header-length"},
    {"mpa.framing", FIXTURE_FAIL, 0, "no PAD", framing_no_pad, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too large", framing_earlier, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too large by 16", framing_earlier_16, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "octets put in after a wrong CRC", framing_later, "mpa.crc"},
    {"mpa.framing", FIXTURE_FAIL, 0, "16 octets put in after a wrong CRC", framing_later_16,
     "mpa.crc"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too small by 4", framing_less_4, "mpa.crc"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too small by 4, unfinished", framing_less_unfinished,
     "mpa.crc"},
    {"mpa.crc", FIXTURE_NEAR, 0, "length too small, the rest apart", framing_less_apart,
     "mpa.framing"},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "length too small, the rest damaged", framing_less_damaged, "mpa.crc"},
    {"mpa.crc", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "octets are missing after it",
     framing_crc_gap, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too large by 16, with CRCs", framing_earlier_crc_16,
     "mpa.crc"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too large by 3, with CRCs", framing_earlier_crc_3,
     "mpa.crc"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too small by 64", framing_less_64, "mpa.crc"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too small by 68", framing_less_68, "mpa.crc"},
    {"mpa.framing", FIXTURE_FAIL, 0, "no CRC field, with CRCs", framing_no_crc_checked, "mpa.crc"},
    {"mpa.framing", FIXTURE_FAIL, 0, "no CRC field before a Write", framing_no_crc_write,
     "mpa.crc"},
    {"mpa.framing", FIXTURE_FAIL, 0, "no CRC field, with CRCs, at the end", framing_no_crc_waits,
     "mpa.crc"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length of a Read Request too small", framing_less_read,
     "rdmap.read-request-length"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length of an Atomic Request too small", framing_less_atomic,
     "rdmap.atomic-request-length"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length of an Atomic Response too small",
     framing_less_atomic_response, "rdmap.atomic-response-length"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length of Immediate Data too small", framing_less_immediate,
     "rdmap.immediate-length"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length of a Terminate too small", framing_less_terminate,
     "rdmap.terminate-length"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length of a header too small", framing_less_header,
     "ddp.header-length"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length of a Read Response too small", framing_less_response,
     "rdmap.read-response-length"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length too small, before a PAD", framing_pad_then_4,
     "mpa.pad-zero"},
    {"mpa.framing", FIXTURE_FAIL, 0, "a wrong PAD and three octets put in", framing_pad_then_3,
     "mpa.pad-zero"},
    {"mpa.framing", FIXTURE_FAIL, 0, "no PAD, octets that are no zeros", framing_no_pad_but_octets,
     "mpa.pad-zero"},
    {"mpa.framing", FIXTURE_FAIL, 0, "no CRC field, a Read Response too long",
     framing_no_crc_of_response_8, "rdmap.read-response-length"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length of a Read Response too large by 4",
     framing_no_crc_of_response_12, "rdmap.read-response-length"},
    {"mpa.framing", FIXTURE_FAIL, 0, "octets put in after a right CRC", framing_put_between, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "one octet early", framing_earlier_1, NULL},
    {"mpa.framing", FIXTURE_SILENT, 0, "noise after a wrong Marker, no CRCs",
     framing_noise_after_pointer_no_crc, "mpa.marker-pointer"},
    {"mpa.framing", FIXTURE_SILENT, 0, "a Marker in the header after a wrong one",
     framing_around_marker_after_pointer, "mpa.marker-pointer"},
    {"mpa.framing", FIXTURE_FAIL, 0, "versions 2, no CRCs", framing_chain_version_2, NULL},
    {"mpa.framing", FIXTURE_SILENT, 0, "after a short header, no CRCs", framing_chain_short,
     "ddp.header-length"},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "inside one, after a FIN", framing_cut_after_fin, NULL},
    {"mpa.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after more than a FIN",
     framing_cut_after_more, NULL},
    {"mpa.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after an octet that is missing",
     framing_cut_after_octet, NULL},
    {"mpa.startup-again", FIXTURE_FAIL, 0, "and noise after it", framing_again_then, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "20 octets, then FIN", framing_cut_unanswered, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "inside one before the Reply", framing_cut_before_reply,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "7 octets where a Marker is due",
     framing_few_for_marker, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "an octet after 513", framing_few_after_513,
     "mpa.pd-length-max"},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "an octet like the first of a key", framing_key_octet, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "6 octets after what may be no Reply",
     framing_surplus_unconfirmed, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "four octets like a Marker, a pointer to no word",
     framing_marker_odd, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "a Marker", framing_marker, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "a Marker before 256 octets", framing_marker_long, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "a Marker before the longest", framing_marker_longest, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "one octet put in", framing_octet_between, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "four octets, a Queue Number of 2^31", framing_queue_far,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "a Marker 320 octets after ULPDU_Length", framing_marker_far,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "four octets that are no Marker", framing_marker_reserved,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "noise after one with a Marker", framing_noise_after_marker,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "noise after a wrong Marker", framing_noise_after_pointer,
     "mpa.marker-pointer"},
    {"mpa.framing", FIXTURE_FAIL, 0, "length of the other order", framing_other_order, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "long, of the other order", framing_other_order_long, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "length over others", framing_swallowed, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "no Marker", framing_no_marker, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "no CRC field, no CRCs", framing_chain, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "no CRC field, no CRCs, and more", framing_chain_goes_on,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "octets put in, RST", framing_put_in, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "octets put in first", framing_put_in_first, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "after one that was cut", framing_after_cut, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "after a right CRC that looks like more",
     framing_right_crc_fin, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a right CRC, capture ends",
     framing_right_crc_open, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "short, capture ends",
     framing_short_cut, NULL},
    {"mpa.framing", FIXTURE_SILENT, 0, "cut after payload like an FPDU", framing_reset_like_payload,
     NULL},
    {"mpa.framing", FIXTURE_SILENT, 0, "short, RST", framing_short_reset, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "short, gap", framing_short_gap, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN, "after a gap", framing_after_gap,
     NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "no SYN", framing_no_syn, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Reply", framing_alone,
     NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT, "Markers inferred",
     framing_inferred, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT, "no Marker, inferred",
     framing_no_first_marker_inferred, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "no Marker, asked for by what may be no Reply", framing_no_first_marker_unconfirmed, NULL},
    {"mpa.framing", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged", framing_damaged,
     NULL},
    {"mpa.framing", FIXTURE_SILENT, 0, "may not send yet", framing_not_yet, NULL},
    {"mpa.marker-first", FIXTURE_FAIL, 0, "none, the rest swallowed", framing_no_first_marker,
     NULL},
    {"mpa.marker-first", FIXTURE_SILENT, 0, "none, after a Reply with R",
     framing_no_first_marker_rejected, "mpa.after-reject"},
    {"mpa.startup-again", FIXTURE_PASS, 0, "an FPDU", framing_good, NULL},
    {"mpa.startup-again", FIXTURE_NEAR, 0, "a key in the payload", framing_key_inside, NULL},
    {"mpa.startup-again", FIXTURE_FAIL, 0, "two Replies", framing_again, NULL},
    {"mpa.startup-again", FIXTURE_FAIL, 0, "two Replies, octets after", framing_again_goes_on,
     NULL},
    {"mpa.startup-again", FIXTURE_FAIL, 0, "two Requests of one side", framing_again_request, NULL},
    {"mpa.startup-again", FIXTURE_SILENT, 0, "after a gap", framing_again_gap, NULL},
    {"mpa.startup-again", FIXTURE_SILENT, 0, "after a Reply with R", framing_again_rejected,
     "mpa.after-reject"},
    {"mpa.startup-again", FIXTURE_FAIL, 0, "a Reply with R on its way", framing_again_before_reject,
     NULL},
    {"mpa.startup-again", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the Reply missing",
     framing_again_unseen_reply, NULL},
    {"mpa.startup-again", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "one direction",
     framing_again_unseen_side, NULL},
    {"mpa.startup-again", FIXTURE_FAIL, 0, "two Replies to a Request that is cut",
     framing_again_request_cut, NULL},
    {"mpa.startup-again", FIXTURE_PASS, 0, "later", framing_again_later, NULL},
    {"mpa.stream-end", FIXTURE_PASS, 0, "after an FPDU", framing_good, NULL},
    {"mpa.stream-end", FIXTURE_NEAR, 0, "payload like an FPDU", framing_payload, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "inside one", framing_cut, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "inside ULPDU_Length", framing_cut_word, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "after ULPDU_Length", framing_cut_after_length, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "inside one after a Marker", framing_cut_after_marker,
     NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "after payload like an FPDU", framing_cut_like_payload,
     NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "after its headers", framing_cut_after_headers, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "a Marker in its header", framing_cut_in_header, NULL},
    {"mpa.stream-end", FIXTURE_SILENT, 0, "no right Marker in its header",
     framing_cut_without_marker, "mpa.framing"},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "the Marker after its headers", framing_cut_before_marker,
     NULL},
    {"mpa.stream-end", FIXTURE_SILENT, 0, "the capture ends", framing_cut_open, NULL},
    {"mpa.stream-end", FIXTURE_SILENT, 0, "RST", framing_cut_reset, NULL},
    {"mpa.stream-end", FIXTURE_SILENT, 0, "after a Terminate", framing_cut_after_terminate, NULL},
    {"mpa.stream-end", FIXTURE_SILENT, 0, "no reading", framing_lost, "mpa.framing"},
    {"mpa.stream-end", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap", framing_cut_after_gap,
     NULL},
    {"mpa.startup-again", FIXTURE_FAIL, 0, "two Requests, no acknowledgement",
     framing_again_unacknowledged, NULL},
    {"mpa.framing", FIXTURE_NEAR, 0, "a Marker alone at the end", framing_marker_alone, NULL},
    {"mpa.stream-end", FIXTURE_NEAR, 0, "a Marker alone at the end", framing_marker_alone, NULL},
    {"mpa.marker-pointer", FIXTURE_FAIL, 0, "a word where a Marker is due", framing_word_alone,
     NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "zeros where no Marker is due", framing_zeros_alone, NULL},
    {"mpa.stream-end", FIXTURE_FAIL, 0, "more than a Marker", framing_marker_and_more, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "payload in its place, the longest FPDU",
     framing_displaced_longest, NULL},
};

const size_t rules_cases_framing_num = sizeof(rules_cases_framing) / sizeof(rules_cases_framing[0]);
