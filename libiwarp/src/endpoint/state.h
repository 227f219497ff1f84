/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All state of an endpoint, on one page. A part names the files that write it; the owner's files
 * (owner.h) may write every part. Other files get the parts that they need from a view (views.h).
 */
#ifndef IWARPI_ENDPOINT_STATE_H
#define IWARPI_ENDPOINT_STATE_H

#include <iwarp/endpoint.h>

#include "../base/ring.h"
#include "machine.h"

#define EP_OK ((iwarp_term)UINT16_MAX) /* no error, as the result of a check */

/* ---- time: clock.c; `idle`: the owner's files ---- */

typedef struct ep_clock {
  bool known;        /* the caller has given a time; before, times count from 0 */
  uint64_t now;      /* the latest time that the caller gave */
  uint64_t deadline; /* end of the timer of the startup or of the close */
  uint64_t idle_at;  /* time at which the endpoint is idle, in Full Operation */
  bool idle;         /* an IDLE event is to be reported */
} ep_clock;

/* ---- the end: the owner's files alone ---- */

/* Events that an endpoint reports at most once in its life. */
#define EP_PENDING_EVENTS_MAX 8u

typedef struct ep_end {
  bool term_taken;    /* the transport took the Terminate */
  bool rx_closed;     /* receiving has ended */
  bool close_pending; /* CLOSED is to be reported after all other events */
  bool send_failed;   /* the transport takes no more octets */
  bool reply_due;     /* CLOSED waits until the rejecting Reply is sent */
  ep_input input;     /* the latest input of the state machine */
  iwarp_endpoint_closed closed;
  uint8_t num_pending_events;
  uint8_t reported; /* number of pending events that were reported */
  uint8_t pending_events[EP_PENDING_EVENTS_MAX];
} ep_end;

/* ---- startup: startup.c; `lent`, `fpdus_may_come`: the owner's files ---- */

/* Terms that the frames settle: members of iwarp_endpoint_info. */
typedef struct ep_terms {
  uint8_t rev;
  bool enhanced;
  bool peer_to_peer;
  bool markers_out;
  bool markers_in;
  bool crc;
  uint8_t rtr;
  uint16_t ird;
  uint16_t ord;
} ep_terms;

typedef struct ep_startup {
  ep_terms terms;
  bool sent_enhanced;
  iwarp_mpa_enhanced peer_enh; /* zeros in a frame without enhanced data */
  iwarp_mpa_startup peer_frame;
  iwarp_span ulp_data; /* Private Data of the current call */
  size_t in_len;
  size_t out_len;
  size_t out_taken;
  bool lent;              /* octets of `out` were handed out and not taken */
  bool fpdus_may_come;    /* the output that the peer's first FPDU follows was handed out */
  uint8_t *in;            /* the peer's frame, EP_FRAME_MAX octets */
  uint8_t *out;           /* this side's frame, EP_FRAME_MAX octets */
  const iwarp_pool *pool; /* source of both buffers until the startup is over, or NULL */
} ep_startup;

/* ---- octets of the peer ---- */

/* Octets that the transport pushed: framing.c, out_of_order.c and startup.c consume them. */
typedef struct ep_pushed {
  bool busy;     /* a push is under way: its events were not drained */
  iwarp_span in; /* octets of the push that were not consumed */
  uint64_t from; /* position in the peer's stream where the last push begins */
  size_t len;    /* octets of the last push */
} ep_pushed;

/* Octets of an FPDU that were read straight into place. Payload lies there, all other octets lie
 * in the reassembly buffer. Offsets count from the start of the FPDU's wire form. */
typedef struct ep_committed {
  size_t from;
  size_t to;    /* the octet after the last one; 0: no octets */
  uint8_t *dst; /* place of the first octet of payload */
  uint32_t crc; /* CRC of all octets before `to` except the CRC field */
} ep_committed;

/* The expected FPDU, in pieces: framing.c, reserve.c; its memory: reassembly.c. */
typedef struct ep_reassembly {
  uint64_t next; /* stream offset of the expected FPDU */
  size_t have;   /* octets of the expected FPDU in buf */
  size_t held;   /* octets in buf that came before the ULP accepted the Reply */
  bool released; /* the held octets are the input */
  bool left;     /* octets of the expected FPDU were left with the caller */
  bool lent;     /* octets of the last push, or from before accept, were put together in buf */
  bool starved;  /* the pool had no memory for more octets */
  ep_committed committed; /* octets of the expected FPDU in their place */
  size_t cap;             /* octets of the longest FPDU */
  size_t room;            /* octets of buf: cap, or with a pool the most that were needed so far */
  uint8_t *buf;
  const iwarp_pool *pool;           /* may be NULL */
  uint8_t hdr[IWARP_RDMAP_HDR_MAX]; /* headers of an FPDU that a Marker divides, joined */
} ep_reassembly;

/* ---- octets out of order: out_of_order.c; the tree: placed_early.c ---- */

/* An FPDU whose payload was placed before its turn. */
typedef struct ep_record {
  uint64_t offset; /* stream offset of its first octet */
  uint32_t msn;    /* untagged */
  uint32_t wire_len;
  uint16_t ulpdu_length;
  uint32_t next_free; /* the next free record, in a free one */
  bool tagged;
  uint8_t header[IWARP_DDP_UNTAGGED_LEN]; /* DDP header, and the headers after a tagged one */
} ep_record;

/* The highest bit in which the offsets below this node differ: `bit` is 0 below next[0] and 1 below
 * next[1]. */
typedef struct ep_node {
  uint64_t bit;
  uint32_t next[2]; /* see placed_early.c; in a free node next[0] is the next free one */
} ep_node;

/* Records by their offsets. */
typedef struct ep_tree {
  ep_record *records;
  ep_node *nodes;
  uint32_t root;
  uint32_t num;
  uint32_t free_record;
  uint32_t free_node;
} ep_tree;

typedef struct ep_out_of_order {
  bool input;                         /* the current push is out of order */
  bool chained;                       /* an FPDU begins at the front of the input */
  uint64_t at;                        /* stream offset of the front of the input */
  ep_tree tree;                       /* FPDUs placed and not reached yet */
  iwarp_endpoint_out_of_order placed; /* FPDU to report in PLACED_OUT_OF_ORDER */
} ep_out_of_order;

/* ---- messages of the peer ---- */

/* The current message: recv.c. */
typedef struct ep_message {
  bool active; /* the last segment has not come */
  uint8_t opcode;
  uint32_t mo; /* untagged: octets so far */
} ep_message;

/* Messages in order: recv.c; `inner`: check.c. */
typedef struct ep_receiving {
  ep_message msg;
  uint32_t msn[4]; /* MSN of the next message on each queue */
  uint32_t inner_len;
  uint8_t inner[IWARP_RDMAP_TERM_MAX]; /* RDMAP header octets of the message */
  bool delivering;                     /* `delivery` is to be reported */
  bool term_readable;                  /* `inner` holds the Terminate of the peer */
  iwarp_rdmap_term_place term_place;   /* place of that Terminate */
  iwarp_endpoint_received delivery;
} ep_receiving;

/* Payload of the current FPDU that is still to be placed: placement.c. */
typedef struct ep_placing {
  bool on;
  bool named;     /* a PLACE event named it; the next call for an event completes it */
  bool ends_read; /* the octets end a Read Response */
  iwarp_endpoint_place place;
  iwarp_endpoint_run *runs; /* runs of all PLACE events of a call */
  size_t used;              /* number of runs in use */
} ep_placing;

/* A Read or Atomic Request of the peer: responses.c. */
typedef struct ep_inbound {
  bool atomic;
  bool asked;    /* the ULP was asked for the Atomic Operation */
  bool answered; /* the ULP has answered */
  bool sent;     /* the Response is over, though an earlier one may not be */
  uint64_t original;
  uint64_t offset; /* stream offset of the FPDU with its last segment */
  union {
    iwarp_rdmap_read_req read;
    iwarp_rdmap_atomic_req atomic;
  } u;
  uint8_t header[IWARP_DDP_UNTAGGED_LEN]; /* DDP header of its last segment */
  uint16_t segment_len;                   /* octets of that segment */
} ep_inbound;

typedef struct ep_inbounds {
  ring_pos ring;
  ep_inbound *slots;
  uint32_t served; /* Responses given to the transmit engine, from the head of the ring */
} ep_inbounds;

/* The first fault of the peer's stream: fault.c. */
typedef struct ep_fault {
  bool found;
  bool sent;          /* a Terminate reports it */
  bool returned;      /* the Terminate returns the DDP header */
  uint8_t header_len; /* octets of `header`; 0: no header is known */
  uint8_t read_len;   /* octets of `read` that the Terminate returns */
  iwarp_term term;
  uint16_t segment_len; /* octets of the segment to blame */
  uint64_t offset;      /* stream offset of the FPDU to blame, or IWARP_POS_UNKNOWN */
  uint8_t header[IWARP_DDP_UNTAGGED_LEN]; /* DDP header of that segment */
  uint8_t read[IWARP_RDMAP_READ_REQ_LEN]; /* RDMAP header of a Read Request */
} ep_fault;

/* ---- memory of the ULP ---- */

typedef struct ep_region {
  iwarp_endpoint_region v;
  bool valid;
  bool revoked;
  uint32_t uses; /* Read Responses that borrow it */
} ep_region;

/* Regions, of an endpoint or shared: regions.c; `uses`: responses.c. */
struct iwarp_regions {
  ep_region *rows; /* regions, sorted by STag */
  uint32_t num;
  uint32_t cap;
  uint64_t changes; /* ends of access */
};

typedef struct ep_memory {
  iwarp_regions own;
  iwarp_regions *regions; /* `own` or a shared table */
  uint64_t seen;          /* changes that this endpoint has acted on */
  uint32_t pd;            /* Protection Domain of the stream */
} ep_memory;

typedef struct ep_recv {
  iwarp_endpoint_buffer v;
  uint32_t out_of_order; /* FPDUs placed in it before their turn and not reached yet */
} ep_recv;

/* Receive buffers, of an endpoint or shared: rq.c. */
struct iwarp_srq {
  ring_pos ring;
  ep_recv *recvs;
  uint32_t most;  /* buffers that may be posted; `ring` has room for one at least */
  uint32_t low;   /* RECV_LOW is reported below this number of buffers */
  bool low_armed; /* `low` buffers were there since the last report */
};

typedef struct ep_rq {
  iwarp_srq own;     /* own buffers; with a shared queue: the buffers taken from the shared queue */
  iwarp_srq *shared; /* the shared queue; may be NULL */
  uint64_t completed;   /* buffers used by messages since the beginning */
  uint32_t num_partial; /* buffers with out_of_order above 0 */
} ep_rq;

/* ---- operations of the ULP: sq.c; `original`: recv.c; `quiet` of the queue: post.c ---- */

/* An operation of the ULP, or the RTR message. */
typedef struct ep_op {
  uint64_t token;
  uint64_t to; /* Write */
  uint64_t original;
  uint32_t stag; /* Write, or the Invalidate STag */
  uint32_t msn;  /* untagged: set when it is issued */
  uint32_t got;  /* Read: octets of the Response so far */
  iwarp_err err;
  uint8_t opcode;
  uint8_t cause; /* cause of `err`: an iwarp_endpoint_cause */
  bool quiet;    /* DONE reports errors only */
  bool internal; /* the RTR message: the ULP does not know it */
  bool sent;     /* the transport took it, or it never goes out */
  bool answered; /* the Response came, or never comes */
  bool one;      /* the payload is u.part */
  size_t num_parts;
  union {
    const iwarp_span *parts;
    iwarp_span part;
    uint8_t immediate[IWARP_RDMAP_IMMEDIATE_LEN];
    iwarp_rdmap_read_req read;
    iwarp_rdmap_atomic_req atomic;
  } u;
} ep_op;

typedef struct ep_sq {
  iwarp_tx *tx; /* NULL before Full Operation; it takes Responses and the Terminate as well */
  void *tx_mem;
  uint32_t tx_messages;
  ring_pos ring;
  ep_op *ops;
  uint32_t ord;         /* Read and Atomic Requests that may be outstanding */
  uint32_t issued;      /* operations given to `tx`, from the head of the ring */
  uint32_t waits_at;    /* index in the ring: operations before it wait for no Response */
  uint32_t outstanding; /* Read and Atomic Requests issued and not answered */
  uint32_t atomics;     /* Atomic Requests among these */
  uint32_t request_id;  /* Request Identifier of the next Atomic Request */
  bool rtr_pending;     /* the RTR message is in the ring */
  bool quiet;           /* operations posted now become quiet */
  uint8_t cause;        /* why operations fail: an iwarp_endpoint_cause */
} ep_sq;

/* ---- the endpoint: init.c lays it out in the caller's memory ---- */

struct iwarp_endpoint {
  iwarp_endpoint_info info;
  iwarp_endpoint_cfg cfg;
  ep_pushed pushed;
  uint64_t streaming_octets; /* given to the ULP after MPA, and discarded after the end */
  ep_clock clock;
  ep_end end;
  ep_startup startup;
  ep_fault fault;
  ep_memory memory;
  ep_reassembly reassembly;
  ep_out_of_order out_of_order;
  ep_receiving rx;
  ep_placing placing;
  ep_rq rq;
  ep_sq sq;
  ep_inbounds irq;
};

#endif
