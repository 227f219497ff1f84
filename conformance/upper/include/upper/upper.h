/* SPDX-License-Identifier: BSD-2-Clause */
/* The upper layer of a Send by its first octets: its protocol, and the name of the
 * message. */
#ifndef UPPER_UPPER_H
#define UPPER_UPPER_H

#include <iwarp/event.h>

/*
 * The protocol of a connection is decided once: by the Private Data of the startup and by a Send
 * whose octets leave no other reading. From then on, each Send that fits the protocol has a name.
 * All other Sends have none.
 */

/** upper_protocol is a protocol above RDMAP. */
typedef enum upper_protocol {
  UPPER_UNKNOWN = 0,
  UPPER_RPC_RDMA, /* RPC-over-RDMA version 1, RFC 8166 */
  UPPER_SMBD,     /* SMB Direct, MS-SMBD */
  UPPER_NVME,     /* NVMe over Fabrics 1.1 */
  UPPER_ISER      /* iSER, RFC 7145 */
} upper_protocol;

#define UPPER_PARTS 6u /* operations of a message that are named */

/** upper_message is the name of a Send. All texts are static. */
typedef struct upper_message {
  upper_protocol protocol;
  const char *program;            /* program of the name, such as "NFSv3" or "SMB2"; may be NULL */
  const char *name;               /* name such as "READ", or the name of `number`; may be NULL */
  const char *parts[UPPER_PARTS]; /* operations of a COMPOUND, the first ones; NULL ends them */
  bool more_parts;                /* the COMPOUND has other operations, or they are not known */
  const char *kind;               /* kind such as "call" or "completion"; may be NULL */
  bool has_number;                /* `number` stands in the place of a name that is not known */
  uint32_t number;
  uint32_t status; /* status of an answer that reports an error; else 0 */
} upper_message;

/** upper_protocol_key returns the name of a protocol in JSON ("rpc-rdma"), upper_protocol_label its
 * name in text ("RPC-over-RDMA"). Static storage. */
const char *upper_protocol_key(upper_protocol protocol);
const char *upper_protocol_label(upper_protocol protocol);

/** upper holds the state of the upper layer of one connection. */
typedef struct upper upper;

/**
 * upper_event takes the next event of a connection, whose sender has `role`. It returns true, and
 * the name in `out`, if the event begins a Send that has one. `*kept` is NULL at first. It is made
 * where the startup or a Send shows a protocol; without memory for it, Sends stay without names.
 */
bool upper_event(upper **kept, const iwarp_event *ev, iwarp_role role, upper_message *out);

/** upper_free gives it back; NULL is fine. */
void upper_free(upper *kept);

#endif
