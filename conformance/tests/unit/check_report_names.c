/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that are part of the contract, and the sentences made of them. */
#include <string.h>

#include <report/conn.h>
#include <report/names.h>

#include "check_run.h"

static out_buf text;

static void fresh(void) {
  out_close(&text);
  out_open_memory(&text);
}

static const char *written(void) {
  out_char(&text, '\0');
  return text.buf;
}

START_TEST(every_value_has_the_name_of_the_contract)
{
  ck_assert_str_eq(report_role_name(IWARP_ROLE_INITIATOR), "initiator");
  ck_assert_str_eq(report_role_name(IWARP_ROLE_RESPONDER), "responder");
  ck_assert_str_eq(report_role_name(IWARP_ROLE_UNKNOWN), "unknown");
  ck_assert_str_eq(report_crc_name(IWARP_CRC_GOOD), "good");
  ck_assert_str_eq(report_crc_name(IWARP_CRC_BAD), "bad");
  ck_assert_str_eq(report_crc_name(IWARP_CRC_UNCHECKED), "unchecked");
  ck_assert_str_eq(report_undec_name(IWARP_UNDEC_UNFINISHED), "unfinished");
  ck_assert_str_eq(report_undec_name(IWARP_UNDEC_AFTER_REJECT), "after reject");
  ck_assert_str_eq(report_undec_name(IWARP_UNDEC_NO_BOUNDARY), "no FPDU start found");
  ck_assert_str_eq(report_undec_name(IWARP_UNDEC_NOT_FPDU), "not an FPDU");
  ck_assert_str_eq(report_severity_name(IWARP_SEVERITY_VIOLATION), "violation");
  ck_assert_str_eq(report_severity_name(IWARP_SEVERITY_WARNING), "warning");
  ck_assert_str_eq(report_severity_name(IWARP_SEVERITY_NOTE), "note");
  ck_assert_str_eq(report_impact_name(IWARP_IMPACT_CORRUPTION), "corruption");
  ck_assert_str_eq(report_impact_name(IWARP_IMPACT_SECURITY), "security");
  ck_assert_str_eq(report_impact_name(IWARP_IMPACT_INTEROP), "interop");
  ck_assert_str_eq(report_impact_name(IWARP_IMPACT_RESOURCE), "resource");
  ck_assert_str_eq(report_impact_name(IWARP_IMPACT_HYGIENE), "hygiene");
  ck_assert_str_eq(report_verdict_name(IWARP_VERDICT_PASS), "pass");
  ck_assert_str_eq(report_verdict_name(IWARP_VERDICT_FAIL), "fail");
  ck_assert_str_eq(report_verdict_name(IWARP_VERDICT_INCONCLUSIVE), "inconclusive");
  ck_assert_str_eq(report_verdict_name(IWARP_VERDICT_NOT_SEEN), "not-seen");
  ck_assert_str_eq(report_verdict_name(IWARP_VERDICT_DISABLED), "disabled");
  ck_assert_str_eq(report_tri_name(IWARP_TRISTATE_ON), "on");
  ck_assert_str_eq(report_tri_name(IWARP_TRISTATE_OFF), "off");
  ck_assert_str_eq(report_tri_name(IWARP_TRISTATE_UNKNOWN), "unknown");
  ck_assert_str_eq(report_sync_name(IWARP_SYNC_STARTUP), "startup frame");
  ck_assert_str_eq(report_sync_name(IWARP_SYNC_MARKER), "Marker");
  ck_assert_str_eq(report_sync_name(IWARP_SYNC_CRC), "CRC");
  ck_assert_str_eq(report_sync_name(IWARP_SYNC_HEURISTIC), "heuristic");
  ck_assert_str_eq(report_sync_name(IWARP_SYNC_NONE), "none");
}
END_TEST

START_TEST(reasons_are_listed_in_the_order_of_their_bits)
{
  fresh();
  report_reason_put(&text, IWARP_REASON_GAP | IWARP_REASON_SNAPLEN | IWARP_REASON_ONE_DIRECTION |
                               IWARP_REASON_MID_STREAM | IWARP_REASON_NO_NEGOTIATION |
                               IWARP_REASON_CRC_UNKNOWN | IWARP_REASON_LIMIT);
  ck_assert_str_eq(written(),
                   "gap, snaplen, one-direction, mid-stream, no-negotiation, crc-unknown, limit");
  fresh();
  report_reason_put(&text, IWARP_REASON_LIMIT);
  ck_assert_str_eq(written(), "limit");
}
END_TEST

typedef struct value_case {
  iwarp_value value;
  const char *text;
} value_case;

static const value_case values[] = {
    {{.kind = IWARP_VALUE_NONE, .u = 1}, ""},
    {{.kind = IWARP_VALUE_UINT, .u = 16}, "16"},
    {{.kind = IWARP_VALUE_HEX8, .u = 10}, "0x0a"},
    {{.kind = IWARP_VALUE_HEX16, .u = 10}, "0x000a"},
    {{.kind = IWARP_VALUE_HEX32, .u = 10}, "0x0000000a"},
    {{.kind = IWARP_VALUE_HEX64, .u = 10}, "0x000000000000000a"},
    {{.kind = IWARP_VALUE_TEXT, .text = "a word"}, "a word"},
    {{.kind = IWARP_VALUE_TEXT}, ""},
    {{.kind = IWARP_VALUE_OCTETS, .octets = {1, 0xFF}, .num_octets = 2}, "01 ff"},
    {{.kind = IWARP_VALUE_AT_MOST, .u = 512}, "at most 512"},
    {{.kind = IWARP_VALUE_AT_LEAST, .u = 4}, "at least 4"},
};

START_TEST(values_are_printed_by_their_kind)
{
  fresh();
  report_value_put(&text, &values[_i].value);
  ck_assert_str_eq(written(), values[_i].text);
}
END_TEST

/* 8 octets or more that can all be printed are text: a key, or the octets of another protocol. */
START_TEST(octets_that_are_text_are_said_as_text)
{
  iwarp_value v = {.kind = IWARP_VALUE_OCTETS, .octets = "GET /~ x", .num_octets = 8};
  fresh();
  report_value_said(&text, &v);
  ck_assert_str_eq(written(), "47 45 54 20 2f 7e 20 78 (\"GET /~ x\")");
  v.num_octets = 7;
  fresh();
  report_value_said(&text, &v);
  ck_assert_str_eq(written(), "47 45 54 20 2f 7e 20");
  v.num_octets = 8;
  v.octets[6] = '\r';
  v.octets[7] = '\n';
  fresh();
  report_value_said(&text, &v);
  ck_assert_str_eq(written(), "47 45 54 20 2f 7e 0d 0a (\"GET /~..\")");
  static const uint8_t others[] = {0x09, 0x1F, 0x7F, 0xC3};
  for (size_t i = 0; i < sizeof others; i++) {
    v.octets[7] = others[i];
    fresh();
    report_value_said(&text, &v);
    ck_assert_ptr_null(strchr(written(), '('));
  }
  v = (iwarp_value){.kind = IWARP_VALUE_UINT, .u = 12345678};
  fresh();
  report_value_said(&text, &v);
  ck_assert_str_eq(written(), "12345678");
}
END_TEST

START_TEST(a_message_holds_both_values_and_other_percent_signs)
{
  const iwarp_rule rule = {.message = "%o is not %e, 100 % sure%"};
  const iwarp_finding finding = {.expected = {.kind = IWARP_VALUE_UINT, .u = 1},
                                 .observed = {.kind = IWARP_VALUE_HEX8, .u = 2}};
  fresh();
  report_message_put(&text, &rule, &finding);
  ck_assert_str_eq(written(), "0x02 is not 1, 100 % sure%");
}
END_TEST

START_TEST(errors_of_fpdus_say_what_does_not_fit)
{
  iwarp_event_fpdu v = {.fpdu.ulpdu_length = 1, .seg.err = IWARP_ERR_DDP_SHORT};
  fresh();
  ck_assert(report_fpdu_has_error(&v));
  report_fpdu_error_put(&text, &v);
  ck_assert_str_eq(written(), "a ULPDU of 1 octet is too short for a DDP header (14 or 18 octets)");
  v.seg = (iwarp_rdmap_seg){
      .err = IWARP_ERR_RDMAP_SHORT, .payload_len = 20, .ctrl.opcode = IWARP_RDMAP_OP_READ_REQ};
  ck_assert(!report_fpdu_has_error(&v)); /* another segment follows */
  v.seg.ddp.last = true;
  fresh();
  ck_assert(report_fpdu_has_error(&v));
  report_fpdu_error_put(&text, &v);
  ck_assert_str_eq(
      written(),
      "a DDP payload of 20 octets is too short for the header of a read-request (28 octets)");
  v.seg.ctrl.opcode = IWARP_RDMAP_OP_ATOMIC_REQ;
  fresh();
  report_fpdu_error_put(&text, &v);
  ck_assert_str_eq(
      written(),
      "a DDP payload of 20 octets is too short for the header of an atomic-request (52 octets)");
  v.seg = (iwarp_rdmap_seg){
      .err = IWARP_ERR_RDMAP_SHORT, .payload_len = 3, .ctrl.opcode = IWARP_RDMAP_OP_TERMINATE};
  fresh();
  report_fpdu_error_put(&text, &v);
  ck_assert_str_eq(written(), "a DDP payload of 3 octets is too short for the header of a "
                              "terminate (at least 4 octets)");
  v.seg = (iwarp_rdmap_seg){.kind = IWARP_RDMAP_KIND_TERM,
                            .u.term.tail_err = IWARP_ERR_RDMAP_TERM_TRUNCATED};
  fresh();
  ck_assert(report_fpdu_has_error(&v));
  report_fpdu_error_put(&text, &v);
  ck_assert_str_eq(written(), iwarp_strerror(IWARP_ERR_RDMAP_TERM_TRUNCATED));
  v = (iwarp_event_fpdu){.fpdu.ulpdu_length = 13, .seg.err = IWARP_ERR_DDP_SHORT};
  fresh();
  report_fpdu_error_put(&text, &v);
  ck_assert_str_eq(written(),
                   "a ULPDU of 13 octets is too short for a DDP header (14 or 18 octets)");
  v.seg = (iwarp_rdmap_seg){
      .err = IWARP_ERR_RDMAP_SHORT, .payload_len = 1, .ctrl.opcode = IWARP_RDMAP_OP_IMMEDIATE};
  fresh();
  report_fpdu_error_put(&text, &v);
  ck_assert_str_eq(
      written(), "a DDP payload of 1 octet is too short for the header of an immediate (8 octets)");
  v.seg = (iwarp_rdmap_seg){.err = IWARP_ERR_RDMAP_LONG};
  ck_assert(!report_fpdu_has_error(&v));
}
END_TEST

START_TEST(errors_of_startup_frames_say_what_is_missing)
{
  const uint8_t octets[4] = {0};
  iwarp_event_startup v = {.err = IWARP_ERR_MPA_PD_LENGTH,
                           .frame = {.pd_length = 20, .private_data = {octets, 4}}};
  fresh();
  ck_assert(report_startup_error_put(&text, &v));
  ck_assert_str_eq(written(), "4 of 20 octets of private data are there");
  v = (iwarp_event_startup){.frame = {.pd_length = 2, .rev = 2, .flags = IWARP_MPA_FLAG_S}};
  fresh();
  ck_assert(report_startup_error_put(&text, &v));
  ck_assert_str_eq(written(), "S is set, but a PD_Length of 2 has no room for the enhanced data");
  v.frame.rev = 1;
  ck_assert(!report_startup_error_put(&text, &v));
  v.frame.rev = 2;
  v.frame.pd_length = 4;
  ck_assert(!report_startup_error_put(&text, &v));
}
END_TEST

typedef struct name_case {
  const char *name;
  const char *shown;
} name_case;

static const name_case file_names[] = {
    {"", ""},
    {"a b.pcap", "a b.pcap"},
    {"a\033[2Jb\n\x7f", "a?[2Jb??"},
    {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\xc2\x80|\xc2\x9b"
     "31m|\xc2\x9f|\xc2\xa0|",
     "??|??31m|??|\xc2\xa0|"}, /* CSI of C1 */
    {"\xe2\x80\xa7|\xe2\x80\xa8|\xe2\x80\xae|\xe2\x80\xaf|",
     "\xe2\x80\xa7|???|???|\xe2\x80\xaf|"}, /* ends of lines, and the order of letters */
    {"\xe2\x81\xa5|\xe2\x81\xa6|\xe2\x81\xa9|\xe2\x81\xaa|", "\xe2\x81\xa5|???|???|\xe2\x81\xaa|"},
    {"\xc3\x80", "\xc3\x80"},
    {"caf\xe9|\x9b"
     "1m",
     "caf?|?1m"}, /* no UTF-8 */
    {"\xe2\x82", "??"},
};

START_TEST(names_of_files_cannot_command_a_terminal)
{
  fresh();
  report_name_put(&text, file_names[_i].name);
  ck_assert_str_eq(written(), file_names[_i].shown);
}
END_TEST

START_TEST(the_initiator_is_found_from_either_side)
{
  iwarp_observer_info info = {0};
  ck_assert_uint_eq(report_initiator(&info), 0);
  ck_assert(!report_roles_known(&info));
  info.side[1].role = IWARP_ROLE_INITIATOR;
  ck_assert_uint_eq(report_initiator(&info), 1);
  ck_assert(report_roles_known(&info));
  info.side[1].role = IWARP_ROLE_RESPONDER;
  ck_assert_uint_eq(report_initiator(&info), 0);
}
END_TEST

START_TEST(the_revision_is_that_of_the_reply)
{
  iwarp_observer_info info = {0};
  uint8_t rev = 9;
  ck_assert(!report_rev(&info, &rev));
  ck_assert_uint_eq(rev, 9);
  ck_assert(!report_enhanced(&info));
  info.side[0] = (iwarp_observer_side){
      .role = IWARP_ROLE_INITIATOR, .has_startup = true, .rev = 2, .enhanced = true};
  ck_assert(report_rev(&info, &rev));
  ck_assert_uint_eq(rev, 2);
  ck_assert(report_enhanced(&info));
  info.side[1] = (iwarp_observer_side){.role = IWARP_ROLE_RESPONDER, .has_startup = true, .rev = 1};
  ck_assert(report_rev(&info, &rev));
  ck_assert_uint_eq(rev, 1);
  ck_assert(!report_enhanced(&info));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {every_value_has_the_name_of_the_contract,
                                reasons_are_listed_in_the_order_of_their_bits,
                                octets_that_are_text_are_said_as_text,
                                a_message_holds_both_values_and_other_percent_signs,
                                errors_of_fpdus_say_what_does_not_fit,
                                errors_of_startup_frames_say_what_is_missing,
                                the_initiator_is_found_from_either_side,
                                the_revision_is_that_of_the_reply,
                                NULL};
  Suite *suite = check_suite("names", tests);
  TCase *loop = tcase_create("values");
  tcase_add_loop_test(loop, values_are_printed_by_their_kind, 0, sizeof values / sizeof values[0]);
  tcase_add_loop_test(loop, names_of_files_cannot_command_a_terminal, 0,
                      sizeof file_names / sizeof file_names[0]);
  suite_add_tcase(suite, loop);
  return check_run(suite);
}
