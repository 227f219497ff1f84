/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers the fields by a loop over the field table of the library. */
#include "fields.h"

#include <iwarp/event.h>
#include <iwarp/rdmap.h>

#include "iwarp_proto.h"

#define FIELDS_FORMS 64u   /* more than there are forms */
#define FIELDS_NUMBERS 32u /* more than a form has fields */
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

/* By form and number of the field: the place of the one that has its path. Number 0 is the form
 * itself. */
static int *fields_at[2][FIELDS_FORMS][FIELDS_NUMBERS];
static int fields_form_ett[FIELDS_FORMS];

int fields_hf(const iwarp_field *field, bool returned) {
  return *fields_at[returned][FIELDS_FORM_OF(field->id)][FIELDS_NUMBER_OF(field->id)];
}

int fields_tree(int *ett, iwarp_form form, bool returned) {
  *ett = fields_form_ett[form];
  return *fields_at[returned][form][0];
}

/* ---- a row of the table as Wireshark wants it ---- */

/* Fields which the RFCs name by a letter or an abbreviation. */
static const struct {
  const char *path;
  const char *label;
} fields_labels[] = {{"mpa.markers", "Marker flag (M)"},
                     {"mpa.crc", "CRC flag (C)"},
                     {"mpa.reject", "Rejected flag (R)"},
                     {"mpa.enhanced", "Enhanced flag (S)"},
                     {"mpa.reserved", "Reserved (Res)"},
                     {"mpa.rev", "Revision (Rev)"},
                     {"mpa.pd_length", "Private Data Length (PD_Length)"},
                     {"enhanced.a", "Peer-to-peer flag (A)"},
                     {"enhanced.b", "Send as RTR flag (B)"},
                     {"enhanced.ird", "Inbound RDMA Read Queue depth (IRD)"},
                     {"enhanced.c", "RDMA Write as RTR flag (C)"},
                     {"enhanced.d", "RDMA Read as RTR flag (D)"},
                     {"enhanced.ord", "Outbound RDMA Read Queue depth (ORD)"},
                     {"marker.reserved", "Reserved"},
                     {"marker.fpduptr", "FPDU Pointer (FPDUPTR)"},
                     {"ddp.tagged", "Tagged flag (T)"},
                     {"ddp.last", "Last flag (L)"},
                     {"ddp.rsvd", "Reserved (Rsvd)"},
                     {"ddp.dv", "DDP Version (DV)"},
                     {"ddp.rsvdulp", "Reserved for the ULP (RsvdULP)"},
                     {"ddp.stag", "Steering Tag (STag)"},
                     {"ddp.to", "Tagged Offset (TO)"},
                     {"ddp.qn", "Queue Number (QN)"},
                     {"ddp.msn", "Message Sequence Number (MSN)"},
                     {"ddp.mo", "Message Offset (MO)"},
                     {"rdmap.rv", "RDMAP Version (RV)"},
                     {"rdmap.rsv", "Reserved (Rsv)"},
                     {"terminate.etype", "Error Type (EType)"},
                     {"terminate.m", "DDP Segment Length valid (M)"},
                     {"terminate.d", "DDP Header included (D)"},
                     {"terminate.r", "RDMAP Header included (R)"},
                     {"atomic_request.opcode", "Atomic Operation Code (AOpCode)"},
                     {"smbd.ird", "Inbound RDMA Read Queue depth (IRD)"},
                     {"smbd.ord", "Outbound RDMA Read Queue depth (ORD)"},
                     {"smbd_le.ird", "Inbound RDMA Read Queue depth (IRD)"},
                     {"smbd_le.ord", "Outbound RDMA Read Queue depth (ORD)"},
                     {"rpc_rdma.remote_invalidation", "Remote Invalidation flag (R)"}};

static const char *fields_label(const iwarp_field *field) {
  for (size_t i = 0; i < G_N_ELEMENTS(fields_labels); i++) {
    if (strcmp(fields_labels[i].path, field->path) == 0) {
      return fields_labels[i].label;
    }
  }
  return field->label;
}

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

/* A field with names for some values only shows the others as numbers. */
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
  const bool opcode = field->id == IWARP_FIELD_RDMAP_CTRL_OPCODE; /* the table has keys of JSON */
  value_string *names = wmem_alloc0_array(wmem_epan_scope(), value_string, field->num_values + 1);
  for (size_t i = 0; i < field->num_values; i++) {
    const guint32 value = (guint32)field->values[i].value;
    names[i] = (value_string){value, opcode ? iwarp_rdmap_op_get((uint8_t)value)->label
                                            : field->values[i].name};
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
static void fields_add_path(GArray *all, GHashTable *paths, const header_field_info *info,
                            int **at) {
  *at = g_hash_table_lookup(paths, info->abbrev);
  if (*at == NULL) {
    *at = wmem_new(wmem_epan_scope(), int);
    g_hash_table_insert(paths, wmem_strdup(wmem_epan_scope(), info->abbrev), *at);
    fields_add(all, *at, info);
  }
}

static void fields_add_row(GArray *all, GHashTable *paths, const char *prefix,
                           const iwarp_field *field, int **at) {
  const header_field_info info = {
      .name = fields_label(field),
      .abbrev = wmem_strdup_printf(wmem_epan_scope(), "%s.%s", prefix, field->path),
      .type = fields_type(field),
      .display = fields_base(field),
      .strings = fields_names(field),
      .bitmask = field->mask,
      .blurb = field->rfc,
      HFILL};
  fields_add_path(all, paths, &info, at);
}

static void fields_add_tree(GArray *all, GHashTable *paths, const char *prefix,
                            const iwarp_form_info *form, int **at) {
  const bool ddp = form->form == IWARP_FORM_DDP_TAGGED || form->form == IWARP_FORM_DDP_UNTAGGED;
  const header_field_info info = {
      .name = ddp ? "DDP Header" : form->label,
      .abbrev = wmem_strdup_printf(wmem_epan_scope(), "%s.%s", prefix, form->key),
      .type = FT_NONE,
      .display = BASE_NONE,
      .blurb = form->rfc,
      HFILL};
  fields_add_path(all, paths, &info, at);
}

/* The headers that a Terminate may return. RFC 5040 4.8 */
static bool fields_returned(iwarp_form form) {
  return form == IWARP_FORM_DDP_TAGGED || form == IWARP_FORM_DDP_UNTAGGED ||
         form == IWARP_FORM_RDMAP_CTRL || form == IWARP_FORM_RDMAP_READ_REQ;
}

static void fields_add_form(GArray *all, GHashTable *paths, const iwarp_form_info *form) {
  fields_add_tree(all, paths, IWARP_NAME, form, &fields_at[0][form->form][0]);
  if (fields_returned(form->form)) {
    fields_add_tree(all, paths, IWARP_NAME ".returned", form, &fields_at[1][form->form][0]);
  }
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
  static int *const subtrees[] = {&ett_iwarp.proto,      &ett_iwarp.pdu,  &ett_iwarp.rule,
                                  &ett_iwarp.negotiated, &ett_iwarp.stag, &ett_iwarp.message,
                                  &ett_iwarp.returned};
  GArray *all = g_array_new(FALSE, FALSE, sizeof(hf_register_info));
  fields_add_table(all);
  fields_add_beside(all);
  const guint num = all->len;
  /* Wireshark keeps the rows themselves. */
  proto_register_field_array(proto, (hf_register_info *)(void *)g_array_free(all, FALSE), (int)num);
  proto_register_subtree_array(subtrees, (int)G_N_ELEMENTS(subtrees));
  for (unsigned int form = 0; form < FIELDS_FORMS; form++) {
    int *const one[] = {&fields_form_ett[form]};
    fields_form_ett[form] = -1;
    proto_register_subtree_array(one, 1);
  }
}
