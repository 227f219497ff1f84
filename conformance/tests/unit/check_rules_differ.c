/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that were captured twice with different values: how many of the rules that passed rest on
 * them, octet by octet. */
#include "check_run.h"

#include "rules_fixture.h"

/* Octets of one kind in a row. */
struct run {
  unsigned octets;
  const char *what;
  unsigned rules; /* that rest on one of them, */
  unsigned right; /* and where CRC and PAD of the second copy are right */
};

/* A connection of which the Initiator sends a tagged segment, one without payload, and one with. */
static void connection(struct rules_fixture *l, uint8_t flags) {
  fixture_init(l);
  fixture_open_with(l, flags);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 7, 0, 5));
  fixture_read(l, FIXTURE_INITIATOR, 1, 100);
  fixture_fpdu(l, FIXTURE_INITIATOR, fixture_untagged(IWARP_RDMAP_OP_SEND, 1, 0, 486));
}

/* Rules that passed, and do not any more when the octets came twice. */
static unsigned resting(uint8_t flags, uint64_t pos, uint64_t len, bool right) {
  struct rules_fixture *l = malloc(sizeof(*l));
  unsigned num = 0;
  connection(l, flags);
  iwarp_rules_differ(l->rules, &l->info, FIXTURE_INITIATOR, pos, len, right);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result r = iwarp_rules_result(l->rules, id);
    num += r.num_pass > 0 && (r.reason & IWARP_REASON_OCTETS_DIFFER) != 0 ? 1u : 0u;
  }
  fixture_free(l);
  free(l);
  return num;
}

static void expect_runs(uint8_t flags, const struct run *runs, size_t num) {
  uint64_t pos = FIXTURE_START_0;
  for (size_t i = 0; i < num; i++) {
    for (const uint64_t end = pos + runs[i].octets; pos < end; pos++) {
      const unsigned is = resting(flags, pos, 1, false);
      const unsigned right = resting(flags, pos, 1, true);
      expect(is == runs[i].rules && right == runs[i].right, "%s, octet %u: %u and %u rules",
             runs[i].what, (unsigned)(runs[i].octets - (end - pos)), is, right);
    }
  }
}
#define EXPECT_RUNS(flags, ...)                                                                    \
  do {                                                                                             \
    static const struct run runs[] = {__VA_ARGS__};                                                \
    expect_runs(flags, runs, sizeof(runs) / sizeof(runs[0]));                                      \
  } while (0)

/* Where the first octets of an FPDU are in doubt, so is what any segment is; a tagged segment is
 * read by fewer rules than an untagged one. */
START_TEST(each_octet_concerns_the_rules_that_read_it)
{
  EXPECT_RUNS(IWARP_MPA_FLAG_C, {16, "key", 4, 4}, {8, "flags to depths", 44, 44},
              {16, "Private Data", 0, 0}, {4, "Length and control", 32, 32}, {12, "header", 21, 21},
              {5, "payload", 1, 0}, {3, "PAD", 2, 0}, {4, "CRC", 1, 0},
              {4, "Length and control", 32, 32}, {44, "header of a Read Request", 26, 26},
              {4, "CRC", 1, 0}, {4, "Length and control", 32, 32}, {16, "header", 23, 23},
              {486, "payload", 1, 0}, {2, "PAD", 2, 0}, {4, "CRC", 1, 0},
              {4, "not judged yet", 0, 0});
}
END_TEST

/* A Marker tells where FPDUs begin. */
START_TEST(a_marker_concerns_the_rules_of_any_segment)
{
  EXPECT_RUNS(IWARP_MPA_FLAG_C | IWARP_MPA_FLAG_M, {16, "key", 4, 4},
              {8, "flags to depths", 48, 48}, {16, "Private Data", 0, 0}, {4, "Marker", 36, 36},
              {4, "Length and control", 36, 36}, {12, "header", 21, 21}, {5, "payload", 1, 0},
              {3, "PAD", 2, 0}, {4, "CRC", 1, 0}, {4, "Length and control", 36, 36},
              {44, "header of a Read Request", 26, 26}, {4, "CRC", 1, 0},
              {4, "Length and control", 36, 36}, {16, "header", 23, 23}, {408, "payload", 1, 0},
              {4, "Marker", 36, 36}, {78, "payload", 1, 0}, {2, "PAD", 2, 0}, {4, "CRC", 1, 0},
              {4, "not judged yet", 0, 0});
}
END_TEST

/* A range of octets concerns the rules of each octet in it. An octet that is not judged yet
 * concerns no rule. */
START_TEST(octets_of_two_kinds_concern_the_rules_of_both)
{
  const uint64_t full = FIXTURE_START_0 + 40;
  ck_assert_uint_eq(resting(IWARP_MPA_FLAG_C, FIXTURE_START_0 + 15, 2, false), 44);
  ck_assert_uint_eq(resting(IWARP_MPA_FLAG_C, full - 1, 1, false), 0);
  ck_assert_uint_eq(resting(IWARP_MPA_FLAG_C, full - 1, 2, false), 32);
  ck_assert_uint_eq(resting(IWARP_MPA_FLAG_C, full + 20, 2, true), 0);
  ck_assert_uint_eq(resting(IWARP_MPA_FLAG_C, full + 20, 2, false), 2);
  ck_assert_uint_eq(resting(IWARP_MPA_FLAG_C, full + 586, 100, true), 0);
  ck_assert_uint_eq(resting(IWARP_MPA_FLAG_C, full + 586, 100, false), 2);
  ck_assert_uint_eq(resting(IWARP_MPA_FLAG_C, full + 592, 100, false), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {each_octet_concerns_the_rules_that_read_it,
                                a_marker_concerns_the_rules_of_any_segment,
                                octets_of_two_kinds_concern_the_rules_of_both, NULL};
  return check_run(check_suite("rules_differ", tests));
}
