/* SPDX-License-Identifier: BSD-2-Clause */
/* Plots of each connection of a check, within bounds of their own: no verdict depends on them. */
#ifndef REPORT_CHECK_PLOTS_H
#define REPORT_CHECK_PLOTS_H

#include "check_slot.h"

/* check_plots_event takes an event of a connection. Where the plots of all open connections have
 * too much memory, this one has none. */
void check_plots_event(report_check *check, check_slot *held, const observe_conn *conn,
                       const iwarp_event *ev);

/* check_plots_put writes the plots of a connection at its end as HTML; false: it has none. */
bool check_plots_put(const check_slot *held, const observe_conn *conn, out_buf *out);

/* check_plots_admit returns true if a report may have `n` octets of plots more, which are counted.
 * Otherwise the connection counts as one without plots. */
bool check_plots_admit(report_check *check, const observe_conn *conn, uint64_t n);

/* check_plots_free gives their memory back. */
void check_plots_free(report_check *check, check_slot *held);

#endif
