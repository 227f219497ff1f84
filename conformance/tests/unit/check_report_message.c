/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of `iwarp dump` for each message and each form of the startup frame. */
#include <stdio.h>
#include <string.h>

#include <iwarp/crc32c.h>

#include <report/frame.h>

#include "check_run.h"
#include "report_fixture.h"

static report_frame frame;
static uint8_t room[REPORT_FRAME_ROOM + 700];
static uint8_t *const octets = room + REPORT_FRAME_ROOM;
static iwarp_event ev;
static const report_dump_opts plain;
static const report_dump_opts fields = {.fields = true};
static const report_dump_opts dumped = {.octets = true};

static void seal(size_t len) {
  const uint32_t crc = iwarp_crc32c(0, octets, len);
  for (size_t i = 0; i < 4; i++) {
    octets[len + i] = (uint8_t)(crc >> (8 * i));
  }
}

/* Makes an event of the frame of `len` octets that lies in `octets`. */
static void take(size_t len, uint64_t off) {
  report_fixture_begin();
  report_frame_decode(&frame, REPORT_LAYER_MPA, octets, len, off);
  ck_assert(report_frame_whole(&frame));
  ev = report_fixture_event(frame.ev.kind);
  ev.u = frame.ev.u;
}

/* An FPDU with a good CRC: `head` are octets of the ULPDU, zeros follow up to `n`. */
static void fpdu(const uint8_t *head, size_t len, size_t n) {
  const size_t pad = (4 - (2 + n) % 4) % 4;
  memset(octets, 0, 2 + n + pad);
  octets[0] = (uint8_t)(n >> 8);
  octets[1] = (uint8_t)n;
  memcpy(octets + 2, head, len);
  seal(2 + n + pad);
  take(2 + n + pad + 4, IWARP_POS_UNKNOWN);
}

/* The line of a message in its right form; `rest` follows the untagged header. */
static void untagged(uint8_t opcode, uint8_t qn, const uint8_t *rest, size_t len, size_t n) {
  uint8_t ulpdu[18 + 64] = {0x41, (uint8_t)(0x40 | opcode), 0, 0, 0, 9, 0, 0, 0, qn, 0, 0, 0, 1};
  memcpy(ulpdu + 18, rest, len);
  fpdu(ulpdu, 18 + len, 18 + n);
}

typedef struct message_case {
  uint8_t opcode;
  uint8_t qn;
  size_t len;
  uint8_t octets[56];
  const char *text; /* up to the CRC */
  const char *json; /* after the RDMAP Control Field */
} message_case;

static const message_case messages[] = {
    {IWARP_RDMAP_OP_SEND, 0, 1, {7}, "send L qn 0 msn 1 mo 0 len 1|\n", "}\n"},
    {IWARP_RDMAP_OP_SEND_SE_INV,
     0,
     0,
     {0},
     "send-se-invalidate L qn 0 msn 1 mo 0 len 0, invalidate 0x00000009|\n",
     ",\"invalidate_stag\":\"0x00000009\"}\n"},
    {IWARP_RDMAP_OP_READ_REQ,
     1,
     28,
     {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 5},
     "read-request L qn 1 msn 1 mo 0 len 28, sink 0x00000001 to 0x0000000000000002 source "
     "0x00000004 to 0x0000000000000005 size 3|\n",
     ",\"read_request\":{\"sink_stag\":\"0x00000001\",\"sink_to\":\"0x0000000000000002\","
     "\"size\":3,\"source_stag\":\"0x00000004\",\"source_to\":\"0x0000000000000005\"}}\n"},
    {IWARP_RDMAP_OP_IMMEDIATE_SE,
     0,
     8,
     {1, 2, 3, 4, 5, 6, 7, 8},
     "immediate-se L qn 0 msn 1 mo 0 len 8, data 0102030405060708|\n",
     ",\"immediate\":\"0102030405060708\"}\n"},
    {IWARP_RDMAP_OP_ATOMIC_RESP,
     3,
     12,
     {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2},
     "atomic-response L qn 3 msn 1 mo 0 len 12, id 1 original 0x0000000000000002|\n",
     ",\"atomic_response\":{\"request_id\":1,\"original\":\"0x0000000000000002\"}}\n"},
    {IWARP_RDMAP_OP_ATOMIC_REQ,
     1,
     52,
     {0, 0, 0, 0, 0, 0, 0, 7},
     "atomic-request L qn 1 msn 1 mo 0 len 52, operation FetchAdd id 7 stag 0x00000000 to "
     "0x0000000000000000 data 0x0000000000000000 mask 0x0000000000000000|\n",
     ",\"atomic_request\":{\"opcode\":0,\"request_id\":7,\"stag\":\"0x00000000\","
     "\"to\":\"0x0000000000000000\",\"add_swap_data\":\"0x0000000000000000\","
     "\"add_swap_mask\":\"0x0000000000000000\",\"compare_data\":\"0x0000000000000000\","
     "\"compare_mask\":\"0x0000000000000000\"}}\n"},
    {IWARP_RDMAP_OP_ATOMIC_REQ,
     1,
     52,
     {0, 0,    0, 2, 0, 0, 0, 7,    0, 0,    0, 0x11, 0, 0, 0, 0,   0, 0,
      0, 0x12, 0, 0, 0, 0, 0, 0,    0, 0x13, 0, 0,    0, 0, 0, 0,   0, 0x14,
      0, 0,    0, 0, 0, 0, 0, 0x15, 0, 0,    0, 0,    0, 0, 0, 0x16},
     "atomic-request L qn 1 msn 1 mo 0 len 52, operation CmpSwap id 7 stag 0x00000011 to "
     "0x0000000000000012 data 0x0000000000000013 mask 0x0000000000000014 compare "
     "0x0000000000000015 mask 0x0000000000000016|\n",
     ",\"atomic_request\":{\"opcode\":2,\"request_id\":7,\"stag\":\"0x00000011\","
     "\"to\":\"0x0000000000000012\",\"add_swap_data\":\"0x0000000000000013\","
     "\"add_swap_mask\":\"0x0000000000000014\",\"compare_data\":\"0x0000000000000015\","
     "\"compare_mask\":\"0x0000000000000016\"}}\n"},
    {IWARP_RDMAP_OP_ATOMIC_REQ,
     1,
     52,
     {0, 0, 0x10, 1, 0, 0, 0, 7},
     "atomic-request L qn 1 msn 1 mo 0 len 52, operation Reserved id 7 stag 0x00000000 to "
     "0x0000000000000000 data 0x0000000000000000 mask 0x0000000000000000 compare "
     "0x0000000000000000 mask 0x0000000000000000|\n",
     ",\"atomic_request\":{\"opcode\":1,\"request_id\":7,\"stag\":\"0x00000000\","
     "\"to\":\"0x0000000000000000\",\"add_swap_data\":\"0x0000000000000000\","
     "\"add_swap_mask\":\"0x0000000000000000\",\"compare_data\":\"0x0000000000000000\","
     "\"compare_mask\":\"0x0000000000000000\"}}\n"},
    {IWARP_RDMAP_OP_TERMINATE,
     2,
     4,
     {0x02, 0x07, 0, 0},
     "terminate L qn 2 msn 1 mo 0 len 4, RDMA / Remote Operation Error / "
     "Catastrophic error, localized to RDMAP Stream|\n",
     ",\"terminate\":{\"layer\":0,\"etype\":2,\"code\":7,\"m\":false,\"d\":false,\"r\":false"
     ",\"names\":{\"layer\":\"RDMA\",\"etype\":\"Remote Operation Error\",\"code\":\"Catastrophic "
     "error, localized to RDMAP Stream\"}}}\n"},
    {IWARP_RDMAP_OP_TERMINATE,
     2,
     4,
     {0x3F, 0xFF, 0, 0},
     "terminate L qn 2 msn 1 mo 0 len 4, unassigned 0x03 / unassigned 0x0f / unassigned 0xff|\n",
     ",\"terminate\":{\"layer\":3,\"etype\":15,\"code\":255,\"m\":false,\"d\":false,"
     "\"r\":false"
     ",\"names\":{}}}\n"},
    {IWARP_RDMAP_OP_TERMINATE,
     2,
     4,
     {0x00, 0xFF, 0, 0},
     "terminate L qn 2 msn 1 mo 0 len 4, RDMA / Local Catastrophic Error / Local "
     "Catastrophic Error|\n",
     ",\"terminate\":{\"layer\":0,\"etype\":0,\"code\":255,\"m\":false,\"d\":false,"
     "\"r\":false"
     ",\"names\":{\"layer\":\"RDMA\",\"etype\":\"Local Catastrophic Error\",\"code\":\"Local "
     "Catastrophic Error\"}}}\n"},
    {IWARP_RDMAP_OP_TERMINATE,
     2,
     52,
     {0x01, 0x00, 0xE0, 0, 0, 46, 0x41, 0x41, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1},
     "terminate L qn 2 msn 1 mo 0 len 52, RDMA / Remote Protection Error / Invalid STag hdrct "
     "MDR segment-length 46|\n",
     ",\"terminate\":{\"layer\":0,\"etype\":1,\"code\":0,\"m\":true,\"d\":true,\"r\":true,"
     "\"ddp_segment_length\":46,\"ddp_header\":\"414100000000000000010000000100000000\","
     "\"rdma_header\":\"00000000000000000000000000000000000000000000000000000000\""
     ",\"names\":{\"layer\":\"RDMA\",\"etype\":\"Remote Protection Error\",\"code\":\"Invalid "
     "STag\"}}}\n"},
    {IWARP_RDMAP_OP_TERMINATE,
     2,
     20,
     {0x01, 0x00, 0x40, 0, 0, 0, 0xC1, 0x40},
     "terminate L qn 2 msn 1 mo 0 len 20, RDMA / Remote Protection Error / Invalid STag hdrct D|\n",
     ",\"terminate\":{\"layer\":0,\"etype\":1,\"code\":0,\"m\":false,\"d\":true,\"r\":false,"
     "\"ddp_segment_length\":0,\"ddp_header\":\"c140000000000000000000000000\""
     ",\"names\":{\"layer\":\"RDMA\",\"etype\":\"Remote Protection Error\",\"code\":\"Invalid "
     "STag\"}}}\n"},
    {IWARP_RDMAP_OP_TERMINATE,
     2,
     5,
     {0x11, 0x00, 0x20, 0, 9},
     "terminate L qn 2 msn 1 mo 0 len 5, DDP / Tagged Buffer Error / Invalid STag "
     "hdrct R|, error: the Terminate announces an RDMAP header without a DDP header\n",
     ",\"terminate\":{\"layer\":1,\"etype\":1,\"code\":0,\"m\":false,\"d\":false,\"r\":true"
     ",\"names\":{\"layer\":\"DDP\",\"etype\":\"Tagged Buffer Error\",\"code\":\"Invalid "
     "STag\"}}}\n"},
    {IWARP_RDMAP_OP_RESERVED_13, 0, 0, {0}, "reserved opcode 13 L qn 0 msn 1 mo 0 len 0|\n", "}\n"},
};

START_TEST(each_message_has_its_line)
{
  const message_case *c = &messages[_i];
  char shown[400];
  untagged(c->opcode, c->qn, c->octets, c->len, c->len);
  const char *line = report_fixture_dump(false, &ev, &plain);
  const char *end = strstr(line, ", crc good");
  ck_assert_ptr_nonnull(end);
  snprintf(shown, sizeof shown, "%.*s|%s", (int)(end - line), line, end + strlen(", crc good"));
  ck_assert_str_eq(shown, c->text);
  line = strstr(report_fixture_dump(true, &ev, &plain), "\"rdmap\":");
  ck_assert_ptr_nonnull(line);
  ck_assert_str_eq(strchr(line, '}') + 1, c->json);
}
END_TEST

START_TEST(a_message_in_the_wrong_form_says_so)
{
  static const uint8_t write[] = {0x41, 0x40};
  fpdu(write, sizeof write, 18);
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "write L qn 0 msn 0 mo 0 len 0 untagged, crc good\n");
  static const uint8_t reserved[] = {0xC1, 0x4C}; /* has no right form */
  fpdu(reserved, sizeof reserved, 14);
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "reserved opcode 12 L stag 0x00000000 to "
                   "0x0000000000000000 len 0, crc good\n");
}
END_TEST

START_TEST(a_header_that_does_not_fit_is_an_error)
{
  static const uint8_t head[] = {0x41, 0x43};
  fpdu(head, sizeof head, 17);
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "fpdu ulpdu 17, crc good, error: a ULPDU of 17 octets is too short for a DDP "
                   "header (14 or 18 octets)\n");
  ck_assert_ptr_nonnull(
      strstr(report_fixture_dump(true, &ev, &plain),
             "\"marker_count\":0,\"error\":\"a ULPDU of 17 octets is too short for a DDP header "
             "(14 or 18 octets)\"}\n"));
  ck_assert_ptr_nonnull(
      strstr(report_fixture_dump(false, &ev, &fields), "                  ULPDU     "));
}
END_TEST

START_TEST(all_fields_of_an_fpdu_are_shown_on_demand)
{
  static const uint8_t imm[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  untagged(IWARP_RDMAP_OP_IMMEDIATE, 0, imm, sizeof imm, sizeof imm);
  ev.u.fpdu.offset = 512;
  ev.u.fpdu.sync = IWARP_SYNC_MARKER;
  ck_assert_str_eq(
      report_fixture_dump(false, &ev, &fields),
      "immediate L qn 0 msn 1 mo 0 len 10, data 0102030405060708, crc good, surplus 2\n"
      "    FPDU (RFC 5044 4.1)\n"
      "          0:16    ULPDU_Length                28\n"
      "                  stream offset               512\n"
      "                  boundary rests on           Marker\n"
      "    DDP Untagged Buffer Header (RFC 5041 4.3)\n"
      "          0:1     T                           0\n"
      "          1:1     L                           1\n"
      "          2:4     Rsvd                        0x0\n"
      "          6:2     DV                          1 (IETF)\n"
      "          8:8     RsvdULP                     0x48\n"
      "         16:32    Invalidate STag             0x00000009\n"
      "         48:32    QN                          0 (Send)\n"
      "         80:32    MSN                         1\n"
      "        112:32    MO                          0\n"
      "    RDMAP Control Field (RFC 5040 4.1)\n"
      "          0:2     RV                          1 (IETF)\n"
      "          2:2     Rsv                         0x0\n"
      "          4:4     Opcode                      8 (immediate)\n"
      "    Immediate Data (RFC 7306 6.2)\n"
      "          0:64    Immediate Data              0102030405060708\n"
      "                  PAD                         0000\n"
      "                  CRC                         0x481fb949 (good, computed 0x481fb949)\n");
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(true, &ev, &fields),
                               ",\"sync\":\"Marker\",\"complete\":true,\"pad_octets\":\"0000\","
                               "\"crc_computed\":\"0x481fb949\",\"marker_list\":[],\"ddp_rsvd\":0,"
                               "\"ddp_rsvdulp\":72,\"ddp_invalidate_stag\":\"0x00000009\",\"rdmap_"
                               "rsv\":0,\"surplus\":2}\n"));
  ev.u.fpdu.crc = IWARP_CRC_UNCHECKED;
  ev.u.fpdu.pad_present = false;
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(false, &ev, &fields), " (unchecked)\n"));
  ck_assert_ptr_null(strstr(fixture.text.buf, "PAD"));
  ck_assert_ptr_null(strstr(report_fixture_dump(true, &ev, &fields), "crc_computed"));
  ck_assert_ptr_null(strstr(fixture.text.buf, "pad_octets"));
  ev.u.fpdu.crc_present = false;
  ck_assert_ptr_null(strstr(report_fixture_dump(false, &ev, &fields), "CRC"));
  ck_assert_ptr_null(strstr(report_fixture_dump(true, &ev, &fields), "crc_value"));
}
END_TEST

START_TEST(reserved_bits_are_among_the_fields)
{
  static const uint8_t atomic[52] = {0xAB, 0xCD, 0xEF, 0x02};
  static const uint8_t term[4] = {0x00, 0x00, 0x1F, 0xFF};
  static const uint8_t write[] = {0xFD, 0x70};
  untagged(IWARP_RDMAP_OP_ATOMIC_REQ, 1, atomic, sizeof atomic, sizeof atomic);
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(true, &ev, &fields),
                               ",\"ddp_rsvd\":0,\"ddp_rsvdulp\":74,\"ddp_invalidate_stag\":"
                               "\"0x00000009\",\"rdmap_rsv\":0,"
                               "\"atomic_request_reserved\":180150000}\n"));
  untagged(IWARP_RDMAP_OP_TERMINATE, 2, term, sizeof term, sizeof term);
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(true, &ev, &fields),
                               ",\"ddp_rsvd\":0,\"ddp_rsvdulp\":71,\"ddp_invalidate_stag\":"
                               "\"0x00000009\",\"rdmap_rsv\":0,\"terminate_reserved\":8191}\n"));
  fpdu(write, sizeof write, 14);
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(true, &ev, &fields),
                               ",\"ddp_rsvd\":15,\"ddp_rsvdulp\":112,\"rdmap_rsv\":3}\n"));
  untagged(IWARP_RDMAP_OP_SEND_INV, 0, term, 0, 0);
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(true, &ev, &fields),
                               "\"ddp_invalidate_stag\":\"0x00000009\",\"rdmap_rsv\":0}\n"));
}
END_TEST

/* Stream offset 508: a Marker four octets after the ULPDU_Length points back to it. */
START_TEST(markers_are_counted_and_shown)
{
  static const uint8_t head[] = {0x41, 0x43};
  memset(octets, 0, 64);
  octets[1] = 18;
  memcpy(octets + 2, head, sizeof head);
  octets[7] = 8; /* the right one is 4 */
  seal(2 + 18 + 4);
  take(2 + 18 + 4 + 4, 508);
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain),
                   "send L qn 0 msn 0 mo 0 len 0, markers 1, crc good\n");
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(false, &ev, &fields),
                               "                  Marker                      at octet 4, reserved "
                               "0x0000, FPDUPTR 8, expected 4\n"));
  ck_assert_ptr_nonnull(
      strstr(fixture.text.buf, "                  stream offset               508\n"));
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(true, &ev, &fields),
                               "\"marker_list\":[{\"reserved\":0,\"fpduptr\":8,\"expected\":4}]"));
  ck_assert_ptr_nonnull(strstr(fixture.text.buf, "\"marker_count\":1,"));
  octets[7] = 4;
  seal(2 + 18 + 4);
  take(2 + 18 + 4 + 4, 508);
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(false, &ev, &fields), "FPDUPTR 4\n"));
}
END_TEST

START_TEST(octets_begin_with_the_first_marker)
{
  memset(octets, 0, 64);
  octets[4 + 1] = 14;
  octets[4 + 2] = 0xC1;
  octets[4 + 3] = 0x40;
  seal(4 + 16);
  take(4 + 16 + 4, 0);
  ck_assert_uint_eq(ev.u.fpdu.offset, 4);
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(false, &ev, &dumped),
                               "\n        0x0000:  0000 0000 000e c140 0000 0000 0000 0000  "));
  ck_assert_ptr_nonnull(
      strstr(report_fixture_dump(true, &ev, &dumped), ",\"octets\":\"00000000000ec140"));
}
END_TEST

/* ---- startup frames ---- */

typedef struct startup_case {
  uint8_t flags;
  uint8_t rev;
  uint8_t pd_length;
  uint8_t pd[16];
  const char *text;
} startup_case;

static const startup_case startups[] = {
    {0, 1, 0, {0}, "mpa-request rev 1 pd 0\n"},
    {0x0F, 1, 0, {0}, "mpa-request rev 1 reserved 0xf pd 0\n"},
    {0x40, 0, 0, {0}, "mpa-request rev 0 flags C pd 0\n"},
    {0xA0, 1, 2, {0}, "mpa-request rev 1 flags MR pd 2\n"},
    {0x10, 2, 4, {0x3F, 0xFF, 0, 1}, "mpa-request rev 2 flags S ird 16383 ord 1 pd 4\n"},
    {0x10, 2, 4, {0x80, 2, 0, 1}, "mpa-request rev 2 flags S ird 2 ord 1 peer-to-peer pd 4\n"},
    {0x10, 2, 4, {0x40, 2, 0, 1}, "mpa-request rev 2 flags S ird 2 ord 1 rtr send pd 4\n"},
    {0x10, 2, 4, {0, 2, 0x80, 1}, "mpa-request rev 2 flags S ird 2 ord 1 rtr write pd 4\n"},
    {0x10, 2, 4, {0, 2, 0x40, 1}, "mpa-request rev 2 flags S ird 2 ord 1 rtr read pd 4\n"},
    {0x10,
     2,
     3,
     {0},
     "mpa-request rev 2 flags S pd 3, error: S is set, but a PD_Length of 3 has no room for the "
     "enhanced data\n"},
};

static void startup(uint8_t flags, uint8_t rev, uint8_t pd_length, const uint8_t *pd) {
  memcpy(octets, "MPA ID Req Frame", 16);
  octets[16] = flags;
  octets[17] = rev;
  octets[18] = 0;
  octets[19] = pd_length;
  const size_t len = iwarp_mpa_startup_size(rev, pd_length);
  memcpy(octets + 20, pd, len - 20);
  take(len, IWARP_POS_UNKNOWN);
  const iwarp_mpa_startup *v = &ev.u.startup.frame;
  if (ev.u.startup.enhanced) {
    ck_assert_int_eq(iwarp_mpa_enhanced_decode(&ev.u.startup.enh, v->private_data).err, IWARP_OK);
  }
}

START_TEST(a_startup_frame_is_one_line)
{
  const startup_case *c = &startups[_i];
  startup(c->flags, c->rev, c->pd_length, c->pd);
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain), c->text);
}
END_TEST

START_TEST(depths_of_smbd_are_decoded_in_the_order_that_makes_sense)
{
  static const uint8_t big[8] = {0, 0, 0, 16, 0, 0, 0, 8};
  static const uint8_t little[8] = {16, 0, 0, 0, 8, 0, 0, 0};
  static const uint8_t neither[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  startup(0, 1, sizeof big, big);
  ck_assert_ptr_nonnull(
      strstr(report_fixture_dump(true, &ev, &plain), "\"smbd\":{\"ird\":16,\"ord\":8}}\n"));
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(false, &ev, &fields),
                               "    Legacy IRD and ORD (MS-SMBD)\n"
                               "          0:32    IRD                         16\n"
                               "         32:32    ORD                         8\n"));
  startup(0, 2, sizeof little, little);
  ck_assert_ptr_nonnull(
      strstr(report_fixture_dump(true, &ev, &plain), "\"smbd_le\":{\"ird\":16,\"ord\":8}}\n"));
  startup(0, 1, sizeof neither, neither);
  ck_assert_ptr_null(strstr(report_fixture_dump(true, &ev, &plain), "smbd"));
  startup(0, 0, sizeof big, big); /* a revision that MS-SMBD does not use */
  ck_assert_ptr_null(strstr(report_fixture_dump(true, &ev, &plain), "smbd"));
  startup(0, 1, sizeof big, big);
  ev.u.startup.frame.pd_length = 2 * sizeof big; /* half of the Private Data is missing */
  ev.u.startup.err = IWARP_ERR_MPA_PD_LENGTH;
  ck_assert_ptr_null(strstr(report_fixture_dump(true, &ev, &plain), "smbd"));
}
END_TEST

/* Rev 129: eight octets that PD_Length does not count. */
START_TEST(the_extension_of_rev_129_needs_no_private_data)
{
  static const uint8_t pd[8] = {0x0B, 0xAD, 0xCA, 0xFE, 0, 0, 0, 2};
  startup(0, 129, 0, pd);
  ev.u.startup.ulp_data.len = 0;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain), "mpa-request rev 129 pd 0\n");
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(true, &ev, &plain),
                               "\"private_data\":\"\",\"erdma\":{\"cookie\":\"0x0badcafe\","
                               "\"reserved\":\"0x0000000\",\"cc\":2}}\n"));
  ev.u.startup.frame.private_data.len = 7;
  ck_assert_ptr_null(strstr(report_fixture_dump(true, &ev, &plain), "erdma"));
}
END_TEST

START_TEST(a_cut_startup_frame_shows_the_octets_that_are_there)
{
  static const uint8_t pd[4] = {1, 2, 3, 4};
  startup(0, 1, sizeof pd, pd);
  ev.u.startup.frame.pd_length = 600;
  ev.u.startup.err = IWARP_ERR_MPA_PD_LENGTH;
  ck_assert_ptr_nonnull(
      strstr(report_fixture_dump(true, &ev, &dumped),
             ",\"error\":\"4 of 600 octets of private data are there\","
             "\"octets\":\"4d504120494420526571204672616d650001025801020304\"}\n"));
  ck_assert_ptr_nonnull(strstr(report_fixture_dump(false, &ev, &fields),
                               "        144:16    PD_Length                   600\n"
                               "        160:32    Private Data                01020304\n"));
}
END_TEST

START_TEST(one_octet_of_streaming_data_is_singular)
{
  startup(0, 1, 0, (const uint8_t *)"");
  fixture.conn.tally.streaming[1] = 1;
  ck_assert_ptr_nonnull(
      strstr(report_fixture_dump(false, &ev, &plain), "streaming 1 octet\n1.500000 frame"));
  fixture.conn.tally.streaming[1] = 0;
  ck_assert_str_eq(report_fixture_dump(false, &ev, &plain), "mpa-request rev 1 pd 0\n");
}
END_TEST

START_TEST(nanoseconds_are_shown_where_there_are_any)
{
  startup(0, 1, 0, (const uint8_t *)"");
  ev.last.time_ns = UINT64_C(1500000001);
  report_fixture_clear();
  report_dump_text(&fixture.text, &fixture.conn, &ev, NULL, &plain);
  ck_assert(strncmp(report_fixture_written(), "1.500000001 frame 9 ", 20) == 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_message_in_the_wrong_form_says_so,
                                a_header_that_does_not_fit_is_an_error,
                                all_fields_of_an_fpdu_are_shown_on_demand,
                                reserved_bits_are_among_the_fields,
                                markers_are_counted_and_shown,
                                octets_begin_with_the_first_marker,
                                depths_of_smbd_are_decoded_in_the_order_that_makes_sense,
                                the_extension_of_rev_129_needs_no_private_data,
                                a_cut_startup_frame_shows_the_octets_that_are_there,
                                one_octet_of_streaming_data_is_singular,
                                nanoseconds_are_shown_where_there_are_any,
                                NULL};
  Suite *suite = check_suite("message", tests);
  TCase *loop = tcase_create("messages and startup frames");
  tcase_add_loop_test(loop, each_message_has_its_line, 0, sizeof messages / sizeof messages[0]);
  tcase_add_loop_test(loop, a_startup_frame_is_one_line, 0, sizeof startups / sizeof startups[0]);
  suite_add_tcase(suite, loop);
  return check_run(suite);
}
