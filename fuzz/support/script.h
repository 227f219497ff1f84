/* SPDX-License-Identifier: BSD-2-Clause */
/* A body that is a list of records: octets of two streams, and what happens to them. */
#ifndef FUZZ_SUPPORT_SCRIPT_H
#define FUZZ_SUPPORT_SCRIPT_H

#include "fuzz.h"
#include "stream_run.h"

/*
 * A record is one octet of kind, two of a length (most significant first), and so many octets
 * unless it is a gap. The last one may be cut. SCRIPT_OTHER clear: the next octets of the stream
 * that `side` sends; the mutator walks the octets of a side as one stream.
 */
#define SCRIPT_HEAD 3u
#define SCRIPT_SIDE 0x80u    /* side 1, else side 0 */
#define SCRIPT_OTHER 0x40u   /* no octets of a stream: the target chooses the meaning */
#define SCRIPT_INSIDE 0x01u  /* the octets do not begin a transport segment */
#define SCRIPT_DAMAGED 0x02u /* the octets come with a wrong transport checksum */
#define SCRIPT_HELD 0x04u    /* endpoint: they come after the octets of the next record */

typedef struct script_record {
  uint8_t kind;
  uint8_t side;
  bool is_stream;
  uint16_t length;   /* length as it stands */
  iwarp_span octets; /* `length` octets, or the rest */
} script_record;

/* script_next takes the next record off the front of `*body`; false at the end. */
bool script_next(script_record *out, iwarp_span *body);

/* Kinds of SCRIPT_OTHER records for observers: the low bits. */
enum { SCRIPT_GAP = 0, SCRIPT_SNAPPED, SCRIPT_FIN, SCRIPT_RST, SCRIPT_KINDS };

/* Packets that an engine tells apart while it looks for a boundary, whatever their size; of more
 * the events may name later ones (IWARP_LIMIT_PACKETS). */
#define SCRIPT_PACKETS 160u
#define SCRIPT_PACKETS_LEAST 14u /* packets with the least max_ulpdu */

/* script_make makes the input of an observer; streams begin at `start`. */
stream_script script_make(iwarp_span body, const uint64_t start[2]);

#endif
