/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the reports of a check, and the files that they go to. */
#include "report_files.h"

#include <errno.h>
#include <stdlib.h>

#include <memory/memory.h>

#include "diag.h"

/* Whoever asks for more gets it, however long it is. */
static uint64_t files_same(const opts *o, const report_format *format, bool quiet) {
  const bool asked = o->verbose || quiet || o->max_findings != UINT64_MAX;
  return asked ? UINT64_MAX : format->same;
}

static bool files_bounded(const opts *o, const report_format *format, bool quiet) {
  return !format->unbounded && o->command != COMMAND_TIMELINE && !o->verbose && !quiet &&
         !o->fields && !o->octets && o->max_findings == UINT64_MAX;
}

/* What the reports do not have in common. */
static report_output files_output(const report_check *standard, const opts *o,
                                  const report_format *format, out_buf *out) {
  report_output output = {.format = format, .check = *standard};
  const bool is_file = out != standard->out;
  const bool quiet = o->quiet && format->quiet && !is_file;
  output.check.out = out;
  output.check.same = files_same(o, format, quiet);
  output.check.input = files_bounded(o, format, quiet) ? standard->input : NULL;
  if (is_file) {
    output.check.color = false;
    output.check.verbosity = o->verbose ? REPORT_VERBOSE : REPORT_NORMAL;
  }
  return output;
}

/* One file under two names would be written twice. */
bool report_files_is_new(const report_files *f, const output_file *other) {
  for (size_t i = 0; i < f->num_open; i++) {
    if (output_file_same(&f->files[i].file, other)) {
      diag("%s: is the same file as %s", other->path, f->files[i].file.path);
      return false;
    }
  }
  return true;
}

static report_files_result files_open_one(report_files *f, size_t i) {
  output_file *file = &f->files[i].file;
  if (!output_file_open(file, f->o->reports[i].path, f->o)) {
    return REPORT_FILES_UNUSABLE;
  }
  if (!report_files_is_new(f, file)) {
    output_file_discard(file);
    return REPORT_FILES_UNUSABLE;
  }
  if (!out_open_fd(&f->files[i].out, file->fd)) {
    output_file_discard(file);
    return REPORT_FILES_NO_MEMORY;
  }
  f->num_open++;
  return REPORT_FILES_OK;
}

report_files_result report_files_open(report_files *f, const opts *o,
                                      const report_check *standard) {
  const size_t num = o->num_reports;
  *f = (report_files){.o = o,
                      .outputs = memory_zeroed(num + 2, sizeof *f->outputs),
                      .files = memory_zeroed(num + 1, sizeof *f->files)};
  if (f->outputs == NULL || f->files == NULL) {
    return REPORT_FILES_NO_MEMORY;
  }
  f->outputs[0] = files_output(standard, o, o->report, standard->out);
  for (size_t i = 0; i < num; i++) {
    const report_files_result result = files_open_one(f, i);
    if (result != REPORT_FILES_OK) {
      return result;
    }
    f->outputs[i + 1] = files_output(standard, o, o->reports[i].format, &f->files[i].out);
  }
  return REPORT_FILES_OK;
}

void report_files_add(report_files *f, const report_output *output) {
  f->outputs[f->num_open + 1] = *output;
  f->has_more = true;
}

report_run report_files_run(const report_files *f) {
  return (report_run){.outputs = f->outputs, .num = f->num_open + (f->has_more ? 2u : 1u)};
}

/* A report that may lack something is no report. */
static int files_error(const out_buf *out) {
  return memory_ran_out() ? ENOMEM : out->error;
}

bool report_files_close(report_files *f, bool whole) {
  bool ok = true;
  for (size_t i = 0; i < f->num_open; i++) {
    report_file *file = &f->files[i];
    if (whole) {
      out_flush(&file->out);
      ok = output_file_close(&file->file, files_error(&file->out)) && ok;
    } else {
      output_file_discard(&file->file);
    }
    out_close(&file->out);
  }
  for (size_t i = 0; f->outputs != NULL && i < f->num_open + 1; i++) {
    out_close(&f->outputs[i].check.traits); /* no summary was written */
  }
  free(f->outputs);
  free(f->files);
  return ok;
}
