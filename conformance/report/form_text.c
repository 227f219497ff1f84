/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of one form as lines of text, by the field table of the library. */
#include <report/frame.h>

#include <string.h>

#define FORM_LABEL_WIDTH 28u

static void form_pad(sink *out, const char *text, size_t width) {
  const size_t len = strlen(text);
  sink_str(out, text);
  sink_fill(out, ' ', len < width ? width - len : 1);
}

static void form_head(sink *out, const char *label, const char *rfc) {
  sink_str(out, "    ");
  sink_str(out, label);
  sink_str(out, " (");
  sink_str(out, rfc);
  sink_str(out, ")\n");
}

/* A line of something that is no row of the table. */
void report_note_put(sink *out, const char *label) {
  sink_fill(out, ' ', 18);
  form_pad(out, label, FORM_LABEL_WIDTH);
}

static void form_value(sink *out, const iwarp_field *field, iwarp_span in) {
  uint64_t v = 0;
  if (iwarp_field_uint(&v, field, in) != IWARP_OK) {
    return;
  }
  if (field->kind == IWARP_FIELD_KIND_HEX || field->kind == IWARP_FIELD_KIND_HEX_LE) {
    sink_hex(out, v, (field->num_bits + 3u) / 4u);
  } else {
    sink_u64(out, v);
  }
  const char *name = iwarp_field_value_name(field, v);
  if (name != NULL) {
    sink_str(out, " (");
    sink_str(out, name);
    sink_char(out, ')');
  }
}

static void form_row(sink *out, const iwarp_field *field, iwarp_span in) {
  iwarp_span octets = {0};
  if (iwarp_field_octets(&octets, field, in) != IWARP_OK || octets.len == 0) {
    return;
  }
  sink_u64_width(out, field->bit_off, 11);
  sink_char(out, ':');
  const uint64_t bits = field->num_bits != 0 ? field->num_bits : octets.len * 8;
  sink_u64(out, bits);
  sink_fill(out, ' ', bits < 10 ? 5 : bits < 100 ? 4 : bits < 1000 ? 3 : 2);
  form_pad(out, field->label, FORM_LABEL_WIDTH);
  if (field->kind == IWARP_FIELD_KIND_OCTETS) {
    sink_octets(out, octets.ptr, octets.len, 0);
  } else {
    form_value(out, field, in);
  }
  sink_char(out, '\n');
}

void report_form_put(sink *out, iwarp_form form, iwarp_span in) {
  const iwarp_form_info *info = iwarp_form_get(form);
  if (info == NULL || in.len == 0) {
    return;
  }
  form_head(out, info->label, info->rfc);
  for (size_t i = 0; i < info->num_fields; i++) {
    form_row(out, &info->fields[i], in);
  }
}
