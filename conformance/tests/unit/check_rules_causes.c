/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings that share a likely cause. */
#include <string.h>

#include "check_run.h"
#include "rules/cause.h"

#define MOST 8u

static iwarp_finding entry[MOST];
static struct rules_findings found;
static uint32_t shown[2];
static iwarp_event ev;

static void begin(void) {
  memset(shown, 0, sizeof shown);
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
  rulesi_causes(&found, shown, &ev);
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

START_TEST(no_rule_belongs_to_two_causes)
{
  for (uint16_t a = 0; a < RULES_COUNT; a++) {
    const char *one = NULL;
    for (uint16_t b = 0; b < RULES_COUNT; b++) {
      begin();
      none();
      find(a, 0);
      find(b, 0);
      name();
      if (a != b && entry[0].cause != NULL) {
        ck_assert(one == NULL || strcmp(one, entry[0].cause) == 0);
        one = entry[0].cause;
        ck_assert_str_eq(cause(1), one);
      }
    }
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {two_findings_of_a_side_share_their_cause,
                                a_finding_alone_has_none_until_its_side_has_shown_the_cause,
                                the_bit_order_of_a_terminate_is_its_cause_where_it_makes_sense_then,
                                no_rule_belongs_to_two_causes, NULL};
  return check_run(check_suite("causes", tests));
}
