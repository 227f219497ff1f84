/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of one form as lines of text, by the field table of the library. */
#include <report/frame.h>

#include <string.h>

#define FORM_LABEL_WIDTH 28u

static void form_pad(out_buf *out, const char *text, size_t width) {
  const size_t len = strlen(text);
  out_str(out, text);
  out_fill(out, ' ', len < width ? width - len : 1);
}

static void form_head(out_buf *out, const char *label, const char *rfc) {
  out_str(out, "    ");
  out_str(out, label);
  out_str(out, " (");
  out_str(out, rfc);
  out_str(out, ")\n");
}

/* A line of something that is no row of the table. */
void report_note_put(out_buf *out, const char *label) {
  out_fill(out, ' ', 18);
  form_pad(out, label, FORM_LABEL_WIDTH);
}

static void form_value(out_buf *out, const iwarp_field *field, iwarp_span in) {
  uint64_t v = 0;
  if (iwarp_field_uint(&v, field, in) != IWARP_OK) {
    return;
  }
  if (field->kind == IWARP_FIELD_KIND_HEX || field->kind == IWARP_FIELD_KIND_HEX_LE) {
    out_hex(out, v, (field->num_bits + 3u) / 4u);
  } else {
    out_u64(out, v);
  }
  const char *name = iwarp_field_value_name(field, v);
  if (iwarp_name_known(name)) {
    out_str(out, " (");
    out_str(out, name);
    out_char(out, ')');
  }
}

static void form_row(out_buf *out, const iwarp_field *field, iwarp_span in) {
  iwarp_span octets = {0};
  if (iwarp_field_octets(&octets, field, in) != IWARP_OK || octets.len == 0) {
    return;
  }
  out_u64_width(out, field->bit_off, 11);
  out_char(out, ':');
  const uint64_t bits = field->num_bits != 0 ? field->num_bits : octets.len * 8;
  out_u64(out, bits);
  out_fill(out, ' ', bits < 10 ? 5 : bits < 100 ? 4 : bits < 1000 ? 3 : 2);
  form_pad(out, field->label, FORM_LABEL_WIDTH);
  if (field->kind == IWARP_FIELD_KIND_OCTETS) {
    out_octets(out, octets.ptr, octets.len, 0);
  } else {
    form_value(out, field, in);
  }
  out_char(out, '\n');
}

void report_form_put(out_buf *out, iwarp_form form, iwarp_span in) {
  const iwarp_form_info *info = iwarp_form_get(form);
  if (info == NULL || in.len == 0) {
    return;
  }
  form_head(out, info->label, info->rfc);
  for (size_t i = 0; i < info->num_fields; i++) {
    form_row(out, &info->fields[i], in);
  }
}
