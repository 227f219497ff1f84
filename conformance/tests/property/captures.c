/* SPDX-License-Identifier: BSD-2-Clause */
/* The captures of a folder, and what may become of a capture. */
#define _XOPEN_SOURCE 700 /* nftw */

#include "captures.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>

#include "property.h"

#define PACKETS_MAX 400u /* of a capture */
#define PACKETS_FEW 100u /* in the gate */
#define FILES_MAX 2000u

/* ---- files ---- */

static char *paths[FILES_MAX];
static size_t num_paths;

static int add_file(const char *path, const struct stat *st, int flag, struct FTW *place) {
  const char *dot = strrchr(path, '.');
  (void)place;
  (void)st;
  if (flag == FTW_F && dot != NULL && strncmp(dot, ".pcap", 5) == 0 && num_paths < FILES_MAX) {
    paths[num_paths++] = strdup(path);
  }
  return 0;
}

static int path_order(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_files(const char *folder) {
  if (num_paths == 0) {
    expect(nftw(folder, add_file, 16, FTW_PHYS) == 0, "%s", folder);
    qsort(paths, num_paths, sizeof paths[0], path_order);
  }
}

static capture_replay read_file(const char *path) {
  return capture_replay_read(path, property_times() == 1 ? PACKETS_FEW : PACKETS_MAX);
}

size_t captures_each(const char *folder, captures_check *check) {
  find_files(folder);
  for (size_t i = 0; i < num_paths; i++) {
    capture_replay c = read_file(paths[i]);
    check(&c, paths[i]);
    capture_replay_free(&c);
  }
  return num_paths;
}

void captures_changed(const char *folder, const char *test, uint64_t rounds,
                      captures_change *change, captures_check *check) {
  find_files(folder);
  property p = property_begin(test, 1, rounds);
  while (property_next(&p)) {
    prng chance = {.state = p.seed};
    const char *path = paths[prng_size(&chance, num_paths)];
    capture_replay whole = read_file(path);
    if (whole.num > 1) {
      capture_replay c = change(&whole, &chance);
      check(&c, path);
      capture_replay_free(&c);
    }
    capture_replay_free(&whole);
  }
}

/* ---- captures that are not what was sent ---- */

/* Exchanges two words of 16 bits of what a packet carries, which leaves its checksum right. */
static void spoil_words(ingest_packet *p, prng *chance) {
  const size_t first = 60; /* past the headers of most */
  if (p->caplen < first + 8) {
    return;
  }
  uint8_t *data = (uint8_t *)(uintptr_t)p->data;
  const size_t words = (p->caplen - first) / 2;
  uint8_t *a = data + first + 2 * prng_size(chance, words);
  uint8_t *b = data + first + 2 * prng_size(chance, words);
  for (size_t i = 0; i < 2; i++) {
    const uint8_t octet = a[i];
    a[i] = b[i];
    b[i] = octet;
  }
}

static void drop_packet(capture_replay *c, size_t at) {
  free((void *)(uintptr_t)c->packets[at].data);
  c->num--;
  memmove(&c->packets[at], &c->packets[at + 1], (c->num - at) * sizeof c->packets[0]);
}

static void late_packet(capture_replay *c, size_t at, size_t by) {
  const ingest_packet p = c->packets[at];
  for (; by > 0 && at + 1 < c->num; by--, at++) {
    c->packets[at] = c->packets[at + 1];
  }
  c->packets[at] = p;
}

/* A second copy follows the packet. */
static void repeat_packet(capture_replay *c, size_t at) {
  ingest_packet *packets = realloc(c->packets, (c->num + 1) * sizeof *packets);
  expect(packets != NULL, "no memory");
  uint8_t *data = malloc(packets[at].caplen + 1u);
  expect(data != NULL, "no memory");
  memcpy(data, packets[at].data, packets[at].caplen);
  memmove(&packets[at + 1], &packets[at], (c->num - at) * sizeof *packets);
  packets[at].data = data;
  c->packets = packets;
  c->num++;
}

static void spoil(capture_replay *c, prng *chance) {
  const size_t at = prng_size(chance, c->num);
  ingest_packet *p = &c->packets[at];
  switch (prng_below(chance, 8)) {
  case 0: drop_packet(c, at); break;
  case 1: late_packet(c, at, 1 + prng_size(chance, 4)); break;
  case 2: p->caplen = p->caplen > 70 ? 54 + prng_size(chance, p->caplen - 54) : p->caplen; break;
  case 3:
  case 4:
    repeat_packet(c, at);
    spoil_words(&c->packets[at + prng_below(chance, 2)], chance); /* copies differ */
    break;
  default: spoil_words(p, chance); break;
  }
}

void captures_number(capture_replay *c) {
  for (size_t i = 0; i < c->num; i++) {
    c->packets[i].number = i + 1;
  }
}

capture_replay captures_spoilt(const capture_replay *whole, prng *chance) {
  capture_replay c = capture_replay_copy(whole);
  for (size_t i = 1 + prng_size(chance, 3); i > 0 && c.num > 1; i--) {
    spoil(&c, chance);
  }
  captures_number(&c);
  return c;
}
