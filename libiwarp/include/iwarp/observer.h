/* SPDX-License-Identifier: BSD-2-Clause */
/* Observer of a connection: octets of both directions in, events out. */
#ifndef IWARP_OBSERVER_H
#define IWARP_OBSERVER_H

#include <iwarp/event.h>
#include <iwarp/rx.h>

#ifdef __cplusplus
extern "C" {
#endif

/** iwarp_observer watches one connection over TCP. */
typedef struct iwarp_observer iwarp_observer;

/** IWARP_OBSERVER_SIZE bounds iwarp_observer_size, whatever the configuration. */
#define IWARP_OBSERVER_SIZE (2u * IWARP_RX_SIZE + 4096u)

/** IWARP_OBSERVER_SIZE_DEFAULT bounds it as IWARP_RX_SIZE_DEFAULT bounds iwarp_rx_size. */
#define IWARP_OBSERVER_SIZE_DEFAULT (2u * IWARP_RX_SIZE_DEFAULT)

/** iwarp_observer_cfg configures an observer; zero is the default of each member but size.
 */
typedef struct iwarp_observer_cfg {
  size_t size;         /* sizeof(iwarp_observer_cfg) */
  bool full_operation; /* taken as iWARP in Full Operation although no startup frame may be seen */
  iwarp_tristate markers; /* for each direction for which the startup frames do not settle it */
  iwarp_tristate crc;     /* likewise */
  uint16_t max_ulpdu;     /* as that of iwarp_rx_cfg, 0 too */
  const iwarp_pool *pool; /* likewise; NULL: none */
} iwarp_observer_cfg;

/** iwarp_observer_side is what an observer knows about one side and the stream that it sends. */
typedef struct iwarp_observer_side {
  iwarp_role role;        /* by its startup frame */
  bool seen;              /* octets of this side were pushed */
  bool start_known;       /* start is the first octet of the transport stream (its SYN was seen) */
  uint64_t start;         /* position, see iwarp_observer_start */
  bool gap;               /* octets of this side are missing somewhere before now */
  bool has_startup;       /* flags, rev, pd_length, key, enhanced, enh are set */
  iwarp_mpa_key key;      /* of its startup frame */
  bool is_reply;          /* its startup frame is a Reply */
  uint8_t flags;          /* of its startup frame, IWARP_MPA_FLAG_* */
  uint8_t rev;            /* of its startup frame */
  uint16_t pd_length;     /* of its startup frame, as on the wire */
  bool enhanced;          /* enh is set */
  iwarp_mpa_enhanced enh; /* RFC 6581 9 */
  uint64_t startup_pos;   /* of the startup frame, first octet and the one after it */
  uint64_t startup_end;   /* position of the octet after the startup frame */
  uint64_t full_pos;      /* position of the first octet of Full Operation, or IWARP_POS_UNKNOWN */
  iwarp_tristate markers; /* in the stream that this side sends; where a Reply of Rev 0 with M
                        answers a Request without, its first octets tell: RFC 5044 C.2.5 */
  iwarp_known_by markers_by; /* what settled `markers` */
  uint64_t num_fpdus;        /* FPDUs reported so far */
  uint64_t partial_end; /* position after the octets available of an FPDU whose boundary is known
                           and whose end has not come; 0: there is none, or it looks like none,
                           or others may begin inside it */
  iwarp_end end;        /* how its stream ended */
} iwarp_observer_side;

/** iwarp_observer_info is what an observer knows about a connection. */
typedef struct iwarp_observer_info {
  iwarp_observer_side side[2]; /* by the number of the side, 0 and 1 */
  iwarp_tristate crc;    /* both directions: C of the Request or of the Reply, RFC 5044 7.1.1 */
  iwarp_known_by crc_by; /* what settled `crc` */
  bool rejected;         /* a Reply with R */
  /* Over SCTP a Request and a Reply stand for Initiate and its answer, Rev 2 for their enhanced
   * forms; positions are TSNs. */
  bool sctp;            /* the connection is a DDP Stream Session */
  uint16_t sctp_stream; /* Stream Identifier */
  bool sctp_joined;     /* the session was under way when its first message was seen */
  uint32_t limits;      /* IWARP_LIMIT_* that were reached */
} iwarp_observer_info;

/** iwarp_observer_size returns the bytes of memory that an observer needs, without what a pool
 * gives; `cfg` NULL stands for the defaults. 0: it is bad. */
IWARP_API size_t iwarp_observer_size(const iwarp_observer_cfg *cfg);

/** iwarp_observer_init makes an engine in the caller's memory, as iwarp_rx_init does. */
IWARP_API iwarp_err iwarp_observer_init(iwarp_observer **out, void *mem, size_t mem_len,
                                        const iwarp_observer_cfg *cfg);

/**
 * iwarp_observer_start says at which position the stream of `side` (0 or 1) begins to be pushed;
 * before its first push. `start_known`: `start` is the very first octet of the transport stream;
 * else the stream was joined later and `start` is only where what is pushed begins.
 */
IWARP_API iwarp_err iwarp_observer_start(iwarp_observer *observer, uint8_t side, uint64_t start,
                                         bool start_known, uint64_t pos);

/**
 * iwarp_observer_push gives the engine the next octets that `side` sent.
 *
 * They are borrowed until iwarp_observer_next_event has returned END; call it until then before any
 * other push, gap or end (STATE otherwise). Push in an order that respects cause and effect: octets
 * after those of the opposite side that their sender had received (meta->peer_pos) as far as these
 * are available.
 */
IWARP_API iwarp_err iwarp_observer_push(iwarp_observer *observer, uint8_t side, iwarp_span in,
                                        const iwarp_meta *meta);

/** iwarp_observer_gap says that the next `len` octets of `side` are not available and will not
 * come. */
IWARP_API iwarp_err iwarp_observer_gap(iwarp_observer *observer, uint8_t side, uint64_t len,
                                       iwarp_gap_reason reason, const iwarp_meta *meta);

/** iwarp_observer_eof says that no more octets of `side` come, and why. */
IWARP_API iwarp_err iwarp_observer_eof(iwarp_observer *observer, uint8_t side, iwarp_end how,
                                       const iwarp_meta *meta);

/** iwarp_observer_next_event returns the next event: OK, or END when more input is needed. NOBUF:
 * the pool has no memory; nothing is lost, call again when it has. What one side sent may be an
 * answer that shows where a startup frame of the other one ends: then that frame comes first. */
IWARP_API iwarp_err iwarp_observer_next_event(iwarp_observer *observer, iwarp_event *ev);

/**
 * iwarp_observer_wrong tells of the octets `in`, the next ones of `side`, which are not pushed yet:
 * how many of them, the last ones, lie from an FPDU with a wrong CRC on that ends in them. 0: there
 * is none, or it is not known, since CRCs are not in use or the chain of ULPDU_Lengths from the
 * startup frame on is broken. 0 also where `observer` is NULL or `side` is neither 0 nor 1. RFC
 * 5044 4.
 */
IWARP_API size_t iwarp_observer_wrong(const iwarp_observer *observer, uint8_t side, iwarp_span in);

/** iwarp_observer_fpdu is an FPDU of a data message of which there is no event yet: whole in the
 * last push, without Markers, in the chain of ULPDU_Lengths that begins with the startup frame. */
typedef struct iwarp_observer_fpdu {
  uint8_t side;          /* 0 or 1: whose octets */
  uint8_t opcode;        /* of RDMAP: of a Send of any kind, a Write or a Read Response */
  uint16_t ulpdu_length; /* octets of the ULPDU */
  uint32_t pad;          /* octets of PAD, 0..3 */
  uint64_t pos;          /* position of ULPDU_Length */
  uint64_t offset;       /* stream offset of ULPDU_Length */
  size_t payload_len;    /* octets of DDP payload */
  iwarp_span wire;       /* all of it, from ULPDU_Length to the CRC field; borrowed from the push */
  iwarp_ddp_hdr ddp;     /* the DDP header: version 1, no reserved bit set */
  iwarp_meta meta;       /* of the packet that holds it */
} iwarp_observer_fpdu;

/**
 * iwarp_observer_next_fpdu shows the next FPDU where CRCs are in use and neither its place nor its
 * headers need an event; its CRC is not looked at yet, and it stays the next one. STATE: ask
 * iwarp_observer_next_event. END: more input is needed, as iwarp_observer_next_event would say.
 * ARG: an argument is NULL. RFC 5044 4, RFC 5041 4, RFC 5040 4.
 */
IWARP_API iwarp_err iwarp_observer_next_fpdu(iwarp_observer *observer, iwarp_observer_fpdu *out);

/**
 * iwarp_observer_peek_fpdu shows the same of octets that are not pushed yet, but are the next ones
 * of `side`: so they need not be, where all of them are taken. `out->meta` is the caller's, who
 * sets it as for the push. STATE: push them, or those that were not taken. END: there is no octet.
 * ARG: an argument is NULL, or `side` is neither 0 nor 1.
 */
IWARP_API iwarp_err iwarp_observer_peek_fpdu(const iwarp_observer *observer, uint8_t side,
                                             iwarp_span in, iwarp_observer_fpdu *out);

/**
 * iwarp_observer_take_fpdu takes the FPDU that iwarp_observer_next_fpdu or iwarp_observer_peek_fpdu
 * has just shown, in the place of its event, which then does not come. False: its CRC is wrong, or
 * it is not the next one; nothing was taken, and iwarp_observer_next_event tells.
 */
IWARP_API bool iwarp_observer_take_fpdu(iwarp_observer *observer, const iwarp_observer_fpdu *fpdu);

/** iwarp_observer_trim gives back to the pool what the observer has of it and does not need until
 * the next push, for a connection that is silent; it goes on as before. Spans of the last event are
 * gone. Without a pool, or before next_event has said END, it does nothing. */
IWARP_API void iwarp_observer_trim(iwarp_observer *observer);

/** iwarp_observer_release gives back to the pool what the observer has of it; it is of no use after
 * that. Without a pool it does nothing. */
IWARP_API void iwarp_observer_release(iwarp_observer *observer);

/** iwarp_observer_info_get returns what is known now; it changes with every call on the engine.
 * Never NULL. */
IWARP_API const iwarp_observer_info *iwarp_observer_info_get(const iwarp_observer *observer);

#ifdef __cplusplus
}
#endif

#endif
