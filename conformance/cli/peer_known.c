/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads what a run of `iwarp peer` expects. */
#define _POSIX_C_SOURCE 200809L

#include "peer_known.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#include "diag.h"
#include "embedded.h"
#include "sandbox.h"

#define KNOWN_FILE_MAX ((size_t)1024 * 1024)

/* A profile that travels inside the tool is NAME.peer. */
static char *known_built_in(const char *name) {
  char full[64];
  (void)snprintf(full, sizeof full, "%.40s.peer", name);
  for (size_t i = 0; i < iwarp_profile_count; i++) {
    if (strcmp(full, iwarp_profiles[i].name) == 0) {
      return memory_text(iwarp_profiles[i].text);
    }
  }
  return NULL;
}

static char *known_load(const char *path) {
  FILE *file = sandbox_fopen(path);
  char *text = file != NULL ? memory_get(KNOWN_FILE_MAX + 1) : NULL;
  const size_t len = text != NULL ? fread(text, 1, KNOWN_FILE_MAX + 1, file) : 0;
  const bool good = text != NULL && ferror(file) == 0 && len <= KNOWN_FILE_MAX;
  if (!good) {
    diag("%s: %s", path, len > KNOWN_FILE_MAX ? "is too long" : strerror(errno));
    free(text);
    text = NULL;
  } else {
    text[len] = 0;
  }
  if (file != NULL) {
    (void)fclose(file);
  }
  return text;
}

static bool known_read(peer_known_files *k, const char *path, const char *text, bool profile) {
  const size_t line = text != NULL ? peer_expect_read(&k->expect, text, strlen(text), profile) : 0;
  if (line > 0) {
    diag("%s:%zu: expected CASE VERDICT SEEN", path, line);
  }
  return text != NULL && line == 0;
}

bool peer_known_files_open(peer_known_files *k, const opts *o) {
  *k = (peer_known_files){.text = {NULL}};
  if (o->profile != NULL) {
    k->text[0] = known_built_in(o->profile);
    k->text[0] = k->text[0] != NULL ? k->text[0] : known_load(o->profile);
    if (!known_read(k, o->profile, k->text[0], true)) {
      return false;
    }
  }
  if (o->baseline != NULL) {
    k->text[1] = known_load(o->baseline);
    return known_read(k, o->baseline, k->text[1], false);
  }
  return true;
}

peer_known peer_known_files_compare(const peer_known_files *k, const char *name,
                                    const peer_result *result) {
  return peer_expect_compare(&k->expect, name, result);
}

void peer_known_files_close(peer_known_files *k) {
  peer_expect_free(&k->expect);
  free(k->text[0]);
  free(k->text[1]);
}
