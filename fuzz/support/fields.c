/* SPDX-License-Identifier: BSD-2-Clause */
/* The slow table-driven decoder: every field of a form, one bit at a time. */
#include "fields.h"

#include "field_bind.h"
#include "fuzz.h"

/* A number whose least significant octet comes first is read from its last octet back. */
static bool little(const iwarp_field *field) {
  return field->kind == IWARP_FIELD_KIND_HEX_LE || field->kind == IWARP_FIELD_KIND_UINT_LE;
}

uint64_t fields_slow(const iwarp_field *field, iwarp_span in) {
  uint64_t v = 0;
  for (size_t i = 0; i < field->num_bits; i++) {
    const size_t at = little(field) ? field->num_bits - 8 - i / 8 * 8 + i % 8 : i;
    const size_t bit = field->bit_off + at;
    v = v << 1 | (in.ptr[bit / 8] >> (7 - bit % 8) & 1u);
  }
  return v;
}

static bool is_there(const iwarp_field *field, iwarp_span in) {
  return (size_t)(field->bit_off + field->num_bits + 7) / 8 <= in.len;
}

static void check_uint(const iwarp_field *field, iwarp_span in) {
  uint64_t v = 0;
  const iwarp_err err = iwarp_field_uint(&v, field, in);
  if (err == IWARP_ERR_ARG) {
    return; /* the field holds octets */
  }
  fuzz_expect((err == IWARP_OK) == is_there(field, in), "%s: %s", field->path, iwarp_errname(err));
  fuzz_expect(err != IWARP_OK || v == fields_slow(field, in), "%s: the table reads %llx",
              field->path, (unsigned long long)v);
}

static void check_octets(const iwarp_field *field, iwarp_span in) {
  iwarp_span out = {0};
  const iwarp_err err = iwarp_field_octets(&out, field, in);
  if (err == IWARP_OK) {
    fuzz_expect(out.len == 0 ||
                    (out.ptr == in.ptr + field->octet_off && out.len <= in.len - field->octet_off),
                "%s: octets outside the input", field->path);
  }
  fuzz_expect(field->num_bits == 0 || (err == IWARP_OK) == is_there(field, in), "%s: octets",
              field->path);
}

void fields_table(iwarp_form form, iwarp_span in) {
  const iwarp_form_info *info = iwarp_form_get(form);
  for (size_t i = 0; i < info->num_fields; i++) {
    check_uint(&info->fields[i], in);
    check_octets(&info->fields[i], in);
  }
}

void fields_agree(iwarp_form form, iwarp_span in, const void *v) {
  const iwarp_form_info *info = iwarp_form_get(form);
  uint64_t table;
  for (size_t i = 0; i < info->num_fields; i++) {
    const iwarp_field *field = &info->fields[i];
    if (iwarp_field_uint(&table, field, in) == IWARP_OK) {
      const field_bind *bind = field_bind_of(field->id);
      const uint64_t slow = fields_slow(field, in);
      const uint64_t value = field_bind_get(bind, v);
      fuzz_expect(table == slow && value == slow, "%s: %llx by the table, %llx by hand, is %llx",
                  field->path, (unsigned long long)table, (unsigned long long)value,
                  (unsigned long long)slow);
    }
  }
}
