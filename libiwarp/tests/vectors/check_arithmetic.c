/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the arithmetic vectors and compares what the library's functions give. */
#include <inttypes.h>
#include <iwarp/crc32c.h>
#include <iwarp/mpa.h>
#include <iwarp/private_data.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>
#include <iwarp/tx.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "hex.h"

#define FOLDER "libiwarp/tests/vectors/arithmetic"

static const char *id;
static const json_t *in; /* the arguments */
static json_t *out;      /* the results; one that was compared is taken out */

static const json_t *argument(const char *key) {
  const json_t *v = json_object_get(in, key);
  expect(v != NULL, "%s: no %s", id, key);
  return v;
}

static uint64_t word(const char *key) {
  const char *text = json_string_value(argument(key));
  expect(text != NULL, "%s: %s is no word", id, key);
  return strtoull(text, NULL, 16);
}

static uint64_t number(const char *key) {
  const json_t *v = argument(key);
  expect(json_is_integer(v), "%s: %s is no number", id, key);
  return (uint64_t)json_integer_value(v);
}

static bool flag(const char *key) {
  const json_t *v = argument(key);
  expect(json_is_boolean(v), "%s: %s is no flag", id, key);
  return json_is_true(v);
}

/* Compares a result and takes it out; the value is released. */
static void expect_json(const char *key, json_t *got) {
  const json_t *want = json_object_get(out, key);
  char *text = json_dumps(got, JSON_ENCODE_ANY);
  ck_assert_msg(want != NULL && json_equal(want, got), "%s: %s is %s", id, key, text);
  free(text);
  json_decref(got);
  json_object_del(out, key);
}

static void expect_number(const char *key, uint64_t got) {
  expect_json(key, json_integer((json_int_t)got));
}

static void expect_text(const char *key, const char *got) {
  expect_json(key, got != NULL ? json_string(got) : json_null());
}

static void expect_word(const char *key, uint64_t got, int digits) {
  char text[32];
  snprintf(text, sizeof text, "0x%0*" PRIx64, digits, got);
  expect_text(key, text);
}

/* ---- the functions ---- */

static void fetch_add(void) {
  expect_word("new", iwarp_rdmap_fetch_add(word("old"), word("add"), word("mask")), 16);
}

static void cmp_swap(void) {
  expect_word("new",
              iwarp_rdmap_cmp_swap(word("old"), word("swap"), word("swap_mask"), word("compare"),
                                   word("compare_mask")),
              16);
}

static void crc32c(void) {
  static uint8_t octets[8192];
  size_t len = hex_octets(octets, sizeof octets, json_string_value(argument("octets")));
  uint32_t crc = 0;
  for (uint64_t i = 0; i < number("times"); i++) {
    crc = iwarp_crc32c(crc, octets, len);
  }
  expect_word("crc", crc, 8);
  char field[9];
  snprintf(field, sizeof field, "%02x%02x%02x%02x", (unsigned)(crc & 0xFF),
           (unsigned)(crc >> 8 & 0xFF), (unsigned)(crc >> 16 & 0xFF), (unsigned)(crc >> 24));
  expect_text("field", field);
}

static void mulpdu(void) {
  expect_number("mulpdu", iwarp_mpa_mulpdu((uint32_t)number("emss"), flag("markers")));
}

/* A message of `length` octets that are there only once. */
static void queue_message(iwarp_tx *tx, uint64_t length, bool tagged) {
  static const uint8_t chunk[1u << 20];
  static iwarp_span parts[4096];
  size_t num = 0;
  for (uint64_t left = length; left > 0; left -= parts[num++].len) {
    parts[num] = (iwarp_span){chunk, left < sizeof chunk ? (size_t)left : sizeof chunk};
  }
  const iwarp_tx_payload payload = {parts, num};
  const iwarp_err err = tagged ? iwarp_tx_write(tx, 1, 5, 0, payload)
                               : iwarp_tx_send(tx, 1, IWARP_RDMAP_OP_SEND, 0, payload);
  ck_assert_msg(err == IWARP_OK, "%s: %s", id, iwarp_errname(err));
}

/* The transmit engine cuts the message; without Markers the header is in the first span. */
static void segmentation(void) {
  static union {
    uint8_t octets[65536];
    max_align_t align;
  } memory;
  static iwarp_span spans[IWARP_TX_SPANS_MIN + 2];
  const iwarp_tx_cfg cfg = {
      .size = sizeof cfg, .emss = (uint32_t)number("emss"), .num_messages = 1};
  iwarp_tx *tx = NULL;
  iwarp_tx_out sent;
  iwarp_ddp_hdr h = {0};
  uint64_t segments = 0;
  size_t last = 0;
  ck_assert_int_eq(iwarp_tx_init(&tx, memory.octets, sizeof memory, &cfg), IWARP_OK);
  queue_message(tx, number("length"), flag("tagged"));
  for (; iwarp_tx_next_output(tx, spans, IWARP_TX_SPANS_MIN + 2, &sent) == IWARP_OK; segments++) {
    expect(!h.last && sent.num_fpdus == 1 && spans[0].len >= 2, "%s: segment", id);
    const iwarp_span front = {spans[0].ptr + 2, spans[0].len - 2};
    const iwarp_dec dec = iwarp_ddp_hdr_decode(&h, front);
    expect(dec.err == IWARP_OK && h.tagged == flag("tagged"), "%s: header", id);
    last = ((size_t)spans[0].ptr[0] << 8 | spans[0].ptr[1]) - dec.used;
    expect_int_eq(iwarp_tx_advance(tx, sent.len), IWARP_OK);
  }
  expect_number("mulpdu", iwarp_tx_mulpdu(tx));
  expect_number("segments", segments);
  expect_number("last_offset", h.tagged ? h.to : h.mo);
  expect_number("last_payload", last);
  ck_assert(h.last);
}

/* An FPDU of zeros is made, and its last Marker read. */
static void layout(void) {
  static const uint8_t zeros[65535];
  static uint8_t wire[IWARP_MPA_FPDU_WIRE_MAX];
  const uint16_t length = (uint16_t)number("ulpdu_length");
  const iwarp_mpa_layout l = iwarp_mpa_layout_of(number("stream_off"), length, flag("markers"));
  const iwarp_mpa_fpdu_desc desc = {
      .ulpdu = {zeros, length}, .off = number("stream_off"), .markers = flag("markers")};
  size_t len = 0;
  iwarp_err err = iwarp_mpa_fpdu_encode(wire, sizeof wire, &len, &desc);
  expect_number("lead", l.lead);
  expect_number("pad", l.pad);
  expect_number("markers", l.num_markers);
  expect_number("crc_off", l.crc_off);
  expect_number("wire_len", l.wire_len);
  expect_text("error", err == IWARP_OK ? NULL : iwarp_errname(err) + strlen("IWARP_ERR_"));
  iwarp_mpa_fpdu v;
  iwarp_mpa_marker marker = {0};
  iwarp_mpa_marker expected;
  size_t at = 0;
  const json_t *pointer = json_object_get(out, "last_fpduptr");
  if (l.num_markers == 0) {
    expect_json("last_fpduptr", json_null());
    return;
  }
  if (err == IWARP_OK) {
    ck_assert_uint_eq(len, l.wire_len);
    ck_assert_int_eq(iwarp_mpa_fpdu_decode(&v, (iwarp_span){wire, len}, desc.off, desc.markers).err,
                     IWARP_OK);
    ck_assert_int_eq(iwarp_mpa_fpdu_marker(&marker, &expected, &at, &v, l.num_markers - 1),
                     IWARP_OK);
    ck_assert_uint_eq(marker.fpduptr, expected.fpduptr);
    expect_number("last_fpduptr", marker.fpduptr);
    return;
  }
  ck_assert_msg(json_integer_value(pointer) > 65535, "%s: it fits", id);
  json_object_del(out, "last_fpduptr");
}

static void sctp_mulpdu(void) {
  expect_number("mulpdu",
                iwarp_sctp_mulpdu((uint32_t)number("path_mtu"), (uint32_t)number("ip_header"),
                                  (uint32_t)number("bundled")));
}

static void ssn_distance(void) {
  const uint16_t distance =
      iwarp_sctp_ssn_distance((uint16_t)number("ssn"), (uint16_t)number("next"));
  expect_number("distance", distance);
  expect_json("valid", json_boolean(distance < IWARP_SCTP_UNACKED_MAX));
}

static void rpc_rdma_size(void) {
  const uint32_t octets = iwarp_rpc_rdma_octets((uint8_t)number("size"));
  ck_assert_uint_eq(iwarp_rpc_rdma_size(octets), number("size"));
  expect_number("octets", octets);
}

static iwarp_err err_named(const char *name) {
#define ERR_NAMED(name_, value, cls, sentence)                                                     \
  if (strcmp(name, #name_) == 0) {                                                                 \
    return IWARP_ERR_##name_;                                                                      \
  }
  IWARP_ERR_MAP(ERR_NAMED)
#undef ERR_NAMED
  ck_assert_msg(strcmp(name, "OK") == 0, "%s: no error %s", id, name);
  return IWARP_OK;
}

static void terminate_of(void) {
  uint8_t layer = 0;
  uint8_t etype = 0;
  uint8_t code = 0;
  if (iwarp_err_to_terminate(&layer, &etype, &code,
                             err_named(json_string_value(argument("error"))))) {
    expect_number("layer", layer);
    expect_number("etype", etype);
    expect_number("code", code);
  } else {
    expect_text("layer", NULL);
    expect_text("etype", NULL);
    expect_text("code", NULL);
  }
}

static void reserved_flags(void) {
  const char *name = iwarp_mpa_res_name((uint8_t)number("flags"));
  expect_text("name", iwarp_name_known(name) ? name : NULL);
}

static const struct {
  const char *name;
  void (*check)(void);
  size_t least; /* cases */
} functions[] = {
    {"fetch-add", fetch_add, 10},
    {"cmp-swap", cmp_swap, 8},
    {"crc32c", crc32c, 25},
    {"mulpdu", mulpdu, 50},
    {"layout", layout, 20},
    {"sctp-mulpdu", sctp_mulpdu, 10},
    {"ssn-distance", ssn_distance, 10},
    {"rpc-rdma-size", rpc_rdma_size, 5},
    {"segmentation", segmentation, 20},
    {"terminate-of", terminate_of, 18},
    {"reserved-flags", reserved_flags, 8},
};

static void check_case(json_t *one, void (*check)(void)) {
  const char *key;
  json_t *left;
  id = json_string_value(json_object_get(one, "id"));
  in = json_object_get(one, "in");
  out = json_object_get(one, "out");
  check();
  json_object_foreach(out, key, left) {
    ck_abort_msg("%s: nobody compared %s", id, key);
  }
}

START_TEST(functions_give_what_the_vectors_say)
{
  char path[512];
  json_error_t error;
  snprintf(path, sizeof path, FOLDER "/%s.json", functions[_i].name);
  json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(root != NULL, "%s:%d: %s", path, error.line, error.text);
  json_t *cases = json_object_get(root, "cases");
  ck_assert_uint_ge(json_array_size(cases), functions[_i].least);
  for (size_t i = 0; i < json_array_size(cases); i++) {
    check_case(json_array_get(cases, i), functions[_i].check);
  }
  json_decref(root);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("arithmetic");
  TCase *tcase = tcase_create("functions");
  tcase_add_loop_test(tcase, functions_give_what_the_vectors_say, 0,
                      (int)(sizeof functions / sizeof functions[0]));
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
