/* SPDX-License-Identifier: BSD-2-Clause */
/* The field table: every field of every form on the wire, as data. */
#ifndef IWARP_FIELD_H
#define IWARP_FIELD_H

#include <iwarp/base.h>
#include <iwarp/form.h>

#ifdef __cplusplus
extern "C" {
#endif

/** iwarp_field_kind says how the value of a field is read and shown. */
typedef enum iwarp_field_kind {
  IWARP_FIELD_KIND_UINT = 1, /* a number, shown in decimal */
  IWARP_FIELD_KIND_HEX,      /* a number, shown in hexadecimal */
  IWARP_FIELD_KIND_FLAG,     /* one bit */
  IWARP_FIELD_KIND_OCTETS,   /* octets without an order of their own */
  IWARP_FIELD_KIND_HEX_LE,   /* a number whose least significant octet comes first: the CRC */
  IWARP_FIELD_KIND_UINT_LE   /* a number whose least significant octet comes first, in decimal */
} iwarp_field_kind;

/** iwarp_field_id names a field in a form. */
typedef enum iwarp_field_id {
  IWARP_FIELD_NONE = 0, /* no field */
/** IWARP_FIELD_ENUM makes the enumerator of a row; undefined again after the list. */
#define IWARP_FIELD_ENUM(form, name, number, path, label, off, bits, kind, values, rfc, brief)     \
  IWARP_FIELD_##form##_##name = IWARP_FORM_##form * 256 + (number),
  IWARP_FIELD_MAP(IWARP_FIELD_ENUM)
#undef IWARP_FIELD_ENUM
} iwarp_field_id;

/** iwarp_field_value is the name of one value of a field. */
typedef struct iwarp_field_value {
  uint64_t value;   /* the value on the wire */
  const char *name; /* name of the value: "RDMA Write" */
} iwarp_field_value;

/**
 * iwarp_field is one row of the table. All pointers are to static storage. Two forms that begin
 * alike share paths ("ddp.msn" stands in one of the DDP headers, "ddp.last" in both): such rows are
 * one field with two positions and differ in `id`, `bit_off` with what follows from it, and `rfc`.
 */
typedef struct iwarp_field {
  uint16_t id;                     /* iwarp_field_id */
  uint16_t bit_off;                /* offset in bits from the form's most significant bit */
  uint16_t num_bits;               /* 0: as many octets as there are */
  uint16_t octet_off;              /* offset of the first octet that holds bits of the field */
  uint16_t num_octets;             /* octets that hold bits of the field; 0: as many as there are */
  uint64_t mask;                   /* bits of the field in the number that the octets make, the most
                                      significant octet first; 0: all bits */
  iwarp_field_kind kind;           /* how its bits are read and printed */
  const char *path;                /* key of its form, dot, key: "mpa.pd_length" */
  const char *key;                 /* key in JSON: "pd_length" */
  const char *label;               /* name in the RFC: "PD_Length" */
  const char *rfc;                 /* "RFC 5044 7.1.1"; "MS-SMBD", "erdma" for what no RFC has */
  const iwarp_field_value *values; /* NULL when the values have no names */
  size_t num_values;               /* entries of `values` */
  bool brief;                      /* part of the short form of a PDU, such as a line of a dump */
} iwarp_field;

/** iwarp_form_info is a form and its fields. All pointers are to static storage. */
typedef struct iwarp_form_info {
  iwarp_form form;           /* the identifier of the form */
  const char *key;           /* the JSON object that holds the fields: "ddp" */
  const char *label;         /* "DDP Tagged Buffer Header" */
  const char *rfc;           /* section of the RFC, as of a field */
  size_t len;                /* octets of the fixed part */
  const iwarp_field *fields; /* fields in wire order */
  size_t num_fields;         /* entries of `fields` */
} iwarp_form_info;

/** iwarp_form_get returns a form with its fields in wire order, or NULL for a value that is no
 * form. */
IWARP_API const iwarp_form_info *iwarp_form_get(iwarp_form form);

/** iwarp_field_get returns the row of a field, or NULL for an invalid id (0 among them). */
IWARP_API const iwarp_field *iwarp_field_get(uint16_t id);

/**
 * iwarp_field_find returns the first row with this path, or NULL. A loop over the forms and their
 * rows meets each field once where it takes those rows alone that iwarp_field_find returns for
 * their path.
 */
IWARP_API const iwarp_field *iwarp_field_find(const char *path);

/** iwarp_form_field returns the row of `form` that has the path of `field`, or NULL: where the
 * field stands in that form. */
IWARP_API const iwarp_field *iwarp_form_field(iwarp_form form, const iwarp_field *field);

/**
 * iwarp_field_uint reads the value of a numeric field or flag from `in`, which begins with the
 * first octet of the field's form. NEED_MORE: `in` ends before the field does; ARG: the field holds
 * octets, see iwarp_field_octets.
 */
IWARP_API iwarp_err iwarp_field_uint(uint64_t *out, const iwarp_field *field, iwarp_span in);

/**
 * iwarp_field_octets names the octets in which the field lies, whatever its kind. They are borrowed
 * from `in`, which begins with the first octet of the field's form. NEED_MORE: `in` ends before the
 * field does.
 */
IWARP_API iwarp_err iwarp_field_octets(iwarp_span *out, const iwarp_field *field, iwarp_span in);

/** iwarp_field_value_name names a value of a field; IWARP_NAME_UNKNOWN where it has no name. */
IWARP_API const char *iwarp_field_value_name(const iwarp_field *field, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
