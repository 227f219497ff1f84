/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths: what a walk depended on, and whether another packet has the same. */
#include "path.h"

#include "decap.h"

/* Four octets of a word of eight, `at` octets after its beginning, as they lie in a packet. */
static uint64_t path_order(uint32_t four, size_t at) {
  const uint8_t octets[4] = {(uint8_t)(four >> 24), (uint8_t)(four >> 16), (uint8_t)(four >> 8),
                             (uint8_t)four};
  uint8_t word[2 * sizeof(uint64_t)] = {0};
  uint64_t order;
  memcpy(word + at, octets, sizeof octets);
  memcpy(&order, word, sizeof order);
  return order;
}

void ing_path_note(decap_path *path, size_t at, uint32_t mask, uint32_t value) {
  const size_t octets = (mask & 0xff) != 0 ? 4 : (mask & 0xffff) != 0 ? 3 : 2; /* up to the last */
  size_t i = 0;
  if (mask == 0) {
    return;
  }
  while (i < path->num_words &&
         (at < path->word[i].at || at + octets > path->word[i].at + sizeof(uint64_t))) {
    i++;
  }
  if (i == DECAP_PATH_WORDS) {
    ing_path_drop(path);
    return;
  }
  decap_word *word = &path->word[i];
  if (i == path->num_words) {
    path->num_words++;
    *word = (decap_word){.at = at};
  }
  word->mask |= path_order(mask, at - word->at);
  word->value |= path_order(value, at - word->at);
}

void ing_path_bound(decap_path *path, size_t at, size_t from, bool fits) {
  if (path->num_lengths == DECAP_PATH_LENGTHS || from > UINT16_MAX || at > UINT16_MAX) {
    ing_path_drop(path);
    return;
  }
  path->length[path->num_lengths++] =
      (decap_bound){.at = (uint16_t)at, .from = (uint16_t)from, .fits = fits};
}

void ing_path_begin(decap_path *path) {
  path->known = true;
  path->num_words = path->num_lengths = 0;
}

void ing_path_drop(decap_path *path) {
  path->known = false;
}

/* Returns true if all octets that decide lie in the headers, which a packet of that path has. */
static bool path_inside(const decap_path *path, size_t end) {
  for (size_t i = 0; i < path->num_words; i++) {
    if (path->word[i].at + sizeof(uint64_t) > end) {
      return false;
    }
  }
  for (size_t i = 0; i < path->num_lengths; i++) {
    if (path->length[i].at + sizeof(uint16_t) > end) {
      return false;
    }
  }
  return true;
}

/* Sets the layers: a packet with two VLAN tags counts once. */
static void path_layers(decap_path *path, const ing_decap *d) {
  uint32_t seen = 0;
  path->num_layers = 0;
  for (size_t i = 0; i < d->num_layers; i++) {
    const uint32_t bit = UINT32_C(1) << d->layer[i];
    if ((seen & bit) == 0) {
      path->layer[path->num_layers++] = d->layer[i];
    }
    seen |= bit;
  }
}

void ing_path_end(decap_path *path, const ingest_packet *pkt, const ing_decap *d, bool transport) {
  const ing_ip *ip = &d->ip;
  path->known = path->known && transport && ip->family == 4 && ip->next == ING_PROTO_TCP &&
                ip->body.cap >= DECAP_PATH_IP_MIN - DECAP_IP4_HEADER &&
                ip->body.data == d->header + DECAP_IP4_HEADER &&
                path_inside(path, (size_t)(d->header - pkt->data) + DECAP_PATH_IP_MIN);
  if (path->known) {
    path->tunnels = pkt->tunnels;
    path->link_type = pkt->link_type;
    path->ip = (uint16_t)(d->header - pkt->data);
    path->lane = d->lane;
    path_layers(path, d);
  }
}

bool ing_path_fits(const decap_path *path, const ingest_packet *pkt, size_t *cap) {
  const size_t least = (size_t)path->ip + DECAP_PATH_IP_MIN;
  uint64_t differ = 0;
  if (!path->known || pkt->caplen < least || pkt->link_type != path->link_type ||
      pkt->tunnels != path->tunnels) {
    return false;
  }
  for (size_t i = 0; i < path->num_words; i++) {
    uint64_t word;
    memcpy(&word, pkt->data + path->word[i].at, sizeof word);
    differ |= (word ^ path->word[i].value) & path->word[i].mask;
  }
  size_t end = pkt->caplen;
  for (size_t i = 0; i < path->num_lengths; i++) {
    const decap_bound *b = &path->length[i];
    const size_t bound = (size_t)b->from + ing_get16(pkt->data + b->at);
    differ |= b->fits && bound > end ? 1 : 0;
    end = bound < end ? bound : end;
  }
  *cap = end - path->ip;
  return differ == 0 && end >= least;
}

const decap_path *ing_paths_find(decap_paths *paths, const ingest_packet *pkt, size_t *cap) {
  if (ing_path_fits(&paths->path[paths->last], pkt, cap)) {
    return &paths->path[paths->last];
  }
  for (uint8_t i = 0; i < DECAP_PATHS; i++) {
    if (i != paths->last && ing_path_fits(&paths->path[i], pkt, cap)) {
      paths->last = i;
      return &paths->path[i];
    }
  }
  return NULL;
}

const decap_path *ing_paths_add(decap_paths *paths, const decap_path *path) {
  paths->last = paths->next;
  paths->next = (uint8_t)((paths->next + 1u) % DECAP_PATHS);
  paths->path[paths->last] = *path;
  return &paths->path[paths->last];
}
