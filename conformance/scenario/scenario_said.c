/* SPDX-License-Identifier: BSD-2-Clause */
/* An item of a side in one line: once, often, or in the place of an earlier one. */
#include "scenario_priv.h"

#define SAID_OCTETS_MAX 4096u

/* ---- how a connection begins ---- */

static bool said_handshake(scenario *s) {
  const uint8_t opener = s->conn->passive ? 1 : 0;
  return scn_packet_add(s, opener, SCN_SYN, NULL, 0) &&
         scn_packet_add(s, 1 - opener, SCN_SYN | SCN_ACK, NULL, 0) &&
         scn_packet_add(s, opener, SCN_ACK, NULL, 0);
}

/* The handshake took place, but not in the capture. */
static bool said_handshake_lost(scenario *s) {
  s->conn->side[0].seq += s->sctp ? 0 : 1;
  s->conn->side[1].seq += s->sctp ? 0 : 1;
  return true;
}

bool scn_begin(scenario *s) {
  const bool begun = s->conn->begun;
  s->conn->begun = true;
  if (begun || s->conn->lost) {
    return begun || said_handshake_lost(s);
  }
  return s->sctp ? scn_sctp_open(s) : said_handshake(s);
}

/* ---- items that are the same over TCP and SCTP ---- */

/* Octets as they stand, outside of any frame. */
static bool said_octets(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  const scn_word *word = &line->words[line->num > 2 ? 2 : 1];
  const scn_word hex = {.value = word->key, .value_len = word->key_len};
  scn_travel how = {.segment = 0};
  uint8_t octets[SAID_OCTETS_MAX];
  size_t len = 0;
  if (line->num < 3 || word->value != NULL || !scn_word_octets(&hex, octets, sizeof octets, &len) ||
      len == 0) {
    return scn_fail(error, line, word, "one word of octets in hex is expected");
  }
  for (size_t i = 3; i < line->num; i++) {
    const scn_use use =
        s->sctp ? SCN_NOT_MINE : scn_travel_word(&how, line, &line->words[i], error);
    if (use != SCN_USED) {
      return use == SCN_NOT_MINE ? scn_fail(error, line, &line->words[i], "is no word of octets")
                                 : false;
    }
  }
  return (s->sctp ? scn_sctp_octets(s, side, octets, len) : scn_send(s, side, octets, len, &how)) ||
         scn_fail(error, line, word, "out of memory");
}

/* The end of what a side sends over TCP. */
static bool said_end(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  const scn_word *kind = &line->words[1];
  const uint8_t flag = scn_word_is(kind, "fin") ? SCN_FIN : SCN_RST;
  const scn_travel how = {.segment = 0};
  s->conn->closed = true;
  s->conn->fin[side] = true;
  s->conn->fin[1 - side] = s->conn->fin[1 - side] || flag == SCN_RST;
  if (line->num > 2) {
    return scn_fail(error, line, &line->words[2], "is no word of this item");
  }
  return (scn_send(s, side, NULL, 0, &how) &&
          scn_packet_add(s, side, (uint8_t)(flag | SCN_ACK), NULL, 0)) ||
         scn_fail(error, line, kind, "out of memory");
}

static bool said_item(scenario *s, uint8_t side, const scn_line *line, scenario_error *error) {
  const scn_word *kind = &line->words[1];
  if (scn_word_is(kind, "octets")) {
    return said_octets(s, side, line, error);
  }
  if (s->sctp) {
    return scn_sctp_item(s, side, line, error);
  }
  if (scn_word_is(kind, "fin") || scn_word_is(kind, "rst")) {
    return said_end(s, side, line, error);
  }
  return scn_tcp_item(s, side, line, error);
}

/* ---- in the place of an item before ---- */

static scn_memory said_now(const scenario *s, uint8_t side, size_t stream) {
  const scn_conn *c = s->conn;
  return (scn_memory){.side = c->side[side],
                      .tsn = c->end[side].tsn,
                      .stream = stream,
                      .numbers = c->streams[stream].side[side]};
}

static void said_return(scenario *s, uint8_t side, const scn_memory *to) {
  scn_conn *c = s->conn;
  c->side[side] = to->side;
  c->end[side].tsn = to->tsn;
  c->streams[to->stream].side[side] = to->numbers;
}

static bool said_remembered(scenario *s, uint8_t side, const scn_line *line,
                            scenario_error *error) {
  const size_t at = s->conn->num_items[side]++ % SCN_AGAIN_MAX;
  s->conn->memory[side][at] = said_now(s, side, scn_stream_of(s, line));
  return said_item(s, side, line, error);
}

/* An item in the place of the one that was `back` items before, with the same numbers. */
static bool said_again(scenario *s, uint8_t side, const scn_line *line, size_t back,
                       scenario_error *error) {
  const scn_memory *then =
      &s->conn->memory[side][(s->conn->num_items[side] - back) % SCN_AGAIN_MAX];
  const scn_memory now = said_now(s, side, then->stream);
  said_return(s, side, then);
  s->again = true;
  const bool ok = said_item(s, side, line, error);
  s->again = false;
  said_return(s, side, &now);
  return ok;
}

/* ---- words of every item ---- */

/* The repetitions of a line, and the earlier item that it repeats. */
typedef struct said_words {
  size_t times;
  size_t again; /* items back; 0: it is a new one */
} said_words;

static bool said_word_again(const scenario *s, uint8_t side, const scn_line *line,
                            const scn_word *word, said_words *x, scenario_error *error) {
  const size_t there = s->conn->num_items[side];
  x->again = 1;
  if (word->value != NULL && !scn_some(line, word, SCN_AGAIN_MAX, &x->again, error)) {
    return false;
  }
  return x->again <= there ||
         scn_fail(error, line, word, "goes further back than this side sent items");
}

/* Takes these words out of a line. */
static bool said_words_take(const scenario *s, uint8_t side, scn_line *line, said_words *x,
                            scenario_error *error) {
  size_t left = 2;
  bool ok = true;
  for (size_t i = 2; ok && i < line->num; i++) {
    const scn_word *word = &line->words[i];
    if (scn_word_is(word, "times")) {
      ok = scn_some(line, word, SCN_TIMES_MAX, &x->times, error);
    } else if (scn_word_is(word, "again")) {
      ok = said_word_again(s, side, line, word, x, error);
    } else {
      line->words[left++] = *word;
    }
  }
  line->num = left;
  return ok;
}

/* Only items that describe the handshake come before it. */
static bool said_begin(scenario *s, const scn_line *line, scenario_error *error) {
  const scn_word *kind = &line->words[1];
  const bool sets_up = s->sctp && (scn_word_is(kind, "init") || scn_word_is(kind, "init-ack"));
  return sets_up || scn_begin(s) || scn_fail(error, line, kind, "out of memory");
}

/* Counts an item. Lost and bundled ones make no packet, so that the limit of packets misses them.
 */
static bool said_counted(scenario *s, const scn_line *line, scenario_error *error) {
  return s->items++ < SCN_ITEMS_MAX ||
         scn_fail(error, line, &line->words[1], "is one item more than a scenario may have");
}

bool scn_said(scenario *s, uint8_t side, const scn_line *whole, scenario_error *error) {
  scn_line line = *whole;
  said_words x = {.times = 1};
  if (line.num < 2) {
    return scn_fail(error, &line, &line.words[0], "what is sent is missing");
  }
  bool ok = said_begin(s, &line, error) && said_words_take(s, side, &line, &x, error);
  for (size_t i = 0; ok && i < x.times; i++) {
    ok = said_counted(s, &line, error) && (x.again > 0 ? said_again(s, side, &line, x.again, error)
                                                       : said_remembered(s, side, &line, error));
  }
  return ok;
}
