/* SPDX-License-Identifier: BSD-2-Clause */
/* Sockets where there is no network: none can be made, and all other calls are for show. */
#ifndef PLATFORM_WASI_SYS_SOCKET_H
#define PLATFORM_WASI_SYS_SOCKET_H

#define msghdr platform_wasi_msghdr /* counts that are size_t elsewhere are int there */
#include_next <sys/socket.h>
#undef msghdr

#include <errno.h>
#include <stddef.h>

#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_LINGER 13
#define SOMAXCONN 128
#define MSG_DONTWAIT 0x40
#define MSG_NOSIGNAL 0x4000

struct msghdr {
  void *msg_name;
  socklen_t msg_namelen;
  struct iovec *msg_iov;
  size_t msg_iovlen;
  void *msg_control;
  size_t msg_controllen;
  int msg_flags;
};

static inline int platform_no_socket(void) {
  errno = EAFNOSUPPORT;
  return -1;
}

static inline int socket(int domain, int type, int protocol) {
  (void)domain;
  (void)type;
  (void)protocol;
  return platform_no_socket();
}

static inline int connect(int fd, const struct sockaddr *address, socklen_t len) {
  (void)fd;
  (void)address;
  (void)len;
  return platform_no_socket();
}

static inline int bind(int fd, const struct sockaddr *address, socklen_t len) {
  (void)fd;
  (void)address;
  (void)len;
  return platform_no_socket();
}

static inline int listen(int fd, int most) {
  (void)fd;
  (void)most;
  return platform_no_socket();
}

static inline int getsockname(int fd, struct sockaddr *address, socklen_t *len) {
  (void)fd;
  (void)address;
  (void)len;
  return platform_no_socket();
}

static inline int getpeername(int fd, struct sockaddr *address, socklen_t *len) {
  (void)fd;
  (void)address;
  (void)len;
  return platform_no_socket();
}

static inline int setsockopt(int fd, int level, int name, const void *value, socklen_t len) {
  (void)fd;
  (void)level;
  (void)name;
  (void)value;
  (void)len;
  return platform_no_socket();
}

static inline ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  (void)fd;
  (void)message;
  (void)flags;
  return platform_no_socket();
}

#endif
