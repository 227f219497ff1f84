/* SPDX-License-Identifier: BSD-2-Clause */
/* Compressed octets unpacked: in pieces of any size, several parts in a row, cut and damaged. */
#include <unpack/unpack.h>

#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "property.h"

#define TEXT_A "a small text"
#define TEXT_B "another one, another one, another one"

enum { ROOM = 512 };

/* What gzip -n, zstd, lz4 and xz make of a text. */
typedef struct packed {
  size_t len;
  uint8_t octets[256];
} packed;

static const packed parts[][2] = {
    [UNPACK_GZIP] = {{32, {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x4b,
                           0x54, 0x28, 0xce, 0x4d, 0xcc, 0xc9, 0x51, 0x28, 0x49, 0xad, 0x28,
                           0x01, 0x00, 0xfd, 0x2f, 0x83, 0x0a, 0x0c, 0x00, 0x00, 0x00}},
                     {36,
                      {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x4b, 0xcc,
                       0xcb, 0x2f, 0xc9, 0x48, 0x2d, 0x52, 0xc8, 0xcf, 0x4b, 0xd5, 0x51, 0x48,
                       0xc4, 0xc1, 0x01, 0x00, 0x27, 0x42, 0xf7, 0x06, 0x25, 0x00, 0x00, 0x00}}},
    [UNPACK_ZSTD] = {{25,
                      {0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x61, 0x00, 0x00, 0x61, 0x20, 0x73, 0x6d,
                       0x61, 0x6c, 0x6c, 0x20, 0x74, 0x65, 0x78, 0x74, 0x61, 0x49, 0x94, 0x2e}},
                     {32, {0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x9d, 0x00, 0x00, 0x68, 0x61,
                           0x6e, 0x6f, 0x74, 0x68, 0x65, 0x72, 0x20, 0x6f, 0x6e, 0x65, 0x2c,
                           0x20, 0x01, 0x00, 0x00, 0xce, 0x2f, 0xe6, 0x65, 0xcc, 0xcf}}},
    [UNPACK_LZ4] = {{31, {0x04, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7, 0x0c, 0x00, 0x00, 0x80,
                          0x61, 0x20, 0x73, 0x6d, 0x61, 0x6c, 0x6c, 0x20, 0x74, 0x65, 0x78,
                          0x74, 0x00, 0x00, 0x00, 0x00, 0x8c, 0x5e, 0xff, 0xb0}},
                    {42, {0x04, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7, 0x17, 0x00, 0x00, 0x00,
                          0xdf, 0x61, 0x6e, 0x6f, 0x74, 0x68, 0x65, 0x72, 0x20, 0x6f, 0x6e,
                          0x65, 0x2c, 0x20, 0x0d, 0x00, 0x00, 0x50, 0x72, 0x20, 0x6f, 0x6e,
                          0x65, 0x00, 0x00, 0x00, 0x00, 0x60, 0xb4, 0x70, 0xa4}}},
    [UNPACK_XZ] = {{68, {0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46,
                         0x02, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3,
                         0x01, 0x00, 0x0b, 0x61, 0x20, 0x73, 0x6d, 0x61, 0x6c, 0x6c, 0x20, 0x74,
                         0x65, 0x78, 0x74, 0x00, 0x05, 0x26, 0x7b, 0x28, 0x40, 0x4c, 0xec, 0x88,
                         0x00, 0x01, 0x24, 0x0c, 0xa6, 0x18, 0xd8, 0xd8, 0x1f, 0xb6, 0xf3, 0x7d,
                         0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x59, 0x5a}},
                   {80, {0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46,
                         0x02, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3,
                         0xe0, 0x00, 0x24, 0x00, 0x14, 0x5d, 0x00, 0x30, 0x9b, 0x8a, 0x42, 0xca,
                         0x34, 0x12, 0x34, 0x98, 0xec, 0xf2, 0x91, 0x85, 0x7e, 0x6a, 0xe2, 0x8a,
                         0x2c, 0x00, 0x00, 0x00, 0x26, 0x47, 0xa0, 0x1f, 0xce, 0xc5, 0x3f, 0xe7,
                         0x00, 0x01, 0x30, 0x25, 0x9f, 0x57, 0xc4, 0xb4, 0x1f, 0xb6, 0xf3, 0x7d,
                         0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x59, 0x5a}}},
};

static packed join(const packed *a, const packed *b) {
  packed sum = *a;
  expect(a->len + b->len <= sizeof sum.octets, "too long");
  memcpy(sum.octets + a->len, b->octets, b->len);
  sum.len += b->len;
  return sum;
}

/* What became of a file. */
typedef struct result {
  char text[ROOM];
  size_t len;
  bool good;
  bool may_end;
  bool too_large;
  char reason[128];
} result;

/* Gives the file `in_piece` octets at a time, with room for `out_piece`. */
static result unpack_all(unpack_form form, const packed *file, size_t in_piece, size_t out_piece) {
  result r = {.good = true};
  unpack *u = unpack_new(form);
  size_t at = 0;
  size_t given = 0;
  bool progress = true;
  expect(u != NULL, "no %s", unpack_form_name(form));
  while (r.good && (progress || given < file->len)) {
    uint8_t out[ROOM];
    if (!progress) {
      given += in_piece < file->len - given ? in_piece : file->len - given;
    }
    unpack_piece p = {file->octets + at, given - at, out, out_piece, 7, 7};
    r.good = unpack_step(u, &p);
    expect(p.used <= given - at && p.made <= out_piece, "more than there is");
    expect(r.len + p.made <= ROOM, "more than was packed");
    memcpy(r.text + r.len, out, p.made);
    r.len += p.made;
    at += p.used;
    progress = p.used > 0 || p.made > 0;
  }
  r.too_large = unpack_too_large(u);
  r.may_end = unpack_may_end(u) && at == file->len;
  snprintf(r.reason, sizeof r.reason, "%s", r.good ? "" : unpack_reason(u));
  unpack_free(u);
  return r;
}

static void expect_text(const result *r, const char *text) {
  expect(r->good, "damaged: %s", r->reason);
  expect(r->may_end, "not at an end");
  expect(r->len == strlen(text) && memcmp(r->text, text, r->len) == 0, "%.*s", (int)r->len,
         r->text);
}

static void expect_damage(const result *r, const char *text, const char *reason) {
  expect(!r->good, "good");
  expect(strstr(r->reason, reason) != NULL, "%s", r->reason);
  expect(r->len == strlen(text) && memcmp(r->text, text, r->len) == 0, "%.*s", (int)r->len,
         r->text);
}

/* libzstd reads frames of versions before 1.0 where a call begins with four octets of their magic,
 * and else does not: they are refused, however the file is cut. */
START_TEST(zstd_of_old_is_refused)
{
  if (!unpack_form_built(UNPACK_ZSTD)) {
    return;
  }
  static const uint8_t old[] = {0x27, 0xb5, 0x2f, 0xfd, 0x38, 0x00, 0x05, 0x00,
                                0xd4, 0xc3, 0xb2, 0xa1, 0x02, 0x00, 0x04, 0x00};
  packed file = parts[UNPACK_ZSTD][0];
  const size_t first = file.len;
  memcpy(file.octets + file.len, old, sizeof old);
  file.len += sizeof old;
  for (size_t piece = 1; piece <= file.len; piece += property_stride()) {
    const result r = unpack_all(UNPACK_ZSTD, &file, piece, ROOM);
    expect(!r.good, "pieces of %zu octets after %zu", piece, first);
  }
}
END_TEST

START_TEST(forms_are_known_by_their_first_octets)
{
  static const char *const names[] = {"gzip", "zstd", "lz4", "xz"};
  static const uint8_t captures[][4] = {{0xa1, 0xb2, 0xc3, 0xd4}, {0xd4, 0xc3, 0xb2, 0xa1},
                                        {0xa1, 0xb2, 0x3c, 0x4d}, {0x4d, 0x3c, 0xb2, 0xa1},
                                        {0xa1, 0xb2, 0xcd, 0x34}, {0x34, 0xcd, 0xb2, 0xa1},
                                        {0x0a, 0x0d, 0x0d, 0x0a}};
  for (unpack_form form = UNPACK_GZIP; form <= UNPACK_XZ; form++) {
    const uint8_t *octets = parts[form][0].octets;
    const size_t magic = form == UNPACK_XZ ? 6 : form == UNPACK_GZIP ? 2 : 4;
    expect(strcmp(unpack_form_name(form), names[form - UNPACK_GZIP]) == 0, "name");
    expect(unpack_part_name(form) != NULL, "part");
    expect(unpack_may_begin(octets[0]), "may begin");
    for (size_t len = 0; len < UNPACK_MAGIC_MAX + 2; len++) {
      expect(unpack_form_of(octets, len) == (len < magic ? UNPACK_PLAIN : form), "%zu", len);
    }
  }
  for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++) {
    expect(unpack_form_of(captures[i], 4) == UNPACK_PLAIN, "capture %zu", i);
    expect(!unpack_may_begin(captures[i][0]), "capture %zu may be compressed", i);
  }
  static const uint8_t legacy[4] = {0x02, 0x21, 0x4c, 0x18};
  expect(unpack_form_of(legacy, sizeof legacy) == UNPACK_LZ4_LEGACY, "lz4 -l");
  expect(unpack_may_begin(legacy[0]) && !unpack_form_built(UNPACK_LZ4_LEGACY), "lz4 -l is read");
  expect(unpack_form_name(UNPACK_PLAIN) == NULL && unpack_part_name(UNPACK_PLAIN) == NULL, "plain");
  expect(unpack_new(UNPACK_PLAIN) == NULL && !unpack_form_built(UNPACK_PLAIN), "plain is made");
}
END_TEST

START_TEST(pieces_of_any_size)
{
  for (unpack_form form = UNPACK_GZIP; form <= UNPACK_XZ; form++) {
    for (size_t in = 1; unpack_form_built(form) && in <= 128; in += property_stride()) {
      for (size_t out = 1; out <= 40; out += property_stride()) {
        const result r = unpack_all(form, &parts[form][1], in, out);
        expect_text(&r, TEXT_B);
      }
    }
  }
}
END_TEST

START_TEST(parts_one_after_the_other)
{
  for (unpack_form form = UNPACK_GZIP; form <= UNPACK_XZ; form++) {
    for (size_t in = 1; unpack_form_built(form) && in <= 256; in += property_stride()) {
      const packed file = join(&parts[form][1], &parts[form][0]);
      const result r = unpack_all(form, &file, in, 16);
      expect_text(&r, TEXT_B TEXT_A);
    }
  }
}
END_TEST

/* Zeros between members of gzip and streams of xz, and after the last one. */
START_TEST(padding)
{
  static const unpack_form padded[] = {UNPACK_GZIP, UNPACK_XZ};
  for (size_t i = 0; i < 2; i++) {
    for (size_t zeros = 0; unpack_form_built(padded[i]) && zeros <= 9; zeros++) {
      const bool allowed = padded[i] == UNPACK_GZIP || zeros % 4 == 0;
      const packed some = {.len = zeros};
      const packed begin = join(&parts[padded[i]][0], &some);
      const packed file = join(&begin, &parts[padded[i]][0]);
      for (size_t in = 1; in < file.len; in += property_stride()) {
        const result first = unpack_all(padded[i], &begin, in, 100);
        const result both = unpack_all(padded[i], &file, in, 100);
        expect(first.good && first.may_end == allowed, "%zu zeros at the end", zeros);
        if (allowed) {
          expect_text(&both, TEXT_A TEXT_A);
        } else {
          expect_damage(&both, TEXT_A, "multiple of four");
        }
      }
    }
  }
}
END_TEST

START_TEST(frames_to_be_skipped)
{
  static const unpack_form framed[] = {UNPACK_ZSTD, UNPACK_LZ4};
  const packed skipped = {11, {0x5c, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'}};
  expect(unpack_form_of(skipped.octets, skipped.len) == UNPACK_ZSTD, "one begins a zstd file");
  expect(unpack_form_of(skipped.octets, 3) == UNPACK_PLAIN, "of four octets");
  expect(unpack_may_begin(0x5c), "may begin");
  for (size_t i = 0; i < 2; i++) {
    for (size_t in = 1; unpack_form_built(framed[i]) && in < 20; in++) {
      const packed begin = join(&skipped, &parts[framed[i]][0]);
      const packed file = join(&begin, &skipped);
      const result r = unpack_all(framed[i], &file, in, 100);
      expect_text(&r, TEXT_A);
    }
  }
}
END_TEST

/* Of a file that is cut anywhere what it holds is unpacked, and it is not taken for whole. */
START_TEST(cut_files)
{
  for (unpack_form form = UNPACK_GZIP; form <= UNPACK_XZ; form++) {
    for (size_t len = 1; unpack_form_built(form) && len < parts[form][1].len;
         len += property_stride()) {
      packed file = parts[form][1];
      file.len = len;
      const result r = unpack_all(form, &file, 100, 100);
      expect(r.good && !r.may_end, "%s: %zu octets", unpack_form_name(form), len);
      expect(r.len <= strlen(TEXT_B) && memcmp(r.text, TEXT_B, r.len) == 0, "%zu octets", len);
    }
  }
}
END_TEST

/* All four have a checksum here: other octets than these are never taken for right. */
START_TEST(damaged_files)
{
  for (unpack_form form = UNPACK_GZIP; form <= UNPACK_XZ; form++) {
    for (size_t bit = 0; unpack_form_built(form) && bit < 8 * parts[form][1].len;
         bit += property_stride()) {
      packed file = parts[form][1];
      file.octets[bit / 8] ^= (uint8_t)(1u << bit % 8);
      const result r = unpack_all(form, &file, 100, 100);
      if (r.good && r.may_end) {
        expect_text(&r, TEXT_B);
      }
      expect(r.good || r.reason[0] != '\0', "no reason");
    }
  }
}
END_TEST

/* What was unpacked before the damage stays, in the same call too. */
START_TEST(octets_after_the_last_part)
{
  static const char *const reasons[] = {"header", "descriptor", "frameType", "not the header"};
  const packed garbage = {12, {'n', 'o', ' ', 'c', 'a', 'p', 't', 'u', 'r', 'e', 's', '!'}};
  for (unpack_form form = UNPACK_GZIP; form <= UNPACK_XZ; form++) {
    if (unpack_form_built(form)) {
      const packed file = join(&parts[form][0], &garbage);
      const result r = unpack_all(form, &file, 100, 100);
      expect_damage(&r, TEXT_A, reasons[form - UNPACK_GZIP]);
      expect(!r.may_end, "an end");
    }
  }
}
END_TEST

/* Windows of 2 GiB and 256 MiB. */
START_TEST(too_large_a_window)
{
  static const packed zstd = {12, {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x09, 0, 0, 'x', 0, 0}};
  packed xz = parts[UNPACK_XZ][0];
  static const uint8_t block[] = {0x20, 0, 0, 0, 0x09, 0x88, 0xa5, 0x76};
  memcpy(xz.octets + 16, block, sizeof block);
  if (unpack_form_built(UNPACK_ZSTD)) {
    const result r = unpack_all(UNPACK_ZSTD, &zstd, 100, 100);
    expect_damage(&r, "", "more than 128 MiB of memory");
    expect(r.too_large, "damaged");
  }
  if (unpack_form_built(UNPACK_XZ)) {
    const result r = unpack_all(UNPACK_XZ, &xz, 100, 100);
    expect_damage(&r, "", "more than 128 MiB of memory");
    expect(r.too_large, "damaged");
  }
}
END_TEST

/* Which request for memory is refused, counted from 1; 0: none is. */
static unsigned refused;

void *__real_malloc(size_t size);
void *__real_calloc(size_t num, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t num, size_t size);

static bool refuse(void) {
  const bool now = refused == 1;
  refused -= refused > 0 ? 1u : 0u;
  return now;
}

void *__wrap_malloc(size_t size) {
  return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t num, size_t size) {
  return refuse() ? NULL : __real_calloc(num, size);
}

START_TEST(without_memory_there_is_none)
{
  for (unpack_form form = UNPACK_GZIP; form <= UNPACK_XZ; form++) {
    for (unsigned n = 1; n <= 2; n++) {
      refused = n;
      unpack *u = unpack_new(form);
      const bool asked = refused == 0; /* the libraries have a memory of their own */
      refused = 0;
      expect((u == NULL) == (asked || !unpack_form_built(form)), "%s, request %u",
             unpack_form_name(form), n);
      unpack_free(u);
    }
  }
}
END_TEST

START_TEST(nothing_to_free)
{ unpack_free(NULL); }
END_TEST

int main(void) {
  const TTest *const tests[] = {forms_are_known_by_their_first_octets,
                                zstd_of_old_is_refused,
                                pieces_of_any_size,
                                parts_one_after_the_other,
                                padding,
                                frames_to_be_skipped,
                                cut_files,
                                damaged_files,
                                octets_after_the_last_part,
                                too_large_a_window,
                                without_memory_there_is_none,
                                nothing_to_free,
                                NULL};
  return check_run(check_suite("unpack", tests));
}
