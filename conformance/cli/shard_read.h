/* SPDX-License-Identifier: BSD-2-Clause */
/* The summary of a shard, read back. */
#ifndef CLI_SHARD_READ_H
#define CLI_SHARD_READ_H

#include <report/shard.h>

#include "json_read.h"

/** shard_summary is what the last line of a shard says. */
typedef struct shard_summary {
  report_shard shard;   /* the shard; `captures` belongs to the reader */
  report_totals totals; /* the totals; `rules` belongs to the reader */
  uint64_t withheld[3]; /* findings by --max-findings, repeated ones, connections */
} shard_summary;

/** shard_read reads the summary. Returns NULL, or what is wrong with it. Call shard_free in either
 * case. */
const char *shard_read(shard_summary *out, json_text line);

/** shard_free gives its memory back. */
void shard_free(shard_summary *s);

#endif
