/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of one form as JSON, by the field table of the library. */
#include "pdu_parts.h"

#include <report/frame.h>

#include <stdio.h>

#define FORM_STRING_BITS 32u /* width from which on hexadecimal numbers are strings in a dump */

static void form_json_field(jsonw *w, const iwarp_field *field, iwarp_span in) {
  uint64_t v = 0;
  if (field->kind == IWARP_FIELD_KIND_OCTETS) {
    iwarp_span octets = {0};
    if (iwarp_field_octets(&octets, field, in) == IWARP_OK) {
      jsonw_octets(w, field->key, octets.ptr, octets.len);
    }
    return;
  }
  if (iwarp_field_uint(&v, field, in) != IWARP_OK) {
    return;
  }
  if (field->kind == IWARP_FIELD_KIND_FLAG) {
    jsonw_bool(w, field->key, v != 0);
  } else if (field->kind == IWARP_FIELD_KIND_UINT || field->kind == IWARP_FIELD_KIND_UINT_LE) {
    jsonw_u64(w, field->key, v);
  } else {
    jsonw_key(w, field->key);
    out_char(w->out, '"');
    out_hex(w->out, v, (field->num_bits + 3u) / 4u);
    out_char(w->out, '"');
  }
}

/* The fields of a form, without the braces around them. */
void report_fields_json(jsonw *w, iwarp_form form, iwarp_span in) {
  const iwarp_form_info *info = iwarp_form_get(form);
  for (size_t i = 0; i < info->num_fields; i++) {
    form_json_field(w, &info->fields[i], in);
  }
}

void report_form_json(jsonw *w, iwarp_form form, iwarp_span in) {
  jsonw_object(w, iwarp_form_get(form)->key);
  report_fields_json(w, form, in);
  jsonw_end_object(w);
}

/* ---- dumps: the keys of the command line contract ---- */

static bool form_is_hex(const iwarp_field *field) {
  return field->kind == IWARP_FIELD_KIND_HEX || field->kind == IWARP_FIELD_KIND_HEX_LE;
}

static void form_brief_value(jsonw *w, const iwarp_field *field, const char *key, iwarp_span in) {
  iwarp_span octets;
  uint64_t v = 0;
  if (field->kind == IWARP_FIELD_KIND_OCTETS) {
    if (iwarp_field_octets(&octets, field, in) == IWARP_OK) {
      jsonw_octets(w, key, octets.ptr, octets.len);
    }
  } else if (iwarp_field_uint(&v, field, in) != IWARP_OK) {
    return;
  } else if (field->kind == IWARP_FIELD_KIND_FLAG) {
    jsonw_bool(w, key, v != 0);
  } else if (form_is_hex(field) && field->num_bits > FORM_STRING_BITS) {
    jsonw_hex64(w, key, v);
  } else if (form_is_hex(field) && field->num_bits == FORM_STRING_BITS) {
    jsonw_hex32(w, key, (uint32_t)v);
  } else {
    jsonw_u64(w, key, v);
  }
}

void report_brief_json_from(jsonw *w, iwarp_form form, iwarp_span in, size_t from, size_t to) {
  const iwarp_form_info *info = iwarp_form_get(form);
  for (size_t i = 0; i < info->num_fields; i++) {
    const iwarp_field *field = &info->fields[i];
    if (field->brief && field->bit_off >= from && field->bit_off < to) {
      form_brief_value(w, field, field->key, in);
    }
  }
}

void report_brief_json(jsonw *w, iwarp_form form, iwarp_span in) {
  report_brief_json_from(w, form, in, 0, SIZE_MAX);
}

void report_other_json(jsonw *w, iwarp_form form, iwarp_span in) {
  const iwarp_form_info *info = iwarp_form_get(form);
  for (size_t i = 0; i < info->num_fields; i++) {
    char key[64];
    const iwarp_field *field = &info->fields[i];
    snprintf(key, sizeof key, "%s_%s", info->key, field->key);
    if (!field->brief && field->kind != IWARP_FIELD_KIND_OCTETS) {
      form_brief_value(w, field, key, in);
    }
  }
}
