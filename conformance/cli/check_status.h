/* SPDX-License-Identifier: BSD-2-Clause */
/* The exit status of a check, from what its captures came to. */
#ifndef CLI_CHECK_STATUS_H
#define CLI_CHECK_STATUS_H

#include <report/shard.h>

/** check_worse returns the worse of two exit statuses, in the order 70, 2, 1, 4, 0, 3: captures
 * hold no iWARP only when none of them does. */
int check_worse(int a, int b);

/** check_capture_status returns the status of a capture; where it is EXIT_UNDECIDED, and
 * `*reason` is NULL, `*reason` becomes the reason. `failed` is a run_result. */
int check_capture_status(const report_capture *capture, const char **reason);

/** check_run_status returns the worse of the status of all captures and of what their verdicts
 * together demand; `*reason` as above. */
int check_run_status(int status, bool require_decided, const report_totals *totals,
                     const char **reason);

/** check_verdict returns the word for a status. */
const char *check_verdict(int status);

#endif
