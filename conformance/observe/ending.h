/* SPDX-License-Identifier: BSD-2-Clause */
/* What is noted of a connection while it is followed, so that its outcome is known at the end. */
#ifndef OBSERVE_ENDING_H
#define OBSERVE_ENDING_H

#include <ingest/ingest.h>
#include <observe/conn.h>

#include "observe_priv.h"

#define ENDING_HEADERS 1024u   /* DDP headers of one side that are kept */
#define ENDING_HEADERS_MIN 16u /* room for headers at first; growth doubles it: powers of 2 */

/* The DDP header of an FPDU, and the packet that completed the FPDU. */
typedef struct ending_header {
  uint64_t packet;
  uint32_t read; /* CRC32c of the RDMA header of a Read Request */
  uint8_t len;
  uint8_t octets[IWARP_DDP_UNTAGGED_LEN];
} ending_header;

/* The latest headers of one side, in a ring. */
typedef struct ending_headers {
  ending_header *ring; /* made with the first header; may be NULL */
  uint32_t cap; /* size of the ring; it wraps only when it is ENDING_HEADERS or memory is short */
  uint64_t num; /* headers ever noted */
} ending_headers;

typedef struct ending {
  ingest_ends ends; /* over SCTP: Session Terminates and the ABORT */
  ingest_mark reject;
  uint8_t reject_side;
  /* payload may look like the Reject: octets after it do not confirm it */
  bool reject_inconclusive;
  uint32_t received; /* low bits of the position that the sender of the Request had received */
  ingest_mark terminated[2]; /* the first valid Terminate of each side */
  observe_terminate terminate[2];
  bool assumed[2]; /* the beginning of the Terminate is not proven: it counts while it is the last
                      FPDU of its side */
  ending_headers headers[2];
  bool malformed;     /* a startup frame was not of the right form */
  bool unfinished[2]; /* the side's startup frame is not whole, and no octets of it are missing */
  bool active[2];     /* something other than streaming data was seen of the side, or is missing */
  bool cut[2];        /* octets of the side are missing after the last event */
  bool given_up;      /* a limit ended the following of the connection, or dropped octets of it */
  bool initiated;     /* SCTP: an Initiate was seen */
  bool accepted;      /* SCTP: an Accept was seen */
} ending;

/* obs_ending_event notes what an event of the connection says of its end. */
void obs_ending_event(observe *obs, ending *e, const observe_conn *conn, const iwarp_event *ev);
/* obs_ending_fpdu notes what an FPDU of a data message without an event says of it. */
void obs_ending_fpdu(observe *obs, ending *e, const iwarp_observer_fpdu *f);
/* obs_ending_decide sets the outcome of a connection that ends; it borrows `e`. */
void obs_ending_decide(ending *e, observe_conn *conn);
/* obs_ending_free gives the memory of `e` back. */
void obs_ending_free(observe *obs, ending *e);

#endif
