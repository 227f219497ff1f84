/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of plain files and libpcap read the same: all captures of the repository, and blocks
 * in any order, whole, cut and spoilt. */
#define _XOPEN_SOURCE 700 /* nftw */

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture_twin.h"
#include "check_run.h"
#include "prng.h"
#include "property.h"

#define FILE_MAX (4u * 1024u * 1024u)
#define SPOILS 6u /* of each file of a round */
#define MADE_MAX 65536u
#define ROUNDS 3000u

static uint8_t whole[FILE_MAX];
static uint8_t spoilt[FILE_MAX];
static size_t ends[CAPTURE_TWIN_DAMAGED + 1];
static size_t files;
static prng chance;

static capture_twin read_one(const uint8_t *octets, size_t len, const char *what) {
  const capture_twin t = capture_twin_read(octets, len);
  expect(t.difference[0] == 0, "%s, %zu octets: %s", what, len, t.difference);
  ends[t.end]++;
  return t;
}

/* Some octets changed, mostly near the front where headers are, or the end cut off. */
static void spoil_one(size_t len, const char *what) {
  memcpy(spoilt, whole, len);
  if (prng_below(&chance, 3) == 0) {
    len = prng_size(&chance, len + 1);
  }
  for (size_t i = prng_size(&chance, 4); i > 0 && len > 0; i--) {
    const size_t near = prng_below(&chance, 2) == 0 && len > 200 ? 200 : len;
    spoilt[prng_size(&chance, near)] ^= (uint8_t)(1u << prng_below(&chance, 8));
  }
  (void)read_one(spoilt, len, what);
}

static int read_file(const char *path, const struct stat *st, int flag, struct FTW *place) {
  const char *dot = strrchr(path, '.');
  (void)place;
  if (flag != FTW_F || dot == NULL || strncmp(dot, ".pcap", 5) != 0 || st->st_size > FILE_MAX) {
    return 0;
  }
  FILE *file = fopen(path, "rb");
  expect(file != NULL, "%s", path);
  const size_t len = fread(whole, 1, sizeof whole, file);
  (void)fclose(file);
  const capture_twin t = read_one(whole, len, path);
  expect(t.end == CAPTURE_TWIN_WHOLE && t.packets > 0, "%s: left to libpcap, or damaged", path);
  files++;
  for (size_t i = 0; i < SPOILS; i++) {
    spoil_one(len, path);
  }
  return 0;
}

START_TEST(all_captures)
{
  chance = (prng){.state = 1};
  expect(nftw(PCAPS, read_file, 16, FTW_PHYS) == 0, "%s", PCAPS);
  expect(files > 500, "%zu files", files);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    expect(ends[i] > files / 20, "%zu of %zu files end in way %zu", ends[i], files, i);
  }
}
END_TEST

/* --- Files made of blocks --- */

typedef struct made {
  size_t len;
  bool big;
  uint16_t link;
  uint32_t snaplen;
} made;

static void add(made *m, uint64_t value, size_t octets) {
  for (size_t i = 0; i < octets; i++) {
    whole[m->len++] = (uint8_t)(value >> 8 * (m->big ? octets - 1 - i : i));
  }
}

static void add_random(made *m, size_t octets) {
  prng_fill(&chance, whole + m->len, octets);
  m->len += octets;
}

static bool one_in(uint64_t n) {
  return prng_below(&chance, n) == 0;
}

/* A length that is sometimes wrong. */
static size_t about(size_t n) {
  return one_in(100) ? prng_size(&chance, 70000) : n;
}

static void add_option(made *m) {
  static const struct {
    uint16_t code;
    uint16_t len;
  } options[] = {{9, 1}, {9, 1}, {9, 1}, {14, 8}, {2, 5}, {9, 2}, {14, 4}, {1, 0}, {0, 4}};
  const size_t i = prng_size(&chance, sizeof options / sizeof options[0]);
  const size_t rare = i > 4 && !one_in(4) ? 0 : i;
  add(m, options[rare].code, 2);
  add(m, about(options[rare].len), 2);
  if (options[rare].code == 9) {
    add(m, (one_in(3) ? 0x80u : 0u) | (unsigned)prng_below(&chance, one_in(8) ? 70 : 20), 1);
    add(m, 0, 3);
  } else {
    add_random(m, (options[rare].len + 3u) & ~3u);
  }
}

static void add_interface(made *m) {
  add(m, one_in(30) ? 102u - m->link : m->link, 2); /* rarely the other one of 1 and 101 */
  add(m, 0, 2);
  add(m, one_in(30) ? 7 : m->snaplen, 4);
  for (size_t i = prng_size(&chance, 3); i > 0; i--) {
    add_option(m);
  }
  if (one_in(2)) {
    add(m, 0, 4);
  }
}

static void add_packet(made *m, uint32_t type) {
  const size_t caplen = prng_size(&chance, 70);
  if (type == 3) {
    add(m, about(caplen), 4);
  } else {
    add(m, prng_size(&chance, one_in(20) ? 9 : 1), type == 2 ? 2 : 4);
    add(m, 0, type == 2 ? 2 : 0);
    add_random(m, 8);
    add(m, about(caplen), 4);
    add(m, caplen + prng_size(&chance, 9), 4);
  }
  add_random(m, (caplen + 3) & ~(size_t)3);
}

static void add_section(made *m) {
  add(m, one_in(20) ? 0x1a2b3c4e : 0x1a2b3c4d, 4);
  add(m, one_in(30) ? 2 : 1, 2);
  add(m, one_in(8) ? 2 : 0, 2);
  add(m, UINT64_MAX, 8);
}

static void add_block(made *m, uint32_t type) {
  const size_t begin = m->len;
  add(m, type, 4);
  add(m, 0, 4);
  switch (type) {
  case 0x0a0d0d0a: add_section(m); break;
  case 1: add_interface(m); break;
  case 2:
  case 3:
  case 6: add_packet(m, type); break;
  default: add_random(m, 4 * prng_size(&chance, 30)); break;
  }
  const size_t total = about(m->len + 4 - begin);
  const size_t end = m->len;
  m->len = begin + 4;
  add(m, total, 4);
  m->len = end;
  add(m, about(total), 4);
}

static size_t make_blocks(void) {
  static const uint32_t types[] = {6, 6, 6, 6, 2, 3, 1, 5, 0x0a0d0d0a};
  made m = {.big = one_in(2),
            .snaplen = one_in(3)   ? 60
                       : one_in(2) ? 0
                                   : 262144,
            .link = one_in(8) ? 101 : 1};
  add_block(&m, 0x0a0d0d0a);
  add_block(&m, one_in(20) ? 4 : 1);
  for (size_t i = prng_size(&chance, 40); i > 0 && m.len < MADE_MAX; i--) {
    const size_t which = prng_size(&chance, sizeof types / sizeof types[0]);
    m.big = types[which] == 0x0a0d0d0a && one_in(4) ? !m.big : m.big; /* of the new section */
    add_block(&m, types[which]);
    if (types[which] == 0x0a0d0d0a && !one_in(10)) {
      add_block(&m, 1);
    }
  }
  return m.len;
}

static size_t make_records(void) {
  made m = {.big = one_in(2), .snaplen = one_in(3) ? 60 : one_in(2) ? 0 : 262144};
  add(&m, one_in(2) ? 0xa1b2c3d4 : one_in(10) ? 0xa1b2cd34 : 0xa1b23c4d, 4);
  add(&m, 2, 2);
  add(&m, one_in(10) ? prng_below(&chance, 6) : 4, 2);
  add(&m, 0, 8);
  add(&m, m.snaplen, 4);
  add(&m, one_in(10) ? prng_below(&chance, 300) : 1, 4);
  for (size_t i = prng_size(&chance, 40); i > 0; i--) {
    const size_t caplen = prng_size(&chance, 70);
    add_random(&m, 8);
    add(&m, one_in(40) ? prng_below(&chance, 300000) : caplen, 4);
    add(&m, caplen + prng_size(&chance, 9), 4);
    add_random(&m, caplen);
  }
  return m.len;
}

START_TEST(all_blocks)
{
  property rounds = property_begin("all_blocks", 1, ROUNDS);
  uint64_t packets = 0;
  while (property_next(&rounds)) {
    chance = (prng){.state = rounds.seed};
    const size_t len = _i == 0 ? make_blocks() : make_records();
    packets += read_one(whole, len, "made").packets;
    spoil_one(len, "made");
  }
  for (size_t i = 0; !property_single() && i < sizeof ends / sizeof ends[0]; i++) {
    expect(ends[i] > ROUNDS / 50, "%zu files end in way %zu", ends[i], i);
  }
  expect(property_few() || packets > ROUNDS, "few packets");
}
END_TEST

int main(void) {
  const property_test tests[] = {{all_captures, 1}, {all_blocks, 2}, {NULL, 0}};
  return property_main("capture", tests);
}
