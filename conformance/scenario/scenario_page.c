/* SPDX-License-Identifier: BSD-2-Clause */
/* A text as a list of steps: what a page says of itself, and its alternatives. */
#include "scenario_priv.h"

#include <stdlib.h>

#include <memory/memory.h>

#define PAGE_MS_MAX 600000u /* bound of a duration, milliseconds */

/* A page while it is read. */
typedef struct page_reader {
  scenario_page *page;
  size_t cap; /* steps */
  const char *text;
  size_t line_len;
  scn_line line;
  scenario_error *error;
  size_t open[SCENARIO_DEPTH_MAX]; /* the last EITHER or OR of each block that is not ended */
  size_t depth;
} page_reader;

static bool page_fail(page_reader *r, size_t word, const char *text) {
  return scn_fail(r->error, &r->line, &r->line.words[word < r->line.num ? word : 0], text);
}

/* ---- values ---- */

/* N of the word with this number. */
static bool page_number(const page_reader *r, size_t word, uint64_t *out) {
  if (word >= r->line.num || r->line.words[word].value != NULL) {
    return false;
  }
  const scn_word number = {.value = r->line.words[word].key,
                           .value_len = r->line.words[word].key_len};
  return scn_word_number(&number, out);
}

/* 2s, 500ms, as nanoseconds. */
static bool page_time(const page_reader *r, size_t word, uint64_t *ns) {
  if (word >= r->line.num || r->line.words[word].value != NULL) {
    return false;
  }
  const scn_word *w = &r->line.words[word];
  const bool ms = w->key_len > 2 && memcmp(w->key + w->key_len - 2, "ms", 2) == 0;
  const size_t unit = ms ? 2 : 1;
  const scn_word number = {.value = w->key, .value_len = w->key_len - unit};
  uint64_t n = 0;
  if (w->key_len <= unit || w->key[w->key_len - 1] != 's' || !scn_word_number(&number, &n) ||
      n < 1 || n > PAGE_MS_MAX / (ms ? 1 : 1000)) {
    return false;
  }
  *ns = n * (ms ? 1000000u : 1000000000u);
  return true;
}

/* All that follows the first word of the line, without blanks around it. */
static scenario_span page_rest(const page_reader *r) {
  const scn_word *last = &r->line.words[r->line.num - 1];
  const scn_word *first = &r->line.words[r->line.num > 1 ? 1 : 0];
  const char *end = last->value != NULL ? last->value + last->value_len : last->key + last->key_len;
  return (scenario_span){first->key, r->line.num > 1 ? (size_t)(end - first->key) : 0};
}

/* "TEXT", as the rest of the line. */
static bool page_reason(page_reader *r, scenario_step *step) {
  const scenario_span rest = page_rest(r);
  if (rest.len < 3 || rest.text[0] != '"' || rest.text[rest.len - 1] != '"') {
    return page_fail(r, 0, "needs a reason in quotes");
  }
  step->reason = (scenario_span){rest.text + 1, rest.len - 2};
  return true;
}

/* ---- what a page says of itself ---- */

static bool page_title(page_reader *r) {
  const bool first = r->page->title.len == 0;
  r->page->title = page_rest(r);
  r->page->is_case = true;
  return (first && r->page->title.len > 0) || page_fail(r, 0, "comes once, with a text");
}

static bool page_cite(page_reader *r) {
  for (size_t i = 1; i < r->line.num; i++) {
    const scn_word *word = &r->line.words[i];
    if (word->value != NULL || r->page->num_cites == SCENARIO_CITES_MAX) {
      return page_fail(r, i, "is no id of a requirement, or one too many");
    }
    r->page->cite[r->page->num_cites++] = (scenario_span){word->key, word->key_len};
  }
  return r->line.num > 1 || page_fail(r, 0, "needs ids of requirements");
}

static bool page_needs(page_reader *r) {
  const bool first = r->page->needs.len == 0;
  r->page->needs = page_rest(r);
  return (first && r->page->needs.len > 0) || page_fail(r, 0, "comes once, with words");
}

static bool page_tag(page_reader *r) {
  const struct {
    const char *name;
    bool *out;
  } rows[] = {
      {"danger", &r->page->danger}, {"slow", &r->page->slow}, {"extension", &r->page->extension}};
  for (size_t i = 1; i < r->line.num; i++) {
    size_t j = 0;
    while (j < 3 && !scn_word_is(&r->line.words[i], rows[j].name)) {
      j++;
    }
    if (j == 3) {
      return page_fail(r, i, "is no tag: danger, slow or extension");
    }
    *rows[j].out = true;
  }
  return r->line.num > 1 || page_fail(r, 0, "needs danger, slow or extension");
}

static bool page_play(page_reader *r) {
  for (size_t i = 1; i < r->line.num; i++) {
    const bool responder = scn_word_is(&r->line.words[i], "r");
    if (!responder && !scn_word_is(&r->line.words[i], "i")) {
      return page_fail(r, i, "is no side: i or r");
    }
    r->page->plays[responder ? 1 : 0] = true;
  }
  return r->line.num > 1 || page_fail(r, 0, "needs i or r");
}

static bool page_for(page_reader *r) {
  if (r->page->num_for > 0 || r->line.num < 4 || !scn_word_is(&r->line.words[2], "in") ||
      r->line.words[1].value != NULL) {
    return page_fail(r, 0, "comes once, as in for NAME in A B");
  }
  r->page->for_name = (scenario_span){r->line.words[1].key, r->line.words[1].key_len};
  r->page->for_words = page_rest(r);
  r->page->num_for = r->line.num - 3;
  return true;
}

scenario_span scenario_page_for(const scenario_page *page, size_t i) {
  scn_line line = {.number = 0};
  (void)scn_line_read(&line, page->for_words.text, page->for_words.len);
  const scn_word *word = &line.words[i + 2];
  return (scenario_span){word->key,
                         word->key_len + (word->value != NULL ? word->value_len + 1 : 0)};
}

/* ---- steps ---- */

static scenario_step *page_add(page_reader *r, scenario_step_kind kind) {
  scenario_page *page = r->page;
  if (page->num == r->cap) {
    const size_t cap = r->cap > 0 ? r->cap * 2 : 64;
    scenario_step *grown = memory_resize(page->steps, cap * sizeof *grown);
    if (grown == NULL) {
      return NULL;
    }
    page->steps = grown;
    r->cap = cap;
  }
  scenario_step *step = &page->steps[page->num++];
  *step =
      (scenario_step){.kind = kind, .number = r->line.number, .text = r->text, .len = r->line_len};
  return step;
}

static bool page_silence(page_reader *r, scenario_step *step) {
  return page_time(r, 2, &step->ns) || page_fail(r, 1, "needs a time, as in silence 2s");
}

/* A line of a side. */
static bool page_side(page_reader *r, uint8_t side) {
  const scn_word *kind = &r->line.words[1];
  const bool close = r->line.num == 2 && scn_word_is(kind, "close");
  const bool silence = r->line.num > 1 && scn_word_is(kind, "silence");
  scenario_step *step = page_add(r, close     ? SCENARIO_STEP_CLOSE
                                    : silence ? SCENARIO_STEP_SILENCE
                                              : SCENARIO_STEP_ITEM);
  if (step == NULL) {
    return page_fail(r, 0, "out of memory");
  }
  step->side = side;
  return !silence || page_silence(r, step);
}

static bool page_pause(page_reader *r, scenario_step *step) {
  return (r->line.num == 2 && page_time(r, 1, &step->ns)) ||
         page_fail(r, 0, "needs a time, as in pause 500ms");
}

static bool page_drip(page_reader *r, scenario_step *step) {
  return (r->line.num == 3 && page_number(r, 1, &step->num) && step->num > 0 &&
          step->num <= SCN_LEN_MAX && page_time(r, 2, &step->ns)) ||
         page_fail(r, 0, "needs octets and a time, as in drip 1 1s");
}

static bool page_stop(page_reader *r, scenario_step *step) {
  (void)step;
  return (r->line.num == 2 && scn_word_is(&r->line.words[1], "reading")) ||
         page_fail(r, 0, "is no statement but in stop reading");
}

static bool page_alone(page_reader *r, scenario_step *step) {
  (void)step;
  return r->line.num == 1 || page_fail(r, 1, "follows a word that stands alone");
}

static bool page_readback(page_reader *r, scenario_step *step) {
  const scn_word *how = &r->line.words[r->line.num - 1];
  step->written = scn_word_is(how, "written");
  return (r->line.num == 4 && page_number(r, 1, &step->offset) && page_number(r, 2, &step->num) &&
          step->num > 0 && step->num <= SCN_LEN_MAX && step->offset <= UINT32_MAX &&
          (step->written || scn_word_is(how, "untouched"))) ||
         page_fail(r, 0, "needs an offset, a length, and untouched or written");
}

static bool page_connection(page_reader *r, scenario_step *step) {
  (void)page_number(r, 1, &step->num); /* the capture judges the line */
  return true;
}

static bool page_either(page_reader *r, scenario_step *step) {
  (void)step;
  if (r->depth == SCENARIO_DEPTH_MAX) {
    return page_fail(r, 0, "goes too deep");
  }
  r->open[r->depth++] = r->page->num - 1;
  return page_alone(r, step);
}

/* True if the alternative before this step ends as it must. */
static bool page_ended(const page_reader *r) {
  const scenario_step_kind last = r->page->steps[r->page->num - 2].kind;
  return last >= SCENARIO_STEP_PASS || last == SCENARIO_STEP_END;
}

static bool page_or(page_reader *r, scenario_step *step) {
  const size_t here = r->page->num - 1;
  const bool ends = step->kind == SCENARIO_STEP_END;
  if (r->depth == 0 || !page_ended(r)) {
    return page_fail(r, 0, "comes after either, and after pass, allowed or fail");
  }
  r->page->steps[r->open[r->depth - 1]].next = here;
  r->open[r->depth - 1] = here;
  r->depth -= ends ? 1 : 0;
  return page_alone(r, step);
}

typedef bool (*page_fn)(page_reader *r);
typedef bool (*page_step_fn)(page_reader *r, scenario_step *step);

static bool page_step(page_reader *r, scenario_step_kind kind, page_step_fn fn) {
  scenario_step *step = page_add(r, kind);
  return step != NULL ? fn(r, step) : page_fail(r, 0, "out of memory");
}

static bool page_statement(page_reader *r) {
  static const struct {
    const char *name;
    scenario_step_kind kind;
    page_step_fn fn;
  } steps[] = {{"pause", SCENARIO_STEP_PAUSE, page_pause},
               {"drip", SCENARIO_STEP_DRIP, page_drip},
               {"stop", SCENARIO_STEP_STOP_READING, page_stop},
               {"probe", SCENARIO_STEP_PROBE, page_alone},
               {"readback", SCENARIO_STEP_READBACK, page_readback},
               {"connection", SCENARIO_STEP_CONNECTION, page_connection},
               {"either", SCENARIO_STEP_EITHER, page_either},
               {"or", SCENARIO_STEP_OR, page_or},
               {"end", SCENARIO_STEP_END, page_or},
               {"pass", SCENARIO_STEP_PASS, page_alone},
               {"allowed", SCENARIO_STEP_ALLOWED, page_reason},
               {"fail", SCENARIO_STEP_FAIL, page_reason}};
  static const struct {
    const char *name;
    page_fn fn;
  } heads[] = {{"title", page_title}, {"cite", page_cite}, {"needs", page_needs},
               {"tag", page_tag},     {"play", page_play}, {"for", page_for}};
  const scn_word *first = &r->line.words[0];
  if (scn_word_is(first, "i>") || scn_word_is(first, "r>")) {
    return page_side(r, scn_word_is(first, "r>") ? 1 : 0);
  }
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    if (scn_word_is(first, steps[i].name)) {
      return page_step(r, steps[i].kind, steps[i].fn);
    }
  }
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
    if (scn_word_is(first, heads[i].name)) {
      return heads[i].fn(r);
    }
  }
  return page_add(r, SCENARIO_STEP_STATEMENT) != NULL || page_fail(r, 0, "out of memory");
}

static bool page_lines(page_reader *r, const char *text, size_t len) {
  bool ok = true;
  for (size_t at = 0; ok && at < len;) {
    r->text = text + at;
    r->line_len = scn_line_read(&r->line, text + at, len - at);
    at += r->line_len;
    if (r->line.num == SCN_WORDS_MAX) {
      return page_fail(r, 0, "begins a line with too many words");
    }
    ok = r->line.num == 0 || page_statement(r);
  }
  return ok && (r->depth == 0 || page_fail(r, 0, "is the last line, and either has no end"));
}

bool scenario_page_read(scenario_page *page, const char *text, size_t len, scenario_error *error) {
  page_reader r = {.page = page, .error = error};
  *page = (scenario_page){.num = 0};
  *error = (scenario_error){.line = 1, .column = 1, .message = "out of memory"};
  const bool ok = page_lines(&r, text, len);
  if (!ok) {
    scenario_page_free(page);
  }
  return ok;
}

void scenario_page_free(scenario_page *page) {
  free(page->steps);
  page->steps = NULL;
  page->num = 0;
}
