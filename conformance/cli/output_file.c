/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes outputs to temporary files and renames them at the end. */
#define _GNU_SOURCE /* getentropy */

#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <confine/confine.h>

#include "diag.h"
#include "output_inputs.h"

#define OUTPUT_MODE_BITS ((mode_t)0777) /* bits of the mode that a new file keeps */

static bool output_error(const char *path, int error) {
  diag("%s: %s", path, strerror(error));
  return false;
}

/* Returns true if the run may write to this file. */
static bool output_may(const output_file *f, const struct stat *file, const opts *o) {
  const char *stream = output_inputs_stream(file);
  if (output_inputs_have(file, o)) {
    diag("%s: is read by this run, and is not overwritten", f->path);
    return false;
  }
  if (stream != NULL) {
    diag("%s: is %s of this run, and is not written to twice", f->path, stream);
  }
  return stream == NULL;
}

/* ---- devices and pipes ---- */

/* Opens what was found at the end of the path, by its name in its folder. So no link that was put
 * there meanwhile is followed. */
static bool output_open_in_place(output_file *f, const opts *o) {
  output_target *t = &f->target;
  const struct stat found = t->file;
  const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (t->direct ? 0 : O_NOFOLLOW);
  if (!output_may(f, &found, o)) {
    return false;
  }
  f->in_place = true;
  f->fd = confine_move_up(openat(t->folder, t->name, flags));
  if (f->fd < 0 || fstat(f->fd, &t->file) != 0) {
    return output_error(f->path, errno);
  }
  output_target_close(t);
  return output_target_is(&t->file, &found) || output_error(f->path, ESTALE);
}

/* ---- the temporary file ---- */

static mode_t output_umask(void) {
  const mode_t mask = umask(077);
  (void)umask(mask);
  return mask;
}

/* A name that other users cannot guess and create first. */
static bool output_name(char name[OUTPUT_TEMPORARY_CAP]) {
  uint64_t number[2];
  if (getentropy(number, sizeof number) != 0) {
    return false;
  }
  (void)snprintf(name, OUTPUT_TEMPORARY_CAP, ".iwarp-%016llx%016llx", (unsigned long long)number[0],
                 (unsigned long long)number[1]);
  return true;
}

static bool output_make_temporary(output_file *f) {
  if (!output_name(f->temporary)) {
    return output_error(f->path, errno);
  }
  f->cleanup = (output_cleanup){.folder = f->target.folder, .name = f->temporary};
  output_cleanup_note(&f->cleanup); /* a signal may come before the file exists */
  f->fd = openat(f->target.folder, f->temporary,
                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (f->fd < 0) {
    diag("%s: its folder takes no temporary file: %s", f->path, strerror(errno));
    return false;
  }
  f->fd = confine_move_up(f->fd);
  return f->fd >= 0 || output_error(f->path, errno);
}

/* A file that exists must be a regular one that this user may write to. */
static bool output_may_replace(output_file *f, const opts *o) {
  const output_target *t = &f->target;
  if (faccessat(t->folder, t->name, W_OK, AT_EACCESS) != 0) {
    return output_error(f->path, errno);
  }
  f->mode = t->file.st_mode & OUTPUT_MODE_BITS;
  return output_may(f, &t->file, o);
}

static bool output_open_beside(output_file *f, const opts *o) {
  f->mode = (mode_t)0666 & ~output_umask();
  return (!f->target.exists || output_may_replace(f, o)) && output_make_temporary(f);
}

/* Makes or empties the file itself. */
static bool output_open_now(output_file *f, const opts *o) {
  const output_target *t = &f->target;
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (t->exists ? 0 : O_EXCL);
  opts others = *o;
  others.write = NULL; /* this file is the output itself */
  if (t->exists && !output_may_replace(f, &others)) {
    return false;
  }
  f->in_place = true;
  f->fd = confine_move_up(openat(t->folder, t->name, flags, (mode_t)0666));
  return (f->fd >= 0 && ftruncate(f->fd, 0) == 0) || output_error(f->path, errno);
}

/* Opens a file by `regular`, and a device or a pipe as it is. */
static bool output_open(output_file *f, const char *path, const opts *o,
                        bool (*regular)(output_file *f, const opts *o)) {
  const output_target *t = &f->target;
  *f = OUTPUT_FILE_NONE;
  f->path = path;
  if (!output_target_find(&f->target, path)) {
    return output_error(path, errno);
  }
  const bool ok =
      t->exists && !S_ISREG(t->file.st_mode) ? output_open_in_place(f, o) : regular(f, o);
  if (!ok) {
    output_file_discard(f);
  }
  return ok;
}

bool output_file_open(output_file *f, const char *path, const opts *o) {
  return output_open(f, path, o, output_open_beside);
}

bool output_file_open_now(output_file *f, const char *path, const opts *o) {
  return output_open(f, path, o, output_open_now);
}

int output_file_folder(const output_file *f) {
  return f->in_place || f->target.folder < 0 ? -1 : f->target.folder;
}

/* Outputs in one pipe or terminal would mix. Whether a device is a terminal cannot be found out
 * under confinement, so /dev/null is the only device for several. */
static bool output_same_in_place(const struct stat *a, const struct stat *b) {
  struct stat null;
  const bool is_null = S_ISCHR(a->st_mode) && stat("/dev/null", &null) == 0 &&
                       S_ISCHR(null.st_mode) && null.st_rdev == a->st_rdev;
  return !is_null && output_target_is(a, b);
}

bool output_file_same(const output_file *a, const output_file *b) {
  if (a->in_place || b->in_place) {
    return a->in_place && b->in_place && output_same_in_place(&a->target.file, &b->target.file);
  }
  return output_target_same(&a->target, &b->target);
}

/* ---- the end ---- */

/* Gives the file its mode, and its owner and group where it replaces one of others. Where these
 * cannot be kept, the bits of the group would be for another group. Some file systems have no
 * modes: there the file stays as it is. */
static void output_dress(output_file *f) {
  const struct stat *old = &f->target.file;
  struct stat now;
  if (f->target.exists && fstat(f->fd, &now) == 0 &&
      (now.st_uid != old->st_uid || now.st_gid != old->st_gid) &&
      fchown(f->fd, old->st_uid, old->st_gid) != 0) {
    f->mode &= ~(mode_t)S_IRWXG;
  }
  (void)fchmod(f->fd, f->mode);
}

/* Removes the temporary file, where there still is one, and closes the folder. */
static void output_forget(output_file *f) {
  if (f->cleanup.name != NULL) {
    (void)unlinkat(f->target.folder, f->temporary, 0);
    output_cleanup_forget(&f->cleanup);
  }
  output_target_close(&f->target);
  f->cleanup.name = NULL;
  f->fd = -1;
}

static bool output_rename(output_file *f) {
  const int folder = f->target.folder;
  if (renameat(folder, f->temporary, folder, f->target.name) != 0) {
    return false;
  }
  output_cleanup_forget(&f->cleanup);
  f->cleanup.name = NULL;
  return true;
}

bool output_file_close(output_file *f, int error) {
  if (f->fd < 0) {
    return true;
  }
  if (error == 0 && !f->in_place) {
    output_dress(f);
  }
  if (close(f->fd) != 0 && error == 0) {
    error = errno;
  }
  if (error == 0 && !f->in_place && !output_rename(f)) {
    error = errno;
  }
  output_forget(f);
  return error == 0 || output_error(f->path, error);
}

void output_file_discard(output_file *f) {
  if (f->fd >= 0) {
    (void)close(f->fd);
  }
  output_forget(f);
}
