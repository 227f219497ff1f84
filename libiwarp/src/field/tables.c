/* SPDX-License-Identifier: BSD-2-Clause */
/* The field table and the names of values. */
#include <iwarp/field.h>
#include <iwarp/private_data.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>

static const iwarp_field_value field_tables_rev[] = {
    {0, "RDMA Consortium"}, {1, "RFC 5044"}, {2, "RFC 6581"}, {IWARP_MPA_REV_ERDMA, "erdma"}};
#define FIELD_TABLES_RES_VALUE(value_, name_) {(value_), (name_)},
static const iwarp_field_value field_tables_res[] = {IWARP_MPA_RES_MAP(FIELD_TABLES_RES_VALUE)};
static const iwarp_field_value field_tables_depth[] = {{0x3FFF, "not negotiated"}};
static const iwarp_field_value field_tables_version[] = {{0, "RDMA Consortium"}, {1, "IETF"}};
static const iwarp_field_value field_tables_queue[] = {
    {IWARP_RDMAP_QN_SEND, "Send"},
    {IWARP_RDMAP_QN_READ_REQ, "RDMA Read Request"},
    {IWARP_RDMAP_QN_TERMINATE, "Terminate"},
    {IWARP_RDMAP_QN_ATOMIC_RESP, "Atomic Response"}};
static const iwarp_field_value field_tables_opcode[] = {
    {IWARP_RDMAP_OP_WRITE, "write"},
    {IWARP_RDMAP_OP_READ_REQ, "read-request"},
    {IWARP_RDMAP_OP_READ_RESP, "read-response"},
    {IWARP_RDMAP_OP_SEND, "send"},
    {IWARP_RDMAP_OP_SEND_INV, "send-invalidate"},
    {IWARP_RDMAP_OP_SEND_SE, "send-se"},
    {IWARP_RDMAP_OP_SEND_SE_INV, "send-se-invalidate"},
    {IWARP_RDMAP_OP_TERMINATE, "terminate"},
    {IWARP_RDMAP_OP_IMMEDIATE, "immediate"},
    {IWARP_RDMAP_OP_IMMEDIATE_SE, "immediate-se"},
    {IWARP_RDMAP_OP_ATOMIC_REQ, "atomic-request"},
    {IWARP_RDMAP_OP_ATOMIC_RESP, "atomic-response"},
    {IWARP_RDMAP_OP_RESERVED_12, "reserved"},
    {IWARP_RDMAP_OP_RESERVED_13, "reserved"},
    {IWARP_RDMAP_OP_RESERVED_14, "reserved"},
    {IWARP_RDMAP_OP_EXPERIMENTAL, "reserved"}};
static const iwarp_field_value field_tables_layer[] = {{0, "RDMA"}, {1, "DDP"}, {2, "LLP"}};
static const iwarp_field_value field_tables_aopcode[] = {{IWARP_RDMAP_AOP_FETCH_ADD, "FetchAdd"},
                                                         {IWARP_RDMAP_AOP_RESERVED, "Reserved"},
                                                         {IWARP_RDMAP_AOP_CMP_SWAP, "CmpSwap"}};
static const iwarp_field_value field_tables_function[] = {
    {IWARP_SCTP_INITIATE, "initiate"},
    {IWARP_SCTP_ACCEPT, "accept"},
    {IWARP_SCTP_REJECT, "reject"},
    {IWARP_SCTP_TERMINATE, "terminate"},
    {IWARP_SCTP_ENHANCED_INITIATE, "enhanced-initiate"},
    {IWARP_SCTP_ENHANCED_ACCEPT, "enhanced-accept"},
    {IWARP_SCTP_ENHANCED_REJECT, "enhanced-reject"},
    {IWARP_SCTP_EXPERIMENTAL, "experimental"}};
static const iwarp_field_value field_tables_adaptation[] = {{IWARP_SCTP_ADAPTATION_DDP, "DDP"}};

#define FIELD_TABLES_LIST(list) .values = (list), .num_values = sizeof(list) / sizeof(list)[0]
#define FIELD_TABLES_NONE .values = NULL
#define FIELD_TABLES_BRIEF true
#define FIELD_TABLES_FULL false
#define FIELD_TABLES_REV FIELD_TABLES_LIST(field_tables_rev)
#define FIELD_TABLES_RES FIELD_TABLES_LIST(field_tables_res)
#define FIELD_TABLES_DEPTH FIELD_TABLES_LIST(field_tables_depth)
#define FIELD_TABLES_VERSION FIELD_TABLES_LIST(field_tables_version)
#define FIELD_TABLES_QUEUE FIELD_TABLES_LIST(field_tables_queue)
#define FIELD_TABLES_OPCODE FIELD_TABLES_LIST(field_tables_opcode)
#define FIELD_TABLES_LAYER FIELD_TABLES_LIST(field_tables_layer)
#define FIELD_TABLES_AOPCODE FIELD_TABLES_LIST(field_tables_aopcode)
#define FIELD_TABLES_FUNCTION FIELD_TABLES_LIST(field_tables_function)
#define FIELD_TABLES_ADAPTATION FIELD_TABLES_LIST(field_tables_adaptation)

/* The begin of a field's key in its path: after the form's key and the dot. */
#define FIELD_TABLES_KEY(name_, id_, key_, label_, octets_, rfc_)                                  \
  FIELD_TABLES_KEY_##name_ = sizeof(key_),
enum { IWARP_FORM_MAP(FIELD_TABLES_KEY) };

/* Octets that hold bits of a field, counted from the one with its first bit. */
#define FIELD_TABLES_OCTETS(bit_off_, num_bits_) (((bit_off_) % 8u + (num_bits_) + 7u) / 8u)

/* The bits of a field in the number of its octets; whole octets need no mask. */
#define FIELD_TABLES_MASK(bit_off_, num_bits_)                                                     \
  ((bit_off_) % 8u == 0 && (num_bits_) % 8u == 0                                                   \
       ? 0                                                                                         \
       : (UINT64_MAX >> (64u - (num_bits_) % 64u) % 64u)                                           \
             << (8u * FIELD_TABLES_OCTETS(bit_off_, num_bits_) - (bit_off_) % 8u - (num_bits_)) %  \
                    64u)

#define FIELD_TABLES_ROW(form_, name_, number_, path_, label_, bit_off_, num_bits_, kind_,         \
                         values_, rfc_, brief_)                                                    \
  {.id = IWARP_FIELD_##form_##_##name_,                                                            \
   .bit_off = (bit_off_),                                                                          \
   .num_bits = (num_bits_),                                                                        \
   .octet_off = (bit_off_) / 8u,                                                                   \
   .num_octets = FIELD_TABLES_OCTETS(bit_off_, num_bits_),                                         \
   .mask = FIELD_TABLES_MASK(bit_off_, num_bits_),                                                 \
   .kind = IWARP_FIELD_KIND_##kind_,                                                               \
   .path = (path_),                                                                                \
   .key = &(path_)[FIELD_TABLES_KEY_##form_],                                                      \
   .label = (label_),                                                                              \
   .rfc = (rfc_),                                                                                  \
   .brief = FIELD_TABLES_##brief_,                                                                 \
   FIELD_TABLES_##values_},

/* One array of fields for each form, and one array of the forms. */
#define FIELD_TABLES_FORM_FIELDS(name_, id_, key_, label_, octets_, rfc_)                          \
  static const iwarp_field field_tables_of_##name_[] = {IWARP_FIELD_MAP_##name_(FIELD_TABLES_ROW)};
IWARP_FORM_MAP(FIELD_TABLES_FORM_FIELDS)

#define FIELD_TABLES_FORM(name_, id_, key_, label_, octets_, rfc_)                                 \
  {.form = IWARP_FORM_##name_,                                                                     \
   .key = (key_),                                                                                  \
   .label = (label_),                                                                              \
   .rfc = (rfc_),                                                                                  \
   .len = (octets_),                                                                               \
   .fields = field_tables_of_##name_,                                                              \
   .num_fields = sizeof field_tables_of_##name_ / sizeof field_tables_of_##name_[0]},
static const iwarp_form_info field_tables_forms[] = {IWARP_FORM_MAP(FIELD_TABLES_FORM)};
#define FIELD_TABLES_NUM_FORMS (sizeof field_tables_forms / sizeof field_tables_forms[0])

/* The forms are numbered from 1 on, in their order. */
#define FIELD_TABLES_PLACE(name_, id_, key_, label_, octets_, rfc_) FIELD_TABLES_PLACE_##name_,
enum { IWARP_FORM_MAP(FIELD_TABLES_PLACE) };
#define FIELD_TABLES_IN_ORDER(name_, id_, key_, label_, octets_, rfc_)                             \
  _Static_assert((unsigned)IWARP_FORM_##name_ == 1u + (unsigned)FIELD_TABLES_PLACE_##name_,        \
                 "forms are numbered in their order");
IWARP_FORM_MAP(FIELD_TABLES_IN_ORDER)

const iwarp_form_info *iwarp_form_get(iwarp_form form) {
  const size_t number = (size_t)form;
  return number != 0 && number <= FIELD_TABLES_NUM_FORMS ? &field_tables_forms[number - 1u] : NULL;
}

/* The fields of a form are numbered from 1 on, in their order. */
const iwarp_field *iwarp_field_get(uint16_t id) {
  const iwarp_form_info *info = iwarp_form_get((iwarp_form)(id >> 8));
  const size_t number = id & 0xFFu;
  const bool known = info != NULL && number != 0 && number <= info->num_fields;
  return known ? &info->fields[number - 1u] : NULL;
}

/* strcmp() is not one of the functions that this library may use. */
static bool field_tables_same(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] != '\0' && a[i] == b[i]) {
    i++;
  }
  return a[i] == b[i];
}

static const iwarp_field *field_tables_in(const iwarp_form_info *info, const char *path) {
  for (size_t i = 0; i < info->num_fields; i++) {
    if (field_tables_same(info->fields[i].path, path)) {
      return &info->fields[i];
    }
  }
  return NULL;
}

const iwarp_field *iwarp_field_find(const char *path) {
  const iwarp_field *found = NULL;
  for (size_t i = 0; found == NULL && i < FIELD_TABLES_NUM_FORMS; i++) {
    found = field_tables_in(&field_tables_forms[i], path);
  }
  return found;
}

const iwarp_field *iwarp_form_field(iwarp_form form, const iwarp_field *field) {
  const iwarp_form_info *info = iwarp_form_get(form);
  return info != NULL ? field_tables_in(info, field->path) : NULL;
}

const char *iwarp_field_value_name(const iwarp_field *field, uint64_t value) {
  for (size_t i = 0; i < field->num_values; i++) {
    if (field->values[i].value == value) {
      return field->values[i].name;
    }
  }
  return IWARP_NAME_UNKNOWN;
}
