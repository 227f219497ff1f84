/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that are no captures of pcap or pcapng: what they are, and what makes a capture of them. */
#ifndef INGEST_FOREIGN_H
#define INGEST_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

typedef struct ing_foreign {
  const char *what;
  const char *advice; /* advice for the user */
} ing_foreign;

/** ing_foreign_find names a file by its first `len` octets, of which some hundred are enough.
 * Returns NULL for a file that nothing is known of. */
const ing_foreign *ing_foreign_find(const uint8_t *octets, size_t len);

#endif
