/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers that stand for something: errors, Function Codes, fields, STags. What
 * one function says of a number agrees with what the others do, for any number.
 */
#include <iwarp/field.h>
#include <iwarp/iwarp.h>
#include <string.h>

#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

FUZZ_CODEC(sctp_segment)
FUZZ_CODEC(sctp_control)
FUZZ_CODEC(sctp_adaptation)

/* A number is an error's if it has a name; the Terminate for it has one, too. */
static void error(int32_t number) {
  const iwarp_err err = (iwarp_err)number;
  uint8_t layer;
  uint8_t etype;
  uint8_t code;
  fuzz_expect(iwarp_errname(err) != NULL && iwarp_strerror(err) != NULL, "error %d", (int)number);
  (void)iwarp_err_class(err);
  if (iwarp_err_to_terminate(&layer, &etype, &code, err)) {
    fuzz_expect(iwarp_name_known(iwarp_rdmap_term_code_name(layer, etype, code)),
                "%u %u %u has no name", layer, etype, code);
  }
}

static void function(uint16_t code) {
  const iwarp_sctp_function_info *info = iwarp_sctp_function_get(code);
  bool listed = false;
  for (size_t i = 0; iwarp_sctp_function_at(i) != NULL; i++) {
    listed = listed || iwarp_sctp_function_at(i)->code == code;
  }
  fuzz_expect((info != NULL) == listed && (info == NULL || info->code == code), "function 0x%x",
              code);
}

static void control(iwarp_span in) {
  iwarp_sctp_control v;
  if (!sctp_control_holds(in)) {
    return;
  }
  (void)iwarp_sctp_control_decode(&v, in);
  const iwarp_span enhanced = iwarp_sctp_control_enhanced(&v);
  const iwarp_span rest = iwarp_sctp_control_ulp_data(&v);
  fuzz_expect(enhanced.len == 0 || enhanced.len == IWARP_SCTP_ENHANCED_LEN, "enhanced data");
  fuzz_expect(enhanced.len + rest.len == v.private_data.len, "%zu octets of Private Data",
              enhanced.len + rest.len);
}

static void field(uint16_t id, const char *path) {
  const iwarp_field *f = iwarp_field_get(id);
  if (f != NULL) {
    const iwarp_field *same = iwarp_field_find(f->path);
    fuzz_expect(f->id == id && same != NULL && strcmp(same->path, f->path) == 0, "field %u", id);
    fuzz_expect(iwarp_form_field((iwarp_form)(id / 256), f) == f, "field %u of its form", id);
    (void)iwarp_field_value_name(f, id % 16u);
  }
  f = iwarp_field_find(path);
  fuzz_expect(f == NULL || strcmp(f->path, path) == 0, "a path");
}

/* STags of a key are a permutation: different numbers have different ones, and 0 none. */
static void stags(iwarp_span in, uint32_t n) {
  uint8_t key[IWARP_STAG_KEY_LEN] = {0};
  memcpy(key, in.ptr, in.len < sizeof key ? in.len : sizeof key);
  const uint32_t a = iwarp_stag_generate(key, n);
  fuzz_expect(a == iwarp_stag_generate(key, n) && a != iwarp_stag_generate(key, n + 1),
              "STag number %u", n);
}

static void depths(iwarp_span in, uint32_t octets) {
  const uint8_t size = iwarp_rpc_rdma_size(octets);
  fuzz_expect(octets < iwarp_rpc_rdma_octets(0) || iwarp_rpc_rdma_octets(size) <= octets,
              "%u octets are of size %u", octets, size);
  (void)iwarp_mpa_res_name((uint8_t)octets);
  fuzz_expect(iwarp_sctp_mulpdu(octets, 20, in.len > 0 ? in.ptr[0] : 0) >= IWARP_SCTP_MULPDU_MIN,
              "a MULPDU");
  fuzz_expect(iwarp_mpa_mulpdu(octets, (octets & 1u) != 0) <= UINT16_MAX, "a MULPDU of MPA");
}

/* Values that have no place on the wire are refused; `which` bits of them are too wide. */
static void too_wide(uint32_t which) {
  uint8_t out[64];
  size_t n = 0;
  const iwarp_ddp_hdr ddp = {.rsvd = which & 1u ? 16 : 0, .dv = which & 1u ? 0 : 4};
  const iwarp_mpa_enhanced enhanced = {.ird = which & 1u ? 0x4000 : 0,
                                       .ord = which & 1u ? 0 : 0x4000};
  const iwarp_rdmap_atomic_req atomic = {.reserved = which & 1u ? 1u << 28 : 0,
                                         .aopcode = which & 1u ? 0 : 16};
  const iwarp_rdmap_term term = {.layer = which & 1u ? 16 : 0,
                                 .etype = (which & 3u) == 2 ? 16 : 0,
                                 .reserved = (which & 3u) == 0 ? 0x2000 : 0};
  const iwarp_erdma_ext erdma = {.reserved = which & 1u ? UINT32_MAX : 0, .cc = 0xFF};
  const iwarp_rpc_rdma rpc = {.reserved = 0xFF};
  const iwarp_smbd_depths smbd = {.ird = 1};
  iwarp_smbd_depths back;
  const iwarp_byte_order none = (iwarp_byte_order)9;
  fuzz_expect(iwarp_ddp_hdr_encode(out, sizeof out, &n, &ddp) == IWARP_ERR_ARG &&
                  iwarp_mpa_enhanced_encode(out, sizeof out, &n, &enhanced) == IWARP_ERR_ARG &&
                  iwarp_rdmap_atomic_req_encode(out, sizeof out, &n, &atomic) == IWARP_ERR_ARG &&
                  iwarp_rdmap_term_encode(out, sizeof out, &n, &term) == IWARP_ERR_ARG &&
                  iwarp_erdma_ext_encode(out, sizeof out, &n, &erdma) == IWARP_ERR_ARG &&
                  iwarp_rpc_rdma_encode(out, sizeof out, &n, &rpc) == IWARP_ERR_ARG &&
                  iwarp_smbd_depths_encode(out, sizeof out, &n, &smbd, none) == IWARP_ERR_ARG &&
                  iwarp_smbd_depths_decode(&back, (iwarp_span){out, 8}, none).err == IWARP_ERR_ARG,
              "a value that is too wide");
}

/* Frames that no sender can send. */
static void no_frames(uint32_t which) {
  static const uint8_t octets[70000];
  static uint8_t out[80000];
  static const iwarp_mpa_marker marker;
  size_t n = 0;
  const iwarp_mpa_startup frame = {.rev = 1, .private_data = {octets, sizeof octets}};
  const iwarp_mpa_fpdu_desc huge = {.ulpdu = {octets, 65536u + which % 1000u}};
  const iwarp_mpa_fpdu_desc wrong = {.ulpdu = {octets, 8},
                                     .off = 4,
                                     .markers = true,
                                     .marker_values = &marker,
                                     .num_marker_values = 1};
  const iwarp_mpa_fpdu_desc full = {.ulpdu = {octets, 65535}, .markers = true};
  fuzz_expect(iwarp_mpa_startup_encode(out, sizeof out, &n, &frame) == IWARP_ERR_ARG &&
                  iwarp_mpa_fpdu_encode(out, sizeof out, &n, &huge) == IWARP_ERR_ARG &&
                  iwarp_mpa_fpdu_encode(out, sizeof out, &n, &wrong) == IWARP_ERR_ARG &&
                  iwarp_mpa_fpdu_encode(out, sizeof out, &n, &full) == IWARP_ERR_MPA_ULPDU_LENGTH,
              "a frame that cannot be");
  fuzz_expect(iwarp_mpa_key_octets((iwarp_mpa_key)(5u + which % 9u)) == NULL &&
                  iwarp_mpa_key_octets(IWARP_MPA_KEY_UNKNOWN) == NULL &&
                  iwarp_mpa_key_classify((iwarp_span){octets, which % 16u}) ==
                      IWARP_MPA_KEY_UNKNOWN,
              "an invalid key");
  const iwarp_sctp_cell cell =
      iwarp_sctp_step((iwarp_sctp_state)(100u + which % 9u), true, (iwarp_sctp_kind)(which % 5u));
  fuzz_expect(cell.verdict == IWARP_SCTP_ILLEGAL &&
                  !iwarp_name_known(iwarp_sctp_state_name((iwarp_sctp_state)(100u + which % 9u))),
              "an invalid state");
  fuzz_expect(
      !iwarp_name_known(iwarp_endpoint_cause_name((iwarp_endpoint_cause)(100u + which))) &&
          !iwarp_name_known(iwarp_endpoint_state_name((iwarp_endpoint_state)(100u + which))) &&
          !iwarp_name_known(iwarp_endpoint_event_name((iwarp_endpoint_event_kind)(100u + which))),
      "an invalid value has a name");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[40] = "";
  fuzz_in f = fuzz_begin(data, size);
  const iwarp_span in = fuzz_span(&f);
  const uint32_t number = fuzz_u32(&f);
  (void)fuzz_u8(&f); /* older inputs chose a registry by these two */
  (void)fuzz_bool(&f);
  error(-(int32_t)(number % 500u));
  for (int32_t i = 0; number % 256u == 0 && i < 500; i++) {
    error(-i);
  }
  too_wide(number);
  no_frames(number);
  error((int32_t)(number & 3u));
  function((uint16_t)(number & ((number & 0x10000u) != 0 ? 0xFFFFu : 15u)));
  memcpy(path, in.ptr, in.len < sizeof path - 1 ? in.len : sizeof path - 1);
  field((uint16_t)(number % 0x1800u), path);
  (void)sctp_segment_holds(in);
  (void)sctp_adaptation_holds(in);
  control(in);
  stags(in, number);
  depths(in, number);
  fuzz_expect(iwarp_sctp_ssn_distance((uint16_t)number, (uint16_t)number) == 0 &&
                  strlen(iwarp_version()) > 0 && strlen(iwarp_crc32c_impl()) > 0,
              "a name");
  (void)iwarp_sctp_ppid_name(number & 31u);
  return 0;
}
