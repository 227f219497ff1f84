/* SPDX-License-Identifier: BSD-2-Clause */
/* Which well-known protocol the first octets of a TCP stream belong to. */
#include "looks_like.h"

#include <observe/observe.h>

/* A protocol, and a pattern of its first octets; an octet of the mask is 0 where any value fits. */
typedef struct like_row {
  const char *name;
  uint8_t len;
  uint8_t octets[OBSERVE_LIKE_MAX];
  uint8_t mask[OBSERVE_LIKE_MAX];
} like_row;

#define ALL4 0xff, 0xff, 0xff, 0xff

static const like_row like_rows[] = {
    {"mpa", 7, "MPA ID ", {ALL4, 0xff, 0xff, 0xff}}, /* the rest is no key: RFC 5044 7.1.1 */
    {"http", 4, "GET ", {ALL4}},
    {"http", 5, "POST ", {ALL4, 0xff}},
    {"http", 4, "PUT ", {ALL4}},
    {"http", 5, "HEAD ", {ALL4, 0xff}},
    {"http", 8, "OPTIONS ", {ALL4, ALL4}},
    {"http", 8, "CONNECT ", {ALL4, ALL4}},
    {"http", 7, "DELETE ", {ALL4, 0xff, 0xff, 0xff}},
    {"http", 7, "HTTP/1.", {ALL4, 0xff, 0xff, 0xff}},
    {"http2", 14, "PRI * HTTP/2.0", {ALL4, ALL4, ALL4, 0xff, 0xff}},
    {"ssh", 4, "SSH-", {ALL4}},
    /* Handshake records of version 3.x: a ClientHello (1) or a ServerHello (2). RFC 8446 4, 5.1 */
    {"tls", 6, {0x16, 3, 0, 0, 0, 1}, {0xff, 0xff, 0xf8, 0, 0, 0xff}},
    {"tls", 6, {0x16, 3, 0, 0, 0, 2}, {0xff, 0xff, 0xf8, 0, 0, 0xff}},
    {"tls", 6, {0x15, 3, 0, 0, 2, 2}, {0xff, 0xff, 0xf8, 0xff, 0xff, 0xff}}, /* a fatal Alert */
    {"mail-ftp", 4, "220 ", {ALL4}},                                         /* RFC 5321, RFC 959 */
    {"mail-ftp", 4, "220-", {ALL4}},
    /* After the length: the ProtocolId of MS-SMB2 2.2.1, of MS-CIFS 2.2.3.1 */
    {"smb2", 8, {0, 0, 0, 0, 0xfe, 'S', 'M', 'B'}, {0xff, 0, 0, 0, ALL4}},
    {"smb", 8, {0, 0, 0, 0, 0xff, 'S', 'M', 'B'}, {0xff, 0, 0, 0, ALL4}},
    /* ICReq and ICResp, of 128 octets. NVMe/TCP 3.6.2.2, 3.6.2.3 */
    {"nvme-tcp", 8, {0, 0, 128, 0, 128, 0, 0, 0}, {ALL4, ALL4}},
    {"nvme-tcp", 8, {1, 0, 128, 0, 128, 0, 0, 0}, {ALL4, ALL4}},
    /* A Login Request (immediate) of version 0 without additional headers. RFC 7143 11.12 */
    {"iscsi", 5, {0x43, 0, 0, 0, 0}, {0xff, 0x30, 0xff, 0xff, 0xff}},
    /* The last fragment of a record: a call of RPC version 2. RFC 5531 9, 11 */
    {"rpc",
     16,
     {0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2},
     {0xff, 0xff, 0, 0, 0, 0, 0, 0, ALL4, ALL4}},
};

static bool like_fits(const like_row *row, iwarp_span head) {
  if (head.len < row->len) {
    return false;
  }
  for (size_t i = 0; i < row->len; i++) {
    if (((head.ptr[i] ^ row->octets[i]) & row->mask[i]) != 0) {
      return false;
    }
  }
  return true;
}

static const like_row *like_find(iwarp_span head) {
  size_t i = 0;
  while (i < sizeof like_rows / sizeof like_rows[0] && !like_fits(&like_rows[i], head)) {
    i++;
  }
  return i < sizeof like_rows / sizeof like_rows[0] ? &like_rows[i] : NULL;
}

const char *obs_looks_like(iwarp_span head) {
  const like_row *row = like_find(head);
  return row != NULL ? row->name : NULL;
}

bool observe_like_octets(iwarp_span head, bool mask[OBSERVE_LIKE_MAX]) {
  const like_row *row = like_find(head);
  for (size_t i = 0; i < OBSERVE_LIKE_MAX; i++) {
    mask[i] = row != NULL && i < row->len && row->mask[i] != 0;
  }
  return row != NULL;
}
