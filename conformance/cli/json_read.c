/* SPDX-License-Identifier: BSD-2-Clause */
/* A reader of JSON that allocates nothing. Strings hold what may be printed, and no other octets.
 */
#include "json_read.h"

#include <string.h>

#include <report/utf8.h>

/* ---- the grammar: each of these goes past what it names, or says that it is not there ---- */

static void json_blanks(json_text *t) {
  while (t->len > 0 && (*t->at == ' ' || *t->at == '\t' || *t->at == '\n' || *t->at == '\r')) {
    t->at++;
    t->len--;
  }
}

static void json_step(json_text *t, size_t n) {
  t->at += n;
  t->len -= n;
}

static bool json_char(json_text *t, char c) {
  if (t->len == 0 || *t->at != c) {
    return false;
  }
  json_step(t, 1);
  return true;
}

static bool json_word(json_text *t, const char *word) {
  const size_t n = strlen(word);
  if (t->len < n || memcmp(t->at, word, n) != 0) {
    return false;
  }
  json_step(t, n);
  return true;
}

static bool json_digits(json_text *t) {
  size_t n = 0;
  while (n < t->len && t->at[n] >= '0' && t->at[n] <= '9') {
    n++;
  }
  json_step(t, n);
  return n > 0;
}

static bool json_number(json_text *t) {
  (void)json_char(t, '-');
  if (!json_char(t, '0') && !json_digits(t)) {
    return false;
  }
  if (json_char(t, '.') && !json_digits(t)) {
    return false;
  }
  if (json_char(t, 'e') || json_char(t, 'E')) {
    if (!json_char(t, '+')) {
      (void)json_char(t, '-');
    }
    return json_digits(t);
  }
  return true;
}

static bool json_is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool json_escape(json_text *t) {
  if (t->len > 0 && *t->at != 'u' && strchr("\"\\/bfnrt", *t->at) != NULL && *t->at != 0) {
    json_step(t, 1);
    return true;
  }
  for (size_t i = 1; i < 5; i++) {
    if (t->len < 5 || *t->at != 'u' || !json_is_hex(t->at[i])) {
      return false;
    }
  }
  json_step(t, 5);
  return true;
}

static bool json_quoted(json_text *t) {
  if (!json_char(t, '"')) {
    return false;
  }
  while (!json_char(t, '"')) {
    const bool escape = json_char(t, '\\');
    const size_t plain = !escape && t->len > 0 ? report_plain_len(t->at, t->len) : 0;
    if (escape ? !json_escape(t) : plain == 0) {
      return false;
    }
    json_step(t, plain);
  }
  return true;
}

static bool json_value(json_text *t, unsigned int depth);

static bool json_key(json_text *t) {
  json_blanks(t);
  const bool key = json_quoted(t);
  json_blanks(t);
  return key && json_char(t, ':');
}

/* The values between two brackets. */
static bool json_list(json_text *t, bool object, unsigned int depth) {
  const char end = object ? '}' : ']';
  json_step(t, 1);
  json_blanks(t);
  if (json_char(t, end)) {
    return true;
  }
  do {
    if ((object && !json_key(t)) || !json_value(t, depth)) {
      return false;
    }
  } while (json_char(t, ','));
  return json_char(t, end);
}

static bool json_value(json_text *t, unsigned int depth) {
  bool ok = false;
  json_blanks(t);
  if (t->len > 0 && (*t->at == '{' || *t->at == '[')) {
    ok = depth < JSON_DEPTH_MAX && json_list(t, *t->at == '{', depth + 1);
  } else if (t->len > 0 && *t->at == '"') {
    ok = json_quoted(t);
  } else {
    ok = json_word(t, "true") || json_word(t, "false") || json_word(t, "null") || json_number(t);
  }
  json_blanks(t);
  return ok;
}

bool json_valid(json_text text) {
  return json_value(&text, 0) && text.len == 0;
}

/* ---- what is in it ---- */

static json_text json_trim(json_text t) {
  json_blanks(&t);
  while (t.len > 0 && strchr(" \t\r\n", t.at[t.len - 1]) != NULL) {
    t.len--;
  }
  return t;
}

/* Takes the next value off; what is checked already needs no look at its depth. */
static json_text json_take(json_text *t) {
  json_blanks(t);
  json_text value = *t;
  (void)json_value(t, 0);
  value.len -= t->len;
  return json_trim(value);
}

bool json_next(json_text *rest, json_text *key, json_text *value) {
  const bool object = key->at != NULL;
  json_blanks(rest);
  if (rest->len == 0) {
    return false;
  }
  if (object) {
    const json_text quoted = json_take(rest);
    *key = (json_text){quoted.at + 1, quoted.len - 2};
    (void)json_char(rest, ':');
  }
  *value = json_take(rest);
  (void)json_char(rest, ',');
  return true;
}

bool json_first(json_text *rest, json_text *key, json_text *value, json_text text) {
  const json_text t = json_trim(text);
  if (t.len < 2 || (*t.at != '{' && *t.at != '[')) {
    return false;
  }
  *rest = (json_text){t.at + 1, t.len - 2};
  *key = (json_text){*t.at == '{' ? t.at : NULL, 0};
  return json_next(rest, key, value);
}

bool json_member(json_text *value, json_text object, const char *key) {
  json_text rest;
  json_text name;
  bool any = json_first(&rest, &name, value, object);
  while (any && (name.at == NULL || !json_is(name, key))) {
    any = json_next(&rest, &name, value);
  }
  return any;
}

bool json_is(json_text text, const char *what) {
  return text.len == strlen(what) && memcmp(text.at, what, text.len) == 0;
}

bool json_u64(uint64_t *out, json_text value) {
  uint64_t v = 0;
  for (size_t i = 0; i < value.len; i++) {
    const unsigned int digit = (unsigned int)(unsigned char)value.at[i] - '0';
    if (digit > 9 || v > (UINT64_MAX - digit) / 10) {
      return false;
    }
    v = v * 10 + digit;
  }
  *out = v;
  return value.len > 0;
}

bool json_string(json_text *out, json_text value) {
  if (value.len < 2 || *value.at != '"') {
    return false;
  }
  *out = (json_text){value.at + 1, value.len - 2};
  return true;
}

static unsigned int json_nibble(char c) {
  return c <= '9' ? (unsigned int)(c - '0') : ((unsigned int)c | 0x20u) - 'a' + 10u;
}

bool json_hex64(uint64_t *out, json_text value) {
  json_text digits;
  uint64_t v = 0;
  if (!json_string(&digits, value) || digits.len != 18 || memcmp(digits.at, "0x", 2) != 0) {
    return false;
  }
  for (size_t i = 2; i < digits.len; i++) {
    if (!json_is_hex(digits.at[i])) {
      return false;
    }
    v = v << 4 | json_nibble(digits.at[i]);
  }
  *out = v;
  return true;
}
