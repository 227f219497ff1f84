/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive engine of one direction in Full Operation: octets of the stream in, events out. */
#ifndef IWARP_RX_H
#define IWARP_RX_H

#include <iwarp/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/** iwarp_rx is a receive engine. */
typedef struct iwarp_rx iwarp_rx;

/** IWARP_RX_MAX_ULPDU is the octets of the largest ULPDU where max_ulpdu is 0 and there is no pool:
 * more than a TCP segment in an Ethernet frame of 1500 octets holds. */
#define IWARP_RX_MAX_ULPDU 1500u

/** IWARP_RX_SIZE bounds iwarp_rx_size, whatever the configuration, for static storage (aligned as
 * max_align_t). */
#define IWARP_RX_SIZE 148000u

/** IWARP_RX_SIZE_DEFAULT likewise bounds it where max_ulpdu is IWARP_RX_MAX_ULPDU at most, 0
 * included, or there is a pool. */
#define IWARP_RX_SIZE_DEFAULT 7168u

/** iwarp_rx_cfg configures a receive engine; zero is the default of each member but size. */
typedef struct iwarp_rx_cfg {
  size_t size;            /* sizeof(iwarp_rx_cfg) */
  uint64_t pos;           /* position of the first octet that will be pushed */
  bool at_start;          /* that octet is the first of Full Operation (stream offset 0) */
  bool unconfirmed;       /* at_start, but whether FPDUs begin here must be seen from the octets */
  iwarp_tristate markers; /* in this direction */
  iwarp_tristate crc;     /* CRCs are in use */
  uint8_t side;           /* copied to the events */
  uint16_t max_ulpdu; /* octets; 0: any length with a pool, else IWARP_RX_MAX_ULPDU. A longer FPDU
                         is followed to its end, but reported as one whose octets are missing:
                         `complete` is clear, `fpdu.ulpdu_length` is more than this, no GAP
                         follows unless octets are missing too, iwarp_rx_limits has
                         IWARP_LIMIT_ULPDU. So it is too where it lies whole in a push: events do
                         not depend on how octets are pushed. A search does not begin with it. */
  const iwarp_pool *pool; /* what holds octets that wait for more; NULL: it is part of the engine */
} iwarp_rx_cfg;

/** iwarp_rx_size returns the bytes of memory that an engine needs, without what a pool gives; `cfg`
 * NULL stands for the defaults. 0: it is bad. */
IWARP_API size_t iwarp_rx_size(const iwarp_rx_cfg *cfg);

/**
 * iwarp_rx_init makes an engine in `mem` (aligned as max_align_t, `mem_len` octets, owned by the
 * caller and must outlive the engine). NOBUF: too small. ARG: bad configuration or
 * alignment.
 */
IWARP_API iwarp_err iwarp_rx_init(iwarp_rx **out, void *mem, size_t mem_len,
                                  const iwarp_rx_cfg *cfg);

/**
 * iwarp_rx_push gives the engine the next octets of the stream. They are borrowed until
 * iwarp_rx_next_event has returned END; call it until then before any other push, gap or eof (STATE
 * otherwise).
 */
IWARP_API iwarp_err iwarp_rx_push(iwarp_rx *rx, iwarp_span in, const iwarp_meta *meta);

/** iwarp_rx_gap says that the next `len` octets of the stream are not available and will not come.
 * As after a push, call iwarp_rx_next_event until END. */
IWARP_API iwarp_err iwarp_rx_gap(iwarp_rx *rx, uint64_t len, iwarp_gap_reason reason,
                                 const iwarp_meta *meta);

/** iwarp_rx_eof says that no more octets come. As after a push, call iwarp_rx_next_event until END.
 */
IWARP_API iwarp_err iwarp_rx_eof(iwarp_rx *rx, const iwarp_meta *meta);

/**
 * iwarp_rx_next_event returns the next event: OK, or END when more input is needed. Events come in
 * stream order. NOBUF: the pool has no memory; nothing is lost, call again when it has.
 */
IWARP_API iwarp_err iwarp_rx_next_event(iwarp_rx *rx, iwarp_event *ev);

/** iwarp_rx_fpdu is an FPDU that needs no event: whole, without Markers, of a data message. */
typedef struct iwarp_rx_fpdu {
  uint64_t pos;     /* of its ULPDU_Length */
  iwarp_span ulpdu; /* borrowed as the octets of an event are */
} iwarp_rx_fpdu;

/**
 * iwarp_rx_next_fpdus writes the next FPDUs, at most `cap`, to `out` and returns how many. Of each
 * it holds: it lies whole in the last push; Markers are not in use; its CRC is right, or CRCs are
 * not in use; DDP and RDMAP have version 1 and no reserved bit set; it is one of a Write, a Read
 * Response or a Send of any kind, its header is whole, and no event would find fault with it. 0:
 * what comes next is something else, or nothing (or an argument is NULL): ask iwarp_rx_next_event.
 * RFC 5044 4, RFC 5041 4, RFC 5040 4.
 *
 * Both functions may be called in turn: together they return what iwarp_rx_next_event alone does,
 * in stream order. A list costs a small part of what the events for the same FPDUs cost.
 */
IWARP_API size_t iwarp_rx_next_fpdus(iwarp_rx *rx, iwarp_rx_fpdu *out, size_t cap);

/** iwarp_rx_release gives back to the pool what the engine has of it; the engine is of no use after
 * that. Without a pool it does nothing. */
IWARP_API void iwarp_rx_release(iwarp_rx *rx);

/** iwarp_rx_set_crc settles late whether CRCs are in use. */
IWARP_API void iwarp_rx_set_crc(iwarp_rx *rx, iwarp_tristate crc);

/** iwarp_rx_limits returns the IWARP_LIMIT_* that were reached since iwarp_rx_init, 0 when none
 * was. */
IWARP_API uint32_t iwarp_rx_limits(const iwarp_rx *rx);

/** iwarp_rx_markers returns what is known now of Markers (given, or inferred from the data). */
IWARP_API iwarp_tristate iwarp_rx_markers(const iwarp_rx *rx);

/** iwarp_rx_crc returns what is known now of CRCs. */
IWARP_API iwarp_tristate iwarp_rx_crc(const iwarp_rx *rx);

#ifdef __cplusplus
}
#endif

#endif
