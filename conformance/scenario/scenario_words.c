/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines and words of a scenario. */
#include "scenario_priv.h"

static bool word_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

void scn_word_split(scn_word *word, const char *text, size_t len) {
  const char *sign = memchr(text, '=', len);
  word->key = text;
  word->key_len = sign != NULL ? (size_t)(sign - text) : len;
  word->value = sign != NULL ? sign + 1 : NULL;
  word->value_len = sign != NULL ? len - word->key_len - 1 : 0;
  word->modular = false;
}

size_t scn_line_read(scn_line *line, const char *text, size_t len) {
  const char *newline = memchr(text, '\n', len);
  const size_t whole = newline != NULL ? (size_t)(newline - text) : len;
  const char *comment = memchr(text, '#', whole);
  const size_t end = comment != NULL ? (size_t)(comment - text) : whole;
  line->num = 0;
  line->number++;
  for (size_t at = 0; at < end && line->num < SCN_WORDS_MAX;) {
    size_t n = 0;
    while (at + n < end && !word_blank(text[at + n])) {
      n++;
    }
    if (n > 0) {
      scn_word *word = &line->words[line->num++];
      scn_word_split(word, text + at, n);
      word->column = (unsigned int)at + 1;
    }
    at += n + 1;
  }
  return whole + (newline != NULL ? 1 : 0);
}

bool scn_word_is(const scn_word *word, const char *name) {
  return strlen(name) == word->key_len && memcmp(word->key, name, word->key_len) == 0;
}

static int word_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

bool scn_word_number(const scn_word *word, uint64_t *out) {
  const bool hex = word->value_len > 2 && memcmp(word->value, "0x", 2) == 0;
  const uint64_t base = hex ? 16 : 10;
  uint64_t v = 0;
  for (size_t i = hex ? 2 : 0; i < word->value_len; i++) {
    const uint64_t digit = (uint64_t)word_digit(word->value[i]);
    if (digit >= base || v > (UINT64_MAX - digit) / base) {
      return false;
    }
    v = v * base + digit;
  }
  *out = v;
  return word->value_len > 0;
}

bool scn_word_octets(const scn_word *word, uint8_t *out, size_t cap, size_t *len) {
  if (word->value == NULL || word->value_len % 2 != 0 || word->value_len / 2 > cap) {
    return false;
  }
  for (size_t i = 0; i < word->value_len; i += 2) {
    const int high = word_digit(word->value[i]);
    const int low = word_digit(word->value[i + 1]);
    if (high > 15 || low > 15) {
      return false;
    }
    out[i / 2] = (uint8_t)(high << 4 | low);
  }
  *len = word->value_len / 2;
  return true;
}
