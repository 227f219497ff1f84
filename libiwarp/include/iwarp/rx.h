/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive engine of one direction in Full Operation: octets of the stream in, events out. */
#ifndef IWARP_RX_H
#define IWARP_RX_H

#include <iwarp/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 *   octets of the stream  -> iwarp_rx_push, or iwarp_rx_gap where they are missing
 *   events                <- iwarp_rx_next_event until END
 *   the end               -> iwarp_rx_eof
 *
 * The chapters of this header: configuration; octets and events; information; advanced.
 */

/** iwarp_rx is a receive engine. */
typedef struct iwarp_rx iwarp_rx;

/* ---- configuration ---- */

/** IWARP_RX_MAX_ULPDU is the default of max_ulpdu without a pool: more than a TCP segment in an
 * Ethernet frame of 1500 octets holds. */
#define IWARP_RX_MAX_ULPDU 1500u

/** IWARP_RX_SIZE bounds iwarp_rx_size, whatever the configuration, for static storage (aligned as
 * max_align_t). */
#define IWARP_RX_SIZE 148000u

/** IWARP_RX_SIZE_DEFAULT likewise bounds it where max_ulpdu is IWARP_RX_MAX_ULPDU at most, 0
 * included, or there is a pool. */
#define IWARP_RX_SIZE_DEFAULT 7168u

/**
 * iwarp_rx_cfg configures a receive engine; zero is the default of each member but size.
 *
 * An FPDU longer than max_ulpdu is followed to its end, but reported as one whose octets are
 * missing: `complete` is clear, and `fpdu.ulpdu_length` is more than max_ulpdu. No GAP follows
 * unless octets are missing too, and iwarp_rx_limits has IWARP_LIMIT_ULPDU. This holds also where
 * the FPDU lies whole in a push, because events do not depend on how octets are pushed. A search
 * for a boundary does not begin with such an FPDU.
 */
typedef struct iwarp_rx_cfg {
  size_t size;            /* sizeof(iwarp_rx_cfg) */
  uint64_t pos;           /* position of the first octet that will be pushed */
  bool at_start;          /* the first octet is the first of Full Operation (stream offset 0) */
  bool unconfirmed;       /* at_start, but only the octets show whether FPDUs begin here */
  iwarp_tristate markers; /* Markers in this direction */
  iwarp_tristate crc;     /* CRCs are in use */
  uint8_t side;           /* copied to the events */
  uint16_t max_ulpdu; /* octets; 0: any length with a pool, else IWARP_RX_MAX_ULPDU. See below */
  const iwarp_pool *pool; /* lends memory for octets that wait for more; NULL: that memory is part
                             of the engine */
} iwarp_rx_cfg;

/** iwarp_rx_size returns the bytes of memory that an engine needs, without the pool's share; `cfg`
 * NULL stands for the defaults. 0: `cfg` is not valid. */
IWARP_API size_t iwarp_rx_size(const iwarp_rx_cfg *cfg);

/**
 * iwarp_rx_init makes an engine in `mem` (aligned as max_align_t, `mem_len` octets, owned by the
 * caller and must outlive the engine). NOBUF: too small. ARG: bad configuration or
 * alignment.
 */
IWARP_API iwarp_err iwarp_rx_init(iwarp_rx **out, void *mem, size_t mem_len,
                                  const iwarp_rx_cfg *cfg);

/** iwarp_rx_release gives back to the pool what it lent the engine; the engine is of no use after
 * that. Without a pool it does nothing. */
IWARP_API void iwarp_rx_release(iwarp_rx *rx);

/* ---- octets and events ---- */

/**
 * iwarp_rx_push gives the engine the next octets of the stream. They are borrowed until
 * iwarp_rx_next_event has returned END; call it until then before any other push, gap or eof (STATE
 * otherwise).
 */
IWARP_API iwarp_err iwarp_rx_push(iwarp_rx *rx, iwarp_span in, const iwarp_meta *meta);

/** iwarp_rx_gap reports that the next `len` octets of the stream are missing and will not come.
 * As after a push, call iwarp_rx_next_event until END. */
IWARP_API iwarp_err iwarp_rx_gap(iwarp_rx *rx, uint64_t len, iwarp_gap_reason reason,
                                 const iwarp_meta *meta);

/** iwarp_rx_eof reports that no more octets come. As after a push, call iwarp_rx_next_event until
 * END. */
IWARP_API iwarp_err iwarp_rx_eof(iwarp_rx *rx, const iwarp_meta *meta);

/**
 * iwarp_rx_next_event returns the next event: OK, or END when more input is needed. Events come in
 * stream order. NOBUF: the pool has no memory; no event is lost, call again when it has.
 */
IWARP_API iwarp_err iwarp_rx_next_event(iwarp_rx *rx, iwarp_event *ev);

/* ---- information ---- */

/** iwarp_rx_set_crc settles late whether CRCs are in use. */
IWARP_API void iwarp_rx_set_crc(iwarp_rx *rx, iwarp_tristate crc);

/** iwarp_rx_limits returns the IWARP_LIMIT_* that were reached since iwarp_rx_init, 0 when none
 * was. */
IWARP_API uint32_t iwarp_rx_limits(const iwarp_rx *rx);

/** iwarp_rx_markers returns what is known now of Markers (given, or inferred from the data). */
IWARP_API iwarp_tristate iwarp_rx_markers(const iwarp_rx *rx);

/** iwarp_rx_crc returns what is known now of CRCs. */
IWARP_API iwarp_tristate iwarp_rx_crc(const iwarp_rx *rx);

/* ---- advanced: FPDUs without events
 *
 * An FPDU needs no event if all of this holds:
 * - It lies whole in the last push, and Markers are not in use.
 * - Its CRC is right, or CRCs are not in use.
 * - DDP and RDMAP have version 1 and no reserved bit set.
 * - It belongs to a Write, a Read Response or a Send of any kind, and its header is whole.
 * - An event would report no fault of it.
 *
 * A list of such FPDUs costs a small part of their events. RFC 5044 4, RFC 5041 4, RFC 5040 4.
 */

/** iwarp_rx_fpdu is an FPDU that needs no event. */
typedef struct iwarp_rx_fpdu {
  uint64_t pos;     /* position of ULPDU_Length */
  iwarp_span ulpdu; /* borrowed as the octets of an event are */
} iwarp_rx_fpdu;

/**
 * iwarp_rx_next_fpdus writes the next FPDUs that need no event, at most `cap`, to `out` and returns
 * how many. 0: another event is next, or none (or an argument is NULL): call iwarp_rx_next_event.
 * Call both functions in turn: together they return in stream order what iwarp_rx_next_event alone
 * returns.
 */
IWARP_API size_t iwarp_rx_next_fpdus(iwarp_rx *rx, iwarp_rx_fpdu *out, size_t cap);
#ifdef __cplusplus
}
#endif

#endif
