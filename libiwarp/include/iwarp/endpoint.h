/* SPDX-License-Identifier: BSD-2-Clause */
/* Connection engine of an endpoint, in the role of Initiator or Responder. */
#ifndef IWARP_ENDPOINT_H
#define IWARP_ENDPOINT_H

#include <iwarp/event.h>
#include <iwarp/tx.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * iwarp_endpoint is the counterpart of iwarp_observer: iwarp_observer watches a connection of
 * others, iwarp_endpoint is one end of it. The caller has the transport, the memory and the clock:
 *
 *   octets from the transport  -> iwarp_endpoint_push, then iwarp_endpoint_next_event until END
 *   octets to the transport    <- iwarp_endpoint_next_output, iwarp_endpoint_advance
 *   work of the ULP            -> iwarp_endpoint_send, _write, _read, _recv, ...
 *   what happened              <- iwarp_endpoint_next_event
 *   time                       -> iwarp_endpoint_time, at the latest at iwarp_endpoint_deadline
 *
 * After each call ask for events until END, then for octets to send. The engine never touches the
 * memory of regions and receive buffers: it says which octets go where (PLACE), asks for Atomic
 * Operations to be done (ATOMIC), and names the octets of Read Responses to the transport.
 */
typedef struct iwarp_endpoint iwarp_endpoint;

/** iwarp_regions is a table of regions that endpoints share, see iwarp/shared.h. */
typedef struct iwarp_regions iwarp_regions;

/** iwarp_srq is a receive queue that endpoints share, see iwarp/shared.h. */
typedef struct iwarp_srq iwarp_srq;

/** IWARP_TIME_NEVER is a time that does not come, and a timeout that is off. */
#define IWARP_TIME_NEVER UINT64_MAX

#define IWARP_ENDPOINT_LIST_MAX 65536u         /* bounds each number of the configuration */
#define IWARP_ENDPOINT_MAX_ULPDU 9216u         /* max_ulpdu where it is 0 and emss is not more */
#define IWARP_ENDPOINT_STARTUP_NS 30000000000u /* startup_ns where it is 0: 30 s */
#define IWARP_ENDPOINT_CLOSE_NS 30000000000u   /* close_ns where it is 0: 30 s */

#define IWARP_RTR_SEND 1u  /* Ready to Receive as zero-length Send, flag B: RFC 6581 9.2 */
#define IWARP_RTR_WRITE 2u /* as zero-length RDMA Write, flag C */
#define IWARP_RTR_READ 4u  /* as zero-length RDMA Read, flag D */

/**
 * iwarp_endpoint_cfg configures an endpoint; zero is the default of each member but size, role,
 * emss and num_sends.
 */
typedef struct iwarp_endpoint_cfg {
  size_t size;     /* sizeof(iwarp_endpoint_cfg) */
  iwarp_role role; /* INITIATOR or RESPONDER: RFC 5044 7.1 */
  uint8_t rev; /* 1: RFC 5044 only, an enhanced Request is closed on: RFC 6581 10; 2 or 0: RFC 6581,
                  and RFC 5044 where the peer has only that */
  bool markers;      /* wanted in what is received */
  bool no_crc;       /* CRCs are not asked for; they are in use all the same if the peer does */
  bool peer_to_peer; /* Initiator: the Responder may want to send first. RFC 6581 9.2 */
  uint8_t rtr;       /* IWARP_RTR_* that this side supports; 0: all. In a Responder, to which the
                        Read is sent, READ counts only with `ird` or `ird_max`; one must count */
  bool base_only;    /* without Atomic Operations and Immediate Data of RFC 7306 */
  bool strict_first_fpdu; /* Initiator: it is a fault that the Responder sends an FPDU before it
                             got one. RFC 5044 7.1.2 */
  bool pack;              /* see iwarp_tx_cfg */
  bool leave_rest;        /* octets of an FPDU that is not whole stay with the caller and are pushed
                             again, see iwarp_endpoint_push; else the engine copies them */
  bool land_early;        /* iwarp_endpoint_landing names places also where CRCs or Markers are in
                             use */
  bool ird_unspec;        /* rev 2: the depth is left to the ULP, RFC 6581 9.1 */
  bool ord_unspec;  /* as ird_unspec, for the ORD; an IRD that the peer does tell still bounds this
                       side */
  uint16_t ird;     /* Read and Atomic Requests that the peer may have outstanding; 0..0x3FFE */
  uint16_t ird_max; /* up to which `ird` rises where the peer wants more, not below it; 0: ird */
  uint16_t ord;     /* Read and Atomic Requests that this side has outstanding, at most */
  uint32_t emss;    /* see iwarp_tx_cfg */
  uint32_t num_fpdus; /* see iwarp_tx_cfg */
  uint32_t max_ulpdu; /* octets of a ULPDU received, at most: a longer one is a fault. 0: emss,
                         which bounds a peer on the same path, or IWARP_ENDPOINT_MAX_ULPDU if that
                         is more; 65535 takes whatever a peer may send */
  uint32_t num_out_of_order; /* FPDUs placed out of order and not reached yet, at most; 0: none */
  uint32_t max_partial;      /* receive buffers in which something was placed out of order; 0: 8 */
  uint32_t pd;               /* Protection Domain; regions of another one are not for this stream */
  uint32_t recv_low; /* RECV_LOW when fewer receive buffers are posted, at most num_recvs; 0: never.
                        RFC 5042 6.4.3 */
  uint32_t num_sends;     /* operations posted and not completed, at most */
  uint32_t num_recvs;     /* receive buffers posted and not completed, at most */
  uint32_t num_regions;   /* regions registered, at most */
  iwarp_regions *regions; /* shared regions, in place of num_regions of its own; NULL: none */
  iwarp_srq *srq; /* shared receive queue: num_recvs is what this stream may hold of it, 0: 1;
                     recv_low is not used; NULL: none */
  const iwarp_pool *pool; /* of what is wanted for a time: startup frames, an FPDU that comes in
                             pieces, what is being sent; NULL: it is part of the endpoint */
  void *user;             /* the caller's; see iwarp_endpoint_user */
  uint64_t startup_ns;    /* for all of the startup; 0: IWARP_ENDPOINT_STARTUP_NS. RFC 5044 7.1.2 */
  uint64_t close_ns;      /* for the end of the connection, also for a rejecting Reply to go out
                             after it; 0: IWARP_ENDPOINT_CLOSE_NS */
  uint64_t idle_ns; /* IDLE when no octet came or went for so long; 0: never. RFC 5042 6.4.2 */
} iwarp_endpoint_cfg;

/**
 * IWARP_ENDPOINT_STATE_MAP lists the states between the making of an endpoint and its end: X(name,
 * text).
 */
#define IWARP_ENDPOINT_STATE_MAP(X)                                                                \
  X(IDLE, "made, not started")                                                                     \
  X(WAIT_REPLY, "Initiator: the Request was made")                                                 \
  X(REPLY_PENDING, "Initiator: accept or reject is due")                                           \
  X(WAIT_REQUEST, "Responder: a Request is due")                                                   \
  X(REQUEST_PENDING, "Responder: accept or reject is due")                                         \
  X(AWAIT_FIRST_FPDU, "Responder: no FPDU came, so none may be sent, RFC 5044 7.1.2")              \
  X(FULL, "Full Operation")                                                                        \
  X(ENDING, "iwarp_endpoint_close: what was posted still goes out")                                \
  X(LOCAL_CLOSED, "this side's half is closed")                                                    \
  X(PEER_ENDED, "the peer's half is closed")                                                       \
  X(CLOSING, "the peer's half is closed, what is left still goes out")                             \
  X(SEND_FAILED, "a send failed: octets are still received, none go out")                          \
  X(TERMINATING, "a Terminate goes out, or the FPDU during which one came")                        \
  X(TERMINATED, "a Terminate was sent or received; this side's half is closed")                    \
  X(DETACHED, "MPA was left, the transport connection is the ULP's")                               \
  X(CLOSED, "the end: nothing follows")

/** iwarp_endpoint_state is one of these. */
typedef enum iwarp_endpoint_state {
/** IWARP_ENDPOINT_STATE_ENUM makes the enumerator of a row; undefined again after the list. */
#define IWARP_ENDPOINT_STATE_ENUM(name, text) IWARP_ENDPOINT_##name,
  IWARP_ENDPOINT_STATE_MAP(IWARP_ENDPOINT_STATE_ENUM)
#undef IWARP_ENDPOINT_STATE_ENUM
} iwarp_endpoint_state;

#define IWARP_ENDPOINT_NUM_STATES 16u /* members of iwarp_endpoint_state */

/** iwarp_endpoint_state_name returns the identifier of a state ("FULL"); IWARP_NAME_UNKNOWN for an
 * invalid value. */
IWARP_API const char *iwarp_endpoint_state_name(iwarp_endpoint_state state);

/** iwarp_endpoint_info is what was negotiated; all but `state` stands from AWAIT_FIRST_FPDU or FULL
 * on. */
typedef struct iwarp_endpoint_info {
  iwarp_endpoint_state state; /* where the endpoint is now */
  uint8_t rev;                /* of the peer's startup frame */
  bool enhanced;              /* the enhanced data of RFC 6581 are in use */
  bool peer_to_peer;          /* the peer-to-peer model is in use, RFC 6581 9.2 */
  bool markers_out;           /* in what this side sends */
  bool markers_in;            /* in what this side receives */
  bool crc;                   /* CRCs are in use, in both directions */
  uint8_t rtr;                /* IWARP_RTR_* that both sides named */
  uint16_t ird;               /* in force for this side */
  uint16_t ord;               /* in force: own Requests outstanding, at most */
  uint16_t peer_ird;          /* as the peer's frame has them, 0 when it has none */
  uint16_t peer_ord;          /* as peer_ird */
} iwarp_endpoint_info;

/** iwarp_endpoint_counters is what is held for this stream now, for those who share buffers among
 * streams and look for one that takes too many. RFC 5042 6.4.3 */
typedef struct iwarp_endpoint_counters {
  uint32_t recvs;        /* receive buffers posted and not completed */
  uint64_t recvs_used;   /* completed by messages, since the beginning */
  uint32_t ops;          /* operations posted and not completed */
  uint32_t outstanding;  /* of them Read and Atomic Requests sent and not answered */
  uint32_t inbound;      /* Read and Atomic Requests of the peer not answered */
  uint32_t out_of_order; /* FPDUs placed out of order and not reached yet */
  uint32_t partial;      /* receive buffers that they touch */
} iwarp_endpoint_counters;

/** iwarp_endpoint_size returns the octets of memory for `cfg`, without what a pool gives; 0 when it
 * is not valid. */
IWARP_API size_t iwarp_endpoint_size(const iwarp_endpoint_cfg *cfg);

/**
 * iwarp_endpoint_cfg_error names the first member of `cfg` that is out of range ("num_sends"), for
 * which iwarp_endpoint_size returns 0; NULL when there is none. Static storage.
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
 * iwarp_endpoint_release gives back to the pool what the endpoint has of it, when the transport
 * reads no more of what was handed out; the endpoint is of no use after that. After CLOSED it has
 * nothing left but octets that were handed out and not taken. Without a pool nothing is given back.
 */
IWARP_API void iwarp_endpoint_release(iwarp_endpoint *ep);

/** iwarp_endpoint_info_get returns what is known now; it changes with every call. Never NULL. */
IWARP_API const iwarp_endpoint_info *iwarp_endpoint_info_get(const iwarp_endpoint *ep);

/** iwarp_endpoint_user returns the caller's pointer of the configuration. */
IWARP_API void *iwarp_endpoint_user(const iwarp_endpoint *ep);

/** iwarp_endpoint_counters_get fills in `out`. */
IWARP_API void iwarp_endpoint_counters_get(const iwarp_endpoint *ep, iwarp_endpoint_counters *out);

/**
 * iwarp_endpoint_time gives the time in nanoseconds of any clock that does not go back. Timeouts
 * count from the time given last; those that began before any was, count from the first one.
 */
IWARP_API void iwarp_endpoint_time(iwarp_endpoint *ep, uint64_t now_ns);

/**
 * iwarp_endpoint_deadline returns when the engine wants the time, at the latest: 0, at once, when a
 * timeout counts and no time was given yet.
 */
IWARP_API uint64_t iwarp_endpoint_deadline(const iwarp_endpoint *ep);

/* ---- startup: RFC 5044 7.1, RFC 6581
 *
 * Each of these calls returns STATE where the state does not allow it, the first two NOBUF where
 * the pool has no memory.
 */

/**
 * iwarp_endpoint_connect makes an Initiator send its Request with `private_data`, which is copied:
 * at most 512 octets, 508 with rev 2 (else ARG).
 */
IWARP_API iwarp_err iwarp_endpoint_connect(iwarp_endpoint *ep, iwarp_span private_data);

/** iwarp_endpoint_listen makes a Responder wait for a Request. */
IWARP_API iwarp_err iwarp_endpoint_listen(iwarp_endpoint *ep);

/**
 * iwarp_endpoint_accept goes into Full Operation: a Responder answers the Request with a Reply that
 * carries `private_data` (as iwarp_endpoint_connect has it), an Initiator agrees to the Reply
 * (`private_data` is empty, else ARG) and sends the RTR message if there is to be one.
 */
IWARP_API iwarp_err iwarp_endpoint_accept(iwarp_endpoint *ep, iwarp_span private_data);

/**
 * iwarp_endpoint_reject leaves MPA: a Responder answers with a Reply that rejects, an Initiator
 * says nothing. The transport connection stays open and is the ULP's (STREAMING events) until the
 * ULP ends it (_close, _abort) or says that it has ended (_eof, _lost): then comes CLOSED.
 */
IWARP_API iwarp_err iwarp_endpoint_reject(iwarp_endpoint *ep, iwarp_span private_data);

/* ---- transport ---- */

/**
 * iwarp_endpoint_push gives the engine the next octets of the transport stream. They are borrowed
 * until iwarp_endpoint_next_event has returned END; call it until then before any other push or
 * iwarp_endpoint_eof. STATE: not before connect or listen, not after PEER_ENDED. Octets that come
 * after a Terminate or CLOSED are dropped. NOBUF: an Initiator whose ULP has neither accepted nor
 * rejected the Reply holds no more than the octets of one FPDU of max_ulpdu, and none where the
 * pool has no memory; keep these until it has. Of the push that holds the Reply no more can be
 * kept: where more follows it, answer REPLY before the next call of iwarp_endpoint_next_event, or
 * the connection ends (CLOSED, cause EARLY).
 *
 * With leave_rest only the first iwarp_endpoint_taken octets are taken when
 * iwarp_endpoint_next_event has returned END: push the others again together with those that
 * follow. Where they lie in a ring that holds an FPDU, nothing is copied before PLACE.
 */
IWARP_API iwarp_err iwarp_endpoint_push(iwarp_endpoint *ep, iwarp_span in);

/**
 * iwarp_endpoint_rx_offset returns which octet iwarp_endpoint_push must begin with, counted from
 * the first one of the peer's stream: the one after those pushed, unless iwarp_endpoint_push_at is
 * used. It is right when iwarp_endpoint_next_event has returned END.
 */
IWARP_API uint64_t iwarp_endpoint_rx_offset(const iwarp_endpoint *ep);

/**
 * iwarp_endpoint_taken returns how many octets of the last iwarp_endpoint_push or
 * iwarp_endpoint_push_at need not be pushed again, from its first one on: with leave_rest those
 * before the last FPDU if that is not whole, else all; none of a push ahead of its turn, for which
 * PLACED_OUT_OF_ORDER tells. It is right when iwarp_endpoint_next_event has returned END.
 */
IWARP_API size_t iwarp_endpoint_taken(const iwarp_endpoint *ep);

/**
 * iwarp_endpoint_push_at is iwarp_endpoint_push for a transport whose segments come out of order:
 * `in` begins `offset` octets after the first octet of the peer's stream.
 *
 * Octets before iwarp_endpoint_rx_offset are left out. Where `in` begins beyond it, payload of
 * whole FPDUs that a Marker shows is placed at once (PLACE, then PLACED_OUT_OF_ORDER for each such
 * FPDU), if it is right for its region or receive buffer; nothing is completed, and no error
 * reported, before its turn. Octets for which PLACED_OUT_OF_ORDER was reported need not be pushed
 * again: iwarp_endpoint_rx_offset steps over them. All others must.
 *
 * STATE, beyond iwarp_endpoint_rx_offset: no Markers are in what is received, no FPDU of the peer
 * came yet, num_out_of_order is 0, or the state does not allow it; keep the octets until their
 * turn. RFC 5044 A.3, A.4
 */
IWARP_API iwarp_err iwarp_endpoint_push_at(iwarp_endpoint *ep, uint64_t offset, iwarp_span in);

/** iwarp_endpoint_space is memory for the next octets of the peer's stream. */
typedef struct iwarp_endpoint_space {
  uint8_t *dst; /* of a region or receive buffer, or of the engine */
  size_t len;   /* octets, at least one */
} iwarp_endpoint_space;

/**
 * iwarp_endpoint_landing says where the next octets of the peer's stream will lie: `cap` spaces at
 * most in `spaces`, how many in `num`, for the rest of the FPDU whose headers were pushed. Payload
 * goes to its place, Markers, PAD and CRC to memory of the engine. Read into them what the
 * transport has, as readv does, then call iwarp_endpoint_landed, with no other call on the engine
 * between. What comes after this FPDU is pushed.
 *
 * Places are offered when all that the headers say was checked as for PLACE: STag, bounds, MSN,
 * receive buffer. RFC 5044 6 wants CRC and Markers checked as well before DDP gets an octet, and
 * those are to come: with CRCs or Markers in use no places are offered unless land_early is set.
 * Then octets of an FPDU that MPA finds wrong may lie in place; the Terminate follows all the same,
 * and nothing is completed with them.
 *
 * With Markers and without land_early there is one space, in memory of the engine, for all of the
 * rest: one long read and the copy that PLACE asks for cost less than a read into runs of 508
 * octets.
 *
 * END, `num` 0: push the next octets, which is always possible instead. No header was pushed, or
 * none that may be placed; the place has no memory; octets of this FPDU were pushed after some had
 * landed; CRCs are in use without Markers and without land_early; num_out_of_order is not 0. STATE:
 * events were not drained.
 */
IWARP_API iwarp_err iwarp_endpoint_landing(iwarp_endpoint *ep, iwarp_endpoint_space *spaces,
                                           size_t cap, size_t *num);

/**
 * iwarp_endpoint_landed says that the first `len` octets of the spaces were read. Events follow as
 * after iwarp_endpoint_push; PLACE has the runs that are still to be copied. ARG: more than the
 * rest of the FPDU. STATE: nothing is offered.
 */
IWARP_API iwarp_err iwarp_endpoint_landed(iwarp_endpoint *ep, size_t len);

/**
 * iwarp_endpoint_eof says that the peer closed its half: no more octets come. In Full Operation
 * PEER_ENDED follows, and what was posted still goes out; but an FPDU or a message that is not
 * whole, or octets that are missing before an FPDU that was placed out of order, end the connection
 * (CLOSED, cause FIN). A Read or Atomic Operation that has no answer completes with FLUSHED, and
 * CLOSED has cause FIN, however the connection goes on. A second call changes nothing. An Initiator
 * whose ULP has not accepted the Reply yet ends with it (CLOSED, cause FIN), and what it holds is
 * lost: accept first where FPDUs may have come with the Reply.
 */
IWARP_API iwarp_err iwarp_endpoint_eof(iwarp_endpoint *ep);

/**
 * iwarp_endpoint_send_failed says that the transport takes no more octets of this side: a send
 * returned an error. Only sending ends by that. The peer may have said before why it resets the
 * connection, and its Terminate may lie unread in the transport.
 *
 *   a send fails                    -> iwarp_endpoint_send_failed, then go on reading and pushing
 *   a read finds the end            -> iwarp_endpoint_eof
 *   a read fails                    -> iwarp_endpoint_lost
 *
 * Nothing is handed out any more: iwarp_endpoint_next_batch returns END. Octets of the peer are
 * pushed and judged as before, for close_ns at most (state SEND_FAILED in Full Operation).
 * Operations are still taken; those whose octets were not taken complete with FLUSHED at the end.
 * A Terminate of the peer is reported and ends the connection (CLOSED, cause TERMINATE), so does a
 * fault (CLOSED, cause FAULT; no Terminate is sent); otherwise its end or its loss does (CLOSED,
 * cause LOST). Where octets of the peer are not read any more CLOSED comes at once. Say before by
 * iwarp_endpoint_advance what the transport did take. A second call changes nothing. STATE: before
 * connect or listen.
 */
IWARP_API iwarp_err iwarp_endpoint_send_failed(iwarp_endpoint *ep);

/**
 * iwarp_endpoint_lost says that the transport connection is gone and that no octets of the peer are
 * left to be read: a read failed, or a device reported that its connection ended. CLOSED follows,
 * with cause LOST unless something ended the connection before. Octets that were received and not
 * pushed before are lost, and the peer's Terminate with them. So a send that fails is no reason to
 * call it, see iwarp_endpoint_send_failed. After CLOSED it changes nothing.
 */
IWARP_API iwarp_err iwarp_endpoint_lost(iwarp_endpoint *ep);

/**
 * iwarp_endpoint_set_emss tells of a new effective maximum segment size in octets, at any time;
 * FPDUs not yet handed out follow it. ARG: 0. RFC 5044 4.5
 */
IWARP_API iwarp_err iwarp_endpoint_set_emss(iwarp_endpoint *ep, uint32_t emss);

/**
 * iwarp_endpoint_next_output describes the next octets to send, as iwarp_tx_next_output does.
 * Octets of regions are among them (Read Responses), and their CRC was made with them: when PLACE,
 * an Atomic Operation or the ULP changes them before the transport has taken or copied them, the
 * peer finds a wrong CRC. A transport that takes only a part copies the rest of those before more
 * is pushed.
 */
IWARP_API iwarp_err iwarp_endpoint_next_output(iwarp_endpoint *ep, iwarp_span *spans, size_t cap,
                                               iwarp_tx_out *out);

/**
 * iwarp_endpoint_next_batch describes the next octets to send of several segments, as
 * iwarp_tx_next_batch does, with what iwarp_endpoint_next_output says of octets of regions.
 */
IWARP_API iwarp_err iwarp_endpoint_next_batch(iwarp_endpoint *ep, iwarp_tx_batch *batch);

/** iwarp_endpoint_advance says that the transport took the first `len` octets of those. */
IWARP_API iwarp_err iwarp_endpoint_advance(iwarp_endpoint *ep, size_t len);

/**
 * iwarp_endpoint_close ends the connection in order: nothing more is posted, what was posted is
 * completed, then SHUTDOWN asks for the transport's half-close. A Responder cannot before the first
 * FPDU came (STATE). A second call, or one after the end has begun otherwise, changes nothing
 * (OK). Read and Atomic Requests of the peer that come after SHUTDOWN cannot be
 * answered: they end the connection (FAULT 0, 2, 7). RFC 5040 6.2, RFC 5041 6.2.1.
 */
IWARP_API iwarp_err iwarp_endpoint_close(iwarp_endpoint *ep);

/**
 * iwarp_endpoint_fail ends it for a fault that the caller found, with a Terminate that names the
 * three numbers and returns no header: 2, 0, 5 (MPA local catastrophic error, RFC 6581 8) or 0, 0,
 * 0 (RDMAP local catastrophic error, RFC 5040 4.8) for a failure of its own. STATE: not in Full
 * Operation, or it ended already; after the fence no Terminate can be sent, the connection ends
 * without one. ARG: `layer` or `etype` is beyond 4 bits.
 */
IWARP_API iwarp_err iwarp_endpoint_fail(iwarp_endpoint *ep, uint8_t layer, uint8_t etype,
                                        uint8_t code);

/**
 * iwarp_endpoint_abort ends it at once: CLOSED asks for the end of the transport connection. A
 * Reply that rejects and was not sent yet is given up, also after iwarp_endpoint_close. After
 * CLOSED it changes nothing.
 */
IWARP_API iwarp_err iwarp_endpoint_abort(iwarp_endpoint *ep);

/* ---- memory ---- */

#define IWARP_ACCESS_REMOTE_READ 1u   /* source of RDMA Reads */
#define IWARP_ACCESS_REMOTE_WRITE 2u  /* sink of RDMA Writes */
#define IWARP_ACCESS_REMOTE_ATOMIC 4u /* target of Atomic Operations */

/** iwarp_endpoint_region is a Tagged Buffer. RFC 5041 8.3 */
typedef struct iwarp_endpoint_region {
  uint32_t stag;  /* that the peer names it by */
  uint32_t pd;    /* Protection Domain that it belongs to */
  uint64_t base;  /* Tagged Offset of its first octet */
  uint64_t len;   /* octets; base + len is below 2^64 */
  uint8_t *mem;   /* its octets; NULL: places are reported as offsets only */
  uint8_t access; /* IWARP_ACCESS_*; REMOTE_READ and REMOTE_ATOMIC want `mem` */
  bool no_inval;  /* the peer may not invalidate it */
  void *user;     /* the caller's; comes back in PLACE and ATOMIC */
} iwarp_endpoint_region;

/**
 * iwarp_endpoint_register makes a region known. ARG: a member is out of range, or the STag is in
 * use. NOBUF: there are num_regions already.
 */
IWARP_API iwarp_err iwarp_endpoint_register(iwarp_endpoint *ep, const iwarp_endpoint_region *v);

/**
 * iwarp_endpoint_invalidate ends all access to a region; the peer's Send with Invalidate does the
 * same. A Read Response under way still borrows its octets. What a PLACE event has named may still
 * be placed until the next call. ARG: no such region. RFC 5041 8.3.1
 */
IWARP_API iwarp_err iwarp_endpoint_invalidate(iwarp_endpoint *ep, uint32_t stag);

/**
 * iwarp_endpoint_revoke does the same, and lets no further octet be read from the region: where a
 * Read Response under way would, it is cut off and the connection ends with a Terminate that
 * returns the Read Request with what is left of it. Octets of the transport segment that
 * iwarp_endpoint_next_output has begun to name stay borrowed. ARG: no such region. RFC 5040 4.8,
 * RFC 5042 6.3.3
 */
IWARP_API iwarp_err iwarp_endpoint_revoke(iwarp_endpoint *ep, uint32_t stag);

#define IWARP_STAG_KEY_LEN 16u /* octets */

/**
 * iwarp_stag_generate returns the `n`th of all 2^32 STags in an order that only who knows `key` can
 * tell (random octets, kept secret, one for a machine or Protection Domain): count `n` up, and no
 * STag comes back before all others were used. RFC 5042 6.1.1
 */
IWARP_API uint32_t iwarp_stag_generate(const uint8_t key[IWARP_STAG_KEY_LEN], uint32_t n);

/**
 * iwarp_endpoint_deregister does what iwarp_endpoint_invalidate does, then forgets the region. ARG:
 * no such region. STATE: a Read Response borrows its octets, so the region is invalidated and not
 * forgotten yet; ask again later.
 */
IWARP_API iwarp_err iwarp_endpoint_deregister(iwarp_endpoint *ep, uint32_t stag);

/**
 * iwarp_endpoint_recv posts a receive buffer of `len` octets for a Send or Immediate Data; `mem`
 * may be NULL, then places are reported as offsets only. NOBUF: num_recvs are posted. STATE: the
 * connection is over, or the receive queue is a shared one.
 */
IWARP_API iwarp_err iwarp_endpoint_recv(iwarp_endpoint *ep, uint64_t token, uint8_t *mem,
                                        uint32_t len);

/** iwarp_endpoint_buffer is a receive buffer. */
typedef struct iwarp_endpoint_buffer {
  uint64_t token; /* the caller's; comes back in PLACE and RECV */
  void *user;     /* the same, as a pointer */
  uint8_t *mem;   /* NULL: places are reported as offsets only */
  uint32_t len;   /* octets */
} iwarp_endpoint_buffer;

/** iwarp_endpoint_recv_buffer is iwarp_endpoint_recv with a pointer of the caller. */
IWARP_API iwarp_err iwarp_endpoint_recv_buffer(iwarp_endpoint *ep, const iwarp_endpoint_buffer *v);

/* ---- operations
 *
 * Each is taken or refused at once: STATE where the state does not allow it; ORD for a Read or
 * Atomic Operation where `ord` of iwarp_endpoint_info is 0, because this side's `ord` or the peer's
 * IRD is; NOBUF when num_sends are posted and not completed; ARG when something is out of range,
 * also where a Tagged Offset at the peer and the length add up to 2^64 or more (RFC 5041 7.1). They
 * are sent in this order; a Read or Atomic Request beyond ORD waits and all after it. They complete
 * in this order too (DONE), until then payload is borrowed as iwarp_tx_payload says. RFC 5040 5.5.
 */

/**
 * iwarp_endpoint_set_signalled chooses for the operations posted from now on: whether they complete
 * with DONE however they end, as they do at first, or only with an error. Payload of one that
 * completes without DONE is borrowed until DONE of a later one, or until `ops` of the counters is
 * 0.
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
 * iwarp_endpoint_atomic_answer says that the Atomic Operation of the ATOMIC event was done and what
 * was in memory before. STATE: none is asked for.
 */
IWARP_API iwarp_err iwarp_endpoint_atomic_answer(iwarp_endpoint *ep, uint64_t original);

/* ---- events ---- */

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
  IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER, /* u.out_of_order: these octets need not be pushed again
                                             */
  IWARP_ENDPOINT_EVENT_RECV_LOW,            /* fewer than recv_low receive buffers are left */
  IWARP_ENDPOINT_EVENT_IDLE                 /* nothing came or went for idle_ns */
} iwarp_endpoint_event_kind;

/** iwarp_endpoint_event_name returns the identifier of a kind of event ("PLACE");
 * IWARP_NAME_UNKNOWN for an invalid value. */
IWARP_API const char *iwarp_endpoint_event_name(iwarp_endpoint_event_kind kind);

/** iwarp_endpoint_run is octets that lie together, and where they go. */
typedef struct iwarp_endpoint_run {
  iwarp_span src; /* the octets, at least one */
  uint8_t *dst;   /* as many octets there; NULL where the buffer was given without memory */
} iwarp_endpoint_run;

/**
 * iwarp_endpoint_place says where the payload of an FPDU goes: run after run, in parts where
 * Markers stand between them, each to the octets after those of the run before. Octets that were
 * read straight into place (iwarp_endpoint_landing) are in no run, and there may be none.
 */
typedef struct iwarp_endpoint_place {
  const iwarp_endpoint_run *runs; /* with their octets borrowed until the next call */
  size_t num_runs;                /* at least one, or all octets lie in place */
  uint32_t len;                   /* octets of the payload */
  uint64_t offset;                /* of the first octet in the buffer or region, octets */
  bool tagged;                    /* into a region; else into a receive buffer */
  uint32_t stag;                  /* tagged */
  uint64_t token;                 /* untagged: of the receive buffer */
  void *user;                     /* of the region or the receive buffer */
} iwarp_endpoint_place;

/** iwarp_place_copy copies the runs of a PLACE to where they go, and returns how many octets it
 * copied: those with memory. */
IWARP_API size_t iwarp_place_copy(const iwarp_endpoint_place *place);

/** iwarp_endpoint_out_of_order is an FPDU that was placed before its turn. */
typedef struct iwarp_endpoint_out_of_order {
  uint64_t offset; /* of its first octet in the peer's stream */
  uint64_t len;    /* octets */
} iwarp_endpoint_out_of_order;

/**
 * IWARP_ENDPOINT_CAUSE_MAP lists why a connection ends: X(name, err, text). `err` is the iwarp_err
 * of CLOSED; the first cause that shows is the one that counts.
 */
#define IWARP_ENDPOINT_CAUSE_MAP(X)                                                                \
  X(ORDERLY, IWARP_OK, "both halves were closed in order")                                         \
  X(ABORT, IWARP_ERR_ABORTED, "iwarp_endpoint_abort, or _close before Full Operation")             \
  X(FRAME, IWARP_ERR_MPA_KEY,                                                                      \
    "the peer's startup frame, or what stood in its place: err is MPA_*")                          \
  X(FAULT, IWARP_ERR_FAULT, "an error was found here: the FAULT event names it")                   \
  X(FIN, IWARP_ERR_EOF,                                                                            \
    "the peer's stream ended in the startup, in a message, or before an answer")                   \
  X(LOST, IWARP_ERR_LOST, "iwarp_endpoint_lost, or a send failed")                                 \
  X(TIMEOUT, IWARP_ERR_TIMEOUT, "startup_ns or close_ns passed")                                   \
  X(EARLY, IWARP_ERR_FAULT,                                                                        \
    "an FPDU before strict_first_fpdu allows it, or more with the Reply than fits")                \
  X(TERMINATE, IWARP_ERR_TERMINATED, "the peer's Terminate: the TERMINATED event names it")        \
  X(REFUSED, IWARP_ERR_REFUSED, "the peer's Reply rejects")                                        \
  X(REJECT, IWARP_ERR_ABORTED, "iwarp_endpoint_reject")

/** iwarp_endpoint_cause is one of these. */
typedef enum iwarp_endpoint_cause {
/** IWARP_ENDPOINT_CAUSE_ENUM makes the enumerator of a row; undefined again after the list. */
#define IWARP_ENDPOINT_CAUSE_ENUM(name, err, text) IWARP_ENDPOINT_CAUSE_##name,
  IWARP_ENDPOINT_CAUSE_MAP(IWARP_ENDPOINT_CAUSE_ENUM)
#undef IWARP_ENDPOINT_CAUSE_ENUM
} iwarp_endpoint_cause;

/** iwarp_endpoint_cause_name returns the identifier of a cause ("TIMEOUT"); IWARP_NAME_UNKNOWN for
 * an invalid value. */
IWARP_API const char *iwarp_endpoint_cause_name(iwarp_endpoint_cause cause);

/** iwarp_endpoint_received is a receive buffer that completes, in the order of posting. */
typedef struct iwarp_endpoint_received {
  uint64_t token;             /* given with the receive buffer */
  void *user;                 /* the same */
  iwarp_err err;              /* OK; FLUSHED: the connection ended before */
  iwarp_endpoint_cause cause; /* FLUSHED: why */
  iwarp_rdmap_opcode opcode;  /* of the message: Sends, Immediate Data */
  uint32_t len;               /* octets placed; 0 for Immediate Data */
  bool solicited;             /* the message asks for an Event */
  bool invalidated;           /* the region `stag` was invalidated, before this event */
  uint32_t stag;              /* invalidated: of which region */
  uint8_t immediate[IWARP_RDMAP_IMMEDIATE_LEN]; /* Immediate Data: its octets, RFC 7306 6.2 */
} iwarp_endpoint_received;

/**
 * iwarp_endpoint_done is an operation that completes. A Read and an Atomic Operation are OK when
 * the peer has answered; a Send, a Write and Immediate Data when the transport has taken all of it:
 * RDMAP acknowledges none of them (RFC 5040 5.5). The peer's Terminate may name one of these that
 * was OK before: see `msn`.
 */
typedef struct iwarp_endpoint_done {
  uint64_t token; /* given with the operation */
  iwarp_err err;  /* OK; FLUSHED: the connection ended before; REFUSED: the peer's Terminate returns
                     the header of one of its segments, by MSN, or by STag and Tagged Offset */
  iwarp_endpoint_cause cause; /* of an error: why the connection ended */
  iwarp_rdmap_opcode opcode;  /* of the operation */
  uint32_t msn;      /* of its message on queue 0, of its Request on queue 1; 0: a Write, or it was
                        never sent */
  uint64_t original; /* Atomic Operation: the value before it */
} iwarp_endpoint_done;

/**
 * iwarp_endpoint_atomic_op is an Atomic Operation on the 8 octets at `mem`, aligned, a number in
 * the byte order of the machine; see iwarp_rdmap_fetch_add and iwarp_rdmap_cmp_swap. All streams
 * of the machine must see it done at once: RFC 7306 5.
 */
typedef struct iwarp_endpoint_atomic_op {
  uint8_t *mem;               /* where the operation works; of the region */
  void *user;                 /* of the region */
  iwarp_rdmap_atomic_req req; /* operation, operands and masks, as received */
} iwarp_endpoint_atomic_op;

/**
 * iwarp_endpoint_fault is an error found here. Only the first one is reported. RFC 5040 7.1
 * iwarp_rdmap_term_code_name has words for it. The FPDU to blame is the one in which the error
 * showed, or of a Request that can be answered no longer the one that it came in.
 */
typedef struct iwarp_endpoint_fault {
  uint8_t layer;         /* as in the Terminate */
  uint8_t etype;         /* Error Type, as in the Terminate */
  uint8_t code;          /* Error Code, as in the Terminate */
  bool sent;             /* a Terminate goes out */
  iwarp_term term;       /* the three numbers as one: IWARP_TERM_* */
  uint64_t offset;       /* stream offset of the first octet of the FPDU to blame, counted from the
                            peer's first one of Full Operation; IWARP_POS_UNKNOWN: there is none */
  bool has_ddp;          /* `ddp` and `ctrl` are set: the FPDU has a DDP header */
  iwarp_ddp_hdr ddp;     /* as received; of an FPDU that MPA found wrong it may be wrong too */
  iwarp_rdmap_ctrl ctrl; /* the RDMAP Control Field of it, with the opcode */
} iwarp_endpoint_fault;

/** iwarp_endpoint_terminated is the peer's Terminate. */
typedef struct iwarp_endpoint_terminated {
  bool readable;           /* else `term` is not set: RFC 5040 5.4 */
  iwarp_rdmap_term term;   /* the Terminate Header; its spans are borrowed */
  bool has_likely;         /* `likely` is set: the peer is likely to have meant that */
  iwarp_rdmap_term likely; /* see iwarp_rdmap_term_likely: siw exchanges Layer and Error Type */
} iwarp_endpoint_terminated;

/** iwarp_endpoint_closed is the end of the connection. */
typedef struct iwarp_endpoint_closed {
  iwarp_err err; /* as IWARP_ENDPOINT_CAUSE_MAP has it; of the peer's startup frame MPA_* */
  iwarp_endpoint_cause cause; /* why */
  bool disconnect;            /* the transport connection is still there: end it now */
  bool retry_plain; /* the peer may know RFC 5044 only: try again with rev 1. RFC 6581 10 */
} iwarp_endpoint_closed;

/** iwarp_endpoint_ev is an event; its spans are valid until the next call on the engine. */
typedef struct iwarp_endpoint_ev {
  iwarp_endpoint_event_kind kind; /* says which member of `u` counts */
  union {
    iwarp_ev_startup startup;                 /* REQUEST, REPLY, REJECTED */
    iwarp_span streaming;                     /* STREAMING: octets after MPA */
    iwarp_endpoint_place place;               /* PLACE */
    iwarp_endpoint_received recv;             /* RECV */
    iwarp_endpoint_atomic_op atomic;          /* ATOMIC */
    iwarp_endpoint_done done;                 /* DONE */
    iwarp_endpoint_fault fault;               /* FAULT */
    iwarp_endpoint_terminated terminated;     /* TERMINATED */
    iwarp_endpoint_closed closed;             /* CLOSED */
    iwarp_endpoint_out_of_order out_of_order; /* PLACED_OUT_OF_ORDER */
  } u;                                        /* what belongs to the kind */
} iwarp_endpoint_ev;

/**
 * iwarp_endpoint_next_event returns the next event: OK, or END. The octets of a message are placed
 * before it completes. When the connection is over every operation and receive buffer completes.
 * NOBUF: the pool has no memory for octets that were pushed; nothing is lost, call again when it
 * has.
 */
IWARP_API iwarp_err iwarp_endpoint_next_event(iwarp_endpoint *ep, iwarp_endpoint_ev *out);

/**
 * iwarp_endpoint_next_events returns as many events as there are, `cap` at most, and how many in
 * `num`: OK when there is one at least, or END, or NOBUF as iwarp_endpoint_next_event. All spans
 * are valid until the next call on the engine, so it returns fewer where octets have to go before
 * more can come: call it until END. Places are to be filled in the order of the events.
 */
IWARP_API iwarp_err iwarp_endpoint_next_events(iwarp_endpoint *ep, iwarp_endpoint_ev *out,
                                               size_t cap, size_t *num);

#ifdef __cplusplus
}
#endif

#endif
