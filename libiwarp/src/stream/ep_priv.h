/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of an endpoint, shared by its source files. */
#ifndef IWARPI_STREAM_EP_PRIV_H
#define IWARPI_STREAM_EP_PRIV_H

#include <iwarp/endpoint.h>

#define EP_FRAME_MAX (IWARP_MPA_STARTUP_LEN + IWARP_MPA_PRIVATE_DATA_MAX)
#define EP_NONE UINT32_MAX
#define EP_REV_DEFAULT 2u

/* What an error is, as the first two octets of a Terminate: 4 bits Layer, 4 EType, 8 Code. */
#define EP_OK 0u
#define EP_TERM_SHORT 0x1000u /* no room for the DDP header */
#define EP_TERM_RV 0x0205u
#define EP_TERM_OPCODE 0x0206u
#define EP_TERM_CATASTROPHIC 0x0207u /* localized to the stream */
#define EP_TERM_UNSPECIFIED 0x02FFu
#define EP_TERM_INVALIDATE 0x0209u
#define EP_TERM_INVALIDATE_FOREIGN 0x0109u
#define EP_TERM_DV_TAGGED 0x1104u
#define EP_TERM_DV_UNTAGGED 0x1206u
#define EP_TERM_QN 0x1201u
#define EP_TERM_NO_BUFFER 0x1202u
#define EP_TERM_MSN 0x1203u
#define EP_TERM_MO 0x1204u
#define EP_TERM_TOO_LONG 0x1205u
#define EP_TERM_CRC 0x2002u
#define EP_TERM_LOCAL 0x2005u
#define EP_TERM_MARKER 0x2003u
#define EP_TERM_NO_IRD 0x2006u
#define EP_TERM_NO_RTR 0x2007u

/* The codes for the faults of an access to a region. */
typedef struct ep_words {
  uint16_t invalid;
  uint16_t foreign;
  uint16_t wrap;
  uint16_t bounds;
  uint16_t access;
  bool access_first; /* told before wrap and bounds */
} ep_words;

/* ---- states and events ---- */

/* What can happen to an endpoint. */
typedef enum ep_input {
  EP_CONNECT = 0, /* iwarp_endpoint_connect, and so on */
  EP_LISTEN,
  EP_ACCEPT,
  EP_REJECT,
  EP_POST, /* an operation is posted */
  EP_RECV, /* a receive buffer is posted */
  EP_CLOSE,
  EP_ABORT,
  EP_OCTETS,    /* octets came */
  EP_BAD_FRAME, /* they are no valid startup frame, or stand where none may */
  EP_GOT_REQUEST,
  EP_GOT_REPLY, /* one that accepts */
  EP_GOT_REJECT,
  EP_FPDU,  /* an FPDU valid for MPA */
  EP_FAULT, /* ep->fault says what is wrong */
  EP_GOT_TERMINATE,
  EP_DRAINED, /* all that was to be sent before the end is sent */
  EP_FIN,
  EP_LOST,
  EP_TIMEOUT,
  EP_NUM_INPUTS
} ep_input;

/* What is done about it. */
typedef enum ep_action {
  EP_DO_EMPTY = 0, /* no cell has this */
  EP_DO_REFUSE,    /* the call returns STATE */
  EP_DO_TAKE,      /* nothing more than the next state */
  EP_DO_NEVER,     /* cannot happen in this state, and would change nothing */
  EP_DO_REQUEST,   /* send the Request */
  EP_DO_TIMER,     /* the startup has begun */
  EP_DO_TELL_REQUEST,
  EP_DO_TELL_REPLY,
  EP_DO_TELL_REJECTED,
  EP_DO_REPLY,     /* send the accepting Reply, get ready for FPDUs */
  EP_DO_REFUSAL,   /* send the rejecting Reply */
  EP_DO_CONFIRM,   /* settle what the Reply says, Full Operation */
  EP_DO_LEAVE,     /* MPA is over */
  EP_DO_UNFENCE,   /* the first FPDU came */
  EP_DO_END,       /* wait until all is sent */
  EP_DO_SHUTDOWN,  /* close this half */
  EP_DO_SHUT_LAST, /* close this half; the other is closed */
  EP_DO_PEER_ENDED,
  EP_DO_TERMINATE,  /* send a Terminate */
  EP_DO_DOOMED,     /* an error, and no Terminate can be sent */
  EP_DO_TERMINATED, /* the peer's Terminate: stop, but for an FPDU under way */
  EP_DO_TERM_LATE,  /* the peer's Terminate, and this half is closed */
  EP_DO_CLOSED,     /* both halves are closed */
  EP_DO_BROKEN,     /* the transport connection is gone */
  EP_DO_DROP,       /* end the transport connection */
  EP_DO_COLLECT,    /* octets: of a startup frame */
  EP_DO_SURPLUS,    /* octets: none may come now */
  EP_DO_HOLD,       /* octets: what they are is not decided yet */
  EP_DO_FEED,       /* octets: FPDUs */
  EP_DO_HAND,       /* octets: the ULP's */
  EP_DO_DISCARD,    /* octets: nobody's */
  EP_NUM_ACTIONS
} ep_action;

typedef struct ep_cell {
  ep_action action;
  iwarp_endpoint_state next;
} ep_cell;

/* Things to tell, each at most once in the life of an endpoint. */
#define EP_NOTICES_MAX 8u

/* ---- memory ---- */

typedef struct ep_region {
  iwarp_endpoint_region v;
  bool valid;
  uint32_t uses; /* Read Responses that borrow it */
} ep_region;

typedef struct ep_recv {
  uint64_t token;
  uint8_t *mem;
  uint32_t len;
  uint32_t ahead; /* FPDUs placed in it out of order and not reached yet */
} ep_recv;

/* An operation of the ULP, or the RTR message. */
typedef struct ep_op {
  uint64_t token;
  uint64_t to; /* Write */
  uint64_t original;
  uint32_t stag; /* Write, or the Invalidate STag */
  uint32_t got;  /* Read: octets of the Response so far */
  iwarp_err err;
  uint8_t opcode;
  bool internal; /* the RTR message: the ULP knows nothing of it */
  bool sent;     /* the transport took it, or it never goes out */
  bool answered; /* the Response is there, or none comes */
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

/* A Read or Atomic Request of the peer. */
typedef struct ep_inbound {
  bool atomic;
  bool asked;    /* the ULP was told to do it */
  bool answered; /* and did */
  uint64_t original;
  union {
    iwarp_rdmap_read_req read;
    iwarp_rdmap_atomic_req atomic;
  } u;
  uint8_t header[IWARP_DDP_UNTAGGED_LEN];
} ep_inbound;

/* A ring: `num` entries from `head` on, of `cap`. */
typedef struct ep_ring {
  uint32_t head;
  uint32_t num;
  uint32_t cap;
} ep_ring;

static inline uint32_t ep_ring_at(const ep_ring *ring, uint32_t i) {
  const uint32_t left = ring->cap - ring->head;
  return i < left ? ring->head + i : i - left;
}

static inline void ep_ring_pop(ep_ring *ring) {
  ring->head = ep_ring_at(ring, 1);
  ring->num--;
}

/* The message that is being received. */
typedef struct ep_message {
  bool active; /* its last segment has not come */
  uint8_t opcode;
  uint32_t mo; /* untagged: octets so far */
} ep_message;

/* The FPDU that comes in pieces. */
typedef struct ep_assembly {
  uint64_t next; /* stream offset of the FPDU that is due */
  size_t have;   /* octets of it in buf */
  size_t held;   /* octets in buf that came before the ULP has accepted the Reply */
  size_t cap;
  uint8_t *buf;
} ep_assembly;

/* An FPDU whose payload was placed before its turn. */
typedef struct ep_out_of_order {
  uint64_t offset; /* stream offset of its first octet */
  uint32_t msn;    /* untagged */
  uint32_t wire_len;
  uint16_t ulpdu_length;
  uint32_t next_free; /* of one that is free: the next such one */
  bool tagged;
  uint8_t header[IWARP_DDP_UNTAGGED_LEN]; /* DDP header, and what follows a tagged one */
} ep_out_of_order;

/* Where the offsets of two records part: below next[0] `bit` is 0 in them, below next[1] it is 1,
 * and all bits above it are the same. */
typedef struct ep_node {
  uint64_t bit;
  uint32_t next[2]; /* see ep_tree.c; of a node that is free: next[0] is the next such one */
} ep_node;

/* Such FPDUs, by their offsets. */
typedef struct ep_tree {
  ep_out_of_order *records;
  ep_node *nodes;
  uint32_t root;
  uint32_t num;
  uint32_t free_record;
  uint32_t free_node;
} ep_tree;

/* An FPDU of the peer. */
typedef struct ep_fpdu {
  iwarp_mpa_fpdu mpa; /* only ulpdu_length is left of one that was placed before its turn */
  bool crc_bad;
  iwarp_span octets; /* the first ones of the ULPDU, at least its headers, lying together */
  iwarp_rdmap_seg seg;
} ep_fpdu;

/* The segment under examination. */
typedef struct ep_segment {
  const ep_fpdu *fpdu;
  const iwarp_ddp_hdr *ddp;
  const iwarp_rdmap_op *op;
  uint8_t opcode;
  uint32_t len; /* octets after the DDP header */
  bool first;   /* of the connection, and the RTR message may be due */
} ep_segment;

/* Octets of the current FPDU that are still to be placed. */
typedef struct ep_placing {
  bool on;
  bool ends_read; /* they are the last ones of a Read Response */
  iwarp_mpa_fpdu fpdu;
  size_t cursor;
  size_t skip; /* octets of headers that come first */
  iwarp_endpoint_place place;
} ep_placing;

struct iwarp_endpoint {
  iwarp_endpoint_info info;
  iwarp_endpoint_cfg cfg;
  uint64_t now;
  uint64_t deadline;
  uint64_t idle_at; /* Full Operation: IDLE is told then */
  bool tx_started;  /* what the peer waits for before its first FPDU was handed out */
  bool idle;        /* it is to be told */
  bool low_armed;   /* there were recv_low receive buffers since RECV_LOW was told */
  uint64_t recvs_used;
  bool busy; /* octets were pushed and events not drained */
  iwarp_span in;

  /* startup */
  bool sent_enhanced;
  iwarp_mpa_enhanced peer_enh;
  iwarp_mpa_startup peer_frame;
  iwarp_span ulp_data; /* of the call that is under way */
  size_t frame_in_len;
  size_t frame_out_len;
  size_t frame_out_taken;

  /* the end */
  iwarp_rdmap_term fault; /* what a Terminate for it says */
  bool fault_sent;
  bool term_taken; /* the transport took it */
  bool term_readable;
  bool rx_closed;     /* nothing more is received */
  bool close_pending; /* the end is to be told when all else was */
  ep_input input;     /* the latest */
  iwarp_endpoint_closed closed;
  uint8_t num_notices;
  uint8_t told; /* of them */
  uint8_t notices[EP_NOTICES_MAX];

  uint64_t handed; /* octets of the ULP, after MPA */

  /* receiving */
  ep_assembly assembly;
  bool ooo_input;                         /* `in` came out of order */
  bool ooo_chained;                       /* and an FPDU begins at its front */
  uint64_t ooo_at;                        /* stream offset of its front */
  ep_tree ahead;                          /* FPDUs placed out of order and not reached yet */
  uint32_t num_partial;                   /* receive buffers that they touch */
  iwarp_endpoint_out_of_order ooo_placed; /* to be told */
  ep_message msg;
  uint32_t msn[4]; /* that the next message on each queue has */
  uint32_t inner_len;
  uint8_t inner[IWARP_RDMAP_TERM_MAX];
  ep_placing placing;
  bool delivering;
  iwarp_endpoint_received delivery;

  /* sending */
  iwarp_tx *tx;
  ep_ring sq;
  uint32_t issued;      /* of sq, from its head */
  uint32_t waits_at;    /* in sq: none that waits for its Response lies before */
  uint32_t outstanding; /* Read and Atomic Requests issued and not answered */
  uint32_t atomics;     /* of them Atomic Requests */
  uint32_t request_id;
  bool rtr_pending; /* the RTR message is in sq */
  ep_ring rq;
  ep_ring irrq;
  uint32_t served; /* of irrq, from its head: Responses given to the transmit engine */

  uint32_t num_regions;
  ep_region *regions; /* in the order of their STags */
  ep_recv *recvs;
  ep_op *ops;
  ep_inbound *inbounds;
  void *tx_mem;
  uint32_t tx_messages;
  uint8_t hdr[IWARP_RDMAP_HDR_MAX]; /* headers that a Marker cut, joined */
  uint8_t frame_in[EP_FRAME_MAX];
  uint8_t frame_out[EP_FRAME_MAX];
};

/* ep_state.c */
const ep_cell *iwarpi_ep_cell(iwarp_endpoint_state state, ep_input input);
iwarp_err iwarpi_ep_dispatch(iwarp_endpoint *ep, ep_input input);
void iwarpi_ep_restart_idle_timer(iwarp_endpoint *ep);
void iwarpi_ep_queue_event(iwarp_endpoint *ep, iwarp_endpoint_event_kind kind);

/* ep_startup.c */
void iwarpi_ep_collect(iwarp_endpoint *ep);
void iwarpi_ep_make_frame(iwarp_endpoint *ep, bool reply, bool reject);
iwarp_mpa_enhanced iwarpi_ep_offer(const iwarp_endpoint *ep);
uint16_t iwarpi_ep_settle(iwarp_endpoint *ep);
void iwarpi_ep_startup_event(const iwarp_endpoint *ep, iwarp_ev_startup *out);

/* ep_ops.c */
void iwarpi_ep_post_rtr(iwarp_endpoint *ep, uint8_t rtr);
void iwarpi_ep_issue(iwarp_endpoint *ep);
void iwarpi_ep_serve(iwarp_endpoint *ep);
void iwarpi_ep_collect_results(iwarp_endpoint *ep);
void iwarpi_ep_fail_all(iwarp_endpoint *ep);
void iwarpi_ep_fail_waiting(iwarp_endpoint *ep);
bool iwarpi_ep_done_event(iwarp_endpoint *ep, iwarp_endpoint_ev *ev);
ep_op *iwarpi_ep_awaited_request(iwarp_endpoint *ep);
void iwarpi_ep_answered(iwarp_endpoint *ep, ep_op *op);
bool iwarpi_ep_abort_responses(iwarp_endpoint *ep, uint32_t stag);
bool iwarpi_ep_ask(iwarp_endpoint *ep, iwarp_endpoint_ev *ev);

/* ep_memory.c */
uint32_t iwarpi_ep_region(const iwarp_endpoint *ep, uint32_t stag);
uint8_t *iwarpi_ep_mem(const iwarp_endpoint_region *v, uint64_t to);
uint16_t iwarpi_ep_check_access(const iwarp_endpoint *ep, const ep_words *words, uint32_t stag,
                                uint64_t to, uint32_t len, uint8_t access);
uint16_t iwarpi_ep_check_atomic(const iwarp_endpoint *ep, uint32_t stag, uint64_t to);
uint16_t iwarpi_ep_check_invalidate(const iwarp_endpoint *ep, uint32_t stag);
extern const ep_words iwarpi_ep_sink_words;
extern const ep_words iwarpi_ep_source_words;

/* ep_out_of_order.c */
bool iwarpi_ep_out_of_order_due(iwarp_endpoint *ep, ep_fpdu *out);
bool iwarpi_ep_out_of_order_step(iwarp_endpoint *ep);
bool iwarpi_ep_out_of_order_event(iwarp_endpoint *ep, iwarp_endpoint_ev *ev);

/* ep_tree.c */
void iwarpi_ep_tree_init(ep_tree *t, ep_out_of_order *records, ep_node *nodes, uint32_t cap);
bool iwarpi_ep_tree_has(const ep_tree *t, uint64_t offset);
const ep_out_of_order *iwarpi_ep_tree_first(const ep_tree *t);
void iwarpi_ep_tree_add(ep_tree *t, const ep_out_of_order *v);
void iwarpi_ep_tree_pop(ep_tree *t);

/* ep_check.c */
uint16_t iwarpi_ep_check_header(const iwarp_endpoint *ep, const ep_segment *seg);
uint16_t iwarpi_ep_check(iwarp_endpoint *ep, ep_segment *seg);
bool iwarpi_ep_is_rtr(const iwarp_endpoint *ep, const ep_segment *seg);

/* ep_frame.c */
size_t iwarpi_ep_frame_max(const iwarp_endpoint_cfg *cfg);
void iwarpi_ep_frame_decode(iwarp_endpoint *ep, ep_fpdu *out);
iwarp_err iwarpi_ep_frame(iwarp_endpoint *ep, ep_fpdu *out);
bool iwarpi_ep_hold(iwarp_endpoint *ep, iwarp_span in);
void iwarpi_ep_release(iwarp_endpoint *ep);

/* ep_recv.c */
void iwarpi_ep_segment(ep_segment *out, const ep_fpdu *fpdu);
void iwarpi_ep_place(iwarp_endpoint *ep, const ep_segment *seg);
bool iwarpi_ep_markers_right(const iwarp_mpa_fpdu *fpdu);
void iwarpi_ep_fpdu(iwarp_endpoint *ep, const ep_fpdu *fpdu);
bool iwarpi_ep_place_event(iwarp_endpoint *ep, iwarp_endpoint_ev *ev);
void iwarpi_ep_abort_placement(iwarp_endpoint *ep, uint32_t stag);
bool iwarpi_ep_may_fault(const iwarp_endpoint *ep);
void iwarpi_ep_fault(iwarp_endpoint *ep, uint16_t word);
void iwarpi_ep_fault_of_read(iwarp_endpoint *ep, uint16_t word, const ep_inbound *in,
                             uint32_t served);

#endif
