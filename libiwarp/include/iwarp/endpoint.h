/* SPDX-License-Identifier: BSD-2-Clause */
/* Connection engine of an endpoint, in the role of Initiator or Responder. */
#ifndef IWARP_ENDPOINT_H
#define IWARP_ENDPOINT_H

#include <iwarp/event.h>
#include <iwarp/tx.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * iwarp_endpoint is one end of a connection. (iwarp_observer watches a connection of others.) The
 * caller has the transport, the memory and the clock:
 *
 *   octets from the transport  -> iwarp_endpoint_push, then iwarp_endpoint_next_event until END
 *   octets to the transport    <- iwarp_endpoint_next_output, iwarp_endpoint_advance
 *   work of the ULP            -> iwarp_endpoint_send, _write, _read, _recv, ...
 *   what happened              <- iwarp_endpoint_next_event
 *   time                       -> iwarp_endpoint_time, at the latest at iwarp_endpoint_deadline
 *
 * After each call take events until END, then octets to send. The engine never touches the memory
 * of regions and receive buffers. It reports which octets go where (PLACE), asks for Atomic
 * Operations to be done (ATOMIC), and names the octets of Read Responses to the transport.
 *
 * The chapters of this header: configuration; states; making an endpoint; information; time;
 * startup; receiving; sending; ending; memory; operations; events; advanced.
 */

/** iwarp_endpoint is one end of a connection. */
typedef struct iwarp_endpoint iwarp_endpoint;

/** iwarp_regions is a table of regions that endpoints share, see iwarp/shared.h. */
typedef struct iwarp_regions iwarp_regions;

/** iwarp_srq is a receive queue that endpoints share, see iwarp/shared.h. */
typedef struct iwarp_srq iwarp_srq;

/* ---- configuration
 *
 * Zero is the default of each member but size, role, emss and num_sends. So a small program sets
 * these four and the lists that it needs: num_recvs to receive, num_regions for RDMA.
 */

/** IWARP_TIME_NEVER stands for no deadline; as a timeout: disabled. */
#define IWARP_TIME_NEVER UINT64_MAX

#define IWARP_ENDPOINT_LIST_MAX 65536u         /* bound of each number of the configuration */
#define IWARP_ENDPOINT_MAX_ULPDU 9216u         /* default of max_ulpdu; raised to a larger emss */
#define IWARP_ENDPOINT_STARTUP_NS 30000000000u /* default of startup_ns: 30 s */
#define IWARP_ENDPOINT_CLOSE_NS 30000000000u   /* default of close_ns: 30 s */

#define IWARP_RTR_SEND 1u  /* Ready to Receive as zero-length Send, flag B: RFC 6581 9.2 */
#define IWARP_RTR_WRITE 2u /* Ready to Receive as zero-length RDMA Write, flag C */
#define IWARP_RTR_READ 4u  /* Ready to Receive as zero-length RDMA Read, flag D */

/** iwarp_endpoint_cfg configures an endpoint. */
typedef struct iwarp_endpoint_cfg {
  size_t size; /* sizeof(iwarp_endpoint_cfg) */

  /* Role and negotiation: RFC 5044 7.1, RFC 6581 9 */
  iwarp_role role;   /* INITIATOR or RESPONDER */
  uint8_t rev;       /* 0 or 2: RFC 6581, or RFC 5044 if the peer knows no more. 1: RFC 5044 only;
                        the connection is closed on an enhanced Request. RFC 6581 10 */
  uint8_t rtr;       /* IWARP_RTR_* that this side supports; 0: all. One must count: in a Responder,
                        READ counts only with `ird` or `ird_max`, as the Read is sent to it */
  bool peer_to_peer; /* Initiator: the Responder may want to send first. RFC 6581 9.2 */
  bool markers;      /* Request Markers in received octets. */
  bool no_crc;       /* Do not request CRCs (the peer may still require them). */
  bool strict_first_fpdu; /* Initiator: an FPDU of the Responder before its own first one is a
                             fault. RFC 5044 7.1.2 */
  bool base_only;         /* Refuse Atomic Operations and Immediate Data of RFC 7306. */
  bool ird_unspec;        /* rev 2: the ULP negotiates the depth `ird`. RFC 6581 9.1 */
  bool ord_unspec;        /* rev 2: the ULP negotiates `ord`; an IRD of the peer still bounds it */
  uint16_t ird;     /* Read and Atomic Requests that the peer may have outstanding; 0..0x3FFE */
  uint16_t ird_max; /* `ird` rises up to this if the peer wants more; 0: ird. Not below ird */
  uint16_t ord;     /* Read and Atomic Requests that this side may have outstanding */

  /* Limits */
  uint32_t emss;      /* effective maximum segment size in octets, see iwarp_tx_cfg */
  uint32_t max_ulpdu; /* longest ULPDU to receive; a longer one is a fault. 65535: any. 0: emss, but
                         not less than IWARP_ENDPOINT_MAX_ULPDU */
  uint32_t num_fpdus; /* FPDUs handed out and not yet taken, see iwarp_tx_cfg */
  uint32_t num_sends; /* operations posted and not completed */
  uint32_t num_recvs; /* receive buffers posted and not completed */
  uint32_t num_regions; /* regions registered */
  uint32_t recv_low;    /* Report RECV_LOW when fewer receive buffers are posted, at most num_recvs;
                           0: never. RFC 5042 6.4.3 */

  /* Memory */
  uint32_t pd;            /* Protection Domain; regions of another one are not for this stream */
  const iwarp_pool *pool; /* lends memory for startup frames, an FPDU in pieces and octets in
                             flight; NULL: that memory is part of the endpoint */

  /* Timers, in nanoseconds */
  uint64_t startup_ns; /* timeout of the startup; 0: IWARP_ENDPOINT_STARTUP_NS. RFC 5044 7.1.2 */
  uint64_t close_ns;   /* timeout of the end of the connection, and of a rejecting Reply after
                          it; 0: IWARP_ENDPOINT_CLOSE_NS */
  uint64_t idle_ns; /* Report IDLE when no octet came or went for so long; 0: never. RFC 5042 6.4.2
                     */

  /* Behaviour */
  bool pack;  /* Put several FPDUs into a segment, see iwarp_tx_cfg. */
  void *user; /* the caller's; see iwarp_endpoint_user */

  /* Advanced: see the last chapter */
  bool leave_rest;           /* Octets of an incomplete FPDU stay with the caller. */
  bool place_before_crc;     /* Place octets before CRCs and Markers are checked. */
  uint32_t num_out_of_order; /* FPDUs placed out of order and not reached yet; 0: none */
  uint32_t max_partial;      /* receive buffers that hold octets placed out of order; 0: 8 */
  iwarp_regions *regions;    /* shared regions, in place of num_regions of its own; NULL: none */
  iwarp_srq *srq; /* shared receive queue: num_recvs bounds how many of its buffers this stream may
                     hold, 0: 1, and recv_low is not used; NULL: none */
} iwarp_endpoint_cfg;

/* ---- states
 *
 * What each state accepts. "STATE" is the error that the call returns; a name is the state that
 * follows; "taken" and "ignored" return OK. iwarp_endpoint_abort and _lost end the connection in
 * every state; docs/states.md has the machine with all inputs.
 *
 *                     push       eof         post   recv   close    send_failed  fail
 *   IDLE              STATE      CLOSED      STATE  taken  CLOSED   STATE        STATE
 *   WAIT_REPLY        startup    CLOSED      STATE  taken  CLOSED   taken        STATE
 *   REPLY_PENDING     held       CLOSED      STATE  taken  CLOSED   taken        STATE
 *   WAIT_REQUEST      startup    CLOSED      STATE  taken  CLOSED   taken        STATE
 *   REQUEST_PENDING   CLOSED     CLOSED      STATE  taken  CLOSED   taken        STATE
 *   AWAIT_FIRST_FPDU  FPDUs      CLOSED      taken  taken  STATE    taken        CLOSED
 *   FULL              FPDUs      PEER_ENDED  taken  taken  ENDING   SEND_FAILED  Terminate
 *   ENDING            FPDUs      CLOSING     STATE  taken  ignored  SEND_FAILED  Terminate
 *   LOCAL_CLOSED      FPDUs      CLOSED      STATE  taken  ignored  ignored      CLOSED
 *   PEER_ENDED        STATE      ignored     taken  STATE  CLOSING  CLOSED       Terminate
 *   CLOSING           STATE      ignored     STATE  STATE  ignored  CLOSED       Terminate
 *   SEND_FAILED       FPDUs      CLOSED      taken  taken  ignored  ignored      CLOSED
 *   TERMINATING       ignored    CLOSING     STATE  STATE  ignored  CLOSED       STATE
 *   TERMINATED        ignored    CLOSED      STATE  STATE  ignored  ignored      STATE
 *   DETACHED          STREAMING  CLOSED      STATE  STATE  CLOSED   ignored      STATE
 *   CLOSED            ignored    ignored     STATE  STATE  ignored  ignored      STATE
 *
 * connect and listen are for IDLE, accept and reject for the two PENDING states; they return STATE
 * in all others. Regions may be registered, invalidated and forgotten in every state.
 * iwarp_endpoint_next_output may be called in every state; it returns END where nothing is left to
 * send.
 */

/** iwarp_endpoint_state is a state between the making of an endpoint and its end. */
typedef enum iwarp_endpoint_state {
  IWARP_ENDPOINT_IDLE = 0,         /* made, not started */
  IWARP_ENDPOINT_WAIT_REPLY,       /* Initiator: the Request was made */
  IWARP_ENDPOINT_REPLY_PENDING,    /* Initiator: accept or reject is expected */
  IWARP_ENDPOINT_WAIT_REQUEST,     /* Responder: a Request is expected */
  IWARP_ENDPOINT_REQUEST_PENDING,  /* Responder: accept or reject is expected */
  IWARP_ENDPOINT_AWAIT_FIRST_FPDU, /* Responder: no FPDU came, so none may be sent, RFC 5044 7.1.2
                                    */
  IWARP_ENDPOINT_FULL,             /* Full Operation */
  IWARP_ENDPOINT_ENDING,           /* iwarp_endpoint_close: posted operations still go out */
  IWARP_ENDPOINT_LOCAL_CLOSED,     /* this side's half is closed */
  IWARP_ENDPOINT_PEER_ENDED,       /* the peer's half is closed */
  IWARP_ENDPOINT_CLOSING,          /* the peer's half is closed, octets left to send still go out */
  IWARP_ENDPOINT_SEND_FAILED,      /* a send failed: octets are still received, none go out */
  IWARP_ENDPOINT_TERMINATING,      /* a Terminate goes out, or the FPDU during which one came */
  IWARP_ENDPOINT_TERMINATED, /* a Terminate was sent or received; this side's half is closed */
  IWARP_ENDPOINT_DETACHED,   /* MPA was left, the transport connection is the ULP's */
  IWARP_ENDPOINT_CLOSED      /* the end: nothing follows */
} iwarp_endpoint_state;

#define IWARP_ENDPOINT_NUM_STATES 16u /* members of iwarp_endpoint_state */

/** iwarp_endpoint_state_name returns the identifier of a state ("FULL"); IWARP_NAME_UNKNOWN for an
 * invalid value. */
IWARP_API const char *iwarp_endpoint_state_name(iwarp_endpoint_state state);

/* ---- making an endpoint
 *
 * An endpoint lives in memory of the caller. There is no call that ends it: nothing is held besides
 * that memory and what the pool lent.
 */

/** iwarp_endpoint_size returns the octets of memory for `cfg`, without the pool's share; 0 when it
 * is not valid. */
IWARP_API size_t iwarp_endpoint_size(const iwarp_endpoint_cfg *cfg);

/**
 * iwarp_endpoint_cfg_error returns the name of the first member of `cfg` that is out of range
 * ("num_sends"), for which iwarp_endpoint_size returns 0. NULL: `cfg` is valid. Static storage.
 */
IWARP_API const char *iwarp_endpoint_cfg_error(const iwarp_endpoint_cfg *cfg);

/**
 * iwarp_endpoint_init makes an endpoint in `mem` (aligned as max_align_t, `mem_len` octets, owned
 * by the caller and must outlive the engine). NOBUF: too small. ARG: bad configuration
 * or alignment.
 */
IWARP_API iwarp_err iwarp_endpoint_init(iwarp_endpoint **out, void *mem, size_t mem_len,
                                        const iwarp_endpoint_cfg *cfg);

/**
 * iwarp_endpoint_release gives back to the pool what it lent the endpoint. Call it when the
 * transport reads no more of the octets that were handed out. The endpoint is of no use after that.
 * After CLOSED only octets that were handed out and not taken are still on loan. Without a pool
 * nothing happens.
 */
IWARP_API void iwarp_endpoint_release(iwarp_endpoint *ep);

/** iwarp_endpoint_user returns the caller's pointer of the configuration. */
IWARP_API void *iwarp_endpoint_user(const iwarp_endpoint *ep);

/* ---- information ---- */

/** iwarp_endpoint_info is what was negotiated; all but `state` is final from AWAIT_FIRST_FPDU or
 * FULL on. */
typedef struct iwarp_endpoint_info {
  iwarp_endpoint_state state; /* the current state */
  uint8_t rev;                /* Rev of the peer's startup frame */
  bool enhanced;              /* the enhanced data of RFC 6581 are in use */
  bool peer_to_peer;          /* the peer-to-peer model is in use, RFC 6581 9.2 */
  bool markers_out;           /* Markers are in the octets that this side sends */
  bool markers_in;            /* Markers are in the octets that this side receives */
  bool crc;                   /* CRCs are in use, in both directions */
  uint8_t rtr;                /* IWARP_RTR_* that both sides named */
  uint16_t ird;               /* IRD of this side in force */
  uint16_t ord;               /* ORD in force: bound of own Requests outstanding */
  uint16_t peer_ird;          /* IRD of the peer's frame, 0 when it has none */
  uint16_t peer_ord;          /* ORD of the peer's frame, 0 when it has none */
} iwarp_endpoint_info;

/** iwarp_endpoint_info_get returns the current state and terms; they change with every call. Never
 * NULL. */
IWARP_API const iwarp_endpoint_info *iwarp_endpoint_info_get(const iwarp_endpoint *ep);

/** iwarp_endpoint_counters counts what this stream holds now. A program that shares buffers among
 * streams finds by them a stream that takes too many. RFC 5042 6.4.3 */
typedef struct iwarp_endpoint_counters {
  uint32_t recvs;        /* receive buffers posted and not completed */
  uint64_t recvs_used;   /* completed by messages, since the beginning */
  uint32_t ops;          /* operations posted and not completed */
  uint32_t outstanding;  /* own Read and Atomic Requests sent and not answered */
  uint32_t inbound;      /* Read and Atomic Requests of the peer not answered */
  uint32_t out_of_order; /* FPDUs placed out of order and not reached yet */
  uint32_t partial;      /* receive buffers that those FPDUs touch */
} iwarp_endpoint_counters;

/** iwarp_endpoint_counters_get fills in `out`. */
IWARP_API void iwarp_endpoint_counters_get(const iwarp_endpoint *ep, iwarp_endpoint_counters *out);

/* ---- time
 *
 * The engine reads no clock. Without any call of iwarp_endpoint_time there are no timeouts.
 */

/**
 * iwarp_endpoint_time gives the time in nanoseconds of any clock that does not go back. Timeouts
 * count from the time given last. Timeouts that began before the first call count from that call.
 */
IWARP_API void iwarp_endpoint_time(iwarp_endpoint *ep, uint64_t now_ns);

/**
 * iwarp_endpoint_deadline returns when the engine wants the time, at the latest: 0, at once, when a
 * timeout counts and no time was given yet.
 */
IWARP_API uint64_t iwarp_endpoint_deadline(const iwarp_endpoint *ep);

/* ---- startup: RFC 5044 7.1, RFC 6581
 *
 *   Initiator: connect, then the event REPLY, then accept (or reject)
 *   Responder: listen, then the event REQUEST, then accept (or reject)
 *
 * ESTABLISHED reports that octets may be sent: an Initiator's after accept, a Responder's after the
 * first FPDU of its peer. Operations may be posted from accept on.
 */

/**
 * iwarp_endpoint_connect makes an Initiator send its Request with `private_data`, which is copied:
 * at most 512 octets, 508 with rev 2 (else ARG). NOBUF: the pool has no memory.
 */
IWARP_API iwarp_err iwarp_endpoint_connect(iwarp_endpoint *ep, iwarp_span private_data);

/** iwarp_endpoint_listen makes a Responder wait for a Request. NOBUF: the pool has no memory. */
IWARP_API iwarp_err iwarp_endpoint_listen(iwarp_endpoint *ep);

/**
 * iwarp_endpoint_accept goes into Full Operation. A Responder answers the Request with a Reply that
 * carries `private_data`, bounded as in iwarp_endpoint_connect. An Initiator agrees to the Reply
 * and sends the RTR message if one was negotiated; its `private_data` is empty (else ARG).
 */
IWARP_API iwarp_err iwarp_endpoint_accept(iwarp_endpoint *ep, iwarp_span private_data);

/**
 * iwarp_endpoint_reject leaves MPA. A Responder answers with a Reply that rejects, an Initiator
 * sends nothing. The transport connection stays open for the ULP (STREAMING events) until the ULP
 * ends it (_close, _abort) or reports its end (_eof, _lost): then CLOSED follows.
 */
IWARP_API iwarp_err iwarp_endpoint_reject(iwarp_endpoint *ep, iwarp_span private_data);

/* ---- receiving
 *
 * Octets of the peer are pushed in order and judged before any is placed. The end of the peer's
 * stream, a failed send and a lost connection are three different things:
 *
 *   a read finds the end  -> iwarp_endpoint_eof
 *   a send fails          -> iwarp_endpoint_send_failed, then go on reading and pushing
 *   a read fails          -> iwarp_endpoint_lost
 */

/**
 * iwarp_endpoint_push gives the engine the next octets of the transport stream. They are borrowed
 * until iwarp_endpoint_next_event has returned END. Call it until then before any other push or
 * iwarp_endpoint_eof (else STATE).
 *
 * NOBUF: the octets held before an Initiator accepts or rejects the Reply would exceed one FPDU of
 * max_ulpdu, or the pool has no memory. Push these octets again later. If octets follow the Reply
 * in the same push, answer REPLY before the next call of iwarp_endpoint_next_event; otherwise the
 * connection ends (CLOSED, cause EARLY).
 */
IWARP_API iwarp_err iwarp_endpoint_push(iwarp_endpoint *ep, iwarp_span in);

/**
 * iwarp_endpoint_rx_offset returns the offset of the octet that iwarp_endpoint_push must begin
 * with, counted from the first octet of the peer's stream. The answer is right when
 * iwarp_endpoint_next_event has returned END.
 */
IWARP_API uint64_t iwarp_endpoint_rx_offset(const iwarp_endpoint *ep);

/**
 * iwarp_endpoint_eof reports that the peer closed its half: no more octets come. In Full Operation
 * PEER_ENDED follows, and posted operations still go out. An incomplete FPDU or message, or missing
 * octets before an FPDU that was placed out of order, end the connection (CLOSED, cause FIN). A
 * Read or Atomic Operation without an answer completes with FLUSHED, and CLOSED then has cause FIN.
 * A second call changes nothing.
 *
 * An Initiator that has not accepted the Reply yet ends with cause FIN, and the octets that it
 * holds are lost: accept first where FPDUs may have come with the Reply.
 */
IWARP_API iwarp_err iwarp_endpoint_eof(iwarp_endpoint *ep);

/**
 * iwarp_endpoint_send_failed reports that a send returned an error: the transport takes no more
 * octets of this side. Only sending ends by that. A peer that resets the connection may have
 * sent a Terminate before, which lies unread in the transport: go on reading and pushing.
 *
 * Before this call, report by iwarp_endpoint_advance which octets the transport did take. After it,
 * no octets are handed out, and octets of the peer are judged for close_ns at most. Operations are
 * still taken; all whose octets were not taken complete with FLUSHED at the end. The connection
 * ends
 *
 *   by the peer's Terminate   CLOSED, cause TERMINATE
 *   by a fault                CLOSED, cause FAULT; no Terminate is sent
 *   by its end or its loss    CLOSED, cause LOST
 *
 * CLOSED follows at once where octets of the peer are not read any more. A second call changes
 * nothing.
 */
IWARP_API iwarp_err iwarp_endpoint_send_failed(iwarp_endpoint *ep);

/**
 * iwarp_endpoint_lost reports that the transport connection is gone and that no octets of the peer
 * are left to read: a read failed, or a device reported the end of its connection. CLOSED follows,
 * with cause LOST unless an earlier cause was recorded. Octets that were received and not pushed
 * are lost, a Terminate among them: so do not call it for a failed send. After CLOSED it changes
 * nothing.
 */
IWARP_API iwarp_err iwarp_endpoint_lost(iwarp_endpoint *ep);

/* ---- sending
 *
 * Take octets by iwarp_endpoint_next_output, give them to the transport, and report how many of
 * them it took by iwarp_endpoint_advance. They are borrowed until then. Octets of regions are among
 * them (Read Responses), and their CRC was made with them. If PLACE, an Atomic Operation or the ULP
 * changes such octets before the transport has taken or copied them, the peer finds a wrong CRC. A
 * transport that takes only a part copies the rest of these octets before more is pushed.
 */

/** iwarp_endpoint_next_output describes the next octets to send, as iwarp_tx_next_output does. */
IWARP_API iwarp_err iwarp_endpoint_next_output(iwarp_endpoint *ep, iwarp_span *spans, size_t cap,
                                               iwarp_tx_out *out);

/** iwarp_endpoint_next_batch describes the next octets to send of several segments, as
 * iwarp_tx_next_batch does. */
IWARP_API iwarp_err iwarp_endpoint_next_batch(iwarp_endpoint *ep, iwarp_tx_batch *batch);

/** iwarp_endpoint_advance reports that the transport took the first `len` of these octets. */
IWARP_API iwarp_err iwarp_endpoint_advance(iwarp_endpoint *ep, size_t len);

/**
 * iwarp_endpoint_set_emss sets a new effective maximum segment size in octets, at any time; FPDUs
 * not yet handed out follow it. ARG: 0. RFC 5044 4.5
 */
IWARP_API iwarp_err iwarp_endpoint_set_emss(iwarp_endpoint *ep, uint32_t emss);

/* ---- ending
 *
 * CLOSED is the last event in every case. Before it, every operation and receive buffer completes.
 */

/**
 * iwarp_endpoint_close ends the connection in order: no operation is posted any more, those that
 * were posted complete, then SHUTDOWN asks for the transport's half-close. Read and Atomic Requests
 * of the peer that come after SHUTDOWN cannot be answered: they end the connection (FAULT 0, 2, 7).
 * RFC 5040 6.2, RFC 5041 6.2.1.
 */
IWARP_API iwarp_err iwarp_endpoint_close(iwarp_endpoint *ep);

/**
 * iwarp_endpoint_fail ends the connection for a fault that the caller found, by a Terminate with
 * these three numbers and without headers. For a failure of the caller's own they are 2, 0, 5 (MPA
 * local catastrophic error, RFC 6581 8) or 0, 0, 0 (RDMAP local catastrophic error, RFC 5040 4.8).
 * STATE: not in Full Operation, or a fault was reported already. Where the table of states has
 * CLOSED the connection ends without a Terminate. ARG: `layer` or `etype` is beyond 4 bits.
 */
IWARP_API iwarp_err iwarp_endpoint_fail(iwarp_endpoint *ep, uint8_t layer, uint8_t etype,
                                        uint8_t code);

/**
 * iwarp_endpoint_abort ends the connection at once: CLOSED asks for the end of the transport
 * connection. A Reply that rejects and was not sent yet is dropped, also after
 * iwarp_endpoint_close. After CLOSED it changes nothing.
 */
IWARP_API iwarp_err iwarp_endpoint_abort(iwarp_endpoint *ep);

/* ---- memory
 *
 * Regions are what the peer's Writes, Reads and Atomic Operations reach. Receive buffers take Sends
 * and Immediate Data. Both may have no memory (`mem` NULL): then places are reported as offsets
 * only.
 */

#define IWARP_ACCESS_REMOTE_READ 1u   /* source of RDMA Reads */
#define IWARP_ACCESS_REMOTE_WRITE 2u  /* sink of RDMA Writes */
#define IWARP_ACCESS_REMOTE_ATOMIC 4u /* target of Atomic Operations */

/** iwarp_endpoint_region is a Tagged Buffer. RFC 5041 8.3 */
typedef struct iwarp_endpoint_region {
  uint32_t stag;  /* the peer's name for it */
  uint32_t pd;    /* Protection Domain that it belongs to */
  uint64_t base;  /* Tagged Offset of its first octet */
  uint64_t len;   /* octets; base + len is below 2^64 */
  uint8_t *mem;   /* the region's octets; may be NULL */
  uint8_t access; /* IWARP_ACCESS_*; REMOTE_READ and REMOTE_ATOMIC need `mem` */
  bool no_inval;  /* the peer may not invalidate it */
  void *user;     /* the caller's pointer; comes back in PLACE and ATOMIC */
} iwarp_endpoint_region;

/**
 * iwarp_endpoint_register makes a region known. ARG: a member is out of range, or the STag is in
 * use. NOBUF: there are num_regions already.
 */
IWARP_API iwarp_err iwarp_endpoint_register(iwarp_endpoint *ep, const iwarp_endpoint_region *v);

/**
 * iwarp_endpoint_invalidate ends all access to a region; the peer's Send with Invalidate does the
 * same. A Read Response under way still borrows its octets. Octets that a PLACE event has named may
 * still be placed until the next call. ARG: no such region. RFC 5041 8.3.1
 */
IWARP_API iwarp_err iwarp_endpoint_invalidate(iwarp_endpoint *ep, uint32_t stag);

/**
 * iwarp_endpoint_revoke invalidates a region and stops all reading from it. A Read Response under
 * way is cut off, and the connection ends with a Terminate that returns the rest of the Read
 * Request. Octets of the transport segment that iwarp_endpoint_next_output has begun to name stay
 * borrowed. ARG: no such region. RFC 5040 4.8, RFC 5042 6.3.3
 */
IWARP_API iwarp_err iwarp_endpoint_revoke(iwarp_endpoint *ep, uint32_t stag);

/**
 * iwarp_endpoint_deregister invalidates a region, then forgets it. ARG: no such region. STATE: a
 * Read Response borrows its octets, so the region is invalidated and not forgotten yet; call again
 * later.
 */
IWARP_API iwarp_err iwarp_endpoint_deregister(iwarp_endpoint *ep, uint32_t stag);

#define IWARP_STAG_KEY_LEN 16u /* octets */

/**
 * iwarp_stag_generate returns the `n`th of all 2^32 STags, in an order that cannot be predicted
 * without `key`. `key` is random octets that the caller keeps secret, one key for a machine or
 * Protection Domain. Count `n` up, and no STag comes back before all others were used. RFC
 * 5042 6.1.1
 */
IWARP_API uint32_t iwarp_stag_generate(const uint8_t key[IWARP_STAG_KEY_LEN], uint32_t n);

/**
 * iwarp_endpoint_recv posts a receive buffer of `len` octets for a Send or Immediate Data; `mem`
 * may be NULL. NOBUF: num_recvs are posted. STATE also where the receive queue is a shared one.
 */
IWARP_API iwarp_err iwarp_endpoint_recv(iwarp_endpoint *ep, uint64_t token, uint8_t *mem,
                                        uint32_t len);

/** iwarp_endpoint_buffer is a receive buffer. */
typedef struct iwarp_endpoint_buffer {
  uint64_t token; /* the caller's number; comes back in PLACE and RECV */
  void *user;     /* the caller's pointer; comes back in PLACE and RECV */
  uint8_t *mem;   /* the buffer's octets; may be NULL */
  uint32_t len;   /* octets */
} iwarp_endpoint_buffer;

/** iwarp_endpoint_recv_buffer is iwarp_endpoint_recv with a pointer of the caller. */
IWARP_API iwarp_err iwarp_endpoint_recv_buffer(iwarp_endpoint *ep, const iwarp_endpoint_buffer *v);

/* ---- operations
 *
 * Each call takes or refuses its operation at once:
 *
 *   STATE  the state does not allow it; in PEER_ENDED also a Read or Atomic Operation
 *   ORD    a Read or Atomic Operation where `ord` of iwarp_endpoint_info is 0, because this side's
 *          `ord` or the peer's IRD is 0
 *   NOBUF  num_sends are posted and not completed
 *   ARG    an argument is out of range; Tagged Offset and length at the peer add up to 2^64 or
 *          more (RFC 5041 7.1)
 *
 * Operations are sent and complete (DONE) in the order of the calls. A Read or Atomic Request
 * beyond ORD waits, and all operations after it wait too. Payload is borrowed until DONE, as
 * iwarp_tx_payload describes. RFC 5040 5.5
 */

/**
 * iwarp_endpoint_set_signalled chooses for the operations posted from now on whether each one
 * completes with DONE (the default), or only one that fails. Payload of an operation that completes
 * without DONE is borrowed until DONE of a later one, or until `ops` of the counters is 0.
 */
IWARP_API void iwarp_endpoint_set_signalled(iwarp_endpoint *ep, bool signalled);

/** iwarp_endpoint_send posts a Send type, with the arguments of iwarp_tx_send. RFC 5040 5.3 */
IWARP_API iwarp_err iwarp_endpoint_send(iwarp_endpoint *ep, uint64_t token,
                                        iwarp_rdmap_opcode opcode, uint32_t invalidate_stag,
                                        iwarp_tx_payload payload);

/** iwarp_endpoint_write posts an RDMA Write to the peer's region `stag`. RFC 5040 5.1 */
IWARP_API iwarp_err iwarp_endpoint_write(iwarp_endpoint *ep, uint64_t token, uint32_t stag,
                                         uint64_t to, iwarp_tx_payload payload);

/** iwarp_endpoint_read posts an RDMA Read; the sink lies in a region of this endpoint (else ARG).
 */
IWARP_API iwarp_err iwarp_endpoint_read(iwarp_endpoint *ep, uint64_t token,
                                        const iwarp_rdmap_read_req *req);

/** iwarp_endpoint_immediate posts Immediate Data, copied from `data`. RFC 7306 6 */
IWARP_API iwarp_err iwarp_endpoint_immediate(iwarp_endpoint *ep, uint64_t token, bool solicited,
                                             const uint8_t data[IWARP_RDMAP_IMMEDIATE_LEN]);

/** iwarp_endpoint_atomic posts an Atomic Operation; the engine chooses the Request Identifier. */
IWARP_API iwarp_err iwarp_endpoint_atomic(iwarp_endpoint *ep, uint64_t token,
                                          const iwarp_rdmap_atomic_req *req);

/**
 * iwarp_endpoint_atomic_answer reports that the Atomic Operation of the ATOMIC event was done, and
 * the value before it. STATE: no ATOMIC event waits for an answer.
 */
IWARP_API iwarp_err iwarp_endpoint_atomic_answer(iwarp_endpoint *ep, uint64_t original);

/* ---- events
 *
 * Take events until END after each call. The octets of a message are placed before it completes.
 */

/** iwarp_endpoint_event_kind says what happened, and which member of the union tells more. */
typedef enum iwarp_endpoint_event_kind {
  IWARP_ENDPOINT_EVENT_REQUEST = 0,         /* u.startup: accept or reject */
  IWARP_ENDPOINT_EVENT_REPLY,               /* u.startup: accept or reject */
  IWARP_ENDPOINT_EVENT_REJECTED,            /* u.startup: the peer rejected; MPA was left */
  IWARP_ENDPOINT_EVENT_ESTABLISHED,         /* octets may be sent */
  IWARP_ENDPOINT_EVENT_STREAMING,           /* u.streaming: octets for the ULP, after MPA */
  IWARP_ENDPOINT_EVENT_PLACE,               /* u.place: copy these octets */
  IWARP_ENDPOINT_EVENT_RECV,                /* u.recv: a receive buffer completes */
  IWARP_ENDPOINT_EVENT_ATOMIC,              /* u.atomic: do it, then iwarp_endpoint_atomic_answer */
  IWARP_ENDPOINT_EVENT_DONE,                /* u.done: an operation completes */
  IWARP_ENDPOINT_EVENT_FAULT,               /* u.fault: an error was found here */
  IWARP_ENDPOINT_EVENT_TERMINATED,          /* u.terminated: the peer's Terminate */
  IWARP_ENDPOINT_EVENT_PEER_ENDED,          /* the peer closed its half */
  IWARP_ENDPOINT_EVENT_SHUTDOWN,            /* close this half of the transport connection now */
  IWARP_ENDPOINT_EVENT_CLOSED,              /* u.closed: the end */
  IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER, /* u.out_of_order: do not push these octets again */
  IWARP_ENDPOINT_EVENT_RECV_LOW,            /* fewer than recv_low receive buffers are left */
  IWARP_ENDPOINT_EVENT_IDLE                 /* no octet came or went for idle_ns */
} iwarp_endpoint_event_kind;

/** iwarp_endpoint_event_name returns the identifier of a kind of event ("PLACE");
 * IWARP_NAME_UNKNOWN for an invalid value. */
IWARP_API const char *iwarp_endpoint_event_name(iwarp_endpoint_event_kind kind);

/** iwarp_endpoint_run is octets that lie together, and where they go. */
typedef struct iwarp_endpoint_run {
  iwarp_span src; /* the octets, at least one */
  uint8_t *dst;   /* place for as many octets; NULL: the buffer was given without memory */
} iwarp_endpoint_run;

/**
 * iwarp_endpoint_place tells where the payload of an FPDU goes, run by run. Markers divide it into
 * runs; each run goes after the octets of the run before. Octets that were read straight into place
 * (iwarp_endpoint_reserve_rx) are in no run.
 */
typedef struct iwarp_endpoint_place {
  const iwarp_endpoint_run *runs; /* runs; their octets are borrowed until the next call */
  size_t num_runs;                /* 0: all octets lie in place already */
  uint32_t len;                   /* octets of the payload */
  uint64_t offset;                /* offset of the first octet in the buffer or region */
  bool tagged;                    /* into a region; else into a receive buffer */
  uint32_t stag;                  /* tagged */
  uint64_t token;                 /* untagged: token of the receive buffer */
  void *user;                     /* user pointer of the region or the receive buffer */
} iwarp_endpoint_place;

/** iwarp_place_copy copies the runs of a PLACE to their places. It returns how many octets it
 * copied; runs without memory are skipped. */
IWARP_API size_t iwarp_place_copy(const iwarp_endpoint_place *place);

/** iwarp_endpoint_out_of_order is an FPDU that was placed before its turn. */
typedef struct iwarp_endpoint_out_of_order {
  uint64_t offset; /* offset of the first octet in the peer's stream */
  uint64_t len;    /* octets */
} iwarp_endpoint_out_of_order;

/** iwarp_endpoint_cause is why a connection ends; the first cause counts. CLOSED has it, and the
 * error that is named here. */
typedef enum iwarp_endpoint_cause {
  IWARP_ENDPOINT_CAUSE_ORDERLY = 0, /* OK: both halves were closed in order */
  IWARP_ENDPOINT_CAUSE_ABORT,       /* ABORTED: iwarp_endpoint_abort, or _close before Full
                                       Operation */
  IWARP_ENDPOINT_CAUSE_FRAME,       /* MPA_*: the peer's startup frame, or octets in its place */
  IWARP_ENDPOINT_CAUSE_FAULT,       /* FAULT: an error was found here, the FAULT event names it */
  IWARP_ENDPOINT_CAUSE_FIN,         /* EOF: the peer's stream ended in the startup, in a message, or
                                       before an answer */
  IWARP_ENDPOINT_CAUSE_LOST,        /* LOST: iwarp_endpoint_lost, or a send failed */
  IWARP_ENDPOINT_CAUSE_TIMEOUT,     /* TIMEOUT: startup_ns or close_ns passed */
  IWARP_ENDPOINT_CAUSE_EARLY,       /* FAULT: an FPDU before strict_first_fpdu allows it, or more
                                       octets with the Reply than fit */
  IWARP_ENDPOINT_CAUSE_TERMINATE,   /* TERMINATED: the peer's Terminate, the TERMINATED event names
                                       it */
  IWARP_ENDPOINT_CAUSE_REFUSED,     /* REFUSED: the peer's Reply rejects */
  IWARP_ENDPOINT_CAUSE_REJECT       /* ABORTED: iwarp_endpoint_reject */
} iwarp_endpoint_cause;

#define IWARP_ENDPOINT_NUM_CAUSES 11u /* members of iwarp_endpoint_cause */

/** iwarp_endpoint_cause_name returns the identifier of a cause ("TIMEOUT"); IWARP_NAME_UNKNOWN for
 * an invalid value. */
IWARP_API const char *iwarp_endpoint_cause_name(iwarp_endpoint_cause cause);

/** iwarp_endpoint_received is a receive buffer that completes, in the order of posting. */
typedef struct iwarp_endpoint_received {
  uint64_t token;             /* token of the receive buffer */
  void *user;                 /* user pointer of the receive buffer */
  iwarp_err err;              /* OK; FLUSHED: the connection ended before */
  iwarp_endpoint_cause cause; /* FLUSHED: the cause of the connection's end */
  iwarp_rdmap_opcode opcode;  /* opcode of the message: a Send type, Immediate Data */
  uint32_t len;               /* octets placed; 0 for Immediate Data */
  bool solicited;             /* the sender asks for an Event */
  bool invalidated;           /* the region `stag` was invalidated, before this event */
  uint32_t stag;              /* invalidated: STag of the region */
  uint8_t immediate[IWARP_RDMAP_IMMEDIATE_LEN]; /* Immediate Data: its octets, RFC 7306 6.2 */
} iwarp_endpoint_received;

/**
 * iwarp_endpoint_done is an operation that completes. A Read and an Atomic Operation are OK when
 * the peer has answered. A Send, a Write and Immediate Data are OK when the transport has taken all
 * octets, because RDMAP does not acknowledge them (RFC 5040 5.5). The peer's Terminate may name
 * such an operation after its DONE: see `msn`.
 */
typedef struct iwarp_endpoint_done {
  uint64_t token; /* given with the operation */
  iwarp_err err;  /* OK; FLUSHED: the connection ended before; REFUSED: the peer's Terminate returns
                     the header of a segment of it, found by MSN, or by STag and Tagged Offset */
  iwarp_endpoint_cause cause; /* error: the cause of the connection's end */
  iwarp_rdmap_opcode opcode;  /* opcode of the operation */
  uint32_t msn;      /* MSN on queue 0, or of its Request on queue 1; 0: a Write, or never sent */
  uint64_t original; /* Atomic Operation: the value before it */
} iwarp_endpoint_done;

/**
 * iwarp_endpoint_atomic_op is an Atomic Operation on the 8 octets at `mem`: an aligned number in
 * the byte order of the machine. iwarp_rdmap_fetch_add and iwarp_rdmap_cmp_swap compute the new
 * value. The operation must be atomic for all streams of the machine: RFC 7306 5.
 */
typedef struct iwarp_endpoint_atomic_op {
  uint8_t *mem;               /* place of the operation, in the region */
  void *user;                 /* user pointer of the region */
  iwarp_rdmap_atomic_req req; /* operation, operands and masks, as received */
} iwarp_endpoint_atomic_op;

/**
 * iwarp_endpoint_fault is an error found here. Only the first one is reported. RFC 5040 7.1
 *
 * iwarp_rdmap_term_code_name has words for it. The FPDU to blame is the one with the error. If a
 * Request cannot be answered any more, it is the FPDU of the Request.
 */
typedef struct iwarp_endpoint_fault {
  uint8_t layer;   /* Layer, as in the Terminate */
  uint8_t etype;   /* Error Type, as in the Terminate */
  uint8_t code;    /* Error Code, as in the Terminate */
  bool sent;       /* a Terminate goes out */
  iwarp_term term; /* the three numbers as one: IWARP_TERM_* */
  uint64_t offset; /* stream offset of the first octet of the FPDU to blame, counted from the peer's
                      first octet of Full Operation; IWARP_POS_UNKNOWN: no FPDU is to blame */
  bool has_ddp;    /* `ddp` and `ctrl` are set: the FPDU has a DDP header */
  iwarp_ddp_hdr ddp;     /* the DDP header; unreliable where MPA found the FPDU wrong */
  iwarp_rdmap_ctrl ctrl; /* the RDMAP Control Field of the FPDU, with the opcode */
} iwarp_endpoint_fault;

/** iwarp_endpoint_terminated is the peer's Terminate. */
typedef struct iwarp_endpoint_terminated {
  bool readable;           /* `term` is set; false: the Terminate is unreadable, RFC 5040 5.4 */
  iwarp_rdmap_term term;   /* the Terminate Header; its spans are borrowed */
  bool has_likely;         /* `likely` is set: probably the sender's meaning */
  iwarp_rdmap_term likely; /* reading in which siw writes it, see iwarp_rdmap_term_likely */
} iwarp_endpoint_terminated;

/** iwarp_endpoint_closed is the end of the connection. */
typedef struct iwarp_endpoint_closed {
  iwarp_err err;              /* the error of the cause; for FRAME one of MPA_* */
  iwarp_endpoint_cause cause; /* the cause of the end */
  bool disconnect;            /* the transport connection is still there: end it now */
  bool retry_plain; /* the peer may know RFC 5044 only: try again with rev 1. RFC 6581 10 */
} iwarp_endpoint_closed;

/** iwarp_endpoint_event is an event; its spans are valid until the next call on the engine. */
typedef struct iwarp_endpoint_event {
  iwarp_endpoint_event_kind kind; /* says which member of `u` counts */
  union {
    iwarp_event_startup startup;              /* REQUEST, REPLY, REJECTED */
    iwarp_span streaming;                     /* STREAMING: octets after MPA */
    iwarp_endpoint_place place;               /* PLACE */
    iwarp_endpoint_received recv;             /* RECV */
    iwarp_endpoint_atomic_op atomic;          /* ATOMIC */
    iwarp_endpoint_done done;                 /* DONE */
    iwarp_endpoint_fault fault;               /* FAULT */
    iwarp_endpoint_terminated terminated;     /* TERMINATED */
    iwarp_endpoint_closed closed;             /* CLOSED */
    iwarp_endpoint_out_of_order out_of_order; /* PLACED_OUT_OF_ORDER */
  } u;                                        /* members by kind */
} iwarp_endpoint_event;

/**
 * iwarp_endpoint_next_event returns the next event: OK, or END. NOBUF: the pool has no memory for
 * octets that were pushed; they are not lost, call again when it has.
 */
IWARP_API iwarp_err iwarp_endpoint_next_event(iwarp_endpoint *ep, iwarp_endpoint_event *out);

/**
 * iwarp_endpoint_next_events fills in `cap` events at most, and how many in `num`. OK: at least
 * one; END and NOBUF as from iwarp_endpoint_next_event. All spans are valid until the next call on
 * the engine. It may return fewer events than there are: call it until END. Fill places in the
 * order of the events.
 */
IWARP_API iwarp_err iwarp_endpoint_next_events(iwarp_endpoint *ep, iwarp_endpoint_event *out,
                                               size_t cap, size_t *num);

/* ---- advanced: direct placement
 *
 * By default the engine copies an FPDU that pushes cut into memory of its own, and PLACE copies its
 * payload to its place. Two ways save the first of these copies, or both.
 *
 * With leave_rest the octets of an incomplete FPDU stay with the caller: iwarp_endpoint_taken tells
 * how many octets of the last push need not be pushed again. Push the others again together with
 * those that follow. Where they lie in a ring that holds an FPDU, nothing is copied before PLACE.
 *
 * With iwarp_endpoint_reserve_rx a transport reads the rest of an FPDU straight into place. After
 * the headers of an FPDU were pushed, it offers spaces for the other octets of the FPDU. Read into
 * them, as readv does, then call iwarp_endpoint_commit_rx, with no other call on the engine
 * between. Push the octets after this FPDU.
 *
 * Spaces are offered when the headers passed all checks before PLACE: STag, bounds, MSN, receive
 * buffer. RFC 5044 6 wants CRC and Markers checked as well before DDP gets an octet. So with CRCs
 * or Markers in use no places are offered unless place_before_crc is set. Then octets of an FPDU
 * with a wrong CRC or Marker may lie in place. The Terminate follows, and no message completes with
 * them.
 */

/**
 * iwarp_endpoint_taken returns how many octets of the last iwarp_endpoint_push or
 * iwarp_endpoint_push_at need not be pushed again, from its first octet on. With leave_rest these
 * are the octets before the last FPDU if that is incomplete, else all octets. It returns 0 for a
 * push ahead of its turn: PLACED_OUT_OF_ORDER reports such octets. The answer is right when
 * iwarp_endpoint_next_event has returned END.
 */
IWARP_API size_t iwarp_endpoint_taken(const iwarp_endpoint *ep);

/** iwarp_endpoint_space is memory for the next octets of the peer's stream. */
typedef struct iwarp_endpoint_space {
  uint8_t *dst; /* memory of a region, of a receive buffer or of the engine */
  size_t len;   /* octets, at least one */
} iwarp_endpoint_space;

/**
 * iwarp_endpoint_reserve_rx offers memory for the rest of the FPDU whose headers were pushed: at
 * most `cap` spaces in `spaces`, their number in `num`. Payload goes to its place; Markers, PAD and
 * CRC go to memory of the engine.
 *
 * With Markers and without place_before_crc it offers one space in memory of the engine: one long
 * read and the copy of PLACE cost less than a read into runs of 508 octets.
 *
 * END, `num` 0: push the next octets, which is always possible instead. The reasons are: no header
 * was pushed, or it names no place; the place has no memory; octets of this FPDU were pushed after
 * others had been read into spaces; CRCs are in use without Markers and without place_before_crc;
 * num_out_of_order is not 0. STATE: events were not taken until END.
 */
IWARP_API iwarp_err iwarp_endpoint_reserve_rx(iwarp_endpoint *ep, iwarp_endpoint_space *spaces,
                                              size_t cap, size_t *num);

/**
 * iwarp_endpoint_commit_rx reports that the first `len` octets of the spaces were read. Events
 * follow as after iwarp_endpoint_push; PLACE has the runs that are still to be copied. ARG: more
 * than the rest of the FPDU. STATE: no spaces are offered.
 */
IWARP_API iwarp_err iwarp_endpoint_commit_rx(iwarp_endpoint *ep, size_t len);

/* ---- advanced: out of order ---- */

/**
 * iwarp_endpoint_push_at is iwarp_endpoint_push for a transport whose segments come out of order:
 * `in` begins `offset` octets after the first octet of the peer's stream.
 *
 * Octets before iwarp_endpoint_rx_offset are skipped. Where `in` begins beyond it, the engine finds
 * complete FPDUs by their Markers. It places their payload at once (PLACE, then PLACED_OUT_OF_ORDER
 * for each FPDU), if their region or receive buffer allows it. No message completes and no error is
 * reported before its turn. Octets for which PLACED_OUT_OF_ORDER was reported need not be pushed
 * again: iwarp_endpoint_rx_offset steps over them. All others must.
 *
 * STATE, beyond iwarp_endpoint_rx_offset: no Markers are in use in this direction, no FPDU of the
 * peer came yet, num_out_of_order is 0, or the state does not allow it; keep the octets until their
 * turn. RFC 5044 A.3, A.4
 */
IWARP_API iwarp_err iwarp_endpoint_push_at(iwarp_endpoint *ep, uint64_t offset, iwarp_span in);

/* ---- advanced: sharing
 *
 * Endpoints may share a table of regions (`regions`) and a receive queue (`srq`) by their
 * configuration: see iwarp/shared.h. The calls on regions of an endpoint then act on the shared
 * table.
 */

#ifdef __cplusplus
}
#endif

#endif
