/* SPDX-License-Identifier: BSD-2-Clause */
/* The formats of `iwarp peer`. */
#include <peer_report/run.h>

const peer_report_format *const peer_report_formats[] = {&peer_report_text,
                                                         &peer_report_jsonl,
                                                         &peer_report_junit,
                                                         &peer_report_tap,
                                                         &peer_report_html,
                                                         &peer_report_baseline,
                                                         NULL};
