/* SPDX-License-Identifier: BSD-2-Clause */
/* $NAME: values that a page takes from its target, from `for`, or from the negotiation. */
#include "scenario_priv.h"

#include <stdio.h>

/* Values of `iwarp gen` for the names that every page has. */
static const struct {
  const char *name;
  uint64_t value;
} names_defaults[] = {{"stag", 0x1000},     {"to", 0x10000},       {"len", 4096},
                      {"other_pd", 0x1001}, {"read_only", 0x1002}, {"write_only", 0x1003},
                      {"recv", 256},        {"recvs", 4},          {"ird", 2},
                      {"ord", 2},           {"region", 0}};

void scenario_names_default(scenario_names *names) {
  names->num = 0;
  for (size_t i = 0; i < sizeof names_defaults / sizeof names_defaults[0]; i++) {
    (void)scenario_names_number(names, names_defaults[i].name, names_defaults[i].value);
  }
  (void)scenario_names_set(names, "pattern", sizeof "pattern" - 1, "5ac3", 4);
}

static bool names_equal(const char *name, const char *other, size_t len) {
  return strlen(name) == len && memcmp(name, other, len) == 0;
}

bool scenario_names_set(scenario_names *names, const char *name, size_t name_len, const char *value,
                        size_t value_len) {
  size_t i = 0;
  while (i < names->num && !names_equal(names->list[i].name, name, name_len)) {
    i++;
  }
  if (i == SCENARIO_NAMES_MAX || name_len == 0 || name_len >= SCENARIO_NAME_CAP ||
      value_len >= SCENARIO_VALUE_CAP) {
    return false;
  }
  memcpy(names->list[i].name, name, name_len);
  names->list[i].name[name_len] = '\0';
  memcpy(names->list[i].value, value, value_len);
  names->list[i].value[value_len] = '\0';
  names->num += i == names->num ? 1 : 0;
  return true;
}

bool scenario_names_number(scenario_names *names, const char *name, uint64_t value) {
  char text[24];
  const int len = snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
  return scenario_names_set(names, name, strlen(name), text, (size_t)len);
}

const char *scenario_names_get(const scenario_names *names, const char *name, size_t name_len) {
  for (size_t i = 0; i < names->num; i++) {
    if (names_equal(names->list[i].name, name, name_len)) {
      return names->list[i].value;
    }
  }
  return NULL;
}

/* ---- sums ---- */

/* The length of the term at the front of a sum. */
static size_t names_term(const char *text, size_t len) {
  size_t n = 0;
  while (n < len && text[n] != '+' && text[n] != '-') {
    n++;
  }
  return n;
}

static bool names_value(const scenario_names *names, const char *text, size_t len, uint64_t *out) {
  scn_word number = {.value = text, .value_len = len};
  if (len > 0 && text[0] == '$') {
    number.value = scenario_names_get(names, text + 1, len - 1);
    number.value_len = number.value != NULL ? strlen(number.value) : 0;
  }
  return number.value != NULL && scn_word_number(&number, out);
}

/* $NAME, and then any number of +N, -N, +$NAME and -$NAME. */
static bool names_sum(const scenario_names *names, const char *text, size_t len, uint64_t *out) {
  uint64_t sum = 0;
  char sign = '+';
  for (size_t at = 0; at <= len;) {
    const size_t n = names_term(text + at, len - at);
    uint64_t term = 0;
    if (!names_value(names, text + at, n, &term)) {
      return false;
    }
    sum = sign == '+' ? sum + term : sum - term;
    sign = at + n < len ? text[at + n] : '+';
    at += n + 1;
  }
  *out = sum;
  return true;
}

/* ---- words ---- */

/* A word that is a name alone becomes the text of the name. */
static bool names_key(const scenario_names *names, const scn_line *line, scn_word *word,
                      scenario_error *error) {
  const char *text = scenario_names_get(names, word->key + 1, word->key_len - 1);
  if (text == NULL || word->value != NULL) {
    return scn_fail(error, line, word, "is no name that has a value here");
  }
  const unsigned int column = word->column;
  scn_word_split(word, text, strlen(text));
  word->column = column;
  return true;
}

static bool names_word(const scenario_names *names, const scn_line *line, scn_word *word,
                       char *room, scenario_error *error) {
  const char *whole = scenario_names_get(names, word->value + 1, word->value_len - 1);
  uint64_t sum = 0;
  if (whole != NULL) {
    word->value = whole;
    word->value_len = strlen(whole);
    return true;
  }
  if (!names_sum(names, word->value, word->value_len, &sum)) {
    return scn_fail(error, line, word, "needs names that have a number here, as in $to+$len-1");
  }
  word->value_len = (size_t)snprintf(room, 24, "0x%llx", (unsigned long long)sum);
  word->value = room;
  word->modular = true;
  return true;
}

bool scenario_names_replace(const scenario_names *names, scn_line *line, scenario_room *room,
                            scenario_error *error) {
  bool ok = true;
  for (size_t i = 0; ok && i < line->num; i++) {
    scn_word *word = &line->words[i];
    if (word->key_len > 1 && word->key[0] == '$') {
      ok = names_key(names, line, word, error);
    } else if (word->value_len > 1 && word->value[0] == '$') {
      ok = names_word(names, line, word, room->text[i], error);
    }
  }
  return ok;
}

bool scn_word_capture(const scn_word *word, scn_capture *out) {
  if (word->value_len < 3 || word->value[0] != '>' || word->value[1] != '$') {
    return false;
  }
  const char *colon = memchr(word->value, ':', word->value_len);
  out->name = word->value + 2;
  out->name_len = colon != NULL ? (size_t)(colon - out->name) : word->value_len - 2;
  out->value = colon != NULL ? colon + 1 : NULL;
  out->value_len = colon != NULL ? word->value_len - out->name_len - 3 : 0;
  return true;
}
