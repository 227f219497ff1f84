/* SPDX-License-Identifier: BSD-2-Clause */
/* The target of a connection: HOST:PORT, and the addresses of a name. */
#ifndef PEER_NET_ADDRESS_H
#define PEER_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/** Addresses of one name that are tried, at most. */
#define NET_ADDRESSES_MAX 16u

/** Octets of the text of an address, with its final 0. */
#define NET_ADDRESS_TEXT 64u

/** Octets of a message, with its final 0. */
#define NET_ERROR_CAP 160u

/** net_address is an address and a port of IPv4 or IPv6. */
typedef struct net_address {
  struct sockaddr_storage at;
  socklen_t len; /* octets of `at`; 0: no address */
} net_address;

/** net_addresses is the addresses of one HOST:PORT, in the order of the tries. */
typedef struct net_addresses {
  net_address list[NET_ADDRESSES_MAX];
  size_t num;
} net_addresses;

/**
 * net_resolve finds the addresses of "HOST:PORT". HOST is a name, an IPv4 address or an IPv6
 * address in brackets, and PORT is a number from 1 on. With `passive` HOST may be missing ("PORT"):
 * then it is the loopback address; a port of 0 lets the system choose. False: `error` says why.
 */
bool net_resolve(const char *text, bool passive, net_addresses *out, char error[NET_ERROR_CAP]);

/** net_address_text writes "10.0.0.1:4791" or "[fe80::1]:4791". */
void net_address_text(const net_address *address, char out[NET_ADDRESS_TEXT]);

/** net_address_host writes the address alone, without brackets and port. */
void net_address_host(const net_address *address, char out[NET_ADDRESS_TEXT]);

/** net_address_port returns the port. */
uint16_t net_address_port(const net_address *address);

/** net_address_octets writes the 4 or 16 octets of the address, and returns how many. An IPv4
 * address that stands in an IPv6 address has 4. */
size_t net_address_octets(const net_address *address, uint8_t out[16]);

#endif
