/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages of cases: their contents, checked once. */
#include "page_priv.h"

#include <stdio.h>
#include <stdlib.h>

#include <iwarp/rules.h>
#include <memory/memory.h>

const peer_page_info *peer_page_info_get(const peer_page *page) {
  return &page->info;
}

const char *peer_page_text(const peer_page *page) {
  return page->text;
}

const char *peer_page_name(const peer_page *page, size_t i, char *out, size_t cap) {
  const bool many = page->scn.num_for > 0;
  const scenario_span word = many ? scenario_page_for(&page->scn, i) : (scenario_span){"", 0};
  const int len =
      snprintf(out, cap, "%s%s%.*s", page->name, many ? "." : "", (int)word.len, word.text);
  if (i >= page->info.num_instances || len < 0 || (size_t)len >= cap) {
    out[0] = '\0';
  }
  return out;
}

/* ---- reading ---- */

static bool page_wrong(const peer_page *page, scenario_error *error, const char *text) {
  *error = (scenario_error){.line = 1, .column = 1};
  snprintf(error->message, sizeof error->message, "%s: %s", page->name, text);
  return false;
}

static bool page_needs(peer_page *page, scenario_error *error) {
  scn_line line = {.number = 0};
  if (page->scn.needs.len > 0) {
    (void)scn_line_read(&line, page->scn.needs.text, page->scn.needs.len);
  }
  for (size_t i = 0; i < line.num; i++) {
    uint32_t bit = 1;
    while (peer_offer_word(bit) != NULL && !scn_word_is(&line.words[i], peer_offer_word(bit))) {
      bit <<= 1;
    }
    if (peer_offer_word(bit) == NULL) {
      return page_wrong(page, error, "needs a word that --ulp does not have");
    }
    page->info.needs |= bit;
  }
  return true;
}

/* Findings about the tester that the page asks for. */
static bool page_expects(peer_page *page, scenario_error *error) {
  for (size_t i = 0; i < page->scn.num; i++) {
    const scenario_step *step = &page->scn.steps[i];
    scn_line line = {.number = 0};
    (void)scn_line_read(&line, step->text, step->len);
    if (step->kind != SCENARIO_STEP_STATEMENT || line.num < 3 ||
        !scn_word_is(&line.words[0], "expect") || !scn_word_is(&line.words[1], "fail")) {
      continue;
    }
    for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
      if (scn_word_is(&line.words[2], iwarp_rule_get(id)->slug)) {
        if (page->num_asked == PEER_ASKED_MAX) {
          return page_wrong(page, error, "expects too many findings");
        }
        page->asked[page->num_asked++] = id;
      }
    }
  }
  return true;
}

/* Appends a line, without the side; text that is too long is cut. */
static void page_due_line(peer_page *page, const char *before, const scenario_step *step) {
  char *due = page->due;
  scn_line line = {.number = 0};
  (void)scn_line_read(&line, step->text, step->len);
  const scn_word *first = &line.words[1];
  const scn_word *last = &line.words[line.num - 1];
  const char *end = last->value != NULL ? last->value + last->value_len : last->key + last->key_len;
  const size_t at = strlen(due);
  snprintf(due + at, sizeof page->due - at, "%s%.*s", at > 0 ? before : "", (int)(end - first->key),
           first->key);
}

/* All lines of the target that a pass or a reading follows. */
static void page_due(peer_page *page) {
  const uint8_t tester = page->scn.plays[0] ? 0 : 1;
  const char *before = "; ";
  for (size_t i = 0; i < page->scn.num; i++) {
    const scenario_step *step = &page->scn.steps[i];
    const bool of_side = step->kind == SCENARIO_STEP_ITEM || step->kind == SCENARIO_STEP_CLOSE ||
                         step->kind == SCENARIO_STEP_SILENCE;
    if (of_side && step->side != tester) {
      page_due_line(page, before, step);
      before = "; ";
    }
    before = step->kind == SCENARIO_STEP_OR ? " or " : before;
  }
}

static void page_joined(peer_page *page) {
  for (size_t i = 0; i < page->scn.num_cites; i++) {
    const size_t at = strlen(page->cites);
    snprintf(page->cites + at, sizeof page->cites - at, "%s%.*s", i > 0 ? " " : "",
             (int)page->scn.cite[i].len, page->scn.cite[i].text);
  }
  snprintf(page->title, sizeof page->title, "%.*s", (int)page->scn.title.len, page->scn.title.text);
}

static void page_time(peer_page *page) {
  uint64_t ns = 0;
  for (size_t i = 0; i < page->scn.num; i++) {
    const scenario_step *step = &page->scn.steps[i];
    ns += step->kind == SCENARIO_STEP_PAUSE || step->kind == SCENARIO_STEP_SILENCE ? step->ns : 0;
  }
  page->info.min_time_ms = (uint32_t)(ns / 1000000u);
}

/* Makes the captures of all instances: that checks all words of all lines. */
static bool page_made(const peer_page *page, scenario_error *error) {
  bool ok = true;
  for (size_t i = 0; ok && i < page->info.num_instances; i++) {
    scenario *s = scenario_new();
    *error = (scenario_error){.line = 1, .column = 1, .message = "out of memory"};
    ok = s != NULL && scenario_make(s, &page->scn, i, error);
    scenario_free(s);
  }
  return ok;
}

static bool page_fill(peer_page *page, scenario_error *error) {
  const scenario_page *scn = &page->scn;
  page_joined(page);
  page_due(page);
  page_time(page);
  page->info.title = page->title;
  page->info.cites = page->cites;
  page->info.due = page->due;
  page->info.num_instances = scn->num_for > 0 ? scn->num_for : 1;
  page->info.tags = (scn->danger ? PEER_TAG_DANGER : 0u) | (scn->slow ? PEER_TAG_SLOW : 0u) |
                    (scn->extension ? PEER_TAG_EXTENSION : 0u);
  page->info.plays =
      (scn->plays[0] ? PEER_PLAYS_INITIATOR : 0u) | (scn->plays[1] ? PEER_PLAYS_RESPONDER : 0u);
  return page_needs(page, error) && page_expects(page, error) && page_made(page, error) &&
         (page->info.plays != 0 || page_wrong(page, error, "says no side that the tester plays"));
}

peer_page *peer_page_read(const char *name, const char *text, size_t len, scenario_error *error) {
  peer_page *page = memory_zeroed(1, sizeof *page);
  char *copy = memory_get(len + 1);
  *error = (scenario_error){.line = 1, .column = 1, .message = "out of memory"};
  if (page == NULL || copy == NULL) {
    free(page);
    free(copy);
    return NULL;
  }
  memcpy(copy, text, len);
  copy[len] = '\0';
  page->text = copy;
  snprintf(page->name, sizeof page->name, "%s", name);
  if (!scenario_page_read(&page->scn, copy, len, error) || !page_fill(page, error)) {
    peer_page_free(page);
    return NULL;
  }
  return page;
}

void peer_page_free(peer_page *page) {
  if (page != NULL) {
    scenario_page_free(&page->scn);
    free(page->text);
    free(page);
  }
}
