/* SPDX-License-Identifier: BSD-2-Clause */
/* Packs engine and rules: words that differ from the words of a new connection, without their
 * leading zeros. */
#include "pack.h"

#include <string.h>

#include "tcp_flow.h"

enum {
  PACK_WORD = 8,    /* octets */
  PACK_GROUP = 64,  /* words that share a map of those that differ */
  PACK_STEP = 1024, /* octets of memory */
  PACK_GAPS = 10,   /* a tenth of the budget, as measured */
  PACK_WORST = 9    /* octets of a word: how many they are, and all of them */
};

static uint64_t pack_load(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/*
 * Writes how many octets the word has, and these; returns what follows. Octets that are zero by
 * chance count, since the word may be an address: what is packed has one size wherever it lies, so
 * that equal input meets equal limits.
 */
static uint8_t *pack_word(uint8_t *out, uint64_t word) {
  uint8_t *len = out++;
  *len = 0;
  for (; word != 0; word >>= 8) {
    *out++ = (uint8_t)word;
    ++*len;
  }
  return out;
}

static const uint8_t *pack_word_read(const uint8_t *in, uint64_t *word) {
  const unsigned len = *in++;
  *word = 0;
  for (unsigned i = 0; i < len; i++) {
    *word |= (uint64_t)*in++ << 8 * i;
  }
  return in;
}

static size_t pack_group_len(size_t at, size_t size) {
  const size_t left = (size - at) / PACK_WORD;
  return left < PACK_GROUP ? left : PACK_GROUP;
}

/* Packs `size` octets, a multiple of PACK_WORD; returns what follows in `out`. */
static uint8_t *pack_octets(uint8_t *out, const uint8_t *of, const uint8_t *like, size_t size) {
  for (size_t at = 0; at < size; at += PACK_GROUP * PACK_WORD) {
    uint8_t *head = out;
    uint64_t map = 0;
    out += sizeof map;
    for (size_t i = 0; i < pack_group_len(at, size); i++) {
      const size_t word = at + i * PACK_WORD;
      const uint64_t differs = pack_load(of + word) ^ pack_load(like + word);
      map |= (uint64_t)(differs != 0) << i;
      out = differs != 0 ? pack_word(out, differs) : out;
    }
    memcpy(head, &map, sizeof map);
  }
  return out;
}

static const uint8_t *pack_octets_read(const uint8_t *in, uint8_t *out, const uint8_t *like,
                                       size_t size) {
  if (size > 0) { /* no octets may have no place */
    memcpy(out, like, size);
  }
  for (size_t at = 0; at < size; at += PACK_GROUP * PACK_WORD) {
    const uint64_t map = pack_load(in);
    in += sizeof map;
    for (size_t i = 0; i < pack_group_len(at, size); i++) {
      if ((map >> i & 1u) != 0) {
        uint64_t differs;
        in = pack_word_read(in, &differs);
        differs ^= pack_load(out + at + i * PACK_WORD);
        memcpy(out + at + i * PACK_WORD, &differs, sizeof differs);
      }
    }
  }
  return in;
}

#define PACK_LEAST                                                                                 \
  ((size_t)1024 * 1024) /* bytes of a budget, below which it is not worth the room */

/* What a new connection has left. */
static const observe_facts pack_no_facts;
_Static_assert(sizeof(observe_facts) % PACK_WORD == 0, "they are packed in words");

/* What is packed at most of so many octets. */
static size_t pack_most(size_t size) {
  const size_t words = size / PACK_WORD;
  return PACK_WORST * words + (words / PACK_GROUP + 1) * sizeof(uint64_t);
}

static size_t pack_rules_size(const observe *obs) {
  return obs->hooks.finding != NULL ? iwarp_rules_size(&obs->pool) : 0;
}

static size_t pack_facts_size(const observe *obs) {
  return obs->cfg.unexplained ? 0 : sizeof(observe_facts);
}

/* Makes what a new connection looks like, and room to pack one; false: no memory. */
static bool pack_prepare(observe *obs, size_t engine_size) {
  const size_t rules_size = pack_rules_size(obs);
  if (obs->pack.room != NULL || obs->budget->limit < PACK_LEAST) {
    return obs->pack.room != NULL;
  }
  followed made = {0};
  bool ok = rules_size == 0 || obs_followed_make_rules(obs, &made);
  ok = ok && obs_tcp_engine_make(obs, &made, false);
  obs->pack = (observe_pack){.engine = made.engine_memory,
                             .rules = made.rules_memory,
                             .engine_size = engine_size,
                             .gaps = obs->budget->limit / PACK_GAPS,
                             .size = pack_most(engine_size) + pack_most(rules_size) +
                                     pack_most(sizeof(observe_facts))};
  obs->pack.room = ok ? obs_memory_get(obs, obs->pack.size) : NULL;
  if (obs->pack.room == NULL) {
    obs_pack_free(obs);
  }
  return obs->pack.room != NULL;
}

void obs_pack_free(observe *obs) {
  obs_memory_put(obs, obs->pack.engine, obs->pack.engine_size);
  obs_memory_put(obs, obs->pack.rules, iwarp_rules_size(&obs->pool));
  obs_memory_put(obs, obs->pack.room, obs->pack.size);
  obs->pack = (observe_pack){.room = NULL};
}

/* Gives back the octets of the engine and of the rules, not what these took of the pool. */
static void pack_put(observe *obs, followed *c) {
  obs_memory_put(obs, c->engine_memory, c->engine_size);
  obs_memory_put(obs, c->rules_memory, iwarp_rules_size(&obs->pool));
  obs_memory_put(obs, c->facts, sizeof *c->facts);
  c->engine_memory = c->rules_memory = NULL;
  c->facts = NULL;
  c->engine = NULL;
  c->rules = NULL;
  c->conn.info = NULL;
}

/* What is packed counts in whole steps: a few of its octets lie between members, and are any. Most
 * connections need one step. */
static size_t pack_round(size_t size) {
  return (size + PACK_STEP - 1) / PACK_STEP * PACK_STEP;
}

bool obs_pack(observe *obs, followed *c) {
  if (!pack_prepare(obs, c->engine_size)) {
    return false;
  }
  const size_t rules_size = c->rules != NULL ? pack_rules_size(obs) : 0;
  iwarp_observer_trim(c->engine);
  if (c->rules != NULL) {
    iwarp_rules_trim(c->rules);
  }
  uint8_t *end = obs->pack.room;
  end = pack_octets(end, c->engine_memory, obs->pack.engine, c->engine_size);
  end = pack_octets(end, c->rules_memory, obs->pack.rules, rules_size);
  end = pack_octets(end, (const uint8_t *)c->facts, (const uint8_t *)&pack_no_facts,
                    pack_facts_size(obs));
  c->packed_size = pack_round((size_t)(end - obs->pack.room));
  c->packed = obs_memory_get(obs, c->packed_size);
  if (c->packed == NULL) {
    return false;
  }
  memcpy(c->packed, obs->pack.room, (size_t)(end - obs->pack.room));
  pack_put(obs, c);
  return true;
}

bool obs_unpack(observe *obs, followed *c) {
  const size_t rules_size = pack_rules_size(obs);
  const size_t facts_size = pack_facts_size(obs);
  c->engine_memory = obs_memory_get(obs, c->engine_size);
  c->rules_memory = rules_size > 0 ? obs_memory_get(obs, rules_size) : NULL;
  c->facts = facts_size > 0 ? obs_memory_get(obs, facts_size) : NULL;
  const bool ok = c->engine_memory != NULL && (facts_size == 0 || c->facts != NULL) &&
                  (rules_size == 0 || c->rules_memory != NULL);
  if (ok) {
    const uint8_t *in = c->packed;
    in = pack_octets_read(in, c->engine_memory, obs->pack.engine, c->engine_size);
    in = pack_octets_read(in, c->rules_memory, obs->pack.rules, rules_size);
    (void)pack_octets_read(in, (uint8_t *)c->facts, (const uint8_t *)&pack_no_facts, facts_size);
    c->engine = c->engine_memory;
    c->rules = c->rules_memory;
    c->conn.info = iwarp_observer_info_get(c->engine);
  } else {
    pack_put(obs, c);
  }
  obs_memory_put(obs, c->packed, c->packed_size);
  c->packed = NULL;
  return ok;
}
