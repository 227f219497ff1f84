/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases that depend on what earlier events leave: which Requests wait, which message is
 * under way, where FPDUs are known to begin. */

#include "rules_cases.h"

static struct fixture_seg state_write(uint64_t to, size_t len) {
  return fixture_tagged(IWARP_RDMAP_OP_WRITE, 2, to, len);
}

/* ---- where FPDUs begin ---- */

/* The capture of the Responder begins inside of what may be its Private Data: in 512 octets FPDUs
 * are not known to be any. Those after the first one come with these MSNs. */
static void state_inside_private(struct rules_fixture *l, uint32_t msn, uint32_t last) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 488);
  const uint32_t next[] = {msn, last};
  s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  l->info.crc = IWARP_TRISTATE_ON;
  l->info.crc_by = IWARP_KNOWN_BY_CALLER;
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  for (unsigned i = 0; i < 2; i++) {
    s = fixture_send(next[i]);
    s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
    fixture_fpdu(l, FIXTURE_RESPONDER, s);
  }
}

static void state_inside_private_right(struct rules_fixture *l) {
  start_request_only(l);
  state_inside_private(l, 4, 5);
}

static void state_inside_private_wrong(struct rules_fixture *l) {
  start_request_only(l);
  state_inside_private(l, 4, 6);
}

/* The Request is not in the capture. */
static void state_inside_private_alone(struct rules_fixture *l) {
  l->info.side[FIXTURE_INITIATOR].start_known = false;
  state_inside_private(l, 4, 5);
}

/* An FPDU of no octets begins with four zeros, which are no Marker. */
static void state_phase_of_empty(struct rules_fixture *l) {
  struct fixture_seg s = {.short_ulpdu = true, .good_run = IWARP_MPA_FPDU_WIRE_MAX};
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  l->no_start = true;
  l->info.side[FIXTURE_INITIATOR].full_pos = l->next[FIXTURE_INITIATOR];
  l->next[FIXTURE_INITIATOR] += 100;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s = fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 600);
  s.marker = 1;
  s.marker_is = (iwarp_mpa_marker){.fpduptr = 4};
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* The octets of a hole inside an FPDU are reported after it: nothing else is missing. */
static void state_hole_inside(struct rules_fixture *l, uint64_t before_end) {
  struct fixture_seg s = fixture_send(4);
  s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  l->next[FIXTURE_INITIATOR] -= before_end + 4;
  fixture_gap(l, FIXTURE_INITIATOR, 4, IWARP_GAP_SNAPLEN);
  l->next[FIXTURE_INITIATOR] += before_end;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void state_hole_at_end(struct rules_fixture *l) {
  state_hole_inside(l, 0);
}

static void state_hole_before_end(struct rules_fixture *l) {
  state_hole_inside(l, 8);
}

/* After an unexpected Marker the start of the next FPDU is not known. */
static void state_after_unasked(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(3);
  s.ddp.rsvd = 1;
  markers_marked_unasked_pad(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* The first FPDU as its sender meant it: its first Marker, and the Marker inside left out. The
 * octets that are taken for its end are of the one after it. */
static void state_first_without_inner(struct rules_fixture *l) {
  static const uint8_t ulpdu[580] = {0x41, 0x43, [13] = 1};
  uint8_t wire[640] = {0};
  const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, sizeof(ulpdu)}};
  size_t len = 0;
  if (iwarp_mpa_fpdu_encode(&wire[4], sizeof(wire) - 4, &len, &d) != IWARP_OK) {
    abort();
  }
  const uint32_t crc = iwarp_crc32c(0, wire, len);
  for (size_t i = 0; i < IWARP_MPA_CRC_LEN; i++) {
    wire[len + i] = (uint8_t)(crc >> 8 * i);
  }
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_wire(l, FIXTURE_INITIATOR, (iwarp_span){wire, len + 8});
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(1));
}

/* The Request is followed by octets that are no FPDU, with which the stream ends; that the other
 * side had sent nothing is known later. */
static void state_surplus_at_end(struct rules_fixture *l) {
  static const uint8_t octets[8] = {0, 1, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE};
  const struct fixture_frame request = {.rev = 1, .pd_length = 10};
  l->info.side[FIXTURE_RESPONDER].start_known = false;
  fixture_startup(l, FIXTURE_INITIATOR, &request);
  fixture_run(l, FIXTURE_INITIATOR, (iwarp_span){octets, sizeof(octets)}, sizeof(octets),
              IWARP_UNDEC_UNFINISHED);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
  l->info.side[FIXTURE_RESPONDER].start_known = true;
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* An FPDU that was held is one, whatever else was too long to be. */
static void state_after_limit(struct rules_fixture *l) {
  struct fixture_seg s = fixture_send(2);
  s.ddp.rsvd = 1;
  fixture_begin(l);
  l->info.limits = IWARP_LIMIT_ULPDU;
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* ---- Markers ---- */

/* A Marker of zeros in the first FPDU, after the one before it; the right one is after it. */
static void state_second_marker_moved_in(struct rules_fixture *l, size_t len) {
  static const uint8_t payload[IWARP_MPA_ULPDU_MAX] = {[494] = 0x02, [495] = 0x04};
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, len);
  s.payload = payload;
  s.marker = 2;
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void state_second_marker_moved(struct rules_fixture *l) {
  state_second_marker_moved_in(l, 600);
}

static void state_second_marker_moved_longest(struct rules_fixture *l) {
  state_second_marker_moved_in(l, IWARP_MPA_ULPDU_MAX - IWARP_DDP_UNTAGGED_LEN);
}

/* Octets of payload stand in place of a Marker in the header of the second of two Tagged segments.
 * The first segment ends the message or not. */
static void state_marker_in_tagged(struct rules_fixture *l, bool last, struct fixture_seg second) {
  struct fixture_seg s = state_write(100, 480);
  s.ddp.last = last;
  second.marker = 1;
  second.marker_is = (iwarp_mpa_marker){.reserved = 0x6162, .fpduptr = 0x6363};
  fixture_open_with(l, FIXTURE_M | FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  fixture_fpdu(l, FIXTURE_INITIATOR, second);
}

static void state_marker_in_rest(struct rules_fixture *l) {
  state_marker_in_tagged(l, false, state_write(580, 40));
}

static void state_marker_in_next(struct rules_fixture *l) {
  state_marker_in_tagged(l, true, state_write(580, 40));
}

/* ---- messages under way ---- */

static struct fixture_seg state_wrong_queue(uint32_t msn) {
  struct fixture_seg s = fixture_send(msn);
  s.ddp.qn = 3;
  return s;
}

/* A Write that is left unfinished goes on, and is left again. */
static void state_left_twice(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(state_write(0, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(state_write(40, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(3));
}

/* An empty Send in two segments, where another one may have taken its MSN. */
static void state_hollow_after_gap(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND, 5, 40, 40);
  fixture_begin_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_INITIATOR, 60, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  s = fixture_untagged(IWARP_RDMAP_OP_SEND, 6, 0, 0);
  s.good_run = IWARP_MPA_FPDU_WIRE_MAX;
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(s));
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

/* What is known of a message out of order is given up when the place of a segment is not known. */
static void state_order_then_misplaced(struct rules_fixture *l) {
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 0, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR,
               fixture_more(fixture_untagged(IWARP_RDMAP_OP_SEND, 2, 80, 40)));
  fixture_fpdu(l, FIXTURE_INITIATOR, state_wrong_queue(2));
}

/* ---- Requests that wait, and their Responses ---- */

/* A Read Request of the Initiator, with STag 2. */
static void state_read(struct rules_fixture *l, uint32_t msn, uint32_t size, uint64_t to) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  fixture_fpdu(
      l, FIXTURE_INITIATOR,
      fixture_read_of(octets, msn,
                      (iwarp_rdmap_read_req){.sink_stag = 2, .sink_to = to, .size = size}));
}

static struct fixture_seg state_response(uint64_t to, size_t len) {
  return fixture_tagged(IWARP_RDMAP_OP_READ_RESP, 2, to, len);
}

static void state_answer(struct rules_fixture *l, uint64_t to, size_t len) {
  fixture_fpdu(l, FIXTURE_RESPONDER, state_response(to, len));
}

static void state_answer_more(struct rules_fixture *l, uint64_t to, size_t len) {
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(state_response(to, len)));
}

/* L in a segment without payload, and then what was asked for. */
static void state_rest_of_all(struct rules_fixture *l) {
  fixture_begin(l);
  state_read(l, 1, 120, 100);
  state_answer(l, 100, 0);
  state_answer(l, 100, 120);
}

/* Half a Response, a segment without a place, and a Write: what it answers goes on waiting. */
static void state_half_then_misplaced(struct rules_fixture *l) {
  fixture_begin(l);
  state_read(l, 1, 80, 100);
  state_answer_more(l, 100, 40);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(2));
  fixture_fpdu(l, FIXTURE_RESPONDER, state_wrong_queue(2));
  fixture_fpdu(l, FIXTURE_RESPONDER, state_write(0x4000, 20));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* A Write inside of a Response, which goes on in its place. */
static void state_write_inside(struct rules_fixture *l) {
  fixture_begin(l);
  state_read(l, 1, 80, 100);
  state_answer_more(l, 100, 40);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(state_write(140, 20)));
  state_answer_more(l, 160, 20);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* Another STag inside of a Response. */
static void state_stag_inside(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(state_response(140, 20));
  s.ddp.stag = 3;
  fixture_begin(l);
  state_read(l, 1, 80, 100);
  state_answer_more(l, 100, 40);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  state_answer_more(l, 160, 20);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* A Response of which the second half has a wrong version, and no L. */
static void state_version_inside(struct rules_fixture *l) {
  struct fixture_seg s = fixture_more(state_response(140, 40));
  s.ddp.rsvdulp &= 0x3F;
  fixture_begin(l);
  state_read(l, 1, 80, 100);
  state_answer_more(l, 100, 40);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* What begins after the first octet asked for, and is lost before it ends. */
static void state_late_then_lost(struct rules_fixture *l, struct fixture_seg s) {
  fixture_begin_with(l, FIXTURE_C);
  state_read(l, 1, 80, 100);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_more(s));
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
}

static void state_late_version(struct rules_fixture *l) {
  struct fixture_seg s = state_response(120, 20);
  s.ddp.rsvdulp &= 0x3F;
  state_late_then_lost(l, s);
}

static void state_late_write(struct rules_fixture *l) {
  state_late_then_lost(l, state_write(120, 20));
}

static void state_late_empty(struct rules_fixture *l) {
  state_late_then_lost(l, state_response(120, 0));
}

/* The rest of a Response that L ended lies where the next Read has its sink. */
static void state_late_rest(struct rules_fixture *l) {
  fixture_begin_with(l, FIXTURE_C);
  state_read(l, 1, 80, 100);
  state_read(l, 2, 100, 120);
  state_answer(l, 100, 40);
  state_answer_more(l, 140, 20);
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
}

static void state_late_whole(struct rules_fixture *l) {
  fixture_begin(l);
  state_read(l, 1, 80, 100);
  state_answer(l, 120, 40);
}

static void state_late_octet(struct rules_fixture *l) {
  fixture_begin(l);
  state_read(l, 1, 2, 100);
  state_answer_more(l, 101, 1);
  state_answer(l, 100, 1);
}

/* The first Request comes after a gap of the other side, which does not answer it. */
static void state_asked_after_gap(struct rules_fixture *l, unsigned then) {
  fixture_open_with(l, FIXTURE_C);
  fixture_gap(l, FIXTURE_RESPONDER, 60, IWARP_GAP_LOST);
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_send(2));
  state_read(l, 1, 40, 100);
  fixture_fpdu(l, then, then == FIXTURE_INITIATOR ? fixture_send(1) : fixture_send(3));
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

static void state_asked_then_asker(struct rules_fixture *l) {
  state_asked_after_gap(l, FIXTURE_INITIATOR);
}

static void state_asked_then_other(struct rules_fixture *l) {
  state_asked_after_gap(l, FIXTURE_RESPONDER);
}

/* Two answers to eight Requests, of which the first was received as two more are sent. */
static void state_one_answer_received(struct rules_fixture *l) {
  fixture_begin(l);
  for (uint32_t msn = 1; msn <= FIXTURE_DEPTH; msn++) {
    fixture_read(l, FIXTURE_INITIATOR, msn, 10);
  }
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(10));
  const uint64_t first = l->next[FIXTURE_RESPONDER];
  fixture_fpdu(l, FIXTURE_RESPONDER, fixture_read_response(10));
  for (uint32_t msn = FIXTURE_DEPTH + 1; msn <= FIXTURE_DEPTH + 2; msn++) {
    l->received = first;
    fixture_read(l, FIXTURE_INITIATOR, msn, 10);
  }
}

/* ---- SCTP ---- */

/* A segment that has no place may have been the first. */
static void state_refused_segment(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(2);
  sctp_open(l);
  SCTP_SEGMENT(l, 0, 1, .reason = IWARP_SCTP_REASON_SSN, .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEGMENT(l, 0, 1, .what = &s);
}

/* A Session Control message in a wrong place did not count. */
static void state_refused_control(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(2);
  sctp_open(l);
  SCTP_SEND(l, .function = 2, .ssn = 1, .reason = IWARP_SCTP_REASON_SSN,
            .verdict = IWARP_SCTP_ILLEGAL);
  SCTP_SEGMENT(l, 0, 2, .what = &s);
}

/* ---- what a Terminate returns ---- */

static void state_terminate(struct rules_fixture *l, iwarp_rdmap_term t) {
  fixture_begin(l);
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

/* DDP's Local Catastrophic, with M: an octet follows DDP Segment Length, and one of zero. */
static void state_term_m_surplus(struct rules_fixture *l) {
  static const uint8_t rest[2] = {1, 0};
  state_terminate(
      l, (iwarp_rdmap_term){
             .layer = 1, .m = true, .has_ddp_segment_length = true, .rest = {rest, sizeof(rest)}});
}

/* DDP's Local Catastrophic may come of a segment. */
static void state_term_local(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_send(1);
  fixture_begin(l);
  term_returning(l, (iwarp_rdmap_term){.layer = 1, .m = true}, &s);
}

/* Nothing is returned for this error of DDP. */
static void state_term_bare(struct rules_fixture *l, uint8_t etype, uint8_t code) {
  state_terminate(l, (iwarp_rdmap_term){.layer = 1, .etype = etype, .code = code});
}

static void state_term_tagged_version(struct rules_fixture *l) {
  state_term_bare(l, 1, 4);
}

static void state_term_tagged_wrap(struct rules_fixture *l) {
  state_term_bare(l, 1, 3);
}

static void state_term_untagged_mo(struct rules_fixture *l) {
  state_term_bare(l, 2, 4);
}

/* An error of this kind on a Read Request, whose header comes back or does not. */
static void state_term_read(struct rules_fixture *l, iwarp_rdmap_term t) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const struct fixture_seg s = fixture_read_request(octets, 1, 100);
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  t.rdma_header = (iwarp_span){octets, t.r ? IWARP_RDMAP_READ_REQ_LEN : 0};
  term_returning(l, t, &s);
}

static void state_term_read_no_m(struct rules_fixture *l) {
  state_term_read(l, (iwarp_rdmap_term){.etype = 1, .r = true});
}

static void state_term_operation_r(struct rules_fixture *l) {
  state_term_read(l, (iwarp_rdmap_term){.etype = 2, .code = 6, .m = true, .r = true});
}

static void state_term_operation(struct rules_fixture *l) {
  state_term_read(l, (iwarp_rdmap_term){.etype = 2, .code = 6, .m = true});
}

static void state_term_untagged_r(struct rules_fixture *l) {
  state_term_read(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 5, .m = true, .r = true});
}

static void state_term_untagged(struct rules_fixture *l) {
  state_term_read(l, (iwarp_rdmap_term){.layer = 1, .etype = 2, .code = 5, .m = true});
}

/* A Remote Protection Error about a segment that names an STag to invalidate. */
static void state_term_invalidate_se(struct rules_fixture *l) {
  const struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_SEND_SE_INV, 2, 0, 40);
  fixture_begin(l);
  fixture_fpdu(l, FIXTURE_RESPONDER, s);
  term_returning(l, (iwarp_rdmap_term){.etype = 1, .code = 9, .m = true}, &s);
}

/* Of a Send in a stream that begins one octet after a multiple of four, all octets but `less` were
 * received. */
static void state_term_odd(struct rules_fixture *l, uint64_t less) {
  const struct fixture_seg s = fixture_send(2);
  const iwarp_rdmap_term t = {.layer = 1, .etype = 2, .code = 5, .m = true};
  fixture_begin_with(l, FIXTURE_C);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
  l->received = l->next[FIXTURE_INITIATOR] - less;
  fixture_terminate_returning(l, FIXTURE_RESPONDER, t, &s);
}

static void state_term_odd_whole(struct rules_fixture *l) {
  state_term_odd(l, 0);
}

static void state_term_odd_early(struct rules_fixture *l) {
  state_term_odd(l, 1);
}

const struct rules_case rules_cases_state[] = {
    {"ddp.msn-sequence", FIXTURE_NEAR, 0, "past Private Data at the beginning",
     state_inside_private_right, NULL},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "past Private Data at the beginning, wrong",
     state_inside_private_wrong, NULL},
    {"ddp.msn-sequence", FIXTURE_NEAR, 0, "past what may be Private Data, no Request",
     state_inside_private_alone, NULL},
    {"mpa.marker-pointer", FIXTURE_INCONCLUSIVE, IWARP_REASON_MID_STREAM, "after an empty FPDU",
     state_phase_of_empty, "mpa.ulpdu-length-zero"},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "after a hole at the end of an FPDU", state_hole_at_end,
     NULL},
    {"ddp.msn-sequence", FIXTURE_FAIL, 0, "after a hole inside an FPDU", state_hole_before_end,
     NULL},
    {"mpa.marker-unasked", FIXTURE_FAIL, 0, "inside, and octets after it", state_after_unasked,
     NULL},
    {"mpa.responder-first", FIXTURE_NEAR, 0, "after an FPDU without the Marker inside",
     state_first_without_inner, "mpa.marker-period"},
    {"mpa.pd-length-match", FIXTURE_FAIL, 0, "18 for 10, at the end of the stream",
     state_surplus_at_end, NULL},
    {"ddp.reserved", FIXTURE_FAIL, 0, "after a limit of the observer", state_after_limit, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "the second, eight octets later",
     state_second_marker_moved, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "the second of the longest, eight octets later",
     state_second_marker_moved_longest, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "in the header of a Tagged segment that is due",
     state_marker_in_rest, NULL},
    {"mpa.marker-period", FIXTURE_FAIL, 0, "in the header of a Tagged message",
     state_marker_in_next, NULL},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "one of two answers received",
     state_one_answer_received, NULL},
    {"ddp.msn-first", FIXTURE_SILENT, 0, "after a segment without a place", state_refused_segment,
     "sctp.ddp-ssn"},
    {"ddp.msn-first", FIXTURE_FAIL, 0, "after a message without a place", state_refused_control,
     "sctp.ddp-ssn"},
    {"ddp.message-order", FIXTURE_FAIL, 0, "a Write left twice", state_left_twice, NULL},
    {"ddp.zero-length", FIXTURE_FAIL, 0, "after the rest of one that was lost",
     state_hollow_after_gap, "ddp.empty-segment"},
    {"rdmap.queue-number", FIXTURE_FAIL, 0, "inside a message out of order",
     state_order_then_misplaced, NULL},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "0 for 120, and then all", state_rest_of_all,
     NULL},
    {"rdmap.request-answered", FIXTURE_FAIL, 0, "a Write after half and a segment without a place",
     state_half_then_misplaced, "rdmap.queue-number"},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "a Write inside of a Response", state_write_inside,
     "ddp.rsvdulp-constant"},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "another STag inside of a Response", state_stag_inside,
     "ddp.stag-constant"},
    {"ddp.stream-end", FIXTURE_FAIL, 0, "the rest of a Response has another version",
     state_version_inside, "rdmap.version"},
    {"rdmap.read-response-to", FIXTURE_SILENT, 0, "later, another version, then lost",
     state_late_version, "rdmap.version"},
    {"rdmap.read-response-to", FIXTURE_SILENT, 0, "a Write there, then lost", state_late_write,
     NULL},
    {"rdmap.read-response-to", FIXTURE_SILENT, 0, "no octets there, then lost", state_late_empty,
     "ddp.empty-segment"},
    {"rdmap.read-response-length", FIXTURE_FAIL, 0, "40 for 80, the rest where the next is due",
     state_late_rest, NULL},
    {"rdmap.read-response-to", FIXTURE_FAIL, 0, "later, and all of it", state_late_whole,
     "rdmap.read-response-length"},
    {"rdmap.read-response-to", FIXTURE_SILENT, 0, "the second of two octets first",
     state_late_octet, "ddp.segment-order"},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "after a gap, then the side that asked",
     state_asked_then_asker, NULL},
    {"rdmap.request-answered", FIXTURE_SILENT, 0, "after a gap, then the other side",
     state_asked_then_other, NULL},
    {"rdmap.terminate-headers", FIXTURE_FAIL, 0, "M, and an octet more", state_term_m_surplus,
     NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "Local Catastrophic, M and D", state_term_local,
     NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "a version, Tagged, none", state_term_tagged_version,
     NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "a TO that wraps, none", state_term_tagged_wrap,
     NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "an MO, none", state_term_untagged_mo, NULL},
    {"rdmap.terminate-flags", FIXTURE_FAIL, 0, "a protection error, D and R", state_term_read_no_m,
     NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "an operation error, M, D and R",
     state_term_operation_r, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "an operation error on a Read, M and D",
     state_term_operation, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "an error of DDP on a Read, M, D and R",
     state_term_untagged_r, NULL},
    {"rdmap.terminate-flags", FIXTURE_NEAR, 0, "an error of DDP on a Read, M and D",
     state_term_untagged, NULL},
    {"rdmap.terminate-cause", FIXTURE_NEAR, 0, "an Invalidate with Solicited Event",
     state_term_invalidate_se, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_NEAR, 0, "of a whole Send at an odd position",
     state_term_odd_whole, NULL},
    {"rdmap.terminate-ddp-header", FIXTURE_FAIL, 0, "an octet before its end at an odd position",
     state_term_odd_early, NULL},
};

const size_t rules_cases_state_num = sizeof(rules_cases_state) / sizeof(rules_cases_state[0]);
