/* SPDX-License-Identifier: BSD-2-Clause */
/* The work that a compressed capture costs, counted so that each number of jobs sees the same. */
#ifndef CLI_JOBS_WORK_H
#define CLI_JOBS_WORK_H

#include "jobs_piece.h"

#define JOBS_PIECES_MAX 24u /* pieces that may be under way */

/**
 * jobs_work is the work on a file, as observe_work counts it, by piece. A piece may begin when all
 * jobs have judged the one JOBS_PIECES_MAX before it. So the sum up to that piece is known then,
 * and depends on the packets alone.
 */
typedef struct jobs_work {
  uint64_t of[JOBS_PIECES_MAX]; /* work on the last pieces: piece k is at k % JOBS_PIECES_MAX */
  uint64_t sum;                 /* work on all earlier pieces */
} jobs_work;

/** jobs_work_add adds the work of a share, or of all, on a piece. */
static inline void jobs_work_add(jobs_work *w, uint64_t piece, uint64_t work) {
  w->of[piece % JOBS_PIECES_MAX] += work;
}

/** jobs_work_begin begins a piece, and returns the work that is known by then. */
static inline uint64_t jobs_work_begin(jobs_work *w, uint64_t piece) {
  uint64_t *of = &w->of[piece % JOBS_PIECES_MAX];
  w->sum += *of;
  *of = 0;
  return w->sum;
}

/** jobs_work_ends says whether a piece that is no stretch of a file ends after so many octets and
 * packets. */
bool jobs_work_ends(size_t octets, uint64_t packets);

#endif
