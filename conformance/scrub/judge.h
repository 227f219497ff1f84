/* SPDX-License-Identifier: BSD-2-Clause */
/* What a check would find in packets, as one number. */
#ifndef SCRUB_JUDGE_H
#define SCRUB_JUDGE_H

#include <observe/observe.h>

#include "learn.h"

typedef struct judge {
  observe_budget budget;
  ingest *ingest;
  observe *observe;
  learn *learn;    /* takes the events; or NULL */
  uint64_t digest; /* of all that was found, but for addresses */
} judge;

/* judge_begin makes the engines; false: no memory. Call judge_end in either case. The author of a
 * capture must not know `hash_key`. */
bool judge_begin(judge *j, const observe_cfg *cfg, size_t memory, const uint64_t hash_key[2],
                 learn *taught);

void judge_packet(judge *j, const ingest_packet *pkt);

/* judge_finish says that no more packets come; false: the results are not to be relied on. */
bool judge_finish(judge *j);

void judge_end(judge *j);

#endif
