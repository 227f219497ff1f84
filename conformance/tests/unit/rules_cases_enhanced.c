/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the rules on enhanced startup frames and the RTR. */

#include "rules_cases.h"

/* ---- enhanced ---- */

static void start_s_rev1(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_S, 1);
}

static void start_s_short(struct rules_fixture *l) {
  const struct fixture_frame request = {.flags = IWARP_MPA_FLAG_S, .rev = 2, .pd_length = 3};
  fixture_startup(l, FIXTURE_INITIATOR, &request);
}

static void start_s_exact(struct rules_fixture *l) {
  start_request_flags(l, IWARP_MPA_FLAG_S, 2);
}

static void start_s_not_answered(struct rules_fixture *l) {
  fixture_exchange(l, fixture_request(), (struct fixture_frame){.reply = true, .rev = 2});
}

static void start_s_unasked(struct rules_fixture *l) {
  fixture_exchange(l, (struct fixture_frame){.rev = 2}, fixture_reply());
}

void start_model(struct rules_fixture *l, iwarp_mpa_enhanced asked, iwarp_mpa_enhanced answered) {
  struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  request.enh = asked;
  reply.enh = answered;
  fixture_exchange(l, request, reply);
}

static const iwarp_mpa_enhanced start_peer_write = {.a = true, .c = true, .ird = 8, .ord = 8};

const iwarp_mpa_enhanced start_client = {.ird = 8, .ord = 8};

static void start_model_dropped(struct rules_fixture *l) {
  start_model(l, start_peer_write, start_client);
}

static void start_model_added(struct rules_fixture *l) {
  start_model(l, start_client, start_peer_write);
}

static void start_model_peer(struct rules_fixture *l) {
  start_model(l, start_peer_write, start_peer_write);
}

static void start_rtr_without_model(struct rules_fixture *l) {
  start_model(l, (iwarp_mpa_enhanced){.d = true, .ird = 8, .ord = 8}, start_client);
}

static void start_b_without_model(struct rules_fixture *l) {
  start_model(l, start_client, (iwarp_mpa_enhanced){.b = true, .ird = 8, .ord = 8});
}

static void start_none_offered(struct rules_fixture *l) {
  start_model(l, (iwarp_mpa_enhanced){.a = true, .ird = 8, .ord = 8}, start_peer_write);
}

static void start_one_offered(struct rules_fixture *l) {
  start_model(l, (iwarp_mpa_enhanced){.a = true, .b = true, .ird = 8, .ord = 8}, start_peer_write);
}

static void start_none_supported(struct rules_fixture *l) {
  start_model(l, start_peer_write, (iwarp_mpa_enhanced){.a = true, .ird = 8, .ord = 8});
}

void start_depths(struct rules_fixture *l, uint16_t ird, uint16_t ord, uint16_t reply_ird,
                  uint16_t reply_ord) {
  start_model(l, (iwarp_mpa_enhanced){.ird = ird, .ord = ord},
              (iwarp_mpa_enhanced){.ird = reply_ird, .ord = reply_ord});
}

static void start_ird_number(struct rules_fixture *l) {
  start_depths(l, 8, 0x3FFF, 0x3FFE, 8);
}

static void start_ord_number(struct rules_fixture *l) {
  start_depths(l, 0x3FFF, 8, 8, 0x3FFE);
}

void start_both_unspecified(struct rules_fixture *l) {
  start_depths(l, 0x3FFF, 0x3FFF, 0x3FFF, 0x3FFF);
}

static void start_opts_out(struct rules_fixture *l) {
  start_depths(l, 8, 8, 0x3FFF, 0x3FFF);
}

static void start_ord_above(struct rules_fixture *l) {
  start_depths(l, 8, 8, 8, 9);
}

static void start_ord_equal(struct rules_fixture *l) {
  start_depths(l, 8, 8, 0, 8);
}

static void start_ord_above_reject(struct rules_fixture *l) {
  struct fixture_frame reply = fixture_reply();
  reply.flags |= IWARP_MPA_FLAG_R;
  reply.enh.ord = 100;
  fixture_exchange(l, fixture_request(), reply);
}

/* ---- RTR ---- */

static void rtr_open_all(struct rules_fixture *l) {
  const iwarp_mpa_enhanced all = {.a = true, .b = true, .c = true, .d = true, .ird = 8, .ord = 8};
  start_model(l, all, all);
}

static void rtr_send(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 0));
}

static void rtr_write(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0));
}

static void rtr_read(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 0);
}

static void rtr_terminate(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_terminate_mpa(l, FIXTURE_INITIATOR, 1);
}

static void rtr_long_send(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 1));
}

static void rtr_long_read(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_read(l, FIXTURE_INITIATOR, 1, 1);
}

/* A Read Request that lacks its last octet. */
static void rtr_short_read(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_READ_REQ, 1, 0, 27));
}

static void rtr_se(struct rules_fixture *l) {
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND_SE, 1, 0, 0));
}

static void rtr_cut_read(struct rules_fixture *l) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  struct fixture_seg s = fixture_read_request(octets, 1, 0);
  s.cut = 30;
  rtr_open_all(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void rtr_wrong_type(struct rules_fixture *l) {
  start_model(l, start_peer_write, (iwarp_mpa_enhanced){.a = true, .d = true, .ird = 8, .ord = 8});
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0));
}

static void rtr_none_in_common(struct rules_fixture *l) {
  start_model(l, start_peer_write, (iwarp_mpa_enhanced){.a = true, .d = true, .ird = 8, .ord = 8});
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 1));
}

static void rtr_not_negotiated(struct rules_fixture *l) {
  const iwarp_mpa_enhanced both = {.a = true, .c = true, .d = true, .ird = 8, .ord = 8};
  start_model(l, both, start_peer_write);
  fixture_read(l, FIXTURE_INITIATOR, 1, 0);
}

static void rtr_negotiated(struct rules_fixture *l) {
  const iwarp_mpa_enhanced both = {.a = true, .c = true, .d = true, .ird = 8, .ord = 8};
  start_model(l, both, start_peer_write);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 1, 0, 0));
}

static void rtr_mismatch_code(struct rules_fixture *l, uint8_t layer, uint8_t code) {
  const iwarp_rdmap_term t = {.layer = layer, .etype = layer == 0 ? 2 : 0, .code = code};
  start_model(l, start_peer_write, (iwarp_mpa_enhanced){.a = true, .d = true, .ird = 8, .ord = 8});
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void rtr_mismatch_good(struct rules_fixture *l) {
  rtr_mismatch_code(l, 2, 7);
}

static void rtr_mismatch_no_cause(struct rules_fixture *l) {
  rtr_mismatch_code(l, 2, 6);
}

static void rtr_mismatch_local(struct rules_fixture *l) {
  rtr_mismatch_code(l, 2, 5);
}

static void rtr_mismatch_numbers(struct rules_fixture *l, uint16_t ird, uint16_t ord) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 6};
  iwarp_mpa_enhanced asked = start_peer_write;
  asked.ird = ird;
  start_model(l, asked, (iwarp_mpa_enhanced){.a = true, .d = true, .ird = 8, .ord = ord});
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void rtr_mismatch_ird(struct rules_fixture *l) {
  rtr_mismatch_numbers(l, 8, 9);
}

static void rtr_mismatch_any_ird(struct rules_fixture *l) {
  rtr_mismatch_numbers(l, IWARP_MPA_DEPTH_UNSPEC, IWARP_MPA_DEPTH_UNSPEC);
}

static void rtr_mismatch_any_ord(struct rules_fixture *l) {
  rtr_mismatch_numbers(l, 8, IWARP_MPA_DEPTH_UNSPEC);
}

/* The Reply still names an ORD. */
static void rtr_mismatch_no_ird(struct rules_fixture *l) {
  rtr_mismatch_numbers(l, IWARP_MPA_DEPTH_UNSPEC, 8);
}

static void rtr_mismatch_crc(struct rules_fixture *l) {
  rtr_mismatch_code(l, 2, 4);
}

static void rtr_mismatch_after_octets(struct rules_fixture *l) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 2};
  start_model(l, (iwarp_mpa_enhanced){.a = true, .b = true, .ird = 4, .ord = 4},
              (iwarp_mpa_enhanced){.a = true, .c = true, .ird = 4, .ord = 4});
  l->received = l->next[FIXTURE_RESPONDER] + 20;
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void rtr_mismatch_swapped(struct rules_fixture *l) {
  rtr_mismatch_code(l, 0, 7);
}

static void rtr_mismatch_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4);
  s.cut = 21;
  start_model(l, start_peer_write, (iwarp_mpa_enhanced){.a = true, .d = true, .ird = 8, .ord = 8});
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

static void rtr_read_too_deep(struct rules_fixture *l) {
  rtr_read(l);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

/* An undefined code. */
static void rtr_mismatch_unassigned(struct rules_fixture *l) {
  rtr_mismatch_code(l, 2, 8);
}

/* A is set though the Request has none, and no RTR flag with it. */
static void start_model_alone(struct rules_fixture *l) {
  start_model(l, (iwarp_mpa_enhanced){.ird = 1, .ord = 1},
              (iwarp_mpa_enhanced){.a = true, .ird = 1, .ord = 1});
}

/* After the Terminate about its IRD the Initiator goes on. */
static void rtr_ird_goes_on(struct rules_fixture *l) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 6};
  start_depths(l, 4, 4, 4, 5);
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
}

/* A Responder that has one Read more outstanding than the Initiator announced room for. */
static void rtr_reads(struct rules_fixture *l, uint32_t reads) {
  start_depths(l, 1, 8, 8, 1);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  for (uint32_t msn = 1; msn <= reads; msn++) {
    fixture_read(l, FIXTURE_RESPONDER, msn, 8);
  }
}

static void rtr_reads_above_ird(struct rules_fixture *l) {
  rtr_reads(l, 2);
}

static void rtr_reads_up_to_ird(struct rules_fixture *l) {
  rtr_reads(l, 1);
}

/* ---- no RTR type is common, or one is ---- */

/* The Initiator closes after a Reply that has these RTR types and so many octets of Private Data of
 * the ULP. It had received so many octets more than that. */
static void rtr_closed(struct rules_fixture *l, iwarp_mpa_enhanced answered, uint16_t ulp_data,
                       uint64_t more, iwarp_end how) {
  struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  request.enh = start_peer_write;
  request.pd_length = IWARP_MPA_ENHANCED_LEN;
  reply.enh = answered;
  reply.pd_length = (uint16_t)(IWARP_MPA_ENHANCED_LEN + ulp_data);
  fixture_exchange(l, request, reply);
  l->received = l->next[FIXTURE_RESPONDER] + more;
  fixture_end(l, FIXTURE_INITIATOR, how);
}

static const iwarp_mpa_enhanced rtr_peer_read = {.a = true, .d = true, .ird = 8, .ord = 8};

static void rtr_closed_mismatch(struct rules_fixture *l) {
  rtr_closed(l, rtr_peer_read, 0, 0, IWARP_END_FIN);
}

/* The Request offers none at all. */
static void rtr_closed_none_offered(struct rules_fixture *l) {
  struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  request.enh = (iwarp_mpa_enhanced){.a = true, .ird = 8, .ord = 8};
  request.pd_length = IWARP_MPA_ENHANCED_LEN;
  reply.enh = rtr_peer_read;
  reply.pd_length = IWARP_MPA_ENHANCED_LEN;
  fixture_exchange(l, request, reply);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* The Reply names none at all. */
static void rtr_closed_none_named(struct rules_fixture *l) {
  rtr_closed(l, (iwarp_mpa_enhanced){.a = true, .ird = 8, .ord = 8}, 0, 0, IWARP_END_FIN);
}

static void rtr_closed_common(struct rules_fixture *l) {
  rtr_closed(l, start_peer_write, 0, 0, IWARP_END_FIN);
}

static void rtr_closed_client(struct rules_fixture *l) {
  start_model(l, start_client, start_client);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void rtr_closed_ulp_data(struct rules_fixture *l) {
  rtr_closed(l, rtr_peer_read, 1, 0, IWARP_END_FIN);
}

static void rtr_closed_in_part(struct rules_fixture *l) {
  rtr_closed(l, rtr_peer_read, 0, (uint64_t)0 - 1, IWARP_END_FIN);
}

/* A FIN of the Responder had come, or octets after the Reply. */
static void rtr_closed_after_more(struct rules_fixture *l) {
  rtr_closed(l, rtr_peer_read, 0, 1, IWARP_END_FIN);
}

static void rtr_closed_rst(struct rules_fixture *l) {
  rtr_closed(l, rtr_peer_read, 0, 0, IWARP_END_RST);
}

static void rtr_closed_no_ack(struct rules_fixture *l) {
  l->no_ack = true;
  rtr_closed(l, rtr_peer_read, 0, 0, IWARP_END_FIN);
}

static void rtr_closed_gap(struct rules_fixture *l) {
  start_model(l, start_peer_write, rtr_peer_read);
  fixture_gap(l, FIXTURE_INITIATOR, 44, IWARP_GAP_LOST);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

static void rtr_closed_rejected(struct rules_fixture *l) {
  struct fixture_frame request = fixture_request();
  struct fixture_frame reply = fixture_reply();
  request.enh = start_peer_write;
  reply.enh = rtr_peer_read;
  reply.pd_length = IWARP_MPA_ENHANCED_LEN;
  reply.flags |= IWARP_MPA_FLAG_R;
  fixture_exchange(l, request, reply);
  fixture_end(l, FIXTURE_INITIATOR, IWARP_END_FIN);
}

/* The Responder closes, who owes no RTR message. */
static void rtr_closed_responder(struct rules_fixture *l) {
  start_model(l, start_peer_write, rtr_peer_read);
  fixture_end(l, FIXTURE_RESPONDER, IWARP_END_FIN);
}

/* The Terminate of the Initiator after these frames. */
static void rtr_says(struct rules_fixture *l, iwarp_mpa_enhanced asked, iwarp_mpa_enhanced answered,
                     uint8_t code) {
  const iwarp_rdmap_term t = {.layer = 2, .code = code};
  start_model(l, asked, answered);
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void rtr_says_common(struct rules_fixture *l) {
  rtr_says(l, start_peer_write, start_peer_write, 7);
}

static void rtr_says_client(struct rules_fixture *l) {
  rtr_says(l, start_client, start_client, 7);
}

static void rtr_says_b_without_model(struct rules_fixture *l) {
  rtr_says(l, start_client, (iwarp_mpa_enhanced){.b = true, .ird = 8, .ord = 8}, 7);
}

static void rtr_says_client_local(struct rules_fixture *l) {
  rtr_says(l, start_client, start_client, 5);
}

static void rtr_says_read_without_room(struct rules_fixture *l) {
  iwarp_mpa_enhanced answered = rtr_peer_read;
  answered.ird = 0;
  rtr_says(l, rtr_peer_read, answered, 7);
}

static void rtr_says_read(struct rules_fixture *l) {
  rtr_says(l, rtr_peer_read, rtr_peer_read, 7);
}

static void rtr_says_other_model(struct rules_fixture *l) {
  rtr_says(l, start_peer_write, start_client, 7);
}

static void rtr_says_later(struct rules_fixture *l) {
  const iwarp_rdmap_term t = {.layer = 2, .code = 7};
  start_model(l, start_client, start_client);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_send(1));
  fixture_terminate(l, FIXTURE_INITIATOR, 1, &t);
}

static void rtr_says_cut(struct rules_fixture *l) {
  struct fixture_seg s = fixture_untagged(IWARP_RDMAP_OP_TERMINATE, 1, 0, 4);
  s.cut = 21;
  start_model(l, start_client, start_client);
  fixture_fpdu(l, FIXTURE_INITIATOR, s);
}

const struct rules_case rules_cases_enhanced[] = {
    {"mpa.enhanced-rev", FIXTURE_PASS, 0, "S with Rev 2", fixture_open, NULL},
    {"mpa.enhanced-rev", FIXTURE_NEAR, 0, "S with the shortest data", start_s_exact, NULL},
    {"mpa.enhanced-rev", FIXTURE_FAIL, 0, "S with Rev 1", start_s_rev1, NULL},
    {"mpa.enhanced-length", FIXTURE_PASS, 0, "20", fixture_open, NULL},
    {"mpa.enhanced-length", FIXTURE_NEAR, 0, "4", start_s_exact, NULL},
    {"mpa.enhanced-length", FIXTURE_FAIL, 0, "3", start_s_short, NULL},
    {"mpa.enhanced-pairing", FIXTURE_PASS, 0, "S and S", fixture_open, NULL},
    {"mpa.enhanced-pairing", FIXTURE_NEAR, 0, "no S at all", start_rev1, NULL},
    {"mpa.enhanced-pairing", FIXTURE_FAIL, 0, "S not answered", start_s_not_answered, NULL},
    {"mpa.enhanced-pairing", FIXTURE_FAIL, 0, "S unasked", start_s_unasked, NULL},
    {"mpa.enhanced-pairing", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.model-copied", FIXTURE_PASS, 0, "A 0 and 0", fixture_open, NULL},
    {"mpa.model-copied", FIXTURE_NEAR, 0, "A 1 and 1", start_model_peer, NULL},
    {"mpa.model-copied", FIXTURE_FAIL, 0, "A 1 and 0", start_model_dropped, NULL},
    {"mpa.model-copied", FIXTURE_FAIL, 0, "A 0 and 1", start_model_added, NULL},
    {"mpa.model-copied", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.model-flags", FIXTURE_PASS, 0, "none", fixture_open, NULL},
    {"mpa.model-flags", FIXTURE_NEAR, 0, "only the depths", start_both_unspecified, NULL},
    {"mpa.model-flags", FIXTURE_FAIL, 0, "D in the Request", start_rtr_without_model, NULL},
    {"mpa.model-flags", FIXTURE_FAIL, 0, "B in the Reply", start_b_without_model, NULL},
    {"mpa.rtr-offered", FIXTURE_PASS, 0, "Write", start_model_peer, NULL},
    {"mpa.rtr-offered", FIXTURE_NEAR, 0, "only Send", start_one_offered, NULL},
    {"mpa.rtr-offered", FIXTURE_FAIL, 0, "none", start_none_offered, NULL},
    {"mpa.rtr-supported", FIXTURE_PASS, 0, "Write", start_model_peer, NULL},
    {"mpa.rtr-supported", FIXTURE_NEAR, 0, "another one", start_one_offered, NULL},
    {"mpa.rtr-supported", FIXTURE_FAIL, 0, "none", start_none_supported, NULL},
    {"mpa.rtr-supported", FIXTURE_SILENT, 0, "none, A not asked for", start_model_alone,
     "mpa.model-copied"},
    {"mpa.rtr-supported", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.ird-unspecified", FIXTURE_PASS, 0, "0x3fff", start_both_unspecified, NULL},
    {"mpa.ird-unspecified", FIXTURE_FAIL, 0, "0x3ffe", start_ird_number, NULL},
    {"mpa.ird-unspecified", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.ord-unspecified", FIXTURE_PASS, 0, "0x3fff", start_both_unspecified, NULL},
    {"mpa.ord-unspecified", FIXTURE_FAIL, 0, "0x3ffe", start_ord_number, NULL},
    {"mpa.ord-unspecified", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.ord-limit", FIXTURE_PASS, 0, "8 of 8", fixture_open, NULL},
    {"mpa.ord-limit", FIXTURE_NEAR, 0, "8 of 8, IRD 0", start_ord_equal, NULL},
    {"mpa.ord-limit", FIXTURE_SILENT, 0, "in a Reject", start_ord_above_reject, NULL},
    {"mpa.ord-limit", FIXTURE_SILENT, 0, "0x3fff", start_opts_out, NULL},
    {"mpa.ord-limit", FIXTURE_FAIL, 0, "9 of 8", start_ord_above, NULL},
    {"mpa.ord-limit", FIXTURE_INCONCLUSIVE, IWARP_REASON_ONE_DIRECTION, "no Request",
     start_reply_only, NULL},
    {"mpa.rtr-first", FIXTURE_PASS, 0, "Send", rtr_send, NULL},
    {"mpa.rtr-first", FIXTURE_PASS, 0, "Write", rtr_write, NULL},
    {"mpa.rtr-first", FIXTURE_PASS, 0, "Read", rtr_read, NULL},
    {"mpa.rtr-first", FIXTURE_NEAR, 0, "Terminate", rtr_terminate, NULL},
    {"mpa.rtr-first", FIXTURE_NEAR, 0, "then a Send", rtr_read_too_deep, NULL},
    {"mpa.rtr-first", FIXTURE_FAIL, 0, "a Send of one octet", rtr_long_send, NULL},
    {"mpa.rtr-first", FIXTURE_FAIL, 0, "a Read of one octet", rtr_long_read, NULL},
    {"mpa.rtr-first", FIXTURE_FAIL, 0, "a Send with SE", rtr_se, NULL},
    {"rdmap.read-request-length", FIXTURE_FAIL, 0, "27, as RTR message", rtr_short_read, NULL},
    {"mpa.rtr-first", FIXTURE_FAIL, 0, "a Send of one octet, no type in common", rtr_none_in_common,
     NULL},
    {"mpa.rtr-first", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "size not available", rtr_cut_read,
     NULL},
    {"mpa.rtr-type", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "size not available", rtr_cut_read,
     NULL},
    {"mpa.rtr-type", FIXTURE_PASS, 0, "Send", rtr_send, NULL},
    {"mpa.rtr-type", FIXTURE_NEAR, 0, "one of two", rtr_negotiated, NULL},
    {"mpa.rtr-type", FIXTURE_FAIL, 0, "none in common", rtr_wrong_type, NULL},
    {"mpa.rtr-type", FIXTURE_FAIL, 0, "not answered", rtr_not_negotiated, NULL},
    {"mpa.rtr-mismatch", FIXTURE_PASS, 0, "2/0/7", rtr_mismatch_good, NULL},
    {"mpa.rtr-mismatch", FIXTURE_NEAR, 0, "2/0/6", rtr_mismatch_ird, "mpa.ord-limit"},
    {"mpa.rtr-mismatch", FIXTURE_PASS, 0, "2/0/6, any IRD", rtr_mismatch_any_ird, NULL},
    {"mpa.rtr-mismatch", FIXTURE_PASS, 0, "2/0/6, any ORD", rtr_mismatch_any_ord, NULL},
    {"mpa.rtr-mismatch", FIXTURE_PASS, 0, "2/0/5", rtr_mismatch_local, NULL},
    {"mpa.rtr-mismatch", FIXTURE_NEAR, 0, "2/0/6 without cause", rtr_mismatch_no_cause, NULL},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "2/0/4", rtr_mismatch_crc, NULL},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "0/2/7", rtr_mismatch_swapped, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "2/0/2 after octets of the peer",
     rtr_mismatch_after_octets, NULL},
    {"mpa.rtr-mismatch", FIXTURE_INCONCLUSIVE, IWARP_REASON_GAP, "code not available",
     rtr_mismatch_cut, NULL},
    {"mpa.rtr-mismatch", FIXTURE_PASS, 0, "2/0/6, no IRD", rtr_mismatch_no_ird,
     "mpa.ord-unspecified"},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "2/0/8", rtr_mismatch_unassigned, "rdmap.terminate-code"},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "closed without a Terminate", rtr_closed_mismatch, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed, none is offered", rtr_closed_none_offered,
     "mpa.rtr-offered"},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed, the Reply names none", rtr_closed_none_named,
     "mpa.rtr-supported"},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed, Write is common", rtr_closed_common, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed, the client-server model", rtr_closed_client,
     NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed, Private Data of the ULP in the Reply",
     rtr_closed_ulp_data, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed, an octet of the Reply had not come",
     rtr_closed_in_part, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed after more than the Reply",
     rtr_closed_after_more, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "reset", rtr_closed_rst, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed, no acknowledgement", rtr_closed_no_ack, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed, octets are missing", rtr_closed_gap, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed after a Reject", rtr_closed_rejected, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "closed by the Responder", rtr_closed_responder, NULL},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "2/0/7, Write is common", rtr_says_common, NULL},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "2/0/7, Read is common", rtr_says_read, NULL},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "2/0/7, the client-server model", rtr_says_client, NULL},
    {"mpa.rtr-mismatch", FIXTURE_FAIL, 0, "2/0/7, the client-server model, B in the Reply",
     rtr_says_b_without_model, "mpa.model-flags"},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "2/0/5, the client-server model", rtr_says_client_local,
     NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "2/0/7, Read is common, but has no room",
     rtr_says_read_without_room, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "2/0/7, another model in the Reply",
     rtr_says_other_model, "mpa.model-copied"},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "2/0/7 after a Send", rtr_says_later, NULL},
    {"mpa.rtr-mismatch", FIXTURE_SILENT, 0, "a Terminate without a code, the client-server model",
     rtr_says_cut, NULL},
    {"rdmap.terminate-final", FIXTURE_FAIL, 0, "a Send after 2/0/6", rtr_ird_goes_on,
     "mpa.ord-limit"},
    {"rdmap.reads-outstanding", FIXTURE_FAIL, 0, "of the Responder, above the IRD of the Request",
     rtr_reads_above_ird, NULL},
    {"rdmap.reads-outstanding", FIXTURE_NEAR, 0, "of the Responder, the IRD of the Request",
     rtr_reads_up_to_ird, NULL},
};

const size_t rules_cases_enhanced_num =
    sizeof(rules_cases_enhanced) / sizeof(rules_cases_enhanced[0]);
