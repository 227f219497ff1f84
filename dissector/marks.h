/* SPDX-License-Identifier: BSD-2-Clause */
/* The items of the tree by the octets of a PDU, so that a finding can be put at its field. */
#ifndef DISSECTOR_MARKS_H
#define DISSECTOR_MARKS_H

#include "ws_compat.h"

#define MARKS_MAX 1024u /* items of one PDU: 130 Markers of two fields, and all headers */

/* marks is kept while a PDU with findings is shown. */
typedef struct marks {
  guint num;
  struct {
    proto_item *item;
    guint64 pos; /* stream position of the first octet */
    guint64 len;
    guint16 field; /* iwarp_field_id */
  } at[MARKS_MAX];
} marks;

/* marks_add notes an item; NULL: nothing is kept. */
void marks_add(marks *m, proto_item *item, guint16 field, guint64 pos, guint64 len);

/* marks_find returns the narrowest item that shows these octets, preferring items of `field` (0:
 * any), or `none`. */
proto_item *marks_find(const marks *m, guint16 field, guint64 pos, guint64 len, proto_item *none);

#endif
