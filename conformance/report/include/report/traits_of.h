/* SPDX-License-Identifier: BSD-2-Clause */
/* Which lines of a capture its counts come to. */
#ifndef REPORT_TRAITS_OF_H
#define REPORT_TRAITS_OF_H

#include <ingest/ingest.h>

#include <report/traits.h>

/** report_traits_source is a capture that was read to its end. */
typedef struct report_traits_source {
  const observe_conn *capture; /* only `file` and `parts` count */
  const ingest_stats *stats;
  uint64_t packets;
  ingest_bad backwards; /* packets whose time is before the time of the packet before */
  ingest_bad cut;       /* packets that were captured in part */
  uint64_t snaplen;     /* most octets of such a packet */
  const char *(*link_name)(int link_type); /* the name of a link type of libpcap */
} report_traits_source;

/** report_traits_fn takes a line, which is valid until it returns. */
typedef void report_traits_fn(void *ctx, const report_trait *trait);

/** report_traits_each calls `fn` for each line that counts packets. */
void report_traits_each(const report_traits_source *from, report_traits_fn *fn, void *ctx);

/** report_differs counts the conflicting copies of a capture. */
typedef struct report_differs {
  const observe_conn *capture;
  uint64_t num;      /* copies with a line of their own */
  report_trait more; /* the other copies: one line if `count` is not 0 */
} report_differs;

/** report_differs_new returns the counts before a capture is read. */
static inline report_differs report_differs_new(const observe_conn *capture) {
  return (report_differs){.capture = capture,
                          .more = {.kind = REPORT_TRAIT_OCTETS_DIFFER, .capture = capture}};
}

/** report_differs_add counts two copies. Returns true if they have a line of their own, and sets
 * *trait to it, without `conn`. */
bool report_differs_add(report_trait *trait, report_differs *all, const observe_differ *what);

#endif
