/* SPDX-License-Identifier: BSD-2-Clause */
/* One end of a connection. */
#ifndef INGEST_ADDR_H
#define INGEST_ADDR_H

#include <stdint.h>

/** ingest_addr is one end of a connection. */
typedef struct ingest_addr {
  uint8_t family; /* 4 or 6 */
  uint8_t ip[16]; /* the first 4 octets for IPv4 */
  uint16_t port;
} ingest_addr;

#endif
