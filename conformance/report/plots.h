/* SPDX-License-Identifier: BSD-2-Clause */
/* Plots of a connection. */
#ifndef REPORT_PLOTS_H
#define REPORT_PLOTS_H

#include <report/stats.h>

/* report_plots_put writes the plots of both directions as HTML: at most STATS_POINTS points each.
 * The script plots.js zooms in on them. */
void report_plots_put(out_buf *out, const report_stats_conn *c);

#endif
