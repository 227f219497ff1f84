/* SPDX-License-Identifier: BSD-2-Clause */
/* Scenarios made at random. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "prng.h"
#include "property.h"
#include "scenario_made.h"
#include "selection.h"

#define TEXT_MAX 8192u
#define ITEMS_MAX 30u

typedef struct talk {
  char *text;
  size_t len;
  prng chance;
  unsigned items[2]; /* of each side, so far */
  unsigned calm;     /* one item of so many is wrong, and one comes otherwise than it was sent */
} talk;

__attribute__((format(printf, 2, 3))) static void talk_add(talk *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(t->text + t->len, TEXT_MAX - t->len, format, args);
  va_end(args);
  t->len += n > 0 && (size_t)n < TEXT_MAX - t->len ? (size_t)n : 0;
}

static unsigned below(talk *t, unsigned limit) {
  return (unsigned)prng_below(&t->chance, limit);
}

/* What is wrong with a segment; %u is a number. */
static const char *const talk_faults[] = {
    "rv=2",     "rv=0",       "dv=2",      "dv=0",      "rsv=1",
    "rsvd=1",   "crc=bad",    "crc=zero",  "last=0",    "ulpdu_length=%u",
    "cut=%u",   "markers=on", "opcode=13", "opcode=%u", "pad=01",
    "pad=0101", "pad=010101"};

/* What becomes of its packets. */
static const char *const talk_travels[] = {"lost",    "unacked=%u",  "snap=6%u", "twice",
                                           "bundled", "segment=2%u", "again"};

/* FPDUs without PAD, with a length that is too large, with a Marker, and octets that are no
 * FPDU. */
static const char *const talk_octets[] = {
    "0013414300000000000000000000000200000000640a1b2c3d",
    "00164143000000000000000000000003000000006461746100000000",
    "0020c14000000001000000000000000061626364656667680000000000000000",
    "00000000001641430000000000000000000000040000000064617461",
    "00",
    "ffffffffffffffffffffffff",
    "4d504120494420526571204672616d6500010000"};

static void talk_word(talk *t, const char *const *words, size_t num) {
  talk_add(t, " ");
  const char *word = words[prng_size(&t->chance, num)];
  const char *number = strstr(word, "%u");
  if (number == NULL) {
    talk_add(t, "%s", word);
  } else {
    talk_add(t, "%.*s%u", (int)(number - word), word, 1 + below(t, 9));
  }
}

/* One item of a side, without what is wrong with it; false: no segment. */
static bool talk_item(talk *t) {
  switch (below(t, 16)) {
  case 0:
  case 1:
  case 2: talk_add(t, "send len=%u", below(t, 60)); break;
  case 3:
  case 4:
  case 5: talk_add(t, "write stag=7 to=64 len=%u", below(t, 60)); break;
  case 6:
  case 7: talk_add(t, "read-request sink_stag=9 sink_to=32 size=24 source_stag=5"); break;
  case 8:
  case 9:
    talk_add(t, "read-response stag=9 to=32 len=%u", below(t, 6) > 0 ? 24 : below(t, 40));
    break;
  case 10: talk_add(t, "send-se len=%u", below(t, 60)); break;
  case 11: talk_add(t, "immediate%s", below(t, 4) > 0 ? "" : " data=0102030405060708"); break;
  case 12: talk_add(t, "atomic-request"); break;
  case 13: talk_add(t, "atomic-response"); break;
  case 14:
    talk_add(t, "octets %s", talk_octets[below(t, sizeof talk_octets / sizeof talk_octets[0])]);
    return false;
  default:
    talk_add(t, "terminate layer=%u etype=%u code=%u", below(t, 3), below(t, 3), below(t, 9));
  }
  return true;
}

static void talk_line(talk *t) {
  const unsigned side = below(t, 2);
  talk_add(t, "%c> ", side == 0 ? 'i' : 'r');
  if (talk_item(t) && below(t, t->calm) == 0) {
    talk_word(t, talk_faults, sizeof talk_faults / sizeof talk_faults[0]);
  }
  if (below(t, t->calm) == 0) { /* the last word takes the place of an earlier item */
    const size_t num = sizeof talk_travels / sizeof talk_travels[0];
    talk_word(t, talk_travels, t->items[side] > 0 ? num : num - 1);
  }
  t->items[side]++;
  talk_add(t, "\n");
}

/* Both startup frames, rarely one of them or with other flags. */
static void talk_startup(talk *t) {
  static const char *const flags[] = {"", " C", " C", " M", " C M", " R"};
  const unsigned kinds = below(t, 8) > 0 ? 5 : 6;
  const char *request = flags[below(t, kinds)];
  if (below(t, 12) > 0) {
    talk_add(t, "i> mpa-request%s\n", request);
  }
  if (below(t, 12) > 0) {
    talk_add(t, "r> mpa-reply%s\n", below(t, 6) > 0 ? request : flags[below(t, kinds)]);
  }
}

/* Writes the scenario of a seed. */
static void talk_write(char text[TEXT_MAX], uint64_t seed) {
  talk t = {.text = text, .chance = {.state = seed}};
  t.calm = below(&t, 2) == 0 ? 8 : 24;
  talk_startup(&t);
  for (unsigned i = 4 + below(&t, ITEMS_MAX - 4); i > 0; i--) {
    talk_line(&t);
  }
  switch (below(&t, 4)) {
  case 0: talk_add(&t, "open\n"); break;
  case 1: talk_add(&t, "r> rst\n"); break;
  case 2: talk_add(&t, "r> fin\ni> fin\n"); break;
  default: break;
  }
}

capture_replay selection_capture(const char *text) {
  scenario_made(text, NULL);
  return capture_replay_octets((const uint8_t *)scenario_out.buf, scenario_out.len);
}

void selection_random(uint64_t rounds, captures_check *check) {
  static char text[TEXT_MAX];
  property p = property_begin("random_conversations", 1, rounds);
  while (property_next(&p)) {
    talk_write(text, p.seed);
    capture_replay c = selection_capture(text);
    check(&c, text);
    capture_replay_free(&c);
  }
}
