/* SPDX-License-Identifier: BSD-2-Clause */
/* Markers that are missing from an FPDU, or stand in one although none are due: RFC 5044 4.3. */
#ifndef IWARP_RULES_MARKERS_H
#define IWARP_RULES_MARKERS_H

#include "context.h"

/* Whether the four octets where a Marker is due are none: both of its fields have other values, and
 * they are not in each other's place. */
bool rulesi_markers_displaced(const iwarp_mpa_marker *is, const iwarp_mpa_marker *due);

/* Whether Markers of the stream may stand elsewhere: octets were missing, too many or too few, or a
 * rule said so. */
bool rulesi_markers_loose(const struct rules_side *side);

/* Reads the first Marker of the FPDU that is not what is due there; of a `proven` FPDU, whose CRC
 * is right or not in use, the first that is none. */
bool rulesi_markers_missing(const iwarp_mpa_fpdu *f, bool proven, iwarp_mpa_marker *due,
                            size_t *off);

/*
 * Before the rules: whether Markers are missing from the FPDU, or from the one in which the stream
 * ends, or stand in it although none are due.
 */
void rulesi_markers_classify(struct rules_ctx *j);

/* At the end of a stream: whether a Marker is missing from the octets that wait for the rest of
 * their FPDU. */
bool rulesi_markers_ended(const struct rules_ctx *j);

/* At the end of a stream: whether the last octets of it are the Marker between two FPDUs, of which
 * the second does not come, and point to one. */
bool rulesi_markers_last_points(const struct rules_ctx *j, const iwarp_event *run);

/* mpa.marker-pointer of an FPDU. */
void rulesi_markers_pointer(const struct rules_ctx *j);

/* After the rules. */
void rulesi_markers_update(struct rules_ctx *j);

/* Markers of the FPDU, which has none, when its octets are read as those of one with Markers: each
 * points to its beginning; *first is the offset of the first one. 0: one does not. */
uint32_t rulesi_markers_extra(const iwarp_event_fpdu *f, size_t *first);

#endif
