/* SPDX-License-Identifier: BSD-2-Clause */
/* One page in HTML with the figures and with plots of each connection. */
#include <report/names.h>
#include <report/stats.h>
#include <report/xml.h>

#include "html_page.h"
#include "plots.h"

bool report_stats_html(out_buf *out, const report_stats_conn *c) {
  const observe_conn *conn = c->conn;
  out_buf text;
  if (out->flushed + out->len >= REPORT_STATS_PAGE) {
    return false;
  }
  out_open_memory(&text);
  report_name_put(&text, conn->file);
  out_fail_with(out, &text);
  out_str(out, "<section>\n<h2>");
  xml_put(out, text.buf, text.len);
  out_str(out, ": connection ");
  out_u64(out, conn->number);
  out_str(out, ": ");
  xml_text(out, conn->addr[c->first]);
  out_str(out, " and ");
  xml_text(out, conn->addr[c->first ^ 1u]);
  out_str(out, "</h2>\n<details><summary>Figures</summary><pre>");
  out_clear(&text);
  report_stats_text(&text, c);
  out_fail_with(out, &text);
  xml_put(out, text.buf, text.len);
  out_close(&text);
  out_str(out, "</pre></details>\n");
  report_plots_put(out, c);
  out_str(out, "</section>\n");
  return true;
}

void report_stats_html_begin(out_buf *out) {
  out_str(out, report_stats_page);
}

void report_stats_html_end(out_buf *out, uint64_t left_out) {
  if (left_out > 0) {
    out_str(out, "<p>The page has no room for ");
    out_u64(out, left_out);
    out_str(out, left_out == 1 ? " further connection." : " further connections.");
    out_str(out, " <code>iwarp stats -T csv</code> has the figures of each connection, and "
                 "<code>--conn</code> chooses connections.</p>\n");
  }
  out_str(out, "</main>\n<script>");
  out_str(out, report_stats_script);
  out_str(out, "</script>\n</body>\n</html>\n");
}
