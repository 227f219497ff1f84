/* SPDX-License-Identifier: BSD-2-Clause */
/* Learns from the events of a connection which octets of its streams must stay. */
#ifndef SCRUB_LEARN_H
#define SCRUB_LEARN_H

#include <observe/observe.h>

#include "kept.h"

#define LEARN_WINDOW (128u * 1024u) /* octets: room for two of the longest FPDUs */
#define LEARN_BEFORE 8u             /* directions whose last FPDU is remembered */

/* The last FPDU of a direction whose CRC is wrong or not in use. */
typedef struct learn_before {
  const kept_dir *dir;
  uint64_t pos;
  size_t len;
  size_t mark; /* index of the first range of the FPDU */
  uint8_t octets[IWARP_MPA_FPDU_WIRE_MAX];
} learn_before;

typedef struct learn {
  const mapping *map;
  kept *kept;
  bool private_data;
  learn_before *before[LEARN_BEFORE]; /* NULL: not needed so far */
  size_t next_before;
  uint8_t window[LEARN_WINDOW];
  uint8_t changed[LEARN_WINDOW];
} learn;

#define LEARN_PARTS 3u

/* The parts of a DDP segment that are headers. Values of the ULP stand between them. */
typedef struct learn_head {
  size_t num;
  size_t from[LEARN_PARTS];
  size_t to[LEARN_PARTS];
} learn_head;

/* learn_header returns the headers of a segment of `len` octets; `in` has the first ones, as far as
 * they are there. */
learn_head learn_header(iwarp_span in, size_t len);

/* learn_event takes an event of a connection over TCP. */
void learn_event(learn *l, const observe_conn *conn, const iwarp_event *ev);

/* learn_closed takes a connection that has ended. What a side sent in the place of a startup frame
 * stays as far as it shows a protocol. */
void learn_closed(learn *l, const observe_conn *conn);

/* learn_transport takes a connection without iWARP. The first octets that show its protocol stay.
 */
void learn_transport(learn *l, const observe_transport *what);

void learn_free(learn *l);

#endif
