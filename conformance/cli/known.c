/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads baselines and profiles, and compares findings with them. */
#define _POSIX_C_SOURCE 200809L

#include "known.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>
#include <report/names.h>
#include <report/utf8.h>

#include "diag.h"
#include "embedded.h"
#include "rule_set.h"
#include "sandbox.h"

#define KNOWN_FILE_MAX ((size_t)16 * 1024 * 1024)

/* What a file may be. A baseline of form 1 has numbers of connections and names of captures. */
typedef enum known_form { KNOWN_PROFILE = 0, KNOWN_BASELINE, KNOWN_BASELINE_OF_NAMES } known_form;

static const char *const known_titles[] = {[KNOWN_PROFILE] = "iwarp-profile 1",
                                           [KNOWN_BASELINE] = "iwarp-baseline 2",
                                           [KNOWN_BASELINE_OF_NAMES] = "iwarp-baseline 1"};

/* A line: its place and its unread rest. */
typedef struct known_line {
  const char *path;
  size_t number;
  char *rest;
} known_line;

/* ---- one line ---- */

static bool known_wrong(const known_line *line, const char *expected, const char *found) {
  diag("%s:%zu: expected %s, found '%.60s'", line->path, line->number, expected,
       found != NULL ? found : "");
  return false;
}

/* The next word of the line; NULL at its end. */
static char *known_word(known_line *line) {
  char *word = line->rest + strspn(line->rest, " \t");
  const size_t len = strcspn(word, " \t");
  if (len == 0) {
    return NULL;
  }
  line->rest = word + len;
  if (*line->rest != 0) {
    *line->rest = 0;
    line->rest++;
  }
  line->rest += strspn(line->rest, " \t");
  return word;
}

static bool known_rule(known_line *line, known_entry *e) {
  const char *word = known_word(line);
  const iwarp_rule *rule = word != NULL ? iwarp_rule_find(word) : NULL;
  const char *near = rule == NULL && word != NULL ? rule_nearest(word) : NULL;
  if (near != NULL) {
    diag("%s:%zu: no rule is called '%.60s' (did you mean '%s'?)", line->path, line->number, word,
         near);
    return false;
  }
  if (rule == NULL) {
    return known_wrong(line, "the name of a rule ('iwarp rules' lists them)", word);
  }
  e->rule = rule->id;
  return true;
}

static bool known_role(known_line *line, known_entry *e, bool profile) {
  static const iwarp_role roles[] = {IWARP_ROLE_INITIATOR, IWARP_ROLE_RESPONDER,
                                     IWARP_ROLE_UNKNOWN};
  const char *word = known_word(line);
  e->any = profile && word != NULL && strcmp(word, "any") == 0;
  for (size_t i = 0; i < sizeof roles / sizeof roles[0] && word != NULL; i++) {
    if (strcmp(word, report_role_name(roles[i])) == 0) {
      e->role = roles[i];
      return true;
    }
  }
  return e->any || known_wrong(line,
                               profile ? "initiator, responder, unknown or any"
                                       : "initiator, responder or unknown",
                               word);
}

static bool known_digits(const char *word, uint64_t *out) {
  char *end = NULL;
  errno = 0;
  *out = strtoull(word, &end, 10);
  return *word >= '0' && *word <= '9' && *end == 0 && errno == 0;
}

static bool known_number(known_line *line, uint64_t *out, const char *expected) {
  const char *word = known_word(line);
  return (word != NULL && known_digits(word, out)) || known_wrong(line, expected, word);
}

static bool known_end(const known_line *line) {
  return *line->rest == 0 || known_wrong(line, "the end of the line", line->rest);
}

static bool known_baseline(known_line *line, known_entry *e) {
  if (!known_rule(line, e) || !known_role(line, e, false) ||
      !known_number(line, &e->conn, "the number of a connection") ||
      !known_number(line, &e->count, "how many findings there are")) {
    return false;
  }
  e->name = line->rest;
  return *line->rest != 0 || known_wrong(line, "the name of a capture", NULL);
}

/* "340", "20-88880", or "-" for an offset that is not known. */
static bool known_offsets(known_line *line, report_spot *spot) {
  static const char expected[] = "an offset, two with '-' between them, or '-'";
  char *word = known_word(line);
  char *between = word != NULL ? strchr(word, '-') : NULL;
  if (word == NULL || strcmp(word, "-") == 0) {
    spot->from = spot->to = IWARP_POS_UNKNOWN;
    return word != NULL || known_wrong(line, expected, NULL);
  }
  const bool last = between == NULL || known_digits(between + 1, &spot->to);
  if (between != NULL) {
    *between = 0;
  }
  const bool right = last && known_digits(word, &spot->from);
  spot->to = between != NULL ? spot->to : spot->from;
  if (between != NULL) {
    *between = '-';
  }
  return (right && spot->from <= spot->to) || known_wrong(line, expected, word);
}

/* "captures 3", or rule, role, offset and number of findings. */
static bool known_spot(known *k, known_line *line) {
  static const char captures[] = "captures ";
  known_entry e = {.role = IWARP_ROLE_UNKNOWN};
  report_spot spot = {.line = line->number};
  if (strncmp(line->rest, captures, strlen(captures)) == 0) {
    line->rest += strlen(captures);
    return known_number(line, &k->captures, "how many captures there are") && known_end(line);
  }
  return known_rule(line, &e) && known_role(line, &e, false) && known_offsets(line, &spot) &&
         known_number(line, &spot.count, "how many findings there are") && known_end(line) &&
         report_spots_put(&k->spots, e.rule, e.role, &spot);
}

/* What follows the name is for readers. */
static bool known_profile(known_line *line, known_entry *e) {
  static const char cause[] = "cause=";
  if (!known_rule(line, e) || !known_role(line, e, true)) {
    return false;
  }
  e->name = known_word(line);
  if (e->name != NULL && strncmp(e->name, cause, strlen(cause)) == 0) {
    e->cause = e->name + strlen(cause);
    e->name = known_word(line);
  }
  return e->name != NULL || known_wrong(line, "a name for what is known", NULL);
}

/* ---- a file ---- */

static known_entry *known_add(known *k) {
  if (k->num == k->cap) {
    const size_t cap = k->cap > 0 ? 2 * k->cap : 64;
    known_entry *grown = memory_resize(k->of, cap * sizeof *grown);
    if (grown == NULL) {
      return NULL;
    }
    k->of = grown;
    k->cap = cap;
  }
  k->of[k->num] = (known_entry){.role = IWARP_ROLE_UNKNOWN};
  return &k->of[k->num];
}

static bool known_entry_read(known *k, known_line *line, known_form form) {
  if (form == KNOWN_BASELINE) {
    return known_spot(k, line);
  }
  known_entry *e = known_add(k);
  if (e == NULL || !(form == KNOWN_PROFILE ? known_profile : known_baseline)(line, e)) {
    return false;
  }
  e->line = form == KNOWN_PROFILE ? 0 : line->number;
  k->num++;
  return true;
}

/* The first line says what the file is. */
static bool known_title(const known_line *line, const char *text, known_form *form) {
  if (*form == KNOWN_BASELINE && strcmp(text, known_titles[KNOWN_BASELINE_OF_NAMES]) == 0) {
    *form = KNOWN_BASELINE_OF_NAMES;
  }
  return strcmp(text, known_titles[*form]) == 0 || known_wrong(line, known_titles[*form], text);
}

static bool known_text(known *k, const char *path, char *text, known_form form) {
  known_line line = {.path = path};
  for (char *at = text; at != NULL;) {
    char *next = strchr(at, '\n');
    if (next != NULL) {
      *next = 0;
      next++;
    }
    const size_t len = strlen(at);
    at[len > 0 && at[len - 1] == '\r' ? len - 1 : len] = 0;
    line.number++;
    line.rest = at + strspn(at, " \t");
    const bool title = line.number == 1;
    const bool empty = *line.rest == 0 || *line.rest == '#';
    if (title ? !known_title(&line, at, &form) : !empty && !known_entry_read(k, &line, form)) {
      return false;
    }
    at = next;
  }
  return true;
}

/* The whole text of a file, which ends at its first octet 0; false: a message says why not. */
static bool known_whole(FILE *file, const char *path, char *text, const char *before) {
  const size_t len = fread(text, 1, KNOWN_FILE_MAX + 1, file);
  if (ferror(file) != 0) {
    diag("%s: %s%s", path, before, strerror(errno));
    return false;
  }
  text[len] = 0;
  if (len > KNOWN_FILE_MAX) {
    diag("%s: is longer than %zu octets, the limit of baselines and profiles", path,
         KNOWN_FILE_MAX);
    return false;
  }
  if (strlen(text) < len) {
    diag("%s: octet %zu is 0, so this is no text", path, strlen(text));
    return false;
  }
  return true;
}

char *known_load(const char *path, const char *before) {
  FILE *file = sandbox_fopen(path);
  char *text = file != NULL ? memory_get(KNOWN_FILE_MAX + 2) : NULL;
  if (text == NULL) {
    diag("%s: %s%s", path, before, strerror(errno));
  } else if (!known_whole(file, path, text, before)) {
    free(text);
    text = NULL;
  }
  if (file != NULL) {
    fclose(file);
  }
  return text;
}

char *known_built_in(const char *name) {
  for (size_t i = 0; i < iwarp_profile_count; i++) {
    if (strcmp(name, iwarp_profiles[i].name) == 0) {
      return memory_text(iwarp_profiles[i].text);
    }
  }
  return NULL;
}

bool known_open(known *k, const opts *o) {
  *k = (known){.baseline = o->baseline};
  if (o->profile != NULL) {
    k->text[0] = known_built_in(o->profile);
    k->text[0] = k->text[0] != NULL ? k->text[0]
                                    : known_load(o->profile, "no profile (siw), and as a file: ");
    if (k->text[0] == NULL || !known_text(k, o->profile, k->text[0], KNOWN_PROFILE)) {
      return false;
    }
  }
  if (o->baseline != NULL) {
    k->text[1] = known_load(o->baseline, "");
    return k->text[1] != NULL && known_text(k, o->baseline, k->text[1], KNOWN_BASELINE);
  }
  return true;
}

void known_close(known *k) {
  report_spots_free(&k->spots);
  free(k->of);
  free(k->text[0]);
  free(k->text[1]);
  *k = (known){0};
}

/* ---- findings ---- */

/* Returns true if a line of a baseline has the name of a capture, as output shows it. */
static bool known_is_name(const char *shown, const char *name) {
  while (*name != 0) {
    const size_t len = report_plain_len(name, strlen(name));
    const size_t step = len > 0 ? len : 1;
    if (strncmp(shown, len > 0 ? name : "?", step) != 0) {
      return false;
    }
    shown += step;
    name += step;
  }
  return *shown == 0;
}

static bool known_fits(const known_entry *e, const observe_conn *conn, const iwarp_finding *f) {
  const bool cause = e->cause == NULL || (f->cause != NULL && strcmp(e->cause, f->cause) == 0);
  if (e->rule != f->rule || (!e->any && e->role != f->role) || !cause) {
    return false;
  }
  return e->line == 0 ||
         (e->found < e->count && e->conn == conn->number && known_is_name(e->name, conn->file));
}

/* The first line of a profile, or of a baseline, that expects the finding. */
static const known_entry *known_first(known *k, bool baseline, const observe_conn *conn,
                                      const iwarp_finding *f) {
  for (size_t i = 0; i < k->num; i++) {
    known_entry *e = &k->of[i];
    if ((e->line != 0) == baseline && known_fits(e, conn, f)) {
      e->found++;
      return e;
    }
  }
  return NULL;
}

const char *known_find(known *k, const observe_conn *conn, const iwarp_finding *f) {
  const known_entry *profile = known_first(k, false, conn, f);
  const bool baseline = /* the baseline counts the finding even if the profile knows it */
      known_first(k, true, conn, f) != NULL || report_spots_take(&k->spots, f) != NULL;
  return profile != NULL ? profile->name : baseline ? "baseline" : NULL;
}

static bool known_read(const opts *o, char *const *names, const char *name) {
  for (size_t i = 0; i < o->num_operands; i++) {
    if (known_is_name(name, names[i])) {
      return true;
    }
  }
  return false;
}

/* "ddp.msn-sequence by the initiator" */
static void known_sender_put(out_buf *s, uint16_t rule, iwarp_role role) {
  out_str(s, iwarp_rule_get(rule)->slug);
  out_str(s, " by the ");
  out_str(s, report_role_name(role));
}

static void known_counts_put(out_buf *s, uint64_t count, uint64_t found) {
  out_str(s, ": expected ");
  out_u64(s, count);
  out_str(s, ", found ");
  out_u64(s, found);
}

/* "ddp.msn-sequence by the initiator of conn 0 in a.pcap: expected 2, found 1". */
static void known_entry_put(out_buf *s, const known_entry *e) {
  known_sender_put(s, e->rule, e->role);
  out_str(s, " of conn ");
  out_u64(s, e->conn);
  out_str(s, " in ");
  report_name_put(s, e->name);
  known_counts_put(s, e->count, e->found);
}

/* "ddp.msn-sequence by the initiator at offset 340: expected 2, found 1". */
static void known_spot_put(out_buf *s, uint16_t rule, iwarp_role role, const report_spot *spot) {
  known_sender_put(s, rule, role);
  if (spot->from != IWARP_POS_UNKNOWN) {
    out_str(s, spot->from == spot->to ? " at offset " : " at offsets ");
    out_u64(s, spot->from);
  }
  if (spot->from != spot->to) {
    out_str(s, " to ");
    out_u64(s, spot->to);
  }
  known_counts_put(s, spot->count, spot->found);
}

/* Reports a line of the baseline, which `text` has from `before` on. */
static void known_say(const known *k, size_t number, out_buf *text, size_t before) {
  const char *words = text->len > before ? text->buf + before : "no memory for the words";
  const size_t len = text->len > before ? text->len - before : strlen(words);
  diag("%s:%zu: xpass: %.*s", k->baseline, number, (int)len, words);
  out_char(text, '\n');
}

static uint64_t known_missing_entries(const known *k, const opts *o, char *const *names,
                                      const bool *disabled, out_buf *text) {
  uint64_t missing = 0;
  for (size_t i = 0; i < k->num; i++) {
    const known_entry *e = &k->of[i];
    if (e->line != 0 && e->found < e->count && !disabled[e->rule] && opts_wants_conn(o, e->conn) &&
        known_read(o, names, e->name)) {
      const size_t before = text->len;
      known_entry_put(text, e);
      known_say(k, e->line, text, before);
      missing++;
    }
  }
  return missing;
}

/* `text` NULL: counts alone. */
static uint64_t known_missing_spot(const known *k, uint16_t rule, iwarp_role role,
                                   const report_spot *spot, out_buf *text) {
  const size_t before = text != NULL ? text->len : 0;
  if (spot->found == spot->count) {
    return 0;
  }
  if (text != NULL) {
    known_spot_put(text, rule, role, spot);
    known_say(k, spot->line, text, before);
  }
  return 1;
}

static uint64_t known_missing_list(const known *k, uint16_t rule, iwarp_role role, out_buf *text) {
  const report_spot_list *list = report_spots_of(&k->spots, rule, role);
  uint64_t missing = 0;
  for (size_t i = 0; list != NULL && i < list->num; i++) {
    missing += known_missing_spot(k, rule, role, &list->each[i], text);
  }
  return list != NULL ? missing + known_missing_spot(k, rule, role, &list->rest, text) : 0;
}

static uint64_t known_missing_all(const known *k, const bool *disabled, out_buf *text) {
  uint64_t missing = 0;
  for (uint16_t rule = 0; rule < iwarp_rule_count(); rule++) {
    for (unsigned int role = 0; !disabled[rule] && role <= IWARP_ROLE_RESPONDER; role++) {
      missing += known_missing_list(k, rule, (iwarp_role)role, text);
    }
  }
  return missing;
}

/* Lines that have no connection: of fewer captures, or of some connections alone, others may be
 * missing rightly. */
static uint64_t known_missing_spots(const known *k, const opts *o, const bool *disabled,
                                    out_buf *text) {
  const bool part = o->num_conns > 0 || o->num_operands < k->captures;
  const uint64_t missing = known_missing_all(k, disabled, part ? NULL : text);
  if (part && missing > 0) {
    diag("%s: lines that did not come: %llu; they do not count, for %s", k->baseline,
         (unsigned long long)missing,
         o->num_conns > 0 ? "--conn leaves connections out" : "the baseline is of more captures");
  }
  return part ? 0 : missing;
}

uint64_t known_missing(const known *k, const opts *o, char *const *names, const bool *disabled,
                       out_buf *text) {
  return known_missing_entries(k, o, names, disabled, text) +
         known_missing_spots(k, o, disabled, text);
}
