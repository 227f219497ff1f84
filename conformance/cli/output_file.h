/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that a command writes beside its standard output. */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "opts.h"
#include "output_cleanup.h"
#include "output_target.h"

#define OUTPUT_TEMPORARY_CAP 40u /* octets of the name of a temporary file with its final 0 */

/**
 * output_file is an output that is open. Devices and pipes are written as they are. Everything else
 * is written to a temporary file in the folder of the file, which output_file_close renames: until
 * then the file stays as it was, and no program sees half of it.
 */
typedef struct output_file {
  const char *path; /* path for messages; the caller keeps it */
  int fd;           /* descriptor to write to; -1: not open */
  bool in_place;    /* a device or a pipe: of the members below only `target.file` is used */
  output_target target;
  char temporary[OUTPUT_TEMPORARY_CAP]; /* name of the temporary file in the folder of the target */
  mode_t mode;                          /* mode of the new file */
  output_cleanup cleanup;
} output_file;

/** OUTPUT_FILE_NONE is an output that is not open. */
#define OUTPUT_FILE_NONE ((output_file){.fd = -1, .target = {.folder = -1}})

/**
 * output_file_open makes the temporary file, with mode 0600, or opens the device or pipe. It is
 * called before anything is read. A file that the run reads (operands, --baseline, --profile) is
 * refused, through links too, and so is one that is standard output or standard error. False: a
 * message says why, and nothing is open.
 */
bool output_file_open(output_file *f, const char *path, const opts *o);

/**
 * output_file_open_now does the same for an output that is read while it is written: a regular file
 * is made or emptied at once, and stays as it is whatever happens. output_file_close and
 * output_file_discard close it.
 */
bool output_file_open_now(output_file *f, const char *path, const opts *o);

/** output_file_folder returns the descriptor of the only folder in which closing or discarding the
 * output renames and removes files; -1: it touches no folder. */
int output_file_folder(const output_file *f);

/** output_file_same says whether two open outputs are one file, pipe or terminal, by whatever
 * paths. Other devices, such as /dev/null, may take several outputs. */
bool output_file_same(const output_file *a, const output_file *b);

/**
 * output_file_close puts the file in its place. `error` is the errno of a failed write, or 0. A new
 * file gets the mode 0666 less the umask, a replaced one keeps its mode, owner and group where this
 * user may set them. False: the file is as it was before, and a message says why. Nothing happens
 * where no output is open.
 */
bool output_file_close(output_file *f, int error);

/** output_file_discard closes the output and leaves the file as it was. Nothing happens where no
 * output is open. */
void output_file_discard(output_file *f);

#endif
