/* SPDX-License-Identifier: BSD-2-Clause */
/* The latest octets of a direction that came out, in a ring that grows with what is sent. */
#include "history.h"

#include <string.h>

enum { PIECE_OCTETS = 64 /* a ring has one piece for so many octets */ };

static uint32_t piece_room(const ing_history *h) {
  return h->size / PIECE_OCTETS;
}

static size_t ring_size(uint32_t octets) {
  return sizeof(ing_history) + octets / PIECE_OCTETS * sizeof(ing_piece) + octets;
}

static ing_piece *pieces_of(ing_history *h) {
  return (ing_piece *)(h + 1);
}

static const ing_piece *pieces_in(const ing_history *h) {
  return (const ing_piece *)(h + 1);
}

static uint8_t *history_octets_of(ing_history *h) {
  return (uint8_t *)(pieces_of(h) + piece_room(h));
}

static const uint8_t *octets_in(const ing_history *h) {
  return (const uint8_t *)(pieces_in(h) + piece_room(h));
}

void ing_history_free(ing_histories *all, ing_history **history) {
  if (*history != NULL) {
    const size_t size = ring_size((*history)->size);
    all->all -= size;
    all->alloc->put(all->alloc->ctx, *history, size);
    *history = NULL;
  }
}

/* Piece number `i`, the oldest one first. */
static const ing_piece *piece_at(const ing_history *h, uint32_t i) {
  return &pieces_in(h)[(h->piece_next - h->pieces + i) & (piece_room(h) - 1)];
}

static void piece_add(ing_history *h, uint64_t pos, ingest_mark from) {
  if (h->pieces == piece_room(h)) {
    h->pieces--;
    h->begin = h->pieces > 0 ? piece_at(h, 0)->pos : pos;
  }
  pieces_of(h)[h->piece_next & (piece_room(h) - 1)] = (ing_piece){.pos = pos, .from = from};
  h->piece_next++;
  h->pieces++;
}

/* Puts octets that are no more than the ring holds at position `pos`. */
static void octets_put(ing_history *h, uint64_t pos, const uint8_t *data, size_t len) {
  const size_t at = (size_t)(pos & (h->size - 1));
  const size_t before = len < h->size - at ? len : h->size - at;
  memcpy(history_octets_of(h) + at, data, before);
  memcpy(history_octets_of(h), data + before, len - before);
}

/* Moves what is kept into a larger ring. */
static void refill(ing_history *to, const ing_history *from) {
  for (uint32_t i = 0; i < from->pieces; i++) {
    piece_add(to, piece_at(from, i)->pos, piece_at(from, i)->from);
  }
  to->begin = from->begin;
  to->end = from->end;
  const size_t at = (size_t)(from->begin & (from->size - 1));
  const size_t len = (size_t)(from->end - from->begin);
  const size_t before = len < from->size - at ? len : from->size - at;
  octets_put(to, from->begin, octets_in(from) + at, before);
  octets_put(to, from->begin + before, octets_in(from), len - before);
}

/* Makes a ring of `octets`; the old one stays where there is no memory. */
static void history_make(ing_histories *all, ing_history **history, uint32_t octets) {
  const size_t size = ring_size(octets);
  if (size > all->max || all->all > all->max - size) {
    return;
  }
  ing_history *h = all->alloc->get(all->alloc->ctx, size);
  if (h == NULL) {
    return;
  }
  all->all += size;
  *h = (ing_history){.size = octets};
  if (*history != NULL) {
    h->lacked_from = (*history)->lacked_from;
    h->lacked_to = (*history)->lacked_to;
    h->lacked_at = (*history)->lacked_at;
    refill(h, *history);
    *all->steps += (*history)->end - (*history)->begin;
    ing_history_free(all, history);
  }
  *history = h;
}

/* True if the ring is too small for its octets and `len` more, and can grow. */
static bool is_small(const ing_history *h, size_t len) {
  return h->size < ING_HISTORY_MAX &&
         (h->end - h->begin + len > h->size || h->pieces == piece_room(h));
}

/* The size of a first ring, which holds the octets if a ring can. */
static uint32_t first_size(size_t len) {
  uint32_t size = ING_HISTORY_MIN;
  while (size < len && size < ING_HISTORY_MAX) {
    size *= ING_HISTORY_GROWTH;
  }
  return size;
}

void ing_history_add(ing_histories *all, ing_history **history, uint64_t pos, const uint8_t *data,
                     size_t len, ingest_mark from) {
  if (*history == NULL) {
    history_make(all, history, first_size(len));
  }
  while (*history != NULL && is_small(*history, len)) {
    const uint32_t size = (*history)->size;
    history_make(all, history, size * ING_HISTORY_GROWTH);
    if ((*history)->size == size) {
      break; /* no memory: the ring stays */
    }
  }
  ing_history *h = *history;
  if (h == NULL) {
    return;
  }
  if (pos != h->end) {
    h->pieces = 0;
    h->begin = pos;
  }
  const size_t skip = len > h->size ? len - h->size : 0;
  *all->steps += len - skip;
  piece_add(h, pos, from);
  octets_put(h, pos + skip, data + skip, len - skip);
  h->end = pos + len;
  h->begin = h->end - h->begin > h->size ? h->end - h->size : h->begin;
}

void ing_history_cut(ing_history *h, uint64_t pos) {
  while (h->pieces > 0 && piece_at(h, h->pieces - 1)->pos >= pos) {
    h->pieces--;
    h->piece_next--;
  }
  h->end = pos > h->begin ? pos : h->begin;
}

/* The packet that supplied the octet at `pos`. */
static ingest_mark piece_find(const ing_histories *all, const ing_history *h, uint64_t pos) {
  uint32_t low = 0;
  uint32_t high = h->pieces;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    ++*all->steps;
    if (piece_at(h, middle)->pos <= pos) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return piece_at(h, low)->from;
}

void ing_difference_of(ing_difference *out, const uint8_t *a, const uint8_t *b, uint64_t from,
                       uint64_t to) {
  uint64_t first = 0;
  uint64_t last = to - from - 1;
  while (a[first] == b[first]) {
    first++;
  }
  while (a[last] == b[last]) {
    last--;
  }
  out->pos = from + first;
  out->end = from + last + 1;
}

/* Compares octets that lie in one stretch of the ring; joins what differs to *out. */
static bool stretch_differs(const ing_history *h, uint64_t from, uint64_t to, const uint8_t *data,
                            bool before, ing_difference *out) {
  const uint8_t *kept = octets_in(h) + (from & (h->size - 1));
  if (from == to || memcmp(kept, data, (size_t)(to - from)) == 0) {
    return before;
  }
  const uint64_t pos = out->pos;
  ing_difference_of(out, kept, data, from, to);
  out->pos = before ? pos : out->pos;
  return true;
}

bool ing_history_differs(const ing_histories *all, const ing_history *h, uint64_t pos,
                         const uint8_t *data, size_t len, ing_difference *out) {
  const uint64_t from = h != NULL && pos < h->begin ? h->begin : pos;
  const uint64_t to = h != NULL && pos + len > h->end ? h->end : pos + len;
  if (h == NULL || from >= to) {
    return false;
  }
  const uint64_t wrap = (from | (h->size - 1)) + 1; /* position at which the ring begins again */
  const uint64_t middle = wrap < to ? wrap : to;
  *all->steps += to - from;
  bool differs = stretch_differs(h, from, middle, data + (from - pos), false, out);
  differs = stretch_differs(h, middle, to, data + (middle - pos), differs, out);
  if (differs) {
    out->first = piece_find(all, h, out->pos);
    out->unverified = false;
  }
  return differs;
}
