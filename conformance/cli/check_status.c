/* SPDX-License-Identifier: BSD-2-Clause */
/* From counts to exit statuses. */
#include "check_status.h"

#include <string.h>

#include "diag.h"
#include "run.h"

int check_worse(int a, int b) {
  static const int order[] = {EXIT_INTERNAL,  EXIT_USAGE, EXIT_VIOLATION,
                              EXIT_UNDECIDED, EXIT_OK,    EXIT_NO_IWARP};
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    if (a == order[i] || b == order[i]) {
      return order[i];
    }
  }
  return EXIT_INTERNAL;
}

/* Why a capture without violations is undecided, or NULL. */
static const char *status_undecided(const report_capture *capture) {
  if (capture->given_up > 0) {
    return "a limit was reached";
  }
  if (capture->undecodable > 0) {
    return "octets could not be decoded";
  }
  return capture->proven > 0 && capture->decided == 0 ? REPORT_NO_RULE_DECIDED : NULL;
}

int check_capture_status(const report_capture *capture, const char **reason) {
  if (capture->failed != RUN_OK) {
    return capture->failed == RUN_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE;
  }
  if (capture->violated > 0 || capture->named > 0) {
    return EXIT_VIOLATION;
  }
  const char *undecided = status_undecided(capture);
  if (undecided != NULL) {
    *reason = *reason != NULL ? *reason : undecided;
    return EXIT_UNDECIDED;
  }
  return capture->proven == 0 ? EXIT_NO_IWARP : EXIT_OK; /* -d alone proves nothing */
}

int check_run_status(int status, bool require_decided, const report_totals *totals,
                     const char **reason) {
  const report_verdicts counts = report_verdicts_run(totals);
  if (totals->decided > 0 && *reason != NULL && strcmp(*reason, REPORT_NO_RULE_DECIDED) == 0) {
    *reason = "no rule was decided in a capture";
  }
  if (require_decided && counts.of[IWARP_VERDICT_INCONCLUSIVE] > 0) {
    *reason = *reason != NULL ? *reason : "inconclusive rules, --require-decided";
    status = check_worse(status, EXIT_UNDECIDED);
  }
  return totals->xpass > 0 ? check_worse(status, EXIT_VIOLATION) : status;
}

const char *check_verdict(int status) {
  switch (status) {
  case EXIT_OK: return "pass";
  case EXIT_VIOLATION: return "fail";
  case EXIT_UNDECIDED: return "undecided";
  case EXIT_NO_IWARP: return "no-iwarp";
  default: return "error";
  }
}
