/* SPDX-License-Identifier: BSD-2-Clause */
/* One page without a script: a table of the cases with their evidence. */
#include <peer_report/run.h>

#include <stdio.h>

#include <report/xml.h>

static const char html_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<title>iwarp peer</title>\n<style>\n"
    "body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; max-width: 75em }\n"
    "table { border-collapse: collapse; width: 100% }\n"
    "td, th { border-bottom: 1px solid #bbb; padding: .3em .6em; text-align: left; vertical-align: "
    "top }\n"
    ".fail, .error, .unstable { background: #fdd }\n.warning, .undecided { background: #fe9 }\n"
    ".pass { background: #dfd }\n.evidence { font-family: monospace; overflow-wrap: anywhere }\n"
    "</style>\n</head>\n<body>\n<h1>iwarp peer</h1>\n";

static void html_evidence(out_buf *out, const char *label, const char *text) {
  if (text[0] != 0) {
    out_str(out, "<div>");
    out_str(out, label);
    out_str(out, ": ");
    xml_text(out, text);
    out_str(out, "</div>");
  }
}

static void html_case(out_buf *out, const peer_run_case *c) {
  const peer_page_info *info = peer_page_info_get(c->item.page);
  const peer_result *r = &c->outcome->result;
  const char *verdict = peer_verdict_name(r->verdict);
  char seconds[32];
  (void)snprintf(seconds, sizeof seconds, "%.3f s", (double)c->outcome->took_ns / 1e9);
  out_str(out, "<tr><td class=\"");
  out_str(out, verdict);
  out_str(out, "\">");
  out_str(out, verdict);
  out_str(out, c->known == PEER_KNOWN_XFAIL ? " (expected)" : "");
  out_str(out, c->outcome->lost ? ", target lost" : "");
  out_str(out, "</td><td><b>");
  xml_text(out, c->name);
  out_str(out, "</b><br>");
  xml_text(out, info->title);
  out_str(out, "</td><td class=\"evidence\">");
  html_evidence(out, "due", r->due);
  html_evidence(out, "seen", r->seen);
  html_evidence(out, "why", r->why);
  html_evidence(out, "requirements", info->cites);
  html_evidence(out, "file", c->file != NULL ? c->file : "");
  out_str(out, "</td><td>");
  out_str(out, seconds);
  out_str(out, "</td></tr>\n");
}

static void html_begin(out_buf *out, const peer_run *run) {
  out_str(out, html_head);
  out_str(out, "<p>Target ");
  xml_text(out, run->target);
  out_str(out, "; the tester is the ");
  out_str(out, peer_role_name(run->role));
  out_str(out, ".</p>\n<table>\n<tr><th>verdict</th><th>case</th><th>evidence</th>"
               "<th>time</th></tr>\n");
}

static void html_one(out_buf *out, const peer_run *run, size_t i) {
  html_case(out, &run->cases[i]);
}

static void html_end(out_buf *out, const peer_run *run) {
  size_t counts[PEER_NUM_VERDICTS];
  const char *between = "";
  peer_run_counts(run, counts);
  out_str(out, "</table>\n<p>");
  for (size_t i = 0; i < PEER_NUM_VERDICTS; i++) {
    if (counts[i] > 0) {
      out_str(out, between);
      out_u64(out, counts[i]);
      out_char(out, ' ');
      out_str(out, peer_verdict_name((peer_verdict)i));
      between = ", ";
    }
  }
  out_str(out,
          run->canary_ns > 0 ? "</p>\n" : "</p>\n<p>The target never passed the canary.</p>\n");
  out_str(out, "</body>\n</html>\n");
}

const peer_report_format peer_report_html = {
    .name = "html", .begin = html_begin, .one = html_one, .end = html_end};
