/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that the protocols of upper layers share. */
#ifndef UPPER_PRIV_H
#define UPPER_PRIV_H

#include <string.h>

#include <upper/upper.h>

#define UPPER_HEAD 1024u  /* first octets of a Send that are read */
#define UPPER_OPEN 64u    /* requests of a connection whose answers are named, the latest */
#define UPPER_HARD_MSN 2u /* a first message may follow a Send that is the RTR message */

/* upper_send is a Send, as far as its first segment shows it. */
typedef struct upper_send {
  const uint8_t *head; /* first octets of the Send */
  size_t len;          /* octets of `head`, at most UPPER_HEAD */
  size_t segment;      /* octets of the first segment */
  bool whole;          /* the message has no other segment */
  uint8_t side;        /* side of the sender */
  iwarp_role role;     /* role of the sender */
  uint32_t msn;
} upper_send;

/* upper_space is a space of names. */
typedef enum upper_space {
  UPPER_NFS3 = 0,
  UPPER_NFS4,
  UPPER_NFS4_CALLBACK,
  UPPER_NFS4_OP,
  UPPER_NFS4_CALLBACK_OP,
  UPPER_NFSACL3,
  UPPER_SMB2,
  UPPER_NVME_FABRICS,
  UPPER_NVME_ADMIN,
  UPPER_NVME_IO,
  UPPER_ISCSI
} upper_space;

/* upper_request is a request whose answer is to be named. */
typedef struct upper_request {
  uint32_t id;    /* XID, or Command Identifier */
  uint16_t table; /* row of the table of RPC programs, or the space of the command; plus 1 */
  uint8_t value;  /* value of the name; UINT8_MAX: the request has no name */
  uint8_t side;   /* side of the sender */
  uint8_t num_parts;
  uint8_t parts[UPPER_PARTS]; /* operations of a COMPOUND, the first ones */
  bool more_parts;            /* the COMPOUND has other operations */
} upper_request;

struct upper {
  upper_protocol hint;            /* the protocol of the Private Data, if any */
  upper_protocol decided;         /* the protocol of the Sends */
  uint16_t qid;                   /* NVMe: the queue of the connection */
  bool fragments[2];              /* SMB Direct, by side: the rest of a message follows */
  size_t next;                    /* the place that is taken where none is free */
  upper_request open[UPPER_OPEN]; /* table 0: a free place */
};

/* upper_name returns the name of a value, or NULL. */
const char *upper_name(upper_space space, uint32_t value);

/* upper_open notes a request in a free place, or else in the place of another one. */
void upper_open(upper *u, const upper_request *request);
/* upper_take takes the request of the other side with this identifier; false: no such request is
 * open. */
bool upper_take(upper *u, uint32_t id, uint8_t side, upper_request *out);

static inline uint16_t upper_le16(const uint8_t *at) {
  return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t upper_le32(const uint8_t *at) {
  return upper_le16(at) | (uint32_t)upper_le16(at + 2) << 16;
}

static inline uint32_t upper_be32(const uint8_t *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline bool upper_zeros(const uint8_t *at, size_t len) {
  uint8_t any = 0;
  for (size_t i = 0; i < len; i++) {
    any |= at[i];
  }
  return any == 0;
}

/* upper_sends_as returns true if the sender has the role, or its role is unknown. */
static inline bool upper_sends_as(const upper_send *m, iwarp_role role) {
  return m->role == IWARP_ROLE_UNKNOWN || m->role == role;
}

/*
 * Each protocol has one function. It returns true, and the name, if the Send is a message of the
 * protocol. With `decided` not set, the octets must leave no other reading.
 */
bool upper_rpc(upper *u, const upper_send *m, upper_message *out);
bool upper_smbd(upper *u, const upper_send *m, upper_message *out);
bool upper_nvme(upper *u, const upper_send *m, upper_message *out);
bool upper_iser(upper *u, const upper_send *m, upper_message *out);

#endif
