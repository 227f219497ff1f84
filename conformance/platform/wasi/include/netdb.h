/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of hosts where there is no network. */
#ifndef PLATFORM_WASI_NETDB_H
#define PLATFORM_WASI_NETDB_H

#include <stddef.h>
#include <sys/socket.h>

#define AI_PASSIVE 1
#define AI_NUMERICHOST 4
#define AI_NUMERICSERV 1024
#define EAI_FAIL (-4)
#define EAI_MEMORY (-10)

struct addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  struct sockaddr *ai_addr;
  struct addrinfo *ai_next;
};

static inline int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                              struct addrinfo **found) {
  (void)host;
  (void)port;
  (void)hints;
  *found = NULL;
  return EAI_FAIL;
}

static inline void freeaddrinfo(struct addrinfo *found) {
  (void)found;
}

static inline const char *gai_strerror(int error) {
  (void)error;
  return "this build has no network";
}

#endif
