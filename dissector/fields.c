/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers the fields by a loop over the field table of the library. */
#include "fields.h"

#include <iwarp/rules.h>

#include "iwarp_proto.h"

#define FIELDS_FORMS 64u   /* more than there are forms */
#define FIELDS_NUMBERS 32u /* and fields of one */
#define FIELDS_FORM_OF(id) ((id) / 256u)
#define FIELDS_NUMBER_OF(id) ((id) % 256u)

static const value_string fields_roles[] = {{IWARP_ROLE_UNKNOWN, "Unknown"},
                                            {IWARP_ROLE_INITIATOR, "Initiator"},
                                            {IWARP_ROLE_RESPONDER, "Responder"},
                                            {0, NULL}};
static const value_string fields_types[] = {
    {1, "MPA Request Frame"}, {2, "MPA Reply Frame"}, {0, NULL}};

fields_beside hf_iwarp;
fields_ett ett_iwarp = {-1, -1, -1, -1, -1, -1, -1};

/* By form and number of the field: the place of the one that has its path. */
static int *fields_at[2][FIELDS_FORMS][FIELDS_NUMBERS];

int fields_hf(const iwarp_field *field, bool returned) {
  return *fields_at[returned][FIELDS_FORM_OF(field->id)][FIELDS_NUMBER_OF(field->id)];
}

/* ---- a row of the table as Wireshark wants it ---- */

unsigned int fields_shift(const iwarp_field *field) {
  return 8u * field->num_octets - (field->bit_off - 8u * field->octet_off) - field->num_bits;
}

static enum ftenum fields_type(const iwarp_field *field) {
  if (field->kind == IWARP_FIELD_KIND_OCTETS) {
    return FT_BYTES;
  }
  if (field->kind == IWARP_FIELD_KIND_FLAG) {
    return FT_BOOLEAN;
  }
  switch (field->num_octets) {
  case 1: return FT_UINT8;
  case 2: return FT_UINT16;
  case 4: return FT_UINT32;
  default: return FT_UINT64;
  }
}

/* Where not all values have names, those without are shown as the number alone. */
static int fields_base(const iwarp_field *field) {
  const int names = field->num_values > 0 ? BASE_SPECIAL_VALS : 0;
  switch (field->kind) {
  case IWARP_FIELD_KIND_OCTETS: return BASE_NONE;
  case IWARP_FIELD_KIND_FLAG: return 8 * field->num_octets;
  case IWARP_FIELD_KIND_HEX:
  case IWARP_FIELD_KIND_HEX_LE: return BASE_HEX | names;
  case IWARP_FIELD_KIND_UINT:
  case IWARP_FIELD_KIND_UINT_LE: break;
  }
  return BASE_DEC | names;
}

static const void *fields_names(const iwarp_field *field) {
  if (field->kind == IWARP_FIELD_KIND_FLAG) {
    return TFS(&tfs_set_notset);
  }
  if (field->num_values == 0) {
    return NULL;
  }
  value_string *names = wmem_alloc0_array(wmem_epan_scope(), value_string, field->num_values + 1);
  for (size_t i = 0; i < field->num_values; i++) {
    names[i] = (value_string){(guint32)field->values[i].value, field->values[i].name};
  }
  return VALS(names);
}

/* ---- registration ---- */

static void fields_add(GArray *all, int *place, const header_field_info *info) {
  const hf_register_info row = {place, *info};
  *place = -1;
  g_array_append_val(all, row);
}

/* A path that two forms share is one field with two positions. */
static void fields_add_row(GArray *all, GHashTable *paths, const char *prefix,
                           const iwarp_field *field, int **at) {
  char *path = wmem_strdup_printf(wmem_epan_scope(), "%s.%s", prefix, field->path);
  *at = g_hash_table_lookup(paths, path);
  if (*at != NULL) {
    return;
  }
  *at = wmem_new(wmem_epan_scope(), int);
  g_hash_table_insert(paths, path, *at);
  const header_field_info info = {.name = field->label,
                                  .abbrev = path,
                                  .type = fields_type(field),
                                  .display = fields_base(field),
                                  .strings = fields_names(field),
                                  .bitmask = field->mask,
                                  .blurb = field->rfc,
                                  HFILL};
  fields_add(all, *at, &info);
}

/* The headers that a Terminate may return. RFC 5040 4.8 */
static bool fields_returned(iwarp_form form) {
  return form == IWARP_FORM_DDP_TAGGED || form == IWARP_FORM_DDP_UNTAGGED ||
         form == IWARP_FORM_RDMAP_CTRL || form == IWARP_FORM_RDMAP_READ_REQ;
}

static void fields_add_form(GArray *all, GHashTable *paths, const iwarp_form_info *form) {
  for (size_t i = 0; i < form->num_fields; i++) {
    const iwarp_field *field = &form->fields[i];
    const unsigned int row = FIELDS_FORM_OF(field->id);
    const unsigned int column = FIELDS_NUMBER_OF(field->id);
    g_assert(row < FIELDS_FORMS && column < FIELDS_NUMBERS);
    fields_add_row(all, paths, IWARP_NAME, field, &fields_at[0][row][column]);
    if (fields_returned(form->form)) {
      fields_add_row(all, paths, IWARP_NAME ".returned", field, &fields_at[1][row][column]);
    }
  }
}

static void fields_add_table(GArray *all) {
  GHashTable *paths = g_hash_table_new(g_str_hash, g_str_equal);
  for (unsigned int form = 1; form < FIELDS_FORMS; form++) {
    const iwarp_form_info *info = iwarp_form_get((iwarp_form)form);
    if (info != NULL) {
      fields_add_form(all, paths, info);
    }
  }
  g_hash_table_destroy(paths);
}

static void fields_add_beside(GArray *all) {
#define FIELDS_ADD(member, name_, label, type_, base, strings_, description)                       \
  {                                                                                                \
    const header_field_info info = {.name = (label),                                               \
                                    .abbrev = IWARP_NAME "." name_,                                \
                                    .type = (type_),                                               \
                                    .display = (base),                                             \
                                    .strings = (strings_),                                         \
                                    .blurb = (description),                                        \
                                    HFILL};                                                        \
    fields_add(all, &hf_iwarp.member, &info);                                                      \
  }
  FIELDS_BESIDE(FIELDS_ADD)
#undef FIELDS_ADD
}

void fields_register(int proto) {
  static int *const subtrees[] = {&ett_iwarp.proto,  &ett_iwarp.pdu,  &ett_iwarp.form,
                                  &ett_iwarp.marker, &ett_iwarp.rule, &ett_iwarp.negotiated,
                                  &ett_iwarp.stag};
  GArray *all = g_array_new(FALSE, FALSE, sizeof(hf_register_info));
  fields_add_table(all);
  fields_add_beside(all);
  const guint num = all->len;
  /* Wireshark keeps the rows themselves. */
  proto_register_field_array(proto, (hf_register_info *)(void *)g_array_free(all, FALSE), (int)num);
  proto_register_subtree_array(subtrees, (int)G_N_ELEMENTS(subtrees));
}
