/* SPDX-License-Identifier: BSD-2-Clause */
/* HOST:PORT to addresses, and back to text. */
#define _POSIX_C_SOURCE 200809L

#include <peer_net/address.h>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include <memory/memory.h>

#define ADDRESS_HOST_CAP 256u /* octets of a name, RFC 1035 2.3.4 */
#define ADDRESS_PORT_CAP 6u

/* HOST and PORT of a text. */
typedef struct address_parts {
  char host[ADDRESS_HOST_CAP];
  char port[ADDRESS_PORT_CAP];
} address_parts;

static bool address_copy(char *out, size_t cap, const char *from, size_t len) {
  if (len >= cap) {
    return false;
  }
  memcpy(out, from, len);
  out[len] = 0;
  return true;
}

static bool address_port(const char *text, bool passive, char out[ADDRESS_PORT_CAP]) {
  const size_t len = strlen(text);
  unsigned long port = 0;
  if (len == 0 || strspn(text, "0123456789") != len ||
      !address_copy(out, ADDRESS_PORT_CAP, text, len)) {
    return false;
  }
  for (size_t i = 0; i < len; i++) {
    port = port * 10 + (unsigned long)(text[i] - '0');
  }
  return port <= UINT16_MAX && (port > 0 || passive);
}

/* Splits "[HOST]:PORT", "HOST:PORT", and where it is passive "PORT". */
static bool address_split(const char *text, bool passive, address_parts *out) {
  const char *colon = strrchr(text, ':');
  const char *host = text;
  size_t len = colon != NULL ? (size_t)(colon - text) : 0;
  if (colon == NULL) {
    return passive && address_port(text, passive, out->port);
  }
  if (len >= 2 && host[0] == '[' && host[len - 1] == ']') {
    host++;
    len -= 2;
  } else if (memchr(host, ':', len) != NULL) { /* an IPv6 address without brackets */
    return false;
  }
  return len > 0 && address_copy(out->host, sizeof out->host, host, len) &&
         address_port(colon + 1, passive, out->port);
}

static void address_take(const struct addrinfo *found, net_addresses *out) {
  for (; found != NULL && out->num < NET_ADDRESSES_MAX; found = found->ai_next) {
    if (found->ai_addrlen <= sizeof out->list[0].at) {
      net_address *to = &out->list[out->num++];
      memcpy(&to->at, found->ai_addr, found->ai_addrlen);
      to->len = found->ai_addrlen;
    }
  }
}

bool net_resolve(const char *text, bool passive, net_addresses *out, char error[NET_ERROR_CAP]) {
  const struct addrinfo hints = {
      .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
  address_parts parts = {.host = ""};
  struct addrinfo *found = NULL;
  *out = (net_addresses){.num = 0};
  if (!address_split(text, passive, &parts)) {
    (void)snprintf(error, NET_ERROR_CAP, "'%.60s' is not of the form HOST:PORT or [IPV6]:PORT",
                   text);
    return false;
  }
  const int failed =
      getaddrinfo(parts.host[0] != 0 ? parts.host : "127.0.0.1", parts.port, &hints, &found);
  if (failed != 0) {
    if (failed == EAI_MEMORY) {
      memory_failed();
    }
    (void)snprintf(error, NET_ERROR_CAP, "'%.60s': %.80s", parts.host, gai_strerror(failed));
    return false;
  }
  address_take(found, out);
  freeaddrinfo(found);
  if (out->num == 0) {
    (void)snprintf(error, NET_ERROR_CAP, "'%.60s': no address", parts.host);
  }
  return out->num > 0;
}

static const struct sockaddr_in6 *address_six(const net_address *address) {
  return (const struct sockaddr_in6 *)(const void *)&address->at;
}

static const struct sockaddr_in *address_four(const net_address *address) {
  return (const struct sockaddr_in *)(const void *)&address->at;
}

static bool address_is_six(const net_address *address) {
  return address->at.ss_family == AF_INET6;
}

size_t net_address_octets(const net_address *address, uint8_t out[16]) {
  if (!address_is_six(address)) {
    memcpy(out, &address_four(address)->sin_addr, 4);
    return 4;
  }
  const uint8_t *six = address_six(address)->sin6_addr.s6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&address_six(address)->sin6_addr)) {
    memcpy(out, six + 12, 4);
    return 4;
  }
  memcpy(out, six, 16);
  return 16;
}

void net_address_host(const net_address *address, char out[NET_ADDRESS_TEXT]) {
  uint8_t octets[16];
  const size_t len = net_address_octets(address, octets);
  out[0] = 0;
  (void)inet_ntop(len == 4 ? AF_INET : AF_INET6, octets, out, NET_ADDRESS_TEXT);
}

uint16_t net_address_port(const net_address *address) {
  return ntohs(address_is_six(address) ? address_six(address)->sin6_port
                                       : address_four(address)->sin_port);
}

void net_address_text(const net_address *address, char out[NET_ADDRESS_TEXT]) {
  char host[NET_ADDRESS_TEXT];
  net_address_host(address, host);
  (void)snprintf(out, NET_ADDRESS_TEXT, strchr(host, ':') != NULL ? "[%.46s]:%u" : "%.46s:%u", host,
                 (unsigned int)net_address_port(address));
}
