/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every FPDU that there can be: 128 places between two Markers, 65,536 lengths, Markers on and off.
 * Layout and wire offsets agree with a sender that writes one word after the other; the MULPDU of
 * every EMSS is the largest ULPDU whose FPDU fits in each place. RFC 5044 4.3, 4.5
 */
#include <check.h>

#include <iwarp/mpa.h>

#include "check_run.h"
#include "property.h"

#define WORD 4u
#define PHASES 128u
#define PERIOD 512u
#define LENGTHS 65536u
#define WORDS (LENGTHS / WORD + 4u) /* of the longest FPDU, without Markers */

/* A sender in one place: where each word of an FPDU stands that is long enough, Markers aside. */
typedef struct sender {
  uint32_t at[WORDS];     /* offset of the word in the wire form */
  uint32_t before[WORDS]; /* Markers ahead of it */
  uint32_t next[WORDS];   /* offset of the first Marker after it */
  uint32_t first;         /* offset of the first Marker after ULPDU_Length */
} sender;

static sender model;

/* Sends word by word; before a word that would begin at a multiple of 512 goes a Marker. */
static void send_all(sender *s, uint32_t phase, bool markers) {
  uint32_t stream = phase * WORD;
  const uint32_t begin = stream;
  uint32_t num = 0;
  for (uint32_t i = 0; i < WORDS; i++) {
    if (markers && stream % PERIOD == 0) {
      stream += WORD;
      num++;
    }
    s->at[i] = stream - begin;
    s->before[i] = num;
    stream += WORD;
    s->next[i] = (stream + PERIOD - 1) / PERIOD * PERIOD - begin;
  }
  s->first = s->next[0];
}

/* Words of ULPDU_Length, ULPDU and PAD. */
static uint32_t body_of(uint32_t length) {
  return (2 + length + WORD - 1) / WORD;
}

static void check_layout(const sender *s, const iwarp_mpa_layout *v, uint32_t length,
                         bool markers) {
  const uint32_t body = body_of(length);
  const bool inner = markers && s->first < s->at[body] + WORD;
  expect(v->pad == body * WORD - 2 - length && v->pad == iwarp_mpa_pad_len((uint16_t)length),
         "%u octets: PAD %u", length, v->pad);
  expect(v->lead == s->at[0] && v->crc_off == s->at[body] && v->wire_len == s->at[body] + WORD,
         "%u octets: lead %u, CRC at %u, %u in all", length, v->lead, v->crc_off, v->wire_len);
  expect(v->num_markers == s->before[body] && v->first_marker == (inner ? s->first : 0),
         "%u octets: %u Markers, the first inner one at %u", length, v->num_markers,
         v->first_marker);
}

/* Octet `pos` of the FPDU without Markers. */
static void check_offset(const sender *s, const iwarp_mpa_layout *v, uint32_t pos) {
  size_t run = 0;
  const size_t at = iwarp_mpa_wire_offset(&run, v, pos);
  const uint32_t is = s->at[pos / WORD] + pos % WORD;
  const size_t left = v->first_marker != 0 ? s->next[pos / WORD] - is : SIZE_MAX;
  expect(at == is && run == left, "octet %u at %zu, not %u; %zu before a Marker, not %zu", pos, at,
         is, run, left);
}

/* All lengths in one place; the offsets of the octets at the edges of each part. */
static void check_lengths(uint32_t phase, bool markers) {
  for (uint32_t length = 0; length < LENGTHS; length++) {
    const iwarp_mpa_layout v =
        iwarp_mpa_layout_of((uint64_t)phase * WORD, (uint16_t)length, markers);
    check_layout(&model, &v, length, markers);
    check_offset(&model, &v, 0);
    check_offset(&model, &v, 1 + length);
    check_offset(&model, &v, body_of(length) * WORD);
  }
}

START_TEST(layouts)
{
  for (uint32_t phase = 0; phase < PHASES; phase += property_stride()) {
    const bool markers = _i == 1;
    const uint32_t longest = LENGTHS - 1;
    send_all(&model, phase, markers);
    check_lengths(phase, markers);
    const iwarp_mpa_layout v =
        iwarp_mpa_layout_of((uint64_t)phase * WORD, (uint16_t)longest, markers);
    for (uint32_t pos = 0; pos < body_of(longest) * WORD + WORD; pos++) {
      check_offset(&model, &v, pos);
    }
  }
}
END_TEST

/* Only the place between two Markers counts, and an offset is rounded down to a word. */
START_TEST(offsets_of_streams)
{
  static const uint64_t rounds[] = {0, PERIOD, UINT64_C(1) << 32, UINT64_MAX / PERIOD * PERIOD};
  const uint16_t lengths[] = {0, 1, 493, 494, 1442, UINT16_MAX};
  for (uint32_t phase = 0; phase < PHASES * WORD; phase++) {
    for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
      for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        const iwarp_mpa_layout a = iwarp_mpa_layout_of(rounds[i] + phase, lengths[k], true);
        const iwarp_mpa_layout b = iwarp_mpa_layout_of(phase / WORD * WORD, lengths[k], true);
        expect(a.lead == b.lead && a.wire_len == b.wire_len && a.crc_off == b.crc_off &&
                   a.num_markers == b.num_markers && a.first_marker == b.first_marker,
               "an offset of %u in its period", phase);
      }
    }
  }
}
END_TEST

/* Octets of the longest FPDU with so many octets of ULPDU, over all places. */
static uint32_t longest_wire(uint32_t length, bool markers) {
  uint32_t longest = 0;
  for (uint32_t phase = 0; phase < (markers ? PHASES : 1u); phase++) {
    const uint32_t len =
        iwarp_mpa_layout_of((uint64_t)phase * WORD, (uint16_t)length, markers).wire_len;
    longest = len > longest ? len : longest;
  }
  return longest;
}

/*
 * No ULPDU is longer than the MULPDU and fits in every place. The formula of RFC 5044 4.5 counts
 * one Marker too many where EMSS is 1 to 3 octets more than a multiple of 512.
 */
static void check_mulpdu(uint32_t emss, bool markers) {
  const uint32_t is = iwarp_mpa_mulpdu(emss, markers);
  const uint32_t spare = markers && emss % PERIOD != 0 && emss % PERIOD < WORD ? WORD : 0;
  expect(is >= IWARP_MPA_MULPDU_MIN && is <= IWARP_MPA_ULPDU_MAX, "EMSS %u: %u", emss, is);
  expect(is == IWARP_MPA_MULPDU_MIN || longest_wire(is, markers) <= emss,
         "EMSS %u: %u octets do not fit", emss, is);
  expect(is == IWARP_MPA_ULPDU_MAX || longest_wire(is + 1 + spare, markers) > emss,
         "EMSS %u: more than %u octets fit", emss, is);
}

START_TEST(mulpdus)
{
  for (uint32_t emss = 0; emss <= LENGTHS + PERIOD; emss += property_stride()) {
    check_mulpdu(emss, _i == 1);
  }
  ck_assert_uint_eq(iwarp_mpa_mulpdu(UINT32_MAX, _i == 1), IWARP_MPA_ULPDU_MAX);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mpa-exhaustive");
  TCase *t = tcase_create("exhaustive");
  tcase_add_loop_test(t, layouts, 0, 2);
  tcase_add_test(t, offsets_of_streams);
  tcase_add_loop_test(t, mulpdus, 0, 2);
  suite_add_tcase(suite, t);
  return check_run(suite);
}
