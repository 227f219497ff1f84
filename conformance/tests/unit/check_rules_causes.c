/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings that share a likely cause. */
#include <string.h>

#include "check_run.h"
#include "rules/cause.h"

#define MOST 8u

static iwarp_finding entry[MOST];
static struct rules_findings found;
static struct rules_set disabled;
static uint32_t causes[2];
static iwarp_event ev;

static void begin(void) {
  memset(&disabled, 0, sizeof disabled);
  memset(causes, 0, sizeof causes);
  memset(&ev, 0, sizeof ev);
  ev.kind = IWARP_EVENT_FPDU;
}

static void none(void) {
  memset(entry, 0, sizeof entry);
  found = (struct rules_findings){.entry = entry};
}

static void find(uint16_t rule, uint8_t side) {
  entry[found.num++] = (iwarp_finding){.rule = rule, .side = side};
}

static const char *cause(uint16_t at) {
  return entry[at].cause != NULL ? entry[at].cause : "none";
}

static void name(void) {
  rulesi_causes(&found, &disabled, causes, &ev);
}

START_TEST(two_findings_of_a_side_share_their_cause)
{
  begin();
  none();
  find(RULES_ddp_reserved, 1);
  find(RULES_mpa_pad_zero, 1);
  find(RULES_rdmap_reserved, 1);
  name();
  ck_assert_str_eq(cause(0), "control-octets-not-cleared");
  ck_assert_str_eq(cause(1), "none");
  ck_assert_str_eq(cause(2), "control-octets-not-cleared");
}
END_TEST

START_TEST(a_finding_alone_has_none_until_its_side_has_shown_the_cause)
{
  begin();
  none();
  find(RULES_mpa_rev_rdmac, 0);
  find(RULES_mpa_rdmac_flags, 1);
  name();
  ck_assert_str_eq(cause(0), "none");
  ck_assert_str_eq(cause(1), "none");
  none();
  find(RULES_mpa_rev_rdmac, 1);
  find(RULES_mpa_rdmac_flags, 1);
  name();
  ck_assert_str_eq(cause(0), "rdmac-revision");
  none();
  find(RULES_ddp_version_family, 0);
  name();
  ck_assert_str_eq(cause(0), "none");
  none();
  find(RULES_ddp_version_family, 1);
  name();
  ck_assert_str_eq(cause(0), "rdmac-revision");
  none();
  find(RULES_mpa_pad_zero, 1);
  name();
  ck_assert_str_eq(cause(0), "none");
}
END_TEST

static void terminate(const char *octets) {
  const iwarp_span in = {(const uint8_t *)octets, 4};
  none();
  find(RULES_rdmap_terminate_code, 0);
  find(RULES_rdmap_terminate_reserved, 0);
  ev.u.fpdu.seg.kind = IWARP_RDMAP_KIND_TERM;
  ck_assert_int_eq(iwarp_rdmap_term_decode(&ev.u.fpdu.seg.u.term, in).err, IWARP_OK);
  name();
}

START_TEST(the_bit_order_of_a_terminate_is_its_cause_where_it_makes_sense_then)
{
  begin();
  terminate("\x21\x02\x03\x00");
  ck_assert_str_eq(cause(0), "terminate-host-bit-order");
  ck_assert_str_eq(cause(1), "terminate-host-bit-order");
  begin();
  terminate("\x55\x02\x03\x00");
  ck_assert_str_eq(cause(0), "none");
  begin();
  ev.kind = IWARP_EVENT_SCTP_SEGMENT;
  terminate("\x21\x02\x03\x00");
  ck_assert_str_eq(cause(1), "terminate-host-bit-order");
  begin();
  ev.kind = IWARP_EVENT_END; /* the Terminate is past */
  terminate("\x21\x02\x03\x00");
  ck_assert_str_eq(cause(0), "none");
  begin();
  terminate("\x21\x02\x03\x00");
  ev.u.fpdu.seg.kind = IWARP_RDMAP_KIND_NONE;
  none();
  find(RULES_rdmap_terminate_code, 0);
  name();
  ck_assert_str_eq(cause(0), "none");
}
END_TEST

START_TEST(a_finding_of_a_disabled_rule_does_not_count)
{
  begin();
  rulesi_set_add(&disabled, RULES_ddp_reserved);
  none();
  find(RULES_ddp_reserved, 1);
  find(RULES_rdmap_reserved, 1);
  name();
  ck_assert_str_eq(cause(0), "none");
  ck_assert_str_eq(cause(1), "none");
  none();
  find(RULES_rdmap_reserved, 1);
  name();
  ck_assert_str_eq(cause(0), "none");
}
END_TEST

START_TEST(what_is_no_finding_any_more_does_not_count)
{
  begin();
  none();
  find(RULES_ddp_reserved, 1);
  find(RULES_rdmap_reserved, 1);
  found.num = 1;
  name();
  ck_assert_str_eq(cause(0), "none");
  ck_assert_str_eq(cause(1), "none");
  find(RULES_rdmap_reserved, 1);
  find(RULES_rdmap_reserved, 1);
  found.num = 2;
  name();
  ck_assert_str_eq(cause(1), "control-octets-not-cleared");
  ck_assert_str_eq(cause(2), "none");
}
END_TEST

/* Every rule whose findings may share a cause, with it. */
START_TEST(the_causes_are_these)
{
  static const struct {
    const char *name;
    uint16_t rule;
  } rows[] = {
      {"terminate-host-bit-order", RULES_rdmap_terminate_code},
      {"terminate-host-bit-order", RULES_rdmap_terminate_reserved},
      {"terminate-host-bit-order", RULES_rdmap_terminate_headers},
      {"terminate-host-bit-order", RULES_rdmap_terminate_rdma_header},
      {"terminate-host-bit-order", RULES_rdmap_terminate_flags},
      {"terminate-host-bit-order", RULES_rdmap_terminate_ddp_header},
      {"terminate-host-bit-order", RULES_rdmap_terminate_segment_length},
      {"terminate-host-bit-order", RULES_rdmap_terminate_read_header},
      {"rdmac-revision", RULES_mpa_rev_rdmac},
      {"rdmac-revision", RULES_mpa_rdmac_flags},
      {"rdmac-revision", RULES_ddp_version_family},
      {"depths-lowered", RULES_mpa_ird_unspecified},
      {"depths-lowered", RULES_mpa_ord_unspecified},
      {"reply-ignores-request", RULES_mpa_model_copied},
      {"reply-ignores-request", RULES_mpa_rtr_supported},
      {"reply-ignores-request", RULES_mpa_model_flags},
      {"marker-misplaced", RULES_mpa_marker_reserved},
      {"marker-misplaced", RULES_mpa_marker_pointer},
      {"marker-misplaced", RULES_mpa_marker_low_bits},
      {"control-octets-not-cleared", RULES_ddp_reserved},
      {"control-octets-not-cleared", RULES_rdmap_reserved},
      {"read-response-misdirected", RULES_rdmap_read_response_stag},
      {"read-response-misdirected", RULES_rdmap_read_response_to},
      {"compare-fields-of-fetch-add", RULES_rdmap_atomic_compare_data},
      {"compare-fields-of-fetch-add", RULES_rdmap_atomic_compare_mask},
  };
  static const char swapped[] = "\x21\x02\x03\x00";
  const char *due[RULES_COUNT] = {NULL};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    due[rows[i].rule] = rows[i].name;
  }
  for (uint16_t rule = 0; rule < RULES_COUNT; rule++) { /* twice of one side */
    begin();
    ev.u.fpdu.seg.kind = IWARP_RDMAP_KIND_TERM;
    iwarp_rdmap_term_decode(&ev.u.fpdu.seg.u.term, (iwarp_span){(const uint8_t *)swapped, 4});
    none();
    find(rule, 1);
    find(rule, 1);
    find(rule, 0);
    name();
    ck_assert_str_eq(cause(0), due[rule] != NULL ? due[rule] : "none");
    ck_assert_str_eq(cause(1), cause(0));
    ck_assert_str_eq(cause(2), "none");
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {two_findings_of_a_side_share_their_cause,
                                a_finding_alone_has_none_until_its_side_has_shown_the_cause,
                                the_bit_order_of_a_terminate_is_its_cause_where_it_makes_sense_then,
                                a_finding_of_a_disabled_rule_does_not_count,
                                what_is_no_finding_any_more_does_not_count,
                                the_causes_are_these,
                                NULL};
  return check_run(check_suite("causes", tests));
}
