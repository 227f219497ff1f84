/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the frame vectors: decodes each, compares every field by the field table, encodes again. */
#include <dirent.h>
#include <inttypes.h>
#include <iwarp/field.h>
#include <iwarp/mpa.h>
#include <iwarp/private_data.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "field_bind.h"
#include "guard.h"
#include "hex.h"

#define FOLDER "libiwarp/tests/vectors"
#define OCTETS_MAX 4096
#define VECTORS_MIN 250

/* ---- the vector available ---- */

static json_t *vec;
static const char *id;
static uint8_t wire[OCTETS_MAX];
static size_t wire_len;
static json_t *value; /* of the vector; a key that was compared is taken out */

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  ck_assert_msg(text != NULL, "%s: no text %s", id, key);
  return text;
}

static void same_octets(const char *what, const uint8_t *got, size_t len, const uint8_t *want,
                        size_t want_len) {
  ck_assert_msg(len == want_len, "%s: %s of %zu octets, not %zu", id, what, len, want_len);
  ck_assert_msg(len == 0 || memcmp(got, want, len) == 0, "%s: %s differs", id, what);
}

/* Takes octets written in hex out of an object; an absent key is no octet. */
static size_t take_octets(uint8_t *out, size_t cap, json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  size_t len = text != NULL ? hex_octets(out, cap, text) : 0;
  json_object_del(object, key);
  return len;
}

static void expect_octets(json_t *object, const char *key, iwarp_span got) {
  static uint8_t want[OCTETS_MAX];
  ck_assert_msg(json_object_get(object, key) != NULL, "%s: no %s", id, key);
  size_t len = take_octets(want, sizeof want, object, key);
  same_octets(key, got.ptr, got.len, want, len);
}

static uint64_t number_of(const json_t *object, const char *key) {
  const json_t *v = json_object_get(object, key);
  ck_assert_msg(json_is_boolean(v) || json_is_integer(v) || json_is_string(v), "%s: no number %s",
                id, key);
  if (json_is_string(v)) {
    return strtoull(json_string_value(v), NULL, 16);
  }
  return json_is_true(v) ? 1 : (uint64_t)json_integer_value(v);
}

static void expect_number(json_t *object, const char *key, uint64_t got) {
  uint64_t want = number_of(object, key);
  ck_assert_msg(got == want, "%s: %s is 0x%" PRIx64 ", not 0x%" PRIx64, id, key, got, want);
  json_object_del(object, key);
}

/* All that the vector says must have been looked at. */
static void expect_nothing_left(json_t *object, const char *what) {
  const char *key;
  json_t *inner;
  json_object_foreach(object, key, inner) {
    ck_abort_msg("%s: %s: nobody compared %s", id, what, key);
  }
}

/* ---- fields and members ---- */

/*
 * Compares one field three ways: what the vector says, what the table reads out of the octets, what
 * the decoder put into its member. Sets the member of `made`, from which the frame is encoded.
 */
static void expect_field(const iwarp_field *field, json_t *object, iwarp_span in,
                         const void *decoded, void *made) {
  const field_bind *b = field_bind_of(field->id);
  if (field->kind == IWARP_FIELD_KIND_OCTETS) {
    iwarp_span octets;
    ck_assert_msg(iwarp_field_octets(&octets, field, in) == IWARP_OK, "%s: %s", id, field->key);
    same_octets(field->key, (const uint8_t *)decoded + b->off, b->size, octets.ptr, octets.len);
    hex_octets((uint8_t *)made + b->off, b->size, text_of(object, field->key));
    expect_octets(object, field->key, octets);
    return;
  }
  uint64_t want = number_of(object, field->key);
  uint64_t by_table = ~want;
  iwarp_err err = iwarp_field_uint(&by_table, field, in);
  ck_assert_msg(err == IWARP_OK && by_table == want, "%s: %s is 0x%" PRIx64 " by the table", id,
                field->key, by_table);
  ck_assert_msg(field_bind_get(b, decoded) == want, "%s: %s is decoded as 0x%" PRIx64, id,
                field->key, field_bind_get(b, decoded));
  field_bind_set(b, made, want);
  json_object_del(object, field->key);
}

/* Compares all fields of a form, but not one that takes all octets there are; `in` begins with its
 * first octet. What else stands in the object stays there. */
static void expect_form(iwarp_form form, json_t *object, iwarp_span in, const void *decoded,
                        void *made) {
  const iwarp_form_info *info = iwarp_form_get(form);
  ck_assert_msg(json_is_object(object), "%s: no %s", id, info->key);
  for (size_t i = 0; i < info->num_fields; i++) {
    if (info->fields[i].num_bits != 0) {
      expect_field(&info->fields[i], object, in, decoded, made);
    }
  }
}

/* The same for a form that is all of its object, which is taken out of `outer`. */
static void expect_object(iwarp_form form, json_t *outer, iwarp_span in, const void *decoded,
                          void *made) {
  const char *key = iwarp_form_get(form)->key;
  json_t *object = json_object_get(outer, key);
  expect_form(form, object, in, decoded, made);
  expect_nothing_left(object, key);
  json_object_del(outer, key);
}

static iwarp_span after(iwarp_span in, size_t n) {
  ck_assert_uint_le(n, in.len);
  return (iwarp_span){in.ptr + n, in.len - n};
}

/* ---- errors ---- */

static void expect_error(iwarp_err err, size_t need) {
  static const size_t prefix = sizeof "IWARP_ERR_" - 1;
  const json_t *want = json_object_get(vec, "error");
  const char *name = err == IWARP_OK ? "nothing" : iwarp_errname(err) + prefix;
  const char *wanted = json_is_null(want) ? "nothing" : json_string_value(want);
  ck_assert_msg(strcmp(name, wanted) == 0, "%s: wrong is %s, not %s", id, name, wanted);
  const json_t *wanted_need = json_object_get(vec, "need");
  ck_assert_msg((err == IWARP_ERR_NEED_MORE) == (wanted_need != NULL), "%s: need", id);
  ck_assert_msg(wanted_need == NULL || (json_int_t)need == json_integer_value(wanted_need),
                "%s: needs %zu", id, need);

  uint8_t layer = 0;
  uint8_t etype = 0;
  uint8_t code = 0;
  json_t *answer = json_object_get(vec, "answer");
  bool answered = iwarp_err_to_terminate(&layer, &etype, &code, err);
  ck_assert_msg(answered == (answer != NULL), "%s: answer", id);
  if (answered) {
    expect_number(answer, "layer", layer);
    expect_number(answer, "etype", etype);
    expect_number(answer, "code", code);
  }
}

/* Every frame that decodes is cut at every octet: never OK, and `need` is right. */
typedef iwarp_dec cut_decoder(iwarp_span in);

static void expect_cuts(cut_decoder *decode, size_t front) {
  for (size_t n = 0; n < wire_len; n++) {
    iwarp_dec dec = decode(guard_in(wire, n));
    ck_assert_msg(dec.err == IWARP_ERR_NEED_MORE && dec.need == (n < front ? front : wire_len),
                  "%s: %zu octets", id, n);
  }
}

/* Says whether there is a value to compare; if not, the error is all there is. */
static bool has_value(iwarp_dec dec) {
  if (dec.err != IWARP_OK) {
    expect_error(dec.err, dec.need);
    ck_assert_msg(json_is_null(value), "%s: there is a value", id);
    return false;
  }
  ck_assert_msg(json_is_object(value) && dec.used == wire_len, "%s: used %zu", id, dec.used);
  return true;
}

/* ---- forms of a fixed length ---- */

#define FIXED(name)                                                                                \
  static iwarp_dec name##_to(void *out, iwarp_span in) {                                           \
    return name##_decode(out, in);                                                                 \
  }                                                                                                \
  static iwarp_err name##_from(uint8_t *dst, size_t cap, size_t *len, const void *v) {             \
    return name##_encode(dst, cap, len, v);                                                        \
  }
FIXED(iwarp_mpa_enhanced)
FIXED(iwarp_mpa_marker)
FIXED(iwarp_sctp_adaptation)
FIXED(iwarp_erdma_ext)
FIXED(iwarp_rpc_rdma)

static iwarp_dec smbd_to(void *out, iwarp_span in) {
  return iwarp_smbd_depths_decode(out, in, IWARP_BYTE_ORDER_BIG);
}
static iwarp_err smbd_from(uint8_t *dst, size_t cap, size_t *len, const void *v) {
  return iwarp_smbd_depths_encode(dst, cap, len, v, IWARP_BYTE_ORDER_BIG);
}
static iwarp_dec smbd_le_to(void *out, iwarp_span in) {
  return iwarp_smbd_depths_decode(out, in, IWARP_BYTE_ORDER_LITTLE);
}
static iwarp_err smbd_le_from(uint8_t *dst, size_t cap, size_t *len, const void *v) {
  return iwarp_smbd_depths_encode(dst, cap, len, v, IWARP_BYTE_ORDER_LITTLE);
}

typedef struct fixed_form {
  const char *name;
  iwarp_form form;
  iwarp_dec (*decode)(void *out, iwarp_span in);
  iwarp_err (*encode)(uint8_t *dst, size_t cap, size_t *len, const void *v);
} fixed_form;

static const fixed_form fixed_forms[] = {
    {"enhanced", IWARP_FORM_MPA_ENHANCED, iwarp_mpa_enhanced_to, iwarp_mpa_enhanced_from},
    {"marker", IWARP_FORM_MPA_MARKER, iwarp_mpa_marker_to, iwarp_mpa_marker_from},
    {"sctp-adaptation", IWARP_FORM_SCTP_ADAPTATION, iwarp_sctp_adaptation_to,
     iwarp_sctp_adaptation_from},
    {"erdma", IWARP_FORM_ERDMA_EXT, iwarp_erdma_ext_to, iwarp_erdma_ext_from},
    {"smbd", IWARP_FORM_SMBD_DEPTHS, smbd_to, smbd_from},
    {"smbd-le", IWARP_FORM_SMBD_DEPTHS_LE, smbd_le_to, smbd_le_from},
    {"rpc-rdma", IWARP_FORM_RPC_RDMA, iwarp_rpc_rdma_to, iwarp_rpc_rdma_from},
};

static const fixed_form *fixed_form_named(const char *name) {
  for (size_t i = 0; i < sizeof fixed_forms / sizeof fixed_forms[0]; i++) {
    if (strcmp(fixed_forms[i].name, name) == 0) {
      return &fixed_forms[i];
    }
  }
  ck_abort_msg("%s: no form %s", id, name);
  return &fixed_forms[0];
}

/* Any of their values. */
typedef union fixed_value {
  iwarp_mpa_enhanced enhanced;
  iwarp_mpa_marker marker;
  iwarp_sctp_adaptation adaptation;
  iwarp_erdma_ext erdma;
  iwarp_smbd_depths smbd;
  iwarp_rpc_rdma rpc_rdma;
} fixed_value;

/* Compares the form at the front of `in` with the value, where it stands under the form's key. */
static void check_fixed_at(const char *name, iwarp_span in) {
  const fixed_form *f = fixed_form_named(name);
  const size_t len = iwarp_form_get(f->form)->len;
  fixed_value v;
  fixed_value made;
  memset(&made, 0, sizeof made);
  ck_assert_msg(f->decode(&v, in).err == IWARP_OK, "%s: %s", id, name);
  expect_object(f->form, value, in, &v, &made);
  uint8_t octets[16];
  size_t made_len = 0;
  ck_assert_msg(f->encode(octets, sizeof octets, &made_len, &made) == IWARP_OK, "%s: %s", id, name);
  same_octets(name, octets, made_len, in.ptr, len);
}

static void check_fixed(void) {
  const char *name = text_of(vec, "form");
  const fixed_form *f = fixed_form_named(name);
  const size_t len = iwarp_form_get(f->form)->len;
  fixed_value v;
  iwarp_span in = guard_in(wire, wire_len);
  if (!has_value(f->decode(&v, in))) {
    return;
  }
  expect_error(IWARP_OK, 0);
  check_fixed_at(name, in);
  for (size_t n = 0; n < len; n++) {
    iwarp_dec dec = f->decode(&v, guard_in(wire, n));
    ck_assert_msg(dec.err == IWARP_ERR_NEED_MORE && dec.need == len, "%s: %zu octets", id, n);
  }
}

/* What Private Data hold beyond the RFCs of iWARP. */
static void check_private_data(uint8_t rev, iwarp_span in, iwarp_span ulp_data) {
  if (rev == IWARP_MPA_REV_ERDMA) {
    check_fixed_at("erdma", in);
  }
  iwarp_span rpc = iwarp_rpc_rdma_find(in);
  if (rpc.len > 0) {
    check_fixed_at("rpc-rdma", rpc);
  }
  iwarp_byte_order order = iwarp_smbd_depths_guess(ulp_data);
  if (order != IWARP_BYTE_ORDER_UNKNOWN && (rev == 1 || rev == 2)) {
    check_fixed_at(order == IWARP_BYTE_ORDER_BIG ? "smbd" : "smbd-le", ulp_data);
  }
}

/* ---- startup frames ---- */

/* What a receiver finds wrong with a frame that decodes. RFC 5044 7.1.2, RFC 6581 6. */
static iwarp_err startup_error(const iwarp_mpa_startup *v, iwarp_mpa_key key) {
  bool enhanced = (v->flags & IWARP_MPA_FLAG_S) != 0 && v->rev == 2;
  return key == IWARP_MPA_KEY_UNKNOWN                    ? IWARP_ERR_MPA_KEY
         : v->rev > 2                                    ? IWARP_ERR_MPA_REV
         : v->pd_length > IWARP_MPA_PRIVATE_DATA_MAX     ? IWARP_ERR_MPA_PD_LENGTH
         : enhanced && !iwarp_mpa_startup_is_enhanced(v) ? IWARP_ERR_MPA_ENHANCED
                                                         : IWARP_OK;
}

static iwarp_dec cut_startup(iwarp_span in) {
  iwarp_mpa_startup v;
  return iwarp_mpa_startup_decode(&v, in);
}

static void check_startup(void) {
  static const char *const names[] = {"unknown", "request", "reply"};
  static uint8_t private_data[OCTETS_MAX];
  iwarp_mpa_startup v;
  iwarp_mpa_startup made = {.flags = 0};
  iwarp_span in = guard_in(wire, wire_len);
  if (!has_value(iwarp_mpa_startup_decode(&v, in))) {
    return;
  }
  iwarp_mpa_key key = iwarp_mpa_key_classify(in);
  ck_assert_msg(strcmp(names[key], text_of(value, "frame")) == 0, "%s: frame", id);
  json_object_del(value, "frame");
  expect_error(startup_error(&v, key), 0);
  json_t *mpa = json_object_get(value, "mpa");
  made.private_data.len =
      hex_octets(private_data, sizeof private_data, text_of(mpa, "private_data"));
  made.private_data.ptr = private_data;
  expect_octets(mpa, "private_data", v.private_data);
  expect_object(IWARP_FORM_MPA_STARTUP, value, in, &v, &made);
  iwarp_span ulp_data = v.private_data;
  if (iwarp_mpa_startup_is_enhanced(&v)) {
    check_fixed_at("enhanced", v.private_data);
    ulp_data = after(ulp_data, IWARP_MPA_ENHANCED_LEN);
  }
  check_private_data(v.rev, v.private_data, ulp_data);
  uint8_t *dst = guard_out(wire_len);
  size_t len = 0;
  ck_assert_int_eq(iwarp_mpa_startup_encode(dst, wire_len, &len, &made), IWARP_OK);
  same_octets("frame", dst, len, wire, wire_len);
  expect_cuts(cut_startup, IWARP_MPA_STARTUP_LEN);
}

/* ---- segments ---- */

static size_t check_ddp(uint8_t *dst, size_t cap, iwarp_span in, const iwarp_ddp_hdr *v) {
  iwarp_ddp_hdr made = {0};
  size_t len = 0;
  expect_object(v->tagged ? IWARP_FORM_DDP_TAGGED : IWARP_FORM_DDP_UNTAGGED, value, in, v, &made);
  ck_assert_msg(iwarp_ddp_hdr_encode(dst, cap, &len, &made) == IWARP_OK, "%s: DDP header", id);
  return len;
}

static void check_ddp_header(void) {
  iwarp_ddp_hdr v;
  iwarp_span in = guard_in(wire, wire_len);
  if (has_value(iwarp_ddp_hdr_decode(&v, in))) {
    uint8_t octets[IWARP_DDP_UNTAGGED_LEN];
    expect_error(IWARP_OK, 0);
    size_t len = check_ddp(octets, sizeof octets, in, &v);
    same_octets("DDP header", octets, len, wire, wire_len);
  }
}

/* Compares a part of a Terminate that is there or not, and puts it into `made`. */
static void check_term_part(json_t *object, const char *key, iwarp_span got, iwarp_span *made,
                            uint8_t *room, size_t cap) {
  made->ptr = room;
  made->len = 0;
  if (json_object_get(object, key) != NULL) {
    made->len = hex_octets(room, cap, text_of(object, key));
    expect_octets(object, key, got);
  }
  ck_assert_msg(made->len == got.len, "%s: %s", id, key);
}

static iwarp_err check_term(uint8_t *dst, size_t cap, size_t *len, iwarp_span in,
                            const iwarp_rdmap_term *v) {
  static uint8_t room[3][OCTETS_MAX];
  iwarp_rdmap_term made = {0};
  json_t *object = json_object_get(value, "terminate");
  expect_form(IWARP_FORM_RDMAP_TERM, object, in, v, &made);
  made.has_ddp_segment_length = json_object_get(object, "ddp_segment_length") != NULL;
  ck_assert_msg(made.has_ddp_segment_length == v->has_ddp_segment_length, "%s: length", id);
  if (made.has_ddp_segment_length) {
    expect_form(IWARP_FORM_RDMAP_TERM_LENGTH, object, after(in, 4), v, &made);
  }
  check_term_part(object, "ddp_header", v->ddp_header, &made.ddp_header, room[0], OCTETS_MAX);
  check_term_part(object, "rdma_header", v->rdma_header, &made.rdma_header, room[1], OCTETS_MAX);
  check_term_part(object, "rest", v->rest, &made.rest, room[2], OCTETS_MAX);
  expect_nothing_left(object, "terminate");
  json_object_del(value, "terminate");
  return iwarp_rdmap_term_encode(dst, cap, len, &made);
}

/* Compares the message header and encodes it; *len is 0 if there is no header. */
static iwarp_err check_message(uint8_t *dst, size_t cap, size_t *len, iwarp_span in,
                               const iwarp_rdmap_seg *v) {
  iwarp_rdmap_seg made = {0};
  *len = 0;
  switch (v->kind) {
  case IWARP_RDMAP_KIND_READ_REQ:
    expect_object(IWARP_FORM_RDMAP_READ_REQ, value, in, &v->u.read_req, &made.u.read_req);
    return iwarp_rdmap_read_req_encode(dst, cap, len, &made.u.read_req);
  case IWARP_RDMAP_KIND_TERM: return check_term(dst, cap, len, in, &v->u.term);
  case IWARP_RDMAP_KIND_IMMEDIATE:
    expect_object(IWARP_FORM_RDMAP_IMMEDIATE, value, in, v->u.immediate, dst);
    *len = IWARP_RDMAP_IMMEDIATE_LEN;
    return IWARP_OK;
  case IWARP_RDMAP_KIND_ATOMIC_REQ:
    expect_object(IWARP_FORM_RDMAP_ATOMIC_REQ, value, in, &v->u.atomic_req, &made.u.atomic_req);
    return iwarp_rdmap_atomic_req_encode(dst, cap, len, &made.u.atomic_req);
  case IWARP_RDMAP_KIND_ATOMIC_RESP:
    expect_object(IWARP_FORM_RDMAP_ATOMIC_RESP, value, in, &v->u.atomic_resp, &made.u.atomic_resp);
    return iwarp_rdmap_atomic_resp_encode(dst, cap, len, &made.u.atomic_resp);
  case IWARP_RDMAP_KIND_NONE: return IWARP_OK;
  }
  return IWARP_ERR_ARG;
}

/* Checks the segment `in` against the rest of the value and returns what is wrong with it. */
static iwarp_err check_segment_at(iwarp_span in) {
  static uint8_t made[OCTETS_MAX];
  iwarp_rdmap_seg v;
  iwarp_rdmap_seg_decode(&v, in, in.len);
  if (!v.has_ddp) {
    return v.err;
  }
  iwarp_rdmap_ctrl ctrl = {0};
  size_t hdr = check_ddp(made, sizeof made, in, &v.ddp);
  expect_object(IWARP_FORM_RDMAP_CTRL, value, after(in, 1), &v.ctrl, &ctrl);
  ck_assert_msg(iwarp_rdmap_ctrl_encode(ctrl) == made[1], "%s: RDMAP Control Field", id);
  size_t len = 0;
  iwarp_err err = check_message(made + hdr, sizeof made - hdr, &len, after(in, hdr), &v);
  ck_assert_msg(err == IWARP_OK, "%s: message: %s", id, iwarp_errname(err));
  len += hdr;
  ck_assert_msg(v.payload_len == in.len - hdr, "%s: payload of %zu octets", id, v.payload_len);
  len += take_octets(made + len, sizeof made - len, value, "payload");
  same_octets("segment", made, len, in.ptr, in.len);
  return v.kind == IWARP_RDMAP_KIND_TERM && v.err == IWARP_OK ? v.u.term.tail_err : v.err;
}

static void check_segment(void) {
  iwarp_span in = guard_in(wire, wire_len);
  if (json_is_null(value)) {
    value = json_object();
    expect_error(check_segment_at(in), 0);
    json_decref(value);
    value = NULL;
    return;
  }
  expect_error(check_segment_at(in), 0);
}

/* ---- SCTP ---- */

static iwarp_dec cut_sctp_segment(iwarp_span in) {
  iwarp_sctp_segment v;
  return iwarp_sctp_segment_decode(&v, in);
}

static iwarp_dec cut_sctp_control(iwarp_span in) {
  iwarp_sctp_control v;
  return iwarp_sctp_control_decode(&v, in);
}

/* Only octets of the fixed part can be missing: SCTP tells where the message ends. */
static void expect_cuts_of_fixed_part(cut_decoder *decode, size_t fixed) {
  for (size_t n = 0; n <= wire_len; n++) {
    iwarp_dec dec = decode(guard_in(wire, n));
    ck_assert_msg(n < fixed ? dec.err == IWARP_ERR_NEED_MORE && dec.need == fixed
                            : dec.err == IWARP_OK && dec.used == n,
                  "%s: %zu octets", id, n);
  }
}

static void check_sctp_segment(void) {
  static uint8_t segment[OCTETS_MAX];
  iwarp_sctp_segment v;
  iwarp_sctp_segment made = {0};
  iwarp_span in = guard_in(wire, wire_len);
  if (!has_value(iwarp_sctp_segment_decode(&v, in))) {
    return;
  }
  json_t *object = json_object_get(value, "sctp_segment");
  made.segment.len = hex_octets(segment, sizeof segment, text_of(object, "segment"));
  made.segment.ptr = segment;
  expect_octets(object, "segment", v.segment);
  expect_object(IWARP_FORM_SCTP_SEGMENT, value, in, &v, &made);
  expect_error(check_segment_at(made.segment), 0);
  uint8_t *dst = guard_out(wire_len);
  size_t len = 0;
  ck_assert_int_eq(iwarp_sctp_segment_encode(dst, wire_len, &len, &made), IWARP_OK);
  same_octets("chunk", dst, len, wire, wire_len);
  expect_cuts_of_fixed_part(cut_sctp_segment, IWARP_SCTP_SEGMENT_LEN);
}

static void check_sctp_control(void) {
  static uint8_t private_data[OCTETS_MAX];
  iwarp_sctp_control v;
  iwarp_sctp_control made = {0};
  iwarp_span in = guard_in(wire, wire_len);
  if (!has_value(iwarp_sctp_control_decode(&v, in))) {
    return;
  }
  expect_error(IWARP_OK, 0);
  json_t *object = json_object_get(value, "sctp_control");
  made.private_data.len =
      hex_octets(private_data, sizeof private_data, text_of(object, "private_data"));
  made.private_data.ptr = private_data;
  expect_octets(object, "private_data", v.private_data);
  expect_object(IWARP_FORM_SCTP_CONTROL, value, in, &v, &made);
  iwarp_span enhanced = iwarp_sctp_control_enhanced(&v);
  if (enhanced.len > 0) {
    check_fixed_at("enhanced", enhanced);
  }
  check_private_data(0, v.private_data, v.private_data);
  uint8_t *dst = guard_out(wire_len);
  size_t len = 0;
  ck_assert_int_eq(iwarp_sctp_control_encode(dst, wire_len, &len, &made), IWARP_OK);
  same_octets("message", dst, len, wire, wire_len);
  expect_cuts_of_fixed_part(cut_sctp_control, IWARP_SCTP_CONTROL_LEN);
}

/* ---- FPDUs ---- */

static iwarp_mpa_fpdu_desc desc; /* of the FPDU available */

static iwarp_dec cut_fpdu(iwarp_span in) {
  iwarp_mpa_fpdu v;
  return iwarp_mpa_fpdu_decode(&v, in, desc.off, desc.markers);
}

/* Compares the Markers, puts them into `made`, and says what is wrong with them. */
static iwarp_err check_markers(const iwarp_mpa_fpdu *v, iwarp_mpa_marker *made, bool *exact) {
  json_t *list = json_object_get(value, "markers");
  iwarp_err result = IWARP_OK;
  ck_assert_msg(json_array_size(list) == v->layout.num_markers, "%s: Markers", id);
  *exact = true;
  for (size_t i = 0; i < v->layout.num_markers; i++) {
    iwarp_mpa_marker got;
    iwarp_mpa_marker expected;
    size_t at = 0;
    json_t *object = json_array_get(list, i);
    ck_assert_int_eq(iwarp_mpa_fpdu_marker(&got, &expected, &at, v, i), IWARP_OK);
    expect_number(object, "at", at);
    expect_number(object, "expected", expected.fpduptr);
    expect_form(IWARP_FORM_MPA_MARKER, object, after(v->wire, at), &got, &made[i]);
    expect_nothing_left(object, "marker");
    *exact = *exact && got.fpduptr == expected.fpduptr && got.reserved == 0;
    if ((got.fpduptr & ~3u) != expected.fpduptr) { /* RFC 5044 4.2: the two low bits do not count */
      result = IWARP_ERR_MPA_MARKER;
    }
  }
  json_object_del(value, "markers");
  return result;
}

static void encode_fpdu(void) {
  uint8_t *dst = guard_out(wire_len);
  size_t len = 0;
  iwarp_err err = iwarp_mpa_fpdu_encode(dst, wire_len, &len, &desc);
  ck_assert_msg(err == IWARP_OK, "%s: %s", id, iwarp_errname(err));
  same_octets("FPDU", dst, len, wire, wire_len);
}

static void check_fpdu(void) {
  static uint8_t ulpdu[OCTETS_MAX];
  static uint8_t copied[OCTETS_MAX];
  static iwarp_mpa_marker markers[IWARP_MPA_MARKERS_MAX];
  iwarp_mpa_fpdu v;
  iwarp_mpa_fpdu made = {.crc = 0};
  bool exact = false;
  desc = (iwarp_mpa_fpdu_desc){.off = number_of(vec, "stream_off"),
                               .markers = json_is_true(json_object_get(vec, "markers"))};
  iwarp_span in = guard_in(wire, wire_len);
  if (!has_value(iwarp_mpa_fpdu_decode(&v, in, desc.off, desc.markers))) {
    return;
  }
  iwarp_err err = check_markers(&v, markers, &exact);
  expect_object(IWARP_FORM_MPA_FPDU, value, after(in, v.layout.lead), &v, &made);
  expect_object(IWARP_FORM_MPA_CRC, value, after(in, v.layout.crc_off), &v, &made);
  expect_number(value, "crc_computed", iwarp_mpa_fpdu_crc(&v));
  bool crc_good = v.crc == iwarp_mpa_fpdu_crc(&v);
  size_t len = take_octets(ulpdu, sizeof ulpdu, value, "ulpdu");
  size_t got = iwarp_mpa_fpdu_ulpdu_copy(copied, sizeof copied, &v, 0);
  same_octets("ULPDU", copied, got, ulpdu, len);
  desc.ulpdu = (iwarp_span){ulpdu, len};
  size_t pad = take_octets(desc.pad, sizeof desc.pad, value, "pad");
  same_octets("PAD", v.pad, v.layout.pad, desc.pad, pad);

  if (crc_good && exact) { /* what a sender makes by itself */
    encode_fpdu();
  }
  desc.crc_given = true;
  desc.crc = made.crc;
  desc.marker_values = markers;
  desc.num_marker_values = v.layout.num_markers;
  encode_fpdu();
  iwarp_err inner = check_segment_at((iwarp_span){ulpdu, len});
  expect_error(!crc_good ? IWARP_ERR_MPA_CRC : err != IWARP_OK ? err : inner, 0);
  expect_cuts(cut_fpdu, v.layout.lead + 2);
}

/* ---- the files ---- */

static void (*check_of(const char *form))(void) {
  static const struct {
    const char *form;
    void (*check)(void);
  } forms[] = {{"startup", check_startup},           {"ddp-header", check_ddp_header},
               {"segment", check_segment},           {"fpdu", check_fpdu},
               {"sctp-segment", check_sctp_segment}, {"sctp-control", check_sctp_control}};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    if (strcmp(form, forms[i].form) == 0) {
      return forms[i].check;
    }
  }
  return check_fixed;
}

static void check_vector(void) {
  id = json_string_value(json_object_get(vec, "id"));
  wire_len = hex_octets(wire, sizeof wire, text_of(vec, "wire"));
  value = json_object_get(vec, "value");
  const char *direction = json_is_null(value) ? "decode" : "both";
  ck_assert_msg(strcmp(text_of(vec, "direction"), direction) == 0, "%s: direction", id);
  check_of(text_of(vec, "form"))();
  expect_nothing_left(value, "value");
}

/* Checks the vectors of a file and returns how many there are. */
static size_t check_file(const char *name) {
  char path[512];
  json_error_t error;
  snprintf(path, sizeof path, FOLDER "/%s", name);
  json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(root != NULL, "%s:%d: %s", path, error.line, error.text);
  const json_t *list = json_object_get(root, "vectors");
  size_t num = json_array_size(list);
  ck_assert_msg(num > 0, "%s: no vectors", path);
  for (size_t i = 0; i < num; i++) {
    vec = json_array_get(list, i);
    check_vector();
  }
  json_decref(root);
  return num;
}

START_TEST(vectors_mean_what_they_say)
{
  DIR *folder = opendir(FOLDER);
  ck_assert_msg(folder != NULL, "%s: run from the root of the source tree", FOLDER);
  size_t num = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    const char *dot = strrchr(entry->d_name, '.');
    if (dot != NULL && strcmp(dot, ".json") == 0) {
      num += check_file(entry->d_name);
    }
  }
  closedir(folder);
  ck_assert_uint_ge(num, VECTORS_MIN);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {vectors_mean_what_they_say, NULL};
  return check_run(check_suite("frames", tests));
}
