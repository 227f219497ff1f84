/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of `iwarp dump` for events that captures seldom hold. */
#include <stdio.h>
#include <string.h>

#include <iwarp/field.h>
#include <report/dump.h>

#include "check_run.h"

static out_buf text;
static iwarp_observer_info info;
static observe_conn conn;
static iwarp_event ev;
static const report_dump_opts plain;
static const report_dump_opts all = {.fields = true, .octets = true};

static void fresh(iwarp_event_kind kind) {
  memset(&info, 0, sizeof info);
  info.side[0].role = IWARP_ROLE_INITIATOR;
  info.side[1].role = IWARP_ROLE_RESPONDER;
  conn = (observe_conn){.file = "f", .number = 3, .info = &info};
  strcpy(conn.addr[0], "10.0.0.1:1");
  strcpy(conn.addr[1], "[::1]:2");
  ev = (iwarp_event){.kind = kind, .side = 1, .pos = UINT64_C(0x1ffffffff), .len = 7};
  ev.last.packet = 9;
  ev.last.time_ns = UINT64_C(1500000000);
}

/* The line after its head. */
static const char *line(bool json, const report_dump_opts *opts) {
  static const char text_head[] = "1.500000 frame 9 conn 3 [::1]:2 > 10.0.0.1:1: ";
  static const char json_head[] =
      "\"file\":\"f\",\"frame\":9,\"time\":\"1.500000000\",\"conn\":3,\"src\":\"[::1]:2\","
      "\"dst\":\"10.0.0.1:1\",\"dir\":\"responder\",\"seq\":4294967295";
  out_close(&text);
  out_open_memory(&text);
  (json ? report_dump_json : report_dump_text)(&text, &conn, &ev, NULL, opts);
  out_char(&text, '\0');
  if (!json) {
    ck_assert_msg(strncmp(text.buf, text_head, sizeof text_head - 1) == 0, "%s", text.buf);
    return text.buf + sizeof text_head - 1;
  }
  const char *at = strstr(text.buf, json_head);
  ck_assert_msg(at != NULL, "%s", text.buf);
  return at + sizeof json_head - 1;
}

/* A line and an object of each message have its RDMAP header, also of an opcode that is added. */
START_TEST(a_line_has_the_header_of_each_opcode)
{
  for (uint8_t opcode = 0; opcode <= IWARP_RDMAP_CTRL_OPCODE; opcode++) {
    const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
    uint8_t ulpdu[IWARP_RDMAP_HDR_MAX + 6] = {0, 0, 0x41, (uint8_t)(0x40u | opcode)};
    const size_t len = IWARP_DDP_UNTAGGED_LEN + (size_t)op->hdr_len;
    if (op->hdr_len == 0) {
      continue;
    }
    fresh(IWARP_EVENT_FPDU);
    ulpdu[1] = (uint8_t)len;
    (void)iwarp_mpa_fpdu_decode(&ev.u.fpdu.fpdu, (iwarp_span){ulpdu, sizeof ulpdu}, 0, false);
    iwarp_rdmap_seg_decode(&ev.u.fpdu.seg, (iwarp_span){ulpdu + 2, len}, len);
    const iwarp_field *first = iwarp_form_get(op->form)->fields;
    while (!first->brief) {
      first++;
    }
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", first->key);
    expect(strstr(line(true, &plain), key) != NULL, "%s: no %s in %s", op->name, key, text.buf);
    const char *words = strstr(line(false, &plain), "len ");
    expect(strstr(words, ", crc") > words + strlen("len 28"), "%s: no word of its header in %s",
           op->name, text.buf);
  }
}
END_TEST

START_TEST(gaps_say_their_length_and_reason)
{
  fresh(IWARP_EVENT_GAP);
  ck_assert_str_eq(line(false, &plain), "gap 7 octets\n");
  ev.u.gap = IWARP_GAP_SNAPLEN;
  ev.len = 1;
  ck_assert_str_eq(line(false, &plain), "gap 1 octet (snaplen)\n");
  ck_assert_str_eq(line(true, &all), ",\"length\":1}\n");
}
END_TEST

START_TEST(undecodable_octets_say_why)
{
  fresh(IWARP_EVENT_UNDECODABLE);
  ev.u.undecodable = IWARP_UNDEC_AFTER_REJECT;
  ck_assert_str_eq(line(false, &plain), "undecodable 7 octets (after reject)\n");
  ck_assert_str_eq(line(true, &plain), ",\"length\":7,\"reason\":\"after reject\"}\n");
}
END_TEST

/* The text of the event up to its frame, by a clock. */
static const char *line_time(report_clock *clock) {
  const report_dump_opts opts = {.clock = clock};
  out_close(&text);
  out_open_memory(&text);
  report_dump_text(&text, &conn, &ev, NULL, &opts);
  *strstr(text.buf, " frame ") = '\0';
  return text.buf;
}

START_TEST(times_count_from_what_was_asked_for)
{
  const uint64_t capture_ns = UINT64_C(1250000000);
  report_clock clock = {.capture_ns = &capture_ns};
  fresh(IWARP_EVENT_GAP);
  ck_assert_str_eq(line_time(&clock), "1.500000");
  clock.times = REPORT_TIME_ABSOLUTE;
  ck_assert_str_eq(line_time(&clock), "1970-01-01 00:00:01.500000 UTC");
  clock.times = REPORT_TIME_CAPTURE;
  ck_assert_str_eq(line_time(&clock), "0.250000");
  clock.times = REPORT_TIME_DELTA;
  ck_assert_str_eq(line_time(&clock), "0.250000");
  ck_assert_str_eq(line_time(&clock), "0.000000");
  ev.last.time_ns -= 1;
  ck_assert_str_eq(line_time(&clock), "-0.000000001");
  conn.file = "g"; /* another capture: its first packet is the line before */
  ck_assert_str_eq(line_time(&clock), "0.249999999");
}
END_TEST

START_TEST(ends_and_streaming_data_are_no_lines)
{
  out_close(&text);
  out_open_memory(&text);
  fresh(IWARP_EVENT_END);
  report_dump_text(&text, &conn, &ev, NULL, &all);
  report_dump_json(&text, &conn, &ev, NULL, &all);
  fresh(IWARP_EVENT_STREAMING);
  report_dump_text(&text, &conn, &ev, NULL, &all);
  report_dump_json(&text, &conn, &ev, NULL, &all);
  ck_assert_uint_eq(text.len, 0);
}
END_TEST

static const uint8_t private_data[6] = {0xC0, 0x01, 0x40, 0x02, 0xAA, 0xBB};

static void startup(void) {
  fresh(IWARP_EVENT_STARTUP);
  iwarp_event_startup *v = &ev.u.startup;
  memcpy(v->frame.key, "MPA ID Rep Frame", 16);
  v->key = IWARP_MPA_KEY_REPLY;
  v->is_reply = true;
  v->frame.flags = 0xFF;
  v->frame.rev = 2;
  v->frame.pd_length = sizeof private_data;
  v->frame.private_data = (iwarp_span){private_data, sizeof private_data};
  v->enhanced = true;
  v->enh = (iwarp_mpa_enhanced){.a = true, .b = true, .ird = 1, .d = true, .ord = 2};
  v->ulp_data = (iwarp_span){private_data + 4, 2};
}

START_TEST(startup_frames_show_every_flag)
{
  startup();
  ck_assert_str_eq(line(false, &plain), "mpa-reply rev 2 flags MCRS reserved 0xf ird 1 ord 2 "
                                        "peer-to-peer rtr send read pd 6\n");
  ck_assert_str_eq(line(true, &plain),
                   ",\"markers\":true,\"crc\":true,\"reject\":true,\"enhanced\":true,\"rev\":2,"
                   "\"pd_length\":6,\"a\":true,\"b\":true,\"ird\":1,\"c\":false,"
                   "\"d\":true,\"ord\":2,\"private_data\":\"aabb\"}\n");
  ck_assert_ptr_nonnull(strstr(line(true, &all), ",\"mpa_reserved\":15,\"octets\":\"4d5041"));
}
END_TEST

START_TEST(a_wrong_key_is_shown)
{
  startup();
  memcpy(ev.u.startup.frame.key, "MPA ID Ref Frame", 16);
  ev.u.startup.key = IWARP_MPA_KEY_UNKNOWN;
  ev.u.startup.enhanced = false;
  ev.u.startup.frame.flags = 0;
  ck_assert_str_eq(line(false, &plain),
                   "mpa-reply rev 2 pd 6 key 4d504120494420526566204672616d65\n");
  ck_assert_ptr_nonnull(strstr(line(true, &plain), "\"key\":\"4d504120494420526566204672616d65\""));
}
END_TEST

START_TEST(a_cut_startup_frame_is_shown_with_what_is_there)
{
  startup();
  ev.u.startup.err = IWARP_ERR_MPA_PD_LENGTH;
  ev.u.startup.frame.pd_length = 600;
  ck_assert_ptr_nonnull(
      strstr(line(false, &plain), " pd 600, error: 6 of 600 octets of private data are there\n"));
  ck_assert_ptr_nonnull(
      strstr(line(true, &all), "\"error\":\"6 of 600 octets of private data are there\""));
}
END_TEST

/* Rev 129: eight octets that PD_Length does not count, then RPC-over-RDMA. */
START_TEST(private_data_that_are_known_are_decoded)
{
  static const uint8_t octets[16] = {0x0B, 0xAD, 0xCA, 0xFE, 0, 0, 0, 2,
                                     0xF6, 0xAB, 0x0E, 0x18, 1, 1, 3, 15};
  startup();
  iwarp_event_startup *v = &ev.u.startup;
  v->frame.flags = 0;
  v->frame.rev = 129;
  v->enhanced = false;
  v->frame.pd_length = 8;
  v->frame.private_data = (iwarp_span){octets, sizeof octets};
  v->ulp_data = (iwarp_span){octets + 8, 8};
  ck_assert_ptr_nonnull(
      strstr(line(true, &plain),
             "\"rev\":129,\"pd_length\":8,\"private_data\":\"f6ab0e180101030f\","
             "\"erdma\":{\"cookie\":\"0x0badcafe\",\"reserved\":\"0x0000000\",\"cc\":2},"
             "\"rpc_rdma\":{\"format\":\"0xf6ab0e18\",\"version\":1,\"reserved\":\"0x00\","
             "\"remote_invalidation\":true,\"send_size\":3,\"receive_size\":15}"));
  const char *shown = line(false, &all);
  ck_assert_ptr_nonnull(strstr(shown, "Cookie                      0x0badcafe\n"));
  ck_assert_ptr_nonnull(strstr(shown, "longest Receive             16384 octets\n"));
  v->err = IWARP_ERR_MPA_PD_LENGTH;
  v->frame.private_data.len = 11;
  ck_assert_ptr_nonnull(strstr(line(false, &plain), "3 of 8 octets of private data are there"));
  v->frame.private_data.len = 5;
  ck_assert_ptr_nonnull(strstr(line(false, &plain), "0 of 8 octets of private data are there"));
}
END_TEST

START_TEST(streaming_data_is_reported_before_the_startup_frame)
{
  startup();
  conn.tally.streaming[1] = 5;
  ck_assert_msg(strncmp(line(false, &plain), "streaming 5 octets\n", 19) == 0, "%s", text.buf);
}
END_TEST

static const uint8_t send_inv[] = {0x00, 0x16, 0x43, 0x54, 0x00, 0x00, 0x0b, 0xee, 0x00, 0x00,
                                   0x00, 0x05, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00, 0x07,
                                   1,    2,    3,    4,    0x11, 0x22, 0x33, 0x44};

/* An FPDU of which the first `have` octets are there. */
static void fpdu(const uint8_t *octets, size_t len, size_t have) {
  fresh(IWARP_EVENT_FPDU);
  iwarp_event_fpdu *v = &ev.u.fpdu;
  ck_assert_int_eq(iwarp_mpa_fpdu_decode(&v->fpdu, (iwarp_span){octets, len}, 0, false).err,
                   IWARP_OK);
  v->complete = have == len;
  v->crc_present = v->complete;
  v->offset = 0;
  v->fpdu.wire.len = have;
  const size_t ulpdu = v->fpdu.ulpdu_length;
  const size_t there = have < 2 ? 0 : have - 2 < ulpdu ? have - 2 : ulpdu;
  iwarp_rdmap_seg_decode(&v->seg, (iwarp_span){octets + 2, there}, ulpdu);
}

START_TEST(odd_values_of_a_header_are_shown)
{
  static const uint8_t odd[] = {0x00, 0x0e, 0xBE, 0xB3, 0, 0, 0, 1, 0, 0,
                                0,    0,    0,    0,    0, 2, 0, 0, 0, 0};
  fpdu(odd, sizeof odd, sizeof odd);
  ck_assert_str_eq(line(false, &plain), "send stag 0x00000001 to 0x0000000000000002 dv 2 rsvd 0xf "
                                        "rv 2 rsv 0x3 len 0 tagged, crc unchecked\n");
}
END_TEST

START_TEST(a_whole_send_with_invalidate)
{
  fpdu(send_inv, sizeof send_inv, sizeof send_inv);
  ck_assert_str_eq(line(false, &plain), "send-invalidate L qn 5 msn 6 mo 7 dv 3 rsv 0x1 len 4, "
                                        "invalidate 0x00000bee, crc unchecked\n");
  ck_assert_str_eq(line(true, &plain),
                   ",\"offset\":0,\"ulpdu_length\":22,\"pad\":0,\"crc\":\"unchecked\","
                   "\"crc_value\":\"0x44332211\",\"marker_count\":0,\"ddp\":{\"tagged\":false,"
                   "\"last\":true,\"dv\":3,\"length\":4,\"qn\":5,\"msn\":6,\"mo\":7},"
                   "\"rdmap\":{\"rv\":1,\"opcode\":4,\"name\":\"send-invalidate\"},"
                   "\"invalidate_stag\":\"0x00000bee\"}\n");
}
END_TEST

typedef struct cut_case {
  size_t have;
  const char *text;
  const char *json;
} cut_case;

#define CUT_HEAD                                                                                   \
  ",\"offset\":0,\"ulpdu_length\":22,\"pad\":0,\"crc\":\"unchecked\",\"marker_count\":0"
#define CUT_DDP ",\"ddp\":{\"tagged\":false,\"last\":true,\"dv\":3,\"length\":4"
#define CUT_RDMAP ",\"rdmap\":{\"rv\":1,\"opcode\":4,\"name\":\"send-invalidate\"}"

static const cut_case cuts[] = {
    {2, "fpdu ulpdu 22, crc unchecked, cut\n", CUT_HEAD "}\n"},
    {3, "fpdu L dv 3 ulpdu 22, crc unchecked, cut\n", CUT_HEAD CUT_DDP "}}\n"},
    {4, "send-invalidate L dv 3 rsv 0x1 ulpdu 22, crc unchecked, cut\n",
     CUT_HEAD CUT_DDP "}" CUT_RDMAP "}\n"},
    {7, "send-invalidate L dv 3 rsv 0x1 ulpdu 22, crc unchecked, cut\n",
     CUT_HEAD CUT_DDP "}" CUT_RDMAP "}\n"},
    {8, "send-invalidate L dv 3 rsv 0x1 ulpdu 22, crc unchecked, cut\n",
     CUT_HEAD CUT_DDP "}" CUT_RDMAP ",\"invalidate_stag\":\"0x00000bee\"}\n"},
    {12, "send-invalidate L qn 5 dv 3 rsv 0x1 ulpdu 22, crc unchecked, cut\n",
     CUT_HEAD CUT_DDP ",\"qn\":5}" CUT_RDMAP ",\"invalidate_stag\":\"0x00000bee\"}\n"},
    {19, "send-invalidate L qn 5 msn 6 dv 3 rsv 0x1 ulpdu 22, crc unchecked, cut\n",
     CUT_HEAD CUT_DDP ",\"qn\":5,\"msn\":6}" CUT_RDMAP ",\"invalidate_stag\":\"0x00000bee\"}\n"},
    {20,
     "send-invalidate L qn 5 msn 6 mo 7 dv 3 rsv 0x1 len 4, invalidate 0x00000bee, "
     "crc unchecked, cut\n",
     CUT_HEAD CUT_DDP ",\"qn\":5,\"msn\":6,\"mo\":7}" CUT_RDMAP
                      ",\"invalidate_stag\":\"0x00000bee\"}\n"},
};

START_TEST(a_cut_header_is_shown_as_far_as_it_goes)
{
  const cut_case *c = &cuts[_i];
  fpdu(send_inv, sizeof send_inv, c->have);
  ck_assert_str_eq(line(false, &plain), c->text);
  ck_assert_str_eq(line(true, &plain), c->json);
}
END_TEST

START_TEST(a_cut_tagged_header_shows_its_stag)
{
  static const uint8_t write[] = {0x00, 0x0e, 0xC1, 0x40, 0, 0, 0, 9, 0, 0,
                                  0,    0,    0,    0,    0, 2, 0, 0, 0, 0};
  fpdu(write, sizeof write, 8);
  ck_assert_str_eq(line(false, &plain), "write L stag 0x00000009 ulpdu 14, crc unchecked, cut\n");
  ck_assert_ptr_nonnull(strstr(line(true, &plain), "\"length\":0,\"stag\":\"0x00000009\"}"));
}
END_TEST

START_TEST(surplus_octets_are_counted)
{
  uint8_t imm[2 + 18 + 10 + 2 + 4] = {0x00, 0x1c, 0x41, 0x48};
  fpdu(imm, sizeof imm, sizeof imm);
  ck_assert_str_eq(line(false, &plain), "immediate L qn 0 msn 0 mo 0 len 10, data "
                                        "0000000000000000, crc unchecked, surplus 2\n");
  ck_assert_ptr_nonnull(strstr(line(true, &all), "\"surplus\":2"));
}
END_TEST

START_TEST(octets_are_dumped_in_lines_of_sixteen)
{
  uint8_t octets[18];
  for (size_t i = 0; i < sizeof octets; i++) {
    octets[i] = (uint8_t)(0x70 + i);
  }
  out_close(&text);
  out_open_memory(&text);
  report_hex_put(&text, octets, sizeof octets, 0x20, "> ");
  out_char(&text, '\0');
  ck_assert_str_eq(text.buf,
                   "> 0x0020:  7071 7273 7475 7677 7879 7a7b 7c7d 7e7f  pqrstuvwxyz{|}~.\n"
                   "> 0x0030:  8081                                     ..\n");
}
END_TEST

START_TEST(offsets_of_a_dump_do_not_wrap)
{
  static const uint8_t octets[17];
  out_close(&text);
  out_open_memory(&text);
  report_hex_put(&text, octets, sizeof octets, 0xFFF0, "");
  out_char(&text, '\0');
  ck_assert_str_eq(text.buf, "0xfff0:  0000 0000 0000 0000 0000 0000 0000 0000  ................\n"
                             "0x10000:  00                                       .\n");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_line_has_the_header_of_each_opcode,
                                gaps_say_their_length_and_reason,
                                undecodable_octets_say_why,
                                times_count_from_what_was_asked_for,
                                ends_and_streaming_data_are_no_lines,
                                startup_frames_show_every_flag,
                                a_wrong_key_is_shown,
                                a_cut_startup_frame_is_shown_with_what_is_there,
                                private_data_that_are_known_are_decoded,
                                streaming_data_is_reported_before_the_startup_frame,
                                odd_values_of_a_header_are_shown,
                                a_whole_send_with_invalidate,
                                a_cut_tagged_header_shows_its_stag,
                                surplus_octets_are_counted,
                                octets_are_dumped_in_lines_of_sixteen,
                                offsets_of_a_dump_do_not_wrap,
                                NULL};
  Suite *suite = check_suite("dump", tests);
  TCase *loop = tcase_create("cuts");
  tcase_add_loop_test(loop, a_cut_header_is_shown_as_far_as_it_goes, 0,
                      sizeof cuts / sizeof cuts[0]);
  suite_add_tcase(suite, loop);
  return check_run(suite);
}
