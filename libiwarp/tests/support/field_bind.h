/* SPDX-License-Identifier: BSD-2-Clause */
/* Which member of a decoded value holds a field of the table. */
#ifndef TEST_SUPPORT_FIELD_BIND_H
#define TEST_SUPPORT_FIELD_BIND_H

#include <stddef.h>
#include <stdint.h>

typedef struct field_bind {
  uint16_t field; /* iwarp_field_id */
  size_t off;     /* of the member in its structure */
  size_t size;    /* octets of it; more than 8 where it holds octets */
  uint8_t mask;   /* where the field is some bits of it, else 0 */
} field_bind;

/* field_bind_of returns the row of a field, and stops the program if the field has no row. */
const field_bind *field_bind_of(uint16_t field);

/* field_bind_get and field_bind_set read and write the member of a structure. */
uint64_t field_bind_get(const field_bind *b, const void *from);
void field_bind_set(const field_bind *b, void *to, uint64_t v);

#endif
