/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of `iwarp dump` for DDP Stream Sessions over SCTP. RFC 5043. */
#include <stdio.h>
#include <string.h>

#include <iwarp/sctp_observer.h>

#include "check_run.h"
#include "report_fixture.h"

static iwarp_event ev;
static iwarp_ev_sctp facts;
static iwarp_sctp_captured captured;
static iwarp_sctp_assoc_params params;
static const report_dump_opts plain;
static const report_dump_opts fields = {.fields = true};
static const report_dump_opts octets = {.octets = true};

/* DDP-SSN 3, then a Send with Invalidate. */
static const uint8_t segment[] = {0x00, 0x03, 0x43, 0x54, 0x00, 0x00, 0x0b, 0xee,
                                  0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x06,
                                  0x00, 0x00, 0x00, 0x07, 1,    2,    3,    4};

static void fresh(iwarp_event_kind kind) {
  report_fixture_begin();
  fixture.info.sctp = true;
  fixture.info.sctp_stream = 5;
  ev = report_fixture_event(kind);
  captured = (iwarp_sctp_captured){.ppid = IWARP_SCTP_PPID_CONTROL, .fragments = 1};
  facts = (iwarp_ev_sctp){.lossless = {true, true}};
  if (kind == IWARP_EVENT_SCTP_INIT) {
    facts.u.init.params = &params;
  } else if (kind != IWARP_EVENT_GAP) {
    facts.u.message.captured = &captured;
  }
  ev.sctp = &facts;
}

/* A Session Control message of `len` octets of Private Data. */
static void control(uint16_t function, const uint8_t *wire, size_t len) {
  fresh(IWARP_EVENT_SCTP_MESSAGE);
  facts.u.message.has_control = facts.u.message.has_ssn = true;
  facts.u.message.ssn = 2;
  facts.u.message.user_data = (iwarp_span){wire, len};
  captured.length = (uint32_t)len;
  facts.u.message.control.function = function;
  ck_assert_int_eq(
      iwarp_sctp_control_decode(&facts.u.message.control, facts.u.message.user_data).err, IWARP_OK);
  ck_assert_uint_eq(facts.u.message.control.function, function);
  facts.u.message.ulp_data = facts.u.message.control.private_data;
}

/* A DDP Segment of `len` octets with its DDP-SSN, of which the first `have` are there. */
static void data(size_t have, size_t len) {
  fresh(IWARP_EVENT_SCTP_SEGMENT);
  captured.ppid = IWARP_SCTP_PPID_SEGMENT;
  facts.u.message.has_ssn = true;
  facts.u.message.ssn = 3;
  facts.u.message.user_data = (iwarp_span){segment, have};
  captured.length = (uint32_t)len;
  ev.u.fpdu.fpdu.ulpdu_length = (uint16_t)(len - IWARP_SCTP_SEGMENT_LEN);
  ev.u.fpdu.complete = have == len;
  iwarp_rdmap_seg_decode(
      &ev.u.fpdu.seg, (iwarp_span){segment + IWARP_SCTP_SEGMENT_LEN, have - IWARP_SCTP_SEGMENT_LEN},
      len - IWARP_SCTP_SEGMENT_LEN);
}

START_TEST(inits_say_streams_and_adaptation)
{
  fresh(IWARP_EVENT_SCTP_INIT);
  params.out_streams = 10;
  params.in_streams = 20;
  params.has_adaptation = true;
  params.adaptation = 1;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "sctp-init streams out 10 in 20, adaptation 0x00000001\n");
  ck_assert_str_eq(report_fixture_dump(true, &ev, &plain),
                   ",\"ack\":false,\"outbound_streams\":10,\"inbound_streams\":20,"
                   "\"adaptation\":\"0x00000001\"}\n");
  ck_assert(report_fixture_pdu_is("sctp-init"));
  params.ack = params.whole = true;
  params.has_adaptation = false;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "sctp-init ack streams out 10 in 20, adaptation none\n");
  ck_assert_str_eq(report_fixture_dump(true, &ev, &fields),
                   ",\"ack\":true,\"outbound_streams\":10,\"inbound_streams\":20}\n");
  params.whole = false;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "sctp-init ack streams out 10 in 20, adaptation not captured\n");
}
END_TEST

START_TEST(missing_messages_are_counted)
{
  fresh(IWARP_EVENT_GAP);
  facts.u.gap.missing = 1;
  facts.u.gap.ssn = 7;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain), "gap 1 message, stream 5 ssn 7\n");
  facts.u.gap.missing = 2;
  ev.u.gap = IWARP_GAP_SNAPLEN;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "gap 2 messages, stream 5 ssn 7 (snaplen)\n");
  ev.u.gap = IWARP_GAP_CHECKSUM;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "gap 2 messages, stream 5 ssn 7 (checksum)\n");
  ev.u.gap = IWARP_GAP_SNAPLEN;
  ck_assert_str_eq(report_fixture_dump(true, &ev, &fields),
                   ",\"stream\":5,\"ssn\":7,\"messages\":2}\n");
  ck_assert(report_fixture_pdu_is("gap"));
  ck_assert_str_eq(report_fixture_dump(true, &ev, &octets),
                   ",\"stream\":5,\"ssn\":7,\"messages\":2}\n");
  ck_assert_str_eq(report_fixture_dump(false, &ev, &fields),
                   "gap 2 messages, stream 5 ssn 7 (snaplen)\n");
}
END_TEST

START_TEST(the_end_of_a_direction_is_no_line)
{
  fresh(IWARP_EVENT_END);
  report_dump_text(&fixture.text, &fixture.conn, &ev, NULL, &fields);
  report_dump_json(&fixture.text, &fixture.conn, &ev, NULL, &octets);
  ck_assert_uint_eq(fixture.text.len, 0);
}
END_TEST

START_TEST(control_messages_have_the_names_of_their_functions)
{
  static const char *const names[] = {
      "initiate",          "accept",          "reject",         "terminate",
      "enhanced-initiate", "enhanced-accept", "enhanced-reject"};
  for (uint16_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const uint8_t wire[6] = {0, 2, 0, (uint8_t)(i + 1), 0xAA, 0xBB};
    char wanted[160];
    control((uint16_t)(i + 1), wire, sizeof wire);
    snprintf(wanted, sizeof wanted, "sctp-control %s pd 2, stream 5 ssn 2\n", names[i]);
    ck_assert_str_eq(report_fixture_dump(false, &ev, &plain), wanted);
    snprintf(wanted, sizeof wanted,
             ",\"stream\":5,\"ssn\":2,\"length\":6,\"function\":%d,\"name\":\"%s\","
             "\"private_data\":\"aabb\"}\n",
             i + 1, names[i]);
    ck_assert_str_eq(report_fixture_dump(true, &ev, &plain), wanted);
    ck_assert(report_fixture_pdu_is("sctp-control"));
  }
}
END_TEST

START_TEST(an_unassigned_function_is_a_number)
{
  static const uint8_t wire[4] = {0, 2, 0x01, 0x09};
  control(0x0109, wire, sizeof wire);
  facts.u.message.reason = IWARP_SCTP_REASON_FUNCTION;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "sctp-control unassigned 265 pd 0, stream 5 ssn 2, error: Function Code "
                   "unassigned, or of the other form\n");
  ck_assert_str_eq(report_fixture_dump(true, &ev, &plain),
                   ",\"stream\":5,\"ssn\":2,\"length\":4,\"function\":265,\"name\":\"unassigned\","
                   "\"private_data\":\"\",\"error\":\"Function Code unassigned, or of the other "
                   "form\"}\n");
}
END_TEST

START_TEST(enhanced_data_are_shown_beside_the_private_data)
{
  static const uint8_t wire[] = {0, 2, 0, 5, 0xC0, 0x01, 0x40, 0x02, 0xAA};
  control(IWARP_SCTP_ENHANCED_INITIATE, wire, sizeof wire);
  facts.u.message.enhanced = true;
  const iwarp_span word = iwarp_sctp_control_enhanced(&facts.u.message.control);
  ck_assert_int_eq(iwarp_mpa_enhanced_decode(&facts.u.message.enh, word).err, IWARP_OK);
  facts.u.message.ulp_data = iwarp_sctp_control_ulp_data(&facts.u.message.control);
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "sctp-control enhanced-initiate ird 1 ord 2 peer-to-peer rtr send read pd 5, "
                   "stream 5 ssn 2\n");
  ck_assert_str_eq(report_fixture_dump(true, &ev, &plain),
                   ",\"stream\":5,\"ssn\":2,\"length\":9,\"function\":5,"
                   "\"name\":\"enhanced-initiate\",\"a\":true,\"b\":true,\"ird\":1,"
                   "\"c\":false,\"d\":true,\"ord\":2,\"private_data\":\"aa\"}\n");
  ck_assert_str_eq(report_fixture_dump(false, &ev, &fields),
                   "sctp-control enhanced-initiate ird 1 ord 2 peer-to-peer rtr send read pd 5, "
                   "stream 5 ssn 2\n"
                   "    DDP Stream Session Control (RFC 5043 5.2.3)\n"
                   "          0:16    DDP-SSN                     2\n"
                   "         16:16    Function Code               5 (enhanced-initiate)\n"
                   "         32:40    Private Data                c0014002aa\n"
                   "    Enhanced RDMA Connection Establishment Data (RFC 6581 9)\n"
                   "          0:1     A                           1\n"
                   "          1:1     B                           1\n"
                   "          2:14    IRD                         1\n"
                   "         16:1     C                           0\n"
                   "         17:1     D                           1\n"
                   "         18:14    ORD                         2\n");
}
END_TEST

typedef struct reason_case {
  iwarp_sctp_reason reason;
  const char *text;
} reason_case;

static const reason_case reasons[] = {
    {IWARP_SCTP_REASON_SEQUENCE, "fits no legal sequence of the session"},
    {IWARP_SCTP_REASON_FUNCTION, "Function Code unassigned, or of the other form"},
    {IWARP_SCTP_REASON_LENGTH, "Private Data too long, or without the enhanced data"},
    {IWARP_SCTP_REASON_SSN, "DDP-SSN repeated or out of range"},
    {IWARP_SCTP_REASON_NO_SESSION, "no session that it belongs to"},
    {IWARP_SCTP_REASON_BROKEN, "after an illegal message"},
    {IWARP_SCTP_REASON_REFUSED, "refused"},
    {IWARP_SCTP_REASON_OVER, "held back when its session ended"},
};

START_TEST(a_message_without_a_place_says_why)
{
  static const uint8_t wire[4] = {0, 2, 0, 4};
  const reason_case *c = &reasons[_i];
  char wanted[200];
  control(IWARP_SCTP_TERMINATE, wire, sizeof wire);
  facts.u.message.reason = c->reason;
  snprintf(wanted, sizeof wanted, "sctp-control terminate pd 0, stream 5 ssn 2, error: %s\n",
           c->text);
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain), wanted);
  snprintf(wanted, sizeof wanted, "\"private_data\":\"\",\"error\":\"%s\"}\n", c->text);
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(true, &ev, &plain), wanted));
  data(sizeof segment, sizeof segment);
  facts.u.message.reason = c->reason;
  snprintf(wanted, sizeof wanted, ", stream 5 ssn 3, error: %s\n", c->text);
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(false, &ev, &plain), wanted));
  snprintf(wanted, sizeof wanted, "\"invalidate_stag\":\"0x00000bee\",\"error\":\"%s\"}\n",
           c->text);
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(true, &ev, &plain), wanted));
}
END_TEST

START_TEST(what_is_neither_control_nor_segment_is_undecodable)
{
  fresh(IWARP_EVENT_SCTP_MESSAGE);
  captured.ppid = 46;
  captured.length = 9;
  facts.u.message.reason = IWARP_SCTP_REASON_PPID;
  facts.u.message.user_data = (iwarp_span){segment, 9};
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "undecodable user data 9, stream 5, error: Payload Protocol Identifier is "
                   "neither 16 nor 17\n");
  ck_assert_str_eq(report_fixture_dump(true, &ev, &fields),
                   ",\"stream\":5,\"length\":9,\"reason\":\"Payload Protocol Identifier is neither "
                   "16 nor 17\",\"ppid\":46,\"ordered\":false,\"fragments\":1,"
                   "\"complete\":true}\n");
  ck_assert(report_fixture_pdu_is("undecodable"));
  captured.ppid = IWARP_SCTP_PPID_CONTROL; /* the DDP-SSN is there, the Function Code is not */
  captured.length = 3;
  facts.u.message.has_ssn = true;
  facts.u.message.ssn = 3;
  facts.u.message.reason = IWARP_SCTP_REASON_SHORT;
  facts.u.message.user_data.len = 3;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "undecodable user data 3, stream 5 ssn 3, error: too short for its header\n");
  ck_assert_str_eq(report_fixture_dump(true, &ev, &plain),
                   ",\"stream\":5,\"ssn\":3,\"length\":3,"
                   "\"reason\":\"too short for its header\"}\n");
  ck_assert_str_eq(report_fixture_dump(true, &ev, &octets),
                   ",\"stream\":5,\"ssn\":3,\"length\":3,\"reason\":\"too short for its header\","
                   "\"octets\":\"000343\"}\n");
  ck_assert_str_eq(report_fixture_dump(false, &ev, &fields),
                   "undecodable user data 3, stream 5 ssn 3, error: too short for its header\n"
                   "    DDP Stream Session Control (RFC 5043 5.2.3)\n"
                   "          0:16    DDP-SSN                     3\n");
}
END_TEST

START_TEST(a_segment_is_shown_like_that_of_an_fpdu)
{
  data(sizeof segment, sizeof segment);
  captured.ordered = true;
  captured.fragments = 2;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "send-invalidate L qn 5 msn 6 mo 7 dv 3 rsv 0x1 len 4, invalidate 0x00000bee, "
                   "stream 5 ssn 3, fragments 2, ordered\n");
  ck_assert_str_eq(
      report_fixture_dump(true, &ev, &fields),
      ",\"stream\":5,\"ssn\":3,\"length\":24,\"ddp\":{\"tagged\":false,\"last\":true,\"dv\":3,"
      "\"length\":4,\"qn\":5,\"msn\":6,\"mo\":7},\"rdmap\":{\"rv\":1,\"opcode\":4,"
      "\"name\":\"send-invalidate\"},\"invalidate_stag\":\"0x00000bee\",\"ppid\":16,"
      "\"ordered\":true,\"fragments\":2,\"complete\":true,\"ddp_rsvd\":0,"
      "\"ddp_rsvdulp\":84,\"ddp_invalidate_stag\":\"0x00000bee\",\"rdmap_rsv\":1}\n");
  ck_assert(report_fixture_pdu_is("ddp-segment"));
  ck_assert_str_eq(report_fixture_dump(false, &ev, &octets),
                   "send-invalidate L qn 5 msn 6 mo 7 dv 3 rsv 0x1 len 4, invalidate 0x00000bee, "
                   "stream 5 ssn 3, fragments 2, ordered\n"
                   "        0x0000:  0003 4354 0000 0bee 0000 0005 0000 0006  ..CT............\n"
                   "        0x0010:  0000 0007 0102 0304                      ........\n");
  ck_assert_str_eq(report_fixture_dump(false, &ev, &fields),
                   "send-invalidate L qn 5 msn 6 mo 7 dv 3 rsv 0x1 len 4, invalidate 0x00000bee, "
                   "stream 5 ssn 3, fragments 2, ordered\n"
                   "    DDP Segment Chunk (RFC 5043 5.2.2)\n"
                   "          0:16    DDP-SSN                     3\n"
                   "    DDP Untagged Buffer Header (RFC 5041 4.3)\n"
                   "          0:1     T                           0\n"
                   "          1:1     L                           1\n"
                   "          2:4     Rsvd                        0x0\n"
                   "          6:2     DV                          3\n"
                   "          8:8     RsvdULP                     0x54\n"
                   "         16:32    Invalidate STag             0x00000bee\n"
                   "         48:32    QN                          5\n"
                   "         80:32    MSN                         6\n"
                   "        112:32    MO                          7\n"
                   "    RDMAP Control Field (RFC 5040 4.1)\n"
                   "          0:2     RV                          1 (IETF)\n"
                   "          2:2     Rsv                         0x1\n"
                   "          4:4     Opcode                      4 (send-invalidate)\n");
}
END_TEST

START_TEST(a_segment_too_short_for_its_header_says_so)
{
  data(12, 12);
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "ddp-segment user data 12, stream 5 ssn 3, error: a ULPDU of 10 octets is too "
                   "short for a DDP header (14 or 18 octets)\n");
  ck_assert_str_eq(report_fixture_dump(true, &ev, &fields),
                   ",\"stream\":5,\"ssn\":3,\"length\":12,\"error\":\"a ULPDU of 10 octets is too "
                   "short for a DDP header (14 or 18 octets)\",\"ppid\":16,\"ordered\":false,"
                   "\"fragments\":1,\"complete\":true}\n");
}
END_TEST

typedef struct cut_case {
  size_t have;
  const char *text;
  const char *json; /* after "length" */
} cut_case;

#define CUT_DDP ",\"ddp\":{\"tagged\":false,\"last\":true,\"dv\":3,\"length\":4"
#define CUT_RDMAP ",\"rdmap\":{\"rv\":1,\"opcode\":4,\"name\":\"send-invalidate\"}"
#define CUT_TEXT "user data 24, stream 5 ssn 3, cut\n"

static const cut_case cuts[] = {
    {2, "ddp-segment " CUT_TEXT, "}\n"},
    {3, "ddp-segment L dv 3 " CUT_TEXT, CUT_DDP "}}\n"},
    {4, "send-invalidate L dv 3 rsv 0x1 " CUT_TEXT, CUT_DDP "}" CUT_RDMAP "}\n"},
    {12, "send-invalidate L qn 5 dv 3 rsv 0x1 " CUT_TEXT,
     CUT_DDP ",\"qn\":5}" CUT_RDMAP ",\"invalidate_stag\":\"0x00000bee\"}\n"},
    {19, "send-invalidate L qn 5 msn 6 dv 3 rsv 0x1 " CUT_TEXT,
     CUT_DDP ",\"qn\":5,\"msn\":6}" CUT_RDMAP ",\"invalidate_stag\":\"0x00000bee\"}\n"},
};

START_TEST(a_cut_segment_is_shown_as_far_as_it_goes)
{
  const cut_case *c = &cuts[_i];
  data(c->have, sizeof segment);
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain), c->text);
  const char *json = report_fixture_dump(true, &ev, &plain);
  static const char head[] = ",\"stream\":5,\"ssn\":3,\"length\":24";
  ck_assert_msg(strncmp(json, head, sizeof head - 1) == 0, "%s", json);
  ck_assert_str_eq(json + sizeof head - 1, c->json);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {inits_say_streams_and_adaptation,
                                missing_messages_are_counted,
                                the_end_of_a_direction_is_no_line,
                                control_messages_have_the_names_of_their_functions,
                                an_unassigned_function_is_a_number,
                                enhanced_data_are_shown_beside_the_private_data,
                                what_is_neither_control_nor_segment_is_undecodable,
                                a_segment_is_shown_like_that_of_an_fpdu,
                                a_segment_too_short_for_its_header_says_so,
                                NULL};
  Suite *suite = check_suite("sctp", tests);
  TCase *loop = tcase_create("reasons and cuts");
  tcase_add_loop_test(loop, a_message_without_a_place_says_why, 0,
                      sizeof reasons / sizeof reasons[0]);
  tcase_add_loop_test(loop, a_cut_segment_is_shown_as_far_as_it_goes, 0,
                      sizeof cuts / sizeof cuts[0]);
  suite_add_tcase(suite, loop);
  return check_run(suite);
}
