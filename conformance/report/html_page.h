/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of the HTML report, from the files in html/: all up to the data, and the text of the
 * script after them. The policy of the page allows this script and its style by their hashes. */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

extern const char report_html_page[];
extern const char report_html_script[];

/* The page of stats up to its first connection, and its script, likewise. */
extern const char report_stats_page[];
extern const char report_stats_script[];

#endif
