/* SPDX-License-Identifier: BSD-2-Clause */
/* The capture of a page: the first of all alternatives. The others are made as well, so that their
 * mistakes are found, and then taken back. */
#include "scenario_priv.h"

#include <stdlib.h>

/* The effect of an alternative on a connection. */
typedef struct make_conn {
  bool exists;
  bool begun;
  bool closed;
  bool fin[2];
  scn_side side[2];
  size_t num_items[2];
  scn_asked asked;
  scn_blame blame[2];
} make_conn;

typedef struct make_state {
  size_t num; /* packets */
  size_t num_names;
  scn_conn *conn;
  make_conn conns[SCN_CONNS_MAX];
} make_state;

/* A block of alternatives. */
typedef struct make_block {
  make_state before; /* state before the block */
  make_state after;  /* state after the first alternative */
  bool first_done;
} make_block;

typedef struct maker {
  scenario *s;
  const scenario_page *page;
  scenario_error *error;
  make_block block[SCENARIO_DEPTH_MAX];
  size_t depth;
} maker;

static void make_save(const scenario *s, make_state *out) {
  out->num = s->num;
  out->num_names = s->names.num;
  out->conn = s->conn;
  for (size_t i = 0; i < SCN_CONNS_MAX; i++) {
    const scn_conn *c = s->conns[i];
    out->conns[i].exists = c != NULL;
    if (c != NULL) {
      out->conns[i].begun = c->begun;
      out->conns[i].closed = c->closed;
      out->conns[i].asked = c->asked;
      memcpy(out->conns[i].blame, c->blame, sizeof c->blame);
      memcpy(out->conns[i].fin, c->fin, sizeof c->fin);
      memcpy(out->conns[i].side, c->side, sizeof c->side);
      memcpy(out->conns[i].num_items, c->num_items, sizeof c->num_items);
    }
  }
}

static void make_restore_conn(scenario *s, size_t i, const make_conn *saved) {
  scn_conn *c = s->conns[i];
  if (c != NULL && !saved->exists) {
    free(c);
    s->conns[i] = NULL;
  } else if (c != NULL) {
    c->begun = saved->begun;
    c->closed = saved->closed;
    c->asked = saved->asked;
    memcpy(c->blame, saved->blame, sizeof c->blame);
    memcpy(c->fin, saved->fin, sizeof c->fin);
    memcpy(c->side, saved->side, sizeof c->side);
    memcpy(c->num_items, saved->num_items, sizeof c->num_items);
  }
}

/* Packets that were made since then are gone. */
static void make_restore(scenario *s, const make_state *saved, size_t num) {
  scn_truncate(s, num);
  s->names.num = saved->num_names;
  s->conn = saved->conn;
  for (size_t i = 0; i < SCN_CONNS_MAX; i++) {
    make_restore_conn(s, i, &saved->conns[i]);
  }
}

static void make_either(maker *m) {
  make_block *b = &m->block[m->depth++];
  b->first_done = false;
  make_save(m->s, &b->before);
}

/* The packets of the first alternative stay; they come first. */
static void make_or(maker *m) {
  make_block *b = &m->block[m->depth - 1];
  if (!b->first_done) {
    make_save(m->s, &b->after);
    b->first_done = true;
  }
  make_restore(m->s, &b->before, b->after.num);
}

static void make_end(maker *m) {
  make_block *b = &m->block[--m->depth];
  if (b->first_done) {
    make_restore(m->s, &b->after, b->after.num);
  }
}

/* ---- lines ---- */

/* Words that take a value of the target into a name: in a capture the field has the value that
 * stands there. */
static bool make_captures(scenario *s, scn_line *line, scenario_error *error) {
  for (size_t i = 2; i < line->num; i++) {
    scn_capture capture;
    if (scn_word_capture(&line->words[i], &capture)) {
      if (capture.value == NULL || !scenario_names_set(&s->names, capture.name, capture.name_len,
                                                       capture.value, capture.value_len)) {
        return scn_fail(error, line, &line->words[i], "needs >$NAME:VALUE, neither too long");
      }
      line->words[i].value = capture.value;
      line->words[i].value_len = capture.value_len;
    }
  }
  return true;
}

static bool make_said(maker *m, uint8_t side, scn_line *line) {
  scenario_room room;
  return make_captures(m->s, line, m->error) &&
         scenario_names_replace(&m->s->names, line, &room, m->error) &&
         scn_said(m->s, side, line, m->error);
}

static bool make_text(maker *m, uint8_t side, const char *text, unsigned int number) {
  scn_line line = {.number = number - 1};
  (void)scn_line_read(&line, text, strlen(text));
  return scn_said(m->s, side, &line, m->error);
}

/* A Read of no octets, where the terms allow one, and its Response. */
static bool make_probe(maker *m, const scenario_step *step) {
  const uint8_t tester = m->page->plays[0] || !m->page->plays[1] ? 0 : 1;
  return make_text(m, tester, tester == 0 ? "i> read-request" : "r> read-request", step->number) &&
         make_text(m, 1 - tester, tester == 0 ? "r> read-response" : "i> read-response",
                   step->number);
}

static bool make_step(maker *m, const scenario_step *step) {
  scn_line line = {.number = step->number - 1};
  (void)scn_line_read(&line, step->text, step->len);
  switch (step->kind) {
  case SCENARIO_STEP_STATEMENT:
  case SCENARIO_STEP_CONNECTION: return scn_statement(m->s, &line, m->error);
  case SCENARIO_STEP_ITEM: return make_said(m, step->side, &line);
  case SCENARIO_STEP_CLOSE:
    return make_text(m, step->side, step->side == 0 ? "i> fin" : "r> fin", step->number);
  case SCENARIO_STEP_PROBE: return make_probe(m, step);
  case SCENARIO_STEP_EITHER: make_either(m); return true;
  case SCENARIO_STEP_OR: make_or(m); return true;
  case SCENARIO_STEP_END: make_end(m); return true;
  case SCENARIO_STEP_SILENCE: /* a capture does not show the others */
  case SCENARIO_STEP_PAUSE:
  case SCENARIO_STEP_DRIP:
  case SCENARIO_STEP_STOP_READING:
  case SCENARIO_STEP_READBACK:
  case SCENARIO_STEP_PASS:
  case SCENARIO_STEP_ALLOWED:
  case SCENARIO_STEP_FAIL: break;
  }
  return true;
}

bool scenario_make(scenario *s, const scenario_page *page, size_t i, scenario_error *error) {
  maker m = {.s = s, .page = page, .error = error};
  *error = (scenario_error){.line = 1, .column = 1, .message = "out of memory"};
  s->is_case = page->is_case;
  scenario_names_default(&s->names);
  if (page->num_for > 0) {
    const scenario_span word = scenario_page_for(page, i);
    if (!scenario_names_set(&s->names, page->for_name.text, page->for_name.len, word.text,
                            word.len)) {
      return false;
    }
  }
  bool ok = true;
  for (size_t j = 0; ok && j < page->num; j++) {
    ok = make_step(&m, &page->steps[j]);
  }
  return ok && scn_end(s);
}

bool scenario_read(scenario *s, const char *text, size_t len, scenario_error *error) {
  scenario_page page;
  if (!scenario_page_read(&page, text, len, error)) {
    return false;
  }
  const bool ok = scenario_make(s, &page, 0, error);
  scenario_page_free(&page);
  return ok;
}
