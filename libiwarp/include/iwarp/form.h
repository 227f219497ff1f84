/* SPDX-License-Identifier: BSD-2-Clause */
/* The forms: layouts of octets on the wire. */
#ifndef IWARP_FORM_H
#define IWARP_FORM_H

#include <iwarp/field.def>

/** iwarp_form is a layout of octets on the wire; iwarp/field.h has the fields of each one. */
typedef enum iwarp_form {
  IWARP_FORM_NONE = 0, /* octets that no form describes */
/** IWARP_FORM_ENUM makes the enumerator of a row; undefined again after the list. */
#define IWARP_FORM_ENUM(name, id, key, label, octets, rfc) IWARP_FORM_##name = (id),
  IWARP_FORM_MAP(IWARP_FORM_ENUM)
#undef IWARP_FORM_ENUM
} iwarp_form;

#endif
