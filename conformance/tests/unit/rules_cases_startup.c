/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on startup frames. */

#include <string.h>

#include "rules_cases.h"

void start_rev1(struct rules_fixture *l) {
  fixture_exchange(l, (struct fixture_frame){.rev = 1, .flags = IWARP_MPA_FLAG_C},
                   (struct fixture_frame){.reply = true, .rev = 1, .pd_length = 512});
}

void start_request_only(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

void start_reply_only(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  l->info.side[0].start_known = false;
  l->received = FIXTURE_START_0 + 40;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

/* ---- keys ---- */

static void start_no_request_key(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  fixture_streaming(l, FIXTURE_INITIATOR, 40);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

/* The first octets of the key, or others; the capture may lack those after them. */
static void start_few_octets(struct rules_fixture *l, const char *octets) {
  const struct fixture_frame reply = fixture_reply();
  fixture_streaming_of(l, FIXTURE_INITIATOR, (iwarp_span){(const uint8_t *)octets, 6});
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_request_key_begun(struct rules_fixture *l) {
  start_few_octets(l, "MPA ID");
}

static void start_request_key_not_begun(struct rules_fixture *l) {
  start_few_octets(l, "MPA iD");
}

static void start_wrong_request_key(struct rules_fixture *l) {
  struct fixture_frame request = fixture_request();
  request.wrong_key = true;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

static void start_wrong_request_key_joined(struct rules_fixture *l) {
  l->info.side[0].start_known = false;
  start_wrong_request_key(l);
}

static void start_no_request_key_gap(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  fixture_gap(l, FIXTURE_INITIATOR, 20, IWARP_GAP_LOST);
  fixture_streaming(l, FIXTURE_INITIATOR, 40);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_streaming_first(struct rules_fixture *l) {
  fixture_streaming(l, FIXTURE_INITIATOR, 40);
  fixture_streaming(l, FIXTURE_RESPONDER, 9);
  fixture_open(l);
}

static void start_wrong_reply_key(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.wrong_key = true;
  fixture_exchange(l, fixture_request(), reply);
}

static void start_wrong_reply_key_joined(struct rules_fixture *l) {
  l->info.side[1].start_known = false;
  start_wrong_reply_key(l);
}

static void start_two_requests(struct rules_fixture *l) {
  fixture_exchange(l, fixture_request(), fixture_request());
}

static void start_crossing_requests(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->received = l->next[0] - 1;
  fixture_startup(l, FIXTURE_RESPONDER, &request);
}

static void start_two_requests_no_ack(struct rules_fixture *l) {
  l->no_ack = true;
  start_two_requests(l);
}

static void start_reply_too_early(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  const struct fixture_frame reply = fixture_reply();
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->received = l->next[0] - 1;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

/* PD_Length is above its limit, and the Responder had received so many octets of the Request. */
static void start_reply_to_octets(struct rules_fixture *l, uint64_t octets) {
  const struct fixture_frame request = {.rev = 1, .pd_length = 513};
  const struct fixture_frame reply = {.reply = true, .rev = 1, .flags = IWARP_MPA_FLAG_R};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->received = FIXTURE_START_0 + octets;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_reply_to_part_of_length(struct rules_fixture *l) {
  start_reply_to_octets(l, IWARP_MPA_STARTUP_LEN - 1);
}

static void start_reply_to_wrong_length(struct rules_fixture *l) {
  start_reply_to_octets(l, IWARP_MPA_STARTUP_LEN);
}

/* A second Request, after which the Responder, whose stream was joined, is first seen: it may have
 * answered the first one with R before. */
static void start_again_unseen(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  const struct fixture_frame reply = fixture_reply();
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  l->received = l->next[FIXTURE_INITIATOR] + 20;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  l->received = FIXTURE_START_1;
  fixture_run(l, FIXTURE_INITIATOR,
              (iwarp_span){iwarp_mpa_key_octets(IWARP_MPA_KEY_REQUEST), IWARP_MPA_KEY_LEN},
              IWARP_MPA_STARTUP_LEN, IWARP_UNDEC_NOT_FPDU);
}

static void start_reply_to_nothing(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_reply_to_nothing_late(struct rules_fixture *l) {
  l->info.side[0].start_known = false;
  start_reply_to_nothing(l);
  l->info.side[0].start_known = true;
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The Request comes after all. */
static void start_reply_before_request(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  start_reply_to_nothing(l);
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The Initiator begins with the key of a Reply, which a Reply answers. */
static void start_reply_for_request(struct rules_fixture *l) {
  const struct fixture_frame reply = fixture_reply();
  fixture_startup(l, FIXTURE_INITIATOR, &reply);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_reply_to_nothing_damaged(struct rules_fixture *l) {
  l->damaged = true;
  start_reply_to_nothing(l);
}

static void start_no_ack(struct rules_fixture *l) {
  l->no_ack = true;
  fixture_open(l);
}

/* ---- flags and revision ---- */

void start_request_flags(struct rules_fixture *l, uint8_t flags, uint8_t rev) {
  const struct fixture_frame request = {.flags = flags, .rev = rev, .pd_length = 4};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

static void start_reserved_flag(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_S | 0x08, 2);
}

static void start_damaged(struct rules_fixture *l) {
  l->damaged = true;
  start_request_flags(l, IWARP_MPA_FLAG_S | 0x08, 2);
}

static void start_all_flags(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.flags = 0xF0;
  fixture_exchange(l, fixture_request(), reply);
}

static void start_reserved_low(struct rules_fixture *l) {
  start_request_flags(l, 0x01, 1);
}

static void start_request_rejects(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_R, 1);
}

void start_reply_rejects(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.flags |= IWARP_MPA_FLAG_R;
  fixture_exchange(l, fixture_request(), reply);
}

static void start_rev3(struct rules_fixture *l) {
  start_request_flags(l, 0, 3);
}

static void start_rdmac(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C, 0);
}

static void start_rdmac_no_markers(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_C, 0);
}

static void start_rdmac_no_crc(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_M, 0);
}

static void start_rev1_no_flags(struct rules_fixture *l) {
  start_request_flags(l, 0, 1);
}

static void start_reply_higher(struct rules_fixture *l) {
  fixture_exchange(l, (struct fixture_frame){.rev = 1},
                   (struct fixture_frame){.reply = true, .rev = 2});
}

static void start_reply_lower(struct rules_fixture *l) {
  fixture_exchange(l, (struct fixture_frame){.rev = 2},
                   (struct fixture_frame){.reply = true, .rev = 1});
}

/* ---- Private Data ---- */

void start_pd(struct rules_fixture *l, uint16_t pd_length, uint16_t missing) {
  const struct fixture_frame request = {.rev = 1, .pd_length = pd_length, .missing = missing};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

static void start_pd_513(struct rules_fixture *l) {
  start_pd(l, 513, 0);
}

static void start_pd_512(struct rules_fixture *l) {
  start_pd(l, 512, 0);
}

static void start_pd_short_fin(struct rules_fixture *l) {
  fixture_streaming(l, FIXTURE_RESPONDER, 1);
  start_pd(l, 20, 16);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

void start_pd_short_alone(struct rules_fixture *l) {
  start_pd(l, 20, 16);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void start_pd_short_then_fin(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_pd_short_alone(l);
  l->info.side[FIXTURE_RESPONDER].start_known = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_pd_short_one_way(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_pd_short_alone(l);
}

static void start_pd_short_after_peer(struct rules_fixture *l) {
  fixture_streaming(l, FIXTURE_RESPONDER, 1);
  start_pd(l, 20, 16);
  l->received = l->next[1] + 1; /* the other side's FIN */
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* What the peer had sent before, at least its FIN, is not in the capture. */
static void start_pd_short_after_gap(struct rules_fixture *l) {
  start_pd(l, 20, 16);
  fixture_gap(l, 1, 1, IWARP_GAP_LOST);
  fixture_end(l, 0, IWARP_END_FIN);
}

static void start_pd_short_rst(struct rules_fixture *l) {
  start_pd(l, 20, 16);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

static void start_pd_gap(struct rules_fixture *l) {
  l->info.side[0].gap = true;
  start_pd(l, 20, 16);
}

void start_surplus(struct rules_fixture *l) {
  start_pd(l, 10, 0);
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

/* Octets of the Request's Private Data are missing: FPDUs may stand in the Reply's Private Data, or
 * not. */
static void start_surplus_after_cover(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1, .pd_length = 40, .missing = 30};
  const struct fixture_frame reply = {.reply = true, .rev = 1, .pd_length = 64};
  uint8_t again[24] = {0};
  memcpy(again, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), IWARP_MPA_KEY_LEN);
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_gap(l, FIXTURE_INITIATOR, 30, IWARP_GAP_SNAPLEN);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_run(l, FIXTURE_RESPONDER, (iwarp_span){again, sizeof(again)}, sizeof(again),
              IWARP_UNDEC_NOT_FPDU);
}

/* Where the Responder begins is known once it ends. */
static void start_surplus_known_late(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_surplus(l);
  l->info.side[FIXTURE_RESPONDER].start_known = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* The Reply came after them, or before them, or after a gap in which the true one may lie. */
static void start_surplus_then_reply(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  fixture_streaming(l, FIXTURE_RESPONDER, 8);
  start_surplus(l);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_surplus_reply_received(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  start_pd(l, 10, 0);
  l->received = l->next[FIXTURE_RESPONDER] + 20;
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
  l->received = 0;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_surplus_gap_reply(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  fixture_streaming(l, FIXTURE_RESPONDER, 8);
  start_surplus(l);
  fixture_gap(l, FIXTURE_RESPONDER, 4, IWARP_GAP_LOST);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* After a wrong key nothing may be a PD_Length. */
static void start_surplus_wrong_key(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1, .pd_length = 10, .wrong_key = true};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void start_pd_short_wrong_key(struct rules_fixture *l) {
  const struct fixture_frame request = {
      .rev = 1, .pd_length = 20, .missing = 16, .wrong_key = true};
  fixture_streaming(l, FIXTURE_RESPONDER, 1);
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void start_surplus_reply(struct rules_fixture *l) {
  start_rev1(l);
  fixture_undecodable(l, FIXTURE_RESPONDER, 6, IWARP_UNDEC_NOT_FPDU);
}

/* Octets after the Reply, and in a packet of its own what was sent when an FPDU had come. */
static void start_surplus_goes_on(struct rules_fixture *l) {
  start_rev1(l);
  iwarp_event ev = fixture_base(l, FIXTURE_RESPONDER, IWARP_EVENT_UNDECODABLE, 40);
  ev.u.undecodable = IWARP_UNDEC_NOT_FPDU;
  ev.last.packet = ++l->packet;
  ev.last.peer_pos += 44;
  fixture_event(l, &ev);
}

/* Octets after the Reply; the FPDUs after them have no Marker where one would stand without these
 * octets. */
static void start_surplus_marked(struct rules_fixture *l) {
  const uint8_t flags = FIXTURE_M | FIXTURE_C;
  start_request_flags(l, flags, 1);
  const struct fixture_frame reply = {.reply = true, .flags = flags, .rev = 1};
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
  fixture_undecodable(l, FIXTURE_RESPONDER, 12, IWARP_UNDEC_NOT_FPDU);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 2000);
  s.marker = 2;
  s.marker_is = (iwarp_mpa_marker){.reserved = 0x4141, .fpduptr = 0x4141};
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
}

/* ---- octets after the frame that are too few to tell of an FPDU ---- */

/* The side sends so many octets of those after its frame, and ends. */
static void start_few_of(struct rules_fixture *l, unsigned side, size_t len, iwarp_end end) {
  static const uint8_t octets[8] = {0, 22, 0x41, 0x43};
  fixture_run(l, side, (iwarp_span){octets, len}, len, IWARP_UNDEC_UNFINISHED);
  fixture_end(l, side, end);
}

static void start_few_request(struct rules_fixture *l) {
  start_pd(l, 10, 0);
  start_few_of(l, FIXTURE_INITIATOR, 3, IWARP_END_FIN);
}

static void start_few_answered(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  start_pd(l, 10, 0);
  l->received = FIXTURE_START_1;
  fixture_undecodable(l, FIXTURE_INITIATOR, 1, IWARP_UNDEC_UNFINISHED);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void start_few_reply(struct rules_fixture *l) {
  start_rev1(l);
  start_few_of(l, FIXTURE_RESPONDER, 3, IWARP_END_FIN);
}

static void start_few_marked(struct rules_fixture *l) {
  const struct fixture_frame request = {.flags = FIXTURE_M, .rev = 1};
  fixture_exchange(l, request, (struct fixture_frame){.reply = true, .rev = 1});
  start_few_of(l, FIXTURE_RESPONDER, 7, IWARP_END_FIN);
}

/* A Reply and octets after it, to a Request that is complete only after the FIN. The sender of
 * these had received `more` octets than the Request has. */
static void start_then_request(struct rules_fixture *l, size_t len, uint64_t more) {
  const struct fixture_frame request = {.rev = 1, .pd_length = 10};
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  const uint64_t received = FIXTURE_START_0 + IWARP_MPA_STARTUP_LEN + request.pd_length;
  l->received = received;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  l->received = received + more;
  if (len < 4) {
    start_few_of(l, FIXTURE_RESPONDER, len, IWARP_END_FIN);
  } else {
    fixture_undecodable(l, FIXTURE_RESPONDER, len, IWARP_UNDEC_NOT_FPDU);
    fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
  }
  l->received = FIXTURE_START_1;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void start_few_then_request(struct rules_fixture *l) {
  start_then_request(l, 3, 0);
}

static void start_run_then_request(struct rules_fixture *l) {
  start_then_request(l, 6, 0);
}

static void start_few_then_longer(struct rules_fixture *l) {
  start_then_request(l, 3, 1);
}

/* Four octets may be ULPDU_Length and the control octets of an FPDU; so may the octets of an FPDU
 * that is cut off. */
static void start_few_four(struct rules_fixture *l) {
  start_rev1(l);
  start_few_of(l, FIXTURE_RESPONDER, 4, IWARP_END_FIN);
}

static void start_few_may_send(struct rules_fixture *l) {
  start_rev1(l);
  start_few_of(l, FIXTURE_INITIATOR, 3, IWARP_END_FIN);
}

static void start_few_reset(struct rules_fixture *l) {
  start_rev1(l);
  start_few_of(l, FIXTURE_RESPONDER, 3, IWARP_END_RST);
}

static void start_few_open(struct rules_fixture *l) {
  start_rev1(l);
  start_few_of(l, FIXTURE_RESPONDER, 3, IWARP_END_CAPTURE);
}

static void start_few_damaged(struct rules_fixture *l) {
  start_rev1(l);
  l->damaged = true;
  start_few_of(l, FIXTURE_RESPONDER, 3, IWARP_END_FIN);
}

/* They may be the beginning of another startup frame. */
static void start_few_of_key(struct rules_fixture *l) {
  start_rev1(l);
  fixture_run(l, FIXTURE_RESPONDER, (iwarp_span){iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), 3}, 3,
              IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* What may be missing of the other side is what would let it send. */
static void start_few_gap(struct rules_fixture *l) {
  start_pd(l, 10, 0);
  fixture_gap(l, FIXTURE_RESPONDER, 20, IWARP_GAP_LOST);
  start_few_of(l, FIXTURE_INITIATOR, 3, IWARP_END_FIN);
}

/* ---- FPDUs in what PD_Length takes for Private Data ---- */

#define START_COVERS_FPDU                                                                          \
  28u /* octets of a Send without payload and Markers, PAD and CRC included */

/* What is other than in the plain case: a Reply with C and 4 octets of Private Data, whose
 * PD_Length covers two Sends of 4 octets too; the Initiator closes first. */
struct start_covers {
  uint32_t msn;      /* added to the MSN of the first Send */
  bool read;         /* instead of it a Read Request that is too short for its header */
  uint8_t flip;      /* into the CRC of the second one */
  uint8_t tail;      /* octets after both, of no FPDU */
  uint8_t early;     /* the Initiator had received so many octets less */
  bool no_crc;       /* C is clear */
  bool unheard;      /* the Responder had not received the Initiator's FPDU */
  bool cut;          /* so is the stream, in the second Send */
  bool short_pd;     /* PD_Length announces 100 octets more */
  bool damaged;      /* the packets of the Reply are, of which the Initiator has all octets */
  bool gap;          /* an octet of the Initiator is missing after its FPDU */
  uint32_t next_msn; /* of a Send after the Private Data; 0: none */
  bool next_write;   /* a Write comes after it */
  iwarp_end end;     /* of the Responder; OPEN: a FIN */
};

static size_t start_covers_as(uint8_t *out, struct fixture_seg s, bool marker, uint8_t flip) {
  uint8_t ulpdu[IWARP_DDP_UNTAGGED_LEN + 4] = {0};
  size_t len = 0;
  iwarp_ddp_hdr_encode(ulpdu, sizeof(ulpdu), &len, &s.ddp);
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, sizeof(ulpdu)}, .markers = marker};
  iwarp_mpa_fpdu_encode(out, START_COVERS_FPDU + (marker ? IWARP_MPA_MARKER_LEN : 0), &len, &d);
  out[len - 1] ^= flip;
  return len;
}

static size_t start_covers_fpdu(uint8_t *out, struct fixture_seg s, uint8_t flip) {
  return start_covers_as(out, s, false, flip);
}

static void start_covers(struct rules_fixture *l, struct start_covers c) {
  uint8_t data[4 + 2 * START_COVERS_FPDU + 20] = {0};
  const uint8_t flags = c.no_crc ? 0 : IWARP_MPA_FLAG_C;
  const struct fixture_frame request = {.flags = flags, .rev = 1};
  struct fixture_frame reply = {.reply = true, .flags = flags, .rev = 1, .data = data};
  size_t len = 4;
  len += start_covers_fpdu(
      &data[len],
      c.read ? fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 4) : fixture_send(1 + c.msn), 0);
  len += start_covers_fpdu(&data[len], fixture_send(2), c.flip);
  memset(&data[len], 0xFF, c.tail);
  len += c.tail;
  reply.missing = (uint16_t)((c.short_pd ? 100u : 0u) + (c.cut ? 5u : 0u));
  reply.pd_length = (uint16_t)(len + (c.short_pd ? 100u : 0u));
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_settle(l);
  l->received = FIXTURE_START_1 + IWARP_MPA_STARTUP_LEN + 4 - c.early;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  if (c.gap) {
    fixture_gap(l, FIXTURE_INITIATOR, 1, IWARP_GAP_LOST);
  }
  l->received = 0;
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  l->received = c.unheard ? l->next[FIXTURE_INITIATOR] - 1 : 0;
  l->info.side[FIXTURE_RESPONDER].flags = flags;
  fixture_settle(l); /* as the Reply does that comes now */
  l->damaged = l->damaged || c.damaged;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
  if (c.next_msn != 0) {
    fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(c.next_msn));
  }
  if (c.next_write) {
    fixture_fpdu(l, FIXTURE_RESPONDER, fixture_write());
  }
  fixture_end(l, FIXTURE_RESPONDER, c.end == IWARP_END_OPEN ? IWARP_END_FIN : c.end);
}

#define START_COVERS(name, ...)                                                                    \
  static void start_covers_##name(struct rules_fixture *l) {                                       \
    start_covers(l, (struct start_covers){__VA_ARGS__});                                           \
  }

START_COVERS(whole, .msn = 0)
START_COVERS(cut, .short_pd = true, .cut = true)
START_COVERS(short, .short_pd = true)
START_COVERS(goes_on, .next_msn = 3)
START_COVERS(tail, .tail = 3)
START_COVERS(restarts, .next_msn = 1)
START_COVERS(ends_inside, .tail = 3, .next_write = true)
START_COVERS(capture_end, .end = IWARP_END_CAPTURE)
START_COVERS(reset, .end = IWARP_END_RST)
START_COVERS(damaged, .damaged = true)
START_COVERS(gap, .gap = true)
START_COVERS(second_msn, .msn = 1)
START_COVERS(short_read, .read = true)
START_COVERS(wrong_crc, .flip = 1)
START_COVERS(other_octets, .tail = 20)
START_COVERS(not_there, .early = 1)
START_COVERS(unheard, .unheard = true)
START_COVERS(no_crc, .no_crc = true)

/* An exchange with a Reply whose PD_Length announces so many octets of Private Data. The Initiator
 * takes it for whole when it has `taken` of them. */
static void start_taken_at(struct rules_fixture *l, uint16_t taken, uint16_t pd_length,
                           const uint8_t *data) {
  const struct fixture_frame request = {.flags = IWARP_MPA_FLAG_C, .rev = 1};
  const struct fixture_frame reply = {
      .reply = true, .flags = IWARP_MPA_FLAG_C, .rev = 1, .data = data, .pd_length = pd_length};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_settle(l);
  l->received = (uint64_t)FIXTURE_START_1 + IWARP_MPA_STARTUP_LEN + taken;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  l->received = 0;
  l->info.side[FIXTURE_RESPONDER].flags = IWARP_MPA_FLAG_C;
  fixture_settle(l);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
}

static void start_taken_early(struct rules_fixture *l, uint16_t pd_length, const uint8_t *data) {
  start_taken_at(l, 4, pd_length, data);
}

/* All of the Reply had come: it was sent again, and so acknowledges the FPDU that answers it. */
static void start_taken_whole(struct rules_fixture *l) {
  static const uint8_t data[4] = {0};
  start_taken_early(l, sizeof(data), data);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* There are no Private Data at all, and PD_Length covers an FPDU. */
static void start_covers_first(struct rules_fixture *l) {
  uint8_t data[START_COVERS_FPDU];
  start_covers_fpdu(data, fixture_send(1), 0);
  start_taken_at(l, 0, sizeof(data), data);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* PD_Length of the Request covers an FPDU; the Reply is sent when all before that has come, and its
 * sender had received so many octets of the Reply. So many octets that are no FPDU follow the
 * Reply. */
static void start_request_covers(struct rules_fixture *l, unsigned received, uint64_t surplus) {
  uint8_t data[4 + START_COVERS_FPDU] = {0};
  start_covers_fpdu(&data[4], fixture_send(1), 0);
  const struct fixture_frame request = {
      .flags = IWARP_MPA_FLAG_C, .rev = 1, .data = data, .pd_length = sizeof(data)};
  const struct fixture_frame reply = {.reply = true, .flags = IWARP_MPA_FLAG_C, .rev = 1};
  l->received = FIXTURE_START_1 + received;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_settle(l);
  l->info.side[FIXTURE_RESPONDER].flags = IWARP_MPA_FLAG_C;
  l->received = FIXTURE_START_0 + IWARP_MPA_STARTUP_LEN + 4;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
  if (surplus > 0) {
    l->received = FIXTURE_START_0 + IWARP_MPA_STARTUP_LEN + 4;
    fixture_undecodable(l, FIXTURE_RESPONDER, surplus, IWARP_UNDEC_NOT_FPDU);
  }
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_request_covers_answered(struct rules_fixture *l) {
  start_request_covers(l, 1, 0);
}

static void start_request_covers_unanswered(struct rules_fixture *l) {
  start_request_covers(l, 0, 0);
}

/* Where the Request ends is what PD_Length does not say: whether its sender may go on is open. */
static void start_request_covers_surplus(struct rules_fixture *l) {
  start_request_covers(l, 1, 6);
}

/* What is missing ends with the Private Data: FPDUs may be among it. */
static void start_holed(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1, .pd_length = 90, .missing = 80};
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  struct fixture_seg s = fixture_send(2);
  s.ddp.rsvd = 1;
  l->info.side[FIXTURE_INITIATOR].gap = true;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_gap(l, FIXTURE_INITIATOR, 80, IWARP_GAP_SNAPLEN);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
  l->lost[FIXTURE_INITIATOR] = false;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* PD_Length covers so many octets of the first FPDU, and the rest of it is read as one. */
static void start_covers_few(struct rules_fixture *l, uint16_t few) {
  uint8_t data[4 + START_COVERS_FPDU] = {0};
  start_covers_fpdu(&data[4], fixture_send(1), 0);
  start_taken_early(l, (uint16_t)(4 + few), data);
  fixture_wire(l, FIXTURE_RESPONDER, (iwarp_span){&data[4 + few], START_COVERS_FPDU - few});
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* It covers octets that are no FPDU with those after them either. */
static void start_covers_none(struct rules_fixture *l) {
  static const uint8_t data[8] = {[5] = 1, [6] = 0xEE};
  static const uint8_t after[IWARP_RUN_HEAD_LEN] = {0, 1, 0xEE};
  start_taken_early(l, sizeof(data), data);
  fixture_run(l, FIXTURE_RESPONDER, (iwarp_span){after, sizeof(after)}, sizeof(after),
              IWARP_UNDEC_NO_BOUNDARY);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_covers_four(struct rules_fixture *l) {
  start_covers_few(l, 4);
}

/* A Send that is the second one if Private Data of the Request hold the first. */
static void start_covers_before_reply(struct rules_fixture *l) {
  uint8_t data[START_COVERS_FPDU];
  const struct fixture_frame request = {
      .flags = IWARP_MPA_FLAG_C, .rev = 1, .data = data, .pd_length = sizeof(data)};
  start_covers_fpdu(data, fixture_send(1), 0);
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_settle(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

/* Of the other direction nothing was seen: the first FPDU may follow one in the Private Data. */
static void start_covers_alone(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  l->info.side[FIXTURE_RESPONDER].seen = false;
  start_covers_before_reply(l);
}

/* Of the Initiator nothing was seen, which may have asked for Markers: the Private Data hold an
 * FPDU with one before it, whose CRC is right but for `flip`, and the Send `next` follows. */
static void start_marked(struct rules_fixture *l, uint8_t *data, uint16_t len, uint8_t flip,
                         uint32_t next) {
  const struct fixture_frame reply = {
      .reply = true, .flags = IWARP_MPA_FLAG_C, .rev = 1, .data = data, .pd_length = len};
  start_covers_as(&data[4], fixture_send(1), true, flip);
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  l->info.side[FIXTURE_INITIATOR].seen = false;
  l->info.side[FIXTURE_RESPONDER].markers = IWARP_TRISTATE_UNKNOWN;
  l->info.crc = IWARP_TRISTATE_ON;
  l->info.crc_by = IWARP_KNOWN_BY_STARTUP;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(next));
}

static void start_covers_marked(struct rules_fixture *l, uint8_t flip) {
  uint8_t data[4 + IWARP_MPA_MARKER_LEN + START_COVERS_FPDU] = {0};
  start_marked(l, data, sizeof(data), flip, 2);
}

static void start_covers_marker(struct rules_fixture *l) {
  start_covers_marked(l, 0);
}

static void start_covers_bad_marked(struct rules_fixture *l) {
  start_covers_marked(l, 1);
}

/* Octets after the Reply that end inside a key of another startup frame, or do not belong to
 * one. */
static void start_surplus_of_key(struct rules_fixture *l, iwarp_mpa_key key, size_t len,
                                 uint8_t flip) {
  uint8_t octets[IWARP_MPA_KEY_LEN];
  memcpy(octets, iwarp_mpa_key_octets(key), sizeof(octets));
  octets[len - 1] ^= flip;
  start_rev1(l);
  fixture_run(l, FIXTURE_RESPONDER, (iwarp_span){octets, len}, len, IWARP_UNDEC_NOT_FPDU);
}

static void start_surplus_reply_key(struct rules_fixture *l) {
  start_surplus_of_key(l, IWARP_MPA_KEY_REPLY, IWARP_MPA_KEY_LEN - 1, 0);
}

static void start_surplus_request_key(struct rules_fixture *l) {
  start_surplus_of_key(l, IWARP_MPA_KEY_REQUEST, IWARP_MPA_KEY_LEN - 1, 0);
}

static void start_surplus_no_key(struct rules_fixture *l) {
  start_surplus_of_key(l, IWARP_MPA_KEY_REPLY, IWARP_MPA_KEY_LEN - 1, 1);
}

/* ---- octets after a Request whose PD_Length is wrong in itself ---- */

static void start_surplus_enhanced(struct rules_fixture *l, uint8_t rev, uint16_t pd_length) {
  struct fixture_frame request = fixture_request();
  request.rev = rev;
  request.pd_length = pd_length;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_undecodable(l, FIXTURE_INITIATOR, 6, IWARP_UNDEC_NOT_FPDU);
}

static void start_surplus_enhanced_short(struct rules_fixture *l) {
  start_surplus_enhanced(l, 2, IWARP_MPA_ENHANCED_LEN - 1);
}

static void start_surplus_enhanced_least(struct rules_fixture *l) {
  start_surplus_enhanced(l, 2, IWARP_MPA_ENHANCED_LEN);
}

static void start_surplus_not_enhanced(struct rules_fixture *l) {
  start_surplus_enhanced(l, 1, IWARP_MPA_ENHANCED_LEN - 1);
}

/* ---- more of what PD_Length covers ---- */

/* PD_Length of the Reply covers this FPDU, and then comes that one; the Initiator closes first. */
static void start_covers_then(struct rules_fixture *l, struct fixture_seg covered,
                              struct fixture_seg next) {
  uint8_t data[4 + START_COVERS_FPDU] = {0};
  start_covers_fpdu(&data[4], covered, 0);
  start_taken_early(l, sizeof(data), data);
  fixture_fpdu(l, FIXTURE_RESPONDER, next);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* A Send of these versions. */
static void start_covers_version(struct rules_fixture *l, uint8_t ddp, uint8_t rdmap) {
  struct fixture_seg s = fixture_send(1);
  s.ddp.dv = ddp;
  s.ddp.rsvdulp =
      iwarp_rdmap_ctrl_encode((iwarp_rdmap_ctrl){.rv = rdmap, .opcode = IWARP_RDMAP_OP_SEND});
  start_covers_then(l, s, fixture_send(1));
}

static void start_covers_other_version(struct rules_fixture *l) {
  start_covers_version(l, 1, 0);
}

static void start_covers_version_2(struct rules_fixture *l) {
  start_covers_version(l, 2, 2);
}

static void start_covers_reserved(struct rules_fixture *l) {
  start_covers_then(l, fixture_untagged(12, 1, 0, 4), fixture_send(1));
}

/* A Write is on no queue. */
static void start_covers_write(struct rules_fixture *l) {
  start_covers_then(l, fixture_tagged(IWARP_RDMAP_OP_WRITE, 7, 8, 8), fixture_send(1));
}

static void start_covers_before_write(struct rules_fixture *l) {
  start_covers_then(l, fixture_send(1), fixture_write());
}

/* Both would be the first on the queue of Terminates. */
static void start_covers_terminate(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4);
  start_covers_then(l, s, s);
}

/* After the Reply something of the Initiator is missing. */
static void start_covers_peer_gap(struct rules_fixture *l) {
  uint8_t data[4 + START_COVERS_FPDU] = {0};
  start_covers_fpdu(&data[4], fixture_send(1), 0);
  start_taken_early(l, sizeof(data), data);
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* It covers an octet that is of no FPDU with those after it. */
static void start_covers_one(struct rules_fixture *l) {
  static const uint8_t data[5] = {0};
  static const uint8_t after[IWARP_RUN_HEAD_LEN] = {1, 0xEE, 0xEE};
  start_taken_early(l, sizeof(data), data);
  fixture_run(l, FIXTURE_RESPONDER, (iwarp_span){after, sizeof(after)}, sizeof(after),
              IWARP_UNDEC_NO_BOUNDARY);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* It covers too few to tell, and of those after them none is shown. */
static void start_covers_not_shown(struct rules_fixture *l) {
  static const uint8_t data[8] = {0};
  start_taken_early(l, sizeof(data), data);
  fixture_undecodable(l, FIXTURE_RESPONDER, 15, IWARP_UNDEC_UNFINISHED);
}

/* Of the Initiator something is missing, and CRCs are not in use: an FPDU may be covered. */
static void start_covers_holed_no_crc(struct rules_fixture *l) {
  uint8_t data[4 + START_COVERS_FPDU] = {0};
  const struct fixture_frame request = {.rev = 1};
  const struct fixture_frame reply = {
      .reply = true, .rev = 1, .data = data, .pd_length = sizeof(data)};
  start_covers_fpdu(&data[4], fixture_send(1), 0);
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  l->info.crc = IWARP_TRISTATE_OFF;
  l->info.crc_by = IWARP_KNOWN_BY_STARTUP;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

#define START_BEYOND 537u /* PD_Length, longer than any */

/* The Initiator takes such a Reply for whole when it has `taken` octets of its Private Data; then a
 * Send that is not the first one. */
static void start_beyond(struct rules_fixture *l, uint16_t taken, uint32_t msn) {
  start_taken_at(l, taken, START_BEYOND, NULL);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(msn));
}

static void start_beyond_early(struct rules_fixture *l) {
  start_beyond(l, 4, 5);
}

static void start_beyond_whole(struct rules_fixture *l) {
  start_beyond(l, START_BEYOND, 1);
}

/* Nothing of the Initiator after its Request tells what it took for whole. */
static void start_beyond_unanswered(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1};
  const struct fixture_frame reply = {.reply = true, .rev = 1, .pd_length = START_BEYOND};
  fixture_exchange(l, request, reply);
}

static void start_beyond_gap(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1};
  const struct fixture_frame reply = {.reply = true, .rev = 1, .pd_length = START_BEYOND};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
}

/* ---- Private Data that end early ---- */

/* The Responder had received none of the octets that the Initiator sent. */
static void start_reply_to_streaming(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  fixture_streaming(l, FIXTURE_INITIATOR, 22);
  l->received = FIXTURE_START_0;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_reply_to_short(struct rules_fixture *l) {
  const struct fixture_frame reply = {.reply = true, .rev = 1};
  start_pd(l, 20, 20);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_rdmac_no_flags(struct rules_fixture *l) {
  const struct fixture_frame request = {0};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

/* The Initiator has all octets of a Reply that is too short, and sends an FPDU. */
static void start_short_taken(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1};
  const struct fixture_frame reply = {.reply = true, .rev = 1, .pd_length = 40, .missing = 10};
  fixture_exchange(l, request, reply);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void start_short_taken_fin(struct rules_fixture *l) {
  start_short_taken(l);
  l->no_ack = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_short_taken_gap(struct rules_fixture *l) {
  start_short_taken(l);
  fixture_gap(l, FIXTURE_INITIATOR, 40, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_short_taken_own_gap(struct rules_fixture *l) {
  start_short_taken(l);
  fixture_gap(l, FIXTURE_RESPONDER, 10, IWARP_GAP_LOST);
  l->no_ack = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_short_of(struct rules_fixture *l, uint16_t pd_length, uint16_t missing) {
  start_pd(l, pd_length, missing);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void start_short_of_512(struct rules_fixture *l) {
  start_short_of(l, IWARP_MPA_PRIVATE_DATA_MAX, 5);
}

static void start_short_of_all(struct rules_fixture *l) {
  start_short_of(l, 20, 20);
}

/* PD_Length of each frame covers octets of an FPDU. The Request goes on when the rest of the Reply
 * had arrived. The last packet of the Reply is sent when so many octets of the Request's FPDU had
 * arrived. */
static void start_both_cover(struct rules_fixture *l, uint64_t more) {
  const uint64_t request_at = FIXTURE_START_0 + IWARP_MPA_STARTUP_LEN + 4;
  uint8_t data[4 + START_COVERS_FPDU] = {0};
  start_covers_fpdu(&data[4], fixture_send(1), 0);
  struct fixture_frame request = {.flags = IWARP_MPA_FLAG_C,
                                  .rev = 1,
                                  .data = data,
                                  .pd_length = sizeof(data),
                                  .goes_on = true};
  struct fixture_frame reply = request;
  reply.reply = true;
  request.received = (uint64_t)FIXTURE_START_1 + IWARP_MPA_STARTUP_LEN + 4;
  reply.received = request_at + more;
  l->received = FIXTURE_START_1;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_settle(l);
  l->info.side[FIXTURE_RESPONDER].flags = IWARP_MPA_FLAG_C;
  l->received = request_at;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
  fixture_settle(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(more > 0 ? 2 : 1));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_both_cover_unheard(struct rules_fixture *l) {
  start_both_cover(l, 0);
}

static void start_both_cover_one(struct rules_fixture *l) {
  start_both_cover(l, 1);
}

/* The FPDU with a Marker before it, and a longer one whose CRC is wrong: the next Marker does not
 * belong in that. */
static void start_covers_marker_longer(struct rules_fixture *l) {
  enum { FIRST = IWARP_MPA_MARKER_LEN + START_COVERS_FPDU, SECOND = START_COVERS_FPDU + 16 };
  uint8_t data[4 + FIRST + SECOND] = {0};
  uint8_t ulpdu[IWARP_DDP_UNTAGGED_LEN + 20] = {0};
  const struct fixture_seg second = fixture_send(2);
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, sizeof(ulpdu)}};
  size_t len = 0;
  iwarp_ddp_hdr_encode(ulpdu, sizeof(ulpdu), &len, &second.ddp);
  iwarp_mpa_fpdu_encode(&data[4 + FIRST], SECOND, &len, &d);
  data[sizeof(data) - 1] ^= 1;
  start_marked(l, data, sizeof(data), 0, 2);
}

/* A Request whose Private Data goes on in a second packet; the last octets are not there, or are.
 */
static void start_pd_goes_on(struct rules_fixture *l, uint16_t missing) {
  const struct fixture_frame request = {
      .rev = 1, .pd_length = 513, .missing = missing, .goes_on = true};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

static void start_pd_513_goes_on(struct rules_fixture *l) {
  start_pd_goes_on(l, 0);
}

static void start_pd_513_cut_goes_on(struct rules_fixture *l) {
  start_pd_goes_on(l, 16);
}

/* ---- frames that are not properly formatted ---- */

static const struct fixture_frame start_long_request = {.rev = 1, .pd_length = 513};
static const struct fixture_frame start_plain_request = {.rev = 1};
static const struct fixture_frame start_plain_reply = {.reply = true, .rev = 1};

static void start_improper(struct rules_fixture *l, struct fixture_frame request,
                           struct fixture_frame reply) {
  fixture_exchange(l, request, reply);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_long_accepted(struct rules_fixture *l) {
  start_improper(l, start_long_request, start_plain_reply);
}

static void start_longest_accepted(struct rules_fixture *l) {
  start_improper(l, (struct fixture_frame){.rev = 1, .pd_length = 512}, start_plain_reply);
}

/* Of the frame the Responder had received so many octets. */
static void start_long_got(struct rules_fixture *l, uint64_t octets, uint8_t flags) {
  const struct fixture_frame reply = {.reply = true, .rev = 1, .flags = flags};
  fixture_startup(l, FIXTURE_INITIATOR, &start_long_request);
  l->received = FIXTURE_START_0 + octets;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_long_front_accepted(struct rules_fixture *l) {
  start_long_got(l, IWARP_MPA_STARTUP_LEN, 0);
}

static void start_long_rejected(struct rules_fixture *l) {
  start_long_got(l, IWARP_MPA_STARTUP_LEN + 513u, IWARP_MPA_FLAG_R);
}

static void start_long_no_ack(struct rules_fixture *l) {
  fixture_startup(l, FIXTURE_INITIATOR, &start_long_request);
  l->no_ack = true;
  fixture_startup(l, FIXTURE_RESPONDER, &start_plain_reply);
}

static void start_long_damaged(struct rules_fixture *l) {
  l->damaged = true;
  fixture_startup(l, FIXTURE_INITIATOR, &start_long_request);
  l->damaged = false;
  fixture_startup(l, FIXTURE_RESPONDER, &start_plain_reply);
}

static void start_long_joined(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_long_front_accepted(l);
}

static void start_long_after_gap(struct rules_fixture *l) {
  fixture_gap(l, FIXTURE_RESPONDER, 20, IWARP_GAP_SNAPLEN);
  start_long_front_accepted(l);
}

/* The Responder ends its stream instead, so many octets received. */
static void start_long_closed(struct rules_fixture *l, uint64_t octets, iwarp_end how) {
  fixture_startup(l, FIXTURE_INITIATOR, &start_long_request);
  l->received = FIXTURE_START_0 + octets;
  fixture_end(l, FIXTURE_RESPONDER, how);
}

static void start_long_fin(struct rules_fixture *l) {
  start_long_closed(l, IWARP_MPA_STARTUP_LEN + 513u, IWARP_END_FIN);
}

static void start_long_front_rst(struct rules_fixture *l) {
  start_long_closed(l, IWARP_MPA_STARTUP_LEN, IWARP_END_RST);
}

static void start_long_part_fin(struct rules_fixture *l) {
  start_long_closed(l, IWARP_MPA_STARTUP_LEN - 1, IWARP_END_FIN);
}

static void start_long_capture_ends(struct rules_fixture *l) {
  start_long_closed(l, IWARP_MPA_STARTUP_LEN + 513u, IWARP_END_CAPTURE);
}

static void start_long_rst_no_ack(struct rules_fixture *l) {
  fixture_startup(l, FIXTURE_INITIATOR, &start_long_request);
  l->no_ack = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void start_long_fin_joined(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_long_fin(l);
}

static void start_right_frame_fin(struct rules_fixture *l) {
  fixture_startup(l, FIXTURE_INITIATOR, &start_plain_request);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The key of the Request is seen to be one when its answer is. */
static void start_other_key_accepted(struct rules_fixture *l, uint64_t octets) {
  const struct fixture_frame request = {.rev = 1, .wrong_key = true};
  l->received = FIXTURE_START_0 + octets;
  fixture_startup(l, FIXTURE_RESPONDER, &start_plain_reply);
  l->received = FIXTURE_START_1;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

static void start_other_key_answered(struct rules_fixture *l) {
  start_other_key_accepted(l, IWARP_MPA_STARTUP_LEN);
}

static void start_other_key_joined(struct rules_fixture *l) {
  start_wrong_request_key_joined(l);
  fixture_startup(l, FIXTURE_RESPONDER, &start_plain_reply);
}

/* So many octets without a key are taken for a Request. */
static void start_octets_accepted(struct rules_fixture *l, uint64_t octets, uint8_t flags) {
  const struct fixture_frame reply = {.reply = true, .rev = 1, .flags = flags};
  fixture_streaming(l, FIXTURE_INITIATOR, octets);
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_20_octets_accepted(struct rules_fixture *l) {
  start_octets_accepted(l, IWARP_MPA_STARTUP_LEN, 0);
}

static void start_19_octets_accepted(struct rules_fixture *l) {
  start_octets_accepted(l, IWARP_MPA_STARTUP_LEN - 1, 0);
}

static void start_octets_rejected(struct rules_fixture *l) {
  start_octets_accepted(l, IWARP_MPA_STARTUP_LEN, IWARP_MPA_FLAG_R);
}

static void start_octets_joined(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_20_octets_accepted(l);
}

/* ---- the same of a Reply ---- */

static void start_reply_got(struct rules_fixture *l, struct fixture_frame reply, uint64_t octets) {
  fixture_exchange(l, start_plain_request, reply);
  l->received = FIXTURE_START_1 + octets;
}

static void start_long_reply(struct rules_fixture *l, uint64_t octets, struct fixture_seg s) {
  start_reply_got(l, (struct fixture_frame){.reply = true, .rev = 1, .pd_length = 513}, octets);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void start_long_reply_accepted(struct rules_fixture *l) {
  start_long_reply(l, IWARP_MPA_STARTUP_LEN + 513u, fixture_send(1));
}

static void start_long_reply_in_part(struct rules_fixture *l) {
  start_long_reply(l, IWARP_MPA_STARTUP_LEN + 512u, fixture_send(1));
}

static void start_long_reply_terminate(struct rules_fixture *l) {
  start_long_reply(l, IWARP_MPA_STARTUP_LEN + 513u,
                   fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4));
}

static void start_long_reply_damaged(struct rules_fixture *l) {
  start_reply_got(l, (struct fixture_frame){.reply = true, .rev = 1, .pd_length = 513},
                  IWARP_MPA_STARTUP_LEN + 513u);
  l->damaged = true;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

static void start_long_reply_gap(struct rules_fixture *l) {
  fixture_gap(l, FIXTURE_RESPONDER, 20, IWARP_GAP_LOST);
  start_long_reply(l, IWARP_MPA_STARTUP_LEN + 533u, fixture_send(1));
}

/* The FPDU is seen before the Reply, of whose Private Data nothing had come. */
static void start_long_reply_late(struct rules_fixture *l, uint64_t octets) {
  const struct fixture_frame reply = {.reply = true, .rev = 1, .pd_length = 513};
  fixture_startup(l, FIXTURE_INITIATOR, &start_plain_request);
  l->received = FIXTURE_START_1 + octets;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  l->received = 0;
  fixture_startup(l, FIXTURE_RESPONDER, &reply);
}

static void start_long_reply_front(struct rules_fixture *l) {
  start_long_reply_late(l, IWARP_MPA_STARTUP_LEN);
}

static void start_long_reply_not_front(struct rules_fixture *l) {
  start_long_reply_late(l, IWARP_MPA_STARTUP_LEN - 1);
}

static void start_other_reply_key_fin(struct rules_fixture *l) {
  start_reply_got(l, (struct fixture_frame){.reply = true, .rev = 1, .wrong_key = true},
                  IWARP_MPA_STARTUP_LEN);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* ---- a Request, and a FIN ---- */

/* The Responder closes when it had received so much more than the Request. */
static void start_unanswered(struct rules_fixture *l, const struct fixture_frame *request,
                             uint64_t more, iwarp_end how) {
  fixture_startup(l, FIXTURE_INITIATOR, request);
  l->received = l->next[FIXTURE_INITIATOR] + more;
  fixture_end(l, FIXTURE_RESPONDER, how);
}

static void start_unanswered_plain(struct rules_fixture *l) {
  start_unanswered(l, &start_plain_request, 0, IWARP_END_FIN);
}

static void start_unanswered_flags(struct rules_fixture *l) {
  const struct fixture_frame request = {.flags = FIXTURE_M | FIXTURE_C, .rev = 1, .pd_length = 512};
  start_unanswered(l, &request, 0, IWARP_END_FIN);
}

static void start_unanswered_enhanced(struct rules_fixture *l) {
  const struct fixture_frame request = fixture_request();
  start_unanswered(l, &request, 0, IWARP_END_FIN);
}

static void start_unanswered_rev(struct rules_fixture *l, uint8_t rev, uint8_t flags) {
  const struct fixture_frame request = {.flags = flags, .rev = rev};
  start_unanswered(l, &request, 0, IWARP_END_FIN);
}

static void start_unanswered_rev0(struct rules_fixture *l) {
  start_unanswered_rev(l, 0, FIXTURE_M | FIXTURE_C);
}

static void start_unanswered_rev2(struct rules_fixture *l) {
  start_unanswered_rev(l, 2, 0);
}

static void start_unanswered_reserved(struct rules_fixture *l) {
  start_unanswered_rev(l, 1, 1);
}

static void start_unanswered_short(struct rules_fixture *l) {
  const struct fixture_frame request = {.rev = 1, .pd_length = 20, .missing = 1};
  start_unanswered(l, &request, 0, IWARP_END_FIN);
}

static void start_unanswered_surplus(struct rules_fixture *l) {
  fixture_startup(l, FIXTURE_INITIATOR, &start_plain_request);
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){framing_noise, sizeof(framing_noise)},
              sizeof(framing_noise), IWARP_UNDEC_NOT_FPDU);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_unanswered_in_part(struct rules_fixture *l) {
  start_unanswered(l, &start_plain_request, (uint64_t)0 - 1, IWARP_END_FIN);
}

static void start_unanswered_after_fin(struct rules_fixture *l) {
  fixture_startup(l, FIXTURE_INITIATOR, &start_plain_request);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  l->received = l->next[FIXTURE_INITIATOR] + 1;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_unanswered_rst(struct rules_fixture *l) {
  start_unanswered(l, &start_plain_request, 0, IWARP_END_RST);
}

static void start_unanswered_capture(struct rules_fixture *l) {
  start_unanswered(l, &start_plain_request, 0, IWARP_END_CAPTURE);
}

static void start_unanswered_octets(struct rules_fixture *l) {
  fixture_streaming(l, FIXTURE_RESPONDER, 8);
  start_unanswered(l, &start_plain_request, 0, IWARP_END_FIN);
}

static void start_unanswered_streamed(struct rules_fixture *l) {
  fixture_streaming(l, FIXTURE_INITIATOR, 8);
  start_unanswered(l, &start_plain_request, 0, IWARP_END_FIN);
}

static void start_unanswered_no_ack(struct rules_fixture *l) {
  fixture_startup(l, FIXTURE_INITIATOR, &start_plain_request);
  l->no_ack = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_unanswered_joined(struct rules_fixture *l) {
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  start_unanswered_plain(l);
}

static void start_unanswered_gap(struct rules_fixture *l) {
  fixture_startup(l, FIXTURE_INITIATOR, &start_plain_request);
  fixture_gap(l, FIXTURE_RESPONDER, IWARP_MPA_STARTUP_LEN, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_unanswered_damaged(struct rules_fixture *l) {
  l->damaged = true;
  fixture_startup(l, FIXTURE_INITIATOR, &start_plain_request);
  l->damaged = false;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_answered_fin(struct rules_fixture *l) {
  fixture_startup(l, FIXTURE_INITIATOR, &start_plain_request);
  fixture_startup(l, FIXTURE_RESPONDER, &start_plain_reply);
  fixture_settle(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void start_rejected_fin(struct rules_fixture *l) {
  start_reply_rejects(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

const struct rules_case rules_cases_startup[] = {
    {"mpa.startup-again", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "the first Reply may not be captured", start_again_unseen, NULL},
    {"mpa.request-key", FIXTURE_PASS, 0, "right keys", fixture_open, NULL},
    {"mpa.request-key", FIXTURE_NEAR, 0, "streaming data first", start_streaming_first, NULL},
    {"mpa.request-key", FIXTURE_FAIL, 0, "no key in all that was sent", start_no_request_key,
     "mpa.improper-accepted"},
    {"mpa.request-key", FIXTURE_FAIL, 0, "one octet wrong", start_wrong_request_key, NULL},
    {"mpa.request-key", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "start of the stream not seen", start_wrong_request_key_joined, NULL},
    {"mpa.request-key", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "with a gap",
     start_no_request_key_gap, NULL},
    {"mpa.request-key", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the first octets of the key",
     start_request_key_begun, NULL},
    {"mpa.request-key", FIXTURE_FAIL, 0, "few octets, and not of a key",
     start_request_key_not_begun, NULL},
    {"mpa.reply-key", FIXTURE_PASS, 0, "right keys", fixture_open, NULL},
    {"mpa.reply-key", FIXTURE_NEAR, 0, "streaming data first", start_streaming_first, NULL},
    {"mpa.reply-key", FIXTURE_FAIL, 0, "one octet wrong", start_wrong_reply_key, NULL},
    {"mpa.reply-key", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "start of the stream not seen",
     start_wrong_reply_key_joined, NULL},
    {"mpa.two-requests", FIXTURE_PASS, 0, "Request and Reply", fixture_open, NULL},
    {"mpa.two-requests", FIXTURE_NEAR, 0, "streaming data first", start_streaming_first, NULL},
    {"mpa.two-requests", FIXTURE_FAIL, 0, "two Requests", start_two_requests, NULL},
    {"mpa.two-requests", FIXTURE_SILENT, 0, "all but the last octet of the Request was received",
     start_crossing_requests, NULL},
    {"mpa.two-requests", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "without an acknowledgement",
     start_two_requests_no_ack, NULL},
    {"mpa.reply-unasked", FIXTURE_PASS, 0, "Reply after the Request", fixture_open, NULL},
    {"mpa.reply-unasked", FIXTURE_NEAR, 0, "the Request just received", start_rev1, NULL},
    {"mpa.reply-unasked", FIXTURE_FAIL, 0, "last octet not received", start_reply_too_early, NULL},
    {"mpa.reply-unasked", FIXTURE_FAIL, 0, "PD_Length 513, not all of it received",
     start_reply_to_part_of_length, "mpa.pd-length-max"},
    {"mpa.reply-unasked", FIXTURE_SILENT, 0, "PD_Length 513, all of it received",
     start_reply_to_wrong_length, "mpa.pd-length-max"},
    {"mpa.reply-unasked", FIXTURE_FAIL, 0, "nothing received", start_reply_to_nothing, NULL},
    {"mpa.reply-unasked", FIXTURE_FAIL, 0, "nothing received, then the Request",
     start_reply_before_request, NULL},
    {"mpa.reply-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "nothing received, damaged", start_reply_to_nothing_damaged, NULL},
    {"mpa.request-key", FIXTURE_FAIL, 0, "that of a Reply, which is answered",
     start_reply_for_request, "mpa.improper-accepted"},
    {"mpa.reply-unasked", FIXTURE_FAIL, 0, "nothing received, known late",
     start_reply_to_nothing_late, NULL},
    {"mpa.reply-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "one direction",
     start_reply_only, NULL},
    {"mpa.reply-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "no acknowledgement",
     start_no_ack, NULL},
    {"mpa.flags-reserved", FIXTURE_PASS, 0, "no reserved flag", fixture_open, NULL},
    {"mpa.flags-reserved", FIXTURE_NEAR, 0, "all other flags", start_all_flags, NULL},
    {"mpa.flags-reserved", FIXTURE_FAIL, 0, "0x08 with Rev 2", start_reserved_flag, NULL},
    {"mpa.flags-reserved", FIXTURE_FAIL, 0, "0x01 with Rev 1", start_reserved_low, NULL},
    {"mpa.flags-reserved", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "damaged",
     start_damaged, NULL},
    {"mpa.request-reject-flag", FIXTURE_PASS, 0, "no R", fixture_open, NULL},
    {"mpa.request-reject-flag", FIXTURE_NEAR, 0, "R in the Reply", start_reply_rejects, NULL},
    {"mpa.request-reject-flag", FIXTURE_FAIL, 0, "R in the Request", start_request_rejects, NULL},
    {"mpa.rev", FIXTURE_FAIL, 0, "Rev 3", start_rev3, NULL},
    {"mpa.rev-rdmac", FIXTURE_PASS, 0, "Rev 2", fixture_open, NULL},
    {"mpa.rev-rdmac", FIXTURE_NEAR, 0, "Rev 1", start_rev1, NULL},
    {"mpa.rev-rdmac", FIXTURE_FAIL, 0, "Rev 0", start_rdmac, NULL},
    {"mpa.rdmac-flags", FIXTURE_PASS, 0, "M and C", start_rdmac, "mpa.rev-rdmac"},
    {"mpa.rdmac-flags", FIXTURE_FAIL, 0, "no M", start_rdmac_no_markers, "mpa.rev-rdmac"},
    {"mpa.rdmac-flags", FIXTURE_FAIL, 0, "no C", start_rdmac_no_crc, "mpa.rev-rdmac"},
    {"mpa.rev-pairing", FIXTURE_PASS, 0, "same revision", start_rev1, NULL},
    {"mpa.rev-pairing", FIXTURE_NEAR, 0, "a lower one", start_reply_lower, NULL},
    {"mpa.rev-pairing", FIXTURE_FAIL, 0, "a higher one", start_reply_higher, NULL},
    {"mpa.rev-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "Request not seen",
     start_reply_only, NULL},
    {"mpa.pd-length-max", FIXTURE_PASS, 0, "20", fixture_open, NULL},
    {"mpa.pd-length-max", FIXTURE_NEAR, 0, "512", start_pd_512, NULL},
    {"mpa.pd-length-max", FIXTURE_FAIL, 0, "513", start_pd_513, NULL},
    {"mpa.pd-length-match", FIXTURE_PASS, 0, "20 of 20", fixture_open, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "no Private Data", start_rev1_no_flags, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "4 of 20, then FIN", start_pd_short_fin, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "4 of 20, then FIN, no answer", start_pd_short_alone,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "4 of 20, then both FIN", start_pd_short_then_fin,
     NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "the peer unknown",
     start_pd_short_one_way, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "16 for 10 in the Request", start_surplus, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "another Reply after one that may cover FPDUs", start_surplus_after_cover, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "16 for 10, known late", start_surplus_known_late,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "16 for 10, then the Reply", start_surplus_then_reply,
     NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "the Reply came before", start_surplus_reply_received,
     NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "a gap before the Reply", start_surplus_gap_reply,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "octets after the Reply", start_surplus_reply, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "octets after the Reply, and later ones",
     start_surplus_goes_on, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0,
     "octets after the Reply, and no Marker where one is due", start_surplus_marked, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "13 for 10, then FIN", start_few_request, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "11 for 10, the Reply, FIN", start_few_answered, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "3 octets after the Reply, FIN", start_few_reply,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "3 octets beyond a Marker, FIN", start_few_marked,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "3 octets after the Reply, FIN, the Request",
     start_few_then_request, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "octets after the Reply, FIN, the Request",
     start_run_then_request, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "3 octets after the Reply to more",
     start_few_then_longer, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "4 octets, as of an FPDU", start_few_four,
     "mpa.stream-end"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "3 octets that are due", start_few_may_send,
     "mpa.stream-end"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "3 octets, then RST", start_few_reset, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "3 octets, the capture ends", start_few_open, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "3 octets, damaged", start_few_damaged, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "3 octets of a key", start_few_of_key,
     "mpa.stream-end"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "3 octets, a gap", start_few_gap, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "covers FPDUs", start_covers_whole, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "covers FPDUs, cut", start_covers_cut, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "covers FPDUs and more", start_covers_short, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "covers FPDUs, one after", start_covers_goes_on, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "covers FPDUs, one begun", start_covers_tail, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "covers four octets of one", start_covers_four, NULL},
    {"ddp.msn-first", FIXTURE_SILENT, 0, "2 after Private Data that may hold an FPDU",
     start_covers_alone, NULL},
    {"ddp.msn-first", FIXTURE_SILENT, 0, "2 after Private Data that may hold a Marker and an FPDU",
     start_covers_marker, NULL},
    {"ddp.msn-first", FIXTURE_FAIL, 0, "2 after Private Data with a Marker and a wrong CRC",
     start_covers_bad_marked, NULL},
    {"ddp.msn-first", FIXTURE_FAIL, 0, "2 after Private Data like an FPDU, before any Reply",
     start_covers_before_reply, "mpa.fpdu-before-reply"},
    {"mpa.framing", FIXTURE_FAIL, 0, "after Private Data that may be covered", start_covers_none,
     "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "FPDU look-alikes, cut, a first one after",
     start_covers_ends_inside, "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "FPDU look-alikes, a first one after",
     start_covers_restarts, "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "covers FPDUs, capture ends",
     start_covers_capture_end, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "covers FPDUs, RST",
     start_covers_reset, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "covers FPDUs, damaged", start_covers_damaged, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "covers FPDUs, a gap",
     start_covers_gap, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "look-alikes from MSN 2 on", start_covers_second_msn,
     "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "look-alikes, a Read Request too short",
     start_covers_short_read, "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "look-alikes, a wrong CRC", start_covers_wrong_crc,
     "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "look-alikes, then others", start_covers_other_octets,
     "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "look-alikes elsewhere", start_covers_not_there,
     "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "look-alikes, not an answer", start_covers_unheard,
     "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "without CRCs", start_covers_no_crc, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "all of it had come", start_taken_whole, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "covers an FPDU and nothing before it",
     start_covers_first, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "of the Request, sent for the Reply",
     start_request_covers_answered, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "of the Request, octets follow the Reply",
     start_request_covers_surplus, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "of the Request, sent before the Reply",
     start_request_covers_unanswered, "mpa.reply-unasked"},
    {"ddp.reserved", FIXTURE_SILENT, 0, "after Private Data of which the end is missing",
     start_holed, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "15 octets of a Reply key", start_surplus_reply_key, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_AFTER_FAULT,
     "15 octets of a Request key", start_surplus_request_key, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "15 octets, no key", start_surplus_no_key, NULL},
    {"mpa.pd-length-match", FIXTURE_SILENT, 0, "wrong key", start_surplus_wrong_key,
     "mpa.request-key"},
    {"mpa.pd-length-match", FIXTURE_SILENT, 0, "wrong key, short", start_pd_short_wrong_key,
     "mpa.request-key"},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the peer closed",
     start_pd_short_after_peer, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the peer may have closed",
     start_pd_short_after_gap, NULL},
    {"mpa.pd-length-match", FIXTURE_SILENT, 0, "4 of 20, then RST", start_pd_short_rst, NULL},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap in it", start_pd_gap,
     NULL},
    {"mpa.enhanced-length", FIXTURE_FAIL, 0, "3, and octets after it", start_surplus_enhanced_short,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "enhanced data alone, and octets after them",
     start_surplus_enhanced_least, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "3 under Rev 1, and octets after it",
     start_surplus_not_enhanced, "mpa.enhanced-rev"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "look-alikes, another version of RDMAP",
     start_covers_other_version, "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "look-alikes, versions that there are not",
     start_covers_version_2, "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "look-alikes, an opcode of no message",
     start_covers_reserved, "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "covers a Write, a Send after", start_covers_write,
     NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "covers a Send, a Write after",
     start_covers_before_write, NULL},
    {"mpa.pd-length-match", FIXTURE_NEAR, 0, "look-alikes, a first Terminate after",
     start_covers_terminate, "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "covers FPDUs, a gap of the other side after", start_covers_peer_gap, NULL},
    {"mpa.framing", FIXTURE_FAIL, 0, "after an octet that may be covered", start_covers_one,
     "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "covers few, none shown after",
     start_covers_not_shown, NULL},
    {"mpa.pd-length-match", FIXTURE_PASS, 0, "covers FPDUs, no CRCs, a gap of the other side",
     start_covers_holed_no_crc, NULL},
    {"mpa.pd-length-max", FIXTURE_FAIL, 0, "537, taken for whole early", start_beyond_early,
     "mpa.improper-accepted"},
    {"mpa.pd-length-max", FIXTURE_FAIL, 0, "537, all of it received", start_beyond_whole,
     "mpa.improper-accepted"},
    {"mpa.pd-length-max", FIXTURE_FAIL, 0, "537, and nothing after", start_beyond_unanswered, NULL},
    {"mpa.pd-length-max", FIXTURE_FAIL, 0, "537, a gap of the other side", start_beyond_gap, NULL},
    {"mpa.reply-unasked", FIXTURE_FAIL, 0, "before other octets", start_reply_to_streaming, NULL},
    {"mpa.reply-unasked", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "the Request is short",
     start_reply_to_short, NULL},
    {"mpa.rdmac-flags", FIXTURE_FAIL, 0, "neither", start_rdmac_no_flags, "mpa.rev-rdmac"},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "30 of 40, taken for whole", start_short_taken_fin,
     "mpa.pd-length-match"},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "30 of 40, taken for whole, a gap", start_short_taken_gap, "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "30 of 40, taken for whole, its own gap", start_short_taken_own_gap, "mpa.fpdu-before-reply"},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "507 of 512, then FIN", start_short_of_512, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "0 of 20, then FIN", start_short_of_all, NULL},
    {"mpa.pd-length-max", FIXTURE_FAIL, 0, "513, in two packets", start_pd_513_goes_on, NULL},
    {"mpa.pd-length-max", FIXTURE_FAIL, 0, "513, in two packets, not all are there",
     start_pd_513_cut_goes_on, NULL},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "each may cover an FPDU, the Request's had not come",
     start_both_cover_unheard, NULL},
    {"ddp.msn-first", FIXTURE_SILENT, 0, "each covers an FPDU, an octet of the Request's had come",
     start_both_cover_one, "mpa.pd-length-match"},
    {"ddp.msn-first", FIXTURE_FAIL, 0, "2 after Private Data, a wrong CRC of the second FPDU",
     start_covers_marker_longer, NULL},
    {"mpa.improper-accepted", FIXTURE_PASS, 0, "513 in the Request, closed", start_long_fin,
     "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_PASS, 0, "513 in the Request, reset when its front had come",
     start_long_front_rst, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_NEAR, 0, "another key in the Reply, closed",
     start_other_reply_key_fin, "mpa.reply-key"},
    {"mpa.improper-accepted", FIXTURE_SILENT, 0,
     "513 in the Request, closed when PD_Length had not come", start_long_part_fin,
     "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_SILENT, 0, "513 in the Request, the capture ends",
     start_long_capture_ends, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_SILENT, 0, "513 in the Request, reset by nobody knows whom",
     start_long_rst_no_ack, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_SILENT, 0, "513 in the Request, closed, the Responder joined",
     start_long_fin_joined, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_SILENT, 0, "a right Request, closed", start_right_frame_fin,
     "mpa.request-answered"},
    {"mpa.improper-accepted", FIXTURE_FAIL, 0, "513 in the Request", start_long_accepted,
     "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_FAIL, 0, "513 in the Request, its front received",
     start_long_front_accepted, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_SILENT, 0, "512 in the Request", start_longest_accepted,
     NULL},
    {"mpa.improper-accepted", FIXTURE_SILENT, 0, "513 in the Request, a Reject",
     start_long_rejected, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "513, no acknowledgement",
     start_long_no_ack, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "513, damaged",
     start_long_damaged, NULL},
    {"mpa.improper-accepted", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "513, the Responder joined", start_long_joined, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_INCONCLUSIVE, IWARP_REASON_SNAPLEN,
     "513, octets before the Reply not captured", start_long_after_gap, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_FAIL, 0, "another key in the Request",
     start_other_key_answered, "mpa.request-key"},
    {"mpa.improper-accepted", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "another key, the Initiator joined", start_other_key_joined, NULL},
    {"mpa.improper-accepted", FIXTURE_FAIL, 0, "20 octets, and no key", start_20_octets_accepted,
     "mpa.request-key"},
    {"mpa.improper-accepted", FIXTURE_SILENT, 0, "19 octets, and no key", start_19_octets_accepted,
     "mpa.request-key"},
    {"mpa.improper-accepted", FIXTURE_SILENT, 0, "20 octets, and no key, a Reject",
     start_octets_rejected, "mpa.request-key"},
    {"mpa.improper-accepted", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "no key, with a gap",
     start_no_request_key_gap, NULL},
    {"mpa.improper-accepted", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "no key, the Responder joined", start_octets_joined, "mpa.request-key"},
    {"mpa.improper-accepted", FIXTURE_FAIL, 0, "513 in the Reply", start_long_reply_accepted,
     "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_FAIL, 0, "513 in the Reply, which is seen after the FPDU",
     start_long_reply_front, "mpa.pd-length-max"},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "513 in the Reply, of which 19 octets had come",
     start_long_reply_not_front, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_SILENT, 0, "513 in the Reply, a Terminate",
     start_long_reply_terminate, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG,
     "513 in the Reply, a damaged FPDU", start_long_reply_damaged, "mpa.pd-length-max"},
    {"mpa.improper-accepted", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "513 in the Reply, a gap before it", start_long_reply_gap, "mpa.pd-length-max"},
    {"mpa.fpdu-before-reply", FIXTURE_FAIL, 0, "513 in the Reply, the last octet not received",
     start_long_reply_in_part, "mpa.pd-length-max"},
    {"mpa.request-answered", FIXTURE_PASS, 0, "accepted, then a FIN", start_answered_fin, NULL},
    {"mpa.request-answered", FIXTURE_NEAR, 0, "rejected, then a FIN", start_rejected_fin, NULL},
    {"mpa.request-answered", FIXTURE_FAIL, 0, "a FIN alone", start_unanswered_plain, NULL},
    {"mpa.request-answered", FIXTURE_FAIL, 0, "M, C and Private Data, a FIN alone",
     start_unanswered_flags, NULL},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "an enhanced Request", start_unanswered_enhanced,
     NULL},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "Rev 0", start_unanswered_rev0, "mpa.rev-rdmac"},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "Rev 2", start_unanswered_rev2, NULL},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "a reserved flag", start_unanswered_reserved,
     "mpa.flags-reserved"},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "Private Data that lack an octet",
     start_unanswered_short, NULL},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "octets follow the Request",
     start_unanswered_surplus, "mpa.pd-length-match"},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "its last octet had not come",
     start_unanswered_in_part, NULL},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "a FIN after one of the Initiator",
     start_unanswered_after_fin, NULL},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "an RST", start_unanswered_rst, NULL},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "the capture ends", start_unanswered_capture, NULL},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "octets of the Responder", start_unanswered_octets,
     NULL},
    {"mpa.request-answered", FIXTURE_SILENT, 0, "octets before the Request",
     start_unanswered_streamed, NULL},
    {"mpa.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "no acknowledgement",
     start_unanswered_no_ack, NULL},
    {"mpa.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "the Responder joined",
     start_unanswered_joined, NULL},
    {"mpa.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "octets are missing",
     start_unanswered_gap, NULL},
    {"mpa.request-answered", FIXTURE_INCONCLUSIVE, IWARP_REASON_CHECKSUM_WRONG, "a damaged Request",
     start_unanswered_damaged, NULL},
};

const size_t rules_cases_startup_num = sizeof(rules_cases_startup) / sizeof(rules_cases_startup[0]);
