/* SPDX-License-Identifier: BSD-2-Clause */
/* The slow table-driven decoder: every field of a form, one bit at a time. */
#ifndef FUZZ_SUPPORT_FIELDS_H
#define FUZZ_SUPPORT_FIELDS_H

#include <iwarp/field.h>

/* fields_slow reads a number of up to 64 bits from the table's row, one bit at a time. */
uint64_t fields_slow(const iwarp_field *field, iwarp_span in);

/* fields_agree expects the decoded value `v` of a form, and iwarp_field_uint, to hold what the slow
 * decoder reads from the octets. */
void fields_agree(iwarp_form form, iwarp_span in, const void *v);

/* fields_table expects iwarp_field_uint and iwarp_field_octets to agree with the slow decoder for
 * each field of a form, whole or cut. */
void fields_table(iwarp_form form, iwarp_span in);

#endif
