/* SPDX-License-Identifier: BSD-2-Clause */
/* What a check would find in packets, as one number. */
#ifndef SCRUB_FOUND_H
#define SCRUB_FOUND_H

#include <observe/observe.h>

#include "learn.h"

typedef struct found {
  observe_budget budget;
  ingest *ingest;
  observe *observe;
  learn *learn;    /* takes the events; may be NULL */
  uint64_t digest; /* digest of all that was found, without addresses */
} found;

/* found_begin makes the engines; false: no memory. Call found_end in either case. The author of a
 * capture must not know `hash_key`. */
bool found_begin(found *f, const observe_cfg *cfg, size_t memory, const uint64_t hash_key[2],
                 learn *taught);

void found_packet(found *f, const ingest_packet *pkt);

/* found_finish says that no more packets come; false: the results are not to be relied on. */
bool found_finish(found *f);

void found_end(found *f);

#endif
