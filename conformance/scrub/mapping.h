/* SPDX-License-Identifier: BSD-2-Clause */
/* What octets become: addresses, ports, payload. All of it follows from one key. */
#ifndef SCRUB_MAPPING_H
#define SCRUB_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ingest/ingest.h>

#define MAPPING_PORTS 65536u
#define MAPPING_CACHE 256u /* addresses of IPv4 whose results are kept */

/* Values that are derived from the key have a purpose each, so that none tells of another. */
typedef enum mapping_purpose {
  MAPPING_IP4 = 0,
  MAPPING_IP6,
  MAPPING_MAC,
  MAPPING_PORT,
  MAPPING_STREAM,
  MAPPING_FLOW,
  MAPPING_OTHER,
  MAPPING_TABLE,
  MAPPING_TABLES, /* keys of tables in memory */
  MAPPING_PURPOSES
} mapping_purpose;

typedef struct mapping {
  uint64_t key[MAPPING_PURPOSES][2];
  uint8_t table[256];              /* a permutation of the values of an octet */
  uint8_t seen[MAPPING_PORTS / 8]; /* ports of TCP and SCTP, one bit each */
  uint16_t port[MAPPING_PORTS];  /* port of TCP or SCTP after the mapping, by port; 0: unchanged */
  uint16_t udp[MAPPING_PORTS];   /* port of UDP after the mapping; 0: not computed yet, or port 0 */
  const ingest_tunnels *tunnels; /* ports of UDP that stay; or NULL */
  const uint8_t *named;          /* ports that stay, as observe_cfg has them; or NULL */
  uint32_t cached[MAPPING_CACHE];
  uint32_t becomes[MAPPING_CACHE];
  bool filled[MAPPING_CACHE];
} mapping;

/* mapping_begin derives all keys from one. */
void mapping_begin(mapping *m, const uint8_t key[32], const uint8_t *named);

/* mapping_port_seen notes a port, before mapping_ports. */
void mapping_port_seen(mapping *m, uint16_t port);

/* mapping_ports decides what ports become. Those of TCP and SCTP keep their order, since the lower
 * one of a connection is likely the server's. None becomes one that the capture has. */
void mapping_ports(mapping *m);

uint16_t mapping_port(mapping *m, uint8_t protocol, uint16_t port);
void mapping_ip(mapping *m, uint8_t family, uint8_t *octets);
void mapping_mac(const mapping *m, uint8_t octets[6]);

/* mapping_flow returns the number of a direction of a TCP connection. Over SCTP it is the number of
 * all chunks between two ports, since a host may have many addresses. */
uint64_t mapping_flow(const mapping *m, const ingest_addr *src, const ingest_addr *dst, bool sctp);

/* mapping_stream replaces octets of a direction from position `pos` on. An octet becomes another
 * one by its value and its position alone. */
void mapping_stream(const mapping *m, uint64_t flow, uint64_t pos, uint8_t *octets, size_t len);

/* mapping_other replaces octets by others that follow from all of them. */
void mapping_other(const mapping *m, uint8_t *octets, size_t len);

#endif
