/* SPDX-License-Identifier: BSD-2-Clause */
/* A number for a connection, the same on every machine and for both directions. */
#ifndef CLI_CONN_HASH_H
#define CLI_CONN_HASH_H

#include <ingest/ingest.h>

/** conn_hash returns the number of the connection between two ends, over SCTP or TCP. */
uint64_t conn_hash(const ingest_addr addr[2], bool sctp);

#endif
