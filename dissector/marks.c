/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the item of an octet. */
#include "marks.h"

void marks_add(marks *m, proto_item *item, guint16 field, guint64 pos, guint64 len) {
  if (m != NULL && m->num < MARKS_MAX) {
    m->at[m->num].item = item;
    m->at[m->num].field = field;
    m->at[m->num].pos = pos;
    m->at[m->num].len = len;
    m->num++;
  }
}

/* Of several items that show the octets the one of the field is the best, then the narrowest. */
proto_item *marks_find(const marks *m, guint16 field, guint64 pos, guint64 len, proto_item *none) {
  proto_item *found = none;
  guint64 width = G_MAXUINT64;
  bool named = false;
  for (guint i = 0; i < m->num; i++) {
    const bool covers = m->at[i].pos <= pos && pos + len <= m->at[i].pos + m->at[i].len;
    const bool names = field != 0 && m->at[i].field == field;
    if (covers && (names > named || (names == named && m->at[i].len < width))) {
      found = m->at[i].item;
      width = m->at[i].len;
      named = names;
    }
  }
  return found;
}
