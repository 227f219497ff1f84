/* SPDX-License-Identifier: BSD-2-Clause */
/* Scanner for a startup key in a stream that is not known to be iWARP. */
#ifndef IWARP_SCAN_H
#define IWARP_SCAN_H

#include <iwarp/mpa.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * iwarp_scan looks for a startup key in a stream of octets that is not known to be iWARP. All
 * members are private. A zeroed object is ready for use.
 */
typedef struct iwarp_scan {
  uint8_t held[20]; /* private */
  uint8_t num_held; /* private */
  bool past_start;  /* private */
} iwarp_scan;

/**
 * iwarp_scan_push looks at the octets `in`, which follow those pushed before.
 *
 * Returns true when a startup frame begins: then `*held` (octets of earlier pushes, perhaps none;
 * borrowed from the scanner) followed by `*rest` (the tail of `in`) are the octets from the first
 * octet of the key on. At the very start of a stream any complete key counts; later, a key counts
 * only with Rev <= 2 or PD_Length <= 512 after it, so that a text about MPA is not taken for MPA.
 */
IWARP_API bool iwarp_scan_push(iwarp_scan *scan, iwarp_span *held, iwarp_span *rest, iwarp_span in);

/** iwarp_scan_held returns the octets that may be the beginning of a key, so far. */
IWARP_API iwarp_span iwarp_scan_held(const iwarp_scan *scan);

/** iwarp_scan_gap tells the scanner that octets are missing here. */
IWARP_API void iwarp_scan_gap(iwarp_scan *scan);

#ifdef __cplusplus
}
#endif

#endif
