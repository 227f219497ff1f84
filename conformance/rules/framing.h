/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets where an FPDU is due and none begins: other readings of them, tried one by one. */
#ifndef IWARP_RULES_FRAMING_H
#define IWARP_RULES_FRAMING_H

#include "context.h"

/* A reading with which the octets, or those right before them, begin an FPDU. */
enum framing_reading {
  FRAMING_NONE = 0,    /* none that was tried */
  FRAMING_LONGER,      /* the CRC of the FPDU before is right with the first octets */
  FRAMING_WRAPS,       /* the FPDU before has 65536 octets more than its ULPDU_Length says */
  FRAMING_NO_MARKERS,  /* no Markers stand where they are due */
  FRAMING_EXTRA,       /* Markers stand in the FPDU before, and none are due */
  FRAMING_MARKERS,     /* a Marker stands where none is due */
  FRAMING_SWALLOWS,    /* FPDUs begin in the one before, and go on past its end */
  FRAMING_NO_CRC,      /* the FPDU before has no CRC field */
  FRAMING_NO_PAD,      /* the FPDU before has no PAD */
  FRAMING_EARLIER,     /* an FPDU begins a few octets before: the FPDU before is shorter */
  FRAMING_LATER,       /* an FPDU begins a few octets after: the FPDU before, if any, is longer */
  FRAMING_OTHER_ORDER, /* ULPDU_Length in the other octet order */
  FRAMING_SWALLOWED,   /* ULPDU_Length covers segments that begin with FPDUs */
  FRAMING_READINGS
};

/* What is known of the place where the octets stand. */
struct framing_place {
  iwarp_span head;                    /* the octets */
  const struct rules_framing *before; /* the FPDU before them */
  bool markers;                       /* Markers are due */
  uint64_t off;                       /* stream offset of the octets */
  uint64_t len;                       /* of the run that they begin */
  uint32_t fpdu_like;                 /* segments in it that begin with what looks like an FPDU */
};

#define FRAMING_HEAD_LEN 12u /* ULPDU_Length and the DDP header up to QN */

/* Whether at `at` what looks like an FPDU begins: both headers as far as they are fixed. */
bool rulesi_framing_fpdu(iwarp_span in, size_t at);

/* Whether four octets may be ULPDU_Length and the control octets of an FPDU, right or wrong. */
bool rulesi_framing_word(const uint8_t *word);

/* Whether the four at `off` are those of a right one of the versions of today. */
bool rulesi_framing_word_right(iwarp_span octets, size_t off);

/* Whether the octets after those of ULPDU, taken for PAD, are some of it. */
bool rulesi_framing_pad_wrong(const iwarp_event_fpdu *f);

/* The first reading that fits. */
enum framing_reading rulesi_framing_try(const struct framing_place *p);

/* What was expected at the place, and what the reading says: static storage. */
const char *rulesi_framing_text(enum framing_reading reading, const struct framing_place *p);

/* What is wrong of the FPDU before the octets, if it is that. */
enum rules_blame rulesi_framing_blames(enum framing_reading reading, const struct framing_place *p);

/* Whether an FPDU begins with the octets, a Marker before it where one is due. Unknown: they are
 * too few, or a Marker lies among its headers. */
iwarp_tristate rulesi_framing_begins(const struct framing_place *p);

/* Octets that the ULPDU_Length at the place announces: an FPDU with its Markers. */
uint64_t rulesi_framing_announced(const struct framing_place *p);

/* The place of the octets of an event: of its run, or of its FPDU with a Marker before it. */
struct framing_place rulesi_framing_place(const struct rules_ctx *j, const iwarp_event *ev);

/* The last run of octets that formed no FPDU, as its event had it. */
iwarp_event rulesi_framing_run(const struct rules_framing *framing, uint8_t side);

/* rulesi_framing_key_begun says whether these are the first octets of a key, and not all of it. */
bool rulesi_framing_key_begun(iwarp_span head);

/* Whether the stream ends in order with octets right after the startup frame that tell of no FPDU,
 * while its sender might not send: they belong to the Private Data. Unknown: the start of the other
 * stream is. */
iwarp_tristate rulesi_framing_surplus(const struct rules_ctx *j);

/* Whether the FPDU is of no version, and the one before it was cut: without CRCs its length, which
 * led here, may be wrong. */
bool rulesi_framing_unproven(const struct rules_ctx *j);

/* Before the rules: what an FPDU or a run of octets is. */
void rulesi_framing_classify(struct rules_ctx *j);

/* After the rules: keeps what octets to come are compared with. */
void rulesi_framing_update(struct rules_ctx *j);

/* The same for an ordinary segment without an event. */
void rulesi_framing_fpdu_update(struct rules_framing *framing,
                                const iwarp_observer_fpdu *restrict f);

#endif
