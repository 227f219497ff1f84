/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Paths: the way of a packet down to TCP over IPv4. The headers of the packets after it need not be
 * taken off one by one. A path holds the octets that decided on the walk, and the
 * lengths that bound what follows. A packet with the same octets has its IP packet at the same
 * place, in the same layers.
 */
#ifndef INGEST_DECAP_PATH_H
#define INGEST_DECAP_PATH_H

#include <string.h>

#include "../packet.h"

enum {
  DECAP_PATHS = 4,       /* paths that are known at a time */
  DECAP_PATH_WORDS = 48, /* words of a path, at most */
  DECAP_PATH_LENGTHS = 16,
  DECAP_PATH_IP_MIN = 40 /* octets of the headers of IPv4 and TCP without options */
};

/* Some bits of eight octets, in the byte order of the machine. */
typedef struct decap_word {
  uint64_t mask;
  uint64_t value;
  size_t at;
} decap_word;

/* A length of two octets at `at`, which counts from `from` on. */
typedef struct decap_bound {
  uint16_t at;
  uint16_t from;
  bool fits; /* the path holds only if as many octets were captured */
} decap_bound;

typedef struct decap_path {
  const ingest_tunnels *tunnels; /* tunnels of the packet */
  int link_type;                 /* link type of the packet */
  bool known;                    /* the path can be followed */
  uint8_t num_words;
  uint8_t num_lengths;
  uint8_t num_layers;
  uint8_t layer[INGEST_LAYERS_MAX]; /* each ingest_layer once */
  uint16_t ip;                      /* octets before the IP packet */
  uint32_t lane;                    /* same as in ing_segment */
  decap_word word[DECAP_PATH_WORDS];
  decap_bound length[DECAP_PATH_LENGTHS];
} decap_path;

/* The paths that are known. */
typedef struct decap_paths {
  decap_path path[DECAP_PATHS];
  uint8_t last; /* the one that was followed last */
  uint8_t next; /* the one that the next path replaces */
} decap_paths;

struct ing_decap;

/* ing_path_note adds the bits of `mask` of the four octets at `at`, which equal `value`. */
void ing_path_note(decap_path *path, size_t at, uint32_t mask, uint32_t value);

/* ing_path_bound adds a length. */
void ing_path_bound(decap_path *path, size_t at, size_t from, bool fits);

/* ing_path_begin clears the path before a walk, ing_path_end completes it after the walk, and
 * ing_path_drop says in between that it cannot be followed. */
void ing_path_begin(decap_path *path);
void ing_path_end(decap_path *path, const ingest_packet *pkt, const struct ing_decap *d,
                  bool transport);
void ing_path_drop(decap_path *path);

/* ing_path_fits returns true if the packet has this path. Then *cap is how many octets of its IP
 * packet were captured, as far as the lengths go. */
bool ing_path_fits(const decap_path *path, const ingest_packet *pkt, size_t *cap);

/* ing_path_count counts the layers of a packet that has the path. */
static inline void ing_path_count(const decap_path *path, ingest_encap *counts) {
  for (size_t i = 0; i < path->num_layers; i++) {
    counts->packets[path->layer[i]]++;
  }
}

/* ing_paths_find returns the path of the packet, or NULL. */
const decap_path *ing_paths_find(decap_paths *paths, const ingest_packet *pkt, size_t *cap);

/* ing_paths_add keeps a copy of the path in the place of the oldest one, and returns it. */
const decap_path *ing_paths_add(decap_paths *paths, const decap_path *path);

#endif
