/* SPDX-License-Identifier: BSD-2-Clause */
/* Names, sentences and classes of the errors. */
#include <iwarp/base.h>

typedef struct err_row {
  iwarp_err err;
  enum iwarp_err_class cls;
  const char *name;
  const char *sentence;
} err_row;

static const err_row err_rows[] = {
    {.err = IWARP_OK, .cls = IWARP_ERR_CLASS_OK, .name = "IWARP_OK", .sentence = "success"},
#define ERR_ROW(name_, value, class_, sentence_)                                                   \
  {.err = IWARP_ERR_##name_,                                                                       \
   .cls = IWARP_ERR_CLASS_##class_,                                                                \
   .name = "IWARP_ERR_" #name_,                                                                    \
   .sentence = (sentence_)},
    IWARP_ERR_MAP(ERR_ROW)
#undef ERR_ROW
};

/* The row for a number that is no iwarp_err: only a caller can have made it. */
static const err_row err_unknown = {
    .cls = IWARP_ERR_CLASS_CALLER, .name = "IWARP_ERR_UNKNOWN", .sentence = "unknown error"};

static const err_row *err_find(iwarp_err err) {
  for (size_t i = 0; i < sizeof err_rows / sizeof err_rows[0]; i++) {
    if (err_rows[i].err == err) {
      return &err_rows[i];
    }
  }
  return &err_unknown;
}

const char *iwarp_strerror(iwarp_err err) {
  return err_find(err)->sentence;
}

const char *iwarp_errname(iwarp_err err) {
  return err_find(err)->name;
}

bool iwarp_name_known(const char *name) {
  static const char unknown[] = IWARP_NAME_UNKNOWN;
  size_t same = 0;
  while (same < sizeof unknown && name[same] == unknown[same]) {
    same++;
  }
  return same < sizeof unknown;
}

enum iwarp_err_class iwarp_err_class(iwarp_err err) {
  return err_find(err)->cls;
}
