/* SPDX-License-Identifier: BSD-2-Clause */
/* The field table: complete, without overlap, and in accord with the other tables. */
#include <iwarp/field.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"

static const iwarp_form form_list[] = {
#define FORM_LIST(name, id, key, label, octets, rfc) IWARP_FORM_##name,
    IWARP_FORM_MAP(FORM_LIST)};
#define NUM_FORMS (sizeof form_list / sizeof form_list[0])

START_TEST(fields_cover_their_form_in_order)
{
  for (size_t i = 0; i < NUM_FORMS; i++) {
    const iwarp_form_info *info = iwarp_form_get(form_list[i]);
    ck_assert_ptr_nonnull(info);
    ck_assert_int_eq(info->form, form_list[i]);
    size_t bit = 0;
    for (size_t k = 0; k < info->num_fields; k++) {
      const iwarp_field *f = &info->fields[k];
      ck_assert_msg(f->bit_off == bit, "%s.%s begins at bit %u", info->label, f->key, f->bit_off);
      bit += f->num_bits;
      ck_assert_msg(f->num_bits != 0 || k + 1 == info->num_fields, "%s.%s", info->label, f->key);
    }
    ck_assert_msg(bit == 8 * info->len, "%s ends at bit %zu", info->label, bit);
  }
}
END_TEST

/* An RFC and its section, or who uses what no RFC has. */
static bool is_source(const char *text) {
  return strncmp(text, "RFC ", 4) == 0 || strcmp(text, "MS-SMBD") == 0 ||
         strcmp(text, "erdma") == 0;
}

START_TEST(ids_and_keys_are_unique_and_texts_are_there)
{
  for (size_t i = 0; i < NUM_FORMS; i++) {
    const iwarp_form_info *info = iwarp_form_get(form_list[i]);
    ck_assert(strlen(info->key) > 0 && strlen(info->label) > 0 && is_source(info->rfc));
    for (size_t k = 0; k < info->num_fields; k++) {
      const iwarp_field *f = &info->fields[k];
      ck_assert_uint_eq(f->id, (unsigned)info->form * 256 + k + 1);
      ck_assert_ptr_eq(iwarp_field_get(f->id), f);
      ck_assert_msg(is_source(f->rfc) && strlen(f->label) > 0, "%s", f->key);
      ck_assert_msg(strspn(f->key, "abcdefghijklmnopqrstuvwxyz_") == strlen(f->key), "%s", f->key);
      for (size_t j = 0; j < k; j++) {
        ck_assert_msg(strcmp(f->key, info->fields[j].key) != 0, "%s twice", f->key);
      }
    }
  }
}
END_TEST

START_TEST(what_is_not_in_the_table)
{
  ck_assert_ptr_null(iwarp_form_get((iwarp_form)0));
  ck_assert_ptr_null(iwarp_form_get((iwarp_form)99));
  ck_assert_ptr_null(iwarp_field_get(IWARP_FIELD_NONE));
  ck_assert_ptr_null(iwarp_field_get(IWARP_FORM_DDP_TAGGED * 256));
  ck_assert_ptr_null(iwarp_field_get(IWARP_FIELD_DDP_TAGGED_TO + 1));
  ck_assert_ptr_null(iwarp_field_get(0xFFFF));
}
END_TEST

START_TEST(names_agree_with_the_other_tables)
{
  const iwarp_field *opcode = iwarp_field_get(IWARP_FIELD_RDMAP_CTRL_OPCODE);
  for (uint8_t i = 0; i < 16; i++) {
    ck_assert_str_eq(iwarp_field_value_name(opcode, i), iwarp_rdmap_op_get(i)->name);
  }
  ck_assert_ptr_null(iwarp_field_value_name(opcode, 16));
  const iwarp_field *layer = iwarp_field_get(IWARP_FIELD_RDMAP_TERM_LAYER);
  for (uint8_t i = 0; i < 16; i++) {
    ck_assert_pstr_eq(iwarp_field_value_name(layer, i), iwarp_rdmap_term_layer_name(i));
  }
  const iwarp_field *function = iwarp_field_get(IWARP_FIELD_SCTP_CONTROL_FUNCTION);
  for (uint32_t i = 0; i <= 0xFFFF; i++) {
    const iwarp_sctp_function_info *info = iwarp_sctp_function_get((uint16_t)i);
    const char *name = iwarp_field_value_name(function, i);
    expect((name == NULL) == (info == NULL), "%u", i);
    expect(name == NULL || strcmp(name, info->name) == 0, "%u: %s", i, name);
  }
  ck_assert_str_eq(iwarp_field_value_name(iwarp_field_get(IWARP_FIELD_MPA_ENHANCED_IRD), 0x3FFF),
                   "not negotiated");
  ck_assert_ptr_null(iwarp_field_value_name(iwarp_field_get(IWARP_FIELD_DDP_TAGGED_STAG), 0));
}
END_TEST

typedef struct read_vector {
  uint16_t id;
  const char *hex;
  uint64_t want;
} read_vector;

static const read_vector read_vectors[] = {
    {IWARP_FIELD_MPA_STARTUP_S, "(00*16) 10 02 0008", 1},
    {IWARP_FIELD_MPA_STARTUP_RES, "(FF*16) 1A 02 0008", 10},
    {IWARP_FIELD_MPA_STARTUP_PD_LENGTH, "(00*18) 0102", 258},
    {IWARP_FIELD_MPA_ENHANCED_IRD, "C001 0000", 1},
    {IWARP_FIELD_MPA_ENHANCED_ORD, "FFFF C002", 2},
    {IWARP_FIELD_MPA_CRC_CRC, "52239983", 0x83992352},
    {IWARP_FIELD_DDP_TAGGED_RSVD, "BD", 15},
    {IWARP_FIELD_DDP_TAGGED_TO, "(FF*6) 0123456789ABCDEF", UINT64_C(0x0123456789ABCDEF)},
    {IWARP_FIELD_DDP_UNTAGGED_MO, "(00*14) DEADBEEF", 0xDEADBEEF},
    {IWARP_FIELD_RDMAP_TERM_RESERVED, "0000 FFFE", 0x1FFE},
    {IWARP_FIELD_SCTP_CONTROL_FUNCTION, "0001 0007", 7},
    {IWARP_FIELD_SCTP_ADAPTATION_INDICATION, "C006 0008 00000001", 1},
    {IWARP_FIELD_RDMAP_ATOMIC_REQ_RESERVED, "ABCDEF12", 0xABCDEF1},
    {IWARP_FIELD_ERDMA_EXT_RESERVED, "00000001 ABCDEF12", 0xABCDEF1},
    {IWARP_FIELD_ERDMA_EXT_CC, "00000001 ABCDEF12", 2},
    {IWARP_FIELD_SMBD_DEPTHS_ORD, "00000001 00000102", 258},
    {IWARP_FIELD_SMBD_DEPTHS_LE_ORD, "00000001 02010000", 258},
    {IWARP_FIELD_RPC_RDMA_RESERVED, "F6AB0E18 01FE0304", 127},
    {IWARP_FIELD_RPC_RDMA_R, "F6AB0E18 01FE0304", 0},
};

START_TEST(values_are_read_and_short_input_is_seen)
{
  for (size_t i = 0; i < sizeof read_vectors / sizeof read_vectors[0]; i++) {
    const read_vector *vec = &read_vectors[i];
    const iwarp_field *f = iwarp_field_get(vec->id);
    uint8_t octets[32];
    size_t len = hex_octets(octets, sizeof octets, vec->hex);
    size_t end = (f->bit_off + f->num_bits + 7u) / 8u;
    for (size_t n = 0; n <= len; n++) {
      uint64_t got = 0x5555;
      iwarp_err err = iwarp_field_uint(&got, f, guard_in(octets, n));
      ck_assert_msg(err == (n < end ? IWARP_ERR_NEED_MORE : IWARP_OK), "%s of %s", f->key,
                    vec->hex);
      ck_assert_msg(got == (n < end ? 0x5555 : vec->want), "%s of %s", f->key, vec->hex);
    }
  }
}
END_TEST

START_TEST(octets_are_borrowed)
{
  const iwarp_field *data = iwarp_field_get(IWARP_FIELD_MPA_STARTUP_PRIVATE_DATA);
  uint8_t octets[32] = {0};
  iwarp_span in = guard_in(octets, 25);
  iwarp_span span;
  uint64_t number = 0;
  ck_assert_int_eq(iwarp_field_uint(&number, data, in), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_field_octets(&span, data, in), IWARP_OK);
  ck_assert_ptr_eq(span.ptr, in.ptr + 20);
  ck_assert_uint_eq(span.len, 5);
  in = guard_in(octets, 20);
  ck_assert_int_eq(iwarp_field_octets(&span, data, in), IWARP_OK);
  ck_assert_uint_eq(span.len, 0);
  in = guard_in(octets, 19);
  ck_assert_int_eq(iwarp_field_octets(&span, data, in), IWARP_ERR_NEED_MORE);
  const iwarp_field *ird = iwarp_field_get(IWARP_FIELD_MPA_ENHANCED_IRD);
  in = guard_in(octets, 4);
  ck_assert_int_eq(iwarp_field_octets(&span, ird, in), IWARP_OK); /* those in which it lies */
  ck_assert_ptr_eq(span.ptr, in.ptr);
  ck_assert_uint_eq(span.len, 2);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {fields_cover_their_form_in_order,
                                ids_and_keys_are_unique_and_texts_are_there,
                                what_is_not_in_the_table,
                                names_agree_with_the_other_tables,
                                values_are_read_and_short_input_is_seen,
                                octets_are_borrowed,
                                NULL};
  return check_run(check_suite("field", tests));
}
