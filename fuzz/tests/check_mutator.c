/* SPDX-License-Identifier: BSD-2-Clause */
/* What the mutator mends, and what it leaves broken. */
#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>
#include <string.h>

#include "check_run.h"
#include "mutator_stream.h"

static stream_input made;
static stream_input work;

/* How many things are wrong. */
static size_t faults(const stream_state *s) {
  return s->crc + s->markers + s->pad + s->msn + s->rest + (s->startup ? 1 : 0);
}

/* A copy of the input with one octet changed. */
static void spoil(size_t at, uint8_t with) {
  work = made;
  work.octets[at] ^= with;
}

/* A change at `at` is wrong, and right after it was mended. */
static void is_mended(size_t at, bool markers, const char *what) {
  spoil(at, 0x04);
  stream_state s = stream_look(work.octets, work.len, markers);
  expect(faults(&s) > 0, "%s: nothing is broken", what);
  mutator_mend(work.octets, work.len, FUZZ_FORM_SCRIPT);
  s = stream_look(work.octets, work.len, markers);
  expect(faults(&s) == 0 && s.fpdus == STREAM_FPDUS,
         "%s: %zu FPDUs, CRC %zu, Markers %zu, PAD %zu, MSN %zu, rest %zu", what, s.fpdus, s.crc,
         s.markers, s.pad, s.msn, s.rest);
}

/* Offset of the PAD of an FPDU, which has some, without Markers. */
static size_t pad_of(size_t i) {
  const size_t length = (size_t)made.octets[made.fpdu[i]] << 8 | made.octets[made.fpdu[i] + 1];
  ck_assert_uint_gt(iwarp_mpa_pad_len((uint16_t)length), 0);
  return made.fpdu[i] + IWARP_MPA_LENGTH_LEN + length;
}

START_TEST(a_right_input_stays_as_it_is)
{
  for (int markers = 0; markers < 2; markers++) {
    stream_of_fpdus(&made, markers != 0);
    const stream_state s = stream_look(made.octets, made.len, markers != 0);
    ck_assert_uint_eq(faults(&s), 0);
    ck_assert_uint_eq(s.fpdus, STREAM_FPDUS);
    work = made;
    mutator_mend(work.octets, work.len, FUZZ_FORM_SCRIPT);
    ck_assert_mem_eq(work.octets, made.octets, made.len);
  }
}
END_TEST

START_TEST(crcs_are_mended)
{
  for (int markers = 0; markers < 2; markers++) {
    stream_of_fpdus(&made, markers != 0);
    for (size_t i = 0; i < STREAM_FPDUS; i++) {
      is_mended(made.fpdu[i] + made.fpdu_len[i] - 1, markers != 0, "CRC");
      is_mended(made.fpdu[i] + made.fpdu_len[i] - 12, markers != 0, "payload");
    }
  }
}
END_TEST

START_TEST(padding_is_mended)
{
  stream_of_fpdus(&made, false);
  is_mended(pad_of(0), false, "PAD");
  spoil(pad_of(0), 0x04);
  const stream_state s = stream_look(work.octets, work.len, false);
  ck_assert_uint_eq(s.pad, 1);
}
END_TEST

START_TEST(markers_are_mended)
{
  stream_of_fpdus(&made, true);
  is_mended(made.fpdu[0] + 3, true, "the Marker before ULPDU_Length");
  /* the second Marker of the stream; the records between are heads of 3 octets */
  const size_t second =
      made.fpdu[2] + (IWARP_MPA_MARKER_PERIOD - made.fpdu_len[0] - made.fpdu_len[1]);
  spoil(second + 3, 0x04);
  const stream_state s = stream_look(work.octets, work.len, true);
  ck_assert_uint_eq(s.markers, 1);
  is_mended(second + 3, true, "a Marker inside an FPDU");
}
END_TEST

START_TEST(lengths_of_startup_frames_are_mended)
{
  stream_of_fpdus(&made, false);
  for (size_t side = 0; side < 2; side++) {
    work = made;
    work.octets[made.startup[side] + 19]--; /* PD_Length: one octet of Private Data is left over */
    mutator_mend(work.octets, work.len, FUZZ_FORM_STARTUP);
    ck_assert_uint_eq(work.octets[made.startup[side] + 19], 4); /* no such form in a script */
    uint8_t frame[64];
    const size_t n = 25;
    memcpy(frame, &made.octets[made.startup[side]], n);
    memset(frame + n, 0, FUZZ_TAIL);
    frame[19] = 200;
    mutator_mend(frame, n + FUZZ_TAIL, FUZZ_FORM_STARTUP);
    ck_assert_uint_eq(frame[18], 0);
    ck_assert_uint_eq(frame[19], 5);
  }
}
END_TEST

/* The MSN of FPDU i, a Send without Markers. */
static size_t msn_of(size_t i) {
  return made.fpdu[i] + IWARP_MPA_LENGTH_LEN + 13;
}

START_TEST(msns_are_mended)
{
  stream_of_fpdus(&made, false);
  for (size_t i = 0; i < STREAM_FPDUS; i += 3) {
    is_mended(msn_of(i), false, "MSN");
  }
}
END_TEST

START_TEST(msns_stay_where_the_tail_says_so)
{
  stream_of_fpdus(&made, false);
  *stream_tail(&made) = FUZZ_KEEP_MSN;
  spoil(msn_of(3), 0x04);
  mutator_mend(work.octets, work.len, FUZZ_FORM_SCRIPT);
  const stream_state s = stream_look(work.octets, work.len, false);
  ck_assert_uint_eq(s.msn, 1);
  ck_assert_uint_eq(faults(&s), 1); /* the CRC was mended */
}
END_TEST

START_TEST(nothing_is_mended_where_the_tail_says_so)
{
  for (int markers = 0; markers < 2; markers++) {
    stream_of_fpdus(&made, markers != 0);
    *stream_tail(&made) = FUZZ_KEEP_BROKEN;
    for (size_t i = 0; i < STREAM_FPDUS; i++) {
      spoil(made.fpdu[i] + made.fpdu_len[i] - 1, 0x04);
      stream_input before = work;
      mutator_mend(work.octets, work.len, FUZZ_FORM_SCRIPT);
      ck_assert_mem_eq(work.octets, before.octets, work.len);
    }
  }
}
END_TEST

START_TEST(fpdus_are_mended_at_their_stream_offset)
{
  uint8_t octets[700 + FUZZ_TAIL];
  uint8_t ulpdu[600] = {0x41, 0x43};
  for (uint64_t off = 0; off < 1024; off += 4) {
    const iwarp_mpa_fpdu_desc d = {.ulpdu = {ulpdu, sizeof ulpdu}, .off = off, .markers = true};
    iwarp_mpa_fpdu v;
    size_t n = 0;
    ck_assert_int_eq(iwarp_mpa_fpdu_encode(octets, sizeof octets, &n, &d), IWARP_OK);
    memset(octets + n, 0, FUZZ_TAIL);
    octets[n + FUZZ_TAIL - 2] = 1; /* Markers, then the offset: fuzz_fpdu_place_of */
    octets[n + FUZZ_TAIL - 3] = (uint8_t)off;
    octets[n + FUZZ_TAIL - 4] = (uint8_t)(off >> 8);
    octets[n - 1] ^= 1;
    mutator_mend(octets, n + FUZZ_TAIL, FUZZ_FORM_FPDU);
    ck_assert_int_eq(iwarp_mpa_fpdu_decode(&v, (iwarp_span){octets, n}, off, true).err, IWARP_OK);
    ck_assert_uint_eq(iwarp_mpa_fpdu_crc(&v), v.crc);
  }
}
END_TEST

START_TEST(changed_programs_are_right_but_for_what_was_changed)
{
  size_t changed = 0;
  size_t fpdus = 0;
  stream_of_fpdus(&made, true);
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    prng p = {.state = seed};
    static uint8_t octets[MUTATOR_INPUT_MAX];
    memcpy(octets, made.octets, made.len);
    const size_t len = mutator_mutate(octets, made.len, sizeof octets, FUZZ_FORM_SCRIPT, &p,
                                      (iwarp_span){made.octets, made.len});
    ck_assert_uint_le(len, MUTATOR_INPUT_MAX);
    changed += len != made.len || memcmp(octets, made.octets, len) != 0 ? 1 : 0;
    if ((octets[len - 1] & (FUZZ_KEEP_BROKEN | FUZZ_KEEP_MSN)) == 0) {
      mutator_mend(octets, len, FUZZ_FORM_SCRIPT);
      const stream_state s = stream_look(octets, len, true);
      expect(s.rest > 0 || s.crc + s.pad == 0, "seed %llu: %zu wrong CRCs, PAD %zu",
             (unsigned long long)seed, s.crc, s.pad);
      fpdus += s.fpdus;
    }
  }
  ck_assert_uint_gt(changed, 2500);
  ck_assert_uint_gt(fpdus, 3000u * STREAM_FPDUS / 2);
}
END_TEST

START_TEST(broken_inputs_stay_broken_from_child_to_child)
{
  stream_of_fpdus(&made, false);
  *stream_tail(&made) = FUZZ_KEEP_BROKEN;
  made.octets[made.fpdu[1] + made.fpdu_len[1] - 1] ^= 1;
  size_t broken = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    prng p = {.state = seed};
    static uint8_t octets[MUTATOR_INPUT_MAX];
    memcpy(octets, made.octets, made.len);
    const size_t len =
        mutator_mutate(octets, made.len, sizeof octets, FUZZ_FORM_SCRIPT, &p, (iwarp_span){0});
    const stream_state s = stream_look(octets, len, false);
    broken += s.crc + s.rest > 0 ? 1 : 0;
  }
  ck_assert_uint_gt(broken, 250);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_right_input_stays_as_it_is,
                                crcs_are_mended,
                                padding_is_mended,
                                markers_are_mended,
                                lengths_of_startup_frames_are_mended,
                                msns_are_mended,
                                msns_stay_where_the_tail_says_so,
                                nothing_is_mended_where_the_tail_says_so,
                                fpdus_are_mended_at_their_stream_offset,
                                changed_programs_are_right_but_for_what_was_changed,
                                broken_inputs_stay_broken_from_child_to_child,
                                NULL};
  return check_run(check_suite("mutator", tests));
}
