/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture without what is private: addresses and ports mapped, payload replaced. */
#ifndef SCRUB_SCRUB_H
#define SCRUB_SCRUB_H

#include <stdio.h>

#include <observe/observe.h>

/*
 * The capture is read three times. Its digest is the key of all that is replaced, so that equal
 * captures give equal results; with a secret of the caller there is no first reading. The second
 * reading learns which octets are headers of MPA, DDP and RDMAP, and what is found in the capture.
 * The third one writes, and looks at what is written as `check` would: both must be the same.
 */

#define SCRUB_KEY_LEN 32u /* octets */

/** scrub_cfg says what is kept; what it points to must outlive the scrub. */
typedef struct scrub_cfg {
  observe_cfg observe;           /* same as for a check: its ports stay; `budget` is not used */
  const ingest_tunnels *tunnels; /* tunnels of the packets: their ports stay; or NULL */
  size_t memory;                 /* bytes, half of it for what is learnt */
  bool private_data;             /* Private Data stay */
  FILE *spool; /* an empty file to write and read: IP packets in fragments are kept there */
} scrub_cfg;

typedef struct scrub scrub;

/** scrub_result says how it went. */
typedef enum scrub_result {
  SCRUB_OK = 0,
  SCRUB_NO_MEMORY, /* memory of the system ran out */
  SCRUB_FULL,      /* `memory` does not hold what was learnt */
  SCRUB_SPOOL      /* the file could not be written or read: see scrub_spool_error */
} scrub_result;

/** scrub_new makes a scrub; NULL: no memory. */
scrub *scrub_new(const scrub_cfg *cfg);

/** scrub_secret takes octets of a secret in place of the first reading. */
void scrub_secret(scrub *s, const void *octets, size_t len);

/** scrub_digest takes the next packet of the first reading. */
void scrub_digest(scrub *s, const ingest_packet *pkt);

/** scrub_learn takes the next packet of the second reading; false: see scrub_failed. */
bool scrub_learn(scrub *s, const ingest_packet *pkt);

/** scrub_learnt ends the second reading; false: see scrub_failed. */
bool scrub_learnt(scrub *s);

/** scrub_packet writes the octets of the next packet of the third reading to `out`, which has as
 * many; false: see scrub_failed. */
bool scrub_packet(scrub *s, const ingest_packet *pkt, uint8_t *out);

/** scrub_finish ends the third reading. It returns true if the same was found in what was written
 * as in the capture. */
bool scrub_finish(scrub *s);

/** scrub_failed returns what went wrong. */
scrub_result scrub_failed(const scrub *s);

/** scrub_spool_error returns the errno of the first failure of the file, after SPOOL. */
int scrub_spool_error(const scrub *s);

/** scrub_wanted returns the memory that would have been enough, by estimation, after FULL. */
size_t scrub_wanted(const scrub *s);

/** scrub_free gives all memory back; NULL is fine. */
void scrub_free(scrub *s);

#endif
