/* SPDX-License-Identifier: BSD-2-Clause */
/* Holds the beginning of a stream. */
#include "early_data.h"

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

static size_t early_data_pieces_size(uint32_t cap) {
  return cap * sizeof(early_data_piece);
}

void obs_early_data_drop(early_data **e, size_t *used) {
  if (*e != NULL) {
    *used -= sizeof **e + early_data_pieces_size((*e)->cap_pieces);
    free((*e)->pieces);
    free(*e);
    *e = NULL;
  }
}

static early_data *early_data_make(size_t *used, uint64_t pos) {
  if (*used + sizeof(early_data) > EARLY_DATA_TOTAL) {
    return NULL;
  }
  early_data *made = memory_zeroed(1, sizeof *made);
  if (made != NULL) {
    made->pos = pos;
    *used += sizeof *made;
  }
  return made;
}

/* Makes room for one more piece; false: no memory. */
static bool early_data_room(early_data *held, size_t *used) {
  const uint32_t cap = held->cap_pieces > 0 ? 2 * held->cap_pieces : EARLY_DATA_PIECES;
  const size_t more = early_data_pieces_size(cap - held->cap_pieces);
  if (held->num_pieces < held->cap_pieces) {
    return true;
  }
  if (*used + more > EARLY_DATA_TOTAL) {
    return false;
  }
  early_data_piece *grown = memory_zeroed(cap, sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  if (held->num_pieces > 0) {
    memcpy(grown, held->pieces, early_data_pieces_size(held->num_pieces));
  }
  free(held->pieces);
  held->pieces = grown;
  held->cap_pieces = cap;
  *used += more;
  return true;
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
  if (in.len > EARLY_DATA_OCTETS - held->len || !early_data_room(held, used)) {
    obs_early_data_drop(e, used);
    return;
  }
  memcpy(held->octets + held->len, in.ptr, in.len);
  held->pieces[held->num_pieces++] = (early_data_piece){(uint32_t)in.len, *meta};
  held->len += (uint32_t)in.len;
}
