/* SPDX-License-Identifier: BSD-2-Clause */
/* The capture of a check once more, with the findings as comments of its packets. */
#ifndef CLI_ANNOTATE_H
#define CLI_ANNOTATE_H

#include <report/comments.h>
#include <report/run.h>

#include "opts.h"
#include "output_file.h"

/** annotate is what --annotate needs; all zeros where it was not given. */
typedef struct annotate {
  const opts *o;
  output_file file;
  report_comments *comments; /* NULL: it was not given */
  uint64_t *ends;            /* may be NULL: `ends` of struct run */
} annotate;

/** annotate_result says how that went. */
typedef enum annotate_result {
  ANNOTATE_OK = 0,
  ANNOTATE_UNUSABLE, /* a message has said why */
  ANNOTATE_NO_MEMORY
} annotate_result;

/** annotate_open opens the output, before the capture is read. */
annotate_result annotate_open(annotate *a, const opts *o);

/** annotate_output returns the report that keeps the findings. */
report_output annotate_output(const annotate *a, const report_check *standard);

/** annotate_write reads the capture again and writes the file, of its first `most` packets; false:
 * that failed, and a message has said so. */
bool annotate_write(annotate *a, uint64_t most);

/** annotate_close puts the file in its place where it is `whole`, and gives everything back; it is
 * called in any case. False: the file is as it was before, and a message has said why. */
bool annotate_close(annotate *a, bool whole);

#endif
