/* SPDX-License-Identifier: BSD-2-Clause */
/* The reports of a check: one on standard output, and one for each --report. */
#ifndef CLI_REPORT_FILES_H
#define CLI_REPORT_FILES_H

#include <report/run.h>

#include "opts.h"
#include "output_file.h"

/** report_file is where one --report goes. */
typedef struct report_file {
  output_file file;
  out_buf out;
} report_file;

/** report_files opens and closes what a report_run writes to. */
typedef struct report_files {
  const opts *o;
  report_output *outputs; /* outputs; standard output is the first */
  report_file *files;     /* files of --report */
  size_t num_open;
  bool has_more; /* a report that is neither: report_files_add */
} report_files;

/** report_files_result says how that went. */
typedef enum report_files_result {
  REPORT_FILES_OK = 0,
  REPORT_FILES_UNUSABLE, /* a file cannot be written; a message has said so */
  REPORT_FILES_NO_MEMORY
} report_files_result;

/** report_files_open makes all reports alike: `standard` is the one on standard output; in files
 * there are no colours, and -q does not count. */
report_files_result report_files_open(report_files *f, const opts *o, const report_check *standard);

/** report_files_is_new returns true where `other` is a different file from each of these. False: it
 * has printed a message. */
bool report_files_is_new(const report_files *f, const output_file *other);

/** report_files_add adds one report of the caller's. */
void report_files_add(report_files *f, const report_output *output);

/** report_files_run returns the reports; their totals are zeros. */
report_run report_files_run(const report_files *f);

/** report_files_close writes the buffered rest and renames the files to their final names if they
 * are `whole`; else it removes them. It frees the memory. False: a file could not be written, and
 * it has printed a message. */
bool report_files_close(report_files *f, bool whole);

#endif
