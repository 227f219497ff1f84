/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings of a run, counted by what a renamed or another capture of the same traffic keeps: the
 * rule, the role of the sender and the spot in its stream. A baseline is such a count. */
#ifndef REPORT_SPOTS_H
#define REPORT_SPOTS_H

#include <iwarp/rules.h>

/** REPORT_SPOTS_EACH is how many offsets of one rule and role are counted one by one. */
#define REPORT_SPOTS_EACH 512u

/**
 * report_spot is findings of one rule and role, of all connections of the run. All of them have
 * the same offset, or they are those beyond REPORT_SPOTS_EACH, which lie between two offsets.
 * Offsets are as in iwarp_finding.
 */
typedef struct report_spot {
  uint64_t from;
  uint64_t to;
  uint64_t count; /* findings */
  uint64_t found; /* findings that report_spots_take took */
  size_t line;    /* line of the file that has the spot, or 0 */
} report_spot;

/** report_spot_list is the spots of one rule and role. */
typedef struct report_spot_list {
  report_spot *each; /* spots of a single offset, ascending */
  size_t num;
  size_t cap;
  report_spot rest; /* the other spots; empty with count 0 */
} report_spot_list;

/** report_spots is the spots of a run. All zeros: none. Its memory is its own. */
typedef struct report_spots {
  report_spot_list *of; /* lists by rule, then by role; NULL: no spots */
} report_spots;

/** report_spots_add counts a finding; false: no memory. */
bool report_spots_add(report_spots *spots, const iwarp_finding *f);

/** report_spots_put adds a spot as it was read. Equal ones become one. Those of one rule and role
 * with two different offsets become one, too. False: no memory. */
bool report_spots_put(report_spots *spots, uint16_t rule, iwarp_role role, const report_spot *spot);

/** report_spots_take returns a spot that the finding fits and that has findings left, and takes
 * one of these; NULL: no such spot. */
const report_spot *report_spots_take(report_spots *spots, const iwarp_finding *f);

/** report_spots_of returns the spots of one rule and role; NULL: none. */
const report_spot_list *report_spots_of(const report_spots *spots, uint16_t rule, iwarp_role role);

/** report_spots_free gives the memory back. */
void report_spots_free(report_spots *spots);

#endif
