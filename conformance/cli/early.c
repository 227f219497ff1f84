/* SPDX-License-Identifier: BSD-2-Clause */
/* Holds the beginning of a stream. */
#include "early.h"

#include <stdlib.h>
#include <string.h>

void early_drop(early **e, size_t *used) {
  if (*e != NULL) {
    *used -= sizeof **e;
    free(*e);
    *e = NULL;
  }
}

static early *early_make(size_t *used, uint64_t pos) {
  if (*used + sizeof(early) > EARLY_TOTAL) {
    return NULL;
  }
  early *made = calloc(1, sizeof *made);
  if (made != NULL) {
    made->pos = pos;
    *used += sizeof *made;
  }
  return made;
}

void early_add(early **e, size_t *used, uint64_t pos, iwarp_span in, const iwarp_meta *meta) {
  if (*e == NULL) {
    *e = early_make(used, pos);
  }
  early *held = *e;
  if (held == NULL) {
    return;
  }
  if (in.len > EARLY_OCTETS - held->len || held->num_pieces == EARLY_PIECES) {
    early_drop(e, used);
    return;
  }
  memcpy(held->octets + held->len, in.ptr, in.len);
  held->pieces[held->num_pieces++] = (early_piece){(uint32_t)in.len, *meta};
  held->len += (uint32_t)in.len;
}
