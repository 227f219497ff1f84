/* SPDX-License-Identifier: BSD-2-Clause */
/* A scenario as a list of steps, for `iwarp gen` and for a player. docs/scenarios.md */
#ifndef SCENARIO_PAGE_H
#define SCENARIO_PAGE_H

#include <iwarp/field.h>
#include <iwarp/mpa.h>

#include <scenario/scenario.h>

#define SCENARIO_WORDS_MAX 64u /* words of one line */

/** scn_word is KEY or KEY=VALUE; `value` is NULL for a KEY alone. */
typedef struct scn_word {
  const char *key;
  size_t key_len;
  const char *value;
  size_t value_len;
  unsigned int column; /* 1-based */
  bool modular;        /* a sum of names: it counts modulo the field's size */
} scn_word;

/** scn_line is a line, split into words. */
typedef struct scn_line {
  scn_word words[SCENARIO_WORDS_MAX];
  size_t num;
  unsigned int number; /* 1-based */
} scn_line;

/** scn_line_read splits the line at the front of a text, without its comment, and adds 1 to its
 * number. It returns how many characters the line has with its end. */
size_t scn_line_read(scn_line *line, const char *text, size_t len);

/** scn_word_is returns whether a word has this key. */
bool scn_word_is(const scn_word *word, const char *name);

/** scn_value_is returns whether the value of a word is this text. */
bool scn_value_is(const scn_word *word, const char *value);

/** scn_word_number reads a number, decimal or with 0x. False: the value is of another kind. */
bool scn_word_number(const scn_word *word, uint64_t *out);

/** scn_word_octets reads octets in hex, at most `cap`. False: the value is of another kind. */
bool scn_word_octets(const scn_word *word, uint8_t *out, size_t cap, size_t *len);

/** scn_word_names returns whether a word names a field: by its key, its path, or its letter in the
 * RFC (M, C, R and S of a startup frame, L of DDP). */
bool scn_word_names(const scn_word *word, const iwarp_field *field);

/* ---- names ---- */

#define SCENARIO_NAMES_MAX 32u
#define SCENARIO_NAME_CAP 24u   /* octets, with the 0 */
#define SCENARIO_VALUE_CAP 160u /* octets, with the 0 */

/** scenario_names are the values of $NAME. */
typedef struct scenario_names {
  struct {
    char name[SCENARIO_NAME_CAP];
    char value[SCENARIO_VALUE_CAP];
  } list[SCENARIO_NAMES_MAX];
  size_t num;
} scenario_names;

/** scenario_names_default sets the names that every page has to the values that `iwarp gen` takes.
 */
void scenario_names_default(scenario_names *names);

/** scenario_names_set gives a name a text or a number. False: it is too long, or there are too many
 * names. */
bool scenario_names_set(scenario_names *names, const char *name, size_t name_len, const char *value,
                        size_t value_len);
bool scenario_names_number(scenario_names *names, const char *name, uint64_t value);

/** scenario_names_get returns the text of a name, or NULL. */
const char *scenario_names_get(const scenario_names *names, const char *name, size_t name_len);

/** scenario_room has the texts of a line whose names were replaced. */
typedef struct scenario_room {
  char text[SCENARIO_WORDS_MAX][24];
} scenario_room;

/**
 * scenario_names_replace replaces each `KEY=$NAME`, with sums, and each word `$NAME` of a line by
 * its value. Words `KEY=>$NAME:VALUE` stay as they are. False: `error` says which word is wrong.
 */
bool scenario_names_replace(const scenario_names *names, scn_line *line, scenario_room *room,
                            scenario_error *error);

/** scn_capture is a word `KEY=>$NAME:VALUE`: the value of the field becomes the value of the name;
 * `iwarp gen` takes VALUE. */
typedef struct scn_capture {
  const char *name;
  size_t name_len;
  const char *value;
  size_t value_len;
} scn_capture;

/** scn_word_capture reads such a word. False: it is another one. */
bool scn_word_capture(const scn_word *word, scn_capture *out);

/* ---- steps ---- */

/** scenario_span is a part of the text of a page. */
typedef struct scenario_span {
  const char *text;
  size_t len;
} scenario_span;

typedef enum scenario_step_kind {
  SCENARIO_STEP_STATEMENT = 0, /* a statement about the capture: expect, meta, ipv6 ... */
  SCENARIO_STEP_ITEM,          /* a side sends an item */
  SCENARIO_STEP_CLOSE,         /* a side ends its stream: FIN; of the target FIN or RST */
  SCENARIO_STEP_SILENCE,       /* silence for `ns` */
  SCENARIO_STEP_PAUSE,         /* the tester waits for `ns` */
  SCENARIO_STEP_DRIP,          /* `num` octets each `ns` from here on */
  SCENARIO_STEP_STOP_READING,
  SCENARIO_STEP_PROBE,
  SCENARIO_STEP_READBACK,   /* `num` octets at `offset` of the region are `written`, or untouched */
  SCENARIO_STEP_CONNECTION, /* connection `num` */
  SCENARIO_STEP_EITHER,
  SCENARIO_STEP_OR,
  SCENARIO_STEP_END,
  SCENARIO_STEP_PASS,
  SCENARIO_STEP_ALLOWED,
  SCENARIO_STEP_FAIL
} scenario_step_kind;

typedef struct scenario_step {
  scenario_step_kind kind;
  uint8_t side;        /* ITEM, CLOSE, SILENCE: 0 is the Initiator */
  unsigned int number; /* number of the line, 1-based */
  const char *text;    /* the line, in the text of the page */
  size_t len;
  size_t next; /* EITHER, OR: the step of the OR or END that follows */
  uint64_t ns;
  uint64_t num;
  uint64_t offset;
  bool written;
  scenario_span reason; /* ALLOWED, FAIL: without its quotes */
} scenario_step;

#define SCENARIO_STEPS_MAX 512u /* steps of the page of a case */
#define SCENARIO_DEPTH_MAX 4u   /* EITHER in EITHER */

#define SCENARIO_CITES_MAX 16u

/** scenario_page is a page of steps; its parts borrow the text. */
typedef struct scenario_page {
  scenario_step *steps;
  size_t num;
  bool is_case; /* the page has a title */
  scenario_span title;
  scenario_span cite[SCENARIO_CITES_MAX];
  size_t num_cites;
  scenario_span needs; /* the words of all `needs`, with their blanks; at most one line */
  bool danger;
  bool slow;
  bool extension;
  bool plays[2]; /* the tester plays the Initiator, the Responder */
  scenario_span for_name;
  scenario_span for_words;
  size_t num_for; /* words of `for`; 0: there is no `for` */
} scenario_page;

/** scenario_page_read reads a text, which must outlive the page. False: `error` says why, and there
 * is nothing to free. */
bool scenario_page_read(scenario_page *page, const char *text, size_t len, scenario_error *error);

/** scenario_page_for returns word `i` of `for`. */
scenario_span scenario_page_for(const scenario_page *page, size_t i);

/** scenario_page_free gives the steps back. */
void scenario_page_free(scenario_page *page);

/** scenario_make makes the capture of instance `i` of a page, in an empty scenario: the first of
 * all alternatives. The lines of the others are checked as well. False: `error` says why. */
bool scenario_make(scenario *s, const scenario_page *page, size_t i, scenario_error *error);

/* ---- one line at a time, for a player ---- */

/** scenario_terms are the terms of one connection as the player knows them. */
typedef struct scenario_terms {
  bool ask_markers[2]; /* M is set in startup frames of this side that do not name M */
  bool ask_crc[2];     /* C is set in startup frames of this side that do not name C */
  bool rev1;           /* enhanced data are left out, but in lines with `rev=` */
} scenario_terms;

/** scenario_play makes a scenario ready for a player: it makes no packets of its own. Call it at
 * the beginning of each connection. */
void scenario_play(scenario *s, const scenario_terms *terms);

/** scenario_ask changes the terms within a connection. */
void scenario_ask(scenario *s, const scenario_terms *terms);

/** scenario_heard reports the startup frame that a side has sent. */
void scenario_heard(scenario *s, uint8_t side, const iwarp_mpa_startup *frame,
                    const iwarp_mpa_enhanced *enhanced);

/** scenario_heard_segment reports a DDP Segment that a side has sent: its first octets, and how
 * many it has in all. */
void scenario_heard_segment(scenario *s, uint8_t side, iwarp_span head, size_t segment_len);

/** scenario_say lets a side send the item of a line. False: `error` says why. */
bool scenario_say(scenario *s, uint8_t side, const scn_line *line, scenario_error *error);

/** scenario_said is a run of octets that a side sends at once, or the end of its stream. */
typedef struct scenario_said {
  iwarp_span octets; /* borrowed until scenario_clear */
  bool fin;
  bool rst;
} scenario_said;

/** scenario_said_get returns run `i` since scenario_clear. False: there is no such run. */
bool scenario_said_get(const scenario *s, size_t i, scenario_said *out);

/** scenario_clear forgets the runs. */
void scenario_clear(scenario *s);

#endif
