/* SPDX-License-Identifier: BSD-2-Clause */
/* What the reports of `iwarp check` keep of a connection until it ends. */
#ifndef REPORT_CHECK_SLOT_H
#define REPORT_CHECK_SLOT_H

#include <report/check.h>
#include <report/repeats.h>
#include <stats/stats.h>
#include <upper/upper.h>

#include "check_group.h"

/** check_late is the line of the side's packet that was captured last. */
typedef struct check_late {
  uint64_t packet; /* 0: none is held */
  size_t end;      /* end of its text in the lines that are held */
  bool marked;
} check_late;

/** check_slot is what the slot of a connection points to. */
typedef struct check_slot {
  report_repeats repeats;
  uint64_t shown;      /* findings printed */
  bool has_first;      /* a printed finding is the first of its rule */
  uint64_t reserved;   /* octets kept for the lines of the connection; 0: none is printed yet */
  check_groups groups; /* the findings, so that they stay together */
  out_buf lines;       /* timeline: PDUs and findings, so that they stay together */
  uint64_t last_ns;    /* timeline: time of the line before, or 0 */
  const char *file;    /* timeline: file of the line before, or NULL */
  check_late late[2];  /* timeline: by side */
  bool reset_shown;    /* timeline, html: the RST of its sender */
  unsigned int rows;   /* html: lines in `lines`, which a finding would print */
  unsigned int near;   /* html: lines that are printed since a finding precedes */
  uint64_t number;     /* html: number of the connection in the page, from 1; 0: no number yet */
  uint64_t due;        /* html: octets of the page that are kept for its end; 0: no line of it */
  stats *plots; /* html: figures of the plots, or NULL; their events, and their memory as counted */
  uint64_t plots_events;
  uint64_t plots_memory;
  upper *upper; /* timeline, html: what is known of its upper layer, or NULL */
} check_slot;

/** check_slot_get returns what a slot points to, made where it is NULL; NULL: no memory. */
check_slot *check_slot_get(void **slot);

/** check_slot_line writes what an event is, as report_pdu_line does, with the name of the upper
 * layer's message. */
bool check_slot_line(out_buf *out, check_slot *held, const observe_conn *conn,
                     const iwarp_event *ev);

/** check_affords says whether about `n` octets more may be printed. */
bool check_affords(const report_check *check, uint64_t n);

#endif
