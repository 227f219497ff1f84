/* SPDX-License-Identifier: BSD-2-Clause */
/* What FAULT says of an error: which one it is, in which FPDU, with which header. */
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"

#define OP(name_) IWARP_RDMAP_OP_##name_

static const iwarp_endpoint_fault *fault_of(const ep_host *h, iwarp_term term) {
  const iwarp_endpoint_event *ev = ep_host_last(h, IWARP_ENDPOINT_EVENT_FAULT);
  ck_assert_ptr_nonnull(ev);
  const iwarp_endpoint_fault *f = &ev->u.fault;
  ck_assert_int_eq(f->term, term);
  ck_assert_uint_eq((unsigned)f->layer << 12 | (unsigned)f->etype << 8 | f->code, (unsigned)term);
  return f;
}

/* The header is there whatever MPA says of the FPDU: a Send before it moves the offset. */
START_TEST(an_fpdu_that_mpa_finds_wrong)
{
  uint8_t ulpdu[64];
  wire w = wire_new(_i != 0, true, false);
  const seg first = {.opcode = OP(SEND), .len = 3};
  const seg s = {.opcode = OP(SEND_SE), .msn = 2, .len = 4};
  wire_seg(&w, &first);
  const size_t n = seg_ulpdu(ulpdu, sizeof ulpdu, &s);
  wire_ulpdu(&w, ulpdu, n, 21, 1);
  const iwarp_endpoint_fault *f = fault_of(w.h, IWARP_TERM_MPA_CRC);
  ck_assert_uint_eq(f->offset, w.last);
  ck_assert_uint_gt(f->offset, 0);
  ck_assert(f->has_ddp && !f->ddp.tagged);
  ck_assert_uint_eq(f->ddp.msn, 2);
  ck_assert_uint_eq(f->ctrl.opcode, OP(SEND_SE));
  wire_free(&w);
}
END_TEST

START_TEST(a_marker_that_is_wrong)
{
  uint8_t ulpdu[64];
  wire w = wire_new(true, false, false);
  const seg s = {.tagged = true, .opcode = OP(WRITE), .stag = 1, .to = 0x1000, .len = 4};
  wire_ulpdu(&w, ulpdu, seg_ulpdu(ulpdu, sizeof ulpdu, &s), 3, 4);
  const iwarp_endpoint_fault *f = fault_of(w.h, IWARP_TERM_MPA_MARKER);
  ck_assert_uint_eq(f->offset, 0);
  ck_assert(f->has_ddp && f->ddp.tagged);
  ck_assert_uint_eq(f->ddp.stag, 1);
  wire_free(&w);
}
END_TEST

/* No header is there: the ULPDU is too short for one, or longer than is allowed. */
START_TEST(an_fpdu_without_a_header)
{
  static const iwarp_term terms[] = {IWARP_TERM_DDP_LOCAL, IWARP_TERM_MPA_LOCAL};
  uint8_t ulpdu[200] = {0x41, 0x43};
  iwarp_endpoint_cfg cfg = wire_cfg(false, true, false);
  cfg.max_ulpdu = 128;
  wire w = wire_of(&cfg);
  const seg first = {.opcode = OP(SEND), .len = 3};
  wire_seg(&w, &first);
  wire_ulpdu(&w, ulpdu, _i == 0 ? 5 : 129, 0, 0);
  const iwarp_endpoint_fault *f = fault_of(w.h, terms[_i]);
  ck_assert_uint_eq(f->offset, w.last);
  ck_assert(!f->has_ddp);
  wire_free(&w);
}
END_TEST

/* No octet of the peer shows the error. */
START_TEST(an_error_of_this_side)
{
  wire w = wire_new(false, true, false);
  ok(iwarp_endpoint_fail(w.h->ep, 2, 0, 5));
  ep_host_run(w.h);
  const iwarp_endpoint_fault *f = fault_of(w.h, IWARP_TERM_MPA_LOCAL);
  ck_assert(f->sent && !f->has_ddp);
  ck_assert_uint_eq(f->offset, IWARP_POS_UNKNOWN);
  wire_free(&w);
}
END_TEST

/* FPDUs that come before strict_first_fpdu allows it. */
START_TEST(an_fpdu_that_is_too_early)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  cfg.strict_first_fpdu = true;
  const iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_RESPONDER);
  ep_host *h = ep_host_new(&cfg);
  ep_host *other = ep_host_new(&peer);
  ep_join(h, other);
  ep_host_push(h, (const uint8_t[]){0, 18, 0x41, 0x43}, 4, 4);
  const iwarp_endpoint_fault *f = fault_of(h, IWARP_TERM_MPA_LOCAL);
  ck_assert_uint_eq(f->offset, 0);
  ck_assert(!f->has_ddp);
  ep_host_free(h);
  ep_host_free(other);
}
END_TEST

/* A Request that waited, and whose region went: its own FPDU is to blame, not the last one. */
START_TEST(a_request_that_can_be_answered_no_longer)
{
  wire w = wire_new(false, true, false);
  const seg first = {.opcode = OP(SEND), .len = 3};
  const seg second = {.opcode = OP(SEND), .msn = 2, .len = 3};
  const seg read = read_seg(
      (iwarp_rdmap_read_req){.sink_stag = 8, .size = 8, .source_stag = 1, .source_to = 0x1000});
  wire_seg(&w, &first);
  wire_seg(&w, &read);
  const uint64_t blamed = w.last;
  wire_seg(&w, &second);
  ok(iwarp_endpoint_revoke(w.h->ep, 1));
  ep_host_run(w.h);
  const iwarp_endpoint_fault *f = fault_of(w.h, IWARP_TERM_PROTECTION_STAG);
  ck_assert_uint_eq(f->offset, blamed);
  ck_assert(f->has_ddp && f->sent);
  ck_assert_uint_eq(f->ddp.qn, IWARP_RDMAP_QN_READ_REQ);
  ck_assert_uint_eq(f->ctrl.opcode, OP(READ_REQ));
  wire_free(&w);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_marker_that_is_wrong, an_error_of_this_side,
                                an_fpdu_that_is_too_early, a_request_that_can_be_answered_no_longer,
                                NULL};
  Suite *suite = check_suite("stream-ep-fault", tests);
  TCase *each = tcase_create("each");
  tcase_add_loop_test(each, an_fpdu_that_mpa_finds_wrong, 0, 2);
  tcase_add_loop_test(each, an_fpdu_without_a_header, 0, 2);
  suite_add_tcase(suite, each);
  return check_run(suite);
}
