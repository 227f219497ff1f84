/* SPDX-License-Identifier: BSD-2-Clause */
/* Observer of a connection: octets of both directions in, events out. */
#ifndef IWARP_OBSERVER_H
#define IWARP_OBSERVER_H

#include <iwarp/event.h>
#include <iwarp/rx.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 *   octets of side 0 or 1  -> iwarp_observer_push, or iwarp_observer_gap where they are missing
 *   events of both sides   <- iwarp_observer_next_event until END
 *   the end of a side      -> iwarp_observer_eof
 *
 * The chapters of this header: configuration; information; octets and events; memory; advanced.
 */

/** iwarp_observer watches one connection over TCP. */
typedef struct iwarp_observer iwarp_observer;

/* ---- configuration ---- */

/** IWARP_OBSERVER_SIZE bounds iwarp_observer_size, whatever the configuration. */
#define IWARP_OBSERVER_SIZE (2u * IWARP_RX_SIZE + 4096u)

/** IWARP_OBSERVER_SIZE_DEFAULT bounds it as IWARP_RX_SIZE_DEFAULT bounds iwarp_rx_size. */
#define IWARP_OBSERVER_SIZE_DEFAULT (2u * IWARP_RX_SIZE_DEFAULT)

/** iwarp_observer_cfg configures an observer; zero is the default of each member but size. */
typedef struct iwarp_observer_cfg {
  size_t size;            /* sizeof(iwarp_observer_cfg) */
  bool full_operation;    /* Take the octets as Full Operation, without a startup frame. */
  iwarp_tristate markers; /* Markers of a direction, unless the startup frames settle them */
  iwarp_tristate crc;     /* CRCs of the connection, unless the startup frames settle them */
  uint16_t max_ulpdu;     /* bound of a ULPDU, see iwarp_rx_cfg */
  const iwarp_pool *pool; /* lends memory, see iwarp_rx_cfg */
} iwarp_observer_cfg;

/** iwarp_observer_size returns the bytes of memory that an observer needs, without the pool's
 * share; `cfg` NULL stands for the defaults. 0: `cfg` is not valid. */
IWARP_API size_t iwarp_observer_size(const iwarp_observer_cfg *cfg);

/** iwarp_observer_init makes an engine in the caller's memory, as iwarp_rx_init does. */
IWARP_API iwarp_err iwarp_observer_init(iwarp_observer **out, void *mem, size_t mem_len,
                                        const iwarp_observer_cfg *cfg);

/* ---- information ---- */

/** iwarp_observer_side is what an observer knows about one side and the stream that it sends. */
typedef struct iwarp_observer_side {
  iwarp_role role;        /* role by the startup frame */
  bool seen;              /* octets of this side were pushed */
  bool start_known;       /* start is the first octet of the transport stream (its SYN was seen) */
  bool gap;               /* some octets of this side are missing up to now */
  bool has_startup;       /* flags, rev, pd_length, key, enhanced, enh are set */
  uint64_t start;         /* position, see iwarp_observer_start */
  iwarp_mpa_key key;      /* key of the startup frame */
  bool is_reply;          /* the startup frame is a Reply */
  uint8_t flags;          /* flags of the startup frame, IWARP_MPA_FLAG_* */
  uint8_t rev;            /* Rev of the startup frame */
  uint16_t pd_length;     /* PD_Length of the startup frame, as on the wire */
  bool enhanced;          /* enh is set */
  iwarp_mpa_enhanced enh; /* RFC 6581 9 */
  iwarp_end end;          /* how its stream ended */
  uint64_t startup_pos;   /* position of the first octet of the startup frame */
  uint64_t startup_end;   /* position of the octet after the startup frame */
  uint64_t full_pos;      /* position of the first octet of Full Operation, or IWARP_POS_UNKNOWN */
  iwarp_tristate markers; /* Markers in this side's stream; after a Reply of Rev 0 with M to a
                             Request without, the first octets tell: RFC 5044 C.2.5 */
  iwarp_known_by markers_by; /* evidence for `markers` */
  uint64_t num_fpdus;        /* FPDUs reported so far */
  uint64_t partial_end; /* position after the octets available of an incomplete FPDU whose boundary
                           is known; 0: no such FPDU, or its header is not plausible, or other FPDUs
                           may begin inside it */
  uint64_t pushed_end;  /* position after the last octet that was pushed, taken by
                           iwarp_observer_take_fpdu, or reported as missing; octets before it may
                           wait for their event */
} iwarp_observer_side;

/** iwarp_observer_info is what an observer knows about a connection. */
typedef struct iwarp_observer_info {
  iwarp_observer_side side[2]; /* the sides, by number */
  iwarp_tristate crc;    /* both directions: C of the Request or of the Reply, RFC 5044 7.1.1 */
  iwarp_known_by crc_by; /* evidence for `crc` */
  bool rejected;         /* a Reply with R */
  /* Over SCTP a Request and a Reply stand for Initiate and its answer, Rev 2 for their enhanced
   * forms; positions are TSNs. */
  bool sctp;            /* the connection is a DDP Stream Session */
  uint16_t sctp_stream; /* Stream Identifier */
  bool sctp_joined;     /* the session was under way when its first message was seen */
  uint32_t limits;      /* IWARP_LIMIT_* that were reached */
} iwarp_observer_info;

/** iwarp_observer_info_get returns the current knowledge; it changes with every call on the engine.
 * Never NULL. */
IWARP_API const iwarp_observer_info *iwarp_observer_info_get(const iwarp_observer *observer);

/* ---- octets and events ---- */

/**
 * iwarp_observer_start sets the position of the first octet of `side` (0 or 1) that will be pushed;
 * call it before the first push. `start_known`: `start` is the very first octet of the transport
 * stream; otherwise the stream was joined later.
 */
IWARP_API iwarp_err iwarp_observer_start(iwarp_observer *observer, uint8_t side, uint64_t start,
                                         bool start_known, uint64_t pos);

/**
 * iwarp_observer_push gives the engine the next octets that `side` sent.
 *
 * They are borrowed until iwarp_observer_next_event has returned END; call it until then before any
 * other push, gap or end (STATE otherwise). Push in an order that respects cause and effect. Before
 * octets of one side, push the octets of the other side that their sender had received
 * (meta->peer_pos), as far as they are available.
 */
IWARP_API iwarp_err iwarp_observer_push(iwarp_observer *observer, uint8_t side, iwarp_span in,
                                        const iwarp_meta *meta);

/** iwarp_observer_gap reports that the next `len` octets of `side` are missing and will not come.
 */
IWARP_API iwarp_err iwarp_observer_gap(iwarp_observer *observer, uint8_t side, uint64_t len,
                                       iwarp_gap_reason reason, const iwarp_meta *meta);

/** iwarp_observer_eof reports that no more octets of `side` come, and why. */
IWARP_API iwarp_err iwarp_observer_eof(iwarp_observer *observer, uint8_t side, iwarp_end how,
                                       const iwarp_meta *meta);

/** iwarp_observer_next_event returns the next event: OK, or END when more input is needed. NOBUF:
 * the pool has no memory; no event is lost, call again when it has. Octets of one side may answer a
 * startup frame of the other side and show where it ends: then that frame comes first. */
IWARP_API iwarp_err iwarp_observer_next_event(iwarp_observer *observer, iwarp_event *ev);

/* ---- memory ---- */

/** iwarp_observer_trim gives back to the pool all memory that the observer does not need until the
 * next push. Use it for a silent connection, which goes on as before. Spans of the last event are
 * gone. Without a pool, or before next_event has returned END, it does nothing. */
IWARP_API void iwarp_observer_trim(iwarp_observer *observer);

/** iwarp_observer_release gives back to the pool what it lent the observer; the observer is of no
 * use after that. Without a pool it does nothing. */
IWARP_API void iwarp_observer_release(iwarp_observer *observer);

/* ---- advanced: octets before they are pushed
 *
 * A program that has several copies of octets, or a great many octets, looks at them first.
 *
 * iwarp_observer_wrong finds an FPDU with a wrong CRC, so that the program waits for another copy.
 * iwarp_observer_next_fpdu and _peek_fpdu show an FPDU that needs no event: it goes on as those
 * before it did, and neither its place nor its headers need an event. It is known whether CRCs are
 * in use (`crc` of iwarp_observer_info); its CRC is not checked yet. iwarp_observer_take_fpdu takes
 * it in the place of its event. RFC 5044 4, RFC 5041 4, RFC 5040 4.
 */

/**
 * iwarp_observer_wrong looks at the octets `in`, the next ones of `side`, which are not pushed yet.
 * If an FPDU with a wrong CRC ends in them, it returns how many of them, at the end, lie from that
 * FPDU on. 0: there is no such FPDU; or it is unknown, because CRCs are not in use or the chain of
 * ULPDU_Lengths from the startup frame on is broken. 0 also where `observer` is NULL or `side` is
 * neither 0 nor 1. RFC 5044 4.
 */
IWARP_API size_t iwarp_observer_wrong(const iwarp_observer *observer, uint8_t side, iwarp_span in);

/** iwarp_observer_fpdu is an FPDU of a data message of which there is no event yet: whole in the
 * last push, without Markers, in the chain of ULPDU_Lengths that begins with the startup frame. */
typedef struct iwarp_observer_fpdu {
  uint8_t side;          /* 0 or 1: whose octets */
  uint8_t opcode;        /* RDMAP opcode: a Send of any kind, a Write or a Read Response */
  uint16_t ulpdu_length; /* octets of the ULPDU */
  uint32_t pad;          /* octets of PAD, 0..3 */
  uint64_t pos;          /* position of ULPDU_Length */
  uint64_t offset;       /* stream offset of ULPDU_Length */
  size_t payload_len;    /* octets of DDP payload */
  iwarp_span wire;       /* octets from ULPDU_Length to the CRC field; borrowed from the push */
  iwarp_ddp_hdr ddp;     /* the DDP header: version 1, no reserved bit set */
  iwarp_meta meta;       /* meta of the packet that holds the FPDU */
} iwarp_observer_fpdu;

/**
 * iwarp_observer_next_fpdu shows the next FPDU if it needs no event; it stays the next one. STATE:
 * call iwarp_observer_next_event. END: more input is needed. ARG: an argument is NULL.
 */
IWARP_API iwarp_err iwarp_observer_next_fpdu(iwarp_observer *observer, iwarp_observer_fpdu *out);

/**
 * iwarp_observer_peek_fpdu does the same for octets that are the next ones of `side` and not pushed
 * yet. If all of them are taken, they need no push. The caller sets `out->meta` as for the push.
 * STATE: push the octets that were not taken. END: `in` is empty. ARG: an argument is NULL, or
 * `side` is neither 0 nor 1.
 */
IWARP_API iwarp_err iwarp_observer_peek_fpdu(const iwarp_observer *observer, uint8_t side,
                                             iwarp_span in, iwarp_observer_fpdu *out);

/**
 * iwarp_observer_take_fpdu takes the FPDU that iwarp_observer_next_fpdu or iwarp_observer_peek_fpdu
 * has just shown; it has no event then. Where CRCs are in use its CRC is right. False: its CRC is
 * wrong, or it is not the next one. Then it was not taken, and iwarp_observer_next_event reports
 * it.
 */
IWARP_API bool iwarp_observer_take_fpdu(iwarp_observer *observer, const iwarp_observer_fpdu *fpdu);

#ifdef __cplusplus
}
#endif

#endif
