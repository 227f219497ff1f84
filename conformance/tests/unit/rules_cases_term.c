/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on Terminate messages. */

#include "rules_cases.h"

static void term_sent(struct rules_fixture *l, iwarp_rdmap_term t) {
  fixture_begin(l);
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void term_good(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 5});
}

static void term_length(struct rules_fixture *l, size_t len) {
  uint8_t octets[4] = {0x20, 5, 0, 0};
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, len));
}

static void term_3(struct rules_fixture *l) {
  term_length(l, 3);
}

static void term_4(struct rules_fixture *l) {
  term_length(l, 4);
}

static void term_in_two(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 2)));
}

static void term_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4);
  s.cut = 21;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void term_code(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .etype = 1, .code = 6});
}

static void term_layer(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 5});
}

static void term_local(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.code = 0x77}); /* any code goes with Local Catastrophic */
}

static void term_reserved(struct rules_fixture *l) {
  static const uint8_t rest[20] = {0x00, 0x2E, 0x41};
  term_sent(l, (iwarp_rdmap_term){
                   .layer = 1, .etype = 1, .reserved = 0x300, .rest = {rest, sizeof(rest)}});
}

static void term_reserved_low(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 5, .reserved = 1});
}

void term_returning(struct rules_fixture *l, iwarp_rdmap_term t, const struct fixture_seg *s) {
  fixture_terminate_returning(l, FIXTURE_INITIATOR, t, s);
}

static const iwarp_rdmap_term term_untagged = {.layer = 1, .etype = 2, .code = 5, .m = true};

static void term_with_header(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  fixture_begin(l);
  term_returning(l, term_untagged, &s);
}

/* Of the last of two Writes all octets but `less` were received. */
static void term_late(struct rules_fixture *l, uint8_t flags, uint64_t to, uint64_t less) {
  struct fixture_seg s = fixture_write();
  fixture_begin_with(l, flags);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  s.ddp.to += to;
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  l->received = l->next[FIXTURE_RESPONDER] - less;
  term_returning(l, (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true}, &s);
}

static void term_header_received(struct rules_fixture *l) {
  term_late(l, FIXTURE_C, 0x1000, 0);
}

static void term_header_late(struct rules_fixture *l) {
  term_late(l, FIXTURE_C, 0x1000, 1);
}

static void term_header_late_twice(struct rules_fixture *l) {
  term_late(l, FIXTURE_C, 0, 1);
}

static void term_header_late_no_crc(struct rules_fixture *l) {
  term_late(l, 0, 0x1000, 1);
}

static void term_with_tagged_header(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_write();
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true}, &s);
}

/* A Remote Protection Error about this segment. */
static void term_protection(struct rules_fixture *l, uint8_t code, struct fixture_seg s) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, (iwarp_rdmap_term){.etype = 1, .code = code, .m = true}, &s);
}

static void term_protection_write(struct rules_fixture *l) {
  term_protection(l, 0, fixture_write());
}

static void term_protection_invalidate(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND_INV, 2, 0, 9);
  s.ddp.rsvdulp_word = 7;
  term_protection(l, 9, s);
}

static void term_peer_startup_unconfirmed(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  fixture_open_unconfirmed(l);
  term_returning(l, term_untagged, &s);
}

static void term_zero_filled(struct rules_fixture *l) {
  static const uint8_t rest[48] = {0};
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 5, .rest = {rest, sizeof(rest)}});
}

static void term_surplus(struct rules_fixture *l) {
  static const uint8_t rest[2] = {0, 1};
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 5, .rest = {rest, sizeof(rest)}});
}

static void term_header_cut(struct rules_fixture *l) {
  static const uint8_t rest[17] = {0x41, 0x43};
  term_sent(l, (iwarp_rdmap_term){.layer = 1,
                                  .etype = 2,
                                  .code = 5,
                                  .m = true,
                                  .d = true,
                                  .has_ddp_segment_length = true,
                                  .rest = {rest, sizeof(rest)}});
}

static void term_header_missing(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 5, .m = true, .d = true});
}

static void term_header_snapped(struct rules_fixture *l) {
  uint8_t octets[24] = {0x12, 5, 0xC0, 0, 0, 48, 0x41, 0x43};
  struct fixture_seg s =
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, 24);
  s.cut = 30;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* Without a header; of the octet after its Control field nothing is captured. */
static void term_rest_snapped(struct rules_fixture *l) {
  uint8_t octets[5] = {0x20, 5};
  struct fixture_seg s =
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, sizeof(octets));
  s.cut = IWARP_MPA_LENGTH_LEN + IWARP_DDP_UNTAGGED_LEN + 4;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* A Terminate for the Read Request that the Responder sent, moved on by `served`. */
static void term_read(struct rules_fixture *l, bool with_r, uint64_t served, uint32_t stag) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  uint8_t returned[IWARP_RDMAP_READ_REQ_LEN];
  size_t len = 0;
  iwarp_rdmap_read_req req = {.sink_stag = stag,
                              .sink_to = FIXTURE_SINK_TO + served,
                              .size = (uint32_t)(100 - served),
                              .source_stag = 0x11223344,
                              .source_to = 0x100000000 + served};
  const struct fixture_seg s = fixture_read_request(octets, 1, 100);
  iwarp_rdmap_term t = {.etype = 1, .m = true, .r = with_r};
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  iwarp_rdmap_read_req_encode(returned, sizeof(returned), &len, &req);
  t.rdma_header = (iwarp_span){returned, with_r ? len : 0};
  if (served > 0) {
    fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_read_response((size_t)served)));
  }
  term_returning(l, t, &s);
}

static void term_read_good(struct rules_fixture *l) {
  fixture_begin(l);
  term_read(l, true, 0, FIXTURE_SINK);
}

static void term_read_served(struct rules_fixture *l) {
  fixture_begin(l);
  term_read(l, true, 40, FIXTURE_SINK);
}

static void term_read_all_served(struct rules_fixture *l) {
  fixture_begin(l);
  term_read(l, true, 100, FIXTURE_SINK);
}

static void term_read_other(struct rules_fixture *l) {
  fixture_begin(l);
  term_read(l, true, 0, FIXTURE_SINK + 1);
}

static void term_read_lost(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 8, IWARP_GAP_LOST);
  l->lost[FIXTURE_RESPONDER] = false;
  term_read(l, true, 0, FIXTURE_SINK);
}

static void term_read_without_r(struct rules_fixture *l) {
  fixture_begin(l);
  term_read(l, false, 0, FIXTURE_SINK);
}

static void term_r_on_send(struct rules_fixture *l) {
  uint8_t header[IWARP_RDMAP_READ_REQ_LEN] = {0};
  const struct fixture_seg s = fixture_send(1);
  iwarp_rdmap_term t = term_untagged;
  t.r = true;
  t.rdma_header = (iwarp_span){header, sizeof(header)};
  fixture_begin(l);
  term_returning(l, t, &s);
}

static void term_r_on_write(struct rules_fixture *l) {
  uint8_t header[IWARP_RDMAP_READ_REQ_LEN] = {0};
  const struct fixture_seg s = fixture_write();
  iwarp_rdmap_term t = {.layer = 1, .etype = 1, .code = 1, .m = true, .r = true};
  t.rdma_header = (iwarp_span){header, sizeof(header)};
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, t, &s);
}

static void term_r_without_d(struct rules_fixture *l) {
  static const uint8_t rest[28] = {9};
  term_sent(l, (iwarp_rdmap_term){.etype = 1, .r = true, .rest = {rest, sizeof(rest)}});
}

static void term_flags_missing(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 5});
}

static void term_flags_llp(struct rules_fixture *l) {
  term_sent(l,
            (iwarp_rdmap_term){.layer = 2, .code = 5, .m = true, .has_ddp_segment_length = true});
}

static void term_flags_version(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 6});
}

static void term_flags_ddp_local(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1});
}

static void term_flags_operation(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.etype = 2, .code = 7});
}

static void term_operation_with_header(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  fixture_begin(l);
  term_returning(l, (iwarp_rdmap_term){.etype = 2, .code = 6, .m = true}, &s);
}

static void term_protection_without(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.etype = 1, .code = 9});
}

static void term_header_never_sent(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(9);
  fixture_begin(l);
  term_returning(l, term_untagged, &s);
}

/* What looks like a Reply stands in a stream that was joined; octets of the other side, which are
 * taken for streaming data, are the FPDU. */
static void term_header_before_startup(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  start_reply_only(l);
  l->info.crc = IWARP_TRISTATE_ON;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  fixture_streaming(l, FIXTURE_INITIATOR, 96);
  fixture_terminate_returning(l, FIXTURE_RESPONDER, term_untagged, &s);
}

static void term_header_one_bit(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(1);
  s.ddp.last = false;
  fixture_begin(l);
  term_returning(l, term_untagged, &s);
}

static void term_header_gap(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(2);
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
  term_returning(l, term_untagged, &s);
}

static void term_header_unseen(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(2);
  fixture_begin(l);
  l->received = l->next[FIXTURE_RESPONDER] + 52;
  term_returning(l, term_untagged, &s);
}

/* The Responder sends the segments from MSN 2 to `num`, and maybe the one whose header comes back.
 */
static void term_header_after(struct rules_fixture *l, uint32_t num, uint32_t returned) {
  const struct fixture_seg s = fixture_send(returned);
  fixture_begin(l);
  for (uint32_t msn = 2; msn <= num; msn++) {
    fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(msn));
  }
  term_returning(l, term_untagged, &s);
}

static void term_header_long_ago(struct rules_fixture *l) {
  term_header_after(l, 299, 3);
}

/* As many as are kept, and one more. */
static void term_header_of_256(struct rules_fixture *l) {
  term_header_after(l, 256, 9999);
}

static void term_header_of_257(struct rules_fixture *l) {
  term_header_after(l, 257, 9999);
}

static void term_segment_longer(struct rules_fixture *l) {
  l->segment_more = 1;
  term_with_header(l);
}

static void term_segment_payload(struct rules_fixture *l) {
  l->segment_more = (uint16_t)-IWARP_DDP_TAGGED_LEN;
  term_with_tagged_header(l);
}

static void term_segment_not_valid(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  l->segment_more = 7;
  fixture_begin(l);
  term_returning(l, (iwarp_rdmap_term){.etype = 2, .code = 6}, &s);
}

/* Another segment with the same header may be among what is missing. */
static void term_segment_gap(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  fixture_begin(l);
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
  l->segment_more = 1;
  term_returning(l, term_untagged, &s);
}

static void term_segment_either(struct rules_fixture *l) {
  struct fixture_seg s = fixture_write();
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  s.len = 20;
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, (iwarp_rdmap_term){.layer = 1, .etype = 1, .code = 1, .m = true}, &s);
}

static struct fixture_seg term_part(uint8_t *octets, uint32_t mo, size_t len) {
  return fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, mo, 0), octets, len);
}

void term_halves(struct rules_fixture *l) {
  uint8_t octets[24] = {0x20, 5};
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(term_part(octets, 0, 20)));
  fixture_fpdu(l, FIXTURE_INITIATOR, term_part(&octets[20], 20, 4));
}

static void term_halves_then_third(struct rules_fixture *l) {
  uint8_t octets[4] = {0};
  term_halves(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, term_part(octets, 24, 4));
}

static void term_halves_gap(struct rules_fixture *l) {
  uint8_t octets[24] = {0x20, 5};
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(term_part(octets, 0, 10)));
  fixture_gap(l, FIXTURE_INITIATOR, 34, IWARP_GAP_LOST);
  l->lost[FIXTURE_INITIATOR] = false;
  fixture_fpdu(l, FIXTURE_INITIATOR, term_part(&octets[20], 20, 4));
}

static void term_msn_7(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 7);
}

static void term_msn_unknown(struct rules_fixture *l) {
  fixture_begin_with(l, IWARP_MPA_FLAG_C);
  fixture_gap(l, FIXTURE_INITIATOR, 60, IWARP_GAP_LOST);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 2);
}

static void term_both(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  fixture_terminate_mpa(l, FIXTURE_RESPONDER, 1);
}

static void term_twice(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 2);
}

static void term_then_send(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_write()));
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(40)); /* only its presence */
}

static void term_then_write(struct rules_fixture *l) {
  term_good(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_write());
}

/* Of what follows so little is captured that its opcode is not known. */
static void term_then_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_write();
  s.cut = 12;
  term_good(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void term_gap_send(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_gap(l, FIXTURE_INITIATOR, 9, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

/* The Terminate may be payload that the search came upon. */
static void term_found_send(struct rules_fixture *l) {
  fixture_begin_with(l, IWARP_MPA_FLAG_C);
  fixture_gap(l, FIXTURE_INITIATOR, 9, IWARP_GAP_LOST);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
}

static void term_then_peer(struct rules_fixture *l) {
  term_both(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* The Initiator sends a Terminate; then both directions end. */
static void term_ends(struct rules_fixture *l, iwarp_end initiator, iwarp_end responder) {
  term_good(l);
  fixture_end(l, FIXTURE_INITIATOR, initiator);
  l->no_ack = responder == IWARP_END_RST && initiator == IWARP_END_RST;
  fixture_end(l, FIXTURE_RESPONDER, responder);
}

static void term_then_fin(struct rules_fixture *l) {
  term_ends(l, IWARP_END_FIN, IWARP_END_FIN);
}

static void term_then_rst(struct rules_fixture *l) {
  term_ends(l, IWARP_END_RST, IWARP_END_RST);
}

/* Octets after the FIN are answered with an RST: the Terminate has had its time. */
static void term_then_fin_then_rst(struct rules_fixture *l) {
  term_good(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  l->no_ack = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void term_received_then_rst(struct rules_fixture *l) {
  term_good(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

/* It may have refused the startup frame before the Terminate. */
static void term_rst_of_no_fpdu(struct rules_fixture *l) {
  static uint8_t octets[4] = {0x20, 5, 0, 0};
  fixture_open(l);
  fixture_fpdu(
      l, FIXTURE_INITIATOR,
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, sizeof(octets)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

/* The RST left before the Terminate came. */
static void term_crosses_rst(struct rules_fixture *l) {
  term_good(l);
  l->received = l->next[FIXTURE_INITIATOR] - 1;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

/* Half a Terminate does not count yet. */
static void term_half_then_rst(struct rules_fixture *l) {
  term_in_two(l);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void term_half_cut_then_rst(struct rules_fixture *l) {
  static uint8_t octets[2] = {0, 4};
  term_in_two(l);
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){octets, sizeof(octets)}, sizeof(octets),
              IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void term_halves_then_rst(struct rules_fixture *l) {
  static uint8_t octets[2] = {0, 0};
  term_in_two(l);
  fixture_fpdu(
      l, FIXTURE_INITIATOR,
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 2, 0), octets, sizeof(octets)));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

static void term_rst_without(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

/* The sender of the RST is unknown. */
static void term_rst_of_whom(struct rules_fixture *l) {
  term_good(l);
  l->no_ack = true;
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

/* What looks like a Terminate may be payload. */
static void term_found_then_rst(struct rules_fixture *l) {
  fixture_begin_with(l, IWARP_MPA_FLAG_C);
  fixture_gap(l, FIXTURE_INITIATOR, 9, IWARP_GAP_LOST);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

/* What is missing right before the RST may be a FIN. */
static void term_fin_lost_then_rst(struct rules_fixture *l) {
  term_good(l);
  fixture_gap(l, FIXTURE_INITIATOR, 1, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_RST);
}

static void term_received_fin_lost_then_rst(struct rules_fixture *l) {
  term_good(l);
  fixture_gap(l, FIXTURE_RESPONDER, 1, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

/* A FIN is the last of a side: no octets come after it. */
static void term_gap_then_rst(struct rules_fixture *l) {
  fixture_begin_with(l, IWARP_MPA_FLAG_C);
  fixture_gap(l, FIXTURE_RESPONDER, 1, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(3));
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_RST);
}

/* ---- octets that are announced, and what was served ---- */

static const iwarp_rdmap_term term_announces = {
    .layer = 1, .etype = 2, .code = 5, .m = true, .d = true, .has_ddp_segment_length = true};

/* M alone, and no octets of what it announces. */
static void term_length_missing(struct rules_fixture *l) {
  term_sent(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 5, .m = true});
}

/* An octet of an Untagged header is there, or two, the second of which means nothing here. */
static void term_header_octet(struct rules_fixture *l) {
  static const uint8_t rest[1] = {0x41};
  iwarp_rdmap_term t = term_announces;
  t.rest = (iwarp_span){rest, sizeof(rest)};
  term_sent(l, t);
}

static void term_header_two_octets(struct rules_fixture *l) {
  static const uint8_t rest[2] = {0x41, 0xC3};
  iwarp_rdmap_term t = term_announces;
  t.rest = (iwarp_span){rest, sizeof(rest)};
  term_sent(l, t);
}

/* The header of the Read Request is announced, too, and little of both is there. */
static void term_request_missing(struct rules_fixture *l) {
  static const uint8_t rest[5] = {0x41, 0x41};
  term_sent(l, (iwarp_rdmap_term){.etype = 1,
                                  .m = true,
                                  .d = true,
                                  .r = true,
                                  .has_ddp_segment_length = true,
                                  .rest = {rest, sizeof(rest)}});
}

/* After the header that it returns stands an octet more, which is not captured. */
static void term_surplus_cut(struct rules_fixture *l) {
  uint8_t octets[25] = {0x12, 5, 0xC0, 0, 0, 0};
  const struct fixture_seg sent = fixture_send(1);
  size_t len = 0;
  iwarp_ddp_hdr_encode(&octets[6], IWARP_DDP_UNTAGGED_LEN, &len, &sent.ddp);
  octets[5] = (uint8_t)(len + sent.len);
  struct fixture_seg s =
      fixture_with(fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 0), octets, sizeof(octets));
  s.cut = IWARP_MPA_LENGTH_LEN + IWARP_DDP_UNTAGGED_LEN + sizeof(octets) - 1;
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* Of the octets that are not announced the first is not zero. */
static void term_surplus_first(struct rules_fixture *l) {
  static const uint8_t rest[2] = {1, 0};
  term_sent(l, (iwarp_rdmap_term){.layer = 2, .code = 5, .rest = {rest, sizeof(rest)}});
}

/* M without D, after more segments than are kept. */
static void term_flags_llp_late(struct rules_fixture *l) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 5, .m = true, .has_ddp_segment_length = true};
  fixture_begin(l);
  for (uint32_t msn = 2; msn <= 300; msn++) {
    fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(msn));
  }
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

/* A Terminate for the Read Request with this MSN, of 100 octets, moved on by `served`. */
static void term_for_read(struct rules_fixture *l, uint32_t msn, uint64_t served) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  uint8_t returned[IWARP_RDMAP_READ_REQ_LEN];
  size_t len = 0;
  const iwarp_rdmap_read_req req = {.sink_stag = FIXTURE_SINK,
                                    .sink_to = FIXTURE_SINK_TO + served,
                                    .size = (uint32_t)(100 - served),
                                    .source_stag = 0x11223344,
                                    .source_to = 0x100000000 + served};
  const struct fixture_seg s = fixture_read_request(octets, msn, 100);
  iwarp_rdmap_read_req_encode(returned, sizeof(returned), &len, &req);
  term_returning(
      l, (iwarp_rdmap_term){.etype = 1, .m = true, .r = true, .rdma_header = {returned, len}}, &s);
}

/* Two Read Requests; the first is served in part, the Terminate is for the second. */
static void term_second_read(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 50);
  fixture_read(l, FIXTURE_RESPONDER, 2, 100);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_read_response(40)));
  term_for_read(l, 2, 0);
}

/* Octets of its Response were left out: the header says how many were served. */
static void term_read_hole(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(fixture_read_response(20));
  s.ddp.to += 50;
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 100);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_read_response(40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  term_for_read(l, 1, 70);
}

/* A segment of no queue may have been one of the Response, whose place is not known any more. */
static void term_read_misplaced(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.qn = 9;
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 100);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_read_response(40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  term_for_read(l, 1, 40);
}

/* It says fewer than none. */
static void term_read_hole_before(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(fixture_read_response(20));
  s.ddp.to += 50;
  fixture_begin(l);
  fixture_read(l, FIXTURE_RESPONDER, 1, 100);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_read_response(40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  term_for_read(l, 1, (uint64_t)-8);
}

const struct rules_case rules_cases_term[] = {
    {"rdmap.terminate-length", FIXTURE_PASS, 0, "4", term_good, NULL},
    {"rdmap.terminate-length", FIXTURE_NEAR, 0, "4 by hand", term_4, NULL},
    {"rdmap.terminate-length", FIXTURE_SILENT, 0, "goes on", term_in_two, NULL},
    {"rdmap.terminate-length", FIXTURE_FAIL, 0, "3", term_3, NULL},
    {"rdmap.terminate-code", FIXTURE_PASS, 0, "2/0/5", term_good, NULL},
    {"rdmap.terminate-code", FIXTURE_NEAR, 0, "0/0/77", term_local, NULL},
    {"rdmap.terminate-code", FIXTURE_FAIL, 0, "2/1/6", term_code, NULL},
    {"rdmap.terminate-code", FIXTURE_FAIL, 0, "Layer 5", term_layer, NULL},
    {"rdmap.terminate-code", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-reserved", FIXTURE_PASS, 0, "0", term_good, NULL},
    {"rdmap.terminate-reserved", FIXTURE_NEAR, 0, "M, D and R", term_read_good, NULL},
    {"rdmap.terminate-reserved", FIXTURE_FAIL, 0, "flags misplaced", term_reserved, NULL},
    {"rdmap.terminate-reserved", FIXTURE_FAIL, 0, "the last bit", term_reserved_low, NULL},
    {"rdmap.terminate-reserved", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-headers", FIXTURE_PASS, 0, "Untagged", term_with_header, NULL},
    {"rdmap.terminate-headers", FIXTURE_PASS, 0, "Tagged", term_with_tagged_header, NULL},
    {"rdmap.terminate-headers", FIXTURE_NEAR, 0, "zeros after it", term_zero_filled, NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "an octet after it", term_surplus, NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "an octet less", term_header_cut, NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "no header", term_header_missing, NULL},
    {"rdmap.terminate-headers", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", term_header_snapped,
     NULL},
    {"rdmap.terminate-headers", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "an octet cut",
     term_rest_snapped, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_PASS, 0, "of a Read", term_read_good, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_NEAR, 0, "of a Read, served", term_read_served, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_FAIL, 0, "of a Send", term_r_on_send, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_FAIL, 0, "of a Write", term_r_on_write, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_FAIL, 0, "without D", term_r_without_d, NULL},
    {"rdmap.terminate-rdma-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-flags", FIXTURE_PASS, 0, "M and D", term_with_header, NULL},
    {"rdmap.terminate-flags", FIXTURE_PASS, 0, "M, D and R", term_read_good, NULL},
    {"rdmap.terminate-flags", FIXTURE_PASS, 0, "none", term_good, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "another version", term_flags_version, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "DDP catastrophic", term_flags_ddp_local, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "if possible", term_flags_operation, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "of a Send", term_operation_with_header, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "of an invalidation", term_protection_without, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "none for DDP", term_flags_missing, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "M for MPA", term_flags_llp, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "no R for a Read", term_read_without_r, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "D without M for RDMA", term_segment_not_valid,
     NULL},
    {"rdmap.terminate-flags", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "cut", term_cut, NULL},
    {"rdmap.terminate-cause", FIXTURE_PASS, 0, "a Read", term_read_good, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "an Invalidate", term_protection_invalidate, NULL},
    {"rdmap.terminate-cause", FIXTURE_FAIL, 0, "a Write", term_protection_write, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_PASS, 0, "of a Send", term_with_header, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_NEAR, 0, "of a Write", term_with_tagged_header, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_NEAR, 0, "received right before", term_header_received,
     NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_NEAR, 0, "that of two, one not received",
     term_header_late_twice, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_NEAR, 0, "received but for the CRC, which is not used",
     term_header_late_no_crc, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_FAIL, 0, "not received yet", term_header_late, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_FAIL, 0, "never sent", term_header_never_sent, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "no startup frame of the other side", term_header_before_startup, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_FAIL, 0, "one bit", term_header_one_bit, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_FAIL, 0, "none of 256", term_header_of_256, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_FAIL, 0, "none of 257", term_header_of_257, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM,
     "FPDUs may be what is taken for Private Data", term_peer_startup_unconfirmed, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap", term_header_gap,
     NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "more was received",
     term_header_unseen, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_LIMIT, "long ago",
     term_header_long_ago, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_PASS, 0, "of a Send", term_with_header, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_PASS, 0, "of a Read", term_read_good, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_NEAR, 0, "of either Write", term_segment_either,
     NULL},
    {"rdmap.terminate-segment-length", FIXTURE_SILENT, 0, "M clear", term_segment_not_valid,
     "rdmap.terminate-flags"},
    {"rdmap.terminate-segment-length", FIXTURE_FAIL, 0, "one more", term_segment_longer, NULL},
    {"rdmap.terminate-segment-length", FIXTURE_FAIL, 0, "payload alone", term_segment_payload,
     NULL},
    {"rdmap.terminate-segment-length", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap",
     term_segment_gap, NULL},
    {"rdmap.terminate-read-header", FIXTURE_PASS, 0, "as sent", term_read_good, NULL},
    {"rdmap.terminate-read-header", FIXTURE_NEAR, 0, "moved on", term_read_served, NULL},
    {"rdmap.terminate-read-header", FIXTURE_NEAR, 0, "to its end", term_read_all_served, NULL},
    {"rdmap.terminate-read-header", FIXTURE_FAIL, 0, "another STag", term_read_other, NULL},
    {"rdmap.terminate-read-header", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a gap", term_read_lost,
     NULL},
    {"rdmap.terminate-msn", FIXTURE_PASS, 0, "1", term_good, NULL},
    {"rdmap.terminate-msn", FIXTURE_NEAR, 0, "1 both ways", term_both, NULL},
    {"rdmap.terminate-msn", FIXTURE_FAIL, 0, "7", term_msn_7, NULL},
    {"rdmap.terminate-msn", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "after a gap", term_msn_unknown,
     NULL},
    {"rdmap.terminate-single", FIXTURE_PASS, 0, "one", term_good, NULL},
    {"rdmap.terminate-single", FIXTURE_NEAR, 0, "one both ways", term_both, NULL},
    {"rdmap.terminate-single", FIXTURE_NEAR, 0, "one in two segments", term_halves, NULL},
    {"rdmap.terminate-single", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "in two, a gap",
     term_halves_gap, NULL},
    {"rdmap.terminate-single", FIXTURE_FAIL, 0, "after its last segment", term_halves_then_third,
     NULL},
    {"rdmap.terminate-single", FIXTURE_FAIL, 0, "two", term_twice, NULL},
    {"rdmap.terminate-final", FIXTURE_PASS, 0, "then nothing", term_then_peer, NULL},
    {"rdmap.terminate-final", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "after a gap",
     term_gap_send, NULL},
    {"rdmap.terminate-final", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "found", term_found_send,
     NULL},
    {"rdmap.terminate-single", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "found", term_found_send,
     NULL},
    {"rdmap.terminate-final", FIXTURE_SILENT, 0, "then what is cut", term_then_cut, NULL},
    {"rdmap.terminate-final", FIXTURE_FAIL, 0, "then a Write", term_then_write, NULL},
    {"rdmap.terminate-final", FIXTURE_FAIL, 0, "then a Send", term_then_send, NULL},
    {"rdmap.terminate-reset", FIXTURE_PASS, 0, "FIN", term_then_fin, NULL},
    {"rdmap.terminate-reset", FIXTURE_NEAR, 0, "RST after its FIN", term_then_fin_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_FAIL, 0, "RST", term_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_FAIL, 0, "RST of the other side", term_received_then_rst,
     NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "RST of a side without an FPDU",
     term_rst_of_no_fpdu, NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "it crosses the RST", term_crosses_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "half of it came", term_half_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "half of it and half an FPDU",
     term_half_cut_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_FAIL, 0, "both halves came", term_halves_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "no Terminate", term_rst_without, NULL},
    {"rdmap.terminate-reset", FIXTURE_SILENT, 0, "whose RST", term_rst_of_whom, NULL},
    {"rdmap.terminate-reset", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "found", term_found_then_rst,
     NULL},
    {"rdmap.terminate-reset", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "a FIN may be missing",
     term_fin_lost_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "a FIN of the other side may be missing", term_received_fin_lost_then_rst, NULL},
    {"rdmap.terminate-reset", FIXTURE_FAIL, 0, "a gap, then more, then RST", term_gap_then_rst,
     NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "M, and no length", term_length_missing, NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "an octet of a header", term_header_octet, NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "two octets of a header", term_header_two_octets,
     NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "a few octets of two headers",
     term_request_missing, NULL},
    {"rdmap.terminate-headers", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP,
     "an octet more, which is cut", term_surplus_cut, NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "the first of two octets more", term_surplus_first,
     NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "M without D, after many segments",
     term_flags_llp_late, NULL},
    {"rdmap.terminate-read-header", FIXTURE_PASS, 0, "of the second Request", term_second_read,
     NULL},
    {"rdmap.terminate-read-header", FIXTURE_NEAR, 0, "of a Response with a hole", term_read_hole,
     "ddp.to-contiguous"},
    {"rdmap.terminate-read-header", FIXTURE_NEAR, 0, "of a Response, and a segment of no queue",
     term_read_misplaced, "rdmap.queue-number"},
    {"rdmap.terminate-read-header", FIXTURE_FAIL, 0, "before the sink, of a Response with a hole",
     term_read_hole_before, "ddp.to-contiguous"},
};

const size_t rules_cases_term_num = sizeof(rules_cases_term) / sizeof(rules_cases_term[0]);
