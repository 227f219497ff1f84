/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets where an FPDU is expected and none begins: other readings of them, tried one by one. */
#ifndef IWARP_RULES_FRAMING_H
#define IWARP_RULES_FRAMING_H

#include "markers.h"

/* What is known of the place where the octets stand. */
struct framing_place {
  iwarp_span head;                    /* the octets */
  const struct rules_framing *before; /* the FPDU before them */
  bool markers;                       /* Markers are expected */
  uint64_t off;                       /* stream offset of the octets */
  uint64_t len;                       /* length of the run that begins with the octets */
  uint32_t fpdu_like;                 /* segments in it that begin with what looks like an FPDU */
};

#define FRAMING_HEAD_LEN 12u /* ULPDU_Length and the DDP header up to QN */

/* True if at `at` what looks like an FPDU begins: both headers as far as they are fixed. */
bool rulesi_framing_fpdu(iwarp_span in, size_t at);

/* True if four octets may be ULPDU_Length and the control octets of an FPDU, right or wrong. */
bool rulesi_framing_word(const uint8_t *word);

/* True if the four octets at `off` begin a right FPDU of the present versions. */
bool rulesi_framing_word_right(iwarp_span octets, size_t off);

/* True if the octets after the ULPDU, taken for PAD, belong to the ULPDU. */
bool rulesi_framing_pad_wrong(const iwarp_event_fpdu *f);

/* ---- rows of diagnosis.c ---- */

/* Other readings of octets that begin no FPDU where one is expected. */
bool rulesi_reads_as_length_too_small(const struct framing_place *p);
bool rulesi_reads_as_length_wraps(const struct framing_place *p);
bool rulesi_reads_as_unmarked(const struct framing_place *p);
bool rulesi_reads_as_extra_before(const struct framing_place *p);
bool rulesi_reads_as_marker_here(const struct framing_place *p);
bool rulesi_reads_as_held_before(const struct framing_place *p);
bool rulesi_reads_as_no_crc(const struct framing_place *p);
bool rulesi_reads_as_no_pad(const struct framing_place *p);
bool rulesi_reads_as_begins_earlier(const struct framing_place *p);
bool rulesi_reads_as_stray_first(const struct framing_place *p);
bool rulesi_reads_as_stray_between(const struct framing_place *p);
bool rulesi_reads_as_begins_later(const struct framing_place *p);
bool rulesi_reads_as_other_order(const struct framing_place *p);
bool rulesi_reads_as_covers_segments(const struct framing_place *p);

/* True if Markers of the FPDU before are wrong, and no FPDU begins here: where that ended is lost.
 */
bool rulesi_framing_after_markers(const struct rules_ctx *ctx);

/* True if the octets are there, up to the versions, and belong to no version. */
bool rulesi_framing_versionless(const iwarp_event_fpdu *f);

/* Octets that form no FPDU: a startup frame, the first octets of one, an FPDU without its Marker.
 */
bool rulesi_framing_again(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_framing_again_begun(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_framing_first_unmarked(const struct rules_ctx *ctx, struct markers_clues *clues);

/* True if FPDUs begin in the FPDU of the event, which no CRC protects: one ends where the next
 * begins, and that goes on past the end. */
bool rulesi_framing_holds(const iwarp_event *ev);

/* True if the octets of a whole FPDU end in octets with which an FPDU may begin: `crc_at` is the
 * place of the CRC field, which is among them if the length is right. */
bool rulesi_framing_ends_in_next(iwarp_span wire, size_t crc_at);

/* True if the last octets of the FPDU, which no CRC protects, may be the first of the next one. */
bool rulesi_framing_takes_next(const iwarp_event_fpdu *f);

/* ---- places ---- */

/* ON if an FPDU begins with the octets, after a Marker if one is expected. Unknown: the octets are
 * too few, or a Marker lies among the headers. */
iwarp_tristate rulesi_framing_begins(const struct framing_place *p);

/* Octets that the ULPDU_Length at the place announces: an FPDU with its Markers. */
uint64_t rulesi_framing_announced(const struct framing_place *p);

/* The place of the octets of an event: of its run, or of its FPDU with a Marker before it. */
struct framing_place rulesi_framing_place(const struct rules_ctx *ctx, const iwarp_event *ev);

/* The last run of octets that formed no FPDU, as its event had it. */
iwarp_event rulesi_framing_run(const struct rules_framing *framing, uint8_t side);

/* rulesi_framing_key_begun says whether these are the first octets of a key, and not all of it. */
bool rulesi_framing_key_begun(iwarp_span head);

/* ON if the stream ends in order with octets right after the startup frame that tell of no FPDU,
 * while its sender might not send: they belong to the Private Data. Unknown: the start of the other
 * stream is. */
iwarp_tristate rulesi_framing_surplus(const struct rules_ctx *ctx);

/* True if the FPDU is of no version, and the one before it was cut: without CRCs its length, which
 * led here, may be wrong. */
bool rulesi_framing_unproven(const struct rules_ctx *ctx);

#endif
