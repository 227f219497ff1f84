/* SPDX-License-Identifier: BSD-2-Clause */
/* Markers that are missing from an FPDU, or stand in one although none are expected: RFC 5044
 * 4.3. */
#ifndef IWARP_RULES_MARKERS_H
#define IWARP_RULES_MARKERS_H

#include "context.h"

/* What is known of an FPDU while its diagnosis is looked for. */
struct markers_clues {
  size_t at;       /* diagnosis_at */
  uint32_t excess; /* octets by which its ULPDU_Length is too large; 0: no right CRC ends before */
  bool wrong;      /* four octets are no Marker, and the octets are still an FPDU */
  size_t wrong_at; /* number of the Marker expected in their place */
  bool holds;      /* FPDUs begin in it, and one goes on past its end */
};

/* True if the four octets in the place of a Marker are no Marker: both of its fields have other
 * values, and they are not in each other's place. */
bool rulesi_marker_is_none(const iwarp_mpa_marker *is, const iwarp_mpa_marker *due);

/* True if Markers of the stream may stand elsewhere: octets were missing, too many or too few, or a
 * rule said so. */
bool rulesi_markers_loose(const struct rules_side *side);

/* Reads the first Marker of the FPDU that has an unexpected value. `proven`: the CRC of the FPDU is
 * right or not in use, and it reads the first four octets that are no Marker. */
bool rulesi_markers_missing(const iwarp_mpa_fpdu *f, bool proven, iwarp_mpa_marker *due,
                            size_t *off);

/* ---- before the rules: rows of diagnosis.c ---- */

bool rulesi_markers_no_marker(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_markers_counted(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_markers_extra(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_markers_left_out(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_markers_pad_left_out(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_markers_excess(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_markers_leading(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_markers_inner(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_markers_elsewhere(const struct rules_ctx *ctx, struct markers_clues *clues);
bool rulesi_markers_wrong(const struct rules_ctx *ctx, struct markers_clues *clues);

/* rulesi_markers_trust sets how far Markers that are wrong leave the fields of the FPDU sure, and
 * finds the first one that stands elsewhere. */
void rulesi_markers_trust(struct rules_ctx *ctx, struct markers_clues *clues);

/* rulesi_markers_of_run returns the Marker that is missing from octets which form no whole FPDU. */
struct rules_missing rulesi_markers_of_run(const struct rules_ctx *ctx);

/* True at the end of a stream if a Marker is missing from the octets that wait for the rest of
 * their FPDU. */
bool rulesi_markers_ended(const struct rules_ctx *ctx);

/* True at the end of a stream if its last octets are the Marker between two FPDUs, and point to an
 * FPDU: the second one does not come. */
bool rulesi_markers_last_points(const struct rules_ctx *ctx, const iwarp_event *run);

/* mpa.marker-pointer of an FPDU. */
void rulesi_markers_pointer(const struct rules_ctx *ctx);

/* rulesi_markers_stand_unasked returns true if Markers stand in the FPDU, and none are expected. */
bool rulesi_markers_stand_unasked(const struct rules_ctx *ctx);

/* rulesi_markers_lost returns true if Markers of the FPDU are wrong, and no CRC shows where it
 * ends. */
bool rulesi_markers_lost(const struct rules_ctx *ctx);

/* rulesi_markers_stand says whether the FPDU, which has no Markers, has some when its octets are
 * read so: each points to its beginning, and *first is the offset of the first one. */
bool rulesi_markers_stand(const iwarp_event_fpdu *f, size_t *first);
/* rulesi_markers_stand_in says the same of all octets of an FPDU without Markers at an offset. */
bool rulesi_markers_stand_in(iwarp_span wire, uint64_t offset, size_t *first);

#endif
