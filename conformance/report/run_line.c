/* SPDX-License-Identifier: BSD-2-Clause */
/* What wrote the lines that follow. */
#include <report/run_line.h>

#include <iwarp/iwarp.h>

#include <report/jsonw.h>

void report_run_line(out_buf *out, const char *command) {
  jsonw w = {.out = out};
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "run");
  jsonw_text(&w, "version", iwarp_version());
  jsonw_u64(&w, "format", REPORT_JSON_FORMAT);
  jsonw_text(&w, "command", command);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}
