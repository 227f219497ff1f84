/* SPDX-License-Identifier: BSD-2-Clause */
/* The results of `iwarp peer`, for each format. */
#ifndef PEER_REPORT_RUN_H
#define PEER_REPORT_RUN_H

#include <peer/campaign.h>
#include <peer/expect.h>
#include <report/out_buf.h>

/** Octets of the id of a case, with its final 0. */
#define PEER_CASE_NAME_CAP 96u

/** peer_run_case is one case of a run. Its texts outlive the run. */
typedef struct peer_run_case {
  peer_item item;
  char name[PEER_CASE_NAME_CAP];
  const peer_outcome *outcome;
  peer_finding *findings; /* findings of the first play; allocated */
  size_t num_findings;
  char *file; /* file of the case's capture; allocated; may be NULL */
  peer_known known;
} peer_run_case;

/** peer_fail_on is the weakest verdict that fails a run. */
typedef enum peer_fail_on {
  PEER_FAIL_ON_MUST = 0, /* a fail */
  PEER_FAIL_ON_SHOULD,   /* a fail or a warning */
  PEER_FAIL_ON_NOTE,     /* a fail, a warning or an allowed */
  PEER_FAIL_ON_NEVER
} peer_fail_on;

/** peer_run is a run with all its cases. */
typedef struct peer_run {
  const char *target;
  iwarp_role role; /* role of the tester */
  peer_run_case *cases;
  size_t num_cases;
  const peer_result *canary; /* result of the last canary */
  uint64_t canary_ns;        /* the time of the last one that passed; 0: none did */
  peer_fail_on fail_on;
  iwarp_severity level; /* cases with a weaker verdict are counted and not printed, in text */
} peer_run;

/** peer_run_counts counts the cases by verdict. */
void peer_run_counts(const peer_run *run, size_t counts[PEER_NUM_VERDICTS]);

/** peer_run_failed returns true if a case fails the run. */
bool peer_run_failed(const peer_run *run, const peer_run_case *c);

/** peer_run_status returns the exit status of a run: 0, 1, 3, 4 or 70. */
int peer_run_status(const peer_run *run);

/** peer_report_format is a format. All functions append to `out`; `one` is called for each case
 * when it is decided, in their order. */
typedef struct peer_report_format {
  const char *name;
  void (*begin)(out_buf *out, const peer_run *run);
  void (*one)(out_buf *out, const peer_run *run, size_t i);
  void (*end)(out_buf *out, const peer_run *run);
} peer_report_format;

/** peer_report_formats are all formats, text first; NULL ends the list. */
extern const peer_report_format *const peer_report_formats[];

extern const peer_report_format peer_report_text;
extern const peer_report_format peer_report_jsonl;
extern const peer_report_format peer_report_junit;
extern const peer_report_format peer_report_tap;
extern const peer_report_format peer_report_html;
extern const peer_report_format peer_report_baseline;

/** peer_report_list prints the cases of a run, as `--list` does: text, or JSON Lines. */
void peer_report_list(out_buf *out, const peer_run *run, bool json);

/** peer_role_name returns "initiator" or "responder". */
const char *peer_role_name(iwarp_role role);

#endif
