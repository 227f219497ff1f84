/* SPDX-License-Identifier: BSD-2-Clause */
/* Transmit engine of one direction in Full Operation: messages in, octets of the stream out. */
#ifndef IWARP_TX_H
#define IWARP_TX_H

#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A message is described once. The engine cuts it into DDP Segments and FPDUs and names their
 * octets as spans, until the transport has taken them. Payload is never copied: only headers,
 * Markers, PAD and CRC live in the engine. The octets of the stream depend on the messages, their
 * order and the EMSS, not on `pack` and not on how they are taken.
 *
 *   messages                   -> iwarp_tx_send, _write, _read_req, ...
 *   octets to the transport    <- iwarp_tx_next_output, iwarp_tx_advance
 *   what became of a message   <- iwarp_tx_next_result
 *
 * The chapters of this header: configuration; messages; the end; octets; results.
 */

/** iwarp_tx is a transmit engine. */
typedef struct iwarp_tx iwarp_tx;

/* ---- configuration ---- */

/** IWARP_TX_MESSAGES_MAX bounds iwarp_tx_cfg.num_messages. */
#define IWARP_TX_MESSAGES_MAX 1048576u

/** IWARP_TX_FPDUS_MAX bounds iwarp_tx_cfg.num_fpdus. */
#define IWARP_TX_FPDUS_MAX 65536u

/**
 * iwarp_tx_cfg configures a transmit engine; zero is the default of each member but size, emss and
 * num_messages.
 */
typedef struct iwarp_tx_cfg {
  size_t size;   /* sizeof(iwarp_tx_cfg) */
  bool markers;  /* the receiver asked for Markers */
  bool crc;      /* CRCs are in use; else the CRC field is 0 */
  bool pack;     /* several whole FPDUs may share a segment; else one FPDU a segment */
  bool rdmac;    /* DV and RV 0, for a peer of the RDMA Consortium's protocol */
  uint32_t emss; /* effective maximum segment size in octets, not 0; see iwarp_tx_set_emss */
  uint32_t num_messages; /* messages taken, not yet reported, at most; 1..IWARP_TX_MESSAGES_MAX */
  uint32_t num_fpdus;    /* FPDUs handed out and not yet taken, at most IWARP_TX_FPDUS_MAX; bounds a
                            batch too. 0: 32. Each one brings room for 44 octets that are not
                            payload; a large FPDU with Markers takes the room of several */
  uint32_t first_msn[4]; /* MSN of the first message on queue 0..3; 0: the conforming 1 */
  const iwarp_pool *pool; /* lends the memory for num_fpdus while octets are handed out and not
                             taken; NULL: that memory is part of the engine */
} iwarp_tx_cfg;

/**
 * iwarp_tx_size returns the octets of memory that an engine with this configuration needs, without
 * the pool's share; 0 when it is not valid.
 */
IWARP_API size_t iwarp_tx_size(const iwarp_tx_cfg *cfg);

/**
 * iwarp_tx_init makes an engine in `mem` (aligned as max_align_t, `mem_len` octets, owned by the
 * caller and must outlive the engine). NOBUF: too small. ARG: bad configuration or
 * alignment.
 */
IWARP_API iwarp_err iwarp_tx_init(iwarp_tx **out, void *mem, size_t mem_len,
                                  const iwarp_tx_cfg *cfg);

/**
 * iwarp_tx_release gives back to the pool what it lent the engine. Call it when the transport reads
 * no more of the octets that were handed out. The engine is of no use after that. Until then octets
 * that were handed out and not taken stay where they are, after an abort too. Without a pool
 * nothing happens.
 */
IWARP_API void iwarp_tx_release(iwarp_tx *tx);

/**
 * iwarp_tx_set_emss sets a new segment size in octets; FPDUs not yet handed out follow it. RFC 5044
 * 4.5.
 */
IWARP_API void iwarp_tx_set_emss(iwarp_tx *tx, uint32_t emss);

/** iwarp_tx_mulpdu returns the MULPDU now in force, in octets. */
IWARP_API uint32_t iwarp_tx_mulpdu(const iwarp_tx *tx);

/* ---- messages
 *
 * Each call takes or refuses its message at once: ARG when a field is out of range, STATE after a
 * Terminate, NOBUF when num_messages were taken and not yet reported. `token` comes back from
 * iwarp_tx_next_result.
 *
 * Messages leave in the order of the calls, with one exception: Read Responses and Atomic Responses
 * form a line of their own. The two lines take turns, message by message, because DDP messages are
 * not interleaved (RFC 5041 5.3). The engine does not check the peer's STags, credit and buffers; a
 * Tagged Offset counts modulo 2^64.
 */

/**
 * iwarp_tx_payload is the payload of a message, gathered from parts, any of which may be empty; at
 * most 2^32-1 octets in all. The octets are borrowed until iwarp_tx_next_result reports the
 * message; they must not change until then. An array of several parts is borrowed as long; a single
 * part is copied.
 */
typedef struct iwarp_tx_payload {
  const iwarp_span *parts; /* borrowed, see above; NULL: no parts */
  size_t num_parts;        /* entries of `parts` */
} iwarp_tx_payload;

/** iwarp_tx_write queues an RDMA Write. RFC 5040 5.1. */
IWARP_API iwarp_err iwarp_tx_write(iwarp_tx *tx, uint64_t token, uint32_t stag, uint64_t to,
                                   iwarp_tx_payload payload);

/**
 * iwarp_tx_send queues a Send of `opcode` SEND, SEND_INV, SEND_SE or SEND_SE_INV. `invalidate_stag`
 * is 0 (else ARG) for the two that do not invalidate. RFC 5040 5.3.
 */
IWARP_API iwarp_err iwarp_tx_send(iwarp_tx *tx, uint64_t token, iwarp_rdmap_opcode opcode,
                                  uint32_t invalidate_stag, iwarp_tx_payload payload);

/** iwarp_tx_read_req queues an RDMA Read Request. Credit (ORD) is the caller's. RFC 5040 5.2.1. */
IWARP_API iwarp_err iwarp_tx_read_req(iwarp_tx *tx, uint64_t token,
                                      const iwarp_rdmap_read_req *req);

/**
 * iwarp_tx_read_resp queues the RDMA Read Response to `req`; `payload` holds exactly req->size
 * octets (else ARG). RFC 5040 5.2.2.
 */
IWARP_API iwarp_err iwarp_tx_read_resp(iwarp_tx *tx, uint64_t token,
                                       const iwarp_rdmap_read_req *req, iwarp_tx_payload payload);

/**
 * iwarp_tx_immediate queues Immediate Data, copied from `data`, with a Solicited Event if
 * `solicited`. RFC 7306 6.
 */
IWARP_API iwarp_err iwarp_tx_immediate(iwarp_tx *tx, uint64_t token, bool solicited,
                                       const uint8_t data[IWARP_RDMAP_IMMEDIATE_LEN]);

/** iwarp_tx_atomic_req queues an Atomic Request. RFC 7306 5.2.1. */
IWARP_API iwarp_err iwarp_tx_atomic_req(iwarp_tx *tx, uint64_t token,
                                        const iwarp_rdmap_atomic_req *req);

/** iwarp_tx_atomic_resp queues an Atomic Response. RFC 7306 5.2.2. */
IWARP_API iwarp_err iwarp_tx_atomic_resp(iwarp_tx *tx, uint64_t token,
                                         const iwarp_rdmap_atomic_resp *resp);

/* ---- the end ---- */

/**
 * iwarp_tx_terminate queues a Terminate; its spans are copied. It has a place of its own, so it is
 * never refused for lack of room.
 *
 * It goes out right after the octets that iwarp_tx_next_output has handed out. A message under way
 * is finished first, unless it is a Read Response: that is abandoned, and reported as failed when
 * its last octet handed out is taken. Waiting messages are dropped, and reported as failed just
 * before the Terminate itself. No message is taken or sent after it. STATE: after a Terminate or an
 * abort. ARG: a field beyond its width, or more than IWARP_RDMAP_TERM_MAX octets. RFC
 * 5040 5.4, 7.1.
 */
IWARP_API iwarp_err iwarp_tx_terminate(iwarp_tx *tx, uint64_t token, const iwarp_rdmap_term *term);

/**
 * iwarp_tx_abort reports that the transport stream is gone. After it no message is taken and no
 * octet is handed out. Octets that were handed out are void, and each message not over yet is
 * reported as failed. RFC 5040 6.2.
 */
IWARP_API void iwarp_tx_abort(iwarp_tx *tx);

/* ---- octets
 *
 * iwarp_tx_next_output hands out the octets of one transport segment, iwarp_tx_next_batch of
 * several segments. The same octets come again until iwarp_tx_advance moves over them, in as many
 * steps as the transport likes. They borrow the engine's memory and the payloads, and do not change
 * until then.
 *
 * Complete FPDUs are handed out. A part of an FPDU comes only where the spans or the buffer do not
 * hold a complete one.
 */

/** iwarp_tx_out describes octets that are handed out, of one transport segment or of several. */
typedef struct iwarp_tx_out {
  size_t num_spans;   /* spans written, none of them empty */
  size_t len;         /* octets in them */
  uint32_t num_fpdus; /* FPDUs that end in them */
  bool segment_end;   /* end the transport segment after them (FPDU Alignment, RFC 5044 5.1): push,
                         do not cork */
} iwarp_tx_out;

/** IWARP_TX_SPANS_MIN spans always suffice for one FPDU whose payload has a single part. */
#define IWARP_TX_SPANS_MIN 270u

/**
 * iwarp_tx_next_output describes the next octets of the stream as up to `cap` spans: the FPDUs of
 * one transport segment, as far as they were not taken yet. Where `cap` spans do not hold them all,
 * segment_end is false, and the rest comes when these were taken. So every `cap` but 0 makes
 * progress.
 *
 * OK; END: no octets to send; NOBUF: `cap` is 0, or the pool has no memory: call again when it has.
 */
IWARP_API iwarp_err iwarp_tx_next_output(iwarp_tx *tx, iwarp_span *spans, size_t cap,
                                         iwarp_tx_out *out);

/**
 * iwarp_tx_batch is room for several transport segments at a time, and a description of the octets
 * that were put there. The caller sets the first seven members.
 *
 * With `segments` the caller learns where each segment ends, for sendmmsg or a device that is given
 * segments. Without, framing at the end of a segment and at the beginning of the next share a span,
 * which is best for one writev.
 *
 * With `copy` the octets are put there one after the other, and no spans are used (num_spans is 0).
 * Use it for short FPDUs and for Markers, which need many spans. It costs less than a copy from
 * spans, because CRCs are computed of the copy, which is still in the nearest cache.
 */
typedef struct iwarp_tx_batch {
  iwarp_span *spans;      /* room for the octets of all segments */
  size_t max_spans;       /* entries of `spans` */
  uint8_t *copy;          /* memory that the octets are copied to; NULL: spans name the octets */
  size_t max_copy;        /* octets of `copy`: the longest FPDU at least, or it comes in parts */
  iwarp_tx_out *segments; /* room for a description of each segment; may be NULL */
  size_t max_segments;    /* entries of `segments`; without `segments` a bound too, 0: no bound */
  size_t skip;            /* octets in flight that are not described again; see below */
  size_t num_segments;    /* set: segments handed out, the last one perhaps in part */
  iwarp_tx_out all;       /* set: all segments together; segment_end of the last one */
} iwarp_tx_batch;

/**
 * iwarp_tx_next_batch describes the next octets of the stream, from the first octet not taken yet.
 * It describes up to max_segments transport segments, as far as spans and num_fpdus allow.
 *
 * After a part was taken, a call names the rest and new octets. Octets that were copied are the
 * caller's, and iwarp_tx_advance counts them too. A call before it copies them again.
 *
 * A transport that advances at the peer's acknowledgment has octets in flight. With their number as
 * `skip` a call describes only octets after them. Where `skip` ends within a segment, the first
 * segment is the rest of that one. A number beyond the octets handed out counts as all of them.
 *
 * OK; END: no octets to send, or with `skip` none before iwarp_tx_advance makes room; NOBUF:
 * max_spans or max_copy is 0, or the pool has no memory; ARG: `segments` without max_segments.
 */
IWARP_API iwarp_err iwarp_tx_next_batch(iwarp_tx *tx, iwarp_tx_batch *batch);

/**
 * iwarp_tx_advance reports that the transport took the first `len` octets of those handed out. ARG:
 * `len` is more.
 */
IWARP_API iwarp_err iwarp_tx_advance(iwarp_tx *tx, size_t len);

/** iwarp_tx_offset returns the stream offset of the next octet that the transport will take. */
IWARP_API uint64_t iwarp_tx_offset(const iwarp_tx *tx);

/* ---- results ---- */

/** iwarp_tx_result is the fate of a message. */
typedef struct iwarp_tx_result {
  uint64_t token; /* given with the message */
  iwarp_err err;  /* OK: the transport took all of it; FLUSHED: a Terminate or the end of the stream
                     came before */
} iwarp_tx_result;

/** iwarp_tx_next_result reports the messages that are over, in the order in which they ended: OK or
 * END.
 */
IWARP_API iwarp_err iwarp_tx_next_result(iwarp_tx *tx, iwarp_tx_result *out);

#ifdef __cplusplus
}
#endif

#endif
