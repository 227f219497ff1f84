/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: errors and the field table, and fields read by the table alone. */
#include "base/err.c"
#include "base/version.c"
#include "ddp/hdr.c"
#include "field/decode.c"
#include "field/tables.c"
#include "proof.h"
#include "rdmap/ops.c"
#include "rdmap/term.c"
#include "sctp/names.c"

static void tables_errors(void) {
  iwarp_err err = (iwarp_err)proof_int;
  iwarp_strerror(err);
  iwarp_errname(err);
  iwarp_err_class(err);
  iwarp_version();
}

/* A name that differs in its first octet, one that ends early, one that goes on, and no name. */
static void tables_names(void) {
  iwarp_name_known("Send");
  iwarp_name_known("unknow");
  iwarp_name_known("unknown field");
  iwarp_name_known(IWARP_NAME_UNKNOWN);
}

/* The field that is read next: a row of the table. */
static const iwarp_field *tables_field;

static void tables_get(iwarp_span in) {
  iwarp_span octets;
  if (iwarp_field_octets(&octets, tables_field, in) == IWARP_OK) {
    proof_touch(octets);
  }
  uint64_t value;
  if (iwarp_field_uint(&value, tables_field, in) == IWARP_OK) {
    proof_sum(value);
    iwarp_field_value_name(tables_field, value);
  }
}

/* Each length up to one beyond the form. */
static void tables_get_all(size_t form_len) {
  tables_get((iwarp_span){.ptr = NULL, .len = 0});
  //@ loop unroll PROOF_LARGEST;
  for (size_t len = 0; len <= form_len + 1; len++) {
    uint8_t *p = proof_block(len);
    tables_get((iwarp_span){.ptr = p, .len = len});
    free(p);
  }
  tables_get(proof_far_any());
}

#define TABLES_FORMS 22 /* the ids of all forms: 1 and so on, without a gap */
#define TABLES_COUNT(name, id, key, label, octets, rfc) +1
_Static_assert(IWARP_FORM_MAP(TABLES_COUNT) == TABLES_FORMS, "each form is analysed");

#define TABLES_FIELDS 16

/* By their paths, in each form; and an invalid path. */
static void tables_paths(void) {
  //@ loop unroll TABLES_FORMS;
  for (int form = 1; form <= TABLES_FORMS; form++) {
    const iwarp_form_info *info = iwarp_form_get((iwarp_form)form);
    iwarp_form_field((iwarp_form)form, &info->fields[0]);
    iwarp_form_field((iwarp_form)proof_int, &info->fields[0]);
    iwarp_field_find(info->fields[info->num_fields - 1].path);
  }
  iwarp_field_find("");
}

static void tables_fields(void) {
  //@ loop unroll TABLES_FORMS;
  for (int form = 1; form <= TABLES_FORMS; form++) {
    const iwarp_form_info *info = iwarp_form_get((iwarp_form)form);
    //@ loop unroll TABLES_FIELDS;
    for (size_t i = 0; i < info->num_fields; i++) {
      tables_field = &info->fields[i];
      tables_get_all(info->len);
    }
  }
}

void prove(void) {
  tables_errors();
  tables_names();
  iwarp_form_get((iwarp_form)proof_int);
  iwarp_field_get(proof_u16);
  tables_paths();
  tables_fields();
}
