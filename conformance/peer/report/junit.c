/* SPDX-License-Identifier: BSD-2-Clause */
/* JUnit's XML: one suite, a test case for each case. */
#include <peer_report/run.h>

#include <stdio.h>
#include <string.h>

#include <report/names.h>
#include <report/xml.h>

static void junit_text(out_buf *out, const char *label, const char *text) {
  if (text[0] != 0) {
    out_str(out, label);
    xml_text(out, text);
    out_char(out, '\n');
  }
}

/* The element that says why a case is no success; NULL: it is one. */
static const char *junit_element(const peer_run *run, const peer_run_case *c) {
  const peer_verdict verdict = c->outcome->result.verdict;
  if (peer_run_failed(run, c)) {
    return "failure";
  }
  if (verdict == PEER_ERROR) {
    return "error";
  }
  return verdict == PEER_SKIPPED || verdict == PEER_UNDECIDED || verdict == PEER_UNSTABLE ||
                 c->known == PEER_KNOWN_XFAIL
             ? "skipped"
             : NULL;
}

static void junit_seconds(out_buf *out, uint64_t ns) {
  char seconds[32];
  (void)snprintf(seconds, sizeof seconds, "%.3f", (double)ns / 1e9);
  xml_attr_text(out, "time", seconds);
}

static void junit_why(out_buf *out, const char *element, const peer_run_case *c) {
  const peer_result *r = &c->outcome->result;
  out_str(out, "      <");
  out_str(out, element);
  xml_attr_text(out, "message", r->why[0] != 0 ? r->why : r->seen);
  if (strcmp(element, "skipped") != 0) {
    xml_attr_text(out, "type", peer_verdict_name(r->verdict));
  }
  out_char(out, '>');
  junit_text(out, "due: ", r->due);
  junit_text(out, "seen: ", r->seen);
  junit_text(out, "why: ", r->why);
  junit_text(out, "requirements: ", peer_page_info_get(c->item.page)->cites);
  junit_text(out, "file: ", c->file != NULL ? c->file : "");
  out_str(out, "</");
  out_str(out, element);
  out_str(out, ">\n");
}

static void junit_case(out_buf *out, const peer_run *run, const peer_run_case *c) {
  const char *element = junit_element(run, c);
  char area[PEER_CASE_NAME_CAP];
  (void)snprintf(area, sizeof area, "iwarp.peer.%.*s", (int)strcspn(c->name, "."), c->name);
  out_str(out, "    <testcase");
  xml_attr_text(out, "name", c->name);
  xml_attr_text(out, "classname", area);
  junit_seconds(out, c->outcome->took_ns);
  if (element == NULL) {
    out_str(out, "/>\n");
    return;
  }
  out_str(out, ">\n");
  junit_why(out, element, c);
  out_str(out, "    </testcase>\n");
}

static size_t junit_count(const peer_run *run, const char *element) {
  size_t count = 0;
  for (size_t i = 0; i < run->num_cases; i++) {
    const char *own = junit_element(run, &run->cases[i]);
    count += own != NULL && strcmp(own, element) == 0 ? 1 : 0;
  }
  return count;
}

static void junit_begin(out_buf *out, const peer_run *run) {
  (void)out;
  (void)run;
}

static void junit_one(out_buf *out, const peer_run *run, size_t i) {
  (void)out;
  (void)run;
  (void)i;
}

/* The numbers of the suite stand before its cases. */
static void junit_end(out_buf *out, const peer_run *run) {
  uint64_t took_ns = 0;
  for (size_t i = 0; i < run->num_cases; i++) {
    took_ns += run->cases[i].outcome->took_ns;
  }
  out_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
  xml_attr_text(out, "name", run->target);
  xml_attr_u64(out, "tests", run->num_cases + 1);
  xml_attr_u64(out, "failures", junit_count(run, "failure"));
  xml_attr_u64(out, "errors", junit_count(run, "error") + (run->canary_ns == 0 ? 1 : 0));
  xml_attr_u64(out, "skipped", junit_count(run, "skipped"));
  junit_seconds(out, took_ns);
  out_str(out, ">\n");
  for (size_t i = 0; i < run->num_cases; i++) {
    junit_case(out, run, &run->cases[i]);
  }
  out_str(out, "    <testcase name=\"canary\" classname=\"iwarp.peer\"");
  junit_seconds(out, run->canary_ns);
  out_str(out, run->canary_ns > 0 ? "/>\n"
                                  : "><error message=\"the target never passed the canary\"/>"
                                    "</testcase>\n");
  out_str(out, "  </testsuite>\n</testsuites>\n");
}

const peer_report_format peer_report_junit = {
    .name = "junit", .begin = junit_begin, .one = junit_one, .end = junit_end};
