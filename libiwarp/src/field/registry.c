/* SPDX-License-Identifier: BSD-2-Clause */
/* The registries as views of the tables of the layers: RFC 6580 3, RFC 7306 10. */
#include <iwarp/field.h>
#include <iwarp/rdmap.h>
#include <iwarp/registry.h>
#include <iwarp/sctp.h>

#define REGISTRY_ANY_CODE 0xFFu /* the Error Codes of a type that has none: all */

static const iwarp_registry_info registry_infos[] = {
#define REGISTRY_INFO(name_, id_, title_, bits_, rfc_)                                             \
  {.registry = IWARP_REGISTRY_##name_, .num_bits = (bits_), .title = (title_), .rfc = (rfc_)},
    IWARP_REGISTRY_MAP(REGISTRY_INFO)
#undef REGISTRY_INFO
};

const iwarp_registry_info *iwarp_registry_get(iwarp_registry registry) {
  for (size_t i = 0; i < sizeof registry_infos / sizeof registry_infos[0]; i++) {
    if (registry_infos[i].registry == registry) {
      return &registry_infos[i];
    }
  }
  return NULL;
}

/* The errors of one Layer are the rows of the Terminate's table with that Layer. */
static bool registry_error_at(iwarp_registry_entry *out, uint8_t layer, size_t index) {
  const iwarp_rdmap_term_row *row = NULL;
  size_t found = 0;
  for (size_t i = 0; (row = iwarp_rdmap_term_at(i)) != NULL; i++) {
    if (row->layer != layer || found++ != index) {
      continue;
    }
    uint32_t first = (uint32_t)row->layer << 12 | (uint32_t)row->etype << 8 | row->code;
    *out = (iwarp_registry_entry){
        .first = first,
        .last = row->any_code ? first | REGISTRY_ANY_CODE : first,
        .status = IWARP_REGISTRY_ASSIGNED,
        .name = row->name,
        .group = row->etype_name,
        .rfc = row->rfc,
    };
    return true;
  }
  return false;
}

static bool registry_opcode_at(iwarp_registry_entry *out, size_t index) {
  size_t found = 0;
  for (uint8_t i = 0; i <= IWARP_RDMAP_CTRL_OPCODE; i++) {
    const iwarp_rdmap_op *op = iwarp_rdmap_op_get(i);
    bool experimental = i == IWARP_RDMAP_OP_EXPERIMENTAL;
    if ((!op->assigned && !experimental) || found++ != index) {
      continue;
    }
    *out = (iwarp_registry_entry){
        .first = i,
        .last = i,
        .status = experimental ? IWARP_REGISTRY_EXPERIMENTAL : IWARP_REGISTRY_ASSIGNED,
        .name = op->label,
        .rfc = op->rfc,
    };
    return true;
  }
  return false;
}

static bool registry_function_at(iwarp_registry_entry *out, size_t index) {
  const iwarp_sctp_function_info *row = iwarp_sctp_function_at(index);
  if (row == NULL) {
    return false;
  }
  *out = (iwarp_registry_entry){
      .first = row->code,
      .last = row->code,
      .status = row->assigned ? IWARP_REGISTRY_ASSIGNED : IWARP_REGISTRY_EXPERIMENTAL,
      .name = row->label,
      .rfc = row->rfc,
  };
  return true;
}

/* The named values of a field; `reserved` is the one of them that is not assigned. */
static bool registry_field_at(iwarp_registry_entry *out, iwarp_field_id id, uint64_t reserved,
                              const char *rfc, size_t index) {
  const iwarp_field *field = iwarp_field_get((uint16_t)id);
  if (index >= field->num_values) {
    return false;
  }
  const iwarp_field_value *v = &field->values[index];
  *out = (iwarp_registry_entry){
      .first = (uint32_t)v->value,
      .last = (uint32_t)v->value,
      .status = v->value == reserved ? IWARP_REGISTRY_RESERVED : IWARP_REGISTRY_ASSIGNED,
      .name = v->name,
      .rfc = rfc,
  };
  return true;
}

bool iwarp_registry_at(iwarp_registry_entry *out, iwarp_registry registry, size_t index) {
  switch (registry) {
  case IWARP_REGISTRY_RDMAP_ERRORS: return registry_error_at(out, 0, index);
  case IWARP_REGISTRY_DDP_ERRORS: return registry_error_at(out, 1, index);
  case IWARP_REGISTRY_MPA_ERRORS: return registry_error_at(out, 2, index);
  case IWARP_REGISTRY_RDMAP_OPCODES: return registry_opcode_at(out, index);
  case IWARP_REGISTRY_SCTP_FUNCTIONS: return registry_function_at(out, index);
  case IWARP_REGISTRY_ATOMIC_OPCODES:
    return registry_field_at(out, IWARP_FIELD_RDMAP_ATOMIC_REQ_AOPCODE, IWARP_RDMAP_AOP_RESERVED,
                             "RFC 7306 5.2.1", index);
  case IWARP_REGISTRY_DDP_QUEUES:
    return registry_field_at(out, IWARP_FIELD_DDP_UNTAGGED_QN, UINT64_MAX, "RFC 7306 10.2", index);
  }
  return false;
}

bool iwarp_registry_find(iwarp_registry_entry *out, iwarp_registry registry, uint32_t value) {
  iwarp_registry_entry entry;
  for (size_t i = 0; iwarp_registry_at(&entry, registry, i); i++) {
    if (entry.first <= value && value <= entry.last) {
      *out = entry;
      return true;
    }
  }
  return false;
}
