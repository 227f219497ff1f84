/* SPDX-License-Identifier: BSD-2-Clause */
/* The ends of pieces that are no stretches of a file. */
#include "jobs_work.h"

bool jobs_work_ends(size_t octets, uint64_t packets) {
  return octets >= JOBS_PIECE || packets >= JOBS_PIECE_PACKETS;
}
