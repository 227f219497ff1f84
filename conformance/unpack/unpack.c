/* SPDX-License-Identifier: BSD-2-Clause */
/* The form of a file, and the library for it. */
#include "unpack_priv.h"

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

/* A form: how its files begin, and what unpacks them, where that was built in. */
typedef struct unpack_entry {
  const char *name;
  const char *part;
  const unpack_library *library;
  size_t magic_len;
  uint8_t magic[UNPACK_MAGIC_MAX];
} unpack_entry;

#ifdef UNPACK_WITH_GZIP
#define UNPACK_IF_GZIP &unpack_gzip
#else
#define UNPACK_IF_GZIP NULL
#endif
#ifdef UNPACK_WITH_ZSTD
#define UNPACK_IF_ZSTD &unpack_zstd
#else
#define UNPACK_IF_ZSTD NULL
#endif
#ifdef UNPACK_WITH_LZ4
#define UNPACK_IF_LZ4 &unpack_lz4
#else
#define UNPACK_IF_LZ4 NULL
#endif
#ifdef UNPACK_WITH_XZ
#define UNPACK_IF_XZ &unpack_xz
#else
#define UNPACK_IF_XZ NULL
#endif

static const unpack_entry unpack_forms[] = {
    [UNPACK_PLAIN] = {0},
    [UNPACK_GZIP] = {"gzip", "member", UNPACK_IF_GZIP, 2, {0x1f, 0x8b}},
    [UNPACK_ZSTD] = {"zstd", "frame", UNPACK_IF_ZSTD, 4, {0x28, 0xb5, 0x2f, 0xfd}},
    [UNPACK_LZ4] = {"lz4", "frame", UNPACK_IF_LZ4, 4, {0x04, 0x22, 0x4d, 0x18}},
    [UNPACK_XZ] = {"xz", "stream", UNPACK_IF_XZ, 6, {0xfd, '7', 'z', 'X', 'Z', 0}},
    [UNPACK_LZ4_LEGACY] = {"lz4 -l", "frame", NULL, 4, {0x02, 0x21, 0x4c, 0x18}},
};

enum { UNPACK_FORMS = sizeof unpack_forms / sizeof unpack_forms[0] };
enum { UNPACK_SKIPPABLE = 0x50 }; /* the first octet, but for its low four bits */

/* Frames that any reader goes past: tools that compress in several threads begin with one. RFC 8878
 * 3.1.2 */
static bool unpack_skippable(const uint8_t *octets, size_t len) {
  static const uint8_t rest[] = {0x2a, 0x4d, 0x18};
  return len > sizeof rest && (octets[0] & 0xf0) == UNPACK_SKIPPABLE &&
         memcmp(octets + 1, rest, sizeof rest) == 0;
}

unpack_form unpack_form_of(const uint8_t *octets, size_t len) {
  for (size_t i = UNPACK_GZIP; i < UNPACK_FORMS; i++) {
    const unpack_entry *e = &unpack_forms[i];
    if (len >= e->magic_len && memcmp(octets, e->magic, e->magic_len) == 0) {
      return (unpack_form)i;
    }
  }
  return unpack_skippable(octets, len) ? UNPACK_ZSTD : UNPACK_PLAIN;
}

bool unpack_may_begin(uint8_t octet) {
  for (size_t i = UNPACK_GZIP; i < UNPACK_FORMS; i++) {
    if (octet == unpack_forms[i].magic[0]) {
      return true;
    }
  }
  return (octet & 0xf0) == UNPACK_SKIPPABLE;
}

const char *unpack_form_name(unpack_form form) {
  return unpack_forms[form].name;
}

const char *unpack_part_name(unpack_form form) {
  return unpack_forms[form].part;
}

bool unpack_form_built(unpack_form form) {
  return unpack_forms[form].library != NULL;
}

unpack *unpack_new(unpack_form form) {
  unpack *u = unpack_form_built(form) ? memory_zeroed(1, sizeof *u) : NULL;
  if (u == NULL) {
    return NULL;
  }
  u->form = form;
  if (!unpack_forms[form].library->open(u)) {
    memory_failed();
    unpack_free(u);
    return NULL;
  }
  return u;
}

bool unpack_step(unpack *u, unpack_piece *p) {
  p->used = 0;
  p->made = 0;
  return unpack_forms[u->form].library->step(u, p);
}

bool unpack_may_end(const unpack *u) {
  return u->may_end;
}

const char *unpack_reason(const unpack *u) {
  return u->reason;
}

bool unpack_too_large(const unpack *u) {
  return u->too_large;
}

void unpack_free(unpack *u) {
  if (u != NULL) {
    unpack_forms[u->form].library->close(u);
  }
  free(u);
}
