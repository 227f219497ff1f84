/* SPDX-License-Identifier: BSD-2-Clause */
/* One frame by itself: `iwarp decode`, all fields as text and as JSON. */
#include <stdio.h>
#include <string.h>

#include <report/frame.h>

#include <iwarp/crc32c.h>

#include "check_run.h"
#include "report_fixture.h"

static report_frame frame;
static uint8_t room[REPORT_FRAME_ROOM + 256];
static uint8_t *const octets = room + REPORT_FRAME_ROOM;

static void decode(report_layer layer, const void *from, size_t len, uint64_t off) {
  report_fixture_clear();
  memcpy(octets, from, len);
  report_frame_decode(&frame, layer, octets, len, off);
}

static void decode_plain(report_layer layer, const void *from, size_t len) {
  decode(layer, from, len, IWARP_POS_UNKNOWN);
}

static const char *shown(void) {
  report_fixture_clear();
  report_frame_text(&fixture.text, &frame);
  return report_fixture_written();
}

static const char *json(void) {
  report_fixture_clear();
  report_frame_json(&fixture.text, &frame);
  return report_fixture_written();
}

/* An untagged segment: queue, opcode and what follows. */
static size_t segment(uint8_t *to, uint8_t opcode, uint8_t qn, const void *rest, size_t n) {
  const uint8_t head[18] = {0x41, (uint8_t)(0x40 | opcode), 0, 0, 0, 0, 0, 0, 0, qn, 0, 0, 0, 1};
  memcpy(to, head, sizeof head);
  memcpy(to + sizeof head, rest, n);
  return sizeof head + n;
}

/* An FPDU with a right CRC. */
static size_t fpdu(uint8_t *to, const void *ulpdu, size_t n) {
  const size_t pad = (4 - (2 + n) % 4) % 4;
  to[0] = (uint8_t)(n >> 8);
  to[1] = (uint8_t)n;
  memcpy(to + 2, ulpdu, n);
  memset(to + 2 + n, 0, pad);
  const size_t len = 2 + n + pad;
  const uint32_t crc = iwarp_crc32c(0, to, len);
  for (size_t i = 0; i < 4; i++) {
    to[len + i] = (uint8_t)(crc >> (8 * i));
  }
  return len + 4;
}

/* ---- MPA ---- */

static const char request[] = "MPA ID Req Frame";

/* A startup frame; returns its length. */
static size_t startup(uint8_t *to, const char *key, uint8_t flags, uint8_t rev, size_t announced,
                      const void *pd, size_t n) {
  memcpy(to, key, 16);
  to[16] = flags;
  to[17] = rev;
  to[18] = (uint8_t)(announced >> 8);
  to[19] = (uint8_t)announced;
  memcpy(to + 20, pd, n);
  return 20 + n;
}

START_TEST(a_startup_frame_is_shown_field_by_field)
{
  uint8_t wire[32];
  const size_t n = startup(wire, request, 0xC0, 1, 2, "\x01\x02\xFF", 3);
  decode_plain(REPORT_LAYER_MPA, wire, n);
  ck_assert_int_eq(frame.err, IWARP_OK);
  ck_assert_str_eq(shown(), "    MPA Request/Reply Frame (RFC 5044 7.1.1)\n"
                            "          0:128   Key                         "
                            "4d504120494420526571204672616d65\n"
                            "        128:1     M                           1\n"
                            "        129:1     C                           1\n"
                            "        130:1     R                           0\n"
                            "        131:1     S                           0\n"
                            "        132:4     Res                         0x0\n"
                            "        136:8     Rev                         1 (RFC 5044)\n"
                            "        144:16    PD_Length                   2\n"
                            "        160:16    Private Data                0102\n"
                            "                  octets after the frame      ff\n");
  ck_assert_str_eq(json(),
                   "{\"form\":\"startup\",\"frame\":\"request\","
                   "\"mpa\":{\"key\":\"4d504120494420526571204672616d65\",\"markers\":true,"
                   "\"crc\":true,\"reject\":false,\"enhanced\":false,\"reserved\":\"0x0\","
                   "\"rev\":1,\"pd_length\":2,\"private_data\":\"0102\"},\"surplus\":\"ff\"}\n");
}
END_TEST

START_TEST(an_enhanced_startup_frame_shows_its_depths)
{
  uint8_t wire[32];
  const size_t n = startup(wire, "MPA ID Rep Frame", 0x90, 2, 5, "\x80\x03\x40\x04\xEE", 5);
  decode_plain(REPORT_LAYER_MPA, wire, n);
  ck_assert_int_eq(frame.err, IWARP_OK);
  ck_assert_str_eq(shown(), "    MPA Request/Reply Frame (RFC 5044 7.1.1)\n"
                            "          0:128   Key                         "
                            "4d504120494420526570204672616d65\n"
                            "        128:1     M                           1\n"
                            "        129:1     C                           0\n"
                            "        130:1     R                           0\n"
                            "        131:1     S                           1\n"
                            "        132:4     Res                         0x0\n"
                            "        136:8     Rev                         2 (RFC 6581)\n"
                            "        144:16    PD_Length                   5\n"
                            "        160:40    Private Data                80034004ee\n"
                            "    Enhanced RDMA Connection Establishment Data (RFC 6581 9)\n"
                            "          0:1     A                           1\n"
                            "          1:1     B                           0\n"
                            "          2:14    IRD                         3\n"
                            "         16:1     C                           0\n"
                            "         17:1     D                           1\n"
                            "         18:14    ORD                         4\n");
  ck_assert_str_eq(json(), "{\"form\":\"startup\",\"frame\":\"reply\","
                           "\"mpa\":{\"key\":\"4d504120494420526570204672616d65\",\"markers\":true,"
                           "\"crc\":false,\"reject\":false,\"enhanced\":true,\"reserved\":\"0x0\","
                           "\"rev\":2,\"pd_length\":5,\"private_data\":\"80034004ee\"},"
                           "\"enhanced\":{\"a\":true,\"b\":false,\"ird\":3,\"c\":false,\"d\":true,"
                           "\"ord\":4}}\n");
}
END_TEST

typedef struct startup_case {
  const char *key;
  uint8_t flags;
  uint8_t rev;
  uint16_t announced;
  uint16_t have;
  iwarp_err err;
  const char *name;
} startup_case;

static const startup_case startups[] = {
    {"MPA ID Rex Frame", 0, 1, 0, 0, IWARP_ERR_MPA_KEY, "\"frame\":\"unknown\""},
    {"MPA ID Rep Frame", 0, 3, 0, 0, IWARP_ERR_MPA_REV, "\"frame\":\"reply\""},
    {"MPA ID Req Frame", 0, 1, 513, 513, IWARP_ERR_MPA_PD_LENGTH, "\"frame\":\"request\""},
    {"MPA ID Req Frame", 0, 1, 512, 512, IWARP_OK, "\"frame\":\"request\""},
    {"MPA ID Req Frame", 0x10, 2, 3, 3, IWARP_ERR_MPA_ENHANCED, "\"frame\":\"request\""},
    {"MPA ID Req Frame", 0x10, 1, 3, 3, IWARP_OK, "\"frame\":\"request\""},
    {"MPA ID Req Frame", 0x10, 2, 4, 4, IWARP_OK, "\"frame\":\"request\""},
    {"MPA ID Req Frame", 0, 1, 4, 3, IWARP_ERR_NEED_MORE, "\"need\":24"},
};

START_TEST(what_is_wrong_with_a_startup_frame_is_said)
{
  static uint8_t big[REPORT_FRAME_ROOM + 1024];
  static const uint8_t zeros[1024];
  const startup_case *c = &startups[_i];
  const size_t n =
      startup(big + REPORT_FRAME_ROOM, c->key, c->flags, c->rev, c->announced, zeros, c->have);
  report_frame_decode(&frame, REPORT_LAYER_MPA, big + REPORT_FRAME_ROOM, n, IWARP_POS_UNKNOWN);
  ck_assert_int_eq(frame.err, c->err);
  ck_assert_ptr_nonnull(strstr(json(), c->name));
  char wanted[200];
  snprintf(wanted, sizeof wanted, "wrong                       %s\n", iwarp_strerror(c->err));
  const bool reported = c->err != IWARP_OK && c->err != IWARP_ERR_NEED_MORE;
  ck_assert(reported == (strstr(shown(), wanted) != NULL));
}
END_TEST

START_TEST(a_cut_startup_frame_is_distinguished_from_a_cut_fpdu_by_its_key)
{
  decode_plain(REPORT_LAYER_MPA, request, 4);
  ck_assert(!report_frame_whole(&frame));
  ck_assert_str_eq(json(), "{\"form\":\"startup\",\"octets\":\"4d504120\",\"fields\":{},"
                           "\"error\":\"NEED_MORE\",\"need\":20}\n");
  ck_assert_str_eq(shown(), "                  part of a field             4d504120\n");
  decode_plain(REPORT_LAYER_MPA, request, 3);
  ck_assert_str_eq(json(), "{\"form\":\"fpdu\",\"octets\":\"4d5041\",\"fields\":{\"fpdu\":{"
                           "\"ulpdu_length\":19792},\"ddp\":{\"tagged\":false,\"last\":true,"
                           "\"rsvd\":\"0x0\",\"dv\":1}},\"error\":\"NEED_MORE\",\"need\":19800}\n");
  ck_assert_ptr_nonnull(strstr(shown(), "ULPDU_Length                19792"));
}
END_TEST

START_TEST(an_fpdu_is_shown_down_to_its_payload)
{
  uint8_t ulpdu[64];
  uint8_t wire[96];
  const size_t n = segment(ulpdu, IWARP_RDMAP_OP_SEND, 0, "\xAA\xBB\xCC", 3);
  const size_t len = fpdu(wire, ulpdu, n);
  wire[len] = 0x77;
  decode_plain(REPORT_LAYER_MPA, wire, len + 1);
  ck_assert_int_eq(frame.err, IWARP_OK);
  ck_assert_str_eq(shown(), "    FPDU (RFC 5044 4.1)\n"
                            "          0:16    ULPDU_Length                21\n"
                            "    DDP Untagged Buffer Header (RFC 5041 4.3)\n"
                            "          0:1     T                           0\n"
                            "          1:1     L                           1\n"
                            "          2:4     Rsvd                        0x0\n"
                            "          6:2     DV                          1 (IETF)\n"
                            "          8:8     RsvdULP                     0x43\n"
                            "         16:32    Invalidate STag             0x00000000\n"
                            "         48:32    QN                          0 (Send)\n"
                            "         80:32    MSN                         1\n"
                            "        112:32    MO                          0\n"
                            "    RDMAP Control Field (RFC 5040 4.1)\n"
                            "          0:2     RV                          1 (IETF)\n"
                            "          2:2     Rsv                         0x0\n"
                            "          4:4     Opcode                      3 (send)\n"
                            "                  PAD                         00\n"
                            "                  CRC                         0x05c439ee "
                            "(good, computed 0x05c439ee)\n"
                            "                  payload                     aabbcc\n"
                            "                  octets after the frame      77\n");
  ck_assert_str_eq(json(),
                   "{\"form\":\"fpdu\",\"fpdu\":{\"ulpdu_length\":21},\"markers\":[],"
                   "\"ulpdu\":\"414300000000000000000000000100000000aabbcc\",\"pad\":\"00\","
                   "\"crc\":{\"crc_value\":\"0x05c439ee\"},\"crc_computed\":\"0x05c439ee\","
                   "\"ddp\":{\"tagged\":false,\"last\":true,\"rsvd\":\"0x0\",\"dv\":1,"
                   "\"rsvdulp\":\"0x43\",\"invalidate_stag\":\"0x00000000\",\"qn\":0,\"msn\":1,"
                   "\"mo\":0},\"rdmap\":{\"rv\":1,\"rsv\":\"0x0\",\"opcode\":3},"
                   "\"payload\":\"aabbcc\",\"surplus\":\"77\"}\n");
  wire[10] ^= 1;
  decode_plain(REPORT_LAYER_MPA, wire, len);
  ck_assert_int_eq(frame.err, IWARP_ERR_MPA_CRC);
  ck_assert_ptr_nonnull(strstr(shown(), " (bad, computed 0x"));
  ck_assert_ptr_nonnull(strstr(json(), "\"error\":\"MPA_CRC\"}\n"));
}
END_TEST

/* At stream offset 0 a Marker stands before the ULPDU_Length: FPDUPTR 0. RFC 5044 4.2 */
START_TEST(markers_are_shown_with_what_is_expected)
{
  uint8_t ulpdu[64];
  uint8_t wire[96] = {0};
  const size_t n = segment(ulpdu, IWARP_RDMAP_OP_SEND, 0, "", 0);
  size_t len = 4 + fpdu(wire + 4, ulpdu, n) - 4;
  uint32_t crc = iwarp_crc32c(0, wire, len);
  for (size_t i = 0; i < 4; i++) {
    wire[len + i] = (uint8_t)(crc >> (8 * i));
  }
  len += 4;
  decode(REPORT_LAYER_MPA, wire, len, 0);
  ck_assert_int_eq(frame.err, IWARP_OK);
  ck_assert_ptr_nonnull(
      strstr(shown(), "Marker                      at octet 0, reserved 0x0000, FPDUPTR 0\n"));
  ck_assert_ptr_nonnull(strstr(json(),
                               "\"markers\":[{\"at\":0,\"reserved\":\"0x0000\",\"fpduptr\":0,"
                               "\"expected\":0}]"));
  wire[3] = 3; /* the two low bits do not count */
  wire[1] = 0x12;
  crc = iwarp_crc32c(0, wire, len - 4);
  for (size_t i = 0; i < 4; i++) {
    wire[len - 4 + i] = (uint8_t)(crc >> (8 * i));
  }
  decode(REPORT_LAYER_MPA, wire, len, 0);
  ck_assert_int_eq(frame.err, IWARP_OK);
  wire[3] = 4;
  crc = iwarp_crc32c(0, wire, len - 4);
  for (size_t i = 0; i < 4; i++) {
    wire[len - 4 + i] = (uint8_t)(crc >> (8 * i));
  }
  decode(REPORT_LAYER_MPA, wire, len, 0);
  ck_assert_int_eq(frame.err, IWARP_ERR_MPA_MARKER);
  ck_assert_ptr_nonnull(strstr(shown(), "at octet 0, reserved 0x0012, FPDUPTR 4, expected 0\n"));
  ck_assert_ptr_nonnull(strstr(json(), "\"fpduptr\":4,\"expected\":0}]"));
}
END_TEST

/* ---- DDP ---- */

START_TEST(a_tagged_segment_is_shown)
{
  static const uint8_t wire[] = {0xC1, 0x40, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 8, 0x5A};
  decode_plain(REPORT_LAYER_DDP, wire, sizeof wire);
  ck_assert_int_eq(frame.err, IWARP_OK);
  ck_assert_str_eq(shown(), "    DDP Tagged Buffer Header (RFC 5041 4.2)\n"
                            "          0:1     T                           1\n"
                            "          1:1     L                           1\n"
                            "          2:4     Rsvd                        0x0\n"
                            "          6:2     DV                          1 (IETF)\n"
                            "          8:8     RsvdULP                     0x40\n"
                            "         16:32    STag                        0x00000009\n"
                            "         48:64    TO                          0x0000000000000008\n"
                            "    RDMAP Control Field (RFC 5040 4.1)\n"
                            "          0:2     RV                          1 (IETF)\n"
                            "          2:2     Rsv                         0x0\n"
                            "          4:4     Opcode                      0 (write)\n"
                            "                  payload                     5a\n");
  ck_assert_str_eq(json(),
                   "{\"form\":\"segment\",\"ddp\":{\"tagged\":true,\"last\":true,\"rsvd\":\"0x0\","
                   "\"dv\":1,\"rsvdulp\":\"0x40\",\"stag\":\"0x00000009\","
                   "\"to\":\"0x0000000000000008\"},\"rdmap\":{\"rv\":1,\"rsv\":\"0x0\","
                   "\"opcode\":0},\"payload\":\"5a\"}\n");
}
END_TEST

START_TEST(a_cut_segment_shows_the_fields_that_are_there)
{
  static const uint8_t tagged[] = {0xC1, 0x40, 0, 0, 0, 9, 0};
  static const uint8_t untagged[] = {0x41, 0x43, 0, 0, 0, 9, 0, 0, 0, 1};
  decode_plain(REPORT_LAYER_DDP, tagged, sizeof tagged);
  ck_assert(!report_frame_whole(&frame));
  ck_assert_str_eq(shown(), "    DDP Tagged Buffer Header (RFC 5041 4.2)\n"
                            "          0:1     T                           1\n"
                            "          1:1     L                           1\n"
                            "          2:4     Rsvd                        0x0\n"
                            "          6:2     DV                          1 (IETF)\n"
                            "          8:8     RsvdULP                     0x40\n"
                            "         16:32    STag                        0x00000009\n"
                            "    RDMAP Control Field (RFC 5040 4.1)\n"
                            "          0:2     RV                          1 (IETF)\n"
                            "          2:2     Rsv                         0x0\n"
                            "          4:4     Opcode                      0 (write)\n");
  ck_assert_str_eq(json(),
                   "{\"form\":\"segment\",\"octets\":\"c1400000000900\",\"fields\":{\"ddp\":{"
                   "\"tagged\":true,\"last\":true,\"rsvd\":\"0x0\",\"dv\":1,"
                   "\"rsvdulp\":\"0x40\",\"stag\":\"0x00000009\"},\"rdmap\":{\"rv\":1,"
                   "\"rsv\":\"0x0\",\"opcode\":0}},\"error\":\"DDP_SHORT\"}\n");
  decode_plain(REPORT_LAYER_DDP, untagged, sizeof untagged);
  ck_assert_ptr_nonnull(strstr(shown(), "    DDP Untagged Buffer Header (RFC 5041 4.3)\n"));
  ck_assert_ptr_nonnull(strstr(shown(), "         48:32    QN                          1"));
  ck_assert_ptr_null(strstr(shown(), "MSN"));
  decode_plain(REPORT_LAYER_DDP, untagged, 0);
  ck_assert(!report_frame_whole(&frame));
  ck_assert_str_eq(shown(), "");
}
END_TEST

typedef struct message_case {
  uint8_t opcode;
  uint8_t qn;
  size_t len;
  uint8_t octets[56];
  const char *text;
  const char *json;
  iwarp_err err;
} message_case;

static const message_case messages[] = {
    {IWARP_RDMAP_OP_READ_REQ,
     1,
     28,
     {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 5},
     "          0:2     RV                          1 (IETF)\n"
     "          2:2     Rsv                         0x0\n"
     "          4:4     Opcode                      1 (read-request)\n"
     "    RDMA Read Request Header (RFC 5040 4.4)\n"
     "          0:32    Data Sink STag              0x00000001\n"
     "         32:64    Data Sink Tagged Offset     0x0000000000000002\n"
     "         96:32    RDMA Read Message Size      3\n"
     "        128:32    Data Source STag            0x00000004\n"
     "        160:64    Data Source Tagged Offset   0x0000000000000005\n",
     ",\"read_request\":{\"sink_stag\":\"0x00000001\",\"sink_to\":\"0x0000000000000002\","
     "\"size\":3,\"source_stag\":\"0x00000004\",\"source_to\":\"0x0000000000000005\"},"
     "\"payload\":\"\"}\n",
     IWARP_OK},
    {IWARP_RDMAP_OP_IMMEDIATE,
     0,
     8,
     {1, 2, 3, 4, 5, 6, 7, 8},
     "          0:2     RV                          1 (IETF)\n"
     "          2:2     Rsv                         0x0\n"
     "          4:4     Opcode                      8 (immediate)\n"
     "    Immediate Data (RFC 7306 6.2)\n"
     "          0:64    Immediate Data              0102030405060708\n",
     ",\"immediate\":{\"immediate\":\"0102030405060708\"},\"payload\":\"\"}\n",
     IWARP_OK},
    {IWARP_RDMAP_OP_ATOMIC_RESP,
     3,
     12,
     {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2},
     "          0:2     RV                          1 (IETF)\n"
     "          2:2     Rsv                         0x0\n"
     "          4:4     Opcode                      11 (atomic-response)\n"
     "    Atomic Response (RFC 7306 5.2.2)\n"
     "          0:32    Original Request Identifier 1\n"
     "         32:64    Original Remote Data Value  0x0000000000000002\n",
     ",\"atomic_response\":{\"request_id\":1,\"original\":\"0x0000000000000002\"},"
     "\"payload\":\"\"}\n",
     IWARP_OK},
    {IWARP_RDMAP_OP_ATOMIC_REQ,
     1,
     52,
     {0, 0, 0, 2, 0, 0, 0, 7},
     "          0:2     RV                          1 (IETF)\n"
     "          2:2     Rsv                         0x0\n"
     "          4:4     Opcode                      10 (atomic-request)\n"
     "    Atomic Request (RFC 7306 5.2.1)\n"
     "          0:28    Reserved (Not Used)         0x0000000\n"
     "         28:4     AOpCode                     2 (CmpSwap)\n"
     "         32:32    Request Identifier          7\n"
     "         64:32    Remote STag                 0x00000000\n"
     "         96:64    Remote Tagged Offset        0x0000000000000000\n"
     "        160:64    Add or Swap Data            0x0000000000000000\n"
     "        224:64    Add or Swap Mask            0x0000000000000000\n"
     "        288:64    Compare Data                0x0000000000000000\n"
     "        352:64    Compare Mask                0x0000000000000000\n",
     ",\"atomic_request\":{\"reserved\":\"0x0000000\",\"opcode\":2,"
     "\"request_id\":7,\"stag\":\"0x00000000\",\"to\":\"0x0000000000000000\","
     "\"add_swap_data\":\"0x0000000000000000\",\"add_swap_mask\":\"0x0000000000000000\","
     "\"compare_data\":\"0x0000000000000000\",\"compare_mask\":\"0x0000000000000000\"},"
     "\"payload\":\"\"}\n",
     IWARP_OK},
    {IWARP_RDMAP_OP_TERMINATE,
     2,
     4,
     {0x02, 0x07, 0, 0},
     "          0:2     RV                          1 (IETF)\n"
     "          2:2     Rsv                         0x0\n"
     "          4:4     Opcode                      7 (terminate)\n"
     "    Terminate Header (RFC 5040 4.8)\n"
     "          0:4     Layer                       0 (RDMA)\n"
     "          4:4     EType                       2\n"
     "          8:8     Error Code                  0x07\n"
     "         16:1     M                           0\n"
     "         17:1     D                           0\n"
     "         18:1     R                           0\n"
     "         19:13    Reserved                    0x0000\n"
     "                  meaning                     Catastrophic error, localized to RDMAP "
     "Stream\n",
     ",\"terminate\":{\"layer\":0,\"etype\":2,\"code\":\"0x07\",\"m\":false,\"d\":false,"
     "\"r\":false,\"reserved\":\"0x0000\",\"rest\":\"\"}}\n",
     IWARP_OK},
    /* M, D and R: a Terminated Read Request */
    {IWARP_RDMAP_OP_TERMINATE,
     2,
     52,
     {0x01, 0x00, 0xE0, 0, 0, 46, 0x41, 0x41, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1},
     "          0:2     RV                          1 (IETF)\n"
     "          2:2     Rsv                         0x0\n"
     "          4:4     Opcode                      7 (terminate)\n"
     "    Terminate Header (RFC 5040 4.8)\n"
     "          0:4     Layer                       0 (RDMA)\n"
     "          4:4     EType                       1\n"
     "          8:8     Error Code                  0x00\n"
     "         16:1     M                           1\n"
     "         17:1     D                           1\n"
     "         18:1     R                           1\n"
     "         19:13    Reserved                    0x0000\n"
     "                  meaning                     Invalid STag\n"
     "    Terminate: DDP Segment Length (RFC 5040 4.8)\n"
     "          0:16    DDP Segment Length          46\n"
     "    terminated:     DDP Untagged Buffer Header (RFC 5041 4.3)\n"
     "          0:1     T                           0\n"
     "          1:1     L                           1\n"
     "          2:4     Rsvd                        0x0\n"
     "          6:2     DV                          1 (IETF)\n"
     "          8:8     RsvdULP                     0x41\n"
     "         16:32    Invalidate STag             0x00000000\n"
     "         48:32    QN                          1 (RDMA Read Request)\n"
     "         80:32    MSN                         1\n"
     "        112:32    MO                          0\n"
     "    terminated:     RDMAP Control Field (RFC 5040 4.1)\n"
     "          0:2     RV                          1 (IETF)\n"
     "          2:2     Rsv                         0x0\n"
     "          4:4     Opcode                      1 (read-request)\n"
     "    terminated:     RDMA Read Request Header (RFC 5040 4.4)\n"
     "          0:32    Data Sink STag              0x00000000\n"
     "         32:64    Data Sink Tagged Offset     0x0000000000000000\n"
     "         96:32    RDMA Read Message Size      0\n"
     "        128:32    Data Source STag            0x00000000\n"
     "        160:64    Data Source Tagged Offset   0x0000000000000000\n",
     ",\"terminate\":{\"layer\":0,\"etype\":1,\"code\":\"0x00\",\"m\":true,\"d\":true,"
     "\"r\":true,\"reserved\":\"0x0000\",\"ddp_segment_length\":46,"
     "\"ddp_header\":\"414100000000000000010000000100000000\","
     "\"rdma_header\":\"00000000000000000000000000000000000000000000000000000000\","
     "\"rest\":\"\"}}\n",
     IWARP_OK},
    {IWARP_RDMAP_OP_TERMINATE,
     2,
     5,
     {0x0F, 0xFF, 0xC0, 0, 9},
     "          0:2     RV                          1 (IETF)\n"
     "          2:2     Rsv                         0x0\n"
     "          4:4     Opcode                      7 (terminate)\n"
     "    Terminate Header (RFC 5040 4.8)\n"
     "          0:4     Layer                       0 (RDMA)\n"
     "          4:4     EType                       15\n"
     "          8:8     Error Code                  0xff\n"
     "         16:1     M                           1\n"
     "         17:1     D                           1\n"
     "         18:1     R                           0\n"
     "         19:13    Reserved                    0x0000\n"
     "                  meaning                     unassigned\n"
     "                  surplus octets              09\n"
     "                  wrong                       the Terminate ends before a "
     "header that it announces\n",
     ",\"terminate\":{\"layer\":0,\"etype\":15,\"code\":\"0xff\",\"m\":true,\"d\":true,"
     "\"r\":false,\"reserved\":\"0x0000\",\"rest\":\"09\"},\"error\":\"RDMAP_TERM_TRUNCATED\"}\n",
     IWARP_ERR_RDMAP_TERM_TRUNCATED},
};

START_TEST(each_message_has_its_header)
{
  const message_case *c = &messages[_i];
  uint8_t wire[96];
  decode_plain(REPORT_LAYER_DDP, wire, segment(wire, c->opcode, c->qn, c->octets, c->len));
  ck_assert_int_eq(frame.err, c->err);
  const char *from = strstr(shown(), "RDMAP Control Field");
  ck_assert_ptr_nonnull(from);
  ck_assert_str_eq(strchr(from, '\n') + 1, c->text);
  from = strstr(json(), "\"rdmap\":");
  ck_assert_ptr_nonnull(from);
  ck_assert_str_eq(strchr(from, '}') + 1, c->json);
}
END_TEST

/* ---- RDMAP ---- */

START_TEST(a_message_of_rdmap_has_no_ddp_header)
{
  static const uint8_t tagged[] = {0x40, 0xAB};
  static const uint8_t untagged[] = {0x44, 0, 0, 0, 9, 0xCD};
  decode_plain(REPORT_LAYER_RDMAP, tagged, sizeof tagged);
  ck_assert_int_eq(frame.err, IWARP_OK);
  ck_assert_str_eq(shown(), "    RDMAP Control Field (RFC 5040 4.1)\n"
                            "          0:2     RV                          1 (IETF)\n"
                            "          2:2     Rsv                         0x0\n"
                            "          4:4     Opcode                      0 (write)\n"
                            "                  payload                     ab\n");
  ck_assert_str_eq(json(), "{\"form\":\"rdmap\",\"rdmap\":{\"rv\":1,\"rsv\":\"0x0\",\"opcode\":0},"
                           "\"payload\":\"ab\"}\n");
  decode_plain(REPORT_LAYER_RDMAP, untagged, sizeof untagged);
  ck_assert_str_eq(shown(), "    RDMAP Control Field (RFC 5040 4.1)\n"
                            "          0:2     RV                          1 (IETF)\n"
                            "          2:2     Rsv                         0x0\n"
                            "          4:4     Opcode                      4 (send-invalidate)\n"
                            "                  Invalidate STag             0x00000009\n"
                            "                  payload                     cd\n");
  ck_assert_str_eq(json(), "{\"form\":\"rdmap\",\"rdmap\":{\"rv\":1,\"rsv\":\"0x0\",\"opcode\":4},"
                           "\"invalidate_stag\":\"0x00000009\",\"payload\":\"cd\"}\n");
}
END_TEST

START_TEST(a_cut_message_of_rdmap_says_what_it_needs)
{
  static const uint8_t untagged[] = {0x44, 0, 0, 0};
  decode_plain(REPORT_LAYER_RDMAP, untagged, sizeof untagged);
  ck_assert_str_eq(json(), "{\"form\":\"rdmap\",\"octets\":\"44000000\",\"error\":\"NEED_MORE\","
                           "\"need\":5}\n");
  ck_assert_str_eq(shown(), "    RDMAP Control Field (RFC 5040 4.1)\n"
                            "          0:2     RV                          1 (IETF)\n"
                            "          2:2     Rsv                         0x0\n"
                            "          4:4     Opcode                      4 (send-invalidate)\n");
  decode_plain(REPORT_LAYER_RDMAP, untagged, 0);
  ck_assert_str_eq(json(), "{\"form\":\"rdmap\",\"octets\":\"\",\"error\":\"NEED_MORE\","
                           "\"need\":1}\n");
  ck_assert_str_eq(shown(), "");
}
END_TEST

/* ---- SCTP, and forms by themselves ---- */

START_TEST(a_segment_over_sctp_begins_with_its_ssn)
{
  static const uint8_t wire[] = {0, 7, 0xC1, 0x40, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 8, 0x5A};
  decode_plain(REPORT_LAYER_SCTP_SEGMENT, wire, sizeof wire);
  ck_assert_str_eq(shown(), "    DDP Segment Chunk (RFC 5043 5.2.2)\n"
                            "          0:16    DDP-SSN                     7\n"
                            "    DDP Tagged Buffer Header (RFC 5041 4.2)\n"
                            "          0:1     T                           1\n"
                            "          1:1     L                           1\n"
                            "          2:4     Rsvd                        0x0\n"
                            "          6:2     DV                          1 (IETF)\n"
                            "          8:8     RsvdULP                     0x40\n"
                            "         16:32    STag                        0x00000009\n"
                            "         48:64    TO                          0x0000000000000008\n"
                            "    RDMAP Control Field (RFC 5040 4.1)\n"
                            "          0:2     RV                          1 (IETF)\n"
                            "          2:2     Rsv                         0x0\n"
                            "          4:4     Opcode                      0 (write)\n"
                            "                  payload                     5a\n");
  ck_assert_str_eq(json(),
                   "{\"form\":\"sctp-segment\",\"sctp_segment\":{\"ssn\":7,"
                   "\"segment\":\"c1400000000900000000000000085a\"},\"ddp\":{\"tagged\":true,"
                   "\"last\":true,\"rsvd\":\"0x0\",\"dv\":1,\"rsvdulp\":\"0x40\","
                   "\"stag\":\"0x00000009\",\"to\":\"0x0000000000000008\"},\"rdmap\":{\"rv\":1,"
                   "\"rsv\":\"0x0\",\"opcode\":0},\"payload\":\"5a\"}\n");
  decode_plain(REPORT_LAYER_SCTP_SEGMENT, wire, 9);
  ck_assert_int_eq(frame.err, IWARP_ERR_DDP_SHORT);
  ck_assert(report_frame_whole(&frame));
  ck_assert_str_eq(shown(),
                   "    DDP Segment Chunk (RFC 5043 5.2.2)\n"
                   "          0:16    DDP-SSN                     7\n"
                   "                  ULPDU                       c1400000000900\n"
                   "                  wrong                       the ULPDU is too short for its "
                   "DDP header\n");
  decode_plain(REPORT_LAYER_SCTP_SEGMENT, wire, 1);
  ck_assert_str_eq(json(), "{\"form\":\"sctp-segment\",\"octets\":\"00\",\"fields\":{},"
                           "\"error\":\"NEED_MORE\",\"need\":2}\n");
  ck_assert_str_eq(shown(), "                  part of a field             00\n");
}
END_TEST

START_TEST(a_control_message_shows_its_enhanced_data)
{
  static const uint8_t wire[] = {0, 7, 0, 5, 0x80, 3, 0x40, 4, 0xEE};
  decode_plain(REPORT_LAYER_SCTP_CONTROL, wire, sizeof wire);
  ck_assert_int_eq(frame.err, IWARP_OK);
  ck_assert_str_eq(shown(), "    DDP Stream Session Control (RFC 5043 5.2.3)\n"
                            "          0:16    DDP-SSN                     7\n"
                            "         16:16    Function Code               5 (enhanced-initiate)\n"
                            "         32:40    Private Data                80034004ee\n"
                            "    Enhanced RDMA Connection Establishment Data (RFC 6581 9)\n"
                            "          0:1     A                           1\n"
                            "          1:1     B                           0\n"
                            "          2:14    IRD                         3\n"
                            "         16:1     C                           0\n"
                            "         17:1     D                           1\n"
                            "         18:14    ORD                         4\n");
  ck_assert_str_eq(json(), "{\"form\":\"sctp-control\",\"sctp_control\":{\"ssn\":7,\"function\":5,"
                           "\"private_data\":\"80034004ee\"},\"enhanced\":{\"a\":true,\"b\":false,"
                           "\"ird\":3,\"c\":false,\"d\":true,\"ord\":4}}\n");
  decode_plain(REPORT_LAYER_SCTP_CONTROL, wire, 3);
  ck_assert_str_eq(
      json(), "{\"form\":\"sctp-control\",\"octets\":\"000700\","
              "\"fields\":{\"sctp_control\":{\"ssn\":7}},\"error\":\"NEED_MORE\",\"need\":4}\n");
}
END_TEST

START_TEST(a_form_by_itself_leaves_what_is_after_it)
{
  static const uint8_t wire[] = {0, 1, 0, 12, 0xFF};
  decode_plain(REPORT_LAYER_MARKER, wire, sizeof wire);
  ck_assert_str_eq(shown(), "    Marker (RFC 5044 4.2)\n"
                            "          0:16    RESERVED                    0x0001\n"
                            "         16:16    FPDUPTR                     12\n"
                            "                  octets after the frame      ff\n");
  ck_assert_str_eq(json(), "{\"form\":\"marker\",\"marker\":{\"reserved\":\"0x0001\","
                           "\"fpduptr\":12},\"surplus\":\"ff\"}\n");
}
END_TEST

START_TEST(private_data_of_rpc_over_rdma_are_also_reported_in_octets)
{
  static const uint8_t wire[] = {0xF6, 0xAB, 0x0E, 0x18, 1, 1, 0, 255};
  decode_plain(REPORT_LAYER_RPC_RDMA, wire, sizeof wire);
  ck_assert_ptr_nonnull(strstr(shown(), "longest Send                1024 octets\n"));
  ck_assert_ptr_nonnull(strstr(shown(), "longest Receive             262144 octets\n"));
}
END_TEST

START_TEST(both_byte_orders_of_smbd_are_decoded)
{
  static const uint8_t wire[] = {0, 0, 0, 1, 0, 0, 0, 2};
  decode_plain(REPORT_LAYER_SMBD, wire, sizeof wire);
  ck_assert_str_eq(json(), "{\"form\":\"smbd\",\"smbd\":{\"ird\":1,\"ord\":2}}\n");
  decode_plain(REPORT_LAYER_SMBD_LE, wire, sizeof wire);
  ck_assert_str_eq(json(),
                   "{\"form\":\"smbd-le\",\"smbd_le\":{\"ird\":16777216,\"ord\":33554432}}\n");
}
END_TEST

START_TEST(layers_have_the_names_of_the_command_line)
{
  ck_assert_str_eq(report_layer_name(REPORT_LAYER_MPA), "mpa");
  ck_assert_str_eq(report_layer_name(REPORT_LAYER_RPC_RDMA), "rpc-rdma");
  ck_assert_int_eq(report_layer_form(REPORT_LAYER_DDP), 0);
  ck_assert_int_eq(report_layer_form(REPORT_LAYER_ERDMA), IWARP_FORM_ERDMA_EXT);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_startup_frame_is_shown_field_by_field,
                                an_enhanced_startup_frame_shows_its_depths,
                                a_cut_startup_frame_is_distinguished_from_a_cut_fpdu_by_its_key,
                                an_fpdu_is_shown_down_to_its_payload,
                                markers_are_shown_with_what_is_expected,
                                a_tagged_segment_is_shown,
                                a_cut_segment_shows_the_fields_that_are_there,
                                a_message_of_rdmap_has_no_ddp_header,
                                a_cut_message_of_rdmap_says_what_it_needs,
                                a_segment_over_sctp_begins_with_its_ssn,
                                a_control_message_shows_its_enhanced_data,
                                a_form_by_itself_leaves_what_is_after_it,
                                private_data_of_rpc_over_rdma_are_also_reported_in_octets,
                                both_byte_orders_of_smbd_are_decoded,
                                layers_have_the_names_of_the_command_line,
                                NULL};
  Suite *suite = check_suite("frame", tests);
  TCase *loop = tcase_create("startup frames and messages");
  tcase_add_loop_test(loop, what_is_wrong_with_a_startup_frame_is_said, 0,
                      sizeof startups / sizeof startups[0]);
  tcase_add_loop_test(loop, each_message_has_its_header, 0, sizeof messages / sizeof messages[0]);
  suite_add_tcase(suite, loop);
  return check_run(suite);
}
