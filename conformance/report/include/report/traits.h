/* SPDX-License-Identifier: BSD-2-Clause */
/* What a capture is like beside its connections. */
#ifndef REPORT_TRAITS_H
#define REPORT_TRAITS_H

#include <observe/conn.h>

#include <report/jsonw.h>

/** REPORT_TRAITS_EACH is how many conflicting copies of a capture have a line each. */
#define REPORT_TRAITS_EACH 100u

/** report_trait_kind is the kind of a line `capture`. */
typedef enum report_trait_kind {
  REPORT_TRAIT_OCTETS_DIFFER = 0, /* two captured copies of the same octets differ */
  REPORT_TRAIT_CHECKSUM_WRONG,    /* packets with a wrong checksum of the transport or of IPv4 */
  REPORT_TRAIT_NOT_DECODED,       /* packets that may hide iWARP and were not looked into */
  REPORT_TRAIT_DUPLICATES,        /* packets that were captured again */
  REPORT_TRAIT_TIME_BACKWARDS,    /* packets whose time is before the time of the packet before */
  REPORT_TRAIT_OUTSIDE,           /* segments that fit no connection */
  REPORT_TRAIT_CUT,               /* packets that the snapshot length cut */
  REPORT_TRAIT_NO_PAYLOAD         /* packets with payload, none of which was captured */
} report_trait_kind;

#define REPORT_TRAITS (REPORT_TRAIT_NO_PAYLOAD + 1) /* kinds */

/** report_trait is one such line. */
typedef struct report_trait {
  report_trait_kind kind;
  const observe_conn *capture;  /* only `file` and `parts` count */
  uint64_t count;               /* packets, or items, of the line */
  uint64_t packet;              /* the first of these packets */
  uint64_t headers;             /* CHECKSUM_WRONG: of `count`, wrong checksums of the IPv4 header */
  uint64_t snaplen;             /* CUT: octets of each that were captured at most */
  const char *protocol;         /* NOT_DECODED: what they are made of */
  const observe_differ *differ; /* OCTETS_DIFFER: the only one, or NULL */
  /* connection of `differ`, where it is known and has a number, or NULL */
  const observe_conn *conn;
} report_trait;

/** report_trait_name returns the name of a kind, such as "octets-differ". */
const char *report_trait_name(report_trait_kind kind);

/** report_trait_put appends the words of a line. */
void report_trait_put(out_buf *out, const report_trait *x);

/** report_trait_text writes one line that begins with two blanks. */
void report_trait_text(out_buf *out, const report_trait *x);

/** report_trait_json writes the members of an object. */
void report_trait_json(jsonw *w, const report_trait *x);

#endif
