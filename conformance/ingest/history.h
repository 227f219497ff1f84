/* SPDX-License-Identifier: BSD-2-Clause */
/* The latest octets of a direction that came out, so that a later copy can be compared with them.
 */
#ifndef INGEST_HISTORY_H
#define INGEST_HISTORY_H

#include "reassembly.h"

enum {
  ING_HISTORY_MIN = 256,             /* octets of the first ring of a direction */
  ING_HISTORY_GROWTH = 4,            /* the next ring has so many times as many */
  ING_HISTORY_MAX = 64 * 1024,       /* octets of the largest ring */
  ING_HISTORY_ALL = 16 * 1024 * 1024 /* octets of all rings, where the configuration says nothing */
};

/* Octets from `pos` on that one packet supplied. */
typedef struct ing_piece {
  uint64_t pos;
  ingest_mark from;
} ing_piece;

/* A ring of octets and a ring of the pieces that they came in; both lie right after the struct. */
typedef struct ing_history {
  uint32_t size;       /* octets of room, a power of 2 */
  uint32_t pieces;     /* pieces in use */
  uint32_t piece_next; /* index of the next piece */
  uint64_t begin;      /* position of the oldest octet that is kept */
  uint64_t end;        /* position after the latest one */
  /* The latest SACK: the receiver lacked octets from `lacked_from` to `lacked_to`. */
  uint64_t lacked_from;
  uint64_t lacked_to;
  uint64_t lacked_at; /* the number of its packet; 0: no octets are missing */
} ing_history;

/* The memory of rings. */
typedef struct ing_histories {
  const ingest_alloc *alloc;
  uint64_t *steps;
  uint64_t all; /* octets of all rings, bookkeeping included */
  uint64_t max; /* bound of `all` */
} ing_histories;

/* A difference between two copies: positions [pos, end) hold the first to the last octet that
 * differs. */
typedef struct ing_difference {
  uint64_t pos;
  uint64_t end;
  ingest_mark first; /* the packet of the first copy of the octet at `pos` */
  bool unverified;   /* the packet was cut, so its checksum cannot be verified */
} ing_difference;

/* ing_difference_of sets the positions of the octets that differ between `a` and `b`. Both hold the
 * octets of [from, to), and they are not equal. */
void ing_difference_of(ing_difference *out, const uint8_t *a, const uint8_t *b, uint64_t from,
                       uint64_t to);

/*
 * ing_history_add keeps `len` octets from position `pos` on, which `from` supplied. Where they do
 * not follow the latest ones, only they are kept. *history is NULL or a ring; it stays as it is
 * where there is no memory.
 */
void ing_history_add(ing_histories *all, ing_history **history, uint64_t pos, const uint8_t *data,
                     size_t len, ingest_mark from);

/* ing_history_differs compares `len` octets from position `pos` on with the octets that are kept;
 * true with *out where they differ. `history` may be NULL. */
bool ing_history_differs(const ing_histories *all, const ing_history *history, uint64_t pos,
                         const uint8_t *data, size_t len, ing_difference *out);

/* ing_history_cut forgets the octets from position `pos` on. */
void ing_history_cut(ing_history *history, uint64_t pos);

/* ing_history_free gives a ring back; *history may be NULL. */
void ing_history_free(ing_histories *all, ing_history **history);

#endif
