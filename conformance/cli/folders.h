/* SPDX-License-Identifier: BSD-2-Clause */
/* Folders in place of captures. */
#ifndef CLI_FOLDERS_H
#define CLI_FOLDERS_H

#include "opts.h"

/** folders_open puts the regular files of each folder in its place, by name. It is called before
 * the process is confined, which can list no folder. False: no memory. */
bool folders_open(opts *o);

/** folders_choose leaves out files of folders that do not begin as a capture does, and says how
 * many. A folder without a capture stays in its place, for the command to refuse. */
void folders_choose(opts *o);

/** folders_hint says when files look like one capture that a rotation cut, and --join was not
 * given. */
void folders_hint(const opts *o);

#endif
