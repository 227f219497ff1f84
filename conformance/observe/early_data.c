/* SPDX-License-Identifier: BSD-2-Clause */
/* Holds the beginning of a stream. */
#include "early_data.h"

#include <stdlib.h>
#include <string.h>

void obs_early_data_drop(early_data **e, size_t *used) {
  if (*e != NULL) {
    *used -= sizeof **e;
    free(*e);
    *e = NULL;
  }
}

static early_data *early_data_make(size_t *used, uint64_t pos) {
  if (*used + sizeof(early_data) > EARLY_DATA_TOTAL) {
    return NULL;
  }
  early_data *made = calloc(1, sizeof *made);
  if (made != NULL) {
    made->pos = pos;
    *used += sizeof *made;
  }
  return made;
}

void obs_early_data_add(early_data **e, size_t *used, uint64_t pos, iwarp_span in,
                        const iwarp_meta *meta) {
  if (*e == NULL) {
    *e = early_data_make(used, pos);
  }
  early_data *held = *e;
  if (held == NULL) {
    return;
  }
  if (in.len > EARLY_DATA_OCTETS - held->len || held->num_pieces == EARLY_DATA_PIECES) {
    obs_early_data_drop(e, used);
    return;
  }
  memcpy(held->octets + held->len, in.ptr, in.len);
  held->pieces[held->num_pieces++] = (early_data_piece){(uint32_t)in.len, *meta};
  held->len += (uint32_t)in.len;
}
