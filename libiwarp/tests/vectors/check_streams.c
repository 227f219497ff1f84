/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the stream vectors: the receive engine finds their FPDUs in their segments and octet by
 * octet; encoding the FPDUs makes the stream again. */
#include <dirent.h>
#include <iwarp/event.h>
#include <iwarp/rx.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "hex.h"

#define FOLDER "libiwarp/tests/vectors/streams"
#define OCTETS_MAX 16384
#define SEGMENTS_MAX 4096
#define STREAMS_MIN 10

/* The stream available. */
static json_t *root;
static const char *id;
static uint8_t octets[OCTETS_MAX];
static size_t ends[SEGMENTS_MAX]; /* of the segments */
static size_t num_segments;
static bool markers;
static bool crc;
static uint64_t position;

static const json_t *member(const json_t *object, const char *key) {
  const json_t *v = json_object_get(object, key);
  ck_assert_msg(v != NULL, "%s: no %s", id, key);
  return v;
}

static size_t stream_len(void) {
  return ends[num_segments - 1];
}

static void load_segments(void) {
  const json_t *list = member(root, "segments");
  size_t len = 0;
  num_segments = json_array_size(list);
  ck_assert_uint_le(num_segments, SEGMENTS_MAX);
  for (size_t i = 0; i < num_segments; i++) {
    len +=
        hex_octets(octets + len, sizeof octets - len, json_string_value(json_array_get(list, i)));
    ends[i] = len;
  }
}

static const json_t *fpdu_at(size_t i) {
  return json_array_get(member(root, "fpdus"), i);
}

static size_t octets_of(uint8_t *out, size_t cap, const json_t *fpdu) {
  return hex_octets(out, cap, json_string_value(member(fpdu, "ulpdu")));
}

static uint64_t offset_of(const json_t *fpdu) {
  return (uint64_t)json_integer_value(member(fpdu, "offset"));
}

static uint32_t crc_of(const json_t *fpdu) {
  return (uint32_t)strtoul(json_string_value(member(fpdu, "crc_value")), NULL, 16);
}

static void expect_markers(const iwarp_mpa_fpdu *v, const json_t *fpdu) {
  const json_t *list = member(fpdu, "markers");
  ck_assert_uint_eq(json_array_size(list), v->layout.num_markers);
  for (size_t i = 0; i < v->layout.num_markers; i++) {
    iwarp_mpa_marker got;
    iwarp_mpa_marker expected;
    size_t at = 0;
    ck_assert_int_eq(iwarp_mpa_fpdu_marker(&got, &expected, &at, v, i), IWARP_OK);
    ck_assert_uint_eq(offset_of(fpdu) + at - v->layout.lead,
                      (uint64_t)json_integer_value(json_array_get(list, i)));
    ck_assert_uint_eq(got.fpduptr, expected.fpduptr);
  }
}

static void expect_fpdu(const iwarp_event *ev, size_t i) {
  static uint8_t want[OCTETS_MAX];
  static uint8_t got[OCTETS_MAX];
  const iwarp_event_fpdu *v = &ev->u.fpdu;
  const json_t *fpdu = fpdu_at(i);
  ck_assert_msg(fpdu != NULL && ev->kind == IWARP_EVENT_FPDU, "%s: event %zu", id, i);
  const size_t len = octets_of(want, sizeof want, fpdu);
  ck_assert_msg(v->complete && v->offset == offset_of(fpdu), "%s: FPDU %zu", id, i);
  ck_assert_uint_eq(ev->pos, position + offset_of(fpdu));
  ck_assert_uint_eq(iwarp_mpa_fpdu_ulpdu_copy(got, sizeof got, &v->fpdu, 0), len);
  ck_assert_msg(len == 0 || memcmp(got, want, len) == 0, "%s: ULPDU %zu", id, i);
  ck_assert_uint_eq(v->fpdu.crc, crc_of(fpdu));
  ck_assert_int_eq(v->crc, crc ? IWARP_CRC_GOOD : IWARP_CRC_UNCHECKED);
  const json_t *opcode = member(fpdu, "opcode");
  ck_assert_int_eq(v->seg.has_ddp, json_is_integer(opcode));
  ck_assert(!v->seg.has_ddp || v->seg.ctrl.opcode == json_integer_value(opcode));
  expect_markers(&v->fpdu, fpdu);
}

/* The events that are there now; returns how many FPDUs were seen in all. */
static size_t take_events(iwarp_rx *rx, size_t seen) {
  iwarp_event ev;
  while (iwarp_rx_next_event(rx, &ev) == IWARP_OK) {
    if (ev.kind != IWARP_EVENT_END) {
      expect_fpdu(&ev, seen++);
    }
  }
  return seen;
}

/* Pushes the segments, or `step` octets at a time. */
static void receive(size_t step) {
  static union {
    uint8_t octets[IWARP_RX_SIZE];
    max_align_t align;
  } memory;
  iwarp_rx *rx = NULL;
  const iwarp_meta meta = {.packet = 1};
  const iwarp_rx_cfg cfg = {.size = sizeof cfg,
                            .pos = position,
                            .at_start = true,
                            .markers = markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF,
                            .crc = crc ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF};
  ck_assert_int_eq(iwarp_rx_init(&rx, memory.octets, sizeof memory, &cfg), IWARP_OK);
  size_t seen = 0;
  size_t segment = 0;
  for (size_t at = 0; at < stream_len();) {
    const size_t end = step > 0 ? at + step : ends[segment++];
    const size_t stop = end < stream_len() ? end : stream_len();
    ck_assert_int_eq(iwarp_rx_push(rx, (iwarp_span){octets + at, stop - at}, &meta), IWARP_OK);
    seen = take_events(rx, seen);
    at = stop;
  }
  ck_assert_int_eq(iwarp_rx_eof(rx, &meta), IWARP_OK);
  seen = take_events(rx, seen);
  ck_assert_msg(seen == json_array_size(member(root, "fpdus")), "%s: %zu FPDUs", id, seen);
}

/* What a sender makes of the ULPDUs. */
static void send_all(void) {
  static uint8_t ulpdu[OCTETS_MAX];
  static uint8_t made[OCTETS_MAX];
  size_t at = 0;
  for (size_t i = 0; i < json_array_size(member(root, "fpdus")); i++) {
    const json_t *fpdu = fpdu_at(i);
    iwarp_mpa_fpdu_desc desc = {.off = at, .markers = markers, .crc_given = !crc};
    desc.ulpdu = (iwarp_span){ulpdu, octets_of(ulpdu, sizeof ulpdu, fpdu)};
    desc.crc = crc_of(fpdu);
    size_t len = 0;
    ck_assert_int_eq(iwarp_mpa_fpdu_encode(made + at, sizeof made - at, &len, &desc), IWARP_OK);
    at += len;
  }
  ck_assert_msg(at == stream_len() && memcmp(made, octets, at) == 0, "%s: another stream", id);
}

static void check_file(const char *name) {
  static const size_t steps[] = {0, 1, 2, 3, 5, 64, 511, OCTETS_MAX};
  char path[512];
  json_error_t error;
  snprintf(path, sizeof path, FOLDER "/%s", name);
  root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(root != NULL, "%s:%d: %s", path, error.line, error.text);
  id = json_string_value(json_object_get(root, "id"));
  markers = json_is_true(member(root, "markers"));
  crc = json_is_true(member(root, "crc"));
  position = (uint64_t)json_integer_value(member(root, "sequence_number"));
  load_segments();
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    receive(steps[i]);
  }
  send_all();
  json_decref(root);
}

START_TEST(streams_hold_what_they_say)
{
  DIR *folder = opendir(FOLDER);
  ck_assert_msg(folder != NULL, "%s: run from the root of the source tree", FOLDER);
  size_t num = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    const char *dot = strrchr(entry->d_name, '.');
    if (dot != NULL && strcmp(dot, ".json") == 0) {
      check_file(entry->d_name);
      num++;
    }
  }
  closedir(folder);
  ck_assert_uint_ge(num, STREAMS_MIN);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {streams_hold_what_they_say, NULL};
  return check_run(check_suite("streams", tests));
}
