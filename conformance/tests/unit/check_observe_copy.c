/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that were captured twice with different values: what rules say of them, and of others. */
#include <string.h>

#include <iwarp/crc32c.h>
#include <iwarp/mpa.h>

#include "check_run.h"
#include "observe_fixture.h"

enum { FIRST = 1020 /* position of the first FPDU of side 0 */ };

/* Findings, and results of the connection that was closed last. */
static struct {
  uint32_t findings;
  iwarp_rule_result results[256];
} copies;

static void copies_on_finding(void *ctx, observe_conn *conn, const iwarp_finding *f,
                              const iwarp_event *ev) {
  (void)ctx;
  (void)conn;
  (void)ev;
  copies.findings += iwarp_rule_get(f->rule)->severity != IWARP_SEVERITY_NOTE ? 1u : 0u;
}

static void copies_on_closed(void *ctx, observe_conn *conn) {
  (void)ctx;
  memcpy(copies.results, conn->results, iwarp_rule_count() * sizeof copies.results[0]);
}

static void copies_begin(void) {
  const observe_hooks hooks = {.finding = copies_on_finding, .closed = copies_on_closed};
  ck_assert_uint_lt(iwarp_rule_count(), sizeof copies.results / sizeof copies.results[0]);
  memset(&copies, 0, sizeof copies);
  flows_begin_with(NULL, &hooks);
  flow_open(0);
}

/* With CRCs. */
static void copies_startup_crc(void) {
  flow_data(0, 0, 1000, "MPA ID Req Frame\x40\1\0", FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, "MPA ID Rep Frame\x40\1\0", FLOW_FRAME, 1020);
}

/* Writes a Send with a right CRC; returns its length. `len` is a multiple of four. */
static size_t copies_send(uint8_t *out, uint32_t msn, uint8_t reserved, const uint8_t *payload,
                          size_t len) {
  const size_t ulpdu = 18 + len;
  memcpy(out, flow_fpdu, 20);
  out[0] = (uint8_t)(ulpdu >> 8);
  out[1] = (uint8_t)ulpdu;
  out[2] |= reserved;
  for (size_t i = 0; i < 4; i++) {
    out[12 + i] = (uint8_t)(msn >> (24 - 8 * i));
  }
  memcpy(out + 20, payload, len);
  const uint32_t crc = iwarp_crc32c(0, out, 20 + len);
  for (size_t i = 0; i < 4; i++) {
    out[20 + len + i] = (uint8_t)(crc >> 8 * i);
  }
  return 24 + len;
}

static void copies_startup(void) {
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
}

/* A second copy, of which one octet differs. */
static void copies_differ(uint8_t side, uint64_t pos) {
  static const uint8_t octet[1] = {'?'};
  flows_send(0, (ingest_event){.kind = INGEST_EVENT_DIFFER,
                               .side = side,
                               .pos = pos,
                               .len = 1,
                               .copy = octet,
                               .copy_len = 1,
                               .copy_pos = pos});
}

static void copies_end(void) {
  flow_close(0);
  observe_free(flows.obs);
}

static const iwarp_rule_result *result(const char *slug) {
  return &copies.results[iwarp_rule_find(slug)->id];
}

static bool doubted(const char *slug) {
  return result(slug)->verdict == IWARP_VERDICT_INCONCLUSIVE &&
         (result(slug)->reason & IWARP_REASON_OCTETS_DIFFER) != 0;
}

static bool passed(const char *slug) {
  return result(slug)->verdict == IWARP_VERDICT_PASS;
}

/* An octet of an FPDU that goes on in the next segment. */
START_TEST(nothing_is_found_in_an_fpdu_of_which_octets_differ)
{
  uint8_t wrong[FLOW_FPDU];
  memcpy(wrong, flow_fpdu, FLOW_FPDU);
  wrong[2] |= 0x04; /* a reserved bit of the DDP header */
  for (size_t cut = 3; cut < FLOW_FPDU; cut++) {
    copies_begin();
    copies_startup();
    flow_data(0, 0, FIRST, wrong, cut, 1020);
    copies_differ(0, FIRST + 2);
    flow_data(0, 0, FIRST + cut, wrong + cut, FLOW_FPDU - cut, 1020);
    copies_end();
    ck_assert_uint_eq(copies.findings, 0);
    ck_assert(doubted("ddp.reserved"));
    ck_assert(passed("mpa.request-key"));
  }
}
END_TEST

/* ULPDU_Length tells where the next FPDU begins. */
START_TEST(nothing_is_found_in_what_follows_a_length_that_differs)
{
  uint8_t wrong[FLOW_FPDU];
  memcpy(wrong, flow_fpdu, FLOW_FPDU);
  wrong[1] ^= 8;
  copies_begin();
  copies_startup();
  flow_data(0, 0, FIRST, wrong, 12, 1020);
  copies_differ(0, FIRST + 1);
  flow_data(0, 0, FIRST + 12, wrong + 12, FLOW_FPDU - 12, 1020);
  for (uint32_t i = 1; i < 4; i++) {
    flow_data(0, 0, FIRST + i * FLOW_FPDU, flow_fpdu, FLOW_FPDU, 1020);
  }
  copies_end();
  ck_assert_uint_eq(copies.findings, 0);
  ck_assert(passed("mpa.reply-key"));
}
END_TEST

#define RESERVED 0x04u /* a bit of the DDP header */

/* The length leads to an FPDU with a right CRC, which is payload. */
START_TEST(nothing_is_found_in_payload_to_which_a_length_leads)
{
  uint8_t payload[64] = {0};
  uint8_t outer[128];
  copies_begin();
  copies_startup_crc();
  copies_send(payload + 8, 7, RESERVED, payload, 12);
  const size_t len = copies_send(outer, 1, 0, payload, sizeof payload);
  outer[1] = 22; /* the FPDU in the payload begins after so many octets */
  flow_data(0, 0, FIRST, outer, 12, 1020);
  copies_differ(0, FIRST + 1);
  flow_data(0, 0, FIRST + 12, outer + 12, len - 12, 1020);
  copies_end();
  ck_assert_uint_eq(copies.findings, 0);
  ck_assert(doubted("ddp.reserved"));
}
END_TEST

/* So many FPDUs follow that they are no payload. */
START_TEST(what_is_found_after_a_length_that_differs_stands_in_the_end)
{
  static const uint8_t zero[1024] = {0};
  uint8_t fpdu[1100];
  copies_begin();
  copies_startup_crc();
  size_t len = copies_send(fpdu, 1, 0, zero, 8);
  fpdu[21] ^= 1;
  uint64_t pos = FIRST;
  flow_data(0, 0, pos, fpdu, 12, 1020);
  copies_differ(0, FIRST + 1);
  flow_data(0, 0, pos + 12, fpdu + 12, len - 12, 1020);
  pos += len;
  for (uint32_t msn = 2; pos < FIRST + 2u * IWARP_MPA_FPDU_WIRE_MAX; msn++) {
    const bool wrong = msn == 3 || pos + 2u * sizeof zero > FIRST + 2u * IWARP_MPA_FPDU_WIRE_MAX;
    len = copies_send(fpdu, msn, wrong ? RESERVED : 0, zero, sizeof zero);
    flow_data(0, 0, pos, fpdu, len, 1020);
    pos += len;
  }
  copies_end();
  ck_assert_uint_ge(copies.findings, 1);
  ck_assert_uint_le(copies.findings, 2);
  ck_assert_int_eq(result("ddp.reserved")->verdict, IWARP_VERDICT_FAIL);
}
END_TEST

/* Octets that were judged: rules on others keep what they said. */
START_TEST(rules_on_startup_frames_do_not_rest_on_fpdus)
{
  copies_begin();
  copies_startup();
  flow_data(0, 0, FIRST, flow_fpdu, FLOW_FPDU, 1020);
  copies_differ(0, FIRST + 16);
  copies_end();
  ck_assert_uint_eq(copies.findings, 0);
  ck_assert(doubted("ddp.msn-first"));
  ck_assert(passed("mpa.request-key"));
  ck_assert(passed("mpa.reply-key"));
  ck_assert(passed("mpa.flags-reserved"));
  ck_assert(passed("mpa.rev"));
}
END_TEST

START_TEST(rules_on_fpdus_do_not_rest_on_a_key)
{
  copies_begin();
  copies_startup();
  copies_differ(1, 1011);
  flow_data(0, 0, FIRST, flow_fpdu, FLOW_FPDU, 1020);
  copies_end();
  ck_assert_uint_eq(copies.findings, 0);
  ck_assert(doubted("mpa.reply-key"));
  ck_assert(passed("ddp.msn-first"));
}
END_TEST

/* Of the payload no rule but that on CRCs speaks. */
START_TEST(a_crc_field_that_is_not_in_use_decides_nothing)
{
  copies_begin();
  copies_startup();
  flow_data(0, 0, FIRST, flow_fpdu, FLOW_FPDU, 1020);
  copies_differ(0, FIRST + 21);
  flow_data(0, 0, FIRST + FLOW_FPDU, flow_fpdu, FLOW_FPDU, 1020);
  copies_end();
  ck_assert(passed("ddp.msn-first"));
  ck_assert(passed("mpa.request-key"));
}
END_TEST

/* Payload of an FPDU that goes on in the next segment: its headers are the same in both copies. */
START_TEST(rules_on_headers_do_not_rest_on_payload)
{
  static const char fpdu[] = "\0\26\x41\x43\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0data\0\0\0\0";
  const size_t len = sizeof fpdu - 1;
  copies_begin();
  copies_startup();
  flow_data(0, 0, FIRST, fpdu, len - 4, 1020);
  copies_differ(0, FIRST + 20);
  flow_data(0, 0, FIRST + len - 4, fpdu + len - 4, 4, 1020);
  copies_end();
  ck_assert_uint_eq(copies.findings, 0);
  ck_assert(passed("ddp.msn-first"));
  ck_assert(passed("ddp.reserved"));
}
END_TEST

/* Of a header the rules on segments of its opcode alone are in doubt. */
START_TEST(what_is_found_in_other_fpdus_stands)
{
  uint8_t wrong[FLOW_FPDU];
  memcpy(wrong, flow_fpdu, FLOW_FPDU);
  wrong[2] |= 0x04;
  wrong[15] = 2; /* the next MSN */
  copies_begin();
  copies_startup();
  flow_data(0, 0, FIRST, flow_fpdu, FLOW_FPDU, 1020);
  copies_differ(0, FIRST + 19);
  flow_data(0, 0, FIRST + FLOW_FPDU, wrong, FLOW_FPDU, 1020);
  copies_end();
  ck_assert_uint_eq(copies.findings, 1);
  ck_assert_int_eq(result("ddp.reserved")->verdict, IWARP_VERDICT_FAIL);
}
END_TEST

/* More differences than are kept apart. */
START_TEST(many_differences_of_a_side_become_one)
{
  copies_begin();
  copies_startup();
  for (uint64_t i = 0; i < 100; i++) {
    flow_data(0, 0, FIRST + i * FLOW_FPDU, flow_fpdu, FLOW_FPDU, 1020);
    copies_differ(0, FIRST + i * FLOW_FPDU + 15);
  }
  copies_end();
  ck_assert(doubted("ddp.msn-first"));
  ck_assert(passed("mpa.request-key"));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {nothing_is_found_in_an_fpdu_of_which_octets_differ,
                                nothing_is_found_in_what_follows_a_length_that_differs,
                                nothing_is_found_in_payload_to_which_a_length_leads,
                                what_is_found_after_a_length_that_differs_stands_in_the_end,
                                rules_on_startup_frames_do_not_rest_on_fpdus,
                                rules_on_fpdus_do_not_rest_on_a_key,
                                a_crc_field_that_is_not_in_use_decides_nothing,
                                rules_on_headers_do_not_rest_on_payload,
                                what_is_found_in_other_fpdus_stands,
                                many_differences_of_a_side_become_one,
                                NULL};
  return check_run(check_suite("observe-copy", tests));
}
