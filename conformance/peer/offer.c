/* SPDX-License-Identifier: BSD-2-Clause */
/* The offer of the application above the target's stack, and the region that it announces. */
#include <peer/offer.h>

#include <string.h>

#define OFFER_RPING_RECV_LEN 16u /* octets of a receive buffer of rping, which posts one */
#define OFFER_REGION_LEN 16u     /* octets of an announcement without other STags */

static const char *const offer_words[] = {"answers", "region", "readback", "rights", "buffers",
                                          "pd",      "reads",  "writes",   "events", "enhanced"};

#define OFFER_NUM_WORDS (sizeof offer_words / sizeof offer_words[0])

const char *peer_offer_word(uint32_t bit) {
  for (size_t i = 0; i < OFFER_NUM_WORDS; i++) {
    if (bit == 1u << i) {
      return offer_words[i];
    }
  }
  return NULL;
}

static bool offer_is(const char *word, size_t len, const char *name) {
  return strlen(name) == len && memcmp(word, name, len) == 0;
}

/* A decimal number at the front of a word, 1 to 2^31. */
static size_t offer_number(const char *word, size_t len, uint32_t *out) {
  uint32_t value = 0;
  size_t n = 0;
  while (n < len && n < 9 && word[n] >= '0' && word[n] <= '9') {
    value = value * 10 + (uint32_t)(word[n++] - '0');
  }
  *out = value;
  return value > 0 ? n : 0;
}

/* buffers=NxLEN. */
static bool offer_buffers(peer_offer *out, const char *word, size_t len) {
  static const char name[] = "buffers=";
  const size_t at = sizeof name - 1;
  if (len <= at || memcmp(word, name, at) != 0) {
    return false;
  }
  const size_t num = offer_number(word + at, len - at, &out->recvs);
  if (num == 0 || at + num == len || word[at + num] != 'x') {
    return false;
  }
  const size_t rest = at + num + 1;
  const size_t more = offer_number(word + rest, len - rest, &out->recv_len);
  out->words |= PEER_OFFER_BUFFERS;
  return more > 0 && rest + more == len;
}

/* A set of words that has a name. */
static bool offer_set(peer_offer *out, const char *word, size_t len, bool listens) {
  if (offer_is(word, len, "none")) {
    return true;
  }
  if (offer_is(word, len, "rping")) {
    out->words |=
        PEER_OFFER_BUFFERS | (listens ? PEER_OFFER_READS | PEER_OFFER_WRITES : PEER_OFFER_REGION);
    out->form = listens ? PEER_FORM_NONE : PEER_FORM_RPING;
    out->recvs = 1;
    out->recv_len = OFFER_RPING_RECV_LEN;
    return true;
  }
  if (offer_is(word, len, "echo")) {
    out->words |= PEER_OFFER_ANSWERS | PEER_OFFER_REGION | PEER_OFFER_READBACK | PEER_OFFER_RIGHTS |
                  PEER_OFFER_PD | PEER_OFFER_EVENTS;
    out->form = PEER_FORM_ECHO;
    return true;
  }
  return false;
}

static bool offer_one(peer_offer *out, const char *word, size_t len, bool listens) {
  for (size_t i = 0; i < OFFER_NUM_WORDS; i++) {
    const uint32_t bit = 1u << i;
    if (offer_is(word, len, offer_words[i]) && bit != PEER_OFFER_ENHANCED &&
        bit != PEER_OFFER_BUFFERS) { /* buffers have a number and a length */
      const uint32_t announced =
          PEER_OFFER_REGION | PEER_OFFER_READBACK | PEER_OFFER_RIGHTS | PEER_OFFER_PD;
      out->words |= bit;
      out->form = (bit & announced) != 0 ? PEER_FORM_ECHO : out->form;
      return true;
    }
  }
  return offer_set(out, word, len, listens) || offer_buffers(out, word, len);
}

bool peer_offer_read(peer_offer *out, const char *text, bool listens, const char **bad,
                     size_t *bad_len) {
  *out = (peer_offer){.words = 0};
  for (const char *word = text; word != NULL;) {
    const char *comma = strchr(word, ',');
    const size_t len = comma != NULL ? (size_t)(comma - word) : strlen(word);
    if (!offer_one(out, word, len, listens)) {
      *bad = word;
      *bad_len = len;
      return false;
    }
    word = comma != NULL ? comma + 1 : NULL;
  }
  return true;
}

/* ---- regions ---- */

static uint64_t offer_get(const uint8_t *octets, size_t len) {
  uint64_t value = 0;
  for (size_t i = 0; i < len; i++) {
    value = value << 8 | octets[i];
  }
  return value;
}

/* An STag that follows the length; 0 where it is absent. */
static uint32_t offer_other(const uint8_t *octets, size_t len, size_t i) {
  const size_t at = OFFER_REGION_LEN + 4 * i;
  return len >= at + 4 ? (uint32_t)offer_get(octets + at, 4) : 0;
}

bool peer_region_read(peer_region *out, peer_form form, const uint8_t *octets, size_t len) {
  if (form == PEER_FORM_NONE || len < OFFER_REGION_LEN) {
    return false;
  }
  const peer_region region = {.known = true,
                              .to = offer_get(octets, 8),
                              .stag = (uint32_t)offer_get(octets + 8, 4),
                              .len = (uint32_t)offer_get(octets + 12, 4)};
  if (region.len == 0 || region.len > UINT64_MAX - region.to) {
    return false;
  }
  *out = region;
  if (form == PEER_FORM_ECHO) {
    const bool counted = len == OFFER_REGION_LEN;
    out->other_pd = counted ? region.stag + 1 : offer_other(octets, len, 0);
    out->read_only = counted ? region.stag + 2 : offer_other(octets, len, 1);
    out->write_only = counted ? region.stag + 3 : offer_other(octets, len, 2);
  }
  return true;
}
