/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads what a run of `iwarp peer` expects. */
#define _POSIX_C_SOURCE 200809L

#include "peer_known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "known.h"

/* A profile that travels inside the tool is NAME.peer. */
static char *peer_known_profile(const char *name) {
  char full[64];
  (void)snprintf(full, sizeof full, "%.40s.peer", name);
  char *text = known_built_in(full);
  return text != NULL ? text : known_load(name, "no profile (siw), and as a file: ");
}

static bool peer_known_read(peer_known_files *k, const char *path, const char *text, bool profile) {
  const size_t line = text != NULL ? peer_expect_read(&k->expect, text, strlen(text), profile) : 0;
  if (line > 0) {
    diag("%s:%zu: expected CASE VERDICT SEEN", path, line);
  }
  return text != NULL && line == 0;
}

bool peer_known_files_open(peer_known_files *k, const opts *o) {
  *k = (peer_known_files){.text = {NULL}};
  if (o->profile != NULL) {
    k->text[0] = peer_known_profile(o->profile);
    if (!peer_known_read(k, o->profile, k->text[0], true)) {
      return false;
    }
  }
  if (o->baseline != NULL) {
    k->text[1] = known_load(o->baseline, "");
    return peer_known_read(k, o->baseline, k->text[1], false);
  }
  return true;
}

void peer_known_files_close(peer_known_files *k) {
  peer_expect_free(&k->expect);
  free(k->text[0]);
  free(k->text[1]);
}
