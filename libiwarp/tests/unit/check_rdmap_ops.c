/* SPDX-License-Identifier: BSD-2-Clause */
/* The opcode table, the RDMAP Control Field and the errors that end in a Terminate. */
#include <iwarp/field.h>
#include <iwarp/rdmap.h>
#include <string.h>

#include "../../src/rx/data_fpdu.h"

#include "check_run.h"

/* RFC 5040 figures 4 and 5, RFC 7306 4.1, RFC 6580 3.4; the names stand in the JSON output. */
static const iwarp_rdmap_op wants[16] = {
    {"write", "RDMA Write", IWARP_RDMAP_CLASS_WRITE, IWARP_RDMAP_KIND_NONE, IWARP_FORM_NONE, true,
     true, true, 0, 0, true, false, false, "RFC 5040 4.3"},
    {"read-request", "RDMA Read Request", IWARP_RDMAP_CLASS_READ_REQ, IWARP_RDMAP_KIND_READ_REQ,
     IWARP_FORM_RDMAP_READ_REQ, true, true, false, 1, 28, false, false, false, "RFC 5040 4.4"},
    {"read-response", "RDMA Read Response", IWARP_RDMAP_CLASS_READ_RESP, IWARP_RDMAP_KIND_NONE,
     IWARP_FORM_NONE, true, true, true, 0, 0, true, false, false, "RFC 5040 4.5"},
    {"send", "Send", IWARP_RDMAP_CLASS_SEND, IWARP_RDMAP_KIND_NONE, IWARP_FORM_NONE, true, true,
     false, 0, 0, true, false, false, "RFC 5040 4.6"},
    {"send-invalidate", "Send with Invalidate", IWARP_RDMAP_CLASS_SEND, IWARP_RDMAP_KIND_NONE,
     IWARP_FORM_NONE, true, true, false, 0, 0, true, true, false, "RFC 5040 4.7"},
    {"send-se", "Send with Solicited Event", IWARP_RDMAP_CLASS_SEND, IWARP_RDMAP_KIND_NONE,
     IWARP_FORM_NONE, true, true, false, 0, 0, true, false, true, "RFC 5040 4.6"},
    {"send-se-invalidate", "Send with Solicited Event and Invalidate", IWARP_RDMAP_CLASS_SEND,
     IWARP_RDMAP_KIND_NONE, IWARP_FORM_NONE, true, true, false, 0, 0, true, true, true,
     "RFC 5040 4.7"},
    {"terminate", "Terminate", IWARP_RDMAP_CLASS_TERMINATE, IWARP_RDMAP_KIND_TERM,
     IWARP_FORM_RDMAP_TERM, true, true, false, 2, 4, false, false, false, "RFC 5040 4.8"},
    {"immediate", "Immediate Data", IWARP_RDMAP_CLASS_IMMEDIATE, IWARP_RDMAP_KIND_IMMEDIATE,
     IWARP_FORM_RDMAP_IMMEDIATE, true, false, false, 0, 8, false, false, false, "RFC 7306 6.2"},
    {"immediate-se", "Immediate Data with Solicited Event", IWARP_RDMAP_CLASS_IMMEDIATE,
     IWARP_RDMAP_KIND_IMMEDIATE, IWARP_FORM_RDMAP_IMMEDIATE, true, false, false, 0, 8, false, false,
     true, "RFC 7306 6.2"},
    {"atomic-request", "Atomic Request", IWARP_RDMAP_CLASS_ATOMIC_REQ, IWARP_RDMAP_KIND_ATOMIC_REQ,
     IWARP_FORM_RDMAP_ATOMIC_REQ, true, false, false, 1, 52, false, false, false, "RFC 7306 5.2.1"},
    {"atomic-response", "Atomic Response", IWARP_RDMAP_CLASS_ATOMIC_RESP,
     IWARP_RDMAP_KIND_ATOMIC_RESP, IWARP_FORM_RDMAP_ATOMIC_RESP, true, false, false, 3, 12, false,
     false, false, "RFC 7306 5.2.2"},
    {"reserved", "Unassigned", IWARP_RDMAP_CLASS_NONE, IWARP_RDMAP_KIND_NONE, IWARP_FORM_NONE,
     false, false, false, 0, 0, true, false, false, "RFC 6580 3.4"},
    {"reserved", "Unassigned", IWARP_RDMAP_CLASS_NONE, IWARP_RDMAP_KIND_NONE, IWARP_FORM_NONE,
     false, false, false, 0, 0, true, false, false, "RFC 6580 3.4"},
    {"reserved", "Unassigned", IWARP_RDMAP_CLASS_NONE, IWARP_RDMAP_KIND_NONE, IWARP_FORM_NONE,
     false, false, false, 0, 0, true, false, false, "RFC 6580 3.4"},
    {"reserved", "Reserved (Experimental)", IWARP_RDMAP_CLASS_NONE, IWARP_RDMAP_KIND_NONE,
     IWARP_FORM_NONE, false, false, false, 0, 0, true, false, false, "RFC 6580 3.4"},
};

START_TEST(opcode_table)
{
  for (unsigned i = 0; i < 256; i++) {
    const iwarp_rdmap_op *got = iwarp_rdmap_op_get((uint8_t)i);
    const iwarp_rdmap_op *want = &wants[i % 16];
    ck_assert_str_eq(got->name, want->name);
    ck_assert_str_eq(got->label, want->label);
    ck_assert_str_eq(got->rfc, want->rfc);
    ck_assert_msg(got->cls == want->cls, "%u class", i);
    ck_assert_msg(got->kind == want->kind, "%u kind", i);
    ck_assert_msg(got->form == want->form, "%u form", i);
    ck_assert_msg(got->assigned == want->assigned, "%u assigned", i);
    ck_assert_msg(got->base == want->base, "%u base", i);
    ck_assert_msg(got->tagged == want->tagged, "%u tagged", i);
    ck_assert_msg(got->qn == want->qn, "%u queue", i);
    ck_assert_msg(got->hdr_len == want->hdr_len, "%u header", i);
    ck_assert_msg(got->payload == want->payload, "%u payload", i);
    ck_assert_msg(got->invalidates == want->invalidates, "%u invalidates", i);
    ck_assert_msg(got->solicited == want->solicited, "%u solicited", i);
  }
}
END_TEST

/* What holds of every row, also of one that is added. */
START_TEST(members_of_a_row_agree)
{
  for (uint8_t i = 0; i <= IWARP_RDMAP_CTRL_OPCODE; i++) {
    const iwarp_rdmap_op *op = iwarp_rdmap_op_get(i);
    const iwarp_form_info *form = iwarp_form_get(op->form);
    ck_assert_msg(op->assigned == (op->cls != IWARP_RDMAP_CLASS_NONE), "%u has a class", i);
    ck_assert_msg((op->kind != IWARP_RDMAP_KIND_NONE) == (op->hdr_len > 0), "%u is decoded", i);
    ck_assert_msg((form != NULL) == (op->hdr_len > 0), "%u has a form", i);
    ck_assert_msg(form == NULL || form->len == op->hdr_len, "%u has a form as long", i);
    ck_assert_msg(IWARP_DDP_UNTAGGED_LEN + op->hdr_len <= IWARP_RDMAP_HDR_MAX, "%u is too long", i);
    ck_assert_msg(!op->tagged || (op->payload && op->hdr_len == 0 && op->qn == 0), "%u tagged", i);
    ck_assert_msg(op->qn <= IWARP_RDMAP_QN_ATOMIC_RESP, "%u goes to a queue that is not known", i);
    ck_assert_msg((op->cls == IWARP_RDMAP_CLASS_SEND) >= op->invalidates, "%u invalidates", i);
  }
}
END_TEST

/* Only Sends, Writes and Read Responses need no event. */
START_TEST(data_messages_are_of_these_classes)
{
  uint32_t untagged = 0;
  uint32_t tagged = 0;
  for (uint8_t i = 0; i <= IWARP_RDMAP_CTRL_OPCODE; i++) {
    const iwarp_rdmap_class cls = iwarp_rdmap_op_get(i)->cls;
    const bool placed = cls == IWARP_RDMAP_CLASS_WRITE || cls == IWARP_RDMAP_CLASS_READ_RESP;
    untagged |= cls == IWARP_RDMAP_CLASS_SEND ? 1u << i : 0;
    tagged |= placed ? 1u << i : 0;
  }
  ck_assert_uint_eq(RX_DATA_UNTAGGED, untagged);
  ck_assert_uint_eq(RX_DATA_TAGGED, tagged);
}
END_TEST

START_TEST(control_field_both_ways)
{
  for (unsigned octet = 0; octet < 256; octet++) {
    iwarp_rdmap_ctrl v = iwarp_rdmap_ctrl_decode((uint8_t)octet);
    ck_assert_msg(v.rv == octet / 64, "%02x", octet);
    ck_assert_msg(v.rsv == octet / 16 % 4, "%02x", octet);
    ck_assert_msg(v.opcode == octet % 16, "%02x", octet);
    ck_assert_msg(iwarp_rdmap_ctrl_encode(v) == octet, "%02x", octet);
  }
  ck_assert_uint_eq(iwarp_rdmap_ctrl_encode((iwarp_rdmap_ctrl){.rv = 5, .rsv = 6, .opcode = 0x13}),
                    0x63); /* bits beyond the fields are cut */
}
END_TEST

typedef struct triple {
  iwarp_err err;
  unsigned layer;
  unsigned etype;
  unsigned code;
} triple;

static const triple triples[] = {
    {IWARP_ERR_MPA_KEY, 2, 0, 4},          {IWARP_ERR_MPA_REV, 2, 0, 4},
    {IWARP_ERR_MPA_PD_LENGTH, 2, 0, 4},    {IWARP_ERR_MPA_ENHANCED, 2, 0, 4},
    {IWARP_ERR_MPA_CRC, 2, 0, 2},          {IWARP_ERR_MPA_MARKER, 2, 0, 3},
    {IWARP_ERR_MPA_ULPDU_LENGTH, 2, 0, 3}, {IWARP_ERR_DDP_SHORT, 1, 0, 0},
    {IWARP_ERR_RDMAP_SHORT, 0, 2, 0xFF},   {IWARP_ERR_RDMAP_LONG, 0, 2, 0xFF},
};

static const triple *triple_of(iwarp_err err) {
  for (size_t i = 0; i < sizeof triples / sizeof triples[0]; i++) {
    if (triples[i].err == err) {
      return &triples[i];
    }
  }
  return NULL;
}

static void check_triple(iwarp_err err) {
  uint8_t layer = 9;
  uint8_t etype = 9;
  uint8_t code = 9;
  bool reported = iwarp_err_to_terminate(&layer, &etype, &code, err);
  const triple *want = triple_of(err);
  ck_assert_msg(reported == (want != NULL), "%s", iwarp_errname(err));
  if (want == NULL) {
    ck_assert_msg(layer == 9 && etype == 9 && code == 9, "%s: outputs touched", iwarp_errname(err));
    return;
  }
  ck_assert_msg(layer == want->layer && etype == want->etype && code == want->code, "%s",
                iwarp_errname(err));
  ck_assert_msg(iwarp_name_known(iwarp_rdmap_term_code_name(layer, etype, code)),
                "%s: unassigned triple", iwarp_errname(err));
}

START_TEST(errors_and_their_terminates)
{
#define CHECK_TRIPLE(name, value, cls, sentence) check_triple(IWARP_ERR_##name);
  IWARP_ERR_MAP(CHECK_TRIPLE)
  check_triple(IWARP_OK);
  check_triple((iwarp_err)-999);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {opcode_table,
                                members_of_a_row_agree,
                                data_messages_are_of_these_classes,
                                control_field_both_ways,
                                errors_and_their_terminates,
                                NULL};
  return check_run(check_suite("rdmap-ops", tests));
}
